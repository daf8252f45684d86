/* SPDX-License-Identifier: MIT
 *
 * The way back is a shortest path over cells. Its length bounds how long ago a cell has last run
 * when another one runs: where a flow leads from Y to X, X at t has waited for all activations of Y
 * up to t - lag; and where Y is on the node of X, all of Y before t were made before. */
#include "time/bounds.h"

typedef struct entry {
    hk_tick length;
    uint32_t vertex;
} entry;

/* Vertices: the cells, and behind them the nodes, each joining its cells. */
typedef struct search {
    const hk_flow_graph *graph;
    hk_tick *length; /* HK_TICK_NEVER: not reached */
    entry *heap;
    size_t count, cap;
} search;

/* ---- a heap ---------------------------------------------------------------------------------- */

static bool before(entry a, entry b) {
    return a.length < b.length || (a.length == b.length && a.vertex < b.vertex);
}

static void put(search *s, uint32_t vertex, hk_tick length) {
    length = length > HK_TICK_LIMIT ? HK_TICK_LIMIT : length;
    if (length >= s->length[vertex])
        return;
    s->length[vertex] = length;
    entry e = {length, vertex};
    HK_PUSH(s->heap, s->count, s->cap, e);
    size_t i = s->count - 1;
    for (; i > 0 && before(e, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = e;
}

static entry take(search *s) {
    entry top = s->heap[0], last = s->heap[--s->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < s->count; i = child) {
        child += child + 1 < s->count && before(s->heap[child + 1], s->heap[child]);
        if (!before(s->heap[child], last))
            break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return top;
}

/* ---- the way back ---------------------------------------------------------------------------- */

static bool is_plain(const hk_flow_cell *cell) {
    return cell->period_count == 1 && cell->offset < cell->periods[0];
}

/* How long before an activation of the sink the last one of the source is that it has waited for,
 * at most. Exact for cells of one period each: their distances repeat with the common divisor. */
static hk_tick staleness(const hk_flow_graph *graph, const hk_flow *flow) {
    const hk_flow_cell *x = &graph->cells[flow->to], *y = &graph->cells[flow->from];
    if (!is_plain(x) || !is_plain(y))
        return flow->lag + hk_cell_longest(graph, flow->from) - 1;
    hk_tick step = hk_gcd(x->periods[0], y->periods[0]);
    hk_tick rest = hk_floor_mod(x->offset - flow->lag - y->offset, step);
    return flow->lag + y->periods[0] - step + rest;
}

/* A node that has ended holds nobody back any more. */
static bool holds_back(const hk_flow_graph *graph, uint32_t node, uint32_t other) {
    return graph->nodes[node].end >= graph->nodes[other].end;
}

static void go_from_cell(search *s, uint32_t cell, hk_tick length) {
    const hk_flow_graph *g = s->graph;
    const hk_flow_cell *c = &g->cells[cell];
    put(s, g->cell_count + c->node, length);
    for (uint32_t i = 0; i < c->in.count; i++) {
        const hk_flow *flow = &g->flows[c->in.all[i]];
        if (holds_back(g, g->cells[flow->from].node, c->node))
            put(s, flow->from, length + staleness(g, flow));
    }
}

static void go_from_node(search *s, uint32_t node, hk_tick length) {
    const hk_flow_list *cells = &s->graph->nodes[node].cells;
    for (uint32_t i = 0; i < cells->count; i++)
        put(s, cells->all[i], length + hk_cell_longest(s->graph, cells->all[i]));
}

static void find_lengths(search *s, uint32_t source) {
    uint32_t cells = s->graph->cell_count, all = cells + s->graph->node_count;
    for (uint32_t v = 0; v < all; v++)
        s->length[v] = HK_TICK_NEVER;
    put(s, source, 0);
    while (s->count) {
        entry e = take(s);
        if (e.length != s->length[e.vertex])
            continue;
        if (e.vertex < cells)
            go_from_cell(s, e.vertex, e.length);
        else
            go_from_node(s, e.vertex - cells, e.length);
    }
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static hk_flow_bound bound_of(const search *s, const hk_flow *flow) {
    hk_tick shortest = hk_cell_shortest(s->graph, flow->from);
    bool only = s->graph->nodes[s->graph->cells[flow->to].node].cells.count == 1;
    hk_tick longest = only ? 1 : hk_cell_longest(s->graph, flow->to), back = s->length[flow->to];
    hk_flow_bound bound = {.capacity = (flow->lag + longest - 1) / shortest + 1};
    hk_tick behind = back == HK_TICK_NEVER ? 0 : back + flow->lag;
    if (back != HK_TICK_NEVER)
        bound.most = behind ? (behind - 1) / shortest + 1 : 1;
    bound.queue = bound.most ? bound.most : bound.capacity;
    return bound;
}

hk_flow_bound *hk_flow_bounds(hk_arena *arena, const hk_flow_graph *graph) {
    hk_flow_bound *bounds = HK_NEW_ARRAY(arena, hk_flow_bound, graph->flow_count);
    search s = {
        .graph = graph,
        .length = hk_alloc(((size_t)graph->cell_count + graph->node_count + 1) * sizeof *s.length)};
    for (uint32_t c = 0; c < graph->cell_count; c++) {
        const hk_flow_list *out = &graph->cells[c].out;
        if (out->count)
            find_lengths(&s, c);
        for (uint32_t i = 0; i < out->count; i++)
            bounds[out->all[i]] = bound_of(&s, &graph->flows[out->all[i]]);
    }
    hk_free(s.heap);
    hk_free(s.length);
    return bounds;
}
