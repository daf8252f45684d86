/* SPDX-License-Identifier: MIT
 *
 * Values as text, both ways. */
#include "model/value_internal.h"

#include "base/number.h"

#include <string.h>

static bool find_item(const hk_enum *enumeration, const char *text, size_t length,
                      int64_t *ret_value) {
    for (size_t i = 0; enumeration && i < enumeration->item_count; i++) {
        const char *name = enumeration->item_names[i];
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            *ret_value = enumeration->item_values[i];
            return true;
        }
    }
    return false;
}

bool hk_enum_has(const hk_enum *enumeration, double value) {
    for (size_t i = 0; i < enumeration->item_count; i++)
        if ((double)enumeration->item_values[i] == value)
            return true;
    return false;
}

const char *hk_enum_items(hk_arena *arena, const hk_enum *enumeration) {
    enum { SHOWN_MAX = 12 };
    const char *list = "its items are";
    for (size_t i = 0; i < enumeration->item_count && i < SHOWN_MAX; i++)
        list = hk_arena_printf(arena, "%s%s %s", list, i ? "," : "", enumeration->item_names[i]);
    return enumeration->item_count > SHOWN_MAX ? hk_arena_printf(arena, "%s, ...", list) : list;
}

/* One number, truth value or item name; the texts of the other types are read elsewhere. */
static bool read_number(hk_type type, const hk_enum *enumeration, const char *text, size_t length,
                        hk_scalar *ret_number) {
    hk_scalar n = {.kind = HK_SCALAR_SIGNED};
    bool truth;
    if (type == HK_TYPE_ENUM && find_item(enumeration, text, length, &n.integer)) {
        *ret_number = n;
        return true;
    }
    bool whole = type != HK_TYPE_F64 && type != HK_TYPE_F32;
    if (type == HK_TYPE_BOOL || type == HK_TYPE_CLOCK) {
        if (!hk_read_bool(text, length, &truth))
            return false;
        n.integer = truth;
    } else if (whole && hk_read_i64(text, length, &n.integer)) {
        n.kind = HK_SCALAR_SIGNED;
    } else if (whole && hk_read_u64(text, length, &n.natural)) {
        n.kind = HK_SCALAR_UNSIGNED;
    } else {
        n.kind = HK_SCALAR_REAL;
        if (!hk_read_f64(text, length, &n.real))
            return false;
    }
    *ret_number = n;
    return true;
}

static bool read_bytes(hk_arena *arena, hk_type type, const char *text, size_t length,
                       hk_bytes *ret_bytes) {
    if (type == HK_TYPE_STRING) {
        *ret_bytes = (hk_bytes){hk_arena_strndup(arena, text, length), length};
        return true;
    }
    if (length % 2)
        return false;
    unsigned char *bytes = hk_arena_alloc(arena, length / 2 + 1);
    for (size_t i = 0; i < length / 2; i++) {
        int high = hk_read_hex_digit(text[2 * i]), low = hk_read_hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i] = (unsigned char)(16 * high + low);
    }
    *ret_bytes = (hk_bytes){bytes, length / 2};
    return true;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next text of a list, without its quotes and what they stand for; NULL: it does not end. */
static char *next_text(const char **at, size_t *ret_length) {
    const char *c = *at;
    bool quoted = *c == '"';
    char *text = hk_alloc(strlen(c) + 1);
    size_t length = 0;
    for (c += quoted; *c && (quoted ? *c != '"' : !is_space(*c)); c++) {
        c += quoted && *c == '\\' && (c[1] == '"' || c[1] == '\\');
        text[length++] = *c;
    }
    bool ends = !quoted || (*c == '"' && (!c[1] || is_space(c[1])));
    *at = c + (quoted && *c == '"');
    *ret_length = length;
    if (ends)
        return text;
    hk_free(text);
    return NULL;
}

/* The next word of a list of numbers or item names; only the latter are in quotes. */
static bool next_number(hk_type type, const hk_enum *enumeration, const char **at,
                        hk_scalar *ret_n) {
    const char *word = *at;
    if (type == HK_TYPE_ENUM && *word == '"') {
        size_t length;
        char *item = next_text(at, &length);
        bool good = item && find_item(enumeration, item, length, &ret_n->integer);
        ret_n->kind = HK_SCALAR_SIGNED;
        hk_free(item);
        return good;
    }
    while (**at && !is_space(**at))
        ++*at;
    return read_number(type, enumeration, word, (size_t)(*at - word), ret_n);
}

/* Reads the list into DATA; a list of one fills all elements. */
static bool read_list(hk_type type, const hk_enum *enumeration, const char *text, size_t count,
                      unsigned char *data) {
    hk_store store = hk_store_of(type);
    size_t size = hk_store_size(store), read = 0;
    for (const char *c = text;;) {
        while (is_space(*c))
            c++;
        if (!*c)
            break;
        hk_scalar n;
        if (read == count || !next_number(type, enumeration, &c, &n) ||
            !hk_scalar_save(store, data + read * size, n))
            return false;
        read++;
    }
    for (size_t i = 1; read == 1 && i < count; i++)
        memcpy(data + i * size, data, size);
    return read == count || read == 1;
}

