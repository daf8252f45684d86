/* SPDX-License-Identifier: MIT
 *
 * Tables of values over time, whatever file they are in: records of runs, inputs, curves. The
 * extension says the format: .mat (format/mat.h), .h5 and .hdf5 (format/hdf5.h), all else is CSV
 * (format/csv.h). The time comes first, and never goes back; equal times are events. One more
 * format is one more hk_table_format, and one more row in table_read.c. */
#ifndef HK_FORMAT_TABLE_READ_H
#define HK_FORMAT_TABLE_READ_H

#include "base/diag.h"

/* What is known of a column. CSV and MAT have part of it from the file beside them
 * ("run.csv-metadata.json"). */
typedef struct hk_table_column {
    const char *name; /* "pump.flow"; of an element of an array "arm.q[2]" */
    int line, column; /* where that is in the file; 0: the format has no lines */
    const char *unit; /* NULL: none, or not said */
    hk_type type;     /* HK_TYPE_COUNT: not said */
    /* Items of an enumeration; 0: none, or not said. */
    const char *const *item_names;
    const int64_t *item_values;
    size_t item_count;
    /* The array it is an element of, in formats that have arrays; NULL: none. */
    const char *array;
    const size_t *dims;
    size_t dim_count, element; /* element: from 0, the last index runs first */
} hk_table_column;

typedef struct hk_table {
    size_t columns, rows;
    const char **names; /* names[0] is the time column, whatever it is called */
    double **values;    /* values[column][row]; "true"/"false" read as 1/0; text as NaN */
    int *lines; /* lines[row]: where it is in the file; its number where that has no lines */
    const hk_table_column *about; /* of each column; NULL: nothing is known but the names */
} hk_table;

/* Extensions of tables for completion and help. */
#define HK_TABLE_EXTENSIONS "csv mat h5 hdf5"
bool hk_table_is(const char *path); /* its extension is that of a table */

/* The whole table; everything lives in ARENA. */
HK_NODISCARD hk_status hk_table_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                     const hk_table **ret_table);
/* Looks at every cell of a table without keeping them, and at the names: each column has its own;
 * numbers, 'true' and 'false', or a column of texts; all else (in CSV: other texts, decimal commas,
 * empty cells, a file that was cut) is an error with its place. */
HK_NODISCARD hk_status hk_table_check(hk_ctx *ctx, const char *path, size_t *ret_columns,
                                      size_t *ret_rows);
/* The column called NAME, or -1. */
int hk_table_find(const hk_table *table, const char *name);

/* --- row by row, in memory that does not grow with their length --------------------------------*/

typedef struct hk_table_cell {
    const char *text; /* without quotes and spaces around it; no NUL follows. Of formats that hold
                         numbers: the shortest text that reads back exactly */
    size_t length;
    int column;   /* where it begins in its line, in bytes from 1; 0: the format has no lines */
    bool is_text; /* it is text even if it reads as a number */
} hk_table_cell;

typedef struct hk_table_row {
    double time;
    int line;                   /* as in hk_table */
    const hk_table_cell *cells; /* one for each column; cells[0] is the time */
} hk_table_row;

typedef struct hk_table_reader hk_table_reader;

/* Opens the file and reads what comes before the rows. PATH must outlive the reader. */
HK_NODISCARD hk_status hk_table_open(hk_ctx *ctx, const char *path, hk_table_reader **ret_reader);
void hk_table_close(hk_table_reader *reader); /* NULL is fine */
size_t hk_table_columns(const hk_table_reader *reader);
const char *const *hk_table_names(const hk_table_reader *reader);
const hk_table_column *hk_table_about(const hk_table_reader *reader);
/* The same in ARENA: the reader has its own. */
const hk_table_column *hk_table_keep_columns(hk_arena *arena, const hk_table_reader *reader);
/* The next row, valid until the next call; NULL at the end. Not to be called after a failure. */
HK_NODISCARD hk_status hk_table_next(hk_table_reader *reader, const hk_table_row **ret_row);

/* --- for the formats ---------------------------------------------------------------------------*/

typedef struct hk_table_format {
    const char *extensions; /* ".h5 .hdf5" */
    HK_NODISCARD hk_status (*open)(hk_ctx *ctx, const char *path, bool strict, void **ret_self);
    void (*close)(void *self);
    HK_NODISCARD hk_status (*next)(void *self, const hk_table_row **ret_row);
    const hk_table_column *(*columns)(const void *self, size_t *ret_count);
    size_t (*rows)(const void *self); /* how many there are; NULL: not known before they are read */
} hk_table_format;

/* What the file beside PATH says of its columns, for which the table itself says nothing; it lives
 * in ARENA. That there is none is fine; one that cannot be read gives a note. */
void hk_table_beside(hk_ctx *ctx, hk_arena *arena, const char *path, hk_table_column *columns,
                     size_t count);
/* The same from what such a file holds. */
struct hk_json_value;
void hk_table_learn(hk_arena *arena, const struct hk_json_value *root, hk_table_column *columns,
                    size_t count);
/* "run.csv-metadata.json"; lives in ARENA. */
const char *hk_table_beside_path(hk_arena *arena, const char *path);

/* A time that is not a finite number, or goes back from LAST (NaN: it is the first), is an error.
 */
HK_NODISCARD hk_status hk_table_check_time(hk_ctx *ctx, const char *path, size_t row, double time,
                                           double last);
/* Says that a run is writing the file now: its end is not the end of the run. */
void hk_table_tell_open(hk_ctx *ctx, const char *path);
/* Opens the file for reading, after a look at who claims it and whether it is being written. */
HK_NODISCARD hk_status hk_table_open_file(hk_ctx *ctx, const char *path, int *ret_fd);

#endif
