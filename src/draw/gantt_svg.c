/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "plan/ages.h"
#include "draw/gantt.h"
#include "draw/plot_layout.h"
#include "draw/svg.h"

#include <math.h>
#include <string.h>

enum {
    MARGIN = 16,
    ROW = 34,
    ROW_GAP = 28,
    WIDTH_MIN = 640,
    WIDTH_MAX = 1600,
    BAR_MIN = 14,  /* pixels that a bar with a letter needs */
    BAR_WISH = 64, /* and one with a name */
    NAME_WIDTH_MAX = 160,
    ARROWS_MAX = 48,
    LEGEND_LINE = 22
};

static const char style[] =
    ".b{stroke-width:1.2;fill-opacity:.22}\n"
    ".f0{fill:#0072b2}.f1{fill:#d55e00}.f2{fill:#009e73}.f3{fill:#cc79a7}"
    ".f4{fill:#e69f00}.f5{fill:#56b4e9}.f6{fill:#4b3ca8}.f7{fill:#6e7781}\n"
    ".n{font-size:11px;text-anchor:middle}\n"
    ".l{font-weight:600}\n"
    ".r{fill:#f4f6f8}\n"
    ".w{stroke:#57606a;stroke-width:1.1;fill:none}.w2{stroke-dasharray:3 3}\n"
    ".t{fill:#57606a}\n"
    "@media (prefers-color-scheme:dark){.r{fill:#1b2027}.w{stroke:#adb6c0}.t{fill:#adb6c0}}\n";

typedef struct drawing {
    hk_svg out;
    const hk_gantt *gantt;
    hk_arena *arena;
    const char *title;
    int64_t width, left, right, top, bottom;
    size_t shown; /* instants */
    double slot;  /* pixels of an instant */
} drawing;

static int64_t text_pixels(const char *words) {
    return (int64_t)(hk_text_width(words) * 13 / 2);
}

static int64_t tenths(double pixels) {
    return (int64_t)llround(10 * pixels);
}

/* Where a part of an instant lies; the slot has a small border on both sides. */
static double place_x(const drawing *d, size_t instant, double part) {
    double border = d->slot * 0.03;
    return (double)d->left + d->slot * (double)instant + border + part * (d->slot - 2 * border);
}

static int64_t row_y(const drawing *d, size_t row) {
    return d->top + (int64_t)row * (ROW + ROW_GAP);
}

static void arrange(drawing *d) {
    const hk_gantt *g = d->gantt;
    int64_t widest = 40;
    double shortest = 1;
    for (size_t r = 0; r < g->row_count; r++) {
        int64_t width = text_pixels(g->rows[r].name) + 8;
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < g->bar_count; i++) {
        double share = g->bars[i].to - g->bars[i].from;
        shortest = share < shortest ? share : shortest;
    }
    d->left = MARGIN + (widest > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : widest) + 10;
    double room = (double)(WIDTH_MAX - MARGIN - d->left);
    double narrowest = BAR_MIN / shortest;
    d->shown = (size_t)(room / (narrowest < 24 ? 24 : narrowest));
    d->shown = d->shown < 1 ? 1 : d->shown > g->instant_count ? g->instant_count : d->shown;
    double wish = BAR_WISH / shortest * (double)d->shown;
    double least = (double)(WIDTH_MIN - MARGIN - d->left);
    wish = wish > room ? room : wish < least ? least : wish;
    d->slot = d->shown ? wish / (double)d->shown : wish;
    d->right = d->left + (int64_t)wish;
    d->width = d->right + MARGIN;
    d->top = MARGIN + (d->title ? 30 : 0) + 8;
    d->bottom = row_y(d, g->row_count) - ROW_GAP + 6;
}

static void put_text(drawing *d, const char *attributes, double x, double y, const char *words) {
    hk_svg *t = &d->out;
    hk_svg_put(t, "<text ");
    hk_svg_put(t, attributes);
    hk_svg_put(t, " x=\"");
    hk_svg_tenths(t, tenths(x));
    hk_svg_put(t, "\" y=\"");
    hk_svg_tenths(t, tenths(y));
    hk_svg_put(t, "\">");
    hk_svg_escaped(t, words);
    hk_svg_put(t, "</text>\n");
}

/* The beginning of a name that fits; NAME itself if all of it does. */
static const char *cut_name(hk_arena *arena, const char *name, int64_t pixels) {
    if (text_pixels(name) <= pixels)
        return name;
    const char *end = name;
    for (size_t room = (size_t)(pixels * 2 / 13); *end && room > 1; room--) {
        size_t length = hk_text_char(end);
        end += length ? length : 1;
    }
    return hk_arena_printf(arena, "%.*s\u2026", (int)(end - name), name);
}

