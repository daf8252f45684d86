/* SPDX-License-Identifier: MIT
 *
 * Simulations: all runs of the scenarios of a .simulation, with their logs, and what each
 * expectation came to; and what the repetitions of a scenario say together. hk/answer.h says what
 * holds for every answer. One run that the program advances itself is a session (hk/session.h).
 *
 *     hk_ask_play_options options = {.size = sizeof options, .output = "results"};
 *     hk_answer *answer;
 *     hk_ask_play(context, "dive.simulation", NULL, &options, &answer);
 */
#ifndef HK_SIMULATION_H
#define HK_SIMULATION_H

#include <hk/answer.h>
#include <hk/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called as runs go on and end: DONE of ALL have come to their end, and PART of what is to be
 * simulated is, from 0 to 1. False: the runs under way end, and no other begins. */
typedef bool hk_progress_fn(void *user, size_t done, size_t all, double part);

typedef struct hk_ask_play_options {
    size_t size;
    const char *output;   /* the folder of the logs, made if it is not there; NULL: this one */
    const char *scenario; /* only this one; NULL: all */
    bool one_run;         /* only the repetition RUN, the first is 0; else all */
    int64_t run;
    int64_t repetitions; /* of each scenario, instead of what the file says; 0: as it says */
    bool seeded;         /* SEED instead of the one of the file */
    uint64_t seed;
    /* 0: all runs in this process, one after the other. Else so many at the same time, each in a
     * process of its own, made by fork(): no other thread of the program may hold a lock then that
     * a component needs. The files and the answer are the same. */
    unsigned workers;
    unsigned threads; /* of each run; 0: one */
    double real_time; /* simulated seconds per second; 0: as fast as possible */
    double timeout_s; /* wall time of each run; 0: no limit */
    double tolerance; /* relative, handed to the components; 0: as the file says */
    const char
        *monitor; /* what is checked of the calls: "phase" (NULL), "off", "contract", "values" */
    const char *const *stop_when; /* conditions that end a run: "tank.level > 25 cm" */
    size_t stop_when_count;
    bool strict;        /* events that never fire, or not when they say, are errors */
    bool extrapolate;   /* real inputs linearly over the step, instead of holding them */
    bool allow_nan;     /* let values pass that are not finite */
    bool allow_stopped; /* let stopped components answer calls */
    bool fmu_messages;  /* ask the FMUs for their log: hk_set_fmu_log */
    const char *const *output_variable; /* patterns: record these beside the logs; none: nothing */
    size_t output_variable_count;
    hk_progress_fn *progress; /* NULL: none */
    void *progress_user;
} hk_ask_play_options;

/* What `hocket run` of a simulation answers. The status is that of the first run that failed, or
 * HK_E_INTERRUPTED, or HK_E_EXPECTATION if an expectation does not hold. A component that crashes
 * takes the process of its run with it, which is this one without workers. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_play(hk_context *context, const char *path,
                                             const hk_file_options *file,
                                             const hk_ask_play_options *options,
                                             hk_answer **ret_answer);

/* Set size before each of these is filled. */
typedef struct hk_played_info {
    size_t size;
    const char *scenario;
    int64_t run; /* from 0 */
    hk_status status;
    const char *end_reason; /* NULL: it came to its stop time */
    double simulated_s, wall_s;
    size_t expectation_count;
    const char *const *logs; /* files that were written */
    size_t log_count;
    uint64_t rows;             /* of all logs */
    const char *const *events; /* what happened: "10 s: stop tank.valve" */
    size_t event_count;
    const uint64_t *activations; /* of each component, in the order of hk_system_component */
    size_t component_count;
} hk_played_info;

/* What the repetitions of a scenario say about one requirement. NaN: nothing, or not given. */
typedef struct hk_study_info {
    size_t size;
    const char *scenario, *name;
    const char *unit;              /* NULL: none */
    double least, most;            /* that was measured in a run */
    double min, max, reference;    /* as the simulation gives them */
    size_t runs, held, undecided;  /* runs that say something about it, and of those */
    const char *undecided_because; /* of the first; NULL: all are decided */
} hk_study_info;

/* The runs that were begun; 0: the answer is not one about a simulation. */
HK_EXPORT size_t hk_played_count(const hk_answer *answer);
/* HK_E_USAGE: there is no such run, expectation or requirement. */
HK_EXPORT HK_NODISCARD hk_status hk_played_get(const hk_answer *answer, size_t run,
                                               hk_played_info *ret_info);
HK_EXPORT HK_NODISCARD hk_status hk_played_expectation(const hk_answer *answer, size_t run,
                                                       size_t expectation,
                                                       hk_expectation_info *ret_info);
HK_EXPORT size_t hk_study_count(const hk_answer *answer);
HK_EXPORT HK_NODISCARD hk_status hk_study_get(const hk_answer *answer, size_t index,
                                              hk_study_info *ret_info);

#ifdef __cplusplus
}
#endif
#endif
