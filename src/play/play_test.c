/* SPDX-License-Identifier: MIT
 *
 * Runs, workers, logs and what is said before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show.h"

#include <hk/random.h>

#include <stdlib.h>
#include <unistd.h>

/* y: a random number per step. Ends its process in a step of a chosen run. */
typedef struct dice {
    hk_stream stream;
    double y, fatal;
    int64_t n;
} dice;

static int dice_step(void *self, double t, double h) {
    (void)t, (void)h;
    dice *d = self;
    d->y = hk_stream_normal(&d->stream, d->n++, 0);
    if (d->fatal > 0 && d->y > d->fatal)
        _exit(7);
    return HK_STEP_OK;
}

static const hk_port dice_ports[] = {
    HK_PORT(dice, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(dice, fatal, HK_PARAMETER, HK_TYPE_F64),
};
static const hk_stream_field dice_streams[] = {{"y", offsetof(dice, stream)}};
static const hk_unit_type dice_type = {HK_UNIT_TYPE(dice),      .ports = dice_ports,
                                       .port_count = 2,         .step = dice_step,
                                       .streams = dice_streams, .stream_count = 1};

static void begin_dice(show *s, int64_t repetitions) {
    show_begin(s, "1", "20");
    rig_add(&s->r, "dice", &dice_type, NULL, NULL);
    rig_add(&s->r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s->r, "dice.y", "gain.u");
    s->scenarios[0].repetitions = repetitions;
    s->simulation.seed = 42;
    show_log(s, "dice.y gain.u");
    show_log_in(s, 0, "slow.csv", "5", "gain.y");
    hk_event e = {.kind = HK_WHEN, .condition = show_test(s, "dice.y", HK_GREATER, 1)};
    e.actions = DO(s, show_set(s, "gain.k", "3"));
    show_event(s, e);
    show_at(s, "10", DO(s, show_fault(s, 0, (hk_fault){.kind = HK_FAULT_NOISE, .value = 1})));
    show_expect(
        s, (hk_expectation){.kind = HK_ALWAYS, .condition = show_test(s, "dice.y", HK_LESS, 2)});
    show_ready(s);
}

/* Everything of a report that does not depend on the clock, and all files. */
static char *told(show *s) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < s->report->run_count; i++) {
        const hk_play_run *r = &s->report->runs[i];
        fprintf(out, "%s %lld status %d rows %llu activations %llu\n", r->scenario,
                (long long)r->index, (int)r->status, (unsigned long long)r->rows,
                (unsigned long long)r->activations[0]);
        for (size_t k = 0; k < r->trace_count; k++)
            fprintf(out, "%s\n", r->trace[k]);
        for (size_t k = 0; k < r->verdict_count; k++)
            fprintf(out, "%d %a %s %s:%d\n", r->verdicts[k].held, r->verdicts[k].time,
                    r->verdicts[k].message ? r->verdicts[k].message : "", r->verdicts[k].where.file,
                    r->verdicts[k].where.line);
        for (size_t k = 0; k < r->log_count; k++) {
            const char *name = hk_path_name(r->logs[k]), *log = show_file(s, name);
            fprintf(out, "%s\n%s\n", name, log ? log : "is not there");
        }
    }
    for (size_t i = 0; i < hk_ctx_count(s->r.ctx, HK_NOTE); i++)
        fprintf(out, "%s\n", hk_ctx_diag(s->r.ctx, i)->text);
    fclose(out);
    return text;
}

static char *play_dice(unsigned workers) {
    show s;
    begin_dice(&s, 7);
    s.options.workers = workers;
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 7);
    char *text = told(&s);
    show_end(&s);
    return text;
}

/* Files and report are the same for any number of workers. */
static void workers(void **state) {
    (void)state;
    char *alone = play_dice(1);
    assert_non_null(strstr(alone, "log.first.0006.csv"));
    assert_non_null(strstr(alone, "does not hold at"));
    for (unsigned n = 2; n <= 9; n += n < 4 ? 1 : 5) {
        char *text = play_dice(n);
        assert_string_equal(alone, text);
        free(text);
    }
    free(alone);
}

