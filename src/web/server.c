/* SPDX-License-Identifier: MIT
 *
 * The loop: one thread waits for all sockets and for those who wake it. */
#define _GNU_SOURCE /* accept4 */
#include "web/server.h"

#include "base/clock.h"
#include "base/thread.h"
#include "web/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS_MAX = 2048, BACKLOG = 256, TOKEN_BYTES = 16, TOKEN_MAX = 128, SPARE_FILES = 256 };
static const int64_t ASK_NS = 10000000000; /* a request takes no longer */

struct hk_web_server {
    hk_web_options options;
    hk_web_handler handler;
    int listener, bell;
    pthread_t thread;
    bool started;
    atomic_bool closing;
    hk_web_client *clients[CLIENTS_MAX]; /* in the order in which they came */
    struct pollfd polls[CLIENTS_MAX + 2];
    size_t client_count;
    char token[TOKEN_MAX + 1];
    char host[300];     /* "127.0.0.1:8420" */
    char others[2][32]; /* names of the same that users type */
    char address[512];
};

/* ---- who may ask ---- */

const hk_web_handler *hk_web_handler_of(const hk_web_server *server) {
    HK_ASSERT(server);
    return &server->handler;
}

/* How long this takes says nothing about how much of it is right. */
static bool is_token(const char *token, const char *given, size_t size) {
    unsigned char differs = strlen(token) != size;
    for (size_t i = 0; token[i]; i++)
        differs |= (unsigned char)(token[i] ^ (i < size ? given[i] : 0));
    return !differs;
}

static bool is_host(const hk_web_server *s, hk_http_text host) {
    bool any = s->options.trust_network && host.size;
    return any || hk_http_is_alike(host, s->host) || hk_http_is_alike(host, s->others[0]) ||
           hk_http_is_alike(host, s->others[1]);
}

/* The page that asks is our own, or one that was named. Programs that are not browsers send none.
 */
static bool is_origin(const hk_web_server *s, const hk_http_request *r) {
    static const char scheme[] = "http://";
    size_t skip = sizeof scheme - 1;
    if (!r->origin.at)
        return true;
    for (const char *const *o = s->options.origins; o && *o; o++)
        if (hk_http_is_alike(r->origin, *o))
            return true;
    return r->origin.size == skip + r->host.size && memcmp(r->origin.at, scheme, skip) == 0 &&
           memcmp(r->origin.at + skip, r->host.at, r->host.size) == 0;
}

int hk_web_judge(const hk_web_server *server, const hk_http_request *request,
                 const char **ret_path) {
    HK_ASSERT(server && request && ret_path);
    const char *path = request->path.at + 1, *end = request->path.at + request->path.size;
    const char *slash = memchr(path, '/', (size_t)(end - path));
    size_t size = (size_t)((slash ? slash : end) - path);
    if (!is_host(server, request->host) || !is_origin(server, request) ||
        !is_token(server->token, path, size))
        return 403;
    if (!slash)
        return 404;
    *ret_path = slash + 1;
    return 200;
}

/* ---- the address ---- */

static bool is_loopback(const struct sockaddr *a) {
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
    return a->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static hk_status refuse_network(hk_ctx *ctx, const char *address) {
    return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                    "reach it through a tunnel (ssh -L), or say --trust-network where everybody "
                    "who reaches this machine may see and change the run",
                    "--listen %s: other machines can reach this address", address);
}

static hk_status bind_address(hk_ctx *ctx, hk_web_server *s, const struct addrinfo *to,
                              const char *address) {
    if (!is_loopback(to->ai_addr) && !s->options.trust_network)
        return refuse_network(ctx, address);
    int yes = 1;
    s->listener = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s->listener >= 0)
        setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (s->listener >= 0 && bind(s->listener, to->ai_addr, to->ai_addrlen) == 0 &&
        listen(s->listener, BACKLOG) == 0)
        return HK_OK;
    return hk_error(ctx, HK_E_SERVER, HK_NOWHERE,
                    errno == EADDRINUSE ? "name another one with --port, or none" : NULL,
                    "%s, port %u: %s", address, s->options.port, strerror(errno));
}

