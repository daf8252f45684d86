/* SPDX-License-Identifier: MIT
 *
 * Masters that must be accepted and masters that must not, as descriptions and as traces. */
#include "sound/spec.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sound_rig.h"

static void test_original_is_accepted(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, true);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    hk_sound_verdict v = hk_sound_refines(arena, s, m, 1);
    assert_true(v.holds);
    assert_null(v.why);
    assert_true(hk_sound_refines(arena, s, sound_jacobi(arena, s, NULL, true), 1).holds);
    assert_int_equal(sound_monitor(arena, s, m).outcome, HK_SOUND_OK);
    hk_arena_destroy(arena);
}

/* Any order within the phases, any batching (a bulk call is the sequence of its calls). */
static void test_permutations_are_accepted(void **state) {
    (void)state;
    sound_rng rng = {7};
    for (int i = 0; i < 50; i++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_detector(arena, i % 2);
        hk_sound_master *m = sound_jacobi(arena, s, &rng, false);
        assert_true(hk_sound_refines(arena, s, m, 1).holds);
        assert_int_equal(sound_monitor(arena, s, m).outcome, HK_SOUND_OK);
        hk_arena_destroy(arena);
    }
}

/* One thread per FMU: its own calls in sequence, all threads at the barriers. A pool: each call
 * goes to a thread by chance. */
static void test_threads_are_accepted(void **state) {
    (void)state;
    sound_rng rng = {9};
    for (int round = 0; round < 20; round++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_detector(arena, false);
        hk_sound_master *m = sound_jacobi(arena, s, &rng, true);
        const uint32_t **before = HK_NEW_ARRAY(arena, const uint32_t *, m->step_count);
        size_t *counts = HK_NEW_ARRAY(arena, size_t, m->step_count);
        uint32_t *thread = HK_NEW_ARRAY(arena, uint32_t, m->step_count);
        for (uint32_t i = 0; i < m->step_count; i++) {
            thread[i] = round ? sound_below(&rng, 4) : m->step[i].instance;
            uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, m->step_count);
            for (uint32_t k = 0; k < i; k++)
                if (k < m->before_count[i] || thread[k] == thread[i])
                    list[counts[i]++] = k;
            before[i] = list;
        }
        m->before = before;
        m->before_count = counts;
        assert_true(hk_sound_refines(arena, s, m, 1).holds);
        hk_arena_destroy(arena);
    }
}

/* A trace is minimal if all of it but the last call is allowed. TIMED: what is wrong is the time of
 * that one. */
static void expect_minimal(hk_arena *arena, const hk_sound_system *s, const hk_sound_verdict *v,
                           bool timed) {
    assert_true(v->trace_count > 0);
    const hk_spec *spec = hk_spec_make(arena, s, HK_VIEW_STRICT, false);
    hk_spec_state now = hk_spec_start(arena, spec);
    for (size_t i = 0; i + 1 < v->trace_count; i++)
        assert_true(hk_spec_take(spec, &now, &v->trace[i]));
    const hk_sound_call *last = &v->trace[v->trace_count - 1];
    bool routed = !hk_spec_misrouted(arena, s, last);
    assert_int_equal(hk_spec_take(spec, &now, last) && routed, timed);
}

static const char *expected_word(sound_fault fault) {
    switch (fault) {
    case FAULT_TWO_GETS:
    case FAULT_TWO_SETS:
    case FAULT_TWO_STEPS:
        return "";
    case FAULT_WRONG_SOURCE:
        return "instead of";
    case FAULT_STALE:
        return "of the cycle before";
    case FAULT_OTHER_STEP:
        return "others step by";
    case FAULT_EMPTY_STEP:
        return "by 0: a step is longer than 0";
    case FAULT_TIME_STANDS:
        return "time has not advanced";
    default:
        return "still due";
    }
}

static void test_mutants_are_rejected(void **state) { /* 4.3, descriptions and traces */
    (void)state;
    sound_rng rng = {11};
    size_t made = 0;
    for (int round = 0; round < 10; round++)
        for (sound_fault fault = 0; fault < FAULT_COUNT; fault++) {
            hk_arena *arena = hk_arena_create();
            hk_sound_system *s = sound_detector(arena, round % 2);
            hk_sound_master *m = sound_jacobi(arena, s, &rng, false);
            hk_sound_master *mutant = sound_mutant(arena, &rng, s, m, fault);
            assert_non_null(mutant);
            hk_sound_verdict v = hk_sound_refines(arena, s, mutant, 1);
            if (v.holds)
                fail_msg("accepted: %s", sound_fault_name(fault));
            assert_non_null(strstr(v.why, expected_word(fault)));
            expect_minimal(arena, s, &v, fault >= FAULT_OTHER_STEP && fault <= FAULT_TIME_STANDS);
            v = sound_monitor(arena, s, mutant);
            if (v.outcome != HK_SOUND_VIOLATION)
                fail_msg("trace accepted: %s", sound_fault_name(fault));
            made++;
            hk_arena_destroy(arena);
        }
    assert_int_equal(made, 10 * FAULT_COUNT);
}

