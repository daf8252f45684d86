/* SPDX-License-Identifier: MIT
 *
 * What a program may get wrong: each mistake has a status and a message, and none a crash. */
#include "api/test_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void see(void *user, const hk_row *row) {
    (void)row;
    *(int *)user += 1;
}

static void structs_may_grow(void **state) {
    (void)state;
    rig r;
    struct {
        hk_session_options known;
        size_t later;
    } options = {.known = {.size = sizeof options}};
    rig_system(&r);
    OK(hk_session_create(r.system, &options.known, &r.session));
    hk_session_destroy(r.session);
    r.session = NULL;
    options.later = 1;
    assert_int_equal(hk_session_create(r.system, &options.known, &r.session), HK_E_USAGE);
    assert_int_equal(hk_session_create(r.system, &(hk_session_options){0}, &r.session), HK_E_USAGE);
    hk_session_options old = {.size = offsetof(hk_session_options, on_row), .on_row = see};
    OK(hk_session_create(r.system, &old, &r.session));
    OK(hk_session_finish(r.session)); /* see() would fail: there is no user */
    hk_component_info info = {.size = offsetof(hk_component_info, type), .type = "untouched"};
    OK(hk_system_component(r.system, 0, &info));
    assert_string_equal(info.name, "a");
    assert_string_equal(info.type, "untouched");
    info.size = 0;
    assert_int_equal(hk_system_component(r.system, 0, &info), HK_E_USAGE);
    rig_end(&r);
}

static void messages(void **state) {
    (void)state;
    rig r;
    hk_message message = {.size = sizeof message};
    *(&r) = (rig){0};
    OK(hk_context_create(&r.context));
    assert_string_equal(hk_context_errors(r.context), "");
    assert_int_equal(hk_system_open(r.context, "/nowhere/x.ssd", &r.system), HK_E_FILE_READ);
    assert_int_equal(hk_context_message_count(r.context), 1);
    OK(hk_context_message(r.context, 0, &message));
    assert_int_equal(message.code, HK_E_FILE_READ);
    assert_int_equal(message.severity, HK_ERROR);
    assert_string_equal(message.file, "/nowhere/x.ssd");
    assert_string_equal(hk_context_errors(r.context), "HK0201 /nowhere/x.ssd: file does not exist");
    assert_string_equal(hk_status_text(message.code), "file cannot be read");
    assert_int_equal(hk_context_message(r.context, 1, &message), HK_E_USAGE);
    hk_context_clear(r.context);
    assert_int_equal(hk_context_message_count(r.context), 0);
    assert_string_equal(hk_version(), "0.1.0");
    rig_end(&r);
}

static void systems_that_are_wrong(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    assert_int_equal(hk_system_register(r.system, &counter_type), HK_E_DUPLICATE);
    assert_int_equal(hk_system_add_native(r.system, "a", "counter"), HK_E_DUPLICATE);
    assert_int_equal(hk_system_add_native(r.system, "", "counter"), HK_E_USAGE);
    assert_int_equal(hk_system_add_native(r.system, "c", "counte"), HK_E_USAGE);
    assert_string_equal(last_message(&r).hint, "did you mean 'counter'?");
    assert_int_equal(hk_system_add_fmu(r.system, "f", "/nowhere/x.fmu"), HK_E_FILE_READ);
    assert_int_equal(hk_system_add_plugin(r.system, "p", "/nowhere/x.so", "t"), HK_E_PLUGIN);
    assert_int_equal(hk_system_add_table(r.system, "/nowhere/x.csv"), HK_E_FILE_READ);
    assert_int_equal(hk_system_read_schedule(r.system, "/nowhere/x"), HK_E_FILE_READ);
    assert_int_equal(hk_system_connect(r.system, "a.sum", "c.in", NULL), HK_E_UNKNOWN_SIGNAL);
    assert_int_equal(hk_system_set_period(r.system, "c", "1", NULL), HK_E_UNKNOWN_SIGNAL);
    assert_int_equal(hk_system_set_period(r.system, "a", "fast", NULL), HK_E_USAGE);
    assert_int_equal(hk_system_set_period(r.system, "a", "0", NULL), HK_E_TIME);
    assert_int_equal(hk_system_set_times(r.system, 0, INFINITY, 1), HK_E_TIME);
    OK(hk_system_set_times(r.system, 2, 1, 0.1));
    assert_int_equal(hk_system_check(r.system), HK_E_TIME);
    OK(hk_system_set_times(r.system, 0, 1, 0.1)); /* can be put right */
    OK(hk_system_check(r.system));
    rig_end(&r);
    rig_system(&r);
    OK(hk_system_connect(r.system, "a.sum", "b.in", NULL));
    assert_int_equal(hk_session_create(r.system, NULL, &r.session), HK_E_TWO_DRIVERS);
    assert_int_equal(hk_system_check(r.system), HK_E_TWO_DRIVERS);
    assert_null(r.session);
    rig_end(&r);
    OK(hk_context_create(&r.context));
    OK(hk_system_create(r.context, "empty", &r.system));
    assert_int_equal(hk_system_check(r.system), HK_E_CHECK_FAILED);
    rig_end(&r);
}