/* born: how many there have been before, as the component's own static variable has it; beats: so
 * of all steps of all instances. */
typedef struct forgetful {
    double born, beats;
} forgetful;
static double births, heartbeats;

static int forgetful_init(void *self, double t) {
    (void)t;
    ((forgetful *)self)->born = births++;
    return HK_STEP_OK;
}

static int forgetful_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((forgetful *)self)->beats = heartbeats++;
    return HK_STEP_OK;
}

static const hk_port forgetful_ports[] = {
    HK_PORT(forgetful, born, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(forgetful, beats, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type forgetful_type = {HK_UNIT_TYPE(forgetful), .ports = forgetful_ports,
                                            .port_count = 2, .init = forgetful_init,
                                            .step = forgetful_step};

/* Static variables of a component are as at the start of the program in every run, no matter who
 * plays it. */
static void static_variables(void **state) {
    (void)state;
    char *first = NULL;
    for (unsigned n = 0; n <= 4; n++) {
        show s;
        show_begin(&s, "1", "3");
        rig_add(&s.r, "f", &forgetful_type, NULL, NULL);
        s.scenarios[0].repetitions = 5;
        show_log(&s, "f.born f.beats");
        show_ready(&s);
        s.options.workers = n;
        assert_int_equal(show_play(&s), HK_OK);
        assert_string_equal(show_file(&s, "log.first.0004.csv"),
                            "time,f.born,f.beats\n0,0,0\n1,0,0\n2,0,1\n3,0,2\n");
        char *text = told(&s);
        if (first)
            assert_string_equal(text, first);
        else
            first = strdup(text);
        free(text);
        show_end(&s);
    }
    free(first);
    assert_true(births == 0 && heartbeats == 0); /* none of it happened in this process */
}

/* Run 3 alone is run 3 of the series, and no run is like another. */
static void one_of_a_series(void **state) {
    (void)state;
    show s;
    begin_dice(&s, 5);
    assert_int_equal(show_play(&s), HK_OK);
    const char *names[] = {"log.first.0003.csv", "slow.first.0003.csv"};
    const char *before[] = {show_file(&s, names[0]), show_file(&s, names[1])};
    assert_string_not_equal(before[0], show_file(&s, "log.first.0002.csv"));
    size_t traces = s.report->runs[3].trace_count;
    hk_folder_remove(s.options.folder);
    assert_int_equal(hk_folder_make(s.r.ctx, s.options.folder), HK_OK);
    s.options.only_run = 3;
    s.options.scenario = "first";
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 1);
    assert_int_equal(s.report->runs[0].index, 3);
    assert_int_equal(s.report->runs[0].trace_count, traces);
    assert_string_equal(before[0], show_file(&s, names[0]));
    assert_string_equal(before[1], show_file(&s, names[1]));
    assert_null(show_file(&s, "log.first.0002.csv"));
    show_end(&s);
}

/* A component that ends its process ends one run. */
static void lost_worker(void **state) {
    (void)state;
    show s;
    begin_dice(&s, 6);
    double worst[6];
    assert_int_equal(show_play(&s), HK_OK);
    size_t loudest = 0;
    for (size_t i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "log.first.%04zu.csv", i);
        worst[i] = 0;
        for (const char *line = strchr(show_file(&s, name), '\n') + 1; *line;
             line = strchr(line, '\n') + 1) {
            const char *cell = strchr(line, ',') + 1;
            double y;
            assert_true(hk_read_f64(cell, strcspn(cell, ","), &y));
            worst[i] = y > worst[i] ? y : worst[i];
        }
        loudest = worst[i] > worst[loudest] ? i : loudest;
    }
    double second = 0;
    for (size_t i = 0; i < 6; i++)
        second = i != loudest && worst[i] > second ? worst[i] : second;
    char limit[HK_NUMBER_MAX + 1];
    limit[hk_write_f64(second, limit)] = '\0';
    s.scenarios[0].begin = DO(&s, show_set(&s, "dice.fatal", limit));
    s.options.workers = 2;
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 6);
    assert_false(s.report->all_held);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(s.report->runs[i].status, i == loudest ? HK_E_UNIT_CRASHED : HK_OK);
    show_end(&s);
}

