/* SPDX-License-Identifier: MIT
 *
 * Cameras against closed forms, and cutting at the edges of the picture. */
#include "draw/draw_scene.h"
#include "draw/scene_camera.h"

#include "dice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_spot(hk_spot s, double x, double y, double depth) {
    if (!(fabs(s.x - x) < 1e-9 && fabs(s.y - y) < 1e-9 && fabs(s.depth - depth) < 1e-9))
        fail_msg("%g %g %g is not %g %g %g", s.x, s.y, s.depth, x, y, depth);
}

static void projects_flat(void **state) {
    hk_camera c = {.box = {100, 50, 400, 300}, .zoom = 10};
    (void)state;
    hk_camera_face(&c, HK_VIEW_TOP);
    assert_spot(hk_camera_project(&c, hk_geo_vector(3, 4, 5)), 300 + 30, 200 - 40, -5);
    hk_camera_face(&c, HK_VIEW_FRONT); /* east is right, up is up */
    assert_spot(hk_camera_project(&c, hk_geo_vector(3, 4, 5)), 300 + 30, 200 - 50, 4);
    hk_camera_face(&c, HK_VIEW_SIDE); /* seen from the east, north is right */
    assert_spot(hk_camera_project(&c, hk_geo_vector(3, 4, 5)), 300 + 40, 200 - 50, -3);
}

static void projects_deep(void **state) {
    hk_camera c = {.perspective = true, .box = {0, 0, 200, 100}, .zoom = 100};
    (void)state;
    c.eye = hk_geo_vector(0, -10, 0);
    hk_camera_turn(&c, hk_geo_vector(0, 1, 0));
    /* What is 10 m away is a tenth as large as at 1 m. */
    assert_spot(hk_camera_project(&c, hk_geo_vector(2, 0, 1)), 100 + 20, 50 - 10, 10);
    assert_spot(hk_camera_project(&c, hk_geo_vector(2, 10, 1)), 100 + 10, 50 - 5, 20);
    /* Seen at 45 degrees from above, a step up and a step away look alike. */
    c.eye = hk_geo_vector(0, -10, 10);
    hk_camera_turn(&c, hk_geo_vector(0, 1, -1));
    hk_spot up = hk_camera_project(&c, hk_geo_vector(0, 0, 1));
    hk_spot away = hk_camera_project(&c, hk_geo_vector(0, 1, 0));
    double half = sqrt(0.5), far = 10 / half;
    assert_spot(up, 100, 50 - 100 * half / (far - half), far - half);
    assert_spot(away, 100, 50 - 100 * half / (far + half), far + half);
}

static double between(dice *d, double low, double high) {
    return low + (high - low) * roll(d, 10000) / 10000;
}

/* All places are in the box, and some touch what is left free of it. */
static void sees_everything(void **state) {
    dice d = {hk_stream_make(7, 0, "camera", "places"), 0};
    (void)state;
    for (int round = 0; round < 200; round++) {
        hk_geo_vector3 places[20];
        hk_camera c = {.box = {10, 20, 300, 200}};
        double most = 0;
        for (size_t i = 0; i < 20; i++)
            places[i] =
                hk_geo_vector(between(&d, -50, 90), between(&d, -3, 400), between(&d, -20, 20));
        hk_camera_face(&c, (hk_scene_view)(round % HK_VIEWS));
        hk_camera_fit(&c, places, 20, 0.7);
        for (size_t i = 0; i < 20; i++) {
            hk_spot s = hk_camera_project(&c, places[i]);
            double x = fabs(s.x - 160) / 150, y = fabs(s.y - 120) / 100;
            assert_true(x < 0.94 + 1e-9 && y < 0.94 + 1e-9);
            most = fmax(most, fmax(x, y));
        }
        assert_true(most > 0.94 - 1e-9);
    }
}

static double area(const hk_spot *s, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const hk_spot *a = &s[i], *b = &s[(i + 1) % count];
        sum += a->x * b->y - b->x * a->y;
    }
    return fabs(sum) / 2;
}

