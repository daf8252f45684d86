/* SPDX-License-Identifier: MIT
 *
 * The fused code that a tool carries: what most of its runs will be, compiled while there is a
 * compiler. */
#include "assembly/recording.h"
#include "base/claims.h"
#include "fuse/fuse.h"
#include "play/play.h"
#include "tool/tool_internal.h"

/* Who makes a tool records nothing. */
static void *no_row(void *user) {
    (void)user;
    HK_ASSERT(false);
    return NULL;
}

/* As a run that records what is recorded by default. */
static hk_status fuse_system(const hk_collecting *wanted, hk_arena *arena, const hk_assembly *made,
                             char **ret_data, size_t *ret_size) {
    hk_recording recording = {0};
    hk_sim *sim = NULL;
    HK_TRY(hk_recording_select(wanted->reading, made->model, (hk_texts){0}, arena, &recording));
    hk_listener record = {.columns = recording.columns,
                          .column_count = recording.column_count,
                          .sink = {.row_begin = no_row}};
    hk_sim_options options = {.listeners = &record, .listener_count = 1};
    HK_TRY(hk_assembly_simulate(wanted->reading, made, made->plan, &options, &sim));
    hk_status status = hk_fuse_library(wanted->fusing, sim, wanted->fused, ret_data, ret_size);
    hk_sim_destroy(sim);
    return status;
}

/* As a run of the first scenario. It ends before it begins, so no expectation of it is decided, and
 * nobody is to be told. */
static hk_status fuse_simulation(const hk_collecting *wanted, const hk_assembly *made,
                                 char **ret_data, size_t *ret_size) {
    const hk_play_options options = {.no_logs = true};
    hk_performance *performance = NULL;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_claim_share(aside, wanted->reading);
    hk_status status = hk_performance_begin(aside, made, &options, &performance);
    for (size_t i = 0; status != HK_OK && i < hk_ctx_count(aside, HK_NOTE); i++)
        hk_say_again(wanted->fusing, hk_ctx_diag(aside, i)); /* where paths are shown as they are */
    if (status == HK_OK)
        status = hk_fuse_library(wanted->fusing, hk_performance_sim(performance), wanted->fused,
                                 ret_data, ret_size);
    hk_performance_destroy(performance);
    hk_ctx_destroy(aside);
    return status;
}

hk_status hk_tool_fuse(const hk_collecting *wanted, hk_arena *arena, const hk_assembly *made,
                       char **ret_data, size_t *ret_size) {
    return made->simulation ? fuse_simulation(wanted, made, ret_data, ret_size)
                            : fuse_system(wanted, arena, made, ret_data, ret_size);
}
