/* SPDX-License-Identifier: MIT
 *
 * The WebSocket protocol of Foxglove, as a server speaks it: texts of JSON, and short binary heads.
 * What a client says is read without being copied; what the server says is written into buffers. */
#ifndef HK_WEB_FOXGLOVE_H
#define HK_WEB_FOXGLOVE_H

#include "base/buffer.h"
#include "format/json.h"
#include "format/json_read.h"

/* Sub-protocols that clients ask for, the newer one first; NULL ends them. */
extern const char *const hk_foxglove_protocols[];

typedef enum hk_foxglove_op {
    HK_FOXGLOVE_SUBSCRIBE,         /* items: {"id": 1, "channelId": 2} */
    HK_FOXGLOVE_UNSUBSCRIBE,       /* items: numbers of subscriptions */
    HK_FOXGLOVE_GET_PARAMETERS,    /* items: names; none: all */
    HK_FOXGLOVE_SET_PARAMETERS,    /* items: {"name": ..., "value": ...} */
    HK_FOXGLOVE_FOLLOW_PARAMETERS, /* items: names */
    HK_FOXGLOVE_LEAVE_PARAMETERS,
    HK_FOXGLOVE_OTHER /* what was not offered to it, and may be asked all the same */
} hk_foxglove_op;

/* All lie in the text that was read. */
typedef struct hk_foxglove_said {
    hk_foxglove_op op;
    hk_json_span name;  /* of the op, in quotes */
    hk_json_span items; /* an array; size 0: none was given */
    hk_json_span id;    /* of the question; size 0: it has none */
} hk_foxglove_said;

/* False: the text is not JSON, or not an object with an "op". */
bool hk_foxglove_read(const char *text, size_t size, hk_foxglove_said *ret_said);
/* Of an object that is an item. False: it has no such number. */
bool hk_foxglove_number(hk_json_span object, const char *name, uint32_t *ret_number);
hk_json_span hk_foxglove_member(hk_json_span object, const char *name); /* size 0: none */

/* A call of a service. */
typedef struct hk_foxglove_call {
    uint32_t service, id;
    hk_json_span request; /* the bytes; not looked at */
    bool json;            /* their encoding */
} hk_foxglove_call;

/* False: the bytes are not a call. */
bool hk_foxglove_read_call(const char *data, size_t size, hk_foxglove_call *ret_call);

/* Heads of binary messages: data of a subscription, the time, the answer to a call. TIME_NS is that
 * of the simulation. */
void hk_foxglove_data_head(hk_buffer *to, uint32_t subscription, uint64_t time_ns);
void hk_foxglove_time(hk_buffer *to, uint64_t time_ns);
void hk_foxglove_answer_head(hk_buffer *to, const hk_foxglove_call *call);

/* A text that a writer of JSON fills: begin, write members with JSON, end. The buffer is the
 * caller's. */
typedef struct hk_foxglove_text {
    hk_json json;
    FILE *out;
    char *data;
    size_t size;
} hk_foxglove_text;

void hk_foxglove_begin(hk_foxglove_text *text, const char *op); /* NULL: an object without one */
void hk_foxglove_end(hk_foxglove_text *text, hk_buffer *to);
#endif
