/* SPDX-License-Identifier: MIT
 *
 * `hocket run` of a simulation: all runs of its scenarios. play() is the table of contents. */
#include "base/clock.h"
#include "base/file.h"
#include "base/ledger.h"
#include "base/number.h"
#include "cli/run.h"
#include "engine/guard.h"
#include "format/table_read.h"
#include "native/crash_place.h"
#include "nodes/watch.h"
#include "plan/place.h"
#include "record/select.h"
#include "report/play_report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Ctrl-C: the handler can reach nothing but globals. */
static volatile sig_atomic_t interrupts;

static void on_interrupt(int number) {
    (void)number;
    if (interrupts++ > 0) {
        hk_watch_end_nodes();
        hk_folder_remove_temporary();
        hk_run_end_at_once();
    }
    hk_run_say_interrupted();
    hk_serving_interrupt();
}

static hk_status check_outputs(hk_cli *cli, const hk_args *args) {
    const char *folder = hk_args_value(args, "output");
    if (folder && strcmp(folder, "-") == 0)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "name a folder (./- if it is to be called so), or run the system alone",
                        "-o -: a simulation writes a folder of logs, which standard output cannot "
                        "take");
    if (folder && hk_table_is(folder) && !hk_folder_exists(folder))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "name a folder without this extension; the name of each log in the "
                        "simulation, as \"log.mat\", says its format",
                        "-o %s: a simulation writes a folder of logs, and this is the name of a "
                        "record",
                        folder);
    HK_TRY(hk_run_check_page(cli, args));
    return hk_run_check_plot(cli, hk_args_value(args, "plot"));
}

hk_status hk_run_read_number(hk_cli *cli, const hk_args *args, int64_t *ret_run) {
    const char *text = hk_args_value(args, "run");
    int64_t run = -1;
    if (text && (!hk_read_i64(text, strlen(text), &run) || run < 0))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "the first one is 0",
                        "--run: '%s' is not a number of a run", text);
    *ret_run = run;
    return HK_OK;
}

hk_status hk_run_read_seed(hk_cli *cli, const hk_args *args, uint64_t *seed) {
    const char *text = hk_args_value(args, "seed");
    if (text && !hk_read_u64(text, strlen(text), seed))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number of 0 or more",
                        "--seed: '%s' is not a seed", text);
    return HK_OK;
}

hk_status hk_run_seed(hk_run *run) {
    const hk_model *model = run->model;
    bool draws = false;
    if (!hk_args_has(run->args, "seed"))
        return HK_OK;
    HK_TRY(hk_run_read_seed(run->cli, run->args, &run->options.seed));
    if (hk_args_has(run->args, "load-state") || hk_args_has(run->args, "resume")) {
        hk_note(run->cli->ctx, HK_NOWHERE,
                "random numbers go on as the state has them: --seed changes nothing");
        return HK_OK;
    }
    hk_settings_add(&run->made.settings, "seed",
                    hk_arena_printf(run->cli->arena, "%llu", (unsigned long long)run->options.seed),
                    HK_FROM_USER, "command line");
    for (size_t i = 0; i < model->component_count; i++)
        draws = draws || model->components[i].info->can.has_streams;
    if (!draws)
        hk_note(run->cli->ctx, HK_NOWHERE,
                "no component draws random numbers from the run's seed: --seed changes nothing");
    return HK_OK;
}

/* One process per processor, unless each run takes several of them. Nodes that were started by hand
 * play one run after the other. */
static hk_status read_workers(hk_cli *cli, const hk_args *args, hk_play_options *o) {
    unsigned nodes = 1;
    HK_TRY(hk_run_count(cli, args, "nodes", &nodes));
    HK_TRY(hk_run_threads(cli, args, &o->threads));
    if (hk_args_has(args, "meet") || hk_args_has(args, "remote")) {
        o->workers = 1;
        return HK_OK;
    }
    o->workers = hk_run_processors() / ((o->threads > 1 ? o->threads : 1) * nodes);
    return hk_run_count(cli, args, "workers", &o->workers);
}

static void say_waiting(void *user, const char *who) {
    (void)user;
    hk_run_say_waiting(who);
}

