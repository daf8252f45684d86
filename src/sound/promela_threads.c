/* SPDX-License-Identifier: MIT */
#include "sound/promela_threads.h"

enum { STATES_WANTED = 100000, PROCESSES_MAX = 16 };

typedef hk_promela_threads threads;

static bool bit_of(const uint64_t *set, size_t index) {
    return set[index / 64] >> index % 64 & 1;
}

static void follow(threads *t, size_t call, size_t earlier) {
    for (size_t x = 0; x < t->words; x++)
        t->pred[call * t->words + x] |= t->pred[earlier * t->words + x];
    t->pred[call * t->words + earlier / 64] |= UINT64_C(1) << earlier % 64;
}

static bool sort(threads *t, hk_arena *arena) {
    bool *taken = HK_NEW_ARRAY(arena, bool, t->n);
    size_t done = 0;
    for (bool moved = true; moved && done < t->n;) {
        moved = false;
        for (uint32_t i = 0; i < t->n; i++) {
            bool ready = !taken[i];
            for (size_t k = 0; k < t->m->before_count[i] && ready; k++)
                ready = taken[t->m->before[i][k]];
            if (!ready)
                continue;
            taken[i] = moved = true;
            t->order[done++] = i;
        }
    }
    return done == t->n;
}

static void find_before(threads *t) {
    const hk_sound_master *m = t->m;
    for (size_t r = 0; r < 2 * t->n; r++) {
        size_t second = r < t->n ? 0 : t->n;
        uint32_t i = t->order[r - second];
        for (size_t k = 0; k < m->before_count[i]; k++)
            follow(t, second + i, second + m->before[i][k]);
        if (!second)
            continue;
        follow(t, second + i, i);
        for (size_t k = 0; k < (m->before_last ? m->before_last_count[i] : t->n); k++)
            follow(t, second + i, m->before_last ? m->before_last[i][k] : k);
    }
    for (size_t y = 0; y < 2 * t->n; y++)
        for (size_t x = 0; x < t->n; x++)
            if (bit_of(&t->pred[y * t->words], x))
                t->succ[x * t->words + y / 64] |= UINT64_C(1) << y % 64;
}

static bool contained(const threads *t, const uint64_t *one, const uint64_t *other) {
    for (size_t x = 0; x < t->words; x++)
        if (one[x] & ~other[x])
            return false;
    return true;
}

/* To make one call after another of its kind hides nothing if it waits for all that the other waits
 * for, and all that waits for it waits for the other: then no other two calls become ordered by it,
 * and calls of one kind are not ordered by the specification. */
static bool alike(const threads *t, uint32_t earlier, uint32_t call) {
    hk_sound_op op = t->m->step[call].op;
    return op != HK_OP_LOOP && t->m->step[earlier].op == op &&
           contained(t, &t->pred[(t->n + earlier) * t->words],
                     &t->pred[(t->n + call) * t->words]) &&
           contained(t, &t->succ[call * t->words], &t->succ[earlier * t->words]);
}

/* The call waits for the end of the step before, by itself or by what it comes after. */
static bool waits_for_last_step(const threads *t, uint32_t call) {
    const hk_sound_master *m = t->m;
    if (!m->before_last || m->before_last_count[call] == t->n)
        return true;
    for (size_t k = 0; k < m->before_count[call]; k++)
        if (m->before_last_count[m->before[call][k]] == t->n)
            return true;
    return false;
}

/* The order of a process may not hide that a call could come sooner. */
static bool fits(const threads *t, uint32_t call, uint32_t thread, size_t rank) {
    if (!waits_for_last_step(t, call))
        return false;
    for (size_t r = 0; r < rank; r++) {
        uint32_t earlier = t->order[r];
        if (t->thread[earlier] == thread && !bit_of(&t->pred[call * t->words], earlier) &&
            !alike(t, earlier, call))
            return false;
    }
    return true;
}

static void share_out(threads *t) {
    t->count = t->groups;
    for (size_t i = 0; i < t->groups; i++)
        t->length[i] = 0;
    for (size_t r = 0; r < t->n; r++) {
        uint32_t call = t->order[r];
        uint32_t thread =
            t->m->step[call].op == HK_OP_LOOP ? 0 : t->m->step[call].instance % (uint32_t)t->groups;
        if (!fits(t, call, thread, r)) {
            thread = (uint32_t)t->count++;
            t->length[thread] = 0;
        }
        t->thread[call] = thread;
        t->position[call] = t->length[thread]++;
    }
}

/* How many states the processes give together within the phases, roughly. */
static double states(const threads *t, int cycles) {
    double sum = 0;
    for (hk_sound_op op = HK_OP_SET; op <= HK_OP_STEP; op++) {
        double product = 1;
        for (uint32_t k = 0; k < t->count; k++) {
            double calls = 1;
            for (size_t i = 0; i < t->n; i++)
                calls += t->thread[i] == k && t->m->step[i].op == op;
            product *= calls;
        }
        sum += cycles * product;
    }
    return sum;
}

bool hk_promela_share(hk_arena *arena, const hk_sound_master *master, size_t instances, int cycles,
                      hk_promela_threads *ret_threads) {
    size_t n = master->step_count, words = (2 * n + 63) / 64;
    threads t = {.m = master, .n = n, .words = words};
    t.order = HK_NEW_ARRAY(arena, uint32_t, n);
    t.pred = HK_NEW_ARRAY(arena, uint64_t, 2 * n * words);
    t.succ = HK_NEW_ARRAY(arena, uint64_t, n * words);
    t.thread = HK_NEW_ARRAY(arena, uint32_t, n);
    t.position = HK_NEW_ARRAY(arena, uint32_t, n);
    t.length = HK_NEW_ARRAY(arena, uint32_t, n + instances);
    if (!sort(&t, arena))
        return false;
    find_before(&t);
    t.groups = instances < PROCESSES_MAX ? instances : PROCESSES_MAX;
    for (; t.groups > 1; t.groups--) {
        share_out(&t);
        if (t.groups == 2 || states(&t, cycles) <= STATES_WANTED)
            break;
    }
    if (t.groups <= 1)
        share_out(&t);
    *ret_threads = t;
    return true;
}
