/* SPDX-License-Identifier: MIT
 *
 * Runs in processes, a fresh one for each: it is forked from this one, in which there never is an
 * instance, so that no run finds what another has left in static variables of a component, and who
 * plays what does not matter. Each sends its result through a pipe; this process tells them in the
 * order of their numbers. A component that takes its process down ends its own run only. */
#include "play/play_internal.h"

#include "base/child.h"
#include "base/claims.h"
#include "base/clock.h"
#include "base/file.h"
#include "engine/guard.h"
#include "engine/remains.h"
#include "native/crash_place.h"
#include "nodes/watch.h"
#include "record/about.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct worker {
    pid_t pid;
    int fd;     /* -1: none is running */
    size_t run; /* that it plays */
    hk_buffer got;
    const char *last_words;                  /* of a run that took its process down; NULL: none */
    int64_t began_ns, looked_ns, stopped_ns; /* how long it has been stopped by now */
    bool stopped, late;                      /* it was stopped for too long, and ended */
} worker;

/* What comes through the pipe: a size and as many bytes, of a result, of last words, or of who a
 * run that was interrupted waits for. */
static const uint64_t LAST_WORDS = UINT64_C(1) << 63, WAITS = UINT64_C(1) << 62;

/* Asks a worker who it waits for. The signal is one that is ignored where nobody handles it. */
enum { ASK = SIGURG };
static int ask_fd = -1; /* of a worker: where the answer goes */

typedef struct crew {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_stage *stage;
    const hk_run_key *keys;
    size_t count;
    size_t components;
    worker *workers;
    unsigned size;
    size_t next; /* the run to be played next */
    hk_play_run *runs;
    hk_ctx **said; /* by run, until it is told */
    bool *there;
    bool hopeless;    /* no run can begin */
    int64_t asked_ns; /* when workers are asked next who they wait for; 0: nobody interrupts */
    bool heard_of;    /* one has answered */
    size_t told;
    volatile double *parts; /* by run: how far it has come; shared with the workers; NULL: none */
    hk_run_told_fn *tell;
    hk_run_watch_fn *watch;
    void *user;
} crew;

/* For handlers of signals: those who play, and what this process plays. */
static crew *volatile at_work;
static const char *volatile run_name;

bool hk_play_pass_on(int number) {
    const crew *c = at_work;
    for (unsigned i = 0; c && i < c->size; i++)
        if (c->workers[i].fd >= 0 && c->workers[i].pid > 0)
            (void)kill(c->workers[i].pid, number);
    return c;
}

const char *hk_play_run_name(void) {
    return run_name;
}

