/* SPDX-License-Identifier: MIT
 *
 * Type files: every production, and every mistake with its place. */
#include "parse_rig.h"

#define LEAF(text) "LeafComponentTypes {\n  LeafComponentType T {\n    " text "\n  }\n}\n"

static void test_empty(void **state) {
    rig *r = *state;
    rig_types_prints(r, "", "");
    rig_types_prints(r, " // only\n/* a\n comment */", "// only\n/* a\n comment */\n");
    assert_int_equal(rig_types(r, "// x")->end.before_count, 1);
}

static void test_files(void **state) {
    rig *r = *state;
    const hk_typefile *file = rig_types(r, "dataTypes {} import \"a.types\"; interfaces {}\n"
                                           "Declaration d { dataTypes {} }\n"
                                           "LeafComponentTypes {}");
    assert_string_equal(file->imports[0].text, "a.types");
    assert_int_equal(file->declaration_count, 3);
    assert_int_equal(file->declarations[0].section_count, 2);
    assert_string_equal(file->declarations[0].name.text, "");
    assert_string_equal(file->declarations[1].name.text, "d");
    assert_int_equal(file->declarations[2].sections[0].kind, HK_SECTION_LEAVES);
    assert_int_equal(file->declarations[2].at.line, 3);
}

static void test_data_types(void **state) {
    rig *r = *state;
    const hk_typefile *file = rig_types(
        r, "dataTypes { Record P { core.double x unit \"m\" frame ned; } Array G of P[3, 4];"
           " Enum M { OFF, ON } Record end {}; }");
    const hk_datatype *types = file->declarations[0].sections[0].datatypes;
    assert_int_equal(file->declarations[0].sections[0].count, 4);
    assert_string_equal(types[0].fields[0].unit.text, "m");
    assert_string_equal(types[0].fields[0].frame.text, "ned");
    assert_string_equal(types[1].element.text, "P");
    assert_int_equal(types[1].size_count, 2);
    assert_string_equal(types[1].sizes[1].text, "4");
    assert_string_equal(types[2].items[1].text, "ON");
    assert_string_equal(types[3].name.text, "end");
}

static void test_leaf_sections(void **state) {
    rig *r = *state;
    const hk_typefile *file =
        rig_types(r, LEAF("requiredInterfaces (I a, p.J b); providedInterfaces ()\n"
                          "inputs { core.double u = 1.5 unit \"m\" frame f observe; }\n"
                          "outputs { core.int y = -3; }\n"
                          "parameters { private core.double k = {1, {true, ON}, \"t\"} in "
                          "[-1, 1e3]; T p; }\n"
                          "stamp start; behaviour \"x.fmu\";"));
    const hk_leafsection *s = file->declarations[0].sections[0].leaves[0].sections;
    assert_int_equal(s[0].kind, HK_SECTION_REQUIRED);
    assert_string_equal(s[0].uses[1].interface.text, "p.J");
    assert_int_equal(s[1].count, 0);
    assert_string_equal(s[2].decls[0].mode.text, "observe");
    assert_string_equal(s[2].decls[0].start.text, "1.5");
    assert_int_equal(s[3].decls[0].start.kind, HK_LITERAL_NUMBER);
    const hk_decl *k = &s[4].decls[0];
    assert_true(k->is_private && k->has_range && !s[4].decls[1].is_private);
    assert_string_equal(k->max.text, "1e3");
    assert_int_equal(k->start.item_count, 3);
    assert_int_equal(k->start.items[1].items[0].kind, HK_LITERAL_BOOL);
    assert_int_equal(k->start.items[1].items[1].kind, HK_LITERAL_WORD);
    assert_int_equal(k->start.items[2].kind, HK_LITERAL_TEXT);
    assert_string_equal(s[5].value.text, "start");
    assert_string_equal(s[6].value.text, "x.fmu");
}

static void test_words_are_names_elsewhere(void **state) {
    rig *r = *state;
    rig_types(r, "Declaration Declaration { interfaces { Interface interfaces {"
                 " Record inputs(Enum Array, import unit unit \"m\"); } }"
                 " LeafComponentTypes { LeafComponentType inputs { inputs { outputs in = end; frame"
                 " previous previous; } parameters { \"private\" private; } } } }");
}

