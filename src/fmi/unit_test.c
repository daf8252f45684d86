/* SPDX-License-Identifier: MIT
 *
 * Instances of the probe FMU, good and bad. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/fpenv.h"
#include "fmi/fmi.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FAULT_DISCARD = 2,
    FAULT_TERMINATED,
    FAULT_ERROR,
    FAULT_FATAL,
    FAULT_LOG_STORM = 8,
    FAULT_PENDING,
    FAULT_PENDING_ERROR,
    FAULT_INIT_ERROR = 12,
    FAULT_WARNING
};

static hk_ctx *ctx;
static hk_fmu *fmu;
static hk_unit *unit;
static const hk_unit_class *k; /* the class of the instance */

static size_t log_count;
static char log_last[256];
static size_t log_longest;

static void take_log(void *user, const char *instance, int status, const char *category,
                     const char *message) {
    (void)user;
    (void)status;
    (void)category;
    assert_non_null(instance);
    log_count++;
    log_longest = strlen(message) > log_longest ? strlen(message) : log_longest;
    strncpy(log_last, message, sizeof log_last - 1);
}

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    log_count = log_longest = 0;
    hk_fmu_set_log(take_log, NULL);
    return 0;
}

static hk_unit_options options;

static int tear_down(void **state) {
    (void)state;
    if (unit)
        k->close(unit);
    hk_fmu_close(fmu);
    unit = NULL;
    fmu = NULL;
    options = (hk_unit_options){0};
    hk_ctx_destroy(ctx);
    hk_fmu_set_log(NULL, NULL);
    return 0;
}

static hk_status make(const char *name, hk_unit **ret_unit) {
    const hk_info *info = hk_fmu_info(fmu);
    k = info->unit_class;
    options.name = name;
    return k->open(ctx, info, &options, ret_unit);
}

static hk_status try_open(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.fmu", HK_FMU_DIR, name);
    assert_int_equal(hk_fmu_open(ctx, path, &fmu), HK_OK);
    return make("probe 1", &unit);
}

static uint32_t find(const char *name) {
    uint32_t index = hk_info_find(hk_fmu_info(fmu), name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return index;
}

static hk_status set(const char *name, const char *text) {
    uint32_t index = find(name);
    const hk_variable *v = &hk_fmu_info(fmu)->variables[index];
    hk_arena *arena = hk_arena_create();
    hk_value value;
    assert_true(hk_value_parse(arena, v->type, 1, v->enumeration, text, &value));
    hk_status status = k->set_start(ctx, unit, index, &value);
    hk_arena_destroy(arena); /* queued values must have been copied */
    return status;
}

static void set_int(const char *name, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    assert_int_equal(set(name, text), HK_OK);
}

static int get(const char *name, void *value) {
    uint32_t index = find(name);
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, &index, 1, value, &call), HK_OK);
    assert_int_equal(call.shape, HK_SHAPE_REFS);
    return call.fn.refs(call.self, call.refs, call.n, call.values);
}

static double get_real(const char *name) {
    double value;
    assert_int_equal(get(name, &value), HK_UNIT_OK);
    return value;
}

static int get_int(const char *name) {
    int32_t value;
    assert_int_equal(get(name, &value), HK_UNIT_OK);
    return value;
}

static int step(double t, double h) {
    hk_step_call call;
    k->bind_step(unit, &call);
    assert_int_equal(call.shape, HK_STEP_FLAGGED);
    return call.fn.flagged(call.self, t, h, 1);
}

static void initialise(void) {
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    assert_int_equal(k->exit_init(ctx, unit), HK_OK);
}

/* The last diagnostic says WORD. */
static void said(const char *word) {
    size_t count = hk_ctx_count(ctx, HK_NOTE);
    assert_true(count > 0);
    const hk_diag *diag = hk_ctx_diag(ctx, count - 1);
    if (!strstr(diag->text, word))
        fail_msg("'%s' is not in: %s", word, diag->text);
}

