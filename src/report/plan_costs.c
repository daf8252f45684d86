/* SPDX-License-Identifier: MIT
 *
 * What an activation of each component costs: declared, in the system, the schedule or here, or
 * measured in a short run. What is measured is for the allocation and the chart alone: ages and
 * overruns are said of what is declared. */
#include "assembly/recording.h"
#include "base/seconds.h"
#include "report/plan_view.h"

#include <math.h>
#include <string.h>

enum { MEASURED_INSTANTS = 200 };

/* The tick by which about so many instants have passed. */
static hk_tick measured_until(const hk_plan *plan) {
    hk_tick finest = plan->rates[0].period;
    if (finest > (plan->stop - plan->start) / MEASURED_INSTANTS)
        return plan->stop;
    hk_tick until = plan->start + finest * MEASURED_INSTANTS;
    /* A slow component is to step as well. */
    for (size_t r = 0; r < plan->rate_count; r++) {
        hk_tick twice = plan->start + plan->rates[r].offset + 2 * plan->rates[r].period;
        until = twice > until ? twice : until;
    }
    return until < plan->stop ? until : plan->stop;
}

static hk_status measure(hk_view *view) {
    hk_sim_options options = {.profile_every = 1};
    hk_sim *sim = NULL;
    hk_status status = hk_assembly_simulate(view->ctx, &view->made, view->plan, &options, &sim);
    if (status == HK_OK)
        status = hk_sim_run_until(sim, measured_until(view->plan));
    if (status == HK_OK) {
        const hk_profile *profile = hk_sim_profile(sim);
        for (size_t i = 0; i < profile->row_count; i++) {
            const hk_profile_row *row = &profile->rows[i];
            double cost = row->get_s + row->set_s + row->step_s;
            cost = row->steps ? cost / (double)row->steps : 0;
            /* Whole nanoseconds, at least one. */
            int64_t ns = cost < 1e-9 ? 1 : cost < 1e6 ? (int64_t)llround(cost * 1e9) : 1;
            if (!hk_ratio_make(ns, 1000000000, &view->costs[i]))
                view->costs[i] = (hk_ratio){1, 1000000000};
        }
    }
    hk_sim_destroy(sim);
    return status;
}

static hk_status unknown_component(hk_view *view, const char *name) {
    const hk_model *model = view->model;
    const char **names = HK_NEW_ARRAY(view->arena, const char *, model->component_count);
    for (size_t i = 0; i < model->component_count; i++)
        names[i] = model->components[i].name;
    return hk_error(view->ctx, HK_E_USAGE, HK_NOWHERE,
                    hk_hint_closest(view->arena, name, names, model->component_count, NULL),
                    "--cost: there is no component '%s'", name);
}

static hk_status declare(hk_view *view, const char *text) {
    const char *equals = strrchr(text, '=');
    hk_ratio cost;
    if (!equals || equals == text ||
        !hk_time_read(view->ctx, (hk_where){.element = "--cost"}, equals + 1, &cost) ||
        cost.num <= 0)
        return hk_error(view->ctx, HK_E_USAGE, HK_NOWHERE,
                        "write --cost NAME=TIME with a time above 0: wheel=30us",
                        "--cost: '%s' has no name and time", text);
    const char *name = hk_arena_strndup(view->arena, text, (size_t)(equals - text));
    uint32_t index = hk_map_get(&view->model->by_name, name);
    if (index == HK_MAP_NONE)
        return unknown_component(view, name);
    hk_component *c = &view->model->components[index];
    const char *before = view->cost_texts[index];
    if (before && hk_ratio_compare(c->cost, cost) != 0)
        return hk_error(view->ctx, HK_E_USAGE, HK_NOWHERE, "give it once",
                        "--cost: '%s' has two costs, %s and %s", name, before, equals + 1);
    view->cost_texts[index] = equals + 1;
    c->has_cost = true;
    c->cost = cost;
    return HK_OK;
}

hk_status hk_view_declare_costs(hk_view *view, hk_texts costs) {
    view->cost_texts = HK_NEW_ARRAY(view->arena, const char *, view->model->component_count + 1);
    for (size_t i = 0; i < costs.count; i++)
        HK_TRY(declare(view, costs.all[i]));
    return HK_OK;
}

hk_status hk_view_find_costs(hk_view *view, bool measured) {
    size_t n = view->model->component_count;
    hk_arena *arena = view->arena;
    if (!measured && !view->plan->executions)
        return HK_OK;
    view->costs = HK_NEW_ARRAY(arena, hk_ratio, n);
    view->costed = HK_NEW_ARRAY(arena, bool, n);
    view->cost_s = HK_NEW_ARRAY(arena, double, n);
    for (size_t i = 0; i < n; i++) {
        view->costs[i] = (hk_ratio){1, 1000000};
        view->costed[i] = measured || view->model->components[i].has_cost;
    }
    if (measured)
        HK_TRY(measure(view));
    for (size_t i = 0; i < n; i++)
        if (view->model->components[i].has_cost)
            view->costs[i] = view->model->components[i].cost;
    for (size_t i = 0; i < n; i++)
        view->cost_s[i] = view->costed[i] ? hk_ratio_to_double(view->costs[i]) : 0;
    return HK_OK;
}
