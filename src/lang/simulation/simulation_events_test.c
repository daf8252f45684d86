/* SPDX-License-Identifier: MIT
 *
 * Events, faults, expectations, logs and parameters of a simulation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simulation_rig.h"

/* ---- events, faults, conditions */

static void events(void **state) {
    (void)state;
    room r = good((text){
        .events =
            "instant 500 { \"Shore\".Stop(); }\n"
            "when \"" DRONE_PATH "speed\" > 9 \"km/h\" and not abs(\"Navigation.myDvl.quality\")"
            " == 1 within 0.5 until \"" DRONE_PATH "speed\" <= 2 once { \"Shore\".Start(); }\n"
            "instant 0.25s { \"" DRONE_PATH "wanted\" = 1; }\n"
            "during [100, 200] { \"" DRONE_PATH "wanted\" = 3; }\n"
            "every 50 from 10 { ramp \"" DRONE_PATH "wanted\" to 4 over 20; }\n"
            "instant 500 { finish \"done\"; }"});
    const hk_scenario *s = &r.simulation->scenarios[0];
    assert_int_equal(s->event_count, 6);
    const hk_event *e = s->events;
    assert_true(e[0].kind == HK_AT && is_time(e[0].from, 1, 4));
    assert_true(e[1].kind == HK_WHEN && e[1].once && e[1].until);
    assert_string_equal(e[1].condition->words, "Drone.mySimpleMission.speed > 9 km/h and not "
                                               "abs(Navigation.myDvl.quality) == 1 within 0.5");
    SAME(e[1].condition->a->right.number, 2.5);
    assert_int_equal(e[1].condition->a->relation, HK_GREATER);
    assert_true(e[1].condition->b->a->left.absolute);
    SAME(e[1].condition->b->a->tolerance, 0.5);
    assert_true(e[2].kind == HK_AT && e[2].actions.all[0].kind == HK_ACTION_STOP);
    assert_true(e[3].kind == HK_DURING && is_time(e[3].from, 1, 10) && is_time(e[3].to, 1, 5));
    assert_true(e[4].kind == HK_EVERY && is_time(e[4].from, 1, 100) && is_time(e[4].to, 1, 20));
    assert_true(is_time(e[4].actions.all[0].over, 1, 50));
    assert_string_equal(e[4].actions.all[0].words,
                        "ramp Drone.mySimpleMission.wanted to 4 over 20 ms");
    assert_true(e[5].actions.all[0].kind == HK_ACTION_FINISH);
    assert_string_equal(e[5].actions.all[0].text, "done");
    leave(&r);
}

static void wrong_events(void **state) {
    (void)state;
    bad((text){.events = "instant -5 { }"}, HK_E_TIME,
        "-5 ms is before the start of the simulation, 0 ms", NULL);
    bad((text){.events = "during [200, 100] { }"}, HK_E_TIME,
        "'during' ends at 100 ms, but it begins at 200 ms", NULL);
    bad((text){.events = "every 0 { }"}, HK_E_TIME, "the period of 'every' must be above 0", NULL);
    bad((text){.events = "during [1, 2] { finish \"x\"; }"}, HK_E_SCENARIO,
        "'finish' cannot be put back, so it is not allowed in 'during'",
        "use 'instant' for the beginning and another one for the end");
    bad((text){.begin = "finish \"x\";"}, HK_E_SCENARIO,
        "'finish' in 'begin' would end the run before it begins", "put it into an event");
    bad((text){.events = "when 1 > 2 { }"}, HK_E_SCENARIO,
        "a condition between two constants never changes",
        "one side is a path: \"system.component.variable\" > 1");
    bad((text){.events = "when \"Shore.name\" == 1 { }"}, HK_E_SCENARIO,
        "'Shore.name' is of type String, which cannot be compared",
        "numbers, Booleans and items can be compared");
    bad((text){.events = "when \"" DRONE_PATH "position\" > 1 { }"}, HK_E_SCENARIO,
        "'" DRONE_PATH "position' has several values, expected one",
        "name one of them: 'Drone.mySimpleMission.position.x'");
    bad((text){.events = "when \"" DRONE_PATH "speed\" > \"Shore.far\" { }"}, HK_E_UNIT_MISMATCH,
        "'" DRONE_PATH "speed' is in 'm/s' and 'Shore.far' in 'km', so they cannot be compared",
        NULL);
    bad((text){.events = "when \"" DRONE_PATH "mode\" == automatik { }"}, HK_E_VALUE,
        "automatik is not a value of type Enumeration for 'Drone.mySimpleMission.mode'",
        "did you mean 'automatic'?");
    bad((text){.events = "instant 1 { ramp \"" DRONE_PATH "number\" to 3 over 2; }"}, HK_E_SCENARIO,
        "'"
        "Drone.mySimpleMission.number' is of type Int32, only real numbers can be ramped",
        "set it at an instant");
    bad((text){.events = "instant 1 { ramp \"" DRONE_PATH "wanted\" to 3 over 0; }"}, HK_E_TIME,
        "the time of a ramp must be above 0", NULL);
}

