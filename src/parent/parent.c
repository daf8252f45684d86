/* SPDX-License-Identifier: MIT
 *
 * The two processes of a run, and the signals between them. */
#define _GNU_SOURCE /* gettid */
#include "parent/parent.h"

#include "base/clock.h"
#include "base/file.h"
#include "engine/guard.h"
#include "engine/remains.h"
#include "nodes/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KNOWN_MAX = 256 };

/* Signals that are for the run. SIGTSTP and SIGCONT keep both processes in step. */
static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                SIGUSR1, SIGXCPU, SIGTSTP, SIGCONT};
enum { PASSED = sizeof passed_on / sizeof *passed_on };

/* How the one that forks had its signals, for the child. */
typedef struct before {
    sigset_t mask;
    struct sigaction child;
} before;

typedef struct watch {
    hk_ledger *ledger;
    sigset_t awaited;
    unsigned wishes;             /* signals that ask for the end */
    int64_t first_ns, second_ns; /* when they came; 0: they have not */
    bool said;
    bool stopped;       /* the child is, and this process is not */
    int64_t looked_ns;  /* when it was looked at last ... */
    int64_t stopped_ns; /* ... and for how long it is stopped, as far as this process saw */
    int64_t late_ns;    /* when it was told that it is too late; 0: it was not */
    hk_parent_say_fn *say;
    void *user;
    hk_parent_end *end;
} watch;

/* ---- whether there is a parent ---- */

/* The number behind KEY in a file of /proc. */
static long number_in(const char *path, const char *key) {
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    const char *at = strstr(text, key);
    return at ? strtol(at + strlen(key), NULL, 10) : 0;
}

bool hk_parent_is_looked_at(void) {
    const char *preloaded = getenv("LD_PRELOAD"); /* valgrind is its own processor: no tracer */
    return number_in("/proc/self/status", "TracerPid:") != 0 ||
           (preloaded && strstr(preloaded, "vgpreload_"));
}

/* ---- in the child ---- */

/* Workers remove their folders when they are told so; the others end by it, or are ended. */
static void end_children(void) {
    enum { ROOM = 256, TIMES = 500, WAIT_NS = 2000000 };
    pid_t children[ROOM];
    size_t count = hk_brood_list(children, ROOM);
    for (size_t i = 0; i < count; i++)
        (void)kill(children[i], SIGRTMIN);
    for (int k = 0; k < TIMES && count; k++) {
        for (size_t i = 0; i < count; i++)
            (void)waitpid(children[i], NULL, WNOHANG);
        count = hk_brood_list(children, ROOM);
        if (count)
            (void)nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
    }
    for (size_t i = 0; i < count; i++)
        (void)kill(children[i], SIGKILL);
}

/* The parent was killed: nobody would know of this run. Or it says that the time is over. */
static void on_orphaned(int number) {
    const hk_ledger *l = hk_ledger_get();
    (void)number;
    hk_ledger_late late = hk_ledger_is_late();
    if (late != HK_LATE_NOT)
        hk_guard_end_late(late);
    if (!l || getppid() == atomic_load(&l->parent) || !hk_ledger_is_ours())
        return;           /* somebody else uses this signal */
    hk_watch_end_nodes(); /* they remove their folders, too */
    end_children();
    hk_guard_end_orphaned();
}

static void be_child(hk_ledger *ledger, const before *was) {
    struct sigaction action = {.sa_handler = on_orphaned};
    sigfillset(&action.sa_mask);
    sigaction(SIGRTMIN, &action, NULL);
    atomic_store(&ledger->child, getpid());
    prctl(PR_SET_PDEATHSIG, SIGRTMIN);
    sigaction(SIGCHLD, &was->child, NULL);
    pthread_sigmask(SIG_SETMASK, &was->mask, NULL);
    if (getppid() != atomic_load(&ledger->parent))
        hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
    hk_guard_program(true); /* it is this process's now */
}

/* ---- in the parent ---- */

/* What is ignored stays so: nohup, jobs in the background of a script. These can be interrupted all
 * the same by who names them. */
