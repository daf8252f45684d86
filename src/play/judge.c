/* SPDX-License-Identifier: MIT
 *
 * Conditions, and the expectations that are made of them. Those of expectations are about the
 * values of a row, at every step and at the end: what a log of that instant would show. */
#include "model/address.h"
#include "play/play_internal.h"

#include <math.h>

/* ---- conditions ---- */

static bool term_value(const hk_term *term, hk_look_fn *look, const void *user, double *ret_value) {
    double value = term->number;
    if (term->is_signal && !look(user, &term->signal, &value))
        return false;
    value = term->is_signal ? hk_signal_value(&term->signal, value) : value;
    value = term->absolute ? fabs(value) : value;
    *ret_value = term->converted ? term->factor * value + term->offset : value;
    return true;
}

static bool compare(const hk_test *test, hk_look_fn *look, const void *user) {
    double a, b;
    if (!term_value(&test->left, look, user, &a) || !term_value(&test->right, look, user, &b))
        return false;
    /* Equal infinities have no difference. */
    bool equal = a == b || fabs(a - b) <= test->tolerance;
    switch (test->relation) {
    case HK_LESS:
        return a < b;
    case HK_LESS_EQUAL:
        return a <= b;
    case HK_GREATER:
        return a > b;
    case HK_GREATER_EQUAL:
        return a >= b;
    case HK_EQUAL:
        return equal;
    case HK_NOT_EQUAL:
        return !equal;
    }
    return false;
}

bool hk_test_holds(const hk_test *test, hk_look_fn *look, const void *user) {
    HK_ASSERT(test && look);
    switch (test->kind) {
    case HK_TEST_COMPARE:
        return compare(test, look, user);
    case HK_TEST_AND:
        return hk_test_holds(test->a, look, user) && hk_test_holds(test->b, look, user);
    case HK_TEST_OR:
        return hk_test_holds(test->a, look, user) || hk_test_holds(test->b, look, user);
    case HK_TEST_NOT:
        return !hk_test_holds(test->a, look, user);
    }
    return false;
}

/* A signal in the row. */
static bool look(const void *user, const hk_signal *signal, double *ret_value) {
    const hk_playing *p = user;
    for (size_t i = 0; i < p->scene->judged_count; i++) {
        const hk_column *c = &p->scene->judged[i];
        if (c->component == signal->component && c->variable == signal->variable &&
            c->element == signal->element)
            return c->store != HK_STORE_BYTES &&
                   hk_value_convert(HK_STORE_F64, ret_value, c->store, p->row + c->offset, 1);
    }
    return false;
}

static bool holds(const hk_playing *p, const hk_test *test) {
    return hk_test_holds(test, look, p);
}

/* ---- expectations ---- */

void hk_judge_begin(hk_playing *p) {
    HK_ASSERT(p);
    size_t n = p->scene->scenario->expectation_count;
    p->judgings = HK_NEW_ARRAY(p->scratch, hk_judging, n + 1);
    for (size_t i = 0; i < n; i++)
        p->judgings[i] = (hk_judging){.time = (double)NAN, .pending = HK_TICK_NEVER};
    for (size_t i = 0; i < n; i++)
        if (p->scene->scenario->expectations[i].kind == HK_MEASURED)
            hk_measure_begin(p, i);
}

static double seconds(const hk_playing *p, hk_tick tick) {
    return hk_tick_seconds(tick, p->stage->plan->ticks_per_second);
}

static void decide(hk_judging *j, bool held, double time) {
    j->decided = true;
    j->held = held;
    j->time = time;
}

/* The values that a condition looks at: "level.y is 5.2, gauge.y is 4.9"; of many the first. */
static const char *values_seen(const hk_playing *p, const hk_test *test, const char *text,
                               size_t *shown) {
    enum { SHOWN = 3 };
    if (test->kind != HK_TEST_COMPARE) {
        text = values_seen(p, test->a, text, shown);
        return test->b ? values_seen(p, test->b, text, shown) : text;
    }
    const hk_term *terms[] = {&test->left, &test->right};
    for (size_t i = 0; i < 2; i++) {
        const hk_signal *s = &terms[i]->signal;
        const hk_model *model = p->stage->simulation->model;
        double value;
        if (!terms[i]->is_signal || *shown >= SHOWN || !look(p, s, &value))
            continue;
        const hk_address at = {s->component, s->variable, s->element, 0, NULL};
        hk_address named = at;
        named.count = hk_variable_is_array(hk_address_variable(model, &at));
        const char *unit = s->shown ? s->shown->unit : hk_address_variable(model, &at)->unit;
        char number[HK_NUMBER_MAX + 1];
        number[hk_write_f64(hk_signal_value(s, value), number)] = '\0';
        text = hk_arena_printf(p->arena, "%s%s%s is %s%s%s", text, (*shown)++ ? ", " : "",
                               s->shown ? s->shown->name : hk_address_name(p->arena, model, &named),
                               number, unit ? " " : "", unit ? unit : "");
    }
    return text;
}

