/* SPDX-License-Identifier: MIT
 *
 * A scene in one row of its record: where everything is. */
#include "scene/scene_internal.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { WATER_PARTS = 1, PLANE_PARTS = 12, SHOWN_DIGITS = 4 };

static double value_of(const hk_scene_number *n, size_t row) {
    if (!n->signal)
        return n->offset;
    if (!n->column)
        return (double)NAN;
    return n->scale * (n->factor * n->column[row] + n->shift) + n->offset;
}

static hk_geo_vector3 vector_at(const double *n) {
    return hk_geo_vector(n[0], n[1], n[2]);
}

/* Along a vector; false: it has no length. */
static bool turn_along(hk_geo_vector3 v, hk_geo_matrix3 *ret_turn) {
    double level = hypot(v.x, v.y);
    if (!(hk_geo_length(v) > 1e-9))
        return false;
    *ret_turn = hk_geo_matrix_of_euler(
        (hk_geo_euler){0, -hk_atan2(v.z, level), level > 0 ? hk_atan2(v.y, v.x) : 0});
    return true;
}

/* The attitude of a thing in its parent; false: it has none, as its quaternion has no length. */
static bool turn_of(const hk_scene_thing *thing, const double *n, hk_geo_matrix3 *ret_turn) {
    const double *t = n + HK_SCENE_N_TURN;
    *ret_turn = hk_geo_identity();
    if (thing->turn == HK_TURN_ANGLES)
        *ret_turn = hk_geo_matrix_of_euler((hk_geo_euler){t[0], t[1], t[2]});
    if (thing->turn == HK_TURN_DIRECTION)
        return turn_along(vector_at(t), ret_turn);
    if (thing->turn != HK_TURN_QUATERNION)
        return true;
    double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + t[3] * t[3]);
    if (!(length > 1e-9) || !isfinite(length))
        return false;
    hk_geo_quaternion q = {t[0] / length, t[1] / length, t[2] / length, t[3] / length};
    *ret_turn = hk_geo_matrix_of_quaternion(q);
    return true;
}

/* In the axes of its parent. */
static void place_alone(const hk_scene_thing *thing, size_t row, hk_scene_placed *p) {
    p->there = true;
    for (size_t i = 0; i < HK_SCENE_NUMBERS; i++) {
        p->numbers[i] = value_of(&thing->numbers[i], row);
        if (p->there && !isfinite(p->numbers[i])) {
            p->there = false;
            p->missing = &thing->numbers[i];
        }
    }
    p->at = vector_at(p->numbers + HK_SCENE_N_AT);
    if (p->there && !turn_of(thing, p->numbers, &p->turn)) {
        p->there = false;
        p->missing = &thing->numbers[HK_SCENE_N_TURN];
    }
    for (int i = 0; p->there && thing->kind != HK_SCENE_ARROW && i < 3; i++)
        for (int k = 0; k < 3; k++)
            p->turn.m[i][k] *= p->numbers[HK_SCENE_N_SCALE + k];
}

static void join(const hk_scene_placed *parent, hk_scene_placed *p) {
    if (!parent->there) {
        p->there = false;
        p->missing = NULL; /* it is told of the parent */
    }
    if (!p->there)
        return;
    p->at = hk_geo_add(parent->at, hk_geo_apply(&parent->turn, p->at));
    p->turn = hk_geo_multiply(&parent->turn, &p->turn);
    bool finite = isfinite(p->at.x) && isfinite(p->at.y) && isfinite(p->at.z);
    p->there = finite;
}

/* Labels and arrows of a thing are where that is, in the axes of the scene. */
static void attach(const hk_scene_thing *thing, const hk_scene_placed *of, hk_scene_placed *p) {
    if (!of->there) {
        p->there = false;
        p->missing = NULL;
    }
    if (p->there)
        p->at = hk_geo_add(of->at, p->at);
    (void)thing;
}

