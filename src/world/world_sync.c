/* SPDX-License-Identifier: MIT
 *
 * Entities become what their ports say they are: first those go that are not wanted, the last of
 * the file first, then those come that are, then those change that are to be something else. An
 * entity is there if its parent is. What it had when it went is kept until it comes again. */
#include "world/world_internal.h"

#include <string.h>

static int64_t *is_of(const hk_world_unit *u, uint32_t entity) {
    return (int64_t *)(void *)(u->block + u->origin->is_at[entity]);
}

static bool has(uint64_t variants, int64_t is) {
    return is > 0 && (variants >> (is - 1) & 1);
}

static hk_ecs_kind kind_of(const hk_world_unit *u, const hk_component_type *type) {
    return hk_ecs_find_type(u->ecs, type->name);
}

static char *kept_of(const hk_world_unit *u, uint32_t entity, uint32_t part) {
    const hk_world_origin *o = u->origin;
    return u->kept + o->kept[o->first_part[entity] + part];
}

/* What its ports and its parent make of it. */
static int64_t wanted(const hk_world_unit *u, uint32_t entity) {
    const hk_world_entity *e = &u->origin->spec->entities[entity];
    for (uint32_t up = e->parent; up != HK_MAP_NONE; up = u->origin->spec->entities[up].parent)
        if (!u->origin->spec->entities[up].copies && !*is_of(u, up))
            return 0;
    return *is_of(u, entity);
}

static void keep_part(hk_world_unit *u, uint32_t entity, uint32_t part) {
    const hk_component_type *type = u->origin->spec->entities[entity].parts[part].type;
    const void *data = hk_ecs_data(u->ecs, u->ids[entity], kind_of(u, type));
    if (data)
        memcpy(kept_of(u, entity, part), data, type->data_size);
}

static void leave(hk_world_unit *u, uint32_t entity) {
    const hk_world_entity *e = &u->origin->spec->entities[entity];
    for (uint32_t p = 0; p < e->part_count; p++)
        if (has(e->parts[p].variants, u->applied[entity]))
            keep_part(u, entity, p);
    (void)hk_ecs_remove(u->ecs, u->ids[entity]);
    u->applied[entity] = 0;
    u->ids[entity] = HK_NO_ENTITY;
}

static bool give_part(hk_world_unit *u, uint32_t entity, uint32_t part) {
    const hk_component_type *type = u->origin->spec->entities[entity].parts[part].type;
    hk_ecs_kind kind = kind_of(u, type);
    if (hk_ecs_give(u->ecs, u->ids[entity], kind) != HK_ECS_OK)
        return false;
    memcpy(hk_ecs_data(u->ecs, u->ids[entity], kind), kept_of(u, entity, part), type->data_size);
    return true;
}

static bool set_tag(hk_world_unit *u, uint32_t entity, const char *name, bool on) {
    hk_ecs_kind tag = hk_ecs_tag(u->ecs, name);
    return tag != HK_ECS_NONE && (on ? hk_ecs_give(u->ecs, u->ids[entity], tag)
                                     : hk_ecs_take(u->ecs, u->ids[entity], tag)) == HK_ECS_OK;
}

static bool enter(hk_world_unit *u, uint32_t entity, int64_t is) {
    const hk_world_entity *e = &u->origin->spec->entities[entity];
    hk_ecs_result result = hk_ecs_new(u->ecs, e->name, &u->ids[entity]);
    if (result != HK_ECS_OK)
        return hk_world_fail(u, "entity '%s' cannot be added: %s", e->name, hk_ecs_words(result));
    bool good = true;
    for (uint32_t p = 0; p < e->part_count; p++)
        if (has(e->parts[p].variants, is))
            good = good && give_part(u, entity, p);
    for (size_t t = 0; t < e->tag_count; t++)
        if (has(e->tags[t].variants, is))
            good = good && set_tag(u, entity, e->tags[t].name, true);
    if (e->parent != HK_MAP_NONE && hk_ecs_there(u->ecs, u->ids[e->parent]))
        (void)hk_ecs_set_parent(u->ecs, u->ids[entity], u->ids[e->parent]);
    u->applied[entity] = is;
    return good ||
           hk_world_fail(u, "entity '%s' cannot be added: %s", e->name, hk_ecs_words(HK_ECS_FULL));
}

/* ---- from one variant to another */

static bool same_field(const hk_port *a, const hk_port *b) {
    const char *x = a->unit ? a->unit : "", *y = b->unit ? b->unit : "";
    return a->type == b->type && (a->count ? a->count : 1) == (b->count ? b->count : 1) &&
           strcmp(a->name, b->name) == 0 && strcmp(x, y) == 0;
}

