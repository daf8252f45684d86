/* SPDX-License-Identifier: MIT */
#include "draw/architecture.h"

#include <math.h>

enum { HEADING = 34, WIDTH_MIN = 480 };

/* Boxes of the architecture are on white, and their lines thin. */
static const char STYLE[] = ".rule{stroke-width:1;stroke-opacity:.45;fill:none}"
                            ".again{stroke-dasharray:4 3;fill-opacity:.08}\n";

static void draw_lines(const hk_architecture *a, const hk_architecture_box *b, const char *look) {
    for (size_t i = 0; i < b->line_count; i++) {
        const hk_architecture_line *l = &b->lines[i];
        double y = b->box.y + l->y, pad = HK_ARCHITECTURE_PAD;
        if (l->ruled) {
            double rule = y - hk_font_above(hk_lettering_font(l->lettering)) - 4;
            hk_canvas_line(a->canvas, b->box.x, rule, b->box.x + b->box.w, rule,
                           hk_canvas_print(a->canvas, "rule %s", look));
        }
        hk_canvas_text_in(a->canvas,
                          (hk_label){.x = b->box.x + (l->centred ? b->box.w / 2 : pad),
                                     .y = y,
                                     .anchor = l->centred ? HK_ANCHOR_MIDDLE : HK_ANCHOR_START,
                                     .lettering = l->lettering,
                                     .words = l->words},
                          b->box.w - 2 * pad);
    }
}

static void draw_box(const hk_architecture *a, const hk_architecture_box *b) {
    const hk_profile_block *block = &a->profile->blocks[b->block];
    const char *look = hk_profile_look(hk_canvas_arena(a->canvas), block);
    const char *tip = block->fmu ? hk_canvas_print(a->canvas, "%s runs %s", block->name, block->fmu)
                                 : block->name;
    hk_canvas_group(a->canvas);
    hk_canvas_rect(a->canvas, b->box, 3,
                   b->again ? hk_canvas_print(a->canvas, "%s again", look) : look,
                   b->again ? "shown in another place" : tip);
    draw_lines(a, b, look);
    hk_canvas_group_end(a->canvas);
    if (b->role)
        hk_canvas_text_in(a->canvas,
                          (hk_label){.x = b->box.x + b->box.w / 2 + 5,
                                     .y = b->box.y - 6,
                                     .lettering = HK_LETTERS_TINY,
                                     .words = b->role},
                          hk_architecture_role_width(b) + 1);
}

/* Composition: a diamond at the whole. */
static void draw_diamond(const hk_architecture *a, const hk_architecture_box *b) {
    double x = b->box.x + b->box.w / 2, y = b->box.y + b->box.h;
    hk_canvas_path(a->canvas, "t", NULL);
    hk_canvas_move(a->canvas, x, y);
    hk_canvas_to(a->canvas, x + 4.5, y + 7);
    hk_canvas_to(a->canvas, x, y + 14);
    hk_canvas_to(a->canvas, x - 4.5, y + 7);
    hk_canvas_close(a->canvas);
}

hk_picture hk_architecture_draw(hk_architecture *a, const char *title) {
    double margin = HK_ARCHITECTURE_MARGIN;
    hk_architecture_collect(a);
    hk_architecture_place(a, margin, margin + HEADING);
    double width = fmax(a->width + margin, WIDTH_MIN);
    hk_canvas_text_in(
        a->canvas,
        (hk_label){.x = margin, .y = margin + 14, .lettering = HK_LETTERS_HEADING, .words = title},
        width - 2 * margin);
    for (size_t i = 0; i < a->stroke_count; i++) {
        const hk_architecture_stroke *s = &a->strokes[i];
        hk_canvas_line(a->canvas, s->x1, s->y1, s->x2, s->y2, "w");
    }
    for (size_t i = 0; i < a->box_count; i++) {
        draw_box(a, &a->boxes[i]);
        if (a->boxes[i].first != SIZE_MAX)
            draw_diamond(a, &a->boxes[i]);
    }
    double y = hk_profile_draw_legend(a->canvas, a->profile, a->height + 22);
    return (hk_picture){
        .canvas = a->canvas, .width = width, .height = y, .title = title, .style = STYLE};
}

void hk_architecture_finish(hk_architecture *a) {
    for (size_t i = 0; i < a->box_count; i++)
        hk_free(a->boxes[i].lines);
    hk_free(a->boxes);
    hk_free(a->strokes);
}

hk_status hk_architecture_write(hk_ctx *ctx, const hk_multimodel *profile, const char *title,
                                const char *path) {
    hk_canvas *canvas = hk_canvas_create();
    hk_architecture a = {.profile = profile, .canvas = canvas};
    hk_picture picture = hk_architecture_draw(&a, title ? title : profile->package);
    hk_architecture_finish(&a);
    return hk_picture_write(ctx, picture, path);
}
