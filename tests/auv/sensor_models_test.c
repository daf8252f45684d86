/* SPDX-License-Identifier: MIT
 *
 * What is special to each sensor: mounting, the beams of the Doppler log and the sea bed below it,
 * the antenna of the satellites, pressure, the compass, and the adapters. */
#include "leaf_rig.h"
#include "sensors_types.h"

#include "dvl_beams.h"
#include "pressure.h"

/* ---- frames ---- */

static void test_mounting_of_the_figure(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_body_to_sensor);
    leaf_set(&x, "thetaDVL", 15);
    leaf_set3(&x, "in", 2.5, 0, 0);
    leaf_step(&x, 0, 0.001);
    assert_near(leaf_get(&x, "out.x"), 2.414815, 5e-7);
    assert_near(leaf_get(&x, "out.y"), -0.647048, 5e-7);
    assert_near(leaf_get(&x, "out.z"), 0, 0);
    leaf_set(&x, "thetaDVL", 0); /* it changes during a run */
    leaf_step(&x, 0.001, 0.001);
    assert_true(leaf_get(&x, "out.x") == 2.5 && leaf_get(&x, "out.y") == 0);
    leaf_set(&x, "pitch", 90); /* its nose up: what is ahead of the body is below it */
    leaf_step(&x, 0.002, 0.001);
    assert_near(leaf_get(&x, "out.z"), 2.5, 1e-15);
    leaf_set(&x, "pitch", 0);
    leaf_set(&x, "roll", 90);
    leaf_set3(&x, "in", 0, 3, 0);
    leaf_step(&x, 0.003, 0.001);
    assert_near(leaf_get(&x, "out.z"), -3, 1e-15);
    leaf_free(&x);
}

static void test_lever_arms(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_body_to_sensor);
    leaf_set3(&x, "leverArm", 2, 0, 0.5);
    leaf_set3(&x, "rotationSpeed", 0, 0.1, 0.2);
    leaf_set3(&x, "in", 1, 0, 0);
    leaf_step(&x, 0, 0.001);
    /* w x l = (0.1 * 0.5, 0.2 * 2, -0.1 * 2) */
    assert_near(leaf_get(&x, "out.x"), 1.05, 1e-15);
    assert_near(leaf_get(&x, "out.y"), 0.4, 1e-15);
    assert_near(leaf_get(&x, "out.z"), -0.2, 1e-15);
    leaf_free(&x);

    x = leaf_new(&hk_auv_body_to_accelerometer);
    leaf_set3(&x, "leverArm", 2, 0, 0);
    leaf_set3(&x, "rotationSpeed", 0, 0, 0.5);
    leaf_set3(&x, "in", 0, 0, -9.8);
    leaf_step(&x, 0, 0.1);
    assert_near(leaf_get(&x, "out.x"), -0.5, 1e-15); /* towards the centre of the turn */
    assert_near(leaf_get(&x, "out.y"), 0, 0);
    leaf_set3(&x, "rotationSpeed", 0, 0, 0.6);
    leaf_step(&x, 0.1, 0.1);
    assert_near(leaf_get(&x, "out.x"), -0.72, 1e-15);
    assert_near(leaf_get(&x, "out.y"), 2, 1e-12); /* 1 rad/s2 at 2 m */
    assert_near(leaf_get(&x, "out.z"), -9.8, 0);
    leaf_free(&x);
}

/* ---- the Doppler log ---- */

