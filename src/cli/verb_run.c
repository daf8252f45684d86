/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: from a file to a record. execute() is the table of contents. */
#include "base/claims.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "cli/compiling.h"
#include "cli/run.h"
#include "draw/plot.h"
#include "engine/guard.h"
#include "record/select.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PLOT_SIGNALS_MAX = 12 };

/* Ctrl-C: the handler can reach nothing but globals. */
static hk_sim *volatile interrupted_sim;
static volatile sig_atomic_t interrupt_count;

static void on_interrupt(int number) {
    (void)number;
    if (interrupt_count++ > 0 || !interrupted_sim) {
        hk_folder_remove_temporary();
        hk_guard_end(130);
    }
    hk_run_say_interrupted();
    hk_sim_interrupt(interrupted_sim);
}

static void watch_interrupts(const hk_cli *cli, hk_sim *sim) {
    interrupted_sim = sim;
    hk_run_watch(cli, sim ? on_interrupt : NULL);
}

hk_status hk_run_positive(hk_cli *cli, const hk_args *args, const char *option, double *ret_value) {
    const char *text = hk_args_value(args, option);
    double value;
    if (!text)
        return HK_OK;
    if (!hk_read_f64(text, strlen(text), &value) || !(value > 0) || !isfinite(value))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a number above 0",
                        "--%s: '%s' is no such number", option, text);
    *ret_value = value;
    return HK_OK;
}

enum { COUNT_MAX = 256 };

unsigned hk_run_processors(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online < COUNT_MAX ? (unsigned)online : COUNT_MAX;
}

hk_status hk_run_count(hk_cli *cli, const hk_args *args, const char *option, unsigned *ret_count) {
    const char *text = hk_args_value(args, option);
    uint64_t count = 1;
    if (!text)
        return HK_OK;
    if (strcmp(text, "auto") == 0) {
        count = hk_run_processors();
    } else if (!hk_read_u64(text, strlen(text), &count) || count < 1 || count > COUNT_MAX) {
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number, or 'auto'",
                        "--%s: '%s' is no number of %s from 1 to %d", option, text, option,
                        COUNT_MAX);
    }
    *ret_count = (unsigned)count;
    return HK_OK;
}

/* How the engine is to run it, beside what is in the model. */
static hk_status prepare_options(hk_run *run) {
    const hk_args *args = run->args;
    hk_sim_options *o = &run->options;
    hk_settings *settings = &run->made.settings;
    if (hk_args_has(args, "real-time"))
        o->real_time = 1;
    HK_TRY(hk_run_positive(run->cli, args, "real-time", &o->real_time));
    HK_TRY(hk_run_positive(run->cli, args, "timeout", &o->timeout_s));
    HK_TRY(hk_run_count(run->cli, args, "threads", &o->threads));
    if (o->real_time > 0)
        hk_settings_add(settings, "real-time", hk_show_f64(run->cli->arena, o->real_time),
                        HK_FROM_USER, "command line");
    if (o->timeout_s > 0)
        hk_settings_add(settings, "timeout", hk_show_f64(run->cli->arena, o->timeout_s),
                        HK_FROM_USER, "command line");
    o->extrapolate = hk_args_has(args, "extrapolate");
    o->allow_nan = hk_args_has(args, "allow-nan");
    o->allow_stopped = hk_args_has(args, "allow-stopped");
    o->set_after_load = true;
    o->fmi_logging = hk_run_log_shown(args) || hk_args_has(args, "log-file");
    o->monitor = hk_run_monitor(args);
    return HK_OK;
}

static hk_status prepare_model(hk_run *run) {
    hk_ctx *ctx = run->cli->ctx;
    HK_TRY(hk_assembly_open(ctx, &run->request, &run->made));
    run->model = run->made.model;
    HK_TRY(hk_run_log_categories(run->cli, run->args, run->model));
    HK_TRY(hk_assembly_complete(ctx, &run->made));
    HK_TRY(prepare_options(run));
    HK_TRY(hk_assembly_plan(ctx, &run->made, false));
    run->plan = run->made.plan;
    return HK_OK;
}

