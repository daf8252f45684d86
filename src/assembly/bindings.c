/* SPDX-License-Identifier: MIT
 *
 * To whom a scenario may bind what components require. */
#include "assembly/bindings.h"

size_t hk_find_requirement(const hk_model *model, uint32_t component, uint32_t service) {
    size_t i = 0;
    while (i < model->requirement_count && (model->requirements[i].component != component ||
                                            model->requirements[i].service != service))
        i++;
    return i;
}

/* The index of the requirement that a BIND is about, and of the candidate it chooses. */
static size_t chosen(const hk_model *model, const hk_action *a, size_t *ret_candidate) {
    size_t i = hk_find_requirement(model, a->component, a->service);
    const hk_requirement *r = &model->requirements[i];
    size_t c = 0;
    HK_ASSERT(i < model->requirement_count);
    while (c < r->candidate_count && (r->candidates[c].component != a->provider ||
                                      r->candidates[c].service != a->provider_service))
        c++;
    HK_ASSERT(c < r->candidate_count); /* who read the scenario has seen to it */
    *ret_candidate = c;
    return i;
}

/* ONLY: nobody else has been bound before. */
static void add(const hk_model *model, const hk_actions *actions, bool only, hk_bindings *b) {
    for (size_t k = 0; k < actions->count; k++) {
        size_t candidate, i;
        if (actions->all[k].kind != HK_ACTION_BIND)
            continue;
        i = chosen(model, &actions->all[k], &candidate);
        for (size_t c = 0; only && c < model->requirements[i].candidate_count; c++)
            b->may[i][c] = false;
        b->may[i][candidate] = true;
    }
}

hk_bindings hk_scenario_bindings(const hk_simulation *simulation, const hk_scenario *scenario,
                                 hk_arena *arena) {
    hk_bindings b = hk_bindings_of(simulation->model, arena);
    add(simulation->model, &simulation->begin, true, &b);
    add(simulation->model, &scenario->begin, true, &b);
    for (size_t i = 0; i < scenario->event_count; i++)
        add(simulation->model, &scenario->events[i].actions, false, &b);
    return b;
}

hk_bindings hk_simulation_bindings(const hk_simulation *simulation, hk_arena *arena) {
    const hk_model *model = simulation->model;
    if (!simulation->scenario_count)
        return hk_bindings_of(model, arena);
    hk_bindings all = hk_scenario_bindings(simulation, &simulation->scenarios[0], arena);
    for (size_t s = 1; s < simulation->scenario_count; s++) {
        hk_bindings one = hk_scenario_bindings(simulation, &simulation->scenarios[s], arena);
        for (size_t i = 0; i < model->requirement_count; i++)
            for (size_t c = 0; c < model->requirements[i].candidate_count; c++)
                all.may[i][c] = all.may[i][c] || one.may[i][c];
    }
    return all;
}
