/* SPDX-License-Identifier: MIT */
#include "base/files_beside.h"

#include "base/file.h"

#include <string.h>

const char *hk_beside_name(hk_arena *arena, const char *path) {
    const char *name = hk_path_name(path);
    int length = (int)(strlen(name) - strlen(hk_path_extension(name)));
    return hk_arena_printf(arena, "%.*s_files", length, name);
}

hk_status hk_beside_make(hk_ctx *ctx, hk_arena *arena, const char *path, const char **ret_folder) {
    const char *name = hk_beside_name(arena, path);
    *ret_folder = hk_path_join(arena, hk_path_folder(arena, path), name);
    if (hk_folder_exists(*ret_folder) || hk_file_exists(*ret_folder))
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path},
                        "remove it, or give the file another name",
                        "the files of the package would go into '%s', which is there already",
                        name);
    return hk_folder_make(ctx, *ret_folder);
}
