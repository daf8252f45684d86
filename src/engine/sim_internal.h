/* SPDX-License-Identifier: MIT
 *
 * The inside of a simulation. Everything the hot loop touches is an array that was sized and filled
 * by ports.c, layout.c and wiring.c; the loop itself (run.c) allocates nothing, locks nothing and
 * looks nothing up. */
#ifndef HK_ENGINE_SIM_INTERNAL_H
#define HK_ENGINE_SIM_INTERNAL_H

#include "base/host.h"
#include "engine/sim.h"
#include "plan/overrun.h"
#include "plan/program.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct range {
    uint32_t begin, end;
} range;

/* What a port is needed for. */
enum {
    USE_IN = 1,       /* an input that a connection drives */
    USE_EVERY = 2,    /* read after every activation */
    USE_ROW = 4,      /* read only after activations whose value a row will show */
    USE_STATIC = 8,   /* does not change by itself: parameters, constants, undriven inputs */
    USE_HISTORY = 16, /* past activations are kept */
    USE_DELAYED = 32, /* ... because a connection looks at them, not only the record */
    USE_SHOWN = 64    /* a driven input that the record or a condition looks at */
};

/* A variable of an instance that the engine exchanges. */
typedef struct port {
    uint32_t component, variable;
    unsigned use;
    bool by_address;      /* the unit keeps it in memory; else it lies in a buffer of ours */
    bool apart;           /* what lies in the unit's memory may change after it was published */
    size_t offset;        /* in the block, until address is known */
    void *address;        /* first element, in the variable's store */
    const void *borrowed; /* inputs that are set right out of their producer's memory; else NULL */
    size_t bytes;         /* of all its elements */
    size_t frame_offset;  /* in a frame of the history */
    uint32_t frame_blob;  /* first of its texts among those of a frame */
    uint32_t blob;        /* first blob of its elements; UINT32_MAX: not text or binary */
} port;

/* Text or binary that the engine owns. Grows when it has to. */
typedef struct blob {
    char *data;
    size_t size, cap;
} blob;

/* Element INDEX of LIST, or its end. A list of nothing has no place, and C knows no way from
 * nowhere, not even one of length 0. */
#define HK_AT(list, index) ((list) ? (list) + (index) : NULL)

/* Past activations of one instance, newest at head, each with the tick from which on it is seen:
 * its own, plus its lateness. The initial value is the activation with the tick TICK_INITIAL. */
#define TICK_INITIAL INT64_MIN
typedef struct history {
    uint32_t frames; /* 0: none */
    size_t frame_size;
    hk_tick period;
    const hk_pattern *pattern; /* NULL: each activation is executed and in time */
    bool gaps;                 /* the component was stopped for a while */
    uint32_t *head;            /* these three lie in the block */
    hk_tick *ticks;
    char *data;
    size_t head_offset, ticks_offset, data_offset;
    uint32_t blob, blobs_per_frame;
} history;

typedef struct instance {
    hk_unit *unit;
    _Atomic(const char *) said; /* its last lines, for messages; NULL: none */
    range ports;
    history past;
    const hk_tick *last; /* newest activation: that of its cell, or its own while it is stopped */
    const hk_tick *cell_last;
    uint64_t set_at; /* set by hand before its time: activations of its rate then, plus 1 */
} instance;

/* What is being called, so that a crash, a hang or an error can be told by name. */
typedef struct op {
    const char *name;
    uint32_t component;
} op;

/* A call that was made: for those who ask which. */
typedef enum call_kind { CALL_SET, CALL_STEP, CALL_GET, CALL_KINDS } call_kind;
typedef struct made {
    call_kind kind;
    const op *what;
} made;

/* What one thread is doing. */
typedef struct lane {
    _Atomic(const op *) at; /* the call in progress; NULL: our own code */
    bool failed;            /* in this phase */
    bool misbehaved;        /* the floating-point environment was changed */
    struct made *made;      /* careful phases: the calls of this phase, as they were made */
    size_t made_count, made_cap;
    blob text;       /* traced phases: the same as lines of text */
    uint32_t *ports; /* scratch for those */
} lane;

