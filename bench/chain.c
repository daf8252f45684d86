/* SPDX-License-Identifier: MIT
 *
 * Many instances of one FMU in a chain: what the engine costs per instance when nothing fits into
 * the first cache any more. The FMU is the cheapest of the quarter truck, the ground, whose output
 * does not depend on its input, so that any number of them stays finite. */
#include "bare.h"
#include "run.h"

#include "base/file.h"

#include <math.h>

enum { INSTANCES = 1000, CHUNK_STEPS = 20 };

typedef struct chain {
    bare_fmu *fmus;
    double *outputs;
    size_t count;
    uint32_t in, out;
    int64_t steps;
} chain;

static hk_status chain_chunk(void *user) {
    chain *x = user;
    int status = 0;
    for (int i = 0; i < CHUNK_STEPS; i++, x->steps++) {
        double t = (double)x->steps * 0.001;
        for (size_t k = 0; k + 1 < x->count; k++)
            status |= x->fmus[k].call.GetReal(x->fmus[k].instance, &x->out, 1, &x->outputs[k]);
        for (size_t k = 1; k < x->count; k++)
            status |= x->fmus[k].call.SetReal(x->fmus[k].instance, &x->in, 1, &x->outputs[k - 1]);
        for (size_t k = 0; k < x->count; k++)
            status |= x->fmus[k].call.DoStep(x->fmus[k].instance, t, 0.001, fmi2True);
    }
    return status > HK_UNIT_WARNING ? HK_E_UNIT_FAILED : HK_OK;
}

static hk_status open_chain(bench *b, const hk_info *info, chain *x) {
    HK_TRY(bare_ref(b->ctx, info, "p.e", &x->in));
    HK_TRY(bare_ref(b->ctx, info, "p.f", &x->out));
    for (size_t i = 0; i < x->count; i++)
        HK_TRY(bare_open(b->ctx, info, "ground", &x->fmus[i]));
    return HK_OK;
}

static hk_status measure(bench *b, const hk_info *info, bench_run *run, chain *x,
                         bench_pairs *results) {
    hk_sim_options options = {0};
    HK_TRY(open_chain(b, info, x));
    HK_TRY(bench_run_add_row(b, run->model, &(bench_row){info, "ground", "p.e", "p.f", x->count}));
    HK_TRY(bench_run_start(b, run, &options));
    run->chunk = CHUNK_STEPS * run->plan->components[0].period;
    HK_TRY(bench_paired((bench_work){chain_chunk, x}, (bench_work){bench_run_chunk, run},
                        b->quick ? 20 : 500, results));
    bench_report_pairs(b, results, (double)CHUNK_STEPS * (double)x->count, "instance-step", 1.3);
    return HK_OK;
}

hk_status bench_chain(bench *b) {
    hk_arena *arena = hk_arena_create();
    bench_run truck = {0}, run = {.model = hk_model_create("chain", NULL)};
    bench_pairs results = {0};
    chain x = {.count = INSTANCES};
    x.fmus = HK_NEW_ARRAY(arena, bare_fmu, x.count);
    x.outputs = HK_NEW_ARRAY(arena, double, x.count);
    hk_status status =
        bench_run_read(b, hk_path_join(arena, b->models, "quarter_truck.ssp"), &truck);
    if (status == HK_OK) {
        uint32_t ground = hk_map_get(&truck.model->by_name, "ground");
        status = ground == HK_MAP_NONE
                     ? hk_error(b->ctx, HK_E_CONNECTION, HK_NOWHERE, NULL, "no component 'ground'")
                     : measure(b, truck.model->components[ground].info, &run, &x, &results);
    }
    for (size_t i = 0; i < x.count; i++)
        bare_close(&x.fmus[i]);
    bench_run_finish(&run);
    bench_run_finish(&truck); /* it owns the FMU the chain is made of */
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}
