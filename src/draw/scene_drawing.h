/* SPDX-License-Identifier: MIT
 *
 * Inside the pictures of scenes: what is to be painted, and who paints it. */
#ifndef HK_DRAW_SCENE_DRAWING_H
#define HK_DRAW_SCENE_DRAWING_H

#include "base/map.h"
#include "draw/draw_scene.h"
#include "draw/scene_camera.h"

/* One after the other: a layer hides those before it. */
typedef enum hk_scene_layer {
    HK_LAYER_GROUND,
    HK_LAYER_BEYOND, /* the water */
    HK_LAYER_WATER,
    HK_LAYER_HERE
} hk_scene_layer;

/* A face in the picture, or a line: two spots. */
typedef struct hk_scene_face {
    hk_scene_layer layer;
    double depth;
    size_t order; /* as it was found, where depths are the same */
    size_t first, count;
    const char *look;
} hk_scene_face;

typedef struct hk_scene_drawing {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_canvas *canvas;
    const hk_scene_picture *wish;
    hk_map looks; /* "fill..." to the number of its class */
    hk_svg css;
    bool *noted; /* of each thing: it was told that it is not there */
    const hk_scene_shot *shot;
    hk_camera camera;
    hk_spot *spots;
    size_t spot_count, spot_cap;
    hk_scene_face *faces;
    size_t face_count, face_cap;
    const char *unlabelled; /* labels that found no room */
    size_t drawn;           /* the thing that faces are added for */
    hk_box *extents; /* of each thing and all in it: where it is in the picture; w < 0: nowhere */
    bool has_water;
    double water; /* how high it is */
} hk_scene_drawing;

/* ---- scene_faces.c ---- */

/* All that is at a moment, painted into the box of the camera. */
void hk_scene_paint(hk_scene_drawing *d);
/* All places that are shown of a moment, for a camera that is to see them; appended. */
typedef struct hk_places {
    hk_geo_vector3 *all;
    size_t count, cap;
} hk_places;
void hk_scene_places(hk_arena *arena, const hk_scene_shot *shot, hk_places *places);
/* The way of what a trail is of, up to the moment, in upright axes. */
hk_geo_vector3 *hk_scene_trail(hk_arena *arena, const hk_scene_shot *shot, size_t trail,
                               size_t *ret_count);
/* The class for a colour; LINE: of strokes with that WIDTH. */
const char *hk_scene_look(hk_scene_drawing *d, uint32_t colour, double opacity, double width);

/* ---- scene_labels.c ---- */

void hk_scene_put_labels(hk_scene_drawing *d);
/* The axes in the lower left corner, and without perspective a scale in the lower right. */
void hk_scene_put_axes(hk_scene_drawing *d);

#endif
