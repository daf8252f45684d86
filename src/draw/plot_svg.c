/* SPDX-License-Identifier: MIT */
#include "draw/plot_drawing.h"

#include <math.h>
#include <string.h>

enum {
    MARGIN = 16,
    HEADING = 30,
    LEGEND_LINE = 20,
    LEGEND_SWATCH = 20, /* and the space after it */
    LEGEND_GAP = 18,
    PANEL_GAP = 14,
    PANEL_MIN = 120,
    AXIS_LABEL = 20,
    TICK_GAP = 8,
    TICK_ROOM_MAX = 180, /* names of items are shortened to that */
    FOOT = 46,           /* labels and title of the horizontal axis */
    ITEM_HEIGHT = 18
};

double hk_drawing_x(const hk_plot_drawing *d, double place) {
    return d->left + place * (d->right - d->left);
}

double hk_drawing_y(const hk_plot_drawing *d, size_t panel, double place) {
    return d->places[panel].top + (1 - place) * d->places[panel].height;
}

static const char *look_of(const hk_plot_drawing *d, const char *more,
                           const hk_plot_signal *signal) {
    if (signal->curve->role == HK_PLOT_OUTLINE)
        return hk_arena_printf(d->layout->arena, "s c7 key d%u%s", signal->dash, more);
    return hk_arena_printf(d->layout->arena, "s c%u d%u%s", signal->colour, signal->dash, more);
}

static void draw_spot(const hk_plot_drawing *d, const hk_plot_signal *signal, double x, double y) {
    enum { SIZE = 10 };
    hk_box box = {x - SIZE / 2.0, y - SIZE / 2.0, SIZE, SIZE};
    hk_canvas_rect(d->canvas, box, SIZE / 2.0,
                   hk_arena_printf(d->layout->arena, "f%u", signal->colour), signal->name);
}

/* ---- legends ---- */

/* The legend of panel P, from (left, y) on; with WRITE false only measures. Returns its lines. */
static int legend(const hk_plot_drawing *d, size_t p, double y, bool write) {
    double x = d->left, room = d->right - d->left - LEGEND_SWATCH - 6;
    int lines = 1;
    for (size_t i = 0; i < d->layout->signal_count; i++) {
        const hk_plot_signal *signal = &d->layout->signals[i];
        if (signal->panel != p)
            continue;
        double words = fmin(hk_lettering_pixels(HK_LETTERS_PLAIN, signal->name), room);
        double needed = LEGEND_SWATCH + 6 + words;
        if (x > d->left && x + needed > d->right) {
            x = d->left;
            lines++;
        }
        if (write) {
            double line = y + (lines - 1) * LEGEND_LINE + 10;
            if (signal->curve->role == HK_PLOT_SPOTS)
                draw_spot(d, signal, x + LEGEND_SWATCH / 2.0, line);
            else
                hk_canvas_line(d->canvas, x + 2, line, x + LEGEND_SWATCH - 2, line,
                               look_of(d, " key", signal));
            hk_canvas_text_in(
                d->canvas,
                (hk_label){.x = x + LEGEND_SWATCH + 4, .y = line + 4, .words = signal->name}, room);
        }
        x += needed + LEGEND_GAP;
    }
    return lines;
}

/* ---- axes ---- */

/* A tick's label, with a proper minus sign. */
static const char *tick_label(const hk_plot_drawing *d, const hk_axis *axis, int64_t k) {
    char buffer[HK_TICK_TEXT];
    const char *words = hk_axis_label(axis, k, buffer);
    if (!axis->items && *words == '-')
        return hk_arena_printf(d->layout->arena, "\u2212%s", words + 1);
    return hk_arena_strdup(d->layout->arena, words);
}

static double widest_label(const hk_plot_drawing *d, const hk_axis *axis) {
    double widest = 0;
    for (int64_t k = axis->first; k <= axis->last; k++)
        widest = fmax(widest, hk_lettering_pixels(HK_LETTERS_SMALL, tick_label(d, axis, k)));
    return fmin(widest, TICK_ROOM_MAX);
}

