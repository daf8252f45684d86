/* SPDX-License-Identifier: MIT
 *
 * A world as a component of a system: what a front end says about it, and the description that is
 * made of that. Its variables are the fields of entities that have a name ("ball.Body.position"),
 * the ports of its systems ("Gravity.g"), what an entity is ("ball.is": absent, present, or one of
 * its variants) and whether a system acts ("Gravity.active"). */
#ifndef HK_WORLD_WORLD_H
#define HK_WORLD_WORLD_H

#include "model/model.h"
#include "model/unit.h"

#include <hk/world.h>

enum { HK_WORLD_VARIANTS_MAX = 62 };
#define HK_WORLD_ALWAYS UINT64_MAX

/* VARIANTS: bit k: variant k has it. */
typedef struct hk_world_part {
    const hk_component_type *type;
    uint64_t variants;
} hk_world_part;
typedef struct hk_world_tag {
    const char *name;
    uint64_t variants;
} hk_world_tag;

typedef struct hk_world_entity {
    const char *name;
    uint32_t parent; /* an earlier one; HK_MAP_NONE: none */
    size_t copies;   /* 0: it is one, and has ports; else so many begin alike: "name[1]" ... */
    bool dormant;    /* it is not there at the beginning */
    const char *const *variants;
    size_t variant_count;
    const hk_world_tag *tags;
    size_t tag_count;
    const hk_world_part *parts; /* each type once */
    size_t part_count;
} hk_world_entity;

typedef struct hk_world_system {
    const char *name;
    const hk_system_type *type;
    const char *file; /* of its plugin; NULL: linked into the program */
    int priority;     /* smaller first; equal ones as they stand here */
    uint32_t every;   /* it acts at every so manieth activation, from the first on */
    bool dormant;
    hk_where where;
} hk_world_system;

/* An input that reaches a field while the entity is a certain variant. */
typedef struct hk_world_drive {
    uint32_t entity, part, field, variant;
    const char *name; /* of the input: "ball.full.Body.position" */
} hk_world_drive;

/* A component of the system that belongs to an entity, and runs while that is there. */
typedef struct hk_world_leaf {
    const char *component;    /* "sky.ball.hull" */
    uint32_t entity, variant; /* HK_MAP_NONE: whatever the entity is */
} hk_world_leaf;

typedef struct hk_world_spec {
    const char *name;
    const hk_component_type *const *types; /* all that may occur; hk_world_pose is among them */
    size_t type_count;
    const hk_world_system *systems;
    size_t system_count;
    const hk_world_entity *entities;
    size_t entity_count;
    const hk_world_drive *drives;
    size_t drive_count;
    const hk_world_leaf *leaves;
    size_t leaf_count;
    const hk_map *linked; /* names of fields that something leads to; NULL: none */
    hk_where where;
} hk_world_spec;

extern const hk_component_type hk_world_pose; /* "Pose" */

/* Describes the world; SPEC and all it points to live in the model's arena. */
HK_NODISCARD hk_status hk_world_info(hk_ctx *ctx, hk_model *model, const hk_world_spec *spec,
                                     const hk_info **ret_info);
/* The world behind a description; NULL: it is something else. */
const hk_world_spec *hk_world_of(const hk_info *info);
/* The component and system types that the plugin at PATH has, checked; *ret_types is NULL: none.
 * MODEL owns the library. */
HK_NODISCARD hk_status hk_world_types_of(hk_ctx *ctx, hk_model *model, const char *path,
                                         const hk_world_types **ret_types);

#endif
