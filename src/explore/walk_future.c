/* SPDX-License-Identifier: MIT
 *
 * What can still come from each state: everything that comes from a state of its strongly connected
 * component, or from a component behind it. Components are found by Tarjan's algorithm, which is
 * done with those behind before it is done with one; it goes down without recursion, since a way
 * can be as long as there are states. */
#include "explore/walk_internal.h"

typedef struct frame {
    uint32_t state;
    uint32_t left;   /* successors that were not looked at */
    uint32_t before; /* the last of them + 1 */
    size_t at;       /* in the bytes */
} frame;

typedef struct search {
    const hk_walk *walk;
    uint64_t lost;
    uint64_t *futures;
    uint32_t *order, *low; /* order: when it was found, from 1; 0: not yet */
    uint32_t *stack;       /* states of components that are not done */
    size_t stack_count;
    bool *waits; /* is on the stack */
    frame *frames;
    size_t frame_count, frame_cap;
    uint32_t found;
} search;

static void go_to(search *s, uint32_t state) {
    const unsigned char *at = s->walk->bytes + s->walk->starts[state];
    uint32_t left = (uint32_t)hk_walk_number(&at);
    frame f = {.state = state, .left = left, .at = (size_t)(at - s->walk->bytes)};
    s->order[state] = s->low[state] = ++s->found;
    s->stack[s->stack_count++] = state;
    s->waits[state] = true;
    HK_PUSH(s->frames, s->frame_count, s->frame_cap, f);
}

/* The state is the first that was found of its component: all above it on the stack are in it. */
static void end_component(search *s, uint32_t first) {
    uint64_t all = 0;
    size_t begin = s->stack_count;
    do
        all |= s->futures[s->stack[--begin]];
    while (s->stack[begin] != first);
    for (size_t i = begin; i < s->stack_count; i++) {
        s->futures[s->stack[i]] = all;
        s->waits[s->stack[i]] = false;
    }
    s->stack_count = begin;
}

/* Looks at the next successor of the innermost state. */
static void look(search *s) {
    frame *f = &s->frames[s->frame_count - 1];
    const unsigned char *at = s->walk->bytes + f->at;
    f->before += (uint32_t)hk_walk_number(&at);
    uint64_t marks = s->walk->marks[hk_walk_number(&at)];
    uint32_t state = f->state, to = f->before - 1;
    bool none = f->before == 0;
    f->at = (size_t)(at - s->walk->bytes);
    f->left--;
    s->futures[state] |= none ? marks | s->lost : marks;
    if (none)
        return;
    if (!s->order[to])
        go_to(s, to); /* f is not valid any more */
    else if (s->waits[to])
        s->low[state] = s->order[to] < s->low[state] ? s->order[to] : s->low[state];
    else
        s->futures[state] |= s->futures[to];
}

static void leave(search *s) {
    uint32_t state = s->frames[--s->frame_count].state;
    if (s->low[state] == s->order[state])
        end_component(s, state);
    if (!s->frame_count)
        return;
    uint32_t above = s->frames[s->frame_count - 1].state;
    s->futures[above] |= s->futures[state];
    if (s->low[state] < s->low[above])
        s->low[above] = s->low[state];
}

uint64_t *hk_walk_futures(hk_walk *walk, uint64_t lost) {
    size_t count = hk_vault_count(walk->vault);
    HK_ASSERT(hk_walk_is_whole(walk));
    search s = {.walk = walk,
                .lost = lost,
                .futures = hk_alloc(count * sizeof *s.futures),
                .order = hk_alloc(count * sizeof *s.order),
                .low = hk_alloc(count * sizeof *s.low),
                .stack = hk_alloc(count * sizeof *s.stack),
                .waits = hk_alloc(count * sizeof *s.waits)};
    go_to(&s, 0); /* all states can be reached from here */
    while (s.frame_count)
        if (s.frames[s.frame_count - 1].left)
            look(&s);
        else
            leave(&s);
    walk->futures_memory = count * (sizeof *s.futures + sizeof *s.order + sizeof *s.low +
                                    sizeof *s.stack + sizeof *s.waits) +
                           s.frame_cap * sizeof *s.frames;
    hk_free(s.order);
    hk_free(s.low);
    hk_free(s.stack);
    hk_free(s.waits);
    hk_free(s.frames);
    return s.futures;
}
