/* SPDX-License-Identifier: MIT
 *
 * Walks through composites: first all that is declared, then what refers to it. */
#include "lang/system/system_internal.h"

#include <string.h>

const char *hk_scope_text(hk_system *s, const hk_scope *scope) {
    if (!scope->parent)
        return hk_arena_printf(s->arena, "the root composite '%s'", scope->syntax->name.text);
    return hk_arena_printf(s->arena, "composite '%s'", scope->path);
}

static const char *path_below(hk_system *s, const hk_scope *scope, const char *name) {
    return *scope->path ? hk_arena_printf(s->arena, "%s.%s", scope->path, name) : name;
}

/* NULL: the name is missing or taken. */
static hk_member *add_member(hk_system *s, hk_scope *scope, hk_member_kind kind,
                             const hk_name *name) {
    if (!*name->text) {
        scope->unsure = true;
        return NULL;
    }
    uint32_t index = (uint32_t)scope->member_count;
    uint32_t there = hk_map_put(&scope->by_name, name->text, index);
    if (there != index) {
        hk_complain(&s->complaints, HK_E_DUPLICATE, hk_system_where(s, &name->at),
                    "give one of them another name",
                    "%s has two things called '%s'; the other one is in line %d",
                    hk_scope_text(s, scope), name->text, scope->members[there].line);
        scope->unsure = true;
        return NULL;
    }
    hk_member member = {.kind = kind, .name = name->text, .line = name->at.line};
    HK_PUSH(scope->members, scope->member_count, scope->member_cap, member);
    return &scope->members[index];
}

/* A leaf that is called PATH in the model: its index. */
static uint32_t place_leaf(hk_system *s, const char *path, const hk_leaf *leaf, hk_leafkind *kind) {
    uint32_t index = (uint32_t)s->leaf_count;
    hk_leafnode node = {.syntax = leaf,
                        .kind = kind,
                        .component = HK_MAP_NONE,
                        .first_slot = (uint32_t)s->slot_count,
                        .delay = {0, 1}};
    HK_PUSH(s->leaves, s->leaf_count, s->leaf_cap, node);
    if (!kind)
        return index;
    hk_slot slot = {.inbound = HK_MAP_NONE};
    for (size_t i = 0; i < kind->info->variable_count; i++)
        HK_PUSH(s->slots, s->slot_count, s->slot_cap, slot);
    hk_system_add_leaf(s, path, index);
    s->leaves[index].first_interface = (uint32_t)s->flat.interface_count;
    for (uint32_t i = 0; i < kind->info->service_count; i++)
        (void)hk_flat_add_interface(&s->flat, s->leaves[index].component, i);
    return index;
}

static void add_leaf(hk_system *s, hk_scope *scope, const hk_leaf *leaf) {
    hk_member *member = add_member(s, scope, HK_MEMBER_LEAF, &leaf->name);
    hk_leafkind *kind = hk_system_kind(s, &leaf->type);
    if (member)
        member->leaf = place_leaf(s, path_below(s, scope, leaf->name.text), leaf, kind);
}

/* The world is a leaf, and leaves of its entities are leaves behind it. */
static void add_world(hk_system *s, hk_scope *scope, const hk_worlddecl *world) {
    const char *path = path_below(s, scope, world->name.text);
    hk_worldnode *node = HK_NEW(s->arena, hk_worldnode);
    hk_member *member = add_member(s, scope, HK_MEMBER_LEAF, &world->name);
    node->syntax = world;
    const hk_leaf *leaf = hk_system_add_world(s, scope, path, node);
    if (!leaf)
        scope->unsure = true;
    if (!member)
        return;
    hk_leafkind *kind = leaf ? hk_system_kind(s, &leaf->type) : NULL;
    uint32_t index = member->leaf = place_leaf(s, path, leaf, kind);
    if (!leaf || !s->leaves[index].kind)
        return;
    s->leaves[index].world = node;
    hk_component *c = &s->model->components[s->leaves[index].component];
    c->has_period = node->has_period;
    c->period = node->period;
    for (size_t i = 0; i < node->inner_count; i++) {
        hk_worldinner *inner = &node->inner[i];
        inner->leaf = place_leaf(s, hk_arena_printf(s->arena, "%s.%s", path, inner->name),
                                 inner->syntax, hk_system_kind(s, &inner->syntax->type));
        hk_leafnode *added = &s->leaves[inner->leaf];
        added->inner = true;
        if (inner->dormant && added->component != HK_MAP_NONE)
            s->model->components[added->component].inactive = true;
    }
}

