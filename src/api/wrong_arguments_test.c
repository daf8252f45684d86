/* SPDX-License-Identifier: MIT
 *
 * Every public function with NULL, negative, huge and senseless arguments: a status and a message,
 * never a crash, an endless loop or an answer. Built with sanitizers it also shows that nothing is
 * read or written on the way. What misuse_test.c shows in words is not repeated here. */
#include "api/place_rig.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* Another status than HK_OK, and if there is a context, a message in it. */
static void refused_at(hk_context *context, size_t before, hk_status status, const char *call,
                       int line) {
    if (status == HK_OK)
        fail_msg("line %d: %s is accepted", line, call);
    if (context && hk_context_message_count(context) <= before)
        fail_msg("line %d: %s says nothing", line, call);
}

#define REFUSED(context, call)                                                                     \
    do {                                                                                           \
        size_t before_ = hk_context_message_count(context);                                        \
        hk_status status_ = (call);                                                                \
        refused_at((context), before_, status_, #call, __LINE__);                                  \
    } while (0)

#define WRONG(call) assert_int_equal((call), HK_E_USAGE)

static const double senseless[] = {NAN, INFINITY, -INFINITY, -1, DBL_MAX};
enum { SENSELESS = sizeof senseless / sizeof *senseless };

static void texts_of_status(void **state) {
    (void)state;
    const int codes[] = {-1, INT_MIN, INT_MAX, 98, 9999};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        assert_non_null(hk_status_text((hk_status)codes[i]));
        (void)hk_status_explain((hk_status)codes[i]); /* NULL: nothing is known about it */
    }
}

static void contexts_and_systems(void **state) {
    (void)state;
    rig r;
    hk_message message = {.size = sizeof message};
    hk_component_info component = {.size = sizeof component};
    hk_variable_info variable = {.size = sizeof variable};
    rig_system(&r);
    hk_context *c = r.context;
    hk_system *s = r.system, *made = NULL;
    WRONG(hk_context_message(c, SIZE_MAX, &message));
    REFUSED(c, hk_system_open_with(c, NULL, NULL, &made));
    REFUSED(c, hk_system_open_with(c, "x.system", &(hk_file_options){0}, &made));
    REFUSED(c, hk_system_open_with(c, "x.system", NULL, NULL));
    REFUSED(c, hk_system_open(c, "", &made));
    assert_null(made);
    assert_int_equal(hk_system_scenario_count(NULL), 0);
    assert_int_equal(hk_system_scenario_count(s), 0);
    assert_null(hk_system_scenario(NULL, 0, NULL));
    assert_null(hk_system_scenario(s, SIZE_MAX, NULL));
    REFUSED(NULL, hk_system_component(s, SIZE_MAX, &component));
    REFUSED(NULL, hk_system_variable(s, SIZE_MAX, 0, &variable));
    REFUSED(NULL, hk_system_variable(s, 0, SIZE_MAX, &variable));
    REFUSED(c, hk_system_register(s, &(hk_unit_type){0}));
    REFUSED(c, hk_system_add_native(s, "x", ""));
    REFUSED(c, hk_system_add_plugin(s, "", "", ""));
    REFUSED(c, hk_system_add_fmu(s, "", ""));
    REFUSED(c, hk_system_add_chart(s, "", ""));
    REFUSED(c, hk_system_add_table(s, ""));
    REFUSED(c, hk_system_set_priority(s, "", INT_MIN));
    OK(hk_system_set_priority(s, "a", INT_MIN));
    OK(hk_system_set_priority(s, "b", INT_MAX));
    OK(hk_system_check(s));
    rig_end(&r);
}

/* Times are looked at when the system is completed: until then they can be put right. */
static void wrong_experiment(const hk_experiment_options *options) {
    rig r;
    rig_system(&r);
    OK(hk_system_set_experiment(r.system, options));
    REFUSED(r.context, hk_system_check(r.system));
    REFUSED(r.context, hk_session_create(r.system, NULL, &r.session));
    rig_end(&r);
}

