/* SPDX-License-Identifier: MIT
 *
 * Groups of components that stay together are placed one by one, then moved and exchanged as long
 * as that spreads the work better, or as well with fewer messages. Work is spread well if nodes
 * have as much to do in all, and in each phase: who waits for others has nothing to do meanwhile.
 * That is done from two starts: by what groups cost, which is even, and as they stand in the model,
 * which keeps neighbours together.
 */
#include "plan/place.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- what stays together ---- */

typedef struct groups {
    uint32_t *leader; /* per component; a leader leads itself */
} groups;

static uint32_t leader_of(const groups *g, uint32_t component) {
    while (g->leader[component] != component)
        component = g->leader[component];
    return component;
}

/* The smaller index leads, so that groups do not depend on the order in which they grow. */
static void join(groups *g, uint32_t a, uint32_t b) {
    a = leader_of(g, a);
    b = leader_of(g, b);
    g->leader[a < b ? b : a] = a < b ? a : b;
}

static void join_services(groups *g, const hk_plan *plan) {
    for (size_t i = 0; i < plan->model->requirement_count; i++) {
        const hk_requirement *r = &plan->model->requirements[i];
        for (size_t k = 0; k < r->candidate_count; k++)
            join(g, r->component, r->candidates[k].component);
    }
}

static void join_loops(groups *g, const hk_plan *plan) {
    uint32_t begin = 0;
    for (size_t i = 0; i < plan->init_group_count; begin = plan->init_group_end[i++])
        for (uint32_t n = begin + 1; n < plan->init_group_end[i]; n++)
            join(g, plan->init_nodes[begin].component, plan->init_nodes[n].component);
}

static void join_processors(groups *g, const hk_plan *plan) {
    const hk_model *model = plan->model;
    uint32_t *first = hk_alloc((model->processor_count + 1) * sizeof *first);
    for (size_t p = 0; p < model->processor_count; p++)
        first[p] = HK_MAP_NONE;
    for (uint32_t c = 0; c < model->component_count; c++) {
        uint32_t p = model->components[c].processor;
        if (p == HK_MAP_NONE || p >= model->processor_count)
            continue;
        if (first[p] == HK_MAP_NONE)
            first[p] = c;
        else
            join(g, first[p], c);
    }
    hk_free(first);
}

static groups groups_of(const hk_plan *plan) {
    size_t n = plan->model->component_count;
    groups g = {hk_alloc((n + 1) * sizeof *g.leader)};
    for (uint32_t c = 0; c < n; c++)
        g.leader[c] = c;
    join_services(&g, plan);
    join_loops(&g, plan);
    return g;
}

void hk_place_apart(const hk_plan *plan, uint32_t *ret_node_of) {
    HK_ASSERT(plan && ret_node_of);
    groups g = groups_of(plan);
    for (uint32_t c = 0; c < plan->model->component_count; c++)
        ret_node_of[c] = leader_of(&g, c);
    hk_free(g.leader);
}

/* ---- placing ---- */

typedef struct group_load {
    uint64_t load;
    uint32_t leader;
} group_load;

static int dearest_first(const void *a, const void *b) {
    const group_load *x = a;
    const group_load *y = b;
    if (x->load != y->load)
        return x->load > y->load ? -1 : 1;
    return x->leader < y->leader ? -1 : x->leader > y->leader;
}

/* Seconds of work per second of simulated time, where what an activation takes is declared; an
 * allocation takes the others as one microsecond each, and so does this. */
static double usual_cost(const hk_plan *plan, uint32_t component) {
    const hk_component *c = &plan->model->components[component];
    double each = c->has_cost ? hk_ratio_to_double(c->cost) : 1e-6;
    return each * (double)plan->ticks_per_second / (double)plan->components[component].period;
}

