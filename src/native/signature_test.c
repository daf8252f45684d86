/* SPDX-License-Identifier: MIT */
#include "native/native_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char signature[] =
    "double at(double t unit \"s; (\", {double x; Enum{a, b} kind;} place frame ned); "
    "mutable void mode(Enum{Manual, Heading, Track} m, string name); "
    "Enum{off, on}[2] last(); "
    "void all({{long n; Enum{in, out} side;}[2] ends; Enum{x}[3] marks;}[4] list, int k);";

static const hk_field number = {.name = "", .type = HK_TYPE_F64};
static const hk_field place[] = {{.name = "x", .type = HK_TYPE_F64},
                                 {.name = "kind", .type = HK_TYPE_ENUM}};
static const hk_field alone = {.name = NULL, .type = HK_TYPE_ENUM};
static const hk_field text = {.name = "", .type = HK_TYPE_STRING};
static const hk_field list[] = {{.name = "[2].ends[1].n", .type = HK_TYPE_I64},
                                {.name = "[2].ends[1].side", .type = HK_TYPE_ENUM},
                                {.name = "[4].marks", .type = HK_TYPE_ENUM, .count = 3}};
static const hk_argument at_arguments[] = {{"t", 8, &number, 1}, {"place", 16, place, 2}};
static const hk_argument mode_arguments[] = {{"m", 4, &alone, 1}, {"name", 16, &text, 1}};
static const hk_argument all_arguments[] = {{"list", 100, list, 3}};
/* What the signature does not have, though the table says so. */
static const hk_argument wrong_arguments[] = {{"m", 4, &alone, 1}};
static const hk_function functions[] = {
    {.name = "at", .arguments = at_arguments, .argument_count = 2},
    {.name = "mode", .arguments = mode_arguments, .argument_count = 2},
    {.name = "last"},
    {.name = "all", .arguments = all_arguments, .argument_count = 1},
    {.name = "nothing", .arguments = wrong_arguments, .argument_count = 1},
    {.name = "last", .arguments = wrong_arguments, .argument_count = 1},
    {.name = NULL, .arguments = wrong_arguments, .argument_count = 1},
    {.name = "at", .arguments = wrong_arguments, .argument_count = 1},
    {.name = "mode", .arguments = NULL, .argument_count = 1},
};
static const hk_interface interface = {.name = "p.I",
                                       .signature = signature,
                                       .functions = functions,
                                       .function_count = sizeof functions / sizeof *functions};

static void found(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_service_info s = {.name = "i", .definition = &interface};
    hk_native_read_items(arena, &s);
    const hk_enum *e = hk_service_items(&s, 1, 0, 0);
    assert_non_null(e);
    assert_int_equal(e->item_count, 3);
    assert_string_equal(e->item_names[0], "Manual");
    assert_string_equal(e->item_names[2], "Track");
    assert_int_equal(e->item_values[2], 2);
    e = hk_service_items(&s, 0, 1, 1);
    assert_non_null(e);
    assert_string_equal(e->item_names[1], "b");
    e = hk_service_items(&s, 3, 0, 1);
    assert_non_null(e);
    assert_string_equal(e->item_names[1], "out");
    e = hk_service_items(&s, 3, 0, 2);
    assert_non_null(e);
    assert_int_equal(e->item_count, 1);
    assert_int_equal(s.item_count, 4); /* and none of what is not an enumeration, or not there */
    assert_null(hk_service_items(&s, 0, 0, 0));
    assert_null(hk_service_items(&s, 4, 0, 0));
    hk_arena_destroy(arena);
}

static void no_functions(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    const hk_interface bare = {.name = "p.J", .signature = "", .function_count = 3};
    hk_service_info s = {.name = "j", .definition = &bare};
    hk_native_read_items(arena, &s);
    assert_int_equal(s.item_count, 0);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(no_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
