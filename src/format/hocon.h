/* SPDX-License-Identifier: MIT
 *
 * The part of HOCON that configuration files written by hand use: objects without braces around
 * the whole, '=' or ':' or nothing before '{', new lines instead of commas, texts without quotes,
 * comments. What would make a value depend on another place (paths as keys, substitutions,
 * includes, '+=', a key given twice) is refused by name. */
#ifndef HK_FORMAT_HOCON_H
#define HK_FORMAT_HOCON_H

#include "format/json_read.h"

/* The same tree as that of JSON, which is HOCON, too. Everything lives in ARENA. */
HK_NODISCARD hk_status hk_hocon_read(hk_ctx *ctx, hk_arena *arena, const char *file,
                                     const char *data, size_t size, hk_json_value **ret_value);

#endif
