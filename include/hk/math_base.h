/* SPDX-License-Identifier: MIT
 *
 * What the functions of hk/math.h are made of: the bits of numbers, and sums and products of which
 * nothing is lost. Names that end in _ are not for other headers. */
#ifndef HK_MATH_BASE_H
#define HK_MATH_BASE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Code that fuses a product and a sum, or that computes with more digits than it stores, does not
 * give the bits this header promises. */
#if defined(__FAST_MATH__)
#error "hk/math.h needs IEEE arithmetic: do not use -ffast-math"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "hk/math.h needs arithmetic in double: on x86 use -msse2 -mfpmath=sse"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

/* Which bits the functions give: another number where one of them gives others. */
#define HK_MATH_VERSION 1
/* A library that is compiled with this says so, to those who read its file: records of runs name
 * which mathematics they were made with. */
#define HK_MATH_MARK_ "hocket:hk/math.h:"
#if defined(__GNUC__)
#define HK_MATH_TEXT_(x)   #x
#define HK_MATH_MARK_N_(x) HK_MATH_MARK_ HK_MATH_TEXT_(x)
static const char hk_math_mark_[] __attribute__((used)) = HK_MATH_MARK_N_(HK_MATH_VERSION);
#endif

/* What few arguments need stays out of the way of all others: a call, not inlined. */
#if defined(__GNUC__)
#define HK_MATH_RARE_ static __attribute__((noinline, cold, unused))
#else
#define HK_MATH_RARE_ static inline
#endif

#define HK_MATH_HUGE_ 8.98846567431158e+307 /* 2^1023 */
#define HK_MATH_TINY_                                                                              \
    2.2250738585072014e-308               /* 2^-1022, the smallest with the full number of digits */
#define HK_MATH_ROUND_ 6755399441055744.0 /* 1.5 * 2^52: a sum with it is a whole number */

/* A number as a sum; LOW is at most half a unit in the last place of HIGH. */
typedef struct hk_math_pair_ {
    double high, low;
} hk_math_pair_;

/* A move between registers, also where built-in functions are switched off. */
#if defined(__GNUC__)
#define HK_MATH_COPY_ __builtin_memcpy
#else
#define HK_MATH_COPY_ memcpy
#endif

static inline uint64_t hk_math_bits_(double x) {
    uint64_t bits;
    HK_MATH_COPY_(&bits, &x, sizeof bits);
    return bits;
}

static inline double hk_math_double_(uint64_t bits) {
    double x;
    HK_MATH_COPY_(&x, &bits, sizeof x);
    return x;
}

/* Every result that is not a number is this one: CPUs differ in the sign of theirs. */
static inline double hk_math_nan_(void) {
    return hk_math_double_(UINT64_C(0x7ff8000000000000));
}

static inline double hk_math_infinity_(void) {
    return hk_math_double_(UINT64_C(0x7ff0000000000000));
}

static inline bool hk_math_is_nan_(double x) {
    return x != x;
}

/* sqrt and fabs are exact everywhere. These come as instructions, whatever is said of built-ins,
 * and without a call that would only set errno. */
static inline double hk_math_sqrt_(double x) {
#if defined(__SSE2__)
    __m128d both = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(both, both));
#elif defined(__GNUC__)
    return __builtin_sqrt(x);
#else
    return sqrt(x);
#endif
}

static inline double hk_math_abs_(double x) {
    return hk_math_double_(hk_math_bits_(x) & UINT64_C(0x7fffffffffffffff));
}

/* |X| with the sign of SIGN. */
static inline double hk_math_signed_(double x, double sign) {
    return hk_math_double_((hk_math_bits_(x) & UINT64_C(0x7fffffffffffffff)) |
                           (hk_math_bits_(sign) & UINT64_C(0x8000000000000000)));
}

/* 2^K, -1022 <= K <= 1023. */
static inline double hk_math_power_of_2_(int k) {
    return hk_math_double_((uint64_t)(1023 + k) << 52);
}

/* The leading 26 bits of X; X minus them has at most 27. */
static inline double hk_math_top_(double x) {
    return hk_math_double_(hk_math_bits_(x) & UINT64_C(0xfffffffff8000000));
}

/* A + B, nothing lost. |A| >= |B|, or A is 0. */
static inline hk_math_pair_ hk_math_ordered_sum_(double a, double b) {
    hk_math_pair_ sum;
    sum.high = a + b;
    sum.low = (a - sum.high) + b;
    return sum;
}

/* A + B, nothing lost, in any order. */
static inline hk_math_pair_ hk_math_sum_(double a, double b) {
    hk_math_pair_ sum;
    sum.high = a + b;
    double part = sum.high - a;
    sum.low = (a - (sum.high - part)) + (b - part);
    return sum;
}

