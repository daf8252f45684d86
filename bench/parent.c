/* SPDX-License-Identifier: MIT
 *
 * What the parent of a run costs: `hocket run` of one step of the quarter truck with a parent,
 * against the same without. */
#include "bench.h"

#include "base/command.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct start {
    bench *b;
    const char *model, *log;
    bool alone;
} start;

static hk_status run_once(void *user) {
    const start *s = user;
    hk_command c = {0};
    const char *const words[] = {HK_BENCH_HOCKET, "run", s->model, "--stop-time", "0.001", "-q"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hk_command_add(&c, words[i]);
    if (s->alone)
        hk_command_add(&c, "--no-parent");
    int code = hk_command_run(&c, NULL, NULL, s->log);
    hk_command_finish(&c);
    return code == 0 ? HK_OK
                     : hk_error(s->b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                                "'hocket run' ended with %d", code);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ms(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
    return 1e-6 * values[count / 2];
}

/* The median of the differences: whatever slows the machine down for a while slows both. */
static void report(bench *b, bench_pairs *results) {
    hk_arena *arena = hk_arena_create();
    double *more = HK_NEW_ARRAY(arena, double, results->count);
    for (size_t i = 0; i < results->count; i++)
        more[i] = results->work[i] - results->bare[i];
    bench_report(b, "without a parent, per run", median_ms(results->bare, results->count), NAN,
                 "ms");
    bench_report(b, "with a parent, per run", median_ms(results->work, results->count), NAN, "ms");
    bench_report(b, "the parent, per run", median_ms(more, results->count), 2, "ms");
    hk_arena_destroy(arena);
}

hk_status bench_parent(bench *b) {
    enum { PAIRS = 300, QUICK_PAIRS = 40 };
    bench_pairs results = {0};
    hk_arena *arena = hk_arena_create();
    start with = {.b = b,
                  .model = hk_path_join(arena, b->models, "quarter_truck.ssp"),
                  .log = hk_path_join(arena, b->scratch, "log")};
    start without = with;
    without.alone = true;
    hk_status status = bench_paired((bench_work){run_once, &without}, (bench_work){run_once, &with},
                                    b->quick ? QUICK_PAIRS : PAIRS, &results);
    if (status == HK_OK)
        report(b, &results);
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}
