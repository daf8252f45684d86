/* SPDX-License-Identifier: MIT */
#include "base/ratio.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

static uint64_t magnitude(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static u128 gcd_wide(u128 a, u128 b) {
    while (b) {
        u128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int64_t hk_gcd(int64_t a, int64_t b) {
    uint64_t x = magnitude(a), y = magnitude(b);
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return (int64_t)x;
}

int64_t hk_floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

int64_t hk_floor_mod(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

/* Reduces and stores; false if the lowest terms do not fit. */
static bool settle(bool negative, u128 num, u128 den, hk_ratio *ret_ratio) {
    if (!den)
        return false;
    u128 common = gcd_wide(num, den);
    num /= common;
    den /= common;
    if (num > INT64_MAX || den > INT64_MAX)
        return false;
    *ret_ratio = (hk_ratio){negative ? -(int64_t)num : (int64_t)num, (int64_t)den};
    return true;
}

bool hk_ratio_times(hk_ratio r, int64_t num, int64_t den, hk_ratio *ret_product) {
    return settle(r.num < 0, (u128)magnitude(r.num) * magnitude(num), (u128)r.den * magnitude(den),
                  ret_product);
}

bool hk_ratio_make(int64_t num, int64_t den, hk_ratio *ret_ratio) {
    return settle((num < 0) != (den < 0) && num, magnitude(num), magnitude(den), ret_ratio);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* m * 10^exponent in lowest terms. Twos and fives are cancelled one by one, because the power of
 * ten itself may be far wider than the result. */
static bool settle_decimal(bool negative, u128 m, int exponent, hk_ratio *ret_ratio) {
    if (!m)
        return settle(false, 0, 1, ret_ratio);
    if (exponent < -200 || exponent > 40)
        return false;
    for (; exponent > 0; exponent--) {
        m *= 10;
        if (m > INT64_MAX)
            return false;
    }
    int twos = -exponent, fives = -exponent;
    for (; twos && m % 2 == 0; twos--)
        m /= 2;
    for (; fives && m % 5 == 0; fives--)
        m /= 5;
    u128 den = 1;
    for (; twos && den <= INT64_MAX; twos--)
        den *= 2;
    for (; fives && den <= INT64_MAX; fives--)
        den *= 5;
    return settle(negative, m, den, ret_ratio);
}

/* Digits with at most one point, gathered as m * 10^exponent. Zeros are held back until another
 * digit follows, so that "1000...e-40" does not overflow. */
static bool read_mantissa(const char **at, u128 *ret_m, int *ret_exponent) {
    const char *p = *at;
    u128 m = 0;
    int exponent = 0, zeros = 0, digits = 0;
    bool point = false;
    for (; is_digit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (++digits > 4000)
            return false;
        exponent -= point;
        if (*p == '0') {
            zeros += m != 0;
            continue;
        }
        for (zeros++; zeros; zeros--) {
            if (m > (~(u128)0) / 10 - 1)
                return false;
            m *= 10;
        }
        uint64_t digit = (uint64_t)(*p - '0');
        m += digit;
    }
    *at = p;
    *ret_m = m;
    *ret_exponent = exponent + zeros;
    return digits > 0;
}

static bool read_exponent(const char **at, int *exponent) {
    const char *p = *at;
    if (*p != 'e' && *p != 'E')
        return true;
    p++;
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    if (!is_digit(*p))
        return false;
    int value = 0;
    for (; is_digit(*p); p++)
        value = value < 100000 ? 10 * value + (*p - '0') : value;
    *at = p;
    *exponent += negative ? -value : value;
    return true;
}

static bool read_denominator(const char **at, uint64_t *ret_den) {
    const char *p = *at;
    uint64_t den = 0;
    if (!is_digit(*p))
        return false;
    for (; is_digit(*p); p++) {
        den = 10 * den + (uint64_t)(*p - '0');
        if (den > (uint64_t)INT64_MAX)
            return false;
        if (den > (uint64_t)INT64_MAX / 10 && is_digit(p[1]))
            return false;
    }
    *at = p;
    *ret_den = den;
    return true;
}

bool hk_ratio_parse(const char *text, hk_ratio *ret_ratio) {
    const char *p = text + strspn(text, " \t\r\n");
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    const char *first = p;
    u128 m;
    int exponent;
    if (!read_mantissa(&p, &m, &exponent))
        return false;
    bool plain = strspn(first, "0123456789") == (size_t)(p - first);
    hk_ratio ratio;
    if (*p == '/') {
        uint64_t den;
        p++;
        if (!plain || !read_denominator(&p, &den))
            return false;
        hk_ratio top;
        if (!settle_decimal(negative, m, exponent, &top) ||
            !settle(negative && m, magnitude(top.num), den, &ratio))
            return false;
    } else if (!read_exponent(&p, &exponent) || !settle_decimal(negative, m, exponent, &ratio)) {
        return false;
    }
    p += strspn(p, " \t\r\n");
    if (*p)
        return false;
    *ret_ratio = ratio;
    return true;
}

static bool sum(hk_ratio a, hk_ratio b, int sign, hk_ratio *ret_sum) {
    /* Each product is below 2^126, so neither the sum nor the denominator overflows. */
    i128 num = (i128)a.num * b.den + sign * ((i128)b.num * a.den);
    u128 den = (u128)(uint64_t)a.den * (uint64_t)b.den;
    return settle(num < 0, num < 0 ? -(u128)num : (u128)num, den, ret_sum);
}

bool hk_ratio_add(hk_ratio a, hk_ratio b, hk_ratio *ret_sum) {
    return sum(a, b, 1, ret_sum);
}

bool hk_ratio_sub(hk_ratio a, hk_ratio b, hk_ratio *ret_difference) {
    return sum(a, b, -1, ret_difference);
}

int hk_ratio_compare(hk_ratio a, hk_ratio b) {
    i128 left = (i128)a.num * b.den, right = (i128)b.num * a.den;
    return (left > right) - (left < right);
}

/* num / den for den > 0, correctly rounded. */
static double quotient(int64_t num, int64_t den) {
    const int64_t exact = INT64_C(1) << 53;
    if (num >= -exact && num <= exact && den <= exact)
        return (double)num / (double)den; /* both are exact, so the division rounds once */
    if (num == 0)
        return 0; /* has no highest bit to bring to its place */
    u128 n = magnitude(num);
    int shift = 0;
    for (; !(n >> 126); shift++)
        n <<= 1;
    /* Between 2^63 and 2^127: cut down to 64 bits, with what is lost kept as the lowest bit. That
     * bit lies well below half a unit of the double, so the conversion below rounds correctly. */
    u128 q = n / (uint64_t)den;
    bool sticky = n % (uint64_t)den != 0;
    for (; q >> 64; shift--) {
        sticky |= q & 1;
        q >>= 1;
    }
    double result = ldexp((double)((uint64_t)q | sticky), -shift);
    return num < 0 ? -result : result;
}

double hk_ratio_to_double(hk_ratio r) {
    return quotient(r.num, r.den);
}

double hk_tick_seconds(hk_tick tick, int64_t n) {
    return quotient(tick, n);
}

enum { DECIMALS_MAX = 15 };

const char *hk_ratio_format(hk_ratio r, char *buffer) {
    char *p = buffer;
    uint64_t num = magnitude(r.num);
    if (r.num < 0)
        *p++ = '-';
    uint64_t rest = num % (uint64_t)r.den;
    u128 power = 1;
    int decimals = 0;
    while (decimals < DECIMALS_MAX && power % (uint64_t)r.den != 0) {
        power *= 10;
        decimals++;
    }
    if (power % (uint64_t)r.den != 0) {
        p += hk_write_u64(num, p);
        *p++ = '/';
        p += hk_write_u64((uint64_t)r.den, p);
    } else {
        p += hk_write_u64(num / (uint64_t)r.den, p);
        if (decimals) {
            uint64_t digits = (uint64_t)(rest * power / (uint64_t)r.den);
            *p = '.';
            for (int i = decimals; i > 0; i--, digits /= 10)
                p[i] = (char)('0' + digits % 10);
            p += decimals + 1;
        }
    }
    *p = '\0';
    return buffer;
}

bool hk_tick_refine(int64_t *n, hk_ratio r) {
    int64_t multiple;
    if (__builtin_mul_overflow(*n / hk_gcd(*n, r.den), r.den, &multiple))
        return false;
    *n = multiple;
    return true;
}

bool hk_tick_from_ratio_up(hk_ratio r, int64_t n, hk_tick *ret_tick) {
    i128 scaled = (i128)r.num * n;
    i128 tick = scaled / r.den + (scaled % r.den > 0);
    if (tick > HK_TICK_LIMIT || tick < -HK_TICK_LIMIT)
        return false;
    *ret_tick = (hk_tick)tick;
    return true;
}

bool hk_tick_from_ratio(hk_ratio r, int64_t n, hk_tick *ret_tick) {
    return (i128)r.num * n % r.den == 0 && hk_tick_from_ratio_up(r, n, ret_tick);
}
