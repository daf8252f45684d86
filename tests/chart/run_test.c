/* SPDX-License-Identifier: MIT
 *
 * Cycles of modules, asked for one by one: draws, choices, copies of states, failures. */
#include "chart/chart_run.h"

#include "base/file.h"

#include <hk/random.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_chart *chart;
    hk_chart_runner *runner;
    void *state;
    hk_chart_report report;
} rig;

static void begin(rig *r, const char *text) {
    *r = (rig){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    const hk_file_text file = {"test.rct", text, strlen(text)};
    if (hk_chart_read_text(r->ctx, r->arena, &file, NULL, &r->chart) != HK_OK)
        fail_msg("%d: %s", hk_ctx_diag(r->ctx, 0)->where.line, hk_ctx_diag(r->ctx, 0)->text);
    r->runner = hk_chart_runner_create(r->chart);
    r->state = hk_alloc(hk_chart_runner_layout(r->runner)->size);
    assert_int_equal(hk_chart_reset(r->runner, r->state, NULL, NULL, &r->report), HK_CHART_OK);
}

static void finish(rig *r) {
    hk_chart_runner_destroy(r->runner);
    hk_free(r->state);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
}

static hk_chart_outcome cycle(rig *r, const hk_chart_chooser *chooser) {
    return hk_chart_cycle(r->runner, r->state, chooser, &r->report);
}

static uint32_t line_of(const rig *r, const char *name) {
    for (uint32_t i = 0; i < r->chart->line_count; i++)
        if (strcmp(r->chart->lines[i].name, name) == 0)
            return i;
    fail_msg("no line %s", name);
    return 0;
}

static const char dice_text[] =
    "module M { robotic platform P { event a event b event d } cref c = C\n"
    "connection c on a to P on a (_async) connection c on b to P on b (_async)\n"
    "connection c on d to P on d (_async) }\n"
    "controller C { event a event b event d sref s = S\n"
    "connection s on a to C on a connection s on b to C on b connection s on d to C on d }\n"
    "stm S { event a event b event d initial i state W { entry wait(1) } probabilistic p\n"
    "transition t0 { from i to W } transition t1 { from W to p }\n"
    "transition t2 { from p to W probability 0.1 action send a }\n"
    "transition t3 { from p to W probability 0.2 action send b }\n"
    "transition t4 { from p to W probability 0.7 action send d } }\n";

/* Counts the ways that N draws take. */
static void draw(rig *r, uint64_t seed, int n, uint64_t counts[3]) {
    hk_chart_dice *dice = hk_chart_dice_create(r->chart, seed, 0, "ctrl");
    hk_chart_chooser chooser = hk_chart_dice_chooser(dice);
    uint64_t taken[8] = {0};
    assert_true(r->chart->machines[0].transition_count <= 8);
    r->report.transitions = taken;
    assert_int_equal(hk_chart_reset(r->runner, r->state, NULL, NULL, &r->report), HK_CHART_OK);
    for (int i = 0; i <= n; i++)
        assert_int_equal(cycle(r, &chooser), HK_CHART_OK);
    memcpy(counts, taken + 2, 3 * sizeof *counts);
    hk_chart_dice_destroy(dice);
    r->report.transitions = NULL;
}

/* 10^6 draws at a junction of 0.1, 0.2 and 0.7 for 20 seeds: chi-square with 2 degrees of freedom
 * is above 13.816 with a probability of 0.001. */
static void test_draws_are_fair(void **unused) {
    (void)unused;
    static const double shares[3] = {0.1, 0.2, 0.7};
#ifdef __SANITIZE_ADDRESS__
    const int seeds = 2, n = 100000;
#else
    const int seeds = 20, n = 1000000;
#endif
    rig r;
    begin(&r, dice_text);
    for (int seed = 1; seed <= seeds; seed++) {
        uint64_t counts[3];
        double chi = 0;
        draw(&r, (uint64_t)seed, n, counts);
        assert_int_equal(counts[0] + counts[1] + counts[2], n);
        for (int i = 0; i < 3; i++) {
            double wanted = shares[i] * n, off = (double)counts[i] - wanted;
            chi += off * off / wanted;
        }
        if (chi > 13.816)
            fail_msg("seed %d: chi-square is %g", seed, chi);
    }
    finish(&r);
}

static void test_draws_are_repeatable(void **unused) {
    (void)unused;
    rig r;
    uint64_t one[3], again[3], other[3];
    begin(&r, dice_text);
    draw(&r, 7, 1000, one);
    draw(&r, 7, 1000, again);
    draw(&r, 8, 1000, other);
    assert_memory_equal(one, again, sizeof one);
    assert_memory_not_equal(one, other, sizeof one);
    finish(&r);
}

/* The draw of a cycle is that of the number of the cycle, whatever was drawn before. */
static void test_draws_are_keyed_by_cycle(void **unused) {
    (void)unused;
    rig r;
    begin(&r, dice_text);
    hk_chart_dice *dice = hk_chart_dice_create(r.chart, 3, 1, "ctrl");
    hk_chart_chooser chooser = hk_chart_dice_chooser(dice);
    hk_stream stream = hk_stream_make(3, 1, "ctrl", r.chart->machines[0].path);
    static const char *const names[] = {"a", "b", "d"};
    for (int k = 0; k < 200; k++) {
        assert_int_equal(cycle(&r, &chooser), HK_CHART_OK);
        double u = hk_stream_uniform(&stream, k, 0);
        int wanted = u < 0.1 ? 0 : u < 0.1 + 0.2 ? 1 : 2;
        for (int i = 0; k > 0 && i < 3; i++)
            assert_int_equal(hk_chart_was_sent(r.runner, r.state, line_of(&r, names[i])),
                             i == wanted);
    }
    hk_chart_dice_destroy(dice);
    finish(&r);
}

typedef struct script {
    uint64_t answer, count;
    hk_chart_choice_kind kind;
    int asked;
} script;

static uint64_t answer(void *user, const hk_chart_choice *choice) {
    script *s = user;
    s->asked++;
    s->kind = choice->kind;
    s->count = choice->count;
    return s->answer;
}

/* Who runs a module answers where it leaves a choice. */
static void test_choices_are_asked_for(void **unused) {
    (void)unused;
    static const char text[] =
        "module M { robotic platform P { event a } cref c = C connection c on a to P on a (_async) "
        "}\n"
        "controller C { event a sref s = S connection s on a to C on a }\n"
        "stm S { event a initial i state W { entry wait([1,3]) ; send a } state A { } state B { }\n"
        "transition t0 { from i to W } transition t1 { from W to A } transition t2 { from W to B } "
        "}\n";
    for (uint64_t k = 0; k < 3; k++) {
        rig r;
        script s = {.answer = k};
        const hk_chart_chooser chooser = {answer, &s};
        begin(&r, text);
        assert_int_equal(cycle(&r, &chooser), HK_CHART_OK);
        assert_int_equal(s.kind, HK_CHART_CHOOSE_WAIT);
        assert_int_equal(s.count, 3);
        for (uint64_t i = 0; i < k; i++) {
            assert_int_equal(cycle(&r, &chooser), HK_CHART_OK);
            assert_false(hk_chart_was_sent(r.runner, r.state, line_of(&r, "a")));
        }
        s.answer = 1;
        assert_int_equal(cycle(&r, &chooser), HK_CHART_OK);
        assert_true(hk_chart_was_sent(r.runner, r.state, line_of(&r, "a")));
        assert_int_equal(s.kind, HK_CHART_CHOOSE_TRANSITION);
        assert_int_equal(s.count, 2);
        uint32_t at = hk_chart_active_state(r.runner, r.state, 0);
        assert_string_equal(r.chart->machines[0].nodes[at].name, "B");
        assert_int_equal(s.asked, 2);
        finish(&r);
    }
}

static char *read_file(hk_ctx *ctx, const char *name) {
    char *data;
    size_t size;
    hk_arena *arena = hk_arena_create();
    const char *path = hk_path_join(arena, HK_TEST_FOLDER, name);
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    hk_arena_destroy(arena);
    return data;
}

/* Inputs of the rover that depend on the number of the cycle. */
static void feed(rig *r, int k) {
    if (k % 12 == 3)
        hk_chart_put(r->runner, r->state, line_of(r, "l"));
    if (k % 12 == 9)
        hk_chart_put(r->runner, r->state, line_of(r, "r"));
    if (k % 24 == 7)
        hk_chart_put(r->runner, r->state, line_of(r, "alarm"));
}

/* A copy of the bytes is a copy of the controller. */
static void test_states_are_bytes(void **unused) {
    (void)unused;
    rig r;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    char *text = read_file(ctx, "good/rover.rct");
    begin(&r, text);
    size_t size = hk_chart_runner_layout(r.runner)->size;
    char *saved = hk_alloc(size), *end = hk_alloc(size);
    for (int at = 0; at < 60; at += 6) {
        assert_int_equal(hk_chart_reset(r.runner, r.state, NULL, NULL, NULL), HK_CHART_OK);
        for (int k = 0; k < 80; k++) {
            if (k == at)
                memcpy(saved, r.state, size);
            feed(&r, k);
            assert_int_equal(cycle(&r, NULL), HK_CHART_OK);
        }
        memcpy(end, r.state, size);
        memcpy(r.state, saved, size);
        for (int k = at; k < 80; k++) {
            feed(&r, k);
            assert_int_equal(cycle(&r, NULL), HK_CHART_OK);
        }
        assert_memory_equal(end, r.state, size);
    }
    hk_free(saved);
    hk_free(end);
    hk_free(text);
    hk_ctx_destroy(ctx);
    finish(&r);
}

/* Bytes of a damaged file are refused, or run without harm. */
static void test_damaged_states(void **unused) {
    (void)unused;
    rig r;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    char *text = read_file(ctx, "good/rover.rct");
    begin(&r, text);
    size_t size = hk_chart_runner_layout(r.runner)->size;
    unsigned char *good = hk_alloc(size), *bad = r.state;
    for (int k = 0; k < 8; k++) {
        feed(&r, k);
        assert_int_equal(cycle(&r, NULL), HK_CHART_OK);
    }
    memcpy(good, r.state, size);
    assert_true(hk_chart_state_fits(r.runner, good));
    size_t refused = 0;
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(bad, good, size);
            bad[at] ^= (unsigned char)(1U << bit);
            if (!hk_chart_state_fits(r.runner, bad)) {
                refused++;
                continue;
            }
            for (int k = 0; k < 3; k++)
                if (cycle(&r, NULL) != HK_CHART_OK)
                    break;
        }
    assert_true(refused > 0);
    hk_free(good);
    hk_free(text);
    hk_ctx_destroy(ctx);
    finish(&r);
}

