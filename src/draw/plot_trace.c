/* SPDX-License-Identifier: MIT
 *
 * Curves thinned to what can be seen. A curve over the time goes from left to right: a column of
 * points keeps its extremes. A curve over another signal goes anywhere, so it is thinned by
 * distances on the page. */
#include "base/memory.h"
#include "draw/plot_layout.h"

#include <math.h>

/* Points of the page: a thinned curve is not further from the samples. */
static const double REACH = 0.15;
/* A point of the page has so many cells to the right, and as many up. */
static const double CELLS = 2;

typedef struct spot {
    double x, y; /* points of the page, from the lower left */
} spot;

typedef struct tracer {
    const hk_plot_signal *signal;
    const double *values;
    double factor; /* of what is on the horizontal axis */
    const hk_plot_frame *frame;
    hk_plot_pen *pen;
    void *user;
    bool down;
    double held; /* the last value, as a place, for stepped curves */
} tracer;

/* ---- over the time ---- */

/* The samples of one column of pixels that are kept, by their rows. */
typedef struct bucket {
    size_t first, last, low, high;
    size_t count;
} bucket;

static void trace_point(tracer *t, size_t row) {
    double x = hk_axis_place(t->frame->x, t->signal->over[row] / t->factor);
    double y = hk_axis_place(t->frame->y, t->values[row]);
    if (t->down && t->signal->stepped)
        t->pen(t->user, x, t->held, false);
    t->pen(t->user, x, y, !t->down);
    t->down = true;
    t->held = y;
}

static void trace_bucket(tracer *t, bucket *b) {
    if (b->count) {
        size_t a = b->low < b->high ? b->low : b->high, c = b->low < b->high ? b->high : b->low;
        trace_point(t, b->first);
        if (a != b->first)
            trace_point(t, a);
        if (c != a && c != b->last)
            trace_point(t, c);
        if (b->last != b->first && b->last != a)
            trace_point(t, b->last);
    }
    b->count = 0;
}

static void trace_columns(tracer *t) {
    const double *values = t->values;
    bucket b = {0};
    size_t column = 0;
    bool gap = false;
    for (size_t row = 0; row < t->signal->rows; row++) {
        double value = values[row], over = t->signal->over[row] / t->factor;
        if (!isfinite(value) || !isfinite(over)) {
            gap = true;
            continue;
        }
        size_t now = (size_t)(hk_axis_place(t->frame->x, over) * (double)t->frame->columns);
        if (now != column)
            trace_bucket(t, &b);
        if (now != column && gap)
            t->down = false;
        column = now;
        gap = false;
        if (!b.count)
            b = (bucket){row, row, row, row, 0};
        b.low = value < values[b.low] ? row : b.low;
        b.high = value > values[b.high] ? row : b.high;
        b.last = row;
        b.count++;
    }
    trace_bucket(t, &b);
}

/* ---- over another signal ---- */

/* A line that is being thinned: from ANCHOR, which is drawn, to LAST, which may become its end. All
 * samples between them are within reach as long as the direction of LAST is between FROM and TO,
 * which are angles beside BASE, and the line does not turn back. */
typedef struct thinner {
    tracer *t;
    spot anchor, last;
    bool open;  /* LAST is not drawn yet */
    bool aimed; /* there is a direction */
    double base, from, to, farthest;
    unsigned char *cells; /* those that are drawn on; NULL: there are few samples */
    size_t width, height; /* cells */
} thinner;

/* Draws on the cells of a line; true if one of them was empty. */
static bool cover(const thinner *h, spot from, spot to) {
    double dx = (to.x - from.x) * CELLS, dy = (to.y - from.y) * CELLS;
    size_t steps = (size_t)ceil(fmax(fabs(dx), fabs(dy)));
    bool any = false;
    for (size_t i = 0; i <= steps; i++) {
        double share = steps ? (double)i / (double)steps : 0;
        size_t x = (size_t)(from.x * CELLS + share * dx), y = (size_t)(from.y * CELLS + share * dy);
        HK_ASSERT(x < h->width && y < h->height);
        unsigned char *cell = &h->cells[y * h->width + x];
        any = any || !*cell;
        *cell = 1;
    }
    return any;
}

static void pen_to(const tracer *t, spot to, bool move) {
    t->pen(t->user, to.x / (double)t->frame->columns, to.y / (double)t->frame->lines, move);
}

/* Draws the line that is open, unless nothing new would be seen. */
static void finish_line(thinner *h) {
    tracer *t = h->t;
    if (h->open && (!h->cells || cover(h, h->anchor, h->last))) {
        if (!t->down)
            pen_to(t, h->anchor, true);
        pen_to(t, h->last, false);
        t->down = true;
    } else if (h->open) {
        t->down = false;
    }
    h->anchor = h->last;
    h->open = h->aimed = false;
}

static double beside(double angle, double base) {
    return remainder(angle - base, 2 * acos(-1));
}

/* True if the line from the anchor may end at NEXT in place of the last spot; it is aimed then. */
static bool extend(thinner *h, spot next) {
    double dx = next.x - h->anchor.x, dy = next.y - h->anchor.y, away = hypot(dx, dy);
    if (away <= REACH)
        return !h->aimed;
    double angle = atan2(dy, dx), room = asin(REACH / away);
    if (!h->aimed) {
        h->base = angle;
        h->from = -room;
        h->to = room;
        h->farthest = away;
        h->aimed = true;
        return true;
    }
    double at = beside(angle, h->base);
    if (at < h->from || at > h->to || away < h->farthest - REACH)
        return false;
    h->from = fmax(h->from, at - room);
    h->to = fmin(h->to, at + room);
    h->farthest = fmax(h->farthest, away);
    return true;
}

static void add_spot(thinner *h, spot next, bool move) {
    if (move) {
        finish_line(h);
        h->anchor = h->last = next;
        h->t->down = !h->cells || cover(h, next, next);
        if (h->t->down)
            pen_to(h->t, next, true);
        return;
    }
    if (!extend(h, next)) {
        finish_line(h);
        (void)extend(h, next);
    }
    h->last = next;
    h->open = true;
}

static void trace_distances(tracer *t) {
    const hk_plot_frame *f = t->frame;
    double columns = (double)f->columns, lines = (double)f->lines;
    thinner h = {
        .t = t, .width = (size_t)(columns * CELLS) + 2, .height = (size_t)(lines * CELLS) + 2};
    if (t->signal->rows > 4 * (f->columns + f->lines))
        h.cells = hk_alloc(h.width * h.height);
    bool begun = false;
    double held = 0;
    for (size_t row = 0; row < t->signal->rows; row++) {
        double value = t->values[row], over = t->signal->over[row] / t->factor;
        if (!isfinite(value) || !isfinite(over)) {
            begun = false;
            continue;
        }
        spot next = {hk_axis_place(f->x, over) * columns, hk_axis_place(f->y, value) * lines};
        if (begun && t->signal->stepped)
            add_spot(&h, (spot){next.x, held}, false);
        add_spot(&h, next, !begun);
        held = next.y;
        begun = true;
    }
    finish_line(&h);
    hk_free(h.cells);
}

void hk_plot_trace(const hk_plot_layout *layout, const hk_plot_signal *signal, const double *values,
                   const hk_plot_frame *frame, hk_plot_pen *pen, void *user) {
    tracer t = {.signal = signal,
                .values = values,
                .factor = layout->over_factor,
                .frame = frame,
                .pen = pen,
                .user = user};
    if (layout->plot->over)
        trace_distances(&t);
    else
        trace_columns(&t);
}
