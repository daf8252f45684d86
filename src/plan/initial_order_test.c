/* SPDX-License-Identifier: MIT
 *
 * The order of initial values, and how a plan grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "fake_model.h"

#include <stdio.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_info *pass; /* u0 = 0, u1 = 1, y0 = 2, y1 = 3 */
    hk_plan *plan;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    f->pass = fake_info(f->model, HK_STAMP_END, 2, 2);
    fake_experiment(f->model, "0.001", "1");
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static void make(fixture *f) {
    hk_model_lower(f->model);
    assert_int_equal(
        hk_plan_make(f->ctx, f->model, &(hk_plan_options){.algorithm = HK_JACOBI}, &f->plan),
        HK_OK);
}

/* What y depends on in initialization mode. */
static void depends(hk_info *info, uint32_t y, const uint32_t *on, size_t count) {
    info->variables[y].depends_init = (hk_depends){.known = true, .on = on, .count = count};
}

static size_t group_of(const hk_plan *plan, uint32_t component, uint32_t variable) {
    size_t node = 0;
    for (size_t g = 0; g < plan->init_group_count; g++)
        for (; node < plan->init_group_end[g]; node++)
            if (plan->init_nodes[node].component == component &&
                plan->init_nodes[node].variable == variable)
                return g;
    fail_msg("%u.%u is not in the order", component, variable);
    return 0;
}

static size_t group_size(const hk_plan *plan, size_t g) {
    return plan->init_group_end[g] - (g ? plan->init_group_end[g - 1] : 0);
}

/* c2 -> c0 -> c1: values pass in the order of the chain, not of the model. */
static void a_chain(void **state) {
    fixture *f = *state;
    static const uint32_t u0[] = {0};
    depends(f->pass, 2, u0, 1);
    for (int i = 0; i < 3; i++)
        fake_add(f->ctx, f->model, (const char *const[]){"c0", "c1", "c2"}[i], f->pass, NULL, NULL);
    hk_model_connect(f->model, 0, 2, 1, 0, HK_NOWHERE);
    hk_model_connect(f->model, 2, 2, 0, 0, HK_NOWHERE);
    make(f);
    const hk_plan *p = f->plan;
    assert_int_equal(p->init_group_count, 4);
    static const hk_init_node order[] = {
        {2, 2, HK_MAP_NONE}, {0, 0, 1}, {0, 2, HK_MAP_NONE}, {1, 0, 0}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(p->init_group_end[i], i + 1);
        assert_int_equal(p->init_nodes[i].component, order[i].component);
        assert_int_equal(p->init_nodes[i].variable, order[i].variable);
        assert_int_equal(p->init_nodes[i].connection, order[i].connection);
    }
}

static void two_in_a_circle(fixture *f) {
    fake_add(f->ctx, f->model, "a", f->pass, NULL, NULL);
    fake_add(f->ctx, f->model, "b", f->pass, NULL, NULL);
    hk_model_connect(f->model, 0, 2, 1, 0, HK_NOWHERE);
    hk_model_connect(f->model, 1, 2, 0, 0, HK_NOWHERE);
}

/* a.y0 <-> b.y0 through u0; b.y1 -> a.u1 depends on nothing and stays outside the loop. */
static void a_loop(void **state) {
    fixture *f = *state;
    static const uint32_t u0[] = {0};
    depends(f->pass, 2, u0, 1);
    depends(f->pass, 3, NULL, 0);
    two_in_a_circle(f);
    hk_model_connect(f->model, 1, 3, 0, 1, HK_NOWHERE);
    make(f);
    assert_int_equal(f->plan->init_group_count, 3);
    size_t loop = group_of(f->plan, 0, 0);
    assert_int_equal(group_size(f->plan, loop), 4);
    assert_int_equal(group_of(f->plan, 0, 2), loop);
    assert_int_equal(group_of(f->plan, 1, 0), loop);
    assert_int_equal(group_of(f->plan, 1, 2), loop);
    assert_true(group_of(f->plan, 1, 3) < group_of(f->plan, 0, 1));
}

static void no_dependence_no_loop(void **state) {
    fixture *f = *state;
    depends(f->pass, 2, NULL, 0);
    two_in_a_circle(f);
    make(f);
    assert_int_equal(f->plan->init_group_count, 4);
}

/* The connection's own initial value asks nothing of the producer. */
static void an_initial_value_breaks_the_loop(void **state) {
    fixture *f = *state;
    two_in_a_circle(f); /* unknown dependencies */
    assert_true(hk_value_parse(f->model->arena, HK_TYPE_F64, 1, NULL, "1",
                               &f->model->connections[1].initial));
    make(f);
    assert_int_equal(f->plan->init_group_count, 2);
    assert_true(group_of(f->plan, 0, 2) < group_of(f->plan, 1, 0));
}

