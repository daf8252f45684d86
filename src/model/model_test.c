/* SPDX-License-Identifier: MIT */
#include "model/address.h"
#include "model/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static hk_uom kelvin, metre;
static hk_variable variables[] = {
    {.name = "u",
     .causality = HK_INPUT,
     .variability = HK_CONTINUOUS,
     .count = 1,
     .unit = "m",
     .uom = &metre},
    {.name = "y",
     .causality = HK_OUTPUT,
     .variability = HK_CONTINUOUS,
     .count = 1,
     .initial = HK_CALCULATED},
    {.name = "a.b",
     .causality = HK_PARAMETER,
     .initial = HK_EXACT,
     .count = 1,
     .unit = "K",
     .uom = &kelvin,
     .variability = HK_FIXED},
    {.name = "n",
     .causality = HK_PARAMETER,
     .initial = HK_EXACT,
     .count = 1,
     .type = HK_TYPE_I32,
     .variability = HK_FIXED},
};
static hk_info info = {.name = "Plant", .variables = variables, .variable_count = 4};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    static fixture f;
    hk_uom_parse("K", &kelvin);
    hk_uom_parse("m", &metre);
    for (uint32_t i = 0; i < 4; i++)
        hk_map_put(&info.by_name, variables[i].name, i);
    f.ctx = hk_ctx_create(NULL, NULL);
    f.model = hk_model_create("test", "test.ssd");
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

static uint32_t add(fixture *f, const char *name) {
    uint32_t index = HK_MAP_NONE;
    hk_where where = {.file = "test.ssd", .line = 3};
    assert_int_equal(hk_model_add_component(f->ctx, f->model, name, &info, where, &index), HK_OK);
    return index;
}

static const hk_diag *last(fixture *f) {
    return hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
}

static void test_find(void **state) {
    fixture *f = *state;
    uint32_t sub = add(f, "sub");
    hk_address at;
    assert_true(hk_model_find(f->model, "u", &at)); /* the only component */
    assert_true(at.component == sub && at.variable == 0);
    uint32_t inner = add(f, "sub.a"), plain = add(f, "plain");
    assert_false(hk_model_find(f->model, "u", &at));
    assert_true(hk_model_find(f->model, "sub.u", &at));
    assert_true(at.component == sub && at.variable == 0);
    assert_true(hk_model_find(f->model, "sub.a.u", &at));
    assert_true(at.component == inner && at.variable == 0);
    assert_true(hk_model_find(f->model, "sub.a.b", &at)); /* sub.a has no b */
    assert_true(at.component == sub && at.variable == 2);
    assert_true(hk_model_find(f->model, "sub.a.a.b", &at));
    assert_true(at.component == inner && at.variable == 2);
    assert_false(hk_model_find(f->model, "sub.a.c", &at));
    assert_false(hk_model_find(f->model, "", &at));
    assert_false(hk_model_find(f->model, ".", &at));
    const hk_branch branch = {.component = plain};
    assert_true(hk_model_add_alias(f->model, "height", plain, 1, &branch));
    assert_false(hk_model_add_alias(f->model, "height", plain, 0, NULL));
    assert_ptr_equal(hk_model_branches(f->model, "height"), &branch);
    assert_null(hk_model_branches(f->model, "sub.u"));
    assert_true(hk_model_find(f->model, "height", &at));
    assert_true(at.component == plain && at.variable == 1);
}

static void test_duplicate(void **state) {
    fixture *f = *state;
    add(f, "a");
    uint32_t index;
    hk_where where = {.file = "test.ssd", .line = 9};
    assert_int_equal(hk_model_add_component(f->ctx, f->model, "a", &info, where, &index),
                     HK_E_DUPLICATE);
    assert_int_equal(last(f)->where.line, 9);
    assert_non_null(strstr(last(f)->text, "line 3"));
}

static hk_status set(fixture *f, uint32_t v, const char *text, const char *unit, hk_source source) {
    hk_uom uom;
    if (unit)
        assert_true(hk_uom_parse(unit, &uom));
    return hk_model_set(f->ctx, f->model, 0, v,
                        &(hk_given_text){text, unit ? &uom : NULL, {source, HK_NOWHERE}});
}

