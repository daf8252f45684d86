/* SPDX-License-Identifier: MIT
 *
 * The Kalman filter: what it refuses, and how its covariance is carried on. */
#include "navigation_rig.h"

static void test_gate(void **unused) {
    (void)unused;
    assert_near(hk_auv_eskf_limit(1, 0.999), 10.8276, 1e-3);
    assert_near(hk_auv_eskf_limit(2, 0.999), 13.8155, 1e-3);
    assert_near(hk_auv_eskf_limit(3, 0.999), 16.2662, 1e-3);
    assert_near(hk_auv_eskf_limit(3, 0.5), 2.36597, 1e-4);
    for (int gated = 0; gated < 2; gated++) {
        leaf x = function("Eskf");
        *leaf_number(x, "gate") = gated ? 0.999 : 0;
        leaf_xyz(x, "acceleration", 0, 0, -GRAVITY);
        leaf_init(x, 0);
        for (int k = 0; k < 100; k++) {
            *leaf_number(x, "bodySpeedStamp") = k / 10;
            leaf_xyz(x, "bodySpeed", k >= 90 ? 3 : 0, 0, 0);
            leaf_step(x, 0.01 * k, 0.01);
        }
        const int64_t *updates = leaf_port(x, "updates", HK_TYPE_I64);
        const int64_t *rejected = leaf_port(x, "rejected", HK_TYPE_I64);
        assert_int_equal(updates[ESKF_DVL], 10); /* each stamp once */
        assert_int_equal(rejected[ESKF_DVL], gated);
        assert_true(*leaf_number(x, "nis") > 1000);
        if (gated)
            assert_near(*leaf_number(x, "velocity.x"), 0, 0.01);
        else
            assert_true(*leaf_number(x, "velocity.x") > 0.1);
        leaf_free(x);
    }
}

/* A filter that is wrong is put right in the end, unless it is told otherwise. */
static void test_patience(void **unused) {
    (void)unused;
    for (int patience = 0; patience <= 5; patience += 5) {
        leaf x = function("Eskf");
        *(int32_t *)leaf_port(x, "patience", HK_TYPE_I32) = patience;
        leaf_xyz(x, "acceleration", 0, 0, -GRAVITY);
        leaf_init(x, 0);
        *leaf_number(x, "depth") = 6;
        *leaf_truth(x, "depthValid") = true;
        for (int k = 0; k < 1000; k++) {
            *leaf_number(x, "depthStamp") = k / 100;
            leaf_step(x, 0.01 * k, 0.01);
        }
        const int64_t *rejected = leaf_port(x, "rejected", HK_TYPE_I64);
        assert_int_equal(rejected[ESKF_DEPTH], patience ? 5 : 10);
        assert_near(estimate(x).z, patience ? 6 : 0, 0.2);
        leaf_free(x);
    }
}

/* Another function goes on where the last one was. */
static void test_switch(void **unused) {
    leaf x = function("DvlGyro");
    leaf_xyz(x, "bodySpeed", 2, 0, 0);
    leaf_xyz(x, "acceleration", 0, 0, -GRAVITY);
    (void)unused;
    leaf_init(x, 0);
    for (int k = 0; k < 300; k++) {
        leaf_choose(x, "myNavFunctionNumber",
                    k < 100   ? "DvlGyro"
                    : k < 200 ? "Eskf"
                              : "GyroAccelerometer");
        *leaf_number(x, "bodySpeedStamp") = k;
        leaf_step(x, 0.01 * k, 0.01);
        assert_near(apart(estimate(x), hk_geo_vector(0.02 * (k + 1), 0, 0)), 0, 1e-3);
    }
    leaf_free(x);
}

/* A vehicle of 2 m/s that turns at RATE, as its instruments see it at the end of step K of 10 ms.
 */
typedef struct turning {
    double yaw;
    hk_geo_vector3 position;
} turning;

static void turn_on(turning *to, leaf x, double rate, int k) {
    double middle = to->yaw + 0.005 * rate;
    to->position.x += 0.02 * cos(middle);
    to->position.y += 0.02 * sin(middle);
    to->yaw += 0.01 * rate;
    leaf_xyz(x, "bodySpeed", 2, 0, 0);
    leaf_xyz(x, "rotationSpeed", 0, 0, rate);
    leaf_xyz(x, "acceleration", 0, 2 * rate, -GRAVITY);
    leaf_xyz(x, "gpsPosition", to->position.x, to->position.y, to->position.z);
    *leaf_number(x, "heading") = hk_geo_wrap(to->yaw);
    *leaf_number(x, "bodySpeedStamp") = k / 20; /* 5 Hz */
    *leaf_number(x, "headingStamp") = k / 10;   /* 10 Hz */
}

