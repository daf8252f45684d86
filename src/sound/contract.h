/* SPDX-License-Identifier: MIT
 *
 * Between the files of the contract checker. */
#ifndef HK_SOUND_CONTRACT_H
#define HK_SOUND_CONTRACT_H

#include "sound/sound.h"

/* contract_order.c: one sequence that stands for all that the partial order of a step allows. NULL:
 * there is none, because two calls of which one can see whether the other came first are in no
 * order; RET_WHY names them. If that matters to FMI alone, RET_FMI does. */
const hk_sound_call *hk_contract_order(hk_arena *arena, const hk_sound_system *system,
                                       const hk_sound_master *master, const char **ret_why,
                                       const char **ret_fmi);

#endif
