/* SPDX-License-Identifier: MIT */
#include "draw/plot.h"

#include "base/file.h"
#include "format/xml.h"
#include "draw/plot_layout.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

enum { COLUMNS = 7 };

static hk_ctx *ctx;
static hk_arena *arena;
static const char *folder, *path;
static const size_t all[] = {1, 2, 3, 4, 5, 6};

static int setup(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    if (hk_folder_temporary(ctx, arena, &folder) != HK_OK)
        return -1;
    path = hk_path_join(arena, folder, "plot.svg");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hk_folder_remove(folder);
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
    return 0;
}

/* sine, ten times the sine, a thousand times the sine, 5, a gap, one spike among zeros. */
static hk_table *make_table(size_t rows) {
    static const char *names[COLUMNS] = {"time", "a", "b <&>", "c\xff\x1b[2J", "d", "e", "spike"};
    hk_table *table = HK_NEW(arena, hk_table);
    *table = (hk_table){.columns = COLUMNS, .rows = rows, .names = names};
    table->values = HK_NEW_ARRAY(arena, double *, COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++)
        table->values[c] = HK_NEW_ARRAY(arena, double, rows + 1);
    for (size_t r = 0; r < rows; r++) {
        double t = (double)r / 1000, y = sin(t);
        double row[COLUMNS] = {
            t, y, 10 * y, 1000 * y, 5, r % 100 < 50 ? y : (double)NAN, r == rows / 3};
        for (size_t c = 0; c < COLUMNS; c++)
            table->values[c][r] = row[c];
    }
    return table;
}

static const char *label(double lo, double hi, int ticks, int64_t k) {
    hk_axis axis = hk_axis_make(lo, hi, ticks, false);
    return hk_axis_label(&axis, k, hk_arena_alloc(arena, HK_TICK_TEXT));
}

static void test_ticks(void **state) {
    (void)state;
    hk_axis axis = hk_axis_make(0, 10, 10, false);
    assert_int_equal(axis.first, 0);
    assert_int_equal(axis.last, 10);
    assert_string_equal(label(0, 10, 10, 7), "7");
    assert_string_equal(label(0, 1, 5, 2), "0.4");
    assert_string_equal(label(-1, 1, 4, -1), "-0.5");
    assert_string_equal(label(0, 0.01, 5, 0), "0.000");
    assert_string_equal(label(0, 0.01, 5, 3), "0.006");
    assert_string_equal(label(0, 50000, 5, 5), "50000");
    axis = hk_axis_make(0, 2.5e6, 5, false); /* labels in millions */
    assert_int_equal(axis.scale, 6);
    assert_string_equal(label(0, 2.5e6, 5, 3), "1.5");
    char text[HK_TICK_TEXT];
    assert_string_equal(hk_axis_scale_text(&axis, true, text), "x1e6");
    assert_string_equal(hk_axis_scale_text(&axis, false, text), "×10⁶");
    axis = hk_axis_make(0, 3e-7, 3, false);
    assert_string_equal(hk_axis_scale_text(&axis, false, text), "×10⁻⁹");
    assert_string_equal(hk_axis_label(&axis, 1, text), "100");
}

static void assert_axis_holds(double lo, double hi) {
    hk_axis axis = hk_axis_make(lo, hi, 5, true);
    assert_true(isfinite(axis.lo) && isfinite(axis.hi) && axis.lo < axis.hi);
    assert_true(axis.lo <= lo && axis.hi >= hi);
    assert_true(axis.last - axis.first < 50);
    char text[HK_TICK_TEXT];
    for (int64_t k = axis.first; k <= axis.last; k++)
        assert_true(strlen(hk_axis_label(&axis, k, text)) < HK_TICK_TEXT);
}

static void test_odd_ranges(void **state) {
    (void)state;
    assert_axis_holds(0, 0);
    assert_axis_holds(5, 5);
    assert_axis_holds(-1e300, -1e300);
    assert_axis_holds(1, nextafter(1, 2));
    assert_axis_holds(0, DBL_MIN / 1024);
    assert_axis_holds(-DBL_MAX / 8, DBL_MAX / 8);
    assert_axis_holds(1e15, 1e15 + 2);
    hk_axis none = hk_axis_make(INFINITY, -INFINITY, 5, true);
    assert_true(none.lo == 0 && none.hi == 1);
}

static void test_panels(void **state) {
    (void)state;
    hk_table *table = make_table(10000);
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, table, all, 5, &(hk_plot_options){0});
    assert_int_equal(layout.panel_count, 2);
    assert_int_equal(layout.signals[1].panel, 0); /* ten times the range: together */
    assert_int_equal(layout.signals[2].panel, 1); /* a thousand times: apart */
    assert_int_equal(layout.signals[3].panel, 0);
    static const char *const units[] = {"m", NULL, "m", "N", "m"};
    hk_plot_layout_init(&layout, arena, table, all, 5, &(hk_plot_options){.units = units});
    assert_int_equal(layout.panel_count, 4);
    assert_int_equal(layout.signals[4].panel, 0);
    assert_string_equal(layout.signals[3].label, "d [N]");
    hk_plot_options together = {.panels = HK_PANELS_TOGETHER};
    hk_plot_layout_init(&layout, arena, table, all, 5, &together);
    assert_int_equal(layout.panel_count, 1);
    hk_plot_options separate = {.panels = HK_PANELS_SEPARATE};
    hk_plot_layout_init(&layout, arena, table, all, 5, &separate);
    assert_int_equal(layout.panel_count, 5);
}

typedef struct count {
    size_t points, moves;
    double highest;
} count;

