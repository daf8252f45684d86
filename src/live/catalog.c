/* SPDX-License-Identifier: MIT */
#include "live/catalog.h"

#include "base/number.h"

#include <string.h>

enum { NAME_MAX_SIZE = 4096 };

static void begin(hk_catalog *c, size_t count, size_t groups) {
    *c = (hk_catalog){.arena = hk_arena_create()};
    c->all = HK_NEW_ARRAY(c->arena, hk_watchable, count + 1);
    c->groups = HK_NEW_ARRAY(c->arena, hk_watchables, groups + 1);
}

static void add(hk_catalog *c, const hk_watchable *w) {
    hk_map_put(&c->names, w->name, (uint32_t)c->count);
    c->all[c->count++] = *w;
    c->groups[w->group].end = (uint32_t)c->count;
}

static bool is_settable(const hk_variable *v) {
    bool tuned = v->causality == HK_PARAMETER && v->variability == HK_TUNABLE && !v->hidden;
    return tuned || v->causality == HK_INPUT;
}

static void add_component(hk_catalog *c, const hk_model *model, uint32_t component) {
    const hk_component *of = &model->components[component];
    uint32_t first = (uint32_t)c->count;
    c->groups[c->group_count] = (hk_watchables){of->name, first, first};
    for (uint32_t v = 0; v < of->info->variable_count; v++) {
        const hk_variable *x = &of->info->variables[v];
        if (x->unusable || x->type == HK_TYPE_BINARY)
            continue;
        add(c, &(hk_watchable){.name = hk_arena_printf(c->arena, "%s.%s", of->name, x->name),
                               .inside = x->name,
                               .unit = x->unit,
                               .type = x->type,
                               .group = (uint32_t)c->group_count,
                               .component = component,
                               .variable = v,
                               .count = (uint32_t)x->count,
                               .settable = is_settable(x)});
    }
    c->group_count++;
}

void hk_catalog_of_model(const hk_model *model, hk_catalog *ret_catalog) {
    HK_ASSERT(model && ret_catalog);
    size_t count = 0;
    for (size_t i = 0; i < model->component_count; i++)
        count += model->components[i].info->variable_count;
    begin(ret_catalog, count, model->component_count);
    for (uint32_t i = 0; i < model->component_count; i++)
        add_component(ret_catalog, model, i);
}

/* "wheel.p" of "wheel.p.e"; "" of a name without a dot. */
static size_t group_size(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}

/* Columns of one group need not lie together in a file. */
static void add_columns(hk_catalog *c, const hk_table *table, const char *group, size_t size) {
    uint32_t first = (uint32_t)c->count;
    c->groups[c->group_count] =
        (hk_watchables){hk_arena_strndup(c->arena, group, size), first, first};
    for (uint32_t i = 1; i < table->columns; i++) {
        const char *name = table->names[i];
        const hk_table_column *about = table->about ? &table->about[i] : NULL;
        if (group_size(name) != size || strncmp(name, group, size) != 0)
            continue;
        add(c, &(hk_watchable){.name = name,
                               .inside = name + size + (size ? 1 : 0),
                               .unit = about ? about->unit : NULL,
                               .type = about ? about->type : HK_TYPE_COUNT,
                               .group = (uint32_t)c->group_count,
                               .variable = i,
                               .count = 1});
    }
    c->group_count++;
}

void hk_catalog_of_table(const hk_table *table, hk_catalog *ret_catalog) {
    HK_ASSERT(table && ret_catalog);
    hk_map seen = {0};
    begin(ret_catalog, table->columns, table->columns);
    for (size_t i = 1; i < table->columns; i++) {
        size_t size = group_size(table->names[i]);
        const char *group = hk_arena_strndup(ret_catalog->arena, table->names[i], size);
        if (hk_map_get(&seen, group) != HK_MAP_NONE)
            continue;
        hk_map_put(&seen, group, (uint32_t)i);
        add_columns(ret_catalog, table, group, size);
    }
    hk_map_finish(&seen);
}

void hk_catalog_finish(hk_catalog *catalog) {
    HK_ASSERT(catalog);
    hk_map_finish(&catalog->names);
    hk_arena_destroy(catalog->arena);
    *catalog = (hk_catalog){0};
}

/* The index at the end of "arm.q[2]", from 0; false: it has none. */
static bool take_index(const char *name, size_t *size, uint32_t *ret_element) {
    const char *bracket = memchr(name, '[', *size);
    uint64_t index;
    if (!bracket || name[*size - 1] != ']')
        return false;
    size_t before = (size_t)(bracket - name);
    if (!hk_read_u64(bracket + 1, *size - before - 2, &index) || index < 1 || index > UINT32_MAX)
        return false;
    *size = before;
    *ret_element = (uint32_t)(index - 1);
    return true;
}

hk_wanted hk_catalog_find(const hk_catalog *catalog, const char *name, size_t size) {
    HK_ASSERT(catalog && name);
    char key[NAME_MAX_SIZE];
    hk_wanted none = {HK_MAP_NONE, HK_MAP_NONE}, found = none;
    if (!size || size >= sizeof key || memchr(name, '\0', size))
        return none;
    memcpy(key, name, size);
    key[size] = '\0';
    found.what = hk_map_get(&catalog->names, key);
    if (found.what != HK_MAP_NONE)
        return found;
    if (!take_index(name, &size, &found.element))
        return none;
    key[size] = '\0';
    found.what = hk_map_get(&catalog->names, key);
    if (found.what == HK_MAP_NONE || found.element >= catalog->all[found.what].count)
        return none;
    return found;
}
