/* SPDX-License-Identifier: MIT
 *
 * What the monitor adds up, and its clock. */
#ifndef HK_ENGINE_TOKENS_H
#define HK_ENGINE_TOKENS_H

#include "engine/sim_parts.h"

#include <math.h>

/* What a call adds to the sum: made of the arguments it is really made with, so that a call that is
 * left out, made twice, made with the values of another or for another instance changes the sum.
 * One factor is odd: none is zero, however round the addresses are. */
static inline uint64_t hk_token(uintptr_t fn, const void *self, const void *values) {
    return ((uint64_t)fn + (uint64_t)(uintptr_t)self) * (2 * (uint64_t)(uintptr_t)values + 1);
}

static inline uint64_t hk_step_token(uintptr_t fn, const void *self) {
    return (uint64_t)fn * (2 * (uint64_t)(uintptr_t)self + 1);
}

static inline uint64_t hk_copy_token(const void *from, const void *to) {
    return (uint64_t)(uintptr_t)from * (2 * (uint64_t)(uintptr_t)to + 1);
}

/* Three copies in line add what they would add one by one: with a = from and b = 2 to + 1 of the
 * one in the middle, and ab its token, (a - 8) (b - 16) + a b + (a + 8) (b + 16) = 3 a b + 256. */
#define HK_THREE_TOKENS(middle) (3 * (middle) + 256)

static inline void hk_set_due_exact(const hk_sim *sim, hk_due_time *due, hk_tick tick) {
    due->tick = tick;
    due->seconds = (double)tick / sim->time.ticks_each_second;
}

static inline void hk_set_due(const hk_sim *sim, hk_due_time *due, hk_tick tick) {
    hk_set_due_exact(sim, due, tick);
    if (!sim->time.exact_seconds)
        due->seconds = (double)NAN;
}

#endif
