/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket prove`. */
#ifndef HK_CLI_PROVE_H
#define HK_CLI_PROVE_H

#include "cli/cli.h"
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
    const char *const *loop;       /* ports in a ring, if that is what the text is about */
    size_t loop_count;
} hk_finding;

enum { HK_FINDINGS = 8 };

typedef struct hk_proof {
    const char *file;
    const hk_sound_system *system;
    size_t ports;         /* that are looked at: those of the view */
    const char *view;     /* "strict", "connected", "contract" */
    bool contracts_alone; /* the specification does not count: it does not apply, ... */
    bool contracts_asked; /* ... or nobody asked for it */
    const char *made;     /* a master in words, if one was made */
    const char *written;  /* where that was written to; NULL: nowhere */
    hk_finding findings[HK_FINDINGS];
    size_t count;
} hk_proof;

/* cli/prove_report.c: writes the answer, in its last line yes or no. The first finding that makes
 * it a no; NULL: none. */
const hk_finding *hk_proof_report(hk_cli *cli, const hk_proof *proof);

/* cli/prove_trace.c: what a recorded trace shows, in the view BY (CONTRACT: by the contracts of
 * each instance). */
HK_NODISCARD hk_status hk_prove_trace(hk_cli *cli, const hk_sound_system *system, hk_sound_view by,
                                      const char *file, hk_finding *ret_finding);

typedef struct hk_spin {
    bool missing;  /* it is not installed */
    bool answered; /* false, and not missing: it failed, or took too long */
    bool late;     /* it took too long */
    long errors, states;
    const size_t *calls; /* that led to the error, by their numbers in the model */
    size_t call_count;
} hk_spin;

/* cli/prove_spin.c: LIMIT_S is the time that spin, the compiler and looking at the states may take
 * together; 0: any. Nothing of it outlives this process. */
HK_NODISCARD hk_status hk_spin_run(hk_cli *cli, const char *promela, unsigned limit_s,
                                   hk_spin *ret_spin);

#endif
