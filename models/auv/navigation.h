/* SPDX-License-Identifier: MIT
 *
 * What runs on board. */
#ifndef HK_MODELS_NAVIGATION_H
#define HK_MODELS_NAVIGATION_H

#include "eskf.h"
#include "place.h"

enum { NAV_TRUTH, NAV_GPS, NAV_DVL_GYRO, NAV_INERTIAL, NAV_ESKF, NAV_DVL_COMPASS };

/* A value with an instant for which it holds. It is new if the instant is another one. */
typedef struct timed {
    bool valid;
    double stamp;
} timed;

typedef struct navigation_function {
    /* Inputs. */
    hk_geo_vector3 body_speed, rotation_speed, acceleration, gps_position, true_position;
    double depth, heading;
    timed speed_at, gps_at, depth_at, heading_at;
    bool rotation_valid, acceleration_valid;
    /* Outputs. */
    hk_geo_vector3 position, velocity, attitude;
    double age; /* of the last fix of GPS */
    double deviations[ESKF_STATES];
    /* Parameters. */
    int64_t function;
    bool allow_truth, three_axis;
    hk_geo_vector3 initial_position, initial_velocity, initial_attitude;
    eskf_tuning tuning;
    place place; /* of the Earth: where the surface is */
    /* State. */
    int64_t active;               /* the function that was chosen in the last step; -1: none */
    hk_geo_quaternion quaternion; /* of the attitude */
    hk_geo_matrix3 rotation;      /* of the attitude */
    hk_geo_vector3 last_speed;    /* of the body, at the end of the last step */
    double last_heading;
    bool speed_known, heading_known, force_known;
    double fix;                /* when GPS was heard last */
    double seen[ESKF_SENSORS]; /* stamps */
    eskf filter;
    words why;
} navigation_function;

typedef struct covariance_source {
    /* Of the errors of eskf.h, ROW and COLUMN from 0. */
    double (*get_covariance)(void *self, int32_t row, int32_t column);
} covariance_source;

BINDING(covariance_source);

extern const hk_interface hk_auv_covariance_source;

#endif
