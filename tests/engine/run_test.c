/* SPDX-License-Identifier: MIT
 *
 * Runs of small systems whose every value is known beforehand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "rig.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Counts its activations, keeps what it was told, and adds h * u to y. */
typedef struct counter {
    double u, y, t, h;
    uint64_t k;
} counter;

static int counter_step(void *self, double t, double h) {
    counter *c = self;
    c->k++;
    c->t = t;
    c->h = h;
    c->y += h * c->u;
    return HK_STEP_OK;
}

#define COUNTER_PORTS                                                                              \
    HK_PORT(counter, u, HK_INPUT, HK_TYPE_F64, .start = "1"),                                      \
        HK_PORT(counter, y, HK_OUTPUT, HK_TYPE_F64, .start = "10", .depends_on = ""),              \
        HK_PORT(counter, t, HK_OUTPUT, HK_TYPE_F64, .start = "-1", .depends_on = ""),              \
        HK_PORT(counter, h, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),                             \
        HK_PORT(counter, k, HK_OUTPUT, HK_TYPE_U64, .depends_on = "")

static const hk_port counter_ports[] = {COUNTER_PORTS};
static const hk_unit_type at_end = {HK_UNIT_TYPE(counter), .ports = counter_ports, .port_count = 5,
                                    .stamp = HK_STAMP_END, .step = counter_step};
static const hk_unit_type at_start = {.abi = HK_UNIT_ABI,
                                      .size = sizeof(hk_unit_type),
                                      .name = "start_counter",
                                      .instance_size = sizeof(counter),
                                      .ports = counter_ports,
                                      .port_count = 5,
                                      .stamp = HK_STAMP_START,
                                      .step = counter_step};

static void an_hour_of_hundred_twentieths(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1/120", "3600", "60");
    rig_add(&r, "c", &at_end, NULL, NULL);
    rig_record(&r, "c.k");
    rig_record(&r, "c.t");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(r.plan->ticks_per_second, 120);
    assert_int_equal(hk_sim_now(r.sim), 432000);
    assert_int_equal(r.rows, 61);
    assert_exactly(r.times[60], 3600.0);
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 60, 0), 432000);
    assert_exactly(rig_f64(&r, 60, 1), 431999.0 / 120.0); /* correctly rounded, nothing added up */
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 1, 0), 7200);
    assert_null(hk_sim_end_reason(r.sim));
    rig_end(&r);
}

/* Steps of 3 ms to 10 ms, rows every 4 ms: the last step is 1 ms long. */
static void rows_and_a_shortened_step(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.003", "0.01", "0.004");
    rig_add(&r, "e", &at_end, NULL, NULL);
    rig_add(&r, "s", &at_start, NULL, NULL);
    rig_record(&r, "e.k");
    rig_record(&r, "s.k");
    rig_record(&r, "e.h");
    rig_record(&r, "e.y");
    assert_int_equal(rig_run(&r), HK_OK);
    static const double times[] = {0, 0.004, 0.008, 0.01};
    static const uint64_t ends[] = {0, 1, 2, 4};   /* steps that have ended: at 3, 6, 9, 10 */
    static const uint64_t starts[] = {1, 2, 3, 4}; /* steps that have begun: at 0, 3, 6, 9 */
    assert_int_equal(r.rows, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_exactly(r.times[i], times[i]);
        assert_int_equal(*(const uint64_t *)rig_cell(&r, i, 0), ends[i]);
        assert_int_equal(*(const uint64_t *)rig_cell(&r, i, 1), starts[i]);
    }
    assert_exactly(rig_f64(&r, 3, 2), 0.001);
    assert_exactly(rig_f64(&r, 2, 2), 0.003);
    assert_exactly(rig_f64(&r, 3, 3), 10 + 0.003 + 0.003 + 0.003 + 0.001);
    rig_end(&r);
}

