/* SPDX-License-Identifier: MIT
 *
 * Everything that has a shape, as faces in the picture: turned, lit, cut at its edges, sorted. */
#include "draw/scene_drawing.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHADES = 24, TINTS = 24, CORNERS_AT_ONCE = 64 };
static const double STEEPER = 5;
static const double FAR = 1e12;     /* m */
static const double DARKEST = 0.58; /* of a colour, where no light falls */
static const double TRAIL_PX = 1.6; /* pieces of a trail are not shorter */
static const double HEAD_PX = 9;    /* of an arrow */
static const double EDGE = 0.72;    /* how dark the edges of boxes and walls are */

/* ---- looks ---- */

static uint32_t mix(uint32_t colour, double factor) {
    uint32_t result = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double part = (colour >> shift & 255) * factor;
        result |= (uint32_t)lround(fmin(255, fmax(0, part))) << shift;
    }
    return result;
}

static const char *hex(hk_arena *arena, uint32_t colour) {
    return hk_arena_printf(arena, "#%06x", colour);
}

/* Hundredths as CSS has them. */
static const char *hundredths(hk_arena *arena, double value) {
    int whole = (int)lround(100 * fmin(10, fmax(0, value)));
    return hk_arena_printf(arena, "%d.%02d", whole / 100, whole % 100);
}

/* The class of a rule, which is written down the first time. */
static const char *class_of(hk_scene_drawing *d, const char *rule) {
    uint32_t next = (uint32_t)d->looks.count;
    uint32_t found = hk_map_get(&d->looks, rule);
    if (found == HK_MAP_NONE) {
        found = next;
        hk_map_put(&d->looks, hk_arena_strdup(d->arena, rule), found);
        hk_svg_put(&d->css, hk_arena_printf(d->arena, ".q%u{%s}\n", found, rule));
    }
    return hk_arena_printf(d->arena, "q%u", found);
}

const char *hk_scene_look(hk_scene_drawing *d, uint32_t colour, double opacity, double width) {
    const char *text = hex(d->arena, colour);
    if (width > 0)
        return class_of(d, hk_arena_printf(d->arena,
                                           "fill:none;stroke:%s;stroke-width:%s;stroke-linecap:"
                                           "round;stroke-linejoin:round",
                                           text, hundredths(d->arena, width)));
    if (opacity < 0.995)
        return class_of(d, hk_arena_printf(d->arena, "fill:%s;fill-opacity:%s", text,
                                           hundredths(d->arena, opacity)));
    return class_of(d, hk_arena_printf(d->arena, "fill:%s;stroke:%s;stroke-width:.6", text, text));
}

static const char *edged_look(hk_scene_drawing *d, uint32_t colour) {
    return class_of(d, hk_arena_printf(d->arena,
                                       "fill:%s;stroke:%s;stroke-width:.8;stroke-linejoin:round",
                                       hex(d->arena, colour), hex(d->arena, mix(colour, EDGE))));
}

/* ---- collecting ---- */

/* What is drawn of a thing is part of the groups that it is in. */
static void extend(hk_scene_drawing *d, const hk_spot *spot) {
    for (size_t i = d->drawn; i != HK_SCENE_NOBODY; i = d->shot->scene->things[i].parent) {
        hk_box *e = &d->extents[i];
        double right = e->w < 0 ? spot->x : fmax(e->x + e->w, spot->x);
        double bottom = e->w < 0 ? spot->y : fmax(e->y + e->h, spot->y);
        e->x = e->w < 0 ? spot->x : fmin(e->x, spot->x);
        e->y = e->w < 0 ? spot->y : fmin(e->y, spot->y);
        e->w = right - e->x;
        e->h = bottom - e->y;
    }
}

static void add_face(hk_scene_drawing *d, hk_scene_layer layer, double depth, const hk_spot *spots,
                     size_t count, const char *look) {
    hk_scene_face face = {layer, depth, d->face_count, d->spot_count, count, look};
    for (size_t i = 0; i < count; i++) {
        HK_PUSH(d->spots, d->spot_count, d->spot_cap, spots[i]);
        extend(d, &spots[i]);
    }
    HK_PUSH(d->faces, d->face_count, d->face_cap, face);
}

