/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simulation_rig.h"

/* ---- the whole */

static void times(void **state) {
    (void)state;
    room r = good((text){.head = "seed 42;"});
    const hk_experiment *e = &r.simulation->model->experiment;
    assert_true(is_time(e->start, 0, 1) && is_time(e->stop, 1, 1) && is_time(e->step, 1, 1000));
    assert_true(e->has_stop && e->has_step);
    assert_int_equal(r.simulation->seed, 42);
    assert_string_equal(r.simulation->name, "Test");
    assert_string_equal(r.simulation->time_unit, "ms");
    assert_int_equal(r.simulation->scenario_count, 1);
    assert_int_equal(r.simulation->scenarios[0].repetitions, 1);
    leave(&r);
}

static void horizon(const char *time, hk_status code, const char *says, const char *hint) {
    hk_arena *arena = hk_arena_create();
    room r = read_raw(hk_arena_printf(arena,
                                      "Simulation T (ms) system auv; simulationTime %s; "
                                      "scenarios { Scenario s }",
                                      time),
                      NULL, 0);
    const hk_diag *d = first(&r, HK_ERROR);
    if (r.status != code || !d || strcmp(d->text, says) != 0 || !d->hint == !!hint ||
        (hint && strcmp(hint, d->hint) != 0) || hk_ctx_count(r.ctx, HK_ERROR) != 1) {
        show_all(&r);
        fail_msg("expected '%s' (%s)", says, hint ? hint : "");
    }
    leave(&r);
    hk_arena_destroy(arena);
}

/* D1 and D2. */
static void horizons(void **state) {
    (void)state;
    horizon("[0,1000]:7", HK_E_TIME,
            "the simulation from 0 ms to 1000 ms is not a whole number of steps of 7 ms",
            "the nearest ends are 994 ms and 1001 ms");
    horizon("[0,5]:7", HK_E_TIME,
            "the simulation from 0 ms to 5 ms is not a whole number of steps of 7 ms",
            "the nearest end is 7 ms");
    horizon(
        "[0,1800]:3", HK_E_TIME,
        "the period 1 ms (1000 Hz) of 'Environment.MNT.myMntModel' (and 5 more) is not a multiple "
        "of the step 3 ms",
        "the highest frequency for this step is 1000/3 Hz");
    horizon(
        "[0,600us]:300us", HK_E_TIME,
        "the period 1 ms (1000 Hz) of 'Environment.MNT.myMntModel' (and 5 more) is not a multiple "
        "of the step 0.3 ms",
        "the nearest frequencies are 10000/9 Hz and 2500/3 Hz");
    horizon("[0,1000]:0", HK_E_TIME, "the step must be above 0", NULL);
    horizon("[1000,0]:1", HK_E_TIME, "the simulation ends at 0 ms, but it begins at 1000 ms", NULL);
    horizon("[0,1e30]:1", HK_E_VALUE, "the end: '1e30' is not a time that fits",
            "write a number, with a unit right behind it if it has one of its own: 5ms");
}

static void no_scenario(void **state) {
    (void)state;
    room r =
        read_raw("Simulation T (ms) system auv; simulationTime [0,10]:1; scenarios { }", NULL, 0);
    assert_int_equal(r.status, HK_E_SCENARIO);
    assert_string_equal(first(&r, HK_ERROR)->text, "there is no scenario to play");
    leave(&r);
    r = read_raw("Simulation T (hours) system auv; simulationTime [0,10]:1;\n"
                 "scenarios { Scenario s [0] }",
                 NULL, 0);
    assert_true(hk_ctx_count(r.ctx, HK_ERROR) >= 2);
    leave(&r);
}

static void repetitions(void **state) {
    (void)state;
    room r = good((text){.scenario = "[10]"});
    assert_int_equal(r.simulation->scenarios[0].repetitions, 10);
    leave(&r);
    bad((text){.scenario = "[0]"}, HK_E_SCENARIO,
        "a scenario is played 1 to 1000000 times, found 0", NULL);
    bad((text){.logs = "} Scenario only logs {"}, HK_E_DUPLICATE,
        "two scenarios are called 'only'; the other one is in line 9", "give each its own name");
}

/* ---- paths */

