/* SPDX-License-Identifier: MIT */
#include "engine/guard.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/ledger.h"
#include "base/number.h"
#include "base/thread.h"
#include "engine/guard_message.h"
#include "engine/sim_parts.h"
#include "engine/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
    hk_guard_options options;
    bool installed, at_exit_set;
    bool program;    /* the process is the program's until it says otherwise */
    pid_t process;   /* a child that a component makes is none of ours */
    pthread_t owner; /* the thread that tells what threads of components do */
    int out, err;    /* standard output and error, kept while components live; -1: not there */
    hk_file_id out_id, err_id;
    bool lent; /* standard output is the components' */
} guard = {.out = -1, .err = -1};

/* SIGALRM: of a timer that a component has set; nobody else here uses any. */
static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPIPE};
enum {
    FATAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals,
    ALT_STACK_BYTES = 256 * 1024, /* the deepest folders of an archive are removed on it */
    LAST_WORDS_MS = 6000
};
static struct sigaction before[FATAL_COUNT];
static char alternate_stack[ALT_STACK_BYTES];
/* What a thread of a component has done: "called exit()", and the hint. */
static _Atomic(const char *) stray, stray_hint;
static void ended_by(const char *what, const char *hint);

/* The call in progress in this thread; a child that a component makes is in none of ours. */
static hk_call_place call_in_progress(void) {
    return getpid() == guard.process ? hk_watched_here() : (hk_call_place){0};
}

/* It is where it always is before the guard is installed, after it is removed, and if a component
 * has taken our descriptor. */
static int standard_error(void) {
    return hk_file_is(guard.err, guard.err_id) ? guard.err : STDERR_FILENO;
}

static void tell_text(const char *code, const char *what, const char *hint) {
    message m = {.size = 0};
    if (guard.options.redrawn_line && *guard.options.redrawn_line)
        add(&m, "\r\033[K");
    add(&m, guard.options.program ? guard.options.program : "hocket");
    add(&m, ": error[");
    add(&m, code);
    add(&m, "]: ");
    add_lines(&m, what);
    add(&m, "\n  hint: ");
    add(&m, hint);
    add(&m, "\n");
    put(&m, standard_error());
}

/* The diagnostic to standard error, the answer to standard output, one line each. */
static void tell_json(const char *code, int status, const char *name, const char *what,
                      const char *hint) {
    message m = {.size = 0};
    char number[HK_NUMBER_MAX + 1];
    add(&m, "{\"severity\":\"error\",\"code\":\"");
    add(&m, code);
    add(&m, "\",\"file\":null,\"element\":");
    if (name)
        add_quoted(&m, name);
    else
        add(&m, "null");
    add(&m, ",\"text\":");
    add_quoted(&m, what);
    add(&m, ",\"hint\":");
    add_quoted(&m, hint);
    add(&m, "}\n");
    put(&m, standard_error());
    m.size = 0;
    add(&m, guard.options.json_head);
    add(&m, ",\"status\":\"");
    add(&m, code);
    add(&m, "\",\"exit\":");
    number[hk_write_f64(status, number)] = '\0';
    add(&m, number);
    add(&m, "}\n");
    put(&m, guard.out);
}

/* "component 'wheel'"; if there are several simulations also of which. */
static void add_component(message *m, hk_call_place p) {
    char number[HK_NUMBER_MAX + 1];
    add(m, "component '");
    add(m, p.sim->model->components[p.at->component].name);
    add(m, "'");
    if (!hk_watched_several())
        return;
    number[hk_write_u64(p.sim->safety.serial, number)] = '\0';
    add(m, " of simulation ");
    add(m, number);
    add(m, " ('");
    add(m, p.sim->model->name);
    add(m, "')");
}

/* " in fmi2DoStep at t = 0.25 s". */
static void add_place(message *m, hk_call_place p) {
    char number[HK_NUMBER_MAX + 1];
    number[hk_write_f64(p.sim->time.seconds, number)] = '\0';
    const char *calling = p.sim->safety.calling;
    if (p.at) {
        add(m, " in ");
        add(m, calling ? calling : p.at->name);
    }
    add(m, " at t = ");
    add(m, number);
    add(m, " s");
    clean(m);
}

