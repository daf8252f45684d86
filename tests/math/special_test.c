/* SPDX-License-Identifier: MIT
 *
 * hk/math.h at special values: what C17, Annex F says. */
#include <hk/math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PI 0x1.921fb54442d18p1

/* Also the sign of a zero; every NaN is the same one. */
static void same(double got, double wanted) {
    if (wanted != wanted)
        assert_true(hk_math_bits_(got) == UINT64_C(0x7ff8000000000000));
    else
        assert_true(hk_math_bits_(got) == hk_math_bits_(wanted));
}

static void not_a_number(void **state) {
    (void)state;
    static double (*const one[])(double) = {hk_exp,   hk_exp2,  hk_expm1, hk_log,   hk_log2,
                                            hk_log10, hk_log1p, hk_cbrt,  hk_sinh,  hk_cosh,
                                            hk_tanh,  hk_asinh, hk_acosh, hk_atanh, hk_sin,
                                            hk_cos,   hk_tan,   hk_asin,  hk_acos,  hk_atan};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        same(one[i](NAN), NAN);
        same(one[i](-NAN), NAN);
        same(one[i](hk_math_double_(UINT64_C(0x7ff0000000000001))), NAN);
    }
    same(hk_atan2(NAN, 1), NAN);
    same(hk_atan2(1, NAN), NAN);
    same(hk_hypot(NAN, 1), NAN);
    same(hk_fmod(NAN, 1), NAN);
    same(hk_fmod(1, NAN), NAN);
    same(hk_pow(NAN, 2), NAN);
    same(hk_pow(2, NAN), NAN);
    for (int i = 0; i < 3; i++) {
        double outside[] = {INFINITY, -INFINITY, 1e308};
        if (i < 2) {
            same(hk_sin(outside[i]), NAN);
            same(hk_cos(outside[i]), NAN);
            same(hk_tan(outside[i]), NAN);
        }
        same(hk_asin(outside[i]), NAN);
        same(hk_acos(outside[i]), NAN);
        same(hk_atanh(outside[i]), NAN);
    }
    same(hk_log(-1), NAN);
    same(hk_log2(-INFINITY), NAN);
    same(hk_log10(-0x1p-1074), NAN);
    same(hk_log1p(-1.5), NAN);
    same(hk_acosh(0.5), NAN);
    same(hk_acosh(-INFINITY), NAN);
    same(hk_pow(-8, 1.0 / 3), NAN);
    same(hk_fmod(1, 0), NAN);
    same(hk_fmod(INFINITY, 2), NAN);
}

/* Odd functions keep the sign of a zero. */
static void zeros(void **state) {
    (void)state;
    static double (*const odd[])(double) = {hk_expm1, hk_log1p, hk_cbrt, hk_sinh, hk_tanh, hk_asinh,
                                            hk_atanh, hk_sin,   hk_tan,  hk_asin, hk_atan};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        same(odd[i](0.0), 0.0);
        same(odd[i](-0.0), -0.0);
        if (odd[i] != hk_cbrt)
            same(odd[i](-0x1p-1074), -0x1p-1074);
    }
    same(hk_exp(-0.0), 1);
    same(hk_cos(-0.0), 1);
    same(hk_cosh(-0.0), 1);
    same(hk_log(1), 0.0);
    same(hk_log2(1), 0.0);
    same(hk_log10(1), 0.0);
    same(hk_acosh(1), 0.0);
    same(hk_acos(1), 0.0);
    same(hk_fmod(-0.0, 2), -0.0);
    same(hk_fmod(-6, 2), -0.0);
    same(hk_hypot(-0.0, 0.0), 0.0);
}

static void infinities(void **state) {
    (void)state;
    same(hk_exp(INFINITY), INFINITY);
    same(hk_exp(-INFINITY), 0.0);
    same(hk_exp2(1024), INFINITY);
    same(hk_exp2(-1075), 0.0);
    same(hk_exp2(-1074), 0x1p-1074);
    same(hk_exp2(1023), 0x1p1023);
    same(hk_expm1(INFINITY), INFINITY);
    same(hk_expm1(-INFINITY), -1);
    same(hk_log(0.0), -INFINITY);
    same(hk_log(-0.0), -INFINITY);
    same(hk_log2(-0.0), -INFINITY);
    same(hk_log10(0.0), -INFINITY);
    same(hk_log(INFINITY), INFINITY);
    same(hk_log1p(-1), -INFINITY);
    same(hk_log1p(INFINITY), INFINITY);
    same(hk_cbrt(-INFINITY), -INFINITY);
    same(hk_sinh(-INFINITY), -INFINITY);
    same(hk_cosh(-INFINITY), INFINITY);
    same(hk_tanh(-INFINITY), -1);
    same(hk_asinh(-INFINITY), -INFINITY);
    same(hk_acosh(INFINITY), INFINITY);
    same(hk_atanh(-1), -INFINITY);
    same(hk_atan(-INFINITY), -PI / 2);
    same(hk_hypot(-INFINITY, NAN), INFINITY);
    same(hk_hypot(NAN, INFINITY), INFINITY);
    same(hk_fmod(3, -INFINITY), 3);
}

