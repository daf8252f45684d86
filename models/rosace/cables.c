/* SPDX-License-Identifier: MIT
 *
 * The wiring between computers and actuators: the first couple whose relays are both closed drives
 * both actuators. */
#include "rosace_core.h"

typedef struct cables {
    double delta_e_c_1, delta_th_c_1, delta_e_c_2, delta_th_c_2;
    bool relay_e_1, relay_th_1, relay_e_2, relay_th_2;
    double delta_e_c, delta_th_c;
    bool hold_when_open;
    double delta_e_c_initial, delta_th_c_initial;
} cables;

static const hk_port cables_ports[] = {
    HK_PORT(cables, delta_e_c_1, HK_INPUT, HK_TYPE_F64, .unit = "rad", .start = TEXT(DELTA_E_EQ)),
    HK_PORT(cables, delta_th_c_1, HK_INPUT, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ)),
    HK_PORT(cables, delta_e_c_2, HK_INPUT, HK_TYPE_F64, .unit = "rad", .start = TEXT(DELTA_E_EQ)),
    HK_PORT(cables, delta_th_c_2, HK_INPUT, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ)),
    HK_PORT(cables, relay_e_1, HK_INPUT, HK_TYPE_BOOL, .start = "true", .description = "closed"),
    HK_PORT(cables, relay_th_1, HK_INPUT, HK_TYPE_BOOL, .start = "true", .description = "closed"),
    HK_PORT(cables, relay_e_2, HK_INPUT, HK_TYPE_BOOL, .start = "false", .description = "closed"),
    HK_PORT(cables, relay_th_2, HK_INPUT, HK_TYPE_BOOL, .start = "false", .description = "closed"),
    HK_PORT(cables, delta_e_c, HK_OUTPUT, HK_TYPE_F64, .unit = "rad",
            .depends_on = "delta_e_c_1 delta_e_c_2 relay_e_1 relay_th_1 relay_e_2 relay_th_2",
            .description = "what reaches the elevator"),
    HK_PORT(cables, delta_th_c, HK_OUTPUT, HK_TYPE_F64,
            .depends_on = "delta_th_c_1 delta_th_c_2 relay_e_1 relay_th_1 relay_e_2 relay_th_2",
            .description = "what reaches the engine"),
    HK_PORT(cables, hold_when_open, HK_PARAMETER, HK_TYPE_BOOL, .start = "false",
            .description = "no couple connected: the last commands stay; else they are 0"),
    HK_PORT(cables, delta_e_c_initial, HK_PARAMETER, HK_TYPE_F64, .unit = "rad",
            .start = TEXT(DELTA_E_EQ), .description = "command before the first activation"),
    HK_PORT(cables, delta_th_c_initial, HK_PARAMETER, HK_TYPE_F64, .start = TEXT(DELTA_TH_EQ),
            .description = "command before the first activation"),
};

static int cables_output(void *self, double t) {
    cables *x = self;
    (void)t;
    x->delta_e_c = x->delta_e_c_initial;
    x->delta_th_c = x->delta_th_c_initial;
    return HK_STEP_OK;
}

static int cables_step(void *self, double t, double h) {
    cables *x = self;
    (void)t;
    (void)h;
    if (x->relay_e_1 && x->relay_th_1) {
        x->delta_e_c = x->delta_e_c_1;
        x->delta_th_c = x->delta_th_c_1;
    } else if (x->relay_e_2 && x->relay_th_2) {
        x->delta_e_c = x->delta_e_c_2;
        x->delta_th_c = x->delta_th_c_2;
    } else if (!x->hold_when_open) {
        x->delta_e_c = x->delta_th_c = 0.0;
    }
    return HK_STEP_OK;
}

const hk_unit_type hk_rosace_cables = {ROSACE_TYPE(cables, cables, cables_ports),
                                       .description = "Relays between computers and actuators",
                                       .output = cables_output, .step = cables_step};
