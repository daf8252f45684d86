/* SPDX-License-Identifier: MIT
 *
 * Points at which tests build defects into the loops, to see them caught: tests/monitor/seeded.h
 * has them. In every other build a seam is nothing: what is named there is not even evaluated. */
#ifndef HK_ENGINE_SEAMS_H
#define HK_ENGINE_SEAMS_H

/* Behind the name of a variable that nothing but a seam looks at. */
#define SEAM_ONLY __attribute__((unused))

#ifdef HK_SEED_BUG
#include "seeded.h"
#define SEAM(point, ...) SEAM_##point(__VA_ARGS__)
#else
int hk_seam_names(int unused, ...); /* nowhere defined */
#define SEAM(point, ...) ((void)sizeof(hk_seam_names(0, __VA_ARGS__)))
#endif

#endif
