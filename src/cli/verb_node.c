/* SPDX-License-Identifier: MIT
 *
 * `hocket node`: one node of a run, in a process that a person has started. It reads the same files
 * with the same options as the recorder, `hocket run --meet`, and writes nothing. */
#include "base/file.h"
#include "base/number.h"
#include "cli/node_graph.h"
#include "cli/run.h"
#include "engine/guard.h"
#include "isolate/isolate.h"
#include "native/crash_place.h"
#include "nodes/serve.h"
#include "plan/place.h"
#include "report/check_report.h"
#include "report/play_report.h"

#include <string.h>

/* Ctrl-C: the handler can reach nothing but globals. */
static hk_sim *volatile interrupted_sim;
static volatile sig_atomic_t interrupts;

static void on_interrupt(int number) {
    (void)number;
    if (interrupts++ > 0) {
        hk_folder_remove_temporary();
        hk_run_end_at_once();
    }
    hk_run_say_interrupted();
    if (interrupted_sim)
        hk_sim_interrupt(interrupted_sim);
}

static hk_status read_number(hk_cli *cli, const hk_args *args, hk_request *request) {
    const char *text = hk_args_value(args, "number");
    uint64_t number = 0;
    if (!hk_args_has(args, "nodes") || !text || !hk_args_value(args, "meet"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "as in hocket node FILE --nodes 2 --number 1 --meet PLACE",
                        "a node needs --nodes, --number and --meet");
    HK_TRY(hk_run_count(cli, args, "nodes", &request->nodes));
    if (!hk_read_u64(text, strlen(text), &number) || number < 1 || number > request->nodes)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "the first node is 1",
                        "--number: '%s' is not one of %u nodes", text, request->nodes);
    const char *transport = hk_args_value(args, "transport");
    bool sockets = transport && strcmp(transport, "unix") == 0;
    request->transport = sockets ? HK_OVER_SOCKETS : HK_OVER_MEMORY;
    request->meet = hk_run_meet(cli, args);
    request->meet.number = (unsigned)number;
    return HK_OK;
}

/* ---- what it came to ---- */

static void put_members(FILE *out, const hk_cli *cli, const hk_model *model,
                        const uint32_t *node_of, uint32_t node) {
    (void)cli;
    const char *before = "";
    for (size_t i = 0; i < model->component_count; i++) {
        if (node_of[i] != node)
            continue;
        fprintf(out, "%s'", before);
        hk_put_clean(out, model->components[i].name);
        fputs("'", out);
        before = ", ";
    }
    if (!*before)
        fputs("no component", out);
}

static void say_end(hk_cli *cli, const hk_request *request, const hk_plan *plan, hk_status status) {
    const hk_model *model = plan->model;
    uint32_t node = request->meet.number - 1;
    uint32_t *node_of = HK_NEW_ARRAY(cli->arena, uint32_t, model->component_count + 1);
    hk_place_components(plan, request->nodes, NULL, node_of);
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "node");
        hk_json_string(&json, "file", request->file);
        hk_json_i64(&json, "number", request->meet.number);
        hk_json_i64(&json, "nodes", request->nodes);
        hk_json_array(&json, "components");
        for (size_t i = 0; i < model->component_count; i++)
            if (node_of[i] == node)
                hk_json_string(&json, NULL, model->components[i].name);
        hk_json_end(&json);
        hk_json_string(&json, "status", hk_report_status(cli->arena, status));
        hk_json_i64(&json, "exit", hk_cli_exit(cli, status));
        hk_answer_end(&json);
    } else if (!cli->quiet && status == HK_OK) {
        printf("node %u of %u: ", request->meet.number, request->nodes);
        put_members(stdout, cli, model, node_of, node);
        fputs(" ran to the end\n", stdout);
    }
}

/* ---- a system ---- */

