/* SPDX-License-Identifier: MIT
 *
 * Promela, for the files that write it. A machine is a process that has its turn once in each
 * cycle, so that an action that blocks is a process that waits; the environment is a process that
 * chooses inputs, gives the turns and lets time pass. Memory is one list of numbers, cell by cell
 * as in the chart; reals are whole multiples of 1/scale. */
#ifndef HK_EXPLORE_PROMELA_H
#define HK_EXPLORE_PROMELA_H

#include "explore/world.h"

#include <stdio.h>

/* Values of LOCAL cells: a text for each. */
typedef struct hk_pml_frame {
    const char **cells;
    uint32_t count;
} hk_pml_frame;

typedef struct hk_pml {
    hk_world *world;
    hk_ctx *ctx;
    hk_arena *arena;
    FILE *out;
    const hk_chart *chart;
    int64_t scale;
    uint32_t machine; /* that is being written */
    uint32_t labels;  /* so many were given */
    uint32_t owner;   /* process: the machine of a controller */
    /* What must hold so that an expression has a value; of the one that is being written. */
    const char **needs;
    size_t need_count, need_cap;
    const char **fits; /* what must hold so that its numbers have 32 bits */
    size_t fit_count, fit_cap;
    uint32_t depth;       /* of functions in each other */
    hk_status status;     /* the first thing that cannot be said */
    uint32_t limit_count; /* of deadlines of statements, so far */
} hk_pml;

/* Refuses what Promela has no words for, once. */
void hk_pml_refuse(hk_pml *p, int line, int column, const char *what);
const char *hk_pml_text(hk_pml *p, const char *format, ...) HK_PRINTF(2, 3);

/* promela_expr.c: the cells of a value, type->size texts. */
const char **hk_pml_value(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame);
const char *hk_pml_code(hk_pml *p, const hk_chart_code *code); /* of one cell */
const char **hk_pml_code_cells(hk_pml *p, const hk_chart_code *code);
/* Writes assertions of what the last expressions need, and forgets it. AT: for messages. */
void hk_pml_put_needs(hk_pml *p);
/* The same where nothing can be written: refused. */
void hk_pml_refuse_needs(hk_pml *p, int line, int column);
/* A number of time units as a number of cycles, rounded up or down. */
const char *hk_pml_cycles(hk_pml *p, const hk_chart_code *code, bool up);
/* The scale in which all reals of the module are whole; 0: there is none. */
int64_t hk_pml_scale(const hk_world *world);

/* promela_fits.c: a constant as it is written, and a real as a multiple of 1/scale; refused if it
 * does not fit. */
long long hk_pml_number(hk_pml *p, int64_t value, int line, int column);
long long hk_pml_scaled(hk_pml *p, double value, int line, int column);
/* The result of the two has to fit. */
void hk_pml_fit_sum(hk_pml *p, const char *a, const char *b);
void hk_pml_fit_difference(hk_pml *p, const char *a, const char *b);
void hk_pml_fit_product(hk_pml *p, const char *a, const char *b);
/* What was computed since there were FROM of them is not if CONDITION holds. */
void hk_pml_fits_unless(hk_pml *p, size_t from, const char *condition);
/* Statements with assertions that all fit, and forgets them; "": there are none. */
const char *hk_pml_fits_text(hk_pml *p);

/* promela_stmt.c: a statement, whose blocking gives the turn away. DURING: NONE, or the number of
 * the during action that it is part of; BLOCKED: where that goes to when it blocks. */
typedef struct hk_pml_thread {
    uint32_t during, node;
    uint32_t blocked;
    uint32_t points; /* at which it can be resumed, so far */
} hk_pml_thread;
void hk_pml_stmt(hk_pml *p, const hk_chart_stmt *stmt, hk_pml_thread *thread);
/* Number of the points at which a statement can block. */
uint32_t hk_pml_points(const hk_chart_stmt *stmt);
void hk_pml_store(hk_pml *p, const hk_chart_target *place, const char *const *cells,
                  const hk_chart_type *type, int line, int column);

/* promela_machine.c: the body of a machine, from its initial node until it has ended. */
void hk_pml_machine(hk_pml *p, uint32_t machine);
/* Which number the during action of a node has. */
uint32_t hk_pml_during(const hk_pml *p, uint32_t machine, uint32_t node);
void hk_pml_yield(hk_pml *p);

#endif