/* On which side of the water a place is. */
static hk_scene_layer layer_of(const hk_scene_drawing *d, double height) {
    if (!d->has_water)
        return HK_LAYER_HERE;
    bool eye_above = d->camera.perspective ? d->camera.eye.z >= d->water : d->camera.ahead.z <= 0;
    return (height >= d->water) == eye_above ? HK_LAYER_HERE : HK_LAYER_BEYOND;
}

/* A thing on its way into the picture. */
typedef struct body {
    const hk_scene_thing *thing;
    const hk_scene_placed *placed;
    const hk_mesh *mesh;
    double opacity, low, high; /* of heights */
    hk_geo_vector3 *points;    /* upright */
    bool closed, drawable;     /* drawable: no point is too far away for a picture */
} body;

static hk_geo_vector3 to_upright(const hk_scene *scene, const hk_scene_placed *p,
                                 hk_geo_vector3 point) {
    return hk_scene_upright(scene, hk_geo_add(p->at, hk_geo_apply(&p->turn, point)));
}

static hk_geo_vector3 normal_of(const hk_geo_vector3 *corners, size_t count) {
    hk_geo_vector3 n = {0, 0, 0};
    for (size_t i = 0; i < count; i++)
        n = hk_geo_add(n, hk_geo_cross(hk_geo_subtract(corners[i], corners[0]),
                                       hk_geo_subtract(corners[(i + 1) % count], corners[0])));
    double length = hk_geo_length(n);
    return length > 0 ? hk_geo_scale(1 / length, n) : hk_geo_vector(0, 0, 1);
}

/* From 0 to 1: how light a face is that is seen. The light comes from above, over the left shoulder
 * of who looks north. */
static double light_on(hk_geo_vector3 normal) {
    static const hk_geo_vector3 light = {-0.42, -0.36, 0.833};
    return 0.5 + 0.5 * hk_geo_dot(normal, light);
}

/* The ground is rarely steep: its light is that of slopes STEEPER times as steep. */
static hk_geo_vector3 steepen(hk_geo_vector3 normal) {
    hk_geo_vector3 n = hk_geo_vector(STEEPER * normal.x, STEEPER * normal.y, normal.z);
    return hk_geo_scale(1 / hk_geo_length(n), n);
}

static uint32_t shade(const body *b, double light, double height) {
    double step = round(light * SHADES) / SHADES;
    double factor = DARKEST + (1.06 - DARKEST) * step;
    if (b->thing->kind == HK_SCENE_HEIGHTS && b->high > b->low)
        factor *= 0.82 + 0.26 * round(TINTS * (height - b->low) / (b->high - b->low)) / TINTS;
    if (b->thing->kind == HK_SCENE_WATER)
        factor = 1;
    return mix(b->thing->colour, factor);
}

static const char *look_of(hk_scene_drawing *d, const body *b, uint32_t colour) {
    bool edged = (b->thing->kind == HK_SCENE_BOX || b->thing->kind == HK_SCENE_OUTLINE) &&
                 b->opacity >= 0.995;
    return edged ? edged_look(d, colour) : hk_scene_look(d, colour, b->opacity, 0);
}

/* A polygon or line that is turned, into the picture. */
typedef struct cutting {
    hk_geo_vector3 *seen, *ahead;
    hk_spot *spots, *result, *spare;
} cutting;

static cutting cutting_for(hk_arena *arena, size_t count) {
    size_t most = 8 * count + 16;
    return (cutting){HK_NEW_ARRAY(arena, hk_geo_vector3, most),
                     HK_NEW_ARRAY(arena, hk_geo_vector3, most), HK_NEW_ARRAY(arena, hk_spot, most),
                     HK_NEW_ARRAY(arena, hk_spot, most), HK_NEW_ARRAY(arena, hk_spot, most)};
}

static size_t cut(const hk_scene_drawing *d, const cutting *c, size_t count) {
    const hk_geo_vector3 *seen = c->seen;
    bool line = count == 2;
    if (d->camera.perspective) {
        count = hk_camera_clip_near(c->seen, count, c->ahead);
        seen = c->ahead;
    }
    for (size_t i = 0; i < count; i++)
        c->spots[i] = hk_camera_spot(&d->camera, seen[i]);
    if (line) {
        if (count != 2 || !hk_clip_line(d->camera.box, &c->spots[0], &c->spots[1]))
            return 0;
        memcpy(c->result, c->spots, 2 * sizeof *c->result);
        return 2;
    }
    return count < 3 ? 0 : hk_clip_polygon(d->camera.box, c->spots, count, c->result, c->spare);
}

