/* SPDX-License-Identifier: MIT
 *
 * The writers use the Schubfach algorithm (Raffaello Giulietti, "The Schubfach way to render
 * doubles", 2021): scale the number and the two ends of the interval that rounds to it by a power
 * of ten, so that at most two candidates of each length remain, and take the shortest inside. */
#include "base/number.h"

#include "base/memory.h"
#include "base/pow10_table.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* A decimal: digits * 10^exponent. */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* floor(log10(2^e)), or floor(log10(3/4 2^e)); exact for |e| < 1500. */
static inline int log10_pow2(int e, bool three_quarters) {
    return (e * 1262611 - (three_quarters ? 524031 : 0)) >> 22;
}

/* floor(log2(10^e)), exact for |e| < 1200. */
static inline int log2_pow10(int e) {
    return (e * 1741647) >> 19;
}

/* The product of X with a power of ten, without its lowest 128 bits; what is cut off is kept as
 * the lowest bit, which is all that comparisons need. */
static inline uint64_t scale(struct pow10 g, uint64_t x) {
    u128 low = (u128)g.low * x;
    u128 high = (u128)g.high * x + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The same with 64 bits of the power, enough for the 24-bit significands of floats. */
static inline uint64_t scale_short(uint64_t g, uint64_t x) {
    u128 product = (u128)g * x;
    return (uint64_t)(product >> 64) | ((uint32_t)(product >> 32) > 1);
}

/* Picks the shortest decimal of the interval, all in quarters of 10^k: V the number, LOWER and
 * UPPER the smallest and the largest value inside. Of two that are as short, the closer one. */
static inline decimal pick(uint64_t v, uint64_t lower, uint64_t upper, int k) {
    uint64_t s = v / 4;
    uint64_t tens = s / 10;
    bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (down != up)
        return (decimal){tens + up, k + 1};
    down = lower <= 4 * s;
    up = 4 * s + 4 <= upper;
    uint64_t middle = 4 * s + 2;
    bool closer_up = v > middle || (v == middle && (s & 1));
    return (decimal){s + (down != up ? up : closer_up), k};
}

/* The value is c 2^q; NARROW: the gap below it is half as wide as the one above. */
static inline decimal shortest_f64(uint64_t c, int q, bool narrow) {
    int k = log10_pow2(q, narrow);
    int h = q + log2_pow10(-k) + 1;
    struct pow10 g = pow10_table[-k - POW10_FIRST];
    uint64_t odd = c & 1; /* an odd significand loses ties, so the ends are outside */
    uint64_t lower = scale(g, (4 * c - 2 + narrow) << h);
    uint64_t v = scale(g, 4 * c << h);
    uint64_t upper = scale(g, (4 * c + 2) << h);
    return pick(v, lower + odd, upper - odd, k);
}

static inline decimal shortest_f32(uint64_t c, int q, bool narrow) {
    int k = log10_pow2(q, narrow);
    int h = q + log2_pow10(-k) + 1;
    struct pow10 wide = pow10_table[-k - POW10_FIRST];
    uint64_t g = wide.high + (wide.low != 0);
    uint64_t odd = c & 1;
    uint64_t lower = scale_short(g, (4 * c - 2 + narrow) << h);
    uint64_t v = scale_short(g, 4 * c << h);
    uint64_t upper = scale_short(g, (4 * c + 2) << h);
    return pick(v, lower + odd, upper - odd, k);
}

/* Eight digits of X < 10^8, one per byte, the first in the lowest byte: the halves, then the
 * pairs, then the digits are split side by side inside one word. */
static inline uint64_t eight_digits(uint32_t x) {
    uint64_t y = x / 10000 | (uint64_t)(x % 10000) << 32;
    uint64_t hundreds = (y * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    y = hundreds | (y - 100 * hundreds) << 16;
    uint64_t tens = (y * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return tens | (y - 10 * tens) << 8;
}

#define ASCII_ZEROS UINT64_C(0x3030303030303030)

/* Stores eight bytes, that of the lowest bits first. */
static inline void store(char *at, uint64_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(at, &bytes, sizeof bytes);
}

static inline char *write_upto_8(uint32_t x, char *p) {
    uint64_t digits = eight_digits(x);
    int zeros = __builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
    store(p, (digits + ASCII_ZEROS) >> (8 * zeros));
    return p + 8 - zeros;
}

static inline char *write_unsigned(uint64_t x, char *p) {
    const uint32_t e8 = 100000000;
    if (x < e8)
        return write_upto_8((uint32_t)x, p);
    uint64_t high = x / e8;
    if (high < e8) {
        p = write_upto_8((uint32_t)high, p);
    } else {
        p = write_upto_8((uint32_t)(high / e8), p);
        store(p, eight_digits((uint32_t)(high % e8)) + ASCII_ZEROS);
        p += 8;
    }
    store(p, eight_digits((uint32_t)(x % e8)) + ASCII_ZEROS);
    return p + 8;
}

static char *write_exponent(int e, char *p) {
    *p++ = 'e';
    if (e < 0) {
        *p++ = '-';
        e = -e;
    }
    return write_upto_8((uint32_t)e, p);
}

/* Eight characters with a point pushed in before the one at AT; the last one falls off. */
static inline uint64_t with_point(uint64_t text, int at) {
    uint64_t head = (UINT64_C(1) << (8 * at)) - 1;
    return (text & head) | (uint64_t)'.' << (8 * at) | (text & ~head) << 8;
}

/* Lays out DIGITS (one before, sixteen after the point) times 10^E. The text is put together in
 * registers: reading back what was just stored in other pieces would stall. Stores go beyond the
 * end of the text, but not beyond HK_NUMBER_MAX. */
static inline char *lay_out(uint64_t digits, int e, char *p) {
    const uint64_t e16 = UINT64_C(10000000000000000), e8 = 100000000;
    char first = (char)('0' + digits / e16);
    uint64_t rest = digits % e16;
    uint64_t high = eight_digits((uint32_t)(rest / e8)), low = eight_digits((uint32_t)(rest % e8));
    int after = low    ? 16 - __builtin_clzll(low) / 8 /* digits after the first */
                : high ? 8 - __builtin_clzll(high) / 8
                       : 0;
    high += ASCII_ZEROS;
    low += ASCII_ZEROS;
    if (e < -5 || e >= 16) {
        p[0] = first;
        p[1] = '.';
        store(p + 2, high);
        store(p + 10, low);
        return write_exponent(e, p + (after ? after + 2 : 1));
    }
    if (e < 0) {
        memcpy(p, "0.000000", 8);
        p += 1 - e;
        p[0] = first;
        store(p + 1, high);
        store(p + 9, low);
        return p + 1 + after;
    }
    p[0] = first;
    if (after <= e) { /* a whole number; its zeros are among the digits */
        store(p + 1, high);
        store(p + 9, low);
        return p + 1 + e;
    }
    store(p + 1, e < 8 ? with_point(high, e) : high);
    store(p + 9, e < 8 ? low << 8 | high >> 56 : with_point(low, e - 8));
    p[17] = (char)(low >> 56);
    return p + 2 + after;
}

static inline char *write_decimal(decimal d, char *p) {
    const uint64_t e16 = UINT64_C(10000000000000000);
    int e = d.exponent + 16;
    while (d.digits < e16) {
        d.digits *= 10;
        e--;
    }
    return lay_out(d.digits, e, p);
}

static size_t write_special(bool nan, char *p, const char *buffer) {
    if (nan)
        p -= p > buffer; /* no sign */
    memcpy(p, nan ? "nan" : "inf", 3);
    return (size_t)(p + 3 - buffer);
}

size_t hk_write_f64(double value, char *buffer) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    char *p = buffer;
    *p = '-';
    p += bits >> 63;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7ff);
    if (biased == 0x7ff)
        return write_special(fraction != 0, p, buffer);
    uint64_t c = fraction | (uint64_t)(biased != 0) << 52;
    int q = (biased ? biased : 1) - 1075;
    /* Whole numbers below 2^53 are their own shortest digits. */
    if (q <= 0 && q > -53 && !(c & ((UINT64_C(1) << -q) - 1)))
        p = write_unsigned(c >> -q, p);
    else if (c)
        p = write_decimal(shortest_f64(c, q, !fraction && biased > 1), p);
    else
        *p++ = '0';
    return (size_t)(p - buffer);
}

size_t hk_write_f32(float value, char *buffer) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    char *p = buffer;
    *p = '-';
    p += bits >> 31;
    uint32_t fraction = bits & ((1u << 23) - 1);
    int biased = (int)(bits >> 23 & 0xff);
    if (biased == 0xff)
        return write_special(fraction != 0, p, buffer);
    uint64_t c = fraction | (uint32_t)(biased != 0) << 23;
    int q = (biased ? biased : 1) - 150;
    if (q <= 0 && q > -24 && !(c & ((UINT64_C(1) << -q) - 1)))
        p = write_unsigned(c >> -q, p);
    else if (c)
        p = write_decimal(shortest_f32(c, q, !fraction && biased > 1), p);
    else
        *p++ = '0';
    return (size_t)(p - buffer);
}

