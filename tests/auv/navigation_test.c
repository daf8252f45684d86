/* SPDX-License-Identifier: MIT
 *
 * The navigation functions, against formulas that were derived by hand. */
#include "navigation_rig.h"

extern const hk_unit_type hk_auv_dvl_driver, hk_auv_position_error;

/* ---- a voyage with turns, a DVL and a gyroscope ---- */

typedef struct instrument_errors {
    double mounted, scale, heading; /* of the DVL, rad; of the DVL; of the start, rad */
} instrument_errors;

/* How far the estimate is off after 1000 s, and how far away the vehicle is. */
static double sail(instrument_errors e, hk_geo_vector3 *ret_truth, hk_geo_vector3 *ret_estimate) {
    const double h = 0.01;
    voyage truth = {.velocity = {SPEED, 0, 0}};
    leaf driver = leaf_make(&hk_auv_dvl_driver), x = function("DvlGyro");
    *leaf_number(x, "initialAttitude.z") = hk_geo_degrees(e.heading);
    leaf_init(driver, 0);
    leaf_init(x, 0);
    double *in = leaf_number(x, "bodySpeed.x"), *rotation = leaf_number(x, "rotationSpeed.x");
    const double *out = leaf_number(driver, "bodySpeed.x");
    double speed = SPEED * (1 + e.scale);
    leaf_xyz(driver, "sensorSpeed", speed * cos(e.mounted), -speed * sin(e.mounted), 0);
    for (int k = 0; k < 100000; k++) {
        voyage_step(&truth, k * h, h);
        leaf_step(driver, k * h, h);
        memcpy(in, out, 3 * sizeof *in);
        put3(rotation, truth.rotation_speed);
        leaf_step(x, k * h, h);
    }
    *ret_truth = truth.position;
    *ret_estimate = estimate(x);
    leaf_free(driver);
    leaf_free(x);
    return apart(*ret_truth, *ret_estimate);
}

static void test_dvl_gyro_errors(void **unused) {
    hk_geo_vector3 p, q;
    (void)unused;
    assert_near(sail((instrument_errors){0}, &p, &q), 0, 1e-5);
    double far = hk_geo_length(p), turn = hk_geo_radians(15);
    assert_true(far > 900);
    /* Mounted at an angle: the path is turned about the start, whatever it is. */
    assert_near(sail((instrument_errors){.mounted = turn}, &p, &q), 2 * sin(turn / 2) * far, 1e-4);
    assert_near(2 * sin(turn / 2), 0.261052, 1e-6);
    assert_near(q.x, cos(turn) * p.x + sin(turn) * p.y, 1e-4);
    assert_near(q.y, cos(turn) * p.y - sin(turn) * p.x, 1e-4);
    assert_near(sail((instrument_errors){.scale = 0.003}, &p, &q), 0.003 * far, 1e-4);
    assert_near(hk_geo_dot(q, p) / far, 1.003 * far, 1e-4);
    assert_near(sail((instrument_errors){.heading = 0.02}, &p, &q), 2 * sin(0.01) * far, 1e-4);
}

/* ---- straight on ---- */

static leaf straight(const char *name, double speed) {
    leaf x = function(name);
    leaf_xyz(x, "bodySpeed", speed, 0, 0);
    leaf_xyz(x, "acceleration", 0, 0, -GRAVITY);
    return x;
}

/* 5 degrees/h at 1.5 m/s for half an hour. */
static void test_gyro_bias(void **unused) {
    double bias = hk_geo_radians(5) / 3600;
    (void)unused;
    for (int three_axis = 0; three_axis < 2; three_axis++) {
        leaf x = straight("DvlGyro", 1.5);
        *leaf_truth(x, "threeAxis") = three_axis;
        leaf_xyz(x, "rotationSpeed", 0, 0, bias);
        leaf_init(x, 0);
        for (int k = 0; k < 18000; k++)
            leaf_step(x, 0.1 * k, 0.1);
        double error = apart(estimate(x), hk_geo_vector(2700, 0, 0));
        assert_near(error, 0.5 * 1.5 * bias * 1800 * 1800, 0.01);
        assert_near(error, 58.9, 0.05);
        assert_near(*leaf_number(x, "attitude.z"), 1800 * bias, 1e-12);
        leaf_free(x);
    }
}

