/* SPDX-License-Identifier: MIT
 *
 * Defects that tests build into the loops to see them caught (tests/monitor): the build with the
 * number has the defect from the tick hk_seed_from on. Nothing of them is in a build without a
 * number. */
#ifndef HK_ENGINE_SEEDED_H
#define HK_ENGINE_SEEDED_H

#include "engine/sim_internal.h"

#ifdef HK_SEED_BUG
extern hk_tick hk_seed_from;
#define SEEDED(number) (HK_SEED_BUG == (number) && sim->now >= hk_seed_from)
#else
#define SEEDED(number) ((void)sim, false)
#endif
enum {
    BUG_SWAPPED_SET = 1,
    BUG_SKIPPED_GET,
    BUG_DOUBLE_STEP,
    BUG_WRONG_TIME,
    BUG_GET_AFTER_SET,
    BUG_FOREIGN_COPY,
    BUG_INITIAL_SKIPPED, /* these before the loop: initial.c */
    BUG_INITIAL_FOREIGN,
    BUG_INITIAL_ORDER,
    BUG_FIRST_GET_SKIPPED
};

#endif
