/* SPDX-License-Identifier: MIT
 *
 * Which fraction a decimal of many digits stands for is decided in whole numbers alone; of the
 * double only the place of its last bit is needed. */
#include "base/seconds.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum {
    DIGITS_MIN = 15,  /* fewer are written by people, who mean what they write */
    DIGITS_KEPT = 19, /* a double has 17; with more the bounds below would not fit 128 bits */
    DENOMINATOR_MAX = 100000
};

/* digits * 10^-places, of a text without its sign. */
typedef struct decimal {
    uint64_t digits;
    int count; /* significant digits as written */
    int places;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int read_exponent(const char *p) {
    if (*p != 'e' && *p != 'E')
        return 0;
    bool negative = p[1] == '-';
    int value = 0;
    for (p += 1 + (p[1] == '-' || p[1] == '+'); is_digit(*p); p++)
        value = value < 100000 ? 10 * value + (*p - '0') : value;
    return negative ? -value : value;
}

/* TEXT is a decimal that hk_read_f64 takes. Digits after the 19th round the 19th. */
static decimal read_decimal(const char *text) {
    decimal d = {0};
    bool point = false;
    const char *p = text;
    for (; is_digit(*p) || *p == '.'; p++) {
        point |= *p == '.';
        if (*p == '.' || (*p == '0' && !d.count)) {
            d.places += point && *p != '.';
            continue;
        }
        d.count++;
        if (d.count <= DIGITS_KEPT) {
            d.digits = 10 * d.digits + (uint64_t)(*p - '0');
            d.places += point;
        } else {
            d.digits += d.count == DIGITS_KEPT + 1 && *p >= '5';
            d.places -= !point;
        }
    }
    d.places -= read_exponent(p);
    return d;
}

/* Bounds of what may be meant: (middle -+ reach) / unit. */
typedef struct bounds {
    u128 middle, reach, unit;
} bounds;

/* unit = 5^places * 2^twos, the common denominator of the last digit's half and of two ulp. False
 * where no fraction can be: the value is too small, too great, or whole. */
static bool find_bounds(const decimal *d, double value, bounds *ret_bounds) {
    int exponent;
    (void)frexp(value, &exponent); /* value < 2^exponent, and an ulp is 2^(exponent - 53) */
    if (value < 0.9 / DENOMINATOR_MAX || value >= 0x1p63 || d->places <= 0)
        return false;
    HK_ASSERT(d->places <= 24 && exponent >= -16);
    int ulps = 52 - exponent; /* two of them are 2^-ulps */
    int twos = d->places + 1 > ulps ? d->places + 1 : ulps;
    u128 fives = 1;
    for (int i = 0; i < d->places; i++)
        fives *= 5;
    u128 half = (u128)1 << (twos - d->places - 1); /* of the last digit, in units of 1 / (2^twos) */
    bounds b = {.unit = fives << twos};
    b.middle = 2 * half * d->digits;
    b.reach = half + (fives << (twos - ulps));
    *ret_bounds = b;
    return true;
}

/* The simplest fraction between LOW and HIGH, both given as numerator and denominator: the terms of
 * their continued fractions, as long as they agree, and one that lies between where they part. */
static bool simplest(u128 low[2], u128 high[2], int64_t *ret_num, int64_t *ret_den) {
    u128 num = 1, den = 0, num_before = 0, den_before = 1;
    for (;;) {
        u128 term = low[0] / low[1], rest = low[0] % low[1];
        bool last = rest == 0 || high[0] / high[1] > term;
        term += last && rest != 0;
        if (term > INT64_MAX || (den && term > DENOMINATOR_MAX))
            return false;
        u128 next_num = term * num + num_before, next_den = term * den + den_before;
        if (next_num > INT64_MAX || next_den > DENOMINATOR_MAX)
            return false;
        num_before = num, den_before = den;
        num = next_num, den = next_den;
        if (last) {
            *ret_num = (int64_t)num;
            *ret_den = (int64_t)den;
            return true;
        }
        u128 inverse[2] = {low[1], rest};
        low[0] = high[1], low[1] = high[0] - term * high[1];
        high[0] = inverse[0], high[1] = inverse[1];
    }
}

/* What the decimal TEXT, without its sign, stands for. False: for itself. */
static bool find_meant(const char *text, hk_ratio *ret_ratio) {
    double value;
    bounds b;
    decimal d = read_decimal(text);
    if (d.count < DIGITS_MIN || !hk_read_f64(text, strlen(text), &value) ||
        !find_bounds(&d, value, &b))
        return false;
    u128 whole = (b.middle + b.unit / 2) / b.unit; /* of several the nearest */
    u128 away = whole * b.unit > b.middle ? whole * b.unit - b.middle : b.middle - whole * b.unit;
    if (away <= b.reach) {
        *ret_ratio = (hk_ratio){(int64_t)whole, 1};
        return whole <= INT64_MAX;
    }
    u128 low[2] = {b.middle - b.reach, b.unit}, high[2] = {b.middle + b.reach, b.unit};
    return simplest(low, high, &ret_ratio->num, &ret_ratio->den);
}

bool hk_seconds_parse(const char *text, hk_ratio *ret_seconds, bool *ret_meant) {
    hk_ratio exact, meant;
    bool fits = hk_ratio_parse(text, &exact);
    double value;
    text += strspn(text, " \t\r\n");
    bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    *ret_meant = false;
    if ((is_digit(*digits) || *digits == '.') && hk_read_f64(text, strlen(text), &value) &&
        find_meant(digits, &meant)) {
        meant.num = negative ? -meant.num : meant.num;
        *ret_meant = !fits || hk_ratio_compare(meant, exact) != 0;
        fits = true;
        exact = meant;
    }
    if (fits)
        *ret_seconds = exact;
    return fits;
}

bool hk_time_parse(const char *text, hk_ratio *ret_seconds, bool *ret_meant) {
    static const struct {
        const char *unit;
        int64_t num, den;
    } units[] = {{"", 1, 1},         {"s", 1, 1},           {"ms", 1, 1000},
                 {"us", 1, 1000000}, {"ns", 1, 1000000000}, {"min", 60, 1},
                 {"h", 3600, 1}};
    size_t length = strspn(text, "+-0123456789./");
    /* An exponent belongs to the number, so long as digits follow it. */
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = strspn(text + length + 1, "+-");
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        if (digits)
            length += 1 + sign + digits;
    }
    char number[64];
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    const char *unit = text + length + strspn(text + length, " ");
    hk_ratio value;
    if (!hk_seconds_parse(number, &value, ret_meant))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].unit) == 0)
            return hk_ratio_times(value, units[i].num, units[i].den, ret_seconds);
    return false;
}