static void test_set(void **state) {
    fixture *f = *state;
    add(f, "a");
    assert_int_equal(set(f, 2, "20", "degC", HK_FROM_USER), HK_OK);
    assert_int_equal(set(f, 0, "1500", "mm", HK_FROM_SYSTEM), HK_OK);
    assert_int_equal(set(f, 0, "2", NULL, HK_FROM_USER), HK_OK);
    assert_int_equal(set(f, 2, "300", NULL, HK_FROM_SYSTEM), HK_OK);
    const hk_component *c = &f->model->components[0];
    static const struct {
        uint32_t variable;
        double value;
    } order[] = {{0, 1.5}, {2, 300}, {2, 293.15}, {0, 2}};
    assert_int_equal(c->setting_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(c->settings[i].variable, order[i].variable);
        assert_true(*(double *)c->settings[i].value.data == order[i].value);
    }
}

static void test_set_refused(void **state) {
    fixture *f = *state;
    add(f, "a");
    assert_int_equal(set(f, 1, "1", NULL, HK_FROM_USER), HK_E_PARAMETER);
    assert_non_null(strstr(last(f)->text, "'a.y'"));
    assert_int_equal(set(f, 0, "one", NULL, HK_FROM_USER), HK_E_VALUE);
    assert_non_null(strstr(last(f)->text, "'one' is not a value of type Float64 for 'a.u'"));
    assert_int_equal(set(f, 0, "1", "s", HK_FROM_USER), HK_E_UNIT_MISMATCH);
    assert_non_null(strstr(last(f)->text, "'m' (m)"));
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 3);
    assert_int_equal(set(f, 3, "1", "s", HK_FROM_USER), HK_OK); /* no unit: a warning */
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 4);
    assert_int_equal(f->model->components[0].setting_count, 1);
}

/* A component whose arrays have as many elements as `n` says. */
enum { SIZE, LIST, OUT, SIZED_VARIABLES };
static uint64_t two = 2;
static hk_variable sized_variables[][SIZED_VARIABLES] = {
    {{.name = "n",
      .type = HK_TYPE_U64,
      .causality = HK_STRUCTURAL_PARAMETER,
      .variability = HK_FIXED,
      .initial = HK_EXACT,
      .min = 1,
      .max = 9,
      .count = 1,
      .start = {HK_TYPE_U64, 1, &two}},
     {.name = "list", .causality = HK_INPUT, .variability = HK_CONTINUOUS, .count = 2},
     {.name = "out", .causality = HK_OUTPUT, .variability = HK_CONTINUOUS, .count = 2}},
    {{0}}};
static hk_info sized[2];

static hk_status fake_resize(hk_ctx *ctx, const hk_info *old, const uint32_t *v,
                             const hk_value *values, size_t n, const hk_info **ret_info) {
    (void)old;
    assert_true(n == 1 && v[0] == SIZE && values->type == HK_TYPE_U64);
    size_t size = *(uint64_t *)values->data;
    if (size == 7)
        return hk_error(ctx, HK_E_FMI_DESCRIPTION, HK_NOWHERE, NULL, "seven does not fit");
    memcpy(sized_variables[1], sized_variables[0], sizeof sized_variables[0]);
    sized_variables[1][LIST].count = sized_variables[1][OUT].count = size;
    sized_variables[1][SIZE].start = *values;
    *ret_info = &sized[1];
    return HK_OK;
}

