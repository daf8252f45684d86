/* SPDX-License-Identifier: MIT
 *
 * The orders of a run. Where the order of components depends on who is bound, the plan has one for
 * each choice. All of them become cells before the run; a binding only chooses between them,
 * between two instants. */
#include "engine/bind_stages.h"

/* The index among its candidates of who is bound to a requirement. */
static uint32_t bound_candidate(const hk_sim *sim, size_t requirement) {
    const hk_requirement *r = &sim->model->requirements[requirement];
    hk_provider p = hk_services_bound(sim, requirement);
    uint32_t c = 0;
    while (c < r->candidate_count &&
           (r->candidates[c].component != p.component || r->candidates[c].service != p.service))
        c++;
    return c;
}

/* The order for what is bound now; order_count: the plan was not made for that. */
static size_t find_order(const hk_sim *sim) {
    size_t n = sim->model->requirement_count, k = 0;
    uint32_t *candidates = hk_alloc((n + 1) * sizeof *candidates);
    bool known = true;
    for (size_t i = 0; i < n; i++) {
        candidates[i] = bound_candidate(sim, i);
        known = known && candidates[i] < sim->model->requirements[i].candidate_count;
    }
    const hk_plan *plan = known ? hk_plan_order(sim->family, candidates) : NULL;
    hk_free(candidates);
    while (k < sim->family->order_count && sim->family->orders[k] != plan)
        k++;
    return k;
}

static hk_status not_planned(hk_sim *sim) {
    return hk_error(sim->ctx, HK_E_SERVICE, HK_NOWHERE,
                    "what is bound during a run has to be known before it",
                    "the run was not planned for who is bound now");
}

hk_status hk_orders_make(hk_sim *sim) {
    HK_ASSERT(sim);
    size_t n = sim->family->order_count;
    sim->changes.orders = HK_NEW_ARRAY(sim->arena, hk_order, n);
    sim->changes.order_count = n;
    sim->changes.order = sim->changes.first_order = n > 1 ? find_order(sim) : 0;
    if (sim->changes.order == n)
        return not_planned(sim);
    for (size_t i = 0; i < n; i++) {
        hk_order *o = &sim->changes.orders[i];
        o->plan = sim->family->orders[i];
        o->program = hk_sim_program(sim, o->plan);
        o->cells = hk_layout_cells(sim, o->program);
        o->cell_count = o->program->cell_count;
    }
    sim->plan = sim->changes.orders[sim->changes.order].plan;
    sim->program = sim->changes.orders[sim->changes.order].program;
    return HK_OK;
}

/* The calls of the orders that are not in use: bound now, so that nothing is asked of components
 * when one is chosen. */
hk_status hk_orders_wire(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_status status = HK_OK;
    for (size_t i = 0; i < sim->changes.order_count && status == HK_OK; i++) {
        hk_order *o = &sim->changes.orders[i];
        if (i == sim->changes.order)
            continue;
        sim->plan = o->plan;
        o->web.cells = o->cells;
        o->web.count = o->cell_count;
        status = hk_wiring_order(sim, &o->web);
    }
    sim->plan = sim->changes.orders[sim->changes.order].plan;
    return status;
}

/* The cells of a rate have done the same activations whenever no instant is under way. */
static void take_over(hk_sim *sim, const hk_order *from, const hk_order *to) {
    for (size_t i = 0; i < to->cell_count; i++)
        for (size_t k = 0; k < from->cell_count; k++)
            if (from->cells[k].rate == to->cells[i].rate)
                *to->cells[i].last = *from->cells[k].last;
    for (size_t i = 0; i < to->cell_count; i++)
        for (uint32_t m = 0; m < to->cells[i].member_count; m++)
            sim->slots.instances[to->cells[i].members[m]].cell_last = to->cells[i].last;
}

static void use_order(hk_sim *sim, size_t number) {
    hk_order *from = &sim->changes.orders[sim->changes.order], *to = &sim->changes.orders[number];
    hk_share_end(sim);
    take_over(sim, from, to);
    from->web = sim->loop.web;
    sim->loop.web = to->web;
    sim->changes.order = number;
    sim->plan = to->plan;
    sim->program = to->program;
    hk_layout_use(sim, to->cells, to->cell_count);
    hk_relink(sim);
    for (size_t i = 0; i < sim->rows.watch_count; i++)
        sim->rows.watches[i].last =
            sim->slots.instances[sim->rows.watches[i].condition.component].last;
    /* The others measure again whether threads pay. */
    sim->threads.shares_decided = false;
    if (sim->options.threads > 1 && sim->options.threads_always)
        hk_share_decide(sim);
}

hk_status hk_order_choose(hk_sim *sim) {
    HK_ASSERT(sim);
    if (sim->changes.order_count == 1)
        return HK_OK;
    size_t number = find_order(sim);
    if (number == sim->changes.order_count)
        return not_planned(sim);
    if (number != sim->changes.order)
        use_order(sim, number);
    return sim->status;
}

void hk_orders_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->changes.order_count; i++) {
        if (i != sim->changes.order)
            hk_web_finish(&sim->changes.orders[i].web);
        hk_program_destroy(sim->changes.orders[i].program);
    }
}
