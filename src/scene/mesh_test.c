/* SPDX-License-Identifier: MIT
 *
 * Meshes: files made by hand, and what is wrong with them; each is also cut off at every eighth of
 * its length. */
#include "scene/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef hk_status reader(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                         hk_mesh **ret_mesh);

static hk_status read_gltf(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                           hk_mesh **ret_mesh) {
    return hk_gltf_parse(ctx, arena, text, NULL, ret_mesh);
}

static void check_whole(const hk_mesh *m) {
    assert_true(m->face_count > 0);
    assert_int_equal(m->firsts[m->face_count], m->corner_count);
    for (size_t i = 0; i < m->corner_count; i++)
        assert_true(m->corners[i] < m->point_count);
    for (size_t i = 0; i < m->point_count; i++)
        assert_true(isfinite(m->points[i].x) && isfinite(m->points[i].y) &&
                    isfinite(m->points[i].z));
}

/* FACES 0: it is refused with WORDS in its message. */
static void try_bytes(reader *read, const char *data, size_t size, size_t faces,
                      const char *words) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_mesh *mesh = NULL;
    hk_file_text text = {"f", data, size};
    hk_status status = read(ctx, arena, &text, &mesh);
    if (faces) {
        if (status != HK_OK)
            fail_msg("%s", hk_ctx_diag(ctx, 0)->text);
        check_whole(mesh);
        assert_int_equal(mesh->face_count, faces);
    } else {
        assert_int_not_equal(status, HK_OK);
        assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
        if (!strstr(hk_ctx_diag(ctx, 0)->text, words))
            fail_msg("'%s' is not in '%s'", words, hk_ctx_diag(ctx, 0)->text);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void try_text(reader *read, const char *text, size_t faces, const char *words) {
    try_bytes(read, text, strlen(text), faces, words);
}

/* Cut off anywhere it is refused with one message, or whole in itself. */
static void try_cuts(reader *read, const char *data, size_t size) {
    for (size_t i = 0; i < 8; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        hk_mesh *mesh = NULL;
        hk_file_text text = {"f", data, size * i / 8};
        hk_status status = read(ctx, arena, &text, &mesh);
        assert_int_equal(hk_ctx_count(ctx, HK_ERROR), status == HK_OK ? 0 : 1);
        if (status == HK_OK)
            check_whole(mesh);
        hk_arena_destroy(arena);
        hk_ctx_destroy(ctx);
    }
}

/* ---- OBJ ---- */

static const char square[] = "# a square and a line\nmtllib x.mtl\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\n"
                             "v 0 1 0 1.0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\nl -1 1 2\n";

static void reads_obj(void **state) {
    (void)state;
    try_text(hk_obj_parse, square, 3, NULL);
    try_cuts(hk_obj_parse, square, sizeof square - 1);
    try_text(hk_obj_parse, "v 0 0 0\nf 1 1 2\n", 0, "there is no point '2'");
    try_text(hk_obj_parse, "v 0 0 0\nf 1 1 0\n", 0, "there is no point '0'");
    try_text(hk_obj_parse, "v 0 0 0\nf 1 1 -2\n", 0, "there is no point '-2'");
    try_text(hk_obj_parse, "v 0 0 0\nf 1 1 4294967297\n", 0, "there is no point");
    try_text(hk_obj_parse, "v 0 nan 0\n", 0, "'nan' is not a number");
    try_text(hk_obj_parse, "v 0 1e999 0\n", 0, "is not a number");
    try_text(hk_obj_parse, "v 0 1\n", 0, "a point has three numbers");
    try_text(hk_obj_parse, "v 0 0 0\nf 1 1\n", 0, "a face has three corners at least");
    try_text(hk_obj_parse, "v 0 0 0\n", 0, "there is not a single face");
    try_text(hk_obj_parse, "curv 0 1 1 2\n", 0, "curves and surfaces");
    try_text(hk_obj_parse, "hello\n", 0, "'hello' does not begin a line");
    try_text(hk_obj_parse, "", 0, "there is not a single face");
}

/* ---- STL ---- */

static const char solid[] = "solid a b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n"
                            "   vertex 1 0 0\n   vertex 0 1e0 0\n  endloop\n endfacet\n"
                            "endsolid a b\n";

static void reads_stl(void **state) {
    (void)state;
    char binary[84 + 100] = "solid, but binary";
    const float one = 1;
    binary[80] = 2;
    for (size_t i = 0; i < 2; i++)
        memcpy(binary + 84 + 50 * i + 12, &one, sizeof one);
    try_text(hk_stl_parse, solid, 1, NULL);
    try_cuts(hk_stl_parse, solid, sizeof solid - 1);
    try_bytes(hk_stl_parse, binary, sizeof binary, 2, NULL);
    try_cuts(hk_stl_parse, binary, sizeof binary);
    binary[0] = 'x';
    try_bytes(hk_stl_parse, binary, sizeof binary, 2, NULL);
    try_bytes(hk_stl_parse, binary, sizeof binary - 1, 0, "says that it has 2 triangles");
    binary[83] = (char)0xff;
    try_bytes(hk_stl_parse, binary, sizeof binary, 0, "says that it has 4278190082 triangles");
    binary[83] = 0;
    memset(binary + 84 + 12, 0xff, 4);
    try_bytes(hk_stl_parse, binary, sizeof binary, 0, "triangle 1 has a corner that is not finite");
    try_text(hk_stl_parse, "solid\nendsolid\n", 0, "there is not a single triangle");
    try_text(hk_stl_parse, "solid\n facet normal 0 0 x\n", 0, "'x' is not a number");
    try_text(hk_stl_parse, "solid\n facet norml\n", 0, "expected 'normal', found 'norml'");
    try_text(hk_stl_parse, "solid\n facet normal 0 0", 0, "the file ends where a number");
    try_text(hk_stl_parse, "hello", 0, "neither STL in words");
}

/* ---- glTF ---- */

#define GLTF(rest) "{\"asset\":{\"version\":\"2.0\"}," rest "}"
/* Three points and three indices of one byte: 39 bytes. */
#define BUFFER(length)                                                                             \
    "\"buffers\":[{\"byteLength\":" length ",\"uri\":\"data:application/octet-stream;base64,"      \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC\"}],"
#define VIEWS                                                                                      \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"                                           \
    "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":3}],"
