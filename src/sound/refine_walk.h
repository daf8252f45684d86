/* SPDX-License-Identifier: MIT
 *
 * Sequences of calls against the specification: what refine.c has in another file. */
#ifndef HK_SOUND_REFINE_WALK_H
#define HK_SOUND_REFINE_WALK_H

#include "sound/spec.h"

/* Is the master, whose step is a sequence (BEFORE does not count), a run of SPEC? */
hk_sound_verdict hk_refine_walk(hk_arena *arena, const hk_spec *spec, const hk_sound_master *master,
                                int64_t max_step);

#endif
