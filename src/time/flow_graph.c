/* SPDX-License-Identifier: MIT */
#include "time/flow_graph.h"

#include <stdlib.h>

hk_flow_graph *hk_flow_graph_create(int64_t ticks_per_second, hk_tick start, hk_tick end) {
    HK_ASSERT(ticks_per_second > 0 && start <= end);
    hk_flow_graph *graph = hk_alloc(sizeof *graph);
    graph->arena = hk_arena_create();
    graph->ticks_per_second = ticks_per_second;
    graph->start = start;
    graph->end = end;
    return graph;
}

void hk_flow_graph_destroy(hk_flow_graph *graph) {
    if (!graph)
        return;
    hk_free(graph->nodes);
    hk_free(graph->cells);
    hk_free(graph->flows);
    hk_arena_destroy(graph->arena);
    hk_free(graph);
}

static hk_where keep_where(hk_flow_graph *graph, hk_where where) {
    where.file = hk_arena_strdup(graph->arena, where.file);
    where.element = hk_arena_strdup(graph->arena, where.element);
    return where;
}

uint32_t hk_flow_graph_add_node(hk_flow_graph *graph, const char *name, hk_where where) {
    hk_flow_node node = {.name = hk_arena_strdup(graph->arena, name),
                         .end = graph->end,
                         .where = keep_where(graph, where)};
    HK_PUSH(graph->nodes, graph->node_count, graph->node_cap, node);
    return graph->node_count - 1;
}

uint32_t hk_flow_graph_add_cell(hk_flow_graph *graph, uint32_t node, const char *name,
                                hk_tick period, hk_tick offset, uint32_t level) {
    HK_ASSERT(node < graph->node_count && offset >= 0);
    hk_flow_cell cell = {.name = hk_arena_strdup(graph->arena, name),
                         .node = node,
                         .level = level,
                         .offset = offset,
                         .where = graph->nodes[node].where};
    HK_PUSH(graph->cells, graph->cell_count, graph->cell_cap, cell);
    hk_flow_graph_set_periods(graph, graph->cell_count - 1, &period, 1);
    return graph->cell_count - 1;
}

void hk_flow_graph_set_periods(hk_flow_graph *graph, uint32_t cell, const hk_tick *periods,
                               uint32_t count) {
    hk_tick *kept = HK_NEW_ARRAY(graph->arena, hk_tick, count);
    HK_ASSERT(cell < graph->cell_count && count > 0);
    for (uint32_t i = 0; i < count; i++) {
        HK_ASSERT(periods[i] > 0);
        kept[i] = periods[i];
    }
    graph->cells[cell].periods = kept;
    graph->cells[cell].period_count = count;
}

uint32_t hk_flow_graph_add_flow(hk_flow_graph *graph, uint32_t from, uint32_t to, hk_tick lag) {
    HK_ASSERT(from < graph->cell_count && to < graph->cell_count && lag >= 0);
    HK_ASSERT(graph->cells[from].node != graph->cells[to].node);
    hk_flow flow = {.name = hk_arena_printf(graph->arena, "%s -> %s", graph->cells[from].name,
                                            graph->cells[to].name),
                    .from = from,
                    .to = to,
                    .lag = lag};
    HK_PUSH(graph->flows, graph->flow_count, graph->flow_cap, flow);
    return graph->flow_count - 1;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void make_room(hk_flow_graph *graph, hk_flow_list *list) {
    list->all = HK_NEW_ARRAY(graph->arena, uint32_t, list->count);
    list->count = 0;
}

static void list_flows(hk_flow_graph *graph) {
    for (uint32_t f = 0; f < graph->flow_count; f++) {
        graph->cells[graph->flows[f].from].out.count++;
        graph->cells[graph->flows[f].to].in.count++;
    }
    for (uint32_t c = 0; c < graph->cell_count; c++) {
        make_room(graph, &graph->cells[c].out);
        make_room(graph, &graph->cells[c].in);
    }
    for (uint32_t f = 0; f < graph->flow_count; f++) {
        hk_flow_list *out = &graph->cells[graph->flows[f].from].out;
        hk_flow_list *in = &graph->cells[graph->flows[f].to].in;
        out->all[out->count++] = f;
        in->all[in->count++] = f;
    }
}

typedef struct ranked {
    uint32_t level, cell;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* To their nodes by level, then by index. */
static void list_cells(hk_flow_graph *graph) {
    ranked *all = hk_alloc((graph->cell_count + 1) * sizeof *all);
    for (uint32_t c = 0; c < graph->cell_count; c++)
        all[c] = (ranked){graph->cells[c].level, c};
    qsort(all, graph->cell_count, sizeof *all, compare_ranked);
    for (uint32_t i = 0; i < graph->cell_count; i++) {
        hk_flow_list *cells = &graph->nodes[graph->cells[all[i].cell].node].cells;
        cells->all[cells->count++] = all[i].cell;
    }
    hk_free(all);
}

void hk_flow_graph_finish(hk_flow_graph *graph) {
    list_flows(graph);
    for (uint32_t c = 0; c < graph->cell_count; c++)
        graph->nodes[graph->cells[c].node].cells.count++;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        HK_ASSERT(graph->nodes[n].end <= graph->end);
        make_room(graph, &graph->nodes[n].cells);
    }
    list_cells(graph);
}

/* ---- activations ----------------------------------------------------------------------------- */

static hk_tick within(const hk_flow_graph *graph, uint32_t cell, hk_tick at) {
    return at < graph->nodes[graph->cells[cell].node].end ? at : HK_TICK_NEVER;
}

hk_activation hk_activation_first(const hk_flow_graph *graph, uint32_t cell) {
    return (hk_activation){.at = within(graph, cell, graph->start + graph->cells[cell].offset)};
}

hk_activation hk_activation_next(const hk_flow_graph *graph, uint32_t cell,
                                 hk_activation activation) {
    const hk_flow_cell *c = &graph->cells[cell];
    HK_ASSERT(activation.at != HK_TICK_NEVER);
    uint32_t next = activation.next + 1 == c->period_count ? 0 : activation.next + 1;
    return (hk_activation){.at = within(graph, cell, activation.at + c->periods[activation.next]),
                           .next = next};
}

hk_tick hk_cell_longest(const hk_flow_graph *graph, uint32_t cell) {
    const hk_flow_cell *c = &graph->cells[cell];
    hk_tick most = c->offset + 1;
    for (uint32_t i = 0; i < c->period_count; i++)
        most = c->periods[i] > most ? c->periods[i] : most;
    return most;
}

hk_tick hk_cell_shortest(const hk_flow_graph *graph, uint32_t cell) {
    const hk_flow_cell *c = &graph->cells[cell];
    hk_tick least = c->periods[0];
    for (uint32_t i = 1; i < c->period_count; i++)
        least = c->periods[i] < least ? c->periods[i] : least;
    return least;
}

hk_tick hk_cell_repeat(const hk_flow_graph *graph, uint32_t cell) {
    const hk_flow_cell *c = &graph->cells[cell];
    hk_tick sum = 0;
    for (uint32_t i = 0; i < c->period_count; i++)
        sum += c->periods[i];
    return sum;
}

const char *hk_flow_time(const hk_flow_graph *graph, hk_tick tick) {
    hk_ratio seconds = {0, 1};
    char text[48];
    if (tick == HK_TICK_NEVER)
        return "never";
    hk_ratio_make(tick, graph->ticks_per_second, &seconds);
    return hk_arena_printf(graph->arena, "%s s", hk_ratio_format(seconds, text));
}
