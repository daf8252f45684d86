/* SPDX-License-Identifier: MIT
 *
 * What names in type files mean, how data types come down to basic values, and values in the text.
 * Wrong files with their messages are in tests/lang/wrong. */
#include "lang/types/types.h"

#include "base/file.h"
#include "base/number.h"
#include "model/info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_types *types;
    hk_arena *arena;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){hk_ctx_create(NULL, NULL), hk_types_create(), hk_arena_create()};
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_types_destroy(f->types);
    hk_ctx_destroy(f->ctx);
    hk_arena_destroy(f->arena);
    return 0;
}

static hk_status read_as(fixture *f, const char *file, const char *text) {
    return hk_types_read_text(f->ctx, f->types, file, text, strlen(text));
}

static void read_well(fixture *f, const char *text) {
    hk_status status = read_as(f, "boats.types", text);
    if (status != HK_OK)
        print_error("%s\n", hk_ctx_diag(f->ctx, 0)->text);
    assert_int_equal(status, HK_OK);
}

static const hk_lang_type *type_of(const fixture *f, const char *name) {
    bool suffix;
    const hk_lang_type *type = hk_types_find_type(f->types, name, &suffix);
    assert_non_null(type);
    return type;
}

static void test_core(void **state) {
    fixture *f = *state;
    bool suffix;
    assert_int_equal(type_of(f, "core.double")->basic, HK_TYPE_F64);
    assert_int_equal(type_of(f, "core.int")->basic, HK_TYPE_I32);
    assert_int_equal(type_of(f, "core.long")->basic, HK_TYPE_I64);
    assert_int_equal(type_of(f, "core.uint16")->basic, HK_TYPE_U16);
    assert_int_equal(type_of(f, "core.void")->kind, HK_LANG_VOID);
    const hk_lang_type *q = type_of(f, "core.Quaternion");
    assert_int_equal(q->part_count, 4);
    assert_string_equal(q->parts[0].name, "w");
    assert_string_equal(q->parts[3].name, "z");
    assert_ptr_equal(hk_types_find_type(f->types, "Coordinate2D", &suffix),
                     type_of(f, "core.Coordinate2D"));
    assert_true(suffix);
    assert_null(hk_types_find_type(f->types, "core.nothing", &suffix));
    assert_int_equal(hk_types_type_count(f->types), 0);
}

/* Fig. 3 closes its Declaration before the leaf types: they belong to it all the same. */
static void test_packages(void **state) {
    fixture *f = *state;
    bool suffix;
    assert_int_equal(read_as(f, "dir/currents.types",
                             "LeafComponentTypes { LeafComponentType Early { } }\n"
                             "Declaration CurrentTypes {\n"
                             "  interfaces { Interface Source { \"core.bool\" go(); } }\n"
                             "}\n"
                             "LeafComponentTypes { LeafComponentType Model {\n"
                             "  providedInterfaces (Source pSource) } }\n"),
                     HK_OK);
    assert_int_equal(hk_types_leaf_count(f->types), 2);
    assert_string_equal(hk_types_leaf(f->types, 0)->name, "currents.Early");
    assert_string_equal(hk_types_leaf(f->types, 1)->name, "CurrentTypes.Model");
    assert_ptr_equal(hk_types_leaf(f->types, 1)->provided[0].interface,
                     hk_types_find_interface(f->types, "environment.Source", &suffix));
    assert_true(suffix);
    assert_string_equal(hk_types_closest(f->types, "CurrentTypes.Modle"), "CurrentTypes.Model");
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 0);
}

static void test_own_package_first(void **state) {
    fixture *f = *state;
    read_well(f,
              "Declaration a { dataTypes { Record P { core.double x; } } }\n"
              "Declaration b { dataTypes { Record P { core.int y; } Record Q { P p; a.P q; } } }");
    const hk_lang_type *q = type_of(f, "b.Q");
    assert_string_equal(q->fields[0].type->name, "b.P");
    assert_string_equal(q->fields[1].type->name, "a.P");
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 0);
    bool suffix;
    assert_null(hk_types_find_type(f->types, "P", &suffix)); /* which one? */
}

static void check_part(const hk_lang_type *type, size_t index, const char *name, size_t count,
                       const char *unit, const char *frame) {
    const hk_part *p = &type->parts[index];
    assert_string_equal(p->name, name);
    assert_int_equal(p->count, count);
    assert_string_equal(p->unit ? p->unit : "", unit);
    assert_string_equal(p->frame ? p->frame : "", frame);
}

