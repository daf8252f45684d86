/* SPDX-License-Identifier: MIT
 *
 * Forces and moments on a REMUS-100, and its accelerations: a rigid body in water, after T.
 * Fossen's Handbook of Marine Craft Hydrodynamics and Motion Control. */
#include "remus.h"

#define LENGTH    1.6
#define DIAMETER  0.19
#define HALF      (LENGTH / 2) /* the half axes of the spheroid */
#define RADIUS    (DIAMETER / 2)
#define DENSITY   1026.0 /* of the water, kg/m3 */
#define GRAVITY_Z 0.02   /* the centre of gravity is that far below that of buoyancy, m */
#define WING      (0.7 * LENGTH * DIAMETER) /* the hull as a wing, m2 */
#define ASPECT    (DIAMETER * DIAMETER / WING)
#define OSWALD    0.7
#define DRAG      (0.42 * PI * RADIUS * RADIUS / WING) /* without lift */
#define FIN_AREA  0.0133                               /* of a pair, m2 */
#define RUDDER    0.5                                  /* lift of a pair of fins, 1/rad */
#define STERN     0.7
#define PROPELLER 0.14 /* its diameter, m */
/* Thrust and torque at rest, and how they become less with the speed through the water. */
#define THRUST       0.4566
#define THRUST_SLOPE ((0.1798 - 0.4566) / 0.6632)
#define TORQUE       0.0700
#define TORQUE_SLOPE ((0.0312 - 0.0700) / 0.6632)
/* Across the flow: Hoerner's curve at 0.5, between two of its points. */
#define CROSS (1.2108 + (0.5 - 0.4933) / (0.5585 - 0.4933) * (1.0836 - 1.2108))

/* Of a spheroid in water, relative to its own: along, across, and of turns across. */
static void added_masses(double *along, double *across, double *turn) {
    double e = sqrt(1 - (RADIUS / HALF) * (RADIUS / HALF)), e2 = e * e, e3 = e2 * e;
    double l = hk_log((1 + e) / (1 - e));
    double a = 2 * (1 - e2) / e3 * (0.5 * l - e), b = 1 / e2 - (1 - e2) / (2 * e3) * l;
    *along = a / (2 - a);
    *across = b / (2 - b);
    *turn = e2 * e2 * (b - a) / ((2 - e2) * (2 * e2 - (2 - e2) * (b - a)));
}

remus_shape hk_auv_remus_shape(double gravity) {
    remus_shape s = {.gravity = gravity, .mass = 4.0 / 3 * PI * DENSITY * HALF * RADIUS * RADIUS};
    double along, across, turn, m = s.mass, lever = m * GRAVITY_Z;
    added_masses(&along, &across, &turn);
    s.weight = m * gravity;
    s.inertia_x = 0.4 * m * RADIUS * RADIUS;
    s.inertia_y = m * (HALF * HALF + RADIUS * RADIUS) / 5;
    s.added[0] = along * m;
    s.added[1] = s.added[2] = across * m;
    s.added[3] = 0.3 * s.inertia_x;
    s.added[4] = s.added[5] = turn * s.inertia_y;
    for (int i = 0; i < 3; i++)
        s.total[i] = m + s.added[i];
    s.total[3] = s.inertia_x + lever * GRAVITY_Z + s.added[3];
    s.total[4] = s.inertia_y + lever * GRAVITY_Z + s.added[4];
    s.total[5] = s.inertia_y + s.added[5];
    /* Times after which a speed is gone, 20 s and 1 s; oscillations of a pendulum otherwise. */
    s.damping[0] = s.total[0] / 20;
    s.damping[1] = s.total[1] / 20;
    s.damping[2] = s.total[2] / 20;
    s.damping[3] = 2 * 0.3 * sqrt(s.weight * GRAVITY_Z / s.total[3]) * s.total[3];
    s.damping[4] = 2 * 0.8 * sqrt(s.weight * GRAVITY_Z / s.total[4]) * s.total[4];
    s.damping[5] = s.total[5];
    double first = s.total[0] * s.total[4] - lever * lever,
           second = s.total[1] * s.total[3] - lever * lever;
    s.surge = s.total[4] / first;
    s.surge_pitch = -lever / first;
    s.pitch = s.total[0] / first;
    s.sway = s.total[3] / second;
    s.sway_roll = lever / second;
    s.roll = s.total[1] / second;
    s.heave = 1 / s.total[2];
    s.yaw = 1 / s.total[5];
    return s;
}

/* ---- forces: each adds its own ---- */

/* What inertia is, seen from a body that turns: of the vehicle, and of the water around it without
 * the terms that would turn it away from its course. */
static void add_inertia(const remus_shape *s, hk_geo_vector3 v, hk_geo_vector3 om, double f[6]) {
    hk_geo_vector3 lever = {0, 0, GRAVITY_Z};
    hk_geo_vector3 centre = hk_geo_add(v, hk_geo_cross(om, lever));
    hk_geo_vector3 force = hk_geo_scale(s->mass, hk_geo_cross(om, centre));
    hk_geo_vector3 momentum = {s->inertia_x * om.x, s->inertia_y * om.y, s->inertia_y * om.z};
    hk_geo_vector3 moment = hk_geo_add(hk_geo_cross(om, momentum), hk_geo_cross(lever, force));
    f[0] -= force.x;
    f[1] -= force.y - s->added[2] * v.z * om.x;
    f[2] -= force.z + s->added[1] * v.y * om.x;
    f[3] -= moment.x;
    f[4] -= moment.y + (s->added[3] - s->added[5]) * om.x * om.z;
    f[5] -= moment.z + (s->added[4] - s->added[3]) * om.x * om.y;
}

