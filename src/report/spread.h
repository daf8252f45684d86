/* SPDX-License-Identifier: MIT
 *
 * What several numbers have in common: of the runs of a scenario, or of the rows of a log. */
#ifndef HK_REPORT_SPREAD_H
#define HK_REPORT_SPREAD_H

#include <hk/base.h>

/* Of those numbers that are finite. NaN: there are none; of the deviation: there is one only. */
typedef struct hk_spread {
    size_t count;
    double mean;
    double deviation; /* of a sample: divided by count - 1 */
    double least, most;
    double r50, r95; /* what half of them, and 95 of 100, do not exceed in magnitude; between two
                        of them on the line */
} hk_spread;

/* Takes VALUES apart: their order and signs are lost. */
hk_spread hk_spread_of(double *values, size_t count);
/* R50 and R95 say something about it: a distance, whose R50 is the circular error probable. */
bool hk_spread_is_distance(const char *unit); /* NULL: none */

#endif
