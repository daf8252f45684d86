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
void hk_source_diags(hk_buffer_source *s, hk_ctx *said);

#endif