static hk_status read_options(hk_cli *cli, const hk_args *args, hk_sim_options *o) {
    if (hk_args_has(args, "real-time"))
        o->real_time = 1;
    HK_TRY(hk_run_positive(cli, args, "real-time", &o->real_time));
    HK_TRY(hk_run_positive(cli, args, "timeout", &o->timeout_s));
    HK_TRY(hk_run_count(cli, args, "threads", &o->threads));
    HK_TRY(hk_run_read_seed(cli, args, &o->seed));
    o->extrapolate = hk_args_has(args, "extrapolate");
    o->allow_nan = hk_args_has(args, "allow-nan");
    o->allow_stopped = hk_args_has(args, "allow-stopped");
    o->monitor = hk_run_monitor(args);
    return HK_OK;
}

static void install_guard(const hk_cli *cli, double timeout_s) {
    hk_guard_install(&(hk_guard_options){.timeout_s = timeout_s,
                                         .json_head = cli->json ? hk_failure_head(cli) : NULL,
                                         .program = hk_program_name(cli),
                                         .place = hk_crash_place});
    hk_isolate_set_place(hk_crash_place);
}

static hk_status run_part(hk_cli *cli, const hk_args *args, hk_assembly *made) {
    hk_sim_options options = {0};
    hk_recording recording = {0};
    hk_listener listener = {0};
    hk_started started = {0};
    HK_TRY(hk_assembly_complete(cli->ctx, made));
    HK_TRY(read_options(cli, args, &options));
    HK_TRY(hk_assembly_plan(cli->ctx, made, false));
    HK_TRY(hk_recording_select(cli->ctx, made->model,
                               hk_request_texts(cli, args, "output-variable"), cli->arena,
                               &recording));
    hk_run_listen_unseen(cli, &recording, &listener);
    options.listeners = &listener;
    options.listener_count = 1;
    install_guard(cli, options.timeout_s);
    hk_run_watch(cli, on_interrupt);
    hk_status status = hk_assembly_start(cli->ctx, made, made->plan, &options,
                                         &(hk_nodes_options){.place = hk_crash_place}, &started);
    if (status == HK_OK) {
        interrupted_sim = started.sim;
        if (interrupts) /* while it was initialised */
            hk_sim_interrupt(started.sim);
        status = hk_started_run(&started, &(hk_checkpoints){0});
        interrupted_sim = NULL;
    }
    hk_run_watch(cli, NULL);
    hk_started_destroy(&started);
    hk_guard_remove();
    say_end(cli, made->request, made->plan, status);
    return status;
}

/* ---- a simulation ---- */

static hk_status read_play(hk_cli *cli, const hk_args *args, hk_simulation *simulation,
                           hk_play_options *o) {
    hk_sim_options same = {0};
    hk_recording recording = {0};
    hk_texts patterns = hk_request_texts(cli, args, "output-variable");
    HK_TRY(read_options(cli, args, &same));
    *o = (hk_play_options){.node = true,
                           .workers = 1,
                           .scenario = hk_args_value(args, "scenario"),
                           .strict = hk_args_has(args, "strict"),
                           .monitor = same.monitor,
                           .timeout_s = same.timeout_s,
                           .threads = same.threads,
                           .real_time = same.real_time,
                           .extrapolate = same.extrapolate,
                           .allow_nan = same.allow_nan,
                           .allow_stopped = same.allow_stopped,
                           .interrupted = &interrupts};
    HK_TRY(hk_run_read_number(cli, args, &o->only_run));
    HK_TRY(hk_run_read_seed(cli, args, &simulation->seed));
    if (!patterns.count)
        return HK_OK;
    HK_TRY(hk_recording_select(cli->ctx, simulation->model, patterns, cli->arena, &recording));
    o->record.columns = recording.columns;
    o->record.count = recording.column_count;
    return HK_OK;
}

static hk_status play_part(hk_cli *cli, const hk_args *args, hk_assembly *made) {
    hk_play_options options;
    hk_play_report *report = NULL;
    hk_play_live live = {0};
    HK_TRY(hk_assembly_complete(cli->ctx, made));
    HK_TRY(read_play(cli, args, made->simulation, &options));
    HK_TRY(hk_assembly_plan(cli->ctx, made, false));
    options.live = &live;
    install_guard(cli, hk_play_count(made->simulation, &options) > 1 ? 0 : options.timeout_s);
    hk_run_watch(cli, on_interrupt);
    hk_status status = hk_play(cli->ctx, made, &options, &report);
    hk_run_watch(cli, NULL);
    hk_guard_remove();
    for (size_t i = 0; report && i < report->run_count && status == HK_OK; i++)
        status = report->runs[i].status;
    hk_play_report_destroy(report);
    say_end(cli, made->request, made->plan, status);
    return status;
}

