/* SPDX-License-Identifier: MIT */
#include "report/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* VALUES are in order. */
static double quantile(const double *values, size_t count, double part) {
    double place = part * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

hk_spread hk_spread_of(double *values, size_t count) {
    hk_spread s = {.mean = (double)NAN,
                   .deviation = (double)NAN,
                   .least = (double)NAN,
                   .most = (double)NAN,
                   .r50 = (double)NAN,
                   .r95 = (double)NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            values[s.count++] = values[i];
    if (!s.count)
        return s;
    s.least = s.most = values[0];
    for (size_t i = 0; i < s.count; i++) {
        sum += values[i];
        s.least = fmin(s.least, values[i]);
        s.most = fmax(s.most, values[i]);
    }
    s.mean = sum / (double)s.count;
    for (size_t i = 0; i < s.count; i++) {
        squares += (values[i] - s.mean) * (values[i] - s.mean);
        values[i] = fabs(values[i]);
    }
    if (s.count > 1)
        s.deviation = sqrt(squares / (double)(s.count - 1));
    qsort(values, s.count, sizeof *values, by_number);
    s.r50 = quantile(values, s.count, 0.5);
    s.r95 = quantile(values, s.count, 0.95);
    return s;
}

bool hk_spread_is_distance(const char *unit) {
    return unit && strcmp(unit, "m") == 0;
}
