/* SPDX-License-Identifier: MIT
 *
 * The inside of the monitor, for its own files. */
#ifndef HK_ENGINE_MONITOR_INTERNAL_H
#define HK_ENGINE_MONITOR_INTERNAL_H

#include "engine/monitor.h"

typedef struct hk_rate_watch {
    uint64_t sum;    /* of the calls of this activation so far */
    hk_due_time due; /* the next activation */
    uint64_t runs, calls;
    uint32_t phases; /* runs: when it was armed; the others: per activation */
} hk_rate_watch;

/* Variables set and got, and steps: what one instance is due in one activation. */
typedef struct hk_component_calls {
    uint32_t sets, gets, rows, steps;
} hk_component_calls;

/* monitor_initial.c: calls as they were made, and how far in the plan that is. */
typedef struct hk_initial_watch {
    uint64_t *made;
    size_t count, cap, at;
    size_t first, done; /* nodes of the plan: of the group under way; all that had their turn */
} hk_initial_watch;

typedef struct hk_monitor_state {
    hk_rate_watch *rates;
    uint32_t *owner;          /* per component: its cell, while the monitor is armed */
    hk_component_calls *seen; /* per component: calls that were prepared for it */
    hk_soundness so_far;      /* until it was armed last */
    hk_initial_watch initial;
    _Atomic uint64_t row_calls;
    struct hk_value_watch *values; /* monitor_values.c; NULL: not watched */
} hk_monitor_state;

/* The first activation of a rate at or after T, by the plan alone. */
hk_tick hk_rate_first_from(const hk_plan *plan, const hk_rate *rate, hk_tick t);

/* part_tally.c: of a part that another one records. What was due since this was called last; what
 * was looked at in an activation of a cell. */
void hk_tally_calls(hk_sim *sim);
void hk_tally_values(hk_sim *sim, const hk_cell *c, uint64_t values, uint64_t unvalued);
/* All of it; and what of it a run on one node has done. */
void hk_tallies_put(hk_sim *sim, hk_buffer *to);
void hk_tallies_take(hk_sim *sim, hk_buffer_source *from, hk_soundness *sum);

#endif