typedef struct exchange {
    op what;
    hk_call call;
    range texts; /* gets of text or binary: ports to be taken into our own memory at once */
    hk_store store;
    unsigned use;
    void *own; /* sets: our own memory, where call.values may be that of a producer */
} exchange;

/* A step that has only begun. */
typedef struct under_way {
    bool waited_for;
    double begin, h;
} under_way;

typedef struct stepping {
    op what;
    hk_step_call call;
    hk_tick shift; /* the component's own clock is so much behind: it was stopped for a while */
} stepping;

typedef struct copy {
    const void *from;
    void *to;
} copy;

typedef struct linear_copy {
    const double *from;
    double *to;
    double factor, offset;
} linear_copy;

/* Memory of a connection that extrapolates: the two newest activations it has seen. */
typedef struct slope {
    double newest, before;
    hk_tick newest_tick, before_tick;
} slope;

/* A connection that is more than a plain or linear copy of the newest value. */
typedef struct general_copy {
    uint32_t connection;
    const instance *producer;
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
    slope *slope;                  /* NULL: hold */
    hk_tick ahead;                 /* the consumer's step */
    hk_tick stamp; /* from the producer's activation to where its value holds, plus the delay */
    uint32_t blob;
    struct trouble *trouble; /* faults; NULL: none */
} general_copy;

/* Numbers of floating point that lie together. */
typedef struct segment {
    const void *from;
    size_t count;
    hk_store store; /* F64 or F32 */
} segment;

typedef struct due_time {
    hk_tick tick;
    double seconds; /* NaN: has to be found out exactly */
    double h;       /* the usual length of its steps */
} due_time;

/* What the calls of a cell must add up to (monitor.c). Sums go on from cell to cell of a rate, so
 * that each also says what came before it. */
typedef struct cell_watch {
    uint64_t *seen;            /* the sum so far, of its rate; shares have their own */
    uint64_t must[CALL_KINDS]; /* after its sets, steps, gets */
    uint64_t before, after;    /* the sum before its first call, and to go on with */
    uint64_t rows;             /* of the gets for rows alone */
    due_time *due;             /* the monitor's own clock: when its rate is next */
    hk_tick advance;           /* by how much that moves after this cell; below 0: by a pattern */
    uint32_t calls, row_calls; /* how many these are */
} cell_watch;

/* The components of one rate on one level: what is done between two looks at the clock. Pointers
 * into the arrays of the simulation; each list ends where the next pointer says. */
typedef struct cell {
    uint32_t level, rate;
    const uint32_t *members;
    uint32_t member_count;
    const copy *copies8, *copies8_end;
    const exchange *sets, *sets_sized, *sets_end; /* by shape */
    const stepping *steps[HK_STEP_SHAPES + 1];    /* by shape; the last is the end */
    const exchange *gets, *gets_sized, *gets_end;
    const segment *finite, *finite_end; /* a few doubles each, which must be finite */
    hk_tick *last;    /* newest activation, in the block; TICK_INITIAL before the first */
    cell_watch watch; /* what the monitor wants to see of it */
    bool rare;        /* something of what follows is there */
    const copy *copies4, *copies4_end;
    const linear_copy *linears, *linears_end;
    const general_copy *generals, *generals_end;
    const exchange *text_gets, *text_gets_end;
    const exchange *row_gets, *row_gets_end;      /* of activations that a row shows */
    const segment *finite_many, *finite_many_end; /* the others: arrays, singles */
    const segment *finite_rows, *finite_rows_end;
    const uint32_t *pasts, *pasts_end;     /* instances that keep a history */
    const stepping *shifted, *shifted_end; /* steps by a clock of their own */
    bool rare_steps;                       /* there are some, or steps that may only begin */
    struct cell *shares;                   /* what each thread does of it; NULL: one does it all */
} cell;

