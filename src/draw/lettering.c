/* SPDX-License-Identifier: MIT */
#include "draw/lettering.h"

#include <string.h>

static const double MARGIN = 1.02; /* hinting and rounding of a renderer */
static const char DOTS[] = "\u2026";

enum { FIRST = ' ', COUNT = 95 };

/* Advance widths in thousandths of an em: of DejaVu Sans and of its bold face. */
static const unsigned short plain[COUNT] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
static const unsigned short bold[COUNT] = {
    348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
    696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
    1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
    733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
    500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
    716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838};

/* The widest characters of both faces in the other blocks; rare ligatures are left out. */
static const struct {
    unsigned first, last;
    unsigned short width;
} blocks[] = {{0xb2, 0xb3, 460},     {0xb7, 0xb7, 400},     {0xb9, 0xb9, 460},
              {0xa0, 0xff, 1090},    {0x100, 0x24f, 1420},  {0x300, 0x36f, 0},
              {0x250, 0x3ff, 1220},  {0x400, 0x4ff, 1410},  {0x2026, 0x2026, 1010},
              {0x2070, 0x209f, 670}, {0x2190, 0x2211, 840}, {0x2212, 0x2212, 840},
              {0x2213, 0x2fff, 1450}};

size_t hk_text_char(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return c[0] >= ' ' && c[0] != 0x7f;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    unsigned code = c[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    static const unsigned least[] = {0, 0, 0xa0, 0x800, 0x10000}; /* below 0xa0: controls */
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    bool none = (code & 0xfffe) == 0xfffe || code > 0x10ffff;
    return code < least[length] || surrogate || none ? 0 : length;
}

const char *hk_text_last_part(const char *name) {
    const char *part = name;
    size_t depth = 0;
    for (const char *c = name; *c; c++) {
        const char *quote = (*c == '\'' || *c == '"') && c == part ? strchr(c + 1, *c) : NULL;
        if (quote) /* a name in quotes begins a part, and holds whatever it likes */
            c = quote;
        else if (strchr("([{", *c))
            depth++;
        else if (strchr(")]}", *c))
            depth -= depth > 0;
        else if (*c == '.' && !depth && c[1])
            part = c + 1;
    }
    return part;
}

size_t hk_text_width(const char *text) {
    size_t width = 0;
    for (size_t n; *text; text += n ? n : 1, width++)
        n = hk_text_char(text);
    return width;
}

/* The code of the character at TEXT, which has LENGTH bytes; what cannot be shown becomes '?'. */
static unsigned code_of(const char *text, size_t length) {
    const unsigned char *c = (const unsigned char *)text;
    if (length <= 1)
        return length ? c[0] : '?';
    unsigned code = c[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (c[i] & 0x3fu);
    return code;
}

static double advance(hk_font font, unsigned code) {
    const unsigned short *widths = font.bold ? bold : plain;
    if (code >= FIRST && code < FIRST + COUNT)
        return widths[code - FIRST];
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (code >= blocks[i].first && code <= blocks[i].last)
            return blocks[i].width;
    return code < 0x2000 ? 1700 : 1450;
}

double hk_text_pixels(hk_font font, const char *words) {
    double sum = 0; /* thousandths of an em */
    while (*words) {
        size_t length = hk_text_char(words);
        sum += advance(font, code_of(words, length));
        words += length ? length : 1;
    }
    return sum * font.size * MARGIN / 1000;
}

double hk_font_above(hk_font font) {
    return 0.78 * font.size; /* capitals and brackets; accents of capitals go into the line above */
}

double hk_font_below(hk_font font) {
    return 0.24 * font.size;
}

size_t hk_text_fitting(hk_arena *arena, hk_font font, const char *words, double room) {
    size_t best = 0, at = 0;
    while (words[at]) {
        at += strcspn(words + at, " ");
        const char *part = hk_arena_strndup(arena, words, at);
        if (best && hk_text_pixels(font, part) > room)
            break;
        best = at;
        at += strspn(words + at, " ");
    }
    return best;
}

/* The byte at which the last COUNT characters begin. */
static size_t tail_begin(const char *words, size_t characters, size_t count) {
    size_t at = 0;
    for (size_t i = 0; i + count < characters; i++) {
        size_t length = hk_text_char(words + at);
        at += length ? length : 1;
    }
    return at;
}

/* The first and the last characters of WORDS, KEPT in all. */
static const char *cut(hk_arena *arena, const char *words, size_t characters, size_t kept) {
    size_t tail = kept / 2, head = tail_begin(words, characters, characters - (kept - tail));
    return hk_arena_printf(arena, "%.*s%s%s", (int)head, words, DOTS,
                           words + tail_begin(words, characters, tail));
}

const char *hk_text_shorten(hk_arena *arena, hk_font font, const char *words, double room) {
    if (hk_text_pixels(font, words) <= room)
        return words;
    size_t characters = hk_text_width(words), low = 0, high = characters;
    while (high - low > 1) { /* low characters fit, high do not */
        size_t middle = low + (high - low) / 2;
        bool fits = hk_text_pixels(font, cut(arena, words, characters, middle)) <= room;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    if (low)
        return cut(arena, words, characters, low);
    return hk_text_pixels(font, DOTS) <= room ? DOTS : "";
}
