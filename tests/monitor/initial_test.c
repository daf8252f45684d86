/* SPDX-License-Identifier: MIT
 *
 * An exchange of initial values with one defect, HK_SEED_BUG of seeded.h: the monitor
 * stops the run before the first step. Without the monitor nobody notices. */
#include "system.h"

#include "fmi/fmi.h"

hk_tick hk_seed_from;

static const struct {
    const char *text;
    bool memory, calls; /* shows in systems of native components, of FMUs */
} expected[] = {
    [7] = {"not set once and in its place, when initial values are exchanged", true, true},
    [8] = {"not set once and in its place, when initial values are exchanged", true, true},
    [9] = {"not got once and in its place, when initial values are exchanged", false, false},
    [10] = {"has outputs that are not got once after initialization", false, true},
};

static void release(void *fmu) {
    hk_fmu_close(fmu);
}

/* Two probes whose outputs depend on their inputs, in a ring: one group of four nodes, which is
 * gone through several times. */
static void open_loop(rig *r) {
    char path[512];
    hk_fmu *fmu;
    rig_begin(r, "0.1", "0.3", NULL);
    snprintf(path, sizeof path, "%s/probe.fmu", HK_FMU_DIR);
    assert_int_equal(hk_fmu_open(r->ctx, path, &fmu), HK_OK);
    hk_model_own(r->model, fmu, release);
    uint32_t index;
    for (int i = 0; i < 2; i++)
        assert_int_equal(hk_model_add_component(r->ctx, r->model, i ? "b" : "a", hk_fmu_info(fmu),
                                                HK_NOWHERE, &index),
                         HK_OK);
    rig_connect(r, "a.real_out", "b.real_in");
    rig_connect(r, "b.real_out", "a.real_in");
}

enum { MEMORY, CALLS, LOOP, SYSTEMS };

static void open_system(rig *r, int which) {
    if (which == MEMORY)
        make_mixers(r, "0.1", NULL);
    else if (which == CALLS)
        open_package(r, "quarter_truck", "0.1");
    else
        open_loop(r);
}

static bool shows(int which) {
    return which == MEMORY  ? expected[HK_SEED_BUG].memory
           : which == CALLS ? expected[HK_SEED_BUG].calls
                            : true;
}

static void caught(void **state) {
    (void)state;
    hk_seed_from = 0;
    for (int which = 0; which < SYSTEMS; which++) {
        if (!shows(which))
            continue;
        rig r;
        open_system(&r, which);
        assert_int_equal(rig_start(&r), HK_E_SOUND);
        const hk_diag *d = rig_error(&r);
        print_message("%s\n", d->text);
        assert_non_null(strstr(d->text, expected[HK_SEED_BUG].text));
        assert_non_null(strstr(d->text, "at t = 0 s"));
        assert_non_null(strstr(d->hint, "defect"));
        rig_end(&r);
    }
}

static void missed_without(void **state) {
    (void)state;
    hk_seed_from = 0;
    for (int which = 0; which < SYSTEMS; which++) {
        rig r;
        open_system(&r, which);
        r.options.monitor = HK_MONITOR_OFF;
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(hk_sim_soundness(r.sim).calls, 0);
        rig_end(&r);
    }
}

static void nothing_to_catch(void **state) {
    (void)state;
    static const uint64_t calls[SYSTEMS] = {6, 11, 0};
    hk_seed_from = HK_TICK_NEVER;
    for (int which = 0; which < SYSTEMS; which++) {
        rig r;
        open_system(&r, which);
        assert_int_equal(rig_start(&r), HK_OK);
        hk_soundness s = hk_sim_soundness(r.sim);
        if (which == LOOP) /* two passes at least of four calls, and the first gets */
            assert_true(s.calls >= 2 * 4 + 2 && s.phases >= 3);
        else
            assert_int_equal(s.calls, calls[which]);
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caught),
        cmocka_unit_test(missed_without),
        cmocka_unit_test(nothing_to_catch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
