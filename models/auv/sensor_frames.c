/* SPDX-License-Identifier: MIT
 *
 * What a sensor sees of the motion of the body: with its own axes, and at its own place. */
#include "sensors.h"

void hk_mounting_compute(mounting *m) {
    hk_geo_euler angles = {DEGREES(m->roll), DEGREES(m->pitch), DEGREES(m->yaw)};
    m->to_body = hk_geo_matrix_of_euler(angles);
    m->known_yaw = m->yaw;
    m->known_pitch = m->pitch;
    m->known_roll = m->roll;
    m->known = true;
}

/* IN, ROTATION and OUT are in the same struct for all three kinds. */
typedef struct body_to_sensor {
    coordinate3d in, rotation, out;
    mounting mounted;
    coordinate3d lever;
    coordinate3d known_rotation; /* accelerometer: of the step before */
    bool begun;
} body_to_sensor;

static inline void turn_into(body_to_sensor *x, hk_geo_vector3 v) {
    if (are_zero(x->mounted.yaw, x->mounted.pitch, x->mounted.roll)) {
        x->out = coordinate_of(v);
        return;
    }
    hk_mounting_look(&x->mounted);
    x->out = coordinate_of(hk_geo_apply_transposed(&x->mounted.to_body, v));
}

#define MOUNTED(yaw_name)                                                                          \
    PARAMETER(body_to_sensor, mounted.yaw, yaw_name, "deg", "0"),                                  \
        PARAMETER(body_to_sensor, mounted.pitch, "pitch", "deg", "0"),                             \
        PARAMETER(body_to_sensor, mounted.roll, "roll", "deg", "0")
#define AT_AN_ARM(port_unit, yaw_name)                                                             \
    XYZ(body_to_sensor, in, "in", HK_INPUT, port_unit),                                            \
        XYZ(body_to_sensor, rotation, "rotationSpeed", HK_INPUT, "rad/s"),                         \
        XYZ(body_to_sensor, out, "out", HK_OUTPUT, port_unit), MOUNTED(yaw_name),                  \
        XYZ_PARAMETER(body_to_sensor, lever, "leverArm", "m")

#define ADAPTER(adapter, full_name, port_table, words)                                             \
    const hk_unit_type hk_auv_##adapter = {AUV_TYPE(body_to_sensor, full_name, port_table),        \
                                           .description = (words), .stamp = HK_STAMP_END,          \
                                           .step = adapter##_step};

/* ---- sensors.BodyToSensor: speed ---- */

static const hk_port speed_ports[] = {
    AT_AN_ARM("m/s", "thetaDVL"),
};

static int body_to_sensor_step(void *self, double t, double h) {
    body_to_sensor *x = self;
    (void)t, (void)h;
    hk_geo_vector3 v = vector_of(x->in);
    if (!is_zero(x->lever))
        v = hk_geo_add(v, hk_geo_cross(vector_of(x->rotation), vector_of(x->lever)));
    turn_into(x, v);
    return HK_STEP_OK;
}

ADAPTER(body_to_sensor, "sensors.BodyToSensor", speed_ports,
        "The speed over ground at the place and in the axes of a sensor")

/* ---- sensors.BodyToGyro: rotation speed, which is the same everywhere ---- */

static const hk_port rotation_ports[] = {
    XYZ(body_to_sensor, in, "in", HK_INPUT, "rad/s"),
    XYZ(body_to_sensor, out, "out", HK_OUTPUT, "rad/s"),
    MOUNTED("yaw"),
};

static int body_to_gyro_step(void *self, double t, double h) {
    body_to_sensor *x = self;
    (void)t, (void)h;
    turn_into(x, vector_of(x->in));
    return HK_STEP_OK;
}

ADAPTER(body_to_gyro, "sensors.BodyToGyro", rotation_ports,
        "The rotation speed in the axes of a sensor")

/* ---- sensors.BodyToAccelerometer: specific force ---- */

static const hk_port force_ports[] = {
    AT_AN_ARM("m/s2", "yaw"),
};

/* Away from the body's origin a turn is felt: outwards while it lasts, across while it grows. How
 * it grows is the difference of two steps; the first step has nothing to compare with. */
SELDOM hk_geo_vector3 force_at_lever(body_to_sensor *x, double h) {
    hk_geo_vector3 rate = vector_of(x->rotation), arm = vector_of(x->lever);
    hk_geo_vector3 growth = hk_geo_vector(0, 0, 0);
    if (x->begun)
        growth = hk_geo_scale(1 / h, hk_geo_subtract(rate, vector_of(x->known_rotation)));
    x->known_rotation = x->rotation;
    x->begun = true;
    return hk_geo_add(hk_geo_cross(growth, arm), hk_geo_cross(rate, hk_geo_cross(rate, arm)));
}

