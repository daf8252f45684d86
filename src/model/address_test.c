/* SPDX-License-Identifier: MIT */
#include "model/address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LIST, MATRIX, SCALAR, TWIN, X1, X2, X3, Y11, Y12, Y21, Y22, Z1, Z3, ONE, VARIABLES };
static const size_t three[] = {3}, two_by_three[] = {2, 3}, single[] = {1};
static hk_variable variables[VARIABLES] = {
    [LIST] = {.name = "list", .count = 3, .dims = three, .dim_count = 1},
    [MATRIX] = {.name = "m", .count = 6, .dims = two_by_three, .dim_count = 2},
    [SCALAR] = {.name = "s", .count = 1},
    [TWIN] = {.name = "list[2]", .count = 1}, /* a name as FMI 2.0 allows it */
    [X1] = {.name = "x[1]", .count = 1},
    [X2] = {.name = "x[2]", .count = 1},
    [X3] = {.name = "x[3]", .count = 1},
    [Y11] = {.name = "y[1,1]", .count = 1},
    [Y12] = {.name = "y[1,2]", .count = 1},
    [Y21] = {.name = "y[2,1]", .count = 1},
    [Y22] = {.name = "y[2,2]", .count = 1},
    [Z1] = {.name = "z[1]", .count = 1},
    [Z3] = {.name = "z[3]", .count = 1}, /* z[2] is missing: no array */
    [ONE] = {.name = "one", .count = 1, .dims = single, .dim_count = 1},
};
static hk_info info = {.name = "T", .variables = variables, .variable_count = VARIABLES};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    static fixture f;
    uint32_t index;
    f.ctx = hk_ctx_create(NULL, NULL);
    f.model = hk_model_create("test", "test.ssd");
    for (uint32_t i = 0; i < VARIABLES; i++) {
        variables[i].initial = HK_EXACT;
        variables[i].causality = HK_INPUT;
        variables[i].variability = HK_CONTINUOUS;
        hk_map_put(&info.by_name, variables[i].name, i);
    }
    if (hk_model_add_component(f.ctx, f.model, "a", &info, HK_NOWHERE, &index) != HK_OK ||
        hk_model_add_component(f.ctx, f.model, "a.b", &info, HK_NOWHERE, &index) != HK_OK)
        return -1;
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_map_finish(&info.by_name);
    return 0;
}

static void test_names(void **state) {
    fixture *f = *state;
    static const struct {
        const char *name;
        uint32_t component, variable, element, count;
    } rows[] = {
        {"a.list", 0, LIST, 0, 0},       {"a.list[1]", 0, LIST, 0, 1},
        {"a.list[3]", 0, LIST, 2, 1},    {"a.list[2]", 0, TWIN, 0, 0},
        {"a.m", 0, MATRIX, 0, 0},        {"a.m[1,1]", 0, MATRIX, 0, 1},
        {"a.m[2,1]", 0, MATRIX, 3, 1},   {"a.m[2,3]", 0, MATRIX, 5, 1},
        {"a.m[4]", 0, MATRIX, 3, 1},     {"a.x[3]", 0, X3, 0, 0},
        {"a.b.m[1,2]", 1, MATRIX, 1, 1}, {"a.one[1]", 0, ONE, 0, 1},
        {"top[2]", 1, MATRIX, 1, 1},     {"top[2,2]", 1, MATRIX, 4, 1},
        {"top", 1, MATRIX, 0, 0},
    };
    assert_true(hk_model_add_alias(f->model, "top", 1, MATRIX, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_address at;
        assert_true(hk_model_find(f->model, rows[i].name, &at));
        assert_int_equal(at.component, rows[i].component);
        assert_int_equal(at.variable, rows[i].variable);
        assert_int_equal(at.element, rows[i].element);
        assert_int_equal(at.count, rows[i].count);
        assert_null(at.group);
    }
    static const char *const none[] = {
        "a.list[0]",  "a.list[4]", "a.list[]",  "a.list[1,1]", "a.list[1",   "a.list[x]",
        "a.list[1] ", "a.m[0,1]",  "a.m[3,1]",  "a.m[1,4]",    "a.m[1,1,1]", "a.m[7]",
        "a.s[1]",     "a.[1]",     "[1]",       "a.m[1,]",     "a.m[,1]",    "a.x",
        "top[7]",     "top[1][1]", "a.m[-1,1]", "a.m[1][2]"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        hk_address at;
        if (hk_model_find(f->model, none[i], &at))
            fail_msg("'%s' was found", none[i]);
    }
}

static void test_written(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"a.m[1,1]", "a.m[1,2]", "a.m[1,3]",
                                        "a.m[2,1]", "a.m[2,2]", "a.m[2,3]"};
    for (uint32_t i = 0; i < 6; i++) {
        hk_address at = {.variable = MATRIX, .element = i, .count = 1}, back;
        const char *name = hk_address_name(f->model->arena, f->model, &at);
        assert_string_equal(name, names[i]);
        assert_true(hk_model_find(f->model, name, &back) && back.element == i);
    }
}

