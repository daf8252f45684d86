/* SPDX-License-Identifier: MIT
 *
 * `hocket build` of a model: a program that runs it. */
#include "cli/build_kinds.h"

#include "assembly/assembly.h"
#include "base/claims.h"
#include "base/file.h"
#include "cli/compiling.h"
#include "engine/guard.h"
#include "osp/osp.h"

#include <string.h>
#include <strings.h>

static void put_json(hk_cli *cli, const char *model, const char *output, const hk_tool_made *made) {
    hk_json json;
    hk_answer_begin(cli, &json, "build");
    hk_json_string(&json, "output", output);
    hk_json_string(&json, "model", model);
    hk_json_i64(&json, "files", (int64_t)made->files);
    hk_json_i64(&json, "bytes", (int64_t)made->bytes);
    hk_json_bool(&json, "fused", made->fused);
    hk_json_string(&json, "libraries", made->libraries);
    hk_answer_end(&json);
}

/* "dir/x.system" becomes "x", in the working directory. */
static const char *default_output(hk_cli *cli, const char *path) {
    const char *name = hk_path_name(path), *dot = strchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return hk_arena_strndup(cli->arena, name, length);
}

bool hk_build_is_model(const char *path) {
    static const char *const extensions[] = {".system", ".simulation", ".ssp", ".ssd", ".xml"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(hk_path_extension(path), extensions[i]) == 0 && !hk_folder_exists(path))
            return true;
    hk_arena *arena = hk_arena_create(); /* a folder of the Open Simulation Platform */
    bool found = hk_folder_exists(path) && hk_file_exists(hk_path_join(arena, path, HK_OSP_FILE));
    hk_arena_destroy(arena);
    return found;
}

/* With fused code, unless that is not wanted; for it components are made. */
static hk_status make(hk_cli *cli, const hk_args *args, const hk_tool_program *program,
                      const char *path, const char *output, hk_tool_made *ret_made) {
    hk_tool_wish wish = {.model = path, .output = output};
    if (hk_args_has(args, "no-fused"))
        return hk_tool_make(cli->ctx, cli->arena, program, &wish, ret_made);
    const hk_guard_options guard = {.json_head = cli->json ? hk_failure_head(cli) : NULL};
    hk_compiling compiling = {0};
    hk_compiling_begin(cli, NULL, &compiling);
    compiling.options.cc = hk_args_value(args, "cc");
    wish.fused = &compiling.options;
    hk_guard_install(&guard);
    hk_status status = hk_tool_make(cli->ctx, cli->arena, program, &wish, ret_made);
    hk_guard_remove();
    hk_compiling_end(&compiling);
    return status;
}

hk_status hk_build_tool(hk_cli *cli, const hk_args *args, const char *path) {
    const char *output = hk_args_value(args, "output");
    const hk_tool_program program = {.mark = cli->build->mark,
                                     .version = cli->build->version,
                                     .type = cli->build->type,
                                     .compiler = cli->build->compiler};
    hk_request request;
    hk_tool_made made;
    if (hk_args_has(args, "cc") && hk_args_has(args, "no-fused"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--cc says who compiles, and with --no-fused nothing is compiled");
    HK_TRY(hk_request_begin(cli->ctx, path, &request));
    if (hk_folder_exists(path)) /* a system of the Open Simulation Platform */
        path = hk_path_join(cli->arena, path, HK_OSP_FILE);
    if (!output) {
        output = default_output(cli, path);
        HK_TRY(hk_file_check(cli->ctx, output));
        HK_TRY(hk_claim_write(cli->ctx, output, "the tool"));
    }
    HK_TRY(make(cli, args, &program, path, output, &made));
    if (made.libraries)
        hk_note(cli->ctx, (hk_where){.file = output},
                "put beside it, where it looks for them: %s; keep them together", made.libraries);
    if (cli->json)
        put_json(cli, path, output, &made);
    else if (!cli->quiet)
        fprintf(stderr, "build: %s (%s with %zu file%s%s, %s)\n", output, hk_path_name(path),
                made.files, made.files == 1 ? "" : "s", made.fused ? ", fused code" : "",
                hk_show_bytes(cli->arena, (double)made.bytes));
    return HK_OK;
}
