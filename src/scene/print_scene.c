/* SPDX-License-Identifier: MIT */
#include "scene/scene_syntax.h"
#include "text/print.h"

#include <stddef.h>
#include <string.h>

static void put_value(hk_printer *pr, const void *what) {
    const hk_scene_value *value = what;
    if (!value->signal.text[0]) {
        hk_print_literal(pr, &value->number);
        return;
    }
    hk_print(pr, "signal ");
    hk_print_name(pr, &value->signal);
    if (value->unit.text[0]) {
        hk_print(pr, " in ");
        hk_print_quoted(pr, value->unit.text);
    }
    if (value->scale.kind != HK_LITERAL_NONE) {
        hk_print(pr, " scale ");
        hk_print_literal(pr, &value->scale);
    }
    if (value->offset.kind != HK_LITERAL_NONE) {
        hk_print(pr, " offset ");
        hk_print_literal(pr, &value->offset);
    }
}

static void put_angles(hk_printer *pr, const hk_scene_property *property) {
    for (size_t i = 0; i < property->value_count; i++) {
        const hk_scene_value *value = &property->values[i];
        hk_print_wrap(pr, strlen(value->word.text) + 1 + hk_print_length(put_value, value));
        hk_print(pr, value->word.text);
        hk_print(pr, " ");
        put_value(pr, value);
    }
}

static void put_values(hk_printer *pr, const hk_scene_property *property) {
    hk_elements elements = {property->values, property->value_count, sizeof(hk_scene_value),
                            offsetof(hk_scene_value, at), put_value};
    hk_print(pr, " ");
    if (property->bracketed)
        hk_print_elements(pr, "(", elements, ")");
    else
        put_value(pr, property->values);
}

static void put_name(hk_printer *pr, const hk_scene_property *property) {
    bool text = property->word == HK_SCENE_TEXT || property->word == HK_SCENE_FILE;
    hk_print(pr, " ");
    if (text)
        hk_print_quoted(pr, property->name.text);
    else
        hk_print_name(pr, &property->name);
}

static void put_property(hk_printer *pr, const hk_scene_property *property) {
    hk_print_line(pr, &property->at);
    hk_print(pr, hk_scene_property_words[property->word]);
    if (property->name.text[0])
        put_name(pr, property);
    if (property->value_count && property->values[0].word.text[0])
        put_angles(pr, property);
    else if (property->value_count || property->bracketed)
        put_values(pr, property);
    hk_print(pr, ";");
    hk_print_end(pr, &property->at);
}

static void put_node(hk_printer *pr, const hk_scene_node *node) {
    hk_print_line(pr, &node->at);
    hk_print(pr, hk_scene_kind_words[node->kind]);
    hk_print(pr, " ");
    hk_print_name(pr, &node->name);
    if (node->item_count == 0 && !node->end.before_count && !node->end.behind) {
        hk_print(pr, ";");
        hk_print_end(pr, &node->at);
        return;
    }
    if (!hk_print_open(pr, &node->at, &node->end, node->item_count == 0))
        return;
    for (size_t i = 0; i < node->item_count; i++) {
        if (node->items[i].node)
            put_node(pr, node->items[i].node);
        else
            put_property(pr, node->items[i].property);
    }
    hk_print_close(pr, &node->end);
}

const char *hk_scene_print(hk_arena *arena, const hk_scenefile *file) {
    HK_ASSERT(arena && file);
    hk_printer pr = {0};
    hk_print_line(&pr, &file->at);
    hk_print(&pr, "scene ");
    hk_print_name(&pr, &file->name);
    if (hk_print_open(&pr, &file->at, &file->end, !file->node_count && !file->frame.text[0])) {
        if (file->frame.text[0]) {
            hk_print_line(&pr, &file->frame.at);
            hk_print(&pr, "frame ");
            hk_print(&pr, file->frame.text);
            hk_print(&pr, ";");
            hk_print_end(&pr, &file->frame.at);
        }
        for (size_t i = 0; i < file->node_count; i++)
            put_node(&pr, file->nodes[i]);
        hk_print_close(&pr, &file->end);
    }
    hk_print_rest(&pr, &file->rest);
    return hk_print_finish(&pr, arena);
}