/* A port as the tree has it: one connector for each part. */
static const hk_tree_connector *connectors_of(hk_system *s, const hk_compositeport *port) {
    const hk_lang_var *var = &port->var;
    hk_arena *arena = s->model->arena;
    hk_tree_connector *all = HK_NEW_ARRAY(arena, hk_tree_connector, var->type->part_count + 1);
    for (size_t i = 0; i < var->type->part_count; i++) {
        const hk_part *part = &var->type->parts[i];
        const char *unit = part->unit ? part->unit : var->unit;
        const char *frame = part->frame ? part->frame : var->frame;
        all[i] = (hk_tree_connector){
            .name = hk_arena_strdup(arena, hk_part_name(s->arena, var->name, part->name)),
            .kind = port->role == HK_ROLE_INPUT ? HK_TREE_INPUT : HK_TREE_OUTPUT,
            .has_type = true,
            .type = part->type,
            .unit = unit ? hk_arena_strdup(arena, unit) : NULL,
            .enumeration = part->enumeration ? part->enumeration->items : NULL,
            .sizes = part->dims,
            .size_count = part->dim_count,
            .port = hk_arena_strdup(arena, var->name),
            .port_type = hk_arena_strdup(arena, var->type->name),
            .frame = frame ? hk_arena_strdup(arena, frame) : NULL,
            .where = var->where};
    }
    return all;
}

static void add_port(hk_system *s, hk_scope *scope, const hk_item *item) {
    hk_lang_var var;
    bool known = hk_types_resolve_var(&s->reader, "", s->file, item->port, &var);
    hk_member *member = add_member(s, scope, HK_MEMBER_PORT, &item->port->name);
    if (!member)
        return;
    hk_compositeport *port = member->port = HK_NEW(s->arena, hk_compositeport);
    port->role = item->kind == HK_ITEM_INPUT ? HK_ROLE_INPUT : HK_ROLE_OUTPUT;
    port->first = (uint32_t)s->flat.node_count;
    if (!known) {
        port->broken = true;
        return;
    }
    port->var = var;
    port->connectors = connectors_of(s, port);
    for (size_t i = 0; i < var.type->part_count; i++)
        (void)hk_flat_add_node(&s->flat, NULL, &port->connectors[i]);
}

static void add_interface(hk_system *s, hk_scope *scope, const hk_item *item) {
    const hk_lang_interface *interface =
        hk_types_name_interface(&s->reader, "", s->file, &item->use->interface);
    hk_member *member = add_member(s, scope, HK_MEMBER_PORT, &item->use->name);
    if (!member)
        return;
    hk_compositeport *port = member->port = HK_NEW(s->arena, hk_compositeport);
    port->role = item->kind == HK_ITEM_PROVIDES ? HK_ROLE_PROVIDED : HK_ROLE_REQUIRED;
    port->var.name = item->use->name.text;
    port->var.where = hk_system_where(s, &item->use->name.at);
    port->interface = interface;
    port->broken = !interface;
    port->first = hk_flat_add_interface(&s->flat, HK_MAP_NONE, 0);
    s->flat.interfaces[port->first].bad = !interface;
}

static void add_scope(hk_system *s, hk_scope *parent, const hk_composite *composite);

static void add_items(hk_system *s, hk_scope *scope) {
    for (size_t i = 0; i < scope->syntax->item_count; i++) {
        const hk_item *item = &scope->syntax->items[i];
        switch (item->kind) {
        case HK_ITEM_COMPOSITE:
            add_scope(s, scope, item->composite);
            break;
        case HK_ITEM_LEAF:
            add_leaf(s, scope, item->leaf);
            break;
        case HK_ITEM_WORLD:
            add_world(s, scope, item->world);
            break;
        case HK_ITEM_INPUT:
        case HK_ITEM_OUTPUT:
            add_port(s, scope, item);
            break;
        case HK_ITEM_PROVIDES:
        case HK_ITEM_REQUIRES:
            add_interface(s, scope, item);
            break;
        default:
            break;
        }
    }
}

/* A role holds for all that is inside, so an inner composite cannot have another one. */
static void take_role(hk_system *s, hk_scope *scope) {
    const hk_composite *composite = scope->syntax;
    hk_tree_role around = scope->parent ? scope->parent->role : HK_TREE_NO_ROLE;
    scope->role = around;
    if (!*composite->role.text || !hk_tree_role_find(composite->role.text, &scope->role) ||
        around == HK_TREE_NO_ROLE || around == scope->role)
        return;
    const hk_scope *owner = scope->parent;
    while (!*owner->syntax->role.text)
        owner = owner->parent;
    hk_complain(&s->complaints, HK_E_LANGUAGE, hk_system_where(s, &composite->role.at),
                "remove one of the two roles, or put the composites beside each other",
                "%s is '%s', and %s, which it is in, is '%s'", hk_scope_text(s, scope),
                composite->role.text, hk_scope_text(s, owner), owner->syntax->role.text);
}

