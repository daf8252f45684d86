/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: from a file to a record. execute() is the table of contents. */
#include "base/claims.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/ledger.h"
#include "base/number.h"
#include "cli/compiling.h"
#include "cli/plot_read.h"
#include "cli/run.h"
#include "engine/guard.h"
#include "isolate/isolate.h"
#include "native/crash_place.h"
#include "nodes/watch.h"
#include "plan/place.h"
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
static hk_run *volatile interrupted_run;
static volatile sig_atomic_t interrupt_count;

static void on_interrupt(int number) {
    (void)number;
    if (interrupt_count++ > 0 || !interrupted_sim) {
        hk_ledger_ending();
        if (interrupted_run) {
            hk_guard_rescue_rows();
            hk_run_trace_flush_from_signal(interrupted_run);
            hk_recorder_end_from_signal(interrupted_run->recording.recorder, "interrupted");
        }
        hk_watch_end_nodes();
        hk_folder_remove_temporary();
        hk_run_end_at_once();
    }
    hk_run_say_interrupted();
    hk_sim_interrupt(interrupted_sim);
    hk_serving_interrupt();
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
                        "--%s: '%s' is not a valid number", option, text);
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
                        "--%s: '%s' is not a number of %s from 1 to %d", option, text, option,
                        COUNT_MAX);
    }
    *ret_count = (unsigned)count;
    return HK_OK;
}

