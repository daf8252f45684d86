/* SPDX-License-Identifier: MIT
 *
 * Each kind of event and action, with results computed by hand. A step that ends at t shows at t,
 * so what an event at t changes shows at t + 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show.h"

/* count.y = t, and gain.u = count.y one step earlier. */
static void begin(show *s, const char *stop) {
    show_begin(s, "1", stop);
    rig_add(&s->r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s->r, "gain", &show_gain_type, NULL, NULL);
}

static void play(show *s) {
    show_ready(s);
    assert_int_equal(show_play(s), HK_OK);
    assert_int_equal(s->report->run_count, 1);
    assert_int_equal(s->report->runs[0].status, HK_OK);
    assert_true(s->report->all_held);
}

/* gain.u is -1: gain.y = whole - k. */
static void values_at_instants(void **state) {
    (void)state;
    show s;
    begin(&s, "6");
    show_log(&s, "gain.y gain.k");
    s.simulation.begin = DO(&s, show_set(&s, "gain.k", "3"), show_set(&s, "gain.whole", "1"));
    s.scenarios[0].begin = DO(&s, show_set(&s, "gain.k", "4"));
    show_at(&s, "2", DO(&s, show_set(&s, "gain.k", "5"), show_set(&s, "gain.k", "6")));
    show_at(&s, "2", DO(&s, show_set(&s, "gain.k", "7")));
    show_at(&s, "3.5", DO(&s, show_set(&s, "gain.k", "8")));
    play(&s);
    COLUMN_IS(&s, 1, 0, -3, -3, -6, -6, -7, -7);
    COLUMN_IS(&s, 2, 4, 4, 7, 7, 8, 8, 8);
    show_trace_is(&s, 0,
                  "0 s: set gain.k = 3\n0 s: set gain.whole = 1\n0 s: set gain.k = 4\n"
                  "2 s: set gain.k = 5\n2 s: set gain.k = 6\n2 s: set gain.k = 7\n"
                  "4 s: set gain.k = 8\n");
    const hk_diag *d = show_said(&s, HK_WARNING, 0);
    assert_string_equal(d->text, "event at 3.5 s lies between two steps, it fires at 4 s");
    assert_int_equal(d->where.line, 12);
    show_end(&s);
}

static void every_other_second(void **state) {
    (void)state;
    show s;
    begin(&s, "8");
    show_log(&s, "gain.k");
    show_event(&s, (hk_event){.kind = HK_EVERY,
                              .from = rig_seconds("1"),
                              .to = rig_seconds("3"),
                              .actions = DO(&s, show_set(&s, "gain.k", "1"))});
    show_event(&s, (hk_event){.kind = HK_EVERY,
                              .from = rig_seconds("2"),
                              .to = rig_seconds("3/2"),
                              .actions = DO(&s, show_set(&s, "gain.k", "5"))});
    play(&s);
    /* The second at 2, 3.5, 5, 6.5: steps 2, 4, 5, 7; at 4 and 7 it comes after the first. At 8,
     * the end, no step follows and nothing happens. */
    COLUMN_IS(&s, 1, 2, 1, 5, 5, 5, 5, 5, 5, 5);
    show_trace_is(&s, 0,
                  "1 s: set gain.k = 1\n2 s: set gain.k = 5\n4 s: set gain.k = 1\n"
                  "4 s: set gain.k = 5\n5 s: set gain.k = 5\n7 s: set gain.k = 1\n"
                  "7 s: set gain.k = 5\n");
    show_end(&s);
}

/* A sawtooth: count.y is t until gain stops it from growing ... here simply t; thresholds on t. */
static void when_it_becomes_true(void **state) {
    (void)state;
    show s;
    begin(&s, "9");
    show_log(&s, "count.y");
    uint32_t count = 0;
    show_event(&s, (hk_event){.kind = HK_WHEN,
                              .condition = show_test(&s, "count.y", HK_GREATER_EQUAL, 4),
                              .actions = DO(&s, show_activity(&s, HK_ACTION_STOP, count))});
    show_at(&s, "7", DO(&s, show_activity(&s, HK_ACTION_START, count)));
    play(&s);
    /* Fires once: the condition stays true. */
    COLUMN_IS(&s, 1, 0, 1, 2, 3, 4, 4, 4, 4, 5, 6);
    show_trace_is(&s, 0, "4 s: stop count\n7 s: start count\n");
    assert_int_equal(s.report->runs[0].activations[0], 6);
    assert_int_equal(s.report->runs[0].activations[1], 9);
    show_end(&s);
}

