/* SPDX-License-Identifier: MIT */
#include "format/escape.h"

#include "base/utf8.h"

#include <string.h>

enum { ESCAPE = 4 }; /* length of "\xHH" */

hk_glyph hk_glyph_at(const char *text, size_t left, size_t *ret_length) {
    const unsigned char *c = (const unsigned char *)text;
    size_t length = hk_utf8_length(c, left);
    *ret_length = length ? length : 1;
    if (!length)
        return HK_GLYPH_BROKEN;
    if (c[0] == '\t' || c[0] == '\n' || c[0] == '\r')
        return HK_GLYPH_BREAK;
    bool c1 = c[0] == 0xc2 && c[1] < 0xa0; /* U+0080 to U+009F */
    return c[0] < ' ' || c[0] == 0x7f || c1 ? HK_GLYPH_CONTROL : HK_GLYPH_PLAIN;
}

static int digit_of(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool is_escape(const char *text, size_t left) {
    return left >= ESCAPE && text[0] == '\\' && text[1] == 'x' && digit_of(text[2]) >= 0 &&
           digit_of(text[3]) >= 0;
}

/* The number of bytes at TEXT that are to be escaped, or 0 and in *RET_LENGTH those that are not.
 */
static size_t bytes_to_escape(const char *text, size_t left, size_t *ret_length) {
    hk_glyph glyph = hk_glyph_at(text, left, ret_length);
    if (glyph == HK_GLYPH_CONTROL || glyph == HK_GLYPH_BROKEN)
        return *ret_length;
    return is_escape(text, left) ? 1 : 0;
}

size_t hk_escaped_size(const char *text, size_t size) {
    size_t all = 0, length;
    for (size_t i = 0; i < size; i += length) {
        size_t escaped = bytes_to_escape(text + i, size - i, &length);
        all += escaped ? ESCAPE * escaped : length;
    }
    return all;
}

size_t hk_escape(const char *text, size_t size, char *out) {
    static const char digits[] = "0123456789abcdef";
    char *to = out;
    size_t length;
    for (size_t i = 0; i < size; i += length) {
        size_t escaped = bytes_to_escape(text + i, size - i, &length);
        for (size_t k = 0; k < length; k++) {
            unsigned char byte = (unsigned char)text[i + k];
            if (escaped) {
                *to++ = '\\';
                *to++ = 'x';
                *to++ = digits[byte >> 4];
                *to++ = digits[byte & 15];
            } else {
                *to++ = text[i + k];
            }
        }
    }
    return (size_t)(to - out);
}

size_t hk_unescape(const char *text, size_t size, char *out) {
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        char byte = text[i];
        if (is_escape(text + i, size - i)) {
            byte = (char)(digit_of(text[i + 2]) << 4 | digit_of(text[i + 3]));
            i += ESCAPE - 1;
        }
        out[length++] = byte;
    }
    return length;
}
