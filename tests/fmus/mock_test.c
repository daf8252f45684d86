/* SPDX-License-Identifier: MIT
 *
 * Whole runs of FMUs that watch whether each call is one that their state allows (mock.h): with
 * values written and read by hand, states saved and restored, in every mode of the monitor, to the
 * end and broken off. No call of hocket's may be illegal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/fmu.h"
#include "mock_book.h"
#include "rig.h"

#include <stdio.h>

static void release(void *opened) {
    hk_fmu_close(opened);
}

static hk_fmu *fmu;

static void begin(rig *r, int version) {
    char path[512];
    uint32_t index;
    rig_begin(r, "0.1", "1", NULL);
    snprintf(path, sizeof path, "%s/mock%d.fmu", HK_FMU_DIR, version);
    assert_int_equal(hk_fmu_open(r->ctx, path, &fmu), HK_OK);
    hk_model_own(r->model, fmu, release);
    assert_int_equal(
        hk_model_add_component(r->ctx, r->model, "m", hk_fmu_info(fmu), HK_NOWHERE, &index), HK_OK);
    rig_set(r, "m.p", "3");
    rig_set(r, "m.u", "4");
    rig_record(r, "m.y");
    rig_record(r, "m.u");
}

/* The library stays loaded as long as it is held, and with it what it wrote down. */
static mock_book *look(const rig *r, hk_library **ret_held) {
    static const hk_visitor visitor = {.file = "mock", .instance = "mock", .when = ""};
    const char *path;
    hk_arena *arena = hk_arena_create();
    assert_int_equal(hk_fmu_binary(r->ctx, fmu, arena, &path), HK_OK);
    assert_int_equal(hk_library_open(r->ctx, &visitor, path, ret_held), HK_OK);
    hk_arena_destroy(arena);
    mock_book *(*open)(void) = (mock_book * (*)(void)) hk_library_find(*ret_held, "mock_open");
    return open ? open() : NULL; /* a probe has none */
}

static void by_hand(rig *r, int steps) {
    uint32_t component, u, y;
    double value = steps;
    const void *read;
    rig_find(r, "m.u", &component, &u);
    rig_find(r, "m.y", &component, &y);
    assert_int_equal(hk_sim_run_until(r->sim, hk_sim_now(r->sim) + steps), HK_OK);
    hk_access *input = hk_sim_access(r->sim, component, u);
    assert_int_equal(hk_access_write(input, HK_STORE_F64, &value, 1), HK_OK);
    assert_int_equal(hk_access_read(input, &read), HK_OK);
    assert_int_equal(hk_access_read(hk_sim_access(r->sim, component, y), &read), HK_OK);
}

static void whole_runs(void **state) {
    (void)state;
    static const hk_monitor monitors[] = {HK_MONITOR_PHASE, HK_MONITOR_VALUES, HK_MONITOR_OFF};
    for (int version = 1; version <= 3; version++)
        for (int broken_off = 0; broken_off < 2; broken_off++)
            for (size_t i = 0; i < sizeof monitors / sizeof *monitors; i++) {
                rig r;
                hk_library *held;
                hk_snapshot *snapshot = NULL;
                begin(&r, version);
                r.options.monitor = monitors[i];
                r.options.may_go_back = true;
                assert_int_equal(rig_start(&r), HK_OK);
                mock_book *seen = look(&r, &held);
                by_hand(&r, 2);
                assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
                by_hand(&r, 3);
                assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
                if (!broken_off)
                    assert_int_equal(hk_sim_run(r.sim), HK_OK);
                hk_snapshot_destroy(r.sim, snapshot);
                assert_int_equal(seen->illegal, 0);
                rig_end(&r);
                assert_int_equal(seen->illegal, 0);
                assert_true(seen->calls > 15);
                assert_non_null(strstr(seen->newest, "Free"));
                hk_library_close(held);
            }
}

/* A step that is discarded, pending, an error: only what is allowed then. */
static void bad_steps(void **state) {
    (void)state;
    for (int version = 1; version <= 3; version++)
        for (int code = HK_UNIT_DISCARD; code <= HK_UNIT_PENDING; code++)
            for (int ends = 0; ends < 2; ends++) {
                rig r;
                hk_library *held;
                if (code == HK_UNIT_FATAL || (version == 3 && code == HK_UNIT_PENDING))
                    continue;
                begin(&r, version);
                assert_int_equal(rig_start(&r), HK_OK);
                mock_book *seen = look(&r, &held);
                assert_int_equal(hk_sim_run_until(r.sim, 3), HK_OK);
                seen->next = code;
                seen->ends = ends;
                hk_status status = hk_sim_run(r.sim);
                bool good =
                    code == HK_UNIT_PENDING || (version == 2 && code == HK_UNIT_DISCARD && ends);
                assert_int_equal(status == HK_OK, good);
                rig_end(&r);
                assert_int_equal(seen->illegal, 0);
                hk_library_close(held);
            }
}

static void add_probe(rig *r, const char *name, const char *fault) {
    uint32_t index;
    hk_arena *arena = r->model->arena;
    assert_int_equal(
        hk_model_add_component(r->ctx, r->model, name, hk_fmu_info(fmu), HK_NOWHERE, &index),
        HK_OK);
    rig_set(r, hk_arena_printf(arena, "%s.fault", name), fault);
    rig_set(r, hk_arena_printf(arena, "%s.fault_time", name), "0.5");
    rig_set(r, hk_arena_printf(arena, "%s.real_in", name), "2");
    rig_record(r, hk_arena_printf(arena, "%s.state", name));
}

/* Steps that only begin are all begun before one is waited for; so they run at the same time. */
static void pending_steps(void **state) {
    (void)state;
    static const char *const pending = "9", *const fails = "10", *const calm = "0";
    for (int i = 0; i < 4; i++) {
        rig r;
        hk_library *held;
        bool broken = i / 2, rows = i % 2 == 0; /* without them there are bursts */
        rig_begin(&r, "0.1", "1", NULL);
        assert_int_equal(hk_fmu_open(r.ctx, HK_FMU_DIR "/probe.fmu", &fmu), HK_OK);
        hk_model_own(r.model, fmu, release);
        add_probe(&r, "a", pending);
        add_probe(&r, "b", calm);
        add_probe(&r, "c", broken ? fails : pending);
        add_probe(&r, "d", pending);
        r.listener.column_count = rows ? 4 : 0;
        assert_int_equal(rig_start(&r), HK_OK);
        look(&r, &held);
        int (*most)(void) = (int (*)(void))hk_library_find(held, "probe_most_under_way");
        assert_int_equal(hk_sim_run(r.sim), broken ? HK_E_UNIT_FAILED : HK_OK);
        if (i < 3) /* a run that fails leaves one behind */
            assert_int_equal(most(), 3);
        if (broken)
            assert_says(rig_error(&r), "'c': fmi2DoStep from t = 0.5 by 0.1 returned Error");
        for (size_t k = 0; k < 4 && !broken && rows; k++)
            assert_true(rig_f64(&r, 10, k) == rig_f64(&r, 10, 1));
        rig_end(&r);
        hk_library_close(held);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_runs),
        cmocka_unit_test(bad_steps),
        cmocka_unit_test(pending_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
