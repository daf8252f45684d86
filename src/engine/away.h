/* SPDX-License-Identifier: MIT
 *
 * What the engine does for components that run elsewhere, and for those whose values are wanted
 * there: part.h. */
#ifndef HK_ENGINE_AWAY_H
#define HK_ENGINE_AWAY_H

#include "engine/part.h"
#include "engine/slots.h"

struct hk_cell;

/* A flow into or out of this node, and where its values lie. */
typedef struct hk_part_flow {
    const hk_plan_flow *about;
    uint32_t index;
    const hk_engine_port **ports; /* as the flow lists its variables */
    hk_tick next;                 /* into: the activation whose message comes next */
    hk_blob packed;               /* out of: room for a message */
} hk_part_flow;

/* A producer elsewhere whose activations up to now - lag must be there. */
typedef struct hk_gate {
    hk_part_flow *flow;
    hk_tick lag;
    bool ends; /* what is wanted is whether it ends the run */
} hk_gate;

/* What comes before the first instant, in this order. */
typedef enum hk_beginning {
    HK_STAGE_OPEN,
    HK_STAGE_START,  /* start values: of components, then of the scenario */
    HK_STAGE_PRESET, /* those */
    HK_STAGE_ENTER,
    HK_STAGE_GIVEN, /* initial values: of connections, then by groups */
    HK_STAGE_GROUP, /* those */
    HK_STAGE_EXIT,
    HK_STAGE_READ, /* the first gets, by cell */
    HK_STAGE_ONCE, /* and of what never changes */
    HK_STAGE_DONE
} hk_beginning;

/* The parts of a phase; the last: what is read of a component that has ended the run. */
typedef enum hk_moment_part {
    HK_MOMENT_COPY,
    HK_MOMENT_SET,
    HK_MOMENT_STEP,
    HK_MOMENT_GET,
    HK_MOMENT_LAST
} hk_moment_part;
/* How it is called: calls of one cell and part come by list, then by shape. */
typedef struct hk_moment_way {
    unsigned list, shape, number;
} hk_moment_way;

typedef enum hk_tally_kind { HK_TALLY_CALLS, HK_TALLY_ROWS, HK_TALLY_VALUES } hk_tally_kind;
/* What was done in each of some activations: part_tally.c. */
typedef struct hk_tally {
    hk_tally_kind kind;
    uint32_t rate, level;
    hk_tick from, to; /* not with TO; of calls: numbers of activations, else their times */
    uint64_t done, left_out;
} hk_tally;

typedef struct hk_part_state {
    hk_sim_part part;
    hk_part_flow **into; /* per component; NULL: it runs here, or nothing is wanted of it */
    hk_part_flow **out;  /* all flows from here, by component */
    uint32_t *first_out; /* per component: its first; one more for the end */
    hk_gate *rows_before, *rows_after, *looks; /* of rows and of every instant */
    size_t rows_before_count, rows_after_count, look_count;
    hk_tick *last;    /* per component that runs elsewhere: the newest activation that was taken */
    hk_unit **tables; /* per component elsewhere that is one, if it was looked at; else NULL */
    uint32_t here;    /* how many components run on this node */
    uint64_t waits;   /* for messages, or for room; some are over at once */
    double cells_waited_ns, rows_waited_ns; /* in sampled instants */
    bool row_sampled;                       /* the row under way is of one */
    hk_soundness others;                    /* of parts that have given their account */
    const char **libraries;                 /* per component that runs there */
    const uint64_t **covered;               /* likewise; NULL: nothing is counted */
    double copy_s;
    hk_buffer tallies; /* of hk_tally: what is counted here */
    hk_tally *open;    /* per cell: of values, the last one; NULL: none */
    hk_tick armed;     /* since when calls are as they are */
    bool initializing;
    hk_beginning stage; /* of the making and initialization: hk_part_stage */
    uint64_t place;
    bool fails; /* at a moment that is not that of a call */
    hk_moment failed;
    bool alone;   /* the run ends for a reason that others do not know */
    bool closing; /* it has ended */
    bool running; /* initial values are exchanged: messages are of activations */
    bool loaded;  /* it goes on from a state */
    bool cut;     /* it ended while it waited */
    bool cut_row; /* in the middle of a row */
} hk_part_state;

static inline bool hk_is_away(const struct hk_part_state *p, uint32_t component) {
    return p && p->part.flows->placement.node_of[component] != p->part.node;
}

