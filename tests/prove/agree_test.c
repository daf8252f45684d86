/* SPDX-License-Identifier: MIT
 *
 * Three ways to the same verdict: the trace checker, order containment, and spin. On the chemical
 * detector, on plans of our own engine, and on random systems. */
#include "check/check.h"
#include "native/native.h"
#include "plan/plan.h"
#include "sound/sound.h"
#include "ssp/ssp.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sound_rig.h"

static bool spin_accepts(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m) {
    const char *text = hk_sound_promela(arena, s, m);
    assert_non_null(text);
    int errors = sound_spin(text, NULL);
    if (errors < 0)
        fail_msg("spin gave no answer for\n%s", text);
    return errors == 0;
}

/* What the trace checker says: of a sequence to some cycles of it, of a partial order to one of its
 * sequences: the one that order containment shows, if it shows one. */
static bool monitor_accepts(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                            const hk_sound_verdict *contained) {
    if (!contained->holds && m->before) {
        hk_sound_call *trace = HK_NEW_ARRAY(arena, hk_sound_call, contained->trace_count);
        for (size_t i = 0; i < contained->trace_count; i++) {
            trace[i] = contained->trace[i];
            trace[i].h = trace[i].op == HK_OP_STEP ? 0.1 : 0;
        }
        return sound_check(arena, s, trace, contained->trace_count).outcome != HK_SOUND_VIOLATION;
    }
    return sound_monitor(arena, s, sound_sequence(arena, m)).outcome == HK_SOUND_OK;
}

static void expect_all(hk_arena *arena, const hk_sound_system *s, const hk_sound_master *m,
                       bool accepted, const char *what) {
    hk_sound_verdict v = hk_sound_refines(arena, s, m);
    if (v.holds != accepted)
        fail_msg("%s: order containment says %s", what, v.holds ? "yes" : v.why);
    if (monitor_accepts(arena, s, m, &v) != accepted)
        fail_msg("%s: the trace checker does not agree (%s)", what, v.why ? v.why : "holds");
    if (sound_has_spin() && spin_accepts(arena, s, m) != accepted)
        fail_msg("%s: spin does not agree (%s)", what, v.why ? v.why : "holds");
}

/* ---- the detector ---- */

static void test_detector(void **state) { /* X1 */
    (void)state;
    sound_rng rng = {1};
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, false);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    hk_sound_master *ordered = sound_jacobi(arena, s, NULL, true);
    expect_all(arena, s, m, true, "sequence");
    expect_all(arena, s, ordered, true, "one process per FMU");
    for (sound_fault fault = 0; fault < FAULT_COUNT; fault++)
        expect_all(arena, s, sound_mutant(arena, &rng, s, m, fault), false,
                   sound_fault_name(fault));
    expect_all(arena, s, sound_unordered(arena, &rng, ordered, false), false, "no barrier");
    expect_all(arena, s, sound_unordered(arena, &rng, ordered, true), false, "no cycle barrier");
    if (sound_has_spin()) {
        long states = 0;
        assert_int_equal(sound_spin(hk_sound_promela(arena, s, m), &states), 0);
        assert_int_equal(states, 38);
    }
    hk_arena_destroy(arena);
}

/* The nine of the published table: where each is caught, counted in calls. */
static void test_nine_masters(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, false);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    enum { INIT = 8, GETS = 13, SETS = 11, STEPS = 5 };
    hk_sound_call *step = HK_NEW_ARRAY(arena, hk_sound_call, 40), swap;
    hk_sound_call *init = HK_NEW_ARRAY(arena, hk_sound_call, 10);
    for (int k = 0; k < 8; k++) {
        sound_list list = {step, m->step_count};
        hk_sound_master mutant = *m;
        memcpy(step, m->step, m->step_count * sizeof *step);
        memcpy(init, m->init, INIT * sizeof *init);
        if (k == 0) { /* the last get and the first set */
            swap = step[GETS - 1];
            step[GETS - 1] = step[GETS];
            step[GETS] = swap;
        } else if (k == 1) {
            sound_insert(&list, GETS, step[0]);
        } else if (k == 2) {
            sound_remove(&list, GETS - 1);
        } else if (k == 3) {
            sound_remove(&list, GETS + SETS - 1);
        } else if (k == 4) {
            sound_insert(&list, list.count, step[GETS + SETS]);
        } else if (k == 5) {
            sound_insert(&list, GETS, step[GETS + SETS]);
            sound_remove(&list, GETS + SETS + 1);
        } else if (k == 6) {
            sound_insert(&list, 0, init[INIT - 1]);
            mutant.init_count--;
        } else {
            mutant.init_count--;
        }
        mutant.step = step;
        mutant.step_count = list.count;
        hk_sound_verdict v = hk_sound_refines(arena, s, &mutant);
        assert_false(v.holds);
        size_t wanted[] = {INIT + GETS, INIT + GETS + 1, INIT + GETS, INIT + GETS + SETS,
                           INIT + 30,   INIT + GETS + 1, INIT + 30,   INIT};
        assert_int_equal(v.trace_count, wanted[k]);
        expect_all(arena, s, &mutant, false, "one of the nine");
    }
    sound_rng rng = {2}; /* the ninth: a barrier is missing in one thread */
    expect_all(arena, s, sound_unordered(arena, &rng, sound_jacobi(arena, s, NULL, true), false),
               false, "barrier missing in one thread");
    hk_arena_destroy(arena);
}

