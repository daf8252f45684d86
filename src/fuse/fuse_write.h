/* SPDX-License-Identifier: MIT
 *
 * Inside the fuse room: printed code as files. */
#ifndef HK_FUSE_FUSE_WRITE_H
#define HK_FUSE_FUSE_WRITE_H

#include "base/diag.h"
#include "fuse/emit.h"

/* As hk_fuse_emit_to of fuse.h. */
HK_NODISCARD hk_status hk_fuse_write(hk_ctx *ctx, hk_arena *arena, const hk_fuse_printed *printed,
                                     const char *path, size_t *ret_files);

#endif
