/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: a plot while it is drawn on a canvas. */
#ifndef HK_DRAW_PLOT_DRAWING_H
#define HK_DRAW_PLOT_DRAWING_H

#include "draw/plot_layout.h"

typedef struct hk_plot_place {
    double top, height; /* of a panel, in pixels */
} hk_plot_place;

typedef struct hk_plot_drawing {
    hk_canvas *canvas;
    const hk_plot_layout *layout; /* of the plot */
    double width, left, right;    /* of all, and where the panels begin and end */
    hk_axis *x, *y;               /* one for each panel; over the time all x are the same */
    hk_plot_place *places;
} hk_plot_drawing;

double hk_drawing_x(const hk_plot_drawing *d, double place);
double hk_drawing_y(const hk_plot_drawing *d, size_t panel, double place);

/* ---- plot_marks.c ---- */

/* Room for the numbers of events above the first panel. */
double hk_marks_head(const hk_plot_drawing *d);
/* Lines of all panels, and their numbers above the first one. */
void hk_marks_events(const hk_plot_drawing *d);
void hk_marks_limits(const hk_plot_drawing *d);
/* The words of events and verdicts, from Y on; returns where they end. */
double hk_marks_foot(const hk_plot_drawing *d, double y);

#endif