/* What a search works on. Work is counted in whole parts of that of all, so that sums are exact. */
typedef struct search {
    const hk_plan *plan;
    uint32_t nodes, groups, levels;
    uint64_t *work;                     /* of each component */
    uint32_t *first, *members;          /* of each group; one more for the end */
    uint64_t *load;                     /* of each group */
    uint32_t *first_link[2], *links[2]; /* per component: who sees it, and whom it sees */
    uint32_t *node_of;                  /* per group, as it is tried */
    uint32_t *group_of;                 /* per component */
    uint64_t *busy;                     /* of each node: on each level, then in all */
    uint64_t *counted, *visited, stamp; /* nodes and components that were looked at */
    uint64_t effort;
} search;

enum { SEEN_BY, SEES };
static const uint64_t EFFORT = 4000000; /* a tenth of a second */
static const double WORK = 1 << 26;     /* of all: sums of squares fit, too */
static const double SAME = 1e-9;        /* of a sum: sums that differ by less are equal */

static void weigh(search *s, const double *cost) {
    size_t n = s->plan->model->component_count;
    double all = 0;
    for (uint32_t c = 0; c < n; c++)
        all += cost ? cost[c] : usual_cost(s->plan, c);
    for (uint32_t c = 0; c < n; c++) {
        double part = all > 0 ? (cost ? cost[c] : usual_cost(s->plan, c)) / all : 0;
        s->work[c] = 1 + (uint64_t)(part * WORK);
    }
}

static void list_members(search *s, const groups *g) {
    size_t n = s->plan->model->component_count;
    for (uint32_t c = 0; c < n; c++)
        s->group_of[c] = leader_of(g, c) == c ? s->groups++ : s->group_of[leader_of(g, c)];
    s->first = hk_alloc((s->groups + 2) * sizeof *s->first);
    s->load = hk_alloc((s->groups + 1) * sizeof *s->load);
    s->node_of = hk_alloc((s->groups + 1) * sizeof *s->node_of);
    for (uint32_t c = 0; c < n; c++) {
        s->first[s->group_of[c] + 2]++;
        s->load[s->group_of[c]] += s->work[c];
    }
    for (uint32_t i = 1; i < s->groups; i++)
        s->first[i + 1] += s->first[i];
    for (uint32_t c = 0; c < n; c++)
        s->members[s->first[s->group_of[c] + 1]++] = c;
}

static uint32_t end_of(const hk_connection *k, int which) {
    return which == SEEN_BY ? k->from_component : k->to_component;
}

static void list_links(search *s, int which) {
    const hk_model *model = s->plan->model;
    size_t n = model->component_count;
    uint32_t *first = s->first_link[which] = hk_alloc((n + 2) * sizeof *first);
    s->links[which] = hk_alloc((model->connection_count + 1) * sizeof *s->links[which]);
    for (size_t i = 0; i < model->connection_count; i++)
        first[end_of(&model->connections[i], which) + 2]++;
    for (size_t c = 1; c < n; c++)
        first[c + 1] += first[c];
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        s->links[which][first[end_of(k, which) + 1]++] = end_of(k, !which);
    }
}

static search begin_search(const hk_plan *plan, uint32_t node_count, const double *cost) {
    size_t n = plan->model->component_count;
    search s = {.plan = plan,
                .nodes = node_count,
                .levels = plan->level_count,
                .work = hk_alloc((n + 1) * sizeof *s.work),
                .members = hk_alloc((n + 1) * sizeof *s.members),
                .group_of = hk_alloc((n + 1) * sizeof *s.group_of),
                .busy = hk_alloc(node_count * (plan->level_count + 1) * sizeof *s.busy),
                .counted = hk_alloc(node_count * sizeof *s.counted),
                .visited = hk_alloc((n + 1) * sizeof *s.visited)};
    groups g = groups_of(plan);
    join_processors(&g, plan);
    weigh(&s, cost);
    list_members(&s, &g);
    list_links(&s, SEEN_BY);
    list_links(&s, SEES);
    hk_free(g.leader);
    return s;
}

static void end_search(search *s) {
    void *all[] = {s->work,          s->first,    s->members,  s->load,    s->first_link[0],
                   s->first_link[1], s->links[0], s->links[1], s->node_of, s->group_of,
                   s->busy,          s->counted,  s->visited};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        hk_free(all[i]);
}