typedef struct shown {
    hk_cli *cli;
    bool line, json;
    size_t done;
    double part; /* as it was shown last */
} shown;

static void show_progress(void *user, size_t done, size_t all, double part) {
    enum { STEPS = 100 };
    shown *s = user;
    if (done == s->done && part < s->part + 1.0 / STEPS)
        return;
    s->done = done;
    s->part = part;
    int hundredths = (int)(STEPS * part);
    if (s->json)
        fprintf(stderr, "{\"progress\":{\"runs\":%zu,\"of\":%zu,\"part\":%d.%02d}}\n", done, all,
                hundredths / STEPS, hundredths % STEPS);
    else if (done < all)
        fprintf(stderr, "\r\033[K%3d %%  %zu of %zu run%s", hundredths, done, all,
                all == 1 ? "" : "s");
    else
        fputs("\r\033[K", stderr);
    s->cli->redrawn_line = s->line && done < all;
    (void)fflush(stderr);
}

static void prepare_progress(hk_cli *cli, const hk_args *args, shown *s, hk_play_options *o) {
    const char *how = hk_args_value(args, "progress");
    s->cli = cli;
    s->json = how && strcmp(how, "json") == 0;
    s->line = !s->json && !cli->quiet && !cli->json && hk_stderr_is_terminal() &&
              !(how && strcmp(how, "none") == 0);
    if (s->json || s->line) {
        o->progress = show_progress;
        o->progress_user = s;
    }
}

/* --output-variable: a record of each run beside its logs. */
static hk_status prepare_record(hk_cli *cli, const hk_args *args, const hk_model *model,
                                hk_play_options *o) {
    hk_texts patterns = hk_request_texts(cli, args, "output-variable");
    hk_recording recording;
    if (!patterns.count)
        return HK_OK;
    HK_TRY(hk_recording_select(cli->ctx, model, patterns, cli->arena, &recording));
    o->record.columns = recording.columns;
    o->record.count = recording.column_count;
    return HK_OK;
}

static hk_status prepare(hk_cli *cli, const hk_args *args, const hk_assembly *made,
                         hk_play_options *o) {
    o->folder = hk_args_value(args, "output");
    o->scenario = hk_args_value(args, "scenario");
    o->strict = hk_args_has(args, "strict");
    o->trace = cli->json || hk_args_has(args, "trace") || hk_args_has(args, "verbose");
    o->extrapolate = hk_args_has(args, "extrapolate");
    o->real_time = hk_args_has(args, "real-time") ? 1 : 0;
    o->allow_nan = hk_args_has(args, "allow-nan");
    o->allow_stopped = hk_args_has(args, "allow-stopped");
    o->fmi_logging = hk_run_log_shown(args);
    o->monitor = hk_run_monitor(args);
    o->interrupted = &interrupts;
    o->waits = say_waiting;
    HK_TRY(hk_run_read_number(cli, args, &o->only_run));
    HK_TRY(read_workers(cli, args, o));
    HK_TRY(hk_run_positive(cli, args, "timeout", &o->timeout_s));
    HK_TRY(hk_run_positive(cli, args, "watchdog", &o->watchdog_s));
    HK_TRY(hk_run_positive(cli, args, "real-time", &o->real_time));
    HK_TRY(prepare_record(cli, args, made->model, o));
    return o->folder ? hk_folder_make(cli->ctx, o->folder) : HK_OK;
}

static hk_status write_trace(hk_cli *cli, const hk_args *args, const hk_play_report *report) {
    const char *path = hk_args_value(args, "trace");
    if (!path)
        return HK_OK;
    if (strcmp(path, "-") == 0) {
        hk_play_put_trace(stdout, report);
        return HK_OK;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    hk_play_put_trace(out, report);
    (void)fclose(out);
    hk_status status = hk_file_write(cli->ctx, path, text, size);
    free(text);
    return status;
}

/* A plot shows one run, and what is written of it. */
static hk_status check_plot(hk_cli *cli, const hk_args *args, const hk_simulation *s,
                            const hk_play_options *o) {
    bool logs = o->record.count > 0;
    for (size_t i = 0; i < s->scenario_count; i++)
        if (!o->scenario || strcmp(o->scenario, s->scenarios[i].name) == 0)
            logs = logs || s->scenarios[i].log_count;
    if (!hk_args_value(args, "plot"))
        return HK_OK;
    if (hk_play_count(s, o) != 1)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "choose one with --scenario and --run",
                        "--plot shows one run, and these are %lld", (long long)hk_play_count(s, o));
    return logs ? HK_OK
                : hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "--output-variable records something",
                           "there is nothing to plot: the scenario has no logs");
}

