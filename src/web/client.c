/* SPDX-License-Identifier: MIT
 *
 * One connection. It begins with a request of HTTP, is answered and ends, or becomes a WebSocket.
 * Whoever is told to go has a moment to read why: a socket that is closed with bytes that nobody
 * has read takes back what was sent, so what still comes is read and thrown away. */
#include "web/client.h"

#include "base/clock.h"
#include "web/accept_key.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_SIZE = 16384, READS_AT_ONCE = 16 };
/* For reading the answer, and for leaving once it is read. */
static const int64_t ANSWER_NS = 10000000000, LEAVE_NS = 500000000;

static const char PROTECTION[] =
    "Content-Security-Policy: default-src 'self'; frame-ancestors 'none'; base-uri 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

/* ---- what waits to be sent ---- */

static void leave(hk_web_client *c) {
    if (c->stage == HK_WEB_TALKING) {
        const hk_web_handler *h = hk_web_handler_of(c->server);
        c->stage = HK_WEB_LEAVING;
        h->closed(h->user, c);
    }
    c->stage = HK_WEB_LEAVING;
    c->deadline = hk_clock_ns() + (hk_web_waiting(c) ? ANSWER_NS : LEAVE_NS);
}

static void vanish(hk_web_client *c) {
    if (c->stage == HK_WEB_TALKING)
        leave(c);
    c->stage = HK_WEB_GONE;
}

static void put(hk_web_client *c, const char *data, size_t size) {
    if (c->out_done == c->out.size)
        c->out_done = c->out.size = 0;
    hk_buffer_put(&c->out, data, size);
}

size_t hk_web_waiting(const hk_web_client *client) {
    HK_ASSERT(client);
    return client->out.size - client->out_done;
}

bool hk_web_client_wants_room(const hk_web_client *client) {
    return hk_web_waiting(client) > 0;
}

/* Bytes that were sent are dropped once they are the larger part. */
static void forget_sent(hk_web_client *c) {
    size_t left = hk_web_waiting(c);
    if (c->out_done < left)
        return;
    memmove(c->out.data, c->out.data + c->out_done, left);
    c->out.size = left;
    c->out_done = 0;
}

static void shut(hk_web_client *c) {
    if (c->shut)
        return;
    shutdown(c->fd, SHUT_WR);
    c->deadline = hk_clock_ns() + LEAVE_NS;
    c->shut = true;
}

void hk_web_client_write(hk_web_client *client) {
    HK_ASSERT(client);
    hk_web_client *c = client;
    while (hk_web_waiting(c)) {
        ssize_t sent = send(c->fd, c->out.data + c->out_done, hk_web_waiting(c), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        if (sent <= 0) {
            vanish(c);
            return;
        }
        c->out_done += (size_t)sent;
    }
    if (c->out.data)
        forget_sent(c);
    if (c->stage == HK_WEB_LEAVING && !hk_web_waiting(c))
        shut(c);
}

/* ---- messages ---- */

void hk_web_send_parts(hk_web_client *client, hk_wire_kind kind, const hk_buffer *head,
                       const char *data, size_t size) {
    HK_ASSERT(client && head && (data || !size));
    unsigned char frame[HK_WIRE_HEAD_MAX];
    size_t all = head->size + size;
    if (client->stage != HK_WEB_TALKING)
        return;
    if (all > HK_WEB_WAITING_MAX || hk_web_waiting(client) > HK_WEB_WAITING_MAX - all) {
        vanish(client);
        return;
    }
    put(client, (const char *)frame, hk_wire_head(kind, all, frame));
    put(client, head->data, head->size);
    put(client, data, size);
}

void hk_web_send(hk_web_client *client, hk_wire_kind kind, const char *data, size_t size) {
    HK_ASSERT(client && (data || !size));
    hk_web_send_parts(client, kind, &(hk_buffer){0}, data, size);
}

void hk_web_end(hk_web_client *client, int why) {
    HK_ASSERT(client);
    const char number[] = {(char)(why >> 8), (char)why};
    if (client->stage != HK_WEB_TALKING)
        return;
    hk_web_send(client, HK_WIRE_CLOSE, number, sizeof number);
    if (client->stage == HK_WEB_TALKING)
        leave(client);
}

void *hk_web_mine(const hk_web_client *client) {
    HK_ASSERT(client);
    return client->mine;
}

void hk_web_set_mine(hk_web_client *client, void *mine) {
    HK_ASSERT(client);
    client->mine = mine;
}

static int take(void *user, hk_wire_kind kind, const char *data, size_t size) {
    hk_web_client *c = user;
    const hk_web_handler *h = hk_web_handler_of(c->server);
    if (c->stage != HK_WEB_TALKING)
        return HK_CLOSE_NORMAL;
    if (kind == HK_WIRE_PING)
        hk_web_send(c, HK_WIRE_PONG, data, size);
    if (kind == HK_WIRE_CLOSE)
        return HK_CLOSE_NORMAL;
    return kind == HK_WIRE_TEXT || kind == HK_WIRE_BINARY ? h->take(h->user, c, kind, data, size)
                                                          : 0;
}

static void talk(hk_web_client *c, const char *data, size_t size) {
    int why = hk_wire_read(&c->reader, data, size, take, c);
    if (why)
        hk_web_end(c, why);
}

/* ---- requests ---- */

static void answer(hk_web_client *c, int status, const hk_web_page *page, bool with_data) {
    char head[1024];
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s%s"
                        "Connection: close\r\n\r\n",
                        status, hk_http_reason(status), page->type, page->size,
                        page->zipped ? "Content-Encoding: gzip\r\n" : "", PROTECTION);
    HK_ASSERT(size > 0 && (size_t)size < sizeof head);
    put(c, head, (size_t)size);
    if (with_data)
        put(c, page->data, page->size);
    leave(c);
}

