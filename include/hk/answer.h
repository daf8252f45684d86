/* SPDX-License-Identifier: MIT
 *
 * Answers: what the verbs of the command line say, for programs.
 *
 *     hk_answer *answer;
 *     if (hk_ask_plan(context, "house.system", NULL, NULL, &answer) == HK_OK) {
 *         puts(hk_answer_json(answer));
 *         hk_answer_destroy(answer);
 *     }
 *
 * Each question is one function, hk_ask_...: plans and traces (hk/plan.h), proofs (hk/prove.h),
 * comparisons (hk/compare.h), simulations (hk/simulation.h), and what is in a file or wrong with it
 * (here). It returns HK_OK if there is an answer, be it yes or no, and else why there is none;
 * messages are in the context in both cases. hk_answer_status tells yes from no. Every answer is
 * there as the JSON that `hocket VERB --json` prints, byte for byte; where a program wants numbers,
 * functions of the same header read them from the answer.
 *
 * Options have the names and the meaning of the options of the command line, and messages call them
 * so. Zero means the default everywhere; set size to the size of the struct. Settings do not come
 * from the environment (HK_STOP_TIME ...).
 *
 * Ownership: options are only looked at during the call. Texts that are read from an answer live as
 * long as it does. An answer needs neither its context nor the files any more. Threads: one context
 * is used by one thread at a time, and so is an answer. */
#ifndef HK_ANSWER_H
#define HK_ANSWER_H

#include <hk/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_answer hk_answer;

/* HK_OK: yes. HK_E_DIFFERENT, HK_E_UNSOUND, HK_E_EXPECTATION ...: no; the exit status of the
 * command line is made from it. HK_E_USAGE: there is no answer. */
HK_EXPORT hk_status hk_answer_status(const hk_answer *answer);
/* One object of JSON and a line break. "": there is no answer. */
HK_EXPORT const char *hk_answer_json(const hk_answer *answer);
HK_EXPORT void hk_answer_destroy(hk_answer *answer); /* NULL is fine */

/* With what a system or a simulation is opened. */
typedef struct hk_file_options {
    size_t size;
    /* Simulations: played on this system instead of the one beside the file; "name=value" of their
     * parameters. */
    const char *system;
    const char *const *define;
    size_t define_count;
    const char *schedule;      /* a file of processors, lags and constraints */
    const char *parameter_set; /* of an SSP: only the sets that it binds under this name */
    const char *master;        /* a master in words, whose lags and order hold */
    const char *start, *stop;  /* times, as text: "1/120", "20ms" */
    const char *step;          /* of components without a period of their own */
    const char *algorithm;     /* "jacobi" or "gauss-seidel" */
    /* Start values: "tank.level=12 cm"; files of them (.ssv, .csv, .json); tables that drive inputs
     * (.csv). */
    const char *const *set;
    size_t set_count;
    const char *const *set_file;
    size_t set_file_count;
    const char *const *input_file;
    size_t input_file_count;
} hk_file_options;

typedef struct hk_ask_info_options {
    size_t size;
    const char *causality;       /* only these variables: "input" ...; NULL: any */
    const char *const *variable; /* only what matches one of these patterns; none: all */
    size_t variable_count;
} hk_ask_info_options;

/* What is in a file: an FMU, a system, a simulation, types, a master in words, a record; or the
 * ports of a built-in component ("hk.Gain"). Of an FMU that is damaged what can be read is in the
 * answer, and the fault is its status. FILE and OPTIONS may be NULL, as everywhere. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_info(hk_context *context, const char *path,
                                             const hk_file_options *file,
                                             const hk_ask_info_options *options,
                                             hk_answer **ret_answer);

typedef struct hk_ask_check_options {
    size_t size;
    bool level_run; /* whether an FMU runs here decides; else whether it keeps the rules of FMI */
    bool strict;    /* events of a simulation that never fire are errors */
    const char *style; /* systems are held to this one: "navidro"; NULL: to none */
    const char *const
        *style_exempt; /* "FROM:TO": roles that it forbids and that may all the same */
    size_t style_exempt_count;
} hk_ask_check_options;

/* Everything that can be said about the files without running them. The findings are in the answer
 * and in the context; the status is that of the first file with an error. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_check(hk_context *context, const char *const *paths,
                                              size_t path_count, const hk_file_options *file,
                                              const hk_ask_check_options *options,
                                              hk_answer **ret_answer);

#ifdef __cplusplus
}
#endif
#endif
