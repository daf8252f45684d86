/* SPDX-License-Identifier: MIT
 *
 * Curves through way-points, and drone.SplineMission on them. mission_replay_test.py compares them
 * with curves that it computes itself. */
#include "mission_rig.h"
#include "spline.h"

extern const hk_unit_type hk_auv_spline_mission;
const hk_unit_type *const *hk_plugin(void);

#define G 9.80665

/* ---- a mission in memory ---- */

typedef struct memory {
    int32_t count;
    waypoint points[8];
} memory;

static int32_t memory_count(void *self) {
    return ((memory *)self)->count;
}

static waypoint memory_point(void *self, int32_t index) {
    return ((memory *)self)->points[index];
}

static const waypoint_source memory_source = {memory_count, memory_point};
static const hk_service memory_services[] = {
    {"pMission", &hk_auv_waypoint_source, &memory_source, 0}};
static const hk_unit_type memory_type = {.name = "memory",
                                         .instance_size = sizeof(memory),
                                         .services = memory_services,
                                         .service_count = 1};

typedef struct world {
    rig sea, mission, r;
} world;

static world make(const waypoint *points, int32_t count, double h) {
    world w = {rig_make(hk_plugin()[0], 1), rig_make(&memory_type, 1),
               rig_make(&hk_auv_spline_mission, h)};
    memory *m = (memory *)w.mission.self;
    m->count = count;
    memcpy(m->points, points, (size_t)count * sizeof *points);
    rig_bind(&w.r, "rCurrent", &w.sea, "pCurrent");
    rig_bind(&w.r, "rMnt", &w.sea, "pMnt");
    rig_bind(&w.r, "rMission", &w.mission, "pMission");
    return w;
}

static void end(world *w) {
    rig_end(&w->sea);
    rig_end(&w->mission);
    rig_end(&w->r);
}

/* ---- curves ---- */

static const waypoint five[] = {{{0, 0, 10}, 2},
                                {{200, 50, 12}, 2.5},
                                {{350, 300, 20}, 1.5},
                                {{200, 500, 20}, 2},
                                {{-100, 450, 5}, 1}};

static spline *curve_through(const waypoint *points, int32_t count, int64_t curve, double tension) {
    words why = {0};
    spline *s = hk_auv_spline_make(points, count, curve, tension, &why);
    if (!s)
        fail_msg("%s", why.text);
    return s;
}

static spline_point at(const spline *s, double length) {
    return hk_auv_spline_at(&s->pieces[hk_auv_spline_piece_at(s, length, 0)], length);
}

/* Every curve goes through its points, is as long as the sum of many short chords, and has no
 * kinks. */
static void test_curves(void **unused) {
    (void)unused;
    static const struct {
        int64_t curve;
        double tension;
    } cases[] = {{CATMULL_ROM, 0},   {CATMULL_ROM, 0.5}, {NATURAL_CUBIC, 0},
                 {IN_TENSION, 0.01}, {IN_TENSION, 3},    {IN_TENSION, 20}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        spline *s = curve_through(five, 5, cases[k].curve, cases[k].tension);
        for (int32_t i = 0; i < 5; i++) {
            double length = i < 4 ? s->pieces[i].begin : s->length;
            hk_geo_vector3 p = at(s, length).position;
            rig_within("north", p.x, five[i].position.x, 1e-9);
            rig_within("east", p.y, five[i].position.y, 1e-9);
            rig_within("down", p.z, five[i].position.z, 1e-9);
            if (i > 0 && i < 4) {
                hk_geo_vector3 before = at(s, length - 1e-6).direction,
                               after = at(s, length + 1e-6).direction;
                rig_within("kink", hk_geo_length(hk_geo_subtract(after, before)), 0, 1e-6);
            }
        }
        double length = 0;
        hk_geo_vector3 last = at(s, 0).position;
        for (int i = 1; i <= 20000; i++) {
            spline_point p = at(s, s->length * i / 20000);
            double chord = hk_geo_length(hk_geo_subtract(p.position, last));
            rig_within("chord", chord, s->length / 20000, 1e-6);
            rig_within("direction", hk_geo_length(p.direction), 1, 1e-12);
            length += chord;
            last = p.position;
        }
        rig_within("length", length, s->length, 1e-5);
        free(s);
    }
}