/* An antenna and a pressure sensor are p + R l; without an arm the position passes bit by bit. */
static void test_places(void **unused) {
    (void)unused;
    const hk_unit_type *const types[] = {&hk_auv_body_to_gps, &hk_auv_body_to_depth};
    for (size_t i = 0; i < COUNT(types); i++) {
        leaf x = leaf_new(types[i]);
        leaf_set3(&x, "nedPosition", 100.1, -7.3, 12.7);
        leaf_set3(&x, "attitude", 0.3, -0.2, 1.1);
        leaf_step(&x, 0, 0.001);
        assert_true(leaf_get(&x, "out.x") == 100.1 && leaf_get(&x, "out.y") == -7.3 &&
                    leaf_get(&x, "out.z") == 12.7);
        leaf_set3(&x, "leverArm", 2, 0.5, -1);
        leaf_set3(&x, "attitude", 0, 0, PI / 2); /* it looks east: ahead is east, aside is south */
        leaf_step(&x, 0.001, 0.001);
        assert_near(leaf_get(&x, "out.x"), 100.1 - 0.5, 1e-13);
        assert_near(leaf_get(&x, "out.y"), -7.3 + 2, 1e-13);
        assert_near(leaf_get(&x, "out.z"), 12.7 - 1, 1e-13);
        leaf_set3(&x, "attitude", 0, PI / 2, 0); /* nose up: what is ahead is above */
        leaf_step(&x, 0.002, 0.001);
        assert_near(leaf_get(&x, "out.x"), 100.1 - 1, 1e-13);
        assert_near(leaf_get(&x, "out.z"), 12.7 - 2, 1e-13);
        leaf_free(&x);
    }
}

/* A compass that is turned in the body: level it adds its yaw; on its side its yaw is a pitch. */
static void test_mounting_of_the_compass(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_body_to_compass);
    leaf_set3(&x, "attitude", 0.3, -0.2, 3.1);
    leaf_step(&x, 0, 0.001);
    assert_true(leaf_get(&x, "out.x") == 0.3 && leaf_get(&x, "out.y") == -0.2 &&
                leaf_get(&x, "out.z") == 3.1);
    leaf_set(&x, "yaw", 10);
    leaf_set3(&x, "attitude", 0, 0, 3.1);
    leaf_step(&x, 0.001, 0.001);
    assert_near(leaf_get(&x, "out.z"), 3.1 + 10 * PI / 180 - 2 * PI, 1e-14);
    leaf_set3(&x, "attitude", PI / 2, 0, 1);
    leaf_step(&x, 0.002, 0.001);
    assert_near(leaf_get(&x, "out.y"), -10 * PI / 180, 1e-14);
    assert_near(leaf_get(&x, "out.z"), 1, 1e-14);
    leaf_free(&x);
}

static void test_beams_of_a_real_row(void **unused) {
    (void)unused;
    const double sine = 0.5, cosine = hk_cos(DEGREES(30));
    const double expected[4] = {0.656974, -0.788526, -0.676026, 0.769474};
    hk_geo_vector3 speed = hk_geo_vector(2.044246, -0.159099, -0.011);
    double beams[4];
    hk_dvl_beam_speeds(speed, sine, cosine, beams);
    for (int i = 0; i < 4; i++)
        assert_near(beams[i], expected[i], 1e-6);
    /* Of all four, and of any three of them. */
    for (int lost = -1; lost < 4; lost++) {
        double some[4];
        memcpy(some, beams, sizeof some);
        unsigned mask = 15;
        if (lost >= 0) {
            some[lost] = NAN;
            mask &= ~(1U << lost);
        }
        hk_geo_vector3 found = hk_dvl_speed(some, mask, sine, cosine);
        assert_near(found.x, speed.x, 1e-15);
        assert_near(found.y, speed.y, 1e-15);
        assert_near(found.z, speed.z, 1e-15);
    }
}

/* A bed that a test shapes; it counts how often it is asked. */
typedef struct bed {
    double depth, slope_north, hill; /* hill: how high, 20 m to the north, 8 m wide */
    int asked;
} bed;

static double bed_depth(void *self, coordinate2d at) {
    bed *x = self;
    x->asked++;
    double depth = x->depth + x->slope_north * at.x;
    return x->hill > 0 && fabs(at.x - 20) < 4 ? depth - x->hill : depth;
}

static const mnt_source bed_source = {bed_depth};

static leaf new_dvl(bed *below, double near, double far) {
    leaf x = leaf_new(&hk_auv_dvl_error);
    leaf_bind(&x, "rMnt", below, &bed_source);
    leaf_set(&x, "rangeMin", near);
    leaf_set(&x, "rangeMax", far);
    return x;
}

static int beams_at(const leaf *x, double depth) {
    static double t = 0;
    leaf_set(x, "nedPosition.z", depth);
    leaf_step(x, t, 0.001);
    t += 0.001;
    assert_true((leaf_get(x, "valid") != 0) == (leaf_get(x, "beams") >= 3));
    return (int)leaf_get(x, "beams");
}

