/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include "base/memory.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_int alive;
static _Thread_local bool ours;

typedef struct task {
    void *(*work)(void *user);
    void *user;
} task;

static void *run(void *given) {
    task t = *(task *)given;
    hk_free(given);
    ours = true;
    void *result = t.work(t.user);
    atomic_fetch_sub(&alive, 1);
    return result;
}

bool hk_thread_is_ours(void) {
    return ours;
}

int hk_thread_count(void) {
    return atomic_load(&alive);
}

int hk_thread_start(pthread_t *ret_thread, void *(*work)(void *user), void *user) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    task *t = hk_alloc(sizeof *t);
    *t = (task){work, user};
    atomic_fetch_add(&alive, 1);
    int problem = pthread_create(ret_thread, NULL, run, t);
    if (problem) {
        atomic_fetch_sub(&alive, 1);
        hk_free(t);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return problem;
}