/* An expectation that every run breaks is reported ten times. */
static void many_broken(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "2");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    s.scenarios[0].repetitions = 25;
    show_expect(
        &s, (hk_expectation){.kind = HK_ALWAYS, .condition = show_test(&s, "count.y", HK_LESS, 1)});
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 25);
    assert_int_equal(hk_ctx_count(s.r.ctx, HK_ERROR), 10);
    assert_false(s.report->runs[24].verdicts[0].held);
    show_end(&s);
}

/* Rows at the beginning and every period; a stop between two rows has none. */
static void logs(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1/2", "7");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, "1", NULL);
    show_log_in(&s, 0, "a.csv", "3", "count.y gain.mode");
    show_log_in(&s, 0, "b.csv", "2", "gain.whole count.y gain.whole");
    show_log_in(&s, 0, "c.csv", "7/2", "count.y");
    show_log_in(&s, 0, "d.csv", "100", "count.y");
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_string_equal(show_file(&s, "a.csv"),
                        "time,count.y,gain.mode\n0,0,calm\n3,6,calm\n6,12,calm\n");
    assert_string_equal(show_file(&s, "b.csv"), "time,gain.whole,count.y,gain.whole\n"
                                                "0,0,0,0\n2,0,4,0\n4,0,8,0\n6,0,12,0\n");
    assert_string_equal(show_file(&s, "c.csv"), "time,count.y\n0,0\n3.5,7\n7,14\n");
    assert_string_equal(show_file(&s, "d.csv"), "time,count.y\n0,0\n");
    assert_int_equal(s.report->runs[0].log_count, 4);
    assert_int_equal(s.report->runs[0].rows, 3 + 4 + 3 + 1);
    show_end(&s);
}

/* One log, alone: the stop time is none of its rows. */
static void one_log(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "5");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    show_log_in(&s, 0, "log.csv", "2", "count.y");
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    COLUMN_IS(&s, 1, 0, 2, 4);
    show_end(&s);
}

/* Two scenarios that name the same file write two; the end of the simulation comes once. */
static void scenarios(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "2");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    s.simulation.scenario_count = 2;
    s.scenarios[0].repetitions = 2;
    show_log_in(&s, 0, "log.csv", "1", "count.y");
    show_log_in(&s, 1, "log.csv", "1", "gain.y");
    show_log_in(&s, 1, "own.csv", "1", "gain.k");
    s.scenarios[1].begin = DO(&s, show_set(&s, "gain.k", "5"));
    s.scenarios[0].end = DO(&s, show_set(&s, "gain.k", "6"));
    s.simulation.end = DO(&s, show_set(&s, "gain.k", "7"));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 3);
    assert_string_equal(show_file(&s, "log.first.0000.csv"), "time,count.y\n0,0\n1,1\n2,2\n");
    assert_string_equal(show_file(&s, "log.second.csv"), "time,gain.y\n0,0\n1,-5\n2,-5\n");
    assert_string_equal(show_file(&s, "own.csv"), "time,gain.k\n0,5\n1,5\n2,5\n");
    show_trace_is(&s, 0, "2 s: set gain.k = 6\n");
    show_trace_is(&s, 1, "2 s: set gain.k = 6\n");
    show_trace_is(&s, 2, "0 s: set gain.k = 5\n2 s: set gain.k = 7\n");
    const hk_diag *d = show_said(&s, HK_NOTE, 0);
    assert_string_equal(d->text,
                        "no random source is active in 'first', the 2 runs will be identical");
    s.options.scenario = "second";
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 1);
    assert_string_equal(s.report->runs[0].scenario, "second");
    show_end(&s);
}

/* ---- what is said before ---- */

