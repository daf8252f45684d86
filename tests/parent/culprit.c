/* SPDX-License-Identifier: MIT
 *
 * An FMU that does to its process what no standard allows: what the environment variable CULPRIT
 * says, in the first step that begins at 0.5 s or later. */
#define _GNU_SOURCE
#include "fmi/fmi2_export.h"

#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static fmi2Real y;
static int done;
static volatile sig_atomic_t rang;

static void wait_for_the_end(void) {
    for (;;)
        usleep(10000);
}

static void vanish(void) {
    syscall(SYS_exit_group, 0);
}

/* ---- threads ---- */

static void *call_exit(void *unused) {
    (void)unused;
    exit(0);
}

static void *call_vanish(void *unused) {
    vanish();
    return unused;
}

static void *touch_nothing(void *unused) {
    *(volatile int *)unused = 1;
    return unused;
}

static void *call_abort(void *unused) {
    (void)unused;
    abort();
}

static void in_thread(void *(*work)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) == 0)
        wait_for_the_end();
}

static void thread_exits(void) {
    in_thread(call_exit);
}

static void thread_vanishes(void) {
    in_thread(call_vanish);
}

static void thread_crashes(void) {
    in_thread(touch_nothing);
}

static void thread_aborts(void) {
    in_thread(call_abort);
}

/* As soon as something is said to standard error, a file, the process ends. */
static void *interrupt_last_words(void *unused) {
    struct stat info;
    while (fstat(STDERR_FILENO, &info) == 0 && info.st_size == 0)
        continue;
    kill(getpid(), SIGUSR2);
    return unused;
}

static void crash_and_end(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, interrupt_last_words, NULL) == 0)
        touch_nothing(NULL);
}

/* ---- the process ---- */

static void become(void) {
    execl("/bin/true", "true", (char *)NULL);
}

static void damage_heap(void) {
    for (int size = 24; size <= 4096; size *= 2) {
        char *piece = malloc((size_t)size);
        char *volatile beyond = piece;
        memset(beyond + size - 8, 0x41, 64);
        free(piece);
    }
}

static void trap(void) {
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_INEXACT);
}

static void on_alarm(int number) {
    rang = number;
}

static void tick(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    const struct itimerval often = {.it_interval.tv_usec = 500, .it_value.tv_usec = 500};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void tick_on(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    const struct itimerspec often = {.it_interval.tv_nsec = 500000, .it_value.tv_nsec = 500000};
    timer_t timer;
    sigaction(SIGALRM, &action, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &often, NULL);
}

/* ---- signals ---- */

static void ignore(void) {
    const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        signal(all[i], SIG_IGN);
    wait_for_the_end();
}

static void block(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    wait_for_the_end();
}

static void stop(void) {
    raise(SIGSTOP);
}

static void stop_deaf(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (;;)
        raise(SIGSTOP);
}

/* ---- processes ---- */

static int ready[2];

/* A process of its own, which says when it is ready; false: this is the one before. */
static int is_new_process(void) {
    char one;
    (void)!pipe(ready);
    if (fork() == 0)
        return 1;
    (void)!read(ready[0], &one, 1);
    return 0;
}

/* Its process is in a session of its own and does not want to end. CULPRIT_FILE says which it is.
 */
static void leave_one(void) {
    const char *path = getenv("CULPRIT_FILE");
    if (!is_new_process())
        return;
    setsid();
    signal(SIGTERM, SIG_IGN);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)getpid());
        fclose(file);
    }
    (void)!write(ready[1], "", 1);
    wait_for_the_end();
}

static void append(int number) {
    const char *path = getenv("CULPRIT_FILE");
    int fd = path ? open(path, O_WRONLY | O_APPEND) : -1;
    (void)!write(fd, "9,9\n", 4);
    syscall(SYS_exit_group, number);
}

/* Its process changes a file when it is told to end: when all else is done. */
static void append_at_the_end(void) {
    if (!is_new_process())
        return;
    signal(SIGTERM, append);
    (void)!write(ready[1], "", 1);
    wait_for_the_end();
}

/* Both go on with the run. */
static void double_itself(void) {
    (void)!fork();
}

/* ---- files ---- */

static void take_descriptors(void) {
    const char *path = getenv("CULPRIT_FILE");
    for (int fd = 3; fd < 256; fd++)
        close(fd);
    for (int i = 0; path && i < 64; i++)
        (void)!open(path, O_RDWR | O_CREAT, 0666);
}

/* Files that are written grow shorter. */
static void shorten(void) {
    for (int fd = 3; fd < 256; fd++)
        (void)!ftruncate(fd, 1);
}

static const struct {
    const char *name;
    void (*act)(void);
} deeds[] = {
    {"vanish", vanish},
    {"thread_exits", thread_exits},
    {"thread_vanishes", thread_vanishes},
    {"thread_crashes", thread_crashes},
    {"thread_aborts", thread_aborts},
    {"crash_and_end", crash_and_end},
    {"become", become},
    {"damage_heap", damage_heap},
    {"trap", trap},
    {"tick", tick},
    {"tick_on", tick_on},
    {"ignore", ignore},
    {"block", block},
    {"stop", stop},
    {"stop_deaf", stop_deaf},
    {"wait", wait_for_the_end},
    {"leave_one", leave_one},
    {"append_at_the_end", append_at_the_end},
    {"double_itself", double_itself},
    {"take_descriptors", take_descriptors},
    {"shorten", shorten},
};

static void do_deed(void) {
    const char *deed = getenv("CULPRIT");
    for (size_t i = 0; deed && i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(deeds[i].name, deed) == 0)
            deeds[i].act();
}

/* ---- FMI ---- */

const char *fmi2GetTypesPlatform(void) {
    return "default";
}
const char *fmi2GetVersion(void) {
    return "2.0";
}
/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)name, (void)type, (void)guid, (void)resources, (void)callbacks, (void)visible;
    (void)logging;
    return &y;
}
void fmi2FreeInstance(fmi2Component c) {
    (void)c;
}
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    (void)c, (void)on, (void)count, (void)categories;
    return fmi2OK;
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean sd, fmi2Real stop) {
    (void)c, (void)td, (void)tolerance, (void)start, (void)sd, (void)stop;
    return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    (void)c;
    return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    (void)c;
    return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component c) {
    (void)c;
    return fmi2OK;
}
fmi2Status fmi2Reset(fmi2Component c) {
    (void)c;
    return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference refs[], size_t count,
                       fmi2Real values[]) {
    (void)c, (void)refs;
    for (size_t i = 0; i < count; i++)
        values[i] = y;
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference refs[], size_t count,
                       const fmi2Real values[]) {
    (void)c, (void)refs, (void)count, (void)values;
    return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set) {
    (void)c, (void)no_set;
    if (t >= 0.5 && !done) {
        done = 1;
        do_deed();
    }
    y = t + h;
    return fmi2OK;
}
