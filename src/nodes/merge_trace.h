/* SPDX-License-Identifier: MIT
 *
 * The traces of all nodes as one, with the lines and numbers that a run on one node has. */
#ifndef HK_NODES_MERGE_TRACE_H
#define HK_NODES_MERGE_TRACE_H

#include "nodes/node_lines.h"

/* All up to UNTIL. CRASHED: without the phase that it is in, of which one node would know nothing.
 */
void hk_trace_merge(hk_lines *lines, const hk_moment *until, bool crashed, const hk_trace_sink *to);

#endif
