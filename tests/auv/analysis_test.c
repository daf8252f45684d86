/* SPDX-License-Identifier: MIT
 *
 * What judges an estimate, against numbers that were computed by hand. */
#include "navigation_rig.h"

extern const hk_unit_type hk_auv_position_error, hk_auv_allan_deviation;

static void test_position_error(void **unused) {
    leaf x = leaf_make(&hk_auv_position_error);
    static const double errors[] = {3, 4, 12, 0};
    (void)unused;
    leaf_init(x, 0);
    for (int k = 0; k < 4; k++) { /* to the east; the estimate is to the north and above */
        leaf_xyz(x, "truePosition", 0, 10 * k, 5);
        leaf_xyz(x, "estimatedPosition", errors[k], 10 * k - 1, 5);
        leaf_step(x, k, 1);
    }
    assert_near(*leaf_number(x, "error"), 1, 1e-12);
    assert_near(*leaf_number(x, "horizontalError"), 1, 1e-12);
    assert_near(*leaf_number(x, "largest"), sqrt(145), 1e-12);
    assert_near(*leaf_number(x, "timeOfLargest"), 3, 0);
    assert_near(*leaf_number(x, "mean"), (sqrt(10) + sqrt(17) + sqrt(145) + 1) / 4, 1e-12);
    assert_near(*leaf_number(x, "rms"), sqrt((10 + 17 + 145 + 1) / 4.0), 1e-12);
    assert_near(*leaf_number(x, "alongTrack"), -1, 1e-12);
    assert_near(*leaf_number(x, "crossTrack"), 0, 1e-12);
    assert_near(*leaf_number(x, "distance"), sqrt(900 + 25), 1e-12);
    assert_near(*leaf_number(x, "travelled"), 30, 1e-12);
    assert_near(*leaf_number(x, "drift"), 100 / 30.0, 1e-12);
    assert_near(*leaf_number(x, "largestDrift"), 100 * sqrt(145) / 30, 1e-12);
    leaf_xyz(x, "estimatedPosition", -2, 30, 5); /* south of a course to the east: to starboard */
    leaf_step(x, 4, 1);
    assert_near(*leaf_number(x, "crossTrack"), 2, 1e-12);
    leaf_free(x);
}

/* Of nothing that was travelled there is no percentage, and what is not known does not end a run.
 */
static void test_drift_of_nothing(void **unused) {
    leaf x = leaf_make(&hk_auv_position_error);
    (void)unused;
    leaf_init(x, 0);
    for (int k = 0; k < 3; k++) {
        assert_true(isnan(*leaf_number(x, "drift")) && isnan(*leaf_number(x, "largestDrift")));
        leaf_xyz(x, "truePosition", 7, 8, 9);
        leaf_xyz(x, "estimatedPosition", 7, 8, 4);
        leaf_step(x, k, 1);
        assert_near(*leaf_number(x, "error"), 5, 1e-12);
    }
    leaf_xyz(x, "truePosition", 17, 8, 9);
    leaf_step(x, 3, 1);
    assert_near(*leaf_number(x, "drift"), 10 * sqrt(125), 1e-12);
    for (size_t i = 0; i < x.type->port_count; i++)
        assert_int_equal(x.type->ports[i].may_be_nan,
                         strstr(x.type->ports[i].name, "rift") != NULL);
    leaf_free(x);
}

/* White noise has n / sqrt(T); a ramp of slope a has a T / sqrt(2). */
static void test_allan(void **unused) {
    hk_stream noise = hk_stream_make(3, 0, "test", "allan");
    leaf x = leaf_make(&hk_auv_allan_deviation), y = leaf_make(&hk_auv_allan_deviation);
    (void)unused;
    leaf_init(x, 0);
    leaf_init(y, 0);
    for (int k = 0; k < 1 << 20; k++) {
        *leaf_number(x, "signal") = 0.5 * hk_stream_normal(&noise, k, 0);
        *leaf_number(y, "signal") = 3e-3 * k;
        leaf_step(x, 0.01 * k, 0.01);
        leaf_step(y, 0.01 * k, 0.01);
    }
    const int64_t *count = leaf_port(x, "count", HK_TYPE_I64);
    for (int i = 0; i < 24; i++) {
        int64_t means = 1 << 20 >> i;
        assert_int_equal(count[i], means > 1 ? means - 1 : 0);
        if (count[i] == 0)
            continue;
        double time = leaf_number(x, "averagingTime")[i];
        assert_near(time, 0.01 * (double)(1 << i), 1e-12 * time);
        assert_near(leaf_number(y, "deviation")[i], 0.3 * time / sqrt(2), 1e-6 * time);
        if (i < 10) /* 1023 differences leave 3 % open */
            assert_near(leaf_number(x, "deviation")[i], 0.05 / sqrt(time),
                        (i < 6 ? 0.03 : 0.1) * 0.05 / sqrt(time));
    }
    leaf_free(x);
    leaf_free(y);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position_error),
        cmocka_unit_test(test_drift_of_nothing),
        cmocka_unit_test(test_allan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
