/* SPDX-License-Identifier: MIT
 *
 * The flight control computers. Command (COM) and monitor (MON) are the same machine, the three
 * laws with integrals of their own; COM shows its commands, MON compares its own with COM's and
 * says whether the relays may be closed. There is no latch and no confirmation time. */
#include "laws.h"

#include <math.h>

typedef struct fcc {
    double h_f, vz_f, va_f, q_f, az_f, h_c, vz_c, va_c;
    int32_t mode;
    double delta_e_trim, delta_th_trim;
    altitude_law altitude;
    double integral_e, integral_th;
    /* COM: outputs. MON: inputs, COM's commands. */
    double delta_e_c, delta_th_c, delta_e_c_initial, delta_th_c_initial;
    /* MON only. */
    double delta_e_own, delta_th_own, mismatch_e, mismatch_th, eps_e, eps_th;
    bool relay_e, relay_th, master, relay_e_initial, relay_th_initial, master_initial;
    bool other_master, cross_linked, other_master_static;
} fcc;

#define FCC_PORTS                                                                                  \
    HK_PORT(fcc, h_f, HK_INPUT, HK_TYPE_F64, .unit = "m", .start = TEXT(H_EQ)),                    \
        HK_PORT(fcc, vz_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s"),                                  \
        HK_PORT(fcc, va_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = TEXT(VA_EQ)),            \
        HK_PORT(fcc, q_f, HK_INPUT, HK_TYPE_F64, .unit = "rad/s"),                                 \
        HK_PORT(fcc, az_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s2"),                                 \
        HK_PORT(fcc, h_c, HK_INPUT, HK_TYPE_F64, .unit = "m", .start = TEXT(H_EQ)),                \
        HK_PORT(fcc, vz_c, HK_INPUT, HK_TYPE_F64, .unit = "m/s"),                                  \
        HK_PORT(fcc, va_c, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = TEXT(VA_EQ)),            \
        HK_PORT(fcc, mode, HK_INPUT, HK_TYPE_I32, .start = "2",                                    \
                .description = "0: undefined, an error; 1: altitude hold; 2: commanded"),          \
        HK_PORT(fcc, delta_e_trim, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",                       \
                .start = TEXT(DELTA_E_EQ), .description = "start of the integral"),                \
        HK_PORT(fcc, delta_th_trim, HK_PARAMETER, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),         \
                .description = "start of the integral")

static int fcc_init(void *self, double t) {
    fcc *x = self;
    (void)t;
    x->altitude = (altitude_law){.reinit = true};
    x->integral_e = x->delta_e_trim;
    x->integral_th = x->delta_th_trim;
    return HK_STEP_OK;
}

/* The laws in one go; false in an undefined mode. */
static bool compute(fcc *x, double h, double *ret_delta_e, double *ret_delta_th) {
    double vz_c = x->vz_c;
    if (x->mode == ROSACE_MODE_ALTITUDE_HOLD)
        vz_c = altitude_law_step(&x->altitude, x->h_f, x->h_c, x->vz_c, h);
    else if (x->mode != ROSACE_MODE_COMMANDED)
        return false;
    *ret_delta_th = va_law_step(&x->integral_th, x->va_f, x->vz_f, x->q_f, x->va_c, h);
    *ret_delta_e = vz_law_step(&x->integral_e, x->vz_f, x->q_f, x->az_f, vz_c, h);
    return true;
}

/* ---- command ---- */

static const hk_port com_ports[] = {
    FCC_PORTS,
    HK_PORT(fcc, delta_e_c, HK_OUTPUT, HK_TYPE_F64, .unit = "rad",
            .depends_on = "vz_f q_f az_f mode", .description = "commanded deflection"),
    HK_PORT(fcc, delta_th_c, HK_OUTPUT, HK_TYPE_F64, .depends_on = "va_f vz_f q_f mode",
            .description = "commanded throttle"),
    HK_PORT(fcc, delta_e_c_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(DELTA_E_EQ), .description = "command before the first activation"),
    HK_PORT(fcc, delta_th_c_initial, HK_PARAMETER, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),
            .description = "command before the first activation"),
};

static int com_output(void *self, double t) {
    fcc *x = self;
    (void)t;
    x->delta_e_c = x->delta_e_c_initial;
    x->delta_th_c = x->delta_th_c_initial;
    return HK_STEP_OK;
}

