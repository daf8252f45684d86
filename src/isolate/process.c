/* SPDX-License-Identifier: MIT
 *
 * The process of an isolated component, seen from here: it is started, asked, looked after, and
 * when it is gone there is one message that says in which call and why. */
#define _GNU_SOURCE /* pipe2, gettid */
#include "isolate/isolate_internal.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "fmi/fmu.h"
#include "isolate/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t (*crash_place)(char *text, size_t size);

static unsigned first_spin = HK_SPIN_MOST;

void hk_isolate_set_spin(unsigned spin) {
    first_spin = spin;
}

void hk_isolate_set_place(size_t (*place)(char *text, size_t size)) {
    crash_place = place;
}

/* Isolated components of this process. One of them runs at a time, and this process waits for it:
 * the others look for requests in vain. */
static _Atomic unsigned there_are;

static bool is_crowded(void) {
    static _Atomic long processors;
    if (!processors)
        processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (long)there_are + 1 > processors;
}

double hk_iso_now(const hk_iso_unit *u) {
    return u->now ? *u->now : u->start;
}

/* ---- is it still there? ---- */

/* The call that it is in, as far as it says so. What it points to need not be there. */
static const char *calling_now(hk_iso_unit *u) {
    const char *text = u->remote ? NULL : atomic_load(&u->page->calling); /* another program's */
    if (text != u->seen) {
        char *copy = hk_guarded_text(text, 64);
        u->seen = text;
        u->shown = copy ? hk_arena_strdup(u->arena, copy) : NULL;
        hk_free(copy);
    }
    return u->shown;
}

static void show_calling(hk_iso_unit *u) {
    if (u->calling)
        atomic_store_explicit(u->calling, calling_now(u), memory_order_release);
}

/* True: its answer may still come. Nothing came for a while. */
static bool is_there(void *user) {
    hk_iso_unit *u = user;
    if (!u->pid)
        return false;
    show_calling(u);
    hk_iso_listen(u);
    if (u->remote)
        return hk_remote_is_there(u);
    pid_t gone = waitpid(u->pid, &u->how, WNOHANG);
    if (gone == 0 || (gone < 0 && errno == EINTR))
        return true;
    if (gone < 0)
        u->how = -1; /* somebody else has waited for it */
    u->pid = 0;
    hk_iso_listen(u);
    return false;
}

/* It has gone, or is told to. */
static void wait_for_end(hk_iso_unit *u, int patience_ms) {
    int64_t until = hk_clock_ns() + (int64_t)patience_ms * 1000000;
    if (u->remote)
        hk_remote_leave(u);
    while (is_there(u)) {
        if (hk_clock_ns() >= until)
            (void)kill(u->pid, SIGKILL);
        (void)poll(NULL, 0, 1);
    }
}

/* The answer cannot come any more, or is not one. */
static bool lost(hk_iso_unit *u) {
    enum { PATIENCE_MS = 1000 };
    u->lost_inside = true;
    wait_for_end(u, PATIENCE_MS);
    show_calling(u);
    return false;
}

static const char *end_words(const hk_iso_unit *u) {
    if (u->how == -1)
        return "its process is gone";
    if (WIFSIGNALED(u->how))
        return hk_signal_words(WTERMSIG(u->how));
    if (WEXITSTATUS(u->how) == HK_ISO_CUT_OFF)
        return "has closed what hocket asks it through";
    return WEXITSTATUS(u->how) == HK_CHILD_MEMORY
               ? "found no memory, or called exit(5)"
               : hk_arena_printf(u->arena, "called exit(%d)", WEXITSTATUS(u->how));
}

static const char *lost_hint(const hk_iso_unit *u) {
    if (!u->sandbox || u->how == -1)
        return "the fault is in the component, which runs in a process of its own";
    if (WIFSIGNALED(u->how) && WTERMSIG(u->how) == SIGXCPU)
        return "--limit cpu=TIME gives it more";
    return "the fault is in the component, which runs in a sandbox; a limit may be the reason: "
           "--limit memory=SIZE and cpu=TIME give it more";
}

