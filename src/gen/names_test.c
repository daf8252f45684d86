/* SPDX-License-Identifier: MIT */
#include "gen/gen_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void test_words_become_names(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    static const char *const cases[][2] = {
        {"speed", "speed"},
        {"double", "double_"},
        {"while", "while_"},
        {"class", "class_"},
        {"xor_eq", "xor_eq_"},
        {"BUFSIZ", "BUFSIZ_"},
        {"int64_t", "int64_t_"},
        {"isnan", "isnan_"},
        {"HK_OK", "nHK_OK"},
        {"der(x)", "der_x_"},
        {"1st", "n1st"},
        {"", "unnamed"},
        {"_Bool", "n_Bool"},
        {"__x", "n__x"},
        {"unix", "unix_"},
        {"INTERVAL", "INTERVAL"},
        {"INT64_C", "nINT64_C"},
        {"M_PI", "M_PI_"},
        {"M_total", "M_total"},
        {"UINTMAX_C", "nUINTMAX_C"},
        {"INT", "INT"},
        {"hk_stream", "nhk_stream"},
        {"\xc3\xa9", "n__"},
        {"nullptr", "nullptr_"},
        {"reinterpret_cast", "reinterpret_cast_"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_scope scope = {0};
        assert_string_equal(hk_scope_name(arena, &scope, cases[i][0]), cases[i][1]);
        hk_scope_finish(&scope);
    }
    hk_arena_destroy(arena);
}

static void test_names_are_used_once(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_scope scope = {0};
    assert_string_equal(hk_scope_name(arena, &scope, "a_b"), "a_b");
    assert_string_equal(hk_scope_name(arena, &scope, "a b"), "a_b_");
    assert_string_equal(hk_scope_name(arena, &scope, "a_b_"), "a_b__");
    hk_scope_finish(&scope);
    hk_arena_destroy(arena);
}

static void expect_literal(const char *value, const char *expected) {
    hk_text text = {0};
    hk_text_literal(&text, value);
    assert_string_equal(text.data, expected);
    hk_text_finish(&text);
}

static void test_literals(void **state) {
    (void)state;
    expect_literal("", "\"\"");
    expect_literal("a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
    expect_literal("?\n1", "\"\\077\\0121\"");
    expect_literal("m\xc2\xb3", "\"m\xc2\xb3\"");
}

static void test_calls_are_broken(void **state) {
    (void)state;
    static const char *const items[] = {"first_argument_with_a_long_name",
                                        "second_argument_with_a_long_name",
                                        "third_argument_with_a_long_name", "fourth"};
    hk_text text = {0};
    hk_text_call(&text, "int f", items, 4, ";\n");
    assert_string_equal(text.data,
                        "int f(first_argument_with_a_long_name, second_argument_with_a_long_name,\n"
                        "      third_argument_with_a_long_name, fourth);\n");
    hk_text_finish(&text);
}

static void test_remarks_stay_comments(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_null(hk_gen_remark(arena, NULL, NULL));
    assert_string_equal(hk_gen_remark(arena, "m/s", "ned"), "unit m/s, frame ned");
    assert_null(strstr(hk_gen_remark(arena, "*/ int x; /*", NULL), "*/"));
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_become_names),
        cmocka_unit_test(test_names_are_used_once),
        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_calls_are_broken),
        cmocka_unit_test(test_remarks_stay_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
