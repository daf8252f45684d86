/* SPDX-License-Identifier: MIT
 *
 * Lags in ticks, and an order for what has none. A connection of lag 0 makes its consumer wait for
 * the producer's activation at the same instant; where such connections form a cycle, one has to
 * give way (cuts.c). */
#include "plan/graph.h"
#include "plan/plan_internal.h"

#include <string.h>

typedef struct work {
    hk_ctx *ctx;
    hk_plan *plan;
    hk_edge *edges; /* hops of lag 0 between components that meet; tag: the hop */
    size_t edge_count, edge_cap;
    hk_tick *steps; /* per logical processor; 0: not looked at yet */
} work;

hk_tick hk_plan_previous_lag(const hk_plan *plan, const hk_connection *k) {
    bool end = plan->model->components[k->from_component].info->stamp == HK_STAMP_END;
    return end ? plan->components[k->from_component].period : 1;
}

hk_tick hk_plan_step(const hk_plan *plan, const uint32_t *components, size_t count) {
    HK_ASSERT(plan);
    hk_tick step = 0;
    for (size_t i = 0; i < count; i++) {
        const hk_plan_component *c = &plan->components[components[i]];
        step = hk_gcd(hk_gcd(step, c->period), c->offset - plan->components[components[0]].offset);
    }
    return step;
}

/* The step of a logical processor: everything in it happens at multiples of it. */
static hk_tick processor_step(work *w, uint32_t processor) {
    const hk_processor *p = &w->plan->model->processors[processor];
    if (!w->steps[processor])
        w->steps[processor] = hk_plan_step(w->plan, p->components, p->count);
    return w->steps[processor];
}

/* 'current' between components whose order or distance the schedule declares. */
static hk_tick current_lag(work *w, uint32_t from_component, uint32_t to_component) {
    const hk_plan *plan = w->plan;
    const hk_component *from = &plan->model->components[from_component];
    const hk_component *to = &plan->model->components[to_component];
    if (from->processor == HK_MAP_NONE || to->processor == HK_MAP_NONE)
        return 0;
    if (from->processor == to->processor)
        return from->rank < to->rank ? 0 : 1;
    return plan->model->cut == HK_CUT_HLA ? processor_step(w, from->processor) : 0;
}

static hk_status lag_from_word(work *w, size_t index, hk_algorithm algorithm) {
    hk_plan *plan = w->plan;
    const hk_connection *k = &plan->model->connections[index];
    const hk_info *producer = plan->model->components[k->from_component].info;
    hk_tick delay = 0;
    if (k->delay.num && !hk_tick_from_ratio(k->delay, plan->ticks_per_second, &delay))
        return hk_error(w->ctx, HK_E_TICK_OVERFLOW, hk_connection_where(plan->model, k), NULL,
                        "the delay does not fit 64-bit ticks");
    if (delay < 0)
        return hk_error(w->ctx, HK_E_TIME, hk_connection_where(plan->model, k), NULL,
                        "the delay is negative");
    hk_tick lag = 0;
    hk_lag word = hk_connection_lag(k, algorithm);
    if (word == HK_LAG_PREVIOUS || (word == HK_LAG_OBSERVE && producer->stamp == HK_STAMP_END))
        lag = hk_plan_previous_lag(plan, k);
    else if (word == HK_LAG_CURRENT)
        lag = current_lag(w, k->from_component, k->to_component);
    plan->connections[index].lag = lag + delay;
    if (lag + delay == 0 && hk_plan_coincide(plan, k->from_component, k->to_component)) {
        hk_edge edge = {k->from_component, k->to_component, (uint32_t)index};
        HK_PUSH(w->edges, w->edge_count, w->edge_cap, edge);
    }
    return HK_OK;
}

/* A service is a connection with the lag 'current'. */
static void lag_of_dependency(work *w, uint32_t index) {
    hk_plan_dependency *d = &w->plan->dependencies[index];
    d->lag = current_lag(w, d->from, d->to);
    d->cut = d->circular = false;
    if (d->lag == 0 && hk_plan_coincide(w->plan, d->from, d->to)) {
        hk_edge edge = {d->from, d->to, (uint32_t)w->plan->model->connection_count + index};
        HK_PUSH(w->edges, w->edge_count, w->edge_cap, edge);
    }
}

/* Raises LEVELS along the connections of lag 0, ORDER being an order of these. */
static void raise_along(const hk_graph *graph, const uint32_t *order, uint32_t *levels) {
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t e = graph->first[order[i]]; e < graph->first[order[i] + 1]; e++)
            if (levels[graph->out[e].to] < levels[order[i]] + 1)
                levels[graph->out[e].to] = levels[order[i]] + 1;
}

