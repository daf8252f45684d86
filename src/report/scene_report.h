/* SPDX-License-Identifier: MIT
 *
 * Scenes as JSON: what is in one, and where everything is in a row of its record. A page that shows
 * a run gets both so. Everything is in the frame of the scene. */
#ifndef HK_REPORT_SCENE_REPORT_H
#define HK_REPORT_SCENE_REPORT_H

#include "report/report.h"
#include "scene/scene.h"

/* Members of an object that is open: "name", "frame", "things". SHAPES: with the points and faces
 * of meshes, heights and outlines. */
void hk_scene_put(hk_json *json, const hk_scene *scene, bool shapes);
/* Members "time_s" and "placed", an element for each thing: "there"; "matrix", the rows of the
 * three by four numbers that take a point of the thing into the frame; "numbers", what each
 * property is now; of a label "words". */
void hk_scene_shot_put(hk_json *json, hk_arena *arena, const hk_scene_shot *shot);
/* How many things of each kind: "2 boxes, 1 trail". */
const char *hk_scene_kinds(hk_arena *arena, const hk_scene *scene);

#endif
