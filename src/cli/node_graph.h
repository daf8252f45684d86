/* SPDX-License-Identifier: MIT */
#ifndef HK_CLI_NODE_GRAPH_H
#define HK_CLI_NODE_GRAPH_H

#include "cli/cli.h"

/* A graph of nodes in a file: is it free of cycles without delay? Then it is run, and the counts
 * are shown. PROMELA: it is written there for spin instead; NULL: it is run. */
HK_NODISCARD hk_status hk_node_graph(hk_cli *cli, const char *path, const char *promela);

#endif
