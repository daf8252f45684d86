/* SPDX-License-Identifier: MIT */
#include "base/seconds.h"

#include <hk/random.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void times_have_units(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t num, den;
    } good[] = {{"2", 2, 1},       {"0.001", 1, 1000},  {"1e-3", 1, 1000},    {"1/120", 1, 120},
                {"20ms", 1, 50},   {"1/3 ms", 1, 3000}, {"3min", 180, 1},     {"2h", 7200, 1},
                {"-1.5 s", -3, 2}, {"5us", 1, 200000},  {"1e3ns", 1, 1000000}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        hk_ratio r;
        bool meant = true;
        assert_true(hk_time_parse(good[i].text, &r, &meant));
        assert_false(meant);
        assert_int_equal(r.num, good[i].num);
        assert_int_equal(r.den, good[i].den);
    }
    static const char *const bad[] = {"",    "s",  "1x", "1 s s", "1//2",
                                      "1/0", "e3", "1e", "nan",   "9223372036854775807h"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hk_ratio r;
        bool meant;
        assert_false(hk_time_parse(bad[i], &r, &meant));
    }
}

static void expect(const char *text, int64_t num, int64_t den, bool meant) {
    hk_ratio r = {7, 7};
    bool as_fraction = !meant;
    if (!hk_seconds_parse(text, &r, &as_fraction))
        fail_msg("'%s' was refused", text);
    if (r.num != num || r.den != den || as_fraction != meant)
        fail_msg("'%s' gave %lld/%lld%s", text, (long long)r.num, (long long)r.den,
                 as_fraction ? ", as a fraction" : "");
}

static void decimals_of_tools(void **state) {
    (void)state;
    expect("0.033333333333333333", 1, 30, true);
    expect("3.3333333333333333E-02", 1, 30, true);
    expect(" 0.016666666666666666 ", 1, 60, true);
    expect("9.999999999999999e-05", 1, 10000, true);
    expect("9.999999999999999e-06", 1, 100000, true);
    expect("0.30000000000000004", 3, 10, true);
    expect("-0.30000000000000004", -3, 10, true);
    expect("+0.66666666666666663", 2, 3, true);
    expect("1000.0000000000001", 1000, 1, true);
    expect("0.142857142857143", 1, 7, true);
    expect("0.0333333333333333333333333333333333333333333333333", 1, 30, true);
    expect("0.99999999999999999999999999999999999999999", 1, 1, true);
    expect("4503599627370497.5", INT64_C(4503599627370498), 1, true); /* the nearest of several */
}

static void other_decimals_stay(void **state) {
    (void)state;
    expect("3.14159265358979", INT64_C(314159265358979), INT64_C(100000000000000), false);
    expect("0.100000000000001", INT64_C(100000000000001), INT64_C(1000000000000000), false);
    expect("0.03333333333333", INT64_C(3333333333333), INT64_C(100000000000000), false);
    expect("0.0333333333333334", INT64_C(166666666666667), INT64_C(5000000000000000), false);
    expect("0.0000011000000000000", 11, 10000000, false); /* 15 digits, but below 1/100000 */
}

/* A decimal that is the fraction is nothing to speak of. */
static void exact_ones_are_not_told(void **state) {
    (void)state;
    expect("0.100000000000000", 1, 10, false);
    expect("0.00390625000000000000", 1, 256, false);
    expect("123456789012345678", INT64_C(123456789012345678), 1, false);
    expect("1.00000000000000000e3", 1000, 1, false);
    expect("0.00000000000000000", 0, 1, false);
    expect("3000000000000001/10000000000000000", INT64_C(3000000000000001),
           INT64_C(10000000000000000), false);
}

