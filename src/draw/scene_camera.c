/* SPDX-License-Identifier: MIT */
#include "draw/scene_camera.h"

#include <math.h>

enum { EDGES = 4 };
static const double MARGIN = 0.94; /* of the box that is used when all is to be seen */

hk_geo_vector3 hk_camera_see(const hk_camera *camera, hk_geo_vector3 place) {
    hk_geo_vector3 d = hk_geo_subtract(place, camera->eye);
    return hk_geo_vector(hk_geo_dot(d, camera->right), hk_geo_dot(d, camera->up),
                         hk_geo_dot(d, camera->ahead));
}

hk_spot hk_camera_spot(const hk_camera *camera, hk_geo_vector3 seen) {
    double zoom = camera->zoom;
    if (camera->perspective)
        zoom /= fmax(seen.z, HK_CAMERA_NEAR);
    return (hk_spot){camera->box.x + camera->box.w / 2 + zoom * seen.x,
                     camera->box.y + camera->box.h / 2 - zoom * seen.y, seen.z};
}

hk_spot hk_camera_project(const hk_camera *camera, hk_geo_vector3 place) {
    return hk_camera_spot(camera, hk_camera_see(camera, place));
}

static hk_geo_vector3 of_length_1(hk_geo_vector3 v) {
    return hk_geo_scale(1 / hk_geo_length(v), v);
}

void hk_camera_turn(hk_camera *camera, hk_geo_vector3 ahead) {
    HK_ASSERT(hk_geo_length(ahead) > 0);
    camera->ahead = of_length_1(ahead);
    hk_geo_vector3 right = hk_geo_cross(camera->ahead, hk_geo_vector(0, 0, 1));
    camera->right = hk_geo_length(right) > 1e-9 ? of_length_1(right) : hk_geo_vector(1, 0, 0);
    camera->up = hk_geo_cross(camera->right, camera->ahead);
}

void hk_camera_face(hk_camera *camera, hk_scene_view view) {
    camera->perspective = view == HK_VIEW_PERSPECTIVE;
    hk_camera_turn(camera, view == HK_VIEW_TOP     ? hk_geo_vector(0, 0, -1)
                           : view == HK_VIEW_FRONT ? hk_geo_vector(0, 1, 0)
                           : view == HK_VIEW_SIDE  ? hk_geo_vector(-1, 0, 0)
                                                   : hk_geo_vector(0.5, 0.75, -0.5));
}

/* The smallest and the largest of PLACES along x and y of the camera. */
static void find_range(const hk_camera *camera, const hk_geo_vector3 *places, size_t count,
                       double range[4]) {
    range[0] = range[2] = (double)INFINITY;
    range[1] = range[3] = -(double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        hk_geo_vector3 seen = hk_camera_see(camera, places[i]);
        range[0] = fmin(range[0], seen.x);
        range[1] = fmax(range[1], seen.x);
        range[2] = fmin(range[2], seen.y);
        range[3] = fmax(range[3], seen.y);
    }
}

static void fit_flat(hk_camera *camera, const hk_geo_vector3 *places, size_t count) {
    double r[4];
    find_range(camera, places, count, r);
    double wide = fmax(r[1] - r[0], 1e-6), high = fmax(r[3] - r[2], 1e-6);
    camera->zoom = MARGIN * fmin(camera->box.w / wide, camera->box.h / high);
    camera->eye = hk_geo_add(camera->eye, hk_geo_scale((r[0] + r[1]) / 2, camera->right));
    camera->eye = hk_geo_add(camera->eye, hk_geo_scale((r[2] + r[3]) / 2, camera->up));
}

/* A place (x, y, z) is seen from (p, q, s), where |x - p| <= t (z - s), and |y - q| <= u (z - s),
 * T and U being half of the box at the distance of 1. So p - t s is at least the largest x - t z,
 * and -p - t s the largest -x - t z: the sum of both says how far back the eye is at least. */
