/* SPDX-License-Identifier: MIT
 *
 * What the rules and the static check say, spin says too: graphs of up to four nodes that go on for
 * ever and come to their end, wrong ones in which it finds the hang, and random ones about which
 * both must be of one opinion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "flow_rig.h"
#include "node_text.h"
#include "spin.h"
#include "time/nodes_promela.h"

enum { QUICK = 20, ALL = 100 };

static const char safety[] = "-DSAFETY", search[] = "-m100000 -w16";
static const char fair[] = "-DNP -DNFAIR=3", progress[] = "-l -f -m100000 -w16";

static int errors_of(const hk_flow_graph *g, const hk_promela_options *options, long *ret_states) {
    hk_arena *arena = hk_arena_create();
    const char *text = hk_nodes_promela(arena, g, options);
    bool asked = options->endless && options->progress_of != HK_MAP_NONE;
    int errors = spin_check(text, asked ? fair : safety, asked ? progress : search, ret_states);
    if (errors < 0)
        fail_msg("spin gave no answer for\n%s", text ? text : "nothing");
    hk_arena_destroy(arena);
    return errors;
}

static bool has_cycle(const hk_flow_graph *g) {
    hk_flow_cycle cycle;
    hk_flow_verdict verdict = hk_flow_find_cycle(g->arena, g, &cycle);
    assert_true(verdict != HK_FLOW_UNCLEAR);
    return verdict == HK_FLOW_CYCLE;
}

static int show_errors(size_t index, const char *what, const hk_flow_graph *g,
                       const hk_promela_options *options) {
    long states = 0;
    int errors = errors_of(g, options, &states);
    print_message("graph %2zu, %s: %ld states, %d errors\n", index, what, states, errors);
    return errors;
}

/* ---- right ones ---- */

static const char *const right[] = {
    /* feedback; a sensor that observes */
    "stop 9; node a period 2; node b period 3; flow a -> b; flow b -> a;",
    "stop 9; node plant period 2; node sensor period 3; flow plant -> sensor observes;"
    "flow sensor -> plant;",
    /* there and back without lag */
    "stop 6; node a { cell p period 2; cell q period 2 level 2; } node b { cell r period 2 level "
    "1; }"
    "flow a.p -> b observes; flow b -> a.q observes; flow b -> a.p;",
    /* offsets keep what would be a cycle apart */
    "stop 9; node a period 2; node b period 2 offset 1; flow a -> b observes; flow b -> a "
    "observes;",
    /* not strongly connected: a chain with a bypass; a diamond of four rates */
    "stop 8; node a period 1; node b period 2; node c period 3;"
    "flow a -> b; flow b -> c observes; flow a -> c;",
    "stop 6; node a period 1; node b period 2; node c period 3; node d period 2;"
    "flow a -> b observes; flow a -> c; flow b -> d observes; flow c -> d;",
    /* periods that vary, and a long lag */
    "stop 12; node a period 1, 3; node b period 2; flow a -> b lag 5; flow b -> a lag 0;",
    /* a node that ends before the others; one that never runs */
    "stop 9; node a period 1; node b until 4 period 2; node c until 0 period 1;"
    "flow a -> b; flow b -> a; flow c -> a observes; flow a -> c;",
    /* a slow cell of a fast node */
    "stop 9; node a period 1; node c period 1; node b { cell fast period 1; cell slow period 4; }"
    "flow a -> b.slow observes; flow a -> c observes; flow c -> b.fast observes;",
    /* three bodies, each with a flow to all others */
    "stop 7; node a period 3; node b period 2; node c period 1;"
    "flow a -> b; flow a -> c; flow b -> a; flow b -> c; flow c -> a; flow c -> b;",
    /* a ring of four with one flow that observes */
    "stop 6; node a period 2; node b period 1; node c period 2; node d period 1;"
    "flow a -> b observes; flow b -> c; flow c -> d observes; flow d -> a;",
};

static void right_graphs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        hk_flow_graph *g = graph_of_text(right[i]);
        hk_promela_options end = {0}, on = {.endless = true, .progress_of = HK_MAP_NONE};
        assert_false(has_cycle(g));
        assert_int_equal(show_errors(i, "to its end", g, &end), 0);
        assert_int_equal(show_errors(i, "for ever", g, &on), 0);
        hk_flow_graph_destroy(g);
    }
}

/* Every node always goes on: on those with a few states, and on all if there is time. */
static void every_node_goes_on(void **state) {
    (void)state;
    static const size_t some[] = {0, 2, 4, 1, 3, 5, 6, 7, 8, 9, 10};
    size_t count = getenv("HK_SLOW") ? sizeof some / sizeof *some : 3;
    for (size_t k = 0; k < count; k++) {
        hk_flow_graph *g = graph_of_text(right[some[k]]);
        for (uint32_t n = 0; n < g->node_count; n++) {
            hk_promela_options on = {.endless = true, .progress_of = n};
            assert_int_equal(show_errors(some[k], g->nodes[n].name, g, &on), 0);
        }
        hk_flow_graph_destroy(g);
    }
}

/* ---- wrong ones ---- */