static void test_init_in_the_loop_shows_in_the_second_cycle(void **state) {
    (void)state;
    sound_rng rng = {3};
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, false);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    hk_sound_master *mutant = sound_mutant(arena, &rng, s, m, FAULT_INIT_IN_LOOP);
    hk_sound_verdict v = hk_sound_refines(arena, s, mutant, 1);
    assert_false(v.holds);
    assert_int_equal(v.trace_count, 8 + 29 + 1);
    hk_arena_destroy(arena);
}

static void test_missing_barriers_are_found(void **state) {
    (void)state;
    sound_rng rng = {13};
    for (int round = 0; round < 40; round++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_detector(arena, false);
        hk_sound_master *m = sound_jacobi(arena, s, &rng, true);
        hk_sound_master *mutant = sound_unordered(arena, &rng, m, round % 2);
        hk_sound_verdict v = hk_sound_refines(arena, s, mutant, 1);
        assert_false(v.holds);
        assert_non_null(strstr(v.why, "unordered"));
        expect_minimal(arena, s, &v, false);
        assert_int_equal(sound_check(arena, s, v.trace, v.trace_count).outcome, HK_SOUND_VIOLATION);
        hk_arena_destroy(arena);
    }
}

/* Order containment against what it stands for: every sequence that fits the order. */
static bool all_sequences(hk_arena *arena, const hk_spec *spec, const hk_sound_master *m,
                          uint32_t done, const hk_spec_state *at) {
    for (uint32_t i = 0; i < m->step_count; i++) {
        bool ready = !(done >> i & 1);
        for (size_t k = 0; k < m->before_count[i] && ready; k++)
            ready = done >> m->before[i][k] & 1;
        if (!ready)
            continue;
        hk_spec_state next = hk_spec_start(arena, spec);
        hk_spec_copy(spec, &next, at);
        if (!hk_spec_take(spec, &next, &m->step[i]) ||
            !all_sequences(arena, spec, m, done | 1u << i, &next))
            return false;
    }
    return true;
}

static void test_random_orders_against_brute_force(void **state) {
    (void)state;
    sound_rng rng = {17};
    size_t held = 0;
    for (int round = 0; round < 1500; round++) {
        hk_arena *arena = hk_arena_create();
        hk_sound_system *s = sound_random(arena, &rng, 2, 4);
        for (size_t p = 0; p < s->port_count; p++)
            s->ports[p].initial = false;
        s->instances[0].parameters = 0;
        hk_sound_master *m = sound_jacobi(arena, s, NULL, true);
        const uint32_t **before = HK_NEW_ARRAY(arena, const uint32_t *, m->step_count);
        size_t *counts = HK_NEW_ARRAY(arena, size_t, m->step_count);
        for (uint32_t i = 0; i < m->step_count; i++) {
            uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, m->step_count);
            for (uint32_t k = 0; k < i; k++)
                if (sound_below(&rng, 8))
                    list[counts[i]++] = k;
            before[i] = list;
        }
        m->before = before;
        m->before_count = counts;
        const hk_spec *spec = hk_spec_make(arena, s, HK_VIEW_STRICT, false);
        hk_spec_state first = hk_spec_start(arena, spec);
        bool contained = hk_sound_refines(arena, s, m, 1).holds;
        assert_int_equal(contained, all_sequences(arena, spec, m, 0, &first));
        held += contained;
        hk_arena_destroy(arena);
    }
    assert_in_range(held, 150, 1350);
}

/* Where the first step begins is seen from what was done before it, whatever there is. */
static void test_rotations_without_outputs(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    static const char *const names[] = {"a"};
    static const uint32_t first[] = {0};
    static const uint32_t *const before[] = {NULL, first, first};
    static const size_t counts[] = {0, 1, 1};
    for (int initial = 0; initial < 2; initial++) {
        const sound_row rows[] = {{"a.u", "", initial}, {"a.v", "", initial}};
        hk_sound_system *s = sound_system(arena, names, 1, rows, 2);
        const hk_sound_call set[] = {{.op = HK_OP_SET, .port = 0}, {.op = HK_OP_SET, .port = 1}};
        const hk_sound_call init[] = {set[0], set[1], set[0], set[1]};
        const hk_sound_call step[] = {{.op = HK_OP_STEP, .as = HK_MAP_NONE}, set[0], set[1]};
        hk_sound_master m = {.init = init,
                             .init_count = initial ? 4 : 2,
                             .step = step,
                             .step_count = 3,
                             .before = before,
                             .before_count = counts};
        assert_true(hk_sound_refines(arena, s, &m, 1).holds);
        m.init_count--;
        assert_false(hk_sound_refines(arena, s, &m, 1).holds);
    }
    hk_arena_destroy(arena);
}

