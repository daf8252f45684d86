/* SPDX-License-Identifier: MIT
 *
 * What lies between the thread that drives (the run, or a record) and that of the server: orders go
 * one way, answers, values and the state go the other. Whoever has something to put down or take up
 * holds the lock for a few copies, so neither waits for the other, and nobody here waits for a
 * client. */
#ifndef HK_LIVE_DESK_H
#define HK_LIVE_DESK_H

#include "base/buffer.h"
#include "live/services.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

/* What a client asks for. */
typedef struct hk_order {
    hk_service_kind kind;
    uint64_t client;        /* its number */
    uint32_t service, call; /* of a call */
    hk_buffer text;         /* the request, or the message, as JSON */
} hk_order;

/* What came of it: JSON, or why not. */
typedef struct hk_order_answer {
    hk_order order; /* without its text */
    bool good;
    hk_buffer text;
} hk_order_answer;

/* The values of all that is wanted, each as JSON, at one time. */
typedef struct hk_look {
    double time;
    uint64_t version; /* of the list that was wanted */
    hk_buffer text;
    size_t *ends; /* in TEXT, per wanted */
    size_t count, cap;
} hk_look;

typedef struct hk_desk {
    pthread_mutex_t lock;
    sem_t bell;             /* rings for the one who drives */
    atomic_bool look_asked; /* values are wanted */
    atomic_bool closing;
    hk_order *orders;
    size_t order_count, order_cap;
    hk_order_answer *answers;
    size_t answer_count, answer_cap;
    uint32_t *wanted; /* of the catalog, sorted */
    size_t wanted_count;
    uint64_t wanted_version;
    hk_look fresh;
    bool has_fresh;
    hk_buffer state; /* as JSON */
    uint64_t state_version;
    hk_buffer said; /* messages, each an object on a line */
    /* Called where the one who drives is to look up: it may be in the middle of a run. */
    void (*nudge)(void *user);
    void *nudge_user;
    /* Called where there is something for the server. */
    void (*wake)(void *user);
    void *wake_user;
} hk_desk;

void hk_desk_open(hk_desk *desk);
void hk_desk_close(hk_desk *desk);

/* ---- the server ---- */

void hk_desk_ask(hk_desk *desk, const hk_order *order); /* the text is taken over */
void hk_desk_ask_look(hk_desk *desk);
void hk_desk_want(hk_desk *desk, const uint32_t *wanted, size_t count);
bool hk_desk_take_answer(hk_desk *desk, hk_order_answer *ret_answer); /* its text is the caller's */
bool hk_desk_take_look(hk_desk *desk, hk_look *look);                 /* exchanges the two */
/* Copies it into BUFFER if it is newer than *VERSION. */
bool hk_desk_read_state(hk_desk *desk, uint64_t *version, hk_buffer *buffer);
bool hk_desk_take_said(hk_desk *desk, hk_buffer *buffer); /* exchanges the two */

/* ---- the one who drives ---- */

bool hk_desk_take_order(hk_desk *desk, hk_order *ret_order); /* its text is the caller's */
void hk_desk_answer(hk_desk *desk, const hk_order *order, bool good, const char *text, size_t size);
/* The list, if it is another one than that of *VERSION; else false. */
bool hk_desk_wanted(hk_desk *desk, uint64_t *version, uint32_t **list, size_t *count);
void hk_desk_show(hk_desk *desk, hk_look *look); /* exchanges the two */
void hk_desk_set_state(hk_desk *desk, const char *text, size_t size);
void hk_desk_say(hk_desk *desk, const char *text, size_t size);
/* Waits until somebody rings or NS nanoseconds are over; negative: for as long as it takes. */
void hk_desk_wait(hk_desk *desk, int64_t ns);
/* Ends the waiting for good; async-signal-safe. */
void hk_desk_end(hk_desk *desk);

#endif
