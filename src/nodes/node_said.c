/* SPDX-License-Identifier: MIT */
#include "nodes/node_said.h"

#include <string.h>

hk_moment hk_said_now(const hk_said *said) {
    if (said->over)
        return (hk_moment){.tick = HK_TICK_NEVER};
    return said->sim ? hk_sim_moment(said->sim) : (hk_moment){.tick = HK_MOMENT_INITIAL};
}

static void note_moment(hk_said *said, hk_moment moment) {
    HK_PUSH(said->moments, said->count, said->cap, moment);
}

/* Under the lock of the context. */
static void stamp(void *user, const hk_diag *diag) {
    hk_said *said = user;
    (void)diag;
    note_moment(said, hk_said_now(said));
}

void hk_said_begin(hk_said *said) {
    HK_ASSERT(said);
    *said = (hk_said){.ctx = hk_ctx_create(stamp, said)};
}

void hk_said_finish(hk_said *said) {
    HK_ASSERT(said);
    hk_ctx_destroy(said->ctx);
    hk_free(said->moments);
    *said = (hk_said){0};
}

void hk_said_pack(hk_buffer *to, const hk_said *said) {
    HK_ASSERT(to && said && said->count == hk_ctx_count(said->ctx, HK_NOTE));
    hk_buffer_diags(to, said->ctx);
    for (size_t i = 0; i < said->count; i++)
        hk_buffer_put(to, &said->moments[i], sizeof said->moments[i]);
}

bool hk_said_unpack(hk_buffer_source *from, hk_said *ret_said) {
    HK_ASSERT(from && ret_said);
    hk_said said = {.ctx = hk_ctx_create(NULL, NULL)};
    hk_source_diags(from, said.ctx);
    for (size_t i = 0; i < hk_ctx_count(said.ctx, HK_NOTE) && from->good; i++) {
        hk_moment moment = {0};
        hk_source_get(from, &moment, sizeof moment);
        note_moment(&said, moment);
    }
    if (from->good)
        *ret_said = said;
    else
        hk_said_finish(&said);
    return from->good;
}

bool hk_said_failed(const hk_said *said, hk_moment *ret_when) {
    HK_ASSERT(said && ret_when);
    for (size_t i = 0; i < said->count; i++)
        if (hk_ctx_diag(said->ctx, i)->severity == HK_ERROR) {
            *ret_when = said->moments[i];
            return true;
        }
    return false;
}

/* Which of them has the earliest to say, of what is left of each; COUNT: none has. */
static size_t earliest(const hk_said *const *all, size_t count, const size_t *next) {
    size_t first = count;
    for (size_t i = 0; i < count; i++)
        if (next[i] < all[i]->count &&
            (first == count ||
             hk_moment_compare(&all[i]->moments[next[i]], &all[first]->moments[next[first]]) < 0))
            first = i;
    return first;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same(const hk_diag *a, const hk_diag *b) {
    return a->code == b->code && a->severity == b->severity && same_text(a->text, b->text) &&
           same_text(a->where.file, b->where.file) && same_text(a->where.element, b->where.element);
}

static bool is_known(const hk_ctx *ctx, hk_said_range known, const hk_diag *d) {
    for (size_t i = known.from; i < known.to; i++)
        if (is_same(hk_ctx_diag(ctx, i), d))
            return true;
    return false;
}

/* How often D was said at WHEN, among the first COUNT. */
static size_t times_said(const hk_said *said, size_t count, const hk_diag *d,
                         const hk_moment *when) {
    size_t times = 0;
    for (size_t i = 0; i < count; i++)
        times += hk_moment_compare(&said->moments[i], when) == 0 &&
                 is_same(hk_ctx_diag(said->ctx, i), d);
    return times;
}

/* Each node makes its simulation from the same plan: what it finds there, the others find, too. */
static bool is_said_alike(const hk_said *const *all, size_t count, const size_t *next, size_t i) {
    const hk_diag *d = hk_ctx_diag(all[i]->ctx, next[i] - 1);
    const hk_moment *when = &all[i]->moments[next[i] - 1];
    size_t times = times_said(all[i], next[i], d, when);
    for (size_t j = 0; j < count; j++)
        if (j != i && next[j] && times_said(all[j], next[j], d, when) >= times)
            return true;
    return false;
}

void hk_said_all(hk_ctx *ctx, const hk_said *const *all, size_t count, const hk_moment *until,
                 hk_said_range known) {
    HK_ASSERT(ctx && until);
    size_t *next = hk_alloc((count + 1) * sizeof *next);
    for (size_t i = earliest(all, count, next); i < count; i = earliest(all, count, next)) {
        size_t k = next[i]++;
        const hk_diag *d = hk_ctx_diag(all[i]->ctx, k);
        bool after_run = all[i]->moments[k].tick == HK_TICK_NEVER; /* components were ended */
        bool counts = after_run || hk_moment_compare(&all[i]->moments[k], until) <= 0;
        if (counts && !is_known(ctx, known, d) && !is_said_alike(all, count, next, i))
            hk_say_again(ctx, d);
    }
    hk_free(next);
}
