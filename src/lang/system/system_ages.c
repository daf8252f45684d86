/* SPDX-License-Identifier: MIT
 *
 * Statements of a system about the age of data. Their paths name leaves of the composite they are
 * in, and of those inside it; data may go from one to the next through the ports of composites. */
#include "lang/age_rules.h"
#include "lang/system/system_internal.h"

typedef struct hk_agework {
    hk_scope *scope;
    const hk_item *item;
} hk_agework;

void hk_system_age(hk_system *s, hk_scope *scope, const hk_item *item) {
    HK_PUSH(s->ages, s->age_count, s->age_cap, ((hk_agework){scope, item}));
}

/* Whether leaves are connected can be said only if all links were understood. */
static bool find_path(hk_system *s, hk_scope *scope, const hk_way *way, bool linked,
                      hk_path *ret_path) {
    hk_path path = {HK_NEW_ARRAY(s->model->arena, uint32_t, way->count), 0};
    bool ok = true;
    for (size_t i = 0; i < way->count; i++) {
        uint32_t leaf;
        bool found = hk_system_find_leaf(s, scope, &way->steps[i], &leaf);
        ok = ok && found;
        if (!ok)
            continue; /* other names may be wrong too */
        uint32_t component = s->leaves[leaf].component;
        hk_status status =
            i && linked ? hk_age_rule_hop(s->complaints.ctx, s->model, path.components[i - 1],
                                          component, hk_system_where(s, &way->steps[i].at))
                        : HK_OK;
        if (status != HK_OK) {
            hk_system_failed(s, status);
            return false;
        }
        path.components[path.count++] = component;
    }
    *ret_path = path;
    return ok;
}

static bool find_paths(hk_system *s, const hk_agework *work, bool linked, hk_constraint *c) {
    const hk_agedecl *age = work->item->age;
    bool ok = true;
    c->paths = HK_NEW_ARRAY(s->model->arena, hk_path, age->way_count);
    for (size_t i = 0; i < age->way_count; i++) {
        hk_path path;
        ok = find_path(s, work->scope, &age->ways[i], linked, &path) && ok;
        if (!ok)
            continue;
        hk_status status = hk_age_rule_group(s->complaints.ctx, s->model, c->paths, c->path_count,
                                             &path, hk_system_where(s, &age->ways[i].steps[0].at));
        if (status != HK_OK) {
            hk_system_failed(s, status);
            return false;
        }
        c->paths[c->path_count++] = path;
    }
    return ok;
}

static void constrain(hk_system *s, const hk_agework *work, bool linked) {
    const hk_item *item = work->item;
    hk_constraint c = {.kind = item->kind == HK_ITEM_LATENCY       ? HK_LATENCY
                               : item->kind == HK_ITEM_COINCIDENCE ? HK_COINCIDENCE
                                                                   : HK_FRESHNESS,
                       .min = {0, 1},
                       .max = {0, 1},
                       .where = hk_system_where(s, &item->at)};
    bool ok = find_paths(s, work, linked, &c);
    const hk_number *min = &item->age->min, *max = &item->age->max;
    c.has_min = hk_system_time(s, min, "min", false, &c.min);
    c.has_max = hk_system_time(s, max, "max", false, &c.max);
    ok = ok && c.has_min == (*min->text != 0) && c.has_max == (*max->text != 0);
    if (!ok)
        return;
    hk_status status = hk_age_rule_limits(s->complaints.ctx, &c);
    if (status == HK_OK)
        hk_model_add_constraint(s->model, c);
    else
        hk_system_failed(s, status);
}

void hk_system_constrain_all(hk_system *s) {
    bool linked = s->complaints.first == HK_OK;
    for (size_t i = 0; i < s->age_count; i++)
        constrain(s, &s->ages[i], linked);
}
