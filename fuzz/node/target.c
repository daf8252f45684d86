/* SPDX-License-Identifier: MIT
 *
 * Graphs of nodes: what is understood has activations that go forward in time, is checked for
 * cycles, and has queues. */
#include "fuzz.h"

#include "time/bounds.h"
#include "time/cycles.h"
#include "time/node_file.h"

enum { ACTIVATIONS = 20 };

static void walk(const hk_flow_graph *graph) {
    for (uint32_t c = 0; c < graph->cell_count; c++) {
        hk_activation activation = hk_activation_first(graph, c);
        for (int i = 0; i < ACTIVATIONS && activation.at != HK_TICK_NEVER; i++) {
            hk_activation next = hk_activation_next(graph, c, activation);
            HK_ASSERT(next.at > activation.at && activation.at >= graph->start &&
                      activation.at < graph->end);
            activation = next;
        }
        HK_ASSERT(hk_cell_shortest(graph, c) <= hk_cell_longest(graph, c));
    }
    for (uint32_t f = 0; f < graph->flow_count; f++)
        HK_ASSERT(graph->cells[graph->flows[f].from].node != graph->cells[graph->flows[f].to].node);
}

static void bound(const hk_flow_graph *graph) {
    hk_arena *arena = hk_arena_create();
    const hk_flow_bound *bounds = hk_flow_bounds(arena, graph);
    for (uint32_t f = 0; f < graph->flow_count; f++)
        HK_ASSERT(bounds[f].capacity > 0 && bounds[f].most >= 0 && bounds[f].queue > 0);
    hk_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_flow_graph *graph = NULL;
    hk_status status =
        hk_node_file_parse(ctx, &(hk_file_text){"fuzz.node", (const char *)data, size}, &graph);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        walk(graph);
        bound(graph);
        hk_ctx *cycles = hk_ctx_create(NULL, NULL);
        hk_status found = hk_flow_graph_check(cycles, graph);
        HK_ASSERT((found == HK_OK) == (hk_ctx_count(cycles, HK_ERROR) == 0));
        hk_ctx_destroy(cycles);
    }
    hk_flow_graph_destroy(graph);
    hk_ctx_destroy(ctx);
    return 0;
}
