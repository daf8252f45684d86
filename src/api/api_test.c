/* SPDX-License-Identifier: MIT
 *
 * The public API as a program uses it: nothing but <hk/hk.h> is needed. */
#include "api/test_rig.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void a_session_advances(void **state) {
    (void)state;
    rig r;
    int64_t num, den;
    rig_session(&r);
    assert_true(hk_session_time(r.session) == 0);
    OK(hk_session_step(r.session, 3));
    assert_true(hk_session_time(r.session) == 0.3);
    OK(hk_session_time_exact(r.session, &num, &den));
    assert_true(num == 3 && den == 10);
    assert_true(number(r.session, "a.sum") == 3);
    OK(hk_session_advance(r.session, 0.5));
    assert_true(number(r.session, "a.steps") == 5);
    OK(hk_session_advance(r.session, 0.5)); /* there already */
    OK(hk_session_advance(r.session, 0.1)); /* back: nothing to do */
    assert_true(number(r.session, "a.steps") == 5);
    OK(hk_session_advance_exact(r.session, 2, 3)); /* between two instants */
    assert_true(number(r.session, "a.steps") == 7);
    assert_false(hk_session_done(r.session));
    OK(hk_session_finish(r.session));
    assert_true(hk_session_done(r.session));
    assert_true(hk_session_time(r.session) == 1);
    assert_true(number(r.session, "a.steps") == 10);
    assert_null(hk_session_end_reason(r.session));
    OK(hk_session_step(r.session, 1));
    OK(hk_session_finish(r.session));
    assert_true(number(r.session, "a.steps") == 10);
    /* Jacobi: b sees what a had one step before. */
    assert_true(number(r.session, "b.sum") == 45);
    rig_end(&r);
}

static void steps_end_at_the_stop_time(void **state) {
    (void)state;
    rig r;
    int steps = 0;
    rig_session(&r);
    for (; !hk_session_done(r.session); steps++)
        OK(hk_session_step(r.session, 1));
    assert_int_equal(steps, 10);
    rig_end(&r);
}

static void values_of_every_type(void **state) {
    (void)state;
    rig r;
    hk_var steps, odd, label, echo, vector;
    rig_session(&r);
    OK(hk_session_var(r.session, "a.steps", &steps));
    OK(hk_session_var(r.session, "a.odd", &odd));
    OK(hk_session_var(r.session, "a.label", &label));
    OK(hk_session_var(r.session, "a.echo", &echo));
    OK(hk_session_var(r.session, "a.vector", &vector));
    const char *text = "hello";
    OK(hk_session_set_text(r.session, label, &text, 1));
    const double three[] = {1.5, 2.5, 3.5};
    OK(hk_session_set_f64(r.session, vector, three, 3));
    OK(hk_session_step(r.session, 1));
    int64_t i = 0;
    uint64_t u = 0;
    bool b = false;
    double back[3];
    OK(hk_session_get_i64(r.session, steps, &i, 1));
    OK(hk_session_get_u64(r.session, steps, &u, 1));
    OK(hk_session_get_bool(r.session, odd, &b, 1));
    OK(hk_session_get_text(r.session, echo, &text, 1));
    OK(hk_session_get_f64(r.session, vector, back, 3));
    assert_true(i == 1 && u == 1 && b);
    assert_string_equal(text, "hello");
    assert_memory_equal(back, three, sizeof back);
    /* What does not fit leaves the result alone. */
    i = 77;
    assert_int_equal(hk_session_get_i64(r.session, vector, &i, 1), HK_E_VALUE);
    assert_int_equal(hk_session_get_i64(r.session, echo, &i, 1), HK_E_VALUE);
    assert_int_equal(hk_session_get_text(r.session, steps, &text, 1), HK_E_VALUE);
    int64_t whole[3] = {9, 9, 9};
    assert_int_equal(hk_session_get_i64(r.session, vector, whole, 3), HK_E_VALUE);
    assert_true(i == 77 && whole[0] == 9);
    hk_bytes bytes;
    OK(hk_session_get_binary(r.session, echo, &bytes, 1));
    assert_int_equal(bytes.size, 5);
    rig_end(&r);
}

