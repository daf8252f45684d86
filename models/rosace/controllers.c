/* SPDX-License-Identifier: MIT
 *
 * The controllers of plain ROSACE, one component each. */
#include "laws.h"

/* ---- altitude hold ---- */

typedef struct altitude_hold {
    double h_f, h_c, vz_c, vz_hold;
    double integral_initial, vz_hold_initial;
    bool fixed_integral;
    altitude_law law;
} altitude_hold;

static const hk_port altitude_hold_ports[] = {
    HK_PORT(altitude_hold, h_f, HK_INPUT, HK_TYPE_F64, .unit = "m", .start = TEXT(H_EQ)),
    HK_PORT(altitude_hold, h_c, HK_INPUT, HK_TYPE_F64, .unit = "m", .start = TEXT(H_EQ)),
    HK_PORT(altitude_hold, vz_c, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = "-2.5",
            .description = "speed of a climb, so below 0; a descent has the opposite"),
    HK_PORT(altitude_hold, vz_hold, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s",
            .depends_on = "h_f h_c vz_c", .description = "vertical speed to be followed"),
    HK_PORT(altitude_hold, fixed_integral, HK_PARAMETER, HK_TYPE_BOOL, .start = "false",
            .description = "the original: no new start of the integral when the level is near"),
    HK_PORT(altitude_hold, integral_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "m.s",
            .start = "532.2730285",
            .description = "integral of the error at the start, if fixed_integral"),
    HK_PORT(altitude_hold, vz_hold_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "m/s", .start = "0"),
};

static int altitude_hold_init(void *self, double t) {
    altitude_hold *x = self;
    (void)t;
    x->law = (altitude_law){.reinit = !x->fixed_integral, .fixed = x->fixed_integral};
    if (x->fixed_integral)
        x->law.integral = altitude_ki * x->integral_initial;
    return HK_STEP_OK;
}

static int altitude_hold_output(void *self, double t) {
    altitude_hold *x = self;
    (void)t;
    x->vz_hold = x->vz_hold_initial;
    return HK_STEP_OK;
}

static int altitude_hold_step(void *self, double t, double h) {
    altitude_hold *x = self;
    (void)t;
    x->vz_hold = altitude_law_step(&x->law, x->h_f, x->h_c, x->vz_c, h);
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_altitude_hold = {
    ROSACE_TYPE(altitude_hold, altitude_hold, altitude_hold_ports),
    .description = "Altitude hold: from a level to a vertical speed", .init = altitude_hold_init,
    .output = altitude_hold_output, .step = altitude_hold_step};

/* ---- airspeed ---- */

typedef struct va_control {
    double va_f, vz_f, q_f, va_c, delta_th_c;
    double delta_th_trim, delta_th_c_initial;
    double integral;
} va_control;

static const hk_port va_control_ports[] = {
    HK_PORT(va_control, va_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = TEXT(VA_EQ)),
    HK_PORT(va_control, vz_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s"),
    HK_PORT(va_control, q_f, HK_INPUT, HK_TYPE_F64, .unit = "rad/s"),
    HK_PORT(va_control, va_c, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = TEXT(VA_EQ),
            .description = "absolute, not an increment"),
    HK_PORT(va_control, delta_th_c, HK_OUTPUT, HK_TYPE_F64, .depends_on = "va_f vz_f q_f",
            .description = "commanded throttle"),
    HK_PORT(va_control, delta_th_trim, HK_PARAMETER, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),
            .description = "start of the integral"),
    HK_PORT(va_control, delta_th_c_initial, HK_PARAMETER, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),
            .description = "command before the first activation"),
};

static int va_control_init(void *self, double t) {
    va_control *x = self;
    (void)t;
    x->integral = x->delta_th_trim;
    return HK_STEP_OK;
}

static int va_control_output(void *self, double t) {
    va_control *x = self;
    (void)t;
    x->delta_th_c = x->delta_th_c_initial;
    return HK_STEP_OK;
}

static int va_control_step(void *self, double t, double h) {
    va_control *x = self;
    (void)t;
    x->delta_th_c = va_law_step(&x->integral, x->va_f, x->vz_f, x->q_f, x->va_c, h);
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_va_control = {
    ROSACE_TYPE(va_control, va_control, va_control_ports), .description = "Airspeed controller",
    .init = va_control_init, .output = va_control_output, .step = va_control_step};

/* ---- vertical speed ---- */

typedef struct vz_control {
    double vz_f, q_f, az_f, vz_c, delta_e_c;
    double delta_e_trim, delta_e_c_initial;
    double integral;
} vz_control;

static const hk_port vz_control_ports[] = {
    HK_PORT(vz_control, vz_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s"),
    HK_PORT(vz_control, q_f, HK_INPUT, HK_TYPE_F64, .unit = "rad/s"),
    HK_PORT(vz_control, az_f, HK_INPUT, HK_TYPE_F64, .unit = "m/s2"),
    HK_PORT(vz_control, vz_c, HK_INPUT, HK_TYPE_F64, .unit = "m/s",
            .description = "acts through the integral only"),
    HK_PORT(vz_control, delta_e_c, HK_OUTPUT, HK_TYPE_F64, .unit = "rad",
            .depends_on = "vz_f q_f az_f", .description = "commanded deflection"),
    HK_PORT(vz_control, delta_e_trim, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(DELTA_E_EQ), .description = "start of the integral"),
    HK_PORT(vz_control, delta_e_c_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(DELTA_E_EQ), .description = "command before the first activation"),
};

static int vz_control_init(void *self, double t) {
    vz_control *x = self;
    (void)t;
    x->integral = x->delta_e_trim;
    return HK_STEP_OK;
}

static int vz_control_output(void *self, double t) {
    vz_control *x = self;
    (void)t;
    x->delta_e_c = x->delta_e_c_initial;
    return HK_STEP_OK;
}

static int vz_control_step(void *self, double t, double h) {
    vz_control *x = self;
    (void)t;
    x->delta_e_c = vz_law_step(&x->integral, x->vz_f, x->q_f, x->az_f, x->vz_c, h);
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_vz_control = {ROSACE_TYPE(vz_control, vz_control, vz_control_ports),
                                           .description = "Vertical speed controller",
                                           .init = vz_control_init, .output = vz_control_output,
                                           .step = vz_control_step};