hk_status hk_iso_say_lost(hk_ctx *ctx, hk_iso_unit *u) {
    char time[HK_NUMBER_MAX + 1];
    size_t size = atomic_load(&u->page->last_size);
    size = size < HK_ISO_WORDS ? size : 0;
    const char *words = hk_arena_strndup(u->arena, u->page->last_words, size);
    const char *calling = calling_now(u);
    time[hk_write_f64(hk_iso_now(u), time)] = '\0';
    if (u->calling)
        atomic_store_explicit(u->calling, NULL, memory_order_release);
    return hk_error(ctx, HK_E_UNIT_CRASHED, (hk_where){.element = u->base.name}, lost_hint(u),
                    "component '%s': %s %s %s at t = %s s%s", u->base.name, end_words(u),
                    atomic_load(&u->page->busy) ? "in" : "between two calls, before",
                    calling ? calling : u->last_call, time, words);
}

/* ---- requests ---- */

bool hk_iso_ask(hk_iso_unit *u, hk_iso_op op, const char *call) {
    hk_iso_page *p = u->page;
    if (!u->pid && u->lost_inside)
        return false;
    u->last_call = call;
    p->op = op;
    atomic_store_explicit(&p->crowded, is_crowded(), memory_order_relaxed);
    atomic_store_explicit(&p->now, hk_iso_now(u), memory_order_relaxed);
    uint32_t seen = atomic_load_explicit(&p->answered.rung, memory_order_relaxed);
    hk_bell_ring(&p->asked);
    while (!hk_bell_wait(&p->answered, seen, &u->spin, HK_ISO_LOOK_MS))
        if (!is_there(u) && atomic_load(&p->answered.rung) == seen)
            return lost(u);
    if (atomic_load_explicit(&p->spoke, memory_order_relaxed))
        hk_iso_listen(u);
    if (u->calling && u->shown)
        show_calling(u);
    return true;
}

hk_buffer *hk_iso_request(hk_iso_unit *u, hk_iso_op op) {
    u->message.size = 0;
    hk_buffer_u64(&u->message, (uint64_t)op);
    return &u->message;
}

/* Status and diagnostics of an answer. */
static hk_status read_answer(hk_ctx *ctx, hk_iso_unit *u, hk_buffer_source *ret_rest) {
    *ret_rest = (hk_buffer_source){u->arena, u->answer.data, u->answer.size, true};
    hk_ctx *said = hk_ctx_create(NULL, NULL);
    hk_status status = (hk_status)hk_source_u64(ret_rest);
    hk_source_diags(ret_rest, said);
    for (size_t i = 0; ret_rest->good && i < hk_ctx_count(said, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(said, i); /* some of it may be about an earlier call */
        hk_say_again(d->severity == HK_ERROR ? ctx : u->ctx, d);
    }
    hk_ctx_destroy(said);
    if (!ret_rest->good)
        return hk_error(ctx, HK_E_UNIT_CRASHED, (hk_where){.element = u->base.name}, NULL,
                        "component '%s': its process sent an answer that cannot be read",
                        u->base.name);
    return status;
}

static hk_status take_answer(hk_ctx *ctx, hk_iso_unit *u, hk_buffer_source *ret_rest) {
    if (!hk_iso_receive(u->fd, &u->answer, is_there, u)) {
        (void)lost(u);
        return hk_iso_say_lost(ctx, u);
    }
    if (u->calling)
        atomic_store_explicit(u->calling, NULL, memory_order_release);
    hk_iso_listen(u);
    return read_answer(ctx, u, ret_rest);
}

hk_status hk_iso_answer(hk_ctx *ctx, hk_iso_unit *u, const char *call, hk_buffer_source *ret_rest) {
    int code = hk_iso_flush(u);
    u->age++;
    if (!u->pid && u->lost_inside)
        return hk_iso_say_lost(ctx, u);
    if (hk_unit_bad(code))
        return hk_iso_say_failed(ctx, u, code);
    u->last_call = call;
    u->page->op = HK_ISO_COLD;
    atomic_store_explicit(&u->page->now, hk_iso_now(u), memory_order_relaxed);
    hk_bell_ring(&u->page->asked);
    (void)hk_iso_send(u->fd, &u->message); /* if nobody reads it, nobody answers */
    return take_answer(ctx, u, ret_rest);
}

/* ---- begin and end ---- */

size_t hk_iso_page_size(const hk_info *info) {
    enum { OFTEN = 16, LEAST = 1 << 20 }; /* only what is used takes memory */
    size_t all = HK_ISO_VALUES + LEAST;
    for (size_t i = 0; i < info->variable_count; i++)
        if (info->variables[i].store != HK_STORE_BYTES)
            all += OFTEN * (info->variables[i].count * hk_store_size(info->variables[i].store) +
                            HK_CACHE_LINE);
    return all;
}

static hk_status no_process(hk_ctx *ctx, const hk_iso_unit *u, int problem) {
    return hk_error(
        ctx, HK_E_INTERNAL, (hk_where){.element = u->base.name}, "isolate fewer components",
        "component '%s': no process could be started for it: %s", u->base.name, strerror(problem));
}

static void close_between(int first, int last) {
    enum { CLOSE_RANGE = 436 }; /* of every processor; since Linux 5.9 */
    if (first > last || syscall(CLOSE_RANGE, first, last, 0) == 0)
        return;
    for (long fd = first, most = sysconf(_SC_OPEN_MAX); fd <= last && fd < most; fd++)
        (void)close((int)fd);
}

/* Files of the run and wires to other components are not this component's. */
static void keep_only(const hk_iso_birth *birth) {
    int kept[] = {birth->fd, birth->log_fd, birth->door, birth->folder_fd};
    int from = STDERR_FILENO + 1;
    for (;;) {
        int next = INT_MAX;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            if (kept[i] >= from && kept[i] < next)
                next = kept[i];
        close_between(from, next == INT_MAX ? next : next - 1);
        if (next == INT_MAX)
            return;
        from = next + 1;
    }
}

/* The child ends with this process. The kernel sees to that when the thread that forks ends, so
 * only the main thread asks for it; else the child looks for itself. */
_Noreturn static void be_child(const hk_iso_birth *birth, bool main_thread) {
    if (main_thread)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != birth->parent) /* it was gone before that */
        (void)raise(SIGKILL);
    keep_only(birth);
    hk_iso_live(birth);
}

