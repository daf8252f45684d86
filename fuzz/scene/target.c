/* SPDX-License-Identifier: MIT
 *
 * Scenes: language.h says what is promised. One that means something is looked at without a record
 * and drawn. */
#include "language.h"

#include "draw/draw_scene.h"
#include "same_scene.h"

static hk_status parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, void **ret_tree) {
    hk_scenefile *tree;
    hk_status status = hk_scene_parse(ctx, arena, file, data, size, &tree);
    *ret_tree = tree;
    return status;
}

static const char *print(hk_arena *arena, const void *tree) {
    return hk_scene_print(arena, tree);
}

static bool same(const void *a, const void *b) {
    return same_scene(a, b);
}

/* Files are not opened, so that what needs one has no shape. */
static bool has_files(const hk_scene *scene) {
    for (size_t i = 0; i < scene->count; i++)
        if (scene->things[i].file)
            return true;
    return false;
}

static void draw(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_scene *scene;
    hk_file_text text = {"fuzz.scene", (const char *)data, size};
    hk_status status = hk_scene_read_text(ctx, arena, &text, NULL, &scene);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK && !has_files(scene) && scene->count < 40) {
        const size_t rows[1] = {0};
        hk_scene_picture wish = {.rows = rows,
                                 .row_count = 1,
                                 .camera = HK_SCENE_NOBODY,
                                 .view = (hk_scene_view)(size % HK_VIEWS)};
        for (size_t i = 0; i < scene->count; i++)
            if (scene->things[i].kind == HK_SCENE_CAMERA)
                wish.camera = i;
        hk_canvas *canvas = hk_canvas_create();
        hk_picture picture = hk_scene_draw(ctx, scene, &wish, canvas);
        hk_svg svg = hk_picture_svg(&picture);
        HK_ASSERT(svg.size > 0);
        hk_free(svg.data);
        hk_canvas_destroy(canvas);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const fuzz_language language = {"fuzz.scene", "again.scene", parse, print, same};
    fuzz_try_language(&language, data, size);
    draw(data, size);
    return 0;
}
