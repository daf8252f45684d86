/* SPDX-License-Identifier: MIT */
#include "base/compiler.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_words(void **state) {
    (void)state;
    setenv("HK_TEST_CC", "ccache gcc", 1);
    assert_string_equal(hk_compiler_words("HK_TEST_CC", "cc"), "ccache gcc");
    setenv("HK_TEST_CC", " \t", 1);
    assert_string_equal(hk_compiler_words("HK_TEST_CC", "cc"), "cc");
    unsetenv("HK_TEST_CC");
    assert_string_equal(hk_compiler_words("HK_TEST_CC", "cc"), "cc");
}

static void test_complaints(void **state) {
    (void)state;
    static const hk_complaint expected[] = {{"a.c", "expected ';'", 3, 7},
                                            {"b:/c.c", "x.h: No such file", 12, 0}};
    const char *said = "a.c: In function 'f':\n"
                       "a.c:2:1: warning: unused\n"
                       "a.c:3:7: error: expected ';'\n"
                       "    3 | int error: \n"
                       "b:/c.c:12: fatal error: x.h: No such file\n"
                       "ld: error: 1:2";
    hk_arena *arena = hk_arena_create();
    hk_complaint c;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(hk_complaint_next(arena, &said, &c));
        assert_string_equal(c.file, expected[i].file);
        assert_string_equal(c.text, expected[i].text);
        assert_int_equal(c.line, expected[i].line);
        assert_int_equal(c.column, expected[i].column);
    }
    assert_false(hk_complaint_next(arena, &said, &c));
    assert_string_equal(said, "");
    hk_arena_destroy(arena);
}

static void test_first_complaint(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_complaint c = hk_complaint_first(arena, "x.c:1:2: error: no\ny.c:3:4: error: nor\n");
    assert_string_equal(c.file, "x.c");
    c = hk_complaint_first(arena, "ld: 1.o: in function `f':\nx.c:(.text+0x9): undefined reference "
                                  "to `g'\ncollect2: error: ld returned 1 exit status\n");
    assert_null(c.file);
    assert_string_equal(c.text, "undefined reference to `g'");
    c = hk_complaint_first(arena, "I am not well\n");
    assert_null(c.file);
    assert_string_equal(c.text, "I am not well");
    assert_string_equal(hk_complaint_first(arena, "").text, "");
    hk_arena_destroy(arena);
}

static void test_rule(void **state) {
    (void)state;
    static const char *const files[] = {"a b.c", "c#.h", "d$e.h", "/f.h"};
    hk_arena *arena = hk_arena_create();
    const char *at = hk_rule_files("x.o: a\\ b.c  c\\#.h \\\n d$$e.h \\\n  /f.h\n"), *file;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_true(hk_rule_next(arena, &at, &file));
        assert_string_equal(file, files[i]);
    }
    assert_false(hk_rule_next(arena, &at, &file));
    at = hk_rule_files("nothing");
    assert_false(hk_rule_next(arena, &at, &file));
    hk_arena_destroy(arena);
}

static void test_names(void **state) {
    (void)state;
    assert_true(hk_is_c_name("a/b.c") && !hk_is_cpp_name("a/b.c"));
    assert_true(hk_is_cpp_name("b.cpp") && hk_is_cpp_name("b.cc") && hk_is_cpp_name("b.C"));
    assert_false(hk_is_c_name("b.h") || hk_is_cpp_name("b.h") || hk_is_c_name("c"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),           cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_first_complaint), cmocka_unit_test(test_rule),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
