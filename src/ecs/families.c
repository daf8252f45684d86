/* SPDX-License-Identifier: MIT
 *
 * Families: which tables match is known when a table is made; who is in them is looked up after a
 * structural change, table by table. In a loop without such changes a family costs nothing. */
#include "ecs/ecs_internal.h"

#include <string.h>

static bool matches(const hk_ecs_family *f, const hk_ecs_table *t) {
    for (size_t i = 0; i < f->with_count; i++)
        if (hk_ecs_column(t, f->with[i]) == SIZE_MAX)
            return false;
    for (size_t i = 0; i < f->without_count; i++)
        if (hk_ecs_column(t, f->without[i]) != SIZE_MAX)
            return false;
    return true;
}

static void meet(const hk_ecs *ecs, hk_ecs_family *f, uint32_t table) {
    if (matches(f, &ecs->tables[table]))
        HK_PUSH(f->tables, f->table_count, f->table_cap, table);
}

void hk_ecs_family_meet(hk_ecs *ecs, uint32_t table) {
    for (size_t i = 0; i < ecs->family_count; i++)
        meet(ecs, &ecs->families[i], table);
}

void hk_ecs_families_finish(hk_ecs *ecs) {
    for (size_t i = 0; i < ecs->family_count; i++) {
        hk_ecs_family *f = &ecs->families[i];
        hk_free(f->with);
        hk_free(f->without);
        hk_free(f->tables);
        hk_free(f->batches);
        hk_free(f->columns);
    }
    hk_free(ecs->families);
}

typedef struct kind_list {
    hk_ecs_kind *all;
    size_t count, cap;
} kind_list;

/* Adds the kinds that TEXT names. */
static hk_ecs_result read_kinds(hk_ecs *ecs, const char *text, bool tags, kind_list *list,
                                char ret_unknown[64]) {
    while (text && *(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        char name[256];
        if (length >= sizeof name)
            length = sizeof name - 1;
        memcpy(name, text, length);
        name[length] = 0;
        hk_ecs_kind kind = tags ? hk_ecs_tag(ecs, name) : hk_ecs_find_type(ecs, name);
        if (kind == HK_ECS_NONE) {
            size_t shown = length < 63 ? length : 63;
            memcpy(ret_unknown, name, shown);
            ret_unknown[shown] = 0;
            return tags ? HK_ECS_FULL : HK_ECS_NO_TYPE;
        }
        HK_PUSH(list->all, list->count, list->cap, kind);
        text += strcspn(text, " ");
    }
    return HK_ECS_OK;
}

hk_ecs_result hk_ecs_add_family(hk_ecs *ecs, const hk_family *names, size_t *ret_family,
                                char ret_unknown[64]) {
    HK_ASSERT(ecs && names && ret_family && ret_unknown);
    kind_list with = {0}, without = {0};
    hk_ecs_result result = read_kinds(ecs, names->with, false, &with, ret_unknown);
    if (result == HK_ECS_OK)
        result = read_kinds(ecs, names->tags, true, &with, ret_unknown);
    if (result == HK_ECS_OK)
        result = read_kinds(ecs, names->without, false, &without, ret_unknown);
    if (result == HK_ECS_OK)
        result = read_kinds(ecs, names->without_tags, true, &without, ret_unknown);
    if (result != HK_ECS_OK) {
        hk_free(with.all);
        hk_free(without.all);
        return result;
    }
    hk_ecs_family f = {.with = with.all,
                       .with_count = with.count,
                       .without = without.all,
                       .without_count = without.count};
    HK_PUSH(ecs->families, ecs->family_count, ecs->family_cap, f);
    for (size_t i = 0; i < ecs->table_count; i++)
        meet(ecs, &ecs->families[ecs->family_count - 1], (uint32_t)i);
    ecs->fixed_kinds = ecs->kind_count;
    *ret_family = ecs->family_count - 1;
    return HK_ECS_OK;
}

static void look(const hk_ecs *ecs, hk_ecs_family *f) {
    if (f->batch_cap < f->table_count) {
        f->batch_cap = f->table_count;
        f->batches = hk_realloc(f->batches, f->batch_cap * sizeof *f->batches);
        f->columns = hk_realloc(f->columns, f->batch_cap * (f->with_count + 1) * sizeof(void *));
    }
    size_t n = 0;
    f->members = (hk_members){.version = f->table_count};
    for (size_t i = 0; i < f->table_count; i++) {
        const hk_ecs_table *t = &ecs->tables[f->tables[i]];
        f->members.version += t->version;
        f->members.count += t->count;
        if (!t->count)
            continue;
        void **columns = f->columns + n * (f->with_count + 1);
        for (size_t k = 0; k < f->with_count; k++)
            columns[k] = t->columns[hk_ecs_column(t, f->with[k])];
        f->batches[n] = (hk_batch){t->count, t->entities, columns, NULL};
        if (n)
            f->batches[n - 1].next = &f->batches[n];
        n++;
    }
    f->members.batches = n ? f->batches : NULL;
    f->looked = ecs->version;
}

const hk_members *hk_ecs_members(hk_ecs *ecs, size_t family) {
    HK_ASSERT(ecs && family < ecs->family_count);
    hk_ecs_family *f = &ecs->families[family];
    if (f->looked != ecs->version)
        look(ecs, f);
    return &f->members;
}
