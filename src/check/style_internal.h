/* SPDX-License-Identifier: MIT
 *
 * What the files that hold a system to a style share. */
#ifndef HK_CHECK_STYLE_INTERNAL_H
#define HK_CHECK_STYLE_INTERNAL_H

#include "check/style.h"

#include "base/complaints.h"
#include "model/tree.h"

/* One style, from its table. */
typedef struct hk_style_rules {
    const char *name;
    bool allows[HK_TREE_ROLES][HK_TREE_ROLES];       /* from, to */
    const char *hints[HK_TREE_ROLES][HK_TREE_ROLES]; /* NULL: none */
    bool results[HK_TREE_ROLES], own_frames[HK_TREE_ROLES];
    hk_texts units, frames;
} hk_style_rules;

/* The work of one check. */
typedef struct hk_styler {
    hk_complaints complaints;
    hk_arena *arena;
    const hk_model *model;
    const hk_simulation *simulation; /* NULL: the system alone */
    const hk_style_rules *rules;
    const hk_tree_element **leaves; /* per component */
    bool exempt[HK_TREE_ROLES][HK_TREE_ROLES];
    size_t exempted[HK_TREE_ROLES][HK_TREE_ROLES]; /* ways that are */
    hk_where first[HK_TREE_ROLES][HK_TREE_ROLES];  /* of them */
    hk_map told;                                   /* what was said, so that it is said once */
} hk_styler;

/* True once for each key. */
bool hk_style_first(hk_styler *s, const char *key);
/* The role of a component; HK_TREE_NO_ROLE: it has none, or is not part of the system. */
hk_tree_role hk_style_role(const hk_styler *s, uint32_t component);

/* style_place.c: a way from one leaf to another. Of services it leads from what asks to what
 * answers. */
typedef struct hk_style_way {
    const hk_tree_element *from, *to;
    const char *from_name, *to_name; /* of variables or interfaces */
    bool service;
} hk_style_way;
/* Where it crosses from one composite to the other. */
typedef struct hk_style_crossing {
    hk_where where;
    const hk_tree_connector *from, *to; /* ports of the composites; NULL: of a leaf, or a service */
} hk_style_crossing;
/* False: that is not found. */
bool hk_style_cross(const hk_styler *s, const hk_style_way *way, hk_style_crossing *ret_crossing);
/* The same of a connection; if it is not found, its own place. */
hk_style_crossing hk_style_cross_at(const hk_styler *s, const hk_connection *connection);
/* "Environment.Current"; of the outermost system its name. */
const char *hk_style_path(const hk_styler *s, const hk_tree_element *system);

/* style_standard.c: units and frames of what goes from one role to another. */
void hk_style_standard(hk_styler *s);

#endif
