/* SPDX-License-Identifier: MIT */
#include "model/tree.h"

#include "model/address.h"

#include <string.h>

const char *hk_tree_kind_name(hk_tree_kind kind) {
    static const char *const names[] = {
        "unspecified",         "input",    "output", "parameter", "calculatedParameter", "inout",
        "structuralParameter", "constant", "local"};
    HK_ASSERT((size_t)kind < sizeof names / sizeof *names);
    return names[kind];
}

void *hk_tree_grow(hk_arena *arena, const void *old, size_t *cap, size_t size) {
    size_t more = *cap ? 2 * *cap : 4;
    void *grown = hk_arena_alloc(arena, more * size);
    if (old)
        memcpy(grown, old, *cap * size);
    *cap = more;
    return grown;
}

/* ---- comments ---- */

void hk_tree_comment(hk_arena *arena, hk_tree_comments *comments, const char *text) {
    HK_TREE_PUSH(arena, comments->texts, comments->count, comments->cap,
                 hk_arena_strdup(arena, text));
}

void hk_tree_comment_all(hk_arena *arena, hk_tree_comments *comments,
                         const hk_tree_comments *from) {
    for (size_t i = 0; i < from->count; i++)
        hk_tree_comment(arena, comments, from->texts[i]);
}

hk_tree_note *hk_tree_note_find(const hk_tree_element *component, const char *name) {
    for (size_t i = 0; i < component->note_count; i++)
        if (strcmp(component->notes[i].name, name) == 0)
            return &component->notes[i];
    return NULL;
}

hk_tree_note *hk_tree_note_add(hk_tree *tree, hk_tree_element *component, const char *name) {
    hk_tree_note *note = hk_tree_note_find(component, name);
    if (note)
        return note;
    hk_tree_note made = {.name = hk_arena_strdup(tree->arena, name)};
    HK_TREE_PUSH(tree->arena, component->notes, component->note_count, component->note_cap, made);
    return &component->notes[component->note_count - 1];
}

/* ---- elements ---- */

static hk_tree_element *new_element(hk_tree *tree, hk_tree_element_kind kind, const char *name) {
    hk_tree_element *element = HK_NEW(tree->arena, hk_tree_element);
    element->kind = kind;
    element->name = hk_arena_strdup(tree->arena, name);
    element->component = HK_MAP_NONE;
    return element;
}

bool hk_left_out_add(hk_left_out *left, const char *what) {
    for (size_t i = 0; i < left->count; i++)
        if (strcmp(left->what[i], what) == 0)
            return false;
    const char *kept = hk_arena_strdup(left->arena, what);
    HK_TREE_PUSH(left->arena, left->what, left->count, left->cap, kept);
    return true;
}

void hk_tree_lose(hk_tree *tree, const hk_tree_lost *lost) {
    hk_tree_lost kept = *lost;
    kept.what = hk_arena_strdup(tree->arena, lost->what);
    kept.where.file = lost->where.file ? hk_arena_strdup(tree->arena, lost->where.file) : NULL;
    kept.where.element = NULL;
    HK_TREE_PUSH(tree->arena, tree->lost, tree->lost_count, tree->lost_cap, kept);
}

hk_tree *hk_tree_create(hk_model *model, const char *name) {
    hk_tree *tree = HK_NEW(model->arena, hk_tree);
    tree->arena = model->arena;
    tree->root = new_element(tree, HK_TREE_SYSTEM, name);
    model->tree = tree;
    return tree;
}

hk_tree_element *hk_tree_add(hk_tree *tree, hk_tree_element *system, hk_tree_element_kind kind,
                             const char *name) {
    HK_ASSERT(system->kind == HK_TREE_SYSTEM);
    hk_tree_element *element = new_element(tree, kind, name);
    element->parent = system;
    HK_TREE_PUSH(tree->arena, system->elements, system->element_count, system->element_cap,
                 element);
    return element;
}

hk_tree_element *hk_tree_find(const hk_tree_element *system, const char *name) {
    for (size_t i = 0; i < system->element_count; i++)
        if (system->elements[i]->kind != HK_TREE_DICTIONARY &&
            strcmp(system->elements[i]->name, name) == 0)
            return system->elements[i];
    return NULL;
}

static void note_leaves(const hk_tree_element *e, const hk_tree_element **leaves) {
    if (e->kind == HK_TREE_COMPONENT)
        leaves[e->component] = e;
    for (size_t i = 0; i < e->element_count; i++)
        note_leaves(e->elements[i], leaves);
}

