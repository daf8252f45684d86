/* SPDX-License-Identifier: MIT
 *
 * What nodes that were started by hand and the recorder say to each other before a run and after
 * it, as bytes: a head of fixed size, which no later version changes, then what it is about. Who
 * reads it trusts no number in it. */
#ifndef HK_NODES_GREETING_H
#define HK_NODES_GREETING_H

#include "nodes/agreement.h"

enum { HK_GREETING_HEAD = 24, HK_GREETING_MAX = 262144, HK_GREETING_PROTOCOL = 1 };

typedef enum hk_greeting_kind {
    HK_GREETING_HELLO,  /* both: who it is, and what all must have the same of */
    HK_GREETING_BEGIN,  /* recorder: all are there; so many descriptors follow */
    HK_GREETING_REFUSE, /* recorder: why it does not begin, or not with this node */
    HK_GREETING_ENDED   /* recorder: how the run ended */
} hk_greeting_kind;

typedef struct hk_greeting {
    hk_greeting_kind kind;
    uint32_t protocol;      /* if it is not ours, nothing below is known */
    uint64_t number;        /* HELLO: of the node, 0 the recorder; BEGIN: of descriptors; REFUSE: of
                               the node, 0 all of them; ENDED: the status */
    hk_agreement agreement; /* HELLO; finished by who reads it */
    const char *text;       /* REFUSE, ENDED; "" if there is none */
} hk_greeting;

void hk_greeting_write(const hk_greeting *greeting, hk_buffer *to);
/* How long the greeting is whose head lies at DATA; 0: it is not a greeting. */
size_t hk_greeting_size(const char data[HK_GREETING_HEAD]);
/* Reads a whole one; texts live in ARENA. False: it is not one. */
HK_NODISCARD bool hk_greeting_read(hk_arena *arena, const char *data, size_t size,
                                   hk_greeting *ret_greeting);
/* What THERE, which has just come, has another of than this process, in words; NULL: nothing. */
const char *hk_greeting_difference(hk_arena *arena, const hk_agreement *here,
                                   const hk_greeting *there);

#endif
