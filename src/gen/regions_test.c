/* SPDX-License-Identifier: MIT */
#include "gen/gen_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define B(name) "/* user code begin: " name " */\n"
#define E(name) "/* user code end: " name " */\n"
#define HEAD    "/* hocket gen 1: checksum 0000000000000000 */\n"

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_gen_report report;
} rig;

static int set_up(void **state) {
    rig *r = hk_alloc(sizeof *r);
    r->ctx = hk_ctx_create(NULL, NULL);
    r->arena = hk_arena_create();
    *state = r;
    return 0;
}

static int tear_down(void **state) {
    rig *r = *state;
    hk_gen_report_finish(&r->report);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
    hk_free(r);
    return 0;
}

static hk_regions read_text(rig *r, const char *text) {
    hk_regions regions = {0};
    assert_int_equal(hk_regions_read(r->ctx, r->arena, "f.c", text, strlen(text), &regions), HK_OK);
    return regions;
}

static void expect_merged(rig *r, const char *fresh, const char *old, const char *expected) {
    hk_regions a = read_text(r, fresh), b = read_text(r, old);
    hk_text merged = {0};
    hk_regions_merge(r->arena, &a, &b, "f.c", &r->report, &merged);
    assert_string_equal(merged.data, expected);
    hk_text_finish(&merged);
    hk_regions_finish(&a);
    hk_regions_finish(&b);
}

static void expect_wrong(rig *r, const char *text, int line, const char *message) {
    hk_regions regions = {0};
    size_t before = hk_ctx_count(r->ctx, HK_NOTE);
    assert_int_equal(hk_regions_read(r->ctx, r->arena, "f.c", text, strlen(text), &regions),
                     HK_E_REGENERATE);
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), before + 1);
    const hk_diag *diag = hk_ctx_diag(r->ctx, before);
    assert_string_equal(diag->where.file, "f.c");
    assert_int_equal(diag->where.line, line);
    assert_non_null(strstr(diag->text, message));
    assert_null(regions.list);
}

static void test_text_goes_to_its_region(void **state) {
    expect_merged(*state, "new\n" B("b") "default\n" E("b") B("a") E("a") "end\n",
                  "old\n  " B("a") "mine\n\n" E("a") B("b") E("b"),
                  "new\n" B("b") E("b") B("a") "mine\n\n" E("a") "end\n");
}

static void test_new_regions_have_their_default(void **state) {
    expect_merged(*state, B("a") "default\n" E("a"), "old\n", B("a") "default\n" E("a"));
}

static void test_orphans_are_kept_and_come_back(void **state) {
    rig *r = *state;
    const char *orphaned =
        B("a") E("a") "\n#if 0 /* orphaned user code: what has no place any more; "
                      "take it or delete it */\n" B("orphaned: b") "mine\n" E(
                          "orphaned: b") "#endif /* orphaned user code */\n";
    expect_merged(r, B("a") E("a"), B("a") E("a") B("b") "mine\n" E("b") B("c") " \n" E("c"),
                  orphaned);
    assert_int_equal(r->report.region_count, 1);
    assert_string_equal(r->report.regions[0].name, "b");
    assert_int_equal(r->report.regions[0].line, 3);
    /* it stays, without being reported again */
    expect_merged(r, B("a") E("a"), orphaned, orphaned);
    assert_int_equal(r->report.region_count, 1);
    expect_merged(r, B("b") "default\n" E("b"), orphaned, B("b") "mine\n" E("b"));
    assert_int_equal(r->report.region_count, 2);
    assert_true(r->report.regions[1].restored);
}

static void test_the_seal_sees_text_outside(void **state) {
    rig *r = *state;
    hk_text text = {0};
    hk_text_put(&text, HEAD "int x;\n" B("a") "mine\n" E("a") "int y;\n");
    hk_regions_seal(r->arena, &text);
    const char *sealed = hk_arena_strdup(r->arena, text.data);
    const struct {
        const char *from, *to;
        hk_seal expected;
    } cases[] = {{"mine", "other text", HK_SEAL_GOOD},
                 {"int x;\n", "  int  x ;\r\n", HK_SEAL_GOOD},
                 {"int y;", "int z;", HK_SEAL_BROKEN},
                 {"int y;", "int y; more", HK_SEAL_BROKEN},
                 {"hocket gen", "gen", HK_SEAL_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(sealed, cases[i].from);
        const char *changed = hk_arena_printf(r->arena, "%.*s%s%s", (int)(at - sealed), sealed,
                                              cases[i].to, at + strlen(cases[i].from));
        hk_regions regions = read_text(r, changed);
        assert_int_equal(hk_regions_seal_state(&regions), cases[i].expected);
        hk_regions_finish(&regions);
    }
    hk_text_finish(&text);
}

static void test_the_first_change_is_found(void **state) {
    rig *r = *state;
    hk_regions fresh = read_text(r, HEAD "int x;\n" B("a") E("a") "int y;\n");
    hk_regions old = read_text(r, HEAD "int x;\n" B("a") "1\n2\n" E("a") "int y;\nmine\n");
    assert_int_equal(hk_regions_first_change(&old, &fresh), 8);
    assert_int_equal(hk_regions_first_change(&fresh, &old), 0);
    hk_regions_finish(&fresh);
    hk_regions_finish(&old);
}

static void test_wrong_marks(void **state) {
    rig *r = *state;
    expect_wrong(r, "x\n" B("a"), 2, "is not closed");
    expect_wrong(r, B("a") B("b") E("b") E("a"), 1, "before the next one begins");
    expect_wrong(r, E("a"), 1, "begins nowhere");
    expect_wrong(r, B("a") E("b"), 1, "before another one ends");
    expect_wrong(r, B("a") E("a") B("a") E("a"), 3, "twice");
    expect_wrong(r, B("a") "x " E("a"), 2, "not a mark");
    expect_wrong(r, "/* user code begin: a\n", 1, "not a mark");
    expect_wrong(r, "/* user code begin: a */ /* user code end: a */\n", 1, "not a mark");
    hk_regions regions;
    assert_int_equal(hk_regions_read(r->ctx, r->arena, "f.c", "a\0b", 3, &regions),
                     HK_E_REGENERATE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_text_goes_to_its_region, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_new_regions_have_their_default, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_orphans_are_kept_and_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_seal_sees_text_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_first_change_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_marks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
