/* SPDX-License-Identifier: MIT
 *
 * Scene files. docs/scenes.md has the grammar. */
#include "scene/scene_syntax.h"
#include "text/parser.h"

#include <string.h>

#define KIND_WORDS                                                                                 \
    "group", "box", "sphere", "cylinder", "plane", "mesh", "heights", "water", "outline", "trail", \
        "label", "arrow", "camera"
#define PROPERTY_WORDS                                                                             \
    "at", "attitude", "scale", "size", "radius", "top", "length", "height", "vector", "value",     \
        "opacity", "last", "angle", "width", "look", "of", "follow", "colour", "text", "file",     \
        "along", "axes", "view"

const char *const hk_scene_kind_words[HK_SCENE_KINDS] = {KIND_WORDS};
const char *const hk_scene_property_words[HK_SCENE_WORDS] = {PROPERTY_WORDS};

HK_LEVEL(file, "scene");
HK_LEVEL(scene, KIND_WORDS, "frame");
HK_LEVEL(node, KIND_WORDS, PROPERTY_WORDS);
HK_LEVEL(all, "scene", "frame", KIND_WORDS, PROPERTY_WORDS);

/* ---- values ---- */

static bool read_plain(hk_parser *p, hk_literal *ret_number) {
    if (p->token.kind != HK_TOKEN_NUMBER)
        return hk_parser_unexpected(p, "a number", NULL);
    return hk_parser_literal(p, ret_number);
}

static bool read_signal(hk_parser *p, hk_scene_value *value) {
    if (!hk_parser_path(p, "the path of a signal", &value->signal))
        return false;
    for (;;) {
        hk_place at = hk_parser_here(p);
        bool ok;
        if (hk_parser_skip(p, "in"))
            ok = hk_parser_once(p, &at, value->unit.text[0], "the unit") &&
                 hk_parser_text(p, "a unit", &value->unit);
        else if (hk_parser_skip(p, "scale"))
            ok = hk_parser_once(p, &at, value->scale.kind != HK_LITERAL_NONE, "the scale") &&
                 read_plain(p, &value->scale);
        else if (hk_parser_skip(p, "offset"))
            ok = hk_parser_once(p, &at, value->offset.kind != HK_LITERAL_NONE, "the offset") &&
                 read_plain(p, &value->offset);
        else
            return true;
        if (!ok)
            return false;
    }
}

static bool read_value(hk_parser *p, hk_scene_value *ret_value) {
    *ret_value = (hk_scene_value){.word = HK_MISSING,
                                  .number = HK_MISSING,
                                  .signal = HK_MISSING,
                                  .unit = HK_MISSING,
                                  .scale = HK_MISSING,
                                  .offset = HK_MISSING,
                                  .at = hk_parser_here(p)};
    if (hk_parser_skip(p, "signal"))
        return read_signal(p, ret_value);
    if (p->token.kind == HK_TOKEN_NUMBER)
        return read_plain(p, &ret_value->number);
    return hk_parser_unexpected(p, "a number or 'signal'", NULL);
}

static bool read_element(hk_parser *p, void *element, hk_place **ret_place) {
    hk_scene_value *value = element;
    *ret_place = &value->at;
    return read_value(p, value);
}

/* "( VALUE, VALUE )", or one. */
static bool read_values(hk_parser *p, hk_scene_property *property) {
    hk_list list = HK_LIST(hk_scene_value);
    bool ok;
    property->bracketed = hk_parser_skip_mark(p, "(");
    if (property->bracketed) {
        ok = hk_parser_elements(p, ")", read_element, &list, &property->at);
    } else {
        hk_scene_value value;
        ok = read_value(p, &value);
        if (ok)
            hk_list_add(&list, &value);
    }
    property->value_count = list.count;
    property->values = hk_list_keep(p->arena, &list);
    return ok;
}

/* "roll VALUE pitch VALUE yaw VALUE", at least one, each once. */
static bool read_angles(hk_parser *p, hk_scene_property *property) {
    static const char *const words[] = {"roll", "pitch", "yaw"};
    hk_scene_value *values = HK_NEW_ARRAY(p->arena, hk_scene_value, 3);
    bool has[3] = {false};
    property->values = values;
    for (;;) {
        size_t i = 0;
        while (i < 3 && !hk_parser_is(p, words[i]))
            i++;
        if (i == 3)
            return true;
        hk_name word = {.text = p->token.text, .at = hk_parser_here(p)};
        hk_parser_take(p);
        if (!hk_parser_once(p, &word.at, has[i], words[i]) ||
            !read_value(p, &values[property->value_count]))
            return false;
        values[property->value_count++].word = word;
        has[i] = true;
    }
}

static bool read_attitude(hk_parser *p, hk_scene_property *property) {
    static const char *const words[] = {"quaternion", "euler", "direction", "roll", "pitch", "yaw"};
    if (hk_parser_is(p, "roll") || hk_parser_is(p, "pitch") || hk_parser_is(p, "yaw"))
        return read_angles(p, property);
    return hk_parser_word(p, words, 6, &property->name) && read_values(p, property);
}

/* ---- properties ---- */

/* A colour may be a word or in quotes. */
static bool read_colour(hk_parser *p, hk_name *ret_name) {
    return hk_parser_path(p, "a colour, as red or \"#d55e00\"", ret_name);
}