/* The arrays that cells point into. */
typedef struct lists {
    exchange *exchanges;
    stepping *steppings;
    copy *copies8, *copies4;
    linear_copy *linears;
    general_copy *generals;
    segment *segments;
    uint32_t *pasts;
    struct counts {
        size_t exchange, exchange_cap, stepping, stepping_cap, copy8, copy8_cap, copy4, copy4_cap;
        size_t linear, linear_cap, general, general_cap, segment, segment_cap, past, past_cap;
    } n;
} lists;

/* What a cell is made of, as indices while the arrays still grow. */
typedef struct cell_ranges {
    range copies8, copies4, linears, generals, finite, finite_many, finite_rows, pasts;
    range sets[HK_SHAPE_COUNT], gets[HK_SHAPE_COUNT], row_gets[HK_SHAPE_COUNT];
    range steps[HK_STEP_SHAPES], shifted;
    range text_gets;
} cell_ranges;

/* Some cells and all that they are made of. Cells point into `live`; if everything is active and
 * nothing faulty that is the same as `all`, which then lies there. */
typedef struct web {
    cell *cells;
    size_t count;
    cell_ranges *ranges; /* in `all` */
    lists all, live;
    bool changed; /* cells point into `live` */
} web;

/* What a run does while certain providers are bound: orders.c. */
typedef struct order {
    const hk_plan *plan;
    struct hk_program *program;
    cell *cells;
    size_t cell_count;
    web web; /* unless it is in use: then it is the simulation's */
} order;

typedef struct rate_state {
    hk_tick period;
    hk_tick span; /* the period; where the length of a step is to be looked at, beyond any stop */
    double h;
    range cells;   /* by level */
    uint64_t runs; /* activations so far */
} rate_state;

/* A piece of a row: bytes that lie together in memory and in the row. */
typedef struct row_piece {
    const void *from;
    size_t offset, size;
} row_piece;

typedef struct row_past {
    const instance *producer;
    size_t frame_offset, offset, size;
    hk_tick lag;
    uint32_t component;
} row_past;

/* The rows of one listener among several: a part of each row of the engine. */
typedef struct row_part {
    hk_sink sink; /* row_begin NULL: it wants no more */
    size_t listener;
    size_t offset, size;
    hk_tick interval;
    bool on_grid;
    bool settled; /* what it holds is known when the instant begins */
} row_part;

typedef struct watch {
    hk_stop_when condition;
    const port *port;
    hk_store store;
    hk_tick stamp; /* from an activation to where its value holds */
    const hk_tick *last;
    const instance *producer; /* overruns: what is seen is in its history; else NULL */
} watch;

typedef struct tally {
    double get_ns, set_ns, step_ns;
    uint64_t steps;
    double slot_ns, before_ns; /* real time: what an activation may take; all that came before */
    uint64_t overran;
    uint64_t runs_at_stop,
        missed; /* activations of its rate when it stopped; while it was stopped */
} tally;

struct hk_sim {
    hk_ctx *ctx;
    const hk_plan *plan;
    hk_program *program; /* what is bound here */
    const hk_model *model;
    hk_sim_options options;
    hk_arena *arena;
    hk_status status;
    const char *end_reason;
    bool ended, finished;
    /* A component asked to end with a step that it has done: the run ends when that step does. */
    hk_tick asked_end;
    const char *asked_reason;
    uint32_t asker;  /* the component that did */
    uint32_t ender;  /* has ended the run in the middle of a step; HK_MAP_NONE: none has */
    double ended_at; /* when, in seconds */

    /* All data of the engine that changes during a run, in one piece: saving is one copy. */
    char *block;
    size_t block_size;
    blob *blobs;
    size_t blob_count, blob_cap;

    /* All native components, one after the other, behind a head for fused code: places.c. */
    char *system;
    size_t system_size;
    void *system_memory;
    size_t *places;      /* per component: where it lies in there; 0: elsewhere */
    struct fused *fused; /* fused.c; NULL: every cell is interpreted */

