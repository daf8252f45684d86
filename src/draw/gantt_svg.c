/* SPDX-License-Identifier: MIT */
#include "draw/canvas.h"
#include "draw/gantt.h"
#include "plan/ages.h"

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
    LEGEND_LINE = 22,
    NOTE_LINE = 16
};

typedef struct drawing {
    hk_canvas *canvas;
    const hk_gantt *gantt;
    hk_arena *arena;
    const char *title;
    double width, left, right, top, bottom;
    size_t shown; /* instants */
    double slot;  /* pixels of an instant */
    bool *coded;  /* per component: a bar has its letter, or no room for that */
} drawing;

/* Where a part of an instant lies; the slot has a small border on both sides. */
static double place_x(const drawing *d, size_t instant, double part) {
    double border = d->slot * 0.03;
    return d->left + d->slot * (double)instant + border + part * (d->slot - 2 * border);
}

static double row_y(const drawing *d, size_t row) {
    return d->top + (double)row * (ROW + ROW_GAP);
}

static void arrange(drawing *d) {
    const hk_gantt *g = d->gantt;
    double widest = 40, shortest = 1;
    for (size_t r = 0; r < g->row_count; r++)
        widest = fmax(widest, hk_lettering_pixels(HK_LETTERS_STRONG, g->rows[r].name));
    for (size_t i = 0; i < g->bar_count; i++)
        shortest = fmin(shortest, g->bars[i].to - g->bars[i].from);
    d->left = ceil(MARGIN + fmin(widest, NAME_WIDTH_MAX) + 10);
    double room = WIDTH_MAX - MARGIN - d->left;
    double narrowest = BAR_MIN / shortest;
    d->shown = (size_t)(room / (narrowest < 24 ? 24 : narrowest));
    d->shown = d->shown < 1 ? 1 : d->shown > g->instant_count ? g->instant_count : d->shown;
    double wish = BAR_WISH / shortest * (double)d->shown;
    double least = WIDTH_MIN - MARGIN - d->left;
    wish = wish > room ? room : wish < least ? least : wish;
    d->slot = d->shown ? wish / (double)d->shown : wish;
    d->right = d->left + floor(wish);
    d->width = d->right + MARGIN;
    d->top = MARGIN + (d->title ? 30 : 0) + 8;
    d->bottom = row_y(d, g->row_count) - ROW_GAP + 6;
}

static void rows(drawing *d) {
    const hk_gantt *g = d->gantt;
    for (size_t r = 0; r < g->row_count; r++) {
        hk_canvas_rect(d->canvas, (hk_box){d->left, row_y(d, r) - 4, d->right - d->left, ROW + 8},
                       0, "r", NULL);
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = d->left - 10,
                                     .y = row_y(d, r) + 21,
                                     .anchor = HK_ANCHOR_END,
                                     .lettering = HK_LETTERS_STRONG,
                                     .words = g->rows[r].name},
                          d->left - MARGIN - 10);
    }
}

/* Where the chart ends; returns the pixel before which other times may be. */
static double end_of_axis(drawing *d) {
    const hk_gantt *g = d->gantt;
    hk_tick end = d->shown < g->instant_count ? g->instants[d->shown] : g->end;
    if (!d->shown || end <= g->instants[d->shown - 1] || end >= HK_TICK_LIMIT)
        return d->width - 2;
    hk_label label = {.x = d->right,
                      .y = d->bottom + 18,
                      .anchor = HK_ANCHOR_END,
                      .lettering = HK_LETTERS_SMALL,
                      .words = hk_gantt_time(d->arena, g->plan, end)};
    hk_canvas_text(d->canvas, &label);
    return hk_label_box(&label).x - 12;
}

static void time_axis(drawing *d) {
    double free_from = 0, free_to = end_of_axis(d);
    for (size_t i = 0; i <= d->shown; i++) {
        double x = d->left + d->slot * (double)i;
        hk_canvas_line(d->canvas, x, d->top - 8, x, d->bottom + 4, "z");
        if (i == d->shown)
            break;
        const char *time = hk_gantt_time(d->arena, d->gantt->plan, d->gantt->instants[i]);
        double width = hk_lettering_pixels(HK_LETTERS_SMALL, time);
        if (x < free_from || x + width > free_to)
            continue;
        hk_canvas_text_in(
            d->canvas,
            (hk_label){.x = x, .y = d->bottom + 18, .lettering = HK_LETTERS_SMALL, .words = time},
            width);
        free_from = x + width + 12;
    }
}

