/* SPDX-License-Identifier: MIT
 *
 * The order of initial values. Nodes are the ends of connections: outputs to be read and inputs to
 * be written in initialization mode. A connection leads from its output to its input; inside a
 * component an edge leads from every input to every output that depends on it. Where the component
 * does not say what depends on what, all edges pass through one extra node, so that the graph stays
 * linear in the number of connections. */
#include "plan/graph.h"
#include "plan/plan_internal.h"

#include <stdlib.h>

typedef struct ends {
    hk_init_node *nodes; /* sorted by component, outputs first, then by variable */
    size_t count;
    hk_edge *edges;
    size_t edge_count, edge_cap;
} ends;

static bool takes_part(const hk_connection *k) {
    return !k->initial.data; /* with its own initial value it asks nothing of the producer */
}

static int compare_nodes(const void *a, const void *b) {
    const hk_init_node *x = a;
    const hk_init_node *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    bool x_output = x->connection == HK_MAP_NONE;
    bool y_output = y->connection == HK_MAP_NONE;
    if (x_output != y_output)
        return x_output ? -1 : 1;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

static void collect(const hk_model *model, ends *e) {
    e->nodes = hk_alloc(2 * model->connection_count * sizeof *e->nodes);
    size_t n = 0;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (!takes_part(k))
            continue;
        e->nodes[n++] = (hk_init_node){k->from_component, k->from_variable, HK_MAP_NONE};
        e->nodes[n++] = (hk_init_node){k->to_component, k->to_variable, (uint32_t)i};
    }
    qsort(e->nodes, n, sizeof *e->nodes, compare_nodes);
    for (size_t i = 0; i < n; i++) /* one output may drive many inputs: keep it once */
        if (!e->count || compare_nodes(&e->nodes[e->count - 1], &e->nodes[i]) != 0)
            e->nodes[e->count++] = e->nodes[i];
}

static uint32_t find(const ends *e, uint32_t component, uint32_t variable, bool output) {
    hk_init_node key = {component, variable, output ? HK_MAP_NONE : 0};
    const hk_init_node *node =
        e->count ? bsearch(&key, e->nodes, e->count, sizeof key, compare_nodes) : NULL;
    return node ? (uint32_t)(node - e->nodes) : HK_MAP_NONE;
}

static void add_edge(ends *e, uint32_t from, uint32_t to) {
    hk_edge edge = {from, to, 0};
    HK_PUSH(e->edges, e->edge_count, e->edge_cap, edge);
}

/* Edges inside the component whose nodes are [first, last). HUB stands for "depends on all". */
static void component_edges(const hk_model *model, ends *e, size_t first, size_t last,
                            uint32_t hub) {
    const hk_info *info = model->components[e->nodes[first].component].info;
    bool hub_used = false;
    for (size_t i = first; i < last && e->nodes[i].connection == HK_MAP_NONE; i++) {
        const hk_depends *d = &info->variables[e->nodes[i].variable].depends_init;
        for (size_t j = 0; d->known && j < d->count; j++) {
            uint32_t input = find(e, e->nodes[i].component, d->on[j], false);
            if (input != HK_MAP_NONE)
                add_edge(e, input, (uint32_t)i);
        }
        if (!d->known) {
            add_edge(e, hub, (uint32_t)i);
            hub_used = true;
        }
    }
    for (size_t i = first; i < last && hub_used; i++)
        if (e->nodes[i].connection != HK_MAP_NONE)
            add_edge(e, (uint32_t)i, hub);
}

static uint32_t make_edges(const hk_model *model, ends *e) {
    uint32_t hub = (uint32_t)e->count;
    for (size_t first = 0, last; first < e->count; first = last) {
        last = first;
        while (last < e->count && e->nodes[last].component == e->nodes[first].component)
            last++;
        component_edges(model, e, first, last, hub++);
    }
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (takes_part(k))
            add_edge(e, find(e, k->from_component, k->from_variable, true),
                     find(e, k->to_component, k->to_variable, false));
    }
    return hub;
}

void hk_plan_initial(hk_plan *plan) {
    ends e = {0};
    collect(plan->model, &e);
    uint32_t node_count = make_edges(plan->model, &e);
    hk_graph graph;
    hk_graph_init(&graph, node_count, e.edges, e.edge_count);
    uint32_t *part_of = hk_alloc((size_t)node_count * sizeof *part_of);
    uint32_t parts = hk_graph_parts(&graph, part_of);
    uint32_t *next = hk_alloc(((size_t)parts + 1) * sizeof *next);
    for (size_t i = 0; i < e.count; i++)
        next[part_of[i] + 1]++;
    for (uint32_t p = 0; p < parts; p++)
        next[p + 1] += next[p];
    plan->init_nodes = HK_NEW_ARRAY(plan->arena, hk_init_node, e.count);
    plan->init_group_end = HK_NEW_ARRAY(plan->arena, uint32_t, parts);
    for (size_t i = 0; i < e.count; i++)
        plan->init_nodes[next[part_of[i]]++] = e.nodes[i];
    for (uint32_t p = 0; p < parts; p++) /* parts that were only a hub are empty: leave them out */
        if (next[p] >
            (plan->init_group_count ? plan->init_group_end[plan->init_group_count - 1] : 0))
            plan->init_group_end[plan->init_group_count++] = next[p];
    hk_free(next);
    hk_free(part_of);
    hk_graph_finish(&graph);
    hk_free(e.edges);
    hk_free(e.nodes);
}
