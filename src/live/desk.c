/* SPDX-License-Identifier: MIT */
#include "live/desk.h"

#include <errno.h>
#include <string.h>
#include <time.h>

void hk_desk_open(hk_desk *desk) {
    HK_ASSERT(desk);
    *desk = (hk_desk){0};
    pthread_mutex_init(&desk->lock, NULL);
    sem_init(&desk->bell, 0, 0);
}

void hk_desk_close(hk_desk *desk) {
    HK_ASSERT(desk);
    for (size_t i = 0; i < desk->order_count; i++)
        hk_free(desk->orders[i].text.data);
    for (size_t i = 0; i < desk->answer_count; i++)
        hk_free(desk->answers[i].text.data);
    hk_free(desk->orders);
    hk_free(desk->answers);
    hk_free(desk->wanted);
    hk_free(desk->fresh.text.data);
    hk_free(desk->fresh.ends);
    hk_free(desk->state.data);
    hk_free(desk->said.data);
    sem_destroy(&desk->bell);
    pthread_mutex_destroy(&desk->lock);
}

static void lock(hk_desk *d) {
    pthread_mutex_lock(&d->lock);
}

static void unlock(hk_desk *d) {
    pthread_mutex_unlock(&d->lock);
}

static void nudge(hk_desk *d) {
    sem_post(&d->bell);
    lock(d);
    if (d->nudge)
        d->nudge(d->nudge_user);
    unlock(d);
}

static void wake(hk_desk *d) {
    if (d->wake)
        d->wake(d->wake_user);
}

/* ---- the server ---- */

void hk_desk_ask(hk_desk *desk, const hk_order *order) {
    HK_ASSERT(desk && order);
    lock(desk);
    HK_PUSH(desk->orders, desk->order_count, desk->order_cap, *order);
    unlock(desk);
    nudge(desk);
}

void hk_desk_ask_look(hk_desk *desk) {
    HK_ASSERT(desk);
    if (!atomic_exchange(&desk->look_asked, true))
        nudge(desk);
}

void hk_desk_want(hk_desk *desk, const uint32_t *wanted, size_t count) {
    HK_ASSERT(desk && (wanted || !count));
    lock(desk);
    desk->wanted = hk_realloc(desk->wanted, (count + 1) * sizeof *wanted);
    if (count)
        memcpy(desk->wanted, wanted, count * sizeof *wanted);
    desk->wanted_count = count;
    desk->wanted_version++;
    unlock(desk);
}

/* The first of a list that is filled at its end. */
static void drop_first(void *list, size_t *count, size_t size) {
    --*count;
    memmove(list, (char *)list + size, *count * size);
}

bool hk_desk_take_answer(hk_desk *desk, hk_order_answer *ret_answer) {
    HK_ASSERT(desk && ret_answer);
    lock(desk);
    bool any = desk->answer_count > 0;
    if (any) {
        *ret_answer = desk->answers[0];
        drop_first(desk->answers, &desk->answer_count, sizeof *desk->answers);
    }
    unlock(desk);
    return any;
}

bool hk_desk_take_look(hk_desk *desk, hk_look *look) {
    HK_ASSERT(desk && look);
    lock(desk);
    bool any = desk->has_fresh;
    if (any) {
        hk_look mine = *look;
        *look = desk->fresh;
        desk->fresh = mine;
        desk->has_fresh = false;
    }
    unlock(desk);
    return any;
}

bool hk_desk_read_state(hk_desk *desk, uint64_t *version, hk_buffer *buffer) {
    HK_ASSERT(desk && version && buffer);
    lock(desk);
    bool newer = desk->state_version != *version;
    if (newer) {
        buffer->size = 0;
        hk_buffer_put(buffer, desk->state.data, desk->state.size);
        *version = desk->state_version;
    }
    unlock(desk);
    return newer;
}

bool hk_desk_take_said(hk_desk *desk, hk_buffer *buffer) {
    HK_ASSERT(desk && buffer);
    lock(desk);
    bool any = desk->said.size > 0;
    if (any) {
        hk_buffer mine = *buffer;
        mine.size = 0;
        *buffer = desk->said;
        desk->said = mine;
    }
    unlock(desk);
    return any;
}

/* ---- the one who drives ---- */

bool hk_desk_take_order(hk_desk *desk, hk_order *ret_order) {
    HK_ASSERT(desk && ret_order);
    lock(desk);
    bool any = desk->order_count > 0;
    if (any) {
        *ret_order = desk->orders[0];
        drop_first(desk->orders, &desk->order_count, sizeof *desk->orders);
    }
    unlock(desk);
    return any;
}

void hk_desk_answer(hk_desk *desk, const hk_order *order, bool good, const char *text,
                    size_t size) {
    HK_ASSERT(desk && order && (text || !size));
    hk_order_answer answer = {.order = *order, .good = good};
    answer.order.text = (hk_buffer){0};
    hk_buffer_put(&answer.text, text, size);
    lock(desk);
    HK_PUSH(desk->answers, desk->answer_count, desk->answer_cap, answer);
    unlock(desk);
    wake(desk);
}

bool hk_desk_wanted(hk_desk *desk, uint64_t *version, uint32_t **list, size_t *count) {
    HK_ASSERT(desk && version && list && count);
    lock(desk);
    bool other = desk->wanted_version != *version;
    if (other) {
        *list = hk_realloc(*list, (desk->wanted_count + 1) * sizeof **list);
        if (desk->wanted_count)
            memcpy(*list, desk->wanted, desk->wanted_count * sizeof **list);
        *count = desk->wanted_count;
        *version = desk->wanted_version;
    }
    unlock(desk);
    return other;
}

void hk_desk_show(hk_desk *desk, hk_look *look) {
    HK_ASSERT(desk && look);
    lock(desk);
    hk_look old = desk->fresh;
    desk->fresh = *look;
    desk->has_fresh = true;
    *look = old;
    unlock(desk);
    wake(desk);
}

void hk_desk_set_state(hk_desk *desk, const char *text, size_t size) {
    HK_ASSERT(desk && text);
    lock(desk);
    bool same = desk->state.size == size && memcmp(desk->state.data, text, size) == 0;
    if (!same) {
        desk->state.size = 0;
        hk_buffer_put(&desk->state, text, size);
        desk->state_version++;
    }
    unlock(desk);
    if (!same)
        wake(desk);
}

void hk_desk_say(hk_desk *desk, const char *text, size_t size) {
    HK_ASSERT(desk && text);
    enum { SAID_MAX = 1 << 20 };
    lock(desk);
    if (desk->said.size < SAID_MAX)
        hk_buffer_put(&desk->said, text, size);
    unlock(desk);
    wake(desk);
}

void hk_desk_wait(hk_desk *desk, int64_t ns) {
    HK_ASSERT(desk);
    struct timespec until;
    if (ns < 0) {
        while (sem_wait(&desk->bell) != 0 && errno == EINTR && !atomic_load(&desk->closing))
            continue;
    } else {
        clock_gettime(CLOCK_REALTIME, &until);
        int64_t all = until.tv_nsec + ns;
        until.tv_sec += all / 1000000000;
        until.tv_nsec = all % 1000000000;
        while (sem_timedwait(&desk->bell, &until) != 0 && errno == EINTR &&
               !atomic_load(&desk->closing))
            continue;
    }
    while (sem_trywait(&desk->bell) == 0)
        continue;
}

void hk_desk_end(hk_desk *desk) {
    atomic_store(&desk->closing, true);
    sem_post(&desk->bell);
}
