/* SPDX-License-Identifier: MIT
 *
 * Rates of which everything is stopped: a burst does not end at them, and afterwards all is as if
 * each of their activations had been run. There are no rows between start and end, which would end
 * bursts as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

typedef struct counter {
    double y;
} counter;

static int counter_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((counter *)self)->y += 1;
    return HK_STEP_OK;
}

static const hk_port counter_ports[] = {
    HK_PORT(counter, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type counter_type = {HK_UNIT_TYPE(counter), .ports = counter_ports,
                                          .port_count = 1, .step = counter_step};

typedef struct watcher {
    double u, seen;
} watcher;

static int watcher_step(void *self, double t, double h) {
    (void)t, (void)h;
    watcher *x = self;
    x->seen += x->u;
    return HK_STEP_OK;
}

static const hk_port watcher_ports[] = {
    HK_PORT(watcher, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(watcher, seen, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type watcher_type = {HK_UNIT_TYPE(watcher), .ports = watcher_ports,
                                          .port_count = 2, .step = watcher_step};

enum { FAST, SLOW, WATCHER, START_AT = 401, STOP_AT = 802, END = 1200 };

typedef struct outcome {
    hk_tick second; /* in ticks */
    uint64_t slow, instants;
    double y, seen;
} outcome;

/* Starts the slow one, and stops it again. */
static hk_tick turn(void *user, hk_sim *sim, hk_tick now) {
    bool changed = false;
    outcome *x = user;
    if (now < STOP_AT * x->second) {
        assert_int_equal(hk_sim_start_component(sim, SLOW, &changed), HK_OK);
        assert_int_equal(hk_sim_activations(sim, SLOW), 0);
        assert_int_equal(hk_sim_activations(sim, FAST), START_AT);
        return STOP_AT * x->second;
    }
    assert_int_equal(hk_sim_stop_component(sim, SLOW, &changed), HK_OK);
    x->slow = hk_sim_activations(sim, SLOW);
    return HK_TICK_NEVER;
}

/* The slow one is due every PERIOD, from OFFSET on. */
static outcome sail(const char *period, const char *offset, hk_tick second, bool monitored) {
    rig r;
    outcome x = {.second = second};
    rig_begin(&r, "1", "1200", "1200");
    rig_add(&r, "fast", &counter_type, NULL, NULL);
    rig_add(&r, "slow", &counter_type, period, offset);
    rig_add(&r, "watcher", &watcher_type, NULL, NULL);
    r.model->components[SLOW].inactive = true;
    rig_connect(&r, "slow.y", "watcher.u");
    rig_record(&r, "slow.y");
    rig_record(&r, "watcher.seen");
    r.listener.hook = (hk_hook){turn, &x, START_AT * second};
    r.options.monitor = monitored ? HK_MONITOR_PHASE : HK_MONITOR_OFF;
    assert_int_equal(rig_run(&r), HK_OK); /* the monitor finds no activation that was missed */
    assert_int_equal(hk_sim_activations(r.sim, FAST), END);
    assert_int_equal(hk_sim_activations(r.sim, SLOW), x.slow);
    x.y = rig_f64(&r, r.rows - 1, 0);
    x.seen = rig_f64(&r, r.rows - 1, 1);
    assert_int_equal(r.plan->ticks_per_second, second);
    x.instants = hk_sim_profile(r.sim)->instants;
    rig_end(&r);
    return x;
}

static void passes_by(void **state) {
    (void)state;
    static const struct {
        const char *period, *offset;
        hk_tick second;
        uint64_t slow;     /* activations from START_AT on and before STOP_AT */
        uint64_t instants; /* also those of the slow one alone */
    } cases[] = {
        {"4", NULL, 1, 100, END},         /* 404 ... 800 */
        {"4", "3", 1, 100, END},          /* 403 ... 799 */
        {"100", NULL, 1, 4, END},         /* 500 ... 800 */
        {"2.5", NULL, 2, 160, END + 240}, /* 402.5 ... 800: every other one between two steps */
        {"3", "0.5", 2, 134, END + 400},  /* 401.5 ... 800.5: never at a step of the fast one */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int monitored = 0; monitored < 2; monitored++) {
            outcome x = sail(cases[i].period, cases[i].offset, cases[i].second, monitored);
            assert_int_equal(x.slow, cases[i].slow);
            assert_true(x.y == (double)cases[i].slow);
            assert_true(x.seen > (double)cases[i].slow * (END - STOP_AT));
            assert_int_equal(x.instants, cases[i].instants);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_by)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
