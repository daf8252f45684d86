/* SPDX-License-Identifier: MIT
 *
 * Cycles without delay: cells that are due at one instant and wait for each other, over flows of
 * lag 0 and by the order in which a node runs its own. At such an instant the nodes would hang, so
 * they are looked for before anything starts. Exact: a cycle counts only if all of its cells are
 * ever due together, which for periods and offsets is a question of remainders. */
#ifndef HK_TIME_CYCLES_H
#define HK_TIME_CYCLES_H

#include "time/flow_graph.h"

/* Cell i waits for what cell i - 1 does (the first for the last): over a flow, or because it comes
 * later on the same node. */
typedef struct hk_flow_cycle {
    uint32_t *cells;
    uint32_t *flows; /* into cell i; HK_MAP_NONE: the order of the node */
    size_t count;
    hk_tick first; /* instant */
} hk_flow_cycle;

typedef enum hk_flow_verdict {
    HK_FLOW_FREE,   /* there is no cycle */
    HK_FLOW_CYCLE,  /* there is one; its first instant is before that of every other */
    HK_FLOW_UNCLEAR /* there are too many ways to look at */
} hk_flow_verdict;

/* The cycle lives in ARENA. */
hk_flow_verdict hk_flow_find_cycle(hk_arena *arena, const hk_flow_graph *graph,
                                   hk_flow_cycle *ret_cycle);
/* HK_E_ZERO_LAG_CYCLE with nodes, flows, instant and what can be done; HK_OK: there is none. */
HK_NODISCARD hk_status hk_flow_graph_check(hk_ctx *ctx, const hk_flow_graph *graph);

#endif
