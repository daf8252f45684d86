/* SPDX-License-Identifier: MIT
 *
 * Characters of text that comes from strangers. */
#ifndef HK_BASE_UTF8_H
#define HK_BASE_UTF8_H

#include <hk/base.h>

/* Length of the well-formed UTF-8 character at TEXT, which has LEFT bytes; 0 if there is none
 * (RFC 3629). */
static inline size_t hk_utf8_length(const unsigned char *text, size_t left) {
    unsigned char c = left ? text[0] : 0xff;
    if (c < 0x80)
        return 1;
    size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (i >= left || (text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (c == 0xe0 && text[1] < 0xa0) || (c == 0xf0 && text[1] < 0x90);
    bool surrogate = c == 0xed && text[1] > 0x9f;
    bool beyond = c == 0xf4 && text[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

#endif
