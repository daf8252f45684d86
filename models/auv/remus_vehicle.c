/* SPDX-License-Identifier: MIT
 *
 * remus.Vehicle: a REMUS-100 that moves by its fins and its propeller, held on depth and heading by
 * its autopilots, in the current. One step is one step of Runge and Kutta, or several. */
#include "drone_common.h"
#include "remus.h"

/* All that changes. As numbers, for the integration; no padding. */
typedef struct remus_state {
    hk_geo_vector3 speed, rotation; /* over ground, of the body */
    hk_geo_vector3 position;        /* ned */
    hk_geo_quaternion attitude;
    double rudder, stern, rpm;
    remus_depth depth;
    remus_heading heading;
} remus_state;

enum { STATES = sizeof(remus_state) / sizeof(double) };

typedef union remus_values {
    remus_state as;
    double all[STATES];
} remus_values;

typedef struct remus_vehicle {
    state state;
    coordinate3d speed, rotation, water_speed; /* at the end of the step */
    double rudder, stern, rpm;
    /* Parameters. */
    double heading_reference, depth_reference, rpm_reference; /* deg, m */
    double rudder_reference, stern_reference;                 /* deg, without autopilot */
    bool heading_autopilot, depth_autopilot;
    int64_t advance, frame;
    int32_t substeps;
    double start_north, start_east, start_depth;         /* m */
    double initial_roll, initial_pitch, initial_heading; /* deg */
    double initial_surge, initial_sway, initial_heave;   /* through the water, m/s */
    double initial_p, initial_q, initial_r;              /* rad/s */
    double initial_rudder, initial_stern, initial_rpm;   /* deg, rpm */
    double current_period, gravity;
    place place;
    current_source_binding current;
    /* What it knows. */
    remus_values now;
    remus_shape shape;
    stream stream;
    bool begun, holds_heading, holds_depth;
    words why;
} remus_vehicle;

