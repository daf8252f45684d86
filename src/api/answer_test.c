/* SPDX-License-Identifier: MIT
 *
 * Questions of a program: what it may ask, what it may get wrong, and whose messages an answer
 * holds. That the bytes are those of the command line is shown by tests/package. */
#include "api/place_rig.h"

#include <math.h>

static void begin(place *p) {
    place_begin(p);
    put("swing.system", "system swing {\n"
                        "  composite all {\n"
                        "    leaf push : hk.Sine { frequency 100 Hz; param amplitude = 2.0; }\n"
                        "    leaf scale : hk.Gain { frequency 50 Hz; param gain = 3.0; }\n"
                        "    link push.y -> scale.u;\n"
                        "    latency push -> scale max 5 ms;\n"
                        "  }\n"
                        "}\n");
    put("swing.simulation", "Simulation swing (s)\n"
                            "system swing;\n"
                            "simulationTime [0, 1]:0.01;\n"
                            "parameter level = 5;\n"
                            "scenarios {\n"
                            "  Scenario calm\n"
                            "  Scenario noisy [2]\n"
                            "  events { instant 0.2 { fault \"swing.all.push.y\" noise 0.1; } }\n"
                            "  expects {\n"
                            "    expect always \"swing.all.scale.y\" < $level;\n"
                            "    require \"peak\" maximum of \"swing.all.scale.y\" max 7;\n"
                            "  }\n"
                            "}\n");
}

/* The newest message has TEXT in it. */
static void says(place *p, const char *text) {
    hk_message m = {.size = sizeof m};
    size_t count = hk_context_message_count(p->context);
    assert_true(count > 0);
    OK(hk_context_message(p->context, count - 1, &m));
    if (!strstr(m.text, text))
        fail_msg("'%s' is not in '%s'", text, m.text);
}

static void plans(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    const char *const costs[] = {"push=4ms", "scale=2ms"};
    hk_file_options file = {.size = sizeof file, .stop = "2"};
    hk_ask_plan_options options = {.size = sizeof options,
                                   .allocate = 2,
                                   .cut = "hla",
                                   .cost = costs,
                                   .cost_count = 2,
                                   .output = "two.schedule",
                                   .gantt = "two.svg"};
    hk_plan_info info = {.size = sizeof info};
    hk_plan_connection_info link = {.size = sizeof link};
    hk_plan_processor_info processor = {.size = sizeof processor};
    begin(&p);
    OK(hk_ask_plan(p.context, "swing.system", &file, &options, &answer));
    hk_status status = hk_answer_status(answer);
    OK(hk_plan_get(answer, &info));
    assert_int_equal(info.component_count, 2);
    assert_true(info.stop_s == 2);
    assert_non_null(info.schedule);
    assert_true(hk_file_exists("two.schedule") && hk_file_exists("two.svg"));
    OK(hk_plan_get_connection(answer, 0, &link));
    assert_string_equal(link.from, "push.y");
    assert_string_equal(link.to, "scale.u");
    OK(hk_plan_get_processor(answer, 0, &processor));
    assert_true(processor.load > 0 && processor.load <= 1);
    hk_plan_constraint_info constraint = {.size = sizeof constraint};
    OK(hk_plan_get_constraint(answer, 0, &constraint));
    assert_int_equal(constraint.holds, status == HK_OK);
    assert_int_equal(hk_plan_get_processor(answer, info.processor_count, &processor), HK_E_USAGE);
    hk_answer_destroy(answer);
    place_end(&p);
}

static void a_no_is_an_answer(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    hk_file_options file = {.size = sizeof file, .schedule = "late.schedule"};
    begin(&p);
    put("late.schedule", "link push.y -> scale.u lag previous\n");
    OK(hk_ask_plan(p.context, "swing.system", &file, NULL, &answer));
    assert_int_equal(hk_answer_status(answer), HK_E_LATENCY);
    assert_non_null(strstr(hk_answer_json(answer), "\"holds\":false"));
    hk_plan_constraint_info constraint = {.size = sizeof constraint};
    OK(hk_plan_get_constraint(answer, 0, &constraint));
    assert_false(constraint.holds);
    assert_true(constraint.age_max_s > 0.005);
    hk_answer_destroy(answer);
    answer = NULL;
    assert_int_equal(hk_ask_plan(p.context, "none.system", NULL, NULL, &answer), HK_E_FILE_READ);
    assert_null(answer);
    place_end(&p);
}

