/* SPDX-License-Identifier: MIT */
#include "report/check_report.h"

#include "base/file.h"
#include "report/graph_pipes.h"
#include "time/cycles.h"
#include "time/node_file.h"

#include <strings.h>

bool hk_names_graph(const char *path) {
    HK_ASSERT(path);
    return strcasecmp(hk_path_extension(path), ".node") == 0;
}

hk_status hk_check_graph(hk_ctx *ctx, const char *path, hk_checked *ret_checked) {
    HK_ASSERT(ctx && path && ret_checked);
    hk_flow_graph *graph = NULL;
    HK_TRY(hk_node_file_read(ctx, path, &graph));
    hk_arena *arena = hk_arena_create();
    int(*pipes)[2] = NULL;
    hk_status status = hk_flow_graph_check(ctx, graph);
    if (status == HK_OK) /* 'hocket node' could not run it */
        status = hk_graph_pipes_open(ctx, arena, graph, &pipes);
    hk_graph_pipes_close(graph, pipes);
    hk_arena_destroy(arena);
    *ret_checked = (hk_checked){.is_graph = true,
                                .nodes = graph->node_count,
                                .cells = graph->cell_count,
                                .flows = graph->flow_count};
    hk_flow_graph_destroy(graph);
    return status;
}