/* ---- plans of our own engine ---- */

typedef struct planned {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    hk_sound_system *system;
} planned;

static planned plan_of(const char *file) {
    planned p = {.ctx = hk_ctx_create(NULL, NULL)};
    hk_plan_options options = {.algorithm = HK_JACOBI};
    assert_int_equal(hk_ssp_read(p.ctx, file, &p.model), HK_OK);
    assert_int_equal(hk_check_model(p.ctx, p.model), HK_OK);
    hk_experiment *x = &p.model->experiment;
    if (!x->has_step) {
        x->step = (hk_ratio){1, 100};
        x->has_step = true;
    }
    if (!x->has_stop) {
        x->stop = (hk_ratio){1, 1};
        x->has_stop = true;
    }
    assert_int_equal(hk_plan_make(p.ctx, p.model, &options, &p.plan), HK_OK);
    assert_int_equal(hk_sound_from_plan(p.ctx, p.plan, HK_VIEW_CONNECTED, &p.system), HK_OK);
    for (size_t i = 0; i < p.system->instance_count; i++) {
        p.system->instances[i].rate = 1; /* the cycle in which all take part */
        p.system->instances[i].first = 0;
    }
    for (size_t i = 0; i < p.system->port_count; i++)
        p.system->ports[i].converted = false;
    p.system->cycle = 0.1;
    return p;
}

static void finish(planned *p) {
    hk_sound_destroy(p->system);
    hk_plan_destroy(p->plan);
    hk_model_destroy(p->model);
    hk_ctx_destroy(p->ctx);
}

static size_t try_plan(const char *file, uint64_t seed) {
    planned p = plan_of(file);
    sound_rng rng = {seed};
    hk_arena *arena = hk_arena_create();
    hk_sound_master *m = hk_sound_master_of_plan(arena, p.system, p.plan);
    expect_all(arena, p.system, m, true, file);
    expect_all(arena, p.system, sound_sequence(arena, m), true, file);
    size_t made = 0;
    for (sound_fault fault = 0; fault < FAULT_COUNT; fault++) {
        hk_sound_master *mutant =
            sound_mutant(arena, &rng, p.system, sound_sequence(arena, m), fault);
        if (mutant)
            expect_all(arena, p.system, mutant, false, sound_fault_name(fault));
        made += mutant != NULL;
    }
    for (int cycle = 0; cycle < 2; cycle++, made++)
        expect_all(arena, p.system, sound_unordered(arena, &rng, m, cycle), false,
                   sound_fault_name(FAULT_NO_BARRIER + (sound_fault)cycle));
    hk_arena_destroy(arena);
    finish(&p);
    return made;
}

static void test_own_plans(void **state) {
    (void)state;
    size_t made = try_plan(HK_MODEL_DIR "/quarter_truck.ssp", 3);
    made += try_plan(HK_MODEL_DIR "/r_rosace.ssp", 4);
    assert_true(made >= 20);
}

/* ---- random systems ---- */

static void test_random_systems(void **state) {
    (void)state;
    const char *wanted = getenv("HK_SOUND_SYSTEMS");
    size_t count = wanted ? (size_t)atoi(wanted) : 40;
    sound_rng rng = {2026};
    for (size_t i = 0; i < count; i++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_random(arena, &rng, 4, 10);
        hk_sound_master *m = sound_jacobi(arena, s, &rng, i % 2);
        expect_all(arena, s, m, true, "random system");
        hk_sound_master *mutant = NULL;
        sound_fault fault = 0;
        while (!mutant) {
            fault = sound_below(&rng, FAULT_ALL);
            mutant = fault < FAULT_COUNT
                         ? sound_mutant(arena, &rng, s, sound_sequence(arena, m), fault)
                     : m->before ? sound_unordered(arena, &rng, m, fault > FAULT_NO_BARRIER)
                                 : NULL;
        }
        expect_all(arena, s, mutant, false, sound_fault_name(fault));
        hk_arena_destroy(arena);
    }
}

