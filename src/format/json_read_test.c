/* SPDX-License-Identifier: MIT
 *
 * The strict JSON reader: what is right is read as it is, what is not is refused at its place. */
#include "format/json_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void right_texts(void **state) {
    static const char *const texts[] = {"null",
                                        " true ",
                                        "false",
                                        "0",
                                        "-0",
                                        "-1.25e+10",
                                        "1E5",
                                        "\"\"",
                                        "\"\\u00e9\\n\\\"\"",
                                        "[]",
                                        "[ ]",
                                        "[1,2 , 3]",
                                        "{}",
                                        "{\"a\":{\"b\":[null]}}",
                                        "\t{\"a\"\n:\r1 }\n"};
    hk_json_fault fault;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(hk_json_check(texts[i], strlen(texts[i]), &fault));
}

static void wrong_texts(void **state) {
    static const struct {
        const char *text;
        size_t at;
    } rows[] = {
        {"", 0},         {"nul", 0},        {"True", 0},        {"01", 1},       {"1.", 2},
        {".5", 0},       {"+1", 0},         {"1e", 2},          {"-", 1},        {"NaN", 0},
        {"\"a", 2},      {"\"\\x\"", 2},    {"\"\\u12g4\"", 5}, {"\"a\nb\"", 2}, {"\"\xff\"", 1},
        {"[1,]", 3},     {"[1 2]", 3},      {"[1", 2},          {"{a:1}", 1},    {"{\"a\"}", 4},
        {"{\"a\":}", 5}, {"{\"a\":1,}", 7}, {"{\"a\":1]", 6},   {"1 2", 2},      {"[}", 1},
        {"'a'", 0},      {"{} // c", 3}};
    hk_json_fault fault;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool right = hk_json_check(rows[i].text, strlen(rows[i].text), &fault);
        if (right || fault.at != rows[i].at)
            print_message("%s: %d\n", rows[i].text, right ? -1 : (int)fault.at);
        assert_false(right);
        assert_int_equal(fault.at, rows[i].at);
    }
    char deep[200];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    assert_false(hk_json_check(deep, sizeof deep, &fault));
    assert_true(hk_json_check(deep + 40, 120, &fault));
}

static void views(void **state) {
    static const char text[] = "{ \"a\" : [1, \"x,]\\\"\" ,{\"b\":2}], \"c\":-2.5}";
    hk_json_span object = {text, strlen(text)}, name, value, element;
    hk_arena *arena = hk_arena_create();
    double number;
    size_t size;
    (void)state;
    assert_true(hk_json_next_member(&object, &name, &value));
    assert_true(hk_json_is_string(name, "a"));
    assert_true(hk_json_element(&value, &element) && hk_json_number(element, &number));
    assert_true(number == 1);
    assert_true(hk_json_element(&value, &element) && !hk_json_number(element, &number));
    assert_string_equal(hk_json_decode(arena, element, &size), "x,]\"");
    assert_int_equal(size, 4);
    assert_true(hk_json_element(&value, &element));
    assert_int_equal(element.size, strlen("{\"b\":2}"));
    assert_false(hk_json_element(&value, &element));
    assert_true(hk_json_next_member(&object, &name, &value) && hk_json_number(value, &number));
    assert_true(number == -2.5);
    assert_false(hk_json_next_member(&object, &name, &value));
    hk_arena_destroy(arena);
}

static void trees(void **state) {
    static const char text[] =
        "{\n  \"list\": [1, true, null, \"\\ud83d\\ude00\"],\n  \"x\": {}\n}";
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_json_value *root;
    (void)state;
    assert_int_equal(hk_json_read(ctx, arena, HK_E_DUPLICATE,
                                  &(hk_file_text){"x.json", text, strlen(text)}, &root),
                     HK_OK);
    const hk_json_value *list = hk_json_member(root, "list");
    assert_int_equal(list->count, 4);
    assert_int_equal(list->line, 2);
    assert_int_equal(list->column, 11);
    assert_true(list->first->number == 1 && list->first->next->kind == HK_JSON_BOOL);
    assert_string_equal(list->first->next->next->next->text, "\xf0\x9f\x98\x80");
    assert_int_equal(hk_json_member(root, "x")->line, 3);
    assert_null(hk_json_member(root, "y"));
    assert_int_equal(hk_json_read(ctx, arena, HK_E_DUPLICATE,
                                  &(hk_file_text){"x.json", "{\"a\":1,\n\"a\":2}", 14}, &root),
                     HK_E_DUPLICATE);
    assert_int_equal(hk_ctx_diag(ctx, 0)->where.line, 2);
    assert_string_equal(hk_ctx_diag(ctx, 0)->text, "'a' is given twice");
    assert_int_equal(hk_json_read(ctx, arena, HK_E_DUPLICATE,
                                  &(hk_file_text){"x.json", "[1,\n 2,\n  x]", 12}, &root),
                     HK_E_LANGUAGE);
    assert_int_equal(hk_ctx_diag(ctx, 1)->where.line, 3);
    assert_int_equal(hk_ctx_diag(ctx, 1)->where.column, 3);
    assert_int_equal(hk_json_read(ctx, arena, HK_E_DUPLICATE,
                                  &(hk_file_text){"x.json", "{\"b\": {\n \"a\\u0000c\": 1}}", 24},
                                  &root),
                     HK_E_LANGUAGE);
    assert_int_equal(hk_ctx_diag(ctx, 2)->where.line, 2);
    assert_int_equal(hk_ctx_diag(ctx, 2)->where.column, 2);
    assert_string_equal(hk_ctx_diag(ctx, 2)->text, "the name of a member has a NUL in it");
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_texts),
        cmocka_unit_test(wrong_texts),
        cmocka_unit_test(views),
        cmocka_unit_test(trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
