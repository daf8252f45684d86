/* SPDX-License-Identifier: MIT
 *
 * A store as bytes, and back. Component types are those of the store that reads, in the same order;
 * tags come with it. What is read is judged, since it may come from a damaged file. */
#include "ecs/ecs_internal.h"

#include <string.h>

void hk_ecs_save(const hk_ecs *ecs, hk_buffer *to) {
    HK_ASSERT(ecs && to && !ecs->command_count);
    hk_buffer_u64(to, ecs->kind_count);
    for (size_t i = 0; i < ecs->kind_count; i++) {
        hk_buffer_text(to, ecs->kinds[i].name);
        hk_buffer_u64(to, ecs->kinds[i].size);
    }
    hk_buffer_u64(to, ecs->record_count);
    hk_buffer_u64(to, ecs->free);
    for (size_t i = 0; i < ecs->record_count; i++) {
        hk_ecs_record r = ecs->records[i];
        r.name = r.name != 0;
        hk_buffer_put(to, &r, sizeof r);
        if (r.name)
            hk_buffer_text(to, hk_ecs_name_at(ecs, (uint32_t)i));
    }
    hk_buffer_u64(to, ecs->table_count);
    for (size_t i = 0; i < ecs->table_count; i++) {
        const hk_ecs_table *t = &ecs->tables[i];
        hk_buffer_u64(to, t->kind_count);
        hk_buffer_put(to, t->kinds, t->kind_count * sizeof *t->kinds);
        hk_buffer_u64(to, t->version);
        hk_buffer_u64(to, t->count);
        hk_buffer_put(to, t->entities, t->count * sizeof *t->entities);
        for (size_t k = 0; k < t->kind_count; k++)
            hk_buffer_put(to, t->columns[k], t->count * ecs->kinds[t->kinds[k]].size);
    }
}

uint64_t hk_ecs_hash(const hk_ecs *ecs) {
    HK_ASSERT(ecs);
    hk_buffer bytes = {0};
    hk_ecs_save(ecs, &bytes);
    uint64_t hash = hk_hash(HK_HASH_SEED, bytes.data, bytes.size);
    hk_free(bytes.data);
    return hash;
}

/* ---- back */

/* All entities and tables go; types, tags and families stay. */
static void empty(hk_ecs *ecs) {
    hk_ecs_tables_finish(ecs);
    for (size_t i = 0; i < ecs->family_count; i++)
        ecs->families[i].table_count = 0;
    ecs->record_count = ecs->count = 0;
    ecs->free = NOBODY;
    ecs->pool_size = ecs->pool_waste = ecs->name_count = 0;
    if (ecs->slot_count)
        memset(ecs->slots, 0, ecs->slot_count * sizeof *ecs->slots);
    ecs->version++;
}

/* Tags that came after the last type or family are forgotten: those of the copy take their place.
 */
static void forget_tags(hk_ecs *ecs) {
    while (ecs->kind_count > ecs->fixed_kinds)
        hk_free(ecs->kinds[--ecs->kind_count].name);
    hk_map_finish(&ecs->kind_by_name);
    ecs->kind_by_name = (hk_map){0};
    for (size_t i = 0; i < ecs->kind_count; i++)
        hk_map_put(&ecs->kind_by_name, ecs->kinds[i].name, (uint32_t)i);
}

static bool load_kinds(hk_ecs *ecs, hk_buffer_source *from) {
    size_t count = hk_source_count(from);
    if (count >= HK_ECS_NONE || count < ecs->fixed_kinds)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = hk_source_text(from);
        uint64_t size = hk_source_u64(from);
        if (!from->good || !name || !*name)
            return false;
        hk_ecs_kind kind = *name == '#' ? hk_ecs_tag(ecs, name + 1) : hk_ecs_find_type(ecs, name);
        if (kind != i || ecs->kinds[kind].size != size)
            return false;
    }
    return true;
}

static bool load_records(hk_ecs *ecs, hk_buffer_source *from) {
    size_t count = hk_source_count(from);
    uint64_t free = hk_source_u64(from);
    if (!from->good || count > from->left / sizeof(hk_ecs_record) || free > UINT32_MAX)
        return false;
    ecs->free = (uint32_t)free;
    if (ecs->record_cap < count) {
        ecs->record_cap = count;
        ecs->records = hk_realloc(ecs->records, count * sizeof *ecs->records);
    }
    for (size_t i = 0; i < count; i++) {
        hk_ecs_record r;
        hk_source_get(from, &r, sizeof r);
        bool named = r.name != 0;
        r.name = 0;
        ecs->records[i] = r;
        ecs->record_count = i + 1;
        const char *name = named ? hk_source_text(from) : NULL;
        if (!from->good || !r.generation || (named && (!name || !*name)))
            return false;
        if (name && (hk_ecs_name_used(ecs, name) || r.table >= HK_ECS_WAITING))
            return false;
        if (name)
            hk_ecs_name_put(ecs, (uint32_t)i, name);
    }
    return true;
}