/* A window that goes beyond the end is reported, as a whole or in part; one that ends there is not.
 */
static void checked_windows(void **state) {
    (void)state;
    static const struct {
        hk_expectation_kind kind;
        const char *from, *to, *says;
    } cases[] = {
        {HK_ALWAYS, "5", "10", NULL},
        {HK_ALWAYS, "5", "20",
         "the expectation is about the time until 20 s, after the end 10 s: its window is seen in "
         "part only"},
        {HK_ALWAYS, "12", "20", "the expectation is about 12 s, after the end 10 s"},
        {HK_EVENTUALLY, "5", "20", NULL}, /* it may well hold before */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show s;
        show_begin(&s, "1", "10");
        rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
        show_expect(&s, (hk_expectation){.kind = cases[i].kind,
                                         .condition = show_test(&s, "count.y", HK_LESS, 99),
                                         .has_from = true,
                                         .from = rig_seconds(cases[i].from),
                                         .has_to = true,
                                         .to = rig_seconds(cases[i].to)});
        show_ready(&s);
        assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options), HK_OK);
        assert_int_equal(hk_ctx_count(s.r.ctx, HK_WARNING), cases[i].says ? 1 : 0);
        if (cases[i].says)
            assert_string_equal(show_said(&s, HK_WARNING, 0)->text, cases[i].says);
        show_end(&s);
    }
}

static void checked(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1/1000", "1800");
    s.simulation.time_unit = "ms";
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_at(&s, "2700", DO(&s, show_set(&s, "gain.k", "1")));
    show_at(&s, "0.00025", DO(&s, show_set(&s, "gain.k", "1")));
    show_ready(&s);
    assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options), HK_OK);
    const hk_diag *d = show_said(&s, HK_WARNING, 0);
    assert_string_equal(
        d->text, "event at 2700000 ms is after the end 1800000 ms, it never fires; the k stays 1");
    assert_int_equal(d->where.line, 10);
    assert_string_equal(show_said(&s, HK_WARNING, 1)->text,
                        "event at 0.25 ms lies between two steps, it fires at 1 ms");
    s.options.strict = true;
    assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options), HK_E_CHECK_FAILED);
    s.scenarios[0].event_count = 1;
    assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options), HK_E_SCENARIO);
    s.scenarios[0].event_count = 0;

    /* 1 800 001 rows with a time and three numbers. */
    show_log_in(&s, 0, "DronePosition.csv", "0.001", "count.y count.y count.y");
    s.scenarios[0].repetitions = 10;
    assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options), HK_OK);
    assert_string_equal(show_said(&s, HK_NOTE, 0)->text,
                        "'DronePosition.csv' will have 1800001 rows, about 119 MB in each run, "
                        "1188 MB in all");
    show_end(&s);
}

static void refuses(show *s, hk_status code, const char *text) {
    size_t before = hk_ctx_count(s->r.ctx, HK_ERROR);
    assert_int_equal(hk_play_check(s->r.ctx, &s->simulation, &s->options), code);
    assert_string_equal(show_said(s, HK_ERROR, before)->text, text);
    s->scenarios[0].event_count = s->scenarios[0].log_count = 0;
    s->scenarios[0].expectation_count = 0;
    s->options.scenario = NULL;
    s->options.only_run = -1;
}

