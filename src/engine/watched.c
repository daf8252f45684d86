/* SPDX-License-Identifier: MIT */
#include "engine/watched.h"

/* All simulations that are alive, the newest first. Changed under the lock; signal handlers follow
 * it as it is. */
static _Atomic(hk_sim *) watched;
static pthread_mutex_t watched_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local hk_lane *here; /* what the calling thread is doing */

void hk_sim_watch(hk_sim *sim) {
    HK_ASSERT(sim);
    static unsigned made;
    sim->threads.self.sim = sim;
    pthread_mutex_lock(&watched_lock);
    sim->safety.serial = ++made;
    sim->safety.next_watched = watched;
    watched = sim;
    pthread_mutex_unlock(&watched_lock);
}

void hk_sim_unwatch(hk_sim *sim) {
    HK_ASSERT(sim);
    pthread_mutex_lock(&watched_lock);
    _Atomic(hk_sim *) *link = &watched;
    while (*link && *link != sim)
        link = &(*link)->safety.next_watched;
    if (*link)
        *link = sim->safety.next_watched;
    pthread_mutex_unlock(&watched_lock);
}

bool hk_lane_enter(hk_lane *l) {
    HK_ASSERT(l && l->sim);
    if (here == l)
        return false;
    l->outer = here;
    here = l;
    return true;
}

void hk_lane_leave(hk_lane *l) {
    HK_ASSERT(here == l);
    here = l->outer;
    l->outer = NULL;
}

void hk_call_begin(hk_sim *sim, const hk_op *what) {
    HK_ASSERT(sim && what);
    hk_lane *l = &sim->threads.self;
    if (hk_lane_enter(l))
        l->for_a_call = true;
    hk_at(l, what);
}

void hk_call_end(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_lane *l = &sim->threads.self;
    hk_at(l, NULL);
    if (l->for_a_call) {
        l->for_a_call = false;
        hk_lane_leave(l);
    }
}

hk_sim *hk_watched_first(void) {
    return watched;
}

hk_call_place hk_watched_here(void) {
    const hk_op *at = here ? here->at : NULL;
    return at ? (hk_call_place){here->sim, at} : (hk_call_place){0};
}

hk_call_place hk_watched_any(void) {
    for (hk_sim *sim = watched; sim; sim = sim->safety.next_watched) {
        const hk_op *at = sim->threads.self.at;
        for (unsigned m = 1; sim->threads.team && !at && m < sim->options.threads; m++)
            at = sim->threads.lanes[m].at;
        if (at)
            return (hk_call_place){sim, at};
    }
    return (hk_call_place){watched, NULL};
}

bool hk_watched_several(void) {
    const hk_sim *first = watched;
    return first && first->safety.next_watched;
}

void hk_watched_hold(void) {
    pthread_mutex_lock(&watched_lock);
}
