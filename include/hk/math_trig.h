/* SPDX-License-Identifier: MIT
 *
 * Trigonometric functions and their inverses, of hk/math.h. */
#ifndef HK_MATH_TRIG_H
#define HK_MATH_TRIG_H

#include <hk/math_base.h>
#include <hk/math_tables.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reduction: x = n pi/2 + r, |r| <= pi/4 or a little more ----------------------------------
 */

#define HK_MATH_LIMBS_ 9

/* SIZE times 2/pi modulo 4, SIZE >= 2^20: *N in front of the point, FRACTION behind it, most
 * significant word first. Of 2/pi only the seven words count that matter after the point; all is
 * done in whole numbers. */
static inline void hk_math_quarter_turns_(double size, uint32_t *n, uint32_t fraction[6]) {
    uint64_t bits = hk_math_bits_(size);
    uint64_t m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    int exponent = (int)(bits >> 52) - 1075; /* size = m * 2^exponent */
    int first = exponent < 2 ? 0 : (exponent - 2) / 32;
    uint32_t product[HK_MATH_LIMBS_] = {0};
    for (int half = 0; half < 2; half++) {
        uint64_t factor = half ? m >> 32 : m & 0xffffffff, carry = 0;
        for (int i = 6; i >= 0; i--) {
            uint32_t *limb = &product[i + 2 - half];
            uint64_t sum = factor * hk_math_two_over_pi_words_[first + i] + *limb + carry;
            *limb = (uint32_t)sum;
            carry = sum >> 32;
        }
        product[1 - half] += (uint32_t)carry;
    }
    int before = 32 * HK_MATH_LIMBS_ - (32 * (first + 7) - exponent); /* bits before the point */
    int word = before / 32, shift = before % 32;
    uint64_t front = (uint64_t)product[word - 1] << 32 | product[word];
    *n = (uint32_t)(front >> (32 - shift)) & 3;
    for (int i = 0; i < 6; i++) {
        uint64_t next = word + i + 1 < HK_MATH_LIMBS_ ? product[word + i + 1] : 0;
        uint64_t both = word + i < HK_MATH_LIMBS_ ? (uint64_t)product[word + i] << 32 | next : 0;
        fraction[i] = (uint32_t)(both << shift >> 32);
    }
}

HK_MATH_RARE_ uint32_t hk_math_reduce_large_(double size, hk_math_pair_ *r) {
    uint32_t n, fraction[6];
    hk_math_quarter_turns_(size, &n, fraction);
    bool over = fraction[0] >> 31; /* more than a half: the next n, from above */
    uint32_t flip = over ? 0xffffffffu : 0;
    hk_math_pair_ sum = {0, 0};
    double weight = 2.3283064365386963e-10 /* 2^-32 */;
    for (int i = 0; i < 6; i++) {
        hk_math_pair_ next = hk_math_ordered_sum_(sum.high, (fraction[i] ^ flip) * weight);
        sum.high = next.high;
        sum.low += next.low;
        weight *= 2.3283064365386963e-10 /* 2^-32 */;
    }
    static const hk_math_pair_ half_pi = {HK_MATH_HALF_PI_, HK_MATH_HALF_PI_LOW_};
    sum = hk_math_pair_product_(hk_math_ordered_sum_(sum.high, sum.low), half_pi);
    r->high = over ? -sum.high : sum.high;
    r->low = over ? -sum.low : sum.low;
    return n + over;
}

