/* SPDX-License-Identifier: MIT
 *
 * Instances of the probe FMU of FMI 1.0, good and bad. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "fmi/fmi.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAULT_DISCARD = 2,
    FAULT_ERROR = 4,
    FAULT_FATAL,
    FAULT_PENDING = 9,
    FAULT_PENDING_ERROR,
    FAULT_INIT_ERROR = 12,
    FAULT_WARNING
};

static hk_ctx *ctx;
static hk_fmu *fmu;
static hk_unit *unit;
static const hk_unit_class *k; /* the class of the instance */

static size_t log_count;
static char log_last[256], log_instance[64];

static void take_log(void *user, const char *instance, int status, const char *category,
                     const char *message) {
    (void)user;
    (void)status;
    (void)category;
    assert_non_null(instance);
    log_count++;
    snprintf(log_last, sizeof log_last, "%s", message);
    snprintf(log_instance, sizeof log_instance, "%s", instance);
}

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    log_count = 0;
    hk_fmu_set_log(take_log, NULL);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    if (unit)
        k->close(unit);
    hk_fmu_close(fmu);
    unit = NULL;
    fmu = NULL;
    hk_ctx_destroy(ctx);
    hk_fmu_set_log(NULL, NULL);
    return 0;
}

static hk_status make(const char *name, hk_unit **ret_unit) {
    const hk_info *info = hk_fmu_info(fmu);
    k = info->unit_class;
    return k->open(ctx, info, &(hk_unit_options){.name = name}, ret_unit);
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
    hk_arena_destroy(arena);
    return status;
}

static void bind_input(const char *name, void *value, hk_call *ret_call) {
    uint32_t index = find(name);
    assert_int_equal(k->bind_set(ctx, unit, &index, 1, value, ret_call), HK_OK);
    assert_int_equal(ret_call->shape, HK_SHAPE_REFS);
}

static int put(const char *name, void *value) {
    hk_call call;
    bind_input(name, value, &call);
    return call.fn.refs(call.self, call.refs, call.n, call.values);
}

static int get(const char *name, void *value) {
    uint32_t index = find(name);
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, &index, 1, value, &call), HK_OK);
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

static int get_truth(const char *name) {
    char guarded[2] = {9, 9}; /* one byte is written, not four */
    assert_int_equal(get(name, guarded), HK_UNIT_OK);
    assert_int_equal(guarded[1], 9);
    return guarded[0];
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
    assert_int_equal(try_open("probe1"), HK_OK);
    assert_int_equal(set("gain", "3"), HK_OK);
    assert_int_equal(set("real_in", "2"), HK_OK);
    assert_int_equal(set("int_in", "-5"), HK_OK);
    assert_int_equal(set("enum_in", "first"), HK_OK);
    assert_int_equal(set("bool_in", "true"), HK_OK);
    assert_int_equal(set("text_in", "grüße"), HK_OK);
    assert_int_equal(set("label", "a label"), HK_OK);
    initialise();
    assert_true(get_real("real_out") == 6);
    assert_int_equal(get_int("int_out"), -5);
    assert_int_equal(get_int("enum_out"), 3);
    assert_int_equal(get_truth("bool_out"), 1);
    hk_bytes text;
    assert_int_equal(get("text_out", &text), HK_UNIT_OK);
    assert_string_equal(text.data, "grüße");
    assert_int_equal(text.size, strlen("grüße"));
    assert_int_equal(get("label", &text), HK_UNIT_OK);
    assert_string_equal(text.data, "a label");
    assert_int_equal(get("mime_type", &text), HK_UNIT_OK);
    assert_string_equal(text.data, "application/x-fmu-sharedlibrary");
    assert_int_equal(get("location", &text), HK_UNIT_OK);
    assert_memory_equal(text.data, "file:///", 8); /* of the folder, not of its resources */
    assert_null(strstr(text.data, "resources"));
    assert_int_equal(step(0, 0.5), HK_UNIT_OK);
    assert_true(get_real("state") == 1);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
    assert_int_equal(k->terminate(ctx, unit), HK_OK); /* nothing left to do */
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
}

/* fmiInitializeSlave comes as late as possible, and before the first output is read. */
static void test_late_initialization(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    double in = 4, out;
    assert_int_equal(put("real_in", &in), HK_UNIT_OK); /* known from another component */
    assert_int_equal(k->refresh(ctx, unit, 0), HK_OK);
    assert_int_equal(get("start_in", &out), HK_UNIT_OK);
    assert_true(out == 4);
    in = 5;
    assert_int_equal(put("real_in", &in), HK_UNIT_OK); /* inputs may be set at any time */
    assert_int_equal(k->refresh(ctx, unit, 0), HK_OK); /* does not initialise again */
    assert_true(get_real("real_out") == 5);
    assert_true(get_real("start_in") == 4);
    assert_int_equal(k->exit_init(ctx, unit), HK_OK);
    assert_int_equal(step(0, 1), HK_UNIT_OK);
}

