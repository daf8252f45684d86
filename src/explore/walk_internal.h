/* SPDX-License-Identifier: MIT
 *
 * What a walk holds: for the two files that it is made of. */
#ifndef HK_EXPLORE_WALK_INTERNAL_H
#define HK_EXPLORE_WALK_INTERNAL_H

#include "explore/walk.h"

typedef struct hk_walk_successor {
    uint32_t to;    /* number of the state + 1; 0: none */
    uint32_t marks; /* index in hk_walk.marks */
} hk_walk_successor;

struct hk_walk {
    hk_vault *vault;
    uint32_t expanded;
    bool cut; /* there were more states, or ways out of one, than may be looked at */
    uint64_t steps;
    hk_walk_edge *reached_by; /* per state: the first edge that led to it */
    size_t *starts; /* per state that was expanded: where its successors begin in `bytes` */
    size_t cap;
    unsigned char *bytes; /* count, then (to - the one before, marks) as numbers of 7 bits a byte */
    size_t bytes_count, bytes_cap;
    uint64_t *marks; /* each set of marks once: few differ */
    size_t mark_count, mark_cap;
    hk_walk_successor *successors; /* of the state that is being expanded */
    size_t successor_count, successor_cap;
    uint64_t *from, *to;
    size_t futures_memory;
};

/* Reads a number and goes behind it. */
static inline uint64_t hk_walk_number(const unsigned char **at) {
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        unsigned char byte = *(*at)++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

#endif
