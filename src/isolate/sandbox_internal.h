/* SPDX-License-Identifier: MIT
 *
 * The sandbox: what is known of system calls, the filter that is made of it, and the two sides: the
 * process that is locked in, and the warden in hocket's process who is asked by the kernel. */
#ifndef HK_ISOLATE_SANDBOX_INTERNAL_H
#define HK_ISOLATE_SANDBOX_INTERNAL_H

#include "isolate/isolate_internal.h"
#include "isolate/sandbox.h"

#include <linux/filter.h>

/* What a component may be after that is not its business. One warning for each. */
typedef enum hk_deed {
    HK_DEED_NETWORK,
    HK_DEED_SERVICE, /* of this machine: sockets that do not leave it */
    HK_DEED_PROGRAM, /* a new process or program */
    HK_DEED_WRITE,   /* outside of its folder */
    HK_DEED_ATTRIBUTE,
    HK_DEED_SIGNAL,
    HK_DEED_REACH, /* into another process */
    HK_DEED_SHARE, /* memory and queues that others can see, or that outlive it */
    HK_DEED_SYSTEM,
    HK_DEED_LEASE,   /* others who open the file would wait */
    HK_DEED_THREADS, /* too many */
    HK_DEED_UNKNOWN,
    HK_DEEDS
} hk_deed;

enum { HK_SETDELEG = 1040 }; /* F_SETDELEG: a lease of a newer kernel */

/* How the filter decides. */
typedef enum hk_rule {
    HK_RULE_FREE,
    HK_RULE_DENIED,
    HK_RULE_MISSING, /* as if the kernel did not have it: there is an older call for the same */
    HK_RULE_NETWORK, /* free with the network */
    HK_RULE_OPENS,   /* WRITES if the flags (argument `flags`) say so */
    HK_RULE_WRITES,  /* by path: Landlock decides, and the warden looks */
    HK_RULE_OWN,     /* argument 0 is this process */
    HK_RULE_THREAD,  /* ... or one of its threads */
    HK_RULE_CLONE,
    HK_RULE_PRCTL,
    HK_RULE_IOCTL,
    HK_RULE_FCNTL,
    HK_RULE_SOCKET,
    HK_RULE_SOCKETPAIR,
    HK_RULE_PERSONALITY,
    HK_RULE_PRIORITY
} hk_rule;

typedef struct hk_sandbox_call {
    int number;
    const char *name;
    hk_rule rule;
    hk_deed deed;
    /* Arguments with a path, and those with the folder it begins in; -1: none. */
    signed char path, folder, other_path, other_folder, flags;
} hk_sandbox_call;

/* sandbox_calls.c: all that are known, the frequent ones first. */
const hk_sandbox_call *hk_sandbox_calls(size_t *ret_count);
const hk_sandbox_call *hk_sandbox_call_of(int number); /* NULL: is not known */
int hk_sandbox_errno(hk_deed deed);                    /* what a denied call fails with */

/* sandbox_filter.c */
typedef struct hk_filter_wish {
    bool network;
    bool reports;  /* the warden is asked what a denied call is to be answered with */
    int landlock;  /* its version: it decides what is written by path; 0: nothing is */
    pid_t process; /* that the filter is for */
} hk_filter_wish;
enum { HK_FILTER_ROOM = 4096 };
/* Fills ROOM (of HK_FILTER_ROOM) and returns how many instructions there are; 0: there is no filter
 * for this processor. */
size_t hk_sandbox_filter(const hk_filter_wish *wish, struct sock_filter *room);

/* sandbox_landlock.c: nothing can be written but below FOLDER, which is open, and those of BOX. */
int hk_landlock_version(const char **ret_why_not);       /* 0: there is none */
int hk_landlock_seal(const hk_sandbox *box, int folder); /* 0 or errno */

/* sandbox.c, in the child. The first is early: a session of its own, no descriptor and no shared
 * memory but its own. The second is last: from here on it is locked in. DOOR is where the warden
 * waits for what the kernel asks him through; it is closed. */
void hk_sandbox_enter(const hk_iso_birth *birth);
HK_NODISCARD hk_status hk_sandbox_seal(hk_ctx *ctx, const hk_iso_birth *birth);
/* The filter goes in; *ret_listener is -1 without reports. 0 or errno. */
int hk_sandbox_install(const struct sock_filter *filter, size_t count, bool reports,
                       int *ret_listener);

/* warden.c, in hocket's process. */
typedef struct hk_warden hk_warden;
/* DOOR is his from now on, also if this fails (NULL, errno). */
hk_warden *hk_warden_start(const hk_iso_unit *u, int door, pid_t process);
void hk_warden_tell(hk_iso_unit *u); /* what is new */
void hk_warden_end(hk_warden *warden);

#endif
