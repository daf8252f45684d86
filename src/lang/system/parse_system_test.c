/* SPDX-License-Identifier: MIT
 *
 * System files: every production, and every mistake with its place. */
#include "parse_rig.h"

#define ROOT(text) "system s {\n  composite c {\n    " text "\n  }\n}\n"
#define ITEMS                                                                                      \
    "'composite', 'leaf', 'input', 'output', 'provides', 'requires', 'link', 'service', 'share', " \
    "'processor', 'cut', 'latency', 'coincidence', 'freshness' or 'world'"

static void test_file(void **state) {
    rig *r = *state;
    const hk_systemfile *file =
        rig_system(r, "system s { plugin \"a.so\"; import \"a.types\"; import \"b.types\";"
                      " composite root {} plugin \"b.so\"; }; // behind\n// rest");
    assert_string_equal(file->name.text, "s");
    assert_int_equal(file->import_count, 2);
    assert_string_equal(file->plugins[1].text, "b.so");
    assert_string_equal(file->root->name.text, "root");
    assert_string_equal(file->end.behind, "// behind");
    assert_string_equal(file->rest.before[0], "// rest");
}

static void test_leaf(void **state) {
    rig *r = *state;
    const hk_systemfile *file = rig_system(
        r, ROOT("leaf a : p.T { frequency 1000 Hz; frequency 2.5; period 5ms; offset 1/200;"
                " priority 1; param k = 2.5 \"m/s\"; param \"der(x)\" = -1; use u previous;"
                " delay 3 ms; inactive; cost 1us; deadline 2 min; overrun skip; }"
                " leaf b : \"x.fmu\"; leaf leaf : end {}"));
    const hk_leaf *leaf = file->root->items[0].leaf;
    const hk_leafitem *items = leaf->items;
    assert_int_equal(leaf->item_count, 13);
    assert_string_equal(leaf->type.text, "p.T");
    static const hk_leafitem_kind kinds[] = {
        HK_LEAF_FREQUENCY, HK_LEAF_FREQUENCY, HK_LEAF_PERIOD, HK_LEAF_OFFSET, HK_LEAF_PRIORITY,
        HK_LEAF_PARAM,     HK_LEAF_PARAM,     HK_LEAF_USE,    HK_LEAF_DELAY,  HK_LEAF_INACTIVE,
        HK_LEAF_COST,      HK_LEAF_DEADLINE,  HK_LEAF_OVERRUN};
    for (size_t i = 0; i < leaf->item_count; i++)
        assert_int_equal(items[i].kind, kinds[i]);
    assert_string_equal(items[0].number.unit, "Hz");
    assert_null(items[1].number.unit);
    assert_string_equal(items[2].number.text, "5");
    assert_string_equal(items[2].number.unit, "ms");
    assert_string_equal(items[3].number.text, "1/200");
    assert_string_equal(items[5].value.unit, "m/s");
    assert_string_equal(items[6].name.text, "der(x)");
    assert_string_equal(items[7].word.text, "previous");
    assert_string_equal(items[8].number.unit, "ms");
    assert_string_equal(items[12].word.text, "skip");
    assert_true(file->root->items[1].leaf->type.quoted);
    assert_string_equal(file->root->items[2].leaf->name.text, "leaf");
}

static void test_links(void **state) {
    rig *r = *state;
    const hk_systemfile *file = rig_system(
        r, ROOT("input core.double u unit \"m\" frame ned; output T y; provides p.I a;"
                " requires I b; link a.y -> b.u, lag lag previous delay 5ms initial {1, 2};"
                " link a.y -> c.u; service a.r -> b.p, c.p; share a.p -> b.p;"
                " processor P1: a b.c\n \"x y\"; cut keep; composite inner { cut hla; }"));
    const hk_item *items = file->root->items;
    assert_int_equal(file->root->item_count, 11);
    assert_string_equal(items[0].port->frame.text, "ned");
    assert_int_equal(items[1].kind, HK_ITEM_OUTPUT);
    assert_string_equal(items[2].use->interface.text, "p.I");
    assert_int_equal(items[3].kind, HK_ITEM_REQUIRES);
    assert_int_equal(items[4].link->to_count, 2);
    assert_string_equal(items[4].link->to[1].text, "lag");
    assert_string_equal(items[4].link->lag.text, "previous");
    assert_string_equal(items[4].link->delay.text, "5");
    assert_int_equal(items[4].link->initial.item_count, 2);
    assert_string_equal(items[5].link->lag.text, "");
    assert_int_equal(items[6].kind, HK_ITEM_SERVICE);
    assert_int_equal(items[7].kind, HK_ITEM_SHARE);
    assert_string_equal(items[8].link->from.text, "P1");
    assert_int_equal(items[8].link->to_count, 3);
    assert_string_equal(items[9].word.text, "keep");
    assert_string_equal(items[10].composite->items[0].word.text, "hla");
}