/* What is printed of p/q with 15, 16 and 17 digits, zeros at the end kept, is p/q again. */
static void fractions_are_read_back(void **state) {
    (void)state;
    enum { FRACTIONS = 58000 };
    hk_stream stream = hk_stream_make(1, 0, "seconds", "fractions");
    for (int i = 0; i < FRACTIONS; i++) {
        int64_t q = 1 + (int64_t)(hk_stream_u64(&stream, i, 0) % 9999);
        int64_t top = i % 2 ? q : 10000 * q; /* below one, and anywhere below 10^4 */
        int64_t p = 1 + (int64_t)(hk_stream_u64(&stream, i, 1) % (uint64_t)top);
        hk_ratio wanted, got;
        assert_true(hk_ratio_make(p, q, &wanted));
        for (int digits = 15; digits <= 17; digits++) {
            char text[64];
            bool meant;
            snprintf(text, sizeof text, "%#.*g", digits, (double)p / (double)q);
            if (!hk_seconds_parse(text, &got, &meant) || hk_ratio_compare(got, wanted) != 0)
                fail_msg("%lld/%lld, printed as %s, was read as %lld/%lld", (long long)wanted.num,
                         (long long)wanted.den, text, (long long)got.num, (long long)got.den);
        }
    }
}

/* The smallest denominator that fits is found: all below it are tried. */
static void none_is_simpler(void **state) {
    (void)state;
    enum { DECIMALS = 400, PLACES = 12 };
    hk_stream stream = hk_stream_make(1, 0, "seconds", "decimals");
    const int64_t ten = INT64_C(1000000000000);
    int found = 0;
    for (int i = 0; i < DECIMALS; i++) {
        int64_t whole = 100 + (int64_t)(hk_stream_u64(&stream, i, 0) % 900);
        int64_t part = (int64_t)(hk_stream_u64(&stream, i, 1) % (uint64_t)ten);
        char text[64];
        hk_ratio got;
        bool meant;
        snprintf(text, sizeof text, "%lld.%012lld", (long long)whole, (long long)part);
        /* Half a unit is 5e-13; two ulp of 64 to 1024 are 2^-45 to 2^-42: all in 2^-45 / 10^12. */
        int ulps = whole < 128 ? 1 : whole < 256 ? 2 : whole < 512 ? 4 : 8;
        __extension__ __int128 reach =
            ((INT64_C(1) << 45) / 2) + (__extension__(__int128) ulps * ten);
        assert_true(hk_seconds_parse(text, &got, &meant));
        int64_t q = 1;
        for (; q <= 100000; q++) {
            __extension__ __int128 x = __extension__(__int128)(whole * ten + part) * q;
            __extension__ __int128 p = (x + ten / 2) / ten,
                                   away = (p * ten - x) * (INT64_C(1) << 45);
            if ((away < 0 ? -away : away) <= reach * q)
                break;
        }
        if (q <= 100000)
            assert_int_equal(got.den, q);
        else
            assert_false(meant);
        found += q <= 100000;
    }
    assert_in_range(found, 1, DECIMALS - 1); /* both kinds were there */
}

static void doubles(void **state) {
    (void)state;
    hk_ratio r;
    assert_true(hk_seconds_from_double(0.1, &r) && r.num == 1 && r.den == 10);
    assert_true(hk_seconds_from_double(1e-3, &r) && r.den == 1000);
    assert_true(hk_seconds_from_double(0.1 + 0.2, &r) && r.num == 3 && r.den == 10);
    assert_true(hk_seconds_from_double(1.0 / 30, &r) && r.num == 1 && r.den == 30);
    assert_false(hk_seconds_from_double((double)NAN, &r));
    assert_false(hk_seconds_from_double((double)INFINITY, &r));
    assert_false(hk_seconds_from_double(1e300, &r));
}