/* The spread of where RUNS vehicles believe to be, across and along. */
static void spread(double gyro_noise, double speed_noise, int runs, double h, double *ret_along,
                   double *ret_across) {
    double along = 0, across = 0;
    for (int run = 0; run < runs; run++) {
        hk_stream noise = hk_stream_make(7, (uint64_t)run, "test", "noise");
        leaf x = straight("DvlGyro", 1.5);
        *leaf_truth(x, "threeAxis") = false;
        leaf_init(x, 0);
        double *rotation = leaf_number(x, "rotationSpeed.x"), *in = leaf_number(x, "bodySpeed.x");
        for (int k = 0; k < (int)(1800 / h + 0.5); k++) {
            if (gyro_noise > 0)
                rotation[2] = gyro_noise / sqrt(h) * hk_stream_normal(&noise, k, 0);
            if (speed_noise > 0) {
                in[0] = 1.5 + speed_noise * hk_stream_normal(&noise, k, 1);
                in[1] = speed_noise * hk_stream_normal(&noise, k, 2);
            }
            leaf_step(x, k * h, h);
        }
        hk_geo_vector3 p = estimate(x);
        along += (p.x - 2700) * (p.x - 2700) / runs;
        across += p.y * p.y / runs;
        leaf_free(x);
    }
    *ret_along = sqrt(along);
    *ret_across = sqrt(across);
}

static void test_noise(void **unused) {
    double along, across;
    (void)unused;
    double walk = hk_geo_radians(0.15) / 60; /* 0.15 degrees/sqrt(h) */
    double formula = 1.5 * walk * sqrt(1800.0 * 1800 * 1800 / 3);
    assert_near(formula, 2.89, 0.005);
    spread(walk, 0, 2000, 10, &along, &across);
    assert_near(across, formula, 0.05 * formula); /* three times what 2000 runs leave open */
    formula = 0.01 * sqrt(1800 / 5.0);
    assert_near(formula, 0.19, 0.001);
    spread(0, 0.01, 500, 0.2, &along, &across);
    assert_near(along, formula, 0.1 * formula);
    assert_near(across, formula, 0.1 * formula);
}

static void test_inertial(void **unused) {
    const double h = 0.01, t = 300;
    (void)unused;
    for (int i = 0; i < 3; i++) {
        double force = i == 1 ? 1e-3 : 0, rotation = i == 2 ? hk_geo_radians(1) / 3600 : 0;
        leaf x = straight("GyroAccelerometer", 0);
        leaf_xyz(x, "initialVelocity", 0, 1.5, 0);
        leaf_xyz(x, "initialPosition", 10, 20, 30);
        leaf_xyz(x, "acceleration", force, 0, -GRAVITY);
        leaf_xyz(x, "rotationSpeed", 0, rotation, 0); /* pitch, to which it adds up */
        leaf_init(x, 0);
        assert_near(estimate(x).z, 30, 0);
        for (int k = 0; k < (int)(t / h); k++)
            leaf_step(x, k * h, h);
        double expected = 0.5 * force * t * t - GRAVITY * rotation * t * t * t / 6;
        assert_near(estimate(x).x, 10 + expected, 1e-6 + 1e-4 * fabs(expected));
        assert_near(estimate(x).y, 20 + 1.5 * t, 1e-6);
        assert_near(estimate(x).z, 30, i == 2 ? 0.01 * fabs(expected) : 1e-6);
        leaf_free(x);
    }
}

/* 20 km at 5 m/s with a step of 1 ms: what is left is rounding. Each instant that is seen too late
 * costs 5 mm. */
