/* SPDX-License-Identifier: MIT
 *
 * A file of comma-separated numbers, read once: way-points, series of currents, logs of sensors.
 * The first line names the columns, "depth [m]" with a unit. An empty cell, "nan", "-" and what the
 * reader declares as its mark for missing data are NaN; everything else that is not a number is a
 * mistake with its place, if the column is used. Lines that begin with '#' are comments; separators
 * are commas, semicolons or tabs, whichever the first line has. */
#ifndef HK_MODELS_CSV_FILE_H
#define HK_MODELS_CSV_FILE_H

#include "auv.h"

typedef struct csv_file csv_file;

/* NAME is relative to FOLDER. NULL: it could not be read, and WHY says why ("x.csv:12: ..."). */
csv_file *hk_auv_csv_read(const char *folder, const hk_bytes *name, words *why);
void hk_auv_csv_free(void *data); /* fits hk_resource_field.release */

size_t hk_auv_csv_rows(const csv_file *file);
size_t hk_auv_csv_columns(const csv_file *file);
/* -1: there is none. Names are compared as they are, without the unit. */
int hk_auv_csv_find(const csv_file *file, const char *name);
/* NAME is one of NAMES (separated by spaces), or ends with a dot and one of them, as the columns of
 * our own logs do. */
bool hk_auv_csv_means(const char *name, const char *names);
const char *hk_auv_csv_name(const csv_file *file, size_t column);
const char *hk_auv_csv_unit(const csv_file *file, size_t column); /* "": none */
/* HK_STEP_FAILED: one of its cells is neither a number nor missing, and WHY says which. Ask before
 * numbers of the column are taken. */
int hk_auv_csv_use(const csv_file *file, size_t column, words *why);
/* The names of all columns, for a message; "..." if they do not fit. */
void hk_auv_csv_names(const csv_file *file, char *text, size_t size);
double hk_auv_csv_number(const csv_file *file, size_t row, size_t column);
size_t hk_auv_csv_line(const csv_file *file, size_t row); /* in the file, from 1 */
const char *hk_auv_csv_path(const csv_file *file);        /* as messages show it */

#endif
