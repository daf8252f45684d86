/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "draw/plot.h"
#include "draw/plot_layout.h"
#include "draw/svg.h"

#include <math.h>
#include <string.h>

enum { DASHES = 4 };

typedef struct drawing {
    hk_svg out;
    const hk_plot_layout *layout;
    const char *title;
    int64_t width, left, right; /* pixels: of all, and where the panels begin and end */
    int64_t panel_height;
    hk_axis x;
    hk_axis *y; /* one for each panel */
} drawing;

enum {
    MARGIN = 16,
    LEGEND_LINE = 20,
    LEGEND_SWATCH = 20, /* and the space after it */
    LEGEND_GAP = 18,
    PANEL_GAP = 14,
    FOOT = 46 /* labels and title of the time axis */
};

/* About what a text of the legend needs; fonts differ. */
static int64_t text_pixels(const char *words) {
    return (int64_t)(hk_text_width(words) * 13 / 2);
}

/* The legend of panel P, from (left, y) on; with WRITE false only measures. Returns its lines. */
static int64_t legend(drawing *d, size_t p, int64_t y, bool write) {
    int64_t x = d->left, lines = 1;
    for (size_t i = 0; i < d->layout->signal_count; i++) {
        const hk_plot_signal *signal = &d->layout->signals[i];
        if (signal->panel != p)
            continue;
        int64_t needed = LEGEND_SWATCH + 6 + text_pixels(signal->label);
        if (x > d->left && x + needed > d->right) {
            x = d->left;
            lines++;
        }
        if (write) {
            int64_t line = y + (lines - 1) * LEGEND_LINE + 10;
            HK_SVG_PUT(&d->out, "<path class=\"s c# d#\" style=\"stroke-width:2.4\" d=\"M# #h#\"/>",
                       (int64_t)(i % HK_SVG_COLOURS), (int64_t)(i / HK_SVG_COLOURS % DASHES), x + 2,
                       line, LEGEND_SWATCH - 4);
            HK_SVG_PUT(&d->out, "<text x=\"#\" y=\"#\">", x + LEGEND_SWATCH + 4, line + 4);
            hk_svg_escaped(&d->out, signal->label);
            hk_svg_put(&d->out, "</text>\n");
        }
        x += needed + LEGEND_GAP;
    }
    return lines;
}

/* A tick's label, with a proper minus sign. */
static void put_label(hk_svg *t, const hk_axis *axis, int64_t k) {
    char buffer[HK_TICK_TEXT];
    for (const char *c = hk_axis_label(axis, k, buffer); *c; c++)
        hk_svg_bytes(t, *c == '-' ? "\u2212" : c, *c == '-' ? strlen("\u2212") : 1);
}

static int64_t label_width(const hk_axis *axis) {
    char buffer[HK_TICK_TEXT];
    size_t widest = hk_text_width(hk_axis_scale_text(axis, false, buffer));
    for (int64_t k = axis->first; k <= axis->last; k++) {
        size_t width = strlen(hk_axis_label(axis, k, buffer));
        widest = width > widest ? width : widest;
    }
    return (int64_t)(widest * 13 / 2);
}

static int64_t place_x(const drawing *d, double place) {
    return 10 * d->left + (int64_t)llround(place * (double)(10 * (d->right - d->left)));
}

typedef struct pen {
    hk_svg *out;
    const drawing *drawing;
    int64_t top;  /* of the panel, in tenths */
    int64_t x, y; /* last point, in tenths */
    bool alone;   /* it is the first one of its part of the curve */
} pen;

static void lift(pen *p) {
    if (p->alone)
        hk_svg_put(p->out, "h0"); /* a dot */
    p->alone = false;
}

static void pen_to(void *user, double place, double value_place, bool move) {
    pen *p = user;
    int64_t x = place_x(p->drawing, place);
    int64_t y =
        p->top + (int64_t)llround((1 - value_place) * (double)(10 * p->drawing->panel_height));
    if (move)
        lift(p);
    else if (x == p->x && y == p->y)
        return;
    hk_svg_put(p->out, move ? "M" : y == p->y ? "H" : x == p->x ? "V" : "L");
    if (move || x != p->x)
        hk_svg_tenths(p->out, x);
    if (move || (x != p->x && y != p->y))
        hk_svg_put(p->out, " ");
    if (move || y != p->y)
        hk_svg_tenths(p->out, y);
    p->x = x;
    p->y = y;
    p->alone = move;
}

