/* SPDX-License-Identifier: MIT
 *
 * Requirements: samples of a signal, taken at every step of a window, and what is measured of them
 * when the run is over. */
#include "play/play_internal.h"

#include <math.h>

/* Requirements on one signal over one window share their samples. */
static bool same_samples(const hk_playing *p, size_t a, size_t b) {
    const hk_expectation *x = &p->scene->scenario->expectations[a];
    const hk_expectation *y = &p->scene->scenario->expectations[b];
    const hk_scene_window *v = &p->scene->windows[a], *w = &p->scene->windows[b];
    return x->kind == HK_MEASURED && y->kind == HK_MEASURED &&
           x->measure->signal.component == y->measure->signal.component &&
           x->measure->signal.variable == y->measure->signal.variable &&
           x->measure->signal.element == y->measure->signal.element &&
           x->measure->signal.shown == y->measure->signal.shown && v->from == w->from &&
           v->to == w->to;
}

bool hk_measure_is_of_end(const hk_expectation *e) {
    HK_ASSERT(e);
    return e->kind == HK_MEASURED && e->measure->metric == HK_METRIC_FINAL && !e->has_to;
}

void hk_measure_begin(hk_playing *p, size_t index) {
    HK_ASSERT(p);
    HK_ASSERT(index < p->scene->scenario->expectation_count);
    const hk_scene_window *w = &p->scene->windows[index];
    const hk_plan *plan = p->stage->plan;
    hk_judging *j = &p->judgings[index];
    for (size_t i = 0; i < index; i++)
        if (same_samples(p, i, index)) {
            j->samples = p->judgings[i].samples;
            return;
        }
    hk_tick end = w->to < plan->stop ? w->to : plan->stop;
    hk_tick from = w->from > plan->start ? w->from : plan->start;
    size_t room = end < from ? 0 : (size_t)((end - from) / p->scene->step);
    bool of_end = true;
    for (size_t i = index; i < p->scene->scenario->expectation_count; i++)
        if (same_samples(p, i, index))
            of_end = of_end && hk_measure_is_of_end(&p->scene->scenario->expectations[i]);
    room = of_end ? 0 : room;
    j->samples = HK_NEW(p->scratch, hk_samples);
    j->samples->owner = index;
    j->samples->of_end = of_end;
    j->samples->cap = room + 2; /* the first step, and the end of the run */
    j->samples->all = HK_NEW_ARRAY(p->scratch, hk_sample, j->samples->cap);
}

void hk_measure_take(hk_samples *samples, double time, double value) {
    if (samples->of_end)
        samples->count = 0;
    HK_ASSERT(samples->count < samples->cap);
    samples->all[samples->count++] = (hk_sample){time, value};
}

/* x of a sample: how far it has come from the base towards the target. */
static double come(const hk_measure *m, const hk_samples *s, size_t index) {
    double base = isnan(m->base) ? s->all[0].value : m->base;
    double goal = isnan(m->target) ? s->all[s->count - 1].value : m->target;
    double x = s->all[index].value - base;
    return goal < base ? -x : x;
}

static double settling(const hk_measure *m, const hk_samples *s) {
    double last = come(m, s, s->count - 1), at = s->all[0].time;
    for (size_t i = 0; i < s->count; i++)
        if (!(fabs(come(m, s, i) - last) <= m->band * fabs(last)))
            at = s->all[i].time;
    return at - s->all[0].time;
}

/* What has not come forward at all has not risen. */
static double rise(const hk_measure *m, const hk_samples *s) {
    double last = come(m, s, s->count - 1), low = s->all[0].time, high = low;
    for (size_t i = 0; i < s->count; i++) {
        double x = come(m, s, i);
        low = x < 0.1 * last ? s->all[i].time : low;
        high = x < 0.9 * last ? s->all[i].time : high;
    }
    return last > 0 ? high - low : (double)NAN;
}

static double overshoot(const hk_measure *m, const hk_samples *s) {
    double last = come(m, s, s->count - 1), most = come(m, s, 0);
    for (size_t i = 0; i < s->count; i++)
        most = come(m, s, i) > most ? come(m, s, i) : most;
    return 100 * (most - last) / fabs(last);
}

static double error(const hk_measure *m, const hk_samples *s) {
    double base = isnan(m->base) ? s->all[0].value : m->base;
    return 100 * fabs(m->target - s->all[s->count - 1].value) / fabs(m->target - base);
}

/* Of the samples that are numbers; NaN: none is. */
static double extreme(const hk_samples *s, double sign) {
    double most = s->all[0].value;
    for (size_t i = 1; i < s->count; i++)
        most = isnan(most) || sign * s->all[i].value > sign * most ? s->all[i].value : most;
    return most;
}

static double mean(const hk_samples *s) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += s->all[i].value;
    return sum / (double)s->count;
}

double hk_measure_value(const hk_measure *m, const hk_samples *s) {
    HK_ASSERT(m && s);
    if (!s->count)
        return (double)NAN;
    switch (m->metric) {
    case HK_METRIC_SETTLING:
        return settling(m, s);
    case HK_METRIC_RISE:
        return rise(m, s);
    case HK_METRIC_OVERSHOOT:
        return overshoot(m, s);
    case HK_METRIC_ERROR:
        return error(m, s);
    case HK_METRIC_FINAL:
        return s->all[s->count - 1].value;
    case HK_METRIC_MAXIMUM:
        return extreme(s, 1);
    case HK_METRIC_MINIMUM:
        return extreme(s, -1);
    default:
        return mean(s);
    }
}

double hk_measure_unknown(const hk_measure *m, const hk_samples *s) {
    HK_ASSERT(m && s);
    if (m->metric <= HK_METRIC_ERROR)
        return (double)NAN;
    for (size_t i = m->metric == HK_METRIC_FINAL ? s->count - 1 : 0; i < s->count; i++)
        if (isnan(s->all[i].value))
            return s->all[i].time;
    return (double)NAN;
}

bool hk_measure_held(const hk_measure *m, double value) {
    HK_ASSERT(m);
    return !isnan(value) && !(value > m->max) && !(value < m->min);
}

const char *hk_measure_words(hk_arena *arena, const hk_measure *m, double value) {
    HK_ASSERT(arena && m);
    char number[HK_NUMBER_MAX + 1], limit[HK_NUMBER_MAX + 1];
    const char *space = m->unit ? " " : "", *unit = m->unit ? m->unit : "";
    bool response = m->metric <= HK_METRIC_ERROR;
    if (isnan(value))
        return hk_arena_printf(arena, "%s cannot be measured: the signal %s", m->name,
                               response ? "does not come forward" : "is not a number");
    bool more = value > m->max;
    number[hk_write_f64(value, number)] = '\0';
    limit[hk_write_f64(more ? m->max : m->min, limit)] = '\0';
    return hk_arena_printf(arena, "%s is %s%s%s, %s than the %s of %s%s%s", m->name, number, space,
                           unit, more ? "more" : "less", more ? "max" : "min", limit, space, unit);
}
