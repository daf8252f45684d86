/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2, F_SETPIPE_SZ */
#include "report/graph_pipes.h"

#include "time/bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static hk_status open_one(hk_ctx *ctx, const hk_flow *flow, int64_t messages, int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return hk_error(ctx, HK_E_INTERNAL, flow->where, "use fewer flows",
                        "no pipe could be made: %s", strerror(errno));
    }
    int has = fcntl(ends[1], F_GETPIPE_SZ);
    int64_t most = INT32_MAX / (int64_t)sizeof(hk_graph_message);
    int bytes = messages <= most ? (int)(messages * (int64_t)sizeof(hk_graph_message)) : INT32_MAX;
    if (messages <= most && (bytes <= has || fcntl(ends[1], F_SETPIPE_SZ, bytes) >= bytes))
        return HK_OK;
    return hk_error(ctx, HK_E_TIME, flow->where,
                    "choose a smaller lag, or a longer period of its source",
                    "flow '%s' needs room for %lld messages, more than a pipe has", flow->name,
                    (long long)messages);
}

hk_status hk_graph_pipes_open(hk_ctx *ctx, hk_arena *arena, const hk_flow_graph *graph,
                              int (**ret_pipes)[2]) {
    HK_ASSERT(ctx && arena && graph && ret_pipes);
    const hk_flow_bound *bounds = hk_flow_bounds(arena, graph);
    int(*pipes)[2] = hk_arena_alloc(arena, (graph->flow_count + 1) * sizeof *pipes);
    for (uint32_t f = 0; f < graph->flow_count; f++)
        pipes[f][0] = pipes[f][1] = -1;
    *ret_pipes = pipes;
    for (uint32_t f = 0; f < graph->flow_count; f++)
        HK_TRY(open_one(ctx, &graph->flows[f], bounds[f].capacity, pipes[f]));
    return HK_OK;
}

void hk_graph_pipes_close(const hk_flow_graph *graph, int (*pipes)[2]) {
    HK_ASSERT(graph);
    for (uint32_t f = 0; pipes && f < graph->flow_count; f++)
        for (int end = 0; end < 2; end++)
            if (pipes[f][end] >= 0)
                close(pipes[f][end]);
}
