/* SPDX-License-Identifier: MIT
 *
 * Ports and interfaces of composites as names for what is behind them. The model is flat, so a
 * scenario that names one means leaves and connections. */
#include "lang/system/system_internal.h"

#include <string.h>

typedef struct naming {
    hk_system *s;
    uint32_t *of_slot; /* delegate per port slot */
    uint32_t *of_node; /* delegate per service node; HK_MAP_NONE: of a leaf */
    uint32_t *queue;   /* service nodes to look at */
    size_t count, cap;
    uint32_t *seen, stamp; /* per service node */
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
        n->of_node[port->first] = hk_model_add_delegate(n->s->model, whole, kinds[port->role]);
        return;
    }
    const hk_lang_type *type = port->var.type;
    for (size_t p = 0; p < type->part_count; p++)
        n->of_slot[port->first + p] = hk_model_add_delegate(
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
    const hk_system *s = n->s;
    hk_model *model = s->model;
    size_t first = n->next, end = first;
    while (end < model->connection_count &&
           model->connections[end].to_component == leaf->component &&
           model->connections[end].to_variable == variable)
        end++;
    n->next = end;
    uint32_t slot = s->slots[leaf->first_slot + variable].driver;
    for (; slot != HK_MAP_NONE && slot & HK_PORT_SLOT;
         slot = s->port_slots[slot & ~HK_PORT_SLOT].driver) {
        uint32_t index = n->of_slot[slot & ~HK_PORT_SLOT];
        hk_delegate *d = &model->delegates[index];
        if (d->kind == HK_DELEGATE_INPUT)
            add_end(model, index, leaf->component, variable);
        for (size_t k = first; k < end; k++)
            HK_PUSH(d->connections, d->connection_count, d->connection_cap, (uint32_t)k);
    }
}

static void follow_output(naming *n, uint32_t port_slot) {
    const hk_system *s = n->s;
    uint32_t slot = s->port_slots[port_slot].driver, delegate = n->of_slot[port_slot];
    if (s->model->delegates[delegate].kind != HK_DELEGATE_OUTPUT)
        return;
    while (slot != HK_MAP_NONE && slot & HK_PORT_SLOT)
        slot = s->port_slots[slot & ~HK_PORT_SLOT].driver;
    if (slot == HK_MAP_NONE)
        return;
    const hk_leafnode *leaf = &s->leaves[hk_system_slot_leaf(s, slot)];
    add_end(s->model, delegate, leaf->component, slot - leaf->first_slot);
}

/* Who answers at a provided interface of a composite, and which required ones a leaf asks through.
 */
static void follow_node(naming *n, uint32_t from) {
    hk_system *s = n->s;
    const hk_servicenode *start = &s->nodes[from];
    uint32_t own = n->of_node[from];
    bool leaf = start->leaf != HK_MAP_NONE;
    if (!leaf && s->model->delegates[own].kind != HK_DELEGATE_PROVIDED)
        return;
    n->stamp++;
    n->count = 0;
    HK_PUSH(n->queue, n->count, n->cap, from);
    for (size_t head = 0; head < n->count; head++) {
        uint32_t index = n->queue[head], delegate = n->of_node[index];
        const hk_servicenode *node = &s->nodes[index];
        if (n->seen[index] == n->stamp)
            continue;
        n->seen[index] = n->stamp;
        if (!leaf && delegate == HK_MAP_NONE)
            add_end(s->model, own, s->leaves[node->leaf].component, node->service);
        if (leaf && delegate != HK_MAP_NONE &&
            s->model->delegates[delegate].kind == HK_DELEGATE_REQUIRED)
            add_end(s->model, delegate, s->leaves[start->leaf].component, start->service);
        for (uint32_t e = node->first_edge; e != HK_MAP_NONE; e = s->edges[e].next)
            HK_PUSH(n->queue, n->count, n->cap, s->edges[e].to);
    }
}

static void follow_all(naming *n) {
    const hk_system *s = n->s;
    for (size_t i = 0; i < s->leaf_count; i++) {
        const hk_leafnode *leaf = &s->leaves[i];
        for (uint32_t v = 0; v < leaf->kind->info->variable_count; v++)
            follow_input(n, leaf, v);
    }
    for (size_t i = 0; i < s->port_slot_count; i++)
        follow_output(n, (uint32_t)i);
    for (size_t i = 0; i < s->node_count; i++)
        follow_node(n, (uint32_t)i);
}

void hk_system_delegate_all(hk_system *s) {
    if (s->complaints.first != HK_OK || s->reader.complaints.first != HK_OK)
        return;
    naming n = {.s = s,
                .of_slot = HK_NEW_ARRAY(s->arena, uint32_t, s->port_slot_count + 1),
                .of_node = HK_NEW_ARRAY(s->arena, uint32_t, s->node_count + 1),
                .seen = HK_NEW_ARRAY(s->arena, uint32_t, s->node_count + 1)};
    memset(n.of_node, 0xff, (s->node_count + 1) * sizeof *n.of_node);
    for (size_t i = 0; i < s->scope_count; i++)
        for (size_t k = 0; k < s->scopes[i]->member_count; k++)
            if (s->scopes[i]->members[k].port)
                name_port(&n, s->scopes[i], s->scopes[i]->members[k].port);
    follow_all(&n);
    hk_free(n.queue);
}