static void what_may_be_set_during_the_run(void **state) {
    (void)state;
    rig r;
    hk_var in, gain, driven, sum;
    double two = 2;
    rig_session(&r);
    OK(hk_session_var(r.session, "a.in", &in));
    OK(hk_session_var(r.session, "a.gain", &gain));
    OK(hk_session_var(r.session, "b.in", &driven));
    OK(hk_session_var(r.session, "a.sum", &sum));
    OK(hk_session_set_f64(r.session, in, &two, 1));
    OK(hk_session_set_f64(r.session, gain, &two, 1));
    OK(hk_session_step(r.session, 1));
    assert_true(number(r.session, "a.sum") == 4);
    assert_int_equal(hk_session_set_f64(r.session, driven, &two, 1), HK_E_PARAMETER);
    assert_int_equal(hk_session_set_f64(r.session, sum, &two, 1), HK_E_PARAMETER);
    assert_non_null(strstr(last_message(&r).text, "a.sum"));
    rig_end(&r);
}

static void states_go_back(void **state) {
    (void)state;
    rig r;
    hk_state *saved = NULL, *other = NULL;
    rig_session(&r);
    OK(hk_session_step(r.session, 4));
    OK(hk_session_save(r.session, &saved));
    OK(hk_session_save(r.session, &other));
    OK(hk_session_finish(r.session));
    double end = number(r.session, "b.sum");
    OK(hk_session_restore(r.session, saved));
    assert_false(hk_session_done(r.session));
    assert_true(number(r.session, "a.steps") == 4);
    OK(hk_session_finish(r.session));
    assert_true(number(r.session, "b.sum") == end);
    OK(hk_session_restore(r.session, other));
    OK(hk_session_save(r.session, &saved)); /* used again */
    hk_state_destroy(other);
    hk_session *second;
    OK(hk_session_create(r.system, NULL, &second));
    assert_int_equal(hk_session_restore(second, saved), HK_E_USAGE);
    assert_int_equal(hk_session_save(second, &saved), HK_E_USAGE);
    hk_session_destroy(second);
    rig_end(&r);
    hk_state_destroy(saved); /* after its session */
}

static void states_in_files(void **state) {
    (void)state;
    rig r, next;
    char path[] = "/tmp/hk_api_test_XXXXXX";
    close(mkstemp(path));
    rig_session(&r);
    OK(hk_session_advance(r.session, 0.5));
    OK(hk_session_save_file(r.session, path));
    OK(hk_session_finish(r.session));
    rig_session(&next);
    OK(hk_session_load_file(next.session, path));
    assert_true(hk_session_time(next.session) == 0.5);
    OK(hk_session_finish(next.session));
    assert_true(number(next.session, "b.sum") == number(r.session, "b.sum"));
    assert_int_equal(hk_session_load_file(next.session, "/nowhere/x"), HK_E_FILE_READ);
    assert_int_equal(hk_session_save_file(next.session, "/nowhere/x"), HK_E_FILE_WRITE);
    unlink(path);
    rig_end(&next);
    rig_end(&r);
}

/* Rows as the program sees them. */

typedef struct seen {
    size_t rows, columns;
    double last, time;
    char name[32], text[32];
    hk_session **session;
    size_t interrupt_after;
} seen;

static void see(void *user, const hk_row *row) {
    seen *s = user;
    s->rows++;
    s->columns = hk_row_count(row);
    s->time = hk_row_time(row);
    s->last = hk_row_f64(row, 0);
    snprintf(s->name, sizeof s->name, "%s", hk_row_name(row, 0));
    if (s->columns > 1 && hk_row_bytes(row, 1).data)
        snprintf(s->text, sizeof s->text, "%s", (const char *)hk_row_bytes(row, 1).data);
    assert_null(hk_row_name(row, s->columns));
    assert_true(isnan(hk_row_f64(row, s->columns)));
    assert_null(hk_row_bytes(row, 0).data);
    if (s->rows == s->interrupt_after)
        hk_session_interrupt(*s->session);
}

