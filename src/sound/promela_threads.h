/* SPDX-License-Identifier: MIT
 *
 * The calls of a partial order, shared out to processes of spin. */
#ifndef HK_SOUND_PROMELA_THREADS_H
#define HK_SOUND_PROMELA_THREADS_H

#include "sound/sound.h"

typedef struct hk_promela_threads {
    const hk_sound_master *m;
    size_t n, words, count, groups;
    uint32_t *order;      /* calls in an order that fits; by rank */
    uint64_t *pred;       /* per call of two steps (n + call: of the second): those before it */
    uint64_t *succ;       /* per call of the first step: those after it */
    uint32_t *thread;     /* per call */
    uint32_t *position;   /* ... and its place there, from 0 */
    uint32_t *length;     /* per thread */
    const size_t *number; /* per call: that of the one who writes it */
} hk_promela_threads;

/* Shares the step of a master out, so that CYCLES of it give not too many states. False: its order
 * has a cycle. */
bool hk_promela_share(hk_arena *arena, const hk_sound_master *master, size_t instances, int cycles,
                      hk_promela_threads *ret_threads);

#endif