static void hints(void **state) {
    (void)state;
    static const struct {
        const char *text, *simpler;
    } cases[] = {{"0.0333", "1/30"}, {"0.0167", "1/60"}, {"0.03333333333333", "1/30"},
                 {"0.33", "1/3"},    {"2.667", "8/3"},   {"0.017", NULL},
                 {"0.001", NULL},    {"0.25", NULL},     {"0.1", NULL},
                 {"1/30", NULL},     {"0.3", NULL},      {"0.12345", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_ratio time, simpler;
        char text[48];
        assert_true(hk_ratio_parse(cases[i].text, &time));
        bool found = hk_seconds_simpler(time, &simpler);
        if (found != (cases[i].simpler != NULL))
            fail_msg("%s: %s", cases[i].text, found ? hk_ratio_format(simpler, text) : "nothing");
        if (found)
            assert_string_equal(hk_ratio_format(simpler, text), cases[i].simpler);
    }
}

static void what_a_double_tells(void **state) {
    (void)state;
    assert_true(hk_seconds_tellable(1e-15, 1) && !hk_seconds_tellable(5e-16, 1));
    assert_true(hk_seconds_tellable(1e-6, -1e9) && !hk_seconds_tellable(1e-7, 1e9));
    assert_true(hk_seconds_tellable(1e-15, 0));
}

static void fractions_are_told(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_where where = {.file = "a.xml", .line = 3};
    hk_ratio r;
    assert_true(hk_time_read(ctx, where, "33.333333333333336 ms", &r));
    assert_int_equal(r.den, 30);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    const hk_diag *said = hk_ctx_diag(ctx, 0);
    assert_int_equal(said->severity, HK_NOTE);
    assert_int_equal(said->where.line, 3);
    assert_string_equal(said->text, "'33.333333333333336 ms' is read as 1/30 s, the fraction that "
                                    "its digits stand for");
    assert_true(hk_seconds_read(ctx, where, "0.05", &r));
    assert_true(hk_seconds_read(ctx, where, "1/30", &r));
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    hk_ctx_destroy(ctx);
}

static void times_are_judged(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned rules;
        hk_status code;
        const char *wrong;
    } cases[] = {
        {"0.5", 0, HK_OK, NULL},
        {"-1", 0, HK_OK, NULL},
        {"5ms", 0, HK_E_VALUE, "is not a time"},
        {"5ms", HK_TIME_UNITS, HK_OK, NULL},
        {"soon", HK_TIME_UNITS | HK_TIME_ABOVE_0, HK_E_VALUE, "is not a time"},
        {"0", HK_TIME_FROM_0, HK_OK, NULL},
        {"-1", HK_TIME_FROM_0, HK_E_TIME, "must be at least 0"},
        {"0", HK_TIME_ABOVE_0, HK_E_TIME, "must be above 0"},
        {"1/3", HK_TIME_ABOVE_0, HK_OK, NULL},
    };
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_ratio time = {7, 1};
        hk_status code;
        const char *wrong =
            hk_time_judge(ctx, HK_NOWHERE, cases[i].text, cases[i].rules, &time, &code);
        assert_int_equal(code, cases[i].code);
        assert_int_equal(wrong == NULL, cases[i].wrong == NULL);
        if (wrong) {
            assert_string_equal(wrong, cases[i].wrong);
            assert_int_equal(time.num, 7); /* untouched */
        }
    }
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    hk_ctx_destroy(ctx);
}

static void decimals_for_fractions(void **state) {
    (void)state;
    static const struct {
        hk_ratio time;
        bool good;
        const char *text;
    } cases[] = {{{1, 10}, true, "0.1"},
                 {{-3, 2}, true, "-1.5"},
                 {{1, 3}, true, "0.3333333333333333"},
                 {{2, 3}, true, "0.6666666666666666"},
                 {{1, 30000}, true, "0.000033333333333333335"},
                 {{1234567890123456, 10000000000000000}, true, "0.1234567890123456"},
                 {{1, 300007}, false, "1/300007"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[48];
        bool meant;
        hk_ratio time, again;
        assert_true(hk_ratio_make(cases[i].time.num, cases[i].time.den, &time));
        assert_int_equal(hk_seconds_format(time, text), cases[i].good);
        assert_string_equal(text, cases[i].text);
        assert_true(hk_seconds_parse(text, &again, &meant));
        assert_int_equal(hk_ratio_compare(again, time), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_units),
        cmocka_unit_test(decimals_of_tools),
        cmocka_unit_test(other_decimals_stay),
        cmocka_unit_test(exact_ones_are_not_told),
        cmocka_unit_test(fractions_are_read_back),
        cmocka_unit_test(none_is_simpler),
        cmocka_unit_test(doubles),
        cmocka_unit_test(hints),
        cmocka_unit_test(what_a_double_tells),
        cmocka_unit_test(fractions_are_told),
        cmocka_unit_test(times_are_judged),
        cmocka_unit_test(decimals_for_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
