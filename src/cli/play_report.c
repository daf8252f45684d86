/* SPDX-License-Identifier: MIT
 *
 * What happened in the runs of a simulation: summary, event trace, JSON. */
#include "cli/run.h"

#include <math.h>
#include <string.h>

static bool repeats(const hk_play_report *report) {
    for (size_t i = 1; i < report->run_count; i++)
        if (strcmp(report->runs[i].scenario, report->runs[0].scenario) != 0 ||
            report->runs[i].index != report->runs[0].index)
            return true;
    return false;
}

void hk_play_put_trace(FILE *out, const hk_play_report *report) {
    bool named = repeats(report);
    for (size_t i = 0; i < report->run_count; i++) {
        const hk_play_run *run = &report->runs[i];
        if (named)
            fprintf(out, "%s, run %lld\n", run->scenario, (long long)run->index);
        for (size_t k = 0; k < run->trace_count; k++) {
            fputs(named ? "  " : "", out);
            hk_put_clean(out, run->trace[k]);
            fputc('\n', out);
        }
    }
}

void hk_play_put_verdicts(FILE *out, hk_cli *cli, const hk_play_report *report) {
    for (size_t i = 0; i < report->run_count; i++) {
        const hk_play_run *run = &report->runs[i];
        for (size_t k = 0; k < run->verdict_count; k++) {
            const hk_verdict *v = &run->verdicts[k];
            const char *time = isnan(v->time) ? ""
                                              : hk_arena_printf(cli->arena, " (%s s)",
                                                                hk_show_f64(cli->arena, v->time));
            fprintf(out, "%-9s  %s, run %lld: ",
                    v->held        ? "holds"
                    : v->undecided ? "undecided"
                                   : "broken",
                    run->scenario, (long long)run->index);
            hk_put_clean(out, v->words);
            fprintf(out, "%s%s\n", time, v->idle ? " (what it waits for never came up)" : "");
        }
    }
}

/* What all runs together have. */
typedef struct sums {
    size_t failed, interrupted, verdicts, held, undecided, idle, logs;
    uint64_t rows, bytes;
    const char *first_log;
} sums;

static sums add_up(const hk_play_report *report) {
    sums s = {0};
    for (size_t i = 0; i < report->run_count; i++) {
        const hk_play_run *run = &report->runs[i];
        s.failed += run->status != HK_OK && run->status != HK_E_INTERRUPTED;
        s.interrupted += run->status == HK_E_INTERRUPTED;
        s.verdicts += run->verdict_count;
        for (size_t k = 0; k < run->verdict_count; k++) {
            s.held += run->verdicts[k].held;
            s.undecided += run->verdicts[k].undecided;
            s.idle += run->verdicts[k].idle;
        }
        if (!s.first_log && run->log_count)
            s.first_log = run->logs[0];
        s.logs += run->log_count;
        s.rows += run->rows;
        s.bytes += run->bytes;
    }
    return s;
}

/* Of all runs together. */
static hk_soundness all_checked(const hk_play_report *report) {
    hk_soundness all = {.monitor =
                            report->run_count ? report->runs[0].sound.monitor : HK_MONITOR_PHASE};
    for (size_t i = 0; i < report->run_count; i++) {
        const hk_soundness *one = &report->runs[i].sound;
        all.calls += one->calls;
        all.phases += one->phases;
        all.values += one->values;
        all.unvalued += one->unvalued;
    }
    return all;
}

static void put_end_reasons(FILE *out, const hk_cli *cli, const hk_play_report *report) {
    enum { SHOWN = 5 };
    size_t count = 0;
    for (size_t i = 0; i < report->run_count; i++) {
        const hk_play_run *run = &report->runs[i];
        if (!run->end_reason || run->status != HK_OK || count++ >= SHOWN)
            continue;
        fprintf(out, "ended      '%s', run %lld, after %s s: ", run->scenario,
                (long long)run->index, hk_show_f64(cli->arena, run->seconds_simulated));
        hk_put_clean(out, run->end_reason);
        fputc('\n', out);
    }
    if (count > SHOWN)
        fprintf(out, "ended      and %zu more before their time\n", count - SHOWN);
}

static void put_verdict_line(FILE *out, const hk_cli *cli, const sums *s) {
    size_t broken = s->verdicts - s->held - s->undecided;
    bool all = s->held == s->verdicts;
    if (!s->verdicts)
        return;
    fprintf(out, "verdict    %s", hk_style_on(cli->color_err, all ? HK_GREEN : HK_RED));
    if (all)
        fprintf(out, "all %zu expectations hold", s->verdicts);
    else if (broken)
        fprintf(out, "%zu of %zu expectations do not hold", broken, s->verdicts);
    if (s->undecided)
        fprintf(out, broken ? ", %zu undecided" : "%zu of %zu expectations are undecided",
                s->undecided, s->verdicts);
    if (s->idle)
        fprintf(out, " (%zu never came up)", s->idle);
    fprintf(out, "%s\n", hk_style_off(cli->color_err));
}

