/* SPDX-License-Identifier: MIT
 *
 * Rows of the record and conditions: what is looked at, and where it lies. */
#ifndef HK_ENGINE_ROWS_H
#define HK_ENGINE_ROWS_H

#include "engine/slots.h"

/* A piece of a row: bytes that lie together in memory and in the row. */
typedef struct hk_row_piece {
    const void *from;
    size_t offset, size;
} hk_row_piece;

typedef struct hk_row_past {
    const hk_sim_instance *producer;
    size_t frame_offset, offset, size;
    hk_tick lag;
    uint32_t component;
} hk_row_past;

/* The rows of one listener among several: a part of each row of the engine. */
typedef struct hk_row_part {
    hk_sink sink; /* row_begin NULL: it wants no more */
    size_t listener;
    size_t offset, size;
    hk_tick interval;
    bool on_grid;
    bool settled; /* what it holds is known when the instant begins */
} hk_row_part;

typedef struct hk_watch {
    hk_stop_when condition;
    const hk_engine_port *port;
    hk_store store;
    hk_tick stamp; /* from an activation to where its value holds */
    const hk_tick *last;
    const hk_sim_instance *producer; /* overruns: what is seen is in its history; else NULL */
} hk_watch;

typedef struct hk_sim_rows {
    /* What the loop knows of those who take rows. One of them gets them in place; those of several
     * lie side by side in one row, which is dealt out: listeners.c. */
    hk_sink sink;     /* row_begin NULL: nobody wants rows */
    hk_tick interval; /* rows at start + k * interval */
    hk_tick *next;    /* in the block */
    const hk_column *columns;
    size_t column_count;
    hk_row_part *parts;
    size_t part_count;
    char *parts_row;
    bool ends;    /* the row is added where the run ends */
    bool over;    /* the row is one in which nothing is activated any more */
    bool rescued; /* the row is of an instant that does not come to its end */

    char *current;                              /* the row under way; NULL: none is */
    hk_row_piece *pieces_before, *pieces_after; /* sampled before and after the phases */
    size_t before_count, after_count;
    hk_row_past *pasts_before, *pasts_after;
    size_t past_count, past_after_count;
    hk_blob *texts; /* texts of the row that the phases in between might change */
    size_t *text_offsets;
    size_t text_count;
    const hk_column **transforms; /* columns whose values are changed on their way */
    size_t transform_count;

    hk_watch *watches; /* conditions that end the run */
    size_t watch_count;
} hk_sim_rows;

/* rows.c */
void hk_rows_build(hk_sim *sim);
bool hk_rows_before(hk_sim *sim, bool final);
bool hk_rows_after(hk_sim *sim);
/* The instant will not come to its end: brings the row that was begun to its end, if it can be
 * told; may be called in a signal handler. */
void hk_rows_rescue(hk_sim *sim);
/* Where the value of a component with overruns is that holds now. FINAL: at the end of the run. */
hk_tick hk_rows_latest(const hk_sim *sim, uint32_t component, hk_tick lag, bool final);
/* The lag with which the record looks at a component, and past activations it needs. */
hk_tick hk_rows_lag(const hk_sim *sim, uint32_t component);
int64_t hk_rows_depth(const hk_sim *sim, uint32_t component);

#endif