static void test_values(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    assert_int_equal(set("gain", "3"), HK_OK);
    assert_int_equal(set("real_in", "2"), HK_OK);
    assert_int_equal(set("int_in", "-5"), HK_OK);
    assert_int_equal(set("enum_in", "reverse"), HK_OK);
    assert_int_equal(set("bool_in", "true"), HK_OK);
    assert_int_equal(set("text_in", "grüße"), HK_OK);
    assert_int_equal(set("label", "a label"), HK_OK);
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    /* in initialization mode outputs follow inputs; the gain was not lost */
    assert_true(get_real("real_out") == 6);
    assert_int_equal(get_int("setup_first"), 1);
    assert_int_equal(k->exit_init(ctx, unit), HK_OK);
    assert_int_equal(get_int("int_out"), -5);
    assert_int_equal(get_int("enum_out"), -1);
    assert_int_equal(get_int("bool_out"), 1);
    hk_bytes text;
    assert_int_equal(get("text_out", &text), HK_UNIT_OK);
    assert_string_equal(text.data, "grüße");
    assert_int_equal(text.size, strlen("grüße"));
    assert_int_equal(get("label", &text), HK_UNIT_OK);
    assert_string_equal(text.data, "a label");
    assert_int_equal(get("resources", &text), HK_UNIT_OK);
    assert_memory_equal(text.data, "file:///", 8);
    assert_non_null(strstr(text.data, "/resources"));
    assert_int_equal(step(0, 0.5), HK_UNIT_OK);
    assert_true(get_real("state") == 1);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
    assert_int_equal(k->terminate(ctx, unit), HK_OK); /* nothing left to do */
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
}

/* The probe passes on what it got; hocket passes on 0 and 1 only. */
static void test_truth(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    initialise();
    uint32_t in = find("bool_in");
    int32_t seven = 7;
    hk_call call;
    assert_int_equal(k->bind_set(ctx, unit, &in, 1, &seven, &call), HK_OK);
    assert_int_equal(call.fn.refs(call.self, call.refs, 1, &seven), HK_UNIT_OK);
    assert_int_equal(step(0, 0.5), HK_UNIT_OK);
    assert_int_equal(get_int("bool_out"), 1);
}

/* A number that FMI does not know is taken as Error: no Terminate after it, which the probe would
 * take amiss. */
static void test_unknown_status(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    initialise();
    hk_stepped end;
    assert_true(hk_unit_bad(-1) && hk_unit_bad(17) && !hk_unit_bad(HK_UNIT_WARNING));
    assert_int_equal(k->step_failed(ctx, unit, -1, 0, 0.5, &end), HK_E_UNIT_FAILED);
    said("returned an unknown status");
    size_t logged = log_count;
    assert_int_equal(k->terminate(ctx, unit), HK_OK); /* does nothing */
    double value;
    assert_int_equal(get("real_out", &value), HK_UNIT_OK);
    assert_int_equal(step(0, 0.5), HK_UNIT_OK); /* so it was not terminated */
    assert_int_equal(log_count, logged);
}

static void test_bulk(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    initialise();
    uint32_t in[] = {find("text_in"), find("label")}, out[] = {find("label"), find("text_out")};
    hk_bytes values[2] = {{"one", 3}, {NULL, 0}}, results[2];
    hk_call set_call, get_call;
    assert_int_equal(k->bind_set(ctx, unit, in, 2, values, &set_call), HK_OK);
    assert_int_equal(k->bind_get(ctx, unit, out, 2, results, &get_call), HK_OK);
    assert_string_equal(get_call.name, "fmi2GetString");
    assert_int_equal(set_call.fn.refs(set_call.self, set_call.refs, 2, values), HK_UNIT_OK);
    assert_int_equal(get_call.fn.refs(get_call.self, get_call.refs, 2, results), HK_UNIT_OK);
    assert_string_equal(results[0].data, "");
    assert_string_equal(results[1].data, "one");
    uint32_t reals[] = {find("real_out"), find("state")};
    double numbers[2];
    assert_int_equal(k->bind_get(ctx, unit, reals, 2, numbers, &get_call), HK_OK);
    assert_int_equal(get_call.fn.refs(get_call.self, get_call.refs, 2, numbers), HK_UNIT_OK);
    assert_int_equal(get_int("calls"),
                     2); /* this one, and one for both reals; bind calls nothing */
}