/* From this version of FMI on a step may end the run. */
enum { HK_FMI_ENDS = 2, HK_FMI_LAST = 3 };

/* Rows are written here. */
static inline bool hk_part_records(const struct hk_part_state *p) {
    HK_ASSERT(p);
    return p->part.node == p->part.flows->placement.recorder;
}

/* What is done next, before the first instant. */
static inline void hk_part_stage(struct hk_part_state *p, hk_beginning stage, uint64_t place) {
    if (!p)
        return;
    p->stage = stage;
    p->place = place;
}
/* The lists of what is got in a phase. */
enum { HK_MOMENT_TEXTS = 1, HK_MOMENT_ROWS, HK_MOMENT_MEMORY };
struct hk_exchange;
hk_moment_way hk_moment_exchange(const struct hk_exchange *x);
/* moment.c: of a call of a component in a phase of this instant, or before the first one. */
hk_moment hk_moment_of(const hk_sim *sim, hk_moment_part part, uint32_t component,
                       hk_moment_way way);
/* A failure that is not that of a call: of a copy to a component; ALL: of what its cell has got. */
void hk_moment_fails(hk_sim *sim, hk_moment_part part, uint32_t component, bool all);
/* Of which shape its step is, wherever it runs. */
unsigned hk_moment_step_shape(const hk_sim *sim, uint32_t component);

/* What all parts do is counted here. */
static inline bool hk_part_counts(const struct hk_part_state *p) {
    return !p || hk_part_records(p);
}

/* Before instances are opened; after ports are known and have addresses. */
void hk_part_make(hk_sim *sim);
void hk_part_bind(hk_sim *sim);
void hk_part_bind_rows(hk_sim *sim); /* after what rows show is known */
void hk_part_finish(hk_sim *sim);
/* The shell of a component that runs elsewhere. */
hk_unit *hk_away_open(hk_sim *sim, uint32_t component);
/* The gates of cells, by the lags of PLAN; and waits until all of them are open. */
void hk_gates_make(hk_sim *sim, const hk_plan *plan, struct hk_cell *cells, size_t count);
HK_NODISCARD bool hk_gates_open(hk_sim *sim, const hk_gate *gates, const hk_gate *end);
/* Members of a cell have published: to all who want it. */
HK_NODISCARD bool hk_part_publish(hk_sim *sim, const struct hk_cell *c);
/* A value was read in initialization mode; all were, once; a look was taken at the end. */
HK_NODISCARD hk_status hk_part_initial(hk_sim *sim, uint32_t component, uint32_t variable);
HK_NODISCARD hk_status hk_part_first(hk_sim *sim);
/* A state was loaded, by all nodes: what they have published by then. */
HK_NODISCARD hk_status hk_part_again(hk_sim *sim);
HK_NODISCARD bool hk_part_look(hk_sim *sim, uint32_t component);
HK_NODISCARD bool hk_part_take_initial(hk_sim *sim, uint32_t component, uint32_t variable);
/* What a row shows is there: what is sampled before the phases of an instant, or after them. */
HK_NODISCARD bool hk_part_rows(hk_sim *sim, bool after);
/* What conditions look at is there, as it holds before this instant. */
HK_NODISCARD bool hk_part_instant(hk_sim *sim);
/* All activations before this instant are there: of one component, which is about to be changed by
 * a scenario; of all, where a run ends. FINAL: at its stop time, where all are. */
HK_NODISCARD bool hk_part_reach(hk_sim *sim, uint32_t component);
HK_NODISCARD bool hk_part_end(hk_sim *sim, bool final);
/* A component was stopped or started, and has changed what it says: all who look at it know. */
HK_NODISCARD bool hk_part_changed(hk_sim *sim, uint32_t component);
/* A component that runs here has ended the run inside of a step: tells all others. READABLE: its
 * last values go along. */
void hk_part_tell_ended(hk_sim *sim, bool readable);
/* One that runs elsewhere has: its last values are here, and what others did before. */
HK_NODISCARD bool hk_part_take_ended(hk_sim *sim, bool *ret_readable);
/* What a table elsewhere says now is where its values lie here. It follows from the time alone, so
 * nobody is asked. */
HK_NODISCARD hk_status hk_part_table(hk_sim *sim, uint32_t component);

#endif
