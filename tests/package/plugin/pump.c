/* SPDX-License-Identifier: MIT
 *
 * A component outside the source tree. */
#include <hk/unit.h>

typedef struct pump {
    double flow, volume;
} pump;

static const hk_port pump_ports[] = {
    HK_PORT(pump, flow, HK_PARAMETER, HK_TYPE_F64, .unit = "m3/s", .start = "0.5"),
    HK_PORT(pump, volume, HK_OUTPUT, HK_TYPE_F64, .unit = "m3", .depends_on = ""),
};

static int pump_step(void *self, double t, double h) {
    pump *x = self;
    (void)t;
    x->volume += h * x->flow;
    return HK_STEP_OK;
}

static const hk_unit_type pump_type = {HK_UNIT_TYPE(pump), .ports = pump_ports, .port_count = 2,
                                       .step = pump_step};

static const hk_unit_type *const types[] = {&pump_type, NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}