static void paths(void **state) {
    (void)state;
    room r = good((text){.begin = "\"" MNT "myGeoTiff\".Stop();\n"
                                  "\"Environment.MNT.myGeoTiff\".Stop();\n"
                                  "\"auv.comp.Environment\".Stop();\n"
                                  "\"auv.comp\".Stop();\n"});
    const hk_actions *b = &r.simulation->begin;
    assert_int_equal(b->count, 4);
    assert_int_equal(b->all[0].kind, HK_ACTION_STOP);
    assert_int_equal(b->all[0].component_count, 1);
    assert_int_equal(b->all[0].components[0], GEOTIFF);
    assert_string_equal(b->all[0].words, "stop Environment.MNT.myGeoTiff");
    assert_int_equal(b->all[0].where.line, 6);
    assert_int_equal(b->all[1].components[0], GEOTIFF);
    assert_int_equal(b->all[2].component_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(b->all[2].components[i], i);
    assert_int_equal(b->all[3].component_count, HARBOUR_COMPONENTS);
    assert_string_equal(b->all[3].words, "stop comp");
    leave(&r);
}

static void unknown_paths(void **state) {
    (void)state;
    bad((text){.begin = "\"" MNT "myGeoTif\".Stop();"}, HK_E_NAME,
        "no 'myGeoTif' in 'Environment.MNT'", "did you mean 'myGeoTiff'?");
    bad((text){.begin = "\"auv.comp.Enviroment.MNT\".Stop();"}, HK_E_NAME,
        "no 'Enviroment' in 'auv.comp'", "did you mean 'Environment'?");
    bad((text){.begin = "\"uav.comp.Shore\".Stop();"}, HK_E_NAME,
        "the system is called 'auv', not 'uav'", "write 'auv.comp.Shore'");
    bad((text){.begin = "\"auv.compo.Shore\".Stop();"}, HK_E_NAME, "no 'compo' in 'auv'",
        "did you mean 'comp'?");
    bad((text){.begin = "\"zzzzzz\".Stop();"}, HK_E_NAME, "no 'zzzzzz' in 'auv.comp'",
        "paths begin with 'auv.comp.'");
    /* I3 */
    bad((text){.begin = "\"auv.comp.Navigation.myDvl.theThetaDVL\" = 1.0;"}, HK_E_NAME,
        "no 'theThetaDVL' in 'Navigation.myDvl'", "did you mean 'thetaDVL'?");
    bad((text){.begin = "\"Drone.mySimpleMission.origin.z\" = 1.0;"}, HK_E_NAME,
        "no 'z' in 'Drone.mySimpleMission.origin'", "it has 'x' and 'y'");
    bad((text){.begin = "\"Drone.mySimpleMission.wanted\".Stop();"}, HK_E_SCENARIO,
        "'Drone.mySimpleMission.wanted' is a port or parameter, expected a component or composite",
        "name the component alone: 'Drone.mySimpleMission'");
    bad((text){.begin = "\"Environment.MNT\" = 2;"}, HK_E_SCENARIO,
        "'Environment.MNT' is a composite, expected a port or parameter", NULL);
    bad((text){.logs = "a.csv timed(1) { \"Navigation.myDvl\"; }"}, HK_E_SCENARIO,
        "'Navigation.myDvl' is a component, expected a port or parameter",
        "it has 'seen', 'thetaDVL', 'taps' and 'quality'");
}

/* A system that is an SSP or FMU has no root composite. */
static void without_root(void **state) {
    (void)state;
    static const char data[] = "Simulation T (s) system other; simulationTime [0,1]:1e-3;\n"
                               "begin { \"other.Shore\".Stop(); \"auv.Shore\".Stop();\n"
                               "\"connector\" = 4; %s }\n"
                               "scenarios { Scenario s }";
    for (int i = 0; i < 2; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        hk_model *model = harbour_make(ctx);
        hk_branch branch = {.component = DVL,
                            .variable = hk_info_find(&harbour_infos[DVL], "thetaDVL"),
                            .transform = {.kind = HK_TRANSFORM_LINEAR, .factor = 2, .offset = 1}};
        assert_true(hk_model_add_alias(model, "connector", DRONE,
                                       hk_info_find(&harbour_infos[DRONE], "wanted"), &branch));
        model->root = NULL;
        const char *all = hk_arena_printf(arena, data, i ? "\"uav.Shore\".Stop();" : "");
        hk_simulation_options options = {.system = model};
        hk_simulation *s = NULL;
        hk_status status =
            hk_simulation_read_text(ctx, "t.simulation", all, strlen(all), &options, &s);
        if (i == 0) {
            assert_int_equal(status, HK_OK);
            assert_int_equal(s->begin.count, 4);
            assert_int_equal(s->begin.all[0].components[0], SHORE);
            assert_int_equal(s->begin.all[1].components[0], SHORE);
            SAME(f64(&s->begin.all[2].value, 0), 4);
            assert_int_equal(s->begin.all[3].component, DVL);
            SAME(f64(&s->begin.all[3].value, 0), 9);
            hk_simulation_destroy(s);
        } else {
            assert_int_equal(status, HK_E_NAME);
            assert_string_equal(hk_ctx_diag(ctx, 0)->text, "the system is called 'auv', not 'uav'");
            hk_model_destroy(model);
        }
        hk_arena_destroy(arena);
        hk_ctx_destroy(ctx);
        harbour_forget();
    }
}

/* Five mistakes, five messages, in the order of the text. */
static void all_at_once(void **state) {
    (void)state;
    room r =
        read_text((text){.begin = "\"Shor\".Stop();\n\"Drone.mySimpleMission.wanted\" = \"abc\";",
                         .events = "instant 5 { \"Navigation.myDvl.taps\" = 3; }\n"
                                   "instant -5 { \"Shore\".Start(); }",
                         .logs = "a.csv timed(0.5) { \"Shore.far\"; }"});
    assert_int_equal(hk_ctx_count(r.ctx, HK_ERROR), 5);
    static const int lines[] = {6, 7, 12, 13, 22};
    static const int columns[] = {2, 34, 13, 9, 13};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(hk_ctx_diag(r.ctx, i)->where.line, lines[i]);
        assert_int_equal(hk_ctx_diag(r.ctx, i)->where.column, columns[i]);
    }
    leave(&r);
}

