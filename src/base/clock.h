/* SPDX-License-Identifier: MIT
 *
 * Wall time, for pacing and profiling only; it never reaches a result. */
#ifndef HK_BASE_CLOCK_H
#define HK_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t hk_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