/* e (end) and s (start) with period 2 ms feed x; a row per ms. Activations of s: at 0, 2, 4. */
static void inputs_and_outputs_by_stamp(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "0.005", NULL);
    rig_add(&r, "e", &at_end, "0.002", NULL);
    rig_add(&r, "s", &at_start, "0.002", NULL);
    rig_add(&r, "x", &at_end, "0.001", NULL);
    rig_add(&r, "z", &at_end, "0.001", NULL);
    rig_connect(&r, "e.t", "x.u")->lag = HK_LAG_OBSERVE;
    rig_connect(&r, "s.t", "z.u")->lag = HK_LAG_OBSERVE;
    rig_record(&r, "e.t");
    rig_record(&r, "s.t");
    rig_record(&r, "x.u");
    rig_record(&r, "z.u");
    assert_int_equal(rig_run(&r), HK_OK);
    static const double rows[][4] = {/* e.t, s.t, x.u, z.u; inputs as they were set at the row */
                                     {-1, 0, -1, 0},
                                     {-1, 0, -1, 0},
                                     {0, 0.002, 0, 0.002},
                                     {0, 0.002, 0, 0.002},
                                     {0.002, 0.004, 0.002, 0.004},
                                     {0.004, 0.004, 0.002, 0.004}};
    assert_int_equal(r.rows, 6);
    for (size_t i = 0; i < 6; i++)
        for (size_t c = 0; c < 4; c++)
            if (rig_f64(&r, i, c) != rows[i][c])
                fail_msg("row %zu, column %zu: %g, expected %g", i, c, rig_f64(&r, i, c),
                         rows[i][c]);
    rig_end(&r);
}

static void offsets(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "0.01", NULL);
    uint32_t a = rig_add(&r, "a", &at_end, "0.004", "0.003");
    rig_record(&r, "a.t");
    rig_record(&r, "a.k");
    assert_int_equal(rig_run(&r), HK_OK);
    /* activated at 3 and 7 ms; their ends are 7 and 10 ms (shortened) */
    static const double seen[] = {-1, -1, -1, -1, -1, -1, -1, 0.003, 0.003, 0.003, 0.007};
    assert_int_equal(r.rows, 11);
    for (size_t i = 0; i < 11; i++)
        assert_exactly(rig_f64(&r, i, 0), seen[i]);
    double h;
    assert_false(hk_sim_read_f64(r.sim, a, 3, &h)); /* nobody asked for it */
    assert_true(hk_sim_read_f64(r.sim, a, 4, &h));
    assert_exactly(h, 2);
    rig_end(&r);
}

static void initial_values(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "0.003", NULL);
    rig_add(&r, "a", &at_end, NULL, NULL);
    rig_add(&r, "b", &at_end, NULL, NULL);
    rig_add(&r, "c", &at_end, NULL, NULL);
    rig_set(&r, "a.y", "20");
    rig_connect(&r, "a.y", "b.u");
    hk_connection *own = rig_connect(&r, "a.y", "c.u");
    assert_true(hk_value_parse(r.model->arena, HK_TYPE_F64, 1, NULL, "7.5", &own->initial));
    rig_record(&r, "b.u");
    rig_record(&r, "c.u");
    rig_record(&r, "a.y");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_exactly(rig_f64(&r, 0, 0), 20);  /* at t = 0: the port's */
    assert_exactly(rig_f64(&r, 0, 1), 7.5); /* at t = 0: the connection's own */
    assert_exactly(rig_f64(&r, 0, 2), 20);
    assert_exactly(rig_f64(&r, 1, 0), 20 + 0.001); /* a has u = 1 */
    assert_exactly(rig_f64(&r, 1, 1), 20 + 0.001);
    rig_end(&r);
}

/* What a delay costs does not depend on how long it is. */
static void a_long_delay(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "200", "200");
    rig_add(&r, "a", &at_end, NULL, NULL);
    rig_add(&r, "b", &at_end, NULL, NULL);
    rig_connect(&r, "a.t", "b.u")->delay = rig_seconds("100");
    rig_record(&r, "b.u");
    clock_t begin = clock(); /* of this process: others may keep the machine busy */
    assert_int_equal(rig_run(&r), HK_OK);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5.0);
    assert_exactly(rig_f64(&r, 1, 0), 99.998); /* set at 199.999, a step and the delay later */
    rig_end(&r);
}

/* ---- how runs end -------------------------------------------------------------------------- */

static void stop_condition(rig *r, const char *path, hk_compare compare, double threshold,
                           hk_stop_when *condition) {
    *condition = (hk_stop_when){.compare = compare, .threshold = threshold, .text = "the text"};
    rig_find(r, path, &condition->component, &condition->variable);
    r->options.stop_when = condition;
    r->options.stop_when_count = 1;
}

