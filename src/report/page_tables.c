/* SPDX-License-Identifier: MIT
 *
 * The tables of a page: how runs ended, what became of expectations, what was measured, numbers of
 * logs. */
#include "base/file.h"
#include "report/page_parts.h"
#include "report/show.h"

#include <math.h>

static void put_count(hk_html *t, uint64_t count) {
    hk_svg_put(t, "<td class=\"num\">");
    hk_svg_int(t, (int64_t)count);
    hk_svg_put(t, "</td>");
}

/* ---- runs ---- */

static const char *how_ended(hk_arena *arena, const hk_play_run *run) {
    if (run->status == HK_E_INTERRUPTED)
        return "interrupted";
    if (run->status != HK_OK)
        return hk_arena_printf(arena, "failed: %s", hk_report_status(arena, run->status));
    return run->end_reason ? run->end_reason : "at its stop time";
}

void hk_page_runs(hk_html *t, hk_arena *arena, const hk_page_scenario *s) {
    static const char *const headings[] = {"run", "ended", "at [s]", "rows logged", NULL};
    hk_html_table(t, "Runs", headings);
    for (size_t r = 0; r < s->run_count; r++) {
        const hk_play_run *run = &s->runs[r];
        hk_svg_put(t, "<tr>");
        put_count(t, (uint64_t)run->index);
        hk_html_cell(t, how_ended(arena, run));
        hk_html_number(t, arena, run->time);
        put_count(t, run->rows);
        hk_svg_put(t, "</tr>\n");
    }
    hk_html_table_end(t);
}

/* ---- expectations ---- */

/* What else is to be said about a verdict. */
static const char *remark(hk_arena *arena, const hk_verdict *v) {
    const char *text = v->message && !v->held ? v->message : "";
    if (v->reason)
        text = hk_arena_printf(arena, "%s%s%s", text, *text ? "; " : "", v->reason);
    if (v->idle)
        text =
            hk_arena_printf(arena, "%s%swhat it waits for never came up", text, *text ? "; " : "");
    if (v->measured && !isnan(v->measured->reference)) /* limits are part of its words */
        text = hk_arena_printf(arena, "%s%sreference %s%s%s", text, *text ? "; " : "",
                               hk_show_f64(arena, v->measured->reference),
                               v->measured->unit ? " " : "",
                               v->measured->unit ? v->measured->unit : "");
    return text;
}

static void put_verdict(hk_html *t, hk_arena *arena, int64_t run, const hk_verdict *v) {
    hk_svg_put(t, "<tr>");
    put_count(t, (uint64_t)run);
    hk_svg_put(t, v->held        ? "<td class=\"holds\">ok</td>"
                  : v->undecided ? "<td class=\"open\">undecided</td>"
                                 : "<td class=\"breaks\">broken</td>");
    hk_html_number(t, arena, v->time);
    hk_html_cell(t, v->words);
    hk_html_number(t, arena, v->measured ? v->measured->value : (double)NAN);
    hk_html_cell(t, v->measured ? v->measured->unit : NULL);
    hk_html_cell(t, remark(arena, v));
    hk_svg_put(t, "</tr>\n");
}

void hk_page_verdicts(hk_html *t, hk_arena *arena, const hk_page_scenario *s) {
    static const char *const headings[] = {"run",      "verdict", "at [s]", "expectation",
                                           "measured", "unit",    "remark", NULL};
    size_t count = 0;
    for (size_t r = 0; r < s->run_count; r++)
        count += s->runs[r].verdict_count;
    if (!count) {
        if (s->name)
            hk_html_words(t, "p", "The scenario expects nothing.");
        return;
    }
    hk_html_table(t, "Expectations and requirements", headings);
    for (size_t r = 0; r < s->run_count; r++)
        for (size_t i = 0; i < s->runs[r].verdict_count; i++)
            put_verdict(t, arena, s->runs[r].index, &s->runs[r].verdicts[i]);
    hk_html_table_end(t);
}

void hk_page_studies(hk_html *t, hk_arena *arena, const hk_study *studies, size_t count) {
    static const char *const headings[] = {"requirement", "unit",      "runs",     "met",
                                           "mean",        "deviation", "smallest", "largest",
                                           "CEP50",       "R95",       NULL};
    if (!count)
        return;
    hk_html_table(t, "Measured values over the runs", headings);
    for (size_t i = 0; i < count; i++) {
        const hk_study *s = &studies[i];
        bool distance = s->runs > 1 && hk_spread_is_distance(s->about->unit);
        hk_svg_put(t, "<tr>");
        hk_html_cell(t, s->about->name);
        hk_html_cell(t, s->about->unit);
        put_count(t, s->runs);
        put_count(t, s->held);
        hk_html_number(t, arena, s->spread.mean);
        hk_html_number(t, arena, s->spread.deviation);
        hk_html_number(t, arena, s->spread.least);
        hk_html_number(t, arena, s->spread.most);
        hk_html_number(t, arena, distance ? s->spread.r50 : (double)NAN);
        hk_html_number(t, arena, distance ? s->spread.r95 : (double)NAN);
        hk_svg_put(t, "</tr>\n");
    }
    hk_html_table_end(t);
}

