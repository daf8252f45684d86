/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share. */
#ifndef HK_ECS_ECS_INTERNAL_H
#define HK_ECS_ECS_INTERNAL_H

#include "base/map.h"
#include "ecs/ecs.h"

#define NOBODY UINT32_MAX /* an index that is none */

/* Where entities are that are in none of the tables. */
enum { HK_ECS_FREE = UINT32_MAX, HK_ECS_WAITING = UINT32_MAX - 1 };

typedef struct hk_ecs_kind_data {
    char *name;
    const hk_component_type *type; /* NULL: a tag */
    void *start;                   /* NULL: zero */
    size_t size;                   /* 0: a tag */
} hk_ecs_kind_data;

/* All entities with the same kinds. */
typedef struct hk_ecs_table {
    hk_ecs_kind *kinds; /* sorted */
    size_t kind_count;
    uint32_t count, cap;
    hk_entity *entities;
    char **columns;         /* per kind; NULL: a tag */
    uint64_t version;       /* how often somebody came or went */
    uint32_t *plus, *minus; /* per kind of the store: the table with one more or less, if known */
    size_t plus_count, minus_count;
} hk_ecs_table;

/* What is known of an entity. The tree goes by indices: children stand in a ring that NEXT and PREV
 * close, so the last one is before the first. */
typedef struct hk_ecs_record {
    uint32_t generation;
    uint32_t table, row; /* FREE: row is the next free one */
    uint32_t parent, first, next, prev;
    uint32_t name; /* where it begins in the pool, plus 1; 0: it has none */
} hk_ecs_record;

typedef struct hk_ecs_family {
    hk_ecs_kind *with, *without;
    size_t with_count, without_count;
    uint32_t *tables; /* those that match, in order */
    size_t table_count, table_cap;
    uint64_t looked; /* the version of the store that members are of; 0: never */
    hk_members members;
    hk_batch *batches;
    void **columns;
    size_t batch_cap;
} hk_ecs_family;

typedef enum hk_ecs_command_kind {
    HK_ECS_DO_NEW,
    HK_ECS_DO_REMOVE,
    HK_ECS_DO_GIVE,
    HK_ECS_DO_TAKE,
    HK_ECS_DO_PARENT
} hk_ecs_command_kind;

typedef struct hk_ecs_command {
    uint8_t doing; /* hk_ecs_command_kind */
    bool has_data;
    hk_ecs_kind kind;
    uint32_t who;
    hk_entity entity, other;
    size_t data; /* where its data or name begin among those of all */
} hk_ecs_command;

struct hk_ecs {
    hk_ecs_kind_data *kinds;
    size_t kind_count, kind_cap;
    size_t fixed_kinds;  /* how many there were when the last type or family was added */
    hk_map kind_by_name; /* of types and of tags, which have a '#' before it */
    hk_ecs_table *tables;
    size_t table_count, table_cap;
    hk_ecs_record *records;
    size_t record_count, record_cap;
    uint32_t free; /* the first that is free, or NOBODY */
    size_t count;
    uint64_t version;
    /* Names: one after the other, and a table of the indices of those who have one. */
    char *pool;
    size_t pool_size, pool_cap, pool_waste;
    uint32_t *slots; /* index plus 1 */
    size_t slot_count, name_count;
    hk_ecs_family *families;
    size_t family_count, family_cap;
    hk_ecs_command *commands;
    size_t command_count, command_cap;
    hk_buffer command_data;
    uint32_t who;
    /* Those with a pose whose parent has one, parents first. */
    uint64_t placed; /* the version of the store that it is of */
    uint32_t *deep;
    size_t deep_count, deep_cap;
};

static inline uint32_t hk_ecs_index(hk_entity entity) {
    return (uint32_t)entity;
}
static inline hk_entity hk_ecs_entity(const hk_ecs *ecs, uint32_t index) {
    return (hk_entity)ecs->records[index].generation << 32 | index;
}
/* The record of an entity that is in a table; NULL: it is not there. */
hk_ecs_record *hk_ecs_record_of(const hk_ecs *ecs, hk_entity entity);

/* tables.c */
enum { HK_ECS_TABLES_MAX = 1000000 };
/* The table of exactly these kinds, sorted; NOBODY: there are too many. */
uint32_t hk_ecs_table_of(hk_ecs *ecs, const hk_ecs_kind *kinds, size_t count);
size_t hk_ecs_column(const hk_ecs_table *table, hk_ecs_kind kind); /* SIZE_MAX: it has none */
/* Appends a row with start values for the entity and says so in its record. */
void hk_ecs_row_add(hk_ecs *ecs, uint32_t table, uint32_t index);
void hk_ecs_row_remove(hk_ecs *ecs, uint32_t table, uint32_t row);
void hk_ecs_table_room(hk_ecs *ecs, hk_ecs_table *table, uint32_t rows);
void hk_ecs_tables_finish(hk_ecs *ecs);

/* names.c */
bool hk_ecs_name_used(const hk_ecs *ecs, const char *name);
void hk_ecs_name_put(hk_ecs *ecs, uint32_t index, const char *name);
void hk_ecs_name_drop(hk_ecs *ecs, uint32_t index);
static inline const char *hk_ecs_name_at(const hk_ecs *ecs, uint32_t index) {
    return ecs->records[index].name ? ecs->pool + ecs->records[index].name - 1 : "";
}

/* entities.c */
/* A number for an entity that is not in a table yet; NOBODY: there are none left. */
uint32_t hk_ecs_reserve(hk_ecs *ecs);
/* Into its table, which has exactly KINDS. */
hk_ecs_result hk_ecs_enter(hk_ecs *ecs, uint32_t index, const char *name, const hk_ecs_kind *kinds,
                           size_t count);
void hk_ecs_release(hk_ecs *ecs, uint32_t index);

/* families.c */
void hk_ecs_family_meet(hk_ecs *ecs, uint32_t table); /* a table is new */
void hk_ecs_families_finish(hk_ecs *ecs);

/* parents.c */
void hk_ecs_detach(hk_ecs *ecs, uint32_t index);
void hk_ecs_attach(hk_ecs *ecs, uint32_t index, uint32_t parent);
/* The one after AT of all below TOP, which come parents first and children in their order; NOBODY:
 * AT was the last. */
uint32_t hk_ecs_next_below(const hk_ecs *ecs, uint32_t at, uint32_t top);

#endif
