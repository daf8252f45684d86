/* SPDX-License-Identifier: MIT
 *
 * The graph of a plan whose components are placed on nodes. */
#include "time/flow_graph.h"

#include <stdlib.h>
#include <string.h>

/* What cells are found by. */
typedef struct place {
    uint32_t node, level, rate, component;
} place;

/* What flows are found by. */
typedef struct crossing {
    uint32_t from, to; /* cells */
    hk_tick lag;
    uint32_t connection;
} crossing;

typedef struct making {
    hk_ctx *ctx;
    const hk_plan *plan;
    const hk_placement *placement;
    hk_flow_graph *graph;
    uint32_t *cell_of; /* per component */
} making;

static bool crosses(const making *m, uint32_t a, uint32_t b) {
    return m->placement->node_of[a] != m->placement->node_of[b];
}

static const char *node_name(const making *m, uint32_t node) {
    return m->placement->names ? m->placement->names[node]
                               : hk_arena_printf(m->graph->arena, "node%u", node);
}

/* ---- what cannot cross ----------------------------------------------------------------------- */

static const char together_hint[] = "put both on one node";

static hk_status refuse_services(const making *m) {
    uint32_t first = (uint32_t)m->plan->model->connection_count;
    for (uint32_t d = 0; d < m->plan->dependency_count; d++) {
        const hk_plan_dependency *x = &m->plan->dependencies[d];
        if (crosses(m, x->from, x->to))
            return hk_error(m->ctx, HK_E_SERVICE, hk_hop_where(m->plan, first + d), together_hint,
                            "a service cannot be called from another node: %s, from '%s' to '%s'",
                            hk_hop_name(m->plan, first + d),
                            node_name(m, m->placement->node_of[x->to]),
                            node_name(m, m->placement->node_of[x->from]));
    }
    return HK_OK;
}

static hk_status refuse_shares(const making *m) {
    const hk_model *model = m->plan->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (k->shared && crosses(m, k->from_component, k->to_component))
            return hk_error(m->ctx, HK_E_SCHEDULE, hk_connection_where(model, k), together_hint,
                            "a parameter cannot be shared with another node: %s",
                            hk_connection_name(model, k));
    }
    return HK_OK;
}

/* Values of a loop are iterated together, so its members have one node. */
static hk_status refuse_initial_loops(const making *m) {
    const hk_model *model = m->plan->model;
    for (size_t g = 0, begin = 0; g < m->plan->init_group_count; g++) {
        uint32_t first = m->plan->init_nodes[begin].component;
        for (size_t i = begin; i < m->plan->init_group_end[g]; i++) {
            uint32_t other = m->plan->init_nodes[i].component;
            if (crosses(m, first, other))
                return hk_error(
                    m->ctx, HK_E_INIT_LOOP, model->components[other].where, together_hint,
                    "a loop of initial values cannot cross nodes: '%s' on '%s' and "
                    "'%s' on '%s' are in it",
                    model->components[first].name, node_name(m, m->placement->node_of[first]),
                    model->components[other].name, node_name(m, m->placement->node_of[other]));
        }
        begin = m->plan->init_group_end[g];
    }
    return HK_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int compare_u32(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    int order = compare_u32(x->node, y->node);
    order = order ? order : compare_u32(x->level, y->level);
    order = order ? order : compare_u32(x->rate, y->rate);
    return order ? order : compare_u32(x->component, y->component);
}

static bool same_cell(const place *a, const place *b) {
    return a->node == b->node && a->level == b->level && a->rate == b->rate;
}

static void add_cell(making *m, const place *at, uint32_t number) {
    const hk_rate *rate = &m->plan->rates[at->rate];
    const char *name =
        hk_arena_printf(m->graph->arena, "%s.%u", m->graph->nodes[at->node].name, number);
    uint32_t cell =
        hk_flow_graph_add_cell(m->graph, at->node, name, rate->period, rate->offset, at->level);
    m->graph->cells[cell].where.element = hk_arena_printf(
        m->graph->arena, "component '%s'", m->plan->model->components[at->component].name);
}

static void make_cells(making *m) {
    size_t count = m->plan->model->component_count;
    place *places = hk_alloc((count + 1) * sizeof *places);
    for (uint32_t n = 0; n < m->placement->node_count; n++)
        hk_flow_graph_add_node(m->graph, node_name(m, n), HK_NOWHERE);
    for (uint32_t c = 0; c < count; c++) {
        HK_ASSERT(m->placement->node_of[c] < m->placement->node_count);
        places[c] = (place){m->placement->node_of[c], m->plan->components[c].level,
                            m->plan->components[c].rate, c};
    }
    qsort(places, count, sizeof *places, compare_places);
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++) {
        number = i > 0 && places[i].node == places[i - 1].node ? number : 0;
        if (i == 0 || !same_cell(&places[i], &places[i - 1]))
            add_cell(m, &places[i], number++);
        m->cell_of[places[i].component] = m->graph->cell_count - 1;
    }
    hk_free(places);
}

