/* SPDX-License-Identifier: MIT
 *
 * What each thread is doing, and how a phase is shared out among several. */
#ifndef HK_ENGINE_THREADS_H
#define HK_ENGINE_THREADS_H

#include "engine/slots.h"
#include "engine/team.h"

#include <pthread.h>

/* What is being called, so that a crash, a hang or an error can be told by name. */
typedef struct hk_op {
    const char *name;
    uint32_t component;
} hk_op;

/* A call that was made: so that it can be said which. */
typedef enum hk_call_kind { CALL_SET, CALL_STEP, CALL_GET, CALL_KINDS } hk_call_kind;

typedef struct hk_made_call {
    hk_call_kind kind;
    const hk_op *what;
} hk_made_call;

/* What one thread is doing. */
typedef struct hk_lane {
    _Atomic(const hk_op *) at; /* the call in progress; NULL: our own code */
    bool failed;               /* in this phase */
    bool misbehaved;           /* the floating-point environment was changed */
    struct hk_made_call *made; /* careful phases: the calls of this phase, as they were made */
    size_t made_count, made_cap;
    hk_blob text;           /* traced phases: the same as lines of text */
    uint32_t *ports;        /* scratch for those */
    hk_sim *sim;            /* whose lane it is */
    struct hk_lane *outer;  /* what the thread was doing before it came here; NULL: nothing */
    bool for_a_call;        /* it is here for the call in progress alone */
    _Atomic uint64_t begun; /* calls outside of the loop so far */
} hk_lane;

struct hk_cell;

typedef struct hk_sim_lanes {
    hk_lane self;   /* of the thread that runs the simulation */
    hk_team *team;  /* NULL: one thread */
    hk_lane *lanes; /* of the others: lanes[1] ... */
    struct hk_cell *shares;
    bool shares_decided;
    bool sharing; /* threads are at work: who runs the simulation sends nothing meanwhile */
} hk_sim_lanes;

/* Plain stores, which the guard's thread may see at any time: the one who sees the call in progress
 * sees what it is, too. */
static inline void hk_at(hk_lane *l, const hk_op *what) {
    atomic_store_explicit(&l->at, what, memory_order_release);
}

/* watched.c: simulations that a fatal signal may be about, from their making to their end. */
void hk_sim_watch(hk_sim *sim);
void hk_sim_unwatch(hk_sim *sim);
/* What the calling thread does from now on, so that a signal handler finds the simulation it is in:
 * one may run within a component of another. False: it is in that lane already. */
bool hk_lane_enter(hk_lane *l);
void hk_lane_leave(hk_lane *l); /* back to where it was before */
/* A call outside of the loop, made by the thread that uses the simulation. */
void hk_call_begin(hk_sim *sim, const hk_op *what);
void hk_call_end(hk_sim *sim);

/* share.c: decides from what was measured whether threads pay, and starts them. */
void hk_share_decide(hk_sim *sim);
void hk_share_end(hk_sim *sim);
/* MODE as in phase.h. */
bool hk_share_phase(hk_sim *sim, const struct hk_cell *const *cells, size_t count, unsigned mode);

#endif
