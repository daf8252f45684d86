/* SPDX-License-Identifier: MIT
 *
 * UNIX sockets: one between each two nodes that exchange anything. What arrives is sorted into a
 * queue for each flow; nothing is read from a socket while one of its queues is full: all that is
 * needed by then has come before (docs/nodes.md).
 *
 * A system call takes as long as all that hocket does in a light step. So who waits for one node
 * sleeps in the call that brings the message, and what was found to be empty is not looked at again
 * before the next wait: one call for a message that is sent, one for what has come. */
#include "base/file.h"
#include "nodes/wires_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* The other end of a node's socket. */
typedef struct peer {
    int fd;        /* -1: nothing is exchanged with it */
    hk_file_id id; /* of the socket: a component may put another file in its place */
    bool looks_up; /* a call that waits for it comes back after HK_LOOK_MS */
    hk_buffer out; /* what the socket had no room for */
    size_t out_done;
    hk_buffer in; /* what has come, from in_done on, and is not a whole message yet */
    size_t in_done;
    bool dry;   /* there was nothing more in the socket, and we have not waited since */
    bool ended; /* it sends no more */
    bool damaged;
    bool cut; /* nothing can be sent, and not because it is gone */
} peer;

/* Messages of a flow that wait to be looked at: frames, one after the other. */
typedef struct flow_queue {
    hk_buffer frames;
    size_t done; /* bytes that were dropped */
    size_t count;
} flow_queue;

typedef struct hk_sockets {
    int *ends; /* [from * nodes + to]: the end of the socket that FROM has; -1: none, or closed */
    uint32_t nodes;
    peer *peers;
    flow_queue *queues;
    struct pollfd *polled;
    uint64_t changes;
} hk_sockets;

static bool join(hk_sockets *s, uint32_t a, uint32_t b) {
    int ends[2];
    if (s->ends[a * s->nodes + b] >= 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    s->ends[a * s->nodes + b] = ends[0];
    s->ends[b * s->nodes + a] = ends[1];
    return true;
}

/* A socket that was made elsewhere. */
static bool take_given(hk_wires *w, uint32_t other) {
    struct stat about;
    int fd = hk_wires_next(w);
    w->sockets->ends[w->given.node * w->sockets->nodes + other] = fd;
    errno = EPROTO;
    return fd >= 0 && fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode) &&
           fcntl(fd, F_SETFL, 0) == 0;
}

/* Those of one node alone, by the number of the other. */
static bool take_all_given(hk_wires *w) {
    hk_sockets *s = w->sockets;
    const hk_plan_flows *flows = w->flows;
    uint32_t node = w->given.node;
    for (uint32_t other = 0; other < s->nodes; other++) {
        bool exchange = false;
        for (size_t i = 0; i < flows->count && !exchange; i++)
            exchange = (flows->all[i].from == node && flows->all[i].to == other) ||
                       (flows->all[i].from == other && flows->all[i].to == node);
        if (exchange && !take_given(w, other))
            return false;
    }
    return true;
}

static bool join_all(hk_wires *w) {
    const hk_plan_flows *flows = w->flows;
    if (w->origin == HK_WIRES_GIVEN)
        return take_all_given(w);
    for (size_t i = 0; i < flows->count; i++)
        if (!join(w->sockets, flows->all[i].from, flows->all[i].to))
            return false;
    return true;
}

size_t hk_sockets_of(const hk_wires *w, uint32_t node, int *ret_fds) {
    const hk_sockets *s = w->sockets;
    size_t count = 0;
    for (uint32_t other = 0; other < s->nodes; other++)
        if (s->ends[node * s->nodes + other] >= 0)
            ret_fds[count++] = s->ends[node * s->nodes + other];
    return count;
}

