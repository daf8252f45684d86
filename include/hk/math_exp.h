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

/* 2^(STEPS/128) exp(R) to some 62 bits, for a result that has the full number of digits; its
 * second part is up to 1/350 of the first. |R| <= ln(2)/256. The first factor comes from a table,
 * the second from a polynomial. */
static inline hk_math_pair_ hk_math_power_(int32_t steps, double r) {
    int32_t part = steps & 127;
    const double *entry = &hk_math_exp_table_[2 * part], *c = hk_math_exp_poly_;
    double square = r * r;
    double grown = r + (entry[1] + square * ((c[0] + r * c[1]) + square * (c[2] + r * c[3])));
    uint64_t exponent = (uint64_t)(int64_t)(steps - part) << 45; /* of 2: steps / 128 */
    hk_math_pair_ power;
    power.high = hk_math_double_(hk_math_bits_(entry[0]) + exponent);
    power.low = power.high * grown;
    return power;
}

/* exp(HIGH + LOW), as above; WHOLE is about their sum, |WHOLE| <= 700, and HIGH has at most 52
 * bits if LOW is not small. */
static inline hk_math_pair_ hk_math_exp_pair_(double whole, double high, double low) {
    double shifted = whole * HK_MATH_EXP_STEPS_ + HK_MATH_ROUND_; /* rounds to a whole number */
    double count = shifted - HK_MATH_ROUND_;
    double r = (high - count * HK_MATH_EXP_HIGH_) - (count * HK_MATH_EXP_LOW_ - low);
    return hk_math_power_((int32_t)(uint32_t)hk_math_bits_(shifted), r);
}

/* exp(HIGH + LOW) * 2^K, where the result may be too large or too small for a number with the full
 * number of digits. */
HK_MATH_RARE_ double hk_math_exp_far_(double high, double low, int k) {
    if (!(hk_math_abs_(high) < 800)) {
        if (hk_math_is_nan_(high))
            return hk_math_nan_();
        return high > 0 ? HK_MATH_HUGE_ * HK_MATH_HUGE_ : HK_MATH_TINY_ * HK_MATH_TINY_;
    }
    double whole = high + low, shifted = whole * HK_MATH_EXP_STEPS_ + HK_MATH_ROUND_;
    double count = shifted - HK_MATH_ROUND_;
    int32_t steps = (int32_t)(uint32_t)hk_math_bits_(shifted), part = steps & 127;
    double r = (high - count * HK_MATH_EXP_HIGH_) - (count * HK_MATH_EXP_LOW_ - low);
    return hk_math_scaled_(hk_math_power_(part, r), k + (steps - part) / 128);
}

static inline double hk_exp(double x) {
    if (!(hk_math_abs_(x) < 700))
        return hk_math_exp_far_(x, 0, 0);
    hk_math_pair_ power = hk_math_exp_pair_(x, x, 0);
    return power.high + power.low;
}

HK_MATH_RARE_ double hk_math_exp2_far_(double x) {
    if (!(hk_math_abs_(x) < 1080)) {
        if (hk_math_is_nan_(x))
            return hk_math_nan_();
        return x > 0 ? HK_MATH_HUGE_ * HK_MATH_HUGE_ : HK_MATH_TINY_ * HK_MATH_TINY_;
    }
    double shifted = x + HK_MATH_ROUND_ / 128;
    int32_t steps = (int32_t)(uint32_t)hk_math_bits_(shifted), part = steps & 127;
    double r = (x - (shifted - HK_MATH_ROUND_ / 128)) * HK_MATH_LN2_;
    return hk_math_scaled_(hk_math_power_(part, r), (steps - part) / 128);
}

