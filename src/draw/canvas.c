/* SPDX-License-Identifier: MIT */
#include "draw/canvas.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef enum shape_kind {
    SHAPE_RECT,
    SHAPE_PATH,
    SHAPE_TEXT,
    SHAPE_GROUP,
    SHAPE_GROUP_END
} shape_kind;

/* One step of a path: M moves, L draws a line, C is followed by two more points, Z closes. */
typedef struct step {
    char op;
    double x, y;
} step;

typedef struct shape {
    shape_kind kind;
    hk_box box;
    double radius;
    const char *look, *tip;
    size_t first, count; /* steps of a path */
    hk_label label;
} shape;

struct hk_canvas {
    hk_arena *arena;
    shape *shapes;
    size_t shape_count, shape_cap;
    step *steps;
    size_t step_count, step_cap;
    hk_text_box *texts;
    size_t text_count, text_cap;
};

static const struct {
    hk_font font;
    const char *look;
} letterings[HK_LETTERING_COUNT] = {
    [HK_LETTERS_PLAIN] = {{12, false}, NULL},  [HK_LETTERS_HEADING] = {{16, true}, "h"},
    [HK_LETTERS_SMALL] = {{11, false}, "k"},   [HK_LETTERS_STRONG] = {{12, true}, "l"},
    [HK_LETTERS_TINY] = {{10, false}, "tiny"},
};

hk_font hk_lettering_font(hk_lettering lettering) {
    HK_ASSERT(lettering < HK_LETTERING_COUNT);
    return letterings[lettering].font;
}

double hk_lettering_pixels(hk_lettering lettering, const char *words) {
    return hk_text_pixels(hk_lettering_font(lettering), words);
}

