/* SPDX-License-Identifier: MIT
 *
 * What is inlined and what is not. The fast loops are to stay small: what is rare is kept out of
 * them by NEVER_INLINE. */
#ifndef HK_ENGINE_INLINE_H
#define HK_ENGINE_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE  static __attribute__((noinline))
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)

#endif
