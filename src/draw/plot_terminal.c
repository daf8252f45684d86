/* SPDX-License-Identifier: MIT
 *
 * Plots as text. Braille characters give eight dots to a cell; in ASCII a cell is one mark. Without
 * colour or distinct marks curves could not be told apart, so each then gets a panel of its own. */
#include "draw/plot.h"
#include "draw/plot_layout.h"

#include <math.h>
#include <string.h>

enum {
    DOTS_X = 2,
    DOTS_Y = 4,
    WIDTH_MIN = 24,
    PANEL_ROWS_MIN = 4,
    CELLS_MAX = 4096,
    COLOURS = 6,
    MARKS = 6
};

static const int colour_codes[COLOURS] = {34, 33, 32, 35, 36, 31};
static const char marks[MARKS + 1] = "*+ox#@";

typedef struct screen {
    FILE *out;
    const hk_plot_layout *layout;
    bool colour, ascii;
    int width, gutter;           /* characters: of all, and left of the panels */
    int columns, rows;           /* cells of a panel */
    unsigned char *dots, *owner; /* of each cell: which dots are set, and by which signal */
    hk_axis x;
    hk_axis *y;
} screen;

typedef struct brush {
    screen *screen;
    unsigned char owner; /* index of the signal + 1 */
    int x, y;            /* last point, in dots */
} brush;

static void set_dot(screen *s, int x, int y, unsigned char owner) {
    /* Bits of a braille cell: three rows of two, then the fourth row. */
    static const unsigned char bits[DOTS_Y][DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int cell = y / DOTS_Y * s->columns + x / DOTS_X;
    s->dots[cell] |= bits[y % DOTS_Y][x % DOTS_X];
    s->owner[cell] = owner;
}

/* A line from the brush to (x, y), both ends included. */
static void line_to(brush *b, int x, int y) {
    int dx = x - b->x, dy = y - b->y;
    int steps = dx * dx > dy * dy ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);
    for (int i = 0; i <= steps; i++) {
        double part = steps ? (double)i / steps : 0;
        set_dot(b->screen, b->x + (int)lround(part * dx), b->y + (int)lround(part * dy), b->owner);
    }
}

static void brush_to(void *user, double place, double value_place, bool move) {
    brush *b = user;
    const screen *s = b->screen;
    int x = (int)lround(place * (s->columns * DOTS_X - 1));
    int y = (int)lround((1 - value_place) * (s->rows * DOTS_Y - 1));
    if (move) {
        b->x = x;
        b->y = y;
    }
    line_to(b, x, y);
    b->x = x;
    b->y = y;
}

static void put_repeated(FILE *out, const char *word, int times) {
    for (int i = 0; i < times; i++)
        fputs(word, out);
}

/* At most WIDTH characters of a text; what a terminal could take for a command is replaced. */
static void put_cut(FILE *out, const char *text, int width) {
    for (int count = 0; *text && count < width; count++) {
        size_t length = hk_text_char(text);
        fwrite(length ? text : "?", 1, length ? length : 1, out);
        text += length ? length : 1;
    }
}

static void put_colour(const screen *s, size_t signal, bool on) {
    if (s->colour && on)
        fprintf(s->out, "\033[%dm", colour_codes[signal % COLOURS]);
    else if (s->colour)
        fputs("\033[0m", s->out);
}

static void put_legend(const screen *s, size_t p) {
    put_repeated(s->out, " ", s->gutter);
    int left = s->width - s->gutter; /* characters that the line still has */
    for (size_t i = 0; i < s->layout->signal_count; i++) {
        const hk_plot_signal *signal = &s->layout->signals[i];
        if (signal->panel != p || left < 8)
            continue;
        fputs(" ", s->out);
        put_colour(s, i, true);
        if (s->ascii)
            fprintf(s->out, "%c%c ", marks[i % MARKS], marks[i % MARKS]);
        else
            fputs("━━ ", s->out);
        put_colour(s, i, false);
        put_cut(s->out, signal->label, left - 4);
        left -= 4 + (int)hk_text_width(signal->label);
    }
    char scale[HK_TICK_TEXT];
    hk_axis_scale_text(&s->y[p], s->ascii, scale);
    if (*scale && left >= (int)hk_text_width(scale) + 3)
        fprintf(s->out, " (%s)", scale);
    fputc('\n', s->out);
}