/* y rises by 1/8 per step of 1/8 s, from 10: it is 11 at t = 1. */
static void stop_conditions(void **state) {
    (void)state;
    static const struct {
        hk_compare compare;
        double threshold;
        hk_tick stops;
    } cases[] = {{HK_GE, 11, 8},  {HK_GT, 11, 9}, {HK_EQ, 10.5, 4}, {HK_NE, 10, 1},
                 {HK_LT, 10, 80}, {HK_LE, 10, 0}, {HK_GT, 1e9, 80}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig r;
        hk_stop_when condition;
        rig_begin(&r, "1/8", "10", "0.5");
        rig_add(&r, "a", &at_end, NULL, NULL);
        rig_record(&r, "a.y");
        stop_condition(&r, "a.y", cases[i].compare, cases[i].threshold, &condition);
        assert_int_equal(rig_run(&r), HK_OK);
        assert_int_equal(hk_sim_now(r.sim), cases[i].stops);
        double last = (double)cases[i].stops / 8;
        assert_exactly(r.times[r.rows - 1], last);
        assert_exactly(rig_f64(&r, r.rows - 1, 0), 10 + last);
        if (cases[i].stops == 80)
            assert_null(hk_sim_end_reason(r.sim));
        else
            assert_string_equal(hk_sim_end_reason(r.sim), "stop condition 'the text'");
        size_t before = (size_t)(cases[i].stops + 3) / 4; /* rows at 0, 4, 8 ... before the end */
        assert_int_equal(r.rows, before + 1);
        rig_end(&r);
    }
}

/* a has steps of 3 ms, b of 1 ms: a's value of the step 3 to 6 holds at 6, not before. */
static void stop_conditions_with_two_rates(void **state) {
    (void)state;
    rig r;
    hk_stop_when condition;
    rig_begin(&r, "0.001", "0.02", NULL);
    rig_add(&r, "a", &at_end, "0.003", NULL);
    rig_add(&r, "b", &at_end, NULL, NULL);
    rig_record(&r, "a.k");
    rig_record(&r, "b.k");
    stop_condition(&r, "a.k", HK_GE, 2, &condition);
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(hk_sim_now(r.sim), 6);
    assert_int_equal(r.rows, 7);
    assert_exactly(r.times[6], 0.006);
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 6, 0), 2);
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 6, 1), 6);
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 5, 0), 1);
    rig_end(&r);

    /* Stopped by b at 5 ms: the row shows what holds of a then, the step that ended at 3. */
    rig_begin(&r, "0.001", "0.02", "0.02");
    rig_add(&r, "a", &at_end, "0.003", NULL);
    rig_add(&r, "b", &at_end, NULL, NULL);
    rig_record(&r, "a.k");
    stop_condition(&r, "b.k", HK_GE, 5, &condition);
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(r.rows, 2);
    assert_exactly(r.times[1], 0.005);
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 1, 0), 1);
    rig_end(&r);
}

/* The last step is shortened to the stop time, where its value holds. */
static void stop_condition_at_the_stop(void **state) {
    (void)state;
    rig r;
    hk_stop_when condition;
    rig_begin(&r, "0.003", "0.01", NULL);
    rig_add(&r, "a", &at_end, NULL, NULL);
    stop_condition(&r, "a.k", HK_GE, 4, &condition);
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(hk_sim_now(r.sim), 10);
    assert_string_equal(hk_sim_end_reason(r.sim), "stop condition 'the text'");
    rig_end(&r);
}

/* Goes wrong at its fourth activation, in the way the parameter says. */
typedef struct rotten {
    double y, z;
    int64_t way, k;
} rotten;

static int rotten_step(void *self, double t, double h) {
    (void)t, (void)h;
    rotten *x = self;
    x->y += 1;
    if (++x->k == 4 && x->way == 0)
        x->z = (double)NAN;
    if (x->k == 4 && x->way == 1)
        x->z = -(double)INFINITY;
    if (x->k == 4 && x->way == 2)
        return HK_STEP_FAILED;
    if (x->k == 4 && x->way > 2) /* what other people's conventions would return */
        return x->way == 3 ? -1 : 1;
    return HK_STEP_OK;
}

