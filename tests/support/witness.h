/* SPDX-License-Identifier: MIT
 *
 * Random systems of witnesses: components that say at which instant they were activated, and pass
 * on, as a tree, what their inputs said. So every value carries the instants of all it was made of,
 * over up to four connections, and what arrives can be held against what the analysis foretells. */
#ifndef HK_TESTS_WITNESS_H
#define HK_TESTS_WITNESS_H

#include "base/random.h"
#include "check/check.h"
#include "dice.h"
#include "engine/sim.h"
#include "native/native.h"
#include "plan/ages.h"

#include <stdio.h>
#include <string.h>

enum {
    INPUTS = 3,
    OUTPUT = INPUTS, /* index of the output */
    NODES = 1 + 3 + 9 + 27,
    PASSED_ON = 1 + 3 + 9, /* nodes of an input that fit below the own one */
    HOPS_MAX = 4,
    COMPONENTS_MAX = 7,
    CONNECTIONS_MAX = COMPONENTS_MAX * INPUTS,
    ACTIVATIONS_MAX = 400,
    CHAINS = 12, /* random ones per system */
    INITIAL = -1
};

/* ---- components that carry their activation instants ---------------------------------------- */

/* Node 0 of a tree is the instant of the component that says it; node 3n + 1 + i is what the
 * component of node n has seen at its input i. Below 0: an initial value. */
typedef struct witness {
    int64_t u0[NODES], u1[NODES], u2[NODES], y[NODES];
    int64_t id;
} witness;

/* What every activation has seen. Each component writes only into its own part. */
typedef struct activation {
    hk_tick at;
    int64_t u[INPUTS][NODES];
} activation;
static struct {
    double ticks_per_second;
    size_t count[COMPONENTS_MAX];
    activation all[COMPONENTS_MAX][ACTIVATIONS_MAX];
} seen;

/* Where a node of input I is in the tree of the component that reads it. */
static int grafted(int node, int i) {
    return node ? 3 * grafted((node - 1) / 3, i) + 1 + (node - 1) % 3 : 1 + i;
}

static int witness_output(void *self, double t) {
    (void)t;
    witness *w = self;
    for (int n = 0; n < NODES; n++)
        w->y[n] = INITIAL;
    return HK_STEP_OK;
}

static int witness_step(void *self, double t, double h) {
    (void)h;
    witness *w = self;
    const int64_t *const u[INPUTS] = {w->u0, w->u1, w->u2};
    if (seen.count[w->id] == ACTIVATIONS_MAX)
        return HK_STEP_FAILED;
    activation *a = &seen.all[w->id][seen.count[w->id]++];
    a->at = (hk_tick)(t * seen.ticks_per_second + 0.5);
    w->y[0] = a->at;
    for (int i = 0; i < INPUTS; i++) {
        memcpy(a->u[i], u[i], sizeof a->u[i]);
        for (int n = 0; n < PASSED_ON; n++)
            w->y[grafted(n, i)] = u[i][n];
    }
    return HK_STEP_OK;
}

#define TREE(field, cause, ...)                                                                    \
    HK_PORT(witness, field, cause, HK_TYPE_I64, .count = NODES, .start = "-1", __VA_ARGS__)
static const hk_port ports[] = {
    TREE(u0, HK_INPUT, .unit = NULL),
    TREE(u1, HK_INPUT, .unit = NULL),
    TREE(u2, HK_INPUT, .unit = NULL),
    TREE(y, HK_OUTPUT, .depends_on = ""),
    HK_PORT(witness, id, HK_PARAMETER, HK_TYPE_I64),
};
static const hk_unit_type types[] = {{HK_UNIT_TYPE(witness), .ports = ports, .port_count = 5,
                                      .stamp = HK_STAMP_END, .output = witness_output,
                                      .step = witness_step},
                                     {.abi = HK_UNIT_ABI,
                                      .size = sizeof(hk_unit_type),
                                      .name = "sampler",
                                      .instance_size = sizeof(witness),
                                      .ports = ports,
                                      .port_count = 5,
                                      .stamp = HK_STAMP_START,
                                      .output = witness_output,
                                      .step = witness_step}};

/* ---- random systems ------------------------------------------------------------------------- */

