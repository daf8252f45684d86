/* SPDX-License-Identifier: MIT
 *
 * The class behind every world. */
#include "world/world_internal.h"

#include "base/number.h"

#include <string.h>

void hk_world_add_types(const hk_world_origin *o, hk_ecs *ecs, hk_ecs_kind *ret_kinds) {
    for (size_t i = 0; i < o->spec->type_count; i++)
        ret_kinds[i] = hk_ecs_add_type(ecs, o->spec->types[i], o->starts[i]);
}

static void put_value(hk_world_unit *u, uint32_t variable, const void *data) {
    const hk_variable *v = &u->base.info->variables[variable];
    memcpy(u->block + u->origin->type.ports[variable].offset, data,
           v->count * hk_store_size(v->store));
}

/* The families of all systems, and the tags that the file has. */
static void add_families(hk_world_unit *u) {
    const hk_world_spec *spec = u->origin->spec;
    size_t most = 0;
    char unknown[64];
    u->systems = HK_NEW_ARRAY(u->arena, hk_world_system_state, spec->system_count + 1);
    for (size_t i = 0; i < spec->system_count; i++) {
        const hk_system_type *type = spec->systems[i].type;
        u->systems[i].families = HK_NEW_ARRAY(u->arena, size_t, type->family_count + 1);
        u->systems[i].members = HK_NEW_ARRAY(u->arena, hk_members, type->family_count + 1);
        for (size_t f = 0; f < type->family_count; f++) {
            hk_ecs_result added =
                hk_ecs_add_family(u->ecs, &type->families[f], &u->systems[i].families[f], unknown);
            HK_ASSERT(added == HK_ECS_OK); /* hk_world_unit_check has looked */
        }
        if (u->origin->systems[i].guarded_count > most)
            most = u->origin->systems[i].guarded_count;
    }
    u->hashes = HK_NEW_ARRAY(u->arena, uint64_t, most + 1);
}

static void begin_structs(hk_world_unit *u, const hk_unit_options *options) {
    const hk_world_spec *spec = u->origin->spec;
    for (size_t i = 0; i < spec->system_count; i++) {
        const hk_system_type *type = spec->systems[i].type;
        char *self = u->block + u->origin->systems[i].at;
        const char *path = hk_arena_printf(u->arena, "%s.%s", options->name, spec->systems[i].name);
        for (size_t k = 0; HK_SYSTEM_HAS(type, streams) && k < type->stream_count; k++) {
            hk_stream stream =
                hk_stream_make(options->seed, options->run, path, type->streams[k].name);
            memcpy(self + type->streams[k].offset, &stream, sizeof stream);
        }
        hk_resource resource = {
            .folder = hk_arena_strdup(u->arena, options->folder ? options->folder : ".")};
        if (HK_SYSTEM_HAS(type, resource))
            memcpy(self + type->resource->offset, &resource, sizeof resource);
    }
}

static hk_status world_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                            hk_unit **ret_unit) {
    (void)ctx;
    const hk_world_origin *o = info->origin;
    hk_world_unit *u = hk_alloc(sizeof *u);
    hk_arena *arena = u->arena = hk_arena_create();
    u->base = (hk_unit){
        .unit_class = &hk_world_class, .info = info, .name = hk_arena_strdup(arena, options->name)};
    u->origin = o;
    u->start = options->start;
    u->calling = options->calling;
    u->block = hk_arena_alloc(arena, o->type.instance_size + 1);
    u->kept = hk_arena_alloc(arena, o->kept_size + 1);
    u->ids = HK_NEW_ARRAY(arena, hk_entity, o->spec->entity_count + 1);
    u->applied = HK_NEW_ARRAY(arena, int64_t, o->spec->entity_count + 1);
    u->seen = HK_NEW_ARRAY(arena, int64_t, o->spec->entity_count + 1);
    u->in = HK_NEW_ARRAY(arena, hk_world_copy, o->in_count + 1);
    u->out = HK_NEW_ARRAY(arena, hk_world_copy, o->out_count + 1);
    u->kinds = HK_NEW_ARRAY(arena, hk_ecs_kind, o->spec->type_count + 1);
    u->ecs = hk_ecs_create();
    u->pose = HK_ECS_NONE;
    hk_world_add_types(o, u->ecs, u->kinds);
    for (size_t i = 0; i < o->spec->type_count; i++)
        if (o->spec->types[i] == &hk_world_pose)
            u->pose = u->kinds[i];
    for (size_t i = 0; i < o->spec->entity_count; i++)
        hk_map_put(&u->declared, o->spec->entities[i].name, (uint32_t)i);
    add_families(u);
    begin_structs(u, options);
    for (uint32_t i = 0; i < info->variable_count; i++)
        if (info->variables[i].start.data)
            put_value(u, i, info->variables[i].start.data);
    *ret_unit = &u->base;
    return HK_OK;
}

static void world_close(hk_unit *base) {
    hk_world_unit *u = (hk_world_unit *)base;
    const hk_world_spec *spec = u->origin->spec;
    for (size_t i = 0; i < spec->system_count; i++) {
        const hk_system_type *type = spec->systems[i].type;
        char *self = u->block + u->origin->systems[i].at;
        if (type->end)
            type->end(self);
        hk_resource resource = {0};
        if (HK_SYSTEM_HAS(type, resource))
            memcpy(&resource, self + type->resource->offset, sizeof resource);
        if (resource.data && type->resource->release)
            type->resource->release(resource.data);
    }
    hk_ecs_destroy(u->ecs);
    hk_map_finish(&u->declared);
    hk_arena_destroy(u->arena);
    hk_free(u);
}

static hk_status world_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable,
                                 const hk_value *value) {
    (void)ctx;
    put_value((hk_world_unit *)base, variable, value->data);
    return HK_OK;
}

static hk_status failed(hk_ctx *ctx, const hk_unit *base, double t) {
    const hk_world_unit *u = (const hk_world_unit *)base;
    char time[HK_NUMBER_MAX + 1];
    time[hk_write_f64(t, time)] = 0;
    return hk_error(ctx, HK_E_UNIT_FAILED, u->origin->spec->where, NULL,
                    "world '%s' cannot go on at t = %s s: %s", base->name, time, u->failure);
}

static hk_status world_enter_init(hk_ctx *ctx, hk_unit *base) {
    hk_world_unit *u = (hk_world_unit *)base;
    hk_world_unit_begin(u);
    return hk_world_unit_init(u) ? HK_OK : failed(ctx, base, u->start);
}

static void *world_address(hk_unit *base, uint32_t variable) {
    const hk_world_unit *u = (const hk_world_unit *)base;
    return u->block + u->origin->type.ports[variable].offset;
}

static void world_bind_step(hk_unit *base, hk_step_call *ret_call) {
    *ret_call = (hk_step_call){
        .shape = HK_STEP_PLAIN, .fn.plain = hk_world_unit_step, .self = base, .name = "step"};
}

static hk_status world_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                   hk_stepped *ret_stepped) {
    (void)code, (void)h, (void)ret_stepped;
    return failed(ctx, base, t);
}

static const char *library(hk_unit *base) {
    return base->info->file;
}

const hk_unit_class hk_world_class = {
    HK_LIFE_HOOKS(world), HK_STATE_HOOKS(hk_world),        HK_ADDRESS_HOOKS,
    .library = library,   .state_key = hk_world_state_key,
};
