/* SPDX-License-Identifier: MIT
 *
 * Two FMUs of FMI 3.0 that send each other an array of 10,000 doubles in every step: the engine
 * against a loop that gets, copies with memcpy, sets and steps. */
#include "bare.h"
#include "run.h"

#include "fmi/fmi.h"

#include <string.h>

enum { SIZE = 10000, CHUNK_STEPS = 20 };

typedef struct lattices {
    bare_fmu fmus[2];
    double got[2][SIZE], set[2][SIZE];
    uint32_t in, out;
    int64_t steps;
} lattices;

static hk_status lattices_chunk(void *user) {
    lattices *x = user;
    int status = 0;
    for (int i = 0; i < CHUNK_STEPS; i++, x->steps++) {
        double t = (double)x->steps * 0.001;
        for (int k = 0; k < 2; k++)
            status |= x->fmus[k].call3.GetFloat64(x->fmus[k].instance, &x->out, 1, x->got[k], SIZE);
        for (int k = 0; k < 2; k++) {
            memcpy(x->set[k], x->got[1 - k], sizeof x->set[k]);
            status |= x->fmus[k].call3.SetFloat64(x->fmus[k].instance, &x->in, 1, x->set[k], SIZE);
        }
        for (int k = 0; k < 2; k++)
            status |= bare_step3(&x->fmus[k], t, 0.001);
    }
    return status > HK_UNIT_WARNING ? HK_E_UNIT_FAILED : HK_OK;
}

static hk_status measure(bench *b, const hk_info *info, bench_run *run, lattices *x,
                         bench_pairs *results) {
    hk_sim_options options = {0};
    uint32_t in = hk_info_find(info, "u"), out = hk_info_find(info, "y"), one, two;
    HK_TRY(bare_ref(b->ctx, info, "u", &x->in));
    HK_TRY(bare_ref(b->ctx, info, "y", &x->out));
    HK_TRY(bare_open(b->ctx, info, "one", &x->fmus[0]));
    HK_TRY(bare_open(b->ctx, info, "two", &x->fmus[1]));
    HK_TRY(hk_model_add_component(b->ctx, run->model, "one", info, HK_NOWHERE, &one));
    HK_TRY(hk_model_add_component(b->ctx, run->model, "two", info, HK_NOWHERE, &two));
    hk_model_connect(run->model, one, out, two, in, HK_NOWHERE);
    hk_model_connect(run->model, two, out, one, in, HK_NOWHERE);
    bench_run_set_time(run->model, 1000000);
    HK_TRY(bench_run_start(b, run, &options));
    run->chunk = CHUNK_STEPS * run->plan->components[0].period;
    HK_TRY(bench_paired((bench_work){lattices_chunk, x}, (bench_work){bench_run_chunk, run},
                        b->quick ? 20 : 1000, results));
    bench_report_pairs(b, results, CHUNK_STEPS, "step", 1.2);
    return HK_OK;
}

hk_status bench_array(bench *b) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(b->ctx, HK_BENCH_FMUS "/lattice.fmu", &fmu));
    bench_run run = {.model = hk_model_create("lattices", NULL)};
    bench_pairs results = {0};
    lattices *x = hk_alloc(sizeof *x);
    hk_status status = measure(b, hk_fmu_info(fmu), &run, x, &results);
    bare_close(&x->fmus[0]);
    bare_close(&x->fmus[1]);
    hk_free(x);
    bench_run_finish(&run);
    bench_pairs_finish(&results);
    hk_fmu_close(fmu);
    return status;
}
