/* SPDX-License-Identifier: MIT
 *
 * A good assignment for systems that are too large to be searched: the longest first to the
 * processor with the least, components that break a constraint kept together, then moves and swaps
 * as long as they help. Everything in a fixed order. */
#include "plan/allocate_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct climb {
    hk_allocator *a;
    uint32_t *cluster; /* per component: the smallest one of those it is kept with */
    uint32_t *wanted;  /* the same, while another merge is tried */
    uint32_t *work;    /* the assignment that is tried */
    hk_weight *load;   /* per processor, of the best assignment */
    hk_weight *sum;    /* per cluster */
    bool *hot;         /* per component: it has a part in a broken constraint */
    bool *member;      /* per component: it is to be merged */
} climb;

typedef struct heap {
    hk_weight weight;
    uint32_t cluster;
} heap;

static int heavier_first(const void *x, const void *y) {
    const heap *p = x;
    const heap *q = y;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    return p->cluster < q->cluster ? -1 : p->cluster > q->cluster;
}

/* Longest first: each cluster to the processor with the least so far. */
static void spread(climb *c, const uint32_t *cluster) {
    const hk_allocator *a = c->a;
    heap *heaps = hk_alloc(a->count * sizeof *heaps);
    hk_weight *load = hk_alloc(a->processors * sizeof *load);
    uint32_t count = 0;
    memset(c->sum, 0, a->count * sizeof *c->sum);
    for (uint32_t i = 0; i < a->count; i++)
        c->sum[cluster[i]] += a->weight[i];
    for (uint32_t i = 0; i < a->count; i++)
        if (cluster[i] == i)
            heaps[count++] = (heap){c->sum[i], i};
    qsort(heaps, count, sizeof *heaps, heavier_first);
    for (uint32_t h = 0; h < count; h++) {
        uint32_t least = 0;
        for (uint32_t p = 1; p < a->processors; p++)
            if (load[p] < load[least])
                least = p;
        load[least] += heaps[h].weight;
        c->work[heaps[h].cluster] = least;
    }
    for (uint32_t i = 0; i < a->count; i++)
        c->work[i] = c->work[cluster[i]]; /* the smallest one of a cluster comes first */
    hk_free(load);
    hk_free(heaps);
}

static bool begins(const hk_constraint *c, uint32_t component) {
    for (size_t p = 0; p < c->path_count; p++)
        if (c->paths[p].components[0] == component)
            return true;
    return false;
}

/* Groups of components that a constraint suggests to keep together: first two neighbours on a path,
 * in turn, then everything behind the sources, then everything. False: there is no such group. */
static bool choose_members(climb *c, uint32_t constraint, size_t way) {
    const hk_model *model = c->a->model;
    const hk_memo *m = &c->a->memos[constraint];
    const hk_constraint *k = &model->constraints[constraint];
    if (way >= m->count + 2)
        return false;
    memset(c->member, 0, c->a->count * sizeof *c->member);
    for (size_t i = 0; i < m->count; i++) {
        hk_hop link = hk_plan_hop(c->a->base, m->hops[i]);
        bool pair = way == i;
        bool all = way == m->count + 1;
        bool tail = way == m->count && !begins(k, link.from);
        if (pair || all || tail)
            c->member[link.from] = c->member[link.to] = true;
    }
    return true;
}

static void merge(climb *c) {
    uint32_t n = c->a->count, smallest = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (c->member[i] && c->cluster[i] < smallest)
            smallest = c->cluster[i];
    bool *joined = hk_alloc(n * sizeof *joined);
    for (uint32_t i = 0; i < n; i++)
        if (c->member[i])
            joined[c->cluster[i]] = true;
    for (uint32_t i = 0; i < n; i++)
        c->wanted[i] = joined[c->cluster[i]] ? smallest : c->cluster[i];
    hk_free(joined);
}

static bool tired(const climb *c) {
    return c->a->effort >= c->a->effort_limit;
}

/* Spreads the clusters that are wanted and tells how many constraints are broken then. */
static uint32_t try_clusters(climb *c, const uint32_t *cluster) {
    spread(c, cluster);
    hk_allocator_offer(c->a, c->work);
    return hk_allocator_score(c->a, c->work).violated;
}

/* Merges what one constraint suggests, if fewer are broken then. */
static bool merge_helps(climb *c, uint32_t constraint, uint32_t *violated) {
    for (size_t way = 0; !tired(c) && choose_members(c, constraint, way); way++) {
        merge(c);
        uint32_t now = try_clusters(c, c->wanted);
        if (now >= *violated)
            continue;
        *violated = now;
        memcpy(c->cluster, c->wanted, c->a->count * sizeof *c->cluster);
        return true;
    }
    return false;
}

static bool is_broken(climb *c, uint32_t constraint) {
    if (c->a->hopeless[constraint])
        return false;
    spread(c, c->cluster);
    return !hk_allocator_plan(c->a, c->work) || !hk_allocator_holds(c->a, constraint);
}

/* Keeps components of broken constraints together: first as few as help at once; and if that does
 * not mend all, everything that a broken constraint speaks about. */
