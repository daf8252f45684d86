/* SPDX-License-Identifier: MIT
 *
 * drone.SplineMission: a smooth curve through the way-points of a mission, at their depths or at a
 * height over the sea bed. */
#include "drone_common.h"
#include "spline.h"

#include <stdlib.h>

enum { AT_WAYPOINTS, OVER_SEA_BED };

/* The bed below the way, between two soundings. */
typedef struct bed {
    double from_time, to_time, from, to; /* depths */
    bool known;
} bed;

typedef struct spline_mission {
    state state;
    double altitude, water_speed;
    /* Parameters. */
    int64_t curve, altitude_mode, speed_reference, start_attitude;
    double tension, over_bed, altitude_time, sounding_period, maximum_water_speed, initial_heading,
        current_period, gravity;
    place place;
    waypoint_source_binding mission;
    mnt_source_binding mnt;
    current_source_binding current;
    hk_resource curve_made; /* a spline */
    /* Where it is. Over ground it follows from the time on the curve, ORIGIN + (t - SINCE). */
    double since, origin, elapsed, distance, pace;
    int32_t piece;
    bool begun, arrived;
    bool from_output; /* it began with what held before the first step */
    pose pose;
    stream stream;
    bed bed;
    /* Over the bed: where it wants to be, where it is, and how fast that changes. */
    double target, depth, sinking;
    words why;
} spline_mission;

static const hk_port spline_mission_ports[] = {
    STATE(spline_mission, state, "state", HK_OUTPUT),
    NAMED(spline_mission, altitude, "altitude", HK_OUTPUT, HK_TYPE_F64, .unit = "m",
          .may_be_nan = true),
    NUMBER_OUT(spline_mission, water_speed, "waterSpeed", "m/s"),
    FIXED_PORT(spline_mission, curve, "curve", HK_TYPE_ENUM, .start = "CatmullRom"),
    FIXED_PORT(spline_mission, tension, "tension", HK_TYPE_F64, .start = "0"),
    FIXED_PORT(spline_mission, speed_reference, "speedReference", HK_TYPE_ENUM,
               .start = "OverGround"),
    FIXED_NUMBER(spline_mission, maximum_water_speed, "maximumWaterSpeed", "m/s", "0"),
    FIXED_PORT(spline_mission, altitude_mode, "altitudeMode", HK_TYPE_ENUM, .start = "WayPoints"),
    PARAMETER(spline_mission, over_bed, "altitudeOverBed", "m", "10"),
    FIXED_NUMBER(spline_mission, altitude_time, "altitudeTime", "s", "5"),
    FIXED_NUMBER(spline_mission, sounding_period, "soundingPeriod", "s", "0.1"),
    MISSION_PARAMETERS(spline_mission),
};

/* ---- the curve ---- */

/* NULL: there is none, and WHY says why. Over the sea bed it is level, so that speeds are. */
static spline *make_curve(spline_mission *x) {
    const waypoint_source *source = x->mission.functions;
    int32_t count = source->get_count(x->mission.self);
    if (count < 0) {
        hk_auv_fail(&x->why, "the mission cannot be read");
        return NULL;
    }
    waypoint *points = calloc(count ? (size_t)count : 1, sizeof *points);
    if (!points) {
        hk_auv_fail(&x->why, "there is no memory left for %d way-points", count);
        return NULL;
    }
    for (int32_t i = 0; i < count; i++) {
        points[i] = source->get_waypoint(x->mission.self, i);
        if (x->altitude_mode == OVER_SEA_BED)
            points[i].position.z = 0;
    }
    spline *s = hk_auv_spline_make(points, count, x->curve, x->tension, &x->why);
    free(points);
    return s;
}

static const spline *curve_of(spline_mission *x) {
    if (!x->curve_made.data)
        x->curve_made.data = make_curve(x);
    return x->curve_made.data;
}

/* ---- the sea bed ---- */

static double sounding(const spline_mission *x, const course_line *line, double time) {
    double ahead = time - line->time;
    return x->mnt.functions->get_depth(x->mnt.self,
                                       (coordinate2d){line->position.x + ahead * line->north,
                                                      line->position.y + ahead * line->east});
}

