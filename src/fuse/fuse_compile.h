/* SPDX-License-Identifier: MIT
 *
 * Emitted C and the units of leaves to a shared library, by the compiler of this machine; or one
 * that was made of the same text before. */
#ifndef HK_FUSE_FUSE_COMPILE_H
#define HK_FUSE_FUSE_COMPILE_H

#include "base/diag.h"
#include "fuse/emit.h"
#include "fuse/fuse_options.h"

/* What was made; texts live in the arena. */
typedef struct hk_fuse_built {
    const char *library; /* NULL: there is no compiler, or no folder to work in */
    const char
        *temporary;       /* the folder it lies in, to be removed by who has asked; NULL: it is kept
                           */
    const char *compiler; /* as it calls itself */
    size_t files;         /* that were compiled now; 0: it was there */
    const char *cache, *key; /* where it is kept; cache NULL: it is not */
    bool whole;              /* compiled as a whole: steps can be inlined into cells */
} hk_fuse_built;

/* The name of a symbol of each library: a text, its key. */
#define HK_FUSE_STAMP "hk_fused_stamp"

HK_NODISCARD hk_status hk_fuse_make(hk_ctx *ctx, hk_arena *arena, const hk_fuse_printed *printed,
                                    const hk_fuse_options *options, hk_fuse_built *ret_built);
/* The library that was made is not what it should be: the next one is made anew. */
void hk_fuse_discard(hk_arena *arena, const hk_fuse_built *built);

#endif
