/* SPDX-License-Identifier: MIT
 *
 * Two values: are they equal, and what is remembered of their difference. */
#include "base/number.h"
#include "record/compare_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The result of comparing two values. */
typedef struct verdict {
    bool numbers, different;
    double difference, scale; /* |a - b| and max(|a|, |b|) */
} verdict;

bool hk_cell_number(const hk_table_cell *cell, double *ret_number) {
    bool truth;
    if (cell->is_text)
        return false;
    if (hk_read_f64(cell->text, cell->length, ret_number))
        return true;
    if (!hk_read_bool(cell->text, cell->length, &truth))
        return false;
    *ret_number = truth;
    return true;
}

bool hk_cell_is_whole(const hk_table_cell *cell) {
    int64_t i;
    uint64_t u;
    bool truth;
    if (cell->is_text)
        return false;
    return hk_read_i64(cell->text, cell->length, &i) || hk_read_u64(cell->text, cell->length, &u) ||
           hk_read_bool(cell->text, cell->length, &truth);
}

static bool number_of(const hk_compare_value *value, double *ret_number) {
    if (value->cell.text)
        return hk_cell_number(&value->cell, ret_number);
    *ret_number = value->number;
    return true;
}

/* Whole numbers that round to the same double: how far apart are they? */
static double whole_difference(const hk_compare_value values[2]) {
    const hk_table_cell *a = &values[0].cell, *b = &values[1].cell;
    int64_t i[2];
    uint64_t u[2];
    if (!a->text || !b->text)
        return 0;
    if (hk_read_u64(a->text, a->length, &u[0]) && hk_read_u64(b->text, b->length, &u[1]))
        return (double)(u[0] > u[1] ? u[0] - u[1] : u[1] - u[0]);
    if (hk_read_i64(a->text, a->length, &i[0]) && hk_read_i64(b->text, b->length, &i[1])) {
        u[0] = (uint64_t)i[0];
        u[1] = (uint64_t)i[1];
        return (double)(i[0] > i[1] ? u[0] - u[1] : u[1] - u[0]);
    }
    return 0;
}

static verdict judge(const hk_tolerance *tolerance, bool bits, const hk_compare_value values[2]) {
    static const double exact_below = 9007199254740992.0; /* 2^53 */
    double a, b;
    if (!number_of(&values[0], &a) || !number_of(&values[1], &b))
        return (verdict){.different = true, .difference = INFINITY};
    verdict v = {.numbers = true, .scale = fmax(fabs(a), fabs(b))};
    if (isnan(a) && isnan(b))
        return v;
    if (a == b && fabs(a) >= exact_below)
        v.difference = whole_difference(values);
    else if (a != b)
        v.difference = fabs(a - b);
    if (isnan(v.difference))
        v.difference = INFINITY;
    v.different =
        v.difference > 0 && !(v.difference <= tolerance->absolute + tolerance->relative * v.scale);
    if (isinf(v.difference)) /* also where the scale is infinite, and with it the tolerance */
        v.different = true;
    if (bits && a == b && signbit(a) != signbit(b))
        v.different = true;
    return v;
}