/* A wave: y = 0 1 2 3 2 1 0 1 2 3 ... of period 6. */
typedef struct wave {
    double y;
    int64_t n;
} wave;

static int wave_step(void *self, double t, double h) {
    (void)t, (void)h;
    wave *w = self;
    w->n = (w->n + 1) % 6;
    w->y = (double)(w->n <= 3 ? w->n : 6 - w->n);
    return HK_STEP_OK;
}

static const hk_port wave_ports[] = {HK_PORT(wave, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type wave_type = {HK_UNIT_TYPE(wave), .ports = wave_ports, .port_count = 1,
                                       .step = wave_step};

static void when_with_hysteresis(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "18");
    rig_add(&s.r, "wave", &wave_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    hk_actions mark = DO(&s, show_set(&s, "gain.k", "1"));
    hk_event e = {.kind = HK_WHEN, .condition = show_test(&s, "wave.y", HK_GREATER, 1.5)};
    e.actions = mark;
    show_event(&s, e); /* at 2, 8, 14 */
    e.once = true;
    e.actions = DO(&s, show_set(&s, "gain.k", "2"));
    show_event(&s, e); /* at 2 */
    e.once = false;
    e.until = show_test(&s, "wave.y", HK_LESS, -1);
    e.actions = DO(&s, show_set(&s, "gain.k", "3"));
    show_event(&s, e); /* never armed again: at 2 */
    e.until = show_test(&s, "wave.y", HK_LESS, 0.5);
    e.actions = DO(&s, show_set(&s, "gain.k", "4"));
    show_event(&s, e); /* as the first */
    show_log(&s, "wave.y");
    play(&s);
    show_trace_is(&s, 0,
                  "2 s: set gain.k = 1\n2 s: set gain.k = 2\n2 s: set gain.k = 3\n"
                  "2 s: set gain.k = 4\n8 s: set gain.k = 1\n8 s: set gain.k = 4\n"
                  "14 s: set gain.k = 1\n14 s: set gain.k = 4\n");
    show_end(&s);
}

/* Conditions are looked at at every step, no matter who is activated there, and see what holds. */
static void when_on_the_grid(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1/2", "8");
    rig_add(&s.r, "slow", &show_counter_type, "2", NULL);
    rig_add(&s.r, "gain", &show_gain_type, "2", NULL);
    hk_event e = {.kind = HK_WHEN, .condition = show_test(&s, "slow.y", HK_EQUAL, 2)};
    e.actions = DO(&s, show_set(&s, "gain.k", "1"));
    show_event(&s, e);
    /* Its own edge is seen half a second later. */
    e.condition = show_test(&s, "gain.k", HK_EQUAL, 9);
    e.actions = DO(&s, show_set(&s, "gain.whole", "1"));
    show_event(&s, e);
    show_at(&s, "1/2", DO(&s, show_set(&s, "gain.k", "9")));
    play(&s);
    show_trace_is(&s, 0, "0.5 s: set gain.k = 9\n1 s: set gain.whole = 1\n4 s: set gain.k = 1\n");
    show_end(&s);
}

static void during_puts_back(void **state) {
    (void)state;
    show s;
    begin(&s, "12");
    rig_connect(&s.r, "count.y", "gain.u");
    show_log(&s, "gain.k gain.whole count.y gain.u gain.mode");
    s.scenarios[0].begin = DO(&s, show_set(&s, "gain.whole", "7"));
    show_during(&s, "2", "5",
                DO(&s, show_set(&s, "gain.k", "3"), show_set(&s, "gain.whole", "8"),
                   show_set(&s, "gain.k", "4"), show_set(&s, "gain.mode", "wild"),
                   show_activity(&s, HK_ACTION_STOP, 0),
                   show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_BIAS, .value = 100})));
    show_at(&s, "5", DO(&s, show_set(&s, "gain.whole", "9")));
    play(&s);
    COLUMN_IS(&s, 1, 2, 2, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2);
    COLUMN_IS(&s, 2, 7, 7, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9);
    COLUMN_IS(&s, 3, 0, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9);
    COLUMN_IS(&s, 4, 0, 1, 102, 102, 102, 2, 3, 4, 5, 6, 7, 8, 8);
    const char *text = show_file(&s, "log.csv");
    assert_non_null(strstr(text, "\n1,2,7,1,1,calm\n2,4,8,2,102,wild\n"));
    assert_non_null(strstr(text, "\n4,4,8,2,102,wild\n5,2,9,2,2,calm\n"));
    assert_non_null(strstr(s.report->runs[0].trace[7], "5 s: undo bias"));
    show_end(&s);
}

