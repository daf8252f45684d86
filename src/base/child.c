/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not _exit(): the program may have one of its own, for components. */
static _Noreturn void leave(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Handlers of the parent would speak of its components. Who presses Ctrl-C means the parent, which
 * decides what becomes of the child. */
static void reset_signals(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTERM,
                                SIGHUP,  SIGALRM, SIGXCPU, SIGTRAP, SIGSYS,  SIGCHLD};
    sigset_t none;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        (void)signal(fatal[i], SIG_DFL);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static uint64_t memory_now(void) {
    unsigned long long pages = 0;
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    for (const char *c = text; got > 0 && *c >= '0' && *c <= '9'; c++)
        pages = 10 * pages + (unsigned)(*c - '0');
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* WHAT is unsigned as the enumeration of the system's library is. */
static void set_limit(unsigned what, uint64_t soft, uint64_t hard) {
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    (void)setrlimit(what, &limit);
}

void hk_child_set_limits(hk_child_limits limits) {
    enum { GRACE_S = 5 };
    uint64_t now = limits.more_bytes ? memory_now() : 0;
    set_limit(RLIMIT_CORE, 0, 0);
    if (limits.cpu_s)
        set_limit(RLIMIT_CPU, limits.cpu_s, (uint64_t)limits.cpu_s + GRACE_S);
    if (now)
        set_limit(RLIMIT_AS, now + limits.more_bytes, now + limits.more_bytes);
}

static void be_quiet(void) {
    int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; none >= 0 && fd <= STDERR_FILENO; fd++)
        (void)dup2(none, fd);
}

int hk_child_fork(pid_t *ret_pid, int *ret_fd) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    (void)fflush(NULL); /* else the child might write what waits here once more */
    pid_t pid = fork();
    int problem = pid < 0 ? errno : 0;
    bool child = pid == 0;
    if (problem || child)
        close(ends[0]);
    if (problem || !child)
        close(ends[1]);
    *ret_pid = pid;
    *ret_fd = ends[child ? 1 : 0];
    return problem;
}

int hk_child_start(hk_child *ret_child, hk_child_limits limits, hk_child_fn *work, void *user) {
    enum { PRIVATE_FD = 10 }; /* out of the way of those who close what they did not open */
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    for (int i = 0; i < 2; i++) {
        int away = fcntl(ends[i], F_DUPFD_CLOEXEC, PRIVATE_FD);
        if (away >= 0) {
            close(ends[i]);
            ends[i] = away;
        }
    }
    (void)fflush(NULL); /* a library might write out what the child has inherited */
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        reset_signals();
        be_quiet();
        hk_child_set_limits(limits);
        work(ends[1], user);
        leave(0);
    }
    int problem = pid < 0 ? errno : 0;
    close(ends[1]);
    if (problem)
        close(ends[0]);
    else
        *ret_child = (hk_child){pid, ends[0]};
    return problem;
}

void hk_child_put(int pipe, const void *data, size_t size) {
    const char *next = data;
    while (size) {
        ssize_t written = write(pipe, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            leave(1);
        next += written;
        size -= (size_t)written;
    }
}

ssize_t hk_child_read(const hk_child *child, void *data, size_t size, int patience_ms) {
    for (;;) {
        struct pollfd wait = {.fd = child->pipe, .events = POLLIN};
        int ready = poll(&wait, 1, patience_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            return -1;
        ssize_t got = ready > 0 ? read(child->pipe, data, size) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        return got > 0 ? got : 0;
    }
}

int hk_child_end(hk_child *child, bool end_it) {
    int state = 0;
    pid_t done;
    close(child->pipe);
    if (end_it)
        kill(child->pid, SIGKILL);
    do
        done = waitpid(child->pid, &state, 0);
    while (done < 0 && errno == EINTR);
    *child = (hk_child){0};
    if (done < 0) /* the one who uses the library does not want to know of children */
        return -1;
    return WIFSIGNALED(state) ? HK_CHILD_SIGNAL + WTERMSIG(state) : WEXITSTATUS(state);
}

const char *hk_signal_words(int number) {
    switch (number) {
    case SIGSEGV:
        return "crashed (invalid memory access)";
    case SIGBUS:
        return "crashed (bus error)";
    case SIGFPE:
        return "crashed (arithmetic exception)";
    case SIGILL:
        return "crashed (illegal instruction)";
    case SIGTRAP:
        return "crashed (a trap)";
    case SIGSYS:
        return "crashed (a system call that is not allowed)";
    case SIGALRM:
        return "was ended by a timer (SIGALRM)";
    case SIGKILL:
        return "was killed (SIGKILL)";
    case SIGTERM:
        return "was ended (SIGTERM)";
    case SIGXCPU:
        return "has used up its processor time";
    case SIGXFSZ:
        return "has made a file too large (SIGXFSZ)";
    case SIGVTALRM:
    case SIGPROF:
        return "was ended by a timer of processor time";
    case SIGUSR1:
        return "was ended (SIGUSR1)";
    case SIGUSR2:
        return "was ended (SIGUSR2)";
    case SIGABRT:
        return "aborted";
    default:
        return "was ended by a signal";
    }
}
