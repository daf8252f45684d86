/* SPDX-License-Identifier: MIT
 *
 * What all transports share: a page that every process of a run sees. */
#include "nodes/wires_internal.h"

#include "base/bell.h"
#include "base/descriptors.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *open_map(hk_wires *w, size_t size) {
    HK_ASSERT(w->map_count < HK_MAPS_MAX);
    void *map = hk_memory_to_share(size, &w->maps[w->map_count]);
    w->map_count += map != NULL;
    return map;
}

int hk_wires_next(hk_wires *w) {
    if (w->taken >= w->given.count)
        return -1;
    int fd = w->given.fds[w->taken];
    w->given.fds[w->taken++] = -1;
    return fd;
}

/* What was given must be what would have been made here. */
static void *given_map(hk_wires *w, size_t size) {
    int fd = hk_wires_next(w);
    void *map = hk_memory_of(fd, size);
    if (fd >= 0)
        close(fd);
    return map;
}

hk_status hk_wires_unlike(hk_ctx *ctx) {
    return hk_error(ctx, HK_E_MEETING, HK_NOWHERE,
                    "start the recorder and its nodes with the same hocket, and meet at a place "
                    "that no other program uses",
                    "what the recorder gave are not the wires that this node would have made");
}

hk_status hk_shared_map(hk_ctx *ctx, hk_wires *w, size_t size, void **ret_map) {
    void *map = w->origin == HK_WIRES_FORKED ? hk_shared_memory(size)
                : w->origin == HK_WIRES_OPEN ? open_map(w, size)
                                             : given_map(w, size);
    *ret_map = map;
    if (map)
        return HK_OK;
    if (w->origin == HK_WIRES_GIVEN && errno == EPROTO)
        return hk_wires_unlike(ctx);
    return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer nodes, or --transport unix",
                    "no %zu bytes of shared memory: %s", size, strerror(errno));
}

static hk_status make(hk_ctx *ctx, const hk_plan_flows *flows, const hk_wires *as,
                      hk_wires **ret_wires) {
    HK_ASSERT(ctx && flows && ret_wires);
    size_t nodes = flows->placement.node_count;
    hk_transport transport = as->transport;
    hk_wires *w = hk_alloc(sizeof *w);
    *w = *as;
    w->flows = flows;
    w->node = HK_MAP_NONE;
    w->common_size = sizeof *w->common + nodes * sizeof *w->common->nodes;
    void *common = NULL;
    hk_status status = hk_shared_map(ctx, w, w->common_size, &common);
    w->common = common;
    for (size_t i = 0; i < nodes && w->common && as->origin != HK_WIRES_GIVEN; i++) {
        atomic_store(&w->common->nodes[i].now, flows->plan->start);
        atomic_store(&w->common->last, HK_MOMENT_INITIAL);
    }
    if (status == HK_OK)
        status = transport == HK_OVER_MEMORY ? hk_rings_make(ctx, w) : hk_sockets_make(ctx, w);
    if (status != HK_OK) {
        hk_wires_destroy(w);
        return status;
    }
    *ret_wires = w;
    return HK_OK;
}

hk_status hk_wires_make(hk_ctx *ctx, const hk_plan_flows *flows, hk_transport transport,
                        hk_wires **ret_wires) {
    HK_ASSERT(ctx && flows && ret_wires);
    return make(ctx, flows, &(hk_wires){.transport = transport}, ret_wires);
}

hk_status hk_wires_make_open(hk_ctx *ctx, const hk_plan_flows *flows, hk_transport transport,
                             hk_wires **ret_wires) {
    HK_ASSERT(ctx && flows && ret_wires);
    return make(ctx, flows, &(hk_wires){.origin = HK_WIRES_OPEN, .transport = transport},
                ret_wires);
}