hk_status hk_sockets_make(hk_ctx *ctx, hk_wires *w) {
    const hk_plan_flows *flows = w->flows;
    hk_sockets *s = hk_alloc(sizeof *s);
    w->sockets = s;
    s->nodes = flows->placement.node_count;
    s->ends = hk_alloc((size_t)s->nodes * s->nodes * sizeof *s->ends);
    s->peers = hk_alloc(s->nodes * sizeof *s->peers);
    s->polled = hk_alloc(s->nodes * sizeof *s->polled);
    s->queues = hk_alloc((flows->count + 1) * sizeof *s->queues);
    for (size_t i = 0; i < (size_t)s->nodes * s->nodes; i++)
        s->ends[i] = -1;
    for (uint32_t i = 0; i < s->nodes; i++)
        s->peers[i].fd = -1;
    bool joined = join_all(w);
    if (!joined && w->origin == HK_WIRES_GIVEN)
        return hk_wires_unlike(ctx);
    if (!joined)
        return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer nodes, or --transport shm",
                        "no socket could be made: %s", strerror(errno));
    return HK_OK;
}

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void hk_sockets_destroy(hk_wires *w) {
    hk_sockets *s = w->sockets;
    if (!s)
        return;
    for (size_t i = 0; i < (size_t)s->nodes * s->nodes; i++)
        close_end(&s->ends[i]);
    for (uint32_t i = 0; i < s->nodes; i++) {
        hk_free(s->peers[i].out.data);
        hk_free(s->peers[i].in.data);
    }
    for (size_t i = 0; i < w->flows->count; i++)
        hk_free(s->queues[i].frames.data);
    hk_free(s->queues);
    hk_free(s->polled);
    hk_free(s->peers);
    hk_free(s->ends);
    hk_free(s);
    w->sockets = NULL;
}

