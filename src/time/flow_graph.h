/* SPDX-License-Identifier: MIT
 *
 * A graph of nodes, cells and flows, as a value: who must wait for whom when a simulation runs in
 * several processes. A node is one process; its cells are run one after the other, by time, then by
 * level. A flow leads from a cell of one node to a cell of another. Each activation s of its source
 * is one message, stamped s + lag; with it comes the promise of the next stamp, HK_TICK_NEVER after
 * the last. The sink sees at t the newest message whose stamp is at most t.
 *
 * It is made from a plan and a placement (plan_flows.c), read from a file (node_file.h), or put
 * together by hand; nothing in this room needs to know which. */
#ifndef HK_TIME_FLOW_GRAPH_H
#define HK_TIME_FLOW_GRAPH_H

#include "base/diag.h"
#include "base/map.h"
#include "plan/flows.h"

/* Lists that hk_flow_graph_finish makes: indices of cells or flows. */
typedef struct hk_flow_list {
    uint32_t *all;
    uint32_t count;
} hk_flow_list;

/* A cell is activated at the start of the graph + offset, then after each of its periods in turn,
 * again and again, before the end of its node. */
typedef struct hk_flow_cell {
    const char *name; /* "node.cell", or "node" of the only one */
    uint32_t node, level;
    hk_tick offset;
    const hk_tick *periods; /* each above 0 */
    uint32_t period_count;  /* at least 1 */
    hk_flow_list in, out;   /* flows, by index */
    hk_where where;
} hk_flow_cell;

typedef struct hk_flow_node {
    const char *name;
    hk_tick end;        /* at most that of the graph */
    hk_flow_list cells; /* by level, then by index: the order at a common instant */
    hk_where where;
} hk_flow_node;

typedef struct hk_flow {
    const char *name; /* "a.x -> b.y" */
    uint32_t from, to;
    hk_tick lag;
    hk_flow_list connections; /* of the model, that share it */
    hk_where where;
} hk_flow;

typedef struct hk_flow_graph {
    hk_arena *arena; /* holds names, lists and places */
    int64_t ticks_per_second;
    hk_tick start, end;
    hk_flow_node *nodes;
    uint32_t node_count, node_cap;
    hk_flow_cell *cells;
    uint32_t cell_count, cell_cap;
    hk_flow *flows;
    uint32_t flow_count, flow_cap;
} hk_flow_graph;

hk_flow_graph *hk_flow_graph_create(int64_t ticks_per_second, hk_tick start, hk_tick end);
void hk_flow_graph_destroy(hk_flow_graph *graph); /* NULL is fine */

/* Each returns the index; names, periods and places are copied. The node ends with the graph. */
uint32_t hk_flow_graph_add_node(hk_flow_graph *graph, const char *name, hk_where where);
/* A cell of one period; others are given with hk_flow_graph_set_periods. */
uint32_t hk_flow_graph_add_cell(hk_flow_graph *graph, uint32_t node, const char *name,
                                hk_tick period, hk_tick offset, uint32_t level);
void hk_flow_graph_set_periods(hk_flow_graph *graph, uint32_t cell, const hk_tick *periods,
                               uint32_t count);
/* The cells are of different nodes. */
uint32_t hk_flow_graph_add_flow(hk_flow_graph *graph, uint32_t from, uint32_t to, hk_tick lag);
/* Makes the lists; nothing is added after it. */
void hk_flow_graph_finish(hk_flow_graph *graph);

/* The graph of PLAN on nodes: a cell for each rate and level that a node has components of, a flow
 * for all connections of one lag from one cell to another. What cannot cross is refused
 * (hk_placement_check). The graph needs neither of them later. */
HK_NODISCARD hk_status hk_flow_graph_of_plan(hk_ctx *ctx, const hk_plan *plan,
                                             const hk_placement *placement,
                                             hk_flow_graph **ret_graph);

/* An activation of a cell, and which of its periods follows it. */
typedef struct hk_activation {
    hk_tick at; /* HK_TICK_NEVER: there are no more */
    uint32_t next;
} hk_activation;

hk_activation hk_activation_first(const hk_flow_graph *graph, uint32_t cell);
hk_activation hk_activation_next(const hk_flow_graph *graph, uint32_t cell,
                                 hk_activation activation);

/* Activations are at most so far apart, also the first from the start. */
hk_tick hk_cell_longest(const hk_flow_graph *graph, uint32_t cell);
hk_tick hk_cell_shortest(const hk_flow_graph *graph, uint32_t cell);
/* The sum of its periods: after it they repeat. */
hk_tick hk_cell_repeat(const hk_flow_graph *graph, uint32_t cell);
/* A tick in seconds, for messages: "0.003 s", in the graph's arena. */
const char *hk_flow_time(const hk_flow_graph *graph, hk_tick tick);

#endif