static bool read_content(hk_parser *p, hk_scene_property *property) {
    static const char *const alongs[] = {"x", "y", "z"};
    static const char *const axes[] = {"flu", "frd", "gltf"};
    static const char *const views[] = {"perspective", "top", "side", "front"};
    switch (property->word) {
    case HK_SCENE_ATTITUDE:
        return read_attitude(p, property);
    case HK_SCENE_OF:
    case HK_SCENE_FOLLOW:
        return hk_parser_name(p, "the name of a thing", &property->name);
    case HK_SCENE_LOOK:
        if (hk_parser_is_mark(p, "(") || hk_parser_is(p, "signal"))
            return read_values(p, property);
        return hk_parser_name(p, "the name of a thing, or a place", &property->name);
    case HK_SCENE_COLOUR:
        return read_colour(p, &property->name);
    case HK_SCENE_TEXT:
        return hk_parser_text(p, "a text", &property->name);
    case HK_SCENE_FILE:
        return hk_parser_text(p, "the name of a file", &property->name);
    case HK_SCENE_ALONG:
        return hk_parser_word(p, alongs, 3, &property->name);
    case HK_SCENE_AXES:
        return hk_parser_word(p, axes, 3, &property->name);
    case HK_SCENE_VIEW:
        return hk_parser_word(p, views, 4, &property->name);
    default:
        return read_values(p, property);
    }
}

static bool read_property(hk_parser *p, hk_list *items, hk_scene_word word, hk_place at) {
    hk_scene_property *property = HK_NEW(p->arena, hk_scene_property);
    *property = (hk_scene_property){.word = word, .name = HK_MISSING, .at = at};
    if (!read_content(p, property) || !hk_parser_semicolon(p, &property->at))
        return false;
    hk_list_add(items, &(hk_scene_item){.property = property});
    return true;
}

/* ---- things ---- */

static bool read_item(hk_parser *p, void *into, size_t word, hk_place at);

static bool read_node(hk_parser *p, hk_scene_kind kind, hk_place at, hk_scene_node **ret_node) {
    hk_scene_node *node = HK_NEW(p->arena, hk_scene_node);
    hk_list items = HK_LIST(hk_scene_item);
    *node = (hk_scene_node){.kind = kind, .name = HK_MISSING, .at = at};
    *ret_node = node;
    bool ok = hk_parser_enter(p);
    if (!ok)
        return false;
    ok = hk_parser_name(p, "the name of the thing", &node->name) || hk_parser_is_mark(p, "{");
    if (ok && hk_parser_is_mark(p, "{"))
        ok = hk_parser_braces(p, &node_level, &node->at, read_item, &items, &node->end);
    else if (ok)
        ok = hk_parser_semicolon(p, &node->at);
    hk_parser_leave(p);
    node->item_count = items.count;
    node->items = hk_list_keep(p->arena, &items);
    return ok;
}

static bool read_item(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_scene_node *node;
    if (word >= HK_SCENE_KINDS)
        return read_property(p, into, (hk_scene_word)(word - HK_SCENE_KINDS), at);
    bool ok = read_node(p, (hk_scene_kind)word, at, &node);
    hk_list_add(into, &(hk_scene_item){.node = node});
    return ok;
}

typedef struct reading {
    hk_scenefile *file;
    hk_list nodes;
    bool seen;
} reading;

static bool read_top(hk_parser *p, void *into, size_t word, hk_place at) {
    static const char *const frames[] = {"ned", "enu", "local"};
    reading *r = into;
    hk_scene_node *node;
    if (word == HK_SCENE_KINDS) {
        if (!hk_parser_once(p, &at, r->file->frame.text[0], "the frame") ||
            !hk_parser_word(p, frames, 3, &r->file->frame))
            return false;
        r->file->frame.at = at;
        return hk_parser_semicolon(p, &r->file->frame.at);
    }
    bool ok = read_node(p, (hk_scene_kind)word, at, &node);
    hk_list_add(&r->nodes, &node);
    return ok;
}

static bool read_scene(hk_parser *p, void *into, size_t word, hk_place at) {
    reading *r = into;
    (void)word;
    if (!hk_parser_once(p, &at, r->seen, "the scene"))
        return false;
    r->seen = true;
    r->file->at = at;
    return hk_parser_head(p, "the name of the scene", &r->file->name) &&
           hk_parser_braces(p, &scene_level, &r->file->at, read_top, r, &r->file->end);
}

hk_status hk_scene_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                         size_t size, hk_scenefile **ret_file) {
    hk_parser parser, *p = &parser;
    hk_file_text text = {file, data, size};
    reading r = {.file = HK_NEW(arena, hk_scenefile), .nodes = HK_LIST(hk_scene_node *)};
    HK_ASSERT(ctx && data);
    *r.file = (hk_scenefile){.file = file, .name = HK_MISSING, .frame = HK_MISSING};
    hk_parser_begin(p, ctx, arena, &text, &all_level);
    hk_parser_whole(p, &file_level, read_scene, &r, &r.file->rest);
    if (!r.seen && !p->complaints.count)
        hk_parser_error(p, 1, 1, "scene survey { ... }", "there is no scene in this file");
    r.file->node_count = r.nodes.count;
    r.file->nodes = hk_list_keep(arena, &r.nodes);
    *ret_file = r.file;
    return hk_parser_finish(p);
}
