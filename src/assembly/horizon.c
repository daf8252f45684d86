/* SPDX-License-Identifier: MIT */
#include "assembly/horizon.h"

#include "base/number.h"
#include "base/seconds.h"

#include <math.h>

__extension__ typedef __int128 i128;

enum { PARTS_MAX = 1000 }; /* of the shortest period, for rows that meet all of them */

/* The greatest time that A and B are multiples of. */
static bool common_part(hk_ratio a, hk_ratio b, hk_ratio *ret_part) {
    int64_t x, y, den, common = hk_gcd(a.den, b.den);
    return !__builtin_mul_overflow(a.num, b.den / common, &x) &&
           !__builtin_mul_overflow(b.num, a.den / common, &y) &&
           !__builtin_mul_overflow(a.den, b.den / common, &den) &&
           hk_ratio_make(hk_gcd(x, y), den, ret_part);
}

bool hk_horizon_is_whole(hk_ratio time, hk_ratio step) {
    hk_ratio part;
    return common_part(time, step, &part) && hk_ratio_compare(part, step) == 0;
}

bool hk_horizon_common_period(const hk_model *model, hk_ratio *ret_period) {
    hk_ratio shortest = {0, 1}, common = {0, 1};
    bool fits = true;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        if (!c->has_period)
            continue;
        if (!shortest.num || hk_ratio_compare(c->period, shortest) < 0)
            shortest = c->period;
        fits = fits && common_part(common, c->period, &common) &&
               (!c->offset.num || common_part(common, c->offset, &common));
    }
    bool fine = fits && common.num &&
                hk_ratio_to_double(shortest) / hk_ratio_to_double(common) <= PARTS_MAX;
    *ret_period = fine ? common : shortest;
    return shortest.num > 0;
}

static hk_ratio step_of(const hk_model *model, size_t component) {
    const hk_component *c = &model->components[component];
    return c->has_period ? c->period : model->experiment.step;
}

hk_ratio hk_horizon_shortest_step(const hk_model *model) {
    hk_ratio shortest = model->experiment.step;
    for (size_t i = 0; i < model->component_count; i++) {
        hk_ratio step = step_of(model, i);
        if (i == 0 || hk_ratio_compare(step, shortest) < 0)
            shortest = step;
    }
    return shortest;
}

/* The whole number of STEPs that is nearest to SPAN, and how much SPAN is above it (or below), in
 * seconds. False: there is none, or it does not fit. */
static bool nearest(hk_ratio span, hk_ratio step, hk_ratio *ret_near, double *ret_above) {
    i128 top = (i128)span.num * step.den, one = (i128)step.num * span.den;
    if (one <= 0 || top <= 0)
        return false;
    i128 n = top / one, rest = top % one;
    if (rest > one - rest) {
        n++;
        rest -= one;
    }
    *ret_above = (double)rest / ((double)span.den * (double)step.den);
    return n > 0 && n <= INT64_MAX && hk_ratio_times(step, (int64_t)n, 1, ret_near);
}

static double latest_of(const hk_experiment *e) {
    double start = fabs(hk_ratio_to_double(e->start)), stop = fabs(hk_ratio_to_double(e->stop));
    return start > stop ? start : stop;
}

/* The first end of a step of the component that cannot be told from the stop time, but is not it.
 */
static bool find_end(const hk_model *model, size_t component, hk_ratio *ret_end,
                     double *ret_above) {
    const hk_experiment *e = &model->experiment;
    hk_ratio first, span, near;
    hk_ratio offset = model->components[component].offset;
    if (offset.den == 0)
        offset = (hk_ratio){0, 1};
    return hk_ratio_add(e->start, offset, &first) && hk_ratio_sub(e->stop, first, &span) &&
           nearest(span, step_of(model, component), &near, ret_above) && *ret_above != 0 &&
           !hk_seconds_tellable(fabs(*ret_above), latest_of(e)) &&
           hk_ratio_add(first, near, ret_end);
}

bool hk_horizon_fit_stop(hk_ctx *ctx, hk_model *model, hk_where where) {
    hk_ratio end;
    double above;
    for (size_t i = 0; i < model->component_count; i++) {
        if (!find_end(model, i, &end, &above))
            continue;
        char stop[48], moved[48], apart[HK_NUMBER_MAX + 1];
        apart[hk_write_f64(fabs(above), apart)] = '\0';
        hk_note(ctx, where,
                "the stop time %s s is %s s %s the end of a step, which no double can tell there: "
                "the run ends at %s s",
                hk_ratio_format(model->experiment.stop, stop), apart,
                above > 0 ? "after" : "before", hk_ratio_format(end, moved));
        model->experiment.stop = end;
        return true;
    }
    return false;
}

bool hk_horizon_fit_interval(hk_ctx *ctx, hk_model *model, hk_where where) {
    hk_experiment *e = &model->experiment;
    hk_ratio span, near, fits;
    double above;
    char before[48], after[48];
    if (!hk_ratio_sub(e->stop, e->start, &span) ||
        !nearest(span, e->output_interval, &near, &above) || above == 0 ||
        hk_seconds_tellable(fabs(above), latest_of(e)))
        return false;
    int64_t n = (int64_t)llround(hk_ratio_to_double(span) / hk_ratio_to_double(e->output_interval));
    if (n < 1 || !hk_ratio_times(span, 1, n, &fits))
        return false;
    hk_note(ctx, where,
            "the output interval %s s is taken as %s s: else a row would come right before the "
            "last, at a time that no double can tell from its",
            hk_ratio_format(e->output_interval, before), hk_ratio_format(fits, after));
    e->output_interval = fits;
    return true;
}
