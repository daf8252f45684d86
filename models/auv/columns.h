/* SPDX-License-Identifier: MIT
 *
 * Columns of a table by what they mean, in the unit that their header says. */
#ifndef HK_MODELS_COLUMNS_H
#define HK_MODELS_COLUMNS_H

#include "csv_file.h"

typedef enum quantity { A_TIME, A_LENGTH, AN_ANGLE, A_SPEED } quantity;

typedef struct column {
    int index;     /* -1: there is none */
    double factor; /* to s, m, rad, m/s */
} column;

/* The column that has one of NAMES (separated by spaces), or ends with a dot and one of them, as
 * the columns of our own logs do. A bare header means s, m, m/s, and what BARE says of angles:
 * "deg", "rad". False: two columns could be meant, or the unit is not known. */
bool hk_auv_column_find(const csv_file *file, const char *names, quantity what, const char *bare,
                        column *ret, words *why);

static inline bool hk_auv_column_is(column c) {
    return c.index >= 0;
}

static inline double hk_auv_column_get(const csv_file *file, size_t row, column c) {
    return c.factor * hk_auv_csv_number(file, row, (size_t)c.index);
}

#endif
