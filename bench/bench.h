/* SPDX-License-Identifier: MIT
 *
 * What the cases of the benchmark share: how time is measured, and how results are reported. */
#ifndef HK_BENCH_BENCH_H
#define HK_BENCH_BENCH_H

#include "base/diag.h"

typedef struct bench {
    hk_ctx *ctx;
    const char *models;  /* the folder that holds quarter_truck.ssp and r_rosace.ssp */
    const char *scratch; /* an empty folder for files of the case */
    const char *case_name;
    bool json;
    bool quick; /* fewer repetitions: for the tests, whose limits are wide */
    int64_t
        steps; /* above 0: only so many steps of the engine, in one call, to be counted by a tool */
    double slack;  /* limits are multiplied by this */
    int missed;    /* limits that were missed */
    bool left_out; /* something was, because the machine is busy */
} bench;

/* A case reports its results, or fails with a diagnostic. */
typedef hk_status bench_case(bench *b);
bench_case bench_truck, bench_truck1, bench_truck3, bench_kit, bench_native; /* speed.c */
bench_case bench_fused_truck, bench_fused_kit;                               /* speed.c */
bench_case bench_record;                                                     /* record.c */
bench_case bench_monitor;                                                    /* monitor.c */
bench_case bench_array;                                                      /* array.c */
bench_case bench_chain;                                                      /* chain.c */
bench_case bench_threads, bench_light;                                       /* threads.c */
bench_case bench_parent;                                                     /* parent.c */
bench_case bench_sockets, bench_memory, bench_nodes2, bench_isolated;        /* nodes_bench.c */
bench_case bench_math;                                                       /* math.c */
bench_case bench_chain16, bench_fused16;                                     /* chain16.c */
bench_case bench_fused_rosace;                                               /* rosace.c */
bench_case bench_auv, bench_auv_fused;                                       /* auv.c */
bench_case bench_auv_line, bench_auv_replay, bench_auv_repetitions;          /* auv_runs.c */
bench_case bench_chart;                                                      /* chart.c */
bench_case bench_world;                                                      /* world.c */
bench_case bench_language;                                                   /* language.c */
bench_case bench_import, bench_system, bench_rates, bench_osp;               /* growth.c */

/* One result. LIMIT is the largest value that is good; NAN: for information only. */
void bench_report(bench *b, const char *metric, double value, double limit, const char *unit);

/* A piece of work that is done again and again. */
typedef struct bench_work {
    hk_status (*run)(void *user);
    void *user;
} bench_work;

/* Times of paired chunks, in nanoseconds. */
typedef struct bench_pairs {
    double *bare, *work;
    size_t count, bare_cap, work_cap;
} bench_pairs; /* zeroed is empty */

/* Runs a chunk of the bare loop and a chunk of the work in turn, PAIRS times, after some pairs that
 * are not counted, and adds the times to RESULTS. Whatever slows the machine down for longer than a
 * chunk slows both. */
HK_NODISCARD hk_status bench_paired(bench_work bare, bench_work work, size_t pairs,
                                    bench_pairs *results);
void bench_pairs_finish(bench_pairs *results);
/* Reports the medians: both times per WHAT, of which a chunk has COUNT, and the ratio. */
void bench_report_pairs(bench *b, const bench_pairs *results, double count, const char *what,
                        double limit);
/* The same for other things than a bare loop and the engine. WORK: of the time, in nanoseconds per
 * WHAT; RATIO: of the ratio; NAN: for information only. */
typedef struct bench_limits {
    double work, ratio;
} bench_limits;
void bench_report_two(bench *b, const bench_pairs *results, const char *const names[2],
                      double count, const char *what, bench_limits limits);
/* The values are sorted. */
double bench_median(double *values, size_t count);
/* How much longer a chunk of the work takes, in nanoseconds: the median over the pairs. */
double bench_median_difference(const bench_pairs *results);
/* threads.c: two threads that only compute have a processor each, now. */
bool bench_two_are_free(void);
/* The shortest of REPEATS runs of each, taken in turn, in seconds. */
HK_NODISCARD hk_status bench_shortest(bench_work one, bench_work two, size_t repeats,
                                      double *ret_one, double *ret_two);

#endif