void hk_play_summary(const hk_cli *cli, const hk_simulation *simulation,
                     const hk_play_report *report, double seconds) {
    hk_arena *arena = cli->arena;
    FILE *out = stderr;
    sums s = add_up(report);
    double simulated = 0;
    for (size_t i = 0; i < report->run_count; i++)
        simulated += report->runs[i].seconds_simulated;
    fprintf(out, "played     '%s': %zu run%s, %s s in %s (%sx real time)\n", simulation->name,
            report->run_count, report->run_count == 1 ? "" : "s",
            hk_show_rounded(arena, simulated, 9), hk_show_seconds(arena, seconds),
            hk_show_rounded(arena, seconds > 0 ? simulated / seconds : 0, 3));
    hk_soundness sound = all_checked(report);
    hk_run_put_sound(out, arena, &sound, report->contract);
    put_end_reasons(out, cli, report);
    if (s.interrupted)
        fprintf(out, "ended      %zu run%s under way: interrupted\n", s.interrupted,
                s.interrupted == 1 ? "" : "s");
    if (s.failed)
        fprintf(out, "failed     %zu run%s\n", s.failed, s.failed == 1 ? "" : "s");
    put_verdict_line(out, cli, &s);
    if (s.logs)
        fprintf(out, "written    %s%s (%s row%s, %s)\n", s.first_log,
                s.logs == 1 ? "" : hk_arena_printf(arena, " and %zu more", s.logs - 1),
                hk_show_count(arena, s.rows), s.rows == 1 ? "" : "s",
                hk_show_bytes(arena, (double)s.bytes));
}

static void put_verdict(hk_json *json, const hk_verdict *v) {
    hk_json_object(json, NULL);
    hk_json_string(json, "expect", v->words);
    hk_json_bool(json, "held", v->held);
    hk_json_bool(json, "decided", !v->undecided);
    if (v->idle)
        hk_json_bool(json, "idle", true);
    if (!isnan(v->time))
        hk_json_f64(json, "time", v->time);
    if (v->message)
        hk_json_string(json, "message", v->message);
    hk_json_i64(json, "line", v->where.line);
    hk_json_end(json);
}

static void put_texts(hk_json *json, const char *key, const char *const *texts, size_t count) {
    hk_json_array(json, key);
    for (size_t i = 0; i < count; i++)
        hk_json_string(json, NULL, texts[i]);
    hk_json_end(json);
}

static const char *status_text(hk_cli *cli, hk_status status) {
    return status == HK_OK ? "ok" : hk_arena_printf(cli->arena, "HK%04d", (int)status);
}

static void put_run(hk_cli *cli, hk_json *json, const hk_model *model, const hk_play_run *run,
                    const char *contract) {
    hk_json_object(json, NULL);
    hk_json_string(json, "scenario", run->scenario);
    hk_json_i64(json, "run", run->index);
    hk_json_string(json, "status", status_text(cli, run->status));
    hk_json_string(json, "end_reason", run->end_reason);
    hk_json_f64(json, "simulated_s", run->seconds_simulated);
    hk_json_f64(json, "wall_s", run->seconds_taken);
    hk_json_array(json, "verdicts");
    for (size_t i = 0; i < run->verdict_count; i++)
        put_verdict(json, &run->verdicts[i]);
    hk_json_end(json);
    put_texts(json, "logs", run->logs, run->log_count);
    hk_json_i64(json, "rows", (int64_t)run->rows);
    hk_put_checked(json, "sound", &run->sound, contract);
    put_texts(json, "trace", run->trace, run->trace_count);
    hk_json_object(json, "activations");
    for (size_t i = 0; i < model->component_count; i++)
        hk_json_i64(json, model->components[i].name, (int64_t)run->activations[i]);
    hk_json_end(json);
    hk_json_end(json);
}

void hk_play_answer(hk_cli *cli, const char *file, const hk_simulation *simulation,
                    const hk_play_report *report, double seconds, hk_status status) {
    hk_json json;
    hk_answer_begin(cli, &json, "run");
    hk_json_string(&json, "kind", "simulation");
    hk_json_string(&json, "file", file);
    hk_json_string(&json, "name", simulation->name);
    hk_json_string(&json, "status", status_text(cli, status));
    hk_json_i64(&json, "exit", hk_cli_exit(cli, status));
    hk_json_bool(&json, "all_held", report->all_held);
    hk_json_f64(&json, "wall_s", seconds);
    hk_json_array(&json, "runs");
    for (size_t i = 0; i < report->run_count; i++)
        put_run(cli, &json, simulation->model, &report->runs[i], report->contract);
    hk_json_end(&json);
    hk_answer_end(&json);
}
