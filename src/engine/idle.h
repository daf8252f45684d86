/* SPDX-License-Identifier: MIT
 *
 * Cells and rates of which everything is stopped. Their activations do nothing but pass, so a burst
 * leaves them out and does not end at them; afterwards the run is where it would be if each had
 * been run. */
#ifndef HK_ENGINE_IDLE_H
#define HK_ENGINE_IDLE_H

#include "engine/sim_parts.h"

/* All of a cell is stopped: nothing is called, copied or looked at. On one of several nodes none
 * is: what runs on another one is not called here, and goes on there. */
bool hk_idle_cell(const hk_sim *sim, const hk_cell *c);
/* After anything has changed: which rates that are. */
void hk_idle_find(hk_sim *sim);
/* Of an idle rate: LAST was its newest activation. */
void hk_idle_settle(hk_sim *sim, size_t rate, hk_tick last);
/* All activations of an idle rate before T are over. */
void hk_idle_pass(hk_sim *sim, size_t rate, hk_tick t);

#endif
