/* SPDX-License-Identifier: MIT */
#include "model/flatten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { U, Y, A, B };
static const size_t three[] = {3};
static hk_variable variables[] = {
    {.name = "u", .type = HK_TYPE_F64, .count = 1, .causality = HK_INPUT, .alias_of = U},
    {.name = "y", .type = HK_TYPE_F64, .count = 1, .causality = HK_OUTPUT, .alias_of = Y},
    {.name = "a",
     .type = HK_TYPE_F64,
     .count = 3,
     .dims = three,
     .dim_count = 1,
     .causality = HK_INPUT,
     .alias_of = A},
    {.name = "b",
     .type = HK_TYPE_F64,
     .count = 3,
     .dims = three,
     .dim_count = 1,
     .causality = HK_OUTPUT,
     .alias_of = B}};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_info info;
    hk_flat flat;
    hk_tree_connector connectors[4];
    hk_tree_connection connections[16];
    size_t count;
    hk_flat_problem problems[8];
    size_t problem_count;
    size_t connected, way_length;
} fixture;

static void report(void *user, const hk_flat_problem *problem) {
    fixture *f = user;
    f->problems[f->problem_count++] = *problem;
}

static void connected(void *user, const hk_flat_route *route, const hk_joined *joined) {
    fixture *f = user;
    f->connected += joined->count;
    f->way_length = route->count;
}

/* Components 0 to 2, and the connectors 0 to 3 of systems. */
static int set_up(void **state) {
    static fixture f;
    static const char *const names[] = {"p", "q", "r", "s"};
    f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("m", "m.x")};
    f.info = (hk_info){.name = "plain", .variables = variables, .variable_count = 4};
    hk_map_put(&f.info.by_name, "u", U);
    hk_map_put(&f.info.by_name, "y", Y);
    hk_map_put(&f.info.by_name, "a", A);
    hk_map_put(&f.info.by_name, "b", B);
    f.flat = (hk_flat){.ctx = f.ctx,
                       .arena = f.model->arena,
                       .model = f.model,
                       .hooks = {.user = &f, .report = report, .connected = connected}};
    for (size_t i = 0; i < 3; i++) {
        uint32_t index;
        assert_int_equal(
            hk_model_add_component(f.ctx, f.model, names[i], &f.info, HK_NOWHERE, &index), HK_OK);
    }
    for (size_t i = 0; i < 4; i++) {
        f.connectors[i] = (hk_tree_connector){.name = names[i]};
        assert_int_equal(hk_flat_add_node(&f.flat, "system", &f.connectors[i]), i);
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_map_finish(&f->info.by_name);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    return 0;
}

static hk_flat_end leaf(uint32_t component, uint32_t variable) {
    return (hk_flat_end){.at = {.component = component, .variable = variable},
                         .name = variables[variable].name};
}

static hk_flat_end node(const fixture *f, uint32_t index) {
    return (hk_flat_end){
        .is_node = true, .node = index, .connector = f->flat.nodes[index].connector};
}

/* Adds an edge in the next line; the connection may be changed. */
static hk_tree_connection *join(fixture *f, hk_flat_end from, hk_flat_end to) {
    hk_tree_connection *k = &f->connections[f->count++];
    *k = (hk_tree_connection){.factor = 1, .delay = {0, 1}, .where = {.line = (int)f->count}};
    hk_flat_edge edge = {.from = from, .to = to, .connection = k};
    assert_int_equal(hk_flat_add_edge(&f->flat, &edge), HK_MAP_NONE);
    return k;
}

static void connect_all(fixture *f) {
    for (uint32_t i = 0; i < f->flat.edge_count; i++)
        if (!f->flat.edges[i].to.is_node)
            hk_flat_connect(&f->flat, i);
}

static void change(hk_tree_connection *k, double factor, double offset) {
    k->transform = HK_TRANSFORM_LINEAR;
    k->factor = factor;
    k->offset = offset;
}

