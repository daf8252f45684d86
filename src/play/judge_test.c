/* SPDX-License-Identifier: MIT
 *
 * Each form of expectation, where it holds and where it does not. count.y is the time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show.h"

#include <string.h>

/* One expectation on a run of 10 s. NaN: at no one instant. */
static void judged(hk_expectation *make(show *s), bool held, double time, const char *message) {
    show s;
    show_begin(&s, "1", "10");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    make(&s);
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    const hk_play_run *run = &s.report->runs[0];
    assert_int_equal(run->status, HK_OK);
    assert_int_equal(run->verdict_count, 1);
    const hk_verdict *v = &run->verdicts[0];
    assert_int_equal(v->held, held);
    assert_int_equal(v->undecided, message && strstr(message, "is not decided") != NULL);
    assert_int_equal(v->reason != NULL, v->undecided);
    assert_int_equal(s.report->all_held, held);
    if (!(isnan(time) ? isnan(v->time) : v->time == time))
        fail_msg("time %g, expected %g", v->time, time);
    if (held) {
        assert_null(v->message);
        assert_int_equal(hk_ctx_count(s.r.ctx, HK_ERROR), 0);
    } else {
        const hk_diag *d = show_said(&s, HK_ERROR, 0);
        assert_int_equal(d->code, HK_E_EXPECTATION);
        assert_int_equal(d->where.line, 50);
        assert_string_equal(d->where.file, "show.simulation");
        assert_string_equal(d->text, message);
        assert_string_equal(v->message, message);
    }
    show_end(&s);
}

#define HOLDS(name, time) judged(name, true, time, NULL)

static hk_expectation *always(show *s) {
    return show_expect(s, (hk_expectation){.kind = HK_ALWAYS,
                                           .condition = show_test(s, "count.y", HK_LESS, 10.5)});
}

static hk_expectation *always_broken(show *s) {
    return show_expect(s, (hk_expectation){.kind = HK_ALWAYS,
                                           .condition = show_test(s, "count.y", HK_LESS, 5.5),
                                           .message = "too much"});
}

/* Broken at the stop time only. */
static hk_expectation *always_to_the_end(show *s) {
    return show_expect(
        s, (hk_expectation){.kind = HK_ALWAYS, .condition = show_test(s, "count.y", HK_LESS, 10)});
}

static hk_expectation *always_in_window(show *s) {
    hk_expectation *e = always_broken(s);
    e->has_from = e->has_to = true;
    e->from = rig_seconds("1");
    e->to = rig_seconds("5");
    return e;
}

static hk_expectation *always_in_window_broken(show *s) {
    hk_expectation *e = always_in_window(s);
    e->to = rig_seconds("6");
    return e;
}

static void always_forms(void **state) {
    (void)state;
    HOLDS(always, (double)NAN);
    HOLDS(always_in_window, (double)NAN);
    judged(always_broken, false, 6,
           "scenario 'first', run 0: 'words' does not hold at 6 s (count.y is 6): too much");
    judged(always_to_the_end, false, 10,
           "scenario 'first', run 0: 'words' does not hold at 10 s (count.y is 10)");
    judged(always_in_window_broken, false, 6,
           "scenario 'first', run 0: 'words' does not hold at 6 s (count.y is 6): too much");
}

static hk_expectation *always_from(show *s, const char *from, const char *to) {
    hk_expectation *e = always(s);
    e->has_from = true;
    e->from = rig_seconds(from);
    e->has_to = to != NULL;
    e->to = to ? rig_seconds(to) : e->to;
    return e;
}

static hk_expectation *always_up_to_the_stop(show *s) {
    return always_from(s, "5", "10");
}

static hk_expectation *always_seen_in_part(show *s) {
    return always_from(s, "5", "20");
}

static hk_expectation *always_beyond(show *s) {
    return always_from(s, "12", "20");
}

static hk_expectation *always_beyond_for_good(show *s) {
    return always_from(s, "12", NULL);
}

static hk_expectation *always_between_steps(show *s) {
    return always_from(s, "21/5", "22/5");
}

static hk_expectation *always_after_the_finish(show *s) {
    show_at(s, "6", DO(s, {.kind = HK_ACTION_FINISH}));
    return always_from(s, "7", "8");
}

