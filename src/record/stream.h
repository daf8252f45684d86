/* SPDX-License-Identifier: MIT
 *
 * Inside the record room: records that are a head and then rows of bytes, one behind the other. A
 * format says how a row looks; the stream has the buffer and the file, and is most of a writer. */
#ifndef HK_RECORD_STREAM_H
#define HK_RECORD_STREAM_H

#include "record/outfile.h"
#include "record/writer.h"

typedef struct hk_row_format {
    /* What is before the first row. The size is an upper limit. */
    size_t (*head_size)(const void *self);
    size_t (*head)(const void *self, char *out);
    /* The most bytes that the row may need. */
    size_t (*row_size)(const void *self, const char *row);
    /* Formats as many whole rows as surely fit into ROOM bytes; returns the bytes written. */
    size_t (*rows)(void *self, hk_rows rows, char *out, size_t room, size_t *ret_taken);
    /* The longest part of OUT[0..size) that ends with a whole row (or the whole head). */
    size_t (*whole)(const char *out, size_t size);
    /* How many rows that part has, without the head, and the time of the last one, if there is one.
     * For formats that count it is known without. Async-signal-safe, as all of these. */
    uint64_t (*count)(const char *out, size_t size, double *ret_last);
    /* For formats whose head says how many rows there are, and whose rows are all of one size;
     * NULL: it does not. Writes the head for ROWS rows, of which the last ones are BLOCK, and what
     * is to lie over the block until it is complete. */
    const hk_outfile_head *(*counted)(void *self, const char *block, size_t block_size,
                                      uint64_t rows);
    /* What is behind the last row, in memory for hk_free: what the record says about itself. NULL:
     * nothing, it is beside the record. */
    char *(*tail)(const char *about, size_t *ret_size);
    void (*tell)(hk_ctx *ctx, const char *path, const void *self);
    void (*destroy)(void *self);
} hk_row_format;

extern const hk_row_format hk_csv_format;

typedef struct hk_row_stream hk_row_stream;

/* Takes FORMAT_SELF over, also if it fails. */
HK_NODISCARD hk_status hk_row_stream_begin(hk_ctx *ctx, const hk_record *record,
                                           const hk_row_format *format, void *format_self,
                                           void **ret_stream);
int hk_row_stream_put(void *stream, hk_rows rows, bool in_signal, size_t *ret_taken);
int hk_row_stream_flush(void *stream, bool all);
int hk_row_stream_end(void *stream, const char *about);
hk_record_size hk_row_stream_size(const void *stream);
hk_status hk_row_stream_error(hk_ctx *ctx, const void *stream, int problem);
void hk_row_stream_tell(hk_ctx *ctx, const void *stream);
void hk_row_stream_destroy(void *stream);

/* The part of a writer that is the same for all of them. */
#define HK_STREAM_WRITER                                                                           \
    .in_signals = true, .put = hk_row_stream_put, .flush = hk_row_stream_flush,                    \
    .end = hk_row_stream_end, .size = hk_row_stream_size, .error = hk_row_stream_error,            \
    .tell = hk_row_stream_tell, .destroy = hk_row_stream_destroy

#endif
