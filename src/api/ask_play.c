/* SPDX-License-Identifier: MIT
 *
 * Simulations, played for a program. */
#include "api/answer_internal.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "report/play_report.h"

#include <math.h>
#include <string.h>

enum { COUNT_MAX = 256 };

/* --- what a program reads of it -------------------------------------------------------------- */

static hk_expectation_info *keep_expectations(const hk_asking *a, const hk_play_run *run) {
    hk_expectation_info *all =
        HK_NEW_ARRAY(a->report.arena, hk_expectation_info, run->verdict_count + 1);
    for (size_t i = 0; i < run->verdict_count; i++) {
        const hk_verdict *v = &run->verdicts[i];
        all[i] = (hk_expectation_info){.words = hk_asking_keep(a, v->words),
                                       .message = hk_asking_keep(a, v->message),
                                       .held = v->held,
                                       .undecided = v->undecided,
                                       .time = v->time};
    }
    return all;
}

static hk_played_info keep_run(const hk_asking *a, const hk_play_run *run, size_t components) {
    uint64_t *activations = HK_NEW_ARRAY(a->report.arena, uint64_t, components + 1);
    memcpy(activations, run->activations, components * sizeof *activations);
    return (hk_played_info){.scenario = hk_asking_keep(a, run->scenario),
                            .run = run->index,
                            .status = run->status,
                            .end_reason = hk_asking_keep(a, run->end_reason),
                            .simulated_s = run->seconds_simulated,
                            .wall_s = run->seconds_taken,
                            .expectation_count = run->verdict_count,
                            .logs = hk_asking_keep_all(a, run->logs, run->log_count),
                            .log_count = run->log_count,
                            .rows = run->rows,
                            .events = hk_asking_keep_all(a, run->trace, run->trace_count),
                            .event_count = run->trace_count,
                            .activations = activations,
                            .component_count = components};
}

static void keep_studies(const hk_asking *a, const hk_play_report *report, hk_answer_played *p) {
    const hk_study *all = hk_study_all(report, a->report.arena, &p->study_count);
    p->studies = HK_NEW_ARRAY(a->report.arena, hk_study_info, p->study_count + 1);
    for (size_t i = 0; i < p->study_count; i++)
        p->studies[i] = (hk_study_info){.scenario = hk_asking_keep(a, all[i].scenario),
                                        .name = hk_asking_keep(a, all[i].about->name),
                                        .unit = hk_asking_keep(a, all[i].about->unit),
                                        .least = all[i].least,
                                        .most = all[i].most,
                                        .min = all[i].about->min,
                                        .max = all[i].about->max,
                                        .reference = all[i].about->reference,
                                        .runs = all[i].runs,
                                        .held = all[i].held,
                                        .undecided = all[i].undecided,
                                        .undecided_because = hk_asking_keep(a, all[i].reason)};
}

static const hk_answer_played *keep(const hk_asking *a, const hk_play_report *report,
                                    size_t components) {
    hk_answer_played *p = HK_NEW(a->report.arena, hk_answer_played);
    p->count = report->run_count;
    p->runs = HK_NEW_ARRAY(a->report.arena, hk_played_info, p->count + 1);
    p->expectations = HK_NEW_ARRAY(a->report.arena, hk_expectation_info *, p->count + 1);
    for (size_t i = 0; i < p->count; i++) {
        p->runs[i] = keep_run(a, &report->runs[i], components);
        p->expectations[i] = keep_expectations(a, &report->runs[i]);
    }
    keep_studies(a, report, p);
    return p;
}

void hk_asking_played(hk_asking *a, const hk_play_answer *answer) {
    hk_json json;
    hk_report_begin(&a->report, &json, "run");
    hk_play_put(answer, a->report.arena, &json);
    hk_json_end(&json);
    a->answer->played = keep(a, answer->report, answer->simulation->model->component_count);
}

/* --- asking ---------------------------------------------------------------------------------- */

/* A program that has seen enough says so when it is told how far the runs are. */
typedef struct watch {
    hk_progress_fn *progress;
    void *user;
    volatile sig_atomic_t stop;
} watch;

static void tell_progress(void *user, size_t done, size_t all, double part) {
    watch *w = user;
    if (!w->stop && !w->progress(w->user, done, all, part))
        w->stop = 1;
}

static hk_status check_options(const hk_asking *a, const hk_ask_play_options *o) {
    hk_ctx *ctx = a->report.ctx;
    HK_TRY(hk_asking_word(a, "monitor", o->monitor, "phase off contract values"));
    if (!(o->real_time >= 0) || !(o->timeout_s >= 0) || !(o->tolerance >= 0) ||
        !isfinite(o->real_time) || !isfinite(o->timeout_s) || !isfinite(o->tolerance))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "0 means none",
                        "real_time, timeout_s and tolerance are finite numbers, 0 or above");
    if (o->threads > COUNT_MAX || o->workers > COUNT_MAX)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "threads and workers are at most %d each", COUNT_MAX);
    if (o->run < 0)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "the first one is 0", "there is no run %lld",
                        (long long)o->run);
    if (o->repetitions < 0 || o->repetitions > HK_REPETITIONS_MAX)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "0 means: as the file says",
                        "a scenario is played 1 to %d times, found %lld", HK_REPETITIONS_MAX,
                        (long long)o->repetitions);
    return HK_OK;
}

