/* SPDX-License-Identifier: MIT
 *
 * What is sent to clients. Values are for those who keep up: who has not taken what was sent before
 * gets no more of them until it has. */
#include "live/talk.h"

#include "base/clock.h"
#include "base/number.h"

#include <hk/version.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LOOK_MS = 33, BEHIND = 1 << 18 };

void hk_talk_send_text(hk_talk *talk, hk_talk_client *client, hk_foxglove_text *text) {
    HK_ASSERT(talk && client && text);
    talk->message.size = 0;
    hk_foxglove_end(text, &talk->message);
    hk_web_send(client->web, HK_WIRE_TEXT, talk->message.data, talk->message.size);
}

void hk_talk_complain(hk_talk *talk, hk_talk_client *client, const char *text) {
    HK_ASSERT(text);
    hk_foxglove_text status;
    hk_foxglove_begin(&status, "status");
    hk_json_i64(&status.json, "level", 2);
    hk_json_string(&status.json, "message", text);
    hk_talk_send_text(talk, client, &status);
}

void hk_talk_fail(hk_talk *talk, hk_talk_client *client, const hk_foxglove_call *call,
                  const char *text) {
    HK_ASSERT(call && text);
    hk_foxglove_text failure;
    hk_foxglove_begin(&failure, "serviceCallFailure");
    hk_json_u64(&failure.json, "serviceId", call->service);
    hk_json_u64(&failure.json, "callId", call->id);
    hk_json_string(&failure.json, "message", text);
    hk_talk_send_text(talk, client, &failure);
}

const hk_talk_watch *hk_talk_find_watch(const hk_talk_client *client, uint32_t channel) {
    HK_ASSERT(client);
    for (size_t i = 0; i < client->watch_count; i++)
        if (client->watches[i].channel == channel)
            return &client->watches[i];
    return NULL;
}

/* ---- what there is ---- */

static void put_channel(hk_json *json, uint32_t id, const char *topic, const char *schema_name,
                        const char *schema) {
    hk_json_object(json, NULL);
    hk_json_u64(json, "id", id);
    hk_json_string(json, "topic", topic);
    hk_json_string(json, "encoding", "json");
    hk_json_string(json, "schemaName", schema_name);
    hk_json_string(json, "schema", schema);
    hk_json_string(json, "schemaEncoding", "jsonschema");
    hk_json_end(json);
}

static const char *json_type(const hk_watchable *w) {
    switch (w->type) {
    case HK_TYPE_BOOL:
        return "boolean";
    case HK_TYPE_STRING:
        return "string";
    default:
        return "number";
    }
}

/* The properties of a group as a text of JSON. */
static void put_schema(const hk_talk *t, const hk_watchables *group, hk_buffer *to) {
    hk_foxglove_text text;
    hk_foxglove_begin(&text, NULL);
    hk_json_string(&text.json, "type", "object");
    hk_json_object(&text.json, "properties");
    for (uint32_t i = group->first; i < group->end; i++) {
        const hk_watchable *w = &t->catalog->all[i];
        hk_json_object(&text.json, w->inside);
        hk_json_string(&text.json, "type", w->count > 1 ? "array" : json_type(w));
        hk_json_string(&text.json, "title", w->name);
        if (w->unit)
            hk_json_string(&text.json, "description", w->unit);
        hk_json_end(&text.json);
    }
    hk_json_end(&text.json);
    hk_foxglove_end(&text, to);
}

static void put_groups(const hk_talk *t, hk_json *json) {
    hk_arena *arena = hk_arena_create();
    for (uint32_t g = 0; g < t->catalog->group_count; g++) {
        const hk_watchables *group = &t->catalog->groups[g];
        char *topic = hk_arena_printf(arena, "/%s", *group->name ? group->name : "record");
        for (char *c = topic; *c; c++)
            *c = (char)(*c == '.' ? '/' : *c);
        hk_buffer schema = {0};
        put_schema(t, group, &schema);
        schema.data[schema.size - 1] = '\0'; /* in place of the end of the line */
        put_channel(json, HK_CHANNEL_GROUPS + g, topic, topic + 1, schema.data);
        hk_free(schema.data);
    }
    hk_arena_destroy(arena);
}

void hk_talk_advertise_watch(hk_talk *talk, hk_talk_client *client, const hk_talk_watch *watch) {
    HK_ASSERT(watch);
    hk_foxglove_text text;
    char topic[48];
    snprintf(topic, sizeof topic, "/hocket/watch/%u", watch->channel - HK_CHANNEL_WATCHES);
    hk_foxglove_begin(&text, "advertise");
    hk_json_array(&text.json, "channels");
    put_channel(&text.json, watch->channel, topic, "hocket.watch",
                "{\"type\":\"object\",\"properties\":{\"t\":{\"type\":\"number\"},"
                "\"v\":{\"type\":\"array\"}}}");
    hk_json_end(&text.json);
    hk_talk_send_text(talk, client, &text);
}

