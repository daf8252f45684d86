/* SPDX-License-Identifier: MIT
 *
 * A model from its reading to its simulation, as `hocket run` does it. */
#ifndef HK_BENCH_RUN_H
#define HK_BENCH_RUN_H

#include "bench.h"
#include "engine/sim.h"

typedef struct bench_run {
    hk_model *model;
    hk_plan *plan;
    hk_sim *sim;
    hk_tick chunk; /* ticks that bench_run_chunk advances by */
} bench_run;

/* Reads and checks a system; steps are 1 ms, and the horizon is so long that no chunk reaches it.
 */
HK_NODISCARD hk_status bench_run_read(bench *b, const char *path, bench_run *run);
void bench_run_set_time(hk_model *model, int64_t stop_s);

/* COUNT components of one type in a chain: the output OUT of each is the input IN of the next. */
typedef struct bench_row {
    const hk_info *info;
    const char *name, *in, *out; /* a number is appended to the name */
    size_t count;
} bench_row;
/* Adds them to MODEL, with steps of 1 ms and a horizon that no chunk reaches. */
HK_NODISCARD hk_status bench_run_add_row(bench *b, hk_model *model, const bench_row *row);
/* Plans and creates the simulation. */
HK_NODISCARD hk_status bench_run_start(bench *b, bench_run *run, const hk_sim_options *options);
void bench_run_stop(bench_run *run); /* zeroed is fine; the model stays */
void bench_run_finish(bench_run *run);
/* A whole run with a record of what PATTERN chooses (NULL: all outputs) in the file PATH. */
HK_NODISCARD hk_status bench_run_recorded(bench *b, bench_run *run, const char *pattern,
                                          const hk_sim_options *options, const char *path);
/* As with --steps: starts the simulation, and runs that many in one call. */
HK_NODISCARD hk_status bench_run_counted(bench *b, bench_run *run);
/* A bench_work: runs the next chunk. */
hk_status bench_run_chunk(void *user);

/* threads.c: how many rounds of the FMU that works (bench/fmus/worker.c) take 1 ms here; two of
 * them in a ring. */
HK_NODISCARD hk_status bench_workers_calibrate(bench *b, const hk_info *info, double *ret_rounds);
HK_NODISCARD hk_status bench_workers_make(bench *b, const hk_info *info, double rounds,
                                          hk_model *model);

#endif
