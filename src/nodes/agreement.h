/* SPDX-License-Identifier: MIT
 *
 * What all nodes of a run must have the same of: a list of texts, each with what it is about. Nodes
 * that were started by hand compare theirs before anything runs, and name what differs. */
#ifndef HK_NODES_AGREEMENT_H
#define HK_NODES_AGREEMENT_H

#include "base/buffer.h"

typedef struct hk_agreed {
    const char *what; /* "the stop-time", for a message */
    const char *value;
} hk_agreed;

typedef struct hk_agreement {
    hk_arena *arena; /* texts live in it */
    hk_agreed *all;  /* freed with hk_agreement_finish */
    size_t count, cap;
    uint64_t rest; /* of what is beyond the first few hundred: a hash */
} hk_agreement;

/* Long values are cut, with a hash of the whole. */
void hk_agreement_add(hk_agreement *agreement, const char *what, const char *value);
void hk_agreement_number(hk_agreement *agreement, const char *what, uint64_t number);
void hk_agreement_finish(hk_agreement *agreement);

void hk_agreement_write(const hk_agreement *agreement, hk_buffer *to);
/* False: it is not one. */
HK_NODISCARD bool hk_agreement_read(hk_buffer_source *from, hk_agreement *ret_agreement);
/* "the stop-time is '1' here and '2' there", in ARENA; NULL: they are the same. */
const char *hk_agreement_difference(hk_arena *arena, const hk_agreement *here,
                                    const hk_agreement *there);

#endif
