/* SPDX-License-Identifier: MIT
 *
 * Exponentials, logarithms, powers and hyperbolic functions of hk/math.h. */
#ifndef HK_MATH_EXP_H
#define HK_MATH_EXP_H

#include <hk/math_base.h>
#include <hk/math_tables.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- exponentials ---------------------------------------------------------------------------- */

/* 2^(STEPS/128) exp(R) = (result) * 2^*K to some 62 bits, 1 <= result < 2 or a little beside; its
 * second part is up to 1/350 of the first. |R| <= ln(2)/256. The first factor comes from a table,
 * the second from a polynomial. */
static inline hk_math_pair_ hk_math_power_(int32_t steps, double r, int *k) {
    const double *entry = &hk_math_exp_table_[2 * (steps & 127)], *c = hk_math_exp_poly_;
    double square = r * r;
    double grown =
        r + (entry[1] + square * ((c[0] + r * c[1]) + square * (c[2] + r * (c[3] + r * c[4]))));
    *k = (steps - (steps & 127)) / 128;
    hk_math_pair_ power = {entry[0], entry[0] * grown};
    return power;
}

/* exp(X + LOW), as above; |X| <= 1100. */
static inline hk_math_pair_ hk_math_exp_pair_(double x, double low, int *k) {
    double shifted = x * HK_MATH_EXP_STEPS_ + HK_MATH_ROUND_; /* rounds to a whole number */
    int32_t steps = (int32_t)(uint32_t)hk_math_bits_(shifted);
    double count = shifted - HK_MATH_ROUND_;
    double r = (x - count * HK_MATH_EXP_HIGH_) - (count * HK_MATH_EXP_LOW_ - low);
    return hk_math_power_(steps, r, k);
}

static inline double hk_exp(double x) {
    int k;
    if (!(hk_math_abs_(x) < 745.2)) {
        if (hk_math_is_nan_(x))
            return hk_math_nan_();
        return x > 0 ? x * HK_MATH_HUGE_ : HK_MATH_TINY_ * HK_MATH_TINY_;
    }
    hk_math_pair_ power = hk_math_exp_pair_(x, 0, &k);
    return hk_math_scaled_(power, k);
}

/* 2^x. */
static inline double hk_exp2(double x) {
    if (!(hk_math_abs_(x) < 1080)) {
        if (hk_math_is_nan_(x))
            return hk_math_nan_();
        return x > 0 ? x * HK_MATH_HUGE_ : HK_MATH_TINY_ * HK_MATH_TINY_;
    }
    double shifted = x + 52776558133248.0 /* 1.5 * 2^45 */; /* rounds to a whole number of 1/128 */
    int32_t steps = (int32_t)(uint32_t)hk_math_bits_(shifted);
    int k;
    hk_math_pair_ power = hk_math_power_(
        steps, (x - (shifted - 52776558133248.0 /* 1.5 * 2^45 */)) * HK_MATH_LN2_, &k);
    return hk_math_scaled_(power, k);
}

/* exp(x) - 1, without the loss near 0. */
static inline double hk_expm1(double x) {
    if (hk_math_abs_(x) <= 0.25)
        return hk_math_abs_(x) < 5.551115123125783e-17 /* 2^-54 */
                   ? x
                   : x + x * x * HK_MATH_POLYNOMIAL_(hk_math_expm1_poly_, x);
    if (hk_math_is_nan_(x))
        return hk_math_nan_();
    if (x > 709.8 || x < -40)
        return x > 0 ? x * HK_MATH_HUGE_ : -1 + 8.673617379884035e-19 /* 2^-60 */;
    int k;
    hk_math_pair_ power = hk_math_exp_pair_(x, 0, &k);
    if (k > 64) /* far from 1, and possibly near the largest number */
        return hk_math_scaled_(power, k);
    double factor = hk_math_power_of_2_(k);
    hk_math_pair_ less = hk_math_sum_(power.high * factor, -1.0);
    return less.high + (less.low + power.low * factor);
}

/* ---- logarithms ------------------------------------------------------------------------------ */

