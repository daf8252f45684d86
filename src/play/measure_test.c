/* SPDX-License-Identifier: MIT
 *
 * What is measured of samples: by hand, on short responses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "play/play_internal.h"
#include "show.h"

#include <math.h>

/* One sample a second, from T on. */
static double measure(hk_measure m, double t, const double *values, size_t count) {
    hk_sample all[32];
    hk_samples samples = {.all = all, .cap = 32};
    for (size_t i = 0; i < count; i++)
        hk_measure_take(&samples, t + (double)i, values[i]);
    return hk_measure_value(&m, &samples);
}
#define OF(m, ...)                                                                                 \
    measure((m), 100, (const double[]){__VA_ARGS__},                                               \
            sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static hk_measure what(hk_metric metric, double base, double target) {
    return (hk_measure){.metric = metric,
                        .name = "R",
                        .base = base,
                        .target = target,
                        .band = 0.05,
                        .min = NAN,
                        .max = NAN,
                        .reference = NAN};
}

static void responses(void **state) {
    (void)state;
    /* 0 to 10, over 12: below 1 until 1 s, below 9 until 3 s, outside 9.5 .. 10.5 until 5 s. */
#define RESPONSE 0, 0.5, 4, 8, 12, 11, 10, 10
    assert_true(OF(what(HK_METRIC_SETTLING, 0, 10), RESPONSE) == 5);
    assert_true(OF(what(HK_METRIC_RISE, 0, 10), RESPONSE) == 2);
    assert_true(OF(what(HK_METRIC_OVERSHOOT, 0, 10), RESPONSE) == 20);
    assert_true(OF(what(HK_METRIC_ERROR, 0, 12.5), RESPONSE) == 20);
    hk_measure wide = what(HK_METRIC_SETTLING, 0, 10);
    wide.band = 0.15;
    assert_true(OF(wide, RESPONSE) == 4);
    /* The same, downwards from 230; without a base it begins at the first sample. */
#define DOWN 230, 229.5, 226, 222, 218, 219, 220, 220
    assert_true(OF(what(HK_METRIC_SETTLING, 230, 220), DOWN) == 5);
    assert_true(OF(what(HK_METRIC_RISE, NAN, 220), DOWN) == 2);
    assert_true(OF(what(HK_METRIC_RISE, NAN, NAN), DOWN) == 2);
    assert_true(OF(what(HK_METRIC_OVERSHOOT, 230, 220), DOWN) == 20);
    assert_true(OF(what(HK_METRIC_ERROR, 230, 210), DOWN) == 50);
}

static void plain(void **state) {
    (void)state;
    assert_true(OF(what(HK_METRIC_FINAL, NAN, NAN), 3, -1, 2) == 2);
    assert_true(OF(what(HK_METRIC_MAXIMUM, NAN, NAN), 3, -1, 2) == 3);
    assert_true(OF(what(HK_METRIC_MINIMUM, NAN, NAN), 3, -1, 2) == -1);
    assert_true(OF(what(HK_METRIC_MEAN, NAN, NAN), 3, -1, 4) == 2);
}

/* What cannot be measured is not met: neither nothing, nor a response that goes the other way. */
static void nothing(void **state) {
    (void)state;
    for (hk_metric metric = 0; metric < HK_METRICS; metric++) {
        hk_measure m = what(metric, 0, 1);
        assert_true(isnan(measure(m, 0, NULL, 0)));
        assert_false(hk_measure_held(&m, (double)NAN));
    }
    assert_true(isnan(OF(what(HK_METRIC_RISE, 0, 10), 0, -1, -2)));
    assert_true(isnan(OF(what(HK_METRIC_OVERSHOOT, 0, 10), 0, 0, 0)));
    assert_true(OF(what(HK_METRIC_ERROR, 0, 10), 0, -1, -2) == 120);
    /* A NaN on the way is not within the band. */
    assert_true(OF(what(HK_METRIC_SETTLING, 0, 10), 0, 10, (double)NAN, 10) == 2);
}

static void limits(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_measure m = what(HK_METRIC_RISE, 0, 1);
    m.unit = "s";
    assert_true(hk_measure_held(&m, 1e300));
    m.min = 1;
    m.max = 2;
    assert_true(hk_measure_held(&m, 1) && hk_measure_held(&m, 2));
    assert_false(hk_measure_held(&m, 0.5) || hk_measure_held(&m, 2.5));
    assert_string_equal(hk_measure_words(arena, &m, 2.5), "R is 2.5 s, more than the max of 2 s");
    assert_string_equal(hk_measure_words(arena, &m, 0.5), "R is 0.5 s, less than the min of 1 s");
    hk_arena_destroy(arena);
}

/* What does not fit into memory is refused before the run. */
static void too_many_samples(void **state) {
    (void)state;
    for (int part = 0; part < 2; part++) {
        show s;
        show_begin(&s, "0.000001", "1000");
        rig_add(&s.r, "count", &show_counter_type, "1", NULL);
        hk_measure m = what(HK_METRIC_FINAL, NAN, NAN);
        rig_find(&s.r, "count.y", &m.signal.component, &m.signal.variable);
        hk_expectation *e = show_expect(&s, (hk_expectation){.kind = HK_MEASURED, .measure = &m});
        e->has_from = part != 0;
        e->from = rig_seconds("901");
        show_ready(&s);
        assert_int_equal(hk_play_check(s.r.ctx, &s.simulation, &s.options),
                         part ? HK_OK : HK_E_SCENARIO);
        show_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses),        cmocka_unit_test(plain),
        cmocka_unit_test(nothing),          cmocka_unit_test(limits),
        cmocka_unit_test(too_many_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