void hk_talk_unadvertise(hk_talk *talk, hk_talk_client *client, uint32_t channel) {
    HK_ASSERT(talk && client);
    hk_foxglove_text text;
    hk_foxglove_begin(&text, "unadvertise");
    hk_json_array(&text.json, "channelIds");
    hk_json_u64(&text.json, NULL, channel);
    hk_json_end(&text.json);
    hk_talk_send_text(talk, client, &text);
}

static void put_info(const hk_talk *t, hk_json *json) {
    static const char *const capabilities[] = {"time", "parameters", "parametersSubscribe",
                                               "services"};
    char version[32], session[32];
    snprintf(session, sizeof session, "%" PRId64, t->session);
    snprintf(version, sizeof version, "%d.%d.%d", HK_VERSION_MAJOR, HK_VERSION_MINOR,
             HK_VERSION_PATCH);
    hk_json_string(json, "name", t->name);
    hk_json_string(json, "sessionId", session);
    hk_json_array(json, "capabilities");
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        hk_json_string(json, NULL, capabilities[i]);
    hk_json_end(json);
    hk_json_array(json, "supportedEncodings");
    hk_json_string(json, NULL, "json");
    hk_json_end(json);
    hk_json_object(json, "metadata");
    hk_json_string(json, "hocket", version);
    hk_json_string(json, "read_only", t->read_only ? "true" : "false");
    hk_json_end(json);
}

void hk_talk_greet(hk_talk *talk, hk_talk_client *client) {
    HK_ASSERT(talk && client);
    hk_foxglove_text text;
    hk_foxglove_begin(&text, "serverInfo");
    put_info(talk, &text.json);
    hk_talk_send_text(talk, client, &text);
    hk_foxglove_begin(&text, "advertise");
    hk_json_array(&text.json, "channels");
    put_channel(&text.json, HK_CHANNEL_STATE, "/hocket/state", "hocket.state",
                "{\"type\":\"object\"}");
    put_channel(&text.json, HK_CHANNEL_LOG, "/hocket/log", "foxglove.Log", "{\"type\":\"object\"}");
    put_groups(talk, &text.json);
    hk_json_end(&text.json);
    hk_talk_send_text(talk, client, &text);
    hk_foxglove_begin(&text, "advertiseServices");
    hk_services_put(&text.json, talk->read_only);
    hk_talk_send_text(talk, client, &text);
}

/* ---- what is new ---- */

static uint64_t nanoseconds(double t) {
    return t > 0 && t < 1e10 ? (uint64_t)(t * 1e9) : 0;
}

static void send_data(hk_talk *t, const hk_talk_client *c, const hk_subscription *s) {
    t->head.size = 0;
    hk_foxglove_data_head(&t->head, s->id, nanoseconds(t->look.time));
    hk_web_send_parts(c->web, HK_WIRE_BINARY, &t->head, t->message.data, t->message.size);
}

static hk_talk_client *find_client(const hk_talk *t, uint64_t number) {
    for (size_t i = 0; i < t->client_count; i++)
        if (t->clients[i]->number == number)
            return t->clients[i];
    return NULL;
}

/* Parameters that were set are of interest to all who follow them. */
static void send_parameters(hk_talk *t, const hk_order_answer *a) {
    for (size_t i = 0; i < t->client_count; i++) {
        hk_talk_client *c = t->clients[i];
        if (c->number == a->order.client || (a->order.kind == HK_ORDER_SET && c->follows))
            hk_web_send(c->web, HK_WIRE_TEXT, a->text.data, a->text.size);
    }
}

static void send_answers(hk_talk *t) {
    hk_order_answer a;
    while (hk_desk_take_answer(t->desk, &a)) {
        hk_talk_client *c = find_client(t, a.order.client);
        hk_foxglove_call call = {.service = a.order.service, .id = a.order.call};
        hk_buffer_put(&a.text, "", 1);
        a.text.size--;
        if (a.order.kind >= HK_SERVICES && a.good) {
            send_parameters(t, &a);
        } else if (c && a.order.kind >= HK_SERVICES) {
            hk_talk_complain(t, c, a.text.data);
        } else if (c && a.good) {
            t->head.size = 0;
            hk_foxglove_answer_head(&t->head, &call);
            hk_web_send_parts(c->web, HK_WIRE_BINARY, &t->head, a.text.data, a.text.size);
        } else if (c) {
            hk_talk_fail(t, c, &call, a.text.data);
        }
        hk_free(a.text.data);
    }
}

static void send_state(hk_talk *t) {
    hk_desk_read_state(t->desk, &t->state_version, &t->state);
    for (size_t i = 0; i < t->client_count; i++)
        for (size_t k = 0; k < t->clients[i]->subscription_count; k++) {
            hk_subscription *s = &t->clients[i]->subscriptions[k];
            if (s->channel != HK_CHANNEL_STATE || s->version == t->state_version)
                continue;
            s->version = t->state_version;
            t->message.size = 0;
            hk_buffer_put(&t->message, t->state.data, t->state.size);
            send_data(t, t->clients[i], s);
        }
}