static void add_components(hk_ctx *ctx, hk_model *model, dice *d, uint32_t n) {
    const hk_info *infos[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(hk_native_info(ctx, model, &types[i], &infos[i]), HK_OK);
    bool halves = roll(d, 4) == 0; /* offsets that refine the tick */
    for (uint32_t c = 0; c < n; c++) {
        char name[16], id[16];
        snprintf(name, sizeof name, "c%u", c);
        snprintf(id, sizeof id, "%u", c);
        uint32_t index;
        assert_int_equal(
            hk_model_add_component(ctx, model, name, infos[roll(d, 2)], HK_NOWHERE, &index), HK_OK);
        hk_component *component = &model->components[index];
        component->has_period = true;
        component->period = (hk_ratio){1 + roll(d, 6), 1000};
        int64_t per_ms = halves ? 2 : 1;
        component->offset =
            (hk_ratio){roll(d, (uint32_t)(component->period.num * per_ms)), 1000 * per_ms};
        component->priority = (int)roll(d, 3);
        assert_int_equal(hk_model_set(ctx, model, index, 4,
                                      &(hk_given_text){id, NULL, {HK_FROM_USER, HK_NOWHERE}}),
                         HK_OK);
    }
}

static void add_connections(hk_model *model, dice *d, uint32_t n) {
    static const hk_lag words[] = {HK_LAG_DEFAULT, HK_LAG_PREVIOUS, HK_LAG_CURRENT, HK_LAG_CURRENT,
                                   HK_LAG_OBSERVE};
    bool thirds = roll(d, 4) == 0; /* delays that do */
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t i = 0; i < INPUTS; i++) {
            if (roll(d, 4) == 0)
                continue;
            hk_connection *k = hk_model_connect(model, roll(d, n), OUTPUT, c, i, HK_NOWHERE);
            k->lag = words[roll(d, 5)];
            if (roll(d, 3) == 0)
                k->delay = (hk_ratio){roll(d, 20), thirds ? 3000 : 1000};
            if (roll(d, 4) == 0)
                assert_true(
                    hk_value_parse(model->arena, HK_TYPE_I64, NODES, NULL, "-7", &k->initial));
        }
}

/* No partition, one of all components, or, rarely, one that leaves some out. */
static void add_processors(hk_ctx *ctx, hk_model *model, dice *d, uint32_t n) {
    model->cut = roll(d, 2) ? HK_CUT_HLA : HK_CUT_KEEP;
    if (roll(d, 5) == 0)
        return;
    uint32_t order[COMPONENTS_MAX], processors[COMPONENTS_MAX];
    uint32_t count = 1 + roll(d, n);
    bool partial = roll(d, 6) == 0;
    for (uint32_t p = 0; p < count; p++) {
        char name[16];
        snprintf(name, sizeof name, "P%u", p);
        assert_int_equal(hk_model_add_processor(ctx, model, name, HK_NOWHERE, &processors[p]),
                         HK_OK);
    }
    for (uint32_t c = 0; c < n; c++) {
        uint32_t at = roll(d, c + 1);
        order[c] = order[at];
        order[at] = c;
    }
    for (uint32_t c = 0; c < n; c++)
        if (!partial || roll(d, 3))
            assert_int_equal(
                hk_model_assign(ctx, model, processors[roll(d, count)], order[c], HK_NOWHERE),
                HK_OK);
}

typedef struct system_of_witnesses {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    bool whole; /* runs for longer than everything takes to repeat */
} system_of_witnesses;

static void finish(system_of_witnesses *s) {
    hk_plan_destroy(s->plan);
    hk_model_destroy(s->model);
    hk_ctx_destroy(s->ctx);
}

/* Adds something to a model before it is planned. */
typedef void add_fn(hk_model *model, dice *d);

/* False: there is no plan. MORE may be NULL. */
static bool make(dice *d, system_of_witnesses *s, add_fn *more) {
    *s = (system_of_witnesses){hk_ctx_create(NULL, NULL), hk_model_create("random", NULL), NULL,
                               roll(d, 4) > 0};
    uint32_t n = 1 + roll(d, COMPONENTS_MAX);
    add_components(s->ctx, s->model, d, n);
    add_connections(s->model, d, n);
    add_processors(s->ctx, s->model, d, n);
    if (more)
        more(s->model, d);
    hk_experiment *x = &s->model->experiment;
    x->step = (hk_ratio){1, 1000};
    x->has_step = x->has_stop = true;
    x->start = (hk_ratio){roll(d, 2) * 5, 1000};
    /* Four hops of at most 40 ms each, and 60 ms until all rates meet again. */
    x->stop = (hk_ratio){x->start.num + (s->whole ? 240 : 1 + roll(d, 100)), 1000};
    assert_int_equal(hk_check_model(s->ctx, s->model), HK_OK);
    hk_model_lower(s->model);
    hk_plan_options options = {.algorithm = roll(d, 2) ? HK_GAUSS_SEIDEL : HK_JACOBI};
    hk_status status = hk_plan_make(s->ctx, s->model, &options, &s->plan);
    assert_true(status == HK_OK || status == HK_E_ZERO_LAG_CYCLE); /* a cycle of 'observe' */
    if (status != HK_OK)
        finish(s);
    else if (s->plan->end < s->plan->stop)
        s->whole = false;
    return status == HK_OK;
}

static void run(const system_of_witnesses *s, unsigned threads) {
    memset(seen.count, 0, sizeof seen.count);
    seen.ticks_per_second = (double)s->plan->ticks_per_second;
    hk_sim_options options = {.threads = threads, .threads_always = true};
    hk_sim *sim;
    assert_int_equal(hk_sim_create(s->ctx, s->plan, &options, &sim), HK_OK);
    hk_status expected = s->plan->end < s->plan->stop ? HK_E_OVERRUN : HK_OK;
    assert_int_equal(hk_sim_run(sim), expected);
    hk_sim_destroy(sim);
}

/* ---- observed against foretold -------------------------------------------------------------- */

