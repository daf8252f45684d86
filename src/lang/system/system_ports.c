/* SPDX-License-Identifier: MIT
 *
 * Ports and interfaces of composites as names for what is behind them. The model is flat, so a
 * scenario that names one means leaves and connections. */
#include "lang/system/system_internal.h"

#include <string.h>

typedef struct naming {
    hk_system *s;
    uint32_t *of_node;      /* delegate per node: part of a port */
    uint32_t *of_interface; /* delegate per interface; HK_MAP_NONE: of a leaf */
    uint32_t *queue;        /* interfaces to look at */
    size_t count, cap;
    uint32_t *seen, stamp; /* per interface */
    size_t next;           /* connection */
} naming;

static void name_port(naming *n, const hk_scope *scope, const hk_compositeport *port) {
    static const hk_delegate_kind kinds[] = {[HK_ROLE_INPUT] = HK_DELEGATE_INPUT,
                                             [HK_ROLE_OUTPUT] = HK_DELEGATE_OUTPUT,
                                             [HK_ROLE_PROVIDED] = HK_DELEGATE_PROVIDED,
                                             [HK_ROLE_REQUIRED] = HK_DELEGATE_REQUIRED};
    hk_arena *arena = n->s->arena;
    const char *whole = *scope->path ? hk_arena_printf(arena, "%s.%s", scope->path, port->var.name)
                                     : port->var.name;
    if (port->interface) {
        n->of_interface[port->first] = hk_model_add_delegate(n->s->model, whole, kinds[port->role]);
        return;
    }
    const hk_lang_type *type = port->var.type;
    for (size_t p = 0; p < type->part_count; p++)
        n->of_node[port->first + p] = hk_model_add_delegate(
            n->s->model, hk_part_name(arena, whole, type->parts[p].name), kinds[port->role]);
}

static void add_end(hk_model *model, uint32_t delegate, uint32_t component, uint32_t member) {
    hk_delegate *d = &model->delegates[delegate];
    hk_delegate_end end = {component, member};
    HK_PUSH(d->ends, d->end_count, d->end_cap, end);
}

/* All ports on the way to an input of a leaf, and the connections that this way has become: they
 * were made in the order of the inputs. */
static void follow_input(naming *n, const hk_leafnode *leaf, uint32_t variable) {
    const hk_flat *flat = &n->s->flat;
    hk_model *model = n->s->model;
    size_t first = n->next, end = first;
    while (end < model->connection_count &&
           model->connections[end].to_component == leaf->component &&
           model->connections[end].to_variable == variable)
        end++;
    n->next = end;
    for (uint32_t e = n->s->slots[leaf->first_slot + variable].inbound;
         e != HK_MAP_NONE && flat->edges[e].from.is_node; e = hk_flat_before(flat, e)) {
        uint32_t index = n->of_node[flat->edges[e].from.node];
        hk_delegate *d = &model->delegates[index];
        if (d->kind == HK_DELEGATE_INPUT)
            add_end(model, index, leaf->component, variable);
        for (size_t k = first; k < end; k++)
            HK_PUSH(d->connections, d->connection_count, d->connection_cap, (uint32_t)k);
    }
}

static void follow_output(naming *n, uint32_t node) {
    const hk_flat *flat = &n->s->flat;
    uint32_t e = flat->nodes[node].inbound, delegate = n->of_node[node];
    if (n->s->model->delegates[delegate].kind != HK_DELEGATE_OUTPUT)
        return;
    while (e != HK_MAP_NONE && flat->edges[e].from.is_node)
        e = hk_flat_before(flat, e);
    if (e == HK_MAP_NONE)
        return;
    const hk_address *from = &flat->edges[e].from.at;
    add_end(n->s->model, delegate, from->component, from->variable);
}

/* Who answers at a provided interface of a composite, and which required ones a leaf asks through.
 */
static void follow_interface(naming *n, uint32_t from) {
    const hk_flat *flat = &n->s->flat;
    hk_model *model = n->s->model;
    const hk_flat_interface *start = &flat->interfaces[from];
    uint32_t own = n->of_interface[from];
    bool leaf = start->component != HK_MAP_NONE;
    if (!leaf && model->delegates[own].kind != HK_DELEGATE_PROVIDED)
        return;
    n->stamp++;
    n->count = 0;
    HK_PUSH(n->queue, n->count, n->cap, from);
    for (size_t head = 0; head < n->count; head++) {
        uint32_t index = n->queue[head], delegate = n->of_interface[index];
        const hk_flat_interface *at = &flat->interfaces[index];
        if (n->seen[index] == n->stamp)
            continue;
        n->seen[index] = n->stamp;
        if (!leaf && delegate == HK_MAP_NONE)
            add_end(model, own, at->component, at->service);
        if (leaf && delegate != HK_MAP_NONE &&
            model->delegates[delegate].kind == HK_DELEGATE_REQUIRED)
            add_end(model, delegate, start->component, start->service);
        for (uint32_t c = at->first_call; c != HK_MAP_NONE; c = flat->calls[c].next)
            HK_PUSH(n->queue, n->count, n->cap, flat->calls[c].to);
    }
}

static void follow_all(naming *n) {
    const hk_system *s = n->s;
    for (size_t i = 0; i < s->leaf_count; i++) {
        const hk_leafnode *leaf = &s->leaves[i];
        for (uint32_t v = 0; v < leaf->kind->info->variable_count; v++)
            follow_input(n, leaf, v);
    }
    for (uint32_t i = 0; i < s->flat.node_count; i++)
        follow_output(n, i);
    for (uint32_t i = 0; i < s->flat.interface_count; i++)
        follow_interface(n, i);
}

void hk_system_delegate_all(hk_system *s) {
    if (s->complaints.first != HK_OK || s->reader.complaints.first != HK_OK)
        return;
    naming n = {.s = s,
                .of_node = HK_NEW_ARRAY(s->arena, uint32_t, s->flat.node_count + 1),
                .of_interface = HK_NEW_ARRAY(s->arena, uint32_t, s->flat.interface_count + 1),
                .seen = HK_NEW_ARRAY(s->arena, uint32_t, s->flat.interface_count + 1)};
    memset(n.of_interface, 0xff, (s->flat.interface_count + 1) * sizeof *n.of_interface);
    for (size_t i = 0; i < s->scope_count; i++)
        for (size_t k = 0; k < s->scopes[i]->member_count; k++)
            if (s->scopes[i]->members[k].port)
                name_port(&n, s->scopes[i], s->scopes[i]->members[k].port);
    follow_all(&n);
    hk_free(n.queue);
}