static void test_bottom_lock_by_range(void **unused) {
    (void)unused;
    bed below = {.depth = 100};
    leaf x = new_dvl(&below, 0.7, 90);
    /* 30 degrees: 90 m along a beam are 77.94 m down, 0.7 m are 0.606 m. */
    assert_int_equal(beams_at(&x, 10), 0);
    assert_int_equal(beams_at(&x, 100 - 77.95), 0);
    assert_int_equal(beams_at(&x, 100 - 77.94), 4);
    assert_int_equal(beams_at(&x, 50), 4);
    assert_near(leaf_get(&x, "altitude"), 50, 1e-6);
    assert_int_equal(beams_at(&x, 100 - 0.607), 4);
    assert_int_equal(beams_at(&x, 100 - 0.605), 0);
    assert_int_equal(beams_at(&x, 101), 0); /* below the bed */
    /* Nothing is known about the bed. */
    below.depth = NAN;
    assert_int_equal(beams_at(&x, 50), 0);
    below.depth = 100;
    assert_int_equal(beams_at(&x, 50), 4);
    /* What it holds is what it had when it was locked. */
    leaf_set3(&x, "in", 1, 2, 3);
    assert_int_equal(beams_at(&x, 50), 4);
    double stamp = leaf_get(&x, "stamp");
    leaf_set3(&x, "in", 4, 5, 6);
    assert_int_equal(beams_at(&x, 10), 0);
    assert_near(leaf_get(&x, "out.x"), 1, 0);
    assert_near(leaf_get(&x, "stamp"), stamp, 0);
    /* Without limits the bed is not asked for. */
    leaf_set(&x, "rangeMin", 0);
    leaf_set(&x, "rangeMax", 0);
    below.asked = 0;
    assert_int_equal(beams_at(&x, 10), 4);
    assert_int_equal(below.asked, 0);
    leaf_free(&x);
}

/* Rolled by 30 degrees two beams go straight down to one side and two lie flat. */
static void test_bottom_lock_by_attitude(void **unused) {
    (void)unused;
    bed below = {.depth = 40};
    leaf x = new_dvl(&below, 0.7, 60);
    assert_int_equal(beams_at(&x, 10), 4); /* 34.6 m */
    leaf_set3(&x, "attitude", DEGREES(30), 0, 1);
    /* Down: sin 30 (+-0.70711) sin 30 + cos 30 cos 30 = 0.92678 and 0.57322: 32.4 and 52.3 m */
    assert_int_equal(beams_at(&x, 10), 4);
    leaf_set(&x, "rangeMax", 52);
    assert_int_equal(beams_at(&x, 10), 2);
    leaf_set3(&x, "attitude", 0, 0, 1);
    assert_int_equal(beams_at(&x, 10), 4);
    /* With pitch and roll one beam is the farthest: three are left. */
    leaf_set3(&x, "attitude", DEGREES(20), DEGREES(20), 0);
    leaf_set(&x, "rangeMax", 50);
    assert_int_equal(beams_at(&x, 10), 3);
    leaf_set3(&x, "attitude", PI, 0, 0); /* on its back */
    assert_int_equal(beams_at(&x, 10), 0);
    leaf_free(&x);
}

static void test_bottom_lock_over_a_slope(void **unused) {
    (void)unused;
    /* Bed 50 + 0.5 north. Beams go 0.353553 r ahead and 0.866025 r down: ahead of a nose to the
     * north the bed is at r = 50 / (0.866025 - 0.5 * 0.353553) = 72.541, behind at 47.947. */
    bed below = {.depth = 50, .slope_north = 0.5};
    leaf x = new_dvl(&below, 0.1, 72.5);
    assert_int_equal(beams_at(&x, 0), 2);
    leaf_set(&x, "rangeMax", 72.6);
    assert_int_equal(beams_at(&x, 0), 4);
    assert_near(leaf_get(&x, "altitude"), 0.866025 * (72.541 + 47.947) / 2, 1e-2);
    leaf_set(&x, "rangeMax", 47.9);
    assert_int_equal(beams_at(&x, 0), 0);
    leaf_set(&x, "rangeMax", 48);
    assert_int_equal(beams_at(&x, 0), 2);
    /* A sensor that is turned by 45 degrees has one beam ahead (r = 81.166), one behind (44.797)
     * and two across (57.735). */
    leaf_set(&x, "thetaDVL", 45);
    leaf_set(&x, "rangeMax", 58);
    assert_int_equal(beams_at(&x, 0), 3);
    leaf_set(&x, "rangeMax", 81.2);
    assert_int_equal(beams_at(&x, 0), 4);
    /* Straight down: 50 m, so all are at 57.735. */
    leaf_set(&x, "bottom", leaf_item(&x, "bottom", "Vertical"));
    leaf_set(&x, "rangeMax", 58);
    below.asked = 0;
    assert_int_equal(beams_at(&x, 0), 4);
    assert_int_equal(below.asked, 1);
    leaf_set(&x, "rangeMax", 57.7);
    assert_int_equal(beams_at(&x, 0), 0);
    leaf_free(&x);
}

