/* SPDX-License-Identifier: MIT
 *
 * Who looks whether a number is finite, where a score is played by notes: the first copy that
 * brings it to somebody in the same instant, which has read it anyway. Nobody is given one that is
 * not finite. What no copy brings, or only in the next instant, is looked at after the steps; so is
 * what belongs to a provider of services, who may be asked for it. A look of its own at what was
 * stored a moment ago costs as much as a copy of it. */
#ifndef HK_ENGINE_LOOKS_H
#define HK_ENGINE_LOOKS_H

#include "engine/score.h"

/* Shares them out: score->looked and what is left for each voice. */
void hk_looks_share(const hk_sim *sim, hk_burst_score *score);

#endif
