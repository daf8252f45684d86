/* SPDX-License-Identifier: MIT */
#include "model/value.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static const struct {
    size_t size;
    int64_t min; /* of the integers */
    uint64_t max;
} stores[HK_STORE_COUNT] = {
    [HK_STORE_F64] = {8, 0, 0},
    [HK_STORE_F32] = {4, 0, 0},
    [HK_STORE_I8] = {1, INT8_MIN, INT8_MAX},
    [HK_STORE_U8] = {1, 0, UINT8_MAX},
    [HK_STORE_I16] = {2, INT16_MIN, INT16_MAX},
    [HK_STORE_U16] = {2, 0, UINT16_MAX},
    [HK_STORE_I32] = {4, INT32_MIN, INT32_MAX},
    [HK_STORE_U32] = {4, 0, UINT32_MAX},
    [HK_STORE_I64] = {8, INT64_MIN, INT64_MAX},
    [HK_STORE_U64] = {8, 0, UINT64_MAX},
    [HK_STORE_BOOL8] = {1, 0, 1},
    [HK_STORE_BOOL32] = {4, 0, 1},
    [HK_STORE_BYTES] = {sizeof(hk_bytes), 0, 0},
};

static const struct {
    const char *name;
    hk_store store;
} types[HK_TYPE_COUNT] = {
    [HK_TYPE_F64] = {"Float64", HK_STORE_F64},     [HK_TYPE_F32] = {"Float32", HK_STORE_F32},
    [HK_TYPE_I8] = {"Int8", HK_STORE_I8},          [HK_TYPE_U8] = {"UInt8", HK_STORE_U8},
    [HK_TYPE_I16] = {"Int16", HK_STORE_I16},       [HK_TYPE_U16] = {"UInt16", HK_STORE_U16},
    [HK_TYPE_I32] = {"Int32", HK_STORE_I32},       [HK_TYPE_U32] = {"UInt32", HK_STORE_U32},
    [HK_TYPE_I64] = {"Int64", HK_STORE_I64},       [HK_TYPE_U64] = {"UInt64", HK_STORE_U64},
    [HK_TYPE_BOOL] = {"Boolean", HK_STORE_BOOL8},  [HK_TYPE_STRING] = {"String", HK_STORE_BYTES},
    [HK_TYPE_BINARY] = {"Binary", HK_STORE_BYTES}, [HK_TYPE_ENUM] = {"Enumeration", HK_STORE_I64},
    [HK_TYPE_CLOCK] = {"Clock", HK_STORE_BOOL8},
};

size_t hk_store_size(hk_store store) {
    return stores[store].size;
}

hk_store hk_store_of(hk_type type) {
    return types[type].store;
}

const char *hk_type_kind(hk_type type) {
    switch (type) {
    case HK_TYPE_F32:
    case HK_TYPE_F64:
        return "Real";
    case HK_TYPE_BOOL:
        return "Boolean";
    case HK_TYPE_STRING:
        return "String";
    case HK_TYPE_ENUM:
        return "Enumeration";
    case HK_TYPE_BINARY:
        return "Binary";
    case HK_TYPE_CLOCK:
        return "Clock";
    default:
        return "Integer";
    }
}

const char *hk_type_name(hk_type type) {
    return types[type].name;
}

/* One number between two stores: exactly one of the three fields holds it. */
typedef struct number {
    enum { REAL, SIGNED, UNSIGNED } kind;
    double real;
    int64_t integer;
    uint64_t natural;
} number;

#define LOAD(type, from)                                                                           \
    type x;                                                                                        \
    memcpy(&x, (from), sizeof x)

