/* SPDX-License-Identifier: MIT */
#include "base/files_beside.h"

#include "base/file.h"

#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 30)

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

hk_status hk_copies_begin(hk_ctx *ctx, hk_arena *arena, const char *path, hk_copies *ret_copies) {
    const char *folder = hk_path_folder(arena, path);
    *ret_copies = (hk_copies){.ctx = ctx,
                              .arena = arena,
                              .path = path,
                              .folder = hk_path_real(arena, folder),
                              .copies = hk_beside_name(arena, path)};
    if (hk_folder_exists(folder) && ret_copies->folder)
        return HK_OK;
    return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, "make it first",
                    "the folder '%s' does not exist", folder);
}

const char *hk_copies_file(hk_copies *b, const char *path) {
    if (!hk_path_is_temporary(path))
        return hk_path_way(b->arena, b->folder, path);
    const char *name = hk_path_name(path);
    uint32_t index = hk_map_put(&b->copied, name, (uint32_t)b->source_count);
    for (int number = 2; index < b->source_count && strcmp(b->sources[index], path) != 0;
         number++) {
        name = hk_arena_printf(b->arena, "%d_%s", number, hk_path_name(path));
        index = hk_map_put(&b->copied, name, (uint32_t)b->source_count);
    }
    if (index == b->source_count)
        HK_PUSH(b->sources, b->source_count, b->source_cap, path);
    return hk_arena_printf(b->arena, "%s/%s", b->copies, name);
}

static hk_status copy(hk_copies *b, const char *path, const char *to) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(b->ctx, path, FILE_BYTES_MAX, &data, &size));
    hk_status status = hk_file_write(b->ctx, to, data, size);
    hk_free(data);
    return status;
}

static hk_status copy_all(hk_copies *b, const char *folder) {
    for (size_t i = 0; i < b->source_count; i++) {
        const char *name = hk_path_name(b->sources[i]);
        for (int number = 2; hk_map_get(&b->copied, name) != i; number++)
            name = hk_arena_printf(b->arena, "%d_%s", number, hk_path_name(b->sources[i]));
        HK_TRY(copy(b, b->sources[i], hk_path_join(b->arena, folder, name)));
    }
    return HK_OK;
}

hk_status hk_copies_write(hk_copies *b, const char *text) {
    const char *folder = NULL;
    if (b->source_count)
        HK_TRY(hk_beside_make(b->ctx, b->arena, b->path, &folder));
    hk_status status = folder ? copy_all(b, folder) : HK_OK;
    if (status == HK_OK)
        status = hk_file_write(b->ctx, b->path, text, strlen(text));
    if (status != HK_OK && folder)
        hk_folder_remove(folder);
    return status;
}

void hk_copies_remove(hk_copies *b) {
    if (b->source_count)
        hk_folder_remove(hk_path_join(b->arena, hk_path_folder(b->arena, b->path), b->copies));
    hk_folder_remove(b->path);
}

void hk_copies_finish(hk_copies *b) {
    hk_map_finish(&b->copied);
    hk_free(b->sources);
}
