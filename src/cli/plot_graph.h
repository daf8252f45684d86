/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket plot`: a system as a graph, a RoboChart module or a multi-model as a diagram. */
#ifndef HK_CLI_PLOT_GRAPH_H
#define HK_CLI_PLOT_GRAPH_H

#include "cli/cli.h"

/* FILE is a system by its extension. */
bool hk_names_system(const char *file);
/* Draws the system that ARGS name, with its plan, to OUTPUT; NULL: that is an error. */
HK_NODISCARD hk_status hk_plot_graph(hk_cli *cli, const hk_args *args, const char *output);

/* TEXT is a RoboChart file by its extension, or a module in it: "x.rct#Module". */
bool hk_names_module(hk_cli *cli, const char *text);
/* Draws the module that ARGS name, with what a run (--run) has counted. */
HK_NODISCARD hk_status hk_plot_chart(hk_cli *cli, const hk_args *args, const char *output);

/* FILE is a multi-model in SysML by its extension. */
bool hk_names_multimodel(const char *file);
/* Draws its architecture, or (--diagram connections) its connections. */
HK_NODISCARD hk_status hk_plot_multimodel(hk_cli *cli, const hk_args *args, const char *output);

#endif
