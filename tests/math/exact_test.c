/* SPDX-License-Identifier: MIT
 *
 * hk/math.h against MPFR: no result is more than one unit in the last place away. HK_MATH_COUNT:
 * how many arguments of each function are tried. */
#include "functions.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DIGITS = 140 };

static uint64_t count(void) {
    const char *asked = getenv("HK_MATH_COUNT");
    return asked ? strtoull(asked, NULL, 10) : 100000;
}

typedef struct exact {
    mpfr_t x, y, value;
} exact;

/* How far GOT is from the value, in units of its last place; results that are not finite, and
 * zeros, must be the same. */
static double distance(double got, const mpfr_t value) {
    double nearest = mpfr_get_d(value, MPFR_RNDN);
    if (nearest != nearest || got != got)
        return nearest != nearest && got != got ? 0 : HUGE_VAL;
    if (fabs(got) == HUGE_VAL) /* the largest number is as near as one can come */
        return fabs(nearest) >= 0x1.fffffffffffffp1023 && (got > 0) == (nearest > 0) ? 0.5
                                                                                     : HUGE_VAL;
    if (fabs(nearest) == HUGE_VAL)
        return fabs(got) == 0x1.fffffffffffffp1023 && (got > 0) == (nearest > 0) ? 0.5 : HUGE_VAL;
    if (nearest == 0 && got == 0)
        return 0;
    int exponent;
    (void)frexp(nearest, &exponent);
    double unit = ldexp(1, exponent < -1021 ? -1074 : exponent - 53);
    mpfr_t difference;
    mpfr_init2(difference, DIGITS);
    mpfr_sub_d(difference, value, got, MPFR_RNDN);
    mpfr_div_d(difference, difference, unit, MPFR_RNDN);
    double units = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return units;
}

typedef struct worst {
    double units, x, y;
} worst;

static void look(worst *w, double units, double x, double y) {
    if (!(units <= w->units))
        *w = (worst){units, x, y};
}

static void judge(const char *name, worst w) {
    printf("%-6s at most %.3f units, at %a %a\n", name, w.units, w.x, w.y);
    assert_true(w.units <= 1);
}

/* The sign of a zero counts as well. */
#define CHECK_ONE(name, low, high)                                                                 \
    static void check_##name(void **state) {                                                       \
        exact *e = *state;                                                                         \
        worst w = {0};                                                                             \
        for (uint64_t i = 0, n = count(); i < n; i++) {                                            \
            double x = math_argument(__LINE__, i, low, high), got = hk_##name(x);                  \
            mpfr_set_d(e->x, x, MPFR_RNDN);                                                        \
            mpfr_##name(e->value, e->x, MPFR_RNDN);                                                \
            look(&w, distance(got, e->value), x, 0);                                               \
            if (got == 0 && mpfr_zero_p(e->value))                                                 \
                assert_int_equal(signbit(got) != 0, mpfr_signbit(e->value) != 0);                  \
        }                                                                                          \
        judge(#name, w);                                                                           \
    }
#define CHECK_TWO(name, low, high, low2, high2)                                                    \
    static void check_##name(void **state) {                                                       \
        exact *e = *state;                                                                         \
        worst w = {0};                                                                             \
        for (uint64_t i = 0, n = count(); i < n; i++) {                                            \
            double x = math_argument(__LINE__, i, low, high);                                      \
            double y = math_argument(__LINE__ + 2, i / 3, low2, high2), got = hk_##name(x, y);     \
            mpfr_set_d(e->x, x, MPFR_RNDN);                                                        \
            mpfr_set_d(e->y, y, MPFR_RNDN);                                                        \
            mpfr_##name(e->value, e->x, e->y, MPFR_RNDN);                                          \
            look(&w, distance(got, e->value), x, y);                                               \
            if (got == 0 && mpfr_zero_p(e->value))                                                 \
                assert_int_equal(signbit(got) != 0, mpfr_signbit(e->value) != 0);                  \
        }                                                                                          \
        judge(#name, w);                                                                           \
    }
/* clang-format off */
MATH_ONE(CHECK_ONE)
MATH_TWO(CHECK_TWO)
/* clang-format on */

/* Where a power asks most of the logarithm: x is near 1, and y is as large as a result allows. */
static void check_pow_near_1(void **state) {
    static const double spans[] = {0x1p-7, 0x1p-4, 0.5};
    exact *e = *state;
    worst w = {0};
    for (uint64_t i = 0, n = count(); i < n; i++) {
        double span = spans[i % 3];
        double x = 1 + span * ((double)(math_bits(1, i) >> 11) * 0x1p-52 - 1);
        double y = 740 * ((double)(math_bits(2, i) >> 11) * 0x1p-52 - 1) / log(x);
        mpfr_set_d(e->x, x, MPFR_RNDN);
        mpfr_set_d(e->y, y, MPFR_RNDN);
        mpfr_pow(e->value, e->x, e->y, MPFR_RNDN);
        look(&w, distance(hk_pow(x, y), e->value), x, y);
    }
    judge("pow", w);
}

static int set_up(void **state) {
    exact *e = malloc(sizeof *e);
    if (!e)
        return 1;
    mpfr_init2(e->x, 53);
    mpfr_init2(e->y, 53);
    mpfr_init2(e->value, DIGITS);
    *state = e;
    return 0;
}

static int tear_down(void **state) {
    exact *e = *state;
    mpfr_clears(e->x, e->y, e->value, (mpfr_ptr)0);
    mpfr_free_cache();
    free(e);
    return 0;
}

#define TEST(name, ...) cmocka_unit_test(check_##name),

int main(void) {
    const struct CMUnitTest tests[] = {MATH_ONE(TEST) MATH_TWO(TEST)
                                           cmocka_unit_test(check_pow_near_1)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
