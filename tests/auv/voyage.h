/* SPDX-License-Identifier: MIT
 *
 * A voyage that is known exactly, what instruments with known errors see of it, and the navigation
 * that is judged by it: 30 minutes, 2.5 km, legs of 200 s and turns. */
#ifndef HK_TESTS_AUV_VOYAGE_H
#define HK_TESTS_AUV_VOYAGE_H

#include "leaf.h"

#include <hk/geo.h>
#include <hk/random.h>

extern const hk_unit_type hk_auv_navigation_function;

#define STATES        15
#define STEP          0.02 /* of the inertial sensors */
#define SPEED         1.39
#define DURATION      1800.0
#define GRAVITY       9.80665
#define GYRO_NOISE    4.4e-5 /* rad/sqrt(s): 0.15 degrees/sqrt(h) */
#define GYRO_BIAS     4.8e-6 /* rad/s: 1 degree/h */
#define GYRO_TIME     1000.0
#define FORCE_NOISE   1e-3 /* m/s/sqrt(s): 0.06 m/s/sqrt(h) */
#define FORCE_BIAS    5e-4
#define FORCE_TIME    1000.0
#define DVL_SIGMA     0.01
#define DEPTH_SIGMA   0.05
#define GPS_SIGMA     2.0
#define COMPASS_SIGMA 0.01

/* The motion: speed along the body's x axis, level, turning now and then. */
typedef struct voyage {
    hk_geo_vector3 position, velocity;
    double yaw;
    hk_geo_vector3 rotation_speed, force; /* means over the last step */
} voyage;

static inline double voyage_rate(double t) {
    double on = fmod(t, 230);
    bool port = fmod(t, 460) >= 230;
    return on < 200 ? 0 : port ? -0.035 : 0.035;
}

static inline void voyage_step(voyage *x, double t, double h) {
    double rate = voyage_rate(t + 0.5 * h), yaw = x->yaw + rate * h,
           middle = x->yaw + 0.5 * rate * h;
    hk_geo_vector3 v = hk_geo_vector(SPEED * hk_cos(yaw), SPEED * hk_sin(yaw), 0);
    hk_geo_vector3 a = hk_geo_scale(1 / h, hk_geo_subtract(v, x->velocity));
    hk_geo_matrix3 r = hk_geo_matrix_of_euler((hk_geo_euler){0, 0, middle});
    a.z -= GRAVITY;
    x->force = hk_geo_apply_transposed(&r, a);
    x->rotation_speed = hk_geo_vector(0, 0, rate);
    x->position = hk_geo_add(x->position, hk_geo_scale(0.5 * h, hk_geo_add(v, x->velocity)));
    x->velocity = v;
    x->yaw = yaw;
}

/* What is not as the filter believes, on purpose. */
typedef struct voyage_options {
    bool compass;
    double trust; /* factor of all deviations of what moves the errors, those of biases with them,
                     that the filter is told; 1: they are true */
    bool forget_arm; /* of the DVL */
    double duration;
} voyage_options;

typedef struct crew {
    hk_stream noise;
    uint32_t drawn;
    int64_t number;
    hk_geo_vector3 gyro_bias, force_bias;
    leaf nav;
    struct {
        double *speed, *rotation, *force, *gps, *depth, *heading;
        bool *gps_valid, *depth_valid, *heading_valid;
        double *speed_stamp, *gps_stamp, *depth_stamp, *heading_stamp;
    } in;
} crew;

static inline double draw(crew *x, double sigma) {
    return sigma * hk_stream_normal(&x->noise, x->number, x->drawn++);
}

static inline hk_geo_vector3 draw3(crew *x, double sigma) {
    double a = draw(x, sigma), b = draw(x, sigma), c = draw(x, sigma);
    return hk_geo_vector(a, b, c);
}

