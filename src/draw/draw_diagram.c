/* SPDX-License-Identifier: MIT */
#include "draw/draw_diagram.h"

#include "draw/diagram.h"

#include <math.h>

enum { WIDTH_MIN = 480, BELOW = 8 };

/* What pictures of modules have beside the common looks: boxes around others are pale, machines are
 * as the paper. */
static const char STYLE[] = ".outer{fill-opacity:.06}.rule{stroke-width:1;stroke-opacity:.4}"
                            ".panel{stroke:#8c959f;stroke-width:1}\n";

static hk_box inner(hk_box box, double x, double y) {
    return (hk_box){box.x + x, box.y + y, box.w - 2 * x, box.h - 2 * y};
}

static const char *tip_of(const hk_diagram *d, const hk_diagram_shape *s) {
    static const char *const words[] = {"module",    "platform",     "controller", "machine",
                                        "operation", "state",        "initial",    "final",
                                        "junction",  "probabilistic"};
    return s->count
               ? hk_canvas_print(d->canvas, "%s %s\nentered %s", words[s->kind], s->path, s->count)
               : hk_canvas_print(d->canvas, "%s %s", words[s->kind], s->path);
}

/* A line between the words of a state and the states in it. */
static void draw_rule(const hk_diagram *d, const hk_diagram_shape *s) {
    double y = s->box.y + hk_diagram_head(s);
    const char *look =
        s->kind == HK_DIAGRAM_STATE
            ? hk_canvas_print(d->canvas, "rule %s", hk_diagram_look(d, s->kind, true, s->seen))
            : "z";
    hk_canvas_line(d->canvas, s->box.x, y, s->box.x + s->box.w, y, look);
}

static void draw_shape(const hk_diagram *d, const hk_diagram_shape *s) {
    if (s->kind >= HK_DIAGRAM_INITIAL) {
        hk_diagram_draw_circle(d, s->kind, s->box, tip_of(d, s));
        return;
    }
    double radius = s->kind == HK_DIAGRAM_STATE ? 9 : 4;
    hk_canvas_rect(d->canvas, s->box, radius, hk_diagram_look(d, s->kind, s->children > 0, s->seen),
                   tip_of(d, s));
    if (s->children && s->words.count > 1)
        draw_rule(d, s);
    hk_diagram_put_lines(d, &s->words, inner(s->box, HK_DIAGRAM_PAD, HK_DIAGRAM_PAD), NULL);
    if (s->count)
        hk_canvas_text(d->canvas,
                       &(hk_label){.x = s->box.x + s->box.w - HK_DIAGRAM_PAD,
                                   .y = s->box.y + HK_DIAGRAM_PAD + HK_DIAGRAM_STRONG - 3,
                                   .anchor = HK_ANCHOR_END,
                                   .lettering = HK_LETTERS_STRONG,
                                   .words = s->count});
}

static void draw_arrow(const hk_diagram *d, const hk_diagram_arrow *a) {
    unsigned colour = !a->transition ? 6 : d->options->counts && a->seen ? 2 : 7;
    hk_arrow_draw(d->canvas, &a->edge,
                  (hk_arrow){.line = hk_canvas_print(d->canvas, "e c%u%s%s", colour,
                                                     a->look ? " " : "", a->look ? a->look : ""),
                             .head = hk_canvas_print(d->canvas, "f%u", colour),
                             .tip = a->tip});
}

/* An arrow passes through the words at BOX. */
static bool is_struck(const hk_diagram *d, hk_box box) {
    for (size_t i = 0; i < d->arrow_count; i++)
        if (hk_layout_edge_meets(&d->arrows[i].edge, box))
            return true;
    return false;
}

/* Over all arrows. */
static void draw_label(const hk_diagram *d, const hk_diagram_arrow *a) {
    const hk_layout_edge *e = &a->edge;
    if (!a->words.count)
        return;
    hk_box box = inner(
        (hk_box){e->label_x - e->label_w / 2, e->label_y - e->label_h / 2, e->label_w, e->label_h},
        4, 2);
    hk_diagram_put_lines(d, &a->words, box, is_struck(d, box) ? "halo" : NULL);
}

static hk_picture draw(const hk_diagram *d) {
    const hk_diagram_shape *module = &d->shapes[0];
    const char *title = d->options->title ? d->options->title : d->chart->name;
    double width = fmax(module->box.w + 2 * HK_DIAGRAM_MARGIN, WIDTH_MIN);
    hk_canvas_text_in(d->canvas,
                      (hk_label){.x = HK_DIAGRAM_MARGIN,
                                 .y = HK_DIAGRAM_MARGIN + 14,
                                 .lettering = HK_LETTERS_HEADING,
                                 .words = title},
                      width - 2 * HK_DIAGRAM_MARGIN);
    for (size_t i = 1; i < d->shape_count; i++)
        draw_shape(d, &d->shapes[i]);
    for (size_t i = 0; i < d->arrow_count; i++)
        draw_arrow(d, &d->arrows[i]);
    for (size_t i = 0; i < d->arrow_count; i++)
        draw_label(d, &d->arrows[i]);
    double y = hk_diagram_draw_legend(d, module->box.y + module->box.h + 14, width);
    return (hk_picture){
        .canvas = d->canvas, .width = width, .height = y + BELOW, .title = title, .style = STYLE};
}

static void finish(hk_diagram *d) {
    for (size_t i = 0; i < d->shape_count; i++)
        hk_free(d->shapes[i].words.all);
    for (size_t i = 0; i < d->arrow_count; i++)
        hk_free(d->arrows[i].words.all);
    hk_free(d->shapes);
    hk_free(d->arrows);
    hk_free(d->cut);
}

hk_picture hk_diagram_draw(hk_ctx *ctx, const hk_chart *chart, const hk_diagram_options *options,
                           hk_canvas *canvas) {
    hk_diagram d = {.chart = chart, .options = options, .canvas = canvas};
    hk_diagram_collect(&d);
    hk_picture picture = {.status = hk_diagram_place(ctx, &d), .canvas = canvas};
    if (picture.status == HK_OK)
        picture = draw(&d);
    finish(&d);
    return picture;
}
