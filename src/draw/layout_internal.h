/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: the one who knows Graphviz, and who asks it in a process of its own. */
#ifndef HK_DRAW_LAYOUT_INTERNAL_H
#define HK_DRAW_LAYOUT_INTERNAL_H

#include "draw/graph_layout.h"

/* Fills in what is found; NULL, or why nothing is. For a process that ends soon: it leaves memory
 * and libraries behind. */
const char *hk_layout_by_graphviz(hk_arena *arena, hk_layout *layout);

#endif
