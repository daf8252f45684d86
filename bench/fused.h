/* SPDX-License-Identifier: MIT
 *
 * Fused code for cases whose components are linked into the benchmark. */
#ifndef HK_BENCH_FUSED_H
#define HK_BENCH_FUSED_H

#include "bench.h"
#include "engine/sim.h"

/* A leaf of the file that the cells are compiled with. */
typedef struct bench_leaf {
    const char *type, *step; /* its name, and the function in there */
} bench_leaf;

typedef struct bench_leaves {
    const char *source; /* a C file in the folder of the benchmark; NULL: all by pointers */
    const bench_leaf *all;
    size_t count;
} bench_leaves;

/* Lets SIM run by fused code: cells and leaves in one file, compiled with the flags of plugins,
 * which is what `hocket run --fused` comes to where the compiler optimises when it links. */
HK_NODISCARD hk_status bench_fuse(bench *b, const hk_model *model, hk_sim *sim,
                                  const bench_leaves *leaves);

#endif
