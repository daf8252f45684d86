/* SPDX-License-Identifier: MIT
 *
 * Nodes as threads of one process, with a queue of the smallest size for each flow. A thread that
 * finds no message, or no room, waits; that all wait is a deadlock, and fails the test. */
#ifndef HK_TEST_NODE_THREADS_H
#define HK_TEST_NODE_THREADS_H

#include "engine/part.h"

#include <pthread.h>
#include <string.h>

enum { NODES_MAX = 9 };

typedef struct queued {
    hk_flow_message message;
    char *data;
} queued;

typedef struct flow_queue {
    queued *all; /* a ring */
    size_t first, count, cap;
} flow_queue;

typedef struct node_threads {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    flow_queue *queues;
    const hk_plan_flows *flows;
    unsigned waiting, alive;
    uint64_t changes; /* messages that came or went: who waits has seen that many */
    bool stuck;
    uint64_t sent;
} node_threads;

static inline void node_threads_begin(node_threads *n, const hk_plan_flows *flows) {
    *n = (node_threads){.flows = flows, .alive = flows->placement.node_count};
    pthread_mutex_init(&n->lock, NULL);
    pthread_cond_init(&n->moved, NULL);
    n->queues = hk_alloc((flows->count + 1) * sizeof *n->queues);
    for (size_t i = 0; i < flows->count; i++) {
        n->queues[i].cap = hk_plan_flow_room(flows, &flows->all[i]);
        n->queues[i].all = hk_alloc(n->queues[i].cap * sizeof(queued));
    }
}

static inline void node_threads_end(node_threads *n) {
    for (size_t i = 0; i < n->flows->count; i++) {
        for (size_t k = 0; k < n->queues[i].cap; k++)
            hk_free(n->queues[i].all[k].data);
        hk_free(n->queues[i].all);
    }
    hk_free(n->queues);
    pthread_cond_destroy(&n->moved);
    pthread_mutex_destroy(&n->lock);
}

static inline void note_change(node_threads *n) {
    n->changes++;
    n->waiting = 0; /* all who wait look again */
    pthread_cond_broadcast(&n->moved);
}

static inline uint64_t thread_changes(void *user) {
    node_threads *n = user;
    pthread_mutex_lock(&n->lock);
    uint64_t changes = n->changes;
    pthread_mutex_unlock(&n->lock);
    return changes;
}

/* False: nobody can go on. */
static inline bool thread_wait(void *user, uint64_t seen, uint32_t flow) {
    (void)flow;
    node_threads *n = user;
    pthread_mutex_lock(&n->lock);
    if (n->changes == seen && ++n->waiting == n->alive) {
        n->stuck = true;
        pthread_cond_broadcast(&n->moved);
    }
    while (!n->stuck && n->changes == seen)
        pthread_cond_wait(&n->moved, &n->lock);
    bool good = !n->stuck;
    pthread_mutex_unlock(&n->lock);
    return good;
}

static inline hk_wire_answer thread_send(void *user, const hk_flow_message *m) {
    node_threads *n = user;
    flow_queue *q = &n->queues[m->flow];
    pthread_mutex_lock(&n->lock);
    bool room = q->count < q->cap;
    if (room) {
        queued *to = &q->all[(q->first + q->count++) % q->cap];
        to->message = *m;
        to->data = hk_realloc(to->data, m->data.size + 1);
        if (m->data.size)
            memcpy(to->data, m->data.data, m->data.size);
        n->sent++;
        note_change(n);
    }
    pthread_mutex_unlock(&n->lock);
    return room ? HK_WIRE_DONE : HK_WIRE_LATER;
}

static inline hk_wire_answer thread_peek(void *user, uint32_t flow, hk_flow_message *ret_message) {
    node_threads *n = user;
    flow_queue *q = &n->queues[flow];
    pthread_mutex_lock(&n->lock);
    bool some = q->count > 0;
    if (some) {
        *ret_message = q->all[q->first].message;
        ret_message->data.data = q->all[q->first].data;
    }
    pthread_mutex_unlock(&n->lock);
    return some ? HK_WIRE_DONE : HK_WIRE_LATER;
}

static inline void thread_drop(void *user, uint32_t flow) {
    node_threads *n = user;
    flow_queue *q = &n->queues[flow];
    pthread_mutex_lock(&n->lock);
    q->first = (q->first + 1) % q->cap;
    q->count--;
    note_change(n);
    pthread_mutex_unlock(&n->lock);
}

#define THREAD_WIRE(threads)                                                                       \
    { thread_send, thread_peek, thread_drop, thread_changes, thread_wait, NULL, threads }

/* A node has ended: it waits for nobody any more. */
static inline void node_thread_leaves(node_threads *n) {
    pthread_mutex_lock(&n->lock);
    n->alive--;
    if (n->alive && n->waiting == n->alive) {
        n->stuck = true;
        pthread_cond_broadcast(&n->moved);
    }
    pthread_mutex_unlock(&n->lock);
}

#endif
