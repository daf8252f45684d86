/* SPDX-License-Identifier: MIT
 *
 * The graph of a synthesis: nodes, edges, strongly connected components. */
#include "sound/synthesis.h"

#include <string.h>

void hk_needs_add(hk_needs *g, uint32_t from, uint32_t to, hk_need_kind kind) {
    hk_need e = {.from = from, .to = to, .kind = kind};
    if (g->present[from] && g->present[to])
        HK_PUSH(g->edges, g->edge_count, g->edge_cap, e);
}

void hk_needs_begin(hk_needs *g, uint32_t node_count) {
    size_t n = (size_t)node_count + 2;
    g->node_count = node_count;
    g->present = hk_alloc(n);
    g->first = hk_alloc(n * sizeof *g->first);
    g->component = hk_alloc(n * sizeof *g->component);
    g->nodes = hk_alloc(n * sizeof *g->nodes);
    g->ends = hk_alloc(n * sizeof *g->ends);
}

void hk_needs_finish(hk_needs *g) {
    hk_free(g->present);
    hk_free(g->used_output);
    hk_free(g->closed);
    hk_free(g->local);
    hk_free(g->edges);
    hk_free(g->first);
    hk_free(g->out);
    hk_free(g->component);
    hk_free(g->nodes);
    hk_free(g->ends);
}

static void index_edges(hk_needs *g) {
    memset(g->first, 0, (g->node_count + 2) * sizeof *g->first);
    g->out = hk_realloc(g->out, (g->edge_count + 1) * sizeof *g->out);
    for (size_t i = 0; i < g->edge_count; i++)
        if (!g->edges[i].gone)
            g->first[g->edges[i].from + 2]++;
    for (uint32_t n = 0; n < g->node_count; n++)
        g->first[n + 2] += g->first[n + 1];
    for (size_t i = 0; i < g->edge_count; i++)
        if (!g->edges[i].gone)
            g->out[g->first[g->edges[i].from + 1]++] = (uint32_t)i;
}

typedef struct tarjan {
    uint32_t *index, *low, *stack, *path, *next;
    size_t stack_size, depth;
    uint32_t count;
    bool *on_stack;
} tarjan;

static void enter(hk_needs *g, tarjan *t, uint32_t node) {
    t->index[node] = t->low[node] = ++t->count;
    t->stack[t->stack_size++] = node;
    t->on_stack[node] = true;
    t->next[node] = g->first[node];
    t->path[t->depth++] = node;
}

/* All edges of the node on top of the path have been followed. Components are found from the last
 * to the first: they are numbered and stored from the back. */
static void leave(hk_needs *g, tarjan *t, uint32_t *place) {
    uint32_t node = t->path[--t->depth], other;
    if (t->depth && t->low[node] < t->low[t->path[t->depth - 1]])
        t->low[t->path[t->depth - 1]] = t->low[node];
    if (t->low[node] != t->index[node])
        return;
    g->component_count++;
    do {
        other = t->stack[--t->stack_size];
        t->on_stack[other] = false;
        g->component[other] = (uint32_t)(g->node_count - g->component_count);
        g->nodes[--*place] = other;
    } while (other != node);
}

/* Strongly connected components (Tarjan), without recursion. Roots are taken from the last node to
 * the first, so that what is in no order comes in the order of the scenario. */
void hk_needs_sort(hk_needs *g) {
    size_t n = (size_t)g->node_count + 1;
    tarjan t = {.index = hk_alloc(n * sizeof *t.index),
                .low = hk_alloc(n * sizeof *t.low),
                .stack = hk_alloc(n * sizeof *t.stack),
                .path = hk_alloc(n * sizeof *t.path),
                .next = hk_alloc(n * sizeof *t.next),
                .on_stack = hk_alloc(n)};
    uint32_t place = g->node_count;
    index_edges(g);
    g->component_count = 0;
    for (uint32_t root = g->node_count; root-- > 0;) {
        if (!t.index[root])
            enter(g, &t, root);
        while (t.depth) {
            uint32_t node = t.path[t.depth - 1];
            if (t.next[node] == g->first[node + 1]) {
                leave(g, &t, &place);
                continue;
            }
            uint32_t to = g->edges[g->out[t.next[node]++]].to;
            if (!t.index[to])
                enter(g, &t, to);
            else if (t.on_stack[to] && t.index[to] < t.low[node])
                t.low[node] = t.index[to];
        }
    }
    uint32_t shift = (uint32_t)(g->node_count - g->component_count);
    for (uint32_t i = 0; i < g->node_count; i++) {
        g->component[i] -= shift;
        g->ends[g->component[i]] = 0;
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        g->ends[g->component[g->nodes[i]]] = i + 1;
    hk_free(t.index);
    hk_free(t.low);
    hk_free(t.stack);
    hk_free(t.path);
    hk_free(t.next);
    hk_free(t.on_stack);
}