static void test_comments(void **state) {
    rig *r = *state;
    rig_types_prints(r,
                     "/* a */ /* b */ Declaration /* c */ d // e\n"
                     "{ // f\n"
                     "// g\n"
                     "interfaces { Interface I { core.void f( // h\n"
                     " core.int a /* i */, // j\n"
                     " // k\n"
                     " core.int b // l\n"
                     " // m\n"
                     " ) /* n */ ; // o\n"
                     " // p\n"
                     "} /* q */ /* r */ }\n"
                     "// s\n"
                     "} // t\n"
                     "// u\n",
                     "/* a */\n/* b */\n/* c */\n// e\n"
                     "Declaration d { // f\n"
                     "  // g\n"
                     "  interfaces {\n"
                     "    Interface I {\n"
                     "      // m\n"
                     "      /* n */\n"
                     "      core.void f(\n"
                     "        // h\n"
                     "        /* i */\n"
                     "        core.int a, // j\n"
                     "        // k\n"
                     "        core.int b // l\n"
                     "      ); // o\n"
                     "      // p\n"
                     "    } /* q */ /* r */\n"
                     "  }\n"
                     "  // s\n"
                     "} // t\n"
                     "\n"
                     "// u\n");
    rig_types_prints(
        r, "dataTypes { Enum E { // a\n A, // b\n B // c\n // d\n } // e\n }",
        "dataTypes {\n  Enum E { // a\n    A, // b\n    B // c\n    // d\n  } // e\n}\n");
}

static void test_long_lines_are_folded(void **state) {
    rig *r = *state;
    rig_types_prints(
        r,
        "interfaces { Interface I { core.void aFunctionWithALongName(core.double firstArgument,"
        " core.double secondArgument, core.int c); } }",
        "interfaces {\n  Interface I {\n    core.void aFunctionWithALongName(\n"
        "      core.double firstArgument,\n      core.double secondArgument,\n      core.int c\n"
        "    );\n  }\n}\n");
}

static void test_mistakes(void **state) {
    rig *r = *state;
    rig_types_wrong(r, "dataTypess {}\ninterfaces {}",
                    "1:1: expected 'dataTypes', 'interfaces', 'LeafComponentTypes', 'Declaration' "
                    "or 'import', found 'dataTypess' [did you mean 'dataTypes'?]\n");
    rig_types_wrong(r, "import a;",
                    "1:8: expected a file in double quotes, found 'a' [it is in "
                    "double quotes]\n");
    rig_types_wrong(r, "Declaration a.b {}",
                    "1:13: expected the name of the Declaration, found 'a.b' [this name must have "
                    "no dots]\n");
    rig_types_wrong(r, LEAF("input { core.int u; }"),
                    "3:5: expected 'providedInterfaces', 'requiredInterfaces', 'inputs', 'outputs',"
                    " 'parameters', 'stamp' or 'behaviour', found 'input' [did you mean "
                    "'inputs'?]\n");
    rig_types_wrong(r, LEAF("inputs { core.int u\n core.int v; }"),
                    "3:24: expected ';' behind 'u'\n");
    rig_types_wrong(r, LEAF("inputs { core.int u; core.int v }"),
                    "3:36: expected ';' behind 'v'\n");
    rig_types_wrong(r, LEAF("inputs { core.int 3u; }"),
                    "3:23: expected a name, found '3u' [names begin with a letter or '_'; others "
                    "are in double quotes]\n");
    rig_types_wrong(r, LEAF("inputs { core.int u in [0, 1]; }"),
                    "3:25: expected ';', found 'in' ['in' is for parameters, a lag for inputs]\n");
    rig_types_wrong(r, LEAF("inputs { core.int u unitt \"m\"; }"),
                    "3:25: expected ';', found 'unitt' [did you mean 'unit'?]\n");
    rig_types_wrong(r, LEAF("inputs { core.int u unit \"m\" unit \"m\"; }"),
                    "3:34: the unit is given twice [remove one of them]\n");
    rig_types_wrong(r, LEAF("stamp begin;"), "3:11: expected 'start' or 'end', found 'begin'\n");
    rig_types_wrong(r, LEAF("outputs { core.int y = {1, , 2}; core.int z = ; }"),
                    "3:32: expected a value, found ',' [a number, true, false, a text in quotes, a "
                    "word, or { ... }]\n"
                    "3:51: expected a value, found ';' [a number, true, false, a text in quotes, a "
                    "word, or { ... }]\n");
    rig_types_wrong(r, "dataTypes { Enum E {} Array A of T[]; Array B of T[1.2.3]; Array C T[1]; }",
                    "1:21: expected the name of an item, found '}'\n"
                    "1:36: expected a number of elements, found ']'\n"
                    "1:52: expected a number of elements, found '1.2.3' [this is not a number]\n"
                    "1:68: expected 'of', found 'T'\n");
    rig_types_wrong(r, "dataTypes {};\n;", "2:1: this ';' ends no statement [remove it]\n");
    rig_types_wrong(r, "Declaration \"\" {}",
                    "1:13: expected the name of the Declaration, found quotes with nothing between "
                    "them\n");
}

