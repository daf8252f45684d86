/* SPDX-License-Identifier: MIT
 *
 * A scene: things with a place, an attitude, a shape and a colour, some of their numbers bound to
 * signals of a record. It is read from a file (hk_scene_read), bound to a record (hk_scene_bind),
 * and looked at in one row of it (hk_scene_take): then every number has a value, and every thing
 * its place in the frame of the scene. All of it is plain data. */
#ifndef HK_SCENE_SCENE_H
#define HK_SCENE_SCENE_H

#include "format/table_read.h"
#include "scene/mesh.h"
#include "scene/scene_syntax.h"

/* Which way the axes of the scene go: north, east, down; east, north, up; or x, y and up. */
typedef enum hk_scene_frame { HK_SCENE_LOCAL, HK_SCENE_ENU, HK_SCENE_NED } hk_scene_frame;
extern const char *const hk_scene_frame_words[3];

typedef enum hk_scene_view {
    HK_VIEW_PERSPECTIVE,
    HK_VIEW_TOP,
    HK_VIEW_SIDE,
    HK_VIEW_FRONT,
    HK_VIEWS
} hk_scene_view;
extern const char *const hk_scene_view_words[HK_VIEWS];

/* The numbers of a thing. Lengths are in m, angles in rad, times in s. */
enum {
    HK_SCENE_N_AT, /* three */
    HK_SCENE_N_TURN =
        HK_SCENE_N_AT + 3, /* four: w x y z; or three: roll pitch yaw, or a direction */
    HK_SCENE_N_SCALE = HK_SCENE_N_TURN + 4,  /* three */
    HK_SCENE_N_SIZE = HK_SCENE_N_SCALE + 3,  /* three */
    HK_SCENE_N_VECTOR = HK_SCENE_N_SIZE + 3, /* three */
    HK_SCENE_N_LOOK = HK_SCENE_N_VECTOR + 3, /* three */
    HK_SCENE_N_RADIUS = HK_SCENE_N_LOOK + 3,
    HK_SCENE_N_TOP,
    HK_SCENE_N_LENGTH,
    HK_SCENE_N_HEIGHT,
    HK_SCENE_N_VALUE,
    HK_SCENE_N_OPACITY,
    HK_SCENE_N_LAST,
    HK_SCENE_N_ANGLE,
    HK_SCENE_N_WIDTH,
    HK_SCENE_NUMBERS
};

/* factor * (a signal) + offset; without a signal the offset alone. */
typedef struct hk_scene_number {
    const char *signal; /* NULL: it is a constant */
    size_t part;        /* of a signal that is a vector, from 0; SIZE_MAX: it is one number */
    double scale, offset;
    const hk_scene_value *from; /* where it was written; NULL: it is what holds without words */
    hk_scene_word word;         /* the property it is of */
    /* Once it is bound: */
    const double *column;
    const char *column_name;
    double factor, shift; /* of the unit: what is looked for = factor * (the column) + shift */
} hk_scene_number;

typedef enum hk_scene_turn {
    HK_TURN_NONE,
    HK_TURN_ANGLES,
    HK_TURN_QUATERNION,
    HK_TURN_DIRECTION /* the x axis points along a vector, and y stays level */
} hk_scene_turn;
typedef enum hk_scene_axes { HK_AXES_FLU, HK_AXES_FRD, HK_AXES_GLTF } hk_scene_axes;

#define HK_SCENE_NOBODY SIZE_MAX

typedef struct hk_scene_thing {
    hk_scene_kind kind;
    const char *name;
    size_t
        parent; /* the group it is in; HK_SCENE_NOBODY: none. A parent comes before its children */
    hk_scene_turn turn;
    hk_scene_number numbers[HK_SCENE_NUMBERS];
    bool has[HK_SCENE_WORDS]; /* properties that are said */
    uint32_t colour;          /* 0xrrggbb */
    const char *text, *file;
    const char *unit; /* of the value of a label, as it is shown; "": none; NULL: by the record */
    size_t of;        /* a thing that it is of, follows or looks at; HK_SCENE_NOBODY: none */
    int along;        /* of a cylinder: 0 x, 1 y, 2 z */
    hk_scene_axes axes;
    hk_scene_view view; /* of a camera */
    bool follows;       /* a camera that goes along with what it is of */
    const hk_mesh
        *mesh; /* of a mesh, heights, an outline: as in the file, in the axes of the scene */
    hk_place at;
} hk_scene_thing;

