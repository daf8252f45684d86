/* SPDX-License-Identifier: MIT
 *
 * Tables: one for each set of kinds that some entity has had. They stay where they are, also when
 * nobody is left in them, so that their order is that of their first use. */
#include "ecs/ecs_internal.h"

#include <string.h>

static bool same_kinds(const hk_ecs_table *t, const hk_ecs_kind *kinds, size_t count) {
    return t->kind_count == count &&
           (!count || memcmp(t->kinds, kinds, count * sizeof *kinds) == 0);
}

uint32_t hk_ecs_table_of(hk_ecs *ecs, const hk_ecs_kind *kinds, size_t count) {
    for (size_t i = 0; i < ecs->table_count; i++)
        if (same_kinds(&ecs->tables[i], kinds, count))
            return (uint32_t)i;
    if (ecs->table_count >= HK_ECS_TABLES_MAX)
        return NOBODY;
    hk_ecs_table t = {.kind_count = count};
    t.kinds = hk_alloc((count + 1) * sizeof *t.kinds);
    t.columns = hk_alloc((count + 1) * sizeof *t.columns);
    for (size_t k = 0; k < count; k++)
        t.kinds[k] = kinds[k];
    HK_PUSH(ecs->tables, ecs->table_count, ecs->table_cap, t);
    hk_ecs_family_meet(ecs, (uint32_t)ecs->table_count - 1);
    return (uint32_t)ecs->table_count - 1;
}

size_t hk_ecs_column(const hk_ecs_table *table, hk_ecs_kind kind) {
    size_t low = 0, high = table->kind_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->kinds[middle] < kind)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->kind_count && table->kinds[low] == kind ? low : SIZE_MAX;
}

void hk_ecs_table_room(hk_ecs *ecs, hk_ecs_table *t, uint32_t rows) {
    if (rows <= t->cap)
        return;
    uint32_t cap = t->cap + t->cap / 2;
    cap = cap < 8 ? 8 : cap;
    t->cap = cap < rows ? rows : cap;
    t->entities = hk_realloc(t->entities, t->cap * sizeof *t->entities);
    for (size_t k = 0; k < t->kind_count; k++)
        if (ecs->kinds[t->kinds[k]].size)
            t->columns[k] = hk_realloc(t->columns[k], t->cap * ecs->kinds[t->kinds[k]].size);
}

void hk_ecs_row_add(hk_ecs *ecs, uint32_t table, uint32_t index) {
    hk_ecs_table *t = &ecs->tables[table];
    hk_ecs_table_room(ecs, t, t->count + 1);
    t->entities[t->count] = hk_ecs_entity(ecs, index);
    for (size_t k = 0; k < t->kind_count; k++) {
        const hk_ecs_kind_data *kind = &ecs->kinds[t->kinds[k]];
        char *at = t->columns[k] + t->count * kind->size;
        if (kind->start)
            memcpy(at, kind->start, kind->size);
        else if (kind->size)
            memset(at, 0, kind->size);
    }
    ecs->records[index].table = table;
    ecs->records[index].row = t->count++;
    t->version++;
    ecs->version++;
}

void hk_ecs_row_remove(hk_ecs *ecs, uint32_t table, uint32_t row) {
    hk_ecs_table *t = &ecs->tables[table];
    uint32_t last = --t->count;
    if (row != last) {
        t->entities[row] = t->entities[last];
        ecs->records[hk_ecs_index(t->entities[row])].row = row;
        for (size_t k = 0; k < t->kind_count; k++) {
            size_t size = ecs->kinds[t->kinds[k]].size;
            if (size)
                memcpy(t->columns[k] + row * size, t->columns[k] + last * size, size);
        }
    }
    t->version++;
    ecs->version++;
}

void hk_ecs_tables_finish(hk_ecs *ecs) {
    for (size_t i = 0; i < ecs->table_count; i++) {
        hk_ecs_table *t = &ecs->tables[i];
        for (size_t k = 0; k < t->kind_count; k++)
            hk_free(t->columns[k]);
        hk_free(t->columns);
        hk_free(t->kinds);
        hk_free(t->entities);
        hk_free(t->plus);
        hk_free(t->minus);
    }
    hk_free(ecs->tables);
    ecs->tables = NULL;
    ecs->table_count = ecs->table_cap = 0;
}

