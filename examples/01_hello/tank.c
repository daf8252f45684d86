/* SPDX-License-Identifier: MIT
 *
 * A tank that fills and drains: the smallest useful component. Build it with
 *     cc -shared -fPIC -I include examples/01_hello/tank.c -o tank.so
 */
#include <hk/unit.h>

/* The component is a struct; hocket makes one for every instance. */
typedef struct tank {
    double inflow;      /* input */
    double level;       /* output and state */
    double outflow;     /* output */
    double area, valve; /* parameters */
    double level_start;
} tank;

/* Which fields others can see. Texts are start values; depends_on "" says that the output does not
 * follow any input within the same instant. */
static const hk_port tank_ports[] = {
    HK_PORT(tank, inflow, HK_INPUT, HK_TYPE_F64, .unit = "m3/s", .start = "0"),
    HK_PORT(tank, level, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = ""),
    HK_PORT(tank, outflow, HK_OUTPUT, HK_TYPE_F64, .unit = "m3/s", .depends_on = ""),
    HK_PORT(tank, area, HK_PARAMETER, HK_TYPE_F64, .unit = "m2", .start = "2"),
    HK_PORT(tank, valve, HK_PARAMETER, HK_TYPE_F64, .unit = "m2/s", .start = "0.2"),
    HK_PORT(tank, level_start, HK_PARAMETER, HK_TYPE_F64, .unit = "m", .start = "1"),
};

/* Once, when the parameters are known. */
static int tank_init(void *self, double t) {
    tank *x = self;
    (void)t;
    x->level = x->level_start;
    return x->area > 0 ? HK_STEP_OK : HK_STEP_FAILED;
}

/* The outputs that belong to the state. */
static int tank_output(void *self, double t) {
    tank *x = self;
    (void)t;
    x->outflow = x->valve * x->level;
    return HK_STEP_OK;
}

/* From t to t + h. */
static int tank_step(void *self, double t, double h) {
    tank *x = self;
    x->level += h * (x->inflow - x->outflow) / x->area;
    return tank_output(x, t + h);
}

static const hk_unit_type tank_type = {
    HK_UNIT_TYPE(tank),
    .ports = tank_ports,
    .port_count = sizeof tank_ports / sizeof *tank_ports,
    .description = "A tank with a valve",
    .init = tank_init,
    .output = tank_output,
    .step = tank_step,
};

/* What the library offers. */
const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&tank_type, NULL};
    return types;
}
