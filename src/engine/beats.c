/* SPDX-License-Identifier: MIT
 *
 * Which rates are due together, and when: the instants of one hyperperiod, if they are not too
 * many to be written down. */
#include "engine/deeds_internal.h"

enum { BEATS_MAX = 4096, SETS_MAX = 64 };

static bool find_hyperperiod(const hk_sim *sim, hk_tick *ret) {
    hk_tick all = 1;
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        hk_tick a = all, b = sim->loop.rates[r].period;
        while (b) {
            hk_tick rest = a % b;
            a = b;
            b = rest;
        }
        if (__builtin_mul_overflow(all / a, sim->loop.rates[r].period, &all))
            return false;
    }
    *ret = all;
    return true;
}

static uint32_t set_with(hk_due_beats *b, uint64_t mask) {
    size_t i = 0;
    while (i < b->mask_count && b->masks[i] != mask)
        i++;
    if (i == b->mask_count && i < SETS_MAX)
        b->masks[b->mask_count++] = mask;
    return (uint32_t)i;
}

/* The rates that are due next, and when; they move on. */
static hk_tick next_beat(const hk_sim *sim, hk_tick *next, hk_tick end, uint64_t *ret_mask) {
    hk_tick at = end;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        at = next[r] < at ? next[r] : at;
    *ret_mask = 0;
    for (size_t r = 0; r < sim->loop.rate_count && at < end; r++)
        if (next[r] == at) {
            *ret_mask |= UINT64_C(1) << r;
            next[r] += sim->loop.rates[r].period;
        }
    return at;
}

static bool write_beats(const hk_sim *sim, hk_due_beats *b, hk_tick *next) {
    for (;;) {
        uint64_t mask;
        hk_tick at = next_beat(sim, next, b->hyperperiod, &mask);
        if (at == b->hyperperiod)
            return true;
        uint32_t set = set_with(b, mask);
        if (b->count == BEATS_MAX || set == SETS_MAX)
            return false;
        b->all[b->count++] = (hk_due_beat){.at = at, .set = set};
    }
}

void hk_beats_find(const hk_sim *sim, hk_arena *arena, hk_due_beats *ret_beats) {
    HK_ASSERT(sim && arena && ret_beats);
    hk_tick next[HK_BEAT_RATES_MAX];
    hk_due_beats b = {.first = INT64_MIN};
    *ret_beats = b;
    if (sim->loop.rate_count > HK_BEAT_RATES_MAX || !find_hyperperiod(sim, &b.hyperperiod))
        return;
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        hk_tick begins = sim->plan->start + sim->plan->rates[r].offset;
        b.first = begins > b.first ? begins : b.first;
    }
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        hk_tick begins = sim->plan->start + sim->plan->rates[r].offset,
                p = sim->loop.rates[r].period;
        next[r] = (p - (b.first - begins) % p) % p;
    }
    b.all = HK_NEW_ARRAY(arena, hk_due_beat, BEATS_MAX);
    b.masks = HK_NEW_ARRAY(arena, uint64_t, SETS_MAX);
    if (write_beats(sim, &b, next))
        *ret_beats = b;
}
