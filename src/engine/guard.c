/* SPDX-License-Identifier: MIT */
#include "engine/guard.h"

#include "base/clock.h"
#include "base/number.h"
#include "engine/sim_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic(hk_sim *) watched; /* the simulation whose calls are in progress */

static struct {
    hk_guard_flush_fn *flush;
    void *user;
    bool installed, at_exit_set;
    double timeout_s;
    int64_t deadline_ns;
    pthread_t watchdog;
    bool watchdog_runs;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool ended;
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals, ALT_STACK_BYTES = 64 * 1024 };
static struct sigaction before[FATAL_COUNT];
static char alternate_stack[ALT_STACK_BYTES];

void hk_sim_watch(hk_sim *sim) {
    watched = sim;
}

void hk_sim_unwatch(hk_sim *sim) {
    if (watched == sim)
        watched = NULL;
}

static void say(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

/* Only what a signal handler may do: write(2), and functions of ours without memory. */
static void tell(const char *code, const op *at, const char *what) {
    char number[HK_NUMBER_MAX + 1];
    hk_sim *sim = watched;
    say("hocket: error[");
    say(code);
    say("]: component '");
    say(sim->model->components[at->component].name);
    say("': ");
    say(what);
    say(" in ");
    say(at->name);
    say(" at t = ");
    number[hk_write_f64(sim->seconds, number)] = '\0';
    say(number);
    say(" s\n");
}

static const op *call_in_progress(void) {
    return watched ? watched->at : NULL;
}

static void flush_record(void) {
    if (guard.flush)
        guard.flush(guard.user);
}

static const char *signal_text(int number) {
    switch (number) {
    case SIGSEGV:
        return "crashed (invalid memory access)";
    case SIGBUS:
        return "crashed (bus error)";
    case SIGFPE:
        return "crashed (arithmetic exception)";
    case SIGILL:
        return "crashed (illegal instruction)";
    default:
        return "aborted";
    }
}

static void on_fatal(int number) {
    const op *at = call_in_progress();
    if (at) {
        tell("HK0506", at, signal_text(number));
        flush_record();
        _exit(4);
    }
    for (int i = 0; i < FATAL_COUNT; i++)
        if (fatal_signals[i] == number)
            sigaction(number, &before[i], NULL);
    raise(number);
}

static void on_exit_call(void) {
    const op *at = call_in_progress();
    if (!guard.installed || !at)
        return;
    tell("HK0506", at, "called exit()");
    flush_record();
    _exit(4);
}

static void *watch_the_clock(void *unused) {
    (void)unused;
    struct timespec until = {guard.deadline_ns / 1000000000, guard.deadline_ns % 1000000000};
    pthread_mutex_lock(&guard.lock);
    int result = 0;
    while (!guard.ended && result == 0)
        result = pthread_cond_timedwait(&guard.wake, &guard.lock, &until);
    bool late = !guard.ended;
    pthread_mutex_unlock(&guard.lock);
    if (late) {
        const op *at = call_in_progress();
        if (at)
            tell("HK0507", at, "did not return in time");
        else
            say("hocket: error[HK0507]: the time limit has passed\n");
        flush_record();
        _exit(124);
    }
    return NULL;
}

static void start_watchdog(double timeout_s) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&guard.wake, &attributes);
    pthread_condattr_destroy(&attributes);
    guard.ended = false;
    guard.deadline_ns = hk_clock_ns() + (int64_t)((timeout_s + 1) * 1e9);
    guard.watchdog_runs = pthread_create(&guard.watchdog, NULL, watch_the_clock, NULL) == 0;
}

void hk_guard_install(hk_guard_flush_fn *flush, void *user, double timeout_s) {
    guard.flush = flush;
    guard.user = user;
    guard.installed = true;
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_COUNT; i++)
        sigaction(fatal_signals[i], &action, &before[i]);
    if (!guard.at_exit_set)
        guard.at_exit_set = atexit(on_exit_call) == 0;
    if (timeout_s > 0)
        start_watchdog(timeout_s);
}

void hk_guard_remove(void) {
    if (!guard.installed)
        return;
    guard.installed = false;
    for (int i = 0; i < FATAL_COUNT; i++)
        sigaction(fatal_signals[i], &before[i], NULL);
    if (guard.watchdog_runs) {
        pthread_mutex_lock(&guard.lock);
        guard.ended = true;
        pthread_cond_signal(&guard.wake);
        pthread_mutex_unlock(&guard.lock);
        pthread_join(guard.watchdog, NULL);
        pthread_cond_destroy(&guard.wake);
        guard.watchdog_runs = false;
    }
}
