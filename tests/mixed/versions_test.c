/* SPDX-License-Identifier: MIT
 *
 * FMUs of FMI 1.0 and 2.0 in one system: every type of FMI 1.0 goes from one to the other and back,
 * at initialization and while running. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/fmi.h"
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

enum { FMUS_MAX = 4 };
static hk_fmu *fmus[FMUS_MAX];
static size_t fmu_count;
static rig r;

static void add(const char *name, const char *fmu) {
    char path[512];
    uint32_t index;
    snprintf(path, sizeof path, "%s/%s.fmu", HK_FMU_DIR, fmu);
    assert_true(fmu_count < FMUS_MAX);
    assert_int_equal(hk_fmu_open(r.ctx, path, &fmus[fmu_count]), HK_OK);
    assert_int_equal(hk_model_add_component(r.ctx, r.model, name, hk_fmu_info(fmus[fmu_count++]),
                                            HK_NOWHERE, &index),
                     HK_OK);
}

static void connect_all(const char *from, const char *to) {
    static const char *const kinds[] = {"real", "int", "bool", "text"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char out[64], in[64];
        snprintf(out, sizeof out, "%s.%s_out", from, kinds[i]);
        snprintf(in, sizeof in, "%s.%s_in", to, kinds[i]);
        rig_connect(&r, out, in);
    }
}

/* a (FMI 2.0) feeds b (FMI 1.0), which feeds c (FMI 2.0). */
static void chain(const char *middle) {
    rig_begin(&r, "0.25", "1", NULL);
    add("a", "probe");
    add("b", middle);
    add("c", "probe");
    connect_all("a", "b");
    connect_all("b", "c");
    rig_set(&r, "a.real_in", "2");
    rig_set(&r, "a.int_in", "-7");
    rig_set(&r, "a.bool_in", "true");
    rig_set(&r, "a.text_in", "grün");
    rig_set(&r, "b.gain", "3");
    rig_record(&r, "c.real_out");
    rig_record(&r, "c.int_out");
    rig_record(&r, "c.bool_out");
    rig_record(&r, "c.text_out");
    rig_record(&r, "c.state");
    rig_record(&r, "b.start_in");
    rig_record(&r, "b.minus_out");
}

static int end(void **state) {
    (void)state;
    rig_end(&r);
    while (fmu_count)
        hk_fmu_close(fmus[--fmu_count]);
    return 0;
}

static void check_row(size_t row) {
    int32_t number, truth;
    assert_exactly(rig_f64(&r, row, 0), 6);
    memcpy(&number, rig_cell(&r, row, 1), sizeof number);
    memcpy(&truth, rig_cell(&r, row, 2), sizeof truth);
    assert_int_equal(number, -7);
    assert_int_equal(truth, 1);
    assert_string_equal(rig_text(&r, row, 3), "grün");
    assert_exactly(rig_f64(&r, row, 4), 6 * r.times[row]);
    assert_exactly(rig_f64(&r, row, 5), 2); /* what fmiInitializeSlave found in its input */
    assert_exactly(rig_f64(&r, row, 6), -6);
}

static void test_all_types(void **state) {
    (void)state;
    chain("probe1");
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(r.rows, 5);
    for (size_t row = 0; row < r.rows; row++)
        check_row(row);
    assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), 0);
}

static void test_state(void **state) {
    (void)state;
    chain("probe1");
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(hk_snapshot_possible(r.sim, true), HK_OK);
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    size_t rows = r.rows;
    assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
    hk_snapshot_destroy(r.sim, snapshot);
    r.rows = 0;
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    assert_int_equal(r.rows, rows);
    for (size_t row = 0; row < r.rows; row++)
        check_row(row);
}

static void test_no_state(void **state) {
    (void)state;
    chain("probe1_plain");
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(hk_snapshot_possible(r.sim, true), HK_E_UNIT_STATE);
    assert_says(rig_error(&r), "component 'b' (FMI 1.0 co-simulation) cannot serialize its state");
}

int main(void) {
    setenv("HK_NO_CACHE", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_all_types, end),
        cmocka_unit_test_teardown(test_state, end),
        cmocka_unit_test_teardown(test_no_state, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
