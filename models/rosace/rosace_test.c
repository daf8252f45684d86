/* SPDX-License-Identifier: MIT
 *
 * ROSACE and R-ROSACE without hocket's engine: published traces, published figures, and the five
 * partitions of the case study under a small executor of our own. */
#include "properties.h"
#include "rosace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sea_rosace.h"

/* ---- plain ROSACE ---- */

/* Rates of the published trace, and the loop cut between actuators and dynamics: these see what the
 * actuators showed one tick ago. */
static sea plain_rosace(void) {
    static const int periods[] = {4, 4, 4, 2, 2};
    sea s = sea_make();
    add_aircraft(&s, periods);
    sea_add(&s, "fcu", "fcu", 4);
    sea_add(&s, "altitude_hold", "altitude_hold", 4);
    sea_add(&s, "va_control", "va_control", 4);
    sea_add(&s, "vz_control", "vz_control", 4);
    sea_connect(&s, "fcu.h_c", "altitude_hold.h_c");
    sea_connect(&s, "fcu.vz_c", "altitude_hold.vz_c");
    sea_connect(&s, "fcu.va_c", "va_control.va_c");
    sea_connect(&s, "altitude_hold.vz_hold", "vz_control.vz_c");
    sea_connect(&s, "h_filter.filtered", "altitude_hold.h_f");
    sea_connect(&s, "va_filter.filtered", "va_control.va_f");
    sea_connect(&s, "vz_filter.filtered", "va_control.vz_f");
    sea_connect(&s, "q_filter.filtered", "va_control.q_f");
    sea_connect(&s, "vz_filter.filtered", "vz_control.vz_f");
    sea_connect(&s, "q_filter.filtered", "vz_control.q_f");
    sea_connect(&s, "az_filter.filtered", "vz_control.az_f");
    sea_connect(&s, "vz_control.delta_e_c", "elevator.delta_e_c");
    sea_connect(&s, "va_control.delta_th_c", "engine.delta_th_c");
    sea_partition(&s, "flight_dynamics h_filter vz_filter va_filter q_filter az_filter fcu "
                      "altitude_hold va_control vz_control elevator engine");
    return s;
}

static void use_50_hz(sea *s, const char *name) {
    static const char *const names[] = {"a0", "a1", "b0", "b1"};
    static const double values[] = {0.914975803093201, -1.911199519984605, 0.001860178914816,
                                    0.001916104193780};
    for (int i = 0; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "%s.%s", name, names[i]);
        *sea_f64(s, path) = values[i];
    }
}

static void test_published_trace(void **state) {
    (void)state;
    static const struct {
        double t, va, az, q, vz, h, delta_th_c, delta_e_c;
    } rows[] = {
        {0.02, 230.000003501089509, 0.000006572640119, 7.0312166e-8, 4.3907528e-8,
         9999.999999999659849, 1.586866091903903, 0.011978244166991},
        {0.10, 230.000018561007039, 0.000187169870594, 2.431436038e-6, 4.133011358e-6,
         9999.999999931389539, 1.586870033347554, 0.011852727398156},
        {0.50, 230.000215372557847, -0.002485543932972, 0.000282525965044, 0.000022336621840,
         9999.999965634246109, 1.590985340562374, 0.011299799102356},
        {1.96, 229.997721979748945, -0.193854446905094, 0.002374124185291, -0.111930317122137,
         10000.046380851672438, 1.640301513050412, 0.010250055016503},
    };
    sea s = plain_rosace();
    use_50_hz(&s, "va_filter");
    use_50_hz(&s, "vz_filter");
    set_step(&s, 1, 0.0, 11000.0, -2.5, 230.0);
    sea_begin(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        while (s.tick <= (int)(rows[i].t * 200.0 + 0.5))
            sea_tick(&s);
        /* Fifteen decimals are printed; large numbers have fewer good ones. */
        expect_within("va", *sea_f64(&s, "flight_dynamics.va"), rows[i].va, 230e-15);
        expect_within("az", *sea_f64(&s, "flight_dynamics.az"), rows[i].az, 1e-13);
        expect_within("q", *sea_f64(&s, "flight_dynamics.q"), rows[i].q, 1e-14);
        expect_within("vz", *sea_f64(&s, "flight_dynamics.vz"), rows[i].vz, 1e-13);
        expect_within("h", *sea_f64(&s, "flight_dynamics.h"), rows[i].h, 1e4 * 1e-15);
        expect_within("delta_th_c", *sea_f64(&s, "va_control.delta_th_c"), rows[i].delta_th_c,
                      1e-14);
        expect_within("delta_e_c", *sea_f64(&s, "vz_control.delta_e_c"), rows[i].delta_e_c, 1e-14);
    }
    sea_end(&s);
}

