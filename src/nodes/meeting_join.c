/* SPDX-License-Identifier: MIT
 *
 * A node's side of a meeting. It reads no byte more than a greeting has: with those that follow
 * come descriptors. */
#include "nodes/meeting.h"

#include "base/descriptors.h"
#include "nodes/meeting_place.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 320 };

typedef struct visit {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_meeting *meeting;
    const char *path;
    int fd;
    hk_buffer in; /* of the greeting that is coming */
} visit;

/* Adds bytes up to SIZE; does not wait. */
static hk_heard read_up_to(int fd, hk_buffer *in, size_t size) {
    char piece[4096];
    while (in->size < size) {
        size_t most = size - in->size < sizeof piece ? size - in->size : sizeof piece;
        ssize_t n = recv(fd, piece, most, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return HK_HEARD_NOT_YET;
        if (n <= 0)
            return HK_HEARD_END;
        hk_buffer_put(in, piece, (size_t)n);
    }
    return HK_HEARD;
}

hk_heard hk_meeting_hear(hk_arena *arena, int fd, hk_buffer *in, hk_greeting *ret_greeting) {
    HK_ASSERT(arena && in && ret_greeting);
    hk_heard head = read_up_to(fd, in, HK_GREETING_HEAD);
    if (head != HK_HEARD)
        return head;
    size_t size = hk_greeting_size(in->data);
    if (!size)
        return HK_HEARD_WRONG;
    hk_heard all = read_up_to(fd, in, size);
    if (all != HK_HEARD)
        return all;
    bool good = hk_greeting_read(arena, in->data, size, ret_greeting);
    in->size = 0;
    return good ? HK_HEARD : HK_HEARD_WRONG;
}

static const char *host_of(const visit *v) {
    return v->meeting->host ? v->meeting->host : "the recorder";
}

static hk_status wrong(const visit *v) {
    return hk_error(v->ctx, HK_E_MEETING, (hk_where){.file = v->path},
                    "name another place with --meet",
                    "who waits at the place to meet does not speak as %s does", host_of(v));
}

static bool say_hello(const visit *v) {
    return hk_meeting_greet(v->fd, &(hk_greeting){.number = v->meeting->meet->number,
                                                  .agreement = *v->meeting->agreement});
}

static hk_status compare(const visit *v, const hk_greeting *g) {
    const char *difference = hk_greeting_difference(v->arena, v->meeting->agreement, g);
    if (!difference)
        return HK_OK;
    return hk_error(v->ctx, HK_E_MEETING, (hk_where){.file = v->path},
                    "all nodes are started with the same hocket, files and options",
                    "%s has something else than %s: %s", host_of(v),
                    v->meeting->guest ? v->meeting->guest : "this node", difference);
}

/* Waits for the next greeting; *RET_END: nobody is there any more. */
static hk_status await(visit *v, hk_patience *patience, const char *for_whom, hk_greeting *ret_g,
                       bool *ret_end) {
    *ret_end = false;
    for (;;) {
        hk_heard h = hk_meeting_hear(v->arena, v->fd, &v->in, ret_g);
        if (h == HK_HEARD)
            return HK_OK;
        if (h == HK_HEARD_WRONG)
            return wrong(v);
        *ret_end = h == HK_HEARD_END;
        if (*ret_end)
            return HK_OK;
        struct pollfd one = {.fd = v->fd, .events = POLLIN};
        (void)poll(&one, 1, HK_MEETING_LOOK_MS);
        HK_TRY(hk_patience_look(v->ctx, patience, for_whom));
    }
}

/* Somebody waits there: is it our run? *RET_AGREED is false if it closed before it said so. */
static hk_status greet(visit *v, hk_patience *patience, bool *ret_agreed) {
    hk_greeting g = {0};
    bool end = !say_hello(v);
    *ret_agreed = false;
    if (!end)
        HK_TRY(await(v, patience, host_of(v), &g, &end));
    if (end)
        return HK_OK;
    if (g.protocol == HK_GREETING_PROTOCOL && (g.kind != HK_GREETING_HELLO || g.number != 0))
        return hk_agreement_finish(&g.agreement), wrong(v);
    hk_status status = compare(v, &g);
    hk_agreement_finish(&g.agreement);
    *ret_agreed = status == HK_OK;
    return status;
}

/* Until the recorder is there and has the same. */
static hk_status find_recorder(visit *v, hk_patience *patience) {
    for (bool agreed = false; !agreed;) {
        HK_TRY(hk_meeting_reach(v->ctx, v->path, &v->fd));
        if (v->fd >= 0)
            HK_TRY(greet(v, patience, &agreed));
        if (agreed)
            break;
        if (v->fd >= 0)
            close(v->fd);
        v->fd = -1;
        v->in.size = 0;
        (void)poll(NULL, 0, HK_MEETING_LOOK_MS);
        HK_TRY(hk_patience_look(v->ctx, patience, host_of(v)));
    }
    return HK_OK;
}

static hk_status take_descriptors(const visit *v, uint64_t count, int **ret_all,
                                  size_t *ret_count) {
    if (count > DESCRIPTORS_MAX)
        return wrong(v);
    int *all = hk_alloc((count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i] = hk_descriptor_take(v->fd);
        if (all[i] >= 0)
            continue;
        while (i)
            close(all[--i]);
        hk_free(all);
        return wrong(v);
    }
    *ret_all = all;
    *ret_count = count;
    return HK_OK;
}

static hk_status join(visit *v, hk_patience *patience, int **ret_descriptors, size_t *ret_count) {
    hk_greeting g = {0};
    bool end = false;
    HK_TRY(find_recorder(v, patience));
    HK_TRY(await(v, patience, "the other nodes", &g, &end));
    if (end)
        return hk_error(v->ctx, HK_E_NODE_LOST, (hk_where){.file = v->path}, NULL,
                        "the recorder is gone before the run began");
    hk_agreement_finish(&g.agreement);
    if (g.kind == HK_GREETING_REFUSE)
        return hk_error(v->ctx, HK_E_MEETING, (hk_where){.file = v->path},
                        g.number ? "give each node its own --number" : NULL,
                        g.number ? "the recorder has sent this node away: %s"
                                 : "the recorder does not begin: %s",
                        g.text);
    return g.kind == HK_GREETING_BEGIN ? take_descriptors(v, g.number, ret_descriptors, ret_count)
                                       : wrong(v);
}

typedef struct given {
    int **descriptors; /* NULL: none are waited for */
    size_t *count;
} given;

static hk_status visit_place(hk_ctx *ctx, const hk_meeting *meeting, given ret_given, int *ret_fd) {
    visit v = {.ctx = ctx, .arena = hk_arena_create(), .meeting = meeting, .fd = -1};
    hk_status status = hk_meeting_path(ctx, v.arena, meeting->meet->place, &v.path);
    if (status == HK_OK) {
        hk_patience patience = hk_patience_begin(meeting, v.path);
        status = ret_given.descriptors ? join(&v, &patience, ret_given.descriptors, ret_given.count)
                                       : find_recorder(&v, &patience);
        hk_patience_end();
    }
    if (status != HK_OK && v.fd >= 0)
        close(v.fd);
    else if (status == HK_OK)
        *ret_fd = v.fd;
    hk_free(v.in.data);
    hk_arena_destroy(v.arena);
    return status;
}

hk_status hk_meeting_join(hk_ctx *ctx, const hk_meeting *meeting, int *ret_fd,
                          int **ret_descriptors, size_t *ret_count) {
    HK_ASSERT(ctx && meeting && meeting->meet->number && ret_fd && ret_descriptors && ret_count);
    return visit_place(ctx, meeting, (given){ret_descriptors, ret_count}, ret_fd);
}

hk_status hk_meeting_visit(hk_ctx *ctx, const hk_meeting *meeting, int *ret_fd) {
    HK_ASSERT(ctx && meeting && meeting->meet->number && ret_fd);
    return visit_place(ctx, meeting, (given){0}, ret_fd);
}

bool hk_meeting_hear_end(hk_arena *arena, int fd, hk_greeting *ret_ended) {
    HK_ASSERT(arena && ret_ended);
    hk_buffer in = {0};
    hk_heard h;
    while ((h = hk_meeting_hear(arena, fd, &in, ret_ended)) == HK_HEARD_NOT_YET) {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        (void)poll(&one, 1, HK_MEETING_LOOK_MS);
    }
    hk_free(in.data);
    if (h == HK_HEARD)
        hk_agreement_finish(&ret_ended->agreement);
    return h == HK_HEARD && ret_ended->protocol == HK_GREETING_PROTOCOL &&
           ret_ended->kind == HK_GREETING_ENDED;
}