static void links_and_times(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    hk_context *c = r.context;
    hk_system *s = r.system;
    static const char *const times[] = {"",    "-1", "nan", "inf", "1e400", "99999999999999999999",
                                        "1/0", "0x", "5 kg"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        hk_link_options link = {.size = sizeof link, .delay = times[i]};
        hk_experiment_options step = {.size = sizeof step, .step = times[i]};
        REFUSED(c, hk_system_set_period(s, "a", times[i], NULL));
        REFUSED(c, hk_system_set_period(s, "a", "1", times[i]));
        REFUSED(c, hk_system_connect(s, "b.sum", "a.in", &link));
        wrong_experiment(&step);
    }
    REFUSED(c, hk_system_connect(s, "b.sum", "a.in",
                                 &(hk_link_options){.size = sizeof(hk_link_options), .lag = 99}));
    REFUSED(c, hk_system_connect(s, "b.sum", "a.in", &(hk_link_options){0}));
    REFUSED(c, hk_system_connect(s, "", "", NULL));
    for (size_t i = 0; i < SENSELESS; i++) {
        hk_link_options link = {
            .size = sizeof link, .factor = senseless[i], .offset = senseless[i]};
        hk_experiment_options bad = {.size = sizeof bad, .tolerance = senseless[i]};
        if (!isfinite(senseless[i]))
            REFUSED(c, hk_system_connect(s, "b.sum", "a.in", &link));
        if (senseless[i] != DBL_MAX)
            wrong_experiment(&bad);
        if (isinf(senseless[i]) || senseless[i] == DBL_MAX)
            REFUSED(c, hk_system_set_times(s, 0, 1, senseless[i]));
    }
    wrong_experiment(
        &(hk_experiment_options){.size = sizeof(hk_experiment_options), .algorithm = "guess"});
    REFUSED(c, hk_system_set_experiment(s, &(hk_experiment_options){0}));
    OK(hk_system_check(s));
    rig_end(&r);
}

static void start_values(void **state) {
    (void)state;
    rig r;
    double f[3] = {0};
    int64_t i[3] = {INT64_MIN, INT64_MAX, -1};
    const char *text[] = {"a", NULL};
    rig_system(&r);
    hk_context *c = r.context;
    hk_system *s = r.system;
    REFUSED(c, hk_system_set_text(s, "", ""));
    REFUSED(c, hk_system_set_text(s, "a.vector[0]", "1"));
    REFUSED(c, hk_system_set_text(s, "a.vector[99999999999999999999]", "1"));
    REFUSED(c, hk_system_set_text(s, "a.vector[-1]", "1"));
    REFUSED(c, hk_system_set_f64(s, "a.vector", f, 2));
    REFUSED(c, hk_system_set_f64(s, "a.vector", f, SIZE_MAX));
    REFUSED(c, hk_system_set_i64(s, "a.vector", i, SIZE_MAX));
    REFUSED(c, hk_system_set_texts(s, "a.label", NULL, 1));
    REFUSED(c, hk_system_set_texts(s, "a.label", text, 0));
    REFUSED(c, hk_system_set_texts(s, "a.label", text + 1, 1));
    REFUSED(c, hk_system_set_texts(s, "a.label", text, 2));
    REFUSED(c, hk_system_set_texts(s, NULL, text, 1));
    WRONG(hk_system_set_texts(NULL, "a.label", text, 1));
    REFUSED(c, hk_system_set_file(s, NULL));
    REFUSED(c, hk_system_set_file(s, ""));
    WRONG(hk_system_set_file(NULL, "x.csv"));
    rig_end(&r);
}

