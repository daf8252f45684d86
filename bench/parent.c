/* SPDX-License-Identifier: MIT
 *
 * What the parent of a run costs: `hocket run` of one step of the quarter truck with a parent,
 * against the same without; and the same of a million steps, of which it is to know nothing. */
#include "bench.h"

#include "base/command.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct start {
    bench *b;
    const char *model, *log, *stop;
    bool alone;
} start;

static hk_status run_once(void *user) {
    const start *s = user;
    hk_command c = {0};
    const char *const words[] = {HK_BENCH_HOCKET, "run", s->model, "--stop-time", s->stop, "-q"};
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

static double median_ms(double *values, size_t count) {
    return 1e-6 * bench_median(values, count);
}

static hk_status measure(start with, size_t pairs, bench_pairs *results) {
    start without = with;
    without.alone = true;
    return bench_paired((bench_work){run_once, &without}, (bench_work){run_once, &with}, pairs,
                        results);
}

static hk_status measure_runs(bench *b, start s) {
    enum { PAIRS = 300, QUICK_PAIRS = 40 };
    bench_pairs results = {0};
    s.stop = "0.001";
    hk_status status = measure(s, b->quick ? QUICK_PAIRS : PAIRS, &results);
    if (status == HK_OK) {
        double more_ms = 1e-6 * bench_median_difference(&results); /* before they are sorted */
        bench_report(b, "without a parent, per run", median_ms(results.bare, results.count), NAN,
                     "ms");
        bench_report(b, "with a parent, per run", median_ms(results.work, results.count), NAN,
                     "ms");
        bench_report(b, "the parent, per run", more_ms, 2, "ms");
    }
    bench_pairs_finish(&results);
    return status;
}

/* Of processes that have ended, and of those that they have waited for. */
static double used_ms(void) {
    struct rusage u;
    if (getrusage(RUSAGE_CHILDREN, &u) != 0)
        return (double)NAN;
    return 1e3 * (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-3 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

typedef struct used {
    double alone_ms, more_ms; /* medians: without a parent; with one, more than that */
} used;

/* Time of the processor: where others wait for it, one process more has to wait once more for it,
 * and that is not the parent's. */
static hk_status measure_used(const start *s, size_t pairs, used *ret_used) {
    start with = *s, without = *s;
    double *alone = hk_alloc(pairs * sizeof *alone), *more = hk_alloc(pairs * sizeof *more);
    hk_status status = HK_OK;
    without.alone = true;
    for (size_t i = 0; i < pairs && status == HK_OK; i++) {
        double begin = used_ms(), middle = begin;
        status = run_once(&without);
        middle = used_ms();
        if (status == HK_OK)
            status = run_once(&with);
        alone[i] = 1e6 * (middle - begin);
        more[i] = 1e6 * (used_ms() - middle) - alone[i];
    }
    if (status == HK_OK)
        *ret_used = (used){median_ms(alone, pairs), median_ms(more, pairs)};
    hk_free(alone);
    hk_free(more);
    return status;
}

/* What a run of many steps with a parent needs more than one of a single step does. A step is at
 * least 100 ns: less than 1 % of it cannot be told from nothing. */
static hk_status measure_steps(bench *b, start s) {
    enum { PAIRS = 60, QUICK_PAIRS = 10 };
    const double steps = 1e6, ns_per_ms = 1e6, nothing_ns = 1;
    used one, many;
    s.stop = "0.001";
    HK_TRY(measure_used(&s, b->quick ? QUICK_PAIRS : PAIRS, &one));
    s.stop = "1000";
    HK_TRY(measure_used(&s, b->quick ? QUICK_PAIRS : PAIRS, &many));
    bench_report(b, "without a parent, per step", many.alone_ms * ns_per_ms / steps, NAN, "ns");
    bench_report(b, "the parent, per step", (many.more_ms - one.more_ms) * ns_per_ms / steps,
                 nothing_ns, "ns");
    return HK_OK;
}

hk_status bench_parent(bench *b) {
    hk_arena *arena = hk_arena_create();
    start s = {.b = b,
               .model = hk_path_join(arena, b->models, "quarter_truck.ssp"),
               .log = hk_path_join(arena, b->scratch, "log")};
    hk_status status = measure_runs(b, s);
    if (status == HK_OK)
        status = measure_steps(b, s);
    hk_arena_destroy(arena);
    return status;
}
