/* SPDX-License-Identifier: MIT
 *
 * What scenes mean: units, places in places, rows of a record; and what is wrong with them. */
#include "scene/scene.h"

#include "format/csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static hk_ctx *ctx;
static hk_arena *arena;

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}

static hk_scene *read_scene(const char *text) {
    hk_scene *scene = NULL;
    hk_file_text file = {"f.scene", text, strlen(text)};
    if (hk_scene_read_text(ctx, arena, &file, NULL, &scene) != HK_OK)
        fail_msg("%s", hk_ctx_diag(ctx, 0)->text);
    return scene;
}

static void bind(hk_scene *scene, const char *csv) {
    const hk_table *table;
    assert_int_equal(hk_csv_parse(ctx, arena, "r.csv", csv, strlen(csv), &table), HK_OK);
    if (hk_scene_bind(ctx, arena, scene, table, "r.csv") != HK_OK)
        fail_msg("%s", hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
}

static void assert_at(const hk_scene_shot *shot, const char *name, double x, double y, double z) {
    const hk_scene_placed *p = &shot->things[hk_scene_find(shot->scene, name)];
    assert_true(p->there);
    if (!(fabs(p->at.x - x) < 1e-12 && fabs(p->at.y - y) < 1e-12 && fabs(p->at.z - z) < 1e-12))
        fail_msg("'%s' is at %g %g %g", name, p->at.x, p->at.y, p->at.z);
}

static void knows_units(void **state) {
    (void)state;
    hk_scene *s = read_scene("scene s { box b { at (1km, 2cm, 1/4); size (1, 2, 3); attitude yaw "
                             "90deg; } camera c { view top; angle 30deg; width 1 \"km\"; } }");
    const hk_scene_number *n = s->things[0].numbers;
    assert_true(n[HK_SCENE_N_AT].offset == 1000 && n[HK_SCENE_N_AT + 1].offset == 0.02);
    assert_true(n[HK_SCENE_N_AT + 2].offset == 0.25);
    assert_true(fabs(n[HK_SCENE_N_TURN + 2].offset - HK_GEO_PI / 2) < 1e-15);
    assert_true(s->things[1].numbers[HK_SCENE_N_WIDTH].offset == 1000);
}

static void places_things_in_groups(void **state) {
    (void)state;
    hk_scene *s = read_scene("scene s { frame ned; group g { at (10, 0, 0); attitude yaw 90deg; "
                             "scale 2; group h { at (1, 0, 0); attitude yaw 90deg; sphere b { at "
                             "(1, 0, 0); radius 1; } } } label l { of b; at (0, 0, 5); text "
                             "\"x\"; } arrow a { vector (1, 0, 0); of h; } }");
    const hk_scene_shot *shot = hk_scene_take(arena, s, 0);
    assert_at(shot, "g", 10, 0, 0);
    assert_at(shot, "h", 10, 2, 0);
    assert_at(shot, "b", 8, 2, 0);
    assert_at(shot, "l", 8, 2, 5);
    assert_at(shot, "a", 10, 2, 0);
}

static void turns_by_quaternions_and_directions(void **state) {
    (void)state;
    hk_scene *s = read_scene(
        "scene s { group q { attitude quaternion (2, 0, 0, 2); sphere a { at (1, 0, 0); radius 1; "
        "} } group d { attitude direction (0, 0, -3); sphere b { at (1, 0, 0); radius 1; } } "
        "group e { attitude euler (0, 0, 180deg); sphere c { at (1, 0, 0); radius 1; } } }");
    const hk_scene_shot *shot = hk_scene_take(arena, s, 0);
    assert_at(shot, "a", 0, 1, 0);
    assert_at(shot, "b", 0, 0, -1);
    assert_at(shot, "c", -1, 0, 0);
}

static void follows_a_record(void **state) {
    (void)state;
    hk_scene *s = read_scene("scene s { box b { at signal \"p\"; size (1, 1, 1); attitude yaw "
                             "signal h in \"deg\"; opacity signal o scale 0.5 offset 0.25; } "
                             "label l { of b; text \"depth\"; value signal \"p.z\" in \"m\"; } }");
    size_t row;
    bind(s, "time,p.x,p.y,p.z,h,o\n0,1,2,3,0,1\n1,4,5,6.78901,90,0\n2,nan,0,0,0,0\n");
    assert_at(hk_scene_take(arena, s, 0), "b", 1, 2, 3);
    const hk_scene_shot *shot = hk_scene_take(arena, s, 1);
    assert_at(shot, "b", 4, 5, 6.78901);
    assert_true(fabs(shot->things[0].turn.m[1][0] - 1) < 1e-15);
    assert_true(shot->things[0].numbers[HK_SCENE_N_OPACITY] == 0.25);
    assert_string_equal(hk_scene_words(arena, s, &shot->things[1], 1), "depth 6.789 m");
    assert_int_equal(hk_scene_find_row(ctx, s, "--at", 1.5, &row), HK_OK);
    assert_int_equal(row, 1);
    assert_int_equal(hk_scene_find_row(ctx, s, "--at", 2 + 1e-12, &row), HK_OK);
    assert_int_equal(row, 2);
    assert_int_equal(hk_scene_find_row(ctx, s, "--at", -0.1, &row), HK_E_USAGE);
    assert_int_equal(hk_scene_find_row(ctx, s, "--at", 2.1, &row), HK_E_USAGE);
    bool noted[2] = {false, false};
    shot = hk_scene_take(arena, s, 2);
    assert_false(shot->things[0].there || shot->things[1].there);
    size_t before = hk_ctx_count(ctx, HK_NOTE);
    hk_scene_note_missing(ctx, arena, shot, noted);
    hk_scene_note_missing(ctx, arena, shot, noted);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), before + 1);
    assert_string_equal(hk_ctx_diag(ctx, before)->text,
                        "'b' is left out at 2 s: 'p.x' is not a finite number");
    const hk_geo_vector3 *way = hk_scene_way(arena, s, 0, 0, 2);
    assert_true(way[1].x == 4 && isnan(way[2].x));
}

