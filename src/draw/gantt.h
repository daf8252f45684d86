/* SPDX-License-Identifier: MIT
 *
 * Gantt charts of a plan: what each logical processor executes at the instants of a run, as text
 * and as SVG. All that happens at an instant happens at one simulated time; so instants are side
 * by side with equal width, and within an instant the width of an activation is its share of the
 * work. */
#ifndef HK_DRAW_GANTT_H
#define HK_DRAW_GANTT_H

#include "draw/canvas.h"
#include "plan/plan.h"

#include <stdio.h>

enum { HK_GANTT_INSTANTS = 80, HK_GANTT_CODE = 4 };

/* A logical processor, or the components that are on none. */
typedef struct hk_gantt_row {
    const char *name;
    bool declared;        /* it is a processor of the model */
    uint32_t *components; /* in the order of execution: by phase, then by rank */
    size_t count;
    hk_tick step;
} hk_gantt_row;

/* One activation; FROM and TO are parts of the instant, from 0 to 1. */
typedef struct hk_gantt_bar {
    uint32_t row, component;
    size_t instant;
    double from, to;
} hk_gantt_bar;

typedef struct hk_gantt {
    const hk_plan *plan;
    hk_gantt_row *rows;
    size_t row_count;
    uint32_t *row_of;             /* per component */
    char (*codes)[HK_GANTT_CODE]; /* per component: one letter where that is enough */
    bool *shown;                  /* per component: it has a bar */
    hk_tick *instants;
    size_t instant_count;
    hk_tick hyperperiod; /* after which all repeats; HK_TICK_NEVER: beyond every run */
    hk_tick transient;   /* until then overruns are irregular */
    bool whole;          /* the instants are all until then, or those of the whole run */
    hk_tick end;         /* where they end; if they are not whole the instant after them */
    bool costed;         /* widths follow from costs; otherwise all activations are the same */
    hk_gantt_bar *bars;  /* by instant */
    size_t bar_count;
    size_t most; /* activations of one row at one instant */
} hk_gantt;

/* COSTS: seconds an activation of each component takes, 0: not known; NULL: all the same. Shows the
 * first hyperperiod, but not more than INSTANTS_MAX instants. Everything lives in ARENA. */
void hk_gantt_init(hk_gantt *gantt, hk_arena *arena, const hk_plan *plan, const double *costs,
                   size_t instants_max);
/* "20 ms", "1/3 ms", "0": exact. */
const char *hk_gantt_time(hk_arena *arena, const hk_plan *plan, hk_tick tick);

typedef struct hk_gantt_options {
    const char *title;
    size_t width; /* terminal: columns */
    bool colour;  /* terminal */
    bool ascii;   /* terminal: no UTF-8 */
} hk_gantt_options;

/* Text shows as many of the instants as the width has room for, pictures as many as stay readable.
 */
void hk_gantt_text(const hk_gantt *gantt, hk_arena *arena, const hk_gantt_options *options,
                   FILE *out);
hk_picture hk_gantt_draw(const hk_gantt *gantt, const hk_gantt_options *options, hk_canvas *canvas);

#endif
