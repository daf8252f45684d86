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