/* What nobody looked at does not hold. */
static void always_not_seen(void **state) {
    (void)state;
    HOLDS(always_up_to_the_stop, (double)NAN);
#define OPEN(make, why)                                                                            \
    judged(make, false, (double)NAN, "scenario 'first', run 0: 'words' is not decided: " why)
    OPEN(always_seen_in_part, "its window [5 s, 20 s] was seen until 10 s only");
    OPEN(always_beyond, "there is no step in its window [12 s, 20 s], the run ended at 10 s");
    OPEN(always_beyond_for_good,
         "there is no step in its window from 12 s on, the run ended at 10 s");
    OPEN(always_between_steps,
         "there is no step in its window [4.2 s, 4.4 s], the run ended at 10 s");
    OPEN(always_after_the_finish,
         "there is no step in its window [7 s, 8 s], the run ended at 6 s");
#undef OPEN
}

static hk_expectation *eventually(show *s) {
    return show_expect(s, (hk_expectation){.kind = HK_EVENTUALLY,
                                           .condition = show_test(s, "count.y", HK_GREATER, 3)});
}

static hk_expectation *eventually_never(show *s) {
    return show_expect(s, (hk_expectation){.kind = HK_EVENTUALLY,
                                           .condition = show_test(s, "count.y", HK_GREATER, 10)});
}

static hk_expectation *eventually_at_stop(show *s) {
    return show_expect(
        s, (hk_expectation){.kind = HK_EVENTUALLY,
                            .condition = show_test(s, "count.y", HK_GREATER_EQUAL, 10)});
}

static hk_expectation *eventually_too_late(show *s) {
    hk_expectation *e = eventually(s);
    e->has_to = true;
    e->to = rig_seconds("3");
    return e;
}

static hk_expectation *eventually_later(show *s) {
    hk_expectation *e = eventually(s);
    e->has_from = true;
    e->from = rig_seconds("13/2");
    return e;
}

static void eventually_forms(void **state) {
    (void)state;
    HOLDS(eventually, 4);
    HOLDS(eventually_at_stop, 10);
    HOLDS(eventually_later, 7);
    judged(eventually_never, false, 10,
           "scenario 'first', run 0: 'words' has not become true until 10 s");
    judged(eventually_too_late, false, 3,
           "scenario 'first', run 0: 'words' has not become true until 3 s");
}

static hk_expectation *at(show *s, double value, double tolerance, const char *time) {
    hk_test *t = (hk_test *)(uintptr_t)show_test(s, "count.y", HK_EQUAL, value);
    t->tolerance = tolerance;
    return show_expect(
        s, (hk_expectation){
               .kind = HK_AT_TIME, .condition = t, .has_from = true, .from = rig_seconds(time)});
}

static hk_expectation *at_exactly(show *s) {
    return at(s, 4, 0, "4");
}

static hk_expectation *at_about(show *s) {
    return at(s, 4.25, 0.25, "4");
}

static hk_expectation *at_not_quite(show *s) {
    return at(s, 4.25, 0.125, "4");
}

static hk_expectation *at_the_stop(show *s) {
    return at(s, 10, 0, "10");
}

/* The first instant at or after 4.5 s. */
static hk_expectation *at_between(show *s) {
    return at(s, 5, 0, "4.5");
}

static hk_expectation *at_no_time(show *s) {
    return at(s, 10, 0, "11");
}

static void at_forms(void **state) {
    (void)state;
    HOLDS(at_exactly, 4);
    HOLDS(at_about, 4);
    HOLDS(at_the_stop, 10);
    HOLDS(at_between, 5);
    judged(at_not_quite, false, 4,
           "scenario 'first', run 0: 'words' does not hold at 4 s (count.y is 4)");
    judged(at_no_time, false, (double)NAN,
           "scenario 'first', run 0: 'words' asks for a time after the end of the run");
}

/* The trigger at 3 s, the answer at ANSWER. */
static hk_expectation *after(show *s, double answer, const char *within) {
    hk_expectation e = {.kind = HK_AFTER,
                        .trigger = show_test(s, "count.y", HK_GREATER_EQUAL, 3),
                        .condition = show_test(s, "count.y", HK_GREATER_EQUAL, answer),
                        .has_to = within != NULL};
    if (within)
        e.to = rig_seconds(within);
    return show_expect(s, e);
}

