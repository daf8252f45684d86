/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/simulation/simulation_internal.h"

static const char signature[] =
    "double at(double t unit \"s; (\", {double x; Enum{a, b} kind;} place frame ned); "
    "mutable void mode(Enum{Manual, Heading, Track} m, string name); "
    "Enum{off, on}[2] last(); "
    "void all({{long n; Enum{in, out} side;}[2] ends; Enum{x}[3] marks;}[4] list, int k);";

static const hk_enum *items(hk_arena *arena, const char *function, size_t argument,
                            const char *path) {
    const hk_interface interface = {.name = "p.I", .signature = signature};
    const hk_function f = {.name = function};
    hk_simread r = {.arena = arena};
    return hk_simread_items(&r, &(hk_callee){"p.I.f", &interface, &f}, argument, path);
}

static void found(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    const hk_enum *e = items(arena, "mode", 0, "");
    assert_non_null(e);
    assert_int_equal(e->item_count, 3);
    assert_string_equal(e->item_names[0], "Manual");
    assert_string_equal(e->item_names[2], "Track");
    assert_int_equal(e->item_values[2], 2);
    e = items(arena, "at", 1, "kind");
    assert_non_null(e);
    assert_string_equal(e->item_names[1], "b");
    e = items(arena, "all", 0, "[2].ends[1].side");
    assert_non_null(e);
    assert_string_equal(e->item_names[1], "out");
    e = items(arena, "all", 0, "[4].marks");
    assert_non_null(e);
    assert_int_equal(e->item_count, 1);
    hk_arena_destroy(arena);
}

static void not_found(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_null(items(arena, "mode", 1, ""));
    assert_null(items(arena, "at", 1, "x"));
    assert_null(items(arena, "at", 0, "kind"));
    assert_null(items(arena, "nothing", 0, ""));
    assert_null(items(arena, "last", 0, ""));
    assert_null(items(arena, "all", 7, ""));
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(not_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