/* The second derivative of a natural cubic, and of one in tension, goes on at the way-points. */
static void test_bends(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        spline *s = curve_through(five, 5, k ? IN_TENSION : NATURAL_CUBIC, k ? 2 : 0);
        for (int32_t i = 1; i < 4; i++) {
            double length = s->pieces[i].begin, d = 1e-3;
            hk_geo_vector3 bends[2];
            for (int side = 0; side < 2; side++) {
                double from = side ? length : length - d;
                bends[side] = hk_geo_scale(
                    1 / d, hk_geo_subtract(at(s, from + d).direction, at(s, from).direction));
            }
            rig_within("bend", hk_geo_length(hk_geo_subtract(bends[1], bends[0])), 0, 1e-6);
            assert_true(hk_geo_length(bends[0]) > 1e-3);
        }
        free(s);
    }
    /* Without tension it is the same curve, with much of it nearly a polygon. */
    spline *natural = curve_through(five, 5, NATURAL_CUBIC, 0);
    spline *loose = curve_through(five, 5, IN_TENSION, 0.02);
    spline *tight = curve_through(five, 5, IN_TENSION, 20);
    spline *polygon = curve_through(five, 5, CATMULL_ROM, 1);
    rig_within("loose", loose->length, natural->length, 1e-3);
    assert_true(tight->length > polygon->length && tight->length < 1.01 * polygon->length);
    assert_true(tight->length < loose->length);
    double chords = 0;
    for (int i = 1; i < 5; i++)
        chords += hk_geo_length(hk_geo_vector(five[i].position.x - five[i - 1].position.x,
                                              five[i].position.y - five[i - 1].position.y,
                                              five[i].position.z - five[i - 1].position.z));
    rig_within("polygon", polygon->length, chords, 1e-9);
    free(natural);
    free(loose);
    free(tight);
    free(polygon);
}

/* There and back: at the cusp the curve has no direction of its own. */
static void test_cusp(void **unused) {
    (void)unused;
    const waypoint points[] = {{{0, 0, 0}, 1}, {{100, 0, 0}, 1}, {{0, 0, 0}, 1}};
    world w = make(points, 3, 0.01);
    for (int i = 0; i < 25000; i++) {
        rig_step(&w.r);
        assert_true(isfinite(rig_get(&w.r, "state.attitude.z")));
        assert_true(isfinite(rig_get(&w.r, "state.bodySpeed.x")));
    }
    rig_within("north", rig_get(&w.r, "state.nedPosition.x"), 0, 1e-9);
    end(&w);
}