static void test_skew(void **unused) {
    (void)unused;
    for (int late = 0; late < 4; late++) {
        leaf x = straight("DvlGyro", 0), y = leaf_make(&hk_auv_position_error);
        if (late)
            leaf_xyz(x, "initialVelocity", 5, 0, 0);
        leaf_init(x, 0);
        leaf_init(y, 0);
        double *in = leaf_number(x, "bodySpeed.x"), *truth = leaf_number(y, "truePosition.x");
        double *p = leaf_number(y, "estimatedPosition.x");
        int steps = late ? 40000 : 4000000;
        for (int k = 0; k < steps; k++) {
            in[0] = k >= late ? 5 : 0;
            leaf_step(x, 1e-3 * k, 1e-3);
            truth[0] = 5e-3 * (k + 1);
            put3(p, estimate(x));
            leaf_step(y, 1e-3 * k, 1e-3);
        }
        assert_near(*leaf_number(y, "error"), 0.005 * late, late ? 1e-8 : 1e-5);
        if (!late) /* the estimate of the instant before */
            assert_near(fabs(truth[0] - 0.005 - p[0]), 0.005, 1e-5);
        assert_near(*leaf_number(y, "travelled"), truth[0] - 0.005, 1e-4);
        leaf_free(x);
        leaf_free(y);
    }
}

/* A vehicle that is turned into a current at once, in its first step, and goes on to the north. */
static void test_first_step(void **unused) {
    double crab = -0.375, h = 1e-3;
    leaf x = straight("DvlGyro", 0);
    (void)unused;
    leaf_init(x, 0);
    leaf_xyz(x, "bodySpeed", 2.5 * cos(crab), -2.5 * sin(crab), 0);
    for (int k = 0; k < 1000; k++) {
        *leaf_number(x, "rotationSpeed.z") = k == 0 ? crab / h : 0;
        leaf_step(x, k * h, h);
        assert_near(apart(estimate(x), hk_geo_vector(2.5 * h * (k + 1), 0, 0)), 0, 1e-12);
    }
    leaf_free(x);
}

/* ---- an outage ---- */

/* On a circle through water that moves east with CURRENT, without a DVL for OUTAGE: how far off is
 * the estimate for that? */
static double miss(double rate, double current, double outage) {
    const double h = 0.001, speed = 1.5;
    leaf x = function("DvlGyro");
    leaf_xyz(x, "initialVelocity", speed, current, 0);
    leaf_init(x, 0);
    double *in = leaf_number(x, "bodySpeed.x");
    bool *valid = leaf_truth(x, "bodySpeedValid");
    leaf_xyz(x, "rotationSpeed", 0, 0, rate);
    for (int k = 0; k < 20000; k++) {
        double t = k * h, yaw = rate * (t + h);
        *valid = !(t >= 5 && t < 5 + outage);
        in[0] = *valid ? speed + current * sin(yaw) : 99;
        in[1] = *valid ? current * cos(yaw) : 99;
        leaf_step(x, t, h);
    }
    double yaw = 20 * rate;
    hk_geo_vector3 truth = rate == 0
                               ? hk_geo_vector(speed * 20, current * 20, 0)
                               : hk_geo_vector(speed * sin(yaw) / rate,
                                               speed * (1 - cos(yaw)) / rate + current * 20, 0);
    double error = apart(estimate(x), truth);
    leaf_free(x);
    return error;
}

static void test_outage(void **unused) {
    (void)unused;
    assert_near(miss(0, 0.5, 4), 0, 1e-9);
    assert_near(miss(0.05, 0, 4), 0, 1e-6);
    assert_near(miss(0.05, 0.5, 0), 0, 1e-6);
    /* What turns as seen from on board is the current. */
    assert_near(miss(0.05, 0.5, 4), 0.5 * 0.5 * 0.05 * 16, 0.01 * 0.2);
}

