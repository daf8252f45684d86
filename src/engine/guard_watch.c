/* SPDX-License-Identifier: MIT
 *
 * The guard's thread: it ends the process when its time is over, or when a component does not come
 * back from a call. */
#include "base/clock.h"
#include "base/number.h"
#include "base/thread.h"
#include "engine/guard.h"
#include "engine/watched.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct {
    pthread_t thread;
    bool runs;
    pid_t process; /* that has the thread: one that is forked has not */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ended;
    int64_t deadline_ns;            /* 0: none */
    int64_t watchdog_ns;            /* 0: none */
    int64_t look_ns;                /* how often it looks at the calls */
    char words[HK_NUMBER_MAX + 32]; /* "has not returned for 3 s" */
    char stopped[64];               /* "the recorder was stopped for too long" */
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How long the call in progress has been going on while somebody looked. A process that is stopped
 * as a whole does not look: that time does not count. */
typedef struct hanging {
    uint64_t call;
    int64_t since_ns, looked_ns;
} hanging;

static bool look(hanging *h, int64_t now) {
    hk_call_place p;
    hk_op what;
    hk_watched_hold();
    uint64_t call = hk_watched_call(&p, &what);
    hk_watched_release();
    int64_t passed = now - h->looked_ns;
    passed = passed < 2 * watch.look_ns ? passed : 2 * watch.look_ns;
    h->since_ns = call && call == h->call ? h->since_ns + passed : 0;
    h->call = call;
    h->looked_ns = now;
    return h->since_ns >= watch.watchdog_ns;
}

_Noreturn static void say_late(hk_call_place p) {
    hk_guard_leave(HK_E_UNIT_HUNG, p, p.at ? "did not return in time" : "the time limit has passed",
                   "raise --timeout if the component needs more time");
}

_Noreturn static void say_hanging(hk_call_place p) {
    hk_guard_leave(HK_E_UNIT_HUNG, p, p.at ? watch.words : watch.stopped,
                   "raise --watchdog if the component needs more time");
}

_Noreturn static void leave_late(void) {
    hk_watched_hold();
    say_late(hk_watched_any());
}

void hk_guard_end_late(hk_ledger_late why) {
    hk_call_place p = hk_watched_any();
    if (why == HK_LATE_WATCHDOG)
        say_hanging(p);
    say_late(p);
}

static void leave_hanging(void) {
    hk_watched_hold();
    hk_call_place p = hk_watched_any();
    if (!p.at) { /* it has come back just now */
        hk_watched_release();
        return;
    }
    say_hanging(p);
}

static void *watch_the_clock(void *unused) {
    (void)unused;
    hanging h = {.looked_ns = hk_clock_ns()};
    pthread_mutex_lock(&watch.lock);
    while (!watch.ended) {
        int64_t until = watch.watchdog_ns ? hk_clock_ns() + watch.look_ns : watch.deadline_ns;
        until = watch.deadline_ns && watch.deadline_ns < until ? watch.deadline_ns : until;
        (void)pthread_cond_timedwait(&watch.wake, &watch.lock,
                                     &(struct timespec){until / 1000000000, until % 1000000000});
        int64_t now = hk_clock_ns();
        if (watch.ended)
            break;
        pthread_mutex_unlock(&watch.lock);
        if (watch.deadline_ns && now >= watch.deadline_ns)
            leave_late();
        if (watch.watchdog_ns && look(&h, now))
            leave_hanging();
        pthread_mutex_lock(&watch.lock);
    }
    pthread_mutex_unlock(&watch.lock);
    return NULL;
}

static int64_t in_ns(double seconds) {
    const double most = 1e9; /* thirty years */
    return (int64_t)((seconds < most ? seconds : most) * 1e9);
}

void hk_guard_watch_start(const hk_guard_options *options) {
    enum { LOOKS = 8, LEAST_NS = 10000000, MOST_NS = 500000000 };
    double timeout_s = options->timeout_s, watchdog_s = options->watchdog_s;
    int64_t stopped_ns = options->stopped_s > 0 ? in_ns(options->stopped_s) : 0;
    (void)snprintf(watch.stopped, sizeof watch.stopped, "%s was stopped for too long",
                   options->process ? options->process : "the process of the run");
    hk_ledger_limits(0, stopped_ns);
    if (!(timeout_s > 0) && !(watchdog_s > 0))
        return;
    if (watch.process != getpid()) /* the lock may have been held when this process was forked */
        pthread_mutex_init(&watch.lock, NULL);
    watch.process = getpid();
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch.wake, &attributes);
    pthread_condattr_destroy(&attributes);
    watch.ended = false;
    watch.deadline_ns = timeout_s > 0 ? hk_clock_ns() + in_ns(timeout_s + 1) : 0;
    watch.watchdog_ns = watchdog_s > 0 ? in_ns(watchdog_s) : 0;
    char seconds[HK_NUMBER_MAX + 1];
    seconds[hk_write_f64((double)watch.watchdog_ns * 1e-9, seconds)] = '\0';
    (void)snprintf(watch.words, sizeof watch.words, "has not returned for %s s", seconds);
    watch.look_ns = watch.watchdog_ns / LOOKS;
    watch.look_ns = watch.look_ns < LEAST_NS ? LEAST_NS : watch.look_ns;
    watch.look_ns = watch.look_ns > MOST_NS ? MOST_NS : watch.look_ns;
    hk_ledger_limits(watch.deadline_ns, watch.watchdog_ns ? watch.watchdog_ns : stopped_ns);
    watch.runs = hk_thread_start(&watch.thread, watch_the_clock, NULL) == 0;
}

void hk_guard_watch_end(void) {
    hk_ledger_limits(0, 0);
    if (!watch.runs || watch.process != getpid()) {
        watch.runs = false;
        return;
    }
    pthread_mutex_lock(&watch.lock);
    watch.ended = true;
    pthread_cond_signal(&watch.wake);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.thread, NULL);
    pthread_cond_destroy(&watch.wake);
    watch.runs = false;
}
