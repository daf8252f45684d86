/* SPDX-License-Identifier: MIT
 *
 * Columns of a table by what they mean, in the unit that their header says. */
#ifndef HK_MODELS_COLUMNS_H
#define HK_MODELS_COLUMNS_H

#include "csv_file.h"
#include "units.h"

typedef struct column {
    int index;     /* -1: there is none */
    double factor; /* to s, m, rad, m/s */
} column;

/* The column that has one of NAMES (separated by spaces), or ends with a dot and one of them, as
 * the columns of our own logs do. A bare header means s, m, m/s, and what BARE says of angles:
 * "deg", "rad". False: two columns could be meant, the unit is not known, or a cell is not a
 * number. */
bool hk_auv_column_find(const csv_file *file, const char *names, quantity what, const char *bare,
                        column *ret, words *why);

/* What a table was read for. An instance that takes a state over keeps what it has read, and the
 * state may be that of another file: what was read for something else is read again. */
typedef struct table_key {
    char *name;
    size_t name_size;
    double numbers[5];
} table_key;

/* False: there is no memory left. */
bool hk_auv_key_make(table_key *key, const hk_bytes *name, const double numbers[5]);
bool hk_auv_key_fits(const table_key *key, const hk_bytes *name, const double numbers[5]);

static inline bool hk_auv_column_is(column c) {
    return c.index >= 0;
}

static inline double hk_auv_column_get(const csv_file *file, size_t row, column c) {
    return c.factor * hk_auv_csv_number(file, row, (size_t)c.index);
}

#endif