static const hk_port rotten_ports[] = {
    HK_PORT(rotten, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(rotten, z, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(rotten, way, HK_PARAMETER, HK_TYPE_I64),
};
static const hk_unit_type rotten_type = {HK_UNIT_TYPE(rotten), .ports = rotten_ports,
                                         .port_count = 3, .step = rotten_step};

static void not_a_number(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int allowed = 0; allowed < 2; allowed++) {
            rig r;
            rig_begin(&r, "0.25", "2", NULL);
            rig_add(&r, "good", &at_end, NULL, NULL);
            rig_add(&r, "apple", &rotten_type, NULL, NULL);
            rig_set(&r, "apple.way", way ? "1" : "0");
            rig_record(&r, "apple.y");
            rig_record(&r, "apple.z");
            rig_record(&r, "good.y");
            r.options.allow_nan = allowed;
            if (allowed) {
                assert_int_equal(rig_run(&r), HK_OK);
                assert_int_equal(r.rows, 9);
                assert_exactly(rig_f64(&r, 3, 1), 0);
                double z = rig_f64(&r, 4, 1);
                assert_true(way ? z < -1e308 : z != z);
            } else {
                assert_int_equal(rig_run(&r), HK_E_UNIT_NAN);
                const hk_diag *d = rig_error(&r);
                assert_int_equal(d->code, HK_E_UNIT_NAN);
                assert_says(d, "'apple'");
                assert_says(d, "'z'");
                assert_says(d, "t = 0.75 s");
                assert_says(d, way ? "infinite" : "NaN");
                assert_int_equal(r.rows, 4); /* 0 ... 0.75, where the step that failed begins */
                assert_exactly(rig_f64(&r, 3, 0), 3);
                assert_exactly(rig_f64(&r, 3, 1), 0);
            }
            rig_end(&r);
        }
}

/* Arrays are looked at in another way than single numbers, and singles in another than doubles. */
typedef struct barrel {
    double many[50];
    float singles[11];
    int64_t k, bad;
} barrel;

static int barrel_step(void *self, double t, double h) {
    (void)t, (void)h;
    barrel *x = self;
    if (++x->k == 3 && x->bad < 50)
        x->many[x->bad] = (double)NAN;
    if (x->k == 3 && x->bad >= 50)
        x->singles[x->bad - 50] = (float)INFINITY;
    return HK_STEP_OK;
}

static const hk_port barrel_ports[] = {
    HK_PORT(barrel, many, HK_OUTPUT, HK_TYPE_F64, .count = 50, .depends_on = ""),
    HK_PORT(barrel, singles, HK_OUTPUT, HK_TYPE_F32, .count = 11, .depends_on = ""),
    HK_PORT(barrel, bad, HK_PARAMETER, HK_TYPE_I64),
};
static const hk_unit_type barrel_type = {HK_UNIT_TYPE(barrel), .ports = barrel_ports,
                                         .port_count = 3, .step = barrel_step};

static void not_a_number_in_arrays(void **state) {
    (void)state;
    static const struct {
        const char *bad, *named;
    } cases[] = {{"0", "'many[1]'"},     {"7", "'many[8]'"},     {"49", "'many[50]'"},
                 {"50", "'singles[1]'"}, {"57", "'singles[8]'"}, {"60", "'singles[11]'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig r;
        rig_begin(&r, "0.25", "2", NULL);
        rig_add(&r, "barrel", &barrel_type, NULL, NULL);
        rig_set(&r, "barrel.bad", cases[i].bad);
        rig_record(&r, "barrel.many");
        rig_record(&r, "barrel.singles");
        assert_int_equal(rig_run(&r), HK_E_UNIT_NAN);
        assert_says(rig_error(&r), cases[i].named);
        assert_says(rig_error(&r), "t = 0.5 s");
        rig_end(&r);
    }
}

/* Recorded more rarely than it steps, and looked at when a row will show it. */
static void not_a_number_in_rare_rows(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.25", "2", "1");
    rig_add(&r, "apple", &rotten_type, NULL, NULL);
    rig_record(&r, "apple.z");
    assert_int_equal(rig_run(&r), HK_E_UNIT_NAN);
    assert_says(rig_error(&r), "'z'");
    assert_int_equal(r.rows, 1);
    rig_end(&r);
}

static void failing_step(const char *way) {
    rig r;
    rig_begin(&r, "0.25", "2", NULL);
    uint32_t apple = rig_add(&r, "apple", &rotten_type, NULL, NULL);
    rig_set(&r, "apple.way", way);
    rig_record(&r, "apple.y");
    assert_int_equal(rig_run(&r), HK_E_UNIT_FAILED);
    assert_non_null(strstr(rig_error(&r)->where.element, "'apple'"));
    assert_says(rig_error(&r), "t = 0.75 s");
    size_t said = hk_ctx_count(r.ctx, HK_NOTE);
    double y;
    assert_true(hk_sim_read_f64(r.sim, apple, 0, &y));
    assert_exactly(y, 4);
    /* A failed run stays failed: nothing is called again. */
    assert_int_equal(hk_sim_run(r.sim), HK_E_UNIT_FAILED);
    assert_true(hk_sim_read_f64(r.sim, apple, 0, &y));
    assert_exactly(y, 4);
    assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), said);
    rig_end(&r);
}