/* Who ends puts back what it has found. */
static void overlapping_durings(void **state) {
    (void)state;
    show s;
    begin(&s, "10");
    show_log(&s, "gain.k gain.whole");
    show_during(&s, "1", "5", DO(&s, show_set(&s, "gain.k", "11")));
    show_during(&s, "3", "7", DO(&s, show_set(&s, "gain.k", "22")));
    show_during(&s, "1", "8", DO(&s, show_set(&s, "gain.whole", "1")));
    show_during(&s, "3", "5", DO(&s, show_set(&s, "gain.whole", "2")));
    play(&s);
    COLUMN_IS(&s, 1, 2, 11, 11, 22, 22, 22, 22, 2, 2, 2, 2);
    COLUMN_IS(&s, 2, 0, 1, 1, 2, 2, 1, 1, 1, 0, 0, 0);
    show_end(&s);
}

/* The same for components and for faults, which are put back kind by kind. */
static void overlapping_stops_and_faults(void **state) {
    (void)state;
    show s;
    begin(&s, "9");
    rig_connect(&s.r, "count.y", "gain.u");
    rig_add(&s.r, "third", &show_counter_type, NULL, NULL);
    show_log(&s, "gain.u third.y");
    hk_fault bias = {.kind = HK_FAULT_BIAS, .value = 10}, more = bias;
    more.value = 20;
    hk_fault scale = {.kind = HK_FAULT_SCALE, .value = 2};
    hk_action stop = show_activity(&s, HK_ACTION_STOP, 2);
    show_during(&s, "2", "5", DO(&s, show_fault(&s, 0, bias), stop));
    show_during(&s, "3", "7", DO(&s, show_fault(&s, 0, more), stop));
    show_during(&s, "4", "6", DO(&s, show_fault(&s, 0, scale)));
    s.options.strict = true;
    play(&s);
    COLUMN_IS(&s, 1, 0, 1, 12, 23, 28, 30, 26, 7, 8, 8);
    COLUMN_IS(&s, 2, 0, 1, 2, 2, 2, 2, 2, 2, 3, 4);
    show_end(&s);
}

/* A fault that was there before a DURING is there after it, as it was. */
static void during_on_a_fault(void **state) {
    (void)state;
    show s;
    begin(&s, "9");
    rig_connect(&s.r, "count.y", "gain.u");
    show_log(&s, "gain.u");
    hk_fault bias = {.kind = HK_FAULT_BIAS, .value = 10};
    show_at(&s, "1", DO(&s, show_fault(&s, 0, bias)));
    bias.value = 20;
    show_during(&s, "3", "5",
                DO(&s, show_fault(&s, 0, bias),
                   show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_SCALE, .value = 2})));
    hk_action repair = show_fault(&s, 0, bias);
    repair.kind = HK_ACTION_REPAIR;
    show_during(&s, "6", "7", DO(&s, repair));
    show_at(&s, "8", DO(&s, repair));
    play(&s);
    COLUMN_IS(&s, 1, 0, 11, 12, 26, 28, 15, 6, 17, 8, 8);
    show_end(&s);
}

