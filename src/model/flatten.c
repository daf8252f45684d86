/* SPDX-License-Identifier: MIT
 *
 * Edges that meet in the connectors of systems are joined to connections from component to
 * component. */
#include "model/flatten.h"

#include <string.h>

/* ---- the graph ---- */

uint32_t hk_flat_add_node(hk_flat *flat, const char *system, const hk_tree_connector *connector) {
    hk_flat_node node = {.system = system, .connector = connector};
    node.inbound = node.first_leaf = HK_MAP_NONE;
    node.whole = node.first_part = node.next_part = HK_MAP_NONE;
    HK_TREE_PUSH(flat->arena, flat->nodes, flat->node_count, flat->node_cap, node);
    return (uint32_t)flat->node_count - 1;
}

uint32_t hk_flat_part(hk_flat *flat, uint32_t whole, const char *index, bool *ret_new) {
    HK_ASSERT(whole < flat->node_count && flat->nodes[whole].whole == HK_MAP_NONE);
    *ret_new = false;
    for (uint32_t p = flat->nodes[whole].first_part; p != HK_MAP_NONE; p = flat->nodes[p].next_part)
        if (strcmp(flat->nodes[p].index, index) == 0)
            return p;
    uint32_t part = hk_flat_add_node(flat, flat->nodes[whole].system, flat->nodes[whole].connector);
    flat->nodes[part].whole = whole;
    flat->nodes[part].index = index;
    flat->nodes[part].next_part = flat->nodes[whole].first_part;
    flat->nodes[whole].first_part = part;
    *ret_new = true;
    return part;
}

/* The edge that drives NODE, or all of it, or an element of it already; HK_MAP_NONE: none does. */
static uint32_t driver_of(const hk_flat *flat, const hk_flat_node *node) {
    uint32_t driver = node->inbound;
    if (driver == HK_MAP_NONE && node->whole != HK_MAP_NONE)
        driver = flat->nodes[node->whole].inbound;
    for (uint32_t p = node->first_part; p != HK_MAP_NONE && driver == HK_MAP_NONE;
         p = flat->nodes[p].next_part)
        driver = flat->nodes[p].inbound;
    return driver;
}

uint32_t hk_flat_add_edge(hk_flat *flat, const hk_flat_edge *edge) {
    HK_ASSERT(edge->connection);
    uint32_t index = (uint32_t)flat->edge_count;
    HK_TREE_PUSH(flat->arena, flat->edges, flat->edge_count, flat->edge_cap, *edge);
    if (!edge->to.is_node)
        return HK_MAP_NONE;
    hk_flat_node *node = &flat->nodes[edge->to.node];
    uint32_t driver = driver_of(flat, node);
    if (driver == HK_MAP_NONE)
        node->inbound = index;
    return driver;
}

uint32_t hk_flat_before(const hk_flat *flat, uint32_t edge) {
    const hk_flat_end *from = &flat->edges[edge].from;
    return from->is_node ? flat->nodes[from->node].inbound : HK_MAP_NONE;
}

/* ---- following ---- */

/* The edge into a connector. One into all of it drives each element; where only elements are driven
 * the way splits. */
static uint32_t source_of(const hk_flat *flat, uint32_t index, hk_flat_route *route) {
    const hk_flat_node *node = &flat->nodes[index];
    if (node->inbound == HK_MAP_NONE && node->whole != HK_MAP_NONE && !route->want) {
        uint32_t inbound = flat->nodes[node->whole].inbound;
        route->want = inbound == HK_MAP_NONE ? NULL : node->index;
        return inbound;
    }
    for (uint32_t p = node->first_part; p != HK_MAP_NONE && node->inbound == HK_MAP_NONE;
         p = flat->nodes[p].next_part)
        if (flat->nodes[p].inbound != HK_MAP_NONE)
            route->split = index;
    return node->inbound;
}