static hk_expectation *after_in_time(show *s) {
    return after(s, 5, "2");
}

static hk_expectation *after_at_once(show *s) {
    return after(s, 3, "0");
}

static hk_expectation *after_too_late(show *s) {
    return after(s, 6, "2");
}

static hk_expectation *after_at_the_last(show *s) {
    return after(s, 11, "7");
}

static hk_expectation *after_not_yet(show *s) {
    return after(s, 11, "8");
}

static hk_expectation *after_without_limit(show *s) {
    return after(s, 11, NULL);
}

static hk_expectation *after_never_triggered(show *s) {
    hk_expectation *e = after(s, 11, "1");
    e->trigger = show_test(s, "count.y", HK_GREATER, 10);
    return e;
}

static void after_forms(void **state) {
    (void)state;
    HOLDS(after_in_time, (double)NAN);
    HOLDS(after_at_once, (double)NAN);
    HOLDS(after_not_yet, (double)NAN);
    HOLDS(after_never_triggered, (double)NAN);
    judged(after_too_late, false, 5,
           "scenario 'first', run 0: 'words' was not fulfilled in time, by 5 s");
    judged(after_at_the_last, false, 10,
           "scenario 'first', run 0: 'words' was not fulfilled in time, by 10 s");
    judged(after_without_limit, false, 10,
           "scenario 'first', run 0: 'words' was not fulfilled in time, by 10 s");
}

/* and, or, not, two signals, absolute values. */
static void conditions(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "4");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    hk_test far = *show_test(&s, "gain.u", HK_GREATER_EQUAL, 1); /* gain.u is -1 */
    far.left.absolute = true;
    hk_test two = *show_test(&s, "count.y", HK_GREATER, 0);
    two.right.is_signal = true;
    rig_find(&s.r, "gain.u", &two.right.signal.component, &two.right.signal.variable);
    const hk_test both = {.kind = HK_TEST_AND, .a = &far, .b = &two};
    const hk_test none = {.kind = HK_TEST_NOT, .a = show_test(&s, "count.y", HK_NOT_EQUAL, 0)};
    const hk_test one = {.kind = HK_TEST_OR, .a = &none, .b = &both};
    const hk_test wrong = {.kind = HK_TEST_AND, .a = &both, .b = &none};
    show_expect(&s, (hk_expectation){.kind = HK_ALWAYS, .condition = &both});
    show_expect(&s, (hk_expectation){.kind = HK_ALWAYS, .condition = &one});
    show_expect(&s, (hk_expectation){.kind = HK_ALWAYS, .condition = &none});
    show_expect(&s, (hk_expectation){.kind = HK_ALWAYS, .condition = &wrong});
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    const hk_verdict *v = s.report->runs[0].verdicts;
    assert_true(v[0].held && v[1].held);
    assert_true(!v[2].held && v[2].time == 1);
    assert_true(!v[3].held && v[3].time == 1);
    assert_int_equal(hk_ctx_count(s.r.ctx, HK_ERROR), 2);
    show_end(&s);
}

/* Expectations look at what a log of the same instant shows, on the grid of steps also where all
 * components are slow. */
static void between_activations(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "8");
    rig_add(&s.r, "slow", &show_counter_type, "4", NULL);
    hk_test *t = (hk_test *)(uintptr_t)show_test(&s, "slow.y", HK_EQUAL, 0);
    show_expect(
        &s, (hk_expectation){
                .kind = HK_AT_TIME, .condition = t, .has_from = true, .from = rig_seconds("3")});
    show_log_in(&s, 0, "log.csv", "4", "slow.y");
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_true(s.report->all_held);
    assert_true(s.report->runs[0].verdicts[0].time == 3);
    COLUMN_IS(&s, 1, 0, 1, 2);
    show_end(&s);
}

/* y is the time at which its step begins, from then on. */
typedef struct clock_now {
    double y;
} clock_now;

static int clock_step(void *self, double t, double h) {
    (void)h;
    ((clock_now *)self)->y = t;
    return HK_STEP_OK;
}

