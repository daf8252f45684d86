/* SPDX-License-Identifier: MIT
 *
 * How the models integrate their differential equations: Runge-Kutta in steps of their own. */
#ifndef MODELS_INTEGRATE_H
#define MODELS_INTEGRATE_H

#include <stddef.h>

enum { RK_STATES_MAX = 8 };

/* Writes the rates of change of the states X at time T. */
typedef void rk_rates_fn(const void *self, double t, const double *x, double *ret_rates);

#ifdef RK_MIDPOINT
/* One step of the midpoint method: half the work. For a benchmark that wants light components. */
static inline void rk_advance(rk_rates_fn *rates, const void *self, double t, double h, double *x,
                              size_t n) {
    double k[RK_STATES_MAX], at[RK_STATES_MAX];
    rates(self, t, x, k);
    for (size_t i = 0; i < n; i++)
        at[i] = x[i] + 0.5 * h * k[i];
    rates(self, t + 0.5 * h, at, k);
    for (size_t i = 0; i < n; i++)
        x[i] += h * k[i];
}
#else
/* One step of the classical Runge-Kutta method of order four. */
static inline void rk_advance(rk_rates_fn *rates, const void *self, double t, double h, double *x,
                              size_t n) {
    double k1[RK_STATES_MAX], k2[RK_STATES_MAX], k3[RK_STATES_MAX], k4[RK_STATES_MAX];
    double at[RK_STATES_MAX];
    rates(self, t, x, k1);
    for (size_t i = 0; i < n; i++)
        at[i] = x[i] + 0.5 * h * k1[i];
    rates(self, t + 0.5 * h, at, k2);
    for (size_t i = 0; i < n; i++)
        at[i] = x[i] + 0.5 * h * k2[i];
    rates(self, t + 0.5 * h, at, k3);
    for (size_t i = 0; i < n; i++)
        at[i] = x[i] + h * k3[i];
    rates(self, t + h, at, k4);
    for (size_t i = 0; i < n; i++)
        x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
}
#endif

/* What is integrated, and how finely. */
typedef struct rk_problem {
    rk_rates_fn *rates;
    const void *self;
    size_t states;
    double step;
} rk_problem;

/* From t to t + h in equal steps of about the problem's. */
static inline void rk_integrate(const rk_problem *p, double t, double h, double *x) {
    double wanted = h / p->step + 0.5;
    long steps = wanted >= 2.0 ? (long)wanted : 1;
    double part = h / (double)steps;
    for (long i = 0; i < steps; i++)
        rk_advance(p->rates, p->self, t + (double)i * part, part, x, p->states);
}

/* The index of a state in x, where a unit lists its states (states.inc). */
#define RK_INDEX(index, field) index,

#endif
