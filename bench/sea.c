/* SPDX-License-Identifier: MIT */
#include "sea.h"

#include <math.h>

#define AXIS(owner, port, axis, cause, ...)                                                        \
    {                                                                                              \
        .name = #port "." #axis, .offset = offsetof(owner, port.axis), .causality = (cause),       \
        .type = HK_TYPE_F64, __VA_ARGS__                                                           \
    }
#define VECTOR_IN(type, port)                                                                      \
    AXIS(type, port, x, HK_INPUT, .start = "0"), AXIS(type, port, y, HK_INPUT, .start = "0"),      \
        AXIS(type, port, z, HK_INPUT, .start = "0")
#define VECTOR_OUT(type, port)                                                                     \
    AXIS(type, port, x, HK_OUTPUT, .start = "0"), AXIS(type, port, y, HK_OUTPUT, .start = "0"),    \
        AXIS(type, port, z, HK_OUTPUT, .start = "0")
#define IN(type, port)         HK_PORT(type, port, HK_INPUT, HK_TYPE_F64, .start = "0")
#define OUT(type, port)        HK_PORT(type, port, HK_OUTPUT, HK_TYPE_F64, .start = "0")
#define SET(type, port, value) HK_PORT(type, port, HK_PARAMETER, HK_TYPE_F64, .start = (value))
#define TYPE(type, function)                                                                       \
    const hk_unit_type type##_type = {HK_UNIT_TYPE(type), .ports = function##_ports,               \
                                      .port_count =                                                \
                                          sizeof function##_ports / sizeof *function##_ports,      \
                                      .stamp = HK_STAMP_START, .step = function}

static int drive(void *self, double t, double h) {
    sea_vehicle *x = self;
    double angle = x->rate * t, c = cos(angle), s = sin(angle);
    (void)h;
    x->position = (sea_vector){x->radius * s, x->radius * (1 - c), x->sink * t};
    x->speed = (sea_vector){x->radius * x->rate, 0, x->sink};
    x->rotation = (sea_vector){0, 0, x->rate};
    x->heading = angle;
    return HK_STEP_OK;
}
static const hk_port drive_ports[] = {
    VECTOR_OUT(sea_vehicle, position), VECTOR_OUT(sea_vehicle, speed),
    VECTOR_OUT(sea_vehicle, rotation), OUT(sea_vehicle, heading),
    SET(sea_vehicle, radius, "50"),    SET(sea_vehicle, rate, "0.04"),
    SET(sea_vehicle, sink, "0.1"),
};
TYPE(sea_vehicle, drive);

static int turn(void *self, double t, double h) {
    sea_turn *x = self;
    (void)t, (void)h;
    x->out.x = x->cosine * x->in.x - x->sine * x->in.y;
    x->out.y = x->sine * x->in.x + x->cosine * x->in.y;
    x->out.z = x->in.z;
    return HK_STEP_OK;
}
static const hk_port turn_ports[] = {
    VECTOR_IN(sea_turn, in),
    VECTOR_OUT(sea_turn, out),
    SET(sea_turn, cosine, "0.8"),
    SET(sea_turn, sine, "0.6"),
};
TYPE(sea_turn, turn);

static double measured(double in, double *state, double share, double scale, double bias,
                       double resolution) {
    *state += share * (in - *state);
    return floor((scale * *state + bias) / resolution + 0.5) * resolution;
}

static int measure(void *self, double t, double h) {
    sea_sensor *x = self;
    double share = h / (h + x->inertia);
    (void)t;
    x->out.x = measured(x->in.x, &x->state.x, share, x->scale, x->bias, x->resolution);
    x->out.y = measured(x->in.y, &x->state.y, share, x->scale, x->bias, x->resolution);
    x->out.z = measured(x->in.z, &x->state.z, share, x->scale, x->bias, x->resolution);
    return HK_STEP_OK;
}
static const hk_port measure_ports[] = {
    VECTOR_IN(sea_sensor, in),        VECTOR_OUT(sea_sensor, out),
    SET(sea_sensor, scale, "1.002"),  SET(sea_sensor, bias, "0.001"),
    SET(sea_sensor, inertia, "0.01"), SET(sea_sensor, resolution, "0.0001"),
};
TYPE(sea_sensor, measure);

static int gauge(void *self, double t, double h) {
    sea_gauge *x = self;
    (void)t;
    x->out = measured(x->in, &x->state, h / (h + x->inertia), x->scale, x->bias, x->resolution);
    return HK_STEP_OK;
}
static const hk_port gauge_ports[] = {
    IN(sea_gauge, in),
    OUT(sea_gauge, out),
    SET(sea_gauge, scale, "1.002"),
    SET(sea_gauge, bias, "0.001"),
    SET(sea_gauge, inertia, "0.01"),
    SET(sea_gauge, resolution, "0.0001"),
};
TYPE(sea_gauge, gauge);

static int adapt(void *self, double t, double h) {
    sea_adapter *x = self;
    (void)t, (void)h;
    x->out = x->factor * x->in + x->offset;
    return HK_STEP_OK;
}
static const hk_port adapt_ports[] = {
    IN(sea_adapter, in),
    OUT(sea_adapter, out),
    SET(sea_adapter, factor, "1"),
    SET(sea_adapter, offset, "-0.001"),
};
TYPE(sea_adapter, adapt);