/* The tick whose label belongs beside ROW of a panel; false: none. */
static bool tick_at_row(const screen *s, const hk_axis *axis, int row, int64_t *ret_tick) {
    for (int64_t k = axis->first; k <= axis->last; k++) {
        double place = hk_axis_place(axis, hk_axis_tick(axis, k));
        if ((int)lround((1 - place) * (s->rows * DOTS_Y - 1)) / DOTS_Y == row) {
            *ret_tick = k;
            return true;
        }
    }
    return false;
}

static void put_cell(const screen *s, size_t cell, unsigned char *colour_now) {
    unsigned char dots = s->dots[cell], owner = s->owner[cell];
    if (dots && owner != *colour_now) {
        put_colour(s, owner - 1u, true);
        *colour_now = owner;
    }
    if (!dots)
        fputc(' ', s->out);
    else if (s->ascii)
        fputc(marks[(owner - 1u) % MARKS], s->out);
    else /* U+2800 + dots, as UTF-8 */
        fprintf(s->out, "\xe2%c%c", 0xa0 + (dots >> 6), 0x80 + (dots & 0x3f));
}

static void put_row(const screen *s, size_t p, int row) {
    char label[HK_TICK_TEXT] = "";
    int64_t k = 0;
    bool tick = tick_at_row(s, &s->y[p], row, &k);
    const char *words = tick ? hk_axis_label(&s->y[p], k, label) : label;
    const char *axis = s->ascii ? (tick ? "+" : "|") : (tick ? "┤" : "│");
    put_repeated(s->out, " ", s->gutter - (int)hk_text_width(words));
    put_cut(s->out, words, s->gutter);
    fputs(axis, s->out);
    size_t first = (size_t)row * (size_t)s->columns;
    int used = s->columns; /* no spaces at the end of a line */
    while (used > 0 && !s->dots[first + (size_t)used - 1])
        used--;
    unsigned char colour_now = 0;
    for (int c = 0; c < used; c++)
        put_cell(s, first + (size_t)c, &colour_now);
    if (colour_now)
        put_colour(s, 0, false);
    fputc('\n', s->out);
}

static void put_panel(screen *s, size_t p) {
    put_legend(s, p);
    size_t cells = (size_t)s->columns * (size_t)s->rows;
    memset(s->dots, 0, cells);
    memset(s->owner, 0, cells);
    for (size_t i = 0; i < s->layout->signal_count; i++) {
        const hk_plot_signal *signal = &s->layout->signals[i];
        brush b = {.screen = s, .owner = (unsigned char)(i % 255 + 1)};
        hk_plot_frame frame = {&s->x, &s->y[p], (size_t)s->columns * DOTS_X};
        if (signal->panel == p)
            hk_plot_trace(s->layout, signal, signal->values, &frame, brush_to, &b);
    }
    for (int row = 0; row < s->rows; row++)
        put_row(s, p, row);
}

static int column_of_tick(const screen *s, int64_t k) {
    double place = hk_axis_place(&s->x, hk_axis_tick(&s->x, k));
    return (int)lround(place * (s->columns * DOTS_X - 1)) / DOTS_X;
}

