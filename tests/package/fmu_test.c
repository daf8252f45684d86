/* SPDX-License-Identifier: MIT
 *
 * The public API with FMUs: variables that the engine does not exchange, values set between steps,
 * states, messages. */
#include <hk/hk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define OK(call)  assert_int_equal((call), HK_OK)
#define PROBE     FMU_DIR "/probe.fmu"
#define STEP_SIZE "1/100"

typedef struct rig {
    hk_context *context;
    hk_system *system;
    hk_session *session;
} rig;

static void rig_system(rig *r) {
    *r = (rig){0};
    OK(hk_context_create(&r->context));
    OK(hk_system_open(r->context, PROBE, &r->system));
    hk_experiment_options x = {.size = sizeof x, .stop = "1", .step = STEP_SIZE};
    OK(hk_system_set_experiment(r->system, &x));
}

static void rig_end(rig *r) {
    hk_session_destroy(r->session);
    hk_system_destroy(r->system);
    hk_context_destroy(r->context);
}

static hk_var var(const rig *r, const char *name) {
    hk_var v;
    OK(hk_session_var(r->session, name, &v));
    return v;
}

static int64_t whole(const rig *r, const char *name) {
    int64_t value;
    OK(hk_session_get_i64(r->session, var(r, name), &value, 1));
    return value;
}

/* Nothing is connected or recorded, so every get asks the FMU. */
static void an_fmu_is_stepped(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    OK(hk_session_create(r.system, NULL, &r.session));
    double speed = 2.5, back = 0;
    int64_t seven = 7;
    bool yes = true;
    const char *text = "between";
    OK(hk_session_set_f64(r.session, var(&r, "real_in"), &speed, 1));
    OK(hk_session_set_i64(r.session, var(&r, "int_in"), &seven, 1));
    OK(hk_session_set_bool(r.session, var(&r, "bool_in"), &yes, 1));
    OK(hk_session_set_text(r.session, var(&r, "text_in"), &text, 1));
    OK(hk_session_step(r.session, 3));
    assert_int_equal(whole(&r, "steps"), 3);
    OK(hk_session_get_f64(r.session, var(&r, "real_out"), &back, 1));
    assert_true(back == 2.5);
    assert_int_equal(whole(&r, "int_out"), 7);
    yes = false;
    OK(hk_session_get_bool(r.session, var(&r, "bool_out"), &yes, 1));
    assert_true(yes);
    OK(hk_session_get_text(r.session, var(&r, "text_out"), &text, 1));
    assert_string_equal(text, "between");
    OK(hk_session_get_f64(r.session, var(&r, "real_in"), &back, 1));
    assert_true(back == 2.5);
    rig_end(&r);
}

static void states_of_an_fmu(void **state) {
    (void)state;
    rig r;
    hk_state *saved = NULL;
    rig_system(&r);
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_advance_exact(r.session, 1, 2));
    OK(hk_session_save(r.session, &saved));
    OK(hk_session_finish(r.session));
    assert_int_equal(whole(&r, "steps"), 100);
    OK(hk_session_restore(r.session, saved));
    assert_int_equal(whole(&r, "steps"), 50);
    OK(hk_session_finish(r.session));
    assert_int_equal(whole(&r, "steps"), 100);
    hk_state_destroy(saved);
    rig_end(&r);
}

/* Two of them and a table, built in code. */
static void a_system_of_fmus(void **state) {
    (void)state;
    rig r = {0};
    char table[] = "/tmp/hk_fmu_test_XXXXXX.csv";
    int file = mkstemps(table, 4);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fputs("time,a.real_in\n0,1\n1,3\n", out);
    fclose(out);
    OK(hk_context_create(&r.context));
    OK(hk_system_create(r.context, "two", &r.system));
    OK(hk_system_add_fmu(r.system, "a", PROBE));
    OK(hk_system_add_fmu(r.system, "b", PROBE));
    OK(hk_system_add_table(r.system, table));
    OK(hk_system_connect(r.system, "a.real_out", "b.real_in", NULL));
    OK(hk_system_set_times(r.system, 0, 1, 0.5));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    double value;
    OK(hk_session_get_f64(r.session, var(&r, "a.real_in"), &value, 1));
    assert_true(value == 2);
    remove(table);
    rig_end(&r);
}

static void a_failing_fmu(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    int64_t kind = 4; /* fmi2DoStep returns fmi2Error */
    OK(hk_system_set_i64(r.system, "fault", &kind, 1));
    OK(hk_system_set_text(r.system, "fault_time", "500 ms"));
    OK(hk_session_create(r.system, NULL, &r.session));
    hk_var steps = var(&r, "steps");
    assert_int_equal(hk_session_finish(r.session), HK_E_UNIT_FAILED);
    assert_true(hk_session_done(r.session));
    assert_non_null(strstr(hk_context_errors(r.context), "Probe"));
    int64_t value = 0;
    assert_int_equal(hk_session_get_i64(r.session, steps, &value, 1), HK_E_UNIT_FAILED);
    rig_end(&r);
}

static void an_fmu_that_ends_the_run(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    int64_t kind = 3; /* Discard, and the FMU asks to end */
    OK(hk_system_set_i64(r.system, "fault", &kind, 1));
    OK(hk_system_set_text(r.system, "fault_time", "0.5"));
    OK(hk_session_create(r.system, NULL, &r.session));
    OK(hk_session_finish(r.session));
    assert_non_null(strstr(hk_session_end_reason(r.session), "Probe"));
    assert_true(hk_session_done(r.session) && hk_session_time(r.session) < 0.6);
    OK(hk_session_step(r.session, 5)); /* nothing is left to do */
    rig_end(&r);
}

/* Enumerations by the names of their items, and a number that is none. */
static void items_go_by_name(void **state) {
    (void)state;
    rig r;
    rig_system(&r);
    OK(hk_session_create(r.system, NULL, &r.session));
    const char *reverse = "reverse", *unknown = "sideways", *back = NULL;
    OK(hk_session_set_item(r.session, var(&r, "enum_in"), &reverse, 1));
    OK(hk_session_step(r.session, 2));
    OK(hk_session_get_item(r.session, var(&r, "enum_out"), &back, 1));
    assert_string_equal(back, "reverse");
    assert_int_equal(whole(&r, "enum_out"), -1);
    assert_int_equal(hk_session_set_item(r.session, var(&r, "enum_in"), &unknown, 1), HK_E_VALUE);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_fmu_is_stepped), cmocka_unit_test(states_of_an_fmu),
        cmocka_unit_test(a_system_of_fmus),  cmocka_unit_test(a_failing_fmu),
        cmocka_unit_test(items_go_by_name),  cmocka_unit_test(an_fmu_that_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
