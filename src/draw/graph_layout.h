/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room, and for those who ask whether Graphviz works (`hocket doctor`): where the
 * boxes and arrows of a graph go. The work is done by Graphviz
 * (libgvc), which is loaded when a graph is drawn and not before, in a process of its own: a
 * program that draws none pays nothing for it, and what a large library leaves behind, or ends by,
 * does not matter. */
#ifndef HK_DRAW_GRAPH_LAYOUT_H
#define HK_DRAW_GRAPH_LAYOUT_H

#include "draw/canvas.h"

/* A box, or a box around boxes. PARENT: the box around it; SIZE_MAX: none. */
typedef struct hk_layout_node {
    size_t parent;
    bool round;  /* arrows end at the circle in it */
    double w, h; /* of what is in it, or of the label of a box around boxes */
    /* Ports: below HEAD pixels there are rows, each with a place at the left side where an edge may
     * end and one at the right where it may begin. ROWS 0: edges end anywhere. */
    double head, row;
    size_t rows;
    hk_box box; /* found */
} hk_layout_node;

typedef struct hk_layout_edge {
    size_t from, to;         /* nodes */
    size_t from_row, to_row; /* of nodes with rows */
    double label_w, label_h; /* 0: none */
    /* Found: a curve of Bezier, x and y in turn, of 3 n + 1 points; the point of the arrow; the
     * middle of the label. */
    double *points;
    size_t point_count;
    double tip_x, tip_y, label_x, label_y;
} hk_layout_edge;

/* Where arrows lead, as far as they do not lead back. */
typedef enum hk_layout_way {
    HK_LAYOUT_FITTING, /* to the right, or down if that fits a page much better */
    HK_LAYOUT_DOWN,
    HK_LAYOUT_ACROSS
} hk_layout_way;

typedef struct hk_layout {
    hk_layout_node *nodes;
    size_t node_count;
    hk_layout_node *nests; /* a parent comes before its children */
    size_t nest_count;
    hk_layout_edge *edges;
    size_t edge_count;
    hk_layout_way way;
    double apart;         /* pixels between boxes that are connected, at least; 0: 36 */
    double width, height; /* found */
} hk_layout;

/* Says with HK_E_FILE_KIND what is missing if there is no Graphviz. No thread may run. */
HK_NODISCARD hk_status hk_layout_find(hk_ctx *ctx, hk_arena *arena, hk_layout *layout);
/* False: this program was built without it. */
bool hk_layout_is_built_in(void);

/* How an edge looks that was laid out: its line and its head as classes, and its tip. */
typedef struct hk_arrow {
    double x, y; /* by which it is moved */
    const char *line, *head, *tip;
} hk_arrow;
void hk_arrow_draw(hk_canvas *canvas, const hk_layout_edge *edge, hk_arrow arrow);

#endif
