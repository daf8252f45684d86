/* SPDX-License-Identifier: MIT
 *
 * The cells of a simulation as C: what the engine would do, statement by statement. */
#ifndef HK_FUSE_EMIT_H
#define HK_FUSE_EMIT_H

#include "engine/sim.h"
#include "fuse/leaves.h"

/* All that is compiled. */
typedef struct hk_fuse_printed {
    const hk_leaves *leaves; /* their units */
    hk_fuse_text *files;
    size_t count;
} hk_fuse_printed;

/* Writes one file per cell, `system.h` (what lies where), `says.c` (the same cells once more,
 * written down: see hk/fused.h) and `fused.c` (the table that the engine reads). All .c files are
 * to be compiled and linked with the units of LEAVES (NULL: every step is called through its
 * pointer). The text depends on the simulation alone: equal ones give equal bytes. */
hk_fuse_printed hk_fuse_emit(hk_arena *arena, const hk_sim *sim, const hk_leaves *leaves);

#endif
