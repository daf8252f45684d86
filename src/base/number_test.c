/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than the writers may use, so that a byte beyond is noticed. */
enum { TEXT_BYTES = 2 * HK_NUMBER_MAX };

static uint64_t next_random(uint64_t *s) {
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *s ^ *s >> 32;
}

static void text_of(double value, char *text) {
    memset(text, '#', TEXT_BYTES);
    size_t length = hk_write_f64(value, text);
    assert_true(length <= HK_NUMBER_MAX && text[HK_NUMBER_MAX] == '#');
    text[length] = '\0';
}

static void text_of_f32(float value, char *text) {
    memset(text, '#', TEXT_BYTES);
    size_t length = hk_write_f32(value, text);
    assert_true(length <= HK_NUMBER_MAX && text[HK_NUMBER_MAX] == '#');
    text[length] = '\0';
}

/* Significant digits without zeros at either end. */
static void significant(const char *text, char *ret) {
    size_t n = 0, keep = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && !n))
            continue;
        ret[n++] = *text;
        keep = *text == '0' ? keep : n;
    }
    ret[keep] = '\0';
}

/* What the C library prints with the fewest digits that read back is the reference: the digits
 * must be as few, and the closest of that many. */
static void check_f64(double value) {
    char text[TEXT_BYTES], digits[64], best[64], printed[64];
    text_of(value, text);
    if (strtod(text, NULL) != value || (signbit(value) != 0) != (text[0] == '-'))
        fail_msg("%a was written as %s", value, text);
    double back;
    assert_true(hk_read_f64(text, strlen(text), &back) && back == value);
    int precision = 0;
    do
        snprintf(printed, sizeof printed, "%.*e", precision++, value);
    while (strtod(printed, NULL) != value);
    significant(text, digits);
    significant(printed, best);
    if (strlen(digits) > strlen(best))
        fail_msg("%s is longer than %s", text, printed);
    /* At powers of two the printed one may miss a shorter number that is not the closest. */
    int exponent;
    if (fabs(frexp(value, &exponent)) != 0.5 && strcmp(digits, best) != 0)
        fail_msg("%s is not as close as %s", text, printed);
}

static void check_f32(float value) {
    char text[TEXT_BYTES], digits[64], best[64], printed[64];
    text_of_f32(value, text);
    if (strtof(text, NULL) != value)
        fail_msg("%a was written as %s", (double)value, text);
    int precision = 0;
    do
        snprintf(printed, sizeof printed, "%.*e", precision++, (double)value);
    while (strtof(printed, NULL) != value);
    significant(text, digits);
    significant(printed, best);
    if (strlen(digits) > strlen(best))
        fail_msg("%s is longer than %s", text, printed);
    int exponent;
    if (fabs(frexp((double)value, &exponent)) != 0.5 && strcmp(digits, best) != 0)
        fail_msg("%s is not as close as %s", text, printed);
}