/* A way through three connectors is one connection, with all that is said on it. */
static void test_way(void **state) {
    fixture *f = *state;
    hk_flat_end from = leaf(0, Y), to = leaf(1, U);
    from.delay = (hk_ratio){1, 8};
    to.lag = HK_LAG_OBSERVE;
    hk_tree_connection *first = join(f, from, node(f, 0));
    join(f, node(f, 0), node(f, 1));
    hk_tree_connection *third = join(f, node(f, 1), node(f, 2));
    hk_tree_connection *last = join(f, node(f, 2), to);
    change(first, 2, 1);
    first->delay = (hk_ratio){1, 4};
    first->lag = HK_LAG_CURRENT;
    third->lag = HK_LAG_PREVIOUS;
    change(last, 10, 3);
    last->delay = (hk_ratio){1, 2};
    connect_all(f);
    assert_int_equal(f->problem_count, 0);
    assert_int_equal(f->model->connection_count, 1);
    assert_int_equal(f->connected, 1);
    assert_int_equal(f->way_length, 4);
    const hk_connection *k = &f->model->connections[0];
    assert_true(k->from_component == 0 && k->from_variable == Y);
    assert_true(k->to_component == 1 && k->to_variable == U);
    assert_true(k->transform.kind == HK_TRANSFORM_LINEAR);
    assert_true(k->transform.factor == 20 && k->transform.offset == 13);
    assert_int_equal(hk_ratio_compare(k->delay, (hk_ratio){7, 8}), 0);
    assert_int_equal(k->lag, HK_LAG_PREVIOUS);
    assert_int_equal(k->where.line, 4);
}

/* Without a word on the way the lag is that of the input. */
static void test_own_lag(void **state) {
    fixture *f = *state;
    hk_flat_end to = leaf(1, U);
    to.lag = HK_LAG_OBSERVE;
    join(f, leaf(0, Y), to);
    connect_all(f);
    assert_int_equal(f->model->connections[0].lag, HK_LAG_OBSERVE);
}

static void test_loop(void **state) {
    fixture *f = *state;
    join(f, node(f, 0), node(f, 1));
    join(f, node(f, 1), node(f, 2));
    join(f, node(f, 2), node(f, 0));
    join(f, node(f, 1), leaf(1, U));
    connect_all(f);
    assert_int_equal(f->model->connection_count, 0);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_LOOP);
    assert_int_equal(f->problems[0].node, 1);
    assert_int_equal(f->problems[0].where.line, 4);
    for (size_t i = 0; i < f->flat.node_count; i++)
        assert_false(f->flat.nodes[i].on_way);
}

/* A loop is an error also where no component reads it, and it is reported once. */
static void test_loop_unread(void **state) {
    fixture *f = *state;
    join(f, node(f, 0), node(f, 1));
    join(f, node(f, 1), node(f, 0));
    join(f, node(f, 0), node(f, 3)); /* leads out of it */
    connect_all(f);
    assert_int_equal(f->problem_count, 0);
    hk_flat_check_loops(&f->flat);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_LOOP);
    assert_int_equal(f->problems[0].where.line, 2);
    /* A way that leads into it is one more problem; the search says nothing new. */
    join(f, node(f, 3), leaf(1, U));
    connect_all(f);
    assert_int_equal(f->problem_count, 2);
    for (size_t i = 0; i < f->flat.node_count; i++)
        f->flat.nodes[i].stamp = 0;
    hk_flat_check_loops(&f->flat);
    assert_int_equal(f->problem_count, 2);
}

/* A connector that is driven by one of its own elements, and one that is driven well. */
static void test_loop_of_element(void **state) {
    fixture *f = *state;
    bool new;
    join(f, leaf(0, Y), node(f, 2));
    join(f, node(f, 2), node(f, 3));
    uint32_t first = hk_flat_part(&f->flat, 0, "[1]", &new);
    join(f, node(f, first), node(f, 1));
    join(f, node(f, 1), node(f, 0));
    hk_flat_check_loops(&f->flat);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_LOOP);
}

