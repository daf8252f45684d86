/* SPDX-License-Identifier: MIT
 *
 * Inside the record room: what a file format has to offer to the recorder. A writer turns rows into
 * bytes in a buffer and knows nothing of files, blocks or threads. */
#ifndef HK_RECORD_WRITER_H
#define HK_RECORD_WRITER_H

#include "engine/sim.h"

/* Rows lie one after the other, each as its time (a double) and then the engine's row. */
typedef struct hk_rows {
    const char *first;
    size_t stride; /* bytes from one to the next */
    size_t count;
} hk_rows;

typedef struct hk_writer {
    const char *extension; /* ".csv" */
    void *(*create)(const hk_column *columns, size_t count);
    void (*destroy)(void *self);
    /* What stands before the first row. The size is an upper limit. */
    size_t (*head_size)(const void *self);
    size_t (*head)(const void *self, char *out);
    /* The most bytes that the row may need. */
    size_t (*row_size)(const void *self, const char *row);
    /* Formats as many whole rows as surely fit into ROOM bytes; returns the bytes written. */
    size_t (*rows)(const void *self, hk_rows rows, char *out, size_t room, size_t *ret_taken);
    /* The longest part of OUT[0..size) that ends with a whole row (or the whole head). */
    size_t (*whole)(const char *out, size_t size);
    /* The first column with a text that could not be written as it was, and when; NULL: none. */
    const char *(*escaped)(const void *self, double *ret_time);
} hk_writer;

extern const hk_writer hk_csv_writer;

#endif
