/* SPDX-License-Identifier: MIT
 *
 * From a canvas to a file. PNG and PDF are made of the SVG by rsvg-convert, a program of its own:
 * they show the same. */
#include "base/clock.h"
#include "base/command.h"
#include "base/file.h"
#include "draw/canvas.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATIENCE_S = 120 };

static const char CONVERTER[] = "rsvg-convert";
static const char ZOOM[] = "2"; /* of PNG: for screens and printers with fine dots */

typedef enum picture_kind { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_OTHER } picture_kind;

static picture_kind kind_of(const char *path) {
    static const char *const endings[] = {".svg", ".png", ".pdf"};
    for (int i = PICTURE_SVG; i < PICTURE_OTHER; i++)
        if (strcasecmp(hk_path_extension(path), endings[i]) == 0)
            return (picture_kind)i;
    return PICTURE_OTHER;
}

static hk_status say_missing(hk_ctx *ctx, const char *path) {
    return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "install the package librsvg2-bin (Debian: apt install librsvg2-bin), or name "
                    "it with the extension .svg",
                    "PNG and PDF need the program '%s', which is not there", CONVERTER);
}

hk_status hk_picture_check(hk_ctx *ctx, const char *path, const char *what) {
    picture_kind kind = kind_of(path);
    if (kind == PICTURE_OTHER)
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path},
                        "name it with the extension .svg, .png or .pdf",
                        "%s are written as SVG, PNG or PDF", what);
    if (kind == PICTURE_SVG)
        return HK_OK;
    hk_arena *arena = hk_arena_create();
    bool there = hk_command_find(arena, CONVERTER) != NULL;
    hk_arena_destroy(arena);
    return there ? HK_OK : say_missing(ctx, path);
}

/* The first line that the converter has said. */
static const char *complaint(hk_ctx *ctx, hk_arena *arena, const char *log) {
    char *data = NULL;
    size_t size;
    if (hk_file_read(ctx, log, 0, &data, &size) != HK_OK)
        return "";
    const char *line = hk_arena_strndup(arena, data, strcspn(data, "\n"));
    hk_free(data);
    return line;
}

/* In FOLDER, which is ours; what comes out of it is written by us, as every file. */
static hk_status convert(hk_ctx *ctx, hk_arena *arena, const char *folder, const hk_svg *svg,
                         const char *path) {
    const char *in = hk_path_join(arena, folder, "picture.svg");
    const char *out = hk_path_join(arena, folder, "picture.out");
    const char *log = hk_path_join(arena, folder, "log");
    bool png = kind_of(path) == PICTURE_PNG;
    char *data = NULL;
    size_t size;
    HK_TRY(hk_file_write(ctx, in, svg->data, svg->size));
    hk_command command = {.deadline_ns = hk_clock_ns() + PATIENCE_S * INT64_C(1000000000)};
    /* Without the time of now in it a PDF is the same each time. */
    const char *const words[] = {
        "env",    "SOURCE_DATE_EPOCH=0", CONVERTER,  "--format", png ? "png" : "pdf",
        "--zoom", png ? ZOOM : "1",      "--output", out,        in};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hk_command_add(&command, words[i]);
    int code = hk_command_run(&command, NULL, NULL, log);
    hk_command_finish(&command);
    if (code == HK_COMMAND_NONE)
        return say_missing(ctx, path);
    if (code == HK_COMMAND_LATE)
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                        "'%s' has not come to its end within %d s", CONVERTER, PATIENCE_S);
    if (code != 0)
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                        "'%s' has failed with the status %d: %s", CONVERTER, code,
                        complaint(ctx, arena, log));
    HK_TRY(hk_file_read(ctx, out, 0, &data, &size));
    hk_status status = hk_file_write(ctx, path, data, size);
    hk_free(data);
    return status;
}

static hk_status write_picture(hk_ctx *ctx, hk_picture look, const char *path) {
    bool plain = kind_of(path) == PICTURE_SVG || kind_of(path) == PICTURE_OTHER;
    look.light_only = look.light_only || !plain;
    hk_svg svg = hk_picture_svg(&look);
    hk_arena *arena = hk_arena_create();
    const char *folder = NULL;
    hk_status status = HK_OK;
    if (plain)
        status = hk_file_write(ctx, path, svg.data, svg.size);
    else
        status = hk_folder_temporary(ctx, arena, &folder);
    if (status == HK_OK && folder)
        status = convert(ctx, arena, folder, &svg, path);
    if (folder)
        hk_folder_remove(folder);
    hk_arena_destroy(arena);
    hk_free(svg.data);
    return status;
}

hk_status hk_picture_write(hk_ctx *ctx, hk_picture picture, const char *path) {
    hk_status status = picture.status;
    if (status == HK_OK)
        status = write_picture(ctx, picture, path);
    hk_canvas_destroy(picture.canvas);
    return status;
}
