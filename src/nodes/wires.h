/* SPDX-License-Identifier: MIT
 *
 * Wires between the nodes of one run: made before the processes are, or handed out to them, without
 * a name in the system, so that they are gone when the last process is, however that ends. Each
 * process takes its own end and gives it to the engine (hk_part_wire). One more transport is one
 * more file with such a table.
 */
#ifndef HK_NODES_WIRES_H
#define HK_NODES_WIRES_H

#include "engine/part.h"

typedef enum hk_transport { HK_OVER_MEMORY, HK_OVER_SOCKETS } hk_transport;

typedef struct hk_wires hk_wires;

/* What a node was given by hk_wires_lend. */
typedef struct hk_wires_given {
    hk_transport transport;
    uint32_t node; /* whose they are */
    int *fds;
    size_t count;
} hk_wires_given;

HK_NODISCARD hk_status hk_wires_make(hk_ctx *ctx, const hk_plan_flows *flows,
                                     hk_transport transport, hk_wires **ret_wires);
/* The same between processes that were started by hand: one makes them so that they can be handed
 * out, and gives each of the others its descriptors, which it lends; that one makes its own end of
 * them, and has closed them all in any case. */
HK_NODISCARD hk_status hk_wires_make_open(hk_ctx *ctx, const hk_plan_flows *flows,
                                          hk_transport transport, hk_wires **ret_wires);
size_t hk_wires_lend(const hk_wires *wires, uint32_t node, int **ret_fds); /* hk_free */
HK_NODISCARD hk_status hk_wires_make_of(hk_ctx *ctx, const hk_plan_flows *flows,
                                        const hk_wires_given *given, hk_wires **ret_wires);
void hk_wires_destroy(hk_wires *wires); /* NULL is fine */

/* In the process of NODE: its end. IDLE is called about ten times a second while it waits, and may
 * be NULL. */
hk_part_wire hk_wires_take(hk_wires *wires, uint32_t node, void (*idle)(void *user), void *user);
/* NODE sends nothing more: who waits for it finds that out, and what is sent to it is dropped. Also
 * for a node whose process is gone. All that it has sent before still arrives. */
void hk_wires_leave(hk_wires *wires, uint32_t node);
/* Somebody in this process has closed or replaced what the node sends and receives through. */
bool hk_wires_cut(const hk_wires *wires);
/* Nobody is to wait any more. */
void hk_wires_stop(hk_wires *wires);
bool hk_wires_stopped(const hk_wires *wires);
/* The run has ended in order, in the instant LAST: all others still come as far as that, as far as
 * they can, so that they have done what a run on one node does, and who waits for something then
 * has not failed. HK_MOMENT_INITIAL: they end where they are. Before hk_wires_stop. */
void hk_wires_end(hk_wires *wires, hk_tick last);
/* Waits until the recorder knows what came of the run, and has ended it or told all to stop; true:
 * it has ended in order. */
bool hk_wires_await_end(const hk_wires *wires);

enum { HK_PLACE_TEXT = 512 };

/* What a node does, as far as it says so itself: how far it is, what it waits for, and, where it
 * was asked, which call it is in. */
typedef struct hk_node_place {
    hk_tick now;
    uint64_t sent;      /* messages */
    uint32_t waits_for; /* a flow; HK_MAP_NONE: it does not wait */
    bool room;          /* it waits until somebody takes messages of that flow */
    bool for_all;       /* it waits for something that all nodes are to do */
    bool left;          /* it sends nothing more */
    bool answered;      /* the question that was asked last; what follows is of that moment */
    uint64_t call;      /* another number for each call of a component; 0: it is in none */
    char doing[HK_PLACE_TEXT]; /* hk_guard_where */
} hk_node_place;

/* These four are async-signal-safe. */
void hk_wires_place(const hk_wires *wires, uint32_t node, hk_node_place *ret_place);
void hk_wires_ask(hk_wires *wires); /* all nodes which call they are in */
/* The other side, in a thread of the node. Waits for a question that was not answered; false:
 * nobody has asked for so long. And answers it. */
bool hk_wires_asked(hk_wires *wires, int ms);
void hk_wires_answer(hk_wires *wires, uint64_t call, const char *doing);
uint64_t hk_wires_sent(const hk_wires *wires); /* messages so far, by all */
uint64_t hk_wires_sent_by(const hk_wires *wires, uint32_t node);

#endif
