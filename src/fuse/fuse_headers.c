/* SPDX-License-Identifier: MIT */
#include "fuse/fuse_headers.h"

#include "base/file.h"
#include "format/sha256.h"
#include "native/unit_headers.h"

#include <string.h>

extern const hk_embedded hk_embedded_fused[];

const hk_embedded *hk_fuse_header_at(size_t index, const char **ret_name) {
    const hk_embedded *file = hk_unit_headers();
    while (file->name && index) {
        file++;
        index--;
    }
    if (!file->name)
        for (file = hk_embedded_fused; file->name && index; file++)
            index--;
    if (!file->name)
        return NULL;
    *ret_name = strchr(file->name, '/') + 1; /* without the folder of the source tree */
    return file;
}

const hk_embedded *hk_fuse_header(const char *name) {
    const hk_embedded *file;
    const char *own;
    for (size_t i = 0; (file = hk_fuse_header_at(i, &own)); i++)
        if (strcmp(own, name) == 0)
            return file;
    return NULL;
}

hk_status hk_fuse_headers_write(hk_ctx *ctx, hk_arena *arena, const char *folder) {
    const hk_embedded *file;
    const char *name;
    for (size_t i = 0; (file = hk_fuse_header_at(i, &name)); i++) {
        const char *path = hk_path_join(arena, folder, name);
        HK_TRY(hk_folder_make(ctx, hk_path_folder(arena, path)));
        HK_TRY(hk_file_write(ctx, path, file->data, file->size));
    }
    return HK_OK;
}

const char *hk_fuse_headers_hash(hk_arena *arena) {
    const hk_embedded *file;
    const char *text = "", *name;
    for (size_t i = 0; (file = hk_fuse_header_at(i, &name)); i++) {
        char hex[65];
        hk_sha256_hex(file->data, file->size, hex);
        text = hk_arena_printf(arena, "%s%s %s\n", text, name, hex);
    }
    return text;
}
