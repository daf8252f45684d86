/* SPDX-License-Identifier: MIT
 *
 * Comments of a tree as those of XML, which may not hold "--". */
#include "ssp/ssp_write_internal.h"

#include "format/escape.h"

#include <string.h>

/* XML has no words for most control characters, or for bytes that are not UTF-8: they become \xHH,
 * so that they can be seen. */
static const char *readable(hk_ssp_writer *w, const char *text) {
    size_t size = strlen(text), used = 0, length;
    char *kept = hk_arena_alloc(w->arena, 4 * size + 1);
    for (size_t i = 0; i < size; i += length) {
        hk_glyph glyph = hk_glyph_at(text + i, size - i, &length);
        if (glyph == HK_GLYPH_PLAIN || glyph == HK_GLYPH_BREAK) {
            memcpy(kept + used, text + i, length);
            used += length;
        } else {
            used += hk_escape(text + i, length, kept + used);
        }
    }
    return kept;
}

/* A hyphen behind a hyphen, with or without backslashes between them, gets one backslash more.
 * keep_comments.c takes it away again, so that every text comes back as it was. */
static const char *escape(hk_ssp_writer *w, const char *text) {
    char *kept = hk_arena_alloc(w->arena, 2 * strlen(text) + 1), *to = kept;
    for (const char *c = text; *c; c++) {
        *to++ = *c;
        size_t slashes = *c == '-' ? strspn(c + 1, "\\") : 0;
        if (*c == '-' && c[1 + slashes] == '-')
            *to++ = '\\';
    }
    *to = '\0';
    return kept;
}

static void put(hk_ssp_writer *w, hk_xml_node *list, const char *text) {
    size_t length = strlen(text);
    bool block = length > 3 && strncmp(text, "/*", 2) == 0;
    bool marks = block || strncmp(text, "//", 2) == 0;
    text += marks ? 2 : 0;
    length -= marks ? 2 : 0;
    if (block && strcmp(text + length - 2, "*/") == 0)
        length -= 2;
    hk_xml_node *node = hk_xml_add(w->doc, list, "");
    bool blank_first = length && *text == ' ', blank_last = length && text[length - 1] == ' ';
    node->kind = HK_XML_COMMENT;
    node->name = NULL;
    text = hk_arena_printf(w->arena, "%s%.*s%s", blank_first ? "" : " ", (int)length, text,
                           blank_last || !length ? "" : " ");
    node->text = escape(w, readable(w, text));
}

void hk_ssp_write_comments(hk_ssp_writer *w, hk_xml_node *list, const hk_tree_comments *comments) {
    for (size_t i = 0; i < comments->count; i++)
        put(w, list, comments->texts[i]);
}
