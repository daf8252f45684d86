/* SPDX-License-Identifier: MIT
 *
 * The proof of programs against an interpreter that executes them, instant by instant over the
 * whole run, with the time of the activation in place of each value: both must agree on the
 * programs of 1000 random systems, which are right, and on programs with one thing changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mixers.h"
#include "sound/program_proof.h"

enum { SYSTEMS = 1000, LEVELS_MAX = 4 * COMPONENTS_MAX, CONNECTIONS_MAX = 64 };

/* ---- programs, executed ---------------------------------------------------------------------- */

#define INITIAL     (INT64_MIN)
#define OWN_INITIAL (INT64_MIN + 1)

typedef struct machine {
    const hk_program *program;
    const hk_plan *plan;
    hk_tick stepped[COMPONENTS_MAX];
    int steps[COMPONENTS_MAX];              /* at this instant */
    hk_tick past[COMPONENTS_MAX][ACTS_MAX]; /* what was got, oldest first */
    int past_count[COMPONENTS_MAX];
    hk_tick copied[CONNECTIONS_MAX], handed[CONNECTIONS_MAX];
    bool fresh_copy[CONNECTIONS_MAX], fresh_set[CONNECTIONS_MAX]; /* since the last step */
    bool right;
} machine;

static bool rate_is_due(hk_tick period, hk_tick offset, hk_tick start, hk_tick t) {
    return t >= start + offset && (t - start - offset) % period == 0;
}

static bool component_is_due(const machine *m, uint32_t c, hk_tick t) {
    return rate_is_due(m->plan->components[c].period, m->plan->components[c].offset, m->plan->start,
                       t);
}

static hk_tick initial_of(const machine *m, uint32_t k) {
    return m->plan->model->connections[k].initial.data ? OWN_INITIAL : INITIAL;
}

/* The rule itself. */
static hk_tick named(const machine *m, uint32_t k, hk_tick t) {
    uint32_t from = m->plan->model->connections[k].from_component;
    for (hk_tick s = t - m->plan->connections[k].lag; s >= m->plan->start; s--)
        if (component_is_due(m, from, s))
            return s;
    return initial_of(m, k);
}

static void do_copy(machine *m, const hk_program_copy *copy, hk_tick t) {
    uint32_t k = copy->connection, from = m->plan->model->connections[k].from_component;
    int count = m->past_count[from], kept = (int)m->program->depth[from] + 1;
    hk_tick found = count ? m->past[from][count - 1] : INITIAL;
    uint32_t to = m->plan->model->connections[k].to_component;
    if (m->steps[to]) /* it is for the next activation */
        t += m->plan->components[to].period;
    if (!copy->newest) {
        int oldest = count < kept ? 0 : count - kept;
        found = count < kept ? initial_of(m, k) : m->past[from][oldest];
        for (int i = oldest; i < count; i++)
            if (m->past[from][i] + m->plan->connections[k].lag <= t)
                found = m->past[from][i];
    }
    m->copied[k] = found;
    m->fresh_copy[k] = true;
}

static void do_set(machine *m, const hk_program_call *call) {
    const hk_model *model = m->plan->model;
    for (uint32_t k = 0; k < model->connection_count; k++)
        if (model->connections[k].to_component == call->component &&
            model->connections[k].to_variable == call->variable) {
            m->handed[k] = m->copied[k];
            m->fresh_set[k] = m->fresh_copy[k];
        }
}

static void do_step(machine *m, uint32_t c, hk_tick t) {
    const hk_model *model = m->plan->model;
    m->right = m->right && component_is_due(m, c, t);
    for (uint32_t k = 0; k < model->connection_count; k++) {
        if (model->connections[k].to_component != c)
            continue;
        m->right = m->right && m->fresh_set[k] && m->handed[k] == named(m, k, t);
        m->fresh_set[k] = m->fresh_copy[k] = false;
    }
    m->stepped[c] = t;
    m->steps[c]++;
}

static void do_get(machine *m, uint32_t c) {
    int count = m->past_count[c];
    if (m->stepped[c] != INITIAL && (!count || m->past[c][count - 1] != m->stepped[c]))
        m->past[c][m->past_count[c]++] = m->stepped[c];
}

