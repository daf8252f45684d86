/* SPDX-License-Identifier: MIT */
#include "engine/team.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

/* Waiting: spin for some microseconds, then let others run between two looks, then sleep. To be
 * woken takes so long (a tenth of a millisecond on a virtual machine) that the other side would
 * fall asleep in turn, and so on for ever; so the second stage lasts longer than that. */
enum { SPINS = 1000, YIELD_NS = 1000000, CACHE_LINE = 64 };

/* Someone who waits: spins on a condition, then sleeps until woken. */
typedef struct sleeper {
    atomic_bool asleep;
    sem_t wake;
    char apart[CACHE_LINE]; /* what different threads write often lies in different lines */
} sleeper;

typedef struct member {
    sleeper rest;
    pthread_t thread;
    struct hk_team *team;
    unsigned number;
} member;

struct hk_team {
    atomic_uint round; /* counts the pieces of work */
    char apart[CACHE_LINE];
    atomic_uint left; /* members that have not finished this round */
    char apart_too[CACHE_LINE];
    sleeper caller;
    hk_team_fn *work, *begin;
    void *user, *begin_user;
    atomic_bool ending;
    unsigned size;
    member *members; /* [0] is the caller and has no thread */
};

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void rest_init(sleeper *s) {
    atomic_init(&s->asleep, false);
    sem_init(&s->wake, 0, 0);
}

/* Waits until *NUMBER is no longer (or, with BECOMES, is at last) VALUE. */
static void wait_for(sleeper *s, atomic_uint *number, unsigned value, bool becomes) {
    for (int i = 0; i < SPINS; i++) {
        if ((atomic_load_explicit(number, memory_order_acquire) == value) == becomes)
            return;
        pause_briefly();
    }
    for (int64_t until = hk_clock_ns() + YIELD_NS; hk_clock_ns() < until; sched_yield())
        if ((atomic_load_explicit(number, memory_order_acquire) == value) == becomes)
            return;
    for (;;) {
        atomic_store(&s->asleep, true);
        /* Who changes the number looks at the flag afterwards: one of the two sees the other. */
        if ((atomic_load(number) == value) == becomes && atomic_exchange(&s->asleep, false))
            return;
        while (sem_wait(&s->wake) != 0 && errno == EINTR)
            continue;
        if ((atomic_load(number) == value) == becomes)
            return;
    }
}

static void wake(sleeper *s) {
    if (atomic_exchange(&s->asleep, false))
        sem_post(&s->wake);
}

static void *serve(void *user) {
    member *me = user;
    hk_team *team = me->team;
    unsigned seen = 0;
    if (team->begin)
        team->begin(team->begin_user, me->number);
    for (;;) {
        wait_for(&me->rest, &team->round, seen, false);
        seen++;
        if (atomic_load_explicit(&team->ending, memory_order_acquire))
            return NULL;
        team->work(team->user, me->number);
        if (atomic_fetch_sub(&team->left, 1) == 1)
            wake(&team->caller);
    }
}

hk_team *hk_team_create(unsigned members, hk_team_fn *begin, void *user) {
    HK_ASSERT(members > 0);
    hk_team *team = hk_alloc(sizeof *team);
    team->members = hk_alloc(members * sizeof *team->members);
    team->begin = begin;
    team->begin_user = user;
    rest_init(&team->caller);
    for (team->size = 1; team->size < members; team->size++) {
        member *m = &team->members[team->size];
        m->team = team;
        m->number = team->size;
        rest_init(&m->rest);
        if (hk_thread_start(&m->thread, serve, m) != 0) {
            sem_destroy(&m->rest.wake);
            break;
        }
    }
    return team;
}

unsigned hk_team_size(const hk_team *team) {
    HK_ASSERT(team);
    return team->size;
}

static void next_round(hk_team *team) {
    atomic_fetch_add(&team->round, 1);
    for (unsigned i = 1; i < team->size; i++)
        wake(&team->members[i].rest);
}

void hk_team_run(hk_team *team, hk_team_fn *work, void *user) {
    team->work = work;
    team->user = user;
    atomic_store_explicit(&team->left, team->size - 1, memory_order_relaxed);
    next_round(team);
    work(user, 0);
    wait_for(&team->caller, &team->left, 0, true);
}

void hk_team_destroy(hk_team *team) {
    if (!team)
        return;
    atomic_store(&team->ending, true);
    next_round(team);
    for (unsigned i = 1; i < team->size; i++) {
        pthread_join(team->members[i].thread, NULL);
        sem_destroy(&team->members[i].rest.wake);
    }
    sem_destroy(&team->caller.wake);
    hk_free(team->members);
    hk_free(team);
}
