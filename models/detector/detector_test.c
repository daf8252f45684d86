/* SPDX-License-Identifier: MIT
 *
 * The parts of the plant one by one, where the answer is known without them, and rover and arena
 * together under commands that mean them ill. */
#include "detector.h"

#include <hk/random.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", found, expected, tolerance);
}

typedef struct rig {
    const hk_unit_type *type;
    void *self;
} rig;

static void *at(const rig *r, const char *name) {
    for (size_t i = 0; i < r->type->port_count; i++)
        if (strcmp(r->type->ports[i].name, name) == 0)
            return (char *)r->self + r->type->ports[i].offset;
    fail_msg("%s has no '%s'", r->type->name, name);
    return NULL;
}

static double *real(const rig *r, const char *name) {
    return at(r, name);
}

/* Start values as hocket puts them: one for all elements, or one each. */
static void put_start(const rig *r, const hk_port *port) {
    char *to = (char *)r->self + port->offset;
    const char *text = port->start ? port->start : "0";
    size_t count = port->count ? port->count : 1, given = 0;
    double value = 0;
    for (size_t i = 0; i < count; i++) {
        char *end;
        double next = strtod(text, &end);
        given += end != text;
        value = end != text ? next : value;
        text = end;
        if (port->type == HK_TYPE_F64)
            ((double *)(void *)to)[i] = value;
        else
            ((int64_t *)(void *)to)[i] = (int64_t)value;
    }
    assert_true(given == 1 || given == count);
    assert_string_equal(text, "");
}

static rig make(const hk_unit_type *type) {
    rig r = {.type = type, .self = calloc(1, type->instance_size)};
    assert_non_null(r.self);
    for (size_t i = 0; i < type->port_count; i++)
        put_start(&r, &type->ports[i]);
    return r;
}

static void init(const rig *r) {
    if (r->type->init)
        assert_int_equal(r->type->init(r->self, 0), HK_STEP_OK);
    if (r->type->output)
        assert_int_equal(r->type->output(r->self, 0), HK_STEP_OK);
}

static void step(const rig *r, double h) {
    assert_int_equal(r->type->step(r->self, 0, h), HK_STEP_OK);
}

static void set_pair(double *pair, double x, double y) {
    pair[0] = x;
    pair[1] = y;
}

/* ---- MobilityHw */

static rig make_mobility(double x, double y) {
    rig m = make(&hk_detector_mobility_type);
    set_pair(real(&m, "initial_direction"), x, y);
    init(&m);
    return m;
}

/* From rest, on a level floor: v = ls (1 - exp(-t/T)), s = ls (t - T (1 - exp(-t/T))), in the
 * direction it looks to; for one step and for a thousand. */
static void test_straight_run(void **state) {
    (void)state;
    for (int steps = 1; steps <= 1000; steps *= 10) {
        rig m = make_mobility(3, 4);
        *real(&m, "ls") = 0.5;
        for (int i = 0; i < steps; i++)
            step(&m, 10.0 / steps);
        double way = 0.5 * (10 - 0.2 * (1 - exp(-10 / 0.2)));
        assert_near(real(&m, "gpspos")[0], way * 0.6, 1e-12);
        assert_near(real(&m, "gpspos")[1], way * 0.8, 1e-12);
        assert_near(*real(&m, "speed"), 0.5 * (1 - exp(-10 / 0.2)), 1e-14);
        free(m.self);
    }
}

/* At its speed it drives circles of the radius ls/as, and is where it was after each. */
static void test_circle(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    rig m = make_mobility(1, 0);
    *real(&m, "ls") = 0.5;
    for (int i = 0; i < 200; i++) /* until it is as fast as that */
        step(&m, 0.1);
    double x = real(&m, "gpspos")[0], radius = 0.5 / 0.8;
    *real(&m, "as") = 0.8;
    const double full = 2 * pi / 0.8;
    for (int i = 1; i <= 400; i++) {
        step(&m, full / 100);
        double angle = 2 * pi * i / 100;
        assert_near(real(&m, "gpspos")[0], x + radius * sin(angle), 1e-12);
        assert_near(real(&m, "gpspos")[1], radius * (1 - cos(angle)), 1e-12);
        assert_near(real(&m, "gpsdir")[0], cos(angle), 1e-12);
        assert_near(real(&m, "gpsdir")[1], sin(angle), 1e-12);
    }
    /* A whole circle in one step, backwards and clockwise. */
    *real(&m, "as") = -0.8;
    x = real(&m, "gpspos")[0];
    step(&m, full);
    assert_near(real(&m, "gpspos")[0], x, 1e-12);
    free(m.self);
}

