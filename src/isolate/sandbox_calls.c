/* SPDX-License-Identifier: MIT
 *
 * System calls, and what the sandbox makes of each. What is not here does not exist for the
 * component. Numbers from 424 on are the same for all processors, and may be newer than the
 * headers. */
#include "isolate/sandbox_internal.h"

#include <errno.h>
#include <sys/syscall.h>

#define NO_PATH .path = -1, .folder = -1, .other_path = -1, .other_folder = -1, .flags = -1
#define NUMBERED(call, nr, what, why)                                                              \
    { .number = (nr), .name = #call, .rule = HK_RULE_##what, .deed = HK_DEED_##why, NO_PATH }
#define CALL(call, what, why) NUMBERED(call, __NR_##call, what, why)
#define FREE(call)            CALL(call, FREE, UNKNOWN)
#define NET(call)             CALL(call, NETWORK, NETWORK)
#define DENY(call, why)       CALL(call, DENIED, why)
/* Of files by path: where the path is, and the folder that it begins in. */
#define PATH(call, what, why, at, in, to, into, how)                                               \
    {                                                                                              \
        .number = __NR_##call, .name = #call, .rule = HK_RULE_##what, .deed = HK_DEED_##why,       \
        .path = (at), .folder = (in), .other_path = (to), .other_folder = (into), .flags = (how)   \
    }
#define WRITE(call, at, in)                PATH(call, WRITES, WRITE, at, in, -1, -1, -1)
#define WRITE_BOTH(call, at, in, to, into) PATH(call, WRITES, WRITE, at, in, to, into, -1)
#define ATTRIBUTE(call, at, in)            PATH(call, DENIED, ATTRIBUTE, at, in, -1, -1, -1)

/* clang-format off */
static const hk_sandbox_call calls[] = {
    /* what happens in every step comes first */
    FREE(futex), FREE(recvfrom), FREE(sendto), FREE(write), FREE(read), FREE(clock_gettime), FREE(ppoll),
    FREE(clock_nanosleep), FREE(nanosleep), FREE(sched_yield), FREE(brk), FREE(mmap), FREE(munmap),
    FREE(mprotect), FREE(madvise), FREE(mremap), FREE(close), FREE(fstat), FREE(lseek), FREE(getppid),
    CALL(process_vm_readv, OWN, REACH),

    /* files that are open, and looking at others */
    FREE(readv), FREE(writev), FREE(pread64), FREE(pwrite64), FREE(preadv), FREE(pwritev), FREE(preadv2),
    FREE(pwritev2), FREE(sendfile), FREE(splice), FREE(tee), FREE(vmsplice), FREE(copy_file_range), FREE(dup),
    FREE(dup3), FREE(pipe2), FREE(ftruncate), FREE(fallocate), FREE(fsync), FREE(fdatasync), FREE(sync),
    FREE(sync_file_range), FREE(syncfs), FREE(readahead), FREE(fadvise64), FREE(flock), FREE(newfstatat), FREE(statx),
    FREE(statfs), FREE(fstatfs), FREE(faccessat), NUMBERED(faccessat2, 439, FREE, UNKNOWN), FREE(readlinkat),
    FREE(getdents64), FREE(getcwd), FREE(chdir), FREE(fchdir), FREE(umask), FREE(getxattr), FREE(lgetxattr),
    FREE(fgetxattr), FREE(listxattr), FREE(llistxattr), FREE(flistxattr), FREE(eventfd2), FREE(epoll_create1),
    FREE(epoll_ctl), FREE(epoll_pwait), NUMBERED(epoll_pwait2, 441, FREE, UNKNOWN), FREE(pselect6),
    FREE(inotify_init1), FREE(inotify_add_watch), FREE(inotify_rm_watch), FREE(io_setup), FREE(io_destroy),
    FREE(io_submit), FREE(io_cancel), FREE(io_getevents), FREE(io_pgetevents), FREE(lookup_dcookie),
    NUMBERED(close_range, 436, FREE, UNKNOWN), NUMBERED(cachestat, 451, FREE, UNKNOWN),
    NUMBERED(getxattrat, 464, FREE, UNKNOWN), NUMBERED(listxattrat, 465, FREE, UNKNOWN),
    NUMBERED(file_getattr, 468, FREE, UNKNOWN), CALL(ioctl, IOCTL, SYSTEM), CALL(fcntl, FCNTL, SIGNAL),

    /* files by path */
    PATH(openat, OPENS, WRITE, 1, 0, -1, -1, 2), NUMBERED(openat2, 437, MISSING, UNKNOWN),
    WRITE(mkdirat, 1, 0), WRITE(mknodat, 1, 0), WRITE(unlinkat, 1, 0), WRITE(symlinkat, 2, 1), WRITE(truncate, 0, -1),
    WRITE_BOTH(linkat, 1, 0, 3, 2), WRITE_BOTH(renameat2, 1, 0, 3, 2),
#ifdef __NR_renameat
    WRITE_BOTH(renameat, 1, 0, 3, 2),
#endif
    /* Landlock does not look at these, so nobody can say where they are harmless */
    ATTRIBUTE(fchmod, -1, -1), ATTRIBUTE(fchmodat, 1, 0), ATTRIBUTE(fchown, -1, -1), ATTRIBUTE(fchownat, 1, 0),
    ATTRIBUTE(utimensat, 1, 0), ATTRIBUTE(setxattr, 0, -1), ATTRIBUTE(lsetxattr, 0, -1), ATTRIBUTE(fsetxattr, -1, -1),
    ATTRIBUTE(removexattr, 0, -1), ATTRIBUTE(lremovexattr, 0, -1), ATTRIBUTE(fremovexattr, -1, -1),
    NUMBERED(fchmodat2, 452, DENIED, ATTRIBUTE), NUMBERED(setxattrat, 463, DENIED, ATTRIBUTE),
    NUMBERED(removexattrat, 466, DENIED, ATTRIBUTE), NUMBERED(file_setattr, 469, DENIED, ATTRIBUTE),

    /* memory */
    FREE(msync), FREE(mincore), FREE(mlock), FREE(mlock2), FREE(mlockall), FREE(munlock), FREE(munlockall),
    FREE(remap_file_pages), FREE(mbind), FREE(get_mempolicy), FREE(set_mempolicy), FREE(pkey_alloc),
    FREE(pkey_free), FREE(pkey_mprotect), FREE(membarrier), NUMBERED(set_mempolicy_home_node, 450, FREE, UNKNOWN),
    NUMBERED(map_shadow_stack, 453, FREE, UNKNOWN), NUMBERED(mseal, 462, FREE, UNKNOWN),

    /* the process itself, its threads and its signals */
    FREE(exit), FREE(exit_group), FREE(getpid), FREE(gettid), FREE(getpgid), FREE(getsid),
    FREE(getuid), FREE(geteuid), FREE(getgid), FREE(getegid), FREE(getresuid), FREE(getresgid), FREE(getgroups),
    FREE(capget), FREE(getrusage), FREE(times), FREE(getcpu), FREE(getrlimit), FREE(setrlimit), FREE(uname),
    FREE(sysinfo), FREE(getrandom), FREE(set_tid_address), FREE(set_robust_list), FREE(get_robust_list), FREE(rseq),
    FREE(restart_syscall), FREE(wait4), FREE(waitid), FREE(sigaltstack), FREE(rt_sigaction), FREE(rt_sigprocmask),
    FREE(rt_sigpending), FREE(rt_sigreturn), FREE(rt_sigsuspend), FREE(rt_sigtimedwait), FREE(signalfd4),
    FREE(sched_getaffinity), FREE(sched_getparam), FREE(sched_getscheduler), FREE(sched_getattr),
    FREE(sched_get_priority_max), FREE(sched_get_priority_min), FREE(sched_rr_get_interval), FREE(getpriority),
    FREE(ioprio_get), CALL(sched_setaffinity, THREAD, SIGNAL), CALL(sched_setparam, THREAD, SIGNAL),
    CALL(sched_setscheduler, THREAD, SIGNAL), CALL(sched_setattr, THREAD, SIGNAL), CALL(setpriority, PRIORITY, SIGNAL),
    CALL(prlimit64, OWN, SIGNAL), CALL(kill, OWN, SIGNAL), CALL(tgkill, OWN, SIGNAL), CALL(tkill, THREAD, SIGNAL),
    CALL(rt_sigqueueinfo, OWN, SIGNAL), CALL(rt_tgsigqueueinfo, OWN, SIGNAL), CALL(clone, CLONE, PROGRAM),
    NUMBERED(clone3, 435, MISSING, PROGRAM), CALL(prctl, PRCTL, SYSTEM), CALL(personality, PERSONALITY, SYSTEM),
    NUMBERED(futex_waitv, 449, FREE, UNKNOWN), NUMBERED(futex_wake, 454, FREE, UNKNOWN),
    NUMBERED(futex_wait, 455, FREE, UNKNOWN), NUMBERED(futex_requeue, 456, FREE, UNKNOWN),
    DENY(setpgid, SIGNAL), DENY(setsid, SIGNAL), DENY(execve, PROGRAM), DENY(execveat, PROGRAM),
    NUMBERED(pidfd_send_signal, 424, DENIED, SIGNAL),
    NUMBERED(pidfd_open, 434, DENIED, REACH), NUMBERED(pidfd_getfd, 438, DENIED, REACH),
    NUMBERED(process_madvise, 440, DENIED, REACH), NUMBERED(process_mrelease, 448, DENIED, REACH),
    DENY(ioprio_set, SIGNAL), DENY(ptrace, REACH), DENY(process_vm_writev, REACH), DENY(kcmp, REACH),
    DENY(migrate_pages, REACH), DENY(move_pages, REACH),

    /* time */
    FREE(clock_getres), FREE(gettimeofday), FREE(getitimer), FREE(setitimer), FREE(timer_create),
    FREE(timer_settime), FREE(timer_gettime), FREE(timer_getoverrun), FREE(timer_delete), FREE(timerfd_create),
    FREE(timerfd_settime), FREE(timerfd_gettime), DENY(clock_settime, SYSTEM), DENY(clock_adjtime, SYSTEM),
    DENY(settimeofday, SYSTEM), DENY(adjtimex, SYSTEM),

    /* what is said to others */
    CALL(socket, SOCKET, NETWORK), CALL(socketpair, SOCKETPAIR, NETWORK), FREE(sendmsg), FREE(recvmsg), FREE(sendmmsg),
    FREE(recvmmsg), FREE(shutdown), FREE(getsockname), FREE(getpeername), FREE(getsockopt), FREE(setsockopt),
    NET(connect), NET(bind), NET(listen), NET(accept), NET(accept4),
    DENY(shmget, SHARE), DENY(shmat, SHARE), DENY(shmctl, SHARE), DENY(shmdt, SHARE), DENY(semget, SHARE),
    DENY(semop, SHARE), DENY(semtimedop, SHARE), DENY(semctl, SHARE), DENY(msgget, SHARE), DENY(msgsnd, SHARE),
    DENY(msgrcv, SHARE), DENY(msgctl, SHARE), DENY(mq_open, SHARE), DENY(mq_unlink, SHARE), DENY(mq_timedsend, SHARE),
    DENY(mq_timedreceive, SHARE), DENY(mq_notify, SHARE), DENY(mq_getsetattr, SHARE), DENY(memfd_create, SHARE),
    NUMBERED(memfd_secret, 447, DENIED, SHARE), DENY(add_key, SHARE), DENY(request_key, SHARE), DENY(keyctl, SHARE),

    /* the system */
    DENY(setuid, SYSTEM), DENY(setgid, SYSTEM), DENY(setreuid, SYSTEM), DENY(setregid, SYSTEM), DENY(setresuid, SYSTEM),
    DENY(setresgid, SYSTEM), DENY(setfsuid, SYSTEM), DENY(setfsgid, SYSTEM), DENY(setgroups, SYSTEM),
    DENY(capset, SYSTEM), DENY(unshare, SYSTEM), DENY(setns, SYSTEM), DENY(chroot, SYSTEM), DENY(pivot_root, SYSTEM),
    DENY(mount, SYSTEM), DENY(umount2, SYSTEM), NUMBERED(open_tree, 428, DENIED, SYSTEM),
    NUMBERED(move_mount, 429, DENIED, SYSTEM), NUMBERED(fsopen, 430, DENIED, SYSTEM),
    NUMBERED(fsconfig, 431, DENIED, SYSTEM), NUMBERED(fsmount, 432, DENIED, SYSTEM),
    NUMBERED(fspick, 433, DENIED, SYSTEM), NUMBERED(mount_setattr, 442, DENIED, SYSTEM),
    NUMBERED(statmount, 457, DENIED, SYSTEM), NUMBERED(listmount, 458, DENIED, SYSTEM),
    NUMBERED(open_tree_attr, 467, DENIED, SYSTEM), DENY(swapon, SYSTEM), DENY(swapoff, SYSTEM), DENY(reboot, SYSTEM),
    DENY(sethostname, SYSTEM), DENY(setdomainname, SYSTEM), DENY(init_module, SYSTEM), DENY(finit_module, SYSTEM),
    DENY(delete_module, SYSTEM), DENY(kexec_load, SYSTEM), DENY(acct, SYSTEM), DENY(quotactl, SYSTEM),
    NUMBERED(quotactl_fd, 443, DENIED, SYSTEM), DENY(syslog, SYSTEM), DENY(vhangup, SYSTEM), DENY(bpf, SYSTEM),
    DENY(perf_event_open, SYSTEM), DENY(userfaultfd, SYSTEM), DENY(fanotify_init, SYSTEM), DENY(fanotify_mark, SYSTEM),
    DENY(name_to_handle_at, SYSTEM), DENY(open_by_handle_at, SYSTEM), DENY(seccomp, SYSTEM),
    NUMBERED(io_uring_setup, 425, DENIED, SYSTEM), NUMBERED(io_uring_enter, 426, DENIED, SYSTEM),
    NUMBERED(io_uring_register, 427, DENIED, SYSTEM), NUMBERED(landlock_create_ruleset, 444, DENIED, SYSTEM),
    NUMBERED(landlock_add_rule, 445, DENIED, SYSTEM), NUMBERED(landlock_restrict_self, 446, DENIED, SYSTEM),
    NUMBERED(lsm_get_self_attr, 459, DENIED, SYSTEM), NUMBERED(lsm_set_self_attr, 460, DENIED, SYSTEM),
    NUMBERED(lsm_list_modules, 461, DENIED, SYSTEM),

#if defined(__x86_64__) /* older names of the same */
    PATH(open, OPENS, WRITE, 0, -1, -1, -1, 1), WRITE(creat, 0, -1), WRITE(mkdir, 0, -1), WRITE(rmdir, 0, -1),
    WRITE(mknod, 0, -1), WRITE(unlink, 0, -1), WRITE(symlink, 1, -1), WRITE_BOTH(link, 0, -1, 1, -1),
    WRITE_BOTH(rename, 0, -1, 1, -1), ATTRIBUTE(chmod, 0, -1), ATTRIBUTE(chown, 0, -1), ATTRIBUTE(lchown, 0, -1),
    ATTRIBUTE(utime, 0, -1), ATTRIBUTE(utimes, 0, -1), ATTRIBUTE(futimesat, 1, 0), FREE(stat), FREE(lstat),
    FREE(access), FREE(readlink), FREE(getdents), FREE(dup2), FREE(pipe), FREE(poll), FREE(select), FREE(eventfd),
    FREE(signalfd), FREE(epoll_create), FREE(epoll_wait), FREE(inotify_init), FREE(alarm), FREE(pause), FREE(time),
    FREE(getpgrp), FREE(arch_prctl), DENY(fork, PROGRAM), DENY(vfork, PROGRAM), DENY(modify_ldt, SYSTEM),
    DENY(iopl, SYSTEM), DENY(ioperm, SYSTEM), DENY(kexec_file_load, SYSTEM), DENY(uselib, SYSTEM), DENY(ustat, SYSTEM),
    DENY(sysfs, SYSTEM), DENY(_sysctl, SYSTEM),
#endif
};
/* clang-format on */

const hk_sandbox_call *hk_sandbox_calls(size_t *ret_count) {
    *ret_count = sizeof calls / sizeof *calls;
    return calls;
}

const hk_sandbox_call *hk_sandbox_call_of(int number) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

int hk_sandbox_errno(hk_deed deed) {
    switch (deed) {
    case HK_DEED_NETWORK:
    case HK_DEED_WRITE:
        return EACCES;
    case HK_DEED_SERVICE:
        return EAFNOSUPPORT;
    case HK_DEED_THREADS:
        return EAGAIN;
    case HK_DEED_UNKNOWN:
        return ENOSYS;
    default:
        return EPERM;
    }
}
