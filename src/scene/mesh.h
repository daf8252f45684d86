/* SPDX-License-Identifier: MIT
 *
 * Faces in space, and the readers of files that hold them: OBJ, STL (text and binary) and glTF 2.0
 * (.gltf and .glb). Everything read here may come from a stranger: a count is held against the
 * bytes that there are, an index against the points, a coordinate is finite; or the file is refused
 * at a place. */
#ifndef HK_SCENE_MESH_H
#define HK_SCENE_MESH_H

#include "base/file.h"

#include <hk/geo.h>

/* Points, and faces of three or more of them, which are round by the right hand seen from outside.
 * Lines are faces of two. */
typedef struct hk_mesh {
    hk_geo_vector3 *points;
    size_t point_count;
    uint32_t *corners; /* of all faces in a row */
    size_t corner_count;
    uint32_t *firsts; /* of each face its first corner; one more at the end */
    size_t face_count;
} hk_mesh;

/* A mesh that grows; zero-initialised is empty. */
typedef struct hk_mesh_builder {
    hk_mesh mesh;
    size_t point_cap, corner_cap, face_cap;
} hk_mesh_builder;

uint32_t hk_mesh_point(hk_mesh_builder *b, hk_geo_vector3 point);
void hk_mesh_face(hk_mesh_builder *b, const uint32_t *corners, size_t count);
/* What was built, in ARENA; the builder is empty then. */
hk_mesh *hk_mesh_keep(hk_mesh_builder *b, hk_arena *arena);
void hk_mesh_drop(hk_mesh_builder *b);

/* ---- shapes, around the origin (shapes.c) ---- */

hk_mesh *hk_mesh_box(hk_arena *arena, hk_geo_vector3 size);
hk_mesh *hk_mesh_sphere(hk_arena *arena, double radius);
/* Along z, from the radius BOTTOM to TOP, where 0 is a point. */
hk_mesh *hk_mesh_cylinder(hk_arena *arena, double bottom, double top, double length);
/* In x and y, of PARTS x PARTS squares. */
hk_mesh *hk_mesh_plane(hk_arena *arena, double x, double y, size_t parts);

/* ---- files ---- */

/* By its extension. All of it lives in ARENA. */
HK_NODISCARD hk_status hk_mesh_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                    hk_mesh **ret_mesh);
bool hk_mesh_is(const char *path); /* its extension is that of a mesh */

HK_NODISCARD hk_status hk_obj_parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                    hk_mesh **ret_mesh);
HK_NODISCARD hk_status hk_stl_parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                    hk_mesh **ret_mesh);
/* FOLDER: where files that it names lie; NULL: none is opened, and each is refused. */
HK_NODISCARD hk_status hk_gltf_parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                     const char *folder, hk_mesh **ret_mesh);

/* ---- for the readers ---- */

typedef struct hk_mesh_source {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    int line; /* 0: it has none */
} hk_mesh_source;

/* HK_E_MESH at the line that is read. */
hk_status hk_mesh_wrong(const hk_mesh_source *source, const char *hint, const char *format, ...)
    HK_PRINTF(3, 4);
/* A word of a file, for messages: not all of a long one. */
const char *hk_mesh_show(const hk_mesh_source *source, const char *word, size_t length);
uint32_t hk_mesh_u32(const char *data); /* four bytes, the lowest first */
double hk_mesh_f32(const char *data);

#endif
