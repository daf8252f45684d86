/* SPDX-License-Identifier: MIT
 *
 * Each kind of fault, from 3 s to 8 s on a connection that carries 0 1 2 ... */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "show.h"

static void check_fault(hk_fault fault, const double *expected) {
    for (int form = 0; form < 2; form++) {
        show s;
        show_begin(&s, "1", "10");
        rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
        rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
        rig_connect(&s.r, "count.y", "gain.u");
        show_log(&s, "gain.u");
        hk_action begins = show_fault(&s, 0, fault), repair = begins;
        repair.kind = HK_ACTION_REPAIR;
        if (form == 0) {
            show_at(&s, "3", DO(&s, begins));
            show_at(&s, "8", DO(&s, repair));
        } else {
            show_during(&s, "3", "8", DO(&s, begins));
        }
        show_ready(&s);
        assert_int_equal(show_play(&s), HK_OK);
        assert_true(s.report->all_held);
        show_column_is(&s, 1, expected, 11);
        show_end(&s);
    }
}

static void faults(void **state) {
    (void)state;
    check_fault((hk_fault){.kind = HK_FAULT_STUCK},
                (const double[]){0, 1, 2, 3, 3, 3, 3, 3, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_STUCK, .has_value = true, .value = 0.25},
                (const double[]){0, 1, 2, .25, .25, .25, .25, .25, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_BIAS, .value = -0.5},
                (const double[]){0, 1, 2, 2.5, 3.5, 4.5, 5.5, 6.5, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_SCALE, .value = 2},
                (const double[]){0, 1, 2, 6, 8, 10, 12, 14, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_QUANTISE, .value = 2},
                (const double[]){0, 1, 2, 4, 4, 6, 6, 8, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DELAY, .delay = {2, 1}},
                (const double[]){0, 1, 2, 1, 2, 3, 4, 5, 8, 9, 9});
    /* Before the run there was the initial value, and between two steps the older one holds. */
    check_fault((hk_fault){.kind = HK_FAULT_DELAY, .delay = {9, 2}},
                (const double[]){0, 1, 2, 0, 0, 0, 1, 2, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DROP, .value = 1},
                (const double[]){0, 1, 2, 2, 2, 2, 2, 2, 8, 9, 9});
    check_fault((hk_fault){.kind = HK_FAULT_DISCONNECT},
                (const double[]){0, 1, 2, -1, -1, -1, -1, -1, 8, 9, 9});
}

/* The number of a run is folded from the scenario's name and the repetition. */
static void noise(void **state) {
    (void)state;
    uint64_t name = hk_random_spread_(hk_random_hash_(HK_HASH_SEED, "first", 5));
    hk_stream s = hk_stream_make(0, name, "count.y -> gain.u", "noise");
    double noisy[11] = {0, 1, 2, 0, 0, 0, 0, 0, 8, 9, 9};
    for (int t = 3; t < 8; t++)
        noisy[t] = t + 0.5 * hk_stream_normal(&s, t, 0);
    check_fault((hk_fault){.kind = HK_FAULT_NOISE, .value = 0.5}, noisy);
}

/* Draws go by the number of the consumer's activation: a model whose ticks are shorter, because
 * something else in it has another period or its rows another interval, has the same ones. */
static void draw(hk_fault fault, const char *other, const char *offset, double values[SHOW_ROWS]) {
    show s;
    show_begin(&s, other, "12");
    rig_add(&s.r, "count", &show_counter_type, "1", NULL);
    rig_add(&s.r, "gain", &show_gain_type, "1", offset);
    rig_add(&s.r, "other", &show_counter_type, other, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_log(&s, "gain.u");
    s.scenarios[0].begin = DO(&s, show_fault(&s, 0, fault));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(show_column(&s, 1, values), 13);
    show_end(&s);
}

static void draws_by_activation(void **state) {
    (void)state;
    const hk_fault noisy = {.kind = HK_FAULT_NOISE, .value = 1};
    const hk_fault lossy = {.kind = HK_FAULT_DROP, .value = 0.5};
    double coarse[SHOW_ROWS] = {0}, fine[SHOW_ROWS] = {0}, shifted[SHOW_ROWS] = {0};
    draw(noisy, "1", NULL, coarse);
    draw(noisy, "1/3", NULL, fine);
    assert_memory_equal(coarse, fine, sizeof coarse);
    draw(lossy, "1", NULL, coarse);
    draw(lossy, "0.01", NULL, fine);
    assert_memory_equal(coarse, fine, sizeof coarse);
    /* The number, not the time: a consumer that comes later is told the same noise. A row shows
     * its input one activation after it was set. */
    draw(noisy, "1/2", NULL, coarse);
    draw(noisy, "1/2", "1/2", shifted);
    assert_memory_equal(coarse, shifted + 1, 12 * sizeof *coarse);
}

static void from_the_beginning(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "3");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_log(&s, "gain.u");
    s.scenarios[0].begin = DO(&s, show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_BIAS, .value = 7}));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    COLUMN_IS(&s, 1, 7, 8, 9, 9);
    show_end(&s);
}

