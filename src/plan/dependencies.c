/* SPDX-License-Identifier: MIT
 *
 * Dependencies: what components need of each other beside values. A service that may be bound is
 * one, from who provides it to who calls it; and hops, which are connections or dependencies. */
#include "plan/plan_internal.h"

hk_bindings hk_bindings_of(const hk_model *model, hk_arena *arena) {
    HK_ASSERT(model && arena);
    hk_bindings b = {HK_NEW_ARRAY(arena, bool *, model->requirement_count + 1)};
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        uint32_t bound = r->candidate_count == 1 ? 0 : r->bound;
        b.may[i] = HK_NEW_ARRAY(arena, bool, r->candidate_count + 1);
        for (uint32_t c = 0; c < r->candidate_count; c++)
            b.may[i][c] = bound == HK_MAP_NONE || bound == c;
    }
    return b;
}

hk_bindings hk_bindings_copy(const hk_model *model, const hk_bindings *bindings, hk_arena *arena) {
    HK_ASSERT(model && bindings && arena);
    hk_bindings copy = hk_bindings_of(model, arena);
    for (size_t i = 0; i < model->requirement_count; i++)
        for (size_t c = 0; c < model->requirements[i].candidate_count; c++)
            copy.may[i][c] = bindings->may[i][c];
    return copy;
}

uint32_t hk_hop_count(const hk_plan *plan) {
    HK_ASSERT(plan && plan->model);
    return (uint32_t)plan->model->connection_count + plan->dependency_count;
}

const hk_plan_dependency *hk_hop_dependency(const hk_plan *plan, uint32_t hop) {
    HK_ASSERT(plan);
    HK_ASSERT(hop < hk_hop_count(plan));
    uint32_t connections = (uint32_t)plan->model->connection_count;
    HK_ASSERT(hop < connections + plan->dependency_count);
    return hop < connections ? NULL : &plan->dependencies[hop - connections];
}

hk_hop hk_plan_hop(const hk_plan *plan, uint32_t hop) {
    HK_ASSERT(plan);
    HK_ASSERT(hop < hk_hop_count(plan));
    const hk_plan_dependency *d = hk_hop_dependency(plan, hop);
    if (d)
        return (hk_hop){d->from, d->to, d->lag, d->cut};
    const hk_connection *k = &plan->model->connections[hop];
    const hk_plan_connection *p = &plan->connections[hop];
    return (hk_hop){k->from_component, k->to_component, p->lag, p->cut};
}

const char *hk_hop_name(const hk_plan *plan, uint32_t hop) {
    HK_ASSERT(plan);
    HK_ASSERT(hop < hk_hop_count(plan));
    const hk_model *model = plan->model;
    const hk_plan_dependency *d = hk_hop_dependency(plan, hop);
    if (!d)
        return hk_connection_name(model, &model->connections[hop]);
    const hk_requirement *r = &model->requirements[d->requirement];
    const hk_component *from = &model->components[d->from], *to = &model->components[d->to];
    return hk_arena_printf(model->arena, "service %s.%s -> %s.%s", to->name,
                           to->info->services[r->service].name, from->name,
                           from->info->services[r->candidates[d->candidate].service].name);
}

hk_where hk_hop_where(const hk_plan *plan, uint32_t hop) {
    HK_ASSERT(plan);
    HK_ASSERT(hop < hk_hop_count(plan));
    const hk_plan_dependency *d = hk_hop_dependency(plan, hop);
    if (!d)
        return hk_connection_where(plan->model, &plan->model->connections[hop]);
    hk_where where = plan->model->requirements[d->requirement].where;
    where.element = hk_hop_name(plan, hop);
    return where;
}

/* Who is asked by nobody, or asks itself, waits for nobody. */
static void collect(hk_plan *plan) {
    const hk_model *model = plan->model;
    size_t most = 0;
    for (size_t i = 0; i < model->requirement_count; i++)
        most += model->requirements[i].candidate_count;
    plan->dependencies = HK_NEW_ARRAY(plan->arena, hk_plan_dependency, most + 1);
    for (uint32_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        for (uint32_t c = 0; c < r->candidate_count; c++)
            if (plan->bindings.may[i][c] && r->candidates[c].component != r->component)
                plan->dependencies[plan->dependency_count++] =
                    (hk_plan_dependency){r->candidates[c].component, r->component, i, c, .lag = 0};
    }
}

/* A component may call from its initialization on, so who answers it is initialised before it.
 * Those that call each other in a circle stay in the order of the model. */