static void sessions_that_are_wrong(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    hk_session_options o = {.size = sizeof o, .record = "/nowhere/x.csv"};
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_FILE_WRITE);
    o.record = "-";
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_USAGE);
    o.record = "x.png";
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_USAGE);
    const char *what[] = {"nothing.like.it", NULL};
    o = (hk_session_options){
        .size = sizeof o, .on_row = see, .record_what = what, .record_what_count = 1};
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_UNKNOWN_SIGNAL);
    o.record_what_count = 2;
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_USAGE);
    o = (hk_session_options){.size = sizeof o, .real_time = -1};
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_USAGE);
    o = (hk_session_options){.size = sizeof o, .threads = 100000};
    assert_int_equal(hk_session_create(r.system, &o, &r.session), HK_E_USAGE);
    hk_session *other;
    hk_var foreign, var;
    double x = 5;
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_create(r.system, NULL, &other));
    OK(hk_session_var(other, "a.sum", &foreign));
    OK(hk_session_var(r.session, "a.sum", &var));
    assert_int_equal(hk_session_get_f64(r.session, foreign, &x, 1), HK_E_USAGE);
    assert_int_equal(hk_session_get_f64(r.session, 0, &x, 1), HK_E_USAGE);
    assert_int_equal(hk_session_get_f64(r.session, var + 1, &x, 1), HK_E_USAGE);
    assert_int_equal(hk_session_get_f64(r.session, var, &x, 2), HK_E_VALUE);
    assert_int_equal(hk_session_var(r.session, "a.nothing", &var), HK_E_UNKNOWN_SIGNAL);
    assert_int_equal(hk_session_advance(r.session, NAN), HK_E_TIME);
    assert_int_equal(hk_session_advance_exact(r.session, 1, 0), HK_E_TIME);
    OK(hk_session_advance(r.session, -1e30 * 0 - 5)); /* before the start: nothing */
    assert_true(x == 5);
    hk_session_destroy(other);
    rig_end(&r);
}

static void all_wrong(const hk_status *answers, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (answers[k] != HK_E_USAGE)
            fail_msg("answer %zu is %d", k, (int)answers[k]);
}