static void findings_are_those_of_the_question(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    const char *const wrong[] = {"wrong.system"}, *const right[] = {"swing.simulation"};
    begin(&p);
    put("wrong.system", "system wrong {\n  composite all {\n    leaf a : hk.Gainn { }\n  }\n}\n");
    OK(hk_ask_check(p.context, wrong, 1, NULL, NULL, &answer));
    assert_int_not_equal(hk_answer_status(answer), HK_OK);
    assert_non_null(strstr(hk_answer_json(answer), "hk.Gain"));
    assert_non_null(strstr(hk_context_errors(p.context), "hk.Gain"));
    hk_answer_destroy(answer);
    OK(hk_ask_check(p.context, right, 1, NULL, NULL, &answer));
    OK(hk_answer_status(answer));
    assert_null(strstr(hk_answer_json(answer), "hk.Gain"));
    hk_answer_destroy(answer);
    place_end(&p);
}

static void a_system_is_held_to_a_style(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    const char *const path[] = {"styled.system"}, *const exempt[] = {"controlled:controller"};
    hk_ask_check_options options = {.size = sizeof options, .style = "navidro"};
    begin(&p);
    put("styled.system",
        "system styled {\n  composite all {\n"
        "    composite Drone role controlled { output core.double y; leaf a : hk.Ramp;\n"
        "      link a.y -> y; }\n"
        "    composite Nav role controller { input core.double u; leaf b : hk.Gain;\n"
        "      link u -> b.u; }\n"
        "    link Drone.y -> Nav.u;\n  }\n}\n");
    OK(hk_ask_check(p.context, path, 1, NULL, NULL, &answer));
    OK(hk_answer_status(answer));
    hk_answer_destroy(answer);
    OK(hk_ask_check(p.context, path, 1, NULL, &options, &answer));
    assert_int_equal(hk_answer_status(answer), HK_E_STYLE);
    assert_non_null(strstr(hk_answer_json(answer), "\"style\":\"navidro\""));
    assert_non_null(strstr(hk_answer_json(answer), "\"line\":7,\"column\":21"));
    assert_non_null(strstr(hk_context_errors(p.context), "role controlled) gives data to 'Nav.b'"));
    hk_answer_destroy(answer);
    options.style_exempt = exempt;
    options.style_exempt_count = 1;
    OK(hk_ask_check(p.context, path, 1, NULL, &options, &answer));
    OK(hk_answer_status(answer));
    assert_non_null(strstr(hk_answer_json(answer), "is exempt, which this way needs"));
    hk_answer_destroy(answer);
    answer = NULL;
    options.style = "navy";
    assert_int_equal(hk_ask_check(p.context, path, 1, NULL, &options, &answer), HK_E_USAGE);
    options.style = NULL;
    assert_int_equal(hk_ask_check(p.context, path, 1, NULL, &options, &answer), HK_E_USAGE);
    assert_null(answer);
    place_end(&p);
}

static bool stop_at_once(void *user, size_t done, size_t all, double part) {
    (void)done;
    (void)all;
    (void)part;
    ++*(int *)user;
    return false;
}

static void plays(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    const char *const define[] = {"level=8"};
    hk_file_options file = {.size = sizeof file, .define = define, .define_count = 1};
    hk_ask_play_options options = {
        .size = sizeof options, .scenario = "noisy", .repetitions = 3, .seeded = true, .seed = 5};
    hk_study_info study = {.size = sizeof study};
    hk_played_info run = {.size = sizeof run};
    begin(&p);
    OK(hk_ask_play(p.context, "swing.simulation", &file, &options, &answer));
    assert_int_equal(hk_played_count(answer), 3);
    assert_int_equal(hk_study_count(answer), 1);
    OK(hk_study_get(answer, 0, &study));
    assert_string_equal(study.name, "peak");
    assert_int_equal(study.runs, 3);
    assert_true(study.least <= study.most && study.max == 7);
    assert_true(isnan(study.min) && isnan(study.reference));
    double most = study.most;
    hk_answer_destroy(answer);
    options.one_run = true;
    options.run = 1;
    options.seed = 6;
    OK(hk_ask_play(p.context, "swing.simulation", &file, &options, &answer));
    assert_int_equal(hk_played_count(answer), 1);
    OK(hk_played_get(answer, 0, &run));
    assert_int_equal(run.run, 1);
    assert_int_equal(run.activations[0], 100);
    OK(hk_study_get(answer, 0, &study));
    assert_true(study.most != most);
    hk_answer_destroy(answer);
    place_end(&p);
}

static void stops_when_the_program_says_so(void **state) {
    (void)state;
    place p;
    int calls = 0;
    hk_answer *answer = NULL;
    hk_ask_play_options options = {
        .size = sizeof options, .progress = stop_at_once, .progress_user = &calls};
    begin(&p);
    OK(hk_ask_play(p.context, "swing.simulation", NULL, &options, &answer));
    assert_int_equal(calls, 1);
    assert_int_equal(hk_answer_status(answer), HK_E_INTERRUPTED);
    assert_true(hk_played_count(answer) < 3);
    hk_answer_destroy(answer);
    place_end(&p);
}

