/* SPDX-License-Identifier: MIT
 *
 * Simulation files: every production, and every mistake with its place. */
#include "parse_rig.h"

#define HEAD       "Simulation s (ms) system a; simulationTime [0, 10]:1;\n"
#define BEGIN(x)   HEAD "begin {\n  " x "\n}\n"
#define EVENTS(x)  HEAD "scenarios { Scenario o events {\n  " x "\n} }\n"
#define EXPECTS(x) HEAD "scenarios { Scenario o expects {\n  " x "\n} }\n"

static void test_head(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation(
        r, "Simulation s (us) seed 42; parameter p = 2.5; parameter q = \"x\";\n"
           "simulationTime [0, 2 s]:5ms; system \"a b\"; end {} begin { finish; }\n// rest");
    assert_string_equal(file->name.text, "s");
    assert_string_equal(file->unit.text, "us");
    assert_string_equal(file->seed.text, "42");
    assert_int_equal(file->parameter_count, 2);
    assert_string_equal(file->parameters[0].value.text, "2.5");
    assert_string_equal(file->stop.unit, "s");
    assert_string_equal(file->step.unit, "ms");
    assert_string_equal(file->system.text, "a b");
    assert_true(file->finish.given && file->finish.count == 0);
    assert_int_equal(file->begin.statements[0].kind, HK_SAY_FINISH);
    assert_false(file->has_scenarios);
    assert_string_equal(file->end.before[0], "// rest");
}

static void test_actions(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation(
        r,
        BEGIN("bind \"a\" to \"b\"; \"a\".Start(); \"a\".Stop(); \"a.b\" = {1, $p};\n"
              "\"a\".\"i.f\"(); \"a\".\"i.f\"(1 \"m/s\", x = \"t\"; , l: \"i.f.y\" = \"1e3\";);\n"
              "ramp \"a\" to 2.5 over 5s; finish \"why\";"));
    const hk_statement *s = file->begin.statements;
    assert_int_equal(file->begin.count, 8);
    assert_string_equal(s[0].other.text, "b");
    assert_int_equal(s[1].kind, HK_SAY_START);
    assert_int_equal(s[2].kind, HK_SAY_STOP);
    assert_int_equal(s[3].kind, HK_SAY_SET);
    assert_string_equal(s[3].value.items[1].text, "$p");
    assert_int_equal(s[3].value.items[1].kind, HK_LITERAL_WORD);
    assert_int_equal(s[4].argument_count, 0);
    assert_string_equal(s[5].other.text, "i.f");
    assert_string_equal(s[5].arguments[0].value.unit, "m/s");
    assert_string_equal(s[5].arguments[0].name.text, "");
    assert_int_equal(s[5].arguments[1].value.kind, HK_LITERAL_TEXT);
    assert_string_equal(s[5].arguments[2].label.text, "l");
    assert_string_equal(s[5].arguments[2].name.text, "i.f.y");
    assert_string_equal(s[6].over.unit, "s");
    assert_string_equal(s[7].value.text, "why");
    const char *printed = hk_simulation_print(r->arena, file);
    assert_non_null(strstr(printed, "\"a\".\"i.f\"(1 \"m/s\", x = \"t\", l: \"i.f.y\" = 1e3);"));
}

static void test_faults(void **state) {
    rig *r = *state;
    static const char *const words[] = {"stuck", "stuck", "bias",     "scale",     "noise",
                                        "delay", "drop",  "quantise", "disconnect"};
    const hk_simulationfile *file = rig_simulation(
        r, BEGIN("fault \"a\" -> \"b\" stuck; fault \"a\" stuck 1; fault \"a\" bias 1; fault \"a\""
                 " scale 2; fault \"a\" noise 0.1; fault \"a\" delay 5 ms; fault \"a\" drop 0.5;"
                 " fault \"a\" quantise 0.1; fault \"a\" disconnect; repair \"a\" -> \"b\";"
                 " repair \"a\";"));
    const hk_statement *s = file->begin.statements;
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(s[i].kind, HK_SAY_FAULT);
        assert_string_equal(s[i].word.text, words[i]);
        assert_int_equal(s[i].value.kind != HK_LITERAL_NONE, i != 0 && i != 8);
    }
    assert_string_equal(s[0].other.text, "b");
    assert_string_equal(s[1].other.text, "");
    assert_string_equal(s[5].value.unit, "ms");
    assert_string_equal(s[9].other.text, "b");
    assert_int_equal(s[10].kind, HK_SAY_REPAIR);
}