#define POSITION "\"" DRONE_PATH "position\""

static void faults(void **state) {
    (void)state;
    room r =
        good((text){.begin = "fault " POSITION " -> \"Navigation.myDvl.seen\" noise 5 \"cm\";\n"
                             "fault \"Drone.where.x\" bias 500;\n"
                             "fault \"Drone.where.x\" stuck 1 \"km\";\n"
                             "fault " POSITION " delay 5;\nfault " POSITION " delay 2s;\n"
                             "fault " POSITION " drop 0.5;\nfault " POSITION " disconnect;\n"
                             "fault " POSITION " stuck;\nrepair " POSITION ";"});
    const hk_action *a = r.simulation->begin.all;
    assert_int_equal(r.simulation->begin.count, 9);
    assert_int_equal(a[0].kind, HK_ACTION_FAULT);
    assert_int_equal(a[0].connection_count, 3);
    SAME(a[0].fault.value, 0.05);
    assert_string_equal(a[0].words, "fault Drone.mySimpleMission.position -> Navigation.myDvl.seen "
                                    "noise 5 cm");
    /* Numbers are in the unit of the output, whatever those of the inputs are. */
    assert_int_equal(a[1].connection_count, 2);
    SAME(a[1].fault.value, 500);
    assert_int_equal(a[2].connection_count, 2);
    SAME(a[2].fault.value, 1000);
    assert_int_equal(a[3].connection_count, 4);
    assert_true(is_time(a[3].fault.delay, 1, 200) && is_time(a[4].fault.delay, 2, 1));
    SAME(a[5].fault.value, 0.5);
    assert_int_equal(a[6].fault.kind, HK_FAULT_DISCONNECT);
    assert_true(a[7].fault.kind == HK_FAULT_STUCK && !a[7].fault.has_value);
    assert_int_equal(a[8].kind, HK_ACTION_REPAIR);
    assert_int_equal(a[8].connection_count, 4);
    leave(&r);
}

/* A list has a number for each part of a record; actions of one statement belong together. */
static void lists_of_faults(void **state) {
    (void)state;
    room r =
        good((text){.begin = "fault " POSITION " -> \"Navigation.myDvl.seen\" stuck { 1, 2 \"km\", "
                             "3 };\nrepair " POSITION ";"});
    const hk_action *a = r.simulation->begin.all;
    assert_int_equal(r.simulation->begin.count, 4);
    static const double values[] = {1, 2000, 3};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(a[i].connection_count, 1);
        SAME(a[i].fault.value, values[i]);
        assert_int_equal(a[i].more, i > 0);
    }
    assert_true(a[3].kind == HK_ACTION_REPAIR && !a[3].more);
    leave(&r);
    bad((text){.begin = "fault " POSITION " stuck { 1, 2 };"}, HK_E_VALUE,
        "'Drone.mySimpleMission.position' has 3 values, the list has 2", NULL);
}

