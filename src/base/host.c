/* SPDX-License-Identifier: MIT */
#include "base/host.h"

#include "base/fpenv.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Those of faults are first. */
enum { FAULTS = 5 };
static const int signals[HK_HOST_SIGNALS] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGINT,
                                             SIGTERM, SIGPIPE, SIGHUP,  SIGQUIT, SIGCHLD, SIGALRM,
                                             SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

static bool timer_runs(void) {
    struct itimerval timer;
    return getitimer(ITIMER_REAL, &timer) == 0 &&
           (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0);
}

void hk_host_look(hk_host *host) {
    *host = (hk_host){.fpenv = hk_fpenv_read(), .thread_locale = uselocale((locale_t)0)};
    const char *name = setlocale(LC_ALL, NULL);
    if (name && strlen(name) < sizeof host->locale)
        strcpy(host->locale, name);
    name = setlocale(LC_NUMERIC, NULL);
    if (name && strlen(name) < sizeof host->numbers)
        strcpy(host->numbers, name);
    for (size_t i = 0; i < HK_HOST_SIGNALS; i++)
        sigaction(signals[i], NULL, &host->handlers[i]);
    pthread_sigmask(SIG_BLOCK, NULL, &host->mask);
    sigaltstack(NULL, &host->signal_stack);
    host->timer = timer_runs();
    host->umask = umask(0); /* there is no way to ask only */
    umask(host->umask);
    host->folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat info;
    if (host->folder >= 0 && fstat(host->folder, &info) == 0) {
        host->folder_device = info.st_dev;
        host->folder_node = info.st_ino;
    }
}

void hk_host_forget(hk_host *host) {
    if (host->folder >= 0)
        close(host->folder);
    host->folder = -1;
}

void hk_host_take_faults(hk_host *host, const hk_host *earlier) {
    for (size_t i = 0; i < HK_HOST_SIGNALS; i++)
        if (i < FAULTS || signals[i] == SIGALRM)
            host->handlers[i] = earlier->handlers[i];
    host->timer = earlier->timer;
}

static bool restore_locale(const hk_host *host) {
    bool changed = false;
    if (uselocale((locale_t)0) != host->thread_locale) {
        uselocale(host->thread_locale); /* the other one is its maker's to free */
        changed = true;
    }
    const char *name = setlocale(LC_NUMERIC, NULL);
    changed |= name && strcmp(name, host->numbers) != 0;
    name = setlocale(LC_ALL, NULL);
    if (host->locale[0] && name && strcmp(name, host->locale) != 0)
        setlocale(LC_ALL, host->locale);
    return changed;
}

/* A component that has a timer and a function for it is left alone until its end. */
static bool is_of_timer(int number, const struct sigaction *now) {
    return number == SIGALRM && now->sa_handler != SIG_DFL && now->sa_handler != SIG_IGN;
}

static bool restore_signals(const hk_host *host, bool faults) {
    bool changed = false;
    struct sigaction now;
    if (faults && !host->timer && timer_runs()) { /* before its function goes */
        setitimer(ITIMER_REAL, &(struct itimerval){{0}, {0}}, NULL);
        changed = true;
    }
    for (size_t i = faults ? 0 : FAULTS; i < HK_HOST_SIGNALS; i++) {
        const struct sigaction *was = &host->handlers[i];
        if (sigaction(signals[i], NULL, &now) != 0 || now.sa_handler == was->sa_handler)
            continue;
        if (!faults && is_of_timer(signals[i], &now))
            continue;
        sigaction(signals[i], was, NULL);
        changed |= i >= FAULTS;
    }
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    for (size_t i = 0; i < HK_HOST_SIGNALS; i++)
        changed |= sigismember(&mask, signals[i]) != sigismember(&host->mask, signals[i]);
    pthread_sigmask(SIG_SETMASK, &host->mask, NULL);
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_sp != host->signal_stack.ss_sp)
        sigaltstack(&host->signal_stack, NULL);
    return changed;
}

void hk_host_stop_timer(const hk_host *host) {
    struct sigaction now, quiet = {.sa_handler = SIG_IGN};
    for (size_t i = 0; i < HK_HOST_SIGNALS; i++) {
        if (signals[i] != SIGALRM || sigaction(SIGALRM, NULL, &now) != 0 ||
            now.sa_handler == host->handlers[i].sa_handler || !is_of_timer(SIGALRM, &now))
            continue;
        if (!host->timer)
            setitimer(ITIMER_REAL, &(struct itimerval){{0}, {0}}, NULL);
        sigaction(SIGALRM, &quiet, NULL);
    }
}

static unsigned restore_folder(const hk_host *host) {
    struct stat info;
    if (host->folder < 0 || (stat(".", &info) == 0 && info.st_dev == host->folder_device &&
                             info.st_ino == host->folder_node))
        return 0;
    return fchdir(host->folder) == 0 ? HK_HOST_FOLDER : HK_HOST_FOLDER | HK_HOST_LOST;
}

unsigned hk_host_restore(const hk_host *host, bool faults) {
    unsigned changes = 0;
    if (hk_fpenv_read() != host->fpenv) {
        hk_fpenv_write(host->fpenv);
        changes |= HK_HOST_FPENV;
    }
    if (restore_locale(host))
        changes |= HK_HOST_LOCALE;
    if (restore_signals(host, faults))
        changes |= HK_HOST_SIGNAL;
    changes |= restore_folder(host);
    mode_t mask = umask(host->umask);
    if (mask != host->umask)
        changes |= HK_HOST_UMASK;
    return changes;
}

const char *hk_host_text(unsigned changes, char *buffer, size_t room) {
    static const struct {
        unsigned kind;
        const char *name;
    } kinds[] = {{HK_HOST_LOCALE, "the locale"},
                 {HK_HOST_SIGNAL, "the handling of signals"},
                 {HK_HOST_FOLDER, "the working directory"},
                 {HK_HOST_UMASK, "the umask"}};
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (changes & kinds[i].kind && length < room)
            length += (size_t)snprintf(buffer + length, room - length, "%s%s",
                                       length ? " and " : "", kinds[i].name);
    return buffer;
}