static void test_scenarios(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation(
        r,
        HEAD "scenarios {\n"
             "Scenario end [10] logs { a.csv timed(1.0) { \"x\"; \"y\"; }; \"b c\" timed(5ms) {} };"
             " begin {} events {} expects {} end {}\n"
             "Scenario two }");
    assert_int_equal(file->scenario_count, 2);
    const hk_scenariodecl *one = &file->scenarios[0], *two = &file->scenarios[1];
    assert_string_equal(one->name.text, "end");
    assert_string_equal(one->repetitions.text, "10");
    assert_true(one->begin.given && one->finish.given && one->has_events && one->has_expects);
    assert_int_equal(one->log_count, 2);
    assert_int_equal(one->logs[0].signal_count, 2);
    assert_string_equal(one->logs[1].period.unit, "ms");
    assert_false(two->begin.given || two->has_events || two->has_logs || two->has_expects);
    assert_string_equal(two->repetitions.text, "");
}

static void test_events(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation(
        r, EVENTS("instant 5 {} when \"a\" > 1 {} when \"a\" > 1 until \"a\" < 0 once { finish; }"
                  " during [1, 2s] {} every 5 {} every 5 from 3 {}"));
    const hk_eventdecl *e = file->scenarios[0].events;
    assert_int_equal(file->scenarios[0].event_count, 6);
    assert_int_equal(e[0].kind, HK_EVENT_INSTANT);
    assert_string_equal(e[0].from.text, "5");
    assert_true(e[1].condition && !e[1].until && !e[1].once);
    assert_true(e[2].condition && e[2].until && e[2].once);
    assert_int_equal(e[2].body.count, 1);
    assert_string_equal(e[3].to.unit, "s");
    assert_string_equal(e[4].from.text, "");
    assert_string_equal(e[5].to.text, "5");
    assert_string_equal(e[5].from.text, "3");
}

static void test_conditions(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation(
        r, EVENTS("when \"a\" > 1 or \"b\" <= abs(\"c\") and not \"d\" == ON within 0.1 {}\n"
                  "when (\"a\" > 1 or \"b\" < 2) and (\"c\" != true and $p >= -3 \"m/s\") {}\n"
                  "when not (\"a\" > 1 or not not (\"b\" < 1)) {}"));
    const hk_condition *c = file->scenarios[0].events[0].condition;
    assert_int_equal(c->kind, HK_CONDITION_OR);
    assert_string_equal(c->a->left.path.text, "a");
    assert_int_equal(c->b->kind, HK_CONDITION_AND);
    assert_true(c->b->a->right.absolute);
    assert_string_equal(c->b->a->op, "<=");
    assert_int_equal(c->b->b->kind, HK_CONDITION_NOT);
    assert_string_equal(c->b->b->a->tolerance.text, "0.1");
    assert_string_equal(c->b->b->a->right.value.text, "ON");
    c = file->scenarios[0].events[1].condition;
    assert_int_equal(c->kind, HK_CONDITION_AND);
    assert_int_equal(c->a->kind, HK_CONDITION_OR);
    assert_int_equal(c->b->kind, HK_CONDITION_AND);
    assert_string_equal(c->b->b->right.value.unit, "m/s");
    const char *printed = hk_simulation_print(r->arena, file);
    assert_non_null(strstr(printed, "when \"a\" > 1 or \"b\" <= abs(\"c\") and not \"d\" == ON "
                                    "within 0.1 {}\n"));
    assert_non_null(strstr(printed, "when (\"a\" > 1 or \"b\" < 2) and (\"c\" != true and $p >= -3 "
                                    "\"m/s\") {}\n"));
    assert_non_null(strstr(printed, "when not (\"a\" > 1 or not not \"b\" < 1) {}\n"));
}