static void panel_grid(drawing *d, size_t p, int64_t top) {
    hk_svg *t = &d->out;
    const hk_axis *y = &d->y[p];
    for (int64_t k = d->x.first; k <= d->x.last; k++) {
        hk_svg_put(t, "<path class=\"g\" d=\"M");
        hk_svg_tenths(t, place_x(d, hk_axis_place(&d->x, hk_axis_tick(&d->x, k))));
        HK_SVG_PUT(t, " #v#\"/>\n", top, d->panel_height);
    }
    for (int64_t k = y->first; k <= y->last; k++) {
        double place = hk_axis_place(y, hk_axis_tick(y, k));
        int64_t at = 10 * top + (int64_t)llround((1 - place) * (double)(10 * d->panel_height));
        hk_svg_put(t, k ? "<path class=\"g\" d=\"M" : "<path class=\"z\" d=\"M");
        HK_SVG_PUT(t, "# ", d->left);
        hk_svg_tenths(t, at);
        HK_SVG_PUT(t, "H#\"/><text class=\"k\" text-anchor=\"end\" x=\"#\" y=\"", d->right,
                   d->left - 8);
        hk_svg_tenths(t, at + 40);
        hk_svg_put(t, "\">");
        put_label(t, y, k);
        hk_svg_put(t, "</text>\n");
    }
    HK_SVG_PUT(t, "<path class=\"a\" d=\"M# #v#H#\"/>\n", d->left, top, d->panel_height, d->right);
}

static void panel(drawing *d, size_t p, int64_t y, int64_t top) {
    hk_svg *t = &d->out;
    hk_svg_put(t, "<g>\n");
    legend(d, p, y, true);
    char scale[HK_TICK_TEXT];
    if (*hk_axis_scale_text(&d->y[p], false, scale)) {
        HK_SVG_PUT(t, "<text class=\"k\" text-anchor=\"end\" x=\"#\" y=\"#\">", d->left - 8,
                   top - 8);
        hk_svg_put(t, scale);
        hk_svg_put(t, "</text>\n");
    }
    panel_grid(d, p, top);
    for (size_t i = 0; i < d->layout->signal_count; i++) {
        const hk_plot_signal *signal = &d->layout->signals[i];
        if (signal->panel != p || signal->lo > signal->hi)
            continue;
        HK_SVG_PUT(t, "<path class=\"s c# d#\" d=\"", (int64_t)(i % HK_SVG_COLOURS),
                   (int64_t)(i / HK_SVG_COLOURS % DASHES));
        pen draw = {.out = t, .drawing = d, .top = 10 * top};
        hk_plot_trace(d->layout, signal, &d->x, &d->y[p], (size_t)(d->right - d->left), pen_to,
                      &draw);
        lift(&draw);
        hk_svg_put(t, "\"/>\n");
    }
    hk_svg_put(t, "</g>\n");
}

static void time_axis(drawing *d, int64_t bottom) {
    hk_svg *t = &d->out;
    for (int64_t k = d->x.first; k <= d->x.last; k++) {
        int64_t x = place_x(d, hk_axis_place(&d->x, hk_axis_tick(&d->x, k)));
        hk_svg_put(t, "<path class=\"a\" d=\"M");
        hk_svg_tenths(t, x);
        HK_SVG_PUT(t, " #v4\"/><text class=\"k\" text-anchor=\"middle\" x=\"", bottom);
        hk_svg_tenths(t, x);
        HK_SVG_PUT(t, "\" y=\"#\">", bottom + 18);
        put_label(t, &d->x, k);
        hk_svg_put(t, "</text>\n");
    }
    char scale[HK_TICK_TEXT];
    HK_SVG_PUT(t, "<text text-anchor=\"middle\" x=\"#\" y=\"#\">", (d->left + d->right) / 2,
               bottom + 36);
    hk_svg_escaped(t, d->layout->over_label);
    if (*hk_axis_scale_text(&d->x, false, scale)) {
        hk_svg_put(t, " ");
        hk_svg_put(t, scale);
    }
    hk_svg_put(t, "</text>\n");
}

static int64_t default_height(size_t panels) {
    return panels == 1 ? 400 : panels == 2 ? 240 : panels <= 4 ? 180 : 140;
}