/* ---- bind */

static void binding(void **state) {
    (void)state;
    room r = good((text){.begin = "bind \"" MNT "myMntModel.pMntModel\" to \"" MNT
                                  "myMntAdapter.rMntSource\";"});
    const hk_action *a = r.simulation->begin.all;
    assert_int_equal(a->kind, HK_ACTION_BIND);
    assert_int_equal(a->component, ADAPTER);
    assert_int_equal(a->service, 0);
    assert_int_equal(a->provider, SEABED);
    assert_int_equal(a->provider_service, 0);
    assert_string_equal(a->words, "bind Environment.MNT.myMntModel.pMntModel to "
                                  "Environment.MNT.myMntAdapter.rMntSource");
    leave(&r);
    warns((text){.begin = "bind \"" MNT "myMntModel.pMntModel\" to \"" MNT
                          "myMntAdapter.rMntSource\";\nbind \"" MNT "myGeoTiff.pGeoTiff\" to \"" MNT
                          "myMntAdapter.rMntSource\";"},
          HK_WARNING,
          "'Environment.MNT.myMntAdapter.rMntSource' is bound twice; this takes the place of line "
          "6");
}

static void wrong_bindings(void **state) {
    (void)state;
    bad((text){.begin =
                   "bind \"" MNT "myMntAdapter.rMntSource\" to \"" MNT "myMntModel.pMntModel\";"},
        HK_E_SERVICE, "bind goes from a provided to a required interface",
        "swap them: bind \"" MNT "myMntModel.pMntModel\" to \"" MNT "myMntAdapter.rMntSource\"");
    bad((text){.begin = "bind \"" MNT "myMntAdapter.pMnt\" to \"" MNT "myMntModel.pMntModel\";"},
        HK_E_SERVICE,
        "'Environment.MNT.myMntModel.pMntModel' is provided, expected a required interface", NULL);
    /* I4 */
    bad((text){.begin = "bind \"auv.comp.Environment.Current.myCurrent.itfCurrentModel\" to \"" MNT
                        "myMntAdapter.rMntSource\";"},
        HK_E_NAME, "'Environment.Current.myCurrent' has no interface 'itfCurrentModel'",
        "it provides 'pConfigCurrentModel' and 'pSinModelSource'");
    bad((text){.begin = "bind \"auv.comp.Environment.Current.myCurrent.pSinModelSource\" to \"" MNT
                        "myMntAdapter.rMntSource\";"},
        HK_E_SERVICE,
        "'Environment.Current.myCurrent.pSinModelSource' provides 'environment.CurrentSource', but "
        "'Environment.MNT.myMntAdapter.rMntSource' requires 'environment.MntSource'",
        NULL);
    bad((text){.begin = "bind \"" MNT "myMntAdapter.pMnt\" to \"" MNT "myMntAdapter.rMntSource\";"},
        HK_E_SERVICE, "'Environment.MNT.myMntAdapter' cannot ask itself", NULL);
    bad((text){.begin = "bind \"" MNT "myMntModel\" to \"" MNT "myMntAdapter.rMntSource\";"},
        HK_E_SCENARIO, "'" MNT "myMntModel' is a component, expected an interface",
        "it provides 'pMntModel'");
}

