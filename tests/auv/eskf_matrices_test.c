/* SPDX-License-Identifier: MIT
 *
 * The matrices of the Kalman filter against differences: how each measurement depends on each of
 * the fifteen errors, and how the errors of one instant become those of another. The vehicle rolls
 * and pitches, is far from the origin, and its instruments are at arms, so that no element is 0 by
 * chance. */
#include "navigation_rig.h"

#define SMALL 1e-6

static const eskf_tuning tuning = {.gravity = GRAVITY,
                                   .covariance_period = 10,
                                   .dvl_sigma = {1, 1, 1},
                                   .depth_sigma = 1,
                                   .gps_sigma = 1,
                                   .compass_sigma = 1,
                                   .dvl_arm = {1.5, -0.7, 0.4},
                                   .depth_arm = {-0.8, 0.3, 0.6},
                                   .gps_arm = {0.9, -0.2, -1.1}};

static const eskf_motion motion = {.force = {0.3, -0.1, -9.7},
                                   .rotation_speed = {0.05, -0.02, 0.1},
                                   .force_valid = true,
                                   .rotation_valid = true};

/* X with the errors E: what is true if the estimate is wrong by them. */
static eskf wrong_by(const eskf *x, const double e[ESKF_STATES]) {
    eskf y = *x;
    hk_geo_vector3 turn = hk_geo_vector(e[6], e[7], e[8]);
    hk_geo_matrix3 r = hk_geo_matrix_of_turn(turn);
    y.position = hk_geo_add(hk_geo_apply(&r, x->position), hk_geo_vector(e[0], e[1], e[2]));
    y.velocity = hk_geo_add(hk_geo_apply(&r, x->velocity), hk_geo_vector(e[3], e[4], e[5]));
    y.attitude = hk_geo_quaternion_product(hk_geo_quaternion_of_turn(turn), x->attitude);
    y.rotation = hk_geo_matrix_of_quaternion(y.attitude);
    y.accelerometer_bias = hk_geo_add(x->accelerometer_bias, hk_geo_vector(e[9], e[10], e[11]));
    y.gyroscope_bias = hk_geo_add(x->gyroscope_bias, hk_geo_vector(e[12], e[13], e[14]));
    y.rotation_speed = hk_geo_subtract(x->rotation_speed, hk_geo_vector(e[12], e[13], e[14]));
    return y;
}

/* The other way: the errors by which Y differs from X. */
static void errors_of(const eskf *x, const eskf *y, double ret[ESKF_STATES]) {
    hk_geo_vector3 f = hk_geo_turn_of_quaternion(
        hk_geo_quaternion_product(y->attitude, hk_geo_conjugate(x->attitude)));
    hk_geo_matrix3 turned = hk_geo_matrix_of_turn(f);
    hk_geo_vector3 parts[] = {hk_geo_subtract(y->position, hk_geo_apply(&turned, x->position)),
                              hk_geo_subtract(y->velocity, hk_geo_apply(&turned, x->velocity)), f,
                              hk_geo_subtract(y->accelerometer_bias, x->accelerometer_bias),
                              hk_geo_subtract(y->gyroscope_bias, x->gyroscope_bias)};
    for (int i = 0; i < ESKF_STATES; i++)
        ret[i] = i % 3 == 0 ? parts[i / 3].x : i % 3 == 1 ? parts[i / 3].y : parts[i / 3].z;
}

static eskf some_filter(void) {
    eskf x = {.position = {300, -200, 40}, .velocity = {1.2, 0.5, -0.1}};
    x.attitude = hk_geo_quaternion_of_euler((hk_geo_euler){0.3, -0.4, 2});
    x.accelerometer_bias = hk_geo_vector(0.01, -0.02, 0.03);
    x.gyroscope_bias = hk_geo_vector(0.001, 0.002, -0.003);
    hk_auv_eskf_begin(&x, &tuning);
    x.rotation_speed = hk_geo_vector(0.04, -0.03, 0.1);
    x.known_step = 0.01; /* as after a step */
    x.decay[0] = x.decay[1] = 1;
    return x;
}

/* What an instrument says on board of X, as physics has it. */
static int said(const eskf *x, int sensor, double ret[3]) {
    hk_geo_vector3 v = hk_geo_add(hk_geo_apply_transposed(&x->rotation, x->velocity),
                                  hk_geo_cross(x->rotation_speed, tuning.dvl_arm));
    hk_geo_vector3 arm = sensor == ESKF_DEPTH ? tuning.depth_arm : tuning.gps_arm;
    hk_geo_vector3 at = hk_geo_add(x->position, hk_geo_apply(&x->rotation, arm));
    switch (sensor) {
    case ESKF_DVL:
        ret[0] = v.x, ret[1] = v.y, ret[2] = v.z;
        return 3;
    case ESKF_DEPTH:
        ret[0] = at.z;
        return 1;
    case ESKF_GPS:
        ret[0] = at.x, ret[1] = at.y;
        return 2;
    default:
        ret[0] = atan2(x->rotation.m[1][0], x->rotation.m[0][0]);
        return 1;
    }
}

