/* SPDX-License-Identifier: MIT
 *
 * A search over states: the cell where a path has arrived, and the instants at which all cells of
 * the path are due. Such instants are first, first + step, ...; joining another cell makes them
 * fewer, by the Chinese remainder theorem. */
#include "time/cycles.h"

#include "plan/graph.h"

#include <string.h>

__extension__ typedef __int128 i128;

/* More states, or more pairs of instants that are compared, are not looked at. */
enum { STATES_MAX = 400000, WORK_MAX = 50000000, PAIRS_MAX = 10000 };

/* first, first + step ...; step 0: only the first. */
typedef struct instants {
    hk_tick first, step;
} instants;

typedef struct state {
    uint32_t cell, parent, flow; /* parent HK_MAP_NONE: the beginning of a path */
    instants at;
    hk_tick end; /* before that of all its cells */
} state;

typedef struct search {
    const hk_flow_graph *graph;
    instants **due; /* per cell, one for each of its periods */
    uint64_t work;
    hk_graph waits;    /* cells; the tag is the flow */
    uint32_t *part_of; /* strongly connected components */
    uint32_t begin;    /* cell; all others of the path have larger numbers */
    state *states;
    uint32_t count, cap;
    uint32_t *table; /* of states of this beginning, by hash; HK_MAP_NONE: free */
    uint32_t table_size;
    uint32_t from; /* the first state of this beginning */
    uint32_t best; /* state whose path closes at the earliest instant; HK_MAP_NONE: none */
    uint32_t best_flow;
} search;

/* ---- instants -------------------------------------------------------------------------------- */

/* The inverse of A modulo M, which have no common divisor. */
static hk_tick inverse(hk_tick a, hk_tick m) {
    hk_tick old_r = hk_floor_mod(a, m), r = m, old_x = 1, x = 0;
    while (r) {
        hk_tick q = old_r / r, next = old_r - q * r;
        old_r = r;
        r = next;
        next = old_x - q * x;
        old_x = x;
        x = next;
    }
    return hk_floor_mod(old_x, m);
}

static bool holds(instants s, hk_tick t) {
    return t == s.first || (s.step && t > s.first && (t - s.first) % s.step == 0);
}

/* The instants of both. Those beyond the limit of a run do not count. */
static bool meet(instants a, instants b, instants *ret_both) {
    if (!a.step || !b.step) {
        instants one = a.step ? b : a;
        *ret_both = (instants){one.first, 0};
        return holds(a.step ? a : b, one.first);
    }
    hk_tick common = hk_gcd(a.step, b.step), apart = b.first - a.first;
    if (apart % common != 0)
        return false;
    hk_tick m = b.step / common;
    i128 turns = (i128)hk_floor_mod(apart / common, m) * inverse(a.step / common, m) % m;
    i128 step = (i128)a.step * m, first = (i128)a.first + (i128)a.step * turns;
    if (first < b.first)
        first += ((i128)b.first - first + step - 1) / step * step;
    if (first >= HK_TICK_LIMIT)
        return false;
    *ret_both = (instants){(hk_tick)first, step >= HK_TICK_LIMIT ? 0 : (hk_tick)step};
    return true;
}

/* When each cell is due, for the k-th time of its periods. */
static void list_due(search *s) {
    const hk_flow_graph *g = s->graph;
    s->due = hk_alloc((g->cell_count + 1) * sizeof *s->due);
    for (uint32_t c = 0; c < g->cell_count; c++) {
        hk_tick at = g->start + g->cells[c].offset, repeat = hk_cell_repeat(g, c);
        s->due[c] = hk_alloc(g->cells[c].period_count * sizeof *s->due[c]);
        for (uint32_t k = 0; k < g->cells[c].period_count; k++) {
            s->due[c][k] = (instants){at, repeat};
            at += g->cells[c].periods[k];
        }
    }
}