/* The original without a new start of the integral: it meets the one climb it was made for. */
static void test_fixed_integral(void **state) {
    (void)state;
    sea s = plain_rosace();
    *(bool *)sea_at(&s, "altitude_hold.fixed_integral") = true;
    set_step(&s, 1, 0.0, 11000.0, -2.5, 230.0);
    sea_begin(&s);
    double before = -2.5, jump = 0.0;
    while (s.tick < 600 * 200) {
        sea_tick(&s);
        double now = *sea_f64(&s, "altitude_hold.vz_hold");
        jump = fmax(jump, fabs(now - before));
        before = now;
    }
    expect_within("jump at the entry to the band", jump, 0.0, 0.01);
    expect_within("h", *sea_f64(&s, "flight_dynamics.h"), 11000.0, 0.5);
    sea_end(&s);
}

/* Half the last printed digit, and a little for the digits that nobody printed. */
static const double digit_9 = 0.51e-9;

static void expect_samples(int partition) {
    static const struct {
        double t, h, vz, va, delta_e_c, delta_th_c;
    } rows[] = {
        {1.0, 9999.998787650, 0.007955069, 229.999907367, 0.013180026, 1.567091815},
        {10.0, 9987.465038969, 2.549638983, 230.150995310, 0.012319587, 1.282300411},
        {49.995, 9887.681183001, 2.479321086, 229.999619481, 0.012603000, 1.357010948},
    };
    sea s = start_r_rosace(1, partition, &config_a);
    double most = 0.0;
    for (size_t i = 0; i < 3; i++) {
        while (s.tick <= (int)(rows[i].t * 200.0 + 0.5)) {
            sea_tick(&s);
            most = fmax(most, *sea_f64(&s, "flight_dynamics.vz"));
        }
        expect_within("h", *sea_f64(&s, "flight_dynamics.h"), rows[i].h, digit_9);
        expect_within("vz", *sea_f64(&s, "flight_dynamics.vz"), rows[i].vz, digit_9);
        expect_within("va", *sea_f64(&s, "flight_dynamics.va"), rows[i].va, digit_9);
        expect_within("delta_e_c", *sea_f64(&s, "cables.delta_e_c"), rows[i].delta_e_c, digit_9);
        expect_within("delta_th_c", *sea_f64(&s, "cables.delta_th_c"), rows[i].delta_th_c, digit_9);
    }
    expect_within("max vz", most, 2.595389, 0.51e-6);
    sea_end(&s);
}

static void test_samples(void **state) {
    (void)state;
    expect_samples(UPSTREAM);
    expect_samples(E1);
}

/* ---- the five partitions ---- */

enum { ROWS = 10000 }; /* 50 s */

typedef struct outcome {
    rosace_properties p;
    bool met;
    double mismatch_e, mismatch_th; /* largest of monitor 1 */
    double first_trip;              /* s: monitor 1 opens a relay; below 0: never */
    double x[ROWS];
} outcome;

static outcome *run_50_s(int case_number, int partition, const configuration *c) {
    static double t[ROWS];
    outcome *o = calloc(1, sizeof *o);
    sea s = start_r_rosace(case_number, partition, c);
    const double *x = sea_f64(&s, case_number == 1 ? "flight_dynamics.vz" : "flight_dynamics.va");
    const double *mismatch_e = sea_f64(&s, "fcc1b.mismatch_e");
    const double *mismatch_th = sea_f64(&s, "fcc1b.mismatch_th");
    o->first_trip = -1.0;
    for (int i = 0; i < ROWS; i++) {
        sea_tick(&s);
        t[i] = i / s.ticks_per_second;
        o->x[i] = case_number == 1 ? *x : *x - 230.0;
        o->mismatch_e = fmax(o->mismatch_e, *mismatch_e);
        o->mismatch_th = fmax(o->mismatch_th, *mismatch_th);
        if (o->first_trip < 0.0 && (*mismatch_e >= c->eps || *mismatch_th >= c->eps))
            o->first_trip = t[i];
    }
    o->p = hk_rosace_properties(t, o->x, ROWS, case_number == 1 ? 2.5 : 5.0, false);
    o->met = hk_rosace_properties_met(&o->p, case_number == 1 ? &hk_rosace_limits_vz
                                                              : &hk_rosace_limits_va);
    sea_end(&s);
    return o;
}