/* Its back is not seen. A thing that is mirrored by a scale has its faces the other way round. */
static bool is_closed(const body *b) {
    hk_scene_kind kind = b->thing->kind;
    const double(*m)[3] = b->placed->turn.m;
    double volume = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return (kind == HK_SCENE_BOX || kind == HK_SCENE_SPHERE || kind == HK_SCENE_CYLINDER) &&
           b->opacity >= 0.995 && volume > 0;
}

static void add_body_face(hk_scene_drawing *d, const body *b, size_t index, const cutting *c) {
    const uint32_t *corners = &b->mesh->corners[b->mesh->firsts[index]];
    size_t count = b->mesh->firsts[index + 1] - b->mesh->firsts[index];
    hk_geo_vector3 middle = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        c->ahead[i] = b->points[corners[i]];
        c->seen[i] = hk_camera_see(&d->camera, c->ahead[i]);
        middle = hk_geo_add(middle, hk_geo_scale(1 / (double)count, c->ahead[i]));
    }
    const hk_camera *camera = &d->camera;
    hk_geo_vector3 to_eye = camera->perspective ? hk_geo_subtract(camera->eye, middle)
                                                : hk_geo_scale(-1, camera->ahead);
    hk_geo_vector3 normal = normal_of(c->ahead, count);
    if (count > 2 && b->closed && hk_geo_dot(normal, to_eye) < 0)
        return;
    hk_scene_kind kind = b->thing->kind;
    bool ground = kind == HK_SCENE_HEIGHTS || kind == HK_SCENE_PLANE;
    hk_scene_layer layer = kind == HK_SCENE_WATER ? HK_LAYER_WATER
                           : ground               ? HK_LAYER_GROUND
                                                  : layer_of(d, middle.z);
    if (hk_geo_dot(normal, to_eye) < 0) /* it is seen from behind */
        normal = hk_geo_scale(-1, normal);
    if (kind == HK_SCENE_HEIGHTS)
        normal = steepen(normal);
    uint32_t colour = shade(b, light_on(normal), middle.z);
    const char *look =
        count == 2 ? hk_scene_look(d, b->thing->colour, 1, 1.8) : look_of(d, b, colour);
    double depth = camera->perspective ? hk_geo_length(to_eye) : hk_camera_see(camera, middle).z;
    size_t kept = cut(d, c, count);
    if (kept >= 2)
        add_face(d, layer, depth, c->result, kept, look);
}

static bool is_drawable(hk_geo_vector3 v) {
    return fabs(v.x) < FAR && fabs(v.y) < FAR && fabs(v.z) < FAR;
}

static void look_at_points(body *b) {
    b->low = (double)INFINITY;
    b->high = -(double)INFINITY;
    b->drawable = true;
    for (size_t i = 0; i < b->mesh->point_count; i++) {
        b->drawable = b->drawable && is_drawable(b->points[i]);
        b->low = fmin(b->low, b->points[i].z);
        b->high = fmax(b->high, b->points[i].z);
    }
}

static bool make_body(const hk_scene_shot *shot, hk_arena *arena, size_t index, body *ret_body) {
    const hk_scene_placed *placed = &shot->things[index];
    const hk_mesh *mesh = placed->there ? hk_scene_shape(arena, shot->scene, placed, index) : NULL;
    if (!mesh)
        return false;
    *ret_body = (body){.thing = &shot->scene->things[index],
                       .placed = placed,
                       .mesh = mesh,
                       .opacity = placed->numbers[HK_SCENE_N_OPACITY]};
    ret_body->points = HK_NEW_ARRAY(arena, hk_geo_vector3, mesh->point_count + 1);
    for (size_t i = 0; i < mesh->point_count; i++)
        ret_body->points[i] = to_upright(shot->scene, placed, mesh->points[i]);
    look_at_points(ret_body);
    ret_body->closed = is_closed(ret_body);
    return true;
}

