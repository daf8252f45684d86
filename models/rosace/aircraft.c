/* SPDX-License-Identifier: MIT
 *
 * The aircraft: flight dynamics, elevator and engine. All integrate with one explicit Euler step
 * per activation, all derivatives taken from the old state. */
#include "rosace_core.h"

#include <hk/math.h>

#include <math.h>

/* ---- flight dynamics: longitudinal motion in body axes ---- */

static const double rho_0 = 1.225, g_0 = 9.80665;                  /* kg/m3, m/s2, at sea level */
static const double t_0 = 288.15, t_slope = -0.0065, r_s = 287.05; /* K, K/m, J/kg/K */
static const double mass = 57837.5, i_y = 3781272.0;               /* kg, kg m2 */
static const double area = 122.6, chord = 4.29;                    /* m2, m */
static const double cd_0 = 0.016, cd_alpha = 2.5, cd_de = 0.05;
static const double cl_alpha = 5.5, cl_de = 0.193, alpha_0 = -0.05;
static const double cm_0 = 0.04, cm_alpha = -0.83, cm_de = -1.5, cm_q = -30.0;

typedef struct flight_dynamics {
    double delta_e, thrust;                      /* inputs */
    double h, vz, va, q, az;                     /* outputs */
    double h_initial, va_initial, theta_initial; /* parameters */
    double u, w, pitch_rate, theta, altitude;    /* state */
} flight_dynamics;

static const hk_port flight_dynamics_ports[] = {
    HK_PORT(flight_dynamics, delta_e, HK_INPUT, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(DELTA_E_EQ), .description = "elevator deflection"),
    HK_PORT(flight_dynamics, thrust, HK_INPUT, HK_TYPE_F64, .unit = "N", .start = TEXT(T_EQ)),
    HK_PORT(flight_dynamics, h, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = "",
            .description = "altitude"),
    HK_PORT(flight_dynamics, vz, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s", .depends_on = "",
            .description = "vertical speed, positive downward"),
    HK_PORT(flight_dynamics, va, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s", .depends_on = "",
            .description = "true airspeed"),
    HK_PORT(flight_dynamics, q, HK_OUTPUT, HK_TYPE_F64, .unit = "rad/s", .depends_on = "",
            .description = "pitch rate"),
    HK_PORT(flight_dynamics, az, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s2", .depends_on = "delta_e",
            .description = "vertical acceleration, 0 in trimmed flight"),
    HK_PORT(flight_dynamics, h_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "m",
            .start = TEXT(H_EQ)),
    HK_PORT(flight_dynamics, va_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "m/s",
            .start = TEXT(VA_EQ)),
    HK_PORT(flight_dynamics, theta_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(THETA_EQ), .description = "pitch angle, and angle of attack"),
    HK_PORT(flight_dynamics, theta, HK_LOCAL, HK_TYPE_F64, .unit = "rad",
            .description = "pitch angle after the step"),
};

static int flight_dynamics_init(void *self, double t) {
    flight_dynamics *x = self;
    (void)t;
    x->u = x->va_initial * hk_cos(x->theta_initial);
    x->w = x->va_initial * hk_sin(x->theta_initial);
    x->pitch_rate = 0.0;
    x->theta = x->theta_initial;
    x->altitude = x->h_initial;
    return HK_STEP_OK;
}

static int flight_dynamics_output(void *self, double t) {
    flight_dynamics *x = self;
    (void)t;
    x->h = x->h_initial;
    x->va = x->va_initial;
    x->vz = x->q = x->az = 0.0;
    return HK_STEP_OK;
}

