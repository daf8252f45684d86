/* SPDX-License-Identifier: MIT
 *
 * Are all of many numbers finite? Zero times a number is zero, except for NaN and infinities, so a
 * sum of such products tells. Several sums that do not wait for each other: with one, the adder's
 * latency would make this slower than copying the numbers. */
#include "engine/sim_parts.h"

enum { SUMS = 8 };

static bool finite_f64(const double *x, size_t n) {
    double sums[SUMS] = {0}, rest = 0;
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; k++)
            sums[k] += 0.0 * x[i + (size_t)k];
    for (; i < n; i++)
        rest += 0.0 * x[i];
    for (int k = 0; k < SUMS; k++)
        rest += sums[k];
    return rest == 0;
}

static bool finite_f32(const float *x, size_t n) {
    float sums[SUMS] = {0}, rest = 0;
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; k++)
            sums[k] += 0.0f * x[i + (size_t)k];
    for (; i < n; i++)
        rest += 0.0f * x[i];
    for (int k = 0; k < SUMS; k++)
        rest += sums[k];
    return rest == 0;
}

bool hk_finite(const hk_segment *begin, const hk_segment *end) {
    for (const hk_segment *s = begin; s < end; s++)
        if (!(s->store == HK_STORE_F64 ? finite_f64(s->from, s->count)
                                       : finite_f32(s->from, s->count)))
            return false;
    return true;
}

bool hk_finite_cell(const hk_cell *c) {
    return hk_finite(c->finite, c->finite_end) && hk_finite(c->finite_many, c->finite_many_end) &&
           hk_finite(c->finite_rows, c->finite_rows_end);
}
