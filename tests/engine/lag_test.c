/* SPDX-License-Identifier: MIT
 *
 * The lag rule on 1000 random systems: the engine against a reference interpreter that knows only
 * the rule itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mixers.h"

enum { SYSTEMS = 1000, THREADED_SYSTEMS = 200, THREADS_MAX = 3 };

/* False: there is no plan. */
static bool run_system(uint32_t seed, size_t *cut, size_t *deep) {
    dice d = {hk_stream_make(seed, 0, "lag_test", "system"), 0};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_algorithm algorithm;
    hk_model *model = random_model(ctx, &d, &algorithm);
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    hk_plan *plan = NULL;
    bool inputs = seed % 2;
    hk_status planned = hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = algorithm}, &plan);
    if (planned == HK_E_ZERO_LAG_CYCLE) { /* rare: a cycle of 'observe' */
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
        return false;
    }
    assert_int_equal(planned, HK_OK);
    for (size_t i = 0; i < model->connection_count; i++)
        *cut += plan->connections[i].cut;
    for (size_t c = 0; c < model->component_count; c++)
        *deep += plan->components[c].depth > 0;
    static tape t;
    hk_column columns[COMPONENTS_MAX * 4];
    hk_listener listener = {.columns = columns,
                            .column_count = all_columns(model, inputs, columns),
                            .sink = {tape_begin, tape_end, &t}};
    hk_sim_options options = {.listeners = &listener, .listener_count = 1};
    hk_columns_layout(columns, listener.column_count);
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        hk_sim *sim;
        t.rows = 0;
        options.threads = threads;
        options.threads_always = true;
        assert_int_equal(hk_sim_create(ctx, plan, &options, &sim), HK_OK);
        assert_int_equal(hk_sim_run(sim), HK_OK);
        compare(plan, &t, inputs, seed);
        hk_sim_destroy(sim);
        if (seed >= THREADED_SYSTEMS)
            break;
    }
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
    return true;
}

static void thousand_random_systems(void **state) {
    (void)state;
    size_t cut = 0, deep = 0, ran = 0;
    for (uint32_t seed = 0; ran < SYSTEMS; seed++)
        ran += run_system(seed, &cut, &deep);
    assert_true(cut > 100); /* the systems are as rich as they are meant to be */
    assert_true(deep > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thousand_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
