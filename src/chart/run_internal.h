/* SPDX-License-Identifier: MIT
 *
 * What the files of the interpreter share. A runner has the module in the form in which it is quick
 * to run: actions as one list of instructions, so that an action that blocks is resumed by its
 * place in it; and per node the transitions that may be enabled there. */
#ifndef HK_CHART_RUN_INTERNAL_H
#define HK_CHART_RUN_INTERNAL_H

#include "chart/chart_run.h"

typedef enum hk_run_op {
    HK_RUN_END,
    HK_RUN_ASSIGN,
    HK_RUN_SEND,
    HK_RUN_RECEIVE,
    HK_RUN_OPERATE,
    HK_RUN_PERFORM,
    HK_RUN_WAIT,  /* says how long, and goes on to the next: */
    HK_RUN_PAUSE, /* blocks while something is left of it */
    HK_RUN_RESET,
    HK_RUN_UNLESS, /* goes on at `to` unless the value of the statement is true */
    HK_RUN_JUMP,   /* goes on at `to` */
    HK_RUN_LIMIT,  /* the deadline of the statement begins: limit `to` */
    HK_RUN_UNLIMIT /* and ends */
} hk_run_op;

typedef struct hk_run_instruction {
    hk_run_op op;
    uint32_t to;
    const hk_chart_stmt *stmt;
} hk_run_instruction;

/* A transition that may be enabled in a node. */
typedef struct hk_run_candidate {
    const hk_chart_transition *transition;
    uint32_t index; /* of the transition */
    uint32_t node;  /* that it leads out of */
    uint32_t word;  /* of the line of its trigger */
    uint64_t bit;   /* 0: it has no trigger, or one that is never received */
    uint32_t line;  /* NONE: none */
    bool never;     /* nothing is connected to its trigger */
    bool asks;      /* it has a guard or waits for a value */
    bool otherwise; /* behind all others of its node */
} hk_run_candidate;

typedef struct hk_run_node {
    uint32_t entry, during, exit; /* where these actions begin; 0: there is none */
    const hk_run_candidate *candidates;
    uint32_t candidate_count;
    /* Nothing is enabled unless one of these lines has something; ~0: that cannot be said. */
    uint64_t wakes;
    uint32_t wakes_word;
    uint32_t tick;     /* counts since it was entered; NONE: nobody asks */
    bool has_deadline; /* a transition from it has one */
} hk_run_node;

typedef struct hk_run_machine {
    const hk_chart_machine *chart;
    uint32_t index;
    hk_run_node *nodes;
    uint32_t *actions; /* per transition */
    uint32_t first_thread, first_tick, first_node, first_transition;
    uint32_t first_pc, end_pc; /* its instructions */
    uint32_t depth;            /* of states in states: so many threads */
    bool has_during, has_deadline;
} hk_run_machine;

typedef struct hk_run_limit {
    const hk_chart_stmt *stmt;
    uint32_t machine;
} hk_run_limit;

struct hk_chart_runner {
    const hk_chart *chart;
    hk_arena *arena;
    hk_chart_layout layout;
    hk_run_instruction *tape; /* [0] is not used */
    uint32_t tape_size, tape_cap;
    hk_run_machine *machines;
    uint32_t *order; /* machines of the controllers as they run */
    uint32_t order_count;
    bool has_during;                                   /* a machine has */
    uint64_t *from_platform, *between, *between_typed; /* masks of lines */
    hk_run_limit *limits;
    double cycle;      /* in time units */
    uint8_t *warned;   /* per node of all machines: bit per oddity */
    uint32_t *options; /* transitions of a choice */
    double *weights;

    /* While a cycle runs. */
    char *state;
    hk_cell *memory;
    uint32_t *ticks, *left;
    uint64_t *received, *sent, *called;
    const hk_chart_chooser *chooser;
    hk_chart_report *report, own;  /* own: if nobody wants one */
    const hk_run_machine *machine; /* that is running */
    uint32_t firings;              /* of the one whose turn it is, and of what it calls */
    int64_t now;
    hk_chart_outcome outcome;
    bool moved; /* a machine did more than to sleep */
    /* Of expressions. */
    hk_cell *scratch, *top, *frame;
    uint32_t scratch_size;
    uint32_t calls, depth;
};

typedef enum hk_run_result { HK_RUN_DONE, HK_RUN_BLOCKED, HK_RUN_FAILED } hk_run_result;

/* The first failure of a cycle counts. Always returns HK_RUN_FAILED. */
hk_run_result hk_run_fail(hk_chart_runner *r, hk_chart_outcome outcome, int line, int column,
                          const char *format, ...) HK_PRINTF(5, 6);