static void run_level(machine *m, uint32_t level, hk_tick t) {
    for (int part = 0; part < 4; part++)
        for (size_t i = 0; i < m->program->cell_count; i++) {
            const hk_program_cell *c = &m->program->cells[i];
            const hk_rate *rate = &m->plan->rates[c->rate];
            if (c->level != level || !rate_is_due(rate->period, rate->offset, m->plan->start, t))
                continue;
            for (size_t k = 0; k < c->copy_count && part == 0; k++)
                do_copy(m, &c->copies[k], t);
            for (size_t k = 0; k < c->sets.count && part == 1; k++)
                do_set(m, &c->sets.all[k]);
            for (size_t k = 0; k < c->steps.count && part == 2; k++)
                do_step(m, c->steps.all[k].component, t);
            for (size_t k = 0; k < c->gets.count && part == 3; k++)
                do_get(m, c->gets.all[k].component);
        }
}

/* It is copied and set somewhere. */
static bool is_served(const hk_program *program, uint32_t connection) {
    const hk_connection *k = &program->plan->model->connections[connection];
    bool copied = false, set = false;
    for (size_t i = 0; i < program->cell_count; i++) {
        const hk_program_cell *c = &program->cells[i];
        for (size_t n = 0; n < c->copy_count; n++)
            copied = copied || c->copies[n].connection == connection;
        for (size_t n = 0; n < c->sets.count; n++)
            set = set || (c->sets.all[n].component == k->to_component &&
                          c->sets.all[n].variable == k->to_variable);
    }
    return copied && set;
}

static bool execute(const hk_program *program) {
    static machine m;
    memset(&m, 0, sizeof m);
    m.program = program;
    m.plan = program->plan;
    m.right = true;
    for (uint32_t c = 0; c < m.plan->model->component_count; c++)
        m.stepped[c] = INITIAL;
    for (uint32_t k = 0; k < m.plan->model->connection_count; k++) {
        m.copied[k] = m.handed[k] = initial_of(&m, k); /* before the first step */
        m.fresh_set[k] = true;
        m.right = m.right && is_served(program, k);
    }
    for (hk_tick t = m.plan->start; t < m.plan->stop && m.right; t++) {
        memset(m.steps, 0, sizeof m.steps);
        for (uint32_t level = 0; level < LEVELS_MAX; level++)
            run_level(&m, level, t);
        for (uint32_t c = 0; c < m.plan->model->component_count; c++)
            m.right = m.right && m.steps[c] == component_is_due(&m, c, t);
    }
    return m.right;
}

/* ---- one thing changed ----------------------------------------------------------------------- */

enum {
    SWAP_CELLS,
    SWAP_LEVELS,
    DROP_COPY,
    DROP_SET,
    DROP_STEP,
    DROP_GET,
    MOVE_GET,
    MOVE_SETS,
    WRONG_DEPTH,
    WRONG_NEWEST,
    WRONG_RATE,
    DOUBLE_STEP,
    MUTATIONS
};

static hk_program_call take(hk_program_calls *from, size_t at) {
    hk_program_call call = from->all[at];
    memmove(from->all + at, from->all + at + 1, (from->count - at - 1) * sizeof call);
    from->count--;
    return call;
}

static void give(hk_arena *arena, hk_program_calls *to, hk_program_call call) {
    hk_program_call *all = HK_NEW_ARRAY(arena, hk_program_call, to->count + 1);
    if (to->count)
        memcpy(all, to->all, to->count * sizeof *all);
    all[to->count] = call;
    *to = (hk_program_calls){all, to->count + 1};
}

static hk_program_cell *any_cell(const hk_program *p, dice *d) {
    return &p->cells[roll(d, (uint32_t)p->cell_count)];
}

/* A new cell of the same rate right before or after the one with this number. */
static hk_program_cell *insert_cell(hk_program *p, size_t *at, bool behind) {
    hk_program_cell *cells = HK_NEW_ARRAY(p->arena, hk_program_cell, p->cell_count + 1);
    size_t place = *at + behind;
    for (size_t i = 0; i < p->cell_count; i++) {
        cells[i + (i >= place)] = p->cells[i];
        cells[i + (i >= place)].level = 3 * p->cells[i].level + 1;
    }
    *at += !behind;
    cells[place] = (hk_program_cell){.rate = cells[*at].rate,
                                     .level = behind ? cells[*at].level + 1 : cells[*at].level - 1};
    p->cells = cells;
    p->cell_count++;
    return &p->cells[place];
}

