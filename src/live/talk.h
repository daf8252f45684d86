/* SPDX-License-Identifier: MIT
 *
 * The side of the server: who is connected, what each has subscribed to, and what is sent to whom.
 * All of it is on the thread of the server but opening and closing. */
#ifndef HK_LIVE_TALK_H
#define HK_LIVE_TALK_H

#include "live/catalog.h"
#include "live/desk.h"
#include "web/foxglove.h"
#include "web/server.h"

/* Ids of channels: the state, messages, one per group of the catalog, and those that clients make.
 */
enum {
    HK_CHANNEL_STATE = 1,
    HK_CHANNEL_LOG = 2,
    HK_CHANNEL_GROUPS = 3,
    HK_CHANNEL_WATCHES = 1 << 24
};

typedef struct hk_subscription {
    uint32_t id, channel;
    uint64_t version; /* of the state that was sent last */
} hk_subscription;

/* A channel that a client has made for itself. */
typedef struct hk_talk_watch {
    uint32_t channel;
    hk_wanted *wanted;
    size_t count;
} hk_talk_watch;

typedef struct hk_talk_client {
    uint64_t number;
    hk_web_client *web;
    hk_subscription *subscriptions;
    size_t subscription_count, subscription_cap;
    hk_talk_watch *watches;
    size_t watch_count, watch_cap;
    bool follows; /* parameters */
} hk_talk_client;

typedef struct hk_talk {
    const hk_catalog *catalog;
    hk_desk *desk;
    const char *name; /* of what is served */
    int64_t session;  /* another one each time something is served */
    bool read_only;
    const hk_web_page *pages;
    size_t page_count;
    hk_talk_client **clients;
    size_t client_count, client_cap;
    uint64_t next_number;
    uint32_t next_channel;
    uint32_t *wanted; /* what all clients want together, sorted */
    size_t wanted_count;
    uint64_t wanted_version;
    int64_t asked; /* when values were asked for last */
    hk_look look;
    hk_buffer state, said, message, head;
    uint64_t state_version;
} hk_talk;

hk_web_handler hk_talk_handler(hk_talk *talk);
void hk_talk_finish(hk_talk *talk);

/* ---- between its files ---- */

enum { HK_TALK_MANY = 4096 }; /* subscriptions, watches, signals of a watch: more are refused */

/* talk_send.c */
int hk_talk_turn(void *user);
void hk_talk_greet(hk_talk *talk, hk_talk_client *client);
void hk_talk_unadvertise(hk_talk *talk, hk_talk_client *client, uint32_t channel);
void hk_talk_complain(hk_talk *talk, hk_talk_client *client, const char *text);
void hk_talk_fail(hk_talk *talk, hk_talk_client *client, const hk_foxglove_call *call,
                  const char *text);
/* Sends what TEXT holds so far, and ends it. */
void hk_talk_send_text(hk_talk *talk, hk_talk_client *client, hk_foxglove_text *text);
void hk_talk_advertise_watch(hk_talk *talk, hk_talk_client *client, const hk_talk_watch *watch);
const hk_talk_watch *hk_talk_find_watch(const hk_talk_client *client, uint32_t channel);

#endif
