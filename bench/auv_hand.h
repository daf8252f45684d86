/* SPDX-License-Identifier: MIT
 *
 * The underwater vehicle on its line of 20 km, by hand: once as calls through pointers, once with
 * all steps in sight of the compiler. */
#ifndef HK_BENCH_AUV_HAND_H
#define HK_BENCH_AUV_HAND_H

#include <stddef.h>

typedef struct voyage voyage;
typedef int voyage_step(void *self, double t, double h);

size_t voyage_parts(void); /* how many components it has */
size_t voyage_size(void);  /* zeroed memory is one, once its parts are filled in */
/* A component: its name in the system, where it lies, how large it is, and the pointer to its step.
 * The last is the analysis. */
typedef struct voyage_part {
    const char *name;
    void *at;
    size_t size;
    voyage_step **call;
} voyage_part;
voyage_part voyage_part_at(voyage *x, size_t index);
void voyage_bind(voyage *x); /* once all parts are filled in: their services are each other's */

int voyage_calls(voyage *x, int count); /* ticks of 1 ms; not 0: one has failed */
int voyage_steps(voyage *x, int count); /* the same, fused by hand */

#endif
