/* SPDX-License-Identifier: MIT
 *
 * Two trees of scenes are the same if they differ in lines and columns only. */
#ifndef HK_TEST_SAME_SCENE_H
#define HK_TEST_SAME_SCENE_H

#include "same_tree.h"
#include "scene/scene_syntax.h"

static inline bool same_scene_value(const hk_scene_value *a, const hk_scene_value *b) {
    SAME(name, word);
    SAME(literal, number);
    SAME(name, signal);
    SAME(name, unit);
    SAME(literal, scale);
    SAME(literal, offset);
    SAME(place, at);
    return true;
}

static inline bool same_scene_property(const hk_scene_property *a, const hk_scene_property *b) {
    SAME_VALUE(word);
    SAME(name, name);
    SAME_VALUE(bracketed);
    SAME_LIST(scene_value, values, value_count);
    SAME(place, at);
    return true;
}

static inline bool same_scene_node(const hk_scene_node *a, const hk_scene_node *b);

static inline bool same_scene_item(const hk_scene_item *a, const hk_scene_item *b) {
    SAME_OPTIONAL(scene_node, node);
    SAME_OPTIONAL(scene_property, property);
    return true;
}

static inline bool same_scene_node(const hk_scene_node *a, const hk_scene_node *b) {
    SAME_VALUE(kind);
    SAME(name, name);
    SAME_LIST(scene_item, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_scene_pointer(hk_scene_node *const *a, hk_scene_node *const *b) {
    return same_scene_node(*a, *b);
}

static inline bool same_scene(const hk_scenefile *a, const hk_scenefile *b) {
    SAME(name, name);
    SAME(name, frame);
    SAME_LIST(scene_pointer, nodes, node_count);
    SAME(place, at);
    SAME(place, end);
    SAME(place, rest);
    return true;
}

#endif