static void sessions(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    hk_context *c = r.context;
    hk_session *n = NULL;
    hk_expectation_info expectation = {.size = sizeof expectation};
    hk_component_times times = {.size = sizeof times};
    for (size_t i = 0; i < SENSELESS - 1; i++) {
        hk_session_options o = {.size = sizeof o, .real_time = senseless[i]};
        REFUSED(c, hk_session_create(r.system, &o, &n));
        o = (hk_session_options){.size = sizeof o, .timeout_s = senseless[i]};
        REFUSED(c, hk_session_create(r.system, &o, &n));
    }
    const hk_session_options wrong[] = {
        {.size = SIZE_MAX},
        {.size = sizeof *wrong, .threads = UINT_MAX},
        {.size = sizeof *wrong, .run = -5},
        {.size = sizeof *wrong, .run = INT64_MAX},
        {.size = sizeof *wrong, .scenario = "a"},
        {.size = sizeof *wrong, .stop_when_count = SIZE_MAX},
        {.size = sizeof *wrong, .record_what_count = SIZE_MAX, .record = "x.csv"},
        {.size = sizeof *wrong, .record = ""},
    };
    for (size_t i = 1; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(c, hk_session_create(r.system, &wrong[i], &n));
    assert_null(n);
    OK(hk_session_create(r.system, NULL, &r.session));
    n = r.session;
    REFUSED(c, hk_session_advance(n, NAN));
    REFUSED(c, hk_session_advance(n, -INFINITY));
    REFUSED(c, hk_session_advance(n, DBL_MAX));
    OK(hk_session_advance_exact(n, 1, -1)); /* before the start: nothing */
    REFUSED(c, hk_session_advance_exact(n, INT64_MAX, INT64_MIN));
    OK(hk_session_step(n, 0));
    assert_int_equal(hk_session_expectation_count(NULL), 0);
    assert_int_equal(hk_session_expectation_count(n), 0);
    WRONG(hk_session_expectation(NULL, 0, &expectation));
    WRONG(hk_session_expectation(n, SIZE_MAX, &expectation));
    WRONG(hk_session_expectation(n, 0, NULL));
    REFUSED(NULL, hk_session_component_times(n, SIZE_MAX, &times));
    WRONG(hk_session_component_times(n, 0, NULL));
    REFUSED(c, hk_session_save_file(n, ""));
    REFUSED(c, hk_session_load_file(n, ""));
    WRONG(hk_session_answer(NULL, NULL));
    WRONG(hk_session_answer(n, NULL));
    OK(hk_session_step(n, UINT64_MAX)); /* less if the run ends */
    assert_true(hk_session_done(n));
    rig_end(&r);
}

static void variables(void **state) {
    (void)state;
    rig r;
    hk_var vector, label, in;
    double f[3];
    int64_t i[3];
    uint64_t u[3];
    bool b[3];
    const char *t[3] = {0};
    hk_bytes bytes[3] = {{0}};
    rig_session(&r);
    hk_context *c = r.context;
    hk_session *n = r.session;
    OK(hk_session_var(n, "a.vector", &vector));
    OK(hk_session_var(n, "a.label", &label));
    OK(hk_session_var(n, "a.in", &in));
    const hk_var others[] = {0, UINT64_MAX, vector + 1000000, UINT64_C(1) << 63};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        hk_variable_info info = {.size = sizeof info};
        REFUSED(c, hk_session_describe(n, others[k], &info));
        REFUSED(c, hk_session_get_f64(n, others[k], f, 3));
        REFUSED(c, hk_session_get_text(n, others[k], t, 1));
        REFUSED(c, hk_session_set_f64(n, others[k], f, 3));
        REFUSED(c, hk_session_set_binary(n, others[k], bytes, 1));
    }
    const size_t counts[] = {0, 1, 2, SIZE_MAX, SIZE_MAX / 8 + 2};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        REFUSED(c, hk_session_get_f64(n, vector, f, counts[k]));
        REFUSED(c, hk_session_get_i64(n, vector, i, counts[k]));
        REFUSED(c, hk_session_get_u64(n, vector, u, counts[k]));
        REFUSED(c, hk_session_get_bool(n, vector, b, counts[k]));
        REFUSED(c, hk_session_set_f64(n, vector, f, counts[k]));
        REFUSED(c, hk_session_set_i64(n, vector, i, counts[k]));
        REFUSED(c, hk_session_set_u64(n, vector, u, counts[k]));
        REFUSED(c, hk_session_set_bool(n, vector, b, counts[k]));
        REFUSED(c, hk_session_get_text(n, vector, t, counts[k]));
        REFUSED(c, hk_session_get_binary(n, vector, bytes, counts[k]));
        REFUSED(c, hk_session_get_item(n, vector, t, counts[k]));
        REFUSED(c, hk_session_set_item(n, vector, t, counts[k]));
    }
    REFUSED(c, hk_session_set_text(n, label, t, SIZE_MAX));
    REFUSED(c, hk_session_set_item(n, in, t, 1));
    REFUSED(c, hk_session_get_item(n, in, t, 1));
    REFUSED(c, hk_session_get_item(n, in, NULL, 1));
    REFUSED(c, hk_session_set_item(n, in, NULL, 1));
    WRONG(hk_session_get_item(NULL, in, t, 1));
    WRONG(hk_session_set_item(NULL, in, t, 1));
    REFUSED(c, hk_session_set_binary(n, label, &(hk_bytes){.data = NULL, .size = SIZE_MAX}, 1));
    REFUSED(c, hk_session_var(n, "", &in));
    assert_int_equal(hk_row_count(NULL), 0);
    rig_end(&r);
}

