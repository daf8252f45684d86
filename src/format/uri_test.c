/* SPDX-License-Identifier: MIT */
#include "format/uri.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_decode(void **state) {
    (void)state;
    static const struct {
        const char *text, *decoded; /* NULL: refused */
    } rows[] = {{"a%20b", "a b"}, {"%41%62", "Ab"}, {"100%25", "100%"}, {"", ""},
                {"a%2", NULL},    {"%zz", NULL},    {"%00", NULL},      {"%", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[16];
        strcpy(text, rows[i].text);
        bool good = hk_uri_decode(text);
        assert_int_equal(good, rows[i].decoded != NULL);
        if (good)
            assert_string_equal(text, rows[i].decoded);
    }
}

static void test_scheme(void **state) {
    (void)state;
    assert_int_equal(hk_uri_scheme("file:///x"), 4);
    assert_int_equal(hk_uri_scheme("proxy-fmu://x"), 9);
    assert_int_equal(hk_uri_scheme("C:\\x"), 0);
    assert_int_equal(hk_uri_scheme("a/b:c"), 0);
    assert_int_equal(hk_uri_scheme("1a:b"), 0);
    assert_int_equal(hk_uri_scheme("x.fmu"), 0);
}

static void test_proxy(void **state) {
    (void)state;
    static const struct {
        const char *text, *host, *file;
        bool local;
    } rows[] = {
        {"proxyfmu://localhost?file=a.fmu", "localhost", "a.fmu", true},
        {"proxyfmu://LocalHost:9090/?x=1&file=b/c.fmu&y=2", "LocalHost", "b/c.fmu", true},
        {"fmu-proxy://127.0.0.1?file=a.fmu", "127.0.0.1", "a.fmu", true},
        {"proxy-fmu://ship.example:1?file=a.fmu", "ship.example", "a.fmu", false},
        {"proxyfmu://localhost?guid=7", "localhost", NULL, true},
        {"proxyfmu:", "", NULL, true},
    };
    hk_arena *arena = hk_arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(hk_uri_is_proxy(rows[i].text));
        hk_uri_proxy proxy = hk_uri_read_proxy(arena, rows[i].text);
        assert_string_equal(proxy.host, rows[i].host);
        assert_int_equal(proxy.local, rows[i].local);
        if (rows[i].file)
            assert_string_equal(proxy.file, rows[i].file);
        else
            assert_null(proxy.file);
    }
    assert_false(hk_uri_is_proxy("file:///proxyfmu:"));
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_scheme),
        cmocka_unit_test(test_proxy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
