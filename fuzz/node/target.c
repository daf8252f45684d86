/* SPDX-License-Identifier: MIT
 *
 * Graphs of nodes: what is understood has activations that go forward in time. */
#include "fuzz.h"

#include "time/node_file.h"

enum { BEATS = 20 };

static void walk(const hk_flow_graph *graph) {
    for (uint32_t c = 0; c < graph->cell_count; c++) {
        hk_beat beat = hk_beat_first(graph, c);
        for (int i = 0; i < BEATS && beat.at != HK_TICK_NEVER; i++) {
            hk_beat next = hk_beat_next(graph, c, beat);
            HK_ASSERT(next.at > beat.at && beat.at >= graph->start && beat.at < graph->end);
            beat = next;
        }
        HK_ASSERT(hk_cell_shortest(graph, c) <= hk_cell_longest(graph, c));
    }
    for (uint32_t f = 0; f < graph->flow_count; f++)
        HK_ASSERT(graph->cells[graph->flows[f].from].node != graph->cells[graph->flows[f].to].node);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_flow_graph *graph = NULL;
    hk_status status =
        hk_node_file_parse(ctx, &(hk_file_text){"fuzz.node", (const char *)data, size}, &graph);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK)
        walk(graph);
    hk_flow_graph_destroy(graph);
    hk_ctx_destroy(ctx);
    return 0;
}
