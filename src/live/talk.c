/* SPDX-License-Identifier: MIT
 *
 * What clients say. Who says something that makes no sense is told so; what could fill the memory
 * is refused. */
#include "live/talk.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* ---- what all of them want together ---- */

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

typedef struct numbers {
    uint32_t *all;
    size_t count, cap;
} numbers;

static void want_channel(const hk_talk *t, const hk_talk_client *c, uint32_t channel,
                         numbers *list) {
    const hk_talk_watch *watch = hk_talk_find_watch(c, channel);
    for (size_t i = 0; watch && i < watch->count; i++)
        if (watch->wanted[i].what != HK_MAP_NONE)
            HK_PUSH(list->all, list->count, list->cap, watch->wanted[i].what);
    if (watch || channel < HK_CHANNEL_GROUPS)
        return;
    const hk_watchables *group = &t->catalog->groups[channel - HK_CHANNEL_GROUPS];
    for (uint32_t i = group->first; i < group->end; i++)
        HK_PUSH(list->all, list->count, list->cap, i);
}

static void gather(hk_talk *t) {
    numbers list = {0};
    for (size_t i = 0; i < t->client_count; i++)
        for (size_t k = 0; k < t->clients[i]->subscription_count; k++)
            want_channel(t, t->clients[i], t->clients[i]->subscriptions[k].channel, &list);
    if (list.count)
        qsort(list.all, list.count, sizeof *list.all, by_number);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++)
        if (!kept || list.all[kept - 1] != list.all[i])
            list.all[kept++] = list.all[i];
    hk_free(t->wanted);
    t->wanted = list.all;
    t->wanted_count = kept;
    t->wanted_version++;
    t->asked = 0; /* now */
    hk_desk_want(t->desk, t->wanted, kept);
}

/* ---- subscriptions ---- */

static bool is_channel(const hk_talk *t, const hk_talk_client *c, uint32_t channel) {
    if (channel >= HK_CHANNEL_WATCHES)
        return hk_talk_find_watch(c, channel) != NULL;
    return channel >= HK_CHANNEL_STATE && channel < HK_CHANNEL_GROUPS + t->catalog->group_count;
}

/* Its channel; 0, which is none: there is no such subscription. */
static uint32_t drop_subscription(hk_talk_client *c, uint32_t id) {
    size_t kept = 0;
    uint32_t channel = 0;
    for (size_t i = 0; i < c->subscription_count; i++)
        if (c->subscriptions[i].id != id)
            c->subscriptions[kept++] = c->subscriptions[i];
        else
            channel = c->subscriptions[i].channel;
    c->subscription_count = kept;
    return channel;
}

static void subscribe(hk_talk *t, hk_talk_client *c, hk_json_span items) {
    hk_json_span item;
    while (items.size && hk_json_element(&items, &item)) {
        hk_subscription s = {0};
        if (!hk_foxglove_number(item, "id", &s.id) ||
            !hk_foxglove_number(item, "channelId", &s.channel) || !is_channel(t, c, s.channel)) {
            hk_talk_complain(t, c, "there is no such channel to subscribe to");
            continue;
        }
        (void)drop_subscription(c, s.id);
        if (c->subscription_count >= HK_TALK_MANY) {
            hk_talk_complain(t, c, "too many subscriptions");
            break;
        }
        HK_PUSH(c->subscriptions, c->subscription_count, c->subscription_cap, s);
    }
    gather(t);
}

static bool is_subscribed(const hk_talk_client *c, uint32_t channel) {
    for (size_t i = 0; i < c->subscription_count; i++)
        if (c->subscriptions[i].channel == channel)
            return true;
    return false;
}

