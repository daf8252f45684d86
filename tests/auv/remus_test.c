/* SPDX-License-Identifier: MIT
 *
 * The REMUS-100: derivatives, terminal speeds and trajectories against those of other programs (the
 * sources of the equations, and an integration with steps that are halved twice), and what follows
 * from physics. */
#include "mission_rig.h"
#include "remus.h"

extern const hk_unit_type hk_auv_remus_vehicle;
const hk_unit_type *const *hk_plugin(void);

static double degrees(double rad) {
    return rad * 180 / PI;
}

static rig make(rig *sea, double h) {
    *sea = rig_make(hk_plugin()[0], 1);
    rig r = rig_make(&hk_auv_remus_vehicle, h);
    rig_bind(&r, "rCurrent", sea, "pCurrent");
    rig_set(&r, "gravity", 9.81);
    return r;
}

static void end(rig *r, rig *sea) {
    rig_end(r);
    rig_end(sea);
}

static void fixed_fins(const rig *r) {
    rig_set_text(r, "headingAutopilot", "false");
    rig_set_text(r, "depthAutopilot", "false");
}

/* ---- the derivative ---- */

static void expect_accelerations(remus_motion m, hk_geo_euler angles, const double wanted[6]) {
    static const char *const names[] = {"surge", "sway", "heave", "roll", "pitch", "yaw"};
    remus_shape shape = hk_auv_remus_shape(9.81);
    double got[6];
    m.attitude = hk_geo_matrix_of_euler(angles);
    hk_auv_remus_accelerate(&shape, &m, got);
    for (int i = 0; i < 6; i++)
        rig_within(names[i], got[i], wanted[i], 1e-9);
}

static void test_derivative(void **unused) {
    (void)unused;
    hk_geo_euler angles = {0.05, -0.1, 0.6};
    remus_motion m = {.speed = {2, 0.1, -0.05},
                      .rotation = {0.02, 0.03, -0.04},
                      .rudder = 0.1,
                      .stern = -0.05,
                      .rpm = 1200,
                      .current = {0.3, -0.2, 0}};
    expect_accelerations(
        m, angles,
        (double[]){0.119110378, -0.636943176, 0.108159220, -4.352150914, 0.116334337, 0.388548674});
    /* As the sources have it. */
    m.advance = ADVANCE_GROUND;
    m.frame = CURRENT_LEVEL;
    expect_accelerations(
        m, angles,
        (double[]){0.065350835, -0.636422118, 0.093475675, -4.373910551, 0.120729772, 0.388323224});
    remus_motion straight = {.speed = {2.5, 0, 0}, .rpm = 1525};
    expect_accelerations(straight, (hk_geo_euler){0},
                         (double[]){0.094826472, 0.007525877, 0, 0.733284574, -0.007881738, 0});
}

static void test_masses(void **unused) {
    (void)unused;
    remus_shape s = hk_auv_remus_shape(9.81);
    static const double total[] = {31.86829357, 60.46702159, 60.46702159,
                                   0.15803266,  7.46639119,  7.45397943};
    static const double damping[] = {1.59341468, 3.02335108,  3.02335108,
                                     0.58851936, 10.78726724, 7.45397943};
    rig_within("mass", s.mass, 31.029385, 1e-6);
    rig_within("weight", s.weight, 304.398267, 1e-6);
    rig_within("inertia", s.inertia_x, 0.11201608, 1e-8);
    rig_within("inertia", s.inertia_y, 4.02776932, 1e-8);
    rig_within("added mass", s.added[0] / s.mass, 0.027035940, 1e-9);
    rig_within("added mass", s.added[1] / s.mass, 0.948701904, 1e-9);
    rig_within("added mass", s.added[4] / s.inertia_y, 0.850647057, 1e-9);
    for (int i = 0; i < 6; i++) {
        rig_within("mass", s.total[i], total[i], 1e-8);
        rig_within("damping", s.damping[i], damping[i], 1e-8);
    }
}