/* As many ticks as have room for their labels. */
static hk_axis horizontal_axis(const hk_plot_drawing *d, double lo, double hi, bool padded) {
    double width = d->right - d->left;
    int ticks = (int)(width / 85);
    hk_axis axis = hk_axis_make(lo, hi, ticks, padded);
    for (; ticks > 1; ticks--) {
        axis = hk_axis_make(lo, hi, ticks, padded);
        double apart = axis.step / (axis.hi - axis.lo) * width;
        if (widest_label(d, &axis) + 12 <= apart)
            break;
    }
    return axis;
}

/* Items have room for a few letters each, or else there are numbers. */
static hk_axis over_axis(const hk_plot_drawing *d, const hk_plot_panel *panel) {
    enum { ITEM_WIDTH = 30 };
    double width = d->right - d->left;
    hk_axis axis = hk_axis_of_over(panel, (int)(width / 85), d->layout->plot->over);
    if (axis.items && width / (axis.hi - axis.lo) >= ITEM_WIDTH)
        return axis;
    return horizontal_axis(d, panel->over_lo, panel->over_hi, d->layout->plot->over);
}

/* Writes the label of tick K of an axis in ROOM pixels, at the place that LABEL has, unless it
 * would touch the one before it, which is at *LAST. */
static void write_tick(const hk_plot_drawing *d, const hk_axis *axis, int64_t k, hk_label label,
                       double room, hk_box *last) {
    label.lettering = HK_LETTERS_SMALL;
    hk_font font = hk_lettering_font(label.lettering);
    const char *whole = tick_label(d, axis, k);
    label.words = hk_text_shorten(d->layout->arena, font, whole, room);
    hk_box box = hk_label_box(&label);
    if (!*label.words || hk_box_overlap(box, *last))
        return;
    label.words = whole;
    hk_canvas_text_in(d->canvas, label, room);
    *last = box;
}

/* The title of an axis: BRIEF, which may be NULL, where the whole has no room. */
static void write_title(const hk_plot_drawing *d, hk_label label, const char *brief, double room) {
    hk_font font = hk_lettering_font(label.lettering);
    if (!brief || hk_text_pixels(font, label.words) <= room) {
        hk_canvas_text_in(d->canvas, label, room);
        return;
    }
    label.whole = label.words;
    label.words = hk_text_shorten(d->layout->arena, font, brief, room);
    if (*label.words)
        hk_canvas_text(d->canvas, &label);
}

static void vertical_axis(const hk_plot_drawing *d, size_t p) {
    const hk_axis *y = &d->y[p];
    const hk_plot_place *at = &d->places[p];
    hk_box last = {0};
    for (int64_t k = y->first; k <= y->last; k++) {
        double line = hk_drawing_y(d, p, hk_axis_place(y, hk_axis_tick(y, k)));
        bool zero = !k && !y->items && y->offset == 0;
        hk_canvas_line(d->canvas, d->left, line, d->right, line, zero ? "z" : "g");
        hk_label at_line = {.x = d->left - TICK_GAP, .y = line + 4, .anchor = HK_ANCHOR_END};
        write_tick(d, y, k, at_line, TICK_ROOM_MAX, &last);
    }
    char scale[HK_TICK_TEXT];
    if (*hk_axis_scale_text(y, false, scale))
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = d->left - TICK_GAP,
                                     .y = at->top - 8,
                                     .anchor = HK_ANCHOR_END,
                                     .lettering = HK_LETTERS_SMALL,
                                     .words = scale},
                          d->left);
    if (d->layout->panels[p].label)
        write_title(d,
                    (hk_label){.x = MARGIN + 10,
                               .y = at->top + at->height / 2,
                               .anchor = HK_ANCHOR_MIDDLE,
                               .upright = true,
                               .words = d->layout->panels[p].label},
                    d->layout->panels[p].brief, at->height + PANEL_GAP);
}

