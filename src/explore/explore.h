/* SPDX-License-Identifier: MIT
 *
 * All that a controller in RoboChart can do, with whatever its platform can bring: every reachable
 * state of a module is run through every input, every draw and every way that it leaves open, by
 * the interpreter that also runs it in simulations. What is found comes with a shortest sequence of
 * inputs that leads to it. */
#ifndef HK_EXPLORE_EXPLORE_H
#define HK_EXPLORE_EXPLORE_H

#include "chart/chart.h"

enum { HK_EXPLORE_STATES = 5000000 }; /* unless something else is asked for */

typedef struct hk_explore_wishes {
    const char *module;      /* NULL: the only one */
    hk_texts settings;       /* "NAME=VALUE" of constants */
    hk_texts ranges;         /* "NAME=0,1,2", "NAME=0..5" */
    hk_texts lengths;        /* "NAME=2" of sequences */
    hk_texts properties;     /* each a text with one or more */
    hk_texts property_files; /* files of them */
    const char *plant;       /* a table (.csv) or a second module (.rct); NULL: inputs are free */
    uint32_t states;         /* that are looked at, at most; 0: HK_EXPLORE_STATES */
} hk_explore_wishes;

/* Numbers as in report/prove.h. Only BROKEN and UNDECIDED make the answer a no. */
typedef enum hk_explore_state {
    HK_EXPLORE_HOLDS,
    HK_EXPLORE_BROKEN,
    HK_EXPLORE_UNDECIDED, /* there are more states than were looked at */
    HK_EXPLORE_DIFFERS    /* nothing is wrong, but somebody should know */
} hk_explore_state;

/* A sequence of inputs, one row for each cycle. */
typedef struct hk_explore_rows {
    const char *const *columns; /* ports of the component: "time", "alarm", "gas_value.size" ... */
    size_t column_count;
    const char *const *cells; /* row by row */
    const char *const *notes; /* what happened in each cycle */
    size_t row_count;
    const char *unlike; /* why a run may go another way with these inputs; NULL: it does the same */
} hk_explore_rows;

typedef struct hk_explore_finding {
    const char *name; /* "deadlock", "timelock", "property" ... */
    hk_explore_state state;
    const char *text; /* what was looked at, or what is wrong; behind its place, if it has one */
    hk_where where;   /* that place; line 0: it has none */
    const char *what; /* the text without it; NULL: the same */
    const char *hint; /* NULL: none */
    hk_explore_rows rows;
} hk_explore_finding;

typedef struct hk_explored {
    const hk_chart *chart;
    const char *plant;      /* what stands for the plant; NULL: nothing */
    uint64_t states, steps; /* cycles that were run */
    uint64_t inputs;        /* of the controller in one cycle, as far as they are free */
    uint64_t depth;         /* cycles to the state that is farthest from the first */
    size_t bytes;           /* memory for all states */
    size_t row_bytes;       /* of one state alone */
    bool whole;             /* all states were looked at */
    bool terminates;        /* it can */
    const hk_explore_finding *findings;
    size_t count;
    const hk_explore_finding *wrong; /* the first that makes it a no; NULL: it is a yes */
} hk_explored;

/* Reads the file and looks at everything. HK_OK: there is an answer, be it yes or no; it lives in
 * ARENA. */
HK_NODISCARD hk_status hk_explore(hk_ctx *ctx, hk_arena *arena, const char *path,
                                  const hk_explore_wishes *wishes, hk_explored *ret_explored);

/* promela.c: the same module, inputs and properties as Promela, for spin: assertions for what makes
 * the answer a no. What Promela has no words for is refused by name. */
HK_NODISCARD hk_status hk_explore_promela(hk_ctx *ctx, hk_arena *arena, const char *path,
                                          const hk_explore_wishes *wishes, const char **ret_text);

/* The answer in one line: "yes: ...", "no: ...". */
const char *hk_explored_answer(hk_arena *arena, const hk_explored *explored);
/* ROWS as a table that `hocket run --input-file` takes. */
const char *hk_explore_rows_csv(hk_arena *arena, const hk_explore_rows *rows);

#endif