static void add_to_route(const hk_flat *flat, hk_flat_route *route, const hk_flat_edge *e) {
    HK_TREE_PUSH(flat->arena, route->edges, route->count, route->cap, e);
    route->transformed |= e->connection->transform != HK_TRANSFORM_NONE;
    route->mapped |= e->connection->transform == HK_TRANSFORM_MAP;
    route->suppressed |= e->connection->suppress_unit_conversion;
}

static void turn_round(hk_flat_route *route) {
    for (size_t i = 0; i < route->count / 2; i++) {
        const hk_flat_edge *e = route->edges[i];
        route->edges[i] = route->edges[route->count - 1 - i];
        route->edges[route->count - 1 - i] = e;
    }
}

bool hk_flat_follow(hk_flat *flat, uint32_t edge, hk_flat_route *ret_route) {
    HK_ASSERT(edge < flat->edge_count);
    hk_flat_route *route = ret_route;
    uint32_t loop = HK_MAP_NONE;
    const hk_flat_end *end = &flat->edges[edge].to;
    *route = (hk_flat_route){.edges = route->edges, .cap = route->cap, .split = HK_MAP_NONE};
    if (end->is_node)
        flat->nodes[end->node].on_way = true;
    for (const hk_flat_edge *e = &flat->edges[edge]; e && loop == HK_MAP_NONE;) {
        add_to_route(flat, route, e);
        if (!e->from.is_node)
            break;
        hk_flat_node *node = &flat->nodes[e->from.node];
        loop = node->on_way ? e->from.node : HK_MAP_NONE;
        node->on_way = true;
        uint32_t inbound = source_of(flat, e->from.node, route);
        e = inbound == HK_MAP_NONE ? NULL : &flat->edges[inbound];
    }
    for (size_t i = 0; i < route->count; i++)
        if (route->edges[i]->from.is_node)
            flat->nodes[route->edges[i]->from.node].on_way = false;
    if (end->is_node)
        flat->nodes[end->node].on_way = false;
    turn_round(route);
    if (loop == HK_MAP_NONE)
        return true;
    for (size_t i = 0; i < route->count; i++)
        flat->nodes[route->edges[i]->from.node].looped = true;
    hk_flat_problem problem = {.kind = HK_FLAT_LOOP,
                               .where = flat->edges[edge].connection->where,
                               .route = route,
                               .node = loop};
    flat->hooks.report(flat->hooks.user, &problem);
    return false;
}

static bool is_usable(const hk_flat *flat, const hk_flat_edge *edge) {
    return !flat->hooks.usable || flat->hooks.usable(flat->hooks.user, edge);
}

hk_flat_way hk_flat_say(hk_flat *flat, const hk_flat_route *route) {
    const hk_flat_end *from = &route->edges[0]->from;
    hk_flat_way way = {.delay = {0, 1}, .frame = from->is_node ? NULL : from->frame};
    if (!from->is_node && from->delay.num)
        way.delay = from->delay;
    for (size_t i = 0; i < route->count; i++) {
        const hk_flat_edge *e = route->edges[i];
        const hk_tree_connection *k = e->connection;
        if (e->from.is_node && flat->nodes[e->from.node].connector->frame)
            way.frame = flat->nodes[e->from.node].connector->frame;
        if (k->lag != HK_LAG_DEFAULT)
            way.lag = k->lag;
        way.bad |= !is_usable(flat, e);
        if (hk_ratio_add(way.delay, k->delay, &way.delay) || way.bad)
            continue;
        hk_flat_problem problem = {
            .kind = HK_FLAT_DELAY, .where = k->where, .route = route, .edge = e};
        flat->hooks.report(flat->hooks.user, &problem);
        way.bad |= !is_usable(flat, e);
    }
    return way;
}

