/* SPDX-License-Identifier: MIT
 *
 * What a node has to say, and at which moment of the run: several of them are put together as one
 * node would have said it. */
#ifndef HK_NODES_NODE_SAID_H
#define HK_NODES_NODE_SAID_H

#include "base/buffer.h"
#include "engine/part.h"

typedef struct hk_said {
    hk_ctx *ctx;
    hk_moment *moments; /* per diagnostic */
    size_t count, cap;
    hk_sim *sim; /* in the process of the node: whose moments they are; NULL: it is not made yet */
    bool over;   /* or is gone again */
} hk_said;

/* SAID stays where it is until its end. */
void hk_said_begin(hk_said *said);
void hk_said_finish(hk_said *said);         /* zeroed: nothing happens */
hk_moment hk_said_now(const hk_said *said); /* for signal handlers, too */

/* For the way to another process. */
void hk_said_pack(hk_buffer *to, const hk_said *said);
HK_NODISCARD bool hk_said_unpack(hk_buffer_source *from, hk_said *ret_said);

/* The moment of its first error; false: there is none. */
bool hk_said_failed(const hk_said *said, hk_moment *ret_when);
/* What was said already, by who says it now: from, to. */
typedef struct hk_said_range {
    size_t from, to;
} hk_said_range;
/* Says all up to and with UNTIL, and what came after the run, in the order of a run on one node,
 * but what is KNOWN. What several say alike at one moment is said once. Some may be zeroed. */
void hk_said_all(hk_ctx *ctx, const hk_said *const *all, size_t count, const hk_moment *until,
                 hk_said_range known);

#endif
