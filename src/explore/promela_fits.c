/* SPDX-License-Identifier: MIT
 *
 * Numbers of Promela have 32 bits, those of a run 64. A constant that does not fit is refused; a
 * computation whose result may not fit has an assertion, `overflow`, so that spin never goes on
 * with another number than a run has. The least number is left out: each has its opposite. */
#include "explore/promela.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = INT32_MAX };

long long hk_pml_number(hk_pml *p, int64_t value, int line, int column) {
    if (value <= LARGEST && value >= -LARGEST)
        return (long long)value;
    hk_pml_refuse(p, line, column, "a number that does not fit in 32 bits");
    return 0;
}

long long hk_pml_scaled(hk_pml *p, double value, int line, int column) {
    double scaled = value * (double)p->scale;
    bool fits = fabs(scaled) <= LARGEST; /* not of a NaN */
    return hk_pml_number(p, fits ? llround(scaled) : INT64_MAX, line, column);
}

/* ---- computations */

static void fit(hk_pml *p, const char *condition) {
    for (size_t i = 0; i < p->fit_count; i++)
        if (strcmp(p->fits[i], condition) == 0)
            return;
    HK_PUSH(p->fits, p->fit_count, p->fit_cap, condition);
}

/* A number as hk_pml_value writes it: digits, or in brackets with a sign. */
static bool read_number(const char *text, long long *ret_number) {
    bool bracket = *text == '(';
    char *end = NULL;
    *ret_number = strtoll(text + bracket, &end, 10);
    return end != text + bracket && strcmp(end, bracket ? ")" : "") == 0;
}

/* A plus NUMBER. */
static void fit_step(hk_pml *p, const char *a, long long number) {
    if (number > 0)
        fit(p, hk_pml_text(p, "(%s <= %lld)", a, LARGEST - number));
    else if (number < 0)
        fit(p, hk_pml_text(p, "(%s >= %lld)", a, -LARGEST - number));
}

void hk_pml_fit_sum(hk_pml *p, const char *a, const char *b) {
    long long number;
    if (read_number(b, &number))
        fit_step(p, a, number);
    else if (read_number(a, &number))
        fit_step(p, b, number);
    else
        fit(p, hk_pml_text(p, "(%s >= 0 -> %s <= %d - %s : %s >= -%d - %s)", b, a, LARGEST, b, a,
                           LARGEST, b));
}

void hk_pml_fit_difference(hk_pml *p, const char *a, const char *b) {
    long long number;
    if (read_number(b, &number))
        fit_step(p, a, -number);
    else
        fit(p, hk_pml_text(p, "(%s >= 0 -> %s >= -%d + %s : %s <= %d + %s)", b, a, LARGEST, b, a,
                           LARGEST, b));
}

void hk_pml_fit_product(hk_pml *p, const char *a, const char *b) {
    long long number;
    if (!read_number(b, &number) && read_number(a, &number)) {
        const char *other = a;
        a = b;
        b = other;
    }
    if (read_number(b, &number)) {
        long long most = number ? LARGEST / llabs(number) : LARGEST;
        if (most < LARGEST)
            fit(p, hk_pml_text(p, "(%s <= %lld && %s >= -%lld)", a, most, a, most));
        return;
    }
    const char *most = hk_pml_text(p, "(%d / (%s < 0 -> -%s : %s))", LARGEST, b, b, b);
    fit(p, hk_pml_text(p, "(%s == 0 || (%s <= %s && %s >= -%s))", b, a, most, a, most));
}

void hk_pml_fits_unless(hk_pml *p, size_t from, const char *condition) {
    for (size_t i = from; i < p->fit_count; i++)
        p->fits[i] = hk_pml_text(p, "(%s || %s)", condition, p->fits[i]);
}

const char *hk_pml_fits_text(hk_pml *p) {
    const char *text = "";
    for (size_t i = 0; i < p->fit_count; i++)
        text = hk_pml_text(p, "%sif :: %s :: else -> overflow = true; assert(!overflow) fi;\n",
                           text, p->fits[i]);
    p->fit_count = 0;
    return text;
}
