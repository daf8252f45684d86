/* SPDX-License-Identifier: MIT
 *
 * Tables of numbers: a header row with names, `time` first, then rows of numbers. Reads what
 * hocket, FMPy, OMSimulator and the FMI cross-check write: comma (or semicolon, or tab) separated,
 * names quoted or not, CR LF or LF, an optional row of units is not part of the format. What stands
 * in quotes is text, unless the time does, too; in it \xHH is a byte (format/escape.h). */
#ifndef HK_FORMAT_CSV_H
#define HK_FORMAT_CSV_H

#include "base/diag.h"

typedef struct hk_table {
    size_t columns, rows;
    const char **names; /* names[0] is the time column, whatever it is called */
    double **values;    /* values[column][row]; "true"/"false" read as 1/0; text as NaN */
    int *lines;         /* lines[row]: where the row stands in the file */
} hk_table;

/* Parses DATA; everything lives in ARENA. Times must not go back (equal ones are events). */
HK_NODISCARD hk_status hk_csv_parse(hk_ctx *ctx, hk_arena *arena, const char *file,
                                    const char *data, size_t size, const hk_table **ret_table);
/* Reads and parses a file. */
HK_NODISCARD hk_status hk_csv_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                   const hk_table **ret_table);
/* Looks at every cell of a table without keeping them: numbers, 'true' and 'false', or a column of
 * texts in quotes; all else (other texts, decimal commas, empty cells, a file that was cut) is an
 * error with line and column. */
HK_NODISCARD hk_status hk_csv_check(hk_ctx *ctx, const char *path, size_t *ret_columns,
                                    size_t *ret_rows);
/* The column called NAME, or -1. */
int hk_table_find(const hk_table *table, const char *name);

/* The same tables, row by row, in memory that does not grow with their length. */
typedef struct hk_csv hk_csv;

typedef struct hk_csv_cell {
    const char *text; /* without quotes and spaces around it; no NUL follows */
    size_t length;
    int column;   /* where it begins in its line, in bytes from 1 */
    bool is_text; /* it stands in quotes, and the time does not: text, even if it reads as a number
                   */
} hk_csv_cell;

typedef struct hk_csv_row {
    double time;
    int line;
    const hk_csv_cell *cells; /* one for each column; cells[0] is the time */
} hk_csv_row;

/* Opens the file and reads its header. PATH must outlive the reader. */
HK_NODISCARD hk_status hk_csv_open(hk_ctx *ctx, const char *path, hk_csv **ret_csv);
void hk_csv_close(hk_csv *csv); /* NULL is fine */
/* From now on a last line that ends too early is an error, and not left out with a warning. Without
 * TIMED the first column is like any other, and rows have no time. */
void hk_csv_be_strict(hk_csv *csv, bool timed);
size_t hk_csv_columns(const hk_csv *csv);
const char *const *hk_csv_names(const hk_csv *csv);
/* "0,5" in a table whose cells something else parts, and what to do about it. */
bool hk_csv_has_decimal_comma(const hk_csv_cell *cell);
#define HK_CSV_POINT_HINT "write a decimal point: 0.5"
/* The next row, valid until the next call; NULL at the end. Not to be called after a failure. */
HK_NODISCARD hk_status hk_csv_next(hk_csv *csv, const hk_csv_row **ret_row);

#endif
