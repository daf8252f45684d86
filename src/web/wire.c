/* SPDX-License-Identifier: MIT
 *
 * A frame is a head of 2 to 14 bytes and data. Data of a message go to one buffer, whatever frames
 * they come in; control frames may come between these and have a place of their own. */
#include "web/wire.h"

#include "base/utf8.h"

#include <string.h>

enum { FIN = 0x80, RESERVED = 0x70, OPCODE = 0x0f, MASKED = 0x80, LENGTH = 0x7f, MASK_SIZE = 4 };
enum { CONTROL_MAX = 125, LENGTH_16 = 126, LENGTH_64 = 127, CONTINUED = 0, CONTROL_BIT = 8 };

static size_t head_size(const hk_wire_reader *r) {
    if (r->head_got < 2)
        return 2;
    unsigned length = r->head[1] & LENGTH;
    return 2 + (length == LENGTH_64 ? 8 : length == LENGTH_16 ? 2 : 0) + MASK_SIZE;
}

static uint64_t data_length(const hk_wire_reader *r) {
    uint64_t length = r->head[1] & LENGTH;
    size_t more = length == LENGTH_64 ? 8 : length == LENGTH_16 ? 2 : 0;
    if (more)
        length = 0;
    for (size_t i = 0; i < more; i++)
        length = length << 8 | r->head[2 + i];
    return length;
}

static bool is_control(const hk_wire_reader *r) {
    return r->head[0] & CONTROL_BIT;
}

/* The first two bytes say whether such a frame may come now. */
static int judge_start(const hk_wire_reader *r) {
    int kind = r->head[0] & OPCODE;
    bool known = kind == CONTINUED || kind == HK_WIRE_TEXT || kind == HK_WIRE_BINARY ||
                 (kind >= HK_WIRE_CLOSE && kind <= HK_WIRE_PONG);
    if (!known || r->head[0] & RESERVED || !(r->head[1] & MASKED))
        return HK_CLOSE_PROTOCOL;
    if (is_control(r))
        return !(r->head[0] & FIN) || (r->head[1] & LENGTH) > CONTROL_MAX ? HK_CLOSE_PROTOCOL : 0;
    return (kind == CONTINUED) == (r->message_kind != 0) ? 0 : HK_CLOSE_PROTOCOL;
}

static int begin_data(hk_wire_reader *r) {
    r->length = data_length(r);
    r->got = 0;
    r->in_data = true;
    if (is_control(r))
        return 0;
    if (r->length > HK_WIRE_MESSAGE_MAX - r->message.size)
        return HK_CLOSE_TOO_BIG;
    if ((r->head[0] & OPCODE) != CONTINUED)
        r->message_kind = r->head[0] & OPCODE;
    return 0;
}

static int take_head(hk_wire_reader *r, char byte) {
    r->head[r->head_got++] = (unsigned char)byte;
    if (r->head_got == 2) {
        int refused = judge_start(r);
        if (refused)
            return refused;
    }
    return r->head_got > 2 && r->head_got == head_size(r) ? begin_data(r) : 0;
}

static void take_data(hk_wire_reader *r, const char *data, size_t size) {
    const unsigned char *mask = r->head + head_size(r) - MASK_SIZE;
    char *to = (char *)r->control + r->got;
    if (!is_control(r)) {
        hk_buffer_put(&r->message, data, size);
        to = r->message.data + r->message.size - size;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = (char)(data[i] ^ mask[(r->got + i) % MASK_SIZE]);
    r->got += size;
}

static bool is_text(const char *data, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t length = hk_utf8_length((const unsigned char *)data + at, size - at);
        if (!length)
            return false;
        at += length;
    }
    return true;
}

static int end_frame(hk_wire_reader *r, hk_wire_fn *take, void *user) {
    bool last = r->head[0] & FIN;
    r->in_data = false;
    r->head_got = 0;
    if (is_control(r))
        return take(user, (hk_wire_kind)(r->head[0] & OPCODE), (const char *)r->control,
                    (size_t)r->length);
    if (!last)
        return 0;
    hk_wire_kind kind = (hk_wire_kind)r->message_kind;
    size_t size = r->message.size;
    r->message_kind = 0;
    r->message.size = 0;
    if (kind == HK_WIRE_TEXT && !is_text(r->message.data, size))
        return HK_CLOSE_TEXT;
    return take(user, kind, size ? r->message.data : "", size);
}

int hk_wire_read(hk_wire_reader *reader, const char *data, size_t size, hk_wire_fn *take,
                 void *user) {
    HK_ASSERT(reader && (data || !size) && take);
    hk_wire_reader *r = reader;
    size_t at = 0;
    for (;;) {
        if (r->in_data) {
            uint64_t wanted = r->length - r->got;
            size_t part = wanted < size - at ? (size_t)wanted : size - at;
            if (part)
                take_data(r, data + at, part);
            at += part;
            if (r->got < r->length)
                return 0;
            int closed = end_frame(r, take, user);
            if (closed)
                return closed;
        }
        if (at == size)
            return 0;
        int refused = take_head(r, data[at++]);
        if (refused)
            return refused;
    }
}

void hk_wire_forget(hk_wire_reader *reader) {
    HK_ASSERT(reader);
    hk_free(reader->message.data);
    *reader = (hk_wire_reader){0};
}

size_t hk_wire_head(hk_wire_kind kind, uint64_t size, unsigned char ret_head[HK_WIRE_HEAD_MAX]) {
    HK_ASSERT(ret_head);
    size_t more = size > UINT16_MAX ? 8 : size > CONTROL_MAX ? 2 : 0;
    ret_head[0] = (unsigned char)(FIN | kind);
    ret_head[1] = (unsigned char)(more == 8 ? LENGTH_64 : more == 2 ? LENGTH_16 : size);
    for (size_t i = 0; i < more; i++)
        ret_head[2 + i] = (unsigned char)(size >> 8 * (more - 1 - i));
    return 2 + more;
}