static void wrong_graphs(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "stop 9; node a period 2; node b period 2; flow a -> b observes; flow b -> a observes;",
        "stop 9; node a period 2 offset 1; node b period 3; flow a -> b observes;"
        "flow b -> a observes;",
        "stop 4; node a { cell p period 1; cell q period 1; } node b { cell r period 1; cell s "
        "period 1; } flow a.q -> b.r observes; flow b.s -> a.p observes;",
        "stop 12; node a period 3, 2; node b period 3 offset 1; node c period 2;"
        "flow a -> b observes; flow b -> c observes; flow c -> a observes;",
        "stop 5; node a period 1; node b period 1; node c period 1; node d period 2;"
        "flow a -> b observes; flow b -> c observes; flow c -> d observes; flow d -> a observes;",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hk_flow_graph *g = graph_of_text(wrong[i]);
        hk_promela_options end = {0}, on = {.endless = true, .progress_of = HK_MAP_NONE};
        assert_true(has_cycle(g));
        assert_true(show_errors(i, "wrong", g, &end) > 0);
        assert_true(errors_of(g, &on, NULL) > 0);
        hk_flow_graph_destroy(g);
    }
}

/* Right graphs with wrong queues, and the end of the reference implementation, which does not
 * throw away what comes to a finished sink. */
static void wrong_nodes(void **state) {
    (void)state;
    hk_flow_graph *g = graph_of_text(right[8]);
    int64_t capacity[3] = {2, 2, 2}; /* lag / period + 2 */
    hk_promela_options end = {.capacity = capacity};
    assert_true(show_errors(8, "lag / period + 2", g, &end) > 0);
    capacity[0] = 3;
    assert_true(show_errors(8, "one less", g, &end) > 0);
    capacity[0] = 4;
    assert_int_equal(show_errors(8, "enough", g, &end), 0);
    hk_flow_graph_destroy(g);

    /* A node that ends after its last emission and takes nothing any more: b waits for room. */
    g = graph_of_text("stop 7; node a period 4; node b period 1; flow b -> a; flow a -> b;");
    const int64_t three[2] = {3, 3};
    end = (hk_promela_options){.capacity = three, .never_closed = true};
    assert_int_equal(show_errors(11, "ends in time", g, &end), 0);
    g->end = g->nodes[0].end = g->nodes[1].end = 8;
    assert_true(show_errors(11, "never closed", g, &end) > 0);
    end.never_closed = false;
    assert_int_equal(show_errors(11, "closed", g, &end), 0);
    hk_flow_graph_destroy(g);
}

/* ---- bounds inside cycles ---- */

static void bounds_inside_cycles(void **state) {
    (void)state;
    static const size_t some[] = {0, 2, 6, 10};
    size_t tight = 0, flows = 0;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        hk_flow_graph *g = graph_of_text(right[some[k]]);
        const hk_flow_bound *bounds = hk_flow_bounds(g->arena, g);
        int64_t *capacity = HK_NEW_ARRAY(g->arena, int64_t, g->flow_count);
        int64_t *most = HK_NEW_ARRAY(g->arena, int64_t, g->flow_count);
        for (uint32_t f = 0; f < g->flow_count; f++) {
            assert_true(bounds[f].most > 0);
            capacity[f] = bounds[f].most + 2;
            most[f] = bounds[f].most;
        }
        hk_promela_options on = {
            .capacity = capacity, .at_most = most, .endless = true, .progress_of = HK_MAP_NONE};
        assert_int_equal(show_errors(some[k], "bounds", g, &on), 0);
        for (uint32_t f = 0; f < g->flow_count && most[f] > 1; f++) {
            most[f]--;
            tight += errors_of(g, &on, NULL) > 0;
            most[f]++;
            flows++;
        }
        hk_flow_graph_destroy(g);
    }
    print_message("one less is exceeded on %zu of %zu flows\n", tight, flows);
    assert_true(tight > 0);
}

/* ---- random ones ---- */

/* Half of them have a cycle. */
static void static_check_and_spin_agree(void **state) {
    (void)state;
    size_t count = getenv("HK_SLOW") ? ALL : QUICK, of[2] = {0};
    for (uint64_t seed = 0; of[0] + of[1] < count; seed++) {
        dice d = dice_of(seed);
        hk_flow_graph *g = roll_graph(&d, 4, 2, 4 + roll(&d, 4), false);
        bool expected = has_cycle(g);
        if (g->flow_count > 1 && g->flow_count < 8 && of[expected] < count / 2) {
            int errors = errors_of(g, &(hk_promela_options){0}, NULL);
            if ((errors > 0) != expected)
                fail_msg("graph %llu: the check says %d, spin finds %d", (unsigned long long)seed,
                         (int)expected, errors);
            of[expected]++;
        }
        hk_flow_graph_destroy(g);
    }
    print_message("%zu graphs, %zu of them with a cycle\n", count, of[1]);
}

int main(void) {
    if (!spin_is_there()) {
        print_message("spin is not installed\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_graphs),         cmocka_unit_test(every_node_goes_on),
        cmocka_unit_test(wrong_graphs),         cmocka_unit_test(wrong_nodes),
        cmocka_unit_test(bounds_inside_cycles), cmocka_unit_test(static_check_and_spin_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
