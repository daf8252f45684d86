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
    _Atomic uint32_t waits_for;              /* a flow, plus 1; 0: it does not wait, or for room */
    _Alignas(HK_LINE) _Atomic uint32_t left; /* others look at it when they wait */
    _Alignas(HK_LINE) char apart[HK_LINE];   /* from what it writes with each message */
    _Atomic uint64_t sent;
    /* For those who want to know what it does; nobody looks at it as long as all goes well. */
    _Alignas(HK_LINE) _Atomic hk_tick now;
    _Atomic uint32_t waits; /* a flow, plus 1, and HK_FOR_ROOM; 0: it does not wait */
    _Atomic uint32_t answered;
    _Atomic uint64_t call;
    char doing[HK_PLACE_TEXT];
} hk_node_page;

static const uint32_t HK_FOR_ROOM = UINT32_C(1) << 31, HK_FOR_ALL = UINT32_MAX;

typedef struct hk_common_page {
    _Atomic uint32_t stopped, over;
    _Atomic hk_tick last;   /* who is stopped comes so far, and no further: hk_wires_end */
    _Atomic uint32_t asked; /* how often; a futex */
    hk_node_page nodes[];
} hk_common_page;

enum { HK_MAPS_MAX = 2 }; /* the common page, and rings */

/* Where memory and sockets come from. */
typedef enum hk_wires_origin {
    HK_WIRES_FORKED, /* the processes are forked from this one */
    HK_WIRES_OPEN,   /* they are made here and handed out by descriptors */
    HK_WIRES_GIVEN   /* they were made elsewhere */
} hk_wires_origin;

struct hk_wires {
    hk_wires_origin origin;
    int maps[HK_MAPS_MAX]; /* OPEN: descriptors of the memory, in the order it was made */
    size_t map_count;
    hk_wires_given given; /* GIVEN: those that nobody has taken yet are not -1 */
    size_t taken;         /* GIVEN: how many have been */
    const hk_plan_flows *flows;
    hk_transport transport;
    hk_common_page *common;
    size_t common_size;
    uint32_t node; /* whose process this is; HK_MAP_NONE: not known yet */
    void (*idle)(void *user);
    void *idle_user;
    unsigned looks;             /* in vain, since it was idle last */
    uint32_t no_room;           /* the flow that has none; HK_MAP_NONE: all have */
    bool waits;                 /* others see that */
    bool lost;                  /* what it waited for then is what others see for good */
    struct hk_rings *rings;     /* memory_wire.c */
    struct hk_sockets *sockets; /* socket_wire.c */
};

/* wires.c: something has changed for NODE. */
void hk_wires_ring(hk_wires *wires, uint32_t node);
/* There is a message of FLOW: NODE is woken if it sleeps, unless it waits for another one. */
void hk_wires_wake(hk_wires *wires, uint32_t node, uint32_t flow);
void hk_wires_count_sent(hk_wires *wires); /* one more message of this node */
void hk_wires_in_vain(hk_wires *wires);    /* nothing came for HK_LOOK_MS */
/* Memory that all processes of the run see, zeroed when it is made. */
HK_NODISCARD hk_status hk_shared_map(hk_ctx *ctx, hk_wires *wires, size_t size, void **ret_map);
/* The message about what a recorder gave that is something else. */
hk_status hk_wires_unlike(hk_ctx *ctx);
/* The next descriptor that was given; the caller's from then on; -1: there is none. */
int hk_wires_next(hk_wires *wires);
/* For others to see: it waits for FLOW, or, HK_MAP_NONE, for room, or else for all; it does not any
 * more. */
void hk_wires_show_wait(hk_wires *wires, uint32_t flow);
void hk_wires_hide_wait(hk_wires *wires);
/* True: the run is stopped, and who is at AT need not go on. */
bool hk_wires_must_stop(const hk_wires *wires, hk_tick at);
bool hk_wires_must_stop_here(const hk_wires *wires);          /* where this node is */
hk_wire_answer hk_wires_lose(hk_wires *wires, uint32_t flow); /* HK_WIRE_LOST */

HK_NODISCARD hk_status hk_rings_make(hk_ctx *ctx, hk_wires *wires);
void hk_rings_destroy(hk_wires *wires);
extern const hk_part_wire hk_rings_wire;

HK_NODISCARD hk_status hk_sockets_make(hk_ctx *ctx, hk_wires *wires);
void hk_sockets_destroy(hk_wires *wires);
void hk_sockets_take(hk_wires *wires);
bool hk_sockets_cut(const hk_wires *wires);
void hk_sockets_leave(hk_wires *wires); /* all that waits to be written goes, if it can */
/* The ends that NODE has, by the number of the other, into RET_FDS; how many. */
size_t hk_sockets_of(const hk_wires *wires, uint32_t node, int *ret_fds);
extern const hk_part_wire hk_sockets_wire;

#endif
