/* SPDX-License-Identifier: MIT
 *
 * Deeds that end something: processes, threads, by exits, signals, timers, loops. */
#define _GNU_SOURCE
#include "animal.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK_US = 20000 };

/* What the rest of the name of a deed is called: "HUP" of "raise_HUP". */
static int signal_named(const animal *a) {
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"ILL", SIGILL},
                   {"TRAP", SIGTRAP}, {"ABRT", SIGABRT}, {"BUS", SIGBUS},   {"FPE", SIGFPE},
                   {"KILL", SIGKILL}, {"USR1", SIGUSR1}, {"SEGV", SIGSEGV}, {"USR2", SIGUSR2},
                   {"PIPE", SIGPIPE}, {"ALRM", SIGALRM}, {"TERM", SIGTERM}, {"CHLD", SIGCHLD},
                   {"STOP", SIGSTOP}, {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ}, {"VTALRM", SIGVTALRM},
                   {"PROF", SIGPROF}, {"IO", SIGIO},     {"SYS", SIGSYS}};
    const char *name = strrchr(a->deed, '_') + 1;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(signals[i].name, name) == 0)
            return signals[i].number;
    return SIGRTMAX - 1;
}

/* ---- threads ---- */

static void run_thread(void *(*does)(void *), void *with) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, does, with) == 0)
        pthread_join(thread, NULL);
}
static void leave_thread(void *(*does)(void *), void *with) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, does, with) == 0)
        pthread_detach(thread);
}
static void *crash(void *nothing) {
    *(volatile int *)nothing = 1;
    return nothing;
}
static void *stop_short(void *nothing) {
    abort();
    return nothing;
}
static void *crash_soon(void *nothing) {
    usleep(100000);
    return crash(nothing);
}
static void *raise_in(void *a) {
    raise(signal_named(a));
    return NULL;
}
static int dig(volatile char *above, int depth) {
    volatile char frame[4096];
    frame[0] = *above;
    return depth ? dig(frame, depth + 1) + frame[0] : 0;
}
static void *overflow(void *nothing) {
    volatile char top = 1;
    return dig(&top, 1) ? nothing : NULL;
}
static int do_thread_crash(animal *a) {
    run_thread(crash, NULL);
    return a->n < 0;
}
static int do_thread_abort(animal *a) {
    run_thread(stop_short, NULL);
    return a->n < 0;
}
static int do_thread_stack(animal *a) {
    run_thread(overflow, NULL);
    return a->n < 0;
}
static int do_thread_raise(animal *a) {
    run_thread(raise_in, a);
    return a->n < 0;
}
static int do_thread_crash_soon(animal *a) {
    leave_thread(crash_soon, NULL);
    return a->n < 0;
}
static void *shout(void *self) {
    animal *a = self;
    for (;;)
        a->say(a, OK, "logAll", "it does not stop");
    return NULL;
}
static int do_thread_shouts(animal *a) { /* with the callbacks of an instance that is gone */
    leave_thread(shout, a);
    usleep(TICK_US);
    return a->n < 0;
}
/* The thread that called ends, the process does not. */
static int do_end_thread(animal *a) {
    pthread_exit(a->n < 0 ? a : NULL);
}
static int do_end_thread_raw(animal *a) {
    syscall(SYS_exit, 0);
    return a->n < 0;
}
static int do_lock_up(animal *a) { /* it may call read, write and exit from now on */
    prctl(PR_SET_SECCOMP, 1);
    return a->n < 0;
}
static void gone_wrong(void *value) {
    *(volatile int *)NULL = value != NULL;
}
static void *leave_value(void *a) {
    pthread_key_t key;
    if (pthread_key_create(&key, gone_wrong) == 0)
        pthread_setspecific(key, a);
    return NULL;
}
static int do_thread_key(animal *a) { /* a destructor for when the thread ends */
    run_thread(leave_value, a);
    return a->n < 0;
}

/* ---- exits ---- */

static void end_well(void) {
    _exit(0);
}
static void end_badly(void) {
    *(volatile int *)NULL = 1;
}
static void never_end(void) {
    for (;;)
        pause();
}
static int do_at_exit_fine(animal *a) { /* it fails, and calls that a success */
    atexit(end_well);
    return ERROR + (a->n < 0);
}
static int do_at_exit_crash(animal *a) {
    atexit(end_badly);
    return a->n < 0;
}
static int do_at_exit_hang(animal *a) {
    atexit(never_end);
    return a->n < 0;
}
static int do_syscall_exit(animal *a) {
    syscall(SYS_exit_group, 0);
    return a->n < 0;
}

/* ---- signals ---- */

