/* SPDX-License-Identifier: MIT
 *
 * The two autopilots of a REMUS-100: depth by pitch, and heading by sliding modes. */
#include "remus.h"

static double within(double x, double limit) {
    return x > limit ? limit : x < -limit ? -limit : x;
}

/* A PI controller from depth to pitch, and a PID controller from pitch to the fins. */
double hk_auv_remus_hold_depth(const remus_depth *x, const remus_motion *m, double reference,
                               double depth, remus_depth *derivative) {
    double deeper = depth - x->reference,
           pitch =
               hk_atan2(-m->attitude.m[2][0], hk_hypot(m->attitude.m[2][1], m->attitude.m[2][2]));
    double wanted = 0.1 * (deeper + x->depth / 100), error = hk_geo_wrap(pitch - wanted);
    derivative->reference = 0.02 * (reference - x->reference);
    derivative->depth = deeper;
    derivative->pitch = error;
    return 5 * error + 2 * m->rotation.y + 0.3 * x->pitch + 5 * m->speed.z;
}

#define RATE_LIMIT (5 * (PI / 180)) /* of the filtered heading, rad/s */

/* The reference passes through a filter of the third order. The vehicle is taken for a turn rate
 * that follows the rudder with 0.25 1/s after 1 s. */
double hk_auv_remus_hold_heading(const remus_heading *x, const remus_motion *m, double reference,
                                 remus_heading *derivative) {
    const double pace = 0.1, slope = 0.1, gain = 0.25, delay = 1;
    double yaw = hk_atan2(m->attitude.m[1][0], m->attitude.m[0][0]);
    double rate = within(x->rate, RATE_LIMIT);
    bool at_limit = rate != x->rate || (fabs(rate) == RATE_LIMIT && rate * x->acceleration > 0);
    derivative->heading = rate;
    derivative->rate = at_limit ? 0 : x->acceleration;
    derivative->acceleration = pace * pace * pace * hk_geo_turn(x->heading, reference) -
                               3 * pace * pace * rate - 3 * pace * x->acceleration;
    double error = hk_geo_wrap(yaw - x->heading), error_rate = m->rotation.z - rate;
    derivative->error = error;
    double sliding = error_rate + 2 * slope * error + slope * slope * x->error;
    double wanted = rate - 2 * slope * error - slope * slope * x->error;
    double wanted_rate = x->acceleration - 2 * slope * error_rate - slope * slope * error;
    return (delay * wanted_rate + wanted - 0.5 * sliding - 0.05 * within(sliding / 0.1, 1)) / gain;
}

void hk_auv_remus_limit(remus_heading *x) {
    x->rate = within(x->rate, RATE_LIMIT);
}
