/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "node_text.h"
#include "time/rules.h"

#include <string.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_flow_graph *graph;
    hk_rules *rules;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_flow_graph_destroy(f->graph);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

/* The rules of NODE of the graph that TEXT is. */
static void begin(fixture *f, const char *text, uint32_t node) {
    f->graph = graph_of_text(text);
    f->rules = hk_rules_make(f->arena, f->graph, node);
}

static void expect(const fixture *f, hk_rules_do what, uint32_t index, hk_tick at,
                   hk_tick promise) {
    hk_rules_action a = hk_rules_next_action(f->rules);
    assert_int_equal(a.what, what);
    if (what != HK_RULES_END)
        assert_int_equal(what == HK_RULES_RUN ? a.cell : a.flow, index);
    if (what == HK_RULES_RUN || what == HK_RULES_SEND)
        assert_true(a.at == at);
    if (what == HK_RULES_SEND)
        assert_true(a.promise == promise);
}

static void receive(fixture *f, uint32_t flow, hk_tick stamp, hk_tick promise) {
    expect(f, HK_RULES_RECEIVE, flow, 0, 0);
    assert_int_equal(hk_rules_received(f->rules, flow, stamp, promise), HK_BREACH_NONE);
}

static void run(fixture *f, uint32_t cell, hk_tick t) {
    expect(f, HK_RULES_RUN, cell, t, 0);
    assert_int_equal(hk_rules_ran(f->rules, cell, t), HK_BREACH_NONE);
}

static void send(fixture *f, uint32_t flow, hk_tick stamp, hk_tick promise) {
    expect(f, HK_RULES_SEND, flow, stamp, promise);
    assert_int_equal(hk_rules_sent(f->rules, flow, stamp, promise), HK_BREACH_NONE);
}

static void shut(fixture *f, uint32_t flow) {
    expect(f, HK_RULES_CLOSE, flow, 0, 0);
    assert_int_equal(hk_rules_closed(f->rules, flow), HK_BREACH_NONE);
}

/* A path without lag leads from a.first to b and back to a.last, at the same instant. */
static const char there_and_back[] = "stop 3;"
                                     "node a { cell first period 2; cell last period 2 level 2; }"
                                     "node b { cell mid period 2 level 1; }"
                                     "flow a.first -> b observes;"
                                     "flow b -> a.last observes;";

static void zero_lag_there_and_back(void **state) {
    fixture *f = *state;
    begin(f, there_and_back, 0);
    run(f, 0, 0); /* the flow into the other cell does not hold it up */
    send(f, 0, 0, 2);
    receive(f, 1, 0, 2);
    run(f, 1, 0);
    run(f, 0, 2);
    send(f, 0, 2, HK_TICK_NEVER);
    receive(f, 1, 2, HK_TICK_NEVER);
    run(f, 1, 2);
    shut(f, 1);
    expect(f, HK_RULES_END, 0, 0, 0);
}

/* Periods 1, 3: activations 0, 1, 4, 5; lag 2. */
static void promises_of_varying_periods(void **state) {
    fixture *f = *state;
    begin(f, "stop 6; node a period 1, 3; node b period 1; flow a -> b lag 2;", 0);
    static const hk_tick stamps[] = {2, 3, 6, 7, HK_TICK_NEVER};
    for (int i = 0; i < 4; i++) {
        run(f, 0, stamps[i] - 2);
        assert_int_equal(hk_rules_next_stamp(f->rules, 0), stamps[i]);
        send(f, 0, stamps[i], stamps[i + 1]);
    }
    expect(f, HK_RULES_END, 0, 0, 0);
}

/* It waits for the smallest next stamp, of equal ones for the first. */
static void which_flow_is_waited_for(void **state) {
    fixture *f = *state;
    begin(f,
          "stop 20; node s period 6; node a period 6; node b period 4; node c period 6;"
          "flow a -> s observes; flow b -> s observes; flow c -> s observes;",
          0);
    receive(f, 0, 0, 6);
    receive(f, 1, 0, 4);
    assert_int_equal(hk_rules_blocking_flow(f->rules, 0, 0), 2);
    receive(f, 2, 0, 6);
    assert_true(hk_rules_blocking_flow(f->rules, 0, 0) == HK_MAP_NONE);
    run(f, 0, 0);
    assert_true(hk_rules_blocking_flow(f->rules, 0, 3) == HK_MAP_NONE);
    receive(f, 1, 4, 8);
    receive(f, 0, 6, 12);
    receive(f, 2, 6, 12);
    run(f, 0, 6);
}

/* Times at which a cell never runs: nothing to wait for, and what comes is thrown away. */
static void ends(void **state) {
    fixture *f = *state;
    begin(f,
          "stop 10; node s until 2 { cell x period 1; cell y period 5 offset 3; }"
          "node a period 1; node b until 0 period 1;"
          "flow a -> s.x lag 1; flow a -> s.y; flow b -> s.x lag 0;",
          0);
    shut(f, 1); /* s.y is never activated */
    run(f, 0, 0);
    receive(f, 0, 1, 2); /* b sends nothing, ever */
    run(f, 0, 1);
    shut(f, 0);
    shut(f, 2);
    expect(f, HK_RULES_END, 0, 0, 0);
    for (hk_tick t = 2; t < 9; t++)
        assert_int_equal(hk_rules_received(f->rules, 0, t, t + 1), HK_BREACH_NONE);
    expect(f, HK_RULES_END, 0, 0, 0);
}

