/* SPDX-License-Identifier: MIT
 *
 * Attributes with types, as tools write them: correctly, carelessly, or wrongly. */
#include "base/number.h"
#include "fmi/description.h"

#include <string.h>

static const char space[] = " \t\r\n";

const char *hk_text_trim(hk_arena *arena, const char *text) {
    text += strspn(text, space);
    size_t length = strlen(text);
    while (length && strchr(space, text[length - 1]))
        length--;
    return hk_arena_strndup(arena, text, length);
}

/* 'Real start="1,0"' is what a fault of an attribute is reported of. */
static void attr_fault(const hk_reader *r, hk_fault fault, const hk_xml *e, const char *name,
                       const char *text) {
    const char *what = NULL;
    if (!r->faults[fault].count)
        what = text ? hk_arena_printf(r->arena, "%s %s=\"%.60s\"", e->name, name, text)
                    : hk_arena_printf(r->arena, "%s %s", e->name, name);
    hk_fault_add(r, fault, e, what);
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char *lower_copy(hk_arena *arena, const char *text) {
    char *copy = hk_arena_strdup(arena, text);
    for (char *c = copy; *c; c++)
        *c = lower(*c);
    return copy;
}

/* A comma between digits is a decimal point unless there is one already. */
static const char *with_point(hk_arena *arena, const char *text) {
    const char *comma = strchr(text, ',');
    if (!comma || strchr(text, '.') || strchr(comma + 1, ','))
        return text;
    char *copy = hk_arena_strdup(arena, text);
    copy[comma - text] = '.';
    return copy;
}

const char *hk_text_number(hk_arena *arena, const char *text) {
    return with_point(arena, hk_text_trim(arena, text));
}

/* "3.0" is a whole number too. */
static const char *without_zeros(hk_arena *arena, const char *text) {
    const char *point = strchr(text, '.');
    return point && point > text && point[1] && strspn(point + 1, "0") == strlen(point + 1)
               ? hk_arena_strndup(arena, text, (size_t)(point - text))
               : text;
}

typedef bool read_fn(const char *text, size_t length, void *ret_value);
typedef const char *mend_fn(hk_arena *arena, const char *text);

static bool read_bool(const char *text, size_t length, void *ret) {
    return hk_read_bool(text, length, ret);
}
static bool read_f64(const char *text, size_t length, void *ret) {
    return hk_read_f64(text, length, ret);
}
static bool read_u64(const char *text, size_t length, void *ret) {
    return hk_read_u64(text, length, ret);
}
static bool read_i64(const char *text, size_t length, void *ret) {
    return hk_read_i64(text, length, ret);
}
static bool read_u32(const char *text, size_t length, void *ret) {
    uint64_t value;
    if (!hk_read_u64(text, length, &value) || value > UINT32_MAX)
        return false;
    *(uint32_t *)ret = (uint32_t)value;
    return true;
}

static void read_attr(const hk_reader *r, const hk_xml *e, const char *name, read_fn *read,
                      mend_fn *mend, void *ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    if (!text || read(text, strlen(text), ret_value))
        return;
    const char *mended = mend(r->arena, hk_text_trim(r->arena, text));
    bool meant = read(mended, strlen(mended), ret_value);
    attr_fault(r, meant ? HK_FAULT_SPELLING : HK_FAULT_VALUE, e, name, text);
}

void hk_read_attr_bool(const hk_reader *r, const hk_xml *e, const char *name, bool *ret_value) {
    read_attr(r, e, name, read_bool, without_zeros, ret_value);
}

void hk_read_attr_f64(const hk_reader *r, const hk_xml *e, const char *name, double *ret_value) {
    read_attr(r, e, name, read_f64, with_point, ret_value);
}

void hk_read_attr_u32(const hk_reader *r, const hk_xml *e, const char *name, uint32_t *ret_value) {
    read_attr(r, e, name, read_u32, without_zeros, ret_value);
}

void hk_read_attr_u64(const hk_reader *r, const hk_xml *e, const char *name, uint64_t *ret_value) {
    read_attr(r, e, name, read_u64, without_zeros, ret_value);
}

void hk_read_attr_i64(const hk_reader *r, const hk_xml *e, const char *name, int64_t *ret_value) {
    read_attr(r, e, name, read_i64, without_zeros, ret_value);
}

const char *hk_read_attr_text(const hk_reader *r, const hk_xml *e, const char *name) {
    const char *text = hk_xml_attr_get(e, name);
    if (text && text[0])
        return text;
    attr_fault(r, HK_FAULT_MISSING, e, name, text);
    return NULL;
}

void hk_read_attr_word(const hk_reader *r, const hk_xml *e, const char *name,
                       const char *const *words, size_t count, int *ret_index) {
    const char *text = hk_xml_attr_get(e, name);
    if (!text)
        return;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *ret_index = (int)i;
            return;
        }
    }
    const char *meant = lower_copy(r->arena, hk_text_trim(r->arena, text));
    for (size_t i = 0; i < count; i++) {
        if (strcmp(meant, lower_copy(r->arena, words[i])) == 0) {
            *ret_index = (int)i;
            attr_fault(r, HK_FAULT_SPELLING, e, name, text);
            return;
        }
    }
    attr_fault(r, HK_FAULT_VALUE, e, name, text);
}

/* The words of TEXT as they are meant; an array has many of them. */
static const char *mend_start(const hk_reader *r, hk_type type, const char *text) {
    mend_fn *mend = hk_is_float(type) ? with_point : without_zeros;
    char *all = hk_arena_alloc(r->arena, strlen(text) + 1), *end = all;
    for (text += strspn(text, space); *text; text += strspn(text, space)) {
        size_t length = strcspn(text, space);
        const char *word = mend(r->arena, hk_arena_strndup(r->arena, text, length));
        if (end != all)
            *end++ = ' ';
        end = stpcpy(end, word);
        text += length;
    }
    *end = '\0';
    return all;
}

void hk_read_start(const hk_reader *r, const hk_xml *e, const char *text, hk_variable *v) {
    hk_value value;
    if (hk_value_parse(r->arena, v->type, v->count, v->enumeration, text, &value)) {
        v->start = value;
        return;
    }
    bool plain = v->store != HK_STORE_BYTES;
    if (plain && hk_value_parse(r->arena, v->type, v->count, v->enumeration,
                                mend_start(r, v->type, text), &value)) {
        attr_fault(r, HK_FAULT_SPELLING, e, "start", text);
        v->start = value;
        return;
    }
    const char *what = NULL;
    if (!r->faults[HK_FAULT_START].count)
        what = hk_arena_printf(r->arena, "%s: %.60s", v->name, text);
    hk_fault_add(r, HK_FAULT_START, e, what);
}
