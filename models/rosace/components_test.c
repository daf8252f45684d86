/* SPDX-License-Identifier: MIT
 *
 * The components of ROSACE one by one, and the evaluation of P1 to P4. */
#include "properties.h"
#include "rosace.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sea_rosace.h"

static sea start_one(const char *type) {
    sea s = sea_make();
    sea_add(&s, "x", type, 4);
    sea_partition(&s, "x");
    return s;
}

/* Entering the band the output goes on from where it is, or from where the constant puts it. */
static void test_altitude_hold(void **state) {
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        sea s = start_one("altitude_hold");
        *(bool *)sea_at(&s, "x.fixed_integral") = fixed;
        *sea_f64(&s, "x.vz_c") = -2.0;
        *sea_f64(&s, "x.h_c") = 10000.0;
        sea_begin(&s);
        static const double heights[] = {9949.0, 10051.0, 10040.0, 10040.0, 9950.0};
        const double kp = 0.1014048, ki = 0.0048288, h = 0.02;
        double integral = fixed ? ki * 532.2730285 : 2.0 - kp * 40.0;
        const double wanted[] = {-2.0, 2.0, kp * 40.0 + integral,
                                 kp * 40.0 + integral + h * ki * 40.0,
                                 kp * -50.0 + integral + 2.0 * h * ki * 40.0};
        for (int i = 0; i < 5; i++) {
            *sea_f64(&s, "x.h_f") = heights[i];
            for (int k = 0; k < 4; k++)
                sea_tick(&s);
            expect_within("vz_hold", *sea_f64(&s, "x.vz_hold"), wanted[i], 1e-13);
        }
        sea_end(&s);
    }
}

/* All combinations of agreement, master of the other couple, and the link to it. */
static void test_monitor(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        bool e = i & 1, th = i & 2, other = i & 4, linked = i & 8;
        sea s = start_one("fcc_mon");
        *(bool *)sea_at(&s, "x.cross_linked") = linked;
        *(bool *)sea_at(&s, "x.other_master_static") = linked ? !other : other;
        sea_begin(&s);
        assert_false(*(bool *)sea_at(&s, "x.relay_e"));
        *(bool *)sea_at(&s, "x.other_master") = linked ? other : !other;
        *sea_f64(&s, "x.delta_e_c") += e ? 0.99e-3 : 1.01e-3;
        *sea_f64(&s, "x.delta_th_c") -= th ? 0.99e-3 : 1.01e-3;
        sea_tick(&s);
        assert_int_equal(*(bool *)sea_at(&s, "x.relay_e"), e && !other);
        assert_int_equal(*(bool *)sea_at(&s, "x.relay_th"), th && !other);
        assert_int_equal(*(bool *)sea_at(&s, "x.master"), e && th && !other);
        sea_end(&s);
    }
}

/* The first couple with both relays closed, else 0 or what was there before. */
static void test_cables(void **state) {
    (void)state;
    static const char *const relays[] = {"x.relay_e_1", "x.relay_th_1", "x.relay_e_2",
                                         "x.relay_th_2"};
    for (int i = 0; i < 32; i++) {
        sea s = start_one("cables");
        for (int k = 0; k < 4; k++)
            *(bool *)sea_at(&s, relays[k]) = i >> k & 1;
        *(bool *)sea_at(&s, "x.hold_when_open") = i & 16;
        *sea_f64(&s, "x.delta_e_c_1") = 1.0;
        *sea_f64(&s, "x.delta_th_c_1") = 2.0;
        *sea_f64(&s, "x.delta_e_c_2") = 3.0;
        *sea_f64(&s, "x.delta_th_c_2") = 4.0;
        *sea_f64(&s, "x.delta_e_c_initial") = 5.0;
        *sea_f64(&s, "x.delta_th_c_initial") = 6.0;
        sea_begin(&s);
        sea_tick(&s);
        bool first = (i & 3) == 3, second = (i & 12) == 12;
        double wanted = first ? 1.0 : second ? 3.0 : i & 16 ? 5.0 : 0.0;
        expect_within("delta_e_c", *sea_f64(&s, "x.delta_e_c"), wanted, 0.0);
        expect_within("delta_th_c", *sea_f64(&s, "x.delta_th_c"), wanted > 0.0 ? wanted + 1.0 : 0.0,
                      0.0);
        sea_end(&s);
    }
}

