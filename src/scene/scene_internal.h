/* SPDX-License-Identifier: MIT
 *
 * Inside the room: from what a scene file says to what it means. */
#ifndef HK_SCENE_SCENE_INTERNAL_H
#define HK_SCENE_SCENE_INTERNAL_H

#include "base/complaints.h"
#include "base/map.h"
#include "scene/scene.h"

typedef struct hk_scene_reading {
    hk_complaints complaints;
    hk_arena *arena;
    const char *file, *folder;
    hk_scene *scene;
    size_t cap;
    hk_map names;
    const hk_scene_property **links; /* of each thing: who it is of, as it was written; or NULL */
    size_t link_cap;
} hk_scene_reading;

hk_status hk_scene_complain(hk_scene_reading *r, const hk_place *at, const char *hint,
                            const char *format, ...) HK_PRINTF(4, 5);
/* Fills in the numbers of THING from PROPERTY (scene_values.c). */
void hk_scene_read_numbers(hk_scene_reading *r, hk_scene_thing *thing,
                           const hk_scene_property *property);
/* The numbers that hold without words. */
void hk_scene_default_numbers(hk_scene_thing *thing);
/* Reads the file of a mesh, of heights or of an outline (scene_files.c). */
HK_NODISCARD hk_status hk_scene_read_file(hk_scene_reading *r, hk_scene_thing *thing,
                                          const hk_scene_property *property);
/* What a number of this property is measured in: "m", "rad", "s", "1"; NULL: anything. */
const char *hk_scene_unit_of(hk_scene_word word, hk_scene_turn turn);

#endif
