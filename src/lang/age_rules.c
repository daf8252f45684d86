/* SPDX-License-Identifier: MIT */
#include "lang/age_rules.h"

#include <string.h>

enum { SUCCESSORS_MAX = 4 };

/* Whether FROM may answer a call of TO. */
static bool may_answer(const hk_model *model, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        for (size_t c = 0; r->component == to && c < r->candidate_count; c++)
            if (r->candidates[c].component == from)
                return true;
    }
    return false;
}

static bool connected(const hk_model *model, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < model->connection_count; i++)
        if (model->connections[i].from_component == from &&
            model->connections[i].to_component == to)
            return true;
    return may_answer(model, from, to);
}

/* "'a' is connected to 'b' and 'c'"; NULL if to nothing, or to too many to be a hint. */
static const char *list_successors(hk_arena *arena, const hk_model *model, uint32_t from) {
    uint32_t found[SUCCESSORS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        size_t j = 0;
        while (j < count && found[j] != k->to_component)
            j++;
        if (k->from_component != from || j < count)
            continue;
        if (count == SUCCESSORS_MAX)
            return NULL;
        found[count++] = k->to_component;
    }
    if (!count)
        return NULL;
    const hk_component *components = model->components;
    const char *text = hk_arena_printf(arena, "'%s' is connected to", components[from].name);
    for (size_t i = 0; i < count; i++)
        text =
            hk_arena_printf(arena, "%s%s '%s'", text, i == 0 ? "" : (i + 1 < count ? "," : " and"),
                            components[found[i]].name);
    return text;
}

hk_status hk_age_rule_hop(hk_ctx *ctx, const hk_model *model, uint32_t from, uint32_t to,
                          hk_where where) {
    if (connected(model, from, to))
        return HK_OK;
    hk_arena *arena = hk_arena_create();
    const hk_component *components = model->components;
    const char *hint = connected(model, to, from)
                           ? hk_arena_printf(arena, "the connection goes from '%s' to '%s'",
                                             components[to].name, components[from].name)
                           : list_successors(arena, model, from);
    hk_status status =
        hk_error(ctx, HK_E_SCHEDULE, where, hint, "there is no connection from '%s' to '%s'",
                 components[from].name, components[to].name);
    hk_arena_destroy(arena);
    return status;
}

static bool same_path(const hk_path *a, const hk_path *b) {
    return a->count == b->count &&
           memcmp(a->components, b->components, a->count * sizeof *a->components) == 0;
}

hk_status hk_age_rule_group(hk_ctx *ctx, const hk_model *model, const hk_path *paths, size_t count,
                            const hk_path *path, hk_where where) {
    const hk_component *components = model->components;
    for (size_t i = 0; i < count; i++)
        if (same_path(&paths[i], path))
            return hk_error(ctx, HK_E_SCHEDULE, where, "remove one of them",
                            "the path '%s' occurs here twice", hk_model_path_name(model, path));
    if (!count)
        return HK_OK;
    uint32_t sink = paths[0].components[paths[0].count - 1];
    uint32_t end = path->components[path->count - 1];
    if (end == sink)
        return HK_OK;
    return hk_error(ctx, HK_E_SCHEDULE, where, "the paths of a coincidence have one sink",
                    "this path ends at '%s', the first one at '%s'", components[end].name,
                    components[sink].name);
}

hk_status hk_age_rule_limits(hk_ctx *ctx, const hk_constraint *c) {
    if (!c->has_min || !c->has_max || hk_ratio_compare(c->min, c->max) <= 0)
        return HK_OK;
    char min[48], max[48];
    return hk_error(ctx, HK_E_SCHEDULE, c->where, "swap them",
                    "min (%s s) is larger than max (%s s)", hk_ratio_format(c->min, min),
                    hk_ratio_format(c->max, max));
}