/* The depth of the bed at END, below the line. */
static double bed_at(spline_mission *x, const course_line *line, double end) {
    bed *b = &x->bed;
    if (!(x->sounding_period > end - line->time))
        return sounding(x, line, end);
    if (!b->known || end > b->to_time) {
        bool goes_on = b->known && line->time <= b->to_time && isfinite(b->to);
        double from = goes_on ? b->to_time : line->time, to = from + x->sounding_period;
        *b =
            (bed){from, to, goes_on ? b->to : sounding(x, line, from), sounding(x, line, to), true};
    }
    if (b->from == b->to)
        return b->from;
    double depth = b->from + (b->to - b->from) * (end - b->from_time) / (b->to_time - b->from_time);
    return isfinite(depth) ? depth : sounding(x, line, end);
}

/* A low-pass of first order, exact for a target that moves on a straight line in the step. */
static int dive(spline_mission *x, double bottom, double h) {
    double target = bottom - x->over_bed;
    if (!isfinite(target))
        return hk_auv_fail(&x->why,
                           "leg %d: the sea bed is not known below %.1f m north and %.1f m east of "
                           "the origin",
                           x->piece + 1, x->state.ned_position.x, x->state.ned_position.y);
    /* Not above the surface. Far from the origin the level plane is not level: the second time is
     * for what that makes of a long way down. */
    for (int i = 0; i < 2; i++) {
        coordinate3d at = {x->state.ned_position.x, x->state.ned_position.y, target};
        double above = -hk_auv_depth(&x->place, at);
        target += above > 0 ? above : 0;
    }
    if (!(h > 0)) {
        x->depth = target;
        x->sinking = 0;
    } else if (x->altitude_time > 0) {
        double ratio = x->altitude_time / h, rest = hk_exp(-1 / ratio), mean = ratio * (1 - rest);
        x->depth = rest * x->depth + (1 - mean) * target + (mean - rest) * x->target;
        x->sinking = (target - x->depth) / x->altitude_time;
    } else {
        x->depth = target;
        x->sinking = (target - x->target) / h;
    }
    x->target = target;
    return HK_STEP_OK;
}

/* ---- steering ---- */

static int cannot(spline_mission *x, double time, coordinate2d c, double speed, const char *what,
                  double much) {
    return hk_auv_fail(&x->why,
                       "leg %d cannot be held at %.3f s, in a current of (%.3f, %.3f) m/s (north, "
                       "east) at %.3f m/s %s: %s %.3f m/s",
                       x->piece + 1, time, c.x, c.y, speed,
                       x->speed_reference == THROUGH_WATER ? "through the water" : "over ground",
                       what, much);
}

/* The speed over ground along DIRECTION of which SPEED through the water is left. */
static int over_ground(spline_mission *x, hk_geo_vector3 direction, double speed, double time,
                       double *ret) {
    coordinate2d c = hk_auv_stream_at(&x->stream, time);
    double along = c.x * direction.x + c.y * direction.y;
    double across = c.x * c.x + c.y * c.y - along * along;
    steering s;
    switch (hk_auv_steer_through_water(speed, along, across > 0 ? sqrt(across) : 0, &s)) {
    case PUSHED_ACROSS:
        return cannot(x, time, c, speed, "across the track it has", sqrt(across));
    case PUSHED_BACK:
        return cannot(x, time, c, speed, "it is pushed back, along the track it has", along);
    case STEERED:
        break;
    }
    *ret = s.over_ground;
    return HK_STEP_OK;
}

/* ---- where it is ---- */

/* Through the water: at a distance. */
static int pace_at(spline_mission *x, const spline *s, double distance, double time, double *ret) {
    x->piece = hk_auv_spline_piece_at(s, distance, x->piece);
    const spline_piece *p = &s->pieces[x->piece];
    double speed = hk_auv_spline_speed(p, distance);
    if (speed == 0)
        return hk_auv_fail(&x->why, "leg %d has a speed of 0 through the water: it takes forever",
                           x->piece + 1);
    return over_ground(x, hk_auv_spline_at(p, distance).direction, speed, time, ret);
}

static void arrive(spline_mission *x, const spline *s) {
    x->arrived = true;
    x->piece = s->count - 1;
    x->distance = s->length;
    x->pace = 0; /* it stops at once */
}

/* The mean of the speeds at both ends of the step is exact to the second order. */
static int go_through_water(spline_mission *x, const spline *s, double end, double h) {
    double pace, distance = x->distance + h * x->pace;
    if (distance >= s->length) {
        arrive(x, s);
        return HK_STEP_OK;
    }
    if (pace_at(x, s, distance, end, &pace))
        return HK_STEP_FAILED;
    distance = x->distance + 0.5 * h * (x->pace + pace);
    if (distance >= s->length) {
        arrive(x, s);
        return HK_STEP_OK;
    }
    x->piece = hk_auv_spline_piece_at(s, distance, x->piece);
    x->distance = distance;
    x->pace = pace;
    return HK_STEP_OK;
}

