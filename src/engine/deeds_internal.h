/* SPDX-License-Identifier: MIT
 *
 * Reading the deeds of one cell, again and again: for deeds.c and fused.c. */
#ifndef HK_ENGINE_DEEDS_INTERNAL_H
#define HK_ENGINE_DEEDS_INTERNAL_H

#include "engine/bind_stages.h"
#include "engine/deeds.h"

typedef struct hk_deed_collector {
    const hk_sim *sim;
    hk_arena *arena;
    hk_deed *all; /* of the cell that was read last; for hk_free, like fars */
    size_t count, cap;
    const void **fars;
    size_t far_count, far_cap;
    uint32_t lines, factors; /* so far */
    hk_fused_part part;
} hk_deed_collector;

/* beats.c: the instants of a hyperperiod. */
typedef struct hk_due_beat {
    hk_tick at; /* from its beginning */
    uint32_t set;
    uint32_t alike; /* fused_run.c: so many from here on are one function, and all the same one */
} hk_due_beat;

typedef struct hk_due_beats {
    hk_due_beat *all; /* NULL: it is too long, or there are too many */
    size_t count;
    hk_tick first, hyperperiod; /* all rates have begun at FIRST */
    uint64_t *masks;            /* of the sets of rates that are due together */
    size_t mask_count;
} hk_due_beats;
enum { HK_BEAT_RATES_MAX = 64 };
void hk_beats_find(const hk_sim *sim, hk_arena *arena, hk_due_beats *ret_beats);

/* WHOLE: as if nothing were stopped. */
void hk_deeds_collect(hk_deed_collector *k, const hk_cell *c, uint32_t number, bool whole);

#endif
