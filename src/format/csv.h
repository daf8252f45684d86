/* SPDX-License-Identifier: MIT
 *
 * Tables of numbers: a header row with names, `time` first, then rows of numbers. Reads what
 * hocket, FMPy, OMSimulator and the FMI cross-check write: comma (or semicolon, or tab) separated,
 * names quoted or not, CR LF or LF, an optional row of units is not part of the format. What is
 * in quotes is text, unless the time does, too; in it \xHH is a byte (format/escape.h). */
#ifndef HK_FORMAT_CSV_H
#define HK_FORMAT_CSV_H

#include "format/table_read.h"

/* Parses DATA; everything lives in ARENA. Times must not go back (equal ones are events). */
HK_NODISCARD hk_status hk_csv_parse(hk_ctx *ctx, hk_arena *arena, const char *file,
                                    const char *data, size_t size, const hk_table **ret_table);
/* Reads and parses a file. */
HK_NODISCARD hk_status hk_csv_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                   const hk_table **ret_table);
/* The same tables, row by row, in memory that does not grow with their length. */
typedef struct hk_csv hk_csv;

/* Opens the file and reads its header. PATH must outlive the reader. */
HK_NODISCARD hk_status hk_csv_open(hk_ctx *ctx, const char *path, hk_csv **ret_csv);
void hk_csv_close(hk_csv *csv); /* NULL is fine */
/* From now on a last line that ends too early is an error, and not left out with a warning. Without
 * TIMED the first column is like any other, and rows have no time. */
void hk_csv_be_strict(hk_csv *csv, bool timed);
size_t hk_csv_columns(const hk_csv *csv);
const char *const *hk_csv_names(const hk_csv *csv);
hk_where hk_csv_place(const hk_csv *csv, int line, int column); /* 0: of no line, no column */
hk_where hk_csv_name_place(const hk_csv *csv, size_t column);   /* of a name in the header */
/* "0,5" in a table whose cells something else parts, and what to do about it. */
bool hk_csv_has_decimal_comma(const hk_table_cell *cell);
#define HK_CSV_POINT_HINT "write a decimal point: 0.5"
/* The next row, valid until the next call; NULL at the end. Not to be called after a failure. */
HK_NODISCARD hk_status hk_csv_next(hk_csv *csv, const hk_table_row **ret_row);

extern const hk_table_format hk_csv_table; /* timed */

#endif