static void wrong_faults(void **state) {
    (void)state;
    bad((text){.begin = "fault " POSITION " drop 1.5;"}, HK_E_VALUE,
        "the probability of 'drop' lies between 0 and 1, found 1.5", NULL);
    bad((text){.begin = "fault " POSITION " noise -1;"}, HK_E_VALUE,
        "the deviation of 'noise' cannot be negative, found -1", NULL);
    bad((text){.begin = "fault " POSITION " quantise 0;"}, HK_E_VALUE,
        "the step of 'quantise' must be above 0, found 0", NULL);
    bad((text){.begin = "fault " POSITION " delay 0;"}, HK_E_TIME, "the delay must be above 0",
        NULL);
    bad((text){.begin = "fault " POSITION " bias 1 \"kg\";"}, HK_E_UNIT_MISMATCH,
        "'Drone.mySimpleMission.position.x' is in 'm' (m) and cannot be given in 'kg' (kg)", NULL);
    bad((text){.begin = "fault \"Navigation.myDvl.seen.x\" bias 1;"}, HK_E_SCENARIO,
        "nothing is connected to 'Navigation.myDvl.seen.x'",
        "name the producer first: 'Drone.mySimpleMission.position.x -> Navigation.myDvl.seen.x'");
    bad((text){.begin = "fault \"" DRONE_PATH "position.y\" -> \"Shore.far\" bias 1;"},
        HK_E_SCENARIO, "there is no connection 'Drone.mySimpleMission.position.y -> Shore.far'",
        "it is connected to 'Navigation.myDvl.seen.y'");
    bad((text){.begin = "fault \"" DRONE_PATH "speed\" bias 1;"}, HK_E_SCENARIO,
        "nothing is connected to 'Drone.mySimpleMission.speed'", "it is connected to nothing");
}

static void expectations(void **state) {
    (void)state;
    room r = good(
        (text){.expects = "expect always \"" DRONE_PATH "speed\" < 5 from 10 to 20 \"too fast\";\n"
                          "expect eventually (\"Shore.far\" == 1 within 10 \"m\") within 100;\n"
                          "expect at 30 \"Drone.where.x\" >= 2;\n"
                          "expect \"Shore.far\" > 1 within 5 after \"" DRONE_PATH "speed\" > 2;"});
    const hk_scenario *s = &r.simulation->scenarios[0];
    assert_int_equal(s->expectation_count, 4);
    const hk_expectation *e = s->expectations;
    assert_int_equal(e[0].kind, HK_ALWAYS);
    assert_true(e[0].has_from && e[0].has_to && is_time(e[0].to, 1, 50));
    assert_string_equal(e[0].message, "too fast");
    assert_string_equal(e[0].words, "always Drone.mySimpleMission.speed < 5 from 10 ms to 20 ms");
    assert_int_equal(e[1].kind, HK_EVENTUALLY);
    assert_true(!e[1].has_from && e[1].has_to && is_time(e[1].to, 1, 10));
    SAME(e[1].condition->tolerance, 0.01);
    assert_int_equal(e[2].kind, HK_AT_TIME);
    assert_true(is_time(e[2].from, 3, 100));
    assert_string_equal(e[2].words, "at 30 ms Drone.mySimpleMission.position.x >= 2");
    assert_int_equal(e[3].kind, HK_AFTER);
    assert_true(is_time(e[3].to, 1, 200) && e[3].trigger);
    leave(&r);
    bad((text){.expects = "expect always \"Shore.far\" > 1 from 20 to 10;"}, HK_E_TIME,
        "the expectation ends at 10 ms, before it begins at 20 ms", NULL);
}

/* ---- logs */

static void logs(void **state) {
    (void)state;
    room r = good((text){
        .logs = "DronePosition.csv timed(2.0) { \"" DRONE_PATH "position\"; \"" DRONE_PATH
                "gains\"; }\nb.csv timed(1) { \"" DRONE_PATH "gains[2,3]\"; \"Drone.where\"; }"});
    const hk_scenario *s = &r.simulation->scenarios[0];
    assert_int_equal(s->log_count, 2);
    assert_string_equal(s->logs[0].file, "DronePosition.csv");
    assert_true(is_time(s->logs[0].period, 1, 500));
    assert_int_equal(s->logs[0].count, 9);
    assert_string_equal(s->logs[0].names[2], "Drone.mySimpleMission.position.z");
    assert_string_equal(s->logs[0].names[7], "Drone.mySimpleMission.gains[2,2]");
    assert_int_equal(s->logs[0].signals[8].element, 5);
    assert_int_equal(s->logs[1].count, 3);
    assert_int_equal(s->logs[1].signals[0].element, 5);
    assert_string_equal(s->logs[1].names[2], "Drone.mySimpleMission.position.y");
    leave(&r);
}