/* n modulo 4; X is finite. */
static inline uint32_t hk_math_reduce_(double x, hk_math_pair_ *r) {
    double size = hk_math_abs_(x);
    if (size <= 0.7853981633974483) {
        r->high = x;
        r->low = 0;
        return 0;
    }
    if (size >= 1048576.0 /* 2^20 */) {
        uint32_t n = hk_math_reduce_large_(size, r);
        if (x > 0)
            return n;
        r->high = -r->high;
        r->low = -r->low;
        return 0 - n;
    }
    const double *part = hk_math_half_pi_parts_;
    double shifted = x * HK_MATH_TWO_OVER_PI_ + HK_MATH_ROUND_, n = shifted - HK_MATH_ROUND_;
    if (size < 1024.0 /* 2^10 */) { /* two parts are enough, unless nearly all of x is lost in the
                                       difference */
        *r = hk_math_ordered_sum_(x - n * part[0], -(n * HK_MATH_HALF_PI_REST_));
        if (hk_math_abs_(r->high) > 9.5367431640625e-07 /* 2^-20 */)
            return (uint32_t)hk_math_bits_(shifted);
    }
    /* Exact up to the fourth part: products have at most 53 bits, sums keep what they lose. */
    hk_math_pair_ a = hk_math_sum_(x - n * part[0], -(n * part[1]));
    hk_math_pair_ b = hk_math_sum_(a.high, -(n * part[2]));
    *r = hk_math_ordered_sum_(b.high, (b.low + a.low) - n * part[3]);
    return (uint32_t)hk_math_bits_(shifted);
}

/* ---- sin, cos, tan --------------------------------------------------------------------------- */

/* sin(r) = high + low, |r| <= pi/4. */
static inline hk_math_pair_ hk_math_sin_pair_(hk_math_pair_ r) {
    double square = r.high * r.high;
    double rest = r.high * square * HK_MATH_POLYNOMIAL_(hk_math_sin_poly_, square);
    hk_math_pair_ sine = {r.high, rest + r.low * (1 - 0.5 * square)};
    return sine;
}

/* cos(r) = high + low. */
static inline hk_math_pair_ hk_math_cos_pair_(hk_math_pair_ r) {
    double square = r.high * r.high, half = 0.5 * square;
    double rest = square * square * HK_MATH_POLYNOMIAL_(hk_math_cos_poly_, square);
    hk_math_pair_ cosine;
    cosine.high = 1 - half;
    cosine.low = ((1 - cosine.high) - half) + (rest - r.high * r.low);
    return cosine;
}

static inline double hk_math_sin_(hk_math_pair_ r, uint32_t n) {
    hk_math_pair_ value = n & 1 ? hk_math_cos_pair_(r) : hk_math_sin_pair_(r);
    double sum = value.high + value.low;
    return n & 2 ? -sum : sum;
}

static inline bool hk_math_is_finite_(double x) {
    return hk_math_abs_(x) < hk_math_infinity_();
}

/* sin and tan of these are x itself, so near to 0, or not a number. */
static inline bool hk_math_is_bare_angle_(double x) {
    return hk_math_abs_(x) < 7.450580596923828e-09 /* 2^-27 */ || !hk_math_is_finite_(x);
}

static inline double hk_math_bare_angle_(double x) {
    return hk_math_is_finite_(x) ? x : hk_math_nan_();
}

static inline double hk_sin(double x) {
    if (hk_math_is_bare_angle_(x))
        return hk_math_bare_angle_(x);
    hk_math_pair_ r;
    uint32_t n = hk_math_reduce_(x, &r);
    return hk_math_sin_(r, n);
}

static inline double hk_cos(double x) {
    if (!hk_math_is_finite_(x))
        return hk_math_nan_();
    hk_math_pair_ r;
    uint32_t n = hk_math_reduce_(x, &r);
    return hk_math_sin_(r, n + 1);
}

/* tan(r), or -1/tan(r) for an odd N, |r| < 0.11. */
static inline double hk_math_tan_small_(hk_math_pair_ r, uint32_t n) {
    double square = r.high * r.high;
    double rest = r.high * square * HK_MATH_POLYNOMIAL_(hk_math_tan_poly_, square) + r.low;
    if (!(n & 1))
        return r.high + rest;
    static const hk_math_pair_ minus = {-1, 0};
    hk_math_pair_ value = hk_math_quotient_(minus, hk_math_ordered_sum_(r.high, rest));
    return value.high + value.low;
}