/* ---- calls */

#define CURRENT_PATH "\"auv.comp.Environment.Current.myCurrent\""
#define SET_SPEED    "\"environment.CurrentConfig.setSpeed\""

static void calls(void **state) {
    (void)state;
    room r = good((text){
        .begin = CURRENT_PATH
        "." SET_SPEED "(p1:\"environment.CurrentConfig.setSpeed.speed\"=\"1.0\";\n"
        " ,p2:\"environment.CurrentConfig.setSpeed.direction\"=\"45.0\");\n" CURRENT_PATH
        ".\"setSignal\"(\"label\" = \"buoy\", \"place\" = { 1.5, 2 \"km\", 3 });\n" CURRENT_PATH
        ".\"CurrentConfig.setSpeed\"(\"direction\" = 90, \"speed\" = 3.6 "
        "\"km/h\");"});
    const hk_actions *b = &r.simulation->begin;
    assert_int_equal(b->count, 3);
    assert_int_equal(b->all[0].kind, HK_ACTION_CALL);
    assert_int_equal(b->all[0].component, CURRENT);
    assert_int_equal(b->all[0].service, 0);
    assert_int_equal(b->all[0].function, 0);
    SAME(*(const double *)b->all[0].arguments[0], 1.0);
    SAME(*(const double *)b->all[0].arguments[1], 45.0);
    assert_string_equal(b->all[0].words, "call Environment.Current.myCurrent.setSpeed(speed = "
                                         "\"1.0\", direction = \"45.0\")");
    assert_int_equal(b->all[1].function, 1);
    const harbour_point *p = b->all[1].arguments[0];
    SAME(p->x, 1.5);
    SAME(p->y, 2000);
    assert_int_equal(p->floor, 3);
    const hk_bytes *label = b->all[1].arguments[1];
    assert_int_equal(label->size, 4);
    assert_memory_equal(label->data, "buoy", 5);
    SAME(*(const double *)b->all[2].arguments[0], 1.0);
    SAME(*(const double *)b->all[2].arguments[1], 90);
    leave(&r);
}

static void wrong_calls(void **state) {
    (void)state;
    bad((text){.begin = CURRENT_PATH "." SET_SPEED "(\"speed\" = 1.0);"}, HK_E_SCENARIO,
        "'environment.CurrentConfig.setSpeed' has 2 arguments, 'direction' is missing", NULL);
    bad((text){.begin =
                   CURRENT_PATH "." SET_SPEED "(\"speed\"=1.0, \"speed\"=2, \"direction\"=1);"},
        HK_E_SCENARIO,
        "the argument 'speed' of 'environment.CurrentConfig.setSpeed' is given twice",
        "remove one of them");
    bad((text){.begin = CURRENT_PATH "." SET_SPEED "(\"sped\"=1.0, \"direction\"=1);"}, HK_E_NAME,
        "'environment.CurrentConfig.setSpeed' has no argument 'sped'", "did you mean 'speed'?");
    bad((text){.begin = CURRENT_PATH "." SET_SPEED "(\"speed\"=\"abc\", \"direction\"=1);"},
        HK_E_VALUE,
        "\"abc\" is not a value of type Float64 for 'environment.CurrentConfig.setSpeed.speed'",
        "write a number");
    bad((text){.begin = CURRENT_PATH "." SET_SPEED "(\"speed\"=1 \"m\", \"direction\"=1);"},
        HK_E_UNIT_MISMATCH,
        "'environment.CurrentConfig.setSpeed.speed' is in 'm/s' (m.s-1) and cannot be given in 'm' "
        "(m)",
        NULL);
    bad((text){.begin = CURRENT_PATH ".\"setSped\"(\"speed\"=1.0, \"direction\"=1);"}, HK_E_NAME,
        "'Environment.Current.myCurrent' provides no function 'setSped'",
        "did you mean 'setSpeed'?");
    bad((text){.begin = CURRENT_PATH ".\"setSignal\"(\"label\"=\"x\", \"place\"={1, 2});"},
        HK_E_VALUE, "'environment.CurrentConfig.setSignal.place' has 3 values, the list has 2",
        NULL);
    bad((text){.begin = "\"auv.comp.Environment\".\"f\"();"}, HK_E_SCENARIO,
        "'auv.comp.Environment' is a composite, which has no functions",
        "name a leaf, or an interface of one");
    /* I5 */
    warns((text){.begin = CURRENT_PATH
                 ".\"CurrentTypes.CurrentConfig.setSpeed\"(\"speed\"=1, \"direction\"=1);"},
          HK_WARNING,
          "there is no 'CurrentTypes.CurrentConfig.setSpeed'; "
          "'environment.CurrentConfig.setSpeed' is called");
    /* I6 */
    warns((text){.begin = CURRENT_PATH "." SET_SPEED "(\"speed\"=1, \"direction\"=1);"}, HK_NOTE,
          "'setSignal' of 'Environment.Current.myCurrent.pConfigCurrentModel' is not called, so "
          "what it sets keeps its value");
}