/* --- questions ------------------------------------------------------------------------------- */

static void begin(place *p) {
    place_begin(p);
    put("x.system", "system x { composite all { leaf r : hk.Ramp { period 0.1s; } } }\n");
    put("x.simulation", "Simulation x (s)\nsystem x;\nsimulationTime [0, 1]:0.1;\n"
                        "scenarios { Scenario a [2] Scenario b }\n");
    put("x.csv", "time,y\n0,1\n1,2\n");
}

static void nobody_asks(void **state) {
    (void)state;
    hk_answer *a = NULL;
    const char *const paths[] = {"x.system", NULL};
    WRONG(hk_ask_info(NULL, NULL, NULL, NULL, NULL));
    WRONG(hk_ask_check(NULL, paths, 1, NULL, NULL, &a));
    WRONG(hk_ask_plan(NULL, NULL, NULL, NULL, NULL));
    WRONG(hk_ask_plan_of(NULL, NULL, NULL));
    WRONG(hk_ask_trace(NULL, NULL, NULL, NULL, NULL));
    WRONG(hk_ask_trace_of(NULL, NULL, NULL));
    WRONG(hk_ask_prove(NULL, NULL, NULL, NULL, NULL));
    WRONG(hk_ask_prove_of(NULL, NULL, NULL));
    WRONG(hk_ask_compare(NULL, NULL, NULL, NULL, NULL));
    WRONG(hk_ask_play(NULL, NULL, NULL, NULL, NULL));
    WRONG(hk_answer_status(NULL));
    assert_string_equal(hk_answer_json(NULL), "");
    assert_null(hk_prove_master(NULL));
    assert_int_equal(hk_played_count(NULL) + hk_study_count(NULL) + hk_prove_verdict_count(NULL),
                     0);
    WRONG(hk_plan_get(NULL, NULL));
    WRONG(hk_plan_get_component(NULL, 0, NULL));
    WRONG(hk_plan_get_connection(NULL, 0, NULL));
    WRONG(hk_plan_get_constraint(NULL, 0, NULL));
    WRONG(hk_plan_get_processor(NULL, 0, NULL));
    WRONG(hk_prove_verdict(NULL, 0, NULL));
    WRONG(hk_compare_get(NULL, NULL));
    WRONG(hk_compare_get_signal(NULL, 0, NULL));
    WRONG(hk_played_get(NULL, 0, NULL));
    WRONG(hk_played_expectation(NULL, 0, 0, NULL));
    WRONG(hk_study_get(NULL, 0, NULL));
    hk_answer_destroy(NULL);
    assert_null(a);
}

