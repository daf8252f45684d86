/* SPDX-License-Identifier: MIT
 *
 * Graphs of nodes that are written by hand: docs/nodes.md has the language.
 *
 *     stop 10 s;
 *     node uav period 10 ms;
 *     node wind until 4 s {
 *         cell gust period 20 ms offset 5 ms;
 *         cell map period 1 s, 3 s level 1;
 *     }
 *     flow position: uav -> wind.gust lag 5 ms;
 *     flow wind.gust -> uav observes;
 */
#ifndef HK_TIME_NODE_FILE_H
#define HK_TIME_NODE_FILE_H

#include "base/file.h"
#include "time/flow_graph.h"

/* Reports all mistakes it finds, each with its place, and fails if there was one. Cycles without
 * delay are not looked for: time/cycles.h. */
HK_NODISCARD hk_status hk_node_file_parse(hk_ctx *ctx, const hk_file_text *text,
                                          hk_flow_graph **ret_graph);
HK_NODISCARD hk_status hk_node_file_read(hk_ctx *ctx, const char *path, hk_flow_graph **ret_graph);

#endif