static number load(hk_store store, const void *data) {
    switch (store) {
#define LOAD_AS(store, type, which, field, value)                                                  \
    case store: {                                                                                  \
        LOAD(type, data);                                                                          \
        return (number){.kind = which, .field = value};                                            \
    }
#define LOAD_SIGNED(store, type)   LOAD_AS(store, type, SIGNED, integer, x)
#define LOAD_UNSIGNED(store, type) LOAD_AS(store, type, UNSIGNED, natural, x)
        LOAD_AS(HK_STORE_F64, double, REAL, real, x)
        LOAD_AS(HK_STORE_F32, float, REAL, real, (double)x)
        HK_SIGNED_STORES(LOAD_SIGNED)
        HK_UNSIGNED_STORES(LOAD_UNSIGNED)
        LOAD_AS(HK_STORE_BOOL8, uint8_t, UNSIGNED, natural, x != 0)
        LOAD_AS(HK_STORE_BOOL32, uint32_t, UNSIGNED, natural, x != 0)
#undef LOAD_AS
#undef LOAD_SIGNED
#undef LOAD_UNSIGNED
    default:
        HK_ASSERT(store < HK_STORE_BYTES);
        return (number){0};
    }
}

/* Makes N one of the integers of STORE; false if it has a fraction or is out of range. */
static bool to_integer(number *n, hk_store store) {
    if (n->kind == REAL) {
        if (!(n->real >= -0x1p63 && n->real < 0x1p64) || n->real != trunc(n->real))
            return false;
        *n = n->real < 0 ? (number){.kind = SIGNED, .integer = (int64_t)n->real}
                         : (number){.kind = UNSIGNED, .natural = (uint64_t)n->real};
    }
    if (n->kind == SIGNED && n->integer >= 0)
        *n = (number){.kind = UNSIGNED, .natural = (uint64_t)n->integer};
    if (n->kind == SIGNED)
        return n->integer >= stores[store].min;
    n->integer = (int64_t)n->natural; /* for the copy below; out of range if it wraps */
    return n->natural <= stores[store].max;
}

static double to_real(number n) {
    switch (n.kind) {
    case REAL:
        return n.real;
    case SIGNED:
        return (double)n.integer;
    default:
        return (double)n.natural;
    }
}

static bool save(hk_store store, void *data, number n) {
    if (store == HK_STORE_F64) {
        double x = to_real(n);
        memcpy(data, &x, sizeof x);
        return true;
    }
    if (store == HK_STORE_F32) {
        double wide = to_real(n);
        float x = (float)wide;
        memcpy(data, &x, sizeof x);
        return isfinite(x) || !isfinite(wide);
    }
    if (store == HK_STORE_BOOL8 || store == HK_STORE_BOOL32) {
        double value = to_real(n);
        uint32_t x = value != 0;
        uint8_t x8 = value != 0;
        memcpy(data, store == HK_STORE_BOOL8 ? (void *)&x8 : (void *)&x, stores[store].size);
        return value == 0 || value == 1;
    }
    if (!to_integer(&n, store))
        return false;
    int8_t x8 = (int8_t)n.integer;
    int16_t x16 = (int16_t)n.integer;
    int32_t x32 = (int32_t)n.integer;
    switch (stores[store].size) {
    case 1:
        memcpy(data, &x8, 1);
        break;
    case 2:
        memcpy(data, &x16, 2);
        break;
    case 4:
        memcpy(data, &x32, 4);
        break;
    default:
        memcpy(data, &n.integer, 8);
        break;
    }
    return true;
}

bool hk_value_convert(hk_store to, void *target, hk_store from, const void *source, size_t count) {
    if (to == from) {
        memcpy(target, source, count * stores[to].size);
        return true;
    }
    if (to == HK_STORE_BYTES || from == HK_STORE_BYTES)
        return false;
    unsigned char *t = target;
    const unsigned char *s = source;
    for (size_t i = 0; i < count; i++)
        if (!save(to, t + i * stores[to].size, load(from, s + i * stores[from].size)))
            return false;
    return true;
}

static bool is_number(hk_type type) {
    return type != HK_TYPE_STRING && type != HK_TYPE_BINARY && type != HK_TYPE_CLOCK;
}

static bool is_bytes(hk_type type) {
    return type == HK_TYPE_STRING || type == HK_TYPE_BINARY;
}

bool hk_type_connectable(hk_type from, hk_type to) {
    return from == to || (is_number(from) && is_number(to)) || (is_bytes(from) && is_bytes(to));
}