/* f = tan(i/32) comes from a table, t = tan(r - i/32) from a polynomial:
 * tan(r) = f + t (1 + f^2) / (1 - f t). With g = 1/f: 1/tan(r) = g - t (1 + g^2) / (1 + g t). */
static inline double hk_tan(double x) {
    if (hk_math_is_bare_angle_(x))
        return hk_math_bare_angle_(x);
    hk_math_pair_ r;
    uint32_t n = hk_math_reduce_(x, &r);
    double size = hk_math_abs_(r.high);
    if (size < 0.109375)
        return hk_math_tan_small_(r, n);
    int i = (int)(size * 32 + 0.5);
    double away = (size - i * 0.03125) + (r.high < 0 ? -r.low : r.low), square = away * away;
    double t = away + away * square * HK_MATH_POLYNOMIAL_(hk_math_tan_short_poly_, square);
    const double *entry = &hk_math_tan_table_[6 * i + (n & 1 ? 3 : 0)];
    double turn = 1 - 2.0 * (n & 1); /* no branch: a CPU does not foresee which of the two it is */
    t *= turn;
    double value = entry[0] + (entry[1] + t * entry[2] / (1 - entry[0] * t));
    return hk_math_signed_(value, r.high * turn);
}

/* ---- inverses -------------------------------------------------------------------------------- */

/* atan(Y / X), 0 <= Y <= X, both far from the largest and the smallest numbers. The quotient says
 * which i/32 is near; atan(i/32) comes from a table, the rest from a polynomial. */
static inline hk_math_pair_ hk_math_atan_pair_(double y, double x) {
    double quotient = y / x;
    if (quotient < 0.109375) {
        hk_math_pair_ back = hk_math_product_(quotient, x);
        double low = ((y - back.high) - back.low) / x, square = quotient * quotient;
        double cube = quotient * square * HK_MATH_POLYNOMIAL_(hk_math_atan_poly_, square);
        hk_math_pair_ angle = {quotient, low + cube};
        return angle;
    }
    int i = (int)(quotient * 32 + 0.5);
    double c = i * 0.03125, top = hk_math_top_(x);
    double t = ((y - c * top) - c * (x - top)) / (x + c * y), square = t * t;
    double rest = t * square * HK_MATH_POLYNOMIAL_(hk_math_atan_short_poly_, square);
    hk_math_pair_ angle = hk_math_ordered_sum_(hk_math_atan_table_[2 * i], t);
    angle.low += hk_math_atan_table_[2 * i + 1] + rest;
    return angle;
}

/* PARTS quarters of a turn minus ANGLE. */
static inline double hk_math_turned_(double quarters, hk_math_pair_ angle) {
    hk_math_pair_ sum = hk_math_ordered_sum_(quarters * HK_MATH_HALF_PI_, -angle.high);
    return sum.high + (sum.low + (quarters * HK_MATH_HALF_PI_LOW_ - angle.low));
}

static inline double hk_atan(double x) {
    double size = hk_math_abs_(x), value;
    if (size < 7.450580596923828e-09 /* 2^-27 */)
        return x;
    if (hk_math_is_nan_(x))
        return hk_math_nan_();
    if (size > 1.152921504606847e+18 /* 2^60 */) {
        value = HK_MATH_HALF_PI_;
    } else if (size > 1) {
        value = hk_math_turned_(1, hk_math_atan_pair_(1, size));
    } else {
        hk_math_pair_ angle = hk_math_atan_pair_(size, 1);
        value = angle.high + angle.low;
    }
    return hk_math_signed_(value, x);
}

/* atan2 where one of the two is 0, infinite or not a number, or one is far larger than the other;
 * sizes are |y| and |x|. */
