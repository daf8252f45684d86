/* SPDX-License-Identifier: MIT */
#include "model/uom.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static hk_uom unit(const char *text) {
    hk_uom uom;
    if (!hk_uom_parse(text, &uom))
        fail_msg("'%s' is not read", text);
    return uom;
}

static void expect(const char *text, const char *dimension, double factor, double offset) {
    hk_uom uom = unit(text);
    char buffer[96];
    assert_string_equal(hk_uom_dimension(&uom, buffer), dimension);
    assert_string_equal(uom.name, text);
    if (uom.factor != factor || uom.offset != offset)
        fail_msg("'%s': factor %a, not %a; offset %a, not %a", text, uom.factor, factor, uom.offset,
                 offset);
}

static void test_names(void **state) {
    (void)state;
    expect("m", "m", 1, 0);
    expect("kg", "kg", 1, 0);
    expect("g", "kg", 0.001, 0);
    expect("mg", "kg", 1e-6, 0);
    expect("t", "kg", 1000, 0);
    expect("km", "m", 1000, 0);
    expect("um", "m", 1e-6, 0);
    expect("\u00b5m", "m", 1e-6, 0);
    expect("dam", "m", 10, 0);
    expect("N", "kg.m.s-2", 1, 0);
    expect("kPa", "kg.m-1.s-2", 1000, 0);
    expect("hPa", "kg.m-1.s-2", 100, 0);
    expect("mbar", "kg.m-1.s-2", 100, 0);
    expect("kOhm", "kg.m2.s-3.A-2", 1000, 0);
    expect("\u03a9", "kg.m2.s-3.A-2", 1, 0);
    expect("uF", "kg-1.m-2.s4.A2", 1e-6, 0);
    expect("kWh", "kg.m2.s-2", 3.6e6, 0);
    expect("lx", "m-2.cd.rad2", 1, 0);
    expect("l", "m3", 0.001, 0);
    expect("ml", "m3", 1e-6, 0);
    expect("%", "1", 0.01, 0);
    expect("1", "1", 1, 0);
    expect("degC", "K", 1, 273.15);
    expect("\u00b0C", "K", 1, 273.15);
    expect("deg", "rad", 3.14159265358979323846 / 180, 0);
    expect("rpm", "s-1.rad", 3.14159265358979323846 / 30, 0);
    expect("kn", "m.s-1", 1852.0 / 3600, 0);
    expect("kat", "s-1.mol", 1, 0);
}

/* A whole name wins over a prefix. */
static void test_ambiguous(void **state) {
    (void)state;
    expect("min", "s", 60, 0);
    expect("mol", "mol", 1, 0);
    expect("mmol", "mol", 0.001, 0);
    expect("cd", "cd", 1, 0);
    expect("Pa", "kg.m-1.s-2", 1, 0);
    expect("T", "kg.s-2.A-1", 1, 0);
    expect("mT", "kg.s-2.A-1", 0.001, 0);
    expect("h", "s", 3600, 0);
    expect("d", "s", 86400, 0);
    expect("nmi", "m", 1852, 0);
    expect("ft", "m", 0.3048, 0);
}