static void no_system(void **state) {
    (void)state;
    rig r;
    double f = 0;
    rig_session(&r);
    hk_system *s = r.system;
    const hk_status answers[] = {
        hk_context_create(NULL),
        hk_context_message(NULL, 0, NULL),
        hk_context_message(r.context, 0, NULL),
        hk_system_create(NULL, NULL, NULL),
        hk_system_create(r.context, NULL, &s),
        hk_system_open(NULL, NULL, NULL),
        hk_system_open(r.context, NULL, &s),
        hk_system_register(NULL, NULL),
        hk_system_register(s, NULL),
        hk_system_add_native(NULL, "a", "b"),
        hk_system_add_native(s, NULL, NULL),
        hk_system_add_plugin(NULL, NULL, NULL, NULL),
        hk_system_add_plugin(s, "a", NULL, "c"),
        hk_system_add_fmu(NULL, NULL, NULL),
        hk_system_add_fmu(s, "a", NULL),
        hk_system_add_table(NULL, NULL),
        hk_system_add_table(s, NULL),
        hk_system_set_period(NULL, NULL, NULL, NULL),
        hk_system_set_period(s, "a", NULL, NULL),
        hk_system_set_priority(NULL, NULL, 0),
        hk_system_connect(NULL, NULL, NULL, NULL),
        hk_system_connect(s, "a.sum", NULL, NULL),
        hk_system_read_schedule(NULL, NULL),
        hk_system_read_schedule(s, NULL),
        hk_system_parse_schedule(NULL, NULL),
        hk_system_parse_schedule(s, NULL),
        hk_system_set_text(NULL, NULL, NULL),
        hk_system_set_text(s, "a.in", NULL),
        hk_system_set_f64(NULL, NULL, NULL, 0),
        hk_system_set_f64(s, "a.in", NULL, 1),
        hk_system_set_f64(s, "a.in", &f, 0),
        hk_system_set_i64(NULL, NULL, NULL, 0),
        hk_system_set_i64(s, "a.in", NULL, 1),
        hk_system_set_experiment(NULL, NULL),
        hk_system_set_experiment(s, NULL),
        hk_system_set_times(NULL, 0, 1, 1),
        hk_system_check(NULL),
        hk_system_component(NULL, 0, NULL),
        hk_system_component(s, 0, NULL),
        hk_system_variable(NULL, 0, 0, NULL),
        hk_system_variable(s, 0, 0, NULL),
    };
    all_wrong(answers, sizeof answers / sizeof *answers);
    rig_end(&r);
}

static void no_variable(void **state) {
    (void)state;
    rig r;
    hk_var var;
    double f = 0;
    int64_t i = 0;
    rig_session(&r);
    hk_session *n = r.session;
    OK(hk_session_var(n, "a.in", &var));
    const hk_status answers[] = {
        hk_session_var(NULL, NULL, NULL),
        hk_session_var(n, NULL, &var),
        hk_session_describe(NULL, 0, NULL),
        hk_session_describe(n, var, NULL),
        hk_session_get_f64(NULL, var, &f, 1),
        hk_session_get_f64(n, var, NULL, 1),
        hk_session_get_i64(NULL, var, &i, 1),
        hk_session_get_u64(NULL, 0, NULL, 0),
        hk_session_get_bool(NULL, 0, NULL, 0),
        hk_session_get_text(NULL, 0, NULL, 0),
        hk_session_get_binary(NULL, 0, NULL, 0),
        hk_session_set_f64(NULL, var, &f, 1),
        hk_session_set_f64(n, var, NULL, 1),
        hk_session_set_i64(NULL, 0, NULL, 0),
        hk_session_set_u64(NULL, 0, NULL, 0),
        hk_session_set_bool(NULL, 0, NULL, 0),
        hk_session_set_text(NULL, 0, NULL, 0),
        hk_session_set_text(n, var, (const char *const[]){NULL}, 1),
        hk_session_set_binary(NULL, 0, NULL, 0),
    };
    all_wrong(answers, sizeof answers / sizeof *answers);
    rig_end(&r);
}

static void no_session(void **state) {
    (void)state;
    rig r;
    hk_state *saved = NULL;
    rig_session(&r);
    hk_system *s = r.system;
    hk_session *n = r.session;
    const hk_status answers[] = {
        hk_session_create(NULL, NULL, NULL),
        hk_session_create(s, NULL, NULL),
        hk_session_advance(NULL, 0),
        hk_session_advance_exact(NULL, 0, 1),
        hk_session_step(NULL, 1),
        hk_session_finish(NULL),
        hk_session_time_exact(NULL, NULL, NULL),
        hk_session_time_exact(n, NULL, NULL),
        hk_session_save(NULL, NULL),
        hk_session_save(NULL, &saved),
        hk_session_restore(NULL, NULL),
        hk_session_restore(n, NULL),
        hk_session_save_file(NULL, NULL),
        hk_session_load_file(n, NULL),
        hk_session_times(NULL, NULL),
        hk_session_times(n, NULL),
        hk_session_component_times(NULL, 0, NULL),
    };
    all_wrong(answers, sizeof answers / sizeof *answers);
    rig_end(&r);
}

