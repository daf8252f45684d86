/* SPDX-License-Identifier: MIT
 *
 * What the files that give meaning to worlds share: system_world.c reads them, system_world_types.c
 * finds what they are made of, system_world_links.c what joins the leaves of entities with their
 * fields. */
#ifndef HK_LANG_SYSTEM_WORLD_INTERNAL_H
#define HK_LANG_SYSTEM_WORLD_INTERNAL_H

#include "lang/system/system_internal.h"
#include "world/world.h"

typedef struct hk_worldsystemtype {
    const hk_system_type *type;
    const char *file;
} hk_worldsystemtype;

typedef struct hk_worldsystem {
    hk_world_system system;
    bool has_period;
    hk_ratio period;
} hk_worldsystem;

typedef struct hk_worldentity {
    const hk_entitydecl *syntax;
    hk_world_entity entity;
    const hk_name *parent; /* NULL: none */
    uint32_t above;        /* the entity that this is */
    uint32_t placed;       /* its place in the spec */
    hk_world_part *parts;
    size_t part_cap;
    hk_world_tag *tags;
    size_t tag_cap;
    const char **variants;
    size_t variant_cap;
} hk_worldentity;

/* A leaf of an entity, or a link. */
typedef struct hk_worldleaf {
    const hk_leaf *syntax; /* NULL: a link */
    const hk_link *link;
    uint32_t entity, variant; /* variant HK_MAP_NONE: whatever the entity is */
} hk_worldleaf;

/* A world while it is read. */
typedef struct hk_worldwork {
    hk_system *s;
    const hk_worlddecl *syntax;
    hk_arena *arena; /* of the model */
    hk_world_spec *spec;
    hk_worldnode *node;
    hk_map *linked;
    bool broken; /* something was not understood, so what is missing is not a new mistake */
    const hk_component_type **types;
    size_t type_cap;
    hk_worldsystemtype *system_types;
    size_t system_type_count, system_type_cap;
    hk_worldsystem *systems;
    size_t system_cap;
    hk_worldentity *entities; /* as they are written */
    size_t entity_cap;
    hk_leafitem *items;
    size_t item_count, item_cap;
    hk_worldleaf *leaves;
    size_t leaf_count, leaf_cap;
    hk_world_leaf *leaves_of_spec;
    hk_map names; /* of systems and entities, with their lines */
    bool has_period;
    hk_ratio period;
} hk_worldwork;

/* system_world_types.c: what the plugins of the world and of the system have. */
void hk_world_find_types(hk_worldwork *w);

/* system_world_links.c: leaves and links of entities, as those of the composite. */
void hk_world_links(hk_worldwork *w);

#endif
