/* SPDX-License-Identifier: MIT
 *
 * A loop with one defect, HK_SEED_BUG of seeded.h: the monitor stops the run at once,
 * says what is wrong and what would have been allowed; in careful instants and in fast ones, with
 * one thread and with two. Without the monitor nobody notices. */
#include "system.h"

#include "engine/score.h"

hk_tick hk_seed_from;

/* One system for each way in which the loop goes through a cell. */
enum { MIXERS, ARROWS, TRUCK, TRUCK3, SYSTEMS };
static const struct {
    hk_voice_kind kind;
    bool calls; /* FMUs */
    const char *late, *set, *get;
} systems[SYSTEMS] = {
    [MIXERS] = {VOICE_MIXED, false, "0.03", "", ""},
    [ARROWS] = {VOICE_MEMORY, false, "0.03", "", ""},
    [TRUCK] = {VOICE_REFS, true, "0.003", "fmi2SetReal", "fmi2GetReal"},
    [TRUCK3] = {VOICE_SIZED, true, "0.003", "fmi3SetFloat64", "fmi3GetFloat64"},
};

/* @t stands for the time, @s and @g for the names of a set and a get. */
static const struct {
    const char *text, *hint;
    bool memory; /* shows in systems of native components */
    bool calls;  /* shows in systems of FMUs */
} expected[] = {
    [1] = {"the sets of phase 1 at t = @t s are wrong: @s of 'chassis' was made with the values "
           "for",
           "allowed are: @s of 'chassis'", false, true},
    [2] = {"the gets of phase 1 at t = @t s are wrong: @g of 'chassis' was not made",
           "allowed are: @g of 'chassis'", false, true},
    [3] = {"the steps of phase 1 at t = @t s are wrong: ", "allowed are: ", true, true},
    [4] = {"was to be stepped from t = ", "defect", true, true},
    [5] = {"the gets of phase 1 at t = @t s are wrong: outputs were read after inputs were set, "
           "without a step in between",
           "allowed are: ", true, true},
    [6] = {"the sets of phase 1 at t = @t s are wrong: ", "allowed are: ", true, false},
};

static const char *fill(char text[256], const char *form, int system, const char *time) {
    size_t n = 0;
    for (const char *c = form; *c && n < 255; c++) {
        const char *with = *c != '@'     ? NULL
                           : c[1] == 't' ? time
                           : c[1] == 's' ? systems[system].set
                                         : systems[system].get;
        if (!with)
            text[n++] = *c;
        for (c += with != NULL; with && *with && n < 255;)
            text[n++] = *with++;
    }
    text[n] = '\0';
    return text;
}

static void expect_caught(rig *r, int system, const char *time, bool listed) {
    char text[256];
    assert_int_equal(run_and_tell(r), HK_E_SOUND);
    const hk_diag *d = hk_ctx_diag(r->ctx, hk_ctx_count(r->ctx, HK_NOTE) - 1);
    assert_non_null(strstr(d->text, fill(text, expected[HK_SEED_BUG].text, system, time)));
    assert_non_null(d->hint);
    assert_non_null(strstr(d->hint, fill(text, expected[HK_SEED_BUG].hint, system, time)));
    if (listed && HK_SEED_BUG != 4)
        assert_non_null(strstr(d->hint, "made were: "));
    if (HK_SEED_BUG == 3)
        assert_non_null(strstr(d->text, "was made twice"));
    if (HK_SEED_BUG == 6 && system == MIXERS) {
        assert_non_null(strstr(d->text, "the connection"));
        assert_non_null(strstr(d->text, "brought the value of"));
        assert_non_null(strstr(d->hint, "p.y -> q.a, p.z -> q.b"));
    }
}

static void open_system(rig *r, int system) {
    if (system == MIXERS)
        make_mixers(r, "0.1", NULL);
    else if (system == ARROWS)
        make_arrows(r, "0.1");
    else
        open_package(r, system == TRUCK ? "quarter_truck" : "quarter_truck_fmi3", "0.1");
}

static bool shows(int system) {
    return systems[system].calls ? expected[HK_SEED_BUG].calls : expected[HK_SEED_BUG].memory;
}

/* The first instant is careful, the ones after it are not, and are played from the score. */
static void caught(void **state) {
    (void)state;
    for (int system = 0; system < SYSTEMS; system++)
        for (int late = 0; late < 2; late++) {
            if (!shows(system))
                continue;
            rig r;
            open_system(&r, system);
            hk_seed_from = 0;
            if (late) { /* the ticks are known when the plan is made */
                assert_int_equal(rig_start(&r), HK_OK);
                hk_seed_from = 3 * r.plan->components[0].period;
                assert_int_equal(r.sim->score->voices[0].kind, systems[system].kind);
                rig_end(&r);
                open_system(&r, system);
            }
            expect_caught(&r, system, late ? systems[system].late : "0",
                          systems[system].calls && !late);
            rig_end(&r);
        }
}

static void caught_in_threads(void **state) {
    (void)state;
    for (int system = 0; system < SYSTEMS; system++) {
        rig r;
        hk_seed_from = 0;
        open_system(&r, system);
        r.options.threads = 2;
        r.options.threads_always = true;
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(hk_sim_threads(r.sim), 2);
        hk_seed_from = 3 * r.plan->components[0].period;
        hk_status status = hk_sim_run(r.sim);
        if (shows(system)) /* one of two threads has two of three components, so two sets, too */
            assert_int_equal(status, HK_E_SOUND);
        rig_end(&r);
    }
}

static void missed_without(void **state) {
    (void)state;
    hk_seed_from = 0;
    for (int system = 0; system < SYSTEMS; system++) {
        rig r;
        open_system(&r, system);
        r.options.monitor = HK_MONITOR_OFF;
        hk_status status = run_and_tell(&r);
        bool seen = HK_SEED_BUG == 3 || HK_SEED_BUG == 4; /* by these FMUs themselves */
        if (!systems[system].calls || !seen)
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
    open_system(&r, TRUCK);
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
    for (int system = 0; system < SYSTEMS; system++) {
        rig r;
        open_system(&r, system);
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
