/* SPDX-License-Identifier: MIT
 *
 * What the loop does after a scenario has stopped or started components or made connections faulty:
 * the arrays of the cells are made again, without what is stopped and with what is faulty. That
 * takes time and memory between two instants, so that the loop itself asks for nothing. */
#include "engine/bind_stages.h"
#include "engine/monitor.h"

#include <string.h>

/* A set that reads the memory of producers must have values of its own if one of them is faulty. */
static void decide_loans(hk_sim *sim, hk_exchange *x, uint32_t *scratch) {
    uint32_t component = x->what.component;
    size_t n = hk_layout_call(sim, component, USE_IN, x->store, scratch);
    bool faulty = false;
    for (size_t i = 0; i < n; i++) {
        uint32_t k = hk_wiring_driver(sim, component, sim->slots.ports[scratch[i]].variable);
        if (!sim->slots.borrowed[k])
            return; /* all of a call are borrowed, or none */
        faulty = faulty || (sim->changes.troubles && sim->changes.troubles[k]);
    }
    for (size_t i = 0; i < n; i++) {
        hk_engine_port *p = &sim->slots.ports[scratch[i]];
        uint32_t k = hk_wiring_driver(sim, component, p->variable);
        const hk_connection *c = &sim->model->connections[k];
        void *from = hk_sim_port(sim, c->from_component, c->from_variable)->address;
        sim->changes.lent[k] = !faulty;
        p->borrowed = faulty ? NULL : from;
        if (i == 0)
            x->call.values = faulty ? x->own : from;
    }
}

static hk_range keep_calls(const hk_sim *sim, hk_web *net, hk_range all) {
    hk_call_lists *live = &net->live;
    hk_range r = {(uint32_t)live->n.exchange, 0};
    for (uint32_t i = all.begin; i < all.end; i++)
        if (sim->changes.active[net->all.exchanges[i].what.component])
            HK_PUSH(live->exchanges, live->n.exchange, live->n.exchange_cap, net->all.exchanges[i]);
    r.end = (uint32_t)live->n.exchange;
    return r;
}

static hk_range keep_steps(const hk_sim *sim, hk_web *net, hk_range all, bool shifted) {
    hk_call_lists *live = &net->live;
    hk_range r = {(uint32_t)live->n.stepping, 0};
    for (uint32_t i = all.begin; i < all.end; i++) {
        hk_stepping s = net->all.steppings[i];
        s.shift = sim->changes.shift[s.what.component];
        if (sim->changes.active[s.what.component] && (s.shift != 0) == shifted)
            HK_PUSH(live->steppings, live->n.stepping, live->n.stepping_cap, s);
    }
    r.end = (uint32_t)live->n.stepping;
    return r;
}

static void keep_cell(hk_sim *sim, hk_web *net, const hk_cell *c, const hk_cell_ranges *all,
                      hk_cell_ranges *ret_live) {
    hk_cell_ranges r = {0};
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++)
        r.sets[shape] = keep_calls(sim, net, all->sets[shape]);
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++)
        r.gets[shape] = keep_calls(sim, net, all->gets[shape]);
    r.text_gets = keep_calls(sim, net, all->text_gets);
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++)
        r.row_gets[shape] = keep_calls(sim, net, all->row_gets[shape]);
    for (int shape = 0; shape < HK_STEP_SHAPES; shape++)
        r.steps[shape] = keep_steps(sim, net, all->steps[shape], false);
    hk_range every = {all->steps[0].begin, all->steps[HK_STEP_SHAPES - 1].end};
    r.shifted = keep_steps(sim, net, every, true);
    hk_wiring_segments(sim, &net->live, c, &r);
    hk_wiring_copies(sim, &net->live, c, &r);
    *ret_live = r;
}

static void relink(hk_sim *sim, hk_web *net) {
    uint32_t *scratch = hk_alloc((sim->slots.port_count + 1) * sizeof *scratch);
    hk_cell_ranges *ranges = hk_alloc((net->count + 1) * sizeof *ranges);
    for (size_t i = 0; i < net->count; i++)
        for (int shape = 0; shape < HK_SHAPE_COUNT; shape++) {
            hk_range r = net->ranges[i].sets[shape];
            for (uint32_t k = r.begin; k < r.end; k++)
                decide_loans(sim, &net->all.exchanges[k], scratch);
        }
    hk_web_forget_live(net);
    for (size_t i = 0; i < net->count; i++)
        keep_cell(sim, net, &net->cells[i], &net->ranges[i], &ranges[i]);
    for (size_t i = 0; i < net->count; i++)
        hk_wiring_settle(&net->live, &net->cells[i], &ranges[i]);
    hk_free(ranges);
    hk_free(scratch);
}

void hk_relink(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_sim_instance *inst = &sim->slots.instances[c];
        if (hk_is_away(sim->part, (uint32_t)c))
            continue;
        inst->last = sim->changes.active[c] ? inst->cell_last : &sim->changes.stopped_at[c];
    }
    relink(sim, &sim->loop.web);
    if (sim->threads.team)
        relink(sim, &sim->loop.shared_web);
    hk_monitor_arm(sim);
}
