/* SPDX-License-Identifier: MIT
 *
 * drone.SimpleMission: level legs, joined by half circles. Where it is follows from the distance
 * that it has gone, so that no error adds up, however many steps it takes. */
#include "drone_common.h"

enum { STARBOARD, PORT };

/* A leg, or the half circle behind it. */
typedef struct part {
    int32_t leg; /* from 0 */
    bool turning;
    double begin, end;        /* distances */
    coordinate2d from;        /* where it begins */
    double course;            /* there */
    double north, east, side; /* direction there; side: 1 the turn goes to starboard, -1 to port */
} part;

typedef struct simple_mission {
    state state;
    double water_speed;
    /* Parameters. */
    double speed, start_north, start_east, start_depth, course, leg_length, radius;
    int32_t legs;
    int64_t first_turn, speed_reference, start_attitude;
    double initial_heading, maximum_water_speed, current_period, gravity;
    place place;
    current_source_binding current;
    /* Where it is on its track. The distance is ORIGIN + PACE * (t - SINCE): with a constant speed
     * nothing adds up over millions of steps. */
    part part;
    double since, origin, pace, distance;
    double asked; /* the speed that PACE was made for */
    coordinate2d velocity;
    stream stream;
    bool begun, arrived;
    bool settled; /* on this leg nothing will change but the position, while the speed is ASKED */
    words why;
} simple_mission;

static const hk_port simple_mission_ports[] = {
    STATE(simple_mission, state, "state", HK_OUTPUT),
    NUMBER_OUT(simple_mission, water_speed, "waterSpeed", "m/s"),
    PARAMETER(simple_mission, speed, "speed", "m/s", "2.5"),
    FIXED_PORT(simple_mission, speed_reference, "speedReference", HK_TYPE_ENUM,
               .start = "OverGround"),
    START_PARAMETERS(simple_mission),
    FIXED_NUMBER(simple_mission, course, "course", "deg", "0"),
    FIXED_NUMBER(simple_mission, leg_length, "legLength", "m", "0"),
    FIXED_NUMBER(simple_mission, radius, "radius", "m", "0"),
    FIXED_PORT(simple_mission, legs, "legs", HK_TYPE_I32, .start = "2"),
    FIXED_PORT(simple_mission, first_turn, "firstTurn", HK_TYPE_ENUM, .start = "Starboard"),
    FIXED_NUMBER(simple_mission, maximum_water_speed, "maximumWaterSpeed", "m/s", "0"),
    MISSION_PARAMETERS(simple_mission),
};

/* ---- the track ---- */

static int32_t legs_of(const simple_mission *x) {
    return x->radius == 0 || x->leg_length == 0 ? 1 : x->legs;
}

static double side_of_first_turn(const simple_mission *x) {
    return (x->first_turn == PORT) != (x->radius < 0) ? -1 : 1;
}

/* After two turns it is on the first course again, two diameters aside. */
static part part_at(const simple_mission *x, double distance) {
    double length = x->leg_length, half = PI * fabs(x->radius), cycle = length + half;
    double course = hk_geo_radians(x->course), north = hk_cos(course), east = hk_sin(course);
    int32_t last = legs_of(x) - 1, leg = 0;
    if (last > 0) {
        double cycles = floor(distance / cycle);
        leg = cycles > last ? last : (int32_t)cycles;
    }
    double first = side_of_first_turn(x), aside = first * 2 * fabs(x->radius) * leg;
    bool back = leg & 1;
    double ahead = back ? length : 0;
    part p = {.leg = leg,
              .begin = leg * cycle,
              .from = {x->start_north + ahead * north - aside * east,
                       x->start_east + ahead * east + aside * north},
              .course = back ? hk_geo_wrap(course + first * PI) : hk_geo_wrap(course),
              .north = back ? -north : north,
              .east = back ? -east : east,
              .side = back ? -first : first};
    p.end = length == 0 ? (double)INFINITY : p.begin + length;
    if (leg < last && distance > p.end) {
        p.turning = true;
        p.begin = p.end;
        p.end = (leg + 1) * cycle;
        p.from.x += length * p.north;
        p.from.y += length * p.east;
    }
    return p;
}

