/* SPDX-License-Identifier: MIT
 *
 * The inside of a simulation: its parts, each declared by its subject. */
#ifndef HK_ENGINE_SIM_PARTS_H
#define HK_ENGINE_SIM_PARTS_H

#include "base/host.h"
#include "engine/away.h"
#include "engine/cells.h"
#include "engine/changes.h"
#include "engine/listeners.h"
#include "engine/rows.h"
#include "engine/sim.h"
#include "engine/slots.h"
#include "engine/threads.h"

/* Why and where a run ends. */
typedef struct hk_sim_end {
    const char *reason; /* NULL: at its stop time */
    bool ended, finished;
    bool late; /* the time that it may take is over: it is interrupted for that */
    /* A component asked to end with a step that it has done: the run ends when that step does. */
    hk_tick asked_end;
    const char *asked_reason;
    double asked_at; /* in seconds, as the reason has it */
    uint32_t asker;  /* the component that did */
    uint32_t ender;  /* has ended the run in the middle of a step; HK_MAP_NONE: none has */
    double at;       /* when, in seconds */
    const char *finish_reason; /* a hook wants to end the run */
    bool alike;                /* by a condition that every node knows */
} hk_sim_end;

typedef struct hk_sim_time {
    hk_tick *clock; /* in the block: the instant that comes next */
    hk_tick now;
    hk_tick stop;
    int64_t ticks_per_second;
    double ticks_each_second; /* the same, for the monitor */
    bool exact_seconds;       /* ticks and ticks per second are below 2^53 */
    _Atomic double seconds;   /* of now; the guard's thread reads it too */
} hk_sim_time;

/* What others than the loop ask of it: the run is to end; or the function that runs it is to
 * return. */
enum hk_sim_asked { HK_ASKED_END = 1, HK_ASKED_YIELD = 2 };

typedef struct hk_sim_safety {
    _Atomic(const char *) calling; /* a call that a component makes by itself: hk_unit_options */
    pthread_mutex_t fail_lock;     /* two threads may fail at the same time */
    uint64_t fp_control;
    bool careful;      /* every instant is run with checks per call */
    bool monitored;    /* else nothing is compared */
    atomic_uint asked; /* from outside: hk_sim_asked */
    bool fp_reported;
    bool fp_slipped; /* it was changed, and nobody was caught */
    hk_host host;    /* the process when the simulation was made; its folder while that lasts */
    unsigned host_reported;
    _Atomic(hk_sim *) next_watched; /* watched.c */
    unsigned serial;                /* how many have been made in this process, with this one */
} hk_sim_safety;

typedef struct hk_profile_tally {
    double get_ns, set_ns, step_ns;
    uint64_t steps;
    double slot_ns, before_ns; /* real time: what an activation may take; all that came before */
    uint64_t overran;
    uint64_t runs_at_stop,
        missed; /* activations of its rate when it stopped; while it was stopped */
} hk_profile_tally;

/* Where the time goes, and the pace. */
typedef struct hk_sim_profiling {
    hk_profile_tally *tallies; /* per component */
    double copy_ns, record_ns, total_ns, init_ns, sampled_ns;
    uint64_t instants, sampled, rows, rows_sampled;
    unsigned until_sample, until_poll, poll_every;
    int64_t wall_start, wall_polled;
    hk_tick pace_from;
    double worst_late_s;
    hk_profile report;
} hk_sim_profiling;

struct hk_sim {
    hk_ctx *ctx;
    const hk_plan *plan;   /* the one in use */
    const hk_plan *family; /* the plan with all its orders */
    hk_program *program;   /* what is bound here */
    const hk_model *model;
    hk_sim_options options;
    hk_arena *arena;
    hk_status status;
    hk_sim_end end;
    hk_sim_memory memory;
    hk_sim_slots slots;
    hk_sim_loop loop;
    hk_sim_changes changes;
    hk_sim_time time;
    hk_sim_listening listening;
    hk_sim_rows rows;
    hk_sim_safety safety;
    hk_sim_profiling profile;
    hk_sim_lanes threads;
    struct hk_part_state *part;       /* away.h; NULL: every component runs here */
    struct hk_fused_state *fused;     /* fused.c; NULL: every cell is interpreted */
    struct hk_burst_score *score;     /* score.h: for instants at which nothing else happens */
    struct hk_monitor_state *monitor; /* monitor.c */
    struct hk_trace *trace;           /* NULL: calls are not written down */
};

static inline void hk_set_seconds(hk_sim *sim, double seconds) {
    atomic_store_explicit(&sim->time.seconds, seconds, memory_order_relaxed);
}

/* The lowest level of what is left to do of the first DUE_COUNT rates that are due; UINT32_MAX:
 * nothing is. */
static inline uint32_t hk_lowest_level(const hk_sim *sim, size_t due_count) {
    uint32_t level = UINT32_MAX;
    for (size_t i = 0; i < due_count; i++)
        if (sim->loop.due_cell[i] < sim->loop.rates[sim->loop.due[i]].cells.end &&
            sim->loop.cells[sim->loop.due_cell[i]].level < level)
            level = sim->loop.cells[sim->loop.due_cell[i]].level;
    return level;
}

/* sim.c: between two instants the time is that of the one that comes next. */
void hk_settle_time(hk_sim *sim);

/* May such a call be made now, outside of the loop? */
static inline hk_status hk_may(const hk_sim *sim, uint32_t component, hk_unit_call call,
                               bool set_before) {
    hk_unit *unit = sim->slots.instances[component].unit;
    const hk_unit_class *k = unit->unit_class;
    return k->may ? k->may(sim->ctx, unit, call, set_before) : HK_OK;
}

#endif
