/* SPDX-License-Identifier: MIT
 *
 * What the logs of a run say about it beside their rows: the first events, and each expectation
 * with its verdict and the bounds that it sets to signals. A plot shows them. */
#include "play/play_internal.h"

#include <math.h>

enum { EVENTS_MAX = 64 };

void hk_told_event(hk_playing *p, double time, const char *before, const char *words) {
    if (p->told_count++ >= EVENTS_MAX) /* they are counted only: an 'every' may have millions */
        return;
    if (!p->told)
        p->told = HK_NEW_ARRAY(p->scratch, hk_about_event, EVENTS_MAX);
    p->told[p->told_count - 1] =
        (hk_about_event){time, hk_arena_printf(p->scratch, "%s%s", before, words ? words : "")};
}

size_t hk_told_kept(const hk_playing *p) {
    HK_ASSERT(p);
    return p->told_count < EVENTS_MAX ? p->told_count : EVENTS_MAX;
}

/* ---- limits ---- */

typedef struct limits {
    hk_about_limit *all;
    size_t count, cap;
    double from, to;
} limits;

static void add(limits *l, const hk_term *term, bool upper, bool strict, double value) {
    hk_about_limit limit = {.signal = term->signal,
                            .upper = upper,
                            .strict = strict,
                            .value = value,
                            .from = l->from,
                            .to = l->to};
    HK_PUSH(l->all, l->count, l->cap, limit);
}

/* TERM is a signal, and what it is compared with a number. */
static void add_comparison(limits *l, const hk_term *term, hk_relation relation, double value,
                           double tolerance) {
    bool strict = relation == HK_LESS || relation == HK_GREATER;
    switch (relation) {
    case HK_LESS:
    case HK_LESS_EQUAL:
        add(l, term, true, strict, value);
        if (term->absolute)
            add(l, term, false, strict, -value);
        break;
    case HK_GREATER:
    case HK_GREATER_EQUAL:
        if (!term->absolute) /* else it is one of two */
            add(l, term, false, strict, value);
        break;
    case HK_EQUAL:
        if (term->absolute)
            break;
        add(l, term, true, false, value + tolerance);
        add(l, term, false, false, value - tolerance);
        break;
    case HK_NOT_EQUAL:
        break;
    }
}

static hk_relation turned(hk_relation relation) {
    static const hk_relation other[] = {[HK_LESS] = HK_GREATER, [HK_LESS_EQUAL] = HK_GREATER_EQUAL,
                                        [HK_GREATER] = HK_LESS, [HK_GREATER_EQUAL] = HK_LESS_EQUAL,
                                        [HK_EQUAL] = HK_EQUAL,  [HK_NOT_EQUAL] = HK_NOT_EQUAL};
    return other[relation];
}

/* Comparisons that must all hold; what is one of several possibilities bounds nothing. */
static void add_test(limits *l, const hk_test *test) {
    const hk_term *a = &test->left, *b = &test->right;
    if (test->kind == HK_TEST_AND) {
        add_test(l, test->a);
        add_test(l, test->b);
    } else if (test->kind == HK_TEST_COMPARE && a->is_signal && !b->is_signal && !a->converted) {
        add_comparison(l, a, test->relation, b->number, test->tolerance);
    } else if (test->kind == HK_TEST_COMPARE && b->is_signal && !a->is_signal && !b->converted) {
        add_comparison(l, b, turned(test->relation), a->number, test->tolerance);
    }
}

/* What is measured in the unit of the signal, and bounds its values or the last one of them. */
static void add_measure(limits *l, const hk_measure *m) {
    hk_term term = {.is_signal = true, .signal = m->signal};
    bool last = m->metric == HK_METRIC_FINAL;
    if ((last || m->metric == HK_METRIC_MAXIMUM) && !isnan(m->max))
        add(l, &term, true, false, m->max);
    if ((last || m->metric == HK_METRIC_MINIMUM) && !isnan(m->min))
        add(l, &term, false, false, m->min);
}

static void tell(hk_playing *p, const hk_expectation *e, const hk_verdict *verdict,
                 hk_about_expectation *ret_told) {
    limits l = {.from = e->has_from ? hk_ratio_to_double(e->from) : -(double)INFINITY,
                .to = e->has_to ? hk_ratio_to_double(e->to) : (double)INFINITY};
    if (e->kind == HK_ALWAYS)
        add_test(&l, e->condition);
    else if (e->kind == HK_MEASURED)
        add_measure(&l, e->measure);
    hk_about_limit *kept = HK_NEW_ARRAY(p->scratch, hk_about_limit, l.count + 1);
    for (size_t i = 0; i < l.count; i++)
        kept[i] = l.all[i];
    *ret_told = (hk_about_expectation){.words = verdict->words,
                                       .verdict = verdict->held        ? "holds"
                                                  : verdict->undecided ? "undecided"
                                                                       : "broken",
                                       .time = verdict->time,
                                       .limits = kept,
                                       .limit_count = l.count};
    hk_free(l.all);
}

void hk_told_all(hk_playing *p, const hk_play_run *run, hk_about *about) {
    const hk_scenario *s = p->scene->scenario;
    hk_about_expectation *told =
        HK_NEW_ARRAY(p->scratch, hk_about_expectation, run->verdict_count + 1);
    for (size_t i = 0; i < run->verdict_count; i++)
        tell(p, &s->expectations[i], &run->verdicts[i], &told[i]);
    about->expectations = told;
    about->expectation_count = run->verdict_count;
    about->events = p->told;
    about->event_count = hk_told_kept(p);
    about->events_left_out = p->told_count - about->event_count;
}
