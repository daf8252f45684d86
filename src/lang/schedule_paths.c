/* SPDX-License-Identifier: MIT
 *
 * Statements about the age of data: latency, coincidence, freshness. */
#include "lang/schedule_internal.h"

#include <string.h>

/* Takes "a -> b -> c", each connected to the next. */
static hk_status take_path(hk_schedule *s, hk_path *ret_path) {
    uint32_t component;
    s->id_count = 0;
    for (;;) {
        hk_token at = s->token;
        HK_TRY(hk_schedule_component(s, &component));
        if (s->id_count && !hk_schedule_connected(s, s->ids[s->id_count - 1], component))
            return hk_schedule_not_connected(s, &at, s->ids[s->id_count - 1], component);
        HK_PUSH(s->ids, s->id_count, s->id_cap, component);
        if (s->token.kind != HK_TOKEN_ARROW)
            break;
        hk_schedule_take(s);
    }
    if (s->id_count < 2)
        return hk_schedule_unexpected(s, "'->'", "a path leads from one component to another");
    hk_path path = {HK_NEW_ARRAY(s->model->arena, uint32_t, s->id_count), s->id_count};
    memcpy(path.components, s->ids, s->id_count * sizeof *s->ids);
    *ret_path = path;
    return HK_OK;
}

/* Takes the limits that stand behind a path: those of WORDS, at least one of them. */
static hk_status take_limits(hk_schedule *s, const char *const *words, size_t count,
                             hk_constraint *constraint) {
    int lines[2] = {0, 0};
    do {
        hk_token at = s->token;
        size_t index;
        HK_TRY(hk_schedule_word(s, words, count, &index));
        bool min = strcmp(words[index], "min") == 0;
        HK_TRY(hk_schedule_once(s, &at, &lines[index], words[index], "this statement"));
        HK_TRY(hk_schedule_time(s, words[index], false, min ? &constraint->min : &constraint->max));
        if (min)
            constraint->has_min = true;
        else
            constraint->has_max = true;
    } while (!hk_schedule_at_end(s));
    return HK_OK;
}

static hk_path *keep_paths(hk_schedule *s, const hk_path *paths, size_t count) {
    hk_path *kept = HK_NEW_ARRAY(s->model->arena, hk_path, count);
    memcpy(kept, paths, count * sizeof *paths);
    return kept;
}

hk_status hk_schedule_latency(hk_schedule *s, hk_where where) {
    static const char *const words[] = {"max", "min"};
    hk_constraint c = {.kind = HK_LATENCY, .path_count = 1, .min = {0, 1}, .max = {0, 1}};
    hk_path path;
    HK_TRY(take_path(s, &path));
    HK_TRY(take_limits(s, words, 2, &c));
    if (c.has_min && c.has_max && hk_ratio_compare(c.min, c.max) > 0) {
        char min[48], max[48];
        return hk_error(s->ctx, HK_E_SCHEDULE, where, "swap them",
                        "min (%s s) is larger than max (%s s)", hk_ratio_format(c.min, min),
                        hk_ratio_format(c.max, max));
    }
    c.where = where;
    c.paths = keep_paths(s, &path, 1);
    hk_model_add_constraint(s->model, c);
    return HK_OK;
}

static bool same_path(const hk_path *a, const hk_path *b) {
    return a->count == b->count &&
           memcmp(a->components, b->components, a->count * sizeof *a->components) == 0;
}

/* PATH joins those that were read before it. */
static hk_status check_group(hk_schedule *s, const hk_token *at, const hk_path *paths, size_t count,
                             const hk_path *path) {
    const hk_component *components = s->model->components;
    hk_where where = hk_schedule_where(s, at);
    for (size_t i = 0; i < count; i++)
        if (same_path(&paths[i], path))
            return hk_error(s->ctx, HK_E_SCHEDULE, where, "remove one of them",
                            "the path '%s' stands here twice", hk_model_path_name(s->model, path));
    if (!count)
        return HK_OK;
    uint32_t sink = paths[0].components[paths[0].count - 1];
    uint32_t end = path->components[path->count - 1];
    if (end != sink)
        return hk_error(s->ctx, HK_E_SCHEDULE, where, "the paths of a coincidence have one sink",
                        "this path ends at '%s', the first one at '%s'", components[end].name,
                        components[sink].name);
    return HK_OK;
}

static hk_status take_group(hk_schedule *s, hk_path **paths, size_t *count) {
    size_t cap = 0;
    for (;;) {
        hk_token at = s->token;
        hk_path path;
        HK_TRY(take_path(s, &path));
        HK_TRY(check_group(s, &at, *paths, *count, &path));
        HK_PUSH(*paths, *count, cap, path);
        if (s->token.kind != HK_TOKEN_COMMA)
            break;
        hk_schedule_take(s);
    }
    if (*count < 2)
        return hk_schedule_unexpected(s, "',' and another path",
                                      "a coincidence compares two paths or more");
    return HK_OK;
}

hk_status hk_schedule_coincidence(hk_schedule *s, hk_where where) {
    hk_path *paths = NULL;
    size_t count = 0;
    hk_status status = take_group(s, &paths, &count);
    if (status == HK_OK)
        hk_model_add_constraint(s->model, (hk_constraint){.kind = HK_COINCIDENCE,
                                                          .paths = keep_paths(s, paths, count),
                                                          .path_count = count,
                                                          .min = {0, 1},
                                                          .max = {0, 1},
                                                          .where = where});
    hk_free(paths);
    return status;
}

hk_status hk_schedule_freshness(hk_schedule *s, hk_where where) {
    static const char *const words[] = {"max"};
    hk_constraint c = {.kind = HK_FRESHNESS, .path_count = 1, .min = {0, 1}, .max = {0, 1}};
    uint32_t component;
    HK_TRY(hk_schedule_component(s, &component));
    HK_TRY(take_limits(s, words, 1, &c));
    hk_path path = {HK_NEW(s->model->arena, uint32_t), 1};
    *path.components = component;
    c.where = where;
    c.paths = keep_paths(s, &path, 1);
    hk_model_add_constraint(s->model, c);
    return HK_OK;
}
