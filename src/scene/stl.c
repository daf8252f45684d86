/* SPDX-License-Identifier: MIT
 *
 * STL: triangles, as text ("solid ...") or binary. A binary file has 84 bytes and 50 for each
 * triangle; that decides which of the two it is, since some binary files begin with "solid", too.
 */
#include "base/number.h"
#include "scene/mesh.h"

#include <math.h>
#include <string.h>

enum { HEADER = 84, TRIANGLE = 50 };

typedef struct stl {
    hk_mesh_source from;
    const char *at, *end;
    hk_mesh_builder mesh;
} stl;

static void add_triangle(stl *s, const hk_geo_vector3 *corners) {
    uint32_t at[3];
    for (int i = 0; i < 3; i++)
        at[i] = hk_mesh_point(&s->mesh, corners[i]);
    hk_mesh_face(&s->mesh, at, 3);
}

/* ---- binary ---- */

static hk_status read_binary(stl *s, const hk_file_text *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *data = text->data + HEADER + TRIANGLE * i + 12; /* behind the normal */
        hk_geo_vector3 corners[3];
        for (int k = 0; k < 3; k++) {
            const char *p = data + (ptrdiff_t)12 * k;
            corners[k] = hk_geo_vector(hk_mesh_f32(p), hk_mesh_f32(p + 4), hk_mesh_f32(p + 8));
            if (!isfinite(corners[k].x) || !isfinite(corners[k].y) || !isfinite(corners[k].z))
                return hk_mesh_wrong(&s->from, NULL, "triangle %zu has a corner that is not finite",
                                     i + 1);
        }
        add_triangle(s, corners);
    }
    return HK_OK;
}

/* ---- text ---- */

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *next_word(stl *s, size_t *ret_length) {
    while (s->at < s->end && is_space(*s->at))
        s->from.line += *s->at++ == '\n';
    const char *begin = s->at;
    while (s->at < s->end && !is_space(*s->at))
        s->at++;
    *ret_length = (size_t)(s->at - begin);
    return begin;
}

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static hk_status expect(stl *s, const char *word) {
    size_t length;
    const char *at = next_word(s, &length);
    if (is_word(at, length, word))
        return HK_OK;
    return length ? hk_mesh_wrong(&s->from, NULL, "expected '%s', found '%s'", word,
                                  hk_mesh_show(&s->from, at, length))
                  : hk_mesh_wrong(&s->from, NULL, "the file ends where '%s' is expected", word);
}

static hk_status read_vector(stl *s, hk_geo_vector3 *ret_vector) {
    double xyz[3];
    for (int i = 0; i < 3; i++) {
        size_t length;
        const char *at = next_word(s, &length);
        if (!length)
            return hk_mesh_wrong(&s->from, NULL, "the file ends where a number is expected");
        if (!hk_read_f64(at, length, &xyz[i]) || !isfinite(xyz[i]))
            return hk_mesh_wrong(&s->from, NULL, "'%s' is not a number",
                                 hk_mesh_show(&s->from, at, length));
    }
    *ret_vector = hk_geo_vector(xyz[0], xyz[1], xyz[2]);
    return HK_OK;
}

/* Behind "facet". */
static hk_status read_facet(stl *s) {
    hk_geo_vector3 normal, corners[3];
    HK_TRY(expect(s, "normal"));
    HK_TRY(read_vector(s, &normal));
    HK_TRY(expect(s, "outer"));
    HK_TRY(expect(s, "loop"));
    for (int i = 0; i < 3; i++) {
        HK_TRY(expect(s, "vertex"));
        HK_TRY(read_vector(s, &corners[i]));
    }
    HK_TRY(expect(s, "endloop"));
    HK_TRY(expect(s, "endfacet"));
    add_triangle(s, corners);
    return HK_OK;
}

static void skip_line(stl *s) {
    while (s->at < s->end && *s->at != '\n')
        s->at++;
}

static hk_status read_text(stl *s) {
    size_t length;
    const char *at;
    HK_TRY(expect(s, "solid"));
    skip_line(s);
    for (;;) {
        at = next_word(s, &length);
        if (!length)
            return hk_mesh_wrong(&s->from, NULL, "the file ends before its '%s'", "endsolid");
        if (is_word(at, length, "facet")) {
            HK_TRY(read_facet(s));
        } else if (is_word(at, length, "endsolid")) {
            skip_line(s);
            at = next_word(s, &length);
            if (!length)
                return HK_OK;
            if (!is_word(at, length, "solid"))
                return hk_mesh_wrong(&s->from, NULL, "expected 'solid' or the end, found '%s'",
                                     hk_mesh_show(&s->from, at, length));
            skip_line(s);
        } else {
            return hk_mesh_wrong(&s->from, NULL, "expected 'facet' or 'endsolid', found '%s'",
                                 hk_mesh_show(&s->from, at, length));
        }
    }
}

/* ---- both ---- */

static bool begins_as_text(const hk_file_text *text) {
    size_t i = 0;
    while (i < text->size && is_space(text->data[i]))
        i++;
    return text->size - i >= 5 && memcmp(text->data + i, "solid", 5) == 0;
}

static hk_status read_any(stl *s, const hk_file_text *text) {
    size_t fits = text->size >= HEADER ? (text->size - HEADER) / TRIANGLE : 0;
    size_t says = text->size >= HEADER ? hk_mesh_u32(text->data + 80) : 0;
    bool exact = text->size >= HEADER && says == fits && (text->size - HEADER) % TRIANGLE == 0;
    if (!exact && begins_as_text(text)) {
        s->from.line = 1;
        return read_text(s);
    }
    if (text->size < HEADER)
        return hk_mesh_wrong(&s->from, NULL,
                             "this is neither STL in words ('solid ...') nor binary STL, which has "
                             "84 bytes at least");
    if (!exact)
        return hk_mesh_wrong(
            &s->from, NULL,
            "this binary STL says that it has %zu triangles, which need %zu bytes, and "
            "has %zu bytes",
            says, HEADER + TRIANGLE * says, text->size);
    return read_binary(s, text, says);
}

hk_status hk_stl_parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text, hk_mesh **ret_mesh) {
    stl s = {.from = {ctx, arena, text->file, 0}, .at = text->data, .end = text->data + text->size};
    HK_ASSERT(text->data);
    hk_status status = read_any(&s, text);
    if (status == HK_OK && !s.mesh.mesh.face_count)
        status = hk_mesh_wrong(&s.from, NULL, "there is not a single triangle in this file");
    if (status == HK_OK)
        *ret_mesh = hk_mesh_keep(&s.mesh, arena);
    hk_mesh_drop(&s.mesh);
    return status;
}
