/* SPDX-License-Identifier: MIT
 *
 * navigation.DvlDriver: turns what the DVL says back into the frame of the body, by the angle at
 * which the navigation believes it to be mounted. */
#include "auv.h"

typedef struct dvl_driver {
    coordinate3d sensor_speed, body_speed;
    bool sensor_valid, valid;
    double sensor_stamp, stamp;
    double theta;
    double known, sine, cosine; /* of the angle that was seen last */
} dvl_driver;

static const hk_port dvl_driver_ports[] = {
    XYZ(dvl_driver, sensor_speed, "sensorSpeed", HK_INPUT, "m/s"),
    NAMED(dvl_driver, sensor_valid, "sensorValid", HK_INPUT, HK_TYPE_BOOL, .start = "true"),
    NUMBER_IN(dvl_driver, sensor_stamp, "sensorStamp", "s"),
    XYZ(dvl_driver, body_speed, "bodySpeed", HK_OUTPUT, "m/s"),
    TRUTH_OUT(dvl_driver, valid, "valid"),
    NUMBER_OUT(dvl_driver, stamp, "stamp", "s"),
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
    (void)h;
    if (x->theta != x->known)
        dvl_driver_init(self, t);
    x->body_speed.x = x->cosine * x->sensor_speed.x - x->sine * x->sensor_speed.y;
    x->body_speed.y = x->sine * x->sensor_speed.x + x->cosine * x->sensor_speed.y;
    x->body_speed.z = x->sensor_speed.z;
    x->valid = x->sensor_valid;
    x->stamp = x->sensor_stamp;
    return HK_STEP_OK;
}

const hk_unit_type hk_auv_dvl_driver = {
    AUV_TYPE(dvl_driver, "navigation.DvlDriver", dvl_driver_ports), .init = dvl_driver_init,
    .step = dvl_driver_step};