/* The beams begin where the instrument is, not at the origin of the body: ahead and below of it,
 * with the nose of the vehicle down. */
static void test_bottom_lock_at_an_arm(void **unused) {
    (void)unused;
    bed below = {.depth = 60};
    leaf x = new_dvl(&below, 0.1, 90);
    assert_int_equal(beams_at(&x, 0), 4);
    double altitude = leaf_get(&x, "altitude");
    leaf_set3(&x, "leverArm", 2, 0, 1.5);
    assert_int_equal(beams_at(&x, 0), 4);
    assert_near(leaf_get(&x, "altitude"), altitude - 1.5, 1e-6);
    leaf_set3(&x, "attitude", 0, -DEGREES(30), 0);
    beams_at(&x, 0);
    assert_near(leaf_get(&x, "altitude"), altitude - 1.5 * hk_cos(DEGREES(30)) - 2 * 0.5, 1e-6);
    leaf_free(&x);
}

/* Over a flat bed one look for each beam is enough, as long as the vehicle keeps its depth. */
static void test_questions_to_the_bed(void **unused) {
    (void)unused;
    bed below = {.depth = 60};
    leaf x = new_dvl(&below, 0.1, 90);
    assert_int_equal(beams_at(&x, 10), 4);
    below.asked = 0;
    assert_int_equal(beams_at(&x, 10), 4);
    assert_int_equal(below.asked, 4);
    /* Only when it pings. */
    leaf_set(&x, "period", 0.1);
    below.asked = 0;
    for (int i = 0; i < 1000; i++)
        leaf_step(&x, 10 + i * 0.001, 0.001);
    assert_int_equal(below.asked, 40);
    leaf_free(&x);
}

/* A hill that a beam meets on its way is seen by who looks along it. */
static void test_bottom_lock_at_a_wall(void **unused) {
    (void)unused;
    bed below = {.depth = 60, .hill = 20};
    leaf x = new_dvl(&below, 0.1, 90);
    leaf_set(&x, "bottom", leaf_item(&x, "bottom", "March"));
    assert_int_equal(beams_at(&x, 0), 4);
    /* The beams ahead end at 40 m, 46.188 m away, those behind on the bed at 69.282 m. */
    assert_near(leaf_get(&x, "altitude"), 50, 1e-6);
    leaf_set(&x, "rangeMax", 69);
    assert_int_equal(beams_at(&x, 0), 2);
    assert_near(leaf_get(&x, "altitude"), 40, 1e-6);
    leaf_set(&x, "rangeMax", 46);
    assert_int_equal(beams_at(&x, 0), 0);
    /* A step in the bed, at which no length fits: halving finds it. */
    leaf_set(&x, "bottom", leaf_item(&x, "bottom", "Beams"));
    leaf_set(&x, "nedPosition.x", 11.9);
    leaf_set(&x, "rangeMax", 60);
    below.depth = 42;
    below.hill = 12;
    assert_int_equal(beams_at(&x, 0), 4);
    leaf_free(&x);
}