/* Below panel P. */
static void horizontal_ticks(const hk_plot_drawing *d, size_t p) {
    const hk_axis *axis = &d->x[p];
    double bottom = d->places[p].top + d->places[p].height;
    hk_box last = {0};
    double apart = (d->right - d->left) / (axis->hi - axis->lo);
    double room = axis->items ? fmin(apart - 8, TICK_ROOM_MAX) : TICK_ROOM_MAX;
    for (int64_t k = axis->first; k <= axis->last; k++) {
        double x = hk_drawing_x(d, hk_axis_place(axis, hk_axis_tick(axis, k)));
        hk_canvas_line(d->canvas, x, bottom, x, bottom + 4, "a");
        hk_label below = {.x = x, .y = bottom + 18, .anchor = HK_ANCHOR_MIDDLE};
        write_tick(d, axis, k, below, room, &last);
    }
    char scale[HK_TICK_TEXT];
    const char *words = d->layout->panels[p].over_label, *brief = d->layout->panels[p].over_brief;
    if (*hk_axis_scale_text(axis, false, scale)) {
        words = hk_arena_printf(d->layout->arena, "%s %s", words, scale);
        brief = brief ? hk_arena_printf(d->layout->arena, "%s %s", brief, scale) : NULL;
    }
    if (*words)
        write_title(d,
                    (hk_label){.x = (d->left + d->right) / 2,
                               .y = bottom + 36,
                               .anchor = HK_ANCHOR_MIDDLE,
                               .words = words},
                    brief, d->right - d->left);
}

/* ---- curves ---- */

/* The points of a curve in pixels, in parts. */
typedef struct points {
    const hk_plot_drawing *drawing;
    size_t panel;
    double *x, *y;
    bool *move;
    size_t count, cap_x, cap_y, cap_move;
} points;

static void keep_point(void *user, double place, double value_place, bool move) {
    points *p = user;
    size_t n = p->count;
    HK_PUSH(p->x, n, p->cap_x, hk_drawing_x(p->drawing, place));
    n = p->count;
    HK_PUSH(p->y, n, p->cap_y, hk_drawing_y(p->drawing, p->panel, value_place));
    HK_PUSH(p->move, p->count, p->cap_move, move);
}

static points trace(const hk_plot_drawing *d, const hk_plot_signal *signal, const double *values) {
    points p = {.drawing = d, .panel = signal->panel};
    hk_plot_frame frame = {&d->x[p.panel], &d->y[p.panel], (size_t)(d->right - d->left),
                           (size_t)d->places[p.panel].height};
    hk_plot_trace(d->layout, signal, values, &frame, keep_point, &p);
    return p;
}

static void free_points(points *p) {
    hk_free(p->x);
    hk_free(p->y);
    hk_free(p->move);
}

/* The end of the part that begins at FIRST. */
static size_t part_end(const points *p, size_t first) {
    size_t end = first + 1;
    while (end < p->count && !p->move[end])
        end++;
    return end;
}

/* Parts that are hardly longer than a line is wide are seen as dots. */
static void draw_dots(const hk_plot_drawing *d, const hk_plot_signal *signal, const points *p) {
    enum { SMALL = 2 };
    bool any = false;
    for (size_t first = 0, end; first < p->count; first = end) {
        bool small = true;
        end = part_end(p, first);
        for (size_t i = first + 1; i < end && small; i++)
            small = fabs(p->x[i] - p->x[first]) < SMALL && fabs(p->y[i] - p->y[first]) < SMALL;
        if (!small)
            continue;
        if (!any)
            hk_canvas_path(d->canvas,
                           hk_arena_printf(d->layout->arena, "s c%u dot", signal->colour), NULL);
        any = true;
        hk_canvas_move(d->canvas, p->x[first], p->y[first]);
    }
}

static void draw_curve(const hk_plot_drawing *d, const hk_plot_signal *signal) {
    points p = trace(d, signal, signal->values);
    hk_canvas_path(d->canvas, look_of(d, "", signal), NULL);
    for (size_t i = 0; i < p.count; i++) {
        if (p.move[i])
            hk_canvas_move(d->canvas, p.x[i], p.y[i]);
        else
            hk_canvas_to(d->canvas, p.x[i], p.y[i]);
    }
    draw_dots(d, signal, &p);
    free_points(&p);
}

static void draw_spots(const hk_plot_drawing *d, const hk_plot_signal *signal) {
    points p = trace(d, signal, signal->values);
    for (size_t i = 0; i < p.count; i++)
        draw_spot(d, signal, p.x[i], p.y[i]);
    free_points(&p);
}

