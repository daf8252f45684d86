/* SPDX-License-Identifier: MIT
 *
 * The filter of the sandbox, as a program for the kernel: it looks at the number of a call and at
 * arguments in registers, never at memory, which the component could change in between. */
#define _GNU_SOURCE /* CLONE_, F_SETSIG, O_TMPFILE */
#include "isolate/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>

#if defined(__x86_64__)
#define THIS_PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_PROCESSOR AUDIT_ARCH_AARCH64
#else
#define THIS_PROCESSOR 0
#endif

enum { X32_BIT = 0x40000000 }; /* calls by another convention, which end in the same code */

typedef struct program {
    struct sock_filter *all;
    size_t count;
    const hk_filter_wish *wish;
    const hk_sandbox_call *call;
} program;

static void add(program *p, struct sock_filter one) {
    HK_ASSERT(p->count < HK_FILTER_ROOM);
    p->all[p->count++] = one;
}

static void load(program *p, size_t offset) {
    add(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* The lower half, which comes first in memory: all that the kernel looks at of an int. */
static void load_argument(program *p, int argument) {
    load(p, offsetof(struct seccomp_data, args) + (size_t)argument * sizeof(uint64_t));
}

static void jump(program *p, int how, uint32_t value, unsigned yes, unsigned no) {
    add(p, (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | how | BPF_K), value,
                                        (unsigned char)yes, (unsigned char)no));
}

static void give(program *p, uint32_t verdict) {
    add(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

static void allow(program *p) {
    give(p, SECCOMP_RET_ALLOW);
}

static void fail(program *p, int error) {
    give(p, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void deny_as(program *p, hk_deed deed) {
    if (p->wish->reports)
        give(p, SECCOMP_RET_USER_NOTIF);
    else
        fail(p, hk_sandbox_errno(deed));
}

static void deny(program *p) {
    deny_as(p, p->call ? p->call->deed : HK_DEED_UNKNOWN);
}

/* Ends the block if what is loaded is VALUE. */
static void allow_if(program *p, uint32_t value) {
    jump(p, BPF_JEQ, value, 0, 1);
    allow(p);
}

static void allow_one_of(program *p, int argument, const uint32_t *values, size_t count) {
    load_argument(p, argument);
    for (size_t i = 0; i < count; i++)
        allow_if(p, values[i]);
    deny(p);
}

enum { SEES_CUTS = 3 }; /* the Landlock that looks at files that are cut */

/* Landlock decides, if it is there; the warden has a look before. */
static void write_by_path(program *p) {
    if (p->call->number == __NR_truncate && p->wish->landlock < SEES_CUTS)
        fail(p, EACCES);
    else if (p->wish->landlock && !p->wish->reports)
        allow(p);
    else
        deny(p);
}

static void may_open(program *p) {
    const uint32_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    load_argument(p, p->call->flags);
    jump(p, BPF_JSET, changes, 1, 0);
    allow(p);
    if (p->wish->landlock < SEES_CUTS) { /* a file can be cut without being opened for writing */
        jump(p, BPF_JSET, O_WRONLY | O_RDWR, 2, 0);
        jump(p, BPF_JSET, O_TRUNC, 0, 1);
        fail(p, EACCES);
    }
    write_by_path(p);
}

/* Of itself; 0 means the same, or its group, in which nobody else is. */
static void be_own(program *p) {
    load_argument(p, 0);
    allow_if(p, (uint32_t)p->wish->process);
    allow_if(p, 0);
    deny(p);
}

/* Threads, but no process and no world of its own. The warden counts. */
static void may_clone(program *p) {
    const uint32_t worlds = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                            CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    load_argument(p, 0);
    jump(p, BPF_JSET, CLONE_THREAD, 1, 0);
    deny(p);
    jump(p, BPF_JSET, worlds, 0, 1);
    fail(p, EPERM);
    (p->wish->reports ? deny : allow)(p);
}

static void may_prctl(program *p) {
    static const uint32_t harmless[] = {
        PR_SET_NAME,
        PR_GET_NAME,
        PR_GET_PDEATHSIG,
        PR_GET_DUMPABLE,
        PR_GET_TIMERSLACK,
        PR_SET_TIMERSLACK,
        PR_GET_SECCOMP,
        PR_GET_NO_NEW_PRIVS,
        PR_SET_NO_NEW_PRIVS,
        PR_CAPBSET_READ,
        PR_GET_KEEPCAPS,
        PR_GET_SECUREBITS,
        PR_GET_THP_DISABLE,
        PR_SET_THP_DISABLE,
        PR_GET_TID_ADDRESS,
        PR_GET_SPECULATION_CTRL,
        PR_GET_FPEMU,
        PR_GET_FPEXC,
        PR_GET_UNALIGN,
        PR_GET_ENDIAN,
        PR_GET_TSC,
        PR_SVE_GET_VL,
        PR_SVE_SET_VL,
        54 /* PR_PAC_RESET_KEYS */,
        55 /* PR_SET_TAGGED_ADDR_CTRL */,
        56 /* PR_GET_TAGGED_ADDR_CTRL */,
        63 /* PR_SME_SET_VL */,
        64 /* PR_SME_GET_VL */,
        0x53564d41 /* PR_SET_VMA: a name for memory */,
    };
    allow_one_of(p, 0, harmless, sizeof harmless / sizeof *harmless);
}

/* What asks, and concerns the descriptor alone. Terminals take input for others by ioctl. */
static void may_ioctl(program *p) {
    static const uint32_t harmless[] = {TCGETS,    TIOCGWINSZ, TIOCGPGRP,
                                        FIONREAD,  TIOCOUTQ,   FIONBIO,
                                        FIOCLEX,   FIONCLEX,   0x541e /* SIOCATMARK's */,
                                        0x802c542a /* TCGETS2 */};
    static const uint32_t of_network[] = {0x8910 /* SIOCGIFNAME */,
                                          0x8912 /* SIOCGIFCONF */,
                                          0x8913 /* SIOCGIFFLAGS */,
                                          0x8915 /* SIOCGIFADDR */,
                                          0x8921 /* SIOCGIFMTU */,
                                          0x8927 /* SIOCGIFHWADDR */,
                                          0x8933 /* SIOCGIFINDEX */};
    load_argument(p, 1);
    for (size_t i = 0; i < sizeof of_network / sizeof *of_network && p->wish->network; i++)
        allow_if(p, of_network[i]);
    allow_one_of(p, 1, harmless, sizeof harmless / sizeof *harmless);
}

/* All but what makes the kernel send signals to somebody, or lets others wait who open a file. */
static void may_fcntl(program *p) {
    static const uint32_t signals[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY};
    static const uint32_t leases[] = {F_SETLEASE, HK_SETDELEG};
    load_argument(p, 1);
    for (size_t i = 0; i < sizeof leases / sizeof *leases; i++) {
        jump(p, BPF_JEQ, leases[i], 0, 1);
        deny_as(p, HK_DEED_LEASE);
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        jump(p, BPF_JEQ, signals[i], 0, 1);
        deny(p);
    }
    allow(p);
}

/* Through sockets of the machine itself (D-Bus, containers) others can be asked to do what is
 * denied here. */
static void may_socket(program *p) {
    load_argument(p, 0);
    if (p->wish->network) {
        allow_if(p, AF_INET);
        allow_if(p, AF_INET6);
    }
    jump(p, BPF_JEQ, AF_UNIX, 1, 0);
    jump(p, BPF_JEQ, AF_NETLINK, 0, 1);
    deny_as(p, HK_DEED_SERVICE);
    deny(p);
}

/* Pairs that cannot be used to reach a third: datagrams could. */
static void may_pair(program *p) {
    enum { KIND = 0xf };
    load_argument(p, 0);
    jump(p, BPF_JEQ, AF_UNIX, 1, 0);
    deny(p);
    load_argument(p, 1);
    add(p, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, KIND));
    allow_if(p, SOCK_STREAM);
    allow_if(p, SOCK_SEQPACKET);
    deny(p);
}

static void may_be_nice(program *p) {
    load_argument(p, 0);
    jump(p, BPF_JEQ, PRIO_PROCESS, 1, 0);
    deny(p);
    be_own(p);
}

/* What becomes of the call; every way ends here. */
static void decide(program *p) {
    static const uint32_t ask[] = {UINT32_MAX};
    switch (p->call->rule) {
    case HK_RULE_FREE:
        allow(p);
        return;
    case HK_RULE_MISSING:
        fail(p, ENOSYS);
        return;
    case HK_RULE_NETWORK:
        (p->wish->network ? allow : deny)(p);
        return;
    case HK_RULE_OPENS:
        may_open(p);
        return;
    case HK_RULE_WRITES:
        write_by_path(p);
        return;
    case HK_RULE_OWN:
    case HK_RULE_THREAD:
        be_own(p);
        return;
    case HK_RULE_CLONE:
        may_clone(p);
        return;
    case HK_RULE_PRCTL:
        may_prctl(p);
        return;
    case HK_RULE_IOCTL:
        may_ioctl(p);
        return;
    case HK_RULE_FCNTL:
        may_fcntl(p);
        return;
    case HK_RULE_SOCKET:
        may_socket(p);
        return;
    case HK_RULE_SOCKETPAIR:
        may_pair(p);
        return;
    case HK_RULE_PERSONALITY:
        allow_one_of(p, 0, ask, 1);
        return;
    case HK_RULE_PRIORITY:
        may_be_nice(p);
        return;
    default:
        deny(p);
    }
}

size_t hk_sandbox_filter(const hk_filter_wish *wish, struct sock_filter *room) {
    HK_ASSERT(wish && room && wish->process);
    size_t count;
    const hk_sandbox_call *calls = hk_sandbox_calls(&count);
    program p = {.all = room, .wish = wish};
    if (!THIS_PROCESSOR)
        return 0;
    load(&p, offsetof(struct seccomp_data, arch));
    jump(&p, BPF_JEQ, THIS_PROCESSOR, 1, 0);
    deny(&p);
    load(&p, offsetof(struct seccomp_data, nr));
    jump(&p, BPF_JSET, X32_BIT, 0, 1);
    deny(&p);
    for (size_t i = 0; i < count; i++) {
        p.call = &calls[i];
        size_t at = p.count;
        jump(&p, BPF_JEQ, (uint32_t)calls[i].number, 0, 0);
        decide(&p);
        HK_ASSERT(p.count - at - 1 <= UINT8_MAX);
        p.all[at].jf = (unsigned char)(p.count - at - 1);
    }
    p.call = NULL;
    deny(&p);
    return p.count;
}
