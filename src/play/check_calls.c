/* SPDX-License-Identifier: MIT
 *
 * Calls of what is stopped, found before the run. The moments that are known are followed one after
 * the other, as they will come; what happens at moments that nobody knows (conditions) may have
 * happened at any time. Only what is certain is an error. */
#include "play/play_internal.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 1, STOPS = 2 }; /* what a component may be; both: nobody knows */

/* Something happens at a step: an event, or the end of a DURING. */
typedef struct moment {
    int64_t step;
    bool is_end;
    size_t event;
} moment;

typedef struct walk {
    hk_checking *c;
    size_t count;         /* of components */
    unsigned char *state; /* after the last moment */
    unsigned char *may;   /* what events without a time bring */
    unsigned char *ever;  /* all that it may be from the beginning to here */
    unsigned char *now;   /* while the actions of an event are followed */
    unsigned char *found; /* by component, while a DURING lasts; event after event */
    bool may_finish;      /* an event without a time ends the run */
    bool *told;           /* by action of the EVERY events, one event after the other */
} walk;

static unsigned char *states(walk *w) {
    return HK_NEW_ARRAY(w->c->arena, unsigned char, w->count + 1);
}

/* Is a call that comes late in the run sure to come? */
typedef enum certainty { SURE, PERHAPS } certainty;

static void tell(walk *w, const hk_action *a, certainty certain) {
    const hk_component *x = &w->c->simulation->model->components[a->component];
    const char *name = x->info->services[a->service].definition->functions[a->function].name;
    const char *hint = "start it before, or allow it with --allow-stopped";
    if (certain == SURE)
        hk_check_fail(
            w->c, HK_E_STOPPED_PROVIDER, a->where, hint,
            hk_arena_printf(w->c->arena,
                            "'%s' of '%s' is called while it is stopped, and nothing starts it "
                            "before",
                            name, x->name));
    else
        hk_check_complain(w->c, a->where, hint,
                          hk_arena_printf(w->c->arena,
                                          "'%s' of '%s' may be called while it is stopped, and "
                                          "nothing starts it again",
                                          name, x->name));
}

/* Follows what is stopped and started in NOW, and finds calls of what is stopped by then. TOLD: per
 * action, so that what comes often is reported once; NULL: it comes once. True: the run ends here.
 */
static bool follow(walk *w, const hk_actions *actions, certainty certain, bool *told) {
    bool finishes = false;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        for (size_t k = 0; k < a->component_count; k++)
            if (a->kind == HK_ACTION_START || a->kind == HK_ACTION_STOP)
                w->now[a->components[k]] = a->kind == HK_ACTION_STOP ? STOPS : RUNS;
        finishes = finishes || a->kind == HK_ACTION_FINISH;
        if (a->kind != HK_ACTION_CALL || w->now[a->component] != STOPS || (told && told[i]))
            continue;
        tell(w, a, certain);
        if (told)
            told[i] = true;
    }
    return finishes;
}

static void take_state(walk *w) {
    for (size_t i = 0; i < w->count; i++)
        w->now[i] = w->state[i] | w->may[i];
}

static void keep_state(walk *w) {
    for (size_t i = 0; i < w->count; i++) {
        w->ever[i] |= w->now[i];
        w->state[i] = w->now[i];
    }
}

/* ---- moments ---- */

static int64_t step_of(const walk *w, hk_ratio when) {
    const hk_experiment *x = &w->c->simulation->model->experiment;
    int64_t step = 0;
    bool exact;
    if (hk_ratio_compare(when, x->start) <= 0)
        return 0;
    /* What is too far to count is after the end. */
    return hk_ratio_compare(when, x->stop) > 0 || !hk_grid_step(x, when, &step, &exact) ? INT64_MAX
                                                                                        : step;
}

static int by_time(const void *a, const void *b) {
    const moment *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->is_end != y->is_end)
        return x->is_end ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* Those that do come, in the order in which they do. */
static moment *find_moments(walk *w, size_t *ret_count) {
    const hk_scenario *s = w->c->scenario;
    moment *all = HK_NEW_ARRAY(w->c->arena, moment, 2 * s->event_count + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->event_count; i++) {
        const hk_event *e = &s->events[i];
        if (e->kind != HK_AT && e->kind != HK_DURING)
            continue;
        moment from = {step_of(w, e->from), false, i};
        moment to = {e->kind == HK_DURING ? step_of(w, e->to) : INT64_MAX, true, i};
        if (from.step == INT64_MAX || (e->kind == HK_DURING && to.step <= from.step))
            continue;
        all[n++] = from;
        if (to.step != INT64_MAX)
            all[n++] = to;
    }
    qsort(all, n, sizeof *all, by_time);
    *ret_count = n;
    return all;
}

/* What events without a time do: EVERY comes at times that are known, but so often that it is taken
 * as if they were not. */