static const hk_port clock_ports[] = {
    HK_PORT(clock_now, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type clock_type = {HK_UNIT_TYPE(clock_now), .ports = clock_ports,
                                        .port_count = 1, .stamp = HK_STAMP_START,
                                        .step = clock_step};

/* What is computed at 4 s and holds from then on is what is expected at 4 s, as in the log; a WHEN
 * can act on it in the next step only. */
static void start_stamped(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "8");
    rig_add(&s.r, "clock", &clock_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    const hk_test *four = show_test(&s, "clock.y", HK_EQUAL, 4);
    show_expect(
        &s, (hk_expectation){
                .kind = HK_AT_TIME, .condition = four, .has_from = true, .from = rig_seconds("4")});
    show_expect(&s, (hk_expectation){.kind = HK_EVENTUALLY, .condition = four});
    show_event(&s, (hk_event){.kind = HK_WHEN,
                              .condition = four,
                              .actions = DO(&s, show_set(&s, "gain.k", "3"))});
    show_log(&s, "clock.y");
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_true(s.report->all_held);
    assert_true(s.report->runs[0].verdicts[1].time == 4);
    COLUMN_IS(&s, 1, 0, 1, 2, 3, 4, 5, 6, 7, 7);
    show_trace_is(&s, 0, "5 s: set gain.k = 3\n");
    show_end(&s);
}

/* What is not decided when a run fails is not a verdict against it; what was broken before is. */
static void failed_runs(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "10");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_expect(&s, (hk_expectation){.kind = HK_ALWAYS,
                                     .condition = show_test(&s, "count.y", HK_LESS, 100)});
    show_expect(
        &s, (hk_expectation){.kind = HK_ALWAYS, .condition = show_test(&s, "count.y", HK_LESS, 2)});
    show_expect(&s, (hk_expectation){.kind = HK_EVENTUALLY,
                                     .condition = show_test(&s, "count.y", HK_GREATER, 1)});
    show_at(&s, "4", DO(&s, show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_QUANTISE})));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    const hk_verdict *v = s.report->runs[0].verdicts;
    assert_true(!v[0].held && v[0].undecided);
    assert_true(!v[1].held && !v[1].undecided && v[1].time == 2);
    assert_true(v[2].held && !v[2].undecided);
    assert_false(s.report->all_held);
    assert_int_equal(hk_ctx_count(s.r.ctx, HK_ERROR), 2);
    assert_string_equal(show_said(&s, HK_ERROR, 0)->text,
                        "scenario 'first', run 0, after 4 s: the fault 'quantise' has a value out "
                        "of its range");
    show_end(&s);
}

/* What never comes up holds, and says so. */
static void never_triggered(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "10");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    for (double limit = 5; limit < 20; limit += 10)
        show_expect(&s, (hk_expectation){.kind = HK_AFTER,
                                         .condition = show_test(&s, "count.y", HK_GREATER, 0),
                                         .trigger = show_test(&s, "count.y", HK_GREATER, limit),
                                         .has_to = true,
                                         .to = rig_seconds("1")});
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    const hk_verdict *v = s.report->runs[0].verdicts;
    assert_true(v[0].held && !v[0].idle);
    assert_true(v[1].held && v[1].idle);
    show_end(&s);
}

/* Two signals in different units: y in one of 100, the other side in one of 1. */
static void units(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "4");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    hk_test *t = (hk_test *)(uintptr_t)show_test(&s, "gain.k", HK_EQUAL, 0);
    t->right = (hk_term){.is_signal = true, .converted = true, .factor = 0.01, .offset = 1.97};
    show_expect(&s, (hk_expectation){.kind = HK_EVENTUALLY, .condition = t});
    t->tolerance = 1e-9;
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_true(s.report->runs[0].verdicts[0].held && s.report->runs[0].verdicts[0].time == 3);
    show_end(&s);
}

/* ---- requirements whose time was not seen ---- */

typedef struct open_case {
    hk_metric metric;
    const char *from, *to; /* NULL: the whole run */
    double max;
    const char *says; /* NULL: it is met */
    bool undecided;
} open_case;

