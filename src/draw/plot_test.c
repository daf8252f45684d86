/* SPDX-License-Identifier: MIT */
#include "draw/plot.h"

#include "base/file.h"
#include "draw/plot_layout.h"
#include "format/xml.h"

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

/* A record whose values may be changed. */
typedef struct table {
    size_t rows;
    double *values[COLUMNS];
    hk_plot_column columns[COLUMNS];
    hk_plot_curve curves[COLUMNS];
} table;

/* sine, ten times the sine, a thousand times the sine, 5, a gap, one spike among zeros. */
static table *make_table(size_t rows) {
    static const char *names[COLUMNS] = {"time", "a", "b <&>", "c\xff\x1b[2J", "d", "e", "spike"};
    table *t = HK_NEW(arena, table);
    t->rows = rows;
    for (size_t c = 0; c < COLUMNS; c++) {
        t->values[c] = HK_NEW_ARRAY(arena, double, rows + 1);
        t->columns[c] = (hk_plot_column){.name = names[c], .values = t->values[c]};
        t->curves[c] =
            (hk_plot_curve){.x = &t->columns[0], .y = &t->columns[c], .rows = rows, .signal = c};
    }
    for (size_t r = 0; r < rows; r++) {
        double x = (double)r / 1000, y = sin(x);
        double row[COLUMNS] = {
            x, y, 10 * y, 1000 * y, 5, r % 100 < 50 ? y : (double)NAN, r == rows / 3};
        for (size_t c = 0; c < COLUMNS; c++)
            t->values[c][r] = row[c];
    }
    return t;
}

/* The first COUNT columns after the time. */
static hk_plot plot_of(const table *t, size_t count) {
    return (hk_plot){.curves = t->curves + 1, .curve_count = count};
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
    assert_axis_holds(-DBL_MAX, DBL_MAX);
    assert_axis_holds(DBL_MAX, DBL_MAX);
    assert_axis_holds(-1e-300, 1.7e308);
    assert_axis_holds(1e15, 1e15 + 2);
    hk_axis none = hk_axis_make(INFINITY, -INFINITY, 5, true);
    assert_true(none.lo == 0 && none.hi == 1);
}

/* Labels that would differ in their last digits only count from a round number. */
static void test_offsets(void **state) {
    (void)state;
    static const struct {
        double lo, hi;
        const char *words;
    } cases[] = {{999999.9999, 1000000.0001, "x1e-6 + 1000000"},
                 {-1 - 1e-12, -1 + 1e-12, "x1e-12 - 1"},
                 {123456.71, 123456.79, "+ 123456.7"},
                 {1e15, 1e15 + 2, "+ 1000000000000000"},
                 {100000, 100005, "x1e3"},
                 {0.1, 0.2, ""}};
    char text[HK_TICK_TEXT], other[HK_TICK_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_axis axis = hk_axis_make(cases[i].lo, cases[i].hi, 5, true);
        assert_string_equal(hk_axis_scale_text(&axis, true, text), cases[i].words);
        assert_true(axis.last > axis.first);
        for (int64_t k = axis.first; k < axis.last; k++) {
            double from = hk_axis_place(&axis, hk_axis_tick(&axis, k));
            assert_true(hk_axis_place(&axis, hk_axis_tick(&axis, k + 1)) > from);
            assert_string_not_equal(hk_axis_label(&axis, k, text),
                                    hk_axis_label(&axis, k + 1, other));
        }
    }
}

