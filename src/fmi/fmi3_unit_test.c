/* SPDX-License-Identifier: MIT
 *
 * Instances of the FMUs of FMI 3.0 in tests/fmus, good and bad. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/file.h"
#include "fmi/fmi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAULT_DISCARD = 2,
    FAULT_TERMINATE,
    FAULT_ERROR,
    FAULT_FATAL,
    FAULT_EARLY,
    FAULT_STUCK,
    FAULT_CRUMBS,
    FAULT_BACKWARDS,
    FAULT_SILENT,
    FAULT_LOG_STORM,
    FAULT_INIT_ERROR,
    FAULT_WARNING,
    FAULT_TRUTH,
    FAULT_NULL_BYTES,
    FAULT_FULL,
    FAULT_END_FULL,
    FAULT_BEYOND
};

static hk_ctx *ctx;
static hk_fmu *fmu;
static hk_unit *unit;
static const hk_unit_class *k; /* the class of the instance */
static hk_step_call stepping;

static size_t log_count, log_errors, log_longest;
static char log_last[256], log_instance[64];

static void take_log(void *user, const char *instance, int status, const char *category,
                     const char *message) {
    (void)user;
    (void)category;
    assert_non_null(instance);
    snprintf(log_instance, sizeof log_instance, "%s", instance);
    log_count++;
    log_errors += status == HK_UNIT_ERROR;
    log_longest = strlen(message) > log_longest ? strlen(message) : log_longest;
    snprintf(log_last, sizeof log_last, "%.255s", message);
}

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    log_count = log_errors = log_longest = 0;
    log_last[0] = log_instance[0] = '\0';
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

static void open_fmu(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.fmu", HK_FMU_DIR, name);
    hk_status status = hk_fmu_open(ctx, path, &fmu);
    if (status != HK_OK)
        fail_msg("%s: %s", name, hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
    k = hk_fmu_info(fmu)->unit_class;
}

static hk_status make_of(const hk_info *info, const char *name, hk_unit **ret_unit) {
    return k->open(ctx, info, &(hk_unit_options){.name = name, .start = 0.5}, ret_unit);
}

static hk_status try_open(const char *name) {
    open_fmu(name);
    HK_TRY(make_of(hk_fmu_info(fmu), "probe 1", &unit));
    k->bind_step(unit, &stepping);
    assert_int_equal(stepping.shape, HK_STEP_REPORTED);
    return HK_OK;
}

static uint32_t find(const char *name) {
    uint32_t index = hk_info_find(hk_fmu_info(fmu), name);
    if (index == HK_MAP_NONE)
        fail_msg("no variable '%s'", name);
    return index;
}

static hk_status set(const char *name, const char *text) {
    uint32_t index = find(name);
    const hk_variable *v = &unit->info->variables[index];
    hk_arena *arena = hk_arena_create();
    hk_value value;
    assert_true(hk_value_parse(arena, v->type, v->count, v->enumeration, text, &value));
    hk_status status = k->set_start(ctx, unit, index, &value);
    hk_arena_destroy(arena);
    return status;
}

static void set_int(const char *name, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    assert_int_equal(set(name, text), HK_OK);
}

static int call_now(const hk_call *call) {
    assert_int_equal(call->shape, HK_SHAPE_REFS_SIZED);
    return call->fn.refs_sized(call->self, call->refs, call->n, call->values, call->value_count);
}

static int get(const char *name, void *value) {
    uint32_t index = find(name);
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, &index, 1, value, &call), HK_OK);
    assert_int_equal(call.value_count, unit->info->variables[index].count);
    return call_now(&call);
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
    unsigned char value;
    assert_int_equal(get(name, &value), HK_UNIT_OK);
    return value;
}