static void test_roles(void **state) {
    rig *r = *state;
    const hk_systemfile *file = rig_system(
        r,
        "system s { composite role { composite a role user {} composite \"b\" role sensors {} } }");
    assert_string_equal(file->root->name.text, "role");
    assert_string_equal(file->root->role.text, "");
    assert_string_equal(file->root->items[0].composite->role.text, "user");
    assert_string_equal(file->root->items[1].composite->role.text, "sensors");
    rig_system_prints(
        r, "system s{composite c role\nanalysis{// inside\nleaf a:T;}}",
        "system s {\n  composite c role analysis { // inside\n    leaf a : T;\n  }\n}\n");
#define ROLES                                                                                      \
    "'environment', 'user', 'controlled', 'sensors', 'actuators', 'controller' or 'analysis'"
    /* What is inside is kept. */
    file = rig_system_wrong(r,
                            ROOT("composite a role sensor { leaf x : T; }\n"
                                 "    composite b role { leaf y : T; }"),
                            "3:22: expected " ROLES ", found 'sensor' [did you mean 'sensors'?]\n"
                            "4:22: expected " ROLES ", found '{'\n");
    assert_string_equal(file->root->items[0].composite->items[0].leaf->name.text, "x");
    assert_string_equal(file->root->items[1].composite->items[0].leaf->name.text, "y");
#undef ROLES
}

static void test_ages(void **state) {
    rig *r = *state;
    const hk_systemfile *file =
        rig_system(r, ROOT("latency a -> b.c -> max max 5 ms min 0; freshness \"x y\" max 1/50;\n"
                           " coincidence a -> c, b -> c, a -> b -> c;"));
    const hk_item *items = file->root->items;
    assert_int_equal(items[0].kind, HK_ITEM_LATENCY);
    assert_int_equal(items[0].age->ways[0].count, 3);
    assert_string_equal(items[0].age->ways[0].steps[2].text, "max");
    assert_string_equal(items[0].age->max.unit, "ms");
    assert_string_equal(items[0].age->min.text, "0");
    assert_int_equal(items[1].age->way_count, 1);
    assert_string_equal(items[1].age->ways[0].steps[0].text, "x y");
    assert_string_equal(items[1].age->min.text, "");
    assert_int_equal(items[2].age->way_count, 3);
    assert_int_equal(items[2].age->ways[2].count, 3);
    rig_system_prints(r,
                      ROOT("latency a->b max 5 min 1; // why\ncoincidence "
                           "aLongComponent.aLongLeaf->another.aLongLeaf,aSecond.longComponent"
                           "->another.aLongLeaf;freshness a max 1;"),
                      "system s {\n"
                      "  composite c {\n"
                      "    latency a -> b min 1 max 5; // why\n"
                      "    coincidence aLongComponent.aLongLeaf -> another.aLongLeaf, "
                      "aSecond.longComponent ->\n"
                      "        another.aLongLeaf;\n"
                      "    freshness a max 1;\n"
                      "  }\n"
                      "}\n");
}

static void test_form(void **state) {
    rig *r = *state;
    rig_system_prints(r,
                      "/* s */system s{composite c{ // c\n"
                      "leaf a:T{ // head\n period 5 ms; /* five */ } // a\n"
                      "leaf b:T{}leaf d:T{} // d\n leaf e:T{\n// nothing\n}\n"
                      "link "
                      "aLongComponent.aLongOutput->aLongComponent.aLongInput,aLongComponent."
                      "aLongInput,another.anInput"
                      " lag current;}}",
                      "/* s */\n"
                      "system s {\n"
                      "  composite c { // c\n"
                      "    leaf a : T { // head\n"
                      "      period 5ms; /* five */\n"
                      "    } // a\n"
                      "    leaf b : T;\n"
                      "    leaf d : T {} // d\n"
                      "    leaf e : T {\n"
                      "      // nothing\n"
                      "    }\n"
                      "    link aLongComponent.aLongOutput -> aLongComponent.aLongInput, "
                      "aLongComponent.aLongInput,\n"
                      "        another.anInput lag current;\n"
                      "  }\n"
                      "}\n");
}

