/* SPDX-License-Identifier: MIT
 *
 * Numbers of a table, rounded correctly, whatever the locale of the program is. Half an hour of
 * logs is two million of them, and the C library takes a microsecond for each: what has at most 19
 * digits is a quotient or product of two exact numbers in the longer format here, which tells in
 * all but a few cases how the double is rounded. The C library decides the rest. */
#ifndef HK_MODELS_CSV_NUMBER_H
#define HK_MODELS_CSV_NUMBER_H

#include <float.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { CSV_DIGITS = 19, CSV_EXACT = 27 }; /* 10^19 < 2^64, and 5^27 < 2^63 */

/* digits * 10^exponent */
typedef struct csv_decimal {
    uint64_t digits;
    int count, exponent;
} csv_decimal;

/* The digits at TEXT, with a point among them. Returns what is behind them; NULL: there are none,
 * or too many. */
static inline const char *csv_take_digits(const char *text, csv_decimal *n) {
    const char *point = NULL, *begin = text;
    for (;; text++) {
        unsigned digit = (unsigned)(unsigned char)*text - '0';
        if (digit < 10) {
            if (n->count == CSV_DIGITS)
                return NULL;
            n->digits = 10 * n->digits + digit;
            n->count += n->digits != 0;
        } else if (*text == '.' && !point) {
            point = text;
        } else {
            break;
        }
    }
    if (text - begin == (point != NULL) || text - begin > 40)
        return NULL;
    n->exponent = point ? -(int)(text - point - 1) : 0;
    return text;
}

/* "e-3" at *TEXT, if there is one; of more than three digits the C library makes sense. */
static inline bool csv_take_exponent(const char **text, csv_decimal *n) {
    const char *at = *text;
    if ((*at | 32) != 'e')
        return true;
    at++;
    bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    int value = 0, count = 0;
    for (; (unsigned)(unsigned char)*at - '0' < 10 && count < 4; at++, count++)
        value = 10 * value + (*at - '0');
    n->exponent += negative ? -value : value;
    *text = at;
    return count > 0 && count < 4;
}

/* Whether N is known to be *RET_VALUE, correctly rounded. */
static inline bool csv_round(const csv_decimal *n, double *ret_value) {
    static const long double tens[CSV_EXACT + 1] = {
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
        1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
        1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    int e = n->exponent;
    if (LDBL_MANT_DIG < 64 || e < -CSV_EXACT || e > CSV_EXACT)
        return false;
    long double near = (long double)n->digits;
    near = e < 0 ? near / tens[-e] : near * tens[e];
    /* Next to the middle between two doubles the error of NEAR could decide: not here. */
    long double error = near * LDBL_EPSILON;
    *ret_value = (double)near;
    return (double)(near - error) == (double)(near + error);
}

/* Returns what is behind the number at TEXT; TEXT itself: there is none. */
static inline const char *csv_number_slowly(const char *text, double *ret_value) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return text; /* there is no memory left for it */
    locale_t before = uselocale(plain);
    char *end;
    *ret_value = strtod(text, &end);
    uselocale(before);
    freelocale(plain);
    return end;
}

static inline const char *csv_number(const char *text, double *ret_value) {
    csv_decimal n = {0};
    bool negative = *text == '-';
    const char *end = csv_take_digits(text + (negative || *text == '+'), &n);
    if (!end || !csv_take_exponent(&end, &n) || !csv_round(&n, ret_value))
        return csv_number_slowly(text, ret_value);
    if (negative)
        *ret_value = -*ret_value;
    return end;
}

#endif