    instance *instances;
    port *ports; /* by component, then variable */
    size_t port_count;
    web web, shared_web;
    struct incoming *incoming; /* wiring.c */
    bool *newest;   /* per connection: takes the newest value, without a look into the past */
    bool *borrowed; /* per connection: the set can read the producer's memory, without a copy */
    bool *shaky;    /* per connection: it keeps what the consumer saw last */
    bool *lent;     /* per connection: and does so, since no fault stands in the way */
    bool *active;   /* per component, in the block */
    hk_tick *shift; /* per component, in the block: how much its own clock is behind */
    hk_tick *stopped_at; /* per component, in the block: newest activation before it stopped */
    struct trouble **troubles; /* per connection; NULL: none has any */
    const hk_plan *family;     /* the plan with all its orders; `plan` is the one in use */
    order *orders;
    size_t order_count, order, first_order; /* in use; at the beginning */
    struct bound *bound;                    /* services.c: per requirement */
    bool *calls;                            /* per component: it calls services, or is called */
    size_t stopped_bindings;                /* requirements whose provider is stopped */
    hk_tick hook_next;                      /* the earliest of all hooks */
    const char *finish_reason;              /* a hook wants to end the run */
    uint32_t *texts;                        /* ports of the gets that deliver text */
    size_t text_count, text_cap;
    slope *slopes; /* one per connection, in the block; used where inputs are extrapolated */
    cell *cells;
    size_t cell_count;
    rate_state *rates;
    size_t rate_count;
    bool uneven;        /* some activations of some rates are not executed, or late */
    hk_tick *rate_next; /* in the block: next activation of each rate */
    uint32_t *due;      /* rates due at this instant */
    uint32_t *due_cell; /* the next cell of each */
    const cell **batch; /* the cells of one phase */
    exchange *once;     /* gets done once, after initialization */
    size_t once_count, once_cap;

    /* Time. */
    hk_tick *clock; /* in the block: the instant that comes next */
    hk_tick now;
    hk_tick stop;
    int64_t ticks_per_second;
    bool exact_seconds;            /* ticks and ticks per second are below 2^53 */
    _Atomic double seconds;        /* of now; the guard's thread reads it too */
    _Atomic(const char *) calling; /* a call that a component makes by itself: hk_unit_options */
    hk_tick *row_next;             /* in the block */

    /* Listeners: listeners.c. */
    hk_listener *listeners;
    size_t listener_count;
    hk_tick *hook_ticks; /* per listener: when its hook is wanted next */
    /* What the loop knows of their rows. One listener gets them in place; those of several lie
     * side by side in one row, which is dealt out. */
    hk_sink sink;         /* row_begin NULL: nobody wants rows */
    hk_tick row_interval; /* rows at start + k * row_interval */
    const hk_column *columns;
    size_t column_count;
    row_part *parts;
    size_t part_count;
    char *parts_row;
    bool row_ends;    /* the row is added where the run ends */
    bool row_rescued; /* the row is of an instant that does not come to its end */

    /* Rows. */
    row_piece *pieces_before, *pieces_after; /* sampled before and after the phases */
    size_t before_count, after_count;
    row_past *pasts_before, *pasts_after;
    size_t past_count, past_after_count;
    blob *row_texts; /* texts of the row that the phases in between might change */
    size_t *row_text_offsets;
    size_t row_text_count;
    const hk_column **row_transforms; /* columns whose values are changed on their way */
    size_t row_transform_count;
    char *row;

    watch *watches;
    size_t watch_count;

    /* Safety. */
    lane self;                 /* of the thread that runs the simulation */
    pthread_mutex_t fail_lock; /* two threads may fail at the same time */
    uint64_t fp_control;
    bool careful; /* every instant is run with checks per call */
    atomic_bool interrupted;
    bool fp_reported;
    bool fp_slipped; /* it was changed, and nobody was caught */

