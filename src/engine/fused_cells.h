/* SPDX-License-Identifier: MIT
 *
 * Cells that run by a library of compiled code, as the loop sees them. */
#ifndef HK_ENGINE_FUSED_CELLS_H
#define HK_ENGINE_FUSED_CELLS_H

#include "engine/sim_parts.h"

/* fused.c: after anything has changed: which cells run by the library from now on. */
void hk_fused_arm(hk_sim *sim);
void hk_fused_finish(hk_sim *sim);
/* What is due at an instant; and many instants at which nothing else happens, up to END at most.
 * False: the run ends here. */
bool hk_fused_phases(hk_sim *sim, size_t due_count, bool monitored);
bool hk_fused_burst(hk_sim *sim, hk_tick end);

#endif
