/* SPDX-License-Identifier: MIT
 *
 * Messages over the socket: a size and as many bytes. */
#include "isolate/isolate_internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

static bool send_all(int fd, const void *data, size_t size) {
    for (const char *at = data; size;) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool hk_iso_send(int fd, const hk_buffer *message) {
    uint64_t size = message->size;
    return send_all(fd, &size, sizeof size) && send_all(fd, message->data, message->size);
}

/* Appends SIZE bytes; they come in pieces, so that a size that is not true costs nothing. */
static bool receive_all(int fd, hk_buffer *to, uint64_t size, hk_iso_patience_fn *may_wait,
                        void *user) {
    char piece[16384];
    while (size) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = may_wait ? poll(&p, 1, HK_ISO_LOOK_MS) : 1;
        if (ready == 0 && !may_wait(user) && poll(&p, 1, 0) == 0)
            return false;
        if (ready <= 0)
            continue;
        ssize_t n = recv(fd, piece, size < sizeof piece ? (size_t)size : sizeof piece, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        hk_buffer_put(to, piece, (size_t)n);
        size -= (uint64_t)n;
    }
    return true;
}

bool hk_iso_receive(int fd, hk_buffer *message, hk_iso_patience_fn *may_wait, void *user) {
    uint64_t size = 0;
    message->size = 0;
    if (!receive_all(fd, message, sizeof size, may_wait, user))
        return false;
    memcpy(&size, message->data, sizeof size);
    message->size = 0;
    return receive_all(fd, message, size, may_wait, user);
}

void hk_iso_put_texts(hk_buffer *b, const hk_bytes *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hk_buffer_u64(b, texts[i].data ? texts[i].size : 0);
        if (texts[i].data)
            hk_buffer_put(b, texts[i].data, texts[i].size);
        hk_buffer_put(b, "", 1);
    }
}

/* They stay where they are in the message. */
void hk_iso_take_texts(hk_buffer_source *s, hk_bytes *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t size = hk_source_u64(s);
        s->good = s->good && size < s->left;
        texts[i] = s->good ? (hk_bytes){s->at, (size_t)size} : (hk_bytes){"", 0};
        if (!s->good)
            continue;
        s->at += size + 1;
        s->left -= (size_t)size + 1;
    }
}

void hk_iso_put_value(hk_buffer *b, const hk_value *value) {
    hk_store store = hk_store_of(value->type);
    hk_buffer_u64(b, (uint64_t)value->type);
    hk_buffer_u64(b, value->count);
    if (store == HK_STORE_BYTES)
        hk_iso_put_texts(b, value->data, value->count);
    else
        hk_buffer_put(b, value->data, value->count * hk_store_size(store));
}

/* In the child only, which believes its parent. */
hk_value hk_iso_take_value(hk_buffer_source *s) {
    hk_value v = {.type = (hk_type)hk_source_u64(s)};
    hk_store store = hk_store_of(v.type);
    v.count = (size_t)hk_source_u64(s);
    v.data = hk_arena_alloc(s->arena, v.count * hk_store_size(store) + 1);
    if (store == HK_STORE_BYTES)
        hk_iso_take_texts(s, v.data, v.count);
    else
        hk_source_get(s, v.data, v.count * hk_store_size(store));
    return v;
}
