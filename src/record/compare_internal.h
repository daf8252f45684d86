/* SPDX-License-Identifier: MIT
 *
 * What the files of the comparison share: which columns belong together (compare_names.c), how two
 * cells are compared (compare_value.c), and the walk through the rows (compare.c). */
#ifndef HK_RECORD_COMPARE_INTERNAL_H
#define HK_RECORD_COMPARE_INTERNAL_H

#include "format/table_read.h"
#include "record/compare.h"

/* One record while it is read. */
typedef struct hk_compare_side {
    const char *path;
    hk_table_reader *reader;
    size_t *columns;          /* of each signal */
    const hk_table_row *next; /* the row that was not compared yet; NULL: at the end */
    /* The row before it, kept for interpolation; it has no cells before the first. */
    hk_table_row last;
    hk_table_cell *cells;
    char *text;
    size_t text_cap;
    uint64_t rows;
} hk_compare_side;

typedef struct hk_compare_state {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_compare_options *options;
    hk_compare_side sides[2];
    struct hk_squares {
        double scale, sum; /* the sum of squares is scale^2 * sum, which does not overflow */
    } * squares;           /* of each signal's differences */
    bool *held;            /* of each signal */
    hk_comparison *result;
} hk_compare_state;

/* A value to compare: a cell, or a number between two cells. */
typedef struct hk_compare_value {
    hk_table_cell cell; /* text NULL: interpolated */
    double number;      /* of an interpolated one */
    int line;
} hk_compare_value;

/* Finds the signals: fills in result->signals, only_in, and the columns of both sides. */
HK_NODISCARD hk_status hk_compare_match(hk_compare_state *state);
bool hk_patterns_match(const hk_patterns *patterns, const char *name);

bool hk_cell_is_whole(const hk_table_cell *cell); /* a whole number or a Boolean */
bool hk_cell_number(const hk_table_cell *cell, double *ret_number);
/* Compares the values of signal number INDEX at TIME. */
void hk_compare_values(hk_compare_state *state, size_t index, double time,
                       const hk_compare_value values[2]);
/* Mean values, and the order of the worst signals. */
void hk_compare_finish(hk_compare_state *state);

#endif
