/* SPDX-License-Identifier: MIT
 *
 * Axes with their ticks, and curves thinned to what can be seen. */
#include "base/number.h"
#include "draw/plot_layout.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double PADDING = 0.04;          /* of the range, above and below */
static const double ITEM_ROOM = 0.4;         /* beyond the first and the last item */
static const double VALUE_MAX = DBL_MAX / 8; /* differences of such values do not overflow */

static double clamped(double value) {
    return value > VALUE_MAX ? VALUE_MAX : value < -VALUE_MAX ? -VALUE_MAX : value;
}

void hk_plot_equalise(double w, double h, double *x_lo, double *x_hi, double *y_lo, double *y_hi) {
    double x_span = *x_hi - *x_lo, y_span = *y_hi - *y_lo;
    double unit = fmax(x_span / w, y_span / h); /* per point */
    double x_more = (unit * w - x_span) / 2, y_more = (unit * h - y_span) / 2;
    *x_lo -= x_more;
    *x_hi += x_more;
    *y_lo -= y_more;
    *y_hi += y_more;
}

/* Room beyond both ends. */
static void pad(double *lo, double *hi) {
    double span = *hi - *lo, largest = fmax(fabs(*lo), fabs(*hi)), least = 1e-9 * largest;
    if (span == 0 && least == 0)
        span = 2;
    else if (span <= least) /* a constant, up to rounding */
        span = 0.2 * largest / PADDING;
    *lo -= PADDING * span;
    *hi += PADDING * span;
}

/* Ticks at multiples of the axis's own step. */
static void set_ticks(hk_axis *axis) {
    axis->step = axis->mantissa * pow(10, axis->exponent);
    axis->first = (int64_t)ceil(axis->lo / axis->step - 1e-6);
    axis->last = (int64_t)floor(axis->hi / axis->step + 1e-6);
}

hk_axis hk_axis_make(double lo, double hi, int ticks, bool padded) {
    if (lo > hi) {
        lo = 0;
        hi = 1;
    } else if (padded) {
        pad(&lo, &hi);
    }
    hk_axis axis = {.lo = lo, .hi = hi};
    double raw = fmax((hi - lo) / (ticks > 1 ? ticks : 1), DBL_MIN);
    axis.exponent = (int)floor(log10(raw));
    double lead = raw / pow(10, axis.exponent);
    axis.mantissa = lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10;
    if (axis.mantissa == 10) {
        axis.mantissa = 1;
        axis.exponent++;
    }
    set_ticks(&axis);
    double largest = fmax(fabs(lo), fabs(hi));
    if (largest >= 1e5 || largest < 1e-3)
        axis.scale = 3 * (int)floor(log10(fmax(largest, DBL_MIN)) / 3);
    return axis;
}

/* The items that were seen, and of a few all; where there are more than fit, numbers. */
static hk_axis axis_of_items(const hk_plot_panel *panel, int ticks) {
    enum { FEW = 8 };
    size_t first = 0, last = panel->item_count - 1;
    if (panel->item_count > FEW && panel->lo <= panel->hi) {
        while (first < last && panel->items[first].value < panel->lo)
            first++;
        while (last > first && panel->items[last].value > panel->hi)
            last--;
    }
    if ((int)(last - first) >= (ticks > FEW ? ticks : FEW))
        return hk_axis_make(panel->lo, panel->hi, ticks, true);
    return (hk_axis){.lo = (double)first - ITEM_ROOM,
                     .hi = (double)last + ITEM_ROOM,
                     .items = panel->items,
                     .first = (int64_t)first,
                     .last = (int64_t)last};
}

hk_axis hk_axis_of_panel(const hk_plot_panel *panel, int ticks) {
    if (panel->item_count)
        return axis_of_items(panel, ticks);
    hk_axis axis = hk_axis_make(panel->lo, panel->hi, ticks, true);
    if (panel->whole && axis.exponent < 0) {
        axis.mantissa = 1;
        axis.exponent = 0;
        set_ticks(&axis);
    }
    return axis;
}

double hk_axis_tick(const hk_axis *axis, int64_t k) {
    return axis->items ? axis->items[k].value : (double)k * axis->step;
}

