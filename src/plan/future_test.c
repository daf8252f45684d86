/* SPDX-License-Identifier: MIT
 *
 * Who is warned of values from the future, and how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_model.h"

typedef struct chain {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
} chain;

/* "plant" feeds "one", "two", "three". */
static chain make(hk_stamp plant, hk_stamp consumer) {
    chain c = {hk_ctx_create(NULL, NULL), hk_model_create("m", NULL), NULL};
    hk_info *from = fake_info(c.model, plant, 1, 1), *to = fake_info(c.model, consumer, 1, 1);
    static const char *const names[] = {"one", "two", "three"};
    fake_add(c.ctx, c.model, "plant", from, "0.1", NULL);
    for (uint32_t i = 0; i < 3; i++) {
        fake_add(c.ctx, c.model, names[i], to, "0.1", NULL);
        hk_model_connect(c.model, 0, 1, i + 1, 0, HK_NOWHERE);
    }
    fake_experiment(c.model, "0.1", "1");
    return c;
}

/* Plans, counts the warnings and ends. The text of the first one must hold PART. */
static void expect_warnings(chain *c, hk_algorithm algorithm, size_t count, const char *part) {
    hk_model_lower(c->model);
    assert_int_equal(
        hk_plan_make(c->ctx, c->model, &(hk_plan_options){.algorithm = algorithm}, &c->plan),
        HK_OK);
    assert_int_equal(notes_with(c->ctx, "holds only at the end of the step of 'plant'"), count);
    if (part)
        assert_non_null(strstr(hk_ctx_diag(c->ctx, 0)->text, part));
    hk_plan_destroy(c->plan);
    hk_model_destroy(c->model);
    hk_ctx_destroy(c->ctx);
}

static void one_cause_one_warning(void **state) {
    (void)state;
    chain c = make(HK_STAMP_END, HK_STAMP_START);
    expect_warnings(&c, HK_GAUSS_SEIDEL, 1,
                    "brings 'one.u0' a value that holds only at the end of the step of 'plant'; "
                    "the same holds for plant.y0 -> two.u0, plant.y0 -> three.u0");
    c = make(HK_STAMP_END, HK_STAMP_START);
    expect_warnings(&c, HK_JACOBI, 0, NULL);
}

static void each_that_is_written(void **state) {
    (void)state;
    chain c = make(HK_STAMP_END, HK_STAMP_START);
    c.model->connections[0].lag = c.model->connections[2].lag = HK_LAG_CURRENT;
    c.model->connections[1].lag = HK_LAG_OBSERVE;
    expect_warnings(&c, HK_JACOBI, 2, "the lag 'current' brings 'one.u0'");
}

static void only_what_is_early(void **state) {
    (void)state;
    chain c = make(HK_STAMP_END, HK_STAMP_END);
    expect_warnings(&c, HK_GAUSS_SEIDEL, 0, NULL);
    c = make(HK_STAMP_START, HK_STAMP_START);
    expect_warnings(&c, HK_GAUSS_SEIDEL, 0, NULL);
    /* A delay of a step makes it a value of the past, and so does half of one if the consumer is
     * not activated in between. */
    c = make(HK_STAMP_END, HK_STAMP_START);
    for (int i = 0; i < 3; i++)
        c.model->connections[i].delay = seconds(i == 0 ? "0.1" : "0.05");
    c.model->components[2].period = seconds("0.05");
    expect_warnings(&c, HK_GAUSS_SEIDEL, 1, "brings 'two.u0'");
    /* Where a cycle is cut, the previous value is seen. */
    c = make(HK_STAMP_END, HK_STAMP_START);
    for (int i = 1; i < 3; i++)
        c.model->connections[i].lag = HK_LAG_OBSERVE;
    hk_model_connect(c.model, 1, 1, 0, 0, HK_NOWHERE);
    c.model->components[0].priority = 1;
    expect_warnings(&c, HK_GAUSS_SEIDEL, 0, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cause_one_warning),
        cmocka_unit_test(each_that_is_written),
        cmocka_unit_test(only_what_is_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