/* What users are told, and what browsers will call us. */
static void learn_names(hk_web_server *s) {
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    char host[256] = "127.0.0.1", port[16] = "0";
    struct sockaddr *a = (struct sockaddr *)&own;
    if (getsockname(s->listener, a, &size) == 0)
        getnameinfo(a, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    bool six = strchr(host, ':') != NULL;
    snprintf(s->host, sizeof s->host, "%s%s%s:%s", six ? "[" : "", host, six ? "]" : "", port);
    snprintf(s->others[0], sizeof s->others[0], "localhost:%s", port);
    snprintf(s->others[1], sizeof s->others[1], "%s:%s", six ? "127.0.0.1" : "[::1]", port);
    snprintf(s->address, sizeof s->address, "http://%s/%s/", s->host, s->token);
}

static hk_status listen_at(hk_ctx *ctx, hk_web_server *s) {
    const char *address = s->options.address ? s->options.address : "127.0.0.1";
    char port[16];
    snprintf(port, sizeof port, "%u", s->options.port);
    struct addrinfo want = {.ai_socktype = SOCK_STREAM,
                            .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(address, port, &want, &found);
    if (failed)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "an address in numbers, as 127.0.0.1 or ::1",
                        "--listen %s: %s", address, gai_strerror(failed));
    hk_status status = bind_address(ctx, s, found, address);
    freeaddrinfo(found);
    if (status == HK_OK)
        learn_names(s);
    return status;
}

static bool is_word(const char *token) {
    size_t size = strspn(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return size && !token[size] && size <= TOKEN_MAX;
}

static hk_status make_token(hk_ctx *ctx, hk_web_server *s) {
    unsigned char bytes[TOKEN_BYTES];
    if (s->options.token && !is_word(s->options.token))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "letters, digits, '-' and '_', 128 at most",
                        "--token: '%s' cannot be part of an address", s->options.token);
    if (s->options.token) {
        snprintf(s->token, sizeof s->token, "%s", s->options.token);
        return HK_OK;
    }
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return hk_error(ctx, HK_E_SERVER, HK_NOWHERE, NULL, "no random numbers for a token: %s",
                        strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
    return HK_OK;
}

/* ---- the loop ---- */

static void forget_gone(hk_web_server *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->client_count; i++) {
        if (s->clients[i]->stage == HK_WEB_GONE)
            hk_web_client_free(s->clients[i]);
        else
            s->clients[kept++] = s->clients[i];
    }
    s->client_count = kept;
}

/* Makes room by closing the oldest one that has not become a WebSocket. */
static bool make_room(hk_web_server *s) {
    for (size_t i = 0; i < s->client_count && s->client_count == CLIENTS_MAX; i++)
        if (s->clients[i]->stage != HK_WEB_TALKING) {
            s->clients[i]->stage = HK_WEB_GONE;
            forget_gone(s);
        }
    return s->client_count < CLIENTS_MAX;
}

/* No descriptor is left for it: the oldest guest who has asked nothing goes. */
static bool free_descriptor(hk_web_server *s) {
    for (size_t i = 0; i < s->client_count; i++)
        if (s->clients[i]->stage != HK_WEB_TALKING) {
            s->clients[i]->stage = HK_WEB_GONE;
            forget_gone(s);
            return true;
        }
    return false;
}

static void welcome(hk_web_server *s) {
    int yes = 1;
    for (;;) {
        int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE) && free_descriptor(s))
            continue;
        if (fd < 0)
            return;
        if (!make_room(s)) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        hk_web_client *c = hk_alloc(sizeof *c);
        c->fd = fd;
        c->server = s;
        c->deadline = hk_clock_ns() + ASK_NS;
        s->clients[s->client_count++] = c;
    }
}

/* Milliseconds until somebody's time is over; -1: nobody has to hurry. */
static int until_deadline(const hk_web_server *s, int64_t now) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < s->client_count; i++)
        if (s->clients[i]->stage != HK_WEB_TALKING && s->clients[i]->deadline < first)
            first = s->clients[i]->deadline;
    if (first == INT64_MAX)
        return -1;
    return first <= now ? 0 : (int)((first - now) / 1000000) + 1;
}