static void go_over_ground(spline_mission *x, const spline *s, double end) {
    x->elapsed = x->origin + (end - x->since);
    if (x->elapsed >= s->duration) {
        arrive(x, s);
        return;
    }
    x->piece = hk_auv_spline_piece_then(s, x->elapsed, x->piece);
    const spline_piece *p = &s->pieces[x->piece];
    double on = x->elapsed - p->begin_time;
    x->distance = p->begin + on * (p->speed[0] + 0.5 * p->acceleration * on);
    x->pace = p->speed[0] + p->acceleration * on;
}

static int go_on(spline_mission *x, const spline *s, double end, double h) {
    if (x->arrived)
        return HK_STEP_OK;
    if (x->speed_reference == THROUGH_WATER)
        return go_through_water(x, s, end, h);
    go_over_ground(x, s, end);
    return HK_STEP_OK;
}

/* ---- what is seen on board ---- */

/* Where it looks: along its motion through the water, as steep as it goes over ground. */
static int aim(spline_mission *x, hk_geo_vector3 direction, hk_geo_vector3 velocity, double time,
               hk_geo_euler *ret) {
    coordinate2d c = hk_auv_stream_at(&x->stream, time);
    double north = velocity.x - c.x, east = velocity.y - c.y;
    x->water_speed = sqrt(north * north + east * east + velocity.z * velocity.z);
    if (north == 0 && east == 0) {
        north = direction.x;
        east = direction.y;
    }
    if (x->maximum_water_speed > 0 && x->water_speed > x->maximum_water_speed)
        return cannot(x, time, c, x->pace, "through the water that needs", x->water_speed);
    bool level = north == 0 && east == 0; /* straight down: the heading stays */
    hk_geo_vector3 way = hk_geo_length(velocity) > 0 ? velocity : direction;
    double forward = sqrt(way.x * way.x + way.y * way.y);
    *ret = (hk_geo_euler){0, way.z == 0 ? 0 : hk_atan2(-way.z, forward),
                          level ? x->state.attitude.z : hk_atan2(east, north)};
    return HK_STEP_OK;
}

/* Position, velocity and attitude at TIME, where x->distance is; H: how long it took, 0 at the
 * start. */
static int be_there(spline_mission *x, const spline *s, double time, double h, pose *ret) {
    spline_point at = hk_auv_spline_at(&s->pieces[x->piece], x->distance);
    hk_geo_vector3 velocity = hk_geo_scale(x->pace, at.direction);
    course_line line = {
        {at.position.x, at.position.y, at.position.z}, velocity.x, velocity.y, time};
    double bottom = bed_at(x, &line, time);
    x->state.ned_position = line.position;
    if (x->altitude_mode == OVER_SEA_BED) {
        if (dive(x, bottom, h))
            return HK_STEP_FAILED;
        x->state.ned_position.z = x->depth;
        velocity.z = x->sinking;
    }
    x->altitude = bottom - x->state.ned_position.z;
    if (x->altitude < 0)
        return hk_auv_fail(
            &x->why,
            "leg %d: the way is %.2f m below the sea bed at %.3f s, %.1f m north and "
            "%.1f m east of the origin",
            x->piece + 1, -x->altitude, time, x->state.ned_position.x, x->state.ned_position.y);
    hk_geo_euler angles;
    if (aim(x, at.direction, velocity, time, &angles))
        return HK_STEP_FAILED;
    x->state.attitude = (coordinate3d){angles.roll, angles.pitch, angles.yaw};
    *ret = hk_auv_pose(angles, velocity);
    return HK_STEP_OK;
}

static int ask_current(spline_mission *x, double t, double end) {
    course_line line = {x->state.ned_position, x->pose.velocity.x, x->pose.velocity.y, t};
    if (hk_auv_stream_reach(&x->stream, &x->current, &x->place, &line, end, x->current_period))
        return HK_STEP_OK;
    return hk_auv_fail(
        &x->why,
        "leg %d: the current is not known at %.3f s, %.1f m north and %.1f m east of "
        "the origin",
        x->piece + 1, end, x->state.ned_position.x, x->state.ned_position.y);
}

