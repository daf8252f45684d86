/* SPDX-License-Identifier: MIT
 *
 * Simulations of the harbour (harbour.h) that are read from texts, for the tests of what they mean.
 * Include it after cmocka.h. */
#ifndef HK_TEST_SIMULATION_RIG_H
#define HK_TEST_SIMULATION_RIG_H

#include "harbour.h"
#include "lang/lang.h"

#include <string.h>

/* A simulation of one second in steps of one millisecond; PARTS are where they are allowed. */
typedef struct text {
    const char *head, *begin, *scenario, *events, *end, *expects, *logs;
} text;

static inline const char *write(hk_arena *arena, const text *t) {
    return hk_arena_printf(
        arena,
        "Simulation Test (ms)\nsystem auv;\nsimulationTime [0,1000]:1;\n%s\n"
        "begin {\n%s\n}\nscenarios {\nScenario only %s\nevents {\n%s\n}\nend {\n%s\n}\n"
        "expects {\n%s\n}\nlogs {\n%s\n}\n}\n",
        t->head ? t->head : "", t->begin ? t->begin : "", t->scenario ? t->scenario : "",
        t->events ? t->events : "", t->end ? t->end : "", t->expects ? t->expects : "",
        t->logs ? t->logs : "");
}

typedef struct room {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_simulation *simulation; /* NULL: it was refused */
    hk_status status;
} room;

static inline room read_raw(const char *data, const char *const *parameters, size_t count) {
    room r = {.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    hk_simulation_options options = {
        .system = harbour_make(r.ctx), .parameters = parameters, .parameter_count = count};
    r.status = hk_simulation_read_text(r.ctx, "test.simulation", data, strlen(data), &options,
                                       &r.simulation);
    if (r.status != HK_OK)
        hk_model_destroy(options.system);
    return r;
}

static inline room read_text(text t) {
    hk_arena *arena = hk_arena_create();
    room r = read_raw(write(arena, &t), NULL, 0);
    hk_arena_destroy(arena);
    return r;
}

static inline void leave(room *r) {
    hk_simulation_destroy(r->simulation);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
    harbour_forget();
}

static inline const hk_diag *first(const room *r, hk_severity severity) {
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        if (hk_ctx_diag(r->ctx, i)->severity == severity)
            return hk_ctx_diag(r->ctx, i);
    return NULL;
}

static inline void show_all(const room *r) {
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(r->ctx, i);
        print_message("%d:%d: %s (%s)\n", d->where.line, d->where.column, d->text,
                      d->hint ? d->hint : "");
    }
}

/* Read without a word against it. */
static inline room good(text t) {
    room r = read_text(t);
    if (r.status != HK_OK || hk_ctx_count(r.ctx, HK_WARNING)) {
        show_all(&r);
        fail_msg("the simulation is not accepted as it is");
    }
    return r;
}

/* One error, and no more. */
static inline void bad(text t, hk_status code, const char *says, const char *hint) {
    room r = read_text(t);
    const hk_diag *d = first(&r, HK_ERROR);
    bool right = d && r.status == code && d->code == code && hk_ctx_count(r.ctx, HK_ERROR) == 1 &&
                 strcmp(d->text, says) == 0 && !d->hint == !hint &&
                 (!hint || strcmp(d->hint, hint) == 0) && d->where.line > 0 && d->where.column > 0;
    if (!right) {
        show_all(&r);
        fail_msg("expected status %d, '%s' (%s); the status is %d", code, says, hint ? hint : "",
                 r.status);
    }
    leave(&r);
}

static inline void warns(text t, hk_severity severity, const char *says) {
    room r = read_text(t);
    const hk_diag *d = first(&r, severity);
    if (r.status != HK_OK || !d || strcmp(d->text, says) != 0) {
        show_all(&r);
        fail_msg("expected '%s'", says);
    }
    leave(&r);
}

static inline double f64(const hk_value *value, size_t i) {
    assert_int_equal(value->type, HK_TYPE_F64);
    return ((const double *)value->data)[i];
}

static inline void same(const char *what, double a, double b) {
    if (a != b)
        fail_msg("%s is %.17g, expected %.17g", what, a, b);
}

#define SAME(a, b) same(#a, (a), (b))

static inline bool is_time(hk_ratio time, int64_t num, int64_t den) {
    return time.num == num && time.den == den;
}

#define MNT        "auv.comp.Environment.MNT."
#define DRONE_PATH "auv.comp.Drone.mySimpleMission."

#endif
