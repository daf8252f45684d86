/* SPDX-License-Identifier: MIT
 *
 * The mission, two ways to follow it, and the choice between them. */
#include "standin.h"

/* ---- mission.CsvMission ---- */

typedef struct csv_mission {
    waypoint waypoints[2];
    hk_bytes file_name;
} csv_mission;

static const hk_port csv_mission_ports[] = {
    WAYPOINTS(csv_mission, waypoints, "waypoints", HK_OUTPUT),
    NAMED(csv_mission, file_name, "fileName", HK_PARAMETER, HK_TYPE_STRING, .start = "mission.csv",
          .tunable = true),
};

/* One leg, long enough for an hour at the speed of Fig. 10. */
static int csv_mission_output(void *self, double t) {
    csv_mission *x = self;
    (void)t;
    x->waypoints[0] = (waypoint){.position = {0, 0, 0}, .speed = 2.5};
    x->waypoints[1] = (waypoint){.position = {10000, 0, 0}, .speed = 2.5};
    return HK_STEP_OK;
}

static int csv_mission_step(void *self, double t, double h) {
    (void)h;
    return csv_mission_output(self, t);
}

const hk_unit_type hk_standin_csv_mission = {
    STANDIN_TYPE(csv_mission, "mission.CsvMission", csv_mission_ports),
    .output = csv_mission_output, .step = csv_mission_step};

/* ---- a leg ---- */

typedef struct leg {
    double length, north, east, down; /* its direction, as a unit vector */
} leg;

static leg leg_of(const waypoint *points) {
    double north = points[1].position.x - points[0].position.x;
    double east = points[1].position.y - points[0].position.y;
    double down = points[1].position.z - points[0].position.z;
    double length = sqrt(north * north + east * east + down * down);
    if (!(length > 0))
        return (leg){.north = 1};
    return (leg){length, north / length, east / length, down / length};
}

/* Where one is after DISTANCE, level and looking along the leg. */
static void place(state *s, const waypoint points[2], const leg *l, double distance, double speed,
                  double acceleration) {
    s->ned_position = (coordinate3d){points[0].position.x + l->north * distance,
                                     points[0].position.y + l->east * distance,
                                     points[0].position.z + l->down * distance};
    double level = sqrt(l->north * l->north + l->east * l->east);
    s->body_speed = (coordinate3d){speed * level, 0, speed * l->down};
    s->body_acceleration = (coordinate3d){acceleration * level, 0, acceleration * l->down};
    s->body_rotation_speed = (coordinate3d){0};
    s->attitude = (coordinate3d){0, 0, l->east == 0 ? 0 : hk_atan2(l->east, l->north)};
}

/* ---- drone.SplineMission ---- */

typedef struct spline_mission {
    waypoint waypoints[2];
    state state;
    double altitude;
    mnt_source_binding mnt;
    double since; /* when it set out */
} spline_mission;

