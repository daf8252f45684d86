/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harbour.h"
#include "lang/lang.h"

#include <string.h>

/* A simulation of one second in steps of one millisecond; PARTS stand where they are allowed. */
typedef struct text {
    const char *head, *begin, *scenario, *events, *end, *expects, *logs;
} text;

static const char *write(hk_arena *arena, const text *t) {
    return hk_arena_printf(
        arena,
        "Simulation Test (ms)\nsystem auv;\nsimulationTime [0,1000]:1;\n%s\n"
        "begin {\n%s\n}\nscenarios {\nScenario only %s\nevents {\n%s\n}\nend {\n%s\n}\n"
        "expects {\n%s\n}\nlogs {\n%s\n}\n}\n",
        t->head ? t->head : "", t->begin ? t->begin : "", t->scenario ? t->scenario : "",
        t->events ? t->events : "", t->end ? t->end : "", t->expects ? t->expects : "",
        t->logs ? t->logs : "");
}

typedef struct room {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_simulation *simulation; /* NULL: it was refused */
    hk_status status;
} room;

static room read_raw(const char *data, const char *const *parameters, size_t count) {
    room r = {.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    hk_simulation_options options = {
        .system = harbour_make(r.ctx), .parameters = parameters, .parameter_count = count};
    r.status = hk_simulation_read_text(r.ctx, "test.simulation", data, strlen(data), &options,
                                       &r.simulation);
    if (r.status != HK_OK)
        hk_model_destroy(options.system);
    return r;
}

static room read_text(text t) {
    hk_arena *arena = hk_arena_create();
    room r = read_raw(write(arena, &t), NULL, 0);
    hk_arena_destroy(arena);
    return r;
}

static void leave(room *r) {
    hk_simulation_destroy(r->simulation);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
    harbour_forget();
}

static const hk_diag *first(const room *r, hk_severity severity) {
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        if (hk_ctx_diag(r->ctx, i)->severity == severity)
            return hk_ctx_diag(r->ctx, i);
    return NULL;
}

static void show_all(const room *r) {
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(r->ctx, i);
        print_message("%d:%d: %s (%s)\n", d->where.line, d->where.column, d->text,
                      d->hint ? d->hint : "");
    }
}

/* Read without a word against it. */
static room good(text t) {
    room r = read_text(t);
    if (r.status != HK_OK || hk_ctx_count(r.ctx, HK_WARNING)) {
        show_all(&r);
        fail_msg("the simulation is not accepted as it is");
    }
    return r;
}

/* One error, and no more. */
static void bad(text t, hk_status code, const char *says, const char *hint) {
    room r = read_text(t);
    const hk_diag *d = first(&r, HK_ERROR);
    bool right = d && r.status == code && d->code == code && hk_ctx_count(r.ctx, HK_ERROR) == 1 &&
                 strcmp(d->text, says) == 0 && !d->hint == !hint &&
                 (!hint || strcmp(d->hint, hint) == 0) && d->where.line > 0 && d->where.column > 0;
    if (!right) {
        show_all(&r);
        fail_msg("expected status %d, '%s' (%s); the status is %d", code, says, hint ? hint : "",
                 r.status);
    }
    leave(&r);
}

static void warns(text t, hk_severity severity, const char *says) {
    room r = read_text(t);
    const hk_diag *d = first(&r, severity);
    if (r.status != HK_OK || !d || strcmp(d->text, says) != 0) {
        show_all(&r);
        fail_msg("expected '%s'", says);
    }
    leave(&r);
}

static double f64(const hk_value *value, size_t i) {
    assert_int_equal(value->type, HK_TYPE_F64);
    return ((const double *)value->data)[i];
}

#define SAME(a, b)                                                                                 \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            fail_msg("%s is %.17g, expected %.17g", #a, (double)(a), (double)(b));                 \
    } while (0)

static bool is_time(hk_ratio time, int64_t num, int64_t den) {
    return time.num == num && time.den == den;
}

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
            "the simulation from 0 ms to 1000 ms is no whole number of steps of 7 ms",
            "the nearest ends are 994 ms and 1001 ms");
    horizon("[0,5]:7", HK_E_TIME,
            "the simulation from 0 ms to 5 ms is no whole number of steps of 7 ms",
            "the nearest end is 7 ms");
    horizon("[0,1800]:3", HK_E_TIME,
            "the period 1 ms (1000 Hz) of 'Environment.MNT.myMntModel' (and 5 more) is no multiple "
            "of the step 3 ms",
            "the highest frequency for this step is 1000/3 Hz");
    horizon("[0,600us]:300us", HK_E_TIME,
            "the period 1 ms (1000 Hz) of 'Environment.MNT.myMntModel' (and 5 more) is no multiple "
            "of the step 0.3 ms",
            "the nearest frequencies are 10000/9 Hz and 2500/3 Hz");
    horizon("[0,1000]:0", HK_E_TIME, "the step must be above 0", NULL);
    horizon("[1000,0]:1", HK_E_TIME, "the simulation ends at 0 ms, but it begins at 1000 ms", NULL);
    horizon("[0,1e30]:1", HK_E_VALUE, "the end: '1e30' is no time that fits",
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
        "two scenarios are called 'only'; the other one stands in line 9",
        "give each its own name");
}

