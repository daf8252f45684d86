/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: the architecture of a multi-model while it is drawn. A block is a box with
 * compartments; blocks that it is composed of are below it, in rows that fit a page, joined to it
 * by lines that run between the rows: so no line crosses a box. */
#ifndef HK_DRAW_ARCHITECTURE_H
#define HK_DRAW_ARCHITECTURE_H

#include "draw/draw_profile.h"

enum {
    HK_ARCHITECTURE_MARGIN = 16,
    HK_ARCHITECTURE_PAD = 8,   /* between a box and its words */
    HK_ARCHITECTURE_APART = 18 /* between boxes of a row */
};

typedef struct hk_architecture_line {
    const char *words;
    hk_lettering lettering;
    bool centred;
    bool ruled; /* a compartment begins: there is a rule above it */
    double y;   /* of its baseline, from the top of the box */
} hk_architecture_line;

/* A block. One that is part of several others is shown whole in one place, and by its name in the
 * others. */
typedef struct hk_architecture_box {
    uint32_t block;
    bool again;
    const char *role;            /* names of the parts that it is, "left, right [4]"; NULL: none */
    hk_architecture_line *lines; /* freed with the drawing */
    size_t line_count, line_cap;
    size_t parent, first, next; /* SIZE_MAX: none */
    hk_box box;                 /* found */
    hk_box all;                 /* found: the rectangle that it and all below it need */
} hk_architecture_box;

/* A line between two boxes; several are one composition. */
typedef struct hk_architecture_stroke {
    double x1, y1, x2, y2;
} hk_architecture_stroke;

typedef struct hk_architecture {
    const hk_multimodel *profile;
    hk_canvas *canvas;
    hk_architecture_box *boxes; /* a parent comes before those below it */
    size_t box_count, box_cap;
    hk_architecture_stroke *strokes;
    size_t stroke_count, stroke_cap;
    double page;          /* pixels that rows may be wide */
    double width, height; /* found: where the boxes end */
} hk_architecture;

/* architecture_words.c: all boxes with their words. */
void hk_architecture_collect(hk_architecture *a);
/* Pixels of the names of the parts that it is, above it. */
double hk_architecture_role_width(const hk_architecture_box *box);
/* architecture_place.c: where they go, from (X, Y) on, and the lines between them. */
void hk_architecture_place(hk_architecture *a, double x, double y);
/* draw_architecture.c */
void hk_architecture_finish(hk_architecture *a);
/* Draws it on the canvas that A has; the rest of A is made. */
hk_picture hk_architecture_draw(hk_architecture *a, const char *title);

/* architecture_words.c: how things of a multi-model look in both diagrams. */
const char *hk_profile_look(hk_arena *arena, const hk_profile_block *block);
/* «EComponent» */
const char *hk_profile_stereotype(hk_arena *arena, const hk_profile_block *block);
/* What the colours mean, of those that blocks have, from Y on; returns where it ends. */
double hk_profile_draw_legend(hk_canvas *canvas, const hk_multimodel *profile, double y);

#endif
