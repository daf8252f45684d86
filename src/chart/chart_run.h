/* SPDX-License-Identifier: MIT
 *
 * Runs a resolved module, one cycle at a time. All that changes is in one block of plain bytes
 * without addresses, the state: a copy of it is a copy of the controller, two equal ones go on
 * equally. Who runs it (the component, the explorer, a test) brings the block and answers where the
 * module leaves a choice. The generated C means the same; docs/robochart.md says what that is.
 *
 * Nothing in a state counts from the beginning of the run but `cycle`: clocks, waits and deadlines
 * are cycles from now, so two states that differ in `cycle` alone have the same future if nothing
 * is drawn. */
#ifndef HK_CHART_CHART_RUN_H
#define HK_CHART_CHART_RUN_H

#include "chart/chart.h"

#include <hk/random.h>

typedef enum hk_chart_outcome {
    HK_CHART_OK,
    HK_CHART_TIMELOCK,    /* an output twice in one cycle, or a deadline was missed */
    HK_CHART_NO_PROGRESS, /* more than HK_CHART_FIRINGS_MAX transitions, or HK_CHART_CALLS_MAX calls
                           */
    HK_CHART_ARITHMETIC, /* overflow, a nat below 0, division by 0, a probability that is not one */
    HK_CHART_RANGE,      /* index out of range, head of an empty sequence, a sequence too long */
    HK_CHART_CONDITION   /* a pre- or postcondition is false */
} hk_chart_outcome;

enum {
    HK_CHART_CALLS_MAX = 1000000 /* of functions in one cycle */
};

/* What a machine is doing. */
typedef enum hk_chart_mode {
    HK_CHART_ASLEEP, /* not started: all before the first cycle, operations until they are called */
    HK_CHART_STARTING, /* looks for its way at the initial node next */
    HK_CHART_IDLE,     /* in state `node`; looks at transitions */
    HK_CHART_EXITING,  /* runs the exit action of `node`, on the way of transition `via` */
    HK_CHART_ACTING,   /* has left the source of `via` and runs its action */
    HK_CHART_CHOOSING, /* at the junction `node`: takes a way out, or no way is enabled yet */
    HK_CHART_ENTERING, /* runs the entry action of `node` */
    HK_CHART_ENDED     /* its own final state is reached */
} hk_chart_mode;

/* An action that has begun: where it goes on, 0: nowhere. */
typedef struct hk_chart_thread {
    uint32_t pc;
    uint32_t left; /* cycles that a wait still takes */
} hk_chart_thread;

/* A machine. IDLE: `node` is the innermost active state, or the final of a composite state. */
typedef struct hk_chart_registers {
    uint32_t mode, node;
    uint32_t via; /* transition; NONE: none */
    uint32_t spare;
    hk_chart_thread action; /* the pending one */
} hk_chart_registers;

/* Where things are in a state, in bytes from its beginning; all of it but `cycle` is in the order
 * of this list without gaps. Sizes follow from the chart. */
typedef struct hk_chart_layout {
    size_t size;      /* of a state; a multiple of 8 */
    size_t cycle;     /* int64_t: number of the next cycle, from 0 */
    size_t received;  /* uint64_t[line_words]: bit per line: there is something to receive. Before a
                         cycle: inputs that wait for it */
    size_t sent;      /* uint64_t[line_words]: bit per line: sent in the cycle that was last */
    size_t called;    /* uint64_t[operation_words]: bit per operation: called in the cycle that was
                         last */
    size_t registers; /* hk_chart_registers[machine_count] */
    size_t threads;   /* hk_chart_thread[thread_count]: during actions, per machine and depth */
    size_t ticks;  /* uint32_t[tick_count]: clocks of all machines, then states whose time matters;
                      count cycles, stay at UINT32_MAX */
    size_t limits; /* uint32_t[limit_count]: statement deadlines: cycles left, UINT32_MAX: has not
                      begun */
    size_t memory; /* hk_cell[chart->memory_size] */
    uint32_t line_words, operation_words, thread_count, tick_count, limit_count;
} hk_chart_layout;

/* ---- choices */

typedef enum hk_chart_choice_kind {
    HK_CHART_CHOOSE_TRANSITION,  /* more than one is enabled */
    HK_CHART_CHOOSE_PROBABILITY, /* one way out of a probabilistic junction */
    HK_CHART_CHOOSE_WAIT         /* a whole number of time units, least + answer */
} hk_chart_choice_kind;

typedef struct hk_chart_choice {
    hk_chart_choice_kind kind;
    uint32_t machine, node;
    int64_t cycle;
    uint64_t count;              /* of possible answers: 0 .. count - 1 */
    const uint32_t *transitions; /* TRANSITION, PROBABILITY: which they are */
    const double *weights;       /* PROBABILITY: one per transition, their sum is 1 */
    int64_t least;               /* WAIT */
    int line, column;
} hk_chart_choice;

/* What is taken where a module leaves a choice. */
typedef struct hk_chart_chooser {
    uint64_t (*choose)(void *user, const hk_chart_choice *choice);
    void *user;
} hk_chart_chooser;

/* The chooser of a run: the first transition; the others are drawn from the stream of the machine,
 * NUMBER is the cycle and INDEX the number of the draw of this machine in it. */
typedef struct hk_chart_dice hk_chart_dice;
hk_chart_dice *hk_chart_dice_create(const hk_chart *chart, uint64_t seed, uint64_t run,
                                    const char *component);
