/* SPDX-License-Identifier: MIT
 *
 * `hocket plot model.sysml`: the diagrams of a multi-model. */
#include "base/file.h"
#include "cli/plot_graph.h"
#include "draw/draw_profile.h"

#include <string.h>
#include <strings.h>

bool hk_names_multimodel(const char *file) {
    return strcasecmp(hk_path_extension(file), ".sysml") == 0;
}

static void answer(hk_cli *cli, const hk_multimodel *p, const char *diagram, const char *output) {
    size_t components = hk_profile_components(p);
    if (!cli->json) {
        if (!cli->quiet)
            fprintf(stderr, "%s: %s (%zu block%s, %zu component%s, %zu connection%s)\n", diagram,
                    output, p->block_count, hk_plural(p->block_count), components,
                    hk_plural(components), p->connection_count, hk_plural(p->connection_count));
        return;
    }
    hk_json json;
    hk_answer_begin(cli, &json, "plot");
    hk_json_string(&json, "file", p->file);
    hk_json_string(&json, "output", output);
    hk_json_string(&json, "diagram", diagram);
    hk_json_i64(&json, "blocks", (int64_t)p->block_count);
    hk_json_i64(&json, "components", (int64_t)components);
    hk_json_i64(&json, "connections", (int64_t)p->connection_count);
    hk_answer_end(&json);
}

static hk_status draw(hk_cli *cli, const hk_multimodel *p, const hk_args *args,
                      const char *output) {
    const char *diagram = hk_args_value(args, "diagram"), *title = hk_args_value(args, "title");
    bool connections = diagram && strcmp(diagram, "connections") == 0;
    if (connections && p->system == HK_PROFILE_NONE)
        return hk_error(cli->ctx, HK_E_PROFILE, (hk_where){.file = p->file},
                        "mark the definition of the system with #system",
                        "there is no System block, so there are no connections to draw");
    HK_TRY(connections ? hk_connections_write(cli->ctx, p, title, output)
                       : hk_architecture_write(cli->ctx, p, title, output));
    answer(cli, p, connections ? "connections" : "architecture", output);
    return HK_OK;
}

hk_status hk_plot_multimodel(hk_cli *cli, const hk_args *args, const char *output) {
    const hk_multimodel *profile = NULL;
    if (args->operand_count > 1)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                        "the diagram of a multi-model shows all of it: '%s' chooses nothing",
                        args->operands[1]);
    if (!output)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "add -o FILE.svg; 'hocket info' shows it as text",
                        "the diagram of a multi-model is a picture and needs a file");
    hk_status status = hk_profile_read(cli->ctx, cli->arena, args->operands[0], &profile);
    if (status == HK_OK)
        status = draw(cli, profile, args, output);
    hk_profile_finish(profile);
    return status;
}
