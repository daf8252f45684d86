/* SPDX-License-Identifier: MIT
 *
 * What it costs to have the monitor look at every call: the same system twice in one process, with
 * it and without. */
#include "run.h"

#include "base/file.h"

#include <math.h>

enum { CHUNK_STEPS = 2000, ROUNDS = 15 };

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
                         hk_arena_printf(arena, "step of %s", file), limit);
    bench_pairs_finish(&results);
    bench_run_finish(&on);
    bench_run_finish(&off);
    hk_arena_destroy(arena);
    return status;
}

hk_status bench_monitor(bench *b) {
    HK_TRY(measure(b, "quarter_truck.ssp", 1.03));
    return measure(b, "r_rosace.ssp", (double)NAN);
}
