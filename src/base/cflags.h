/* SPDX-License-Identifier: MIT
 *
 * The flags of C that computes values (cflags.def): plugins and fused code have one list, so that
 * they have the same bits. */
#ifndef HK_BASE_CFLAGS_H
#define HK_BASE_CFLAGS_H

#include "base/memory.h"

/* The standards for which leaves are written; extensions are on, so that <math.h> has M_PI. */
#define HK_PLUGIN_STD_C   "-std=gnu17"
#define HK_PLUGIN_STD_CXX "-std=gnu++17"

/* The words of the list, without the standard, and how many they are. */
const char *const *hk_plugin_flags(size_t *ret_count);

/* The same as one text, with spaces between them. */
const char *hk_plugin_flags_text(hk_arena *arena);

/* In what FLAGS, the words of a call of a compiler, differ from the list so that results may have
 * other bits, or the library may not run on another machine: "without -ffp-contract=off, with
 * -march=native"; NULL: in nothing. What a word switches off a later one may switch on. */
const char *hk_cflags_difference(hk_arena *arena, const char *flags);

/* FLAGS for people: the many words about functions of libm become one, -fno-builtin-LIBM, if all of
 * the list are there. */
const char *hk_cflags_short(hk_arena *arena, const char *flags);

#endif