/* The same scale on both axes. FREE: the height is not given and follows from the ranges, within
 * what fits a page. */
static void equalise(drawing *d, bool free, int ticks) {
    hk_axis *x = &d->x, *y = &d->y[0];
    int64_t width = d->right - d->left;
    if (free) {
        double height = (double)width * (y->hi - y->lo) / (x->hi - x->lo);
        d->panel_height = height < 200 ? 200 : height > 800 ? 800 : (int64_t)llround(height);
    }
    hk_plot_equalise((double)width, (double)d->panel_height, &x->lo, &x->hi, &y->lo, &y->hi);
    *x = hk_axis_make(x->lo, x->hi, ticks, false);
    *y = hk_axis_make(y->lo, y->hi, (int)(d->panel_height / 50 + 1), false);
}

/* Sets the axes and what depends on them; returns the height of the whole. */
static int64_t arrange(drawing *d, hk_arena *arena, const hk_plot_options *options) {
    const hk_plot_layout *layout = d->layout;
    d->width = options->width ? options->width : 960;
    d->width = d->width < 240 ? 240 : d->width;
    d->panel_height = options->height ? options->height : default_height(layout->panel_count);
    d->panel_height = d->panel_height < 40 ? 40 : d->panel_height;
    d->y = HK_NEW_ARRAY(arena, hk_axis, layout->panel_count);
    int64_t widest = 0;
    for (size_t p = 0; p < layout->panel_count; p++) {
        d->y[p] = hk_axis_make(layout->panels[p].lo, layout->panels[p].hi,
                               (int)(d->panel_height / 50 + 1), true);
        int64_t width = label_width(&d->y[p]);
        widest = width > widest ? width : widest;
    }
    d->left = MARGIN + widest + 8;
    d->right = d->width - MARGIN - 8;
    int ticks = (int)((d->right - d->left) / 85);
    d->x = hk_axis_make(layout->over_lo, layout->over_hi, ticks, layout->over_signals);
    if (layout->equal)
        equalise(d, !options->height, ticks);
    int64_t height = MARGIN + (d->title ? 30 : 0) + FOOT;
    for (size_t p = 0; p < layout->panel_count; p++)
        height += legend(d, p, 0, false) * LEGEND_LINE + 6 + d->panel_height + PANEL_GAP;
    return height - PANEL_GAP;
}

static void draw(drawing *d, int64_t height) {
    hk_svg *t = &d->out;
    HK_SVG_PUT(t,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"#\" height=\"#\" "
               "viewBox=\"0 0 # #\" role=\"img\">\n",
               d->width, height, d->width, height);
    hk_svg_put(t, "<title>");
    hk_svg_escaped(t, d->title ? d->title : "Plot");
    hk_svg_put(t, "</title>\n");
    hk_svg_put(t, "<style>\n");
    hk_svg_put(t, hk_svg_style);
    hk_svg_put(t, "</style>\n");
    HK_SVG_PUT(t, "<rect class=\"bg\" width=\"#\" height=\"#\"/>\n", d->width, height);
    int64_t y = MARGIN;
    if (d->title) {
        HK_SVG_PUT(t, "<text class=\"h\" x=\"#\" y=\"#\">", d->left, y + 14);
        hk_svg_escaped(t, d->title);
        hk_svg_put(t, "</text>\n");
        y += 30;
    }
    for (size_t p = 0; p < d->layout->panel_count; p++) {
        int64_t top = y + legend(d, p, y, false) * LEGEND_LINE + 6;
        panel(d, p, y, top);
        y = top + d->panel_height + PANEL_GAP;
    }
    time_axis(d, y - PANEL_GAP);
    hk_svg_put(t, "</svg>\n");
}

hk_status hk_plot_svg(hk_ctx *ctx, const hk_table *table, const size_t *columns, size_t count,
                      const hk_plot_options *options, const char *path) {
    static const hk_plot_options defaults;
    if (!options)
        options = &defaults;
    hk_arena *arena = hk_arena_create();
    hk_plot_layout layout;
    hk_plot_layout_init(&layout, arena, table, columns, count, options);
    drawing d = {.layout = &layout, .title = options->title};
    draw(&d, arrange(&d, arena, options));
    hk_status status = hk_file_write(ctx, path, d.out.data, d.out.size);
    hk_free(d.out.data);
    hk_arena_destroy(arena);
    return status;
}
