/* SPDX-License-Identifier: MIT
 *
 * A page with one moment of a scene, or with several. */
#include "draw/draw_scene.h"

#include "base/number.h"
#include "draw/scene_drawing.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 960, COLUMNS_MAX = 3, EDGE_PX = 16, TITLE_PX = 34, CAPTION_PX = 20, GAP_PX = 10 };
static const double ASPECT = 16.0 / 9, TALLEST = 0.8, FLATTEST = 0.3;

static const char *const view_words[HK_VIEWS] = {"in perspective", "from above", "from the side",
                                                 "from the front"};

/* Where the moments are on the page. */
typedef struct page {
    double width, height, panel_w, panel_h;
    size_t columns;
} page;

/* ---- the camera ---- */

static hk_geo_vector3 vector_at(const double *n) {
    return hk_geo_vector(n[0], n[1], n[2]);
}

/* What a camera looks at; false: nothing is said, or it is not there. */
static bool find_target(const hk_scene_drawing *d, size_t camera, hk_geo_vector3 *ret_target) {
    const hk_scene_thing *thing = &d->shot->scene->things[camera];
    const hk_scene_placed *placed = &d->shot->things[camera];
    bool of = thing->of != HK_SCENE_NOBODY && d->shot->things[thing->of].there;
    if (of)
        *ret_target = hk_scene_upright(d->shot->scene, d->shot->things[thing->of].at);
    else if (thing->has[HK_SCENE_LOOK] && thing->of == HK_SCENE_NOBODY && placed->there)
        *ret_target =
            hk_scene_upright(d->shot->scene, vector_at(placed->numbers + HK_SCENE_N_LOOK));
    else
        return false;
    return true;
}

/* With perspective: from its place to what it looks at, or as near as its width says. */
static bool aim(hk_scene_drawing *d, size_t index, hk_geo_vector3 target) {
    const hk_scene_thing *thing = &d->shot->scene->things[index];
    const hk_scene_placed *placed = &d->shot->things[index];
    hk_camera *camera = &d->camera;
    camera->zoom = camera->box.w / 2 / tan(placed->numbers[HK_SCENE_N_ANGLE] / 2);
    if (thing->has[HK_SCENE_AT]) {
        hk_geo_vector3 at =
            hk_scene_upright(d->shot->scene, vector_at(placed->numbers + HK_SCENE_N_AT));
        camera->eye = thing->follows ? hk_geo_add(target, at) : at;
        hk_geo_vector3 ahead = hk_geo_subtract(target, camera->eye);
        if (!(hk_geo_length(ahead) > 1e-9))
            return false;
        hk_camera_turn(camera, ahead);
        return true;
    }
    if (!thing->has[HK_SCENE_WIDTH])
        return false;
    double distance = placed->numbers[HK_SCENE_N_WIDTH] * camera->zoom / camera->box.w;
    camera->eye = hk_geo_subtract(target, hk_geo_scale(distance, camera->ahead));
    return distance > HK_CAMERA_NEAR;
}

static bool centre(hk_scene_drawing *d, size_t index, hk_geo_vector3 target) {
    const hk_scene_thing *thing = &d->shot->scene->things[index];
    double width = d->shot->things[index].numbers[HK_SCENE_N_WIDTH];
    if (!thing->has[HK_SCENE_WIDTH] || !(width > 0))
        return false;
    d->camera.zoom = d->camera.box.w / width;
    d->camera.eye = target;
    return true;
}

static hk_scene_view view_of(const hk_scene_drawing *d) {
    size_t camera = d->wish->camera;
    return camera == HK_SCENE_NOBODY ? d->wish->view : d->shot->scene->things[camera].view;
}

static void set_camera(hk_scene_drawing *d, const hk_places *places, hk_box box) {
    size_t index = d->wish->camera;
    hk_geo_vector3 target = {0, 0, 0};
    double angle = hk_geo_radians(40);
    d->camera = (hk_camera){.box = box};
    hk_camera_face(&d->camera, view_of(d));
    bool done = false;
    if (index != HK_SCENE_NOBODY && d->shot->things[index].there) {
        const hk_scene_thing *thing = &d->shot->scene->things[index];
        angle = d->shot->things[index].numbers[HK_SCENE_N_ANGLE];
        bool at = thing->has[HK_SCENE_AT] && !d->camera.perspective;
        bool found = find_target(d, index, &target);
        if (!found && at)
            target = hk_scene_upright(d->shot->scene,
                                      vector_at(d->shot->things[index].numbers + HK_SCENE_N_AT));
        if (found || at)
            done = d->camera.perspective ? aim(d, index, target) : centre(d, index, target);
    }
    if (!done)
        hk_camera_fit(&d->camera, places->all, places->count, angle);
}

/* ---- the page ---- */