static void test_groups(void **state) {
    fixture *f = *state;
    hk_address at;
    assert_true(hk_model_find_end(f->model, "a.b.y", &at));
    assert_int_equal(at.component, 1);
    assert_non_null(at.group);
    assert_int_equal(at.group->count, 4);
    assert_int_equal(at.group->dim_count, 2);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(at.group->variables[i], Y11 + i);
    assert_string_equal(hk_address_name(f->model->arena, f->model, &at), "a.b.y");
    assert_false(hk_model_find_end(f->model, "a.z", &at));
    assert_false(hk_model_find_end(f->model, "a.nothing", &at));
    assert_true(hk_model_find_end(f->model, "a.list", &at) && !at.group);
}

static hk_status join(fixture *f, const char *from, const char *to, const hk_connection *like,
                      size_t *count) {
    hk_address a, b;
    hk_joined joined = {0};
    assert_true(hk_model_find_end(f->model, from, &a) && hk_model_find_end(f->model, to, &b));
    hk_status status = hk_model_join(f->ctx, f->model, &a, &b, like, &joined);
    *count = joined.count;
    return status;
}

static void test_joins(void **state) {
    fixture *f = *state;
    double initial[] = {7, 8, 9};
    hk_connection like = {.delay = {1, 2}, .initial = {HK_TYPE_F64, 3, initial}};
    size_t count = 0;
    assert_int_equal(join(f, "a.list", "a.b.x", &like, &count), HK_OK);
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const hk_connection *k = &f->model->connections[i];
        assert_true(k->from_variable == LIST && k->from_slice.first == i);
        assert_int_equal(k->from_slice.count, 1);
        assert_true(k->to_component == 1 && k->to_variable == X1 + i && !k->to_slice.count);
        assert_true(k->paired && k->delay.den == 2 && k->initial.count == 1);
        assert_true(*(double *)k->initial.data == 7 + i);
        assert_int_equal(hk_connection_count(f->model, k), 1);
    }
    assert_string_equal(hk_connection_name(f->model, &f->model->connections[1]),
                        "a.list[2] -> a.b.x[2]");
    assert_int_equal(join(f, "a.x", "a.b.list", &like, &count), HK_OK);
    assert_int_equal(f->model->connections[5].to_slice.first, 2);
    like.initial.data = NULL;
    assert_int_equal(join(f, "a.m[2,3]", "a.b.s", &like, &count), HK_OK);
    assert_int_equal(count, 1);
    assert_false(f->model->connections[6].paired);
    assert_int_equal(join(f, "a.x", "a.b.y", &like, &count), HK_E_CONNECTION);
    assert_int_equal(join(f, "a.m", "a.b.y", &like, &count), HK_E_CONNECTION);
    const hk_diag *d = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_string_equal(d->text, "shapes differ: 'a.m' is [2][3], 'a.b.y' is [2][2]");
    assert_int_equal(f->model->connection_count, 7);
}

static const double *setting(const fixture *f, uint32_t variable) {
    const hk_component *c = &f->model->components[0];
    for (size_t i = c->setting_count; i-- > 0;)
        if (c->settings[i].variable == variable)
            return c->settings[i].value.data;
    return NULL;
}

static void test_settings(void **state) {
    fixture *f = *state;
    static double start[] = {1, 2, 3};
    variables[LIST].start = (hk_value){HK_TYPE_F64, 3, start};
    hk_slice second = {1, 1}, third = {2, 1};
    assert_int_equal(hk_model_set_slice(f->ctx, f->model, 0, LIST, second,
                                        &(hk_given_text){"20", NULL, {HK_FROM_SYSTEM, HK_NOWHERE}}),
                     HK_OK);
    const double *now = setting(f, LIST);
    assert_true(now[0] == 1 && now[1] == 20 && now[2] == 3);
    assert_int_equal(hk_model_set_slice(f->ctx, f->model, 0, LIST, third,
                                        &(hk_given_text){"30", NULL, {HK_FROM_USER, HK_NOWHERE}}),
                     HK_OK);
    now = setting(f, LIST);
    assert_true(now[0] == 1 && now[1] == 20 && now[2] == 30);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 0);
    assert_int_equal(hk_model_set_slice(f->ctx, f->model, 0, LIST, third,
                                        &(hk_given_text){"1 2", NULL, {HK_FROM_USER, HK_NOWHERE}}),
                     HK_E_VALUE);
    variables[LIST].start = (hk_value){0};
    /* Without a start value the others are 0, and that is said. */
    size_t said = hk_ctx_count(f->ctx, HK_WARNING);
    assert_int_equal(hk_model_set_slice(f->ctx, f->model, 0, MATRIX, second,
                                        &(hk_given_text){"5", NULL, {HK_FROM_USER, HK_NOWHERE}}),
                     HK_OK);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), said + 1);
    now = setting(f, MATRIX);
    assert_true(now[0] == 0 && now[1] == 5 && now[5] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_joins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_settings, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