/* Where the rows go: to -o, or to a private file if only a plot is wanted. */
static hk_status prepare_record(hk_run *run) {
    hk_cli *cli = run->cli;
    const char *plot = hk_args_value(run->args, "plot");
    run->record = hk_args_value(run->args, "output");
    const char *state = hk_args_value(run->args, "save-state");
    if (state) /* it may replace the state that the run begins with */
        HK_TRY(hk_cli_check_output(cli, "save-state", state));
    if (state)
        HK_TRY(hk_claim_rewrite(cli->ctx, state, "--save-state"));
    HK_TRY(hk_run_check_plot(cli, plot));
    if (run->record && strcmp(run->record, "-") == 0 && (cli->json || plot))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a file with -o",
                        "standard output cannot take the record together with --%s",
                        cli->json ? "json" : "plot");
    HK_TRY(hk_recording_select(cli->ctx, run->model,
                               hk_request_texts(cli, run->args, "output-variable"), cli->arena,
                               &run->recording));
    if (!run->record && !plot)
        return HK_OK;
    if (!run->record) {
        HK_TRY(hk_folder_temporary(cli->ctx, cli->arena, &run->temporary));
        run->record = hk_path_join(cli->arena, run->temporary, "record.csv");
        run->record_is_private = true;
    }
    hk_about begun = hk_run_about_begun(run);
    HK_TRY(hk_recording_open(cli->ctx, run->model, run->record,
                             run->record_is_private ? NULL : &begun, &run->recording));
    run->listener.columns = run->recording.columns;
    run->listener.column_count = run->recording.column_count;
    run->listener.sink = hk_recorder_sink(run->recording.recorder);
    return HK_OK;
}

static double seconds_now(const hk_run *run) {
    return hk_tick_seconds(hk_sim_now(run->sim), run->plan->ticks_per_second);
}

static hk_status load_state(hk_run *run) {
    const char *path = hk_args_value(run->args, "load-state");
    if (!path)
        return HK_OK;
    hk_snapshot *snapshot;
    HK_TRY(hk_snapshot_read(run->sim, path, &snapshot));
    hk_status status = hk_sim_restore(run->sim, snapshot);
    hk_snapshot_destroy(run->sim, snapshot);
    if (status == HK_OK && hk_sim_now(run->sim) >= run->plan->stop) {
        hk_arena *arena = run->cli->arena;
        double stop = hk_tick_seconds(run->plan->stop, run->plan->ticks_per_second);
        return hk_error(run->cli->ctx, HK_E_TIME, (hk_where){.file = path}, "raise --stop-time",
                        "the saved state is of %s s, and the run is to stop at %s s",
                        hk_show_f64(arena, seconds_now(run)), hk_show_f64(arena, stop));
    }
    return status;
}

static hk_status save_state(hk_run *run) {
    const char *path = hk_args_value(run->args, "save-state");
    if (!path)
        return HK_OK;
    hk_snapshot *snapshot = NULL;
    HK_TRY(hk_sim_save(run->sim, &snapshot));
    hk_status status = hk_snapshot_write(run->sim, snapshot, path);
    hk_snapshot_destroy(run->sim, snapshot);
    if (status == HK_OK)
        run->saved = path;
    if (status == HK_OK)
        hk_written_note(&run->written, path);
    return status;
}

static void flush_files(void *user) {
    hk_run *run = user;
    hk_run_trace_flush_from_signal(run);
    hk_recorder_flush_from_signal(
        run->recording.recorder); /* NULL: closed before the components are */
}

static hk_status simulate(hk_run *run) {
    hk_cli *cli = run->cli;
    run->listener.progress = (hk_progress_receiver){hk_progress_update, &run->progress};
    run->options.listeners = &run->listener;
    run->options.listener_count = 1;
    HK_TRY(hk_run_log_open(run));
    hk_guard_options guard = {.flush = flush_files,
                              .user = run,
                              .timeout_s = run->options.timeout_s,
                              .json_head = cli->json ? hk_failure_head(cli) : NULL,
                              .redrawn_line = &cli->redrawn_line};
    hk_guard_install(&guard);
    HK_TRY(hk_assembly_simulate(cli->ctx, &run->made, run->plan, &run->options, &run->sim));
    if (hk_args_value(run->args, "save-state")) /* better said now than after a long run */
        HK_TRY(hk_snapshot_possible_at_stop(run->sim));
    HK_TRY(load_state(run));
    hk_run_trace_begin(run);
    double step = hk_ratio_to_double(run->model->experiment.step);
    run->began = hk_sim_now(run->sim);
    run->progress =
        hk_progress_start(cli, hk_args_value(run->args, "progress"), step, seconds_now(run));
    cli->redrawn_line = run->progress.mode == HK_PROGRESS_LINE;
    watch_interrupts(cli, run->sim);
    run->ran = true;
    hk_status status = hk_sim_run(run->sim);
    hk_progress_end(&run->progress);
    cli->redrawn_line = false;
    run->interrupted = interrupt_count > 0;
    run->time = seconds_now(run);
    run->simulated_s =
        hk_tick_seconds(hk_sim_now(run->sim) - run->began, run->plan->ticks_per_second);
    if (status == HK_OK)
        status = save_state(run);
    watch_interrupts(cli, NULL);
    return status;
}

