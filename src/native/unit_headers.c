/* SPDX-License-Identifier: MIT */
#include "native/unit_headers.h"

#include "base/file.h"

#include <string.h>

extern const hk_embedded hk_embedded_unit_headers[];

const hk_embedded *hk_unit_headers(void) {
    return hk_embedded_unit_headers;
}

hk_status hk_unit_headers_write(hk_ctx *ctx, hk_arena *arena, const char *folder) {
    HK_TRY(hk_folder_make(ctx, hk_path_join(arena, folder, "hk")));
    for (const hk_embedded *file = hk_embedded_unit_headers; file->name; file++) {
        const char *path = hk_path_join(arena, folder, file->name + strlen("include/"));
        HK_TRY(hk_file_write(ctx, path, file->data, file->size));
    }
    return HK_OK;
}