static void test_panels(void **state) {
    (void)state;
    table *t = make_table(10000);
    hk_plot plot = plot_of(t, 5);
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, &plot);
    assert_int_equal(layout.panel_count, 1); /* no units: one panel, whatever the sizes */
    assert_string_equal(layout.panels[0].label, "a, b <&>, c\xff\x1b[2J, …");
    assert_true(hk_plot_is_flat(&plot));
    plot.panels = HK_PANELS_SPLIT;
    hk_plot_layout_init(&layout, arena, &plot);
    assert_int_equal(layout.panel_count, 2);
    assert_int_equal(layout.signals[1].panel, 0); /* ten times the range: together */
    assert_int_equal(layout.signals[2].panel, 1); /* a thousand times: apart */
    assert_int_equal(layout.signals[3].panel, 0);
    assert_false(hk_plot_is_flat(&plot));
    static const char *const units[] = {"m", NULL, "m", "N", "m"};
    for (size_t i = 0; i < 5; i++)
        t->columns[i + 1].unit = units[i];
    plot.panels = HK_PANELS_AUTO;
    hk_plot_layout_init(&layout, arena, &plot);
    assert_int_equal(layout.panel_count, 3); /* m, none, N */
    assert_int_equal(layout.signals[2].panel, 0);
    assert_int_equal(layout.signals[4].panel, 0);
    assert_string_equal(layout.signals[3].label, "d [N]");
    assert_string_equal(layout.panels[0].label, "a, c\xff\x1b[2J, e [m]");
    assert_string_equal(layout.panels[2].label, "d [N]");
    plot.panels = HK_PANELS_TOGETHER;
    hk_plot_layout_init(&layout, arena, &plot);
    assert_int_equal(layout.panel_count, 1);
    assert_string_equal(layout.signals[0].name, "a [m]"); /* the axis cannot say it */
    plot.panels = HK_PANELS_SEPARATE;
    hk_plot_layout_init(&layout, arena, &plot);
    assert_int_equal(layout.panel_count, 5);
}

/* Truth values, items and whole numbers. */
static void test_kinds(void **state) {
    (void)state;
    static const hk_plot_item items[] = {{1, "idle"}, {2, "run"}, {7, "fault"}};
    table *t = make_table(50);
    t->columns[1].kind = HK_PLOT_BOOLEAN;
    t->columns[2].kind = HK_PLOT_ENUMERATION;
    t->columns[2].items = items;
    t->columns[2].item_count = 3;
    t->columns[3].kind = HK_PLOT_INTEGER;
    for (size_t r = 0; r < t->rows; r++) {
        t->values[1][r] = r % 2 == 0;
        t->values[2][r] = r < 25 ? 1 : 7;
        t->values[3][r] = (double)(r % 3);
    }
    hk_plot plot = plot_of(t, 4);
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, &plot);
    assert_int_equal(layout.panel_count, 3); /* the whole numbers with the others */
    char text[HK_TICK_TEXT];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(layout.signals[i].stepped, i < 3);
    hk_axis axis = hk_axis_of_panel(&layout.panels[0], 5);
    assert_string_equal(hk_axis_label(&axis, axis.first, text), "false");
    assert_string_equal(hk_axis_label(&axis, axis.last, text), "true");
    axis = hk_axis_of_panel(&layout.panels[1], 5);
    assert_string_equal(hk_axis_label(&axis, axis.last, text), "fault");
    assert_true(hk_axis_tick(&axis, axis.last) == 7);
    double places[] = {hk_axis_place(&axis, 1), hk_axis_place(&axis, 2), hk_axis_place(&axis, 7)};
    assert_true(fabs(places[2] - places[1] - (places[1] - places[0])) < 1e-9); /* equally far */
    assert_true(places[0] > 0.05 && places[2] < 0.95);
    assert_true(hk_axis_place(&axis, -100) == 0 && hk_axis_place(&axis, 100) == 1);
    plot.curves = t->curves + 3;
    plot.curve_count = 1;
    hk_plot_layout_init(&layout, arena, &plot);
    axis = hk_axis_of_panel(&layout.panels[0], 20);
    assert_true(axis.step == 1); /* no half of a whole number */
}

