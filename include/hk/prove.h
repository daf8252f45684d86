/* SPDX-License-Identifier: MIT
 *
 * Proofs: are the calls that a run makes, or has made, what they should be? hk/answer.h says what
 * holds for every answer. */
#ifndef HK_PROVE_H
#define HK_PROVE_H

#include <hk/answer.h>
#include <hk/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_ask_prove_options {
    size_t size;
    const char *trace; /* a file of calls that were recorded; NULL: those that a run would make */
    const char *view;  /* "strict", "connected" or "contract"; NULL: "connected" */
    const char *const *output_variable; /* patterns of what the run records, and so reads */
    size_t output_variable_count;
    /* "auto" and "always" let spin look at every state, too, in processes of its own; meanwhile
     * SIGINT and SIGTERM end those first. NULL: "never". */
    const char *spin;
    bool synthesise;    /* make a master, and prove that one */
    const char *output; /* write the master that was made to this file; NULL: nowhere */
    const char *export_csp, *export_promela; /* write specification and master; NULL: not */
    /* Of a controller in RoboChart (.rct); of it nothing above but export_promela counts. Constants
     * are start values of the file options. */
    const char *module;            /* NULL: the only one */
    const char *const *properties; /* texts: "always alarm then ReleaseFlag within 1 cycles" */
    size_t property_count;
    const char *const *property_files;
    size_t property_file_count;
    const char *const *ranges; /* "odometer=0,1,2" */
    size_t range_count;
    const char *const *lengths; /* "gas=2" */
    size_t length_count;
    const char *plant;     /* a table (.csv) or a second module (.rct); NULL: inputs are free */
    uint32_t states;       /* that are looked at, at most; 0: 5000000 */
    const char *witnesses; /* a folder for tables of inputs; NULL: none are written */
} hk_ask_prove_options;

/* What `hocket prove` answers about a system, a simulation, a master in words (.master), or a
 * controller in RoboChart (.rct). The status is HK_E_UNSOUND if something does not hold,
 * HK_E_UNDECIDED if a trace decides nothing, or there are more states than were looked at. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_prove(hk_context *context, const char *path,
                                              const hk_file_options *file,
                                              const hk_ask_prove_options *options,
                                              hk_answer **ret_answer);

/* The same of a system that the program has opened or built, as its next session would run it; it
 * completes the system. synthesise would change it and is refused. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_prove_of(hk_system *system,
                                                 const hk_ask_prove_options *options,
                                                 hk_answer **ret_answer);

typedef enum hk_verdict_state {
    HK_VERDICT_HOLDS,
    HK_VERDICT_BROKEN,
    HK_VERDICT_FORBIDDEN,    /* by FMI */
    HK_VERDICT_INCONCLUSIVE, /* a trace with which nothing can be decided */
    HK_VERDICT_DIFFERS,      /* it is sound, but not what the components declare */
    HK_VERDICT_NOT_APPLICABLE,
    HK_VERDICT_NOT_DONE
} hk_verdict_state;

/* Set size to sizeof(hk_verdict_info) before it is filled. */
typedef struct hk_verdict_info {
    size_t size;
    const char *name; /* "specification", "contracts", "fmi", "trace" ... */
    hk_verdict_state state;
    const char *text;         /* what was looked at, or why it does not hold */
    const char *hint;         /* how to mend it; NULL: no idea */
    const char *when;         /* in which step; NULL: that is not known */
    bool sampled;             /* there is too much to look at all of it */
    const char *const *calls; /* the shortest sequence that shows what is broken; of a controller:
                                 what happens in each cycle, also if nothing is broken */
    size_t call_count;
    const char *table; /* a table of its inputs that was written; NULL: none */
} hk_verdict_info;

/* How many verdicts there are; 0: the answer is not a proof. */
HK_EXPORT size_t hk_prove_verdict_count(const hk_answer *answer);
/* HK_E_USAGE: there is no such verdict. */
HK_EXPORT HK_NODISCARD hk_status hk_prove_verdict(const hk_answer *answer, size_t index,
                                                  hk_verdict_info *ret_info);
/* The master that was made, in words; NULL: none was. */
HK_EXPORT const char *hk_prove_master(const hk_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
