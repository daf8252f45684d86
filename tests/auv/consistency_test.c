/* SPDX-License-Identifier: MIT
 *
 * Whether the filter knows how wrong it is: many voyages with errors that are as large as it
 * believes, and the mean of its weighed errors (NEES) at ten instants, which is 1 per error. With
 * HK_SLOW in the environment they are 400 voyages of half an hour, else 40 of five minutes. */
#include "navigation.h"
#include "voyage.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on

extern const hk_unit_type hk_auv_nees_analysis;

enum { INSTANTS = 10 };

typedef struct outcome {
    double nees[INSTANTS];       /* per error, mean over the runs */
    double horizontal[INSTANTS]; /* of north and east */
    double final;                /* error, root of the mean square, m */
    double nis[ESKF_SENSORS];    /* per number, mean over the runs */
} outcome;

static bool is_slow(void) {
    return getenv("HK_SLOW") != NULL;
}

/* The analysis sees the truth, the estimate, and the covariance by a call. */
typedef struct judge {
    leaf nees;
    covariance_source_binding binding;
} judge;

static judge judge_make(leaf nav) {
    judge x = {leaf_make(&hk_auv_nees_analysis), {nav.self, nav.type->services->functions}};
    memcpy((char *)x.nees.self + x.nees.type->services->offset, &x.binding, sizeof x.binding);
    *leaf_truth(x.nees, "knownBiases") = true;
    leaf_init(x.nees, 0);
    return x;
}

static void carry(judge *x, const char *to, leaf nav, const char *from) {
    memcpy(leaf_number(x->nees, to), leaf_number(nav, from), 3 * sizeof(double));
}

static void judge_look(judge *x, const voyage *truth, const crew *c) {
    leaf n = x->nees;
    put3(leaf_number(n, "truePosition.x"), truth->position);
    leaf_xyz(n, "trueBodySpeed", SPEED, 0, 0);
    leaf_xyz(n, "trueAttitude", 0, 0, truth->yaw);
    put3(leaf_number(n, "trueAccelerometerBias.x"), c->force_bias);
    put3(leaf_number(n, "trueGyroscopeBias.x"), c->gyro_bias);
    carry(x, "estimatedPosition.x", c->nav, "myEstimatedNedPosition.x");
    carry(x, "estimatedVelocity.x", c->nav, "velocity.x");
    carry(x, "estimatedAttitude.x", c->nav, "attitude.x");
    carry(x, "estimatedAccelerometerBias.x", c->nav, "accelerometerBias.x");
    carry(x, "estimatedGyroscopeBias.x", c->nav, "gyroscopeBias.x");
    memcpy(leaf_number(n, "nis"), leaf_number(c->nav, "nis"), ESKF_SENSORS * sizeof(double));
    memcpy(leaf_port(n, "updates", HK_TYPE_I64), leaf_port(c->nav, "updates", HK_TYPE_I64),
           ESKF_SENSORS * sizeof(int64_t));
    assert_int_equal(leaf_step(n, 0, 1), HK_STEP_OK);
}

static void sail(uint64_t seed, const voyage_options *o, int runs, outcome *x) {
    int64_t steps = (int64_t)(o->duration / STEP + 0.5), part = steps / INSTANTS;
    voyage truth = {.velocity = {SPEED, 0, 0}};
    crew c;
    crew_begin(&c, &truth, seed, o);
    judge j = judge_make(c.nav);
    for (int64_t k = 0; k < steps; k++) {
        c.number = k + 1;
        c.drawn = 0;
        voyage_step(&truth, (double)k * STEP, STEP);
        crew_look(&c, &truth, o, k);
        leaf_step(c.nav, (double)k * STEP, STEP);
        if ((k + 1) % 50 == 0) /* each second */
            judge_look(&j, &truth, &c);
        if ((k + 1) % part)
            continue;
        x->nees[k / part] += *leaf_number(j.nees, "nees") / STATES / runs;
        x->horizontal[k / part] += *leaf_number(j.nees, "horizontalNees") / 2 / runs;
    }
    const double *p = leaf_number(c.nav, "myEstimatedNedPosition.x");
    double n = p[0] - truth.position.x, e = p[1] - truth.position.y;
    x->final += (n * n + e * e) / runs;
    for (int i = 0; i < ESKF_SENSORS; i++)
        x->nis[i] += leaf_number(j.nees, "meanNis")[i] / runs;
    leaf_free(j.nees);
    leaf_free(c.nav);
}

/* Seeds 1 to RUNS. */
static outcome sail_all(const char *what, voyage_options o, int runs) {
    outcome x = {0};
    for (int run = 1; run <= runs; run++)
        sail((uint64_t)run, &o, runs, &x);
    x.final = sqrt(x.final);
    printf("%s:\n  NEES", what);
    for (int i = 0; i < INSTANTS; i++)
        printf(" %.3f", x.nees[i]);
    printf("\n  of north and east");
    for (int i = 0; i < INSTANTS; i++)
        printf(" %.3f", x.horizontal[i]);
    printf("\n  final error %.2f m, %.2f %%\n", x.final, 100 * x.final / (SPEED * o.duration));
    return x;
}

static int outside(const outcome *x, double low, double high) {
    int count = 0;
    for (int i = 0; i < INSTANTS; i++)
        count += !(x->nees[i] >= low && x->nees[i] <= high);
    return count;
}

static double duration(void) {
    return is_slow() ? DURATION : 300;
}

static void test_with_compass(void **unused) {
    int runs = is_slow() ? 400 : 40;
    double band = is_slow() ? 0.07 : 0.2;
    (void)unused;
    voyage_options o = {.compass = true, .trust = 1, .duration = duration()};
    outcome x = sail_all("with a compass", o, runs);
    assert_int_equal(outside(&x, 1 - band, 1 + band), 0);
    for (int i = 0; i < ESKF_SENSORS; i++)
        assert_true(fabs(x.nis[i] - 1) < (is_slow() ? 0.02 : 0.1));
}

/* What is not matched is seen, at the same instants of the same voyages. */
static void test_not_matched(void **unused) {
    int runs = is_slow() ? 400 : 40;
    double band = is_slow() ? 0.07 : 0.2;
    (void)unused;
    voyage_options half = {.compass = true, .trust = sqrt(0.5), .duration = duration()};
    outcome x = sail_all("half of the noise is believed", half, runs);
    assert_true(outside(&x, 1 - band, 1 + band) > 0);
    voyage_options arm = {.compass = true, .trust = 1, .forget_arm = true, .duration = duration()};
    x = sail_all("where the DVL is, is not known", arm, runs);
    assert_true(outside(&x, 1 - band, 1 + band) > 0);
}

/* 2.5 km by gyroscope and DVL, after two minutes of GPS. */
static void test_without_compass(void **unused) {
    (void)unused;
    voyage_options o = {.trust = 1, .duration = DURATION};
    outcome x = sail_all("without a compass", o, is_slow() ? 400 : 20);
    assert_true(x.final >= 8 && x.final <= 17);
    double drift = 100 * x.final / (SPEED * DURATION);
    assert_true(drift >= 0.3 && drift <= 0.7);
    if (is_slow())
        assert_int_equal(outside(&x, 0.93, 1.07), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_with_compass),
                                       cmocka_unit_test(test_not_matched),
                                       cmocka_unit_test(test_without_compass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
