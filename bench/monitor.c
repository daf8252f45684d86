/* SPDX-License-Identifier: MIT
 *
 * What it costs to have the monitor look at every call: the same system twice in one process, with
 * it and without. */
#include "run.h"

#include "base/file.h"

#include <math.h>

/* Whole runs of a strict view have more than 10^6 calls. */
enum { CHUNK_STEPS = 2000, ROUNDS = 15, STRICT_STEPS = 100000, STRICT_PAIRS = 25 };

/* Fresh instances on both sides, in other places of the memory than those before. */
static hk_status monitor_round(bench *b, bench_run *off, bench_run *on, size_t pairs,
                               bench_pairs *results) {
    hk_sim_options without = {.monitor = HK_MONITOR_OFF}, with = {.monitor = HK_MONITOR_PHASE};
    hk_status status = bench_run_start(b, off, &without);
    if (status == HK_OK)
        status = bench_run_start(b, on, &with);
    if (status == HK_OK) {
        off->chunk = on->chunk = CHUNK_STEPS * off->plan->components[0].period;
        status = bench_paired((bench_work){bench_run_chunk, off}, (bench_work){bench_run_chunk, on},
                              pairs, results);
    }
    bench_run_stop(on);
    bench_run_stop(off);
    return status;
}

static hk_status measure(bench *b, const char *file, double limit) {
    static const char *const names[2] = {"monitor off", "monitor on"};
    bench_run off = {0}, on = {0};
    bench_pairs results = {0};
    void *shift[ROUNDS] = {NULL};
    hk_arena *arena = hk_arena_create();
    const char *path = hk_path_join(arena, b->models, file);
    hk_status status = bench_run_read(b, path, &off);
    if (status == HK_OK)
        status = bench_run_read(b, path, &on);
    for (size_t i = 0; i < ROUNDS && status == HK_OK; i++) {
        shift[i] = hk_alloc(80 * i + 16);
        status = monitor_round(b, &off, &on, b->quick ? 2 : 200, &results);
    }
    for (size_t i = 0; i < ROUNDS; i++)
        hk_free(shift[i]);
    if (status == HK_OK)
        bench_report_two(b, &results, names, CHUNK_STEPS,
                         hk_arena_printf(arena, "step of %s", file), (bench_limits){NAN, limit});
    bench_pairs_finish(&results);
    bench_run_finish(&on);
    bench_run_finish(&off);
    hk_arena_destroy(arena);
    return status;
}

/* A run that reads every output in every step, as the specification wants it to the letter (strict
 * view), and records what it reads. */
typedef struct strict_run {
    bench *b;
    bench_run run;
    hk_monitor monitor;
    const char *path;
} strict_run;

static hk_status run_strictly(void *user) {
    strict_run *s = user;
    return bench_run_recorded(s->b, &s->run, NULL, &(hk_sim_options){.monitor = s->monitor},
                              s->path);
}

static hk_status measure_strict(bench *b) {
    static const char *const names[2] = {"recorded, monitor off", "recorded, monitor on"};
    int64_t steps = b->quick ? 2000 : STRICT_STEPS;
    bench_pairs results = {0};
    hk_arena *arena = hk_arena_create();
    strict_run off = {.b = b, .monitor = HK_MONITOR_OFF};
    off.path = hk_path_join(arena, b->scratch, "strict.csv");
    hk_status status =
        bench_run_read(b, hk_path_join(arena, b->models, "quarter_truck.ssp"), &off.run);
    if (status == HK_OK) {
        bench_run_set_time(off.run.model, steps / 1000);
        strict_run on = off; /* of the same model, one after the other */
        on.monitor = HK_MONITOR_PHASE;
        status = bench_paired((bench_work){run_strictly, &off}, (bench_work){run_strictly, &on},
                              b->quick ? 2 : STRICT_PAIRS, &results);
    }
    if (status == HK_OK)
        bench_report_two(b, &results, names, (double)steps, "step, every output recorded",
                         (bench_limits){NAN, 1.01});
    bench_pairs_finish(&results);
    bench_run_finish(&off.run);
    hk_arena_destroy(arena);
    return status;
}

hk_status bench_monitor(bench *b) {
    HK_TRY(measure(b, "quarter_truck.ssp", 1.03));
    HK_TRY(measure_strict(b));
    return measure(b, "r_rosace.ssp", (double)NAN);
}
