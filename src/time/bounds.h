/* SPDX-License-Identifier: MIT
 *
 * How many messages of a flow can wait, and how many must be able to. A message waits until its
 * sink is activated at or after its stamp; a sender that finds its queue full waits too.
 *
 * Capacity. A send at s must wait only for what is earlier than s. Then everything that anybody
 * waits for (messages up to its own time, cells before it on its node, room in a queue) is earlier,
 * or at the same time and earlier in the order of the cells without lag; so if that order has no
 * cycle (time/cycles.h), nobody waits for ever, whatever else the graph is like. What the sink has
 * not taken before s has stamps above those of its last activation before s, which is at most
 * `longest` ticks ago; with the one that is sent these are ceil((lag + longest) / shortest)
 * messages. A sink that is the only cell of its node takes messages as they come, by their stamps:
 * there floor(lag / shortest) + 1 are enough. They are not where a node has several cells: while a
 * slow one is not due, the fast ones may wait for somebody who waits for the sender.
 *
 * Most. Where paths lead back from the sink to the source, the source cannot run ahead by more than
 * it takes to go around: then no more than `most` ever wait, and nobody has to say that there is
 * room again. */
#ifndef HK_TIME_BOUNDS_H
#define HK_TIME_BOUNDS_H

#include "time/flow_graph.h"

typedef struct hk_flow_bound {
    int64_t capacity; /* with room for so many, sends that wait cannot hang */
    int64_t most;     /* more never wait, even if there is room; 0: the source is not held back */
    /* What a queue is made for: `most` where that is known, and sends never wait; else `capacity`.
     */
    int64_t queue;
} hk_flow_bound;

/* One for each flow, in ARENA. */
hk_flow_bound *hk_flow_bounds(hk_arena *arena, const hk_flow_graph *graph);

#endif