static void test_expects(void **state) {
    rig *r = *state;
    const hk_simulationfile *file =
        rig_simulation(r, EXPECTS("expect always \"a\" < 3 \"m/s\" \"too fast\";\n"
                                  "expect always (\"a\" < 3 \"m/s\");\n"
                                  "expect always \"a\" < 3 from 1 to 2s \"message\";\n"
                                  "expect eventually \"a\" == 1 within 5;\n"
                                  "expect eventually \"a\" == 1 within 0.1 within 5;\n"
                                  "expect eventually (\"a\" == 1 within 0.1);\n"
                                  "expect at 5 \"a\" == 1 within 0.1;\n"
                                  "expect \"a\" == 1 within 5 after \"b\" > 1 \"slow\";"));
    const hk_expectdecl *e = file->scenarios[0].expects;
    assert_int_equal(file->scenarios[0].expect_count, 8);
    assert_string_equal(e[0].message.text, "too fast");
    assert_string_equal(e[0].condition->right.value.unit, "m/s");
    assert_string_equal(e[1].message.text, "");
    assert_string_equal(e[1].condition->right.value.unit, "m/s");
    assert_string_equal(e[2].from.text, "1");
    assert_string_equal(e[2].to.unit, "s");
    assert_string_equal(e[3].to.text, "5");
    assert_int_equal(e[3].condition->tolerance.kind, HK_LITERAL_NONE);
    assert_string_equal(e[4].to.text, "5");
    assert_string_equal(e[4].condition->tolerance.text, "0.1");
    assert_string_equal(e[5].to.text, "");
    assert_string_equal(e[5].condition->tolerance.text, "0.1");
    assert_int_equal(e[6].kind, HK_EXPECT_AT);
    assert_string_equal(e[6].condition->tolerance.text, "0.1");
    assert_int_equal(e[7].kind, HK_EXPECT_AFTER);
    assert_string_equal(e[7].to.text, "5");
    assert_string_equal(e[7].trigger->left.path.text, "b");
    assert_string_equal(e[7].message.text, "slow");
}

/* Parameters stand for numbers and times. */
static void test_quantities(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation(
        r, "Simulation s (ms) system a; simulationTime [$a, $b s]:$c; seed $d;\n"
           "scenarios { Scenario o [$n] begin { ramp \"a\" to 1 over $r; }\n"
           "events { instant $a {} during [$a, $b ms] {} every $c from $a {} }\n"
           "expects { expect always \"a\" < 1 from $a to $b; expect at $a \"a\" < $b;\n"
           "expect eventually \"a\" == 1 within $c; expect \"a\" > 1 within $c after \"b\" > 1; }\n"
           "logs { l.csv timed($c) { \"a\"; } } }");
    const hk_scenariodecl *s = &file->scenarios[0];
    assert_string_equal(file->start.text, "$a");
    assert_string_equal(file->stop.unit, "s");
    assert_string_equal(file->seed.text, "$d");
    assert_string_equal(s->repetitions.text, "$n");
    assert_string_equal(s->begin.statements[0].over.text, "$r");
    assert_string_equal(s->events[1].to.text, "$b");
    assert_string_equal(s->events[1].to.unit, "ms");
    assert_string_equal(s->events[2].from.text, "$a");
    assert_string_equal(s->expects[0].to.text, "$b");
    assert_string_equal(s->expects[1].from.text, "$a");
    assert_string_equal(s->expects[2].to.text, "$c");
    assert_int_equal(s->expects[2].condition->tolerance.kind, HK_LITERAL_NONE);
    assert_string_equal(s->logs[0].period.text, "$c");
}