static void broken(hk_playing *p, const hk_test *test, hk_judging *j, double time) {
    size_t shown = 0;
    decide(j, false, time);
    j->seen = values_seen(p, test, "", &shown);
}

/* The oldest open trigger counts: what fulfils it fulfils all. */
static void judge_after(hk_playing *p, const hk_expectation *e, const hk_scene_window *w,
                        hk_judging *j, hk_tick now) {
    bool trigger = holds(p, e->trigger);
    if (j->pending < now) {
        decide(j, false, seconds(p, j->pending));
        return;
    }
    j->triggered = j->triggered || trigger;
    if (trigger && !j->was && j->pending == HK_TICK_NEVER)
        j->pending = e->has_to && w->to < HK_TICK_LIMIT ? now + w->to : HK_TICK_NEVER - 1;
    j->was = trigger;
    if (j->pending != HK_TICK_NEVER && holds(p, e->condition))
        j->pending = HK_TICK_NEVER;
}

static void take_sample(hk_playing *p, const hk_expectation *e, hk_judging *j, hk_tick now) {
    double value = (double)NAN;
    const hk_signal *signal = &e->measure->signal;
    (void)look(p, signal, &value);
    hk_measure_take(j->samples, seconds(p, now), hk_signal_value(signal, value));
}

static void judge_one(hk_playing *p, size_t i, hk_tick now) {
    const hk_expectation *e = &p->scene->scenario->expectations[i];
    const hk_scene_window *w = &p->scene->windows[i];
    hk_judging *j = &p->judgings[i];
    bool inside = now >= w->from && now <= w->to;
    switch (e->kind) {
    case HK_ALWAYS:
        j->looked = j->looked || inside;
        if (inside && !holds(p, e->condition))
            broken(p, e->condition, j, seconds(p, now));
        else if (now >= w->to && j->looked)
            decide(j, true, (double)NAN);
        break;
    case HK_EVENTUALLY:
        if (inside && holds(p, e->condition))
            decide(j, true, seconds(p, now));
        else if (now >= w->to)
            decide(j, false, seconds(p, w->to));
        break;
    case HK_AT_TIME:
        if (now >= w->from && holds(p, e->condition))
            decide(j, true, seconds(p, now));
        else if (now >= w->from)
            broken(p, e->condition, j, seconds(p, now));
        break;
    case HK_AFTER:
        judge_after(p, e, w, j, now);
        break;
    case HK_MEASURED:
        if (inside && j->samples->owner == i)
            take_sample(p, e, j, now);
        break;
    }
}

void hk_judge(hk_playing *p, hk_tick now) {
    HK_ASSERT(p);
    for (size_t i = 0; i < p->scene->scenario->expectation_count; i++)
        if (!p->judgings[i].decided)
            judge_one(p, i, now);
}

static void *begin_row(void *user) {
    return ((hk_playing *)user)->row;
}

static bool end_row(void *user, double time) {
    hk_playing *p = user;
    (void)time;
    if (hk_sim_is_ending(p->sim))
        hk_keep_judgings(p);
    hk_judge(p, hk_sim_now(p->sim));
    return true;
}

bool hk_judge_listen(hk_playing *p, hk_listener *ret_listener) {
    HK_ASSERT(p && ret_listener);
    const hk_scene *scene = p->scene;
    if (!scene->scenario->expectation_count && !scene->rows_for_grid)
        return false;
    p->row = hk_arena_alloc(p->scratch, scene->judged_size + 8);
    *ret_listener = (hk_listener){.sink = {begin_row, end_row, p},
                                  .columns = scene->judged,
                                  .column_count = scene->judged_count,
                                  .interval = scene->judging_interval};
    return true;
}

