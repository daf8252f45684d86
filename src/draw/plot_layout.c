/* SPDX-License-Identifier: MIT */
#include "draw/plot_layout.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double RANGE_RATIO_MAX = 50;    /* between signals that share a panel */
static const double PADDING = 0.04;          /* of the range, above and below */
static const double VALUE_MAX = DBL_MAX / 8; /* differences of such values do not overflow */

static double clamped(double value) {
    return value > VALUE_MAX ? VALUE_MAX : value < -VALUE_MAX ? -VALUE_MAX : value;
}

size_t hk_text_char(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return c[0] >= ' ' && c[0] != 0x7f;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    unsigned code = c[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    static const unsigned least[] = {0, 0, 0xa0, 0x800, 0x10000}; /* below 0xa0: controls */
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    bool none = (code & 0xfffe) == 0xfffe || code > 0x10ffff;
    return code < least[length] || surrogate || none ? 0 : length;
}

size_t hk_text_width(const char *text) {
    size_t width = 0;
    for (size_t n; *text; text += n ? n : 1, width++)
        n = hk_text_char(text);
    return width;
}

/* The finite values among N; *lo > *hi if there is none. */
static void find_range(const double *values, size_t n, double *lo, double *hi) {
    *lo = INFINITY;
    *hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            continue;
        double value = clamped(values[i]);
        *lo = value < *lo ? value : *lo;
        *hi = value > *hi ? value : *hi;
    }
}

/* What must stay visible of a signal: its span, or for a constant its distance from zero. */
static double span_of(const hk_plot_signal *signal) {
    return signal->hi > signal->lo ? signal->hi - signal->lo : fabs(signal->hi);
}

static bool same_unit(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool fits(const hk_plot_panel *panel, const hk_plot_signal *signal) {
    if (!same_unit(panel->unit, signal->unit))
        return false;
    if (signal->lo > signal->hi || panel->lo > panel->hi)
        return true;
    double lo = fmin(panel->lo, signal->lo), hi = fmax(panel->hi, signal->hi);
    double finest = panel->finest, span = span_of(signal);
    if (span > 0 && (!(finest > 0) || span < finest))
        finest = span;
    return !(finest > 0) || hi - lo <= RANGE_RATIO_MAX * finest;
}

static void join_panel(hk_plot_panel *panel, const hk_plot_signal *signal) {
    panel->signal_count++;
    if (signal->lo > signal->hi)
        return;
    panel->lo = fmin(panel->lo, signal->lo);
    panel->hi = fmax(panel->hi, signal->hi);
    double span = span_of(signal);
    if (span > 0 && (!(panel->finest > 0) || span < panel->finest))
        panel->finest = span;
}

static void assign_panels(hk_plot_layout *layout, hk_plot_panels kind) {
    for (size_t i = 0; i < layout->signal_count; i++) {
        hk_plot_signal *signal = &layout->signals[i];
        size_t p = kind == HK_PANELS_SEPARATE ? layout->panel_count : 0;
        while (kind == HK_PANELS_AUTO && p < layout->panel_count &&
               !fits(&layout->panels[p], signal))
            p++;
        if (p == layout->panel_count)
            layout->panels[layout->panel_count++] =
                (hk_plot_panel){.unit = signal->unit, .lo = INFINITY, .hi = -INFINITY};
        signal->panel = p;
        join_panel(&layout->panels[p], signal);
    }
    if (!layout->panel_count)
        layout->panels[layout->panel_count++] = (hk_plot_panel){.lo = INFINITY, .hi = -INFINITY};
}

/* What the horizontal axis says: each column once. */
static const char *over_label(hk_arena *arena, const hk_table *table, const size_t *over,
                              size_t count) {
    const char *label = table->names[over[0]];
    for (size_t i = 1; i < count; i++) {
        size_t k = 0;
        while (over[k] != over[i])
            k++;
        if (k == i)
            label = hk_arena_printf(arena, "%s, %s", label, table->names[over[i]]);
    }
    return label;
}

static void find_over(hk_plot_layout *layout, hk_arena *arena, const hk_table *table,
                      const hk_plot_options *options) {
    const size_t time = 0, *over = options->over ? options->over : &time;
    size_t count = options->over ? layout->signal_count : 1;
    bool seconds = !options->over && strcmp(table->names[0], "time") == 0;
    layout->over_signals = options->over;
    layout->over_label = seconds ? "time [s]" : over_label(arena, table, over, count);
    layout->over_lo = INFINITY;
    layout->over_hi = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double lo, hi;
        find_range(table->values[over[i]], table->rows, &lo, &hi);
        layout->over_lo = fmin(layout->over_lo, lo);
        layout->over_hi = fmax(layout->over_hi, hi);
    }
    if (!(layout->over_lo < layout->over_hi)) {
        double middle = layout->over_lo > layout->over_hi ? 0.5 : layout->over_lo;
        double half = fmax(0.5, fabs(middle) * 1e-6);
        layout->over_lo = middle - half;
        layout->over_hi = middle + half;
    }
}

