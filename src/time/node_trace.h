/* SPDX-License-Identifier: MIT
 *
 * Judges what nodes have done, by what the graph says and nothing else: it shares no code with the
 * rules, so that each can find the mistakes of the other. */
#ifndef HK_TIME_NODE_TRACE_H
#define HK_TIME_NODE_TRACE_H

#include "time/rules.h"

typedef struct hk_node_event {
    uint32_t node;
    hk_rules_action did;
} hk_node_event;

/* The events of all nodes, in an order in which they can have happened. NULL: they are those of a
 * whole run; else what is wrong, in ARENA, and *ret_event is where (COUNT: something is missing).
 */
const char *hk_node_trace_judge(hk_arena *arena, const hk_flow_graph *graph,
                                const hk_node_event *events, size_t count, size_t *ret_event);

#endif