/* A number from 0.6875 to 1.375, and the power of 2 it was divided by. */
typedef struct hk_math_parts_ {
    double z;
    int k;
    const double *entry; /* of the table */
} hk_math_parts_;

/* X is positive and finite. */
static inline hk_math_parts_ hk_math_parts_of_(double x) {
    uint64_t bits = hk_math_bits_(x);
    int k = 0;
    if (bits < UINT64_C(0x0010000000000000)) { /* too small for the full number of digits */
        bits = hk_math_bits_(x * 4503599627370496.0 /* 2^52 */);
        k = -52;
    }
    uint64_t above = bits - UINT64_C(0x3fe6000000000000);
    hk_math_parts_ parts;
    parts.entry = &hk_math_log_table_[7 * ((above >> 45) & 127)];
    parts.k = k + (int)((int64_t)above >> 52);
    parts.z = hk_math_double_(bits - (above & UINT64_C(0xfff0000000000000)));
    return parts;
}

/* z times the short number near 1/z, minus 1, in two parts that are exact; the first has at most
 * 38 bits. */
static inline hk_math_pair_ hk_math_residue_(hk_math_parts_ parts) {
    /* The nearest short number, not the one below: near 1 it is 1, and nothing cancels. */
    double top = hk_math_top_(hk_math_double_(hk_math_bits_(parts.z) + UINT64_C(0x4000000)));
    double inverse = parts.entry[0];
    hk_math_pair_ r;
    r.high = top * inverse - 1;
    r.low = (parts.z - top) * inverse;
    return r;
}

/* log(1 + r) - r, |r| < 1/128. */
static inline double hk_math_log_rest_(double r) {
    return r * r * (r * HK_MATH_POLYNOMIAL_(hk_math_log_poly_, r) - 0.5);
}

/* log(1 + r) for the r of these parts. */
static inline double hk_math_log_(hk_math_parts_ parts, hk_math_pair_ r) {
    double base = parts.k * HK_MATH_LN2_HIGH_ + parts.entry[1]; /* exact */
    hk_math_pair_ sum = hk_math_ordered_sum_(base, r.high);     /* 0, or larger than r */
    sum.low += (parts.k * HK_MATH_LN2_LOW_ + parts.entry[2]) + r.low;
    return sum.high + (sum.low + hk_math_log_rest_(r.high + r.low));
}

/* The same to some 68 bits, in a short part of 26 bits and the rest. */
static inline hk_math_pair_ hk_math_log_pair_(hk_math_parts_ parts) {
    hk_math_pair_ r = hk_math_residue_(parts);
    double whole = r.high + r.low, top = hk_math_top_(whole), bottom = (r.high - top) + r.low;
    double base = parts.k * HK_MATH_LN2_HIGH_ + parts.entry[1];
    hk_math_pair_ sum = hk_math_ordered_sum_(base, top);
    hk_math_pair_ all = hk_math_ordered_sum_(sum.high, -0.5 * (top * top)); /* an exact square */
    double cube = whole * whole * whole * HK_MATH_POLYNOMIAL_(hk_math_log_poly_, whole);
    double rest = (sum.low + all.low) + (parts.k * HK_MATH_LN2_LOW_ + parts.entry[2]);
    rest += (bottom - 0.5 * bottom * (whole + top)) + cube;
    hk_math_pair_ log;
    log.high = hk_math_top_(all.high + rest);
    log.low = (all.high - log.high) + rest;
    return log;
}

/* log of what is 0, negative, infinite or not a number. */
static inline double hk_math_log_special_(double x) {
    if (x == 0)
        return -1 / hk_math_abs_(x);
    return x > 0 ? x : hk_math_nan_();
}

static inline bool hk_math_is_ordinary_(double x) {
    return x > 0 && x < hk_math_infinity_();
}

static inline double hk_log(double x) {
    if (!hk_math_is_ordinary_(x))
        return hk_math_log_special_(x);
    hk_math_parts_ parts = hk_math_parts_of_(x);
    return hk_math_log_(parts, hk_math_residue_(parts));
}