static hk_status read_request(hk_asking *a, const char *path, const hk_file_options *file,
                              const hk_ask_play_options *o, hk_request *ret_request) {
    hk_request common;
    HK_TRY(hk_file_options_read(a->report.ctx, file, &common));
    HK_TRY(hk_texts_read(a->report.ctx, "stop_when", o->stop_when, o->stop_when_count,
                         &common.stop_when));
    common.contract = o->monitor && strcmp(o->monitor, "contract") == 0;
    if (o->tolerance > 0) {
        char text[HK_NUMBER_MAX + 1];
        text[hk_write_f64(o->tolerance, text)] = '\0';
        common.wishes.tolerance =
            (hk_wish){hk_arena_strdup(a->report.arena, text), HK_FROM_USER, "hk_ask_play_options"};
    }
    HK_TRY(hk_request_for(a->report.ctx, &common, path, ret_request));
    if (ret_request->kind != HK_FILE_SIMULATION)
        return hk_error(a->report.ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                        "run a system with hk_session_create", "it is not a simulation");
    return HK_OK;
}

static hk_monitor monitor_of(const char *name) {
    if (name && strcmp(name, "off") == 0)
        return HK_MONITOR_OFF;
    return name && strcmp(name, "values") == 0 ? HK_MONITOR_VALUES : HK_MONITOR_PHASE;
}

static hk_status prepare(hk_asking *a, hk_assembly *made, const hk_ask_play_options *o,
                         hk_play_options *ret_options) {
    hk_texts patterns;
    hk_simulation *s = made->simulation;
    HK_TRY(hk_assembly_complete(a->report.ctx, made));
    for (size_t i = 0; o->repetitions && i < s->scenario_count; i++)
        s->scenarios[i].repetitions = o->repetitions;
    if (o->seeded)
        s->seed = o->seed;
    HK_TRY(hk_assembly_plan(a->report.ctx, made, false));
    *ret_options = (hk_play_options){.folder = o->output,
                                     .scenario = o->scenario,
                                     .only_run = o->one_run ? o->run : -1,
                                     .workers = o->workers,
                                     .in_process = !o->workers,
                                     .strict = o->strict,
                                     .trace = true,
                                     .threads = o->threads,
                                     .monitor = monitor_of(o->monitor),
                                     .timeout_s = o->timeout_s,
                                     .real_time = o->real_time,
                                     .extrapolate = o->extrapolate,
                                     .allow_nan = o->allow_nan,
                                     .allow_stopped = o->allow_stopped,
                                     .fmi_logging = o->fmu_messages};
    HK_TRY(hk_texts_read(a->report.ctx, "output_variable", o->output_variable,
                         o->output_variable_count, &patterns));
    if (patterns.count) {
        hk_recording recording;
        HK_TRY(
            hk_recording_select(a->report.ctx, made->model, patterns, a->report.arena, &recording));
        ret_options->record.columns = recording.columns;
        ret_options->record.count = recording.column_count;
    }
    return o->output ? hk_folder_make(a->report.ctx, o->output) : HK_OK;
}

static hk_status play(hk_asking *a, hk_assembly *made, const hk_ask_play_options *o) {
    hk_play_options options;
    hk_play_report *report;
    watch w = {.progress = o->progress, .user = o->progress_user};
    HK_TRY(prepare(a, made, o, &options));
    options.interrupted = &w.stop;
    if (o->progress) {
        options.progress = tell_progress;
        options.progress_user = &w;
    }
    int64_t began = hk_clock_ns();
    HK_TRY(hk_play(a->report.ctx, made, &options, &report));
    hk_status status = hk_play_outcome(report, w.stop);
    hk_asking_played(a, &(hk_play_answer){.file = made->request->file,
                                          .simulation = made->simulation,
                                          .report = report,
                                          .seconds = 1e-9 * (double)(hk_clock_ns() - began),
                                          .status = status,
                                          .exit = hk_play_exit(status)});
    hk_play_report_destroy(report);
    return status;
}

static hk_status ask(hk_asking *a, const char *path, const hk_file_options *file,
                     const hk_ask_play_options *options) {
    hk_request request;
    hk_assembly made = {0};
    HK_TAKE_OPTIONS(a->report.ctx, hk_ask_play_options, options, o);
    HK_TRY(check_options(a, &o));
    HK_TRY(read_request(a, path, file, &o, &request));
    hk_status status = hk_assembly_open(a->report.ctx, &request, &made);
    if (status == HK_OK)
        status = play(a, &made, &o);
    hk_assembly_close(&made);
    return status;
}

hk_status hk_ask_play(hk_context *context, const char *path, const hk_file_options *file,
                      const hk_ask_play_options *options, hk_answer **ret_answer) {
    hk_asking a;
    if (!context || !path || !ret_answer)
        return hk_is_null(context, path ? "ret_answer" : "path");
    hk_asking_begin(context, &a);
    return hk_asking_end(&a, ask(&a, path, file, options), ret_answer);
}

/* --- reading --------------------------------------------------------------------------------- */

size_t hk_played_count(const hk_answer *answer) {
    return answer && answer->played ? answer->played->count : 0;
}

hk_status hk_played_get(const hk_answer *answer, size_t run, hk_played_info *ret_info) {
    if (!ret_info || run >= hk_played_count(answer))
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->played->runs[run]);
}

hk_status hk_played_expectation(const hk_answer *answer, size_t run, size_t expectation,
                                hk_expectation_info *ret_info) {
    if (!ret_info || run >= hk_played_count(answer) ||
        expectation >= answer->played->runs[run].expectation_count)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->played->expectations[run][expectation]);
}

size_t hk_study_count(const hk_answer *answer) {
    return answer && answer->played ? answer->played->study_count : 0;
}

hk_status hk_study_get(const hk_answer *answer, size_t index, hk_study_info *ret_info) {
    if (!ret_info || index >= hk_study_count(answer))
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->played->studies[index]);
}
