/* SPDX-License-Identifier: MIT
 *
 * What happened in the runs of a simulation: summary, event trace. */
#include "cli/run.h"
#include "report/play_report.h"

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

/* The same line as of a system; runs whose scenarios leave something changed end with fewer cells.
 */
static void put_fused_line(FILE *out, const hk_cli *cli, const hk_play_report *report) {
    size_t least = SIZE_MAX, most = 0, cells = 0;
    uint64_t runs = 0;
    for (size_t i = 0; i < report->run_count; i++) {
        const hk_fused_count *one = &report->runs[i].fused;
        if (!one->cells) /* it has not begun */
            continue;
        least = one->fused < least ? one->fused : least;
        most = one->fused > most ? one->fused : most;
        cells = one->cells > cells ? one->cells : cells;
        runs += one->runs;
    }
    if (!report->fused || !cells)
        return;
    fputs("fused      ", out);
    if (least != most)
        fprintf(out, "%zu to ", least);
    fprintf(out, "%zu of %zu cells, %s activations\n", most, cells,
            hk_show_count(cli->arena, runs));
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
        fprintf(out, s->verdicts == 1 ? "the expectation holds" : "all %zu expectations hold",
                s->verdicts);
    else if (broken)
        fprintf(out,
                s->verdicts == 1 ? "the expectation does not hold"
                : broken == 1    ? "%zu of %zu expectations does not hold"
                                 : "%zu of %zu expectations do not hold",
                broken, s->verdicts);
    if (s->undecided)
        fprintf(out,
                broken              ? ", %zu undecided"
                : s->verdicts == 1  ? "the expectation is undecided"
                : s->undecided == 1 ? "%zu of %zu expectations is undecided"
                                    : "%zu of %zu expectations are undecided",
                s->undecided, s->verdicts);
    if (s->idle)
        fprintf(out, " (%zu never came up)", s->idle);
    fprintf(out, "%s\n", hk_style_off(cli->color_err));
}

/* ---- requirements ---- */

/* What was given is shown as it was, what was measured rounded. */
static const char *given(const hk_cli *cli, const char *word, double value, const char *unit) {
    if (isnan(value))
        return "";
    return hk_arena_printf(cli->arena, "%s%s%s%s", word, hk_show_f64(cli->arena, value),
                           unit ? " " : "", unit ? unit : "");
}

/* One value, or from the smallest to the largest. */
static const char *range_of(const hk_cli *cli, const hk_study *f, const char *unit) {
    if (isnan(f->least))
        return "-";
    const char *text =
        hk_arena_printf(cli->arena, "%s%s%s", hk_show_rounded(cli->arena, f->most, 5),
                        unit ? " " : "", unit ? unit : "");
    return f->least < f->most ? hk_arena_printf(cli->arena, "%s .. %s",
                                                hk_show_rounded(cli->arena, f->least, 5), text)
                              : text;
}

/* "met", "NOT met in 2 of 5 runs, 1 not decided: the run failed at 2 s" */
static const char *outcome_of(const hk_cli *cli, const hk_study *f) {
    size_t broken = f->runs - f->held - f->undecided;
    const char *text = "";
    if (!broken && !f->undecided)
        return "met";
    if (broken)
        text = f->runs == 1
                   ? "NOT met"
                   : hk_arena_printf(cli->arena, "NOT met in %zu of %zu runs", broken, f->runs);
    if (f->undecided)
        text = hk_arena_printf(
            cli->arena, "%s%s%snot decided%s: %s", text, broken ? ", " : "",
            broken ? hk_arena_printf(cli->arena, "%zu ", f->undecided) : "",
            broken || f->runs == 1
                ? ""
                : hk_arena_printf(cli->arena, " in %zu of %zu runs", f->undecided, f->runs),
            f->reason);
    return text;
}

static const char *limits_of(const hk_cli *cli, const hk_measured *m) {
    const char *min = given(cli, "min ", m->min, m->unit);
    const char *max = given(cli, "max ", m->max, m->unit);
    return hk_arena_printf(cli->arena, "%s%s%s", min, *min && *max ? ", " : "", max);
}

enum { NAME, MEASURED, LIMITS, REFERENCE, COLUMNS };

/* A table of the requirements of one scenario. */
static void put_requirements(FILE *out, const hk_cli *cli, const hk_study *all, size_t rows) {
    size_t width[COLUMNS] = {strlen("required"), strlen("measured"), strlen("limit"),
                             strlen("reference")};
    const char *(*cells)[COLUMNS] = hk_arena_alloc(cli->arena, rows * sizeof *cells);
    for (size_t r = 0; r < rows; r++) {
        const hk_measured *m = all[r].about;
        const char *row[COLUMNS] = {m->name, range_of(cli, &all[r], m->unit), limits_of(cli, m),
                                    given(cli, "", m->reference, m->unit)};
        for (size_t c = 0; c < COLUMNS; c++) {
            width[c] = strlen(row[c]) > width[c] ? strlen(row[c]) : width[c];
            cells[r][c] = row[c];
        }
    }
    fprintf(out, "\n%-*s  %-*s  %-*s  %-*s  of '%s'\n", (int)width[NAME], "required",
            (int)width[MEASURED], "measured", (int)width[LIMITS], "limit", (int)width[REFERENCE],
            "reference", all[0].scenario);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < COLUMNS; c++)
            fprintf(out, "%-*s  ", (int)width[c], cells[r][c]);
        bool met = all[r].held == all[r].runs;
        if (met && !*cells[r][LIMITS]) { /* it is only measured */
            fputc('\n', out);
            continue;
        }
        fprintf(out, "%s%s%s\n", hk_style_on(cli->color_err, met ? HK_GREEN : HK_RED),
                outcome_of(cli, &all[r]), hk_style_off(cli->color_err));
    }
}

static void put_all_requirements(FILE *out, const hk_cli *cli, const hk_play_report *report) {
    size_t count;
    const hk_study *all = hk_study_all(report, cli->arena, &count);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++)
            if (strcmp(all[next].scenario, all[i].scenario) != 0)
                break;
        put_requirements(out, cli, &all[i], next - i);
    }
}

void hk_play_summary(const hk_cli *cli, const hk_simulation *simulation,
                     const hk_play_report *report, double seconds, const char *page) {
    hk_arena *arena = cli->arena;
    FILE *out = stderr;
    sums s = add_up(report);
    double simulated = 0;
    for (size_t i = 0; i < report->run_count; i++)
        simulated += report->runs[i].seconds_played;
    size_t done = report->run_count - s.interrupted;
    const char *of = done < report->asked ? hk_arena_printf(arena, " of %zu", report->asked) : "";
    fprintf(out, "played     '%s': %zu%s run%s, %s s in %s (%sx real time)\n", simulation->name,
            done, of, report->asked == 1 ? "" : "s", hk_show_rounded(arena, simulated, 9),
            hk_show_seconds(arena, seconds),
            hk_show_rounded(arena, seconds > 0 ? simulated / seconds : 0, 3));
    hk_soundness sound = all_checked(report);
    hk_run_put_sound(out, arena, &sound, report->contract);
    put_fused_line(out, cli, report);
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
    if (page)
        fprintf(out, "report     %s\n", page);
    if (report->run_count)
        hk_run_put_left(out, arena, report->runs[0].checkpoint, &report->runs[0].left);
    if (report->run_count && report->runs[0].state)
        fprintf(out, "state      %s\n", report->runs[0].state);
    put_all_requirements(out, cli, report);
}