static void find_init_order(hk_plan *plan) {
    uint32_t n = (uint32_t)plan->model->component_count;
    plan->init_order = HK_NEW_ARRAY(plan->arena, uint32_t, n + 1);
    for (uint32_t v = 0; v < n; v++)
        plan->init_order[v] = v;
    if (!plan->dependency_count)
        return;
    hk_edge *edges = hk_alloc(plan->dependency_count * sizeof *edges);
    for (uint32_t d = 0; d < plan->dependency_count; d++)
        edges[d] = (hk_edge){plan->dependencies[d].from, plan->dependencies[d].to, d};
    hk_graph graph;
    hk_graph_init(&graph, n, edges, plan->dependency_count);
    uint32_t *part_of = hk_alloc(n * sizeof *part_of);
    uint32_t parts = hk_graph_parts(&graph, part_of);
    uint32_t *next = hk_alloc(((size_t)parts + 1) * sizeof *next);
    for (uint32_t v = 0; v < n; v++)
        next[part_of[v] + 1]++;
    for (uint32_t p = 0; p < parts; p++)
        next[p + 1] += next[p];
    for (uint32_t v = 0; v < n; v++)
        plan->init_order[next[part_of[v]]++] = v;
    hk_free(next);
    hk_free(part_of);
    hk_graph_finish(&graph);
    hk_free(edges);
}

typedef struct edge_list {
    hk_edge *all;
    size_t count, cap;
} edge_list;

static bool changes_provider(const hk_plan *plan, const hk_plan_dependency *d) {
    const hk_requirement *r = &plan->model->requirements[d->requirement];
    return hk_interface_mutable(
        plan->model->components[d->to].info->services[r->service].definition);
}

/* There is only one state of the provider to be seen, so what is to be seen late is seen before. */
static void callers_first(const hk_plan *plan, edge_list *list) {
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        hk_edge edge = {d->to, d->from, UINT32_MAX};
        if (d->lag && hk_plan_coincide(plan, d->from, d->to))
            HK_PUSH(list->all, list->count, list->cap, edge);
    }
}

bool hk_plan_caller_sees(const hk_plan *plan, uint32_t changes, uint32_t sees) {
    HK_ASSERT(plan);
    HK_ASSERT(changes < plan->dependency_count && sees < plan->dependency_count);
    const hk_plan_dependency *a = &plan->dependencies[changes], *b = &plan->dependencies[sees];
    return b->from == a->from && b->to != a->to && changes_provider(plan, a) &&
           hk_plan_coincide(plan, a->to, b->to);
}

/* What one caller changes the next one sees, so they have an order: that of the model. */
static void in_order(const hk_plan *plan, edge_list *list) {
    for (uint32_t i = 0; i < plan->dependency_count; i++)
        for (uint32_t k = 0; k < plan->dependency_count; k++) {
            uint32_t a = plan->dependencies[i].to, b = plan->dependencies[k].to;
            hk_edge edge = {a < b ? a : b, a < b ? b : a, UINT32_MAX};
            if (hk_plan_caller_sees(plan, i, k))
                HK_PUSH(list->all, list->count, list->cap, edge);
        }
}

size_t hk_plan_order_calls(const hk_plan *plan, hk_edge **edges, size_t count) {
    HK_ASSERT(plan);
    uint32_t nodes = (uint32_t)plan->model->component_count;
    edge_list list = {*edges, count, count};
    callers_first(plan, &list);
    in_order(plan, &list);
    *edges = list.all;
    if (list.count == count || !hk_graph_closes(nodes, list.all, count, list.count))
        return list.count;
    size_t kept = count;
    for (size_t e = count; e < list.count; e++) { /* one by one, so that each has its reason */
        list.all[kept] = list.all[e];
        kept += !hk_graph_closes(nodes, list.all, kept, kept + 1);
    }
    return kept;
}

hk_status hk_plan_check_services(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    const hk_model *model = plan->model;
    hk_status status = HK_OK;
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        const hk_requirement *r = &model->requirements[d->requirement];
        const hk_component *caller = &model->components[d->to];
        const hk_component *provider = &model->components[d->from];
        if (caller->processor == provider->processor)
            continue;
        status = hk_error(ctx, HK_E_SERVICE, r->where, "put both on one processor",
                          "the partition cuts a service: '%s.%s' on '%s' calls '%s.%s' on '%s'",
                          caller->name, caller->info->services[r->service].name,
                          model->processors[caller->processor].name, provider->name,
                          provider->info->services[r->candidates[d->candidate].service].name,
                          model->processors[provider->processor].name);
    }
    return status;
}

void hk_plan_dependencies(hk_plan *plan, const hk_bindings *bindings) {
    HK_ASSERT(plan);
    plan->bindings = bindings ? hk_bindings_copy(plan->model, bindings, plan->arena)
                              : hk_bindings_of(plan->model, plan->arena);
    collect(plan);
    find_init_order(plan);
}