/* Its folder, which is to be the one that was just made. Names can lead elsewhere later. */
static hk_status open_its_folder(hk_ctx *ctx, hk_iso_unit *u) {
    struct stat here, named;
    u->child_folder = hk_path_real(u->arena, u->child_folder);
    u->folder_fd = open(u->child_folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (u->folder_fd >= 0 && fstat(u->folder_fd, &here) == 0 && lstat(u->folder, &named) == 0 &&
        here.st_dev == named.st_dev && here.st_ino == named.st_ino && here.st_uid == geteuid())
        return HK_OK;
    return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = u->folder},
                    "name a folder in TMPDIR that no other program changes",
                    "component '%s': its temporary folder is not the one that was made",
                    u->base.name);
}

static void close_folder(hk_iso_unit *u) {
    if (u->folder_fd >= 0)
        close(u->folder_fd);
    u->folder_fd = -1;
}

/* What the two are connected by; -1: nothing. */
typedef struct ways {
    int socket[2], log[2], door[2];
} ways;

static void close_ways(const ways *w, int end) {
    const int all[] = {w->socket[end], w->log[end], w->door[end]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
}

/* 0 or errno, and then all are closed. */
static int open_ways(const hk_iso_unit *u, ways *ret) {
    ways w = *ret;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, w.socket) != 0)
        return errno;
    if (hk_fmu_has_journal() && pipe2(w.log, O_CLOEXEC) != 0)
        w.log[0] = w.log[1] = -1;
    if (u->reports && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, w.door) != 0) {
        int problem = errno;
        w.door[0] = w.door[1] = -1;
        close_ways(&w, 0);
        close_ways(&w, 1);
        return problem;
    }
    *ret = w;
    return 0;
}

/* The warden is there before the component can ask for anything. */
static hk_status watch_over(hk_ctx *ctx, hk_iso_unit *u, const ways *w) {
    if (w->door[0] < 0)
        return HK_OK;
    u->warden = hk_warden_start(u, w->door[0], u->pid);
    return u->warden ? HK_OK : no_process(ctx, u, errno);
}

