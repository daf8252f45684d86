/* SPDX-License-Identifier: MIT */
#include "check/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_variable variables[8];
    hk_uom uoms[8];
    hk_info info;
} fixture;

enum { IN, OUT, FIXED, TUNABLE, TEXT, TRIPLE, MODE_OUT, MODE_IN };

static const char *names_a[] = {"off", "on"}, *names_b[] = {"low", "high"};
static const int64_t numbers[] = {0, 1};
static const hk_enum switch_enum = {"Switch", names_a, numbers, 2};
static const hk_enum level_enum = {"Level", names_b, numbers, 2};
static double zero;

static void put(fixture *f, uint32_t i, const char *name, hk_causality causality,
                hk_variability variability, hk_type type) {
    f->variables[i] = (hk_variable){
        .name = name,
        .causality = causality,
        .variability = variability,
        .initial = HK_EXACT,
        .type = type,
        .count = 1,
        .start = {type, 1, &zero},
        .min = (double)NAN,
        .max = (double)NAN,
        .alias_of = i,
    };
    hk_map_put(&f->info.by_name, name, i);
}

static int set_up(void **state) {
    static fixture f;
    f = (fixture){0};
    f.ctx = hk_ctx_create(NULL, NULL);
    f.model = hk_model_create("test", "test.ssd");
    f.info = (hk_info){.name = "Plant", .variables = f.variables, .variable_count = 8};
    put(&f, IN, "u", HK_INPUT, HK_CONTINUOUS, HK_TYPE_F64);
    put(&f, OUT, "y", HK_OUTPUT, HK_CONTINUOUS, HK_TYPE_F64);
    put(&f, FIXED, "p", HK_PARAMETER, HK_FIXED, HK_TYPE_F64);
    put(&f, TUNABLE, "k", HK_PARAMETER, HK_TUNABLE, HK_TYPE_I32);
    put(&f, TEXT, "s", HK_OUTPUT, HK_DISCRETE, HK_TYPE_STRING);
    put(&f, TRIPLE, "v", HK_OUTPUT, HK_CONTINUOUS, HK_TYPE_F64);
    put(&f, MODE_OUT, "mode", HK_OUTPUT, HK_DISCRETE, HK_TYPE_ENUM);
    put(&f, MODE_IN, "wanted", HK_INPUT, HK_DISCRETE, HK_TYPE_ENUM);
    f.variables[TRIPLE].count = 3;
    f.variables[MODE_OUT].enumeration = &switch_enum;
    f.variables[MODE_IN].enumeration = &level_enum;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t index;
        hk_where where = {.file = "test.ssd", .line = (int)i + 2};
        assert_int_equal(
            hk_model_add_component(f.ctx, f.model, i ? "b" : "a", &f.info, where, &index), HK_OK);
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_map_finish(&f->info.by_name);
    return 0;
}

static hk_connection *join(fixture *f, uint32_t from, uint32_t to) {
    hk_where where = {.file = "test.ssd", .line = 10 + (int)f->model->connection_count};
    return hk_model_connect(f->model, 0, from, 1, to, where);
}

static void give_unit(fixture *f, uint32_t variable, const char *unit) {
    f->variables[variable].unit = unit;
    if (hk_uom_parse(unit, &f->uoms[variable]))
        f->variables[variable].uom = &f->uoms[variable];
}

static void expect_diag(fixture *f, hk_severity severity, const char *text) {
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE); i++) {
        const hk_diag *diag = hk_ctx_diag(f->ctx, i);
        if (diag->severity == severity && strstr(diag->text, text))
            return;
    }
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE); i++)
        print_message("have: %s\n", hk_ctx_diag(f->ctx, i)->text);
    fail_msg("no message with '%s'", text);
}

static void expect_fail(fixture *f, hk_status code, const char *text) {
    assert_int_equal(hk_check_model(f->ctx, f->model), code);
    expect_diag(f, HK_ERROR, text);
}

static void expect_ok(fixture *f, size_t warnings) {
    assert_int_equal(hk_check_model(f->ctx, f->model), HK_OK);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), warnings);
    hk_model_lower(f->model);
}