/* One step as the engine does it; *ret_time is t + h if nothing needs to be looked at. */
static hk_status step(double t, double h, double *ret_time) {
    hk_step_report *r = stepping.report;
    int code = stepping.fn.reported(stepping.self, t, h, true, (bool *)&r->event_needed,
                                    (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
    hk_stepped end = {HK_OUTCOME_DONE, t + h};
    if (hk_unit_bad(code) || r->terminate || r->early || r->event_needed)
        HK_TRY(k->step_failed(ctx, unit, code, t, h, &end));
    *ret_time = end.time;
    return HK_OK;
}

static void step_well(double t, double h) {
    double end;
    assert_int_equal(step(t, h, &end), HK_OK);
    assert_true(end == t + h);
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
    assert_int_equal(try_open("probe3"), HK_OK);
    assert_int_equal(set("real_in", "-0.5"), HK_OK);
    assert_int_equal(set("gain", "4"), HK_OK);
    set_int("also_int_in", -7); /* an alias is as good as the variable */
    assert_int_equal(set("enum_in", "far"), HK_OK);
    assert_int_equal(set("bool_in", "true"), HK_OK);
    assert_int_equal(set("text_in", "gr\xc3\xbc\xc3\x9f Gott"), HK_OK);
    assert_int_equal(set("blob_in", "00ff0041"), HK_OK);
    initialise();
    assert_true(get_real("time") == 0.5);
    assert_true(get_real("real_out") == -2);
    assert_int_equal(get_int("int_out"), -7);
    int64_t choice;
    assert_int_equal(get("enum_out", &choice), HK_UNIT_OK);
    assert_true(choice == INT64_C(4611686018427387904));
    assert_int_equal(get_truth("bool_out"), 1);
    hk_bytes bytes;
    assert_int_equal(get("text_out", &bytes), HK_UNIT_OK);
    assert_int_equal(bytes.size, 11);
    assert_string_equal(bytes.data, "gr\xc3\xbc\xc3\x9f Gott");
    assert_int_equal(get("blob_out", &bytes), HK_UNIT_OK);
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "\0\xff\0A", 4);
    step_well(0.5, 1);
    assert_true(get_real("state") == -0.5);
    assert_true(get_real("time") == 1.5);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
    assert_string_equal(log_last, "terminated");
    assert_int_equal(log_errors, 0);
}

/* How the instance was made. */
static void test_instantiation(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    assert_int_equal(get_truth("early_allowed"), 0); /* since event mode is off */
    assert_int_equal(get_truth("event_mode"), 0);
    assert_int_equal(get_truth("has_log"), 1);
    hk_bytes path;
    assert_int_equal(get("resources", &path), HK_UNIT_OK);
    const char *text = path.data, *end = "/resources/";
    assert_int_equal(text[0], '/');
    assert_string_equal(text + path.size - strlen(end), end);
    hk_arena *arena = hk_arena_create();
    assert_true(hk_file_exists(hk_path_join(arena, text, "note.txt")));
    hk_arena_destroy(arena);
}

/* Texts and binary values mixed in one call keep their places; the texts are wiped by the probe as
 * soon as the binary values are asked for. */
static void test_mixed_bytes(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    initialise();
    uint32_t in[] = {find("blob_in"), find("text_in")};
    hk_bytes given[] = {{"a\0b", 3}, {"text", 4}};
    hk_call put, take;
    assert_int_equal(k->bind_set(ctx, unit, in, 2, given, &put), HK_OK);
    assert_int_equal(call_now(&put), HK_UNIT_OK);
    uint32_t out[] = {find("text_out"), find("blob_out"), find("label"), find("blob_in"),
                      find("text_in")};
    hk_bytes taken[5];
    assert_int_equal(k->bind_get(ctx, unit, out, 5, taken, &take), HK_OK);
    assert_int_equal(call_now(&take), HK_UNIT_OK);
    for (int i = 0; i < 5; i += 4) {
        assert_int_equal(taken[i].size, 4);
        assert_string_equal(taken[i].data, "text");
    }
    for (int i = 1; i < 5; i += 2) {
        assert_int_equal(taken[i].size, 3);
        assert_memory_equal(taken[i].data, "a\0b", 3);
    }
    assert_int_equal(taken[2].size, 0); /* the probe's own start value */
    uint64_t before = hk_alloc_count();
    for (int i = 0; i < 100; i++) {
        assert_int_equal(call_now(&put), HK_UNIT_OK);
        assert_int_equal(call_now(&take), HK_UNIT_OK);
    }
    assert_true(hk_alloc_count() == before);
    given[0] = given[1] = (hk_bytes){NULL, 0};
    assert_int_equal(call_now(&put), HK_UNIT_OK);
    assert_int_equal(call_now(&take), HK_UNIT_OK);
    for (int i = 0; i < 5; i++) {
        assert_non_null(taken[i].data);
        assert_int_equal(taken[i].size, 0);
    }
}

static void test_null_bytes(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    set_int("fault", FAULT_NULL_BYTES);
    assert_int_equal(set("blob_in", "0102"), HK_OK);
    initialise();
    uint32_t out[] = {find("text_out"), find("blob_out")};
    hk_bytes taken[2];
    hk_call take;
    assert_int_equal(k->bind_get(ctx, unit, out, 2, taken, &take), HK_OK);
    assert_int_equal(call_now(&take), HK_UNIT_OK);
    assert_string_equal(taken[0].data, "");
    assert_non_null(taken[1].data);
    assert_int_equal(taken[0].size + taken[1].size, 0);
}

static void test_truth(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    set_int("fault", FAULT_TRUTH);
    assert_int_equal(set("bool_in", "true"), HK_OK);
    initialise();
    assert_int_equal(get_truth("bool_out"), 1);
}

static void test_not_settable(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    assert_int_equal(set("real_out", "1"), HK_E_PARAMETER);
    said("real_out");
    assert_int_equal(set("time", "1"), HK_E_PARAMETER);
}

static void test_token(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3_wrong_token"), HK_E_FMU_INSTANTIATE);
    assert_null(unit);
    said("fmi3InstantiateCoSimulation");
    said("with the token '{another}'");
    said("this library has another token");
}

/* Log messages without anything in them, and a library that says it is of another version. */
static void test_rude_start(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3_rude"), HK_OK);
    assert_int_equal(log_count, 4);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 1);
    said("fmi3GetVersion says '2.0'");
    set_int("fault", FAULT_ERROR);
    initialise();
    double end;
    assert_int_equal(step(0, 1, &end), HK_E_UNIT_FAILED);
    said("the solver gave up"); /* and not what came with a status that FMI does not know */
}