/* 2^x. */
static inline double hk_exp2(double x) {
    if (!(hk_math_abs_(x) < 1020))
        return hk_math_exp2_far_(x);
    double shifted = x + HK_MATH_ROUND_ / 128; /* rounds to a whole number of 1/128 */
    double r = (x - (shifted - HK_MATH_ROUND_ / 128)) * HK_MATH_LN2_;
    hk_math_pair_ power = hk_math_power_((int32_t)(uint32_t)hk_math_bits_(shifted), r);
    return power.high + power.low;
}

/* exp(x) - 1 where one of the two does not count. */
HK_MATH_RARE_ double hk_math_expm1_far_(double x) {
    return x < 0 ? -1 + 8.673617379884035e-19 /* 2^-60 */ : hk_math_exp_far_(x, 0, 0);
}

/* exp(x) - 1, without the loss near 0. */
static inline double hk_expm1(double x) {
    if (hk_math_abs_(x) <= 0.25)
        return hk_math_abs_(x) < 5.551115123125783e-17 /* 2^-54 */
                   ? x
                   : x + x * x * HK_MATH_POLYNOMIAL_(hk_math_expm1_poly_, x);
    if (!(hk_math_abs_(x) < 40))
        return hk_math_expm1_far_(x);
    hk_math_pair_ power = hk_math_exp_pair_(x, x, 0), less = hk_math_sum_(power.high, -1.0);
    return less.high + (less.low + power.low);
}

/* ---- logarithms ------------------------------------------------------------------------------ */

/* A number from 0.6875 to 1.375, and the power of 2 it was divided by. */
typedef struct hk_math_parts_ {
    double z;
    int k;
    const double *entry; /* of the table */
} hk_math_parts_;

/* Positive, finite, and with the full number of digits. */
static inline bool hk_math_is_ordinary_(double x) {
    return hk_math_bits_(x) - UINT64_C(0x0010000000000000) < UINT64_C(0x7fe0000000000000);
}

/* X is ordinary. */
static inline hk_math_parts_ hk_math_parts_of_(double x) {
    uint64_t bits = hk_math_bits_(x), above = bits - UINT64_C(0x3fe6000000000000);
    hk_math_parts_ parts;
    parts.entry = &hk_math_log_table_[7 * ((above >> 45) & 127)];
    parts.k = (int)((int64_t)above >> 52);
    parts.z = hk_math_double_(bits - (above & UINT64_C(0xfff0000000000000)));
    return parts;
}