static inline bool hk_run_failed(const hk_chart_runner *r) {
    return r->outcome != HK_CHART_OK;
}

static inline hk_chart_registers *hk_run_registers(const hk_chart_runner *r, uint32_t machine) {
    return (hk_chart_registers *)(void *)(r->state + r->layout.registers) + machine;
}
/* True if a machine that is idle in NODE stays as it is in this cycle, as far as can be seen at
 * once. */
static inline bool hk_run_sleeps(const hk_chart_runner *r, const hk_run_node *node) {
    return !(node->wakes == ~UINT64_C(0) || (r->received[node->wakes_word] & node->wakes));
}
static inline hk_chart_thread *hk_run_threads(const hk_chart_runner *r, const hk_run_machine *m) {
    return (hk_chart_thread *)(void *)(r->state + r->layout.threads) + m->first_thread;
}
void hk_run_attach(hk_chart_runner *r, void *state, hk_chart_report *report);

/* ---- run_compile.c */

uint32_t hk_run_scratch_size(const hk_chart *chart);

/* ---- run_eval.c, run_values.c: expressions. After a failure values are 0 and places are some. */

hk_cell hk_run_scalar(hk_chart_runner *r, const hk_chart_expr *e);
/* Where the value is: in memory, in a frame, or in scratch. */
const hk_cell *hk_run_value(hk_chart_runner *r, const hk_chart_expr *e);
bool hk_run_equal(const hk_chart_type *type, const hk_cell *a, const hk_cell *b);
hk_cell hk_run_call_scalar(hk_chart_runner *r, const hk_chart_expr *e);
hk_cell hk_run_builtin_scalar(hk_chart_runner *r, const hk_chart_expr *e);
bool hk_run_quantified(hk_chart_runner *r, const hk_chart_expr *e);
bool hk_run_is_element(hk_chart_runner *r, const hk_chart_expr *e);
hk_cell *hk_run_scratch(hk_chart_runner *r, uint32_t size);
/* Of the element that an INDEX is about; 0 after a failure. */
uint32_t hk_run_offset(hk_chart_runner *r, const hk_chart_expr *e, const hk_cell *of);

/* Codes: with a frame of their own. */
hk_cell hk_run_code(hk_chart_runner *r, const hk_chart_code *code);
const hk_cell *hk_run_code_value(hk_chart_runner *r, const hk_chart_code *code);
static inline bool hk_run_true(hk_chart_runner *r, const hk_chart_code *code) {
    return hk_run_code(r, code).i != 0;
}
/* A number of time units as cycles, rounded up or down; false after a failure. */
bool hk_run_cycles(hk_chart_runner *r, const hk_chart_code *code, bool up, uint32_t *ret_cycles);

/* ---- run_tape.c: statements */

void hk_run_store(hk_chart_runner *r, const hk_chart_target *place, const hk_cell *value,
                  const hk_chart_type *type, int line, int column);
/* Runs THREAD on until it is done or blocks. */
hk_run_result hk_run_thread(hk_chart_runner *r, hk_chart_thread *thread);
/* Start values of the variables that belong to MACHINE (ALL: every one). */
void hk_run_start_values(hk_chart_runner *r, uint32_t machine, bool all, const hk_cell *values,
                         const bool *given);

/* ---- run_machine.c */

/* Up to where it blocks; DONE: it has ended. */
hk_run_result hk_run_machine_on(hk_chart_runner *r, const hk_run_machine *m);
/* An operation ends before its time, with all that it runs. */
void hk_run_abort(hk_chart_runner *r, const hk_run_machine *m);
/* The state that is active around a machine's transition or junction, or the one that it is in. */
uint32_t hk_run_active(const hk_run_machine *m, const hk_chart_registers *at);
/* Fails if the trigger of a state that is active did not come in time. */
void hk_run_check_deadlines(hk_chart_runner *r, const hk_run_machine *m);

/* ---- run_choose.c */

/* The transition to take at NODE of M, by index; NONE: no one is enabled. */
uint32_t hk_run_choose(hk_chart_runner *r, const hk_run_machine *m, uint32_t node);
/* The way out of a probabilistic junction; NONE after a failure. */
uint32_t hk_run_draw(hk_chart_runner *r, const hk_run_machine *m, uint32_t node);
void hk_run_warn(hk_chart_runner *r, const hk_run_machine *m, hk_chart_oddity oddity,
                 uint32_t node);

#endif
