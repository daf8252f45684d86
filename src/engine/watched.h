/* SPDX-License-Identifier: MIT
 *
 * The simulations that are alive, and which call each thread is in: for the guard, whose signal
 * handlers ask. None of these functions allocates. */
#ifndef HK_ENGINE_WATCHED_H
#define HK_ENGINE_WATCHED_H

#include "engine/sim_parts.h"

/* A call in progress. */
typedef struct hk_call_place {
    hk_sim *sim;     /* NULL: there is none */
    const hk_op *at; /* NULL: none of its components is in a call */
} hk_call_place;

hk_sim *hk_watched_first(void); /* the others follow by safety.next_watched; NULL: there is none */
bool hk_watched_several(void);  /* more than one is alive */
hk_call_place hk_watched_here(void); /* the call that the calling thread is in */
hk_call_place hk_watched_any(void);  /* one that some thread is in; else the newest simulation */
void hk_watched_hold(void);          /* for good: no simulation goes from here on */

#endif
