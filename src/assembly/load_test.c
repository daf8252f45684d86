/* SPDX-License-Identifier: MIT */
#include "assembly/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
        cmocka_unit_test(quantities_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