/* ---- flows ----------------------------------------------------------------------------------- */

static int compare_crossings(const void *a, const void *b) {
    const crossing *x = a, *y = b;
    int order = compare_u32(x->from, y->from);
    order = order ? order : compare_u32(x->to, y->to);
    order = order ? order : (x->lag > y->lag) - (x->lag < y->lag);
    return order ? order : compare_u32(x->connection, y->connection);
}

static bool same_flow(const crossing *a, const crossing *b) {
    return a->from == b->from && a->to == b->to && a->lag == b->lag;
}

static void add_flow(making *m, const crossing *all, size_t count) {
    const hk_model *model = m->plan->model;
    uint32_t index = hk_flow_graph_add_flow(m->graph, all->from, all->to, all->lag);
    hk_flow *flow = &m->graph->flows[index];
    const hk_connection *first = &model->connections[all->connection];
    flow->connections.all = HK_NEW_ARRAY(m->graph->arena, uint32_t, count);
    flow->connections.count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        flow->connections.all[i] = all[i].connection;
    flow->name = count == 1 ? hk_arena_strdup(m->graph->arena, hk_connection_name(model, first))
                            : hk_arena_printf(m->graph->arena, "%s and %zu more",
                                              hk_connection_name(model, first), count - 1);
    flow->where = hk_connection_where(model, first);
    flow->where.file = hk_arena_strdup(m->graph->arena, flow->where.file);
    flow->where.element = hk_arena_strdup(m->graph->arena, flow->where.element);
}

static void make_flows(making *m) {
    const hk_model *model = m->plan->model;
    crossing *all = hk_alloc((model->connection_count + 1) * sizeof *all);
    size_t count = 0;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (crosses(m, k->from_component, k->to_component))
            all[count++] = (crossing){m->cell_of[k->from_component], m->cell_of[k->to_component],
                                      m->plan->connections[i].lag, i};
    }
    qsort(all, count, sizeof *all, compare_crossings);
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && same_flow(&all[begin], &all[end]))
            end++;
        add_flow(m, &all[begin], end - begin);
    }
    hk_free(all);
}

hk_status hk_flow_graph_of_plan(hk_ctx *ctx, const hk_plan *plan, const hk_placement *placement,
                                hk_flow_graph **ret_graph) {
    making m = {.ctx = ctx,
                .plan = plan,
                .placement = placement,
                .graph = hk_flow_graph_create(plan->ticks_per_second, plan->start, plan->end)};
    hk_status status = refuse_services(&m);
    if (status == HK_OK)
        status = refuse_shares(&m);
    if (status == HK_OK)
        status = refuse_initial_loops(&m);
    if (status != HK_OK) {
        hk_flow_graph_destroy(m.graph);
        return status;
    }
    m.cell_of = HK_NEW_ARRAY(m.graph->arena, uint32_t, plan->model->component_count + 1);
    make_cells(&m);
    make_flows(&m);
    hk_flow_graph_finish(m.graph);
    *ret_graph = m.graph;
    return HK_OK;
}
