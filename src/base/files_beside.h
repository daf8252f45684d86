/* SPDX-License-Identifier: MIT
 *
 * The folder for the files of one that is written: "x_files" beside "x.system". */
#ifndef HK_BASE_FILES_BESIDE_H
#define HK_BASE_FILES_BESIDE_H

#include "base/diag.h"

const char *hk_beside_name(hk_arena *arena, const char *path); /* without the folder it is in */
/* Makes the folder of the file PATH. It must be new: what is there already is not mixed with what
 * is written, and all of it can be removed if something fails later. */
HK_NODISCARD hk_status hk_beside_make(hk_ctx *ctx, hk_arena *arena, const char *path,
                                      const char **ret_folder);

#endif
