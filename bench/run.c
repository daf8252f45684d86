/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "check/check.h"
#include "ssp/ssp.h"

void bench_run_set_time(hk_model *model, int64_t stop_s) {
    hk_experiment *e = &model->experiment;
    e->start = (hk_ratio){0, 1};
    e->stop = (hk_ratio){stop_s, 1};
    e->step = (hk_ratio){1, 1000};
    e->has_stop = e->has_step = true;
}

hk_status bench_run_read(bench *b, const char *path, bench_run *run) {
    HK_TRY(hk_ssp_read(b->ctx, path, &run->model));
    bench_run_set_time(run->model, 1000000);
    return hk_check_model(b->ctx, run->model);
}

hk_status bench_run_start(bench *b, bench_run *run, const hk_sim_options *options) {
    const hk_experiment *e = &run->model->experiment;
    hk_plan_options plan_options = {e->has_algorithm ? e->algorithm : HK_JACOBI};
    HK_TRY(hk_plan_make(b->ctx, run->model, &plan_options, &run->plan));
    return hk_sim_create(b->ctx, run->plan, options, &run->sim);
}

void bench_run_stop(bench_run *run) {
    hk_sim_destroy(run->sim);
    hk_plan_destroy(run->plan);
    run->sim = NULL;
    run->plan = NULL;
}

void bench_run_finish(bench_run *run) {
    bench_run_stop(run);
    hk_model_destroy(run->model);
    run->model = NULL;
}

hk_status bench_run_chunk(void *user) {
    bench_run *run = user;
    return hk_sim_run_until(run->sim, hk_sim_now(run->sim) + run->chunk);
}