/* Forward along the upper edge, back along the lower one; both have the same gaps. */
static void draw_band(const hk_plot_drawing *d, const hk_plot_signal *signal) {
    points high = trace(d, signal, signal->high), low = trace(d, signal, signal->low);
    hk_canvas_path(d->canvas, hk_arena_printf(d->layout->arena, "band f%u", signal->colour), NULL);
    for (size_t h = 0, l = 0; h < high.count && l < low.count;) {
        size_t h_end = part_end(&high, h), l_end = part_end(&low, l);
        hk_canvas_move(d->canvas, high.x[h], high.y[h]);
        for (size_t i = h + 1; i < h_end; i++)
            hk_canvas_to(d->canvas, high.x[i], high.y[i]);
        for (size_t i = l_end; i-- > l;)
            hk_canvas_to(d->canvas, low.x[i], low.y[i]);
        hk_canvas_close(d->canvas);
        h = h_end;
        l = l_end;
    }
    free_points(&high);
    free_points(&low);
}

/* Signals of one role in panel P, or the bands around them. */
static void draw_signals(const hk_plot_drawing *d, size_t p, hk_plot_role role, bool bands) {
    for (size_t i = 0; i < d->layout->signal_count; i++) {
        const hk_plot_signal *signal = &d->layout->signals[i];
        if (signal->panel != p || signal->lo > signal->hi || signal->curve->role != role)
            continue;
        if (bands && signal->low)
            draw_band(d, signal);
        else if (role == HK_PLOT_SPOTS)
            draw_spots(d, signal);
        else if (!bands)
            draw_curve(d, signal);
    }
}

static void draw_panel(const hk_plot_drawing *d, size_t p, double legend_y) {
    const hk_plot_place *at = &d->places[p];
    hk_canvas_group(d->canvas);
    legend(d, p, legend_y, true);
    for (int64_t k = d->x[p].first; k <= d->x[p].last; k++) {
        double x = hk_drawing_x(d, hk_axis_place(&d->x[p], hk_axis_tick(&d->x[p], k)));
        hk_canvas_line(d->canvas, x, at->top, x, at->top + at->height, "g");
    }
    vertical_axis(d, p);
    hk_canvas_path(d->canvas, "a", NULL);
    hk_canvas_move(d->canvas, d->left, at->top);
    hk_canvas_to(d->canvas, d->left, at->top + at->height);
    hk_canvas_to(d->canvas, d->right, at->top + at->height);
    draw_signals(d, p, HK_PLOT_OUTLINE, false);
    draw_signals(d, p, HK_PLOT_SIGNAL, true); /* bands are below all curves */
    draw_signals(d, p, HK_PLOT_SIGNAL, false);
    draw_signals(d, p, HK_PLOT_SPOTS, false);
    hk_canvas_group_end(d->canvas);
}

/* ---- the whole ---- */

static double default_height(size_t panels) {
    return panels == 1 ? 400 : panels == 2 ? 240 : panels <= 4 ? 180 : 140;
}

/* Panels of items need no more height than their names. */
static void choose_heights(hk_plot_drawing *d) {
    const hk_plot_layout *layout = d->layout;
    size_t numeric = 0;
    for (size_t p = 0; p < layout->panel_count; p++)
        numeric += layout->panels[p].item_count == 0;
    double height = d->layout->plot->height ? d->layout->plot->height : default_height(numeric);
    height = fmax(height, 40);
    for (size_t p = 0; p < layout->panel_count; p++) {
        d->places[p].height = height;
        d->y[p] = hk_axis_of_panel(&layout->panels[p], (int)(height / 60) + 1);
        if (d->y[p].items)
            d->places[p].height =
                fmax(40, ITEM_HEIGHT * (double)(d->y[p].last - d->y[p].first + 1));
    }
}

/* The same scale on both axes. Without a given height it follows from the ranges, within what fits
 * a page. */
static void equalise(hk_plot_drawing *d) {
    hk_axis *x = d->x, *y = d->y;
    double width = d->right - d->left, *height = &d->places[0].height;
    if (!d->layout->plot->height)
        *height = fmin(fmax(round(width * (y->hi - y->lo) / (x->hi - x->lo)), 200), 800);
    hk_plot_equalise(width, *height, &x->lo, &x->hi, &y->lo, &y->hi);
    *x = horizontal_axis(d, x->lo, x->hi, false);
    *y = hk_axis_make(y->lo, y->hi, (int)(*height / 60) + 1, false);
}

