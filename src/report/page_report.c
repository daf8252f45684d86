/* SPDX-License-Identifier: MIT
 *
 * The page as a whole: its head, a part for each scenario, messages and files. */
#include "report/page_report.h"

#include "base/file.h"
#include "report/page_parts.h"
#include "report/show.h"

#include <string.h>
#include <strings.h>

hk_status hk_page_check(hk_ctx *ctx, const char *path) {
    const char *ending = hk_path_extension(path);
    if (strcasecmp(ending, ".html") == 0 || strcasecmp(ending, ".htm") == 0)
        return HK_OK;
    return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "name it with the extension .html",
                    "reports are written as HTML");
}

/* ---- head ---- */

static void put_pair(hk_html *t, const char *what, const char *words) {
    hk_svg_put(t, "<tr><th scope=\"row\">");
    hk_svg_escaped(t, what);
    hk_svg_put(t, "</th>");
    hk_html_cell(t, words);
    hk_svg_put(t, "</tr>\n");
}

static const char *seconds(hk_arena *arena, hk_ratio time) {
    return hk_show_f64(arena, hk_ratio_to_double(time));
}

/* What all of it came to, in words. */
static const char *outcome(hk_arena *arena, const hk_page *page) {
    size_t verdicts = 0, held = 0, failed = 0;
    for (size_t r = 0; r < page->of->run_count; r++) {
        const hk_play_run *run = &page->of->runs[r];
        failed += run->status != HK_OK;
        verdicts += run->verdict_count;
        for (size_t i = 0; i < run->verdict_count; i++)
            held += run->verdicts[i].held;
    }
    const char *text =
        hk_arena_printf(arena, "%zu run%s", page->of->run_count, hk_plural(page->of->run_count));
    if (page->of->run_count < page->of->asked)
        text = hk_arena_printf(arena, "%s of %zu", text, page->of->asked);
    if (failed)
        text = hk_arena_printf(arena, "%s, %zu failed", text, failed);
    if (verdicts)
        text = hk_arena_printf(arena, "%s; %zu of %zu expectation%s %s", text, held, verdicts,
                               hk_plural(verdicts), held == 1 ? "holds" : "hold");
    return hk_arena_printf(arena, "%s (status %s)", text, hk_report_status(arena, page->status));
}

static void put_head(hk_html *t, hk_arena *arena, const hk_page *page) {
    const hk_experiment *e = &page->model->experiment;
    hk_svg_put(t, "<table>\n<tbody>\n");
    put_pair(t, "result", outcome(arena, page));
    put_pair(t, "file", page->file);
    put_pair(t, "system", page->model->name);
    put_pair(t, "time",
             hk_arena_printf(arena, "%s s to %s s, step %s s", seconds(arena, e->start),
                             seconds(arena, e->stop), seconds(arena, e->step)));
    if (page->seed)
        put_pair(t, "seed", hk_arena_printf(arena, "%llu", (unsigned long long)*page->seed));
    put_pair(t, "made by", hk_arena_printf(arena, "hocket %s", page->version));
    hk_svg_put(t, "<tr><th scope=\"row\">the same again</th><td><code>");
    hk_svg_escaped(t, page->command);
    hk_svg_put(t, "</code></td></tr>\n</tbody></table>\n");
}

/* ---- scenarios ---- */

/* The studies of a scenario are together. */
static void put_studies(hk_html *t, hk_arena *arena, const hk_page *page, const char *scenario) {
    size_t count, first = 0, end;
    const hk_study *all = hk_study_all(page->of, arena, &count);
    while (first < count && strcmp(all[first].scenario, scenario) != 0)
        first++;
    for (end = first; end < count && strcmp(all[end].scenario, scenario) == 0;)
        end++;
    hk_page_studies(t, arena, &all[first], end - first);
}

