/* SPDX-License-Identifier: MIT
 *
 * A loop with one defect, HK_SEED_BUG of src/engine/phase.h: the monitor stops the run at once,
 * says what is wrong and what would have been allowed; in careful instants and in fast ones, with
 * one thread and with two. Without the monitor nobody notices. */
#include "system.h"

hk_tick hk_seed_from;

static const struct {
    const char *text, *hint;
    bool memory; /* shows in systems of native components */
    bool calls;  /* shows in systems of FMUs */
} expected[] = {
    [1] = {"the sets of phase 1 at t = %s s are wrong: fmi2SetReal of 'chassis' was made with the "
           "values for",
           "allowed are: fmi2SetReal of 'chassis'", false, true},
    [2] = {"the gets of phase 1 at t = %s s are wrong: fmi2GetReal of 'chassis' was not made",
           "allowed are: fmi2GetReal of 'chassis'", false, true},
    [3] = {"the steps of phase 1 at t = %s s are wrong: ", "allowed are: ", true, true},
    [4] = {"was to be stepped from t = ", "defect", true, true},
    [5] = {"the gets of phase 1 at t = %s s are wrong: outputs were read after inputs were set, "
           "without a step in between",
           "allowed are: ", true, true},
    [6] = {"the sets of phase 1 at t = %s s are wrong: the connection",
           "allowed are: p.y -> q.a, p.z -> q.b", true, false},
};

static void expect_caught(rig *r, const char *time, bool listed) {
    char text[256];
    assert_int_equal(run_and_tell(r), HK_E_SOUND);
    const hk_diag *d = hk_ctx_diag(r->ctx, hk_ctx_count(r->ctx, HK_NOTE) - 1);
    const char *form = expected[HK_SEED_BUG].text, *at = strstr(form, "%s");
    snprintf(text, sizeof text, "%.*s%s%s", at ? (int)(at - form) : (int)strlen(form), form,
             at ? time : "", at ? at + 2 : "");
    assert_non_null(strstr(d->text, text));
    assert_non_null(d->hint);
    assert_non_null(strstr(d->hint, expected[HK_SEED_BUG].hint));
    if (listed && HK_SEED_BUG != 4)
        assert_non_null(strstr(d->hint, "made were: "));
    if (HK_SEED_BUG == 3)
        assert_non_null(strstr(d->text, "was made twice"));
    if (HK_SEED_BUG == 6)
        assert_non_null(strstr(d->text, "brought the value of"));
}

static void open_system(rig *r, bool calls) {
    if (calls)
        open_package(r, "quarter_truck", "0.1");
    else
        make_mixers(r, "0.1", NULL);
}

static bool shows(bool calls) {
    return calls ? expected[HK_SEED_BUG].calls : expected[HK_SEED_BUG].memory;
}

/* The first instant is careful, the ones after it are not. */
static void caught(void **state) {
    (void)state;
    static const char *const times[2][2] = {{"0", "0.03"}, {"0", "0.003"}};
    for (int calls = 0; calls < 2; calls++)
        for (int late = 0; late < 2; late++) {
            if (!shows(calls))
                continue;
            rig r;
            open_system(&r, calls);
            hk_seed_from = 0;
            if (late) { /* the ticks are known when the plan is made */
                assert_int_equal(rig_start(&r), HK_OK);
                hk_seed_from = 3 * r.plan->components[0].period;
                rig_end(&r);
                open_system(&r, calls);
            }
            expect_caught(&r, times[calls][late], calls && !late);
            rig_end(&r);
        }
}

static void caught_in_threads(void **state) {
    (void)state;
    hk_seed_from = 0;
    for (int calls = 0; calls < 2; calls++) {
        rig r;
        open_system(&r, calls);
        r.options.threads = 2;
        r.options.threads_always = true;
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(hk_sim_threads(r.sim), 2);
        hk_seed_from = 3 * r.plan->components[0].period;
        hk_status status = hk_sim_run(r.sim);
        if (shows(calls)) /* one of two threads has two of three components, so two sets, too */
            assert_int_equal(status, HK_E_SOUND);
        rig_end(&r);
    }
}

static void missed_without(void **state) {
    (void)state;
    hk_seed_from = 0;
    for (int calls = 0; calls < 2; calls++) {
        rig r;
        open_system(&r, calls);
        r.options.monitor = HK_MONITOR_OFF;
        hk_status status = run_and_tell(&r);
        if (!calls || (HK_SEED_BUG != 3 && HK_SEED_BUG != 4)) /* these FMUs see it themselves */
            assert_int_equal(status, HK_OK);
        assert_int_equal(hk_sim_soundness(r.sim).calls, 0);
        rig_end(&r);
    }
}

/* In the debug mode each call is held against the standard, before it is made. */
static void caught_call_by_call(void **state) {
    (void)state;
    if (HK_SEED_BUG != 5)
        skip();
    rig r;
    open_system(&r, true);
    r.options.monitor = HK_MONITOR_VALUES;
    hk_seed_from = 0;
    assert_int_equal(run_and_tell(&r), HK_E_INTERNAL);
    assert_string_equal(rig_error(&r)->text,
                        "component 'chassis': a get is not allowed in the state 'step complete' "
                        "between a set and the next step at t = 0 s");
    rig_end(&r);
}

/* The same build, with the defect further away than the run lasts. */
static void nothing_to_catch(void **state) {
    (void)state;
    hk_seed_from = HK_TICK_NEVER;
    for (int calls = 0; calls < 2; calls++) {
        rig r;
        open_system(&r, calls);
        assert_int_equal(run_and_tell(&r), HK_OK);
        assert_true(hk_sim_soundness(r.sim).calls > 0);
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caught),
        cmocka_unit_test(caught_in_threads),
        cmocka_unit_test(caught_call_by_call),
        cmocka_unit_test(missed_without),
        cmocka_unit_test(nothing_to_catch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