static void refuse(hk_web_client *c, int status) {
    char text[64];
    int size = snprintf(text, sizeof text, "%d %s\n", status, hk_http_reason(status));
    answer(c, status,
           &(hk_web_page){.type = "text/plain; charset=utf-8", .data = text, .size = (size_t)size},
           true);
}

/* The first of ours that the client offers; NULL: none. */
static const char *choose_protocol(const hk_web_handler *h, hk_http_text offered) {
    for (const char *const *p = h->protocols; *p; p++) {
        hk_http_text list = offered, item;
        while (hk_http_item(&list, &item))
            if (hk_http_is(item, *p))
                return *p;
    }
    return NULL;
}

static void upgrade(hk_web_client *c, const hk_http_request *r) {
    const hk_web_handler *h = hk_web_handler_of(c->server);
    char accept[HK_ACCEPT_SIZE + 1], head[512];
    const char *protocol = choose_protocol(h, r->protocols);
    if (!hk_http_is(r->version, "13")) {
        refuse(c, 426);
        return;
    }
    if (!protocol || !hk_accept_key(r->key, accept)) {
        refuse(c, 400);
        return;
    }
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 101 %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
                        hk_http_reason(101), accept, protocol);
    HK_ASSERT(size > 0 && (size_t)size < sizeof head);
    put(c, head, (size_t)size);
    c->stage = HK_WEB_TALKING;
    h->open(h->user, c);
}

static void serve(hk_web_client *c, const hk_http_request *r) {
    const hk_web_handler *h = hk_web_handler_of(c->server);
    const char *path = NULL;
    hk_web_page page;
    int status = hk_web_judge(c->server, r, &path);
    bool get = hk_http_is(r->method, "GET");
    char name[256]; /* of a page; what is longer is none */
    size_t size = status == 200 ? (size_t)(r->path.at + r->path.size - path) : 0;
    memcpy(name, path ? path : "", size < sizeof name ? size : 0);
    name[size < sizeof name ? size : 0] = '\0';
    if (status == 200 && !get && !hk_http_is(r->method, "HEAD"))
        status = 405;
    if (status == 200 && size >= sizeof name)
        status = 404;
    if (status == 200 && strcmp(name, h->path) == 0 && !r->upgrades)
        status = 426;
    if (status != 200)
        refuse(c, status);
    else if (r->upgrades && strcmp(name, h->path) == 0)
        upgrade(c, r);
    else if (!r->upgrades && h->page(h->user, name, &page))
        answer(c, 200, &page, get);
    else
        refuse(c, 404);
}

static void ask(hk_web_client *c, const char *data, size_t size) {
    size_t room = sizeof c->head - c->head_size, part = size < room ? size : room;
    memcpy(c->head + c->head_size, data, part);
    c->head_size += part;
    hk_http_request request;
    int status = hk_http_read(c->head, c->head_size, &request);
    if (status == 200) {
        serve(c, &request);
        if (c->stage != HK_WEB_TALKING)
            return;
        talk(c, c->head + request.size, c->head_size - request.size);
        if (c->stage == HK_WEB_TALKING && part < size)
            talk(c, data + part, size - part);
    } else if (status) {
        refuse(c, status);
    }
}

void hk_web_client_read(hk_web_client *client) {
    HK_ASSERT(client);
    hk_web_client *c = client;
    char data[READ_SIZE];
    for (int i = 0; i < READS_AT_ONCE && c->stage != HK_WEB_GONE; i++) {
        ssize_t got = recv(c->fd, data, sizeof data, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (got <= 0) {
            vanish(c);
            return;
        }
        if (c->stage == HK_WEB_ASKING)
            ask(c, data, (size_t)got);
        else if (c->stage == HK_WEB_TALKING)
            talk(c, data, (size_t)got);
    }
}

void hk_web_client_hurry(hk_web_client *client, int64_t now) {
    HK_ASSERT(client);
    if (client->stage != HK_WEB_TALKING && now >= client->deadline)
        vanish(client);
}

void hk_web_client_free(hk_web_client *client) {
    if (!client)
        return;
    vanish(client);
    close(client->fd);
    hk_wire_forget(&client->reader);
    hk_free(client->out.data);
    hk_free(client);
}
