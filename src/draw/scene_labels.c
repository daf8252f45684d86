/* SPDX-License-Identifier: MIT
 *
 * Words in the picture of a scene: labels that keep clear of each other, axes, scale. */
#include "draw/scene_drawing.h"

#include <math.h>
#include <string.h>

static const double AXIS_PX = 30, AXIS_ROOM = 46, CORNER = 12, CLEAR_PX = 360, LEADER_PX = 16;

/* ---- labels ---- */

/* What a label keeps clear of: the thing that it is of, as it is in the picture, or a dot; not all
 * of a thing that fills the picture. */
static hk_box keep_clear(const hk_scene_drawing *d, size_t index, const hk_spot *spot) {
    size_t of = d->shot->scene->things[index].of;
    hk_box box = {spot->x - 3, spot->y - 3, 6, 6};
    if (of == HK_SCENE_NOBODY || d->extents[of].w < 0 || d->extents[of].w > CLEAR_PX ||
        d->extents[of].h > CLEAR_PX)
        return box;
    return d->extents[of];
}

/* A label may be to the right of what it is of, to the left, above, below, and ever farther. */
static bool find_room(const hk_scene_drawing *d, hk_label *label, hk_box clear) {
    static const struct {
        int x, y;
        hk_anchor anchor;
    } ways[] = {{1, -1, HK_ANCHOR_START}, {1, 1, HK_ANCHOR_START},   {-1, -1, HK_ANCHOR_END},
                {-1, 1, HK_ANCHOR_END},   {0, -1, HK_ANCHOR_MIDDLE}, {0, 1, HK_ANCHOR_MIDDLE}};
    hk_font font = hk_lettering_font(label->lettering);
    for (double off = 5; off < 120; off *= 1.5)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            double side = ways[i].x ? 0.35 : 1; /* beside it, a label may be lower than its edge */
            label->x = clear.x + clear.w / 2 + ways[i].x * (clear.w / 2 + off);
            label->y = clear.y + clear.h / 2 + ways[i].y * side * (clear.h / 2 + off) +
                       (ways[i].y > 0 ? hk_font_above(font) : 0);
            label->anchor = ways[i].anchor;
            hk_box box = hk_label_box(label);
            if (hk_box_inside(box, d->camera.box) && hk_canvas_is_free(d->canvas, box))
                return true;
        }
    return false;
}

static double nearest(double value, double from, double length) {
    return fmin(fmax(value, from), from + length);
}

/* A line from what a label is of to the label, if that had to go far. */
static void put_leader(hk_scene_drawing *d, const hk_label *label, hk_box clear) {
    hk_box box = hk_label_box(label);
    double x = nearest(clear.x + clear.w / 2, box.x, box.w);
    double y = nearest(clear.y + clear.h / 2, box.y, box.h);
    double from_x = nearest(x, clear.x, clear.w), from_y = nearest(y, clear.y, clear.h);
    if (hypot(x - from_x, y - from_y) > LEADER_PX)
        hk_canvas_line(d->canvas, from_x, from_y, x, y, "a");
}

static void put_label(hk_scene_drawing *d, size_t index) {
    const hk_scene_placed *placed = &d->shot->things[index];
    const char *words = hk_scene_words(d->arena, d->shot->scene, placed, index);
    hk_geo_vector3 seen = hk_camera_see(&d->camera, hk_scene_upright(d->shot->scene, placed->at));
    if (!*words || (d->camera.perspective && seen.z < HK_CAMERA_NEAR))
        return;
    hk_spot spot = hk_camera_spot(&d->camera, seen);
    hk_box box = d->camera.box;
    if (!(spot.x >= box.x && spot.x <= box.x + box.w && spot.y >= box.y && spot.y <= box.y + box.h))
        return;
    hk_label label = {.words = words, .lettering = HK_LETTERS_STRONG, .look = "halo"};
    hk_box clear = keep_clear(d, index, &spot);
    if (!find_room(d, &label, clear)) {
        d->unlabelled =
            hk_arena_printf(d->arena, "%s%s'%s'", d->unlabelled, *d->unlabelled ? ", " : "",
                            d->shot->scene->things[index].name);
        return;
    }
    put_leader(d, &label, clear);
    hk_canvas_text(d->canvas, &label);
}