void hk_seconds_tell(hk_ctx *ctx, hk_where where, const char *text, hk_ratio value,
                     const char *unit) {
    char buffer[48];
    text += strspn(text, " \t\r\n");
    hk_note(ctx, where, "'%.*s' is read as %s%s, the fraction that its digits stand for",
            (int)strcspn(text, "\r\n"), text, hk_ratio_format(value, buffer), unit);
}

bool hk_seconds_read(hk_ctx *ctx, hk_where where, const char *text, hk_ratio *ret_seconds) {
    bool meant;
    if (!hk_seconds_parse(text, ret_seconds, &meant))
        return false;
    if (meant)
        hk_seconds_tell(ctx, where, text, *ret_seconds, " s");
    return true;
}

bool hk_time_read(hk_ctx *ctx, hk_where where, const char *text, hk_ratio *ret_seconds) {
    bool meant;
    if (!hk_time_parse(text, ret_seconds, &meant))
        return false;
    if (meant)
        hk_seconds_tell(ctx, where, text, *ret_seconds, " s");
    return true;
}

const char *hk_time_judge(hk_ctx *ctx, hk_where where, const char *text, unsigned rules,
                          hk_ratio *ret_time, hk_status *ret_code) {
    hk_ratio time;
    *ret_code = HK_E_VALUE;
    if (!(rules & HK_TIME_UNITS ? hk_time_read : hk_seconds_read)(ctx, where, text, &time))
        return "is not a time";
    *ret_code = HK_E_TIME;
    if ((rules & HK_TIME_ABOVE_0) && time.num <= 0)
        return "must be above 0";
    if ((rules & HK_TIME_FROM_0) && time.num < 0)
        return "must be at least 0";
    *ret_code = HK_OK;
    *ret_time = time;
    return NULL;
}

bool hk_seconds_simpler(hk_ratio time, hk_ratio *ret_fraction) {
    int64_t ten = 1;
    for (int i = 0; i < DIGITS_MIN && ten % time.den != 0; i++)
        ten *= 10;
    if (time.num <= 0 || ten % time.den != 0)
        return false;
    u128 doubled = (u128)(uint64_t)(2 * (ten / time.den)) * (uint64_t)time.num;
    u128 unit = (uint64_t)(2 * ten), low[2] = {doubled - 1, unit}, high[2] = {doubled + 1, unit};
    hk_ratio r;
    /* One digit is not a sign of rounding, and of all fractions up to q one is within 1 / q^2 of
     * any number by chance. */
    if (doubled < 20 || !simplest(low, high, &r.num, &r.den) || r.den * r.den > ten ||
        hk_ratio_compare(r, time) == 0)
        return false;
    *ret_fraction = r;
    return true;
}

bool hk_seconds_tellable(double duration, double t) {
    enum { ULPS = 4 };
    int exponent = 0;
    (void)frexp(t, &exponent);
    return duration >= ldexp(ULPS, exponent - 53);
}

bool hk_seconds_from_double(double value, hk_ratio *ret_seconds) {
    char text[HK_NUMBER_MAX + 1];
    bool meant;
    text[hk_write_f64(value, text)] = '\0';
    return hk_seconds_parse(text, ret_seconds, &meant);
}

bool hk_seconds_format(hk_ratio time, char *buffer) {
    bool meant;
    hk_ratio again;
    char digits[HK_NUMBER_MAX + 1];
    if (!strchr(hk_ratio_format(time, buffer), '/'))
        return true;
    digits[hk_write_f64(hk_ratio_to_double(time), digits)] = '\0';
    if (!hk_seconds_parse(digits, &again, &meant) || hk_ratio_compare(again, time) != 0)
        return false;
    strcpy(buffer, digits);
    return true;
}
