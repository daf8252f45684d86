/* SPDX-License-Identifier: MIT
 *
 * The store of a world: entities with names, tags, parents and components in columns; families that
 * follow; commands that wait; copies. It knows what components are made of (hk/world.h) and nothing
 * of files, time or models.
 *
 * What is found in which order follows from the operations alone: tables stand in the order in
 * which they were needed first, rows in the order in which they came, and the last row takes the
 * place of one that goes. A copy of a store (hk_ecs_save) goes on exactly as the store does. */
#ifndef HK_ECS_ECS_H
#define HK_ECS_ECS_H

#include "base/buffer.h"

#include <hk/world.h>

typedef struct hk_ecs hk_ecs;

/* How an operation went. */
typedef enum hk_ecs_result {
    HK_ECS_OK,
    HK_ECS_GONE,      /* the entity is not there (any more) */
    HK_ECS_NAME_USED, /* another one has this name */
    HK_ECS_NO_TYPE,   /* there is not a component type of this name */
    HK_ECS_CYCLE,     /* the parent is a child of the entity, or itself */
    HK_ECS_FULL       /* more entities, types or tables than numbers for them */
} hk_ecs_result;
/* "the name is used already": whole clauses. */
const char *hk_ecs_words(hk_ecs_result result);

/* A component type or a tag, within one store. */
typedef uint16_t hk_ecs_kind;
#define HK_ECS_NONE UINT16_MAX

hk_ecs *hk_ecs_create(void);
void hk_ecs_destroy(hk_ecs *ecs); /* NULL is fine */

/* Component types come before entities, and their names are unique. START is the data of a new
 * component (NULL: zero); it is copied, TYPE is not. */
hk_ecs_kind hk_ecs_add_type(hk_ecs *ecs, const hk_component_type *type, const void *start);
hk_ecs_kind hk_ecs_find_type(const hk_ecs *ecs, const char *name);         /* or HK_ECS_NONE */
const hk_component_type *hk_ecs_type(const hk_ecs *ecs, hk_ecs_kind kind); /* NULL: a tag */
/* The tag called NAME, which is made if there is none. HK_ECS_NONE: there are too many. */
hk_ecs_kind hk_ecs_tag(hk_ecs *ecs, const char *name);
const char *hk_ecs_kind_name(const hk_ecs *ecs, hk_ecs_kind kind);

/* ---- entities; all of these take effect at once */

/* NAME NULL: it has none. */
hk_ecs_result hk_ecs_new(hk_ecs *ecs, const char *name, hk_entity *ret_entity);
/* The same, with KINDS (sorted, each once) at once: for many of a kind. */
hk_ecs_result hk_ecs_new_with(hk_ecs *ecs, const char *name, const hk_ecs_kind *kinds, size_t count,
                              hk_entity *ret_entity);
hk_ecs_result hk_ecs_remove(hk_ecs *ecs, hk_entity entity); /* with its children */
/* Gives it a component or a tag; what it has already stays as it is. */
hk_ecs_result hk_ecs_give(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind);
hk_ecs_result hk_ecs_take(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind);
hk_ecs_result hk_ecs_set_parent(hk_ecs *ecs, hk_entity entity, hk_entity parent);

bool hk_ecs_there(const hk_ecs *ecs, hk_entity entity);
hk_entity hk_ecs_find(const hk_ecs *ecs, const char *name); /* HK_NO_ENTITY: there is none */
const char *hk_ecs_name(const hk_ecs *ecs, hk_entity entity);
hk_entity hk_ecs_parent(const hk_ecs *ecs, hk_entity entity);
bool hk_ecs_has(const hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind);
/* Where its component lies until the next structural change; NULL: it has none. */
void *hk_ecs_data(const hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind);
size_t hk_ecs_count(const hk_ecs *ecs);
/* Changes with every structural change: what was looked up before may have moved. */
uint64_t hk_ecs_version(const hk_ecs *ecs);
/* Memory that the store holds, in bytes, and how much of it is data of components. */
size_t hk_ecs_bytes(const hk_ecs *ecs, size_t *ret_data);

/* ---- families */

/* Which one it is; families are never removed. HK_ECS_NO_TYPE: *ret_unknown (in NAMES) is not a
 * component. */
hk_ecs_result hk_ecs_add_family(hk_ecs *ecs, const hk_family *names, size_t *ret_family,
                                char ret_unknown[64]);
/* What it holds now. It is looked up anew only after a structural change. */
const hk_members *hk_ecs_members(hk_ecs *ecs, size_t family);

/* All entities, in order: calls DO_ONE for each batch of all, whatever they have. */
typedef void hk_ecs_walk_fn(void *user, const hk_entity *entities, size_t count);
void hk_ecs_walk(const hk_ecs *ecs, hk_ecs_walk_fn *do_one, void *user);

/* ---- commands: what waits until hk_ecs_apply */

/* The number of the entity is known at once; it is there when the commands are carried out. */
hk_entity hk_ecs_later_new(hk_ecs *ecs, const char *name);
void hk_ecs_later_remove(hk_ecs *ecs, hk_entity entity);
/* DATA NULL: the start values of the type. One that is there already gets these data. */
void hk_ecs_later_give(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind, const void *data);
void hk_ecs_later_take(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind);
void hk_ecs_later_parent(hk_ecs *ecs, hk_entity entity, hk_entity parent);
/* Whose the commands are that come now: told if one fails. */
void hk_ecs_later_by(hk_ecs *ecs, uint32_t who);
/* True if the entity is there, or will be. */
bool hk_ecs_known(const hk_ecs *ecs, hk_entity entity);

typedef struct hk_ecs_failure {
    hk_ecs_result result;
    uint32_t who;
    char what[96]; /* the name that it is about */
} hk_ecs_failure;
/* Carries them out in the order in which they were given; what is about an entity that is gone by
 * then is left out. False: one failed; those after it were not carried out. */
bool hk_ecs_apply(hk_ecs *ecs, hk_ecs_failure *ret_failure);

/* ---- poses */

/* Computes world_position and world_orientation of all hk_pose, which KIND is: parents first. */
void hk_ecs_place(hk_ecs *ecs, hk_ecs_kind kind);

/* ---- copies; there are no commands that wait */

void hk_ecs_save(const hk_ecs *ecs, hk_buffer *to);
/* Takes over what was saved by a store with the same component types. False: it is not that; then
 * the store is empty. */
bool hk_ecs_load(hk_ecs *ecs, const char *data, size_t size);
/* Of all that hk_ecs_save would write. */
uint64_t hk_ecs_hash(const hk_ecs *ecs);

#endif
