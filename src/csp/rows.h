/* SPDX-License-Identifier: MIT
 *
 * A set of rows of numbers, each with a number of its own, from 0 in the order in which they come:
 * values, states of processes and sets of them are such rows. Nothing depends on addresses. */
#ifndef HK_CSP_ROWS_H
#define HK_CSP_ROWS_H

#include <hk/base.h>

typedef struct hk_rows {
    uint32_t *words;
    size_t word_count, word_cap;
    size_t *ends; /* per row: where it ends in words */
    size_t count, cap;
    uint32_t *slots;   /* numbers plus 1, by hash; 0: free */
    size_t slot_count; /* a power of two */
} hk_rows;             /* zero-initialised is empty */

void hk_rows_finish(hk_rows *rows);
/* The number of the row; it is added if it is not there. ROW must not be one of ROWS itself. */
uint32_t hk_rows_put(hk_rows *rows, const uint32_t *row, size_t length);
/* The same of a row that begins with a number that says what it is. */
uint32_t hk_rows_put_kind(hk_rows *rows, uint32_t kind, const uint32_t *words, size_t count);
/* Valid until the next put. */
const uint32_t *hk_rows_get(const hk_rows *rows, uint32_t number, size_t *ret_length);

#endif