/* While it accelerates and turns the path has a closed form, too: one long step is a thousand short
 * ones, and those are what a fine sum of v(t) (cos, sin) says. */
static void test_curve_while_it_accelerates(void **state) {
    (void)state;
    rig one = make_mobility(1, 0), many = make_mobility(1, 0);
    double x = 0, y = 0;
    *real(&one, "ls") = *real(&many, "ls") = 0.9;
    *real(&one, "as") = *real(&many, "as") = -1.3;
    step(&one, 1);
    for (int i = 0; i < 1000; i++)
        step(&many, 0.001);
    const int parts = 200000;
    for (int i = 0; i < parts; i++) { /* the midpoint rule */
        double t = (i + 0.5) / parts, v = 0.9 * (1 - exp(-t / 0.2));
        x += v * cos(-1.3 * t) / parts;
        y += v * sin(-1.3 * t) / parts;
    }
    for (int i = 0; i < 2; i++)
        assert_near(real(&one, "gpspos")[i], real(&many, "gpspos")[i], 1e-12);
    assert_near(real(&one, "gpspos")[0], x, 1e-9);
    assert_near(real(&one, "gpspos")[1], y, 1e-9);
    free(one.self);
    free(many.self);
}

/* Uphill it comes to ls - T g sin(angle), downhill to more, never beyond the limit; where the hill
 * is too steep it stands, and the brakes hold it. */
