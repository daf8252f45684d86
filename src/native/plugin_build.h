/* SPDX-License-Identifier: MIT
 *
 * A folder with the sources of native components becomes a plugin: all files in C and C++ right in
 * it are compiled with the one list of flags (base/cflags.h) and hocket's own headers, and linked
 * with a note of how that was done. Nothing is written but the library. */
#ifndef HK_NATIVE_PLUGIN_BUILD_H
#define HK_NATIVE_PLUGIN_BUILD_H

#include "base/diag.h"

typedef struct hk_plugin_build_options {
    const char *output; /* NULL: in the folder, named after the file that defines hk_plugin */
    const char *cc;     /* the C compiler, with options if need be; NULL: $CC, or cc */
    void (*said)(void *user, const char *text); /* what compilers said; NULL: nobody asks */
    /* The file at PATH is not to be compiled, and that was reported; NULL: all are. */
    bool (*leaves_out)(void *user, const char *path);
    void *user;
} hk_plugin_build_options;

/* What was made; texts live in the arena. */
typedef struct hk_plugin_built {
    const char *output;
    const char *compiler; /* as it calls itself: of C, or of C++ if there is no C */
    size_t files;         /* that were compiled */
} hk_plugin_built;

HK_NODISCARD hk_status hk_plugin_build(hk_ctx *ctx, hk_arena *arena, const char *folder,
                                       const hk_plugin_build_options *options,
                                       hk_plugin_built *ret_built);

#endif