static void add_body(hk_scene_drawing *d, size_t index) {
    body b;
    if (!make_body(d->shot, d->arena, index, &b))
        return;
    if (!b.drawable) {
        if (!d->noted[index])
            hk_note(d->ctx, hk_place_where(d->shot->scene->file, &b.thing->at),
                    "'%s' is left out: a part of it is farther away than 1e12 m", b.thing->name);
        d->noted[index] = true;
        return;
    }
    size_t most = CORNERS_AT_ONCE;
    for (size_t i = 0; i < b.mesh->face_count; i++) {
        size_t count = b.mesh->firsts[i + 1] - b.mesh->firsts[i];
        most = count > most ? count : most;
    }
    cutting c = cutting_for(d->arena, most);
    for (size_t i = 0; i < b.mesh->face_count; i++)
        add_body_face(d, &b, i, &c);
}

/* ---- lines ---- */

static void add_line(hk_scene_drawing *d, const cutting *c, hk_geo_vector3 a, hk_geo_vector3 b,
                     const char *look) {
    hk_geo_vector3 middle = hk_geo_scale(0.5, hk_geo_add(a, b));
    c->seen[0] = hk_camera_see(&d->camera, a);
    c->seen[1] = hk_camera_see(&d->camera, b);
    double depth = d->camera.perspective ? hk_geo_length(hk_geo_subtract(middle, d->camera.eye))
                                         : hk_camera_see(&d->camera, middle).z;
    if (cut(d, c, 2) == 2)
        add_face(d, layer_of(d, middle.z), depth, c->result, 2, look);
}

hk_geo_vector3 *hk_scene_trail(hk_arena *arena, const hk_scene_shot *shot, size_t trail,
                               size_t *ret_count) {
    const hk_scene *scene = shot->scene;
    const hk_scene_thing *thing = &scene->things[trail];
    size_t first = 0;
    *ret_count = 0;
    if (!scene->record || thing->of == HK_SCENE_NOBODY || !shot->things[trail].there)
        return NULL;
    if (thing->has[HK_SCENE_LAST])
        while (first < shot->row && scene->record->values[0][first] <
                                        shot->time - shot->things[trail].numbers[HK_SCENE_N_LAST])
            first++;
    hk_geo_vector3 *way = hk_scene_way(arena, scene, thing->of, first, shot->row);
    *ret_count = shot->row - first + 1;
    for (size_t i = 0; i < *ret_count; i++)
        way[i] = hk_scene_upright(scene, way[i]);
    return way;
}

static void add_trail(hk_scene_drawing *d, size_t index) {
    size_t count;
    const hk_geo_vector3 *way = hk_scene_trail(d->arena, d->shot, index, &count);
    const char *look = hk_scene_look(d, d->shot->scene->things[index].colour, 1, 1.6);
    cutting c = cutting_for(d->arena, 2);
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!is_drawable(way[i])) {
            last = SIZE_MAX;
            continue;
        }
        if (last == SIZE_MAX) {
            last = i;
            continue;
        }
        hk_spot a = hk_camera_project(&d->camera, way[last]);
        hk_spot b = hk_camera_project(&d->camera, way[i]);
        bool ends = i + 1 == count || !is_drawable(way[i + 1]);
        if (!ends && hypot(b.x - a.x, b.y - a.y) < TRAIL_PX)
            continue;
        add_line(d, &c, way[last], way[i], look);
        last = i;
    }
}

/* From where an arrow is, along its vector; false: it has no length. */
static bool arrow_ends(const hk_scene_shot *shot, size_t index, hk_geo_vector3 ends[2]) {
    const hk_scene_placed *p = &shot->things[index];
    const double *n = p->numbers;
    if (!p->there)
        return false;
    hk_geo_vector3 vector =
        hk_geo_vector(n[HK_SCENE_N_VECTOR], n[HK_SCENE_N_VECTOR + 1], n[HK_SCENE_N_VECTOR + 2]);
    vector = hk_geo_scale(n[HK_SCENE_N_SCALE], hk_geo_apply(&p->turn, vector));
    ends[0] = hk_scene_upright(shot->scene, p->at);
    ends[1] = hk_scene_upright(shot->scene, hk_geo_add(p->at, vector));
    return hk_geo_length(vector) > 0 && is_drawable(ends[0]) && is_drawable(ends[1]);
}