static bool drop(hk_program_calls *calls, dice *d) {
    if (!calls->count)
        return false;
    take(calls, roll(d, (uint32_t)calls->count));
    return true;
}

static bool swap(hk_program *p, dice *d, bool levels) {
    hk_program_cell *a = any_cell(p, d), *b = any_cell(p, d);
    if (a == b)
        return false;
    if (levels) {
        uint32_t level = a->level;
        a->level = b->level;
        b->level = level;
        return true;
    }
    hk_program_cell other = *a;
    *a = *b;
    *b = other;
    uint32_t level = a->level, rate = a->rate;
    a->level = b->level;
    a->rate = b->rate;
    b->level = level;
    b->rate = rate;
    return true;
}

/* Moves a get to where its component has not been stepped yet. */
static bool move_get(hk_program *p, dice *d) {
    size_t at = roll(d, (uint32_t)p->cell_count);
    hk_program_calls *from = &p->cells[at].gets;
    if (!from->count)
        return false;
    hk_program_call call = take(from, roll(d, (uint32_t)from->count));
    give(p->arena, &insert_cell(p, &at, false)->gets, call);
    return true;
}

/* Moves the sets of a cell, and the copies for them, behind its steps: for the next activations. */
static bool move_sets(hk_program *p, dice *d) {
    size_t at = roll(d, (uint32_t)p->cell_count);
    if (!p->cells[at].sets.count)
        return false;
    hk_program_cell *to = insert_cell(p, &at, true), *from = &p->cells[at];
    to->copies = from->copies;
    to->copy_count = from->copy_count;
    to->sets = from->sets;
    from->copy_count = from->sets.count = 0;
    return true;
}

/* False: there is nothing to change. */
static bool mutate(hk_program *p, int how, dice *d) {
    hk_program_cell *c = any_cell(p, d);
    uint32_t component = roll(d, (uint32_t)p->plan->model->component_count);
    switch (how) {
    case SWAP_CELLS:
    case SWAP_LEVELS:
        return swap(p, d, how == SWAP_LEVELS);
    case DROP_COPY:
        if (!c->copy_count)
            return false;
        c->copies[roll(d, (uint32_t)c->copy_count)] = c->copies[c->copy_count - 1];
        c->copy_count--;
        return true;
    case DROP_SET:
        return drop(&c->sets, d);
    case DROP_STEP:
        return drop(&c->steps, d);
    case DROP_GET:
        return drop(&c->gets, d);
    case MOVE_GET:
        return move_get(p, d);
    case MOVE_SETS:
        return move_sets(p, d);
    case WRONG_DEPTH:
        if (!p->depth[component])
            return false;
        p->depth[component]--;
        return true;
    case WRONG_NEWEST:
        if (!c->copy_count)
            return false;
        c->copies[0].newest = !c->copies[0].newest;
        return true;
    case WRONG_RATE:
        if (p->plan->rate_count < 2)
            return false;
        c->rate = (c->rate + 1 + roll(d, (uint32_t)p->plan->rate_count - 1)) %
                  (uint32_t)p->plan->rate_count;
        return true;
    default:
        give(p->arena, &c->steps, c->steps.all[0]);
        return true;
    }
}

/* --------------------------------------------------------------------------------------------- */

/* NULL: there is no plan. */
static hk_plan *random_plan(hk_ctx *ctx, uint32_t seed, hk_model **ret_model) {
    dice d = {hk_stream_make(seed, 0, "lag_test", "system"), 0};
    hk_algorithm algorithm;
    hk_plan *plan = NULL;
    *ret_model = random_model(ctx, &d, &algorithm);
    assert_int_equal(hk_check_model(ctx, *ret_model), HK_OK);
    hk_model_lower(*ret_model);
    hk_status planned =
        hk_plan_make(ctx, *ret_model, &(hk_plan_options){.algorithm = algorithm}, &plan);
    assert_true(planned == HK_OK || planned == HK_E_ZERO_LAG_CYCLE);
    return plan;
}