const char *hk_axis_label(const hk_axis *axis, int64_t k, char *buffer) {
    char digits[HK_NUMBER_MAX];
    if (axis->items)
        return axis->items[k].name;
    int64_t value = k * axis->mantissa;
    int exponent = axis->exponent - axis->scale;
    char *p = buffer;
    if (value < 0) {
        *p++ = '-';
        value = -value;
    }
    size_t length = hk_write_i64(value, digits);
    size_t decimals = exponent < 0 ? (size_t)-exponent : 0;
    size_t zeros = value && exponent > 0 ? (size_t)exponent : 0;
    if (length + decimals + zeros + 4 >
        HK_TICK_TEXT) { /* only for ranges beyond a double's digits */
        buffer[0] = '\0';
        return buffer;
    }
    for (size_t i = length; i <= decimals; i++) { /* zeros before the first digit */
        *p++ = '0';
        if (i == length && decimals)
            *p++ = '.';
    }
    for (size_t i = 0; i < length; i++) {
        if (decimals && length > decimals && i == length - decimals)
            *p++ = '.';
        *p++ = digits[i];
    }
    memset(p, '0', zeros);
    p[zeros] = '\0';
    return buffer;
}

/* Items are equally far apart, whatever their numbers: which one VALUE is, or between which two. */
static double item_index(const hk_axis *axis, double value) {
    int64_t k = axis->first;
    while (k < axis->last && axis->items[k + 1].value <= value)
        k++;
    double from = axis->items[k].value;
    if (k == axis->last || value <= from)
        return (double)k + fmax(-ITEM_ROOM, fmin(ITEM_ROOM, value - from));
    return (double)k + (value - from) / (axis->items[k + 1].value - from);
}

double hk_axis_place(const hk_axis *axis, double value) {
    double at = axis->items ? item_index(axis, value) : clamped(value);
    double place = (at - axis->lo) / (axis->hi - axis->lo);
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

const char *hk_axis_scale_text(const hk_axis *axis, bool ascii, char *buffer) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    buffer[0] = '\0';
    if (!axis->scale)
        return buffer;
    char digits[HK_NUMBER_MAX];
    size_t length = hk_write_i64(axis->scale, digits);
    strcpy(buffer, ascii ? "x1e" : "×10");
    char *end = buffer + strlen(buffer);
    for (size_t i = 0; i < length; i++) {
        const char *sign = digits[i] == '-' ? "⁻" : raised[digits[i] - '0'];
        size_t bytes = ascii ? 1 : strlen(sign);
        memcpy(end, ascii ? &digits[i] : sign, bytes);
        end += bytes;
    }
    *end = '\0';
    return buffer;
}

/* The samples of one column of pixels that are kept, by their rows. */
typedef struct bucket {
    size_t first, last, low, high;
    size_t count;
} bucket;

typedef struct tracer {
    const hk_plot_signal *signal;
    const double *values;
    double factor; /* of what is on the horizontal axis */
    const hk_axis *x, *y;
    hk_plot_pen *pen;
    void *user;
    bool down;
    double held; /* place of the last value, for stepped curves */
} tracer;

static void trace_point(tracer *t, size_t row) {
    double x = hk_axis_place(t->x, t->signal->over[row] / t->factor);
    double y = hk_axis_place(t->y, t->values[row]);
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

void hk_plot_trace(const hk_plot_layout *layout, const hk_plot_signal *signal, const double *values,
                   const hk_plot_frame *frame, hk_plot_pen *pen, void *user) {
    tracer t = {.signal = signal,
                .values = values,
                .factor = layout->over_factor,
                .x = frame->x,
                .y = frame->y,
                .pen = pen,
                .user = user};
    bucket b = {0};
    size_t column = 0;
    for (size_t row = 0; row < signal->rows; row++) {
        double value = values[row], over = signal->over[row] / t.factor;
        if (!isfinite(value) || !isfinite(over)) {
            trace_bucket(&t, &b);
            t.down = false;
            continue;
        }
        size_t now = (size_t)(hk_axis_place(frame->x, over) * (double)frame->columns);
        if (now != column)
            trace_bucket(&t, &b);
        column = now;
        if (!b.count)
            b = (bucket){row, row, row, row, 0};
        b.low = value < values[b.low] ? row : b.low;
        b.high = value > values[b.high] ? row : b.high;
        b.last = row;
        b.count++;
    }
    trace_bucket(&t, &b);
}
