/* SPDX-License-Identifier: MIT
 *
 * What belongs to the whole process, or to the calling thread, and what a stranger's code may
 * change without being asked: looked at before a visit, put back after it. A look costs a few
 * microseconds: for the calls around a run, not for the loop. */
#ifndef HK_BASE_HOST_H
#define HK_BASE_HOST_H

#include <hk/base.h>

#include <locale.h>
#include <signal.h>
#include <sys/stat.h>

enum { HK_HOST_SIGNALS = 16, HK_HOST_LOCALE_MAX = 256 };

/* Kinds of change, as bits. */
enum {
    HK_HOST_FPENV = 1 << 0,
    HK_HOST_LOCALE = 1 << 1, /* of numbers; interpreters choose the one of characters for all */
    HK_HOST_SIGNAL = 1 << 2, /* handlers, the mask and the stack of signals, a timer */
    HK_HOST_FOLDER = 1 << 3,
    HK_HOST_UMASK = 1 << 4,
    HK_HOST_LOST = 1 << 5 /* the folder cannot be reached any more */
};

typedef struct hk_host {
    uint64_t fpenv;
    locale_t thread_locale;
    char locale[HK_HOST_LOCALE_MAX]; /* "": its name is too long to be kept */
    char numbers[HK_HOST_LOCALE_MAX];
    struct sigaction handlers[HK_HOST_SIGNALS];
    sigset_t mask;
    stack_t signal_stack;
    bool timer;
    mode_t umask;
    int folder; /* an open descriptor; -1: could not be had */
    dev_t folder_device;
    ino_t folder_node;
} hk_host;

/* Must be followed by hk_host_forget. */
void hk_host_look(hk_host *host);
/* The components go, and with them the function that one has for its timer: it rings no more.
 * hk_host_restore tells of it. */
void hk_host_stop_timer(const hk_host *host);
/* Puts everything back and returns what had changed. FAULTS: the handlers of crashes too. While
 * components live they keep those: some runtimes need to see their own faults. */
unsigned hk_host_restore(const hk_host *host, bool faults);
void hk_host_forget(hk_host *host);
/* Gives HOST the handlers of crashes that an earlier look has found. */
void hk_host_take_faults(hk_host *host, const hk_host *earlier);

/* The kinds of change in words, floating point aside: "the locale and the working directory". */
const char *hk_host_text(unsigned changes, char *buffer, size_t room);

#endif
