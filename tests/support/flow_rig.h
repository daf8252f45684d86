/* SPDX-License-Identifier: MIT
 *
 * Nodes in one process, for tests of the time rules: random graphs, queues with limits, schedulers
 * that are as unfair as they can be, and what each activation must see by the lag rule alone. */
#ifndef HK_TEST_FLOW_RIG_H
#define HK_TEST_FLOW_RIG_H

#include "dice.h"
#include "time/bounds.h"
#include "time/cycles.h"
#include "time/node_trace.h"
#include "time/rules.h"

#include <stdio.h>

/* ---- random graphs ---- */

static inline dice dice_of(uint64_t seed) {
    return (dice){.stream = hk_stream_make(seed, 0, "flows", "dice")};
}

static inline hk_tick roll_period(dice *d) {
    static const hk_tick periods[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 10};
    return periods[roll(d, sizeof periods / sizeof *periods)];
}

static inline void roll_cell(dice *d, hk_flow_graph *g, uint32_t node, uint32_t levels) {
    char name[32];
    snprintf(name, sizeof name, "n%u.c%u", node, g->cell_count);
    hk_tick periods[3] = {roll_period(d), roll_period(d), roll_period(d)};
    uint32_t count = roll(d, 6) ? 1 : 1 + roll(d, 3);
    uint32_t cell = hk_flow_graph_add_cell(
        g, node, name, periods[0], roll(d, 2) ? 0 : roll(d, (uint32_t)periods[0]), roll(d, levels));
    hk_flow_graph_set_periods(g, cell, periods, count);
}

/* TAME: lags of 0 lead to higher levels only, as in a plan, so that there is no cycle; at most
 * NODES nodes of CELLS cells. */
static inline hk_flow_graph *roll_graph(dice *d, uint32_t nodes, uint32_t cells, hk_tick end,
                                        bool tame) {
    hk_flow_graph *g = hk_flow_graph_create(1, 0, end);
    nodes = 2 + roll(d, nodes - 1);
    uint32_t levels = 1 + roll(d, 5);
    for (uint32_t n = 0; n < nodes; n++) {
        char name[16];
        snprintf(name, sizeof name, "n%u", n);
        hk_flow_graph_add_node(g, name, HK_NOWHERE);
        if (end && roll(d, 8) == 0)
            g->nodes[n].end = roll(d, (uint32_t)end);
        for (uint32_t k = 1 + roll(d, cells); k > 0; k--)
            roll_cell(d, g, n, levels);
    }
    for (uint32_t wanted = 1 + roll(d, 3 * g->cell_count); wanted > 0; wanted--) {
        uint32_t from = roll(d, g->cell_count), to = roll(d, g->cell_count);
        hk_tick lag = roll(d, 2) ? 0 : roll(d, 2) ? g->cells[from].periods[0] : roll(d, 16);
        if (tame && !lag && g->cells[from].level >= g->cells[to].level)
            lag = 1 + roll(d, 5);
        if (g->cells[from].node != g->cells[to].node)
            hk_flow_graph_add_flow(g, from, to, lag);
    }
    hk_flow_graph_finish(g);
    return g;
}

/* ---- queues ---- */

typedef struct flow_message {
    hk_tick stamp, promise, computed; /* computed: the activation of the source */
} flow_message;

typedef struct flow_queue {
    flow_message *all;
    size_t count, cap, taken; /* count: ever sent */
    int64_t limit, most;      /* limit 0: none; most: that have ever waited */
    bool closed;
    hk_tick seen;       /* what the sink has got last: an activation; -1: nothing */
    hk_activation next; /* the next activation that the sink is to see, by the lag rule */
    hk_tick due;        /* the newest that it is to see */
} flow_queue;

typedef enum flow_schedule {
    FLOW_FAIR,   /* anybody */
    FLOW_GREEDY, /* one goes on as long as it can */
    FLOW_STARVED /* one has its turn when nobody else can do anything */
} flow_schedule;
enum { FLOW_SCHEDULES = 3 };