static void test_bad_missions(void **unused) {
    (void)unused;
    static const struct {
        int32_t count;
        waypoint points[3];
        double tension;
        const char *text;
    } cases[] = {
        {0, {{{0, 0, 0}, 0}}, 0, "there are 0"},
        {1, {{{0, 0, 0}, 1}}, 0, "there is 1"},
        {3,
         {{{0, 0, 0}, 1}, {{9, 0, 0}, 1}, {{9, 0, 0}, 1}},
         0,
         "way-points 2 and 3 are at the same"},
        {3,
         {{{0, 0, 0}, 1}, {{9, 0, 0}, 0}, {{9, 9, 0}, 0}},
         0,
         "leg 2 begins and ends with a speed"},
        {2, {{{0, 0, 0}, 1}, {{9, 0, 0}, -1}}, 0, "way-point 2 is not known"},
        {2, {{{0, 0, 0}, 1}, {{9, 0, 0}, 1}}, 1.5, "a tension of 1.5 is not in 0 to 1"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        world w = make(cases[k].points, cases[k].count, 0.01);
        rig_set(&w.r, "tension", cases[k].tension);
        rig_init(&w.r); /* nobody may need it */
        assert_false(rig_try(&w.r));
        if (!strstr(rig_complaint(&w.r), cases[k].text))
            fail_msg("'%s' is not in: %s", cases[k].text, rig_complaint(&w.r));
        end(&w);
    }
}

/* ---- the vehicle ---- */

/* From 1 to 3 m/s over 100 m: 50 s, 0.04 m/s2; then it stops within a step. */
static void test_profile(void **unused) {
    (void)unused;
    const waypoint points[] = {{{5, 0, 7}, 1}, {{65, 80, 7}, 3}};
    world w = make(points, 2, 0.01);
    rig_init(&w.r);
    rig_within("north at the start", rig_get(&w.r, "state.nedPosition.x"), 5, 0);
    rig_within("speed at the start", rig_get(&w.r, "state.bodySpeed.x"), 1, 1e-15);
    rig_within("force at the start", rig_get(&w.r, "state.bodyAcceleration.z"), -G, 1e-14);
    rig_within("altitude at the start", rig_get(&w.r, "altitude"), 93, 0);
    for (int i = 1; i <= 5010; i++) {
        rig_step(&w.r);
        double t = fmin(0.01 * i, 50), s = t + 0.02 * t * t;
        rig_within("north", rig_get(&w.r, "state.nedPosition.x"), 5 + 0.6 * s, 1e-9);
        rig_within("east", rig_get(&w.r, "state.nedPosition.y"), 0.8 * s, 1e-9);
        rig_within("speed", rig_get(&w.r, "state.bodySpeed.x"), i < 5000 ? 1 + 0.04 * t : 0, 1e-9);
        if (i < 5000)
            rig_within("force", rig_get(&w.r, "state.bodyAcceleration.x"), 0.04, 1e-8);
        rig_within("yaw", rig_get(&w.r, "state.attitude.z"), atan2(0.8, 0.6), 1e-12);
        rig_within("altitude", rig_get(&w.r, "altitude"), 93, 0);
    }
    end(&w);
}

/* From rest, downwards, to rest: pitch is the way's, forward is along it. */
static void test_down(void **unused) {
    (void)unused;
    const waypoint points[] = {{{0, 0, 0}, 0}, {{30, 0, 40}, 2}, {{60, 0, 80}, 0}};
    world w = make(points, 3, 0.01);
    for (int i = 1; i <= 10010; i++) {
        rig_step(&w.r);
        rig_within("pitch", rig_get(&w.r, "state.attitude.y"), -atan2(40, 30), 1e-9);
        rig_within("heave", rig_get(&w.r, "state.bodySpeed.z"), 0, 1e-9);
        if (i == 5000)
            rig_within("speed", rig_get(&w.r, "state.bodySpeed.x"), 2, 1e-9);
    }
    rig_within("depth", rig_get(&w.r, "state.nedPosition.z"), 80, 1e-9);
    end(&w);
}

/* Random missions in random currents: the means of each step give attitude and velocity back. */
static void test_means(void **unused) {
    (void)unused;
    uint64_t seed = 3;
    static const char *const curves[] = {"CatmullRom", "NaturalCubic", "InTension"};
    for (int k = 0; k < 48; k++) {
        waypoint points[6];
        for (int i = 0; i < 6; i++)
            points[i] = (waypoint){
                {rig_chance(&seed, -90, 90), rig_chance(&seed, -90, 90), rig_chance(&seed, 10, 30)},
                rig_chance(&seed, 1.5, 3)};
        world w = make(points, 6, rig_chance(&seed, 1e-3, 0.05));
        rig_set_text(&w.r, "curve", curves[k % 3]);
        rig_set(&w.r, "tension", 0.3);
        rig_set(&w.sea, "north", rig_chance(&seed, -0.6, 0.6));
        rig_set(&w.sea, "east", rig_chance(&seed, -0.6, 0.6));
        rig_set(&w.sea, "perSecond", rig_chance(&seed, -1e-3, 1e-3));
        rig_set(&w.sea, "slope", rig_chance(&seed, -0.2, 0.2));
        rig_set_text(&w.r, "speedReference", k & 1 ? "ThroughWater" : "OverGround");
        rig_set_text(&w.r, "altitudeMode", k & 2 ? "SeaBed" : "WayPoints");
        rig_set_text(&w.r, "startAttitude", k & 4 ? "IntoCurrent" : "AlongCourse");
        rig_init(&w.r);
        inertial seen = inertial_start(&w.r);
        hk_geo_vector3 from = rig_vector(&w.r, "state.nedPosition");
        for (int i = 1; i <= 3000; i++) {
            hk_geo_vector3 before = seen.velocity;
            rig_step(&w.r);
            inertial_step(&seen, &w.r, G);
            int hundreds = i / 100;
            inertial_expect(&seen, &w.r, 1e-12 * (1 + hundreds));
            from = hk_geo_add(from, hk_geo_scale(0.5 * w.r.h, hk_geo_add(before, seen.velocity)));
        }
        hk_geo_vector3 p = rig_vector(&w.r, "state.nedPosition");
        rig_within("position from speeds", hk_geo_length(hk_geo_subtract(p, from)), 0, 0.2);
        end(&w);
    }
}

/* Over a slope it lags by the time of its low-pass: 5 s * 2 m/s * 0.1. */
static void test_sea_bed(void **unused) {
    (void)unused;
    const waypoint points[] = {{{0, 0, 0}, 2}, {{200, 0, 0}, 2}};
    for (int k = 0; k < 3; k++) {
        world w = make(points, 2, 0.01);
        rig_set_text(&w.r, "altitudeMode", "SeaBed");
        rig_set(&w.r, "altitudeTime", k == 1 ? 0 : 5);
        rig_set(&w.r, "soundingPeriod", k == 2 ? 0 : 0.1);
        rig_set(&w.sea, "slope", 0.1);
        for (int i = 1; i <= 9999; i++) {
            rig_step(&w.r);
            double t = 0.01 * i, lag = k == 1 ? 0 : 1 - exp(-t / 5);
            rig_within("depth", rig_get(&w.r, "state.nedPosition.z"), 90 + 0.2 * t - lag, 1e-9);
            rig_within("altitude", rig_get(&w.r, "altitude"), 10 + lag, 1e-9);
            double sink = k == 1 ? 0.2 : 0.2 * (1 - exp(-t / 5));
            rig_within("speed", rig_get(&w.r, "state.bodySpeed.x"), hypot(2, sink), 1e-9);
            rig_within("pitch", rig_get(&w.r, "state.attitude.y"), -atan2(sink, 2), 1e-9);
        }
        rig_set(&w.r, "altitudeOverBed", 1000); /* it stays in the water */
        for (int i = 0; i < 9000; i++)
            rig_step(&w.r);
        rig_within("depth", rig_get(&w.r, "state.nedPosition.z"), 0, 1e-5);
        end(&w);
    }
    world w = make(points, 2, 0.01);
    rig_set_text(&w.r, "altitudeMode", "SeaBed");
    rig_set(&w.sea, "knownTo", 50);
    int i = 0;
    while (rig_try(&w.r) && ++i < 9000)
        ;
    assert_in_range(i, 2498, 2502);
    assert_non_null(strstr(rig_complaint(&w.r), "leg 1: the sea bed is not known below 50.0 m"));
    end(&w);
    w = make(points, 2, 0.01); /* who does not follow it only does not know it */
    rig_set(&w.sea, "knownTo", 50);
    for (i = 0; i < 3000; i++)
        rig_step(&w.r);
    assert_true(isnan(rig_get(&w.r, "altitude")));
    end(&w);
}

/* On the ellipsoid the surface is 31 m below the level plane after 20 km: it stays below that. */
static void test_surface_of_the_ellipsoid(void **unused) {
    (void)unused;
    const waypoint points[] = {{{20000, 0, 40}, 2}, {{20100, 0, 40}, 2}};
    world w = make(points, 2, 0.01);
    rig_set_text(&w.r, "altitudeMode", "SeaBed");
    rig_set_text(&w.r, "earth", "Wgs84");
    rig_set(&w.r, "altitudeTime", 0);
    rig_set(&w.r, "altitudeOverBed", 1000);
    for (int i = 0; i < 100; i++)
        rig_step(&w.r);
    double north = rig_get(&w.r, "state.nedPosition.x"),
           down = rig_get(&w.r, "state.nedPosition.z");
    hk_geo_frame frame = hk_geo_frame_at((hk_geo_point){0, 0, 0});
    hk_geo_point at = hk_geo_tangent_to_point(&frame, hk_geo_vector(north, 0, down));
    assert_true(down > 31 && down < 32);
    rig_within("height", at.height, 0, 1e-3);
    end(&w);
}

/* The example of facts on a leg to the north, and legs that cannot be held. */
static void test_current(void **unused) {
    (void)unused;
    const waypoint points[] = {{{0, 0, 5}, 2.5}, {{500, 0, 5}, 2.5}, {{500, 500, 5}, 2.5}};
    world w = make(points, 2, 0.01);
    rig_set(&w.sea, "north", sqrt(0.5));
    rig_set(&w.sea, "east", sqrt(0.5));
    rig_set_text(&w.r, "speedReference", "ThroughWater");
    for (int i = 1; i <= 1000; i++)
        rig_step(&w.r);
    rig_within("heading", rig_get(&w.r, "state.attitude.z") * 180 / PI, -16.429940, 1e-6);
    rig_within("north", rig_get(&w.r, "state.nedPosition.x"), 31.05023, 1e-5);
    rig_within("water speed", rig_get(&w.r, "waterSpeed"), 2.5, 1e-9);
    end(&w);
    static const struct {
        double north, east, most;
        const char *reference, *text;
    } cases[] = {{0, 2.6, 0, "ThroughWater", "leg 1 cannot be held"},
                 {-2.6, 0, 0, "ThroughWater", "leg 1 cannot be held"},
                 {1, -2.4, 0, "ThroughWater", "leg 2 cannot be held"},
                 {2, -1, 3, "OverGround", "leg 2 cannot be held"}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        w = make(points, 3, 0.1);
        rig_set(&w.sea, "north", cases[k].north);
        rig_set(&w.sea, "east", cases[k].east);
        rig_set(&w.r, "maximumWaterSpeed", cases[k].most);
        rig_set(&w.r, "tension", 1);
        rig_set_text(&w.r, "speedReference", cases[k].reference);
        int i = 0;
        while (rig_try(&w.r) && ++i < 20000)
            ;
        if (!strstr(rig_complaint(&w.r), cases[k].text))
            fail_msg("'%s' is not in: %s", cases[k].text, rig_complaint(&w.r));
        end(&w);
    }
}

/* A current that is set after the start is there from the first step on. */
static void test_late_current(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const waypoint points[] = {{{0, 0, 5}, 2}, {{500, 0, 5}, 2}};
        world w = make(points, 2, 0.01);
        rig_set_text(&w.r, "speedReference", k ? "ThroughWater" : "OverGround");
        rig_init(&w.r);
        inertial seen = inertial_start(&w.r);
        rig_set(&w.sea, "north", 0.5);
        rig_set(&w.sea, "east", 1);
        for (int i = 1; i <= 100; i++) {
            rig_step(&w.r);
            inertial_step(&seen, &w.r, G);
            double over_ground = k ? sqrt(3) + 0.5 : 2;
            rig_within("north", rig_get(&w.r, "state.nedPosition.x"), 0.01 * i * over_ground,
                       1e-12);
            rig_within("yaw", rig_get(&w.r, "state.attitude.z"), k ? -PI / 6 : -atan2(1, 1.5),
                       1e-12);
        }
        inertial_expect(&seen, &w.r, 1e-11);
        end(&w);
    }
}

/* Stopped for a while it goes on from where it was. */
static void test_stop(void **unused) {
    (void)unused;
    world w = make(five, 5, 0.01), same = make(five, 5, 0.01);
    for (int i = 0; i < 20000; i++) {
        if (i == 7000) {
            w.r.tick += 500;
            w.r.t = 0.01 * (double)w.r.tick;
            assert_int_equal(w.r.type->start(w.r.self, w.r.t), HK_STEP_OK);
        }
        rig_step(&w.r);
        rig_step(&same.r);
    }
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"state.nedPosition.x", "state.attitude.z",
                                            "state.bodySpeed.x"};
        rig_within(names[i], rig_get(&w.r, names[i]), rig_get(&same.r, names[i]), 1e-9);
    }
    end(&w);
    end(&same);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_bends),
        cmocka_unit_test(test_cusp),
        cmocka_unit_test(test_bad_missions),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_down),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_sea_bed),
        cmocka_unit_test(test_surface_of_the_ellipsoid),
        cmocka_unit_test(test_current),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_late_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