size_t hk_write_u64(uint64_t value, char *buffer) {
    return (size_t)(write_unsigned(value, buffer) - buffer);
}

size_t hk_write_i64(int64_t value, char *buffer) {
    *buffer = '-';
    char *p = buffer + (value < 0);
    return (size_t)(write_unsigned(value < 0 ? -(uint64_t)value : (uint64_t)value, p) - buffer);
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

static void trim(const char **text, size_t *length) {
    while (*length && is_space(**text))
        (*text)++, (*length)--;
    while (*length && is_space((*text)[*length - 1]))
        (*length)--;
}

/* Whether TEXT is WORD, in whatever case. */
static bool is_word(const char *text, size_t length, const char *word) {
    size_t i = 0;
    while (i < length && word[i] && (text[i] | 32) == word[i])
        i++;
    return i == length && !word[i];
}

static locale_t plain_locale;

static void make_plain_locale(void) {
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* The C library's reader rounds correctly; it only has to be kept from the user's locale. */
static bool read_slowly(const char *text, size_t length, double *ret_value) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain_locale);
    char local[128];
    char *copy = length < sizeof local ? local : hk_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    locale_t before = uselocale(plain_locale);
    double value = strtod(copy, NULL);
    uselocale(before);
    if (copy != local)
        hk_free(copy);
    if (isinf(value))
        return false;
    *ret_value = value;
    return true;
}