#define ACCESSORS(points, indices)                                                                 \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":" points                    \
    ",\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5121,\"count\":" indices              \
    ",\"type\":\"SCALAR\"}],"
#define MESH        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"
#define NODES(list) ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" list "]"

static const char triangle[] = GLTF(BUFFER("39") VIEWS ACCESSORS("3", "3") MESH);

static void reads_gltf(void **state) {
    (void)state;
    try_text(read_gltf, triangle, 1, NULL);
    try_cuts(read_gltf, triangle, sizeof triangle - 1);
    try_text(read_gltf, GLTF(BUFFER("40") VIEWS ACCESSORS("3", "3") MESH), 0,
             "says that it has 40 bytes, and has 39");
    try_text(read_gltf, GLTF(BUFFER("39") VIEWS ACCESSORS("4", "3") MESH), 0,
             "an accessor has 4 elements, and its bufferView room for 3");
    try_text(read_gltf, GLTF(BUFFER("39") VIEWS ACCESSORS("2", "3") MESH), 0,
             "index 2 is not that of a point");
    try_text(read_gltf, GLTF(MESH), 0, "'accessors' has no element 0");
    try_text(read_gltf,
             GLTF(BUFFER("39") VIEWS ACCESSORS("3", "3") MESH NODES("{\"children\":[0]}")), 0,
             "a node has two parents");
    try_text(read_gltf, GLTF(BUFFER("39") VIEWS ACCESSORS("3", "3") MESH NODES("{\"mesh\":1}")), 0,
             "'meshes' has no element 1");
    try_text(read_gltf, "{\"asset\":{\"version\":\"1.0\"}}", 0, "this is not glTF 2.0");
    try_text(read_gltf, GLTF("\"extensionsRequired\":[\"KHR_draco\"]"), 0, "KHR_draco");
    try_text(read_gltf, GLTF("\"buffers\":[{\"uri\":\"../x\"}]," VIEWS ACCESSORS("3", "3") MESH), 0,
             "a file beside it is not opened here");
    try_text(read_gltf, "[", 0, "");
    try_bytes(read_gltf, "glTF\2\0\0\0\24\0\0\0\0\0\0\0JSON", 20, 0, "");
    try_bytes(read_gltf, "glTF\2\0\0\0\25\0\0\0\0\0\0\0JSON", 20, 0, "says that it has 21 bytes");
    try_bytes(read_gltf, "glTF\1\0\0\0\24\0\0\0\0\0\0\0JSON", 20, 0, "of version 1");
}

static void moves_nodes(void **state) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_mesh *mesh = NULL;
    static const char text[] = GLTF(BUFFER("39") VIEWS ACCESSORS("3", "3") MESH NODES(
        "{\"translation\":[10,0,0],\"children\":[1]},"
        "{\"mesh\":0,\"scale\":[2,2,2],\"rotation\":[0,0,0.7071067811865476,0.7071067811865476]}"));
    (void)state;
    hk_file_text file = {"f", text, sizeof text - 1};
    assert_int_equal(hk_gltf_parse(ctx, arena, &file, NULL, &mesh), HK_OK);
    /* (1, 0, 0), twice as large, turned to (0, 2, 0), moved */
    assert_true(fabs(mesh->points[1].x - 10) < 1e-12 && fabs(mesh->points[1].y - 2) < 1e-12);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

/* ---- shapes ---- */

/* The volume that faces enclose: they are all outwards. */
static double volume(const hk_mesh *m) {
    double sum = 0;
    for (size_t i = 0; i < m->face_count; i++)
        for (size_t k = m->firsts[i] + 1; k + 1 < m->firsts[i + 1]; k++)
            sum += hk_geo_dot(m->points[m->corners[m->firsts[i]]],
                              hk_geo_cross(m->points[m->corners[k]], m->points[m->corners[k + 1]]));
    return sum / 6;
}

static void makes_shapes(void **state) {
    hk_arena *arena = hk_arena_create();
    double part = 24 * sin(2 * HK_GEO_PI / 24) / 2; /* of 24 corners in place of a circle */
    (void)state;
    assert_true(fabs(volume(hk_mesh_box(arena, hk_geo_vector(2, 3, 4))) - 24) < 1e-12);
    assert_true(fabs(volume(hk_mesh_cylinder(arena, 1, 1, 2)) - 2 * part) < 1e-12);
    assert_true(fabs(volume(hk_mesh_cylinder(arena, 1, 0, 3)) - part) < 1e-12);
    assert_true(fabs(volume(hk_mesh_cylinder(arena, 0, 1, 3)) - part) < 1e-12);
    double ball = volume(hk_mesh_sphere(arena, 1)), exact = 4 * HK_GEO_PI / 3;
    assert_true(ball < exact && ball > 0.95 * exact);
    assert_int_equal(hk_mesh_plane(arena, 1, 1, 5)->face_count, 25);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_obj), cmocka_unit_test(reads_stl),
                                       cmocka_unit_test(reads_gltf), cmocka_unit_test(moves_nodes),
                                       cmocka_unit_test(makes_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