/* X is positive and finite. */
static inline hk_math_parts_ hk_math_parts_of_any_(double x) {
    bool small = x < HK_MATH_TINY_;
    hk_math_parts_ parts = hk_math_parts_of_(small ? x * 4503599627370496.0 /* 2^52 */ : x);
    parts.k -= small ? 52 : 0;
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

/* log(1 + r) - r, |r| < 1/128; with the polynomial of another base its logarithm. */
#define HK_MATH_LOG_REST_(poly, r) hk_math_log_rest_(poly, (int)(sizeof(poly) / sizeof *(poly)), r)
static inline double hk_math_log_rest_(const double *poly, int count, double r) {
    return r * r * hk_math_polynomial_(poly, count, r);
}

/* The logarithm of z 2^k for the r of these parts. */
static inline double hk_math_log_(hk_math_parts_ parts, hk_math_pair_ r) {
    double base = parts.k * HK_MATH_LN2_HIGH_ + parts.entry[1]; /* exact */
    hk_math_pair_ sum = hk_math_ordered_sum_(base, r.high);     /* 0, or larger than r */
    sum.low += (parts.k * HK_MATH_LN2_LOW_ + parts.entry[2]) + r.low;
    return sum.high + (sum.low + HK_MATH_LOG_REST_(hk_math_log_poly_, r.high + r.low));
}

static inline double hk_math_log2_(hk_math_parts_ parts, hk_math_pair_ r) {
    double base = parts.k + parts.entry[3]; /* exact, as the product is */
    hk_math_pair_ sum = hk_math_ordered_sum_(base, r.high * HK_MATH_LOG2E_);
    double whole = r.high + r.low, rest = whole * HK_MATH_LOG2E_LOW_ + parts.entry[4];
    rest += HK_MATH_LOG_REST_(hk_math_log2_poly_, whole);
    return sum.high + ((sum.low + r.low * HK_MATH_LOG2E_) + rest);
}

static inline double hk_math_log10_(hk_math_parts_ parts, hk_math_pair_ r) {
    double base = parts.k * HK_MATH_LOG10_2_ + parts.entry[5];
    hk_math_pair_ sum = hk_math_ordered_sum_(base, r.high * HK_MATH_LOG10E_);
    double whole = r.high + r.low, rest = whole * HK_MATH_LOG10E_LOW_;
    rest += parts.k * HK_MATH_LOG10_2_LOW_ + parts.entry[6];
    rest += HK_MATH_LOG_REST_(hk_math_log10_poly_, whole);
    return sum.high + ((sum.low + r.low * HK_MATH_LOG10E_) + rest);
}

/* The same to some 68 bits, in a part of 26 bits and the rest, which may be up to 2^-15 of it. */
static inline hk_math_pair_ hk_math_log_pair_(hk_math_parts_ parts) {
    /* z in 23 bits and the rest: the square of HIGH is exact. */
    uint64_t bits = hk_math_bits_(parts.z) + UINT64_C(0x20000000);
    double top = hk_math_double_(bits & UINT64_C(0xffffffffc0000000)), inverse = parts.entry[0];
    double high = top * inverse - 1, low = (parts.z - top) * inverse, r = high + low;
    double base = parts.k * HK_MATH_LN2_HIGH_ + parts.entry[1], sum = base + r;
    double half = 0.5 * (high * high), all = sum - half;
    double lost = ((base - sum) + r) + ((high - r) + low);
    double rest = (parts.k * HK_MATH_LN2_LOW_ + parts.entry[2]) + (lost + ((sum - all) - half));
    double cube = r * r * r * HK_MATH_POLYNOMIAL_(hk_math_log_cube_poly_, r);
    rest += cube - 0.5 * (low * (high + r));
    hk_math_pair_ log;
    log.high = hk_math_top_(all);
    log.low = (all - log.high) + rest;
    return log;
}

/* The logarithm of z 2^k to the BASE 10, 2, or 0, which stands for e. */
static inline double hk_math_log_to_(int base, hk_math_parts_ parts) {
    hk_math_pair_ r = hk_math_residue_(parts);
    return base == 10  ? hk_math_log10_(parts, r)
           : base == 2 ? hk_math_log2_(parts, r)
                       : hk_math_log_(parts, r);
}

/* Of what is not ordinary. */
HK_MATH_RARE_ double hk_math_log_rare_(double x, int base) {
    if (x == 0)
        return -1 / hk_math_abs_(x);
    if (!(x > 0 && x < hk_math_infinity_()))
        return x > 0 ? x : hk_math_nan_();
    return hk_math_log_to_(base, hk_math_parts_of_any_(x));
}

static inline double hk_math_any_log_(double x, int base) {
    return hk_math_is_ordinary_(x) ? hk_math_log_to_(base, hk_math_parts_of_(x))
                                   : hk_math_log_rare_(x, base);
}

static inline double hk_log(double x) {
    return hk_math_any_log_(x, 0);
}

static inline double hk_log2(double x) {
    return hk_math_any_log_(x, 2);
}

static inline double hk_log10(double x) {
    return hk_math_any_log_(x, 10);
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
        return x + HK_MATH_LOG_REST_(hk_math_log_poly_, x);
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

/* y log(PARTS) as a product of 26 bits by 26 bits, and the rest. */
static inline hk_math_pair_ hk_math_pow_exponent_(hk_math_parts_ parts, double y) {
    hk_math_pair_ log = hk_math_log_pair_(parts), exponent;
    double top = hk_math_top_(y);
    exponent.high = top * log.high;
    exponent.low = (y - top) * log.high + y * log.low;
    return exponent;
}

HK_MATH_RARE_ double hk_math_pow_rare_(double x, double y) {
    double size = hk_math_abs_(x), infinity = hk_math_infinity_(), sign = 1;
    if (!(size > 0 && size < infinity && hk_math_abs_(y) < infinity))
        return hk_math_pow_special_(x, y);
    if (x < 0) {
        int parity = hk_math_parity_(y);
        if (parity == 0)
            return hk_math_nan_();
        sign = parity == 1 ? -1 : 1;
    }
    hk_math_pair_ exponent = hk_math_pow_exponent_(hk_math_parts_of_any_(size), y);
    return sign * hk_math_exp_far_(exponent.high, exponent.low, 0);
}

static inline double hk_pow(double x, double y) {
    if (hk_math_is_ordinary_(x)) {
        hk_math_pair_ exponent = hk_math_pow_exponent_(hk_math_parts_of_(x), y);
        if (hk_math_abs_(exponent.high) < 700) {
            hk_math_pair_ power =
                hk_math_exp_pair_(exponent.high + exponent.low, exponent.high, exponent.low);
            return power.high + power.low;
        }
    }
    return hk_math_pow_rare_(x, y);
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

/* exp(X) and in *SHRUNK exp(-X), 0 <= X <= 40, of one reduction. */
static inline hk_math_pair_ hk_math_powers_(double x, hk_math_pair_ *shrunk) {
    double shifted = x * HK_MATH_EXP_STEPS_ + HK_MATH_ROUND_, count = shifted - HK_MATH_ROUND_;
    double r = (x - count * HK_MATH_EXP_HIGH_) - count * HK_MATH_EXP_LOW_;
    int32_t steps = (int32_t)(uint32_t)hk_math_bits_(shifted);
    *shrunk = hk_math_power_(-steps, -r);
    return hk_math_power_(steps, r);
}

/* sinh and cosh of X > 0, large, where exp(-X) does not count. */
HK_MATH_RARE_ double hk_math_half_exp_(double x) {
    return hk_math_exp_far_(x, 0, -1);
}

/* x + POLYNOMIAL x^3, odd functions near 0; nearer yet they are x. */
static inline double hk_math_near_0_(double x, double polynomial) {
    return hk_math_abs_(x) < 3.725290298461914e-09 /* 2^-28 */ ? x : x + x * (x * x) * polynomial;
}

static inline double hk_sinh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 1)
        return hk_math_near_0_(x, HK_MATH_POLYNOMIAL_(hk_math_sinh_poly_, square));
    if (!(size <= 40))
        return hk_math_is_nan_(x) ? hk_math_nan_() : hk_math_signed_(hk_math_half_exp_(size), x);
    hk_math_pair_ shrunk, grown = hk_math_powers_(size, &shrunk);
    hk_math_pair_ sum = hk_math_ordered_sum_(grown.high, -shrunk.high);
    return hk_math_signed_(0.5 * (sum.high + (sum.low + (grown.low - shrunk.low))), x);
}

static inline double hk_cosh(double x) {
    double size = hk_math_abs_(x);
    if (!(size <= 40))
        return hk_math_half_exp_(size);
    hk_math_pair_ shrunk, grown = hk_math_powers_(size, &shrunk);
    hk_math_pair_ sum = hk_math_ordered_sum_(grown.high, shrunk.high);
    return 0.5 * (sum.high + (sum.low + (grown.low + shrunk.low)));
}

static inline double hk_tanh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.25)
        return hk_math_near_0_(x, HK_MATH_POLYNOMIAL_(hk_math_tanh_poly_, square));
    if (!(size <= 20))
        return hk_math_is_nan_(x) ? hk_math_nan_()
                                  : hk_math_signed_(1 - 8.673617379884035e-19 /* 2^-60 */, x);
    hk_math_pair_ power = hk_math_exp_pair_(2 * size, 2 * size, 0);
    hk_math_pair_ above = hk_math_ordered_sum_(power.high, -1);
    hk_math_pair_ below = hk_math_ordered_sum_(power.high, 1);
    above.low += power.low;
    below.low += power.low;
    below = hk_math_ordered_sum_(below.high, below.low);
    hk_math_pair_ value = hk_math_quotient_(above, below);
    return hk_math_signed_(value.high + value.low, x);
}