static int attitude(void *self, double t, double h) {
    sea_attitude *x = self;
    (void)t;
    x->heading += h * x->rotation.z;
    x->heading += x->trust * (x->compass - x->heading);
    return HK_STEP_OK;
}
static const hk_port attitude_ports[] = {
    VECTOR_IN(sea_attitude, rotation),
    IN(sea_attitude, compass),
    OUT(sea_attitude, heading),
    SET(sea_attitude, trust, "0.01"),
};
TYPE(sea_attitude, attitude);

static int navigate(void *self, double t, double h) {
    sea_navigation *x = self;
    double c = cos(x->heading), s = sin(x->heading);
    (void)t;
    x->position.x += h * (c * x->speed.x - s * x->speed.y);
    x->position.y += h * (s * x->speed.x + c * x->speed.y);
    x->position.z += h * x->speed.z;
    return HK_STEP_OK;
}
static const hk_port navigate_ports[] = {
    VECTOR_IN(sea_navigation, speed),
    IN(sea_navigation, heading),
    VECTOR_OUT(sea_navigation, position),
};
TYPE(sea_navigation, navigate);

static int filter(void *self, double t, double h) {
    sea_filter *x = self;
    const sea_vector moved = {x->reckoned.x - x->last.x, x->reckoned.y - x->last.y,
                              x->reckoned.z - x->last.z};
    (void)t, (void)h;
    x->estimate.x += moved.x + x->trust * (x->north - x->estimate.x - moved.x);
    x->estimate.y += moved.y + x->trust * (x->east - x->estimate.y - moved.y);
    x->estimate.z += moved.z + x->trust * (x->depth - x->estimate.z - moved.z);
    x->last = x->reckoned;
    return HK_STEP_OK;
}
static const hk_port filter_ports[] = {
    VECTOR_IN(sea_filter, reckoned),
    IN(sea_filter, north),
    IN(sea_filter, east),
    IN(sea_filter, depth),
    VECTOR_OUT(sea_filter, estimate),
    SET(sea_filter, trust, "0.002"),
};
TYPE(sea_filter, filter);

static int analyse(void *self, double t, double h) {
    sea_analysis *x = self;
    double a = x->estimate.x - x->truth.x, b = x->estimate.y - x->truth.y;
    double c = x->estimate.z - x->truth.z;
    (void)t, (void)h;
    x->error = sqrt(a * a + b * b + c * c);
    x->worst = x->error > x->worst ? x->error : x->worst;
    x->sum += x->error;
    x->count++;
    return HK_STEP_OK;
}
static const hk_port analyse_ports[] = {
    VECTOR_IN(sea_analysis, truth),
    VECTOR_IN(sea_analysis, estimate),
    OUT(sea_analysis, error),
    OUT(sea_analysis, worst),
};
TYPE(sea_analysis, analyse);

void sea_begin(sea_system *x) {
    static const double ten_ms = 0.01;
    x->vehicle = (sea_vehicle){.radius = 50, .rate = 0.04, .sink = 0.1};
    x->to_dvl = x->from_dvl = x->from_gyro = (sea_turn){.cosine = 0.8, .sine = 0.6};
    x->dvl = x->gyro =
        (sea_sensor){.scale = 1.002, .bias = 0.001, .inertia = ten_ms, .resolution = 0.0001};
    x->compass = x->depth = x->gps_north = x->gps_east =
        (sea_gauge){.scale = 1.002, .bias = 0.001, .inertia = ten_ms, .resolution = 0.0001};
    x->from_compass = x->from_depth = (sea_adapter){.factor = 1, .offset = -0.001};
    x->attitude.trust = 0.01;
    x->filter.trust = 0.002;
}

int sea_hand_step(sea_system *x, double t, double h) {
    int bad = drive(&x->vehicle, t, h);
    x->to_dvl.in = x->vehicle.speed;
    bad |= turn(&x->to_dvl, t, h);
    x->dvl.in = x->to_dvl.out;
    bad |= measure(&x->dvl, t, h);
    x->from_dvl.in = x->dvl.out;
    bad |= turn(&x->from_dvl, t, h);
    x->gyro.in = x->vehicle.rotation;
    bad |= measure(&x->gyro, t, h);
    x->from_gyro.in = x->gyro.out;
    bad |= turn(&x->from_gyro, t, h);
    x->compass.in = x->vehicle.heading;
    bad |= gauge(&x->compass, t, h);
    x->from_compass.in = x->compass.out;
    bad |= adapt(&x->from_compass, t, h);
    x->depth.in = x->vehicle.position.z;
    bad |= gauge(&x->depth, t, h);
    x->from_depth.in = x->depth.out;
    bad |= adapt(&x->from_depth, t, h);
    x->gps_north.in = x->vehicle.position.x;
    bad |= gauge(&x->gps_north, t, h);
    x->gps_east.in = x->vehicle.position.y;
    bad |= gauge(&x->gps_east, t, h);
    x->attitude.rotation = x->from_gyro.out;
    x->attitude.compass = x->from_compass.out;
    bad |= attitude(&x->attitude, t, h);
    x->navigation.speed = x->from_dvl.out;
    x->navigation.heading = x->attitude.heading;
    bad |= navigate(&x->navigation, t, h);
    x->filter.reckoned = x->navigation.position;
    x->filter.north = x->gps_north.out;
    x->filter.east = x->gps_east.out;
    x->filter.depth = x->from_depth.out;
    bad |= filter(&x->filter, t, h);
    x->analysis.truth = x->vehicle.position;
    x->analysis.estimate = x->filter.estimate;
    return bad | analyse(&x->analysis, t, h);
}
