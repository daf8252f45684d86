/* SPDX-License-Identifier: MIT
 *
 * The ground: a road with a step, whose velocity is a filtered derivative of its height. */
#include "qt_core.h"

#define QT_DEF "ground.def"
#include "qt_tables.inc"

#define UNIT_STATES(STATE) STATE(X, x) STATE(Z, z) STATE(WORK, port_energy)
enum { UNIT_STATES(RK_INDEX) STATES };

/* Times are sums of steps and a little off; the step is not to come one integrator step late. */
static const double time_tolerance = 1e-9;

static double road(const qt_self *g, double t) {
    return t >= g->time - time_tolerance ? g->u_0 + g->height : g->u_0;
}

static void rates(const void *self, double t, const double *x, double *ret_rates) {
    const qt_self *g = self;
    double y = g->omega * (road(g, t) - g->u_0) + x[X];
    ret_rates[X] = -g->omega * y;
    ret_rates[Z] = y;
    ret_rates[WORK] = g->p_e * y;
}

#define RK_SELF qt_self
#include "../common/states.inc"

/* All that follows from time, states and inputs. */
static void publish(qt_self *g, double t) {
    g->u = road(g, t);
    g->p_f = g->omega * (g->u - g->u_0) + g->x;
    g->der_x = -g->omega * g->p_f;
    g->der_z = g->p_f;
    g->lag = g->u - g->u_0 - g->z;
    g->port_power = g->p_e * g->p_f;
    g->der_port_energy = g->port_power;
}

static int ground_init(void *self, double t) {
    qt_self *g = self;
    (void)t;
    if (!(g->frequency > 0.0 && g->solver_step > 0.0))
        return HK_STEP_FAILED;
    g->omega = qt_two_pi * g->frequency;
    g->tau = 1.0 / g->omega;
    g->x = 0.0;
    g->z = 0.0;
    g->port_energy = 0.0;
    return HK_STEP_OK;
}

static int ground_step(void *self, double t, double h) {
    move_states(self, t, h);
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "qt_type.inc"