static void test_mistakes(void **state) {
    rig *r = *state;
    rig_system_wrong(r, "", "1:1: the file holds no system [write system NAME { ... }]\n");
    rig_system_wrong(r, "system s {}",
                     "1:11: the system has no composite [write composite NAME { ... }]\n");
    rig_system_wrong(r, "system s { composite a {} composite b {} }",
                     "1:27: a system has one composite that holds all others [put one into the "
                     "other, or both into a new one]\n");
    rig_system_wrong(r, "system s { composite a {} }\nsystem t { composite b {} }",
                     "2:1: a file holds one system [use a file for each]\n");
    rig_system_wrong(r, ROOT("lef a : T;"),
                     "3:5: expected " ITEMS ", found 'lef' [did you mean 'leaf'?]\n");
    rig_system_wrong(r, ROOT("link a.y > b.u;"), "3:14: expected '->', found '>'\n");
    rig_system_wrong(r, ROOT("link a.y -> b.u initia 1;"),
                     "3:21: expected ';', found 'initia' [did you mean 'initial'?]\n");
    rig_system_wrong(r, ROOT("link a.y -> b.u lag previos;"),
                     "3:25: expected 'previous', 'observe' or 'current', found 'previos' [did you "
                     "mean 'previous'?]\n");
    rig_system_wrong(r, ROOT("link a.y -> b.u lag current lag current;"),
                     "3:33: the lag is given twice [remove one of them]\n");
    rig_system_wrong(r, ROOT("latency a max 1;"),
                     "3:15: expected '->', found 'max' [a path leads from one component to "
                     "another]\n");
    rig_system_wrong(r, ROOT("latency a -> b;"), "3:19: expected 'max' or 'min', found ';'\n");
    rig_system_wrong(r, ROOT("latency a -> b max 1 max 2;"),
                     "3:26: max is given twice [remove one of them]\n");
    rig_system_wrong(r, ROOT("freshness a min 1;"), "3:17: expected 'max', found 'min'\n");
    rig_system_wrong(r, ROOT("coincidence a -> b;"),
                     "3:23: expected ',' and another path, found ';' [a coincidence compares two "
                     "paths or more]\n");
    rig_system_wrong(r, ROOT("coincidence a -> b, c;"),
                     "3:26: expected '->', found ';' [a path leads from one component to "
                     "another]\n");
    rig_system_wrong(r, ROOT("processor P a b;"), "3:17: expected ':', found 'a'\n");
    rig_system_wrong(r, ROOT("processor P: a b\n    cut hla;"), "3:21: expected ';' behind 'b'\n");
    rig_system_wrong(r, ROOT("cut up;"), "3:9: expected 'hla' or 'keep', found 'up'\n");
    rig_system_wrong(r, ROOT("leaf a : T { period fast; overrun latte; }"),
                     "3:25: expected a time, found 'fast'\n"
                     "3:39: expected 'late', 'skip' or 'stop', found 'latte' [did you mean "
                     "'late'?]\n");
    rig_system_wrong(r, ROOT("leaf a : T { input T u; }\n    leaf b : T;"),
                     "3:18: expected 'frequency', 'period', 'offset', 'priority', 'param', 'use', "
                     "'delay', 'inactive', 'cost', 'deadline' or 'overrun', found 'input' [it may "
                     "occur elsewhere, but not here]\n");
}

