/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: what the plots have in common. Which signals share a panel, the ranges, the
 * ticks, and the few points of each curve that can be seen at a given width. */
#ifndef HK_DRAW_PLOT_LAYOUT_H
#define HK_DRAW_PLOT_LAYOUT_H

#include "draw/plot.h"

typedef struct hk_plot_signal {
    const hk_plot_curve *curve;
    const char *name;  /* for a legend beside an axis that says the unit */
    const char *label; /* with its unit */
    const double *over, *values;
    const double *low, *high; /* NULL: no band */
    size_t rows;
    double lo, hi; /* of the finite values, the band included; lo > hi: there are none */
    bool stepped;
    size_t panel;
    size_t turn;           /* it is so many curves after the first of its panel */
    unsigned colour, dash; /* of pictures */
} hk_plot_signal;

typedef struct hk_plot_panel {
    const char *unit;
    const char *label; /* of its axis: "travel, z [m]"; NULL: none */
    const char *brief; /* where that has no room: "travel, \u2026 [m]"; NULL: it is one name */
    const hk_plot_item *items;
    size_t item_count;
    const char *only; /* the one column that it is for; NULL: any of the unit */
    size_t signal_count;
    double lo, hi; /* as for signals; limits that are near are included */
    double finest; /* the smallest span among its signals; 0: none has one */
    bool whole;    /* whole numbers only */
    const char *over_label, *over_brief;
    const hk_plot_column *over; /* what its first signal is over */
    const char *only_over;      /* as only, of what the signals are over */
    const hk_plot_item *over_items;
    size_t over_item_count;
    double over_lo, over_hi; /* as shown; over_lo < over_hi */
} hk_plot_panel;

typedef struct hk_plot_layout {
    hk_arena *arena;
    const hk_plot *plot;
    bool own_overs;        /* the horizontal axes of the panels differ */
    const char *time_unit; /* "s", "h"; NULL: the curves are over something else */
    double over_factor;    /* values of the horizontal axis are divided by it to be shown */
    hk_plot_signal *signals;
    size_t signal_count;
    hk_plot_panel *panels; /* at least one */
    size_t panel_count;
    size_t *limit_panels; /* of each limit; SIZE_MAX: it is not shown */
} hk_plot_layout;

void hk_plot_layout_init(hk_plot_layout *layout, hk_arena *arena, const hk_plot *plot);
/* The look of each signal, once the panels are known. */
void hk_plot_choose_looks(hk_plot_layout *layout);
/* In a terminal without colour or distinct marks curves could not be told apart, so each gets a
 * panel of its own, unless something else is asked for. */
hk_plot_panels hk_plot_terminal_panels(const hk_plot *plot);
/* "13.3 s", in the unit of the axis, with four decimals at most. */
const char *hk_plot_time_words(const hk_plot_layout *layout, double seconds);
/* "3 at 13.3 s: the door opens"; "and 4 more events" after those that are listed; NULL: that is
 * all. */
const char *hk_plot_event_words(const hk_plot_layout *layout, size_t index);
/* It is within the time that is shown. */
bool hk_plot_in_sight(const hk_plot_layout *layout, double seconds);

/* Ticks at offset + k * mantissa * 10^exponent, for k from first to last; or at items. */
typedef struct hk_axis {
    double lo, hi, step; /* of items: their indices */
    double offset;       /* labels leave it out */
    double part;         /* values are multiplied by it before they are subtracted; 1, mostly */
    int64_t first, last;
    int mantissa, exponent;
    int scale; /* labels are to be multiplied by 10^scale */
    const hk_plot_item *items;
} hk_axis;

enum { HK_TICK_TEXT = 48 };

/* An axis over [lo, hi] with about TICKS ticks. PADDED: with some room beyond the ends; a range
 * that is empty or a single value gets one that holds it. */
hk_axis hk_axis_make(double lo, double hi, int ticks, bool padded);
/* The axis of a panel: of its items, of whole numbers, or of any. */
hk_axis hk_axis_of_panel(const hk_plot_panel *panel, int ticks);
/* The same of its horizontal axis. */
hk_axis hk_axis_of_over(const hk_plot_panel *panel, int ticks, bool padded);
/* The label of tick K, in ASCII but for items. BUFFER has HK_TICK_TEXT bytes. */
const char *hk_axis_label(const hk_axis *axis, int64_t k, char *buffer);
double hk_axis_tick(const hk_axis *axis, int64_t k);
/* Where VALUE lies between lo (0) and hi (1); between 0 and 1 also for values beyond. */
double hk_axis_place(const hk_axis *axis, double value);
/* What labels are to be multiplied by, and what is to be added: "x10^3 + 4000000" as text, in
 * UTF-8, or with ASCII "x1e3"; "": nothing. BUFFER as above. */
const char *hk_axis_scale_text(const hk_axis *axis, bool ascii, char *buffer);

/* For a picture of W times H points: makes one of two ranges wider, about its middle, so that a
 * unit is as long on both axes. */
void hk_plot_equalise(double w, double h, double *x_lo, double *x_hi, double *y_lo, double *y_hi);

/* Takes the points of a curve, as places on the two axes; MOVE begins a new part of the curve. */
typedef void hk_plot_pen(void *user, double x, double y, bool move);
/* Where a curve is drawn: its axes, and points of width and of height. */
typedef struct hk_plot_frame {
    const hk_axis *x, *y;
    size_t columns, lines;
} hk_plot_frame;
/* Draws VALUES of a signal. Over the time: of the samples that share a column the first, the last,
 * the smallest and the largest remain. Over another signal: what is further than a part of a point
 * from the curve that remains, and of what is drawn again and again one. Values that are not finite
 * leave a gap, unless it is within a column. */
void hk_plot_trace(const hk_plot_layout *layout, const hk_plot_signal *signal, const double *values,
                   const hk_plot_frame *frame, hk_plot_pen *pen, void *user);

#endif