static bool send_all(int fd, const char *data, size_t size) {
    while (size) {
        ssize_t sent = write(fd, data, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool send_message(int fd, uint64_t kind, const char *data, size_t size) {
    uint64_t head = size | kind;
    return send_all(fd, (const char *)&head, sizeof head) && send_all(fd, data, size);
}

/* Async-signal-safe. */
static void send_last_words(void *user, const char *text, const char *hint) {
    (void)hint; /* the one who reads it says how to play the run alone */
    const int *fd = user;
    (void)send_message(*fd, LAST_WORDS, text, strlen(text));
}

/* The one that reports is gone, and a call may never return. */
static void on_orphaned(int number) {
    (void)number;
    hk_watch_end_nodes();
    hk_folder_remove_temporary();
    hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
}

/* Workers do not outlive the process that started them. */
static void end_with(pid_t parent) {
    struct sigaction action = {.sa_handler = on_orphaned};
    sigemptyset(&action.sa_mask);
    sigaction(SIGRTMIN, &action, NULL);
    prctl(PR_SET_PDEATHSIG, SIGRTMIN);
    if (getppid() != parent)
        on_orphaned(SIGRTMIN);
}

/* While no call is in progress the worker goes on by itself; nothing else is sent meanwhile. */
static void answer(int number) {
    char who[512];
    (void)number;
    size_t size = hk_guard_waits_for(who, sizeof who);
    if (size)
        (void)send_message(ask_fd, WAITS, who, size);
}

static void answer_when_asked(int fd) {
    struct sigaction action = {.sa_handler = answer, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    ask_fd = fd;
    sigaction(ASK, &action, NULL);
}

/* What a worker does; its process ends after it. The process is ours, so that what takes it down
 * can be told by name, if the program wants that for itself. */
static void work(const crew *c, size_t number, int fd) {
    const hk_play_options *o = c->stage->options;
    hk_arena *arena = hk_arena_create();
    hk_ctx *said = hk_ctx_create(NULL, NULL);
    hk_claim_share(said, c->ctx);
    hk_buffer message = {0};
    hk_play_run run;
    hk_guard_options guard = {.flush = hk_play_flush_from_signal,
                              .user = o->live,
                              .tell = send_last_words,
                              .tell_user = &fd,
                              .timeout_s = o->timeout_s,
                              .watchdog_s = c->stage->made->request->nodes ? 0 : o->watchdog_s,
                              .place = hk_crash_place};
    const hk_run_key *key = &c->keys[number];
    at_work = NULL; /* that is the other process */
    run_name =
        hk_arena_printf(arena, "scenario '%s', run %lld",
                        c->stage->scenes[key->scenario].scenario->name, (long long)key->index);
    hk_folder_forget_temporary(); /* those are not ours */
    c->stage->part = c->parts ? &c->parts[number] : NULL;
    if (o->live)
        hk_guard_install(&guard);
    answer_when_asked(fd);
    hk_run_play(said, arena, c->stage, c->keys[number], &run);
    if (o->live)
        hk_guard_remove();
    hk_folder_remove_temporary(); /* what is unpacked for this run */
    hk_result_write(&message, &run, c->components, said);
    (void)send_message(fd, 0, message.data, message.size); /* if nobody reads, nobody asks */
    hk_free(message.data);
    hk_ctx_destroy(said);
    run_name = NULL;
    hk_arena_destroy(arena);
}

/* Lets the worker play the next run, if there is one. */
static hk_status start_worker(crew *c, worker *w) {
    pid_t parent = getpid(), pid = 0;
    int fd = -1;
    if (c->next >= c->count || c->hopeless || hk_stage_interrupted(c->stage))
        return HK_OK;
    int problem = hk_child_fork(&pid, &fd);
    if (problem)
        return hk_error(c->ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer workers",
                        "no worker could be started: %s", strerror(problem));
    if (pid == 0) {
        end_with(parent);
        work(c, c->next, fd);
        (void)fflush(NULL); /* what components have printed */
        hk_guard_end(0);
    }
    *w = (worker){.pid = pid, .fd = fd, .run = c->next++, .got = w->got, .began_ns = hk_clock_ns()};
    w->got.size = 0;
    return HK_OK;
}

static void tell_ready(crew *c) {
    for (; c->told < c->count && c->there[c->told]; c->told++) {
        c->tell(c->user, c->told, &c->runs[c->told], c->said[c->told]);
        hk_ctx_destroy(c->said[c->told]);
        c->said[c->told] = NULL;
    }
}

/* Of processes that were started by hand, one is gone: the next run would wait for it. */
static bool is_left_alone(const crew *c, hk_status status) {
    return c->stage->made->request->meet.place &&
           (status == HK_E_INTERRUPTED || status == HK_E_NODE_LOST || status == HK_E_MEETING);
}

static void take(crew *c, const worker *w, const char *data, size_t size) {
    hk_ctx *said = hk_ctx_create(NULL, NULL);
    size_t i = w->run;
    if (!hk_result_read(c->arena, data, size, c->components, &c->runs[i], said)) {
        c->runs[i].status = hk_error(said, HK_E_INTERNAL, HK_NOWHERE, NULL,
                                     "the result of a run could not be read");
    }
    c->said[i] = said;
    c->there[i] = true;
    c->hopeless =
        c->hopeless || hk_run_hopeless(c->runs[i].status) || is_left_alone(c, c->runs[i].status);
    if (c->parts && c->runs[i].status != HK_E_INTERRUPTED)
        c->parts[i] = 1;
}

/* The first that answers is enough. */
static void pass_on_wait(crew *c, const worker *w, const char *who, size_t size) {
    const hk_play_options *o = c->stage->options;
    const hk_run_key *key = &c->keys[w->run];
    if (c->heard_of || !o->waits)
        return;
    c->heard_of = true;
    o->waits(o->waits_user, hk_arena_printf(c->arena, "%.*s of scenario '%s', run %lld", (int)size,
                                            who, c->stage->scenes[key->scenario].scenario->name,
                                            (long long)key->index));
}

/* Takes the first message that has come, if it is whole; false: it is not. */
static bool take_first(crew *c, worker *w) {
    uint64_t head;
    if (w->got.size < sizeof head || c->there[w->run] || w->last_words)
        return false;
    memcpy(&head, w->got.data, sizeof head);
    const char *data = w->got.data + sizeof head;
    size_t size = head & ~(LAST_WORDS | WAITS);
    if (w->got.size - sizeof head < size)
        return false;
    if (head & LAST_WORDS)
        w->last_words = hk_arena_strndup(c->arena, data, size);
    else if (head & WAITS)
        pass_on_wait(c, w, data, size);
    else
        take(c, w, data, size);
    w->got.size -= sizeof head + size;
    memmove(w->got.data, data + size, w->got.size);
    return true;
}

/* The worker is gone while its run was under way. */
static void lose_run(crew *c, const worker *w, int how) {
    size_t i = w->run;
    hk_ctx *said = hk_ctx_create(NULL, NULL);
    const hk_scenario *s = c->stage->scenes[c->keys[i].scenario].scenario;
    hk_play_run run = {.scenario = hk_arena_strdup(c->arena, s->name), .index = c->keys[i].index};
    run.activations = HK_NEW_ARRAY(c->arena, uint64_t, c->components + 1);
    bool timeout = WIFEXITED(how) && WEXITSTATUS(how) == hk_status_exit(HK_E_UNIT_HUNG);
    run.status = timeout || w->late ? HK_E_UNIT_HUNG : HK_E_UNIT_CRASHED;
    const char *why = w->last_words;
    char where[1024];
    if (!why && w->late)
        why = "the process of the run was stopped for too long (SIGSTOP)";
    else if (!why)
        why = hk_arena_printf(c->arena, "the process of the run ended (%s %d)",
                              WIFSIGNALED(how) ? "signal" : "exit status",
                              WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
    if (!w->last_words && hk_remains_describe(w->pid, where, sizeof where))
        why = hk_arena_printf(c->arena, "%s %s", why, where);
    hk_about_cut_off_of(w->pid, "failed: cut off");
    (void)hk_error(said, run.status, s->where, "--run plays this run alone",
                   "scenario '%s', run %lld: %s", s->name, (long long)run.index, why);
    c->runs[i] = run;
    c->said[i] = said;
    c->there[i] = true;
    if (c->parts)
        c->parts[i] = 1;
}

static hk_status end_worker(crew *c, worker *w) {
    int how = 0;
    close(w->fd);
    w->fd = -1;
    while (waitpid(w->pid, &how, 0) < 0 && errno == EINTR)
        continue;
    if (!c->there[w->run] && !hk_stage_interrupted(c->stage))
        lose_run(c, w, how);
    return start_worker(c, w);
}

static hk_status receive(crew *c, worker *w) {
    enum { PIECE = 65536 };
    if (w->got.cap - w->got.size < PIECE) {
        w->got.cap = 2 * (w->got.size + PIECE);
        w->got.data = hk_realloc(w->got.data, w->got.cap);
    }
    ssize_t got = read(w->fd, w->got.data + w->got.size, PIECE);
    if (got < 0 && errno == EINTR)
        return HK_OK;
    if (got <= 0)
        return end_worker(c, w);
    w->got.size += (size_t)got;
    while (take_first(c, w))
        continue;
    return c->there[w->run] ? end_worker(c, w) : HK_OK;
}

/* A worker keeps its limits of time itself, unless it is stopped. Time while this process is
 * stopped as well does not count. */
static void look_at_stop(const crew *c, worker *w) {
    static const int64_t most_ns = INT64_C(400000000);
    const hk_play_options *o = c->stage->options;
    siginfo_t info = {0};
    int64_t now = hk_clock_ns();
    if (waitid(P_PID, (id_t)w->pid, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid) {
        w->stopped = info.si_code == CLD_STOPPED;
        w->stopped_ns = 0;
        w->looked_ns = now;
    }
    if (!w->stopped || w->late)
        return;
    int64_t passed = now - w->looked_ns;
    w->stopped_ns += passed < most_ns ? passed : most_ns;
    w->looked_ns = now;
    double stopped_s = (double)w->stopped_ns * 1e-9, whole_s = (double)(now - w->began_ns) * 1e-9;
    w->late = (o->watchdog_s > 0 && stopped_s > o->watchdog_s) ||
              (o->timeout_s > 0 && whole_s > o->timeout_s + 1 && stopped_s > 0.3);
    if (w->late)
        (void)kill(w->pid, SIGKILL);
}

static void look_at_stops(crew *c) {
    const hk_play_options *o = c->stage->options;
    for (unsigned i = 0; (o->watchdog_s > 0 || o->timeout_s > 0) && i < c->size; i++)
        if (c->workers[i].fd >= 0)
            look_at_stop(c, &c->workers[i]);
}

static void watch(const crew *c) {
    double runs = 0;
    for (size_t i = 0; c->parts && i < c->count; i++)
        runs += c->parts[i];
    if (c->parts)
        c->watch(c->user, runs);
}

static void *share(size_t size) {
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

/* A second after an interrupt, and every second from then on. */
static void ask_who_waits(crew *c) {
    enum { SECOND_NS = 1000000000 };
    int64_t now = hk_clock_ns();
    if (c->asked_ns && now >= c->asked_ns)
        for (unsigned i = 0; i < c->size; i++)
            if (c->workers[i].fd >= 0)
                (void)kill(c->workers[i].pid, ASK);
    if (!c->asked_ns || now >= c->asked_ns)
        c->asked_ns = now + SECOND_NS;
}

static hk_status serve(crew *c) {
    enum { LOOK_MS = 200 };
    struct pollfd *waits = hk_alloc(c->size * sizeof *waits);
    hk_status status = HK_OK;
    for (;;) {
        unsigned running = 0;
        for (unsigned i = 0; i < c->size; i++) {
            waits[i] = (struct pollfd){.fd = c->workers[i].fd, .events = POLLIN};
            running += c->workers[i].fd >= 0;
        }
        if (!running || status != HK_OK)
            break;
        int ready = poll(waits, c->size, LOOK_MS);
        look_at_stops(c);
        if (c->stage->stop && hk_stage_interrupted(c->stage))
            *c->stage->stop = 1;
        if (hk_stage_interrupted(c->stage) && !c->heard_of)
            ask_who_waits(c);
        if (ready < 0)
            continue; /* a signal */
        for (unsigned i = 0; i < c->size && status == HK_OK; i++)
            if (waits[i].fd >= 0 && waits[i].revents)
                status = receive(c, &c->workers[i]);
        tell_ready(c);
        watch(c);
    }
    hk_free(waits);
    return status;
}

hk_status hk_workers_play(hk_ctx *ctx, hk_arena *arena, hk_stage *stage, unsigned workers,
                          const hk_play_order *order) {
    HK_ASSERT(ctx && arena && stage && order);
    HK_ASSERT(order->keys && order->runs && order->told);
    size_t count = order->count;
    unsigned size = workers < count ? workers : (unsigned)count;
    crew c = {.ctx = ctx,
              .arena = arena,
              .stage = stage,
              .keys = order->keys,
              .count = count,
              .components = stage->simulation->model->component_count,
              .size = size,
              .runs = order->runs,
              .tell = order->told,
              .watch = order->watch,
              .user = order->user};
    c.workers = hk_alloc((size + 1) * sizeof *c.workers);
    c.said = hk_alloc((count + 1) * sizeof(hk_ctx *));
    c.there = hk_alloc(count + 1);
    void *stop = share(sizeof *stage->stop), *parts = share(count * sizeof *c.parts);
    stage->stop = stop; /* NULL: then each gets its own signal only */
    c.parts = parts;
    hk_status status = HK_OK;
    for (unsigned i = 0; i < size; i++)
        c.workers[i].fd = -1;
    at_work = &c;
    for (unsigned i = 0; i < size; i++) {
        if (status == HK_OK)
            status = start_worker(&c, &c.workers[i]);
    }
    if (status == HK_OK)
        status = serve(&c);
    at_work = NULL;
    for (unsigned i = 0; i < size; i++) {
        if (c.workers[i].fd >= 0) {
            close(c.workers[i].fd); /* its next message fails, and it ends */
            while (waitpid(c.workers[i].pid, NULL, 0) < 0 && errno == EINTR)
                continue;
        }
        hk_free(c.workers[i].got.data);
    }
    for (size_t i = 0; i < count; i++)
        hk_ctx_destroy(c.said[i]);
    if (stop)
        munmap(stop, sizeof *stage->stop);
    if (parts)
        munmap(parts, count * sizeof *c.parts);
    stage->stop = NULL;
    hk_free(c.workers);
    hk_free(c.said);
    hk_free(c.there);
    return status;
}