/* Who sleeps in a call looks up after a while; one that cannot be told to never sleeps in it. */
static void limit_wait(peer *p) {
    const struct timeval limit = {.tv_usec = HK_LOOK_MS * 1000};
    p->looks_up =
        p->fd >= 0 && setsockopt(p->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0;
}

/* The ends of others are closed here: else nobody would find out that one of them is gone. */
void hk_sockets_take(hk_wires *w) {
    hk_sockets *s = w->sockets;
    for (uint32_t a = 0; a < s->nodes; a++)
        for (uint32_t b = 0; b < s->nodes; b++)
            if (a == w->node) {
                s->peers[b].fd = s->ends[a * s->nodes + b];
                s->peers[b].id = hk_file_identify(s->peers[b].fd);
                limit_wait(&s->peers[b]);
            } else {
                close_end(&s->ends[a * s->nodes + b]);
            }
}

bool hk_sockets_cut(const hk_wires *w) {
    for (uint32_t i = 0; i < w->sockets->nodes; i++) {
        const peer *p = &w->sockets->peers[i];
        if (p->fd >= 0 && !hk_file_is(p->fd, p->id))
            return true;
    }
    return false;
}

/* ---- sending ---- */

/* How much was taken; nobody is there any more: all of it. */
static size_t give(peer *p, const char *data, size_t size) {
    for (;;) {
        ssize_t n = send(p->fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0)
            return (size_t)n;
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            return 0;
        p->cut = p->cut || (errno != EPIPE && errno != ECONNRESET && errno != EINTR);
        if (errno != EINTR)
            return size;
    }
}

/* True if nothing waits any more. */
static bool flush(peer *p) {
    if (p->out_done < p->out.size)
        p->out_done += give(p, p->out.data + p->out_done, p->out.size - p->out_done);
    if (p->out_done < p->out.size)
        return false;
    p->out.size = p->out_done = 0;
    return true;
}

/* True: nobody there wants what waits to be written any more. */
static bool forget_left(hk_wires *w, uint32_t node) {
    peer *p = &w->sockets->peers[node];
    bool left = atomic_load(&w->common->nodes[node].left);
    if (left)
        p->out.size = p->out_done = 0;
    return left;
}

static hk_wire_answer send_frame(void *user, const hk_flow_message *m) {
    hk_wires *w = user;
    peer *p = &w->sockets->peers[w->flows->all[m->flow].to];
    if (!flush(p)) {
        w->no_room = m->flow;
        if (hk_wires_must_stop(w, m->at))
            return hk_wires_lose(w, m->flow);
        if (!forget_left(w, w->flows->all[m->flow].to))
            return HK_WIRE_LATER;
    }
    if (p->cut)
        return hk_wires_lose(w, m->flow);
    if (w->waits)
        hk_wires_hide_wait(w);
    char head[HK_FRAME_HEAD];
    hk_frame_head(m, head);
    hk_buffer_put(&p->out, head, sizeof head);
    hk_buffer_put(&p->out, m->data.data, m->data.size);
    (void)flush(p);
    hk_wires_count_sent(w);
    return HK_WIRE_DONE;
}

void hk_sockets_leave(hk_wires *w) {
    for (uint32_t i = 0; i < w->sockets->nodes; i++) {
        peer *p = &w->sockets->peers[i];
        while (p->fd >= 0 && !flush(p) && !forget_left(w, i) &&
               !hk_wires_must_stop(w, w->flows->plan->start)) {
            struct pollfd one = {.fd = p->fd, .events = POLLOUT};
            (void)poll(&one, 1, HK_IDLE_MS);
        }
        if (p->fd >= 0)
            (void)shutdown(p->fd, SHUT_WR);
    }
}

/* ---- receiving ---- */

static bool is_full(const hk_wires *w, uint32_t flow) {
    return w->sockets->queues[flow].count >= hk_plan_flow_room(w->flows, &w->flows->all[flow]);
}

/* Sorts the first whole message of those that have come; false: there is none, or no room. */
static bool sort_one(hk_wires *w, uint32_t from) {
    peer *p = &w->sockets->peers[from];
    const char *data = p->in.data + p->in_done;
    size_t there = p->in.size - p->in_done;
    if (p->damaged || there < HK_FRAME_HEAD)
        return false;
    size_t size = hk_frame_size(data);
    hk_flow_message m;
    if (size && there < size)
        return false;
    p->damaged = !size || !hk_frame_read(data, size, w->flows->count, &m) ||
                 w->flows->all[m.flow].from != from || w->flows->all[m.flow].to != w->node;
    if (p->damaged || is_full(w, m.flow))
        return false;
    flow_queue *q = &w->sockets->queues[m.flow];
    if (q->done == q->frames.size)
        q->done = q->frames.size = 0;
    hk_buffer_put(&q->frames, data, size);
    q->count++;
    p->in_done += size;
    w->sockets->changes++;
    return true;
}

static void sort_all(hk_wires *w, uint32_t from) {
    peer *p = &w->sockets->peers[from];
    while (sort_one(w, from))
        continue;
    if (p->in_done == p->in.size)
        p->in.size = p->in_done = 0;
}

/* The next message waits for room in its queue. */
static bool is_held(const hk_wires *w, const peer *p) {
    uint32_t flow = 0;
    if (p->in.size - p->in_done < HK_FRAME_HEAD)
        return false;
    memcpy(&flow, p->in.data + p->in_done + 8, sizeof flow);
    return flow < w->flows->count && is_full(w, flow);
}

/* What has come, sorted; FLAGS are those of recv. False: nothing has come in all that time. */
static bool receive(hk_wires *w, uint32_t from, int flags) {
    enum { PIECE = 65536 };
    peer *p = &w->sockets->peers[from];
    if (p->in_done) {
        memmove(p->in.data, p->in.data + p->in_done, p->in.size - p->in_done);
        p->in.size -= p->in_done;
        p->in_done = 0;
    }
    if (p->in.cap - p->in.size < PIECE) {
        p->in.cap = p->in.size + 2 * PIECE;
        p->in.data = hk_realloc(p->in.data, p->in.cap);
    }
    ssize_t n = recv(p->fd, p->in.data + p->in.size, PIECE, flags);
    bool nothing = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    p->dry = nothing || (n > 0 && n < PIECE);
    if (n > 0) {
        p->in.size += (size_t)n;
        sort_all(w, from);
    } else if (n == 0 || (!nothing && errno != EINTR)) {
        p->ended = true;
        w->sockets->changes++;
    }
    return !nothing;
}

static void read_some(hk_wires *w, uint32_t from) {
    const peer *p = &w->sockets->peers[from];
    sort_all(w, from);
    if (!p->ended && !p->dry && p->fd >= 0 && !is_held(w, p))
        (void)receive(w, from, MSG_DONTWAIT);
}

static hk_wire_answer peek(void *user, uint32_t flow, hk_flow_message *ret_message) {
    hk_wires *w = user;
    flow_queue *q = &w->sockets->queues[flow];
    uint32_t from = w->flows->all[flow].from;
    const peer *p = &w->sockets->peers[from];
    if (!q->count)
        read_some(w, from);
    if (!q->count) /* an end that was not announced: the process is gone, and so is its socket */
        return p->ended || p->damaged || hk_wires_must_stop_here(w) ? hk_wires_lose(w, flow)
                                                                    : HK_WIRE_LATER;
    if (w->waits)
        hk_wires_hide_wait(w);
    const char *data = q->frames.data + q->done;
    return hk_frame_read(data, hk_frame_size(data), w->flows->count, ret_message) ? HK_WIRE_DONE
                                                                                  : HK_WIRE_LOST;
}

static void drop(void *user, uint32_t flow) {
    hk_wires *w = user;
    flow_queue *q = &w->sockets->queues[flow];
    q->done += hk_frame_size(q->frames.data + q->done);
    q->count--;
    if (!q->count)
        q->done = q->frames.size = 0;
}

/* ---- waiting ---- */

static uint64_t changes(void *user) {
    const hk_wires *w = user;
    return w->sockets->changes;
}

/* What to wait for of a peer: 0, nothing. */
static short events_of(const hk_wires *w, const peer *p) {
    short events = 0;
    if (p->fd >= 0 && !p->ended && !is_held(w, p))
        events |= POLLIN;
    if (p->fd >= 0 && p->out_done < p->out.size)
        events |= POLLOUT;
    return events;
}

/* True: something may have changed. ONE is a node, or HK_MAP_NONE: all. */
static bool poll_peers(hk_wires *w, uint32_t one, int ms) {
    hk_sockets *s = w->sockets;
    nfds_t count = 0;
    for (uint32_t i = 0; i < s->nodes; i++) {
        const peer *p = &s->peers[i];
        short events = events_of(w, p);
        if (events && (i == one || one == HK_MAP_NONE || events & POLLOUT))
            s->polled[count++] = (struct pollfd){.fd = p->fd, .events = events};
    }
    return poll(s->polled, count, ms) > 0;
}

/* All that there is to wait for is a message of FROM: the call that brings it may wait. */
static bool waits_for_one(const hk_wires *w, uint32_t from) {
    const hk_sockets *s = w->sockets;
    if (from == HK_MAP_NONE || !s->peers[from].looks_up)
        return false;
    for (uint32_t i = 0; i < s->nodes; i++)
        if (events_of(w, &s->peers[i]) & POLLOUT)
            return false;
    return events_of(w, &s->peers[from]) == POLLIN;
}

/* Waits for the node that the flow comes from; the others are looked at after a while: each message
 * of each of them would wake us, for nothing. */
static bool wait(void *user, uint64_t seen, uint32_t flow) {
    hk_wires *w = user;
    hk_sockets *s = w->sockets;
    if (s->changes != seen)
        return !hk_wires_must_stop_here(w);
    uint32_t from = flow == HK_MAP_NONE ? HK_MAP_NONE : w->flows->all[flow].from;
    hk_wires_show_wait(w, flow);
    bool one = waits_for_one(w, from);
    if (!(one ? receive(w, from, 0) : poll_peers(w, from, HK_LOOK_MS)))
        hk_wires_in_vain(w);
    for (uint32_t i = 0; i < s->nodes; i++) {
        s->peers[i].dry = one && i == from && s->peers[i].dry;
        if (s->peers[i].fd >= 0)
            (void)flush(&s->peers[i]);
    }
    return !hk_wires_must_stop_here(w);
}

const hk_part_wire hk_sockets_wire = {
    .send = send_frame, .peek = peek, .drop = drop, .changes = changes, .wait = wait};
