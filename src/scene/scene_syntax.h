/* SPDX-License-Identifier: MIT
 *
 * What a scene file says, as a tree: things with properties, groups with things in them. The parser
 * makes it, the printer (`hocket fmt`) writes it, scene/scene.h gives it a meaning. Which property
 * belongs to which thing is not known here. */
#ifndef HK_SCENE_SCENE_SYNTAX_H
#define HK_SCENE_SCENE_SYNTAX_H

#include "text/nodes.h"

/* In the order of their words. */
typedef enum hk_scene_kind {
    HK_SCENE_GROUP,
    HK_SCENE_BOX,
    HK_SCENE_SPHERE,
    HK_SCENE_CYLINDER,
    HK_SCENE_PLANE,
    HK_SCENE_MESH,
    HK_SCENE_HEIGHTS,
    HK_SCENE_WATER,
    HK_SCENE_OUTLINE,
    HK_SCENE_TRAIL,
    HK_SCENE_LABEL,
    HK_SCENE_ARROW,
    HK_SCENE_CAMERA,
    HK_SCENE_KINDS
} hk_scene_kind;
extern const char *const hk_scene_kind_words[HK_SCENE_KINDS];

/* In the order of their words. */
typedef enum hk_scene_word {
    HK_SCENE_AT,
    HK_SCENE_ATTITUDE,
    HK_SCENE_SCALE,
    HK_SCENE_SIZE,
    HK_SCENE_RADIUS,
    HK_SCENE_TOP,
    HK_SCENE_LENGTH,
    HK_SCENE_HEIGHT,
    HK_SCENE_VECTOR,
    HK_SCENE_VALUE,
    HK_SCENE_OPACITY,
    HK_SCENE_LAST,
    HK_SCENE_ANGLE,
    HK_SCENE_WIDTH,
    HK_SCENE_LOOK,
    HK_SCENE_OF,
    HK_SCENE_FOLLOW,
    HK_SCENE_COLOUR,
    HK_SCENE_TEXT,
    HK_SCENE_FILE,
    HK_SCENE_ALONG,
    HK_SCENE_AXES,
    HK_SCENE_VIEW,
    HK_SCENE_WORDS
} hk_scene_word;
extern const char *const hk_scene_property_words[HK_SCENE_WORDS];

/* A number, or "signal PATH [in UNIT] [scale NUMBER] [offset NUMBER]". */
typedef struct hk_scene_value {
    hk_name word;      /* "roll", "pitch", "yaw" before it; text "": none */
    hk_literal number; /* NONE: it is a signal */
    hk_name signal;    /* text "": it is a number */
    hk_name unit;      /* of what the record has; text "": not said */
    hk_literal scale, offset;
    hk_place at;
} hk_scene_value;

typedef struct hk_scene_property {
    hk_scene_word word;
    hk_name name; /* a word, a text or the name of a thing; of an attitude "quaternion", "euler" or
                     ""; text "": there are values */
    bool bracketed; /* the values are in round brackets */
    hk_scene_value *values;
    size_t value_count;
    hk_place at;
} hk_scene_property;

typedef struct hk_scene_node hk_scene_node;

/* One of the two. */
typedef struct hk_scene_item {
    hk_scene_node *node;
    hk_scene_property *property;
} hk_scene_item;

/* "box hull { items }" */
struct hk_scene_node {
    hk_scene_kind kind;
    hk_name name;
    hk_scene_item *items;
    size_t item_count;
    hk_place at, end;
};

typedef struct hk_scenefile {
    const char *file;
    hk_name name;
    hk_name frame; /* "ned", "enu", "local"; text "": not said */
    hk_scene_node **nodes;
    size_t node_count;
    hk_place at, end, rest;
} hk_scenefile;

/* All mistakes of the form are reported, HK_E_LANGUAGE; *RET_FILE is whole in any case. */
HK_NODISCARD hk_status hk_scene_parse(hk_ctx *ctx, hk_arena *arena, const char *file,
                                      const char *data, size_t size, hk_scenefile **ret_file);
/* The canonical form, in ARENA. */
const char *hk_scene_print(hk_arena *arena, const hk_scenefile *file);

#endif
