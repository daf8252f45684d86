/* SPDX-License-Identifier: MIT
 *
 * A bell between two processes: a counter in memory that both see. Who waits for it looks again for
 * a while, as long as that has helped lately, and then sleeps. */
#ifndef HK_BASE_BELL_H
#define HK_BASE_BELL_H

#include "base/diag.h"

#include <stdatomic.h>

enum { HK_CACHE_LINE = 64 };

typedef struct hk_bell {
    _Alignas(HK_CACHE_LINE) _Atomic uint32_t rung; /* how often */
    _Atomic uint32_t sleeps;                       /* somebody is to be woken */
} hk_bell;

enum { HK_SPIN_LEAST = 16, HK_SPIN_TRY = 1024, HK_SPIN_MOST = 4096 };

/* How often to look before sleeping: *SPIN is kept by the one who waits, who begins with
 * HK_SPIN_MOST; 0: not at all. Looking goes on as long as that has helped lately. Once in a while
 * it is tried for longer: of two who both sleep each is late because the other sleeps, and would
 * never find out that they need not. */
unsigned hk_spin_looks(unsigned *spin);
void hk_spin_learn(unsigned *spin, unsigned looks, bool helped);

void hk_bell_ring(hk_bell *bell);
/* Waits until it has been rung more often than SEEN; false: it was not for MS milliseconds. */
bool hk_bell_wait(hk_bell *bell, uint32_t seen, unsigned *spin, int ms);

/* Zeroed memory for this process and all that are forked later; NULL: there is none (errno). */
void *hk_shared_memory(size_t size);

/* The parts: sleeps while *WORD is SEEN; false: nobody woke it. */
bool hk_futex_wait(_Atomic uint32_t *word, uint32_t seen, int ms);
void hk_futex_wake(_Atomic uint32_t *word);

static inline void hk_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

#endif
