/* SPDX-License-Identifier: MIT
 *
 * Keeps the system as it is written (model/tree.h), with names resolved down to basic values:
 * composites, leaves, ports and the links inside each composite. */
#include "lang/system/system_internal.h"

#include "base/file.h"
#include "model/address.h"
#include "model/tree.h"

#include <string.h>

typedef struct keeper {
    hk_system *s;
    hk_tree *tree;
    hk_arena *arena;
    uint32_t *by_slot; /* per slot of a leaf: the connection that drives it */
    hk_map by_element; /* "component variable element" -> the same for single elements */
    size_t next;       /* scope */
} keeper;

static hk_where kept_where(const keeper *k, const hk_place *at) {
    return (hk_where){.file = k->s->model->file, .line = at->line, .column = at->column};
}

/* ---- comments ---- */

static void keep_comments(const keeper *k, hk_tree_comments *into, const hk_place *at) {
    for (size_t i = 0; i < at->before_count; i++)
        if (*at->before[i]) /* not an empty line */
            hk_tree_comment(k->arena, into, at->before[i]);
    if (at->behind)
        hk_tree_comment(k->arena, into, at->behind);
}

/* Items of a list have comments of their own. */
static void keep_inner(const keeper *k, hk_tree_comments *into, const hk_literal *literal) {
    for (size_t i = 0; i < literal->item_count; i++) {
        keep_comments(k, into, &literal->items[i].at);
        keep_inner(k, into, &literal->items[i]);
    }
}

/* Those of the file itself come before those of its outermost composite. */
static void keep_file_comments(const keeper *k) {
    const hk_systemfile *file = k->s->tree;
    hk_tree_comments *above = &k->tree->root->above;
    keep_comments(k, above, &file->at);
    for (size_t i = 0; i < file->import_count; i++)
        keep_comments(k, above, &file->imports[i].at);
    for (size_t i = 0; i < file->plugin_count; i++)
        keep_comments(k, above, &file->plugins[i].at);
    if (file->experiment)
        keep_comments(k, above, &file->experiment->at);
    keep_comments(k, &k->tree->rest, &file->end);
    keep_comments(k, &k->tree->rest, &file->rest);
}

/* A connector for each part of the port, of which the first one has them. */
static hk_tree_comments *above_port(hk_tree_element *system, const hk_item *item) {
    for (size_t i = 0; i < system->connector_count; i++) {
        hk_tree_connector *c = &system->connectors[i];
        if (strcmp(c->port ? c->port : c->name, item->port->name.text) == 0)
            return &c->above;
    }
    return &system->inside;
}

static void keep_item_comments(const keeper *k, hk_tree_element *system, const hk_item *item,
                               size_t first_connection) {
    hk_tree_comments *into = &system->inside;
    if (item->port)
        into = above_port(system, item);
    else if (item->kind == HK_ITEM_LINK && first_connection < system->connection_count)
        into = &system->connections[first_connection].above;
    keep_comments(k, into, &item->at);
    if (item->port)
        keep_inner(k, into, &item->port->start);
    if (item->kind == HK_ITEM_LINK)
        keep_inner(k, into, &item->link->initial);
}

static void keep_leaf_comments(const keeper *k, hk_tree_element *e, const hk_leaf *leaf) {
    keep_comments(k, &e->above, &leaf->at);
    for (size_t i = 0; i < leaf->item_count; i++) {
        const hk_leafitem *item = &leaf->items[i];
        hk_tree_comments all = {0};
        keep_comments(k, &all, &item->at);
        keep_inner(k, &all, &item->value);
        bool value = all.count && item->kind == HK_LEAF_PARAM;
        hk_tree_comment_all(
            k->arena, value ? &hk_tree_note_add(k->tree, e, item->name.text)->above : &e->inside,
            &all);
    }
    keep_comments(k, &e->inside, &leaf->end);
}

/* ---- what leaves are ---- */

