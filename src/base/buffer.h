/* SPDX-License-Identifier: MIT
 *
 * Bytes for the way from one process of hocket to another. Both ends are the same program on the
 * same machine, so numbers go as they lie in memory. */
#ifndef HK_BASE_BUFFER_H
#define HK_BASE_BUFFER_H

#include "base/diag.h"

/* Grows as it is written; zeroed before, freed by who owns it. */
typedef struct hk_buffer {
    char *data;
    size_t size, cap;
} hk_buffer;

void hk_buffer_put(hk_buffer *b, const void *data, size_t size);
void hk_buffer_u64(hk_buffer *b, uint64_t value);
void hk_buffer_f64(hk_buffer *b, double value);
void hk_buffer_text(hk_buffer *b, const char *text); /* NULL stays NULL */
void hk_buffer_where(hk_buffer *b, const hk_where *where);
void hk_buffer_diags(hk_buffer *b, const hk_ctx *said); /* all that it holds */

/* A member of a struct that goes as it is. One list serves both ends, so they cannot differ. */
typedef enum hk_buffer_kind {
    HK_BUFFER_NUMBER,
    HK_BUFFER_TRUTH,
    HK_BUFFER_REAL,
    HK_BUFFER_TEXT,
    HK_BUFFER_WHERE
} hk_buffer_kind;
typedef struct hk_buffer_field {
    hk_buffer_kind kind;
    size_t offset, size;
} hk_buffer_field;
#define HK_BUFFER_KIND(value)                                                                      \
    _Generic((value),                                                                              \
        int: HK_BUFFER_NUMBER,                                                                     \
        unsigned: HK_BUFFER_NUMBER,                                                                \
        int64_t: HK_BUFFER_NUMBER,                                                                 \
        uint64_t: HK_BUFFER_NUMBER,                                                                \
        bool: HK_BUFFER_TRUTH,                                                                     \
        double: HK_BUFFER_REAL,                                                                    \
        const char *: HK_BUFFER_TEXT,                                                              \
        hk_where: HK_BUFFER_WHERE)
#define HK_BUFFER_FIELD(struct_type, member)                                                       \
    {                                                                                              \
        .kind = HK_BUFFER_KIND(((struct_type *)0)->member),                                        \
        .offset = offsetof(struct_type, member), .size = sizeof((struct_type *)0)->member          \
    }
typedef struct hk_buffer_fields {
    const hk_buffer_field *all;
    size_t count;
} hk_buffer_fields;
#define HK_BUFFER_FIELDS(list) ((hk_buffer_fields){list, sizeof(list) / sizeof *(list)})
void hk_buffer_struct(hk_buffer *b, hk_buffer_fields fields, const void *object);

/* What was written, read in the same order. */
typedef struct hk_buffer_source {
    hk_arena *arena; /* texts live in it */
    const char *at;
    size_t left;
    bool good; /* false: it was cut off, and all that is read from then on is zero */
} hk_buffer_source;

void hk_source_get(hk_buffer_source *s, void *to, size_t size);
uint64_t hk_source_u64(hk_buffer_source *s);
double hk_source_f64(hk_buffer_source *s);
const char *hk_source_text(hk_buffer_source *s);
hk_where hk_source_where(hk_buffer_source *s);
/* Each thing that is counted takes a byte at least, so a count beyond what is left is none. */
size_t hk_source_count(hk_buffer_source *s);
void hk_source_struct(hk_buffer_source *s, hk_buffer_fields fields, void *ret_object);
void hk_source_diags(hk_buffer_source *s, hk_ctx *said);

#endif
