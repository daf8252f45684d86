/* SPDX-License-Identifier: MIT
 *
 * Cycles of connections and services of lag 0: who has to give way in each. */
#include "plan/graph.h"
#include "plan/plan_internal.h"

#include <stdlib.h>

typedef struct work {
    hk_ctx *ctx;
    hk_plan *plan;
    const hk_edge *edges; /* hops of lag 0 between components that meet; tag: the hop */
    size_t edge_count;
    uint32_t *local; /* per component: its number in the part that is being cut; else UINT32_MAX */
} work;

static bool edge_alive(const work *w, const hk_edge *e) {
    return !hk_plan_hop(w->plan, e->tag).cut;
}

/* Only what was asked to be 'current' may be cut; 'observe' is a promise, and so is the order that
 * a schedule declares within a processor. */
static bool edge_cuttable(const work *w, const hk_edge *e) {
    const hk_model *model = w->plan->model;
    hk_hop hop = hk_plan_hop(w->plan, e->tag);
    uint32_t processor = model->components[hop.from].processor;
    bool ordered = processor != HK_MAP_NONE && processor == model->components[hop.to].processor;
    bool promised =
        !hk_hop_dependency(w->plan, e->tag) && model->connections[e->tag].lag == HK_LAG_OBSERVE;
    return !promised && !ordered;
}

/* Points at the first connection of the cycle that may not be cut. */
static hk_status report_cycle(work *w, const uint32_t *nodes, size_t count, const hk_edge *edges,
                              size_t edge_count) {
    const hk_model *model = w->plan->model;
    const char *names = "";
    uint32_t first = UINT32_MAX; /* there is one, else it would have been cut */
    for (size_t e = 0; e < edge_count; e++)
        if (!edge_cuttable(w, &edges[e]) && edges[e].tag < first)
            first = edges[e].tag;
    for (size_t i = 0; i < count && i < 8; i++)
        names = hk_arena_printf(w->plan->arena, "%s%s'%s'", names, i ? ", " : "",
                                model->components[nodes[i]].name);
    return hk_error(w->ctx, HK_E_ZERO_LAG_CYCLE, hk_hop_where(w->plan, first),
                    "give one of the connections the lag 'previous', or a delay",
                    "connections of lag 0 form a cycle through %s%s", names,
                    count > 8 ? " and others" : "");
}

/* Whom a cycle lets run first: the smallest priority, then the first in the model, among those
 * whose links out of the cycle may all be cut. Falls back to one with at least one such link. */
static bool choose_first(const work *w, const uint32_t *nodes, size_t count, const hk_edge *edges,
                         size_t edge_count, uint32_t *ret_node) {
    const hk_model *model = w->plan->model;
    unsigned char *flags = hk_alloc(count); /* 1: an input can be cut, 2: one cannot */
    for (size_t e = 0; e < edge_count; e++)
        flags[edges[e].to] |= edge_cuttable(w, &edges[e]) ? 1 : 2;
    bool found = false;
    for (unsigned char wanted = 1; wanted <= 3 && !found; wanted = (unsigned char)(wanted + 2))
        for (size_t i = 0; i < count; i++) {
            bool better = !found || model->components[nodes[i]].priority <
                                        model->components[nodes[*ret_node]].priority;
            if (flags[i] == wanted && better) {
                *ret_node = (uint32_t)i;
                found = true;
            }
        }
    hk_free(flags);
    return found;
}

typedef struct part {
    uint32_t *nodes;
    size_t count;
} part;

typedef struct part_stack {
    part *parts;
    size_t count, cap;
} part_stack;

