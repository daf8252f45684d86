/* SPDX-License-Identifier: MIT */
#include "base/thread.h"

#include <signal.h>

int hk_thread_start(pthread_t *ret_thread, void *(*work)(void *user), void *user) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int problem = pthread_create(ret_thread, NULL, work, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return problem;
}