bool hk_box_overlap(hk_box a, hk_box b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

bool hk_box_inside(hk_box inner, hk_box outer) {
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w &&
           inner.y + inner.h <= outer.y + outer.h;
}

hk_canvas *hk_canvas_create(void) {
    hk_arena *arena = hk_arena_create();
    hk_canvas *canvas = HK_NEW(arena, hk_canvas);
    *canvas = (hk_canvas){.arena = arena};
    return canvas;
}

void hk_canvas_destroy(hk_canvas *canvas) {
    if (!canvas)
        return;
    hk_free(canvas->shapes);
    hk_free(canvas->steps);
    hk_free(canvas->texts);
    hk_arena_destroy(canvas->arena); /* it lives in it */
}

hk_arena *hk_canvas_arena(const hk_canvas *canvas) {
    return canvas->arena;
}

const char *hk_canvas_print(const hk_canvas *canvas, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(canvas->arena, format, args);
    va_end(args);
    return text;
}

static shape *add(hk_canvas *canvas, shape_kind kind, const char *look, const char *tip) {
    shape s = {.kind = kind,
               .look = hk_arena_strdup(canvas->arena, look),
               .tip = hk_arena_strdup(canvas->arena, tip),
               .first = canvas->step_count};
    HK_PUSH(canvas->shapes, canvas->shape_count, canvas->shape_cap, s);
    return &canvas->shapes[canvas->shape_count - 1];
}

void hk_canvas_rect(hk_canvas *canvas, hk_box box, double radius, const char *look,
                    const char *tip) {
    shape *s = add(canvas, SHAPE_RECT, look, tip);
    s->box = box;
    s->radius = radius;
}

void hk_canvas_path(hk_canvas *canvas, const char *look, const char *tip) {
    (void)add(canvas, SHAPE_PATH, look, tip);
}

static void add_step(hk_canvas *canvas, char op, double x, double y) {
    HK_ASSERT(canvas->shape_count);
    shape *s = &canvas->shapes[canvas->shape_count - 1];
    HK_ASSERT(s->kind == SHAPE_PATH && (s->count || op == 'M'));
    HK_ASSERT(isfinite(x) && isfinite(y));
    step next = {op, x, y};
    HK_PUSH(canvas->steps, canvas->step_count, canvas->step_cap, next);
    s->count++;
}

void hk_canvas_move(hk_canvas *canvas, double x, double y) {
    add_step(canvas, 'M', x, y);
}

void hk_canvas_to(hk_canvas *canvas, double x, double y) {
    add_step(canvas, 'L', x, y);
}

void hk_canvas_curve(hk_canvas *canvas, const double control[4], double x, double y) {
    add_step(canvas, 'C', control[0], control[1]);
    add_step(canvas, 'C', control[2], control[3]);
    add_step(canvas, 'C', x, y);
}

void hk_canvas_close(hk_canvas *canvas) {
    add_step(canvas, 'Z', 0, 0);
}

void hk_canvas_line(hk_canvas *canvas, double x1, double y1, double x2, double y2,
                    const char *look) {
    hk_canvas_path(canvas, look, NULL);
    hk_canvas_move(canvas, x1, y1);
    hk_canvas_to(canvas, x2, y2);
}

void hk_canvas_group(hk_canvas *canvas) {
    (void)add(canvas, SHAPE_GROUP, NULL, NULL);
}

void hk_canvas_group_end(hk_canvas *canvas) {
    (void)add(canvas, SHAPE_GROUP_END, NULL, NULL);
}

hk_box hk_label_box(const hk_label *label) {
    hk_font font = hk_lettering_font(label->lettering);
    double length = hk_text_pixels(font, label->words);
    double before = label->anchor == HK_ANCHOR_START    ? 0
                    : label->anchor == HK_ANCHOR_MIDDLE ? length / 2
                                                        : length;
    double above = hk_font_above(font), thick = above + hk_font_below(font);
    if (label->upright) /* its beginning is at the bottom */
        return (hk_box){label->x - above, label->y - (length - before), thick, length};
    return (hk_box){label->x - before, label->y - above, length, thick};
}

void hk_canvas_text(hk_canvas *canvas, const hk_label *label) {
    HK_ASSERT(label->words && *label->words);
    shape *s = add(canvas, SHAPE_TEXT, label->look, label->whole);
    s->label = *label;
    s->label.words = hk_arena_strdup(canvas->arena, label->words);
    hk_text_box text = {hk_label_box(label), s->label.words};
    HK_PUSH(canvas->texts, canvas->text_count, canvas->text_cap, text);
}

void hk_canvas_text_in(hk_canvas *canvas, hk_label label, double room) {
    const char *whole = label.words;
    label.words = hk_text_shorten(canvas->arena, hk_lettering_font(label.lettering), whole, room);
    label.whole = label.words == whole ? NULL : whole;
    if (*label.words)
        hk_canvas_text(canvas, &label);
}

double hk_canvas_text_wrapped(hk_canvas *canvas, hk_label label, double room, double line) {
    hk_font font = hk_lettering_font(label.lettering);
    for (const char *words = label.words; *words; label.y += line) {
        size_t length = hk_text_fitting(canvas->arena, font, words, room);
        label.words = hk_arena_strndup(canvas->arena, words, length);
        hk_canvas_text_in(canvas, label, room);
        words += length + strspn(words + length, " ");
    }
    return label.y;
}

bool hk_canvas_is_free(const hk_canvas *canvas, hk_box box) {
    for (size_t i = 0; i < canvas->text_count; i++)
        if (hk_box_overlap(canvas->texts[i].box, box))
            return false;
    return true;
}

const hk_text_box *hk_canvas_texts(const hk_canvas *canvas, size_t *ret_count) {
    *ret_count = canvas->text_count;
    return canvas->texts;
}

/* ---- SVG ---- */

static int64_t tenths(double pixels) {
    return (int64_t)llround(10 * pixels);
}

static void put_number(hk_svg *t, const char *name, double pixels) {
    hk_svg_put(t, " ");
    hk_svg_put(t, name);
    hk_svg_put(t, "=\"");
    hk_svg_tenths(t, tenths(pixels));
    hk_svg_put(t, "\"");
}

static void put_look(hk_svg *t, const char *first, const char *look) {
    if (!first && !look)
        return;
    hk_svg_put(t, " class=\"");
    hk_svg_put(t, first ? first : "");
    hk_svg_put(t, first && look ? " " : "");
    hk_svg_put(t, look ? look : "");
    hk_svg_put(t, "\"");
}

static void put_tip(hk_svg *t, const char *tip) {
    if (!tip)
        return;
    hk_svg_put(t, "<title>");
    hk_svg_lines(t, tip);
    hk_svg_put(t, "</title>");
}

static void put_end(hk_svg *t, const char *element, const char *tip) {
    if (!tip) {
        hk_svg_put(t, "/>\n");
        return;
    }
    hk_svg_put(t, ">");
    put_tip(t, tip);
    hk_svg_put(t, "</");
    hk_svg_put(t, element);
    hk_svg_put(t, ">\n");
}

static void put_rect(hk_svg *t, const shape *s) {
    hk_svg_put(t, "<rect");
    put_look(t, NULL, s->look);
    if (s->radius > 0)
        put_number(t, "rx", s->radius);
    put_number(t, "x", s->box.x);
    put_number(t, "y", s->box.y);
    put_number(t, "width", s->box.w);
    put_number(t, "height", s->box.h);
    put_end(t, "rect", s->tip);
}

/* Where the pen is, in tenths, and whether a part has its first point only. */
typedef struct pen {
    int64_t x, y;
    bool alone;
} pen;

static void put_point(hk_svg *t, pen *p, char op, int64_t x, int64_t y) {
    if (op == 'L' && x == p->x && y == p->y)
        return;
    bool flat = op == 'L' && y == p->y, steep = op == 'L' && x == p->x;
    hk_svg_put(t, flat ? "H" : steep ? "V" : op == 'M' ? "M" : "L");
    if (!steep)
        hk_svg_tenths(t, x);
    if (!steep && !flat)
        hk_svg_put(t, " ");
    if (!flat)
        hk_svg_tenths(t, y);
    *p = (pen){x, y, op == 'M'};
}

static void put_curve(hk_svg *t, pen *p, const step *steps) {
    hk_svg_put(t, "C");
    for (size_t i = 0; i < 3; i++) {
        hk_svg_put(t, i ? " " : "");
        hk_svg_tenths(t, tenths(steps[i].x));
        hk_svg_put(t, " ");
        hk_svg_tenths(t, tenths(steps[i].y));
    }
    *p = (pen){tenths(steps[2].x), tenths(steps[2].y), false};
}

static void put_path(hk_svg *t, const hk_canvas *canvas, const shape *s) {
    pen p = {0};
    hk_svg_put(t, "<path");
    put_look(t, NULL, s->look);
    hk_svg_put(t, " d=\"");
    for (size_t i = s->first; i < s->first + s->count; i++) {
        const step *next = &canvas->steps[i];
        if (next->op == 'M' && p.alone)
            hk_svg_put(t, "h0"); /* a dot */
        if (next->op == 'Z')
            hk_svg_put(t, "z");
        else if (next->op == 'C')
            put_curve(t, &p, next);
        else
            put_point(t, &p, next->op, tenths(next->x), tenths(next->y));
        i += next->op == 'C' ? 2 : 0;
    }
    hk_svg_put(t, p.alone ? "h0\"" : "\"");
    put_end(t, "path", s->tip);
}

static void put_text(hk_svg *t, const shape *s) {
    const hk_label *label = &s->label;
    static const char *const anchors[] = {NULL, "middle", "end"};
    hk_svg_put(t, "<text");
    put_look(t, letterings[label->lettering].look, s->look);
    if (anchors[label->anchor]) {
        hk_svg_put(t, " text-anchor=\"");
        hk_svg_put(t, anchors[label->anchor]);
        hk_svg_put(t, "\"");
    }
    put_number(t, "x", label->x);
    put_number(t, "y", label->y);
    if (label->upright) {
        hk_svg_put(t, " transform=\"rotate(-90 ");
        hk_svg_tenths(t, tenths(label->x));
        hk_svg_put(t, " ");
        hk_svg_tenths(t, tenths(label->y));
        hk_svg_put(t, ")\"");
    }
    hk_svg_put(t, ">");
    put_tip(t, s->tip);
    hk_svg_escaped(t, label->words);
    hk_svg_put(t, "</text>\n");
}

static void put_shape(hk_svg *t, const hk_canvas *canvas, const shape *s) {
    switch (s->kind) {
    case SHAPE_RECT:
        put_rect(t, s);
        break;
    case SHAPE_PATH:
        if (s->count)
            put_path(t, canvas, s);
        break;
    case SHAPE_TEXT:
        put_text(t, s);
        break;
    case SHAPE_GROUP:
        hk_svg_put(t, "<g>\n");
        break;
    case SHAPE_GROUP_END:
        hk_svg_put(t, "</g>\n");
        break;
    }
}

hk_svg hk_picture_svg(const hk_picture *picture) {
    const hk_canvas *canvas = picture->canvas;
    hk_svg text = {0}, *t = &text;
    int64_t width = (int64_t)ceil(picture->width), height = (int64_t)ceil(picture->height);
    HK_SVG_PUT(t,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"#\" height=\"#\" "
               "viewBox=\"0 0 # #\" role=\"img\">\n",
               width, height, width, height);
    put_tip(t, picture->title);
    hk_svg_put(t, "\n<style>\n");
    hk_svg_put(t, hk_svg_style);
    hk_svg_put(t, picture->style ? picture->style : "");
    if (!picture->light_only)
        hk_svg_put(t, hk_svg_dark);
    HK_SVG_PUT(t, "</style>\n<rect class=\"bg\" width=\"#\" height=\"#\"/>\n", width, height);
    for (size_t i = 0; i < canvas->shape_count; i++)
        put_shape(t, canvas, &canvas->shapes[i]);
    hk_svg_put(t, "</svg>\n");
    return text;
}
