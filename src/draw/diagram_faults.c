/* SPDX-License-Identifier: MIT
 *
 * What is wrong with a layout: looked at, since Graphviz does its best and promises nothing. */
#include "draw/diagram.h"

#include <math.h>

enum { STEPS = 12 }; /* pieces of a curve that are straight enough */

static const double CLEARANCE = 2;

static hk_box grown(hk_box box, double by) {
    return (hk_box){box.x - by, box.y - by, box.w + 2 * by, box.h + 2 * by};
}

static hk_box label_box(const hk_layout_edge *e) {
    return (hk_box){e->label_x - e->label_w / 2, e->label_y - e->label_h / 2, e->label_w,
                    e->label_h};
}

/* Keeps of [*from, *to] the part of a line that is between LOW and HIGH; false: there is none. */
static bool clip(double start, double delta, const double bounds[2], double *from, double *to) {
    if (fabs(delta) < 1e-9)
        return start >= bounds[0] && start <= bounds[1];
    double a = (bounds[0] - start) / delta, b = (bounds[1] - start) / delta;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *from <= *to;
}

static bool line_meets(const double a[2], const double b[2], hk_box box) {
    double from = 0, to = 1;
    const double across[2] = {box.x, box.x + box.w}, down[2] = {box.y, box.y + box.h};
    return clip(a[0], b[0] - a[0], across, &from, &to) && clip(a[1], b[1] - a[1], down, &from, &to);
}

/* The point of piece K of an edge's curve. */
static void point_of(const hk_layout_edge *e, size_t k, double ret_point[2]) {
    const double *p = e->points + 6 * (k / STEPS);
    double t = (double)(k % STEPS) / STEPS, s = 1 - t;
    for (size_t i = 0; i < 2; i++)
        ret_point[i] = k % STEPS == 0 ? p[i]
                                      : s * s * s * p[i] + 3 * s * s * t * p[2 + i] +
                                            3 * s * t * t * p[4 + i] + t * t * t * p[6 + i];
}

void hk_layout_edge_point(const hk_layout_edge *e, double along, double ret_point[2]) {
    size_t pieces = (e->point_count - 1) / 3 * STEPS;
    point_of(e, (size_t)(along * (double)pieces), ret_point);
}

bool hk_layout_edge_meets(const hk_layout_edge *e, hk_box box) {
    size_t pieces = (e->point_count - 1) / 3 * STEPS;
    double a[2], b[2];
    point_of(e, 0, a);
    for (size_t k = 1; k <= pieces; k++) {
        point_of(e, k, b);
        if (line_meets(a, b, box))
            return true;
        a[0] = b[0];
        a[1] = b[1];
    }
    return line_meets(a, (const double[]){e->tip_x, e->tip_y}, box);
}

static void judge_nodes(const hk_layout *l, const hk_layout_edge *e, hk_layout_faults *f) {
    for (size_t i = 0; i < l->node_count; i++) {
        hk_box box = grown(l->nodes[i].box, CLEARANCE);
        f->crossed += i != e->from && i != e->to && hk_layout_edge_meets(e, box);
        f->crossed += e->label_w > 0 && hk_box_overlap(label_box(e), l->nodes[i].box);
    }
}

hk_layout_faults hk_layout_judge(const hk_layout *l) {
    hk_layout_faults f = {0};
    for (size_t i = 0; i < l->edge_count; i++) {
        const hk_layout_edge *e = &l->edges[i];
        judge_nodes(l, e, &f);
        for (size_t k = 0; e->label_w > 0 && k < l->edge_count; k++) {
            const hk_layout_edge *other = &l->edges[k];
            f.covered +=
                k < i && other->label_w > 0 && hk_box_overlap(label_box(e), label_box(other));
            f.struck += k != i && hk_layout_edge_meets(other, grown(label_box(e), -CLEARANCE));
        }
    }
    return f;
}