void hk_plot_layout_init(hk_plot_layout *layout, hk_arena *arena, const hk_table *table,
                         const size_t *columns, size_t count, const hk_plot_options *options) {
    *layout = (hk_plot_layout){.rows = table->rows, .signal_count = count};
    layout->stepped = options->stepped;
    layout->signals = HK_NEW_ARRAY(arena, hk_plot_signal, count);
    layout->panels = HK_NEW_ARRAY(arena, hk_plot_panel, count + 1);
    layout->equal = options->over && options->equal;
    find_over(layout, arena, table, options);
    for (size_t i = 0; i < count; i++) {
        hk_plot_signal *signal = &layout->signals[i];
        const char *label = options->labels ? options->labels[i] : NULL;
        signal->unit = options->units ? options->units[i] : NULL;
        signal->label = label ? label : table->names[columns[i]];
        if (signal->unit)
            signal->label = hk_arena_printf(arena, "%s [%s]", signal->label, signal->unit);
        signal->values = table->values[columns[i]];
        signal->over = table->values[options->over ? options->over[i] : 0];
        find_range(signal->values, table->rows, &signal->lo, &signal->hi);
    }
    assign_panels(layout, layout->equal ? HK_PANELS_TOGETHER : options->panels);
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

hk_axis hk_axis_make(double lo, double hi, int ticks, bool padded) {
    if (lo > hi) {
        lo = 0;
        hi = 1;
    } else if (padded) {
        double span = hi - lo, least = 1e-9 * fmax(fabs(lo), fabs(hi));
        if (span == 0 && least == 0)
            span = 2;
        else if (span <= least) /* a constant, up to rounding */
            span = 0.2 * fmax(fabs(lo), fabs(hi)) / PADDING;
        lo -= PADDING * span;
        hi += PADDING * span;
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
    axis.step = axis.mantissa * pow(10, axis.exponent);
    axis.first = (int64_t)ceil(lo / axis.step - 1e-6);
    axis.last = (int64_t)floor(hi / axis.step + 1e-6);
    double largest = fmax(fabs(lo), fabs(hi));
    if (largest >= 1e5 || largest < 1e-3)
        axis.scale = 3 * (int)floor(log10(fmax(largest, DBL_MIN)) / 3);
    return axis;
}

double hk_axis_tick(const hk_axis *axis, int64_t k) {
    return (double)k * axis->step;
}

const char *hk_axis_label(const hk_axis *axis, int64_t k, char *buffer) {
    char digits[HK_NUMBER_MAX];
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

double hk_axis_place(const hk_axis *axis, double value) {
    double place = (clamped(value) - axis->lo) / (axis->hi - axis->lo);
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
    const hk_plot_layout *layout;
    const double *over, *values;
    const hk_axis *x, *y;
    hk_plot_pen *pen;
    void *user;
    bool down;
    double held; /* place of the last value, for stepped curves */
} tracer;

static void trace_point(tracer *t, size_t row) {
    double x = hk_axis_place(t->x, t->over[row]);
    double y = hk_axis_place(t->y, t->values[row]);
    if (t->down && t->layout->stepped)
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

void hk_plot_trace(const hk_plot_layout *layout, const hk_plot_signal *signal, const hk_axis *x,
                   const hk_axis *y, size_t columns, hk_plot_pen *pen, void *user) {
    tracer t = {layout, signal->over, signal->values, x, y, pen, user, false, 0};
    bucket b = {0};
    size_t column = 0;
    for (size_t row = 0; row < layout->rows; row++) {
        double value = signal->values[row];
        if (!isfinite(value) || !isfinite(signal->over[row])) {
            trace_bucket(&t, &b);
            t.down = false;
            continue;
        }
        size_t now = (size_t)(hk_axis_place(x, signal->over[row]) * (double)columns);
        if (now != column)
            trace_bucket(&t, &b);
        column = now;
        if (!b.count)
            b = (bucket){row, row, row, row, 0};
        b.low = value < signal->values[b.low] ? row : b.low;
        b.high = value > signal->values[b.high] ? row : b.high;
        b.last = row;
        b.count++;
    }
    trace_bucket(&t, &b);
}
