/* SPDX-License-Identifier: MIT
 *
 * Plays a simulation: every scenario, as often as it says, each run from fresh instances, with its
 * events, logs and expectations. Runs do not know of each other, so they may be played in any order
 * and by any number of workers: the files and the report are the same. */
#ifndef HK_PLAY_PLAY_H
#define HK_PLAY_PLAY_H

#include "assembly/assembly.h"
#include "engine/fused.h"
#include "engine/sim.h"
#include "nodes/nodes.h"
#include "plan/flows.h"
#include "record/recorder.h"

#include <signal.h>

/* The logs that are being written; for the handler of a fatal signal. */
typedef struct hk_play_live {
    hk_recorder *const *recorders;
    volatile sig_atomic_t count;
} hk_play_live;
/* Brings them to a readable end. Async-signal-safe; LIVE is a hk_play_live. */
void hk_play_flush_from_signal(void *live);

/* Async-signal-safe: passes a signal on to the processes that play the runs; false: there are none.
 */
bool hk_play_pass_on(int number);
/* Async-signal-safe: "scenario 'a', run 2", which this process plays for another; NULL: none. */
const char *hk_play_run_name(void);

/* What is recorded of each run beside the logs of its scenario, in record.csv, named like a log: a
 * row at each step and at the end, as of a system alone. No columns: nothing. */
typedef struct hk_play_record {
    const hk_column *columns; /* without offsets */
    size_t count;
} hk_play_record;

typedef struct hk_play_options {
    const char *folder;   /* where logs go; NULL: the working directory */
    const char *scenario; /* only this one; NULL: all */
    int64_t only_run;     /* only this repetition; -1: all */
    /* Runs that are played at the same time; 0: 1. Each has a process of its own, unless there is
     * one only. */
    unsigned workers;
    bool in_process;  /* all runs in this process, one after the other: no workers */
    bool strict;      /* warnings about the scenario (events that never fire ...) are errors */
    bool trace;       /* keep a line per action, with its time */
    unsigned threads; /* of each run */
    hk_monitor monitor;
    double timeout_s, watchdog_s; /* of each run; engine/guard.h */
    double real_time;             /* simulated seconds per second; 0: as fast as possible */
    bool extrapolate, allow_nan, allow_stopped, fmi_logging;
    hk_play_record record;
    /* Who else follows each run, in this process, from its first instant on; an interval of 0 is
     * the step. */
    const hk_listener *listeners;
    size_t listener_count;
    /* States, of one run only: what it goes on from, and where it leaves its own at its end. NULL:
     * none. */
    const char *load_state, *save_state;
    bool resumes; /* logs and record go on in their files, behind the rows before the state */
    const char *checkpoint; /* a state that it leaves on its way, every so many seconds */
    hk_ratio checkpoint_every;
    /* Who advances the run, of which there is one, in place of the player: to its end. NULL:
     * nobody. */
    hk_status (*drive)(void *user, hk_sim *sim, const hk_plan *plan);
    void *drive_user;
    bool no_logs; /* those of the scenarios are not written */
    bool node;    /* this process is a node of each run: it writes and judges nothing */
    /* Called as runs go on and end; may be NULL. DONE of ALL runs have come to their end, and PART
     * of what is to be simulated is: 0 to 1. */
    void (*progress)(void *user, size_t done, size_t all, double part);
    void *progress_user;
    /* Looked at about ten times a second; not 0: the run under way ends, and no other begins. May
     * be NULL. */
    const volatile sig_atomic_t *interrupted;
    /* Called once it is interrupted, where a run has not ended a second later: who it waits for;
     * only where each run has a process of its own. May be NULL. */
    void (*waits)(void *user, const char *who);
    void *waits_user;
    /* Kept up to date. Not NULL: the program uses engine/guard.h, and workers are to do so, too. */
    hk_play_live *live;
} hk_play_options;

/* What a requirement has found. NaN: nothing, or not given. */
typedef struct hk_measured {
    const char *name, *unit; /* unit NULL: none */
    double value, min, max, reference;
} hk_measured;