static void test_not_settable(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    assert_int_equal(set("real_out", "1"), HK_E_PARAMETER);
    said("real_out");
    assert_int_equal(set("time", "1"), HK_E_PARAMETER);
}

static void test_guid(void **state) {
    (void)state;
    assert_int_equal(try_open("probe_wrong_guid"), HK_E_FMU_INSTANTIATE);
    assert_null(unit);
    said("{another}");
    said("this library has another GUID");
}

/* Messages tell the time of the run, and the call in progress is known while it lasts. */
static void test_moment(void **state) {
    (void)state;
    _Atomic double now = 3.5;
    _Atomic(const char *) calling = "nothing yet";
    options = (hk_unit_options){.start = 3, .now = &now, .calling = &calling};
    assert_int_equal(try_open("probe_wrong_guid"), HK_E_FMU_INSTANTIATE);
    said("returned NULL at t = 3.5 s");
    assert_null(calling);
    hk_fmu_close(fmu);
    assert_int_equal(try_open("probe"), HK_OK);
    initialise();
    now = 4;
    void *loaded;
    assert_int_equal(k->state_load(ctx, unit, "x", 1, &loaded), HK_E_UNIT_FAILED);
    said("fmi2DeSerializeFMUstate returned Error at t = 4 s");
    assert_null(calling);
    k->close(unit); /* what it writes down goes with this function */
    unit = NULL;
}

/* Steps are told whether an older state may be set. */
static void test_going_back(void **state) {
    (void)state;
    hk_step_call call;
    assert_int_equal(try_open("probe"), HK_OK);
    k->bind_step(unit, &call);
    assert_true(call.flag);
    k->close(unit);
    options.may_go_back = true;
    assert_int_equal(make("probe 2", &unit), HK_OK);
    k->bind_step(unit, &call);
    assert_false(call.flag);
}

static void test_rude_start(void **state) {
    (void)state;
    assert_int_equal(try_open("probe_any_guid"), HK_OK);
    assert_int_equal(log_count, 4);
    assert_string_equal(log_last, "nobody's message 7%");
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 1);
    said("the description says FMI 2.0, but fmi2GetVersion says '1.0'");
    struct sigaction action;
    assert_int_equal(sigaction(SIGINT, NULL, &action), 0);
    assert_true(action.sa_handler == SIG_DFL); /* Ctrl-C is still ours */
}

static void test_missing_symbol(void **state) {
    (void)state;
    assert_int_equal(try_open("probe_no_dostep"), HK_E_FMU_LOAD);
    said("fmi2DoStep");
}

static void test_missing_optional(void **state) {
    (void)state;
    assert_int_equal(try_open("probe_no_strings"), HK_OK);
    uint32_t index = find("text_out");
    hk_bytes text;
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, &index, 1, &text, &call), HK_E_FMU_LOAD);
    said("fmi2GetString");
    assert_int_equal(set("label", "x"), HK_E_FMU_LOAD);
    said("fmi2SetString");
    initialise();
    assert_int_equal(step(0, 1), HK_UNIT_OK);
}

static void test_libm(void **state) {
    (void)state;
    assert_int_equal(try_open("probe_libm"), HK_OK);
    initialise();
    for (int i = 0; i < 3; i++)
        assert_int_equal(step(i, 1), HK_UNIT_OK);
    assert_true(get_real("power") == 8);
}

