/* SPDX-License-Identifier: MIT
 *
 * What a scenario may do to a running simulation: stop and start, faults, values, the hook. All
 * results are computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "rig.h"

#include <math.h>

/* Counts its steps: after the step that ends at t, y is t if it was never stopped. */
typedef struct counter {
    double y;
    uint64_t starts, stops;
} counter;

static int counter_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((counter *)self)->y += 1;
    return HK_STEP_OK;
}

static const hk_port counter_ports[] = {
    HK_PORT(counter, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type counter_type = {HK_UNIT_TYPE(counter), .ports = counter_ports,
                                          .port_count = 1, .step = counter_step};

typedef struct reader {
    double u, sum;
    int64_t whole;
} reader;

static int reader_step(void *self, double t, double h) {
    (void)t, (void)h;
    reader *x = self;
    x->sum += x->u;
    return HK_STEP_OK;
}

static const hk_port reader_ports[] = {
    HK_PORT(reader, u, HK_INPUT, HK_TYPE_F64, .start = "-1"),
    HK_PORT(reader, sum, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(reader, whole, HK_INPUT, HK_TYPE_I64),
};
static const hk_unit_type reader_type = {HK_UNIT_TYPE(reader), .ports = reader_ports,
                                         .port_count = 3, .step = reader_step};

/* A list of things to do at ticks. */
typedef struct plot {
    struct {
        hk_tick at;
        enum { STOP, START, FAULT, CLEAR, END } what;
        uint32_t id;
        hk_fault fault;
    } acts[8];
    size_t count, next;
    hk_tick seen[32];
    size_t calls;
} plot;

static hk_tick act(void *user, hk_sim *sim, hk_tick now) {
    plot *p = user;
    bool changed;
    p->seen[p->calls++] = now;
    for (; p->next < p->count && p->acts[p->next].at <= now; p->next++) {
        uint32_t id = p->acts[p->next].id;
        switch (p->acts[p->next].what) {
        case STOP:
            assert_int_equal(hk_sim_stop_component(sim, id, &changed), HK_OK);
            break;
        case START:
            assert_int_equal(hk_sim_start_component(sim, id, &changed), HK_OK);
            break;
        case FAULT:
            assert_int_equal(hk_sim_add_fault(sim, id, &p->acts[p->next].fault), HK_OK);
            break;
        case CLEAR:
            assert_int_equal(hk_sim_clear_faults(sim, id), HK_OK);
            break;
        case END:
            hk_sim_finish_early(sim, "enough");
        }
    }
    return p->next < p->count ? p->acts[p->next].at : HK_TICK_NEVER;
}

static void play(rig *r, plot *p) {
    r->listener.hook = (hk_hook){act, p, p->count ? p->acts[0].at : HK_TICK_NEVER};
}

static void expect_column(const rig *r, size_t column, const double *values, size_t count) {
    assert_int_equal(r->rows, count);
    for (size_t i = 0; i < count; i++)
        if (rig_f64(r, i, column) != values[i])
            fail_msg("row %zu, column %zu: %g, expected %g", i, column, rig_f64(r, i, column),
                     values[i]);
}

static void stopped_for_a_while(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        rig_begin(&r, "1", "10", NULL);
        rig_add(&r, "a", &counter_type, NULL, NULL);
        rig_add(&r, "b", &reader_type, NULL, NULL);
        rig_add(&r, "c", &counter_type, NULL, NULL);
        rig_connect(&r, "a.y", "b.u");
        rig_record(&r, "a.y");
        rig_record(&r, "b.u");
        rig_record(&r, "c.y");
        plot p = {.acts = {{.at = 3, .what = STOP, .id = 0}, {.at = 6, .what = START, .id = 0}},
                  .count = 2};
        play(&r, &p);
        r.options.threads = threads;
        r.options.threads_always = threads > 1;
        assert_int_equal(rig_run(&r), HK_OK);
        static const double a[] = {0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 7};
        static const double u[] = {0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 6};
        static const double c[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        expect_column(&r, 0, a, 11);
        expect_column(&r, 1, u, 11);
        expect_column(&r, 2, c, 11);
        assert_int_equal(hk_sim_activations(r.sim, 0), 7);
        assert_int_equal(hk_sim_activations(r.sim, 1), 10);
        assert_int_equal(p.calls, 2);
        assert_int_equal(p.seen[0], 3);
        assert_int_equal(p.seen[1], 6);
        rig_end(&r);
    }
}

/* The model says so, and nobody else has to. */
static void inactive_from_the_beginning(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "4", NULL);
    rig_add(&r, "a", &counter_type, NULL, NULL);
    rig_add(&r, "b", &counter_type, NULL, NULL);
    r.model->components[1].inactive = true;
    rig_record(&r, "a.y");
    rig_record(&r, "b.y");
    plot p = {.acts = {{.at = 2, .what = START, .id = 1}}, .count = 1};
    play(&r, &p);
    assert_int_equal(rig_start(&r), HK_OK);
    assert_true(hk_sim_is_active(r.sim, 0));
    assert_false(hk_sim_is_active(r.sim, 1));
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    static const double a[] = {0, 1, 2, 3, 4}, b[] = {0, 0, 0, 1, 2};
    expect_column(&r, 0, a, 5);
    expect_column(&r, 1, b, 5);
    rig_end(&r);
}

/* A delay looks into a past with a gap in it. */
static void stopped_with_a_delay(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "10", NULL);
    rig_add(&r, "a", &counter_type, NULL, NULL);
    rig_add(&r, "b", &reader_type, NULL, NULL);
    rig_connect(&r, "a.y", "b.u")->delay = rig_seconds("2");
    rig_record(&r, "b.u");
    plot p = {.acts = {{.at = 3, .what = STOP, .id = 0}, {.at = 6, .what = START, .id = 0}},
              .count = 2};
    play(&r, &p);
    assert_int_equal(rig_run(&r), HK_OK);
    static const double u[] = {0, 0, 0, 1, 2, 3, 3, 3, 3, 4, 4};
    expect_column(&r, 0, u, 11);
    rig_end(&r);
}

/* One fault on a.y -> b.u from 3 to 8. */
static void check_fault(hk_fault fault, bool shaky, const double *expected) {
    rig r;
    rig_begin(&r, "1", "10", NULL);
    rig_add(&r, "a", &counter_type, NULL, NULL);
    rig_add(&r, "b", &reader_type, NULL, NULL);
    rig_connect(&r, "a.y", "b.u");
    rig_record(&r, "b.u");
    static const uint32_t connection = 0;
    plot p = {.acts = {{.at = 3, .what = FAULT, .id = 0, .fault = fault},
                       {.at = 8, .what = CLEAR, .id = 0}},
              .count = 2};
    play(&r, &p);
    r.options.shaky = &connection;
    r.options.shaky_count = shaky;
    r.past = fault.delay;
    assert_int_equal(rig_run(&r), HK_OK);
    expect_column(&r, 0, expected, 11);
    rig_end(&r);
}

static void faults(void **state) {
    (void)state;
    check_fault((hk_fault){.kind = HK_FAULT_STUCK}, false,
                (const double[]){0, 1, 2, 3, 3, 3, 3, 3, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_STUCK, .has_value = true, .value = 0.25}, false,
                (const double[]){0, 1, 2, .25, .25, .25, .25, .25, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_BIAS, .value = -0.5}, false,
                (const double[]){0, 1, 2, 2.5, 3.5, 4.5, 5.5, 6.5, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_SCALE, .value = 2}, false,
                (const double[]){0, 1, 2, 6, 8, 10, 12, 14, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_QUANTISE, .value = 2}, false,
                (const double[]){0, 1, 2, 4, 4, 6, 6, 8, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DELAY, .delay = {2, 1}}, false,
                (const double[]){0, 1, 2, 1, 2, 3, 4, 5, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DROP, .value = 1}, true,
                (const double[]){0, 1, 2, 2, 2, 2, 2, 2, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DROP, .value = 0}, true,
                (const double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DISCONNECT}, false,
                (const double[]){0, 1, 2, -1, -1, -1, -1, -1, 8, 9, 9});
    hk_stream s = hk_stream_make(0, 0, "a.y -> b.u", "noise");
    double noisy[11] = {0, 1, 2, 0, 0, 0, 0, 0, 8, 9, 9};
    for (int t = 3; t < 8; t++)
        noisy[t] = t + 0.5 * hk_stream_normal(&s, t, 0);
    check_fault((hk_fault){.kind = HK_FAULT_NOISE, .value = 0.5}, false, noisy);
}

/* Several at once, on one of two connections of one producer; integers refuse fractions. */
static void faults_together(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "6", NULL);
    rig_add(&r, "a", &counter_type, NULL, NULL);
    rig_add(&r, "b", &reader_type, NULL, NULL);
    rig_connect(&r, "a.y", "b.u");
    rig_connect(&r, "a.y", "b.whole");
    rig_record(&r, "b.u");
    plot p = {
        .acts = {{.at = 2, .what = FAULT, .id = 0, .fault = {.kind = HK_FAULT_SCALE, .value = 3}},
                 {.at = 2, .what = FAULT, .id = 0, .fault = {.kind = HK_FAULT_BIAS, .value = 1}},
                 {.at = 4, .what = FAULT, .id = 1, .fault = {.kind = HK_FAULT_BIAS, .value = .5}}},
        .count = 3};
    play(&r, &p);
    assert_int_equal(rig_run(&r), HK_E_CONVERSION);
    assert_says(rig_error(&r), "a value does not fit the Int64 input at t = 4 s");
    static const double u[] = {0, 1, 7, 10};
    expect_column(&r, 0, u, 4);
    rig_end(&r);
}

