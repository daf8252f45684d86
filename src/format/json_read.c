/* SPDX-License-Identifier: MIT
 *
 * JSON to the letter. One pass checks a text; everything else may then rely on its form. */
#include "format/json_read.h"

#include "base/map.h"
#include "base/number.h"
#include "base/utf8.h"

#include <string.h>

typedef struct cursor {
    const char *text;
    size_t size, at;
    hk_json_fault *fault;
} cursor;

/* ---- the check ------------------------------------------------------------------------------- */

static bool wrong(cursor *c, const char *what) {
    *c->fault = (hk_json_fault){.what = what, .at = c->at};
    return false;
}

static int peek(const cursor *c) {
    return c->at < c->size ? (unsigned char)c->text[c->at] : -1;
}

static void skip_space(cursor *c) {
    while (c->at < c->size && memchr(" \t\r\n", c->text[c->at], 4))
        c->at++;
}

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

static bool check_digits(cursor *c) {
    if (!is_digit(peek(c)))
        return wrong(c, "a digit of a number is missing");
    while (is_digit(peek(c)))
        c->at++;
    return true;
}

static bool check_number(cursor *c) {
    c->at += peek(c) == '-';
    if (peek(c) == '0') {
        c->at++;
        if (is_digit(peek(c)))
            return wrong(c, "a number does not begin with 0");
    } else if (!check_digits(c)) {
        return false;
    }
    if (peek(c) == '.') {
        c->at++;
        if (!check_digits(c))
            return false;
    }
    if (peek(c) == 'e' || peek(c) == 'E') {
        c->at++;
        c->at += peek(c) == '+' || peek(c) == '-';
        return check_digits(c);
    }
    return true;
}

/* After a backslash. */
static bool check_escape(cursor *c) {
    int kind = peek(c);
    if (kind < 0 || !strchr("\"\\/bfnrtu", kind))
        return wrong(c, "there is no such escape in a string");
    c->at++;
    for (int i = 0; kind == 'u' && i < 4; i++, c->at++)
        if (peek(c) < 0 || hk_read_hex_digit((char)peek(c)) < 0)
            return wrong(c, "'\\u' has four hexadecimal digits");
    return true;
}

static bool check_string(cursor *c) {
    for (c->at++; peek(c) != '"';) {
        int byte = peek(c);
        if (byte < 0)
            return wrong(c, "a string does not end");
        if (byte < 0x20)
            return wrong(c, "a control character is in a string");
        if (byte == '\\') {
            c->at++;
            if (!check_escape(c))
                return false;
            continue;
        }
        size_t length = hk_utf8_length((const unsigned char *)c->text + c->at, c->size - c->at);
        if (!length)
            return wrong(c, "a string is not UTF-8");
        c->at += length;
    }
    c->at++;
    return true;
}

static bool check_word(cursor *c) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (c->size - c->at >= length && memcmp(c->text + c->at, words[i], length) == 0) {
            c->at += length;
            return true;
        }
    }
    return wrong(c, "this is not a value");
}

static bool check_value(cursor *c, int depth);

/* The name of a member and what follows it. */
static bool check_name(cursor *c) {
    if (peek(c) != '"')
        return wrong(c, "the name of a member is in quotes");
    if (!check_string(c))
        return false;
    skip_space(c);
    if (peek(c) != ':')
        return wrong(c, "':' is missing after the name of a member");
    c->at++;
    return true;
}

static bool check_list(cursor *c, int depth) {
    bool object = peek(c) == '{';
    char last = object ? '}' : ']';
    if (depth >= HK_JSON_NESTED_MAX)
        return wrong(c, "lists and objects are nested too deep");
    c->at++;
    skip_space(c);
    if (peek(c) == last) {
        c->at++;
        return true;
    }
    for (;;) {
        skip_space(c);
        if ((object && !check_name(c)) || !check_value(c, depth + 1))
            return false;
        skip_space(c);
        if (peek(c) == last) {
            c->at++;
            return true;
        }
        if (peek(c) != ',')
            return wrong(c, object ? "',' or '}' is missing" : "',' or ']' is missing");
        c->at++;
    }
}

static bool check_value(cursor *c, int depth) {
    skip_space(c);
    int first = peek(c);
    if (first == '"')
        return check_string(c);
    if (first == '{' || first == '[')
        return check_list(c, depth);
    return first == '-' || is_digit(first) ? check_number(c) : check_word(c);
}

