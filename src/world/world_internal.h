/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share. */
#ifndef HK_WORLD_WORLD_INTERNAL_H
#define HK_WORLD_WORLD_INTERNAL_H

#include "ecs/ecs.h"
#include "world/world.h"

/* How a port and a field of a component belong together. */
typedef struct hk_world_route {
    uint32_t variable;
    uint32_t entity, part;
    uint64_t variants;   /* it leads there while the entity is one of these */
    size_t at;           /* of the port, in the block */
    size_t offset, size; /* of the field, in its component */
} hk_world_route;

/* A field that a system must leave alone. */
typedef struct hk_world_guarded {
    uint32_t family, with; /* where its column is */
    const hk_component_type *type;
    const hk_port *field;
    size_t size;
} hk_world_guarded;

typedef struct hk_world_system_data {
    size_t at; /* of its struct, in the block */
    size_t active_at;
    const hk_world_guarded *guarded;
    size_t guarded_count;
    const char *call; /* "step of system 'Gravity'" */
} hk_world_system_data;

/* What is behind the hk_info of a world. */
typedef struct hk_world_origin {
    hk_info info;
    const hk_world_spec *spec;
    hk_unit_type type;             /* its ports, and how large the block is */
    hk_world_system_data *systems; /* as in the spec */
    uint32_t *order;               /* of the systems */
    size_t is_first;               /* what entities are, one after the other, in the block */
    size_t *is_at;                 /* per entity: its own */
    uint32_t *first_part;          /* per entity: of kept */
    size_t *kept;                  /* per part of all: where what it was is kept */
    size_t kept_size;
    hk_world_route *in, *out;
    size_t in_count, out_count;
    hk_world_route *begin; /* all fields of entities, as they begin */
    size_t begin_count;
    void **starts; /* per type of the spec: a component as it begins */
} hk_world_origin;

typedef struct hk_world_system_state {
    uint64_t activation;
    size_t *families;
    hk_members *members;
} hk_world_system_state;

/* A route while columns stay where they are. */
typedef struct hk_world_copy {
    char *port, *field;
    size_t size;
} hk_world_copy;

/* An instance. */
typedef struct hk_world_unit {
    hk_unit base;
    const hk_world_origin *origin;
    hk_arena *arena;
    hk_ecs *ecs;
    hk_ecs_kind *kinds; /* per type of the spec */
    hk_ecs_kind pose;   /* HK_ECS_NONE: nobody can have one */
    double start;
    char *block, *kept;
    hk_entity *ids;   /* per entity */
    int64_t *applied; /* per entity: what it is in the store */
    int64_t *seen;    /* what the ports said when entities were looked at last */
    bool looked;      /* they were */
    uint64_t activations;
    hk_world_system_state *systems;
    hk_world_copy *in, *out;
    size_t in_count, out_count;
    uint64_t resolved; /* the version of the store that these are of */
    uint32_t acting;   /* the system that is called now */
    hk_map declared;   /* names of the entities of the file */
    uint64_t *hashes;  /* of what the acting system must leave alone */
    char failure[320]; /* "": none */
    _Atomic(const char *) *calling;
} hk_world_unit;

extern const hk_unit_class hk_world_class;

/* world_info.c */
static inline size_t hk_world_field_size(const hk_port *field) {
    return (field->count ? field->count : 1) * hk_store_size(hk_store_of(field->type));
}

/* world_rules.c: what must hold of types and systems. */
HK_NODISCARD hk_status hk_world_unit_check(hk_ctx *ctx, hk_arena *arena, const hk_world_spec *spec);
/* The fields of its families that a system does not say that it writes. */
void hk_world_guard(hk_arena *arena, const hk_world_spec *spec, const hk_system_type *type,
                    hk_world_system_data *data);

/* world_run.c */
void hk_world_unit_begin(hk_world_unit *u); /* the store as it begins */
bool hk_world_unit_init(hk_world_unit *u);
int hk_world_unit_step(void *self, double t, double h);
/* Where routes lead now. */
void hk_world_resolve(hk_world_unit *u);
void hk_world_gather(hk_world_unit *u);
bool hk_world_fail(hk_world_unit *u, const char *format, ...) HK_PRINTF(2, 3); /* false */

/* world_sync.c: makes entities what their ports say they are. */
bool hk_world_sync(hk_world_unit *u);
/* What systems have removed is absent. */
void hk_world_notice(hk_world_unit *u);

/* world_calls.c: what a system can ask for. */
extern const hk_world_calls hk_world_the_calls;
hk_view hk_world_view(hk_world_unit *u, uint32_t system);

/* world_state.c: of the class. */
HK_STATE_FUNCTIONS(hk_world);
void hk_world_state_key(hk_unit *base, hk_arena *arena, const char **ret_key, uint64_t *ret_build);
/* The types of the spec in a store that has none. */
void hk_world_add_types(const hk_world_origin *o, hk_ecs *ecs, hk_ecs_kind *ret_kinds);

#endif
