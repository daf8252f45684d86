/* SPDX-License-Identifier: MIT
 *
 * The looks of a diagram, and below it what they mean. */
#include "draw/diagram.h"

#include <inttypes.h>

enum { LINE = 16, SAMPLE = 12, APART = 18 };

const char *hk_diagram_look(const hk_diagram *d, hk_diagram_kind kind, bool outer, bool seen) {
    if (kind != HK_DIAGRAM_STATE)
        return kind == HK_DIAGRAM_PLATFORM     ? "b c6 f6 outer"
               : kind == HK_DIAGRAM_CONTROLLER ? "nest"
                                               : "bg panel";
    unsigned colour = !d->options->counts ? 0 : seen ? 2 : 7;
    return hk_canvas_print(d->canvas, "b c%u f%u%s", colour, colour, outer ? " outer" : "");
}

static hk_box shrunk(hk_box box, double by) {
    return (hk_box){box.x + by, box.y + by, box.w - 2 * by, box.h - 2 * by};
}

void hk_diagram_draw_circle(const hk_diagram *d, hk_diagram_kind kind, hk_box box,
                            const char *tip) {
    switch (kind) {
    case HK_DIAGRAM_FINAL:
        hk_canvas_rect(d->canvas, shrunk(box, 1), box.w / 2 - 1, "w", tip);
        hk_canvas_rect(d->canvas, shrunk(box, 4), box.w / 2 - 4, "t", tip);
        break;
    case HK_DIAGRAM_PROBABILISTIC:
        hk_canvas_rect(d->canvas, shrunk(box, 0.5), box.w / 2 - 0.5, "w", tip);
        hk_canvas_text(d->canvas, &(hk_label){.x = box.x + box.w / 2,
                                              .y = box.y + box.h / 2 + 3.5,
                                              .anchor = HK_ANCHOR_MIDDLE,
                                              .lettering = HK_LETTERS_TINY,
                                              .words = "P"});
        break;
    case HK_DIAGRAM_JUNCTION:
        hk_canvas_rect(d->canvas, shrunk(box, 1), box.w / 2 - 1, "junction w", tip);
        break;
    default:
        hk_canvas_rect(d->canvas, shrunk(box, 1), box.w / 2 - 1, "t", tip);
    }
}

/* ---- below it ---- */

/* Where the next sample goes. */
typedef struct row {
    double x, y, width;
} row;

/* The box of the next sample, which has WORDS behind it. */
static hk_box next_sample(const hk_diagram *d, row *r, double width, const char *words) {
    double needed = width + 6 + hk_lettering_pixels(HK_LETTERS_SMALL, words);
    if (r->x > HK_DIAGRAM_MARGIN && r->x + needed > r->width - HK_DIAGRAM_MARGIN) {
        r->x = HK_DIAGRAM_MARGIN;
        r->y += LINE + 2;
    }
    hk_box box = {r->x, r->y, width, SAMPLE};
    hk_canvas_text(d->canvas, &(hk_label){.x = r->x + width + 6,
                                          .y = r->y + 10,
                                          .lettering = HK_LETTERS_SMALL,
                                          .words = words});
    r->x += needed + APART;
    return box;
}

static bool has(const hk_diagram *d, hk_diagram_kind kind) {
    for (size_t i = 0; i < d->shape_count; i++)
        if (d->shapes[i].kind == kind)
            return true;
    return false;
}

static void draw_signs(const hk_diagram *d, row *r) {
    static const struct {
        hk_diagram_kind kind;
        const char *words;
    } signs[] = {{HK_DIAGRAM_INITIAL, "begin"},
                 {HK_DIAGRAM_FINAL, "end"},
                 {HK_DIAGRAM_JUNCTION, "junction"},
                 {HK_DIAGRAM_PROBABILISTIC, "a draw, with the probability p of each way"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (has(d, signs[i].kind)) {
            hk_box box = next_sample(d, r, SAMPLE, signs[i].words);
            hk_diagram_draw_circle(d, signs[i].kind, box, NULL);
        }
}

static void draw_colours(const hk_diagram *d, row *r) {
    if (!d->options->counts)
        return;
    for (int seen = 1; seen >= 0; seen--) {
        hk_box box = next_sample(d, r, SAMPLE + 6, seen ? "entered" : "not entered");
        hk_canvas_rect(d->canvas, box, 4, hk_diagram_look(d, HK_DIAGRAM_STATE, false, seen), NULL);
    }
    for (int seen = 1; seen >= 0; seen--) {
        hk_box box = next_sample(d, r, 2 * SAMPLE, seen ? "taken" : "not taken");
        hk_canvas_line(d->canvas, box.x, box.y + box.h / 2, box.x + box.w, box.y + box.h / 2,
                       seen ? "e c2" : "e c7 d1");
    }
}

/* "Run out.csv: 5 of 6 states entered, 8 of 11 transitions taken." */
static const char *summary(const hk_diagram *d) {
    size_t states = 0, entered = 0, transitions = 0, taken = 0;
    for (size_t i = 0; i < d->shape_count; i++) {
        states += d->shapes[i].kind == HK_DIAGRAM_STATE;
        entered += d->shapes[i].kind == HK_DIAGRAM_STATE && d->shapes[i].seen;
    }
    for (size_t i = 0; i < d->arrow_count; i++) {
        transitions += d->arrows[i].transition;
        taken += d->arrows[i].transition && d->arrows[i].seen;
    }
    return hk_canvas_print(d->canvas,
                           "Run %s: %zu of %zu states entered, %zu of %zu transitions taken. With "
                           "\u00d7: how often.",
                           d->options->counts->record, entered, states, taken, transitions);
}

double hk_diagram_draw_legend(const hk_diagram *d, double y, double width) {
    row r = {HK_DIAGRAM_MARGIN, y, width};
    double room = width - 2 * HK_DIAGRAM_MARGIN;
    draw_signs(d, &r);
    draw_colours(d, &r);
    hk_label label = {.x = HK_DIAGRAM_MARGIN, .y = r.y + LINE + 12, .lettering = HK_LETTERS_SMALL};
    if (d->options->counts) {
        label.words = summary(d);
        label.y = hk_canvas_text_wrapped(d->canvas, label, room, LINE);
    }
    for (size_t i = 0; i < d->cut_count; i++) {
        label.words = hk_canvas_print(d->canvas, "(%zu) %s", i + 1, d->cut[i]);
        label.y = hk_canvas_text_wrapped(d->canvas, label, room, LINE);
    }
    return label.y - 11;
}
