/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_model.h"

/* By brute force: at a consumer activation t, the producer activations s with s + lag > t that were
 * published before the consumer looks (s < t, or s = t if the producer runs first). Far from the
 * start, so that nothing is missing, over one common period. */
static int64_t brute_force(hk_tick pp, hk_tick po, hk_tick cp, hk_tick co, hk_tick lag,
                           bool same_first) {
    int64_t most = 0;
    for (hk_tick k = 40; k < 40 + pp; k++) {
        hk_tick t = co + k * cp;
        int64_t newer = 0;
        for (hk_tick s = po; s <= t; s += pp)
            newer += (s < t || same_first) && s + lag > t;
        most = newer > most ? newer : most;
    }
    return most;
}

/* All lags of one pair; returns how many of them need more than 3 older values. */
static size_t newer_counts_of(hk_tick pp, hk_tick po, hk_tick cp, hk_tick co) {
    size_t deep = 0;
    for (hk_tick lag = 0; lag <= 20; lag++)
        for (int first = 0; first < 2; first++) {
            int64_t expected = brute_force(pp, po, cp, co, lag, first);
            int64_t found = hk_plan_newer_count(pp, po, cp, co, lag, first);
            if (found != expected)
                fail_msg("producer %d+%d consumer %d+%d lag %d first %d: %d, expected %d", (int)pp,
                         (int)po, (int)cp, (int)co, (int)lag, first, (int)found, (int)expected);
            deep += expected > 3;
        }
    return deep;
}

static void newer_counts(void **state) {
    (void)state;
    size_t deep = 0;
    for (hk_tick pp = 1; pp <= 6; pp++)
        for (hk_tick po = 0; po < pp; po++)
            for (hk_tick cp = 1; cp <= 6; cp++)
                for (hk_tick co = 0; co < cp; co++)
                    deep += newer_counts_of(pp, po, cp, co);
    assert_true(deep > 1000);
}

static void hand_computed_depths(void **state) {
    (void)state;
    /* Period 1, lag 1: at t the newest published is t - 1, which is the one to be seen. */
    assert_int_equal(hk_plan_newer_count(1, 0, 1, 0, 1, false), 0);
    /* If the producer runs first, its activation at t is there too. */
    assert_int_equal(hk_plan_newer_count(1, 0, 1, 0, 1, true), 1);
    /* Period 10 seen every tick with lag 10: at t = 11..19 activation 10 is not to be seen yet. */
    assert_int_equal(hk_plan_newer_count(10, 0, 1, 0, 10, false), 1);
    /* A delay of 100 periods. */
    assert_int_equal(hk_plan_newer_count(1, 0, 1, 0, 101, false), 100);
    /* Large numbers: no loop runs over them. */
    hk_tick giga = INT64_C(1000000007);
    assert_int_equal(hk_plan_newer_count(giga, 0, giga, 0, 1000 * giga, false), 999);
}

static void depths_of_a_plan(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = hk_model_create("m", NULL);
    hk_info *info = fake_info(model, HK_STAMP_END, 2, 1);
    fake_experiment(model, "0.001", "1");
    uint32_t a = fake_add(ctx, model, "a", info, NULL, NULL);
    uint32_t b = fake_add(ctx, model, "b", info, NULL, NULL);
    hk_model_connect(model, a, 2, b, 0, HK_NOWHERE);
    hk_model_connect(model, a, 2, b, 1, HK_NOWHERE)->delay = seconds("0.005");
    hk_connection *own = hk_model_connect(model, b, 2, a, 0, HK_NOWHERE);
    assert_true(hk_value_parse(model->arena, HK_TYPE_F64, 1, NULL, "3", &own->initial));
    hk_plan *plan = NULL;
    hk_model_lower(model);
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = HK_JACOBI}, &plan),
                     HK_OK);
    assert_true(plan->connections[0].direct);
    assert_false(plan->connections[1].direct);
    assert_false(plan->connections[2].direct); /* its own initial value is not the port's */
    assert_int_equal(plan->components[a].depth, 5);
    assert_int_equal(plan->components[b].depth, 0);
    hk_plan_destroy(plan);

    model->connections[1].delay = seconds("10001"); /* 10,001,000 activations */
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = HK_JACOBI}, &plan),
                     HK_E_TIME);
    assert_non_null(strstr(newest_error(ctx)->text, "'a'"));
    assert_non_null(newest_error(ctx)->hint);
    assert_non_null(strstr(newest_error(ctx)->where.element, "a.y0 -> b.u1"));
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newer_counts),
        cmocka_unit_test(hand_computed_depths),
        cmocka_unit_test(depths_of_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