HK_MATH_RARE_ double hk_math_atan2_special_(double y, double x) {
    double up = hk_math_abs_(y), along = hk_math_abs_(x), infinity = hk_math_infinity_();
    bool back = hk_math_bits_(x) >> 63;
    if (hk_math_is_nan_(x) || hk_math_is_nan_(y))
        return hk_math_nan_();
    if (up == infinity && along == infinity)
        return hk_math_signed_(back ? 3 * 0.7853981633974483 : 0.7853981633974483, y);
    if (up == 0 || (along == infinity && up < infinity) || (along > up && along != 0))
        return hk_math_signed_(back ? 2 * HK_MATH_HALF_PI_ : up == 0 ? 0 : up / along, y);
    return hk_math_signed_(HK_MATH_HALF_PI_, y);
}

static inline double hk_atan2(double y, double x) {
    double up = hk_math_abs_(y), along = hk_math_abs_(x);
    int e = (int)(hk_math_bits_(up) >> 52), f = (int)(hk_math_bits_(along) >> 52);
    if (e == 0 ||
        f == 0) { /* too small for the full number of digits: both larger, if they can be */
        if (up == 0 || along == 0 || e > 1900 || f > 1900)
            return hk_math_atan2_special_(y, x);
        up *= 1.2676506002282294e+30 /* 2^100 */;
        along *= 1.2676506002282294e+30 /* 2^100 */;
        e = (int)(hk_math_bits_(up) >> 52);
        f = (int)(hk_math_bits_(along) >> 52);
    }
    if (e == 2047 || f == 2047 || e - f > 64 || f - e > 1000 || (f - e > 64 && x < 0))
        return hk_math_atan2_special_(y, x);
    if (f - e > 64)
        return hk_math_signed_(up / along, y);
    double factor =
        hk_math_power_of_2_(1023 - (e > f ? e : f) < -1022 ? -1022 : 1023 - (e > f ? e : f));
    up *= factor;
    along *= factor;
    double value;
    if (up > along) {
        hk_math_pair_ angle = hk_math_atan_pair_(along, up);
        if (x < 0) {
            angle.high = -angle.high;
            angle.low = -angle.low;
        }
        value = hk_math_turned_(1, angle);
    } else {
        hk_math_pair_ angle = hk_math_atan_pair_(up, along);
        value = x < 0 ? hk_math_turned_(2, angle) : angle.high + angle.low;
    }
    return hk_math_signed_(value, y);
}

/* acos(SIZE) for SIZE > 1/2: twice asin(sqrt((1 - SIZE)/2)). */
static inline hk_math_pair_ hk_math_acos_pair_(double size) {
    double z = 0.5 * (1 - size), root = hk_math_sqrt_(z);
    double rest = root * (z * HK_MATH_POLYNOMIAL_(hk_math_asin_poly_, z));
    hk_math_pair_ angle;
    angle.high = 2 * root;
    angle.low = 2 * (rest + hk_math_root_rest_(z, 0, root));
    return angle;
}

static inline double hk_asin(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.5)
        return size < 7.450580596923828e-09 /* 2^-27 */
                   ? x
                   : x + x * (square * HK_MATH_POLYNOMIAL_(hk_math_asin_poly_, square));
    if (!(size < 1))
        return size == 1 ? hk_math_signed_(HK_MATH_HALF_PI_, x) : hk_math_nan_();
    return hk_math_signed_(hk_math_turned_(1, hk_math_acos_pair_(size)), x);
}

static inline double hk_acos(double x) {
    double size = hk_math_abs_(x), square = x * x;
    if (size <= 0.5) {
        hk_math_pair_ angle = {x, x * (square * HK_MATH_POLYNOMIAL_(hk_math_asin_poly_, square))};
        return hk_math_turned_(1, angle);
    }
    if (!(size < 1))
        return size == 1 ? (x > 0 ? 0.0 : 2 * HK_MATH_HALF_PI_) : hk_math_nan_();
    hk_math_pair_ angle = hk_math_acos_pair_(size);
    return x > 0 ? angle.high + angle.low : hk_math_turned_(2, angle);
}

#ifdef __cplusplus
}
#endif
#endif