static void test_comments(void **state) {
    rig *r = *state;
    rig_simulation_prints(
        r,
        "// 1\nSimulation s (ms) // 2\nsystem a; // 3\n// 4\nsimulationTime [0,10]:1; // 5\n"
        "scenarios { // 6\nScenario o // 7\n// 8\nbegin { // 9\n\"a\" = 1; // 10\n// 11\n} // 12\n"
        "events { // 13\ninstant 1 { // 14\n} // 15\n// 16\n} // 17\nlogs { // 18\n"
        "a.csv timed(1) { // 19\n\"x\"; // 20\n}; // 21\n}; // 22\n// 23\n} // 24\n// 25\n",
        "// 1\nSimulation s (ms) // 2\nsystem a; // 3\n// 4\nsimulationTime [0, 10]:1; // 5\n"
        "scenarios { // 6\n  Scenario o // 7\n  // 8\n  begin { // 9\n    \"a\" = 1; // 10\n"
        "    // 11\n  } // 12\n  events { // 13\n    instant 1 { // 14\n    } // 15\n    // 16\n"
        "  } // 17\n  logs { // 18\n    a.csv timed(1) { // 19\n      \"x\"; // 20\n    } // 21\n"
        "  } // 22\n  // 23\n} // 24\n\n// 25\n");
}

static void test_mistakes(void **state) {
    rig *r = *state;
    rig_simulation_wrong(r, "", "1:1: the file holds no simulation [write Simulation NAME (ms)]\n");
    rig_simulation_wrong(r, "Simulation s (ms)",
                         "1:1: the simulation does not say which system it is about [write system "
                         "NAME;]\n");
    rig_simulation_wrong(r, "Simulation s (ms) system a;",
                         "1:1: the simulation has no simulationTime [write simulationTime [0, "
                         "1000]:1;]\n");
    rig_simulation_wrong(
        r, "Simulation s (min)\nsystem a;",
        "1:15: expected 's', 'ms', 'us' or 'ns', found 'min' [did you mean 'ms'?]\n");
    rig_simulation_wrong(r, HEAD "seed 1; seed 2;",
                         "2:9: 'seed' is given twice [remove one of them]\n");
    rig_simulation_wrong(r, HEAD "begin {}\nbegin { \"a\" = ; }\nend {}",
                         "3:1: 'begin' is given twice [remove one of them]\n");
    rig_simulation_wrong(r, HEAD "scenarios { begin {} }",
                         "2:13: 'begin' comes before any scenario [write Scenario NAME before "
                         "it]\n");
    rig_simulation_wrong(
        r, BEGIN("bind \"a\" \"b\"; \"a\".stop(); \"a\" 1; a.b = 1; \"a\".f();"),
        "3:12: expected 'to', found 'b'\n"
        "3:21: expected 'Start', 'Stop' or a function in double quotes, found "
        "'stop' [did you mean 'Stop'?]\n"
        "3:33: expected '=' or '.', found '1'\n"
        "3:36: expected 'bind', 'ramp', 'fault', 'repair', 'finish', 'remove', 'add', "
        "'change', 'override', 'release' or a path in "
        "double quotes, found 'a.b' [did you mean 'add'?]\n"
        "3:49: expected 'Start', 'Stop' or a function in double quotes, found "
        "'f'\n");
    rig_simulation_wrong(r, BEGIN("fault \"a\" stock;"),
                         "3:13: expected 'stuck', 'bias', 'scale', 'noise', 'delay', 'drop', "
                         "'quantise' or 'disconnect', found 'stock' [did you mean 'stuck'?]\n");
    rig_simulation_wrong(
        r, EVENTS("when \"a\" = 1 {}\n  when \"a\" {}\n  whem \"a\" > 1 {}"),
        "3:12: expected '<', '<=', '>', '>=', '==' or '!=', found '=' [did you "
        "mean '=='?]\n"
        "4:12: expected '<', '<=', '>', '>=', '==' or '!=', found '{' [a condition "
        "compares two values: \"path\" == true]\n"
        "5:3: expected 'instant', 'when', 'during' or 'every', found 'whem' [did "
        "you mean 'when'?]\n");
    rig_simulation_wrong(r, EXPECTS("expect \"a\" > 1;"),
                         "3:17: expected 'within', found ';' [write expect always ..., expect "
                         "eventually ..., expect at T ..., or expect ... within T after ...]\n");
    rig_simulation_wrong(r, EXPECTS("expect eventually \"a\" == 1 within p;"),
                         "3:37: expected a time behind 'within' [to give a tolerance only, put the "
                         "comparison in brackets]\n");
    rig_simulation_wrong(r,
                         HEAD "scenarios { Scenario o logs { a.csv tmed(1) {} b.csv timed() {} } }",
                         "2:37: expected 'timed', found 'tmed' [did you mean 'timed'?]\n"
                         "2:60: expected a time, found ')'\n");
}

