/* SPDX-License-Identifier: MIT
 *
 * The files of hocket that fused code is compiled with: its public headers, and the sources of the
 * built-in components. They are part of the program. */
#ifndef HK_FUSE_FUSE_HEADERS_H
#define HK_FUSE_FUSE_HEADERS_H

#include "base/diag.h"
#include "base/embed.h"

/* By its path as it is included, "hk/unit.h"; NULL: there is none. */
const hk_embedded *hk_fuse_header(const char *name);
/* All of them, one after the other; NULL: no more. *RET_NAME: as in hk_fuse_header. */
const hk_embedded *hk_fuse_header_at(size_t index, const char **ret_name);
/* Writes all of them below FOLDER. */
HK_NODISCARD hk_status hk_fuse_headers_write(hk_ctx *ctx, hk_arena *arena, const char *folder);
/* Names and contents, for the one that needs to know whether they are others. */
const char *hk_fuse_headers_hash(hk_arena *arena);

#endif
