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

bool hk_bell_wait(hk_bell *bell, uint32_t seen, unsigned *spin, int ms) {
    for (unsigned i = 0; i < *spin; i++) {
        if (atomic_load_explicit(&bell->rung, memory_order_acquire) != seen) {
            *spin = *spin < HK_SPIN_MOST ? *spin * 2 : HK_SPIN_MOST;
            return true;
        }
        hk_pause();
    }
    *spin = *spin > HK_SPIN_LEAST ? *spin / 2 : HK_SPIN_LEAST;
    atomic_store(&bell->sleeps, 1);
    if (atomic_load(&bell->rung) == seen)
        (void)hk_futex_wait(&bell->rung, seen, ms);
    atomic_store(&bell->sleeps, 0);
    return atomic_load(&bell->rung) != seen;
}