static bool load_rows(hk_ecs *ecs, hk_buffer_source *from, uint32_t number) {
    hk_ecs_table *t = &ecs->tables[number];
    t->version = hk_source_u64(from);
    size_t count = hk_source_count(from);
    if (!from->good || count > from->left / sizeof(hk_entity) || count >= UINT32_MAX)
        return false;
    hk_ecs_table_room(ecs, t, (uint32_t)count);
    hk_source_get(from, t->entities, count * sizeof *t->entities);
    t->count = (uint32_t)count;
    ecs->count += count;
    for (uint32_t row = 0; from->good && row < count; row++) {
        uint32_t index = hk_ecs_index(t->entities[row]);
        if (index >= ecs->record_count || t->entities[row] != hk_ecs_entity(ecs, index) ||
            ecs->records[index].table != number || ecs->records[index].row != row)
            return false;
    }
    for (size_t k = 0; from->good && k < t->kind_count; k++) {
        size_t size = ecs->kinds[t->kinds[k]].size;
        if (size && count > from->left / size)
            return false;
        hk_source_get(from, t->columns[k], count * size);
    }
    return from->good;
}

static bool load_tables(hk_ecs *ecs, hk_buffer_source *from) {
    size_t count = hk_source_count(from);
    for (size_t i = 0; from->good && i < count; i++) {
        size_t kinds = hk_source_count(from);
        if (kinds > ecs->kind_count)
            return false;
        hk_ecs_kind *list = hk_alloc((kinds + 1) * sizeof *list);
        hk_source_get(from, list, kinds * sizeof *list);
        bool good = from->good;
        for (size_t k = 0; k < kinds; k++)
            good = good && list[k] < ecs->kind_count && (!k || list[k - 1] < list[k]);
        good = good && hk_ecs_table_of(ecs, list, kinds) == i && load_rows(ecs, from, (uint32_t)i);
        hk_free(list);
        if (!good || (i == 0 && kinds))
            return false;
    }
    return from->good && count > 0;
}

/* True if every number that is free is in the list of the free ones, and once. */
static bool free_fits(const hk_ecs *ecs) {
    size_t count = 0;
    for (size_t i = 0; i < ecs->record_count; i++)
        count += ecs->records[i].table == HK_ECS_FREE;
    uint32_t at = ecs->free;
    for (; count && at < ecs->record_count && ecs->records[at].table == HK_ECS_FREE; count--)
        at = ecs->records[at].row;
    return !count && at == NOBODY;
}

/* True if the tree is one: parents and rings agree, and every way up ends. */
static bool tree_fits(const hk_ecs *ecs) {
    size_t linked = 0, children = 0;
    for (uint32_t i = 0; i < ecs->record_count; i++) {
        const hk_ecs_record *r = &ecs->records[i];
        if (r->table == HK_ECS_FREE)
            continue;
        if (r->table >= ecs->table_count || r->row >= ecs->tables[r->table].count ||
            hk_ecs_index(ecs->tables[r->table].entities[r->row]) != i)
            return false;
        linked += r->parent != NOBODY;
        uint32_t at = r->first, before = NOBODY;
        while (at != NOBODY) {
            if (at >= ecs->record_count || children++ >= ecs->record_count ||
                ecs->records[at].parent != i || ecs->records[at].table == HK_ECS_FREE ||
                (before != NOBODY && ecs->records[at].prev != before))
                return false;
            before = at;
            at = ecs->records[at].next == r->first ? NOBODY : ecs->records[at].next;
        }
        if (before != NOBODY && ecs->records[r->first].prev != before)
            return false;
    }
    return linked == children;
}

/* True if every entity is below one that has nobody above it. */
static bool ways_end(const hk_ecs *ecs) {
    size_t reached = 0;
    for (uint32_t top = 0; top < ecs->record_count; top++)
        if (ecs->records[top].table != HK_ECS_FREE && ecs->records[top].parent == NOBODY)
            for (uint32_t at = top; at != NOBODY; at = hk_ecs_next_below(ecs, at, top))
                reached++;
    return reached == ecs->count;
}

bool hk_ecs_load(hk_ecs *ecs, const char *data, size_t size) {
    HK_ASSERT(ecs && (data || !size));
    hk_arena *arena = hk_arena_create();
    hk_buffer_source from = {.arena = arena, .at = data, .left = size, .good = true};
    empty(ecs);
    forget_tags(ecs);
    ecs->command_count = 0;
    ecs->command_data.size = 0;
    bool good = load_kinds(ecs, &from) && load_records(ecs, &from) && load_tables(ecs, &from) &&
                !from.left && free_fits(ecs) && tree_fits(ecs) && ways_end(ecs);
    if (!good) {
        empty(ecs);
        (void)hk_ecs_table_of(ecs, NULL, 0);
    }
    ecs->version++;
    hk_arena_destroy(arena);
    return good;
}