static page lay_out(const hk_scene_drawing *d, const hk_places *places) {
    const hk_scene_picture *wish = d->wish;
    page p = {.width = wish->width ? wish->width : WIDTH};
    p.columns = wish->row_count < COLUMNS_MAX ? wish->row_count : COLUMNS_MAX;
    if (wish->row_count == 4)
        p.columns = 2;
    p.panel_w = (p.width - 2 * EDGE_PX - (double)(p.columns - 1) * GAP_PX) / (double)p.columns;
    p.panel_h = p.panel_w / ASPECT;
    hk_camera camera = {.box = {0, 0, 1, 1}};
    hk_camera_face(&camera, view_of(d));
    if (!camera.perspective && places->count)
        p.panel_h = p.panel_w / hk_camera_aspect(&camera, places->all, places->count);
    p.panel_h = fmin(fmax(p.panel_h, FLATTEST * p.panel_w), TALLEST * p.panel_w);
    if (wish->height)
        p.panel_h = wish->height;
    size_t rows = (wish->row_count + p.columns - 1) / p.columns;
    p.height = TITLE_PX + (double)rows * (p.panel_h + CAPTION_PX + GAP_PX) + EDGE_PX;
    return p;
}

static const char *show_time(hk_arena *arena, double time) {
    char digits[HK_NUMBER_MAX];
    double rounded = fabs(time) < 1e9 ? round(time * 1e6) / 1e6 : time;
    return hk_arena_strndup(arena, digits, hk_write_f64(rounded, digits));
}

static void put_moment(hk_scene_drawing *d, const page *p, size_t index, const hk_places *places) {
    size_t row = index / p->columns, column = index % p->columns;
    double x = EDGE_PX + (double)column * (p->panel_w + GAP_PX);
    double y = TITLE_PX + (double)row * (p->panel_h + CAPTION_PX + GAP_PX);
    hk_box box = {x, y + CAPTION_PX, p->panel_w, p->panel_h};
    set_camera(d, places, box);
    hk_canvas_group(d->canvas);
    hk_canvas_rect(d->canvas, box, 0, "sky", NULL);
    hk_scene_paint(d);
    hk_canvas_rect(d->canvas, box, 0, "pane", NULL);
    size_t camera = d->wish->camera;
    const char *seen =
        camera == HK_SCENE_NOBODY
            ? view_words[d->wish->view]
            : hk_arena_printf(d->arena, "camera %s", d->shot->scene->things[camera].name);
    const char *words =
        d->shot->scene->record
            ? hk_arena_printf(d->arena, "t = %s s%s%s", show_time(d->arena, d->shot->time),
                              index ? "" : ", ", index ? "" : seen)
            : seen;
    hk_canvas_text_in(
        d->canvas,
        (hk_label){.x = x, .y = y + CAPTION_PX - 6, .words = words, .lettering = HK_LETTERS_SMALL},
        p->panel_w);
    hk_scene_put_axes(d);
    hk_scene_put_labels(d);
    hk_canvas_group_end(d->canvas);
}

static void note_labels(hk_scene_drawing *d) {
    if (*d->unlabelled)
        hk_note(d->ctx, (hk_where){.file = d->shot->scene->file},
                "labels are left out, because there is no room for them: %s", d->unlabelled);
}

static const char *style_of(hk_scene_drawing *d, hk_canvas *canvas) {
    static const char own[] = ".sky{fill:#eef3f8}.pane{fill:none;stroke:#b6bec7;stroke-width:1}\n";
    hk_svg_put(&d->css, own);
    const char *style = hk_arena_strndup(hk_canvas_arena(canvas), d->css.data, d->css.size);
    hk_free(d->css.data);
    return style;
}

hk_picture hk_scene_draw(hk_ctx *ctx, const hk_scene *scene, const hk_scene_picture *wish,
                         hk_canvas *canvas) {
    hk_arena *arena = hk_arena_create();
    hk_scene_drawing d = {
        .ctx = ctx, .arena = arena, .canvas = canvas, .wish = wish, .unlabelled = ""};
    HK_ASSERT(wish->row_count);
    hk_scene_shot **shots = HK_NEW_ARRAY(arena, hk_scene_shot *, wish->row_count);
    hk_places places = {0};
    d.extents = HK_NEW_ARRAY(arena, hk_box, scene->count + 1);
    d.noted = HK_NEW_ARRAY(arena, bool, scene->count + 1);
    for (size_t i = 0; i < wish->row_count; i++) {
        shots[i] = hk_scene_take(arena, scene, wish->rows[i]);
        hk_scene_note_missing(ctx, arena, shots[i], d.noted);
        hk_scene_places(arena, shots[i], &places);
    }
    d.shot = shots[0];
    page p = lay_out(&d, &places);
    const char *title = wish->title ? wish->title : scene->name;
    if (*title)
        hk_canvas_text_in(
            canvas,
            (hk_label){
                .x = EDGE_PX, .y = TITLE_PX - 8, .words = title, .lettering = HK_LETTERS_HEADING},
            p.width - 2 * EDGE_PX);
    for (size_t i = 0; i < wish->row_count; i++) {
        d.shot = shots[i];
        put_moment(&d, &p, i, &places);
    }
    note_labels(&d);
    hk_picture picture = {.canvas = canvas,
                          .width = p.width,
                          .height = p.height,
                          .title = hk_arena_strdup(hk_canvas_arena(canvas), title),
                          .style = style_of(&d, canvas),
                          .light_only = true};
    hk_free(places.all);
    hk_free(d.spots);
    hk_free(d.faces);
    hk_map_finish(&d.looks);
    hk_arena_destroy(arena);
    return picture;
}