hk_scene_shot *hk_scene_take(hk_arena *arena, const hk_scene *scene, size_t row) {
    hk_scene_shot *shot = HK_NEW(arena, hk_scene_shot);
    HK_ASSERT(!scene->record || row < scene->record->rows);
    *shot = (hk_scene_shot){.scene = scene, .row = row};
    shot->time = scene->record ? scene->record->values[0][row] : (double)NAN;
    shot->things = HK_NEW_ARRAY(arena, hk_scene_placed, scene->count + 1);
    for (size_t i = 0; i < scene->count; i++) {
        const hk_scene_thing *thing = &scene->things[i];
        place_alone(thing, row, &shot->things[i]);
        if (thing->parent != HK_SCENE_NOBODY)
            join(&shot->things[thing->parent], &shot->things[i]);
    }
    for (size_t i = 0; i < scene->count; i++) {
        const hk_scene_thing *thing = &scene->things[i];
        bool attached = thing->kind == HK_SCENE_LABEL || thing->kind == HK_SCENE_ARROW;
        if (attached && thing->of != HK_SCENE_NOBODY)
            attach(thing, &shot->things[thing->of], &shot->things[i]);
    }
    return shot;
}

void hk_scene_note_missing(hk_ctx *ctx, hk_arena *arena, const hk_scene_shot *shot, bool *noted) {
    HK_ASSERT(ctx && arena && shot && noted);
    for (size_t i = 0; i < shot->scene->count; i++) {
        const hk_scene_thing *thing = &shot->scene->things[i];
        const hk_scene_number *missing = shot->things[i].missing;
        if (!missing || noted[i])
            continue;
        noted[i] = true;
        char digits[HK_NUMBER_MAX];
        const char *time = hk_arena_strndup(arena, digits, hk_write_f64(shot->time, digits));
        const char *signal = missing->column_name ? missing->column_name : missing->signal;
        hk_note(ctx, hk_place_where(shot->scene->file, &thing->at),
                "'%s' is left out at %s s: %s%s%s", thing->name, time, signal ? "'" : "",
                signal ? signal : "its attitude",
                !signal ? " has no length"
                : isfinite(value_of(missing, shot->row))
                    ? "' and the others of its attitude have no length"
                    : "' is not a finite number");
    }
}

hk_status hk_scene_find_row(hk_ctx *ctx, const hk_scene *scene, const char *words, double time,
                            size_t *ret_row) {
    const hk_table *record = scene->record;
    HK_ASSERT(record && record->rows);
    const double *times = record->values[0];
    double slack = 1e-9 * fmax(1, fabs(time));
    size_t lo = 0, hi = record->rows; /* the last row that is not after it */
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (times[middle] <= time + slack)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo && time <= times[record->rows - 1] + slack) {
        *ret_row = lo - 1;
        return HK_OK;
    }
    hk_arena *arena = hk_arena_create();
    char digits[3][HK_NUMBER_MAX];
    const char *text[3];
    double numbers[3] = {time, times[0], times[record->rows - 1]};
    for (int i = 0; i < 3; i++)
        text[i] = hk_arena_strndup(arena, digits[i], hk_write_f64(numbers[i], digits[i]));
    hk_status status = hk_error(ctx, HK_E_USAGE, (hk_where){.file = scene->record_file}, NULL,
                                "%s: %s s is not in the record, which is from %s s to %s s", words,
                                text[0], text[1], text[2]);
    hk_arena_destroy(arena);
    return status;
}

/* Only what is above a thing is looked at, not the whole scene. */
static hk_geo_vector3 place_in_row(const hk_scene *scene, size_t thing, size_t row) {
    hk_scene_placed p, parent;
    memset(&p, 0, sizeof p);
    place_alone(&scene->things[thing], row, &p);
    for (size_t up = scene->things[thing].parent; up != HK_SCENE_NOBODY;
         up = scene->things[up].parent) {
        memset(&parent, 0, sizeof parent);
        place_alone(&scene->things[up], row, &parent);
        join(&parent, &p);
    }
    return p.there ? p.at : hk_geo_vector((double)NAN, (double)NAN, (double)NAN);
}

hk_geo_vector3 *hk_scene_way(hk_arena *arena, const hk_scene *scene, size_t thing, size_t first,
                             size_t last) {
    HK_ASSERT(thing < scene->count && first <= last);
    hk_geo_vector3 *way = HK_NEW_ARRAY(arena, hk_geo_vector3, last - first + 1);
    for (size_t row = first; row <= last; row++)
        way[row - first] = place_in_row(scene, thing, row);
    return way;
}

/* ---- shapes ---- */