static void test_slope(void **state) {
    (void)state;
    const struct {
        double ls, slope, speed;
    } rows[] = {{0.5, 0.1, 0.5 - 0.2 * 9.80665 * 0.1 / sqrt(1.01)},
                {0.5, -0.1, 0.5 + 0.2 * 9.80665 * 0.1 / sqrt(1.01)},
                {0.9, -0.2, 1}, /* the limit */
                {7, 0, 1},
                {-7, 0, -1},
                {0.5, 0.3, 0}, /* too steep */
                {0, -0.3, 0},  /* the brakes */
                {-0.4, 0.1, -0.4 - 0.2 * 9.80665 * 0.1 / sqrt(1.01)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig m = make_mobility(0, 1);
        *real(&m, "ls") = rows[i].ls;
        *real(&m, "slope") = rows[i].slope;
        for (int k = 0; k < 200; k++)
            step(&m, 0.1);
        assert_near(*real(&m, "speed"), rows[i].speed, 1e-12);
        free(m.self);
    }
}

/* It meets the limit within a step: the way is that until then, and the rest at the limit. */
static void test_limit_within_a_step(void **state) {
    (void)state;
    rig m = make_mobility(1, 0);
    *real(&m, "ls") = 2;
    step(&m, 1);
    double met = 0.2 * log(2); /* 2 (1 - exp(-t/0.2)) = 1 */
    assert_near(real(&m, "gpspos")[0], 2 * (met - 0.2 * 0.5) + (1 - met), 1e-14);
    assert_near(*real(&m, "speed"), 1, 0);
    free(m.self);
}

/* A wall in front stops it at once, one at the side does not unless it turns; backwards it is the
 * one behind. After a turn it waits until the distances are of its new direction. */
static void test_stop_before_a_wall(void **state) {
    (void)state;
    rig m = make_mobility(1, 0);
    double *walls = real(&m, "walls"), *speed = real(&m, "speed"), *as = real(&m, "as");
    *real(&m, "ls") = 0.5;
    step(&m, 0.1);
    assert_true(*speed > 0.1);
    double x = real(&m, "gpspos")[0];
    walls[WALL_FRONT] = 0.2;
    step(&m, 0.1);
    assert_near(*speed, 0, 0);
    assert_near(real(&m, "gpspos")[0], x, 0);
    *real(&m, "ls") = -0.5;
    step(&m, 0.1);
    assert_true(*speed < -0.1);
    *real(&m, "ls") = 0.5;
    walls[WALL_FRONT] = 5;
    walls[WALL_LEFT] = 0.1;
    step(&m, 0.1);
    assert_true(*speed > 0);
    *as = 1;
    step(&m, 0.1);
    assert_near(*speed, 0, 0);
    *as = 0;
    step(&m, 0.1); /* what is in front is of the direction it had before */
    assert_near(*speed, 0, 0);
    step(&m, 0.1);
    assert_true(*speed > 0.1);
    free(m.self);
}

static void test_wrong_parameters(void **state) {
    (void)state;
    rig m = make(&hk_detector_mobility_type);
    set_pair(real(&m, "initial_direction"), 0, 0);
    assert_int_equal(m.type->init(m.self, 0), HK_STEP_FAILED);
    assert_non_null(strstr(m.type->complaint(m.self), "initial_direction"));
    set_pair(real(&m, "initial_direction"), 0, 2);
    init(&m);
    *real(&m, "response") = 0;
    assert_int_equal(m.type->step(m.self, 0, 0.1), HK_STEP_FAILED);
    assert_non_null(strstr(m.type->complaint(m.self), "response"));
    rig a = make(&hk_detector_arena_type);
    *(int64_t *)at(&a, "corner_count") = 13;
    assert_int_equal(a.type->init(a.self, 0), HK_STEP_FAILED);
    assert_string_equal(a.type->complaint(a.self), "corner_count is 13: from 3 to 12 are possible");
    *(int64_t *)at(&a, "corner_count") = 5;
    init(&a);
    real(&a, "position")[0] = -0.6;
    assert_int_equal(a.type->step(a.self, 0, 0.1), HK_STEP_FAILED);
    assert_string_equal(a.type->complaint(a.self),
                        "the rover is at (-0.6, 0), outside of the room");
    real(&a, "position")[0] = 0;
    real(&a, "sources")[3] = 0;
    assert_int_equal(a.type->step(a.self, 0, 0.1), HK_STEP_FAILED);
    assert_non_null(strstr(a.type->complaint(a.self), "the width of source 1 is 0 m"));
    free(m.self);
    free(a.self);
}

/* ---- Arena */

static void look(const rig *a, double x, double y, double dx, double dy) {
    set_pair(real(a, "position"), x, y);
    set_pair(real(a, "direction"), dx, dy);
    step(a, 0.1);
}

static void assert_walls(const rig *a, double left, double right, double front, double back) {
    const double *walls = real(a, "walls");
    assert_near(walls[WALL_LEFT], left, 1e-12);
    assert_near(walls[WALL_RIGHT], right, 1e-12);
    assert_near(walls[WALL_FRONT], front, 1e-12);
    assert_near(walls[WALL_BACK], back, 1e-12);
}

/* A square room of 4 m with one wall in it, from (2, 0) to (2, 2). */
static rig make_square(double radius) {
    static const double corners[] = {0, 0, 4, 0, 4, 4, 0, 4}, wall[] = {2, 0, 2, 2};
    rig a = make(&hk_detector_arena_type);
    *(int64_t *)at(&a, "corner_count") = 4;
    *(int64_t *)at(&a, "inner_count") = 1;
    memcpy(at(&a, "room"), corners, sizeof corners);
    memcpy(at(&a, "inner"), wall, sizeof wall);
    *real(&a, "radius") = radius;
    set_pair(real(&a, "position"), 1, 1);
    init(&a);
    return a;
}

static void test_distances(void **state) {
    (void)state;
    rig a = make_square(0.25);
    look(&a, 1, 1, 1, 0);
    assert_walls(&a, 2.75, 0.75, 0.75, 0.75);
    look(&a, 1, 1, 0, 5); /* of any length */
    assert_walls(&a, 0.75, 0.75, 2.75, 0.75);
    look(&a, 1, 3, 1, 0); /* above the wall */
    assert_walls(&a, 0.75, 2.75, 2.75, 0.75);
    /* At 45 degrees a straight wall is touched when its distance is the radius: along the ray that
     * is sqrt(2) times the way across. */
    look(&a, 1, 1, 1, 1);
    assert_walls(&a, 0.75 * sqrt(2), 0.75 * sqrt(2), 0.75 * sqrt(2), 0.75 * sqrt(2));
    /* The ray passes above the end of the wall, the rover does not: it touches its round end. */
    look(&a, 1, 2.2, 1, 0);
    assert_near(real(&a, "walls")[WALL_FRONT], 1 - sqrt(0.25 * 0.25 - 0.2 * 0.2), 1e-12);
    look(&a, 1, 2.26, 1, 0);
    assert_near(real(&a, "walls")[WALL_FRONT], 2.75, 1e-12);
    /* Who overlaps a wall is free to go away from it, and not to go on. */
    look(&a, 1.9, 1, 1, 0);
    assert_walls(&a, 2.75, 0.75, 0, 1.65);
    free(a.self);
    a = make_square(0); /* rays alone */
    look(&a, 1, 1, 2, 1);
    assert_walls(&a, hypot(1, 2), hypot(0.5, 1), hypot(1, 0.5), hypot(1, 0.5));
    free(a.self);
}

/* A plane is a plane everywhere on the grid; around it the floor is level across its edge. */
static void test_floor(void **state) {
    (void)state;
    rig a = make_square(0.25);
    double *heights = real(&a, "heights");
    *real(&a, "grid_cell") = 0.5;
    set_pair(real(&a, "grid_origin"), 0, 0);
    for (int i = 0; i < 36; i++)
        heights[i] = 0.3 * 0.5 * (i % 6) - 0.1 * 0.5 * (double)(i / 6); /* 0.3 x - 0.1 y */
    const double places[][2] = {{1, 1}, {0.3, 0.26}, {1.51, 2.49}, {2.2, 2.3}};
    for (size_t i = 0; i < 4; i++) {
        look(&a, places[i][0], places[i][1], 1, 0);
        assert_near(*real(&a, "slope"), 0.3, 1e-12);
        look(&a, places[i][0], places[i][1], 3, 4);
        assert_near(*real(&a, "slope"), 0.3 * 0.6 - 0.1 * 0.8, 1e-12);
    }
    look(&a, 2.7, 1, 1, 0);
    assert_near(*real(&a, "slope"), 0, 0);
    look(&a, 2.7, 1, 0, 1);
    assert_near(*real(&a, "slope"), -0.1, 1e-12);
    free(a.self);
}

static void test_sources_add_up(void **state) {
    (void)state;
    static const double two[] = {1, 1, 2, 0.5, 3, 3, 4, 1};
    rig a = make_square(0.25);
    *(int64_t *)at(&a, "source_count") = 2;
    memcpy(at(&a, "sources"), two, sizeof two);
    look(&a, 1, 1, 1, 0);
    assert_near(*real(&a, "concentration"), 2 + 4 * exp(-4), 1e-14);
    look(&a, 1.5, 1, 1, 0);
    assert_near(*real(&a, "concentration"), 2 * exp(-0.5) + 4 * exp(-6.25 / 2), 1e-14);
    free(a.self);
}

/* ---- WallSensor, ChemDHW */

static void test_sensors(void **state) {
    (void)state;
    const struct {
        double walls[WALL_COUNT], left, right;
    } rows[] = {{{1, 1, 1, 0.1}, 0, 0},       {{0.2, 1, 1, 1}, 1, 0}, {{1, 0.2, 1, 1}, 0, 1},
                {{1, 2, 0.2, 1}, 1, 0},       {{2, 1, 0.2, 1}, 0, 1}, {{0.2, 0.1, 1, 1}, 0, 1},
                {{0.1, 0.1, 0.1, 0.1}, 1, 0}, {{0.3, 1, 1, 1}, 0, 0}};
    rig w = make(&hk_detector_wall_sensor_type), c = make(&hk_detector_chem_type);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(at(&w, "walls"), rows[i].walls, sizeof rows[i].walls);
        step(&w, 0.1);
        assert_near(*real(&w, "wleft"), rows[i].left, 0);
        assert_near(*real(&w, "wright"), rows[i].right, 0);
    }
    for (int i = 0; i <= 10; i++) {
        *real(&c, "concentration") = 0.1 * i;
        step(&c, 0.1);
        assert_near(*real(&c, "detected"), i > 5 ? 1 : 0, 0);
    }
    free(w.self);
    free(c.self);
}