/* Unknown: both outputs wait for both inputs, so all of them are one loop. */
static void unknown_dependencies(void **state) {
    fixture *f = *state;
    two_in_a_circle(f);
    uint32_t source = fake_add(f->ctx, f->model, "source", f->pass, NULL, NULL);
    uint32_t sink = fake_add(f->ctx, f->model, "sink", f->pass, NULL, NULL);
    hk_model_connect(f->model, source, 2, 0, 1, HK_NOWHERE);
    hk_model_connect(f->model, 0, 3, sink, 0, HK_NOWHERE);
    make(f);
    size_t loop = group_of(f->plan, 0, 0);
    assert_int_equal(group_size(f->plan, loop), 4); /* the hub itself is not a node */
    size_t before = group_of(f->plan, 0, 1);
    size_t after = group_of(f->plan, 0, 3);
    assert_true(group_of(f->plan, source, 2) < before);
    assert_true(before < loop && loop < after);
    assert_true(after < group_of(f->plan, sink, 0));
    assert_int_equal(f->plan->init_group_end[f->plan->init_group_count - 1], 8);
}

/* Outputs that depend on nothing wait all the same until the inputs of their component are there,
 * whatever the order of the model: c (last) -> a -> b. */
static void inputs_first(void **state) {
    fixture *f = *state;
    depends(f->pass, 2, NULL, 0);
    depends(f->pass, 3, NULL, 0);
    for (int i = 0; i < 3; i++)
        fake_add(f->ctx, f->model, (const char *const[]){"a", "b", "c"}[i], f->pass, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        hk_model_connect(f->model, 0, 2 + i, 1, i, HK_NOWHERE);
        hk_model_connect(f->model, 2, 2 + i, 0, i, HK_NOWHERE);
    }
    make(f);
    assert_int_equal(f->plan->init_group_count, 8);
    for (uint32_t input = 0; input < 2; input++)
        for (uint32_t output = 2; output < 4; output++)
            assert_true(group_of(f->plan, 0, input) < group_of(f->plan, 0, output));
}

/* One output that drives two inputs is read once. */
static void one_output_many_inputs(void **state) {
    fixture *f = *state;
    depends(f->pass, 2, NULL, 0);
    fake_add(f->ctx, f->model, "a", f->pass, NULL, NULL);
    fake_add(f->ctx, f->model, "b", f->pass, NULL, NULL);
    hk_model_connect(f->model, 0, 2, 1, 0, HK_NOWHERE);
    hk_model_connect(f->model, 0, 2, 1, 1, HK_NOWHERE);
    make(f);
    assert_int_equal(f->plan->init_group_count, 3);
    assert_int_equal(f->plan->init_nodes[0].connection, HK_MAP_NONE);
}

/* N components at 1, 7, 11 and 13 ms, chains with feedback in between. */
static hk_plan *grown(hk_ctx *ctx, hk_model *model, uint32_t n, double *ret_seconds,
                      uint64_t *ret_allocations) {
    static const char *const periods[] = {"0.001", "0.007", "0.011", "0.013"};
    hk_info *info = fake_info(model, HK_STAMP_END, 2, 2);
    fake_experiment(model, "0.001", "10");
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%u", i);
        fake_add(ctx, model, name, info, periods[i % 4], NULL);
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        hk_model_connect(model, i, 2, i + 1, 0, HK_NOWHERE);
        hk_model_connect(model, i + 1, 3, i, 1, HK_NOWHERE)->delay = seconds("0.02");
    }
    hk_model_lower(model);
    uint64_t before = hk_alloc_count();
    clock_t begin = clock();
    hk_plan *plan = NULL;
    assert_int_equal(
        hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = HK_GAUSS_SEIDEL}, &plan), HK_OK);
    *ret_seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    *ret_allocations = hk_alloc_count() - before;
    return plan;
}

/* Depth is what a plan costs in memory per component beside its arrays; it must not depend on how
 * many components there are, and the number of allocations must not grow with the product of the
 * rates (1001 instants in the common period). */
static void growth(void **state) {
    (void)state;
    uint64_t allocations[2];
    uint32_t deepest[2] = {0};
    for (int round = 0; round < 2; round++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_model *model = hk_model_create("grown", NULL);
        double took;
        hk_plan *plan = grown(ctx, model, round ? 10000 : 1000, &took, &allocations[round]);
        assert_true(took < 2.0);
        assert_int_equal(plan->rate_count, 4);
        assert_int_equal(plan->level_count, round ? 10000 : 1000);
        for (size_t i = 0; i < model->component_count; i++)
            if (plan->components[i].depth > deepest[round])
                deepest[round] = plan->components[i].depth;
        hk_plan_destroy(plan);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
    /* 20 ms of delay hold 20 activations of 1 ms; the producer runs after its consumer or before.
     */
    assert_in_range(deepest[0], 19, 21);
    assert_int_equal(deepest[1], deepest[0]);
    assert_true(allocations[1] <= 12 * allocations[0] + 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_dependence_no_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_initial_value_breaks_the_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_dependencies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inputs_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_output_many_inputs, set_up, tear_down),
        cmocka_unit_test(growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
