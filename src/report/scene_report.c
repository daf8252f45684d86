/* SPDX-License-Identifier: MIT */
#include "report/scene_report.h"

#include "report/info_report_internal.h"

#include <string.h>

/* Where the numbers of a property begin and how many there are. */
static const struct {
    hk_scene_word word;
    size_t first, count;
} parts[] = {
    {HK_SCENE_AT, HK_SCENE_N_AT, 3},         {HK_SCENE_ATTITUDE, HK_SCENE_N_TURN, 4},
    {HK_SCENE_SCALE, HK_SCENE_N_SCALE, 3},   {HK_SCENE_SIZE, HK_SCENE_N_SIZE, 3},
    {HK_SCENE_VECTOR, HK_SCENE_N_VECTOR, 3}, {HK_SCENE_LOOK, HK_SCENE_N_LOOK, 3},
    {HK_SCENE_RADIUS, HK_SCENE_N_RADIUS, 1}, {HK_SCENE_TOP, HK_SCENE_N_TOP, 1},
    {HK_SCENE_LENGTH, HK_SCENE_N_LENGTH, 1}, {HK_SCENE_HEIGHT, HK_SCENE_N_HEIGHT, 1},
    {HK_SCENE_VALUE, HK_SCENE_N_VALUE, 1},   {HK_SCENE_OPACITY, HK_SCENE_N_OPACITY, 1},
    {HK_SCENE_LAST, HK_SCENE_N_LAST, 1},     {HK_SCENE_ANGLE, HK_SCENE_N_ANGLE, 1},
    {HK_SCENE_WIDTH, HK_SCENE_N_WIDTH, 1},
};
enum { PARTS = sizeof parts / sizeof *parts };

static void put_number(hk_json *json, const hk_scene_number *n) {
    hk_json_object(json, NULL);
    if (!n->signal) {
        hk_json_f64(json, "value", n->offset);
    } else {
        hk_json_string(json, "signal", n->column_name ? n->column_name : n->signal);
        if (n->part != SIZE_MAX)
            hk_json_u64(json, "part", n->part + 1);
        hk_json_f64(json, "factor", n->scale * n->factor);
        hk_json_f64(json, "offset", n->scale * n->shift + n->offset);
    }
    hk_json_end(json);
}

/* What was said, and what holds without words for all things that have it. */
static void put_numbers(hk_json *json, const hk_scene_thing *thing) {
    hk_json_object(json, "numbers");
    for (size_t i = 0; i < PARTS; i++) {
        bool turns = parts[i].word == HK_SCENE_ATTITUDE;
        size_t count = turns && thing->turn != HK_TURN_QUATERNION ? 3 : parts[i].count;
        if (!thing->has[parts[i].word])
            continue;
        const char *word = !turns ? hk_scene_property_words[parts[i].word]
                           : thing->turn == HK_TURN_QUATERNION ? "quaternion"
                           : thing->turn == HK_TURN_DIRECTION  ? "direction"
                                                               : "euler";
        hk_json_array(json, word);
        for (size_t k = 0; k < count; k++)
            put_number(json, &thing->numbers[parts[i].first + k]);
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void put_mesh(hk_json *json, const hk_mesh *mesh) {
    hk_json_object(json, "shape");
    hk_json_array(json, "points");
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double xyz[3] = {mesh->points[i].x, mesh->points[i].y, mesh->points[i].z};
        for (int k = 0; k < 3; k++)
            hk_json_f64(json, NULL, xyz[k]);
    }
    hk_json_end(json);
    hk_json_array(json, "faces");
    for (size_t i = 0; i < mesh->face_count; i++) {
        hk_json_array(json, NULL);
        for (size_t k = mesh->firsts[i]; k < mesh->firsts[i + 1]; k++)
            hk_json_u64(json, NULL, mesh->corners[k]);
        hk_json_end(json);
    }
    hk_json_end(json);
    hk_json_end(json);
}

static void put_thing(hk_json *json, const hk_scene *scene, const hk_scene_thing *thing,
                      bool shapes) {
    char colour[8] = "#000000";
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 6; i++)
        colour[1 + i] = digits[thing->colour >> (4 * (5 - i)) & 15];
    hk_json_object(json, NULL);
    hk_json_string(json, "name", thing->name);
    hk_json_string(json, "kind", hk_scene_kind_words[thing->kind]);
    if (thing->parent != HK_SCENE_NOBODY)
        hk_json_string(json, "parent", scene->things[thing->parent].name);
    if (thing->of != HK_SCENE_NOBODY)
        hk_json_string(json, thing->follows ? "follow" : "of", scene->things[thing->of].name);
    if (thing->kind == HK_SCENE_CAMERA)
        hk_json_string(json, "view", hk_scene_view_words[thing->view]);
    else if (thing->kind != HK_SCENE_GROUP)
        hk_json_string(json, "colour", colour);
    if (thing->text)
        hk_json_string(json, "text", thing->text);
    if (thing->file)
        hk_json_string(json, "file", thing->file);
    if (thing->kind == HK_SCENE_CYLINDER)
        hk_json_string(json, "along", thing->along == 0 ? "x" : thing->along == 1 ? "y" : "z");
    put_numbers(json, thing);
    if (thing->mesh) {
        hk_json_u64(json, "points", thing->mesh->point_count);
        hk_json_u64(json, "faces", thing->mesh->face_count);
    }
    if (thing->mesh && shapes)
        put_mesh(json, thing->mesh);
    hk_json_end(json);
}