static void failing_steps(void **state) {
    (void)state;
    failing_step("2");
    failing_step("3");
    failing_step("4");
}

static void run_in_pieces(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.002", "0.02", "0.004");
    rig_add(&r, "a", &at_end, NULL, NULL);
    rig_record(&r, "a.k");
    assert_int_equal(rig_start(&r), HK_OK);
    /* the tick is 2 ms (1/500 s) */
    static const hk_tick until[] = {0, 3, 3, 7, 100};
    static const size_t rows[] = {0, 2, 2, 4, 6};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(hk_sim_run_until(r.sim, until[i]), HK_OK);
        assert_int_equal(hk_sim_now(r.sim), until[i] < 10 ? until[i] : 10);
        assert_int_equal(r.rows, rows[i]);
    }
    assert_int_equal(hk_sim_run(r.sim), HK_OK); /* at its end: nothing more happens */
    assert_int_equal(r.rows, 6);
    assert_int_equal(*(const uint64_t *)rig_cell(&r, 5, 0), 10);
    rig_end(&r);
}

/* ---- initial values in loops ---------------------------------------------------------------- */

/* y = a * u + b, at once. */
typedef struct gain {
    double u, y, a, b;
} gain;

static int gain_output(void *self, double t) {
    (void)t;
    gain *g = self;
    g->y = g->a * g->u + g->b;
    return HK_STEP_OK;
}

static int gain_step(void *self, double t, double h) {
    (void)h;
    return gain_output(self, t);
}

static const hk_port gain_ports[] = {
    HK_PORT(gain, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(gain, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "u"),
    HK_PORT(gain, a, HK_PARAMETER, HK_TYPE_F64, .start = "1", .tunable = true),
    HK_PORT(gain, b, HK_PARAMETER, HK_TYPE_F64),
};
static const hk_unit_type gain_type = {HK_UNIT_TYPE(gain),    .ports = gain_ports,
                                       .port_count = 4,       .stamp = HK_STAMP_START,
                                       .output = gain_output, .step = gain_step};

/* p.y = a p.u + 1, q.y = a q.u + 2 in a circle: p.y = (1 + 2 a) / (1 - a^2). */
static void init_loops(void **state) {
    (void)state;
    static const char *const factors[] = {"0.5", "-0.5", "2"};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_begin(&r, "0.1", "1", NULL);
        rig_add(&r, "p", &gain_type, NULL, NULL);
        rig_add(&r, "q", &gain_type, NULL, NULL);
        rig_connect(&r, "p.y", "q.u");
        rig_connect(&r, "q.y", "p.u");
        rig_set(&r, "p.a", factors[i]);
        rig_set(&r, "q.a", factors[i]);
        rig_set(&r, "p.b", "1");
        rig_set(&r, "q.b", "2");
        rig_record(&r, "p.y");
        rig_record(&r, "q.y");
        if (i < 2) {
            double a = i ? -0.5 : 0.5;
            r.options.init_tolerance = 1e-13;
            assert_int_equal(rig_start(&r), HK_OK);
            double p, q;
            assert_true(hk_sim_read_f64(r.sim, 0, 1, &p));
            assert_true(hk_sim_read_f64(r.sim, 1, 1, &q));
            assert_true(fabs(p - (1 + 2 * a) / (1 - a * a)) < 1e-11);
            assert_true(fabs(q - (2 + a) / (1 - a * a)) < 1e-11);
        } else {
            r.options.init_iterations = 20;
            assert_int_equal(rig_start(&r), HK_E_INIT_LOOP);
            const hk_diag *d = rig_error(&r);
            assert_says(d, "p.y -> q.u");
            assert_says(d, "q.y -> p.u");
            assert_non_null(d->hint);
        }
        rig_end(&r);
    }
}

/* Two numbers at a time; the second is slow to settle. */
typedef struct pair_gain {
    double u[2], y[2];
} pair_gain;

static int pair_gain_output(void *self, double t) {
    (void)t;
    pair_gain *g = self;
    g->y[0] = 1;
    g->y[1] = 0.5 * g->u[1] + 1;
    return HK_STEP_OK;
}

