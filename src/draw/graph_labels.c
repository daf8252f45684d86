/* SPDX-License-Identifier: MIT
 *
 * Labels on arrows. Graphviz leaves room for labels beside arrows, which bends all of them; where
 * only some have a label it is better to lay out the arrows alone, and to look for free places on
 * them. */
#include "draw/graph_drawing.h"

enum { PLACES = 17, CLEARANCE = 3 };

/* A point of a curve of Bezier with 3 n + 1 points, at PART of its way. */
static void point_at(const hk_layout_edge *e, double part, double *ret_x, double *ret_y) {
    size_t pieces = (e->point_count - 1) / 3;
    double at = part * (double)pieces;
    size_t piece = at >= (double)pieces ? pieces - 1 : (size_t)at;
    double t = at - (double)piece, u = 1 - t;
    const double *p = &e->points[6 * piece];
    const double weights[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    *ret_x = *ret_y = 0;
    for (size_t i = 0; i < 4; i++) {
        *ret_x += weights[i] * p[2 * i];
        *ret_y += weights[i] * p[2 * i + 1];
    }
}

/* What is there already. */
typedef struct taken {
    hk_box *boxes;
    size_t count;
} taken;

static bool is_free(const taken *t, hk_box box) {
    for (size_t i = 0; i < t->count; i++)
        if (hk_box_overlap(t->boxes[i], box))
            return false;
    return true;
}

static taken find_taken(const hk_graph_drawing *d) {
    const hk_layout *l = &d->layout;
    taken t = {.boxes = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_box,
                                     l->node_count + l->nest_count + l->edge_count + 1)};
    for (size_t i = 0; i < l->node_count; i++)
        t.boxes[t.count++] = l->nodes[i].box;
    for (size_t i = 0; i < l->nest_count; i++) {
        hk_label label = hk_graph_nest_label(d, i);
        t.boxes[t.count++] = hk_label_box(&label);
    }
    return t;
}

/* Other arrows that pass through a box. */
static size_t count_passing(const hk_layout *l, const hk_layout_edge *own, hk_box box) {
    enum { STEPS = 24 };
    size_t passing = 0;
    for (size_t i = 0; i < l->edge_count; i++) {
        const hk_layout_edge *e = &l->edges[i];
        size_t steps = STEPS * (e->point_count / 3), k = e == own ? steps : 0;
        for (; k < steps; k++) {
            double x, y;
            point_at(e, (double)k / (double)steps, &x, &y);
            if (hk_box_inside((hk_box){x, y, 0, 0}, box))
                break;
        }
        passing += k < steps;
    }
    return passing;
}

/* Where the fewest other arrows pass; of such places the one that is nearest to the middle. */
static bool place(const hk_layout *l, hk_layout_edge *e, const char *words, taken *t) {
    hk_font font = hk_lettering_font(HK_LETTERS_TINY);
    double w = hk_text_pixels(font, words) + 2 * CLEARANCE;
    double h = hk_font_above(font) + hk_font_below(font) + 2 * CLEARANCE;
    size_t least = SIZE_MAX;
    for (int i = 0; i < PLACES && least; i++) {
        int away = (i + 1) / 2 * (i % 2 ? 1 : -1);
        double x, y;
        point_at(e, 0.5 + 0.9 * away / PLACES, &x, &y);
        hk_box box = {x - w / 2, y - h / 2, w, h};
        size_t passing = is_free(t, box) ? count_passing(l, e, box) : least;
        if (passing >= least)
            continue;
        least = passing;
        e->label_x = x;
        e->label_y = y;
    }
    e->label_w = w;
    e->label_h = h;
    t->boxes[t->count++] = (hk_box){e->label_x - w / 2, e->label_y - h / 2, w, h};
    return least < SIZE_MAX;
}

bool hk_graph_place_labels(const hk_graph_drawing *d) {
    taken t = find_taken(d);
    for (size_t i = 0; i < d->flow_count; i++)
        if (d->flows[i].label && !place(&d->layout, &d->layout.edges[i], d->flows[i].label, &t))
            return false;
    return true;
}