static void test_plain(void **state) {
    fixture *f = *state;
    join(f, OUT, IN);
    expect_ok(f, 0);
    assert_int_equal(f->model->connections[0].conversion.kind, HK_TRANSFORM_NONE);
}

static void test_two_drivers(void **state) {
    fixture *f = *state;
    join(f, OUT, IN);
    hk_model_connect(f->model, 1, OUT, 1, IN, (hk_where){.file = "test.ssd", .line = 20});
    expect_fail(f, HK_E_TWO_DRIVERS,
                "'b.u' is driven twice: by a.y -> b.u (line 10) and by b.y -> b.u (line 20)");
}

static void test_two_drivers_alias(void **state) {
    fixture *f = *state;
    f->variables[MODE_IN].type = HK_TYPE_F64;
    f->variables[MODE_IN].alias_of = IN;
    join(f, OUT, IN);
    join(f, OUT, MODE_IN);
    expect_fail(f, HK_E_TWO_DRIVERS, "'b.wanted' is driven twice");
}

static void test_output_to_output(void **state) {
    fixture *f = *state;
    join(f, OUT, OUT);
    expect_fail(f, HK_E_CONNECTION, "'b.y' is of causality output");
}

static void test_input_to_input(void **state) {
    fixture *f = *state;
    join(f, IN, IN);
    expect_fail(f, HK_E_CONNECTION, "'a.u' is of causality input");
}

static void test_swapped(void **state) {
    fixture *f = *state;
    join(f, IN, OUT);
    expect_fail(f, HK_E_CONNECTION, "'a.u' is of causality input");
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->hint, "swap"));
}

static void test_parameters(void **state) {
    fixture *f = *state;
    join(f, OUT, FIXED);
    expect_fail(f, HK_E_CONNECTION, "'b.p' is of causality parameter and not tunable");
}

static void test_parameter_source(void **state) {
    fixture *f = *state;
    join(f, FIXED, IN);
    expect_fail(f, HK_E_CONNECTION, "'a.p' is of causality parameter");
}

static void test_tunable(void **state) {
    fixture *f = *state;
    f->variables[TUNABLE].type = HK_TYPE_F64;
    join(f, OUT, TUNABLE);
    expect_ok(f, 0);
}

static void test_types(void **state) {
    fixture *f = *state;
    join(f, TEXT, IN);
    expect_fail(f, HK_E_CONNECTION, "'a.s' is String, 'b.u' is Float64");
}

static void test_fraction(void **state) {
    fixture *f = *state;
    join(f, OUT, TUNABLE);
    expect_ok(f, 1);
    expect_diag(f, HK_WARNING, "a value with a fraction stops the run");
}

static void test_sizes(void **state) {
    fixture *f = *state;
    join(f, TRIPLE, IN);
    expect_fail(f, HK_E_CONNECTION, "'a.v' has 3 elements, 'b.u' has 1");
}

static void test_enumerations(void **state) {
    fixture *f = *state;
    join(f, MODE_OUT, MODE_IN);
    expect_ok(f, 1);
    expect_diag(f, HK_WARNING, "'Switch' and 'Level' have different items");
}

static void test_many_errors(void **state) {
    fixture *f = *state;
    join(f, TEXT, IN);
    join(f, IN, OUT);
    assert_int_equal(hk_check_model(f->ctx, f->model), HK_E_CHECK_FAILED);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 2);
}

static void expect_linear(fixture *f, double factor, double offset) {
    const hk_transform *t = &f->model->connections[0].conversion;
    assert_int_equal(t->kind, HK_TRANSFORM_LINEAR);
    assert_true(t->factor == factor);
    assert_true(t->offset == offset);
}

static void test_celsius(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "\u00b0C");
    give_unit(f, IN, "K");
    join(f, OUT, IN);
    expect_ok(f, 0);
    expect_linear(f, 1, 273.15);
}