static int com_step(void *self, double t, double h) {
    fcc *x = self;
    (void)t;
    return compute(x, h, &x->delta_e_c, &x->delta_th_c) ? HK_STEP_OK : HK_STEP_FAILED;
}

const hk_unit_type hk_rosace_fcc_com = {ROSACE_TYPE(fcc_com, fcc, com_ports),
                                        .description = "Flight control computer, command",
                                        .init = fcc_init, .output = com_output, .step = com_step};

/* ---- monitor ---- */

#define COMMANDS "delta_e_c delta_th_c "
#define SENSORS  "va_f vz_f q_f az_f mode "
#define MON_INITIAL(field)                                                                         \
    HK_PORT(fcc, field, HK_PARAMETER, HK_TYPE_BOOL, .start = "false",                              \
            .description = "before the first activation")

static const hk_port mon_ports[] = {
    FCC_PORTS,
    HK_PORT(fcc, delta_e_c, HK_INPUT, HK_TYPE_F64, .unit = "rad", .start = TEXT(DELTA_E_EQ),
            .description = "what the command computer says"),
    HK_PORT(fcc, delta_th_c, HK_INPUT, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),
            .description = "what the command computer says"),
    HK_PORT(fcc, other_master, HK_INPUT, HK_TYPE_BOOL, .start = "false",
            .description = "the other couple is master in law"),
    HK_PORT(fcc, relay_e, HK_OUTPUT, HK_TYPE_BOOL,
            .depends_on = "delta_e_c vz_f q_f az_f mode other_master", .description = "closed"),
    HK_PORT(fcc, relay_th, HK_OUTPUT, HK_TYPE_BOOL,
            .depends_on = "delta_th_c va_f vz_f q_f mode other_master", .description = "closed"),
    HK_PORT(fcc, master, HK_OUTPUT, HK_TYPE_BOOL, .depends_on = COMMANDS SENSORS "other_master",
            .description = "this couple is master in law"),
    HK_PORT(fcc, delta_e_own, HK_LOCAL, HK_TYPE_F64, .unit = "rad",
            .description = "the monitor's own command"),
    HK_PORT(fcc, delta_th_own, HK_LOCAL, HK_TYPE_F64, .description = "the monitor's own command"),
    HK_PORT(fcc, mismatch_e, HK_LOCAL, HK_TYPE_F64, .unit = "rad",
            .description = "size of own minus received command"),
    HK_PORT(fcc, mismatch_th, HK_LOCAL, HK_TYPE_F64,
            .description = "size of own minus received command"),
    HK_PORT(fcc, eps_e, HK_PARAMETER, HK_TYPE_F64, .unit = "rad", .start = "0.001",
            .description = "the relay opens from this mismatch on"),
    HK_PORT(fcc, eps_th, HK_PARAMETER, HK_TYPE_F64, .start = "0.001",
            .description = "the relay opens from this mismatch on"),
    MON_INITIAL(relay_e_initial),
    MON_INITIAL(relay_th_initial),
    MON_INITIAL(master_initial),
    HK_PORT(fcc, cross_linked, HK_PARAMETER, HK_TYPE_BOOL, .start = "true",
            .description = "the input other_master is looked at"),
    HK_PORT(fcc, other_master_static, HK_PARAMETER, HK_TYPE_BOOL, .start = "false",
            .description = "taken for other_master if not cross_linked"),
};

static int mon_output(void *self, double t) {
    fcc *x = self;
    (void)t;
    x->relay_e = x->relay_e_initial;
    x->relay_th = x->relay_th_initial;
    x->master = x->master_initial;
    return HK_STEP_OK;
}

static int mon_step(void *self, double t, double h) {
    fcc *x = self;
    (void)t;
    if (!compute(x, h, &x->delta_e_own, &x->delta_th_own))
        return HK_STEP_FAILED;
    x->mismatch_e = fabs(x->delta_e_own - x->delta_e_c);
    x->mismatch_th = fabs(x->delta_th_own - x->delta_th_c);
    bool ok_e = x->mismatch_e < x->eps_e, ok_th = x->mismatch_th < x->eps_th;
    bool other_master = x->cross_linked ? x->other_master : x->other_master_static;
    x->relay_e = ok_e && !other_master;
    x->relay_th = ok_th && !other_master;
    x->master = ok_e && ok_th && !other_master;
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_fcc_mon = {ROSACE_TYPE(fcc_mon, fcc, mon_ports),
                                        .description = "Flight control computer, monitor",
                                        .init = fcc_init, .output = mon_output, .step = mon_step};