/* ---- numbers of logs ---- */

enum { FINAL, MEAN, RMS, LARGEST, MEASURES };

/* The item or truth value that a number means; NULL: it is a number. */
static const char *item_of(const hk_plot_column *column, double value) {
    if (column->kind == HK_PLOT_BOOLEAN && isfinite(value))
        return value != 0 ? "true" : "false";
    for (size_t i = 0; column->kind == HK_PLOT_ENUMERATION && i < column->item_count; i++)
        if (column->items[i].value == value)
            return column->items[i].name;
    return NULL;
}

static void put_value(hk_html *t, hk_arena *arena, const hk_plot_column *column, double value) {
    const char *item = item_of(column, value);
    if (item)
        hk_html_cell(t, item);
    else
        hk_html_number(t, arena, value);
}

static void begin_row(hk_html *t, const hk_plot_column *column) {
    hk_html_cell(t, column->name);
    hk_html_cell(t, column->unit);
}

static void put_number(hk_html *t, hk_arena *arena, const hk_page_log *log, size_t c) {
    const hk_plot_column *column = &log->samples->columns[c];
    const hk_page_number *n = &log->numbers[c];
    bool items = column->kind == HK_PLOT_ENUMERATION; /* have no mean */
    hk_svg_put(t, "<tr>");
    begin_row(t, column);
    put_count(t, (uint64_t)log->run);
    put_value(t, arena, column, n->final);
    hk_html_number(t, arena, items ? (double)NAN : n->mean);
    hk_html_number(t, arena, items ? (double)NAN : n->rms);
    put_value(t, arena, column, n->largest);
    hk_html_number(t, arena, n->when);
    hk_svg_put(t, "</tr>\n");
}

static double measure(const hk_page_number *n, int which) {
    const double all[MEASURES] = {n->final, n->mean, n->rms, n->largest};
    return all[which];
}

/* Mean and deviation of column C over the runs. */
static void put_over_runs(hk_html *t, hk_arena *arena, const hk_page_set *set, size_t c) {
    const hk_plot_column *column = &set->tables[0]->columns[c];
    double *values = HK_NEW_ARRAY(arena, double, set->count);
    hk_spread spreads[MEASURES];
    for (int m = 0; m < MEASURES; m++) {
        size_t count = 0;
        for (size_t r = 0; r < set->count; r++)
            if (c < set->tables[r]->column_count)
                values[count++] = measure(&set->logs[r]->numbers[c], m);
        spreads[m] = hk_spread_of(values, count);
    }
    for (int deviation = 0; deviation < 2; deviation++) {
        hk_svg_put(t, "<tr class=\"over\">");
        begin_row(t, column);
        hk_html_cell(t, deviation ? "deviation" : "mean");
        for (int m = 0; m < MEASURES; m++)
            hk_html_number(t, arena, deviation ? spreads[m].deviation : spreads[m].mean);
        hk_svg_put(t, "<td></td></tr>\n");
    }
}

/* Rows without a number, and columns of texts: they are in no number above. */
static void put_left_out(hk_html *t, hk_arena *arena, const hk_page_set *set) {
    const char *texts = "";
    uint64_t infinite = 0;
    for (size_t c = 1; c < set->tables[0]->column_count; c++) {
        if (!hk_page_is_number(set->tables[0], c)) {
            texts = hk_arena_printf(arena, "%s%s%s", texts, *texts ? ", " : "",
                                    set->tables[0]->columns[c].name);
            continue;
        }
        for (size_t r = 0; r < set->count && c < set->tables[r]->column_count; r++)
            infinite += set->logs[r]->rows - set->logs[r]->numbers[c].finite;
    }
    if (infinite)
        hk_html_words(t, "p",
                      hk_arena_printf(arena,
                                      "Left out of mean, RMS and largest: %s value%s that %s not "
                                      "finite.",
                                      hk_show_count(arena, infinite), hk_plural(infinite),
                                      infinite == 1 ? "is" : "are"));
    if (*texts)
        hk_html_words(t, "p",
                      hk_arena_printf(arena, "Not shown, because they are texts: %s.", texts));
}

void hk_page_numbers(hk_html *t, hk_arena *arena, const hk_page_set *set) {
    static const char *const headings[] = {"signal", "unit",    "run",    "final", "mean",
                                           "RMS",    "largest", "at [s]", NULL};
    if (!set->count)
        return;
    const hk_plot_table *table = set->tables[0];
    hk_html_table(t,
                  hk_arena_printf(arena,
                                  "Numbers of %s%s, over all rows; the largest is that of the "
                                  "largest magnitude",
                                  hk_path_name(set->logs[0]->file),
                                  set->count > 1 ? " and the other runs" : ""),
                  headings);
    for (size_t c = 1; c < table->column_count; c++) {
        if (!hk_page_is_number(table, c))
            continue;
        for (size_t r = 0; r < set->count; r++)
            if (c < set->tables[r]->column_count)
                put_number(t, arena, set->logs[r], c);
        if (set->count > 1 && table->columns[c].kind != HK_PLOT_ENUMERATION)
            put_over_runs(t, arena, set, c);
    }
    hk_html_table_end(t);
    put_left_out(t, arena, set);
}