static hk_status close_record(hk_run *run, hk_status status) {
    hk_about about = run->sim ? hk_run_about(run, status) : (hk_about){0};
    hk_recorder *recorder = run->recording.recorder;
    run->recording.recorder = NULL;
    HK_TRY(hk_recorder_close(run->cli->ctx, recorder,
                             run->sim && !run->record_is_private ? &about : NULL, &run->recorded));
    if (recorder && !run->record_is_private)
        hk_record_note(&run->written, run->record);
    return HK_OK;
}

hk_status hk_run_check_plot(hk_cli *cli, const char *path) {
    if (!path || strcasecmp(hk_path_extension(path), ".svg") == 0)
        return HK_OK;
    return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "name it with the extension .svg", "plots are written as SVG only");
}

hk_status hk_run_plot(hk_cli *cli, const char *record, const char *title, const char *path) {
    const hk_table *table;
    size_t *columns, count;
    HK_TRY(hk_table_read(cli->ctx, cli->arena, record, &table));
    HK_TRY(hk_table_select(cli->ctx, table, record, NULL, 0, cli->arena, &columns, &count));
    if (count > PLOT_SIGNALS_MAX) {
        hk_note(cli->ctx, HK_NOWHERE,
                "the plot shows the first %d of %zu signals; --output-variable chooses",
                PLOT_SIGNALS_MAX, count);
        count = PLOT_SIGNALS_MAX;
    }
    hk_plot_options options = {.title = title};
    return hk_plot_svg(cli->ctx, table, columns, count, &options, path);
}

static hk_status plot_record(hk_run *run) {
    const char *path = hk_args_value(run->args, "plot");
    if (!path)
        return HK_OK;
    HK_TRY(hk_run_plot(run->cli, run->record, run->model->name, path));
    run->plotted = path;
    hk_written_note(&run->written, path);
    return HK_OK;
}

static hk_status explain_settings(hk_run *run) {
    if (run->cli->json)
        hk_run_answer(run, HK_OK);
    else
        hk_settings_print(&run->made.settings, stdout);
    return HK_OK;
}

static hk_status execute(hk_run *run) {
    HK_TRY(prepare_model(run));
    if (hk_args_has(run->args, "explain-settings"))
        return explain_settings(run);
    HK_TRY(prepare_record(run));
    HK_TRY(hk_run_trace_open(run));
    hk_status status = simulate(run);
    status = hk_run_trace_close(run, status);
    hk_status closed = close_record(run, status);
    if (status == HK_OK)
        status = closed;
    if (status == HK_OK)
        status = plot_record(run);
    if (status == HK_OK && run->interrupted)
        status = HK_E_INTERRUPTED;
    if (!run->ran)
        return status;
    hk_guard_standard_output(true);
    if (run->cli->json)
        hk_run_answer(run, status);
    else if (!run->cli->quiet)
        hk_run_summary(run, status);
    else
        hk_run_warn_of_end(run);
    if (hk_args_has(run->args, "stats") && !run->cli->json) /* the answer holds them anyway */
        hk_run_stats(run);
    return status;
}

/* The options of a simulation say nothing about a system. */
static hk_status check_options(hk_cli *cli, const hk_args *args) {
    static const char *const others[] = {"system", "scenario", "run",    "workers",
                                         "define", "seed",     "strict", "verbose"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hk_args_has(args, others[i]))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a .simulation file",
                            "--%s is for simulations", others[i]);
    return HK_OK;
}

