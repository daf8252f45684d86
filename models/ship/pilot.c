/* SPDX-License-Identifier: MIT
 *
 * The pilot: a smooth course to the wanted heading, a PID controller for it and a PI controller for
 * the speed, both with what a model says is needed; then angle and speed of the thrusters. */
#include "ship_core.h"

#define SHIP_DEF "pilot.def"
#include "ship_tables.inc"

/* A critically damped filter of order two with bounds on its rate and acceleration. */
static void smooth_heading(ship_self *s, double h) {
    double w = s->turn_frequency;
    double away = ship_wrap(s->course - s->wanted_heading);
    double acceleration =
        ship_clamp(w * w * away - 2.0 * w * s->wanted_rate, -s->turn_jerk, s->turn_jerk);
    double rate = ship_clamp(s->wanted_rate + h * acceleration, -s->turn_max, s->turn_max);
    s->wanted_acceleration = (rate - s->wanted_rate) / h;
    s->wanted_rate = rate;
    s->wanted_heading = ship_wrap(s->wanted_heading + h * rate);
}

static void steer(ship_self *s, double h) {
    smooth_heading(s, h);
    s->heading_error = ship_wrap(s->wanted_heading - s->heading);
    s->moment_ahead =
        s->yaw_inertia * s->wanted_acceleration + s->yaw_drag * fabs(s->surge) * s->wanted_rate;
    double asked = s->heading_gain * s->heading_error +
                   s->heading_damping * (s->wanted_rate - s->yaw_rate) + s->heading_integral +
                   s->moment_ahead;
    s->moment = ship_clamp(asked, -s->moment_max, s->moment_max);
    if (s->moment == asked) /* not against the bound */
        s->heading_integral += h * s->heading_gain * s->heading_error / s->heading_reset;
}

static void keep_speed(ship_self *s, double h) {
    double before = s->wanted_speed;
    s->wanted_speed = ship_toward(before, s->speed, h * s->speed_rate);
    s->speed_error = s->wanted_speed - s->surge;
    s->force_ahead = s->mass * (s->wanted_speed - before) / h +
                     (s->drag_u + s->drag_uu * fabs(s->wanted_speed)) * s->wanted_speed;
    double asked = s->speed_gain * s->speed_error + s->speed_integral + s->force_ahead;
    s->force = ship_clamp(asked, 0.0, s->force_max);
    if (s->force == asked)
        s->speed_integral += h * s->speed_gain * s->speed_error / s->speed_reset;
}

/* Both thrusters do the same: half the force each, and half of what turns the ship from behind. The
 * thrust of a propeller is a n2 - b n with the inflow in b; solved for n. */
static void divide(ship_self *s) {
    s->each_x = 0.5 * s->force;
    s->each_y = 0.5 * s->moment / s->arm;
    s->each_angle =
        ship_clamp(hk_atan2(s->each_y, fmax(s->each_x, 1.0)), -s->angle_max, s->angle_max);
    s->each_thrust = hk_hypot(s->each_x, s->each_y) / (1.0 - s->deduction);
    double d = s->diameter;
    double a = ship_water * d * d * d * d * s->thrust_zero;
    double b = ship_water * d * d * d * s->thrust_slope * (1.0 - s->wake) * fmax(s->surge, 0.0) *
               hk_cos(s->each_angle);
    double n = (b + sqrt(b * b + 4.0 * a * s->each_thrust)) / (2.0 * a);
    s->each_speed = ship_clamp(60.0 * n, s->speed_min, s->speed_max);
}

static void publish(ship_self *s, double t) {
    (void)t;
    s->port_speed = s->starboard_speed = s->each_speed;
    s->port_angle = s->starboard_angle = s->each_angle;
}

static int pilot_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    if (!(s->heading_reset > 0.0 && s->speed_reset > 0.0 && s->arm != 0.0 && s->diameter > 0.0 &&
          s->thrust_zero > 0.0 && s->deduction < 1.0))
        return HK_STEP_FAILED;
    s->wanted_heading = s->heading_initial;
    s->wanted_rate = s->wanted_acceleration = s->wanted_speed = 0.0;
    s->heading_integral = s->speed_integral = 0.0;
    s->each_speed = s->speed_min;
    s->each_angle = 0.0;
    return HK_STEP_OK;
}

static int pilot_step(void *self, double t, double h) {
    ship_self *s = self;
    steer(s, h);
    keep_speed(s, h);
    divide(s);
    publish(s, t + h);
    return HK_STEP_OK;
}

#include "ship_type.inc"