/* ---- exports ---- */

static void test_exports_are_the_same_again(void **state) { /* X3 */
    (void)state;
    hk_arena *a = hk_arena_create(), *b = hk_arena_create();
    hk_sound_system *s = sound_detector(a, true), *t = sound_detector(b, true);
    for (int ordered = 0; ordered < 2; ordered++) {
        hk_sound_master *m = sound_jacobi(a, s, NULL, ordered);
        hk_sound_master *n = sound_jacobi(b, t, NULL, ordered);
        assert_string_equal(hk_sound_promela(a, s, m), hk_sound_promela(b, t, n));
        assert_string_equal(hk_sound_cspm(a, s, m), hk_sound_cspm(b, t, n));
    }
    hk_arena_destroy(a);
    hk_arena_destroy(b);
}

static char *read_all(hk_arena *arena, const char *path) {
    FILE *file = fopen(path, "r");
    char *text = hk_arena_alloc(arena, 1 << 20);
    if (file) {
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

static void test_cspm(void **state) { /* X2 */
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, true);
    const char *text = hk_sound_cspm(arena, s, sound_jacobi(arena, s, NULL, false));
    const char *path = HK_TEST_FOLDER "/expected/detector.csp";
    if (getenv("HK_UPDATE_EXPECTED")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    }
    assert_string_equal(text, read_all(arena, path));
    sound_rng rng = {8};
    for (int i = 0; i < 40; i++) {
        hk_sound_system *r = i ? sound_random(arena, &rng, 4, 10) : s;
        for (int ordered = 0; ordered < 2; ordered++) {
            hk_sound_master *m = sound_jacobi(arena, r, &rng, ordered);
            const char *wrong = hk_sound_cspm_check(arena, hk_sound_cspm(arena, r, m));
            if (wrong)
                fail_msg("%s in\n%s", wrong, hk_sound_cspm(arena, r, m));
            for (sound_fault fault = 0; fault < FAULT_COUNT; fault++) {
                hk_sound_master *mutant =
                    sound_mutant(arena, &rng, r, sound_sequence(arena, m), fault);
                if (mutant)
                    assert_null(hk_sound_cspm_check(arena, hk_sound_cspm(arena, r, mutant)));
            }
        }
    }
    hk_arena_destroy(arena);
}

/* The reader must be able to see a mistake. */
static void test_cspm_reader(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    static const char *const wrong[][2] = {
        {"P = Q\n", "nothing is called 'Q'"},
        {"P = (SKIP\n", "not closed"},
        {"P = SKIP)\n", "not opened"},
        {"P = {| SKIP }\n", "not opened"},
        {"P =\n", "'=' and a body"},
        {"datatype T = A | A\n", "declared twice"},
        {"P(0) = SKIP\nQ = SKIP\nP(1) = SKIP\n", "declared twice"},
        {"channel c : T\n", "nothing is called 'T'"},
        {"P = c!x -> SKIP\n", "nothing is called 'c'"},
        {"channel c : {0..1}\nP = c!x -> SKIP\n", "nothing is called 'x'"},
        {"P = SKIP $ SKIP\n", "no such sign"},
        {"datatype = A\n", "a type has a name"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *error = hk_sound_cspm_check(arena, wrong[i][0]);
        if (!error || !strstr(error, wrong[i][1]))
            fail_msg("%s: '%s'", wrong[i][0], error ? error : "nothing");
    }
    assert_null(hk_sound_cspm_check(arena, "channel c : {0..1}\nP = c?x -> c!x -> P\n"));
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exports_are_the_same_again),
                                       cmocka_unit_test(test_cspm),
                                       cmocka_unit_test(test_cspm_reader),
                                       cmocka_unit_test(test_detector),
                                       cmocka_unit_test(test_nine_masters),
                                       cmocka_unit_test(test_own_plans),
                                       cmocka_unit_test(test_random_systems)};
    if (!sound_has_spin())
        print_message("spin is not installed: its verdicts are left out\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
