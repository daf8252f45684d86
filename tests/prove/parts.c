/* SPDX-License-Identifier: MIT
 *
 * Small systems to be run, traced and proved: a tank whose valve a switch opens and closes, and a
 * robot that follows a line with two sensors. prove_test.py has the same equations. */
#include <hk/unit.h>

#include <math.h>

/* ---- the tank: what flows in is constant, what flows out depends on the level ---- */

enum { SUBSTEPS = 10 };

typedef struct tank {
    bool valve;
    double level;
} tank;

static int tank_step(void *self, double t, double h) {
    tank *x = self;
    (void)t;
    for (int i = 0; i < SUBSTEPS; i++) {
        double out = x->valve ? 1.4 * sqrt(x->level) : 0.0;
        x->level += h / SUBSTEPS * (1.0 - out);
    }
    return HK_STEP_OK;
}

static const hk_port tank_ports[] = {
    HK_PORT(tank, valve, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(tank, level, HK_OUTPUT, HK_TYPE_F64, .start = "0", .depends_on = ""),
};
static const hk_unit_type tank_type = {HK_UNIT_TYPE(tank), .ports = tank_ports, .port_count = 2,
                                       .step = tank_step};

typedef struct two_point {
    double level, most, least;
    bool valve;
} two_point;

static int two_point_step(void *self, double t, double h) {
    two_point *x = self;
    (void)t;
    (void)h;
    if (x->level >= x->most)
        x->valve = true;
    else if (x->level <= x->least)
        x->valve = false;
    return HK_STEP_OK;
}

static const hk_port two_point_ports[] = {
    HK_PORT(two_point, level, HK_INPUT, HK_TYPE_F64),
    HK_PORT(two_point, valve, HK_OUTPUT, HK_TYPE_BOOL, .depends_on = ""),
    HK_PORT(two_point, most, HK_PARAMETER, HK_TYPE_F64, .start = "2"),
    HK_PORT(two_point, least, HK_PARAMETER, HK_TYPE_F64, .start = "1"),
};
static const hk_unit_type two_point_type = {HK_UNIT_TYPE(two_point), .ports = two_point_ports,
                                            .port_count = 4, .step = two_point_step};

/* ---- the robot: two driven wheels, two sensors, a line along the x axis ---- */

typedef struct body {
    double left, right, x, y, heading;
} body;

static int body_step(void *self, double t, double h) {
    body *b = self;
    (void)t;
    double speed = 0.5 * (b->left + b->right);
    b->x += h * speed * cos(b->heading);
    b->y += h * speed * sin(b->heading);
    b->heading += h * (b->right - b->left) / 0.2;
    return HK_STEP_OK;
}

static const hk_port body_ports[] = {
    HK_PORT(body, left, HK_INPUT, HK_TYPE_F64),
    HK_PORT(body, right, HK_INPUT, HK_TYPE_F64),
    HK_PORT(body, x, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(body, y, HK_OUTPUT, HK_TYPE_F64, .start = "0.03", .depends_on = ""),
    HK_PORT(body, heading, HK_OUTPUT, HK_TYPE_F64, .start = "-0.2", .depends_on = ""),
};
static const hk_unit_type body_type = {HK_UNIT_TYPE(body), .ports = body_ports, .port_count = 5,
                                       .step = body_step};

typedef struct sensor {
    double y, heading, side;
    bool dark;
} sensor;

static int sensor_step(void *self, double t, double h) {
    sensor *s = self;
    (void)t;
    (void)h;
    s->dark = fabs(s->y + 0.1 * sin(s->heading) + s->side * cos(s->heading)) < 0.02;
    return HK_STEP_OK;
}

static const hk_port sensor_ports[] = {
    HK_PORT(sensor, y, HK_INPUT, HK_TYPE_F64),
    HK_PORT(sensor, heading, HK_INPUT, HK_TYPE_F64),
    HK_PORT(sensor, dark, HK_OUTPUT, HK_TYPE_BOOL, .depends_on = ""),
    HK_PORT(sensor, side, HK_PARAMETER, HK_TYPE_F64, .start = "0.03"),
};
static const hk_unit_type sensor_type = {HK_UNIT_TYPE(sensor), .ports = sensor_ports,
                                         .port_count = 4, .step = sensor_step};

typedef struct steering {
    bool dark_left, dark_right;
    double left, right;
} steering;

static int steering_step(void *self, double t, double h) {
    steering *s = self;
    (void)t;
    (void)h;
    s->left = s->dark_left ? 0.1 : 0.2;
    s->right = s->dark_right ? 0.1 : 0.2;
    return HK_STEP_OK;
}

static const hk_port steering_ports[] = {
    HK_PORT(steering, dark_left, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(steering, dark_right, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(steering, left, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(steering, right, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type steering_type = {HK_UNIT_TYPE(steering), .ports = steering_ports,
                                           .port_count = 4, .step = steering_step};

static const hk_unit_type *const types[] = {&tank_type,   &two_point_type, &body_type,
                                            &sensor_type, &steering_type,  NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}
