/* SPDX-License-Identifier: MIT
 *
 * Which file the source of a component means, in systems of SSP and OSP: a path, a URI of a file,
 * or a file behind a proxy, which is not used. */
#ifndef HK_FORMAT_SOURCE_H
#define HK_FORMAT_SOURCE_H

#include "format/reading.h"

/* *ret_path is decoded and has slashes only; it may be "", absolute, or lead out of its folder.
 * *ret_fragment is what is behind '#', or NULL; if it is not asked for, a '#' belongs to the
 * path. */
HK_NODISCARD hk_status hk_source_read(hk_ctx *ctx, hk_reading *r, const char *source,
                                      hk_where where, char **ret_path, char **ret_fragment);
/* PATH, which was made of SOURCE, is to name a file, and not a folder. */
HK_NODISCARD hk_status hk_source_check_file(hk_ctx *ctx, const hk_reading *r, const char *source,
                                            const char *path, hk_where where);

#endif
