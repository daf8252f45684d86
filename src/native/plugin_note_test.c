/* SPDX-License-Identifier: MIT */
#include "native/plugin_note.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ONE "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define TWO "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char *const defines[] = {"NAME=\"a b\"", "PLAIN"}, *const includes[] = {"/a b/inc"};
static const hk_plugin_file sources[] = {{"tank one.c", ONE}, {"../x.cpp", TWO}},
                            headers[] = {{"tank.h", TWO}}, hocket[] = {{"hk/unit.h", ONE}};
static const hk_plugin_note sample = {
    .compiler = "gcc (Debian 12.2.0-14) 12.2.0",
    .flags = "-O2 -ffp-contract=off",
    .folder = "/home/a person/code",
    .defines = defines,
    .define_count = 2,
    .includes = includes,
    .include_count = 1,
    .sources = sources,
    .source_count = 2,
    .headers = headers,
    .header_count = 1,
    .hocket = hocket,
    .hocket_count = 1,
};

static void test_there_and_back(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_plugin_note *read = NULL;
    hk_plugin_note both = sample;
    both.cxx_compiler = "g++ 12";
    both.cxx_flags = "-O1";
    const char *text = hk_plugin_note_text(arena, &both);
    assert_int_equal(hk_plugin_note_parse(ctx, arena, "x.so", text, &read), HK_OK);
    assert_string_equal(hk_plugin_note_text(arena, read), text);
    assert_string_equal(read->sources[0].name, "tank one.c");
    assert_string_equal(read->sources[0].sha256, ONE);
    assert_string_equal(read->defines[0], "NAME=\"a b\"");
    assert_string_equal(read->folder, "/home/a person/code");
    assert_int_equal(read->hocket_count, 1);
    text = hk_plugin_note_text(arena, &sample);
    assert_int_equal(hk_plugin_note_parse(ctx, arena, "x.so", text, &read), HK_OK);
    assert_null(read->cxx_flags);
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
}

static void assert_refused(const char *text, const char *part) {
    hk_arena *arena = hk_arena_create();
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_plugin_note *read = NULL;
    assert_int_equal(hk_plugin_note_parse(ctx, arena, "x.so", text, &read), HK_E_PLUGIN);
    assert_null(read);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, part));
    assert_non_null(hk_ctx_diag(ctx, 0)->hint);
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
}

static void test_damaged(void **state) {
    (void)state;
    assert_refused("", "line 1 is missing");
    assert_refused("hocket-plugin 2\n", "not of this version");
    assert_refused("hocket-plugin 1\ncompiler c\nflags\nfolder /\n", "line 5 is missing");
    assert_refused("hocket-plugin 1\ncompiler c\ncompiler c\n", "line 3 says the same");
    assert_refused("hocket-plugin 1\nsource x.c " ONE "0\n", "line 2 is not a name");
    assert_refused("hocket-plugin 1\nsource " ONE "\n", "line 2 is not a name");
    assert_refused("hocket-plugin 1\nsource x.c 12\n", "line 2 is not a name");
    assert_refused("hocket-plugin 1\ncompiler c\nflags\nfolder /\ncxx-flags\nsource x " ONE,
                   "belong together");
}

static void test_later_lines_are_skipped(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_plugin_note *read = NULL;
    const char *text = "hocket-plugin 1\ncompiler c\nflags \nmood good\nfolder /\nsource x " ONE;
    assert_int_equal(hk_plugin_note_parse(ctx, arena, "x.so", text, &read), HK_OK);
    assert_string_equal(read->flags, "");
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
}

static void test_difference(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_plugin_note note = sample;
    assert_string_equal(hk_plugin_note_difference(arena, &note), "with functions of libm built in");
    note.flags = "-ffp-contract=off -fno-builtin";
    assert_null(hk_plugin_note_difference(arena, &note));
    note.cxx_flags = "-ffp-contract=off -fno-builtin -Ofast";
    assert_string_equal(hk_plugin_note_difference(arena, &note), "with -Ofast");
    note.flags = "-fno-builtin";
    assert_string_equal(hk_plugin_note_difference(arena, &note),
                        "without -ffp-contract=off; C++: with -Ofast");
    hk_arena_destroy(arena);
}

/* Whatever is in a name, the unit is one array of the text's bytes: plugin_test.c reads one back.
 */
static void test_unit(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    const char *unit = hk_plugin_note_unit(arena, "a \"b\\c?"
                                                  "?/d\nlast\n");
    assert_non_null(strstr(unit, "\n    \"a \\\"b\\\\c\\?\\?/d\\n\"\n    \"last\\n\";\n"));
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_later_lines_are_skipped),
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
