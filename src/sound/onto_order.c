/* SPDX-License-Identifier: MIT */
#include "sound/onto_order.h"

#include <string.h>

/* The order of a plan in the words of the file. Its calls share lists of what comes before them,
 * and so do those of the file. */
typedef struct orderer {
    hk_arena *arena;
    const hk_sound_master *from;
    const uint32_t *numbers; /* per call of the plan: the one of the file */
    uint32_t *first, *calls; /* per call of the file: those that it is made of */
    uint32_t *seen, stamp;   /* per call of the file: the list that it was put into last */
    uint32_t *list;          /* being made */
    size_t count;
    bool own;                    /* the call itself was in it, and is left out */
    const uint32_t *last, *kept; /* the list of the plan that was met last, and what it became */
    size_t last_count, kept_count;
    uint32_t kept_stamp;
} orderer;

/* numbers[] the other way round. */
static void turn_round(orderer *o, size_t count) {
    o->first = HK_NEW_ARRAY(o->arena, uint32_t, count + 2);
    o->calls = HK_NEW_ARRAY(o->arena, uint32_t, o->from->step_count + 1);
    for (size_t i = 0; i < o->from->step_count; i++)
        if (o->numbers[i] != HK_MAP_NONE)
            o->first[o->numbers[i] + 2]++;
    for (size_t n = 2; n < count + 2; n++)
        o->first[n] += o->first[n - 1];
    for (uint32_t i = 0; i < o->from->step_count; i++)
        if (o->numbers[i] != HK_MAP_NONE)
            o->calls[o->first[o->numbers[i] + 1]++] = i;
}

static void put_before(orderer *o, uint32_t call, uint32_t n) {
    for (size_t k = 0; k < o->from->before_count[call]; k++) {
        uint32_t other = o->numbers[o->from->before[call][k]];
        o->own = o->own || other == n;
        if (other == HK_MAP_NONE || other == n || o->seen[other] == o->stamp)
            continue;
        o->seen[other] = o->stamp;
        o->list[o->count++] = other;
    }
}

static const uint32_t *keep_list(orderer *o) {
    uint32_t *kept = HK_NEW_ARRAY(o->arena, uint32_t, o->count + 1);
    if (o->count)
        memcpy(kept, o->list, o->count * sizeof *kept);
    return kept;
}

/* What comes before a call of the file: all that comes before one of those that it is made of. */
static const uint32_t *before_of(orderer *o, uint32_t n, size_t *ret_count) {
    const hk_sound_master *m = o->from;
    uint32_t begin = o->first[n], end = o->first[n + 1];
    bool one = begin < end;
    for (uint32_t i = begin; i < end; i++)
        one = one && m->before[o->calls[i]] == m->before[o->calls[begin]] &&
              m->before_count[o->calls[i]] == m->before_count[o->calls[begin]];
    const uint32_t *list = one ? m->before[o->calls[begin]] : NULL;
    size_t count = one ? m->before_count[o->calls[begin]] : 0;
    bool same =
        o->kept && one && list == o->last && count == o->last_count && o->seen[n] != o->kept_stamp;
    if (!same) {
        o->stamp++;
        o->count = 0;
        o->own = false;
        for (uint32_t i = begin; i < end && (i == begin || !one); i++)
            put_before(o, o->calls[i], n);
        o->kept = keep_list(o);
        o->kept_count = o->count;
        o->kept_stamp = o->stamp;
        o->last = list;
        o->last_count = one && !o->own ? count : SIZE_MAX; /* else nobody else has it */
    }
    *ret_count = o->kept_count;
    return o->kept;
}

void hk_onto_order(hk_arena *arena, const hk_sound_master *from, const uint32_t *numbers,
                   hk_sound_master *to) {
    const uint32_t **before = HK_NEW_ARRAY(arena, const uint32_t *, to->step_count + 1);
    size_t *counts = HK_NEW_ARRAY(arena, size_t, to->step_count + 1);
    orderer o = {.arena = arena, .from = from, .numbers = numbers};
    o.seen = HK_NEW_ARRAY(arena, uint32_t, to->step_count + 1);
    o.list = HK_NEW_ARRAY(arena, uint32_t, to->step_count + 1);
    turn_round(&o, to->step_count);
    for (uint32_t n = 0; n < to->step_count; n++)
        before[n] = before_of(&o, n, &counts[n]);
    to->before = before;
    to->before_count = counts;
}
