/* SPDX-License-Identifier: MIT
 *
 * Texts of components in tables and on terminals. A component may call anything a text: commands
 * of a terminal, half characters, a page of another alphabet. In a table such bytes are written as
 * "\xHH", and so is a backslash where it would read as the beginning of that; so every text can be
 * read back as it was, and none can do more than be read. */
#ifndef HK_FORMAT_ESCAPE_H
#define HK_FORMAT_ESCAPE_H

#include <hk/base.h>

/* What is at TEXT, which has LEFT bytes, at least one. */
typedef enum hk_glyph {
    HK_GLYPH_PLAIN,   /* a character */
    HK_GLYPH_BREAK,   /* a tabulator or the end of a line */
    HK_GLYPH_CONTROL, /* another control character (C0, DEL, C1) */
    HK_GLYPH_BROKEN   /* a byte that is not UTF-8 */
} hk_glyph;
hk_glyph hk_glyph_at(const char *text, size_t left, size_t *ret_length);

/* The length of the text with its escapes; SIZE if it needs none. */
size_t hk_escaped_size(const char *text, size_t size);
/* Writes so many bytes and returns their number. */
size_t hk_escape(const char *text, size_t size, char *out);
/* The other way round; OUT may be TEXT. Returns the length. */
size_t hk_unescape(const char *text, size_t size, char *out);

#endif
