/* SPDX-License-Identifier: MIT */
#include "base/packed.h"

#include "base/file.h"

#include <string.h>

static struct {
    const char *root; /* NULL: nothing is mounted */
    size_t length;
    const hk_packed_source *source;
} mounted;

void hk_packed_mount(const char *root, const hk_packed_source *source) {
    HK_ASSERT(!mounted.root && *root);
    mounted.root = root;
    mounted.length = strlen(root);
    mounted.source = source;
}

void hk_packed_unmount(void) {
    mounted.root = NULL;
}

bool hk_packed_is(const char *path) {
    return mounted.root && strncmp(path, mounted.root, mounted.length) == 0 &&
           path[mounted.length] == '/';
}

const char *hk_packed_root(const char *folder) {
    bool ours = mounted.root && (hk_packed_is(folder) || strcmp(folder, mounted.root) == 0);
    return ours ? mounted.root : NULL;
}

static const char *below_root(const char *path) {
    HK_ASSERT(hk_packed_is(path));
    return path + mounted.length + 1;
}

bool hk_packed_exists(const char *path) {
    return mounted.source->exists(mounted.source->user, below_root(path));
}

hk_status hk_packed_view(hk_ctx *ctx, const char *path, const char **ret_data, size_t *ret_size) {
    return mounted.source->view(ctx, mounted.source->user, below_root(path), ret_data, ret_size);
}

const char *hk_packed_identity(const char *path) {
    return mounted.source->identity(mounted.source->user, below_root(path));
}

hk_status hk_packed_place(hk_ctx *ctx, hk_arena *arena, const char *path, const char *folder,
                          const char **ret_copy) {
    const char *data, *copy = hk_path_join(arena, folder, hk_path_name(path));
    size_t size;
    HK_TRY(hk_packed_view(ctx, path, &data, &size));
    HK_TRY(hk_file_write(ctx, copy, data, size));
    *ret_copy = copy;
    return HK_OK;
}