/* ---- messages ---- */

/* Per second, of one component to other nodes: one for each activation and node. */
static double messages_of(search *s, uint32_t component) {
    uint32_t own = s->node_of[s->group_of[component]], count = 0;
    uint64_t stamp = ++s->stamp;
    for (uint32_t i = s->first_link[SEEN_BY][component]; i < s->first_link[SEEN_BY][component + 1];
         i++) {
        uint32_t node = s->node_of[s->group_of[s->links[SEEN_BY][i]]];
        count += node != own && s->counted[node] != stamp;
        s->counted[node] = stamp;
        s->effort++;
    }
    const hk_plan *plan = s->plan;
    return count * (double)plan->ticks_per_second / (double)plan->components[component].period;
}

static double visit(search *s, uint32_t component, uint64_t round) {
    if (s->visited[component] == round)
        return 0;
    s->visited[component] = round;
    return messages_of(s, component);
}

/* Of all whose messages depend on where one of two groups is, each once; the second may be none. */
static double messages_around(search *s, uint32_t a, uint32_t b) {
    uint64_t round = ++s->stamp;
    double sum = 0;
    const uint32_t both[] = {a, b};
    for (int k = 0; k < 2 && both[k] != HK_MAP_NONE; k++)
        for (uint32_t m = s->first[both[k]]; m < s->first[both[k] + 1]; m++) {
            uint32_t c = s->members[m];
            sum += visit(s, c, round);
            for (uint32_t i = s->first_link[SEES][c]; i < s->first_link[SEES][c + 1]; i++)
                sum += visit(s, s->links[SEES][i], round);
        }
    return sum;
}

static double all_messages(search *s) {
    double sum = 0;
    for (uint32_t c = 0; c < s->plan->model->component_count; c++)
        sum += messages_of(s, c);
    return sum;
}

/* ---- work ---- */

static uint64_t *busy_of(const search *s, uint32_t node) {
    return s->busy + (size_t)node * (s->levels + 1);
}

/* A group comes to a node, or leaves it. */
static void put_on(search *s, uint32_t group, uint32_t node, bool comes) {
    uint64_t *busy = busy_of(s, node);
    uint64_t sign = comes ? 1 : UINT64_MAX; /* modulo 2^64, as sums are */
    for (uint32_t m = s->first[group]; m < s->first[group + 1]; m++)
        busy[s->plan->components[s->members[m]].level] += sign * s->work[s->members[m]];
    busy[s->levels] += sign * s->load[group];
    if (comes)
        s->node_of[group] = node;
}

static uint64_t unevenness_of(const search *s, uint32_t node) {
    const uint64_t *busy = busy_of(s, node);
    uint64_t sum = 0;
    for (uint32_t l = 0; l <= s->levels; l++)
        sum += busy[l] * busy[l];
    return sum;
}

static uint64_t unevenness(const search *s) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < s->nodes; k++)
        sum += unevenness_of(s, k);
    return sum;
}

/* ---- moves and exchanges ---- */

/* A group goes to a node, and another one (or none) comes back for it. */
typedef struct exchange {
    uint32_t group, other, from, to;
} exchange;

static void apply(search *s, const exchange *x, bool back) {
    uint32_t from = back ? x->to : x->from, to = back ? x->from : x->to;
    put_on(s, x->group, from, false);
    put_on(s, x->group, to, true);
    if (x->other != HK_MAP_NONE) {
        put_on(s, x->other, to, false);
        put_on(s, x->other, from, true);
    }
}

/* Made if work is spread better, or as well with fewer messages. */
static bool try_exchange(search *s, exchange x) {
    uint64_t before = unevenness_of(s, x.from) + unevenness_of(s, x.to);
    double sent = messages_around(s, x.group, x.other);
    apply(s, &x, false);
    uint64_t after = unevenness_of(s, x.from) + unevenness_of(s, x.to);
    s->effort += 1 + s->levels;
    if (after < before ||
        (after == before && messages_around(s, x.group, x.other) < sent * (1 - SAME)))
        return true;
    apply(s, &x, true);
    return false;
}