static const hk_port pair_gain_ports[] = {
    HK_PORT(pair_gain, u, HK_INPUT, HK_TYPE_F64, .count = 2),
    HK_PORT(pair_gain, y, HK_OUTPUT, HK_TYPE_F64, .count = 2),
};
static int pair_gain_step(void *self, double t, double h) {
    (void)h;
    return pair_gain_output(self, t);
}
static const hk_unit_type pair_gain_type = {
    HK_UNIT_TYPE(pair_gain), .ports = pair_gain_ports,   .port_count = 2,
    .stamp = HK_STAMP_START, .output = pair_gain_output, .step = pair_gain_step};

static void init_loops_of_arrays(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.1", "1", NULL);
    rig_add(&r, "p", &pair_gain_type, NULL, NULL);
    rig_add(&r, "q", &pair_gain_type, NULL, NULL);
    rig_connect(&r, "p.y", "q.u");
    rig_connect(&r, "q.y", "p.u");
    rig_record(&r, "p.u");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_true(fabs(rig_f64(&r, 0, 1) - 2) < 1e-8);
    rig_end(&r);
}

/* A chain against the order of the model: c = 2 (3 (b + 1) + 1). */
static void init_chain(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.1", "1", NULL);
    rig_add(&r, "last", &gain_type, NULL, NULL);
    rig_add(&r, "middle", &gain_type, NULL, NULL);
    rig_add(&r, "first", &gain_type, NULL, NULL);
    rig_connect(&r, "middle.y", "last.u");
    rig_connect(&r, "first.y", "middle.u");
    rig_set(&r, "last.a", "2");
    rig_set(&r, "middle.a", "3");
    rig_set(&r, "middle.b", "1");
    rig_set(&r, "first.b", "5");
    rig_record(&r, "last.y");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_exactly(rig_f64(&r, 0, 0), 2 * (3 * 5 + 1));
    rig_end(&r);
}

/* ---- setting values during the run ----------------------------------------------------------- */

static void writing(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.5", "4", NULL);
    uint32_t g = rig_add(&r, "g", &gain_type, NULL, NULL);
    uint32_t c = rig_add(&r, "c", &at_end, NULL, NULL);
    rig_connect(&r, "g.y", "c.u")->lag = HK_LAG_CURRENT;
    rig_record(&r, "g.y");
    rig_record(&r, "c.y");
    assert_int_equal(rig_start(&r), HK_OK);
    double three = 3, pair[] = {1, 2};
    int32_t four = 4;
    bool yes = true;
    assert_int_equal(hk_sim_write(r.sim, g, 0, &(hk_value){HK_TYPE_F64, 1, &three}), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 2), HK_OK); /* ticks of 0.5 s */
    assert_int_equal(hk_sim_write(r.sim, g, 2, &(hk_value){HK_TYPE_I32, 1, &four}), HK_OK);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    static const double y[] = {3, 3, 12, 12, 12, 12, 12, 12, 12};
    double sum = 10;
    for (size_t i = 0; i < 9; i++) {
        assert_exactly(rig_f64(&r, i, 0), y[i]);
        assert_exactly(rig_f64(&r, i, 1), sum);
        sum += 0.5 * y[i];
    }
    /* What may not be set: driven inputs, fixed parameters, outputs; and wrong values. */
    assert_int_equal(hk_sim_write(r.sim, c, 0, &(hk_value){HK_TYPE_F64, 1, &three}),
                     HK_E_PARAMETER);
    assert_says(rig_error(&r), "'c.u'");
    assert_int_equal(hk_sim_write(r.sim, g, 3, &(hk_value){HK_TYPE_F64, 1, &three}),
                     HK_E_PARAMETER);
    assert_int_equal(hk_sim_write(r.sim, g, 1, &(hk_value){HK_TYPE_F64, 1, &three}),
                     HK_E_PARAMETER);
    assert_int_equal(hk_sim_write(r.sim, g, 0, &(hk_value){HK_TYPE_F64, 2, pair}), HK_E_VALUE);
    hk_bytes text = {"x", 1};
    assert_int_equal(hk_sim_write(r.sim, g, 0, &(hk_value){HK_TYPE_STRING, 1, &text}), HK_E_VALUE);
    assert_int_equal(hk_sim_write(r.sim, g, 0, &(hk_value){HK_TYPE_BOOL, 1, &yes}), HK_OK);
    rig_end(&r);
}

/* ---- wall time --------------------------------------------------------------------------------
 */

static void real_time(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.01", "0.2", NULL);
    rig_add(&r, "a", &at_end, NULL, NULL);
    r.options.real_time = 2;
    assert_int_equal(rig_start(&r), HK_OK);
    int64_t begin = hk_clock_ns();
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    double took = (double)(hk_clock_ns() - begin) * 1e-9;
    assert_true(took > 0.09); /* the last instant, 0.19 s, is due after 0.095 s */
    assert_true(took < 300);  /* on a busy machine */
    assert_true(hk_sim_worst_late(r.sim) >= 0 && hk_sim_worst_late(r.sim) < 300);
    rig_end(&r);
}

