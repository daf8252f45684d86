/* SPDX-License-Identifier: MIT
 *
 * A system as a graph: its components in the boxes of their composites, in the colour of their
 * processor, and arrows between them that say how old the values are that arrive. */
#ifndef HK_DRAW_DRAW_GRAPH_H
#define HK_DRAW_DRAW_GRAPH_H

#include "draw/canvas.h"
#include "plan/plan.h"

/* A line below the graph. */
typedef struct hk_graph_note {
    const char *words;
    bool good, bad; /* neither: it is not a verdict */
} hk_graph_note;

typedef struct hk_graph_options {
    const char *title; /* NULL: none */
    const hk_graph_note *notes;
    size_t note_count;
} hk_graph_options;

/* Draws it; fails if there is no Graphviz (draw/graph_layout.h). */
hk_picture hk_graph_draw(hk_ctx *ctx, const hk_plan *plan, const hk_graph_options *options,
                         hk_canvas *canvas);
/* This program can draw graphs, if Graphviz is there when it does. */
bool hk_graph_is_built_in(void);

#endif
