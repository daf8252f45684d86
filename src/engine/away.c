/* SPDX-License-Identifier: MIT
 *
 * The shells of components that run elsewhere: they take part in everything that goes by the model
 * (ports, initial values, scenarios) and do nothing. Only in the exchange of initial values a get
 * waits for what the component itself has said. */
#include "engine/away.h"

#include "engine/sim_parts.h"

#include <string.h>

typedef struct away {
    hk_unit unit;
    hk_sim *sim;
    uint32_t component;
} away;

/* A get or set that was bound: what its self is. */
typedef struct away_call {
    away *of;
    const uint32_t *variables;
    uint32_t *refs;
} away_call;

static int do_nothing(void *self, const uint32_t *refs, size_t n, void *values) {
    (void)self, (void)refs, (void)n, (void)values;
    return HK_UNIT_OK;
}

static int take_initial(void *self, const uint32_t *refs, size_t n, void *values) {
    (void)refs, (void)values;
    const away_call *c = self;
    hk_sim *sim = c->of->sim;
    for (size_t i = 0; sim->part->initializing && i < n; i++)
        if (!hk_part_take_initial(sim, c->of->component, c->variables[i]))
            return HK_UNIT_FATAL;
    return HK_UNIT_OK;
}

static int step_nothing(void *self, double t, double h) {
    (void)self, (void)t, (void)h;
    return HK_STEP_OK;
}

static hk_status bind(hk_unit *unit, const uint32_t *variables, size_t n, void *values, bool get,
                      hk_call *ret_call) {
    away *a = (away *)unit;
    hk_arena *arena = a->sim->arena;
    away_call *c = HK_NEW(arena, away_call);
    uint32_t *copy = HK_NEW_ARRAY(arena, uint32_t, n);
    c->of = a;
    c->variables = copy;
    c->refs = HK_NEW_ARRAY(arena, uint32_t, n);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        copy[i] = variables[i];
        c->refs[i] = unit->info->variables[variables[i]].ref;
        count += unit->info->variables[variables[i]].count;
    }
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = get ? take_initial : do_nothing,
                          .name = get ? "a value from another node" : "a value for another node",
                          .self = c,
                          .refs = c->refs,
                          .n = n,
                          .values = values,
                          .value_count = count};
    return HK_OK;
}

static hk_status bind_get(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call) {
    (void)ctx;
    return bind(unit, variables, n, values, true, ret_call);
}

static hk_status bind_set(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call) {
    (void)ctx;
    return bind(unit, variables, n, values, false, ret_call);
}

static void bind_step(hk_unit *unit, hk_step_call *ret_call) {
    *ret_call = (hk_step_call){.shape = HK_STEP_PLAIN,
                               .fn.plain = step_nothing,
                               .self = unit,
                               .name = "a step on another node"};
}

static hk_status set_start(hk_ctx *ctx, hk_unit *unit, uint32_t variable, const hk_value *value) {
    (void)ctx, (void)unit, (void)variable, (void)value;
    return HK_OK;
}

static hk_status pass(hk_ctx *ctx, hk_unit *unit) {
    (void)ctx, (void)unit;
    return HK_OK;
}

static void close(hk_unit *unit) {
    (void)unit; /* it lies in the arena of its simulation */
}

static const char *call_failed(hk_unit *unit, int code) {
    (void)unit, (void)code;
    return "";
}

/* What was to come from its node does not: who ran it there knows why. */
static hk_status gone(hk_ctx *ctx, hk_unit *unit) {
    (void)ctx;
    const hk_status status = ((const away *)unit)->sim->status;
    return status == HK_OK ? HK_E_NODE_LOST : status;
}

static const hk_unit_class away_class = {.close = close,
                                         .set_start = set_start,
                                         .enter_init = pass,
                                         .bind_get = bind_get,
                                         .bind_set = bind_set,
                                         .bind_step = bind_step,
                                         .call_failed = call_failed,
                                         .gone = gone};

hk_unit *hk_away_open(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim && hk_is_away(sim->part, component));
    away *a = HK_NEW(sim->arena, away);
    *a = (away){.unit = {.unit_class = &away_class,
                         .info = sim->model->components[component].info,
                         .name = sim->model->components[component].name},
                .sim = sim,
                .component = component};
    return &a->unit;
}