typedef struct observer {
    double at[16];
    size_t count;
    uint32_t component;
} observer;

static hk_tick observe(void *user, hk_sim *sim, hk_tick now) {
    observer *o = user;
    assert_true(hk_sim_value_f64(sim, o->component, 0, 0, &o->at[o->count++]));
    return now + 1;
}

/* What holds now: a step of two seconds holds when it ends, and not before. */
static void values_that_hold(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "6", NULL);
    uint32_t slow = rig_add(&r, "slow", &counter_type, "2", NULL);
    rig_add(&r, "quick", &counter_type, "1", NULL);
    rig_record(&r, "quick.y");
    observer o = {.component = slow};
    const hk_signal signal = {slow, 0, 0, NULL};
    r.listener.hook = (hk_hook){observe, &o, 0};
    r.options.observed = &signal;
    r.options.observed_count = 1;
    assert_int_equal(rig_run(&r), HK_OK);
    static const double held[] = {0, 0, 1, 1, 2, 2, 3};
    assert_int_equal(o.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_exactly(o.at[i], held[i]);
    rig_end(&r);
}

static void ended_by_the_scenario(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "10", NULL);
    rig_add(&r, "a", &counter_type, NULL, NULL);
    rig_record(&r, "a.y");
    plot p = {.acts = {{.at = 4, .what = END}}, .count = 1};
    play(&r, &p);
    assert_int_equal(rig_run(&r), HK_OK);
    assert_string_equal(hk_sim_end_reason(r.sim), "enough");
    static const double y[] = {0, 1, 2, 3, 4};
    expect_column(&r, 0, y, 5);
    rig_end(&r);
}