static bool is_native(hk_call_place p) {
    return p.sim->model->components[p.at->component].info->can.fmi == 0;
}

/* " (deep, pump.c:12)": of a component whose author is here. */
static void add_source(message *m, hk_call_place p) {
    char source[256];
    if (!guard.options.place || !is_native(p) || !guard.options.place(source, sizeof source))
        return;
    add(m, " (");
    add(m, source);
    add(m, ")");
    m->text[m->size] = '\0';
}

/* "component 'wheel': crashed in fmi2DoStep at t = 0.25 s". */
static void describe(message *m, hk_call_place p, const char *what) {
    add_component(m, p);
    add(m, ": ");
    add(m, what);
    add_place(m, p);
    const hk_sim_instance *all = p.sim->slots.instances;
    const char *said = all ? all[p.at->component].said : NULL;
    if (said && *said) {
        add(m, strchr(said, '\n') ? "; it said:\n" : "; it said: ");
        add(m, said);
        m->text[m->size] = '\0';
    }
}

/* "a thread of a component called exit() while component 'wheel' was in fmi2DoStep at t = 0.25 s":
 * whose thread it is cannot be told. */
static void describe_stray(message *m, const char *what) {
    hk_call_place p = hk_watched_any();
    add(m, "a thread of a component ");
    add(m, what);
    if (p.at) {
        add(m, " while ");
        add_component(m, p);
        add(m, " was");
    } else {
        add(m, p.sim ? ", between two calls," : " before hocket was done");
    }
    m->text[m->size] = '\0';
    if (p.sim)
        add_place(m, p);
}

/* "component 'wheel' (fmi2DoStep since 3 s)". */
static void add_waits(message *m, hk_call_place p) {
    char number[HK_NUMBER_MAX + 1];
    const char *calling = p.sim->safety.calling;
    int64_t polled = p.sim->profile.wall_polled;
    int64_t waits_s = (hk_clock_ns() - polled) / 1000000000;
    add_component(m, p);
    add(m, " (");
    add(m, calling ? calling : p.at->name);
    if (polled && waits_s > 0) {
        number[hk_write_f64((double)waits_s, number)] = '\0';
        add(m, " since ");
        add(m, number);
        add(m, " s");
    }
    add(m, ")");
}

static size_t take_text(message *m, char *text, size_t size) {
    clean(m);
    size_t length = m->size < size ? m->size : size - 1;
    memcpy(text, m->text, length);
    text[length] = '\0';
    return length;
}

size_t hk_guard_waits_for(char *text, size_t size) {
    HK_ASSERT(text && size);
    hk_call_place p = hk_watched_any();
    message m = {.size = 0};
    if (!p.at)
        return 0;
    add_waits(&m, p);
    return take_text(&m, text, size);
}

/* "t = 0.25 s, in component 'wheel' (fmi2DoStep since 3 s)". */
static void add_where(message *m, hk_call_place p) {
    char number[HK_NUMBER_MAX + 1];
    number[hk_write_f64(p.sim->time.seconds, number)] = '\0';
    add(m, "t = ");
    add(m, number);
    add(m, p.at ? " s, in " : " s, between two calls");
    if (p.at)
        add_waits(m, p);
}

size_t hk_guard_where(char *text, size_t size) {
    HK_ASSERT(text && size);
    hk_call_place p = hk_watched_any();
    message m = {.size = 0};
    if (!p.sim)
        return 0;
    add_where(&m, p);
    return take_text(&m, text, size);
}

uint64_t hk_guard_look(char *text, size_t size) {
    HK_ASSERT(text && size);
    hk_call_place p;
    hk_op what;
    message m = {.size = 0};
    hk_watched_hold();
    uint64_t call = hk_watched_call(&p, &what);
    if (p.sim)
        add_where(&m, p);
    hk_watched_release();
    (void)take_text(&m, text, size);
    return call;
}

