/* SPDX-License-Identifier: MIT
 *
 * All activations of a node are listed beforehand, in their order; each event is then compared with
 * the list. A flow is two counts: how many messages were sent and how many taken. */
#include "time/node_trace.h"

#include <stdlib.h>

typedef struct activation {
    hk_tick at;
    uint32_t level, cell;
} activation;

typedef struct node_list {
    activation *all;
    size_t count, cap, done;
    uint32_t sent; /* flows of the last activation */
} node_list;

typedef struct flow_count {
    size_t sent, taken;
    bool closed;
} flow_count;

typedef struct judging {
    hk_arena *arena;
    const hk_flow_graph *graph;
    node_list *nodes;
    activation **of_cell; /* by time */
    size_t *cell_count;
    flow_count *flows;
} judging;

/* ---- what is to happen ----------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const activation *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void list_cell(judging *j, uint32_t cell) {
    const hk_flow_cell *c = &j->graph->cells[cell];
    node_list *list = &j->nodes[c->node];
    size_t cap = 0;
    hk_tick at = j->graph->start + c->offset;
    for (uint32_t i = 0; at < j->graph->nodes[c->node].end; i = (i + 1) % c->period_count) {
        activation a = {at, c->level, cell};
        HK_PUSH(list->all, list->count, list->cap, a);
        HK_PUSH(j->of_cell[cell], j->cell_count[cell], cap, a);
        at += c->periods[i];
    }
}

static void begin(judging *j) {
    const hk_flow_graph *g = j->graph;
    j->nodes = HK_NEW_ARRAY(j->arena, node_list, g->node_count);
    j->flows = HK_NEW_ARRAY(j->arena, flow_count, g->flow_count);
    j->of_cell = HK_NEW_ARRAY(j->arena, activation *, g->cell_count);
    j->cell_count = HK_NEW_ARRAY(j->arena, size_t, g->cell_count);
    for (uint32_t c = 0; c < g->cell_count; c++)
        list_cell(j, c);
    for (uint32_t n = 0; n < g->node_count; n++)
        if (j->nodes[n].count)
            qsort(j->nodes[n].all, j->nodes[n].count, sizeof *j->nodes[n].all, compare);
}

static void finish(judging *j) {
    for (uint32_t n = 0; n < j->graph->node_count; n++)
        hk_free(j->nodes[n].all);
    for (uint32_t c = 0; c < j->graph->cell_count; c++)
        hk_free(j->of_cell[c]);
}

/* The stamp of message K of a flow; HK_TICK_NEVER: there is none. */
static hk_tick stamp_of(const judging *j, uint32_t flow, size_t k) {
    const hk_flow *f = &j->graph->flows[flow];
    return k < j->cell_count[f->from] ? j->of_cell[f->from][k].at + f->lag : HK_TICK_NEVER;
}

static const activation *last_of(const node_list *n) {
    return n->done ? &n->all[n->done - 1] : NULL;
}

/* ---- what has happened ----------------------------------------------------------------------- */

static const char *judge_run(judging *j, node_list *n, const hk_rules_action *a) {
    const activation *last = last_of(n);
    if (last && n->sent < j->graph->cells[last->cell].out.count)
        return "a cell runs before the one before it has sent all";
    if (n->done == n->count || n->all[n->done].cell != a->cell || n->all[n->done].at != a->at)
        return "this activation is not the next one";
    const hk_flow_list *in = &j->graph->cells[a->cell].in;
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t f = in->all[i];
        if (stamp_of(j, f, j->flows[f].taken) <= a->at)
            return hk_arena_printf(j->arena, "it has not got all that it sees of flow %s",
                                   j->graph->flows[f].name);
        if (j->flows[f].taken && stamp_of(j, f, j->flows[f].taken - 1) > a->at)
            return hk_arena_printf(j->arena, "it sees the future of flow %s",
                                   j->graph->flows[f].name);
    }
    n->done++;
    n->sent = 0;
    return NULL;
}

static const char *judge_send(judging *j, node_list *n, const hk_rules_action *a) {
    const activation *last = last_of(n);
    const hk_flow_list *out = last ? &j->graph->cells[last->cell].out : NULL;
    if (!out || n->sent >= out->count || out->all[n->sent] != a->flow)
        return "this message is not the next one";
    flow_count *f = &j->flows[a->flow];
    if (a->at != stamp_of(j, a->flow, f->sent))
        return "the stamp is wrong";
    if (a->promise != stamp_of(j, a->flow, f->sent + 1))
        return "the promise is wrong";
    n->sent++;
    f->sent++;
    return NULL;
}

static const char *judge_receive(judging *j, uint32_t node, const hk_rules_action *a) {
    flow_count *f = &j->flows[a->flow];
    if (j->graph->cells[j->graph->flows[a->flow].to].node != node)
        return "the flow does not lead to this node";
    if (f->taken == f->sent)
        return "nobody has sent this message";
    if (a->at != stamp_of(j, a->flow, f->taken) || a->promise != stamp_of(j, a->flow, f->taken + 1))
        return "this is not the message that was sent";
    f->taken++;
    return NULL;
}

static const char *judge_close(judging *j, const node_list *n, const hk_rules_action *a) {
    uint32_t cell = j->graph->flows[a->flow].to;
    for (size_t i = n->done; i < n->count; i++)
        if (n->all[i].cell == cell)
            return "the flow is closed before the last activation of its sink";
    if (j->flows[a->flow].closed)
        return "the flow is closed twice";
    j->flows[a->flow].closed = true;
    return NULL;
}

static const char *judge_event(judging *j, const hk_node_event *e) {
    const hk_rules_action *a = &e->did;
    if (e->node >= j->graph->node_count)
        return "there is no such node";
    if (a->what != HK_RULES_RUN && a->what != HK_RULES_END && a->flow >= j->graph->flow_count)
        return "there is no such flow";
    node_list *n = &j->nodes[e->node];
    switch (a->what) {
    case HK_RULES_RUN:
        return judge_run(j, n, a);
    case HK_RULES_SEND:
        return judge_send(j, n, a);
    case HK_RULES_RECEIVE:
        return judge_receive(j, e->node, a);
    case HK_RULES_CLOSE:
        return judge_close(j, n, a);
    default:
        return n->done < n->count ? "the node ends before its time" : NULL;
    }
}

static const char *judge_end(const judging *j) {
    for (uint32_t n = 0; n < j->graph->node_count; n++)
        if (j->nodes[n].done < j->nodes[n].count)
            return hk_arena_printf(j->arena, "node '%s' has not run to its end",
                                   j->graph->nodes[n].name);
    for (uint32_t f = 0; f < j->graph->flow_count; f++) {
        if (j->flows[f].sent < j->cell_count[j->graph->flows[f].from])
            return hk_arena_printf(j->arena, "flow %s has not sent all", j->graph->flows[f].name);
        if (!j->flows[f].closed)
            return hk_arena_printf(j->arena, "flow %s was not closed", j->graph->flows[f].name);
    }
    return NULL;
}

const char *hk_node_trace_judge(hk_arena *arena, const hk_flow_graph *graph,
                                const hk_node_event *events, size_t count, size_t *ret_event) {
    judging j = {.arena = arena, .graph = graph};
    const char *wrong = NULL;
    size_t i = 0;
    begin(&j);
    while (i < count && !(wrong = judge_event(&j, &events[i])))
        i++;
    if (!wrong)
        wrong = judge_end(&j);
    finish(&j);
    if (wrong)
        *ret_event = i;
    return wrong;
}