/* A point of the track, and which way it goes there. */
typedef struct spot {
    double north, east;  /* position */
    double course;       /* rad */
    double cosine, sine; /* of it */
} spot;

static spot spot_on(const simple_mission *x, const part *p, double distance) {
    double u = distance - p->begin;
    if (!p->turning)
        return (spot){p->from.x + u * p->north, p->from.y + u * p->east, p->course, p->north,
                      p->east};
    double radius = fabs(x->radius), angle = u / radius, c = hk_cos(angle),
           s = p->side * hk_sin(angle);
    double side = p->side * radius;
    spot at = {.course = hk_geo_wrap(p->course + p->side * angle),
               .cosine = p->north * c - p->east * s,
               .sine = p->east * c + p->north * s};
    at.north = p->from.x + side * (at.sine - p->east);
    at.east = p->from.y - side * (at.cosine - p->north);
    return at;
}

static spot spot_at(simple_mission *x, double distance) {
    if (!(distance >= x->part.begin && distance <= x->part.end))
        x->part = part_at(x, distance);
    return spot_on(x, &x->part, distance);
}

static double length_of(const simple_mission *x) {
    int32_t legs = legs_of(x);
    return x->leg_length == 0 ? (double)INFINITY
                              : legs * x->leg_length + (legs - 1) * PI * fabs(x->radius);
}

/* ---- steering ---- */

static int cannot(simple_mission *x, double time, coordinate2d c, double speed, const char *what,
                  double much) {
    return hk_auv_fail(
        &x->why,
        "%s %d cannot be held at %.3f s, in a current of (%.3f, %.3f) m/s (north, "
        "east) at %.3f m/s %s: %s %.3f m/s",
        x->part.turning ? "the turn after leg" : "leg", x->part.leg + 1, time, c.x, c.y, speed,
        x->speed_reference == THROUGH_WATER ? "through the water" : "over ground", what, much);
}

/* At SPOT, of the part in which it is. SPEED: over ground or through the water. */
static int steer(simple_mission *x, const spot *at, double speed, double time, steering *ret) {
    coordinate2d c = hk_auv_stream_at(&x->stream, time);
    double along = c.x * at->cosine + c.y * at->sine, across = c.y * at->cosine - c.x * at->sine;
    if (x->speed_reference == THROUGH_WATER && !x->arrived) {
        switch (hk_auv_steer_through_water(speed, along, across, ret)) {
        case PUSHED_ACROSS:
            return cannot(x, time, c, speed, "across the track it has", fabs(across));
        case PUSHED_BACK:
            return cannot(x, time, c, speed, "it is pushed back, along the track it has", along);
        case STEERED:
            return HK_STEP_OK;
        }
    }
    *ret = hk_auv_steer_over_ground(speed, along, across);
    if (x->maximum_water_speed > 0 && ret->through_water > x->maximum_water_speed)
        return cannot(x, time, c, speed, "through the water that needs", ret->through_water);
    return HK_STEP_OK;
}

/* ---- a step ---- */

/* Nothing is settled any more if the answer is another one. */
APART int ask_current(simple_mission *x, double t, double end) {
    coordinate2d before = x->stream.from;
    course_line line = {x->state.ned_position, x->velocity.x, x->velocity.y, t};
    if (!hk_auv_stream_reach(&x->stream, &x->current, &x->place, &line, end, x->current_period))
        return hk_auv_fail(&x->why,
                           "leg %d: the current is not known at %.3f s, %.1f m north and %.1f m "
                           "east of the origin",
                           x->part.leg + 1, end, x->state.ned_position.x, x->state.ned_position.y);
    x->settled = x->settled && x->stream.steady && x->stream.from.x == before.x &&
                 x->stream.from.y == before.y;
    return HK_STEP_OK;
}

/* Its speed over ground at a distance. */
static int pace_at(simple_mission *x, double distance, double time, double *ret) {
    *ret = x->speed;
    if (x->speed_reference == OVER_GROUND)
        return HK_STEP_OK;
    spot at = spot_at(x, distance);
    steering s;
    int result = steer(x, &at, x->speed, time, &s);
    *ret = s.over_ground;
    return result;
}

