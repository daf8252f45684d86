/* SPDX-License-Identifier: MIT
 *
 * Branch and bound over all assignments. Each component goes to one of the processors that are used
 * already or to the next new one, so that no two leaves differ in the names of processors only. */
#include "plan/allocate_internal.h"

#include <string.h>

typedef struct search {
    hk_allocator *a;
    uint32_t *order; /* components, as they are placed */
    uint32_t *assignment;
    uint32_t *next;  /* per depth: the processor to be tried next */
    uint32_t *used;  /* per depth: processors in use before it */
    hk_weight *peak; /* per depth: the largest load before it */
    hk_weight *load; /* per processor */
    uint32_t *home;  /* per group: the processor of those that are placed */
    uint32_t *there; /* per group: how many are */
    hk_weight least; /* no assignment has a smaller largest load */
} search;

static search begin(hk_allocator *a, hk_arena *arena) {
    size_t n = a->count;
    return (search){
        .a = a,
        .order = HK_NEW_ARRAY(arena, uint32_t, n),
        .assignment = HK_NEW_ARRAY(arena, uint32_t, n),
        .next = HK_NEW_ARRAY(arena, uint32_t, n + 1),
        .used = HK_NEW_ARRAY(arena, uint32_t, n + 1),
        .peak = HK_NEW_ARRAY(arena, hk_weight, n + 1),
        .load = HK_NEW_ARRAY(arena, hk_weight, a->processors),
        .home = HK_NEW_ARRAY(arena, uint32_t, n),
        .there = HK_NEW_ARRAY(arena, uint32_t, n),
        .least = a->processors ? (a->total + a->processors - 1) / a->processors : 0,
    };
}

/* False if nothing below this node can be better than the best one known. */
static bool worth(const search *s, uint32_t depth) {
    const hk_score *best = &s->a->best_score;
    if (best->violated > s->a->hopeless_count)
        return true;
    hk_weight bound = s->peak[depth] > s->least ? s->peak[depth] : s->least;
    if (bound != best->load)
        return bound < best->load;
    return best->added > 0 || s->used[depth] <= best->used;
}

/* Those that call each other stay together. */
static bool may_go(const search *s, uint32_t depth, uint32_t processor) {
    uint32_t group = s->a->group[s->order[depth]];
    return !s->there[group] || s->home[group] == processor;
}

static void place(search *s, uint32_t depth, uint32_t processor) {
    uint32_t c = s->order[depth];
    s->home[s->a->group[c]] = processor;
    s->there[s->a->group[c]]++;
    s->assignment[c] = processor;
    s->load[processor] += s->a->weight[c];
    bool more = s->load[processor] > s->peak[depth];
    s->peak[depth + 1] = more ? s->load[processor] : s->peak[depth];
    s->used[depth + 1] = processor < s->used[depth] ? s->used[depth] : processor + 1;
    s->next[depth + 1] = 0;
}

static void take_back(search *s, uint32_t depth) {
    uint32_t c = s->order[depth];
    s->load[s->assignment[c]] -= s->a->weight[c];
    s->there[s->a->group[c]]--;
}

typedef enum step { STEP_LEAF, STEP_DONE, STEP_TIRED } step;

/* Goes on to the next leaf. *DEPTH is 0 at the beginning, and the leaf's afterwards. */
static step next_leaf(search *s, uint32_t *depth, bool bounded) {
    hk_allocator *a = s->a;
    uint32_t d = *depth;
    if (d == a->count && d > 0)
        take_back(s, --d);
    for (;;) {
        uint32_t choices = s->used[d] < a->processors ? s->used[d] + 1 : a->processors;
        if (s->next[d] == choices) {
            if (d == 0)
                return STEP_DONE;
            take_back(s, --d);
            continue;
        }
        if (a->effort++ >= a->effort_limit)
            return STEP_TIRED;
        uint32_t processor = s->next[d]++;
        if (!may_go(s, d, processor))
            continue;
        place(s, d, processor);
        if (bounded && !worth(s, d + 1)) {
            take_back(s, d);
            continue;
        }
        if (++d == a->count) {
            *depth = d;
            return STEP_LEAF;
        }
    }
}

bool hk_allocator_search(hk_allocator *a) {
    HK_ASSERT(a);
    if (!a->count)
        return true;
    hk_arena *arena = hk_arena_create();
    search s = begin(a, arena);
    memcpy(s.order, a->by_weight, a->count * sizeof *s.order);
    uint32_t depth = 0;
    step last;
    while ((last = next_leaf(&s, &depth, true)) == STEP_LEAF)
        hk_allocator_offer(a, s.assignment);
    hk_arena_destroy(arena);
    return last == STEP_DONE;
}

/* Components that a constraint speaks about are placed last: they vary fastest. */
static void order_for(search *s, const hk_memo *memo) {
    const hk_allocator *a = s->a;
    bool *named = hk_alloc(a->count * sizeof *named);
    for (size_t i = 0; i < memo->count; i++) {
        hk_hop link = hk_plan_hop(a->base, memo->hops[i]);
        named[link.from] = named[link.to] = true;
    }
    uint32_t n = 0;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < a->count; i++)
            if (named[i] == (round == 1))
                s->order[n++] = i;
    hk_free(named);
}

hk_alone hk_allocator_alone(hk_allocator *a, uint32_t constraint, uint64_t effort) {
    HK_ASSERT(a);
    HK_ASSERT(constraint < a->model->constraint_count);
    if (a->hopeless[constraint])
        return HK_ALONE_IMPOSSIBLE;
    hk_arena *arena = hk_arena_create();
    search s = begin(a, arena);
    order_for(&s, &a->memos[constraint]);
    a->effort = 0;
    a->effort_limit = effort;
    uint32_t depth = 0;
    bool found = false;
    step last = STEP_LEAF;
    while (!found && (last = next_leaf(&s, &depth, false)) == STEP_LEAF)
        found = hk_allocator_plan(a, s.assignment) && hk_allocator_holds(a, constraint);
    hk_arena_destroy(arena);
    if (found)
        return HK_ALONE_POSSIBLE;
    return last == STEP_DONE ? HK_ALONE_IMPOSSIBLE : HK_ALONE_UNKNOWN;
}