static void cuts_at_edges(void **state) {
    static const hk_spot triangle[] = {{-10, 0, 0}, {10, 0, 0}, {0, 10, 0}};
    hk_spot result[18], spare[18], a = {-5, 5, 0}, b = {15, 5, 0}, c = {-1, 0, 0}, e = {-1, 9, 0};
    hk_box box = {0, 0, 10, 10};
    (void)state;
    size_t count = hk_clip_polygon(box, triangle, 3, result, spare);
    assert_true(fabs(area(result, count) - 50) < 1e-12); /* the right half of it */
    assert_true(hk_clip_line(box, &a, &b));
    assert_spot(a, 0, 5, 0);
    assert_spot(b, 10, 5, 0);
    assert_false(hk_clip_line(box, &c, &e));
    hk_geo_vector3 seen[] = {{0, 0, -1}, {0, 0, 1}, {1, 0, 1}}, ahead[6];
    count = hk_camera_clip_near(seen, 3, ahead);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_true(ahead[i].z >= HK_CAMERA_NEAR);
    assert_int_equal(hk_camera_clip_near(seen, 2, ahead), 2);
}

/* No two texts overlap, in whatever crowd of labels; what finds no room is told. */
static void keeps_labels_apart(void **state) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const char *text = "scene crowd { frame ned;";
    (void)state;
    for (int i = 0; i < 60; i++)
        text = hk_arena_printf(arena,
                               "%s sphere s%d { at (%d, %d, 0); radius 1; } label l%d { of s%d; "
                               "text \"thing %d\"; }",
                               text, i, i % 8, i / 8, i, i, i);
    text = hk_arena_printf(arena, "%s }", text);
    hk_scene *scene;
    hk_file_text file = {"f.scene", text, strlen(text)};
    assert_int_equal(hk_scene_read_text(ctx, arena, &file, NULL, &scene), HK_OK);
    for (hk_scene_view view = HK_VIEW_PERSPECTIVE; view < HK_VIEWS; view++) {
        const size_t rows[4] = {0, 0, 0, 0};
        hk_scene_picture wish = {.rows = rows,
                                 .row_count = view == HK_VIEW_TOP ? 4 : 1,
                                 .camera = HK_SCENE_NOBODY,
                                 .view = view,
                                 .width = 400};
        hk_canvas *canvas = hk_canvas_create();
        hk_picture picture = hk_scene_draw(ctx, scene, &wish, canvas);
        size_t count;
        const hk_text_box *texts = hk_canvas_texts(canvas, &count);
        assert_true(count > 4);
        for (size_t i = 0; i < count; i++) {
            assert_true(hk_box_inside(texts[i].box, (hk_box){0, 0, picture.width, picture.height}));
            for (size_t k = i + 1; k < count; k++)
                if (hk_box_overlap(texts[i].box, texts[k].box))
                    fail_msg("'%s' overlaps '%s'", texts[i].words, texts[k].words);
        }
        hk_canvas_destroy(canvas);
    }
    assert_true(hk_ctx_count(ctx, HK_NOTE) > 0);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

/* Far away, thin, huge and mirrored things are drawn or told of, and nothing fails. */
static void survives_extremes(void **state) {
    static const char text[] =
        "scene x { box a { size (1e300, 1, 1); scale 1e10; } sphere b { radius 1e-30; at (1e11, 0, "
        "0); } box c { size (0, 0, 0); scale (-1, 1, 1); } water w { size (1e6, 1e6); } cylinder d "
        "{ radius 0; length 1; } arrow e { vector (1e300, 1e300, 0); scale 1e10; } camera near { "
        "view perspective; at (0, 0, 0.1); look (1, 0, 0.1); } camera same { view perspective; at "
        "(1, 1, 1); look (1, 1, 1); } camera none { view top; width 0; look (0, 0, 0); } }";
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_scene *scene;
    hk_file_text file = {"f.scene", text, sizeof text - 1};
    const size_t rows[1] = {0};
    (void)state;
    assert_int_equal(hk_scene_read_text(ctx, arena, &file, NULL, &scene), HK_OK);
    for (size_t i = 0; i < scene->count; i++) {
        bool camera = scene->things[i].kind == HK_SCENE_CAMERA;
        hk_scene_picture wish = {.rows = rows,
                                 .row_count = 1,
                                 .camera = camera ? i : HK_SCENE_NOBODY,
                                 .view = (hk_scene_view)(i % HK_VIEWS)};
        hk_canvas *canvas = hk_canvas_create();
        hk_picture picture = hk_scene_draw(ctx, scene, &wish, canvas);
        hk_svg svg = hk_picture_svg(&picture);
        assert_true(svg.size > 0);
        hk_free(svg.data);
        hk_canvas_destroy(canvas);
    }
    assert_true(hk_ctx_count(ctx, HK_NOTE) > 0);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projects_flat),      cmocka_unit_test(projects_deep),
        cmocka_unit_test(sees_everything),    cmocka_unit_test(cuts_at_edges),
        cmocka_unit_test(keeps_labels_apart), cmocka_unit_test(survives_extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
