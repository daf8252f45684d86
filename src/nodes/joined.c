/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* POLLRDHUP */
#include "nodes/joined.h"

#include "base/clock.h"
#include "base/thread.h"
#include "engine/guard.h"
#include "nodes/node_listeners.h"
#include "nodes/nodes_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct hk_joined {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_plan_flows *flows;
    hk_wires *wires;
    hk_sim_part part;
    hk_sim *sim;  /* that the watcher may interrupt */
    int fd;       /* to the recorder */
    size_t first; /* what was said before this node came into being */
    bool told;    /* the recorder knows how it ended */
    pthread_t watcher;
    bool watched;
    int wake;          /* ends the watcher */
    _Atomic bool gone; /* the recorder is */
};

/* A run of this process alone cannot be: without the recorder it ends, also if nothing is waited
 * for, and also if a component does not return. */
static bool is_gone(int fd) {
    char byte;
    ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static void look_after_recorder(void *user) {
    hk_joined *j = user;
    if (!is_gone(j->fd))
        return;
    atomic_store(&j->gone, true);
    hk_wires_stop(j->wires);
}

static void *watch(void *user) {
    enum { GRACE_MS = 2000 };
    static const char said[] = "hocket: the recorder is gone, and a component does not return\n";
    hk_joined *j = user;
    struct pollfd both[] = {{.fd = j->wake, .events = POLLIN}, {.fd = j->fd, .events = POLLRDHUP}};
    while (poll(both, 2, -1) < 0 && errno == EINTR)
        continue;
    if (both[0].revents)
        return NULL;
    atomic_store(&j->gone, true);
    hk_wires_stop(j->wires);
    hk_sim_interrupt(j->sim);
    if (poll(both, 1, GRACE_MS) > 0)
        return NULL;
    (void)!write(STDERR_FILENO, said, sizeof said - 1);
    hk_guard_end(hk_status_exit(HK_E_NODE_LOST));
}

static void begin_watch(hk_joined *j, hk_sim *sim) {
    j->sim = sim;
    j->wake = eventfd(0, EFD_CLOEXEC);
    j->watched = j->wake >= 0 && hk_thread_start(&j->watcher, watch, j) == 0;
}

static void end_watch(hk_joined *j) {
    uint64_t one = 1;
    if (j->watched) {
        (void)!write(j->wake, &one, sizeof one);
        pthread_join(j->watcher, NULL);
    }
    if (j->wake >= 0)
        close(j->wake);
    j->wake = -1;
    j->watched = false;
}

/* The recorder says again what was said here since the node began. */
static void tell(hk_joined *j, hk_status status, hk_sim *sim) {
    hk_said said;
    hk_said_begin(&said);
    said.sim = sim;
    for (size_t i = j->first; i < hk_ctx_count(j->ctx, HK_NOTE); i++)
        hk_say_again(said.ctx, hk_ctx_diag(j->ctx, i));
    hk_buffer b = {0}, account = {0};
    if (sim)
        hk_sim_account(sim, &account);
    hk_nodes_report(&b, status, &said, &account);
    uint64_t head = b.size;
    if (hk_meeting_send(j->fd, &head, sizeof head))
        (void)hk_meeting_send(j->fd, b.data, b.size);
    hk_free(account.data);
    hk_free(b.data);
    hk_said_finish(&said);
    j->told = true;
}

/* How the whole run ended, if this node has nothing to say itself. */
static hk_status hear(hk_joined *j, hk_status status) {
    hk_greeting ended = {0};
    bool own = status != HK_OK && status != HK_E_NODE_LOST;
    bool heard = hk_meeting_hear_end(j->arena, j->fd, &ended);
    if (own || (status != HK_OK && hk_ctx_count(j->ctx, HK_ERROR)))
        return status;
    if (!heard)
        return hk_error(j->ctx, HK_E_NODE_LOST, HK_NOWHERE, NULL,
                        "the recorder is gone, and nobody knows how the run ended");
    if (!ended.number) /* also if this node was stopped before it had come to the same end */
        return HK_OK;
    hk_status why =
        ended.number && ended.number < INT32_MAX && hk_status_exit((hk_status)ended.number)
            ? (hk_status)ended.number
            : HK_E_NODE_LOST;
    return hk_error(j->ctx, why, HK_NOWHERE, NULL, "%s",
                    *ended.text ? ended.text : "the run ended before its stop time");
}

static hk_status make_sim(hk_joined *j, const hk_sim_options *options, hk_sim **ret_sim) {
    hk_sim_options o = *options;
    o.part = &j->part;
    hk_listener *listeners = hk_listeners_of_node(j->arena, options, NULL, NULL);
    for (size_t i = 0; i < o.listener_count; i++) /* who started it may want to end it */
        listeners[i].progress = options->listeners[i].progress;
    o.listeners = listeners;
    hk_status status = hk_sim_create(j->ctx, j->flows->plan, &o, ret_sim);
    if (status == HK_OK)
        return HK_OK;
    hk_wires_leave(j->wires, j->part.node);
    tell(j, status, NULL);
    return hear(j, status);
}

hk_status hk_joined_start(hk_ctx *ctx, const hk_plan_flows *flows, const hk_meeting *meeting,
                          const hk_sim_options *options, hk_joined **ret_joined, hk_sim **ret_sim) {
    HK_ASSERT(ctx && flows && meeting && options && ret_joined && ret_sim);
    hk_arena *arena = hk_arena_create();
    hk_joined *j = HK_NEW(arena, hk_joined);
    *j = (hk_joined){.ctx = ctx, .arena = arena, .flows = flows, .fd = -1, .wake = -1};
    j->first = hk_ctx_count(ctx, HK_NOTE);
    uint32_t node = meeting->meet->number - 1;
    hk_wires_given given = {.transport = meeting->transport, .node = node};
    hk_status status = hk_meeting_join(ctx, meeting, &j->fd, &given.fds, &given.count);
    if (status == HK_OK) {
        status = hk_wires_make_of(ctx, flows, &given, &j->wires);
        hk_free(given.fds);
    }
    if (status == HK_OK) {
        j->part =
            (hk_sim_part){flows, node, hk_wires_take(j->wires, node, look_after_recorder, j), NULL};
        hk_watch_answer(j->wires);
        status = make_sim(j, options, ret_sim);
    }
    if (status != HK_OK) {
        hk_joined_destroy(j);
        return status;
    }
    begin_watch(j, *ret_sim);
    *ret_joined = j;
    return HK_OK;
}

hk_status hk_joined_run(hk_joined *j, hk_sim *sim) {
    HK_ASSERT(j && sim);
    size_t errors = hk_ctx_count(j->ctx, HK_ERROR);
    hk_status status = hk_sim_run(sim);
    const char *reason = hk_sim_end_reason(sim);
    bool interrupted = status == HK_OK && reason && strcmp(reason, "interrupted") == 0;
    if (atomic_load(&j->gone) && (interrupted || status == HK_E_NODE_LOST))
        status = hk_error(j->ctx, HK_E_NODE_LOST, HK_NOWHERE, NULL,
                          "the recorder is gone: its process has ended");
    else if (interrupted && !hk_wires_stopped(j->wires))
        status = hk_error(j->ctx, HK_E_INTERRUPTED, HK_NOWHERE, NULL, "node %u was interrupted",
                          (unsigned)j->part.node + 1);
    hk_wires_leave(j->wires, j->part.node);
    bool why_not_known = status == HK_E_NODE_LOST && hk_ctx_count(j->ctx, HK_ERROR) == errors;
    if (status == HK_OK || why_not_known) {
        bool in_order = hk_wires_await_end(j->wires);
        hk_sim_over(sim, in_order);
        status = in_order ? HK_OK : status;
    }
    end_watch(j);
    tell(j, status, sim);
    return hear(j, status);
}

uint64_t hk_joined_messages(const hk_joined *j) {
    HK_ASSERT(j);
    return hk_wires_sent(j->wires);
}

void hk_joined_destroy(hk_joined *j) {
    if (!j)
        return;
    end_watch(j);
    if (j->wires && !j->told)
        hk_wires_leave(j->wires, j->part.node);
    if (j->fd >= 0)
        close(j->fd);
    hk_wires_destroy(j->wires);
    hk_arena_destroy(j->arena);
}