static int lazy_step(void *self, double t, double h) {
    struct timespec nap = {0, 2000000};
    nanosleep(&nap, NULL);
    return counter_step(self, t, h);
}
static const hk_unit_type lazy = {.abi = HK_UNIT_ABI,
                                  .size = sizeof(hk_unit_type),
                                  .name = "lazy",
                                  .instance_size = sizeof(counter),
                                  .ports = counter_ports,
                                  .port_count = 5,
                                  .step = lazy_step};

static void time_limit(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.01", "1e6", NULL);
    rig_add(&r, "a", &lazy, NULL, NULL);
    r.options.timeout_s = 0.1;
    assert_int_equal(rig_start(&r), HK_OK);
    int64_t begin = hk_clock_ns();
    assert_int_equal(hk_sim_run(r.sim), HK_E_UNIT_HUNG);
    double took = (double)(hk_clock_ns() - begin) * 1e-9;
    assert_true(took >= 0.1 && took < 300);
    assert_says(rig_error(&r), "0.1 s");
    rig_end(&r);
}

static void *interrupt_soon(void *sim) {
    struct timespec nap = {0, 300000000}; /* by then the run has begun, on a busy machine, too */
    nanosleep(&nap, NULL);
    hk_sim_interrupt(sim);
    return NULL;
}

static void interrupts(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "1e9", "1000");
    rig_add(&r, "a", &at_end, NULL, NULL);
    rig_record(&r, "a.k");
    assert_int_equal(rig_start(&r), HK_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, r.sim), 0);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    pthread_join(thread, NULL);
    assert_string_equal(hk_sim_end_reason(r.sim), "interrupted");
    assert_true(hk_sim_now(r.sim) > 0 && hk_sim_now(r.sim) < INT64_C(1000000000000));
    rig_end(&r);
}

static size_t told;
static void tell_progress(void *user, double t, double start, double stop) {
    (void)user;
    told++;
    assert_true(start == 0 && stop == 1 && t >= 0 && t < 1);
}

static void progress(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.01", "1", NULL);
    rig_add(&r, "a", &lazy, NULL, NULL); /* at least 200 ms */
    r.listener.progress.call = tell_progress;
    told = 0;
    int64_t begin = hk_clock_ns();
    assert_int_equal(rig_run(&r), HK_OK);
    int64_t took_ms = (hk_clock_ns() - begin) / 1000000;
    /* A few times until the pace is found, then every 50 ms at the most. */
    assert_in_range(told, 1, 8 + took_ms / 50);
    rig_end(&r);
}

/* a and b alternate: the one who samples every n-th instant must not see one of them only. */
static void profile(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "20", NULL);
    rig_add(&r, "a", &at_end, "0.002", NULL);
    rig_add(&r, "b", &at_end, "0.002", "0.001");
    rig_add(&r, "c", &at_end, "0.005", NULL);
    rig_connect(&r, "a.y", "b.u");
    rig_connect(&r, "b.y", "c.u");
    rig_record(&r, "c.y");
    assert_int_equal(rig_run(&r), HK_OK);
    const hk_profile *p = hk_sim_profile(r.sim);
    assert_int_equal(p->row_count, 3);
    assert_int_equal(p->instants, 20000);
    assert_exactly(p->simulated_s, 20);
    static const uint64_t steps[] = {10000, 10000, 4000};
    double sum = p->copy_s + p->record_s;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(p->rows[i].steps, steps[i]);
        assert_true(p->rows[i].step_s > 0);
        sum += p->rows[i].get_s + p->rows[i].set_s + p->rows[i].step_s;
    }
    assert_string_equal(p->rows[1].name, "b");
    assert_true(p->record_s > 0 && p->copy_s > 0);
    assert_true(p->total_s > 0 && p->init_s > 0);
    /* Taking the time costs more than such small steps do: only a rough bound. */
    assert_true(sum <= p->total_s * 10);
    rig_end(&r);
}