static void rows_are_shown_and_recorded(void **state) {
    (void)state;
    rig r;
    seen s = {0};
    char path[] = "/tmp/hk_api_test_XXXXXX.csv";
    close(mkstemps(path, 4));
    rig_system(&r);
    const char *what[] = {"a.steps", "a.echo"};
    hk_session_options options = {.size = sizeof options,
                                  .record = path,
                                  .record_what = what,
                                  .record_what_count = 2,
                                  .on_row = see,
                                  .on_row_user = &s};
    OK(hk_system_set_text(r.system, "a.label", "abc"));
    OK(hk_session_create(r.system, &options, &r.session));
    OK(hk_session_finish(r.session));
    assert_int_equal(s.rows, 11);
    assert_int_equal(s.columns, 2);
    assert_true(s.last == 10 && s.time == 1);
    assert_string_equal(s.name, "a.steps");
    assert_string_equal(s.text, "abc");
    FILE *file = fopen(path, "r");
    char line[64];
    int lines = 0;
    while (fgets(line, sizeof line, file))
        lines++;
    fclose(file);
    assert_int_equal(lines, 12);
    assert_string_equal(line, "1,10,abc\n");
    unlink(path);
    rig_end(&r);
}

static void rows_may_interrupt(void **state) {
    (void)state;
    rig r;
    seen s = {.session = &r.session, .interrupt_after = 3};
    rig_system(&r);
    hk_session_options options = {.size = sizeof options, .on_row = see, .on_row_user = &s};
    OK(hk_session_create(r.system, &options, &r.session));
    OK(hk_session_finish(r.session));
    assert_string_equal(hk_session_end_reason(r.session), "interrupted");
    assert_true(hk_session_done(r.session));
    assert_true(hk_session_time(r.session) < 0.5);
    rig_end(&r);
}

static void conditions_end_the_run(void **state) {
    (void)state;
    rig r;
    const char *when[] = {"b.steps >= 100", "a.sum >= 18 km/h"};
    rig_system(&r);
    hk_session_options options = {.size = sizeof options, .stop_when = when, .stop_when_count = 2};
    OK(hk_session_create(r.system, &options, &r.session));
    OK(hk_session_finish(r.session));
    assert_non_null(strstr(hk_session_end_reason(r.session), "a.sum >= 18 km/h"));
    assert_true(number(r.session, "a.steps") == 5);
    hk_session *wrong;
    when[1] = "a.sum is 5";
    assert_int_equal(hk_session_create(r.system, &options, &wrong), HK_E_USAGE);
    when[1] = "a.sun > 5";
    assert_int_equal(hk_session_create(r.system, &options, &wrong), HK_E_UNKNOWN_SIGNAL);
    when[1] = "a.sum > 5 kg";
    assert_int_equal(hk_session_create(r.system, &options, &wrong), HK_E_UNIT_MISMATCH);
    when[1] = NULL;
    assert_int_equal(hk_session_create(r.system, &options, &wrong), HK_E_USAGE);
    rig_end(&r);
}

static void *run_it(void *user) {
    hk_session *session = user;
    return hk_session_finish(session) == HK_OK ? session : NULL;
}

/* A run that would take hours, on another thread, until it is interrupted from here. */

static void other_threads(void **state) {
    (void)state;
    rig r, beside;
    pthread_t one, two;
    void *good = NULL;
    rig_system(&r);
    OK(hk_system_set_experiment(
        r.system, &(hk_experiment_options){
                      .size = sizeof(hk_experiment_options), .stop = "100000h", .step = "1/1000"}));
    OK(hk_session_create(r.system, NULL, &r.session));
    rig_session(&beside);
    assert_int_equal(pthread_create(&one, NULL, run_it, r.session), 0);
    assert_int_equal(pthread_create(&two, NULL, run_it, beside.session), 0);
    pthread_join(two, &good);
    assert_ptr_equal(good, beside.session);
    hk_session_interrupt(r.session);
    pthread_join(one, &good);
    assert_ptr_equal(good, r.session);
    assert_string_equal(hk_session_end_reason(r.session), "interrupted");
    assert_true(number(beside.session, "b.sum") == 45);
    rig_end(&beside);
    rig_end(&r);
}

/* Start values and the experiment may change from session to session. */

static void a_sweep(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    for (int i = 1; i <= 3; i++) {
        double speed = i;
        OK(hk_system_set_f64(r.system, "a.in", &speed, 1));
        OK(hk_system_set_times(r.system, NAN, 1 + i, NAN));
        OK(hk_session_create(r.system, NULL, &r.session));
        OK(hk_session_finish(r.session));
        assert_true(number(r.session, "a.sum") == (1 + i) * 10 * speed);
        hk_session_destroy(r.session);
    }
    r.session = NULL;
    assert_int_equal(hk_system_add_native(r.system, "c", "counter"), HK_E_USAGE);
    assert_int_equal(hk_system_connect(r.system, "a.sum", "b.in", NULL), HK_E_USAGE);
    rig_end(&r);
}

