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

/* ---- labels of axes ---- */

static void test_last_parts(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"pump.flow", "flow"},
                                           {"der(Damper.E)", "der(Damper.E)"},
                                           {"plant.der(Damper.E)", "der(Damper.E)"},
                                           {"arm[1.5].joint[2].q", "q"},
                                           {"plant.'a.b'", "'a.b'"},
                                           {"plant.'a.b'.c", "c"},
                                           {"plant.x'.y", "y"},
                                           {"plant.'x", "'x"},
                                           {"E).f", "f"},
                                           {"end.", "end."},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(hk_text_last_part(cases[i][0]), cases[i][1]);
}

static void assert_label(const hk_plot *plot, const char *label, const char *brief) {
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, plot);
    assert_string_equal(layout.panels[0].label, label);
    assert_true(!brief == !layout.panels[0].brief);
    if (brief)
        assert_string_equal(layout.panels[0].brief, brief);
}

static void test_labels(void **state) {
    (void)state;
    hk_plot plot = make(2, 1, 2);
    columns[0].name = "trim.delta_e_trim";
    columns[1].name = "der(alpha.initial)";
    assert_label(&plot, "delta_e_trim, der(alpha.initial) [unit 0]", "delta_e_trim, … [unit 0]");
    plot = make(1, 2, 1); /* one name in two runs */
    assert_label(&plot, "signal_0 [unit 0]", NULL);
    plot = make(5, 1, 5); /* more names than there is room for */
    assert_label(&plot, "[unit 0]", NULL);
    for (size_t i = 0; i < 5; i++)
        columns[i].unit = NULL;
    assert_label(&plot, "signal_0, signal_1, signal_2, …", "signal_0, …");
}

/* Two names that have no room do not become one. */
static void test_labels_without_room(void **state) {
    (void)state;
    hk_plot plot = make(2, 1, 2);
    columns[0].name = "trim.delta_e_trim";
    columns[1].name = "alpha_of_the_initial_state";
    plot.height = 150;
    hk_canvas *canvas = hk_canvas_create();
    (void)hk_plot_draw(&plot, canvas);
    size_t count, found = 0;
    const hk_text_box *texts = hk_canvas_texts(canvas, &count);
    for (size_t i = 0; i < count; i++)
        found += strcmp(texts[i].words, "delta_e_trim, … [unit 0]") == 0;
    hk_canvas_destroy(canvas);
    assert_int_equal(found, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_looks_of_panels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looks_of_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_last_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_labels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_labels_without_room, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
