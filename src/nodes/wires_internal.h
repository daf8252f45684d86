/* SPDX-License-Identifier: MIT */
#ifndef HK_NODES_WIRES_INTERNAL_H
#define HK_NODES_WIRES_INTERNAL_H

#include "nodes/frame.h"
#include "nodes/wires.h"

#include <stdatomic.h>

/* Who waits for one flow looks at all of them after so long. */
enum { HK_LINE = 64, HK_LOOK_MS = 10, HK_IDLE_MS = 100 };

/* What all processes see of a node; a line of the cache each. */
typedef struct hk_node_page {
    _Alignas(HK_LINE) _Atomic uint32_t bell; /* counts what has changed for it: a futex */
    _Atomic uint32_t sleeps;
    _Atomic uint32_t waits_for; /* a flow, plus 1; 0: it does not wait, or for room */
    _Atomic uint32_t left;
    _Atomic uint64_t sent;
} hk_node_page;

typedef struct hk_common_page {
    _Atomic uint32_t stopped;
    hk_node_page nodes[];
} hk_common_page;

struct hk_wires {
    const hk_plan_flows *flows;
    hk_transport transport;
    hk_common_page *common;
    size_t common_size;
    uint32_t node; /* whose process this is; HK_MAP_NONE: not known yet */
    void (*idle)(void *user);
    void *idle_user;
    unsigned looks;             /* in vain, since it was idle last */
    struct hk_rings *rings;     /* memory_wire.c */
    struct hk_sockets *sockets; /* socket_wire.c */
};

/* wires.c: something has changed for NODE. */
void hk_wires_ring(hk_wires *wires, uint32_t node);
/* The same where it is about one flow: who waits for another one goes on sleeping. */
void hk_wires_ring_for(hk_wires *wires, uint32_t node, uint32_t flow);
void hk_wires_in_vain(hk_wires *wires);        /* nothing came for HK_LOOK_MS */
void *hk_shared_map(hk_ctx *ctx, size_t size); /* zeroed, for all who are forked; NULL: an error */

HK_NODISCARD hk_status hk_rings_make(hk_ctx *ctx, hk_wires *wires);
void hk_rings_destroy(hk_wires *wires);
extern const hk_part_wire hk_rings_wire;

HK_NODISCARD hk_status hk_sockets_make(hk_ctx *ctx, hk_wires *wires);
void hk_sockets_destroy(hk_wires *wires);
void hk_sockets_take(hk_wires *wires);
void hk_sockets_leave(hk_wires *wires); /* all that waits to be written goes, if it can */
extern const hk_part_wire hk_sockets_wire;

#endif
