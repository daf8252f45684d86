/* SPDX-License-Identifier: MIT
 *
 * Copies that bring the same in each instant of a burst: from components that do not step in it and
 * that nobody can ask for a service. One of them is made in the first instant and left out of the
 * others. That is right as long as who is given the value leaves it as it is, which is looked at
 * after the first instant (then nothing is left out) and at the end (then it is an error). */
#ifndef HK_ENGINE_STILL_H
#define HK_ENGINE_STILL_H

#include "engine/score.h"

/* Which copies of a score these are; none on one of several nodes, where values also arrive. */
void hk_still_find(const hk_sim *sim, hk_burst_score *score);
/* One is left out of most instants: COPY is of the score. */
bool hk_is_still(const hk_burst_score *score, const hk_copy *copy);
/* Whose memory ADDRESS is in may be asked for a service, so that what lies there is seen by others
 * without a copy. */
bool hk_is_asked(const hk_sim *sim, const void *address);
/* What each of them has brought is still there; false: *RET_TO is not as it was. */
bool hk_still_there(const hk_burst_score *score, const void **ret_to);
/* Ends the run: who has it has changed it. */
bool hk_still_fail(hk_sim *sim, const void *to);

#endif
