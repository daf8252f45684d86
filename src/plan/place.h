/* SPDX-License-Identifier: MIT
 *
 * Placing: which component runs on which node. What must stay together does, and no lag changes;
 * so the only questions are who has how much to do, and how many messages there are. */
#ifndef HK_PLAN_PLACE_H
#define HK_PLAN_PLACE_H

#include "plan/plan.h"

/* A placement of all components on NODE_COUNT nodes: those of one logical processor, joined by
 * services, or in a loop of initial values share a node. Work is spread as evenly, in all and in
 * each phase, as a search by moves and exchanges of such groups finds it; among ways that are as
 * even, one with few messages is taken. COST is per component, per second of simulated time; NULL:
 * its activations per second, with what each takes where that is declared. NODE_OF is the caller's.
 * The result depends on the arguments only. */
void hk_place_components(const hk_plan *plan, uint32_t node_count, const double *cost,
                         uint32_t *ret_node_of);
/* How many groups that makes; a note says if some of NODE_COUNT nodes have none. */
uint32_t hk_note_idle_nodes(hk_ctx *ctx, const hk_plan *plan, uint32_t node_count);
/* A node, by the number of one of them, for all components that must be together whatever a
 * schedule says: those joined by services or in a loop of initial values. */
void hk_place_apart(const hk_plan *plan, uint32_t *ret_node_of);

#endif
