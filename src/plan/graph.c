/* SPDX-License-Identifier: MIT */
#include "plan/graph.h"

#include "base/diag.h"

void hk_graph_init(hk_graph *graph, uint32_t node_count, const hk_edge *edges, size_t edge_count) {
    HK_ASSERT(graph);
    graph->node_count = node_count;
    graph->first = hk_alloc(((size_t)node_count + 1) * sizeof *graph->first);
    graph->out = hk_alloc(edge_count * sizeof *graph->out);
    for (size_t e = 0; e < edge_count; e++)
        graph->first[edges[e].from + 1]++;
    for (uint32_t v = 0; v < node_count; v++)
        graph->first[v + 1] += graph->first[v];
    uint32_t *next = hk_alloc(((size_t)node_count + 1) * sizeof *next);
    for (size_t e = 0; e < edge_count; e++)
        graph->out[graph->first[edges[e].from] + next[edges[e].from]++] = edges[e];
    hk_free(next);
}

void hk_graph_finish(hk_graph *graph) {
    HK_ASSERT(graph);
    hk_free(graph->first);
    hk_free(graph->out);
    *graph = (hk_graph){0};
}

static const uint32_t UNSEEN = UINT32_MAX;

typedef struct search {
    const hk_graph *graph;
    uint32_t *part_of; /* UNSEEN while not decided */
    uint32_t *seen_at; /* order of discovery; UNSEEN before */
    uint32_t *low;     /* earliest discovery that is reachable */
    uint32_t *edge;    /* next edge to follow, while on the path */
    uint32_t *path, *open;
    uint32_t path_count, open_count, seen_count, part_count;
} search;

static void enter(search *s, uint32_t v) {
    s->seen_at[v] = s->low[v] = s->seen_count++;
    s->edge[v] = s->graph->first[v];
    s->path[s->path_count++] = v;
    s->open[s->open_count++] = v;
}

/* All successors of v are done: if v is the root of its component, close it. */
static void leave(search *s, uint32_t v) {
    s->path_count--;
    if (s->path_count) {
        uint32_t parent = s->path[s->path_count - 1];
        if (s->low[v] < s->low[parent])
            s->low[parent] = s->low[v];
    }
    if (s->low[v] != s->seen_at[v])
        return;
    uint32_t w;
    do {
        w = s->open[--s->open_count];
        s->part_of[w] = s->part_count;
    } while (w != v);
    s->part_count++;
}

static void walk(search *s, uint32_t root) {
    enter(s, root);
    while (s->path_count) {
        uint32_t v = s->path[s->path_count - 1];
        if (s->edge[v] == s->graph->first[v + 1]) {
            leave(s, v);
            continue;
        }
        uint32_t w = s->graph->out[s->edge[v]++].to;
        if (s->seen_at[w] == UNSEEN)
            enter(s, w);
        else if (s->part_of[w] == UNSEEN && s->seen_at[w] < s->low[v])
            s->low[v] = s->seen_at[w];
    }
}

/* Tarjan's algorithm finds components in the opposite of the wanted order; they are renumbered. */
uint32_t hk_graph_parts(const hk_graph *graph, uint32_t *part_of) {
    HK_ASSERT(graph);
    uint32_t n = graph->node_count;
    uint32_t *memory = hk_alloc(5 * ((size_t)n + 1) * sizeof *memory);
    search s = {.graph = graph,
                .part_of = part_of,
                .seen_at = memory,
                .low = memory + n,
                .edge = memory + 2 * (size_t)n,
                .path = memory + 3 * (size_t)n,
                .open = memory + 4 * (size_t)n};
    for (uint32_t v = 0; v < n; v++)
        part_of[v] = s.seen_at[v] = UNSEEN;
    for (uint32_t v = 0; v < n; v++)
        if (s.seen_at[v] == UNSEEN)
            walk(&s, v);
    for (uint32_t v = 0; v < n; v++)
        part_of[v] = s.part_count - 1 - part_of[v];
    hk_free(memory);
    return s.part_count;
}

bool hk_graph_closes(uint32_t node_count, const hk_edge *edges, size_t first, size_t count) {
    HK_ASSERT(edges || !count);
    uint32_t *part_of = hk_alloc(node_count * sizeof *part_of);
    hk_graph graph;
    hk_graph_init(&graph, node_count, edges, count);
    hk_graph_parts(&graph, part_of);
    bool closed = false;
    for (size_t e = first; e < count && !closed; e++)
        closed = part_of[edges[e].from] == part_of[edges[e].to];
    hk_graph_finish(&graph);
    hk_free(part_of);
    return closed;
}