static hk_tree_source source_of(const keeper *k, const hk_leafnode *leaf) {
    const hk_leafkind *kind = leaf->kind;
    hk_tree_source source = kind->source;
    const char *type = kind->leaf ? kind->leaf->name : NULL;
    source.leaf = type ? hk_arena_strdup(k->arena, type) : NULL;
    source.file = source.file ? hk_path_absolute(k->arena, source.file) : NULL;
    source.part = hk_arena_strdup(k->arena, source.part);
    return source;
}

/* ---- ports ---- */

static void keep_port(keeper *k, hk_tree_element *system, const hk_compositeport *port) {
    for (size_t i = 0; i < port->var.type->part_count; i++)
        HK_TREE_PUSH(k->arena, system->connectors, system->connector_count, system->connector_cap,
                     port->connectors[i]);
}

static void keep_interface(keeper *k, hk_tree_element *system, const hk_compositeport *port) {
    hk_tree_interface i = {.name = hk_arena_strdup(k->arena, port->var.name),
                           .interface = hk_arena_strdup(k->arena, port->interface->name),
                           .provided = port->role == HK_ROLE_PROVIDED,
                           .where = port->var.where};
    HK_TREE_PUSH(k->arena, system->interfaces, system->interface_count, system->interface_cap, i);
}

/* ---- links ---- */

/* A leaf of an entity is called "world.entity.leaf" in its composite. */
static const char *inner_element(const hk_system *s, const hk_end *end) {
    const char *name = s->model->components[s->leaves[end->leaf].component].name;
    while (strncmp(end->name->text, name, strlen(name)) != 0)
        name = strchr(name, '.') + 1; /* the path of the composite is before it */
    return name;
}

static hk_tree_end end_of(const keeper *k, const hk_end *end, size_t part) {
    const hk_system *s = k->s;
    const char *name = end->name->text;
    hk_tree_end kept = {0};
    if (end->member && s->leaves[end->leaf].inner)
        kept.element = inner_element(s, end);
    else if (!end->own)
        kept.element = hk_arena_strndup(k->arena, name, strcspn(name, "."));
    if (end->port) {
        kept.connector = end->port->connectors[end->first_part + part].name;
        return kept;
    }
    const hk_variable *v =
        &s->leaves[end->leaf].kind->info->variables[end->member->variables[end->first_part + part]];
    kept.connector = v->name;
    if (end->slice.count) {
        char *index = hk_arena_alloc(k->arena, hk_index_size(v));
        hk_index_write(v, end->slice.first, index);
        kept.connector = hk_arena_printf(k->arena, "%s%s", v->name, index);
    }
    return kept;
}

static const char *element_key(const keeper *k, uint32_t component, uint32_t variable,
                               uint32_t element) {
    return hk_arena_printf(k->s->arena, "%u %u %u", component, variable, element);
}

/* The connection of the model that a link into a leaf ends in; NULL: it is none of a leaf. What it
 * says holds for the whole way, as the last link of a way does. */
static const hk_connection *connection_of(const keeper *k, const hk_end *to, size_t part) {
    const hk_model *model = k->s->model;
    if (!to->member)
        return NULL;
    uint32_t variable = to->member->variables[to->first_part + part];
    const hk_leafnode *leaf = &k->s->leaves[to->leaf];
    if (!to->slice.count) {
        uint32_t index = k->by_slot[leaf->first_slot + variable];
        return index == HK_MAP_NONE ? NULL : &model->connections[index];
    }
    uint32_t index =
        hk_map_get(&k->by_element, element_key(k, leaf->component, variable, to->slice.first));
    return index == HK_MAP_NONE ? NULL : &model->connections[index];
}

static void keep_part(keeper *k, hk_tree_element *system, const hk_tree_connection *said,
                      const hk_end *from, const hk_end *to, size_t part) {
    const hk_connection *whole = connection_of(k, to, part);
    hk_tree_connection c = {.from = end_of(k, from, part),
                            .to = end_of(k, to, part),
                            .factor = 1,
                            .lag = whole ? whole->lag : said->lag,
                            .delay = said->delay,
                            .where = kept_where(k, &to->name->at)};
    if (from->member)
        (void)hk_ratio_add(c.delay, k->s->leaves[from->leaf].delay, &c.delay);
    if (whole && whole->initial.data)
        c.initial = hk_value_format_all(k->arena, &whole->initial);
    HK_TREE_PUSH(k->arena, system->connections, system->connection_count, system->connection_cap,
                 c);
}