hk_status hk_wires_make_of(hk_ctx *ctx, const hk_plan_flows *flows, const hk_wires_given *given,
                           hk_wires **ret_wires) {
    HK_ASSERT(given);
    hk_wires as = {.origin = HK_WIRES_GIVEN, .transport = given->transport, .given = *given};
    hk_wires *w = NULL;
    hk_status status = make(ctx, flows, &as, &w);
    bool whole = status == HK_OK && w->taken == given->count;
    for (size_t i = 0; i < given->count; i++)
        if (given->fds[i] >= 0)
            close(given->fds[i]);
    if (status != HK_OK)
        return status;
    w->given = (hk_wires_given){0};
    if (!whole) {
        hk_wires_destroy(w);
        return hk_wires_unlike(ctx);
    }
    *ret_wires = w;
    return HK_OK;
}

size_t hk_wires_lend(const hk_wires *w, uint32_t node, int **ret_fds) {
    HK_ASSERT(w && w->origin == HK_WIRES_OPEN && ret_fds);
    int *fds = hk_alloc((w->map_count + w->flows->placement.node_count) * sizeof *fds);
    memcpy(fds, w->maps, w->map_count * sizeof *fds);
    *ret_fds = fds;
    return w->map_count + (w->sockets ? hk_sockets_of(w, node, fds + w->map_count) : 0);
}

void hk_wires_destroy(hk_wires *w) {
    if (!w)
        return;
    for (size_t i = 0; i < w->map_count; i++)
        close(w->maps[i]);
    hk_rings_destroy(w);
    hk_sockets_destroy(w);
    if (w->common)
        munmap(w->common, w->common_size);
    hk_free(w);
}

hk_part_wire hk_wires_take(hk_wires *w, uint32_t node, void (*idle)(void *user), void *user) {
    HK_ASSERT(w && node < w->flows->placement.node_count);
    w->node = node;
    w->no_room = HK_MAP_NONE;
    w->idle = idle;
    w->idle_user = user;
    if (w->sockets)
        hk_sockets_take(w);
    hk_part_wire wire = w->transport == HK_OVER_MEMORY ? hk_rings_wire : hk_sockets_wire;
    wire.user = w;
    wire.now = &w->common->nodes[node].now;
    return wire;
}

void hk_wires_ring(hk_wires *w, uint32_t node) {
    hk_node_page *n = &w->common->nodes[node];
    atomic_fetch_add(&n->bell, 1);
    if (atomic_load(&n->sleeps))
        hk_futex_wake(&n->bell);
}

void hk_wires_wake(hk_wires *w, uint32_t node, uint32_t flow) {
    hk_node_page *n = &w->common->nodes[node];
    if (!atomic_load(&n->sleeps))
        return;
    uint32_t waits_for = atomic_load(&n->waits_for);
    if (!waits_for || waits_for == flow + 1)
        hk_wires_ring(w, node);
}

/* Nobody else writes it. */
void hk_wires_count_sent(hk_wires *w) {
    _Atomic uint64_t *sent = &w->common->nodes[w->node].sent;
    uint64_t count = atomic_load_explicit(sent, memory_order_relaxed);
    atomic_store_explicit(sent, count + 1, memory_order_relaxed);
}

void hk_wires_in_vain(hk_wires *w) {
    if (++w->looks < HK_IDLE_MS / HK_LOOK_MS)
        return;
    w->looks = 0;
    if (w->idle)
        w->idle(w->idle_user);
}

void hk_wires_show_wait(hk_wires *w, uint32_t flow) {
    uint32_t waits = flow != HK_MAP_NONE         ? flow + 1
                     : w->no_room == HK_MAP_NONE ? HK_FOR_ALL
                                                 : (w->no_room + 1) | HK_FOR_ROOM;
    if (w->lost)
        return;
    w->waits = true;
    atomic_store_explicit(&w->common->nodes[w->node].waits, waits, memory_order_relaxed);
}