static void test_frames(void **state) {
    fixture *f = *state;
    hk_flat_end from = leaf(0, Y), to = leaf(1, U), good = leaf(2, U);
    from.frame = "body";
    to.frame = "north";
    good.frame = "body";
    join(f, from, node(f, 0));
    join(f, node(f, 0), to);
    join(f, node(f, 0), good);
    connect_all(f);
    assert_int_equal(f->model->connection_count, 1);
    assert_int_equal(f->model->connections[0].to_component, 2);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_FRAME);
    assert_string_equal(f->problems[0].have, "body");
    assert_string_equal(f->problems[0].want, "north");
}

/* Delays with great primes below the line do not add up. */
static void test_delays(void **state) {
    fixture *f = *state;
    join(f, leaf(0, Y), node(f, 0))->delay = (hk_ratio){1, 9223372036854775783};
    join(f, node(f, 0), leaf(1, U))->delay = (hk_ratio){1, 9223372036854775643};
    connect_all(f);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_DELAY);
    assert_int_equal(f->problems[0].where.line, 2);
}

/* Transformations that do not make a number together are reported where they stop doing so. */
static void test_range(void **state) {
    fixture *f = *state;
    change(join(f, leaf(0, Y), node(f, 0)), 1e308, 0);
    change(join(f, node(f, 0), node(f, 1)), 1e308, 0);
    join(f, node(f, 1), leaf(1, U));
    change(join(f, leaf(0, Y), node(f, 2)), 1e-308, 0);
    change(join(f, node(f, 2), leaf(2, U)), 1e-308, 0);
    connect_all(f);
    assert_int_equal(f->model->connection_count, 0);
    assert_int_equal(f->problem_count, 2);
    assert_int_equal(f->problems[0].kind, HK_FLAT_RANGE);
    assert_int_equal(f->problems[0].where.line, 2);
    assert_int_equal(f->problems[1].kind, HK_FLAT_RANGE);
    assert_int_equal(f->problems[1].where.line, 5);
    /* A factor of 0 is meant. */
    change(join(f, node(f, 2), node(f, 3)), 0, 3);
    change(join(f, node(f, 3), leaf(2, U)), 2, 0);
    hk_flat_connect(&f->flat, 6);
    assert_int_equal(f->problem_count, 2);
    assert_true(f->model->connections[0].transform.factor == 0);
    assert_true(f->model->connections[0].transform.offset == 6);
}

/* One element is read of a whole that is passed on, and a whole is put together of elements. */
static void test_elements(void **state) {
    fixture *f = *state;
    bool new;
    join(f, leaf(0, B), node(f, 0));
    uint32_t second = hk_flat_part(&f->flat, 0, "[2]", &new);
    assert_true(new);
    assert_int_equal(hk_flat_part(&f->flat, 0, "[2]", &new), second);
    assert_false(new);
    join(f, node(f, second), leaf(1, U));
    uint32_t third = hk_flat_part(&f->flat, 1, "[3]", &new);
    join(f, leaf(0, Y), node(f, third));
    join(f, node(f, 1), leaf(2, A));
    connect_all(f);
    assert_int_equal(f->problem_count, 0);
    assert_int_equal(f->model->connection_count, 2);
    const hk_connection *k = f->model->connections;
    assert_true(k[0].from_variable == B && k[0].from_slice.first == 1 &&
                k[0].from_slice.count == 1);
    assert_true(k[1].to_variable == A && k[1].to_slice.first == 2 && k[1].to_slice.count == 1);
    /* The whole cannot be driven beside an element. */
    hk_flat_edge late = {.from = leaf(1, B), .to = node(f, 1), .connection = &f->connections[0]};
    assert_int_equal(hk_flat_add_edge(&f->flat, &late), 2);
}