static int do_raise(animal *a) {
    raise(signal_named(a));
    return a->n < 0;
}
static int do_kill_group(animal *a) {
    kill(0, signal_named(a));
    usleep(TICK_US);
    return a->n < 0;
}
static int do_kill_parent(animal *a) {
    kill(getppid(), signal_named(a));
    usleep(10 * TICK_US);
    return a->n < 0;
}
/* A file that says that it has begun, for who wants to send a signal. */
static void is_ready(void) {
    FILE *file = fopen(getenv("ZOO_READY"), "w");
    if (file)
        fclose(file);
}
static void pay_no_attention(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGUSR1, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
}
static int do_ignore_hang(animal *a) {
    pay_no_attention();
    is_ready();
    while (a)
        usleep(TICK_US);
    return OK;
}
static int do_ignore(animal *a) {
    pay_no_attention();
    return a->n < 0;
}
static int do_ignore_children(animal *a) {
    struct sigaction plain = {.sa_handler = SIG_IGN, .sa_flags = SA_NOCLDWAIT};
    sigaction(SIGCHLD, &plain, NULL);
    return a->n < 0;
}
static int do_block_hang(animal *a) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    is_ready();
    for (volatile unsigned turns = 0;; turns++)
        if (!a)
            return OK;
}
static int do_hang_ready(animal *a) {
    is_ready();
    while (a)
        usleep(TICK_US);
    return OK;
}
static int do_bad_signal_stack(animal *a) {
    sigaltstack(&(stack_t){.ss_sp = (void *)(uintptr_t)4096, .ss_size = 1 << 16}, NULL);
    overflow(NULL);
    return a->n < 0;
}
static sigjmp_buf back;
static void jump_back(int number) {
    siglongjmp(back, number);
}
static int do_catch_crash(animal *a) { /* it finds out what it may read, as some do */
    signal(SIGSEGV, jump_back);
    if (sigsetjmp(back, 1) == 0)
        crash(NULL);
    return a->n < 0;
}
static void go_round(int number) {
    for (volatile int turns = number;; turns++)
        ;
}
static int do_crash_loop(animal *a) {
    signal(SIGSEGV, go_round);
    crash(NULL);
    return a->n < 0;
}

/* ---- timers ---- */

static int do_timer_profile(animal *a) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_usec = 1000}}, NULL);
    for (volatile unsigned turns = 0; turns < 200000000u && a; turns++)
        ;
    return OK;
}
static void end_all(union sigval nothing) {
    (void)nothing;
    _exit(0);
}
static void start_timer(struct sigevent event, bool again) {
    timer_t timer;
    struct itimerspec soon = {.it_value.tv_nsec = 20000000,
                              .it_interval.tv_nsec = again ? 1000000 : 0};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &soon, NULL);
}
static int do_timer_thread(animal *a) {
    start_timer((struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = end_all},
                false);
    usleep(10 * TICK_US);
    return a->n < 0;
}
static int do_timer_signal(animal *a) { /* "timer_signal_KILL" */
    start_timer((struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal_named(a)},
                false);
    for (int i = 0; i < 20; i++)
        usleep(TICK_US);
    return a->n < 0;
}
static int do_cpu_limit(animal *a) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
    for (volatile unsigned turns = 0; a; turns++)
        ;
    return OK;
}
static int do_death_signal(animal *a) {
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NAME, "innocent");
    prctl(PR_SET_DUMPABLE, 0);
    return a->n < 0;
}
static int do_rename_exit(animal *a) {
    prctl(PR_SET_NAME, "innocent");
    return do_syscall_exit(a);
}

const animal_deed hostile_ends[] = {
    {"thread_crash", do_thread_crash},
    {"thread_abort", do_thread_abort},
    {"thread_stack", do_thread_stack},
    {"thread_raise_", do_thread_raise},
    {"thread_crash_soon", do_thread_crash_soon},
    {"thread_shouts", do_thread_shouts},
    {"thread_key", do_thread_key},
    {"end_thread", do_end_thread},
    {"end_thread_raw", do_end_thread_raw},
    {"lock_up", do_lock_up},
    {"at_exit_fine", do_at_exit_fine},
    {"at_exit_crash", do_at_exit_crash},
    {"at_exit_hang", do_at_exit_hang},
    {"syscall_exit", do_syscall_exit},
    {"raise_", do_raise},
    {"kill_group_", do_kill_group},
    {"kill_parent_", do_kill_parent},
    {"ignore_hang", do_ignore_hang},
    {"ignore", do_ignore},
    {"ignore_children", do_ignore_children},
    {"block_hang", do_block_hang},
    {"hang_ready", do_hang_ready},
    {"bad_signal_stack", do_bad_signal_stack},
    {"catch_crash", do_catch_crash},
    {"crash_loop", do_crash_loop},
    {"timer_profile", do_timer_profile},
    {"timer_thread", do_timer_thread},
    {"timer_signal_", do_timer_signal},
    {"cpu_limit", do_cpu_limit},
    {"rename_exit", do_rename_exit},
    {"death_signal", do_death_signal},
    {NULL, NULL},
};