typedef struct flow_run {
    hk_arena *arena;
    const hk_flow_graph *graph;
    hk_rules **rules;
    flow_queue *queues;
    dice dice;
    flow_schedule schedule;
    uint32_t turn; /* the node that goes on, or is starved */
    hk_node_event *events;
    size_t event_count, event_cap;
    const char *wrong; /* NULL: all nodes came to their end */
    bool hung;
    hk_tick stop; /* where the run ends by itself; HK_TICK_NEVER: it does not */
} flow_run;

static inline void flow_wrong(flow_run *r, const char *what, uint32_t flow) {
    if (!r->wrong)
        r->wrong = hk_arena_printf(r->arena, "%s, flow %d", what, (int)flow);
}

static inline void flow_breach(flow_run *r, hk_breach breach, uint32_t flow) {
    if (breach != HK_BREACH_NONE)
        flow_wrong(r, hk_breach_text(breach), flow);
}

/* The lag rule: the newest activation s of the source with s + lag <= t. */
static inline void flow_look(flow_run *r, uint32_t cell, hk_tick t) {
    const hk_flow_list *in = &r->graph->cells[cell].in;
    for (uint32_t i = 0; i < in->count; i++) {
        const hk_flow *flow = &r->graph->flows[in->all[i]];
        flow_queue *q = &r->queues[in->all[i]];
        while (q->next.at != HK_TICK_NEVER && q->next.at + flow->lag <= t) {
            q->due = q->next.at;
            q->next = hk_activation_next(r->graph, flow->from, q->next);
        }
        if (q->seen != q->due)
            flow_wrong(r, "an activation sees another message than the lag rule says", in->all[i]);
    }
}

static inline bool flow_can(const flow_run *r, const hk_rules_action *a) {
    const flow_queue *q = &r->queues[a->flow == HK_MAP_NONE ? 0 : a->flow];
    if (a->what == HK_RULES_RECEIVE)
        return q->taken < q->count;
    if (a->what == HK_RULES_SEND)
        return q->closed || !q->limit || (int64_t)(q->count - q->taken) < q->limit;
    return a->what != HK_RULES_END;
}

static inline void flow_send(flow_run *r, uint32_t node, const hk_rules_action *a) {
    flow_queue *q = &r->queues[a->flow];
    flow_breach(r, hk_rules_sent(r->rules[node], a->flow, a->at, a->promise), a->flow);
    if (q->closed)
        return;
    hk_tick computed = -1;
    for (size_t i = r->event_count; i-- > 0 && computed < 0;)
        if (r->events[i].node == node && r->events[i].did.what == HK_RULES_RUN)
            computed = r->events[i].did.at;
    flow_message m = {a->at, a->promise, computed};
    HK_PUSH(q->all, q->count, q->cap, m);
    int64_t waiting = (int64_t)(q->count - q->taken);
    q->most = waiting > q->most ? waiting : q->most;
}

static inline void flow_do(flow_run *r, uint32_t node, hk_rules_action a) {
    flow_queue *q = &r->queues[a.flow == HK_MAP_NONE ? 0 : a.flow];
    if (a.what == HK_RULES_RECEIVE) {
        flow_message m = q->all[q->taken++];
        flow_breach(r, hk_rules_received(r->rules[node], a.flow, m.stamp, m.promise), a.flow);
        q->seen = m.computed;
        a.at = m.stamp;
        a.promise = m.promise;
    } else if (a.what == HK_RULES_RUN) {
        flow_look(r, a.cell, a.at);
        flow_breach(r, hk_rules_ran(r->rules[node], a.cell, a.at), HK_MAP_NONE);
    } else if (a.what == HK_RULES_CLOSE) {
        q->closed = true;
        flow_breach(r, hk_rules_closed(r->rules[node], a.flow), a.flow);
    }
    hk_node_event e = {node, a};
    if (a.what == HK_RULES_SEND)
        flow_send(r, node, &a);
    HK_PUSH(r->events, r->event_count, r->event_cap, e);
}

