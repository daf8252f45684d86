/* SPDX-License-Identifier: MIT
 *
 * States of instances: the block of ports, what entities were, the store, and what systems have
 * beside their structs. */
#include "world/world_internal.h"

#include <string.h>

static hk_resource *resource_of(const hk_world_unit *u, char *block, size_t system) {
    const hk_system_type *type = u->origin->spec->systems[system].type;
    if (!HK_SYSTEM_HAS(type, resource))
        return NULL;
    return (void *)(block + u->origin->systems[system].at + type->resource->offset);
}

/* What a system has that is not its own to save. */
static void put_block(const hk_world_unit *u, hk_buffer *to) {
    size_t at = to->size;
    hk_buffer_put(to, u->block, u->origin->type.instance_size);
    for (size_t i = 0; i < u->origin->spec->system_count; i++) {
        const hk_system_type *type = u->origin->spec->systems[i].type;
        if (HK_SYSTEM_HAS(type, resource))
            memset(to->data + at + u->origin->systems[i].at + type->resource->offset, 0,
                   sizeof(hk_resource));
    }
}

static void put_systems(const hk_world_unit *u, hk_buffer *to) {
    for (size_t i = 0; i < u->origin->spec->system_count; i++) {
        const hk_system_type *type = u->origin->spec->systems[i].type;
        const char *self = u->block + u->origin->systems[i].at;
        hk_buffer_u64(to, u->systems[i].activation);
        size_t size = HK_SYSTEM_HAS(type, save) ? type->save(self, NULL) : 0;
        char *data = hk_alloc(size + 1);
        if (size)
            (void)type->save(self, data);
        hk_buffer_u64(to, size);
        hk_buffer_put(to, data, size);
        hk_free(data);
    }
}

hk_status hk_world_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    (void)ctx;
    const hk_world_unit *u = (const hk_world_unit *)base;
    const hk_world_origin *o = u->origin;
    hk_buffer *to = *state ? *state : hk_alloc(sizeof *to);
    to->size = 0;
    put_block(u, to);
    hk_buffer_put(to, u->kept, o->kept_size);
    hk_buffer_put(to, u->ids, o->spec->entity_count * sizeof *u->ids);
    hk_buffer_put(to, u->applied, o->spec->entity_count * sizeof *u->applied);
    hk_buffer_u64(to, u->activations);
    put_systems(u, to);
    hk_ecs_save(u->ecs, to);
    *state = to;
    return HK_OK;
}

void hk_world_state_free(hk_unit *base, void *state) {
    (void)base;
    if (state)
        hk_free(((hk_buffer *)state)->data);
    hk_free(state);
}

static hk_status wrong(hk_ctx *ctx, const hk_unit *base) {
    return hk_error(ctx, HK_E_STATE_FILE, (hk_where){.file = base->info->file},
                    "restore with the same world and the same plugins that saved",
                    "the saved state is not one of world '%s'", base->name);
}

/* Structs keep what they have obtained. */
static void get_block(hk_world_unit *u, hk_buffer_source *from) {
    size_t count = u->origin->spec->system_count;
    hk_resource *own = hk_alloc((count + 1) * sizeof *own);
    for (size_t i = 0; i < count; i++)
        if (resource_of(u, u->block, i))
            own[i] = *resource_of(u, u->block, i);
    hk_source_get(from, u->block, u->origin->type.instance_size);
    for (size_t i = 0; i < count; i++)
        if (resource_of(u, u->block, i))
            *resource_of(u, u->block, i) = own[i];
    hk_free(own);
}

/* Where the bytes of each system begin, which are loaded when the store is there. */
typedef struct system_bytes {
    const char *data;
    size_t size;
} system_bytes;

static void skip_systems(const hk_world_unit *u, hk_buffer_source *from, uint64_t *activations,
                         system_bytes *bytes) {
    for (size_t i = 0; from->good && i < u->origin->spec->system_count; i++) {
        activations[i] = hk_source_u64(from);
        bytes[i].size = hk_source_count(from);
        bytes[i].data = from->at;
        from->good = from->good && bytes[i].size <= from->left;
        if (!from->good)
            return;
        from->at += bytes[i].size;
        from->left -= bytes[i].size;
    }
}

static hk_status load_systems(hk_ctx *ctx, hk_world_unit *u, const system_bytes *bytes) {
    for (size_t i = 0; i < u->origin->spec->system_count; i++) {
        const hk_world_system *s = &u->origin->spec->systems[i];
        if (!HK_SYSTEM_HAS(s->type, load))
            continue;
        hk_view view = hk_world_view(u, (uint32_t)i);
        int code =
            s->type->load(u->block + u->origin->systems[i].at, &view, bytes[i].data, bytes[i].size);
        if (code != HK_STEP_OK)
            return hk_error(ctx, HK_E_UNIT_STATE, s->where, NULL,
                            "system '%s' of world '%s' cannot take its state over", s->name,
                            u->base.name);
    }
    return HK_OK;
}

