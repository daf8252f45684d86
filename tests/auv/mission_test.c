/* SPDX-License-Identifier: MIT
 *
 * drone.SimpleMission against values that are computed by hand. */
#include "drone_common.h"
#include "mission_rig.h"

extern const hk_unit_type hk_auv_simple_mission;
const hk_unit_type *const *hk_plugin(void);

#define G 9.80665

static double degrees(double rad) {
    return rad * 180 / PI;
}

static rig make(rig *sea, double h) {
    *sea = rig_make(hk_plugin()[0], 1);
    rig r = rig_make(&hk_auv_simple_mission, h);
    rig_bind(&r, "rCurrent", sea, "pCurrent");
    return r;
}

static void end(rig *r, rig *sea) {
    rig_end(r);
    rig_end(sea);
}

/* 20 km at 5 m/s in 4 million steps. */
static void test_line(void **unused) {
    (void)unused;
    rig sea, r = make(&sea, 1e-3);
    rig_set(&r, "speed", 5);
    rig_init(&r);
    for (int i = 1; i <= 4000000; i++) {
        rig_step(&r);
        if (i % 50000 == 0)
            rig_within("north", rig_get(&r, "state.nedPosition.x"), 5e-3 * i, 1e-8);
    }
    rig_within("north", rig_get(&r, "state.nedPosition.x"), 20000, 1e-8);
    rig_within("east", rig_get(&r, "state.nedPosition.y"), 0, 0);
    rig_within("speed", rig_get(&r, "state.bodySpeed.x"), 5, 0);
    rig_within("force", rig_get(&r, "state.bodyAcceleration.z"), -G, 0);
    /* Once at the start, and once a second for the next one. */
    assert_in_range((int)rig_get(&sea, "requests"), 3995, 4005);
    end(&r, &sea);
}

/* The example of facts: 2.5 m/s through the water, a current of 1 m/s to the north-east. */
static void test_through_water(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        rig sea, r = make(&sea, 1e-3);
        rig_set(&sea, "north", sqrt(0.5));
        rig_set(&sea, "east", sqrt(0.5));
        rig_set_text(&r, "speedReference", "ThroughWater");
        rig_set_text(&r, "startAttitude", k ? "IntoCurrent" : "AlongCourse");
        rig_init(&r);
        rig_within("heading at the start", degrees(rig_get(&r, "state.attitude.z")),
                   k ? -16.429940 : 0, 1e-6);
        const double over_ground = 3.105023094599147; /* 2.5 cos(16.43 deg) + sqrt(1/2) */
        rig_within("speed at the start",
                   hypot(rig_get(&r, "state.bodySpeed.x"), rig_get(&r, "state.bodySpeed.y")),
                   over_ground, 1e-6);
        for (int i = 1; i <= 10000; i++) {
            rig_step(&r);
            rig_within("heading", degrees(rig_get(&r, "state.attitude.z")), -16.429940, 1e-6);
            if (i == 1)
                rig_within("turn", rig_get(&r, "state.bodyRotationSpeed.z"),
                           k ? 0 : -16.429940 * PI / 180 / 1e-3, 1e-4);
        }
        const double slip = -16.429940 * PI / 180;
        rig_within("north", rig_get(&r, "state.nedPosition.x"), 10 * over_ground, 1e-5);
        rig_within("surge", rig_get(&r, "state.bodySpeed.x"), over_ground * cos(slip), 1e-6);
        rig_within("sway", rig_get(&r, "state.bodySpeed.y"), -over_ground * sin(slip), 1e-6);
        rig_within("water speed", rig_get(&r, "waterSpeed"), 2.5, 0);
        end(&r, &sea);
    }
}

/* Fig. 10: 2.5 m/s over ground; the first step turns it into the current. */
static void test_over_ground(void **unused) {
    (void)unused;
    static const struct {
        double north, east, heading, water;
    } cases[] = {{0.70710678118654752, 0.70710678118654752, -21.523991, 1.9272950},
                 {0, 1, -21.801409, 2.6925824},
                 {0, -1, 21.801409, 2.6925824},
                 {1, 0, 0, 1.5},
                 {-1, 0, 0, 3.5},
                 {3, 0, 180, 0.5},
                 {2.5, 0, 0, 0}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        rig sea, r = make(&sea, 1e-3);
        rig_set(&sea, "north", cases[k].north);
        rig_set(&sea, "east", cases[k].east);
        rig_init(&r);
        rig_within("heading at the start", rig_get(&r, "state.attitude.z"), 0, 0);
        rig_within("surge at the start", rig_get(&r, "state.bodySpeed.x"), 2.5, 0);
        inertial seen = inertial_start(&r);
        for (int i = 1; i <= 3000; i++) {
            rig_step(&r);
            inertial_step(&seen, &r, G);
            rig_within("heading", degrees(fabs(rig_get(&r, "state.attitude.z"))),
                       fabs(cases[k].heading), 1e-5);
            rig_within("water speed", rig_get(&r, "waterSpeed"), cases[k].water, 1e-6);
        }
        rig_within("north", rig_get(&r, "state.nedPosition.x"), 7.5, 1e-12);
        inertial_expect(&seen, &r, 1e-11);
        end(&r, &sea);
    }
}

