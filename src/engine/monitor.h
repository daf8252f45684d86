/* SPDX-License-Identifier: MIT
 *
 * The inside of the monitor, for its own files. */
#ifndef HK_ENGINE_MONITOR_H
#define HK_ENGINE_MONITOR_H

#include "engine/sim_internal.h"

typedef struct rate_watch {
    uint64_t sum; /* of the calls of this activation so far */
    due_time due; /* the next activation */
    uint64_t runs, calls;
    uint32_t phases; /* runs: when it was armed; the others: per activation */
} rate_watch;

/* Variables set and got, and steps: what one instance is due in one activation. */
typedef struct component_calls {
    uint32_t sets, gets, rows, steps;
} component_calls;

/* monitor_initial.c: calls as they were made, and how far in the plan that is. */
typedef struct initial_watch {
    uint64_t *made;
    size_t count, cap, at;
    size_t first, done; /* nodes of the plan: of the group under way; all that had their turn */
} initial_watch;

typedef struct monitor {
    rate_watch *rates;
    uint32_t *owner;       /* per component: its cell, while the monitor is armed */
    component_calls *seen; /* per component: calls that were prepared for it */
    hk_soundness so_far;   /* until it was armed last */
    initial_watch initial;
    _Atomic uint64_t row_calls;
    struct values *values; /* monitor_values.c; NULL: not watched */
} monitor;

#endif