bool hk_flat_narrow(hk_flat *flat, const hk_flat_end *end, const char *index, hk_where where,
                    hk_address *ret_at) {
    HK_ASSERT(!end->is_node);
    *ret_at = end->at;
    if (!index)
        return true;
    const hk_component *component = &flat->model->components[end->at.component];
    const char *name = hk_arena_printf(flat->arena, "%s%s", end->name, index);
    hk_address at;
    if (!hk_info_address(component->info, name, &at)) {
        hk_flat_problem problem = {
            .kind = HK_FLAT_ELEMENT, .where = where, .at = end->at, .have = name};
        flat->hooks.report(flat->hooks.user, &problem);
        return false;
    }
    at.component = end->at.component;
    *ret_at = at;
    return true;
}

/* ---- connections ---- */

static const hk_flat_edge *last_of(const hk_flat_route *route) {
    return route->edges[route->count - 1];
}

static bool frames_agree(hk_flat *flat, const hk_flat_route *route, const hk_flat_way *way) {
    const hk_flat_edge *last = last_of(route);
    if (!way->frame || !last->to.frame || strcmp(way->frame, last->to.frame) == 0)
        return true;
    hk_flat_problem problem = {.kind = HK_FLAT_FRAME,
                               .where = last->connection->where,
                               .route = route,
                               .edge = last,
                               .have = way->frame,
                               .want = last->to.frame};
    flat->hooks.report(flat->hooks.user, &problem);
    return false;
}

/* What the route changes. If only its ends have units and there is one connection, the model
 * converts them by itself: *RET_COMPOSED is false then. */
