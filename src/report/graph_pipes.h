/* SPDX-License-Identifier: MIT
 *
 * The pipes that a graph of nodes is run over. Whether there can be such ones is part of its check.
 */
#ifndef HK_REPORT_GRAPH_PIPES_H
#define HK_REPORT_GRAPH_PIPES_H

#include "time/flow_graph.h"

/* What goes through a pipe: less than PIPE_BUF, so it comes whole. */
typedef struct hk_graph_message {
    hk_tick stamp, promise;
} hk_graph_message;

/* One pipe for each flow, with room for all messages that must be able to wait. Also after an error
 * what was opened is to be closed. */
HK_NODISCARD hk_status hk_graph_pipes_open(hk_ctx *ctx, hk_arena *arena, const hk_flow_graph *graph,
                                           int (**ret_pipes)[2]);
void hk_graph_pipes_close(const hk_flow_graph *graph, int (*pipes)[2]);

#endif