static void test_parts(void **state) {
    fixture *f = *state;
    read_well(f,
              "dataTypes {\n"
              "  Record Pose { core.Coordinate2D place unit \"m\" frame ned; Gains g; Mode m; }\n"
              "  Array Gains of core.float [2, 3];\n"
              "  Array Cube of Gains [4];\n"
              "  Array Path of Pose [2];\n"
              "  Record Trip { Path path; core.double speed unit \"m/s\"; }\n"
              "  Enum Mode { off, on }\n"
              "}\n");
    const hk_lang_type *pose = type_of(f, "boats.Pose"), *trip = type_of(f, "boats.Trip");
    assert_int_equal(pose->part_count, 4);
    check_part(pose, 0, "place.x", 1, "m", "ned");
    check_part(pose, 1, "place.y", 1, "m", "ned");
    check_part(pose, 2, "g", 6, "", "");
    assert_int_equal(pose->parts[2].dim_count, 2);
    assert_ptr_equal(pose->parts[3].enumeration, type_of(f, "boats.Mode"));
    assert_int_equal(trip->part_count, 9);
    check_part(trip, 0, "path[1].place.x", 1, "m", "ned");
    check_part(trip, 6, "path[2].g", 6, "", "");
    check_part(trip, 8, "speed", 1, "m/s", "");
    const hk_part *cube = type_of(f, "boats.Cube")->parts;
    assert_int_equal(cube->count, 24);
    assert_int_equal(cube->dim_count, 3);
    assert_int_equal(cube->dims[0], 4);
    assert_int_equal(cube->dims[2], 3);
}

static void test_signatures(void **state) {
    fixture *f = *state;
    read_well(f,
              "dataTypes { Record P { core.double lat unit \"deg\"; core.int floor; }\n"
              "  Enum Mode { off, on } Array V of core.double [3]; }\n"
              "interfaces { Interface I { core.void set(P p, Mode m, core.double s unit \"m/s\");"
              " V get(); } Interface J { core.void set(P q, Mode m, core.double s unit \"m/s\");"
              " V get(); } Interface K { } }\n");
    assert_string_equal(hk_types_interface(f->types, 0)->signature,
                        "void set({double lat unit \"deg\"; int floor;} p, Enum{off, on} m, "
                        "double s unit \"m/s\"); double[3] get();");
    assert_string_not_equal(hk_types_interface(f->types, 0)->signature,
                            hk_types_interface(f->types, 1)->signature);
    assert_string_equal(hk_types_interface(f->types, 2)->signature, "");
    /* Who calls a function gets the items themselves, not their text. */
    const hk_lang_interface *set = hk_types_interface(f->types, 0);
    assert_int_equal(set->item_count, 1);
    assert_int_equal(set->items[0].function, 0);
    assert_int_equal(set->items[0].argument, 1);
    assert_int_equal(set->items[0].field, 0);
    assert_string_equal(set->items[0].items->item_names[1], "on");
    assert_false(hk_interface_mutable(
        &(hk_interface){.signature = hk_types_interface(f->types, 0)->signature}));
}

/* Also where so much is in an interface that its signature is a hash. */
static void test_mutable(void **state) {
    fixture *f = *state;
    const char *long_text = "";
    for (int i = 0; i < 400; i++)
        long_text =
            hk_arena_printf(f->arena, "%s core.double value_number_%d(core.int k);", long_text, i);
    read_well(f, hk_arena_printf(
                     f->arena,
                     "interfaces { Interface I { core.int n(); mutable core.void set(core.int k); }"
                     " Interface J { mutable core.void set(core.int k); %s } }\n",
                     long_text));
    assert_string_equal(hk_types_interface(f->types, 0)->signature,
                        "int n(); mutable void set(int k);");
    for (size_t i = 0; i < 2; i++)
        assert_true(hk_interface_mutable(
            &(hk_interface){.signature = hk_types_interface(f->types, i)->signature}));
    assert_true(strlen(hk_types_interface(f->types, 1)->signature) < 4000);
}

static void test_leaf(void **state) {
    fixture *f = *state;
    read_well(f, "interfaces { Interface Depth { core.double depth(); } }\n"
                 "LeafComponentTypes { LeafComponentType Boat {\n"
                 "  requiredInterfaces (Depth rDepth) providedInterfaces (Depth pDepth)\n"
                 "  inputs { \"core.double\" rudder = 3 unit \"deg\" previous; }\n"
                 "  outputs { core.Coordinate3D position unit \"m\" frame ned; }\n"
                 "  parameters { private core.double mass = 1 \"t\" unit \"kg\" in [0, 2000]; }\n"
                 "  inputs { core.bool on; }\n"
                 "  stamp start; behaviour \"boat.fmu\"; } }\n");
    const hk_lang_leaf *leaf = hk_types_leaf(f->types, 0);
    assert_string_equal(leaf->name, "boats.Boat");
    assert_int_equal(leaf->input_count, 2);
    assert_string_equal(leaf->inputs[0].mode, "previous");
    assert_string_equal(leaf->inputs[1].name, "on");
    assert_string_equal(leaf->outputs[0].frame, "ned");
    assert_true(leaf->parameters[0].is_private);
    assert_true(leaf->parameters[0].has_range && leaf->parameters[0].max == 2000);
    assert_string_equal(leaf->required[0].name, "rDepth");
    assert_int_equal(leaf->stamp, HK_STAMP_START);
    assert_string_equal(leaf->behaviour, "boat.fmu");
    assert_int_equal(leaf->where.line, 2);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 0); /* 1 t is in the range */
}

