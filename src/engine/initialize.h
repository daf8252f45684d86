/* SPDX-License-Identifier: MIT
 *
 * Before the first step, and what is read again later. */
#ifndef HK_ENGINE_INITIALIZE_H
#define HK_ENGINE_INITIALIZE_H

#include "engine/sim_parts.h"

/* initialize.c */
HK_NODISCARD hk_status hk_sim_initialize(hk_sim *sim);
HK_NODISCARD hk_status hk_sim_read_all(hk_sim *sim);
/* The same for one component between two instants; false if it cannot be read. ENDS: it has ended
 * the run, and what is read is part of its trace. */
bool hk_sim_read_component(hk_sim *sim, uint32_t component, bool ends);
/* What was given to a variable before the run, or its own start value; data NULL: nothing. */
hk_value hk_start_value(const hk_sim *sim, uint32_t component, uint32_t variable);

#endif
