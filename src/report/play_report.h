/* SPDX-License-Identifier: MIT
 *
 * What happened in the runs of a simulation: the answer of `hocket run`. */
#ifndef HK_REPORT_PLAY_REPORT_H
#define HK_REPORT_PLAY_REPORT_H

#include "play/play.h"
#include "report/report.h"
#include "report/spread.h"

typedef struct hk_play_answer {
    const char *file;
    const hk_simulation *simulation;
    const hk_play_report *report;
    double seconds;   /* of wall time, all runs together */
    double real_time; /* 0: they were not paced */
    hk_status status; /* see hk_play_outcome */
    int exit;         /* exit status of the program */
    const char *page; /* the report that was written; NULL: none */
} hk_play_answer;

/* The members of the answer. */
void hk_play_put(const hk_play_answer *answer, hk_arena *arena, hk_json *json);
/* What the runs came to: the first that failed counts before expectations that do not hold. */
hk_status hk_play_outcome(const hk_play_report *report, bool interrupted);
/* How many runs the options ask for. */
int64_t hk_play_count(const hk_simulation *simulation, const hk_play_options *options);
/* The exit status of a simulation: 1 is for expectations that do not hold alone. */
int hk_play_exit(hk_status status);

/* What the runs of a scenario say about one requirement. */
typedef struct hk_study {
    const char *scenario;
    const hk_measured *about;     /* name, unit and limits; of the first run */
    size_t held, undecided, runs; /* runs that say something about it */
    double least, most;           /* that was measured; NaN: nothing was */
    hk_spread spread;             /* of what was measured */
    const char *reason;           /* of the first that is not decided; NULL: all are */
} hk_study;

/* All requirements of all scenarios, in ARENA, by scenario and then in the order in which they are
 * written. */
hk_study *hk_study_all(const hk_play_report *report, hk_arena *arena, size_t *ret_count);

#endif