typedef struct three {
    double y[3], u[3];
} three;

static int three_step(void *self, double t, double h) {
    (void)h;
    three *x = self;
    for (int i = 0; i < 3; i++)
        x->y[i] = 10 * (i + 1) + t + 1;
    return HK_STEP_OK;
}

static const hk_port three_ports[] = {
    HK_PORT(three, y, HK_OUTPUT, HK_TYPE_F64, .count = 3, .depends_on = "", .unit = "km"),
    HK_PORT(three, u, HK_INPUT, HK_TYPE_F64, .count = 3, .unit = "m"),
};
static const hk_unit_type three_type = {HK_UNIT_TYPE(three), .ports = three_ports, .port_count = 2,
                                        .step = three_step};

/* Elements have faults of their own, in the unit of the output, and are put back one by one. */
static void elements(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "6");
    rig_add(&s.r, "from", &three_type, NULL, NULL);
    rig_add(&s.r, "to", &three_type, NULL, NULL);
    rig_connect(&s.r, "from.y", "to.u");
    show_log(&s, "to.u to.u to.u");
    for (uint32_t i = 0; i < 3; i++)
        ((hk_signal *)(uintptr_t)s.scenarios[0].logs[0].signals)[i].element = i;
    hk_fault bias = {.kind = HK_FAULT_BIAS, .value = 0.5, .elements = {1, 1}};
    hk_fault stuck = {.kind = HK_FAULT_STUCK, .has_value = true, .value = 7, .elements = {0, 2}};
    hk_fault late = {.kind = HK_FAULT_DELAY, .delay = {2, 1}, .elements = {2, 1}};
    show_during(&s, "1", "4", DO(&s, show_fault(&s, 0, bias)));
    show_during(&s, "3", "5", DO(&s, show_fault(&s, 0, stuck), show_fault(&s, 0, late)));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_true(s.report->all_held);
    COLUMN_IS(&s, 1, 0, 11000, 12000, 7000, 7000, 15000, 15000);
    COLUMN_IS(&s, 2, 0, 21500, 22500, 7500, 7000, 25000, 25000);
    COLUMN_IS(&s, 3, 0, 31000, 32000, 31000, 32000, 35000, 35000);
    show_end(&s);
}

/* Conversions come after the fault: twice 2 with an offset of 273.25 is 277.25. */
static void before_conversion(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "3");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u")->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 1, .offset = 273.25};
    show_log(&s, "gain.u");
    s.scenarios[0].begin =
        DO(&s, show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_SCALE, .value = 2}));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    COLUMN_IS(&s, 1, 273.25, 275.25, 277.25, 277.25);
    show_end(&s);
}

/* A fault that cannot be is an error of the run. */
static void impossible(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "3");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_at(&s, "1", DO(&s, show_fault(&s, 0, (hk_fault){.kind = HK_FAULT_QUANTISE})));
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->runs[0].status, HK_E_SCENARIO);
    assert_string_equal(s.report->runs[0].end_reason, "the scenario failed");
    show_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults),
        cmocka_unit_test(noise),
        cmocka_unit_test(draws_by_activation),
        cmocka_unit_test(from_the_beginning),
        cmocka_unit_test(elements),
        cmocka_unit_test(before_conversion),
        cmocka_unit_test(impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
