/* SPDX-License-Identifier: MIT
 *
 * Files that are not the system's: a tool that `hocket build` made carries its model in itself.
 * They have paths below a ROOT, the tool's own file, so that no file of the system can have such a
 * path ("./tool/x.system"). Whatever reads files goes through base/file.h and finds them there; who
 * needs a file of the system (a library that is loaded) asks for a copy. What a model names by a
 * path from the root of its maker's system is below ROOT as well ("./tool//home/me/x.csv").
 *
 * One root for the whole process, mounted while nobody else reads. */
#ifndef HK_BASE_PACKED_H
#define HK_BASE_PACKED_H

#include "base/diag.h"

/* Where they come from. PATH is what is behind the root: relative, or from '/' on. */
typedef struct hk_packed_source {
    bool (*exists)(void *user, const char *path);
    /* The bytes, with a NUL after the last; they live until the source does not. From any thread.
     */
    hk_status (*view)(hk_ctx *ctx, void *user, const char *path, const char **ret_data,
                      size_t *ret_size);
    /* The same for all paths of one file; NULL: there is none. */
    const char *(*identity)(void *user, const char *path);
    void *user;
} hk_packed_source;

void hk_packed_mount(const char *root, const hk_packed_source *source); /* both outlive it */
void hk_packed_unmount(void);

bool hk_packed_is(const char *path); /* it lies below the root, whether or not it exists */
/* The root that FOLDER is, or lies below; NULL: it is a folder of the system. */
const char *hk_packed_root(const char *folder);
/* These only for paths that do. */
bool hk_packed_exists(const char *path);
HK_NODISCARD hk_status hk_packed_view(hk_ctx *ctx, const char *path, const char **ret_data,
                                      size_t *ret_size);
const char *hk_packed_identity(const char *path);
/* Copies the file into FOLDER under its own name. */
HK_NODISCARD hk_status hk_packed_place(hk_ctx *ctx, hk_arena *arena, const char *path,
                                       const char *folder, const char **ret_copy);

#endif
