/* SPDX-License-Identifier: MIT */
#include "engine/idle.h"

#include "engine/tokens.h"

bool hk_idle_cell(const hk_sim *sim, const hk_cell *c) {
    HK_ASSERT(sim && c);
    return !sim->part && !c->rare && !c->rare_steps && c->copies8 == c->copies8_end &&
           c->sets == c->sets_end && c->steps[0] == c->steps[HK_STEP_SHAPES] &&
           c->gets == c->gets_end && c->finite == c->finite_end;
}

void hk_idle_find(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        hk_rate_state *rate = &sim->loop.rates[r];
        rate->idle = !sim->plan->rates[r].pattern;
        for (uint32_t i = rate->cells.begin; i < rate->cells.end; i++)
            rate->idle = rate->idle && hk_idle_cell(sim, &sim->loop.cells[i]);
    }
}

void hk_idle_settle(hk_sim *sim, size_t rate, hk_tick last) {
    HK_ASSERT(sim);
    HK_ASSERT(sim->loop.rates[rate].idle);
    const hk_range cells = sim->loop.rates[rate].cells;
    for (uint32_t i = cells.begin; i < cells.end; i++)
        *sim->loop.cells[i].last = last;
    if (sim->safety.monitored)
        hk_set_due(sim, sim->loop.cells[cells.begin].watch.due,
                   last + sim->loop.rates[rate].period);
}

void hk_idle_pass(hk_sim *sim, size_t rate, hk_tick t) {
    HK_ASSERT(sim);
    hk_rate_state *state = &sim->loop.rates[rate];
    hk_tick *next = &sim->loop.rate_next[rate];
    if (*next >= t)
        return;
    hk_tick count = (t - *next + state->period - 1) / state->period;
    *next += count * state->period;
    state->runs += (uint64_t)count;
    hk_idle_settle(sim, rate, *next - state->period);
}