static double yaw_error(leaf x, const turning *truth) {
    return fabs(hk_geo_wrap(*leaf_number(x, "attitude.z") - truth->yaw));
}

static leaf turning_filter(turning *truth) {
    leaf x = function("Eskf");
    *truth = (turning){.position = {300, -200, 0}};
    leaf_xyz(x, "initialPosition", 300, -200, 0);
    leaf_xyz(x, "initialVelocity", 2, 0, 0);
    *leaf_truth(x, "headingValid") = true;
    return x;
}

/* A gyroscope that is lost for two seconds while a turn begins: what it said last is held, the
 * filter knows how little that is worth, and the first headings put it right. One that is not told
 * does not come back so soon. */
static void test_rotation_that_is_held(void **unused) {
    (void)unused;
    for (int told = 0; told < 2; told++) {
        turning truth;
        leaf x = turning_filter(&truth);
        leaf_init(x, 0);
        for (int k = 0; k < 1300; k++) {
            turn_on(&truth, x, k < 1000 ? 0 : 0.1, k);
            if (k >= 1000 && k < 1200) {
                leaf_xyz(x, "rotationSpeed", 0, 0, 0);
                *leaf_truth(x, "rotationSpeedValid") = !told;
            } else {
                *leaf_truth(x, "rotationSpeedValid") = true;
            }
            leaf_step(x, 0.01 * k, 0.01);
            if (k == 999)
                assert_true(leaf_number(x, "standardDeviations")[8] < 0.005);
            if (k == 1099 && told)
                assert_true(leaf_number(x, "standardDeviations")[8] > 0.005);
        }
        const int64_t *rejected = leaf_port(x, "rejected", HK_TYPE_I64);
        assert_int_equal(rejected[ESKF_COMPASS] > 0, !told);
        assert_near(yaw_error(x, &truth), 0, told ? 0.002 : 0.05);
        if (told) /* far from the origin a turn of many corrections moves it a little */
            assert_near(apart(estimate(x), truth.position), 0, 0.5);
        leaf_free(x);
    }
}

static void test_force_that_is_held(void **unused) {
    (void)unused;
    turning truth;
    leaf x = turning_filter(&truth);
    leaf_init(x, 0);
    for (int k = 0; k < 1300; k++) {
        turn_on(&truth, x, k < 1000 ? 0 : 0.1, k);
        bool lost = k >= 1000 && k < 1200;
        *leaf_truth(x, "accelerationValid") = !lost;
        if (lost)
            leaf_xyz(x, "acceleration", 0, 0, -GRAVITY);
        leaf_step(x, 0.01 * k, 0.01);
    }
    const int64_t *rejected = leaf_port(x, "rejected", HK_TYPE_I64);
    assert_int_equal(rejected[ESKF_DVL], 0);
    assert_near(apart(estimate(x), truth.position), 0, 0.3);
    leaf_free(x);
}

/* A heading that is wrong by 20 degrees, of which the filter is sure: when patience ends, two
 * seconds later, it is put right at once. The position, far from the origin, does not turn with it.
 */
static void test_doubt(void **unused) {
    (void)unused;
    turning truth;
    leaf x = turning_filter(&truth);
    leaf_xyz(x, "initialAttitude", 0, 0, 20);
    leaf_init(x, 0);
    for (int k = 0; k < 400; k++) {
        turn_on(&truth, x, 0, k);
        leaf_step(x, 0.01 * k, 0.01);
        if (k == 150)
            assert_near(yaw_error(x, &truth), DEGREES(20), DEGREES(2));
    }
    assert_near(yaw_error(x, &truth), 0, DEGREES(0.5));
    assert_near(*leaf_number(x, "velocity.x"), 2, 0.02);
    assert_near(*leaf_number(x, "velocity.y"), 0, 0.05);
    assert_near(apart(estimate(x), truth.position), 0, 0.1);
    leaf_free(x);
}

/* A speed and a place that are wrong come back in the same way. */
static void test_doubt_about_speed_and_place(void **unused) {
    (void)unused;
    turning truth;
    leaf x = turning_filter(&truth);
    leaf_xyz(x, "initialVelocity", 0, 0, 0);
    leaf_xyz(x, "initialPosition", 340, -200, 0);
    *leaf_truth(x, "gpsValid") = true;
    leaf_init(x, 0);
    for (int k = 0; k < 3000; k++) {
        turn_on(&truth, x, 0, k);
        *leaf_number(x, "gpsStamp") = k / 100;
        leaf_step(x, 0.01 * k, 0.01);
        if (k == 450) /* 22 pings */
            assert_near(*leaf_number(x, "velocity.x"), 2, 0.05);
    }
    assert_near(apart(estimate(x), truth.position), 0, 1);
    leaf_free(x);
}

/* Another function takes over speed and heading, also in a turn, and also while the DVL is not
 * there. */
