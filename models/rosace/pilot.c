/* SPDX-License-Identifier: MIT
 *
 * What the pilot asks for: references that change up to four times, and the flight mode. */
#include "rosace_core.h"

/* ---- flight control unit ---- */

enum { FCU_STEPS = 4 };

typedef struct fcu {
    double h_c, vz_c, va_c;
    double h_0, vz_0, va_0;
    double time_1, h_1, vz_1, va_1;
    double time_2, h_2, vz_2, va_2;
    double time_3, h_3, vz_3, va_3;
    double time_4, h_4, vz_4, va_4;
} fcu;

#define FCU_REFERENCES(n)                                                                          \
    HK_PORT(fcu, h_##n, HK_PARAMETER, HK_TYPE_F64, .unit = "m", .start = TEXT(H_EQ),               \
            .tunable = true),                                                                      \
        HK_PORT(fcu, vz_##n, HK_PARAMETER, HK_TYPE_F64, .unit = "m/s", .start = "0",               \
                .tunable = true),                                                                  \
        HK_PORT(fcu, va_##n, HK_PARAMETER, HK_TYPE_F64, .unit = "m/s", .start = TEXT(VA_EQ),       \
                .tunable = true)
#define FCU_STEP(n)                                                                                \
    HK_PORT(fcu, time_##n, HK_PARAMETER, HK_TYPE_F64, .unit = "s", .start = "1e9",                 \
            .tunable = true,                                                                       \
            .description = "from here on the references of this number hold; 1e9: never"),         \
        FCU_REFERENCES(n)

static const hk_port fcu_ports[] = {
    HK_PORT(fcu, h_c, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = ""),
    HK_PORT(fcu, vz_c, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s", .depends_on = "",
            .description = "positive downward"),
    HK_PORT(fcu, va_c, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s", .depends_on = ""),
    FCU_REFERENCES(0),
    FCU_STEP(1),
    FCU_STEP(2),
    FCU_STEP(3),
    FCU_STEP(4),
};

/* The references that hold at t. A step at the start holds from the first instant on, so also as
 * the initial value that others see before the first activation. */
static int fcu_output(void *self, double t) {
    fcu *x = self;
    const double table[FCU_STEPS][4] = {{x->time_1, x->h_1, x->vz_1, x->va_1},
                                        {x->time_2, x->h_2, x->vz_2, x->va_2},
                                        {x->time_3, x->h_3, x->vz_3, x->va_3},
                                        {x->time_4, x->h_4, x->vz_4, x->va_4}};
    x->h_c = x->h_0;
    x->vz_c = x->vz_0;
    x->va_c = x->va_0;
    for (int i = 0; i < FCU_STEPS; i++) {
        if (t < table[i][0])
            continue;
        x->h_c = table[i][1];
        x->vz_c = table[i][2];
        x->va_c = table[i][3];
    }
    return HK_STEP_OK;
}

static int fcu_step(void *self, double t, double h) {
    (void)h;
    return fcu_output(self, t);
}

const hk_unit_type hk_rosace_fcu = {ROSACE_TYPE(fcu, fcu, fcu_ports),
                                    .description = "Flight control unit: the references",
                                    .output = fcu_output, .step = fcu_step};

/* ---- flight mode ---- */

typedef struct flight_mode {
    int32_t mode, selected;
} flight_mode;

static const hk_port flight_mode_ports[] = {
    HK_PORT(flight_mode, mode, HK_OUTPUT, HK_TYPE_I32, .depends_on = "",
            .description = "0: undefined, 1: altitude hold, 2: commanded"),
    HK_PORT(flight_mode, selected, HK_PARAMETER, HK_TYPE_I32, .start = "2", .tunable = true,
            .description = "0: undefined, 1: altitude hold, 2: commanded"),
};

static int flight_mode_output(void *self, double t) {
    flight_mode *x = self;
    (void)t;
    x->mode = x->selected;
    return HK_STEP_OK;
}

static int flight_mode_step(void *self, double t, double h) {
    (void)h;
    return flight_mode_output(self, t);
}

const hk_unit_type hk_rosace_flight_mode = {
    ROSACE_TYPE(flight_mode, flight_mode, flight_mode_ports),
    .description = "What the pilot selected: altitude hold or commanded",
    .output = flight_mode_output, .step = flight_mode_step};
