/* SPDX-License-Identifier: MIT
 *
 * How long a run takes on nodes, from what activations cost: a node runs its cells one after the
 * other, in the order of the plan, and waits for what they are to see. Messages take no time, and
 * each node has a processor of its own; so this is what can be expected where activations cost much
 * more than messages do, and never less. */
#ifndef HK_PLAN_PACE_H
#define HK_PLAN_PACE_H

#include "plan/flows.h"

/* A cell at an instant, on the longest way through the run. */
typedef struct hk_pace_step {
    hk_tick at;
    uint32_t node;
    uint32_t component, count; /* the first member that is due, and how many are */
    double cost;
    bool crosses; /* it waited for another node, not for its own */
} hk_pace_step;

typedef struct hk_pace {
    hk_tick until;           /* the run was looked at up to here, from its start */
    double serial, parallel; /* seconds of one processor; of all nodes together */
    double *busy;            /* per node */
    /* The longest way: whoever is on it makes all others wait. */
    double *on_path;     /* per node: seconds of it */
    uint64_t crossings;  /* how often it goes from one node to another */
    hk_pace_step *steps; /* the last ones of it, in their order */
    size_t step_count;
} hk_pace;

enum { HK_PACE_STEPS = 16 };

/* COST_S: seconds of one activation, by component. STEPS of the way are of the last REPEAT ticks
 * and at most HK_PACE_STEPS. All of it is in ARENA. */
hk_pace hk_pace_find(hk_arena *arena, const hk_plan_flows *flows, const double *cost_s,
                     hk_tick repeat);

#endif