    /* Profile and pace. */
    tally *tallies;
    under_way *under_way; /* per component */
    double copy_ns, record_ns, total_ns, init_ns, sampled_ns;
    uint64_t instants, sampled, rows, rows_sampled;
    unsigned until_sample, until_poll, poll_every;
    int64_t wall_start, wall_polled;
    hk_tick pace_from;
    double worst_late_s;
    hk_profile profile;

    /* Threads. */
    struct hk_team *team; /* NULL: one thread */
    lane *lanes;          /* of the others: lanes[1] ... */
    cell *shares;
    bool shares_decided;

    hk_access **accesses; /* variables that are reached by hand */
    size_t access_count, access_cap;

    struct score *score; /* score.h: for instants at which nothing else happens */
    struct monitor *monitor;
    bool monitored;           /* else nothing is compared */
    double ticks_each_second; /* as ticks_per_second */
    struct trace *trace;      /* NULL: calls are not written down */
    size_t waiting_writes;    /* values written by hand that wait for the next step: access.c */

    struct given *loaded; /* given.c: to the run whose state was loaded; NULL: none was */
    size_t loaded_count;

    hk_host host; /* the process when the simulation was made; its folder while that lasts */
    unsigned host_reported;
};

/* What a call adds to the sum: made of the arguments it is really made with, so that a call that is
 * left out, made twice, made with the values of another or for another instance changes the sum.
 * One factor is odd: none is zero, however round the addresses are. */
static inline uint64_t hk_token(uintptr_t fn, const void *self, const void *values) {
    return ((uint64_t)fn + (uint64_t)(uintptr_t)self) * (2 * (uint64_t)(uintptr_t)values + 1);
}

static inline uint64_t hk_step_token(uintptr_t fn, const void *self) {
    return (uint64_t)fn * (2 * (uint64_t)(uintptr_t)self + 1);
}

static inline uint64_t hk_copy_token(const void *from, const void *to) {
    return (uint64_t)(uintptr_t)from * (2 * (uint64_t)(uintptr_t)to + 1);
}

static inline void hk_set_due_exact(const hk_sim *sim, due_time *due, hk_tick tick) {
    due->tick = tick;
    due->seconds = (double)tick / sim->ticks_each_second;
}

static inline void hk_set_due(const hk_sim *sim, due_time *due, hk_tick tick) {
    hk_set_due_exact(sim, due, tick);
    if (!sim->exact_seconds)
        due->seconds = (double)NAN;
}

/* Plain stores, which the guard's thread may see at any time: whoever sees the call in progress
 * sees what it is, too. */
static inline void hk_at(lane *l, const op *what) {
    atomic_store_explicit(&l->at, what, memory_order_release);
}

static inline void hk_set_seconds(hk_sim *sim, double seconds) {
    atomic_store_explicit(&sim->seconds, seconds, memory_order_relaxed);
}

/* The lowest level of what is left to do of the first DUE_COUNT rates that are due; UINT32_MAX:
 * nothing is. */
static inline uint32_t hk_lowest_level(const hk_sim *sim, size_t due_count) {
    uint32_t level = UINT32_MAX;
    for (size_t i = 0; i < due_count; i++)
        if (sim->due_cell[i] < sim->rates[sim->due[i]].cells.end &&
            sim->cells[sim->due_cell[i]].level < level)
            level = sim->cells[sim->due_cell[i]].level;
    return level;
}

/* Between two instants the time is that of the one that comes next. */
void hk_settle_time(hk_sim *sim);

/* A saved state. The block is a copy of the simulation's own; pointers to text in it are put right
 * when it is restored. */
struct hk_snapshot {
    char *block;
    blob *blobs;
    size_t blob_count;
    void **states; /* one per component */
    size_t state_count;
    bool torn;           /* the last save into it failed: parts of it are of two times */
    bool from_file;      /* outputs are to be read again from the components */
    bool *lacking;       /* per port: the file does not hold its past; NULL: not from a file */
    struct given *given; /* what the run that wrote the file was given before it began */
    size_t given_count;
};

