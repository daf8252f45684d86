/* SPDX-License-Identifier: MIT
 *
 * Functions are called through tables, so that no compiler takes its own results for theirs.
 * Arguments are integers times powers of two: they are exact, and the same everywhere. */
#include "base/libm.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 4096 };

typedef enum range { AROUND_ZERO, POSITIVE } range;

static const struct {
    double (*call)(double);
    range range;
    int exponent; /* arguments lie below 2 to this power */
} of_one[] = {
    {sin, AROUND_ZERO, 4},   {cos, AROUND_ZERO, 4},   {tan, AROUND_ZERO, 2},
    {sin, AROUND_ZERO, 30},  {cos, AROUND_ZERO, 30},  {asin, AROUND_ZERO, 0},
    {acos, AROUND_ZERO, 0},  {atan, AROUND_ZERO, 4},  {exp, AROUND_ZERO, 9},
    {exp2, AROUND_ZERO, 9},  {expm1, AROUND_ZERO, 1}, {log, POSITIVE, 10},
    {log1p, POSITIVE, 0},    {log10, POSITIVE, 10},   {log2, POSITIVE, 10},
    {sinh, AROUND_ZERO, 4},  {cosh, AROUND_ZERO, 4},  {tanh, AROUND_ZERO, 2},
    {asinh, AROUND_ZERO, 6}, {atanh, AROUND_ZERO, 0}, {cbrt, AROUND_ZERO, 20},
    {erf, AROUND_ZERO, 1},
};
static const struct {
    double (*call)(double, double);
    range range; /* of the first; the second lies around zero */
    int exponent;
} of_two[] = {
    {pow, POSITIVE, 4},
    {atan2, AROUND_ZERO, 4},
    {hypot, AROUND_ZERO, 10},
    {fmod, AROUND_ZERO, 20},
};
enum { ONE = sizeof of_one / sizeof *of_one, TWO = sizeof of_two / sizeof *of_two };

static uint64_t spread(uint64_t n) {
    n = (n ^ n >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    n = (n ^ n >> 27) * UINT64_C(0x94D049BB133111EB);
    return n ^ n >> 31;
}

static double argument(uint64_t number, range where, int exponent) {
    int64_t digits = (int64_t)(spread(number * UINT64_C(0x9E3779B97F4A7C15) + 1) >> 11);
    if (where == AROUND_ZERO)
        digits = 2 * digits - (INT64_C(1) << 53);
    else if (digits == 0)
        digits = 1;
    return ldexp((double)digits, exponent - 53);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    if (isnan(value))
        return 1; /* NaNs have many bits */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t hash;

static void compute(void) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < CALLS; i++) {
        uint64_t f = i % (ONE + TWO), k = f - ONE;
        double result = f < ONE ? of_one[f].call(argument(i, of_one[f].range, of_one[f].exponent))
                                : of_two[k].call(argument(i, of_two[k].range, of_two[k].exponent),
                                                 argument(i + CALLS, AROUND_ZERO, 3));
        sum = spread(sum + bits_of(result) + i);
    }
    hash = sum ? sum : 1;
}

uint64_t hk_libm_hash(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, compute);
    return hash;
}

/* NAME of LENGTH characters is in the list. */
static bool is_listed(const char *name, size_t length) {
    static const char *const names[] = {
        "sin",   "cos",   "tan",   "asin",   "acos",   "atan",   "atan2",  "sincos",
        "sinh",  "cosh",  "tanh",  "asinh",  "acosh",  "atanh",  "exp",    "exp2",
        "exp10", "expm1", "log",   "log2",   "log10",  "log1p",  "pow",    "pow10",
        "cbrt",  "hypot", "erf",   "erfc",   "gamma",  "tgamma", "lgamma", "lgamma_r",
        "j0",    "j1",    "jn",    "y0",     "y1",     "yn",     "cexp",   "clog",
        "cpow",  "csqrt", "csin",  "ccos",   "ctan",   "casin",  "cacos",  "catan",
        "csinh", "ccosh", "ctanh", "casinh", "cacosh", "catanh", "cabs",   "carg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

bool hk_libm_is_inexact(const char *symbol) {
    static const char finite[] =
        "_finite"; /* so older versions of glibc name those for -ffast-math */
    if (strncmp(symbol, "__", 2) == 0)
        symbol += 2;
    size_t length = strlen(symbol), tail = sizeof finite - 1;
    if (length > tail && strcmp(symbol + length - tail, finite) == 0)
        length -= tail;
    if (is_listed(symbol, length))
        return true;
    char last = length ? symbol[length - 1] : '\0'; /* of float and of long double */
    return (last == 'f' || last == 'l') && is_listed(symbol, length - 1);
}

const char *hk_libm_text(uint64_t number, char text[HK_LIBM_TEXT]) {
    snprintf(text, HK_LIBM_TEXT, "%016llx", (unsigned long long)number);
    return text;
}
