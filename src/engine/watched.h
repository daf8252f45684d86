/* SPDX-License-Identifier: MIT
 *
 * The simulations that are alive, and which call each thread is in: for the guard, whose signal
 * handlers ask. None of these functions allocates. */
#ifndef HK_ENGINE_WATCHED_H
#define HK_ENGINE_WATCHED_H

#include "engine/guard.h"
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
void hk_watched_hold(void);          /* no simulation goes from here on */
void hk_watched_release(void);
/* While they are held, from a thread of its own: what hk_watched_any finds, with a copy of the
 * call, which may be over by now. Returns another number for each call; 0: none is in progress. */
uint64_t hk_watched_call(hk_call_place *ret_place, hk_op *ret_what);

/* guard.c: what happened is reported, the record is brought to a readable end, and the process
 * ends. Without a call WHAT is the whole story. */
_Noreturn void hk_guard_leave(hk_status code, hk_call_place place, const char *what,
                              const char *hint);
/* guard_watch.c: a thread that looks at the clock; 0: not at that. */
void hk_guard_watch_start(const hk_guard_options *options);
void hk_guard_watch_end(void); /* if it was started */

#endif