static void test_missing_symbol(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3_no_dostep"), HK_E_FMU_LOAD);
    said("fmi3DoStep");
}

static void test_missing_optional(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3_no_binary"), HK_OK);
    uint32_t both[] = {find("text_out"), find("blob_out")};
    hk_bytes bytes[2];
    hk_call call;
    assert_int_equal(k->bind_get(ctx, unit, both, 2, bytes, &call), HK_E_FMU_LOAD);
    said("fmi3GetBinary");
    assert_int_equal(k->bind_get(ctx, unit, both, 1, bytes, &call), HK_OK);
    assert_int_equal(set("blob_in", "01"), HK_E_FMU_LOAD);
    said("fmi3SetBinary");
    initialise();
    step_well(0, 1);
}

static void test_clock(void **state) {
    (void)state;
    open_fmu("probe3_clock");
    assert_int_equal(k->can_open(ctx, hk_fmu_info(fmu)), HK_E_FMI_UNSUPPORTED);
    said("'tick'");
    assert_true(hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->where.line > 0);
    hk_fmu_close(fmu);
    open_fmu("probe3");
    assert_int_equal(k->can_open(ctx, hk_fmu_info(fmu)), HK_OK);
}

static void open_with_fault(const char *name, int fault) {
    assert_int_equal(try_open(name), HK_OK);
    set_int("fault", fault);
    assert_int_equal(set("fault_time", "1"), HK_OK);
    assert_int_equal(set("real_in", "2"), HK_OK);
    initialise();
    step_well(0, 1);
}

static void test_discard(void **state) {
    (void)state;
    double end;
    open_with_fault("probe3", FAULT_DISCARD);
    assert_int_equal(step(1, 0.5, &end), HK_E_UNIT_DISCARD);
    said("'probe 1'");
    said("fmi3DoStep from t = 1 by 0.5 returned Discard");
    assert_true(get_real("time") == 1);
    assert_int_equal(k->terminate(ctx, unit), HK_OK); /* nothing has happened */
    assert_int_equal(log_errors, 0);
}

