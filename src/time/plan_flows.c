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
    HK_TRY(hk_placement_check(ctx, plan, placement));
    making m = {.plan = plan,
                .placement = placement,
                .graph = hk_flow_graph_create(plan->ticks_per_second, plan->start, plan->end)};
    m.cell_of = HK_NEW_ARRAY(m.graph->arena, uint32_t, plan->model->component_count + 1);
    make_cells(&m);
    make_flows(&m);
    hk_flow_graph_finish(m.graph);
    *ret_graph = m.graph;
    return HK_OK;
}
