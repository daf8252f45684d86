/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "check/check.h"
#include "record/recorder.h"
#include "record/select.h"
#include "ssp/ssp.h"

void bench_run_set_time(hk_model *model, int64_t stop_s) {
    hk_experiment *e = &model->experiment;
    e->start = (hk_ratio){0, 1};
    e->stop = (hk_ratio){stop_s, 1};
    e->step = (hk_ratio){1, 1000};
    e->has_stop = e->has_step = true;
}

hk_status bench_run_add_row(bench *b, hk_model *model, const bench_row *row) {
    uint32_t in = hk_info_find(row->info, row->in), out = hk_info_find(row->info, row->out), index;
    for (size_t i = 0; i < row->count; i++) {
        const char *name = hk_arena_printf(model->arena, "%s%zu", row->name, i);
        HK_TRY(hk_model_add_component(b->ctx, model, name, row->info, HK_NOWHERE, &index));
        if (i)
            hk_model_connect(model, index - 1, out, index, in, HK_NOWHERE);
    }
    bench_run_set_time(model, 1000000);
    return HK_OK;
}

hk_status bench_run_read(bench *b, const char *path, bench_run *run) {
    HK_TRY(hk_ssp_read(b->ctx, path, NULL, &run->model));
    bench_run_set_time(run->model, 1000000);
    return hk_check_model(b->ctx, run->model);
}

hk_status bench_run_start(bench *b, bench_run *run, const hk_sim_options *options) {
    const hk_experiment *e = &run->model->experiment;
    hk_plan_options plan_options = {.algorithm = e->has_algorithm ? e->algorithm : HK_JACOBI};
    hk_model_lower(run->model);
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

hk_status bench_run_recorded(bench *b, bench_run *run, const char *pattern,
                             const hk_sim_options *options, const char *path) {
    hk_arena *arena = hk_arena_create();
    hk_sim_options all = *options;
    hk_column *columns;
    hk_recorder *recorder = NULL;
    hk_listener record = {0};
    hk_status status = hk_columns_select(b->ctx, run->model, (hk_texts){&pattern, pattern != NULL},
                                         arena, &columns, &record.column_count);
    if (status == HK_OK) {
        size_t row_size = hk_columns_layout(columns, record.column_count);
        record.columns = columns;
        status =
            hk_recorder_open(b->ctx, path, &(hk_row_layout){columns, record.column_count, row_size},
                             NULL, &recorder);
    }
    if (status == HK_OK) {
        record.sink = hk_recorder_sink(recorder);
        all.listeners = &record;
        all.listener_count = 1;
        status = bench_run_start(b, run, &all);
    }
    if (status == HK_OK)
        status = hk_sim_run(run->sim);
    hk_status closed = hk_recorder_close(b->ctx, recorder, NULL, NULL);
    bench_run_stop(run);
    hk_arena_destroy(arena);
    return status == HK_OK ? closed : status;
}

hk_status bench_run_counted(bench *b, bench_run *run) {
    /* Samples of the profiler as rare as they are in a long run. */
    const hk_sim_options options = {.profile_every = 4093};
    hk_status status = bench_run_start(b, run, &options);
    if (status == HK_OK)
        status = hk_sim_run_until(run->sim, b->steps * run->plan->components[0].period);
    bench_run_stop(run);
    return status;
}

hk_status bench_run_chunk(void *user) {
    bench_run *run = user;
    return hk_sim_run_until(run->sim, hk_sim_now(run->sim) + run->chunk);
}
