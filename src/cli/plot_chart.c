/* SPDX-License-Identifier: MIT
 *
 * `hocket plot x.rct`: a RoboChart module as a diagram. */
#include "base/file.h"
#include "cli/plot_graph.h"
#include "draw/draw_diagram.h"
#include "report/explore_report.h"

#include <string.h>

/* "x.rct" and "x.rct#Module": parts the two. */
static bool split(hk_arena *arena, const char *text, const char **ret_file,
                  const char **ret_module) {
    const char *hash = strchr(text, '#');
    *ret_module = hash ? hash + 1 : NULL;
    *ret_file = hash ? hk_arena_strndup(arena, text, (size_t)(hash - text)) : text;
    return hk_names_chart(*ret_file);
}

bool hk_names_module(hk_cli *cli, const char *text) {
    const char *file, *module;
    return split(cli->arena, text, &file, &module);
}

static void answer(hk_cli *cli, const hk_chart *chart, const hk_diagram_counts *counts,
                   const char *output) {
    size_t states = 0, transitions = 0;
    for (uint32_t i = 0; i < chart->machine_count; i++) {
        transitions += chart->machines[i].transition_count;
        for (uint32_t n = 0; n < chart->machines[i].node_count; n++)
            states += chart->machines[i].nodes[n].kind == HK_CHART_STATE;
    }
    if (!cli->json) {
        if (!cli->quiet)
            fprintf(stderr, "diagram: %s (%u machine%s, %zu state%s, %zu transition%s)\n", output,
                    chart->machine_count, hk_plural(chart->machine_count), states,
                    hk_plural(states), transitions, hk_plural(transitions));
        return;
    }
    hk_json json;
    hk_answer_begin(cli, &json, "plot");
    hk_json_string(&json, "file", chart->file);
    hk_json_string(&json, "output", output);
    hk_json_string(&json, "module", chart->name);
    if (counts)
        hk_json_string(&json, "run", counts->record);
    hk_json_i64(&json, "machines", chart->machine_count);
    hk_json_i64(&json, "states", (int64_t)states);
    hk_json_i64(&json, "transitions", (int64_t)transitions);
    hk_answer_end(&json);
}

static hk_status check_usage(hk_cli *cli, const hk_args *args, const char *output) {
    size_t most = hk_args_has(args, "run") ? 2 : 1;
    if (args->operand_count > most)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                        most == 1 ? "the diagram of a module shows all of it: '%s' chooses nothing"
                                  : "behind the module there is one component of the run: '%s' is "
                                    "too many",
                        args->operands[most]);
    if (!output)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "add -o FILE.svg; 'hocket info' shows it as text",
                        "the diagram of a module is a picture and needs a file");
    return HK_OK;
}

hk_status hk_plot_chart(hk_cli *cli, const hk_args *args, const char *output) {
    const char *file, *module, *run = hk_args_value(args, "run");
    const hk_chart *chart;
    hk_diagram_counts counts;
    hk_diagram_options options = {.title = hk_args_value(args, "title")};
    HK_TRY(check_usage(cli, args, output));
    (void)split(cli->arena, args->operands[0], &file, &module);
    HK_TRY(hk_chart_read(cli->ctx, cli->arena, file, module, &chart));
    if (run) {
        const char *component = args->operand_count > 1 ? args->operands[1] : NULL;
        HK_TRY(hk_diagram_learn(cli->ctx, cli->arena, chart, run, component, &counts));
        options.counts = &counts;
    }
    hk_picture picture = hk_diagram_draw(cli->ctx, chart, &options, hk_canvas_create());
    HK_TRY(hk_picture_write(cli->ctx, picture, output));
    answer(cli, chart, options.counts, output);
    return HK_OK;
}