static void test_what_follows_is_read(void **state) {
    rig *r = *state;
    const hk_simulationfile *file = rig_simulation_wrong(
        r,
        BEGIN("\"a\".\"f\"(p1:\"x\"=; , p2:\"y\"=1);\n  \"b\" = 1\n  \"c\" = 2; \"open;\n"
              "  \"d\" = {1, 2;\n  \"e\".\"f\"(1;\n  \"g\" = 3;") "scenarios {\n  Scenario\n  "
                                                                  "begin { \"h\" = 1; }\n  "
                                                                  "Scenario t [x]\n  begin {}\n}\n",
        "3:18: expected a value, found ';' [a number, true, false, a text in quotes, a word, or "
        "{ ... }]\n"
        "4:10: expected ';' behind '1'\n"
        "5:12: the quotes are not closed in this line\n"
        "6:14: expected ',' or '}', found ';'\n"
        "8:3: expected ',' or ')', found 'g'\n"
        "12:3: expected the name of the scenario, found 'begin'\n"
        "13:15: expected a number of repetitions, found 'x'\n");
    assert_int_equal(file->begin.count, 3);
    assert_string_equal(file->begin.statements[0].path.text, "b");
    assert_string_equal(file->begin.statements[1].path.text, "c");
    assert_string_equal(file->begin.statements[2].path.text, "g");
    assert_int_equal(file->scenario_count, 2);
    assert_int_equal(file->scenarios[0].begin.count, 1);
    assert_true(file->scenarios[1].begin.given);
}

static const char *chain(rig *r, const char *between, size_t count) {
    char *text = hk_arena_alloc(r->arena, count * 32 + 200), *at = stpcpy(text, HEAD);
    at = stpcpy(at, "scenarios { Scenario o events { when \"a\" > 1");
    for (size_t i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, between), "\"a\" > 1");
    stpcpy(at, " {} } }");
    return text;
}

static void test_depth(void **state) {
    rig *r = *state;
    hk_simulationfile *file;
    rig_simulation(r, chain(r, " and ", 200));
    const char *texts[] = {chain(r, " and ", 100000), chain(r, " or not ", 100000),
                           chain(r, " or (", 100000)};
    for (size_t i = 0; i < 3; i++) {
        hk_simulation_parse(r->ctx, r->arena, "f", texts[i], strlen(texts[i]), &file);
        assert_int_equal(hk_ctx_count(r->ctx, HK_ERROR), i + 1);
        assert_non_null(strstr(hk_ctx_diag(r->ctx, i)->text, "nested more than 200 deep"));
    }
}

static void test_blank_lines(void **state) {
    rig *r = *state;
    rig_simulation_prints(
        r,
        "Simulation s (ms)\n\nsystem a;\n\nsimulationTime [0,1]:1;\nseed 1;\n\n"
        "begin {\n\n\"a\" = 1;\n\n\"b\" = 2;\n\n}\nscenarios {\n\nScenario x\n"
        "logs { a.csv timed(1) { \"a\";\n\n \"b\"; } } Scenario y }",
        "Simulation s (ms)\n\nsystem a;\n\nsimulationTime [0, 1]:1;\nseed 1;\n\n"
        "begin {\n  \"a\" = 1;\n\n  \"b\" = 2;\n}\nscenarios {\n  Scenario x\n"
        "  logs {\n    a.csv timed(1) {\n      \"a\";\n\n      \"b\";\n    }\n  }\n\n"
        "  Scenario y\n}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_blank_lines), RIG_TEST(test_head),      RIG_TEST(test_actions),
        RIG_TEST(test_faults),      RIG_TEST(test_scenarios), RIG_TEST(test_events),
        RIG_TEST(test_conditions),  RIG_TEST(test_expects),   RIG_TEST(test_quantities),
        RIG_TEST(test_comments),    RIG_TEST(test_mistakes),  RIG_TEST(test_what_follows_is_read),
        RIG_TEST(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