void hk_scene_put(hk_json *json, const hk_scene *scene, bool shapes) {
    hk_json_string(json, "name", scene->name);
    hk_json_string(json, "frame", hk_scene_frame_words[scene->frame]);
    hk_json_array(json, "things");
    for (size_t i = 0; i < scene->count; i++)
        put_thing(json, scene, &scene->things[i], shapes);
    hk_json_end(json);
}

static void put_placed(hk_json *json, hk_arena *arena, const hk_scene_shot *shot, size_t index) {
    const hk_scene_thing *thing = &shot->scene->things[index];
    const hk_scene_placed *p = &shot->things[index];
    hk_json_object(json, NULL);
    hk_json_string(json, "name", thing->name);
    hk_json_bool(json, "there", p->there);
    if (p->there) {
        const double at[3] = {p->at.x, p->at.y, p->at.z};
        hk_json_array(json, "matrix");
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                hk_json_f64(json, NULL, k < 3 ? p->turn.m[i][k] : at[i]);
        hk_json_end(json);
        hk_json_object(json, "numbers");
        for (size_t i = 0; i < PARTS; i++) {
            if (!thing->has[parts[i].word])
                continue;
            hk_json_array(json, hk_scene_property_words[parts[i].word]);
            for (size_t k = 0; k < parts[i].count; k++)
                hk_json_f64(json, NULL, p->numbers[parts[i].first + k]);
            hk_json_end(json);
        }
        hk_json_end(json);
        if (thing->kind == HK_SCENE_LABEL)
            hk_json_string(json, "words", hk_scene_words(arena, shot->scene, p, index));
    }
    hk_json_end(json);
}

void hk_scene_shot_put(hk_json *json, hk_arena *arena, const hk_scene_shot *shot) {
    hk_json_f64(json, "time_s", shot->time);
    hk_json_array(json, "placed");
    for (size_t i = 0; i < shot->scene->count; i++)
        put_placed(json, arena, shot, i);
    hk_json_end(json);
}

const char *hk_scene_kinds(hk_arena *arena, const hk_scene *scene) {
    static const char *const many[HK_SCENE_KINDS] = {
        "groups", "boxes",    "spheres", "cylinders", "planes", "meshes", "grids of heights",
        "waters", "outlines", "trails",  "labels",    "arrows", "cameras"};
    const char *text = "";
    for (size_t kind = 0; kind < HK_SCENE_KINDS; kind++) {
        size_t count = 0;
        for (size_t i = 0; i < scene->count; i++)
            count += scene->things[i].kind == kind;
        if (count)
            text = hk_arena_printf(arena, "%s%s%zu %s", text, *text ? ", " : "", count,
                                   count > 1 ? many[kind] : hk_scene_kind_words[kind]);
    }
    return text;
}

hk_status hk_info_put_scene(hk_report *report, const char *path) {
    hk_scene *scene;
    hk_json json;
    HK_TRY(hk_scene_read(report->ctx, report->arena, path, &scene));
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "scene");
    hk_json_string(&json, "file", path);
    hk_scene_put(&json, scene, false);
    hk_json_end(&json);
    return HK_OK;
}
