/* SPDX-License-Identifier: MIT
 *
 * Component types and tags; the store as a whole. */
#include "ecs/ecs_internal.h"

#include <string.h>

const char *hk_ecs_words(hk_ecs_result result) {
    static const char *const words[] = {
        "it is done",
        "the entity is not there",
        "the name is used already",
        "there is not such a component type",
        "an entity cannot be above itself",
        "there are too many of them",
    };
    return words[result];
}

hk_ecs *hk_ecs_create(void) {
    hk_ecs *ecs = hk_alloc(sizeof *ecs);
    ecs->free = NOBODY;
    ecs->version = 1;
    (void)hk_ecs_table_of(ecs, NULL, 0);
    return ecs;
}

void hk_ecs_destroy(hk_ecs *ecs) {
    if (!ecs)
        return;
    hk_ecs_families_finish(ecs);
    hk_ecs_tables_finish(ecs);
    for (size_t i = 0; i < ecs->kind_count; i++) {
        hk_free(ecs->kinds[i].name);
        hk_free(ecs->kinds[i].start);
    }
    hk_map_finish(&ecs->kind_by_name);
    hk_free(ecs->kinds);
    hk_free(ecs->records);
    hk_free(ecs->pool);
    hk_free(ecs->slots);
    hk_free(ecs->commands);
    hk_free(ecs->command_data.data);
    hk_free(ecs->deep);
    hk_free(ecs);
}

/* Types and tags have names of their own: a tag is kept as "#name". */
static hk_ecs_kind add_kind(hk_ecs *ecs, const char *name, hk_ecs_kind_data kind) {
    if (ecs->kind_count >= HK_ECS_NONE)
        return HK_ECS_NONE;
    size_t length = strlen(name);
    kind.name = hk_alloc(length + 1);
    memcpy(kind.name, name, length);
    hk_ecs_kind number = (hk_ecs_kind)ecs->kind_count;
    HK_PUSH(ecs->kinds, ecs->kind_count, ecs->kind_cap, kind);
    hk_map_put(&ecs->kind_by_name, kind.name, number);
    return number;
}

hk_ecs_kind hk_ecs_add_type(hk_ecs *ecs, const hk_component_type *type, const void *start) {
    HK_ASSERT(ecs && type && type->name);
    HK_ASSERT(hk_map_get(&ecs->kind_by_name, type->name) == HK_MAP_NONE);
    hk_ecs_kind_data kind = {.type = type, .size = type->data_size};
    if (start && type->data_size) {
        kind.start = hk_alloc(type->data_size);
        memcpy(kind.start, start, type->data_size);
    }
    hk_ecs_kind number = add_kind(ecs, type->name, kind);
    ecs->fixed_kinds = ecs->kind_count;
    return number;
}

hk_ecs_kind hk_ecs_find_type(const hk_ecs *ecs, const char *name) {
    HK_ASSERT(ecs && name);
    uint32_t found = *name == '#' ? HK_MAP_NONE : hk_map_get(&ecs->kind_by_name, name);
    return found == HK_MAP_NONE ? HK_ECS_NONE : (hk_ecs_kind)found;
}

const hk_component_type *hk_ecs_type(const hk_ecs *ecs, hk_ecs_kind kind) {
    HK_ASSERT(ecs && kind < ecs->kind_count);
    return ecs->kinds[kind].type;
}

hk_ecs_kind hk_ecs_tag(hk_ecs *ecs, const char *name) {
    HK_ASSERT(ecs && name);
    char *full = hk_alloc(strlen(name) + 2);
    full[0] = '#';
    memcpy(full + 1, name, strlen(name));
    uint32_t found = hk_map_get(&ecs->kind_by_name, full);
    hk_ecs_kind kind = found != HK_MAP_NONE ? (hk_ecs_kind)found
                                            : add_kind(ecs, full, (hk_ecs_kind_data){.type = NULL});
    hk_free(full);
    return kind;
}

const char *hk_ecs_kind_name(const hk_ecs *ecs, hk_ecs_kind kind) {
    HK_ASSERT(ecs && kind < ecs->kind_count);
    const hk_ecs_kind_data *k = &ecs->kinds[kind];
    return k->type ? k->name : k->name + 1;
}

size_t hk_ecs_count(const hk_ecs *ecs) {
    HK_ASSERT(ecs);
    return ecs->count;
}

uint64_t hk_ecs_version(const hk_ecs *ecs) {
    HK_ASSERT(ecs);
    return ecs->version;
}

size_t hk_ecs_bytes(const hk_ecs *ecs, size_t *ret_data) {
    HK_ASSERT(ecs);
    size_t all = sizeof *ecs + ecs->record_cap * sizeof *ecs->records + ecs->pool_cap +
                 ecs->slot_count * sizeof *ecs->slots + ecs->table_cap * sizeof *ecs->tables +
                 ecs->command_cap * sizeof *ecs->commands + ecs->command_data.cap +
                 ecs->deep_cap * sizeof *ecs->deep;
    size_t data = 0;
    for (size_t i = 0; i < ecs->table_count; i++) {
        const hk_ecs_table *t = &ecs->tables[i];
        all += t->cap * sizeof *t->entities + (t->plus_count + t->minus_count) * sizeof *t->plus;
        for (size_t k = 0; k < t->kind_count; k++) {
            all += t->cap * ecs->kinds[t->kinds[k]].size;
            data += t->count * ecs->kinds[t->kinds[k]].size;
        }
    }
    if (ret_data)
        *ret_data = data;
    return all;
}
