/* SPDX-License-Identifier: MIT
 *
 * Asks Graphviz in a child process, which writes what was found into a pipe: first whether anything
 * was, as one byte, then numbers in the order of the layout, or the reason in words. Both ends are
 * the same program, so numbers go as they lie in memory. */
#include "base/child.h"
#include "base/clock.h"
#include "draw/layout_internal.h"

#include <string.h>

enum { PATIENCE_MS = 120 * 1000, POINTS_MAX = 1 << 20 };

/* ---- the child ---- */

static void put_nodes(int pipe, const hk_layout_node *nodes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hk_child_put(pipe, &nodes[i].box, sizeof nodes[i].box);
}

static void put_layout(int pipe, const hk_layout *l) {
    hk_child_put(pipe, &l->width, sizeof l->width);
    hk_child_put(pipe, &l->height, sizeof l->height);
    put_nodes(pipe, l->nests, l->nest_count);
    put_nodes(pipe, l->nodes, l->node_count);
    for (size_t i = 0; i < l->edge_count; i++) {
        const hk_layout_edge *e = &l->edges[i];
        const double ends[] = {e->tip_x, e->tip_y, e->label_x, e->label_y};
        hk_child_put(pipe, ends, sizeof ends);
        hk_child_put(pipe, &e->point_count, sizeof e->point_count);
        hk_child_put(pipe, e->points, 2 * e->point_count * sizeof *e->points);
    }
}

/* What the child is given. */
typedef struct question {
    hk_arena *arena;
    hk_layout *layout;
} question;

static void answer(int pipe, void *user) {
    const question *q = user;
    const char *why = hk_layout_by_graphviz(q->arena, q->layout);
    hk_child_put(pipe, why ? "n" : "y", 1);
    if (why)
        hk_child_put(pipe, why, strlen(why));
    else
        put_layout(pipe, q->layout);
}

/* ---- the parent ---- */

typedef struct answered {
    char *data;
    size_t size, cap, at;
} answered;

/* All that the child writes until it ends; false: its time is up. */
static bool receive(const hk_child *child, answered *a) {
    int64_t end = hk_clock_ns() + (int64_t)PATIENCE_MS * 1000 * 1000;
    for (;;) {
        int64_t left = (end - hk_clock_ns()) / (1000 * 1000);
        if (a->cap - a->size < 4096) {
            a->cap = 2 * (a->cap + 4096);
            a->data = hk_realloc(a->data, a->cap);
        }
        ssize_t got = left > 0
                          ? hk_child_read(child, a->data + a->size, a->cap - a->size - 1, (int)left)
                          : -1;
        if (got <= 0)
            return got == 0;
        a->size += (size_t)got;
    }
}

static bool get(answered *a, void *data, size_t size) {
    if (a->size - a->at < size)
        return false;
    memcpy(data, a->data + a->at, size);
    a->at += size;
    return true;
}

static bool get_nodes(answered *a, hk_layout_node *nodes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!get(a, &nodes[i].box, sizeof nodes[i].box))
            return false;
    return true;
}

static bool get_layout(answered *a, hk_arena *arena, hk_layout *l) {
    if (!get(a, &l->width, sizeof l->width) || !get(a, &l->height, sizeof l->height) ||
        !get_nodes(a, l->nests, l->nest_count) || !get_nodes(a, l->nodes, l->node_count))
        return false;
    for (size_t i = 0; i < l->edge_count; i++) {
        hk_layout_edge *e = &l->edges[i];
        double ends[4];
        if (!get(a, ends, sizeof ends) || !get(a, &e->point_count, sizeof e->point_count) ||
            e->point_count > POINTS_MAX)
            return false;
        e->tip_x = ends[0];
        e->tip_y = ends[1];
        e->label_x = ends[2];
        e->label_y = ends[3];
        e->points = HK_NEW_ARRAY(arena, double, 2 * e->point_count + 1);
        if (!get(a, e->points, 2 * e->point_count * sizeof *e->points))
            return false;
    }
    return true;
}

static hk_status understand(hk_ctx *ctx, hk_arena *arena, answered *a, hk_layout *layout) {
    char first = 0;
    if (get(a, &first, 1) && first == 'y' && get_layout(a, arena, layout))
        return HK_OK;
    if (first == 'n')
        return hk_error(ctx, HK_E_FILE_KIND, HK_NOWHERE,
                        "install the package libgvc6; hocket itself must be built with "
                        "libgraphviz-dev",
                        "graphs are laid out by Graphviz, which is not there: %.*s",
                        (int)(a->size - a->at), a->data + a->at);
    return hk_error(ctx, HK_E_FILE_KIND, HK_NOWHERE, NULL,
                    "Graphviz has come to its end before it has laid out the graph");
}

hk_status hk_layout_find(hk_ctx *ctx, hk_arena *arena, hk_layout *layout) {
    question asked = {arena, layout};
    hk_child child;
    int problem = hk_child_start(&child, (hk_child_limits){0}, answer, &asked);
    if (problem)
        return hk_error(ctx, HK_E_FILE_KIND, HK_NOWHERE, NULL, "no process can be made: %s",
                        strerror(problem));
    answered a = {0};
    bool in_time = receive(&child, &a);
    (void)hk_child_end(&child, !in_time);
    hk_status status =
        in_time ? understand(ctx, arena, &a, layout)
                : hk_error(ctx, HK_E_FILE_KIND, HK_NOWHERE, NULL,
                           "Graphviz has not laid out the graph within %d s", PATIENCE_MS / 1000);
    hk_free(a.data);
    return status;
}