static bool find_change(hk_flat *flat, const hk_flat_route *route, hk_transform *ret_transform,
                        bool *ret_composed) {
    const hk_tree_connection *last = last_of(route)->connection;
    bool composed =
        !route->mapped && route->count > 1 &&
        (route->transformed || route->suppressed || hk_flat_first_unit(flat, route) != NULL);
    *ret_composed = composed;
    *ret_transform = (hk_transform){.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (route->mapped || composed)
        return hk_flat_change(flat, route, ret_transform);
    if (route->transformed)
        hk_flat_append(ret_transform, last->factor, last->offset);
    return true;
}

/* The connection that names the element INDEX of a connector, at its beginning or at its end; the
 * last on the way if none does. */
static hk_where where_named(const hk_flat *flat, const hk_flat_route *route, const char *index) {
    for (size_t i = 0; index && i < route->count; i++) {
        const hk_flat_end *ends[] = {&route->edges[i]->from, &route->edges[i]->to};
        for (size_t k = 0; k < 2; k++)
            if (ends[k]->is_node && flat->nodes[ends[k]->node].index == index)
                return route->edges[i]->connection->where;
    }
    return last_of(route)->connection->where;
}

static void connect_leaves(hk_flat *flat, const hk_flat_route *route) {
    const hk_flat_end *from = &route->edges[0]->from, *to = &last_of(route)->to;
    hk_where where = last_of(route)->connection->where;
    hk_transform transform;
    hk_address source, sink;
    bool composed;
    if (!find_change(flat, route, &transform, &composed) ||
        !hk_flat_narrow(flat, from, route->want, where_named(flat, route, route->want), &source) ||
        !hk_flat_narrow(flat, to, route->into, where_named(flat, route, route->into), &sink))
        return;
    hk_flat_way way = hk_flat_say(flat, route);
    if (way.bad || !frames_agree(flat, route, &way))
        return;
    hk_connection k = {.transform = transform,
                       .suppress_unit_conversion = composed || route->suppressed,
                       .from_uom = hk_flat_unit(flat, from, true),
                       .to_uom = hk_flat_unit(flat, to, true),
                       .lag = way.lag != HK_LAG_DEFAULT ? way.lag : to->lag,
                       .delay = way.delay,
                       .where = where};
    hk_joined joined = {0};
    hk_status status = hk_model_join(flat->ctx, flat->model, &source, &sink, &k, &joined);
    if (status != HK_OK) {
        hk_flat_problem problem = {
            .kind = HK_FLAT_JOIN, .where = where, .route = route, .status = status};
        flat->hooks.report(flat->hooks.user, &problem);
    } else if (flat->hooks.connected) {
        flat->hooks.connected(flat->hooks.user, route, &joined);
    }
}

uint32_t hk_flat_origin(hk_flat *flat, const hk_flat_route *route) {
    uint32_t node = route->edges[0]->from.node;
    bool new;
    if (!route->want)
        return node;
    return flat->nodes[node].whole == HK_MAP_NONE ? hk_flat_part(flat, node, route->want, &new)
                                                  : HK_MAP_NONE;
}

bool hk_flat_is_divided(const hk_flat *flat, uint32_t node) {
    const hk_flat_node *n = &flat->nodes[node];
    if (n->whole != HK_MAP_NONE)
        return flat->nodes[n->whole].first_leaf != HK_MAP_NONE;
    for (uint32_t p = n->first_part; p != HK_MAP_NONE; p = flat->nodes[p].next_part)
        if (flat->nodes[p].first_leaf != HK_MAP_NONE)
            return true;
    return false;
}

/* A connector that nothing drives: parameters and start values reach the variable through it. */
static void attach_leaf(hk_flat *flat, const hk_flat_route *route) {
    const hk_flat_edge *last = last_of(route);
    uint32_t node = hk_flat_origin(flat, route);
    if (last->to.at.group || node == HK_MAP_NONE) {
        hk_flat_problem problem = {.kind = last->to.at.group ? HK_FLAT_UNDIVIDED : HK_FLAT_PIECES,
                                   .where = last->connection->where,
                                   .route = route,
                                   .node = route->edges[0]->from.node,
                                   .at = last->to.at};
        flat->hooks.report(flat->hooks.user, &problem);
        return;
    }
    hk_flat_leaf leaf = {.next = flat->nodes[node].first_leaf,
                         .uom = hk_flat_first_unit(flat, route),
                         .connection = last->connection};
    if (!hk_flat_narrow(flat, &last->to, route->into, where_named(flat, route, route->into),
                        &leaf.at) ||
        !hk_flat_change(flat, route, &leaf.transform))
        return;
    flat->nodes[node].first_leaf = (uint32_t)flat->leaf_count;
    HK_TREE_PUSH(flat->arena, flat->leaves, flat->leaf_count, flat->leaf_cap, leaf);
}

static void finish_route(hk_flat *flat, const hk_flat_route *route) {
    if (route->edges[0]->from.is_node)
        attach_leaf(flat, route);
    else
        connect_leaves(flat, route);
}

/* TAIL begins in a connector whose elements come from several sources: one route from each. */
static void split_route(hk_flat *flat, const hk_flat_route *tail) {
    for (uint32_t p = flat->nodes[tail->split].first_part; p != HK_MAP_NONE;
         p = flat->nodes[p].next_part) {
        hk_flat_route route = {0};
        if (flat->nodes[p].inbound == HK_MAP_NONE ||
            !hk_flat_follow(flat, flat->nodes[p].inbound, &route))
            continue;
        if (route.split != HK_MAP_NONE || tail->want) {
            hk_flat_problem problem = {
                .kind = HK_FLAT_PIECES, .where = tail->edges[0]->connection->where, .route = tail};
            flat->hooks.report(flat->hooks.user, &problem);
            return;
        }
        for (size_t i = 0; i < tail->count; i++)
            add_to_route(flat, &route, tail->edges[i]);
        route.into = flat->nodes[p].index;
        finish_route(flat, &route);
    }
}

void hk_flat_connect(hk_flat *flat, uint32_t edge) {
    HK_ASSERT(edge < flat->edge_count && !flat->edges[edge].to.is_node);
    hk_flat_route *route = &flat->route;
    if (!hk_flat_follow(flat, edge, route))
        return;
    if (route->split != HK_MAP_NONE)
        split_route(flat, route);
    else
        finish_route(flat, route);
}
