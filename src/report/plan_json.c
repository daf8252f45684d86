/* SPDX-License-Identifier: MIT
 *
 * `hocket plan` for programs. Times are in seconds; ticks_per_second makes them exact again. */
#include "report/plan_view.h"

static double seconds(const hk_view *view, hk_tick tick) {
    return hk_tick_seconds(tick, view->plan->ticks_per_second);
}

static void put_names(const hk_view *view, hk_json *json, const uint32_t *components,
                      size_t count) {
    hk_json_array(json, "components");
    for (size_t i = 0; i < count; i++)
        hk_json_string(json, NULL, view->model->components[components[i]].name);
    hk_json_end(json);
}

static void put_rates(const hk_view *view, hk_json *json) {
    HK_JSON_EACH(json, "rates", r, view->plan->rate_count) {
        const hk_rate *rate = &view->plan->rates[r];
        hk_json_f64(json, "period_s", seconds(view, rate->period));
        hk_json_f64(json, "offset_s", seconds(view, rate->offset));
        put_names(view, json, rate->components, rate->count);
    }
}

static void put_order(const hk_view *view, hk_json *json) {
    HK_JSON_EACH(json, "processors", r, view->gantt.row_count) {
        const hk_gantt_row *row = &view->gantt.rows[r];
        hk_json_string(json, "name", row->declared ? row->name : NULL);
        hk_json_f64(json, "step_s", seconds(view, row->step));
        put_names(view, json, row->components, row->count);
    }
    HK_JSON_EACH(json, "components", i, view->model->component_count) {
        const hk_plan_component *c = &view->plan->components[i];
        hk_json_string(json, "name", view->model->components[i].name);
        hk_json_string(json, "processor", hk_view_processor(view, (uint32_t)i));
        hk_json_i64(json, "phase", (int64_t)c->level + 1);
        hk_json_f64(json, "period_s", seconds(view, c->period));
        hk_json_f64(json, "offset_s", seconds(view, c->offset));
        if (view->costs && view->costed[i])
            hk_json_f64(json, "cost_s", view->cost_s[i]);
    }
}

