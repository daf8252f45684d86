/* SPDX-License-Identifier: MIT */
#include "draw/plot_layout.h"

#include <math.h>
#include <string.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

enum { MOST = 64 };

static hk_arena *arena;
static const double times[] = {0, 1}, ramp[] = {1, 2};
static const hk_plot_column now = {.name = "time", .unit = "s", .values = times};
static hk_plot_column columns[MOST];
static hk_plot_curve curves[MOST];

static int setup(void **state) {
    (void)state;
    arena = hk_arena_create();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hk_arena_destroy(arena);
    return 0;
}

/* SIGNALS of RUNS; after PER_UNIT of them comes another unit. */
static hk_plot make(size_t signals, size_t runs, size_t per_unit) {
    for (size_t i = 0; i < signals * runs; i++) {
        size_t signal = i / runs;
        columns[i] = (hk_plot_column){.name = hk_arena_printf(arena, "part.signal_%zu", signal),
                                      .unit = hk_arena_printf(arena, "unit %zu", signal / per_unit),
                                      .values = ramp};
        curves[i] = (hk_plot_curve){
            .x = &now, .y = &columns[i], .rows = 2, .signal = signal, .run = i % runs};
    }
    return (hk_plot){.curves = curves, .curve_count = signals * runs};
}

static void assert_look(const hk_plot *plot, size_t curve, unsigned colour, unsigned dash) {
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, plot);
    assert_int_equal(layout.signals[curve].colour, colour);
    assert_int_equal(layout.signals[curve].dash, dash);
}

/* Looks are counted in each panel, whatever the others have. */
static void test_looks_of_panels(void **state) {
    (void)state;
    hk_plot plot = make(20, 1, 1);
    for (size_t i = 0; i < 20; i++)
        assert_look(&plot, i, 0, 0);
    plot = make(20, 1, 2);
    for (size_t i = 0; i < 20; i++)
        assert_look(&plot, i, i % 2, 0);
    assert_false(hk_plot_looks_repeat(&plot));
    plot.colour = true;
    assert_false(hk_plot_terminal_looks_repeat(&plot));
    plot = make(33, 1, 32);
    assert_look(&plot, 8, 0, 1);
    assert_look(&plot, 32, 0, 0);
    assert_false(hk_plot_looks_repeat(&plot));
    plot = make(33, 1, 33);
    assert_true(hk_plot_looks_repeat(&plot)); /* there are 32 */
}

/* A signal has one colour in all runs, and a run one dash in all panels. */
static void test_looks_of_runs(void **state) {
    (void)state;
    hk_plot plot = make(4, 2, 2);
    for (size_t i = 0; i < 8; i++)
        assert_look(&plot, i, i / 2 % 2, i % 2);
    plot = make(1, 3, 1); /* one signal: colours are of the runs */
    for (size_t i = 0; i < 3; i++)
        assert_look(&plot, i, (unsigned)i, 0);
    plot = make(9, 2, 9); /* more than colours */
    assert_look(&plot, 16, 0, 2);
    assert_look(&plot, 17, 0, 3);
    assert_false(hk_plot_looks_repeat(&plot));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_looks_of_panels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looks_of_runs, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
