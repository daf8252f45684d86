/* SPDX-License-Identifier: MIT
 *
 * Where the blocks of an architecture go: a block above those that it is composed of, which stand
 * in rows that fit a page, each with all that is below it in a rectangle of its own. A row has a
 * line above it, from which one leads down to each block; where there are several rows, these lines
 * are joined at the left. */
#include "draw/architecture.h"

#include <math.h>

static const double PAGE_MIN = 1200; /* pixels that rows may be wide, at least */
static const double PAGE_MAX = 4000;
static const double SLENDER = 1.4;    /* how much higher than wide a picture may be */
static const double ABOVE_ROW = 44;   /* room for lines and the names of parts */
static const double BUS = 22;         /* from a row up to its line */
static const double TRUNK = 20;       /* room at the left for the line that joins rows */
static const double ROOTS_APART = 30; /* between trees */

static double middle(const hk_architecture_box *b) {
    return b->box.x + b->box.w / 2;
}

/* ---- rectangles: first with places in that of the parent, then in the picture ---- */

/* A row of those below a box, from FIRST on; returns the first of the next row. */
static size_t measure_row(const hk_architecture *a, size_t first, double *ret_width,
                          double *ret_height) {
    size_t i = first;
    *ret_width = *ret_height = 0;
    for (; i != SIZE_MAX; i = a->boxes[i].next) {
        const hk_box *all = &a->boxes[i].all;
        double next = *ret_width + (i == first ? 0 : HK_ARCHITECTURE_APART) + all->w;
        if (i != first && next > a->page)
            break;
        *ret_width = next;
        *ret_height = fmax(*ret_height, all->h);
    }
    return i;
}

/* Finds the rectangle of a box, whose parts have theirs. */
static void place_below(hk_architecture *a, hk_architecture_box *b) {
    double w, h, indent = 0, y = b->box.h, first_width = 0;
    if (b->first != SIZE_MAX && measure_row(a, b->first, &first_width, &h) != SIZE_MAX)
        indent = TRUNK;
    b->all = (hk_box){0, 0, b->box.w, b->box.h};
    for (size_t i = b->first, rest; i != SIZE_MAX; i = rest) {
        rest = measure_row(a, i, &w, &h);
        double x = indent + fmax(0, (b->box.w - indent - w) / 2);
        y += ABOVE_ROW;
        b->all.w = fmax(b->all.w, x + w);
        for (size_t k = i; k != rest; k = a->boxes[k].next) {
            a->boxes[k].all.x = x;
            a->boxes[k].all.y = y;
            x += a->boxes[k].all.w + HK_ARCHITECTURE_APART;
        }
        y += h;
    }
    b->all.h = y;
    b->box.x = fmax(0, indent + (first_width - indent - b->box.w) / 2);
    if (b->role) /* it is right of the line that leads to the box */
        b->all.w = fmax(b->all.w, middle(b) + hk_architecture_role_width(b) + 10);
}

/* ---- lines ---- */

static void stroke(hk_architecture *a, double x1, double y1, double x2, double y2) {
    hk_architecture_stroke s = {x1, y1, x2, y2};
    HK_PUSH(a->strokes, a->stroke_count, a->stroke_cap, s);
}

/* The lines of the row from FIRST on, which is joined at JOINT; returns the first of the next. */
static size_t join_row(hk_architecture *a, size_t first, double joint, double trunk) {
    size_t i = first;
    double top = a->boxes[first].box.y, bus = top - BUS, left = joint, right = joint;
    for (; i != SIZE_MAX && !(a->boxes[i].box.y > top); i = a->boxes[i].next) {
        double x = middle(&a->boxes[i]);
        left = fmin(left, x);
        right = fmax(right, x);
        stroke(a, x, bus, x, top);
    }
    if (i != SIZE_MAX)
        left = fmin(left, trunk);
    stroke(a, left, bus, right, bus);
    return i;
}

static void join(hk_architecture *a, const hk_architecture_box *b) {
    double from = b->box.y + b->box.h, joint = middle(b), trunk = b->all.x + TRUNK / 2;
    for (size_t i = b->first; i != SIZE_MAX;) {
        double bus = a->boxes[i].box.y - BUS;
        stroke(a, joint, from, joint, bus);
        i = join_row(a, i, joint, trunk);
        joint = trunk; /* further rows are joined at the left */
        from = bus;
    }
}

/* In rows that fit the page, from (X, Y) on. */
static void place_all(hk_architecture *a, double x, double y) {
    for (size_t i = a->box_count; i-- > 0;)
        place_below(a, &a->boxes[i]);
    a->width = 0;
    for (size_t i = 0; i < a->box_count; i++) {
        hk_architecture_box *b = &a->boxes[i];
        hk_box around = {x, y, 0, 0};
        if (b->parent != SIZE_MAX)
            around = a->boxes[b->parent].all;
        else
            y += b->all.h + ROOTS_APART;
        b->all.x += around.x;
        b->all.y += around.y;
        b->box.x += b->all.x;
        b->box.y = b->all.y;
        a->width = fmax(a->width, b->all.x + b->all.w);
    }
    a->height = y - ROOTS_APART;
}

void hk_architecture_place(hk_architecture *a, double x, double y) {
    static const double wider = 1.2;
    a->page = PAGE_MIN;
    place_all(a, x, y);
    while (a->height > SLENDER * a->width && a->page < PAGE_MAX) {
        a->page *= wider;
        place_all(a, x, y);
    }
    for (size_t i = 0; i < a->box_count; i++)
        join(a, &a->boxes[i]);
}
