/* SPDX-License-Identifier: MIT
 *
 * The process of a component that is locked in: what it gives up before the component's library is
 * loaded. Nothing of it can be taken back. */
#define _GNU_SOURCE /* O_CLOEXEC, close_range */
#include "isolate/sandbox_internal.h"

#include "base/child.h"
#include "base/descriptors.h"
#include "base/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

/* ---- early: what it has from the process that it is a copy of ---- */

/* It gets a way of its own to where messages go. If that is a file, both ways lead to its end,
 * wherever that is by then: else each would write over what the other has written. */
static void share_end(void) {
    struct stat about;
    int flags = fcntl(STDERR_FILENO, F_GETFL);
    if (flags >= 0 && fstat(STDERR_FILENO, &about) == 0 && S_ISREG(about.st_mode))
        (void)fcntl(STDERR_FILENO, F_SETFL, flags | O_APPEND);
}

/* Standard output may be the record, or an answer in JSON: what the component says goes where
 * messages go. It reads nothing from there, as one could from a terminal. In a group of its own, in
 * the background, it cannot read from the terminal by other ways, either. Not a session of its own:
 * the kernel would schedule it apart from hocket, which it works hand in hand with. */
static void leave_terminal(void) {
    (void)setpgid(0, 0);
    (void)signal(SIGTTIN, SIG_IGN);
    (void)signal(SIGTTOU, SIG_IGN);
    share_end();
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open("/proc/self/fd/2", O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    if (out < 0)
        out = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* a socket */
    if (out < 0)
        out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (none >= 0)
        (void)dup2(none, STDIN_FILENO);
    for (int fd = STDOUT_FILENO; out >= 0 && fd <= STDERR_FILENO; fd++)
        (void)dup2(out, fd);
    if (none > STDERR_FILENO)
        close(none);
    if (out > STDERR_FILENO)
        close(out);
}

typedef struct range {
    uintptr_t begin, end;
} range;

/* Shared memory of this process beside KEPT; at most ROOM of it. */
static size_t find_shared_memory(range kept, range *found, size_t room) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t count = 0, line_room = 0;
    while (maps && count < room && getline(&line, &line_room, maps) > 0) {
        char *at; /* "7f00a000-7f00b000 rw-s ..." */
        range one = {.begin = strtoull(line, &at, 16)};
        if (*at != '-')
            continue;
        one.end = strtoull(at + 1, &at, 16);
        if (strlen(at) > 4 && at[4] == 's' && (one.end <= kept.begin || one.begin >= kept.end))
            found[count++] = one;
    }
    if (maps)
        (void)fclose(maps);
    free(line);
    return count;
}

/* Pages of other components and the wires of nodes are shared with this process, too. */
static void leave_shared_memory(const void *page, size_t page_size) {
    enum { ROOM = 256 };
    range found[ROOM];
    const range kept = {(uintptr_t)page, (uintptr_t)page + page_size};
    size_t count;
    do {
        count = find_shared_memory(kept, found, ROOM);
        for (size_t i = 0; i < count; i++)
            if (munmap((void *)found[i].begin, found[i].end - found[i].begin) != 0)
                return;
    } while (count == ROOM);
}

void hk_sandbox_enter(const hk_iso_birth *birth) {
    leave_terminal();
    hk_ledger_forget(); /* it is shared memory, too, and what ends a process looks into it */
    leave_shared_memory(birth->page, birth->page_size);
}

/* ---- late: locked in ---- */

/* A user with all rights keeps those that let it read and write files as before; Landlock and the
 * filter say which. */
static int drop_rights(void) {
    enum { KEPT = 1 << CAP_DAC_OVERRIDE | 1 << CAP_DAC_READ_SEARCH };
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &head, rights) != 0)
        return errno;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        const uint32_t kept = i == 0 ? KEPT : 0;
        rights[i].effective &= kept;
        rights[i].permitted &= kept;
        rights[i].inheritable = 0;
    }
    return syscall(SYS_capset, &head, rights) == 0 ? 0 : errno;
}

static void set_limits(const hk_sandbox *box) {
    struct rlimit file = {box->file_bytes, box->file_bytes}, none = {0, 0};
    hk_child_set_limits((hk_child_limits){.cpu_s = box->cpu_s, .more_bytes = box->memory_bytes});
    if (box->file_bytes)
        (void)setrlimit(RLIMIT_FSIZE, &file);
    (void)signal(SIGXFSZ, SIG_IGN); /* the write fails */
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)setrlimit(RLIMIT_MSGQUEUE, &none);
}

