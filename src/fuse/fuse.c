/* SPDX-License-Identifier: MIT */
#include "fuse/fuse.h"

#include "base/file.h"
#include "base/fpenv.h"
#include "base/packed.h"
#include "engine/deeds.h"
#include "engine/fused.h"
#include "fuse/emit.h"
#include "fuse/fuse_compile.h"
#include "fuse/fuse_write.h"

#include <dlfcn.h>
#include <string.h>

static hk_status print(hk_ctx *ctx, hk_arena *arena, const hk_sim *sim, hk_fuse_printed *ret) {
    hk_leaves *leaves = HK_NEW(arena, hk_leaves);
    HK_TRY(hk_leaves_find(ctx, arena, hk_sim_deeds(sim, arena)->model, leaves));
    *ret = hk_fuse_emit(arena, sim, leaves);
    return HK_OK;
}

/* Loads the library; NULL: it is not what it should be, and *ret_why says in what. */
static void *load(const hk_fuse_built *built, hk_arena *arena, const char **ret_why) {
    uint64_t control = hk_fpenv_read();
    void *library = dlopen(built->library, RTLD_NOW | RTLD_LOCAL);
    const char *why = library ? NULL : dlerror();
    hk_fpenv_write(control); /* it may bring start-up code of a compiler with other habits */
    if (!library) {
        *ret_why = hk_arena_strdup(arena, why ? why : "no reason is known");
        return NULL;
    }
    const char *stamp = dlsym(library, HK_FUSE_STAMP);
    if (stamp && strcmp(stamp, built->key) == 0)
        return library;
    *ret_why = "it was made of something else";
    dlclose(library);
    return NULL;
}

static hk_status make_and_load(hk_ctx *ctx, hk_arena *arena, const hk_fuse_printed *p,
                               const hk_fuse_options *options, hk_fuse_built *built,
                               void **ret_library) {
    const char *why = NULL;
    for (int attempt = 0; attempt < 2; attempt++) {
        HK_TRY(hk_fuse_make(ctx, arena, p, options, built));
        *ret_library = built->library ? load(built, arena, &why) : NULL;
        if (built->temporary)
            hk_folder_remove(built->temporary);
        if (*ret_library || !built->library)
            return HK_OK;
        if (!built->cache || built->files)
            break;
        hk_note(ctx, (hk_where){.file = built->library},
                "the fused code in the cache cannot be used (%s): it is made again", why);
        hk_fuse_discard(arena, built);
    }
    return hk_error(ctx, HK_E_COMPILER, HK_NOWHERE, "run it without --fused",
                    "the fused code that was compiled cannot be loaded: %s", why);
}

/* What the engine refuses is not to be found again. */
static hk_status attach(hk_ctx *ctx, hk_arena *arena, hk_sim *sim, const hk_fuse_built *built,
                        void *library) {
    hk_status status = hk_sim_attach_fused(sim, library);
    if (status == HK_OK)
        return HK_OK;
    hk_fuse_discard(arena, built);
    if (built->cache && !built->files)
        hk_note(ctx, (hk_where){.file = built->library},
                "it was taken from the cache, and is not there any more: run again");
    return status;
}

static hk_status run(hk_ctx *ctx, hk_arena *arena, hk_sim *sim, const hk_fuse_options *options) {
    hk_fuse_printed p = {0};
    hk_fuse_built built = {0};
    void *library = NULL;
    HK_TRY(print(ctx, arena, sim, &p));
    HK_TRY(make_and_load(ctx, arena, &p, options, &built, &library));
    if (!library)
        return HK_OK;
    HK_TRY(attach(ctx, arena, sim, &built, library));
    if (built.files)
        hk_note(ctx, HK_NOWHERE, "the system was compiled: %zu files by %s%s", built.files,
                built.compiler, built.whole ? "" : ", which cannot inline steps when it links");
    return HK_OK;
}

/* ---- a library that was made before ---- */

/* Opens the file, or a copy of what the program carries; NULL: it cannot be had. */
static void *open_made(hk_arena *arena, const char *path) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    const char *folder = NULL, *file = path;
    bool there =
        !hk_packed_is(path) || (hk_folder_temporary(quiet, arena, &folder) == HK_OK &&
                                hk_packed_place(quiet, arena, path, folder, &file) == HK_OK);
    uint64_t control = hk_fpenv_read();
    void *library = there ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    hk_fpenv_write(control);
    if (folder)
        hk_folder_remove(folder);
    hk_ctx_destroy(quiet);
    return library;
}

static hk_status run_made(hk_ctx *ctx, hk_arena *arena, hk_sim *sim, const char *path) {
    const char *data;
    size_t size;
    if (hk_packed_is(path)) /* it is what was packed, or an error */
        HK_TRY(hk_packed_view(ctx, path, &data, &size));
    void *library = open_made(arena, path);
    if (!library)
        hk_note(ctx, HK_NOWHERE,
                "the fused code cannot be loaded, and the run is interpreted: that needs a folder "
                "for temporary files (TMPDIR)");
    else if (!hk_sim_attach_fitting(sim, library))
        hk_note(ctx, HK_NOWHERE,
                "the fused code was made for another plan than that of this run, which is "
                "interpreted");
    return HK_OK;
}

hk_status hk_fuse_run(hk_ctx *ctx, hk_sim *sim, const hk_fuse_options *options) {
    const char *why = hk_sim_unfusable(sim);
    if (why) {
        hk_note(ctx, HK_NOWHERE, "the run is interpreted, and nothing is fused: %s", why);
        return HK_OK;
    }
    hk_arena *arena = hk_arena_create();
    hk_status status = options->library ? run_made(ctx, arena, sim, options->library)
                                        : run(ctx, arena, sim, options);
    hk_arena_destroy(arena);
    return status;
}

static hk_status make_library(hk_ctx *ctx, hk_arena *arena, const hk_sim *sim,
                              const hk_fuse_options *options, char **ret_data, size_t *ret_size) {
    hk_fuse_printed p = {0};
    hk_fuse_built built = {0};
    HK_TRY(print(ctx, arena, sim, &p));
    HK_TRY(hk_fuse_make(ctx, arena, &p, options, &built));
    *ret_data = NULL;
    if (!built.library)
        return HK_OK;
    hk_status status = hk_file_read(ctx, built.library, 0, ret_data, ret_size);
    if (built.temporary)
        hk_folder_remove(built.temporary);
    return status;
}

hk_status hk_fuse_library(hk_ctx *ctx, const hk_sim *sim, const hk_fuse_options *options,
                          char **ret_data, size_t *ret_size) {
    hk_arena *arena = hk_arena_create();
    hk_status status = make_library(ctx, arena, sim, options, ret_data, ret_size);
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_fuse_emit_to(hk_ctx *ctx, const hk_sim *sim, const char *folder, size_t *ret_files) {
    hk_arena *arena = hk_arena_create();
    hk_fuse_printed p = {0};
    hk_status status = print(ctx, arena, sim, &p);
    if (status == HK_OK)
        status = hk_fuse_write(ctx, arena, &p, folder, ret_files);
    hk_arena_destroy(arena);
    return status;
}