static void questions_about_files(void **state) {
    (void)state;
    place p;
    hk_answer *a = NULL;
    begin(&p);
    hk_context *c = p.context;
    const char *const paths[] = {"x.system", NULL};
    const hk_file_options files[] = {
        {.size = 0},
        {.size = sizeof *files, .set_count = SIZE_MAX},
        {.size = sizeof *files, .set_file_count = 1},
        {.size = sizeof *files, .input_file_count = SIZE_MAX},
        {.size = sizeof *files, .define_count = 1},
        {.size = sizeof *files, .set = paths + 1, .set_count = 1},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        hk_system *system = NULL;
        REFUSED(c, hk_system_open_with(c, "x.system", &files[i], &system));
        REFUSED(c, hk_ask_info(c, "x.system", &files[i], NULL, &a));
        REFUSED(c, hk_ask_check(c, paths, 1, &files[i], NULL, &a));
        REFUSED(c, hk_ask_plan(c, "x.system", &files[i], NULL, &a));
        REFUSED(c, hk_ask_prove(c, "x.system", &files[i], NULL, &a));
        REFUSED(c, hk_ask_play(c, "x.simulation", &files[i], NULL, &a));
    }
    REFUSED(c, hk_ask_info(c, "", NULL, NULL, &a));
    REFUSED(c, hk_ask_info(c, "x.system", NULL, NULL, NULL));
    REFUSED(c, hk_ask_check(c, paths, 2, NULL, NULL, &a));
    REFUSED(c, hk_ask_check(c, NULL, SIZE_MAX, NULL, NULL, &a));
    REFUSED(c, hk_ask_check(c, paths, 0, NULL, NULL, &a));
    REFUSED(c, hk_ask_check(c, paths, 1, NULL, &(hk_ask_check_options){0}, &a));
    REFUSED(c, hk_ask_info(c, "x.system", NULL,
                           &(hk_ask_info_options){.size = sizeof(hk_ask_info_options),
                                                  .variable_count = SIZE_MAX},
                           &a));
    const hk_ask_compare_options compared[] = {
        {.size = 0},
        {.size = sizeof *compared, .only_count = SIZE_MAX},
        {.size = sizeof *compared, .tolerance_for_count = 1},
        {.size = sizeof *compared, .interpolate = "third"},
        {.size = sizeof *compared, .interpolate = "both", .hold_count = 1},
    };
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        REFUSED(c, hk_ask_compare(c, "x.csv", "x.csv", &compared[i], &a));
    for (size_t i = 0; i < SENSELESS - 1; i++) {
        hk_ask_compare_options o = {.size = sizeof o, .rel = senseless[i]};
        REFUSED(c, hk_ask_compare(c, "x.csv", "x.csv", &o, &a));
        o = (hk_ask_compare_options){.size = sizeof o, .abs = senseless[i]};
        REFUSED(c, hk_ask_compare(c, "x.csv", "x.csv", &o, &a));
        o = (hk_ask_compare_options){.size = sizeof o, .time_tolerance = senseless[i]};
        REFUSED(c, hk_ask_compare(c, "x.csv", "x.csv", &o, &a));
    }
    REFUSED(c, hk_ask_compare(c, "x.csv", NULL, NULL, &a));
    assert_null(a);
    hk_ask_compare_options most = {.size = sizeof most, .limit = SIZE_MAX};
    hk_compare_signal_info signal = {.size = sizeof signal};
    OK(hk_ask_compare(c, "x.csv", "x.csv", &most, &a));
    WRONG(hk_compare_get_signal(a, SIZE_MAX, &signal));
    hk_answer_destroy(a);
    place_end(&p);
}

static void questions_about_plans(void **state) {
    (void)state;
    place p;
    hk_answer *a = NULL;
    begin(&p);
    hk_context *c = p.context;
    const hk_ask_plan_options plans[] = {
        {.size = 0},
        {.size = sizeof *plans, .allocate = UINT_MAX},
        {.size = sizeof *plans, .cut = "off"},
        {.size = sizeof *plans, .cost_count = SIZE_MAX},
        {.size = sizeof *plans, .output_variable_count = 1, .program = true},
        {.size = sizeof *plans, .gantt = ""},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        REFUSED(c, hk_ask_plan(c, "x.system", NULL, &plans[i], &a));
    const hk_ask_trace_options traces[] = {
        {.size = 0},
        {.size = sizeof *traces, .signal = "r.y", .at = "nan"},
        {.size = sizeof *traces, .signal = "r.y", .at = "-1"},
        {.size = sizeof *traces, .signal = "r.y", .at = "1", .depth = INT_MAX},
        {.size = sizeof *traces, .signal = "", .at = "1"},
    };
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
        REFUSED(c, hk_ask_trace(c, "x.system", NULL, &traces[i], &a));
    const hk_ask_prove_options proofs[] = {
        {.size = 0},
        {.size = sizeof *proofs, .spin = "maybe"},
        {.size = sizeof *proofs, .view = ""},
        {.size = sizeof *proofs, .output_variable_count = SIZE_MAX},
        {.size = sizeof *proofs, .trace = ""},
    };
    for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++)
        REFUSED(c, hk_ask_prove(c, "x.system", NULL, &proofs[i], &a));
    REFUSED(c, hk_ask_plan(c, "x.system", NULL, NULL, NULL));
    assert_null(a);
    OK(hk_ask_trace(c, "x.system", NULL,
                    &(hk_ask_trace_options){.size = sizeof(hk_ask_trace_options),
                                            .signal = "r.y",
                                            .at = "1",
                                            .depth = INT_MIN}, /* none is followed */
                    &a));
    hk_answer_destroy(a);
    OK(hk_ask_plan(c, "x.system", NULL, NULL, &a));
    hk_plan_component_info component = {.size = sizeof component};
    hk_plan_connection_info connection = {.size = sizeof connection};
    hk_plan_constraint_info constraint = {.size = sizeof constraint};
    hk_plan_processor_info processor = {.size = sizeof processor};
    WRONG(hk_plan_get_component(a, SIZE_MAX, &component));
    WRONG(hk_plan_get_component(a, 0, NULL));
    WRONG(hk_plan_get_connection(a, SIZE_MAX, &connection));
    WRONG(hk_plan_get_constraint(a, SIZE_MAX, &constraint));
    WRONG(hk_plan_get_processor(a, SIZE_MAX, &processor));
    hk_answer_destroy(a);
    place_end(&p);
}