static void note_unknown(walk *w) {
    const hk_scenario *s = w->c->scenario;
    for (size_t i = 0; i < s->event_count; i++) {
        const hk_event *e = &s->events[i];
        if (e->kind != HK_WHEN && e->kind != HK_EVERY)
            continue;
        for (size_t k = 0; k < e->actions.count; k++) {
            const hk_action *a = &e->actions.all[k];
            w->may_finish = w->may_finish || a->kind == HK_ACTION_FINISH;
            for (size_t j = 0; j < a->component_count; j++)
                if (a->kind == HK_ACTION_START || a->kind == HK_ACTION_STOP)
                    w->may[a->components[j]] |= a->kind == HK_ACTION_STOP ? STOPS : RUNS;
        }
    }
}

/* A DURING puts back what it found; where something else has changed it meanwhile, nobody knows. */
static void put_back(walk *w, size_t event, const hk_actions *actions) {
    const unsigned char *found = w->found + event * w->count;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        unsigned char left = a->kind == HK_ACTION_STOP ? STOPS : RUNS;
        for (size_t k = 0; k < a->component_count; k++)
            if (a->kind == HK_ACTION_START || a->kind == HK_ACTION_STOP) {
                uint32_t x = a->components[k];
                w->now[x] = w->now[x] == left ? found[x] : RUNS | STOPS;
            }
    }
}

/* ---- what comes again and again ---- */

/* True if the EVERY with this index comes after FROM and before TO. */
static bool comes_between(const walk *w, size_t event, moment from, moment to) {
    const hk_event *e = &w->c->scenario->events[event];
    hk_experiment from_zero = w->c->simulation->model->experiment;
    int64_t period = 0;
    bool exact = false;
    moment next = {step_of(w, e->from), false, event};
    from_zero.start = (hk_ratio){0, 1};
    if (next.step == INT64_MAX || by_time(&next, &to) > 0)
        return false;
    if (by_time(&next, &from) > 0)
        return true;
    if (!hk_grid_step(&from_zero, e->to, &period, &exact) || !exact || period < 1)
        return false; /* when it comes is not that simple */
    next.step += (from.step - next.step) / period * period;
    if (by_time(&next, &from) < 0)
        next.step += period;
    return next.step <= w->c->steps && by_time(&next, &to) < 0;
}

static void look_between(walk *w, moment from, moment to) {
    const hk_scenario *s = w->c->scenario;
    bool *told = w->told;
    for (size_t i = 0; i < s->event_count; told += s->events[i++].actions.count) {
        if (s->events[i].kind != HK_EVERY || !comes_between(w, i, from, to))
            continue;
        take_state(w);
        (void)follow(w, &s->events[i].actions, w->may_finish ? PERHAPS : SURE, told);
    }
}

/* ---- all of it ---- */

/* The moments that are known, up to the end. */
static void follow_moments(walk *w) {
    const hk_scenario *s = w->c->scenario;
    size_t count;
    moment *all = find_moments(w, &count);
    certainty certain = w->may_finish ? PERHAPS : SURE;
    const moment first = {.step = -1}, end = {.step = INT64_MAX};
    look_between(w, first, count ? all[0] : end);
    for (size_t i = 0; i < count; i++) {
        const hk_event *e = &s->events[all[i].event];
        bool finishes = false;
        take_state(w);
        if (all[i].is_end) {
            put_back(w, all[i].event, &e->actions);
        } else {
            memcpy(w->found + all[i].event * w->count, w->now, w->count);
            finishes = follow(w, &e->actions, certain, NULL);
        }
        keep_state(w);
        if (finishes)
            return;
        look_between(w, all[i], i + 1 < count ? all[i + 1] : end);
    }
}

/* Conditions come true when they do: what they call is stopped if that is so to the end. */
static void follow_conditions(walk *w) {
    const hk_scenario *s = w->c->scenario;
    for (size_t i = 0; i < s->event_count; i++)
        if (s->events[i].kind == HK_WHEN) {
            take_state(w);
            (void)follow(w, &s->events[i].actions, PERHAPS, NULL);
        }
}

void hk_check_calls(hk_checking *c, bool last) {
    HK_ASSERT(c);
    const hk_model *model = c->simulation->model;
    const hk_scenario *s = c->scenario;
    walk w = {.c = c, .count = model->component_count};
    size_t actions = 0;
    if (c->options->allow_stopped)
        return;
    for (size_t i = 0; i < s->event_count; i++)
        actions += s->events[i].actions.count;
    w.state = states(&w);
    w.may = states(&w);
    w.ever = states(&w);
    w.now = states(&w);
    w.found = HK_NEW_ARRAY(c->arena, unsigned char, s->event_count *w.count + 1);
    w.told = HK_NEW_ARRAY(c->arena, bool, actions + 1);
    for (size_t i = 0; i < w.count; i++)
        w.now[i] = model->components[i].inactive ? STOPS : RUNS;
    (void)follow(&w, &c->simulation->begin, SURE, NULL);
    (void)follow(&w, &s->begin, SURE, NULL);
    note_unknown(&w);
    keep_state(&w);
    follow_moments(&w);
    follow_conditions(&w);
    take_state(&w);
    for (size_t i = 0; i < w.count && w.may_finish;
         i++) /* at any of these moments it may be over */
        w.now[i] |= w.ever[i];
    (void)follow(&w, &s->end, SURE, NULL);
    if (last)
        (void)follow(&w, &c->simulation->end, SURE, NULL);
}
