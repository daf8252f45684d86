/* SPDX-License-Identifier: MIT
 *
 * A small server for one page and its WebSockets, on one thread with poll(): HTTP/1.1 GET and RFC
 * 6455. It knows nothing of simulations. Clients are strangers: each has limits on what it may
 * send, on what waits for it and on the time that it may take, and none can make another one, or
 * the program, wait.
 *
 * Whoever knows the token, which is the first part of every path, may connect. A browser sends what
 * it is told to by any page, so the names that it was reached by (Host) and that of the page that
 * asks (Origin) must be those of this server. */
#ifndef HK_WEB_SERVER_H
#define HK_WEB_SERVER_H

#include "base/diag.h"
#include "web/wire.h"

typedef struct hk_web_server hk_web_server;
typedef struct hk_web_client hk_web_client;

/* A file of the page. All of it lives on. */
typedef struct hk_web_page {
    const char *path; /* below the token: "" is the page itself, "assets/index.js" */
    const char *type; /* "text/html; charset=utf-8" */
    const char *data;
    size_t size;
    bool zipped; /* the data are gzip */
} hk_web_page;

/* What is done with messages. All is called on the thread of the server, one at a time. */
typedef struct hk_web_handler {
    /* The page at a path below the token; false: there is none. */
    bool (*page)(void *user, const char *path, hk_web_page *ret_page);
    /* The sub-protocols of WebSockets at PATH ("ws"), the best one first; NULL ends them. */
    const char *path;
    const char *const *protocols;
    void (*open)(void *user, hk_web_client *client);
    /* A message: 0, or the number that the connection is closed with (web/wire.h). */
    int (*take)(void *user, hk_web_client *client, hk_wire_kind kind, const char *data,
                size_t size);
    void (*closed)(void *user, hk_web_client *client); /* it was open, and is not any more */
    /* After each hk_web_wake, and when it is time; returns after how many milliseconds it is time
     * again, -1: not before it is woken. */
    int (*turn)(void *user);
    void *user;
} hk_web_handler;

typedef struct hk_web_options {
    const char *address;        /* NULL: 127.0.0.1 */
    unsigned port;              /* 0: one that is free */
    const char *token;          /* NULL: a random one */
    bool trust_network;         /* ADDRESS may be one that other machines reach */
    const char *const *origins; /* of other pages that may connect; NULL ends them; may be NULL */
} hk_web_options;

/* Binds the address; nothing is answered before hk_web_start. Texts of OPTIONS and HANDLER live on.
 */
HK_NODISCARD hk_status hk_web_open(hk_ctx *ctx, const hk_web_options *options,
                                   const hk_web_handler *handler, hk_web_server **ret_server);
const char *hk_web_address(const hk_web_server *server); /* "http://127.0.0.1:8420/TOKEN/" */
HK_NODISCARD hk_status hk_web_start(hk_ctx *ctx, hk_web_server *server);
/* Makes the server call TURN; from any thread. */
void hk_web_wake(hk_web_server *server);
/* Takes leave of all clients and ends the thread; what waits for them gets a moment to leave. NULL
 * is fine. */
void hk_web_close(hk_web_server *server);

/* ---- on the thread of the server ---- */

enum { HK_WEB_WAITING_MAX = 8 << 20 };

/* Sends a message; one that would make more than HK_WEB_WAITING_MAX bytes wait ends the connection.
 */
void hk_web_send(hk_web_client *client, hk_wire_kind kind, const char *data, size_t size);
/* The same for a message of two parts. */
void hk_web_send_parts(hk_web_client *client, hk_wire_kind kind, const hk_buffer *head,
                       const char *data, size_t size);
size_t hk_web_waiting(const hk_web_client *client); /* bytes that it has not taken yet */
void hk_web_end(hk_web_client *client, int why);
void *hk_web_mine(const hk_web_client *client); /* what the handler knows of it */
void hk_web_set_mine(hk_web_client *client, void *mine);

#endif
