/* SPDX-License-Identifier: MIT
 *
 * A graph of nodes in Promela, for spin: one process for each node, one channel with a limit for
 * each flow, and in between exactly what the rules allow (time/rules.h). Times are kept relative to
 * the node's own, so that the states of a run without end are finitely many.
 *
 *     spin -a FILE && cc -DSAFETY -o pan pan.c && ./pan          no process waits for ever
 *     spin -a FILE && cc -DNP -DNFAIR=3 -o pan pan.c && ./pan -l -f    a node always goes on
 *
 * The first is for runs with an end, all of whose processes must reach it, and for those without;
 * the second is for those without, and a node whose progress is asked for. */
#ifndef HK_TIME_NODES_PROMELA_H
#define HK_TIME_NODES_PROMELA_H

#include "time/flow_graph.h"

typedef struct hk_promela_options {
    const int64_t *capacity; /* per flow; NULL: as time/bounds.h says */
    const int64_t *at_most;  /* per flow: it is an error if more wait; 0: not; NULL: none */
    bool endless;            /* the ends of graph and nodes do not count: the run goes on */
    uint32_t progress_of;    /* endless: the node whose progress is asked for; HK_MAP_NONE: none */
    bool never_closed;       /* finished sinks do not close their flows, as a seeded fault */
} hk_promela_options;

/* NULL: a time of the graph is too large for spin. */
const char *hk_nodes_promela(hk_arena *arena, const hk_flow_graph *graph,
                             const hk_promela_options *options);

#endif
