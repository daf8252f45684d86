/* SPDX-License-Identifier: MIT
 *
 * The processes of a run, for the files of this room that start them, are them, and say what became
 * of them. */
#ifndef HK_NODES_NODES_INTERNAL_H
#define HK_NODES_NODES_INTERNAL_H

#include "base/buffer.h"
#include "nodes/joined.h"
#include "nodes/merge_log.h"
#include "nodes/merge_trace.h"
#include "nodes/node_said.h"
#include "nodes/nodes.h"
#include "nodes/watch.h"

#include <sys/types.h>

/* One of them, as the recorder sees it. */
typedef struct hk_node {
    pid_t pid; /* 0: it is gone */
    bool met;  /* it was started by hand: its process is not ours, and has no number here */
    int fd;    /* what it tells; -1: closed */
    int how;   /* its process ended */
    hk_buffer told;
    bool has_told;
    hk_status status;
    hk_said said;
    const char *last_words; /* of a process that a component took down */
    const char *last_hint;  /* "": none */
    hk_moment last_moment;  /* when that was */
    bool ended;             /* by us, since it would not */
    hk_bytes accounted;     /* hk_sim_account */
    hk_part_account account;
} hk_node;

struct hk_nodes {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_plan_flows *flows;
    hk_wires *wires;
    hk_shelves *shelves;
    const char *loaded; /* the state that all go on from */
    size_t said_before; /* until the simulation of the recorder was made */
    hk_node_watch *watch;
    hk_sim_part part;
    hk_sim *sim;               /* of the recorder; NULL: it is not made */
    hk_trace_sink trace;       /* of all nodes; write NULL: nobody wants it */
    hk_lines *traced, *logged; /* what they write down; NULL: nothing */
    hk_node *all;
    unsigned count;
    unsigned number;     /* in the process of a node: which it is */
    unsigned first_lost; /* the first node that was found gone; count: none was */
    hk_joined *joined;   /* this process is a node, and has none itself; NULL: the recorder */
    const char *lost_at; /* when it was found: where it was, and who waited for whom */
    int64_t late_ns;     /* when --timeout ends the run; 0: it does not */
    double timeout_s;
    const char *late; /* it has: who was waited for */
};

/* ---- node_process.c: a node, in its own process ---- */

/* A report of a node is a length and as many bytes; last words have this bit in the length. */
#define HK_LAST_WORDS (UINT64_C(1) << 63)
enum { HK_CUT_OFF = 251 }; /* exit status of a node that cannot speak any more */

/* The process of a node that was forked; FD: what it tells through. */
_Noreturn void hk_nodes_live(hk_nodes *nodes, uint32_t number, const hk_sim_options *sim_options,
                             const hk_nodes_options *options, int fd);
/* How a node ended, for the recorder. */
void hk_nodes_report(hk_buffer *to, hk_status status, const hk_said *said,
                     const hk_buffer *account);

/* ---- nodes_end.c: what is said at the end ---- */

/* The moment at which a node failed; false: it did not, by itself. */
bool hk_node_has_failed(const hk_node *node, hk_moment *ret_when);
/* What the nodes have to say, as one would have said it: up to END, or to the first failure before
 * it. What came of it: the status of that failure, or STATUS, which is that of the recorder. */
HK_NODISCARD hk_status hk_nodes_gather(hk_nodes *nodes, hk_status status, hk_moment end);
/* One message for a process that is gone without having said why. */
HK_NODISCARD hk_status hk_nodes_say_lost(hk_nodes *nodes, uint32_t number);
/* The same for a state that nodes have refused. */
HK_NODISCARD hk_status hk_nodes_say_refusal(hk_nodes *nodes, hk_status status);

/* ---- terms.c: what all must have the same of, beside what OPTIONS bring ---- */

void hk_nodes_agree(const hk_plan_flows *flows, const hk_sim_options *sim_options,
                    const hk_nodes_options *options);

/* ---- hand_out.c ---- */

/* Each node that has come to the meeting gets its end of the wires. Which one was gone by then;
 * COUNT: none. */
unsigned hk_meeting_hand_out(const int *fds, unsigned count, const hk_wires *wires);
/* How the run ended, to one of them, by what was said; SIM may be NULL. */
void hk_meeting_tell_end(int fd, const hk_ctx *ctx, hk_status status, const hk_sim *sim);

#endif
