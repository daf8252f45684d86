/* SPDX-License-Identifier: MIT
 *
 * What the monitor accepts: every kind of plan, with one thread and with several, and components
 * that are stopped and started; and that it looked at as many calls as there are. */
#include "system.h"

static hk_soundness run_all(rig *r, hk_monitor monitor, unsigned threads) {
    r->options.monitor = monitor;
    r->options.threads = threads;
    r->options.threads_always = threads > 1;
    assert_int_equal(run_and_tell(r), HK_OK);
    hk_soundness s = hk_sim_soundness(r->sim);
    assert_int_equal(s.monitor, monitor);
    return s;
}

/* Before the first step: both ends of the connections of the truck, and what its three components
 * begin with; of the mixers the inputs, which are copied. */
enum { INITIAL_CALLS = 8 + 3, INITIAL_COPIES = 6 };

static void truck(void **state) {
    (void)state;
    static const char *const packages[] = {"quarter_truck", "quarter_truck_fmi1",
                                           "quarter_truck_fmi3"};
    static const uint64_t phases[] = {3, 9}; /* Gauss-Seidel: three levels */
    for (size_t i = 0; i < 3; i++)
        for (int algorithm = 0; algorithm < 2; algorithm++)
            for (unsigned threads = 1; threads <= 3; threads += 2) {
                rig r;
                open_package(&r, packages[i], "0.5");
                r.algorithm = algorithm ? HK_GAUSS_SEIDEL : HK_JACOBI;
                hk_soundness s = run_all(&r, HK_MONITOR_PHASE, threads);
                assert_int_equal(s.calls, INITIAL_CALLS + 500 * 9);
                if (!algorithm) /* eight ends of connections, and the first gets */
                    assert_int_equal(s.phases, 9 + 500 * phases[0]);
                rig_end(&r);
            }
}

static void rosace(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++)
        for (int monitor = 0; monitor < 2; monitor++) {
            rig r;
            open_package(&r, "r_rosace", "2");
            hk_soundness s = run_all(&r, monitor ? HK_MONITOR_VALUES : HK_MONITOR_PHASE, threads);
            assert_true(s.calls > 10000);
            assert_int_equal(s.values > 0, monitor);
            assert_int_equal(s.unvalued, 0);
            rig_end(&r);
        }
}

/* With a record of rarer rows, so that some gets are made for rows alone. */
static void rows(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        open_package(&r, "quarter_truck", "0.5");
        r.model->experiment.output_interval = rig_seconds("0.02");
        for (size_t c = 0; c < r.model->component_count; c++)
            for (uint32_t v = 0; v < r.model->components[c].info->variable_count; v++) {
                const hk_variable *about = &r.model->components[c].info->variables[v];
                if (about->causality == HK_OUTPUT)
                    r.columns[r.listener.column_count++] = (hk_column){.name = about->name,
                                                                       .component = (uint32_t)c,
                                                                       .variable = v,
                                                                       .type = about->type,
                                                                       .store = about->store};
            }
        hk_soundness s = run_all(&r, HK_MONITOR_PHASE, threads);
        assert_int_equal(r.rows, 26);
        assert_true(s.calls >= 500 * 9);
        rig_end(&r);
    }
}

static void expect_calls(const char *slow, bool in_order, bool values, unsigned threads) {
    rig r;
    make_mixers(&r, "1.005", slow);
    r.algorithm = in_order ? HK_GAUSS_SEIDEL : HK_JACOBI;
    hk_soundness s = run_all(&r, values ? HK_MONITOR_VALUES : HK_MONITOR_PHASE, threads);
    /* A step and two copies for each. */
    uint64_t fast = 101, other = slow ? hk_sim_activations(r.sim, 1) : fast;
    assert_int_equal(s.calls, INITIAL_COPIES + 3 * (2 * fast + other));
    if (values)
        assert_true(s.values > 0);
    rig_end(&r);
}

static void rates(void **state) {
    (void)state;
    static const char *const slow[] = {NULL, "0.02", "0.03", "0.035"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        for (int algorithm = 0; algorithm < 2; algorithm++)
            for (int monitor = 0; monitor < 2; monitor++)
                for (unsigned threads = 1; threads <= 2; threads++)
                    expect_calls(slow[i], algorithm, monitor, threads);
}

typedef struct script {
    int calls;
} script;

static hk_tick stop_and_start(void *user, hk_sim *sim, hk_tick now) {
    script *s = user;
    bool changed;
    if (s->calls % 2 == 0)
        assert_int_equal(hk_sim_stop_component(sim, 1, &changed), HK_OK);
    else
        assert_int_equal(hk_sim_start_component(sim, 1, &changed), HK_OK);
    if (s->calls == 2)
        assert_int_equal(hk_sim_add_fault(sim, 0, &(hk_fault){.kind = HK_FAULT_BIAS, .value = 1}),
                         HK_OK);
    if (s->calls == 4)
        assert_int_equal(hk_sim_clear_faults(sim, 0), HK_OK);
    s->calls++;
    return s->calls < 6 ? now + 1 : HK_TICK_NEVER;
}

static void stopped_and_started(void **state) {
    (void)state;
    for (int calls = 0; calls < 2; calls++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            rig r;
            script s = {0};
            if (calls)
                open_package(&r, "quarter_truck", "0.05");
            else
                make_mixers(&r, "0.5", NULL);
            r.listener.hook = (hk_hook){stop_and_start, &s, 1};
            hk_soundness all = run_all(&r, HK_MONITOR_PHASE, threads);
            assert_int_equal(s.calls, 6);
            assert_int_equal(all.calls, calls ? INITIAL_CALLS + 50 * 9 - 3 * 3
                                              : INITIAL_COPIES + 3 * (3 * 50 - 3));
            rig_end(&r);
        }
}

static void restored(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        rig r;
        hk_snapshot *snapshot = NULL;
        make_mixers(&r, "1", "0.03");
        r.options.threads = threads;
        r.options.threads_always = true;
        assert_int_equal(rig_start(&r), HK_OK);
        hk_tick step = r.plan->components[0].period;
        assert_int_equal(hk_sim_run_until(r.sim, 7 * step), HK_OK);
        assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(hk_sim_run_until(r.sim, 20 * step), HK_OK);
            assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
        }
        assert_int_equal(hk_sim_run(r.sim), HK_OK);
        hk_snapshot_destroy(r.sim, snapshot);
        rig_end(&r);
    }
}

/* The monitor changes nothing. */
static void same_bytes(void **state) {
    (void)state;
    rig runs[3];
    for (int i = 0; i < 3; i++) {
        make_mixers(&runs[i], "0.5", "0.03");
        rig_record(&runs[i], "r.y");
        run_all(&runs[i], (hk_monitor)i, 1);
        assert_int_equal(runs[i].rows, runs[0].rows);
        assert_memory_equal(runs[i].cells, runs[0].cells, runs[0].rows * runs[0].row_size);
    }
    for (int i = 0; i < 3; i++)
        rig_end(&runs[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truck),      cmocka_unit_test(rosace),
        cmocka_unit_test(rows),       cmocka_unit_test(rates),
        cmocka_unit_test(restored),   cmocka_unit_test(stopped_and_started),
        cmocka_unit_test(same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