static void add_scope(hk_system *s, hk_scope *parent, const hk_composite *composite) {
    hk_scope *scope = HK_NEW(s->arena, hk_scope);
    scope->syntax = composite;
    scope->parent = parent;
    scope->path = parent ? path_below(s, parent, composite->name.text) : "";
    scope->unsure = s->incomplete;
    take_role(s, scope);
    if (parent) {
        hk_member *member = add_member(s, parent, HK_MEMBER_SCOPE, &composite->name);
        if (!member)
            return;
        member->scope = scope;
    }
    HK_PUSH(s->scopes, s->scope_count, s->scope_cap, scope);
    scope->first_leaf = (uint32_t)s->leaf_count;
    add_items(s, scope);
    scope->leaf_count = (uint32_t)s->leaf_count - scope->first_leaf;
}

static void read_world_links(hk_system *s, hk_scope *scope, const hk_worlddecl *world) {
    const hk_worldnode *node = hk_system_world_node(s, scope, world);
    for (size_t i = 0; node && i < node->link_count; i++)
        hk_system_link(s, scope, &node->links[i]);
}

/* In the order of the text, which the scopes are in too. */
static void read_statements(hk_system *s, size_t *next) {
    hk_scope *scope = s->scopes[(*next)++];
    for (size_t i = 0; i < scope->syntax->item_count; i++) {
        const hk_item *item = &scope->syntax->items[i];
        bool inner = item->kind == HK_ITEM_COMPOSITE && *next < s->scope_count &&
                     s->scopes[*next]->syntax == item->composite;
        if (inner)
            read_statements(s, next);
        else if (item->kind == HK_ITEM_LINK)
            hk_system_link(s, scope, item->link);
        else if (item->kind == HK_ITEM_WORLD)
            read_world_links(s, scope, item->world);
        else if (item->kind == HK_ITEM_SERVICE)
            hk_system_service(s, scope, item->link);
        else if (item->kind == HK_ITEM_SHARE)
            hk_system_share(s, scope, item->link);
        else if (item->kind == HK_ITEM_PROCESSOR)
            hk_system_processor(s, scope, item);
        else if (item->kind == HK_ITEM_CUT)
            hk_system_cut(s, item);
        else if (item->age)
            hk_system_age(s, scope, item);
    }
}

/* Ports of composites that lead nowhere: only said if nothing else is wrong. */
static void check_ports(hk_system *s, const hk_scope *scope) {
    static const char *const words[] = {[HK_ROLE_INPUT] = "input",
                                        [HK_ROLE_OUTPUT] = "output",
                                        [HK_ROLE_PROVIDED] = "provided interface",
                                        [HK_ROLE_REQUIRED] = "required interface"};
    for (size_t i = 0; i < scope->member_count; i++) {
        const hk_compositeport *port = scope->members[i].port;
        if (!port || port->broken)
            continue;
        /* What comes out, or is provided, need not be used; what is required and not there is an
         * error of the leaf that requires it. */
        bool outside = port->outside || !scope->parent || port->role != HK_ROLE_INPUT;
        if (port->inside && outside)
            continue;
        hk_warn(s->complaints.ctx, HK_E_CONNECTION, port->var.where, "link it, or remove it",
                "%s '%s' of %s is never linked%s", words[port->role], port->var.name,
                hk_scope_text(s, scope),
                !port->inside && !port->outside ? ""
                : port->inside                  ? " outside it"
                                                : " inside it");
    }
}

void hk_system_walk(hk_system *s) {
    hk_system_begin_links(s);
    add_scope(s, NULL, s->tree->root);
    size_t next = 0;
    read_statements(s, &next);
    if (s->complaints.first == HK_OK)
        for (size_t i = 0; i < s->scope_count; i++)
            check_ports(s, s->scopes[i]);
    hk_system_connect_all(s);
    hk_system_require_all(s);
    hk_system_delegate_all(s);
    hk_system_share_all(s);
    hk_system_constrain_all(s);
    hk_system_check_processors(s);
    if (s->complaints.first == HK_OK && s->reader.complaints.first == HK_OK)
        hk_system_keep(s);
}