static hk_status start(hk_ctx *ctx, hk_iso_unit *u, const hk_unit_options *options) {
    ways w = {{-1, -1}, {-1, -1}, {-1, -1}};
    int problem = open_ways(u, &w);
    if (problem)
        return no_process(ctx, u, problem);
    hk_iso_birth birth = {.info = u->base.info,
                          .options = options,
                          .page = u->page,
                          .fd = w.socket[1],
                          .log_fd = w.log[1],
                          .folder = u->child_folder,
                          .parent = getpid(),
                          .place = crash_place,
                          .sandbox = u->sandbox,
                          .spin = u->spin,
                          .page_size = u->size,
                          .door = w.door[1],
                          .folder_fd = u->folder_fd};
    bool main_thread = gettid() == getpid();
    (void)fflush(NULL); /* else the child might write what waits here once more */
    pid_t pid = fork();
    problem = errno;
    if (pid == 0)
        be_child(&birth, main_thread);
    close_ways(&w, 1);
    close_folder(u);
    u->fd = w.socket[0];
    u->log_fd = w.log[0];
    if (u->log_fd >= 0)
        (void)fcntl(u->log_fd, F_SETFL, O_NONBLOCK);
    if (pid < 0) {
        if (w.door[0] >= 0)
            close(w.door[0]);
        return no_process(ctx, u, problem);
    }
    u->pid = pid;
    u->counted = true;
    there_are++;
    return watch_over(ctx, u, &w);
}

/* What cannot be the same as elsewhere is said before it runs. */
static void look_at_means(hk_ctx *ctx, hk_iso_unit *u) {
    if (!u->sandbox)
        return;
    const char *why = u->sandbox->means.no_reports;
    u->reports = !why;
    if (why)
        hk_note(
            ctx, (hk_where){.element = u->base.name},
            "component '%s': its sandbox denies without a word, and does not count its threads: "
            "%s",
            u->base.name, why);
}

hk_status hk_iso_begin(hk_ctx *ctx, hk_iso_unit *u, const hk_unit_options *options) {
    hk_buffer_source s;
    const hk_info *info = u->base.info;
    u->size = hk_iso_page_size(info);
    u->used = HK_ISO_VALUES;
    u->spin = first_spin;
    u->page = u->remote ? hk_remote_page(u) : hk_shared_memory(u->size);
    if (!u->page)
        return no_process(ctx, u, errno);
    atomic_store(&u->page->now, hk_iso_now(u));
    if (u->own->prepare && !u->remote) /* what is unpacked is there for all */
        HK_TRY(u->own->prepare(ctx, info));
    HK_TRY(hk_folder_temporary(ctx, u->arena, &u->folder));
    u->child_folder = hk_path_absolute(u->arena, u->folder);
    if (u->sandbox)
        HK_TRY(open_its_folder(ctx, u));
    if (!u->remote)
        look_at_means(ctx, u);
    HK_TRY(u->remote ? hk_remote_start(ctx, u, options) : start(ctx, u, options));
    u->last_call = "the instantiation";
    HK_TRY(take_answer(ctx, u, &s));
    u->step.shape = (hk_step_shape)(hk_source_u64(&s) % HK_STEP_SHAPES);
    u->step.flag = hk_source_u64(&s) != 0;
    u->step.may_pend = hk_source_u64(&s) != 0;
    u->step.name = hk_source_text(&s);
    u->library = hk_source_text(&s);
    u->base.lacks_memory = hk_source_text(&s);
    u->base.lacks_bytes = hk_source_text(&s);
    u->step.name = u->step.name ? u->step.name : "step";
    return HK_OK;
}

static void remove_its_folder(hk_iso_unit *u) {
    if (!u->folder)
        return;
    hk_folder_remove(u->folder);
    if (hk_folder_exists(u->folder))
        hk_warn(u->ctx, HK_E_FILE_WRITE, (hk_where){.file = u->folder}, "remove it by hand",
                "component '%s': its temporary folder cannot be removed", u->base.name);
}

void hk_iso_end(hk_iso_unit *u) {
    enum { PATIENCE_MS = 1000 };
    if (u->pid)
        wait_for_end(u, PATIENCE_MS);
    if (u->page)
        hk_warden_tell(u);
    if (!u->lost_inside) /* else it may have ended within a message */
        hk_iso_heard_all(u);
    hk_warden_end(u->warden);
    if (u->counted)
        there_are--;
    if (u->fd >= 0)
        close(u->fd);
    if (u->log_fd >= 0)
        close(u->log_fd);
    if (u->page_fd >= 0)
        close(u->page_fd);
    close_folder(u);
    remove_its_folder(u);
    if (u->page)
        munmap(u->page, u->size);
    u->page = NULL;
    hk_free(u->message.data);
    hk_free(u->answer.data);
    hk_free(u->heard.data);
}