/* No component runs in an earlier phase than one that is before it in its processor. */
static bool raise_by_rank(const hk_model *model, uint32_t *levels) {
    bool raised = false;
    for (size_t p = 0; p < model->processor_count; p++) {
        const hk_processor *on = &model->processors[p];
        for (size_t i = 1; i < on->count; i++)
            if (levels[on->components[i]] < levels[on->components[i - 1]]) {
                levels[on->components[i]] = levels[on->components[i - 1]];
                raised = true;
            }
    }
    return raised;
}

/* What a call sees is up to who runs first, and to nothing else. */
static void settle_dependencies(hk_plan *plan) {
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        hk_plan_dependency *d = &plan->dependencies[i];
        if (!hk_plan_coincide(plan, d->from, d->to))
            continue;
        HK_ASSERT(plan->components[d->from].level != plan->components[d->to].level);
        d->lag = plan->components[d->from].level > plan->components[d->to].level;
        d->cut = d->cut && d->lag;
    }
}

/* The level of a component is the length of the longest chain of lag 0 that leads to it. Where
 * processors declare an order, phases follow it; but not if processors that wait for each other
 * contradict it, since their order then says only who sees whose value. */
static void find_levels(work *w) {
    enum { ROUNDS = 64 };
    hk_plan *plan = w->plan;
    uint32_t n = (uint32_t)plan->model->component_count;
    size_t alive = 0;
    for (size_t e = 0; e < w->edge_count; e++)
        if (!hk_plan_hop(plan, w->edges[e].tag).cut)
            w->edges[alive++] = w->edges[e];
    alive = hk_plan_order_calls(plan, &w->edges, alive);
    hk_graph graph;
    hk_graph_init(&graph, n, w->edges, alive);
    uint32_t *position = hk_alloc(n * sizeof *position);
    uint32_t *order = hk_alloc(n * sizeof *order);
    hk_graph_parts(&graph, position); /* without cycles this is a topological order */
    for (uint32_t v = 0; v < n; v++)
        order[position[v]] = v;
    uint32_t *levels = hk_alloc(n * sizeof *levels);
    int rounds = 0;
    do
        raise_along(&graph, order, levels);
    while (raise_by_rank(plan->model, levels) && ++rounds < ROUNDS);
    if (rounds == ROUNDS) {
        memset(levels, 0, n * sizeof *levels);
        raise_along(&graph, order, levels);
    }
    for (uint32_t v = 0; v < n; v++) {
        plan->components[v].level = levels[v];
        if (plan->level_count < levels[v] + 1)
            plan->level_count = levels[v] + 1;
    }
    settle_dependencies(plan);
    hk_free(levels);
    hk_free(order);
    hk_free(position);
    hk_graph_finish(&graph);
}

/* The levels of a master. Who calls a service and who provides it cannot run at the same time. */
static hk_status take_levels(work *w) {
    hk_plan *plan = w->plan;
    for (uint32_t v = 0; v < plan->model->component_count; v++) {
        plan->components[v].level = plan->given_levels[v];
        if (plan->level_count < plan->given_levels[v] + 1)
            plan->level_count = plan->given_levels[v] + 1;
    }
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        uint32_t hop = (uint32_t)plan->model->connection_count + i;
        if (hk_plan_coincide(plan, d->from, d->to) &&
            plan->components[d->from].level == plan->components[d->to].level)
            return hk_error(w->ctx, HK_E_UNSOUND, hk_hop_where(plan, hop),
                            "step one of them, and get or set something before the other",
                            "the master steps '%s' together with '%s', which it calls",
                            plan->model->components[d->to].name,
                            plan->model->components[d->from].name);
    }
    settle_dependencies(plan);
    return HK_OK;
}

hk_status hk_plan_lags(hk_ctx *ctx, hk_plan *plan, hk_algorithm algorithm) {
    HK_ASSERT(ctx && plan);
    HK_TRY(hk_plan_check_services(ctx, plan));
    work w = {.ctx = ctx,
              .plan = plan,
              .steps = hk_alloc(plan->model->processor_count * sizeof *w.steps)};
    hk_status status = HK_OK;
    for (size_t i = 0; i < plan->model->connection_count && status == HK_OK; i++)
        status = lag_from_word(&w, i, algorithm);
    for (uint32_t i = 0; i < plan->dependency_count && status == HK_OK; i++)
        lag_of_dependency(&w, i);
    if (status == HK_OK && plan->given_levels)
        status = take_levels(&w);
    else if (status == HK_OK)
        status = hk_plan_cut_cycles(ctx, plan, w.edges, w.edge_count);
    if (status == HK_OK && !plan->given_levels) {
        find_levels(&w);
        hk_plan_report_cuts(ctx, plan);
    }
    hk_free(w.steps);
    hk_free(w.edges);
    return status;
}
