/* SPDX-License-Identifier: MIT
 *
 * Names of entities: one after the other in a pool, found by a table of indices that is at most
 * half full. Which slot a name is in is never seen. */
#include "ecs/ecs_internal.h"

#include <string.h>

static size_t home(const hk_ecs *ecs, const char *name) {
    uint64_t h = hk_hash(HK_HASH_SEED, name, strlen(name));
    return (size_t)(h ^ h >> 32) & (ecs->slot_count - 1);
}

static size_t find_slot(const hk_ecs *ecs, const char *name) {
    size_t at = home(ecs, name);
    while (ecs->slots[at] && strcmp(hk_ecs_name_at(ecs, ecs->slots[at] - 1), name) != 0)
        at = (at + 1) & (ecs->slot_count - 1);
    return at;
}

bool hk_ecs_name_used(const hk_ecs *ecs, const char *name) {
    return ecs->slot_count && ecs->slots[find_slot(ecs, name)];
}

hk_entity hk_ecs_find(const hk_ecs *ecs, const char *name) {
    HK_ASSERT(ecs && name);
    if (!ecs->slot_count || !*name)
        return HK_NO_ENTITY;
    uint32_t slot = ecs->slots[find_slot(ecs, name)];
    return slot ? hk_ecs_entity(ecs, slot - 1) : HK_NO_ENTITY;
}

static void grow(hk_ecs *ecs) {
    hk_free(ecs->slots);
    ecs->slot_count = ecs->slot_count ? 2 * ecs->slot_count : 64;
    ecs->slots = hk_alloc(ecs->slot_count * sizeof *ecs->slots);
    for (uint32_t i = 0; i < ecs->record_count; i++)
        if (ecs->records[i].name)
            ecs->slots[find_slot(ecs, hk_ecs_name_at(ecs, i))] = i + 1;
}

void hk_ecs_name_put(hk_ecs *ecs, uint32_t index, const char *name) {
    size_t size = strlen(name) + 1;
    if (2 * (ecs->name_count + 1) > ecs->slot_count)
        grow(ecs);
    size_t slot = find_slot(ecs, name);
    if (ecs->pool_size + size > ecs->pool_cap) {
        size_t cap = ecs->pool_cap + ecs->pool_cap / 2 + 64;
        ecs->pool_cap = cap < ecs->pool_size + size ? ecs->pool_size + size : cap;
        ecs->pool = hk_realloc(ecs->pool, ecs->pool_cap);
    }
    memcpy(ecs->pool + ecs->pool_size, name, size);
    ecs->records[index].name = (uint32_t)ecs->pool_size + 1;
    ecs->pool_size += size;
    ecs->slots[slot] = index + 1;
    ecs->name_count++;
}

/* The pool without the names that nobody has any more, in the order of the entities. */
static void tidy(hk_ecs *ecs) {
    char *pool = hk_alloc(ecs->pool_size - ecs->pool_waste + 64);
    size_t size = 0;
    for (size_t i = 0; i < ecs->record_count; i++) {
        hk_ecs_record *r = &ecs->records[i];
        if (!r->name)
            continue;
        const char *name = ecs->pool + r->name - 1;
        size_t length = strlen(name) + 1;
        memcpy(pool + size, name, length);
        r->name = (uint32_t)size + 1;
        size += length;
    }
    hk_free(ecs->pool);
    ecs->pool_cap = ecs->pool_size - ecs->pool_waste + 64;
    ecs->pool = pool;
    ecs->pool_size = size;
    ecs->pool_waste = 0;
}

void hk_ecs_name_drop(hk_ecs *ecs, uint32_t index) {
    if (!ecs->records[index].name)
        return;
    const char *name = hk_ecs_name_at(ecs, index);
    size_t mask = ecs->slot_count - 1, hole = find_slot(ecs, name);
    /* Those behind it that could not be at home because it was there come nearer. */
    for (size_t at = (hole + 1) & mask; ecs->slots[at]; at = (at + 1) & mask) {
        size_t at_home = home(ecs, hk_ecs_name_at(ecs, ecs->slots[at] - 1));
        if (((at - at_home) & mask) < ((at - hole) & mask))
            continue;
        ecs->slots[hole] = ecs->slots[at];
        hole = at;
    }
    ecs->slots[hole] = 0;
    ecs->pool_waste += strlen(name) + 1;
    ecs->records[index].name = 0;
    ecs->name_count--;
    if (ecs->pool_waste > 4096 && 2 * ecs->pool_waste > ecs->pool_size)
        tidy(ecs);
}

const char *hk_ecs_name(const hk_ecs *ecs, hk_entity entity) {
    HK_ASSERT(ecs);
    return hk_ecs_record_of(ecs, entity) ? hk_ecs_name_at(ecs, hk_ecs_index(entity)) : "";
}