static void expect_numbers(const outcome *o, double p1, double p2, double p3, double p4,
                           double last) {
    expect_within("P1", o->p.settling, p1, 1e-9);
    expect_within("P2", o->p.overshoot, p2, 0.51e-4);
    expect_within("P3", o->p.rise, p3, 1e-9);
    expect_within("P4", o->p.error, p4, 0.51e-4);
    expect_within("last vz", o->p.final, last, 0.51e-6);
    assert_true(o->met);
}

static void expect_e1(const outcome *o) {
    expect_numbers(o, 8.240, 4.6815, 5.110, 0.8272, 2.479321);
}
static void expect_e2(const outcome *o) {
    expect_numbers(o, 8.170, 4.7877, 5.040, 0.8266, 2.479335);
}
static void expect_e3(const outcome *o) {
    expect_numbers(o, 8.195, 4.7458, 5.065, 0.8268, 2.479330);
}

static void test_properties_of_e1(void **state) {
    (void)state;
    const configuration *const configs[] = {&config_a, &config_b, &config_c};
    for (int i = 0; i < 3; i++) {
        outcome *o = run_50_s(1, E1, configs[i]);
        expect_e1(o);
        assert_true(o->mismatch_e == 0.0 && o->mismatch_th == 0.0);
        free(o);
    }
}

/* Threshold 1e-3 and trim everywhere: all pass, since the mismatch stays just below. */
static void test_configuration_a(void **state) {
    (void)state;
    outcome *o[6];
    for (int e = E1; e <= E5; e++)
        o[e] = run_50_s(1, e, &config_a);
    expect_e1(o[E1]);
    expect_e2(o[E2]);
    for (int e = E3; e <= E5; e++)
        expect_e3(o[e]);
    expect_within("mismatch of E3", o[E3]->mismatch_th, 0.0, 0.0);
    expect_within("elevator mismatch of E5", o[E5]->mismatch_e, 3.14e-5, 0.005e-5);
    expect_within("throttle mismatch of E5", o[E5]->mismatch_th, 8.52e-4, 0.005e-4);
    expect_within("throttle mismatch of E2", o[E2]->mismatch_th, 8.55e-4, 0.005e-4);
    for (int e = E1; e <= E5; e++)
        free(o[e]);
}

/* A threshold below the mismatch: E2 and E5 lose both couples. */
static void test_configuration_b(void **state) {
    (void)state;
    outcome *o[6];
    for (int e = E1; e <= E5; e++)
        o[e] = run_50_s(1, e, &config_b);
    expect_e1(o[E1]);
    expect_e3(o[E3]);
    expect_e3(o[E4]);
    assert_memory_equal(o[E3]->x, o[E4]->x, sizeof o[E3]->x);
    assert_true(!o[E2]->met && !o[E5]->met);
    expect_within("trip of E5", o[E5]->first_trip, 0.28, 1e-9);
    expect_within("trip of E2", o[E2]->first_trip, 0.30, 1e-9);
    expect_within("P4 of E5", o[E5]->p.error, 1017.0, 0.5);
    expect_within("last vz of E5", o[E5]->p.final, 27.93, 0.005);
    expect_within("P1 of E5", o[E5]->p.settling, 49.1, 0.05);
    expect_within("P3 of E5", o[E5]->p.rise, 11.6, 0.05);
    expect_within("P4 of E2", o[E2]->p.error, 1015.0, 0.5);
    expect_within("last vz of E2", o[E2]->p.final, 27.88, 0.005);
    for (int e = E1; e <= E5; e++)
        free(o[e]);
    static const double others[] = {5e-4, 1e-5};
    static const bool passes[] = {0, true, false, true, true, false};
    for (int i = 0; i < 2; i++)
        for (int e = E1; e <= E5; e++) {
            outcome *other = run_50_s(1, e, &(configuration){.eps = others[i]});
            assert_int_equal(other->met, passes[e]);
            if (i == 0 && !passes[e])
                expect_within("trip", other->first_trip, e == E5 ? 0.58 : 0.60, 1e-9);
            free(other);
        }
}