static void test_beam_noise_and_sound_speed(void **unused) {
    (void)unused;
    bed below = {.depth = 40};
    leaf x = new_dvl(&below, 0.1, 90);
    leaf_set3(&x, "in", 2, 1, 0);
    leaf_set(&x, "soundSpeedError", 0.01);
    leaf_step(&x, 0, 0.1);
    assert_near(leaf_get(&x, "out.x"), 2.02, 1e-15);
    assert_near(leaf_get(&x, "out.y"), 1.01, 1e-15);
    leaf_set(&x, "soundSpeedError", 0);
    /* Noise that grows with the speed along a beam is the same for both directions. */
    for (int sign = -1; sign <= 1; sign += 2) {
        leaf_set(&x, "beamNoiseScale", 0.01);
        leaf_set3(&x, "in", 0, 0, sign * 2.0);
        double sum = 0;
        for (int i = 1; i <= 100000; i++) {
            leaf_step(&x, (sign + 2) * 1e5 + i, 1);
            double error = leaf_get(&x, "out.z") - sign * 2.0;
            sum += error * error;
        }
        /* Each beam sees 2 cos 30; down is the mean of four, divided by cos 30. */
        assert_near(sqrt(sum / 100000), 0.01 * 2 / 2, 1e-4);
    }
    leaf_free(&x);
    x = leaf_new(&hk_auv_dvl_error);
    leaf_set(&x, "beamAngle", 95);
    leaf_set(&x, "beamNoise", 1);
    leaf_refuses(&x, 0, 1, "beamAngle is 95 degrees");
    leaf_set(&x, "beamAngle", 0);
    leaf_set(&x, "rangeMin", 5);
    leaf_set(&x, "rangeMax", 4);
    leaf_refuses(&x, 0, 1, "rangeMax is 4 m, which is less than rangeMin, 5 m");
    leaf_free(&x);
}

/* With three beams the noise is another one, but not the truth. */
static void test_three_beams(void **unused) {
    (void)unused;
    bed below = {.depth = 40};
    leaf x = new_dvl(&below, 0.7, 50);
    leaf_set3(&x, "attitude", DEGREES(20), DEGREES(20), 0);
    leaf_set(&x, "nedPosition.z", 10);
    leaf_set3(&x, "in", 2, 1, 0.5);
    leaf_step(&x, 0, 1);
    assert_near(leaf_get(&x, "beams"), 3, 0);
    assert_true(leaf_get(&x, "out.x") == 2 && leaf_get(&x, "out.z") == 0.5);
    leaf_set(&x, "beamNoise", 0.01);
    double sum[2] = {0};
    for (int i = 1; i <= 100000; i++) {
        leaf_step(&x, i, 1);
        sum[0] += leaf_get(&x, "out.x") - 2;
        sum[1] += (leaf_get(&x, "out.z") - 0.5) * (leaf_get(&x, "out.z") - 0.5);
    }
    assert_near(sum[0] / 100000, 0, 3e-4);
    /* Down is half the sum of the two that face each other: s / (sqrt(2) cos). */
    assert_near(sqrt(sum[1] / 100000), 0.01 / (1.41421356 * 0.8660254), 1e-4);
    leaf_free(&x);
}

/* ---- satellites, pressure, compass ---- */

static void test_satellites_at_the_surface_only(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gps_error);
    leaf_set(&x, "reacquisition", 5);
    for (int i = 0; i < 3000; i++) {
        double now = (i + 1) * 0.01;
        double depth = now < 5 || now > 12 ? 0.2 : 0.4; /* antenna: 0.3 */
        leaf_set3(&x, "nedPosition", now, -now, depth);
        leaf_step(&x, i * 0.01, 0.01);
        bool valid = leaf_get(&x, "valid") != 0;
        /* Who begins at the surface has a position; later it takes 5 s. */
        assert_true(valid == (now < 4.995 || now > 17.005));
        double seen = valid ? now : 4.99; /* else the last one holds */
        assert_near(leaf_get(&x, "out.x"), seen, 1e-9);
        assert_near(leaf_get(&x, "stamp"), seen, 1e-9);
    }
    /* With a rate of its own it is lost at once all the same. */
    leaf_reset(&x, 0);
    leaf_set(&x, "period", 1);
    leaf_step(&x, 0, 0.01);
    assert_true(leaf_get(&x, "valid") == 1);
    leaf_set(&x, "nedPosition.z", 1);
    leaf_step(&x, 0.01, 0.01);
    assert_true(leaf_get(&x, "valid") == 0);
    leaf_set(&x, "nedPosition.z", 0);
    leaf_step(&x, 0.02, 0.01);
    assert_true(leaf_get(&x, "valid") == 0); /* until its next sample */
    leaf_step(&x, 1.0, 0.01);
    assert_true(leaf_get(&x, "valid") == 1);
    leaf_free(&x);
}