static void of_a_session(void **state) {
    (void)state;
    place p;
    hk_system *system = NULL;
    hk_session *session = NULL;
    hk_answer *answer = NULL;
    char set[] = "scale.gain=4", stop[] = "0.5";
    const char *const sets[] = {set};
    hk_file_options file = {.size = sizeof file, .set = sets, .set_count = 1, .stop = stop};
    begin(&p);
    OK(hk_system_open_with(p.context, "swing.system", &file, &system));
    memset(set, 'x', sizeof set - 1); /* texts are copied */
    memset(stop, 'x', sizeof stop - 1);
    OK(hk_session_create(system, NULL, &session));
    OK(hk_session_finish(session));
    assert_true(hk_session_time(session) == 0.5);
    OK(hk_session_answer(session, &answer));
    assert_non_null(strstr(hk_answer_json(answer), "\"simulated_s\":0.5"));
    assert_int_equal(hk_played_count(answer), 0);
    hk_answer_destroy(answer);
    hk_session_destroy(session);
    hk_system_destroy(system);
    OK(hk_system_open(p.context, "swing.simulation", &system));
    OK(hk_session_create(
        system, &(hk_session_options){.size = sizeof(hk_session_options), .scenario = "noisy"},
        &session));
    assert_int_equal(hk_session_answer(session, &answer), HK_E_USAGE);
    says(&p, "nothing is decided yet");
    OK(hk_session_finish(session));
    OK(hk_session_answer(session, &answer));
    assert_int_equal(hk_played_count(answer), 1);
    assert_int_equal(hk_answer_status(answer), HK_E_EXPECTATION);
    hk_session_destroy(session);
    hk_system_destroy(system);
    hk_expectation_info e = {.size = sizeof e};
    OK(hk_played_expectation(answer, 0, 0, &e)); /* also when the session is gone */
    assert_false(e.held);
    hk_answer_destroy(answer);
    place_end(&p);
}

static void opens_with_what_it_is_told(void **state) {
    (void)state;
    place p;
    hk_system *system = NULL;
    hk_file_options file = {.size = sizeof file, .schedule = "late.schedule"};
    begin(&p);
    put("late.schedule", "link push.y -> scale.u lag previous\n");
    OK(hk_system_open_with(p.context, "swing.system", &file, &system));
    assert_int_equal(hk_system_check(system), HK_E_LATENCY);
    hk_system_destroy(system);
    file.master = "any.master";
    assert_int_equal(hk_system_open_with(p.context, "swing.system", &file, &system), HK_E_USAGE);
    says(&p, "cannot be opened with a master");
    file.master = NULL;
    file.set_count = 1;
    assert_int_equal(hk_system_open_with(p.context, "swing.system", &file, &system), HK_E_USAGE);
    says(&p, "set[0] is NULL");
    place_end(&p);
}

static void of_a_system_that_was_built(void **state) {
    (void)state;
    rig r;
    hk_answer *answer = NULL;
    hk_plan_info info = {.size = sizeof info};
    hk_ask_trace_options trace = {.size = sizeof trace, .signal = "a.sum", .at = "0"};
    hk_ask_plan_options options = {.size = sizeof options, .allocate = 2};
    rig_system(&r);
    assert_int_equal(hk_ask_plan_of(r.system, &options, &answer), HK_E_USAGE);
    OK(hk_ask_plan_of(r.system, NULL, &answer));
    OK(hk_plan_get(answer, &info));
    assert_int_equal(info.component_count, hk_system_component_count(r.system));
    assert_non_null(strstr(hk_answer_json(answer), "\"file\":null"));
    hk_answer_destroy(answer);
    OK(hk_ask_trace_of(r.system, &trace, &answer));
    hk_answer_destroy(answer);
    hk_ask_prove_options prove = {.size = sizeof prove, .synthesise = true};
    assert_int_equal(hk_ask_prove_of(r.system, &prove, &answer), HK_E_USAGE);
    OK(hk_ask_prove_of(r.system, NULL, &answer));
    assert_true(hk_prove_verdict_count(answer) > 2);
    hk_answer_destroy(answer);
    OK(hk_session_create(r.system, NULL, &r.session)); /* the system is as it was */
    OK(hk_session_finish(r.session));
    assert_int_equal(hk_ask_plan_of(NULL, NULL, &answer), HK_E_USAGE);
    rig_end(&r);
}

