/* SPDX-License-Identifier: MIT
 *
 * Directed graphs as arrays, for the planner. */
#ifndef HK_PLAN_GRAPH_H
#define HK_PLAN_GRAPH_H

#include "base/memory.h"

typedef struct hk_edge {
    uint32_t from, to, tag; /* tag: whatever the caller needs to know the edge by */
} hk_edge;

/* Successors of node v: out[first[v]] ... out[first[v + 1] - 1], in the order of the edges given.
 */
typedef struct hk_graph {
    uint32_t node_count;
    uint32_t *first; /* node_count + 1 */
    hk_edge *out;
} hk_graph;

void hk_graph_init(hk_graph *graph, uint32_t node_count, const hk_edge *edges, size_t edge_count);
void hk_graph_finish(hk_graph *graph);

/* Strongly connected components. part_of[v] is the number of v's component; numbers ascend along
 * the edges: an edge that leaves a component leads to a larger number. Returns their count. Linear,
 * without recursion. */
uint32_t hk_graph_parts(const hk_graph *graph, uint32_t *part_of);
/* True if one of the COUNT edges from FIRST on lies on a cycle. */
bool hk_graph_closes(uint32_t node_count, const hk_edge *edges, size_t first, size_t count);

#endif