static void test_terminate(void **state) {
    (void)state;
    double end;
    open_with_fault("probe3", FAULT_TERMINATE);
    assert_int_equal(step(1, 1, &end), HK_OK);
    assert_true(end == 1.5);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
    assert_string_equal(log_last, "terminated");
}

/* The step is complete, and the end is asked for all the same. */
static void test_terminate_at_the_end(void **state) {
    (void)state;
    double end;
    open_with_fault("probe3", FAULT_END_FULL);
    assert_int_equal(step(1, 1, &end), HK_OK);
    assert_true(end == 2);
}

static void test_early(void **state) {
    (void)state;
    open_with_fault("probe3", FAULT_EARLY);
    for (int i = 0; i < 10; i++)
        step_well(1 + i, 1);
    assert_true(get_real("time") == 11);
    assert_true(get_real("state") == 22);
    assert_true(get_int("calls") > 12);              /* so some steps were done in pieces */
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1); /* it was told not to */
    said("fmi3DoStep from t = 2 by 1 returned early at t = 2.5, which is not allowed");
    assert_int_equal(log_errors, 0);
}

static void test_early_but_complete(void **state) {
    (void)state;
    open_with_fault("probe3", FAULT_FULL);
    step_well(1, 1);
    step_well(2, 1);
    assert_int_equal(get_int("calls"), 3);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1); /* once for both steps */
    said("fmi3DoStep from t = 1 by 1 asks for an event, but event mode is off");
}

static void test_beyond_the_end(void **state) {
    (void)state;
    open_with_fault("probe3", FAULT_BEYOND);
    step_well(1, 1);
    step_well(2, 1);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    said("fmi3DoStep from t = 1 by 1 says it came to t = 3, beyond its end");
}

static void test_no_progress(void **state) {
    (void)state;
    static const struct {
        const char *fmu;
        int fault;
        const char *why, *at;
    } rows[] = {
        {"probe3", FAULT_STUCK, "any further", "at t = 1,"},
        {"probe3", FAULT_BACKWARDS, "any further", "at t = 0.5,"},
        {"probe3", FAULT_CRUMBS, "10000 pieces", "from t = 1 by 0.5"},
        {"probe3_fixed_step", FAULT_EARLY, "another length", "at t = 1.25,"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double end = -1;
        open_with_fault(rows[i].fmu, rows[i].fault);
        if (rows[i].fault == FAULT_EARLY) {
            step_well(1, 0); /* the next call is an odd one */
        }
        assert_int_equal(step(1, 0.5, &end), HK_E_UNIT_DISCARD);
        said(rows[i].why);
        said(rows[i].at);
        assert_int_equal(k->terminate(ctx, unit), HK_OK);
        k->close(unit);
        unit = NULL;
        hk_fmu_close(fmu);
        fmu = NULL;
    }
    assert_int_equal(log_errors, 0);
}

/* An FMU that writes no report, after one that was used. */
static void test_silent(void **state) {
    (void)state;
    open_with_fault("probe3", FAULT_FULL);
    step_well(1, 1);
    step_well(2, 1);
    assert_true(!stepping.report->early);
    uint32_t fault = find("fault");
    int32_t silent = FAULT_SILENT;
    hk_call call;
    assert_int_equal(k->bind_set(ctx, unit, &fault, 1, &silent, &call), HK_OK);
    assert_int_equal(call_now(&call), HK_UNIT_OK);
    step_well(3, 1);
    step_well(4, 1);
    assert_true(get_real("time") == 5);
}

static void test_error(void **state) {
    (void)state;
    double end;
    open_with_fault("probe3", FAULT_ERROR);
    assert_int_equal(step(1, 1, &end), HK_E_UNIT_FAILED);
    said("fmi3DoStep from t = 1 by 1 returned Error");
    said("the solver gave up");
    assert_int_equal(log_errors, 1); /* shown, although no log was asked for */
    assert_true(get_real("time") == 1);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
    k->close(unit);
    unit = NULL;
    assert_int_equal(log_errors, 1); /* Terminate was not called: the probe would complain */
    assert_string_equal(log_instance, "probe 1");
}

static void test_error_then_restore(void **state) {
    (void)state;
    double end;
    void *saved = NULL;
    open_with_fault("probe3", FAULT_ERROR);
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_OK);
    assert_int_equal(step(1, 1, &end), HK_E_UNIT_FAILED);
    assert_int_equal(k->state_set(ctx, unit, saved), HK_OK);
    k->state_free(unit, saved);
    assert_true(get_real("time") == 1);
    assert_int_equal(k->terminate(ctx, unit), HK_OK);
    assert_string_equal(log_last, "terminated");
}

