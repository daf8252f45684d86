/* SPDX-License-Identifier: MIT
 *
 * `hocket plan --nodes N`: who runs where and sends what to whom, what that costs, and what may be
 * gained. The placement and the flows are those of `hocket run --nodes N`, made the same way. */
#include "assembly/recording.h"
#include "plan/place.h"
#include "play/play.h"
#include "report/plan_view.h"
#include "time/bounds.h"

#include <string.h>

const char *const hk_cost_source_words[] = {"given", "measured", "partly given", "equal"};

/* ---- what is looked at ---- */

/* A record as `hocket run -o` writes it, and the conditions that end the run. */
static hk_status system_looks(hk_view *view, const hk_view_wishes *wishes, hk_looks *ret_looks) {
    hk_recording recording;
    HK_TRY(hk_recording_select(view->ctx, view->model, wishes->shows, view->arena, &recording));
    size_t rows = recording.column_count, stops = view->made.stop_when_count;
    hk_signal *signals = HK_NEW_ARRAY(view->arena, hk_signal, rows + stops + 1);
    for (size_t i = 0; i < rows; i++)
        signals[i] =
            (hk_signal){recording.columns[i].component, recording.columns[i].variable, 0, NULL};
    for (size_t i = 0; i < stops; i++)
        signals[rows + i] = (hk_signal){view->made.stop_when[i].component,
                                        view->made.stop_when[i].variable, 0, NULL};
    *ret_looks = (hk_looks){signals, rows, signals + rows, stops};
    return HK_OK;
}

static hk_status scenario_looks(hk_view *view, const hk_view_wishes *wishes, hk_looks *ret_looks) {
    hk_play_options options = {.scenario = wishes->scenario, .only_run = -1};
    hk_recording recording;
    if (wishes->shows.count) {
        HK_TRY(hk_recording_select(view->ctx, view->model, wishes->shows, view->arena, &recording));
        options.record = (hk_play_record){recording.columns, recording.column_count};
    }
    /* What else is to be said of a run of it is said by who plays it. */
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_status status = hk_play_looks(aside, &view->made, &options, view->arena, ret_looks);
    for (size_t i = 0; i < hk_ctx_count(aside, HK_NOTE) && status != HK_OK; i++)
        if (hk_ctx_diag(aside, i)->severity == HK_ERROR)
            hk_say_again(view->ctx, hk_ctx_diag(aside, i));
    hk_ctx_destroy(aside);
    HK_TRY(status);
    view->nodes->scenario =
        wishes->scenario ? wishes->scenario : view->made.simulation->scenarios[0].name;
    return HK_OK;
}

/* ---- who runs where ---- */

static hk_status find_flows(hk_view *view, const hk_looks *looks) {
    hk_view_nodes *nodes = view->nodes;
    size_t n = view->model->component_count;
    uint32_t *node_of = HK_NEW_ARRAY(view->arena, uint32_t, n + 1);
    hk_place_components(view->plan, nodes->count, NULL, node_of);
    hk_placement placement = {
        .node_of = node_of, .node_count = nodes->count + 1, .recorder = nodes->count};
    HK_TRY(hk_plan_flows_make(view->ctx, view->plan, &placement, looks, &nodes->flows));
    nodes->group_count = hk_note_idle_nodes(view->ctx, view->plan, nodes->count);
    return HK_OK;
}

/* ---- what travels ---- */

/* Where a way leads back from the receiver, the sender cannot run far ahead. The most that wait for
 * any one of those who look at a flow is the most that wait in it. */
static hk_status find_bounds(hk_view *view) {
    hk_view_nodes *nodes = view->nodes;
    const hk_plan_flows *flows = nodes->flows;
    hk_flow_graph *graph = NULL;
    HK_TRY(hk_flow_graph_of_plan(view->ctx, view->plan, &flows->placement, &graph));
    const hk_flow_bound *bounds = hk_flow_bounds(view->arena, graph);
    nodes->most = HK_NEW_ARRAY(view->arena, int64_t, flows->count + 1);
    for (uint32_t f = 0; f < graph->flow_count; f++)
        for (uint32_t i = 0; bounds[f].most && i < graph->flows[f].connections.count; i++) {
            const hk_connection *k = &view->model->connections[graph->flows[f].connections.all[i]];
            const hk_plan_flow *flow = hk_plan_flow_find(flows, k->from_component,
                                                         flows->placement.node_of[k->to_component]);
            int64_t *most = &nodes->most[flow - flows->all];
            *most = *most && *most < bounds[f].most ? *most : bounds[f].most;
        }
    hk_flow_graph_destroy(graph);
    return HK_OK;
}