static int body_to_accelerometer_step(void *self, double t, double h) {
    body_to_sensor *x = self;
    (void)t;
    hk_geo_vector3 force = vector_of(x->in);
    if (!is_zero(x->lever))
        force = hk_geo_add(force, force_at_lever(x, h));
    turn_into(x, force);
    return HK_STEP_OK;
}

ADAPTER(body_to_accelerometer, "sensors.BodyToAccelerometer", force_ports,
        "The specific force at the place and in the axes of a sensor")

/* ---- sensors.BodyToGps, sensors.BodyToDepth: where the sensor is ---- */

typedef struct body_to_place {
    coordinate3d in, attitude, out;
    coordinate3d lever;
} body_to_place;

#define AT_A_PLACE                                                                                 \
    {                                                                                              \
        XYZ(body_to_place, in, "nedPosition", HK_INPUT, "m"),                                      \
            XYZ(body_to_place, attitude, "attitude", HK_INPUT, "rad"),                             \
            XYZ(body_to_place, out, "out", HK_OUTPUT, "m"),                                        \
            XYZ_PARAMETER(body_to_place, lever, "leverArm", "m")                                   \
    }

static hk_geo_matrix3 rotation_of(coordinate3d attitude) {
    return hk_geo_matrix_of_euler((hk_geo_euler){attitude.x, attitude.y, attitude.z});
}

SELDOM void go_to_lever(body_to_place *x) {
    hk_geo_matrix3 rotation = rotation_of(x->attitude);
    x->out =
        coordinate_of(hk_geo_add(vector_of(x->in), hk_geo_apply(&rotation, vector_of(x->lever))));
}

static inline int find_place(body_to_place *x) {
    hk_auv_copy(&x->out, &x->in);
    if (!is_zero(x->lever))
        go_to_lever(x);
    return HK_STEP_OK;
}

static const hk_port to_gps_ports[] = AT_A_PLACE;
static const hk_port to_depth_ports[] = AT_A_PLACE;

static int body_to_gps_step(void *self, double t, double h) {
    (void)t, (void)h;
    return find_place(self);
}

static int body_to_depth_step(void *self, double t, double h) {
    (void)t, (void)h;
    return find_place(self);
}

/* ---- sensors.BodyToCompass: where its axes point to ---- */

typedef struct body_to_compass {
    coordinate3d in, out;
    mounting mounted;
} body_to_compass;

static const hk_port to_compass_ports[] = {
    XYZ(body_to_compass, in, "attitude", HK_INPUT, "rad"),
    XYZ(body_to_compass, out, "out", HK_OUTPUT, "rad"),
    PARAMETER(body_to_compass, mounted.yaw, "yaw", "deg", "0"),
    PARAMETER(body_to_compass, mounted.pitch, "pitch", "deg", "0"),
    PARAMETER(body_to_compass, mounted.roll, "roll", "deg", "0"),
};

SELDOM void turn_attitude(body_to_compass *x) {
    hk_mounting_look(&x->mounted);
    hk_geo_matrix3 body = rotation_of(x->in), r = hk_geo_multiply(&body, &x->mounted.to_body);
    hk_geo_euler e = hk_geo_euler_of_matrix(&r);
    x->out = (coordinate3d){e.roll, e.pitch, e.yaw};
}

static int body_to_compass_step(void *self, double t, double h) {
    body_to_compass *x = self;
    (void)t, (void)h;
    hk_auv_copy(&x->out, &x->in);
    if (!are_zero(x->mounted.yaw, x->mounted.pitch, x->mounted.roll))
        turn_attitude(x);
    return HK_STEP_OK;
}

#define PLACED(adapter, struct_type, full_name, port_table, words)                                 \
    const hk_unit_type hk_auv_##adapter = {AUV_TYPE(struct_type, full_name, port_table),           \
                                           .description = (words), .stamp = HK_STAMP_END,          \
                                           .step = adapter##_step};
PLACED(body_to_gps, body_to_place, "sensors.BodyToGps", to_gps_ports, "Where the antenna is")
PLACED(body_to_depth, body_to_place, "sensors.BodyToDepth", to_depth_ports,
       "Where the pressure sensor is")
PLACED(body_to_compass, body_to_compass, "sensors.BodyToCompass", to_compass_ports,
       "The attitude of the axes of the compass")
#undef PLACED
#undef ADAPTER
