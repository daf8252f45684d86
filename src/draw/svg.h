/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: SVG as growing text, and the look that all pictures share. */
#ifndef HK_DRAW_SVG_H
#define HK_DRAW_SVG_H

#include <hk/base.h>

enum { HK_SVG_COLOURS = 8 };

/* Classes: bg background; h heading, k small and tiny tiny text, l names, ok and bad verdicts; g z
 * a lines of grid, zero and axes, s curves, dot their lone points, key their samples in a legend,
 * band what is between two, limit event broken marks; b boxes, r rows, nest boxes around boxes,
 * plate what is behind labels of arrows, w, w2 and e arrows, t their heads; c0 ... c7 colours of
 * strokes, f0 ... f7 of fillings, d1 ... d3 dashes. The colours differ for all kinds of eyes. */
extern const char hk_svg_style[];
extern const char hk_svg_dark[]; /* in addition: for readers who wish dark pictures */

/* The text so far; zero-initialised is empty, the data is freed with hk_free. */
typedef struct hk_svg {
    char *data;
    size_t size, cap;
} hk_svg;

void hk_svg_bytes(hk_svg *t, const char *data, size_t size);
void hk_svg_put(hk_svg *t, const char *words);
void hk_svg_int(hk_svg *t, int64_t value);
/* Tenths of a pixel, as pixels. */
void hk_svg_tenths(hk_svg *t, int64_t tenths);
/* Text of a document: markup is escaped, and what XML does not know is replaced. */
void hk_svg_escaped(hk_svg *t, const char *words);
void hk_svg_lines(hk_svg *t, const char *words); /* the same of a text that may have lines */
/* Writes FORMAT with each '#' replaced by the next of NUMBERS. */
void hk_svg_shape(hk_svg *t, const char *format, const int64_t *numbers);
#define HK_SVG_PUT(t, format, ...) hk_svg_shape((t), (format), (const int64_t[]){__VA_ARGS__})

#endif