/* The lines of an outline as walls: from where they are up. */
static const hk_mesh *raise(hk_arena *arena, const hk_mesh *lines, hk_geo_vector3 up) {
    hk_mesh_builder b = {0};
    for (size_t i = 0; i < 2 * lines->point_count; i++) {
        hk_geo_vector3 p = lines->points[i / 2];
        hk_mesh_point(&b, i % 2 ? hk_geo_add(p, up) : p);
    }
    for (size_t i = 0; i < lines->face_count; i++) {
        const uint32_t *c = &lines->corners[lines->firsts[i]];
        hk_mesh_face(&b, (uint32_t[]){2 * c[0], 2 * c[1], 2 * c[1] + 1, 2 * c[0] + 1}, 4);
    }
    return hk_mesh_keep(&b, arena);
}

/* A cylinder is made along z. */
static const hk_mesh *lay(hk_mesh *mesh, int along) {
    for (size_t i = 0; i < mesh->point_count; i++) {
        hk_geo_vector3 *p = &mesh->points[i];
        if (along == 0)
            *p = hk_geo_vector(p->z, p->x, p->y);
        else if (along == 1)
            *p = hk_geo_vector(p->y, p->z, p->x);
    }
    return mesh;
}

const hk_mesh *hk_scene_shape(hk_arena *arena, const hk_scene *scene, const hk_scene_placed *placed,
                              size_t thing) {
    HK_ASSERT(arena && placed && thing < scene->count);
    const hk_scene_thing *t = &scene->things[thing];
    const double *n = placed->numbers;
    double up = scene->frame == HK_SCENE_NED ? -1 : 1;
    switch (t->kind) {
    case HK_SCENE_BOX:
        return hk_mesh_box(arena, vector_at(n + HK_SCENE_N_SIZE));
    case HK_SCENE_SPHERE:
        return hk_mesh_sphere(arena, n[HK_SCENE_N_RADIUS]);
    case HK_SCENE_CYLINDER:
        return lay(hk_mesh_cylinder(arena, n[HK_SCENE_N_RADIUS],
                                    t->has[HK_SCENE_TOP] ? n[HK_SCENE_N_TOP] : n[HK_SCENE_N_RADIUS],
                                    n[HK_SCENE_N_LENGTH]),
                   t->along);
    case HK_SCENE_PLANE:
    case HK_SCENE_WATER:
        return hk_mesh_plane(arena, n[HK_SCENE_N_SIZE], n[HK_SCENE_N_SIZE + 1],
                             t->kind == HK_SCENE_WATER ? WATER_PARTS : PLANE_PARTS);
    case HK_SCENE_OUTLINE:
        if (t->has[HK_SCENE_HEIGHT])
            return raise(arena, t->mesh, hk_geo_vector(0, 0, up * n[HK_SCENE_N_HEIGHT]));
        return t->mesh;
    case HK_SCENE_MESH:
    case HK_SCENE_HEIGHTS:
        return t->mesh;
    default:
        return NULL;
    }
}

/* A few digits: 12.34, 0.001234, 1.2e9. */
static const char *show_value(hk_arena *arena, double value) {
    char digits[HK_NUMBER_MAX];
    double size = fabs(value);
    int place = size > 0 ? SHOWN_DIGITS - 1 - (int)floor(log10(size)) : 0;
    if (size > 0 && place >= 0 && place < 15) {
        double power = pow(10, place);
        value = round(value * power) / power;
    } else if (size < 1e15) {
        value = round(value);
    }
    return hk_arena_strndup(arena, digits, hk_write_f64(value, digits));
}

const char *hk_scene_words(hk_arena *arena, const hk_scene *scene, const hk_scene_placed *placed,
                           size_t thing) {
    HK_ASSERT(arena && placed && thing < scene->count);
    const hk_scene_thing *t = &scene->things[thing];
    if (!t->has[HK_SCENE_VALUE])
        return t->text ? t->text : "";
    const char *unit = t->unit ? t->unit : "";
    return hk_arena_printf(arena, "%s%s%s%s%s", t->text ? t->text : "", t->text ? " " : "",
                           show_value(arena, placed->numbers[HK_SCENE_N_VALUE]), *unit ? " " : "",
                           unit);
}

hk_geo_vector3 hk_scene_upright(const hk_scene *scene, hk_geo_vector3 v) {
    HK_ASSERT(scene);
    return scene->frame == HK_SCENE_NED ? hk_geo_vector(v.y, v.x, -v.z) : v;
}
