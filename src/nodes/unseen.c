/* SPDX-License-Identifier: MIT
 *
 * What a node does with the listeners of its run, and what it says at its end. */
#include "nodes/nodes_internal.h"

void hk_nodes_report(hk_buffer *to, hk_status status, hk_tick reached, const hk_ctx *said) {
    hk_buffer_u64(to, (uint64_t)status);
    hk_buffer_u64(to, (uint64_t)reached);
    hk_buffer_diags(to, said);
}

static void *unseen_row(void *user) {
    return user;
}

static bool row_unseen(void *user, double time) {
    (void)user, (void)time;
    return true;
}

hk_listener *hk_nodes_unseen(hk_arena *arena, const hk_sim_options *o) {
    hk_listener *listeners = HK_NEW_ARRAY(arena, hk_listener, o->listener_count);
    for (size_t i = 0; i < o->listener_count; i++) {
        hk_listener *l = &listeners[i];
        *l = o->listeners[i];
        l->progress = (hk_progress_receiver){0};
        l->trace = (hk_trace_sink){0};
        if (!l->sink.row_begin)
            continue;
        size_t size = 0;
        for (size_t k = 0; k < l->column_count; k++)
            size = l->columns[k].offset + hk_store_size(l->columns[k].store);
        l->sink = (hk_sink){unseen_row, row_unseen, hk_arena_alloc(arena, size + sizeof(double))};
    }
    return listeners;
}