/* ---- attitudes ---- */

/* Turning about all axes at once: half the step, a quarter of the error. */
static double corkscrew(double h) {
    leaf x = function("DvlGyro");
    leaf_xyz(x, "initialAttitude", 5, -10, 30);
    leaf_init(x, 0);
    double *in = leaf_number(x, "bodySpeed.x");
    leaf_xyz(x, "rotationSpeed", 0.1, 0.2, -0.3);
    hk_geo_quaternion q = hk_geo_quaternion_of_euler(
        (hk_geo_euler){hk_geo_radians(5), hk_geo_radians(-10), hk_geo_radians(30)});
    leaf_xyz(x, "initialVelocity", 0, 0, 0);
    hk_geo_vector3 truth = {0};
    int steps = (int)(10 / h + 0.5), fine = 64;
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < fine; i++) { /* what is to be found, in small steps */
            double t = (k + (i + 0.5) / fine) * h;
            hk_geo_quaternion at = hk_geo_turned(q, hk_geo_scale(t, hk_geo_vector(0.1, 0.2, -0.3)));
            truth = hk_geo_add(
                truth,
                hk_geo_scale(h / fine, hk_geo_rotate(at, hk_geo_vector(1 + 0.1 * t, 0, 0.2))));
        }
        if (k == 0) {
            in[0] = 1, in[2] = 0.2;
            navigation_function *n = x.self;
            n->last_speed = hk_geo_vector(1, 0, 0.2);
            n->speed_known = true;
        }
        in[0] = 1 + 0.1 * (k + 1) * h, in[2] = 0.2;
        leaf_step(x, k * h, h);
    }
    hk_geo_euler e = hk_geo_euler_of_quaternion(
        hk_geo_turned(q, hk_geo_scale(10, hk_geo_vector(0.1, 0.2, -0.3))));
    assert_near(*leaf_number(x, "attitude.x"), e.roll, 1e-12);
    assert_near(*leaf_number(x, "attitude.y"), e.pitch, 1e-12);
    assert_near(*leaf_number(x, "attitude.z"), e.yaw, 1e-12);
    double error = apart(estimate(x), truth);
    leaf_free(x);
    return error;
}

static void test_second_order(void **unused) {
    (void)unused;
    double coarse = corkscrew(0.1), fine = corkscrew(0.05);
    assert_true(coarse < 0.01);
    assert_near(coarse / fine, 4, 0.2);
}

static void test_dvl_compass(void **unused) {
    leaf x = function("DvlCompass");
    voyage truth = {.velocity = {SPEED * cos(3), SPEED * sin(3), 0}, .yaw = 3};
    (void)unused;
    leaf_xyz(x, "initialAttitude", 4, 5, 6); /* it looks at the compass only, and is level */
    leaf_xyz(x, "bodySpeed", SPEED, 0, 0);
    leaf_init(x, 0);
    double *heading = leaf_number(x, "heading");
    *leaf_truth(x, "headingValid") = true;
    *heading = 3;
    for (int k = 0; k < 50000; k++) { /* across the border of pi */
        voyage_step(&truth, 0.01 * k, 0.01);
        *heading = hk_geo_wrap(truth.yaw);
        bool lost = k % 230 >= 200 && truth.rotation_speed.z == 0; /* on a leg it does not matter */
        *leaf_truth(x, "headingValid") = !lost;
        if (lost)
            *heading = 99;
        leaf_step(x, 0.01 * k, 0.01);
    }
    assert_near(apart(estimate(x), truth.position), 0, 1e-5);
    assert_near(*leaf_number(x, "attitude.x"), 0, 0);
    leaf_free(x);
}

/* ---- GPS, truth, words ---- */