static void a_run_of_no_time(void **state) {
    fixture *f = *state;
    begin(f, "stop 0; node a period 1; node b period 1; flow a -> b; flow b -> a observes;", 0);
    shut(f, 1);
    expect(f, HK_RULES_END, 0, 0, 0);
}

static void a_run_that_ends_by_itself(void **state) {
    fixture *f = *state;
    begin(f, "stop 10; node a period 1; node b period 1; flow a -> b; flow b -> a;", 0);
    run(f, 0, 0);
    send(f, 0, 1, 2);
    receive(f, 1, 1, 2);
    run(f, 0, 1);
    hk_rules_stop(f->rules, 2);
    send(f, 0, 2, HK_TICK_NEVER);
    shut(f, 1);
    expect(f, HK_RULES_END, 0, 0, 0);
}

static void breaches_of_peers(void **state) {
    fixture *f = *state;
    begin(f, "stop 10; node a period 2; node b period 1; flow b -> a observes; flow a -> b;", 0);
    hk_rules *r = f->rules;
    assert_int_equal(hk_rules_received(r, 0, 1, 2), HK_BREACH_STAMP);
    assert_int_equal(hk_rules_received(r, 0, 0, 0), HK_BREACH_PROMISE);
    assert_int_equal(hk_rules_received(r, 1, 0, 1), HK_BREACH_FOREIGN);
    assert_int_equal(hk_rules_received(r, 2, 0, 1), HK_BREACH_FOREIGN);
    assert_int_equal(hk_rules_received(r, 0, 0, 1), HK_BREACH_NONE);
    assert_int_equal(hk_rules_received(r, 0, 0, 1), HK_BREACH_STAMP);
    assert_int_equal(hk_rules_received(r, 0, 1, 2), HK_BREACH_EARLY); /* to be seen at 2 */
    assert_int_equal(hk_rules_ran(r, 0, 0), HK_BREACH_NONE);
    assert_int_equal(hk_rules_sent(r, 1, 2, 4), HK_BREACH_NONE);
    assert_int_equal(hk_rules_received(r, 0, 1, HK_TICK_NEVER), HK_BREACH_NONE);
    assert_int_equal(hk_rules_received(r, 0, 2, 3), HK_BREACH_ENDED);
    assert_int_equal(hk_rules_error(f->ctx, r, HK_BREACH_ENDED, 0, 2), HK_E_FLOW);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->text,
                        "the flow b -> a from node 'b' to node 'a' breaks its promise: a message "
                        "with the stamp 2 s, expected: never; the message before it was to be the "
                        "last");
    assert_int_equal(hk_ctx_diag(f->ctx, 0)->where.line, 1);
}

static void breaches_of_our_own(void **state) {
    fixture *f = *state;
    begin(f, there_and_back, 0);
    hk_rules *r = f->rules;
    assert_int_equal(hk_rules_ran(r, 1, 0), HK_BREACH_ORDER);
    assert_int_equal(hk_rules_ran(r, 0, 2), HK_BREACH_ORDER);
    assert_int_equal(hk_rules_ran(r, 2, 0), HK_BREACH_FOREIGN);
    assert_int_equal(hk_rules_sent(r, 0, 0, 2), HK_BREACH_ORDER);
    assert_int_equal(hk_rules_ran(r, 0, 0), HK_BREACH_NONE);
    assert_int_equal(hk_rules_ran(r, 1, 0), HK_BREACH_ORDER); /* it has not sent */
    assert_int_equal(hk_rules_sent(r, 0, 1, 2), HK_BREACH_STAMP);
    assert_int_equal(hk_rules_sent(r, 0, 0, 3), HK_BREACH_PROMISE);
    assert_int_equal(hk_rules_sent(r, 1, 0, 2), HK_BREACH_FOREIGN);
    assert_int_equal(hk_rules_sent(r, 0, 0, 2), HK_BREACH_NONE);
    assert_int_equal(hk_rules_ran(r, 1, 0), HK_BREACH_WAITS);
    assert_int_equal(hk_rules_closed(r, 1), HK_BREACH_ORDER);
    assert_int_equal(hk_rules_closed(r, 0), HK_BREACH_FOREIGN);
    assert_int_equal(hk_rules_error(f->ctx, r, HK_BREACH_WAITS, 1, 0), HK_E_INTERNAL);
}

static void nothing_is_allocated(void **state) {
    fixture *f = *state;
    begin(f, "stop 100; node a period 2; node b period 1; flow b -> a observes; flow a -> b;", 0);
    uint64_t before = hk_alloc_count();
    for (hk_tick t = 0, stamp = 0; t < 100; t += 2) {
        for (; stamp <= t; stamp++)
            assert_int_equal(hk_rules_received(f->rules, 0, stamp, stamp + 1), HK_BREACH_NONE);
        assert_int_equal(hk_rules_ran(f->rules, 0, t), HK_BREACH_NONE);
        hk_rules_action a = hk_rules_next_action(f->rules);
        assert_int_equal(hk_rules_sent(f->rules, 1, a.at, a.promise), HK_BREACH_NONE);
    }
    assert_int_equal(hk_alloc_count(), before);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(zero_lag_there_and_back),  TEST(promises_of_varying_periods),
        TEST(which_flow_is_waited_for), TEST(ends),
        TEST(a_run_of_no_time),         TEST(a_run_that_ends_by_itself),
        TEST(breaches_of_peers),        TEST(breaches_of_our_own),
        TEST(nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
