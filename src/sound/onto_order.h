/* SPDX-License-Identifier: MIT
 *
 * The order of the calls of a plan, for the calls of a multi-model that they became. */
#ifndef HK_SOUND_ONTO_ORDER_H
#define HK_SOUND_ONTO_ORDER_H

#include "sound/sound.h"

/* Fills in what comes before each step of TO, in ARENA. NUMBERS: per step of FROM the one of TO
 * that it is a part of; HK_MAP_NONE: none. Linear where many calls share a list of what is before.
 */
void hk_onto_order(hk_arena *arena, const hk_sound_master *from, const uint32_t *numbers,
                   hk_sound_master *to);

#endif