static hk_literal number(const char *text, const char *unit) {
    return (hk_literal){.kind = HK_LITERAL_NUMBER, .text = text, .unit = unit};
}

static void test_values(void **state) {
    fixture *f = *state;
    read_well(f,
              "dataTypes { Array G of core.double [2, 2]; Enum Mode { off, on }\n"
              "  Record R { core.int n; G g; Mode m; core.string s; core.double d unit \"m\"; } }");
    const hk_literal row[] = {number("1", NULL), number("2.5", NULL), number("3", NULL),
                              number("4", NULL)};
    const hk_literal items[] = {
        {.kind = HK_LITERAL_TEXT, .text = "7"},
        {.kind = HK_LITERAL_LIST, .items = row, .item_count = 4},
        {.kind = HK_LITERAL_WORD, .text = "on"},
        {.kind = HK_LITERAL_TEXT, .text = "a b"},
        number("2", "km"),
    };
    hk_literal whole = {.kind = HK_LITERAL_LIST, .items = items, .item_count = 5};
    hk_value v[5];
    assert_int_equal(
        hk_literal_value(f->ctx, f->arena, "x", &whole, (hk_typed){type_of(f, "boats.R"), NULL}, v),
        HK_OK);
    assert_int_equal(*(int32_t *)v[0].data, 7);
    assert_true(((double *)v[1].data)[1] == 2.5 && ((double *)v[1].data)[3] == 4);
    assert_int_equal(*(int64_t *)v[2].data, 1);
    assert_string_equal(((hk_bytes *)v[3].data)->data, "a b");
    assert_true(*(double *)v[4].data == 2000);

    hk_literal one = number("1500", "mm");
    assert_int_equal(
        hk_literal_value(f->ctx, f->arena, "x", &one, (hk_typed){type_of(f, "boats.G"), "m"}, v),
        HK_OK);
    for (size_t i = 0; i < 4; i++)
        assert_true(((double *)v[0].data)[i] == 1.5);
    whole.item_count = 4;
    assert_int_equal(
        hk_literal_value(f->ctx, f->arena, "x", &whole, (hk_typed){type_of(f, "boats.R"), NULL}, v),
        HK_E_VALUE);
    one = number("1", "s");
    assert_int_equal(hk_literal_value(f->ctx, f->arena, "x", &one,
                                      (hk_typed){type_of(f, "core.double"), "m"}, v),
                     HK_E_UNIT_MISMATCH);
    one = number("3000000000", NULL);
    assert_int_equal(
        hk_literal_value(f->ctx, f->arena, "x", &one, (hk_typed){type_of(f, "core.int"), NULL}, v),
        HK_E_VALUE);
}

/* Types of a few lines must not fill the memory, or the stack. */
static void test_limits(void **state) {
    fixture *f = *state;
    char *text = hk_arena_alloc(f->arena, 1 << 20), *at = text;
    at += sprintf(at, "dataTypes { Record r0 { core.double x; core.double y; }\n");
    for (int i = 1; i < 60; i++)
        at += sprintf(at, "Record r%d { r%d a; r%d b; }\n", i, i - 1, i - 1);
    sprintf(at, "}");
    assert_int_equal(read_as(f, "big.types", text), HK_E_VALUE);
    at = text;
    at += sprintf(at, "dataTypes {");
    for (int i = 0; i < 5000; i++)
        at += sprintf(at, "Record d%d { d%d a; }\n", i, i + 1);
    sprintf(at, "Record d5000 { core.double x; } }");
    assert_int_equal(read_as(f, "deep.types", text), HK_E_NAME);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 2); /* what follows from them is not said */
}

static void write_file(fixture *f, const char *path, const char *text) {
    assert_int_equal(hk_file_write(f->ctx, path, text, strlen(text)), HK_OK);
}

static void test_imports(void **state) {
    fixture *f = *state;
    const char *folder;
    assert_int_equal(hk_folder_temporary(f->ctx, f->arena, &folder), HK_OK);
    const char *a = hk_path_join(f->arena, folder, "a.types");
    write_file(f, a, "import \"b.types\"; dataTypes { Record A { b.B b; } }");
    write_file(f, hk_path_join(f->arena, folder, "b.types"),
               "import \"a.types\"; import \"./b.types\"; dataTypes { Record B { core.int x; } }");
    assert_int_equal(hk_types_read(f->ctx, f->types, a, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_types_read(f->ctx, f->types, a, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_types_type_count(f->types), 2);
    assert_int_equal(type_of(f, "a.A")->part_count, 1);
    hk_folder_remove(folder);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_core),    TEST(test_packages),   TEST(test_own_package_first),
        TEST(test_parts),   TEST(test_signatures), TEST(test_mutable),
        TEST(test_leaf),    TEST(test_values),     TEST(test_limits),
        TEST(test_imports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
