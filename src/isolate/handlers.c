/* SPDX-License-Identifier: MIT
 *
 * What signals do in the process of an isolated component. */
#include "isolate/isolate_internal.h"

#include <signal.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static bool is_fatal(int number) {
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (fatal[i] == number)
            return true;
    return false;
}

/* Handlers of the parent would speak of its components. Who presses Ctrl-C means the parent, which
 * decides what becomes of its children. */
void hk_iso_take_signals(void (*on_fatal)(int number)) {
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE};
    static const int plain[] = {SIGALRM, SIGCHLD, SIGXCPU, SIGURG};
    struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGRTMIN, SIG_IGN); /* it says that the parent of the parent has gone */
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        signal(plain[i], SIG_DFL);
}

/* What a component has for crashes stays: it may see its own until the end. */
void hk_iso_forget_handlers(void) {
    struct sigaction now;
    for (int number = 1; number <= SIGRTMAX; number++)
        if (!is_fatal(number) && sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_DFL)
            signal(number, SIG_IGN);
}
