/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "flow_rig.h"
#include "node_text.h"

#include <string.h>

/* Capacity and most of the first flow. */
static void known_bounds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t capacity, most;
    } rows[] = {
        /* direct feedback with equal periods: 2 */
        {"stop 9; node a period 3; node b period 3; flow a -> b; flow b -> a;", 2, 2},
        {"stop 9; node a period 3; node b period 3; flow a -> b observes; flow b -> a;", 1, 1},
        /* the sink answers at once, and the source waits for it */
        {"stop 9; node a { cell x period 3; cell y period 3 level 2; }"
         "node b { cell z period 3 level 1; }"
         "flow a.x -> b observes; flow b -> a.y observes;",
         1, 1},
        /* nobody holds the source back */
        {"stop 9; node a period 1; node b period 3; flow a -> b lag 5;", 6, 0},
        {"stop 9; node a period 2; node b { cell x period 7; cell y period 1; }"
         "flow a -> b.x lag 5;",
         6, 0},
        /* the way back leads over another cell of the node */
        {"stop 9; node a period 2; node b { cell x period 4; cell y period 2; }"
         "flow a -> b.x lag 2; flow b.y -> a lag 2;",
         3, 4},
        /* a node that has ended holds nobody back */
        {"stop 9; node a period 3; node b period 3; node c until 5 period 3;"
         "flow a -> b; flow b -> c; flow c -> a;",
         2, 0},
        {"stop 9; node a until 5 period 3; node b period 3; flow a -> b; flow b -> a;", 2, 2},
        /* periods that vary */
        {"stop 30; node a period 2, 4; node b period 3; flow a -> b lag 4; flow b -> a lag 3;", 3,
         5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_flow_graph *g = graph_of_text(rows[i].text);
        const hk_flow_bound *b = hk_flow_bounds(g->arena, g);
        if (b->capacity != rows[i].capacity || b->most != rows[i].most)
            fail_msg("%s: %lld, %lld", rows[i].text, (long long)b->capacity, (long long)b->most);
        assert_int_equal(b->queue, b->most ? b->most : b->capacity);
        hk_flow_graph_destroy(g);
    }
}

static bool hangs(const hk_flow_graph *g, const int64_t *capacity, uint64_t seed) {
    hk_arena *arena = hk_arena_create();
    bool hung = false;
    for (int s = 0; s < FLOW_SCHEDULES; s++) {
        flow_run r = flow_run_all(arena, g, capacity, (flow_schedule)s, seed);
        assert_true(!r.wrong || r.hung);
        hung = hung || r.hung;
        flow_run_finish(&r);
    }
    hk_arena_destroy(arena);
    return hung;
}

/* While b.slow is not due, b.fast waits for c, which waits for a, which waits for room at b.slow:
 * lag / period + 2 is not enough, and one less than the capacity is not either. */
static void a_slow_cell_of_a_fast_node(void **state) {
    (void)state;
    hk_flow_graph *g = graph_of_text("stop 301; node a period 1; node c period 1;"
                                     "node b { cell fast period 1; cell slow period 100; }"
                                     "flow a -> b.slow observes; flow a -> c observes;"
                                     "flow c -> b.fast observes;");
    int64_t capacity[3] = {2, 2, 2};
    assert_int_equal(hk_flow_bounds(g->arena, g)[0].capacity, 100);
    assert_true(hangs(g, capacity, 1));
    capacity[0] = 99;
    assert_true(hangs(g, capacity, 1));
    capacity[0] = 100;
    assert_false(hangs(g, capacity, 1));
    hk_flow_graph_destroy(g);
}

/* Where each node has one cell, lag / period + 1 is enough; and one less than that is not. */
static void nodes_of_one_cell(void **state) {
    (void)state;
    size_t flows = 0, hung = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        dice d = dice_of(seed);
        hk_flow_graph *g = roll_graph(&d, 5, 1, 30, true);
        int64_t *capacity = HK_NEW_ARRAY(g->arena, int64_t, g->flow_count);
        const hk_flow_bound *bounds = hk_flow_bounds(g->arena, g);
        for (uint32_t f = 0; f < g->flow_count; f++) {
            capacity[f] = g->flows[f].lag / hk_cell_shortest(g, g->flows[f].from) + 1;
            assert_int_equal(capacity[f], bounds[f].capacity);
        }
        assert_false(hangs(g, capacity, seed));
        for (uint32_t f = 0; f < g->flow_count; f++)
            if (capacity[f] > 1) {
                capacity[f]--;
                hung += hangs(g, capacity, seed);
                capacity[f]++;
                flows++;
            }
        hk_flow_graph_destroy(g);
    }
    print_message("with room for one less %zu of %zu flows hang\n", hung, flows);
    assert_true(hung > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_bounds),
        cmocka_unit_test(a_slow_cell_of_a_fast_node),
        cmocka_unit_test(nodes_of_one_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
