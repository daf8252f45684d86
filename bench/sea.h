/* SPDX-License-Identifier: MIT
 *
 * Sixteen small components as a study of a vehicle's navigation has them: the vehicle, sensors,
 * adapters, a filter, an analysis. */
#ifndef HK_BENCH_SEA_H
#define HK_BENCH_SEA_H

#include <hk/unit.h>

typedef struct sea_vector {
    double x, y, z;
} sea_vector;

typedef struct sea_vehicle { /* on a helix */
    sea_vector position, speed, rotation;
    double heading, radius, rate, sink;
} sea_vehicle;

typedef struct sea_turn { /* to or from the frame of a sensor */
    sea_vector in, out;
    double cosine, sine;
} sea_turn;

typedef struct sea_sensor { /* scale, bias, inertia, resolution */
    sea_vector in, out, state;
    double scale, bias, inertia, resolution;
} sea_sensor;

typedef struct sea_gauge { /* the same for one value */
    double in, out, state, scale, bias, inertia, resolution;
} sea_gauge;

typedef struct sea_adapter { /* of one value */
    double in, out, factor, offset;
} sea_adapter;

typedef struct sea_attitude {
    sea_vector rotation;
    double compass, heading, trust;
} sea_attitude;

typedef struct sea_navigation {
    sea_vector speed, position;
    double heading;
} sea_navigation;

typedef struct sea_filter {
    sea_vector reckoned, estimate, last;
    double north, east, depth, trust;
} sea_filter;

typedef struct sea_analysis {
    sea_vector truth, estimate;
    double error, worst, sum;
    int64_t count;
} sea_analysis;

/* All sixteen, and their wires as assignments. */
typedef struct sea_system {
    sea_vehicle vehicle;
    sea_turn to_dvl, from_dvl, from_gyro;
    sea_sensor dvl, gyro;
    sea_gauge compass, depth, gps_north, gps_east;
    sea_adapter from_compass, from_depth;
    sea_attitude attitude;
    sea_navigation navigation;
    sea_filter filter;
    sea_analysis analysis;
} sea_system;

void sea_begin(sea_system *x);
/* A step of all that was fused by hand: the compiler sees every function. Parameters are data. */
int sea_hand_step(sea_system *x, double t, double h);

extern const hk_unit_type sea_vehicle_type, sea_turn_type, sea_sensor_type, sea_gauge_type,
    sea_adapter_type, sea_attitude_type, sea_navigation_type, sea_filter_type, sea_analysis_type;

#endif
