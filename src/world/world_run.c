/* SPDX-License-Identifier: MIT
 *
 * An activation of a world: entities become what they are to be, inputs go to their fields, the
 * systems that are due act in their order, what they asked for is done, poses follow, and the
 * outputs are taken. */
#include "world/world_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- ports and fields */

static bool leads(const hk_world_unit *u, const hk_world_route *r) {
    int64_t is = u->applied[r->entity];
    return is > 0 && (r->variants >> (is - 1) & 1);
}

static size_t resolve(hk_world_unit *u, const hk_world_route *routes, size_t count,
                      hk_world_copy *copies) {
    const hk_world_spec *spec = u->origin->spec;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const hk_world_route *r = &routes[i];
        const hk_component_type *type = spec->entities[r->entity].parts[r->part].type;
        char *data = leads(u, r) ? hk_ecs_data(u->ecs, u->ids[r->entity],
                                               hk_ecs_find_type(u->ecs, type->name))
                                 : NULL;
        if (data)
            copies[n++] = (hk_world_copy){u->block + r->at, data + r->offset, r->size};
    }
    return n;
}

void hk_world_resolve(hk_world_unit *u) {
    u->in_count = resolve(u, u->origin->in, u->origin->in_count, u->in);
    u->out_count = resolve(u, u->origin->out, u->origin->out_count, u->out);
    u->resolved = hk_ecs_version(u->ecs);
}

static void scatter(hk_world_unit *u) {
    if (u->resolved != hk_ecs_version(u->ecs))
        hk_world_resolve(u);
    for (size_t i = 0; i < u->in_count; i++)
        memcpy(u->in[i].field, u->in[i].port, u->in[i].size);
}

void hk_world_gather(hk_world_unit *u) {
    if (u->resolved != hk_ecs_version(u->ecs))
        hk_world_resolve(u);
    for (size_t i = 0; i < u->out_count; i++)
        memcpy(u->out[i].port, u->out[i].field, u->out[i].size);
}

/* What follows from what systems did. */
static bool settle(hk_world_unit *u) {
    hk_ecs_failure failure;
    uint64_t version = hk_ecs_version(u->ecs);
    if (*u->failure)
        return false;
    if (!hk_ecs_apply(u->ecs, &failure))
        return hk_world_fail(u, "system '%s' asks for what cannot be done to entity '%s': %s",
                             u->origin->spec->systems[failure.who].name, failure.what,
                             hk_ecs_words(failure.result));
    if (version != hk_ecs_version(u->ecs))
        hk_world_notice(u);
    if (u->pose != HK_ECS_NONE)
        hk_ecs_place(u->ecs, u->pose);
    hk_world_gather(u);
    return true;
}

/* ---- the beginning */

static void begin_copies(hk_world_unit *u, uint32_t entity) {
    const hk_world_origin *o = u->origin;
    const hk_world_entity *e = &o->spec->entities[entity];
    hk_arena *arena = hk_arena_create();
    hk_ecs_kind *kinds = HK_NEW_ARRAY(arena, hk_ecs_kind, e->part_count + e->tag_count + 1);
    size_t count = 0;
    for (uint32_t k = 0; k < UINT16_MAX && count < e->part_count + e->tag_count; k++) {
        bool has = false; /* kinds are sorted */
        for (size_t p = 0; p < e->part_count; p++)
            has = has || hk_ecs_find_type(u->ecs, e->parts[p].type->name) == k;
        for (size_t t = 0; t < e->tag_count; t++)
            has = has || hk_ecs_tag(u->ecs, e->tags[t].name) == k;
        if (has)
            kinds[count++] = (hk_ecs_kind)k;
    }
    for (size_t i = 1; i <= e->copies; i++) {
        char name[300];
        hk_entity id;
        snprintf(name, sizeof name, "%s[%zu]", e->name, i);
        hk_ecs_result made = hk_ecs_new_with(u->ecs, name, kinds, count, &id);
        if (made != HK_ECS_OK) {
            (void)hk_world_fail(u, "entity '%s' cannot be made: %s", name, hk_ecs_words(made));
            break;
        }
        for (uint32_t p = 0; p < e->part_count; p++)
            memcpy(hk_ecs_data(u->ecs, id, hk_ecs_find_type(u->ecs, e->parts[p].type->name)),
                   u->kept + o->kept[o->first_part[entity] + p], e->parts[p].type->data_size);
    }
    hk_arena_destroy(arena);
}

