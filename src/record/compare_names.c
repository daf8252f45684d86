/* SPDX-License-Identifier: MIT
 *
 * Which columns of two records belong together. */
#include "base/map.h"
#include "record/compare_internal.h"
#include "record/select.h"

#include <string.h>

typedef struct names {
    const char *const *names;
    size_t count;
    hk_map map;   /* to the column */
    bool *paired; /* second record: a signal of the first took it */
} names;

bool hk_patterns_match(const hk_patterns *patterns, const char *name) {
    for (size_t i = 0; i < patterns->count; i++)
        if (hk_glob_match(patterns->patterns[i], name))
            return true;
    return false;
}

static bool is_wanted(const hk_compare_options *options, const char *name) {
    return (!options->only.count || hk_patterns_match(&options->only, name)) &&
           !hk_patterns_match(&options->ignore, name);
}

static hk_status read_names(hk_compare_state *state, int side, names *n) {
    const hk_compare_side *s = &state->sides[side];
    n->names = hk_table_names(s->reader);
    n->count = hk_table_columns(s->reader);
    n->paired = HK_NEW_ARRAY(state->arena, bool, n->count);
    for (size_t c = 1; c < n->count; c++)
        if (hk_map_put(&n->map, n->names[c], (uint32_t)c) != c &&
            is_wanted(state->options, n->names[c]))
            return hk_error(state->ctx, HK_E_CSV, (hk_where){.file = s->path, .line = 1},
                            "leave it out with --ignore", "two columns are called '%s'",
                            n->names[c]);
    return HK_OK;
}

static const char *name_in_second(const hk_compare_options *options, const char *name) {
    for (size_t i = 0; i < options->renamed_count; i++)
        if (strcmp(options->renamed[i].first, name) == 0)
            return options->renamed[i].second;
    return name;
}

static hk_tolerance tolerance_of(const hk_compare_options *options, const char *name) {
    for (size_t i = options->tolerance_count; i-- > 0;)
        if (hk_glob_match(options->tolerances[i].pattern, name))
            return options->tolerances[i].tolerance;
    return options->tolerance;
}

static bool matches_any(const char *pattern, const names *n) {
    for (size_t c = 1; c < n->count; c++)
        if (hk_glob_match(pattern, n->names[c]))
            return true;
    return false;
}

/* A pattern that matches nothing is a slip of the pen, except for --ignore. */
static hk_status check_pattern(hk_compare_state *state, const names n[2], const char *pattern) {
    if (matches_any(pattern, &n[0]) || matches_any(pattern, &n[1]))
        return HK_OK;
    return hk_signal_unknown(state->ctx, state->sides[0].path, pattern, n[0].names + 1,
                             n[0].count - 1);
}

static hk_status check_options(hk_compare_state *state, const names n[2]) {
    const hk_compare_options *options = state->options;
    const hk_patterns *lists[] = {&options->only, &options->hold, &options->linear};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            HK_TRY(check_pattern(state, n, lists[l]->patterns[i]));
    for (size_t i = 0; i < options->tolerance_count; i++)
        HK_TRY(check_pattern(state, n, options->tolerances[i].pattern));
    for (size_t i = 0; i < options->renamed_count; i++) {
        const char *pair[] = {options->renamed[i].first, options->renamed[i].second};
        for (int side = 0; side < 2; side++)
            if (hk_map_get(&n[side].map, pair[side]) == HK_MAP_NONE)
                return hk_signal_unknown(state->ctx, state->sides[side].path, pair[side],
                                         n[side].names + 1, n[side].count - 1);
    }
    return HK_OK;
}

static void note_only_in(hk_compare_state *state, int side, const char *name) {
    hk_comparison *result = state->result;
    result->only_in[side][result->only_in_count[side]++] = hk_arena_strdup(state->arena, name);
}

static void pair_up(hk_compare_state *state, names n[2]) {
    hk_comparison *result = state->result;
    const hk_compare_options *options = state->options;
    for (int side = 0; side < 2; side++) {
        result->only_in[side] = HK_NEW_ARRAY(state->arena, const char *, n[side].count);
        state->sides[side].columns = HK_NEW_ARRAY(state->arena, size_t, n[0].count);
    }
    result->signals = HK_NEW_ARRAY(state->arena, hk_compared, n[0].count);
    for (size_t c = 1; c < n[0].count; c++) {
        const char *name = n[0].names[c], *other = name_in_second(options, name);
        uint32_t column = hk_map_get(&n[1].map, other);
        if (column != HK_MAP_NONE)
            n[1].paired[column] = true;
        if (!is_wanted(options, name))
            continue;
        if (column == HK_MAP_NONE) {
            note_only_in(state, 0, name);
            continue;
        }
        hk_compared *signal = &result->signals[result->signal_count];
        signal->names[0] = hk_arena_strdup(state->arena, name);
        signal->names[1] = hk_arena_strdup(state->arena, other);
        signal->tolerance = tolerance_of(options, name);
        state->sides[0].columns[result->signal_count] = c;
        state->sides[1].columns[result->signal_count++] = column;
    }
    for (size_t c = 1; c < n[1].count; c++)
        if (!n[1].paired[c] && is_wanted(options, n[1].names[c]))
            note_only_in(state, 1, n[1].names[c]);
    if (options->common)
        result->only_in_count[0] = result->only_in_count[1] = 0;
}

hk_status hk_compare_match(hk_compare_state *state) {
    names n[2] = {0};
    hk_status status = HK_OK;
    for (int side = 0; side < 2 && status == HK_OK; side++)
        status = read_names(state, side, &n[side]);
    if (status == HK_OK)
        status = check_options(state, n);
    if (status == HK_OK)
        pair_up(state, n);
    for (int side = 0; side < 2; side++)
        hk_map_finish(&n[side].map);
    return status;
}
