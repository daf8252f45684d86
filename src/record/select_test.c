/* SPDX-License-Identifier: MIT */
#include "record/select.h"

#include <stdio.h>
#include <string.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>
#include <time.h>

static const size_t matrix_dims[] = {2, 3};

static hk_variable wheel_variables[] = {
    {.name = "time", .causality = HK_INDEPENDENT, .count = 1},
    {.name = "force", .causality = HK_INPUT, .count = 1, .unit = "N"},
    {.name = "z", .causality = HK_OUTPUT, .count = 1, .unit = "m"},
    {.name = "label",
     .causality = HK_OUTPUT,
     .count = 1,
     .type = HK_TYPE_STRING,
     .store = HK_STORE_BYTES},
    {.name = "mass", .causality = HK_PARAMETER, .count = 1},
};
static hk_variable body_variables[] = {
    {.name = "a", .causality = HK_OUTPUT, .count = 3},
    {.name = "m", .causality = HK_LOCAL, .count = 6, .dims = matrix_dims, .dim_count = 2},
    {.name = "z", .causality = HK_OUTPUT, .count = 1},
};
static const hk_info wheel_info = {.variables = wheel_variables, .variable_count = 5};
static const hk_info body_info = {.variables = body_variables, .variable_count = 3};
static hk_component components[] = {{.name = "wheel", .info = &wheel_info},
                                    {.name = "sub.body", .info = &body_info}};
static hk_alias aliases[] = {
    {"height", 1, 2, NULL}, {"level", 1, 2, NULL}, {"wheel.z", 0, 2, NULL}};
static const hk_model model = {.components = components,
                               .component_count = 2,
                               .aliases = aliases,
                               .alias_count = 3,
                               .file = "system.ssd"};

static hk_ctx *ctx;
static hk_arena *arena;

static void test_none(void **state) {
    (void)state;
    hk_columns_tell(ctx, &model, true, 1);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    hk_columns_tell(ctx, &model, true, 0);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    assert_string_equal(hk_ctx_diag(ctx, 0)->where.file, "system.ssd");
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text,
                           "nothing but the time; --output-variable '*' chooses all 7"));
}

/* Without outputs it is the states that are recorded; what has an ambiguous name never is. */
static void test_states(void **state) {
    (void)state;
    hk_variable variables[] = {
        {.name = "x", .causality = HK_LOCAL, .count = 1, .state = true},
        {.name = "y", .causality = HK_LOCAL, .count = 1},
        {.name = "z", .causality = HK_OUTPUT, .count = 1, .unusable = "it is declared twice"},
    };
    const hk_info info = {.variables = variables, .variable_count = 3};
    hk_component component = {.name = "a", .info = &info};
    const hk_model silent = {.components = &component, .component_count = 1};
    hk_column *columns;
    size_t count;
    assert_int_equal(hk_columns_select(ctx, &silent, (hk_texts){0}, arena, &columns, &count),
                     HK_OK);
    assert_int_equal(count, 1);
    assert_string_equal(columns[0].name, "a.x");
    hk_columns_tell(ctx, &silent, true, count);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "the 1 continuous state;"));
    const char *const wish[] = {"a.z"};
    assert_int_equal(hk_columns_select(ctx, &silent, (hk_texts){wish, 1}, arena, &columns, &count),
                     HK_E_UNKNOWN_SIGNAL);
    assert_non_null(strstr(hk_ctx_diag(ctx, 1)->text, "cannot be recorded: it is declared twice"));
}

static int setup(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
    return 0;
}

/* The names that PATTERNS (ended by NULL) choose, joined by spaces. */
static const char *chosen(const hk_model *from, const char *const *patterns) {
    size_t n = 0, count = 0;
    while (patterns[n])
        n++;
    hk_column *columns = NULL;
    if (hk_columns_select(ctx, from, (hk_texts){patterns, n}, arena, &columns, &count) != HK_OK)
        return "failed";
    char *text = "";
    for (size_t i = 0; i < count; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? " " : "", columns[i].name);
    return text;
}
#define CHOSEN(...) chosen(&model, (const char *const[]){__VA_ARGS__, NULL})