void hk_scene_put_labels(hk_scene_drawing *d) {
    for (size_t i = 0; i < d->shot->scene->count; i++)
        if (d->shot->scene->things[i].kind == HK_SCENE_LABEL && d->shot->things[i].there)
            put_label(d, i);
}

/* ---- axes ---- */

static void put_axis(hk_scene_drawing *d, hk_geo_vector3 axis, const char *words) {
    const hk_camera *camera = &d->camera;
    double x = camera->box.x + CORNER + AXIS_ROOM / 2 + 14;
    double y = camera->box.y + camera->box.h - CORNER - AXIS_ROOM / 2 - 6;
    double dx = AXIS_PX * hk_geo_dot(axis, camera->right);
    double dy = -AXIS_PX * hk_geo_dot(axis, camera->up), length = hypot(dx, dy);
    if (length < 0.25 * AXIS_PX)
        return;
    double ux = dx / length, uy = dy / length;
    hk_canvas_line(d->canvas, x, y, x + dx, y + dy, "w");
    hk_canvas_path(d->canvas, "t", NULL);
    hk_canvas_move(d->canvas, x + dx + 5 * ux, y + dy + 5 * uy);
    hk_canvas_to(d->canvas, x + dx - 3 * uy, y + dy + 3 * ux);
    hk_canvas_to(d->canvas, x + dx + 3 * uy, y + dy - 3 * ux);
    hk_canvas_close(d->canvas);
    hk_font font = hk_lettering_font(HK_LETTERS_SMALL);
    double wide = hk_lettering_pixels(HK_LETTERS_SMALL, words) / 2;
    double off = 7 + fabs(ux) * wide + fabs(uy) * 5;
    hk_label label = {.x = x + dx + off * ux,
                      .y = y + dy + off * uy + hk_font_above(font) * 0.36,
                      .anchor = HK_ANCHOR_MIDDLE,
                      .lettering = HK_LETTERS_SMALL,
                      .words = words,
                      .look = "halo"};
    if (hk_canvas_is_free(d->canvas, hk_label_box(&label)))
        hk_canvas_text(d->canvas, &label);
}

/* 1, 2 or 5 times a power of ten, at most MOST. */
static double round_length(double most) {
    double power = pow(10, floor(log10(most)));
    double digit = most / power;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

static const char *length_words(hk_arena *arena, double metres) {
    const char *unit = metres >= 1000 ? "km" : metres >= 1 ? "m" : metres >= 0.01 ? "cm" : "mm";
    double value = metres >= 1000   ? metres / 1000
                   : metres >= 1    ? metres
                   : metres >= 0.01 ? metres * 100
                                    : metres * 1000;
    if (value >= 1 && value < 1e9)
        return hk_arena_printf(arena, "%lld %s", llround(value), unit);
    return hk_arena_printf(arena, "%.0e m", metres);
}

static void put_scale(hk_scene_drawing *d) {
    const hk_box *box = &d->camera.box;
    double metres = round_length(0.25 * box->w / d->camera.zoom);
    double length = metres * d->camera.zoom;
    double x = box->x + box->w - CORNER - length, y = box->y + box->h - CORNER - 4;
    const char *words = length_words(d->arena, metres);
    hk_canvas_path(d->canvas, "w", NULL);
    hk_canvas_move(d->canvas, x, y - 4);
    hk_canvas_to(d->canvas, x, y);
    hk_canvas_to(d->canvas, x + length, y);
    hk_canvas_to(d->canvas, x + length, y - 4);
    hk_label label = {.x = x + length / 2,
                      .y = y - 6,
                      .anchor = HK_ANCHOR_MIDDLE,
                      .lettering = HK_LETTERS_SMALL,
                      .words = words,
                      .look = "halo"};
    hk_canvas_text(d->canvas, &label);
}

void hk_scene_put_axes(hk_scene_drawing *d) {
    bool local = d->shot->scene->frame == HK_SCENE_LOCAL;
    put_axis(d, hk_geo_vector(1, 0, 0), local ? "x" : "E");
    put_axis(d, hk_geo_vector(0, 1, 0), local ? "y" : "N");
    put_axis(d, hk_geo_vector(0, 0, 1), local ? "z" : "up");
    if (!d->camera.perspective)
        put_scale(d);
}