/* A * B, nothing lost, but for the part below 2^-1074. A and B are cut by their bits, so that no
 * number is too large for it. */
static inline hk_math_pair_ hk_math_product_(double a, double b) {
    double a1 = hk_math_top_(a), a2 = a - a1, b1 = hk_math_top_(b), b2 = b - b1;
    hk_math_pair_ product;
    product.high = a * b;
    product.low = ((a1 * b1 - product.high) + (a1 * b2 + a2 * b1)) + a2 * b2;
    return product;
}

static inline hk_math_pair_ hk_math_square_(double a) {
    double a1 = hk_math_top_(a), a2 = a - a1;
    hk_math_pair_ square;
    square.high = a * a;
    square.low = ((a1 * a1 - square.high) + 2 * (a1 * a2)) + a2 * a2;
    return square;
}

/* A * B, to some 100 bits. */
static inline hk_math_pair_ hk_math_pair_product_(hk_math_pair_ a, hk_math_pair_ b) {
    hk_math_pair_ product = hk_math_product_(a.high, b.high);
    return hk_math_ordered_sum_(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* A / B, to some 60 bits, by one division; A.low need not be small. */
static inline hk_math_pair_ hk_math_quotient_(hk_math_pair_ a, hk_math_pair_ b) {
    double inverse = 1 / b.high, quotient = hk_math_top_(a.high * inverse);
    double top = hk_math_top_(b.high); /* what is multiplied is short, so that nothing is lost */
    double rest = (a.high - quotient * top) - quotient * ((b.high - top) + b.low);
    hk_math_pair_ result = {quotient, (rest + a.low) * inverse};
    return result;
}

/* What ROOT, the square root of X > 0, lacks to that of X + LOW. The rest of the square is exact,
 * and has to be divided by 2 ROOT with few digits: half of the bits of 1/x, with 4 % of error, is
 * enough for that. */
static inline double hk_math_root_rest_(double x, double low, double root) {
    double top = hk_math_top_(root), bottom = root - top;
    double rest = ((x - top * top) - 2 * (top * bottom)) - (bottom * bottom - low);
    double inverse = hk_math_double_(UINT64_C(0x5fe6eb50c7b537a9) - (hk_math_bits_(x) >> 1));
    return 0.5 * (rest * inverse);
}

/* C[0] + C[1] x + ... + C[N - 1] x^(N - 1), N >= 3: even and odd powers apart, in a fixed order. N
 * is a constant, and the loop is written out. */
static inline double hk_math_polynomial_(const double *c, int n, double x) {
    int last = n - 1;
    double one = c[last], other = c[last - 1], square = x * x;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 16
#endif
    for (int i = last - 2; i > 0; i -= 2) {
        one = one * square + c[i];
        other = other * square + c[i - 1];
    }
    if (last & 1) /* ONE holds the odd powers */
        return other + one * x;
    return (one * square + c[0]) + other * x;
}

#define HK_MATH_POLYNOMIAL_(c, x) hk_math_polynomial_(c, (int)(sizeof(c) / sizeof *(c)), x)

/* (A.high + A.low) * 2^K, rounded once, also where the result is too small or too large for the
 * full number of digits. 0.5 <= |A.high| < 4, and A.low is a small part of it. */
static inline double hk_math_scaled_(hk_math_pair_ a, int k) {
    double sum = a.high + a.low;
    if (k >= -1020 && k <= 1020)
        return hk_math_double_(hk_math_bits_(sum) + ((uint64_t)(int64_t)k << 52));
    if (k > 1020) /* two factors, for 2^1024 is not a number */
        return k > 1100 ? sum * hk_math_power_of_2_(1023) * hk_math_power_of_2_(1023)
                        : sum * 1.2676506002282294e+30 /* 2^100 */ * hk_math_power_of_2_(k - 100);
    if (k < -1200)
        return hk_math_signed_(0.0, a.high);
    /* Near the smallest numbers, 2^1022 times larger: beside 1 the last place is that of the result
     * (2^-52 = 2^-1074 * 2^1022), so the sum rounds where the result does, and only there. */
    double factor = hk_math_power_of_2_(k + 1022);
    a = hk_math_ordered_sum_(a.high * factor, a.low * factor);
    double high = a.high, low = a.low;
    sum = high + low;
    if (hk_math_abs_(sum) >= 1)
        return sum * HK_MATH_TINY_;
    double anchor = hk_math_signed_(1.0, a.high);
    hk_math_pair_ beside = hk_math_ordered_sum_(anchor, high);
    sum = beside.high + (beside.low + low);
    return hk_math_signed_((sum - anchor) * HK_MATH_TINY_, a.high);
}

#ifdef __cplusplus
}
#endif
#endif
