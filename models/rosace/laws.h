/* SPDX-License-Identifier: MIT
 *
 * The three control laws, each a state and a function that computes the output and then updates the
 * state. The plain controllers and the flight control computers use the same ones. */
#ifndef HK_MODELS_ROSACE_LAWS_H
#define HK_MODELS_ROSACE_LAWS_H

#include "rosace_core.h"

static const double altitude_ki = 0.0048288; /* 1/s2 */

typedef struct altitude_law {
    double integral, last_vz;
    bool reinit; /* the integral starts anew, so that the output goes on from last_vz */
    bool fixed;  /* it never starts anew: the original, right for one climb only */
} altitude_law;

/* In all laws H is the period. */
static inline double altitude_law_step(altitude_law *x, double h_f, double h_c, double vz_c,
                                       double h) {
    const double band = 50.0, kp = 0.1014048;
    double error = h_f - h_c;
    if (error < -band || error > band) {
        double vz = error < -band ? vz_c : -vz_c;
        x->reinit = !x->fixed;
        x->last_vz = vz;
        return vz;
    }
    if (x->reinit)
        x->integral = x->last_vz - kp * error;
    x->reinit = false;
    double vz = kp * error + x->integral;
    x->integral += h * altitude_ki * error;
    return vz;
}

/* Throttle from airspeed; *INTEGRAL starts at the trimmed throttle. */
static inline double va_law_step(double *integral, double va_f, double vz_f, double q_f,
                                 double va_c, double h) {
    const double ki = 0.049802610664357, k_va = -0.486813084356079, k_vz = -0.077603095495388;
    const double k_q = 21.692383376322041;
    double delta_th_c = *integral + k_va * (va_f - VA_EQ) + k_vz * vz_f + k_q * q_f;
    *integral += h * ki * (va_c - va_f);
    return delta_th_c;
}

/* Elevator from vertical speed; *INTEGRAL starts at the trimmed deflection. */
static inline double vz_law_step(double *integral, double vz_f, double q_f, double az_f,
                                 double vz_c, double h) {
    const double ki = 0.000627342822264, k_vz = -0.003252836726554, k_q = 0.376071446897134;
    const double k_az = -0.001566907423747;
    double delta_e_c = *integral + k_vz * vz_f + k_q * q_f + k_az * az_f;
    *integral += h * ki * (vz_c - vz_f);
    return delta_e_c;
}

#endif