/* ---- rover and arena together */

static double side_of(const double *a, const double *b, const double *p) {
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* True if the ways from P to Q and from A to B cross. */
static bool cross(const double *p, const double *q, const double *a, const double *b) {
    return side_of(a, b, p) * side_of(a, b, q) <= 0 && side_of(p, q, a) * side_of(p, q, b) <= 0;
}

/* From P to the nearest point of the way from A to B. */
static double distance(const double *p, const double *a, const double *b) {
    double x = b[0] - a[0], y = b[1] - a[1];
    double part = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / (x * x + y * y);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return hypot(p[0] - a[0] - part * x, p[1] - a[1] - part * y);
}

/* A step from P to Q crosses no wall, and ends no nearer to one than the radius less what the rover
 * drives in two steps, of which it knows nothing. */
static void assert_no_wall_between(const rig *a, const double *p, const double *q, long number) {
    const double *room = real(a, "room"), *inner = real(a, "inner");
    int64_t corners = *(int64_t *)at(a, "corner_count"), walls = *(int64_t *)at(a, "inner_count");
    const double least = 0.25 - 1 * (0.1 + 0.1);
    for (int64_t i = 0; i < corners + walls; i++) {
        const double *from = i < corners ? room + 2 * i : inner + 4 * (i - corners);
        const double *to = i < corners ? room + 2 * ((i + 1) % corners) : from + 2;
        if (cross(p, q, from, to) || distance(q, from, to) < least)
            fail_msg("step %ld crosses or touches wall %ld: (%g, %g) to (%g, %g)", number, (long)i,
                     p[0], p[1], q[0], q[1]);
    }
}

/* A million steps of any commands, each held for a while: full speed ahead, back, turns, both; each
 * sees what the other was before, as in a run with the lag `previous`. Whatever they are, no wall
 * is crossed; and it does not stand still all the time. */
static void test_a_million_random_steps(void **state) {
    (void)state;
    rig m = make(&hk_detector_mobility_type), a = make(&hk_detector_arena_type);
    hk_stream dice = hk_stream_make(17, 0, "rover", "commands");
    double way = 0;
    bool visited[12][10] = {{false}};
    init(&m);
    init(&a);
    double *position = real(&m, "gpspos");
    for (long i = 0, until = 0; i < 1000000; i++) {
        if (i == until) {
            *real(&m, "ls") = 4 * hk_stream_uniform(&dice, i, 0) - 2;
            *real(&m, "as") = 6 * hk_stream_uniform(&dice, i, 1) - 3;
            if (hk_stream_uniform(&dice, i, 2) < 0.4)
                *real(&m, "as") = 0;
            until += 1 + (long)(12 * hk_stream_uniform(&dice, i, 3));
        }
        double walls[WALL_COUNT], slope = *real(&a, "slope"), from[2] = {position[0], position[1]};
        memcpy(walls, at(&a, "walls"), sizeof walls);
        memcpy(at(&a, "position"), position, sizeof from);
        memcpy(at(&a, "direction"), at(&m, "gpsdir"), sizeof from);
        step(&a, 0.1);
        memcpy(at(&m, "walls"), walls, sizeof walls);
        *real(&m, "slope") = slope;
        step(&m, 0.1);
        assert_no_wall_between(&a, from, position, i);
        way += hypot(position[0] - from[0], position[1] - from[1]);
        visited[(int)(position[0] + 1)][(int)(position[1] + 1)] = true;
    }
    int places = 0;
    for (int i = 0; i < 120; i++)
        places += visited[i / 10][i % 10];
    assert_true(way > 10000);
    assert_true(places > 70); /* squares of 1 m, of about 80 */
    free(m.self);
    free(a.self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_run),
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_curve_while_it_accelerates),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_limit_within_a_step),
        cmocka_unit_test(test_stop_before_a_wall),
        cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_floor),
        cmocka_unit_test(test_sources_add_up),
        cmocka_unit_test(test_sensors),
        cmocka_unit_test(test_a_million_random_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
