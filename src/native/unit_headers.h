/* SPDX-License-Identifier: MIT
 *
 * The headers that native components include (hk/unit.h and what it needs, hk/math.h, hk/geo.h):
 * they travel inside the program, so that components are compiled with the headers of the hocket
 * that will run them, wherever that is installed. */
#ifndef HK_NATIVE_UNIT_HEADERS_H
#define HK_NATIVE_UNIT_HEADERS_H

#include "base/diag.h"
#include "base/embed.h"

/* Their names begin with "include/". */
const hk_embedded *hk_unit_headers(void);
/* Writes them to FOLDER/hk. */
HK_NODISCARD hk_status hk_unit_headers_write(hk_ctx *ctx, hk_arena *arena, const char *folder);

#endif
