/* SPDX-License-Identifier: MIT
 *
 * One canvas for all pictures: boxes, lines, curves and texts, in pixels from the upper left. It
 * keeps what was drawn, so that its size may be known at the end, and the boxes of all texts, so
 * that a layout can keep clear of them and a test can look at them. What becomes of it is for a
 * back end: hk_picture_svg. How things look is said by classes (draw/svg.h). */
#ifndef HK_DRAW_CANVAS_H
#define HK_DRAW_CANVAS_H

#include "base/diag.h"
#include "draw/lettering.h"
#include "draw/svg.h"

typedef struct hk_box {
    double x, y, w, h;
} hk_box;

/* They share more than an edge. */
bool hk_box_overlap(hk_box a, hk_box b);
bool hk_box_inside(hk_box inner, hk_box outer);

typedef enum hk_anchor { HK_ANCHOR_START, HK_ANCHOR_MIDDLE, HK_ANCHOR_END } hk_anchor;

typedef enum hk_lettering {
    HK_LETTERS_PLAIN,
    HK_LETTERS_HEADING,
    HK_LETTERS_SMALL,  /* ticks, notes */
    HK_LETTERS_STRONG, /* names of boxes */
    HK_LETTERS_TINY,
    HK_LETTERING_COUNT
} hk_lettering;
hk_font hk_lettering_font(hk_lettering lettering);
/* Pixels that WORDS need in a line. */
double hk_lettering_pixels(hk_lettering lettering, const char *words);

/* A text of one line; (x, y) is on its baseline. */
typedef struct hk_label {
    double x, y;
    hk_anchor anchor;
    hk_lettering lettering;
    bool upright;      /* reads from bottom to top; (x, y) is on its baseline still */
    const char *words; /* not empty */
    const char *whole; /* what was shortened to WORDS, shown where one points at it; or NULL */
    const char *look;  /* more classes; NULL: none */
} hk_label;

/* A text as it was drawn. */
typedef struct hk_text_box {
    hk_box box;
    const char *words;
} hk_text_box;

typedef struct hk_canvas hk_canvas;

hk_canvas *hk_canvas_create(void);
void hk_canvas_destroy(hk_canvas *canvas);          /* NULL is fine */
hk_arena *hk_canvas_arena(const hk_canvas *canvas); /* for what lives as long */
const char *hk_canvas_print(const hk_canvas *canvas, const char *format, ...) HK_PRINTF(2, 3);

/* LOOK are classes; texts are copied. TIP: what is shown where one points at it; NULL: nothing. */
void hk_canvas_rect(hk_canvas *canvas, hk_box box, double radius, const char *look,
                    const char *tip);
void hk_canvas_line(hk_canvas *canvas, double x1, double y1, double x2, double y2,
                    const char *look);
/* A path: begun, moved along, ended. A part of one point only becomes a dot. */
void hk_canvas_path(hk_canvas *canvas, const char *look, const char *tip);
void hk_canvas_move(hk_canvas *canvas, double x, double y);
void hk_canvas_to(hk_canvas *canvas, double x, double y);
/* A Bezier curve with two control points. */
void hk_canvas_curve(hk_canvas *canvas, const double control[4], double x, double y);
void hk_canvas_close(hk_canvas *canvas); /* back to where the part began */
/* Parts that belong together. */
void hk_canvas_group(hk_canvas *canvas);
void hk_canvas_group_end(hk_canvas *canvas);

/* Where a text will be. */
hk_box hk_label_box(const hk_label *label);
void hk_canvas_text(hk_canvas *canvas, const hk_label *label);
/* The same, shortened in its middle if it is wider than ROOM pixels; nothing if there is no room.
 */
void hk_canvas_text_in(hk_canvas *canvas, hk_label label, double room);
/* In as many lines as it needs, LINE pixels apart; returns the baseline of the line after them. */
double hk_canvas_text_wrapped(hk_canvas *canvas, hk_label label, double room, double line);
/* Nothing that was written so far, and no other thing kept free, is there. */
bool hk_canvas_is_free(const hk_canvas *canvas, hk_box box);
/* The texts so far. */
const hk_text_box *hk_canvas_texts(const hk_canvas *canvas, size_t *ret_count);

/* What was drawn. */
typedef struct hk_picture {
    hk_status status; /* not HK_OK: it could not be drawn, and why was said */
    hk_canvas *canvas;
    double width, height;
    const char *title; /* for those who cannot see it */
    const char *style; /* more of CSS; NULL: none */
    bool light_only;   /* does not follow the reader's wish for dark colours: for paper */
} hk_picture;

/* The picture as SVG; its data is freed with hk_free. */
hk_svg hk_picture_svg(const hk_picture *picture);
/* If it could be drawn, writes it to PATH, by its extension: .svg, or .png and .pdf with the help
 * of rsvg-convert. Its canvas is destroyed. */
HK_NODISCARD hk_status hk_picture_write(hk_ctx *ctx, hk_picture picture, const char *path);
/* Says early why pictures cannot be written to PATH: another extension, or rsvg-convert is not
 * there. WHAT: "plots". */
HK_NODISCARD hk_status hk_picture_check(hk_ctx *ctx, const char *path, const char *what);

#endif
