/* SPDX-License-Identifier: MIT
 *
 * Flows that lead back, or that the layout has led through a box: they go down beside the box they
 * come from, along a lane below all boxes, and up beside the one they lead to. Sideways a place is
 * looked for where nothing is in the way; if there is none, a flow stays as it was. */
#include "draw/connections.h"

#include "draw/diagram.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 60, CORNERS = 4 };

static const double STEP = 6;        /* between lines that run beside each other */
static const double LANE = 8;        /* between lanes */
static const double CLEAR = 4;       /* between lines and boxes */
static const double ROUND = 5;       /* of corners */
static const double HEAD_LENGTH = 9; /* of an arrow */

/* A piece that goes up or down. */
typedef struct upright {
    double x, top, bottom;
} upright;

/* A piece that goes along a lane. */
typedef struct stretch {
    size_t lane;
    double left, right;
} stretch;

typedef struct router {
    hk_connections *c;
    hk_box *obstacles; /* boxes of the nodes, with the names of flows beside them */
    upright *uprights;
    size_t upright_count;
    stretch *stretches;
    size_t stretch_count;
    double bottom; /* of all boxes */
} router;

static double row_y(const hk_layout_node *n, size_t row) {
    return n->box.y + n->head + ((double)row + 0.5) * n->row;
}

/* ---- what is in the way ---- */

static void find_obstacles(router *r) {
    const hk_layout *l = &r->c->layout;
    r->obstacles = HK_NEW_ARRAY(hk_canvas_arena(r->c->canvas), hk_box, l->node_count + 1);
    for (size_t i = 0; i < l->node_count; i++) {
        r->obstacles[i] = l->nodes[i].box;
        r->bottom = fmax(r->bottom, l->nodes[i].box.y + l->nodes[i].box.h);
    }
    for (size_t i = 1; i < l->nest_count; i++)
        r->bottom = fmax(r->bottom, l->nests[i].box.y + l->nests[i].box.h);
    for (size_t i = 0; i < l->edge_count; i++) {
        hk_box *box = &r->obstacles[l->edges[i].to];
        double needed = 12 + hk_connections_name_width(r->c, i) + 4;
        double more = l->nodes[l->edges[i].to].box.x - needed;
        if (more < box->x) {
            box->w += box->x - more;
            box->x = more;
        }
    }
}

static bool is_free(const router *r, upright u) {
    for (size_t i = 0; i < r->c->layout.node_count; i++) {
        const hk_box *b = &r->obstacles[i];
        if (u.x > b->x - CLEAR && u.x < b->x + b->w + CLEAR && u.bottom > b->y - CLEAR &&
            u.top < b->y + b->h + CLEAR)
            return false;
    }
    for (size_t i = 0; i < r->upright_count; i++)
        if (fabs(r->uprights[i].x - u.x) < STEP - 0.5 && r->uprights[i].top < u.bottom + LANE &&
            u.top < r->uprights[i].bottom + LANE)
            return false;
    return true;
}

/* Goes from X to the side until there is room; false: there is none. */
static bool find_upright(router *r, double x, double y, double step, double *ret_x) {
    for (size_t i = 0; i < TRIES; i++, x += step) {
        upright u = {x, y, r->bottom + LANE};
        if (!is_free(r, u))
            continue;
        *ret_x = x;
        return true;
    }
    return false;
}

static size_t find_lane(const router *r, double left, double right) {
    size_t lane = 0;
    for (size_t i = 0; i < r->stretch_count;) {
        const stretch *s = &r->stretches[i];
        bool taken = s->lane == lane && s->left < right + STEP && left < s->right + STEP;
        lane += taken;
        i = taken ? 0 : i + 1;
    }
    return lane;
}

/* ---- curves ---- */

static void add_point(hk_layout_edge *e, double x, double y) {
    e->points[2 * e->point_count] = x;
    e->points[2 * e->point_count++ + 1] = y;
}

/* A straight piece from where the curve is. */
static void add_straight(hk_layout_edge *e, double x, double y) {
    double from_x = e->points[2 * e->point_count - 2], from_y = e->points[2 * e->point_count - 1];
    add_point(e, from_x + (x - from_x) / 3, from_y + (y - from_y) / 3);
    add_point(e, from_x + 2 * (x - from_x) / 3, from_y + 2 * (y - from_y) / 3);
    add_point(e, x, y);
}