static void nothing_at_all(void **state) {
    (void)state;
    hk_context_clear(NULL);
    hk_session_interrupt(NULL);
    hk_set_fmu_log(NULL, NULL);
    assert_true(hk_session_done(NULL) && isnan(hk_session_time(NULL)));
    assert_true(isnan(hk_row_time(NULL)) && isnan(hk_row_f64(NULL, 0)));
    assert_null(hk_session_end_reason(NULL));
    assert_null(hk_row_name(NULL, 0));
    assert_null(hk_row_bytes(NULL, 0).data);
    assert_string_equal(hk_context_errors(NULL), "");
    assert_int_equal(hk_context_message_count(NULL) + hk_system_component_count(NULL), 0);
    hk_context_destroy(NULL);
    hk_system_destroy(NULL);
    hk_session_destroy(NULL);
    hk_state_destroy(NULL);
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A record over a table that the system reads, and two records in one file. When nobody needs the
 * table any more it is a file like others. */
static void records_over_files(void **state) {
    (void)state;
    char folder[] = "/tmp/hk_api_test_XXXXXX", table[64], system[64], record[64], about[80];
    assert_non_null(mkdtemp(folder));
    snprintf(table, sizeof table, "%s/weather.csv", folder);
    snprintf(system, sizeof system, "%s/sea.system", folder);
    snprintf(record, sizeof record, "%s/record.csv", folder);
    put(table, "time,wind\n0,1\n1,2\n");
    put(system, "system sea { composite c { leaf w : \"weather.csv\" { frequency 10 Hz; }\n"
                "leaf g : hk.Gain { frequency 10 Hz; } link w.wind -> g.u; } }\n");
    hk_context *context;
    hk_system *sea;
    hk_session *first, *second = NULL;
    OK(hk_context_create(&context));
    OK(hk_system_open(context, system, &sea));
    OK(hk_system_set_times(sea, 0, 1, 0.1));
    hk_session_options options = {.size = sizeof options, .record = table};
    assert_int_equal(hk_session_create(sea, &options, &second), HK_E_USAGE);
    assert_non_null(strstr(hk_context_errors(context), "the record would overwrite '"));
    options.record = record;
    OK(hk_session_create(sea, &options, &first));
    assert_int_equal(hk_session_create(sea, &options, &second), HK_E_USAGE);
    OK(hk_session_finish(first));
    hk_session_destroy(first);
    OK(hk_session_create(sea, &options, &second)); /* the same again */
    hk_session_destroy(second);
    hk_system_destroy(sea);
    hk_system *other;
    options.record = table;
    OK(hk_system_create(context, "other", &other));
    OK(hk_system_register(other, &counter_type));
    OK(hk_system_add_native(other, "a", "counter"));
    OK(hk_system_set_times(other, 0, 1, 0.1));
    OK(hk_session_create(other, &options, &second));
    OK(hk_session_finish(second));
    hk_session_destroy(second);
    hk_system_destroy(other);
    hk_context_destroy(context);
    const char *const files[] = {table, system, record};
    for (size_t i = 0; i < 3; i++) {
        snprintf(about, sizeof about, "%s-metadata.json", files[i]);
        unlink(files[i]);
        unlink(about);
    }
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_may_grow),
        cmocka_unit_test(messages),
        cmocka_unit_test(systems_that_are_wrong),
        cmocka_unit_test(sessions_that_are_wrong),
        cmocka_unit_test(records_over_files),
        cmocka_unit_test(no_system),
        cmocka_unit_test(no_variable),
        cmocka_unit_test(no_session),
        cmocka_unit_test(nothing_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