static void test_init_error(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    set_int("fault", FAULT_INIT_ERROR);
    assert_int_equal(k->enter_init(ctx, unit), HK_OK);
    assert_int_equal(k->exit_init(ctx, unit), HK_E_UNIT_FAILED);
    said("fmi3ExitInitializationMode");
    said("no initial solution");
}

/* References become names, what names nothing stays, and a message is not a format. */
static void test_log_names(void **state) {
    (void)state;
    double end;
    open_with_fault("probe3", FAULT_WARNING);
    assert_int_equal(step(1, 1, &end), HK_OK);
    assert_string_equal(log_last, "gain and enum_in are near #99#, # and 100%s #");
    assert_string_equal(log_instance, "probe 1");
}

static void test_log_storm(void **state) {
    (void)state;
    open_with_fault("probe3", FAULT_LOG_STORM);
    step_well(1, 1);
    assert_int_equal(log_count, 200);
    assert_string_equal(log_last, "one of %s %d many");
    k->close(unit);
    unit = NULL;
    assert_string_equal(log_last, "802 more messages of this instance were held back");
    assert_true(log_longest < 8192);
}

static void test_state(void **state) {
    (void)state;
    assert_int_equal(try_open("probe3"), HK_OK);
    assert_int_equal(set("real_in", "2"), HK_OK);
    initialise();
    step_well(0, 1);
    void *saved = NULL, *loaded = NULL;
    char *bytes;
    size_t size;
    assert_int_equal(k->state_get(ctx, unit, &saved), HK_OK);
    assert_int_equal(k->state_save(ctx, unit, saved, &bytes, &size), HK_OK);
    step_well(1, 1);
    assert_true(get_real("state") == 4);
    assert_int_equal(k->state_set(ctx, unit, saved), HK_OK);
    assert_true(get_real("state") == 2);
    k->state_free(unit, saved);
    assert_int_equal(k->state_load(ctx, unit, bytes, size, &loaded), HK_OK);
    step_well(1, 1);
    assert_int_equal(k->state_set(ctx, unit, loaded), HK_OK);
    assert_true(get_real("state") == 2);
    k->state_free(unit, loaded);
    assert_int_equal(k->state_load(ctx, unit, bytes, size - 1, &loaded), HK_E_UNIT_FAILED);
    said("fmi3DeserializeFMUState");
    said("wrong size");
    hk_free(bytes);
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

static void test_arrays(void **state) {
    (void)state;
    assert_int_equal(try_open("feedthrough3"), HK_OK);
    double numbers[6];
    hk_bytes texts[6];
    assert_int_equal(set("float64_matrix_in", "1 -2 3.5 4 5 6"), HK_OK);
    assert_int_equal(set("string_sized_in", "same"), HK_OK);
    assert_int_equal(set("float64_vector_parameter", "9 8 7 6 5"), HK_OK);
    initialise();
    assert_int_equal(get("float64_vector_parameter", numbers), HK_UNIT_OK);
    assert_true(numbers[0] == 9 && numbers[4] == 5);
    step_well(0, 1);
    assert_int_equal(get("float64_matrix_out", numbers), HK_UNIT_OK);
    assert_true(numbers[0] == 1 && numbers[1] == -2 && numbers[2] == 3.5 && numbers[5] == 6);
    assert_int_equal(get("string_sized_out", texts), HK_UNIT_OK);
    for (int i = 0; i < 3; i++)
        assert_string_equal(texts[i].data, "same");
    /* Variables of several sizes in one call. */
    uint32_t three[] = {find("int16_vector_in"), find("int16_in"), find("int16_sized_in")};
    int16_t given[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, taken[9] = {0};
    hk_call call;
    assert_int_equal(k->bind_set(ctx, unit, three, 3, given, &call), HK_OK);
    assert_int_equal(call.value_count, 9);
    assert_int_equal(call_now(&call), HK_UNIT_OK);
    step_well(1, 1);
    uint32_t outs[] = {find("int16_vector_out"), find("int16_out"), find("int16_sized_out")};
    assert_int_equal(k->bind_get(ctx, unit, outs, 3, taken, &call), HK_OK);
    assert_int_equal(call_now(&call), HK_UNIT_OK);
    assert_memory_equal(given, taken, sizeof given);
    assert_int_equal(log_errors, 0);
}

static void test_structural(void **state) {
    (void)state;
    open_fmu("feedthrough3");
    uint32_t n = find("n");
    uint64_t size = 7;
    hk_value value = {HK_TYPE_U64, 1, &size};
    const hk_info *info = NULL;
    assert_int_equal(k->resize(ctx, hk_fmu_info(fmu), &n, &value, 1, &info), HK_OK);
    assert_int_equal(make_of(info, "seven", &unit), HK_OK);
    k->bind_step(unit, &stepping);
    uint64_t seen = 0;
    assert_int_equal(get("n", &seen), HK_UNIT_OK);
    assert_int_equal(seen, 7);
    /* The start values were given again to what has another size. */
    float numbers[7] = {0};
    assert_int_equal(get("float32_sized_in", numbers), HK_UNIT_OK);
    for (int i = 0; i < 7; i++)
        assert_true(numbers[i] == 1.0F);
    hk_bytes texts[7];
    assert_int_equal(get("string_sized_parameter", texts), HK_UNIT_OK);
    for (int i = 0; i < 7; i++)
        assert_string_equal(texts[i].data, "one");
    assert_int_equal(k->set_start(ctx, unit, n, &value), HK_OK); /* it is that already */
    assert_int_equal(set("float32_sized_in", "7 6 5 4 3 2 1"), HK_OK);
    initialise();
    step_well(0, 1);
    assert_int_equal(get("float32_sized_out", numbers), HK_UNIT_OK);
    assert_true(numbers[0] == 7.0F && numbers[6] == 1.0F);
    size = 8;
    assert_int_equal(k->set_start(ctx, unit, n, &value), HK_E_PARAMETER);
    said("structural parameter");
    assert_int_equal(log_errors, 0);
}

/* Must be the last: after it, nothing of this library may be used in this process. */
static void test_fatal(void **state) {
    (void)state;
    double end;
    open_with_fault("probe3", FAULT_FATAL);
    hk_unit *other = NULL;
    assert_int_equal(make_of(hk_fmu_info(fmu), "other", &other), HK_OK);
    assert_int_equal(step(1, 1, &end), HK_E_UNIT_FAILED);
    said("returned Fatal");
    assert_int_equal(k->enter_init(ctx, other), HK_E_UNIT_FAILED);
    said("'other'");
    k->close(other);
}

int main(void) {
    setenv("HK_NO_CACHE", "1", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(values),         TEST(instantiation),
        TEST(mixed_bytes),    TEST(null_bytes),
        TEST(truth),          TEST(not_settable),
        TEST(token),          TEST(rude_start),
        TEST(missing_symbol), TEST(missing_optional),
        TEST(clock),          TEST(discard),
        TEST(terminate),      TEST(terminate_at_the_end),
        TEST(early),          TEST(early_but_complete),
        TEST(early),          TEST(beyond_the_end),
        TEST(no_progress),    TEST(silent),
        TEST(error),          TEST(error_then_restore),
        TEST(init_error),     TEST(log_names),
        TEST(log_storm),      TEST(state),
        TEST(arrays),         TEST(structural),
        TEST(fatal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