/* Copies what fits, and never half a UTF-8 character; says so if it was cut. */
static void show(const hk_compare_value *value, char out[HK_SHOWN_MAX]) {
    static const char dots[] = "...";
    if (!value->cell.text) {
        out[hk_write_f64(value->number, out)] = '\0';
        return;
    }
    size_t length = value->cell.length;
    bool cut = length >= HK_SHOWN_MAX;
    if (cut) {
        length = HK_SHOWN_MAX - sizeof dots;
        while (length && ((unsigned char)value->cell.text[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(out, value->cell.text, length);
    out[length] = '\0';
    if (cut)
        memcpy(out + length, dots, sizeof dots);
}

static hk_point point_of(uint64_t row, const verdict *v, double time,
                         const hk_compare_value values[2]) {
    hk_point point = {.row = row, .time = time, .numbers = v->numbers, .difference = v->difference};
    point.relative = isinf(v->difference) ? (double)INFINITY
                     : v->scale > 0       ? v->difference / v->scale
                                          : 0;
    for (int side = 0; side < 2; side++) {
        point.lines[side] = values[side].line;
        show(&values[side], point.values[side]);
    }
    return point;
}

static void add_square(struct hk_squares *squares, double x) {
    if (x > squares->scale) {
        double ratio = squares->scale / x;
        squares->sum = 1 + squares->sum * ratio * ratio;
        squares->scale = x;
    } else if (x > 0 && isfinite(x)) {
        squares->sum += (x / squares->scale) * (x / squares->scale);
    }
}

static void remember(hk_compare_state *state, size_t index, double time, const verdict *v,
                     const hk_compare_value values[2]) {
    hk_compared *signal = &state->result->signals[index];
    double limit = signal->tolerance.absolute + signal->tolerance.relative * v->scale;
    double relative = v->scale > 0 ? v->difference / v->scale : v->difference;
    double excess = v->difference > 0 ? v->difference / limit : 0;
    if (isnan(excess) || (v->different && limit == 0))
        excess = INFINITY;
    signal->max_absolute = fmax(signal->max_absolute, v->difference);
    signal->max_relative =
        fmax(signal->max_relative, isnan(relative) ? (double)INFINITY : relative);
    signal->largest = fmax(signal->largest, v->scale);
    if (v->different) {
        bool worst = signal->different == 0 || excess > signal->excess ||
                     (excess == signal->excess && v->difference > signal->worst.difference);
        if (signal->different++ == 0)
            signal->first = point_of(state->result->points, v, time, values);
        if (worst)
            signal->worst = point_of(state->result->points, v, time, values);
    }
    signal->excess = fmax(signal->excess, excess);
    add_square(&state->squares[index], v->difference);
}

static void show_point(const hk_compare_options *options, double time,
                       const hk_compare_value values[2]) {
    double numbers[2];
    for (int side = 0; side < 2; side++)
        if (!number_of(&values[side], &numbers[side]))
            numbers[side] = NAN;
    options->on_point(options->user, time, numbers[0], numbers[1]);
}

void hk_compare_values(hk_compare_state *state, size_t index, double time,
                       const hk_compare_value values[2]) {
    hk_compared *signal = &state->result->signals[index];
    const hk_table_cell *a = &values[0].cell, *b = &values[1].cell;
    signal->compared++;
    if (state->options->on_point)
        show_point(state->options, time, values);
    if (a->text && b->text && a->length == b->length && memcmp(a->text, b->text, a->length) == 0)
        return;
    verdict v = judge(&signal->tolerance, state->options->bits, values);
    if (v.different || v.difference > 0)
        remember(state, index, time, &v, values);
}

/* The worst is furthest beyond its tolerance; among equals, furthest by the size of its values. */
static int by_badness(const void *first, const void *second) {
    const hk_compared *a = *(hk_compared *const *)first, *b = *(hk_compared *const *)second;
    if (a->excess != b->excess)
        return a->excess > b->excess ? -1 : 1;
    double x = a->largest > 0 && isfinite(a->max_absolute) ? a->max_absolute / a->largest
                                                           : a->max_absolute;
    double y = b->largest > 0 && isfinite(b->max_absolute) ? b->max_absolute / b->largest
                                                           : b->max_absolute;
    if (x != y)
        return x > y ? -1 : 1;
    return a < b ? -1 : a > b; /* the order of the file */
}

void hk_compare_finish(hk_compare_state *state) {
    hk_comparison *result = state->result;
    result->worst = HK_NEW_ARRAY(state->arena, hk_compared *, result->signal_count);
    for (size_t i = 0; i < result->signal_count; i++) {
        hk_compared *signal = &result->signals[i];
        const struct hk_squares *squares = &state->squares[i];
        if (signal->compared)
            signal->rms = squares->scale * sqrt(squares->sum / (double)signal->compared);
        if (!signal->different)
            continue;
        result->worst[result->worst_count++] = signal;
        if (!result->earliest || signal->first.row < result->earliest->first.row)
            result->earliest = signal;
    }
    qsort(result->worst, result->worst_count, sizeof *result->worst, by_badness);
    bool something = result->signal_count || (hk_table_columns(state->sides[0].reader) == 1 &&
                                              hk_table_columns(state->sides[1].reader) == 1);
    result->equal = something && !result->worst_count && !result->only_in_count[0] &&
                    !result->only_in_count[1] && !result->grids_differ && !result->outside;
}
