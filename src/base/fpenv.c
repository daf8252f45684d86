/* SPDX-License-Identifier: MIT */
#include "base/fpenv.h"

/* One; a little more and a little less than half of the distance to the next; a subnormal. */
#define ONE  1.0
#define MORE 0x1.8p-53
#define LESS 0x1p-54
#define TINY 0x1p-1060
#if defined(__SSE2__)
const __m128d hk_fpenv_lanes[3] = {{ONE, TINY}, {MORE, TINY}, {LESS, -TINY}};
#else
const volatile double hk_fpenv_probe[4] = {ONE, MORE, LESS, TINY};
#endif

void hk_fpenv_write(uint64_t control) {
#if defined(__x86_64__)
    uint32_t mxcsr = (uint32_t)(control >> 16) & 0xffc0u;
    uint16_t x87 = (uint16_t)control;
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(x87));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#else
    (void)control;
#endif
}

uint64_t hk_fpenv_pin(void) {
#if defined(__x86_64__)
    /* SSE: all exceptions masked (bits 7-12), nearest, no DAZ, no FTZ. x87: the System V default.
     */
    const uint64_t standard = UINT64_C(0x1f80) << 16 | 0x037f;
#else
    const uint64_t standard = 0;
#endif
    hk_fpenv_write(standard);
    return hk_fpenv_read();
}

const char *hk_fpenv_difference(uint64_t a, uint64_t b) {
    uint64_t changed = a ^ b;
    if (!changed)
        return "nothing";
#if defined(__x86_64__)
    if (changed >> 16 & 0x6000)
        return "the rounding mode";
    if (changed >> 16 & 0x8040)
        return "flush to zero";
    if (changed >> 16 & 0x1f80)
        return "the exception masks";
    return "the x87 control word";
#elif defined(__aarch64__)
    if (changed & UINT64_C(3) << 22)
        return "the rounding mode";
    if (changed & UINT64_C(1) << 24)
        return "flush to zero";
    return "the exception masks";
#else
    return "the floating-point environment";
#endif
}