int hk_sandbox_install(const struct sock_filter *filter, size_t count, bool reports,
                       int *ret_listener) {
    /* Old kernels slow down all computing of a process with a filter, unless told not to. */
    const unsigned long plain = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    const unsigned long heard = plain | SECCOMP_FILTER_FLAG_NEW_LISTENER;
    /* The kernel does not change it. */
    struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)(uintptr_t)filter};
    const unsigned long tries[] = {reports ? heard | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV : plain,
                                   reports ? heard : 0};
    long got = -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    for (size_t i = 0; i < sizeof tries / sizeof *tries && got < 0; i++)
        got = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, tries[i], &program);
    *ret_listener = reports && got >= 0 ? (int)got : -1;
    return got < 0 ? errno : 0;
}

/* The warden gets what the kernel asks him through, and this process keeps nothing of it: who has
 * it could allow itself everything. */
static bool hand_over(int door, int listener) {
    bool sent = hk_descriptor_send(door, listener);
    close(listener);
    return sent;
}

static hk_status failed(hk_ctx *ctx, const hk_iso_birth *birth, const char *what, int problem) {
    return hk_error(ctx, HK_E_UNIT_DENIED, (hk_where){.element = birth->options->name},
                    "hocket doctor says what this machine can do",
                    "component '%s': the sandbox cannot be closed: %s: %s", birth->options->name,
                    what, strerror(problem));
}

hk_status hk_sandbox_seal(hk_ctx *ctx, const hk_iso_birth *birth) {
    const hk_sandbox *box = birth->sandbox;
    const char *why_not;
    hk_filter_wish wish = {.network = box->network,
                           .reports = birth->door >= 0,
                           .landlock = hk_landlock_version(&why_not),
                           .process = getpid()};
    struct sock_filter *filter = hk_alloc(HK_FILTER_ROOM * sizeof *filter);
    size_t count = hk_sandbox_filter(&wish, filter);
    int listener = -1, problem = 0;
    set_limits(box);
    problem = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? drop_rights() : errno;
    if (problem)
        return failed(ctx, birth, "rights", problem);
    if (wish.landlock)
        problem = hk_landlock_seal(box, birth->folder_fd);
    close(birth->folder_fd);
    if (problem)
        return failed(ctx, birth, "Landlock", problem);
    problem = count ? hk_sandbox_install(filter, count, wish.reports, &listener) : ENOSYS;
    hk_free(filter);
    if (problem)
        return failed(ctx, birth, "the filter of system calls", problem);
    if (wish.reports && !hand_over(birth->door, listener))
        return failed(ctx, birth, "the way to hocket", EPIPE);
    if (wish.reports)
        close(birth->door);
    return HK_OK;
}

/* ---- what is there ---- */

static void try_it(int pipe, void *user) {
    struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    int listener, results[2];
    (void)user;
    results[0] = hk_sandbox_install(all, 1, true, &listener);
    results[1] = results[0] ? hk_sandbox_install(all, 1, false, &listener) : 0;
    hk_child_put(pipe, results, sizeof results);
}

static const char *why_no_filter(int problem) {
    switch (problem) {
    case 0:
        return NULL;
    case ENOSYS:
    case EINVAL:
        return "this kernel has no filters of system calls (seccomp)";
    case EPERM:
    case EACCES:
        return "filters of system calls (seccomp) are forbidden here, perhaps by a container";
    default:
        return "a filter of system calls (seccomp) could not be made";
    }
}

static const char *why_no_reports(int problem) {
    return problem == 0       ? NULL
           : problem == EBUSY ? "another program listens to the calls of this process already"
                              : "this kernel does not pass on what is denied (Linux 5.0 does)";
}

hk_sandbox_means hk_sandbox_look(void) {
    enum { PATIENCE_MS = 10000 };
    hk_sandbox_means means = {.no_filter = "no process could be started to try it"};
    const hk_filter_wish wish = {.process = 1};
    struct sock_filter *filter = hk_alloc(HK_FILTER_ROOM * sizeof *filter);
    size_t count = hk_sandbox_filter(&wish, filter);
    int results[2];
    hk_child child;
    hk_free(filter);
    means.landlock = hk_landlock_version(&means.no_landlock);
    if (!count) {
        means.no_filter = "hocket has no filter of system calls for this processor";
        return means;
    }
    if (hk_child_start(&child, (hk_child_limits){0}, try_it, NULL) != 0)
        return means;
    if (hk_child_read(&child, results, sizeof results, PATIENCE_MS) == (ssize_t)sizeof results) {
        means.no_filter = why_no_filter(results[1]);
        means.no_reports = why_no_reports(results[0]);
    }
    (void)hk_child_end(&child, true);
    return means;
}
