/* SPDX-License-Identifier: MIT
 *
 * Threads of our own beside the one that runs the simulation. */
#ifndef HK_BASE_THREAD_H
#define HK_BASE_THREAD_H

#include <hk/base.h>

#include <pthread.h>

/* Starts a thread that takes no signals but those that its own faults raise: the others belong to
 * the thread that called. 0, or the error number. */
int hk_thread_start(pthread_t *ret_thread, void *(*work)(void *user), void *user);
/* Was the calling thread started so? */
bool hk_thread_is_ours(void);
/* How many threads that were started so are alive. */
int hk_thread_count(void);

#endif
