/* SPDX-License-Identifier: MIT
 *
 * Random systems of components that mix what they see into what they say, so that one wrong value
 * anywhere changes everything after it; a record of them in memory; and the reference: what a
 * record must hold, by nothing but the lag rule ("a consumer activated at t sees the newest
 * executed producer activation s with s + d <= t, else the initial value"). */
#ifndef HK_TEST_MIXERS_H
#define HK_TEST_MIXERS_H

#include "base/random.h"
#include "check/check.h"
#include "dice.h"
#include "engine/sim.h"
#include "native/native.h"

#include <stdio.h>
#include <string.h>

enum { INPUTS = 3, COMPONENTS_MAX = 7, ROWS_MAX = 4096, ACTS_MAX = 4096 };

typedef struct mixer {
    uint64_t u0, u1, u2, y, id, k;
} mixer;

static inline uint64_t mix(uint64_t id, uint64_t k, uint64_t u0, uint64_t u1, uint64_t u2) {
    uint64_t x = id * 0x9e3779b97f4a7c15u + k;
    const uint64_t in[] = {u0, u1, u2};
    for (int i = 0; i < INPUTS; i++) {
        x = (x ^ in[i]) * 0xbf58476d1ce4e5b9u;
        x ^= x >> 29;
    }
    return x;
}

static inline int mixer_output(void *self, double t) {
    (void)t;
    mixer *m = self;
    m->y = mix(m->id, 0, 7, 7, 7);
    return HK_STEP_OK;
}

static inline int mixer_step(void *self, double t, double h) {
    (void)t, (void)h;
    mixer *m = self;
    m->y = mix(m->id, ++m->k, m->u0, m->u1, m->u2);
    return HK_STEP_OK;
}

static const hk_port ports[] = {
    HK_PORT(mixer, u0, HK_INPUT, HK_TYPE_U64),
    HK_PORT(mixer, u1, HK_INPUT, HK_TYPE_U64),
    HK_PORT(mixer, u2, HK_INPUT, HK_TYPE_U64),
    HK_PORT(mixer, y, HK_OUTPUT, HK_TYPE_U64, .depends_on = ""),
    HK_PORT(mixer, id, HK_PARAMETER, HK_TYPE_U64),
};

static const hk_unit_type moving = {HK_UNIT_TYPE(mixer),    .ports = ports,
                                    .port_count = 5,        .stamp = HK_STAMP_END,
                                    .output = mixer_output, .step = mixer_step};
static const hk_unit_type sampler = {.abi = HK_UNIT_ABI,
                                     .size = sizeof(hk_unit_type),
                                     .name = "sampler",
                                     .instance_size = sizeof(mixer),
                                     .ports = ports,
                                     .port_count = 5,
                                     .stamp = HK_STAMP_START,
                                     .output = mixer_output,
                                     .step = mixer_step};

/* ---- the same components, reached by calls as FMUs are -------------------------------------- */

static const hk_unit_class *near_class;
static _Thread_local uint32_t far_refs[8 * COMPONENTS_MAX * 32];
static _Thread_local size_t far_ref_count;

static inline int far_get(void *unit, const uint32_t *refs, size_t n, void *values) {
    for (size_t i = 0; i < n; i++)
        memcpy((uint64_t *)values + i, near_class->address(unit, refs[i]), sizeof(uint64_t));
    return HK_UNIT_OK;
}

static inline int far_set(void *unit, const uint32_t *refs, size_t n, void *values) {
    for (size_t i = 0; i < n; i++)
        memcpy(near_class->address(unit, refs[i]), (uint64_t *)values + i, sizeof(uint64_t));
    return HK_UNIT_OK;
}

static inline int far_get_sized(void *unit, const uint32_t *refs, size_t n, void *values,
                                size_t count) {
    return count == n ? far_get(unit, refs, n, values) : HK_UNIT_ERROR;
}

static inline int far_set_sized(void *unit, const uint32_t *refs, size_t n, void *values,
                                size_t count) {
    return count == n ? far_set(unit, refs, n, values) : HK_UNIT_ERROR;
}

/* Every second bound call is of the other shape. */
static inline hk_status far_bind(hk_unit *unit, const uint32_t *variables, size_t n, void *values,
                                 bool get, hk_call *ret_call) {
    assert_true(far_ref_count + n <= sizeof far_refs / sizeof *far_refs);
    uint32_t *refs = memcpy(far_refs + far_ref_count, variables, n * sizeof *variables);
    *ret_call = (hk_call){.self = unit, .refs = refs, .n = n, .values = values, .name = "far"};
    if (far_ref_count % 2) {
        ret_call->shape = HK_SHAPE_REFS_SIZED;
        ret_call->value_count = n;
        ret_call->fn.refs_sized = get ? far_get_sized : far_set_sized;
    } else {
        ret_call->fn.refs = get ? far_get : far_set;
    }
    far_ref_count += n;
    return HK_OK;
}

