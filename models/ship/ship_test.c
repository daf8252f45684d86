/* SPDX-License-Identifier: MIT
 *
 * Units of the ship one by one, where the answer is known without them. */
#include "ship.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    const hk_unit_type *type;
    void *self;
} rig;

static const hk_port *port_of(const rig *r, const char *name) {
    for (size_t i = 0; i < r->type->port_count; i++)
        if (strcmp(r->type->ports[i].name, name) == 0)
            return &r->type->ports[i];
    fail_msg("%s has no '%s'", r->type->name, name);
    return NULL;
}

static double *at(const rig *r, const char *name) {
    const hk_port *port = port_of(r, name);
    assert_int_equal(port->type, HK_TYPE_F64);
    return (double *)(void *)((char *)r->self + port->offset);
}

/* Start values as hocket puts them: one for all elements, or a list. */
static void put_start(const rig *r, const hk_port *port) {
    size_t count = port->count ? port->count : 1;
    const char *text = port->start;
    char *to = (char *)r->self + port->offset;
    for (size_t i = 0; i < count; i++) {
        char *end;
        double value = strtod(text, &end);
        if (port->type == HK_TYPE_F64)
            ((double *)(void *)to)[i] = value;
        else
            ((int32_t *)(void *)to)[i] = (int32_t)value;
        text = *end ? end : port->start;
        assert_true(*end || i + 1 == count || text == port->start);
    }
}

static rig make(const char *name) {
    rig r = {0};
    for (const hk_unit_type *const *t = hk_ship_types; *t; t++)
        if (strcmp((*t)->name, name) == 0)
            r.type = *t;
    assert_non_null(r.type);
    r.self = calloc(1, r.type->instance_size);
    assert_non_null(r.self);
    for (size_t i = 0; i < r.type->port_count; i++)
        if (r.type->ports[i].start)
            put_start(&r, &r.type->ports[i]);
    return r;
}

static void begin(const rig *r) {
    assert_int_equal(r->type->init(r->self, 0.0), HK_STEP_OK);
    assert_int_equal(r->type->output(r->self, 0.0), HK_STEP_OK);
}

static void run(const rig *r, int steps) {
    for (int k = 0; k < steps; k++)
        assert_int_equal(r->type->step(r->self, k * 0.05, 0.05), HK_STEP_OK);
}

/* Without wind the ship goes straight on, as fast as resistance allows. */
static void test_hull_straight(void **state) {
    (void)state;
    rig r = make("hull");
    *at(&r, "port_x") = *at(&r, "starboard_x") = 20000.0;
    *at(&r, "wind.density") = 0.0;
    *at(&r, "current_north") = 0.7;
    begin(&r);
    run(&r, 20000);
    double linear = *at(&r, "drag.linear"), quadratic = *at(&r, "drag.quadratic");
    double u = (-linear + sqrt(linear * linear + 4.0 * quadratic * 40000.0)) / (2.0 * quadratic);
    assert_true(fabs(*at(&r, "water_u") - u) < 1e-6);
    assert_true(fabs(*at(&r, "speed") - u - 0.7) < 1e-6); /* the current is ahead */
    assert_true(*at(&r, "heading") == 0.0 && *at(&r, "east") == 0.0);
    free(r.self);
}

/* What is to port and what is to starboard: one turns as the other, the other way round. */
static void test_hull_is_symmetric(void **state) {
    (void)state;
    rig r[2] = {make("hull"), make("hull")};
    for (int i = 0; i < 2; i++) {
        double side = i ? -1.0 : 1.0;
        *at(&r[i], "port_x") = *at(&r[i], "starboard_x") = 20000.0;
        *at(&r[i], "port_y") = side * 4000.0;
        *at(&r[i], "wind_east") = side * 8.0;
        begin(&r[i]);
        run(&r[i], 2000);
    }
    assert_true(*at(&r[0], "east") <
                -100.0); /* pushed to starboard at the stern, it turns to port */
    assert_true(fabs(*at(&r[0], "east") + *at(&r[1], "east")) < 1e-6);
    assert_true(fabs(*at(&r[0], "north") - *at(&r[1], "north")) < 1e-6);
    free(r[0].self);
    free(r[1].self);
}

