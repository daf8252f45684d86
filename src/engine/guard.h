/* SPDX-License-Identifier: MIT
 *
 * When a component takes the process down: crashes, exit() and hangs inside a call are reported by
 * name and time, the record is brought to a readable end, and the process leaves with the right
 * status. For programs that own their process, such as the command line. */
#ifndef HK_ENGINE_GUARD_H
#define HK_ENGINE_GUARD_H

#include "base/ledger.h"
#include "engine/sim.h"

/* Called in a signal handler before the process ends; must be safe there. */
typedef void hk_guard_flush_fn(void *user);

typedef struct hk_guard_options {
    hk_guard_flush_fn *flush; /* NULL: nothing to bring to an end */
    void *user;
    /* Not NULL: is given what is to be reported instead of standard error; async-signal-safe. The
     * hint is "" if there is none. */
    void (*tell)(void *user, const char *text, const char *hint);
    void *tell_user;
    /* Above 0: a thread ends the process if it is still running after so many seconds (with one
     * more for the loop to end by itself). */
    double timeout_s;
    /* Above 0: the same thread ends the process if one call of a component takes so many seconds.
     */
    double watchdog_s;
    /* Above 0: its parent (src/parent) ends the process if it is stopped for so many seconds. With
     * `watchdog_s` it does so anyway. */
    double stopped_s;
    const char *process; /* what it is called then; NULL: the process of the run */
    /* Not NULL: the fault is reported as JSON, the diagnostic to standard error and the answer to
     * standard output: this text, an open object, to which the status and the exit are added. */
    const char *json_head;
    const bool *redrawn_line; /* true: an unfinished line of the terminal is to be cleared first */
    const char *program;      /* who speaks; NULL: hocket */
    /* Not NULL: writes into TEXT where in its source the component of the calling thread is, and
     * returns the length; async-signal-safe. Asked for a native component that crashes. */
    size_t (*place)(char *text, size_t size);
} hk_guard_options;

/* Watches every simulation of the process from now on. What the options point to must stay. What
 * components print to standard output goes to standard error from now on, so that the answer
 * is alone there. */
void hk_guard_install(const hk_guard_options *options);
void hk_guard_remove(void);
/* Between install and remove: true gives standard output back to the program, for its answer; false
 * sends what is printed there to standard error again. */
void hk_guard_standard_output(bool ours);
/* Async-signal-safe: where the answer goes, also while standard output is lent to components. */
int hk_guard_answers_to(void);
/* Opens standard error again if a component has closed it. */
void hk_guard_standard_error(void);
/* The rows that were begun are ended with the values that there are, if the process ends inside of
 * a call. In a handler of a signal. */
void hk_guard_rescue_rows(void);
/* In a handler of a signal: nobody waits for this process any more. Brings the record to a readable
 * end, removes what is temporary, and ends. */
_Noreturn void hk_guard_end_orphaned(void);
/* In a handler of a signal: the process was stopped until a limit of its time was over; says so, as
 * if it had seen that itself, and ends. */
_Noreturn void hk_guard_end_late(hk_ledger_late why);
/* Ends the process at once, without a word: what the system's _exit() does. */
_Noreturn void hk_guard_end(int status);
/* Async-signal-safe. "component 'wheel' (fmi2DoStep since 3 s)": the call in progress, and how long
 * the loop has been waiting for it, at most. Returns the length; 0: no call is in progress. */
size_t hk_guard_waits_for(char *text, size_t size);
/* Async-signal-safe. "t = 0.25 s, in component 'wheel' (fmi2DoStep since 3 s)": where the newest
 * simulation of the process is. Returns the length; 0: there is none. */
size_t hk_guard_where(char *text, size_t size);
/* The same, asked at any time by another thread than the one that makes the calls. Returns another
 * number for each call; 0: no call is in progress. Without a simulation the text is "". */
uint64_t hk_guard_look(char *text, size_t size);
/* For a program that owns its process: true when it begins, false when all is said and done. An
 * end of the process in between by exit(), from whatever thread, is reported, and is a failure. */
void hk_guard_program(bool runs);
/* For the program's own _exit(), which components call, too: does not return while a guard is
 * installed or the program runs. */
void hk_guard_exit(void);

#endif