static void test_pressure(void **unused) {
    (void)unused;
    assert_near(hk_pressure_unesco_depth(10000, DEGREES(30)), 9712.653, 5e-4);
    leaf x = leaf_new(&hk_auv_depth_error);
    leaf_set(&x, "nedPosition.z", 100);
    leaf_set(&x, "atmosphericBias", 100); /* 1 hPa is 1 cm */
    leaf_step(&x, 0, 1);
    assert_near(leaf_get(&x, "out"), 100 + 100 / (1025 * 9.80665), 1e-12);
    leaf_set(&x, "atmosphericBias", 0);
    leaf_set(&x, "assumedDensity", 1000);
    leaf_step(&x, 1, 1);
    assert_near(leaf_get(&x, "out"), 102.5, 1e-12);
    leaf_set(&x, "assumedDensity", 0);
    leaf_set(&x, "method", leaf_item(&x, "method", "Unesco"));
    leaf_set(&x, "originLatitude", 30);
    leaf_set(&x, "nedPosition.z", 1e8 / (1025 * 9.80665));
    leaf_step(&x, 2, 1);
    assert_near(leaf_get(&x, "out"), 9712.653, 5e-4);
    leaf_set(&x, "density", 0);
    leaf_refuses(&x, 3, 1, "must be above 0");
    leaf_free(&x);
}

static void test_compass(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_compass_error);
    leaf_set(&x, "declination", 3); /* the magnetic north is to the east, so headings are less */
    leaf_set3(&x, "attitude", 0.1, 0.2, DEGREES(90));
    leaf_step(&x, 0, 1);
    assert_near(leaf_get(&x, "out"), DEGREES(87), 1e-15);
    leaf_set(&x, "assumedDeclination", 3);
    leaf_step(&x, 1, 1);
    assert_near(leaf_get(&x, "out"), DEGREES(90), 1e-15);
    leaf_set(&x, "declination", 0);
    leaf_set(&x, "assumedDeclination", 0);
    static const char names[] = "ABCDE";
    for (int i = 0; i < 5; i++) {
        char name[12];
        snprintf(name, sizeof name, "deviation%c", names[i]);
        leaf_set(&x, name, i + 1);
    }
    for (int heading = -180; heading < 180; heading += 7) {
        double a = DEGREES(heading);
        leaf_set(&x, "attitude.z", a);
        leaf_step(&x, 2, 1);
        double off = 1 + 2 * hk_sin(a) + 3 * hk_cos(a) + 4 * hk_sin(2 * a) + 5 * hk_cos(2 * a);
        assert_near(leaf_get(&x, "out"), remainder(a + DEGREES(off), 2 * PI), 1e-12);
    }
    leaf_reset(&x, 0); /* noise across the border */
    leaf_set(&x, "sigma", 0.1);
    leaf_set(&x, "attitude.z", 3.14);
    for (int i = 0; i < 100; i++) {
        leaf_step(&x, i, 1);
        assert_true(fabs(leaf_get(&x, "out")) <= PI);
    }
    leaf_free(&x);
}

/* ---- adapters ---- */

typedef struct source {
    double value, stamp;
    bool valid;
} source;

static coordinate3d source_value3d(void *self) {
    return (coordinate3d){((source *)self)->value, 0, 0};
}

static double source_value(void *self) {
    return ((source *)self)->value;
}

static bool source_valid(void *self) {
    return ((source *)self)->valid;
}

static double source_stamp(void *self) {
    return ((source *)self)->stamp;
}

static const source3d any3d = {source_value3d, source_valid, source_stamp};
static const source1d any1d = {source_value, source_valid, source_stamp};

