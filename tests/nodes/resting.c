/* SPDX-License-Identifier: MIT
 *
 * A component that says something else as soon as it is stopped, and again when it is started. */
#include <hk/unit.h>

typedef struct resting {
    double y, z[2];
    int32_t stops;
} resting;

static int resting_step(void *self, double t, double h) {
    resting *r = self;
    r->y = t;
    r->z[0] += h;
    r->z[1] = r->z[0] * 2;
    return HK_STEP_OK;
}

static int resting_stop(void *self, double t) {
    resting *r = self;
    r->y = -t;
    r->z[1] = -r->z[0];
    r->stops++;
    return HK_STEP_OK;
}

static int resting_start(void *self, double t) {
    resting *r = self;
    r->y = 100 + t;
    return HK_STEP_OK;
}

static const hk_port ports[] = {
    HK_PORT(resting, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(resting, z, HK_OUTPUT, HK_TYPE_F64, .count = 2, .depends_on = ""),
    HK_PORT(resting, stops, HK_OUTPUT, HK_TYPE_I32, .depends_on = "")};

static const hk_unit_type resting_type = {
    HK_UNIT_TYPE(resting), .ports = ports,         .port_count = sizeof ports / sizeof *ports,
    .step = resting_step,  .start = resting_start, .stop = resting_stop};

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&resting_type, NULL};
    return types;
}