static void send_said(hk_talk *t) {
    if (!hk_desk_take_said(t->desk, &t->said))
        return;
    for (size_t at = 0; at < t->said.size;) {
        const char *line = t->said.data + at, *end = memchr(line, '\n', t->said.size - at);
        size_t size = end ? (size_t)(end - line) + 1 : t->said.size - at;
        at += size;
        t->message.size = 0;
        hk_buffer_put(&t->message, line, size);
        for (size_t i = 0; i < t->client_count; i++)
            for (size_t k = 0; k < t->clients[i]->subscription_count; k++)
                if (t->clients[i]->subscriptions[k].channel == HK_CHANNEL_LOG)
                    send_data(t, t->clients[i], &t->clients[i]->subscriptions[k]);
    }
}

/* ---- values ---- */

static void put_text(hk_buffer *to, const char *text) {
    hk_buffer_put(to, text, strlen(text));
}

/* One element of "[1,2,3]". */
static void put_element(hk_buffer *to, const char *text, size_t size, uint32_t element) {
    hk_json_span list = {text, size}, item = {"null", 4};
    for (uint32_t i = 0; i <= element; i++)
        if (!hk_json_element(&list, &item)) {
            put_text(to, "null");
            return;
        }
    hk_buffer_put(to, item.at, item.size);
}

static void put_value(const hk_talk *t, hk_buffer *to, hk_wanted wanted) {
    size_t low = 0, high = t->wanted_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->wanted[middle] < wanted.what)
            low = middle + 1;
        else
            high = middle;
    }
    if (wanted.what == HK_MAP_NONE || low >= t->look.count || t->wanted[low] != wanted.what) {
        put_text(to, "null");
        return;
    }
    size_t begin = low ? t->look.ends[low - 1] : 0;
    const char *text = t->look.text.data + begin;
    size_t size = t->look.ends[low] - begin;
    if (wanted.element == HK_MAP_NONE)
        hk_buffer_put(to, text, size);
    else
        put_element(to, text, size, wanted.element);
}

static void put_time(hk_buffer *to, double time) {
    char text[HK_NUMBER_MAX];
    put_text(to, "{\"t\":");
    hk_buffer_put(to, text, hk_write_f64(time, text));
}

static void put_watch(hk_talk *t, const hk_talk_watch *w) {
    put_time(&t->message, t->look.time);
    put_text(&t->message, ",\"v\":[");
    for (size_t i = 0; i < w->count; i++) {
        if (i)
            put_text(&t->message, ",");
        put_value(t, &t->message, w->wanted[i]);
    }
    put_text(&t->message, "]}");
}

/* A member whose name is any text: the writer of JSON knows how. */
static void put_name(hk_buffer *to, const char *name) {
    hk_foxglove_text text;
    size_t begin = to->size;
    hk_foxglove_begin(&text, NULL);
    hk_json_i64(&text.json, name, 0);
    hk_foxglove_end(&text, to);
    /* "{"name":0}" and the end of the line become ","name":" */
    to->data[begin] = ',';
    to->size -= 3;
}

static void put_group(hk_talk *t, const hk_watchables *group) {
    put_time(&t->message, t->look.time);
    for (uint32_t i = group->first; i < group->end; i++) {
        put_name(&t->message, t->catalog->all[i].inside);
        put_value(t, &t->message, (hk_wanted){i, HK_MAP_NONE});
    }
    put_text(&t->message, "}");
}

static void send_values(hk_talk *t, const hk_talk_client *c) {
    for (size_t k = 0; k < c->subscription_count; k++) {
        const hk_subscription *s = &c->subscriptions[k];
        const hk_talk_watch *watch = hk_talk_find_watch(c, s->channel);
        if (s->channel < HK_CHANNEL_GROUPS)
            continue;
        t->message.size = 0;
        if (watch)
            put_watch(t, watch);
        else
            put_group(t, &t->catalog->groups[s->channel - HK_CHANNEL_GROUPS]);
        send_data(t, c, s);
    }
}

static void send_look(hk_talk *t) {
    if (!hk_desk_take_look(t->desk, &t->look) || t->look.version != t->wanted_version)
        return;
    for (size_t i = 0; i < t->client_count; i++) {
        hk_talk_client *c = t->clients[i];
        if (hk_web_waiting(c->web) > BEHIND)
            continue;
        t->head.size = 0;
        hk_foxglove_time(&t->head, nanoseconds(t->look.time));
        hk_web_send(c->web, HK_WIRE_BINARY, t->head.data, t->head.size);
        send_values(t, c);
    }
}

int hk_talk_turn(void *user) {
    hk_talk *t = user;
    send_answers(t);
    send_state(t);
    send_said(t);
    send_look(t);
    if (!t->wanted_count)
        return -1;
    int64_t now = hk_clock_ns(), since = (now - t->asked) / 1000000;
    if (t->asked && since < LOOK_MS)
        return (int)(LOOK_MS - since);
    t->asked = now;
    hk_desk_ask_look(t->desk);
    return LOOK_MS;
}