static bool improve_group(search *s, uint32_t g) {
    bool better = false;
    for (uint32_t k = 0; k < s->nodes; k++)
        if (k != s->node_of[g])
            better |= try_exchange(s, (exchange){g, HK_MAP_NONE, s->node_of[g], k});
    for (uint32_t h = g + 1; h < s->groups; h++)
        if (s->node_of[h] != s->node_of[g])
            better |= try_exchange(s, (exchange){g, h, s->node_of[g], s->node_of[h]});
    return better;
}

static void improve(search *s) {
    bool better = true;
    s->effort = 0;
    while (better) {
        better = false;
        for (uint32_t g = 0; g < s->groups && s->effort < EFFORT; g++)
            better |= improve_group(s, g);
    }
}

/* ---- starts ---- */

/* The dearest first, each to the node that has the least to do. */
static void start_evenly(search *s) {
    group_load *loads = hk_alloc((s->groups + 1) * sizeof *loads);
    for (uint32_t g = 0; g < s->groups; g++)
        loads[g] = (group_load){s->load[g], g};
    qsort(loads, s->groups, sizeof *loads, dearest_first);
    for (uint32_t i = 0; i < s->groups; i++) {
        uint32_t idlest = 0;
        for (uint32_t k = 1; k < s->nodes; k++)
            idlest = busy_of(s, k)[s->levels] < busy_of(s, idlest)[s->levels] ? k : idlest;
        put_on(s, loads[i].leader, idlest, true);
    }
    hk_free(loads);
}

/* As they stand in the model: a node is full when it has its share of the work. */
static void start_in_order(search *s) {
    double all = 0, so_far = 0;
    memset(s->busy, 0, (size_t)s->nodes * (s->levels + 1) * sizeof *s->busy);
    for (uint32_t g = 0; g < s->groups; g++)
        all += (double)s->load[g];
    for (uint32_t g = 0; g < s->groups; g++) {
        double middle = so_far + (double)s->load[g] / 2;
        uint32_t node = (uint32_t)(middle / all * s->nodes);
        put_on(s, g, node < s->nodes ? node : s->nodes - 1, true);
        so_far += (double)s->load[g];
    }
}

void hk_place_components(const hk_plan *plan, uint32_t node_count, const double *cost,
                         uint32_t *ret_node_of) {
    HK_ASSERT(plan && node_count && ret_node_of);
    search s = begin_search(plan, node_count, cost);
    start_evenly(&s);
    improve(&s);
    uint64_t uneven = unevenness(&s);
    double messages = all_messages(&s);
    for (uint32_t c = 0; c < plan->model->component_count; c++)
        ret_node_of[c] = s.node_of[s.group_of[c]];
    start_in_order(&s);
    improve(&s);
    if (unevenness(&s) < uneven ||
        (unevenness(&s) == uneven && all_messages(&s) < messages * (1 - SAME)))
        for (uint32_t c = 0; c < plan->model->component_count; c++)
            ret_node_of[c] = s.node_of[s.group_of[c]];
    end_search(&s);
}

/* ---- what is known before ---- */

uint32_t hk_note_idle_nodes(hk_ctx *ctx, const hk_plan *plan, uint32_t node_count) {
    HK_ASSERT(ctx && plan);
    uint32_t count = 0;
    groups g = groups_of(plan);
    join_processors(&g, plan);
    for (uint32_t c = 0; c < plan->model->component_count; c++)
        count += leader_of(&g, c) == c;
    hk_free(g.leader);
    if (node_count > count)
        hk_note(ctx, HK_NOWHERE,
                "%u of %u nodes have nothing to run: what stays together (a processor, services, a "
                "loop of initial values) makes %u group%s",
                node_count - count, node_count, count, hk_plural(count));
    return count;
}