/* Where legs of 20 m and half circles of 25 m, to starboard, have come to after D metres. */
typedef struct bent_way {
    int leg;
    double rest;         /* since the beginning of the leg */
    double x, y, turned; /* ahead, to the side, by how much */
} bent_way;

static const double cycle = 20 + 25 * PI;

static bent_way bent_way_at(double d) {
    bent_way w = {.leg = d < cycle ? 0 : d < 2 * cycle ? 1 : 2};
    w.rest = d < 2 * cycle ? fmod(d, cycle) : d - 2 * cycle;
    double angle = w.rest > 20 ? (w.rest - 20) / 25 : 0;
    double forward = fmin(w.rest, 20) + 25 * sin(angle);
    w.x = w.leg == 1 ? 20 - forward : forward;
    w.y = 50 * w.leg + 25 * (1 - cos(angle));
    w.turned = w.leg == 1 ? PI - angle : angle;
    return w;
}

static void expect_on_the_way(rig *r, double d, int side, double course) {
    bent_way w = bent_way_at(d);
    const double c = cos(course), s = sin(course);
    rig_within("north", rig_get(r, "state.nedPosition.x"), w.x * c - side * w.y * s, 1e-9);
    rig_within("east", rig_get(r, "state.nedPosition.y"), -7 + w.x * s + side * w.y * c, 1e-9);
    rig_within("depth", rig_get(r, "state.nedPosition.z"), 12, 0);
    rig_within("course", hk_geo_turn(rig_get(r, "state.attitude.z"), course + side * w.turned), 0,
               1e-9);
    if (w.rest > 20.03 && w.rest < cycle && w.leg < 2) {
        int way = side * (w.leg ? -1 : 1);
        rig_within("turn", rig_get(r, "state.bodyRotationSpeed.z"), way * 0.1, 1e-9);
        rig_within("force", rig_get(r, "state.bodyAcceleration.y"), way * 0.25, 1e-6);
    }
}

static void expect_turns(int side, int course) {
    rig sea, r = make(&sea, 1e-2);
    rig_set(&r, "course", course);
    rig_set(&r, "legLength", 20);
    rig_set(&r, "radius", side * (course % 90 ? 25 : -25));
    rig_set_text(&r, "firstTurn", course % 90 ? "Starboard" : "Port");
    rig_set_text(&r, "legs", "3");
    rig_set(&r, "startDepth", 12);
    rig_set(&r, "startEast", -7);
    rig_init(&r);
    inertial seen = inertial_start(&r);
    const double length = 60 + 50 * PI;
    for (int i = 1; i <= 9000; i++) {
        rig_step(&r);
        inertial_step(&seen, &r, G);
        expect_on_the_way(&r, fmin(0.025 * i, length), side, course * PI / 180);
        inertial_expect(&seen, &r, 1e-11);
    }
    rig_within("speed", rig_get(&r, "state.bodySpeed.x"), 0, 0); /* it has arrived */
    rig_within("force", rig_get(&r, "state.bodyAcceleration.x"), 0, 0);
    end(&r, &sea);
}

/* Two turns of 25 m, to both sides, from any course: legs and turns by hand. */
static void test_turns(void **unused) {
    (void)unused;
    for (int side = -1; side <= 1; side += 2)
        for (int course = -180; course <= 270; course += 45)
            expect_turns(side, course);
}