#define INITIAL(field, what, port_unit)                                                            \
    FIXED_NUMBER(remus_vehicle, initial_##field, "initial" what, port_unit, "0")
#define INITIALS(port_unit, a, what_a, b, what_b, c, what_c)                                       \
    INITIAL(a, what_a, port_unit), INITIAL(b, what_b, port_unit), INITIAL(c, what_c, port_unit)

static const hk_port remus_vehicle_ports[] = {
    STATE(remus_vehicle, state, "state", HK_OUTPUT),
    XYZ(remus_vehicle, speed, "nu.linear", HK_OUTPUT, "m/s"),
    XYZ(remus_vehicle, rotation, "nu.angular", HK_OUTPUT, "rad/s"),
    XYZ(remus_vehicle, water_speed, "waterSpeed", HK_OUTPUT, "m/s"),
    NUMBER_OUT(remus_vehicle, rudder, "actuators.rudder", "rad"),
    NUMBER_OUT(remus_vehicle, stern, "actuators.stern", "rad"),
    NUMBER_OUT(remus_vehicle, rpm, "actuators.rpm", "rpm"),
    PARAMETER(remus_vehicle, heading_reference, "headingReference", "deg", "0"),
    PARAMETER(remus_vehicle, depth_reference, "depthReference", "m", "0"),
    PARAMETER(remus_vehicle, rpm_reference, "rpm", "rpm", "1525"),
    PARAMETER(remus_vehicle, rudder_reference, "rudder", "deg", "0"),
    PARAMETER(remus_vehicle, stern_reference, "stern", "deg", "0"),
    TRUTH_PARAMETER(remus_vehicle, heading_autopilot, "headingAutopilot", "true"),
    TRUTH_PARAMETER(remus_vehicle, depth_autopilot, "depthAutopilot", "true"),
    ITEM_PARAMETER(remus_vehicle, advance, "advance", "Water"),
    ITEM_PARAMETER(remus_vehicle, frame, "current", "Full"),
    WHOLE_PARAMETER(remus_vehicle, substeps, "substeps", "1"),
    START_PARAMETERS(remus_vehicle),
    INITIALS("deg", roll, "Roll", pitch, "Pitch", heading, "Heading"),
    INITIALS("m/s", surge, "Surge", sway, "Sway", heave, "Heave"),
    INITIALS("rad/s", p, "RollRate", q, "PitchRate", r, "YawRate"),
    INITIAL(rudder, "Rudder", "deg"),
    INITIAL(stern, "Stern", "deg"),
    INITIAL(rpm, "Rpm", "rpm"),
    FIXED_NUMBER(remus_vehicle, current_period, "currentPeriod", "s", "1"),
    PARAMETER(remus_vehicle, gravity, "gravity", "m/s2", "9.80665"),
    PLACE_PARAMETERS(remus_vehicle, place),
};

static double within(double x, double limit) {
    return x > limit ? limit : x < -limit ? -limit : x;
}

static coordinate3d coordinates(hk_geo_vector3 v) {
    return (coordinate3d){v.x, v.y, v.z};
}

static remus_motion motion_of(const remus_vehicle *x, const remus_state *s, coordinate2d current) {
    return (remus_motion){.speed = s->speed,
                          .rotation = s->rotation,
                          .attitude = hk_geo_matrix_of_quaternion(hk_geo_normalised(s->attitude)),
                          .rudder = s->rudder,
                          .stern = s->stern,
                          .rpm = s->rpm,
                          .current = {current.x, current.y, 0},
                          .advance = x->advance,
                          .frame = x->frame};
}

/* ---- how it goes on ---- */

/* Fins follow within 0.1 s, the propeller within 1 s. */
static void derive_actuators(const remus_vehicle *x, const remus_state *s, const remus_motion *m,
                             remus_state *ret) {
    double rudder = DEGREES(x->rudder_reference), stern = DEGREES(x->stern_reference);
    ret->heading = (remus_heading){0};
    ret->depth = (remus_depth){0};
    if (x->holds_heading)
        rudder =
            hk_auv_remus_hold_heading(&s->heading, m, DEGREES(x->heading_reference), &ret->heading);
    if (x->holds_depth)
        stern =
            hk_auv_remus_hold_depth(&s->depth, m, x->depth_reference, s->position.z, &ret->depth);
    ret->rudder = (within(rudder, REMUS_FIN_LIMIT) - s->rudder) * 10;
    ret->stern = (within(stern, REMUS_FIN_LIMIT) - s->stern) * 10;
    ret->rpm = within(x->rpm_reference, REMUS_RPM_LIMIT) - s->rpm;
}

/* The speed is that through the water: a current that does not change then leaves no trace in it,
 * not even of the error of a step. With the option of the sources, which turns the current by yaw
 * alone, there is no such speed, and it is that over ground. */
static void derive(const remus_vehicle *x, const remus_state *s, coordinate2d current,
                   remus_state *ret) {
    remus_motion m = motion_of(x, s, current);
    double a[6];
    ret->position = hk_geo_apply(&m.attitude, s->speed);
    if (x->frame == CURRENT_LEVEL) {
        hk_auv_remus_accelerate(&x->shape, &m, a);
    } else {
        m.speed = hk_geo_add(s->speed, hk_auv_remus_current(&m));
        ret->position = hk_geo_add(ret->position, m.current);
        hk_auv_remus_push(&x->shape, &m, a);
    }
    ret->speed = hk_geo_vector(a[0], a[1], a[2]);
    ret->rotation = hk_geo_vector(a[3], a[4], a[5]);
    hk_geo_quaternion half = {0, 0.5 * s->rotation.x, 0.5 * s->rotation.y, 0.5 * s->rotation.z};
    ret->attitude = hk_geo_quaternion_product(s->attitude, half);
    derive_actuators(x, s, &m, ret);
}

/* From START by H along SLOPE. */
static void go(const remus_values *start, const remus_values *slope, double h, remus_values *ret) {
    for (size_t i = 0; i < STATES; i++)
        ret->all[i] = start->all[i] + h * slope->all[i];
}

/* What a current adds to the speed through the water. */
static hk_geo_vector3 drift(const remus_vehicle *x, coordinate2d current) {
    if (x->frame == CURRENT_LEVEL)
        return hk_geo_vector(0, 0, 0);
    remus_motion m = motion_of(x, &x->now.as, current);
    return hk_auv_remus_current(&m);
}

/* The classical method of fourth order. The current changes little in a step, and is that of its
 * middle. */
static void integrate(remus_vehicle *x, double h, coordinate2d current) {
    remus_values *now = &x->now, k1, k2, k3, k4, there;
    now->as.speed = hk_geo_subtract(now->as.speed, drift(x, current));
    derive(x, &now->as, current, &k1.as);
    go(now, &k1, 0.5 * h, &there);
    derive(x, &there.as, current, &k2.as);
    go(now, &k2, 0.5 * h, &there);
    derive(x, &there.as, current, &k3.as);
    go(now, &k3, h, &there);
    derive(x, &there.as, current, &k4.as);
    double sixth = h / 6;
    for (size_t i = 0; i < STATES; i++)
        now->all[i] += sixth * (k1.all[i] + 2 * (k2.all[i] + k3.all[i]) + k4.all[i]);
    now->as.attitude = hk_geo_normalised(now->as.attitude);
    now->as.speed = hk_geo_add(now->as.speed, drift(x, current));
    hk_auv_remus_limit(&now->as.heading);
}

/* ---- what is seen ---- */

static pose pose_of(const remus_state *s) {
    return (pose){s->attitude, hk_geo_rotate(s->attitude, s->speed)};
}

static void show(remus_vehicle *x, coordinate2d current) {
    const remus_state *s = &x->now.as;
    remus_motion m = motion_of(x, s, current);
    hk_geo_euler angles = hk_geo_euler_of_matrix(&m.attitude);
    x->state.ned_position = coordinates(s->position);
    x->state.attitude = (coordinate3d){angles.roll, angles.pitch, angles.yaw};
    x->state.body_speed = x->speed = coordinates(s->speed);
    x->rotation = coordinates(s->rotation);
    x->water_speed = coordinates(hk_geo_subtract(s->speed, hk_auv_remus_current(&m)));
    x->rudder = s->rudder;
    x->stern = s->stern;
    x->rpm = s->rpm;
}

/* ---- a step ---- */

static int ask_current(remus_vehicle *x, double t, double end) {
    hk_geo_vector3 velocity = hk_geo_rotate(x->now.as.attitude, x->now.as.speed);
    course_line line = {coordinates(x->now.as.position), velocity.x, velocity.y, t};
    if (hk_auv_stream_reach(&x->stream, &x->current, &x->place, &line, end, x->current_period))
        return HK_STEP_OK;
    return hk_auv_fail(&x->why,
                       "the current is not known at %.3f s, %.1f m north and %.1f m east of the "
                       "origin",
                       end, line.position.x, line.position.y);
}

/* It begins with a speed through the water. */
static void begin(remus_vehicle *x, coordinate2d current) {
    remus_state *s = &x->now.as;
    *s = (remus_state){
        .rotation = {x->initial_p, x->initial_q, x->initial_r},
        .position = {x->start_north, x->start_east, x->start_depth},
        .attitude = hk_geo_quaternion_of_euler((hk_geo_euler){
            DEGREES(x->initial_roll), DEGREES(x->initial_pitch), DEGREES(x->initial_heading)}),
        .rudder = within(DEGREES(x->initial_rudder), REMUS_FIN_LIMIT),
        .stern = within(DEGREES(x->initial_stern), REMUS_FIN_LIMIT),
        .rpm = within(x->initial_rpm, REMUS_RPM_LIMIT)};
    remus_motion m = motion_of(x, s, current);
    s->speed = hk_geo_add(hk_geo_vector(x->initial_surge, x->initial_sway, x->initial_heave),
                          hk_auv_remus_current(&m));
    x->holds_heading = x->holds_depth = false;
}

/* An autopilot that is switched on begins with what is. */
static void switch_autopilots(remus_vehicle *x) {
    remus_state *s = &x->now.as;
    if (x->heading_autopilot && !x->holds_heading)
        s->heading = (remus_heading){.heading = hk_geo_euler_of_quaternion(s->attitude).yaw};
    if (x->depth_autopilot && !x->holds_depth)
        s->depth = (remus_depth){.reference = s->position.z};
    x->holds_heading = x->heading_autopilot;
    x->holds_depth = x->depth_autopilot;
}

static int check_parameters(remus_vehicle *x, double t) {
    double sum = x->heading_reference + x->depth_reference + x->rpm_reference +
                 x->rudder_reference + x->stern_reference;
    if (!isfinite(sum))
        return hk_auv_fail(&x->why,
                           "a reference is not a number at %.3f s: heading %g deg, depth %g m, %g "
                           "rpm, rudder %g deg, stern %g deg",
                           t, x->heading_reference, x->depth_reference, x->rpm_reference,
                           x->rudder_reference, x->stern_reference);
    if (x->substeps < 1)
        return hk_auv_fail(&x->why, "a step has one substep at least, and substeps is %d",
                           x->substeps);
    if (!(x->gravity > 0) || !isfinite(x->gravity))
        return hk_auv_fail(&x->why, "a gravity of %g m/s2 is not above 0", x->gravity);
    if (x->shape.gravity != x->gravity)
        x->shape = hk_auv_remus_shape(x->gravity);
    return HK_STEP_OK;
}

static int remus_vehicle_step(void *self, double t, double h) {
    remus_vehicle *x = self;
    if (check_parameters(x, t) || ask_current(x, t, t + h))
        return HK_STEP_FAILED;
    if (!x->begun) {
        begin(x, hk_auv_stream_at(&x->stream, t));
        x->begun = true;
    }
    switch_autopilots(x);
    pose from = pose_of(&x->now.as);
    double part = h / x->substeps;
    for (int32_t i = 0; i < x->substeps; i++)
        integrate(x, part, hk_auv_stream_at(&x->stream, t + (i + 0.5) * part));
    pose to = pose_of(&x->now.as);
    if (!isfinite(hk_geo_length(to.velocity) + x->now.as.attitude.w))
        return hk_auv_fail(&x->why,
                           "the motion is not a number any more at %.3f s: a step of %g s is too "
                           "long for it",
                           t + h, part);
    show(x, hk_auv_stream_at(&x->stream, t + h));
    hk_auv_look(&x->state, &from, &to, h, x->gravity);
    x->state.stamp = t + h;
    return HK_STEP_OK;
}

/* ---- the beginning ---- */

/* Where the current is not known yet, the first step will say so; it begins again with what it is
 * then, since a scenario may change it at the start. */
static int remus_vehicle_init(void *self, double t) {
    remus_vehicle *x = self;
    double sum = x->start_north + x->start_east + x->start_depth + x->initial_roll +
                 x->initial_pitch + x->initial_heading + x->initial_surge + x->initial_sway +
                 x->initial_heave + x->initial_p + x->initial_q + x->initial_r + x->initial_rudder +
                 x->initial_stern + x->initial_rpm;
    if (!isfinite(sum))
        return hk_auv_fail(&x->why, "a parameter of the start is not a number");
    if (check_parameters(x, t)) { /* who is not started is not missed: the first step says so */
        x->why = (words){0};
        x->state = (state){.stamp = t};
        return HK_STEP_OK;
    }
    begin(x, (coordinate2d){0});
    coordinate2d current = {0};
    if (ask_current(x, t, t) == HK_STEP_OK)
        current = hk_auv_stream_at(&x->stream, t);
    x->stream = (stream){0};
    x->why = (words){0};
    begin(x, current);
    show(x, current);
    pose start = pose_of(&x->now.as);
    hk_auv_look(&x->state, &start, &start, 1, x->gravity);
    x->state.stamp = t;
    return HK_STEP_OK;
}

/* What init has written is what holds at the start. */
static int remus_vehicle_output(void *self, double t) {
    (void)self, (void)t;
    return HK_STEP_OK;
}

/* It waited where it was stopped, with the speed that it had. */
static int remus_vehicle_start(void *self, double t) {
    (void)t;
    ((remus_vehicle *)self)->stream.known = false;
    return HK_STEP_OK;
}

static state remus_vehicle_state(void *self) {
    return ((remus_vehicle *)self)->state;
}

static const state_source remus_vehicle_source = {remus_vehicle_state};
static const hk_service remus_vehicle_services[] = {
    {"pState", &hk_auv_state_source, &remus_vehicle_source, 0},
    {"rCurrent", &hk_auv_current_source, NULL, offsetof(remus_vehicle, current)},
};

static const hk_enum_item advance_items[] = {{"Water", ADVANCE_WATER}, {"Ground", ADVANCE_GROUND}};
static const hk_enum_type advances = {"remus.Advance", advance_items, COUNT(advance_items)};
static const hk_enum_item frame_items[] = {{"Full", CURRENT_FULL}, {"Level", CURRENT_LEVEL}};
static const hk_enum_type frames = {"remus.CurrentFrame", frame_items, COUNT(frame_items)};
static const hk_domain remus_vehicle_domains[] = {
    {.port = "advance", .enumeration = &advances},
    {.port = "current", .enumeration = &frames},
    {.port = "rpm", .min = "-1525", .max = "1525"},
    {.port = "rudder", .min = "-15", .max = "15"},
    {.port = "stern", .min = "-15", .max = "15"},
    {.port = "substeps", .min = "1", .max = "1000"},
    PLACE_DOMAIN,
};

COMPLAINT(remus_vehicle)

const hk_unit_type hk_auv_remus_vehicle = {
    AUV_WHOLE_TYPE(remus_vehicle, "remus.Vehicle",
                   "A REMUS-100: rigid body, fins, propeller, autopilots"),
    .init = remus_vehicle_init, .output = remus_vehicle_output, .start = remus_vehicle_start};