static void test_truth(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    initialise();
    char seven = 7;
    assert_int_equal(put("bool_in", &seven), HK_UNIT_OK);
    assert_int_equal(get_truth("bool_out"), 1);
    assert_int_equal(get_truth("not_bool_out"), 0);
    seven = 0;
    assert_int_equal(put("bool_in", &seven), HK_UNIT_OK);
    assert_int_equal(get_truth("bool_out"), 0);
    assert_int_equal(get_truth("not_bool_out"), 1);
}

static void test_negated(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    assert_int_equal(set("minus_in", "2.5"), HK_OK);
    initialise();
    assert_true(get_real("start_in") == -2.5);
    assert_true(get_real("minus_in") == 2.5);
    assert_true(get_real("minus_gain") == -1);
    assert_true(get_real("minus_out") == 2.5);
    double in = -8;
    assert_int_equal(put("minus_in", &in), HK_UNIT_OK);
    assert_true(in == -8); /* what the caller holds is not touched */
    assert_true(get_real("real_out") == 8);
    int32_t least = INT_MIN, some = 12;
    assert_int_equal(put("int_in", &some), HK_UNIT_OK);
    assert_int_equal(get_int("minus_int_out"), -12);
    assert_int_equal(put("int_in", &least), HK_UNIT_OK);
    assert_int_equal(get_int("minus_int_out"), INT_MIN);
    /* many at once: only those that are negated are turned round */
    uint32_t all[] = {find("real_out"), find("minus_out"), find("gain"), find("minus_gain")};
    double values[4];
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, all, 4, values, &call), HK_OK);
    assert_int_equal(call.fn.refs(call.self, call.refs, 4, values), HK_UNIT_OK);
    assert_true(values[0] == 8 && values[1] == -8 && values[2] == 1 && values[3] == -1);
}

static void test_no_reference(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    uint32_t index = find("nowhere");
    double value;
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, &index, 1, &value, &call), HK_E_FMI_UNSUPPORTED);
    said("'nowhere'");
    assert_int_equal(k->bind_set(ctx, unit, &index, 1, &value, &call), HK_E_FMI_UNSUPPORTED);
}

static void test_not_settable(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    assert_int_equal(set("real_out", "1"), HK_E_PARAMETER);
    said("real_out");
    assert_int_equal(set("state", "1"), HK_OK); /* an output, but it has a start value */
    initialise();
    assert_true(get_real("state") == 1);
    assert_int_equal(set("gain", "1"), HK_E_UNIT_FAILED); /* too late */
    said("fmiSetReal for the start value of 'gain' returned Error");
}

static void test_guid(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1_wrong_guid"), HK_E_FMU_INSTANTIATE);
    assert_null(unit);
    said("fmiInstantiateSlave");
    said("{another}");
    said("this library has another GUID"); /* known though there is no component yet */
}

static void test_rude_start(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1_lies"), HK_OK);
    assert_int_equal(log_count, 2);
    assert_string_equal(log_last, "nobody's message 7%");
    assert_string_equal(log_instance, "probe 1");
}

static void test_log_to_the_end(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    k->close(unit);
    unit = NULL;
    assert_string_equal(log_last, "gone");
    assert_string_equal(log_instance, "probe 1");
}

static void test_once_per_process(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1_plain"), HK_OK);
    hk_unit *second = NULL;
    assert_int_equal(make("second", &second), HK_E_ONCE_PER_PROCESS);
    assert_null(second);
}

static void open_with_fault(const char *name, int fault) {
    char text[16];
    snprintf(text, sizeof text, "%d", fault);
    assert_int_equal(try_open(name), HK_OK);
    assert_int_equal(set("fault", text), HK_OK);
    assert_int_equal(set("fault_time", "1"), HK_OK);
    initialise();
    assert_int_equal(step(0, 1), HK_UNIT_OK);
}

static void test_discard(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault("probe1", FAULT_DISCARD);
    int code = step(1, 1);
    assert_int_equal(code, HK_UNIT_DISCARD);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 1, &end), HK_E_UNIT_DISCARD);
    assert_true(end.time == -1);
    said("'probe 1': fmiDoStep from t = 1 by 1 returned Discard");
    said("reached is 1.5");
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
}