/* The widest label of the vertical axes, and what is above them. */
static double widest_of_all(const hk_plot_drawing *d) {
    double widest = 0;
    char scale[HK_TICK_TEXT];
    for (size_t p = 0; p < d->layout->panel_count; p++) {
        widest = fmax(widest, widest_label(d, &d->y[p]));
        widest = fmax(widest, hk_lettering_pixels(HK_LETTERS_SMALL,
                                                  hk_axis_scale_text(&d->y[p], false, scale)));
    }
    return widest;
}

/* The horizontal axes, between labels that are WIDEST and the other side. */
static void choose_sides(hk_plot_drawing *d, double widest) {
    const hk_plot_layout *layout = d->layout;
    bool labelled = false;
    for (size_t p = 0; p < layout->panel_count; p++)
        labelled = labelled || layout->panels[p].label;
    d->left = ceil(MARGIN + (labelled ? AXIS_LABEL : 0) + widest + TICK_GAP);
    d->width = fmax(d->width, d->left + PANEL_MIN + MARGIN + 8); /* whatever the labels need */
    d->right = d->width - MARGIN - 8;
    double over = 0;
    for (size_t p = 0; p < layout->panel_count; p++) {
        const hk_plot_panel *panel = &layout->panels[p];
        d->x[p] = over_axis(d, panel);
        /* Half of the last label is beyond the axis; items have their room within it. */
        if (!d->x[p].items)
            over = fmax(over, widest_label(d, &d->x[p]) / 2 - MARGIN - 6);
    }
    d->right -= ceil(over);
}

/* Sets the axes and what depends on them. */
static void arrange(hk_plot_drawing *d) {
    const hk_plot_layout *layout = d->layout;
    d->width = d->layout->plot->width ? d->layout->plot->width : 960;
    d->width = fmax(d->width, 240);
    d->x = HK_NEW_ARRAY(d->layout->arena, hk_axis, layout->panel_count);
    d->y = HK_NEW_ARRAY(d->layout->arena, hk_axis, layout->panel_count);
    d->places = HK_NEW_ARRAY(d->layout->arena, hk_plot_place, layout->panel_count);
    choose_heights(d);
    double widest = widest_of_all(d);
    choose_sides(d, widest);
    /* The same scale changes the labels, and they the width that the scale follows from. */
    for (int pass = 0; pass < 4 && d->layout->plot->over && d->layout->plot->equal; pass++) {
        choose_heights(d);
        choose_sides(d, widest);
        equalise(d);
        double now = widest_of_all(d);
        if (now <= widest)
            break;
        widest = now;
    }
}

hk_picture hk_plot_draw(const hk_plot *plot, hk_canvas *canvas) {
    hk_plot_layout layout;
    hk_plot_drawing drawing = {.canvas = canvas, .layout = &layout}, *d = &drawing;
    hk_plot_layout_init(&layout, hk_canvas_arena(canvas), plot);
    arrange(d);
    double y = MARGIN;
    if (plot->title && *plot->title) {
        hk_canvas_text_in(
            d->canvas,
            (hk_label){
                .x = d->left, .y = y + 14, .lettering = HK_LETTERS_HEADING, .words = plot->title},
            d->width - MARGIN - d->left);
        y += HEADING;
    }
    for (size_t p = 0; p < layout.panel_count; p++) {
        d->places[p].top =
            y + legend(d, p, y, false) * LEGEND_LINE + 6 + (p ? 0 : hk_marks_head(d));
        draw_panel(d, p, y);
        bool below = layout.own_overs || p + 1 == layout.panel_count;
        y = d->places[p].top + d->places[p].height + (below ? FOOT : PANEL_GAP);
        if (below)
            horizontal_ticks(d, p);
    }
    hk_marks_events(d);
    hk_marks_limits(d);
    double end = hk_marks_foot(d, y);
    return (hk_picture){.canvas = d->canvas,
                        .width = d->width,
                        .height = end,
                        .title = plot->title ? plot->title : "Plot"};
}
