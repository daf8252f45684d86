/* SPDX-License-Identifier: MIT
 *
 * CSP: a script in the CSPm that hocket writes (sound/cspm.c), and whether what it asserts holds.
 * Its processes become states and steps by the operational semantics; refinement of traces is a
 * search of pairs, deadlock and divergence are looked for in all states (docs/soundness.md). */
#ifndef HK_CSP_CSP_H
#define HK_CSP_CSP_H

#include "base/file.h"

typedef struct hk_csp_script hk_csp_script;

typedef enum hk_csp_question {
    HK_CSP_REFINES,  /* every trace of the right one is one of the left one */
    HK_CSP_DEADLOCK, /* it never comes to a state in which nothing can happen */
    HK_CSP_DIVERGES  /* it never goes on for ever without being seen */
} hk_csp_question;

typedef struct hk_csp_assertion {
    hk_csp_question question;
    bool negated;     /* assert not ... */
    const char *text; /* "CoSimulation [T= Master" */
    int line;
} hk_csp_assertion;

typedef struct hk_csp_verdict {
    bool holds;
    bool limited;      /* there are more states than were to be looked at: nothing is decided */
    uint64_t states;   /* that were looked at; of refinement: pairs */
    const char *why;   /* one sentence; NULL: it holds */
    hk_texts trace;    /* what happens up to that; refinement: the last one is not allowed */
    bool trace_breaks; /* it is the last of them that is wrong */
} hk_csp_verdict;

/* What is outside of the subset is refused by name. Lives in ARENA, but is to be closed. */
HK_NODISCARD hk_status hk_csp_read(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                   hk_csp_script **ret_script);
void hk_csp_close(hk_csp_script *script); /* NULL is fine */
size_t hk_csp_assertion_count(const hk_csp_script *script);
const hk_csp_assertion *hk_csp_assertion_at(const hk_csp_script *script, size_t index);

/* What answers need: the states and steps that were found are shared by them. */
typedef struct hk_csp_machine hk_csp_machine;
enum { HK_CSP_STATES = 5000000 };
hk_csp_machine *hk_csp_machine_create(hk_ctx *ctx, hk_csp_script *script, uint64_t state_limit);
void hk_csp_machine_destroy(hk_csp_machine *machine); /* NULL is fine */
/* Hears how far an answer is: at its beginning, and then every so many states. */
typedef struct hk_csp_watch {
    void (*call)(void *user, const hk_csp_assertion *assertion, uint64_t states); /* NULL: nobody */
    void *user;
} hk_csp_watch;
void hk_csp_machine_watch(hk_csp_machine *machine, hk_csp_watch watch);
/* An error: the script means nothing at some place that was come to. */
HK_NODISCARD hk_status hk_csp_answer(hk_csp_machine *machine, hk_arena *arena, size_t assertion,
                                     hk_csp_verdict *ret_verdict);

#endif
