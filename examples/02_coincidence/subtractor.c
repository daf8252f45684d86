/* SPDX-License-Identifier: MIT
 *
 * A watch, something that passes a number on, and a subtractor: all that is needed to see paths
 * that do not coincide. The outputs of all three belong to the instant at which they are activated
 * (HK_STAMP_START), so the one who runs later at the same instant can see them. */
#include <hk/unit.h>

typedef struct watch {
    double time;
} watch;

static const hk_port watch_ports[] = {
    HK_PORT(watch, time, HK_OUTPUT, HK_TYPE_F64, .unit = "s", .depends_on = ""),
};

static int watch_step(void *self, double t, double h) {
    (void)h;
    ((watch *)self)->time = t;
    return HK_STEP_OK;
}

typedef struct relay {
    double in, out;
} relay;

static const hk_port relay_ports[] = {
    HK_PORT(relay, in, HK_INPUT, HK_TYPE_F64, .unit = "s"),
    HK_PORT(relay, out, HK_OUTPUT, HK_TYPE_F64, .unit = "s"),
};

static int relay_step(void *self, double t, double h) {
    relay *x = self;
    (void)t;
    (void)h;
    x->out = x->in;
    return HK_STEP_OK;
}

typedef struct subtractor {
    double a, b, difference;
} subtractor;

static const hk_port subtractor_ports[] = {
    HK_PORT(subtractor, a, HK_INPUT, HK_TYPE_F64, .unit = "s"),
    HK_PORT(subtractor, b, HK_INPUT, HK_TYPE_F64, .unit = "s"),
    HK_PORT(subtractor, difference, HK_OUTPUT, HK_TYPE_F64, .unit = "s"),
};

static int subtractor_step(void *self, double t, double h) {
    subtractor *x = self;
    (void)t;
    (void)h;
    x->difference = x->a - x->b;
    return HK_STEP_OK;
}

/* A type whose outputs belong to the instant of its step. */
#define AT_ONCE(type, words)                                                                       \
    {                                                                                              \
        HK_UNIT_TYPE(type), .ports = type##_ports,                                                 \
                            .port_count = sizeof type##_ports / sizeof *type##_ports,              \
                            .description = (words), .stamp = HK_STAMP_START, .step = type##_step   \
    }

static const hk_unit_type watch_type = AT_ONCE(watch, "Shows the time of its activation");
static const hk_unit_type relay_type = AT_ONCE(relay, "Passes a number on");
static const hk_unit_type subtractor_type = AT_ONCE(subtractor, "The difference of two numbers");

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&watch_type, &relay_type, &subtractor_type, NULL};
    return types;
}
