/* SPDX-License-Identifier: MIT
 *
 * A part of this program in a process of its own, for libraries that may crash, hang or take all
 * memory when a stranger's data is given to them. The child has all that the parent has, changes
 * nothing of it, and hands its answer back through a pipe. Both ends are the same program, so
 * numbers go as they lie in memory; but the child may have gone mad before it wrote them. */
#ifndef HK_BASE_CHILD_H
#define HK_BASE_CHILD_H

#include "base/diag.h"

#include <sys/types.h>

typedef struct hk_child {
    pid_t pid;
    int pipe;
} hk_child;

/* 0: without a limit. */
typedef struct hk_child_limits {
    unsigned cpu_s;      /* of processor time */
    uint64_t more_bytes; /* of memory, beyond what the parent has */
} hk_child_limits;

enum {
    HK_CHILD_MEMORY = 5,     /* the status of one that has found no memory (base/memory.h) */
    HK_CHILD_SIGNAL = 1 << 8 /* and more: a signal has ended it */
};

/* A process that is a copy of this one, and a pipe from it, which programs that either starts do
 * not inherit. In the child *RET_PID is 0 and *RET_FD the end to write to. Returns 0 or errno. */
HK_NODISCARD int hk_child_fork(pid_t *ret_pid, int *ret_fd);

/* What the child does; it ends when this returns. */
typedef void hk_child_fn(int pipe, void *user);

/* Begins WORK(USER) in a child, which is quiet: what it prints goes nowhere. Returns 0 or errno. */
int hk_child_start(hk_child *ret_child, hk_child_limits limits, hk_child_fn *work, void *user);
/* Limits of this process, which it cannot raise again; it leaves no core. */
void hk_child_set_limits(hk_child_limits limits);
/* In the child: writes all of it, and ends it if nobody reads any more. */
void hk_child_put(int pipe, const void *data, size_t size);
/* What has come, at most SIZE bytes; 0: the child has closed its end; -1: nothing has come for
 * PATIENCE_MS. */
ssize_t hk_child_read(const hk_child *child, void *data, size_t size, int patience_ms);
/* Waits for its end, and with END_IT brings it about. Returns its status, HK_CHILD_SIGNAL and the
 * number of the signal that has ended it, or -1: nobody knows. */
int hk_child_end(hk_child *child, bool end_it);

/* In a child: it leaves without a word when memory runs out. Who has started it knows by its
 * status, HK_CHILD_MEMORY, and says so. */
void hk_child_starve_silently(void);

/* What a component did that such a signal ends: "crashed (invalid memory access)". Static text;
 * async-signal-safe. */
const char *hk_signal_words(int number);

#endif
