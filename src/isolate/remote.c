/* SPDX-License-Identifier: MIT
 *
 * A component that another process serves: the same requests over the same page, which that one is
 * given. And the other side: who serves one. */
#define _GNU_SOURCE /* POLLRDHUP, pipe2 */
#include "isolate/isolate_internal.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "base/file.h"
#include "base/map.h"
#include "fmi/fmi.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that nobody has: it is not ours to wait for. */
enum { NOT_OURS = INT32_MAX };

/* ---- who asks ---- */

void *hk_remote_page(hk_iso_unit *u) {
    return hk_memory_to_share(u->size, &u->page_fd);
}

/* What the other process is told of an instance, beside what is known there. */
#define OPTION(member) HK_BUFFER_FIELD(hk_unit_options, member)
static const hk_buffer_field told[] = {OPTION(name),
                                       OPTION(seed),
                                       OPTION(run),
                                       OPTION(logging),
                                       OPTION(tolerance_defined),
                                       OPTION(tolerance),
                                       OPTION(start),
                                       OPTION(stop_defined),
                                       OPTION(stop),
                                       OPTION(may_go_back)};

hk_status hk_remote_start(hk_ctx *ctx, hk_iso_unit *u, const hk_unit_options *options) {
    int log_ends[2] = {-1, -1};
    if (hk_fmu_has_journal() && pipe2(log_ends, O_CLOEXEC) != 0)
        log_ends[0] = log_ends[1] = -1;
    u->log_fd = log_ends[0];
    if (u->log_fd >= 0)
        (void)fcntl(u->log_fd, F_SETFL, O_NONBLOCK);
    u->message.size = 0;
    hk_buffer_u64(&u->message, u->size);
    hk_buffer_u64(&u->message, log_ends[1] >= 0);
    hk_buffer_struct(&u->message, HK_BUFFER_FIELDS(told), options);
    bool sent = u->fd >= 0 && hk_iso_send(u->fd, &u->message) &&
                hk_descriptor_send(u->fd, u->page_fd) &&
                (log_ends[1] < 0 || hk_descriptor_send(u->fd, log_ends[1]));
    if (log_ends[1] >= 0)
        close(log_ends[1]);
    if (!sent)
        return hk_error(ctx, HK_E_UNIT_CRASHED, (hk_where){.element = u->base.name}, NULL,
                        "component '%s': who serves it is gone", u->base.name);
    u->pid = NOT_OURS;
    return HK_OK;
}

bool hk_remote_is_there(hk_iso_unit *u) {
    char byte;
    ssize_t n = recv(u->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)))
        return true;
    u->pid = 0;
    u->how = -1;
    return false;
}

void hk_remote_leave(hk_iso_unit *u) {
    (void)shutdown(u->fd, SHUT_RDWR);
}

/* ---- who serves ---- */

uint64_t hk_isolate_key(const hk_info *info) {
    HK_ASSERT(info);
    uint64_t key = hk_hash(HK_HASH_SEED, info->name, strlen(info->name) + 1);
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        const uint64_t about[] = {(uint64_t)v->store, v->count, v->ref};
        key = hk_hash(key, v->name, strlen(v->name) + 1);
        key = hk_hash(key, about, sizeof about);
    }
    return key;
}

/* What somebody asks for. */
typedef struct order {
    hk_arena *arena;
    hk_unit_options options;
    hk_iso_page *page;
    size_t size;
    int log_fd;
    const char *folder;
} order;

/* Whoever says nothing for so long has forgotten what it wants. */
static bool is_patient(void *user) {
    const int64_t *until = user;
    return hk_clock_ns() < *until;
}