/* A state in memory knows who was stopped. */
static void saved_while_stopped(void **state) {
    (void)state;
    rig r;
    bool changed;
    hk_snapshot *s = NULL;
    rig_begin(&r, "1", "10", NULL);
    uint32_t a = rig_add(&r, "a", &counter_type, NULL, NULL);
    rig_record(&r, "a.y");
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 3), HK_OK);
    assert_int_equal(hk_sim_stop_component(r.sim, a, &changed), HK_OK);
    assert_true(changed);
    assert_int_equal(hk_sim_stop_component(r.sim, a, &changed), HK_OK);
    assert_false(changed);
    assert_int_equal(hk_sim_save(r.sim, &s), HK_OK);
    assert_int_equal(hk_sim_start_component(r.sim, a, &changed), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 6), HK_OK);
    assert_int_equal(hk_sim_restore(r.sim, s), HK_OK);
    assert_false(hk_sim_is_active(r.sim, a));
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    assert_exactly(rig_f64(&r, r.rows - 1, 0), 3);
    hk_snapshot_destroy(r.sim, s);
    rig_end(&r);
}

/* ---- services ---- */

typedef struct source {
    double (*value)(void *self, double factor);
} source;

typedef struct giver {
    double level;
    uint64_t asked;
} giver;

static double giver_value(void *self, double factor) {
    giver *x = self;
    x->asked++;
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
    HK_PORT(giver, level, HK_PARAMETER, HK_TYPE_F64, .start = "1", .tunable = true)};
