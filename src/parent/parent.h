/* SPDX-License-Identifier: MIT
 *
 * The parent of a run: a small process that makes the end of the run true, whatever a component
 * does to the process that it lives in. The run goes on in a child; this process waits, passes
 * signals on, and looks at the end whether what the child says of it is so. */
#ifndef HK_PARENT_PARENT_H
#define HK_PARENT_PARENT_H

#include "base/ledger.h"
#include "record/written.h"

#include <sys/types.h>

/* Which processes there are. */
typedef enum hk_parent_role {
    HK_PARENT_NONE,  /* there is no parent: the run is to be done here */
    HK_PARENT_CHILD, /* this is the process of the run */
    HK_PARENT_OVER   /* this is the parent, and the run is over */
} hk_parent_role;

/* Lines that are said while the run goes on; a component keeps a wish to end it from hocket. */
typedef void hk_parent_say_fn(void *user, const char *who);

/* How the run ended, seen from the parent. */
typedef struct hk_parent_end {
    pid_t child;
    int how;             /* as waitpid() says it */
    bool killed;         /* the parent has ended it: two wishes to end it were not followed */
    hk_ledger_late late; /* ... or this limit was over, and it did not end when told so */
    int wish;            /* the last signal that asked for the end; 0: none */
    char became[17]; /* the program that the process had become at its end; "": it was this one */
    /* Processes that were left, and were ended: how many, and the first of them. */
    size_t left_count;
    pid_t left;
    char left_name[17];
} hk_parent_end;

/* A debugger, or another program that looks into this one, follows one process. */
bool hk_parent_is_looked_at(void);
/* Forks; before anything else is done, since locks and threads do not follow. In the parent it
 * returns when the run is over, and *RET_END says how. */
hk_parent_role hk_parent_begin(hk_parent_say_fn *say, void *user, hk_parent_end *ret_end);

/* In the child: these files were written. */
void hk_parent_files(const hk_written *written);
/* In the child: all is said and done, and the exit status will be STATUS. */
void hk_parent_finish(int status);

/* What becomes of the parent. */
typedef struct hk_parent_verdict {
    hk_status status; /* HK_OK: ends with EXIT, or by SIGNAL if that is not 0 */
    int exit, signal;
} hk_parent_verdict;

/* In the parent, at the end: looks at the files, and cleans up. One message says what is wrong. */
hk_parent_verdict hk_parent_judge(hk_ctx *ctx, const hk_parent_end *end);

/* What the files of a record say that was cut off, and whether there is one. In the parent. */
typedef struct hk_parent_kept {
    const char *what, *path; /* PATH "": nothing was to be recorded */
    bool begun;              /* false: what is there, if anything, is of an earlier run */
} hk_parent_kept;
hk_parent_kept hk_parent_keeps(void);

/* parent/brood.c: the processes that were left. */
/* Ends all children of this process but KNOWN, and theirs; says how many, and who was first. */
void hk_brood_end(const pid_t *known, size_t known_count, hk_parent_end *end);
/* The children of this process; returns how many. Async-signal-safe. */
size_t hk_brood_list(pid_t *children, size_t room);

#endif
