/* SPDX-License-Identifier: MIT
 *
 * Plots of records: as pictures and as text in a terminal. Signals of one unit share a panel;
 * panels are one above the other, over the same time, or over other signals. Truth values, items of
 * enumerations and whole numbers are steps; the first two have their names on the axis. */
#ifndef HK_DRAW_PLOT_H
#define HK_DRAW_PLOT_H

#include "base/diag.h"
#include "base/file.h"
#include "draw/canvas.h"
#include "format/table_read.h"

#include <stdio.h>

typedef enum hk_plot_kind {
    HK_PLOT_REAL,
    HK_PLOT_INTEGER,
    HK_PLOT_BOOLEAN,
    HK_PLOT_ENUMERATION
} hk_plot_kind;

typedef struct hk_plot_item {
    double value;
    const char *name;
} hk_plot_item;

/* A column of a record, as far as a plot needs it. */
typedef struct hk_plot_column {
    const char *name;
    const char *unit; /* NULL: not known, or none */
    hk_plot_kind kind;
    bool text;                 /* it has no numbers, but texts or bytes */
    const hk_plot_item *items; /* of an enumeration, by value */
    size_t item_count;
    const double *values;
} hk_plot_column;

/* What happened in a run: a mark over all panels. */
typedef struct hk_plot_event {
    double time; /* seconds */
    const char *words;
} hk_plot_event;

typedef enum hk_plot_outcome {
    HK_PLOT_HOLDS,
    HK_PLOT_BROKEN,
    HK_PLOT_UNDECIDED,
    HK_PLOT_OUTCOMES
} hk_plot_outcome;

/* What was expected of a run, and what became of it. */
typedef struct hk_plot_verdict {
    const char *words;
    hk_plot_outcome outcome;
    double time; /* when it was broken or fulfilled; NaN: at no one instant */
} hk_plot_verdict;

/* A bound of one column: a line over some time. */
typedef struct hk_plot_limit {
    const char *column;
    double value;
    bool upper;      /* the values are to be below it, or above it */
    bool strict;     /* ... and not at it */
    double from, to; /* seconds; infinite: all the time */
    hk_plot_outcome outcome;
    double broken; /* when; NaN: it is not, or at no one instant */
} hk_plot_limit;

typedef struct hk_plot_marks {
    const hk_plot_event *events;
    const hk_plot_limit *limits;
    const hk_plot_verdict *verdicts;
    size_t event_count, limit_count, verdict_count;
} hk_plot_marks;

/* A record that was read. */
typedef struct hk_plot_table {
    const char *file;
    size_t rows, column_count;
    const hk_plot_column *columns; /* the first is the time */
    hk_plot_marks marks;
    const char *scenario; /* of the run; NULL: it is not known */
} hk_plot_table;

/* Unit, type and items of a column, as a reader of tables knows them. */
void hk_plot_describe(hk_arena *arena, const hk_table_column *about, hk_plot_column *column);
/* The marks of a table, from the text of the file beside it, and what it says of the columns, which
 * have their names; COLUMNS NULL: that is known. All live in ARENA. HK_E_LANGUAGE or HK_E_CSV if
 * the text is not JSON; nothing is learnt then. */
HK_NODISCARD hk_status hk_plot_learn(hk_ctx *ctx, hk_arena *arena, const hk_file_text *beside,
                                     hk_plot_table *table, hk_plot_column *columns);

/* The one way to a record in a file: its values, and what is written beside it about units, types,
 * items, events and expectations. All live in ARENA, FILE and PATH are not copied. */
HK_NODISCARD hk_status hk_plot_load(hk_ctx *ctx, hk_arena *arena, const char *path,
                                    const hk_plot_table **ret_table);
/* Events and expectations of the record at PATH, from the file beside it; none if that cannot be
 * read. They live in ARENA. */
void hk_plot_learn_beside(hk_arena *arena, const char *path, hk_plot_table *table);
/* The same of values that are in no file; FILE is for messages. */
const hk_plot_table *hk_plot_dress(hk_ctx *ctx, hk_arena *arena, const char *file,
                                   const hk_table *values);
/* The column of that name; NULL: there is none. */
const hk_plot_column *hk_plot_find(const hk_plot_table *table, const char *name);

typedef enum hk_plot_role {
    HK_PLOT_SIGNAL,
    HK_PLOT_SPOTS,  /* places on a signal: its values are NaN everywhere else */
    HK_PLOT_OUTLINE /* what is around the signals of a map: walls, coasts */
} hk_plot_role;

typedef struct hk_plot_curve {
    const char *label; /* NULL: the name of the column */
    hk_plot_role role; /* signals come first; others are in a plot that is EQUAL */
    const hk_plot_column *x, *y;
    size_t rows;
    const double *low, *high; /* a band around it; NULL: none */
    size_t signal, run;       /* which signal it is, and of which run: its look follows from both */
} hk_plot_curve;

/* Records of several runs. */
typedef struct hk_plot_runs {
    const hk_plot_table *const *tables;
    size_t count;
    bool range; /* a band is from the smallest to the largest, not the standard deviation */
} hk_plot_runs;

/* The middle of all records that have the signal, and a band around it. The middle is the mean, of
 * truth values the share of true, of items the one that occurs most often. */
HK_NODISCARD hk_status hk_plot_band(hk_ctx *ctx, hk_arena *arena, const hk_plot_runs *runs,
                                    const char *name, hk_plot_curve *ret_curve);

typedef enum hk_plot_panels {
    HK_PANELS_AUTO,     /* by unit */
    HK_PANELS_SPLIT,    /* by unit, and ranges that differ by more than 50 times are apart */
    HK_PANELS_TOGETHER, /* all in one */
    HK_PANELS_SEPARATE, /* one for each signal; those of several runs together */
    HK_PANELS_CURVES    /* one for each curve */
} hk_plot_panels;

/* Zero means the default everywhere. */
typedef struct hk_plot {
    const char *title; /* NULL: none */
    const hk_plot_curve *curves;
    size_t curve_count;
    hk_plot_marks marks; /* in a terminal: events only */
    hk_plot_panels panels;
    bool stepped; /* hold each value until the next sample, instead of joining them by lines */
    bool over;    /* the curves are over signals, not over the time */
    bool equal;   /* then: a unit is as long on one axis as on the other, in one panel */
    /* Pictures: pixels, of the whole and of one panel; 0: 960, and by the number of panels.
     * Terminal: characters, of the whole and of all lines together; 0: 80 and 24. */
    unsigned width, height;
    bool colour; /* terminal only */
    bool ascii;  /* terminal only: no braille, for terminals without UTF-8 */
} hk_plot;

/* Returns how many lines it has written: more than the height if the panels need them. */
size_t hk_plot_terminal(const hk_plot *plot, FILE *out);
/* The size of the picture depends on its width, not on the number of rows. */
hk_picture hk_plot_draw(const hk_plot *plot, hk_canvas *canvas);
/* True if signals of very different range share a panel, so that one of them can hardly be seen. */
bool hk_plot_is_flat(const hk_plot *plot);
/* True if two curves of a panel look the same, because there are more than looks. */
bool hk_plot_looks_repeat(const hk_plot *plot);
enum { HK_PLOT_DASHES = 4, HK_PLOT_TERMINAL_LOOKS = 6 };
/* The same of a terminal. */
bool hk_plot_terminal_looks_repeat(const hk_plot *plot);

#endif
