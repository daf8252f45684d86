/* SPDX-License-Identifier: MIT
 *
 * The chassis: a mass on a spring and a damper, whose lower end moves with the wheel. */
#include "qt_core.h"

#include <math.h>

#define QT_DEF "chassis.def"
#include "qt_tables.inc"

#define UNIT_STATES(STATE)                                                                         \
    STATE(Z_D, z_D) STATE(P, p) STATE(Z, z) STATE(HEAT, damper_energy) STATE(WORK, port_energy)
enum { UNIT_STATES(RK_INDEX) STATES };

static void rates(const void *self, double t, const double *x, double *ret_rates) {
    const qt_self *c = self;
    (void)t;
    double v = x[P] / c->mass;
    double der_z_D = c->p_f - v;
    double force = c->stiffness * x[Z_D] + c->damping * der_z_D;
    ret_rates[Z_D] = der_z_D;
    ret_rates[P] = force - c->weight;
    ret_rates[Z] = v;
    ret_rates[HEAT] = c->damping * der_z_D * der_z_D;
    ret_rates[WORK] = force * c->p_f;
}

#define RK_SELF qt_self
#include "../common/states.inc"

/* All that follows from states and inputs. */
static void publish(qt_self *c, double t) {
    (void)t;
    c->v = c->p / c->mass;
    c->der_z_D = c->p_f - c->v;
    c->spring_e = c->stiffness * c->z_D;
    c->damper_e = c->damping * c->der_z_D;
    c->p_e = c->spring_e + c->damper_e;
    c->der_p = c->p_e - c->weight;
    c->der_z = c->v;
    c->mass_e = c->der_p;
    c->mass_f = c->v;
    c->mass_power = c->mass_e * c->mass_f;
    c->mass_energy = 0.5 * c->p * c->v;
    c->spring_f = c->der_z_D;
    c->spring_power = c->spring_e * c->spring_f;
    c->spring_energy = 0.5 * c->spring_e * c->z_D;
    c->damper_f = c->der_z_D;
    c->damper_power = c->damper_e * c->damper_f;
    c->der_damper_energy = c->damper_power;
    c->gravity_e = -c->weight;
    c->gravity_f = c->v;
    c->gravity_power = c->gravity_e * c->gravity_f;
    c->gravity_energy = c->weight * c->z;
    c->port_power = c->p_e * c->p_f;
    c->der_port_energy = c->port_power;
    c->energy = c->mass_energy + c->spring_energy + c->gravity_energy;
    c->energy_error = c->energy - c->energy_initial - (c->port_energy - c->damper_energy);
    c->deflection = c->z_D - c->z_static;
    c->acceleration = c->der_p / c->mass;
    c->acceleration_g = c->acceleration / c->gravity;
    c->travel = c->z - c->z_initial;
}

static int chassis_init(void *self, double t) {
    qt_self *c = self;
    (void)t;
    if (!(c->mass > 0.0 && c->stiffness > 0.0 && c->gravity > 0.0 && c->solver_step > 0.0))
        return HK_STEP_FAILED;
    c->weight = c->mass * c->gravity;
    c->z_static = c->weight / c->stiffness;
    c->omega = sqrt(c->stiffness / c->mass);
    c->frequency = c->omega / qt_two_pi;
    c->damping_ratio = c->damping / (2.0 * sqrt(c->stiffness * c->mass));
    c->damping_time = c->damping / c->stiffness;
    c->z_D = c->z_static;
    c->p = c->p_initial;
    c->z = c->z_initial;
    c->damper_energy = 0.0;
    c->port_energy = 0.0;
    c->energy_initial =
        0.5 * c->p * c->p / c->mass + 0.5 * c->stiffness * c->z_D * c->z_D + c->weight * c->z;
    return HK_STEP_OK;
}

static int chassis_step(void *self, double t, double h) {
    move_states(self, t, h);
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "qt_type.inc"