const hk_tree_element **hk_tree_leaves(hk_arena *arena, const hk_model *model) {
    const hk_tree_element **leaves =
        HK_NEW_ARRAY(arena, const hk_tree_element *, model->component_count + 1);
    if (model->tree)
        note_leaves(model->tree->root, leaves);
    return leaves;
}

const hk_tree_element *hk_tree_role_owner(const hk_tree_element *element) {
    while (element && element->role == HK_TREE_NO_ROLE)
        element = element->parent;
    return element;
}

/* ---- what writers ask ---- */

void hk_tree_sinks(hk_arena *arena, const hk_model *model, hk_map *sinks) {
    for (uint32_t i = 0; i < model->connection_count; i++) {
        hk_address sink = hk_connection_sink(&model->connections[i]);
        hk_map_put(sinks, hk_address_name(arena, model, &sink), i);
    }
}

const hk_connection *hk_tree_whole(hk_arena *arena, const hk_model *model, const hk_map *sinks,
                                   const hk_tree_element *system, const hk_tree_connection *k) {
    const hk_tree_element *to = k->to.element ? hk_tree_find(system, k->to.element) : NULL;
    if (!to || to->kind != HK_TREE_COMPONENT)
        return NULL;
    const char *component = model->components[to->component].name;
    uint32_t index = hk_map_get(sinks, hk_arena_printf(arena, "%s.%s", component, k->to.connector));
    if (index == HK_MAP_NONE) /* an array that is connected element by element */
        index = hk_map_get(sinks, hk_arena_printf(arena, "%s.%s[1]", component, k->to.connector));
    return index == HK_MAP_NONE ? NULL : &model->connections[index];
}

const char *hk_tree_item(const hk_variable *v, int64_t value) {
    for (size_t i = 0; v->enumeration && i < v->enumeration->item_count; i++)
        if (v->enumeration->item_values[i] == value)
            return v->enumeration->item_names[i];
    return NULL;
}

/* ---- a flat tree ---- */

static hk_tree_end end_of(const hk_model *model, uint32_t component, uint32_t variable,
                          hk_slice slice) {
    const hk_component *c = &model->components[component];
    const hk_variable *v = &c->info->variables[variable];
    const char *name = v->name;
    if (slice.count) {
        char *index = hk_arena_alloc(model->arena, hk_index_size(v));
        hk_index_write(v, slice.first, index);
        name = hk_arena_printf(model->arena, "%s%s", v->name, index);
    }
    return (hk_tree_end){c->name, name};
}

/* Whole numbers of a table as texts. */
static const char *const *numbers(hk_arena *arena, const int64_t *values, size_t count) {
    const char **texts = HK_NEW_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        texts[i] = hk_arena_printf(arena, "%lld", (long long)values[i]);
    return texts;
}

static void add_connection(hk_tree *tree, const hk_model *model, const hk_connection *k) {
    hk_tree_element *root = tree->root;
    hk_tree_connection c = {
        .from = end_of(model, k->from_component, k->from_variable, k->from_slice),
        .to = end_of(model, k->to_component, k->to_variable, k->to_slice),
        .transform = k->transform.kind,
        .factor = k->transform.factor,
        .offset = k->transform.offset,
        .map_from = numbers(tree->arena, k->transform.map_from, k->transform.map_count),
        .map_to = numbers(tree->arena, k->transform.map_to, k->transform.map_count),
        .map_count = k->transform.map_count,
        .suppress_unit_conversion = k->suppress_unit_conversion,
        .lag = k->lag,
        .delay = k->delay,
        .initial = k->initial.data ? hk_value_format_all(tree->arena, &k->initial) : NULL,
        .where = k->where};
    HK_TREE_PUSH(tree->arena, root->connections, root->connection_count, root->connection_cap, c);
}

void hk_tree_from_model(hk_model *model, hk_tree_source_fn *source) {
    hk_tree *tree = hk_tree_create(model, model->name);
    tree->root->where = (hk_where){.file = model->file};
    for (uint32_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        hk_tree_element *element = hk_tree_add(tree, tree->root, HK_TREE_COMPONENT, c->name);
        element->component = i;
        element->where = c->where;
        element->source = source(c->info);
    }
    for (size_t i = 0; i < model->connection_count; i++)
        if (!model->connections[i].shared)
            add_connection(tree, model, &model->connections[i]);
}
