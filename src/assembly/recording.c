/* SPDX-License-Identifier: MIT */
#include "assembly/recording.h"

#include "assembly/agreed.h"
#include "assembly/isolation.h"
#include "assembly/remote_units.h"

#include "fuse/fuse.h"
#include "record/select.h"

hk_status hk_recording_select(hk_ctx *ctx, const hk_model *model, hk_texts patterns,
                              hk_arena *arena, hk_recording *ret_recording) {
    hk_recording r = {.by_default = !patterns.count};
    HK_TRY(hk_columns_select(ctx, model, patterns, arena, &r.columns, &r.column_count));
    r.row_size = hk_columns_layout(r.columns, r.column_count);
    *ret_recording = r;
    return HK_OK;
}

hk_status hk_recording_open(hk_ctx *ctx, const hk_model *model, const char *path,
                            const hk_about *begun, hk_recording *recording) {
    HK_ASSERT(!recording->recorder);
    hk_columns_tell(ctx, model, recording->by_default, recording->column_count);
    return hk_recorder_open(
        ctx, path,
        &(hk_row_layout){recording->columns, recording->column_count, recording->row_size},
        &(hk_recorder_options){.begun = begun, .resumed = recording->resumed, .thread_later = true},
        &recording->recorder);
}

/* A model that was not completed here has nobody who has asked. */
static void take_isolated(const hk_assembly *assembly, hk_sim_options *options) {
    options->isolated = assembly->isolated ? assembly->isolated
                                           : hk_isolated_by_need(assembly->arena, assembly->model);
    options->sandboxed = assembly->sandboxed;
    options->sandbox = assembly->sandbox;
}

static hk_status simulate(hk_ctx *ctx, const hk_assembly *assembly, const hk_plan *plan,
                          hk_sim_options *options, hk_sim **ret_sim) {
    int *remote = NULL;
    HK_TRY(hk_remote_connect(ctx, assembly, options->timeout_s, &remote));
    options->remote = remote;
    hk_status status = hk_sim_create(ctx, plan, options, ret_sim);
    hk_remote_disconnect(assembly, remote);
    options->remote = NULL;
    return status;
}

hk_status hk_assembly_fuse(hk_ctx *ctx, const hk_assembly *assembly, hk_sim *sim) {
    HK_ASSERT(assembly && sim);
    const hk_fuse_options *fused = assembly->request->fused;
    return fused ? hk_fuse_run(ctx, sim, fused) : HK_OK;
}

static hk_status make(hk_ctx *ctx, const hk_assembly *assembly, const hk_plan *plan,
                      hk_sim_options *options, hk_sim **ret_sim) {
    HK_ASSERT(plan->model == assembly->model);
    take_isolated(assembly, options);
    options->stop_when = assembly->stop_when;
    options->stop_when_count = assembly->stop_when_count;
    return simulate(ctx, assembly, plan, options, ret_sim);
}

hk_status hk_assembly_simulate(hk_ctx *ctx, const hk_assembly *assembly, const hk_plan *plan,
                               hk_sim_options *options, hk_sim **ret_sim) {
    hk_sim *sim = NULL;
    HK_TRY(make(ctx, assembly, plan, options, &sim));
    hk_status status = hk_assembly_fuse(ctx, assembly, sim);
    if (status != HK_OK) {
        hk_sim_destroy(sim);
        return status;
    }
    *ret_sim = sim;
    return HK_OK;
}

/* Nodes that are started by hand say first what they have read. */
static hk_status start_by_hand(hk_ctx *ctx, const hk_assembly *assembly, const hk_plan *plan,
                               const hk_sim_options *options, hk_nodes_options *how,
                               hk_started *ret_started) {
    hk_agreement agreement = {.arena = hk_arena_create()};
    hk_assembly_agree(ctx, assembly, &agreement);
    how->meet = &assembly->request->meet;
    how->agreement = &agreement;
    hk_status status =
        hk_nodes_start(ctx, plan, options, how, &ret_started->nodes, &ret_started->sim);
    hk_agreement_finish(&agreement);
    hk_arena_destroy(agreement.arena);
    return status;
}

hk_status hk_assembly_start(hk_ctx *ctx, const hk_assembly *assembly, const hk_plan *plan,
                            hk_sim_options *options, const hk_nodes_options *prepare,
                            hk_started *ret_started) {
    HK_ASSERT(assembly && options && ret_started);
    const hk_request *request = assembly->request;
    if (!request->nodes && prepare && prepare->prepare)
        return make(ctx, assembly, plan, options, &ret_started->sim);
    if (!request->nodes)
        return hk_assembly_simulate(ctx, assembly, plan, options, &ret_started->sim);
    hk_nodes_options how = prepare ? *prepare : (hk_nodes_options){0};
    how.count = request->nodes;
    how.transport = request->transport;
    take_isolated(assembly, options);
    options->stop_when = assembly->stop_when;
    options->stop_when_count = assembly->stop_when_count;
    if (request->meet.place)
        return start_by_hand(ctx, assembly, plan, options, &how, ret_started);
    int *remote = NULL; /* the processes of the nodes have them from here */
    HK_TRY(hk_remote_connect(ctx, assembly, options->timeout_s, &remote));
    options->remote = remote;
    hk_status status =
        hk_nodes_start(ctx, plan, options, &how, &ret_started->nodes, &ret_started->sim);
    hk_remote_disconnect(assembly, remote);
    options->remote = NULL;
    return status;
}

hk_status hk_started_load(const hk_started *started, const char *path) {
    HK_ASSERT(started && started->sim && path);
    return started->nodes ? hk_nodes_load(started->nodes, started->sim)
                          : hk_sim_load_file(started->sim, path);
}

hk_status hk_started_save(const hk_started *started, const char *path) {
    HK_ASSERT(started && started->sim && path);
    return started->nodes ? hk_nodes_save(started->nodes, path)
                          : hk_sim_save_file(started->sim, path);
}

hk_status hk_started_run(const hk_started *started, const hk_checkpoints *checkpoints) {
    HK_ASSERT(started && started->sim && checkpoints);
    return started->nodes ? hk_nodes_run(started->nodes, started->sim, checkpoints)
                          : hk_sim_run_saving(started->sim, checkpoints);
}

void hk_started_destroy(hk_started *started) {
    HK_ASSERT(started);
    hk_sim_destroy(started->sim);
    hk_nodes_destroy(started->nodes);
    *started = (hk_started){0};
}
