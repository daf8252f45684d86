/* SPDX-License-Identifier: MIT */
#include "draw/canvas.h"

#include "base/file.h"
#include "format/xml.h"

#include <string.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static const hk_font PLAIN = {12, false}, BOLD = {12, true};

static void test_widths(void **state) {
    (void)state;
    assert_true(hk_text_pixels(PLAIN, "") == 0);
    assert_true(hk_text_pixels(PLAIN, "i") < hk_text_pixels(PLAIN, "m"));
    assert_true(hk_text_pixels(PLAIN, "abc") < hk_text_pixels(BOLD, "abc"));
    /* "travel" in DejaVu Sans at 12 pixels: 392 + 411 + 613 + 592 + 615 + 278 thousandths. */
    double exact = 2.901 * 12;
    assert_true(hk_text_pixels(PLAIN, "travel") >= exact);
    assert_true(hk_text_pixels(PLAIN, "travel") < 1.05 * exact);
    /* Control characters and bytes that are not UTF-8 become a question mark. */
    assert_true(hk_text_pixels(PLAIN, "\x1b\xff") == hk_text_pixels(PLAIN, "??"));
    assert_true(hk_text_pixels(PLAIN, "e\u0301") == hk_text_pixels(PLAIN, "e"));
}

static void test_shortened_in_the_middle(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    const char *name = "vehicle.chassis.front.left.wheel.travel";
    assert_ptr_equal(hk_text_shorten(arena, PLAIN, name, 1000), name);
    for (double room = 0; room < 300; room += 3) {
        const char *cut = hk_text_shorten(arena, PLAIN, name, room);
        assert_true(hk_text_pixels(PLAIN, cut) <= room);
        if (room < 100 || cut == name)
            continue;
        const char *dots = strstr(cut, "\u2026");
        assert_non_null(dots);
        assert_memory_equal(cut, "vehic", 5);
        assert_string_equal(cut + strlen(cut) - 4, "avel");
    }
    assert_string_equal(hk_text_shorten(arena, PLAIN, name, 3), "");
    const char *greek = "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8";
    for (double room = 20; room < 100; room += 5) /* never between the bytes of a character */
        for (const char *c = hk_text_shorten(arena, PLAIN, greek, room); *c; c += hk_text_char(c))
            assert_true(hk_text_char(c) > 0);
    hk_arena_destroy(arena);
}

static void test_boxes(void **state) {
    (void)state;
    hk_canvas *canvas = hk_canvas_create();
    hk_label label = {.x = 100, .y = 50, .anchor = HK_ANCHOR_END, .words = "travel"};
    double width = hk_text_pixels(PLAIN, "travel");
    hk_box box = hk_label_box(&label);
    assert_true(box.x == 100 - width && box.w == width && box.y < 50 && box.y + box.h > 50);
    assert_true(hk_canvas_is_free(canvas, box));
    hk_canvas_text(canvas, &label);
    assert_false(hk_canvas_is_free(canvas, box));
    label.upright = true;
    label.anchor = HK_ANCHOR_MIDDLE;
    box = hk_label_box(&label);
    assert_true(box.h == width && box.y == 50 - width / 2 && box.x < 100);
    hk_box a = {0, 0, 10, 10}, beside = {10, 0, 5, 5}, in = {1, 1, 3, 3};
    assert_false(hk_box_overlap(a, beside));
    assert_true(hk_box_overlap(a, in) && hk_box_inside(in, a) && !hk_box_inside(beside, a));
    size_t count;
    assert_string_equal(hk_canvas_texts(canvas, &count)[0].words, "travel");
    assert_int_equal(count, 1);
    hk_canvas_destroy(canvas);
}

static bool holds(const hk_svg *svg, const char *words) {
    size_t length = strlen(words);
    for (size_t i = 0; i + length <= svg->size; i++)
        if (memcmp(svg->data + i, words, length) == 0)
            return true;
    return false;
}

static void test_svg(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_canvas *canvas = hk_canvas_create();
    hk_canvas_group(canvas);
    hk_canvas_rect(canvas, (hk_box){1, 2, 30, 40.25}, 3, "b", "a <tip>");
    hk_canvas_path(canvas, "s", NULL);
    hk_canvas_move(canvas, 0, 0);
    hk_canvas_to(canvas, 5, 0);
    hk_canvas_to(canvas, 5, 7.5);
    hk_canvas_to(canvas, 5, 7.5);
    hk_canvas_curve(canvas, (const double[]){1, 2, 3, 4}, 5, 6);
    hk_canvas_close(canvas);
    hk_canvas_move(canvas, 9, 9);
    hk_canvas_text(canvas, &(hk_label){.x = 1,
                                       .y = 2,
                                       .upright = true,
                                       .words = "x \u2026 <y>",
                                       .whole = "x & y\nz",
                                       .look = "bad"});
    hk_canvas_group_end(canvas);
    hk_picture picture = {.canvas = canvas, .width = 99.5, .height = 50, .title = "t"};
    hk_svg svg = hk_picture_svg(&picture);
    const hk_xml *root;
    assert_int_equal(hk_xml_parse(ctx, arena, "t.svg", svg.data, svg.size, &root), HK_OK);
    assert_string_equal(hk_xml_attr_get(root, "width"), "100");
    const hk_xml *g = hk_xml_child(root, NULL, "g");
    const hk_xml *path = hk_xml_child(g, NULL, "path");
    assert_string_equal(hk_xml_attr_get(path, "d"), "M0 0H5V7.5C1 2 3 4 5 6zM9 9h0");
    const hk_xml *text = hk_xml_child(g, NULL, "text");
    assert_string_equal(hk_xml_attr_get(text, "transform"), "rotate(-90 1 2)");
    assert_string_equal(hk_xml_child(text, NULL, "title")->text, "x & y\nz");
    assert_true(holds(&svg, "prefers-color-scheme"));
    hk_free(svg.data);
    picture.light_only = true;
    svg = hk_picture_svg(&picture);
    assert_false(holds(&svg, "prefers-color-scheme"));
    hk_free(svg.data);
    hk_canvas_destroy(canvas);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_shortened_in_the_middle),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_svg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
