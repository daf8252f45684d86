/* SPDX-License-Identifier: MIT
 *
 * A falling body as a component without a state: where it is goes in, where it will be comes out.
 * So who moves the body can be exchanged at any instant. The same type is exported as an FMU. */
#include "falling.h"

typedef struct Faller {
    double z, v, g;
    double z_next, v_next;
} Faller;

static const hk_port ports[] = {
    HK_PORT(Faller, z, HK_INPUT, HK_TYPE_F64, .unit = "m"),
    HK_PORT(Faller, v, HK_INPUT, HK_TYPE_F64, .unit = "m/s"),
    HK_PORT(Faller, g, HK_PARAMETER, HK_TYPE_F64, .unit = "m/s2", .start = "9.81"),
    HK_PORT(Faller, z_next, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
    HK_PORT(Faller, v_next, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s"),
};

static int step(void *self, double t, double h) {
    Faller *x = self;
    (void)t;
    x->z_next = x->z;
    x->v_next = x->v;
    falling_move(&x->z_next, &x->v_next, x->g, h);
    return HK_STEP_OK;
}

const hk_unit_type hk_falling_faller_type = {
    HK_UNIT_TYPE(Faller), .ports = ports, .port_count = sizeof ports / sizeof *ports,
    .description = "moves a falling body by one step", .step = step};