/* snapshot.c: all but the states of the components stays. */
void hk_snapshot_free_states(hk_sim *sim, hk_snapshot *snapshot);
/* statefile_read.c: the newest values stand in for the past that a file does not hold. */
void hk_snapshot_fill_pasts(hk_sim *sim, const hk_snapshot *snapshot);

/* guard.c: which simulation a fatal signal is about. */
void hk_sim_watch(hk_sim *sim);
void hk_sim_unwatch(hk_sim *sim);
/* The lane of the calling thread; a signal handler asks for it. */
void hk_lane_enter(lane *l);
/* share.c: decides from what was measured whether threads pay, and starts them. */
void hk_share_decide(hk_sim *sim);
void hk_share_end(hk_sim *sim);
/* MODE as in phase.h. */
bool hk_share_phase(hk_sim *sim, const cell *const *cells, size_t count, unsigned mode);
/* ports.c */
const port *hk_sim_port(const hk_sim *sim, uint32_t component, uint32_t variable);
/* Where the first element lies that a connection takes, and where it brings it. */
const void *hk_source_address(const hk_sim *sim, const hk_connection *k);
void *hk_target_address(const hk_sim *sim, const hk_connection *k);
/* listeners.c: what they want, before anything is built; whether a row at this end is for any of
 * them; the hooks that are due, and those who want to know how far the run is. */
void hk_listeners_make(hk_sim *sim);
bool hk_listeners_want_end(const hk_sim *sim);
void hk_listeners_hook(hk_sim *sim);
void hk_listeners_progress(const hk_sim *sim);
bool hk_listeners_trace(const hk_sim *sim); /* some listener wants the calls */
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
/* initial.c */
HK_NODISCARD hk_status hk_sim_initialize(hk_sim *sim);
HK_NODISCARD hk_status hk_sim_read_all(hk_sim *sim);
/* The same for one component that has ended the run; false if it cannot be read. */
bool hk_sim_read_component(hk_sim *sim, uint32_t component);
/* What was given to a variable before the run, or its own start value; data NULL: nothing. */
hk_value hk_start_value(const hk_sim *sim, uint32_t component, uint32_t variable);
/* places.c: memory for all components that can live in it. */
void hk_places_make(hk_sim *sim);
/* fused.c: after anything has changed: which cells run by the library from now on. */
void hk_fused_arm(hk_sim *sim);
void hk_fused_finish(hk_sim *sim);
/* What is due at an instant; and many instants at which nothing else happens, up to END at most.
 * False: the run ends here. */
bool hk_fused_phases(hk_sim *sim, size_t due_count, bool monitored);
bool hk_fused_burst(hk_sim *sim, hk_tick end);
/* relink.c: what the loop does after a change of what is active or faulty. */
void hk_relink(hk_sim *sim);
/* Says so if what a scenario has changed cannot be saved. */
HK_NODISCARD hk_status hk_change_savable(hk_sim *sim, bool to_file);
/* trouble.c: copies what FROM holds, with the faults of the connection. */
bool hk_trouble_apply(hk_sim *sim, const general_copy *c, const void *from);
void hk_troubles_finish(hk_sim *sim);
/* orders.c: cells for each order of the plan, and the one for what is bound; the calls of those
 * that are not in use; another one, after a binding. */
