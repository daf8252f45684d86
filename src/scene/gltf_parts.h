/* SPDX-License-Identifier: MIT
 *
 * Inside the reader of glTF: where the bytes of an accessor are. */
#ifndef HK_SCENE_GLTF_PARTS_H
#define HK_SCENE_GLTF_PARTS_H

#include "format/json_read.h"
#include "scene/mesh.h"

enum { HK_GLTF_U8 = 5121, HK_GLTF_U16 = 5123, HK_GLTF_U32 = 5125, HK_GLTF_FLOAT = 5126 };

typedef struct hk_gltf_pose {
    hk_geo_matrix3 turn; /* and scale */
    hk_geo_vector3 at;
} hk_gltf_pose;

/* A buffer that was opened. */
typedef struct hk_gltf_buffer {
    const char *data; /* NULL: not yet */
    size_t size;
} hk_gltf_buffer;

/* A list of the root, by index. */
typedef struct hk_gltf_list {
    const char *name; /* NULL: not asked for yet */
    const hk_json_value **all;
    size_t count;
} hk_gltf_list;
enum { HK_GLTF_LISTS = 8 };

typedef struct gltf {
    hk_mesh_source from;
    const char *folder; /* NULL: files that it names are not opened */
    const hk_json_value *root;
    const char *binary; /* of a .glb; NULL: none */
    size_t binary_size;
    hk_gltf_buffer *buffers;
    size_t buffer_count;
    hk_gltf_list lists[HK_GLTF_LISTS];
    hk_mesh_builder mesh;
    uint32_t *corners;
    size_t corner_count, corner_cap, parts;
    size_t visits, node_max;
} gltf;

/* Elements of an accessor, each checked to lie in its buffer. */
typedef struct hk_gltf_view {
    const char *data;
    size_t count, stride, component;
} hk_gltf_view;

hk_status hk_gltf_wrong(const gltf *g, const hk_json_value *at, const char *format, ...)
    HK_PRINTF(3, 4);
bool hk_gltf_index(const hk_json_value *value, size_t *ret_index);
/* The element of the array LIST of the root that INDEX names. */
HK_NODISCARD hk_status hk_gltf_element(gltf *g, const char *list, const hk_json_value *index,
                                       const hk_json_value **ret_element);
/* TYPE: "VEC3", "SCALAR". */
HK_NODISCARD hk_status hk_gltf_accessor(gltf *g, const hk_json_value *index, const char *type,
                                        hk_gltf_view *ret_view);
/* Of a .glb the JSON in it, and its binary part; of any other text that text. */
HK_NODISCARD hk_status hk_gltf_unwrap(gltf *g, const hk_file_text *text, hk_file_text *ret_json);

#endif