static inline hk_status far_bind_get(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables,
                                     size_t n, void *values, hk_call *ret_call) {
    (void)ctx;
    return far_bind(unit, variables, n, values, true, ret_call);
}

static inline hk_status far_bind_set(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables,
                                     size_t n, void *values, hk_call *ret_call) {
    (void)ctx;
    return far_bind(unit, variables, n, values, false, ret_call);
}

static hk_unit_class far_class;

static inline hk_status far_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                                 hk_unit **ret_unit) {
    HK_TRY(near_class->open(ctx, info, options, ret_unit));
    (*ret_unit)->unit_class = &far_class;
    return HK_OK;
}

static inline const hk_info *far_info(hk_model *model, const hk_info *near) {
    near_class = near->unit_class;
    far_class = *near_class;
    far_class.open = far_open;
    far_class.address = NULL;
    far_class.bind_get = far_bind_get;
    far_class.bind_set = far_bind_set;
    hk_info *far = HK_NEW(model->arena, hk_info);
    *far = *near;
    far->unit_class = &far_class;
    return far;
}

/* ---- random systems ------------------------------------------------------------------------- */

/* The record of a run, kept in memory. */
typedef struct tape {
    uint64_t cells[ROWS_MAX][COMPONENTS_MAX * 4];
    double times[ROWS_MAX];
    size_t rows;
} tape;

static inline void *tape_begin(void *user) {
    tape *t = user;
    assert_true(t->rows < ROWS_MAX);
    return t->cells[t->rows];
}

static inline bool tape_end(void *user, double time) {
    tape *t = user;
    t->times[t->rows++] = time;
    return true;
}

/* All variables, or the outputs alone: inputs that are not recorded may be set right out of their
 * producers. */
static inline size_t all_columns(const hk_model *model, bool inputs, hk_column *columns) {
    size_t n = 0;
    for (uint32_t c = 0; c < model->component_count; c++)
        for (uint32_t v = inputs ? 0 : 3; v < 4; v++)
            columns[n++] = (hk_column){.name = "",
                                       .component = c,
                                       .variable = v,
                                       .type = HK_TYPE_U64,
                                       .store = HK_STORE_U64};
    return n;
}

static inline hk_model *random_model(hk_ctx *ctx, dice *d, hk_algorithm *ret_algorithm) {
    hk_model *model = hk_model_create("random", NULL);
    const hk_info *infos[4];
    assert_int_equal(hk_native_info(ctx, model, &moving, &infos[0]), HK_OK);
    assert_int_equal(hk_native_info(ctx, model, &sampler, &infos[1]), HK_OK);
    infos[2] = far_info(model, infos[0]);
    infos[3] = far_info(model, infos[1]);
    far_ref_count = 0;
    uint32_t n = 1 + roll(d, COMPONENTS_MAX);
    for (uint32_t c = 0; c < n; c++) {
        char name[16], id[16];
        snprintf(name, sizeof name, "c%u", c);
        snprintf(id, sizeof id, "%u", c + 1);
        uint32_t index;
        assert_int_equal(
            hk_model_add_component(ctx, model, name, infos[roll(d, 4)], HK_NOWHERE, &index), HK_OK);
        hk_component *component = &model->components[index];
        component->has_period = true;
        component->period = (hk_ratio){1 + roll(d, 6), 1000};
        component->offset = (hk_ratio){roll(d, (uint32_t)component->period.num), 1000};
        component->priority = (int)roll(d, 3);
        assert_int_equal(hk_model_set(ctx, model, index, 4,
                                      &(hk_given_text){id, NULL, {HK_FROM_USER, HK_NOWHERE}}),
                         HK_OK);
    }
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t i = 0; i < INPUTS; i++) {
            if (roll(d, 3) == 0)
                continue;
            hk_connection *k = hk_model_connect(model, roll(d, n), 3, c, i, HK_NOWHERE);
            static const hk_lag words[] = {HK_LAG_DEFAULT, HK_LAG_PREVIOUS, HK_LAG_CURRENT,
                                           HK_LAG_OBSERVE};
            k->lag = words[roll(d, 4)];
            if (roll(d, 3) == 0)
                k->delay = (hk_ratio){roll(d, 20), 1000};
            if (roll(d, 4) == 0)
                assert_true(
                    hk_value_parse(model->arena, HK_TYPE_U64, 1, NULL, "424242", &k->initial));
        }
    *ret_algorithm = roll(d, 2) ? HK_GAUSS_SEIDEL : HK_JACOBI;
    hk_experiment *x = &model->experiment;
    x->step = (hk_ratio){1, 1000};
    x->has_step = x->has_stop = true;
    x->start = (hk_ratio){roll(d, 2) * 5, 1000};
    x->stop = (hk_ratio){x->start.num + 20 + roll(d, 60), 1000};
    x->output_interval = (hk_ratio){1 + roll(d, 7), 1000};
    return model;
}