static const hk_port spline_mission_ports[] = {
    WAYPOINTS(spline_mission, waypoints, "waypoints", HK_INPUT),
    STATE(spline_mission, state, "state", HK_OUTPUT),
    HK_PORT(spline_mission, altitude, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
};

static int spline_mission_init(void *self, double t) {
    ((spline_mission *)self)->since = t;
    return HK_STEP_OK;
}

/* A cubic with no speed at both ends; its mean speed is that of the first waypoint. */
static int spline_mission_step(void *self, double t, double h) {
    spline_mission *x = self;
    leg l = leg_of(x->waypoints);
    double mean = x->waypoints[0].speed, duration = mean > 0 ? l.length / mean : 0;
    double s = duration > 0 ? (t + h - x->since) / duration : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    place(&x->state, x->waypoints, &l, l.length * s * s * (3 - 2 * s), 6 * mean * s * (1 - s),
          duration > 0 ? 6 * mean * (1 - 2 * s) / duration : 0);
    coordinate3d p = x->state.ned_position;
    x->altitude = x->mnt.functions->get_depth(x->mnt.self, (coordinate2d){p.x, p.y}) - p.z;
    return HK_STEP_OK;
}

static const hk_service spline_mission_services[] = {
    {"rMnt", &hk_standin_mnt_source, NULL, offsetof(spline_mission, mnt)}};

const hk_unit_type hk_standin_spline_mission = {
    STANDIN_TYPE(spline_mission, "drone.SplineMission", spline_mission_ports),
    .init = spline_mission_init, .step = spline_mission_step, .services = spline_mission_services,
    .service_count = COUNT(spline_mission_services)};

/* ---- drone.SimpleMission ---- */

#define PI 3.14159265358979323846

typedef struct simple_mission {
    waypoint waypoints[2];
    state state;
    double water_speed;
    double speed, leg_length, radius;
    current_source_binding current;
    /* Since when it goes at which speed, and from where: distance = origin + pace * (t - since), so
     * that nothing adds up over millions of steps. */
    double since, origin, pace;
    double distance; /* that it has gone */
} simple_mission;

static const hk_port simple_mission_ports[] = {
    WAYPOINTS(simple_mission, waypoints, "waypoints", HK_INPUT),
    STATE(simple_mission, state, "state", HK_OUTPUT),
    NAMED(simple_mission, water_speed, "waterSpeed", HK_OUTPUT, HK_TYPE_F64, .unit = "m/s"),
    PARAMETER(simple_mission, speed, "speed", "m/s", "2.5"),
    PARAMETER(simple_mission, leg_length, "legLength", "m", "0"),
    PARAMETER(simple_mission, radius, "radius", "m", "0"),
};

static int simple_mission_init(void *self, double t) {
    simple_mission *x = self;
    x->since = t;
    x->pace = x->speed;
    return HK_STEP_OK;
}

/* It waited where it was stopped. */
static int simple_mission_start(void *self, double t) {
    simple_mission *x = self;
    x->origin = x->distance;
    x->since = t;
    return HK_STEP_OK;
}

/* One leg, or a leg, half a circle and a leg back. */
typedef struct track {
    leg l;
    double before;         /* the turn */
    double radius, half;   /* of the circle; radius < 0: to port, 0: there is none */
    double course, length; /* of the first leg, of all of it */
} track;

static track track_of(const simple_mission *x) {
    track k = {.l = leg_of(x->waypoints), .radius = x->radius};
    k.before = k.radius != 0 && x->leg_length > 0 ? x->leg_length : k.l.length;
    k.half = PI * fabs(k.radius);
    k.course = hk_atan2(k.l.east, k.l.north);
    k.length = k.radius == 0 ? k.before : 2 * k.before + k.half;
    return k;
}

static coordinate3d place_on(const track *k, coordinate3d from, double distance) {
    double beyond = k->radius == 0 ? 0 : distance - k->before;
    double on_leg = beyond > 0 ? k->before : distance;
    coordinate3d p = {from.x + k->l.north * on_leg, from.y + k->l.east * on_leg,
                      from.z + k->l.down * on_leg};
    if (!(beyond > 0))
        return p;
    double back = beyond > k->half ? beyond - k->half : 0;
    double course = k->course + (beyond - back) / k->radius;
    p.x += k->radius * (hk_sin(course) - hk_sin(k->course)) + back * hk_cos(course);
    p.y -= k->radius * (hk_cos(course) - hk_cos(k->course)) - back * hk_sin(course);
    return p;
}

/* Over ground; a turn and what follows are level. */
typedef struct motion {
    double course, level, down, inward; /* inward: acceleration towards starboard */
} motion;

static motion motion_on(const track *k, double distance, double speed) {
    double beyond = k->radius == 0 ? 0 : distance - k->before;
    if (!(beyond > 0)) {
        double level = sqrt(k->l.north * k->l.north + k->l.east * k->l.east);
        return (motion){k->course, speed * level, speed * k->l.down, 0};
    }
    if (beyond < k->half)
        return (motion){k->course + beyond / k->radius, speed, 0, speed * speed / k->radius};
    return (motion){k->course + k->half / k->radius, speed, 0, 0};
}

/* The heading that keeps it on its track: that of its motion through the water, which is the motion
 * over ground less the current. */
static double steer(simple_mission *x, const motion *m, int64_t time) {
    const current_source *source = x->current.functions;
    coordinate3d p = x->state.ned_position;
    source->set_time(x->current.self, time, (coordinate2d){p.x, p.y});
    coordinate2d c = source->get_current(x->current.self);
    double north = m->level * hk_cos(m->course) - c.y, east = m->level * hk_sin(m->course) - c.x;
    x->water_speed = sqrt(north * north + east * east);
    return x->water_speed > 0 ? hk_atan2(east, north) : m->course;
}

/* What instruments on board see of a step: the mean rotation, and the MIDDLE of the motion along
 * the heading in the middle, so that who adds them up gets the track. */
static void look_around(state *s, const motion *middle, double heading, double h) {
    double turn = remainder(heading - s->attitude.z, 2 * PI);
    double slip = middle->course - (s->attitude.z + 0.5 * turn);
    double sine = hk_sin(slip), cosine = hk_cos(slip);
    s->body_speed = (coordinate3d){middle->level * cosine, middle->level * sine, middle->down};
    s->body_acceleration = (coordinate3d){0};
    if (middle->inward != 0)
        s->body_acceleration = (coordinate3d){-middle->inward * sine, middle->inward * cosine, 0};
    s->body_rotation_speed = (coordinate3d){0, 0, turn / h};
    s->attitude = (coordinate3d){0, 0, heading};
}

static int simple_mission_step(void *self, double t, double h) {
    simple_mission *x = self;
    if (x->speed != x->pace) {
        x->origin += x->pace * (t - x->since);
        x->since = t;
        x->pace = x->speed;
    }
    track k = track_of(x);
    double gone = x->distance, distance = x->origin + x->pace * (t + h - x->since);
    bool there = k.length > 0 && distance >= k.length;
    x->distance = there ? k.length : distance;
    double mean = there ? (k.length - gone) / h : x->pace;
    x->state.ned_position = place_on(&k, x->waypoints[0].position, x->distance);
    motion end = motion_on(&k, x->distance, there ? 0 : x->pace);
    motion middle = motion_on(&k, x->distance - 0.5 * mean * h, mean);
    double heading = steer(x, &end, (int64_t)(1e3 * (t + h) + 0.5));
    look_around(&x->state, &middle, heading, h);
    return HK_STEP_OK;
}

static const hk_service simple_mission_services[] = {
    {"rCurrent", &hk_standin_current_source, NULL, offsetof(simple_mission, current)}};

const hk_unit_type hk_standin_simple_mission = {
    STANDIN_TYPE(simple_mission, "drone.SimpleMission", simple_mission_ports),
    .init = simple_mission_init,
    .step = simple_mission_step,
    .services = simple_mission_services,
    .service_count = COUNT(simple_mission_services),
    .start = simple_mission_start};

/* ---- drone.MissionAdapter ---- */

typedef struct mission_adapter {
    state spline, simple, out;
    bool is_spline;
} mission_adapter;

static const hk_port mission_adapter_ports[] = {
    STATE(mission_adapter, spline, "splineState", HK_INPUT),
    STATE(mission_adapter, simple, "simpleState", HK_INPUT),
    XYZ(mission_adapter, out.ned_position, "nedPosition", HK_OUTPUT, "m"),
    XYZ(mission_adapter, out.body_speed, "bodySpeed", HK_OUTPUT, "m/s"),
    XYZ(mission_adapter, out.body_acceleration, "bodyAcceleration", HK_OUTPUT, "m/s2"),
    XYZ(mission_adapter, out.body_rotation_speed, "bodyRotationSpeed", HK_OUTPUT, "rad/s"),
    XYZ(mission_adapter, out.attitude, "attitude", HK_OUTPUT, "rad"),
    NAMED(mission_adapter, is_spline, "isSpline", HK_PARAMETER, HK_TYPE_BOOL, .start = "true",
          .tunable = true),
};

static int mission_adapter_step(void *self, double t, double h) {
    mission_adapter *x = self;
    (void)t, (void)h;
    x->out = x->is_spline ? x->spline : x->simple;
    return HK_STEP_OK;
}

const hk_unit_type hk_standin_mission_adapter = {
    STANDIN_TYPE(mission_adapter, "drone.MissionAdapter", mission_adapter_ports),
    .step = mission_adapter_step};