/* Random tracks in random currents, at odd steps: joints lie inside of steps, the speed changes. */
static void test_means(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    for (int k = 0; k < 60; k++) {
        rig sea, r = make(&sea, rig_chance(&seed, 1e-3, 0.01));
        rig_set(&sea, "north", rig_chance(&seed, -0.8, 0.8));
        rig_set(&sea, "east", rig_chance(&seed, -0.8, 0.8));
        rig_set(&sea, "perSecond", k % 3 ? rig_chance(&seed, -1e-3, 1e-3) : 0);
        rig_set(&sea, "perDegree", k % 3 ? rig_chance(&seed, -100, 100) : 0);
        rig_set_text(&r, "speedReference", k % 2 ? "ThroughWater" : "OverGround");
        rig_set(&r, "speed", rig_chance(&seed, 2, 4));
        rig_set(&r, "course", rig_chance(&seed, -180, 180));
        rig_set(&r, "legLength", rig_chance(&seed, 2, 10));
        rig_set(&r, "radius", rig_chance(&seed, 5, 30) * (k % 7 ? 1 : -1));
        rig_set_text(&r, "legs", "5");
        rig_set(&r, "currentPeriod", k % 4 ? 1 : 0);
        rig_set(&r, "originLatitude", 48);
        rig_set_text(&r, "earth", k % 5 ? "Flat" : "Wgs84");
        rig_set(&sea, "north", rig_get(&sea, "north") - 48 * rig_get(&sea, "perDegree"));
        rig_init(&r);
        inertial seen = inertial_start(&r);
        hk_geo_vector3 at = rig_vector(&r, "state.nedPosition");
        for (int i = 1; i <= 3000; i++) {
            bool changed = i % 700 == 0, arrived = false;
            if (changed)
                rig_set(&r, "speed", rig_chance(&seed, 2, 4));
            hk_geo_vector3 before = seen.velocity;
            rig_step(&r);
            inertial_step(&seen, &r, G);
            int hundreds = i / 100;
            inertial_expect(&seen, &r, 1e-12 * (1 + hundreds));
            /* Positions are the integral of the speeds; a new one holds from the start of the step.
             */
            arrived = rig_get(&r, "state.bodySpeed.x") == 0;
            hk_geo_vector3 mean = hk_geo_scale(0.5, hk_geo_add(before, seen.velocity));
            at = hk_geo_add(at, hk_geo_scale(r.h, changed ? seen.velocity : mean));
            hk_geo_vector3 p = rig_vector(&r, "state.nedPosition");
            if (arrived)
                break;
            rig_within("position from speeds", hk_geo_length(hk_geo_subtract(at, p)), 0, 5e-3);
        }
        end(&r, &sea);
    }
}

/* It comes to a new speed at once, and a stop is a rest of the time that it takes. */
static void test_speed_and_stop(void **unused) {
    (void)unused;
    rig sea, r = make(&sea, 1e-3);
    rig_init(&r);
    for (int i = 0; i < 3600000; i++) {
        if (i == 2700000)
            rig_set(&r, "speed", 2);
        if (i == 1000000)
            i += 500, r.tick += 500, r.t = 1e-3 * (double)r.tick,
                                     assert_int_equal(r.type->start(r.self, r.t), HK_STEP_OK);
        rig_step(&r);
        if (i == 2700000)
            rig_within("force", rig_get(&r, "state.bodyAcceleration.x"), -500, 1e-9);
    }
    rig_within("north", rig_get(&r, "state.nedPosition.x"), 8550 - 1.25, 1e-8);
    rig_set(&r, "speed", 0);
    rig_step(&r);
    rig_step(&r);
    rig_within("north", rig_get(&r, "state.nedPosition.x"), 8550 - 1.25, 1e-8);
    rig_within("speed", rig_get(&r, "state.bodySpeed.x"), 0, 0);
    rig_set(&r, "speed", -1);
    assert_false(rig_try(&r));
    assert_non_null(strstr(rig_complaint(&r), "-1 m/s"));
    end(&r, &sea);
}

/* Through the water against a current that grows: the distance is its integral. */
static void test_growing_current(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        rig sea, r = make(&sea, 1e-2);
        rig_set(&sea, "perSecond", -0.01);
        rig_set_text(&r, "speedReference", "ThroughWater");
        rig_set(&r, "currentPeriod", k);
        rig_init(&r);
        for (int i = 1; i <= 10000; i++) {
            rig_step(&r);
            double t = 0.01 * i;
            rig_within("north", rig_get(&r, "state.nedPosition.x"), 2.5 * t - 0.005 * t * t, 1e-6);
            rig_within("speed", rig_get(&r, "state.bodySpeed.x"), 2.5 - 0.01 * t, 1e-9);
            rig_within("force", rig_get(&r, "state.bodyAcceleration.x"), -0.01, 1e-9);
        }
        end(&r, &sea);
    }
}

