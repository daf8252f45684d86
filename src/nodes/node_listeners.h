/* SPDX-License-Identifier: MIT
 *
 * Who follows a run on several nodes: the recorder has the listeners of the run, nodes have ones
 * that look at the same and see nothing. */
#ifndef HK_NODES_NODE_LISTENERS_H
#define HK_NODES_NODE_LISTENERS_H

#include "engine/sim.h"

/* Those of a node, so that all have the same slots; it takes no rows, and its trace goes to WRITE.
 */
hk_listener *hk_listeners_of_node(hk_arena *arena, const hk_sim_options *options,
                                  void (*write)(void *user, const char *text, size_t size),
                                  void *user);
/* Those of the recorder, which makes no calls that could be traced, and who wants the trace of all
 * nodes: RET_TRACE stays as it is if nobody does. */
hk_listener *hk_listeners_of_recorder(hk_arena *arena, const hk_sim_options *options,
                                      hk_trace_sink *ret_trace);

#endif