static void values_with_units(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    OK(hk_system_set_text(r.system, "a.in", "36 km/h"));
    assert_int_equal(hk_system_set_text(r.system, "a.in", "3 kg"), HK_E_UNIT_MISMATCH);
    assert_int_equal(hk_system_set_text(r.system, "a.in", "3 nonsense"), HK_E_VALUE);
    assert_int_equal(hk_system_set_text(r.system, "a.im", "3"), HK_E_UNKNOWN_SIGNAL);
    assert_string_equal(last_message(&r).hint, "did you mean 'a.in'?");
    OK(hk_system_set_text(r.system, "a.vector", "1 2 3"));
    const char *file = "api_test_values.json";
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs("{\"a\": {\"in\": \"72 km/h\"},\n \"b.label\": \"x\"}\n", out);
    fclose(out);
    OK(hk_system_set_file(r.system, file));
    assert_int_equal(hk_system_set_file(r.system, "api_test_nothing.csv"), HK_E_FILE_READ);
    assert_int_equal(hk_system_set_file(NULL, file), HK_E_USAGE);
    remove(file);
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_step(r.session, 1));
    assert_true(number(r.session, "a.sum") == 20);
    rig_end(&r);
}

/* Times that reach us as doubles mean the fractions that their digits stand for. */
static void doubles_of_fractions(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    OK(hk_system_set_times(r.system, 0, 1, 0.1));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_advance(r.session, 0.1 + 0.2));
    assert_true(number(r.session, "a.steps") == 3);
    hk_session_destroy(r.session);
    OK(hk_system_set_times(r.system, 0, 1, 1.0 / 30));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    assert_true(number(r.session, "a.steps") == 30);
    hk_session_destroy(r.session);
    hk_experiment_options o = {.size = sizeof o,
                               .stop = "3000000000000001/10000000000000000",
                               .step = "0.1",
                               .tell_stop = true};
    OK(hk_system_set_experiment(r.system, &o));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    assert_true(number(r.session, "a.steps") == 3);
    rig_end(&r);
}

static void links_have_options(void **state) {
    (void)state;
    rig r;
    *(&r) = (rig){0};
    OK(hk_context_create(&r.context));
    OK(hk_system_create(r.context, "test", &r.system));
    OK(hk_system_register(r.system, &counter_type));
    OK(hk_system_add_native(r.system, "a", "counter"));
    OK(hk_system_add_native(r.system, "b", "counter"));
    hk_link_options link = {.size = sizeof link, .lag = HK_LAG_CURRENT, .factor = 2, .offset = 1};
    OK(hk_system_connect(r.system, "a.sum", "b.in", &link));
    OK(hk_system_set_period(r.system, "a", "1/10", NULL));
    OK(hk_system_set_period(r.system, "b", "1/5", NULL));
    OK(hk_system_set_priority(r.system, "a", 1));
    OK(hk_system_parse_schedule(r.system, "processor P: a b\n"));
    assert_int_equal(hk_system_parse_schedule(r.system, "component c period 1ms\n"), HK_E_SCHEDULE);
    assert_int_equal(last_message(&r).line, 1);
    OK(hk_system_check(r.system));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_step(r.session, 1));
    assert_true(number(r.session, "b.sum") == 3);
    OK(hk_session_advance(r.session, 0.4));
    assert_true(number(r.session, "b.steps") == 2);
    rig_end(&r);
}

