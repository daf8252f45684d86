/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <string.h>

/* ---- writing ---- */

void hk_buffer_put(hk_buffer *b, const void *data, size_t size) {
    if (b->size + size > b->cap) {
        b->cap = 2 * (b->size + size);
        b->data = hk_realloc(b->data, b->cap);
    }
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

void hk_buffer_u64(hk_buffer *b, uint64_t value) {
    hk_buffer_put(b, &value, sizeof value);
}

void hk_buffer_f64(hk_buffer *b, double value) {
    hk_buffer_put(b, &value, sizeof value);
}

/* The length first, one more than it is; 0: NULL. */
void hk_buffer_text(hk_buffer *b, const char *text) {
    hk_buffer_u64(b, text ? strlen(text) + 1 : 0);
    if (text)
        hk_buffer_put(b, text, strlen(text) + 1);
}

void hk_buffer_where(hk_buffer *b, const hk_where *where) {
    hk_buffer_text(b, where->file);
    hk_buffer_text(b, where->element);
    hk_buffer_u64(b, (uint64_t)where->line);
    hk_buffer_u64(b, (uint64_t)where->column);
}

void hk_buffer_diags(hk_buffer *b, const hk_ctx *said) {
    size_t count = hk_ctx_count(said, HK_NOTE);
    hk_buffer_u64(b, count);
    for (size_t i = 0; i < count; i++) {
        const hk_diag *d = hk_ctx_diag(said, i);
        hk_buffer_u64(b, (uint64_t)d->code);
        hk_buffer_u64(b, (uint64_t)d->severity);
        hk_buffer_where(b, &d->where);
        hk_buffer_text(b, d->text);
        hk_buffer_text(b, d->hint);
    }
}

static uint64_t number_of(const void *member, size_t size) {
    uint32_t narrow;
    uint64_t wide;
    HK_ASSERT(size == sizeof narrow || size == sizeof wide);
    memcpy(size == sizeof narrow ? (void *)&narrow : (void *)&wide, member, size);
    return size == sizeof narrow ? narrow : wide;
}

void hk_buffer_struct(hk_buffer *b, hk_buffer_fields fields, const void *object) {
    for (size_t i = 0; i < fields.count; i++) {
        const hk_buffer_field *f = &fields.all[i];
        const void *member = (const char *)object + f->offset;
        switch (f->kind) {
        case HK_BUFFER_NUMBER:
            hk_buffer_u64(b, number_of(member, f->size));
            break;
        case HK_BUFFER_TRUTH:
            hk_buffer_u64(b, *(const bool *)member);
            break;
        case HK_BUFFER_REAL:
            hk_buffer_f64(b, *(const double *)member);
            break;
        case HK_BUFFER_TEXT:
            hk_buffer_text(b, *(const char *const *)member);
            break;
        case HK_BUFFER_WHERE:
            hk_buffer_where(b, member);
            break;
        }
    }
}

/* ---- reading ---- */

void hk_source_get(hk_buffer_source *s, void *to, size_t size) {
    s->good = s->good && size <= s->left;
    if (!s->good || !size)
        return;
    memcpy(to, s->at, size);
    s->at += size;
    s->left -= size;
}

uint64_t hk_source_u64(hk_buffer_source *s) {
    uint64_t value = 0;
    hk_source_get(s, &value, sizeof value);
    return value;
}

double hk_source_f64(hk_buffer_source *s) {
    double value = 0;
    hk_source_get(s, &value, sizeof value);
    return value;
}

const char *hk_source_text(hk_buffer_source *s) {
    uint64_t size = hk_source_u64(s);
    s->good = s->good && size <= s->left;
    if (!s->good || !size)
        return NULL;
    char *text = hk_arena_alloc(s->arena, size);
    hk_source_get(s, text, size);
    text[size - 1] = '\0';
    return text;
}

hk_where hk_source_where(hk_buffer_source *s) {
    hk_where where = {.file = hk_source_text(s)};
    where.element = hk_source_text(s);
    where.line = (int)hk_source_u64(s);
    where.column = (int)hk_source_u64(s);
    return where;
}

size_t hk_source_count(hk_buffer_source *s) {
    uint64_t count = hk_source_u64(s);
    s->good = s->good && count <= s->left;
    return s->good ? count : 0;
}

static void take_number(hk_buffer_source *s, void *ret_member, size_t size) {
    uint64_t wide = hk_source_u64(s);
    uint32_t narrow = (uint32_t)wide;
    memcpy(ret_member, size == sizeof narrow ? (void *)&narrow : (void *)&wide, size);
}

void hk_source_struct(hk_buffer_source *s, hk_buffer_fields fields, void *ret_object) {
    for (size_t i = 0; i < fields.count; i++) {
        const hk_buffer_field *f = &fields.all[i];
        void *member = (char *)ret_object + f->offset;
        switch (f->kind) {
        case HK_BUFFER_NUMBER:
            take_number(s, member, f->size);
            break;
        case HK_BUFFER_TRUTH:
            *(bool *)member = hk_source_u64(s) != 0;
            break;
        case HK_BUFFER_REAL:
            *(double *)member = hk_source_f64(s);
            break;
        case HK_BUFFER_TEXT:
            *(const char **)member = hk_source_text(s);
            break;
        case HK_BUFFER_WHERE:
            *(hk_where *)member = hk_source_where(s);
            break;
        }
    }
}

void hk_source_diags(hk_buffer_source *s, hk_ctx *said) {
    size_t count = hk_source_count(s);
    for (size_t i = 0; i < count && s->good; i++) {
        hk_diag d = {.code = (hk_status)hk_source_u64(s)};
        d.severity = (hk_severity)hk_source_u64(s);
        d.where = hk_source_where(s);
        d.text = hk_source_text(s);
        d.hint = hk_source_text(s);
        if (s->good && d.text)
            hk_say_again(said, &d);
    }
}
