/* SPDX-License-Identifier: MIT
 *
 * `hocket plan --nodes N` for programs. */
#include "report/plan_view.h"

static double seconds(const hk_view *view, hk_tick tick) {
    return hk_tick_seconds(tick, view->plan->ticks_per_second);
}

static void put_places(const hk_view *view, hk_json *json) {
    const hk_view_nodes *nodes = view->nodes;
    hk_json_array(json, "places");
    for (uint32_t n = 0; n <= nodes->count; n++) {
        hk_json_object(json, NULL);
        hk_json_string(json, "node", hk_view_node(view, n));
        hk_json_array(json, "components");
        for (uint32_t c = 0; c < view->model->component_count; c++)
            if (nodes->flows->placement.node_of[c] == n)
                hk_json_string(json, NULL, view->model->components[c].name);
        hk_json_end(json);
        hk_json_f64(json, "busy_s", nodes->pace.busy[n]);
        hk_json_array(json, "waits_for_values_of");
        for (uint32_t from = 0; from < nodes->count; from++)
            if (hk_view_waits_for_values(view, n, from))
                hk_json_string(json, NULL, hk_view_node(view, from));
        hk_json_end(json);
        hk_json_array(json, "waits_for_room_at");
        for (uint32_t to = 0; to <= nodes->count; to++)
            if (hk_view_waits_for_room(view, n, to))
                hk_json_string(json, NULL, hk_view_node(view, to));
        hk_json_end(json);
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void put_variables(const hk_view *view, hk_json *json, const hk_plan_flow *f) {
    const hk_info *info = view->model->components[f->component].info;
    HK_JSON_EACH(json, "variables", i, f->variable_count) {
        const hk_plan_flow_variable *v = &f->variables[i];
        hk_json_string(json, "name", info->variables[v->variable].name);
        hk_json_bool(json, "connected", v->connected);
        hk_json_bool(json, "condition", v->looked);
        hk_json_bool(json, "row", v->shown);
    }
}

static void put_flows(const hk_view *view, hk_json *json) {
    const hk_plan_flows *flows = view->nodes->flows;
    HK_JSON_EACH(json, "flows", i, flows->count) {
        const hk_plan_flow *f = &flows->all[i];
        hk_flow_messages m = hk_plan_flow_messages(flows, f);
        hk_json_string(json, "component", view->model->components[f->component].name);
        hk_json_string(json, "from", hk_view_node(view, f->from));
        hk_json_string(json, "to", hk_view_node(view, f->to));
        hk_json_f64(json, "period_s", seconds(view, view->plan->components[f->component].period));
        hk_json_f64(json, "lag_s", seconds(view, f->lag));
        hk_json_f64(json, "messages_per_s", hk_view_flow_rate(view, f));
        hk_json_u64(json, "messages", m.before + m.during + m.at_end);
        hk_json_u64(json, "room", hk_plan_flow_room(flows, f));
        if (view->nodes->most[i])
            hk_json_i64(json, "most_waiting", view->nodes->most[i]);
        put_variables(view, json, f);
    }
}

static void put_path(const hk_view *view, hk_json *json) {
    const hk_pace *pace = &view->nodes->pace;
    hk_json_object(json, "critical_path");
    hk_json_u64(json, "crossings", pace->crossings);
    HK_JSON_EACH(json, "shares", n, view->nodes->count) {
        hk_json_string(json, "node", hk_view_node(view, (uint32_t)n));
        hk_json_f64(json, "seconds", pace->on_path[n]);
    }
    HK_JSON_EACH(json, "last", i, pace->step_count) {
        const hk_pace_step *s = &pace->steps[i];
        hk_json_f64(json, "at_s", seconds(view, s->at));
        hk_json_string(json, "node", hk_view_node(view, s->node));
        hk_json_string(json, "component", view->model->components[s->component].name);
        hk_json_i64(json, "count", s->count);
        hk_json_f64(json, "cost_s", s->cost);
        hk_json_bool(json, "waited_for_another_node", s->crosses);
    }
    hk_json_end(json);
}

void hk_view_put_nodes(const hk_view *view, hk_json *json) {
    const hk_view_nodes *nodes = view->nodes;
    if (!nodes)
        return;
    hk_json_object(json, "nodes");
    hk_json_i64(json, "count", nodes->count);
    hk_json_i64(json, "groups", nodes->group_count);
    hk_json_string(json, "scenario", nodes->scenario);
    put_places(view, json);
    put_flows(view, json);
    hk_json_f64(json, "messages_per_s", nodes->per_second);
    hk_json_u64(json, "messages", nodes->sum.before + nodes->sum.during + nodes->sum.at_end);
    hk_json_string(json, "costs", hk_cost_source_words[nodes->costs]);
    hk_json_f64(json, "looked_at_s", seconds(view, nodes->pace.until - view->plan->start));
    hk_json_f64(json, "one_process_s", nodes->pace.serial);
    hk_json_f64(json, "nodes_s", nodes->pace.parallel);
    if (nodes->pace.parallel > 0)
        hk_json_f64(json, "speed_up", nodes->pace.serial / nodes->pace.parallel);
    if (nodes->apart.parallel > 0)
        hk_json_f64(json, "speed_up_at_most", nodes->apart.serial / nodes->apart.parallel);
    put_path(view, json);
    hk_json_end(json);
}
