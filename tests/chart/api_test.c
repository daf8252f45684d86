/* SPDX-License-Identifier: MIT
 *
 * A controller in a program: by itself, and as a component of a system that the program makes. */
#include <hk/hk.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), HK_OK)
#define ROVER    HK_TEST_FOLDER "/good/rover.rct"

static void set(hk_session *session, const char *name, double value) {
    hk_var var;
    OK(hk_session_var(session, name, &var));
    OK(hk_session_set_f64(session, var, &value, 1));
}

static double get(hk_session *session, const char *name) {
    hk_var var;
    double value;
    OK(hk_session_var(session, name, &var));
    OK(hk_session_get_f64(session, var, &value, 1));
    return value;
}

static const char *item(hk_session *session, const char *name) {
    hk_var var;
    const char *text;
    OK(hk_session_var(session, name, &var));
    OK(hk_session_get_item(session, var, &text, 1));
    return text;
}

/* The program is the platform. */
static void drive(hk_session *session) {
    OK(hk_session_step(session, 3));
    assert_string_equal(item(session, "ctrl.c0.s0.state"), "Go");
    set(session, "ctrl.l", 1);
    OK(hk_session_step(session, 1));
    set(session, "ctrl.l", 0);
    assert_string_equal(item(session, "ctrl.c0.s0.state"), "TurnR");
    assert_true(get(session, "ctrl.move") == 1);
    assert_true(get(session, "ctrl.move_av") == -1);
    OK(hk_session_step(session, 1));
    assert_true(get(session, "ctrl.move") == 0);
    assert_true(get(session, "ctrl.move_av") == -1);
    OK(hk_session_step(session, 1));
    assert_string_equal(item(session, "ctrl.c0.s0.state"), "Go");
}

static void a_controller_is_added(void **state) {
    (void)state;
    hk_context *context;
    hk_system *system;
    hk_session *session;
    OK(hk_context_create(&context));
    OK(hk_system_create(context, "test", &system));
    OK(hk_system_add_chart(system, "ctrl", ROVER));
    OK(hk_system_set_times(system, 0, 10, 1));
    OK(hk_session_create(system, NULL, &session));
    drive(session);
    hk_session_destroy(session);
    hk_system_destroy(system);
    hk_context_destroy(context);
}

/* Back to a state that was kept, and on the same way again. */
static void a_controller_goes_back(void **state) {
    (void)state;
    hk_context *context;
    hk_system *system;
    hk_session *session;
    hk_state *kept = NULL;
    OK(hk_context_create(&context));
    OK(hk_system_create(context, "test", &system));
    OK(hk_system_add_chart(system, "ctrl", ROVER));
    OK(hk_system_set_times(system, 0, 10, 1));
    OK(hk_session_create(system, NULL, &session));
    OK(hk_session_save(session, &kept));
    drive(session);
    OK(hk_session_restore(session, kept));
    drive(session);
    hk_state_destroy(kept);
    hk_session_destroy(session);
    hk_system_destroy(system);
    hk_context_destroy(context);
}

static void a_controller_is_opened(void **state) {
    (void)state;
    hk_context *context;
    hk_system *system;
    hk_session *session;
    OK(hk_context_create(&context));
    OK(hk_system_open(context, ROVER, &system));
    OK(hk_system_set_times(system, 0, 10, 1));
    OK(hk_session_create(system, NULL, &session));
    OK(hk_session_step(session, 1));
    assert_string_equal(item(session, "ChemicalDetector.c0.s0.state"), "Go");
    hk_session_destroy(session);
    hk_system_destroy(system);
    hk_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_is_added),
        cmocka_unit_test(a_controller_goes_back),
        cmocka_unit_test(a_controller_is_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