HK_NODISCARD hk_status hk_orders_make(hk_sim *sim);
HK_NODISCARD hk_status hk_orders_wire(hk_sim *sim);
HK_NODISCARD hk_status hk_order_choose(hk_sim *sim);
void hk_orders_restored(hk_sim *sim); /* the block of a state was put back */
void hk_orders_finish(hk_sim *sim);
/* sim.c: what is called in an order. */
struct hk_program *hk_sim_program(const hk_sim *sim, const hk_plan *plan);
/* services.c: who provides what at the beginning; the calls that follow from it. */
HK_NODISCARD hk_status hk_services_choose(hk_sim *sim);
void hk_services_bind_all(hk_sim *sim);
hk_provider hk_services_bound(const hk_sim *sim, size_t requirement);
void hk_services_provider_changed(hk_sim *sim, uint32_t component);
void hk_services_connect_all(hk_sim *sim); /* after the states of components were restored */
/* copies.c */
bool hk_copy_general(hk_sim *sim, const general_copy *c);
/* The same for a value that is found, without faults. */
bool hk_copy_from(hk_sim *sim, const general_copy *c, const void *from);
const void *hk_history_seen(const instance *producer, size_t frame_offset, hk_tick latest,
                            hk_tick *ret_tick);
void hk_history_push(hk_sim *sim, instance *producer, hk_tick t);
void hk_blob_assign(blob *b, hk_bytes value);
/* Takes the texts that a get has delivered into memory of ours. */
void hk_texts_keep(hk_sim *sim, range texts);
/* access.c */
void hk_accesses_finish(hk_sim *sim);
/* Values that were written by hand: sets those of components that are due at T; of all; or of none,
 * and forgets them. */
HK_NODISCARD bool hk_accesses_apply(hk_sim *sim, hk_tick t);
HK_NODISCARD bool hk_accesses_apply_all(hk_sim *sim);
void hk_accesses_forget(hk_sim *sim);
/* monitor_initial.c: before the loop. */
typedef struct initial_due {
    uint64_t copy, call; /* what is to be seen of a node; 0: nothing */
    uint32_t component, variable;
    bool input;
} initial_due;
void hk_monitor_begin(hk_sim *sim);                /* before any call is made */
void hk_initial_made(hk_sim *sim, uint64_t token); /* by hk_token or hk_copy_token */
/* CALL (NULL: it lies in shared memory) is the right one for NODE; what is due follows from it. */
HK_NODISCARD hk_status hk_initial_prove(hk_sim *sim, const hk_init_node *node, const hk_call *call,
                                        initial_due *ret_due);
/* A pass through COUNT nodes of the plan from FIRST on; then what is due of each, in order; and
 * there was no more. */
HK_NODISCARD hk_status hk_initial_begin(hk_sim *sim, size_t first, size_t count);
HK_NODISCARD hk_status hk_initial_seen(hk_sim *sim, const initial_due *due);
HK_NODISCARD hk_status hk_initial_end(hk_sim *sim, const initial_due *last);
HK_NODISCARD hk_status hk_initial_finish(hk_sim *sim); /* all nodes had their turn */
/* All outputs are read once. */
void hk_first_gets_begin(hk_sim *sim);
HK_NODISCARD hk_status hk_first_gets_end(hk_sim *sim);
void hk_initial_forget(hk_sim *sim); /* frees what was kept */
/* monitor.c. Arms it: finds what each cell must do, and proves that what is prepared is that. */
void hk_monitor_create(hk_sim *sim);
void hk_monitor_arm(hk_sim *sim); /* after anything has changed; sets sim->status if it is wrong */
void hk_monitor_lane(hk_sim *sim, lane *l); /* gives it room for the calls it makes */
void hk_monitor_resync(hk_sim *sim);        /* the clock was set */
bool hk_monitor_end(hk_sim *sim);           /* all that was due before the clock has been done */
/* These return true if nothing is wrong after all. */
bool hk_monitor_sum(hk_sim *sim, lane *l, const cell *c, call_kind part, uint64_t seen);
bool hk_monitor_time(hk_sim *sim, const cell *c, double t, double h);
bool hk_monitor_shifted(hk_sim *sim, const stepping *s, double t);
bool hk_monitor_rows(hk_sim *sim, lane *l, const cell *c, uint64_t seen);
bool hk_monitor_level(hk_sim *sim, size_t due_count, uint32_t level);
void hk_monitor_pass(hk_sim *sim, const cell *c);
/* monitor_report.c: what is to be said; each returns false. */
bool hk_report_sum(hk_sim *sim, const lane *l, const cell *c, call_kind part, uint64_t seen,
                   uint64_t must);