/* ---- a run ---- */

/* t; north, east, down; roll, pitch, yaw (deg); u, v, w over ground; rudder, stern (deg). */
typedef double row[12];

static void expect_row(const rig *r, const row wanted) {
    static const struct {
        const char *port;
        double factor, tolerance;
    } columns[] = {
        {"state.nedPosition.x", 1, 1e-5},
        {"state.nedPosition.y", 1, 1e-5},
        {"state.nedPosition.z", 1, 1e-5},
        {"state.attitude.x", 180 / PI, 1e-5},
        {"state.attitude.y", 180 / PI, 1e-5},
        {"state.attitude.z", 180 / PI, 1e-5},
        {"nu.linear.x", 1, 1e-6},
        {"nu.linear.y", 1, 1e-6},
        {"nu.linear.z", 1, 1e-6},
        {"actuators.rudder", 180 / PI, 1e-5},
        {"actuators.stern", 180 / PI, 1e-5},
    };
    for (size_t i = 0; i < COUNT(columns); i++)
        rig_within(columns[i].port, columns[i].factor * rig_get(r, columns[i].port), wanted[i + 1],
                   columns[i].tolerance);
}

static void expect_run(rig *r, const row *rows, size_t count) {
    rig_init(r);
    for (size_t i = 0; i < count; i++) {
        while (r->t < rows[i][0] - 1e-9)
            rig_step(r);
        expect_row(r, rows[i]);
    }
}

static void test_straight(void **unused) {
    (void)unused;
    static const row rows[] = {
        {10, 20.61391, -0.00392, 0.58917, 1.01876, 0.02910, 0.02535, 2.553391, -0.000265, 0.000845},
        {20, 46.15011, 0.00455, 0.58673, 1.01878, -0.00001, 0.02483, 2.553646, -0.000263, 0.000001},
        {30, 71.68656, 0.01300, 0.58668, 1.01878, 0, 0.02483, 2.553646, -0.000261, 0},
        {40, 97.22302, 0.02148, 0.58664, 1.01878, 0, 0.02483, 2.553646, -0.000258, 0},
        {50, 122.75947, 0.02997, 0.58659, 1.01878, 0, 0.02483, 2.553646, -0.000256, 0},
        {60, 148.29592, 0.03849, 0.58655, 1.01878, 0, 0.02483, 2.553646, -0.000254, 0},
    };
    rig sea, r = make(&sea, 0.01);
    fixed_fins(&r);
    expect_run(&r, rows, COUNT(rows));
    end(&r, &sea);
}

static void test_heading(void **unused) {
    (void)unused;
    static const row rows[] = {
        {10, 25.21192, 0.23014, -0.00149, 1.14539, 0.01661, 3.19245, 2.552715, -0.058521, 0.000025,
         0.47797, -0.00504},
        {20, 50.62362, 2.51934, -0.00620, 1.22248, -0.03602, 10.72570, 2.551654, -0.082224,
         0.000246, 0.65656, -0.00007},
        {30, 75.52080, 8.09295, -0.00561, 1.18415, -0.03115, 17.77216, 2.552063, -0.074570,
         0.000189, 0.47779, 0.00093},
        {40, 99.66732, 16.36368, -0.00496, 1.12985, -0.02685, 22.73930, 2.552644, -0.061178,
         0.000109, 0.28172, 0.00245},
        {50, 123.13436, 26.41955, -0.00375, 1.08766, -0.02229, 25.83902, 2.553059, -0.048289,
         0.000057, 0.15280, 0.00305},
        {60, 146.10872, 37.56284, -0.00243, 1.06004, -0.01782, 27.66156, 2.553309, -0.037574,
         0.000027, 0.08033, 0.00297},
        {120, 280.20969, 111.64612, 0.00098, 1.02087, -0.00401, 29.93501, 2.553628, -0.009334,
         -0.000003, 0.00173, 0.00091},
        {300, 678.62275, 340.88539, 0.00034, 1.01882, -0.00056, 30, 2.553645, -0.001531, -0.000001,
         0, 0.00014},
    };
    rig sea, r = make(&sea, 0.01);
    rig_set(&r, "initialSurge", 2);
    rig_set(&r, "initialRpm", 1525);
    rig_set(&r, "headingReference", 30);
    expect_run(&r, rows, COUNT(rows));
    end(&r, &sea);
}

