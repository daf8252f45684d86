/* SPDX-License-Identifier: MIT
 *
 * `hocket plan`: what a run will do, before it does it. */
#include "base/file.h"
#include "base/number.h"
#include "cli/run.h"
#include "cli/view_options.h"
#include "engine/guard.h"
#include "time/nodes_promela.h"

#include <string.h>

hk_status hk_cli_open_view(hk_cli *cli, const hk_args *args, hk_view *view) {
    hk_request request;
    hk_report report = hk_cli_report(cli);
    *view = (hk_view){0};
    hk_take_build(args, 0);
    HK_TRY(hk_request_read(cli, args, args->operands[0], &request));
    return hk_view_open(view, &report, &request);
}

static hk_status read_wishes(hk_cli *cli, const hk_args *args, hk_view_wishes *ret_wishes) {
    const char *text = hk_args_value(args, "allocate");
    uint64_t processors = 0;
    bool is_number = text && hk_read_u64(text, strlen(text), &processors) && processors >= 1 &&
                     processors <= HK_PROCESSORS_MAX;
    *ret_wishes = (hk_view_wishes){.costs = hk_request_texts(cli, args, "cost"),
                                   .measure = hk_args_has(args, "measure"),
                                   .processors = text && !is_number ? 1 : (uint32_t)processors,
                                   .cut = hk_args_value(args, "cut"),
                                   .output = hk_args_value(args, "output"),
                                   .gantt = hk_args_value(args, "gantt"),
                                   .program = hk_args_has(args, "program"),
                                   .shows = hk_request_texts(cli, args, "output-variable"),
                                   .scenario = hk_args_value(args, "scenario")};
    HK_TRY(hk_run_count(cli, args, "nodes", &ret_wishes->nodes));
    HK_TRY(hk_view_check(cli->ctx, ret_wishes));
    static const char *const of_nodes[] = {"stop-when", "promela"};
    for (size_t i = 0; i < 2; i++)
        if (hk_args_has(args, of_nodes[i]) && !ret_wishes->nodes)
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --nodes N",
                            "--%s is about what --nodes shows", of_nodes[i]);
    if (text && !is_number)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number from 1 to 1024",
                        "--allocate: '%s' is not a number of processors", text);
    return HK_OK;
}

/* Components run if they are measured. */
static hk_status make(hk_cli *cli, hk_view *view, const hk_view_wishes *wishes) {
    hk_guard_options guard = {.json_head = cli->json ? hk_failure_head(cli) : NULL};
    if (wishes->measure)
        hk_guard_install(&guard);
    hk_status status = hk_view_make(view, wishes);
    if (wishes->measure)
        hk_guard_remove();
    return status;
}

static void print_program(const hk_view *view) {
    for (size_t i = 0; i < view->plan->order_count; i++) {
        const char *line = hk_view_program_text(view, i);
        while (*line) {
            size_t length = strcspn(line, "\n");
            hk_put_clean_part(stdout, line, length);
            putchar('\n');
            line += length + (line[length] == '\n');
        }
    }
}

static void answer(hk_cli *cli, const hk_view *view, hk_status status) {
    hk_json json;
    hk_answer_begin(cli, &json, "plan");
    hk_view_put(view, status, &json);
    hk_answer_end(&json);
}

/* Who waits for whom, for spin: a run that goes on and on. */
static hk_status write_promela(hk_cli *cli, const hk_view *view, const char *path) {
    hk_flow_graph *graph = NULL;
    HK_TRY(hk_flow_graph_of_plan(cli->ctx, view->plan, &view->nodes->flows->placement, &graph));
    hk_promela_options on = {.endless = true, .progress_of = HK_MAP_NONE};
    const char *text = hk_nodes_promela(cli->arena, graph, &on);
    hk_flow_graph_destroy(graph);
    return text ? hk_file_write(cli->ctx, path, text, strlen(text))
                : hk_error(cli->ctx, HK_E_TIME, HK_NOWHERE, "choose a coarser tick",
                           "a time of the graph is too large for spin");
}

static hk_status execute(hk_cli *cli, const hk_args *args, hk_view *view,
                         const hk_view_wishes *wishes) {
    const char *promela = hk_args_value(args, "promela");
    HK_TRY(make(cli, view, wishes));
    if (promela)
        HK_TRY(write_promela(cli, view, promela));
    if (!cli->json && view->programs) {
        print_program(view);
        hk_plan_print_nodes(cli, view);
    } else if (!cli->json) {
        hk_plan_print(cli, view, hk_args_has(args, "connections"));
    }
    fflush(stdout);
    hk_status status = hk_view_judge(view);
    if (cli->json)
        answer(cli, view, status);
    if (!cli->json && !cli->quiet && promela)
        fprintf(stderr, "promela: %s\n", promela);
    if (!cli->json && !cli->quiet && view->gantt_file)
        fprintf(stderr, "chart: %s\n", view->gantt_file);
    if (!cli->json && !cli->quiet && view->schedule_file)
        fprintf(stderr, "schedule: %s\n", view->schedule_file);
    return status;
}

static hk_status run_plan(hk_cli *cli, const hk_args *args) {
    hk_view view;
    hk_view_wishes wishes;
    HK_TRY(read_wishes(cli, args, &wishes));
    hk_status status = hk_cli_open_view(cli, args, &view);
    if (status == HK_OK)
        status = execute(cli, args, &view, &wishes);
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
             "step, then in each cell of one rate and phase; what --nodes shows follows"},
    {.name = "output-variable",
     .argument = "PATTERN",
     .repeatable = true,
     .group = "Answer",
     .help = "with --program or --nodes: the run is to record what matches, so that it is read "
             "though nothing is connected to it; '*' is everything"},
    {.name = "gantt",
     .argument = "FILE",
     .files = "svg png pdf",
     .written = true,
     .group = "Answer",
     .help = "draw what each processor does at which instant, as a picture (.svg; .png and .pdf "
             "with rsvg-convert)"},
    {.name = "nodes",
     .argument = "N",
     .group = "Nodes",
     .help = "show a run on N processes ('auto': one per processor): who runs where and sends what "
             "to whom, messages, queues, who can wait for whom, the critical path, the speed-up to "
             "expect (docs/nodes.md)"},
    {.name = "scenario",
     .argument = "NAME",
     .group = "Nodes",
     .help =
         "of a simulation, with --nodes: the scenario whose conditions and logs count (default: "
         "the first)"},
    {.name = "stop-when",
     .argument = "CONDITION",
     .repeatable = true,
     .group = "Nodes",
     .help =
         "with --nodes: the run is to end once it holds, so that every node looks at it; may be "
         "repeated"},
    {.name = "promela",
     .argument = "FILE",
     .files = "pml",
     .written = true,
     .group = "Nodes",
     .help = "with --nodes: also write who waits for whom, as a run without an end, for spin"},
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
    HK_OUTPUT_OPTION(
        "FILE", "", "Allocation",
        "with --allocate: write the schedule, and what else the one of --schedule says"),
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
    .files = "fmu ssp ssd xml system simulation",
    .description = "Shows what 'hocket run' would do: the order in which components run, the "
                   "chart of the first instants, the lag of every connection, how old what its "
                   "consumer sees is, and where and why cycles were cut. Constraints on ages are "
                   "checked; the exit status is 1 if one is broken.\n\n"
                   "With --allocate it searches a schedule for N processors, with --nodes it shows "
                   "a run on N processes.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_plan,
};
