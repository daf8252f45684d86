/* SPDX-License-Identifier: MIT */
#include "nodes/node_listeners.h"

static void *unseen_row(void *user) {
    return user;
}

static bool row_unseen(void *user, double time) {
    (void)user, (void)time;
    return true;
}

hk_listener *hk_listeners_of_node(hk_arena *arena, const hk_sim_options *options,
                                  void (*write)(void *user, const char *text, size_t size),
                                  void *user) {
    HK_ASSERT(arena && options);
    hk_listener *listeners = HK_NEW_ARRAY(arena, hk_listener, options->listener_count);
    for (size_t i = 0; i < options->listener_count; i++) {
        hk_listener *l = &listeners[i];
        *l = options->listeners[i];
        l->progress = (hk_progress_receiver){0};
        if (l->trace.write)
            l->trace = (hk_trace_sink){write, user, l->trace.every};
        if (!l->sink.row_begin)
            continue;
        size_t size = 0;
        for (size_t k = 0; k < l->column_count; k++)
            size = l->columns[k].offset + hk_store_size(l->columns[k].store);
        l->sink = (hk_sink){unseen_row, row_unseen, hk_arena_alloc(arena, size + sizeof(double))};
    }
    return listeners;
}

hk_listener *hk_listeners_of_recorder(hk_arena *arena, const hk_sim_options *options,
                                      hk_trace_sink *ret_trace) {
    HK_ASSERT(arena && options && ret_trace);
    hk_listener *listeners = HK_NEW_ARRAY(arena, hk_listener, options->listener_count);
    for (size_t i = 0; i < options->listener_count; i++) {
        listeners[i] = options->listeners[i];
        if (listeners[i].trace.write)
            *ret_trace = listeners[i].trace;
        listeners[i].trace = (hk_trace_sink){0};
    }
    return listeners;
}
