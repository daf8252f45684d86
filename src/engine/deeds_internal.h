/* SPDX-License-Identifier: MIT
 *
 * Reading the deeds of one cell, again and again: for deeds.c and fused.c. */
#ifndef HK_ENGINE_DEEDS_INTERNAL_H
#define HK_ENGINE_DEEDS_INTERNAL_H

#include "engine/build.h"
#include "engine/deeds.h"

typedef struct collector {
    const hk_sim *sim;
    hk_arena *arena;
    hk_deed *all; /* of the cell that was read last; for hk_free, like fars */
    size_t count, cap;
    const void **fars;
    size_t far_count, far_cap;
    uint32_t lines, factors; /* so far */
    hk_fused_part part;
} collector;

/* WHOLE: as if nothing were stopped. */
void hk_deeds_collect(collector *k, const cell *c, uint32_t number, bool whole);

#endif