bool hk_report_time(hk_sim *sim, const cell *c, double t, double h, hk_tick due);
bool hk_report_unsound(hk_sim *sim, uint32_t component, const char *text);
/* monitor_values.c: debugging: what is set is what was got. */
void hk_values_create(hk_sim *sim);
void hk_values_forget(hk_sim *sim); /* what was got: a state was restored */
void hk_values_got(hk_sim *sim, const cell *c);
bool hk_values_set(hk_sim *sim, const cell *c);
/* Before each call: may it be made, after those before it? */
bool hk_values_may(hk_sim *sim, uint32_t component, hk_unit_call call);
/* trace.c */
void hk_trace_create(hk_sim *sim);
void hk_trace_finish(hk_sim *sim);
/* CODE is what the call returned, if it was made already: else hk_trace_status says it later. */
void hk_trace_exchange(hk_sim *sim, lane *l, const exchange *x, bool is_get, int code);
void hk_trace_memory(hk_sim *sim, lane *l, const cell *c, bool is_get);
void hk_trace_step(hk_sim *sim, lane *l, uint32_t component, double t, double h);
void hk_trace_initial(hk_sim *sim, const port *p, bool is_get, int code);
void hk_trace_start(hk_sim *sim, uint32_t component, uint32_t variable, const hk_value *value);
/* The call of the newest line has returned this. FAILED: the run ends here, whatever it is. */
void hk_trace_status(hk_sim *sim, lane *l, int code, bool failed);
void hk_trace_mode(hk_sim *sim, bool initial); /* initialization mode begins or ends */
void hk_trace_phase(hk_sim *sim);              /* the calls of a phase have been made */
void hk_trace_rest(hk_sim *sim);               /* the run ends: those of a phase that has begun */
/* failures.c: each sets sim->status, adds the diagnostic and returns false. A step may turn out
 * well, or be under way still: then hk_wait_step waits for its end. */
bool hk_fail_call(hk_sim *sim, const op *what, int code);
bool hk_fail_step(hk_sim *sim, const op *what, int code, double begin, double h);
bool hk_wait_step(hk_sim *sim, const op *what); /* true at once: it is not under way */
bool hk_fail_copy(hk_sim *sim, const general_copy *g);
bool hk_fail_not_finite(hk_sim *sim, const cell *c);
/* The floating-point environment has changed, or was seen to; WHAT NULL: by whoever. */
void hk_report_fpenv(hk_sim *sim, const op *what);
/* At the end: it was changed, and nobody was caught. */
void hk_report_slipped(hk_sim *sim);
/* Puts the process back to what it was when a call of ours began, and says who changed it; WHAT
 * NULL: whoever. FAULTS as in hk_host_restore. */
void hk_restore_host(hk_sim *sim, const hk_host *host, const op *what, bool faults);
/* After a call while the simulation is made. */
void hk_look_around(hk_sim *sim, const op *what);
/* May such a call be made now, outside of the loop? */
static inline hk_status hk_may(const hk_sim *sim, uint32_t component, hk_unit_call call,
                               bool set_before) {
    hk_unit *unit = sim->instances[component].unit;
    const hk_unit_class *k = unit->unit_class;
    return k->may ? k->may(sim->ctx, unit, call, set_before) : HK_OK;
}
/* run.c: a part of a cell (hk_fused_part), for instants at which others of it run by a library. */
bool hk_run_part(hk_sim *sim, const cell *c, int part, bool monitored);
/* What only some cells have of the last part, after their usual gets. */
bool hk_run_rest(hk_sim *sim, const cell *c, bool monitored);
int hk_exchange_call(const exchange *x);
/* finite.c */
bool hk_finite(const segment *begin, const segment *end);
bool hk_finite_cell(const cell *c);

#endif