/* An expectation after a run. */
typedef struct hk_verdict {
    bool held;
    bool undecided;     /* the run failed or ended before: it neither holds nor is broken */
    const char *reason; /* of a requirement: why it is undecided; NULL: it is not */
    bool idle;          /* it holds, because what it waits for never came up */
    double time;        /* when it failed or was fulfilled; NaN: at no one instant */
    const char *words, *message;
    const hk_measured *measured; /* NULL: it is about a condition */
    hk_where where;
} hk_verdict;

/* What a person may ask about one run. */
typedef struct hk_play_run {
    const char *scenario;
    int64_t index; /* from 0 */
    hk_status status;
    const char *end_reason;   /* NULL: it came to its stop time */
    double time;              /* at its end */
    double seconds_simulated; /* from the start on */
    double seconds_played;    /* from there, or from the state that it went on from */
    double seconds_taken;     /* of wall time */
    hk_verdict *verdicts;
    size_t verdict_count;
    uint64_t *activations;    /* per component */
    const char *const *trace; /* "10 s: stop Navigation.myDvl" */
    size_t trace_count;
    const char *const *logs; /* files written */
    size_t log_count;
    const char *checkpoint; /* the states on its way, where they were asked for; NULL: not */
    hk_states_left left;
    const char *state;    /* of its end, where that was asked for and is written; NULL: none */
    uint64_t rows, bytes; /* of all logs */
    uint64_t messages;    /* that nodes have sent; 0: it had none */
    hk_node_about *nodes; /* what each of them did */
    size_t node_count;    /* 0: none, or they cannot be asked */
    hk_soundness sound;   /* what the monitor looked at */
    hk_fused_count fused; /* as it was at the end; who has made it is not named */
} hk_play_run;

typedef struct hk_play_report {
    hk_arena *arena;
    hk_play_run *runs;    /* in the order scenarios and repetitions are written */
    size_t run_count;     /* those that were begun, up to the first that was not */
    size_t asked;         /* all that there are */
    bool all_held;        /* every expectation of every run, and no run failed */
    const char *contract; /* what was found of the plan; NULL: was not asked for */
    bool fused;           /* that was asked for */
} hk_play_report;

/* What can be said before: events after the end, log sizes, runs that will be equal, unbound
 * interfaces. Errors make it fail. */
HK_NODISCARD hk_status hk_play_check(hk_ctx *ctx, const hk_simulation *simulation,
                                     const hk_play_options *options);
/* What the runs of a scenario (of OPTIONS; NULL: the first) look at beside the connections: rows of
 * logs and expectations, and conditions. Lives in ARENA. */
HK_NODISCARD hk_status hk_play_looks(hk_ctx *ctx, const hk_assembly *made,
                                     const hk_play_options *options, hk_arena *arena,
                                     hk_looks *ret_looks);
/* Checks and plays the simulation that was assembled and planned. An expectation that does not hold
 * is not a failure of the function, and neither is a run that fails: see all_held, and the status
 * of each run. What a run has to say is added to CTX when it is over, in the order of the runs; a
 * warning or note that several of them share, once.
 */
HK_NODISCARD hk_status hk_play(hk_ctx *ctx, const hk_assembly *made, const hk_play_options *options,
                               hk_play_report **ret_report);
void hk_play_report_destroy(hk_play_report *report); /* NULL is fine */

/* One run that the caller advances: it is initialised at the start, and what the scenario does
 * there is done. OPTIONS name its scenario (NULL: the first) and its number; they and MADE live on.
 * All that it has to say goes to CTX. */
typedef struct hk_performance hk_performance;
HK_NODISCARD hk_status hk_performance_begin(hk_ctx *ctx, const hk_assembly *made,
                                            const hk_play_options *options,
                                            hk_performance **ret_performance);
hk_sim *hk_performance_sim(const hk_performance *performance);
/* A listener of the options, by its index there, gets no rows any more. */
void hk_performance_end_rows(hk_performance *performance, size_t listener);
/* Advances it by every instant before UNTIL; HK_TICK_NEVER: to the stop time and the last row. */
HK_NODISCARD hk_status hk_performance_run(hk_performance *performance, hk_tick until);
/* Does what the scenario does at its end, judges, closes the logs; only once. The run lives as long
 * as the performance. */
const hk_play_run *hk_performance_end(hk_performance *performance);
void hk_performance_destroy(hk_performance *performance); /* NULL is fine */

#endif