/* A list of texts or binary values into DATA; a list of one, or nothing, fills all elements. */
static bool read_bytes_list(hk_arena *arena, hk_type type, const char *text, size_t count,
                            hk_bytes *data) {
    size_t read = 0;
    for (const char *c = text;;) {
        while (is_space(*c))
            c++;
        if (!*c)
            break;
        size_t length;
        char *word = next_text(&c, &length);
        bool good = word && read < count && read_bytes(arena, type, word, length, &data[read]);
        hk_free(word);
        if (!good)
            return false;
        read++;
    }
    if (!read && count)
        data[read++] = (hk_bytes){"", 0};
    for (size_t i = 1; read == 1 && i < count; i++)
        data[i] = data[0];
    return read == count || read == 1;
}

bool hk_value_parse(hk_arena *arena, hk_type type, size_t count, const hk_enum *enumeration,
                    const char *text, hk_value *ret_value) {
    hk_store store = hk_store_of(type);
    unsigned char *data = hk_arena_alloc(arena, (count ? count : 1) * hk_store_size(store));
    hk_scalar n;
    if (store == HK_STORE_BYTES) {
        hk_bytes *bytes = (hk_bytes *)(void *)data;
        if (count == 1 ? !read_bytes(arena, type, text, strlen(text), bytes)
                       : !read_bytes_list(arena, type, text, count, bytes))
            return false;
    } else if (type == HK_TYPE_ENUM && count == 1 &&
               find_item(enumeration, text, strlen(text), &n.integer)) {
        memcpy(data, &n.integer, sizeof n.integer); /* item names may hold spaces */
    } else if (!read_list(type, enumeration, text, count, data)) {
        return false;
    }
    *ret_value = (hk_value){.type = type, .count = count, .data = data};
    return true;
}

static const char *format_bytes(hk_arena *arena, hk_type type, const hk_bytes *bytes) {
    static const char digits[] = "0123456789abcdef";
    if (!bytes->size)
        return "";
    if (type != HK_TYPE_BINARY)
        return hk_arena_strndup(arena, bytes->data, bytes->size);
    const unsigned char *data = bytes->data;
    char *text = hk_arena_alloc(arena, 2 * bytes->size + 1);
    for (size_t i = 0; i < bytes->size; i++) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 15];
    }
    return text;
}

const char *hk_value_format(hk_arena *arena, hk_type type, hk_store store, const void *data) {
    if (store == HK_STORE_BYTES)
        return format_bytes(arena, type, data);
    hk_scalar n = hk_scalar_load(store, data);
    if (store == HK_STORE_BOOL8 || store == HK_STORE_BOOL32)
        return n.natural ? "true" : "false";
    char buffer[HK_NUMBER_MAX];
    size_t length;
    if (store == HK_STORE_F32)
        length = hk_write_f32((float)n.real, buffer);
    else if (n.kind == HK_SCALAR_REAL)
        length = hk_write_f64(n.real, buffer);
    else if (n.kind == HK_SCALAR_SIGNED)
        length = hk_write_i64(n.integer, buffer);
    else
        length = hk_write_u64(n.natural, buffer);
    return hk_arena_strndup(arena, buffer, length);
}

/* A text of an array: in quotes, unless it can be without. */
static const char *quote(hk_arena *arena, const char *text) {
    bool plain = *text != '\0';
    for (const char *c = text; *c && plain; c++)
        plain = !is_space(*c) && *c != '"' && *c != '\\';
    if (plain)
        return text;
    char *quoted = hk_arena_alloc(arena, 2 * strlen(text) + 3), *to = quoted;
    *to++ = '"';
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            *to++ = '\\';
        *to++ = *c;
    }
    *to = '"';
    return quoted;
}

const char *hk_value_list(hk_arena *arena, const char *const *texts, size_t count) {
    const char **quoted = HK_NEW_ARRAY(arena, const char *, count + 1);
    size_t total = 1;
    for (size_t i = 0; i < count; i++) {
        quoted[i] = quote(arena, texts[i]);
        total += strlen(quoted[i]) + 1;
    }
    char *list = hk_arena_alloc(arena, total), *to = list;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *to++ = ' ';
        to = stpcpy(to, quoted[i]);
    }
    return list;
}

const char *hk_value_format_all(hk_arena *arena, const hk_value *value) {
    hk_store store = hk_store_of(value->type);
    size_t size = hk_store_size(store);
    const char **texts = HK_NEW_ARRAY(arena, const char *, value->count + 1);
    bool alike = true;
    for (size_t i = 0; i < value->count; i++) {
        texts[i] = hk_value_format(arena, value->type, store, (char *)value->data + i * size);
        alike = alike && strcmp(texts[i], texts[0]) == 0;
    }
    if (value->count == 1)
        return texts[0];
    return hk_value_list(arena, texts, alike && value->count ? 1 : value->count);
}

const char *hk_range_words(hk_arena *arena, double min, double max, double value) {
    char limit[HK_NUMBER_MAX + 1];
    bool low = value<min, high = value> max;
    if (!low && !high)
        return NULL;
    limit[hk_write_f64(low ? min : max, limit)] = '\0';
    return hk_arena_printf(arena, "%s %s", low ? "below its minimum" : "above its maximum", limit);
}
