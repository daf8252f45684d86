/* SPDX-License-Identifier: MIT
 *
 * Variants: copies of a model whose schedule may be changed, to see what the plan would be. */
#ifndef HK_PLAN_VARIANT_H
#define HK_PLAN_VARIANT_H

#include "model/model.h"

/* A copy, in ARENA, with components and processors of its own; everything else is shared with
 * MODEL, which must outlive it. Each processor has room for all components. Not destroyed. */
hk_model *hk_variant_copy(const hk_model *model, hk_arena *arena);
/* A copy without a schedule, with room for CAP processors; their lists are the caller's. */
hk_model *hk_variant_unscheduled(const hk_model *model, uint32_t cap, hk_arena *arena);
/* Tells the components of a processor where they are now. */
void hk_variant_renumber(hk_model *variant, uint32_t processor);

#endif