static void correct_by(eskf *x, const eskf_tuning *k, int sensor, const double z[3]) {
    switch (sensor) {
    case ESKF_DVL:
        hk_auv_eskf_dvl(x, k, hk_geo_vector(z[0], z[1], z[2]));
        break;
    case ESKF_DEPTH:
        hk_auv_eskf_depth(x, k, z[0]);
        break;
    case ESKF_GPS:
        hk_auv_eskf_gps(x, k, z[0], z[1]);
        break;
    default:
        hk_auv_eskf_compass(x, k, z[0]);
    }
}

/* If only error J is possible, with a deviation of 1, and noise has one of 1, too, a measurement
 * that differs by d in line N corrects it by H[n][j] d / (1 + the sum of squares of column j). */
static void test_sensitivities(void **unused) {
    (void)unused;
    for (int sensor = 0; sensor < ESKF_SENSORS; sensor++)
        for (int j = 0; j < ESKF_STATES; j++) {
            eskf x = some_filter();
            x.position = hk_geo_vector(2, -1.5, 3); /* where arms are not small beside it */
            double here[3] = {0}, there[3] = {0}, error[ESKF_STATES] = {0}, column[3], squares = 1;
            int size = said(&x, sensor, here);
            error[j] = SMALL;
            eskf y = wrong_by(&x, error);
            said(&y, sensor, there);
            for (int n = 0; n < size; n++) {
                column[n] = (there[n] - here[n]) / SMALL;
                squares += column[n] * column[n];
            }
            for (int n = 0; n < size; n++) {
                eskf corrected = x;
                memset(corrected.covariance, 0, sizeof corrected.covariance);
                corrected.covariance[j][j] = 1;
                double z[3] = {here[0], here[1], here[2]}, moved[ESKF_STATES];
                z[n] += 1e-3;
                correct_by(&corrected, &tuning, sensor, z);
                errors_of(&x, &corrected, moved);
                for (int i = 0; i < ESKF_STATES; i++)
                    assert_near(moved[i] / 1e-3, i == j ? column[n] / squares : 0,
                                2e-3 * (i < 3 ? 10 : 1));
            }
        }
}

/* The noise of the gyroscope shakes a DVL at an arm, across it: seen in how a difference is
 * weighed. */
static void test_noise_through_the_arm(void **unused) {
    (void)unused;
    eskf_tuning k = tuning;
    k.gyroscope_noise = 0.02;
    const double arm[] = {k.dvl_arm.x, k.dvl_arm.y, k.dvl_arm.z};
    double squares = hk_geo_dot(k.dvl_arm, k.dvl_arm);
    for (int n = 0; n < 3; n++)
        for (int held = 0; held < 2; held++) {
            eskf x = some_filter();
            double z[3];
            said(&x, ESKF_DVL, z);
            z[n] += 0.5;
            memset(x.covariance, 0, sizeof x.covariance);
            x.held_turn = held;
            k.held_rotation = 0.3;
            hk_auv_eskf_dvl(&x, &k, hk_geo_vector(z[0], z[1], z[2]));
            double shake = 0.02 * 0.02 / 0.01 + held * 0.3 * 0.3;
            assert_near(x.nis[ESKF_DVL], 0.25 / (1 + shake * (squares - arm[n] * arm[n])), 1e-12);
        }
}

/* Each error of the start on its way, by the navigation itself, and by the covariance of this error
 * alone: the matrix between them is that of the differences, with its signs. */
static void test_transition(void **unused) {
    (void)unused;
    const double periods[] = {0.01, 0.05, 0.5};
    for (size_t p = 0; p < COUNT(periods); p++)
        for (int j = 0; j < ESKF_STATES; j++) {
            eskf_tuning k = tuning;
            k.covariance_period = periods[p];
            eskf x = some_filter();
            double error[ESKF_STATES] = {0}, now[ESKF_STATES];
            error[j] = SMALL;
            eskf y = wrong_by(&x, error);
            memset(x.covariance, 0, sizeof x.covariance);
            x.covariance[j][j] = 1;
            for (int i = 0; i < 50; i++) {
                hk_auv_eskf_step(&x, &k, &motion, 0.01);
                hk_auv_eskf_step(&y, &k, &motion, 0.01);
            }
            hk_auv_eskf_settle(&x, &k);
            errors_of(&x, &y, now);
            for (int i = 0; i < ESKF_STATES; i++)
                for (int l = 0; l < ESKF_STATES; l++) {
                    double expected = now[i] / SMALL * (now[l] / SMALL);
                    assert_near(x.covariance[i][l], expected,
                                2e-3 * fabs(expected) + 1e-3 * (i < 3 ? 10 : 1) * (l < 3 ? 10 : 1));
                }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sensitivities),
        cmocka_unit_test(test_noise_through_the_arm),
        cmocka_unit_test(test_transition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
