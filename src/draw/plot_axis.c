/* SPDX-License-Identifier: MIT
 *
 * Axes with their ticks. The span of two doubles may be more than a double can hold; then all is
 * computed with a part of the values. */
#include "base/number.h"
#include "draw/plot_layout.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 6, EXPONENT_MIN = -280 };

static const double PADDING = 0.04;   /* of the range, above and below */
static const double ITEM_ROOM = 0.4;  /* beyond the first and the last item */
static const double FLAT = 1e-15;     /* of the largest value: what rounding makes of a constant */
static const double STEP_MAX = 1e308; /* twice as much is more than a double can hold */

/* What the values from LO to HI are multiplied by so that their span is finite. */
static double part_of(double lo, double hi) {
    return isfinite(hi - lo) ? 1 : 0.125;
}

void hk_plot_equalise(double w, double h, double *x_lo, double *x_hi, double *y_lo, double *y_hi) {
    double x_span = *x_hi - *x_lo, y_span = *y_hi - *y_lo;
    double unit = fmax(x_span / w, y_span / h); /* per point */
    double x_more = (unit * w - x_span) / 2, y_more = (unit * h - y_span) / 2;
    if (!isfinite(*x_lo - x_more + (*x_hi + x_more)) ||
        !isfinite(*y_lo - y_more + (*y_hi + y_more)))
        return; /* no doubles are that large */
    *x_lo -= x_more;
    *x_hi += x_more;
    *y_lo -= y_more;
    *y_hi += y_more;
}

/* Room beyond both ends. */
static void pad(double *lo, double *hi) {
    double part = part_of(*lo, *hi), span = *hi * part - *lo * part;
    double largest = fmax(fabs(*lo), fabs(*hi)), more = PADDING * span / part;
    if (largest == 0)
        more = 2 * PADDING;
    else if (span <= FLAT * largest * part)
        more = 0.2 * largest;
    *lo = fmax(*lo - more, -DBL_MAX);
    *hi = fmin(*hi + more, DBL_MAX);
}

/* Ticks at multiples of the axis's own step. */
static void set_ticks(hk_axis *axis) {
    axis->step = axis->mantissa * pow(10, axis->exponent);
    axis->first = (int64_t)ceil((axis->lo - axis->offset) / axis->step - 1e-6);
    axis->last = (int64_t)floor((axis->hi - axis->offset) / axis->step + 1e-6);
}

/* The multiple of 10^power that is near VALUE; powers from 1 on are exact for long. */
static double multiple(double value, int power, double (*choose)(double)) {
    double unit = pow(10, abs(power));
    return power < 0 ? choose(value * unit) / unit : choose(value / unit) * unit;
}

/* Where labels would need many digits, of which most are the same, ticks count from a round number:
 * the roundest of the range, else one that is as near to it as the range is wide. */
static double choose_offset(double lo, double hi, int exponent) {
    double largest = fmax(fabs(lo), fabs(hi));
    if (exponent < EXPONENT_MIN || !(largest > 0))
        return 0;
    int highest = (int)floor(log10(largest)), lowest = (int)ceil(log10(hi - lo));
    if (highest - exponent < DIGITS_MAX)
        return 0;
    for (int power = highest; power > lowest; power--) {
        double round_one = multiple(lo / 2 + hi / 2, power, round);
        if (round_one >= lo && round_one <= hi)
            return round_one;
    }
    return multiple(lo > 0 ? lo : hi, lowest, trunc);
}