static hk_tick observed_origin(const hk_plan *plan, hk_chain chain, const activation *a) {
    const hk_connection *all = plan->model->connections;
    int node = 0;
    for (size_t i = chain.count - 1; i-- > 0;)
        node = 3 * node + 1 + (int)all[chain.hops[i]].to_variable;
    int64_t origin = a->u[all[chain.hops[chain.count - 1]].to_variable][node];
    return origin < 0 ? HK_ORIGIN_INITIAL : origin;
}

static hk_ages observed_ages(const hk_plan *plan, hk_chain chain) {
    uint32_t sink = plan->model->connections[chain.hops[chain.count - 1]].to_component;
    hk_ages ages = {0};
    for (size_t i = 0; i < seen.count[sink]; i++) {
        const activation *a = &seen.all[sink][i];
        hk_tick origin = observed_origin(plan, chain, a);
        if (origin == HK_ORIGIN_INITIAL) {
            ages.has_initial = true;
            ages.initial_until = a->at;
            continue;
        }
        hk_tick age = a->at - origin;
        ages.min = !ages.any || age < ages.min ? age : ages.min;
        ages.max = !ages.any || age > ages.max ? age : ages.max;
        ages.any = true;
    }
    return ages;
}

static bool same_ages(hk_ages a, hk_ages b) {
    return a.any == b.any && (!a.any || (a.min == b.min && a.max == b.max)) &&
           a.has_initial == b.has_initial && (!a.has_initial || a.initial_until == b.initial_until);
}

/* How many activations of the chain's sink have seen something else than was foretold. */
static size_t wrong_origins(const hk_plan *plan, hk_chain chain) {
    uint32_t sink = plan->model->connections[chain.hops[chain.count - 1]].to_component;
    size_t wrong = 0;
    for (size_t i = 0; i < seen.count[sink]; i++) {
        const activation *a = &seen.all[sink][i];
        hk_tick origin = observed_origin(plan, chain, a);
        wrong += origin != hk_age_origin(plan, chain, a->at);
        if (chain.count == 1)
            wrong += origin != hk_age_seen(plan, chain.hops[0], a->at);
    }
    return wrong;
}

static void check_chain(const system_of_witnesses *s, uint32_t seed, hk_chain chain) {
    hk_ages observed = observed_ages(s->plan, chain);
    uint32_t last = chain.hops[chain.count - 1];
    if (wrong_origins(s->plan, chain))
        fail_msg("system %u: %zu wrong instants over %zu hops to connection %u", seed,
                 wrong_origins(s->plan, chain), chain.count, last);
    if (!same_ages(observed, hk_age_chain(s->plan, chain)))
        fail_msg("system %u: wrong ages over %zu hops to connection %u", seed, chain.count, last);
    if (chain.count == 1 && s->whole && !same_ages(observed, hk_age_hop(s->plan, last)))
        fail_msg("system %u: wrong ages of connection %u", seed, last);
}

/* A way back from a random connection, of up to HOPS hops. */
static hk_chain random_chain(const hk_model *model, dice *d, uint32_t hops,
                             uint32_t buffer[HOPS_MAX]) {
    size_t count = 0;
    uint32_t into[CONNECTIONS_MAX], into_count = (uint32_t)model->connection_count;
    for (uint32_t i = 0; i < into_count; i++)
        into[i] = i;
    while (count < hops && into_count) {
        uint32_t hop = into[roll(d, into_count)];
        buffer[HOPS_MAX - ++count] = hop;
        into_count = 0;
        for (uint32_t i = 0; i < model->connection_count; i++)
            if (model->connections[i].to_component == model->connections[hop].from_component)
                into[into_count++] = i;
    }
    return (hk_chain){buffer + HOPS_MAX - count, count};
}

static void check_instants(const hk_plan *plan) {
    for (uint32_t c = 0; c < plan->model->component_count; c++) {
        hk_tick t = plan->start + plan->components[c].offset;
        size_t i = 0;
        for (; t < plan->end; t += plan->components[c].period)
            if (hk_age_executed(plan, c, t)) {
                assert_true(i < seen.count[c]);
                assert_int_equal(seen.all[c][i++].at, t);
            }
        assert_int_equal(i, seen.count[c]);
    }
}

typedef struct census {
    size_t systems, long_chains, crossing, delayed_start;
} census;

static void check_all(const system_of_witnesses *s, uint32_t seed, dice d, census *count) {
    const hk_model *model = s->model;
    check_instants(s->plan);
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        check_chain(s, seed, (hk_chain){&i, 1});
        count->crossing += model->components[k->from_component].processor !=
                           model->components[k->to_component].processor;
        count->delayed_start += hk_age_hop(s->plan, i).has_initial;
    }
    for (uint32_t i = 0; i < CHAINS && model->connection_count; i++) {
        uint32_t buffer[HOPS_MAX];
        hk_chain chain = random_chain(model, &d, 2 + roll(&d, HOPS_MAX - 1), buffer);
        check_chain(s, seed, chain);
        count->long_chains += chain.count == HOPS_MAX;
    }
}

#endif
