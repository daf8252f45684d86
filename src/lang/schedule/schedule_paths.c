/* SPDX-License-Identifier: MIT
 *
 * Statements about the age of data: latency, coincidence, freshness. */
#include "lang/age_rules.h"
#include "lang/schedule/schedule_internal.h"

#include <string.h>

/* Takes "a -> b -> c", each connected to the next. */
static hk_status take_path(hk_schedule *s, hk_path *ret_path) {
    uint32_t component;
    s->id_count = 0;
    for (;;) {
        hk_token at = s->token;
        HK_TRY(hk_schedule_component(s, &component));
        if (s->id_count)
            HK_TRY(hk_age_rule_hop(s->ctx, s->model, s->ids[s->id_count - 1], component,
                                   hk_schedule_where(s, &at)));
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

/* Takes the limits that are behind a path: those of WORDS, at least one of them. */
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
    hk_constraint c = {
        .kind = HK_LATENCY, .path_count = 1, .min = {0, 1}, .max = {0, 1}, .where = where};
    hk_path path;
    HK_TRY(take_path(s, &path));
    HK_TRY(take_limits(s, words, 2, &c));
    HK_TRY(hk_age_rule_limits(s->ctx, &c));
    c.paths = keep_paths(s, &path, 1);
    hk_model_add_constraint(s->model, c);
    return HK_OK;
}

static hk_status take_group(hk_schedule *s, hk_path **paths, size_t *count) {
    size_t cap = 0;
    for (;;) {
        hk_token at = s->token;
        hk_path path;
        HK_TRY(take_path(s, &path));
        HK_TRY(
            hk_age_rule_group(s->ctx, s->model, *paths, *count, &path, hk_schedule_where(s, &at)));
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
