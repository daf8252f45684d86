/* SPDX-License-Identifier: MIT
 *
 * Proofs: is what a master does, or has done, what it should do? The answer of `hocket prove`. */
#ifndef HK_REPORT_PROVE_H
#define HK_REPORT_PROVE_H

#include "csp/csp.h"
#include "report/plan_view.h"
#include "sound/sound.h"

/* FORBIDDEN: FMI does not allow it. INCONCLUSIVE: a trace with which nothing can be decided.
 * DIFFERS: it is sound, but not what the components declare. Only BROKEN, FORBIDDEN and
 * INCONCLUSIVE make the answer a no. */
typedef enum hk_proof_state {
    HK_PROOF_HOLDS,
    HK_PROOF_BROKEN,
    HK_PROOF_FORBIDDEN,
    HK_PROOF_INCONCLUSIVE,
    HK_PROOF_DIFFERS,
    HK_PROOF_NOT_APPLICABLE,
    HK_PROOF_NOT_DONE
} hk_proof_state;

typedef struct hk_finding {
    const char *name;
    hk_proof_state state;
    const char *text; /* what was looked at, or why it does not hold */
    bool sampled;     /* there is too much to look at all of it */
    bool early;       /* a trace that is right as far as it goes, and ends too early */
    const char *hint; /* how to mend it; NULL: no idea */
    const char *when; /* in which step, and who accepts how much; NULL: not said */
    const hk_sound_call *trace;
    size_t trace_count;
    bool trace_after;              /* it is not the last call that is wrong */
    const hk_sound_system *system; /* whose calls these are; NULL: of the proof */
    hk_texts events;               /* of the CSP engine, in place of calls */
    const char *const *loop;       /* ports in a ring, if that is what the text is about */
    size_t loop_count;
} hk_finding;

enum { HK_FINDINGS = 8 };

typedef enum hk_spin_use { HK_SPIN_AUTO, HK_SPIN_ALWAYS, HK_SPIN_NEVER } hk_spin_use;

typedef struct hk_proof_wishes {
    const char *trace; /* calls that were recorded; NULL: those that a run would make */
    const char *view;  /* "strict", "connected", "contract"; NULL: "connected" */
    const char *start; /* of a trace of a scenario, which has no times; NULL: 0 */
    hk_texts columns;  /* patterns of what is recorded, and so read */
    hk_spin_use spin;
    bool csp;                  /* the CSP engine looks at it, too */
    hk_csp_watch watch;        /* hears how far that is */
    unsigned values;           /* of the CSPm that is written; 0: 2 */
    const char *specification; /* a multi-model, whose meaning counts; NULL: see hk_proof_make */
    bool synthesise;           /* a master is made, and that one is proved */
    /* A model that a program owns, in place of the file; NULL: none. */
    hk_model *model;
    hk_simulation *simulation;
    /* Files that are written; NULL: none. */
    const char *output; /* the master that was made */
    const char *export_csp, *export_promela;
} hk_proof_wishes;

/* Closed by hk_proof_close in any case. */
typedef struct hk_proof {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_proof_wishes *wishes;
    const char *file;
    hk_view view; /* of systems that are run */
    bool planned;
    hk_sound_view ports, trace_by;
    bool by_contract; /* whatever the phases say */
    hk_sound_system *system;
    hk_sound_system *meant; /* by a multi-model itself; NULL: there is none */
    const char *meant_file;
    hk_sound_master *master; /* NULL: a scenario without one */
    hk_sound_phased phased;  /* what the specification sees of it */
    int64_t max_step;
    const char *unphased;         /* why the specification does not apply; NULL: it does */
    const char *differs, *unlike; /* of hk_sound_phased, which is made again */
    const char *forbidden; /* what FMI does not allow, and the ways out; NULL: see the contracts */
    bool multirate;
    /* What was found. */
    size_t port_count;     /* that are looked at: those of the view */
    const char *view_name; /* "strict", "connected", "contract" */
    bool contracts_alone;  /* the specification does not count: see by_contract */
    const char *made;      /* a master in words, if one was made */
    hk_finding findings[HK_FINDINGS];
    size_t count;
    const hk_finding *wrong; /* the first that makes it a no; NULL: it is a yes */
} hk_proof;

/* REQUEST names the file: a system, a simulation, or a master in words. What is meant is what the
 * plan of it says, or, if it is a multi-model (.sysml), what its own text says. WISHES live as long
 * as the proof. HK_OK: there is an answer, be it yes or no. */
HK_NODISCARD hk_status hk_proof_make(hk_proof *proof, const hk_report *report,
                                     const hk_request *request, const hk_proof_wishes *wishes);
void hk_proof_close(hk_proof *proof);
/* HK_OK: yes. */
hk_status hk_proof_status(const hk_proof *proof);
/* A trace was asked to keep phases that the system does not have. */
bool hk_proof_is_unphased(const hk_proof *proof);
/* The one diagnostic of a no; its status. */
hk_status hk_proof_fail(const hk_proof *proof);

/* report/prove_file.c */
bool hk_names_sysml(const char *path); /* .sysml; NULL is not */

/* report/prove_json.c: the members of the answer. */
void hk_proof_put(const hk_proof *proof, hk_json *json);
const char *hk_proof_state_word(hk_proof_state state); /* "holds" */
const char *hk_proof_answer(const hk_proof *proof);    /* "yes: ...", "no: ..." */
/* One of the calls that show what is wrong. */
const char *hk_proof_call(const hk_proof *proof, const hk_finding *finding, size_t index);

/* report/prove_trace.c: what a recorded trace shows, in the view BY (CONTRACT: by the contracts of
 * each instance). */
HK_NODISCARD hk_status hk_prove_trace(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *system,
                                      hk_sound_view by, const char *file, hk_finding *ret_finding);

typedef struct hk_spin {
    bool missing;  /* it is not installed */
    bool answered; /* false, and not missing: it failed, or took too long */
    bool late;     /* it took too long */
    long errors, states;
    const size_t *calls; /* that led to the error, by their numbers in the model */
    size_t call_count;
} hk_spin;

/* report/prove_spin.c: LIMIT_S is the time that spin, the compiler and looking at the states may
 * take together; 0: any. Nothing of it outlives this process. */
HK_NODISCARD hk_status hk_spin_run(hk_ctx *ctx, hk_arena *arena, const char *promela,
                                   unsigned limit_s, hk_spin *ret_spin);

#endif
