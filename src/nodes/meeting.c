/* SPDX-License-Identifier: MIT
 *
 * The recorder's side of a meeting, and what both sides use. Whoever connects is a guest until it
 * has said who it is. One that says something else is sent away, and does no harm; one that has
 * read something else ends the meeting, with one message on both sides. */
#include "nodes/meeting.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "nodes/meeting_place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Who has not said who it is after so long is sent away. */
static const int64_t HELLO_NS = 5000000000;
enum { GUESTS_MAX = 320, SEND_MS = 2000 };

typedef struct guest {
    int fd;
    uint32_t number; /* of the node; 0: it has not said yet */
    int64_t since_ns;
    hk_buffer in;
} guest;

typedef struct host {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_meeting *meeting;
    hk_meeting_host place;
    hk_buffer hello;
    guest guests[GUESTS_MAX];
    size_t guest_count;
    bool warned; /* of strangers: once */
} host;

/* ---- bytes ---- */

bool hk_meeting_send(int fd, const void *data, size_t size) {
    HK_ASSERT(data || !size);
    const char *at = data;
    while (size) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n > 0) {
            at += n;
            size -= (size_t)n;
            continue;
        }
        struct pollfd room = {.fd = fd, .events = POLLOUT};
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK) || poll(&room, 1, SEND_MS) == 0)
            return false;
    }
    return true;
}

bool hk_meeting_greet(int fd, const hk_greeting *g) {
    HK_ASSERT(g);
    hk_buffer b = {0};
    hk_greeting_write(g, &b);
    bool sent = hk_meeting_send(fd, b.data, b.size);
    hk_free(b.data);
    return sent;
}

bool hk_meeting_begin(int fd, const int *descriptors, size_t count) {
    HK_ASSERT(descriptors || !count);
    bool good = hk_meeting_greet(fd, &(hk_greeting){.kind = HK_GREETING_BEGIN, .number = count});
    for (size_t i = 0; i < count && good; i++)
        good = hk_descriptor_send(fd, descriptors[i]);
    return good;
}

void hk_meeting_end(int fd, hk_status status, const char *text) {
    HK_ASSERT(fd >= 0);
    (void)hk_meeting_greet(fd, &(hk_greeting){.kind = HK_GREETING_ENDED,
                                              .number = (uint64_t)status,
                                              .text = text ? text : ""});
}

/* ---- guests ---- */

static void send_away(host *h, size_t index) {
    close(h->guests[index].fd);
    hk_free(h->guests[index].in.data);
    h->guests[index] = h->guests[--h->guest_count];
}

static void send_all_away(host *h, const char *why) {
    while (h->guest_count) {
        if (why)
            (void)hk_meeting_greet(h->guests[0].fd,
                                   &(hk_greeting){.kind = HK_GREETING_REFUSE, .text = why});
        send_away(h, 0);
    }
}

static void warn_of_stranger(host *h, const char *why) {
    if (!h->warned)
        hk_warn(h->ctx, HK_E_MEETING, (hk_where){.file = h->place.path}, NULL,
                "somebody who came to the place to meet %s, and was sent away", why);
    h->warned = true;
}

static void welcome(host *h) {
    for (;;) {
        int fd = accept(h->place.socket, NULL, NULL);
        if (fd < 0)
            return;
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        (void)fcntl(fd, F_SETFL, O_NONBLOCK);
        const char *why = NULL;
        if (!hk_meeting_is_ours(fd))
            why = "belongs to another user";
        else if (h->guest_count == GUESTS_MAX)
            why = "found too many others there";
        if (why || !hk_meeting_send(fd, h->hello.data, h->hello.size)) {
            if (why)
                warn_of_stranger(h, why);
            close(fd);
            continue;
        }
        h->guests[h->guest_count++] = (guest){.fd = fd, .since_ns = hk_clock_ns()};
    }
}

static bool is_there(const host *h, uint64_t number) {
    for (size_t i = 0; i < h->guest_count; i++)
        if (h->guests[i].number == number)
            return true;
    return false;
}

/* Somebody has said who it is. Not HK_OK: nobody begins. */
static hk_status meet(host *h, size_t index, const hk_greeting *g) {
    guest *x = &h->guests[index];
    const char *difference = hk_greeting_difference(h->arena, h->meeting->agreement, g);
    hk_where where = {.file = h->place.path};
    if (difference)
        return hk_error(h->ctx, HK_E_MEETING, where,
                        "all nodes are started with the same hocket, files and options",
                        "%s has something else than this run: %s",
                        g->protocol == HK_GREETING_PROTOCOL
                            ? hk_arena_printf(h->arena, "node %llu", (unsigned long long)g->number)
                            : "a node",
                        difference);
    const char *why = NULL;
    if (g->kind != HK_GREETING_HELLO || g->number < 1 || g->number > h->meeting->count) {
        warn_of_stranger(h, "is not a node of this run");
        why = "the recorder has no such node";
    } else if (is_there(h, g->number)) {
        hk_warn(h->ctx, HK_E_MEETING, where, "give each node its own --number",
                "node %llu came twice, and the second was sent away",
                (unsigned long long)g->number);
        why = hk_arena_printf(h->arena, "node %llu of this run is there already",
                              (unsigned long long)g->number);
    }
    if (why) {
        (void)hk_meeting_greet(
            x->fd, &(hk_greeting){.kind = HK_GREETING_REFUSE, .number = g->number, .text = why});
        send_away(h, index);
        return HK_OK;
    }
    x->number = (uint32_t)g->number;
    return HK_OK;
}

