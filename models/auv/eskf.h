/* SPDX-License-Identifier: MIT
 *
 * A Kalman filter of the errors of inertial navigation: a gyroscope and an accelerometer carry the
 * estimate on, and a DVL, a depth sensor, GPS and a compass correct it.
 *
 * Fifteen errors x = (r, n, f, a, g), of which each says how the truth differs from the estimate:
 *
 *     attitude      R = exp([f]x) R'       f: about north, east, down
 *     velocity      v = exp([f]x) v' + n   north, east, down
 *     position      p = exp([f]x) p' + r
 *     accelerometer b = b' + a             its bias
 *     gyroscope     b = b' + g
 *
 * So a wrong heading turns what was travelled about the origin, as it does in truth, and what the
 * DVL sees does not depend on it. With plain differences of positions and velocities it would, by
 * way of an estimate that changes with each correction, and the filter would believe to have
 * learnt about a heading of which a DVL says nothing. */
#ifndef HK_MODELS_ESKF_H
#define HK_MODELS_ESKF_H

#include "auv.h"

#include <hk/geo.h>

enum {
    ESKF_POSITION = 0,
    ESKF_VELOCITY = 3,
    ESKF_ATTITUDE = 6,
    ESKF_ACCELEROMETER = 9,
    ESKF_GYROSCOPE = 12,
    ESKF_STATES = 15
};

enum { ESKF_DVL, ESKF_DEPTH, ESKF_GPS, ESKF_COMPASS, ESKF_SENSORS };

/* What the filter is told about instruments and start; parameters of the leaf. */
typedef struct eskf_tuning {
    double gravity;                                 /* m/s2 */
    double accelerometer_noise, gyroscope_noise;    /* densities: m/s/sqrt(s), rad/sqrt(s) */
    double accelerometer_sigma, accelerometer_time; /* bias: m/s2, s; 0 s: it does not change */
    double gyroscope_sigma, gyroscope_time;         /* bias: rad/s, s */
    hk_geo_vector3 dvl_sigma;                       /* in the body's frame, m/s */
    double depth_sigma, gps_sigma, compass_sigma;   /* m, m, rad */
    double position_sigma, velocity_sigma;          /* at the start: m, m/s */
    double tilt_sigma, heading_sigma;               /* at the start: rad */
    hk_geo_vector3 dvl_arm, depth_arm, gps_arm;     /* where they are, in the body's frame, m */
    double held_rotation, held_force; /* how far from the truth they are while they are only held:
                                         rad/s, m/s2 */
    double gate;                      /* probability; 0: no measurement is refused */
    int32_t
        patience; /* after so many that were refused in a row the estimate is doubted; 0: never */
    double covariance_period; /* s */
    bool use_dvl, use_depth, use_gps, use_compass;
} eskf_tuning;

typedef struct eskf {
    hk_geo_vector3 position, velocity; /* ned */
    hk_geo_quaternion attitude;
    hk_geo_vector3 accelerometer_bias, gyroscope_bias;
    hk_geo_matrix3 rotation;       /* of the attitude, from the body's frame to ned */
    hk_geo_vector3 rotation_speed; /* of the last step, without the bias */
    double held_turn, held_push;   /* for how long rotation speed and force are held by now, s */
    double covariance[ESKF_STATES][ESKF_STATES];
    /* How the errors moved since the covariance was carried on, TIME ago; the last LATELY of it,
     * since it was there, is not part of the sums yet. */
    double time, lately;
    hk_geo_vector3 there_position, there_velocity;
    hk_geo_quaternion there_attitude;
    hk_geo_matrix3 turned; /* the sum of R h, and of itself times h */
    hk_geo_matrix3 moved;
    hk_geo_matrix3 turned_velocity, moved_velocity; /* of [v]x R h, and of itself times h */
    hk_geo_matrix3 turned_position;                 /* of [p]x R h */
    double accelerometer_decay, gyroscope_decay;    /* of the biases, in TIME */
    double unknown_turn, unknown_push; /* variances by what was held in TIME: rad2, m2/s2 */
    /* What was computed from parameters, and of which. */
    double known_step, known_times[2], decay[2];
    double known_gate, limit[3]; /* of the normalised innovation, by the size of a measurement */
    /* For those who judge it. */
    double nis[ESKF_SENSORS]; /* of the last measurement */
    int64_t updates[ESKF_SENSORS], rejected[ESKF_SENSORS];
    int64_t in_a_row[ESKF_SENSORS]; /* rejected */
} eskf;

/* K is what the filter is told of its sensors. Begins with what position, velocity, attitude and
 * biases of X hold. */
void hk_auv_eskf_begin(eskf *x, const eskf_tuning *k);
/* What moves the estimate: means over a step, as measured. What is not valid is the last that was.
 */
typedef struct eskf_motion {
    hk_geo_vector3 force, rotation_speed;
    bool force_valid, rotation_valid;
} eskf_motion;

/* One step of H. */
void hk_auv_eskf_step(eskf *x, const eskf_tuning *k, const eskf_motion *motion, double h);
/* Brings the covariance to the instant of the estimate. The corrections do it themselves. */
void hk_auv_eskf_settle(eskf *x, const eskf_tuning *k);

/* What is below the diagonal of the covariance becomes what is above it. */
void hk_auv_eskf_mirror(eskf *x);

/* Corrections by what was measured at the instant of the estimate. */
void hk_auv_eskf_dvl(eskf *x, const eskf_tuning *k, hk_geo_vector3 speed);
void hk_auv_eskf_depth(eskf *x, const eskf_tuning *k, double depth);
void hk_auv_eskf_gps(eskf *x, const eskf_tuning *k, double north, double east);
void hk_auv_eskf_compass(eskf *x, const eskf_tuning *k, double heading);

/* Standard deviations of the plain differences p - p', v - v', and of f, a, g. */
void hk_auv_eskf_deviations(const eskf *x, double ret_deviations[ESKF_STATES]);
/* The square of a number with the chi-square distribution for SIZE (1 to 3) that is not exceeded
 * with PROBABILITY. */
double hk_auv_eskf_limit(int size, double probability);

#endif
