/* SPDX-License-Identifier: MIT
 *
 * pack ARCHIVE FOLDER NAME...: packs files of a folder into a ZIP archive, in the order given. Used
 * while FMUs are built, since the same files must give the same archive on every machine, which
 * common packers do not: they write owners and times of access. */
#include "base/file.h"
#include "format/zip.h"

#include <stdio.h>

static void show(void *user, const hk_diag *diag) {
    (void)user;
    fprintf(stderr, "pack: %s: %s\n", diag->where.file ? diag->where.file : "error", diag->text);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: pack ARCHIVE FOLDER NAME...\n");
        return 2;
    }
    hk_arena *arena = hk_arena_create();
    hk_ctx *ctx = hk_ctx_create(show, NULL);
    size_t count = (size_t)argc - 3;
    hk_zip_item *items = HK_NEW_ARRAY(arena, hk_zip_item, count);
    for (size_t i = 0; i < count; i++)
        items[i] =
            (hk_zip_item){.name = argv[i + 3], .path = hk_path_join(arena, argv[2], argv[i + 3])};
    hk_status status = hk_zip_write(ctx, argv[1], items, count);
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
    return hk_status_exit(status);
}
