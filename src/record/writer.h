/* SPDX-License-Identifier: MIT
 *
 * Inside the record room: what a file format has to offer to the recorder. A writer owns its file:
 * it makes it when the first rows come, adds rows, and ends it. It knows nothing of blocks and
 * threads; the recorder calls it from one thread at a time. One more format is one more file with
 * such a table, and one more row in writers.c. Formats that are rows of bytes, one behind the
 * other, have most of it from stream.h. */
#ifndef HK_RECORD_WRITER_H
#define HK_RECORD_WRITER_H

#include "record/recorder.h"

/* Rows lie one after the other, each as its time (a double) and then the engine's row. */
typedef struct hk_rows {
    const char *first;
    size_t stride; /* bytes from one to the next */
    size_t count;
} hk_rows;

/* What is to be written. Outlives the writer. */
typedef struct hk_record {
    const char *path; /* "-": standard output */
    const hk_column *columns;
    size_t column_count;
    const char *begun; /* what it says about itself while the run is under way; NULL: nothing */
    bool resumes;      /* goes on in the file, behind its rows before a time */
    hk_resumed resumed;
    int64_t flush_ns; /* rows older than this are in the file */
    /* Told by the writer: the file is about to be made or replaced, and: it is there, empty, so
     * that there may be room for more than its rows. Async-signal-safe. */
    void (*replacing)(void *user);
    void (*replaced)(void *user);
    void *user;
} hk_record;

/* How far a writer has come. */
typedef struct hk_record_size {
    uint64_t rows, bytes; /* in the file */
    double last;          /* time of the last of these rows; NaN: there is none */
    bool regular;         /* a file that stays, not a pipe */
} hk_record_size;

/* Problems are values of errno or those of outfile.h; 0: none. After one nothing is put any more.
 */
typedef struct hk_writer {
    const char *extension; /* ".csv" */
    const char *other;     /* ".hdf5": the same format; NULL: none */
    bool streams;          /* may be written to standard output */
    bool resumes;          /* a file can be continued */
    bool in_signals;       /* put and flush may be called in the handler of a signal */
    /* Finds out early what would make it fail; makes no file. Says once what of the columns the
     * format cannot hold. */
    HK_NODISCARD hk_status (*begin)(hk_ctx *ctx, const hk_record *record, void **ret_self);
    /* Takes rows; fewer than all only after a problem or, IN_SIGNAL, if memory were needed. */
    int (*put)(void *self, hk_rows rows, bool in_signal, size_t *ret_taken);
    /* What was put is in the file, whole rows of it, for the one who reads it now. Without ALL a
     * format whose flush is slow may wait, for as long as record->flush_ns says. */
    int (*flush)(void *self, bool all);
    /* Writes what a format has behind its rows, and closes. ABOUT is what it says about itself now;
     * NULL: nothing. */
    int (*end)(void *self, const char *about);
    hk_record_size (*size)(const void *self);
    hk_status (*error)(hk_ctx *ctx, const void *self, int problem);
    /* What the record does not show as it was. */
    void (*tell)(hk_ctx *ctx, const void *self);
    void (*destroy)(void *self);
} hk_writer;

/* The writer for PATH, by its extension. */
HK_NODISCARD hk_status hk_writer_find(hk_ctx *ctx, const char *path, const hk_writer **ret_writer);

/* Notes that texts of COLUMN, first at TIME, are not written as they were. */
void hk_record_tell_escaped(hk_ctx *ctx, const char *path, const char *column, double time);

extern const hk_writer hk_csv_writer, hk_mat_writer, hk_hdf5_writer;

#endif
