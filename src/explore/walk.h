/* SPDX-License-Identifier: MIT
 *
 * All states that a system can reach, breadth first: state 0 is the first one, and the number of a
 * state is never below that of one that is nearer to it. What can happen from each state is kept,
 * so that questions about the future ("can it still ...?") are answered without running anything
 * again. */
#ifndef HK_EXPLORE_WALK_H
#define HK_EXPLORE_WALK_H

#include "explore/choices.h"
#include "explore/vault.h"

/* One cycle from state FROM, by the VIA-th sequence of choices. */
typedef struct hk_walk_edge {
    uint32_t from, via;
} hk_walk_edge;

typedef struct hk_walk_system {
    void *user;
    uint32_t words; /* of a state */
    void (*begin)(void *user, uint64_t *ret_state);
    /* Runs one cycle from STATE, in place. ret_marks: bits of what happened in it. False: there is
     * no state behind it. */
    bool (*step)(void *user, hk_walk_edge edge, hk_choices *choices, uint64_t *state,
                 uint64_t *ret_marks);
} hk_walk_system;

typedef struct hk_walk hk_walk;

/* Goes until all states are known, or LIMIT of them. */
hk_walk *hk_walk_all(const hk_walk_system *system, uint32_t limit);
void hk_walk_destroy(hk_walk *walk); /* NULL is fine */

const hk_vault *hk_walk_states(const hk_walk *walk);
bool hk_walk_is_whole(const hk_walk *walk);     /* the limit was not reached */
uint32_t hk_walk_expanded(const hk_walk *walk); /* states whose cycles have all been run */
uint64_t hk_walk_steps(const hk_walk *walk);    /* cycles that were run */
size_t hk_walk_memory(const hk_walk *walk);

/* The edges that lead from state 0 to STATE, in order; *ret_count of them. */
hk_walk_edge *hk_walk_path(const hk_walk *walk, hk_arena *arena, uint32_t state, size_t *ret_count);
/* The number of cycles from state 0 to STATE. */
size_t hk_walk_distance(const hk_walk *walk, uint32_t state);

/* Makes CHOICES those of the edge: the next run of the cycle takes it. */
void hk_walk_choose(const hk_walk_system *system, const hk_walk *walk, hk_walk_edge edge,
                    hk_choices *choices);

/* For each state all marks of edges that can still come; those of cycles that lead to no state have
 * LOST, too. Freed by the caller. Only of a whole walk. */
uint64_t *hk_walk_futures(hk_walk *walk, uint64_t lost);

#endif