static void gather(climb *c) {
    hk_allocator *a = c->a;
    uint32_t violated = try_clusters(c, c->cluster);
    for (bool changed = true; changed && violated > a->hopeless_count;) {
        changed = false;
        for (uint32_t k = 0; k < a->model->constraint_count && !tired(c); k++)
            changed |= is_broken(c, k) && merge_helps(c, k, &violated);
    }
    for (bool changed = true; changed && violated > a->hopeless_count && !tired(c);) {
        changed = false;
        for (uint32_t k = 0; k < a->model->constraint_count && !tired(c); k++) {
            if (!is_broken(c, k) || !choose_members(c, k, a->memos[k].count + 1))
                continue;
            merge(c);
            changed |= memcmp(c->cluster, c->wanted, a->count * sizeof *c->cluster) != 0;
            memcpy(c->cluster, c->wanted, a->count * sizeof *c->cluster);
        }
        violated = try_clusters(c, c->cluster);
    }
}

/* After the best assignment has changed. */
static void look_again(climb *c) {
    hk_allocator *a = c->a;
    memcpy(c->work, a->best, a->count * sizeof *c->work);
    memset(c->load, 0, a->processors * sizeof *c->load);
    memset(c->hot, 0, a->count * sizeof *c->hot);
    for (uint32_t i = 0; i < a->count; i++)
        c->load[a->best[i]] += a->weight[i];
    if (a->best_score.violated <= a->hopeless_count || !hk_allocator_plan(a, a->best))
        return;
    for (uint32_t k = 0; k < a->model->constraint_count; k++) {
        if (a->hopeless[k] || hk_allocator_holds(a, k))
            continue;
        for (size_t i = 0; i < a->memos[k].count; i++) {
            hk_hop link = hk_plan_hop(a->base, a->memos[k].hops[i]);
            c->hot[link.from] = c->hot[link.to] = true;
        }
    }
}

/* Whether loads P and Q instead of those of the processors p and q could be part of an improvement.
 */
static bool promising(const climb *c, uint32_t p, hk_weight in_p, uint32_t q, hk_weight in_q,
                      bool hot) {
    const hk_score *best = &c->a->best_score;
    if (hot)
        return true;
    hk_weight peak = in_p > in_q ? in_p : in_q;
    if (peak > best->load)
        return false;
    for (uint32_t i = 0; i < c->a->processors; i++)
        if (i != p && i != q && c->load[i] > peak)
            peak = c->load[i];
    return peak < best->load || best->added > 0 || in_p == 0 || in_q == 0;
}

static bool settle(climb *c) {
    bool better = hk_allocator_offer(c->a, c->work);
    if (better)
        look_again(c);
    return better;
}

/* Moves a component, or all of its cluster that are where it is, to another processor. */
static bool try_moves(climb *c, uint32_t i, bool whole_cluster) {
    hk_allocator *a = c->a;
    for (uint32_t p = 0; p < a->processors && !tired(c); p++) {
        uint32_t from = a->best[i];
        if (p == from)
            continue;
        hk_weight moved = 0;
        bool hot = false;
        for (uint32_t j = 0; j < a->count; j++)
            if (j == i || (whole_cluster && c->cluster[j] == c->cluster[i] && a->best[j] == from)) {
                c->work[j] = p;
                moved += a->weight[j];
                hot = hot || c->hot[j];
            }
        if (promising(c, from, c->load[from] - moved, p, c->load[p] + moved, hot) && settle(c))
            return true;
        memcpy(c->work, a->best, a->count * sizeof *c->work);
        if (c->load[p] == 0)
            break; /* other empty ones are just the same */
    }
    return false;
}

static bool try_swaps(climb *c, uint32_t i) {
    hk_allocator *a = c->a;
    bool better = false;
    for (uint32_t at = 0; at < a->count && !tired(c); at++) {
        uint32_t j = a->by_weight[at], p = a->best[i], q = a->best[j];
        hk_weight in_p = c->load[p] - a->weight[i] + a->weight[j];
        hk_weight in_q = c->load[q] - a->weight[j] + a->weight[i];
        if (p == q || j < i || !promising(c, p, in_p, q, in_q, c->hot[i] || c->hot[j]))
            continue;
        c->work[i] = q;
        c->work[j] = p;
        if (settle(c)) {
            better = true;
            continue;
        }
        c->work[i] = p;
        c->work[j] = q;
    }
    return better;
}

static void move_and_swap(climb *c) {
    const hk_allocator *a = c->a;
    look_again(c);
    for (bool changed = true; changed && !tired(c);) {
        changed = false;
        for (uint32_t at = 0; at < a->count; at++) {
            uint32_t i = a->by_weight[at];
            if (c->cluster[i] == i)
                changed |= try_moves(c, i, true);
        }
        for (uint32_t at = 0; at < a->count; at++)
            changed |= try_moves(c, a->by_weight[at], false);
        for (uint32_t at = 0; at < a->count; at++)
            changed |= try_swaps(c, a->by_weight[at]);
    }
}

void hk_allocator_improve(hk_allocator *a) {
    HK_ASSERT(a);
    hk_arena *arena = hk_arena_create();
    climb c = {.a = a,
               .cluster = HK_NEW_ARRAY(arena, uint32_t, a->count),
               .wanted = HK_NEW_ARRAY(arena, uint32_t, a->count),
               .work = HK_NEW_ARRAY(arena, uint32_t, a->count),
               .load = HK_NEW_ARRAY(arena, hk_weight, a->processors),
               .sum = HK_NEW_ARRAY(arena, hk_weight, a->count),
               .hot = HK_NEW_ARRAY(arena, bool, a->count),
               .member = HK_NEW_ARRAY(arena, bool, a->count)};
    hk_allocator_offer(a, c.work); /* all on one: this always has a plan */
    for (uint32_t i = 0; i < a->count; i++)
        c.cluster[i] = a->group[i];
    gather(&c);
    move_and_swap(&c);
    hk_arena_destroy(arena);
}