/* ---- paths */

#define MNT "auv.comp.Environment.MNT."

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
        HK_E_VALUE, "\"abc\" is no Float64 value for 'environment.CurrentConfig.setSpeed.speed'",
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

#define DRONE_PATH "auv.comp.Drone.mySimpleMission."

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
        "true is no Float64 value for 'Drone.mySimpleMission.wanted'", "write a number");
    bad((text){.begin = "\"" DRONE_PATH "isSpline\" = 1;"}, HK_E_VALUE,
        "1 is no Boolean value for 'Drone.mySimpleMission.isSpline'", "write true or false");
    bad((text){.begin = "\"" DRONE_PATH "number\" = 2.5;"}, HK_E_VALUE,
        "2.5 is no Int32 value for 'Drone.mySimpleMission.number'",
        "write a whole number in its range");
    bad((text){.begin = "\"" DRONE_PATH "mode\" = automatik;"}, HK_E_VALUE,
        "automatik is no Enumeration value for 'Drone.mySimpleMission.mode'",
        "did you mean 'automatic'?");
    bad((text){.begin = "\"" DRONE_PATH "wanted\" = 3 \"kg\";"}, HK_E_UNIT_MISMATCH,
        "'Drone.mySimpleMission.wanted' is in 'm/s' (m.s-1) and cannot be given in 'kg' (kg)",
        NULL);
    bad((text){.begin = "\"" MNT "myMntModel.depth\" = 12 \"km\";"}, HK_E_PARAMETER,
        "12 km is above 11000 m, the greatest value of 'Environment.MNT.myMntModel.depth'", NULL);
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
    bad((text){.end = "\"Shore\".Stop();"}, HK_E_SCENARIO, "this statement cannot stand in 'end'",
        "the run is over then: only functions can be called");
}

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
        "'finish' cannot be put back, so it cannot stand in 'during'",
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
        "automatik is no Enumeration value for 'Drone.mySimpleMission.mode'",
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
        "'../a.csv' is no name for a log",
        "logs stay in the folder of the run, so '..' and empty names are not allowed");
    bad((text){.logs = "\"/tmp/a.csv\" timed(1) { \"Shore.far\"; }"}, HK_E_SCENARIO,
        "'/tmp/a.csv' is no name for a log",
        "logs are written to the folder of the run, so their names are relative");
    bad((text){.logs = "a.csv timed(1.5) { \"Shore.far\"; }"}, HK_E_TIME,
        "the period 1.5 ms of the log is no multiple of the step 1 ms",
        "the nearest ones are 1 ms and 2 ms");
    bad((text){.logs = "a.csv timed(1) { \"Shore.far\"; } a.csv timed(1) { \"Shore.far\"; }"},
        HK_E_DUPLICATE,
        "two logs of a scenario are called 'a.csv'; the other one stands in line 20",
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
    } cases[] = {
        {"v=fast", "the parameter 'v' is a number, found 'fast'", NULL},
        {"v=1.2.3", "the parameter 'v' is a number, found '1.2.3'", NULL},
        {"auto=1", "the parameter 'auto' is true or false, found '1'", NULL},
        {"fil=x", "the simulation has no parameter 'fil'", "did you mean 'file'?"},
        {"v", "the parameter 'v' has no value", "write NAME=VALUE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        room r = read_raw(with_parameters, &cases[i].given, 1);
        assert_int_not_equal(r.status, HK_OK);
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
        cmocka_unit_test(times),
        cmocka_unit_test(horizons),
        cmocka_unit_test(no_scenario),
        cmocka_unit_test(repetitions),
        cmocka_unit_test(paths),
        cmocka_unit_test(unknown_paths),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(without_root),
        cmocka_unit_test(binding),
        cmocka_unit_test(wrong_bindings),
        cmocka_unit_test(calls),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(settings),
        cmocka_unit_test(shared_parameter),
        cmocka_unit_test(wrong_settings),
        cmocka_unit_test(events),
        cmocka_unit_test(wrong_events),
        cmocka_unit_test(faults),
        cmocka_unit_test(wrong_faults),
        cmocka_unit_test(expectations),
        cmocka_unit_test(logs),
        cmocka_unit_test(wrong_logs),
        cmocka_unit_test(unused),
        cmocka_unit_test(parameters),
        cmocka_unit_test(parameters_for_times),
        cmocka_unit_test(lists_of_faults),
        cmocka_unit_test(units_of_conditions),
        cmocka_unit_test(wrong_parameters),
        cmocka_unit_test(no_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
