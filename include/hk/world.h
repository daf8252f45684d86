/* SPDX-License-Identifier: MIT
 *
 * A world: entities with names and tags, which have components; systems that advance them. A
 * component is an ordinary C struct, a table that says which of its fields others can see, and no
 * behaviour. A system is one function for all entities of a family: those that have certain
 * components and tags. What an entity is follows from what it has, and can change while it runs.
 *
 *     typedef struct Body { double position[3], velocity[3]; } Body;
 *
 *     static const hk_port body_fields[] = {
 *         HK_PORT(Body, position, HK_LOCAL, HK_TYPE_F64, .count = 3, .unit = "m"),
 *         HK_PORT(Body, velocity, HK_LOCAL, HK_TYPE_F64, .count = 3, .unit = "m/s"),
 *     };
 *     static const hk_component_type body_type = {
 *         HK_COMPONENT(Body), .fields = body_fields, .field_count = 2};
 *
 *     static int fall(void *self, hk_view *view, double t, double h) {
 *         for (const hk_batch *b = hk_batches(view, 0); b; b = b->next) {
 *             Body *body = hk_batch_write(b, 0);
 *             for (size_t i = 0; i < b->count; i++)
 *                 body[i].velocity[2] -= 9.81 * h;
 *         }
 *         return HK_STEP_OK;
 *     }
 *     static const hk_family falling[] = {{.with = "Body", .tags = "falling"}};
 *     static const hk_system_type gravity_type = {
 *         HK_SYSTEM(Gravity), .families = falling, .family_count = 1, .writes = "Body.velocity",
 *         .step = fall};
 *
 * docs/worlds.md goes from here to a run. Ownership: hocket owns all structs; what is static in a
 * table stays so. Threads: the systems of a world are called one after the other. */
#ifndef HK_WORLD_H
#define HK_WORLD_H

#include <hk/unit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when the layout of the structs below changes incompatibly. */
#define HK_WORLD_ABI 1

/* An entity, for as long as it is there: a number that is not given to another one. 0: none. */
typedef uint64_t hk_entity;
#define HK_NO_ENTITY ((hk_entity)0)

/* ---- components -------------------------------------------------------------------------------
 */

/* Data of an entity: plain data without pointers, so that a copy of its bytes is its state. Fields
 * are described as ports are, and can be connected, recorded, plotted, set and faulted where the
 * entity has a name in a file. Their causality: INPUT is driven by a link or set; OUTPUT is
 * computed; PARAMETER is set before the run, and during it if it is tunable; LOCAL is an input
 * where the file has a link to it, and an output where not. Types: all but text and binary. */
typedef struct hk_component_type {
    uint32_t abi;     /* HK_WORLD_ABI */
    uint32_t size;    /* sizeof(hk_component_type), so that the struct can grow */
    const char *name; /* how files and families refer to it */
    size_t data_size; /* of the component's struct */
    const hk_port *fields;
    size_t field_count;
    const char *description;
} hk_component_type;

#define HK_COMPONENT(struct_type)                                                                  \
    .abi = HK_WORLD_ABI, .size = sizeof(hk_component_type), .name = #struct_type,                  \
    .data_size = sizeof(struct_type)

/* The component that every world knows by the name "Pose": where an entity is. The first two are
 * relative to the parent that the entity has, and are anybody's to write; the last two follow from
 * them and from the parents, after each activation, for all entities in a fixed order. Quaternions
 * are w, x, y, z, and turn vectors of the entity into those of its parent, or of the world. */
typedef struct hk_pose {
    double position[3], orientation[4];
    double world_position[3], world_orientation[4];
} hk_pose;

/* ---- families and what a system sees ----------------------------------------------------------
 */

/* The entities that have all components and tags of these lists, and none of the others. Names are
 * separated by spaces; NULL: none. A tag that nobody has yet is none the less a tag. */
typedef struct hk_family {
    const char *with, *without;
    const char *tags, *without_tags;
} hk_family;

/* Entities of a family that have the same components and tags: arrays of one length. Their order
 * follows from what was done to the world, and from nothing else; a structural change may change
 * it: the last one takes the place of one that goes. */
typedef struct hk_batch {
    size_t count;
    const hk_entity *entities;
    void *const *columns; /* one array of structs per component in `with`, in that order */
    const struct hk_batch *next;
} hk_batch;

/* A column to write, and one to look at. */
static inline void *hk_batch_write(const hk_batch *batch, size_t with) {
    return batch->columns[with];
}
static inline const void *hk_batch_read(const hk_batch *batch, size_t with) {
    return batch->columns[with];
}

/* What is in a family now. */
typedef struct hk_members {
    const hk_batch *batches; /* NULL: nobody; there is none without entities */
    size_t count;            /* entities */
    uint64_t version;        /* another number after somebody came or went */
} hk_members;

struct hk_world_calls;

typedef struct hk_view {
    const hk_members *families; /* as the type of the system lists them */
    size_t family_count;
    uint64_t activation; /* how often the system was stepped before, for random numbers */
    void *world;
    const struct hk_world_calls *calls;
} hk_view;