static void test_what_follows_is_read(void **state) {
    rig *r = *state;
    const hk_typefile *file = rig_types_wrong(
        r,
        "Declaration {\n  dataTypes { Recrd A { core.int x; } Record B { core.int 1; core.int y; } "
        "}\n"
        "  interfaces { Interface I { core.void f(; core.void g(); } }\n}\nimport \"x.types\";\n",
        "1:13: expected the name of the Declaration, found '{'\n"
        "2:15: expected 'Record', 'Array' or 'Enum', found 'Recrd' [did you mean 'Record'?]\n"
        "2:59: expected a name, found '1' [names begin with a letter or '_'; others are in "
        "double "
        "quotes]\n"
        "3:42: expected a type, found ';'\n");
    const hk_typesection *sections = file->declarations[0].sections;
    assert_int_equal(file->declarations[0].section_count, 2);
    assert_int_equal(sections[0].count, 1);
    assert_string_equal(sections[0].datatypes[0].fields[0].name.text, "y");
    assert_string_equal(sections[1].interfaces[0].functions[0].name.text, "g");
    assert_int_equal(file->import_count, 1);
}

static void test_braces(void **state) {
    rig *r = *state;
    /* one too few, seen by the indentation; at the end; one too many */
    rig_types_wrong(
        r,
        "LeafComponentTypes {\n  LeafComponentType A {\n    inputs {\n      core.int u;\n"
        "    outputs {\n      core.int y;\n    }\n  }\n}\n",
        "5:5: expected '}', found 'outputs'; the body that begins in line 3 is not "
        "closed\n");
    rig_types_wrong(r, "Declaration a {\n  interfaces {\n",
                    "3:1: expected '}', found the end of the file; the body that begins in line 2 "
                    "is not closed\n");
    rig_types_wrong(r,
                    "Declaration a {\n  interfaces {}\n  }\n  dataTypes {}\n}\n}\ninterfaces {}\n",
                    "5:1: this '}' closes nothing\n");
    rig_types_wrong(r,
                    "LeafComponentTypes {\n  LeafComponentType A {}\n  }\n  LeafComponentType B "
                    "{}\n  LeafComponentType C {}\n}\n",
                    "4:3: expected 'dataTypes', 'interfaces', 'LeafComponentTypes', 'Declaration' "
                    "or 'import', found 'LeafComponentType' [it may occur elsewhere, but not "
                    "here]\n");
    rig_types_wrong(r, "interfaces\n  Interface I {}\n}\n",
                    "2:3: expected '{', found 'Interface'\n");
}

static void test_bytes(void **state) {
    rig *r = *state;
    rig_types_wrong(r, "dataTypes { /* open\n}\n", "1:13: the comment is not closed\n");
    rig_types_wrong(r, "import \"open;\nimport \"b\";",
                    "1:8: the quotes are not closed in this line\n");
    rig_types_wrong(r, "dataTypes { # }\ninterfaces {}",
                    "1:13: the character '#' does not belong here\n");
    rig_types(r, "// bytes \xff\xfe that are not text\ndataTypes {}");
}

static void test_depth(void **state) {
    rig *r = *state;
    char open[512] = {0}, close[512] = {0};
    for (size_t depth = 200; depth <= 201; depth++) {
        memset(open, '{', depth);
        memset(close, '}', depth);
        const char *text =
            hk_arena_printf(r->arena, LEAF("inputs { T u = %s1%s; T v; }"), open, close);
        if (depth == 200)
            rig_types(r, text);
        else
            rig_types_wrong(r, text,
                            "3:220: this is nested more than 200 deep [use fewer levels]\n");
    }
}

static void test_fifty_mistakes(void **state) {
    rig *r = *state;
    char text[2000] = "dataTypes { ", *at = text + strlen(text);
    for (int i = 0; i < 60; i++)
        at = stpcpy(at, "Foo a; ");
    stpcpy(at, "}");
    hk_typefile *file;
    assert_int_equal(hk_types_parse(r->ctx, r->arena, "f", text, strlen(text), &file),
                     HK_E_LANGUAGE);
    assert_int_equal(hk_ctx_count(r->ctx, HK_ERROR), 50);
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), 51);
    assert_string_equal(hk_ctx_diag(r->ctx, 50)->text, "there are more mistakes than these 50");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_empty),
        RIG_TEST(test_files),
        RIG_TEST(test_data_types),
        RIG_TEST(test_leaf_sections),
        RIG_TEST(test_words_are_names_elsewhere),
        RIG_TEST(test_comments),
        RIG_TEST(test_long_lines_are_folded),
        RIG_TEST(test_mistakes),
        RIG_TEST(test_what_follows_is_read),
        RIG_TEST(test_braces),
        RIG_TEST(test_bytes),
        RIG_TEST(test_depth),
        RIG_TEST(test_fifty_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