/* ---- with one kind more or less */

static uint32_t *edge(uint32_t **edges, size_t *count, hk_ecs_kind kind) {
    if (kind >= *count) {
        *edges = hk_realloc(*edges, ((size_t)kind + 1) * sizeof **edges);
        while (*count <= kind)
            (*edges)[(*count)++] = NOBODY;
    }
    return &(*edges)[kind];
}

static uint32_t changed_table(hk_ecs *ecs, uint32_t from, hk_ecs_kind kind, bool more) {
    hk_ecs_table *t = &ecs->tables[from];
    uint32_t *known =
        more ? edge(&t->plus, &t->plus_count, kind) : edge(&t->minus, &t->minus_count, kind);
    if (*known != NOBODY)
        return *known;
    hk_ecs_kind *kinds = hk_alloc((t->kind_count + 1) * sizeof *kinds);
    size_t n = 0, i = 0;
    for (; i < t->kind_count && t->kinds[i] < kind; i++)
        kinds[n++] = t->kinds[i];
    if (more)
        kinds[n++] = kind;
    else
        i++;
    for (; i < t->kind_count; i++)
        kinds[n++] = t->kinds[i];
    uint32_t to = hk_ecs_table_of(ecs, kinds, n);
    hk_free(kinds);
    t = &ecs->tables[from]; /* they may have moved */
    *(more ? &t->plus[kind] : &t->minus[kind]) = to;
    return to;
}

static hk_ecs_result move(hk_ecs *ecs, uint32_t index, hk_ecs_kind kind, bool more) {
    uint32_t from = ecs->records[index].table, row = ecs->records[index].row;
    uint32_t to = changed_table(ecs, from, kind, more);
    if (to == NOBODY)
        return HK_ECS_FULL;
    hk_ecs_row_add(ecs, to, index);
    const hk_ecs_table *old = &ecs->tables[from], *new = &ecs->tables[to];
    for (size_t k = 0, n = 0; k < old->kind_count; k++) {
        size_t size = ecs->kinds[old->kinds[k]].size;
        while (n < new->kind_count &&new->kinds[n] < old->kinds[k])
            n++;
        if (size && n < new->kind_count &&new->kinds[n] == old->kinds[k])
            memcpy(new->columns[n] + ecs->records[index].row *size, old->columns[k] + row * size,
                   size);
    }
    hk_ecs_row_remove(ecs, from, row);
    return HK_ECS_OK;
}

hk_ecs_result hk_ecs_give(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind) {
    HK_ASSERT(ecs && kind < ecs->kind_count);
    if (!hk_ecs_there(ecs, entity))
        return HK_ECS_GONE;
    return hk_ecs_has(ecs, entity, kind) ? HK_ECS_OK : move(ecs, hk_ecs_index(entity), kind, true);
}

hk_ecs_result hk_ecs_take(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind) {
    HK_ASSERT(ecs && kind < ecs->kind_count);
    if (!hk_ecs_there(ecs, entity))
        return HK_ECS_GONE;
    return hk_ecs_has(ecs, entity, kind) ? move(ecs, hk_ecs_index(entity), kind, false) : HK_ECS_OK;
}

bool hk_ecs_has(const hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind) {
    HK_ASSERT(ecs);
    const hk_ecs_record *r = hk_ecs_record_of(ecs, entity);
    return r && hk_ecs_column(&ecs->tables[r->table], kind) != SIZE_MAX;
}

void *hk_ecs_data(const hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind) {
    HK_ASSERT(ecs);
    const hk_ecs_record *r = hk_ecs_record_of(ecs, entity);
    if (!r)
        return NULL;
    const hk_ecs_table *t = &ecs->tables[r->table];
    size_t column = hk_ecs_column(t, kind);
    if (column == SIZE_MAX || !t->columns[column])
        return NULL;
    return t->columns[column] + r->row * ecs->kinds[kind].size;
}

void hk_ecs_walk(const hk_ecs *ecs, hk_ecs_walk_fn *do_one, void *user) {
    HK_ASSERT(ecs && do_one);
    for (size_t i = 0; i < ecs->table_count; i++)
        if (ecs->tables[i].count)
            do_one(user, ecs->tables[i].entities, ecs->tables[i].count);
}