static void wrong_logs(void **state) {
    (void)state;
    bad((text){.logs = "\"../a.csv\" timed(1) { \"Shore.far\"; }"}, HK_E_SCENARIO,
        "'../a.csv' is not a name for a log",
        "logs stay in the folder of the run, so '..' and empty names are not allowed");
    bad((text){.logs = "\"/tmp/a.csv\" timed(1) { \"Shore.far\"; }"}, HK_E_SCENARIO,
        "'/tmp/a.csv' is not a name for a log",
        "logs are written to the folder of the run, so their names are relative");
    bad((text){.logs = "a.csv timed(1.5) { \"Shore.far\"; }"}, HK_E_TIME,
        "the period 1.5 ms of the log is not a multiple of the step 1 ms",
        "the nearest ones are 1 ms and 2 ms");
    bad((text){.logs = "a.csv timed(1) { \"Shore.far\"; } a.csv timed(1) { \"Shore.far\"; }"},
        HK_E_DUPLICATE, "two logs of a scenario are called 'a.csv'; the other one is in line 20",
        "give each its own name");
    warns((text){.logs = "a.csv timed(1) { \"Shore.far\"; \"Shore.far\"; }"}, HK_WARNING,
          "'Shore.far' is in this log already; it gets one column");
}

/* Conditions between two paths convert; a message that looks like a unit is a trap. */
static void units_of_conditions(void **state) {
    (void)state;
    room r = good((text){.expects = "expect always \"" DRONE_PATH "position.x\" < \"Shore.far\";\n"
                                    "expect always \"" DRONE_PATH "position.x\" < 3 \"too far\";"});
    const hk_term *t = &r.simulation->scenarios[0].expectations[0].condition->right;
    assert_true(t->is_signal && t->converted);
    SAME(t->factor, 1000);
    SAME(t->offset, 0);
    leave(&r);
    warns((text){.expects = "expect always \"" DRONE_PATH "position.x\" < 3 \"km\";"}, HK_WARNING,
          "\"km\" is the message of the expectation, not the unit of 3");
}

/* C6, I14 */
static void unused(void **state) {
    (void)state;
    warns((text){.begin = "bind \"" MNT "myMntModel.pMntModel\" to \"" MNT
                          "myMntAdapter.rMntSource\";\n\"Environment.Current\".Stop();",
                 .logs = "a.csv timed(1) { \"Navigation.myDvl.quality\"; }"},
          HK_NOTE,
          "nothing uses what 'Environment.MNT.myGeoTiff' and 'Environment.MNT.myMntAdapter' "
          "produce; stopping them in 'begin' saves time");
}

/* ---- parameters */

static const char with_parameters[] = "Simulation T (ms) system auv; simulationTime [0,10]:1;\n"
                                      "parameter v = 2.5;\nparameter auto = true;\n"
                                      "parameter file = \"a.tif\";\n"
                                      "begin { \"Drone.mySimpleMission.wanted\" = $v;\n"
                                      "\"Drone.mySimpleMission.isSpline\" = $auto;\n"
                                      "\"Environment.MNT.myGeoTiff.fileName\" = $file; }\n"
                                      "scenarios { Scenario s }";

static void parameters(void **state) {
    (void)state;
    static const char *const given[] = {"v=9 km/h", "auto=false"};
    static const char *const glued[] = {"v=9km/h"}, *const part[] = {"v=5/2"};
    room r = read_raw(with_parameters, NULL, 0);
    assert_int_equal(r.status, HK_OK);
    SAME(f64(&r.simulation->begin.all[0].value, 0), 2.5);
    leave(&r);
    r = read_raw(with_parameters, given, 2);
    assert_int_equal(r.status, HK_OK);
    SAME(f64(&r.simulation->begin.all[0].value, 0), 2.5);
    assert_false(*(bool *)r.simulation->begin.all[1].value.data);
    assert_string_equal(r.simulation->begin.all[0].words,
                        "set Drone.mySimpleMission.wanted = 9 km/h");
    leave(&r);
    const char *const *ways[] = {glued, part};
    for (size_t i = 0; i < 2; i++) {
        r = read_raw(with_parameters, ways[i], 1);
        assert_int_equal(r.status, HK_OK);
        SAME(f64(&r.simulation->begin.all[0].value, 0), 2.5);
        leave(&r);
    }
}

