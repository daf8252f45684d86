/* SPDX-License-Identifier: MIT
 *
 * Flows: who sends what to whom when the components of a plan are placed on several nodes. A value
 * made from plan and placement alone, so that every node finds the same flows by itself, and so
 * that they can be shown before a run.
 *
 * A flow carries what one component publishes to one node, one message for each activation. A
 * message of the activation at s is needed from s + lag on: the smallest lag with which anybody on
 * that node looks at the component. Placement changes no lag. */
#ifndef HK_PLAN_FLOWS_H
#define HK_PLAN_FLOWS_H

#include "model/scenario.h"
#include "plan/plan.h"

typedef struct hk_placement {
    const uint32_t *node_of; /* per component */
    uint32_t node_count;
    uint32_t recorder;        /* the node that takes rows and judges; it may run nothing itself */
    const char *const *names; /* of the nodes; NULL: "node0", "node1" ... */
} hk_placement;

/* What is looked at beside the connections; each may name a signal more than once. */
typedef struct hk_looks {
    const hk_signal *rows; /* by the recorder, as a row shows it */
    size_t row_count;
    const hk_signal *everywhere; /* by every node, at the beginning of every instant */
    size_t everywhere_count;
} hk_looks;

/* A variable that a flow carries. */
typedef struct hk_plan_flow_variable {
    uint32_t variable;
    bool connected; /* an input on that node is driven by it: its initial value is sent, too */
    bool looked;    /* a condition looks at it */
    bool shown;     /* rows or expectations do */
} hk_plan_flow_variable;

typedef struct hk_plan_flow {
    uint32_t component, from, to; /* nodes */
    hk_tick lag;
    hk_tick look; /* conditions wait for what was so long ago; HK_TICK_NEVER: none looks at it */
    bool moves; /* something of it may change: a message for each activation, not the first alone */
    hk_plan_flow_variable *variables; /* by index */
    size_t variable_count;
} hk_plan_flow;

typedef struct hk_plan_flows {
    hk_arena *arena;
    const hk_plan *plan;
    hk_placement placement; /* its array is a copy */
    hk_plan_flow *all;      /* by component, then by the node that it goes to */
    size_t count;
    uint32_t *first; /* per component: its first flow; one more for the end */
    bool rows;       /* somebody takes rows */
} hk_plan_flows;

/* What a placement cannot cut, by name: services, and loops of initial values. */
HK_NODISCARD hk_status hk_placement_check(hk_ctx *ctx, const hk_plan *plan,
                                          const hk_placement *placement);

/* LOOKS may be NULL: nothing. The recorder has a flow of every component, if only to know how far
 * it is. Refuses what hk_placement_check does. */
HK_NODISCARD hk_status hk_plan_flows_make(hk_ctx *ctx, const hk_plan *plan,
                                          const hk_placement *placement, const hk_looks *looks,
                                          hk_plan_flows **ret_flows);
void hk_plan_flows_destroy(hk_plan_flows *flows); /* NULL is fine */
/* The flow of COMPONENT to NODE; NULL: there is none. */
const hk_plan_flow *hk_plan_flow_find(const hk_plan_flows *flows, uint32_t component,
                                      uint32_t node);
/* How many messages the receiver of a flow keeps: one that waits for its time never keeps out one
 * that is needed. docs/nodes.md says why. */
size_t hk_plan_flow_room(const hk_plan_flows *flows, const hk_plan_flow *flow);

/* Messages of a flow in a run that goes on to its stop time, in which nobody is stopped. */
typedef struct hk_flow_messages {
    uint64_t
        before; /* initial values; of a loop that is iterated, one for each pass: counted once */
    uint64_t during; /* one for each activation */
    uint64_t at_end; /* what tables say there */
} hk_flow_messages;
hk_flow_messages hk_plan_flow_messages(const hk_plan_flows *flows, const hk_plan_flow *flow);

#endif