static const hk_unit_type giver_type = {
    HK_UNIT_TYPE(giver), .ports = giver_ports,       .port_count = 1,
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

/* asker, one, two; both may provide. */
static void begin_services(rig *r, bool bind_one) {
    rig_begin(r, "1", "6", NULL);
    uint32_t asks = rig_add(r, "asker", &asker_type, NULL, NULL);
    uint32_t one = rig_add(r, "one", &giver_type, NULL, NULL);
    uint32_t two = rig_add(r, "two", &giver_type, NULL, NULL);
    rig_set(r, "two.level", "2");
    rig_record(r, "asker.got");
    hk_requirement q = {.component = asks, .bound = bind_one ? 0 : HK_MAP_NONE};
    q.candidates = HK_NEW_ARRAY(r->model->arena, hk_provider, 2);
    q.candidates[0] = (hk_provider){one, 0};
    q.candidates[1] = (hk_provider){two, 0};
    q.candidate_count = 2;
    HK_PUSH(r->model->requirements, r->model->requirement_count, r->model->requirement_cap, q);
}

static hk_tick rebind(void *user, hk_sim *sim, hk_tick now) {
    (void)user;
    double factor = 3, result = 0;
    const void *arguments[] = {&factor};
    assert_int_equal(now, 3);
    assert_int_equal(hk_sim_bind(sim, 0, 0, 2, 0), HK_OK);
    assert_int_equal(hk_sim_call(sim, 2, 0, 0, arguments, &result), HK_OK);
    assert_exactly(result, 6);
    return HK_TICK_NEVER;
}

static void services(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        begin_services(&r, true);
        r.bind_any = true;
        r.listener.hook = (hk_hook){rebind, NULL, 3};
        r.options.threads = threads;
        r.options.threads_always = threads > 1;
        assert_int_equal(rig_run(&r), HK_OK);
        static const double got[] = {0, 10, 10, 10, 20, 20, 20};
        expect_column(&r, 0, got, 7);
        assert_true(r.plan->components[0].level > r.plan->components[1].level);
        rig_end(&r);
    }
}

static void services_not_bound(void **state) {
    (void)state;
    rig r;
    begin_services(&r, false);
    assert_int_equal(rig_run(&r), HK_E_SERVICE);
    assert_says(rig_error(&r), "'asker.from' has 2 providers, bind one");
    rig_end(&r);
}

static void stopped_provider(void **state) {
    (void)state;
    rig r;
    begin_services(&r, true);
    plot p = {.acts = {{.at = 3, .what = STOP, .id = 1}}, .count = 1};
    play(&r, &p);
    assert_int_equal(rig_run(&r), HK_E_STOPPED_PROVIDER);
    assert_says(rig_error(&r), "'asker.from' called 'one', which is stopped");
    rig_end(&r);
}

static void cut_service(void **state) {
    (void)state;
    rig r;
    uint32_t a, b;
    begin_services(&r, true);
    r.bind_any = true;
    assert_int_equal(hk_model_add_processor(r.ctx, r.model, "left", HK_NOWHERE, &a), HK_OK);
    assert_int_equal(hk_model_add_processor(r.ctx, r.model, "right", HK_NOWHERE, &b), HK_OK);
    assert_int_equal(hk_model_assign(r.ctx, r.model, a, 0, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_model_assign(r.ctx, r.model, a, 1, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_model_assign(r.ctx, r.model, b, 2, HK_NOWHERE), HK_OK);
    assert_int_equal(rig_run(&r), HK_E_SERVICE);
    assert_says(rig_error(&r), "the partition cuts a service: 'asker.from' on 'left' calls "
                               "'two.out' on 'right'");
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_for_a_while),
        cmocka_unit_test(inactive_from_the_beginning),
        cmocka_unit_test(stopped_with_a_delay),
        cmocka_unit_test(faults),
        cmocka_unit_test(faults_together),
        cmocka_unit_test(values_that_hold),
        cmocka_unit_test(ended_by_the_scenario),
        cmocka_unit_test(saved_while_stopped),
        cmocka_unit_test(services),
        cmocka_unit_test(services_not_bound),
        cmocka_unit_test(stopped_provider),
        cmocka_unit_test(cut_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
