/* SPDX-License-Identifier: MIT
 *
 * The order of initial values. Nodes are the ends of connections: outputs to be read and inputs to
 * be written in initialization mode. A connection leads from its output to its input; inside a
 * component an edge leads from every input to every output that depends on it. Where the component
 * does not say what depends on what, all edges pass through one extra node, so that the graph stays
 * linear in the number of connections. So do those of a service: its caller may ask whenever its
 * outputs are read, so the inputs of the provider come before these, unless that closes a loop. */
#include "base/search.h"
#include "plan/graph.h"
#include "plan/plan_internal.h"

#include <stdlib.h>

typedef struct ends {
    hk_init_node *nodes; /* sorted by component, outputs first, by variable and connection */
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
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return x->connection < y->connection ? -1 : x->connection > y->connection;
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

/* The first node that is not before KEY. Elements of an array may have connections of their own, so
 * an input has as many nodes as connections. */
static uint32_t find(const ends *e, hk_init_node key) {
    size_t first = 0;
    HK_SEARCH(first, e->count, i, compare_nodes(&e->nodes[i], &key) < 0)
    return (uint32_t)first;
}

static bool is_input(const ends *e, uint32_t node, uint32_t component, uint32_t variable) {
    return node < e->count && e->nodes[node].component == component &&
           e->nodes[node].variable == variable && e->nodes[node].connection != HK_MAP_NONE;
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
        const hk_variable *v = &info->variables[e->nodes[i].variable];
        const hk_depends *d = &v->depends_init;
        if (v->causality == HK_PARAMETER) /* shared: it depends on nothing */
            continue;
        for (size_t j = 0; d->known && j < d->count; j++) {
            uint32_t component = e->nodes[i].component;
            uint32_t input = find(e, (hk_init_node){component, d->on[j], 0});
            for (; is_input(e, input, component, d->on[j]); input++)
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

/* All nodes of COMPONENT on one side of the node HUB: its inputs before it, or its outputs after.
 */
static void hang_on(ends *e, uint32_t component, bool inputs, uint32_t hub) {
    uint32_t node = find(e, (hk_init_node){component, 0, HK_MAP_NONE});
    for (; node < e->count && e->nodes[node].component == component; node++) {
        bool output = e->nodes[node].connection == HK_MAP_NONE;
        if (output != inputs)
            add_edge(e, inputs ? node : hub, inputs ? hub : node);
    }
}

static void add_service(const hk_plan *plan, ends *e, uint32_t dependency, uint32_t hub) {
    hang_on(e, plan->dependencies[dependency].from, true, hub);
    hang_on(e, plan->dependencies[dependency].to, false, hub);
}

/* Loops of initial values are those of connections: a service that would close one gives way. */
static uint32_t add_services(const hk_plan *plan, ends *e, uint32_t hub) {
    uint32_t n = plan->dependency_count;
    size_t before = e->edge_count;
    for (uint32_t i = 0; i < n; i++)
        add_service(plan, e, i, hub + i);
    if (!n || !hk_graph_closes(hub + n, e->edges, before, e->edge_count))
        return hub + n;
    e->edge_count = before;
    for (uint32_t i = 0; i < n; i++, before = e->edge_count) { /* one by one, then */
        add_service(plan, e, i, hub + i);
        if (hk_graph_closes(hub + n, e->edges, before, e->edge_count))
            e->edge_count = before;
    }
    return hub + n;
}

static uint32_t make_edges(const hk_plan *plan, ends *e) {
    const hk_model *model = plan->model;
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
            add_edge(e, find(e, (hk_init_node){k->from_component, k->from_variable, HK_MAP_NONE}),
                     find(e, (hk_init_node){k->to_component, k->to_variable, (uint32_t)i}));
    }
    return add_services(plan, e, hub);
}

/* The order of the parts of the graph. The edges leave a choice, and it matters to components that
 * have no initialization mode (FMI 1.0): reading their first output initialises them, with the
 * inputs that they know by then. So inputs are written as soon as they can be, and outputs are read
 * once their component waits for no input any more; the others wait until nothing else is left. */
typedef struct sorter {
    const ends *e;
    const hk_graph *graph;
    const uint32_t *part_of;
    uint32_t *first,
        *members;           /* nodes of part p: members[first[p]] ... members[first[p + 1] - 1] */
    uint32_t *waits;        /* per part: edges from parts that are not taken yet */
    uint32_t *missing;      /* per component: inputs that are not written yet */
    uint32_t *begin;        /* per component: its first node */
    uint32_t *ready, *held; /* queues of parts; one that is held may become ready later */
    uint32_t ready_count, held_count;
    bool *queued;   /* is in `ready` */
    uint32_t *rank; /* the result: the place of each part */
} sorter;

static bool is_output(const ends *e, uint32_t node) {
    return node < e->count && e->nodes[node].connection == HK_MAP_NONE;
}

static void make_ready(sorter *s, uint32_t part) {
    if (!s->queued[part])
        s->ready[s->ready_count++] = part;
    s->queued[part] = true;
}

/* All that PART waits for is done. */
static void offer(sorter *s, uint32_t part) {
    uint32_t node = s->members[s->first[part]];
    bool loop = s->first[part + 1] - s->first[part] > 1;
    if (loop || (is_output(s->e, node) && s->missing[s->e->nodes[node].component]))
        s->held[s->held_count++] = part;
    else
        make_ready(s, part);
}

/* The last input of COMPONENT is written: its outputs need not be held any more. */
static void release(sorter *s, uint32_t component) {
    for (uint32_t v = s->begin[component];
         is_output(s->e, v) && s->e->nodes[v].component == component; v++) {
        uint32_t part = s->part_of[v];
        if (!s->waits[part] && s->first[part + 1] - s->first[part] == 1)
            make_ready(s, part);
    }
}

static void take(sorter *s, uint32_t part, uint32_t place) {
    s->rank[part] = place;
    s->queued[part] = true;
    for (uint32_t i = s->first[part]; i < s->first[part + 1]; i++) {
        uint32_t v = s->members[i];
        if (v < s->e->count && !is_output(s->e, v) && !--s->missing[s->e->nodes[v].component])
            release(s, s->e->nodes[v].component);
        for (uint32_t k = s->graph->first[v]; k < s->graph->first[v + 1]; k++) {
            uint32_t next = s->part_of[s->graph->out[k].to];
            if (next != part && !--s->waits[next])
                offer(s, next);
        }
    }
}

static void fill_sorter(sorter *s, uint32_t parts) {
    const hk_graph *graph = s->graph;
    for (uint32_t v = 0; v < graph->node_count; v++) {
        s->first[s->part_of[v] + 1]++;
        for (uint32_t k = graph->first[v]; k < graph->first[v + 1]; k++)
            s->waits[s->part_of[graph->out[k].to]] += s->part_of[graph->out[k].to] != s->part_of[v];
    }
    for (uint32_t p = 0; p < parts; p++)
        s->first[p + 1] += s->first[p];
    uint32_t *next = s->held; /* not in use yet */
    for (uint32_t p = 0; p < parts; p++)
        next[p] = s->first[p];
    for (uint32_t v = 0; v < graph->node_count; v++)
        s->members[next[s->part_of[v]]++] = v;
    for (size_t v = s->e->count; v-- > 0;) {
        s->begin[s->e->nodes[v].component] = (uint32_t)v;
        s->missing[s->e->nodes[v].component] += !is_output(s->e, (uint32_t)v);
    }
}

/* Changes part_of so that the numbers of the parts are their places. */
static void sort_parts(const hk_model *model, const ends *e, const hk_graph *graph,
                       uint32_t *part_of, uint32_t parts) {
    hk_arena *arena = hk_arena_create();
    sorter s = {.e = e,
                .graph = graph,
                .part_of = part_of,
                .first = HK_NEW_ARRAY(arena, uint32_t, parts + 1),
                .members = HK_NEW_ARRAY(arena, uint32_t, graph->node_count),
                .waits = HK_NEW_ARRAY(arena, uint32_t, parts),
                .missing = HK_NEW_ARRAY(arena, uint32_t, model->component_count),
                .begin = HK_NEW_ARRAY(arena, uint32_t, model->component_count),
                .ready = HK_NEW_ARRAY(arena, uint32_t, parts),
                .held = HK_NEW_ARRAY(arena, uint32_t, parts),
                .queued = HK_NEW_ARRAY(arena, bool, parts),
                .rank = HK_NEW_ARRAY(arena, uint32_t, parts)};
    fill_sorter(&s, parts);
    for (uint32_t p = 0; p < parts; p++)
        if (!s.waits[p])
            offer(&s, p);
    uint32_t taken = 0, next_ready = 0, next_held = 0;
    while (taken < parts) {
        if (next_ready < s.ready_count)
            take(&s, s.ready[next_ready++], taken++);
        else if (!s.queued[s.held[next_held++]])
            take(&s, s.held[next_held - 1], taken++);
    }
    for (uint32_t v = 0; v < graph->node_count; v++)
        part_of[v] = s.rank[part_of[v]];
    hk_arena_destroy(arena);
}

void hk_plan_initial(hk_plan *plan) {
    HK_ASSERT(plan);
    ends e = {0};
    collect(plan->model, &e);
    uint32_t node_count = make_edges(plan, &e);
    hk_graph graph;
    hk_graph_init(&graph, node_count, e.edges, e.edge_count);
    uint32_t *part_of = hk_alloc((size_t)node_count * sizeof *part_of);
    uint32_t parts = hk_graph_parts(&graph, part_of);
    sort_parts(plan->model, &e, &graph, part_of, parts);
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