/* A state is of one run. */
static hk_status prepare_states(hk_cli *cli, const hk_args *args, const hk_simulation *s,
                                hk_play_options *o) {
    HK_TRY(hk_run_state(cli, args, &o->load_state));
    o->resumes = hk_args_has(args, "resume");
    o->save_state = hk_args_value(args, "save-state");
    bool any = o->load_state || o->save_state || hk_args_has(args, "checkpoint");
    if (any && hk_play_count(s, o) != 1)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "choose one with --scenario and --run",
                        "a state is of one run, and these are %lld",
                        (long long)hk_play_count(s, o));
    hk_checkpoints checkpoints = {0};
    HK_TRY(hk_run_checkpoints(cli, args, &checkpoints));
    o->checkpoint = checkpoints.path;
    o->checkpoint_every = checkpoints.every;
    return hk_run_claim_state(cli, args);
}

/* The record, or else the first log. */
static hk_status plot(hk_cli *cli, const hk_args *args, const hk_simulation *simulation,
                      const hk_play_report *report) {
    const char *path = hk_args_value(args, "plot");
    if (!path || !report->run_count || !report->runs[0].log_count)
        return HK_OK;
    const hk_play_run *run = &report->runs[0];
    bool record = hk_args_has(args, "output-variable");
    return hk_run_plot(cli, run->logs[record ? run->log_count - 1 : 0], simulation->name, path);
}

/* For the parent of the run, who looks at them when all processes are gone. */
static void note_files(const hk_args *args, const hk_play_options *o,
                       const hk_play_report *report) {
    const char *const others[] = {hk_args_value(args, "trace"), hk_args_value(args, "plot"),
                                  hk_args_value(args, "report"), o->save_state, o->checkpoint};
    hk_written written = {0};
    if (!hk_ledger_is_ours())
        return;
    for (size_t i = 0; i < report->run_count; i++)
        for (size_t k = 0; k < report->runs[i].log_count; k++)
            hk_record_note(&written, report->runs[i].logs[k]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i])
            hk_written_note(&written, others[i]);
    hk_run_wrote(&written);
    hk_written_forget(&written);
}

static void answer(hk_cli *cli, const hk_play_answer *a) {
    hk_json json;
    hk_answer_begin(cli, &json, "run");
    hk_play_put(a, cli->arena, &json);
    hk_answer_end(&json);
}

/* Somebody drives it from a page; it is one run. */
static hk_status prepare_page(hk_cli *cli, const hk_args *args, const hk_assembly *made,
                              hk_play_options *o, hk_serving *serving) {
    serving->stays = cli->serves;
    if ((cli->serves || hk_args_has(args, "serve")) && hk_play_count(made->simulation, o) != 1)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "choose one with --scenario and --run",
                        "a page shows one run, and these are %lld",
                        (long long)hk_play_count(made->simulation, o));
    HK_TRY(hk_serving_open(cli, args, made, NULL, serving));
    o->drive = serving->live ? hk_serving_drive : NULL;
    o->drive_user = serving;
    return HK_OK;
}