bool hk_json_check(const char *text, size_t size, hk_json_fault *ret_fault) {
    cursor c = {.text = text, .size = size, .fault = ret_fault};
    if (!check_value(&c, 0))
        return false;
    skip_space(&c);
    return c.at == size || wrong(&c, "something follows the value");
}

/* ---- values where they lie ------------------------------------------------------------------- */

static const char *after_space(const char *at, const char *end) {
    while (at < end && memchr(" \t\r\n", *at, 4))
        at++;
    return at;
}

static const char *after_string(const char *at) {
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* The end of the value that begins at AT. The text is known to be right. */
static const char *after_value(const char *at, const char *end) {
    int depth = 0;
    do {
        if (*at == '"') {
            at = after_string(at);
        } else if (*at == '[' || *at == '{') {
            depth++;
            at++;
        } else if (*at == ']' || *at == '}') {
            depth--;
            at++;
        } else if (depth) {
            at++;
        } else {
            while (at < end && !memchr(",]} \t\r\n", *at, 7))
                at++;
        }
    } while (depth);
    return at;
}

bool hk_json_element(hk_json_span *array, hk_json_span *ret_element) {
    if (!array->size || (*array->at != '[' && *array->at != ','))
        return false;
    const char *end = array->at + array->size, *begin = after_space(array->at + 1, end);
    if (begin == end || *begin == ']')
        return false;
    const char *stop = after_value(begin, end);
    *ret_element = (hk_json_span){begin, (size_t)(stop - begin)};
    stop = after_space(stop, end);
    *array = (hk_json_span){stop, (size_t)(end - stop)};
    return true;
}

bool hk_json_next_member(hk_json_span *object, hk_json_span *ret_name, hk_json_span *ret_value) {
    if (!object->size || (*object->at != '{' && *object->at != ','))
        return false;
    const char *end = object->at + object->size, *begin = after_space(object->at + 1, end);
    if (begin == end || *begin == '}')
        return false;
    const char *stop = after_string(begin);
    *ret_name = (hk_json_span){begin, (size_t)(stop - begin)};
    begin = after_space(after_space(stop, end) + 1, end);
    stop = after_value(begin, end);
    *ret_value = (hk_json_span){begin, (size_t)(stop - begin)};
    stop = after_space(stop, end);
    *object = (hk_json_span){stop, (size_t)(end - stop)};
    return true;
}

static uint32_t hex4(const char *at) {
    uint32_t code = 0;
    for (int i = 0; i < 4; i++)
        code = code * 16 + (uint32_t)hk_read_hex_digit(at[i]);
    return code;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* After a backslash and 'u'. Two halves of one character are joined. */
static const char *take_code(const char *from, const char *end, char **to) {
    uint32_t code = hex4(from);
    from += 4;
    if (code >= 0xd800 && code < 0xe000) {
        uint32_t low = end - from >= 6 && from[0] == '\\' && from[1] == 'u' ? hex4(from + 2) : 0;
        bool pair = code < 0xdc00 && low >= 0xdc00 && low < 0xe000;
        code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
        from += pair ? 6 : 0;
    }
    *to = put_utf8(*to, code);
    return from;
}

const char *hk_json_decode(hk_arena *arena, hk_json_span s, size_t *ret_size) {
    static const char codes[] = "bfnrt", plain[] = "\b\f\n\r\t";
    if (s.size < 2 || *s.at != '"')
        return NULL;
    char *text = hk_arena_alloc(arena, s.size), *to = text; /* a decoded one is never longer */
    const char *end = s.at + s.size - 1;
    for (const char *from = s.at + 1; from < end;) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        char kind = from[1];
        const char *code = strchr(codes, kind);
        from += 2;
        if (kind == 'u')
            from = take_code(from, end, &to);
        else
            *to++ = code ? plain[code - codes] : kind;
    }
    *to = '\0';
    if (ret_size)
        *ret_size = (size_t)(to - text);
    return text;
}

bool hk_json_is_string(hk_json_span s, const char *text) {
    size_t length = strlen(text);
    return s.size == length + 2 && *s.at == '"' && memcmp(s.at + 1, text, length) == 0;
}

bool hk_json_number(hk_json_span s, double *ret_value) {
    return s.size && (*s.at == '-' || is_digit(*s.at)) && hk_read_f64(s.at, s.size, ret_value);
}

/* ---- trees ----------------------------------------------------------------------------------- */

typedef struct tree {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_status twice;
    const char *file, *data;
    const char *line_begin; /* of the place that was looked at last */
    int line;
} tree;

/* Places are asked for from the front to the back. */
static void find_place(tree *t, const char *at, int *ret_line, int *ret_column) {
    for (const char *c = t->line_begin; (c = memchr(c, '\n', (size_t)(at - c)));) {
        t->line_begin = ++c;
        t->line++;
    }
    *ret_line = t->line;
    *ret_column = (int)(at - t->line_begin) + 1;
}

static hk_status fail(tree *t, const char *at, const char *what) {
    hk_where where = {.file = t->file};
    find_place(t, at, &where.line, &where.column);
    return hk_error(t->ctx, HK_E_LANGUAGE, where, NULL, "%s", what);
}

static hk_status fail_twice(tree *t, const char *at, const char *name) {
    hk_where where = {.file = t->file};
    find_place(t, at, &where.line, &where.column);
    return hk_error(t->ctx, t->twice, where, "remove one of the two", "'%s' is given twice", name);
}

static hk_status make(tree *t, hk_json_span s, hk_json_value **ret_value);

static hk_status make_list(tree *t, hk_json_span s, hk_json_value *value) {
    hk_json_value **end = &value->first;
    hk_json_span name = {0}, inner;
    hk_map names = {0};
    hk_status status = HK_OK;
    bool object = value->kind == HK_JSON_OBJECT;
    while (status == HK_OK &&
           (object ? hk_json_next_member(&s, &name, &inner) : hk_json_element(&s, &inner))) {
        size_t size = 0;
        const char *text = object ? hk_json_decode(t->arena, name, &size) : NULL;
        uint32_t number = (uint32_t)value->count++;
        if (object && strlen(text) != size)
            status = fail(t, name.at, "the name of a member has a NUL in it");
        else if (object && hk_map_put(&names, text, number) != number)
            status = fail_twice(t, name.at, text);
        if (status == HK_OK)
            status = make(t, inner, end);
        if (status == HK_OK) {
            (*end)->name = text;
            end = &(*end)->next;
        }
    }
    hk_map_finish(&names);
    return status;
}

static hk_status make(tree *t, hk_json_span s, hk_json_value **ret_value) {
    hk_json_value *value = HK_NEW(t->arena, hk_json_value);
    find_place(t, s.at, &value->line, &value->column);
    *ret_value = value;
    switch (*s.at) {
    case '{':
    case '[':
        value->kind = *s.at == '{' ? HK_JSON_OBJECT : HK_JSON_ARRAY;
        return make_list(t, s, value);
    case '"':
        value->kind = HK_JSON_STRING;
        value->text = hk_json_decode(t->arena, s, &value->text_size);
        return HK_OK;
    case 't':
    case 'f':
        value->kind = HK_JSON_BOOL;
        value->number = *s.at == 't';
        return HK_OK;
    case 'n':
        return HK_OK;
    default:
        value->kind = HK_JSON_NUMBER;
        value->text = hk_arena_strndup(t->arena, s.at, s.size);
        value->text_size = s.size;
        return hk_json_number(s, &value->number) ? HK_OK : fail(t, s.at, "a number is too large");
    }
}

hk_status hk_json_read(hk_ctx *ctx, hk_arena *arena, hk_status twice, const hk_file_text *text,
                       hk_json_value **ret_value) {
    const char *data = text->data;
    size_t size = text->size;
    size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    data += mark;
    size -= mark;
    tree t = {.ctx = ctx,
              .arena = arena,
              .twice = twice,
              .file = text->file,
              .data = data,
              .line_begin = data,
              .line = 1};
    hk_json_fault fault;
    if (!hk_json_check(data, size, &fault))
        return fail(&t, data + fault.at, fault.what);
    const char *begin = after_space(data, data + size);
    return make(&t, (hk_json_span){begin, (size_t)(data + size - begin)}, ret_value);
}

const hk_json_value *hk_json_member(const hk_json_value *object, const char *name) {
    if (object->kind != HK_JSON_OBJECT)
        return NULL;
    const hk_json_value *member = object->first;
    while (member && strcmp(member->name, name) != 0)
        member = member->next;
    return member;
}