/* ---- windows that were not seen ---- */

/* The run went on to the end of the window; what has no end is the whole of a run that came to one.
 */
static bool window_seen(const hk_playing *p, size_t i) {
    bool ends = p->scene->scenario->expectations[i].has_to;
    hk_tick to = p->scene->windows[i].to;
    if (p->status != HK_OK)
        return ends && p->sim && to < p->end_tick; /* the instant that failed was not looked at */
    return !ends || to <= p->end_tick;
}

/* As it was written: its ticks may lie between two steps. */
static const char *window_words(const hk_playing *p, size_t i) {
    const hk_expectation *e = &p->scene->scenario->expectations[i];
    double first = seconds(p, p->scene->windows[i].from);
    const char *from =
        hk_seconds_words(p->arena, e->has_from ? hk_ratio_to_double(e->from) : first);
    return e->has_to ? hk_arena_printf(p->arena, "[%s, %s]", from,
                                       hk_seconds_words(p->arena, hk_ratio_to_double(e->to)))
                     : hk_arena_printf(p->arena, "from %s on", from);
}

static const char *nothing_seen(const hk_playing *p, size_t i, const char *what) {
    return hk_arena_printf(p->arena, "there is no %s in its window %s, the run ended at %s", what,
                           window_words(p, i), hk_seconds_words(p->arena, p->end));
}

static const char *seen_in_part(const hk_playing *p, size_t i) {
    return hk_arena_printf(p->arena, "its window %s was seen until %s only", window_words(p, i),
                           hk_seconds_words(p->arena, p->end));
}

/* Why nothing can be said about what must hold all the time; NULL: it can. A condition that nobody
 * looked at, or not until the end, has not held all the time. */
static const char *why_always_open(const hk_playing *p, size_t i) {
    if (p->judgings[i].decided || p->status != HK_OK)
        return NULL;
    if (!p->judgings[i].looked)
        return nothing_seen(p, i, "step");
    return window_seen(p, i) ? NULL : seen_in_part(p, i);
}

/* Why nothing can be said about a requirement; NULL: it is met or not. More samples cannot bring an
 * extreme back within its limit. */
static const char *why_measured_open(const hk_playing *p, size_t i) {
    const hk_measure *m = p->scene->scenario->expectations[i].measure;
    const hk_samples *samples = p->judgings[i].samples;
    bool failed = p->status != HK_OK && p->status != HK_E_INTERRUPTED;
    if (p->status != HK_OK && !window_seen(p, i))
        return p->sim ? hk_arena_printf(p->arena, "the run %s at %s",
                                        failed ? "failed" : "was interrupted",
                                        hk_seconds_words(p->arena, p->end))
                      : "the run did not begin";
    if (!samples->count)
        return nothing_seen(p, i, "sample");
    double value = hk_measure_value(m, samples);
    bool beyond = (m->metric == HK_METRIC_MAXIMUM && value > m->max) ||
                  (m->metric == HK_METRIC_MINIMUM && value < m->min);
    if (!window_seen(p, i) && !beyond)
        return seen_in_part(p, i);
    double unknown = beyond ? (double)NAN : hk_measure_unknown(m, samples);
    return isnan(unknown) ? NULL
                          : hk_arena_printf(p->arena, "the signal is not a number at %s",
                                            hk_seconds_words(p->arena, unknown));
}

/* Why the run says nothing about an expectation; NULL: it does, or it failed before it could. */
static const char *why_open(const hk_playing *p, size_t i) {
    switch (p->scene->scenario->expectations[i].kind) {
    case HK_MEASURED:
        return why_measured_open(p, i);
    case HK_ALWAYS:
        return why_always_open(p, i);
    default:
        return NULL;
    }
}

