/* SPDX-License-Identifier: MIT
 *
 * Placements: work is spread as evenly as by giving the dearest group to the idlest node, never
 * worse, and among ways that are as even there are few messages; neighbours stay together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "mixers.h"
#include "plan/flows.h"
#include "plan/place.h"

enum { SYSTEMS = 300, NODES = 3, WAYS = 2187 /* 3 to the power of COMPONENTS_MAX */ };

typedef struct score {
    double uneven, messages;
} score;

static double load_of(const hk_plan *plan, uint32_t component) {
    return 1e-6 * (double)plan->ticks_per_second / (double)plan->components[component].period;
}

/* By definition: work in all and by phase; a message for each activation and node that looks. */
static score judge(const hk_plan *plan, const uint32_t *node_of, uint32_t nodes) {
    const hk_model *model = plan->model;
    score s = {0};
    double busy[64] = {0}, at_level[64][64] = {{0}};
    for (uint32_t c = 0; c < model->component_count; c++) {
        bool seen[64] = {false};
        busy[node_of[c]] += load_of(plan, c);
        at_level[node_of[c]][plan->components[c].level] += load_of(plan, c);
        for (size_t i = 0; i < model->connection_count; i++)
            if (model->connections[i].from_component == c)
                seen[node_of[model->connections[i].to_component]] = true;
        for (uint32_t k = 0; k < nodes; k++)
            if (seen[k] && k != node_of[c])
                s.messages += (double)plan->ticks_per_second / (double)plan->components[c].period;
    }
    for (uint32_t k = 0; k < nodes; k++) {
        s.uneven += busy[k] * busy[k];
        for (uint32_t l = 0; l < plan->level_count; l++)
            s.uneven += at_level[k][l] * at_level[k][l];
    }
    return s;
}

static bool is_better(score a, score b) {
    bool even = a.uneven < b.uneven * (1 + 1e-6) && a.uneven > b.uneven * (1 - 1e-6);
    return even ? a.messages < b.messages * (1 - 1e-6) : a.uneven < b.uneven;
}

/* The best of all there are. */
static score best_of(const hk_plan *plan) {
    uint32_t node_of[COMPONENTS_MAX];
    score best = {INFINITY, INFINITY};
    for (uint32_t way = 0; way < WAYS; way++) {
        uint32_t rest = way;
        for (size_t c = 0; c < plan->model->component_count; c++, rest /= NODES)
            node_of[c] = rest % NODES;
        score s = judge(plan, node_of, NODES);
        if (is_better(s, best))
            best = s;
    }
    return best;
}

static void random_systems(void **state) {
    (void)state;
    size_t tried = 0, met = 0;
    for (uint32_t seed = 0; tried < SYSTEMS; seed++) {
        dice d = {hk_stream_make(seed, 0, "place_test", "system"), 0};
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_algorithm algorithm;
        hk_plan *plan = NULL;
        hk_model *model = random_model(ctx, &d, &algorithm);
        assert_int_equal(hk_check_model(ctx, model), HK_OK);
        hk_model_lower(model);
        if (hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = algorithm}, &plan) == HK_OK) {
            uint32_t node_of[COMPONENTS_MAX], again[COMPONENTS_MAX], apart[COMPONENTS_MAX];
            hk_place_components(plan, NODES, NULL, node_of);
            hk_place_components(plan, NODES, NULL, again);
            assert_memory_equal(node_of, again, model->component_count * sizeof *again);
            bool loops = false; /* of initial values: some must be together */
            hk_place_apart(plan, apart);
            for (uint32_t c = 0; c < model->component_count; c++)
                loops = loops || apart[c] != c;
            score best = best_of(plan), made = judge(plan, node_of, NODES);
            assert_true(loops || made.uneven < best.uneven * 1.2);
            met += !loops && !is_better(best, made);
            tried += !loops;
        }
        hk_plan_destroy(plan);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
    print_message("the best of all placements in %zu of %zu systems\n", met, tried);
    assert_true(met > tried * 9 / 10);
}

/* Links that are far apart in the model, and in a ring: each node has one piece of it. */
static void a_ring(void **state) {
    (void)state;
    enum { RING = 24, STRIDE = 7, PIECES = 4 };
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = hk_model_create("ring", NULL);
    const hk_info *info;
    hk_plan *plan = NULL;
    assert_int_equal(hk_native_info(ctx, model, &moving, &info), HK_OK);
    for (uint32_t c = 0; c < RING; c++) {
        char name[16];
        uint32_t index;
        snprintf(name, sizeof name, "c%u", c);
        assert_int_equal(hk_model_add_component(ctx, model, name, info, HK_NOWHERE, &index), HK_OK);
    }
    for (uint32_t c = 0; c < RING; c++)
        hk_model_connect(model, c, 3, (c + STRIDE) % RING, 0, HK_NOWHERE)->lag = HK_LAG_PREVIOUS;
    model->experiment.step = (hk_ratio){1, 1000};
    model->experiment.stop = (hk_ratio){1, 1};
    model->experiment.has_step = model->experiment.has_stop = true;
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){0}, &plan), HK_OK);
    uint32_t node_of[RING], in_turn[RING];
    hk_place_components(plan, PIECES, NULL, node_of);
    for (uint32_t c = 0; c < RING; c++)
        in_turn[c] = c % PIECES;
    score made = judge(plan, node_of, PIECES), dealt = judge(plan, in_turn, PIECES);
    print_message("%g messages per second, dealt out in turn %g\n", made.messages, dealt.messages);
    assert_true(made.uneven <= dealt.uneven * (1 + 1e-9));
    assert_true(made.messages <= dealt.messages / 2);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_systems), cmocka_unit_test(a_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
