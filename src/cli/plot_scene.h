/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket plot`: a scene as a picture. */
#ifndef HK_CLI_PLOT_SCENE_H
#define HK_CLI_PLOT_SCENE_H

#include "cli/cli.h"

/* The options of the group Scene. */
#define HK_SCENE_OPTIONS                                                                           \
    {.name = "at",                                                                                 \
     .argument = "TIME",                                                                           \
     .group = "Scene",                                                                             \
     .help =                                                                                       \
         "the moment that is shown (12.5, 500ms): the last row of the record at or before it; "    \
         "default: its last row"},                                                                 \
        {.name = "view",                                                                           \
         .argument = "VIEW",                                                                       \
         .group = "Scene",                                                                         \
         .help =                                                                                   \
             "perspective, top, side, front, or the name of a camera of the scene; default: its "  \
             "first camera, or perspective"},                                                      \
        {.name = "frames",                                                                         \
         .argument = "N|every=TIME",                                                               \
         .group = "Scene",                                                                         \
         .help = "several moments in one picture: so many, or one every so often"},                \
        {.name = "from",                                                                           \
         .argument = "TIME",                                                                       \
         .group = "Scene",                                                                         \
         .help = "with --frames: the first moment (default: the first row)"},                      \
    {                                                                                              \
        .name = "to", .argument = "TIME", .group = "Scene",                                        \
        .help = "with --frames: the last moment (default: the last row)"                           \
    }

/* The first operand is a scene by its extension, or a package with a record behind it. */
bool hk_names_scene(const hk_args *args);
/* Draws the scene that ARGS name, with its record, to OUTPUT; NULL: that is an error. */
HK_NODISCARD hk_status hk_plot_scene(hk_cli *cli, const hk_args *args, const char *output);

#endif