static void test_gps(void **unused) {
    leaf x = function("Gps");
    (void)unused;
    leaf_xyz(x, "initialPosition", 1, 2, 3);
    leaf_init(x, 10);
    leaf_xyz(x, "gpsPosition", 7, 8, 9);
    leaf_step(x, 10, 1);
    assert_near(apart(estimate(x), hk_geo_vector(1, 2, 3)), 0, 0);
    assert_near(*leaf_number(x, "gpsAge"), 1, 0);
    *leaf_truth(x, "gpsValid") = true;
    *leaf_number(x, "gpsStamp") = 11.5;
    leaf_step(x, 11, 1);
    assert_near(apart(estimate(x), hk_geo_vector(7, 8, 9)), 0, 0);
    assert_near(*leaf_number(x, "gpsAge"), 0.5, 0);
    *leaf_truth(x, "gpsValid") = false;
    leaf_xyz(x, "gpsPosition", 70, 80, 90);
    leaf_step(x, 12, 1);
    assert_near(apart(estimate(x), hk_geo_vector(7, 8, 9)), 0, 0);
    assert_near(*leaf_number(x, "gpsAge"), 1.5, 0);
    leaf_free(x);
}

static void test_words(void **unused) {
    leaf x = function("Truth");
    (void)unused;
    leaf_init(x, 0);
    leaf_xyz(x, "truePosition", 4, 5, 6);
    assert_null(leaf_complaint(x));
    assert_int_equal(leaf_step(x, 0, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "allowTruth = true"));
    *leaf_truth(x, "allowTruth") = true;
    leaf_xyz(x, "truePosition", (double)NAN, (double)NAN, (double)NAN); /* as without a link */
    assert_int_equal(leaf_step(x, 0, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "nothing is linked to truePosition"));
    leaf_xyz(x, "truePosition", 4, 5, 6);
    assert_int_equal(leaf_step(x, 0, 1), HK_STEP_OK);
    assert_near(apart(estimate(x), hk_geo_vector(4, 5, 6)), 0, 0);
    leaf_choose(x, "myNavFunctionNumber", "6");
    assert_int_equal(leaf_step(x, 1, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "there is no function 6"));
    leaf_choose(x, "myNavFunctionNumber", "Eskf");
    *leaf_number(x, "gate") = 1;
    assert_int_equal(leaf_step(x, 1, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "gate"));
    *leaf_number(x, "gate") = 0;
    *leaf_number(x, "depthSigma") = 0;
    assert_int_equal(leaf_step(x, 1, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "depthSigma"));
    /* Also what changes while it runs. */
    *leaf_number(x, "depthSigma") = 0.1;
    assert_int_equal(leaf_step(x, 1, 1), HK_STEP_OK);
    *leaf_number(x, "gpsSigma") = -1;
    assert_int_equal(leaf_step(x, 2, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "gpsSigma"));
    leaf_free(x);
}

/* Nothing is linked to it in a new one. */
static void test_truth_without_a_link(void **unused) {
    (void)unused;
    leaf x = function("Truth");
    *leaf_truth(x, "allowTruth") = true;
    leaf_init(x, 0);
    assert_int_equal(leaf_step(x, 0, 1), HK_STEP_FAILED);
    assert_non_null(strstr(leaf_complaint(x), "nothing is linked to truePosition"));
    leaf_free(x);
}

/* Before the first sample of an accelerometer it is not known what holds the vehicle up. */
static void test_inertial_waits_for_its_sensors(void **unused) {
    (void)unused;
    leaf x = function("GyroAccelerometer");
    leaf_xyz(x, "initialVelocity", 2, 0, 0);
    leaf_xyz(x, "initialAttitude", 3, -4, 0);
    *leaf_truth(x, "accelerationValid") = *leaf_truth(x, "rotationSpeedValid") = false;
    leaf_init(x, 0);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(leaf_step(x, 0.001 * k, 0.001), HK_STEP_OK);
    assert_near(apart(estimate(x), hk_geo_vector(2, 0, 0)), 0, 1e-9);
    leaf_free(x);
}

/* ---- what has no influence ---- */

