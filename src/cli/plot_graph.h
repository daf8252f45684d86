/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket plot`: a system as a graph. */
#ifndef HK_CLI_PLOT_GRAPH_H
#define HK_CLI_PLOT_GRAPH_H

#include "cli/cli.h"

/* FILE is a system by its extension. */
bool hk_names_system(const char *file);
/* Draws the system that ARGS name, with its plan, to OUTPUT; NULL: that is an error. */
HK_NODISCARD hk_status hk_plot_graph(hk_cli *cli, const hk_args *args, const char *output);

#endif
