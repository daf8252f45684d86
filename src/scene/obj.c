/* SPDX-License-Identifier: MIT
 *
 * Wavefront OBJ: points (v), faces (f), lines (l). What is about looks is passed over; curves and
 * surfaces are refused, since the mesh would not be whole without them. */
#include "base/number.h"
#include "scene/mesh.h"

#include <math.h>
#include <string.h>

enum { CORNERS_MAX = 10000 };

typedef struct obj {
    hk_mesh_source from;
    const char *at, *end; /* of the line */
    hk_mesh_builder mesh;
    uint32_t *corners; /* of the face that is read */
    size_t corner_cap;
} obj;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line; false at its end. */
static bool next_word(obj *o, const char **ret_word, size_t *ret_length) {
    while (o->at < o->end && is_blank(*o->at))
        o->at++;
    const char *begin = o->at;
    while (o->at < o->end && !is_blank(*o->at))
        o->at++;
    *ret_word = begin;
    *ret_length = (size_t)(o->at - begin);
    return *ret_length > 0;
}

static hk_status read_point(obj *o) {
    double xyz[3];
    for (int i = 0; i < 3; i++) {
        const char *word;
        size_t length;
        if (!next_word(o, &word, &length))
            return hk_mesh_wrong(&o->from, NULL, "a point has three numbers");
        if (!hk_read_f64(word, length, &xyz[i]) || !isfinite(xyz[i]))
            return hk_mesh_wrong(&o->from, NULL, "'%s' is not a number",
                                 hk_mesh_show(&o->from, word, length));
    }
    if (o->mesh.mesh.point_count >= UINT32_MAX - 1)
        return hk_mesh_wrong(&o->from, NULL, "there are too many points");
    hk_mesh_point(&o->mesh, hk_geo_vector(xyz[0], xyz[1], xyz[2]));
    return HK_OK;
}

/* "7", "7/1", "7//3", "-1": the point is what is before the first '/'. */
static hk_status read_corner(obj *o, const char *word, size_t length, uint32_t *ret_corner) {
    const char *slash = memchr(word, '/', length);
    size_t digits = slash ? (size_t)(slash - word) : length;
    int64_t index, count = (int64_t)o->mesh.mesh.point_count;
    if (!hk_read_i64(word, digits, &index))
        return hk_mesh_wrong(&o->from, NULL, "'%s' is not the number of a point",
                             hk_mesh_show(&o->from, word, length));
    int64_t point = index < 0 ? count + index : index - 1;
    if (point < 0 || point >= count)
        return hk_mesh_wrong(&o->from, "points count from 1, and come before what they are part of",
                             "there is no point '%s'", hk_mesh_show(&o->from, word, digits));
    *ret_corner = (uint32_t)point;
    return HK_OK;
}

static hk_status read_corners(obj *o, size_t least) {
    const char *word;
    size_t length, count = 0;
    while (next_word(o, &word, &length)) {
        uint32_t corner = 0;
        if (count == CORNERS_MAX)
            return hk_mesh_wrong(&o->from, NULL, "a face has too many corners");
        HK_TRY(read_corner(o, word, length, &corner));
        HK_PUSH(o->corners, count, o->corner_cap, corner);
    }
    if (count < least)
        return hk_mesh_wrong(&o->from, NULL, "a %s at least",
                             least == 3 ? "face has three corners" : "line has two points");
    if (least == 3) {
        hk_mesh_face(&o->mesh, o->corners, count);
        return HK_OK;
    }
    for (size_t i = 0; i + 1 < count; i++)
        hk_mesh_face(&o->mesh, &o->corners[i], 2);
    return HK_OK;
}

static bool is_one_of(const char *word, size_t length, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return false;
}

static hk_status read_line(obj *o) {
    static const char *const passed[] = {
        "vt",     "vn",  "g",     "o",        "s",        "p",          "mtllib",   "usemtl",
        "usemap", "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
    static const char *const curves[] = {"vp",   "cstype", "deg",  "bmat", "step", "curv", "curv2",
                                         "surf", "parm",   "trim", "hole", "scrv", "sp",   "end"};
    const char *word;
    size_t length;
    if (!next_word(o, &word, &length) || *word == '#')
        return HK_OK;
    if (length == 1 && *word == 'v')
        return read_point(o);
    if (length == 1 && *word == 'f')
        return read_corners(o, 3);
    if (length == 1 && *word == 'l')
        return read_corners(o, 2);
    if (is_one_of(word, length, passed, sizeof passed / sizeof *passed))
        return HK_OK;
    if (is_one_of(word, length, curves, sizeof curves / sizeof *curves))
        return hk_mesh_wrong(&o->from, "export it as faces",
                             "curves and surfaces ('%s') are not read",
                             hk_mesh_show(&o->from, word, length));
    return hk_mesh_wrong(&o->from, NULL, "'%s' does not begin a line of an OBJ file",
                         hk_mesh_show(&o->from, word, length));
}

static hk_status read_lines(obj *o, const hk_file_text *text) {
    const char *at = text->data, *end = text->data + text->size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        o->from.line++;
        o->at = at;
        o->end = stop;
        HK_TRY(read_line(o));
        at = stop + 1;
    }
    if (!o->mesh.mesh.face_count)
        return hk_mesh_wrong(&o->from, NULL, "there is not a single face in this file");
    return HK_OK;
}

hk_status hk_obj_parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text, hk_mesh **ret_mesh) {
    obj o = {.from = {ctx, arena, text->file, 0}};
    HK_ASSERT(text->data);
    hk_status status = read_lines(&o, text);
    if (status == HK_OK)
        *ret_mesh = hk_mesh_keep(&o.mesh, arena);
    hk_mesh_drop(&o.mesh);
    hk_free(o.corners);
    return status;
}