static inline const hk_batch *hk_batches(const hk_view *view, size_t family) {
    return view->families[family].batches;
}

/* What else a system can ask of the world and do to it. What changes who has what is done after
 * the activation of all systems that are due, in the order in which it was asked for, so nobody's
 * arrays move meanwhile. What is asked of an entity that something before has removed by then is
 * left out. What cannot be done (a name that is used already, a type that is not known) ends the
 * run with a message that names the system. */
typedef struct hk_world_calls {
    uint32_t size; /* sizeof(hk_world_calls), so that it can grow */
    /* The new one, which has nothing yet; NAME may be NULL, and is copied. It can be given
     * components and a parent at once. */
    hk_entity (*create)(void *world, const char *name);
    void (*remove)(void *world, hk_entity entity); /* and its children */
    /* DATA is copied; NULL: the start values of the type. An entity that has it gets these. */
    void (*give)(void *world, hk_entity entity, const char *component, const void *data);
    void (*take)(void *world, hk_entity entity, const char *component);
    void (*tag)(void *world, hk_entity entity, const char *tag, bool on);
    void (*set_parent)(void *world, hk_entity entity, hk_entity parent); /* HK_NO_ENTITY: none */
    /* These answer at once. */
    hk_entity (*find)(void *world, const char *name);      /* HK_NO_ENTITY: there is none */
    const char *(*name_of)(void *world, hk_entity entity); /* "": it has none, or is gone */
    hk_entity (*parent_of)(void *world, hk_entity entity); /* HK_NO_ENTITY: none */
    bool (*is_there)(void *world, hk_entity entity);
    /* A component of any entity, to look at; NULL: it has none. */
    const void *(*look)(void *world, hk_entity entity, const char *component);
} hk_world_calls;

/* ---- systems ----------------------------------------------------------------------------------
 */

/* A type of system. Its own struct is plain data with ports, as that of a native component is. */
typedef struct hk_system_type {
    uint32_t abi;         /* HK_WORLD_ABI */
    uint32_t size;        /* sizeof(hk_system_type), so that the struct can grow */
    const char *name;     /* how files refer to it */
    size_t instance_size; /* of the system's struct; 0: it has none, and SELF is NULL */
    const hk_port *ports; /* of that struct: parameters, inputs, outputs */
    size_t port_count;
    const char *description;
    const hk_family *families;
    size_t family_count;
    /* What it changes of the components of its families: types ("Body") and fields
     * ("Body.velocity"), separated by spaces; NULL: nothing. To change something else is found
     * and ends the run. Two systems that change the same need an order: other priorities. */
    const char *writes;
    /* What it looks at, in the same way, for those who read the plan; NULL: all of its families. */
    const char *reads;

    /* When all start values are in place; t is the first activation. May be NULL. */
    int (*init)(void *self, hk_view *view, double t);
    /* One activation: advances what is in its families from t to t + h. */
    int (*step)(void *self, hk_view *view, double t, double h);
    void (*end)(void *self); /* frees what it obtained; may be NULL */
    /* What it has beside its struct and is part of the state: SAVE returns how many bytes, and
     * writes them if DATA is not NULL; LOAD takes them over, in an instance whose init was called,
     * and where entities and structs are as they were when they were saved. NULL: nothing. */
    size_t (*save)(const void *self, void *data);
    int (*load)(void *self, hk_view *view, const void *data, size_t size);
    /* Why the function that was called last did not return HK_STEP_OK; NULL: nothing to add. */
    const char *(*complaint)(const void *self);
    /* Its sources of random numbers, and what it obtains outside of its struct: hk/unit.h. */
    const hk_stream_field *streams;
    size_t stream_count;
    const hk_resource_field *resource;
} hk_system_type;

#define HK_SYSTEM(system_name)                                                                     \
    .abi = HK_WORLD_ABI, .size = sizeof(hk_system_type), .name = #system_name
/* For one with a struct of the same name. */
#define HK_SYSTEM_OF(struct_type) HK_SYSTEM(struct_type), .instance_size = sizeof(struct_type)

/* What a type that may be older than this header has at least, and whether it has FIELD too. */
#define HK_SYSTEM_TYPE_MIN offsetof(hk_system_type, save)
#define HK_SYSTEM_HAS(type, field)                                                                 \
    ((type)->size >= offsetof(hk_system_type, field) + sizeof(type)->field && (type)->field)

/* A plugin for worlds is a shared library that exports this one function; it may export hk_plugin
 * too. Arrays end with NULL and stay valid while the library is loaded; NULL: there are none. */
typedef struct hk_world_types {
    uint32_t abi;  /* HK_WORLD_ABI */
    uint32_t size; /* sizeof(hk_world_types), so that the struct can grow */
    const hk_component_type *const *components;
    const hk_system_type *const *systems;
} hk_world_types;
typedef const hk_world_types *hk_world_plugin_fn(void);
HK_EXPORT const hk_world_types *hk_world_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
