/* SPDX-License-Identifier: MIT */
#include "cli/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void times_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t num, den;
    } good[] = {{"2", 2, 1},       {"0.001", 1, 1000},  {"1e-3", 1, 1000},    {"1/120", 1, 120},
                {"20ms", 1, 50},   {"1/3 ms", 1, 3000}, {"3min", 180, 1},     {"2h", 7200, 1},
                {"-1.5 s", -3, 2}, {"5us", 1, 200000},  {"1e3ns", 1, 1000000}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        hk_ratio r;
        assert_true(hk_time_parse(good[i].text, &r));
        assert_int_equal(r.num, good[i].num);
        assert_int_equal(r.den, good[i].den);
    }
    static const char *const bad[] = {"",    "s",  "1x", "1 s s", "1//2",
                                      "1/0", "e3", "1e", "nan",   "9223372036854775807h"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hk_ratio r;
        assert_false(hk_time_parse(bad[i], &r));
    }
}

static void quantities_split(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *unit;
    } good[] = {{"12m", 2, "m"},       {"12.5 km/h", 4, "km/h"},
                {"-1e3kg", 4, "kg"},   {"1eV", 1, "eV"},
                {".5", 2, ""},         {"5.", 2, ""},
                {"3e-2rad", 4, "rad"}, {"+7 degC", 2, "degC"}};
    size_t length;
    const char *unit;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(hk_quantity_split(good[i].text, &length, &unit));
        assert_int_equal(length, good[i].length);
        assert_string_equal(unit, good[i].unit);
    }
    assert_false(hk_quantity_split("m", &length, &unit));
    assert_false(hk_quantity_split("", &length, &unit));
    assert_false(hk_quantity_split("-.m", &length, &unit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_exact),
        cmocka_unit_test(quantities_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