/* Commands start at 0 inside a processor: the five verdicts of the paper. A hypothesis. */
static void test_configuration_c(void **state) {
    (void)state;
    outcome *o[6];
    for (int e = E1; e <= E5; e++)
        o[e] = run_50_s(1, e, &config_c);
    expect_e1(o[E1]);
    expect_e2(o[E2]);
    expect_e3(o[E3]);
    expect_e3(o[E4]);
    assert_false(o[E5]->met);
    expect_within("trip of E5", o[E5]->first_trip, 0.0, 0.0);
    expect_within("P4 of E5", o[E5]->p.error, 1028.0, 0.5);
    expect_within("last vz of E5", o[E5]->p.final, 28.20, 0.005);
    expect_within("P3 of E5", o[E5]->p.rise, 11.8, 0.05);
    for (int e = E1; e <= E5; e++)
        free(o[e]);
}

/* What follows from the other two parameters. */
static void test_static_master_and_hold(void **state) {
    (void)state;
    configuration b_static = config_b, c_hold = config_c, b_hold = config_b;
    b_static.static_master = true;
    c_hold.hold_when_open = b_hold.hold_when_open = true;
    outcome *o[] = {run_50_s(1, E4, &b_static), run_50_s(1, E5, &c_hold), run_50_s(1, E5, &b_hold)};
    assert_false(o[0]->met);
    assert_true(o[1]->met);
    assert_false(o[2]->met);
    for (int i = 0; i < 3; i++)
        free(o[i]);
}

/* A step of the airspeed moves the throttle by more than the published threshold per period. */
static void test_case_2(void **state) {
    (void)state;
    static const bool passes[] = {0, true, false, true, true, false, true};
    for (int e = E1; e <= COUPLES; e++) {
        outcome *o = run_50_s(2, e, &config_a);
        assert_int_equal(o->met, passes[e]);
        if (!passes[e])
            expect_within("trip", o->first_trip, 0.02, 1e-9);
        free(o);
    }
}

static double run_to(int case_number, double seconds, const char *path) {
    sea s = start_r_rosace(case_number, E1, &config_a);
    while (s.tick < (int)(seconds * s.ticks_per_second))
        sea_tick(&s);
    double value = *sea_f64(&s, path);
    sea_end(&s);
    return value;
}

static void test_cases_end_at_their_targets(void **state) {
    (void)state;
    expect_within("case 2", run_to(2, 100.0, "flight_dynamics.va"), 235.0, 0.01);
    expect_within("case 3", run_to(3, 650.0, "flight_dynamics.h"), 11000.0, 0.5);
    static const double instants[] = {349.0, 649.0, 949.0, 2700.0};
    static const double levels[] = {10500.0, 11000.0, 11500.0, 8000.0};
    sea s = start_r_rosace(4, E1, &config_a);
    for (int i = 0; i < 4; i++) {
        while (s.tick < (int)(instants[i] * s.ticks_per_second))
            sea_tick(&s);
        expect_within("case 4", *sea_f64(&s, "flight_dynamics.h"), levels[i], 2.0);
    }
    sea_end(&s);
}

/* A level change disturbs as little as case 1: the mismatch stays just below the threshold. */
static void test_mismatch_of_case_3(void **state) {
    (void)state;
    static const double peaks[] = {[E2] = 8.69e-4, [E5] = 8.65e-4};
    for (int e = E2; e <= E5; e += E5 - E2) {
        sea s = start_r_rosace(3, e, &config_a);
        const double *mismatch = sea_f64(&s, "fcc1b.mismatch_th");
        double most = 0.0;
        while (s.tick < 650 * 200) {
            sea_tick(&s);
            most = fmax(most, *mismatch);
        }
        expect_within("peak", most, peaks[e], 0.005e-4);
        expect_within("h", *sea_f64(&s, "flight_dynamics.h"), 11000.0, 0.5);
        sea_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_trace),
        cmocka_unit_test(test_fixed_integral),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_properties_of_e1),
        cmocka_unit_test(test_configuration_a),
        cmocka_unit_test(test_configuration_b),
        cmocka_unit_test(test_configuration_c),
        cmocka_unit_test(test_static_master_and_hold),
        cmocka_unit_test(test_case_2),
        cmocka_unit_test(test_cases_end_at_their_targets),
        cmocka_unit_test(test_mismatch_of_case_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
