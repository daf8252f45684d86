/* SPDX-License-Identifier: MIT
 *
 * Mathematics with the same bits everywhere. C libraries differ in the last digit of sin or exp,
 * one library differs between two CPUs, and compilers compute some calls themselves. These
 * functions are + - * / and sqrt, which IEEE 754 defines to the last bit, and whole numbers: the
 * same result for every CPU, compiler and C library, and in every FMU made of a component that uses
 * them. All is in headers; of the C library only sqrt is called (link with -lm).
 *
 * Results are within 1 unit in the last place of the exact value (docs/mathematics.md has what was
 * measured); special values are those of C17, Annex F. What is not a number has always the bits
 * 7ff8000000000000. Compile with -ffp-contract=off. Rounding is to nearest; errno and the flags of
 * the floating-point unit are not promised.
 *
 * sqrt, fabs, floor, ceil, trunc, round, rint, copysign, fmin, fmax, frexp, ldexp, modf and
 * remainder are exact in every C library: use those. */
#ifndef HK_MATH_H
#define HK_MATH_H

#include <hk/math_base.h>
#include <hk/math_exp.h>
#include <hk/math_trig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sqrt(a^2 + b^2), a >= b >= 0, where neither the squares nor what they lose are too large or too
 * small for a number. */
static inline double hk_math_hypot_(double a, double b) {
    hk_math_pair_ long_one = hk_math_square_(a), short_one = hk_math_square_(b);
    hk_math_pair_ sum = hk_math_ordered_sum_(long_one.high, short_one.high);
    return hk_math_sqrt_(sum.high + (sum.low + (long_one.low + short_one.low)));
}

HK_MATH_RARE_ double hk_math_hypot_far_(double x, double y) {
    double a = hk_math_abs_(x), b = hk_math_abs_(y), infinity = hk_math_infinity_();
    if (a == infinity || b == infinity)
        return infinity;
    if (hk_math_is_nan_(x) || hk_math_is_nan_(y))
        return hk_math_nan_();
    if (a < b)
        return hk_math_hypot_far_(b, a);
    if (a > 1.1830521861667747e-271 /* 2^-900 */ && b <= a * 5.551115123125783e-17 /* 2^-54 */)
        return a;
    if (a > 1)
        return hk_math_hypot_(a * 2.409919865102884e-181 /* 2^-600 */, b * 2.409919865102884e-181) *
               4.149515568880993e+180 /* 2^600 */;
    return hk_math_hypot_(a * 4.149515568880993e+180, b * 4.149515568880993e+180) *
           2.409919865102884e-181;
}

/* sqrt(x^2 + y^2), also where the squares are too large or too small. */
static inline double hk_hypot(double x, double y) {
    double a = hk_math_abs_(x), b = hk_math_abs_(y);
    double larger = a > b ? a : b, smaller = a > b ? b : a;
    if (larger < 3.273390607896142e+150 /* 2^500 */ &&
        smaller > 3.4395525670743494e-136 /* 2^-450 */)
        return hk_math_hypot_(larger, smaller);
    return hk_math_hypot_far_(x, y);
}

/* x minus a whole multiple of y, with the sign of x; exact. */
static inline double hk_fmod(double x, double y) {
    uint64_t a = hk_math_bits_(hk_math_abs_(x)), b = hk_math_bits_(hk_math_abs_(y));
    if (b == 0 || a >= UINT64_C(0x7ff0000000000000) || b > UINT64_C(0x7ff0000000000000))
        return hk_math_nan_();
    if (a < b)
        return x;
    if (a == b)
        return hk_math_signed_(0.0, x);
    int e = (int)(a >> 52), f = (int)(b >> 52);
    const uint64_t digits = UINT64_C(0x000fffffffffffff), leading = UINT64_C(0x0010000000000000);
    uint64_t rest = e ? (a & digits) | leading : a, divisor = f ? (b & digits) | leading : b;
    int shift = (e ? e : 1) - (f ? f : 1);
    rest %= divisor;
    while (shift > 0 && rest != 0) { /* eleven digits at a time, as many as there is room for */
        int step = shift < 11 ? shift : 11;
        rest = (rest << step) % divisor;
        shift -= step;
    }
    if (rest == 0)
        return hk_math_signed_(0.0, x);
    int exponent = f ? f : 1;
    while (rest < leading && exponent > 1) {
        rest <<= 1;
        exponent--;
    }
    uint64_t bits = rest < leading ? rest : (rest & digits) | (uint64_t)exponent << 52;
    return hk_math_signed_(hk_math_double_(bits), x);
}

#ifdef __cplusplus
}
#endif
#endif
