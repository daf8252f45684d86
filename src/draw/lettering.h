/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: how wide texts are. The widths are those of DejaVu Sans, the widest of the
 * fonts that pictures ask for, with a small margin: whatever font a reader has, a text needs no
 * more than was measured. */
#ifndef HK_DRAW_LETTERING_H
#define HK_DRAW_LETTERING_H

#include "base/memory.h"

/* Bytes of the UTF-8 character at TEXT; 0: what is there cannot be shown (a control character, or
 * not UTF-8), and its one byte is to be replaced. */
size_t hk_text_char(const char *text);
/* Characters of a text; each byte that cannot be shown counts as one. */
size_t hk_text_width(const char *text);

/* What follows the last dot of a name that is not in brackets or quotes: "der(pump.flow)" is one
 * part. */
const char *hk_text_last_part(const char *name);

typedef struct hk_font {
    double size; /* pixels of an em */
    bool bold;
} hk_font;

/* Pixels that WORDS need in a line. */
double hk_text_pixels(hk_font font, const char *words);
/* From the baseline up and down. */
double hk_font_above(hk_font font);
double hk_font_below(hk_font font);
/* The bytes of WORDS that fit into ROOM pixels, up to a space; all of the first word at least. */
size_t hk_text_fitting(hk_arena *arena, hk_font font, const char *words, double room);
/* WORDS if they fit into ROOM pixels, else their beginning and their end with three dots between
 * them: names of signals differ at both ends. Empty if there is no room for one character. */
const char *hk_text_shorten(hk_arena *arena, hk_font font, const char *words, double room);

#endif