/* ---- values */

static void settings(void **state) {
    (void)state;
    room r = good((text){.begin = "\"" DRONE_PATH "wanted\" = 2.5;\n"
                                  "\"" DRONE_PATH "wanted\" = 9 \"km/h\";\n"
                                  "\"" DRONE_PATH "isSpline\" = false;\n"
                                  "\"" DRONE_PATH "mode\" = automatic;\n"
                                  "\"" DRONE_PATH "number\" = 2;\n"
                                  "\"" DRONE_PATH "gains\" = { {1,2,3}, {4,5,6} };\n"
                                  "\"" DRONE_PATH "origin\" = { 1, 2 \"km\" };\n"
                                  "\"" DRONE_PATH "push\" = \"7.5\";\n"
                                  "\"" DRONE_PATH "temperature\" = 20 \"degC\";\n"
                                  "\"" MNT "myGeoTiff.fileName\" = \"a b.tif\";\n"
                                  "\"" DRONE_PATH "gains\" = 4;\n"});
    const hk_action *a = r.simulation->begin.all;
    assert_int_equal(r.simulation->begin.count, 12);
    SAME(f64(&a[0].value, 0), 2.5);
    assert_int_equal(a[0].component, DRONE);
    assert_int_equal(a[0].variable, hk_info_find(&harbour_infos[DRONE], "wanted"));
    assert_string_equal(a[0].words, "set Drone.mySimpleMission.wanted = 2.5");
    SAME(f64(&a[1].value, 0), 2.5);
    assert_false(*(bool *)a[2].value.data);
    assert_int_equal(*(int64_t *)a[3].value.data, 1);
    assert_int_equal(*(int32_t *)a[4].value.data, 2);
    assert_int_equal(a[5].value.count, 6);
    SAME(f64(&a[5].value, 5), 6);
    SAME(f64(&a[6].value, 0), 1);
    SAME(f64(&a[7].value, 0), 2000);
    SAME(f64(&a[8].value, 0), 7.5);
    SAME(f64(&a[9].value, 0), 293.15);
    assert_string_equal(((hk_bytes *)a[10].value.data)->data, "a b.tif");
    SAME(f64(&a[11].value, 0), 4);
    SAME(f64(&a[11].value, 5), 4);
    leave(&r);
}

static void shared_parameter(void **state) {
    (void)state;
    room r = good((text){.begin = "\"Navigation.myDvl.thetaDVL\" = 8.0;\n\"Shore.theta\" = 3;"});
    const hk_action *a = r.simulation->begin.all;
    assert_int_equal(r.simulation->begin.count, 4);
    SAME(f64(&a[0].value, 0), 8);
    assert_int_equal(a[1].component, SHORE);
    SAME(f64(&a[1].value, 0), 2);
    assert_int_equal(a[2].component, SHORE);
    SAME(f64(&a[2].value, 0), 3);
    assert_int_equal(a[3].component, DVL);
    SAME(f64(&a[3].value, 0), 12);
    leave(&r);
}