void hk_chart_dice_destroy(hk_chart_dice *dice);
hk_chart_chooser hk_chart_dice_chooser(hk_chart_dice *dice);
/* What the seed has become, one stream per machine: part of the state of a run. */
const hk_stream *hk_chart_dice_streams(const hk_chart_dice *dice);
/* Goes on with such streams, before any draw of a cycle. */
void hk_chart_dice_restore(hk_chart_dice *dice, const hk_stream *streams);
/* The answer of a choice for a number in [0, 1): for those who draw by themselves. */
uint64_t hk_chart_weighted(const hk_chart_choice *choice, double uniform);

/* ---- what is told */

typedef enum hk_chart_oddity {
    HK_CHART_NONDET,        /* several transitions are enabled at `node`; the first is taken */
    HK_CHART_DEAD_JUNCTION, /* no way out of junction `node` is enabled */
    HK_CHART_DEAD_STATE     /* no transition leads out of state `node` */
} hk_chart_oddity;

typedef struct hk_chart_warning {
    hk_chart_oddity oddity;
    uint32_t machine, node;
    uint32_t first, second; /* NONDET: transitions */
    int64_t cycle;
} hk_chart_warning;

/* Filled in or called while cycles run; outside of the state. All may be 0. */
typedef struct hk_chart_report {
    /* Once per oddity and node, as long as the runner lives. */
    void (*warn)(void *user, const hk_chart_warning *warning);
    /* Transitions in the order in which they are taken. */
    void (*took)(void *user, uint32_t machine, uint32_t transition);
    void *user;
    /* Coverage: how often each was entered or taken. Both lists are those of all machines one after
     * the other (hk_chart_first_node, hk_chart_first_transition). */
    uint64_t *nodes, *transitions;
    /* Of a cycle that did not end well: where and why. */
    uint32_t machine; /* NONE: none */
    int line, column;
    char text[256];
    bool all_ran; /* all machines had their turn: what failed is a deadline */
} hk_chart_report;

/* ---- running */

/* A chart that is ready to run, with the room that a cycle needs. It does not change what a cycle
 * means, so any number of them may be made of one chart; one is used by one thread at a time. */
typedef struct hk_chart_runner hk_chart_runner;

hk_chart_runner *hk_chart_runner_create(const hk_chart *chart);
void hk_chart_runner_destroy(hk_chart_runner *runner); /* NULL is fine */
const hk_chart *hk_chart_runner_chart(const hk_chart_runner *runner);
const hk_chart_layout *hk_chart_runner_layout(const hk_chart_runner *runner);

/* The state before the first cycle: variables and constants have their start values, in the order
 * of the chart's list. VALUES and GIVEN (both NULL: none) have one element per cell of the memory:
 * where GIVEN is true, the value is that and not the start value of the chart. */
HK_NODISCARD hk_chart_outcome hk_chart_reset(hk_chart_runner *runner, void *state,
                                             const hk_cell *values, const bool *given,
                                             hk_chart_report *report);

/* One cycle. What is received in it was put into the state before: hk_chart_put. After it, `sent`
 * and `called` say what was emitted, the values are in memory. A cycle that did not end well leaves
 * a state that is not to be used. */
HK_NODISCARD hk_chart_outcome hk_chart_cycle(hk_chart_runner *runner, void *state,
                                             const hk_chart_chooser *chooser,
                                             hk_chart_report *report);

/* Did a machine do anything in the cycle that was last? If not, memory, machines and what is
 * emitted are as they were before it: nothing. */
bool hk_chart_runner_moved(const hk_chart_runner *runner);

/* ---- looking at a state and changing it between two cycles */

/* Line LINE from the platform brings something for the next cycle. A value, if it is typed, is put
 * at its `cell` in memory before; a second one overwrites it. */
void hk_chart_put(const hk_chart_runner *runner, void *state, uint32_t line);
hk_cell *hk_chart_memory(const hk_chart_runner *runner, void *state);
int64_t hk_chart_next_cycle(const hk_chart_runner *runner, const void *state);
bool hk_chart_was_sent(const hk_chart_runner *runner, const void *state, uint32_t line);
bool hk_chart_was_called(const hk_chart_runner *runner, const void *state, uint32_t operation);
const hk_chart_registers *hk_chart_machine_at(const hk_chart_runner *runner, const void *state,
                                              uint32_t machine);
/* The innermost state in which machine MACHINE is: a STATE; NONE: it is in none. A state is left
 * when its exit action is done and entered when its entry action begins. */
uint32_t hk_chart_active_state(const hk_chart_runner *runner, const void *state, uint32_t machine);
/* True if all machines of the controllers have ended. */
bool hk_chart_terminated(const hk_chart_runner *runner, const void *state);
/* Can the bytes be a state of this chart? For those that come from a file; aligned to 8 bytes. */
bool hk_chart_state_fits(const hk_chart_runner *runner, const void *state);
/* Which of the `ticks` counts for CLOCK of MACHINE. */
uint32_t hk_chart_clock_tick(const hk_chart_runner *runner, uint32_t machine, uint32_t clock);
/* ... since state NODE was entered; NONE: nobody asks for that. */
uint32_t hk_chart_state_tick(const hk_chart_runner *runner, uint32_t machine, uint32_t node);
/* Where the nodes and transitions of MACHINE begin in the lists of all; machine_count: their end.
 */
uint32_t hk_chart_first_node(const hk_chart *chart, uint32_t machine);
uint32_t hk_chart_first_transition(const hk_chart *chart, uint32_t machine);

#endif
