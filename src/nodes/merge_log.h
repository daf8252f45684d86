/* SPDX-License-Identifier: MIT
 *
 * What the FMUs of all nodes say, in one log, in the order of one node. */
#ifndef HK_NODES_MERGE_LOG_H
#define HK_NODES_MERGE_LOG_H

#include "nodes/node_lines.h"
#include "nodes/node_said.h"

/* In the process of a node: where its messages go from now on. What it points to stays. */
typedef struct hk_node_log {
    hk_lines *lines;
    unsigned node;
    const hk_said *said; /* whose moments they are of */
} hk_node_log;
void hk_log_to_lines(const hk_node_log *log);

/* Writes down all up to UNTIL, and what was said when components were ended: at ENDED, in seconds.
 */
void hk_log_merge(hk_lines *lines, const hk_moment *until, double ended);

#endif
