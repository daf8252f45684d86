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

extern const hk_unit_type sea_vehicle_type, sea_turn_type, sea_sensor_type, sea_gauge_type,
    sea_adapter_type, sea_attitude_type, sea_navigation_type, sea_filter_type, sea_analysis_type;

#endif