static void rows(drawing *d) {
    const hk_gantt *g = d->gantt;
    for (size_t r = 0; r < g->row_count; r++) {
        HK_SVG_PUT(&d->out, "<rect class=\"r\" x=\"#\" y=\"#\" width=\"#\" height=\"#\"/>\n",
                   d->left, row_y(d, r) - 4, d->right - d->left, ROW + 8);
        put_text(d, "class=\"l\" text-anchor=\"end\"", (double)d->left - 10,
                 (double)row_y(d, r) + 21,
                 cut_name(d->arena, g->rows[r].name, d->left - MARGIN - 10));
    }
}

static void time_axis(drawing *d) {
    double free_from = 0;
    for (size_t i = 0; i <= d->shown; i++) {
        double x = (double)d->left + d->slot * (double)i;
        hk_svg_put(&d->out, "<path class=\"z\" d=\"M");
        hk_svg_tenths(&d->out, tenths(x));
        HK_SVG_PUT(&d->out, " #V#\"/>\n", d->top - 8, d->bottom + 4);
        if (i == d->shown)
            break;
        const char *time = hk_gantt_time(d->arena, d->gantt->plan, d->gantt->instants[i]);
        if (x < free_from)
            continue;
        put_text(d, "class=\"k\"", x, (double)d->bottom + 18, time);
        free_from = x + (double)text_pixels(time) + 12;
    }
}

static void bar_tip(drawing *d, const hk_gantt_bar *bar) {
    const hk_plan *plan = d->gantt->plan;
    hk_svg_put(&d->out, "<title>");
    hk_svg_escaped(&d->out,
                   hk_arena_printf(d->arena, "%s at %s, phase %u",
                                   plan->model->components[bar->component].name,
                                   hk_gantt_time(d->arena, plan, d->gantt->instants[bar->instant]),
                                   plan->components[bar->component].level + 1));
    hk_svg_put(&d->out, "</title>");
}

static void bars(drawing *d) {
    const hk_gantt *g = d->gantt;
    hk_svg *t = &d->out;
    for (size_t i = 0; i < g->bar_count; i++) {
        const hk_gantt_bar *bar = &g->bars[i];
        if (bar->instant >= d->shown)
            continue;
        double x = place_x(d, bar->instant, bar->from), end = place_x(d, bar->instant, bar->to);
        int64_t colour = bar->component % HK_SVG_COLOURS;
        HK_SVG_PUT(t, "<g><rect class=\"b c# f#\" rx=\"3\" x=\"", colour, colour);
        hk_svg_tenths(t, tenths(x + 0.8));
        hk_svg_put(t, "\" width=\"");
        hk_svg_tenths(t, tenths(end - x - 1.6 > 1 ? end - x - 1.6 : 1));
        HK_SVG_PUT(t, "\" y=\"#\" height=\"#\">", row_y(d, bar->row), ROW);
        bar_tip(d, bar);
        hk_svg_put(t, "</rect>");
        const char *name = g->plan->model->components[bar->component].name;
        const char *label = text_pixels(name) + 4 <= (int64_t)(end - x) ? name
                            : end - x >= 9                              ? g->codes[bar->component]
                                                                        : "";
        if (*label)
            put_text(d, "class=\"n\" pointer-events=\"none\"", (x + end) / 2,
                     (double)row_y(d, bar->row) + 21, label);
        hk_svg_put(t, "</g>\n");
    }
}

static const hk_gantt_bar *bar_at(const drawing *d, uint32_t component, hk_tick t) {
    const hk_gantt *g = d->gantt;
    for (size_t i = 0; i < g->bar_count && g->bars[i].instant < d->shown; i++)
        if (g->bars[i].component == component && g->instants[g->bars[i].instant] == t)
            return &g->bars[i];
    return NULL;
}

static void arrow(drawing *d, const hk_gantt_bar *from, const hk_gantt_bar *to) {
    hk_svg *t = &d->out;
    bool down = to->row > from->row;
    double x1 = place_x(d, from->instant, from->to) - 3;
    double x2 = place_x(d, to->instant, to->from) + 3;
    int64_t y1 = row_y(d, from->row) + (down ? ROW : 0), y2 = row_y(d, to->row) + (down ? 0 : ROW);
    int64_t head = down ? -5 : 5, bend = (y2 - y1) / 2;
    hk_svg_put(t, from->instant == to->instant ? "<path class=\"w\" d=\"M"
                                               : "<path class=\"w w2\" d=\"M");
    hk_svg_tenths(t, tenths(x1));
    HK_SVG_PUT(t, " #C", y1);
    hk_svg_tenths(t, tenths(x1));
    HK_SVG_PUT(t, " # ", y1 + bend);
    hk_svg_tenths(t, tenths(x2));
    HK_SVG_PUT(t, " # ", y2 - bend);
    hk_svg_tenths(t, tenths(x2));
    HK_SVG_PUT(t, " #\"/><path class=\"t\" d=\"M", y2 + head);
    hk_svg_tenths(t, tenths(x2));
    HK_SVG_PUT(t, " #l-3 #h6z\"/>\n", y2, head);
}

/* Flows between processors, as far as they stay readable: all of them, or of each the first that
 * brings something computed, or none. With WRITE false they are counted only. */
