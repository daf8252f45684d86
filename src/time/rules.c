/* SPDX-License-Identifier: MIT */
#include "time/rules.h"

#include "engine/seams.h"

typedef struct own_cell {
    uint32_t cell;
    hk_activation next;
    bool shut; /* the flows into it are closed, or in `closing` */
} own_cell;

/* A flow as this node sees it. */
typedef struct own_flow {
    bool in, out, closed;
    hk_tick next; /* stamp */
} own_flow;

struct hk_rules {
    const hk_flow_graph *graph;
    uint32_t node;
    hk_tick end;     /* no cell runs at it or later */
    own_cell *cells; /* in the order of the node */
    uint32_t cell_count;
    own_flow *flows;   /* all of the graph */
    uint32_t *slot_of; /* per cell of the graph: its place in `cells`; HK_MAP_NONE: of another */
    uint32_t running;  /* place of the cell that has run and has not yet sent all; HK_MAP_NONE */
    uint32_t current;  /* place of the cell that runs next; HK_MAP_NONE: none */
    uint32_t sent;     /* flows of the running one that are done */
    hk_tick at;        /* when it ran */
    uint32_t *closing; /* flows to close, each comes here once */
    uint32_t closing_count, closed_count;
};

/* ---- making ---------------------------------------------------------------------------------- */

static hk_tick until_end(const hk_rules *r, hk_tick at) {
    return at < r->end ? at : HK_TICK_NEVER;
}

/* The first of those that are due first. */
static void find_current(hk_rules *r) {
    hk_tick least = HK_TICK_NEVER;
    r->current = HK_MAP_NONE;
    for (uint32_t i = 0; i < r->cell_count; i++)
        if (until_end(r, r->cells[i].next.at) < least) {
            least = r->cells[i].next.at;
            r->current = i;
        }
    SEAM(order, r);
}

/* A cell that has no more activations needs nothing more; it may never have had one. */
static void close_if_done(hk_rules *r, uint32_t slot) {
    own_cell *own = &r->cells[slot];
    const hk_flow_list *in = &r->graph->cells[own->cell].in;
    bool done = slot != r->running && !own->shut && until_end(r, own->next.at) == HK_TICK_NEVER;
    SEAM(done, r, &done);
    if (!done)
        return;
    own->shut = true;
    for (uint32_t k = 0; k < in->count; k++)
        r->closing[r->closing_count++] = in->all[k];
}

static void close_all_done(hk_rules *r) {
    for (uint32_t i = 0; i < r->cell_count; i++)
        close_if_done(r, i);
}

static void make_flow(hk_rules *r, uint32_t flow) {
    const hk_flow *f = &r->graph->flows[flow];
    hk_tick first = hk_activation_first(r->graph, f->from).at;
    r->flows[flow] = (own_flow){.in = r->graph->cells[f->to].node == r->node,
                                .out = r->graph->cells[f->from].node == r->node,
                                .next = first == HK_TICK_NEVER ? first : first + f->lag};
    SEAM(first, r, flow);
}

hk_rules *hk_rules_make(hk_arena *arena, const hk_flow_graph *graph, uint32_t node) {
    hk_rules *r = HK_NEW(arena, hk_rules);
    const hk_flow_list *cells = &graph->nodes[node].cells;
    *r = (hk_rules){.graph = graph,
                    .node = node,
                    .end = HK_TICK_NEVER,
                    .cells = HK_NEW_ARRAY(arena, own_cell, cells->count),
                    .cell_count = cells->count,
                    .flows = HK_NEW_ARRAY(arena, own_flow, graph->flow_count),
                    .slot_of = HK_NEW_ARRAY(arena, uint32_t, graph->cell_count),
                    .closing = HK_NEW_ARRAY(arena, uint32_t, graph->flow_count),
                    .running = HK_MAP_NONE};
    for (uint32_t c = 0; c < graph->cell_count; c++)
        r->slot_of[c] = HK_MAP_NONE;
    for (uint32_t i = 0; i < cells->count; i++) {
        r->cells[i] =
            (own_cell){.cell = cells->all[i], .next = hk_activation_first(graph, cells->all[i])};
        r->slot_of[cells->all[i]] = i;
    }
    for (uint32_t f = 0; f < graph->flow_count; f++)
        make_flow(r, f);
    close_all_done(r);
    find_current(r);
    return r;
}