/* ---- the reference: nothing but the rule ---------------------------------------------------- */

typedef struct reference {
    const hk_plan *plan;
    struct {
        hk_tick at[ACTS_MAX];
        uint64_t y[ACTS_MAX];
        uint64_t u[ACTS_MAX][INPUTS];
        int n;
    } done[COMPONENTS_MAX];
} reference;

static inline uint64_t said(const reference *r, uint32_t c, hk_tick latest,
                            const hk_value *initial) {
    for (int i = r->done[c].n; i-- > 0;)
        if (r->done[c].at[i] <= latest)
            return r->done[c].y[i];
    return initial && initial->data ? *(const uint64_t *)initial->data : mix(c + 1, 0, 7, 7, 7);
}

static inline uint64_t seen(const reference *r, uint32_t c, uint32_t input, hk_tick t) {
    const hk_model *m = r->plan->model;
    for (size_t i = 0; i < m->connection_count; i++) {
        const hk_connection *k = &m->connections[i];
        if (k->to_component == c && k->to_variable == input)
            return said(r, k->from_component, t - r->plan->connections[i].lag, &k->initial);
    }
    return 0;
}

static inline bool due(const reference *r, uint32_t c, hk_tick t) {
    hk_tick since = t - r->plan->start - r->plan->components[c].offset;
    return since >= 0 && since % r->plan->components[c].period == 0;
}

/* Whom c waits for at t: a producer that is due, not done, and seen with lag 0. */
static inline bool waits(const reference *r, const bool *ran, uint32_t c, hk_tick t) {
    const hk_model *m = r->plan->model;
    for (size_t i = 0; i < m->connection_count; i++) {
        const hk_connection *k = &m->connections[i];
        if (k->to_component == c && r->plan->connections[i].lag == 0 &&
            due(r, k->from_component, t) && !ran[k->from_component])
            return true;
    }
    return false;
}

static inline void reference_instant(reference *r, hk_tick t) {
    uint32_t n = (uint32_t)r->plan->model->component_count;
    bool ran[COMPONENTS_MAX] = {false};
    for (uint32_t pass = 0; pass < n; pass++)
        for (uint32_t c = 0; c < n; c++) {
            if (ran[c] || !due(r, c, t) || waits(r, ran, c, t))
                continue;
            int k = r->done[c].n;
            for (uint32_t i = 0; i < INPUTS; i++)
                r->done[c].u[k][i] = seen(r, c, i, t);
            const uint64_t *u = r->done[c].u[k];
            r->done[c].y[k] = mix(c + 1, (uint64_t)k + 1, u[0], u[1], u[2]);
            r->done[c].at[k] = t;
            r->done[c].n++;
            ran[c] = true;
        }
    for (uint32_t c = 0; c < n; c++)
        assert_true(ran[c] || !due(r, c, t));
}

/* What a row at t must hold: values that hold at t; inputs as they were set last. */
static inline void reference_row(const reference *r, hk_tick t, bool final, uint64_t *cells) {
    const hk_model *m = r->plan->model;
    for (uint32_t c = 0; c < m->component_count; c++) {
        bool end = m->components[c].info->stamp == HK_STAMP_END;
        hk_tick latest = final ? t : end ? t - r->plan->components[c].period : t;
        cells[4 * c + 3] = said(r, c, latest, NULL);
        int last = r->done[c].n - 1;
        while (last >= 0 && r->done[c].at[last] > t)
            last--;
        for (uint32_t i = 0; i < INPUTS; i++)
            cells[4 * c + i] = last >= 0 ? r->done[c].u[last][i] : seen(r, c, i, INT64_MIN / 2);
    }
}

/* --------------------------------------------------------------------------------------------- */

static inline void compare(const hk_plan *plan, const tape *t, bool inputs, uint32_t seed) {
    static reference r;
    memset(&r, 0, sizeof r);
    r.plan = plan;
    size_t row = 0;
    for (hk_tick now = plan->start; now <= plan->stop; now++) {
        bool final = now == plan->stop;
        if (!final)
            reference_instant(&r, now);
        if (!final && (now - plan->start) % hk_plan_row_interval(plan) != 0)
            continue;
        uint64_t cells[COMPONENTS_MAX * 4];
        reference_row(&r, now, final, cells);
        assert_true(row < t->rows);
        assert_true(t->times[row] == hk_tick_seconds(now, plan->ticks_per_second));
        for (size_t i = 0; i < 4 * plan->model->component_count; i++)
            if ((inputs || i % 4 == 3) && cells[i] != t->cells[row][inputs ? i : i / 4])
                fail_msg("system %u, t = %lld ticks, cell %zu: %llx, expected %llx", seed,
                         (long long)now, i, (unsigned long long)t->cells[row][inputs ? i : i / 4],
                         (unsigned long long)cells[i]);
        row++;
    }
    assert_int_equal(row, t->rows);
}

#endif
