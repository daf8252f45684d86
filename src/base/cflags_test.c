/* SPDX-License-Identifier: MIT */
#include "base/cflags.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_difference(hk_arena *arena, const char *more, const char *expected) {
    const char *flags = hk_arena_printf(arena, "%s %s", hk_plugin_flags_text(arena), more);
    const char *found = hk_cflags_difference(arena, flags);
    if (expected)
        assert_string_equal(found, expected);
    else
        assert_null(found);
}

static void the_list_differs_in_nothing(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_difference(arena, "", NULL);
    assert_difference(arena, "-g -O3 -Wall -fsanitize=address -std=c11 -march=x86-64", NULL);
    /* sqrt and fabs must stay built in: they are one instruction, and right by themselves */
    assert_null(strstr(hk_plugin_flags_text(arena), "builtin-sqrt"));
    assert_null(strstr(hk_plugin_flags_text(arena), "builtin-fabs"));
    assert_non_null(strstr(hk_plugin_flags_text(arena), "-fno-builtin-sinf "));
    hk_arena_destroy(arena);
}

static void what_changes_bits_is_named(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_difference(arena, "-ffast-math", "with -ffast-math");
    assert_difference(arena, "-ffast-math -fno-fast-math", NULL);
    assert_difference(arena, "-Ofast -march=native", "with -Ofast, with -march=native");
    assert_difference(arena, "-ffp-contract=fast", "without -ffp-contract=off");
    assert_difference(arena, "-ffp-contract=fast -ffp-contract=off", NULL);
    assert_difference(arena, "-mfma -mavx2", "with -mfma, with -mavx2");
    assert_difference(arena, "-fno-signed-zeros -fsigned-zeros", NULL);
    assert_difference(arena, "-mfpmath=387", "with -mfpmath=387");
    assert_string_equal(hk_cflags_difference(arena, "-O2"),
                        "without -ffp-contract=off, with functions of libm built in");
    assert_string_equal(hk_cflags_difference(arena, ""),
                        "without -ffp-contract=off, with functions of libm built in");
    assert_null(hk_cflags_difference(arena, "-ffp-contract=off -fno-builtin"));
    hk_arena_destroy(arena);
}

/* One function less is another list: the count alone is not asked. */
static void one_function_of_libm_is_enough(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    char *flags = hk_arena_strdup(arena, hk_plugin_flags_text(arena));
    char *sinh = strstr(flags, "-fno-builtin-sinh ");
    assert_non_null(sinh);
    memcpy(sinh, "-fno-builtin-zinh ", strlen("-fno-builtin-zinh "));
    assert_string_equal(hk_cflags_difference(arena, flags), "with functions of libm built in");
    hk_arena_destroy(arena);
}

static void what_is_not_known_is_named(void **state) {
    (void)state;
    static const char *const unknown[] = {
        "-DA",     "-UA",    "-include",     "-Ifolder",           "-mlong-double-64",
        "-Wp,-DA", "-Ofast", "-mfpmath=387", "-fsanitize=address", "-fsingle-precision-constant",
        "@words",  "other.o"};
    hk_arena *arena = hk_arena_create();
    const char *list = hk_plugin_flags_text(arena);
    assert_null(hk_cflags_unknown(arena, list, false));
    assert_null(
        hk_cflags_unknown(arena, hk_arena_printf(arena, "ccache gcc -g3 -Wall %s", list), false));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_string_equal(
            hk_cflags_unknown(arena, hk_arena_printf(arena, "-O3 %s %s", unknown[i], list), false),
            unknown[i]);
    assert_null(hk_cflags_unknown(arena, "-DA=1 -std=c17 -funsigned-char", true));
    assert_string_equal(hk_cflags_unknown(arena, "-DA=1 -DB=\"x\"", true), "-DB=\"x\"");
    assert_string_equal(hk_cflags_unknown(arena, "-D A", true), "-D");
    hk_arena_destroy(arena);
}

static void people_see_one_word_for_libm(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_string_equal(
        hk_cflags_short(arena, hk_arena_printf(arena, "%s  -g", hk_plugin_flags_text(arena))),
        "-O2 -fPIC -fvisibility=hidden -fno-fast-math -ffp-contract=off "
        "-fno-strict-aliasing -fno-builtin-LIBM -g");
    assert_string_equal(hk_cflags_short(arena, "-O1 -fno-builtin-sin"), "-O1 -fno-builtin-sin");
    assert_string_equal(hk_cflags_short(arena, ""), "");
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_differs_in_nothing),
        cmocka_unit_test(what_changes_bits_is_named),
        cmocka_unit_test(one_function_of_libm_is_enough),
        cmocka_unit_test(what_is_not_known_is_named),
        cmocka_unit_test(people_see_one_word_for_libm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
