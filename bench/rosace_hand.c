/* SPDX-License-Identifier: MIT */
#include "rosace_hand.h"

/* NOLINTNEXTLINE(bugprone-suspicious-include): the same text is compiled as a plugin */
#include "rosace_steps.c"

#include <string.h>

/* What somebody would write: a struct, a call for each component, an assignment for each wire, and
 * counters for the rates. Parameters are in the structs. */
struct flight {
    elevator elevator;
    engine engine;
    flight_mode flight_mode;
    fcu fcu;
    flight_dynamics flight_dynamics;
    filter h_filter, vz_filter, va_filter, q_filter, az_filter;
    fcc fcc1a, fcc1b, fcc2a, fcc2b;
    cables cables;
    int64_t tick; /* of 5 ms */
};

static int filter_flight(flight *x, double t) {
    x->vz_filter.raw = x->flight_dynamics.vz;
    x->va_filter.raw = x->flight_dynamics.va;
    x->q_filter.raw = x->flight_dynamics.q;
    x->az_filter.raw = x->flight_dynamics.az;
    int bad = filter_step(&x->vz_filter, t, 0.01);
    bad |= filter_step(&x->va_filter, t, 0.01);
    bad |= filter_step(&x->q_filter, t, 0.01);
    return bad | filter_step(&x->az_filter, t, 0.01);
}

static void inform(const flight *x, fcc *to) {
    to->h_f = x->h_filter.filtered;
    to->vz_f = x->vz_filter.filtered;
    to->va_f = x->va_filter.filtered;
    to->q_f = x->q_filter.filtered;
    to->az_f = x->az_filter.filtered;
    to->h_c = x->fcu.h_c;
    to->vz_c = x->fcu.vz_c;
    to->va_c = x->fcu.va_c;
    to->mode = x->flight_mode.mode;
}

static int control_flight(flight *x, double t) {
    inform(x, &x->fcc1a);
    int bad = com_step(&x->fcc1a, t, 0.02);
    inform(x, &x->fcc2a);
    bad |= com_step(&x->fcc2a, t, 0.02);
    inform(x, &x->fcc1b);
    x->fcc1b.delta_e_c = x->fcc1a.delta_e_c;
    x->fcc1b.delta_th_c = x->fcc1a.delta_th_c;
    x->fcc1b.other_master = x->fcc2b.master;
    bad |= mon_step(&x->fcc1b, t, 0.02);
    inform(x, &x->fcc2b);
    x->fcc2b.delta_e_c = x->fcc2a.delta_e_c;
    x->fcc2b.delta_th_c = x->fcc2a.delta_th_c;
    x->fcc2b.other_master = x->fcc1b.master;
    return bad | mon_step(&x->fcc2b, t, 0.02);
}

static int step_cables(flight *x, double t) {
    x->cables.delta_e_c_1 = x->fcc1a.delta_e_c;
    x->cables.delta_th_c_1 = x->fcc1a.delta_th_c;
    x->cables.relay_e_1 = x->fcc1b.relay_e;
    x->cables.relay_th_1 = x->fcc1b.relay_th;
    x->cables.delta_e_c_2 = x->fcc2a.delta_e_c;
    x->cables.delta_th_c_2 = x->fcc2a.delta_th_c;
    x->cables.relay_e_2 = x->fcc2b.relay_e;
    x->cables.relay_th_2 = x->fcc2b.relay_th;
    return cables_step(&x->cables, t, 0.005);
}

static int step_flight(flight *x) {
    double t = (double)x->tick / 200;
    x->elevator.delta_e_c = x->cables.delta_e_c;
    x->engine.delta_th_c = x->cables.delta_th_c;
    int bad = elevator_step(&x->elevator, t, 0.005);
    bad |= engine_step(&x->engine, t, 0.005);
    if (x->tick % 4 == 0) {
        bad |= flight_mode_step(&x->flight_mode, t, 0.02);
        bad |= fcu_step(&x->fcu, t, 0.02);
    }
    x->flight_dynamics.delta_e = x->elevator.delta_e;
    x->flight_dynamics.thrust = x->engine.thrust;
    bad |= flight_dynamics_step(&x->flight_dynamics, t, 0.005);
    if (x->tick % 2 == 0)
        bad |= filter_flight(x, t);
    if (x->tick % 4 == 0) {
        x->h_filter.raw = x->flight_dynamics.h;
        bad |= filter_step(&x->h_filter, t, 0.02);
        bad |= control_flight(x, t);
    }
    x->tick++;
    return bad | step_cables(x, t);
}

size_t flight_size(void) {
    return sizeof(flight);
}

void *flight_part(flight *x, const char *name, size_t *ret_size) {
    const struct {
        const char *name;
        void *at;
        size_t size;
    } parts[] = {{"elevator", &x->elevator, sizeof x->elevator},
                 {"engine", &x->engine, sizeof x->engine},
                 {"flight_mode", &x->flight_mode, sizeof x->flight_mode},
                 {"fcu", &x->fcu, sizeof x->fcu},
                 {"flight_dynamics", &x->flight_dynamics, sizeof x->flight_dynamics},
                 {"h_filter", &x->h_filter, sizeof x->h_filter},
                 {"vz_filter", &x->vz_filter, sizeof x->vz_filter},
                 {"va_filter", &x->va_filter, sizeof x->va_filter},
                 {"q_filter", &x->q_filter, sizeof x->q_filter},
                 {"az_filter", &x->az_filter, sizeof x->az_filter},
                 {"fcc1a", &x->fcc1a, sizeof x->fcc1a},
                 {"fcc1b", &x->fcc1b, sizeof x->fcc1b},
                 {"fcc2a", &x->fcc2a, sizeof x->fcc2a},
                 {"fcc2b", &x->fcc2b, sizeof x->fcc2b},
                 {"cables", &x->cables, sizeof x->cables}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            *ret_size = parts[i].size;
            return parts[i].at;
        }
    return NULL;
}

int flight_steps(flight *x, int count) {
    int bad = 0;
    for (int i = 0; i < count; i++)
        bad |= step_flight(x);
    return bad;
}

double flight_altitude(const flight *x) {
    return x->flight_dynamics.h;
}