static void set_out(simple_mission *x, double from, double pace, double t) {
    x->origin = from;
    x->pace = pace;
    x->since = t;
}

/* Over ground the speed is known. Through the water it is another one at the end of the step, in a
 * turn and in a current that changes; the mean of both is exact to the second order. */
static int go_on(simple_mission *x, double t, double h) {
    double pace;
    if (x->speed != x->asked || !x->begun) {
        if (!(x->speed >= 0) || !isfinite(x->speed))
            return hk_auv_fail(&x->why, "a speed of %g m/s at %.3f s is not 0 or more", x->speed,
                               t);
        if (!x->arrived && pace_at(x, x->distance, t, &pace))
            return HK_STEP_FAILED;
        set_out(x, x->distance, x->arrived ? 0 : pace, t);
        x->asked = x->speed;
    }
    double end = t + h, distance = x->origin + x->pace * (end - x->since);
    double length = length_of(x);
    if (x->speed_reference == THROUGH_WATER && distance < length && !x->arrived) {
        if (pace_at(x, distance, end, &pace))
            return HK_STEP_FAILED;
        if (pace != x->pace) {
            distance = x->distance + 0.5 * (x->pace + pace) * h;
            set_out(x, distance, pace, end);
        }
    }
    if (distance >= length) {
        distance = length;
        set_out(x, length, 0, end);
        x->arrived = true;
    }
    x->distance = distance;
    return HK_STEP_OK;
}

static void look(simple_mission *x, const spot *at, const steering *s, double h) {
    state *out = &x->state;
    double heading = hk_geo_wrap(at->course + s->slip);
    double turn = hk_geo_turn(out->attitude.z, heading);
    coordinate2d velocity = {s->over_ground * at->cosine, s->over_ground * at->sine};
    double north = velocity.x - x->velocity.x, east = velocity.y - x->velocity.y;
    coordinate3d force = {0, 0, -x->gravity};
    if (north != 0 || east != 0) {
        double middle = out->attitude.z + 0.5 * turn, c = hk_cos(middle), sine = hk_sin(middle);
        force.x = (north * c + east * sine) / h;
        force.y = (east * c - north * sine) / h;
    }
    x->settled = turn == 0 && north == 0 && east == 0 && x->stream.steady && !x->part.turning;
    out->ned_position = (coordinate3d){at->north, at->east, x->start_depth};
    out->body_speed = (coordinate3d){s->over_ground * s->cosine, -s->over_ground * s->sine, 0};
    out->body_acceleration = force;
    out->body_rotation_speed = (coordinate3d){0, 0, turn / h};
    out->attitude = (coordinate3d){0, 0, heading};
    x->velocity = velocity;
    x->water_speed = s->through_water;
}

APART int whole_step(simple_mission *x, double t, double h) {
    double end = t + h;
    steering s;
    if (go_on(x, t, h))
        return HK_STEP_FAILED;
    x->begun = true;
    spot at = spot_at(x, x->distance);
    double speed = x->arrived ? 0 : x->speed;
    if (steer(x, &at, speed, end, &s))
        return HK_STEP_FAILED;
    look(x, &at, &s, h);
    return HK_STEP_OK;
}

static int simple_mission_step(void *self, double t, double h) {
    simple_mission *x = self;
    double end = t + h;
    x->state.stamp = end;
    if (!(end <= x->stream.to_time && x->stream.known) && ask_current(x, t, end))
        return HK_STEP_FAILED;
    if (x->settled && x->speed == x->asked) {
        double distance = x->origin + x->pace * (end - x->since);
        if (distance <= x->part.end) {
            double u = distance - x->part.begin;
            x->distance = distance;
            x->state.ned_position.x = x->part.from.x + u * x->part.north;
            x->state.ned_position.y = x->part.from.y + u * x->part.east;
            x->state.body_acceleration.z = -x->gravity;
            return HK_STEP_OK;
        }
    }
    return whole_step(x, t, h);
}

