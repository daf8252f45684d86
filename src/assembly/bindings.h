/* SPDX-License-Identifier: MIT
 *
 * To whom required interfaces may be bound in a run of a scenario, at its beginning or by its
 * events; and in any of the simulation. */
#ifndef HK_ASSEMBLY_BINDINGS_H
#define HK_ASSEMBLY_BINDINGS_H

#include "model/scenario.h"
#include "plan/plan.h"

/* In ARENA. */
hk_bindings hk_scenario_bindings(const hk_simulation *simulation, const hk_scenario *scenario,
                                 hk_arena *arena);
hk_bindings hk_simulation_bindings(const hk_simulation *simulation, hk_arena *arena);
/* The index of what a component requires; requirement_count: it does not. */
size_t hk_find_requirement(const hk_model *model, uint32_t component, uint32_t service);

#endif