/* The parts of "-12.5e3": digits * 10^exponent, if there are at most 19 digits. */
typedef struct parts {
    bool negative, many;
    uint64_t digits;
    int64_t exponent;
} parts;

/* The digits from TEXT on, with a point among them; where they end. NULL: there are none. */
static const char *take_digits(const char *text, const char *end, parts *n) {
    int count = 0;
    bool point = false, any = false;
    for (; text < end && (is_digit(*text) || (*text == '.' && !point)); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        any = true;
        n->exponent -= point;
        if (count < 19) {
            n->digits = 10 * n->digits + (uint64_t)(*text - '0');
            count += n->digits != 0;
        } else {
            n->many = true;
        }
    }
    return any ? text : NULL;
}

/* Behind the 'e'. NULL: there is nothing. */
static const char *take_exponent(const char *text, const char *end, parts *n) {
    bool negative = text < end && *text == '-';
    text += text < end && (*text == '-' || *text == '+');
    if (text == end)
        return NULL;
    int64_t e = 0;
    for (; text < end && is_digit(*text); text++)
        e = e < 1000000 ? 10 * e + (*text - '0') : e;
    n->exponent += negative ? -e : e;
    return text;
}

/* False if TEXT is not a number. */
static bool take_apart(const char *text, const char *end, parts *ret) {
    parts n = {.negative = text < end && *text == '-'};
    text += text < end && (*text == '-' || *text == '+');
    text = take_digits(text, end, &n);
    if (text && text < end && (*text == 'e' || *text == 'E'))
        text = take_exponent(text + 1, end, &n);
    if (!text || text != end)
        return false;
    *ret = n;
    return true;
}

bool hk_read_f64(const char *text, size_t length, double *ret_value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    trim(&text, &length);
    parts n;
    if (!take_apart(text, text + length, &n)) {
        bool negative = length && *text == '-';
        bool sign = negative || (length && *text == '+');
        if (is_word(text + sign, length - sign, "nan"))
            *ret_value = (double)NAN;
        else if (is_word(text + sign, length - sign, "inf"))
            *ret_value = negative ? -(double)INFINITY : (double)INFINITY;
        else
            return false;
        return true;
    }
    /* Clinger: digits and power are exact doubles, so one operation rounds once. */
    if (n.many || n.digits > UINT64_C(1) << 53 || n.exponent < -22 || n.exponent > 22)
        return read_slowly(text, length, ret_value);
    double value = (double)n.digits;
    value = n.exponent < 0 ? value / powers[-n.exponent] : value * powers[n.exponent];
    *ret_value = n.negative ? -value : value;
    return true;
}

bool hk_read_u64(const char *text, size_t length, uint64_t *ret_value) {
    trim(&text, &length);
    if (length && *text == '+')
        text++, length--;
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++)
        if (!is_digit(text[i]) || __builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
            return false;
    if (!length)
        return false;
    *ret_value = value;
    return true;
}

bool hk_read_i64(const char *text, size_t length, int64_t *ret_value) {
    trim(&text, &length);
    bool negative = length && *text == '-';
    uint64_t value;
    if (negative && (length < 2 || !is_digit(text[1])))
        return false;
    if (!hk_read_u64(text + negative, length - negative, &value) ||
        value > (uint64_t)INT64_MAX + negative)
        return false;
    *ret_value = negative ? (int64_t)-value : (int64_t)value;
    return true;
}

bool hk_read_bool(const char *text, size_t length, bool *ret_value) {
    trim(&text, &length);
    bool truth = is_word(text, length, "true") || (length == 1 && *text == '1');
    if (!truth && !is_word(text, length, "false") && !(length == 1 && *text == '0'))
        return false;
    *ret_value = truth;
    return true;
}

int hk_read_hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
