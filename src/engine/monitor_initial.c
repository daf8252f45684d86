/* SPDX-License-Identifier: MIT
 *
 * The monitor before the loop: the exchange of initial values, and the first gets. Each call leaves
 * a number made of the arguments it was made with; the numbers that are due follow from model and
 * plan. After each pass through a group of the plan the two lists must be the same, number by
 * number, and the groups must come in the order of the plan. */
#include "engine/monitor_internal.h"

#include "engine/bind_stages.h"
#include "engine/tokens.h"

void hk_monitor_begin(hk_sim *sim) {
    HK_ASSERT(sim);
    sim->monitor = HK_NEW(sim->arena, hk_monitor_state);
    sim->safety.monitored = sim->options.monitor != HK_MONITOR_OFF;
}

void hk_initial_made(hk_sim *sim, uint64_t token) {
    hk_initial_watch *w = &sim->monitor->initial;
    if (sim->safety.monitored)
        HK_PUSH(w->made, w->count, w->cap, token);
}

/* What an input is set from: the value of the connection itself, or the output. */
static uint64_t source_token(const hk_sim *sim, const hk_connection *k) {
    const void *to = hk_target_address(sim, k);
    return hk_copy_token(k->initial.data ? k->initial.data : hk_source_address(sim, k), to);
}

hk_status hk_initial_prove(hk_sim *sim, const hk_init_node *node, const hk_call *call,
                           hk_initial_due *ret_due) {
    HK_ASSERT(sim && node && ret_due);
    const hk_engine_port *p = hk_sim_port(sim, node->component, node->variable);
    const hk_variable *v = &sim->model->components[node->component].info->variables[node->variable];
    bool input = node->connection != HK_MAP_NONE;
    hk_initial_due due = {.component = node->component, .variable = node->variable, .input = input};
    if (input)
        due.copy = source_token(sim, &sim->model->connections[node->connection]);
    if (call) {
        bool right = call->n == 1 && call->refs[0] == v->ref && call->values == p->address;
        if (sim->safety.monitored && !right &&
            !hk_report_unsound(sim, node->component,
                               "has a call for initial values that is "
                               "about others"))
            return sim->status;
        due.call = hk_token((uintptr_t)call->fn.refs, call->self, p->address);
    }
    *ret_due = due;
    return HK_OK;
}

hk_status hk_initial_begin(hk_sim *sim, size_t first, size_t count) {
    HK_ASSERT(sim);
    hk_initial_watch *w = &sim->monitor->initial;
    bool again = first == w->first && first + count == w->done;
    w->count = w->at = 0;
    if (!sim->safety.monitored || again)
        return HK_OK;
    if (first != w->done && !hk_report_unsound(sim, sim->plan->init_nodes[first].component,
                                               "or another one has its initial values out of turn"))
        return sim->status;
    w->first = first;
    w->done = first + count;
    return HK_OK;
}

static hk_status wrong(hk_sim *sim, const hk_initial_due *due) {
    const char *name = sim->model->components[due->component].info->variables[due->variable].name;
    hk_report_unsound(sim, due->component,
                      hk_arena_printf(sim->arena,
                                      "has '%s' not %s once and in its place, when initial values "
                                      "are exchanged",
                                      name, due->input ? "set" : "got"));
    return sim->status;
}

static bool next_is(hk_initial_watch *w, uint64_t token) {
    return !token || (w->at < w->count && w->made[w->at++] == token);
}

hk_status hk_initial_seen(hk_sim *sim, const hk_initial_due *due) {
    HK_ASSERT(sim && due);
    hk_initial_watch *w = &sim->monitor->initial;
    if (!sim->safety.monitored)
        return HK_OK;
    if (!next_is(w, due->copy) || !next_is(w, due->call))
        return wrong(sim, due);
    sim->monitor->so_far.calls +=
        !hk_is_away(sim->part, due->component) && (due->input || due->call);
    return HK_OK;
}

hk_status hk_initial_end(hk_sim *sim, const hk_initial_due *last) {
    HK_ASSERT(sim);
    hk_initial_watch *w = &sim->monitor->initial;
    if (!sim->safety.monitored)
        return HK_OK;
    sim->monitor->so_far.phases += !hk_is_away(sim->part, last->component);
    return w->at == w->count ? HK_OK : wrong(sim, last);
}

hk_status hk_initial_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_initial_watch *w = &sim->monitor->initial;
    const hk_plan *plan = sim->plan;
    size_t groups = plan->init_group_count;
    size_t nodes = groups ? plan->init_group_end[groups - 1] : 0;
    bool whole = !sim->safety.monitored || w->done == nodes;
    return whole || hk_report_unsound(sim, plan->init_nodes[w->done].component,
                                      "or another one has its initial values not exchanged")
               ? HK_OK
               : sim->status;
}

/* ---- the first gets ---- */

void hk_first_gets_begin(hk_sim *sim) {
    HK_ASSERT(sim);
    sim->monitor->initial.count = sim->monitor->initial.at = 0;
}

static bool add_due(const hk_exchange *begin, const hk_exchange *end, const uint64_t *tokens,
                    size_t count, size_t *at, const hk_exchange **ret_wrong) {
    for (const hk_exchange *x = begin; x < end; x++, (*at)++) {
        uint64_t token = hk_token((uintptr_t)x->call.fn.refs, x->call.self, x->call.values);
        if (*at < count && tokens[*at] == token)
            continue;
        *ret_wrong = x;
        return false;
    }
    return true;
}

/* Parameters, constants and inputs that nobody drives are got here and never again, so that no
 * phase of the loop proves that all of them are there. */
static bool once_is_whole(const hk_sim *sim) {
    uint32_t *scratch = hk_alloc((sim->slots.port_count + 1) * sizeof *scratch);
    size_t due = 0, got = 0;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        for (int store = 0; store < HK_STORE_COUNT; store++)
            due += hk_layout_call(sim, c, USE_STATIC, (hk_store)store, scratch);
    for (size_t i = 0; i < sim->slots.once_count; i++)
        got += sim->slots.once[i].call.n;
    hk_free(scratch);
    return due == got;
}

hk_status hk_first_gets_end(hk_sim *sim) {
    HK_ASSERT(sim);
    const hk_initial_watch *w = &sim->monitor->initial;
    const hk_exchange *bad = NULL;
    size_t at = 0;
    bool good = true;
    if (!sim->safety.monitored)
        return HK_OK;
    for (size_t i = 0; i < sim->loop.cell_count && good; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        good = add_due(c->gets, c->gets_end, w->made, w->count, &at, &bad) &&
               add_due(c->text_gets, c->text_gets_end, w->made, w->count, &at, &bad) &&
               add_due(c->row_gets, c->row_gets_end, w->made, w->count, &at, &bad);
    }
    good = good &&
           add_due(sim->slots.once, HK_AT(sim->slots.once, sim->slots.once_count), w->made,
                   w->count, &at, &bad) &&
           at == w->count && once_is_whole(sim);
    for (size_t i = 0; i < sim->slots.once_count; i++)
        at -= hk_is_away(sim->part, sim->slots.once[i].what.component) && good;
    sim->monitor->so_far.calls += at;
    sim->monitor->so_far.phases += hk_part_counts(sim->part);
    if (good)
        return HK_OK;
    hk_report_unsound(sim, bad ? bad->what.component : 0,
                      "has outputs that are not got once after initialization");
    return sim->status;
}

void hk_initial_forget(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_free(sim->monitor->initial.made);
    sim->monitor->initial = (hk_initial_watch){0};
}
