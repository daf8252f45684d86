/* SPDX-License-Identifier: MIT
 *
 * Whole runs with an FMU of FMI 3.0 whose steps end early, end the simulation, or fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "fmi/fmi.h"
#include "rig.h"

#include <math.h>
#include <stdlib.h>

enum { TIME, STATE, CALLS }; /* columns */

static char log_last[128];

static void take_log(void *user, const char *instance, int status, const char *category,
                     const char *message) {
    (void)user, (void)instance, (void)status, (void)category;
    strncpy(log_last, message, sizeof log_last - 1);
}

/* A probe with a fault from t = 2 on, and steps of 0.25 up to t = 5. */
static void begin(rig *r, const char *fault) {
    hk_fmu *fmu = NULL;
    uint32_t index;
    rig_begin(r, "0.25", "5", NULL);
    assert_int_equal(hk_fmu_open(r->ctx, HK_FMU_DIR "/probe3.fmu", &fmu), HK_OK);
    hk_model_own(r->model, fmu, (void (*)(void *))hk_fmu_close);
    assert_int_equal(
        hk_model_add_component(r->ctx, r->model, "p", hk_fmu_info(fmu), HK_NOWHERE, &index), HK_OK);
    rig_set(r, "p.fault", fault);
    rig_set(r, "p.fault_time", "2");
    rig_set(r, "p.real_in", "3");
    rig_record(r, "p.time");
    rig_record(r, "p.state");
    rig_record(r, "p.calls");
    log_last[0] = '\0';
    hk_fmu_set_log(take_log, NULL);
}

static int calls(const rig *r, size_t row) {
    int32_t value;
    memcpy(&value, rig_cell(r, row, CALLS), sizeof value);
    return value;
}

static void first_rows_are_right(const rig *r, size_t rows) {
    assert_true(r->rows >= rows);
    for (size_t i = 0; i < rows; i++) {
        assert_exactly(r->times[i], 0.25 * (double)i);
        assert_exactly(rig_f64(r, i, TIME), 0.25 * (double)i);
        assert_exactly(rig_f64(r, i, STATE), 0.75 * (double)i);
    }
}

static void rows_are_right(const rig *r, size_t rows) {
    assert_int_equal(r->rows, rows);
    first_rows_are_right(r, rows);
}

static void early_return(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        begin(&r, "6");
        r.options.threads = threads;
        r.options.threads_always = threads > 1;
        assert_int_equal(rig_run(&r), HK_OK);
        assert_null(hk_sim_end_reason(r.sim));
        rows_are_right(&r, 21);
        assert_int_equal(hk_sim_ended_by(r.sim), HK_MAP_NONE);
        assert_true(calls(&r, 20) > 20); /* so there were pieces */
        rig_end(&r);
        assert_string_equal(log_last, "terminated");
    }
}

/* The FMU asks for the end in the middle of the step from t = 2. */
static void terminate(void **state) {
    (void)state;
    rig r;
    begin(&r, "3");
    assert_int_equal(rig_run(&r), HK_OK);
    const char *reason = hk_sim_end_reason(r.sim);
    assert_non_null(reason);
    assert_non_null(strstr(reason, "'p'"));
    assert_non_null(strstr(reason, "t = 2.125 s"));
    assert_int_equal(r.rows, 10);
    first_rows_are_right(&r, 9); /* complete up to there, and its last values */
    assert_exactly(r.times[9], 2.125);
    assert_exactly(rig_f64(&r, 9, TIME), 2.125);
    assert_exactly(rig_f64(&r, 9, STATE), 0.75 * 8.5);
    assert_int_equal(hk_sim_ended_by(r.sim), 0);
    rig_end(&r);
    assert_string_equal(log_last, "terminated");
}

/* The FMU asks for the end when it has done the step from t = 2: where that ends is in the record.
 */
static void terminate_after_step(void **state) {
    (void)state;
    static const char *const intervals[] = {NULL, "0.5"};
    for (size_t i = 0; i < 2; i++) {
        rig r;
        begin(&r, "17");
        if (intervals[i])
            r.model->experiment.output_interval = rig_seconds(intervals[i]);
        assert_int_equal(rig_run(&r), HK_OK);
        const char *reason = hk_sim_end_reason(r.sim);
        assert_non_null(reason);
        assert_non_null(strstr(reason, "t = 2.25 s"));
        if (!i)
            rows_are_right(&r, 10);
        assert_int_equal(r.rows, i ? 5 : 10); /* no row was due */
        rig_end(&r);
        assert_string_equal(log_last, "terminated");
    }
}

