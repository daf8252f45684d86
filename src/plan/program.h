/* SPDX-License-Identifier: MIT
 *
 * The program: what a run calls, in which order, as a value. Everything is said by index: of
 * components, variables and connections of the model; the engine binds it to addresses, `sound`
 * proves it, others print it or make code of it.
 *
 * Before the first step: initial values that connections have themselves are set, then the groups
 * of initial reads and writes follow one after the other; then, out of initialization mode, all
 * gets of the cells, of `row` and of `once` are made. An instant at t runs the cells of all rates
 * that are due at t, merged by level: of the cells of one level first all copies, then all sets,
 * all steps, all gets; and `row` where the end of a step is where a row is due. Nothing is
 * unrolled, so it is as large as the model.
 *
 * A set that is after the step of its component is for its next activation; a get that is
 * before the step reads what the activation before has made. In a program made from a plan there is
 * neither; masters in words have both. */
#ifndef HK_PLAN_PROGRAM_H
#define HK_PLAN_PROGRAM_H

#include "model/scenario.h"
#include "plan/plan.h"

/* Groups of several initial reads and writes are repeated until no number changes by more than
 * this, relative to 1 + its size; at most so often. */
#define HK_INIT_TOLERANCE 1e-9
#define HK_INIT_LIMIT     100

/* A set, a get or a step. */
typedef struct hk_program_call {
    uint32_t component;
    uint32_t variable; /* HK_MAP_NONE: a step */
    int line;          /* of the master it was read from; 0: made from the plan */
} hk_program_call;

typedef struct hk_program_calls {
    hk_program_call *all;
    size_t count;
} hk_program_calls;

/* A connection hands its value over to the place that the set reads. */
typedef struct hk_program_copy {
    uint32_t connection;
    bool newest; /* takes the newest value; else looks into the past, by the lag */
} hk_program_copy;

typedef struct hk_program_cell {
    uint32_t rate, level;
    hk_program_copy *copies;
    size_t copy_count;
    hk_program_calls sets, steps, gets;
} hk_program_cell;

typedef struct hk_program {
    hk_arena *arena;
    const hk_plan *plan;
    bool written; /* read from a master: the calls of a component need not be together */
    /* Before the first step. */
    uint32_t *given; /* connections with an initial value of their own: it is set first */
    size_t given_count;
    const hk_init_node *init; /* in groups: those of one are one call, or a loop */
    const uint32_t *init_end; /* per group: one past its last node */
    size_t init_count;
    hk_program_calls once; /* gets of what does not change by itself */
    /* At each instant. */
    hk_program_cell *cells; /* by rate, then by level */
    size_t cell_count;
    uint32_t *depth;      /* per component: past activations of its outputs that are kept */
    hk_program_calls row; /* gets that only rows need, after activations that a row shows */
} hk_program;

/* What is looked at beside the connections. */
typedef struct hk_program_observed {
    const hk_signal *signals; /* may name one more than once */
    size_t count;
    hk_tick row_interval; /* only by rows that are so far apart; 0: at any time */
} hk_program_observed;

/* OBSERVED may be NULL: nothing. */
hk_program *hk_program_make(const hk_plan *plan, const hk_program_observed *observed);
void hk_program_destroy(hk_program *program); /* NULL is fine */

/* True if a variable does not change by itself: read once is read for ever. */
bool hk_program_is_static(const hk_variable *variable);

#endif