static void questions_about_simulations(void **state) {
    (void)state;
    place p;
    hk_answer *a = NULL;
    hk_system *s = NULL;
    begin(&p);
    hk_context *c = p.context;
    const hk_ask_play_options plays[] = {
        {.size = 0},
        {.size = sizeof *plays, .run = -5},
        {.size = sizeof *plays, .one_run = true, .run = -5},
        {.size = sizeof *plays, .one_run = true, .run = INT64_MIN},
        {.size = sizeof *plays, .one_run = true, .run = INT64_MAX},
        {.size = sizeof *plays, .one_run = true, .run = 2},
        {.size = sizeof *plays, .repetitions = -1},
        {.size = sizeof *plays, .repetitions = INT64_MAX},
        {.size = sizeof *plays, .workers = UINT_MAX},
        {.size = sizeof *plays, .threads = UINT_MAX},
        {.size = sizeof *plays, .scenario = ""},
        {.size = sizeof *plays, .monitor = "loud"},
        {.size = sizeof *plays, .stop_when_count = SIZE_MAX},
        {.size = sizeof *plays, .output_variable_count = SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof plays / sizeof *plays; i++)
        REFUSED(c, hk_ask_play(c, "x.simulation", NULL, &plays[i], &a));
    for (size_t i = 0; i < SENSELESS - 1; i++) {
        hk_ask_play_options o = {.size = sizeof o, .real_time = senseless[i]};
        REFUSED(c, hk_ask_play(c, "x.simulation", NULL, &o, &a));
        o = (hk_ask_play_options){.size = sizeof o, .timeout_s = senseless[i]};
        REFUSED(c, hk_ask_play(c, "x.simulation", NULL, &o, &a));
        o = (hk_ask_play_options){.size = sizeof o, .tolerance = senseless[i]};
        REFUSED(c, hk_ask_play(c, "x.simulation", NULL, &o, &a));
    }
    assert_null(a);
    hk_session *n = NULL;
    OK(hk_system_open(c, "x.simulation", &s));
    assert_int_equal(hk_system_scenario_count(s), 2);
    assert_null(hk_system_scenario(s, 2, NULL));
    const hk_session_options sessions[] = {
        {.size = sizeof *sessions, .run = -5},
        {.size = sizeof *sessions, .run = 2},
        {.size = sizeof *sessions, .run = INT64_MAX},
        {.size = sizeof *sessions, .scenario = ""},
    };
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++)
        REFUSED(c, hk_session_create(s, &sessions[i], &n));
    assert_null(n);
    hk_system_destroy(s);
    OK(hk_ask_play(c, "x.simulation", NULL, NULL, &a));
    assert_int_equal(hk_played_count(a), 3);
    hk_played_info run = {.size = sizeof run};
    hk_expectation_info expectation = {.size = sizeof expectation};
    hk_study_info study = {.size = sizeof study};
    WRONG(hk_played_get(a, SIZE_MAX, &run));
    WRONG(hk_played_get(a, 0, NULL));
    WRONG(hk_played_expectation(a, 0, SIZE_MAX, &expectation));
    WRONG(hk_study_get(a, SIZE_MAX, &study));
    hk_answer_destroy(a);
    place_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_status),
        cmocka_unit_test(contexts_and_systems),
        cmocka_unit_test(links_and_times),
        cmocka_unit_test(start_values),
        cmocka_unit_test(sessions),
        cmocka_unit_test(variables),
        cmocka_unit_test(nobody_asks),
        cmocka_unit_test(questions_about_files),
        cmocka_unit_test(questions_about_plans),
        cmocka_unit_test(questions_about_simulations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