static void profile_of_slow_steps(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.01", "0.5", NULL);
    rig_add(&r, "quick", &at_end, NULL, NULL);
    rig_add(&r, "slow", &lazy, NULL, NULL);
    assert_int_equal(rig_run(&r), HK_OK);
    const hk_profile *p = hk_sim_profile(r.sim);
    assert_int_equal(p->rows[0].steps, 50);
    assert_int_equal(p->rows[1].steps, 50);
    assert_true(p->rows[1].step_s > 0.09); /* 50 naps of 2 ms */
    assert_true(p->rows[0].step_s < p->rows[1].step_s / 5);
    assert_true(p->rows[0].step_s + p->rows[1].step_s <= p->total_s * 1.5);
    rig_end(&r);
}

/* ---- the floating-point environment -----------------------------------------------------------
 */

typedef struct rounder {
    double u, y;
    int64_t from, k;
} rounder;

static int rounder_step(void *self, double t, double h) {
    (void)t, (void)h;
    rounder *x = self;
    if (++x->k >= x->from)
        fesetround(FE_UPWARD);
    return HK_STEP_OK;
}

static const hk_port rounder_ports[] = {
    HK_PORT(rounder, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(rounder, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(rounder, from, HK_PARAMETER, HK_TYPE_I64),
};
static const hk_unit_type rounder_type = {HK_UNIT_TYPE(rounder), .ports = rounder_ports,
                                          .port_count = 3, .step = rounder_step};

/* Divides by three: rounding upward would show in the last bit. Counts how often it is affected. */
static int third_step(void *self, double t, double h) {
    counter *c = self;
    volatile double one = 1 + t, three = 3;
    c->h = h;
    c->t = t;
    c->y = one / three;
    c->k += fegetround() != FE_TONEAREST;
    return HK_STEP_OK;
}
static const hk_unit_type third = {.abi = HK_UNIT_ABI,
                                   .size = sizeof(hk_unit_type),
                                   .name = "third",
                                   .instance_size = sizeof(counter),
                                   .ports = counter_ports,
                                   .port_count = 5,
                                   .step = third_step};

/* From the first step on nothing is ever affected. If a component starts later, in the middle of
 * the run, the instant in which it does so is the last that may be; the last case has few rows, so
 * that many instants are run in one go. */
static void rounding_modes(void **state) {
    (void)state;
    static const char *const from[] = {"1", "100", "1500"};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_begin(&r, "0.001", "2", i == 2 ? "1" : NULL);
        rig_add(&r, "bad", &rounder_type, NULL, NULL);
        rig_add(&r, "good", &third, NULL, NULL);
        rig_set(&r, "bad.from", from[i]);
        rig_record(&r, "good.y");
        rig_record(&r, "good.k");
        assert_int_equal(rig_run(&r), HK_OK);
        assert_int_equal(fegetround(), FE_TONEAREST);
        size_t warnings = 0;
        for (size_t d = 0; d < hk_ctx_count(r.ctx, HK_NOTE); d++)
            if (strstr(hk_ctx_diag(r.ctx, d)->text, "rounding mode")) {
                assert_int_equal(hk_ctx_diag(r.ctx, d)->severity, HK_WARNING);
                assert_says(hk_ctx_diag(r.ctx, d), "'bad'");
                warnings++;
            }
        assert_int_equal(warnings, 1);
        size_t wrong = 0;
        for (size_t row = 1; row < r.rows; row++)
            wrong += i < 2 && rig_f64(&r, row, 0) != (1 + r.times[row - 1]) / 3.0;
        assert_true(wrong <= (i > 0));
        assert_true(*(const uint64_t *)rig_cell(&r, r.rows - 1, 1) <= (i > 0));
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_of_hundred_twentieths),
        cmocka_unit_test(rows_and_a_shortened_step),
        cmocka_unit_test(inputs_and_outputs_by_stamp),
        cmocka_unit_test(offsets),
        cmocka_unit_test(initial_values),
        cmocka_unit_test(a_long_delay),
        cmocka_unit_test(stop_conditions),
        cmocka_unit_test(stop_conditions_with_two_rates),
        cmocka_unit_test(stop_condition_at_the_stop),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(not_a_number_in_arrays),
        cmocka_unit_test(not_a_number_in_rare_rows),
        cmocka_unit_test(failing_steps),
        cmocka_unit_test(run_in_pieces),
        cmocka_unit_test(init_loops),
        cmocka_unit_test(init_loops_of_arrays),
        cmocka_unit_test(init_chain),
        cmocka_unit_test(writing),
        cmocka_unit_test(real_time),
        cmocka_unit_test(time_limit),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(progress),
        cmocka_unit_test(profile),
        cmocka_unit_test(profile_of_slow_steps),
        cmocka_unit_test(rounding_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
