/* SPDX-License-Identifier: MIT
 *
 * What the loop does: the calls and copies of each cell, as arrays that were sized and filled by
 * ports.c, layout.c and wiring.c. The loop itself (run.c) allocates nothing, locks nothing and
 * looks nothing up. */
#ifndef HK_ENGINE_CELLS_H
#define HK_ENGINE_CELLS_H

#include "engine/threads.h"
#include "plan/overrun.h"
#include "plan/program.h"

typedef struct hk_exchange {
    hk_op what;
    hk_call call;
    hk_range texts; /* gets of text or binary: ports to be taken into our own memory at once */
    hk_store store;
    unsigned use;
    void *own; /* sets: our own memory, where call.values may be that of a producer */
} hk_exchange;

/* A step that has only begun. */
typedef struct hk_under_way {
    bool waited_for;
    double begin, h;
} hk_under_way;

typedef struct hk_stepping {
    hk_op what;
    hk_step_call call;
    hk_tick shift; /* the component's own clock is so much behind: it was stopped for a while */
} hk_stepping;

typedef struct hk_copy {
    const void *from;
    void *to;
} hk_copy;

typedef struct hk_linear_copy {
    const double *from;
    double *to;
    double factor, offset;
} hk_linear_copy;

/* A connection that is more than a plain or linear copy of the newest value. */
typedef struct hk_general_copy {
    uint32_t connection;
    const hk_sim_instance *producer;
    bool past;        /* look into the history */
    const void *from; /* newest value; with past: offset in a frame instead */
    size_t frame_offset;
    hk_tick lag;
    const void *initial; /* of the connection itself, in from_store; NULL: none */
    void *to;
    hk_store from_store, to_store;
    bool to_text; /* binary becomes text, which not all of it can */
    size_t count, from_bytes;
    const hk_transform *transform; /* NULL: none */
    hk_slope *slope;               /* NULL: hold */
    hk_tick ahead;                 /* the consumer's step */
    hk_tick stamp; /* from the producer's activation to where its value holds, plus the delay */
    uint32_t blob;
    struct hk_trouble *trouble; /* faults; NULL: none */
} hk_general_copy;

/* Numbers of floating point that lie together. */
typedef struct hk_segment {
    const void *from;
    size_t count;
    hk_store store; /* F64 or F32 */
} hk_segment;

typedef struct hk_due_time {
    hk_tick tick;
    double seconds; /* NaN: has to be found out exactly */
    double h;       /* the usual length of its steps */
} hk_due_time;

/* What the calls of a cell must add up to (monitor.c). Sums go on from cell to cell of a rate, so
 * that each also says what came before it. */
typedef struct hk_cell_watch {
    uint64_t *seen;            /* the sum so far, of its rate; shares have their own */
    uint64_t must[CALL_KINDS]; /* after its sets, steps, gets */
    uint64_t before, after;    /* the sum before its first call, and to go on with */
    uint64_t rows;             /* of the gets for rows alone */
    hk_due_time *due;          /* the monitor's own clock: when its rate is next */
    hk_tick advance;           /* by how much that moves after this cell; below 0: by a pattern */
    uint32_t calls, row_calls; /* how many these are */
} hk_cell_watch;

/* The components of one rate on one level: what is done between two looks at the clock. Pointers
 * into the arrays of the simulation; each list ends where the next pointer says. */
