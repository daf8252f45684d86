/* SPDX-License-Identifier: MIT
 *
 * What runs on board, and the analysis that compares it with the truth. */
#include "standin.h"

/* ---- navigation.DvlDriver ---- */

typedef struct dvl_driver {
    coordinate3d sensor_speed, body_speed;
    double stamp;
    double theta;
    double known, sine, cosine; /* of the angle that was seen last */
} dvl_driver;

static const hk_port dvl_driver_ports[] = {
    XYZ(dvl_driver, sensor_speed, "sensorSpeed", HK_INPUT, "m/s"),
    XYZ(dvl_driver, body_speed, "bodySpeed", HK_OUTPUT, "m/s"),
    HK_PORT(dvl_driver, stamp, HK_OUTPUT, HK_TYPE_F64, .unit = "s"),
    PARAMETER(dvl_driver, theta, "thetaDVL", "deg", "0"),
};

static int dvl_driver_init(void *self, double t) {
    dvl_driver *x = self;
    (void)t;
    x->known = x->theta;
    x->sine = hk_sin(DEGREES(x->theta));
    x->cosine = hk_cos(DEGREES(x->theta));
    return HK_STEP_OK;
}

static int dvl_driver_step(void *self, double t, double h) {
    dvl_driver *x = self;
    if (x->theta != x->known)
        dvl_driver_init(self, t);
    x->body_speed.x = x->cosine * x->sensor_speed.x - x->sine * x->sensor_speed.y;
    x->body_speed.y = x->sine * x->sensor_speed.x + x->cosine * x->sensor_speed.y;
    x->body_speed.z = x->sensor_speed.z;
    x->stamp = t + h;
    return HK_STEP_OK;
}

const hk_unit_type hk_standin_dvl_driver = {
    STANDIN_TYPE(dvl_driver, "navigation.DvlDriver", dvl_driver_ports), .init = dvl_driver_init,
    .step = dvl_driver_step};

/* ---- navigation.NavigationFunction ---- */

enum { NAV_NONE, NAV_GPS, NAV_DVL_GYRO, NAV_INERTIAL };

typedef struct navigation_function {
    coordinate3d body_speed, rotation_speed, acceleration, gps_position;
    double depth;
    coordinate3d position;
    int32_t number;
    double yaw;
    coordinate3d speed; /* inertial: in the body's frame */
} navigation_function;

static const hk_port navigation_function_ports[] = {
    XYZ(navigation_function, body_speed, "bodySpeed", HK_INPUT, "m/s"),
    XYZ(navigation_function, rotation_speed, "rotationSpeed", HK_INPUT, NULL),
    XYZ(navigation_function, acceleration, "acceleration", HK_INPUT, "m/s2"),
    XYZ(navigation_function, gps_position, "gpsPosition", HK_INPUT, "m"),
    NAMED(navigation_function, depth, "depth", HK_INPUT, HK_TYPE_F64, .unit = "m"),
    XYZ(navigation_function, position, "myEstimatedNedPosition", HK_OUTPUT, "m"),
    NAMED(navigation_function, number, "myNavFunctionNumber", HK_PARAMETER, HK_TYPE_I32,
          .start = "0", .tunable = true),
};

/* Dead reckoning with the heading in the middle of the step. */
static void reckon(navigation_function *x, coordinate3d speed, double h) {
    double middle = x->yaw + 0.5 * h * x->rotation_speed.z;
    double sine = hk_sin(middle), cosine = hk_cos(middle);
    x->position.x += h * (cosine * speed.x - sine * speed.y);
    x->position.y += h * (sine * speed.x + cosine * speed.y);
    x->position.z += h * speed.z;
    x->yaw += h * x->rotation_speed.z;
}

static int navigation_function_step(void *self, double t, double h) {
    navigation_function *x = self;
    (void)t;
    switch (x->number) {
    case NAV_NONE:
        return HK_STEP_OK;
    case NAV_GPS:
        x->position = (coordinate3d){x->gps_position.x, x->gps_position.y, x->depth};
        return HK_STEP_OK;
    case NAV_DVL_GYRO:
        reckon(x, x->body_speed, h);
        return HK_STEP_OK;
    case NAV_INERTIAL:
        x->speed.x += h * x->acceleration.x;
        x->speed.y += h * x->acceleration.y;
        x->speed.z += h * x->acceleration.z;
        reckon(x, x->speed, h);
        return HK_STEP_OK;
    default:
        return HK_STEP_FAILED;
    }
}

const hk_unit_type hk_standin_navigation_function = {
    STANDIN_TYPE(navigation_function, "navigation.NavigationFunction", navigation_function_ports),
    .step = navigation_function_step};

/* ---- analysis.PositionError ---- */

typedef struct position_error {
    coordinate3d truth, estimate;
    double error, largest, distance;
} position_error;

static const hk_port position_error_ports[] = {
    XYZ(position_error, truth, "truePosition", HK_INPUT, "m"),
    XYZ(position_error, estimate, "estimatedPosition", HK_INPUT, "m"),
    HK_PORT(position_error, error, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
    HK_PORT(position_error, largest, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
    HK_PORT(position_error, distance, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
};

static double length(double x, double y, double z) {
    return sqrt(x * x + y * y + z * z);
}

static int position_error_step(void *self, double t, double h) {
    position_error *x = self;
    (void)t, (void)h;
    x->error =
        length(x->truth.x - x->estimate.x, x->truth.y - x->estimate.y, x->truth.z - x->estimate.z);
    x->largest = x->error > x->largest ? x->error : x->largest;
    x->distance = length(x->truth.x, x->truth.y, x->truth.z);
    return HK_STEP_OK;
}

const hk_unit_type hk_standin_position_error = {
    STANDIN_TYPE(position_error, "analysis.PositionError", position_error_ports),
    .step = position_error_step};
