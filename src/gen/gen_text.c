/* SPDX-License-Identifier: MIT
 *
 * Texts that grow, laid out as the project's own code is. */
#include "gen/gen_internal.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN_MAX = 100, LITERAL_MAX = 80 };

void hk_text_finish(hk_text *text) {
    hk_free(text->data);
    *text = (hk_text){0};
}

void hk_text_add(hk_text *text, const char *data, size_t size) {
    if (text->size + size + 1 > text->cap) {
        text->cap = 2 * text->cap + size + 256;
        text->data = hk_realloc(text->data, text->cap);
    }
    if (size)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void hk_text_put(hk_text *text, const char *format, ...) {
    hk_arena *arena = hk_arena_create();
    va_list args;
    va_start(args, format);
    const char *made = hk_arena_vprintf(arena, format, args);
    va_end(args);
    hk_text_add(text, made, strlen(made));
    hk_arena_destroy(arena);
}

void hk_text_call(hk_text *text, const char *head, const char *const *items, size_t count,
                  const char *tail) {
    size_t column = strlen(head) + 1, indent = column;
    hk_text_put(text, "%s(", head);
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        size_t length = strlen(items[i]) + (last ? 1 + strcspn(tail, "\n") : 1);
        if (i && column + 1 + length > COLUMN_MAX) {
            hk_text_put(text, "\n%*s", (int)indent, "");
            column = indent;
        } else if (i) {
            hk_text_add(text, " ", 1);
            column++;
        }
        hk_text_put(text, "%s%s", items[i], last ? "" : ",");
        column += length;
    }
    hk_text_put(text, ")%s", tail);
}

void hk_text_literal(hk_text *text, const char *value) {
    size_t column = 0;
    hk_text_add(text, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        /* Long texts are in several literals; never inside a character of several bytes. */
        if (column >= LITERAL_MAX && *c < 0x80) {
            hk_text_put(text, "\"\n        \"");
            column = 0;
        }
        if (*c == '"' || *c == '\\')
            hk_text_put(text, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f || *c == '?') /* "??" could begin a trigraph */
            hk_text_put(text, "\\%03o", *c);
        else
            hk_text_add(text, (const char *)c, 1);
        column++;
    }
    hk_text_add(text, "\"", 1);
}

const char *hk_gen_safe(hk_arena *arena, const char *text) {
    char *safe = hk_arena_strdup(arena, text);
    for (char *c = safe; *c; c++)
        if ((*c == '*' && c[1] == '/') || (*c == '/' && c[1] == '*') || (unsigned char)*c < 0x20)
            *c = ' ';
    return safe;
}

const char *hk_gen_remark(hk_arena *arena, const char *unit, const char *frame) {
    const char *text = unit ? hk_arena_printf(arena, "unit %s", hk_gen_safe(arena, unit)) : NULL;
    if (frame)
        text = hk_arena_printf(arena, "%s%sframe %s", text ? text : "", text ? ", " : "",
                               hk_gen_safe(arena, frame));
    return text;
}