void hk_wires_hide_wait(hk_wires *w) {
    w->waits = false;
    w->no_room = HK_MAP_NONE;
    if (!w->lost)
        atomic_store_explicit(&w->common->nodes[w->node].waits, 0, memory_order_relaxed);
}

hk_wire_answer hk_wires_lose(hk_wires *w, uint32_t flow) {
    if (!hk_wires_stopped(w))
        hk_wires_show_wait(w, flow);
    w->lost = true;
    return HK_WIRE_LOST;
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

bool hk_wires_cut(const hk_wires *w) {
    HK_ASSERT(w);
    return w->sockets && hk_sockets_cut(w);
}

void hk_wires_stop(hk_wires *w) {
    HK_ASSERT(w);
    atomic_store(&w->common->stopped, 1);
    ring_all(w);
}

void hk_wires_end(hk_wires *w, hk_tick last) {
    HK_ASSERT(w);
    atomic_store(&w->common->last, last);
    atomic_store(&w->common->over, 1);
}

bool hk_wires_must_stop(const hk_wires *w, hk_tick at) {
    return hk_wires_stopped(w) && at > atomic_load(&w->common->last);
}

bool hk_wires_must_stop_here(const hk_wires *w) {
    return hk_wires_must_stop(w, atomic_load(&w->common->nodes[w->node].now));
}

bool hk_wires_await_end(const hk_wires *w) {
    HK_ASSERT(w);
    while (!atomic_load(&w->common->over) && !hk_wires_stopped(w))
        (void)poll(NULL, 0, 1); /* who waits here dies with the recorder */
    return atomic_load(&w->common->over);
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

/* ---- what nodes do ---- */

void hk_wires_place(const hk_wires *w, uint32_t node, hk_node_place *ret_place) {
    HK_ASSERT(w && node < w->flows->placement.node_count && ret_place);
    const hk_node_page *n = &w->common->nodes[node];
    uint32_t waits = atomic_load(&n->waits), flow = (waits & ~HK_FOR_ROOM) - 1;
    hk_node_place p = {.now = atomic_load(&n->now),
                       .sent = atomic_load(&n->sent),
                       .waits_for = waits && flow < w->flows->count ? flow : HK_MAP_NONE,
                       .room = waits & HK_FOR_ROOM,
                       .for_all = waits == HK_FOR_ALL,
                       .left = atomic_load(&n->left),
                       .answered = atomic_load(&n->answered) == atomic_load(&w->common->asked)};
    if (p.answered) {
        p.call = atomic_load(&n->call);
        memcpy(p.doing, n->doing, sizeof p.doing); /* a node may write there whatever it wants */
        p.doing[sizeof p.doing - 1] = '\0';
    }
    *ret_place = p;
}

void hk_wires_ask(hk_wires *w) {
    HK_ASSERT(w);
    atomic_fetch_add(&w->common->asked, 1);
    hk_futex_wake(&w->common->asked);
}

bool hk_wires_asked(hk_wires *w, int ms) {
    HK_ASSERT(w && w->node != HK_MAP_NONE);
    uint32_t answered = atomic_load(&w->common->nodes[w->node].answered);
    if (atomic_load(&w->common->asked) == answered)
        (void)hk_futex_wait(&w->common->asked, answered, ms);
    return atomic_load(&w->common->asked) != answered;
}

void hk_wires_answer(hk_wires *w, uint64_t call, const char *doing) {
    HK_ASSERT(w && w->node != HK_MAP_NONE && doing);
    hk_node_page *n = &w->common->nodes[w->node];
    uint32_t asked = atomic_load(&w->common->asked);
    atomic_store(&n->call, call);
    (void)snprintf(n->doing, sizeof n->doing, "%s", doing);
    atomic_store(&n->answered, asked);
}

uint64_t hk_wires_sent_by(const hk_wires *w, uint32_t node) {
    HK_ASSERT(w && node < w->flows->placement.node_count);
    return atomic_load(&w->common->nodes[node].sent);
}