/* ---- the beginning ---- */

static int simple_mission_check(simple_mission *x) {
    if (!(x->leg_length >= 0) || !isfinite(x->leg_length) || !isfinite(x->radius))
        return hk_auv_fail(&x->why, "a leg of %g m and turns of %g m are not a track",
                           x->leg_length, x->radius);
    if (x->legs < 1)
        return hk_auv_fail(&x->why, "a track has one leg at least, and legs is %d", x->legs);
    if (!isfinite(x->course) || !isfinite(x->start_north) || !isfinite(x->start_east) ||
        !isfinite(x->start_depth))
        return hk_auv_fail(&x->why, "the place or the course at the start is not a number");
    return HK_STEP_OK;
}

/* Where the current is needed already, and cannot be held against, the first step will say so. */
static steering first_steering(simple_mission *x, const spot *at, double t) {
    steering s = {.over_ground = x->speed, .through_water = x->speed, .cosine = 1};
    if (x->speed_reference == THROUGH_WATER || x->start_attitude == INTO_CURRENT)
        if (ask_current(x, t, t) || steer(x, at, x->speed, t, &s))
            s = (steering){.over_ground = x->speed, .through_water = x->speed, .cosine = 1};
    x->stream = (stream){0};
    x->why = (words){0};
    return s;
}

static int simple_mission_init(void *self, double t) {
    simple_mission *x = self;
    if (simple_mission_check(x))
        return HK_STEP_FAILED;
    x->part = part_at(x, 0);
    spot at = spot_on(x, &x->part, 0);
    x->state.stamp = t;
    x->state.ned_position = (coordinate3d){at.north, at.east, x->start_depth};
    steering s = first_steering(x, &at, t);
    double heading = x->start_attitude == GIVEN_HEADING  ? hk_geo_radians(x->initial_heading)
                     : x->start_attitude == INTO_CURRENT ? at.course + s.slip
                                                         : at.course;
    heading = hk_geo_wrap(heading);
    double slip = heading - at.course;
    bool aside = slip != 0;
    double cosine = aside ? hk_cos(slip) : 1, sine = aside ? hk_sin(slip) : 0;
    x->state.body_speed = (coordinate3d){s.over_ground * cosine, -s.over_ground * sine, 0};
    x->state.body_acceleration = (coordinate3d){0, 0, -x->gravity};
    x->state.attitude = (coordinate3d){0, 0, heading};
    x->velocity = (coordinate2d){s.over_ground * at.cosine, s.over_ground * at.sine};
    x->water_speed = s.through_water;
    set_out(x, 0, 0, t);
    return HK_STEP_OK;
}

/* What init has written is what holds at the start. */
static int simple_mission_output(void *self, double t) {
    (void)self, (void)t;
    return HK_STEP_OK;
}

/* It waited where it was stopped. */
static int simple_mission_start(void *self, double t) {
    simple_mission *x = self;
    set_out(x, x->distance, x->pace, t);
    x->stream.known = false;
    x->settled = false;
    return HK_STEP_OK;
}

static const hk_enum_item side_items[] = {{"Starboard", STARBOARD}, {"Port", PORT}};
static const hk_enum_type sides = {"drone.Side", side_items, COUNT(side_items)};
static const hk_domain simple_mission_domains[] = {
    {.port = "speed", .min = "0", .max = "20"},
    {.port = "speedReference", .enumeration = &hk_auv_speed_reference},
    {.port = "startAttitude", .enumeration = &hk_auv_start_attitude},
    {.port = "firstTurn", .enumeration = &sides},
    PLACE_DOMAIN,
};
static const hk_service simple_mission_services[] = {
    {"rCurrent", &hk_auv_current_source, NULL, offsetof(simple_mission, current)}};

COMPLAINT(simple_mission)

const hk_unit_type hk_auv_simple_mission = {
    AUV_WHOLE_TYPE(simple_mission, "drone.SimpleMission", "Follows legs that half circles join"),
    .init = simple_mission_init, .output = simple_mission_output, .start = simple_mission_start};
