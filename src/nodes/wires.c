/* SPDX-License-Identifier: MIT
 *
 * What all transports share: a page that every process of a run sees. */
#include "nodes/wires_internal.h"

#include "base/bell.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

void *hk_shared_map(hk_ctx *ctx, size_t size) {
    void *map = hk_shared_memory(size);
    if (map)
        return map;
    (void)hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer nodes, or --transport unix",
                   "no %zu bytes of shared memory: %s", size, strerror(errno));
    return NULL;
}

hk_status hk_wires_make(hk_ctx *ctx, const hk_plan_flows *flows, hk_transport transport,
                        hk_wires **ret_wires) {
    HK_ASSERT(ctx && flows && ret_wires);
    size_t nodes = flows->placement.node_count;
    hk_wires *w = hk_alloc(sizeof *w);
    *w = (hk_wires){.flows = flows, .transport = transport, .node = HK_MAP_NONE};
    w->common_size = sizeof *w->common + nodes * sizeof *w->common->nodes;
    w->common = hk_shared_map(ctx, w->common_size);
    hk_status status = w->common ? HK_OK : HK_E_INTERNAL;
    if (status == HK_OK)
        status = transport == HK_OVER_MEMORY ? hk_rings_make(ctx, w) : hk_sockets_make(ctx, w);
    if (status != HK_OK) {
        hk_wires_destroy(w);
        return status;
    }
    *ret_wires = w;
    return HK_OK;
}

void hk_wires_destroy(hk_wires *w) {
    if (!w)
        return;
    hk_rings_destroy(w);
    hk_sockets_destroy(w);
    if (w->common)
        munmap(w->common, w->common_size);
    hk_free(w);
}

hk_part_wire hk_wires_take(hk_wires *w, uint32_t node, void (*idle)(void *user), void *user) {
    HK_ASSERT(w && node < w->flows->placement.node_count);
    w->node = node;
    w->idle = idle;
    w->idle_user = user;
    if (w->sockets)
        hk_sockets_take(w);
    hk_part_wire wire = w->transport == HK_OVER_MEMORY ? hk_rings_wire : hk_sockets_wire;
    wire.user = w;
    return wire;
}

void hk_wires_ring(hk_wires *w, uint32_t node) {
    hk_node_page *n = &w->common->nodes[node];
    atomic_fetch_add(&n->bell, 1);
    if (atomic_load(&n->sleeps))
        hk_futex_wake(&n->bell);
}

void hk_wires_ring_for(hk_wires *w, uint32_t node, uint32_t flow) {
    hk_node_page *n = &w->common->nodes[node];
    atomic_fetch_add(&n->bell, 1);
    uint32_t waits_for = atomic_load(&n->waits_for);
    if (atomic_load(&n->sleeps) && (!waits_for || waits_for == flow + 1))
        hk_futex_wake(&n->bell);
}

void hk_wires_in_vain(hk_wires *w) {
    if (++w->looks < HK_IDLE_MS / HK_LOOK_MS)
        return;
    w->looks = 0;
    if (w->idle)
        w->idle(w->idle_user);
}

static void ring_all(hk_wires *w) {
    for (uint32_t i = 0; i < w->flows->placement.node_count; i++)
        hk_wires_ring(w, i);
}

void hk_wires_leave(hk_wires *w, uint32_t node) {
    HK_ASSERT(w && node < w->flows->placement.node_count);
    if (w->sockets && node == w->node)
        hk_sockets_leave(w);
    atomic_store(&w->common->nodes[node].left, 1);
    ring_all(w);
}

void hk_wires_stop(hk_wires *w) {
    HK_ASSERT(w);
    atomic_store(&w->common->stopped, 1);
    ring_all(w);
}

bool hk_wires_stopped(const hk_wires *w) {
    HK_ASSERT(w);
    return atomic_load(&w->common->stopped);
}

uint64_t hk_wires_sent(const hk_wires *w) {
    HK_ASSERT(w);
    uint64_t sent = 0;
    for (uint32_t i = 0; i < w->flows->placement.node_count; i++)
        sent += atomic_load(&w->common->nodes[i].sent);
    return sent;
}
