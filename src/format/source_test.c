/* SPDX-License-Identifier: MIT */
#include "format/source.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct row {
    const char *source;
    const char *path, *fragment; /* path NULL: it is refused */
    const char *said;            /* NULL: nothing */
} row;

static void test_sources(void **state) {
    (void)state;
    static const row rows[] = {
        {"a/b.fmu", "a/b.fmu", NULL, NULL},
        {"", "", NULL, NULL},
        {"a%20b.fmu#c%23", "a b.fmu", "c#", NULL},
        {"file:a.fmu", "a.fmu", NULL, NULL},
        {"FILE:///x/a.fmu", "/x/a.fmu", NULL, NULL},
        {"file://localhost/x/a.fmu", "/x/a.fmu", NULL, NULL},
        {"file://ship/a.fmu", NULL, NULL, "names a machine"},
        {"C:/a.fmu", NULL, NULL, "names a drive of Windows"},
        {"https://a.b/c.fmu", NULL, NULL, "uses the scheme 'https:'"},
        {"a%2.fmu", NULL, NULL, "has a '%' without two"},
        {"a.fmu#%2", NULL, NULL, "has a '%' without two"},
        {"a\\b.fmu", "a/b.fmu", NULL, "has backslashes"},
        {"proxyfmu://localhost?file=a%20b.fmu", "a b.fmu", NULL,
         "'a%20b.fmu' runs in this process"},
        {"proxyfmu://localhost?file=file:///x/a.fmu", "/x/a.fmu", NULL, "no proxy is used"},
        {"proxyfmu://localhost?file=C:/a.fmu", NULL, NULL, "names a drive of Windows"},
        {"proxyfmu://localhost", NULL, NULL, "names no file"},
        {"proxyfmu://ship:9090?file=a.fmu", NULL, NULL, "runs on the host 'ship'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_reading r = {.arena = hk_arena_create(), .code = HK_E_SSP};
        char *path, *fragment;
        hk_status status = hk_source_read(ctx, &r, rows[i].source, HK_NOWHERE, &path, &fragment);
        assert_int_equal(status, rows[i].path ? HK_OK : HK_E_SSP);
        size_t count = hk_ctx_count(ctx, HK_NOTE);
        assert_int_equal(count > 0, rows[i].said != NULL);
        if (count && !strstr(hk_ctx_diag(ctx, count - 1)->text, rows[i].said))
            fail_msg("%s: %s", rows[i].source, hk_ctx_diag(ctx, count - 1)->text);
        if (rows[i].path) {
            assert_string_equal(path, rows[i].path);
            assert_string_equal(fragment ? fragment : "", rows[i].fragment ? rows[i].fragment : "");
        }
        hk_reading_finish(&r);
        hk_arena_destroy(r.arena);
        hk_ctx_destroy(ctx);
    }
}

/* Who knows no fragments has names with '#'; what is the same for many sources is said once. */
static void test_more(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_reading r = {.arena = hk_arena_create(), .code = HK_E_OSP};
    char *path;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hk_source_read(ctx, &r, "a\\b#1.fmu", HK_NOWHERE, &path, NULL), HK_OK);
        assert_string_equal(path, "a/b#1.fmu");
    }
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    assert_int_equal(hk_source_check_file(ctx, &r, "s", path, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_source_check_file(ctx, &r, "s", "a/", HK_NOWHERE), HK_E_OSP);
    assert_int_equal(hk_source_check_file(ctx, &r, "s", "", HK_NOWHERE), HK_E_OSP);
    hk_reading_finish(&r);
    hk_arena_destroy(r.arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
