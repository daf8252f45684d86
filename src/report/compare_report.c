/* SPDX-License-Identifier: MIT */
#include "report/compare_report.h"

#include "base/number.h"
#include "record/about.h"
#include "report/show.h"

#include <math.h>
#include <string.h>

/* ---- what is asked for ---- */

bool hk_compare_read_amount(const char *text, size_t length, double *ret_amount) {
    double amount;
    if (!hk_read_f64(text, length, &amount) || !isfinite(amount) || amount < 0)
        return false;
    *ret_amount = amount;
    return true;
}

/* PATTERN=ABS[,REL] */
static bool read_tolerance_for(hk_arena *arena, const char *text,
                               struct hk_tolerance_for *ret_for) {
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text)
        return false;
    size_t length = strcspn(equals + 1, ",");
    const char *rest = equals + 1 + length;
    struct hk_tolerance_for it = {.pattern =
                                      hk_arena_strndup(arena, text, (size_t)(equals - text))};
    if (!hk_compare_read_amount(equals + 1, length, &it.tolerance.absolute) ||
        (*rest && !hk_compare_read_amount(rest + 1, strlen(rest + 1), &it.tolerance.relative)))
        return false;
    *ret_for = it;
    return true;
}

static hk_status read_tolerances(hk_ctx *ctx, hk_arena *arena, hk_patterns texts,
                                 hk_compare_options *options) {
    struct hk_tolerance_for *tolerances = HK_NEW_ARRAY(arena, struct hk_tolerance_for, texts.count);
    for (size_t i = 0; i < texts.count; i++)
        if (!read_tolerance_for(arena, texts.patterns[i], &tolerances[i]))
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                            "PATTERN=ABS or PATTERN=ABS,REL, as in 'wheel.*=1e-6,1e-3'",
                            "'%s' is not a value for --tolerance-for", texts.patterns[i]);
    options->tolerances = tolerances;
    options->tolerance_count = texts.count;
    if (options->bits &&
        (texts.count || options->tolerance.absolute > 0 || options->tolerance.relative > 0))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--bits leaves no room for tolerances");
    return HK_OK;
}

static hk_status read_renamed(hk_ctx *ctx, hk_arena *arena, hk_patterns texts,
                              hk_compare_options *options) {
    struct hk_renamed *renamed = HK_NEW_ARRAY(arena, struct hk_renamed, texts.count);
    for (size_t i = 0; i < texts.count; i++) {
        const char *text = texts.patterns[i], *equals = strchr(text, '=');
        if (!equals || equals == text || !equals[1])
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                            "NAME=OTHER: a signal of the first record, and what the second calls "
                            "it",
                            "'%s' is not a value for --map", text);
        renamed[i].first = hk_arena_strndup(arena, text, (size_t)(equals - text));
        renamed[i].second = equals + 1;
    }
    options->renamed = renamed;
    options->renamed_count = texts.count;
    return HK_OK;
}

hk_status hk_compare_complete(hk_ctx *ctx, hk_arena *arena, const hk_compare_texts *texts,
                              hk_compare_options *options) {
    HK_TRY(read_tolerances(ctx, arena, texts->tolerance_for, options));
    HK_TRY(read_renamed(ctx, arena, texts->map, options));
    if (options->times == HK_TIMES_SAME && (options->hold.count || options->linear.count))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --interpolate",
                        "--hold and --linear say how to interpolate");
    return HK_OK;
}

/* ---- the answer ---- */

static void json_point(hk_json *json, const char *key, const hk_compared *signal,
                       const hk_point *point) {
    hk_json_object(json, key);
    hk_json_string(json, "signal", signal->names[0]);
    hk_json_f64(json, "time", point->time);
    hk_json_array(json, "lines");
    for (int side = 0; side < 2; side++)
        hk_json_i64(json, NULL, point->lines[side]);
    hk_json_end(json);
    hk_json_array(json, "values");
    for (int side = 0; side < 2; side++)
        hk_json_string(json, NULL, point->values[side]);
    hk_json_end(json);
    hk_json_f64(json, "difference", point->difference);
    hk_json_f64(json, "relative", point->relative);
    hk_json_end(json);
}

static void json_sides(hk_json *json, const hk_compare_view *view) {
    static const char *const keys[] = {"first", "second"};
    const hk_comparison *c = view->comparison;
    for (int side = 0; side < 2; side++) {
        hk_json_object(json, keys[side]);
        hk_json_string(json, "file", view->paths[side]);
        hk_json_i64(json, "rows", (int64_t)c->rows[side]);
        hk_json_array(json, "only");
        for (size_t i = 0; i < c->only_in_count[side]; i++)
            hk_json_string(json, NULL, c->only_in[side][i]);
        hk_json_end(json);
        if (c->grids_differ) {
            hk_json_object(json, "times_part");
            hk_json_bool(json, "ended", c->grid[side].ended);
            hk_json_f64(json, "time", c->grid[side].time);
            hk_json_i64(json, "line", c->grid[side].line);
            hk_json_end(json);
        }
        hk_json_end(json);
    }
}