static void ramps(void **state) {
    (void)state;
    show s;
    begin(&s, "12");
    show_log(&s, "gain.k gain.whole");
    show_at(&s, "1", DO(&s, show_ramp(&s, "gain.k", "10", "4")));
    show_at(&s, "1", DO(&s, show_ramp(&s, "gain.whole", "3", "2")));
    show_at(&s, "6", DO(&s, show_ramp(&s, "gain.k", "0", "5")));
    show_at(&s, "8", DO(&s, show_set(&s, "gain.k", "1"))); /* ends the ramp */
    show_during(&s, "9", "11", DO(&s, show_ramp(&s, "gain.k", "5", "4")));
    play(&s);
    COLUMN_IS(&s, 1, 2, 2, 4, 6, 8, 10, 10, 8, 1, 1, 2, 1, 1);
    COLUMN_IS(&s, 2, 0, 0, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3); /* 1.5 is rounded */
    show_end(&s);
}

static void a_ramp_from_the_beginning(void **state) {
    (void)state;
    show s;
    begin(&s, "4");
    show_log(&s, "gain.k");
    s.scenarios[0].begin = DO(&s, show_ramp(&s, "gain.k", "4", "2"));
    play(&s);
    COLUMN_IS(&s, 1, 2, 3, 4, 4, 4);
    show_end(&s);
}

/* Those who share a parameter get it all, in their own units. */
static void shared_parameters(void **state) {
    (void)state;
    show s;
    begin(&s, "6");
    rig_add(&s.r, "other", &show_gain_type, NULL, NULL);
    show_log(&s, "gain.k other.k");
    static const hk_branch branch = {
        .component = 2,
        .variable = 1,
        .transform = {.kind = HK_TRANSFORM_LINEAR, .factor = 10, .offset = 1}};
    hk_shared shared = {.component = 1, .variable = 1, .others = &branch};
    HK_PUSH(s.r.model->shared, s.r.model->shared_count, s.r.model->shared_cap, shared);
    s.scenarios[0].begin = DO(&s, show_set(&s, "gain.k", "3"));
    show_at(&s, "1", DO(&s, show_set(&s, "gain.k", "4")));
    show_at(&s, "2", DO(&s, show_set(&s, "other.k", "61")));
    show_during(&s, "3", "4", DO(&s, show_set(&s, "gain.k", "7")));
    play(&s);
    COLUMN_IS(&s, 1, 3, 4, 6, 7, 6, 6, 6);
    COLUMN_IS(&s, 2, 31, 41, 61, 71, 61, 61, 61);
    show_end(&s);
}

static void activity(void **state) {
    (void)state;
    show s;
    begin(&s, "6");
    rig_add(&s.r, "third", &show_counter_type, NULL, NULL);
    s.r.model->components[2].inactive = true;
    show_log(&s, "count.y third.y");
    s.scenarios[0].begin = DO(&s, show_activity(&s, HK_ACTION_STOP, 0));
    show_at(&s, "2", DO(&s, show_activity(&s, HK_ACTION_START, 0)));
    show_at(&s, "3", DO(&s, show_activity(&s, HK_ACTION_START, 0)));
    show_at(&s, "4", DO(&s, show_activity(&s, HK_ACTION_START, 2)));
    play(&s);
    COLUMN_IS(&s, 1, 0, 0, 0, 1, 2, 3, 4);
    COLUMN_IS(&s, 2, 0, 0, 0, 0, 0, 1, 2);
    const hk_diag *d = show_said(&s, HK_WARNING, 0);
    assert_string_equal(d->text,
                        "'start count' at 3 s changes nothing: the component is running already");
    s.options.strict = true;
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->runs[0].status, HK_E_SCENARIO);
    assert_false(s.report->all_held);
    show_end(&s);
}

static void ended_by_the_scenario(void **state) {
    (void)state;
    show s;
    begin(&s, "10");
    show_log_in(&s, 0, "log.csv", "2", "count.y");
    show_event(&s, (hk_event){.kind = HK_WHEN,
                              .condition = show_test(&s, "count.y", HK_GREATER, 4.5),
                              .actions = DO(&s, {.kind = HK_ACTION_FINISH, .text = "enough"})});
    play(&s);
    assert_string_equal(s.report->runs[0].end_reason, "enough");
    assert_true(s.report->runs[0].seconds_simulated == 5);
    COLUMN_IS(&s, 1, 0, 2, 4); /* no row at 5 */
    show_end(&s);
}

/* ---- services ---- */

typedef struct source {
    double (*value)(void *self, double factor);
} source;

typedef struct giver {
    double level, asked;
} giver;

static double giver_value(void *self, double factor) {
    giver *x = self;
    x->asked += 1;
    return x->level * factor;
}