static void put_executions(const hk_view *view, hk_json *json) {
    if (!view->plan->executions)
        return;
    hk_json_array(json, "execution_times");
    for (uint32_t i = 0; i < view->model->component_count; i++) {
        const hk_execution *e = &view->plan->executions[i];
        if (!e->costed)
            continue;
        hk_json_object(json, NULL);
        hk_json_string(json, "name", view->model->components[i].name);
        hk_json_string(json, "processor", hk_view_processor(view, i));
        hk_json_f64(json, "processor_load",
                    hk_plan_load(view->plan, view->model->components[i].processor));
        hk_json_f64(json, "cost_s", seconds(view, e->cost));
        hk_json_f64(json, "deadline_s", seconds(view, e->deadline));
        hk_json_string(json, "policy", hk_view_policy(view, i));
        hk_json_bool(json, "overruns", e->overruns);
        if (e->overruns) {
            hk_json_f64(json, "first_s", seconds(view, e->first));
            hk_json_f64(json, "worst_late_s", seconds(view, e->worst));
            hk_json_i64(json, "late", e->late);
            hk_json_i64(json, "skipped", e->skipped);
        }
        if (e->repeat)
            hk_json_f64(json, "repeat_s", seconds(view, e->repeat));
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void put_ages(const hk_view *view, hk_json *json, hk_ages ages) {
    if (ages.any) {
        hk_json_f64(json, "age_min_s", seconds(view, ages.min));
        hk_json_f64(json, "age_max_s", seconds(view, ages.max));
    }
    if (ages.has_initial)
        hk_json_f64(json, "initial_until_s", seconds(view, ages.initial_until));
    if (ages.chains > HK_CHAINS_MAX) {
        hk_json_i64(json, "chains", (int64_t)(ages.chains < INT64_MAX ? ages.chains : INT64_MAX));
        hk_json_i64(json, "chains_looked_at", HK_CHAINS_MAX);
    }
}

static void put_ends(const hk_view *view, hk_json *json, uint32_t hop) {
    hk_json_string(json, "from", hk_view_source(view, hop));
    hk_json_string(json, "to", hk_view_sink(view, hop));
}

static void put_connections(const hk_view *view, hk_json *json) {
    HK_JSON_EACH(json, "connections", i, view->model->connection_count) {
        const hk_connection *c = &view->model->connections[i];
        uint32_t k = (uint32_t)i;
        const char *from = hk_view_processor(view, c->from_component);
        const char *to = hk_view_processor(view, c->to_component);
        hk_tick before;
        put_ends(view, json, k);
        hk_json_string(json, "word", hk_view_lag_word(view, k));
        hk_json_f64(json, "lag_s", seconds(view, view->plan->connections[k].lag));
        hk_json_f64(json, "delay_s", hk_ratio_to_double(c->delay));
        put_ages(view, json, hk_age_hop(view->plan, k));
        hk_json_bool(json, "crossing", from && to && from != to);
        if (hk_view_lag_before(view, k, &before))
            hk_json_f64(json, "lag_before_cut_s", seconds(view, before));
        hk_json_string(json, "cycle_cut", hk_view_cut_reason(view, k));
    }
}

static void put_services(const hk_view *view, hk_json *json) {
    HK_JSON_EACH(json, "services", i, view->plan->dependency_count) {
        uint32_t hop = (uint32_t)(view->model->connection_count + i);
        put_ends(view, json, hop);
        hk_json_f64(json, "lag_s", seconds(view, view->plan->dependencies[i].lag));
        put_ages(view, json, hk_age_hop(view->plan, hop));
        hk_json_string(json, "cycle_cut", hk_view_cut_reason(view, hop));
    }
}

static void put_constraints(const hk_view *view, hk_json *json) {
    HK_JSON_EACH(json, "constraints", i, view->model->constraint_count) {
        const hk_constraint *c = &view->model->constraints[i];
        hk_violation v;
        hk_json_string(json, "kind", hk_view_constraint_kind(c));
        hk_json_string(json, "text", hk_view_constraint(view, c));
        hk_json_bool(json, "holds", hk_constraint_holds(view->plan, c, &v));
        HK_JSON_EACH(json, "paths", p, c->path_count) {
            put_names(view, json, c->paths[p].components, c->paths[p].count);
            put_ages(view, json, hk_view_constraint_ages(view, c, p));
        }
    }
}

static void put_unsatisfied(const hk_allocation *a, hk_json *json) {
    static const char *const alone[] = {"possible", "impossible", "unknown"};
    HK_JSON_EACH(json, "unsatisfied", i, a->unsatisfied_count) {
        hk_json_string(json, "text", a->unsatisfied[i].text);
        hk_json_string(json, "broken", a->unsatisfied[i].broken);
        hk_json_string(json, "reason", a->unsatisfied[i].reason);
        hk_json_string(json, "alone", alone[a->unsatisfied[i].alone]);
    }
}

static void put_allocation(const hk_view *view, hk_json *json) {
    const hk_allocation *a = view->allocation;
    hk_json_object(json, "allocation");
    hk_json_bool(json, "optimal", a->optimal);
    hk_json_f64(json, "largest_load", a->makespan);
    hk_json_f64(json, "aged_s", seconds(view, a->aged_ticks));
    HK_JSON_EACH(json, "processors", i, a->processor_count) {
        hk_json_f64(json, "load", a->processors[i].load);
        put_names(view, json, a->processors[i].components, a->processors[i].count);
    }
    HK_JSON_EACH(json, "aged", i, a->aged_count) {
        put_ends(view, json, a->aged[i].connection);
        hk_json_f64(json, "age_s", seconds(view, a->aged[i].ticks));
    }
    put_unsatisfied(a, json);
    hk_json_string(json, "schedule", hk_allocation_text(view->arena, view->model, a));
    hk_json_string(json, "file", view->schedule_file);
    hk_json_end(json);
}

/* Where the order depends on who is bound; the first is the one above. */
static void put_orders(const hk_view *view, hk_json *json) {
    if (view->plan->order_count == 1)
        return;
    HK_JSON_EACH(json, "orders", i, view->plan->order_count) {
        hk_view one = *view;
        one.plan = view->plan->orders[i];
        one.waiting = NULL;
        hk_gantt_init(&one.gantt, view->arena, one.plan, view->cost_s, HK_GANTT_INSTANTS);
        hk_json_string(json, "with", one.plan->order_name);
        put_order(&one, json);
        put_connections(&one, json);
        put_services(&one, json);
        put_constraints(&one, json);
    }
}

void hk_view_put(const hk_view *view, hk_status status, hk_json *json) {
    const hk_plan *plan = view->plan;
    hk_json_string(json, "file", view->file);
    hk_json_string(json, "status", hk_report_status(view->arena, status));
    hk_json_string(json, "algorithm", hk_algorithm_words[view->made.settings.algorithm]);
    hk_json_i64(json, "ticks_per_second", plan->ticks_per_second);
    hk_json_f64(json, "start_s", seconds(view, plan->start));
    hk_json_f64(json, "stop_s", seconds(view, plan->stop));
    if (view->gantt.hyperperiod != HK_TICK_NEVER)
        hk_json_f64(json, "hyperperiod_s", seconds(view, view->gantt.hyperperiod));
    hk_json_string(json, "cut", view->model->cut == HK_CUT_HLA ? "hla" : "keep");
    put_rates(view, json);
    put_order(view, json);
    put_executions(view, json);
    put_connections(view, json);
    put_services(view, json);
    put_constraints(view, json);
    put_orders(view, json);
    hk_view_put_program(view, json);
    hk_view_put_nodes(view, json);
    if (view->allocation)
        put_allocation(view, json);
    hk_json_string(json, "gantt", view->gantt_file);
}