void hk_compare_put(const hk_compare_view *view, hk_json *json) {
    const hk_comparison *c = view->comparison;
    hk_json_bool(json, "equal", c->equal);
    json_sides(json, view);
    hk_json_i64(json, "signals", (int64_t)c->signal_count);
    hk_json_i64(json, "different", (int64_t)c->worst_count);
    hk_json_i64(json, "rows", (int64_t)c->points);
    hk_json_bool(json, "same_times", !c->grids_differ);
    hk_json_i64(json, "outside", (int64_t)c->outside);
    if (c->earliest)
        json_point(json, "first_difference", c->earliest, &c->earliest->first);
    size_t shown = c->worst_count < view->limit ? c->worst_count : view->limit;
    HK_JSON_EACH(json, "worst", i, shown) {
        const hk_compared *signal = c->worst[i];
        hk_json_string(json, "name", signal->names[0]);
        hk_json_string(json, "name_in_second", signal->names[1]);
        hk_json_f64(json, "max_absolute", signal->max_absolute);
        hk_json_f64(json, "max_relative", signal->max_relative);
        hk_json_f64(json, "rms", signal->rms);
        hk_json_i64(json, "different", (int64_t)signal->different);
        hk_json_i64(json, "compared", (int64_t)signal->compared);
        json_point(json, "worst", signal, &signal->worst);
    }
}

/* What may help: the records may have different times, or differ by rounding only. */
static const char *hint_for(const hk_compare_view *view) {
    static const double rounding = 1e-9;
    const hk_comparison *c = view->comparison;
    if (c->grids_differ)
        return "--interpolate compares records with different times, --time-tolerance ignores "
               "small shifts";
    if (c->only_in_count[0] || c->only_in_count[1])
        return c->worst_count ? NULL
                              : "--common leaves such signals out, --map joins different names";
    for (size_t i = 0; i < c->worst_count; i++)
        if (!c->worst[i]->worst.numbers || !(c->worst[i]->max_relative <= rounding))
            return NULL;
    return c->worst_count ? "it may be rounding only: --rel 1e-9 allows it" : NULL;
}

hk_status hk_compare_fail(hk_ctx *ctx, hk_arena *arena, const hk_compare_view *view) {
    const hk_comparison *c = view->comparison;
    hk_where where = {.file = view->paths[1]};
    if (c->earliest)
        return hk_error(ctx, HK_E_DIFFERENT, where, hint_for(view),
                        "differs from %s in %zu of %zu signal%s, first at time %s in '%s'",
                        view->paths[0], c->worst_count, c->signal_count, hk_plural(c->signal_count),
                        hk_show_f64(arena, c->earliest->first.time), c->earliest->names[0]);
    if (!c->signal_count)
        return hk_error(ctx, HK_E_DIFFERENT, where, "--map joins different names",
                        "has no signal in common with %s", view->paths[0]);
    if (c->grids_differ && !c->grid[1].line)
        return hk_error(ctx, HK_E_DIFFERENT, where, NULL, "has no rows, and %s has",
                        view->paths[0]);
    if (c->grids_differ)
        return hk_error(ctx, HK_E_DIFFERENT, where, hint_for(view),
                        "does not have the times of %s, from its line %d on", view->paths[0],
                        c->grid[1].line);
    if (c->outside)
        return hk_error(ctx, HK_E_DIFFERENT, where, NULL, "does not begin and end with %s",
                        view->paths[0]);
    size_t there = c->only_in_count[0], here = c->only_in_count[1];
    const char *only =
        there ? hk_arena_printf(arena, "%zu %s only there", there, there == 1 ? "is" : "are") : "";
    if (here)
        only = hk_arena_printf(arena, "%s%s%zu %s only here", only, there ? ", " : "", here,
                               here == 1 ? "is" : "are");
    return hk_error(ctx, HK_E_DIFFERENT, where, hint_for(view),
                    "does not have the signals of %s: %s", view->paths[0], only);
}

void hk_compare_tell_libm(hk_ctx *ctx, const hk_compare_view *view) {
    char libm[2][HK_LIBM_TEXT];
    for (int side = 0; side < 2; side++)
        if (!hk_about_libm(view->paths[side], libm[side]))
            return;
    if (strcmp(libm[0], libm[1]) != 0)
        hk_note(ctx, HK_NOWHERE,
                "the two were made with mathematical libraries that differ in their results: libm "
                "%s and %s; where sin, exp or pow are used the last bits may differ, and --rel "
                "1e-9 allows that",
                libm[0], libm[1]);
}
