/* SPDX-License-Identifier: MIT
 *
 * Random systems (rates, offsets, lags, delays, initial values, components by address and by calls)
 * run by fused code: the record is that of the interpreter, byte for byte, and what the lag rule
 * asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuse_rig.h"
#include "mixers.h"

#include <stdlib.h>

enum { SYSTEMS_MAX = 400 };

typedef struct system_run {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    hk_sim *sim;
    hk_column columns[COMPONENTS_MAX * 4];
    tape tape;
    bool inputs;
} system_run;

/* False: there is no plan. */
static bool open_system(uint32_t seed, system_run *r) {
    dice d = {hk_stream_make(seed, 0, "fuse_test", "system"), 0};
    hk_algorithm algorithm;
    r->ctx = hk_ctx_create(NULL, NULL);
    r->model = random_model(r->ctx, &d, &algorithm);
    r->plan = NULL;
    r->sim = NULL;
    r->inputs = seed % 2;
    r->tape.rows = 0;
    memset(r->tape.cells, 0, sizeof r->tape.cells);
    r->model->experiment.stop.num += 100;
    assert_int_equal(hk_check_model(r->ctx, r->model), HK_OK);
    hk_model_lower(r->model);
    hk_status planned =
        hk_plan_make(r->ctx, r->model, &(hk_plan_options){.algorithm = algorithm}, &r->plan);
    if (planned == HK_E_ZERO_LAG_CYCLE)
        return false;
    assert_int_equal(planned, HK_OK);
    size_t n = 0;
    for (uint32_t c = 0; c < r->model->component_count; c++)
        for (uint32_t v = r->inputs ? 0 : 3; v < 4; v++)
            r->columns[n++] = (hk_column){.name = "x",
                                          .component = c,
                                          .variable = v,
                                          .type = HK_TYPE_U64,
                                          .store = HK_STORE_U64};
    hk_columns_layout(r->columns, n);
    hk_listener listener = {
        .columns = r->columns, .column_count = n, .sink = {tape_begin, tape_end, &r->tape}};
    hk_sim_options options = {.listeners = &listener,
                              .listener_count = 1,
                              .profile_every = 11,
                              .monitor = seed % 5 == 4 ? HK_MONITOR_OFF : HK_MONITOR_PHASE};
    assert_int_equal(hk_sim_create(r->ctx, r->plan, &options, &r->sim), HK_OK);
    return true;
}

static void close_system(system_run *r) {
    hk_sim_destroy(r->sim);
    hk_plan_destroy(r->plan);
    hk_model_destroy(r->model);
    hk_ctx_destroy(r->ctx);
}

static void random_systems(void **state) {
    (void)state;
    static system_run r;
    static tape interpreted;
    static uint32_t seeds[SYSTEMS_MAX];
    fuse_shop shop;
    const char *asked = getenv("HK_FUSE_SYSTEMS");
    size_t systems = asked ? strtoul(asked, NULL, 10) : 24, merged = 0, deep = 0;
    uint64_t runs = 0;
    assert_true(systems <= SYSTEMS_MAX);
    fuse_shop_begin(&shop);
    for (uint32_t seed = 0; shop.count < systems; seed++) {
        if (open_system(seed, &r)) {
            seeds[shop.count] = seed;
            (void)fuse_add(&shop, r.sim, NULL);
        }
        close_system(&r);
    }
    fuse_shop_build(&shop, getenv("HK_FUSE_CC") ? getenv("HK_FUSE_CC") : "cc -O1", NULL);
    for (size_t i = 0; i < systems; i++) {
        assert_true(open_system(seeds[i], &r));
        assert_int_equal(hk_sim_run(r.sim), HK_OK);
        interpreted = r.tape;
        close_system(&r);
        assert_true(open_system(seeds[i], &r));
        fuse_attach(&shop, r.ctx, r.sim, i);
        if (hk_sim_run(r.sim) != HK_OK)
            fail_msg("system %u: %s", seeds[i], hk_ctx_diag(r.ctx, 0)->text);
        assert_int_equal(r.tape.rows, interpreted.rows);
        assert_memory_equal(r.tape.cells, interpreted.cells,
                            interpreted.rows * sizeof r.tape.cells[0]);
        compare(r.plan, &r.tape, r.inputs, seeds[i]);
        hk_fused_count count = hk_sim_fused(r.sim);
        assert_int_equal(count.fused, count.cells);
        runs += count.runs;
        merged += r.plan->rate_count > 1;
        for (size_t c = 0; c < r.model->component_count; c++)
            deep += r.plan->components[c].depth > 0;
        close_system(&r);
    }
    print_message("%zu systems, %llu runs of cells by fused code\n", systems,
                  (unsigned long long)runs);
    assert_true(runs > 50 * systems); /* they are as rich as they are meant to be */
    assert_true(merged > systems / 2);
    assert_true(deep > systems / 2);
    fuse_shop_end(&shop);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
