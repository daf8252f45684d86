/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: from places in space to places in a picture. Space is in m, in axes that go
 * east (or right), north (or ahead) and up. */
#ifndef HK_DRAW_SCENE_CAMERA_H
#define HK_DRAW_SCENE_CAMERA_H

#include "draw/canvas.h"
#include "scene/scene.h"

typedef struct hk_camera {
    bool perspective;
    hk_geo_vector3 eye;              /* without perspective: any place on the axis */
    hk_geo_vector3 right, up, ahead; /* of the picture; of length 1 */
    double zoom; /* pixels of 1 m, with perspective of 1 m in the distance of 1 m */
    hk_box box;  /* the part of the picture that is looked into */
} hk_camera;

/* Where a place is; the depth in m grows away from the eye. */
typedef struct hk_spot {
    double x, y, depth;
} hk_spot;

/* What is nearer than that to an eye with perspective is not seen. */
#define HK_CAMERA_NEAR 0.01

/* Along x to the right, y up, z ahead of the camera. */
hk_geo_vector3 hk_camera_see(const hk_camera *camera, hk_geo_vector3 place);
/* Of what hk_camera_see gives; with perspective z is at least HK_CAMERA_NEAR. */
hk_spot hk_camera_spot(const hk_camera *camera, hk_geo_vector3 seen);
hk_spot hk_camera_project(const hk_camera *camera, hk_geo_vector3 place);

/* Looks along AHEAD, with up upwards; straight down with north upwards. */
void hk_camera_turn(hk_camera *camera, hk_geo_vector3 ahead);
/* The direction of a view. */
void hk_camera_face(hk_camera *camera, hk_scene_view view);
/* Moves it, as it is turned, so that all PLACES are in its box, and as large as they can be; ANGLE:
 * from the left to the right edge of what is seen with perspective. */
void hk_camera_fit(hk_camera *camera, const hk_geo_vector3 *places, size_t count, double angle);
/* How many times as wide as high PLACES are in the picture of one without perspective. */
double hk_camera_aspect(const hk_camera *camera, const hk_geo_vector3 *places, size_t count);

/* What of a polygon is ahead of the eye; RESULT has room for 2 COUNT. */
size_t hk_camera_clip_near(const hk_geo_vector3 *seen, size_t count, hk_geo_vector3 *result);
/* What of a polygon is in BOX; RESULT and SPARE have room for 6 COUNT:
 * each edge may make half as many again. */
size_t hk_clip_polygon(hk_box box, const hk_spot *spots, size_t count, hk_spot *result,
                       hk_spot *spare);
/* The same of a line; false: nothing. */
bool hk_clip_line(hk_box box, hk_spot *a, hk_spot *b);

#endif
