/* SPDX-License-Identifier: MIT */
#include "draw/gantt.h"
#include "draw/lettering.h"

#include <string.h>

enum { NAME_MAX_WIDTH = 16, SLOT_MAX = 24, COLOURS = 6 };

typedef struct page {
    const hk_gantt *gantt;
    hk_arena *arena;
    const hk_gantt_options *options;
    FILE *out;
    size_t label;  /* columns of the names of the rows */
    size_t slot;   /* columns of an instant, without the line before it */
    size_t shown;  /* instants */
    size_t hidden; /* activations for which there is no column */
} page;

/* An instant is wide enough for its shortest activation to be seen; what room is left is shared. */
static void arrange(page *p) {
    const hk_gantt *g = p->gantt;
    for (size_t r = 0; r < g->row_count; r++) {
        size_t width = hk_text_width(g->rows[r].name);
        p->label = width > p->label ? width : p->label;
    }
    p->label = p->label > NAME_MAX_WIDTH ? NAME_MAX_WIDTH : p->label;
    size_t width = p->options->width ? p->options->width : 80;
    size_t room = width > p->label + 4 + 8 ? width - p->label - 4 : 8;
    double shortest = 1;
    for (size_t i = 0; i < g->bar_count; i++) {
        double share = g->bars[i].to - g->bars[i].from;
        shortest = share < shortest ? share : shortest;
    }
    /* Where the shares cannot be shown, each activation has its place at least. */
    size_t enough = g->most > SLOT_MAX ? g->most : SLOT_MAX;
    bool shares = 1 / shortest < (double)room;
    p->slot = shares ? (size_t)(0.999 + 1 / shortest) : enough;
    p->slot = p->slot > room - 1 ? room - 1 : p->slot;
    p->shown = room / (p->slot + 1);
    p->shown = p->shown > g->instant_count ? g->instant_count : p->shown;
    if (p->shown) {
        size_t wider = room / p->shown - 1;
        /* A whole multiple keeps equal activations equal. */
        wider = wider > SLOT_MAX ? SLOT_MAX : wider;
        p->slot = wider > p->slot ? wider / p->slot * p->slot : p->slot;
    }
}

/* A name cut to the width of the label, and padded. */
static void put_name(const page *p, const char *name) {
    size_t width = 0;
    while (*name && width < p->label) {
        size_t length = hk_text_char(name);
        length = length ? length : 1;
        bool clean = length > 1 || (unsigned char)*name >= ' ';
        fwrite(clean ? name : " ", 1, clean ? length : 1, p->out);
        name += length;
        width++;
    }
    fprintf(p->out, "%*s ", (int)(p->label - width), "");
}

static size_t count_bars(const hk_gantt *g, size_t row, size_t instant) {
    size_t count = 0;
    for (size_t i = 0; i < g->bar_count; i++)
        count += g->bars[i].row == row && g->bars[i].instant == instant;
    return count;
}

/* Which component is in each column of an instant; HK_MAP_NONE: nobody. Each activation has a
 * column at least, as long as there are any: those behind it keep theirs. */
static void fill_slot(page *p, size_t row, size_t instant, uint32_t *cells) {
    const hk_gantt *g = p->gantt;
    size_t left = count_bars(g, row, instant), next = 0;
    for (size_t i = 0; i < p->slot; i++)
        cells[i] = HK_MAP_NONE;
    for (size_t i = 0; i < g->bar_count; i++) {
        const hk_gantt_bar *bar = &g->bars[i];
        if (bar->row != row || bar->instant != instant)
            continue;
        if (next == p->slot) {
            p->hidden++;
            continue;
        }
        size_t from = (size_t)(bar->from * (double)p->slot + 0.001);
        size_t to = (size_t)(bar->to * (double)p->slot + 0.001);
        size_t behind = --left, room = p->slot - next; /* room is 1 at least */
        size_t latest = room > behind ? p->slot - behind - 1 : next;
        from = from < next ? next : from > latest ? latest : from;
        size_t end = p->slot > from + behind ? p->slot - behind : from + 1;
        to = to <= from ? from + 1 : to > end ? end : to;
        for (next = from; next < to; next++)
            cells[next] = bar->component;
    }
}