/* The living edges inside a part, with local node numbers. */
static hk_edge *edges_inside(work *w, const hk_graph *all, const part *p, size_t *ret_count) {
    hk_edge *edges = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < p->count; i++)
        w->local[p->nodes[i]] = (uint32_t)i;
    for (size_t i = 0; i < p->count; i++)
        for (uint32_t e = all->first[p->nodes[i]]; e < all->first[p->nodes[i] + 1]; e++) {
            const hk_edge *edge = &all->out[e];
            if (w->local[edge->to] == UINT32_MAX || !edge_alive(w, edge))
                continue;
            hk_edge inside = {(uint32_t)i, w->local[edge->to], edge->tag};
            HK_PUSH(edges, count, cap, inside);
        }
    for (size_t i = 0; i < p->count; i++)
        w->local[p->nodes[i]] = UINT32_MAX;
    *ret_count = count;
    return edges;
}

static void cut(work *w, uint32_t hop) {
    hk_plan *plan = w->plan;
    uint32_t connections = (uint32_t)plan->model->connection_count;
    if (hop >= connections) {
        plan->dependencies[hop - connections].cut = true;
        plan->dependencies[hop - connections].lag = 1;
        return;
    }
    plan->connections[hop].cut = true;
    plan->connections[hop].lag = hk_plan_previous_lag(plan, &plan->model->connections[hop]);
}

/* Where every link may be cut, the components give way in one order: by priority, then place in the
 * model. Letting one run first takes it out of all cycles, so a link from u to v is cut if v is
 * before u and leads back to u without passing one that is before v. Seen from the end of the
 * order: components join one by one, and a link is cut if it is on a cycle at once when the second
 * of its ends joins, its turn. */
typedef struct joining {
    uint32_t from, to; /* what has grown together on cycles is one node */
    uint32_t turn;
    uint32_t hop;
    bool back; /* leads to the end that is first: to be cut, if on a cycle at its turn */
} joining;

/* Numbers the ends of the links anew, from 0, and returns how many there are. */
static uint32_t number_ends(work *w, joining *links, size_t count) {
    uint32_t nodes = 0;
    for (size_t i = 0; i < count; i++)
        w->local[links[i].from] = w->local[links[i].to] = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        uint32_t *ends[] = {&links[i].from, &links[i].to};
        for (int e = 0; e < 2; e++)
            if (w->local[*ends[e]] == UINT32_MAX)
                w->local[*ends[e]] = nodes++;
    }
    for (size_t i = 0; i < count; i++) {
        links[i].from = w->local[links[i].from];
        links[i].to = w->local[links[i].to];
    }
    return nodes;
}

/* LINKS come to lie on a cycle at a turn from FIRST to LAST: half of these turns is looked at, then
 * the two halves apart. Every link is looked at once for each halving. */
static void cut_by_turns(work *w, joining *links, size_t count, uint32_t first, uint32_t last) {
    if (first == last) {
        for (size_t i = 0; i < count; i++)
            if (links[i].back && links[i].turn == first)
                cut(w, links[i].hop);
        return;
    }
    if (!count)
        return;
    uint32_t half = first + (last - first) / 2;
    uint32_t nodes = number_ends(w, links, count);
    hk_edge *there = hk_alloc(count * sizeof *there);
    size_t there_count = 0;
    for (size_t i = 0; i < count; i++)
        if (links[i].turn <= half)
            there[there_count++] = (hk_edge){links[i].from, links[i].to, 0};
    hk_graph graph;
    hk_graph_init(&graph, nodes, there, there_count);
    hk_free(there);
    uint32_t *part_of = hk_alloc(nodes * sizeof *part_of);
    hk_graph_parts(&graph, part_of);
    hk_graph_finish(&graph);
    joining *sooner = hk_alloc(count * sizeof *sooner);
    size_t sooner_count = 0, later_count = 0;
    for (size_t i = 0; i < count; i++) {
        joining link = links[i];
        uint32_t from = part_of[link.from], to = part_of[link.to];
        if (link.turn <= half && from == to) {
            sooner[sooner_count++] = link;
        } else {
            link.from = from;
            link.to = to;
            links[later_count++] = link;
        }
    }
    hk_free(part_of);
    cut_by_turns(w, sooner, sooner_count, first, half);
    hk_free(sooner);
    cut_by_turns(w, links, later_count, half + 1, last);
}

