/* SPDX-License-Identifier: MIT
 *
 * The wheel: a mass on a tyre that stands on the ground, and carries the chassis. */
#include "qt_core.h"

#include <math.h>

#define QT_DEF "wheel.def"
#include "qt_tables.inc"

#define UNIT_STATES(STATE)                                                                         \
    STATE(Z_D, z_D)                                                                                \
    STATE(P, p)                                                                                    \
    STATE(Z, z) STATE(HEAT, damper_energy) STATE(WORK, port_energy) STATE(WORK1, port1_energy)
enum { UNIT_STATES(RK_INDEX) STATES };

static void rates(const void *self, double t, const double *x, double *ret_rates) {
    const qt_self *w = self;
    (void)t;
    double v = x[P] / w->mass;
    double der_z_D = w->p_f - v;
    double force = w->stiffness * x[Z_D] + w->damping * der_z_D;
    ret_rates[Z_D] = der_z_D;
    ret_rates[P] = force - w->weight - w->p1_e;
    ret_rates[Z] = v;
    ret_rates[HEAT] = w->damping * der_z_D * der_z_D;
    ret_rates[WORK] = force * w->p_f;
    ret_rates[WORK1] = w->p1_e * v;
}

#define RK_SELF qt_self
#include "../common/states.inc"

/* All that follows from states and inputs. */
static void publish(qt_self *w, double t) {
    (void)t;
    w->p1_f = w->p / w->mass;
    w->der_z_D = w->p_f - w->p1_f;
    w->tyre_e = w->stiffness * w->z_D;
    w->damper_e = w->damping * w->der_z_D;
    w->p_e = w->tyre_e + w->damper_e;
    w->der_p = w->p_e - w->weight - w->p1_e;
    w->der_z = w->p1_f;
    w->mass_e = w->der_p;
    w->mass_f = w->p1_f;
    w->mass_power = w->mass_e * w->mass_f;
    w->mass_energy = 0.5 * w->p * w->p1_f;
    w->tyre_f = w->der_z_D;
    w->tyre_power = w->tyre_e * w->tyre_f;
    w->tyre_energy = 0.5 * w->tyre_e * w->z_D;
    w->damper_power = w->damper_e * w->der_z_D;
    w->der_damper_energy = w->damper_power;
    w->gravity_e = -w->weight;
    w->gravity_f = w->p1_f;
    w->gravity_power = w->gravity_e * w->gravity_f;
    w->gravity_energy = w->weight * w->z;
    w->port_power = w->p_e * w->p_f;
    w->der_port_energy = w->port_power;
    w->port1_power = w->p1_e * w->p1_f;
    w->der_port1_energy = w->port1_power;
    w->energy = w->mass_energy + w->tyre_energy + w->gravity_energy;
    w->energy_error =
        w->energy - w->energy_initial - (w->port_energy - w->port1_energy - w->damper_energy);
    w->deflection = w->z_D - w->z_static;
    w->contact = w->p_e / (w->weight + w->load_weight);
    w->acceleration = w->der_p / w->mass;
    w->acceleration_g = w->acceleration / w->gravity;
    w->travel = w->z - w->z_initial;
}

static int wheel_init(void *self, double t) {
    qt_self *w = self;
    (void)t;
    if (!(w->mass > 0.0 && w->stiffness > 0.0 && w->gravity > 0.0 && w->solver_step > 0.0))
        return HK_STEP_FAILED;
    w->weight = w->mass * w->gravity;
    w->load_weight = w->load_mass * w->gravity;
    w->z_static = (w->load_mass + w->mass) * w->gravity / w->stiffness;
    w->compliance = 1.0 / w->stiffness;
    w->omega = sqrt(w->stiffness / w->mass);
    w->frequency = w->omega / qt_two_pi;
    w->z_D = w->z_static;
    w->p = w->p_initial;
    w->z = w->z_initial;
    w->damper_energy = 0.0;
    w->port_energy = 0.0;
    w->port1_energy = 0.0;
    w->energy_initial =
        0.5 * w->p * w->p / w->mass + 0.5 * w->stiffness * w->z_D * w->z_D + w->weight * w->z;
    return HK_STEP_OK;
}

static int wheel_step(void *self, double t, double h) {
    move_states(self, t, h);
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "qt_type.inc"