static void test_failures_have_a_place(void **unused) {
    (void)unused;
    static const char text[] = "module M { robotic platform P { event a } cref c = C connection c "
                               "on a to P on a (_async) }\n"
                               "controller C { event a sref s = S connection s on a to C on a }\n"
                               "stm S { event a var k : int initial i state W { }\n"
                               "transition t0 { from i to W\n"
                               "   action k = 1 / k } }\n";
    rig r;
    begin(&r, text);
    assert_int_equal(cycle(&r, NULL), HK_CHART_ARITHMETIC);
    assert_int_equal(r.report.machine, 0);
    assert_int_equal(r.report.line, 5);
    assert_string_equal(r.report.text, "division by zero");
    finish(&r);
}

/* What is counted and told is outside of the state. */
static void count_warning(void *user, const hk_chart_warning *warning) {
    (void)warning;
    ++*(int *)user;
}

static void test_warnings_come_once(void **unused) {
    (void)unused;
    static const char text[] =
        "module M { robotic platform P { event a } cref c = C connection P on a to c on a (_async) "
        "}\n"
        "controller C { event a sref s = S connection C on a to s on a }\n"
        "stm S { event a initial i state W { } transition t0 { from i to W }\n"
        "transition t1 { from W to W trigger a } transition t2 { from W to W trigger a } }\n";
    rig r;
    int warned = 0;
    uint64_t nodes[8] = {0}, transitions[8] = {0};
    begin(&r, text);
    r.report = (hk_chart_report){
        .warn = count_warning, .user = &warned, .nodes = nodes, .transitions = transitions};
    for (int k = 0; k < 10; k++) {
        hk_chart_put(r.runner, r.state, line_of(&r, "a"));
        assert_int_equal(cycle(&r, NULL), HK_CHART_OK);
    }
    assert_int_equal(warned, 1);
    assert_int_equal(nodes[1], 11);
    assert_int_equal(transitions[0], 1);
    assert_int_equal(transitions[1], 10);
    assert_int_equal(transitions[2], 0);
    finish(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws_are_fair),
        cmocka_unit_test(test_draws_are_repeatable),
        cmocka_unit_test(test_draws_are_keyed_by_cycle),
        cmocka_unit_test(test_choices_are_asked_for),
        cmocka_unit_test(test_states_are_bytes),
        cmocka_unit_test(test_damaged_states),
        cmocka_unit_test(test_failures_have_a_place),
        cmocka_unit_test(test_warnings_come_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