/* Channels that the client has made, and looks at no more. */
static void drop_watch(hk_talk *t, hk_talk_client *c, uint32_t channel) {
    size_t kept = 0;
    for (size_t i = 0; i < c->watch_count; i++) {
        if (c->watches[i].channel == channel)
            hk_free(c->watches[i].wanted);
        else
            c->watches[kept++] = c->watches[i];
    }
    if (kept < c->watch_count)
        hk_talk_unadvertise(t, c, channel);
    c->watch_count = kept;
}

static void unsubscribe(hk_talk *t, hk_talk_client *c, hk_json_span items) {
    hk_json_span item;
    double id;
    while (items.size && hk_json_element(&items, &item)) {
        if (!hk_json_number(item, &id) || !(id >= 0 && id <= UINT32_MAX))
            continue;
        uint32_t channel = drop_subscription(c, (uint32_t)id);
        if (!is_subscribed(c, channel))
            drop_watch(t, c, channel);
    }
    gather(t);
}

/* ---- calls ---- */

static void ask(hk_talk *t, const hk_talk_client *c, hk_order order, hk_json_span text) {
    order.client = c->number;
    hk_buffer_put(&order.text, text.at, text.size);
    hk_buffer_put(&order.text, "", 1); /* a NUL that does not count */
    order.text.size--;
    hk_desk_ask(t->desk, &order);
}

/* Makes a channel that has just the values that were named. */
static void watch(hk_talk *t, hk_talk_client *c, const hk_foxglove_call *call) {
    hk_json_span list = hk_foxglove_member(call->request, "signals"), item;
    hk_talk_watch w = {.channel = t->next_channel++};
    hk_arena *arena = hk_arena_create();
    size_t cap = 0;
    if (list.size && list.at[0] == '[')
        while (w.count < HK_TALK_MANY && hk_json_element(&list, &item)) {
            size_t size = 0;
            const char *name = hk_json_decode(arena, item, &size);
            hk_wanted found = hk_catalog_find(t->catalog, name ? name : "", name ? size : 0);
            HK_PUSH(w.wanted, w.count, cap, found);
        }
    hk_arena_destroy(arena);
    if (c->watch_count >= HK_TALK_MANY) {
        hk_free(w.wanted);
        hk_talk_fail(t, c, call, "too many watches");
        return;
    }
    HK_PUSH(c->watches, c->watch_count, c->watch_cap, w);
    hk_talk_advertise_watch(t, c, &w);
    hk_foxglove_text text;
    hk_foxglove_begin(&text, NULL);
    hk_json_i64(&text.json, "channel", w.channel);
    hk_json_array(&text.json, "unknown"); /* places in the list */
    for (size_t i = 0; i < w.count; i++)
        if (w.wanted[i].what == HK_MAP_NONE)
            hk_json_u64(&text.json, NULL, i);
    hk_json_end(&text.json);
    t->head.size = t->message.size = 0;
    hk_foxglove_answer_head(&t->head, call);
    hk_foxglove_end(&text, &t->message);
    hk_web_send_parts(c->web, HK_WIRE_BINARY, &t->head, t->message.data, t->message.size);
}

static int take_call(hk_talk *t, hk_talk_client *c, const char *data, size_t size) {
    hk_foxglove_call call;
    hk_json_fault fault;
    if (!hk_foxglove_read_call(data, size, &call))
        return HK_CLOSE_POLICY;
    uint32_t kind = call.service - 1;
    if (kind >= HK_SERVICES)
        hk_talk_fail(t, c, &call, "there is no such service");
    else if (t->read_only && hk_live_services[kind].changes)
        hk_talk_fail(t, c, &call, "this server may be looked at only (--read-only)");
    else if (!call.json || !hk_json_check(call.request.at, call.request.size, &fault))
        hk_talk_fail(t, c, &call, "the request is not JSON");
    else if (kind == HK_SERVICE_WATCH)
        watch(t, c, &call);
    else
        ask(t, c,
            (hk_order){.kind = (hk_service_kind)kind, .service = call.service, .call = call.id},
            call.request);
    return 0;
}