static void test_relative(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "degC");
    give_unit(f, IN, "K");
    f->variables[OUT].relative = f->variables[IN].relative = true;
    join(f, OUT, IN);
    expect_ok(f, 0);
    assert_int_equal(f->model->connections[0].conversion.kind, HK_TRANSFORM_NONE);
}

static void test_half_relative(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "degC");
    give_unit(f, IN, "K");
    f->variables[OUT].relative = true;
    join(f, OUT, IN);
    expect_ok(f, 1);
    expect_diag(f, HK_WARNING, "is left out");
}

/* A model may be looked at and lowered as often as one likes. */
static void test_twice(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "ms");
    give_unit(f, IN, "s");
    join(f, OUT, IN)->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 2, .offset = 5};
    expect_ok(f, 0);
    expect_linear(f, 0.002, 5);
    expect_ok(f, 0);
    expect_linear(f, 0.002, 5);
    assert_true(f->model->connections[0].transform.factor == 2);
}

/* What was added is not lowered yet. */
static void test_changed(void **state) {
    fixture *f = *state;
    join(f, OUT, IN);
    assert_false(f->model->lowered);
    expect_ok(f, 0);
    assert_true(f->model->lowered);
    join(f, MODE_OUT, MODE_IN);
    assert_false(f->model->lowered);
}

static void test_unit_then_linear(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "km");
    give_unit(f, IN, "m");
    join(f, OUT, IN)->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 2, .offset = 5};
    expect_ok(f, 0);
    expect_linear(f, 2000, 5);
}

static void test_offset_then_linear(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "degC");
    give_unit(f, IN, "K");
    join(f, OUT, IN)->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 2, .offset = 1};
    expect_ok(f, 0);
    expect_linear(f, 2, 2 * 273.15 + 1);
}

static void test_suppressed(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "km");
    give_unit(f, IN, "s");
    join(f, OUT, IN)->suppress_unit_conversion = true;
    expect_ok(f, 0);
    assert_int_equal(f->model->connections[0].conversion.kind, HK_TRANSFORM_NONE);
}

static void test_mismatch(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "m");
    give_unit(f, IN, "s");
    join(f, OUT, IN);
    expect_fail(f, HK_E_UNIT_MISMATCH, "'a.y' is in 'm' (m) and 'b.u' is in 's' (s)");
}

static void test_unknown_units(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "smoots");
    give_unit(f, IN, "m");
    join(f, OUT, IN);
    expect_ok(f, 0);
    assert_int_equal(f->model->connections[0].conversion.kind, HK_TRANSFORM_NONE);
}

/* The name of a unit means what its own file says. */
static void test_one_name(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "m");
    give_unit(f, IN, "m");
    f->uoms[OUT].factor = 4.5; /* another file's "m" */
    join(f, OUT, IN);
    expect_ok(f, 0);
    expect_linear(f, 4.5, 0);
}

static void test_one_name_rounded(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "deg");
    give_unit(f, IN, "deg");
    f->uoms[OUT].factor = 0.01745329;
    join(f, OUT, IN);
    expect_ok(f, 0);
    assert_int_equal(f->model->connections[0].conversion.kind, HK_TRANSFORM_NONE);
}

static void test_one_name_two_dimensions(void **state) {
    fixture *f = *state;
    give_unit(f, OUT, "rpm");
    give_unit(f, IN, "rpm");
    f->uoms[OUT].exponent[HK_RAD] = 0;
    join(f, OUT, IN);
    expect_ok(f, 1);
    expect_diag(f, HK_WARNING, "mean different things by the unit 'rpm'");
    assert_int_equal(f->model->connections[0].conversion.kind, HK_TRANSFORM_NONE);
}

static void test_declared_units(void **state) {
    fixture *f = *state;
    hk_uom mm;
    assert_true(hk_uom_parse("mm", &mm));
    give_unit(f, OUT, "s");
    give_unit(f, IN, "m");
    join(f, OUT, IN)->from_uom = &mm;
    expect_ok(f, 0);
    expect_linear(f, 0.001, 0);
}