static hk_status put_scenario(hk_ctx *ctx, hk_html *t, hk_arena *arena, const hk_page *page,
                              hk_page_scenario *s) {
    bool logged = false;
    HK_TRY(hk_page_read(ctx, arena, s));
    hk_html_words(t, "h2", s->name ? hk_arena_printf(arena, "Scenario %s", s->name) : "Run");
    hk_page_runs(t, arena, s);
    hk_page_verdicts(t, arena, s);
    if (s->name)
        put_studies(t, arena, page, s->name);
    for (size_t k = 0; k < s->set_count; k++)
        logged = logged || s->sets[k].count;
    if (!logged) {
        hk_html_words(t, "p", "There are no logs, so there are no curves and no numbers.");
        return HK_OK;
    }
    hk_page_map(t, arena, s);
    HK_TRY(hk_page_curves(ctx, t, arena, s));
    hk_html_words(t, "h3", "Numbers");
    for (size_t k = 0; k < s->set_count; k++)
        hk_page_numbers(t, arena, &s->sets[k]);
    return HK_OK;
}

static bool is_same(const char *a, const char *b) {
    return !a || !b ? a == b : strcmp(a, b) == 0;
}

static hk_status put_scenarios(hk_ctx *ctx, hk_html *t, const hk_page *page) {
    const hk_play_report *of = page->of;
    hk_status status = HK_OK;
    for (size_t i = 0, next; i < of->run_count && status == HK_OK; i = next) {
        for (next = i + 1; next < of->run_count; next++)
            if (!is_same(of->runs[next].scenario, of->runs[i].scenario))
                break;
        hk_page_scenario s = {.name = of->runs[i].scenario,
                              .model = page->model,
                              .runs = &of->runs[i],
                              .run_count = next - i};
        hk_arena *arena = hk_arena_create(); /* what is kept of logs goes with each scenario */
        status = put_scenario(ctx, t, arena, page, &s);
        hk_arena_destroy(arena);
    }
    return status;
}

/* ---- foot ---- */

static void put_messages(hk_html *t, hk_arena *arena, const hk_ctx *ctx) {
    static const char *const headings[] = {"", "where", "what", "hint", NULL};
    size_t count = hk_ctx_count(ctx, HK_NOTE);
    hk_html_words(t, "h2", "Messages");
    if (!count) {
        hk_html_words(t, "p", "There are none.");
        return;
    }
    hk_html_table(t, "Errors, warnings and notes", headings);
    for (size_t i = 0; i < count; i++) {
        const hk_diag *d = hk_ctx_diag(ctx, i);
        const char *where = d->where.file ? d->where.file : "";
        if (d->where.file && d->where.line)
            where = hk_arena_printf(arena, "%s:%d", where, d->where.line);
        if (d->where.element)
            where = hk_arena_printf(arena, "%s%s%s", where, *where ? ", " : "", d->where.element);
        hk_svg_put(t, "<tr><td class=\"word\">");
        hk_svg_put(t, hk_severity_name(d->severity));
        hk_svg_put(t, "</td>");
        hk_html_cell(t, where);
        hk_html_cell(t, d->text);
        hk_html_cell(t, d->hint);
        hk_svg_put(t, "</tr>\n");
    }
    hk_html_table_end(t);
}

static void put_files(hk_html *t, const hk_page *page, const char *path) {
    hk_html_words(t, "h2", "Files");
    hk_svg_put(t, "<ul>\n");
    for (size_t r = 0; r < page->of->run_count && !page->private; r++)
        for (size_t k = 0; k < page->of->runs[r].log_count; k++)
            if (hk_page_has_log(&page->of->runs[r], k))
                hk_html_words(t, "li", page->of->runs[r].logs[k]);
    for (size_t i = 0; i < page->file_count; i++)
        if (page->files[i])
            hk_html_words(t, "li", page->files[i]);
    hk_html_words(t, "li", path);
    hk_svg_put(t, "</ul>\n");
    if (page->private)
        hk_html_words(t, "p", "The record was made for this page, and is not kept: -o keeps it.");
}

hk_status hk_page_write(hk_ctx *ctx, const hk_page *page, const char *path) {
    hk_arena *arena = hk_arena_create();
    hk_html text = {0}, *t = &text;
    hk_html_begin(t, page->title);
    put_head(t, arena, page);
    hk_status status = put_scenarios(ctx, t, page);
    put_messages(t, arena, ctx);
    put_files(t, page, path);
    hk_html_end(t);
    if (status == HK_OK)
        status = hk_file_write(ctx, path, text.data, text.size);
    hk_free(text.data);
    hk_arena_destroy(arena);
    return status;
}