static void what_is_in_a_system(void **state) {
    (void)state;
    rig r;
    rig_session(&r);
    hk_component_info c = {.size = sizeof c};
    hk_variable_info v = {.size = sizeof v};
    assert_int_equal(hk_system_component_count(r.system), 2);
    OK(hk_system_component(r.system, 1, &c));
    assert_string_equal(c.name, "b");
    assert_string_equal(c.type, "counter");
    assert_string_equal(c.description, "Counts");
    assert_int_equal(c.variable_count, 9);
    assert_true(c.can_save_state);
    OK(hk_system_variable(r.system, 0, 2, &v));
    assert_string_equal(v.name, "steps");
    assert_string_equal(v.description, "Steps so far");
    assert_int_equal(v.type, HK_TYPE_I64);
    assert_int_equal(v.causality, HK_OUTPUT);
    hk_var vector;
    OK(hk_session_var(r.session, "b.vector", &vector));
    OK(hk_session_describe(r.session, vector, &v));
    assert_int_equal(v.count, 3);
    assert_true(v.tunable && v.settable && isnan(v.min));
    assert_int_equal(hk_system_component(r.system, 2, &c), HK_E_USAGE);
    assert_int_equal(hk_system_variable(r.system, 0, 99, &v), HK_E_USAGE);
    rig_end(&r);
}

static void where_the_time_went(void **state) {
    (void)state;
    rig r;
    rig_session(&r);
    OK(hk_session_finish(r.session));
    hk_run_times t = {.size = sizeof t};
    hk_component_times c = {.size = sizeof c};
    OK(hk_session_times(r.session, &t));
    OK(hk_session_component_times(r.session, 1, &c));
    assert_true(t.simulated_s == 1 && t.instants >= 10 && t.total_s > 0);
    assert_string_equal(c.name, "b");
    assert_int_equal(c.steps, 10);
    assert_int_equal(hk_session_component_times(r.session, 2, &c), HK_E_USAGE);
    rig_end(&r);
}

static void a_failure_and_back(void **state) {
    (void)state;
    rig r;
    hk_state *saved = NULL;
    rig_system(&r);
    OK(hk_system_set_text(r.system, "b.fail_at", "0.5"));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_advance(r.session, 0.4));
    OK(hk_session_save(r.session, &saved));
    assert_int_equal(hk_session_finish(r.session), HK_E_UNIT_FAILED);
    assert_true(hk_session_done(r.session));
    assert_non_null(strstr(hk_context_errors(r.context), "HK0503"));
    assert_int_equal(hk_session_step(r.session, 1), HK_E_UNIT_FAILED);
    OK(hk_session_restore(r.session, saved));
    assert_false(hk_session_done(r.session));
    OK(hk_session_step(r.session, 1));
    hk_state_destroy(saved);
    rig_end(&r);
}

/* A program built with older headers knows smaller structs, one built with newer ones larger. */

/* A system that was opened outlives its creator's hold on it. */

/* A session of a file is the run of that file: what it declares as inactive is not stepped. */
static void components_may_be_inactive(void **state) {
    (void)state;
    static const char text[] = "system waiting {\n"
                               "  composite top {\n"
                               "    leaf a : hk.Ramp { frequency 10 Hz; }\n"
                               "    leaf b : hk.Gain { frequency 10 Hz; inactive; }\n"
                               "    leaf c : hk.Gain { frequency 10 Hz; }\n"
                               "    link a.y -> b.u;\n"
                               "    link a.y -> c.u;\n"
                               "  }\n"
                               "}\n";
    char path[] = "/tmp/hk_api_test_XXXXXX.system";
    int fd = mkstemps(path, 7);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    rig r = {0};
    OK(hk_context_create(&r.context));
    OK(hk_system_open(r.context, path, &r.system));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_advance(r.session, 0.5));
    assert_true(number(r.session, "c.y") == 0.4);
    assert_true(number(r.session, "b.y") == 0);
    unlink(path);
    rig_end(&r);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char ramp_system[] =
    "system ramp { composite top {\n"
    "  leaf r : hk.Ramp { frequency 10 Hz; param end = 10.0; param to = 10.0; }\n"
    "  leaf g : hk.Gain { frequency 10 Hz; inactive; }\n"
    "  link r.y -> g.u;\n"
    "} }\n";
static const char ramp_simulation[] =
    "Simulation ramps (s)\nsystem ramp;\nsimulationTime [0, 2]:0.1;\n"
    "begin { \"ramp.top.g.gain\" = 3; }\n"
    "scenarios {\n"
    "  Scenario first\n"
    "  Scenario second [2]\n"
    "    events { instant 1 { \"ramp.top.g\".Start(); } }\n"
    "    expects { expect eventually \"ramp.top.g.y\" > 5; expect always \"ramp.top.g.y\" < 1; }\n"
    "    logs { g.csv timed(0.5) { \"ramp.top.g.y\"; } }\n"
    "}\n";

