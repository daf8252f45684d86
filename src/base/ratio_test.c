/* SPDX-License-Identifier: MIT */
#include "base/ratio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

static void expect_parse(const char *text, int64_t num, int64_t den) {
    hk_ratio r = {7, 7};
    if (!hk_ratio_parse(text, &r))
        fail_msg("'%s' was refused", text);
    if (r.num != num || r.den != den)
        fail_msg("'%s' gave %lld/%lld", text, (long long)r.num, (long long)r.den);
}

static void expect_refused(const char *text) {
    hk_ratio r = {7, 7};
    if (hk_ratio_parse(text, &r) || r.num != 7)
        fail_msg("'%s' was taken", text);
}

static void parse_is_exact(void **state) {
    (void)state;
    expect_parse("0.001", 1, 1000);
    expect_parse("1e-3", 1, 1000);
    expect_parse("1/120", 1, 120);
    expect_parse("-2.5", -5, 2);
    expect_parse("+2/4", 1, 2);
    expect_parse("-6/4", -3, 2);
    expect_parse("0", 0, 1);
    expect_parse("-0.0e999", 0, 1);
    expect_parse(" 1E2 ", 100, 1);
    expect_parse(".5", 1, 2);
    expect_parse("5.", 5, 1);
    expect_parse("100000000000000000000000000000000000000000e-41", 1, 1);
    expect_parse("0.00000000000000000000000000000000000000000e5", 0, 1);
    expect_parse("9223372036854775807", INT64_MAX, 1);
    expect_parse("1/9223372036854775807", 1, INT64_MAX);
    expect_parse("1e18", INT64_C(1000000000000000000), 1);
    expect_parse("1e-18", 1, INT64_C(1000000000000000000));
    /* 2^-50: more decimals than a denominator of the form 10^k could carry. */
    expect_parse("8.88178419700125232338905334472656250e-16", 1, INT64_C(1) << 50);
}