static void test_depth(void **unused) {
    (void)unused;
    static const row rows[] = {
        {0, 0, 0, 0, 0, 0, 0, 2.353553, 0.353553, 0, 0, 0},
        {10, 28.72701, 3.52429, 0.91056, 1.02200, -3.96770, -0.01111, 2.906090, 0.351632, -0.039161,
         0.00213, 1.01108},
        {20, 57.73683, 7.04357, 2.66742, 1.02114, -3.85808, 0.00951, 2.906316, 0.351167, -0.034369,
         -0.00052, 0.90727},
        {30, 86.76345, 10.56782, 4.16738, 1.02010, -3.04652, 0.00768, 2.906662, 0.351772, -0.028173,
         -0.00076, 0.71178},
        {40, 115.80761, 14.09522, 5.34218, 1.01955, -2.38312, 0.00352, 2.906863, 0.352319,
         -0.023442, -0.00055, 0.55790},
        {50, 144.86240, 17.62479, 6.26600, 1.01925, -1.88647, 0.00112, 2.906982, 0.352692,
         -0.019905, -0.00038, 0.44259},
        {60, 173.92351, 21.15605, 7.00081, 1.01907, -1.50815, 0.00003, 2.907056, 0.352948,
         -0.017195, -0.00027, 0.35433},
        {120, 348.33694, 42.36495, 9.21130, 1.01879, -0.41753, -0.00034, 2.907186, 0.353577,
         -0.009311, -0.00006, 0.09820},
        {300, 871.63124, 106.04818, 10.00977, 1.01877, -0.00377, -0.00001, 2.907199, 0.353763,
         -0.006312, 0, 0.00085},
    };
    rig sea, r = make(&sea, 0.01);
    rig_set(&sea, "north", 0.5 * sqrt(0.5));
    rig_set(&sea, "east", 0.5 * sqrt(0.5));
    rig_set(&r, "initialSurge", 2);
    rig_set(&r, "initialRpm", 1525);
    rig_set(&r, "depthReference", 10);
    expect_run(&r, rows, COUNT(rows));
    end(&r, &sea);
}

static void test_terminal_speeds(void **unused) {
    (void)unused;
    static const double rows[][2] = {
        {300, 0.486025}, {600, 1.001167}, {900, 1.506306}, {1200, 2.009279}, {1525, 2.553646}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig sea, r = make(&sea, 0.02);
        fixed_fins(&r);
        rig_set(&r, "rpm", rows[i][0]);
        rig_init(&r);
        while (r.t < 200)
            rig_step(&r);
        rig_within("speed", rig_get(&r, "waterSpeed.x"), rows[i][1], 1e-6);
        rig_within("propeller", rig_get(&r, "actuators.rpm"), rows[i][0], 1e-9);
        end(&r, &sea);
    }
}

/* ---- what follows from physics ---- */