static void mistakes_have_a_message(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    hk_ask_trace_options trace = {.size = sizeof trace, .signal = "scale.y"};
    hk_ask_prove_options prove = {.size = sizeof prove, .view = "narrow"};
    hk_ask_compare_options compare = {.size = sizeof compare, .rel = -1};
    hk_ask_play_options play = {.size = sizeof play, .workers = 1000};
    hk_ask_plan_options plan = {.size = sizeof plan, .output = "x.schedule"};
    hk_ask_info_options info = {.size = sizeof info, .causality = "sideways"};
    begin(&p);
    assert_int_equal(hk_ask_trace(p.context, "swing.system", NULL, &trace, &answer), HK_E_USAGE);
    says(&p, "at is NULL");
    assert_int_equal(hk_ask_trace(p.context, "swing.system", NULL, NULL, &answer), HK_E_USAGE);
    trace.at = "0.5";
    trace.depth = 33;
    assert_int_equal(hk_ask_trace(p.context, "swing.system", NULL, &trace, &answer), HK_E_USAGE);
    assert_int_equal(hk_ask_prove(p.context, "swing.system", NULL, &prove, &answer), HK_E_USAGE);
    says(&p, "'narrow' is not a value of view");
    assert_int_equal(hk_ask_compare(p.context, "a.csv", "b.csv", &compare, &answer), HK_E_USAGE);
    assert_int_equal(hk_ask_play(p.context, "swing.simulation", NULL, &play, &answer), HK_E_USAGE);
    assert_int_equal(hk_ask_play(p.context, "swing.system", NULL, NULL, &answer), HK_E_FILE_KIND);
    assert_int_equal(hk_ask_plan(p.context, "swing.system", NULL, &plan, &answer), HK_E_USAGE);
    assert_int_equal(hk_ask_info(p.context, "swing.system", NULL, &info, &answer), HK_E_USAGE);
    info = (hk_ask_info_options){0};
    assert_int_equal(hk_ask_info(p.context, "swing.system", NULL, &info, &answer), HK_E_USAGE);
    says(&p, "hk_ask_info_options: size is not set");
    assert_int_equal(hk_ask_check(p.context, NULL, 0, NULL, NULL, &answer), HK_E_USAGE);
    assert_int_equal(hk_ask_info(p.context, NULL, NULL, NULL, &answer), HK_E_USAGE);
    says(&p, "path is NULL");
    assert_int_equal(hk_ask_info(NULL, "swing.system", NULL, NULL, &answer), HK_E_USAGE);
    assert_null(answer);
    place_end(&p);
}

static void answers_keep_to_their_kind(void **state) {
    (void)state;
    place p;
    hk_answer *answer = NULL;
    hk_plan_info plan = {.size = sizeof plan};
    hk_compare_info compared = {.size = sizeof compared};
    hk_verdict_info verdict = {.size = sizeof verdict};
    hk_played_info played = {.size = sizeof played};
    begin(&p);
    OK(hk_ask_info(p.context, "swing.system", NULL, NULL, &answer));
    assert_int_equal(hk_plan_get(answer, &plan), HK_E_USAGE);
    assert_int_equal(hk_compare_get(answer, &compared), HK_E_USAGE);
    assert_int_equal(hk_prove_verdict(answer, 0, &verdict), HK_E_USAGE);
    assert_int_equal(hk_played_get(answer, 0, &played), HK_E_USAGE);
    assert_int_equal(hk_study_count(answer), 0);
    assert_null(hk_prove_master(answer));
    hk_context_destroy(p.context); /* an answer needs none */
    OK(hk_context_create(&p.context));
    assert_non_null(strstr(hk_answer_json(answer), "hocket.info/1"));
    hk_answer_destroy(answer);
    hk_answer_destroy(NULL);
    assert_int_equal(hk_answer_status(NULL), HK_E_USAGE);
    assert_string_equal(hk_answer_json(NULL), "");
    assert_int_equal(hk_plan_get(NULL, &plan), HK_E_USAGE);
    assert_int_equal(hk_prove_verdict_count(NULL), 0);
    assert_int_equal(hk_session_answer(NULL, &answer), HK_E_USAGE);
    place_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans),
        cmocka_unit_test(a_no_is_an_answer),
        cmocka_unit_test(findings_are_those_of_the_question),
        cmocka_unit_test(a_system_is_held_to_a_style),
        cmocka_unit_test(plays),
        cmocka_unit_test(stops_when_the_program_says_so),
        cmocka_unit_test(of_a_session),
        cmocka_unit_test(opens_with_what_it_is_told),
        cmocka_unit_test(of_a_system_that_was_built),
        cmocka_unit_test(mistakes_have_a_message),
        cmocka_unit_test(answers_keep_to_their_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
