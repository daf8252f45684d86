/* SPDX-License-Identifier: MIT
 *
 * Messages over a WebSocket (RFC 6455), as the server reads and writes them: no extensions. The
 * reader takes bytes as they come and refuses what is too long before it has arrived. */
#ifndef HK_WEB_WIRE_H
#define HK_WEB_WIRE_H

#include "base/buffer.h"

enum {
    HK_WIRE_MESSAGE_MAX = 1 << 18, /* of a client; what it has to say is short */
    HK_WIRE_HEAD_MAX = 10          /* of a frame of the server */
};

typedef enum hk_wire_kind {
    HK_WIRE_TEXT = 1,
    HK_WIRE_BINARY = 2,
    HK_WIRE_CLOSE = 8,
    HK_WIRE_PING = 9,
    HK_WIRE_PONG = 10
} hk_wire_kind;

/* Why a connection is closed (RFC 6455, 7.4.1). */
enum {
    HK_CLOSE_NORMAL = 1000,
    HK_CLOSE_GONE = 1001,
    HK_CLOSE_PROTOCOL = 1002,
    HK_CLOSE_TEXT = 1007,
    HK_CLOSE_POLICY = 1008,
    HK_CLOSE_TOO_BIG = 1009
};

/* Zeroed before; MESSAGE is freed by hk_wire_forget. */
typedef struct hk_wire_reader {
    unsigned char head[14]; /* of the frame under way */
    size_t head_got;
    uint64_t length, got; /* of its data */
    bool in_data;
    unsigned char control[125]; /* data of a frame between those of a message */
    hk_buffer message;          /* what has come of the message under way */
    int message_kind;           /* 0: none is under way */
} hk_wire_reader;

/* Takes a whole message; what it returns other than 0 closes the connection with that number. */
typedef int hk_wire_fn(void *user, hk_wire_kind kind, const char *data, size_t size);

/* 0, or the number that the connection is to be closed with: nothing may be read after that. */
int hk_wire_read(hk_wire_reader *reader, const char *data, size_t size, hk_wire_fn *take,
                 void *user);
void hk_wire_forget(hk_wire_reader *reader);
/* The head of a frame that holds a whole message of SIZE bytes; returns its own size. */
size_t hk_wire_head(hk_wire_kind kind, uint64_t size, unsigned char ret_head[HK_WIRE_HEAD_MAX]);

#endif
