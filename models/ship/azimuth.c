/* SPDX-License-Identifier: MIT
 *
 * An azimuth thruster: a motor with a speed controller that keeps to the power it is given, a
 * shaft, a propeller with open-water tables, and a pod that turns at a limited rate. */
#include "ship_core.h"

#include "../common/integrate.h"

enum { AZIMUTH_POINTS = 27 };

#define SHIP_DEF "azimuth.def"
#include "ship_tables.inc"

/* What propeller and pod do in the water that comes: outputs. */
#define FLOW(X)          X(inflow) X(across) X(advance) X(thrust) X(torque) X(pod_force)
#define FLOW_FIELD(name) double name;
#define FLOW_OUT(name)   s->name = f.name;

typedef struct flow {
    FLOW(FLOW_FIELD)
} flow;

static double per_second(double rpm) {
    return rpm * (ship_pi / 30.0);
}

static flow flow_at(const ship_self *s, double omega, double angle) {
    flow f;
    double u = (s->water_u - s->at_y * s->yaw_rate) * (1.0 - s->wake);
    double v = s->water_v + s->at_x * s->yaw_rate;
    double c = hk_cos(angle), sine = hk_sin(angle);
    f.inflow = u * c + v * sine;
    f.across = v * c - u * sine;
    double n = fmax(omega, 0.0) / (2.0 * ship_pi), d = s->diameter, part;
    f.advance = f.inflow / (fmax(n, 0.01) * d);
    size_t i = ship_interval(s->advance_of, AZIMUTH_POINTS, f.advance, &part);
    double kt = s->thrust_of[i] + part * (s->thrust_of[i + 1] - s->thrust_of[i]);
    double kq = s->torque_of[i] + part * (s->torque_of[i + 1] - s->torque_of[i]);
    f.thrust = ship_water * n * n * d * d * d * d * kt;
    f.torque = ship_water * n * n * d * d * d * d * d * kq;
    f.pod_force = -0.5 * ship_water * s->pod_area * s->pod_lift * f.across * hk_hypot(u, v);
    return f;
}

/* The largest torque that motor and power allow at a speed. */
static double torque_limit(const ship_self *s, double omega) {
    double power = fmax(fmin(s->power_limit, s->power_max), 0.0) * s->efficiency;
    return fmin(s->torque_max, power / fmax(omega, 1.0));
}

static double motor_torque_at(const ship_self *s, double omega, double integral,
                              double *ret_missing) {
    double wanted = per_second(ship_clamp(s->speed_command, s->speed_min, s->speed_max));
    double limit = torque_limit(s, omega);
    *ret_missing = wanted - omega;
    return ship_clamp(s->gain * *ret_missing + integral, 0.0, limit);
}

static double electric_power(const ship_self *s, double torque, double omega) {
    return torque * omega / s->efficiency;
}

#define UNIT_STATES(STATE)                                                                         \
    STATE(OMEGA, omega)                                                                            \
    STATE(INTEGRAL, integral)                                                                      \
    STATE(ANGLE, angle) STATE(POD_SPEED, pod_speed) STATE(ENERGY, energy) STATE(TURNS, turns)
enum { UNIT_STATES(RK_INDEX) STATES };

static void rates(const void *self, double t, const double *x, double *ret_rates) {
    const ship_self *s = self;
    (void)t;
    flow f = flow_at(s, x[OMEGA], x[ANGLE]);
    double missing, motor = motor_torque_at(s, x[OMEGA], x[INTEGRAL], &missing);
    double asked = s->gain * missing + x[INTEGRAL];
    /* The integral part stands still while it would only push further into the limit. */
    bool stuck = (asked > motor && missing > 0.0) || (asked < motor && missing < 0.0);
    double pod_wanted =
        ship_clamp((s->angle_command - x[ANGLE]) / s->turn_time, -s->turn_rate, s->turn_rate);
    ret_rates[OMEGA] = (motor - f.torque - s->friction * x[OMEGA]) / s->shaft_inertia;
    ret_rates[INTEGRAL] = stuck ? 0.0 : s->gain * missing / s->reset_time;
    ret_rates[ANGLE] = x[POD_SPEED];
    ret_rates[POD_SPEED] = 4.0 * (pod_wanted - x[POD_SPEED]) / s->turn_time;
    ret_rates[ENERGY] = electric_power(s, motor, x[OMEGA]);
    ret_rates[TURNS] = x[OMEGA];
}

#define RK_SELF ship_self
#include "../common/states.inc"

/* All that follows from states and inputs. */
static void publish(ship_self *s, double t) {
    (void)t;
    flow f = flow_at(s, s->omega, s->angle);
    double missing, c = hk_cos(s->angle), sine = hk_sin(s->angle);
    s->motor_torque = motor_torque_at(s, s->omega, s->integral, &missing);
    s->limit = torque_limit(s, s->omega);
    s->power = electric_power(s, s->motor_torque, s->omega);
    s->speed = s->omega * (30.0 / ship_pi);
    FLOW(FLOW_OUT)
    double thrust = (1.0 - s->deduction) * f.thrust;
    s->force_x = thrust * c - f.pod_force * sine;
    s->force_y = thrust * sine + f.pod_force * c;
    s->shaft_power = f.torque * s->omega;
    s->useful_power = f.thrust * f.inflow;
    s->open_efficiency = s->shaft_power > 0.0 ? s->useful_power / s->shaft_power : 0.0;
}

static int azimuth_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    if (!(s->diameter > 0.0 && s->shaft_inertia > 0.0 && s->efficiency > 0.0 &&
          s->reset_time > 0.0 && s->turn_time > 0.0 && s->solver_step > 0.0 &&
          ship_ascends(s->advance_of, AZIMUTH_POINTS)))
        return HK_STEP_FAILED;
    s->omega = s->integral = s->angle = s->pod_speed = s->energy = s->turns = 0.0;
    return HK_STEP_OK;
}

static int azimuth_step(void *self, double t, double h) {
    move_states(self, t, h);
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "ship_type.inc"