static int flight_dynamics_step(void *self, double t, double h) {
    flight_dynamics *x = self;
    (void)t;
    double u = x->u, w = x->w, q = x->pitch_rate;
    double sin_theta = hk_sin(x->theta), cos_theta = hk_cos(x->theta);
    double rho = rho_0 * hk_pow(1.0 + t_slope / t_0 * x->altitude, -g_0 / (r_s * t_slope) - 1.0);
    double alpha = hk_atan(w / u), v = sqrt(u * u + w * w), pressure = 0.5 * rho * v * v;
    double sin_alpha = hk_sin(alpha), cos_alpha = hk_cos(alpha), lift_alpha = alpha - alpha_0;
    double cl = cl_de * x->delta_e + cl_alpha * lift_alpha;
    double cd = cd_0 + cd_de * x->delta_e + cd_alpha * lift_alpha * lift_alpha;
    double cm = cm_0 + cm_de * x->delta_e + cm_alpha * alpha + 0.5 * cm_q * q * chord / v;
    double x_force = -pressure * area * (cd * cos_alpha - cl * sin_alpha);
    double z_force = -pressure * area * (cd * sin_alpha + cl * cos_alpha);
    double moment = pressure * chord * area * cm;

    x->h = x->altitude;
    x->va = v;
    x->vz = w * cos_theta - u * sin_theta;
    x->q = q;
    x->az = g_0 * cos_theta + z_force / mass;

    x->u += h * (-g_0 * sin_theta - q * w + (x_force + x->thrust) / mass);
    x->w += h * (g_0 * cos_theta + q * u + z_force / mass);
    x->pitch_rate += h * (moment / i_y);
    x->theta += h * q;
    x->altitude += h * (u * sin_theta - w * cos_theta);
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_flight_dynamics = {
    ROSACE_TYPE(flight_dynamics, flight_dynamics, flight_dynamics_ports),
    .description = "Longitudinal flight of a medium-range civil aircraft",
    .init = flight_dynamics_init, .output = flight_dynamics_output, .step = flight_dynamics_step};

/* ---- elevator: second order ---- */

typedef struct elevator {
    double delta_e_c, delta_e;
    double omega, xi, delta_e_initial;
    double position, rate;
} elevator;

static const hk_port elevator_ports[] = {
    HK_PORT(elevator, delta_e_c, HK_INPUT, HK_TYPE_F64, .unit = "rad", .start = TEXT(DELTA_E_EQ),
            .description = "commanded deflection"),
    HK_PORT(elevator, delta_e, HK_OUTPUT, HK_TYPE_F64, .unit = "rad", .depends_on = "",
            .description = "deflection"),
    HK_PORT(elevator, omega, HK_PARAMETER, HK_TYPE_F64, .unit = "rad/s", .start = "25"),
    HK_PORT(elevator, xi, HK_PARAMETER, HK_TYPE_F64, .start = "0.85", .description = "damping"),
    HK_PORT(elevator, delta_e_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(DELTA_E_EQ)),
};

static int elevator_init(void *self, double t) {
    elevator *x = self;
    (void)t;
    x->position = x->delta_e_initial;
    x->rate = 0.0;
    return HK_STEP_OK;
}

static int elevator_output(void *self, double t) {
    elevator *x = self;
    (void)t;
    x->delta_e = x->position;
    return HK_STEP_OK;
}

static int elevator_step(void *self, double t, double h) {
    elevator *x = self;
    (void)t;
    double omega_2 = x->omega * x->omega;
    double slope =
        -omega_2 * x->position - 2.0 * x->xi * x->omega * x->rate + omega_2 * x->delta_e_c;
    x->delta_e = x->position;
    x->position += h * x->rate;
    x->rate += h * slope;
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_elevator = {
    ROSACE_TYPE(elevator, elevator, elevator_ports), .description = "Elevator with its actuator",
    .init = elevator_init, .output = elevator_output, .step = elevator_step};

/* ---- engine: first order ---- */

typedef struct engine {
    double delta_th_c, thrust;
    double rate, gain, delta_th_initial;
    double throttle;
} engine;

static const hk_port engine_ports[] = {
    HK_PORT(engine, delta_th_c, HK_INPUT, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),
            .description = "commanded throttle"),
    HK_PORT(engine, thrust, HK_OUTPUT, HK_TYPE_F64, .unit = "N", .depends_on = ""),
    HK_PORT(engine, rate, HK_PARAMETER, HK_TYPE_F64, .unit = "s-1", .start = "0.75",
            .description = "how fast the throttle follows; the time constant is 1/rate"),
    HK_PORT(engine, gain, HK_PARAMETER, HK_TYPE_F64, .unit = "N", .start = "26350",
            .description = "thrust at throttle 1"),
    HK_PORT(engine, delta_th_initial, HK_PARAMETER, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ)),
};

static int engine_init(void *self, double t) {
    engine *x = self;
    (void)t;
    x->throttle = x->delta_th_initial;
    return HK_STEP_OK;
}

static int engine_output(void *self, double t) {
    engine *x = self;
    (void)t;
    x->thrust = x->gain * x->throttle;
    return HK_STEP_OK;
}

static int engine_step(void *self, double t, double h) {
    engine *x = self;
    (void)t;
    x->thrust = x->gain * x->throttle;
    x->throttle += h * (x->rate * (x->delta_th_c - x->throttle));
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_engine = {
    ROSACE_TYPE(engine, engine, engine_ports), .description = "Engines with their throttle",
    .init = engine_init, .output = engine_output, .step = engine_step};