/* ---- questions ------------------------------------------------------------------------------- */

uint32_t hk_rules_blocking_flow(const hk_rules *r, uint32_t cell, hk_tick t) {
    const hk_flow_list *in = &r->graph->cells[cell].in;
    uint32_t found = HK_MAP_NONE;
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t f = in->all[i];
        if (r->flows[f].next <= t &&
            (found == HK_MAP_NONE || r->flows[f].next < r->flows[found].next))
            found = f;
    }
    SEAM(blocking, r, cell, t, &found);
    return found;
}

hk_tick hk_rules_next_stamp(const hk_rules *r, uint32_t flow) {
    return r->flows[flow].next;
}

static hk_rules_action sending(const hk_rules *r, uint32_t flow) {
    hk_tick lag = r->graph->flows[flow].lag, next = until_end(r, r->cells[r->running].next.at);
    hk_rules_action action = {.what = HK_RULES_SEND,
                              .cell = r->cells[r->running].cell,
                              .flow = flow,
                              .at = r->at + lag,
                              .promise = next == HK_TICK_NEVER ? next : next + lag};
    SEAM(sending, r, &action);
    return action;
}

hk_rules_action hk_rules_next_action(const hk_rules *r) {
    if (r->running != HK_MAP_NONE)
        return sending(r, r->graph->cells[r->cells[r->running].cell].out.all[r->sent]);
    if (r->closed_count < r->closing_count) {
        uint32_t flow = r->closing[r->closed_count];
        return (hk_rules_action){
            .what = HK_RULES_CLOSE, .cell = r->graph->flows[flow].to, .flow = flow, .at = r->at};
    }
    if (r->current == HK_MAP_NONE)
        return (hk_rules_action){.what = HK_RULES_END, .cell = HK_MAP_NONE, .flow = HK_MAP_NONE};
    const own_cell *own = &r->cells[r->current];
    uint32_t flow = hk_rules_blocking_flow(r, own->cell, own->next.at);
    return (hk_rules_action){.what = flow == HK_MAP_NONE ? HK_RULES_RUN : HK_RULES_RECEIVE,
                             .cell = own->cell,
                             .flow = flow,
                             .at = own->next.at};
}

/* ---- what was done --------------------------------------------------------------------------- */

hk_breach hk_rules_received(hk_rules *r, uint32_t flow, hk_tick stamp, hk_tick promise) {
    if (flow >= r->graph->flow_count || !r->flows[flow].in)
        return HK_BREACH_FOREIGN;
    own_flow *own = &r->flows[flow];
    if (own->closed)
        return HK_BREACH_NONE;
    if (own->next == HK_TICK_NEVER)
        return HK_BREACH_ENDED;
    if (stamp != own->next)
        return HK_BREACH_STAMP;
    if (promise <= stamp)
        return HK_BREACH_PROMISE;
    if (stamp > r->cells[r->slot_of[r->graph->flows[flow].to]].next.at)
        return HK_BREACH_EARLY;
    own->next = promise;
    SEAM(received, own, stamp);
    return HK_BREACH_NONE;
}

/* Goes on to the next cell if the one that has run has sent all. */
static void settle(hk_rules *r) {
    if (r->sent < r->graph->cells[r->cells[r->running].cell].out.count)
        return;
    uint32_t slot = r->running;
    r->running = HK_MAP_NONE;
    close_if_done(r, slot);
    find_current(r);
}

