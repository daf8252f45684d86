/* SPDX-License-Identifier: MIT */
#include "format/xml_encoding.h"

#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* 0x80 to 0x9f of Windows-1252; what has no character stays a control character, as browsers do. */
static const unsigned short western[32] = {
    0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
    0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};

/* Names of encodings are compared without regard to case and to what joins their parts. */
static bool is_called(const char *name, const char *plain) {
    for (; *name; name++) {
        char c = *name;
        if (c == '-' || c == '_' || c == ' ')
            continue;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + ('a' - 'A'));
        if (c != *plain++)
            return false;
    }
    return !*plain;
}

int XMLCALL hk_xml_encoding_map(void *user, const XML_Char *name, XML_Encoding *ret) {
    (void)user;
    bool latin1 = is_called(name, "latin1") || is_called(name, "iso88591");
    bool windows = is_called(name, "windows1252") || is_called(name, "cp1252");
    bool latin9 = is_called(name, "iso885915") || is_called(name, "latin9");
    if (!latin1 && !windows && !latin9)
        return XML_STATUS_ERROR;
    for (int i = 0; i < 256; i++)
        ret->map[i] = windows && i >= 0x80 && i < 0xa0 ? western[i - 0x80] : i;
    if (latin9) { /* where it differs from ISO-8859-1 */
        static const int other[][2] = {{0xa4, 0x20ac}, {0xa6, 0x160}, {0xa8, 0x161}, {0xb4, 0x17d},
                                       {0xb8, 0x17e},  {0xbc, 0x152}, {0xbd, 0x153}, {0xbe, 0x178}};
        for (size_t i = 0; i < sizeof other / sizeof *other; i++)
            ret->map[other[i][0]] = other[i][1];
    }
    ret->data = NULL;
    ret->convert = NULL;
    ret->release = NULL;
    return XML_STATUS_OK;
}

/* The encoding that the declaration names, in NAME; "" if it names none. */
static void read_declared(const char *data, size_t size, char name[32]) {
    char head[201] = "";
    size_t length = size < sizeof head - 1 ? size : sizeof head - 1;
    memcpy(head, data, length);
    name[0] = '\0';
    char *end = strstr(head, "?>"), *word = strstr(head, "encoding");
    if (strncmp(head, "<?xml", 5) != 0 || !end || !word || word > end)
        return;
    const char *quote = strpbrk(word, "\"'");
    size_t count = quote ? strcspn(quote + 1, "\"'") : 0;
    if (count && count < 32) {
        memcpy(name, quote + 1, count);
        name[count] = '\0';
    }
}

/* The first byte that is not UTF-8, as line and column; false: all is. */
static bool find_foreign(const unsigned char *text, size_t size, hk_xml_borne *ret_borne) {
    int line = 1, column = 1;
    uint64_t eight; /* most files are ASCII: then there is nothing to find, and no line to count */
    size_t ascii = 0;
    for (; size - ascii >= sizeof eight; ascii += sizeof eight) {
        memcpy(&eight, text + ascii, sizeof eight);
        if (eight & UINT64_C(0x8080808080808080))
            break;
    }
    while (ascii < size && text[ascii] < 0x80)
        ascii++;
    if (ascii == size)
        return false;
    for (size_t i = 0; i < size;) {
        size_t one = hk_utf8_length(text + i, size - i);
        if (!one) {
            ret_borne->encoding_line = line;
            ret_borne->encoding_column = column;
            return true;
        }
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
        i += one;
    }
    return false;
}

const char *hk_xml_encoding_choose(const char *data, size_t size, hk_xml_borne *ret_borne) {
    const unsigned char *text = (const unsigned char *)data;
    bool marked = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0;
    bool wide = size >= 2 && ((text[0] == 0xfe && text[1] == 0xff) ||
                              (text[0] == 0xff && text[1] == 0xfe) || !text[0] || !text[1]);
    char name[32];
    if (wide)
        return NULL;
    read_declared(marked ? data + 3 : data, marked ? size - 3 : size, name);
    bool claims_wide = is_called(name, "utf16") || is_called(name, "utf16le") ||
                       is_called(name, "utf16be") || is_called(name, "ucs2") ||
                       is_called(name, "unicode");
    bool utf8 = !name[0] || is_called(name, "utf8");
    if (claims_wide || (marked && !utf8)) {
        *ret_borne = (hk_xml_borne){.encoding = "UTF-8", .encoding_line = 1, .encoding_column = 1};
    } else if (utf8 && find_foreign(text, size, ret_borne)) {
        ret_borne->encoding = "Windows-1252";
    } else if (utf8 && name[0] && strchr(name, '-') == NULL) {
        return "UTF-8"; /* "utf8": a spelling that expat does not know */
    }
    return ret_borne->encoding;
}