typedef struct hk_cell {
    uint32_t level, rate;
    const uint32_t *members;
    uint32_t member_count;
    const hk_copy *copies8, *copies8_end;
    const hk_exchange *sets, *sets_sized, *sets_end; /* by shape */
    const hk_stepping *steps[HK_STEP_SHAPES + 1];    /* by shape; the last is the end */
    const hk_exchange *gets, *gets_sized, *gets_end;
    const hk_segment *finite, *finite_end; /* a few doubles each, which must be finite */
    hk_tick *last;       /* newest activation, in the block; TICK_INITIAL before the first */
    hk_cell_watch watch; /* what the monitor wants to see of it */
    bool rare;           /* something of what follows is there */
    const hk_copy *copies4, *copies4_end;
    const hk_linear_copy *linears, *linears_end;
    const hk_general_copy *generals, *generals_end;
    const hk_exchange *text_gets, *text_gets_end;
    const hk_exchange *row_gets, *row_gets_end;      /* of activations that a row shows */
    const hk_segment *finite_many, *finite_many_end; /* the others: arrays, singles */
    const hk_segment *finite_rows, *finite_rows_end;
    const uint32_t *pasts, *pasts_end;        /* instances that keep a history */
    const struct hk_gate *gates, *gates_end;  /* producers elsewhere that it waits for: away.h */
    bool sends;                               /* what it publishes is wanted elsewhere */
    const hk_stepping *shifted, *shifted_end; /* steps by a clock of their own */
    bool rare_steps;                          /* there are some, or steps that may only begin */
    struct hk_cell *shares; /* what each thread does of it; NULL: one does it all */
} hk_cell;

/* The arrays that cells point into. */
typedef struct hk_call_lists {
    hk_exchange *exchanges;
    hk_stepping *steppings;
    hk_copy *copies8, *copies4;
    hk_linear_copy *linears;
    hk_general_copy *generals;
    hk_segment *segments;
    uint32_t *pasts;
    struct hk_call_counts {
        size_t exchange, exchange_cap, stepping, stepping_cap, copy8, copy8_cap, copy4, copy4_cap;
        size_t linear, linear_cap, general, general_cap, segment, segment_cap, past, past_cap;
    } n;
} hk_call_lists;

/* What a cell is made of, as indices while the arrays still grow. */
typedef struct hk_cell_ranges {
    hk_range copies8, copies4, linears, generals, finite, finite_many, finite_rows, pasts;
    hk_range sets[HK_SHAPE_COUNT], gets[HK_SHAPE_COUNT], row_gets[HK_SHAPE_COUNT];
    hk_range steps[HK_STEP_SHAPES], shifted;
    hk_range text_gets;
} hk_cell_ranges;

/* Some cells and all that they are made of. Cells point into `live`; if everything is active and
 * nothing faulty that is the same as `all`, which then lies there. */
typedef struct hk_web {
    hk_cell *cells;
    size_t count;
    hk_cell_ranges *ranges; /* in `all` */
    hk_call_lists all, live;
    bool changed; /* cells point into `live` */
} hk_web;

typedef struct hk_rate_state {
    hk_tick period;
    hk_tick span; /* the period; where the length of a step is to be looked at, beyond any stop */
    double h;
    hk_range cells; /* by level */
    uint64_t runs;  /* activations so far */
    bool idle;      /* all of it is stopped: nothing is called, copied or looked at */
} hk_rate_state;

typedef struct hk_sim_loop {
    hk_cell *cells;
    size_t cell_count;
    hk_rate_state *rates;
    size_t rate_count;
    bool uneven;           /* some activations of some rates are not executed, or late */
    hk_tick *rate_next;    /* in the block: next activation of each rate */
    uint32_t *due;         /* rates due at this instant */
    uint32_t *due_cell;    /* the next cell of each */
    const hk_cell **batch; /* the cells of one phase */
    hk_web web, shared_web;
    hk_under_way *under_way; /* per component */
} hk_sim_loop;

/* copies.c */
bool hk_copy_general(hk_sim *sim, const hk_general_copy *c);
/* The same for a value that is found, without faults. */
bool hk_copy_from(hk_sim *sim, const hk_general_copy *c, const void *from);

/* run.c: a part of a cell (hk_fused_part), for instants at which others of it run by a library. */
bool hk_run_part(hk_sim *sim, const hk_cell *c, int part, bool monitored);
/* What only some cells have of the last part, after their usual gets. */
bool hk_run_rest(hk_sim *sim, const hk_cell *c, bool monitored);
int hk_exchange_call(const hk_exchange *x);

/* finite.c */
bool hk_finite(const hk_segment *begin, const hk_segment *end);
bool hk_finite_cell(const hk_cell *c);

#endif
