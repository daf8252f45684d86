/* SPDX-License-Identifier: MIT
 *
 * What other programs do while something is measured. */
#ifndef HK_BENCH_OTHERS_H
#define HK_BENCH_OTHERS_H

typedef struct bench_moment {
    double wall_s; /* by the clock */
    double all_s;  /* of the processors, that all programs have used; NaN: not known here */
    double own_s;  /* of the processors, that this one has used */
} bench_moment;

bench_moment bench_now(void);

/* How many processors other programs have kept busy since then, on average; 0 if that is not known.
 */
double bench_others(bench_moment since);

#endif
