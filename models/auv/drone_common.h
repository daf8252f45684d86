/* SPDX-License-Identifier: MIT
 *
 * What the vehicles share: how they steer in a current, how they ask for it, and what instruments
 * on board see of a step. */
#ifndef HK_MODELS_DRONE_COMMON_H
#define HK_MODELS_DRONE_COMMON_H

#include "auv.h"
#include "place.h"

enum { OVER_GROUND, THROUGH_WATER };
enum { ALONG_COURSE, INTO_CURRENT, GIVEN_HEADING };
extern const hk_enum_type hk_auv_speed_reference; /* drone.SpeedReference */
extern const hk_enum_type hk_auv_start_attitude;  /* drone.StartAttitude */

/* A parameter that cannot change in a run. */
#define FIXED_PORT(struct_type, field, full_name, port_type, ...)                                  \
    NAMED(struct_type, field, full_name, HK_PARAMETER, port_type, __VA_ARGS__)
#define FIXED_NUMBER(struct_type, field, full_name, port_unit, default_text)                       \
    FIXED_PORT(struct_type, field, full_name, HK_TYPE_F64, .unit = (port_unit),                    \
               .start = (default_text))

/* Where a vehicle begins. */
#define START_PARAMETERS(struct_type)                                                              \
    FIXED_NUMBER(struct_type, start_north, "startNorth", "m", "0"),                                \
        FIXED_NUMBER(struct_type, start_east, "startEast", "m", "0"),                              \
        FIXED_NUMBER(struct_type, start_depth, "startDepth", "m", "0")

/* What missions that make their own way have in common, at the end of their ports. */
#define MISSION_PARAMETERS(struct_type)                                                            \
    FIXED_PORT(struct_type, start_attitude, "startAttitude", HK_TYPE_ENUM,                         \
               .start = "AlongCourse"),                                                            \
        FIXED_NUMBER(struct_type, initial_heading, "initialHeading", "deg", "0"),                  \
        FIXED_NUMBER(struct_type, current_period, "currentPeriod", "s", "1"),                      \
        PARAMETER(struct_type, gravity, "gravity", "m/s2", "9.80665"),                             \
        PLACE_PARAMETERS(struct_type, place)

/* ---- steering ---- */

/* How a vehicle has to go through the water to stay on its track. */
typedef struct steering {
    double over_ground, through_water; /* speeds */
    double slip;                       /* heading less course, -pi to pi */
    double cosine, sine;               /* of it */
} steering;

typedef enum steering_result {
    STEERED,
    PUSHED_ACROSS, /* the current across the track is more than the speed */
    PUSHED_BACK,   /* the current against the track is more than what is left of it */
} steering_result;

/* For SPEED over ground, with ALONG and ACROSS (to starboard) of the current. */
steering hk_auv_steer_over_ground(double speed, double along, double across);
/* For SPEED through the water. */
steering_result hk_auv_steer_through_water(double speed, double along, double across,
                                           steering *ret);

/* ---- the current ---- */

/* The current on the way, asked every PERIOD for an instant one period ahead, and in between on the
 * straight line from one answer to the next: it has no jumps, which a gyroscope would see. */
typedef struct stream {
    double from_time, to_time;
    coordinate2d from, to; /* north, east */
    bool known;            /* something */
    bool steady;           /* from is to */
} stream;

/* Where and how fast it goes, for the place where it will be. */
typedef struct course_line {
    coordinate3d position; /* ned, at TIME */
    double north, east;    /* m/s */
    double time;
} course_line;

/* False: nothing is known there. END is where the step ends that begins at LINE->time. */
bool hk_auv_stream_reach(stream *s, const current_source_binding *source, place *p,
                         const course_line *line, double end, double period);
static inline coordinate2d hk_auv_stream_at(const stream *s, double time) {
    if (s->steady)
        return s->from;
    double part = (time - s->from_time) / (s->to_time - s->from_time);
    return (coordinate2d){s->from.x + part * (s->to.x - s->from.x),
                          s->from.y + part * (s->to.y - s->from.y)};
}

/* ---- what is seen on board ---- */

/* Rotation speed, specific force, and speed at the end, of a step of length H from one attitude and
 * velocity over ground (ned) to others. The attitude of S is written too. */
typedef struct pose {
    hk_geo_quaternion attitude;
    hk_geo_vector3 velocity;
} pose;

static inline pose hk_auv_pose(hk_geo_euler angles, hk_geo_vector3 velocity) {
    return (pose){hk_geo_quaternion_of_euler(angles), velocity};
}
void hk_auv_look(state *s, const pose *from, const pose *to, double h, double gravity);
/* The same for who knows the turn between the two. */
void hk_auv_look_turned(state *s, const pose *from, const pose *to, hk_geo_vector3 turn, double h,
                        double gravity);

#endif
