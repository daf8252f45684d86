/* SPDX-License-Identifier: MIT
 *
 * Labels that another arrow passes through are put somewhere else along their own, if there is a
 * place: Graphviz keeps labels off boxes and off each other, but not off arrows. */
#include "draw/diagram.h"

#include <math.h>

enum { ROUNDS = 3, PLACES = 15, FAR = 3 };

static const double GAP = 3; /* between an arrow and its label */

static hk_box label_at(const hk_layout_edge *e, double x, double y) {
    return (hk_box){x - e->label_w / 2, y - e->label_h / 2, e->label_w, e->label_h};
}

static bool is_inside(const hk_layout *l, hk_box box) {
    return box.x >= 0 && box.y >= 0 && box.x + box.w <= l->width && box.y + box.h <= l->height;
}

/* Does an arrow pass through the words of edge INDEX at BOX? OWN: also its own one. */
static bool is_struck(const hk_layout *l, size_t index, hk_box box, bool own) {
    hk_box words = {box.x + 1, box.y + 1, box.w - 2, box.h - 2};
    for (size_t i = 0; i < l->edge_count; i++)
        if ((own || i != index) && hk_layout_edge_meets(&l->edges[i], words))
            return true;
    return false;
}

static bool is_free(const hk_layout *l, size_t index, hk_box box) {
    if (!is_inside(l, box) || is_struck(l, index, box, true))
        return false;
    for (size_t i = 0; i < l->node_count; i++)
        if (hk_box_overlap(box, l->nodes[i].box))
            return false;
    for (size_t i = 0; i < l->edge_count; i++) {
        const hk_layout_edge *e = &l->edges[i];
        if (i != index && e->label_w > 0 &&
            hk_box_overlap(box, label_at(e, e->label_x, e->label_y)))
            return false;
    }
    return true;
}

/* Beside the point: at each of its sides, so close that it is seen whose label it is. */
static bool put_beside(const hk_layout *l, size_t index, const double point[2], double gap) {
    hk_layout_edge *e = &l->edges[index];
    const double across = e->label_w / 2 + gap, down = e->label_h / 2 + gap;
    const double sides[][2] = {{across, 0},    {-across, 0},    {0, down},       {0, -down},
                               {across, down}, {across, -down}, {-across, down}, {-across, -down}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        double x = point[0] + sides[i][0], y = point[1] + sides[i][1];
        if (!is_free(l, index, label_at(e, x, y)))
            continue;
        e->label_x = x;
        e->label_y = y;
        return true;
    }
    return false;
}

/* From the middle of the arrow on, to both of its ends in turn; then the same further away. */
static bool find_place(const hk_layout *l, size_t index) {
    for (int far = 1; far <= FAR; far++)
        for (int i = 0; i <= PLACES; i++)
            for (int side = -1; side <= 1; side += 2) {
                double point[2];
                hk_layout_edge_point(&l->edges[index], 0.5 + 0.4 * side * i / PLACES, point);
                if (put_beside(l, index, point, GAP * far))
                    return true;
            }
    return false;
}

void hk_layout_free_labels(hk_layout *l) {
    bool moved = true;
    for (int round = 0; moved && round < ROUNDS; round++) { /* one that goes makes room */
        moved = false;
        for (size_t i = 0; i < l->edge_count; i++) {
            const hk_layout_edge *e = &l->edges[i];
            if (e->label_w > 0 && is_struck(l, i, label_at(e, e->label_x, e->label_y), false))
                moved = find_place(l, i) || moved;
        }
    }
}