static void put_cell(const page *p, uint32_t component, bool first) {
    static const int colours[COLOURS] = {36, 33, 32, 35, 34, 31};
    if (component == HK_MAP_NONE) {
        fputc(' ', p->out);
        return;
    }
    const char *code = p->gantt->codes[component];
    const char *rest = p->options->ascii ? "=" : "\u2501";
    if (p->options->colour)
        fprintf(p->out, "\033[%dm", colours[component % COLOURS]);
    if (first)
        fputc(code[1] ? '#' : code[0], p->out);
    else
        fputs(rest, p->out);
    if (p->options->colour)
        fputs("\033[0m", p->out);
}

static void put_row(page *p, size_t row, uint32_t *cells) {
    const char *line = p->options->ascii ? "|" : "\u2502";
    put_name(p, p->gantt->rows[row].name);
    for (size_t i = 0; i < p->shown; i++) {
        fputs(line, p->out);
        fill_slot(p, row, i, cells);
        for (size_t c = 0; c < p->slot; c++)
            put_cell(p, cells[c], c == 0 || cells[c] != cells[c - 1]);
    }
    fprintf(p->out, "%s\n", line);
}

static void put_axis(const page *p) {
    fprintf(p->out, "%*s", (int)p->label + 1, "");
    size_t column = 0, written = 0;
    for (size_t i = 0; i < p->shown; i++) {
        const char *time = hk_gantt_time(p->arena, p->gantt->plan, p->gantt->instants[i]);
        size_t at = i * (p->slot + 1);
        bool fits = at + strlen(time) <= p->shown * (p->slot + 1) + 4;
        if (at < column || !fits)
            continue;
        fprintf(p->out, "%*s%s", (int)(at - written), "", time);
        written = at + strlen(time);
        column = written + 2;
    }
    fputc('\n', p->out);
}

static void put_legend(const page *p) {
    const hk_gantt *g = p->gantt;
    size_t width = p->options->width ? p->options->width : 80, column = 0;
    for (size_t i = 0; i < g->plan->model->component_count; i++) {
        if (!g->shown[i])
            continue;
        const char *name = g->plan->model->components[i].name;
        const char *code = g->codes[i][1] ? "#" : g->codes[i];
        size_t needed = hk_text_width(name) + strlen(code) + 1;
        if (column && column + 3 + needed > width) {
            fputc('\n', p->out);
            column = 0;
        }
        fprintf(p->out, "%s%s %s", column ? "   " : "  ", code, name);
        column += needed + (column ? 3 : 2);
    }
    fputc('\n', p->out);
}

void hk_gantt_text(const hk_gantt *gantt, hk_arena *arena, const hk_gantt_options *options,
                   FILE *out) {
    page p = {.gantt = gantt, .arena = arena, .options = options, .out = out};
    arrange(&p);
    if (!p.shown)
        return;
    uint32_t *cells = HK_NEW_ARRAY(arena, uint32_t, p.slot);
    for (size_t r = 0; r < gantt->row_count; r++)
        put_row(&p, r, cells);
    put_axis(&p);
    put_legend(&p);
    if (p.hidden)
        fprintf(out, "  %zu activation%s no room here\n", p.hidden,
                p.hidden == 1 ? " has" : "s have");
    if (p.shown == gantt->instant_count && gantt->whole)
        return;
    const char *count = p.shown == 1 ? "the first instant"
                                     : hk_arena_printf(arena, "the first %zu instants", p.shown);
    fprintf(out, "  %s; %s\n", count,
            gantt->hyperperiod == HK_TICK_NEVER
                ? "the pattern never repeats within a run"
                : hk_arena_printf(arena, "all repeats after %s",
                                  hk_gantt_time(arena, gantt->plan, gantt->hyperperiod)));
}