/* False: never. Where that is long to find out they may. */
static bool may_meet(search *s, uint32_t a, uint32_t b) {
    uint64_t as = s->graph->cells[a].period_count, bs = s->graph->cells[b].period_count;
    instants both;
    s->work++;
    if (as * bs > PAIRS_MAX)
        return true;
    s->work += as * bs;
    for (uint32_t i = 0; i < as; i++)
        for (uint32_t k = 0; k < bs; k++)
            if (meet(s->due[a][i], s->due[b][k], &both))
                return true;
    return false;
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

static bool has_zero(const hk_flow_graph *graph, const hk_flow_list *flows) {
    for (uint32_t i = 0; i < flows->count; i++)
        if (graph->flows[flows->all[i]].lag == 0)
            return true;
    return false;
}

typedef struct edges {
    hk_edge *all;
    size_t count, cap;
    bool *leaves; /* per cell: a flow without lag does */
} edges;

/* From the cell at place I of a node to those behind it. */
static void add_later(search *s, const hk_flow_list *cells, uint32_t i, edges *e) {
    for (uint32_t k = i + 1; k < cells->count && s->work <= WORK_MAX; k++) {
        hk_edge edge = {cells->all[i], cells->all[k], HK_MAP_NONE};
        s->work++;
        if (e->leaves[edge.to] && may_meet(s, edge.from, edge.to))
            HK_PUSH(e->all, e->count, e->cap, edge);
    }
}

/* A path enters a node over a flow and leaves it over one: other cells of it do not matter. */
static void add_order(search *s, const hk_flow_list *cells, edges *e) {
    for (uint32_t i = 0; i < cells->count; i++)
        if (has_zero(s->graph, &s->graph->cells[cells->all[i]].in))
            add_later(s, cells, i, e);
}

static void make_waits(search *s) {
    const hk_flow_graph *g = s->graph;
    edges e = {.leaves = hk_alloc(g->cell_count + 1)};
    list_due(s);
    for (uint32_t f = 0; f < g->flow_count; f++) {
        hk_edge edge = {g->flows[f].from, g->flows[f].to, f};
        if (g->flows[f].lag == 0 && may_meet(s, edge.from, edge.to))
            HK_PUSH(e.all, e.count, e.cap, edge);
    }
    for (uint32_t c = 0; c < g->cell_count; c++)
        e.leaves[c] = has_zero(g, &g->cells[c].out);
    for (uint32_t n = 0; n < g->node_count; n++)
        add_order(s, &g->nodes[n].cells, &e);
    hk_graph_init(&s->waits, g->cell_count, e.all, e.count);
    s->part_of = hk_alloc((g->cell_count + 1) * sizeof *s->part_of);
    hk_graph_parts(&s->waits, s->part_of);
    hk_free(e.leaves);
    hk_free(e.all);
}

/* ---- states ---------------------------------------------------------------------------------- */

static bool same(const state *a, const state *b) {
    return a->cell == b->cell && a->at.first == b->at.first && a->at.step == b->at.step &&
           a->end == b->end;
}

static uint32_t slot_of(const search *s, const state *x) {
    uint64_t hash = hk_hash(HK_HASH_SEED, &x->cell, sizeof x->cell);
    hash = hk_hash(hash, &x->at.first, sizeof x->at.first);
    hash = hk_hash(hash, &x->at.step, sizeof x->at.step);
    uint32_t slot = (uint32_t)(hash ^ hash >> 32) & (s->table_size - 1);
    while (s->table[slot] != HK_MAP_NONE && !same(&s->states[s->table[slot]], x))
        slot = (slot + 1) & (s->table_size - 1);
    return slot;
}

static void clear_table(search *s, uint32_t size) {
    if (size != s->table_size)
        s->table = hk_realloc(s->table, size * sizeof *s->table);
    s->table_size = size;
    memset(s->table, 0xff, size * sizeof *s->table);
}

static void grow_table(search *s) {
    if (2 * (s->count - s->from) < s->table_size)
        return;
    clear_table(s, 2 * s->table_size);
    for (uint32_t i = s->from; i < s->count; i++)
        s->table[slot_of(s, &s->states[i])] = i;
}

static void add_state(search *s, state x) {
    if (x.at.first >= x.end)
        return;
    grow_table(s);
    uint32_t slot = slot_of(s, &x);
    if (s->table[slot] != HK_MAP_NONE)
        return;
    s->table[slot] = s->count;
    HK_PUSH(s->states, s->count, s->cap, x);
}

static void close_path(search *s, uint32_t at, uint32_t flow) {
    if (s->best == HK_MAP_NONE || s->states[at].at.first < s->states[s->best].at.first) {
        s->best = at;
        s->best_flow = flow;
    }
}

static void follow(search *s, uint32_t at, const hk_edge *edge) {
    state x = s->states[at];
    const hk_flow_cell *to = &s->graph->cells[edge->to];
    hk_tick end = s->graph->nodes[to->node].end;
    if (s->part_of[edge->to] != s->part_of[s->begin] || edge->to < s->begin)
        return;
    if (edge->to == s->begin) {
        close_path(s, at, edge->tag);
        return;
    }
    s->work += to->period_count;
    for (uint32_t k = 0; k < to->period_count; k++) {
        state next = {
            .cell = edge->to, .parent = at, .flow = edge->tag, .end = end < x.end ? end : x.end};
        if (meet(x.at, s->due[edge->to][k], &next.at))
            add_state(s, next);
    }
}

/* All paths that begin at a cell and come back to it. False: there are too many. */
static bool search_from(search *s, uint32_t cell) {
    const hk_flow_cell *c = &s->graph->cells[cell];
    if (s->waits.first[cell] == s->waits.first[cell + 1])
        return true;
    s->begin = cell;
    s->from = s->count;
    clear_table(s, s->table_size);
    for (uint32_t k = 0; k < c->period_count; k++)
        add_state(s, (state){.cell = cell,
                             .parent = HK_MAP_NONE,
                             .flow = HK_MAP_NONE,
                             .at = s->due[cell][k],
                             .end = s->graph->nodes[c->node].end});
    for (uint32_t at = s->from; at < s->count; at++) {
        uint32_t v = s->states[at].cell;
        if (s->count > STATES_MAX || s->work > WORK_MAX)
            return false;
        for (uint32_t e = s->waits.first[v]; e < s->waits.first[v + 1]; e++)
            follow(s, at, &s->waits.out[e]);
    }
    return true;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void keep_cycle(hk_arena *arena, const search *s, hk_flow_cycle *cycle) {
    size_t count = 0;
    for (uint32_t at = s->best; at != HK_MAP_NONE; at = s->states[at].parent)
        count++;
    *cycle = (hk_flow_cycle){.cells = HK_NEW_ARRAY(arena, uint32_t, count),
                             .flows = HK_NEW_ARRAY(arena, uint32_t, count),
                             .count = count,
                             .first = s->states[s->best].at.first};
    for (uint32_t at = s->best; at != HK_MAP_NONE; at = s->states[at].parent) {
        cycle->cells[--count] = s->states[at].cell;
        cycle->flows[count] = s->states[at].flow;
    }
    cycle->flows[0] = s->best_flow;
}

hk_flow_verdict hk_flow_find_cycle(hk_arena *arena, const hk_flow_graph *graph,
                                   hk_flow_cycle *ret_cycle) {
    search s = {.graph = graph, .best = HK_MAP_NONE};
    make_waits(&s);
    bool all = s.work <= WORK_MAX;
    clear_table(&s, 64);
    for (uint32_t c = 0; c < graph->cell_count && all; c++)
        all = search_from(&s, c);
    if (s.best != HK_MAP_NONE)
        keep_cycle(arena, &s, ret_cycle);
    for (uint32_t c = 0; c < graph->cell_count; c++)
        hk_free(s.due[c]);
    hk_free(s.due);
    hk_graph_finish(&s.waits);
    hk_free(s.part_of);
    hk_free(s.states);
    hk_free(s.table);
    return s.best != HK_MAP_NONE ? HK_FLOW_CYCLE : all ? HK_FLOW_FREE : HK_FLOW_UNCLEAR;
}

static const char *show_cycle(hk_arena *arena, const hk_flow_graph *g, const hk_flow_cycle *x) {
    const char *text = "";
    for (size_t i = 0; i < x->count; i++) {
        size_t next = i + 1 == x->count ? 0 : i + 1;
        const char *from = g->cells[x->cells[i]].name, *to = g->cells[x->cells[next]].name;
        const char *way = x->flows[next] == HK_MAP_NONE
                              ? "by the order of the node"
                              : hk_arena_printf(arena, "flow %s", g->flows[x->flows[next]].name);
        text =
            hk_arena_printf(arena, "%s%s'%s' before '%s' (%s)", text, i ? ", " : "", from, to, way);
    }
    return text;
}

hk_status hk_flow_graph_check(hk_ctx *ctx, const hk_flow_graph *graph) {
    hk_arena *arena = hk_arena_create();
    hk_flow_cycle cycle;
    hk_flow_verdict verdict = hk_flow_find_cycle(arena, graph, &cycle);
    hk_status status = HK_OK;
    if (verdict == HK_FLOW_UNCLEAR)
        status = hk_error(ctx, HK_E_ZERO_LAG_CYCLE, HK_NOWHERE, "give some of the flows a lag",
                          "flows without lag lead through so many cells of different periods that "
                          "a cycle cannot be excluded");
    if (verdict == HK_FLOW_CYCLE) {
        uint32_t flow = cycle.flows[0];
        for (size_t i = 0; flow == HK_MAP_NONE; i++)
            flow = cycle.flows[i];
        status = hk_error(ctx, HK_E_ZERO_LAG_CYCLE, graph->flows[flow].where,
                          "give one of the flows a lag, choose offsets so that the cells are never "
                          "due together, or put the cells on one node",
                          "nodes wait for each other at %s: %s", hk_flow_time(graph, cycle.first),
                          show_cycle(arena, graph, &cycle));
    }
    hk_arena_destroy(arena);
    return status;
}