/* The point that is ROUND, or half of the way, from A towards B. */
static void towards(const double a[2], const double b[2], double ret_point[2]) {
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    double part = length > 0 ? fmin(ROUND / length, 0.5) : 0;
    ret_point[0] = a[0] + part * (b[0] - a[0]);
    ret_point[1] = a[1] + part * (b[1] - a[1]);
}

/* Lines from corner to corner, the corners rounded. */
static void draw_way(hk_arena *arena, hk_layout_edge *e, const double (*at)[2], size_t count) {
    e->points = HK_NEW_ARRAY(arena, double, 2 * (6 * count + 8));
    e->point_count = 0;
    add_point(e, at[0][0], at[0][1]);
    for (size_t i = 1; i + 1 < count; i++) {
        double before[2], behind[2];
        towards(at[i], at[i - 1], before);
        towards(at[i], at[i + 1], behind);
        add_straight(e, before[0], before[1]);
        add_point(e, at[i][0], at[i][1]);
        add_point(e, at[i][0], at[i][1]);
        add_point(e, behind[0], behind[1]);
    }
    e->tip_x = at[count - 1][0];
    e->tip_y = at[count - 1][1];
    add_straight(e, e->tip_x - HEAD_LENGTH, e->tip_y);
}

/* ---- flows ---- */

static bool is_bad(const hk_layout *l, const hk_layout_edge *e) {
    const hk_box *from = &l->nodes[e->from].box, *to = &l->nodes[e->to].box;
    if (to->x < from->x + from->w)
        return true;
    for (size_t i = 0; i < l->node_count; i++)
        if (i != e->from && i != e->to && hk_layout_edge_meets(e, l->nodes[i].box))
            return true;
    return false;
}

static void route(router *r, size_t edge) {
    const hk_layout *l = &r->c->layout;
    hk_layout_edge *e = &l->edges[edge];
    const hk_layout_node *from = &l->nodes[e->from], *to = &l->nodes[e->to];
    double y0 = row_y(from, e->from_row), y1 = row_y(to, e->to_row), x0, x1;
    double right = from->box.x + from->box.w;
    if (!find_upright(r, right + 2 * STEP, y0, STEP, &x0))
        return;
    r->uprights[r->upright_count++] = (upright){x0, y0, r->bottom + LANE};
    if (!find_upright(r, r->obstacles[e->to].x - CLEAR - STEP, y1, -STEP, &x1)) {
        r->upright_count--;
        return;
    }
    r->uprights[r->upright_count++] = (upright){x1, y1, r->bottom + LANE};
    size_t lane = find_lane(r, fmin(x0, x1), fmax(x0, x1));
    r->stretches[r->stretch_count++] = (stretch){lane, fmin(x0, x1), fmax(x0, x1)};
    double y = r->bottom + 14 + LANE * (double)lane;
    const double way[CORNERS + 2][2] = {{right, y0}, {x0, y0}, {x0, y},
                                        {x1, y},     {x1, y1}, {to->box.x, y1}};
    draw_way(hk_canvas_arena(r->c->canvas), e, way, CORNERS + 2);
}

/* How far apart the ends of a flow are: short ones are nearer to the boxes. */
typedef struct turn {
    size_t edge;
    double length;
} turn;

static int by_length(const void *a, const void *b) {
    const turn *x = a, *y = b;
    if (x->length < y->length || x->length > y->length)
        return x->length < y->length ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

size_t hk_connections_route(hk_connections *c) {
    const hk_layout *l = &c->layout;
    router r = {.c = c};
    turn *turns = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), turn, l->edge_count + 1);
    size_t count = 0;
    find_obstacles(&r);
    r.uprights = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), upright, 2 * l->edge_count + 1);
    r.stretches = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), stretch, l->edge_count + 1);
    for (size_t i = 0; i < l->edge_count; i++)
        if (is_bad(l, &l->edges[i]))
            turns[count++] =
                (turn){i, fabs(l->nodes[l->edges[i].from].box.x - l->nodes[l->edges[i].to].box.x)};
    if (count > 1)
        qsort(turns, count, sizeof *turns, by_length);
    for (size_t i = 0; i < count; i++)
        route(&r, turns[i].edge);
    return count;
}