/* All that has come from a guest; false: it sends nothing more. */
static bool take_bytes(guest *x) {
    char piece[4096];
    while (x->in.size <= HK_GREETING_HEAD + HK_GREETING_MAX) {
        ssize_t n = recv(x->fd, piece, sizeof piece, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        hk_buffer_put(&x->in, piece, (size_t)n);
    }
    return true;
}

/* *RET_STAYS is false if the guest was sent away. One that has said something else and is gone has
 * found the difference itself: it is heard all the same. */
static hk_status listen_to(host *h, size_t index, bool *ret_stays) {
    guest *x = &h->guests[index];
    bool more = take_bytes(x), speaks_on = x->number && x->in.size;
    size_t size = x->in.size < HK_GREETING_HEAD ? SIZE_MAX : hk_greeting_size(x->in.data);
    hk_greeting g = {0};
    *ret_stays = true;
    if (!x->number && size == x->in.size && hk_greeting_read(h->arena, x->in.data, size, &g)) {
        size_t guests = h->guest_count;
        x->in.size = 0;
        hk_status status = meet(h, index, &g);
        hk_agreement_finish(&g.agreement);
        *ret_stays = h->guest_count == guests;
        return status;
    }
    if (speaks_on || size <= x->in.size)
        warn_of_stranger(h, "did not speak as a node does");
    if (speaks_on || size <= x->in.size || !more) {
        send_away(h, index);
        *ret_stays = false;
    }
    return HK_OK;
}

static size_t count_met(const host *h) {
    size_t count = 0;
    for (size_t i = 0; i < h->guest_count; i++)
        count += h->guests[i].number > 0;
    return count;
}

static const char *who_is_missing(const host *h) {
    const char *names = NULL;
    size_t missing = h->meeting->count - count_met(h);
    for (uint32_t n = 1; n <= h->meeting->count; n++) {
        if (is_there(h, n))
            continue;
        names = hk_arena_printf(h->arena, "%s%s%u",
                                names         ? names
                                : missing > 1 ? "nodes "
                                              : "node ",
                                names ? ", " : "", n);
    }
    return hk_arena_printf(h->arena, "%s of %u", names, h->meeting->count);
}

/* Who has come, or has said something, since we looked last. */
static hk_status look(host *h) {
    struct pollfd polled[GUESTS_MAX + 1] = {{.fd = h->place.socket, .events = POLLIN}};
    for (size_t i = 0; i < h->guest_count; i++)
        polled[i + 1] = (struct pollfd){.fd = h->guests[i].fd, .events = POLLIN};
    if (poll(polled, h->guest_count + 1, HK_MEETING_LOOK_MS) < 0)
        return HK_OK;
    for (size_t i = 0; i < h->guest_count;) {
        bool stays = true;
        HK_TRY(listen_to(h, i, &stays));
        if (stays && !h->guests[i].number && hk_clock_ns() > h->guests[i].since_ns + HELLO_NS) {
            warn_of_stranger(h, "did not say who it is");
            send_away(h, i);
            stays = false;
        }
        i += stays;
    }
    if (polled[0].revents)
        welcome(h);
    return HK_OK;
}

static hk_status wait_for_all(host *h, hk_patience *patience) {
    hk_status status = HK_OK;
    while (status == HK_OK && count_met(h) < h->meeting->count) {
        status = look(h);
        if (status == HK_OK && count_met(h) < h->meeting->count)
            status = hk_patience_look(h->ctx, patience, who_is_missing(h));
    }
    return status;
}

/* The last error, for those who wait. */
static const char *reason(const hk_ctx *ctx) {
    const char *text = "the recorder does not begin";
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        if (hk_ctx_diag(ctx, i)->severity == HK_ERROR)
            text = hk_ctx_diag(ctx, i)->text;
    return text;
}

hk_status hk_meeting_hold(hk_ctx *ctx, const hk_meeting *meeting, int *ret_fds) {
    HK_ASSERT(ctx && meeting && meeting->meet->place && !meeting->meet->number && ret_fds);
    hk_arena *arena = hk_arena_create();
    host *h = hk_alloc(sizeof *h);
    *h = (host){.ctx = ctx, .arena = arena, .meeting = meeting};
    h->place.folder = h->place.socket = -1;
    const char *path = NULL;
    hk_greeting_write(&(hk_greeting){.agreement = *meeting->agreement}, &h->hello);
    hk_status status = hk_meeting_path(ctx, arena, meeting->meet->place, &path);
    hk_patience patience = hk_patience_begin(meeting, path); /* before the place is there */
    if (status == HK_OK)
        status = hk_meeting_open(ctx, arena, path, &h->place);
    if (status == HK_OK)
        status = wait_for_all(h, &patience);
    for (size_t i = 0; i < h->guest_count && status == HK_OK; i++)
        if (h->guests[i].number) {
            ret_fds[h->guests[i].number - 1] = h->guests[i].fd;
            hk_free(h->guests[i].in.data);
            h->guests[i] = h->guests[--h->guest_count];
            i--; /* the last one is here now */
        }
    send_all_away(h, status != HK_OK ? reason(ctx) : NULL);
    hk_meeting_close(&h->place);
    hk_patience_end();
    hk_free(h->hello.data);
    hk_free(h);
    hk_arena_destroy(arena);
    return status;
}