/* How many bytes follow the first one of a character; -1: it cannot be a first one. */
static int followers(unsigned char first) {
    if (first < 0x80)
        return 0;
    if (first < 0xC2 || first > 0xF4)
        return -1;
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

/* Too long forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
static bool second_fits(unsigned char first, unsigned char second) {
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

bool hk_bytes_are_text(hk_bytes bytes) {
    const unsigned char *s = bytes.data;
    for (size_t i = 0; i < bytes.size;) {
        int n = s[i] ? followers(s[i]) : -1;
        if (n < 0 || i + (size_t)n >= bytes.size + (n == 0))
            return false;
        if (n > 0 && !second_fits(s[i], s[i + 1]))
            return false;
        for (int k = 2; k <= n; k++)
            if ((s[i + (size_t)k] & 0xC0) != 0x80)
                return false;
        i += (size_t)n + 1;
    }
    return true;
}

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

const char *hk_enum_items(hk_arena *arena, const hk_enum *enumeration) {
    enum { SHOWN_MAX = 12 };
    const char *list = "its items are";
    for (size_t i = 0; i < enumeration->item_count && i < SHOWN_MAX; i++)
        list = hk_arena_printf(arena, "%s%s %s", list, i ? "," : "", enumeration->item_names[i]);
    return enumeration->item_count > SHOWN_MAX ? hk_arena_printf(arena, "%s, ...", list) : list;
}

/* One number, truth value or item name; the texts of the other types are read elsewhere. */
static bool read_number(hk_type type, const hk_enum *enumeration, const char *text, size_t length,
                        number *ret_number) {
    number n = {.kind = SIGNED};
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
        n.kind = SIGNED;
    } else if (whole && hk_read_u64(text, length, &n.natural)) {
        n.kind = UNSIGNED;
    } else {
        n.kind = REAL;
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
static bool next_number(hk_type type, const hk_enum *enumeration, const char **at, number *ret_n) {
    const char *word = *at;
    if (type == HK_TYPE_ENUM && *word == '"') {
        size_t length;
        char *item = next_text(at, &length);
        bool good = item && find_item(enumeration, item, length, &ret_n->integer);
        ret_n->kind = SIGNED;
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
    hk_store store = types[type].store;
    size_t size = stores[store].size, read = 0;
    for (const char *c = text;;) {
        while (is_space(*c))
            c++;
        if (!*c)
            break;
        number n;
        if (read == count || !next_number(type, enumeration, &c, &n) ||
            !save(store, data + read * size, n))
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
    hk_store store = types[type].store;
    unsigned char *data = hk_arena_alloc(arena, (count ? count : 1) * stores[store].size);
    number n;
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
    number n = load(store, data);
    if (store == HK_STORE_BOOL8 || store == HK_STORE_BOOL32)
        return n.natural ? "true" : "false";
    char buffer[HK_NUMBER_MAX];
    size_t length;
    if (store == HK_STORE_F32)
        length = hk_write_f32((float)n.real, buffer);
    else if (n.kind == REAL)
        length = hk_write_f64(n.real, buffer);
    else if (n.kind == SIGNED)
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

bool hk_value_same(const hk_value *a, const hk_value *b) {
    if (a->type != b->type || a->count != b->count || !a->data != !b->data)
        return false;
    if (!a->data)
        return true;
    hk_store store = hk_store_of(a->type);
    if (store != HK_STORE_BYTES)
        return memcmp(a->data, b->data, a->count * hk_store_size(store)) == 0;
    const hk_bytes *x = a->data, *y = b->data;
    for (size_t i = 0; i < a->count; i++)
        if (x[i].size != y[i].size || (x[i].size && memcmp(x[i].data, y[i].data, x[i].size) != 0))
            return false;
    return true;
}

const char *hk_range_words(hk_arena *arena, double min, double max, double value) {
    char limit[HK_NUMBER_MAX + 1];
    bool low = value<min, high = value> max;
    if (!low && !high)
        return NULL;
    limit[hk_write_f64(low ? min : max, limit)] = '\0';
    return hk_arena_printf(arena, "%s %s", low ? "below its minimum" : "above its maximum", limit);
}
