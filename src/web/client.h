/* SPDX-License-Identifier: MIT
 *
 * One connection of the server: what was read and waits to be sent, and what it is about to be. */
#ifndef HK_WEB_CLIENT_H
#define HK_WEB_CLIENT_H

#include "web/http.h"
#include "web/server.h"

typedef enum hk_web_stage {
    HK_WEB_ASKING,  /* its request is read */
    HK_WEB_TALKING, /* it is a WebSocket */
    HK_WEB_LEAVING, /* nothing counts any more but what waits to be sent */
    HK_WEB_GONE     /* its socket may be closed */
} hk_web_stage;

struct hk_web_client {
    int fd;
    hk_web_stage stage;
    int64_t deadline; /* of asking and leaving */
    char head[HK_HTTP_HEAD_MAX];
    size_t head_size;
    hk_wire_reader reader;
    hk_buffer out;
    size_t out_done; /* of it was sent */
    bool shut;       /* our half is closed */
    void *mine;
    const hk_web_server *server;
};

/* server.c: who may ask for what. */
int hk_web_judge(const hk_web_server *server, const hk_http_request *request,
                 const char **ret_path);
const hk_web_handler *hk_web_handler_of(const hk_web_server *server);

/* The socket has something to read, or room. Both leave the stage as it is then. */
void hk_web_client_read(hk_web_client *client);
void hk_web_client_write(hk_web_client *client);
/* It had time until now. */
void hk_web_client_hurry(hk_web_client *client, int64_t now);
bool hk_web_client_wants_room(const hk_web_client *client);
void hk_web_client_free(hk_web_client *client);

#endif