static int giver_step(void *self, double t, double h) {
    (void)self, (void)t, (void)h;
    return HK_STEP_OK;
}

static double stopped_value(void *self, double factor) {
    (void)factor;
    hk_service_stopped(self);
    return 0;
}

static void call_value(const void *functions, void *self, const void *const *arguments,
                       void *result) {
    const source *f = functions;
    double value = f->value(self, *(const double *)arguments[0]);
    memcpy(result, &value, sizeof value);
}

static const hk_field f64_field = {.name = "", .type = HK_TYPE_F64};
static const hk_argument factor_argument = {"factor", sizeof(double), &f64_field, 1};
static const hk_argument value_result = {"", sizeof(double), &f64_field, 1};
static const hk_function source_functions[] = {
    {"value", &factor_argument, 1, &value_result, call_value}};
static const source source_stopped = {stopped_value};
static const hk_interface source_interface = {"test.Source", "double value(double factor)",
                                              source_functions, 1, &source_stopped};
static const source giver_source = {giver_value};
static const hk_service giver_services[] = {{"out", &source_interface, &giver_source, 0}};
static const hk_port giver_ports[] = {
    HK_PORT(giver, level, HK_PARAMETER, HK_TYPE_F64, .start = "1", .tunable = true),
    HK_PORT(giver, asked, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type giver_type = {
    HK_UNIT_TYPE(giver), .ports = giver_ports,       .port_count = 2,
    .step = giver_step,  .services = giver_services, .service_count = 1};

typedef struct asker {
    struct {
        void *self;
        const source *functions;
    } from;
    double got;
} asker;

static int asker_step(void *self, double t, double h) {
    (void)t, (void)h;
    asker *x = self;
    x->got = x->from.functions->value(x->from.self, 10);
    return HK_STEP_OK;
}

static const hk_service asker_services[] = {
    {"from", &source_interface, NULL, offsetof(asker, from)}};
static const hk_port asker_ports[] = {
    HK_PORT(asker, got, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type asker_type = {
    HK_UNIT_TYPE(asker), .ports = asker_ports,       .port_count = 1,
    .step = asker_step,  .services = asker_services, .service_count = 1};

static void begin_services(show *s) {
    show_begin(s, "1", "8");
    uint32_t asks = rig_add(&s->r, "asker", &asker_type, NULL, NULL);
    uint32_t one = rig_add(&s->r, "one", &giver_type, NULL, NULL);
    uint32_t two = rig_add(&s->r, "two", &giver_type, NULL, NULL);
    rig_set(&s->r, "two.level", "2");
    hk_requirement q = {.component = asks, .bound = HK_MAP_NONE};
    q.candidates = HK_NEW_ARRAY(s->r.model->arena, hk_provider, 2);
    q.candidates[0] = (hk_provider){one, 0};
    q.candidates[1] = (hk_provider){two, 0};
    q.candidate_count = 2;
    HK_PUSH(s->r.model->requirements, s->r.model->requirement_count, s->r.model->requirement_cap,
            q);
}

static void bindings_and_calls(void **state) {
    (void)state;
    show s;
    begin_services(&s);
    show_log(&s, "asker.got one.asked two.asked");
    hk_action to_one = {.kind = HK_ACTION_BIND, .provider = 1, .words = "bind one"};
    hk_action to_two = {.kind = HK_ACTION_BIND, .provider = 2, .words = "bind two"};
    static const double factor = 3;
    static const void *const arguments[] = {&factor};
    hk_action ask = {.kind = HK_ACTION_CALL, .component = 2, .arguments = arguments};
    s.scenarios[0].begin = DO(&s, to_one, ask);
    show_during(&s, "2", "4", DO(&s, to_two));
    show_at(&s, "5", DO(&s, ask, ask));
    s.scenarios[0].end = DO(&s, ask);
    play(&s);
    COLUMN_IS(&s, 1, 0, 10, 10, 20, 20, 10, 10, 10, 10);
    COLUMN_IS(&s, 2, 0, 1, 2, 2, 2, 3, 4, 5, 6);
    assert_int_equal(s.report->runs[0].trace_count, 7);
    show_end(&s);
}

static void nothing_is_bound(void **state) {
    (void)state;
    show s;
    begin_services(&s);
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_E_SERVICE);
    assert_string_equal(show_said(&s, HK_ERROR, 0)->text,
                        "'asker.from' has 2 providers, and none is bound in scenario 'first'");
    show_end(&s);
}

/* Calls of a stopped component fail the run, not the series. */
static void stopped_provider(void **state) {
    (void)state;
    show s;
    begin_services(&s);
    s.r.model->requirements[0].bound = 0;
    s.scenarios[0].repetitions = 2;
    show_at(&s, "3", DO(&s, show_activity(&s, HK_ACTION_STOP, 1)));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->run_count, 2);
    assert_int_equal(s.report->runs[0].status, HK_E_STOPPED_PROVIDER);
    assert_int_equal(s.report->runs[1].status, HK_E_STOPPED_PROVIDER);
    assert_false(s.report->all_held);
    show_end(&s);
}

/* What the scenario itself calls is found before the run, if it is stopped for certain. */
enum { BEGIN, AT_TWO, AT_FOUR, LATE, WHEN, DURING, EVERY, END, PLACES };

typedef struct stops {
    bool stop[PLACES], start[PLACES], call[PLACES];
    bool finish;        /* a condition may end the run */
    bool finish_at_two; /* it ends there */
    hk_status status;
    bool may; /* it is said that it may happen */
} stops;

static hk_actions stops_at(show *s, const stops *c, int place) {
    static const double factor = 3;
    static const void *const arguments[] = {&factor};
    hk_action all[4];
    size_t n = 0;
    if (c->stop[place])
        all[n++] = show_activity(s, HK_ACTION_STOP, 2);
    if (c->start[place])
        all[n++] = show_activity(s, HK_ACTION_START, 2);
    if (c->call[place])
        all[n++] = (hk_action){.kind = HK_ACTION_CALL, .component = 2, .arguments = arguments};
    if (place == AT_TWO && c->finish_at_two)
        all[n++] = (hk_action){.kind = HK_ACTION_FINISH};
    return show_actions(s, n, all);
}

static void check_stops(const stops *c, size_t index) {
    show s;
    begin_services(&s);
    s.r.model->requirements[0].bound = 0;
    hk_event rare = {.kind = HK_WHEN,
                     .condition = show_test(&s, "one.asked", HK_GREATER, 900),
                     .actions = stops_at(&s, c, WHEN)};
    s.scenarios[0].begin = stops_at(&s, c, BEGIN);
    show_at(&s, "4", stops_at(&s, c, AT_FOUR)); /* the text has another order than the time */
    show_at(&s, "2", stops_at(&s, c, AT_TWO));
    show_at(&s, "200", stops_at(&s, c, LATE));
    show_event(&s, rare);
    show_event(&s, (hk_event){.kind = HK_DURING,
                              .from = rig_seconds("1"),
                              .to = rig_seconds("3"),
                              .actions = stops_at(&s, c, DURING)});
    show_event(&s, (hk_event){.kind = HK_EVERY,
                              .from = rig_seconds("1"),
                              .to = rig_seconds("2"),
                              .actions = stops_at(&s, c, EVERY)});
    rare.actions = DO(&s, {.kind = HK_ACTION_FINISH});
    if (c->finish)
        show_event(&s, rare);
    s.scenarios[0].end = stops_at(&s, c, END);
    show_ready(&s);
    hk_ctx_clear(s.r.ctx);
    hk_status status = hk_play_check(s.r.ctx, &s.simulation, &s.options);
    if (status != c->status)
        fail_msg("case %zu gives %d", index, (int)status);
    bool may = false;
    for (size_t i = 0; i < hk_ctx_count(s.r.ctx, HK_WARNING); i++)
        may = may || strstr(hk_ctx_diag(s.r.ctx, i)->text, "may be called while it is stopped");
    if (may != c->may)
        fail_msg("case %zu: %s", index, may ? "it may happen" : "nothing is said");
    s.options.allow_stopped = true;
    assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options), HK_OK);
    show_end(&s);
}

