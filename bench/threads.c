/* SPDX-License-Identifier: MIT
 *
 * Two threads against one, where they pay and where they do not. Both runs are the engine's; after
 * the same number of steps they must have come to the same bits. */
#include "bare.h"
#include "run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "fmi/fmi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    STEP_NS = 1000 * 1000,
    SPIN_NS = 20 * 1000 * 1000,
    WORKER_CHUNK = 20,
    LIGHT_CHUNK = 1000,
    LIGHT_ROUNDS = 10
};

static const char *const names[2] = {"one thread", "two threads"};

/* Every real output of every component that the engine holds. */
static hk_status same_bits(bench *b, const bench_run runs[2]) {
    const hk_model *model = runs[0].model;
    size_t compared = 0;
    for (uint32_t c = 0; c < model->component_count; c++)
        for (uint32_t v = 0; v < model->components[c].info->variable_count; v++) {
            double one, two;
            if (!hk_sim_read_f64(runs[0].sim, c, v, &one) ||
                !hk_sim_read_f64(runs[1].sim, c, v, &two))
                continue;
            compared++;
            if (memcmp(&one, &two, sizeof one) != 0)
                return hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                                "%s.%s has other bits with two threads than with one",
                                model->components[c].name,
                                model->components[c].info->variables[v].name);
        }
    return compared ? HK_OK
                    : hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "nothing was compared");
}

/* Starts both, runs them in paired chunks of STEPS periods of the first component, and compares. */
static hk_status measure(bench *b, bench_run runs[2], int steps, size_t pairs,
                         bench_pairs *results) {
    for (unsigned i = 0; i < 2; i++) {
        hk_sim_options options = {.threads = i + 1};
        HK_TRY(bench_run_start(b, &runs[i], &options));
        runs[i].chunk = steps * runs[i].plan->components[0].period;
    }
    HK_TRY(bench_paired((bench_work){bench_run_chunk, &runs[0]},
                        (bench_work){bench_run_chunk, &runs[1]}, pairs, results));
    return same_bits(b, runs);
}

/* --- threads: two FMUs that compute for 1 ms in every step -------------------------------------*/

/* The fastest of some steps counts. */
hk_status bench_workers_calibrate(bench *b, const hk_info *info, double *ret_rounds) {
    const double rounds = 10000;
    bare_fmu fmu = {0};
    uint32_t ref;
    int64_t best = INT64_MAX;
    HK_TRY(bare_ref(b->ctx, info, "rounds", &ref));
    hk_status status = bare_open(b->ctx, info, "worker", &fmu);
    bool good = status == HK_OK && fmu.call.SetReal(fmu.instance, &ref, 1, &rounds) == fmi2OK;
    for (int i = 0; i < 100 && good; i++) {
        int64_t begin = hk_clock_ns();
        good = fmu.call.DoStep(fmu.instance, 0, 0.001, fmi2True) == fmi2OK;
        int64_t took = hk_clock_ns() - begin;
        best = took < best ? took : best;
    }
    bare_close(&fmu);
    HK_TRY(status);
    if (!good)
        return hk_error(b->ctx, HK_E_UNIT_FAILED, HK_NOWHERE, NULL, "the worker does not work");
    *ret_rounds = floor(rounds * STEP_NS / (double)best);
    return HK_OK;
}

hk_status bench_workers_make(bench *b, const hk_info *info, double rounds, hk_model *model) {
    uint32_t u = hk_info_find(info, "u"), y = hk_info_find(info, "y"), index;
    const char *text = hk_arena_printf(model->arena, "%lld", (long long)rounds);
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "second" : "first";
        HK_TRY(hk_model_add_component(b->ctx, model, name, info, HK_NOWHERE, &index));
        HK_TRY(hk_model_set(b->ctx, model, index, hk_info_find(info, "rounds"),
                            &(hk_given_text){text, NULL, {HK_FROM_USER, HK_NOWHERE}}));
    }
    hk_model_connect(model, 0, y, 1, u, HK_NOWHERE);
    hk_model_connect(model, 1, y, 0, u, HK_NOWHERE);
    bench_run_set_time(model, 1000000);
    return HK_OK;
}

/* Computes for SPIN_NS of processor time. */
static void *spin(void *user) {
    struct timespec used;
    int64_t ns = 0;
    while (ns < SPIN_NS) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        ns = (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
    }
    return user;
}

bool bench_two_are_free(void) {
    pthread_t threads[2];
    int64_t begin = hk_clock_ns();
    for (int i = 0; i < 2; i++)
        if (hk_thread_start(&threads[i], spin, NULL) != 0)
            return false;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return (double)(hk_clock_ns() - begin) < 1.3 * SPIN_NS;
}

static hk_status measure_workers(bench *b, const hk_info *info, bench_run runs[2],
                                 bench_pairs *results) {
    double rounds = 0;
    HK_TRY(bench_workers_calibrate(b, info, &rounds));
    for (int i = 0; i < 2; i++)
        HK_TRY(bench_workers_make(b, info, rounds, runs[i].model));
    bool free = !b->quick || bench_two_are_free();
    HK_TRY(measure(b, runs, WORKER_CHUNK, b->quick ? 5 : 150, results));
    free = free && (!b->quick || bench_two_are_free());
    if (!free) { /* the bits were compared; how fast two are cannot be said of a busy machine */
        fprintf(stderr, "bench: threads is not judged: no second processor is free\n");
        return HK_OK;
    }
    if (hk_sim_threads(runs[1].sim) != 2)
        return hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "the second thread was not used");
    bench_report_two(b, results, names, WORKER_CHUNK, "step", (bench_limits){NAN, 1 / 1.8});
    return HK_OK;
}

hk_status bench_threads(bench *b) {
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        fprintf(stderr, "bench: threads is left out: there is one processor\n");
        return HK_OK;
    }
    bench_run runs[2] = {{.model = hk_model_create("workers", NULL)},
                         {.model = hk_model_create("workers", NULL)}};
    bench_pairs results = {0};
    hk_fmu *fmu = NULL;
    hk_status status = hk_fmu_open(b->ctx, HK_BENCH_FMUS "/worker.fmu", &fmu);
    if (status == HK_OK)
        status = measure_workers(b, hk_fmu_info(fmu), runs, &results);
    for (int i = 0; i < 2; i++)
        bench_run_finish(&runs[i]);
    hk_fmu_close(fmu);
    bench_pairs_finish(&results);
    return status;
}

/* --- light: threads are allowed where they would not pay ---------------------------------------*/

static hk_status measure_light(bench *b, bench_run runs[2], bench_pairs *results) {
    /* Fresh instances in every round lie in other places of the memory than those before. */
    for (int round = 0; round < LIGHT_ROUNDS; round++) {
        HK_TRY(measure(b, runs, LIGHT_CHUNK, b->quick ? 2 : 100, results));
        for (int i = 0; i < 2; i++)
            bench_run_stop(&runs[i]);
    }
    bench_report_two(b, results, names, LIGHT_CHUNK, "step", (bench_limits){NAN, 1.05});
    return HK_OK;
}

hk_status bench_light(bench *b) {
    hk_arena *arena = hk_arena_create();
    const char *path = hk_path_join(arena, b->models, "r_rosace.ssp");
    bench_run runs[2] = {0};
    bench_pairs results = {0};
    hk_status status = bench_run_read(b, path, &runs[0]);
    if (status == HK_OK)
        status = bench_run_read(b, path, &runs[1]);
    if (status == HK_OK)
        status = measure_light(b, runs, &results);
    for (int i = 0; i < 2; i++)
        bench_run_finish(&runs[i]);
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}
