/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/graph.h"

#include "base/random.h"

static uint32_t parts_of(uint32_t nodes, const hk_edge *edges, size_t count, uint32_t *part_of) {
    hk_graph graph;
    hk_graph_init(&graph, nodes, edges, count);
    uint32_t parts = hk_graph_parts(&graph, part_of);
    hk_graph_finish(&graph);
    return parts;
}

/* 0 <-> 1 -> 2 -> 3 <-> 4, 5 alone, 6 -> 6. */
static void known_parts(void **state) {
    (void)state;
    const hk_edge edges[] = {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 3, 0},
                             {3, 4, 0}, {4, 3, 0}, {6, 6, 0}};
    uint32_t part[7];
    assert_int_equal(parts_of(7, edges, 7, part), 5);
    assert_int_equal(part[0], part[1]);
    assert_int_equal(part[3], part[4]);
    assert_true(part[1] < part[2] && part[2] < part[3]);
    assert_int_not_equal(part[5], part[6]);
    for (int i = 0; i < 7; i++)
        assert_true(part[i] < 5);
}

static void edges_keep_their_order(void **state) {
    (void)state;
    const hk_edge edges[] = {{1, 2, 10}, {0, 2, 11}, {1, 0, 12}, {1, 2, 13}};
    hk_graph graph;
    hk_graph_init(&graph, 3, edges, 4);
    assert_int_equal(graph.first[0], 0);
    assert_int_equal(graph.first[1], 1);
    assert_int_equal(graph.first[2], 4);
    assert_int_equal(graph.first[3], 4);
    assert_int_equal(graph.out[0].tag, 11);
    assert_int_equal(graph.out[1].tag, 10);
    assert_int_equal(graph.out[2].tag, 12);
    assert_int_equal(graph.out[3].tag, 13);
    hk_graph_finish(&graph);
}

static void empty_graphs(void **state) {
    (void)state;
    uint32_t part[2] = {7, 7};
    assert_int_equal(parts_of(0, NULL, 0, part), 0);
    assert_int_equal(part[0], 7);
    assert_int_equal(parts_of(2, NULL, 0, part), 2);
    assert_int_equal(part[0] + part[1], 1);
}

/* Against reachability by brute force: same part if and only if each reaches the other. */
enum { NODES = 9 };
static void random_graphs(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        hk_stream dice = hk_stream_make(seed, 0, "graph_test", "edges");
        hk_edge edges[24];
        size_t count = hk_stream_u64(&dice, 0, 0) % 24;
        uint8_t reach[NODES][NODES] = {{0}};
        for (int v = 0; v < NODES; v++)
            reach[v][v] = 1;
        for (size_t e = 0; e < count; e++) {
            edges[e].from = (uint32_t)(hk_stream_u64(&dice, 1, (uint32_t)e) % NODES);
            edges[e].to = (uint32_t)(hk_stream_u64(&dice, 2, (uint32_t)e) % NODES);
            edges[e].tag = (uint32_t)e;
            reach[edges[e].from][edges[e].to] = 1;
        }
        for (int k = 0; k < NODES; k++)
            for (int i = 0; i < NODES; i++)
                for (int j = 0; j < NODES; j++)
                    reach[i][j] |= reach[i][k] & reach[k][j];
        uint32_t part[NODES];
        uint32_t parts = parts_of(NODES, edges, count, part);
        uint32_t distinct = 0;
        for (int i = 0; i < NODES; i++) {
            int first = 1;
            for (int j = 0; j < NODES; j++) {
                assert_int_equal(part[i] == part[j], reach[i][j] && reach[j][i]);
                assert_true(!reach[i][j] || part[i] <= part[j]);
                first &= j >= i || part[i] != part[j];
            }
            distinct += (uint32_t)first;
        }
        assert_int_equal(parts, distinct);
    }
}

/* Deeper than any stack: a chain gives its own order, a ring one part. */
static void long_chain_and_ring(void **state) {
    (void)state;
    enum { LENGTH = 100000 };
    hk_edge *edges = hk_alloc(LENGTH * sizeof *edges);
    uint32_t *part = hk_alloc(LENGTH * sizeof *part);
    for (uint32_t i = 0; i < LENGTH; i++)
        edges[i] = (hk_edge){LENGTH - 1 - i, i + 1 < LENGTH ? LENGTH - 2 - i : LENGTH - 1, i};
    assert_int_equal(parts_of(LENGTH, edges, LENGTH - 1, part), LENGTH);
    for (uint32_t i = 0; i < LENGTH; i++)
        assert_int_equal(part[i], LENGTH - 1 - i);
    assert_int_equal(parts_of(LENGTH, edges, LENGTH, part), 1);
    for (uint32_t i = 0; i < LENGTH; i++)
        assert_int_equal(part[i], 0);
    hk_free(part);
    hk_free(edges);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_parts),         cmocka_unit_test(edges_keep_their_order),
        cmocka_unit_test(empty_graphs),        cmocka_unit_test(random_graphs),
        cmocka_unit_test(long_chain_and_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