typedef struct place {
    int64_t priority;
    uint32_t node;
} place;

static int compare_places(const void *a, const void *b) {
    const place *x = a;
    const place *y = b;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* EDGES are the links inside the part. */
static void cut_in_order(work *w, const part *p, const hk_edge *edges, size_t edge_count) {
    place *places = hk_alloc(p->count * sizeof *places);
    uint32_t *turn = hk_alloc(p->count * sizeof *turn);
    for (uint32_t i = 0; i < p->count; i++)
        places[i] = (place){w->plan->model->components[p->nodes[i]].priority, i};
    qsort(places, p->count, sizeof *places, compare_places);
    for (size_t i = 0; i < p->count; i++)
        turn[places[i].node] = (uint32_t)(p->count - 1 - i);
    joining *links = hk_alloc(edge_count * sizeof *links);
    for (size_t e = 0; e < edge_count; e++) {
        uint32_t from = turn[edges[e].from], to = turn[edges[e].to];
        links[e] = (joining){edges[e].from, edges[e].to, from > to ? from : to, edges[e].tag,
                             .back = to >= from};
    }
    cut_by_turns(w, links, edge_count, 0, (uint32_t)p->count - 1);
    for (size_t i = 0; i < p->count; i++)
        w->local[i] = UINT32_MAX;
    hk_free(links);
    hk_free(turn);
    hk_free(places);
}

static bool all_cuttable(const work *w, const hk_edge *edges, size_t count) {
    for (size_t e = 0; e < count; e++)
        if (!edge_cuttable(w, &edges[e]))
            return false;
    return true;
}

/* A part that is one or many cycles. If all its links may be cut, it is done at once; else one
 * component is found that may run first, and the rest is left for another look. */
static hk_status cut_part(work *w, const hk_graph *all, part p, part_stack *stack) {
    size_t edge_count;
    hk_edge *edges = edges_inside(w, all, &p, &edge_count);
    uint32_t first = 0;
    hk_status status = HK_OK;
    if (all_cuttable(w, edges, edge_count)) {
        cut_in_order(w, &p, edges, edge_count);
    } else if (!choose_first(w, p.nodes, p.count, edges, edge_count, &first)) {
        status = report_cycle(w, p.nodes, p.count, edges, edge_count);
    } else {
        for (size_t e = 0; e < edge_count; e++)
            if (edges[e].to == first && edge_cuttable(w, &edges[e]))
                cut(w, edges[e].tag);
        HK_PUSH(stack->parts, stack->count, stack->cap, p);
        p.nodes = NULL;
    }
    hk_free(edges);
    hk_free(p.nodes);
    return status;
}

/* Splits a part into its strongly connected components and cuts those that are cycles. */
static hk_status split_part(work *w, const hk_graph *all, part p, part_stack *stack) {
    size_t edge_count;
    hk_edge *edges = edges_inside(w, all, &p, &edge_count);
    hk_graph graph;
    hk_graph_init(&graph, (uint32_t)p.count, edges, edge_count);
    uint32_t *part_of = hk_alloc(p.count * sizeof *part_of);
    uint32_t parts = hk_graph_parts(&graph, part_of);
    uint32_t *size = hk_alloc(parts * sizeof *size);
    unsigned char *cyclic = hk_alloc(parts);
    for (size_t i = 0; i < p.count; i++)
        size[part_of[i]]++;
    for (size_t e = 0; e < edge_count; e++)
        if (part_of[edges[e].from] == part_of[edges[e].to])
            cyclic[part_of[edges[e].from]] = 1;
    part *subs = hk_alloc(parts * sizeof *subs);
    for (size_t i = 0; i < p.count; i++) {
        part *sub = &subs[part_of[i]];
        if (!cyclic[part_of[i]])
            continue;
        if (!sub->nodes)
            sub->nodes = hk_alloc(size[part_of[i]] * sizeof *sub->nodes);
        sub->nodes[sub->count++] = p.nodes[i];
    }
    hk_status status = HK_OK;
    for (uint32_t s = 0; s < parts; s++) {
        if (!cyclic[s])
            continue;
        if (status == HK_OK)
            status = cut_part(w, all, subs[s], stack);
        else
            hk_free(subs[s].nodes);
    }
    hk_free(subs);
    hk_free(cyclic);
    hk_free(size);
    hk_free(part_of);
    hk_graph_finish(&graph);
    hk_free(edges);
    hk_free(p.nodes);
    return status;
}

/* Services on a cycle: whether they are bound decides where it is cut. */
static void mark_circular(work *w, const hk_graph *all) {
    hk_plan *plan = w->plan;
    uint32_t *part_of = hk_alloc(all->node_count * sizeof *part_of);
    uint32_t connections = (uint32_t)plan->model->connection_count;
    hk_graph_parts(all, part_of);
    for (size_t e = 0; e < w->edge_count; e++)
        if (w->edges[e].tag >= connections)
            plan->dependencies[w->edges[e].tag - connections].circular =
                part_of[w->edges[e].from] == part_of[w->edges[e].to];
    hk_free(part_of);
}

hk_status hk_plan_cut_cycles(hk_ctx *ctx, hk_plan *plan, const hk_edge *edges, size_t count) {
    work all_work = {.ctx = ctx, .plan = plan, .edges = edges, .edge_count = count};
    work *w = &all_work;
    uint32_t n = (uint32_t)w->plan->model->component_count;
    hk_graph all;
    hk_graph_init(&all, n, w->edges, w->edge_count);
    if (w->plan->dependency_count)
        mark_circular(w, &all);
    w->local = hk_alloc(n * sizeof *w->local);
    part_stack stack = {0};
    part whole = {hk_alloc(n * sizeof *whole.nodes), n};
    for (uint32_t v = 0; v < n; v++) {
        whole.nodes[v] = v;
        w->local[v] = UINT32_MAX;
    }
    HK_PUSH(stack.parts, stack.count, stack.cap, whole);
    hk_status status = HK_OK;
    while (stack.count) {
        part p = stack.parts[--stack.count];
        if (status == HK_OK)
            status = split_part(w, &all, p, &stack);
        else
            hk_free(p.nodes);
    }
    hk_free(stack.parts);
    hk_free(w->local);
    hk_graph_finish(&all);
    return status;
}

/* Where a system is written in hocket's language, its priorities are to say who runs first. */
static void report_cut(hk_ctx *ctx, const hk_plan *plan, uint32_t index) {
    const hk_model *model = plan->model;
    hk_hop hop = hk_plan_hop(plan, index);
    const hk_component *to = &model->components[hop.to];
    const hk_component *from = &model->components[hop.from];
    bool service = hk_hop_dependency(plan, index);
    const char *text = hk_arena_printf(
        plan->arena, "a cycle is cut here: '%s' runs before '%s' and %s", to->name, from->name,
        service ? "calls it as its previous activation has left it" : "sees its previous value");
    if (model->root && to->priority == from->priority)
        hk_warn(ctx, HK_E_ZERO_LAG_CYCLE, hk_hop_where(plan, index),
                service ? "their priorities are equal: give one of them a smaller number"
                        : "their priorities are equal: give one of them a smaller number, or the "
                          "link the lag 'previous'",
                "%s", text);
    else
        hk_note(ctx, hk_hop_where(plan, index), "%s", text);
}

void hk_plan_report_cuts(hk_ctx *ctx, const hk_plan *plan) {
    enum { SHOWN = 8 };
    size_t count = 0;
    for (uint32_t i = 0; i < hk_hop_count(plan); i++) {
        if (hk_plan_hop(plan, i).cut && count++ < SHOWN)
            report_cut(ctx, plan, i);
    }
    if (count > SHOWN)
        hk_note(ctx, HK_NOWHERE, "%zu more connections are cut in the same way", count - SHOWN);
}