static inline bool flow_able(const flow_run *r, uint32_t node) {
    hk_rules_action a = hk_rules_next_action(r->rules[node]);
    return flow_can(r, &a);
}

/* A node knows that the run ends before it would run later than that; some know it earlier. */
static inline void flow_tell(flow_run *r) {
    for (uint32_t n = 0; n < r->graph->node_count && r->stop != HK_TICK_NEVER; n++) {
        hk_rules_action a = hk_rules_next_action(r->rules[n]);
        bool runs = a.what == HK_RULES_RUN || a.what == HK_RULES_RECEIVE;
        if (runs && (a.at >= r->stop || roll(&r->dice, 20) == 0))
            hk_rules_stop(r->rules[n], r->stop);
    }
}

/* Who does something next; HK_MAP_NONE: nobody can. */
static inline uint32_t flow_choose(flow_run *r) {
    uint32_t nodes = r->graph->node_count, found = HK_MAP_NONE;
    if (r->schedule == FLOW_GREEDY && flow_able(r, r->turn))
        return r->turn;
    uint32_t first = roll(&r->dice, nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t node = (first + i) % nodes;
        if (!flow_able(r, node))
            continue;
        found = node;
        if (r->schedule != FLOW_STARVED || node != r->turn)
            break;
    }
    if (r->schedule == FLOW_GREEDY && found != HK_MAP_NONE)
        r->turn = found;
    return found;
}

static inline flow_run flow_run_make(hk_arena *arena, const hk_flow_graph *graph,
                                     const int64_t *capacity, flow_schedule schedule,
                                     uint64_t seed) {
    flow_run r = {.arena = arena, .graph = graph, .dice = dice_of(seed), .schedule = schedule};
    r.stop = HK_TICK_NEVER;
    r.rules = HK_NEW_ARRAY(arena, hk_rules *, graph->node_count);
    r.queues = HK_NEW_ARRAY(arena, flow_queue, graph->flow_count + 1);
    for (uint32_t n = 0; n < graph->node_count; n++)
        r.rules[n] = hk_rules_make(arena, graph, n);
    for (uint32_t f = 0; f < graph->flow_count; f++)
        r.queues[f] = (flow_queue){.limit = capacity ? capacity[f] : 0,
                                   .seen = -1,
                                   .due = -1,
                                   .next = hk_activation_first(graph, graph->flows[f].from)};
    r.turn = roll(&r.dice, graph->node_count);
    return r;
}

/* All nodes until they end, hang or break a rule. */
static inline void flow_run_on(flow_run *r) {
    for (uint32_t node; !r->wrong; flow_do(r, node, hk_rules_next_action(r->rules[node]))) {
        flow_tell(r);
        node = flow_choose(r);
        if (node == HK_MAP_NONE)
            break;
    }
    for (uint32_t n = 0; n < r->graph->node_count && !r->wrong; n++)
        r->hung = r->hung || hk_rules_next_action(r->rules[n]).what != HK_RULES_END;
    if (r->hung)
        r->wrong = "the nodes hang";
}

/* CAPACITY per flow; NULL: no limits. */
static inline flow_run flow_run_all(hk_arena *arena, const hk_flow_graph *graph,
                                    const int64_t *capacity, flow_schedule schedule,
                                    uint64_t seed) {
    flow_run r = flow_run_make(arena, graph, capacity, schedule, seed);
    flow_run_on(&r);
    return r;
}

static inline void flow_run_finish(flow_run *r) {
    for (uint32_t f = 0; f < r->graph->flow_count; f++)
        hk_free(r->queues[f].all);
    hk_free(r->events);
}

static inline const int64_t *flow_capacities(hk_arena *arena, const hk_flow_graph *graph) {
    int64_t *capacity = HK_NEW_ARRAY(arena, int64_t, graph->flow_count);
    const hk_flow_bound *bounds = hk_flow_bounds(arena, graph);
    for (uint32_t f = 0; f < graph->flow_count; f++)
        capacity[f] = bounds[f].capacity;
    return capacity;
}

#endif