/* What a run that is over says about what was still open. */
static void settle(const hk_playing *p, size_t i) {
    const hk_expectation *e = &p->scene->scenario->expectations[i];
    hk_judging *j = &p->judgings[i];
    if (j->decided)
        return;
    if (e->kind == HK_MEASURED && !why_open(p, i))
        decide(j, hk_measure_held(e->measure, hk_measure_value(e->measure, j->samples)), p->end);
    else if (p->status != HK_OK || e->kind == HK_MEASURED)
        decide(j, false, (double)NAN);
    else if (e->kind == HK_ALWAYS)
        decide(j, !why_open(p, i), (double)NAN);
    else if (e->kind == HK_EVENTUALLY)
        decide(j, false, p->end);
    else if (e->kind == HK_AT_TIME)
        decide(j, false, (double)NAN);
    else if (j->pending == HK_TICK_NEVER || (e->has_to && j->pending > p->end_tick))
        decide(j, true, (double)NAN); /* or its time was not up when the run ended */
    else
        decide(j, false, p->end);
}

/* OPEN: why it is not decided; NULL: it does not hold. */
static const char *failure_words(const hk_playing *p, const hk_expectation *e, const hk_judging *j,
                                 const char *open) {
    hk_arena *arena = p->arena;
    const char *why = "does not hold", *user = e->message;
    if (e->kind == HK_MEASURED)
        return hk_arena_printf(
            arena, "scenario '%s', run %lld: %s", p->scene->scenario->name, (long long)p->index,
            open ? hk_arena_printf(arena, "%s is not decided: %s", e->measure->name, open)
                 : hk_measure_words(arena, e->measure, hk_measure_value(e->measure, j->samples)));
    if (open)
        why = hk_arena_printf(arena, "is not decided: %s", open);
    else if (isnan(j->time))
        why = p->status != HK_OK ? "was not decided when the run failed"
                                 : "asks for a time after the end of the run";
    else if (e->kind == HK_EVENTUALLY)
        why = hk_arena_printf(arena, "has not become true until %s",
                              hk_seconds_words(arena, j->time));
    else if (e->kind == HK_AFTER)
        why = hk_arena_printf(arena, "was not fulfilled in time, by %s",
                              hk_seconds_words(arena, j->time));
    else
        why = hk_arena_printf(arena, "does not hold at %s", hk_seconds_words(arena, j->time));
    if (j->seen && *j->seen)
        why = hk_arena_printf(arena, "%s (%s)", why, j->seen);
    return hk_arena_printf(arena, "scenario '%s', run %lld: '%s' %s%s%s", p->scene->scenario->name,
                           (long long)p->index, e->words ? e->words : "expect", why,
                           user ? ": " : "", user ? user : "");
}

static const hk_measured *tell_measured(const hk_playing *p, const hk_measure *m,
                                        const hk_samples *samples) {
    hk_measured *told = HK_NEW(p->arena, hk_measured);
    *told = (hk_measured){.name = hk_arena_strdup(p->arena, m->name),
                          .unit = hk_arena_strdup(p->arena, m->unit),
                          .value = samples ? hk_measure_value(m, samples) : (double)NAN,
                          .min = m->min,
                          .max = m->max,
                          .reference = m->reference};
    return told;
}

void hk_judge_end(hk_playing *p, hk_play_run *run) {
    HK_ASSERT(p && run);
    const hk_scenario *s = p->scene->scenario;
    run->verdict_count = s->expectation_count;
    run->verdicts = HK_NEW_ARRAY(p->arena, hk_verdict, s->expectation_count + 1);
    for (size_t i = 0; i < s->expectation_count; i++) {
        const hk_expectation *e = &s->expectations[i];
        hk_judging *j = &p->judgings[i];
        const char *open = why_open(p, i);
        bool failed = e->kind != HK_MEASURED && !j->decided && p->status != HK_OK;
        bool undecided = open || failed;
        settle(p, i);
        hk_verdict *v = &run->verdicts[i];
        *v = (hk_verdict){.held = j->held,
                          .undecided = undecided,
                          .reason = open,
                          .idle = j->held && e->kind == HK_AFTER && !j->triggered,
                          .time = j->time,
                          .words = hk_arena_strdup(p->arena, e->words ? e->words : ""),
                          .where = e->where};
        v->where.file = hk_arena_strdup(p->arena, e->where.file);
        v->where.element = hk_arena_strdup(p->arena, e->where.element);
        if (e->measure)
            v->measured = tell_measured(p, e->measure, undecided ? NULL : j->samples);
        if (j->held)
            continue;
        v->message = failure_words(p, e, j, open);
        if (!undecided || p->status == HK_OK) /* a run that failed has said so itself */
            (void)hk_error(p->ctx, HK_E_EXPECTATION, e->where, NULL, "%s", v->message);
    }
}