static inline double hk_log2(double x) {
    if (!hk_math_is_ordinary_(x))
        return hk_math_log_special_(x);
    hk_math_parts_ parts = hk_math_parts_of_(x);
    hk_math_pair_ r = hk_math_residue_(parts);
    double base = parts.k + parts.entry[3]; /* exact, as the product is */
    hk_math_pair_ sum = hk_math_ordered_sum_(base, r.high * HK_MATH_LOG2E_);
    double whole = r.high + r.low, rest = whole * HK_MATH_LOG2E_LOW_ + parts.entry[4];
    rest += hk_math_log_rest_(whole) * (HK_MATH_LOG2E_ + HK_MATH_LOG2E_LOW_);
    return sum.high + (sum.low + (r.low * HK_MATH_LOG2E_ + rest));
}

static inline double hk_log10(double x) {
    if (!hk_math_is_ordinary_(x))
        return hk_math_log_special_(x);
    hk_math_parts_ parts = hk_math_parts_of_(x);
    hk_math_pair_ r = hk_math_residue_(parts);
    double base = parts.k * HK_MATH_LOG10_2_ + parts.entry[5];
    hk_math_pair_ sum = hk_math_ordered_sum_(base, r.high * HK_MATH_LOG10E_);
    double whole = r.high + r.low, rest = whole * HK_MATH_LOG10E_LOW_;
    rest += parts.k * HK_MATH_LOG10_2_LOW_ + parts.entry[6];
    rest += hk_math_log_rest_(whole) * (HK_MATH_LOG10E_ + HK_MATH_LOG10E_LOW_);
    return sum.high + (sum.low + (r.low * HK_MATH_LOG10E_ + rest));
}

/* log(HIGH + LOW), a positive number far from the largest and the smallest. */
static inline double hk_math_log_of_pair_(hk_math_pair_ x) {
    hk_math_parts_ parts = hk_math_parts_of_(x.high);
    hk_math_pair_ r = hk_math_residue_(parts);
    r.low += x.low * hk_math_power_of_2_(-parts.k) * parts.entry[0];
    return hk_math_log_(parts, r);
}