/* In a run of 10 s that is played to its end, that finishes at 6 s, or that fails at 6 s. */
static void requirement(const open_case *c, const char *ends) {
    show s;
    show_begin(&s, "1", "10");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    hk_measure m = {.metric = c->metric,
                    .name = "R",
                    .base = NAN,
                    .target = NAN,
                    .band = 0.05,
                    .min = NAN,
                    .max = c->max,
                    .reference = NAN};
    rig_find(&s.r, "count.y", &m.signal.component, &m.signal.variable);
    hk_expectation *e = show_expect(&s, (hk_expectation){.kind = HK_MEASURED, .measure = &m});
    e->has_from = e->has_to = c->from != NULL;
    e->from = c->from ? rig_seconds(c->from) : e->from;
    e->to = c->from ? rig_seconds(c->to) : e->to;
    if (strcmp(ends, "finish") == 0)
        show_at(&s, "6", DO(&s, {.kind = HK_ACTION_FINISH}));
    if (strcmp(ends, "fail") == 0)
        show_at(&s, "6", DO(&s, show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_QUANTISE})));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    const hk_play_run *run = &s.report->runs[0];
    const hk_verdict *v = run->verdicts;
    assert_int_equal(v->held, !c->says);
    assert_int_equal(v->undecided, c->undecided);
    assert_int_equal(s.report->all_held, !c->says && run->status == HK_OK);
    if (c->says)
        assert_string_equal(
            v->message, hk_arena_printf(s.r.model->arena, "scenario 'first', run 0: %s", c->says));
    /* It is reported, unless the run has failed, which is reported instead. */
    assert_int_equal(hk_ctx_count(s.r.ctx, HK_ERROR), c->says || run->status != HK_OK ? 1 : 0);
    show_end(&s);
}

static void requirements_seen_in_part(void **state) {
    (void)state;
    static const open_case whole[] = {
        {HK_METRIC_MAXIMUM, NULL, NULL, 10, NULL, false},
        {HK_METRIC_MAXIMUM, "2", "10", 9, "R is 10, more than the max of 9", false},
        {HK_METRIC_FINAL, "5", "20", 100,
         "R is not decided: its window [5 s, 20 s] was seen until "
         "10 s only",
         true},
        {HK_METRIC_MAXIMUM, "5", "20", 9, "R is 10, more than the max of 9", false},
        {HK_METRIC_FINAL, "12", "20", 100,
         "R is not decided: there is no sample in its window "
         "[12 s, 20 s], the run ended at 10 s",
         true},
    };
    static const open_case finished[] = {
        {HK_METRIC_MAXIMUM, NULL, NULL, 10, NULL, false},
        {HK_METRIC_MEAN, "2", "6", 10, NULL, false},
        {HK_METRIC_MEAN, "2", "8", 10,
         "R is not decided: its window [2 s, 8 s] was seen until "
         "6 s only",
         true},
        {HK_METRIC_MEAN, "7", "8", 10,
         "R is not decided: there is no sample in its window "
         "[7 s, 8 s], the run ended at 6 s",
         true},
    };
    static const open_case failed[] = {
        {HK_METRIC_MAXIMUM, NULL, NULL, 10, "R is not decided: the run failed at 6 s", true},
        {HK_METRIC_MAXIMUM, "2", "8", 1, "R is not decided: the run failed at 6 s", true},
        {HK_METRIC_MAXIMUM, "2", "4", 10, NULL, false},
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        requirement(&whole[i], "stop");
    for (size_t i = 0; i < sizeof finished / sizeof *finished; i++)
        requirement(&finished[i], "finish");
    for (size_t i = 0; i < sizeof failed / sizeof *failed; i++)
        requirement(&failed[i], "fail");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(always_forms),        cmocka_unit_test(always_not_seen),
        cmocka_unit_test(eventually_forms),    cmocka_unit_test(at_forms),
        cmocka_unit_test(after_forms),         cmocka_unit_test(conditions),
        cmocka_unit_test(between_activations), cmocka_unit_test(start_stamped),
        cmocka_unit_test(failed_runs),         cmocka_unit_test(requirements_seen_in_part),
        cmocka_unit_test(never_triggered),     cmocka_unit_test(units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