static void switch_in_a_turn(const char *first, bool dvl, double tolerance) {
    turning truth;
    leaf x = turning_filter(&truth);
    leaf_choose(x, "myNavFunctionNumber", first);
    *leaf_truth(x, "gpsValid") = true;
    leaf_init(x, 0);
    for (int k = 0; k < 3000; k++) {
        turn_on(&truth, x, 0.1, k);
        *leaf_number(x, "gpsStamp") = k / 100;
        if (k == 1000)
            *leaf_truth(x, "bodySpeedValid") = dvl;
        if (k == 1010)
            leaf_choose(x, "myNavFunctionNumber", "DvlGyro");
        if (!*leaf_truth(x, "bodySpeedValid"))
            leaf_xyz(x, "bodySpeed", 7, 7, 7); /* nobody may look at it */
        assert_int_equal(leaf_step(x, 0.01 * k, 0.01), HK_STEP_OK);
        if (k >= 1010) {
            assert_near(yaw_error(x, &truth), 0, tolerance);
            assert_near(apart(estimate(x), truth.position), 0, 40 * tolerance);
        }
    }
    leaf_free(x);
}

static void test_switch_in_a_turn(void **unused) {
    (void)unused;
    const char *const functions[] = {"Eskf", "GyroAccelerometer", "Gps", "DvlGyro"};
    for (size_t i = 0; i < COUNT(functions); i++)
        for (int dvl = 0; dvl < 2; dvl++)
            switch_in_a_turn(functions[i], dvl, 0.002);
}

/* The transition of the covariance is that of the errors: a deviation of the start, carried on by
 * the navigation itself, is what the covariance of that one deviation says. */
static void test_transition(void **unused) {
    (void)unused;
    for (int axis = 0; axis < ESKF_STATES; axis++) {
        eskf_tuning k = {.gravity = GRAVITY, .covariance_period = 0.05};
        eskf a = {.position = {300, -200, 40}, .velocity = {1.2, 0.5, -0.1}};
        a.attitude = hk_geo_quaternion_of_euler((hk_geo_euler){0.1, -0.2, 2});
        eskf b = a;
        const double small = 1e-6;
        hk_auv_eskf_begin(&a, &k);
        memset(a.covariance, 0, sizeof a.covariance);
        a.covariance[axis][axis] = 1;
        double error[ESKF_STATES] = {0};
        error[axis] = small;
        hk_geo_vector3 turn = hk_geo_vector(error[6], error[7], error[8]);
        hk_geo_matrix3 e = hk_geo_matrix_of_turn(turn);
        b.position =
            hk_geo_add(hk_geo_apply(&e, b.position), hk_geo_vector(error[0], error[1], error[2]));
        b.velocity =
            hk_geo_add(hk_geo_apply(&e, b.velocity), hk_geo_vector(error[3], error[4], error[5]));
        b.attitude = hk_geo_quaternion_product(hk_geo_quaternion_of_turn(turn), b.attitude);
        b.accelerometer_bias = hk_geo_vector(error[9], error[10], error[11]);
        b.gyroscope_bias = hk_geo_vector(error[12], error[13], error[14]);
        hk_auv_eskf_begin(&b, &k);
        for (int i = 0; i < 200; i++) {
            eskf_motion motion = {.force = {0.3, -0.1, -9.7},
                                  .rotation_speed = {0.05, -0.02, 0.1},
                                  .force_valid = true,
                                  .rotation_valid = true};
            hk_auv_eskf_step(&a, &k, &motion, 0.01);
            hk_auv_eskf_step(&b, &k, &motion, 0.01);
        }
        hk_geo_quaternion between =
            hk_geo_quaternion_product(b.attitude, hk_geo_conjugate(a.attitude));
        hk_geo_vector3 f = hk_geo_turn_of_quaternion(between);
        e = hk_geo_matrix_of_turn(f);
        hk_geo_vector3 r = hk_geo_subtract(b.position, hk_geo_apply(&e, a.position));
        hk_geo_vector3 n = hk_geo_subtract(b.velocity, hk_geo_apply(&e, a.velocity));
        const double now[] = {r.x, r.y, r.z, n.x, n.y, n.z, f.x, f.y, f.z};
        for (int i = 0; i < 9; i++) {
            double expected = sqrt(a.covariance[i][i]), scale = i < 3 ? 400 : i < 6 ? 20 : 2;
            assert_near(fabs(now[i]) / small, expected, 1e-3 * scale);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_rotation_that_is_held),
        cmocka_unit_test(test_force_that_is_held),
        cmocka_unit_test(test_doubt),
        cmocka_unit_test(test_doubt_about_speed_and_place),
        cmocka_unit_test(test_switch_in_a_turn),
        cmocka_unit_test(test_transition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