static void test_structural(void **state) {
    fixture *f = *state;
    static const hk_unit_class class = {.resize = fake_resize};
    for (int i = 0; i < 2; i++)
        sized[i] = (hk_info){.name = "Sized",
                             .variables = sized_variables[i],
                             .variable_count = SIZED_VARIABLES,
                             .unit_class = &class};
    uint32_t index;
    assert_int_equal(hk_model_add_component(f->ctx, f->model, "a", &sized[0], HK_NOWHERE, &index),
                     HK_OK);
    const hk_component *c = &f->model->components[0];
    hk_connection *k = hk_model_connect(f->model, 0, OUT, 0, LIST, HK_NOWHERE);
    assert_true(hk_value_parse(f->model->arena, HK_TYPE_F64, 2, NULL, "5", &k->initial));
    assert_int_equal(set(f, LIST, "1.5", NULL, HK_FROM_SYSTEM), HK_OK); /* one value for all */
    assert_int_equal(set(f, SIZE, "4", NULL, HK_FROM_USER), HK_OK);
    assert_ptr_equal(c->info, &sized[1]);
    assert_int_equal(c->setting_count, 1); /* the size is not a setting */
    assert_int_equal(*(uint64_t *)c->info->variables[SIZE].start.data, 4);
    assert_int_equal(c->settings[0].value.count, 4);
    assert_true(((double *)c->settings[0].value.data)[3] == 1.5);
    assert_int_equal(k->initial.count, 4);
    assert_true(((double *)k->initial.data)[3] == 5);
    assert_int_equal(set(f, LIST, "1 2 3 4", NULL, HK_FROM_USER), HK_OK);
    assert_int_equal(set(f, LIST, "1 2 3", NULL, HK_FROM_USER), HK_E_VALUE);
    assert_int_equal(set(f, SIZE, "3", NULL, HK_FROM_USER), HK_E_PARAMETER);
    assert_non_null(strstr(last(f)->text, "'a.list' was given 4 values"));
    assert_non_null(strstr(last(f)->hint, "structural parameters first"));
    assert_int_equal(set(f, SIZE, "7", NULL, HK_FROM_USER), HK_E_FMI_DESCRIPTION);
    assert_non_null(strstr(last(f)->text, "'a.n'"));
    size_t warnings = hk_ctx_count(f->ctx, HK_WARNING);
    assert_int_equal(set(f, SIZE, "12", NULL, HK_FROM_USER), HK_E_PARAMETER);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), warnings + 2); /* beyond max, too */
    assert_int_equal(set(f, SIZE, "-1", NULL, HK_FROM_USER), HK_E_VALUE);
}

static void test_connection(void **state) {
    fixture *f = *state;
    uint32_t a = add(f, "a"), b = add(f, "b");
    hk_where where = {.file = "test.ssd", .line = 12, .column = 5};
    const hk_connection *k = hk_model_connect(f->model, a, 1, b, 0, where);
    assert_string_equal(hk_connection_name(f->model, k), "a.y -> b.u");
    assert_string_equal(hk_connection_where(f->model, k).element, "connection a.y -> b.u");
    assert_int_equal(hk_connection_where(f->model, k).line, 12);
    assert_true(k->transform.kind == HK_TRANSFORM_NONE && k->transform.factor == 1);
}

static int released;
static void release(void *object) {
    released = 10 * released + *(int *)object;
}

static void test_owned(void **state) {
    (void)state;
    static int first = 1, second = 2;
    hk_model *model = hk_model_create("m", NULL);
    hk_model_own(model, &first, release);
    hk_model_own(model, &second, release);
    hk_model_destroy(model);
    assert_int_equal(released, 21);
    hk_model_destroy(NULL);
}

/* D2: whole steps, but for one part in 10^9. */
static void test_round_periods(void **state) {
    fixture *f = *state;
    static const struct {
        const char *period;
        int64_t num, den; /* 0: as it was */
    } cases[] = {{"100000000000/3333333333333", 3, 100},
                 {"0.0299999999", 0, 0},
                 {"0.03", 3, 100},
                 {"0.00001", 0, 0},
                 {"0.0299999999999", 3, 100}};
    f->model->experiment.step = (hk_ratio){1, 100};
    uint32_t index = add(f, "periodic");
    hk_component *c = &f->model->components[index];
    hk_model_round_periods(f->model); /* it has no period */
    assert_false(c->has_period);
    c->has_period = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_ratio given;
        assert_true(hk_ratio_parse(cases[i].period, &given));
        c->period = given;
        hk_model_round_periods(f->model);
        hk_ratio wanted = cases[i].num ? (hk_ratio){cases[i].num, cases[i].den} : given;
        assert_int_equal(hk_ratio_compare(c->period, wanted), 0);
    }
}

static void test_many(void **state) {
    fixture *f = *state;
    enum { N = 20000 };
    char name[32];
    for (uint32_t i = 0; i < N; i++) {
        snprintf(name, sizeof name, "c%u", i);
        uint32_t index = add(f, name);
        hk_model_connect(f->model, index, 1, index, 0, HK_NOWHERE);
    }
    for (uint32_t i = 0; i < N; i++) {
        snprintf(name, sizeof name, "c%u.a.b", i);
        hk_address at;
        assert_true(hk_model_find(f->model, name, &at));
        assert_true(at.component == i && at.variable == 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_find, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_duplicate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_structural, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_connection, set_up, tear_down),
        cmocka_unit_test(test_owned),
        cmocka_unit_test_setup_teardown(test_round_periods, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