static void put_time_axis(const screen *s) {
    fprintf(s->out, "%*s%s", s->gutter, "", s->ascii ? "+" : "└");
    int64_t k = s->x.first;
    for (int c = 0; c < s->columns; c++) {
        bool tick = k <= s->x.last && column_of_tick(s, k) == c;
        fputs(s->ascii ? (tick ? "+" : "-") : (tick ? "┬" : "─"), s->out);
        while (k <= s->x.last && column_of_tick(s, k) <= c)
            k++;
    }
    fputc('\n', s->out);
    int at = -s->gutter - 1; /* the column that comes next, as cells of the panel */
    for (k = s->x.first; k <= s->x.last; k++) {
        char label[HK_TICK_TEXT];
        int length = (int)strlen(hk_axis_label(&s->x, k, label));
        int begin = column_of_tick(s, k) - length / 2;
        if (begin + length > s->columns)
            begin = s->columns - length;
        if (begin < at + (at > 0))
            continue;
        fprintf(s->out, "%*s%s", begin - at, "", label);
        at = begin + length;
    }
    char scale[HK_TICK_TEXT];
    hk_axis_scale_text(&s->x, s->ascii, scale);
    int width = (int)(hk_text_width(s->layout->over_label) + hk_text_width(scale)) + 1;
    int indent = s->gutter + 1 + (s->columns - width) / 2;
    fprintf(s->out, "\n%*s", indent > 0 ? indent : 0, "");
    put_cut(s->out, s->layout->over_label, s->width);
    fprintf(s->out, "%s%s\n", *scale ? " " : "", scale);
}

static int clamp(unsigned wanted, int if_zero, int least) {
    int size = wanted > CELLS_MAX ? CELLS_MAX : wanted ? (int)wanted : if_zero;
    return size < least ? least : size;
}

/* The same scale on both axes: dots are about as far apart in a row as in a column. */
static void equalise(screen *s) {
    hk_axis *x = &s->x, *y = &s->y[0];
    hk_plot_equalise(s->columns * DOTS_X, s->rows * DOTS_Y, &x->lo, &x->hi, &y->lo, &y->hi);
    *x = hk_axis_make(x->lo, x->hi, s->columns / 11, false);
    *y = hk_axis_make(y->lo, y->hi, s->rows / 4 + 1, false);
}

static void measure(screen *s, hk_arena *arena, const hk_plot *plot) {
    const hk_plot_layout *layout = s->layout;
    int panels = (int)layout->panel_count;
    int height = clamp(plot->height, 24, 1);
    s->width = clamp(plot->width, 80, WIDTH_MIN);
    int frame = 3 + (plot->title ? 1 : 0); /* lines beside the panels */
    s->rows = (height - frame) / panels - 1;
    s->rows = s->rows < PANEL_ROWS_MIN ? PANEL_ROWS_MIN : s->rows;
    s->y = HK_NEW_ARRAY(arena, hk_axis, layout->panel_count);
    for (size_t p = 0; p < layout->panel_count; p++) {
        char label[HK_TICK_TEXT];
        s->y[p] = hk_axis_of_panel(&layout->panels[p], s->rows / 4 + 1);
        for (int64_t k = s->y[p].first; k <= s->y[p].last; k++) {
            int length = (int)hk_text_width(hk_axis_label(&s->y[p], k, label)) + 1;
            s->gutter = length > s->gutter ? length : s->gutter;
        }
    }
    if (s->gutter > s->width / 2)
        s->gutter = s->width / 2;
    s->columns = s->width - s->gutter - 1;
    s->x = hk_axis_make(layout->over_lo, layout->over_hi, s->columns / 11, plot->over);
    if (plot->over && plot->equal)
        equalise(s);
    s->dots = hk_arena_alloc(arena, (size_t)s->columns * (size_t)s->rows);
    s->owner = hk_arena_alloc(arena, (size_t)s->columns * (size_t)s->rows);
}

void hk_plot_terminal(const hk_plot *plot, FILE *out) {
    hk_plot wanted = *plot;
    wanted.marks = (hk_plot_marks){0}; /* there is no room for their words */
    if (!wanted.colour && !wanted.ascii && wanted.panels <= HK_PANELS_SPLIT)
        wanted.panels = HK_PANELS_CURVES;
    hk_arena *arena = hk_arena_create();
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, &wanted);
    screen s = {.out = out, .layout = &layout, .colour = wanted.colour, .ascii = wanted.ascii};
    measure(&s, arena, &wanted);
    if (wanted.title) {
        put_repeated(out, " ", s.gutter + 1);
        put_cut(out, wanted.title, s.columns);
        fputc('\n', out);
    }
    for (size_t p = 0; p < layout.panel_count; p++)
        put_panel(&s, p);
    put_time_axis(&s);
    hk_arena_destroy(arena);
}
