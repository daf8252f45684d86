/* SPDX-License-Identifier: MIT
 *
 * Many inputs and as many outputs, each its own filter: enough for a group of every kind. */
#include <hk/unit.h>

enum { COUNT = 240 };

typedef struct harbour {
    double u[COUNT], y[COUNT];
    double rate;
    int32_t begun;
} harbour;

static int harbour_init(void *self, double t) {
    harbour *s = self;
    (void)t;
    for (int i = 0; i < COUNT; i++)
        s->y[i] = 1 + 0.01 * i;
    return HK_STEP_OK;
}

static int harbour_step(void *self, double t, double h) {
    harbour *s = self;
    (void)t;
    for (int i = 0; i < COUNT; i++)
        s->y[i] += h * s->rate * (1 + 0.1 * i) * (s->u[i] - 0.5 * s->y[i]);
    return HK_STEP_OK;
}

static int harbour_output(void *self, double t) {
    (void)self, (void)t;
    return HK_STEP_OK;
}

static const hk_port ports[] = {
    HK_PORT(harbour, u, HK_INPUT, HK_TYPE_F64, .count = COUNT, .start = "0"),
    HK_PORT(harbour, y, HK_OUTPUT, HK_TYPE_F64, .count = COUNT, .depends_on = ""),
    HK_PORT(harbour, rate, HK_PARAMETER, HK_TYPE_F64, .start = "0.2"),
};

static const hk_unit_type type = {HK_UNIT_TYPE(harbour),    .ports = ports,
                                  .port_count = 3,          .init = harbour_init,
                                  .output = harbour_output, .step = harbour_step};

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&type, NULL};
    return types;
}