static inline void put3(double *to, hk_geo_vector3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

#define DVL_ARM   hk_geo_vector(1.5, 0.2, 0.3)
#define DEPTH_ARM hk_geo_vector(-0.5, 0, 0.1)
#define GPS_ARM   hk_geo_vector(0.6, 0, -0.4)

static inline void crew_tell(const crew *x, const voyage_options *o) {
    leaf n = x->nav;
    *leaf_number(n, "gyroscopeNoise") = o->trust * GYRO_NOISE;
    *leaf_number(n, "gyroscopeBiasSigma") = o->trust * GYRO_BIAS;
    *leaf_number(n, "gyroscopeBiasTime") = GYRO_TIME;
    *leaf_number(n, "accelerometerNoise") = o->trust * FORCE_NOISE;
    *leaf_number(n, "accelerometerBiasSigma") = o->trust * FORCE_BIAS;
    *leaf_number(n, "accelerometerBiasTime") = FORCE_TIME;
    leaf_xyz(n, "dvlSigma", DVL_SIGMA, DVL_SIGMA, DVL_SIGMA);
    *leaf_number(n, "depthSigma") = DEPTH_SIGMA;
    *leaf_number(n, "gpsSigma") = GPS_SIGMA;
    *leaf_number(n, "compassSigma") = COMPASS_SIGMA;
    *leaf_number(n, "covariancePeriod") = 0.1;
    if (!o->forget_arm)
        put3(leaf_number(n, "dvlArm.x"), DVL_ARM);
    put3(leaf_number(n, "depthArm.x"), DEPTH_ARM);
    put3(leaf_number(n, "gpsArm.x"), GPS_ARM);
}

/* The navigation sets out with errors as large as it believes. */
static inline void crew_begin(crew *x, const voyage *truth, uint64_t seed,
                              const voyage_options *o) {
    *x = (crew){.noise = hk_stream_make(seed, 0, "voyage", "noise"),
                .nav = leaf_make(&hk_auv_navigation_function)};
    leaf n = x->nav;
    leaf_choose(n, "myNavFunctionNumber", "Eskf");
    crew_tell(x, o);
    x->gyro_bias = draw3(x, GYRO_BIAS);
    x->force_bias = draw3(x, FORCE_BIAS);
    hk_geo_vector3 p = draw3(x, *leaf_number(n, "initialPositionSigma"));
    hk_geo_vector3 v = draw3(x, *leaf_number(n, "initialVelocitySigma"));
    hk_geo_vector3 f = draw3(x, *leaf_number(n, "initialTiltSigma"));
    f.z = draw(x, *leaf_number(n, "initialHeadingSigma"));
    hk_geo_matrix3 r = hk_geo_matrix_of_euler((hk_geo_euler){0, 0, truth->yaw});
    hk_geo_matrix3 e = hk_geo_matrix_of_turn(hk_geo_scale(-1, f)), wrong = hk_geo_multiply(&e, &r);
    hk_geo_euler angles = hk_geo_euler_of_matrix(&wrong);
    put3(leaf_number(n, "initialPosition.x"), hk_geo_subtract(truth->position, p));
    put3(leaf_number(n, "initialVelocity.x"), hk_geo_subtract(truth->velocity, v));
    leaf_xyz(n, "initialAttitude", hk_geo_degrees(angles.roll), hk_geo_degrees(angles.pitch),
             hk_geo_degrees(angles.yaw));
    x->in.speed = leaf_number(n, "bodySpeed.x");
    x->in.rotation = leaf_number(n, "rotationSpeed.x");
    x->in.force = leaf_number(n, "acceleration.x");
    x->in.gps = leaf_number(n, "gpsPosition.x");
    x->in.depth = leaf_number(n, "depth");
    x->in.heading = leaf_number(n, "heading");
    x->in.gps_valid = leaf_truth(n, "gpsValid");
    x->in.depth_valid = leaf_truth(n, "depthValid");
    x->in.heading_valid = leaf_truth(n, "headingValid");
    x->in.speed_stamp = leaf_number(n, "bodySpeedStamp");
    x->in.gps_stamp = leaf_number(n, "gpsStamp");
    x->in.depth_stamp = leaf_number(n, "depthStamp");
    x->in.heading_stamp = leaf_number(n, "headingStamp");
    leaf_init(n, 0);
}

static inline hk_geo_vector3 wander(crew *x, hk_geo_vector3 bias, double sigma, double decay) {
    return hk_geo_add(hk_geo_scale(decay, bias), draw3(x, sigma * sqrt(1 - decay * decay)));
}

/* DVL at 5 Hz, depth and compass at 1 Hz, GPS at 1 Hz in the first two minutes. */
static inline void crew_look(crew *x, const voyage *truth, const voyage_options *o, int64_t step) {
    double end = (double)(step + 1) * STEP;
    hk_geo_matrix3 r = hk_geo_matrix_of_euler((hk_geo_euler){0, 0, truth->yaw});
    double rough = sqrt(STEP);
    put3(x->in.rotation,
         hk_geo_add(hk_geo_add(truth->rotation_speed, x->gyro_bias), draw3(x, GYRO_NOISE / rough)));
    put3(x->in.force,
         hk_geo_add(hk_geo_add(truth->force, x->force_bias), draw3(x, FORCE_NOISE / rough)));
    if ((step + 1) % 10)
        return;
    hk_geo_vector3 v = hk_geo_add(hk_geo_apply_transposed(&r, truth->velocity),
                                  hk_geo_cross(truth->rotation_speed, DVL_ARM));
    put3(x->in.speed, hk_geo_add(v, draw3(x, DVL_SIGMA)));
    *x->in.speed_stamp = end;
    x->gyro_bias = wander(x, x->gyro_bias, GYRO_BIAS, exp(-10 * STEP / GYRO_TIME));
    x->force_bias = wander(x, x->force_bias, FORCE_BIAS, exp(-10 * STEP / FORCE_TIME));
    if ((step + 1) % 50)
        return;
    hk_geo_vector3 depth = hk_geo_add(truth->position, hk_geo_apply(&r, DEPTH_ARM));
    *x->in.depth = depth.z + draw(x, DEPTH_SIGMA);
    *x->in.depth_valid = true;
    *x->in.depth_stamp = end;
    hk_geo_vector3 gps = hk_geo_add(truth->position, hk_geo_apply(&r, GPS_ARM));
    put3(x->in.gps, hk_geo_add(gps, draw3(x, GPS_SIGMA)));
    *x->in.gps_valid = end <= 120;
    *x->in.gps_stamp = end;
    *x->in.heading = hk_geo_wrap(truth->yaw + draw(x, COMPASS_SIGMA));
    *x->in.heading_valid = o->compass;
    *x->in.heading_stamp = end;
}

#endif
