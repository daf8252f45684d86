/* SPDX-License-Identifier: MIT
 *
 * Numbers in binary messages are little-endian, whatever the machine. */
#include "web/foxglove.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const hk_foxglove_protocols[] = {"foxglove.sdk.v1", "foxglove.websocket.v1", NULL};

enum { DATA = 1, TIME = 2, ANSWER = 3, CALL = 2 }; /* the last one comes from clients */

/* ---- what clients say ---- */

static const struct {
    const char *name, *items;
    hk_foxglove_op op;
} ops[] = {{"subscribe", "subscriptions", HK_FOXGLOVE_SUBSCRIBE},
           {"unsubscribe", "subscriptionIds", HK_FOXGLOVE_UNSUBSCRIBE},
           {"getParameters", "parameterNames", HK_FOXGLOVE_GET_PARAMETERS},
           {"setParameters", "parameters", HK_FOXGLOVE_SET_PARAMETERS},
           {"subscribeParameterUpdates", "parameterNames", HK_FOXGLOVE_FOLLOW_PARAMETERS},
           {"unsubscribeParameterUpdates", "parameterNames", HK_FOXGLOVE_LEAVE_PARAMETERS}};

hk_json_span hk_foxglove_member(hk_json_span object, const char *name) {
    HK_ASSERT(name);
    hk_json_span member, value;
    if (!object.size || object.at[0] != '{')
        return (hk_json_span){0};
    while (hk_json_next_member(&object, &member, &value))
        if (hk_json_is_string(member, name))
            return value;
    return (hk_json_span){0};
}

bool hk_foxglove_number(hk_json_span object, const char *name, uint32_t *ret_number) {
    HK_ASSERT(name && ret_number);
    double value;
    hk_json_span found = hk_foxglove_member(object, name);
    if (!found.size || !hk_json_number(found, &value) || !(value >= 0) || value > UINT32_MAX ||
        value != floor(value))
        return false;
    *ret_number = (uint32_t)value;
    return true;
}

/* The value of a text that was checked, without the space around it. */
static hk_json_span whole(const char *text, size_t size) {
    while (size && strchr(" \t\r\n", text[0])) {
        text++;
        size--;
    }
    return (hk_json_span){text, size};
}

bool hk_foxglove_read(const char *text, size_t size, hk_foxglove_said *ret_said) {
    HK_ASSERT(text && ret_said);
    hk_json_fault fault;
    if (!hk_json_check(text, size, &fault))
        return false;
    hk_json_span all = whole(text, size);
    hk_foxglove_said said = {.op = HK_FOXGLOVE_OTHER, .name = hk_foxglove_member(all, "op")};
    if (!said.name.size || said.name.at[0] != '"')
        return false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (hk_json_is_string(said.name, ops[i].name)) {
            said.op = ops[i].op;
            said.items = hk_foxglove_member(all, ops[i].items);
            if (said.items.size && said.items.at[0] != '[')
                return false;
        }
    said.id = hk_foxglove_member(all, "id");
    *ret_said = said;
    return true;
}

static uint32_t read_u32(const char *data) {
    uint32_t value = 0;
    for (size_t i = 4; i-- > 0;)
        value = value << 8 | (unsigned char)data[i];
    return value;
}

bool hk_foxglove_read_call(const char *data, size_t size, hk_foxglove_call *ret_call) {
    HK_ASSERT((data || !size) && ret_call);
    enum { HEAD = 13 }; /* kind, service, call, length of the encoding */
    if (size < HEAD || data[0] != CALL)
        return false;
    size_t length = read_u32(data + 9);
    if (length > size - HEAD)
        return false;
    *ret_call = (hk_foxglove_call){.service = read_u32(data + 1),
                                   .id = read_u32(data + 5),
                                   .request = {data + HEAD + length, size - HEAD - length},
                                   .json = length == 4 && memcmp(data + HEAD, "json", 4) == 0};
    return true;
}

/* ---- what the server says ---- */

static void put_number(hk_buffer *to, uint64_t value, size_t size) {
    char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(value >> 8 * i);
    hk_buffer_put(to, bytes, size);
}

void hk_foxglove_data_head(hk_buffer *to, uint32_t subscription, uint64_t time_ns) {
    HK_ASSERT(to);
    put_number(to, DATA, 1);
    put_number(to, subscription, 4);
    put_number(to, time_ns, 8);
}

void hk_foxglove_time(hk_buffer *to, uint64_t time_ns) {
    HK_ASSERT(to);
    put_number(to, TIME, 1);
    put_number(to, time_ns, 8);
}

void hk_foxglove_answer_head(hk_buffer *to, const hk_foxglove_call *call) {
    HK_ASSERT(to && call);
    put_number(to, ANSWER, 1);
    put_number(to, call->service, 4);
    put_number(to, call->id, 4);
    put_number(to, 4, 4);
    hk_buffer_put(to, "json", 4);
}

void hk_foxglove_begin(hk_foxglove_text *text, const char *op) {
    HK_ASSERT(text);
    *text = (hk_foxglove_text){0};
    text->out = open_memstream(&text->data, &text->size);
    HK_ASSERT(text->out); /* out of memory */
    hk_json_begin(&text->json, text->out);
    hk_json_object(&text->json, NULL);
    if (op)
        hk_json_string(&text->json, "op", op);
}

void hk_foxglove_end(hk_foxglove_text *text, hk_buffer *to) {
    HK_ASSERT(text && text->out && to);
    hk_json_end(&text->json);
    fclose(text->out);
    hk_buffer_put(to, text->data, text->size);
    free(text->data);
    *text = (hk_foxglove_text){0};
}
