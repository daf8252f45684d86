/* SPDX-License-Identifier: MIT
 *
 * Walks over graphs by chance, against what is found by looking at every pair of states. */
#include "explore/walk.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NODES = 40, WAYS = 6 };

typedef struct graph {
    uint32_t nodes;
    uint32_t ways[NODES];
    uint32_t to[NODES][WAYS]; /* NODES: nowhere */
    uint64_t marks[NODES][WAYS];
    uint64_t seed;
} graph;

static uint32_t below(graph *g, uint32_t count) {
    g->seed = g->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(g->seed >> 33) % count;
}

static void make(graph *g, uint64_t seed) {
    *g = (graph){.seed = seed};
    g->nodes = 2 + below(g, NODES - 2);
    for (uint32_t i = 0; i < g->nodes; i++) {
        g->ways[i] = 1 + below(g, WAYS);
        for (uint32_t k = 0; k < g->ways[i]; k++) {
            bool far = below(g, 3) == 0;
            uint32_t to = far ? below(g, g->nodes) : (i + below(g, 3)) % g->nodes;
            g->to[i][k] = below(g, 12) == 0 ? NODES : to;
            g->marks[i][k] = UINT64_C(1) << below(g, 24);
        }
    }
}

static void begin(void *user, uint64_t *state) {
    (void)user;
    state[0] = 0;
    state[1] = 5;
}

/* The first choice is which of two halves, the second one what is in it. */
static bool step(void *user, hk_walk_edge edge, hk_choices *choices, uint64_t *state,
                 uint64_t *marks) {
    (void)edge;
    const graph *g = user;
    uint32_t node = (uint32_t)(state[0] / 3), ways = g->ways[node], half = ways / 2;
    uint32_t side = half ? hk_choices_take(choices, 2) : 1;
    uint32_t way =
        side ? half + hk_choices_take(choices, ways - half) : hk_choices_take(choices, half);
    *marks = g->marks[node][way];
    if (g->to[node][way] == NODES)
        return false;
    state[0] = 3 * (uint64_t)g->to[node][way];
    return true;
}

/* What can come from each node, by following every edge until nothing changes. */
static void close_marks(const graph *g, uint64_t lost, uint64_t *all) {
    memset(all, 0, NODES * sizeof *all);
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t i = 0; i < g->nodes; i++)
            for (uint32_t k = 0; k < g->ways[i]; k++) {
                uint64_t more = g->marks[i][k] | (g->to[i][k] == NODES ? lost : all[g->to[i][k]]);
                changes = changes || (all[i] | more) != all[i];
                all[i] |= more;
            }
    }
}

static void find_distances(const graph *g, size_t *distances) {
    for (uint32_t i = 0; i < NODES; i++)
        distances[i] = i ? SIZE_MAX : 0;
    for (uint32_t round = 0; round < g->nodes; round++)
        for (uint32_t i = 0; i < g->nodes; i++)
            for (uint32_t k = 0; distances[i] != SIZE_MAX && k < g->ways[i]; k++)
                if (g->to[i][k] != NODES && distances[g->to[i][k]] > distances[i] + 1)
                    distances[g->to[i][k]] = distances[i] + 1;
}

/* The path leads where it says, edge by edge. */
static void follow_path(const hk_walk_system *system, const hk_walk *walk, uint32_t number) {
    hk_arena *arena = hk_arena_create();
    size_t count;
    const hk_walk_edge *path = hk_walk_path(walk, arena, number, &count);
    uint64_t state[2], end[2], marks = 0;
    begin(NULL, state);
    for (size_t i = 0; i < count; i++) {
        hk_choices choices = {0};
        hk_walk_choose(system, walk, path[i], &choices);
        assert_true(step(system->user, path[i], &choices, state, &marks));
        hk_choices_finish(&choices);
    }
    hk_vault_get(hk_walk_states(walk), number, end);
    assert_memory_equal(state, end, sizeof state);
    hk_arena_destroy(arena);
}

static void test_graphs(void **test) {
    (void)test;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        graph g;
        uint64_t all[NODES], lost = UINT64_C(1) << 40;
        size_t distances[NODES], reachable = 0;
        make(&g, seed);
        close_marks(&g, lost, all);
        find_distances(&g, distances);
        hk_walk_system system = {.user = &g, .words = 2, .begin = begin, .step = step};
        hk_walk *walk = hk_walk_all(&system, 1000);
        assert_true(hk_walk_is_whole(walk));
        uint64_t *futures = hk_walk_futures(walk, lost);
        for (uint32_t i = 0; i < NODES; i++)
            reachable += distances[i] != SIZE_MAX;
        assert_int_equal(hk_vault_count(hk_walk_states(walk)), reachable);
        for (uint32_t i = 0; i < reachable; i++) {
            uint64_t state[2];
            hk_vault_get(hk_walk_states(walk), i, state);
            assert_int_equal(hk_walk_distance(walk, i), distances[state[0] / 3]);
            assert_true(futures[i] == all[state[0] / 3]);
            follow_path(&system, walk, i);
        }
        hk_free(futures);
        hk_walk_destroy(walk);
    }
}

static void test_limit(void **test) {
    (void)test;
    graph g;
    make(&g, 3);
    hk_walk_system system = {.user = &g, .words = 2, .begin = begin, .step = step};
    hk_walk *walk = hk_walk_all(&system, 2);
    assert_false(hk_walk_is_whole(walk));
    assert_true(hk_walk_expanded(walk) < hk_vault_count(hk_walk_states(walk)));
    hk_walk_destroy(walk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