static void wrong_settings(void **state) {
    (void)state;
    bad((text){.begin = "\"" DRONE_PATH "wanted\" = true;"}, HK_E_VALUE,
        "true is not a value of type Float64 for 'Drone.mySimpleMission.wanted'", "write a number");
    bad((text){.begin = "\"" DRONE_PATH "isSpline\" = 1;"}, HK_E_VALUE,
        "1 is not a value of type Boolean for 'Drone.mySimpleMission.isSpline'",
        "write true or false");
    bad((text){.begin = "\"" DRONE_PATH "number\" = 2.5;"}, HK_E_VALUE,
        "2.5 is not a value of type Int32 for 'Drone.mySimpleMission.number'",
        "write a whole number in its range");
    bad((text){.begin = "\"" DRONE_PATH "mode\" = automatik;"}, HK_E_VALUE,
        "automatik is not a value of type Enumeration for 'Drone.mySimpleMission.mode'",
        "did you mean 'automatic'?");
    bad((text){.begin = "\"" DRONE_PATH "wanted\" = 3 \"kg\";"}, HK_E_UNIT_MISMATCH,
        "'Drone.mySimpleMission.wanted' is in 'm/s' (m.s-1) and cannot be given in 'kg' (kg)",
        NULL);
    warns((text){.begin = "\"" MNT "myMntModel.depth\" = 12 \"km\";"}, HK_WARNING,
          "'Environment.MNT.myMntModel.depth' is set to 12 km, above its maximum 11000 m");
    warns((text){.begin = "\"" DRONE_PATH "mode\" = 9;"}, HK_WARNING,
          "'Drone.mySimpleMission.mode' is set to 9, which is not an item of its enumeration");
    bad((text){.begin = "\"" MNT "myMntModel.secret\" = 1;"}, HK_E_SCENARIO,
        "'Environment.MNT.myMntModel.secret' is private, so a scenario cannot set it",
        "set it in the system, or take 'private' away in its type");
    bad((text){.begin = "\"" DRONE_PATH "gains\" = { 1, 2 };"}, HK_E_VALUE,
        "'Drone.mySimpleMission.gains' has 6 values, the list has 2", NULL);
    bad((text){.begin = "\"" DRONE_PATH "gains[2]\" = 1;"}, HK_E_SCENARIO,
        "one element of the array 'Drone.mySimpleMission.gains[1,2]' cannot be set alone",
        "set all of it: { 1, 2, 3 }");
    bad((text){.begin = "\"" DRONE_PATH "origin\" = 4;"}, HK_E_VALUE,
        "'Drone.mySimpleMission.origin' has 2 values, found 1",
        "put its values in braces: { 1, 2, 3 }");
    bad((text){.begin = "\"Shore.far\" = 1;"}, HK_E_SCENARIO,
        "'Shore.far' is connected, so it cannot be set",
        "write fault \"Drone.mySimpleMission.position.x\" -> \"Shore.far\" stuck VALUE;");
    bad((text){.events = "instant 5 { \"Navigation.myDvl.taps\" = 3; }"}, HK_E_SCENARIO,
        "'Navigation.myDvl.taps' is a fixed parameter, which cannot change during the run",
        "set it in 'begin'");
    bad((text){.events = "instant 5 { \"" DRONE_PATH "speed\" = 3; }"}, HK_E_SCENARIO,
        "'Drone.mySimpleMission.speed' cannot be set: it is an output",
        "change what others see of it by a fault on its connections");
    bad((text){.end = "\"Shore\".Stop();"}, HK_E_SCENARIO, "this statement is not allowed in 'end'",
        "the run is over then: only functions can be called");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),          cmocka_unit_test(horizons),
        cmocka_unit_test(no_scenario),    cmocka_unit_test(repetitions),
        cmocka_unit_test(paths),          cmocka_unit_test(unknown_paths),
        cmocka_unit_test(all_at_once),    cmocka_unit_test(without_root),
        cmocka_unit_test(binding),        cmocka_unit_test(wrong_bindings),
        cmocka_unit_test(calls),          cmocka_unit_test(wrong_calls),
        cmocka_unit_test(settings),       cmocka_unit_test(shared_parameter),
        cmocka_unit_test(wrong_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