hk_breach hk_rules_ran(hk_rules *r, uint32_t cell, hk_tick t) {
    if (cell >= r->graph->cell_count || r->slot_of[cell] == HK_MAP_NONE)
        return HK_BREACH_FOREIGN;
    uint32_t slot = r->slot_of[cell];
    bool busy = r->running != HK_MAP_NONE || r->closed_count < r->closing_count;
    if (busy || slot != r->current || t != r->cells[slot].next.at)
        return HK_BREACH_ORDER;
    if (hk_rules_blocking_flow(r, cell, t) != HK_MAP_NONE)
        return HK_BREACH_WAITS;
    r->running = slot;
    r->at = t;
    r->sent = 0;
    r->cells[slot].next = hk_activation_next(r->graph, cell, r->cells[slot].next);
    settle(r);
    return HK_BREACH_NONE;
}

hk_breach hk_rules_sent(hk_rules *r, uint32_t flow, hk_tick stamp, hk_tick promise) {
    if (flow >= r->graph->flow_count || !r->flows[flow].out)
        return HK_BREACH_FOREIGN;
    hk_rules_action due = hk_rules_next_action(r);
    if (due.what != HK_RULES_SEND || due.flow != flow)
        return HK_BREACH_ORDER;
    if (due.at != stamp || r->flows[flow].next != stamp)
        return HK_BREACH_STAMP;
    if (due.promise != promise)
        return HK_BREACH_PROMISE;
    r->flows[flow].next = promise;
    r->sent++;
    settle(r);
    return HK_BREACH_NONE;
}

hk_breach hk_rules_closed(hk_rules *r, uint32_t flow) {
    if (flow >= r->graph->flow_count || !r->flows[flow].in)
        return HK_BREACH_FOREIGN;
    hk_rules_action due = hk_rules_next_action(r);
    if (due.what != HK_RULES_CLOSE || due.flow != flow)
        return HK_BREACH_ORDER;
    r->flows[flow].closed = true;
    r->closed_count++;
    return HK_BREACH_NONE;
}

void hk_rules_stop(hk_rules *r, hk_tick t) {
    HK_ASSERT(r->running == HK_MAP_NONE || r->at < t);
    r->end = t < r->end ? t : r->end;
    close_all_done(r);
    find_current(r);
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *hk_breach_text(hk_breach breach) {
    static const char *const texts[HK_BREACHES] = {
        [HK_BREACH_NONE] = "nothing is wrong",
        [HK_BREACH_STAMP] = "the stamp is not the promised one",
        [HK_BREACH_PROMISE] = "the promised stamp is not after that of the message",
        [HK_BREACH_ENDED] = "the message before it was to be the last",
        [HK_BREACH_FOREIGN] = "the flow does not lead to this node",
        [HK_BREACH_EARLY] = "it was taken before its sink may see it",
        [HK_BREACH_WAITS] = "a cell has run before all flows into it had brought what it sees",
        [HK_BREACH_ORDER] = "something else was to be done first",
    };
    return (unsigned)breach < HK_BREACHES ? texts[breach] : "unknown";
}

hk_status hk_rules_error(hk_ctx *ctx, const hk_rules *r, hk_breach breach, uint32_t flow,
                         hk_tick stamp) {
    const hk_flow_graph *g = r->graph;
    if (breach >= HK_BREACH_EARLY || flow >= g->flow_count)
        return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                        "the time rules of node '%s' are broken: %s", g->nodes[r->node].name,
                        hk_breach_text(breach));
    const hk_flow *f = &g->flows[flow];
    return hk_error(ctx, HK_E_FLOW, f->where, "nodes of one run must be of one hocket and one plan",
                    "the flow %s from node '%s' to node '%s' breaks its promise: a message with "
                    "the stamp %s, expected: %s; %s",
                    f->name, g->nodes[g->cells[f->from].node].name,
                    g->nodes[g->cells[f->to].node].name, hk_flow_time(g, stamp),
                    hk_flow_time(g, r->flows[flow].next), hk_breach_text(breach));
}
