/* SPDX-License-Identifier: MIT
 *
 * Scenes as pictures: one moment, or several side by side. Faces are painted from the far to the
 * near by their centres, in layers: ground (heights and planes) first, then what is on the other
 * side of the water than the eye, the water, and what is on its side. So a hill hides nothing that
 * stands behind it, and faces that pass through each other are not cut. */
#ifndef HK_DRAW_DRAW_SCENE_H
#define HK_DRAW_DRAW_SCENE_H

#include "draw/canvas.h"
#include "scene/scene.h"

typedef struct hk_scene_picture {
    const char *title;  /* NULL: the name of the scene */
    const size_t *rows; /* of the record: the moments, in order */
    size_t row_count;   /* at least 1 */
    size_t camera;      /* a thing of the scene; HK_SCENE_NOBODY: the view, of everything */
    hk_scene_view view;
    unsigned width, height; /* pixels of the picture, of one moment; 0: 960, and as it fits */
} hk_scene_picture;

/* What is not shown is noted. */
hk_picture hk_scene_draw(hk_ctx *ctx, const hk_scene *scene, const hk_scene_picture *wish,
                         hk_canvas *canvas);

#endif
