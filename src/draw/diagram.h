/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: the picture of a module while it is made. It is a tree of shapes, and every
 * arrow joins two shapes of the same parent: so each shape is laid out by itself, from the inside
 * out, and is one box for the layout around it. */
#ifndef HK_DRAW_DIAGRAM_H
#define HK_DRAW_DIAGRAM_H

#include "draw/draw_diagram.h"
#include "draw/graph_layout.h"

enum {
    HK_DIAGRAM_MARGIN = 16,
    HK_DIAGRAM_PAD = 8,     /* between a box and what is in it */
    HK_DIAGRAM_STRONG = 16, /* pixels from line to line: names */
    HK_DIAGRAM_LINE = 13,   /* and what is below them */
};

typedef struct hk_diagram_line {
    const char *words, *whole; /* WHOLE: what was cut, or NULL */
    bool strong;
} hk_diagram_line;

typedef struct hk_diagram_lines {
    hk_diagram_line *all;
    size_t count, cap; /* all is freed with the diagram */
    double w, h;       /* pixels */
} hk_diagram_lines;

typedef enum hk_diagram_kind {
    HK_DIAGRAM_MODULE,
    HK_DIAGRAM_PLATFORM,
    HK_DIAGRAM_CONTROLLER,
    HK_DIAGRAM_MACHINE,
    HK_DIAGRAM_OPERATION, /* a machine that others call */
    HK_DIAGRAM_STATE,
    HK_DIAGRAM_INITIAL, /* this and those below are circles */
    HK_DIAGRAM_FINAL,
    HK_DIAGRAM_JUNCTION,
    HK_DIAGRAM_PROBABILISTIC
} hk_diagram_kind;

typedef struct hk_diagram_shape {
    hk_diagram_kind kind;
    size_t parent; /* SIZE_MAX: it is the module */
    size_t children;
    const char *path; /* "c0.s0.Turn" */
    hk_diagram_lines words;
    const char *count; /* "12×" of a state; NULL: no run is shown */
    bool seen;         /* the run was there */
    hk_box box;        /* found: first in its parent, then in the picture */
} hk_diagram_shape;

typedef struct hk_diagram_arrow {
    size_t from, to; /* shapes of one parent */
    hk_diagram_lines words;
    const char *tip;
    const char *look; /* more classes of its line; NULL: none */
    bool transition, seen;
    hk_layout_edge edge; /* found, like the boxes */
} hk_diagram_arrow;

typedef struct hk_diagram {
    const hk_chart *chart;
    const hk_diagram_options *options;
    hk_canvas *canvas;
    hk_diagram_shape *shapes; /* a parent comes before its children; the first is the module */
    size_t shape_count, shape_cap;
    hk_diagram_arrow *arrows;
    size_t arrow_count, arrow_cap;
    const char **cut; /* texts that had no room, in the order of their numbers */
    size_t cut_count, cut_cap;
} hk_diagram;

/* ---- diagram_words.c ---- */

void hk_diagram_add_name(hk_diagram_lines *lines, const char *words);
/* WORDS in lines of at most ROOM pixels, so many at most; what is left out is noted under WHO. */
typedef struct hk_diagram_room {
    double width;
    size_t lines;
    const char *who;
} hk_diagram_room;
void hk_diagram_add_words(hk_diagram *d, hk_diagram_lines *lines, const char *words,
                          hk_diagram_room room);
/* The same of texts that are in one line if they fit there, else each in lines of its own; NULL is
 * left out. */
void hk_diagram_add_parts(hk_diagram *d, hk_diagram_lines *lines, const char *const parts[3],
                          hk_diagram_room room);
/* Writes them into BOX from its upper left corner on; LOOK: more classes, or NULL. */
void hk_diagram_put_lines(const hk_diagram *d, const hk_diagram_lines *lines, hk_box box,
                          const char *look);

/* ---- diagram_module.c, diagram_machine.c ---- */

/* All shapes and arrows. */
void hk_diagram_collect(hk_diagram *d);
size_t hk_diagram_add_shape(hk_diagram *d, hk_diagram_shape shape);
void hk_diagram_add_arrow(hk_diagram *d, hk_diagram_arrow arrow);
/* The states of a machine, and the transitions between them, in the shape PARENT. */
void hk_diagram_collect_states(hk_diagram *d, uint32_t machine, size_t parent);

/* ---- diagram_place.c, diagram_faults.c, diagram_labels.c ---- */

/* Finds the boxes and curves of all. */
HK_NODISCARD hk_status hk_diagram_place(hk_ctx *ctx, hk_diagram *d);
/* How high the words of a shape are that has others in it. */
double hk_diagram_head(const hk_diagram_shape *shape);

/* What is wrong with a layout without nests. */
typedef struct hk_layout_faults {
    size_t crossed; /* edges that meet a box they do not lead to, labels that meet a box */
    size_t covered; /* labels that meet each other */
    size_t struck;  /* labels that another edge passes through: bad to read, no more */
} hk_layout_faults;
hk_layout_faults hk_layout_judge(const hk_layout *layout);
/* Moves labels that another edge passes through to a place along their own where none does. */
void hk_layout_free_labels(hk_layout *layout);
/* The point of an edge's line at ALONG of it, from 0 to 1. */
void hk_layout_edge_point(const hk_layout_edge *edge, double along, double ret_point[2]);
/* The line of an edge, or its head, is in the box. */
bool hk_layout_edge_meets(const hk_layout_edge *edge, hk_box box);

/* ---- diagram_legend.c ---- */

/* What colours and signs mean, and the texts that were cut, from Y on; returns where it ends. */
double hk_diagram_draw_legend(const hk_diagram *d, double y, double width);
const char *hk_diagram_look(const hk_diagram *d, hk_diagram_kind kind, bool outer, bool seen);
void hk_diagram_draw_circle(const hk_diagram *d, hk_diagram_kind kind, hk_box box, const char *tip);

#endif
