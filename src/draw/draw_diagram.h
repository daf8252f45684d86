/* SPDX-License-Identifier: MIT
 *
 * A RoboChart module as a picture: its platform and controllers, in them the machines, in those the
 * states and the transitions between them; after a run also what was entered and taken. */
#ifndef HK_DRAW_DRAW_DIAGRAM_H
#define HK_DRAW_DRAW_DIAGRAM_H

#include "chart/chart.h"
#include "draw/canvas.h"

/* How often a run entered each node and took each transition: those of all machines one after the
 * other (hk_chart_first_node, hk_chart_first_transition). Of nodes only states are counted. */
typedef struct hk_diagram_counts {
    const uint64_t *nodes, *transitions;
    const char *record; /* the run, for the legend */
} hk_diagram_counts;

typedef struct hk_diagram_options {
    const char *title;               /* NULL: the name of the module */
    const hk_diagram_counts *counts; /* NULL: no run is shown */
} hk_diagram_options;

/* What a run has counted, from the file beside its RECORD. COMPONENT: the one of the run that is
 * this module; NULL: the only one. Fails if the run knows nothing of the module, or of another
 * version of it. */
HK_NODISCARD hk_status hk_diagram_learn(hk_ctx *ctx, hk_arena *arena, const hk_chart *chart,
                                        const char *record, const char *component,
                                        hk_diagram_counts *ret_counts);

/* Draws it; fails if there is no Graphviz (draw/graph_layout.h). */
hk_picture hk_diagram_draw(hk_ctx *ctx, const hk_chart *chart, const hk_diagram_options *options,
                           hk_canvas *canvas);

#endif
