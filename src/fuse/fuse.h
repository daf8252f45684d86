/* SPDX-License-Identifier: MIT
 *
 * A simulation as compiled code: leaves, text, library, all in one. */
#ifndef HK_FUSE_FUSE_H
#define HK_FUSE_FUSE_H

#include "engine/sim.h"
#include "fuse/fuse_options.h"

/* Lets SIM, which was made and not run yet, run by fused code: prints its cells, compiles them, or
 * takes what was compiled of the same text, and attaches the library. What is compiled is reported
 * in a note. Of what cannot be fused (hk_sim_unfusable), without a compiler or a folder for
 * temporary files, and if a library that was made before (hk_fuse_options.library) does not fit: a
 * note, and the simulation is interpreted as before. */
HK_NODISCARD hk_status hk_fuse_run(hk_ctx *ctx, hk_sim *sim, const hk_fuse_options *options);

/* The library that hk_fuse_run would attach, for who keeps it: free it with hk_free. NULL: there is
 * no compiler or no folder for temporary files, which is reported in a note. */
HK_NODISCARD hk_status hk_fuse_library(hk_ctx *ctx, const hk_sim *sim,
                                       const hk_fuse_options *options, char **ret_data,
                                       size_t *ret_size);

/* Writes what hk_fuse_run compiles into FOLDER, made if need be, for people; README.c says how it
 * is compiled. What this function has written there before is replaced or removed; another file of
 * these names is an error, and then nothing is written. *ret_files: how many there are. */
HK_NODISCARD hk_status hk_fuse_emit_to(hk_ctx *ctx, const hk_sim *sim, const char *folder,
                                       size_t *ret_files);

#endif
