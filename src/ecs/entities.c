/* SPDX-License-Identifier: MIT
 *
 * Entities come and go. The number of one that went is used again, the last one first, with another
 * generation. */
#include "ecs/ecs_internal.h"

enum { HK_ECS_ENTITIES_MAX = 1000000000 };

hk_ecs_record *hk_ecs_record_of(const hk_ecs *ecs, hk_entity entity) {
    uint32_t index = hk_ecs_index(entity);
    if (index >= ecs->record_count)
        return NULL;
    hk_ecs_record *r = &ecs->records[index];
    bool there = r->generation == entity >> 32 && r->table < HK_ECS_WAITING;
    return there ? r : NULL;
}

bool hk_ecs_there(const hk_ecs *ecs, hk_entity entity) {
    HK_ASSERT(ecs);
    return hk_ecs_record_of(ecs, entity) != NULL;
}

uint32_t hk_ecs_reserve(hk_ecs *ecs) {
    uint32_t index = ecs->free;
    if (index == NOBODY) {
        if (ecs->record_count >= HK_ECS_ENTITIES_MAX)
            return NOBODY;
        if (ecs->record_count == ecs->record_cap) {
            ecs->record_cap += ecs->record_cap / 2 + 8;
            ecs->records = hk_realloc(ecs->records, ecs->record_cap * sizeof *ecs->records);
        }
        index = (uint32_t)ecs->record_count++;
        ecs->records[index] = (hk_ecs_record){.generation = 1};
    } else {
        ecs->free = ecs->records[index].row;
    }
    hk_ecs_record *r = &ecs->records[index];
    *r = (hk_ecs_record){.generation = r->generation, .table = HK_ECS_WAITING};
    r->parent = r->first = r->next = r->prev = NOBODY;
    return index;
}

void hk_ecs_release(hk_ecs *ecs, uint32_t index) {
    hk_ecs_record *r = &ecs->records[index];
    r->generation = r->generation == UINT32_MAX ? 1 : r->generation + 1;
    r->table = HK_ECS_FREE;
    r->row = ecs->free;
    ecs->free = index;
}

hk_ecs_result hk_ecs_enter(hk_ecs *ecs, uint32_t index, const char *name, const hk_ecs_kind *kinds,
                           size_t count) {
    bool named = name && *name;
    uint32_t table = count ? hk_ecs_table_of(ecs, kinds, count) : 0;
    if (table == NOBODY || (named && ecs->pool_size > UINT32_MAX / 2))
        return HK_ECS_FULL;
    if (named && hk_ecs_name_used(ecs, name))
        return HK_ECS_NAME_USED;
    hk_ecs_row_add(ecs, table, index);
    if (named)
        hk_ecs_name_put(ecs, index, name);
    ecs->count++;
    return HK_ECS_OK;
}

hk_ecs_result hk_ecs_new_with(hk_ecs *ecs, const char *name, const hk_ecs_kind *kinds, size_t count,
                              hk_entity *ret_entity) {
    HK_ASSERT(ecs && ret_entity);
    uint32_t index = hk_ecs_reserve(ecs);
    if (index == NOBODY)
        return HK_ECS_FULL;
    hk_ecs_result result = hk_ecs_enter(ecs, index, name, kinds, count);
    if (result != HK_ECS_OK)
        hk_ecs_release(ecs, index);
    else
        *ret_entity = hk_ecs_entity(ecs, index);
    return result;
}

hk_ecs_result hk_ecs_new(hk_ecs *ecs, const char *name, hk_entity *ret_entity) {
    HK_ASSERT(ecs && ret_entity);
    return hk_ecs_new_with(ecs, name, NULL, 0, ret_entity);
}

/* The next one to go of the tree below TOP: the first child has no children itself. */
static uint32_t deepest(const hk_ecs *ecs, uint32_t top) {
    while (ecs->records[top].first != NOBODY)
        top = ecs->records[top].first;
    return top;
}

hk_ecs_result hk_ecs_remove(hk_ecs *ecs, hk_entity entity) {
    HK_ASSERT(ecs);
    if (!hk_ecs_there(ecs, entity))
        return HK_ECS_GONE;
    uint32_t top = hk_ecs_index(entity), index;
    do {
        index = deepest(ecs, top);
        hk_ecs_detach(ecs, index);
        hk_ecs_name_drop(ecs, index);
        hk_ecs_row_remove(ecs, ecs->records[index].table, ecs->records[index].row);
        hk_ecs_release(ecs, index);
        ecs->count--;
    } while (index != top);
    return HK_ECS_OK;
}