/* The whole system was understood, so nothing of this can fail. */
static void keep_link(keeper *k, hk_scope *scope, hk_tree_element *system, const hk_link *link) {
    hk_end from, to;
    hk_tree_connection said = {.delay = {0, 1}};
    if (!hk_system_find_end(k->s, scope, &link->from, &from))
        return;
    (void)hk_system_lag(k->s, &link->lag, &said.lag);
    (void)hk_system_time(k->s, &link->delay, "delay", false, &said.delay);
    for (size_t i = 0; i < link->to_count; i++)
        if (hk_system_find_end(k->s, scope, &link->to[i], &to))
            for (size_t p = 0; p < to.part_count; p++)
                keep_part(k, system, &said, &from, &to, p);
}

static void keep_service(keeper *k, hk_tree_element *system, const hk_link *link) {
    for (size_t i = 0; i < link->to_count; i++) {
        hk_tree_service service = {.from = hk_arena_strdup(k->arena, link->from.text),
                                   .to = hk_arena_strdup(k->arena, link->to[i].text),
                                   .where = kept_where(k, &link->to[i].at)};
        HK_TREE_PUSH(k->arena, system->services, system->service_count, system->service_cap,
                     service);
    }
}

/* ---- composites ---- */

static void keep_leaf(keeper *k, hk_tree_element *system, const hk_scope *scope,
                      const hk_item *item) {
    const hk_member *member = &scope->members[hk_map_get(&scope->by_name, item->leaf->name.text)];
    const hk_leafnode *leaf = &k->s->leaves[member->leaf];
    hk_tree_element *e = hk_tree_add(k->tree, system, HK_TREE_COMPONENT, item->leaf->name.text);
    e->where = kept_where(k, &item->leaf->name.at);
    e->component = leaf->component;
    e->source = source_of(k, leaf);
    e->frames = leaf->kind->frames;
    keep_leaf_comments(k, e, item->leaf);
}

static void keep_node(keeper *k, hk_tree_element *system, const hk_leafnode *leaf,
                      const char *name) {
    hk_tree_element *e = hk_tree_add(k->tree, system, HK_TREE_COMPONENT, name);
    e->where = kept_where(k, &leaf->syntax->name.at);
    e->component = leaf->component;
    e->source = source_of(k, leaf);
    e->frames = leaf->kind->frames;
}

static void keep_world(keeper *k, hk_tree_element *system, hk_scope *scope,
                       const hk_worlddecl *world) {
    hk_system *s = k->s;
    const hk_worldnode *node = hk_system_world_node(s, scope, world);
    const hk_member *member = &scope->members[hk_map_get(&scope->by_name, world->name.text)];
    keep_node(k, system, &s->leaves[member->leaf], world->name.text);
    for (size_t i = 0; i < node->inner_count; i++)
        keep_node(k, system, &s->leaves[node->inner[i].leaf],
                  hk_arena_printf(k->arena, "%s.%s", world->name.text, node->inner[i].name));
    for (size_t i = 0; i < node->link_count; i++)
        keep_link(k, scope, system, &node->links[i]);
}

