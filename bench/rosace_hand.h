/* SPDX-License-Identifier: MIT
 *
 * R-ROSACE, fused by hand. */
#ifndef HK_BENCH_ROSACE_HAND_H
#define HK_BENCH_ROSACE_HAND_H

#include <stddef.h>

typedef struct flight flight;

size_t flight_size(void); /* zeroed memory is one, once its parts are filled in */
/* Where a component lies, and how large it is; NULL: there is none of that name. */
void *flight_part(flight *x, const char *name, size_t *ret_size);
int flight_steps(flight *x, int count); /* of 5 ms each; not 0: one has failed */
double flight_altitude(const flight *x);

#endif