static void fit_deep(hk_camera *camera, const hk_geo_vector3 *places, size_t count) {
    double t = MARGIN * camera->box.w / 2 / camera->zoom;
    double u = MARGIN * camera->box.h / 2 / camera->zoom;
    double most[4] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        hk_geo_vector3 v = hk_camera_see(camera, places[i]);
        most[0] = fmax(most[0], v.x - t * v.z);
        most[1] = fmax(most[1], -v.x - t * v.z);
        most[2] = fmax(most[2], v.y - u * v.z);
        most[3] = fmax(most[3], -v.y - u * v.z);
        nearest = fmin(nearest, v.z);
    }
    double back = fmin(-(most[0] + most[1]) / (2 * t), -(most[2] + most[3]) / (2 * u));
    back = fmin(back, nearest - 10 * HK_CAMERA_NEAR);
    hk_geo_vector3 right = hk_geo_scale((most[0] - most[1]) / 2, camera->right);
    hk_geo_vector3 up = hk_geo_scale((most[2] - most[3]) / 2, camera->up);
    hk_geo_vector3 ahead = hk_geo_scale(back, camera->ahead);
    camera->eye = hk_geo_add(camera->eye, hk_geo_add(right, hk_geo_add(up, ahead)));
}

void hk_camera_fit(hk_camera *camera, const hk_geo_vector3 *places, size_t count, double angle) {
    static const hk_geo_vector3 origin[1] = {{0, 0, 0}};
    HK_ASSERT(camera->box.w > 0 && camera->box.h > 0);
    if (!count) {
        places = origin;
        count = 1;
    }
    if (camera->perspective) {
        camera->zoom = camera->box.w / 2 / tan(angle / 2);
        fit_deep(camera, places, count);
    } else {
        fit_flat(camera, places, count);
    }
}

double hk_camera_aspect(const hk_camera *camera, const hk_geo_vector3 *places, size_t count) {
    double r[4];
    if (!count)
        return 1;
    find_range(camera, places, count, r);
    return fmax(r[1] - r[0], 1e-6) / fmax(r[3] - r[2], 1e-6);
}

/* ---- what is outside ---- */

size_t hk_camera_clip_near(const hk_geo_vector3 *seen, size_t count, hk_geo_vector3 *result) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        hk_geo_vector3 a = seen[i], b = seen[(i + 1) % count];
        bool in = a.z >= HK_CAMERA_NEAR, next = b.z >= HK_CAMERA_NEAR;
        if (in)
            result[made++] = a;
        if (in != next && (count > 2 || i == 0)) {
            double part = (HK_CAMERA_NEAR - a.z) / (b.z - a.z);
            hk_geo_vector3 cut = hk_geo_add(a, hk_geo_scale(part, hk_geo_subtract(b, a)));
            cut.z = HK_CAMERA_NEAR;
            result[made++] = cut;
        }
    }
    return made;
}

/* How far inside of an edge of BOX a spot is: left, right, top, bottom. */
static double inside(hk_box box, int edge, const hk_spot *s) {
    return edge == 0   ? s->x - box.x
           : edge == 1 ? box.x + box.w - s->x
           : edge == 2 ? s->y - box.y
                       : box.y + box.h - s->y;
}

static hk_spot between(const hk_spot *a, const hk_spot *b, double part) {
    return (hk_spot){a->x + part * (b->x - a->x), a->y + part * (b->y - a->y),
                     a->depth + part * (b->depth - a->depth)};
}

static size_t clip_edge(hk_box box, int edge, const hk_spot *spots, size_t count, hk_spot *result) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const hk_spot *a = &spots[i], *b = &spots[(i + 1) % count];
        double from = inside(box, edge, a), to = inside(box, edge, b);
        if (from >= 0)
            result[made++] = *a;
        if ((from < 0) != (to < 0))
            result[made++] = between(a, b, from / (from - to));
    }
    return made;
}

size_t hk_clip_polygon(hk_box box, const hk_spot *spots, size_t count, hk_spot *result,
                       hk_spot *spare) {
    count = clip_edge(box, 0, spots, count, spare);
    count = clip_edge(box, 1, spare, count, result);
    count = clip_edge(box, 2, result, count, spare);
    return clip_edge(box, 3, spare, count, result);
}

bool hk_clip_line(hk_box box, hk_spot *a, hk_spot *b) {
    for (int edge = 0; edge < EDGES; edge++) {
        double from = inside(box, edge, a), to = inside(box, edge, b);
        if (from < 0 && to < 0)
            return false;
        hk_spot cut = (from < 0) != (to < 0) ? between(a, b, from / (from - to)) : *a;
        if (from < 0)
            *a = cut;
        else if (to < 0)
            *b = cut;
    }
    return true;
}
