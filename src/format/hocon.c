/* SPDX-License-Identifier: MIT */
#include "format/hocon.h"

#include "base/map.h"
#include "base/number.h"
#include "base/utf8.h"

#include <string.h>

typedef struct reader {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file, *at, *end, *line_begin;
    int line, depth;
} reader;

static hk_status wrong(reader *r, const char *hint, const char *what) {
    hk_where where = {.file = r->file, .line = r->line, .column = (int)(r->at - r->line_begin) + 1};
    return hk_error(r->ctx, HK_E_LANGUAGE, where, hint, "%s", what);
}

static int peek(const reader *r) {
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static bool begins(const reader *r, const char *text) {
    size_t length = strlen(text);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

/* Space and comments; true if a line has ended. */
static bool skip(reader *r) {
    bool ended = false;
    for (;;) {
        if (peek(r) == '#' || begins(r, "//")) {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        } else if (peek(r) == '\n') {
            r->line_begin = ++r->at;
            r->line++;
            ended = true;
        } else if (r->at < r->end && memchr(" \t\r", *r->at, 3)) {
            r->at++;
        } else {
            return ended;
        }
    }
}

static hk_json_value *begin_value(reader *r, hk_json_kind kind) {
    hk_json_value *value = HK_NEW(r->arena, hk_json_value);
    value->kind = kind;
    value->line = r->line;
    value->column = (int)(r->at - r->line_begin) + 1;
    return value;
}

/* A text in quotes, as in JSON. */
static hk_status read_quoted(reader *r, const char **ret_text, size_t *ret_size) {
    const char *end = r->at + 1;
    hk_json_fault fault;
    if (begins(r, "\"\"\""))
        return wrong(r, "write it with one quote", "texts in three quotes are not supported");
    while (end < r->end && *end != '"' && *end != '\n')
        end += *end == '\\' && end + 1 < r->end ? 2 : 1;
    if (end >= r->end || *end != '"')
        return wrong(r, NULL, "a text does not end in its line");
    hk_json_span s = {r->at, (size_t)(end + 1 - r->at)};
    if (!hk_json_check(s.at, s.size, &fault))
        return wrong(r, NULL, fault.what);
    *ret_text = hk_json_decode(r->arena, s, ret_size);
    r->at = end + 1;
    return HK_OK;
}

/* Without quotes a text ends at the end of its line or at a mark. */
static hk_status read_plain(reader *r, const char *also, const char **ret_text, size_t *ret_size) {
    const char *begin = r->at, *last = begin;
    while (r->at < r->end && !memchr(",{}[]\"=:#\n", *r->at, 10) && !begins(r, "//") &&
           !(*also && strchr(also, *r->at))) {
        if (memchr("$+`^?!@*&\\;", *r->at, 11))
            return wrong(r, "put it into quotes; substitutions and '+=' are not supported",
                         "this character is in quotes only");
        size_t length = hk_utf8_length((const unsigned char *)r->at, (size_t)(r->end - r->at));
        if (!length || (unsigned char)*r->at < 9)
            return wrong(r, NULL, "this is not text in UTF-8");
        r->at += length;
        last = memchr(" \t\r", r->at[-1], 3) ? last : r->at;
    }
    if (last == begin)
        return wrong(r, NULL, "a value is missing");
    *ret_text = hk_arena_strndup(r->arena, begin, (size_t)(last - begin));
    *ret_size = (size_t)(last - begin);
    return HK_OK;
}

static void find_kind(hk_json_value *value) {
    value->kind = HK_JSON_STRING;
    if (strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0) {
        value->kind = HK_JSON_BOOL;
        value->number = value->text[0] == 't';
    } else if (strcmp(value->text, "null") == 0) {
        value->kind = HK_JSON_NULL;
    } else if (strchr("-0123456789", value->text[0]) &&
               hk_read_f64(value->text, value->text_size, &value->number)) {
        value->kind = HK_JSON_NUMBER;
    }
}

static hk_status read_value(reader *r, hk_json_value **ret_value);

static hk_status read_key(reader *r, const char **ret_name) {
    size_t size;
    if (peek(r) == '"') {
        HK_TRY(read_quoted(r, ret_name, &size));
    } else {
        HK_TRY(read_plain(r, ".", ret_name, &size));
        if (peek(r) == '.')
            return wrong(r, "write nested braces", "a path as a key is not supported");
        if (strcmp(*ret_name, "include") == 0)
            return wrong(r, "put everything into one file", "'include' is not supported");
    }
    skip(r);
    if (peek(r) == '=' || peek(r) == ':')
        r->at++;
    else if (peek(r) != '{')
        return wrong(r, NULL, "'=' is missing after a key");
    skip(r);
    return HK_OK;
}

/* Members or elements up to LAST (0: the end of the file), with commas or new lines between. */
static hk_status read_items(reader *r, hk_json_value *into, int last, hk_map *names) {
    hk_json_value **end = &into->first;
    skip(r);
    while (peek(r) != (last ? last : -1)) {
        const char *name = NULL;
        if (peek(r) < 0)
            return wrong(r, NULL, last == ']' ? "']' is missing" : "'}' is missing");
        if (into->kind == HK_JSON_OBJECT)
            HK_TRY(read_key(r, &name));
        if (name && hk_map_put(names, name, (uint32_t)into->count) != into->count)
            return wrong(r, NULL, hk_arena_printf(r->arena, "'%s' is given twice", name));
        HK_TRY(read_value(r, end));
        (*end)->name = name;
        end = &(*end)->next;
        into->count++;
        bool ended = skip(r);
        if (peek(r) == ',') {
            r->at++;
            skip(r);
        } else if (!ended && peek(r) != (last ? last : -1) && peek(r) >= 0) {
            return wrong(r, NULL, "',' or a new line is missing");
        }
    }
    r->at += last != 0;
    return HK_OK;
}

static hk_status read_list(reader *r, hk_json_value *into, int last) {
    hk_map names = {0};
    if (++r->depth > HK_JSON_NESTED_MAX)
        return wrong(r, NULL, "lists and objects are nested too deep");
    hk_status status = read_items(r, into, last, &names);
    r->depth--;
    hk_map_finish(&names);
    return status;
}

static hk_status read_value(reader *r, hk_json_value **ret_value) {
    hk_json_value *value = begin_value(r, HK_JSON_STRING);
    *ret_value = value;
    if (peek(r) == '{' || peek(r) == '[') {
        bool object = *r->at++ == '{';
        value->kind = object ? HK_JSON_OBJECT : HK_JSON_ARRAY;
        return read_list(r, value, object ? '}' : ']');
    }
    if (peek(r) == '"')
        return read_quoted(r, &value->text, &value->text_size);
    HK_TRY(read_plain(r, "", &value->text, &value->text_size));
    find_kind(value);
    return HK_OK;
}

hk_status hk_hocon_read(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                        size_t size, hk_json_value **ret_value) {
    size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    reader r = {.ctx = ctx,
                .arena = arena,
                .file = file,
                .at = data + mark,
                .end = data + size,
                .line_begin = data + mark,
                .line = 1};
    skip(&r);
    hk_json_value *root = begin_value(&r, HK_JSON_OBJECT);
    *ret_value = root;
    bool braces = peek(&r) == '{';
    r.at += braces;
    HK_TRY(read_list(&r, root, braces ? '}' : 0));
    skip(&r);
    return r.at == r.end ? HK_OK : wrong(&r, NULL, "something follows the last '}'");
}