/* Steps may say their size; those that follow another instance have its size. */
static void test_sizes(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    static const char *const names[] = {"a", "b"};
    hk_sound_system *s = sound_system(arena, names, 2, NULL, 0);
    hk_sound_call step[] = {{.op = HK_OP_STEP, .instance = 0, .as = HK_MAP_NONE},
                            {.op = HK_OP_STEP, .instance = 1, .as = HK_MAP_NONE}};
    hk_sound_master m = {.step = step, .step_count = 2};
    assert_true(hk_sound_refines(arena, s, &m, 3).holds);
    step[0].has_value = true;
    step[0].value = 3; /* as long as a step that says nothing */
    assert_true(hk_sound_refines(arena, s, &m, 3).holds);
    step[0].value = 2;
    hk_sound_verdict v = hk_sound_refines(arena, s, &m, 3);
    assert_string_equal(v.why, "step b by 3: others step by 2 in this cycle");
    step[1].as = 0;
    assert_true(hk_sound_refines(arena, s, &m, 3).holds);
    step[0].value = 0;
    assert_string_equal(hk_sound_refines(arena, s, &m, 3).why,
                        "step a by 0: a step is longer than 0");
    hk_arena_destroy(arena);
}

/* A loop in a partial order: all of it is one thing that others wait for. */
static void test_loop_in_an_order(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    static const char *const names[] = {"a", "b"};
    static const uint32_t first[] = {0};
    static const uint32_t *const before[] = {NULL, first};
    static const size_t ordered[] = {0, 1}, free_of_it[] = {0, 0};
    hk_sound_system *s = sound_system(arena, names, 2, NULL, 0);
    const hk_sound_call step[] = {{.op = HK_OP_STEP, .instance = 0, .as = HK_MAP_NONE},
                                  {.op = HK_OP_STEP, .instance = 1, .as = HK_MAP_NONE}};
    const hk_sound_loop loop = {.kind = HK_LOOP_ACCEPTED, .body = step, .body_count = 2};
    const hk_sound_call save = {.op = HK_OP_SAVE, .as = HK_MAP_NONE};
    hk_sound_call calls[] = {save, {.op = HK_OP_LOOP, .loop = &loop}};
    hk_sound_master m = {.step = calls, .step_count = 2, .before = before, .before_count = ordered};
    assert_true(hk_sound_refines(arena, s, &m, 1).holds);
    calls[0] = (hk_sound_call){.op = HK_OP_LOOP, .loop = &loop}; /* two loops after each other */
    assert_true(hk_sound_refines(arena, s, &m, 1).holds);
    m.before_count = free_of_it; /* ... side by side */
    hk_sound_verdict v = hk_sound_refines(arena, s, &m, 1);
    assert_false(v.holds);
    assert_non_null(strstr(v.why, "unordered"));
    hk_arena_destroy(arena);
}

/* The specification has no roll-back and no second tries; a loop that is never repeated is none. */
static void test_loops(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = sound_detector(arena, false);
    hk_sound_master *m = sound_jacobi(arena, s, NULL, false);
    hk_sound_call restore = {.op = HK_OP_RESTORE, .instance = 2};
    hk_sound_loop loop = {.kind = HK_LOOP_ACCEPTED,
                          .body = m->step,
                          .body_count = m->step_count,
                          .retry = &restore,
                          .retry_count = 1};
    hk_sound_call call = {.op = HK_OP_LOOP, .loop = &loop};
    hk_sound_master looped = *m;
    looped.step = &call;
    looped.step_count = 1;
    hk_sound_verdict v = hk_sound_refines(arena, s, &looped, 1);
    assert_false(v.holds);
    assert_string_equal(v.why, "restore mobility: the specification knows no roll-back");
    loop.retry_count = 0; /* whole cycles again are cycles */
    assert_true(hk_sound_refines(arena, s, &looped, 1).holds);
    loop.body_count--; /* without the last step they are not */
    v = hk_sound_refines(arena, s, &looped, 1);
    assert_false(v.holds);
    assert_int_equal(v.trace_count, 8 + 28 + 1);
    looped.step_count = 0;
    assert_string_equal(hk_sound_refines(arena, s, &looped, 1).why, "a step makes no calls");
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_original_is_accepted),
        cmocka_unit_test(test_permutations_are_accepted),
        cmocka_unit_test(test_threads_are_accepted),
        cmocka_unit_test(test_mutants_are_rejected),
        cmocka_unit_test(test_init_in_the_loop_shows_in_the_second_cycle),
        cmocka_unit_test(test_missing_barriers_are_found),
        cmocka_unit_test(test_random_orders_against_brute_force),
        cmocka_unit_test(test_rotations_without_outputs),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_loop_in_an_order),
        cmocka_unit_test(test_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