/* In water that moves evenly it moves as in water that rests, and with it. */
static void test_invisible_current(void **unused) {
    (void)unused;
    rig seas[2], runs[2];
    double north = 0.8, east = -0.6;
    for (int i = 0; i < 2; i++) {
        runs[i] = make(&seas[i], 0.01);
        rig *r = &runs[i];
        fixed_fins(r);
        rig_set(r, "initialSurge", 1.5);
        rig_set(r, "initialHeading", 50);
        rig_set(r, "initialRollRate", 0.1);
        rig_set(r, "rudder", 6);
        rig_set(r, "stern", -4);
        rig_set(r, "startDepth", 200);
    }
    rig_set(&seas[1], "north", north);
    rig_set(&seas[1], "east", east);
    rig_init(&runs[0]);
    rig_init(&runs[1]);
    double deepest = 0;
    for (int i = 1; i <= 10000; i++) {
        rig_step(&runs[0]);
        rig_step(&runs[1]);
        hk_geo_vector3 a = rig_vector(&runs[0], "state.nedPosition");
        hk_geo_vector3 b = rig_vector(&runs[1], "state.nedPosition");
        rig_within("north", b.x - a.x, north * runs[1].t, 1e-11);
        rig_within("east", b.y - a.y, east * runs[1].t, 1e-11);
        rig_within("down", b.z, a.z, 1e-11);
        hk_geo_vector3 water =
            hk_geo_subtract(rig_vector(&runs[0], "waterSpeed"), rig_vector(&runs[1], "waterSpeed"));
        rig_within("water speed", hk_geo_length(water), 0, 1e-12);
        deepest = fmax(deepest, fabs(a.z - 200));
    }
    assert_true(deepest > 5); /* it really moved */
    assert_true(fabs(degrees(rig_get(&runs[0], "state.attitude.y"))) > 1);
    for (int i = 0; i < 2; i++)
        end(&runs[i], &seas[i]);
}

/* With the options of the sources it is not invisible. */
static void test_options(void **unused) {
    (void)unused;
    static const char *const option[][2] = {{"advance", "Ground"}, {"current", "Level"}};
    double plain = 0;
    for (int i = 0; i < 3; i++) {
        rig sea, r = make(&sea, 0.01);
        rig_set(&sea, "north", 0.5);
        rig_set(&r, "depthReference", 5);
        if (i)
            rig_set_text(&r, option[i - 1][0], option[i - 1][1]);
        rig_init(&r);
        for (int k = 0; k < 3000; k++)
            rig_step(&r);
        double north = rig_get(&r, "state.nedPosition.x");
        if (i)
            assert_true(fabs(north - plain) > 1e-3);
        else
            plain = north;
        end(&r, &sea);
    }
}

/* Who integrates rotation speed and specific force gets attitude and velocity. */
static void test_inertial(void **unused) {
    (void)unused;
    rig sea, r = make(&sea, 0.01);
    rig_set(&sea, "north", 0.3);
    rig_set(&sea, "perSecond", 0.001);
    rig_set(&r, "initialSurge", 2);
    rig_set(&r, "headingReference", -120);
    rig_set(&r, "depthReference", 20);
    rig_init(&r);
    rig_within("force at the start", rig_get(&r, "state.bodyAcceleration.z"), -9.81, 1e-12);
    inertial i = inertial_start(&r);
    for (int k = 0; k < 6000; k++) {
        rig_step(&r);
        inertial_step(&i, &r, 9.81);
        inertial_expect(&i, &r, 1e-10);
    }
    state_source_binding source;
    source.functions = hk_auv_remus_vehicle.services[0].functions;
    state s = source.functions->get_state(r.self);
    rig_within("service", s.ned_position.x, rig_get(&r, "state.nedPosition.x"), 0);
    rig_within("service", s.attitude.z, rig_get(&r, "state.attitude.z"), 0);
    end(&r, &sea);
}

/* Five parts of a step are five steps. */
static void test_substeps(void **unused) {
    (void)unused;
    rig seas[2], a = make(&seas[0], 0.01), b = make(&seas[1], 0.05);
    rig_set_text(&b, "substeps", "5");
    rig_set(&a, "headingReference", 40);
    rig_set(&b, "headingReference", 40);
    rig_init(&a);
    rig_init(&b);
    for (int i = 0; i < 400; i++) {
        rig_step(&b);
        for (int k = 0; k < 5; k++)
            rig_step(&a);
    }
    rig_within("north", rig_get(&b, "state.nedPosition.x"), rig_get(&a, "state.nedPosition.x"),
               1e-12);
    rig_within("yaw", rig_get(&b, "state.attitude.z"), rig_get(&a, "state.attitude.z"), 1e-13);
    end(&a, &seas[0]);
    end(&b, &seas[1]);
}