static void exact_powers(void **state) {
    (void)state;
    same(hk_log2(0x1p-1074), -1074);
    same(hk_log2(0x1p1023), 1023);
    same(hk_log10(1e22), 22);
    same(hk_log10(1000), 3);
    same(hk_cbrt(-27), -3);
    same(hk_pow(3, 4), 81);
    same(hk_pow(-2, 3), -8);
    same(hk_pow(0.5, 1074), 0x1p-1074);
    same(hk_pow(2, -1075), 0.0);
    same(hk_hypot(3, 4), 5);
    same(hk_hypot(0x1p-1074, 0), 0x1p-1074);
    same(hk_fmod(-7, 3), -1);
    same(hk_fmod(0x1.fffffffffffffp1023, 0x1p-1074), 0.0);
}

static void powers(void **state) {
    (void)state;
    const double numbers[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        same(hk_pow(numbers[i], 0.0), 1);
        same(hk_pow(numbers[i], -0.0), 1);
        same(hk_pow(1, numbers[i]), 1);
    }
    same(hk_pow(-1, INFINITY), 1);
    same(hk_pow(-1, -INFINITY), 1);
    same(hk_pow(0.0, -3), INFINITY);
    same(hk_pow(-0.0, -3), -INFINITY);
    same(hk_pow(-0.0, -2), INFINITY);
    same(hk_pow(-0.0, -2.5), INFINITY);
    same(hk_pow(-0.0, -INFINITY), INFINITY);
    same(hk_pow(-0.0, 3), -0.0);
    same(hk_pow(-0.0, 2), 0.0);
    same(hk_pow(-0.0, INFINITY), 0.0);
    same(hk_pow(0.5, -INFINITY), INFINITY);
    same(hk_pow(-2, -INFINITY), 0.0);
    same(hk_pow(-0.5, INFINITY), 0.0);
    same(hk_pow(-2, INFINITY), INFINITY);
    same(hk_pow(-INFINITY, -3), -0.0);
    same(hk_pow(-INFINITY, -2), 0.0);
    same(hk_pow(-INFINITY, 3), -INFINITY);
    same(hk_pow(-INFINITY, 2.5), INFINITY);
    same(hk_pow(INFINITY, -1), 0.0);
    same(hk_pow(INFINITY, 1), INFINITY);
    same(hk_pow(-2, 0x1p53), INFINITY);
    same(hk_pow(-2, 0x1.fffffffffffffp52), -INFINITY);
}

static void angles(void **state) {
    (void)state;
    same(hk_atan2(0.0, -1), PI);
    same(hk_atan2(-0.0, -1), -PI);
    same(hk_atan2(0.0, 1), 0.0);
    same(hk_atan2(-0.0, 1), -0.0);
    same(hk_atan2(0.0, -0.0), PI);
    same(hk_atan2(-0.0, -0.0), -PI);
    same(hk_atan2(-0.0, 0.0), -0.0);
    same(hk_atan2(0.0, 0.0), 0.0);
    same(hk_atan2(-1, 0.0), -PI / 2);
    same(hk_atan2(1, -0.0), PI / 2);
    same(hk_atan2(1, -INFINITY), PI);
    same(hk_atan2(-1, INFINITY), -0.0);
    same(hk_atan2(INFINITY, 1), PI / 2);
    same(hk_atan2(INFINITY, INFINITY), PI / 4);
    same(hk_atan2(-INFINITY, -INFINITY), -0x1.2d97c7f3321d2p1);
    same(hk_atan2(0x1p-1074, -0x1p1023), PI);
    same(hk_atan2(0x1p-1074, 0x1p1023), 0.0);
    same(hk_atan2(0x1p-1074, 0x1p-1074), PI / 4);
    same(hk_atan2(0x1p1023, 0x1p-1074), PI / 2);
    same(hk_atan2(0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023), PI / 4);
    same(hk_acos(-1), PI);
    same(hk_asin(1), PI / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_a_number), cmocka_unit_test(zeros),  cmocka_unit_test(infinities),
        cmocka_unit_test(exact_powers), cmocka_unit_test(powers), cmocka_unit_test(angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