/* asinh and acosh of SIZE >= 8, where ROOT is sqrt(size^2 + 1) or sqrt(size^2 - 1): log(size +
 * root).
 */
HK_MATH_RARE_ double hk_math_log_far_(double size, double root) {
    if (!(size < hk_math_infinity_()))
        return hk_math_is_nan_(size) ? hk_math_nan_() : size;
    if (size > 1073741824.0 /* 2^30: log(2 size) */) {
        hk_math_parts_ parts = hk_math_parts_of_(size);
        parts.k++;
        return hk_math_log_(parts, hk_math_residue_(parts));
    }
    return hk_math_log_of_pair_(hk_math_ordered_sum_(size, root));
}

/* a + asinh(t) for an ENTRY of a table, c, sqrt(c^2 + 1), a = asinh(c), and T = sinh(b - a), small.
 */
static inline double hk_math_from_entry_(const double *entry, double t) {
    double square = t * t;
    double rest = t * square * HK_MATH_POLYNOMIAL_(hk_math_asinh_short_poly_, square);
    hk_math_pair_ sum = hk_math_ordered_sum_(entry[2], t);
    return sum.high + (sum.low + (entry[3] + rest));
}

/* With c near x from a table and a = asinh(c): sinh(asinh(x) - a) = x cosh(a) - c sqrt(x^2 + 1),
 * which is (x^2 - c^2) / (x cosh(a) + c sqrt(x^2 + 1)): nothing cancels. */