static void refused(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "10");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_add(&s.r, "dice", &dice_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_ready(&s);
    show_log_in(&s, 0, "a.csv", "3/2", "count.y");
    refuses(&s, HK_E_SCENARIO, "the period 1.5 s of 'a.csv' is not a whole number of steps of 1 s");
    show_log(&s, "count.y");
    show_log(&s, "count.y");
    refuses(&s, HK_E_DUPLICATE, "two logs write 'log.csv'");
    show_at(&s, "1", DO(&s, show_set(&s, "dice.fatal", "1")));
    refuses(&s, HK_E_SCENARIO, "'dice.fatal' cannot be set during the run");
    show_at(&s, "1", DO(&s, show_set(&s, "gain.u", "1")));
    refuses(&s, HK_E_SCENARIO, "'gain.u' cannot be set during the run");
    show_at(&s, "1", DO(&s, show_ramp(&s, "gain.mode", "1", "2")));
    refuses(&s, HK_E_SCENARIO, "'gain.mode' is not a number");
    show_event(&s, (hk_event){.kind = HK_EVERY, .to = {1, 2}, .from = {0, 1}});
    refuses(&s, HK_E_SCENARIO, "the period 0.5 s of the event is shorter than a step");
    s.options.scenario = "frist";
    refuses(&s, HK_E_USAGE, "there is no scenario 'frist'");
    s.options.scenario = "zzzzzzzz"; /* nothing is close */
    refuses(&s, HK_E_USAGE, "there is no scenario 'zzzzzzzz'");
    assert_string_equal(show_said(&s, HK_ERROR, hk_ctx_count(s.r.ctx, HK_ERROR) - 1)->hint,
                        "the simulation has 'first'");
    s.options.only_run = 1;
    refuses(&s, HK_E_USAGE, "there is no run 1");
    show_end(&s);
}

/* A run that breaks a constraint says so, no matter who starts it: here once, before the first run.
 */
static void constraints_are_looked_at(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "4");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    s.scenarios[0].repetitions = 2;
    static uint32_t ends[] = {0, 1};
    static hk_path path = {ends, 2};
    hk_model_add_constraint(s.r.model, (hk_constraint){.kind = HK_LATENCY,
                                                       .paths = &path,
                                                       .path_count = 1,
                                                       .has_max = true,
                                                       .max = rig_seconds("1/2")});
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(hk_ctx_count(s.r.ctx, HK_WARNING), 1);
    const hk_diag *d = show_said(&s, HK_WARNING, 0);
    assert_int_equal(d->code, HK_E_SCHEDULE);
    assert_says(d, "the constraint on ages does not hold");
    show_end(&s);
}

/* A name that is made for a log is the one that another log, or the record, has by itself. */
static void one_file_for_two(void **state) {
    (void)state;
    static const char *const names[] = {"x.first.csv", "x.second.csv", "record.first.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        show s;
        hk_column column = {.name = "count.y", .type = HK_TYPE_F64, .store = HK_STORE_F64};
        show_begin(&s, "1", "2");
        rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
        s.simulation.scenario_count = 2;
        s.options.workers = 1;
        if (strncmp(names[i], "record", 6) == 0)
            s.options.record = (hk_play_record){.columns = &column, .count = 1};
        show_log_in(&s, 0, "x.csv", "1", "count.y");
        show_log_in(&s, 1, "x.csv", "1", "count.y");
        show_log_in(&s, 1, names[i], "1", "count.y");
        show_ready(&s);
        assert_int_equal(show_play(&s), HK_E_SCENARIO);
        assert_int_equal(hk_ctx_count(s.r.ctx, HK_ERROR), 1);
        assert_says(show_said(&s, HK_ERROR, 0), names[i]);
        show_end(&s);
    }
}

/* An interrupt ends the run under way, and no other begins. */
static void interrupted(void **state) {
    (void)state;
    static volatile sig_atomic_t asked = 1;
    for (unsigned n = 1; n <= 2; n++) {
        show s;
        begin_dice(&s, 4);
        s.options.interrupted = &asked;
        s.options.workers = n;
        assert_int_equal(show_play(&s), HK_OK);
        assert_int_equal(s.report->run_count, 0);
        show_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers),          cmocka_unit_test(static_variables),
        cmocka_unit_test(one_of_a_series),  cmocka_unit_test(lost_worker),
        cmocka_unit_test(many_broken),      cmocka_unit_test(logs),
        cmocka_unit_test(one_log),          cmocka_unit_test(scenarios),
        cmocka_unit_test(one_file_for_two), cmocka_unit_test(checked),
        cmocka_unit_test(checked_windows),  cmocka_unit_test(refused),
        cmocka_unit_test(interrupted),      cmocka_unit_test(constraints_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