static void test_rounding(void **state) {
    (void)state;
    uint64_t before = hk_fpenv_pin();
    assert_int_equal(try_open("probe_rounding"), HK_OK);
    assert_true(hk_fpenv_read() == before);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 1);
    said("floating-point");
}

static void test_working_directory(void **state) {
    (void)state;
    char before[4096], after[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(try_open("probe"), HK_OK);
    assert_non_null(getcwd(after, sizeof after));
    assert_string_equal(before, after);
}

static void test_once_per_process(void **state) {
    (void)state;
    assert_int_equal(try_open("probe_once"), HK_OK);
    assert_true(hk_fmu_info(fmu)->can.once_per_process);
    hk_unit *second = NULL;
    assert_int_equal(make("second", &second), HK_E_ONCE_PER_PROCESS);
    assert_null(second);
    k->close(unit);
    unit = NULL;
    assert_int_equal(make("third", &unit), HK_OK);
}

static void open_with_fault(int fault) {
    assert_int_equal(try_open("probe"), HK_OK);
    set_int("fault", fault);
    assert_int_equal(set("fault_time", "1"), HK_OK);
    initialise();
    assert_int_equal(step(0, 1), HK_UNIT_OK);
}

static void test_discard(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault(FAULT_DISCARD);
    int code = step(1, 1);
    assert_int_equal(code, HK_UNIT_DISCARD);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 1, &end), HK_E_UNIT_DISCARD);
    assert_true(end.time == -1);
    said("'probe 1'");
    said("t = 1 ");
    said("reached is 1.5");
}

static void test_terminated(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault(FAULT_TERMINATED);
    int code = step(1, 1);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 1, &end), HK_OK);
    assert_true(end.outcome == HK_OUTCOME_ENDED && end.time == 1.5);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
}

static void test_error(void **state) {
    (void)state;
    hk_stepped end;
    open_with_fault(FAULT_ERROR);
    int code = step(1, 1);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 1, &end), HK_E_UNIT_FAILED);
    said("fmi2DoStep from t = 1 by 1 returned Error");
    said("the solver gave up");
}

static void test_error_then_restore(void **state) {
    (void)state;
    hk_stepped end;
    void *saved = NULL;
    open_with_fault(FAULT_ERROR);
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_OK);
    assert_int_equal(k->step_failed(ctx, unit, step(1, 1), 1, 1, &end), HK_E_UNIT_FAILED);
    assert_int_equal(k->state_set(ctx, unit, saved), HK_OK);
    k->state_free(unit, saved);
    assert_true(get_real("time") == 1);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
}

static void test_init_error(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    set_int("fault", FAULT_INIT_ERROR);
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    assert_int_equal(k->exit_init(ctx, unit), HK_E_UNIT_FAILED);
    said("fmi2ExitInitializationMode");
    said("no initial solution");
}

static void test_pending(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault(FAULT_PENDING);
    int code = step(1, 0.25);
    assert_int_equal(code, HK_UNIT_PENDING);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 0.25, &end), HK_OK);
    assert_int_equal(end.outcome, HK_OUTCOME_PENDING);
    assert_int_equal(k->step_wait(ctx, unit, 1, 0.25, &end), HK_OK);
    assert_int_equal(end.outcome, HK_OUTCOME_DONE);
    assert_true(get_real("time") == 1.25);
}

static void test_pending_error(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault(FAULT_PENDING_ERROR);
    assert_int_equal(k->step_failed(ctx, unit, step(1, 1), 1, 1, &end), HK_OK);
    assert_int_equal(k->step_wait(ctx, unit, 1, 1, &end), HK_E_UNIT_FAILED);
    said("returned Error");
}

/* References become names; what names nothing stays. */
static void test_log_names(void **state) {
    (void)state;
    open_with_fault(FAULT_WARNING);
    assert_int_equal(step(1, 1), HK_UNIT_WARNING);
    assert_string_equal(log_last, "gain and enum_in are near #s9#, # and 100%#");
}