/* Hours are hours, not thousands of seconds. */
static void test_time_units(void **state) {
    (void)state;
    static const struct {
        double end, shown;
        const char *label;
    } cases[] = {{2e-7, 200, "time [ns]"},   {2e-4, 200, "time [µs]"}, {0.1, 100, "time [ms]"},
                 {60, 60, "time [s]"},       {1800, 30, "time [min]"}, {43200, 12, "time [h]"},
                 {864000, 10, "time [days]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t = make_table(11);
        for (size_t r = 0; r < t->rows; r++)
            t->values[0][r] = (double)r / 10 * cases[i].end;
        hk_plot plot = plot_of(t, 1);
        hk_plot_layout layout;
        hk_plot_layout_init(&layout, arena, &plot);
        assert_string_equal(layout.panels[0].over_label, cases[i].label);
        assert_true(fabs(layout.panels[0].over_hi / cases[i].shown - 1) < 1e-9);
        hk_axis axis = hk_axis_make(layout.panels[0].over_lo, layout.panels[0].over_hi, 8, false);
        assert_int_equal(axis.scale, 0);
    }
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
    table *t = make_table(rows);
    hk_plot plot = {.curves = &t->curves[column], .curve_count = 1};
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, &plot);
    hk_axis x = hk_axis_make(layout.panels[0].over_lo, layout.panels[0].over_hi, 5, false);
    hk_axis y = hk_axis_make(layout.panels[0].lo, layout.panels[0].hi, 5, false);
    count c = {0};
    hk_plot_trace(&layout, &layout.signals[0], layout.signals[0].values,
                  &(hk_plot_frame){&x, &y, pixels, 100}, count_pen, &c);
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

static size_t svg_size(const hk_plot *plot, const hk_xml **ret_root) {
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(hk_picture_write(ctx, hk_plot_draw(plot, hk_canvas_create()), path), HK_OK);
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    assert_int_equal(hk_xml_parse(ctx, arena, path, data, size, ret_root), HK_OK);
    assert_null(strstr(data, "nan"));
    assert_null(strstr(data, "inf"));
    hk_free(data);
    return size;
}

/* No text overlaps another one, and none is cut off. */
static void assert_clear(const hk_plot *plot) {
    hk_canvas *canvas = hk_canvas_create();
    hk_picture picture = hk_plot_draw(plot, canvas);
    size_t written;
    const hk_text_box *texts = hk_canvas_texts(canvas, &written);
    assert_true(written > 0);
    for (size_t i = 0; i < written; i++) {
        if (!hk_box_inside(texts[i].box, (hk_box){0, 0, picture.width, picture.height}))
            fail_msg("'%s' is cut off", texts[i].words);
        for (size_t k = 0; k < i; k++)
            if (hk_box_overlap(texts[i].box, texts[k].box))
                fail_msg("'%s' overlaps '%s'", texts[i].words, texts[k].words);
    }
    hk_canvas_destroy(canvas);
}

static void test_svg(void **state) {
    (void)state;
    const hk_xml *root = NULL;
    hk_plot plot = plot_of(make_table(200000), 6);
    plot.title = "a < b & \"c\"";
    plot.width = 500;
    plot.panels = HK_PANELS_SPLIT;
    assert_true(svg_size(&plot, &root) < 200000);
    assert_string_equal(root->name, "svg");
    assert_string_equal(hk_xml_attr_get(root, "width"), "500");
    assert_string_equal(hk_xml_child(root, NULL, "title")->text, "a < b & \"c\"");
    size_t panels = 0;
    for (const hk_xml *g = hk_xml_child(root, NULL, "g"); g; g = hk_xml_next(g, NULL, "g"))
        panels++;
    assert_int_equal(panels, 2);
    assert_clear(&plot);
    plot = plot_of(make_table(100), 6);
    assert_true(svg_size(&plot, &root) < 60000);
    assert_clear(&plot);
}

static void test_svg_of_little(void **state) {
    (void)state;
    const hk_xml *root = NULL;
    hk_plot plot = plot_of(make_table(0), 6);
    svg_size(&plot, &root);
    plot.curve_count = 0;
    svg_size(&plot, &root);
    plot = plot_of(make_table(1), 6);
    plot.stepped = true;
    plot.width = plot.height = 1;
    svg_size(&plot, &root);
    assert_clear(&plot);
    table *t = make_table(4);
    for (size_t r = 0; r < 4; r++) {
        t->values[1][r] = r % 2 ? DBL_MAX : -DBL_MAX;
        t->values[2][r] = r % 2 ? INFINITY : NAN;
    }
    plot = plot_of(t, 2);
    svg_size(&plot, &root);
    assert_clear(&plot);
    for (size_t r = 0; r < 4; r++)
        t->values[1][r] =
            1e15 - 1.0 / 8 * (double)r; /* the widest labels in the narrowest picture */
    plot.width = 240;
    svg_size(&plot, &root);
    assert_clear(&plot);
    const char *nowhere = hk_path_join(arena, folder, "no/plot.svg");
    assert_int_equal(hk_picture_write(ctx, hk_plot_draw(&plot, hk_canvas_create()), nowhere),
                     HK_E_FILE_WRITE);
}

/* Long names, many signals and marks at all widths: everything keeps clear of everything. */
static void test_boxes(void **state) {
    (void)state;
    table *t = make_table(1000);
    const char *units[] = {"m", "m", "kg.m2/s3", "N", "m", NULL};
    for (size_t i = 1; i < COLUMNS; i++) {
        t->columns[i].unit = units[i - 1];
        t->columns[i].name = hk_arena_printf(
            arena, "a.rather.long.path.of.composites.that.ends.in.signal.number.%zu", i);
    }
    hk_plot_event events[30];
    for (size_t i = 0; i < 30; i++)
        events[i] = (hk_plot_event){(double)(i * i) / 1000, "set the valve to something else"};
    hk_plot_limit limits[4];
    for (size_t i = 0; i < 4; i++)
        limits[i] = (hk_plot_limit){.column = t->columns[1].name,
                                    .value = 1 + (double)i / 100,
                                    .upper = i % 2,
                                    .from = -INFINITY,
                                    .to = INFINITY,
                                    .outcome = HK_PLOT_BROKEN,
                                    .broken = 0.5};
    hk_plot_verdict verdicts[] = {{"always all of them are what they are", HK_PLOT_HOLDS, NAN},
                                  {"never any of them", HK_PLOT_BROKEN, 0.5}};
    for (unsigned width = 240; width < 1600; width += 170)
        for (hk_plot_panels panels = HK_PANELS_AUTO; panels <= HK_PANELS_CURVES; panels++) {
            hk_plot plot = plot_of(t, 6);
            plot.width = width;
            plot.panels = panels;
            plot.title = "A title that is much longer than the narrowest of these pictures is wide";
            plot.marks = (hk_plot_marks){events, limits, verdicts, 30, 4, 2};
            assert_clear(&plot);
            plot.over = plot.equal = true;
            assert_clear(&plot);
        }
}

/* The plot as text; no line is wider than WIDTH or ends with a space. Returns the lines. */
static size_t terminal_lines(const table *t, size_t n, hk_plot plot, char **ret_text) {
    char *data = NULL;
    size_t size = 0, lines = 0;
    FILE *out = open_memstream(&data, &size);
    assert_non_null(out);
    plot.curves = t->curves + 1;
    plot.curve_count = n;
    hk_plot_terminal(&plot, out);
    fclose(out);
    *ret_text = hk_arena_strndup(arena, data, size);
    for (char *line = strtok(data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        if (!plot.colour) {
            assert_true(hk_text_width(line) <= plot.width);
            assert_null(strchr(line, '\033'));
        }
        assert_int_not_equal(line[strlen(line) - 1], ' ');
    }
    free(data);
    return lines;
}

static void test_terminal(void **state) {
    (void)state;
    table *t = make_table(100000);
    char *text = NULL;
    for (unsigned width = 24; width < 140; width += 7) {
        terminal_lines(t, 6, (hk_plot){.width = width}, &text);
        terminal_lines(t, 6, (hk_plot){.width = width, .ascii = true}, &text);
    }
    hk_plot plot = {.width = 80, .height = 24, .title = "title"};
    t->columns[1].unit = "m";
    assert_true(terminal_lines(t, 1, plot, &text) <= 24);
    assert_non_null(strstr(text, "title"));
    assert_non_null(strstr(text, "a [m]"));
    assert_non_null(strstr(text, "time [s]"));
    assert_non_null(strstr(text, "-0.5┤"));
    plot.ascii = true;
    terminal_lines(t, 2, plot, &text);
    for (const char *c = text; *c; c++)
        assert_true((unsigned char)*c < 0x80);
    plot = (hk_plot){.width = 80, .colour = true};
    terminal_lines(t, 3, plot, &text);
    assert_non_null(strstr(text, "\033[34m"));
    assert_null(strstr(text, "\033[2J")); /* a name cannot command the terminal */
    terminal_lines(make_table(0), 3, plot, &text);
    terminal_lines(make_table(1), 3, plot, &text);
    t->columns[1].kind = HK_PLOT_BOOLEAN;
    terminal_lines(t, 1, (hk_plot){.width = 60}, &text);
    assert_non_null(strstr(text, "false┤"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ticks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_odd_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_offsets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_panels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kinds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_time_units, setup, teardown),
        cmocka_unit_test_setup_teardown(test_few_points_remain, setup, teardown),
        cmocka_unit_test_setup_teardown(test_svg, setup, teardown),
        cmocka_unit_test_setup_teardown(test_svg_of_little, setup, teardown),
        cmocka_unit_test_setup_teardown(test_boxes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_terminal, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
