/* SPDX-License-Identifier: MIT */
#include "engine/watched.h"

#include "engine/remains.h"

#include <string.h>

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
    hk_remains_note_call(sim, what);
    if (hk_lane_enter(l))
        l->for_a_call = true;
    uint64_t begun = atomic_load_explicit(&l->begun, memory_order_relaxed);
    atomic_store_explicit(&l->begun, begun + 1, memory_order_release);
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

/* A lane that is in a call; NULL: there is none. */
static hk_lane *busy_lane(void) {
    for (hk_sim *sim = watched; sim; sim = sim->safety.next_watched) {
        hk_lane *l = &sim->threads.self;
        for (unsigned m = 1; sim->threads.team && !l->at && m < sim->options.threads; m++)
            l = &sim->threads.lanes[m];
        if (l->at)
            return l;
    }
    return NULL;
}

hk_call_place hk_watched_any(void) {
    hk_lane *l = busy_lane();
    const hk_op *at = l ? l->at : NULL;
    return at ? (hk_call_place){l->sim, at} : (hk_call_place){watched, NULL};
}

static uint64_t mix(uint64_t number, uint64_t with) {
    number = (number ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return number ^ (number >> 32);
}

/* Whose call it is may be written on the stack of the thread that makes it: what was copied counts
 * only if that call goes on. */
uint64_t hk_watched_call(hk_call_place *ret_place, hk_op *ret_what) {
    HK_ASSERT(ret_place && ret_what);
    *ret_place = (hk_call_place){watched, NULL};
    hk_lane *l = busy_lane();
    if (!l)
        return 0;
    uint64_t begun = atomic_load(&l->begun), seconds = 0;
    const hk_op *at = atomic_load(&l->at);
    if (!at)
        return 0;
    memcpy(ret_what, at, sizeof *ret_what);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load(&l->at) != at || atomic_load(&l->begun) != begun)
        return 0;
    double now = l->sim->time.seconds;
    memcpy(&seconds, &now, sizeof seconds);
    *ret_place = (hk_call_place){l->sim, ret_what};
    uint64_t call = mix(mix(mix(begun, (uintptr_t)at), seconds), (uintptr_t)l);
    return call ? call : 1;
}

bool hk_watched_several(void) {
    const hk_sim *first = watched;
    return first && first->safety.next_watched;
}

void hk_watched_hold(void) {
    pthread_mutex_lock(&watched_lock);
}

void hk_watched_release(void) {
    pthread_mutex_unlock(&watched_lock);
}