static void test_what_follows_is_read(void **state) {
    rig *r = *state;
    const hk_systemfile *file =
        rig_system_wrong(r,
                         ROOT("leaf : T { frequncy 1; priority 2; }\n"
                              "    leaf b T { priority 3; }\n"
                              "    leaf d : { priority 4; }\n"
                              "    composite 3x { leaf e : T; }\n"
                              "    leaf f : T { param x = {1, 2; priority 5; }\n"
                              "    link a.y ->\n"
                              "    share a.p -> b.p;"),
                         "3:10: expected the name of the leaf, found ':'\n"
                         "3:16: expected 'frequency', 'period', 'offset', 'priority', 'param', "
                         "'use', 'delay', 'inactive', 'cost', 'deadline' or 'overrun', found "
                         "'frequncy' [did you mean 'frequency'?]\n"
                         "4:12: expected ':', found 'T'\n"
                         "5:14: expected the type of the leaf, found '{'\n"
                         "6:15: expected the name of the composite, found '3x' [names begin with a "
                         "letter or '_'; others are in double quotes]\n"
                         "7:33: expected ',' or '}', found ';'\n"
                         "9:11: expected ';', found 'a.p'\n");
    const hk_item *items = file->root->items;
    assert_int_equal(file->root->item_count, 4);
    assert_string_equal(items[0].leaf->items[0].number.text, "3");
    assert_string_equal(items[0].leaf->type.text, "T");
    assert_string_equal(items[1].leaf->items[0].number.text, "4");
    assert_string_equal(items[2].composite->items[0].leaf->name.text, "e");
    assert_string_equal(items[3].leaf->items[0].number.text, "5");
}

static void test_braces(void **state) {
    rig *r = *state;
    rig_system_wrong(r,
                     "system s {\n  composite c {\n    leaf a : T {\n      priority 1;\n"
                     "    leaf b : T {\n      priority 1;\n    }\n    leaf d : T;\n  }\n}\n",
                     "5:5: expected '}', found 'leaf'; the body that begins in line 3 is not "
                     "closed\n");
    rig_system_wrong(
        r,
        "system s {\n  composite c {\n    leaf a : T {\n      priority 1;\n    }\n    }\n"
        "    leaf b : T;\n    leaf d : T { priority 1; }\n  }\n}\n",
        "7:5: expected 'import', 'plugin', 'composite' or 'experiment', found 'leaf' [it may occur "
        "elsewhere, "
        "but not here]\n");
    rig_system_wrong(r, "system s { composite c { leaf a : T { priority 1",
                     "1:49: expected ';' behind '1'\n");
    rig_system_wrong(r, "system s { composite c {} } }", "1:29: this '}' closes nothing\n");
}

static const char *nested(rig *r, size_t depth) {
    char *text = hk_arena_alloc(r->arena, depth * 16 + 32), *at = stpcpy(text, "system s { ");
    for (size_t i = 0; i < depth; i++)
        at = stpcpy(at, "composite c { ");
    for (size_t i = 0; i <= depth; i++)
        at = stpcpy(at, "}");
    return text;
}

static void test_depth(void **state) {
    rig *r = *state;
    rig_system(r, nested(r, 200));
    rig_system_wrong(r, nested(r, 201),
                     "1:2822: this is nested more than 200 deep [use fewer levels]\n");
    hk_systemfile *file;
    const char *deep = nested(r, 20000);
    hk_system_parse(r->ctx, r->arena, "f", deep, strlen(deep), &file);
    assert_int_equal(hk_ctx_count(r->ctx, HK_ERROR), 2);
}

/* One empty line between statements, and among comments, is kept; none at the ends of a body. */
static void test_blank_lines(void **state) {
    rig *r = *state;
    rig_system_prints(
        r,
        "// a\n\n\n// b\n\nsystem s {\n\nimport \"a\";\n\n\nimport \"b\";\n"
        "  composite c { // d\n\n leaf x : T;\nleaf y : T;\n\n\t\n leaf z : T {\n\n"
        "priority 1;\n\n // e\n delay 1;\n\n}\nlink x.y ->\n\nz.u;\n\n// f\n\n}\n\n}\n\n",
        "// a\n\n// b\n\nsystem s {\n  import \"a\";\n\n  import \"b\";\n"
        "  composite c { // d\n    leaf x : T;\n    leaf y : T;\n\n"
        "    leaf z : T {\n      priority 1;\n\n      // e\n      delay 1;\n    }\n"
        "    link x.y -> z.u;\n    // f\n  }\n}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_file),        RIG_TEST(test_leaf),
        RIG_TEST(test_links),       RIG_TEST(test_roles),
        RIG_TEST(test_ages),        RIG_TEST(test_form),
        RIG_TEST(test_mistakes),    RIG_TEST(test_what_follows_is_read),
        RIG_TEST(test_braces),      RIG_TEST(test_depth),
        RIG_TEST(test_blank_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