static bool take_order(const hk_info *info, int fd, order *o) {
    enum { PATIENCE_NS = 1000000000 };
    int64_t until = hk_clock_ns() + 5 * (int64_t)PATIENCE_NS;
    hk_buffer message = {0};
    bool good = hk_iso_receive(fd, &message, is_patient, &until);
    hk_buffer_source s = {o->arena, message.data, message.size, good};
    o->size = (size_t)hk_source_u64(&s);
    bool logs = hk_source_u64(&s) != 0;
    hk_source_struct(&s, HK_BUFFER_FIELDS(told), &o->options);
    good = s.good && !s.left && o->options.name && o->size == hk_iso_page_size(info);
    hk_free(message.data);
    int page = good ? hk_descriptor_take(fd) : -1;
    o->page = hk_memory_of(page, o->size);
    if (page >= 0)
        close(page);
    if (o->page && logs)
        o->log_fd = hk_descriptor_take(fd);
    return o->page && (!logs || o->log_fd >= 0);
}

/* What went wrong before there is a process that could say so. */
static void tell_failure(hk_ctx *said, int fd, hk_status status) {
    hk_buffer answer = {0};
    hk_buffer_u64(&answer, (uint64_t)status);
    hk_buffer_diags(&answer, said);
    (void)hk_iso_send(fd, &answer);
    hk_free(answer.data);
}

static bool is_gone(pid_t pid) {
    pid_t gone = waitpid(pid, NULL, WNOHANG);
    return gone != 0 && !(gone < 0 && errno == EINTR);
}

/* Until the instance is closed. When nobody asks any more it is given a moment, and ended then. */
static void look_after(pid_t pid, int fd, bool (*stop)(void)) {
    enum { LOOK_MS = 20, MOMENT_NS = 500000000 };
    int64_t until = 0;
    while (!is_gone(pid)) {
        struct pollfd one = {.fd = until ? -1 : fd, .events = POLLRDHUP};
        bool ends = poll(&one, 1, LOOK_MS) > 0 || stop();
        if (ends && !until)
            until = hk_clock_ns() + MOMENT_NS;
        if (until && hk_clock_ns() > until)
            (void)kill(pid, SIGKILL);
    }
}

static hk_status start(hk_ctx *ctx, const hk_info *info, int fd, order *o, pid_t *ret_pid) {
    pid_t parent = getpid();
    const hk_unit_class *own = info->unit_class;
    if (own->prepare)
        HK_TRY(own->prepare(ctx, info));
    HK_TRY(hk_folder_temporary(ctx, o->arena, &o->folder));
    const hk_iso_birth birth = {.info = info,
                                .options = &o->options,
                                .page = o->page,
                                .fd = fd,
                                .log_fd = o->log_fd,
                                .folder = hk_path_absolute(o->arena, o->folder),
                                .door = -1,
                                .page_size = o->size,
                                .parent = parent};
    (void)fflush(NULL);
    *ret_pid = fork();
    if (*ret_pid < 0)
        return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                        "no process could be started for component '%s': %s", o->options.name,
                        strerror(errno));
    if (*ret_pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        hk_iso_live(&birth);
    }
    return HK_OK;
}

hk_status hk_isolate_serve(hk_ctx *ctx, const hk_info *info, int fd, bool (*stop)(void)) {
    HK_ASSERT(ctx && info && info->unit_class && stop);
    order o = {.arena = hk_arena_create(), .log_fd = -1};
    hk_status status = HK_OK;
    pid_t pid = 0;
    if (!take_order(info, fd, &o))
        status = hk_error(ctx, HK_E_MEETING, HK_NOWHERE, NULL,
                          "who came for the component did not say what it wants");
    hk_ctx *said = hk_ctx_create(NULL, NULL);
    if (status == HK_OK && start(said, info, fd, &o, &pid) != HK_OK) {
        const hk_diag *first = hk_ctx_diag(said, 0);
        tell_failure(said, fd, first->code);
        for (size_t i = 0; i < hk_ctx_count(said, HK_NOTE); i++)
            hk_say_again(ctx, hk_ctx_diag(said, i));
        status = first->code;
    }
    hk_ctx_destroy(said);
    if (pid > 0)
        look_after(pid, fd, stop);
    if (o.log_fd >= 0)
        close(o.log_fd);
    if (o.page)
        munmap(o.page, o.size);
    if (o.folder)
        hk_folder_remove(o.folder);
    hk_arena_destroy(o.arena);
    return status;
}