static void test_expressions(void **state) {
    (void)state;
    expect("m/s", "m.s-1", 1, 0);
    expect("m.s-1", "m.s-1", 1, 0);
    expect("m*s^-1", "m.s-1", 1, 0);
    expect("m s^(-1)", "m.s-1", 1, 0);
    expect(" m / s ", "m.s-1", 1, 0);
    expect("km/h", "m.s-1", 1000.0 / 3600, 0);
    expect("m/s2", "m.s-2", 1, 0);
    expect("m/s/s", "m.s-2", 1, 0);
    expect("m\u00b3", "m3", 1, 0);
    expect("N\u00b7m", "kg.m2.s-2", 1, 0);
    expect("J/(kg.K)", "m2.s-2.K-1", 1, 0);
    expect("J/kg.K", "m2.s-2.K", 1, 0);
    expect("cm2", "m2", 1e-4, 0);
    expect("1/min", "s-1", 1 / 60.0, 0);
    expect("1e-3.m", "m", 0.001, 0);
    expect("10^3.m", "m", 1000, 0);
    expect("2.5 m", "m", 2.5, 0);
    expect("(m/s)2", "m2.s-2", 1, 0);
    expect("m/m", "1", 1, 0);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",    " ",     "None",   "metre", "m/",     "/s",     "m..s", "(m",      "m)",
        "m^",  "m^x",   "degC/s", "degC2", "m100",   "0",      "3m",   "m^(2",    "-",
        "m(s", "kdegC", "kmin",   "1e400", "m^99.m", "1/degC", "Ym99", "1e300^9", "m\xff\xfe"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hk_uom uom;
        if (hk_uom_parse(bad[i], &uom))
            fail_msg("'%s' is read", bad[i]);
    }
    char nested[200] = "";
    memset(nested, '(', 100);
    hk_uom uom;
    assert_false(hk_uom_parse(nested, &uom));
}

static void expect_conversion(const char *from, const char *to, bool relative, double factor,
                              double offset) {
    hk_uom a = unit(from), b = unit(to);
    double f, o;
    assert_true(hk_uom_conversion(&a, &b, relative, &f, &o));
    if (fabs(f - factor) > 1e-15 * fabs(factor) || fabs(o - offset) > 1e-13 * fabs(offset))
        fail_msg("%s to %s: %a and %a", from, to, f, o);
}

static void test_conversion(void **state) {
    (void)state;
    hk_uom celsius = unit("degC"), kelvin = unit("K"), speed = unit("km/h"), second = unit("s");
    double factor, offset;
    assert_true(hk_uom_conversion(&celsius, &kelvin, false, &factor, &offset));
    assert_true(factor == 1 && offset == 273.15);
    assert_true(hk_uom_conversion(&celsius, &kelvin, true, &factor, &offset));
    assert_true(factor == 1 && offset == 0);
    assert_true(hk_uom_conversion(&celsius, &celsius, false, &factor, &offset));
    assert_true(factor == 1 && offset == 0);
    assert_true(hk_uom_conversion(&speed, &speed, false, &factor, &offset));
    assert_true(factor == 1 && offset == 0);
    assert_false(hk_uom_conversion(&speed, &second, false, &factor, &offset));
    assert_false(hk_uom_same_dimension(&speed, &second));
    expect_conversion("K", "degC", false, 1, -273.15);
    expect_conversion("degF", "degC", false, 5 / 9.0, -160 / 9.0);
    expect_conversion("degF", "K", true, 5 / 9.0, 0);
    expect_conversion("km/h", "m/s", false, 1 / 3.6, 0);
    expect_conversion("rpm", "rad/s", false, 3.14159265358979323846 / 30, 0);
    expect_conversion("bar", "kPa", false, 100, 0);
    expect_conversion("mm", "km", false, 1e-6, 0);
}

static void test_algebra(void **state) {
    (void)state;
    hk_uom newton = unit("kN"), metre = unit("m"), celsius = unit("degC"), product, power;
    char buffer[96];
    assert_true(hk_uom_multiply(&newton, &metre, &product));
    assert_string_equal(hk_uom_dimension(&product, buffer), "kg.m2.s-2");
    assert_true(product.factor == 1000);
    assert_true(hk_uom_power(&newton, -2, &power));
    assert_string_equal(hk_uom_dimension(&power, buffer), "kg-2.m-2.s4");
    assert_true(power.factor == 1e-6);
    assert_false(hk_uom_multiply(&celsius, &metre, &product));
    assert_false(hk_uom_power(&celsius, 2, &power));
    assert_false(hk_uom_power(&metre, 1000, &power));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_conversion),  cmocka_unit_test(test_algebra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