/* What cannot be held: across, back, and faster than it can. */
static void test_infeasible(void **unused) {
    (void)unused;
    static const struct {
        double north, east;
        const char *reference, *words[4];
    } cases[] = {
        {0, 3, "ThroughWater", {"leg 1 ", "(0.000, 3.000) m/s", "2.500 m/s through", "3.000 m/s"}},
        {-2.6, 0, "ThroughWater", {"leg 1 ", "pushed back", "-2.600 m/s", "at 0.000 s"}},
        {-2.5, 0, "ThroughWater", {"leg 1 ", "pushed back", "-2.500 m/s", "at 0.000 s"}},
        {-1, 0, "OverGround", {"leg 1 ", "over ground", "needs 3.500 m/s", "(-1.000, 0.000)"}},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        rig sea, r = make(&sea, 1e-2);
        rig_set(&sea, "north", cases[k].north);
        rig_set(&sea, "east", cases[k].east);
        rig_set_text(&r, "speedReference", cases[k].reference);
        rig_set(&r, "maximumWaterSpeed", 3);
        rig_init(&r);
        assert_false(rig_try(&r));
        for (int i = 0; i < 4; i++)
            if (!strstr(rig_complaint(&r), cases[k].words[i]))
                fail_msg("'%s' is not in: %s", cases[k].words[i], rig_complaint(&r));
        end(&r, &sea);
    }
    /* In the second turn, and where the current is not known. */
    rig sea, r = make(&sea, 1e-2);
    rig_set(&sea, "perSecond", 0.05);
    rig_set_text(&r, "speedReference", "ThroughWater");
    rig_set(&r, "legLength", 10);
    rig_set(&r, "radius", 10);
    rig_set_text(&r, "legs", "9");
    rig_init(&r);
    int i = 0;
    while (rig_try(&r) && ++i < 100000)
        ;
    assert_non_null(strstr(rig_complaint(&r), "cannot be held at "));
    assert_in_range(i, 3000, 5500);
    end(&r, &sea);
    r = make(&sea, 1e-2);
    rig_set(&sea, "knownUntil", 12.3);
    rig_init(&r);
    for (i = 0; rig_try(&r) && i < 5000; i++)
        ;
    assert_non_null(strstr(rig_complaint(&r), "the current is not known at "));
    assert_in_range(i, 1200, 1400);
    end(&r, &sea);
}

/* Positions reach the current as latitude and longitude. */
static void test_places(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        rig sea, r = make(&sea, 0.5);
        rig_set_text(&r, "earth", k ? "Wgs84" : "Flat");
        rig_set(&r, "originLatitude", 48);
        rig_set(&r, "originLongitude", -4);
        rig_set(&r, "course", 90);
        rig_set(&r, "currentPeriod", 0);
        rig_init(&r);
        for (int i = 0; i < 800; i++)
            rig_step(&r);
        /* Along the parallel, whose radius is N cos(latitude). */
        const double s = sin(48 * PI / 180), e2 = 0.00669437999014;
        double parallel = 6378137 / sqrt(1 - e2 * s * s) * cos(48 * PI / 180);
        rig_within("longitude", rig_get(&sea, "longitude"), -4 + 1000 / parallel * 180 / PI, 1e-6);
        end(&r, &sea);
    }
}

static void test_bad_tracks(void **unused) {
    (void)unused;
    static const char *const cases[][3] = {{"legs", "0", "legs is 0"},
                                           {"legLength", "-5", "a leg of -5 m"},
                                           {"legLength", "nan", "are not a track"},
                                           {"radius", "inf", "are not a track"},
                                           {"course", "nan", "not a number"}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        rig sea, r = make(&sea, 1e-2);
        rig_set_text(&r, cases[k][0], cases[k][1]);
        assert_int_not_equal(r.type->init(r.self, 0), HK_STEP_OK);
        assert_non_null(strstr(rig_complaint(&r), cases[k][2]));
        end(&r, &sea);
    }
}

/* Without a speed of its own the water takes it along its track, or back, which is told. */
static void test_drifting(void **unused) {
    (void)unused;
    steering s;
    assert_int_equal(hk_auv_steer_through_water(0, 0.7, 0, &s), STEERED);
    assert_true(s.over_ground == 0.7 && s.through_water == 0 && s.slip == 0 && s.cosine == 1 &&
                s.sine == 0);
    assert_int_equal(hk_auv_steer_through_water(0, 0, 0, &s), STEERED);
    assert_true(s.over_ground == 0 && s.cosine == 1);
    assert_int_equal(hk_auv_steer_through_water(0, -0.1, 0, &s), PUSHED_BACK);
    assert_int_equal(hk_auv_steer_through_water(0, 0.7, 0.1, &s), PUSHED_ACROSS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drifting),       cmocka_unit_test(test_line),
        cmocka_unit_test(test_through_water),  cmocka_unit_test(test_over_ground),
        cmocka_unit_test(test_turns),          cmocka_unit_test(test_means),
        cmocka_unit_test(test_speed_and_stop), cmocka_unit_test(test_growing_current),
        cmocka_unit_test(test_infeasible),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_bad_tracks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