/* Linear, and less of it along and across the faster it is. */
static void add_damping(const remus_shape *s, hk_geo_vector3 v, hk_geo_vector3 om, double speed,
                        double f[6]) {
    double fade = hk_exp(-3 * speed);
    f[0] -= fade * s->damping[0] * v.x;
    f[1] -= fade * s->damping[1] * v.y;
    f[2] -= s->damping[2] * v.z;
    f[3] -= s->damping[3] * om.x;
    f[4] -= s->damping[4] * om.y;
    f[5] -= s->damping[5] * om.z;
}

/* The hull as a wing that is not straight in the flow. */
static void add_hull(hk_geo_vector3 v, double speed, double f[6]) {
    double flow = sqrt(v.x * v.x + v.z * v.z);
    if (flow == 0)
        return;
    double c = v.x / flow, s = v.z / flow, angle = hk_atan2(v.z, v.x);
    double lift = angle * PI * ASPECT / (1 + sqrt(1 + ASPECT * ASPECT / 4));
    double drag = DRAG + lift * lift / (PI * OSWALD * ASPECT);
    double pressure = 0.5 * DENSITY * speed * speed * WING;
    f[0] += pressure * (lift * s - drag * c);
    f[2] -= pressure * (drag * s + lift * c);
}

/* What flows across, slice by slice, also where the turn makes it flow. */
static void add_cross_flow(double sway, double turn, double f[6]) {
    double force = 0, moment = 0;
    for (int i = -10; i <= 10; i++) {
        double x = i * (LENGTH / 20), flow = sway + x * turn, drag = flow * fabs(flow);
        force += drag;
        moment += x * drag;
    }
    double factor = 0.5 * DENSITY * DIAMETER * CROSS * (LENGTH / 20);
    f[1] -= factor * force;
    f[5] -= factor * moment;
}

static void add_fins(const remus_motion *m, hk_geo_vector3 v, double f[6]) {
    double level = 0.5 * DENSITY * (v.x * v.x + v.y * v.y) * FIN_AREA * RUDDER * m->rudder;
    double upright = 0.5 * DENSITY * (v.x * v.x + v.z * v.z) * FIN_AREA * STERN * m->stern;
    f[0] -= level * m->rudder + upright * m->stern;
    f[1] -= level;
    f[5] += HALF * level; /* they are at the end of the hull */
    f[2] -= upright;
    f[4] -= HALF * upright;
}

static void add_propeller(double rpm, double speed, double f[6]) {
    double n = rpm / 60, advance = 0.944 * speed / PROPELLER;
    double factor = DENSITY * PROPELLER * PROPELLER * PROPELLER * PROPELLER;
    double thrust = -THRUST * n * n, torque = -TORQUE * n * n;
    if (n > 0) {
        thrust = THRUST * n * n + THRUST_SLOPE * n * advance;
        torque = TORQUE * n * n + TORQUE_SLOPE * n * advance;
    }
    f[0] += 0.9 * factor * thrust;
    f[3] += 0.1 * factor * PROPELLER * torque;
}

/* ---- all of them ---- */

hk_geo_vector3 hk_auv_remus_current(const remus_motion *m) {
    if (m->frame != CURRENT_LEVEL)
        return hk_geo_apply_transposed(&m->attitude, m->current);
    double north = m->attitude.m[0][0], east = m->attitude.m[1][0];
    double length = sqrt(north * north + east * east);
    double c = length > 0 ? north / length : 1, s = length > 0 ? east / length : 0;
    return hk_geo_vector(c * m->current.x + s * m->current.y, c * m->current.y - s * m->current.x,
                         m->current.z);
}

void hk_auv_remus_push(const remus_shape *shape, const remus_motion *m, double ret[6]) {
    hk_geo_vector3 v = hk_geo_subtract(m->speed, hk_auv_remus_current(m)), om = m->rotation;
    double speed = hk_geo_length(v), f[6] = {0};
    double advance = m->advance == ADVANCE_GROUND ? hk_geo_length(m->speed) : speed;
    add_propeller(m->rpm, advance, f);
    add_fins(m, v, f);
    add_hull(v, speed, f);
    add_cross_flow(v.y, om.z, f);
    add_inertia(shape, v, om, f);
    add_damping(shape, v, om, speed, f);
    f[3] -= GRAVITY_Z * shape->weight * m->attitude.m[2][1];
    f[4] += GRAVITY_Z * shape->weight * m->attitude.m[2][0];
    ret[0] = shape->surge * f[0] + shape->surge_pitch * f[4];
    ret[1] = shape->sway * f[1] + shape->sway_roll * f[3];
    ret[2] = shape->heave * f[2];
    ret[3] = shape->sway_roll * f[1] + shape->roll * f[3];
    ret[4] = shape->surge_pitch * f[0] + shape->pitch * f[4];
    ret[5] = shape->yaw * f[5];
}

void hk_auv_remus_accelerate(const remus_shape *shape, const remus_motion *m, double ret[6]) {
    hk_geo_vector3 seen =
        m->frame == CURRENT_LEVEL ? hk_geo_vector(0, 0, m->rotation.z) : m->rotation;
    hk_geo_vector3 turning = hk_geo_cross(hk_auv_remus_current(m), seen);
    hk_auv_remus_push(shape, m, ret);
    ret[0] += turning.x;
    ret[1] += turning.y;
    ret[2] += turning.z;
}
