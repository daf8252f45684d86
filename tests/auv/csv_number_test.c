/* SPDX-License-Identifier: MIT
 *
 * Numbers of tables are read as the C library reads them, to the bit. */
#include "csv_number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int slow; /* numbers that the quick way left to the C library */

static void same(const char *text) {
    char *end;
    double expected = strtod(text, &end), read = -1;
    const char *behind = csv_number(text, &read);
    csv_decimal n = {0};
    const char *digits = csv_take_digits(text + (*text == '-' || *text == '+'), &n);
    double quick;
    slow += !digits || !csv_take_exponent(&digits, &n) || !csv_round(&n, &quick);
    if (behind != end || memcmp(&read, &expected, sizeof read) != 0)
        fail_msg("'%s' is %.17g, read as %.17g, %d of %d characters", text, expected, read,
                 (int)(behind - text), (int)(end - text));
}

static uint64_t draw(uint64_t i) {
    i += 0x9e3779b97f4a7c15u;
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
    i = (i ^ i >> 27) * 0x94d049bb133111ebu;
    return i ^ i >> 31;
}

static double any_double(uint64_t i, int low, int high) {
    uint64_t bits = draw(2 * i),
             exponent = 1023 + (uint64_t)low + draw(2 * i + 1) % (uint64_t)(high - low);
    bits = (bits & 0x800fffffffffffffu) | exponent << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void print(double value, uint64_t how, char text[400]) {
    static const int digits[] = {17, 16, 15, 3, 19};
    if (how % 7 == 5)
        snprintf(text, 400, "%.6f", value);
    else if (how % 7 == 6)
        snprintf(text, 400, "%.9e", value);
    else
        snprintf(text, 400, "%.*g", digits[how % 7], value);
}

static void test_printed_numbers(void **state) {
    (void)state;
    char text[400];
    slow = 0;
    for (uint64_t i = 0; i < 300000; i++) {
        print(any_double(i, -40, 50), i, text);
        same(text);
    }
    assert_true(slow < 300000 / 20); /* or it would not be quick */
    for (uint64_t i = 0; i < 100000; i++) {
        print(any_double(i, -1000, 1000), i % 4, text);
        same(text);
    }
}

/* Digits whose value is next to the middle of two doubles. */
static void test_middles(void **state) {
    (void)state;
    char text[80];
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t odd = (UINT64_C(1) << 53 | draw(i) >> 11) * 2 + 1;
        snprintf(text, sizeof text, "%llu", (unsigned long long)odd);
        same(text);
        snprintf(text, sizeof text, "%llu.%d", (unsigned long long)odd, (int)(i % 3));
        same(text);
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)odd, (int)(i % 31) - 15);
        same(text);
    }
}

static void test_texts(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        "00012.500",
                                        ".5",
                                        "5.",
                                        "-.25e1",
                                        "1e",
                                        "1e+",
                                        "1.2.3",
                                        "-",
                                        ".",
                                        "",
                                        "e5",

                                        "inf",
                                        "1e400",
                                        "1e-400",
                                        "4e-324",
                                        "1,5",
                                        "1e0005",
                                        "12a",
                                        "1e00005",
                                        "99999999999999999999",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "0.000000000000000000000000000000000000000000001",
                                        "1e22",
                                        "1e23",
                                        "9007199254740993",
                                        "-9007199254740993",
                                        "1e-27",
                                        "1e28",
                                        "9999999999999999999e27"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        same(texts[i]);
    double value;
    const char *hexadecimal = "0x10"; /* is not in the tables that people write */
    assert_ptr_equal(csv_number(hexadecimal, &value), hexadecimal + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_numbers),
        cmocka_unit_test(test_middles),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