/* log(1 + x), without the loss near 0. */
static inline double hk_log1p(double x) {
    if (hk_math_abs_(x) < 1.1102230246251565e-16 /* 2^-53 */)
        return x;
    if (!(x > -1 && x < 1.0715086071862673e+301 /* 2^1000 */))
        return x == -1 ? -1 / 0.0 : x > 0 ? hk_log(x) : hk_math_nan_();
    if (hk_math_abs_(x) < 0.0078125 /* 2^-7 */)
        return x + hk_math_log_rest_(x);
    return hk_math_log_of_pair_(hk_math_sum_(1.0, x));
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* 0: y is not a whole number, 1: odd, 2: even. */
static inline int hk_math_parity_(double y) {
    double size = hk_math_abs_(y);
    if (size >= 9007199254740992.0 /* 2^53 */)
        return 2;
    double whole = size >= 4503599627370496.0 /* 2^52 */ ? size
                                                         : (size + 4503599627370496.0 /* 2^52 */) -
                                                               4503599627370496.0 /* 2^52 */;
    if (whole != size)
        return 0;
    return hk_math_bits_(
               size >= 4503599627370496.0 /* 2^52 */ ? size
                                                     : size + 4503599627370496.0 /* 2^52 */) &
                   1
               ? 1
               : 2;
}

/* x^y where x or y is 0, infinite or not a number, or x is 1. */
static inline double hk_math_pow_special_(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (hk_math_is_nan_(x) || hk_math_is_nan_(y))
        return hk_math_nan_();
    double size = hk_math_abs_(x), infinity = hk_math_infinity_();
    if (hk_math_abs_(y) == infinity) {
        if (size == 1)
            return 1;
        return (size > 1) == (y > 0) ? infinity : 0.0;
    }
    double sign = hk_math_parity_(y) == 1 ? x : 1.0;
    if (size == 0 && y < 0)
        return hk_math_signed_(1 / size, sign);
    return hk_math_signed_((size == 0) == (y > 0) ? 0.0 : infinity, sign);
}

static inline double hk_pow(double x, double y) {
    double size = hk_math_abs_(x), infinity = hk_math_infinity_(), sign = 1;
    if (!(size > 0 && size < infinity && hk_math_abs_(y) < infinity))
        return hk_math_pow_special_(x, y);
    if (x < 0) {
        int parity = hk_math_parity_(y);
        if (parity == 0)
            return hk_math_nan_();
        sign = parity == 1 ? -1 : 1;
    }
    hk_math_pair_ log = hk_math_log_pair_(hk_math_parts_of_(size));
    double guess = y * log.high;
    if (!(hk_math_abs_(guess) < 746)) /* 0 or infinity: told by the product */
        return guess > 0 ? sign * HK_MATH_HUGE_ * HK_MATH_HUGE_
                         : sign * HK_MATH_TINY_ * HK_MATH_TINY_;
    double top = hk_math_top_(y); /* an exact product, and the rest */
    int k;
    hk_math_pair_ power = hk_math_exp_pair_(top * log.high, (y - top) * log.high + y * log.low, &k);
    return sign * hk_math_scaled_(power, k);
}

/* The cube root. */
static inline double hk_cbrt(double x) {
    double size = hk_math_abs_(x);
    if (!(size > 0 && size < hk_math_infinity_()))
        return hk_math_is_nan_(x) ? hk_math_nan_() : x;
    int shift = 0;
    if (size < HK_MATH_TINY_) {
        size *= 1.8014398509481984e+16 /* 2^54 */;
        shift = -18;
    }
    /* size = m * 8^k, 1 <= m < 8: a parabola near the root, Halley's method to 26 bits; with
     * those, whose square is exact, one step more. */
    int exponent = (int)(hk_math_bits_(size) >> 52) - 1023;
    int k = (exponent + 1200) / 3 - 400;
    double m = hk_math_double_(hk_math_bits_(size) - ((uint64_t)(int64_t)(3 * k) << 52));
    double root = 0.62 + m * (0.395 + m * (-0.0395 + m * 0.0018));
    for (int i = 0; i < 2; i++) {
        double cube = root * root * root;
        root = root * (cube + 2 * m) / (2 * cube + m);
    }
    root = hk_math_top_(root);
    double quotient = m / (root * root);
    root += root * ((quotient - root) / (2 * root + quotient));
    return hk_math_signed_(root * hk_math_power_of_2_(k + shift), x);
}

/* ---- hyperbolic functions -------------------------------------------------------------------- */

/* exp(X)/2, and in *SHRUNK exp(-X)/2 without its second part; 0 <= X <= 40. */
static inline hk_math_pair_ hk_math_half_powers_(double x, double *shrunk) {
    int k;
    hk_math_pair_ power = hk_math_exp_pair_(x, 0, &k);
    double factor = hk_math_power_of_2_(k - 1);
    power = hk_math_ordered_sum_(power.high * factor, power.low * factor);
    double inverse = 0.25 / power.high;
    *shrunk = inverse - 4 * (inverse * inverse) * power.low;
    return power;
}

/* exp(X)/2, X > 0: large, where exp(-X) does not count. */
static inline double hk_math_half_exp_(double x) {
    if (!(x < 711))
        return x * HK_MATH_HUGE_;
    int k;
    hk_math_pair_ power = hk_math_exp_pair_(x, 0, &k);
    return hk_math_scaled_(power, k - 1);
}

static inline double hk_sinh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 1)
        return size < 3.725290298461914e-09 /* 2^-28 */ ? x
                                                        : x + x * square *
                                                                  HK_MATH_POLYNOMIAL_(
                                                                      hk_math_sinh_poly_, square);
    if (hk_math_is_nan_(x))
        return hk_math_nan_();
    if (size > 40)
        return hk_math_signed_(hk_math_half_exp_(size), x);
    double shrunk;
    hk_math_pair_ grown = hk_math_half_powers_(size, &shrunk);
    return hk_math_signed_(grown.high + (grown.low - shrunk), x);
}

