/* SPDX-License-Identifier: MIT
 *
 * Shared parameters, and where leaves run. */
#include "lang/system/system_internal.h"

#include <string.h>

/* ---- shared parameters ------------------------------------------------------------------------
 */

static bool check_share(hk_system *s, const hk_end *first, const hk_end *other) {
    hk_where where = hk_system_where(s, &other->name->at);
    const hk_end *ends[] = {first, other};
    for (size_t i = 0; i < 2; i++)
        if (ends[i]->member->var && ends[i]->member->var->is_private) {
            hk_complain(&s->complaints, HK_E_PARAMETER, hk_system_where(s, &ends[i]->name->at),
                        "remove 'private' from its declaration",
                        "'%s' is private and cannot be shared", ends[i]->name->text);
            return false;
        }
    bool same = first->part_count == other->part_count;
    for (size_t i = 0; same && i < first->part_count; i++) {
        const hk_part *a = &first->type->parts[i], *b = &other->type->parts[i];
        same = a->type == b->type && a->count == b->count && strcmp(a->name, b->name) == 0;
    }
    if (same)
        return true;
    hk_complain(&s->complaints, HK_E_PARAMETER, where, NULL,
                "types differ: '%s' is '%s', '%s' is '%s'", first->name->text, first->type->name,
                other->name->text, other->type->name);
    return false;
}

static uint32_t variable_of(const hk_end *end, size_t part) {
    return end->member->variables[end->first_part + part];
}

static void units_differ(hk_system *s, const hk_end *first, const hk_end *other, uint32_t component,
                         const hk_branch *to) {
    const hk_component *c = s->model->components;
    uint32_t from = variable_of(first, 0);
    hk_complain(&s->complaints, HK_E_UNIT_MISMATCH, hk_system_where(s, &other->name->at),
                "correct one of the units", "units do not agree: '%s' is in '%s', '%s' in '%s'",
                first->name->text, c[component].info->variables[from].unit, other->name->text,
                c[to->component].info->variables[to->variable].unit);
}

/* Adds OTHER to those that have the value of FIRST. Places are in the order of the text. */
static void add_shared(hk_system *s, const hk_end *first, const hk_end *other, hk_lag lag,
                       const hk_branch ***tails) {
    for (size_t i = 0; i < first->part_count; i++) {
        hk_branch *branch = HK_NEW(s->model->arena, hk_branch);
        uint32_t component = s->leaves[first->leaf].component;
        *branch = (hk_branch){.component = s->leaves[other->leaf].component,
                              .variable = variable_of(other, i)};
        if (!hk_model_share_units(s->model, component, variable_of(first, i), branch)) {
            units_differ(s, first, other, component, branch);
            return;
        }
        if (!tails[i]) {
            hk_shared shared = {.component = component,
                                .variable = variable_of(first, i),
                                .others = branch,
                                .lag = lag,
                                .where = hk_system_where(s, &first->name->at)};
            shared.where.file = s->model->file;
            HK_PUSH(s->model->shared, s->model->shared_count, s->model->shared_cap, shared);
        } else {
            *tails[i] = branch;
        }
        tails[i] = &branch->next;
    }
}

/* Each variable is in one group at most: the one who sets it must know whom else it means. */
static bool claim(hk_system *s, const hk_end *end) {
    for (size_t i = 0; i < end->part_count; i++) {
        const char *key =
            hk_arena_printf(s->arena, "%u.%u", s->leaves[end->leaf].component, variable_of(end, i));
        uint32_t line = (uint32_t)end->name->at.line;
        uint32_t before = hk_map_get(&s->shared, key);
        if (before != HK_MAP_NONE) {
            hk_complain(&s->complaints, HK_E_PARAMETER, hk_system_where(s, &end->name->at),
                        "write one 'share' for all of them",
                        "'%s' is shared twice; the other one is in line %d", end->name->text,
                        (int)before);
            return false;
        }
        hk_map_put(&s->shared, key, line);
    }
    return true;
}

void hk_system_share(hk_system *s, hk_scope *scope, const hk_link *link) {
    hk_end first, other;
    hk_lag lag = HK_LAG_CURRENT;
    bool known = hk_system_find_parameter(s, scope, &link->from, &first) && claim(s, &first);
    if (*link->lag.text && hk_system_lag(s, &link->lag, &lag) && lag == HK_LAG_OBSERVE)
        hk_complain(&s->complaints, HK_E_PARAMETER, hk_system_where(s, &link->lag.at),
                    "write 'current' or 'previous'",
                    "a parameter has no stamp, so a share cannot 'observe' it");
    const hk_branch ***tails =
        known ? HK_NEW_ARRAY(s->arena, const hk_branch **, first.part_count + 1) : NULL;
    for (size_t i = 0; i < link->to_count; i++)
        if (hk_system_find_parameter(s, scope, &link->to[i], &other) && known &&
            check_share(s, &first, &other) && claim(s, &other))
            add_shared(s, &first, &other, lag, tails);
}

void hk_system_share_all(hk_system *s) {
    hk_status status = hk_model_share_all(s->complaints.ctx, s->model);
    if (status != HK_OK)
        hk_system_failed(s, status);
}

/* ---- processors -------------------------------------------------------------------------------
 */

void hk_system_processor(hk_system *s, hk_scope *scope, const hk_item *item) {
    const hk_link *link = item->link;
    hk_where where = hk_system_where(s, &link->from.at);
    uint32_t processor, first, count;
    if (!s->processor_where.line)
        s->processor_where = where;
    hk_status status =
        hk_model_add_processor(s->complaints.ctx, s->model, link->from.text, where, &processor);
    for (size_t i = 0; status == HK_OK && i < link->to_count; i++) {
        if (!hk_system_find_leaves(s, scope, &link->to[i], &first, &count)) {
            s->partition_failed = true;
            continue;
        }
        for (uint32_t k = first; k < first + count && status == HK_OK; k++)
            if (s->leaves[k].kind)
                status =
                    hk_model_assign(s->complaints.ctx, s->model, processor, s->leaves[k].component,
                                    hk_system_where(s, &link->to[i].at));
    }
    if (status != HK_OK) {
        s->partition_failed = true;
        hk_system_failed(s, status);
    }
}

void hk_system_cut(hk_system *s, const hk_item *item) {
    hk_where where = hk_system_where(s, &item->at);
    if (s->cut_where.line) {
        hk_complain(&s->complaints, HK_E_DUPLICATE, where, "remove one of them",
                    "the cut is given twice; the other one is in line %d", s->cut_where.line);
        return;
    }
    s->cut_where = where;
    s->model->cut = strcmp(item->word.text, "hla") == 0 ? HK_CUT_HLA : HK_CUT_KEEP;
}

void hk_system_check_processors(hk_system *s) {
    if (!s->processor_where.line || s->partition_failed || s->complaints.first != HK_OK)
        return;
    hk_status status = hk_model_check_processors(s->complaints.ctx, s->model, s->processor_where);
    if (status != HK_OK)
        hk_system_failed(s, status);
}
