/* SPDX-License-Identifier: MIT
 *
 * `hocket plan`: what a run will do, before it does it. */
#include "base/file.h"
#include "base/number.h"
#include "cli/plan_view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PROCESSORS_MAX = 1024 };

static hk_status check_names(hk_cli *cli, const hk_args *args) {
    const char *gantt = hk_args_value(args, "gantt");
    if (gantt && strcasecmp(hk_path_extension(gantt), ".svg") != 0)
        return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = gantt},
                        "name it with the extension .svg", "charts are written as SVG only");
    if (hk_args_has(args, "output-variable") && !hk_args_has(args, "program"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --program",
                        "--output-variable is about what --program shows");
    bool allocate = hk_args_has(args, "allocate");
    static const char *const only[] = {"output", "cut"};
    for (size_t i = 0; i < sizeof only / sizeof *only && !allocate; i++)
        if (hk_args_has(args, only[i]))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --allocate N",
                            "--%s is about the schedule that --allocate makes", only[i]);
    return HK_OK;
}

/* The schedule that holds now: the allocation, the costs, and what else stood in the file of
 * --schedule. */
static hk_status write_schedule(hk_view *view, const char *path) {
    hk_ctx *ctx = view->cli->ctx;
    const char *old = hk_args_value(view->args, "schedule");
    char *text = NULL, *data = NULL;
    size_t size = 0, data_size = 0;
    if (old)
        HK_TRY(hk_file_read(ctx, old, 0, &data, &data_size));
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    hk_schedule_rewrite(out, view, data);
    (void)fclose(out);
    hk_status status = hk_file_write(ctx, path, text, size);
    free(text);
    hk_free(data);
    if (status == HK_OK)
        view->schedule_file = path;
    return status;
}

static hk_status allocate(hk_view *view) {
    hk_ctx *ctx = view->cli->ctx;
    const char *text = hk_args_value(view->args, "allocate");
    const char *cut = hk_args_value(view->args, "cut"), *path = hk_args_value(view->args, "output");
    uint64_t processors;
    if (!hk_read_u64(text, strlen(text), &processors) || processors < 1 ||
        processors > PROCESSORS_MAX)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "a whole number from 1 to 1024",
                        "--allocate: '%s' is no number of processors", text);
    hk_allocate_options options = {.processors = (uint32_t)processors,
                                   .algorithm = view->made.settings.algorithm,
                                   .cut = !cut                      ? view->model->cut
                                          : strcmp(cut, "hla") == 0 ? HK_CUT_HLA
                                                                    : HK_CUT_KEEP,
                                   .costs = view->costs};
    HK_TRY(hk_allocate(ctx, view->model, &options, &view->allocation));
    HK_TRY(hk_allocation_apply(ctx, view->model, view->allocation));
    if (path)
        HK_TRY(write_schedule(view, path));
    return hk_view_plan(view);
}

static hk_status draw(hk_view *view) {
    const char *path = hk_args_value(view->args, "gantt");
    if (!path)
        return HK_OK;
    hk_gantt_options options = {.title = view->model->name};
    HK_TRY(hk_gantt_svg(view->cli->ctx, &view->gantt, &options, path));
    view->gantt_file = path;
    return HK_OK;
}

static hk_status execute(hk_view *view) {
    HK_TRY(hk_view_declare_costs(view));
    HK_TRY(hk_view_plan(view));
    HK_TRY(hk_view_costs(view));
    if (hk_args_has(view->args, "allocate"))
        HK_TRY(allocate(view));
    if (hk_args_has(view->args, "program"))
        HK_TRY(hk_view_program(view));
    hk_gantt_init(&view->gantt, view->cli->arena, view->plan, view->cost_s, HK_GANTT_INSTANTS);
    HK_TRY(draw(view));
    if (!view->cli->json && view->programs)
        hk_view_print_program(view);
    else if (!view->cli->json)
        hk_view_print(view);
    fflush(stdout);
    hk_plan_warn_load(view->cli->ctx, view->plan);
    hk_status status = hk_plan_check_constraints(view->cli->ctx, view->plan);
    hk_status overruns = hk_plan_check_overruns(view->cli->ctx, view->plan);
    status = status == HK_OK ? overruns : status;
    if (view->cli->json)
        hk_view_answer(view, status);
    if (!view->cli->json && !view->cli->quiet && view->gantt_file)
        fprintf(stderr, "chart: %s\n", view->gantt_file);
    if (!view->cli->json && !view->cli->quiet && view->schedule_file)
        fprintf(stderr, "schedule: %s\n", view->schedule_file);
    return status;
}

static hk_status run_plan(hk_cli *cli, const hk_args *args) {
    HK_TRY(check_names(cli, args));
    hk_view view;
    hk_status status = hk_view_open(&view, cli, args);
    if (status == HK_OK)
        status = execute(&view);
    hk_view_close(&view);
    return status;
}

static const hk_option options[] = {
    HK_VIEW_OPTIONS,
    {.name = "connections",
     .group = "Answer",
     .help = "list every connection, not only which components are connected"},
    {.name = "program",
     .group = "Answer",
     .help = "print the calls of a run instead, as text that reads like a master: before the first "
             "step, then in each cell of one rate and phase"},
    {.name = "output-variable",
     .argument = "PATTERN",
     .repeatable = true,
     .group = "Answer",
     .help = "with --program: the run is to record what matches, so that it is read though nothing "
             "is connected to it; '*' is everything"},
    {.name = "gantt",
     .argument = "FILE.svg",
     .files = "svg",
     .written = true,
     .group = "Answer",
     .help = "draw what each processor does at which instant to an SVG file"},
    {.name = "allocate",
     .argument = "N",
     .group = "Allocation",
     .help = "search the best way to spread the components over at most N processors; a schedule "
             "that is there already is not looked at, its constraints are"},
    {.name = "cut",
     .argument = "NAME",
     .choices = "keep hla",
     .group = "Allocation",
     .help = "with --allocate: 'keep' waits for values of other processors, 'hla' takes them a "
             "step later (default: as the schedule says, else 'keep')"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .files = "",
     .written = true,
     .group = "Allocation",
     .help = "with --allocate: write the schedule, and what else the one of --schedule says"},
    {.name = "cost",
     .argument = "NAME=TIME",
     .repeatable = true,
     .group = "Allocation",
     .help = "what one activation of a component takes: --cost wheel=30us; instead of what the "
             "system or the schedule says; may be repeated"},
    {.name = "measure",
     .group = "Allocation",
     .help = "measure what activations take in a run of about 200 instants"},
};

const hk_verb hk_verb_plan = {
    .name = "plan",
    .summary = "show order, lags and ages before a run; allocate processors",
    .operands = "SYSTEM",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu ssp ssd xml system simulation",
    .description = "Shows what 'hocket run' would do: the order in which components run, the "
                   "chart of the first instants, the lag of every connection, how old what its "
                   "consumer sees is, and where and why cycles were cut. Constraints on ages are "
                   "checked; the exit status is 1 if one is broken.\n\n"
                   "With --allocate it searches a schedule for N processors.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_plan,
};