static void test_glob(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool match;
    } cases[] = {
        {"*", "", true},
        {"*", "a.b", true},
        {"", "", true},
        {"", "a", false},
        {"a.*", "a.b", true},
        {"a.*", "b.a.", false},
        {"*.z", "sub.body.z", true},
        {"*.z", "sub.z.q", false},
        {"?.z", "a.z", true},
        {"?.z", "ab.z", false},
        {"a*b*c", "axxbyybzc", true},
        {"a*b*c", "axxbyybz", false},
        {"a[1]", "a[1]", true},
        {"a[1]", "a1", false},
        {"**?", "x", true},
        {"*?", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(hk_glob_match(cases[i].pattern, cases[i].text), cases[i].match);
    assert_true(hk_glob_is_plain("a[1].b"));
    assert_false(hk_glob_is_plain("a?"));
}

static void test_outputs_by_default(void **state) {
    (void)state;
    assert_string_equal(chosen(&model, (const char *const[]){NULL}),
                        "wheel.z wheel.label sub.body.a[1] sub.body.a[2] sub.body.a[3] sub.body.z");
}

static void test_everything(void **state) {
    (void)state;
    assert_string_equal(CHOSEN("*"),
                        "wheel.force wheel.z wheel.label wheel.mass sub.body.a[1] sub.body.a[2] "
                        "sub.body.a[3] sub.body.m[1,1] sub.body.m[1,2] sub.body.m[1,3] "
                        "sub.body.m[2,1] sub.body.m[2,2] sub.body.m[2,3] sub.body.z");
}

static void test_model_order_each_once(void **state) {
    (void)state;
    assert_string_equal(CHOSEN("sub.body.z", "*.z", "wheel.force", "wheel.force"),
                        "wheel.force wheel.z sub.body.z");
    assert_string_equal(CHOSEN("wheel.time"), "wheel.time");
}

static void test_elements(void **state) {
    (void)state;
    assert_string_equal(CHOSEN("sub.body.a[2]"), "sub.body.a[2]");
    assert_string_equal(CHOSEN("*m[2,?]"), "sub.body.m[2,1] sub.body.m[2,2] sub.body.m[2,3]");
    assert_string_equal(CHOSEN("sub.body.a"), "sub.body.a[1] sub.body.a[2] sub.body.a[3]");
    const char *pattern = "sub.body.m[2,3]";
    hk_column *columns = NULL;
    size_t count = 0;
    assert_int_equal(
        hk_columns_select(ctx, &model, (hk_texts){&pattern, 1}, arena, &columns, &count), HK_OK);
    assert_int_equal(count, 1);
    assert_int_equal(columns[0].component, 1);
    assert_int_equal(columns[0].variable, 1);
    assert_int_equal(columns[0].element, 5);
    pattern = "wheel.label";
    assert_int_equal(
        hk_columns_select(ctx, &model, (hk_texts){&pattern, 1}, arena, &columns, &count), HK_OK);
    assert_int_equal(columns[0].type, HK_TYPE_STRING);
    assert_int_equal(columns[0].store, HK_STORE_BYTES);
    pattern = "wheel.z";
    assert_int_equal(
        hk_columns_select(ctx, &model, (hk_texts){&pattern, 1}, arena, &columns, &count), HK_OK);
    assert_string_equal(columns[0].unit, "m");
}

static void test_aliases(void **state) {
    (void)state;
    assert_string_equal(CHOSEN("level"), "level");
    assert_string_equal(CHOSEN("heigh*"), "height");
    assert_string_equal(CHOSEN("level", "sub.body.z"), "sub.body.z level");
    assert_string_equal(CHOSEN("wheel.z"), "wheel.z");
}

static void test_one_component(void **state) {
    (void)state;
    hk_model single = {.components = components, .component_count = 1};
    assert_string_equal(chosen(&single, (const char *const[]){"z", "ma*", NULL}),
                        "wheel.z wheel.mass");
}

static void test_unknown_names(void **state) {
    (void)state;
    assert_string_equal(CHOSEN("wheel.z", "wheel.forse"), "failed");
    const hk_diag *diag = hk_ctx_diag(ctx, 0);
    assert_int_equal(diag->code, HK_E_UNKNOWN_SIGNAL);
    assert_non_null(strstr(diag->text, "wheel.forse"));
    assert_non_null(strstr(diag->hint, "wheel.force"));
    assert_string_equal(diag->where.file, "system.ssd");
    assert_string_equal(CHOSEN("nothing.like.it.at.all*"), "failed");
    assert_string_equal(CHOSEN("q"), "failed");
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 3);
    assert_non_null(hk_ctx_diag(ctx, 2)->hint);
}

/* Every variable asked for by its name: the time must not grow with the square. */
static void test_many_names(void **state) {
    (void)state;
    enum { MANY = 40000 };
    hk_variable *variables = HK_NEW_ARRAY(arena, hk_variable, MANY);
    const char **patterns = HK_NEW_ARRAY(arena, const char *, MANY);
    for (size_t i = 0; i < MANY; i++) {
        variables[i] = (hk_variable){.name = hk_arena_printf(arena, "v%zu", i), .count = 1};
        patterns[i] = hk_arena_printf(arena, "c.v%zu", MANY - 1 - i);
    }
    hk_info info = {.variables = variables, .variable_count = MANY};
    hk_component component = {.name = "c", .info = &info};
    hk_model big = {.components = &component, .component_count = 1};
    hk_column *columns = NULL;
    size_t count = 0;
    clock_t begin = clock();
    assert_int_equal(
        hk_columns_select(ctx, &big, (hk_texts){patterns, MANY}, arena, &columns, &count), HK_OK);
    assert_true(clock() - begin < 5 * CLOCKS_PER_SEC);
    assert_int_equal(count, MANY);
    assert_string_equal(columns[MANY - 1].name, "c.v39999");
}

static void test_table(void **state) {
    (void)state;
    const char *names[] = {"time", "a.x", "a.y", "b.x"};
    hk_record_names table = {.file = "r.csv", .names = names, .count = 4};
    size_t *columns = NULL, count = 0;
    assert_int_equal(hk_table_select(ctx, &table, (hk_texts){0}, arena, &columns, &count), HK_OK);
    assert_int_equal(count, 3);
    const char *patterns[] = {"*.x", "a.y"};
    assert_int_equal(hk_table_select(ctx, &table, (hk_texts){patterns, 1}, arena, &columns, &count),
                     HK_OK);
    assert_int_equal(count, 2);
    assert_int_equal(columns[0], 1);
    assert_int_equal(columns[1], 3);
    patterns[0] = "a.yy";
    assert_int_equal(hk_table_select(ctx, &table, (hk_texts){patterns, 2}, arena, &columns, &count),
                     HK_E_UNKNOWN_SIGNAL);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->hint, "a.y"));
    assert_string_equal(hk_ctx_diag(ctx, 0)->where.file, "r.csv");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glob),
        cmocka_unit_test_setup_teardown(test_outputs_by_default, setup, teardown),
        cmocka_unit_test_setup_teardown(test_everything, setup, teardown),
        cmocka_unit_test_setup_teardown(test_model_order_each_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_elements, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aliases, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_component, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_table, setup, teardown),
        cmocka_unit_test_setup_teardown(test_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_states, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
