/* SPDX-License-Identifier: MIT
 *
 * Plots as text. Braille characters give eight dots to a cell; in ASCII a cell is one mark. Without
 * colour or distinct marks curves could not be told apart, so each then gets a panel of its own.
 * Bands are shaded cells behind the curves; events are numbered lines, and their words are below.
 */
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
    COLOURS = HK_PLOT_TERMINAL_LOOKS,
    MARKS = HK_PLOT_TERMINAL_LOOKS
};

static const int colour_codes[COLOURS] = {34, 33, 32, 35, 36, 31};
static const char marks[MARKS + 1] = "*+ox#@";

typedef struct screen {
    FILE *out;
    const hk_plot_layout *layout;
    bool colour, ascii;
    int width, gutter;           /* characters: of all, and left of the panels */
    int columns, rows;           /* cells of a panel */
    unsigned char *dots, *owner; /* of each cell: which dots are set, and by which look + 1 */
    unsigned char *shade;        /* of each cell: the look + 1 whose band it is in; 0: none */
    bool *marked;                /* of each column: an event is there */
    int *top, *bottom;           /* of each column: the ends of a band, in rows */
    hk_axis *x, *y;              /* one for each panel */
} screen;

typedef struct brush {
    screen *screen;
    unsigned char owner; /* look of the signal + 1 */
    int x, y;            /* last point, in dots */
    bool alone;          /* it is the only one of its part so far */
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

/* A point that no line leads to or from fills its cell: one dot would hardly be seen. */
static void blot(brush *b) {
    for (int i = 0; b->alone && i < DOTS_X * DOTS_Y; i++)
        set_dot(b->screen, b->x / DOTS_X * DOTS_X + i % DOTS_X, b->y / DOTS_Y * DOTS_Y + i / DOTS_X,
                b->owner);
    b->alone = false;
}

static void brush_to(void *user, double place, double value_place, bool move) {
    brush *b = user;
    const screen *s = b->screen;
    int x = (int)lround(place * (s->columns * DOTS_X - 1));
    int y = (int)lround((1 - value_place) * (s->rows * DOTS_Y - 1));
    if (move) {
        blot(b);
        b->x = x;
        b->y = y;
    }
    line_to(b, x, y);
    b->alone = move;
    b->x = x;
    b->y = y;
}

/* One of the two edges of a band: columns remember how far up and down it is in them. */
static void edge_to(void *user, double place, double value_place, bool move) {
    brush *b = user;
    screen *s = b->screen;
    int x = (int)lround(place * (s->columns * DOTS_X - 1)) / DOTS_X;
    int y = (int)lround((1 - value_place) * (s->rows * DOTS_Y - 1)) / DOTS_Y;
    int from = move ? x : b->x, before = move ? y : b->y, steps = x > from ? x - from : 0;
    for (int c = from; c <= x; c++) {
        int at = steps ? before + (int)lround((double)(c - from) / steps * (y - before)) : y;
        s->top[c] = at < s->top[c] ? at : s->top[c];
        s->bottom[c] = at > s->bottom[c] ? at : s->bottom[c];
    }
    b->x = x;
    b->y = y;
}

static void shade_band(screen *s, const hk_plot_signal *signal, const hk_plot_frame *frame,
                       unsigned char owner) {
    brush b = {.screen = s, .owner = owner};
    for (int c = 0; c < s->columns; c++) {
        s->top[c] = s->rows;
        s->bottom[c] = -1;
    }
    hk_plot_trace(s->layout, signal, signal->low, frame, edge_to, &b);
    hk_plot_trace(s->layout, signal, signal->high, frame, edge_to, &b);
    for (int c = 0; c < s->columns; c++)
        for (int row = s->top[c]; row <= s->bottom[c]; row++)
            s->shade[row * s->columns + c] = owner;
}

static void put_repeated(FILE *out, const char *word, int times) {
    for (int i = 0; i < times; i++)
        fputs(word, out);
}

/* A text; if it has more than WIDTH characters without its middle, since names differ at both ends.
 * What a terminal could take for a command is replaced. */
static void put_cut(const screen *s, const char *text, int width) {
    int all = (int)hk_text_width(text), head = all > width ? width / 2 : all;
    int tail = all > width ? width - head - 1 : 0;
    for (int i = 0; *text; i++) {
        size_t length = hk_text_char(text);
        if (i < head || i >= all - tail)
            fwrite(length ? text : "?", 1, length ? length : 1, s->out);
        else if (i == head)
            fputs(s->ascii ? "~" : "\u2026", s->out);
        text += length ? length : 1;
    }
}

static void put_colour(const screen *s, size_t look, bool on) {
    if (s->colour && on)
        fprintf(s->out, "\033[%dm", colour_codes[look % COLOURS]);
    else if (s->colour)
        fputs("\033[0m", s->out);
}

static void put_swatch(const screen *s, const hk_plot_signal *signal) {
    char mark = marks[signal->turn % MARKS];
    fputs(" ", s->out);
    put_colour(s, signal->turn, true);
    if (s->ascii)
        fprintf(s->out, "%c%c ", mark, signal->low ? '.' : mark);
    else
        fputs(signal->low ? "━░ " : "━━ ", s->out);
    put_colour(s, signal->turn, false);
}

/* Makes room for so many characters in the legend. */
static void make_room(const screen *s, int needed, bool write, int *left, int *lines) {
    int room = s->width - s->gutter;
    if (*lines == 0 || (needed > *left && *left < room)) {
        if (write && *lines)
            fputc('\n', s->out);
        if (write)
            put_repeated(s->out, " ", s->gutter);
        ++*lines;
        *left = room;
    }
    *left -= needed;
}

/* The legend of panel P, and what its axis is to be multiplied by; with WRITE false only measures.
 * Returns its lines. */
static int legend(const screen *s, size_t p, bool write) {
    enum { SWATCH = 4 };
    int left = 0, lines = 0, most = s->width - s->gutter - SWATCH;
    for (size_t i = 0; i < s->layout->signal_count; i++) {
        const hk_plot_signal *signal = &s->layout->signals[i];
        if (signal->panel != p)
            continue;
        int length = (int)hk_text_width(signal->label);
        length = length > most ? most : length;
        make_room(s, SWATCH + length, write, &left, &lines);
        if (write) {
            put_swatch(s, signal);
            put_cut(s, signal->label, length);
        }
    }
    char scale[HK_TICK_TEXT];
    hk_axis_scale_text(&s->y[p], s->ascii, scale);
    if (*scale)
        make_room(s, (int)hk_text_width(scale) + 3, write, &left, &lines);
    if (*scale && write)
        fprintf(s->out, " (%s)", scale);
    if (write)
        fputc('\n', s->out);
    return lines ? lines : 1;
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

/* What is seen in a cell: a curve, else an event, else a band; 0: nothing. */
static unsigned char seen_in(const screen *s, size_t cell) {
    if (s->dots[cell])
        return s->owner[cell];
    return s->marked[cell % (size_t)s->columns] ? 0 : s->shade[cell];
}

static bool is_empty(const screen *s, size_t cell) {
    return !s->dots[cell] && !s->shade[cell] && !s->marked[cell % (size_t)s->columns];
}

static void put_cell(const screen *s, size_t cell, unsigned char *colour_now) {
    unsigned char dots = s->dots[cell], owner = seen_in(s, cell);
    if (owner != *colour_now && !is_empty(s, cell)) {
        put_colour(s, owner - 1u, owner != 0);
        *colour_now = owner;
    }
    if (is_empty(s, cell))
        fputc(' ', s->out);
    else if (!dots && !owner)
        fputs(s->ascii ? ":" : "┊", s->out);
    else if (!dots)
        fputs(s->ascii ? "." : "░", s->out);
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
    put_cut(s, words, s->gutter);
    fputs(axis, s->out);
    size_t first = (size_t)row * (size_t)s->columns;
    int used = s->columns; /* no spaces at the end of a line */
    while (used > 0 && is_empty(s, first + (size_t)used - 1))
        used--;
    unsigned char colour_now = 0;
    for (int c = 0; c < used; c++)
        put_cell(s, first + (size_t)c, &colour_now);
    if (colour_now)
        put_colour(s, 0, false);
    fputc('\n', s->out);
}

static int column_of(const screen *s, size_t p, double over) {
    double place = hk_axis_place(&s->x[p], over);
    return (int)lround(place * (s->columns * DOTS_X - 1)) / DOTS_X;
}

static int column_of_tick(const screen *s, size_t p, int64_t k) {
    return column_of(s, p, hk_axis_tick(&s->x[p], k));
}

/* Spaces, then WORDS in LENGTH columns, from BEGIN of the panel on; *AT is the column that comes
 * next. Nothing if they would touch what is before them. */
static void put_at(const screen *s, const char *words, int length, int begin, int *at) {
    if (begin + length > s->columns)
        begin = s->columns - length;
    if (begin < *at + (*at > 0))
        return;
    put_repeated(s->out, " ", begin - *at);
    put_cut(s, words, length);
    *at = begin + length;
}

/* The numbers of the events, above the first panel. */
static void put_numbers(const screen *s) {
    int at = -s->gutter - 1;
    const hk_plot_marks *all = &s->layout->plot->marks;
    for (size_t i = 0; i < all->event_count; i++) {
        if (!hk_plot_in_sight(s->layout, all->events[i].time))
            continue;
        int column = column_of(s, 0, all->events[i].time / s->layout->over_factor);
        s->marked[column] = true;
        const char *number = hk_arena_printf(s->layout->arena, "%zu", i + 1);
        put_at(s, number, (int)strlen(number), column, &at);
    }
    if (all->event_count)
        fputc('\n', s->out);
}

static void put_events(const screen *s) {
    const char *words;
    for (size_t i = 0; (words = hk_plot_event_words(s->layout, i)); i++) {
        put_repeated(s->out, " ", s->gutter + 1);
        put_cut(s, words, s->columns);
        fputc('\n', s->out);
    }
}

static void put_panel(screen *s, size_t p) {
    (void)legend(s, p, true);
    size_t cells = (size_t)s->columns * (size_t)s->rows;
    memset(s->dots, 0, cells);
    memset(s->owner, 0, cells);
    memset(s->shade, 0, cells);
    for (size_t i = 0; i < s->layout->signal_count; i++) {
        const hk_plot_signal *signal = &s->layout->signals[i];
        brush b = {.screen = s, .owner = (unsigned char)(signal->turn % COLOURS + 1)};
        hk_plot_frame frame = {&s->x[p], &s->y[p], (size_t)s->columns * DOTS_X,
                               (size_t)s->rows * DOTS_Y};
        if (signal->panel != p)
            continue;
        if (signal->low)
            shade_band(s, signal, &frame, b.owner);
        hk_plot_trace(s->layout, signal, signal->values, &frame, brush_to, &b);
        blot(&b);
    }
    for (int row = 0; row < s->rows; row++)
        put_row(s, p, row);
}

/* The horizontal axis, below panel P. */
static void put_over_axis(const screen *s, size_t p) {
    const hk_axis *x = &s->x[p];
    const char *words = s->layout->panels[p].over_label;
    fprintf(s->out, "%*s%s", s->gutter, "", s->ascii ? "+" : "└");
    int64_t k = x->first;
    for (int c = 0; c < s->columns; c++) {
        bool tick = k <= x->last && column_of_tick(s, p, k) == c;
        fputs(s->ascii ? (tick ? "+" : "-") : (tick ? "┬" : "─"), s->out);
        while (k <= x->last && column_of_tick(s, p, k) <= c)
            k++;
    }
    fputc('\n', s->out);
    int at = -s->gutter - 1; /* the column that comes next, as cells of the panel */
    for (k = x->first; k <= x->last; k++) {
        char buffer[HK_TICK_TEXT];
        const char *label = hk_axis_label(x, k, buffer);
        int length = (int)hk_text_width(label);
        int room = x->items ? (int)(s->columns / (x->hi - x->lo)) - 1 : length;
        length = length <= room ? length : room > 1 ? room : 1;
        put_at(s, label, length, column_of_tick(s, p, k) - length / 2, &at);
    }
    char scale[HK_TICK_TEXT];
    hk_axis_scale_text(x, s->ascii, scale);
    int room = s->width - (int)hk_text_width(scale) - 1;
    if (s->layout->panels[p].over_brief && (int)hk_text_width(words) > room)
        words = s->layout->panels[p].over_brief;
    int width = (int)(hk_text_width(words) + hk_text_width(scale)) + 1;
    int indent = s->gutter + 1 + (s->columns - width) / 2;
    fprintf(s->out, "\n%*s", indent > 0 ? indent : 0, "");
    put_cut(s, words, room);
    fprintf(s->out, "%s%s\n", *scale ? " " : "", scale);
}

static int clamp(unsigned wanted, int if_zero, int least) {
    int size = wanted > CELLS_MAX ? CELLS_MAX : wanted ? (int)wanted : if_zero;
    return size < least ? least : size;
}

/* The same scale on both axes: dots are about as far apart in a row as in a column. */
static void equalise(screen *s) {
    hk_axis *x = s->x, *y = s->y;
    hk_plot_equalise(s->columns * DOTS_X, s->rows * DOTS_Y, &x->lo, &x->hi, &y->lo, &y->hi);
    *x = hk_axis_make(x->lo, x->hi, s->columns / 11, false);
    *y = hk_axis_make(y->lo, y->hi, s->rows / 4 + 1, false);
}

/* Lines beside the panels: the title, axes, events. */
static int frame_lines(const hk_plot_layout *layout) {
    enum { AXIS_LINES = 3 };
    int lines = layout->plot->title ? 1 : 0;
    lines += AXIS_LINES * (layout->own_overs ? (int)layout->panel_count : 1);
    size_t events = 0;
    while (hk_plot_event_words(layout, events))
        events++;
    return lines + (events ? 1 + (int)events : 0);
}

/* Lines of all but the rows of the panels. */
static int other_lines(const screen *s) {
    int lines = frame_lines(s->layout);
    for (size_t p = 0; p < s->layout->panel_count; p++)
        lines += legend(s, p, false);
    return lines;
}

/* The vertical axes, for panels of so many rows, and the room left of them. */
static void choose_rows(screen *s, int rows) {
    const hk_plot_layout *layout = s->layout;
    s->rows = rows < PANEL_ROWS_MIN ? PANEL_ROWS_MIN : rows;
    s->gutter = 0;
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
}

static void measure(screen *s, hk_arena *arena, const hk_plot *plot) {
    const hk_plot_layout *layout = s->layout;
    int panels = (int)layout->panel_count, height = clamp(plot->height, 24, 1);
    s->width = clamp(plot->width, 80, WIDTH_MIN);
    s->x = HK_NEW_ARRAY(arena, hk_axis, layout->panel_count);
    s->y = HK_NEW_ARRAY(arena, hk_axis, layout->panel_count);
    choose_rows(s, (height - frame_lines(layout)) / panels - 1);
    choose_rows(s, (height - other_lines(s)) / panels); /* legends are as long as labels leave */
    for (size_t p = 0; p < layout->panel_count; p++)
        s->x[p] = hk_axis_of_over(&layout->panels[p], s->columns / 11, plot->over);
    if (plot->over && plot->equal)
        equalise(s);
    size_t cells = (size_t)s->columns * (size_t)s->rows;
    s->dots = hk_arena_alloc(arena, cells);
    s->owner = hk_arena_alloc(arena, cells);
    s->shade = hk_arena_alloc(arena, cells);
    s->marked = HK_NEW_ARRAY(arena, bool, (size_t)s->columns);
    s->top = HK_NEW_ARRAY(arena, int, (size_t)s->columns);
    s->bottom = HK_NEW_ARRAY(arena, int, (size_t)s->columns);
    memset(s->marked, 0, (size_t)s->columns * sizeof *s->marked);
}

hk_plot_panels hk_plot_terminal_panels(const hk_plot *plot) {
    bool alike = !plot->colour && !plot->ascii && plot->panels <= HK_PANELS_SPLIT;
    return alike ? HK_PANELS_CURVES : plot->panels;
}

size_t hk_plot_terminal(const hk_plot *plot, FILE *out) {
    hk_plot wanted = *plot;
    /* There is no room for the words of limits and verdicts. */
    wanted.marks = (hk_plot_marks){.events = plot->over ? NULL : plot->marks.events,
                                   .event_count = plot->over ? 0 : plot->marks.event_count};
    wanted.panels = hk_plot_terminal_panels(plot);
    hk_arena *arena = hk_arena_create();
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, &wanted);
    screen s = {.out = out, .layout = &layout, .colour = wanted.colour, .ascii = wanted.ascii};
    measure(&s, arena, &wanted);
    if (wanted.title) {
        put_repeated(out, " ", s.gutter + 1);
        put_cut(&s, wanted.title, s.columns);
        fputc('\n', out);
    }
    put_numbers(&s);
    for (size_t p = 0; p < layout.panel_count; p++) {
        put_panel(&s, p);
        if (layout.own_overs || p + 1 == layout.panel_count)
            put_over_axis(&s, p);
    }
    put_events(&s);
    size_t lines = (size_t)other_lines(&s) + layout.panel_count * (size_t)s.rows;
    hk_arena_destroy(arena);
    return lines;
}