static const char *bar_tip(drawing *d, const hk_gantt_bar *bar) {
    const hk_plan *plan = d->gantt->plan;
    return hk_arena_printf(d->arena, "%s at %s, phase %u",
                           plan->model->components[bar->component].name,
                           hk_gantt_time(d->arena, plan, d->gantt->instants[bar->instant]),
                           plan->components[bar->component].level + 1);
}

static const char *box_look(drawing *d, size_t component) {
    unsigned colour = (unsigned)(component % HK_SVG_COLOURS);
    return hk_arena_printf(d->arena, "b c%u f%u", colour, colour);
}

static void bars(drawing *d) {
    const hk_gantt *g = d->gantt;
    for (size_t i = 0; i < g->bar_count; i++) {
        const hk_gantt_bar *bar = &g->bars[i];
        if (bar->instant >= d->shown)
            continue;
        double x = place_x(d, bar->instant, bar->from), end = place_x(d, bar->instant, bar->to);
        hk_box box = {x + 0.8, row_y(d, bar->row), fmax(end - x - 1.6, 1), ROW};
        hk_canvas_group(d->canvas);
        hk_canvas_rect(d->canvas, box, 3, box_look(d, bar->component), bar_tip(d, bar));
        const char *name = g->plan->model->components[bar->component].name;
        const char *code = g->codes[bar->component];
        const char *label = hk_lettering_pixels(HK_LETTERS_SMALL, name) + 2 <= box.w ? name : code;
        d->coded[bar->component] = d->coded[bar->component] || label == code;
        if (hk_lettering_pixels(HK_LETTERS_SMALL, label) <= end - x)
            hk_canvas_text_in(d->canvas,
                              (hk_label){.x = (x + end) / 2,
                                         .y = row_y(d, bar->row) + 21,
                                         .anchor = HK_ANCHOR_MIDDLE,
                                         .lettering = HK_LETTERS_SMALL,
                                         .words = label,
                                         .look = "n"},
                              end - x);
        hk_canvas_group_end(d->canvas);
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
    bool down = to->row > from->row;
    double x1 = place_x(d, from->instant, from->to) - 3;
    double x2 = place_x(d, to->instant, to->from) + 3;
    double y1 = row_y(d, from->row) + (down ? ROW : 0), y2 = row_y(d, to->row) + (down ? 0 : ROW);
    double head = down ? -5 : 5, bend = floor((y2 - y1) / 2);
    hk_canvas_path(d->canvas, from->instant == to->instant ? "w" : "w w2", NULL);
    hk_canvas_move(d->canvas, x1, y1);
    hk_canvas_curve(d->canvas, (const double[]){x1, y1 + bend, x2, y2 - bend}, x2, y2 + head);
    hk_canvas_path(d->canvas, "t", NULL);
    hk_canvas_move(d->canvas, x2, y2);
    hk_canvas_to(d->canvas, x2 - 3, y2 + head);
    hk_canvas_to(d->canvas, x2 + 3, y2 + head);
    hk_canvas_close(d->canvas);
}

/* Several signals on one way are one arrow: that of the first. */
static bool has_twin_before(const hk_plan *plan, uint32_t k) {
    const hk_connection *c = &plan->model->connections[k];
    for (uint32_t j = 0; j < k; j++)
        if (plan->model->connections[j].from_component == c->from_component &&
            plan->model->connections[j].to_component == c->to_component &&
            plan->connections[j].lag == plan->connections[k].lag)
            return true;
    return false;
}

/* How flows are drawn: of each the first only; or not at all, but counted. */
typedef struct arrow_wish {
    bool once, write;
} arrow_wish;

static void arrows_of(drawing *d, uint32_t k, arrow_wish wish, size_t *count) {
    const hk_gantt *g = d->gantt;
    const hk_connection *c = &g->plan->model->connections[k];
    for (size_t i = 0; i < g->bar_count && *count <= ARROWS_MAX; i++) {
        const hk_gantt_bar *to = &g->bars[i];
        if (to->component != c->to_component || to->instant >= d->shown)
            continue;
        hk_tick seen = hk_age_seen(g->plan, k, g->instants[to->instant]);
        const hk_gantt_bar *from =
            seen == HK_ORIGIN_INITIAL ? NULL : bar_at(d, c->from_component, seen);
        if (!from)
            continue;
        ++*count;
        if (wish.write)
            arrow(d, from, to);
        if (wish.once)
            return;
    }
}

/* Flows between processors, as far as they stay readable: all of them, or of each the first that
 * brings something computed, or none. Returns how many there are. */
static size_t arrows(drawing *d, arrow_wish wish) {
    const hk_gantt *g = d->gantt;
    size_t count = 0;
    for (uint32_t k = 0; k < g->plan->model->connection_count; k++) {
        const hk_connection *c = &g->plan->model->connections[k];
        if (g->row_of[c->from_component] != g->row_of[c->to_component] &&
            !has_twin_before(g->plan, k))
            arrows_of(d, k, wish, &count);
    }
    return count;
}

/* Names behind the letters that are in bars; returns the lines it needs. */
static int legend(drawing *d, double y) {
    const hk_gantt *g = d->gantt;
    double x = d->left, room = d->right - d->left - 20;
    int lines = 0;
    for (size_t i = 0; i < g->plan->model->component_count; i++) {
        if (!d->coded[i])
            continue;
        lines = lines ? lines : 1;
        const char *words = hk_arena_printf(d->arena, "%s \u2013 %s", g->codes[i],
                                            g->plan->model->components[i].name);
        double needed = 20 + fmin(hk_lettering_pixels(HK_LETTERS_PLAIN, words), room);
        if (x > d->left && x + needed > d->right) {
            x = d->left;
            lines++;
        }
        double line = y + (lines - 1) * LEGEND_LINE;
        hk_canvas_rect(d->canvas, (hk_box){x, line, 12, 12}, 2, box_look(d, i), NULL);
        hk_canvas_text_in(d->canvas, (hk_label){.x = x + 18, .y = line + 10, .words = words}, room);
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
    const char *widths =
        g->costed ? "" : "Widths show the order within an instant, not durations. ";
    return hk_arena_printf(d->arena, "%s%s%s", repeats, widths,
                           !any  ? ""
                           : all ? "Arrows: values between processors; dashed: of an "
                                   "earlier instant."
                                 : "Arrows: the first value of each flow between processors; "
                                   "dashed: of an earlier instant.");
}

/* The note at the bottom, in as many lines as its sentences need. */
static double put_note(drawing *d, double y, const char *note) {
    double room = d->width - d->left - 8;
    while (*note) {
        const char *end = note + strlen(note);
        const char *words = note;
        if (hk_lettering_pixels(HK_LETTERS_SMALL, note) > room && strstr(note, ". ")) {
            end = strstr(note, ". ") + 2;
            words = hk_arena_strndup(d->arena, note, (size_t)(end - note) - 1);
        }
        hk_canvas_text_in(
            d->canvas,
            (hk_label){.x = d->left, .y = y, .lettering = HK_LETTERS_SMALL, .words = words}, room);
        note = end;
        y += NOTE_LINE;
    }
    return y;
}

static hk_picture draw(drawing *d) {
    size_t count = arrows(d, (arrow_wish){0});
    bool all = count <= ARROWS_MAX;
    if (!all)
        count = arrows(d, (arrow_wish){.once = true});
    bool any = count > 0 && count <= ARROWS_MAX;
    double legend_y = d->bottom + 36;
    if (d->title)
        hk_canvas_text_in(
            d->canvas,
            (hk_label){
                .x = d->left, .y = MARGIN + 14, .lettering = HK_LETTERS_HEADING, .words = d->title},
            d->right - d->left);
    rows(d);
    time_axis(d);
    bars(d);
    if (any)
        (void)arrows(d, (arrow_wish){.once = !all, .write = true});
    double y = legend_y + legend(d, legend_y) * LEGEND_LINE;
    double end = put_note(d, y + 14, note_of(d, any, all));
    return (hk_picture){.canvas = d->canvas,
                        .width = d->width,
                        .height = end,
                        .title = d->title ? d->title : "Plan"};
}

hk_picture hk_gantt_draw(const hk_gantt *gantt, const hk_gantt_options *options,
                         hk_canvas *canvas) {
    drawing d = {.canvas = canvas,
                 .gantt = gantt,
                 .arena = hk_canvas_arena(canvas),
                 .title = options->title};
    size_t components = gantt->plan->model->component_count;
    d.coded = HK_NEW_ARRAY(d.arena, bool, components + 1);
    for (size_t i = 0; i < components; i++)
        d.coded[i] = false;
    arrange(&d);
    return draw(&d);
}
