/* SPDX-License-Identifier: MIT
 *
 * Fused code: cells that were compiled to C, in place of the engine's own. */
#ifndef HK_ENGINE_FUSED_H
#define HK_ENGINE_FUSED_H

#include "engine/sim.h"

/* Before the run: cells run by LIBRARY (from dlopen) from now on, as long as what their text says
 * is what the engine would do; others, and those that a scenario has changed, are interpreted. The
 * simulation owns LIBRARY from here on, also if this fails: then it names the cell, what is
 * there and what should (HK_E_FUSED), and everything is interpreted. */
HK_NODISCARD hk_status hk_sim_attach_fused(hk_sim *sim, void *library);
/* The same for a library that may have been made for other options, or another schedule: what does
 * not fit is interpreted, as if it was not there; false: that is all of it. */
bool hk_sim_attach_fitting(hk_sim *sim, void *library);
/* The same for a table that lives as long as the simulation. */
struct hk_fused_library;
HK_NODISCARD hk_status hk_sim_attach_table(hk_sim *sim, const struct hk_fused_library *table);

/* Why all of it is interpreted, whatever is attached: "threads share its phases"; NULL: it is not.
 * To be asked before anything is compiled for it; attaching tells it, too. */
const char *hk_sim_unfusable(const hk_sim *sim);

/* How it is at present, and what came of it. */
typedef struct hk_fused_count {
    size_t cells, fused; /* that there are, that run by the library */
    uint64_t runs;       /* activations of cells by the library so far */
    bool attached;       /* there is a library */
    /* Who has made the library, as long as the simulation lives; NULL: it does not say. */
    const char *compiler, *flags;
} hk_fused_count;
hk_fused_count hk_sim_fused(const hk_sim *sim);

#endif