static inline double hk_cosh(double x) {
    double size = hk_math_abs_(x);
    if (hk_math_is_nan_(x))
        return hk_math_nan_();
    if (size > 40)
        return hk_math_half_exp_(size);
    double shrunk;
    hk_math_pair_ grown = hk_math_half_powers_(size, &shrunk);
    hk_math_pair_ sum = hk_math_ordered_sum_(grown.high, shrunk);
    return sum.high + (sum.low + grown.low);
}

static inline double hk_tanh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.25)
        return size < 3.725290298461914e-09 /* 2^-28 */ ? x
                                                        : x + x * square *
                                                                  HK_MATH_POLYNOMIAL_(
                                                                      hk_math_tanh_poly_, square);
    if (hk_math_is_nan_(x))
        return hk_math_nan_();
    if (size > 20)
        return hk_math_signed_(1 - 8.673617379884035e-19 /* 2^-60 */, x);
    int k;
    hk_math_pair_ power = hk_math_exp_pair_(2 * size, 0, &k);
    double factor = hk_math_power_of_2_(k);
    hk_math_pair_ above = hk_math_ordered_sum_(power.high * factor, -1);
    hk_math_pair_ below = hk_math_ordered_sum_(power.high * factor, 1);
    above.low += power.low * factor;
    below.low += power.low * factor;
    below = hk_math_ordered_sum_(below.high, below.low);
    hk_math_pair_ value = hk_math_quotient_(above, below);
    return hk_math_signed_(value.high + value.low, x);
}

/* log(2x), X large. */
static inline double hk_math_log_twice_(double x) {
    hk_math_parts_ parts = hk_math_parts_of_(x);
    parts.k++;
    return hk_math_log_(parts, hk_math_residue_(parts));
}

static inline double hk_asinh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.25)
        return size < 3.725290298461914e-09 /* 2^-28 */ ? x
                                                        : x + x * square *
                                                                  HK_MATH_POLYNOMIAL_(
                                                                      hk_math_asinh_poly_, square);
    if (!(size < hk_math_infinity_()))
        return hk_math_is_nan_(x) ? hk_math_nan_() : x;
    if (size > 1073741824.0 /* 2^30 */) /* log(2x) */
        return hk_math_signed_(hk_math_log_twice_(size), x);
    hk_math_pair_ inner = hk_math_square_(size), one = hk_math_sum_(inner.high, 1);
    inner.high = one.high;
    inner.low += one.low;
    hk_math_pair_ root = hk_math_root_(inner), sum = hk_math_ordered_sum_(root.high, size);
    sum.low += root.low;
    return hk_math_signed_(hk_math_log_of_pair_(sum), x);
}

static inline double hk_acosh(double x) {
    if (!(x >= 1))
        return hk_math_nan_();
    if (x > 1073741824.0 /* 2^30 */)
        return x == hk_math_infinity_() ? x : hk_math_log_twice_(x);
    if (x == 1)
        return 0;
    /* x + sqrt(x^2 - 1); the square and what is left of it are exact. */
    hk_math_pair_ inner = hk_math_square_(x), less = hk_math_ordered_sum_(inner.high, -1);
    inner = hk_math_ordered_sum_(less.high, less.low + inner.low);
    hk_math_pair_ root = hk_math_root_(inner), sum = hk_math_ordered_sum_(x, root.high);
    sum.low += root.low;
    return hk_math_log_of_pair_(sum);
}

static inline double hk_atanh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.25)
        return size < 3.725290298461914e-09 /* 2^-28 */ ? x
                                                        : x + x * square *
                                                                  HK_MATH_POLYNOMIAL_(
                                                                      hk_math_atanh_poly_, square);
    if (!(size < 1))
        return size == 1 ? x / 0.0 : hk_math_nan_();
    hk_math_pair_ above = hk_math_sum_(1, size), below = hk_math_sum_(1, -size);
    hk_math_pair_ quotient = hk_math_quotient_(above, below);
    quotient = hk_math_ordered_sum_(quotient.high, quotient.low);
    return hk_math_signed_(0.5 * hk_math_log_of_pair_(quotient), x);
}

#ifdef __cplusplus
}
#endif
#endif