static void failures(void **state) {
    (void)state;
    static const struct {
        const char *fault;
        hk_status status;
        const char *text;
    } rows[] = {
        {"4", HK_E_UNIT_FAILED, "fmi3DoStep from t = 2 by 0.25 returned Error"},
        {"2", HK_E_UNIT_DISCARD, "fmi3DoStep from t = 2 by 0.25 returned Discard"},
        {"7", HK_E_UNIT_DISCARD, "from t = 2 by 0.25 returned early at t = 2,"},
        {"8", HK_E_UNIT_DISCARD, "10000 pieces"},
        {"1", HK_E_UNIT_NAN, "'state' is NaN"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r;
        begin(&r, rows[i].fault);
        assert_int_equal(rig_run(&r), rows[i].status);
        assert_says(rig_error(&r), rows[i].text);
        assert_says(rig_error(&r), "'p'");
        rows_are_right(&r, 9); /* the record is complete up to there */
        rig_end(&r);
    }
}

/* An event inside a step, at t = 2.1: the FMU handles it itself, since it may not return early. */
static void event_inside_a_step(void **state) {
    (void)state;
    static const double event = 2.1, rate = 3;
    rig r;
    begin(&r, "19");
    rig_set(&r, "p.fault_time", "2.1");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(r.rows, 21);
    for (size_t i = 0; i < r.rows; i++) {
        double t = 0.25 * (double)i;
        double exact = t < event ? rate * t : rate * event - 3 * rate * (t - event);
        assert_exactly(rig_f64(&r, i, TIME), t);
        assert_true(fabs(rig_f64(&r, i, STATE) - exact) < 1e-12);
    }
    assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), 0);
    rig_end(&r);
}

/* The same, but the FMU leaves the event to event mode whatever it was told: not stepped over. */
static void event_left_to_event_mode(void **state) {
    (void)state;
    rig r;
    begin(&r, "20");
    rig_set(&r, "p.fault_time", "2.1");
    assert_int_equal(rig_run(&r), HK_E_UNIT_FAILED);
    assert_says(rig_error(&r), "'p'");
    assert_says(rig_error(&r), "fmi3DoStep from t = 2 by 0.25 stopped at t = 2.1 and asks for an "
                               "event, but event mode is off");
    rows_are_right(&r, 9);
    rig_end(&r);
}

/* Saved in the middle of a run of early returns, and gone on with in another simulation. */
static void state_file(void **state) {
    (void)state;
    rig one, two;
    hk_snapshot *snapshot = NULL;
    hk_arena *arena = hk_arena_create();
    const char *folder = NULL;
    begin(&one, "6");
    assert_int_equal(hk_folder_temporary(one.ctx, arena, &folder), HK_OK);
    const char *path = hk_path_join(arena, folder, "state.hks");
    assert_int_equal(rig_start(&one), HK_OK);
    assert_int_equal(hk_sim_run_until(one.sim, 11), HK_OK);
    assert_int_equal(hk_sim_save(one.sim, &snapshot), HK_OK);
    assert_int_equal(hk_snapshot_write(one.sim, snapshot, path), HK_OK);
    assert_int_equal(hk_sim_run(one.sim), HK_OK);
    rows_are_right(&one, 21);
    begin(&two, "0"); /* the fault is part of the state */
    assert_int_equal(rig_start(&two), HK_OK);
    hk_snapshot *read = NULL;
    assert_int_equal(hk_snapshot_read(two.sim, path, &read), HK_OK);
    assert_int_equal(hk_sim_restore(two.sim, read), HK_OK);
    assert_int_equal(hk_sim_run(two.sim), HK_OK);
    assert_int_equal(two.rows, 10);
    for (size_t row = 0; row < two.rows; row++)
        assert_memory_equal(rig_cell(&two, row, 0), rig_cell(&one, 11 + row, 0), one.row_size);
    hk_snapshot_destroy(two.sim, read);
    hk_snapshot_destroy(one.sim, snapshot);
    rig_end(&two);
    rig_end(&one);
    hk_folder_remove(folder);
    hk_arena_destroy(arena);
}

int main(void) {
    setenv("HK_NO_CACHE", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(early_return),         cmocka_unit_test(terminate),
        cmocka_unit_test(terminate_after_step), cmocka_unit_test(failures),
        cmocka_unit_test(event_inside_a_step),  cmocka_unit_test(event_left_to_event_mode),
        cmocka_unit_test(state_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