hk_axis hk_axis_make(double lo, double hi, int ticks, bool padded) {
    if (lo > hi) {
        lo = 0;
        hi = 1;
    } else if (padded) {
        pad(&lo, &hi);
    }
    hk_axis axis = {.lo = lo, .hi = hi, .part = part_of(lo, hi)};
    double span = hi * axis.part - lo * axis.part;
    double raw = fmax(span / (ticks > 1 ? ticks : 1), DBL_MIN);
    raw = raw > STEP_MAX * axis.part ? STEP_MAX : raw / axis.part;
    axis.exponent = (int)floor(log10(raw));
    double lead = raw / pow(10, axis.exponent);
    axis.mantissa = lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10;
    if (axis.mantissa == 10) {
        axis.mantissa = 1;
        axis.exponent++;
    }
    axis.offset = choose_offset(lo, hi, axis.exponent);
    set_ticks(&axis);
    double largest = fmax(fabs(lo - axis.offset), fabs(hi - axis.offset));
    if (largest >= 1e5 || largest < 1e-3)
        axis.scale = 3 * (int)floor(log10(fmax(largest, DBL_MIN)) / 3);
    return axis;
}

/* The items that were seen, and of a few all; where there are more than fit, numbers. */
static hk_axis axis_of_items(const hk_plot_item *items, size_t count, double lo, double hi,
                             int ticks) {
    enum { FEW = 8 };
    size_t first = 0, last = count - 1;
    if (count > FEW && lo <= hi) {
        while (first < last && items[first].value < lo)
            first++;
        while (last > first && items[last].value > hi)
            last--;
    }
    if ((int)(last - first) >= (ticks > FEW ? ticks : FEW))
        return hk_axis_make(lo, hi, ticks, true);
    return (hk_axis){.lo = (double)first - ITEM_ROOM,
                     .hi = (double)last + ITEM_ROOM,
                     .part = 1,
                     .items = items,
                     .first = (int64_t)first,
                     .last = (int64_t)last};
}

hk_axis hk_axis_of_over(const hk_plot_panel *panel, int ticks, bool padded) {
    if (panel->over_item_count)
        return axis_of_items(panel->over_items, panel->over_item_count, panel->over_lo,
                             panel->over_hi, ticks);
    return hk_axis_make(panel->over_lo, panel->over_hi, ticks, padded);
}

hk_axis hk_axis_of_panel(const hk_plot_panel *panel, int ticks) {
    if (panel->item_count)
        return axis_of_items(panel->items, panel->item_count, panel->lo, panel->hi, ticks);
    hk_axis axis = hk_axis_make(panel->lo, panel->hi, ticks, true);
    if (panel->whole && axis.exponent < 0) {
        axis.mantissa = 1;
        axis.exponent = 0;
        set_ticks(&axis);
    }
    return axis;
}

double hk_axis_tick(const hk_axis *axis, int64_t k) {
    return axis->items ? axis->items[k].value : axis->offset + (double)k * axis->step;
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
    double at = axis->items ? item_index(axis, value) : value, part = axis->part;
    double place = (at * part - axis->lo * part) / (axis->hi * part - axis->lo * part);
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

/* "x10^3" as text. */
static char *put_scale(const hk_axis *axis, bool ascii, char *end) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[HK_NUMBER_MAX];
    size_t length = hk_write_i64(axis->scale, digits);
    strcpy(end, ascii ? "x1e" : "×10");
    end += strlen(end);
    for (size_t i = 0; i < length; i++) {
        const char *sign = digits[i] == '-' ? "⁻" : raised[digits[i] - '0'];
        size_t bytes = ascii ? 1 : strlen(sign);
        memcpy(end, ascii ? &digits[i] : sign, bytes);
        end += bytes;
    }
    return end;
}

const char *hk_axis_scale_text(const hk_axis *axis, bool ascii, char *buffer) {
    char *end = buffer;
    if (axis->scale)
        end = put_scale(axis, ascii, end);
    if (axis->offset != 0) {
        const char *sign = axis->offset > 0 ? "+ " : ascii ? "- " : "\u2212 ";
        strcpy(end, end > buffer ? " " : "");
        strcat(end, sign);
        end += strlen(end);
        end += hk_write_f64(fabs(axis->offset), end);
    }
    *end = '\0';
    return buffer;
}