static void test_log_storm(void **state) {
    (void)state;
    open_with_fault(FAULT_LOG_STORM);
    assert_int_equal(step(1, 1), HK_UNIT_OK);
    assert_int_equal(log_count, 200);
    k->close(unit);
    unit = NULL;
    assert_int_equal(log_count, 201);
    assert_string_equal(log_last, "801 more messages of this instance were held back");
    assert_true(log_longest < 8192);
}

static void test_state(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    assert_int_equal(set("real_in", "2"), HK_OK);
    initialise();
    assert_int_equal(step(0, 1), HK_UNIT_OK);
    void *saved = NULL, *loaded = NULL;
    char *bytes;
    size_t size;
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_OK);
    assert_int_equal(k->state_save(ctx, unit, saved, &bytes, &size), HK_OK);
    assert_int_equal(step(1, 1), HK_UNIT_OK);
    assert_true(get_real("state") == 4);
    assert_int_equal(k->state_set(ctx, unit, saved), HK_OK);
    assert_true(get_real("state") == 2);
    assert_int_equal(step(1, 1), HK_UNIT_OK);
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_OK); /* the object is reused */
    k->state_free(unit, saved);
    assert_int_equal(k->state_load(ctx, unit, bytes, size, &loaded), HK_OK);
    assert_int_equal(k->state_set(ctx, unit, loaded), HK_OK);
    assert_true(get_real("state") == 2);
    k->state_free(unit, loaded);
    assert_int_equal(k->state_load(ctx, unit, bytes, size - 1, &loaded), HK_E_UNIT_FAILED);
    said("wrong size");
    hk_free(bytes);
}

/* Two instances have nothing in common. */
static void test_two_instances(void **state) {
    (void)state;
    assert_int_equal(try_open("probe"), HK_OK);
    hk_unit *first = unit, *second;
    assert_int_equal(make("second", &second), HK_OK);
    assert_int_equal(set("real_in", "1"), HK_OK);
    initialise();
    unit = second;
    initialise();
    assert_int_equal(step(0, 1), HK_UNIT_OK);
    assert_true(get_real("state") == 0);
    k->close(second);
    unit = first;
    assert_int_equal(step(0, 1), HK_UNIT_OK);
    assert_true(get_real("state") == 1);
}

/* Must be the last: after it, nothing of this library may be used in this process. */
static void test_fatal(void **state) {
    (void)state;
    hk_stepped end;
    open_with_fault(FAULT_FATAL);
    hk_unit *other = NULL;
    assert_int_equal(make("other", &other), HK_OK);
    assert_int_equal(k->step_failed(ctx, unit, step(1, 1), 1, 1, &end), HK_E_UNIT_FAILED);
    said("returned Fatal");
    assert_int_equal(k->enter_init(ctx, other), HK_E_UNIT_FAILED);
    said("'other'");
    hk_unit *third = NULL;
    assert_int_equal(make("third", &third), HK_E_UNIT_FAILED);
    k->close(other);
}

int main(void) {
    setenv("HK_NO_CACHE", "1", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(values),
        TEST(truth),
        TEST(unknown_status),
        TEST(bulk),
        TEST(not_settable),
        TEST(guid),
        TEST(moment),
        TEST(going_back),
        TEST(rude_start),
        TEST(missing_symbol),
        TEST(missing_optional),
        TEST(libm),
        TEST(rounding),
        TEST(working_directory),
        TEST(once_per_process),
        TEST(discard),
        TEST(terminated),
        TEST(error),
        TEST(error_then_restore),
        TEST(init_error),
        TEST(pending),
        TEST(pending_error),
        TEST(log_names),
        TEST(log_storm),
        TEST(state),
        TEST(two_instances),
        TEST(fatal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
