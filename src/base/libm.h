/* SPDX-License-Identifier: MIT
 *
 * Which mathematical library is at work, by what it says. The C library chooses variants of sin,
 * exp or pow by the processor, and their last bits differ; so do those of other versions. Where
 * these numbers are equal, the same model gives the same bytes. */
#ifndef HK_BASE_LIBM_H
#define HK_BASE_LIBM_H

#include <stdbool.h>
#include <stdint.h>

/* A hash of the results of 4096 calls for fixed arguments, never 0. Computed at the first call, in
 * about 0.2 ms; may be called from any thread. */
uint64_t hk_libm_hash(void);
/* Is SYMBOL a function of the mathematical library whose last bits are not the same everywhere?
 * Those of sqrt, floor, fmod and their like are. */
bool hk_libm_is_inexact(const char *symbol);
enum { HK_LIBM_TEXT = 17 };
/* As 16 hexadecimal digits. */
const char *hk_libm_text(uint64_t number, char text[HK_LIBM_TEXT]);

#endif
