/* SPDX-License-Identifier: MIT
 *
 * What the process of an isolated component may not do: `--sandbox`. The kernel sees to it (a
 * filter of system calls, and Landlock for what may be written), so nothing that the component does
 * to its own process takes it away. */
#ifndef HK_ISOLATE_SANDBOX_H
#define HK_ISOLATE_SANDBOX_H

#include "base/diag.h"

/* What this kernel lets this process do. The reasons are whole clauses; NULL: it can. */
typedef struct hk_sandbox_means {
    const char *no_filter;   /* why there can be no sandbox */
    const char *no_reports;  /* why nobody can say what was denied */
    int landlock;            /* its version; 0: */
    const char *no_landlock; /* ... why there is none: then nothing can be written at all */
} hk_sandbox_means;

/* Tries it, in a process of its own. */
hk_sandbox_means hk_sandbox_look(void);

/* What a sandbox allows; limits of 0: none. */
typedef struct hk_sandbox {
    hk_sandbox_means means;
    bool network;          /* sockets of IPv4 and IPv6 */
    hk_texts write;        /* folders beside its own, absolute and without links */
    uint64_t memory_bytes; /* beyond what hocket itself has */
    uint64_t file_bytes;   /* of one file */
    unsigned cpu_s, threads;
} hk_sandbox;

enum { HK_SANDBOX_THREADS = 256, HK_SANDBOX_CPU_S = 7 * 24 * 3600 };
#define HK_SANDBOX_MEMORY_BYTES ((uint64_t)4 << 30)
#define HK_SANDBOX_FILE_BYTES   ((uint64_t)1 << 30)

#endif