static void test_filter_coefficients(void **state) {
    (void)state;
    static const struct {
        double cut_off, rate, a0, a1, b0, b1;
    } rows[] = {
        {0.5, 100, 0.956543675476034, -1.955578398054313, 0.000479064865372430,
         0.000486212556348925},
        {0.5, 50, 0.914975803093201, -1.911199519984605, 0.001860178914816, 0.001916104193780},
        {0.5, 33, 0.874036784828483, -1.865563793814790, 0.004141433623051, 0.004331557390642},
        {0.5, 25, 0.837180720246048, -1.822731999002980, 0.007010380719078, 0.007438340523990},
        {3, 100, 0.766000101841272, -1.734903205885821, 0.014857648981438, 0.016239246974013},
        {3, 50, 0.586756156020839, -1.477888930110354, 0.049596808318647, 0.059270417591839},
        {3, 33, 0.445839214374383, -1.227970132817902, 0.094268996251840, 0.123600085304640},
        {3, 25, 0.344282786628352, -1.010643377701049, 0.137177088974822, 0.196462319952482},
        {10, 100, 0.411240701442774, -1.158045899830964, 0.107849979167580, 0.145344822444230},
        {10, 50, 0.169118914523145, -0.518588903229759, 0.229019233988375, 0.421510777305010},
        {10, 33, 0.067700864731348, -0.115832026705568, 0.263451167882487, 0.688417670143293},
        {10, 25, 0.028601207249487, 0.069303378493245, 0.228783762747218, 0.869120822995514},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rosace_filter_coefficients k = hk_rosace_butterworth(rows[i].cut_off, rows[i].rate);
        expect_within("a0", k.a0, rows[i].a0, 1.5e-15);
        expect_within("a1", k.a1, rows[i].a1, 1.5e-15);
        expect_within("b0", k.b0, rows[i].b0, 1.5e-15);
        expect_within("b1", k.b1, rows[i].b1, 1.5e-15);
    }
}

/* The ready-made types have the rows of the table that belong to their cut-off and rate. */
static void test_ready_made_filters(void **state) {
    (void)state;
    static const double cut_offs[] = {3, 0.5, 0.5, 3, 10};
    static const int periods[] = {4, 2, 2, 2, 2};
    for (int i = 0; i < 5; i++) {
        sea s = sea_make();
        sea_add(&s, "made", filters[i], periods[i]);
        sea_add(&s, "computed", "filter", periods[i]);
        *sea_f64(&s, "computed.cut_off") = cut_offs[i];
        *sea_f64(&s, "computed.rate") = *sea_f64(&s, "made.rate");
        *sea_f64(&s, "computed.equilibrium") = *sea_f64(&s, "made.equilibrium");
        sea_partition(&s, "made computed");
        sea_begin(&s);
        double eq = *sea_f64(&s, "made.equilibrium");
        *sea_f64(&s, "made.raw") = *sea_f64(&s, "computed.raw") = eq;
        for (int k = 0; k < 3 * periods[i]; k++)
            sea_tick(&s);
        expect_within("at rest", *sea_f64(&s, "made.filtered"), eq, 1e-11);
        *sea_f64(&s, "made.raw") = *sea_f64(&s, "computed.raw") = eq + 1.0;
        for (int k = 0; k < 40 * periods[i]; k++)
            sea_tick(&s);
        assert_true(*sea_f64(&s, "made.filtered") > eq + 0.1);
        expect_within("computed", *sea_f64(&s, "computed.filtered"), *sea_f64(&s, "made.filtered"),
                      1e-9);
        sea_end(&s);
    }
}

static void test_properties(void **state) {
    (void)state;
    static const double t[] = {0, 1, 2, 3, 4, 5}, x[] = {0, 1, 8, 12, 10.4, 10};
    rosace_properties p = hk_rosace_properties(t, x, 6, 8.0, false);
    expect_within("P1", p.settling, 3.0, 0.0);
    expect_within("P2", p.overshoot, 20.0, 1e-12);
    expect_within("P3", p.rise, 2.0, 0.0);
    expect_within("P4", p.error, 25.0, 1e-12);
    p = hk_rosace_properties(t, x, 6, 8.0, true);
    expect_within("P2 of a level", p.overshoot, 25.0, 1e-12);
    p.error = (double)NAN;
    assert_false(hk_rosace_properties_met(&p, &(rosace_limits){99, 99, 99, 99}));
}

static void test_refusals(void **state) {
    (void)state;
    sea s = sea_make();
    sea_add(&s, "com", "fcc_com", 4);
    sea_add(&s, "mon", "fcc_mon", 4);
    sea_add(&s, "filter", "filter", 4);
    for (int i = 0; i < 2; i++) {
        sea_component *c = &s.components[i];
        assert_int_equal(c->type->init(c->self, 0.0), HK_STEP_OK);
        *(int32_t *)sea_at(&s, i ? "mon.mode" : "com.mode") = ROSACE_MODE_UNDEFINED;
        assert_int_equal(c->type->step(c->self, 0.0, 0.02), HK_STEP_FAILED);
    }
    sea_component *filter = &s.components[2];
    *sea_f64(&s, "filter.cut_off") = 3.0;
    *sea_f64(&s, "filter.rate") = 0.0;
    assert_int_equal(filter->type->init(filter->self, 0.0), HK_STEP_FAILED);
    sea_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_altitude_hold),
        cmocka_unit_test(test_monitor),
        cmocka_unit_test(test_cables),
        cmocka_unit_test(test_filter_coefficients),
        cmocka_unit_test(test_ready_made_filters),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