static void keep_scope(keeper *k, hk_tree_element *system) {
    hk_scope *scope = k->s->scopes[k->next++];
    const hk_composite *syntax = scope->syntax;
    system->where = kept_where(k, &syntax->name.at);
    (void)hk_tree_role_find(syntax->role.text, &system->role); /* none: it has none */
    keep_comments(k, &system->above, &syntax->at);
    for (size_t i = 0; i < scope->member_count; i++) {
        const hk_compositeport *port = scope->members[i].port;
        if (port && port->interface)
            keep_interface(k, system, port);
        else if (port)
            keep_port(k, system, port);
    }
    for (size_t i = 0; i < syntax->item_count; i++) {
        const hk_item *item = &syntax->items[i];
        size_t connections = system->connection_count;
        if (item->kind == HK_ITEM_COMPOSITE)
            keep_scope(k, hk_tree_add(k->tree, system, HK_TREE_SYSTEM, item->composite->name.text));
        else if (item->kind == HK_ITEM_LEAF)
            keep_leaf(k, system, scope, item);
        else if (item->kind == HK_ITEM_WORLD)
            keep_world(k, system, scope, item->world);
        else if (item->kind == HK_ITEM_LINK)
            keep_link(k, scope, system, item->link);
        else if (item->kind == HK_ITEM_SERVICE)
            keep_service(k, system, item->link);
        keep_item_comments(k, system, item, connections);
    }
    keep_comments(k, &system->inside, &syntax->end);
}

/* ---- files ---- */

static hk_tree_file file_of(keeper *k, const hk_name *name) {
    const char *path = hk_path_join(k->s->arena, k->s->folder, name->text);
    return (hk_tree_file){.name = hk_arena_strdup(k->arena, name->text),
                          .path = hk_path_absolute(k->arena, path),
                          .where = kept_where(k, &name->at)};
}

/* A type file that something is declared in, once. */
static void keep_other(keeper *k, const char *file) {
    hk_tree *tree = k->tree;
    const char *path = file ? hk_path_absolute(k->arena, file) : NULL;
    for (size_t i = 0; path && i < tree->import_count; i++)
        if (strcmp(tree->imports[i].path, path) == 0)
            return;
    for (size_t i = 0; path && i < tree->other_count; i++)
        if (strcmp(tree->others[i].path, path) == 0)
            return;
    hk_tree_file other = {.name = path, .path = path};
    if (path)
        HK_TREE_PUSH(k->arena, tree->others, tree->other_count, tree->other_cap, other);
}

/* Type files import others. */
static void keep_others(keeper *k) {
    const hk_types *types = k->s->types;
    for (size_t i = types->core_count; i < types->type_count; i++)
        keep_other(k, types->types[i]->file);
    for (size_t i = 0; i < types->interface_count; i++)
        keep_other(k, types->interfaces[i]->file);
    for (size_t i = 0; i < types->leaf_count; i++)
        keep_other(k, types->leaves[i]->file);
}

static void keep_files(keeper *k) {
    hk_tree *tree = k->tree;
    const hk_systemfile *file = k->s->tree;
    for (size_t i = 0; i < file->import_count; i++)
        HK_TREE_PUSH(k->arena, tree->imports, tree->import_count, tree->import_cap,
                     file_of(k, &file->imports[i]));
    for (size_t i = 0; i < file->plugin_count; i++)
        HK_TREE_PUSH(k->arena, tree->plugins, tree->plugin_count, tree->plugin_cap,
                     file_of(k, &file->plugins[i]));
    keep_others(k);
}

void hk_system_keep(hk_system *s) {
    hk_model *model = s->model;
    keeper k = {.s = s, .arena = model->arena};
    k.tree = hk_tree_create(model, s->tree->root->name.text);
    k.by_slot = HK_NEW_ARRAY(s->arena, uint32_t, s->slot_count + 1);
    memset(k.by_slot, 0xff, (s->slot_count + 1) * sizeof *k.by_slot);
    uint32_t *first_slot = HK_NEW_ARRAY(s->arena, uint32_t, model->component_count + 1);
    for (size_t i = 0; i < s->leaf_count; i++)
        first_slot[s->leaves[i].component] = s->leaves[i].first_slot;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *c = &model->connections[i];
        if (!c->shared && !c->to_slice.count)
            k.by_slot[first_slot[c->to_component] + c->to_variable] = i;
        else if (!c->shared)
            hk_map_put(&k.by_element,
                       element_key(&k, c->to_component, c->to_variable, c->to_slice.first), i);
    }
    keep_files(&k);
    keep_file_comments(&k);
    keep_scope(&k, k.tree->root);
    hk_map_finish(&k.by_element);
}
