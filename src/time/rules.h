/* SPDX-License-Identifier: MIT
 *
 * The time rules of one node: a small state machine that knows which of its cells may run, which
 * flow to wait for, and what to send with which promise. It sends and receives nothing itself, so
 * every transport has the same rules; after it is made it allocates nothing.
 *
 * - A cell may run at t once every flow into it has promised a next stamp above t.
 * - Cells of a node run by time, then level, then index. No other cell's flows are waited for.
 * - After a cell has run it sends one message on each of its flows, in the order of the flows: the
 *   stamp is the activation + lag, the promise that of the next activation, HK_TICK_NEVER after the
 *   last.
 * - After the last activation of a cell the flows into it are closed: what still comes is thrown
 *   away, and who sends it does not wait. So nothing can hang at the end, whatever the stop time.
 *
 * Who has a loop of its own (the engine) asks hk_rules_blocking_flow before each cell; who has none
 * does what hk_rules_next_action says. Both report what was done, and what breaks a rule is
 * refused by name and changes nothing. */
#ifndef HK_TIME_RULES_H
#define HK_TIME_RULES_H

#include "time/flow_graph.h"

typedef struct hk_rules hk_rules;

/* Ways to break the contract between nodes. The first four are of a peer, the others our own. */
typedef enum hk_breach {
    HK_BREACH_NONE,
    HK_BREACH_STAMP,   /* the stamp is not the promised one */
    HK_BREACH_PROMISE, /* the promise is not after the stamp */
    HK_BREACH_ENDED,   /* a message after the one that was to be the last */
    HK_BREACH_FOREIGN, /* the flow or cell is not of this node */
    HK_BREACH_EARLY,   /* taken so early that it hides what the next activation has to see */
    HK_BREACH_WAITS,   /* a cell runs although a flow into it may still bring something */
    HK_BREACH_ORDER,   /* something else comes first */
    HK_BREACHES
} hk_breach;

typedef enum hk_rules_do {
    HK_RULES_RECEIVE, /* wait for the next message of `flow` */
    HK_RULES_RUN,     /* activate `cell` at `at` */
    HK_RULES_SEND,    /* send `at` and `promise` on `flow`; wait while it is full */
    HK_RULES_CLOSE,   /* close `flow` at this end */
    HK_RULES_END      /* nothing more */
} hk_rules_do;

typedef struct hk_rules_action {
    hk_rules_do what;
    uint32_t cell, flow; /* HK_MAP_NONE: does not apply */
    hk_tick at, promise;
} hk_rules_action;

/* The graph must outlive it. The memory is ARENA's. */
hk_rules *hk_rules_make(hk_arena *arena, const hk_flow_graph *graph, uint32_t node);

/* What the node does next; the same until it is reported. */
hk_rules_action hk_rules_next_action(const hk_rules *rules);
/* The flow that a cell of the node waits for at T: of those that do not yet promise a stamp above
 * T the one with the smallest next stamp, of equal ones the first. HK_MAP_NONE: it may run. */
uint32_t hk_rules_blocking_flow(const hk_rules *rules, uint32_t cell, hk_tick t);
/* The next stamp of a flow from or to the node: promised by the source, or to be sent by it. */
hk_tick hk_rules_next_stamp(const hk_rules *rules, uint32_t flow);

/* What was done. A message may be taken as soon as its sink is to see it at its next activation;
 * those of a closed flow are thrown away. */
HK_NODISCARD hk_breach hk_rules_received(hk_rules *rules, uint32_t flow, hk_tick stamp,
                                         hk_tick promise);
HK_NODISCARD hk_breach hk_rules_ran(hk_rules *rules, uint32_t cell, hk_tick t);
HK_NODISCARD hk_breach hk_rules_sent(hk_rules *rules, uint32_t flow, hk_tick stamp,
                                     hk_tick promise);
HK_NODISCARD hk_breach hk_rules_closed(hk_rules *rules, uint32_t flow);
/* The run ends at T on all nodes, before its time: no cell runs at T or later. T is not before
 * anything that has run. Nobody waits then for what was promised for T or later. */
void hk_rules_stop(hk_rules *rules, hk_tick t);

/* "the stamp is not the promised one" */
const char *hk_breach_text(hk_breach breach);
/* The error of a breach in a message (or HK_E_INTERNAL for one of our own), by nodes and flow. */
hk_status hk_rules_error(hk_ctx *ctx, const hk_rules *rules, hk_breach breach, uint32_t flow,
                         hk_tick stamp);

#endif
