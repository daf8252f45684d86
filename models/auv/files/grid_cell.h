/* SPDX-License-Identifier: MIT
 *
 * Where a number is between the rows or columns of a grid. */
#ifndef HK_MODELS_GRID_CELL_H
#define HK_MODELS_GRID_CELL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* How far from the grid a rounded place may be, in cells. */
#define GRID_ROUNDING 1e-6

/* Which of the N rows or columns is before X, and how far beyond it X is. False: it is farther out
 * than BEYOND. */
static inline bool hk_auv_grid_cell(double x, uint64_t n, double beyond, uint64_t *ret_cell,
                                    double *ret_part) {
    double last = (double)(n - 1);
    beyond += GRID_ROUNDING;
    if (!(x >= -beyond && x <= last + beyond))
        return false;
    x = x < 0 ? 0 : x > last ? last : x;
    double cell = floor(x);
    if (cell == last && n > 1)
        cell -= 1;
    *ret_cell = (uint64_t)cell;
    *ret_part = x - cell;
    return true;
}

#endif
