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

/* Does WORD decide what the words of a source mean, and means the same wherever it is passed on to:
 * a standard, a definition, char with a sign? */
bool hk_cflag_is_of_language(const char *word, size_t length);

/* The first word of FLAGS of which it is not known that results are the same with and without it;
 * NULL: there is none. Words of the language count as known if they are PASSED_ON. The names that a
 * compiler begins with ("ccache gcc") are not looked at. */
const char *hk_cflags_unknown(hk_arena *arena, const char *flags, bool passed_on);

/* FLAGS for people: the many words about functions of libm become one, -fno-builtin-LIBM, if all of
 * the list are there. */
const char *hk_cflags_short(hk_arena *arena, const char *flags);

#endif
