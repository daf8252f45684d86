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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_complaints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
