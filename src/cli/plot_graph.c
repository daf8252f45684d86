/* SPDX-License-Identifier: MIT */
#include "cli/plot_graph.h"

#include "assembly/load.h"
#include "base/file.h"
#include "cli/view_options.h"
#include "draw/draw_graph.h"

#include <strings.h>

/* A folder with a system of the Open Simulation Platform in it. */
static bool is_system_folder(const char *path) {
    if (!hk_folder_exists(path))
        return false;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_file_kind kind;
    bool found = hk_file_classify(quiet, path, &kind) == HK_OK && kind == HK_FILE_SYSTEM;
    hk_ctx_destroy(quiet);
    return found;
}

bool hk_names_system(const char *file) {
    static const char *const extensions[] = {".system", ".ssp", ".ssd",
                                             ".fmu",    ".xml", ".simulation"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcasecmp(hk_path_extension(file), extensions[i]) == 0)
            return true;
    return is_system_folder(file);
}

/* "holds: coincidence a -> c, a -> b -> c (ages 5 ms, 5 ms)" */
static hk_graph_note constraint_note(const hk_view *view, const hk_constraint *c) {
    hk_arena *arena = view->arena;
    hk_violation v;
    bool holds = hk_constraint_holds(view->plan, c, &v);
    const char *ages = "";
    for (size_t p = 0; p < c->path_count; p++)
        ages = hk_arena_printf(arena, "%s%s%s", ages, p ? ", " : "",
                               hk_view_ages(view, hk_view_constraint_ages(view, c, p)));
    return (hk_graph_note){
        .words = hk_arena_printf(arena, "%s: %s (age%s %s)", holds ? "holds" : "broken",
                                 hk_view_constraint(view, c), c->path_count > 1 ? "s" : "", ages),
        .good = holds,
        .bad = !holds};
}

static hk_status draw(hk_view *view, const char *title, const char *output) {
    const hk_model *model = view->model;
    HK_TRY(hk_view_plan(view));
    size_t count = model->constraint_count;
    hk_graph_note *notes = HK_NEW_ARRAY(view->arena, hk_graph_note, count + 1);
    for (size_t i = 0; i < count; i++)
        notes[i] = constraint_note(view, &model->constraints[i]);
    hk_graph_options options = {
        .title = title ? title : model->name, .notes = notes, .note_count = count};
    hk_picture picture = hk_graph_draw(view->ctx, view->plan, &options, hk_canvas_create());
    return hk_picture_write(view->ctx, picture, output);
}

static void answer(hk_cli *cli, const hk_view *view, const char *output) {
    if (!cli->json) {
        if (!cli->quiet)
            fprintf(stderr, "graph: %s (%zu component%s, %zu connection%s)\n", output,
                    view->model->component_count, hk_plural(view->model->component_count),
                    view->model->connection_count, hk_plural(view->model->connection_count));
        return;
    }
    hk_json json;
    hk_answer_begin(cli, &json, "plot");
    hk_json_string(&json, "file", view->file);
    hk_json_string(&json, "output", output);
    hk_json_i64(&json, "components", (int64_t)view->model->component_count);
    hk_json_i64(&json, "connections", (int64_t)view->model->connection_count);
    hk_answer_end(&json);
}

hk_status hk_plot_graph(hk_cli *cli, const hk_args *args, const char *output) {
    if (args->operand_count > 1)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                        "the graph of a system shows all of it: '%s' chooses nothing",
                        args->operands[1]);
    if (!output)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "add -o FILE.svg; 'hocket plan' shows it as text",
                        "the graph of a system is a picture and needs a file");
    hk_view view = {0};
    hk_request request;
    hk_report report = hk_cli_report(cli);
    hk_take_build(args, 0);
    HK_TRY(hk_request_read(cli, args, args->operands[0], &request));
    request.wishes.only_drawn = true;
    hk_status status = hk_view_open(&view, &report, &request);
    if (status == HK_OK)
        status = draw(&view, hk_args_value(args, "title"), output);
    if (status == HK_OK)
        answer(cli, &view, output);
    hk_view_close(&view);
    return status;
}