/* The port of a field, if it is not driven from outside. */
static void show_field(hk_world_unit *u, uint32_t entity, uint32_t part, const hk_port *field,
                       const char *value) {
    const hk_world_origin *o = u->origin;
    for (size_t i = 0; i < o->begin_count; i++) {
        const hk_world_route *r = &o->begin[i];
        if (r->entity == entity && r->part == part && r->offset == field->offset &&
            o->type.ports[r->variable].causality != HK_INPUT)
            memcpy(u->block + r->at, value, r->size);
    }
}

/* A component that comes gets what those that go have under the same name, type and unit. */
static void inherit(hk_world_unit *u, uint32_t entity, uint32_t part, uint32_t from) {
    const hk_world_entity *e = &u->origin->spec->entities[entity];
    const hk_component_type *new = e->parts[part].type, *old = e->parts[from].type;
    for (size_t i = 0; i < new->field_count; i++)
        for (size_t k = 0; k < old->field_count; k++)
            if (same_field(&new->fields[i], &old->fields[k])) {
                const char *value = kept_of(u, entity, from) + old->fields[k].offset;
                memcpy(kept_of(u, entity, part) + new->fields[i].offset, value,
                       hk_world_field_size(&old->fields[k]));
                show_field(u, entity, part, &new->fields[i], value);
            }
}

static bool change(hk_world_unit *u, uint32_t entity, int64_t is) {
    const hk_world_entity *e = &u->origin->spec->entities[entity];
    int64_t was = u->applied[entity];
    bool good = true;
    for (uint32_t p = 0; p < e->part_count; p++)
        if (has(e->parts[p].variants, was) && !has(e->parts[p].variants, is))
            keep_part(u, entity, p);
    for (uint32_t p = 0; p < e->part_count; p++) {
        if (!has(e->parts[p].variants, is) || has(e->parts[p].variants, was))
            continue;
        for (uint32_t from = 0; from < e->part_count; from++)
            if (has(e->parts[from].variants, was) && !has(e->parts[from].variants, is))
                inherit(u, entity, p, from);
        good = good && give_part(u, entity, p);
    }
    for (uint32_t p = 0; p < e->part_count; p++)
        if (has(e->parts[p].variants, was) && !has(e->parts[p].variants, is))
            (void)hk_ecs_take(u->ecs, u->ids[entity], kind_of(u, e->parts[p].type));
    for (size_t t = 0; t < e->tag_count; t++)
        if (has(e->tags[t].variants, was) != has(e->tags[t].variants, is))
            good = good && set_tag(u, entity, e->tags[t].name, has(e->tags[t].variants, is));
    u->applied[entity] = is;
    return good ||
           hk_world_fail(u, "entity '%s' cannot change: %s", e->name, hk_ecs_words(HK_ECS_FULL));
}

/* ---- all of them */

static bool differs(hk_world_unit *u, bool *ret_differs) {
    const hk_world_spec *spec = u->origin->spec;
    *ret_differs = false;
    for (uint32_t i = 0; i < spec->entity_count; i++) {
        const hk_world_entity *e = &spec->entities[i];
        if (e->copies)
            continue;
        int64_t is = *is_of(u, i), most = e->variant_count ? (int64_t)e->variant_count : 1;
        if (is < 0 || is > most)
            return hk_world_fail(u, "%lld is not something that entity '%s' can be", (long long)is,
                                 e->name);
        *ret_differs = *ret_differs || wanted(u, i) != u->applied[i];
    }
    return true;
}

bool hk_world_sync(hk_world_unit *u) {
    const hk_world_spec *spec = u->origin->spec;
    const void *now = u->block + u->origin->is_first;
    size_t size = spec->entity_count * sizeof *u->seen;
    bool any;
    if (u->looked && memcmp(u->seen, now, size) == 0)
        return true;
    if (!differs(u, &any))
        return false;
    memcpy(u->seen, now, size);
    u->looked = true;
    if (!any)
        return true;
    u->resolved = 0; /* which inputs count may be all that changes */
    for (uint32_t i = (uint32_t)spec->entity_count; i-- > 0;)
        if (!spec->entities[i].copies && u->applied[i] && !wanted(u, i))
            leave(u, i);
    for (uint32_t i = 0; i < spec->entity_count; i++)
        if (!spec->entities[i].copies && !u->applied[i] && wanted(u, i) &&
            !enter(u, i, wanted(u, i)))
            return false;
    for (uint32_t i = 0; i < spec->entity_count; i++)
        if (!spec->entities[i].copies && u->applied[i] != wanted(u, i) &&
            !change(u, i, wanted(u, i)))
            return false;
    return true;
}

void hk_world_notice(hk_world_unit *u) {
    const hk_world_spec *spec = u->origin->spec;
    for (uint32_t i = 0; i < spec->entity_count; i++)
        if (u->applied[i] && !hk_ecs_there(u->ecs, u->ids[i])) {
            u->applied[i] = 0;
            u->ids[i] = HK_NO_ENTITY;
            *is_of(u, i) = 0;
        }
}