/* For compilers: when --timeout ends the run; 0: it does not. */
static hk_status read_deadline(hk_cli *cli, const hk_args *args, int64_t *ret_ns) {
    double timeout_s = 0;
    HK_TRY(hk_run_positive(cli, args, "timeout", &timeout_s));
    if (timeout_s > 0 && timeout_s < 1e9)
        *ret_ns = hk_clock_ns() + (int64_t)(timeout_s * 1e9);
    return HK_OK;
}

/* A simulation's runs have processes of their own: one compiles for all. If there is no such folder
 * they say so themselves, and are interpreted. */
static void share_library(hk_cli *cli, hk_compiling *compiling) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_folder_temporary(quiet, cli->arena, &compiling->options.folder) != HK_OK)
        compiling->options.folder = NULL;
    hk_ctx_destroy(quiet);
    compiling->options.said = NULL;
}

/* --fused. COMPILING lives as long as the run. */
static hk_status read_fused(hk_cli *cli, const hk_args *args, hk_request *request,
                            hk_compiling *compiling) {
    if (hk_args_has(args, "fused") && hk_args_has(args, "no-fused"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--fused and --no-fused contradict each other");
    if (cli->tool && cli->tool->fused && !hk_args_has(args, "no-fused")) {
        compiling->options.library = cli->tool->fused;
        request->fused = &compiling->options;
        return HK_OK;
    }
    if (!hk_args_has(args, "fused"))
        return HK_OK;
    hk_compiling_begin(cli, hk_args_value(args, "progress"), compiling);
    HK_TRY(read_deadline(cli, args, &compiling->options.deadline_ns));
    if (request->kind == HK_FILE_SIMULATION)
        share_library(cli, compiling);
    hk_remove_temporary_when_stopped();
    request->fused = &compiling->options;
    return HK_OK;
}

static hk_status run_run(hk_cli *cli, const hk_args *args) {
    hk_run run = {.cli = cli, .args = args, .file = args->operands[0]};
    int64_t deadline_ns = 0;
    if (hk_args_has(args, "build"))
        HK_TRY(read_deadline(cli, args, &deadline_ns));
    hk_take_build(args, deadline_ns);
    HK_TRY(hk_request_read(cli, args, run.file, &run.request));
    hk_compiling compiling = {0};
    HK_TRY(read_fused(cli, args, &run.request, &compiling));
    if (run.request.kind == HK_FILE_SIMULATION) {
        hk_status played = hk_run_simulation(cli, args, &run.request);
        hk_compiling_end(&compiling);
        return played;
    }
    HK_TRY(check_options(cli, args));
    hk_status status = execute(&run);
    /* Nothing that fails from here on is worth a second message. */
    status = hk_run_trace_close(&run, status);
    if (run.recording.recorder &&
        hk_recorder_close(cli->ctx, run.recording.recorder, NULL, NULL) != HK_OK && status == HK_OK)
        status = HK_E_FILE_WRITE;
    hk_guard_standard_output(false);
    hk_sim_destroy(run.sim);
    hk_guard_remove();
    status = hk_run_log_close(&run, status);
    hk_assembly_close(&run.made);
    if (run.temporary)
        hk_folder_remove(run.temporary);
    hk_status kept = hk_written_check(cli->ctx, &run.written);
    return status == HK_OK ? kept : status;
}

static const hk_option options[] = {
    {.name = "start-time",
     .argument = "TIME",
     .aliases = "startTime",
     .group = "Time",
     .help = "first instant, in seconds: 0.5, 1/120, 20ms (default: of the file, else 0)"},
    {.name = "stop-time",
     .argument = "TIME",
     .aliases = "stopTime end-time endTime",
     .group = "Time",
     .help = "last instant (default: of the file, else one second after the start)"},
    {.name = "duration",
     .argument = "TIME",
     .group = "Time",
     .help = "length of the run, instead of a stop time; from the time of a loaded state on"},
    {.name = "step-size",
     .argument = "TIME",
     .aliases = "stepSize",
     .group = "Time",
     .help = "communication step of components without a period of their own"},
    {.name = "output-interval",
     .argument = "TIME",
     .aliases = "outputInterval",
     .group = "Time",
     .help = "time between two rows of the record (default: every step)"},
    {.name = "tolerance",
     .argument = "NUMBER",
     .aliases = "relative-tolerance relativeTolerance",
     .group = "Time",
     .help = "relative tolerance handed to the components"},
    {.name = "algorithm",
     .argument = "NAME",
     .choices = "jacobi gauss-seidel",
     .group = "Time",
     .help = "'jacobi': all components see the previous step (default); 'gauss-seidel' (default of "
             ".system files): they see "
             "what was computed before them in the same step"},
    {.name = "master",
     .argument = "FILE.master",
     .files = "master",
     .group = "Time",
     .help = "run the orchestration algorithm of this file (docs/masters.md): it gives connections "
             "their lags and components their order; it is proved first, and the first wrong call "
             "is an error"},
    {.name = "schedule",
     .argument = "FILE",
     .files = "",
     .group = "Time",
     .help = "run with the processors, lags and constraints that stand in FILE"},
    {.name = "tell-stop-time",
     .group = "Time",
     .help = "tell the FMUs the stop time when they are initialised (stopTimeDefined); without it "
             "they are not told, so that a run can go on"},
    {.name = "extrapolate",
     .group = "Time",
     .help = "extrapolate the real inputs linearly over the step instead of holding them"},
    {.name = "threads",
     .argument = "N",
     .group = "Time",
     .help = "run on up to N threads ('auto': one per processor) where steps are long enough for "
             "that to pay; the result is the same to the last bit; default 1"},
    {.name = "set",
     .argument = "NAME=VALUE",
     .repeatable = true,
     .aliases = "start-value",
     .group = "Values",
     .help = "start value of a parameter or input; a unit may follow: --set tank.level=12cm; may "
             "be repeated"},
    {.name = "parameter-set",
     .argument = "NAME",
     .aliases = "parameterSet",
     .group = "Values",
     .help = "of an SSP: apply only the parameter sets that it binds under this name, or a file of "
             "that name in its resources on top of all"},
    {.name = "set-file",
     .argument = "FILE",
     .repeatable = true,
     .files = "ssv csv json",
     .group = "Values",
     .help = "start values from a file: a parameter set (.ssv), a table with the columns name, "
             "value and perhaps unit (.csv), or an object (.json); --set counts before it, a later "
             "file before an earlier one; may be repeated"},
    {.name = "input-file",
     .argument = "FILE.csv",
     .repeatable = true,
     .aliases = "inputFile",
     .files = "csv",
     .group = "Values",
     .help = "drive inputs with the columns of a table whose first column is the time"},
    {.name = "load-state",
     .argument = "FILE",
     .files = "",
     .group = "Values",
     .help = "go on from a state that --save-state wrote; --set then sets tunable parameters and "
             "inputs that nothing drives, and no others"},
    {.name = "save-state",
     .argument = "FILE",
     .files = "",
     .group = "Values",
     .help = "write the whole state at the end of the run, which must be the end of a step of "
             "every component"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .aliases = "output-file outputFile",
     .files = "csv",
     .streams = true,
     .group = "Record",
     .help = "write the record; the extension says the format (.csv); '-' is standard output; of a "
             "simulation: the folder of its logs"},
    {.name = "output-variable",
     .argument = "PATTERN",
     .repeatable = true,
     .aliases = "output-variables outputVariable",
     .group = "Record",
     .help =
         "record what matches component.variable, with '*' and '?'; '*' alone is everything "
         "(default: all outputs; of a simulation: nothing beside its logs, else in record.csv); "
         "may be repeated"},
    {.name = "plot",
     .argument = "FILE.svg",
     .files = "svg",
     .written = true,
     .group = "Record",
     .help = "plot the record to an SVG file; of a simulation: of one run, its record or first "
             "log"},
    {.name = "real-time",
     .argument = "FACTOR",
     .optional = true,
     .aliases = "realTime",
     .group = "Run",
     .help = "pace the run: FACTOR simulated seconds per second (default 1)"},
    {.name = "stop-when",
     .argument = "CONDITION",
     .repeatable = true,
     .group = "Run",
     .help = "end the run in good order once it holds, like 'tank.level > 2.5'; may be repeated"},
    {.name = "timeout",
     .argument = "SECONDS",
     .group = "Run",
     .help = "give up after this wall time, with exit status 124"},
    {.name = "allow-nan",
     .group = "Run",
     .help = "record values that are not finite instead of stopping at them"},
    {.name = "allow-stopped",
     .group = "Run",
     .help = "let stopped components answer calls, with a warning, instead of failing"},
    {.name = "fmi-logging",
     .aliases = "fmiLogging debug-logging",
     .group = "Run",
     .help = "show what the FMUs log"},
    {.name = "log-category",
     .argument = "NAME",
     .repeatable = true,
     .group = "Run",
     .help = "show what the FMUs log in this category of theirs; may be repeated"},
    {.name = "log-file",
     .argument = "FILE",
     .files = "jsonl",
     .written = true,
     .group = "Run",
     .help = "write all that the FMUs log, one object of JSON per line: time, instance, status, "
             "category, message"},
    HK_BUILD_OPTION("Run"),
    {.name = "no-fused",
     .group = "Run",
     .help =
         "interpret the system: of a program that 'hocket build' made, and that has fused code"},
    {.name = "fused",
     .group = "Run",
     .help = "compile the system to one loop of C first ($CC, or cc), with the sources of native "
             "components; the result is the same to the last bit; what was compiled is kept and "
             "used again; without a compiler the run is interpreted, with a note"},
    {.name = "monitor",
     .argument = "WHAT",
     .choices = "phase off contract values",
     .group = "Run",
     .help =
         "what hocket checks of its own calls: 'phase': that each is made once, in its place "
         "and time (default); 'contract': and beforehand, that the plan keeps the contracts of "
         "the components; 'values': and that what is set is what was got, which is slow; 'off'"},
    {.name = "trace",
     .argument = "FILE",
     .files = "jsonl",
     .written = true,
     .streams = true,
     .group = "Run",
     .help = "write the gets, sets and steps, one object of JSON per line; of a simulation: what "
             "happened and when, one line per action; '-' is standard output"},
    {.name = "trace-sample",
     .argument = "N",
     .group = "Run",
     .help = "write only the calls of every N-th instant"},
    {.name = "scenario",
     .argument = "NAME",
     .group = "Simulations",
     .help = "play this scenario only"},
    {.name = "run",
     .argument = "N",
     .group = "Simulations",
     .help = "play this repetition only; the first is 0"},
    {.name = "workers",
     .argument = "N",
     .group = "Simulations",
     .help = "play up to N runs at the same time, each in a process of its own; the files are the "
             "same; default 'auto': one per processor"},
    {.name = "system",
     .argument = "FILE",
     .files = "system ssp ssd xml fmu",
     .group = "Simulations",
     .help = "play it on this system instead of the one beside the file"},
    {.name = "define",
     .letter = 'D',
     .argument = "NAME=VALUE",
     .repeatable = true,
     .group = "Simulations",
     .help = "give a parameter of the simulation another value; may be repeated"},
    {.name = "seed",
     .argument = "N",
     .group = "Simulations",
     .help = "draw other random numbers: take this seed instead of the one of the simulation"},
    {.name = "strict",
     .group = "Simulations",
     .help = "events that never fire, or not when they say, are errors"},
    {.name = "verbose",
     .group = "Simulations",
     .help = "show what happened and when, and every expectation"},
    {.name = "progress",
     .argument = "HOW",
     .choices = "auto json none",
     .group = "Reports",
     .help = "'auto': a line on a terminal, else one for each tenth; 'json': lines for programs; "
             "'none'"},
    {.name = "stats",
     .group = "Reports",
     .help = "say where the time went, component by component, and how to reproduce the run"},
    {.name = "explain-settings",
     .group = "Reports",
     .help = "print each setting, its value and where it came from; do not run"},
};

const hk_verb hk_verb_run = {
    .name = "run",
    .summary = "simulate an FMU, a system or a simulation",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu ssp ssd xml system simulation",
    .description =
        "FILE is an FMU (.fmu), a system (.ssp, .ssd, .xml, .system) or a simulation "
        "(.simulation): "
        "scenarios with events, logs and expectations. Times are exact: 0.001, 1e-3, 1/120 and "
        "20ms are read as fractions. Settings come from the command line, then from HK_START_TIME, "
        "HK_STOP_TIME, HK_STEP_SIZE, HK_OUTPUT_INTERVAL, HK_TOLERANCE and HK_ALGORITHM, then from "
        "the file, then from the FMUs. Without -o nothing is written.\n\n"
        "Options mean the same for a simulation as for its system; only its start, its step and "
        "the "
        "rows of its logs are its own. Its logs go to the folder -o names, or to the working "
        "directory, and the exit status is 1 if an expectation does not hold.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_run,
};
