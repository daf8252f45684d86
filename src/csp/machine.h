/* SPDX-License-Identifier: MIT
 *
 * What is shared by those who work a script out: values, states of processes (terms) and steps
 * between them. Values and terms are rows, so equal ones have equal numbers. */
#ifndef HK_CSP_MACHINE_H
#define HK_CSP_MACHINE_H

#include "csp/csp_syntax.h"
#include "csp/rows.h"

/* The first word of a value. The first two values stand for steps that are not seen: */
typedef enum hk_csp_value_kind {
    HK_VALUE_NONE, /* tau and tick */
    HK_VALUE_INT,
    HK_VALUE_TRUTH,
    HK_VALUE_SYMBOL,
    HK_VALUE_TUPLE,
    HK_VALUE_SET,  /* members in order */
    HK_VALUE_EVENT /* channel, fields; may be incomplete */
} hk_csp_value_kind;
enum { HK_CSP_TAU, HK_CSP_TICK };

/* The first word of a term. */
typedef enum hk_csp_term_kind {
    HK_TERM_STOP,
    HK_TERM_SKIP,
    HK_TERM_OMEGA,     /* has ended */
    HK_TERM_DIVERGES,  /* goes on for ever without being seen */
    HK_TERM_LATER,     /* expression, values of its variables: not looked at yet */
    HK_TERM_PREFIX,    /* the same */
    HK_TERM_SEQUENCE,  /* term, the one behind it (LATER) */
    HK_TERM_EXTERNAL,  /* terms */
    HK_TERM_INTERNAL,  /* terms, perhaps LATER */
    HK_TERM_SHARED,    /* set, terms: all take part in what is in the set */
    HK_TERM_ALPHABETS, /* set, term, set, term, ... */
    HK_TERM_HIDE       /* set, term */
} hk_csp_term_kind;

typedef struct hk_csp_step {
    uint32_t event, to;
} hk_csp_step;

struct hk_csp_machine {
    hk_ctx *ctx;
    hk_csp_script *script;
    uint64_t state_limit;
    hk_csp_watch watch;
    const hk_csp_assertion *asked; /* what is being answered */
    hk_status status;              /* what was wrong first */
    hk_rows values, terms;
    uint32_t *bound;  /* per variable: its value */
    uint64_t work;    /* evaluations so far */
    uint32_t nesting; /* of evaluations */
    uint32_t inner;   /* of operators that a process must be known for at once */
    uint32_t empty;   /* the empty set */
    uint32_t stop, skip, omega, diverges;
    /* per term, as far as it was asked for */
    struct hk_csp_known {
        uint32_t forced; /* LATER: what it is; NONE: not known */
        uint32_t inner;  /* LATER: it is being looked at, at this level; NONE: it is not */
        uint32_t count;  /* of its steps; NONE: not known */
        size_t first;
    } * known;
    size_t known_count;
    hk_csp_step *steps;
    size_t step_count, step_cap;
    struct hk_csp_members {
        uint8_t *bits; /* by value; NULL: not known yet */
        size_t size;
    } * members; /* per value that is a set, as far as it was asked for */
    size_t members_count;
};

/* machine.c: tells who watches. */
void hk_csp_looked_at(const hk_csp_machine *m, size_t states);

/* values.c */
uint32_t hk_csp_make(hk_csp_machine *m, hk_csp_value_kind kind, const uint32_t *words,
                     size_t count);
uint32_t hk_csp_make_int(hk_csp_machine *m, int64_t number);
int64_t hk_csp_int_of(const hk_csp_machine *m, uint32_t value);
hk_csp_value_kind hk_csp_kind_of(const hk_csp_machine *m, uint32_t value);
/* Its words behind the kind; valid until the next value is made. */
const uint32_t *hk_csp_words(const hk_csp_machine *m, uint32_t value, size_t *ret_count);
/* The set of COUNT values, which are sorted where they lie. */
uint32_t hk_csp_make_set(hk_csp_machine *m, uint32_t *values, size_t count);
bool hk_csp_has(hk_csp_machine *m, uint32_t set, uint32_t value);
/* The set of values that the field of a channel may have. */
uint32_t hk_csp_field_set(hk_csp_machine *m, uint32_t channel, size_t field);
const char *hk_csp_value_text(hk_arena *arena, const hk_csp_machine *m, uint32_t value);
/* The first thing that is wrong is reported. */
void hk_csp_wrong(hk_csp_machine *m, const hk_csp_expr *at, const char *format, ...)
    HK_PRINTF(3, 4);

/* evaluate.c: the value of an expression, with the variables as they are. 0 after a mistake. */
uint32_t hk_csp_evaluate(hk_csp_machine *m, const hk_csp_expr *e);
/* The same, which is to be a set. */
uint32_t hk_csp_evaluate_set(hk_csp_machine *m, const hk_csp_expr *e);
bool hk_csp_match(hk_csp_machine *m, const hk_csp_pattern *p, uint32_t value);
/* What USE makes of the clause that fits, with its variables bound. 0 after a mistake. */
typedef uint32_t hk_csp_use_fn(hk_csp_machine *m, const hk_csp_expr *body);
uint32_t hk_csp_call(hk_csp_machine *m, const hk_csp_expr *call, hk_csp_use_fn *use);
/* Calls VISIT for all values of the ranges of E, from the first on. */
typedef bool hk_csp_visit_fn(hk_csp_machine *m, void *user);
bool hk_csp_for_ranges(hk_csp_machine *m, const hk_csp_expr *e, size_t from, hk_csp_visit_fn *visit,
                       void *user);
/* Counts one evaluation; false: it is too much, or something was wrong. */
bool hk_csp_work(hk_csp_machine *m, const hk_csp_expr *at);

/* processes.c: the term that an expression stands for. */
uint32_t hk_csp_process(hk_csp_machine *m, const hk_csp_expr *e);
/* The same of a term, which is not LATER then. */
uint32_t hk_csp_force(hk_csp_machine *m, uint32_t term);
hk_csp_term_kind hk_csp_term_of(const hk_csp_machine *m, uint32_t term);
struct hk_csp_known *hk_csp_known_of(hk_csp_machine *m, uint32_t term);
/* Terms from their parts, by the laws of CSP: SKIP ; P is P, SKIP ||| P is P. */
uint32_t hk_csp_sequence(hk_csp_machine *m, uint32_t left, uint32_t later);
uint32_t hk_csp_shared(hk_csp_machine *m, uint32_t set, uint32_t *kids, size_t count);
uint32_t hk_csp_choice(hk_csp_machine *m, hk_csp_term_kind kind, uint32_t *kids, size_t count);
uint32_t hk_csp_alphabets(hk_csp_machine *m, const uint32_t *pairs, size_t count);
uint32_t hk_csp_hide(hk_csp_machine *m, uint32_t set, uint32_t kid);
/* Binds the variables of a LATER or PREFIX; SAVED (as many as its expression has) is what they
 * were.
 */
const hk_csp_expr *hk_csp_open(hk_csp_machine *m, uint32_t term, uint32_t *saved);
void hk_csp_restore(hk_csp_machine *m, const hk_csp_expr *e, const uint32_t *saved);

/* steps.c: the steps of a term that was forced; valid until the next call. */
const hk_csp_step *hk_csp_steps(hk_csp_machine *m, uint32_t term, size_t *ret_count);

#endif