typedef struct hk_scene {
    const char *file, *name;
    hk_scene_frame frame;
    hk_scene_thing *things;
    size_t count;
    size_t signal_count; /* numbers that are bound to signals */
    /* Once it is bound; NULL: it is not. */
    const hk_table *record;
    const char *record_file;
} hk_scene;

/* Reads the file, and those that it names, which lie below its folder. All mistakes are reported.
 * Everything lives in ARENA. */
HK_NODISCARD hk_status hk_scene_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                     hk_scene **ret_scene);
/* The same of a text. FOLDER: where files lie; NULL: none is opened. */
HK_NODISCARD hk_status hk_scene_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                          const char *folder, hk_scene **ret_scene);
/* Finds the signals in a record, whose FILE is for messages. One that is not there, or whose unit
 * is of another dimension, is an error; which have no unit is noted. */
HK_NODISCARD hk_status hk_scene_bind(hk_ctx *ctx, hk_arena *arena, hk_scene *scene,
                                     const hk_table *record, const char *file);

/* A thing in one row of the record. */
typedef struct hk_scene_placed {
    bool there;                       /* false: something of it is not a finite number */
    const hk_scene_number *missing;   /* ... that */
    double numbers[HK_SCENE_NUMBERS]; /* what they are now */
    /* From the axes of the thing into those of the scene: turn p + at. The turn has the scales. */
    hk_geo_matrix3 turn;
    hk_geo_vector3 at;
} hk_scene_placed;

typedef struct hk_scene_shot {
    const hk_scene *scene;
    size_t row;
    double time; /* NaN: there is no record */
    hk_scene_placed *things;
} hk_scene_shot;

/* The scene in ROW of its record; without one ROW is 0 and signals are not there. */
hk_scene_shot *hk_scene_take(hk_arena *arena, const hk_scene *scene, size_t row);
/* Notes which things are not there, and why; each once in NOTED, which has one for each thing. */
void hk_scene_note_missing(hk_ctx *ctx, hk_arena *arena, const hk_scene_shot *shot, bool *noted);
/* The last row at or before TIME; HK_E_USAGE with WORDS ("--at") if the record does not have it. */
HK_NODISCARD hk_status hk_scene_find_row(hk_ctx *ctx, const hk_scene *scene, const char *words,
                                         double time, size_t *ret_row);
/* The places of a thing in rows FIRST to LAST, in the frame of the scene; NaN: it is not there. */
hk_geo_vector3 *hk_scene_way(hk_arena *arena, const hk_scene *scene, size_t thing, size_t first,
                             size_t last);
/* The shape of a thing in its own axes; NULL: it has none. */
const hk_mesh *hk_scene_shape(hk_arena *arena, const hk_scene *scene, const hk_scene_placed *placed,
                              size_t thing);
/* What a label says now: its text, and its value with its unit. */
const char *hk_scene_words(hk_arena *arena, const hk_scene *scene, const hk_scene_placed *placed,
                           size_t thing);
/* Into axes that go east, north (or right and ahead) and up. */
hk_geo_vector3 hk_scene_upright(const hk_scene *scene, hk_geo_vector3 v);
/* The thing called NAME; HK_SCENE_NOBODY: there is none. */
size_t hk_scene_find(const hk_scene *scene, const char *name);
/* A colour by its word or as "#rrggbb". */
bool hk_scene_colour(const char *text, uint32_t *ret_colour);
/* The words that colours may be, for messages. */
const char *const *hk_scene_colour_words(size_t *ret_count);

#endif