static bool is_ignored(int number) {
    struct sigaction action;
    return number != SIGINT && number != SIGTERM && sigaction(number, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

static void take_signals(watch *w, before *was) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigemptyset(&plain.sa_mask);
    sigemptyset(&w->awaited);
    sigaddset(&w->awaited, SIGCHLD);
    for (size_t i = 0; i < PASSED; i++)
        if (!is_ignored(passed_on[i]))
            sigaddset(&w->awaited, passed_on[i]);
    pthread_sigmask(SIG_BLOCK, &w->awaited, &was->mask);
    sigaction(SIGCHLD, &plain, &was->child); /* ignored, its end would not be told */
}

/* The terminal stops both; who stops this process alone means both. */
static void stop_here(void) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGTSTP);
    (void)signal(SIGTSTP, SIG_DFL);
    (void)raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL); /* stops here, until somebody lets it go on */
    pthread_sigmask(SIG_BLOCK, &only, NULL);
}

static void pass_on(watch *w, const siginfo_t *info) {
    int number = info->si_signo;
    bool from_terminal = info->si_code == SI_KERNEL; /* then the child has it, too */
    bool ends = number != SIGUSR1 && number != SIGTSTP && number != SIGCONT;
    if (!from_terminal)
        (void)kill(w->end->child, number);
    if (number == SIGTSTP)
        stop_here();
    if (!ends)
        return;
    w->end->wish = number;
    if (number != SIGINT && number != SIGTERM)
        return;
    w->wishes++;
    if (w->wishes == 1)
        w->first_ns = hk_clock_ns();
    else if (w->wishes == 2)
        w->second_ns = hk_clock_ns();
}

/* A component may have taken the signals for itself. One wish is told after a while; the second
 * is followed. */
static void look_at_wishes(watch *w) {
    static const int64_t told_ns = INT64_C(1000000000), patience_ns = INT64_C(2000000000),
                         last_words_ns = INT64_C(8000000000);
    int64_t now = hk_clock_ns();
    unsigned heard = atomic_load(&w->ledger->heard);
    if (w->first_ns && !w->second_ns && !heard && !w->said && now - w->first_ns > told_ns) {
        char who[512];
        w->said = true;
        if (w->say && hk_remains_describe(w->end->child, who, sizeof who))
            w->say(w->user, who);
    }
    int64_t patience = atomic_load(&w->ledger->ending) ? last_words_ns : patience_ns;
    if (w->second_ns && !w->end->killed && now - w->second_ns > patience) {
        w->end->killed = true;
        (void)kill(w->end->child, SIGKILL);
    }
}

static bool is_limited(const watch *w) {
    return atomic_load(&w->ledger->deadline_ns) || atomic_load(&w->ledger->watchdog_ns);
}

/* Time while both are stopped does not count. */
static void look_at_stops(watch *w) {
    static const int64_t most_ns = INT64_C(200000000);
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)w->end->child, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 &&
           info.si_pid) {
        w->stopped = info.si_code == CLD_STOPPED;
        w->stopped_ns = 0;
        w->looked_ns = hk_clock_ns();
        info = (siginfo_t){0};
    }
    if (!w->stopped)
        return;
    int64_t now = hk_clock_ns(), passed = now - w->looked_ns;
    w->stopped_ns += passed < most_ns ? passed : most_ns;
    w->looked_ns = now;
}

/* The process keeps the limits itself, unless it is stopped. It is told so first, to bring its
 * record to an end: what waits for it is done before it goes on. */
