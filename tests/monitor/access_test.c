/* SPDX-License-Identifier: MIT
 *
 * FMI allows no get between a set and the next step. What a program writes by hand waits for that
 * step; until then it is read where it waits, and the instance is not called. */
#include "system.h"

#include "fmi/fmi.h"

static hk_fmu *fmu;

static void start_probe(rig *r) {
    uint32_t index;
    rig_begin(r, "0.25", "2", NULL);
    assert_int_equal(hk_fmu_open(r->ctx, HK_FMU_DIR "/probe.fmu", &fmu), HK_OK);
    assert_int_equal(
        hk_model_add_component(r->ctx, r->model, "a", hk_fmu_info(fmu), HK_NOWHERE, &index), HK_OK);
    assert_int_equal(rig_start(r), HK_OK);
}

static hk_access *find(rig *r, const char *path) {
    uint32_t c, v;
    rig_find(r, path, &c, &v);
    return hk_sim_access(r->sim, c, v);
}

static double read_one(hk_access *a) {
    const void *data = NULL;
    assert_int_equal(hk_access_read(a, &data), HK_OK);
    return *(const double *)data;
}

static void end_probe(rig *r) {
    rig_end(r);
    hk_fmu_close(fmu);
}

static void waits_for_the_step(void **state) {
    (void)state;
    rig r;
    start_probe(&r);
    hk_access *in = find(&r, "a.real_in"), *out = find(&r, "a.real_out");
    hk_tick step = r.plan->components[0].period;
    assert_int_equal(hk_sim_run_until(r.sim, step), HK_OK);
    double before = read_one(out), value = 5;
    assert_int_equal(hk_access_write(in, HK_STORE_F64, &value, 1), HK_OK);
    assert_true(read_one(in) == 5);
    assert_true(read_one(out) == before); /* a call, and no set has been made yet */
    assert_int_equal(hk_sim_run_until(r.sim, 2 * step), HK_OK);
    assert_true(read_one(in) == 5);
    assert_true(read_one(out) != before);
    end_probe(&r);
}

/* A state holds what was written, so the set is made before its time; then nothing may be read. */
static void refused_after_a_set(void **state) {
    (void)state;
    rig r;
    const void *data;
    hk_snapshot *snapshot = NULL;
    start_probe(&r);
    hk_access *in = find(&r, "a.real_in"), *out = find(&r, "a.real_out");
    hk_tick step = r.plan->components[0].period;
    assert_int_equal(hk_sim_run_until(r.sim, step), HK_OK);
    double value = 7;
    assert_int_equal(hk_access_write(in, HK_STORE_F64, &value, 1), HK_OK);
    assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
    assert_int_equal(hk_access_read(out, &data), HK_E_UNIT_STATE);
    assert_int_equal(hk_sim_run_until(r.sim, 2 * step), HK_OK);
    double after = read_one(out);
    assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 2 * step), HK_OK);
    assert_true(read_one(out) == after);
    hk_snapshot_destroy(r.sim, snapshot);
    end_probe(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_the_step),
        cmocka_unit_test(refused_after_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