static void test_adapters(void **unused) {
    (void)unused;
    static const struct {
        const hk_unit_type *type;
        const char *needs, *out;
        const void *functions;
    } all[] = {{&hk_auv_dvl_adapter, "rItfEDVL", "out.x", &any3d},
               {&hk_auv_source3d_adapter, "rSource", "value.x", &any3d},
               {&hk_auv_gps_adapter, "rSource", "value.x", &any3d},
               {&hk_auv_source1d_adapter, "rSource", "value", &any1d},
               {&hk_auv_compass_adapter, "rSource", "value", &any1d}};
    for (size_t i = 0; i < COUNT(all); i++) {
        leaf x = leaf_new(all[i].type);
        source from = {.value = 3, .stamp = 0.1, .valid = true};
        leaf_bind(&x, all[i].needs, &from, all[i].functions);
        leaf_step(&x, 0, 0.1);
        assert_true(leaf_get(&x, all[i].out) == 3 && leaf_get(&x, "valid") == 1);
        from = (source){.value = 4, .stamp = 0.1, .valid = false};
        leaf_step(&x, 0.1, 0.1);
        assert_true(leaf_get(&x, all[i].out) == 3 && leaf_get(&x, "valid") == 0);
        assert_true(leaf_get(&x, "stamp") == 0.1);
        from = (source){.value = 5, .stamp = 0.5, .valid = true}; /* not yet */
        leaf_step(&x, 0.2, 0.1);
        assert_true(leaf_get(&x, all[i].out) == 3 && leaf_get(&x, "valid") == 0);
        leaf_step(&x, 0.4, 0.1);
        assert_true(leaf_get(&x, all[i].out) == 5 && leaf_get(&x, "valid") == 1);
        leaf_free(&x);
    }
}

/* ---- devices: how often, and how far ---- */

/* So many samples in ten seconds, by what the sources of a device say. */
static void test_rates_of_each_device(void **unused) {
    (void)unused;
    static const struct {
        const hk_unit_type *type;
        const char *name;
        int samples;
    } devices[] = {
        {&hk_auv_dvl_error, "Workhorse600", 70}, {&hk_auv_dvl_error, "Dvl1000", 80},
        {&hk_auv_dvl_error, "Dvl500", 80},       {&hk_auv_dvl_error, "Syrinx600", 100},
        {&hk_auv_dvl_error, "Explorer", 120},    {&hk_auv_dvl_error, "A50", 40},
        {&hk_auv_gps_error, "Low", 10},          {&hk_auv_gps_error, "Sbas", 10},
        {&hk_auv_gps_error, "Rtk", 10},          {&hk_auv_depth_error, "UuvSimulator", 100},
        {&hk_auv_depth_error, "Quartz", 100},    {&hk_auv_depth_error, "Piezo", 100},
        {&hk_auv_depth_error, "Bar30", 100},     {&hk_auv_compass_error, "UuvSimulator", 100},
        {&hk_auv_compass_error, "Good", 100},    {&hk_auv_compass_error, "Plain", 100},
        {&hk_auv_gyro_error, "Stim300", 10000},  {&hk_auv_accelerometer_error, "Low", 10000},
    };
    bed below = {.depth = 20};
    for (size_t i = 0; i < COUNT(devices); i++) {
        leaf x = leaf_new(devices[i].type);
        leaf_set(&x, "preset", leaf_item(&x, "preset", devices[i].name));
        if (devices[i].type == &hk_auv_dvl_error)
            leaf_bind(&x, "rMnt", &below, &bed_source);
        int count = 0;
        double stamp = -1;
        for (int k = 0; k < 10000; k++) {
            leaf_step(&x, k * 0.001, 0.001);
            count += leaf_get(&x, "stamp") != stamp;
            stamp = leaf_get(&x, "stamp");
        }
        if (count != devices[i].samples)
            fail_msg("%s: %d samples, not %d", devices[i].name, count, devices[i].samples);
        leaf_free(&x);
    }
}