/* From 10 to 350 degrees there are 20, not 340; and an autopilot takes over what it finds. */
static void test_autopilots(void **unused) {
    (void)unused;
    rig sea, r = make(&sea, 0.01);
    fixed_fins(&r);
    rig_set(&r, "initialSurge", 2);
    rig_set(&r, "initialRpm", 1525);
    rig_set(&r, "initialHeading", 10);
    rig_set(&r, "startDepth", 30);
    rig_set(&r, "depthReference", 30);
    rig_set(&r, "headingReference", 350);
    rig_set(&r, "rudder", 30);
    rig_init(&r);
    for (int i = 0; i < 300; i++)
        rig_step(&r);
    rig_within("rudder at its limit", degrees(rig_get(&r, "actuators.rudder")), 15, 1e-5);
    rig_set(&r, "rudder", 0);
    for (int i = 0; i < 2000; i++)
        rig_step(&r);
    rig_set_text(&r, "headingAutopilot", "true");
    rig_set_text(&r, "depthAutopilot", "true");
    for (int i = 0; i < 20000; i++) {
        rig_step(&r);
        assert_true(fabs(degrees(rig_get(&r, "actuators.stern"))) < 10);
    }
    rig_within("heading", degrees(rig_get(&r, "state.attitude.z")), -10, 0.01);
    rig_within("depth", rig_get(&r, "state.nedPosition.z"), 30, 0.5);
    end(&r, &sea);
}

/* ---- what cannot be ---- */

static void expect_failure(rig *r, rig *sea, const char *why) {
    rig_init(r);
    assert_false(rig_try(r));
    if (!strstr(rig_complaint(r), why))
        fail_msg("'%s' does not say '%s'", rig_complaint(r), why);
    end(r, sea);
}

static void test_failures(void **unused) {
    (void)unused;
    rig sea, r = make(&sea, 0.01);
    rig_set(&sea, "knownUntil", -1);
    expect_failure(&r, &sea, "the current is not known at 0.010 s, 0.0 m north");
    r = make(&sea, 100);
    rig_set(&r, "initialSurge", 2);
    rig_init(&r);
    bool went = true;
    for (int i = 0; i < 20 && went; i++)
        went = rig_try(&r);
    assert_false(went);
    assert_non_null(strstr(rig_complaint(&r), "a step of 100 s is too long"));
    end(&r, &sea);
    r = make(&sea, 0.01);
    rig_init(&r);
    rig_set(&r, "depthReference", (double)NAN);
    assert_false(rig_try(&r));
    assert_non_null(strstr(rig_complaint(&r), "a reference is not a number at 0.000 s"));
    end(&r, &sea);
    r = make(&sea, 0.01);
    rig_set_text(&r, "substeps", "0");
    expect_failure(&r, &sea, "substeps is 0");
    r = make(&sea, 0.01);
    rig_set(&r, "initialSway", (double)INFINITY);
    assert_int_equal(r.type->init(r.self, 0), HK_STEP_FAILED);
    assert_non_null(strstr(rig_complaint(&r), "a parameter of the start is not a number"));
    end(&r, &sea);
    r = make(&sea, 0.01);
    rig_set(&r, "gravity", 0); /* in its first step: who does not start it does not miss it */
    expect_failure(&r, &sea, "a gravity of 0 m/s2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivative),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_heading),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_terminal_speeds),
        cmocka_unit_test(test_invisible_current),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_inertial),
        cmocka_unit_test(test_substeps),
        cmocka_unit_test(test_autopilots),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