static void takes_vectors_by_the_frame(void **state) {
    (void)state;
    hk_scene *s = read_scene("scene s { frame ned; sphere b { at signal p; radius 1; } sphere c { "
                             "at signal q; radius 1; } }");
    bind(s, "time,p.up,p.east,p.north,p.down,q[1],q[2],q[3]\n0,9,2,1,3,4,5,6\n");
    const hk_scene_shot *shot = hk_scene_take(arena, s, 0);
    assert_at(shot, "b", 1, 2, 3);
    assert_at(shot, "c", 4, 5, 6);
    hk_geo_vector3 up = hk_scene_upright(s, hk_geo_vector(1, 2, 3));
    assert_true(up.x == 2 && up.y == 1 && up.z == -3);
}

static void tells_what_is_wrong(void **state) {
    static const struct {
        const char *things, *words;
    } wrong[] = {
        {"box b { }", "the box 'b' needs 'size'"},
        {"box b { size (1, 2); }", "'size' has 3 numbers here, and not 2"},
        {"box b { size 1; }", "'size' has 3 numbers, in brackets"},
        {"sphere b { radius 1; size (1, 1, 1); }", "a sphere has no 'size'"},
        {"sphere b { radius 1; radius 2; }", "'radius' is given twice"},
        {"sphere b { radius 1s; }", "'1s' is not in m"},
        {"sphere b { radius 1furlong; }", "'furlong' is not a unit"},
        {"sphere b { radius 1; attitude yaw 90; }", "the angle '90' has no unit"},
        {"sphere b { radius 1; opacity 1m; }", "'1m' is not in plain numbers"},
        {"sphere b { radius 1e999; }", "is not a number that can be used"},
        {"sphere b { radius 1; colour redd; }", "'redd' is not a colour"},
        {"sphere b { radius 1; colour \"#12345\"; }", "'#12345' is not a colour"},
        {"sphere b { radius 1; } box b { size (1, 1, 1); }", "two things are called 'b'"},
        {"sphere b { radius 1; box c { size (1, 1, 1); } }", "a sphere has no things in it"},
        {"trail t { of b; }", "there is no thing called 'b'"},
        {"trail t { of u; } trail u { of t; }", "a trail has no place that 't' could be of"},
        {"label l { }", "the label 'l' needs 'value' or 'text'"},
        {"group g { camera c { view top; } }", "a camera is not in a group"},
        {"mesh m { file \"../x.obj\"; }", "is not a file in the folder of the scene or below"},
        {"mesh m { file \"/etc/x.obj\"; }", "is not a file in the folder of the scene or below"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hk_ctx *own = hk_ctx_create(NULL, NULL);
        hk_scene *scene;
        const char *text = hk_arena_printf(arena, "scene s { %s }", wrong[i].things);
        hk_file_text file = {"f.scene", text, strlen(text)};
        assert_int_not_equal(hk_scene_read_text(own, arena, &file, NULL, &scene), HK_OK);
        assert_true(hk_ctx_diag(own, 0)->where.line == 1 && hk_ctx_diag(own, 0)->where.column > 0);
        if (!strstr(hk_ctx_diag(own, 0)->text, wrong[i].words))
            fail_msg("%s: %s", wrong[i].things, hk_ctx_diag(own, 0)->text);
        hk_ctx_destroy(own);
    }
}

static void tells_what_the_record_lacks(void **state) {
    hk_scene *s = read_scene("scene s { sphere b { at signal \"q\"; radius signal r; } }");
    const hk_table *table;
    static const char csv[] = "time,p.x,R\n0,1,2\n";
    (void)state;
    assert_int_equal(hk_csv_parse(ctx, arena, "r.csv", csv, sizeof csv - 1, &table), HK_OK);
    assert_int_equal(hk_scene_bind(ctx, arena, s, table, "r.csv"), HK_E_UNKNOWN_SIGNAL);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 2);
    assert_string_equal(hk_ctx_diag(ctx, 0)->text,
                        "there is no vector 'q' (.x .y .z or [1] [2] [3] ...) in r.csv");
    assert_string_equal(hk_ctx_diag(ctx, 1)->text, "there is no signal 'r' in r.csv");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(knows_units),
                                       TEST(places_things_in_groups),
                                       TEST(turns_by_quaternions_and_directions),
                                       TEST(follows_a_record),
                                       TEST(takes_vectors_by_the_frame),
                                       TEST(tells_what_is_wrong),
                                       TEST(tells_what_the_record_lacks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