double hk_view_flow_rate(const hk_view *view, const hk_plan_flow *flow) {
    const hk_plan *plan = view->plan;
    const hk_plan_component *c = &plan->components[flow->component];
    hk_flow_messages m = hk_plan_flow_messages(view->nodes->flows, flow);
    if (!flow->moves)
        return 0;
    return c->pattern && plan->end > plan->start
               ? (double)m.during / hk_tick_seconds(plan->end - plan->start, plan->ticks_per_second)
               : (double)plan->ticks_per_second / (double)c->period;
}

static void sum_messages(hk_view *view) {
    hk_view_nodes *nodes = view->nodes;
    for (size_t i = 0; i < nodes->flows->count; i++) {
        hk_flow_messages m = hk_plan_flow_messages(nodes->flows, &nodes->flows->all[i]);
        nodes->sum.before += m.before;
        nodes->sum.during += m.during;
        nodes->sum.at_end += m.at_end;
        nodes->per_second += hk_view_flow_rate(view, &nodes->flows->all[i]);
    }
}

bool hk_view_waits_for_values(const hk_view *view, uint32_t node, uint32_t from) {
    const hk_plan_flows *flows = view->nodes->flows;
    for (size_t i = 0; i < flows->count; i++)
        if (flows->all[i].to == node && flows->all[i].from == from)
            return true;
    return false;
}

bool hk_view_waits_for_room(const hk_view *view, uint32_t node, uint32_t to) {
    const hk_plan_flows *flows = view->nodes->flows;
    for (size_t i = 0; i < flows->count; i++) {
        const hk_plan_flow *f = &flows->all[i];
        int64_t most = view->nodes->most[i], room = (int64_t)hk_plan_flow_room(flows, f);
        if (f->from == node && f->to == to && f->moves && (!most || most > room))
            return true;
    }
    return false;
}

/* ---- what may be gained ---- */

static void take_costs(hk_view *view, bool measured) {
    hk_view_nodes *nodes = view->nodes;
    size_t n = view->model->component_count, known = 0, declared = 0;
    nodes->cost_s = HK_NEW_ARRAY(view->arena, double, n + 1);
    for (size_t i = 0; i < n; i++) {
        bool costed = view->costs && view->costed[i];
        nodes->cost_s[i] = costed ? view->cost_s[i] : 1e-6;
        known += costed;
        declared += view->model->components[i].has_cost;
    }
    nodes->costs = !known                     ? HK_COSTS_EQUAL
                   : known < n                ? HK_COSTS_PARTLY
                   : measured && declared < n ? HK_COSTS_MEASURED
                                              : HK_COSTS_GIVEN;
}

/* With a node for each that can have one: no placement is faster. */
static hk_status find_limit(hk_view *view, const hk_looks *looks) {
    hk_view_nodes *nodes = view->nodes;
    uint32_t n = (uint32_t)view->model->component_count;
    uint32_t *node_of = HK_NEW_ARRAY(view->arena, uint32_t, n + 1);
    hk_placement placement = {.node_of = node_of, .node_count = n + 1, .recorder = n};
    hk_plan_flows *flows = NULL;
    hk_place_apart(view->plan, node_of);
    HK_TRY(hk_plan_flows_make(view->ctx, view->plan, &placement, looks, &flows));
    nodes->apart = hk_pace_find(view->arena, flows, nodes->cost_s, view->gantt.hyperperiod);
    hk_plan_flows_destroy(flows);
    return HK_OK;
}

hk_status hk_view_find_nodes(hk_view *view, const hk_view_wishes *wishes) {
    HK_ASSERT(view->plan && wishes->nodes && !view->nodes);
    hk_looks looks;
    view->nodes = HK_NEW(view->arena, hk_view_nodes);
    view->nodes->count = wishes->nodes;
    if (view->made.simulation)
        HK_TRY(scenario_looks(view, wishes, &looks));
    else if (wishes->scenario)
        return hk_error(view->ctx, HK_E_USAGE, HK_NOWHERE, "name a .simulation",
                        "--scenario: a system alone has no scenarios");
    else
        HK_TRY(system_looks(view, wishes, &looks));
    HK_TRY(find_flows(view, &looks));
    HK_TRY(find_bounds(view));
    sum_messages(view);
    take_costs(view, wishes->measure);
    if (view->plan->end < view->plan->stop)
        hk_note(view->ctx, HK_NOWHERE,
                "the work of the nodes, the critical path and the speed-up are those of a run that "
                "does not stop at an overrun");
    view->nodes->pace =
        hk_pace_find(view->arena, view->nodes->flows, view->nodes->cost_s, view->gantt.hyperperiod);
    return find_limit(view, &looks);
}

const char *hk_view_node(const hk_view *view, uint32_t node) {
    HK_ASSERT(view->nodes && node <= view->nodes->count);
    return node == view->nodes->count ? "recorder"
                                      : hk_arena_printf(view->arena, "node %u", (unsigned)node + 1);
}