static void layout(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {-2.5, "-2.5"},
                 {100, "100"},
                 {0.001, "0.001"},
                 {1e-5, "0.00001"},
                 {1.5e-5, "0.000015"},
                 {9.999999999999999e-6, "9.999999999999999e-6"},
                 {1e-7, "1e-7"},
                 {-1.25e-7, "-1.25e-7"},
                 {1e15, "1000000000000000"},
                 {9007199254740992, "9007199254740992"},
                 {9007199254740994, "9007199254740994"},
                 {9999999999999998, "9999999999999998"},
                 {1e16, "1e16"},
                 {1e21, "1e21"},
                 {1e22, "1e22"},
                 {1e23, "1e23"},
                 {9.5e22, "9.5e22"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.0 / 3, "0.3333333333333333"},
                 {2.0 / 3, "0.6666666666666666"},
                 {123456.789, "123456.789"},
                 {-0.000012345678901234567, "-0.000012345678901234568"},
                 {1234567890123456.5, "1234567890123456.5"},
                 {5e-324, "5e-324"},
                 {DBL_MIN, "2.2250738585072014e-308"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {-DBL_MAX, "-1.7976931348623157e308"},
                 {(double)INFINITY, "inf"},
                 {-(double)INFINITY, "-inf"},
                 {(double)NAN, "nan"},
                 {-(double)NAN, "nan"}};
    char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_of(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void layout_f32(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0.1f, "0.1"},
                 {16777216.0f, "16777216"},
                 {33554432.0f, "33554432"},
                 {FLT_MAX, "3.4028235e38"},
                 {1e-45f, "1e-45"},
                 {FLT_MIN, "1.1754944e-38"},
                 {-0.0f, "-0"},
                 {1.0f / 3, "0.33333334"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_of_f32(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void shortest_for_hard_doubles(void **state) {
    (void)state;
    for (int e = -1074; e <= 1023; e++) {
        double power = ldexp(1, e);
        check_f64(power);
        check_f64(nextafter(power, 0) > 0 ? nextafter(power, 0) : power);
        check_f64(nextafter(power, DBL_MAX));
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        double power = strtod(text, NULL);
        check_f64(power);
        check_f64(-nextafter(power, DBL_MAX));
    }
    for (int i = -64; i <= 64; i++)
        check_f64(9007199254740992.0 + i);
    for (uint64_t i = 1; i <= 300; i++) {
        double tiny;
        memcpy(&tiny, &i, sizeof tiny);
        check_f64(tiny);
    }
}

static void shortest_for_random_doubles(void **state) {
    (void)state;
    uint64_t s = 2026;
    for (int i = 0; i < 70000; i++) {
        uint64_t bits = next_random(&s);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_f64(value);
        check_f64((double)(next_random(&s) >> 11) * 0x1p-53);
        check_f64((double)(int64_t)(next_random(&s) % 2000000) / 1000 - 1000);
    }
}

static void shortest_for_floats(void **state) {
    (void)state;
    uint64_t s = 7;
    for (int e = -149; e <= 127; e++) {
        float power = ldexpf(1, e);
        check_f32(power);
        check_f32(nextafterf(power, FLT_MAX));
        if (e > -149)
            check_f32(nextafterf(power, 0));
    }
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = (uint32_t)next_random(&s);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_f32(value);
    }
}

static void integers(void **state) {
    (void)state;
    char text[TEXT_BYTES], wanted[32];
    uint64_t s = 3;
    for (int i = 0; i < 100000; i++) {
        uint64_t u = next_random(&s) >> (i % 64);
        text[hk_write_u64(u, text)] = '\0';
        snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)u);
        assert_string_equal(text, wanted);
        uint64_t back;
        assert_true(hk_read_u64(text, strlen(text), &back) && back == u);
        int64_t v = (int64_t)u * (i % 2 ? 1 : -1);
        text[hk_write_i64(v, text)] = '\0';
        snprintf(wanted, sizeof wanted, "%lld", (long long)v);
        assert_string_equal(text, wanted);
    }
    text[hk_write_i64(INT64_MIN, text)] = '\0';
    assert_string_equal(text, "-9223372036854775808");
    int64_t i64;
    uint64_t u64;
    assert_true(hk_read_i64(text, strlen(text), &i64) && i64 == INT64_MIN);
    assert_false(hk_read_i64("9223372036854775808", 19, &i64));
    assert_true(hk_read_u64("18446744073709551615", 20, &u64) && u64 == UINT64_MAX);
    assert_false(hk_read_u64("18446744073709551616", 20, &u64));
    assert_true(hk_read_i64(" +42\n", 5, &i64) && i64 == 42);
    const char *bad[] = {"", " ", "-", "+", "-+1", "+-1", "1 2", "1.0", "0x1", "1e3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(hk_read_i64(bad[i], strlen(bad[i]), &i64));
    assert_false(hk_read_u64("-1", 2, &u64));
    bool truth = false;
    assert_true(hk_read_bool("true", 4, &truth) && truth);
    assert_true(hk_read_bool(" 0 ", 3, &truth) && !truth);
    assert_false(hk_read_bool("2", 1, &truth) || hk_read_bool("", 0, &truth));
}

static void reads_doubles(void **state) {
    (void)state;
    static const char *const good[] = {
        "0",
        "-0",
        "+1",
        ".5",
        "5.",
        "1E3",
        " 2.5 ",
        "1e-400",
        "-1e-400",
        "1e23",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000000000000000000000000000001",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000001",
        "123456789012345678901234567890",
        "1.7976931348623157e308",
        "4.9e-324",
        "2.47e-324",
        "1.00000000000000011102230246251565404236316680908203125",
        "00000000000000000000000001",
        "0e999999999",
        "1e000000000000000000000000000000000000001"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double wanted = strtod(good[i], NULL);
        assert_true(hk_read_f64(good[i], strlen(good[i]), &value));
        assert_memory_equal(&value, &wanted, sizeof value);
    }
    const char *bad[] = {"",      " ",
                         ".",     "+",
                         "-",     "e5",
                         "1e",    "1e+",
                         "1e5.",  "1,5",
                         "0x10",  "1 2",
                         "1f",    "--1",
                         "infi",  "nan(0)",
                         "in",    "1.2.3",
                         "1e309", "-1e309",
                         "2e308", "1e99999999999999999999",
                         "true",  "1_000"};
    value = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (hk_read_f64(bad[i], strlen(bad[i]), &value) || value != 7)
            fail_msg("'%s' was taken", bad[i]);
    assert_true(hk_read_f64("NaN", 3, &value) && isnan(value));
    assert_true(hk_read_f64("-inf", 4, &value) && value < 0 && isinf(value));
    assert_true(hk_read_f64("INF", 3, &value) && value > 0 && isinf(value));
    assert_true(hk_read_f64("12345", 2, &value) && value == 12); /* only LENGTH bytes count */
    char digits[1001];                                           /* longer than any local buffer */
    memset(digits, '3', sizeof digits);
    digits[1] = '.';
    assert_true(hk_read_f64(digits, sizeof digits, &value) && value == 10.0 / 3);
}

static void reads_random_doubles(void **state) {
    (void)state;
    uint64_t s = 11;
    char text[64];
    for (int i = 0; i < 100000; i++) {
        int length = snprintf(
            text, sizeof text, "%llu.%llue%d", (unsigned long long)next_random(&s) >> (i % 60),
            (unsigned long long)next_random(&s) >> (i % 61), (int)(next_random(&s) % 80) - 40);
        double value, wanted = strtod(text, NULL);
        assert_true(hk_read_f64(text, (size_t)length, &value));
        assert_memory_equal(&value, &wanted, sizeof value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),
        cmocka_unit_test(layout_f32),
        cmocka_unit_test(shortest_for_hard_doubles),
        cmocka_unit_test(shortest_for_random_doubles),
        cmocka_unit_test(shortest_for_floats),
        cmocka_unit_test(integers),
        cmocka_unit_test(reads_doubles),
        cmocka_unit_test(reads_random_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