void hk_guard_end(int status) {
    hk_ledger_told(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

static void wait_ms(int64_t ms) {
    int64_t until = hk_clock_ns() + ms * 1000000;
    while (hk_clock_ns() < until)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

void hk_guard_rescue_rows(void) {
    for (hk_sim *sim = hk_watched_first(); sim; sim = sim->safety.next_watched)
        if (sim->threads.self.at) /* the thread that writes rows is in a call, too */
            hk_rows_rescue(sim);
}

/* The record is brought to a readable end, and nothing temporary is left. A fault on the way is the
 * last one. */
static void rescue_files(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&done))
        return;
    hk_guard_rescue_rows();
    if (guard.options.flush)
        guard.options.flush(guard.options.user);
    hk_folder_remove_temporary();
}

void hk_guard_end_orphaned(void) {
    rescue_files();
    hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
}

/* One thread has the last words; the others wait until it has ended the process. False: it was this
 * one already, and has come to a fault on its way out. */
static bool may_leave(void) {
    static atomic_flag leaving = ATOMIC_FLAG_INIT;
    static _Thread_local bool is_leaving;
    bool first = !atomic_flag_test_and_set(&leaving);
    if (!first && !is_leaving) /* another thread speaks already; it needs 4 s at most */
        wait_ms(LAST_WORDS_MS);
    is_leaving = is_leaving || first;
    return first;
}

/* The last words: what happened is reported, the record is brought to a readable end, and nothing
 * temporary is left. Without a call WHAT is the whole story. */
_Noreturn static void leave(hk_status code, hk_call_place p, const char *what, const char *hint) {
    char number[] = "HK0000";
    int status = hk_status_exit(code);
    if (!may_leave())
        hk_guard_end(status);
    hk_ledger_ending();
    for (int i = 5, rest = (int)code; i >= 2; i--, rest /= 10)
        number[i] = (char)('0' + rest % 10);
    message story = {.size = 0};
    const char *name = p.at ? p.sim->model->components[p.at->component].name : NULL;
    if (p.at)
        describe(&story, p, what);
    if (p.at && code == HK_E_UNIT_CRASHED)
        add_source(&story, p);
    if (guard.options.tell)
        guard.options.tell(guard.options.tell_user, p.at ? story.text : what, hint ? hint : "");
    else if (guard.options.json_head)
        tell_json(number, status, name, p.at ? story.text : what, hint);
    else
        tell_text(number, p.at ? story.text : what, hint);
    hk_ledger_said(status);
    rescue_files();
    hk_guard_end(status);
}

static void leave_stray(void) {
    message m = {.size = 0};
    describe_stray(&m, stray);
    leave(HK_E_UNIT_CRASHED, (hk_call_place){0}, m.text, stray_hint);
}

static void on_stray(int number) {
    (void)number;
    leave_stray();
}

/* A fault outside of every call, while components live. In a thread of one of them it is told as
 * theirs. In our own code one of them may have damaged our memory: the process dies of it as ever,
 * and its parent says so. */
static void on_fault_of_nobody(int number) {
    bool ours = hk_thread_is_ours() || pthread_equal(pthread_self(), guard.owner);
    if (number == SIGPIPE || !hk_watched_first() || getpid() != guard.process)
        return;
    if (!ours)
        ended_by(hk_signal_words(number), "the fault is in a component");
    (void)may_leave(); /* else it would end the process within the last words of another thread */
    rescue_files();
}

static void on_fatal(int number) {
    hk_call_place p = call_in_progress();
    if (p.at && number == SIGPIPE)
        return; /* the one who writes is told by write(), too */
    if (p.at)
        leave(HK_E_UNIT_CRASHED, p, hk_signal_words(number),
              is_native(p)
                  ? "the fault is in the component"
                  : "the fault is in the component; --fmi-logging shows what it said before");
    if (number == SIGALRM && !hk_watched_first())
        return; /* a timer that has outlived its component: nothing waits for it */
    if (number == SIGALRM && getpid() == guard.process)
        leave(HK_E_UNIT_CRASHED, (hk_call_place){0},
              "a timer that a component has set ended the run (SIGALRM)",
              "the fault is in the component");
    on_fault_of_nobody(number);
    for (int i = 0; i < FATAL_COUNT; i++)
        if (fatal_signals[i] == number)
            sigaction(number, &before[i], NULL);
    raise(number);
}

/* Somebody ends the process while the program is not done. A thread of a component cannot tell of
 * it itself, since all others go on meanwhile: the guard's own thread does, from a handler. */
static void ended_by(const char *what, const char *hint) {
    if (!(guard.installed || guard.program) || getpid() != guard.process)
        return;
    hk_call_place p = call_in_progress();
    if (p.at)
        leave(HK_E_UNIT_CRASHED, p, what, hint);
    stray_hint = hint;
    stray = what;
    if (!pthread_equal(pthread_self(), guard.owner)) {
        struct sigaction action = {.sa_handler = on_stray, .sa_flags = SA_ONSTACK};
        sigfillset(&action.sa_mask);
        sigaction(SIGABRT, &action, NULL);
        pthread_kill(guard.owner, SIGABRT);
        wait_ms(LAST_WORDS_MS); /* beyond that: a component has blocked the signal there */
    }
    leave_stray();
}

static const char end_hint[] = "a component must report its failure instead of ending the program";

static void on_exit_call(void) {
    ended_by("called exit()", end_hint);
}

void hk_guard_exit(void) {
    ended_by("called _exit()", end_hint);
}

void hk_guard_leave(hk_status code, hk_call_place p, const char *what, const char *hint) {
    leave(code, p, what, hint);
}

void hk_guard_standard_error(void) {
    if (guard.installed && hk_file_is(guard.err, guard.err_id) && fcntl(STDERR_FILENO, F_GETFD) < 0)
        dup2(guard.err, STDERR_FILENO);
}

void hk_guard_standard_output(bool ours) {
    if (guard.out < 0 || guard.err < 0 || guard.lent != ours)
        return;
    fflush(stdout); /* what is in the buffer belongs to whom it was lent to until now */
    if (ours)
        hk_guard_standard_error();
    if (ours && !hk_file_is(guard.out, guard.out_id))
        close(STDOUT_FILENO); /* taken by a component: better none than his, and writing fails */
    else
        dup2(ours ? guard.out : guard.err, STDOUT_FILENO);
    guard.lent = !ours;
}

int hk_guard_answers_to(void) {
    return guard.out >= 0 && hk_file_is(guard.out, guard.out_id) ? guard.out : STDOUT_FILENO;
}

static void own_process(void) {
    guard.process = getpid();
    guard.owner = pthread_self();
    if (!guard.at_exit_set)
        guard.at_exit_set = atexit(on_exit_call) == 0 && at_quick_exit(on_exit_call) == 0;
}

void hk_guard_program(bool runs) {
    if (runs)
        own_process();
    guard.program = runs;
}

void hk_guard_install(const hk_guard_options *options) {
    HK_ASSERT(options);
    enum { PRIVATE_FD = 10 }; /* out of the way of those who close what they did not open */
    guard.options = *options;
    guard.installed = true;
    hk_ledger_guarded(true);
    own_process();
    guard.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, PRIVATE_FD);
    guard.err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, PRIVATE_FD);
    guard.out_id = hk_file_identify(guard.out);
    guard.err_id = hk_file_identify(guard.err);
    hk_guard_standard_output(false);
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_COUNT; i++)
        sigaction(fatal_signals[i], &action, &before[i]);
    hk_guard_watch_start(options);
}

void hk_guard_remove(void) {
    if (!guard.installed)
        return;
    hk_guard_standard_output(true);
    hk_guard_standard_error();
    if (hk_file_is(guard.out, guard.out_id))
        close(guard.out);
    if (hk_file_is(guard.err, guard.err_id))
        close(guard.err);
    guard.options = (hk_guard_options){0};
    guard.out = guard.err = -1;
    guard.installed = false;
    hk_ledger_guarded(false);
    for (int i = 0; i < FATAL_COUNT; i++)
        if (fatal_signals[i] != SIGALRM) /* a timer of a component may have outlived it */
            sigaction(fatal_signals[i], &before[i], NULL);
    hk_guard_watch_end();
}