hk_status hk_world_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    hk_world_unit *u = (hk_world_unit *)base;
    const hk_buffer *bytes = state;
    const hk_world_spec *spec = u->origin->spec;
    hk_buffer_source from = {.at = bytes->data, .left = bytes->size, .good = true};
    system_bytes *systems = hk_alloc((spec->system_count + 1) * sizeof *systems);
    uint64_t *activations = hk_alloc((spec->system_count + 1) * sizeof *activations);
    get_block(u, &from);
    hk_source_get(&from, u->kept, u->origin->kept_size);
    hk_source_get(&from, u->ids, spec->entity_count * sizeof *u->ids);
    hk_source_get(&from, u->applied, spec->entity_count * sizeof *u->applied);
    u->activations = hk_source_u64(&from);
    skip_systems(u, &from, activations, systems);
    for (size_t i = 0; i < spec->system_count; i++)
        u->systems[i].activation = activations[i];
    hk_status status =
        from.good && hk_ecs_load(u->ecs, from.at, from.left) ? HK_OK : wrong(ctx, base);
    u->resolved = 0;
    u->looked = false;
    *u->failure = 0;
    if (status == HK_OK)
        status = load_systems(ctx, u, systems);
    hk_free(systems);
    hk_free(activations);
    return status;
}

hk_status hk_world_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                              size_t *ret_size) {
    (void)ctx;
    (void)base;
    const hk_buffer *from = state;
    *ret_data = hk_alloc(from->size + 1);
    memcpy(*ret_data, from->data, from->size);
    *ret_size = from->size;
    return HK_OK;
}

/* Entities of the file are what the ports of an instance can say that they are. */
static bool fits(const hk_world_unit *u, hk_buffer_source *from) {
    const hk_world_spec *spec = u->origin->spec;
    hk_arena *arena = hk_arena_create();
    char *skipped = hk_arena_alloc(arena, u->origin->type.instance_size + u->origin->kept_size + 1);
    hk_entity *ids = HK_NEW_ARRAY(arena, hk_entity, spec->entity_count + 1);
    int64_t *applied = HK_NEW_ARRAY(arena, int64_t, spec->entity_count + 1);
    hk_source_get(from, skipped, u->origin->type.instance_size + u->origin->kept_size);
    hk_source_get(from, ids, spec->entity_count * sizeof *ids);
    hk_source_get(from, applied, spec->entity_count * sizeof *applied);
    (void)hk_source_u64(from);
    skip_systems(u, from, HK_NEW_ARRAY(arena, uint64_t, spec->system_count + 1),
                 HK_NEW_ARRAY(arena, system_bytes, spec->system_count + 1));
    hk_ecs *ecs = hk_ecs_create();
    hk_world_add_types(u->origin, ecs, HK_NEW_ARRAY(arena, hk_ecs_kind, spec->type_count + 1));
    bool good = from->good && hk_ecs_load(ecs, from->at, from->left);
    for (size_t i = 0; good && i < spec->entity_count; i++) {
        int64_t most =
            spec->entities[i].variant_count ? (int64_t)spec->entities[i].variant_count : 1;
        good =
            applied[i] >= 0 && applied[i] <= most && (applied[i] > 0) == hk_ecs_there(ecs, ids[i]);
    }
    hk_ecs_destroy(ecs);
    hk_arena_destroy(arena);
    return good;
}

hk_status hk_world_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                              void **ret_state) {
    hk_buffer_source from = {.at = data, .left = size, .good = true};
    if (!fits((const hk_world_unit *)base, &from))
        return wrong(ctx, base);
    hk_buffer *state = hk_alloc(sizeof *state);
    hk_buffer_put(state, data, size);
    *ret_state = state;
    return HK_OK;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return hk_hash(hash, text, strlen(text) + 1);
}

/* What lies where, and what the file says may be there. */
void hk_world_state_key(hk_unit *base, hk_arena *arena, const char **ret_key, uint64_t *ret_build) {
    const hk_world_origin *o = ((const hk_world_unit *)base)->origin;
    const hk_world_spec *spec = o->spec;
    uint64_t hash = HK_HASH_SEED;
    for (size_t i = 0; i < o->type.port_count; i++) {
        const hk_port *p = &o->type.ports[i];
        const size_t place[] = {p->offset, (size_t)p->type, p->count};
        hash = hk_hash(hash_text(hash, p->name), place, sizeof place);
    }
    for (size_t i = 0; i < spec->type_count; i++)
        hash = hk_hash(hash_text(hash, spec->types[i]->name), &spec->types[i]->data_size,
                       sizeof spec->types[i]->data_size);
    for (size_t i = 0; i < spec->system_count; i++)
        hash = hk_hash(hash_text(hash, spec->systems[i].type->name), &spec->systems[i].every,
                       sizeof spec->systems[i].every);
    for (size_t i = 0; i < spec->entity_count; i++)
        hash = hk_hash(hash, &spec->entities[i].copies, sizeof spec->entities[i].copies);
    *ret_key = hk_arena_printf(arena, "the world '%s' with the layout %016llx", spec->name,
                               (unsigned long long)hash);
    *ret_build = 0;
}
