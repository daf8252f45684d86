/* SPDX-License-Identifier: MIT
 *
 * The REMUS-100: a torpedo of 1.6 m and 31 kg with a propeller and two pairs of fins, as a rigid
 * body in water that moves. The equations, their signs and where they differ from their sources are
 * in README.md. */
#ifndef HK_MODELS_REMUS_H
#define HK_MODELS_REMUS_H

#include "auv.h"

#include <hk/geo.h>

enum { ADVANCE_WATER, ADVANCE_GROUND };
enum { CURRENT_FULL, CURRENT_LEVEL };

/* What follows from its size, and from gravity. Numbers 0 to 5: surge, sway, heave, roll, pitch,
 * yaw. */
typedef struct remus_shape {
    double gravity;              /* for which it was made, m/s2 */
    double mass, weight;         /* kg, N */
    double inertia_x, inertia_y; /* about the centre of gravity; z is as y */
    double added[6], total[6];   /* masses: of the water, and with it */
    double damping[6];
    /* The inverse of the total mass: surge goes with pitch, sway with roll. */
    double surge, surge_pitch, pitch, sway, sway_roll, roll, heave, yaw;
} remus_shape;

remus_shape hk_auv_remus_shape(double gravity);

/* How it moves over ground, seen from the body, and what moves it. */
typedef struct remus_motion {
    hk_geo_vector3 speed, rotation;
    hk_geo_matrix3 attitude;
    double rudder, stern; /* rad; > 0: turns to starboard; lifts the stern */
    double rpm;
    hk_geo_vector3 current; /* ned */
    int64_t advance, frame;
} remus_motion;

/* The current, seen from the body. */
hk_geo_vector3 hk_auv_remus_current(const remus_motion *m);

/* What forces make of its speed and rotation, per second. */
void hk_auv_remus_push(const remus_shape *shape, const remus_motion *m, double ret[6]);
/* The derivatives of speed and rotation: the current, which does not turn, does so as seen from the
 * body. */
void hk_auv_remus_accelerate(const remus_shape *shape, const remus_motion *m, double ret[6]);

/* ---- autopilots ---- */

#define REMUS_FIN_LIMIT (15 * (PI / 180)) /* rad */
#define REMUS_RPM_LIMIT 1525.0

/* Both are in continuous time: DERIVATIVE is that of their own states. */

typedef struct remus_depth {
    double reference;    /* filtered, m */
    double depth, pitch; /* integrals of errors */
} remus_depth;

typedef struct remus_heading {
    double heading, rate, acceleration; /* filtered reference */
    double error;                       /* integral */
} remus_heading;

/* REFERENCE, DEPTH in m, HEAVE the speed down in the body over ground. Returns the command of the
 * stern fins, without limits. */
double hk_auv_remus_hold_depth(const remus_depth *x, const remus_motion *m, double reference,
                               double depth, remus_depth *derivative);
/* Angles in rad; the filter goes the short way to REFERENCE. */
double hk_auv_remus_hold_heading(const remus_heading *x, const remus_motion *m, double reference,
                                 remus_heading *derivative);
/* Of what the filter has become at the end of a step. */
void hk_auv_remus_limit(remus_heading *x);

#endif