/* A beam of length r is r cos(angle) deep: just inside, and just outside. */
static void test_ranges_of_each_device(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        double near, far, angle;
    } devices[] = {{"Workhorse600", 0.7, 90, 30}, {"Dvl1000", 0.2, 75, 25},
                   {"Dvl500", 0.3, 200, 25},      {"Syrinx600", 0.4, 175, 30},
                   {"Explorer", 0.5, 81, 30},     {"A50", 0.05, 50, 22.5}};
    for (size_t i = 0; i < COUNT(devices); i++) {
        bed below = {.depth = 300};
        leaf x = new_dvl(&below, 0, 0);
        leaf_set(&x, "preset", leaf_item(&x, "preset", devices[i].name));
        leaf_set(&x, "period", -1);
        double down = hk_cos(DEGREES(devices[i].angle));
        assert_int_equal(beams_at(&x, 300 - 0.999 * devices[i].far * down), 4);
        assert_int_equal(beams_at(&x, 300 - 1.001 * devices[i].far * down), 0);
        assert_int_equal(beams_at(&x, 300 - 1.001 * devices[i].near * down), 4);
        assert_int_equal(beams_at(&x, 300 - 0.999 * devices[i].near * down), 0);
        leaf_free(&x);
    }
    leaf x = leaf_new(&hk_auv_depth_error);
    leaf_set(&x, "preset", leaf_item(&x, "preset", "Bar30"));
    leaf_set(&x, "nedPosition.z", 12.3456);
    leaf_step(&x, 0, 0.1);
    assert_near(leaf_get(&x, "out"), 12.346, 1e-12);
    leaf_set(&x, "nedPosition.z", 301);
    leaf_step(&x, 1, 0.1);
    assert_near(leaf_get(&x, "out"), 300, 1e-12);
    leaf_free(&x);
}

/* ---- the surface of the ellipsoid ---- */

/* 12 km to the north-east the plane of north and east is 11 m above the sea: depth and the antenna
 * count from the surface. */
static void test_surface_of_the_ellipsoid(void **unused) {
    (void)unused;
    hk_geo_frame frame = hk_geo_frame_at(hk_geo_point_of_degrees(48.35, -4.5, 0));
    const double depths[] = {0.1, 0.5, 30};
    for (size_t i = 0; i < COUNT(depths); i++) {
        hk_geo_point point = hk_geo_point_of_degrees(48.43, -4.4, -depths[i]);
        hk_geo_vector3 ned = hk_geo_tangent_of_point(&frame, point);
        assert_true(ned.z > depths[i] + 10);
        leaf depth = leaf_new(&hk_auv_depth_error), gps = leaf_new(&hk_auv_gps_error);
        const leaf *const both[] = {&depth, &gps};
        for (int k = 0; k < 2; k++) {
            leaf_set(both[k], "earth", EARTH_WGS84);
            leaf_set(both[k], "originLatitude", 48.35);
            leaf_set(both[k], "originLongitude", -4.5);
            leaf_set3(both[k], "nedPosition", ned.x, ned.y, ned.z);
            leaf_step(both[k], 0, 0.1);
        }
        assert_near(leaf_get(&depth, "out"), depths[i], 1e-7);
        assert_true((leaf_get(&gps, "valid") == 1) == (depths[i] < 0.3));
        leaf_set(&depth, "atmosphericBias", 1025 * 9.80665); /* by way of pressure */
        leaf_step(&depth, 0.1, 0.1);
        assert_near(leaf_get(&depth, "out"), depths[i] + 1, 1e-7);
        leaf_set(&depth, "earth", EARTH_FLAT); /* there the plane is the surface */
        leaf_set(&depth, "atmosphericBias", 0);
        leaf_step(&depth, 0.2, 0.1);
        assert_true(leaf_get(&depth, "out") == ned.z);
        leaf_free(&depth);
        leaf_free(&gps);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mounting_of_the_figure),
        cmocka_unit_test(test_lever_arms),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_mounting_of_the_compass),
        cmocka_unit_test(test_beams_of_a_real_row),
        cmocka_unit_test(test_bottom_lock_by_range),
        cmocka_unit_test(test_bottom_lock_by_attitude),
        cmocka_unit_test(test_bottom_lock_over_a_slope),
        cmocka_unit_test(test_questions_to_the_bed),
        cmocka_unit_test(test_bottom_lock_at_an_arm),
        cmocka_unit_test(test_surface_of_the_ellipsoid),
        cmocka_unit_test(test_rates_of_each_device),
        cmocka_unit_test(test_ranges_of_each_device),
        cmocka_unit_test(test_bottom_lock_at_a_wall),
        cmocka_unit_test(test_beam_noise_and_sound_speed),
        cmocka_unit_test(test_three_beams),
        cmocka_unit_test(test_satellites_at_the_surface_only),
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_compass),
        cmocka_unit_test(test_adapters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