static void look_at_limits(watch *w) {
    static const int64_t sure_ns = INT64_C(300000000), patience_ns = INT64_C(1000000000),
                         last_words_ns = INT64_C(8000000000);
    int64_t now = hk_clock_ns(), deadline = atomic_load(&w->ledger->deadline_ns),
            watchdog = atomic_load(&w->ledger->watchdog_ns);
    if (w->late_ns) {
        bool speaks = atomic_load(&w->ledger->ending) && !w->stopped; /* else: stopped once more */
        if (now - w->late_ns > (speaks ? last_words_ns : patience_ns) && !w->end->killed) {
            w->end->killed = true;
            w->end->late = (hk_ledger_late)atomic_load(&w->ledger->late);
            (void)kill(w->end->child, SIGKILL);
        }
        return;
    }
    bool hangs = watchdog && w->stopped_ns > watchdog;
    bool late = deadline && now > deadline && w->stopped_ns > sure_ns;
    if (!w->stopped || (!hangs && !late))
        return;
    w->late_ns = now;
    atomic_store(&w->ledger->late, late ? HK_LATE_TIMEOUT : HK_LATE_WATCHDOG);
    (void)kill(w->end->child, SIGRTMIN);
    (void)kill(w->end->child, SIGCONT);
}

/* The program that the process had become. Its name alone does not tell: a component may give its
 * process another one, and that is not worth a word. */
static void name_program(hk_parent_end *end) {
    enum { FORKED_ONLY = 0x40, FLAGS = 7 }; /* what the kernel calls PF_FORKNOEXEC; its place */
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)end->child);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    const char *name = strchr(text, '('), *behind = strrchr(text, ')'), *field = behind;
    for (int i = 0; field && i < FLAGS; i++)
        field = strchr(field + 1, ' ');
    if (name && field && !(strtoul(field, NULL, 10) & FORKED_ONLY))
        snprintf(end->became, sizeof end->became, "%.*s", (int)(behind - name - 1), name + 1);
}

/* Others that come here and end are of components. */
static void reap_others(pid_t child) {
    siginfo_t info = {0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid &&
           info.si_pid != child) {
        (void)waitpid(info.si_pid, NULL, WNOHANG);
        info = (siginfo_t){0};
    }
}

/* True: the child has ended. */
static bool look_at_children(watch *w) {
    siginfo_t info = {0};
    pid_t child = w->end->child;
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || !info.si_pid) {
        reap_others(child);
        return false;
    }
    if (atomic_load(&w->ledger->end) == HK_END_UNKNOWN)
        name_program(w->end);
    while (waitpid(child, &w->end->how, 0) < 0 && errno == EINTR)
        continue;
    return true;
}

static void wait_for_child(watch *w) {
    while (!look_at_children(w)) {
        siginfo_t info;
        look_at_stops(w);
        /* Else only a signal can wake it. */
        bool waits = w->wishes > 0 || w->late_ns || (w->stopped && is_limited(w));
        int number =
            waits ? sigtimedwait(&w->awaited, &info, &(struct timespec){.tv_nsec = 100000000})
                  : sigwaitinfo(&w->awaited, &info);
        if (number > 0 && number != SIGCHLD)
            pass_on(w, &info);
        look_at_wishes(w);
        look_at_limits(w);
    }
}

/* Children that this process had before it was hocket: of a shell that has called exec. */
static size_t list_known(pid_t *known) {
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD)
        return 0;
    return hk_brood_list(known, KNOWN_MAX);
}

hk_parent_role hk_parent_begin(hk_parent_say_fn *say, void *user, hk_parent_end *ret_end) {
    HK_ASSERT(ret_end);
    *ret_end = (hk_parent_end){0};
    pid_t known[KNOWN_MAX];
    before was;
    watch w = {.say = say, .user = user, .end = ret_end, .ledger = hk_ledger_make()};
    if (!w.ledger)
        return HK_PARENT_NONE;
    hk_remains_make();
    size_t known_count = list_known(known);
    atomic_store(&w.ledger->parent, getpid());
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    take_signals(&w, &was);
    (void)fflush(NULL);
    ret_end->child = fork();
    if (ret_end->child == 0) {
        be_child(w.ledger, &was);
        return HK_PARENT_CHILD;
    }
    if (ret_end->child < 0) {
        sigaction(SIGCHLD, &was.child, NULL);
        pthread_sigmask(SIG_SETMASK, &was.mask, NULL);
        hk_ledger_forget();
        return HK_PARENT_NONE;
    }
    wait_for_child(&w);
    hk_brood_end(known, known_count, ret_end);
    return HK_PARENT_OVER;
}