/* A scenario, advanced by a program: what happens in it happens, and the program looks on. */
static void scenarios(void **state) {
    (void)state;
    char folder[] = "/tmp/hk_api_test_XXXXXX", path[64], log[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ramp.system", folder);
    write_text(path, ramp_system);
    snprintf(path, sizeof path, "%s/ramps.simulation", folder);
    write_text(path, ramp_simulation);
    rig r = {0};
    int64_t runs = 0;
    hk_state *saved = NULL;
    OK(hk_context_create(&r.context));
    OK(hk_system_open(r.context, path, &r.system));
    assert_int_equal(hk_system_scenario_count(r.system), 2);
    assert_string_equal(hk_system_scenario(r.system, 1, &runs), "second");
    assert_true(runs == 2 && !hk_system_scenario(r.system, 2, NULL));
    assert_int_equal(hk_system_connect(r.system, "g.y", "r.begin", NULL), HK_E_USAGE);
    OK(hk_system_set_text(r.system, "g.gain", "4")); /* more than what the simulation says */
    hk_session_options options = {
        .size = sizeof options, .scenario = "second", .run = 1, .log_folder = folder};
    OK(hk_session_create(r.system, &options, &r.session));
    OK(hk_session_advance(r.session, 1));
    assert_true(number(r.session, "g.y") == 0);
    OK(hk_session_step(r.session, 1));
    assert_true(number(r.session, "g.y") == 4);
    assert_int_equal(hk_session_save(r.session, &saved), HK_E_UNIT_STATE);
    assert_int_equal(hk_session_expectation_count(r.session), 0);
    OK(hk_session_finish(r.session));
    assert_true(number(r.session, "r.y") == 1.9); /* looked at after the end */
    assert_int_equal(hk_session_expectation_count(r.session), 2);
    hk_expectation_info e = {.size = sizeof e};
    OK(hk_session_expectation(r.session, 0, &e));
    assert_true(e.held && !e.undecided && e.time == 1.3);
    OK(hk_session_expectation(r.session, 1, &e));
    assert_true(!e.held && e.time == 1);
    assert_int_equal(hk_session_expectation(r.session, 2, &e), HK_E_USAGE);
    snprintf(log, sizeof log, "%s/g.second.0001.csv", folder);
    FILE *file = fopen(log, "r");
    assert_non_null(file);
    fclose(file);
    hk_session_destroy(r.session);
    options = (hk_session_options){.size = sizeof options, .scenario = "third"};
    assert_int_equal(hk_session_create(r.system, &options, &r.session), HK_E_USAGE);
    r.session = NULL;
    options = (hk_session_options){.size = sizeof options, .scenario = "second", .run = 2};
    assert_int_equal(hk_session_create(r.system, &options, &r.session), HK_E_USAGE);
    r.session = NULL;
    rig_end(&r);
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void any_order_of_destruction(void **state) {
    (void)state;
    rig r;
    rig_session(&r);
    hk_context_destroy(r.context);
    hk_system_destroy(r.system);
    OK(hk_session_finish(r.session));
    hk_session_destroy(r.session);
}

/* Whatever is missing, there is a status and no crash. */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_advances),
        cmocka_unit_test(steps_end_at_the_stop_time),
        cmocka_unit_test(values_of_every_type),
        cmocka_unit_test(what_may_be_set_during_the_run),
        cmocka_unit_test(states_go_back),
        cmocka_unit_test(states_in_files),
        cmocka_unit_test(rows_are_shown_and_recorded),
        cmocka_unit_test(rows_may_interrupt),
        cmocka_unit_test(conditions_end_the_run),
        cmocka_unit_test(other_threads),
        cmocka_unit_test(a_sweep),
        cmocka_unit_test(values_with_units),
        cmocka_unit_test(doubles_of_fractions),
        cmocka_unit_test(links_have_options),
        cmocka_unit_test(what_is_in_a_system),
        cmocka_unit_test(where_the_time_went),
        cmocka_unit_test(a_failure_and_back),
        cmocka_unit_test(components_may_be_inactive),
        cmocka_unit_test(scenarios),
        cmocka_unit_test(any_order_of_destruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
