/* SPDX-License-Identifier: MIT
 *
 * Those who follow a run. */
#ifndef HK_ENGINE_LISTENERS_H
#define HK_ENGINE_LISTENERS_H

#include "engine/sim.h"

typedef struct hk_sim_listening {
    hk_listener *all;
    size_t count;
    hk_tick *hook_ticks; /* per listener: when its hook is wanted next */
    hk_tick hook_next;   /* the earliest of them */
} hk_sim_listening;

/* listeners.c: what they want, before anything is built; whether a row at this end is for any of
 * them; the hooks that are due, and those who want to know how far the run is. */
void hk_listeners_make(hk_sim *sim);
bool hk_listeners_want_end(const hk_sim *sim);
void hk_listeners_hook(hk_sim *sim);
void hk_listeners_progress(const hk_sim *sim);
bool hk_listeners_trace(const hk_sim *sim); /* some listener wants the calls */

#endif