static void test_missing_element(void **state) {
    fixture *f = *state;
    bool new;
    join(f, leaf(0, B), node(f, 0));
    join(f, node(f, hk_flat_part(&f->flat, 0, "[4]", &new)), leaf(1, U));
    connect_all(f);
    assert_int_equal(f->model->connection_count, 0);
    assert_int_equal(f->problems[0].kind, HK_FLAT_ELEMENT);
    assert_string_equal(f->problems[0].have, "b[4]");
    assert_int_equal(f->problems[0].where.line, 2);
    /* What is wrong is said of the connection that names the element. */
    join(f, leaf(0, Y), node(f, hk_flat_part(&f->flat, 1, "[5]", &new)));
    join(f, node(f, 1), leaf(2, A));
    hk_flat_connect(&f->flat, 3);
    assert_int_equal(f->problem_count, 2);
    assert_string_equal(f->problems[1].have, "a[5]");
    assert_int_equal(f->problems[1].where.line, 3);
}

/* What a connector leads to that nothing drives, and who else drives that. */
static void test_leaves(void **state) {
    fixture *f = *state;
    change(join(f, node(f, 0), node(f, 1)), 3, 0);
    join(f, node(f, 1), leaf(1, U));
    join(f, leaf(0, Y), leaf(1, U));
    connect_all(f);
    const hk_flat_leaf *l = &f->flat.leaves[f->flat.nodes[0].first_leaf];
    assert_int_equal(f->flat.leaf_count, 1);
    assert_true(l->at.component == 1 && l->at.variable == U && l->transform.factor == 3);
    assert_int_equal(f->problem_count, 0);
    hk_flat_check_drivers(&f->flat);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_TWO_DRIVERS);
    assert_int_equal(f->problems[0].where.line, 2);
    assert_int_equal(f->problems[0].line, 3);
}

/* The element that is wanted of a connector that nothing drives has the leaf, not all of it. */
static void test_leaf_of_element(void **state) {
    fixture *f = *state;
    bool new;
    join(f, node(f, 0), node(f, 1));
    join(f, node(f, hk_flat_part(&f->flat, 1, "[2]", &new)), leaf(1, U));
    connect_all(f);
    assert_int_equal(f->problem_count, 0);
    assert_int_equal(f->flat.nodes[0].first_leaf, HK_MAP_NONE);
    assert_true(hk_flat_is_divided(&f->flat, 0));
    uint32_t part = hk_flat_part(&f->flat, 0, "[2]", &new);
    assert_false(new || hk_flat_is_divided(&f->flat, part));
    assert_int_equal(f->flat.leaves[f->flat.nodes[part].first_leaf].at.component, 1);
    join(f, node(f, 1), leaf(2, A));
    hk_flat_connect(&f->flat, 2);
    assert_true(hk_flat_is_divided(&f->flat, part));
}

/* An element of an element is not there. */
static void test_leaf_of_pieces(void **state) {
    fixture *f = *state;
    bool new;
    join(f, node(f, hk_flat_part(&f->flat, 0, "[3]", &new)), node(f, 1));
    join(f, node(f, hk_flat_part(&f->flat, 1, "[2]", &new)), leaf(1, U));
    connect_all(f);
    assert_int_equal(f->flat.leaf_count, 0);
    assert_int_equal(f->problem_count, 1);
    assert_int_equal(f->problems[0].kind, HK_FLAT_PIECES);
}

static bool never(void *user, const hk_flat_edge *edge) {
    (void)user;
    (void)edge;
    return false;
}

static void test_unusable(void **state) {
    fixture *f = *state;
    f->flat.hooks.usable = never;
    join(f, leaf(0, Y), leaf(1, U));
    connect_all(f);
    assert_int_equal(f->model->connection_count, 0);
    assert_int_equal(f->problem_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_way, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_own_lag, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loop_unread, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loop_of_element, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_delays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_elements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_element, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaf_of_element, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaf_of_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unusable, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("flatten", tests, NULL, NULL);
}