/* The variance of the elevation is a sixteenth of the height's square, but for the tails of the
 * spectrum; and the sea does not move a ship that is not there. */
static void test_sea(void **state) {
    (void)state;
    rig r = make("sea");
    *at(&r, "waves.height") = 2.0;
    begin(&r);
    assert_true(fabs(*at(&r, "waves.variance") / 0.25 - 1.0) < 0.03);
    double before = *at(&r, "wave_y");
    *at(&r, "hull.mass_y") = 0.0;
    run(&r, 1);
    assert_true(before != 0.0 && *at(&r, "first_order.y") == 0.0);
    free(r.self);
}

/* At the shaft's speed the motor gives what propeller and friction take. */
static void test_thruster(void **state) {
    (void)state;
    rig r = make("azimuth");
    *at(&r, "speed_command") = 200.0;
    *at(&r, "power_limit") = 4e5;
    *at(&r, "water_u") = 5.0;
    begin(&r);
    assert_true(*at(&r, "force_x") == 0.0 && *at(&r, "power") == 0.0); /* at rest */
    run(&r, 2000);
    assert_true(fabs(*at(&r, "speed") - 200.0) < 1e-6);
    double taken = *at(&r, "propeller.torque") + *at(&r, "shaft.friction") * *at(&r, "shaft.omega");
    assert_true(fabs(*at(&r, "motor.torque") / taken - 1.0) < 1e-6);
    double thrust = *at(&r, "propeller.thrust"), useful = *at(&r, "propeller.efficiency");
    assert_true(thrust > 15000.0 && thrust < 35000.0 && useful > 0.5 && useful < 0.8);
    *at(&r, "power_limit") = 5e4;
    run(&r, 400);
    assert_true(*at(&r, "power") <= 5e4 && *at(&r, "speed") < 190.0);
    free(r.self);
}

/* In the long run the engines give what is taken, at the nominal frequency, and a set more is
 * started. */
static void test_plant(void **state) {
    (void)state;
    rig r = make("plant");
    *at(&r, "load_port") = *at(&r, "load_starboard") = 400.0;
    begin(&r);
    run(&r, 6000);
    assert_true(fabs(*at(&r, "bus.generated") - 890.0) < 1e-3);
    assert_true(fabs(*at(&r, "frequency") - 60.0) < 1e-3);
    assert_true(*at(&r, "bus.capacity") == 1350.0 && *at(&r, "bus.load") < 0.8);
    double load = *at(&r, "set.load"), burn = *at(&r, "set.consumption");
    assert_true(load > 0.6 && load < 0.7 && burn < 209.0 && burn > 205.0); /* between two points */
    free(r.self);
}

/* A value that makes no sense is refused at the beginning. */
static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *unit, *name;
        double value;
    } wrong[] = {{"sea", "waves.period", 0.0},
                 {"sea", "wind.speed", NAN},
                 {"hull", "mass", -1e6},
                 {"hull", "wind.angle", 20.0},
                 {"azimuth", "propeller.diameter", 0.0},
                 {"azimuth", "propeller.j", 3.0},
                 {"plant", "set.rated", 0.0},
                 {"plant", "consumption.load", 0.2},
                 {"guidance", "lookahead", 0.0},
                 {"guidance", "waypoint.north", 300.0},
                 {"pilot", "thruster.x", 0.0},
                 {"observer", "model.mass_n", 0.0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r = make(wrong[i].unit);
        assert_int_equal(r.type->init(r.self, 0.0), HK_STEP_OK);
        *at(&r, wrong[i].name) = wrong[i].value;
        if (r.type->init(r.self, 0.0) != HK_STEP_FAILED)
            fail_msg("%s takes %s = %g", wrong[i].unit, wrong[i].name, wrong[i].value);
        free(r.self);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hull_straight), cmocka_unit_test(test_hull_is_symmetric),
        cmocka_unit_test(test_sea),           cmocka_unit_test(test_thruster),
        cmocka_unit_test(test_plant),         cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
