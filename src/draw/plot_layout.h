/* SPDX-License-Identifier: MIT
 *
 * Inside the record room: what the plots have in common. Which signals share a panel, the ranges,
 * the ticks, and the few points of each curve that can be seen at a given width. */
#ifndef HK_DRAW_PLOT_LAYOUT_H
#define HK_DRAW_PLOT_LAYOUT_H

#include "draw/plot.h"

typedef struct hk_plot_signal {
    const char *label;  /* with its unit */
    const char *unit;   /* NULL: not known */
    const double *over; /* where its values are on the horizontal axis */
    const double *values;
    double lo, hi; /* of the finite values; lo > hi: there are none */
    size_t panel;
} hk_plot_signal;

typedef struct hk_plot_panel {
    const char *unit;
    size_t signal_count;
    double lo, hi; /* as for signals */
    double finest; /* the smallest span among its signals; 0: none has one */
} hk_plot_panel;

typedef struct hk_plot_layout {
    const char *over_label;
    size_t rows;
    double over_lo, over_hi; /* over_lo < over_hi */
    bool over_signals;       /* not over the time: the axis has room beyond its ends */
    hk_plot_signal *signals;
    size_t signal_count;
    hk_plot_panel *panels; /* at least one */
    size_t panel_count;
    bool stepped, equal;
} hk_plot_layout;

void hk_plot_layout_init(hk_plot_layout *layout, hk_arena *arena, const hk_table *table,
                         const size_t *columns, size_t count, const hk_plot_options *options);

/* Ticks at k * mantissa * 10^exponent, for k from first to last. */
typedef struct hk_axis {
    double lo, hi, step;
    int64_t first, last;
    int mantissa, exponent;
    int scale; /* labels are to be multiplied by 10^scale */
} hk_axis;

enum { HK_TICK_TEXT = 48 };

/* An axis over [lo, hi] with about TICKS ticks. PADDED: with some room beyond the ends; a range
 * that is empty or a single value gets one that holds it. */
hk_axis hk_axis_make(double lo, double hi, int ticks, bool padded);
/* The label of tick K, in ASCII. BUFFER has HK_TICK_TEXT bytes. */
const char *hk_axis_label(const hk_axis *axis, int64_t k, char *buffer);
double hk_axis_tick(const hk_axis *axis, int64_t k);
/* Where VALUE lies between lo (0) and hi (1); between 0 and 1 also for values beyond. */
double hk_axis_place(const hk_axis *axis, double value);
/* "x10^3" as text: UTF-8, or with ASCII "x1e3"; "" for scale 0. BUFFER as above. */
const char *hk_axis_scale_text(const hk_axis *axis, bool ascii, char *buffer);

/* For a picture of W times H points: makes one of two ranges wider, about its middle, so that a
 * unit is as long on both axes. */
void hk_plot_equalise(double w, double h, double *x_lo, double *x_hi, double *y_lo, double *y_hi);

/* Takes the points of a curve, as places on the two axes; MOVE begins a new part of the curve. */
typedef void hk_plot_pen(void *user, double x, double y, bool move);
/* Draws a curve at COLUMNS points of width: of the samples that share such a column the first, the
 * last, the smallest and the largest remain, as long as the curve stays in it. Values that are not
 * finite leave a gap. */
void hk_plot_trace(const hk_plot_layout *layout, const hk_plot_signal *signal, const hk_axis *x,
                   const hk_axis *y, size_t columns, hk_plot_pen *pen, void *user);

/* Bytes of the UTF-8 character at TEXT; 0: what stands there cannot be shown (a control character,
 * or no UTF-8), and its one byte is to be replaced. */
size_t hk_text_char(const char *text);
/* Characters of a text; each byte that cannot be shown counts as one. */
size_t hk_text_width(const char *text);

#endif