/* Times, numbers of runs and seeds may be parameters. */
static void parameters_for_times(void **state) {
    (void)state;
    room r = good((text){.head = "seed $s;\nparameter s = 7;\nparameter t = 5;\n"
                                 "parameter u = 0.02s;\nparameter n = 3;",
                         .scenario = "[$n]",
                         .events = "instant $t { }\nduring [$t, $u] { }\nevery $t from $u { }",
                         .expects = "expect at $u \"" DRONE_PATH "speed\" < 5;\n"
                                    "expect eventually \"" DRONE_PATH "speed\" < 5 within $t;",
                         .logs = "a.csv timed($t) { \"" DRONE_PATH "speed\"; }"});
    const hk_scenario *s = &r.simulation->scenarios[0];
    assert_int_equal(r.simulation->seed, 7);
    assert_int_equal(s->repetitions, 3);
    assert_true(is_time(s->events[0].from, 1, 200));
    assert_true(is_time(s->events[1].to, 1, 50));
    assert_true(is_time(s->events[2].from, 1, 50) && is_time(s->events[2].to, 1, 200));
    assert_true(is_time(s->expectations[0].from, 1, 50));
    assert_string_equal(s->expectations[1].words,
                        "eventually Drone.mySimpleMission.speed < 5 within 5 ms");
    assert_true(is_time(s->logs[0].period, 1, 200));
    leave(&r);
    bad((text){.events = "instant $t { }"}, HK_E_NAME,
        "there is no parameter 't' of the simulation", "declare it: parameter NAME = VALUE;");
    bad((text){.head = "parameter n = 2.5;", .scenario = "[$n]"}, HK_E_SCENARIO,
        "a scenario is played 1 to 1000000 times, found 2.5", NULL);
}

static void wrong_parameters(void **state) {
    (void)state;
    static const struct {
        const char *given, *says, *hint;
        hk_status status; /* a name that is not there is wrong usage, as with other options */
    } cases[] = {
        {"v=fast", "the parameter 'v' is a number, found 'fast'", NULL, HK_E_VALUE},
        {"v=1.2.3", "the parameter 'v' is a number, found '1.2.3'", NULL, HK_E_VALUE},
        {"auto=1", "the parameter 'auto' is true or false, found '1'", NULL, HK_E_VALUE},
        {"fil=x", "the simulation has no parameter 'fil'", "did you mean 'file'?", HK_E_USAGE},
        {"v", "the parameter 'v' has no value", "write NAME=VALUE", HK_E_USAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        room r = read_raw(with_parameters, &cases[i].given, 1);
        assert_int_equal(r.status, cases[i].status);
        assert_int_equal(first(&r, HK_ERROR)->code, cases[i].status);
        assert_int_equal(hk_ctx_count(r.ctx, HK_ERROR), 1);
        assert_string_equal(first(&r, HK_ERROR)->text, cases[i].says);
        if (cases[i].hint)
            assert_string_equal(first(&r, HK_ERROR)->hint, cases[i].hint);
        leave(&r);
    }
    bad((text){.head = "parameter speed = 1;", .begin = "\"" DRONE_PATH "wanted\" = $sped;"},
        HK_E_NAME, "there is no parameter 'sped' of the simulation", "did you mean 'speed'?");
    bad((text){.head = "parameter a = 1;\nparameter b = { $a };"}, HK_E_SCENARIO,
        "a parameter cannot have another one as its value", "write the value itself");
}

/* No system beside it, and none given. */
static void no_system(void **state) {
    (void)state;
    static const char data[] = "Simulation T (ms)\nsystem nowhere;\nsimulationTime [0,10]:1;\n"
                               "scenarios { Scenario s }";
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_simulation *simulation = NULL;
    assert_int_equal(
        hk_simulation_read_text(ctx, "no/such/t.simulation", data, strlen(data), NULL, &simulation),
        HK_E_NAME);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
    assert_string_equal(hk_ctx_diag(ctx, 0)->text, "there is no system 'nowhere'");
    assert_int_equal(hk_ctx_diag(ctx, 0)->where.line, 2);
    assert_null(simulation);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events),           cmocka_unit_test(wrong_events),
        cmocka_unit_test(faults),           cmocka_unit_test(wrong_faults),
        cmocka_unit_test(expectations),     cmocka_unit_test(logs),
        cmocka_unit_test(wrong_logs),       cmocka_unit_test(unused),
        cmocka_unit_test(parameters),       cmocka_unit_test(parameters_for_times),
        cmocka_unit_test(lists_of_faults),  cmocka_unit_test(units_of_conditions),
        cmocka_unit_test(wrong_parameters), cmocka_unit_test(no_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
