/* SPDX-License-Identifier: MIT
 *
 * As much of JSON as a line of a trace needs: one object, whose members are looked at where they
 * lie. */
#include "sound/trace.h"

#include "base/number.h"

#include <string.h>

static const char *skip_space(const char *c) {
    return c + strspn(c, " \t\r");
}

/* The end of the string that begins at C; NULL: it has none. */
static const char *skip_string(const char *c) {
    for (c++; *c && *c != '"'; c++)
        if (*c == '\\' && c[1])
            c++;
    return *c ? c + 1 : NULL;
}

/* The end of the value that begins at C; NULL: it has none. */
static const char *skip_value(const char *c) {
    int depth = 0;
    do {
        c = skip_space(c);
        if (*c == '"') {
            c = skip_string(c);
            if (!c)
                return NULL;
        } else if (*c == '[' || *c == '{') {
            depth++;
            c++;
        } else if (*c == ']' || *c == '}') {
            depth--;
            c++;
        } else {
            size_t length = strcspn(c, ",:]} \t\r");
            if (!length && !(depth && (*c == ',' || *c == ':')))
                return NULL;
            c += length ? length : 1;
        }
    } while (depth > 0);
    return depth ? NULL : c;
}

static hk_trace_key key_of(const char *text, size_t length) {
    static const char *const names[] = {"n",      "t",      "op",     "instance", "mode",
                                        "ports",  "values", "h",      "status",   "phase",
                                        "thread", "order",  "altered"};
    for (hk_trace_key key = 0; key < HK_KEYS; key++)
        if (strncmp(names[key], text, length) == 0 && !names[key][length])
            return key;
    return HK_KEYS;
}

bool hk_trace_record(const char *line, hk_span ret_members[HK_KEYS]) {
    const char *c = skip_space(line);
    memset(ret_members, 0, HK_KEYS * sizeof *ret_members);
    if (*c++ != '{')
        return false;
    for (bool more = *skip_space(c) != '}'; more;) {
        const char *key = skip_space(c), *end = *key == '"' ? skip_string(key) : NULL;
        const char *colon = end ? skip_space(end) : "";
        const char *begin = *colon == ':' ? skip_space(colon + 1) : NULL;
        c = begin ? skip_value(begin) : NULL;
        if (!c)
            return false;
        hk_trace_key known = key_of(key + 1, (size_t)(end - key) - 2);
        if (known < HK_KEYS)
            ret_members[known] = (hk_span){begin, (size_t)(c - begin)};
        c = skip_space(c);
        more = *c == ',';
        c += more;
    }
    c = skip_space(c);
    return *c == '}' && !*skip_space(c + 1);
}

/* Four hexadecimal digits; below 0: they are none. */
static int32_t hex4(const char *c, const char *end) {
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = c + i < end ? hk_read_hex_digit(c[i]) : -1;
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
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

/* After a backslash and 'u'. Two halves of one character are joined; what is no character becomes
 * the one that stands for such. */
static const char *take_code(const char *from, const char *end, char **to) {
    int32_t code = hex4(from, end);
    if (code < 0) {
        *to = put_utf8(*to, 0xfffd);
        return from;
    }
    from += 4;
    if (code >= 0xd800 && code < 0xe000) {
        int32_t low =
            end - from >= 6 && from[0] == '\\' && from[1] == 'u' ? hex4(from + 2, end) : 0;
        bool pair = code < 0xdc00 && low >= 0xdc00 && low < 0xe000;
        code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
        from += pair ? 6 : 0;
    }
    *to = put_utf8(*to, (uint32_t)code);
    return from;
}

const char *hk_trace_string(hk_arena *arena, hk_span s, size_t *ret_size) {
    static const char codes[] = "bfnrt", plain[] = "\b\f\n\r\t";
    if (s.size < 2 || *s.at != '"')
        return NULL;
    char *text = hk_arena_alloc(arena, s.size), *to = text; /* a decoded one is never longer */
    const char *end = s.at + s.size - 1;
    for (const char *from = s.at + 1; from < end;) {
        if (*from != '\\' || from + 1 == end) {
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

bool hk_trace_is_string(hk_span s, const char *text) {
    size_t length = strlen(text);
    return s.size == length + 2 && *s.at == '"' && memcmp(s.at + 1, text, length) == 0;
}

bool hk_trace_double(hk_span s, double *ret_value) {
    return s.size && hk_read_f64(s.at, s.size, ret_value);
}

bool hk_trace_element(hk_span *array, hk_span *ret_element) {
    if (!array->size || (*array->at != '[' && *array->at != ','))
        return false;
    const char *begin = skip_space(array->at + 1), *stop = array->at + array->size;
    const char *end = *begin == ']' ? NULL : skip_value(begin);
    if (!end || end > stop)
        return false;
    *ret_element = (hk_span){begin, (size_t)(end - begin)};
    end = skip_space(end);
    *array = (hk_span){end, (size_t)(stop - end)};
    return true;
}

/* A number, a Boolean, or the text of a number that JSON has no form for. */
static bool number_of(hk_span s, double *ret_value) {
    bool truth;
    if (hk_trace_double(s, ret_value))
        return true;
    if (s.size > 2 && *s.at == '"' && s.size <= 6) /* "nan", "inf", "-inf" */
        return strchr("nNiI-+", s.at[1]) && hk_read_f64(s.at + 1, s.size - 2, ret_value);
    if (!hk_read_bool(s.at, s.size, &truth))
        return false;
    *ret_value = truth;
    return true;
}

static const hk_sound_value *list_of(hk_arena *arena, hk_span s) {
    hk_sound_value *value = HK_NEW(arena, hk_sound_value);
    hk_span list = s, element;
    size_t count = 0, size = 0;
    bool numbers = true;
    while (hk_trace_element(&list, &element))
        count++;
    double *all = HK_NEW_ARRAY(arena, double, count + 1);
    char *texts = hk_arena_alloc(arena, s.size + count + 1);
    list = s;
    for (size_t i = 0; hk_trace_element(&list, &element); i++) {
        size_t length = 0;
        numbers = numbers && number_of(element, &all[i]);
        const char *text = hk_trace_string(arena, element, &length);
        if (!text && !numbers)
            return value; /* null, or a list of lists */
        if (text)
            memcpy(texts + size, text, length + 1);
        size += length + 1;
    }
    *value = numbers ? (hk_sound_value){.numbers = all, .count = count}
                     : (hk_sound_value){.text = texts, .size = size};
    return value;
}

void hk_trace_value(hk_arena *arena, hk_span s, hk_sound_call *call) {
    call->many = NULL;
    call->has_value = number_of(s, &call->value);
    if (call->has_value || !s.size)
        return;
    if (*s.at == '[') {
        call->many = list_of(arena, s);
        return;
    }
    hk_sound_value *value = HK_NEW(arena, hk_sound_value);
    value->text = hk_trace_string(arena, s, &value->size);
    call->many = value->text ? value : NULL;
}