static inline double hk_asinh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.25)
        return hk_math_near_0_(x, HK_MATH_POLYNOMIAL_(hk_math_asinh_poly_, square));
    double root = hk_math_sqrt_(square + 1);
    if (!(size < 8))
        return hk_math_is_nan_(x) ? hk_math_nan_()
                                  : hk_math_signed_(hk_math_log_far_(size, root), x);
    uint64_t part = (hk_math_bits_(size) >> 48) - (UINT64_C(0x3fd0000000000000) >> 48);
    const double *entry = &hk_math_asinh_table_[4 * part];
    double t = (size - entry[0]) * (size + entry[0]) / (size * entry[1] + entry[0] * root);
    return hk_math_signed_(hk_math_from_entry_(entry, t), x);
}

/* The same with cosh and sinh exchanged; near 1, asinh(sqrt(x^2 - 1)). */
static inline double hk_acosh(double x) {
    double above = x - 1, square = above * above + 2 * above; /* x^2 - 1 */
    double root = hk_math_sqrt_(square);
    if (!(above >= 0.03125)) {
        if (!(above > 0))
            return above == 0 ? 0 : hk_math_nan_();
        double lost = (2 * above - square) + above * above; /* near 0, and so is its root */
        double low = hk_math_root_rest_(square, lost, root);
        return root + (low + root * square * HK_MATH_POLYNOMIAL_(hk_math_asinh_poly_, square));
    }
    if (!(above < 8))
        return hk_math_log_far_(x, root);
    uint64_t part = (hk_math_bits_(above) >> 48) - (UINT64_C(0x3fa0000000000000) >> 48);
    const double *entry = &hk_math_acosh_table_[4 * part];
    double t = (above - entry[0]) * (x + (1 + entry[0])) / (root * (1 + entry[0]) + x * entry[1]);
    return hk_math_from_entry_(entry, t);
}

static inline double hk_atanh(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.25)
        return hk_math_near_0_(x, HK_MATH_POLYNOMIAL_(hk_math_atanh_poly_, square));
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