static int sooner(int a, int b) {
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

static void wait(hk_web_server *s, int timeout) {
    s->polls[0] = (struct pollfd){.fd = s->bell, .events = POLLIN};
    s->polls[1] = (struct pollfd){.fd = s->listener, .events = POLLIN};
    for (size_t i = 0; i < s->client_count; i++) {
        short events = hk_web_client_wants_room(s->clients[i]) ? POLLIN | POLLOUT : POLLIN;
        s->polls[i + 2] = (struct pollfd){.fd = s->clients[i]->fd, .events = events};
    }
    if (poll(s->polls, s->client_count + 2, timeout) < 0)
        for (size_t i = 0; i < s->client_count + 2; i++)
            s->polls[i].revents = 0;
}

/* What came for those who were there when it was waited for. */
static void attend(hk_web_server *s, size_t count) {
    int64_t now = hk_clock_ns();
    for (size_t i = 0; i < count; i++) {
        hk_web_client *c = s->clients[i];
        if (s->polls[i + 2].revents & (POLLIN | POLLHUP | POLLERR))
            hk_web_client_read(c);
    }
    for (size_t i = 0; i < s->client_count; i++) {
        hk_web_client *c = s->clients[i];
        if (c->stage != HK_WEB_GONE && (hk_web_waiting(c) || c->stage == HK_WEB_LEAVING))
            hk_web_client_write(c);
        hk_web_client_hurry(c, now);
    }
    forget_gone(s);
}

static void take_leave(hk_web_server *s) {
    enum { MOMENTS = 20, MOMENT_MS = 25 };
    for (size_t i = 0; i < s->client_count; i++)
        hk_web_end(s->clients[i], HK_CLOSE_GONE);
    for (int i = 0; i < MOMENTS && s->client_count; i++) {
        wait(s, i ? MOMENT_MS : 0);
        attend(s, s->client_count);
    }
    for (size_t i = 0; i < s->client_count; i++)
        hk_web_client_free(s->clients[i]);
    s->client_count = 0;
}

static void *work(void *user) {
    hk_web_server *s = user;
    uint64_t rings;
    int turn = 0;
    while (!atomic_load(&s->closing)) {
        wait(s, sooner(turn, until_deadline(s, hk_clock_ns())));
        size_t count = s->client_count;
        while (read(s->bell, &rings, sizeof rings) > 0)
            continue;
        attend(s, count);
        if (s->polls[1].revents)
            welcome(s);
        turn = s->handler.turn(s->handler.user);
        attend(s, 0); /* what the turn has sent */
    }
    take_leave(s);
    return NULL;
}

/* ---- its life ---- */

/* A thousand guests need as many descriptors; what the process may have at most is enough. */
static void allow_files(void) {
    struct rlimit limit;
    rlim_t wanted = CLIENTS_MAX + SPARE_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

hk_status hk_web_open(hk_ctx *ctx, const hk_web_options *options, const hk_web_handler *handler,
                      hk_web_server **ret_server) {
    HK_ASSERT(ctx && options && handler && ret_server);
    hk_web_server *s = hk_alloc(sizeof *s);
    s->options = *options;
    s->handler = *handler;
    s->listener = -1;
    s->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    hk_status status = make_token(ctx, s);
    if (status == HK_OK)
        status = listen_at(ctx, s);
    if (status != HK_OK) {
        hk_web_close(s);
        return status;
    }
    *ret_server = s;
    return HK_OK;
}

const char *hk_web_address(const hk_web_server *server) {
    HK_ASSERT(server);
    return server->address;
}

hk_status hk_web_start(hk_ctx *ctx, hk_web_server *server) {
    HK_ASSERT(ctx && server && !server->started);
    allow_files();
    int failed = hk_thread_start(&server->thread, work, server);
    if (failed)
        return hk_error(ctx, HK_E_SERVER, HK_NOWHERE, NULL, "no thread for the server: %s",
                        strerror(failed));
    server->started = true;
    return HK_OK;
}

void hk_web_wake(hk_web_server *server) {
    HK_ASSERT(server);
    uint64_t one = 1;
    (void)!write(server->bell, &one, sizeof one); /* full: it is awake */
}

void hk_web_close(hk_web_server *server) {
    if (!server)
        return;
    if (server->started) {
        atomic_store(&server->closing, true);
        hk_web_wake(server);
        pthread_join(server->thread, NULL);
    }
    if (server->listener >= 0)
        close(server->listener);
    if (server->bell >= 0)
        close(server->bell);
    hk_free(server);
}