static void count_pen(void *user, double x, double y, bool move) {
    count *c = user;
    assert_true(x >= 0 && x <= 1 && y >= 0 && y <= 1);
    c->points++;
    c->moves += move;
    c->highest = y > c->highest ? y : c->highest;
}

static count trace(size_t rows, size_t column, size_t pixels) {
    hk_table *table = make_table(rows);
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, table, &column, 1, &(hk_plot_options){0});
    hk_axis x = hk_axis_make(layout.over_lo, layout.over_hi, 5, false);
    hk_axis y = hk_axis_make(layout.panels[0].lo, layout.panels[0].hi, 5, false);
    count c = {0};
    hk_plot_trace(&layout, &layout.signals[0], &x, &y, pixels, count_pen, &c);
    return c;
}

static void test_few_points_remain(void **state) {
    (void)state;
    count c = trace(200000, 6, 100);
    assert_true(c.points <= 4 * 101);
    assert_int_equal(c.moves, 1);
    assert_true(c.highest == 1); /* the one row of the spike is among them */
    c = trace(50, 1, 1000);      /* fewer rows than pixels: all of them */
    assert_int_equal(c.points, 50);
    c = trace(1000, 5, 2000);
    assert_int_equal(c.moves, 10); /* a gap after each half hundred */
}

static size_t svg_size(const hk_table *table, const size_t *columns, size_t n,
                       const hk_plot_options *options, const hk_xml **ret_root) {
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(hk_plot_svg(ctx, table, columns, n, options, path), HK_OK);
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    assert_int_equal(hk_xml_parse(ctx, arena, path, data, size, ret_root), HK_OK);
    assert_null(strstr(data, "nan"));
    assert_null(strstr(data, "inf"));
    hk_free(data);
    return size;
}

static void test_svg(void **state) {
    (void)state;
    const hk_xml *root = NULL;
    hk_plot_options options = {.title = "a < b & \"c\"", .width = 500};
    size_t size = svg_size(make_table(200000), all, 6, &options, &root);
    assert_true(size < 200000);
    assert_string_equal(root->name, "svg");
    assert_string_equal(hk_xml_attr_get(root, "width"), "500");
    assert_string_equal(hk_xml_child(root, NULL, "title")->text, "a < b & \"c\"");
    size_t panels = 0;
    for (const hk_xml *g = hk_xml_child(root, NULL, "g"); g; g = hk_xml_next(g, NULL, "g"))
        panels++;
    assert_int_equal(panels, 2);
    assert_true(svg_size(make_table(100), all, 6, NULL, &root) < 60000);
}

static void test_svg_of_little(void **state) {
    (void)state;
    const hk_xml *root = NULL;
    hk_table *table = make_table(0);
    svg_size(table, all, 6, NULL, &root);
    svg_size(table, NULL, 0, NULL, &root);
    table = make_table(1);
    svg_size(table, all, 6, &(hk_plot_options){.stepped = true, .width = 1, .height = 1}, &root);
    table = make_table(4);
    for (size_t r = 0; r < 4; r++) {
        table->values[1][r] = r % 2 ? DBL_MAX : -DBL_MAX;
        table->values[2][r] = r % 2 ? INFINITY : NAN;
    }
    svg_size(table, all, 2, NULL, &root);
    const char *nowhere = hk_path_join(arena, folder, "no/plot.svg");
    assert_int_equal(hk_plot_svg(ctx, table, all, 2, NULL, nowhere), HK_E_FILE_WRITE);
}

/* The plot as text; no line is wider than WIDTH or ends with a space. Returns the lines. */
static size_t terminal_lines(const hk_table *table, size_t n, hk_plot_options options,
                             char **ret_text) {
    char *data = NULL;
    size_t size = 0, lines = 0;
    FILE *out = open_memstream(&data, &size);
    assert_non_null(out);
    hk_plot_terminal(table, all, n, &options, out);
    fclose(out);
    *ret_text = hk_arena_strndup(arena, data, size);
    for (char *line = strtok(data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        if (!options.colour) {
            assert_true(hk_text_width(line) <= options.width);
            assert_null(strchr(line, '\033'));
        }
        assert_int_not_equal(line[strlen(line) - 1], ' ');
    }
    free(data);
    return lines;
}

static void test_terminal(void **state) {
    (void)state;
    hk_table *table = make_table(100000);
    char *text = NULL;
    for (unsigned width = 24; width < 140; width += 7) {
        terminal_lines(table, 6, (hk_plot_options){.width = width}, &text);
        terminal_lines(table, 6, (hk_plot_options){.width = width, .ascii = true}, &text);
    }
    hk_plot_options options = {.width = 80, .height = 24, .title = "title"};
    assert_true(terminal_lines(table, 1, options, &text) <= 24);
    assert_non_null(strstr(text, "title"));
    assert_non_null(strstr(text, "time [s]"));
    assert_non_null(strstr(text, "-0.5┤"));
    options.ascii = true;
    terminal_lines(table, 2, options, &text);
    for (const char *c = text; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    options = (hk_plot_options){.width = 80, .colour = true};
    terminal_lines(table, 3, options, &text);
    assert_non_null(strstr(text, "\033[34m"));
    assert_null(strstr(text, "\033[2J")); /* a name cannot command the terminal */
    terminal_lines(make_table(0), 3, options, &text);
    terminal_lines(make_table(1), 3, options, &text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ticks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_odd_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_panels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_few_points_remain, setup, teardown),
        cmocka_unit_test_setup_teardown(test_svg, setup, teardown),
        cmocka_unit_test_setup_teardown(test_svg_of_little, setup, teardown),
        cmocka_unit_test_setup_teardown(test_terminal, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