static bool prove_one(const hk_program *program, uint32_t seed, int how) {
    hk_arena *arena = hk_arena_create();
    bool right = execute(program);
    hk_program_proof proof = hk_program_prove(arena, program);
    if (proof.right != right)
        fail_msg("system %u, mutation %d: the proof says %s, executed it is %s", seed, how,
                 proof.right ? "right" : proof.why, right ? "right" : "wrong");
    assert_true(proof.right || proof.why);
    assert_false(proof.limited);
    hk_arena_destroy(arena);
    return right;
}

static void thousand_programs_and_their_mutants(void **state) {
    (void)state;
    size_t ran = 0, tried[MUTATIONS] = {0}, found[MUTATIONS] = {0};
    for (uint32_t seed = 0; ran < SYSTEMS; seed++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_model *model;
        hk_plan *plan = random_plan(ctx, seed, &model);
        for (int how = -1; how < MUTATIONS && plan; how++) {
            hk_program *program = hk_program_make(plan, NULL);
            dice d = {hk_stream_make(seed, (uint64_t)how + 1, "program_test", "mutant"), 0};
            if (how < 0) {
                assert_true(prove_one(program, seed, how));
            } else if (mutate(program, how, &d)) {
                tried[how]++;
                found[how] += !prove_one(program, seed, how);
            }
            hk_program_destroy(program);
        }
        ran += plan != NULL;
        hk_plan_destroy(plan);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
    for (int how = 0; how < MUTATIONS; how++) {
        print_message("mutation %2d: %zu of %zu are wrong, and found\n", how, found[how],
                      tried[how]);
        assert_true(found[how] > 100);
    }
    /* These are wrong wherever they are done. */
    static const int always[] = {DROP_COPY, DROP_SET, DROP_STEP, DOUBLE_STEP};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        assert_int_equal(found[always[i]], tried[always[i]]);
}

/* ---- what it costs --------------------------------------------------------------------------- */

/* A ring of components with these periods, in millionths of a second. */
static hk_program_proof prove_ring(const int64_t *periods, uint32_t count, hk_arena *arena) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = hk_model_create("ring", NULL);
    const hk_info *info;
    hk_plan *plan;
    assert_int_equal(hk_native_info(ctx, model, &moving, &info), HK_OK);
    for (uint32_t c = 0; c < count; c++) {
        char name[16];
        uint32_t index;
        snprintf(name, sizeof name, "c%u", c);
        assert_int_equal(hk_model_add_component(ctx, model, name, info, HK_NOWHERE, &index), HK_OK);
        model->components[c].has_period = true;
        model->components[c].period = (hk_ratio){periods[c], 1000000};
    }
    for (uint32_t c = 0; c < count; c++)
        hk_model_connect(model, c, 3, (c + 1) % count, 0, HK_NOWHERE);
    hk_experiment *x = &model->experiment;
    x->step = (hk_ratio){1, 1};
    x->stop = (hk_ratio){10000000, 1};
    x->has_step = x->has_stop = true;
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = HK_JACOBI}, &plan),
                     HK_OK);
    hk_program *program = hk_program_make(plan, NULL);
    hk_program_proof proof = hk_program_prove(arena, program);
    hk_program_destroy(program);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
    return proof;
}

/* Together they repeat after more than 10^30 ticks, two neighbours after some hundred activations.
 */
static void rates_do_not_multiply(void **state) {
    static const int64_t primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37,
                                     41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89};
    hk_arena *arena = hk_arena_create();
    (void)state;
    hk_program_proof proof = prove_ring(primes, sizeof primes / sizeof *primes, arena);
    assert_true(proof.right && !proof.limited);
    assert_true(proof.activations > 1000 && proof.activations < 100000);
    hk_arena_destroy(arena);
}

/* Where two neighbours alone take too long, that is reported, and not taken for a proof. */
static void a_limit_is_told(void **state) {
    static const int64_t primes[] = {999983, 1000003, 999979};
    hk_arena *arena = hk_arena_create();
    (void)state;
    hk_program_proof proof = prove_ring(primes, 3, arena);
    assert_true(proof.right && proof.limited);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thousand_programs_and_their_mutants),
                                       cmocka_unit_test(rates_do_not_multiply),
                                       cmocka_unit_test(a_limit_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