void hk_world_unit_begin(hk_world_unit *u) {
    const hk_world_origin *o = u->origin;
    const hk_world_spec *spec = o->spec;
    for (uint32_t i = 0; i < spec->entity_count; i++)
        for (uint32_t p = 0; p < spec->entities[i].part_count; p++)
            for (size_t t = 0; t < spec->type_count; t++)
                if (spec->types[t] == spec->entities[i].parts[p].type)
                    memcpy(u->kept + o->kept[o->first_part[i] + p], o->starts[t],
                           spec->types[t]->data_size);
    for (size_t i = 0; i < o->begin_count; i++) {
        const hk_world_route *r = &o->begin[i];
        memcpy(u->kept + o->kept[o->first_part[r->entity] + r->part] + r->offset, u->block + r->at,
               r->size);
    }
    for (uint32_t i = 0; i < spec->entity_count; i++)
        if (spec->entities[i].copies)
            begin_copies(u, i);
}

static char *self_of(const hk_world_unit *u, uint32_t system) {
    const hk_system_type *type = u->origin->spec->systems[system].type;
    return type->instance_size ? u->block + u->origin->systems[system].at : NULL;
}

static bool system_failed(hk_world_unit *u, uint32_t system, const char *call, int code) {
    const hk_world_system *s = &u->origin->spec->systems[system];
    const char *why =
        HK_SYSTEM_HAS(s->type, complaint) ? s->type->complaint(self_of(u, system)) : NULL;
    return hk_world_fail(u, "%s of system '%s' returned %d%s%s", call, s->name, code,
                         why ? ": " : "", why ? why : "");
}

bool hk_world_unit_init(hk_world_unit *u) {
    const hk_world_spec *spec = u->origin->spec;
    if (*u->failure || !hk_world_sync(u))
        return false;
    scatter(u);
    for (size_t i = 0; i < spec->system_count; i++) {
        uint32_t system = u->origin->order[i];
        const hk_system_type *type = spec->systems[system].type;
        hk_view view = hk_world_view(u, system);
        int code = type->init ? type->init(self_of(u, system), &view, u->start) : HK_STEP_OK;
        if (code != HK_STEP_OK)
            return system_failed(u, system, "init", code);
    }
    return settle(u);
}

/* ---- systems say what they write, and are held to it */

/* Looks at the first activations of a system, and then at growing distance. */
static bool is_careful(uint64_t activation) {
#ifdef __SANITIZE_ADDRESS__
    (void)activation;
    return true;
#else
    return (activation & (activation - 1)) == 0;
#endif
}

static uint64_t hash_of(const hk_view *view, const hk_world_guarded *g) {
    uint64_t hash = 0;
    for (const hk_batch *b = hk_batches(view, g->family); b; b = b->next) {
        const char *at = (const char *)hk_batch_read(b, g->with) + g->field->offset;
        for (size_t i = 0; i < b->count; i++, at += g->type->data_size)
            for (size_t k = 0; k < g->size; k += 8) {
                uint64_t word = 0;
                memcpy(&word, at + k, g->size - k < 8 ? g->size - k : 8);
                hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
                hash ^= hash >> 32;
            }
    }
    return hash;
}

static void remember(hk_world_unit *u, uint32_t system, const hk_view *view) {
    const hk_world_system_data *data = &u->origin->systems[system];
    for (size_t i = 0; i < data->guarded_count; i++)
        u->hashes[i] = hash_of(view, &data->guarded[i]);
}

static bool compare(hk_world_unit *u, uint32_t system, const hk_view *view) {
    const hk_world_system_data *data = &u->origin->systems[system];
    for (size_t i = 0; i < data->guarded_count; i++)
        if (u->hashes[i] != hash_of(view, &data->guarded[i]))
            return hk_world_fail(u, "system '%s' writes '%s.%s', and does not say so in '.writes'",
                                 u->origin->spec->systems[system].name, data->guarded[i].type->name,
                                 data->guarded[i].field->name);
    return true;
}

/* ---- steps */

static bool act(hk_world_unit *u, uint32_t system, double t, double h) {
    const hk_world_system *s = &u->origin->spec->systems[system];
    hk_view view = hk_world_view(u, system);
    bool careful = is_careful(u->systems[system].activation);
    if (careful)
        remember(u, system, &view);
    if (u->calling)
        atomic_store_explicit(u->calling, u->origin->systems[system].call, memory_order_release);
    int code = s->type->step(self_of(u, system), &view, t, h * s->every);
    if (u->calling)
        atomic_store_explicit(u->calling, NULL, memory_order_release);
    u->systems[system].activation++;
    if (code != HK_STEP_OK)
        return system_failed(u, system, "step", code);
    return !careful || compare(u, system, &view);
}

int hk_world_unit_step(void *self, double t, double h) {
    hk_world_unit *u = self;
    const hk_world_origin *o = u->origin;
    if (!hk_world_sync(u))
        return HK_STEP_FAILED;
    scatter(u);
    for (size_t i = 0; i < o->spec->system_count; i++) {
        uint32_t system = o->order[i];
        bool due = u->block[o->systems[system].active_at] &&
                   u->activations % o->spec->systems[system].every == 0;
        if (due && !act(u, system, t, h))
            return HK_STEP_FAILED;
    }
    u->activations++;
    return settle(u) ? HK_STEP_OK : HK_STEP_FAILED;
}
