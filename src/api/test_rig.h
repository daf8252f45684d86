/* SPDX-License-Identifier: MIT
 *
 * A small system in terms of the public API, for the tests of this room. */
#ifndef HK_API_TEST_RIG_H
#define HK_API_TEST_RIG_H

#include <hk/hk.h>

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), HK_OK)

/* Counts its steps up to a limit, and tells the sum of what it was given. */
typedef struct counter {
    double in, sum;
    int64_t steps;
    double gain, fail_at;
    bool odd;
    hk_bytes label, echo;
    float vector[3];
} counter;

static const hk_port counter_ports[] = {
    HK_PORT(counter, in, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = "1"),
    HK_PORT(counter, sum, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s", .depends_on = ""),
    HK_PORT(counter, steps, HK_OUTPUT, HK_TYPE_I64, .depends_on = "",
            .description = "Steps so far"),
    HK_PORT(counter, gain, HK_PARAMETER, HK_TYPE_F64, .start = "1", .tunable = true),
    HK_PORT(counter, fail_at, HK_PARAMETER, HK_TYPE_F64, .start = "-1"),
    HK_PORT(counter, odd, HK_OUTPUT, HK_TYPE_BOOL, .depends_on = ""),
    HK_PORT(counter, label, HK_INPUT, HK_TYPE_STRING, .start = "none"),
    HK_PORT(counter, echo, HK_OUTPUT, HK_TYPE_STRING, .depends_on = "label"),
    HK_PORT(counter, vector, HK_PARAMETER, HK_TYPE_F32, .count = 3, .start = "0", .tunable = true),
};

static int counter_step(void *self, double t, double h) {
    counter *x = self;
    (void)h;
    if (x->fail_at >= 0 && t >= x->fail_at)
        return HK_STEP_FAILED;
    x->sum += x->gain * x->in;
    x->steps++;
    x->odd = x->steps % 2;
    x->echo = x->label;
    return HK_STEP_OK;
}

static const hk_unit_type counter_type = {HK_UNIT_TYPE(counter), .ports = counter_ports,
                                          .port_count =
                                              sizeof counter_ports / sizeof *counter_ports,
                                          .description = "Counts", .step = counter_step};

typedef struct rig {
    hk_context *context;
    hk_system *system;
    hk_session *session;
} rig;

/* a.sum -> b.in, 1 s in steps of 1/10. */
static inline void rig_system(rig *r) {
    *r = (rig){0};
    OK(hk_context_create(&r->context));
    OK(hk_system_create(r->context, "test", &r->system));
    OK(hk_system_register(r->system, &counter_type));
    OK(hk_system_add_native(r->system, "a", "counter"));
    OK(hk_system_add_native(r->system, "b", "counter"));
    OK(hk_system_connect(r->system, "a.sum", "b.in", NULL));
    OK(hk_system_set_times(r->system, 0, 1, 0.1));
}

static inline void rig_session(rig *r) {
    rig_system(r);
    OK(hk_session_create(r->system, NULL, &r->session));
}

static inline void rig_end(rig *r) {
    hk_session_destroy(r->session);
    hk_system_destroy(r->system);
    hk_context_destroy(r->context);
}

static inline double number(hk_session *session, const char *name) {
    hk_var var;
    double value;
    OK(hk_session_var(session, name, &var));
    OK(hk_session_get_f64(session, var, &value, 1));
    return value;
}

static inline hk_message last_message(const rig *r) {
    hk_message message = {.size = sizeof message};
    size_t count = hk_context_message_count(r->context);
    assert_true(count > 0);
    OK(hk_context_message(r->context, count - 1, &message));
    return message;
}

#endif
