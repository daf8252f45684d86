/* SPDX-License-Identifier: MIT */
#include "scene/mesh.h"

#include <string.h>
#include <strings.h>

#define MESH_BYTES_MAX ((size_t)1 << 29)
enum { SHOWN_MAX = 40 };

uint32_t hk_mesh_point(hk_mesh_builder *b, hk_geo_vector3 point) {
    hk_mesh *m = &b->mesh;
    HK_ASSERT(m->point_count < UINT32_MAX);
    HK_PUSH(m->points, m->point_count, b->point_cap, point);
    return (uint32_t)(m->point_count - 1);
}

void hk_mesh_face(hk_mesh_builder *b, const uint32_t *corners, size_t count) {
    hk_mesh *m = &b->mesh;
    HK_ASSERT(count >= 2);
    uint32_t first = (uint32_t)m->corner_count;
    HK_PUSH(m->firsts, m->face_count, b->face_cap, first);
    for (size_t i = 0; i < count; i++) {
        HK_ASSERT(corners[i] < m->point_count);
        HK_PUSH(m->corners, m->corner_count, b->corner_cap, corners[i]);
    }
}

void hk_mesh_drop(hk_mesh_builder *b) {
    hk_free(b->mesh.points);
    hk_free(b->mesh.corners);
    hk_free(b->mesh.firsts);
    *b = (hk_mesh_builder){0};
}

hk_mesh *hk_mesh_keep(hk_mesh_builder *b, hk_arena *arena) {
    const hk_mesh *from = &b->mesh;
    hk_mesh *m = HK_NEW(arena, hk_mesh);
    *m = *from;
    m->points = HK_NEW_ARRAY(arena, hk_geo_vector3, m->point_count + 1);
    m->corners = HK_NEW_ARRAY(arena, uint32_t, m->corner_count + 1);
    m->firsts = HK_NEW_ARRAY(arena, uint32_t, m->face_count + 1);
    if (m->point_count)
        memcpy(m->points, from->points, m->point_count * sizeof *m->points);
    if (m->corner_count)
        memcpy(m->corners, from->corners, m->corner_count * sizeof *m->corners);
    if (m->face_count)
        memcpy(m->firsts, from->firsts, m->face_count * sizeof *m->firsts);
    m->firsts[m->face_count] = (uint32_t)m->corner_count;
    hk_mesh_drop(b);
    return m;
}

hk_status hk_mesh_wrong(const hk_mesh_source *source, const char *hint, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(source->arena, format, args);
    va_end(args);
    return hk_error(source->ctx, HK_E_MESH, (hk_where){.file = source->file, .line = source->line},
                    hint, "%s", text);
}

const char *hk_mesh_show(const hk_mesh_source *source, const char *word, size_t length) {
    return hk_arena_strndup(source->arena, word, length < SHOWN_MAX ? length : SHOWN_MAX);
}

uint32_t hk_mesh_u32(const char *data) {
    const unsigned char *b = (const unsigned char *)data;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

double hk_mesh_f32(const char *data) {
    uint32_t bits = hk_mesh_u32(data);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool has_extension(const char *path, const char *extension) {
    return strcasecmp(hk_path_extension(path), extension) == 0;
}

bool hk_mesh_is(const char *path) {
    return has_extension(path, ".obj") || has_extension(path, ".stl") ||
           has_extension(path, ".gltf") || has_extension(path, ".glb");
}

hk_status hk_mesh_read(hk_ctx *ctx, hk_arena *arena, const char *path, hk_mesh **ret_mesh) {
    char *data;
    size_t size;
    if (!hk_mesh_is(path))
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path}, NULL,
                        "meshes are read from .obj, .stl, .gltf and .glb");
    HK_TRY(hk_file_read(ctx, path, MESH_BYTES_MAX, &data, &size));
    hk_file_text text = {path, data, size};
    hk_status status =
        has_extension(path, ".obj") ? hk_obj_parse(ctx, arena, &text, ret_mesh)
        : has_extension(path, ".stl")
            ? hk_stl_parse(ctx, arena, &text, ret_mesh)
            : hk_gltf_parse(ctx, arena, &text, hk_path_folder(arena, path), ret_mesh);
    hk_free(data);
    return status;
}