/* At the first way-point: what its first step begins with. */
static int begin(spline_mission *x, const spline *s, double t) {
    spline_point first = hk_auv_spline_at(&s->pieces[0], 0);
    x->state.ned_position = (coordinate3d){first.position.x, first.position.y, first.position.z};
    x->since = t;
    x->pace = s->pieces[0].speed[0];
    if (ask_current(x, t, t))
        return HK_STEP_FAILED;
    if (x->speed_reference == THROUGH_WATER && pace_at(x, s, 0, t, &x->pace))
        return HK_STEP_FAILED;
    if (be_there(x, s, t, 0, &x->pose))
        return HK_STEP_FAILED;
    hk_geo_euler angles = {0, x->state.attitude.y, x->state.attitude.z};
    if (x->start_attitude == GIVEN_HEADING)
        angles.yaw = hk_geo_wrap(hk_geo_radians(x->initial_heading));
    else if (x->start_attitude == ALONG_COURSE)
        angles.yaw = hk_atan2(first.direction.y, first.direction.x);
    x->pose = hk_auv_pose(angles, x->pose.velocity);
    x->state.attitude.z = angles.yaw;
    hk_auv_look(&x->state, &x->pose, &x->pose, 1, x->gravity);
    x->begun = true;
    return HK_STEP_OK;
}

/* What holds at the start. If there is no mission, or no current that allows it, nobody may need
 * it: the first step says so. The curve is not kept: a state that is loaded now may be of another
 * one. */
static int spline_mission_output(void *self, double t) {
    spline_mission *x = self;
    if (x->begun)
        return HK_STEP_OK;
    spline *s = make_curve(x);
    if (!s || begin(x, s, t)) {
        x->state = (state){0};
        x->why = (words){0};
    }
    x->state.stamp = t;
    x->stream.known = x->bed.known = false;
    x->from_output = x->begun;
    free(s);
    return HK_STEP_OK;
}

static int spline_mission_step(void *self, double t, double h) {
    spline_mission *x = self;
    const spline *s = curve_of(x);
    if (!s || (!x->begun && begin(x, s, t)))
        return HK_STEP_FAILED;
    pose now;
    if (ask_current(x, t, t + h))
        return HK_STEP_FAILED;
    if (x->from_output && x->speed_reference == THROUGH_WATER && pace_at(x, s, 0, t, &x->pace))
        return HK_STEP_FAILED;
    x->from_output = false;
    if (go_on(x, s, t + h, h) || be_there(x, s, t + h, h, &now))
        return HK_STEP_FAILED;
    hk_auv_look(&x->state, &x->pose, &now, h, x->gravity);
    x->state.stamp = t + h;
    x->pose = now;
    return HK_STEP_OK;
}

/* It waited where it was stopped. */
static int spline_mission_start(void *self, double t) {
    spline_mission *x = self;
    if (x->begun) {
        x->origin = x->elapsed;
        x->since = t;
        x->stream.known = x->bed.known = false;
    }
    return HK_STEP_OK;
}

static const hk_enum_item altitude_items[] = {{"WayPoints", AT_WAYPOINTS},
                                              {"SeaBed", OVER_SEA_BED}};
static const hk_enum_type altitude_modes = {"drone.AltitudeMode", altitude_items,
                                            COUNT(altitude_items)};
static const hk_domain spline_mission_domains[] = {
    {.port = "curve", .enumeration = &hk_auv_curve},
    {.port = "speedReference", .enumeration = &hk_auv_speed_reference},
    {.port = "altitudeMode", .enumeration = &altitude_modes},
    {.port = "startAttitude", .enumeration = &hk_auv_start_attitude},
    PLACE_DOMAIN,
};
static const hk_service spline_mission_services[] = {
    {"rMission", &hk_auv_waypoint_source, NULL, offsetof(spline_mission, mission)},
    {"rMnt", &hk_auv_mnt_source, NULL, offsetof(spline_mission, mnt)},
    {"rCurrent", &hk_auv_current_source, NULL, offsetof(spline_mission, current)},
};
static const hk_resource_field spline_mission_resource = {offsetof(spline_mission, curve_made),
                                                          free};

COMPLAINT(spline_mission)

const hk_unit_type hk_auv_spline_mission = {
    AUV_WHOLE_TYPE(spline_mission, "drone.SplineMission",
                   "Follows a smooth curve through way-points"),
    .output = spline_mission_output, .start = spline_mission_start,
    .resource = &spline_mission_resource};