static size_t arrows(drawing *d, bool once, bool write) {
    const hk_gantt *g = d->gantt;
    const hk_plan *plan = g->plan;
    size_t count = 0;
    for (uint32_t k = 0; k < plan->model->connection_count; k++) {
        const hk_connection *c = &plan->model->connections[k];
        bool twin = false; /* several signals on one way are one arrow */
        for (uint32_t j = 0; j < k && !twin; j++)
            twin = plan->model->connections[j].from_component == c->from_component &&
                   plan->model->connections[j].to_component == c->to_component &&
                   plan->connections[j].lag == plan->connections[k].lag;
        if (twin || g->row_of[c->from_component] == g->row_of[c->to_component])
            continue;
        for (size_t i = 0; i < g->bar_count && count <= ARROWS_MAX; i++) {
            const hk_gantt_bar *to = &g->bars[i];
            if (to->component != c->to_component || to->instant >= d->shown)
                continue;
            hk_tick seen = hk_age_seen(plan, k, g->instants[to->instant]);
            const hk_gantt_bar *from =
                seen == HK_ORIGIN_INITIAL ? NULL : bar_at(d, c->from_component, seen);
            if (!from)
                continue;
            count++;
            if (write)
                arrow(d, from, to);
            if (once)
                break;
        }
    }
    return count;
}

/* Names behind their letters; returns the lines it needs. With WRITE false only measures. */
static int64_t legend(drawing *d, int64_t y, bool write) {
    const hk_gantt *g = d->gantt;
    int64_t x = d->left, lines = 1;
    for (size_t i = 0; i < g->plan->model->component_count; i++) {
        if (!g->shown[i])
            continue;
        const char *words =
            hk_arena_printf(d->arena, "%s  %s", g->codes[i], g->plan->model->components[i].name);
        int64_t needed = 20 + text_pixels(words);
        if (x > d->left && x + needed > d->right) {
            x = d->left;
            lines++;
        }
        if (write) {
            int64_t line = y + (lines - 1) * LEGEND_LINE, colour = (int64_t)(i % HK_SVG_COLOURS);
            HK_SVG_PUT(&d->out,
                       "<rect class=\"b c# f#\" rx=\"2\" x=\"#\" y=\"#\" width=\"12\" "
                       "height=\"12\"/>",
                       colour, colour, x, line);
            put_text(d, "xml:space=\"preserve\"", (double)x + 18, (double)line + 10, words);
        }
        x += needed + 16;
    }
    return lines;
}

static const char *note_of(drawing *d, bool any, bool all) {
    const hk_gantt *g = d->gantt;
    const char *repeats = g->hyperperiod == HK_TICK_NEVER
                              ? ""
                              : hk_arena_printf(d->arena, "All repeats after %s. ",
                                                hk_gantt_time(d->arena, g->plan, g->hyperperiod));
    return hk_arena_printf(d->arena, "%s%s", repeats,
                           !any  ? ""
                           : all ? "Arrows: values between processors; dashed: of an "
                                   "earlier instant."
                                 : "Arrows: the first value of each flow between processors; "
                                   "dashed: of an earlier instant.");
}

static void draw(drawing *d) {
    hk_svg *t = &d->out;
    bool all = arrows(d, false, false) <= ARROWS_MAX;
    size_t count = all ? arrows(d, false, false) : arrows(d, true, false);
    bool any = count > 0 && count <= ARROWS_MAX;
    int64_t legend_y = d->bottom + 36;
    int64_t height = legend_y + legend(d, 0, false) * LEGEND_LINE + 18 + MARGIN / 2;
    HK_SVG_PUT(t,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"#\" height=\"#\" "
               "viewBox=\"0 0 # #\" role=\"img\">\n<title>",
               d->width, height, d->width, height);
    hk_svg_escaped(t, d->title ? d->title : "Plan");
    hk_svg_put(t, "</title>\n<style>\n");
    hk_svg_put(t, hk_svg_style);
    hk_svg_put(t, style);
    HK_SVG_PUT(t, "</style>\n<rect class=\"bg\" width=\"#\" height=\"#\"/>\n", d->width, height);
    if (d->title)
        put_text(d, "class=\"h\"", (double)d->left, MARGIN + 14, d->title);
    rows(d);
    time_axis(d);
    bars(d);
    if (any)
        arrows(d, !all, true);
    legend(d, legend_y, true);
    put_text(d, "class=\"k\"", (double)d->left, (double)height - 12, note_of(d, any, all));
    hk_svg_put(t, "</svg>\n");
}

hk_status hk_gantt_svg(hk_ctx *ctx, const hk_gantt *gantt, const hk_gantt_options *options,
                       const char *path) {
    drawing d = {.gantt = gantt, .arena = hk_arena_create(), .title = options->title};
    arrange(&d);
    draw(&d);
    hk_status status = hk_file_write(ctx, path, d.out.data, d.out.size);
    hk_free(d.out.data);
    hk_arena_destroy(d.arena);
    return status;
}