static void calls_of_stopped(void **state) {
    (void)state;
    const hk_status found = HK_E_STOPPED_PROVIDER;
    const stops cases[] = {
        {.stop[BEGIN] = true, .call[END] = true, .status = found},
        {.stop[BEGIN] = true, .call[AT_TWO] = true, .status = found},
        {.stop[BEGIN] = true, .call[BEGIN] = true, .status = found},
        {.stop[AT_TWO] = true, .call[AT_TWO] = true, .status = found},
        {.stop[AT_TWO] = true, .call[END] = true, .status = found},
        /* It may run by then, or the stop may not come. */
        {.stop[BEGIN] = true, .start[AT_TWO] = true, .call[END] = true},
        {.stop[BEGIN] = true, .start[END] = true, .call[END] = true},
        {.stop[BEGIN] = true, .call[LATE] = true},
        {.stop[LATE] = true, .call[END] = true},
        {.stop[AT_TWO] = true, .call[END] = true, .finish = true},
        {.stop[WHEN] = true, .call[END] = true},
        {.stop[BEGIN] = true},
        /* From one instant to a later one, whatever the order of the text. */
        {.stop[AT_TWO] = true, .call[AT_FOUR] = true, .status = found},
        {.stop[AT_FOUR] = true, .call[AT_TWO] = true},
        {.stop[BEGIN] = true, .start[AT_TWO] = true, .call[AT_FOUR] = true},
        {.stop[BEGIN] = true, .start[AT_FOUR] = true, .call[AT_TWO] = true, .status = found},
        {.stop[BEGIN] = true,
         .start[AT_TWO] = true,
         .stop[AT_FOUR] = true,
         .call[END] = true,
         .status = found},
        {.stop[AT_TWO] = true, .finish_at_two = true, .call[AT_FOUR] = true},
        {.stop[BEGIN] = true,
         .start[AT_FOUR] = true,
         .finish_at_two = true,
         .call[END] = true,
         .status = found},
        /* A window puts back what it found. */
        {.stop[DURING] = true, .call[AT_TWO] = true, .status = found},
        {.stop[DURING] = true, .call[AT_FOUR] = true},
        {.stop[BEGIN] = true, .start[DURING] = true, .call[AT_TWO] = true},
        {.stop[BEGIN] = true, .start[DURING] = true, .call[AT_FOUR] = true, .status = found},
        {.stop[DURING] = true, .start[AT_TWO] = true, .call[AT_FOUR] = true},
        /* Again and again: at 1, 3, 5 s. */
        {.stop[AT_TWO] = true, .call[EVERY] = true, .status = found},
        {.stop[AT_TWO] = true, .start[AT_FOUR] = true, .call[EVERY] = true, .status = found},
        {.stop[BEGIN] = true, .start[EVERY] = true, .call[EVERY] = true, .call[AT_FOUR] = true},
        {.stop[LATE] = true, .call[EVERY] = true},
        /* Nobody knows when: it may happen, or it is not known at all. */
        {.stop[BEGIN] = true, .call[WHEN] = true, .may = true},
        {.stop[AT_TWO] = true, .call[WHEN] = true, .may = true},
        {.stop[AT_TWO] = true, .start[AT_FOUR] = true, .call[WHEN] = true},
        {.stop[AT_TWO] = true, .start[WHEN] = true, .call[AT_FOUR] = true},
        {.stop[WHEN] = true, .call[AT_FOUR] = true},
        {.stop[AT_TWO] = true, .call[AT_FOUR] = true, .finish = true, .may = true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_stops(&cases[i], i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_at_instants),
        cmocka_unit_test(every_other_second),
        cmocka_unit_test(when_it_becomes_true),
        cmocka_unit_test(when_with_hysteresis),
        cmocka_unit_test(when_on_the_grid),
        cmocka_unit_test(during_puts_back),
        cmocka_unit_test(overlapping_durings),
        cmocka_unit_test(overlapping_stops_and_faults),
        cmocka_unit_test(during_on_a_fault),
        cmocka_unit_test(ramps),
        cmocka_unit_test(a_ramp_from_the_beginning),
        cmocka_unit_test(shared_parameters),
        cmocka_unit_test(activity),
        cmocka_unit_test(ended_by_the_scenario),
        cmocka_unit_test(bindings_and_calls),
        cmocka_unit_test(nothing_is_bound),
        cmocka_unit_test(stopped_provider),
        cmocka_unit_test(calls_of_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