/* ---- an FMU for others, and graphs ---- */

/* What is for a run of components has no meaning for WHAT, which has the options of its GROUP, and
 * MORE: they end with NULL. */
static hk_status refuse_rest(hk_cli *cli, const hk_args *args, const char *group,
                             const char *const *more, const char *what) {
    for (size_t i = 0; i < args->given_count; i++) {
        const hk_option *given = args->given[i].option;
        const char *const *known = more;
        bool own = false;
        for (size_t k = 0; k < args->own->count; k++)
            own = own || &args->own->options[k] == given;
        while (*known && strcmp(*known, given->name) != 0)
            known++;
        if (own && !*known && strcmp(given->group, group) != 0)
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave it out", "--%s is not for %s",
                            given->name, what);
    }
    return HK_OK;
}

static hk_status serve(hk_cli *cli, const hk_args *args) {
    const char *file = hk_args_value(args, "fmu");
    hk_request request;
    hk_assembly made = {0};
    if (args->operand_count || !hk_args_value(args, "meet"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "as in hocket node --fmu FILE.fmu --meet PLACE",
                        "--fmu is served at a place, --meet, and no other file is read");
    HK_TRY(
        refuse_rest(cli, args, "Serving", (const char *const[]){"meet", "build", NULL}, "--fmu"));
    HK_TRY(hk_request_read(cli, args, file, &request));
    hk_status status = hk_assembly_open(cli->ctx, &request, &made);
    const hk_info *info = status == HK_OK && made.model && made.model->component_count == 1
                              ? made.model->components[0].info
                              : NULL;
    if (status == HK_OK && (!info || !info->can.fmi))
        status = hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = file}, "name an FMU",
                          "--fmu: this is not an FMU");
    if (status == HK_OK) {
        hk_meet meet = hk_run_meet(cli, args);
        (void)signal(SIGUSR1, SIG_IGN); /* the run is asked where it is, not who serves it */
        status = hk_serve(cli->ctx, &meet, info, hk_args_has(args, "once"));
    }
    hk_assembly_close(&made);
    return status;
}

static hk_status run_graph(hk_cli *cli, const hk_args *args) {
    HK_TRY(refuse_rest(cli, args, "Graphs", (const char *const[]){NULL}, "graphs of nodes"));
    return hk_node_graph(cli, args->operands[0], hk_args_value(args, "promela"));
}

hk_status hk_node_run(hk_cli *cli, const hk_args *args) {
    hk_request request;
    hk_assembly made = {0};
    hk_run_answer_questions(cli);
    hk_take_build(args, 0);
    if (hk_args_has(args, "fmu"))
        return serve(cli, args);
    if (args->operand_count && hk_names_graph(args->operands[0]))
        return run_graph(cli, args);
    if (hk_args_has(args, "promela"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "hocket prove --help says more of systems",
                        "--promela is for graphs of nodes (.node)");
    if (hk_args_has(args, "once") || !args->operand_count)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "as in hocket node FILE --nodes 2 --number 1 --meet PLACE, or hocket node "
                        "--fmu FILE.fmu --meet PLACE",
                        hk_args_has(args, "once") ? "--once is for --fmu"
                                                  : "there is no file to run a part of");
    HK_TRY(hk_request_read(cli, args, args->operands[0], &request));
    HK_TRY(read_number(cli, args, &request));
    bool simulates = request.kind == HK_FILE_SIMULATION;
    HK_TRY(hk_args_check_for(cli->ctx, args, simulates ? HK_FOR_SIMULATIONS : HK_FOR_SYSTEMS));
    hk_status status = hk_assembly_open(cli->ctx, &request, &made);
    if (status == HK_OK)
        status = simulates ? play_part(cli, args, &made) : run_part(cli, args, &made);
    hk_assembly_close(&made);
    return status;
}
