/* SPDX-License-Identifier: MIT
 *
 * An input has one connection. Two that come from components are found by the check of the whole
 * model; of one that begins in a connector of a system that nothing drives no connection of the
 * model is left, so it is looked at here. Nor is anything left of connectors that drive each other
 * in a circle that no component reads. */
#include "model/flatten.h"

/* What drives a variable, or elements of it. */
typedef struct driver {
    hk_slice slice;
    int line;
    uint32_t next; /* of the same variable; HK_MAP_NONE: none */
} driver;

typedef struct drivers {
    hk_flat *flat;
    hk_map first; /* component and variable -> its first driver */
    driver *all;
    size_t count, cap;
} drivers;

static bool overlap(hk_slice a, hk_slice b) {
    if (!a.count || !b.count)
        return true;
    return a.first < b.first + b.count && b.first < a.first + a.count;
}

/* Returns the line of what drives some of SLICE already; 0: nothing does. */
static int add_driver(drivers *d, uint32_t component, uint32_t variable, hk_slice slice, int line) {
    const hk_info *info = d->flat->model->components[component].info;
    const char *key = hk_arena_printf(d->flat->arena, "%u %u", (unsigned)component,
                                      (unsigned)info->variables[variable].alias_of);
    uint32_t index = (uint32_t)d->count, first = hk_map_put(&d->first, key, index);
    int other = 0;
    for (uint32_t i = first; first != index && i != HK_MAP_NONE && !other; i = d->all[i].next)
        other = overlap(d->all[i].slice, slice) ? d->all[i].line : 0;
    driver now = {slice, line, first == index ? HK_MAP_NONE : d->all[first].next};
    HK_PUSH(d->all, d->count, d->cap, now);
    if (first != index)
        d->all[first].next = index;
    return other;
}

void hk_flat_check_drivers(hk_flat *flat) {
    drivers d = {.flat = flat};
    for (size_t i = 0; flat->leaf_count && i < flat->model->connection_count; i++) {
        const hk_connection *k = &flat->model->connections[i];
        add_driver(&d, k->to_component, k->to_variable, k->to_slice, k->where.line);
    }
    for (size_t i = 0; i < flat->leaf_count; i++) {
        const hk_flat_leaf *leaf = &flat->leaves[i];
        hk_slice slice = {leaf->at.element, leaf->at.count};
        int other = add_driver(&d, leaf->at.component, leaf->at.variable, slice,
                               leaf->connection->where.line);
        hk_flat_problem problem = {.kind = HK_FLAT_TWO_DRIVERS,
                                   .where = leaf->connection->where,
                                   .at = leaf->at,
                                   .line = other};
        if (other)
            flat->hooks.report(flat->hooks.user, &problem);
    }
    hk_map_finish(&d.first);
    hk_free(d.all);
}

/* ---- loops ---- */

/* The edge that the value of NODE comes by; HK_MAP_NONE: none drives it, nor all of it. */
static uint32_t edge_into(const hk_flat *flat, uint32_t node) {
    const hk_flat_node *n = &flat->nodes[node];
    bool part = n->inbound == HK_MAP_NONE && n->whole != HK_MAP_NONE;
    return part ? flat->nodes[n->whole].inbound : n->inbound;
}

/* A node of the loop that the way back from NODE leads into; HK_MAP_NONE: there is none, or it was
 * looked at. Each node is passed once in all. */
static uint32_t loop_behind(hk_flat *flat, uint32_t node, uint32_t stamp) {
    while (node != HK_MAP_NONE && !flat->nodes[node].stamp) {
        flat->nodes[node].stamp = stamp;
        uint32_t inbound = edge_into(flat, node);
        bool on = inbound != HK_MAP_NONE && flat->edges[inbound].from.is_node;
        node = on ? flat->edges[inbound].from.node : HK_MAP_NONE;
    }
    return node != HK_MAP_NONE && flat->nodes[node].stamp == stamp ? node : HK_MAP_NONE;
}

void hk_flat_check_loops(hk_flat *flat) {
    for (uint32_t i = 0; i < flat->node_count; i++) {
        uint32_t node = loop_behind(flat, i, i + 1);
        if (node != HK_MAP_NONE && !flat->nodes[node].looped)
            (void)hk_flat_follow(flat, edge_into(flat, node), &flat->route);
    }
}
