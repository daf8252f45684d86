/* SPDX-License-Identifier: MIT
 *
 * Breadth first: states are taken in the order of their numbers, so that the store is the queue. */
#include "explore/walk_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- edges */

/* Who would hold every edge would hold the same successor once for each of the inputs that lead to
 * it: a state keeps each pair of successor and marks once. They are numbers of few bytes. */
static void put_number(hk_walk *w, uint64_t number) {
    if (w->bytes_count + 10 > w->bytes_cap) {
        w->bytes_cap += w->bytes_cap / 4 + 4096;
        w->bytes = hk_realloc(w->bytes, w->bytes_cap);
    }
    for (; number > 127; number >>= 7)
        w->bytes[w->bytes_count++] = (unsigned char)(number | 128);
    w->bytes[w->bytes_count++] = (unsigned char)number;
}

static int compare_successors(const void *a, const void *b) {
    const hk_walk_successor *x = a;
    const hk_walk_successor *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->marks < y->marks ? -1 : x->marks > y->marks;
}

/* Writes down what can happen from one state. */
static void keep_successors(hk_walk *w, uint32_t from) {
    if (w->successor_count)
        qsort(w->successors, w->successor_count, sizeof *w->successors, compare_successors);
    size_t count = 0;
    for (size_t i = 0; i < w->successor_count; i++)
        if (!i || compare_successors(&w->successors[i - 1], &w->successors[i]) != 0)
            w->successors[count++] = w->successors[i];
    w->starts[from] = w->bytes_count;
    put_number(w, count);
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        const hk_walk_successor *s = &w->successors[i];
        put_number(w, s->to - before);
        put_number(w, s->marks);
        before = s->to;
    }
    w->successor_count = 0;
}

static uint32_t mark_number(hk_walk *w, uint64_t marks) {
    for (size_t i = 0; i < w->mark_count; i++)
        if (w->marks[i] == marks)
            return (uint32_t)i;
    HK_PUSH(w->marks, w->mark_count, w->mark_cap, marks);
    return (uint32_t)w->mark_count - 1;
}

/* ---- states */

enum { WAYS_MAX = 10000000 }; /* out of one state: inputs and choices, each with each */

static void grow(hk_walk *w, uint32_t count) {
    if (count <= w->cap)
        return;
    w->cap += w->cap / 4 + 1024;
    w->reached_by = hk_realloc(w->reached_by, w->cap * sizeof *w->reached_by);
    w->starts = hk_realloc(w->starts, w->cap * sizeof *w->starts);
}

static uint32_t add_state(hk_walk *w, const uint64_t *state, hk_walk_edge by) {
    bool is_new;
    uint32_t number = hk_vault_put(w->vault, state, &is_new);
    if (is_new) {
        grow(w, number + 1);
        w->reached_by[number] = by;
    }
    return number;
}

/* All ways from one state; so many ways that nobody can wait for them leave the walk unfinished. */
static void expand(hk_walk *w, const hk_walk_system *system, uint32_t from, uint32_t limit) {
    hk_choices choices = {0};
    uint32_t via = 0;
    hk_vault_get(w->vault, from, w->from);
    do {
        uint64_t marks = 0;
        hk_walk_edge edge = {from, via++};
        memcpy(w->to, w->from, system->words * sizeof *w->to);
        w->steps++;
        bool goes_on = system->step(system->user, edge, &choices, w->to, &marks);
        uint32_t to = goes_on ? add_state(w, w->to, edge) + 1 : 0;
        hk_walk_successor next = {to, mark_number(w, marks)};
        HK_PUSH(w->successors, w->successor_count, w->successor_cap, next);
        w->cut = via == WAYS_MAX || hk_vault_count(w->vault) > limit;
    } while (hk_choices_next(&choices) && !w->cut);
    hk_choices_finish(&choices);
    keep_successors(w, from);
}

hk_walk *hk_walk_all(const hk_walk_system *system, uint32_t limit) {
    hk_walk *w = hk_alloc(sizeof *w);
    w->vault = hk_vault_create(system->words);
    w->from = hk_alloc((system->words + 1) * sizeof *w->from);
    w->to = hk_alloc((system->words + 1) * sizeof *w->to);
    system->begin(system->user, w->to);
    add_state(w, w->to, (hk_walk_edge){HK_VAULT_NONE, 0});
    while (w->expanded < hk_vault_count(w->vault) && !w->cut)
        expand(w, system, w->expanded++, limit);
    return w;
}

void hk_walk_destroy(hk_walk *w) {
    if (!w)
        return;
    hk_vault_destroy(w->vault);
    hk_free(w->from);
    hk_free(w->to);
    hk_free(w->reached_by);
    hk_free(w->starts);
    hk_free(w->bytes);
    hk_free(w->marks);
    hk_free(w->successors);
    hk_free(w);
}

const hk_vault *hk_walk_states(const hk_walk *w) {
    return w->vault;
}

bool hk_walk_is_whole(const hk_walk *w) {
    return w->expanded == hk_vault_count(w->vault) && !w->cut;
}

uint32_t hk_walk_expanded(const hk_walk *w) {
    return w->expanded;
}

uint64_t hk_walk_steps(const hk_walk *w) {
    return w->steps;
}

size_t hk_walk_memory(const hk_walk *w) {
    return hk_vault_memory(w->vault) + w->cap * (sizeof *w->reached_by + sizeof *w->starts) +
           w->bytes_cap + w->futures_memory;
}

/* ---- ways */

size_t hk_walk_distance(const hk_walk *w, uint32_t state) {
    size_t count = 0;
    for (; state; state = w->reached_by[state].from)
        count++;
    return count;
}

hk_walk_edge *hk_walk_path(const hk_walk *w, hk_arena *arena, uint32_t state, size_t *ret_count) {
    size_t count = hk_walk_distance(w, state);
    hk_walk_edge *path = HK_NEW_ARRAY(arena, hk_walk_edge, count + 1);
    for (size_t i = count; i > 0; i--) {
        path[i - 1] = w->reached_by[state];
        state = w->reached_by[state].from;
    }
    *ret_count = count;
    return path;
}

void hk_walk_choose(const hk_walk_system *system, const hk_walk *w, hk_walk_edge edge,
                    hk_choices *choices) {
    uint64_t *from = hk_alloc((system->words + 1) * sizeof *from);
    uint64_t *state = hk_alloc((system->words + 1) * sizeof *state);
    hk_choices_finish(choices);
    hk_vault_get(w->vault, edge.from, from);
    for (uint32_t via = 0; via < edge.via; via++) {
        uint64_t marks = 0;
        memcpy(state, from, system->words * sizeof *state);
        (void)system->step(system->user, (hk_walk_edge){edge.from, via}, choices, state, &marks);
        bool more = hk_choices_next(choices);
        HK_ASSERT(more);
    }
    hk_free(from);
    hk_free(state);
}