hk_status hk_run_threads(hk_cli *cli, const hk_args *args, unsigned *ret_count) {
    const char *text = hk_args_value(args, "threads");
    unsigned nodes = 1;
    HK_TRY(hk_run_count(cli, args, "nodes", &nodes));
    HK_TRY(hk_run_count(cli, args, "threads", ret_count));
    if (text && strcmp(text, "auto") == 0) /* nodes share the processors */
        *ret_count = *ret_count > nodes ? *ret_count / nodes : 1;
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
    HK_TRY(hk_run_threads(run->cli, args, &o->threads));
    HK_TRY(hk_run_seed(run));
    if (o->real_time > 0)
        hk_settings_add(settings, "real-time", hk_show_f64(run->cli->arena, o->real_time),
                        HK_FROM_USER, "command line");
    if (o->timeout_s > 0)
        hk_settings_add(settings, "timeout", hk_show_f64(run->cli->arena, o->timeout_s),
                        HK_FROM_USER, "command line");
    HK_TRY(hk_run_positive(run->cli, args, "watchdog", &run->watchdog_s));
    if (run->watchdog_s > 0)
        hk_settings_add(settings, "watchdog", hk_show_f64(run->cli->arena, run->watchdog_s),
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
    hk_request_tell_ways(run->cli, run->args, &run->made.settings);
    HK_TRY(hk_assembly_plan(ctx, &run->made, false));
    run->plan = run->made.plan;
    if (run->request.nodes)
        (void)hk_note_idle_nodes(ctx, run->plan, run->request.nodes);
    return HK_OK;
}

/* Where the rows go: to -o, or to a private file if only a plot or a report is wanted. */
static hk_status prepare_record(hk_run *run) {
    hk_cli *cli = run->cli;
    const char *plot = hk_args_value(run->args, "plot");
    bool shown = plot || hk_args_has(run->args, "report");
    run->record = hk_args_value(run->args, "output");
    HK_TRY(hk_run_claim_state(cli, run->args));
    HK_TRY(hk_run_checkpoints(cli, run->args, &run->checkpoints));
    HK_TRY(hk_run_check_plot(cli, plot));
    HK_TRY(hk_run_check_page(cli, run->args));
    if (run->record && strcmp(run->record, "-") == 0 && (cli->json || shown))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a file with -o",
                        "standard output cannot take the record together with --%s",
                        cli->json ? "json"
                        : plot    ? "plot"
                                  : "report");
    if (run->record && shown && hk_file_exists(run->record) && !hk_file_is_regular(run->record))
        return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = run->record},
                        "name a file with -o, or leave it out",
                        "this keeps nothing that --%s could read", plot ? "plot" : "report");
    HK_TRY(hk_recording_select(cli->ctx, run->model,
                               hk_request_texts(cli, run->args, "output-variable"), cli->arena,
                               &run->recording));
    if (!run->record && !shown && run->request.meet.place)
        hk_run_listen_unseen(cli, &run->recording, &run->listener);
    if (!run->record && !shown)
        return HK_OK;
    if (!run->record) {
        HK_TRY(hk_folder_temporary(cli->ctx, cli->arena, &run->temporary));
        run->record = hk_path_join(cli->arena, run->temporary, "record.csv");
        run->record_is_private = true;
    }
    if (hk_args_has(run->args, "resume") && !run->record_is_private) {
        hk_ratio resumed;
        HK_TRY(hk_snapshot_time(cli->ctx, run->loaded, &resumed));
        run->resumed = hk_resumed_at(run->plan, resumed, hk_plan_row_interval(run->plan));
        run->recording.resumed = &run->resumed;
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

static hk_status save_state(hk_run *run) {
    const char *path = hk_args_value(run->args, "save-state");
    if (!path)
        return HK_OK;
    HK_TRY(hk_started_save(&(hk_started){run->sim, run->nodes}, path));
    run->saved = path;
    hk_written_note(&run->written, path);
    return HK_OK;
}

/* What all nodes have to do with states. */
static hk_states_wish wished_states(const hk_run *run) {
    return (hk_states_wish){.load = run->loaded,
                            .checkpoints = run->checkpoints.path != NULL,
                            .every = run->checkpoints.every,
                            .at_end = hk_args_has(run->args, "save-state")};
}

static void flush_files(void *user) {
    hk_run *run = user;
    hk_run_trace_flush_from_signal(run);
    hk_recorder_flush_from_signal(
        run->recording.recorder); /* NULL: closed before the components are */
    hk_watch_end_nodes();
    hk_run_say_kept();
}

static void flush_record(void *user) {
    hk_recorder_flush(((hk_run *)user)->recording.recorder);
}

static hk_status simulate(hk_run *run) {
    hk_cli *cli = run->cli;
    run->listener.progress = (hk_progress_receiver){hk_progress_update, &run->progress};
    run->options.listeners = &run->listener;
    run->options.listener_count = 1;
    HK_TRY(hk_run_log_open(run));
    hk_run_keeps("the record", run->record_is_private ? NULL : run->record);
    hk_guard_options guard = {.flush = flush_files,
                              .user = run,
                              .timeout_s = run->options.timeout_s,
                              .watchdog_s = run->request.nodes ? 0 : run->watchdog_s,
                              .stopped_s = run->watchdog_s,
                              .process = run->request.nodes ? "the recorder" : NULL,
                              .json_head = cli->json ? hk_failure_head(cli) : NULL,
                              .redrawn_line = &cli->redrawn_line,
                              .program = hk_program_name(cli),
                              .place = hk_crash_place};
    hk_guard_install(&guard);
    hk_isolate_set_place(hk_crash_place);
    hk_started started = {0};
    hk_nodes_options each = {
        .place = hk_crash_place, .states = wished_states(run), .watchdog_s = run->watchdog_s};
    hk_status made =
        hk_assembly_start(cli->ctx, &run->made, run->plan, &run->options, &each, &started);
    run->sim = started.sim;
    run->nodes = started.nodes;
    HK_TRY(made);
    hk_recorder_start(run->recording.recorder);
    if (hk_args_value(run->args, "save-state")) /* better said now than after a long run */
        HK_TRY(hk_snapshot_possible_at_stop(run->sim));
    if (run->checkpoints.path)
        HK_TRY(hk_snapshot_possible(run->sim, true));
    run->checkpoints.before = flush_record;
    run->checkpoints.user = run;
    run->checkpoints.left = &run->left;
    if (run->loaded)
        HK_TRY(hk_started_load(&started, run->loaded));
    hk_run_trace_begin(run);
    double step = hk_ratio_to_double(run->model->experiment.step);
    run->began = hk_sim_now(run->sim);
    run->progress =
        hk_progress_start(cli, hk_args_value(run->args, "progress"), step, seconds_now(run));
    cli->redrawn_line = run->progress.mode == HK_PROGRESS_LINE;
    interrupted_run = run;
    watch_interrupts(cli, run->sim);
    run->ran = true;
    hk_status status = hk_run_advance(run, &started);
    hk_progress_end(&run->progress);
    cli->redrawn_line = false;
    run->interrupted = interrupt_count > 0 && (status != HK_OK || hk_sim_end_reason(run->sim));
    run->time = seconds_now(run);
    run->simulated_s =
        hk_tick_seconds(hk_sim_now(run->sim) - run->began, run->plan->ticks_per_second);
    if (status == HK_OK)
        status = save_state(run);
    watch_interrupts(cli, NULL);
    interrupted_run = NULL;
    return status;
}

static hk_status close_record(hk_run *run, hk_status status) {
    /* A record that was to go on, and did not, is left as it is. */
    bool told = run->sim && (run->ran || !run->recording.resumed);
    hk_about about = told ? hk_run_about(run, status) : (hk_about){0};
    hk_recorder *recorder = run->recording.recorder;
    run->recording.recorder = NULL;
    HK_TRY(hk_recorder_close(run->cli->ctx, recorder, told ? &about : NULL, &run->recorded));
    if (recorder && !run->record_is_private)
        hk_record_note(&run->written, run->record);
    return HK_OK;
}

hk_status hk_run_check_plot(hk_cli *cli, const char *path) {
    return path ? hk_picture_check(cli->ctx, path, "plots") : HK_OK;
}

hk_status hk_run_plot(hk_cli *cli, const char *record, const char *title, const char *path) {
    const hk_plot_table *table;
    size_t *columns, count;
    HK_TRY(hk_plot_read(cli, record, &table));
    HK_TRY(hk_plot_select(cli, table, NULL, 0, &columns, &count));
    if (count > PLOT_SIGNALS_MAX) {
        hk_note(cli->ctx, HK_NOWHERE,
                "the plot shows the first %d of %zu signals; --output-variable chooses",
                PLOT_SIGNALS_MAX, count);
        count = PLOT_SIGNALS_MAX;
    }
    hk_plot_wish wish = {.tables = &table, .table_count = 1, .name_count = count};
    wish.names = HK_NEW_ARRAY(cli->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        wish.names[i] = table->columns[columns[i]].name;
    hk_plot plot = {.title = title};
    HK_TRY(hk_plot_drop_texts(cli, HK_NOWHERE, &wish)); /* the record may be nobody's but ours */
    HK_TRY(hk_plot_curves(cli, &wish, &plot));
    return hk_picture_write(cli->ctx, hk_plot_draw(&plot, hk_canvas_create()), path);
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
        hk_run_tell(run, HK_OK);
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
    if (run->ran && closed == HK_OK && !run->interrupted) {
        hk_status paged = hk_run_page(run, status);
        status = status == HK_OK ? paged : status;
    }
    if (status == HK_OK && run->interrupted)
        status = HK_E_INTERRUPTED;
    if (!run->ran)
        return status;
    hk_guard_standard_output(true);
    if (run->cli->json)
        hk_run_tell(run, status);
    else if (!run->cli->quiet)
        hk_run_summary(run, status);
    else
        hk_run_warn_of_end(run);
    if (hk_args_has(run->args, "stats") && !run->cli->json) /* the answer holds them anyway */
        hk_run_stats(run);
    return status;
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
    if (hk_args_has(args, "fused") && hk_args_has(args, "remote"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--fused is not possible with --remote");
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

/* NAMES ends with NULL. */
static hk_status refuse_with(hk_cli *cli, const hk_args *args, const char *option,
                             const char *const *names) {
    for (; *names; names++)
        if (hk_args_has(args, *names))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                            "--%s is not possible with --%s", *names, option);
    return HK_OK;
}

/* --nodes. What is not possible with it is refused before anything runs. */
static hk_status read_nodes(hk_cli *cli, const hk_args *args, hk_request *request) {
    static const char *const alone[] = {"fused", NULL};
    /* The recorder runs no component: how one is run is said to 'hocket node'. */
    static const char *const forked[] = {
        "workers", "remote",     "trace",   "log-file", "save-state", "load-state", "resume",
        "isolate", "checkpoint", "sandbox", "allow",    "limit",      "threads",    NULL};
    static const char *const together[] = {"transport", "meet"};
    request->meet = hk_run_meet(cli, args);
    for (size_t i = 0; i < 2; i++)
        if (hk_args_has(args, together[i]) && !hk_args_has(args, "nodes"))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --nodes N",
                            "--%s is for a run on several nodes", together[i]);
    if (!hk_args_has(args, "nodes"))
        return HK_OK;
    HK_TRY(refuse_with(cli, args, "nodes", alone));
    if (hk_args_has(args, "meet"))
        HK_TRY(refuse_with(cli, args, "meet", forked));
    HK_TRY(hk_run_count(cli, args, "nodes", &request->nodes));
    const char *transport = hk_args_value(args, "transport");
    bool sockets = transport && strcmp(transport, "unix") == 0;
    request->transport = sockets ? HK_OVER_SOCKETS : HK_OVER_MEMORY;
    return HK_OK;
}

hk_status hk_run_file(hk_cli *cli, const hk_args *args) {
    hk_run run = {.cli = cli, .args = args, .file = args->operands[0]};
    int64_t deadline_ns = 0;
    hk_run_answer_questions(cli);
    if (hk_args_has(args, "build"))
        HK_TRY(read_deadline(cli, args, &deadline_ns));
    hk_take_build(args, deadline_ns);
    HK_TRY(hk_run_state(cli, args, &run.loaded));
    HK_TRY(hk_run_check_state(cli, run.loaded));
    HK_TRY(hk_request_read(cli, args, run.file, &run.request));
    hk_compiling compiling = {0};
    HK_TRY(read_nodes(cli, args, &run.request));
    HK_TRY(read_fused(cli, args, &run.request, &compiling));
    if (run.request.kind == HK_FILE_SIMULATION) {
        hk_status played = hk_run_simulation(cli, args, &run.request);
        hk_compiling_end(&compiling);
        return played;
    }
    HK_TRY(hk_args_check_for(cli->ctx, args, HK_FOR_SYSTEMS));
    hk_status status = execute(&run);
    /* Nothing that fails from here on is worth a second message. */
    status = hk_run_trace_close(&run, status);
    if (run.recording.recorder &&
        hk_recorder_close(cli->ctx, run.recording.recorder, NULL, NULL) != HK_OK && status == HK_OK)
        status = HK_E_FILE_WRITE;
    hk_guard_standard_output(false);
    size_t errors = hk_ctx_count(cli->ctx, HK_ERROR);
    hk_started_destroy(&(hk_started){run.sim, run.nodes});
    if (status == HK_OK && hk_ctx_count(cli->ctx, HK_ERROR) > errors)
        status = HK_E_UNIT_CRASHED; /* of an isolated component, in its last call */
    hk_guard_remove();
    status = hk_run_log_close(&run, status);
    hk_assembly_close(&run.made);
    if (run.temporary)
        hk_folder_remove(run.temporary);
    hk_run_wrote(&run.written);
    hk_status kept = hk_written_check(cli->ctx, &run.written);
    return status == HK_OK ? kept : status;
}
