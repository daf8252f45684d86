/* SPDX-License-Identifier: MIT
 *
 * The systems that the tests of the monitor run: packages from the build, or a small one of native
 * components. */
#ifndef HK_TEST_MONITOR_SYSTEM_H
#define HK_TEST_MONITOR_SYSTEM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"
#include "ssp/ssp.h"

#include <stdio.h>

/* PACKAGE without its folder and extension. */
static inline void open_package(rig *r, const char *package, const char *stop) {
    char path[512];
    *r = (rig){.ctx = hk_ctx_create(NULL, NULL)};
    snprintf(path, sizeof path, "%s/%s.ssp", HK_MODEL_DIR, package);
    assert_int_equal(hk_ssp_read(r->ctx, path, NULL, &r->model), HK_OK);
    hk_experiment *x = &r->model->experiment;
    x->stop = rig_seconds(stop);
    x->has_stop = true;
    r->algorithm = x->has_algorithm ? x->algorithm : HK_JACOBI;
}

typedef struct mixer {
    double a, b, y, z;
} mixer;

static inline int mixer_step(void *self, double t, double h) {
    mixer *m = self;
    m->y += h * (m->a - m->y) + 0.01 * t;
    m->z = m->y - m->b;
    return HK_STEP_OK;
}

static const hk_port mixer_ports[] = {
    HK_PORT(mixer, a, HK_INPUT, HK_TYPE_F64),
    HK_PORT(mixer, b, HK_INPUT, HK_TYPE_F64),
    HK_PORT(mixer, y, HK_OUTPUT, HK_TYPE_F64, .start = "1", .depends_on = ""),
    HK_PORT(mixer, z, HK_OUTPUT, HK_TYPE_F64, .start = "2", .depends_on = ""),
};
static const hk_unit_type mixer_type = {HK_UNIT_TYPE(mixer), .ports = mixer_ports, .port_count = 4,
                                        .step = mixer_step};

/* Three in a ring, with every kind of connection; SLOW NULL: one rate. */
static inline void make_mixers(rig *r, const char *stop, const char *slow) {
    rig_begin(r, "0.01", stop, NULL);
    rig_add(r, "p", &mixer_type, NULL, NULL);
    rig_add(r, "q", &mixer_type, slow, NULL);
    rig_add(r, "r", &mixer_type, NULL, NULL);
    rig_connect(r, "p.y", "q.a");
    rig_connect(r, "p.z", "q.b")->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 0.5, .offset = 1};
    rig_connect(r, "q.y", "r.a");
    rig_connect(r, "q.z", "r.b")->delay = rig_seconds("0.04");
    rig_connect(r, "r.y", "p.a");
    rig_connect(r, "r.z", "p.b");
}

typedef struct arrow {
    double in[3], u, out[3], y;
} arrow;

static inline int arrow_step(void *self, double t, double h) {
    arrow *a = self;
    for (int i = 0; i < 3; i++)
        a->out[i] += h * (a->in[(i + 1) % 3] + a->u - a->out[i]);
    a->y = a->out[0] - t;
    return HK_STEP_OK;
}

#define ARROW_AXIS(port, axis, index, cause, ...)                                                  \
    {                                                                                              \
        .name = #port "." axis, .offset = offsetof(arrow, port) + (index) * sizeof(double),        \
        .causality = (cause), .type = HK_TYPE_F64, __VA_ARGS__                                     \
    }
static const hk_port arrow_ports[] = {
    ARROW_AXIS(in, "x", 0, HK_INPUT, .start = "0"),
    ARROW_AXIS(in, "y", 1, HK_INPUT, .start = "0"),
    ARROW_AXIS(in, "z", 2, HK_INPUT, .start = "0"),
    HK_PORT(arrow, u, HK_INPUT, HK_TYPE_F64),
    ARROW_AXIS(out, "x", 0, HK_OUTPUT, .start = "1", .depends_on = ""),
    ARROW_AXIS(out, "y", 1, HK_OUTPUT, .start = "2", .depends_on = ""),
    ARROW_AXIS(out, "z", 2, HK_OUTPUT, .start = "3", .depends_on = ""),
    HK_PORT(arrow, y, HK_OUTPUT, HK_TYPE_F64, .start = "4", .depends_on = ""),
};
static const hk_unit_type arrow_type = {HK_UNIT_TYPE(arrow), .ports = arrow_ports, .port_count = 8,
                                        .step = arrow_step};

/* Three in a ring, joined by vectors and single numbers, all of them plain. */
static inline void make_arrows(rig *r, const char *stop) {
    static const char *const names[] = {"p", "q", "r"};
    static const char *const wires[][2] = {
        {"out.x", "in.x"}, {"out.y", "in.y"}, {"out.z", "in.z"}, {"y", "u"}};
    rig_begin(r, "0.01", stop, NULL);
    for (size_t i = 0; i < 3; i++)
        rig_add(r, names[i], &arrow_type, NULL, NULL);
    for (size_t i = 0; i < 3; i++)
        for (size_t w = 0; w < 4; w++) {
            char from[16], to[16];
            snprintf(from, sizeof from, "%s.%s", names[i], wires[w][0]);
            snprintf(to, sizeof to, "%s.%s", names[(i + 1) % 3], wires[w][1]);
            rig_connect(r, from, to);
        }
}

/* Like rig_run, with the messages of a failure. */
static inline hk_status run_and_tell(rig *r) {
    hk_status status = rig_run(r);
    for (size_t i = 0; status != HK_OK && i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        print_message("%s\n  %s\n", hk_ctx_diag(r->ctx, i)->text,
                      hk_ctx_diag(r->ctx, i)->hint ? hk_ctx_diag(r->ctx, i)->hint : "");
    return status;
}

#endif