static const char *const groups[] = {"bodySpeed", "rotationSpeed", "acceleration", "gps",
                                     "depth",     "heading",       "truePosition"};

/* A run in which the inputs of a group, but for the one that is spoilt, are what they should be. */
static void outputs_of(const char *name, int spoilt, double ret_outputs[64]) {
    voyage truth = {.velocity = {SPEED, 0, 0}};
    leaf x = function(name);
    *leaf_truth(x, "allowTruth") = true;
    leaf_xyz(x, "initialVelocity", SPEED, 0, 0);
    leaf_init(x, 0);
    for (int k = 0; k < 11500; k++) {
        voyage_step(&truth, k * STEP, STEP);
        put3(leaf_number(x, "bodySpeed.x"), hk_geo_vector(SPEED, 0, 0));
        *leaf_number(x, "bodySpeedStamp") = k;
        put3(leaf_number(x, "rotationSpeed.x"), truth.rotation_speed);
        put3(leaf_number(x, "acceleration.x"), truth.force);
        put3(leaf_number(x, "gpsPosition.x"), truth.position);
        put3(leaf_number(x, "truePosition.x"), truth.position);
        *leaf_number(x, "heading") = truth.yaw;
        *leaf_truth(x, "gpsValid") = *leaf_truth(x, "depthValid") = *leaf_truth(x, "headingValid") =
            true;
        *leaf_number(x, "gpsStamp") = *leaf_number(x, "depthStamp") =
            *leaf_number(x, "headingStamp") = k / 50;
        for (size_t i = 0; spoilt >= 0 && i < x.type->port_count; i++) {
            const hk_port *port = &x.type->ports[i];
            if (port->causality == HK_INPUT && port->type == HK_TYPE_F64 &&
                !strncmp(port->name, groups[spoilt], strlen(groups[spoilt])))
                *(double *)((char *)x.self + port->offset) += 0.001 * (k % 7 + 1);
        }
        leaf_step(x, k * STEP, STEP);
    }
    double *at = ret_outputs;
    for (size_t i = 0; i < x.type->port_count; i++) {
        const hk_port *port = &x.type->ports[i];
        size_t size = (port->count ? port->count : 1) * sizeof(double);
        if (port->causality != HK_OUTPUT)
            continue;
        memcpy(at, (char *)x.self + port->offset, size);
        at += size / sizeof(double);
    }
    assert_int_equal(at - ret_outputs, 5 * 3 + 15 + 12 + 1);
    leaf_free(x);
}

static void test_influence(void **unused) {
    static const struct {
        const char *name, *needs;                                /* one letter per group */
    } functions[] = {{"Truth", "oo....x"},   {"Gps", "oo.x..."}, /* o: but not of the position */
                     {"DvlGyro", "xx....."}, {"GyroAccelerometer", ".xx...."},
                     {"Eskf", "xxxxxx."},    {"DvlCompass", "x....x."}};
    (void)unused;
    for (size_t i = 0; i < COUNT(functions); i++) {
        double plain[64] = {0};
        outputs_of(functions[i].name, -1, plain);
        for (size_t g = 0; g < COUNT(groups); g++) {
            double other[64] = {0};
            outputs_of(functions[i].name, (int)g, other);
            bool same = memcmp(plain, other, sizeof plain) == 0;
            assert_int_equal(same, functions[i].needs[g] == '.');
            if (functions[i].needs[g] == 'o')
                assert_memory_equal(plain, other, 3 * sizeof(double));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dvl_gyro_errors),
        cmocka_unit_test(test_gyro_bias),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_inertial),
        cmocka_unit_test(test_skew),
        cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_outage),
        cmocka_unit_test(test_second_order),
        cmocka_unit_test(test_dvl_compass),
        cmocka_unit_test(test_gps),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_influence),
        cmocka_unit_test(test_truth_without_a_link),
        cmocka_unit_test(test_inertial_waits_for_its_sensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
