/* SPDX-License-Identifier: MIT
 *
 * Linear extrapolation: a held input is the value in the middle of the step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

#include <math.h>
#include <stdio.h>

/* y = t or sin(t), at the end of the step (moving) or at its start (sampler). */
typedef struct source {
    double y;
    int32_t rounded;
    int32_t sine, at_start;
} source;

static double source_value(const source *s, double t) {
    return s->sine ? sin(t) : t;
}

static int source_output(void *self, double t) {
    source *s = self;
    s->y = source_value(s, t);
    return HK_STEP_OK;
}

static int source_step(void *self, double t, double h) {
    source *s = self;
    s->y = source_value(s, t + (s->at_start ? 0 : h));
    s->rounded = (int32_t)s->y;
    return HK_STEP_OK;
}

static const hk_port source_ports[] = {
    HK_PORT(source, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(source, rounded, HK_OUTPUT, HK_TYPE_I32, .depends_on = ""),
    HK_PORT(source, sine, HK_PARAMETER, HK_TYPE_I32),
    HK_PORT(source, at_start, HK_PARAMETER, HK_TYPE_I32),
};
static const hk_unit_type moving = {HK_UNIT_TYPE(source), .ports = source_ports, .port_count = 4,
                                    .output = source_output, .step = source_step};
static const hk_unit_type sampler = {.abi = HK_UNIT_ABI,
                                     .size = sizeof(hk_unit_type),
                                     .name = "sampler",
                                     .instance_size = sizeof(source),
                                     .ports = source_ports,
                                     .port_count = 4,
                                     .stamp = HK_STAMP_START,
                                     .output = source_output,
                                     .step = source_step};

typedef struct integrator {
    double u, y;
    int32_t n;
} integrator;

static int integrator_step(void *self, double t, double h) {
    (void)t;
    integrator *x = self;
    x->y += h * x->u;
    return HK_STEP_OK;
}

static const hk_port integrator_ports[] = {
    HK_PORT(integrator, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(integrator, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(integrator, n, HK_INPUT, HK_TYPE_I32),
};
static const hk_unit_type integrator_type = {HK_UNIT_TYPE(integrator), .ports = integrator_ports,
                                             .port_count = 3, .step = integrator_step};

typedef struct ramp_case {
    const char *from, *to; /* periods */
    bool at_start;
    hk_lag lag;
    const char *stop;
    double u[8]; /* at the rows 0, 1, 2 ... */
    const char *delay;
} ramp_case;

static void ramps(void **state) {
    (void)state;
    static const ramp_case cases[] = {
        /* two activations are seen from t = 2 on: then t + 0.5 */
        {"1", "1", false, HK_LAG_PREVIOUS, "8", {0, 1, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, NULL},
        {"1", "1", true, HK_LAG_PREVIOUS, "8", {0, 0, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, NULL},
        {"1", "1", true, HK_LAG_OBSERVE, "8", {0, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, NULL},
        /* 'current' sees the value at t + 1, and goes back to the middle */
        {"1", "1", false, HK_LAG_CURRENT, "8", {1, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, NULL},
        /* a slow producer: values at 2, 4, 6; on from them */
        {"2", "1", false, HK_LAG_PREVIOUS, "8", {0, 0, 2, 2, 4.5, 5.5, 6.5, 7.5}, NULL},
        /* a slow consumer: steps of 2, values at t and t - 2, middle t + 1 */
        {"1", "2", false, HK_LAG_PREVIOUS, "8", {0, 0, 2, 2, 5, 5, 7, 7}, NULL},
        /* the step from 6 to 7 is shortened: its middle is 6.5 */
        {"1", "2", false, HK_LAG_PREVIOUS, "7", {0, 0, 2, 2, 5, 5, 6.5, 6.5}, NULL},
        /* a delay of 3 is part of the model and stays */
        {"1", "1", false, HK_LAG_PREVIOUS, "8", {0, 0, 0, 0, 1, 2.5, 3.5, 4.5}, "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int on = 0; on < 2; on++) {
            const ramp_case *c = &cases[i];
            rig r;
            rig_begin(&r, "1", c->stop, NULL);
            rig_add(&r, "a", c->at_start ? &sampler : &moving, c->from, NULL);
            rig_add(&r, "b", &integrator_type, c->to, NULL);
            rig_set(&r, "a.at_start", c->at_start ? "1" : "0");
            hk_connection *k = rig_connect(&r, "a.y", "b.u");
            k->lag = c->lag;
            k->delay = rig_seconds(c->delay ? c->delay : "0");
            rig_connect(&r, "a.rounded", "b.n");
            rig_record(&r, "b.u");
            rig_record(&r, "b.n");
            r.options.extrapolate = on;
            assert_int_equal(rig_run(&r), HK_OK);
            for (size_t row = 0; row + 1 < r.rows; row++) {
                double u = rig_f64(&r, row, 0);
                if (on && u != c->u[row])
                    fail_msg("case %zu, t = %zu: %g, expected %g", i, row, u, c->u[row]);
                assert_true(on || u == floor(u)); /* held: the values themselves */
            }
            rig_end(&r);
        }
}

/* The integral of u is what extrapolation is for: by hand for the first case above. */
static void integral_of_a_ramp(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "1", "5", NULL);
    rig_add(&r, "a", &moving, NULL, NULL);
    rig_add(&r, "b", &integrator_type, NULL, NULL);
    rig_connect(&r, "a.y", "b.u");
    rig_record(&r, "b.y");
    r.options.extrapolate = true;
    assert_int_equal(rig_run(&r), HK_OK);
    static const double y[] = {0, 0, 1, 3.5, 7, 11.5}; /* + 0, 1, 2.5, 3.5, 4.5 */
    for (size_t i = 0; i < 6; i++)
        assert_exactly(rig_f64(&r, i, 0), y[i]);
    rig_end(&r);
}

/* The integral of sin from 0 to 1 is 1 - cos 1. */
static double sine_error(const char *step, bool extrapolate) {
    rig r;
    rig_begin(&r, step, "1", NULL);
    rig_add(&r, "a", &moving, NULL, NULL);
    rig_add(&r, "b", &integrator_type, NULL, NULL);
    rig_set(&r, "a.sine", "1");
    rig_connect(&r, "a.y", "b.u");
    rig_record(&r, "b.y");
    r.options.extrapolate = extrapolate;
    assert_int_equal(rig_run(&r), HK_OK);
    double error = fabs(rig_f64(&r, r.rows - 1, 0) - (1 - cos(1)));
    rig_end(&r);
    return error;
}

static void order_of_the_error(void **state) {
    (void)state;
    static const char *const steps[] = {"0.02", "0.01", "0.005"};
    for (int i = 0; i < 2; i++) {
        double held = sine_error(steps[i], false) / sine_error(steps[i + 1], false);
        double ahead = sine_error(steps[i], true) / sine_error(steps[i + 1], true);
        assert_true(held > 1.9 && held < 2.1);   /* O(h) */
        assert_true(ahead > 3.6 && ahead < 4.4); /* O(h^2) */
    }
    assert_true(sine_error("0.01", true) < sine_error("0.01", false) / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ramps),
        cmocka_unit_test(integral_of_a_ramp),
        cmocka_unit_test(order_of_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