static void test_error(void **state) {
    (void)state;
    hk_stepped end;
    open_with_fault("probe1", FAULT_ERROR);
    int code = step(1, 1);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 1, &end), HK_E_UNIT_FAILED);
    said("fmiDoStep from t = 1 by 1 returned Error");
    said("the solver gave up"); /* found by the component: the FMU gave another name */
}

static void test_init_error(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    assert_int_equal(set("fault", "12"), HK_OK);
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    assert_int_equal(k->refresh(ctx, unit, 0), HK_E_UNIT_FAILED);
    said("fmiInitializeSlave");
    said("no initial solution");
} /* the probe would not allow fmiTerminateSlave */

static void test_pending(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault("probe1", FAULT_PENDING);
    int code = step(1, 0.25);
    assert_int_equal(code, HK_UNIT_PENDING);
    assert_int_equal(k->step_failed(ctx, unit, code, 1, 0.25, &end), HK_OK);
    assert_int_equal(end.outcome, HK_OUTCOME_PENDING);
    assert_int_equal(k->step_wait(ctx, unit, 1, 0.25, &end), HK_OK);
    assert_int_equal(end.outcome, HK_OUTCOME_DONE);
}

static void test_pending_error(void **state) {
    (void)state;
    hk_stepped end = {.time = -1};
    open_with_fault("probe1", FAULT_PENDING_ERROR);
    assert_int_equal(k->step_failed(ctx, unit, step(1, 1), 1, 1, &end), HK_OK);
    assert_int_equal(k->step_wait(ctx, unit, 1, 1, &end), HK_E_UNIT_FAILED);
    said("returned Error");
}

static void test_log_names(void **state) {
    (void)state;
    open_with_fault("probe1", FAULT_WARNING);
    assert_int_equal(step(1, 1), HK_UNIT_WARNING);
    assert_string_equal(log_last, "gain, bool_in and fault 100%");
}

static void test_state(void **state) {
    (void)state;
    assert_int_equal(try_open("probe1"), HK_OK);
    assert_true(hk_fmu_info(fmu)->can.save_state && hk_fmu_info(fmu)->can.serialize_state);
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
    k->state_free(unit, saved);
    assert_int_equal(step(1, 1), HK_UNIT_OK);
    assert_int_equal(k->state_load(ctx, unit, bytes, size, &loaded), HK_OK);
    assert_int_equal(k->state_set(ctx, unit, loaded), HK_OK);
    assert_true(get_real("state") == 2);
    k->state_free(unit, loaded);
    assert_int_equal(k->state_load(ctx, unit, bytes, size - 1, &loaded), HK_E_UNIT_FAILED);
    hk_free(bytes);
}

static void test_no_state(void **state) {
    (void)state;
    void *saved = NULL;
    assert_int_equal(try_open("probe1_plain"), HK_OK);
    assert_false(hk_fmu_info(fmu)->can.save_state || hk_fmu_info(fmu)->can.serialize_state);
    initialise();
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_E_UNIT_STATE);
    said("hkGetState cannot be called at t = 0 s: the FMU does not say that it can save its state");
}

static void test_state_lie(void **state) {
    (void)state;
    void *saved = NULL;
    assert_int_equal(try_open("probe1_lies"), HK_OK);
    initialise();
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_E_UNIT_STATE);
    said("hkGetState cannot be called at t = 0 s: the library does not export it");
}

/* Must be the last: after it, nothing of this library may be used in this process. */
static void test_fatal(void **state) {
    (void)state;
    hk_stepped end;
    open_with_fault("probe1", FAULT_FATAL);
    hk_unit *other = NULL;
    assert_int_equal(make("other", &other), HK_OK);
    assert_int_equal(k->step_failed(ctx, unit, step(1, 1), 1, 1, &end), HK_E_UNIT_FAILED);
    said("returned Fatal");
    assert_int_equal(k->enter_init(ctx, other), HK_E_UNIT_FAILED);
    said("'other'");
    log_count = 0;
    k->close(other);
    k->close(unit);
    unit = NULL;
    assert_int_equal(log_count, 0); /* it would have said "gone" */
}

int main(void) {
    setenv("HK_NO_CACHE", "1", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(values),         TEST(late_initialization),
        TEST(truth),          TEST(negated),
        TEST(no_reference),   TEST(not_settable),
        TEST(guid),           TEST(rude_start),
        TEST(log_to_the_end), TEST(once_per_process),
        TEST(discard),        TEST(error),
        TEST(init_error),     TEST(pending),
        TEST(pending_error),  TEST(log_names),
        TEST(state),          TEST(no_state),
        TEST(state_lie),      TEST(fatal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
