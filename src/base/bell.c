/* SPDX-License-Identifier: MIT */
#include "base/bell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void *hk_shared_memory(size_t size) {
    void *map =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

bool hk_futex_wait(_Atomic uint32_t *word, uint32_t seen, int ms) {
    struct timespec while_ms = {ms / 1000, ms % 1000 * 1000000L};
    return syscall(SYS_futex, word, FUTEX_WAIT, seen, &while_ms, NULL, 0) == 0 ||
           errno != ETIMEDOUT;
}

void hk_futex_wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void hk_bell_ring(hk_bell *bell) {
    atomic_fetch_add(&bell->rung, 1);
    if (atomic_load(&bell->sleeps))
        hk_futex_wake(&bell->rung);
}

/* How often to look is in the lower half, how often that was asked in the upper. */
enum { SPIN_BITS = 16, TRY_EVERY = 64 };
static const unsigned SPIN_MASK = (1u << SPIN_BITS) - 1;

unsigned hk_spin_looks(unsigned *spin) {
    if (*spin == 0)
        return 0;
    *spin += 1u << SPIN_BITS;
    unsigned looks = *spin & SPIN_MASK;
    bool try = (*spin >> SPIN_BITS) % TRY_EVERY == 0;
    return try && looks < HK_SPIN_TRY ? HK_SPIN_TRY : looks;
}

void hk_spin_learn(unsigned *spin, unsigned looks, bool helped) {
    unsigned now = *spin & SPIN_MASK;
    if (*spin == 0) /* there is nothing to learn */
        return;
    if (helped)
        now = 2 * looks < HK_SPIN_MOST ? 2 * looks : HK_SPIN_MOST;
    else
        now = now / 2 > HK_SPIN_LEAST ? now / 2 : HK_SPIN_LEAST;
    *spin = (*spin & ~SPIN_MASK) | now;
}

bool hk_bell_wait(hk_bell *bell, uint32_t seen, unsigned *spin, int ms) {
    unsigned looks = hk_spin_looks(spin);
    for (unsigned i = 0; i < looks; i++) {
        if (atomic_load_explicit(&bell->rung, memory_order_acquire) != seen) {
            hk_spin_learn(spin, looks, true);
            return true;
        }
        hk_pause();
    }
    hk_spin_learn(spin, looks, false);
    atomic_store(&bell->sleeps, 1);
    if (atomic_load(&bell->rung) == seen)
        (void)hk_futex_wait(&bell->rung, seen, ms);
    atomic_store(&bell->sleeps, 0);
    return atomic_load(&bell->rung) != seen;
}