static int take_text(hk_talk *t, hk_talk_client *c, const char *data, size_t size) {
    hk_foxglove_said said;
    if (!hk_foxglove_read(data, size, &said)) {
        hk_talk_complain(t, c, "the message is not JSON with an \"op\"");
        return 0;
    }
    switch (said.op) {
    case HK_FOXGLOVE_SUBSCRIBE:
        subscribe(t, c, said.items);
        break;
    case HK_FOXGLOVE_UNSUBSCRIBE:
        unsubscribe(t, c, said.items);
        break;
    case HK_FOXGLOVE_GET_PARAMETERS:
        ask(t, c, (hk_order){.kind = HK_ORDER_GET}, (hk_json_span){data, size});
        break;
    case HK_FOXGLOVE_SET_PARAMETERS:
        if (t->read_only)
            hk_talk_complain(t, c, "this server may be looked at only (--read-only)");
        else
            ask(t, c, (hk_order){.kind = HK_ORDER_SET}, (hk_json_span){data, size});
        break;
    case HK_FOXGLOVE_FOLLOW_PARAMETERS:
    case HK_FOXGLOVE_LEAVE_PARAMETERS:
        c->follows = said.op == HK_FOXGLOVE_FOLLOW_PARAMETERS;
        break;
    case HK_FOXGLOVE_OTHER:
        hk_talk_complain(t, c, "this server does not offer that");
        break;
    }
    return 0;
}

static int take(void *user, hk_web_client *client, hk_wire_kind kind, const char *data,
                size_t size) {
    hk_talk_client *c = hk_web_mine(client);
    return kind == HK_WIRE_TEXT ? take_text(user, c, data, size) : take_call(user, c, data, size);
}

/* ---- who is there ---- */

static void free_client(hk_talk_client *c) {
    for (size_t i = 0; i < c->watch_count; i++)
        hk_free(c->watches[i].wanted);
    hk_free(c->watches);
    hk_free(c->subscriptions);
    hk_free(c);
}

static void open_client(void *user, hk_web_client *client) {
    hk_talk *t = user;
    hk_talk_client *c = hk_alloc(sizeof *c);
    c->number = ++t->next_number;
    c->web = client;
    hk_web_set_mine(client, c);
    HK_PUSH(t->clients, t->client_count, t->client_cap, c);
    hk_talk_greet(t, c);
}

static void closed(void *user, hk_web_client *client) {
    hk_talk *t = user;
    hk_talk_client *c = hk_web_mine(client);
    size_t kept = 0;
    for (size_t i = 0; i < t->client_count; i++)
        if (t->clients[i] != c)
            t->clients[kept++] = t->clients[i];
    t->client_count = kept;
    free_client(c);
    gather(t);
}

static bool find_page(void *user, const char *path, hk_web_page *ret_page) {
    const hk_talk *t = user;
    for (size_t i = 0; i < t->page_count; i++)
        if (strcmp(t->pages[i].path, path) == 0) {
            *ret_page = t->pages[i];
            return true;
        }
    return false;
}

hk_web_handler hk_talk_handler(hk_talk *talk) {
    HK_ASSERT(talk && talk->catalog && talk->desk);
    talk->next_channel = HK_CHANNEL_WATCHES;
    talk->session = hk_clock_ns();
    return (hk_web_handler){.page = find_page,
                            .path = "ws",
                            .protocols = hk_foxglove_protocols,
                            .open = open_client,
                            .take = take,
                            .closed = closed,
                            .turn = hk_talk_turn,
                            .user = talk};
}

void hk_talk_finish(hk_talk *talk) {
    HK_ASSERT(talk && !talk->client_count);
    hk_free(talk->clients);
    hk_free(talk->wanted);
    hk_free(talk->look.text.data);
    hk_free(talk->look.ends);
    hk_free(talk->state.data);
    hk_free(talk->said.data);
    hk_free(talk->message.data);
    hk_free(talk->head.data);
}