static void add_arrow(hk_scene_drawing *d, size_t index) {
    hk_geo_vector3 ends[2];
    uint32_t colour = d->shot->scene->things[index].colour;
    if (!arrow_ends(d->shot, index, ends))
        return;
    cutting c = cutting_for(d->arena, 4);
    size_t before = d->face_count;
    add_line(d, &c, ends[0], ends[1], hk_scene_look(d, colour, 1, 2.2));
    c.seen[0] = hk_camera_see(&d->camera, ends[0]);
    c.seen[1] = hk_camera_see(&d->camera, ends[1]);
    if (d->camera.perspective && (c.seen[0].z < HK_CAMERA_NEAR || c.seen[1].z < HK_CAMERA_NEAR))
        return;
    hk_spot a = hk_camera_spot(&d->camera, c.seen[0]), b = hk_camera_spot(&d->camera, c.seen[1]);
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (length < 1)
        return;
    double size = fmin(HEAD_PX, length);
    dx *= size / length;
    dy *= size / length;
    c.spots[0] = b;
    c.spots[1] = (hk_spot){b.x - dx - 0.45 * dy, b.y - dy + 0.45 * dx, b.depth};
    c.spots[2] = (hk_spot){b.x - dx + 0.45 * dy, b.y - dy - 0.45 * dx, b.depth};
    size_t kept = hk_clip_polygon(d->camera.box, c.spots, 3, c.result, c.spare);
    if (kept > 2 && d->face_count > before)
        add_face(d, layer_of(d, ends[1].z), d->faces[d->face_count - 1].depth, c.result, kept,
                 hk_scene_look(d, colour, 1, 0));
}

/* ---- all ---- */

static int by_depth(const void *a, const void *b) {
    const hk_scene_face *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void find_water(hk_scene_drawing *d) {
    d->has_water = false;
    for (size_t i = 0; i < d->shot->scene->count && !d->has_water; i++)
        if (d->shot->scene->things[i].kind == HK_SCENE_WATER && d->shot->things[i].there) {
            d->has_water = true;
            d->water = hk_scene_upright(d->shot->scene, d->shot->things[i].at).z;
        }
}

static void put_faces(hk_scene_drawing *d) {
    for (size_t i = 0; i < d->face_count; i++) {
        const hk_scene_face *face = &d->faces[i];
        hk_canvas_path(d->canvas, face->look, NULL);
        for (size_t k = 0; k < face->count; k++) {
            const hk_spot *s = &d->spots[face->first + k];
            if (k)
                hk_canvas_to(d->canvas, s->x, s->y);
            else
                hk_canvas_move(d->canvas, s->x, s->y);
        }
        if (face->count > 2)
            hk_canvas_close(d->canvas);
    }
}

void hk_scene_paint(hk_scene_drawing *d) {
    d->spot_count = d->face_count = 0;
    find_water(d);
    for (size_t i = 0; i < d->shot->scene->count; i++)
        d->extents[i] = (hk_box){.w = -1};
    for (size_t i = 0; i < d->shot->scene->count; i++) {
        hk_scene_kind kind = d->shot->scene->things[i].kind;
        d->drawn = i;
        if (kind == HK_SCENE_TRAIL)
            add_trail(d, i);
        else if (kind == HK_SCENE_ARROW)
            add_arrow(d, i);
        else
            add_body(d, i);
    }
    if (d->face_count)
        qsort(d->faces, d->face_count, sizeof *d->faces, by_depth);
    put_faces(d);
}

void hk_scene_places(hk_arena *arena, const hk_scene_shot *shot, hk_places *places) {
    for (size_t i = 0; i < shot->scene->count; i++) {
        hk_geo_vector3 ends[2], *way;
        size_t count = 0;
        body b;
        if (make_body(shot, arena, i, &b)) {
            for (size_t k = 0; b.drawable && k < b.mesh->point_count; k++)
                HK_PUSH(places->all, places->count, places->cap, b.points[k]);
        } else if (shot->scene->things[i].kind == HK_SCENE_ARROW && arrow_ends(shot, i, ends)) {
            HK_PUSH(places->all, places->count, places->cap, ends[0]);
            HK_PUSH(places->all, places->count, places->cap, ends[1]);
        } else if (shot->scene->things[i].kind == HK_SCENE_TRAIL) {
            way = hk_scene_trail(arena, shot, i, &count);
            for (size_t k = 0; k < count; k++)
                if (is_drawable(way[k]))
                    HK_PUSH(places->all, places->count, places->cap, way[k]);
        }
    }
}