static hk_status play(hk_cli *cli, const hk_args *args, const hk_assembly *made) {
    const hk_simulation *simulation = made->simulation;
    hk_play_live live = {0};
    hk_play_options options = {.live = &live};
    hk_play_report *report;
    shown progress = {0};
    hk_serving serving = {0};
    HK_TRY(prepare(cli, args, made, &options));
    prepare_progress(cli, args, &progress, &options);
    /* Each run ends itself in time; a call that hangs must be ended from outside: where there are
     * several runs, in the process that each has. */
    double all = (double)hk_play_count(simulation, &options);
    HK_TRY(check_plot(cli, args, simulation, &options));
    HK_TRY(prepare_states(cli, args, simulation, &options));
    if (made->request->nodes)
        (void)hk_note_idle_nodes(cli->ctx, made->plan, made->request->nodes);
    hk_guard_options guard = {.flush = hk_play_flush_from_signal,
                              .user = &live,
                              .timeout_s = all > 1 ? 0 : options.timeout_s,
                              .watchdog_s =
                                  all > 1 || made->request->nodes ? 0 : options.watchdog_s,
                              .stopped_s = options.watchdog_s,
                              .process = "the process of the simulation",
                              .json_head = cli->json ? hk_failure_head(cli) : NULL,
                              .redrawn_line = &cli->redrawn_line,
                              .program = hk_program_name(cli),
                              .place = hk_crash_place};
    int64_t began = hk_clock_ns();
    hk_run_log_show(cli, args);
    hk_run_keeps("what is in the folder", options.folder ? options.folder : ".");
    hk_guard_install(&guard);
    hk_run_watch(cli, on_interrupt);
    hk_status status = prepare_page(cli, args, made, &options, &serving);
    if (status == HK_OK)
        status = hk_play(cli->ctx, made, &options, &report);
    hk_run_watch(cli, NULL);
    hk_serving_close(&serving);
    hk_guard_remove();
    hk_progress_clear(cli);
    if (status != HK_OK)
        return status;
    double seconds = 1e-9 * (double)(hk_clock_ns() - began);
    status = hk_play_outcome(report, interrupts);
    hk_status written = write_trace(cli, args, report);
    if (written == HK_OK && status != HK_E_INTERRUPTED)
        written = plot(cli, args, simulation, report);
    if (written == HK_OK)
        written = hk_play_page(cli, args, made, report, status);
    const char *page =
        written == HK_OK && status != HK_E_INTERRUPTED ? hk_args_value(args, "report") : NULL;
    status = status == HK_OK ? written : status;
    if (hk_args_has(args, "verbose") && !cli->json) {
        hk_play_put_trace(stderr, report);
        hk_play_put_verdicts(stderr, cli, report);
    }
    if (cli->json)
        answer(cli, &(hk_play_answer){.file = args->operands[0],
                                      .simulation = simulation,
                                      .report = report,
                                      .seconds = seconds,
                                      .real_time = options.real_time,
                                      .status = status,
                                      .exit = hk_cli_exit(cli, status),
                                      .page = page});
    else if (!cli->quiet)
        hk_play_summary(cli, simulation, report, seconds, page);
    note_files(args, &options, report);
    hk_play_report_destroy(report);
    return status;
}

static hk_status assemble(hk_cli *cli, const hk_args *args, hk_assembly *made) {
    HK_TRY(hk_run_log_categories(cli, args, made->model));
    HK_TRY(hk_assembly_complete(cli->ctx, made));
    hk_request_tell_ways(cli, args, &made->settings);
    HK_TRY(hk_run_read_seed(cli, args, &made->simulation->seed));
    return hk_assembly_plan(cli->ctx, made, false);
}

static void explain(hk_cli *cli, const hk_args *args, const hk_assembly *made) {
    if (!cli->json) {
        hk_settings_print(&made->settings, stdout);
        return;
    }
    hk_json json;
    hk_answer_begin(cli, &json, "run");
    hk_json_string(&json, "file", args->operands[0]);
    hk_report_settings(&json, &made->settings);
    hk_answer_end(&json);
}

hk_status hk_run_simulation(hk_cli *cli, const hk_args *args, const hk_request *request) {
    hk_assembly made = {0};
    /* Start, step and interval of rows are refused with the settings. */
    HK_TRY(hk_args_check_for(cli->ctx, args, HK_FOR_SIMULATIONS));
    HK_TRY(check_outputs(cli, args));
    cli->gives_verdict = true;
    hk_status status = hk_assembly_open(cli->ctx, request, &made);
    if (status == HK_OK)
        status = assemble(cli, args, &made);
    if (status == HK_OK && hk_args_has(args, "explain-settings"))
        explain(cli, args, &made);
    else if (status == HK_OK)
        status = play(cli, args, &made);
    hk_assembly_close(&made);
    return status;
}