static void test_ranges(void **state) {
    fixture *f = *state;
    f->variables[FIXED].min = 0;
    f->variables[FIXED].max = 10;
    hk_where where = {.file = "test.ssd", .line = 33};
    assert_int_equal(hk_model_set(f->ctx, f->model, 1, FIXED,
                                  &(hk_given_text){"10.5", NULL, {HK_FROM_SYSTEM, where}}),
                     HK_OK);
    assert_int_equal(hk_model_set(f->ctx, f->model, 1, FIXED,
                                  &(hk_given_text){"10", NULL, {HK_FROM_USER, where}}),
                     HK_OK);
    assert_int_equal(hk_model_set(f->ctx, f->model, 1, MODE_IN,
                                  &(hk_given_text){"7", NULL, {HK_FROM_USER, where}}),
                     HK_OK);
    expect_ok(f, 2);
    expect_diag(f, HK_WARNING, "'b.p' is set to 10.5, above its maximum 10");
    expect_diag(f, HK_WARNING, "not an item of its enumeration");
    assert_int_equal(hk_ctx_diag(f->ctx, 0)->where.line, 33);
}

static void test_open_inputs(void **state) {
    fixture *f = *state;
    f->variables[IN].start.data = NULL;
    join(f, OUT, IN);
    expect_ok(f, 1);
    expect_diag(f, HK_WARNING,
                "component 'a': 1 input has neither connection nor start value: 'u'");
}

static void set_input(fixture *f, double number, hk_source source, int line) {
    double *kept = HK_NEW(f->model->arena, double);
    *kept = number;
    hk_value value = {HK_TYPE_F64, 1, kept};
    hk_where where = {.file = "test.ssv", .line = line};
    assert_int_equal(
        hk_model_set_value(f->ctx, f->model, 1, IN, &value, (hk_origin){source, where}), HK_OK);
}

static void test_driven(void **state) {
    fixture *f = *state;
    set_input(f, 1, HK_FROM_SYSTEM, 4);
    expect_ok(f, 0);
    join(f, OUT, IN);
    expect_ok(f, 1);
    expect_diag(f, HK_WARNING,
                "the value of 'b.u' is overwritten: it comes over the connection a.y -> b.u");
    set_input(f, 2, HK_FROM_USER, 7);
    expect_ok(f, 2); /* one more: only the last of them would count */
    f->model->connections[0].shared = true;
    expect_ok(f, 2);
}

static void test_once(void **state) {
    fixture *f = *state;
    f->info.can.once_per_process = true;
    expect_ok(f, 0);
    expect_diag(f, HK_NOTE,
                "'a' and 'b' are instances of 'Plant', which allows one per process: 'b'");
    assert_int_equal(hk_check_first_instance(f->model, 0), 0);
    assert_int_equal(hk_check_first_instance(f->model, 1), 0);
    f->info.can.once_per_process = false;
    assert_int_equal(hk_check_first_instance(f->model, 1), 1);
}

static void test_tool(void **state) {
    fixture *f = *state;
    f->info.can.needs_tool = true;
    expect_ok(f, 0);
    expect_diag(f, HK_NOTE, "component 'a' needs the program");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_plain),
        TEST(test_two_drivers),
        TEST(test_two_drivers_alias),
        TEST(test_output_to_output),
        TEST(test_input_to_input),
        TEST(test_swapped),
        TEST(test_parameters),
        TEST(test_parameter_source),
        TEST(test_tunable),
        TEST(test_types),
        TEST(test_fraction),
        TEST(test_sizes),
        TEST(test_enumerations),
        TEST(test_many_errors),
        TEST(test_celsius),
        TEST(test_relative),
        TEST(test_half_relative),
        TEST(test_twice),
        TEST(test_changed),
        TEST(test_unit_then_linear),
        TEST(test_offset_then_linear),
        TEST(test_suppressed),
        TEST(test_mismatch),
        TEST(test_unknown_units),
        TEST(test_one_name),
        TEST(test_one_name_rounded),
        TEST(test_one_name_two_dimensions),
        TEST(test_declared_units),
        TEST(test_ranges),
        TEST(test_open_inputs),
        TEST(test_driven),
        TEST(test_once),
        TEST(test_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
