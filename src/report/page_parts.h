/* SPDX-License-Identifier: MIT
 *
 * Inside the page of a report: its logs as far as they are shown, and its parts. */
#ifndef HK_REPORT_PAGE_PARTS_H
#define HK_REPORT_PAGE_PARTS_H

#include "draw/plot.h"
#include "report/page_report.h"

/* ---- page_html.c: text of a page; words are escaped ---- */

typedef hk_svg hk_html;

void hk_html_tag(hk_html *t, const char *tag);                      /* "table", "/table" */
void hk_html_words(hk_html *t, const char *tag, const char *words); /* <p>words</p> */
void hk_html_cell(hk_html *t, const char *words);                   /* of a table; NULL: empty */
/* Rounded for people; the whole number is in the page, too. NaN: a dash. */
void hk_html_number(hk_html *t, hk_arena *arena, double value);
/* The head of a table, and its first row: HEADINGS end with NULL. */
void hk_html_table(hk_html *t, const char *caption, const char *const *headings);
void hk_html_table_end(hk_html *t);
void hk_html_begin(hk_html *t, const char *title);
void hk_html_end(hk_html *t);

/* ---- page_logs.c: logs, read one after the other ---- */

/* One column of one log, over all of its rows. */
typedef struct hk_page_number {
    size_t finite;           /* rows with a number */
    double final, mean, rms; /* NaN: there is none */
    double largest, when;    /* in magnitude; the first */
    hk_plot_curve curve;     /* over time: what can be seen of it */
} hk_page_number;

/* One log of one run. */
typedef struct hk_page_log {
    const char *file;
    int64_t run;
    size_t rows;
    const hk_plot_table *samples; /* some of its rows, evenly spread; all of them if they are few */
    hk_page_number *numbers;      /* of each column */
} hk_page_log;

/* The same log of all runs of a scenario that have it. */
typedef struct hk_page_set {
    const hk_page_log **logs;
    const hk_plot_table **tables; /* their samples */
    size_t count;
} hk_page_set;

/* The runs of one scenario, and all of its logs. */
typedef struct hk_page_scenario {
    const char *name; /* NULL: a system alone */
    const hk_model *model;
    const hk_play_run *runs;
    size_t run_count;
    hk_page_set *sets;
    size_t set_count;
} hk_page_scenario;

/* Reads the logs of the runs; all live in ARENA. */
HK_NODISCARD hk_status hk_page_read(hk_ctx *ctx, hk_arena *arena, hk_page_scenario *scenario);
/* The run has written the log of this number. */
bool hk_page_has_log(const hk_play_run *run, size_t index);
/* The column has numbers that are to be shown; the time is none of them. */
bool hk_page_is_number(const hk_plot_table *table, size_t column);

/* ---- page_plots.c: pictures ---- */

/* Where two columns of a log, north and east, are a position. */
typedef struct hk_page_track {
    const char *name; /* what is in front of ".x" and ".y" */
    size_t set;
    const char *north, *east; /* columns */
} hk_page_track;

/* All tracks of a scenario, in ARENA. */
hk_page_track *hk_page_tracks(hk_arena *arena, const hk_page_scenario *scenario, size_t *ret_count);
/* A map of the tracks; nothing without any. */
void hk_page_map(hk_html *t, hk_arena *arena, const hk_page_scenario *scenario);
/* Curves over time of what is not a track. */
HK_NODISCARD hk_status hk_page_curves(hk_ctx *ctx, hk_html *t, hk_arena *arena,
                                      const hk_page_scenario *scenario);

/* ---- page_tables.c ---- */

void hk_page_runs(hk_html *t, hk_arena *arena, const hk_page_scenario *scenario);
void hk_page_verdicts(hk_html *t, hk_arena *arena, const hk_page_scenario *scenario);
/* What was measured, over the repetitions. */
void hk_page_studies(hk_html *t, hk_arena *arena, const hk_study *studies, size_t count);
void hk_page_numbers(hk_html *t, hk_arena *arena, const hk_page_set *set);

#endif
