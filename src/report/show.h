/* SPDX-License-Identifier: MIT
 *
 * Small writers for people: numbers as text, in ARENA; doubles never go through printf. */
#ifndef HK_REPORT_SHOW_H
#define HK_REPORT_SHOW_H

#include "base/memory.h"

const char *hk_show_f64(hk_arena *arena, double value);                 /* exact */
const char *hk_show_rounded(hk_arena *arena, double value, int digits); /* significant digits */
const char *hk_show_seconds(hk_arena *arena, double seconds);           /* "1.24 s", "310 us" */
const char *hk_show_bytes(hk_arena *arena, double bytes);               /* "1.2 MB" */
const char *hk_show_count(hk_arena *arena, uint64_t count);             /* "12 345 678" */

#endif