static void parse_refuses(void **state) {
    (void)state;
    const char *bad[] = {"",
                         " ",
                         ".",
                         "e3",
                         "1e",
                         "1e+",
                         "1/0",
                         "1/",
                         "/2",
                         "1/-2",
                         "1.5/2",
                         "1/2/3",
                         "1/2e3",
                         "0x10",
                         "1,5",
                         "1 2",
                         "nan",
                         "inf",
                         "--1",
                         "+-1",
                         "1..2",
                         "1.2.3",
                         "1e19",
                         "1e99",
                         "1e-19",
                         "1e-400",
                         "1e999999",
                         "1e-99999999999",
                         "9223372036854775808",
                         "1/9223372036854775808",
                         "340282366920938463463374607431768211457",
                         "1/99999999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i]);
}

static void arithmetic(void **state) {
    (void)state;
    hk_ratio a = {1, 3}, b = {1, 6}, r;
    assert_true(hk_ratio_add(a, b, &r) && r.num == 1 && r.den == 2);
    assert_true(hk_ratio_sub(b, a, &r) && r.num == -1 && r.den == 6);
    assert_true(hk_ratio_sub(a, a, &r) && r.num == 0 && r.den == 1);
    assert_false(hk_ratio_add((hk_ratio){INT64_MAX, 1}, (hk_ratio){1, 1}, &r));
    assert_false(hk_ratio_add((hk_ratio){1, INT64_MAX}, (hk_ratio){1, INT64_MAX - 1}, &r));
    assert_true(hk_ratio_make(4, -6, &r) && r.num == -2 && r.den == 3);
    assert_true(hk_ratio_make(0, -6, &r) && r.num == 0 && r.den == 1);
    assert_false(hk_ratio_make(1, 0, &r));
    assert_true(hk_ratio_make(INT64_MIN, 2, &r) && r.num == INT64_MIN / 2);
    assert_true(hk_ratio_compare(a, b) > 0 && hk_ratio_compare(b, a) < 0);
    assert_int_equal(hk_ratio_compare(a, a), 0);
    assert_true(hk_ratio_times(b, 4, 3, &r) && r.num == 2 && r.den == 9);
    assert_false(hk_ratio_times((hk_ratio){INT64_MAX, 1}, 60, 1, &r));
    assert_true(hk_ratio_compare((hk_ratio){INT64_MAX - 1, INT64_MAX},
                                 (hk_ratio){INT64_MAX - 2, INT64_MAX - 1}) > 0);
}

static void integers(void **state) {
    (void)state;
    assert_int_equal(hk_gcd(-12, 18), 6);
    assert_int_equal(hk_gcd(0, 0), 0);
    assert_int_equal(hk_gcd(0, -5), 5);
    assert_int_equal(hk_floor_div(-1, 3), -1);
    assert_int_equal(hk_floor_div(-3, 3), -1);
    assert_int_equal(hk_floor_div(7, 3), 2);
    assert_int_equal(hk_floor_mod(-1, 3), 2);
    assert_int_equal(hk_floor_mod(-3, 3), 0);
}

static void expect_text(int64_t num, int64_t den, const char *text) {
    char buffer[48];
    assert_string_equal(hk_ratio_format((hk_ratio){num, den}, buffer), text);
    expect_parse(text, num, den);
}

static void format(void **state) {
    (void)state;
    expect_text(1, 1000, "0.001");
    expect_text(1, 120, "1/120");
    expect_text(-5, 2, "-2.5");
    expect_text(0, 1, "0");
    expect_text(3600, 1, "3600");
    expect_text(1, INT64_C(1) << 40, "1/1099511627776");
    expect_text(-INT64_MAX, INT64_MAX - 1, "-9223372036854775807/9223372036854775806");
    expect_text(INT64_MAX, 1000, "9223372036854775.807");
}

static void ticks(void **state) {
    (void)state;
    int64_t n = 1;
    assert_true(hk_tick_refine(&n, (hk_ratio){1, 120}));
    assert_true(hk_tick_refine(&n, (hk_ratio){1, 1000}));
    assert_int_equal(n, 3000);
    hk_tick t;
    assert_true(hk_tick_from_ratio((hk_ratio){1, 120}, n, &t));
    assert_int_equal(t, 25);
    assert_false(hk_tick_from_ratio((hk_ratio){1, 7}, n, &t));
    assert_false(hk_tick_from_ratio((hk_ratio){INT64_MAX, 1}, n, &t));
    assert_true(hk_tick_from_ratio((hk_ratio){-1, 1}, n, &t) && t == -3000);
    int64_t wide = INT64_MAX;
    assert_false(hk_tick_refine(&wide, (hk_ratio){1, 2}));
    assert_true(wide == INT64_MAX);
    /* An hour in steps of 1/120 s. */
    assert_true(hk_tick_seconds(INT64_C(120) * 3600, 120) == 3600.0);
    assert_true(hk_tick_seconds(1, 10) == 0.1 && hk_tick_seconds(-3, 10) == -0.3);
}

/* The wide path against long double, which carries 64 bits: enough to know the answer unless it
 * lies within 2^-63 of a tie, which random operands do not hit. */
static void wide_quotients_round_once(void **state) {
    (void)state;
    if (sizeof(long double) <= sizeof(double) || LDBL_MANT_DIG < 64)
        skip();
    uint64_t s = 1;
    for (int i = 0; i < 200000; i++) {
        s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t num = (int64_t)(s >> (1 + i % 12));
        s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t den = (int64_t)(s >> (1 + i % 60)) | 1;
        long double q = (long double)num / den;
        double got = hk_tick_seconds(num, den);
        double error = (double)fabsl(q - (long double)got);
        assert_true(error <= (nextafter(got, (double)INFINITY) - got) * 0.50001);
    }
    assert_true(hk_tick_seconds(0, INT64_MAX) == 0); /* the first instant of a very fine grid */
    /* Exact ties, to even: 2^54 + 2 and 2^54 + 6. */
    assert_true(hk_tick_seconds((INT64_C(1) << 54) + 2, 1) == 0x1p54);
    assert_true(hk_tick_seconds((INT64_C(1) << 54) + 6, 1) == 0x1p54 + 8);
    /* Just above a tie: a sticky bit decides. */
    assert_true(hk_tick_seconds(((INT64_C(1) << 54) + 2) * 3 + 1, 3) == 0x1p54 + 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_is_exact),
        cmocka_unit_test(parse_refuses),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(integers),
        cmocka_unit_test(format),
        cmocka_unit_test(ticks),
        cmocka_unit_test(wide_quotients_round_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
