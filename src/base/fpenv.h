/* SPDX-License-Identifier: MIT
 *
 * The floating-point environment: rounding mode, exception masks, flush-to-zero. A library that was
 * built with -ffast-math changes it when it is loaded; a model may change it in any call. Results
 * would then depend on who ran before, so the engine pins it and looks after every phase. */
#ifndef HK_BASE_FPENV_H
#define HK_BASE_FPENV_H

#include <hk/base.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The control bits as one number. Cheap: two instructions on x86-64. */
static inline uint64_t hk_fpenv_read(void) {
#if defined(__x86_64__)
    uint32_t mxcsr;
    uint16_t x87;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    return (uint64_t)(mxcsr & 0xffc0u) << 16 | x87; /* without the sticky exception flags */
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
#else
    return 0;
#endif
}

/* True as long as arithmetic behaves: rounds to nearest and keeps subnormal numbers. Found out by
 * arithmetic, because reading the control register waits for all of it to be done. For looking
 * often; hk_fpenv_read sees the rest (exception masks, x87) too. */
static inline bool hk_fpenv_behaves(void) {
    /* Only to nearest does the first sum round up and the second down; and only if subnormal
     * numbers are kept is twice a tiny one more than none. */
#if defined(__SSE2__)
    extern const __m128d hk_fpenv_lanes[3]; /* {one, tiny}, {more, tiny}, {less, -tiny} */
    __m128d base;
    __asm__ volatile("movapd %1, %0" : "=x"(base) : "m"(hk_fpenv_lanes[0])); /* each time anew */
    __m128d differ =
        _mm_sub_pd(_mm_add_pd(base, hk_fpenv_lanes[1]), _mm_add_pd(base, hk_fpenv_lanes[2]));
    return _mm_movemask_pd(_mm_cmpgt_pd(differ, _mm_setzero_pd())) == 3;
#else
    extern const volatile double hk_fpenv_probe[4]; /* volatile: the compiler must not know them */
    double one = hk_fpenv_probe[0];
    return (one + hk_fpenv_probe[1]) - (one + hk_fpenv_probe[2]) > 0 &&
           hk_fpenv_probe[3] + hk_fpenv_probe[3] > 0;
#endif
}

void hk_fpenv_write(uint64_t control);
/* Round to nearest, no traps, no flush to zero; returns what hk_fpenv_read gives then. */
uint64_t hk_fpenv_pin(void);
/* What differs, in words: "rounding mode", "flush to zero", ... (static text). */
const char *hk_fpenv_difference(uint64_t a, uint64_t b);

#endif
