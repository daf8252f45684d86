/* SPDX-License-Identifier: MIT
 *
 * `hocket build --emit-c`: a system as C, for people. */
#include "cli/build_kinds.h"

#include "assembly/recording.h"
#include "base/file.h"
#include "cli/request.h"
#include "engine/guard.h"
#include "fuse/fuse.h"
#include "play/play.h"

#include <string.h>

static void put_json(hk_cli *cli, const char *model, const char *folder, size_t files) {
    hk_json json;
    hk_answer_begin(cli, &json, "build");
    hk_json_string(&json, "output", folder);
    hk_json_string(&json, "model", model);
    hk_json_i64(&json, "files", (int64_t)files);
    hk_answer_end(&json);
}

/* As a run of its first scenario would be compiled. */
static hk_status emit_simulation(hk_cli *cli, const hk_assembly *made, const char *folder,
                                 size_t *ret_files) {
    const hk_play_options options = {.no_logs = true};
    hk_performance *performance = NULL;
    HK_TRY(hk_performance_begin(cli->ctx, made, &options, &performance));
    hk_status status =
        hk_fuse_emit_to(cli->ctx, hk_performance_sim(performance), folder, ret_files);
    hk_performance_destroy(performance);
    return status;
}

/* As a run that records nothing would be. */
static hk_status emit_system(hk_cli *cli, const hk_assembly *made, const char *folder,
                             size_t *ret_files) {
    hk_sim_options options = {0};
    hk_sim *sim = NULL;
    HK_TRY(hk_assembly_simulate(cli->ctx, made, made->plan, &options, &sim));
    hk_status status = hk_fuse_emit_to(cli->ctx, sim, folder, ret_files);
    hk_sim_destroy(sim);
    return status;
}

static hk_status emit(hk_cli *cli, hk_assembly *made, const char *folder, size_t *ret_files) {
    HK_TRY(hk_assembly_complete(cli->ctx, made));
    HK_TRY(hk_assembly_plan(cli->ctx, made, false));
    const hk_guard_options guard = {.json_head = cli->json ? hk_failure_head(cli) : NULL};
    hk_guard_install(&guard);
    hk_status status = made->simulation ? emit_simulation(cli, made, folder, ret_files)
                                        : emit_system(cli, made, folder, ret_files);
    hk_guard_remove();
    return status;
}

hk_status hk_build_emit(hk_cli *cli, const hk_args *args, const char *path) {
    const char *folder = hk_args_value(args, "emit-c");
    hk_request request;
    hk_assembly made = {0};
    size_t files = 0;
    if (hk_args_has(args, "output") || hk_args_has(args, "cc"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                        "--emit-c writes text and compiles nothing: --%s says nothing about it",
                        hk_args_has(args, "cc") ? "cc" : "output");
    HK_TRY(hk_request_read(cli, args, path, &request));
    hk_status status = hk_assembly_open(cli->ctx, &request, &made);
    if (status == HK_OK)
        status = emit(cli, &made, folder, &files);
    hk_assembly_close(&made);
    HK_TRY(status);
    if (cli->json)
        put_json(cli, path, folder, files);
    else if (!cli->quiet)
        fprintf(stderr, "build: %s (%zu file%s; README.c says how to compile them)\n", folder,
                files, hk_plural(files));
    return HK_OK;
}
