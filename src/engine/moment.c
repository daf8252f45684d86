/* SPDX-License-Identifier: MIT
 *
 * Moments: where in the order of a run on one node something happens that happens on one of
 * several. Within a phase that order is that of run_phase: all copies, all sets, all steps, then
 * cell by cell what is got. */
#include "engine/watched.h"

enum { PART_BIT = 56, CELL_BIT = 16, LIST_BIT = 8, COMPONENT_BIT = 32 };

unsigned hk_moment_step_shape(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim && component < sim->model->component_count);
    bool isolated = sim->options.isolated && sim->options.isolated[component];
    int fmi = sim->model->components[component].info->can.fmi;
    return fmi == HK_FMI_LAST && !isolated ? HK_STEP_REPORTED
           : fmi                           ? HK_STEP_FLAGGED
                                           : HK_STEP_PLAIN;
}

/* Also of components that run elsewhere; cell_count: it is never activated. */
static uint64_t cell_of(const hk_sim *sim, uint32_t component) {
    const hk_plan_component *x = &sim->plan->components[component];
    uint64_t i = 0;
    while (i < sim->loop.cell_count &&
           (sim->loop.cells[i].rate != x->rate || sim->loop.cells[i].level != x->level))
        i++;
    return i;
}

hk_moment hk_moment_of(const hk_sim *sim, hk_moment_part part, uint32_t component,
                       hk_moment_way way) {
    HK_ASSERT(sim && sim->part && component < sim->model->component_count);
    const hk_part_state *p = sim->part;
    hk_moment moment = {.tick = sim->time.now,
                        .level = sim->plan->components[component].level,
                        .call = (uint64_t)part << PART_BIT | cell_of(sim, component) << CELL_BIT |
                                (uint64_t)way.list << LIST_BIT | way.shape,
                        .detail = (uint64_t)component << COMPONENT_BIT | way.number};
    if (p->running)
        return moment;
    moment.tick = HK_MOMENT_INITIAL;
    moment.level = p->stage;
    if (p->stage != HK_STAGE_READ)
        moment.call = p->place;
    if (p->stage != HK_STAGE_READ && p->stage != HK_STAGE_ONCE)
        moment.detail = way.number;
    return moment;
}

static bool lies_in(const void *what, const void *first, size_t count, size_t size) {
    return (const char *)what >= (const char *)first &&
           (const char *)what < (const char *)first + count * size;
}

/* The call that WHAT belongs to, by where it lies. */
static bool find_call(const hk_call_lists *in, const hk_op *what, hk_moment_part *ret_part,
                      hk_moment_way *ret_way) {
    if (in->steppings && lies_in(what, in->steppings, in->n.stepping, sizeof *in->steppings)) {
        const hk_stepping *s = (const void *)what;
        *ret_part = HK_MOMENT_STEP;
        *ret_way = (hk_moment_way){.list = s->shift != 0, .shape = s->call.shape};
        return true;
    }
    if (!in->exchanges || !lies_in(what, in->exchanges, in->n.exchange, sizeof *in->exchanges))
        return false;
    const hk_exchange *x = (const void *)what;
    *ret_part = x->use == USE_IN ? HK_MOMENT_SET : HK_MOMENT_GET;
    *ret_way = hk_moment_exchange(x);
    return true;
}

hk_moment_way hk_moment_exchange(const hk_exchange *x) {
    HK_ASSERT(x);
    bool text = x->use != USE_IN && x->store == HK_STORE_BYTES;
    return (hk_moment_way){.list = x->use == USE_ROW ? HK_MOMENT_ROWS
                                   : text            ? HK_MOMENT_TEXTS
                                                     : 0,
                           .shape = x->call.shape,
                           .number = x->store};
}

hk_moment hk_sim_moment(const hk_sim *sim) {
    HK_ASSERT(sim && sim->part);
    const hk_part_state *p = sim->part;
    hk_call_place here = hk_watched_here();
    const hk_op *at = here.sim == sim ? here.at : NULL;
    uint64_t component = at ? (uint64_t)at->component << COMPONENT_BIT : 0;
    if (p->closing)
        return (hk_moment){.tick = HK_TICK_NEVER, .detail = component};
    if (p->fails)
        return p->failed;
    if (!p->running)
        return (hk_moment){HK_MOMENT_INITIAL, p->stage, p->place, component};
    const hk_web *webs[] = {&sim->loop.web, &sim->loop.shared_web};
    for (size_t i = 0; at && i < sizeof webs / sizeof *webs; i++) {
        hk_moment_part part;
        hk_moment_way way;
        if (find_call(&webs[i]->live, at, &part, &way) || find_call(&webs[i]->all, at, &part, &way))
            return hk_moment_of(sim, part, at->component, way);
    }
    return (hk_moment){.tick = sim->time.now};
}

void hk_moment_fails(hk_sim *sim, hk_moment_part part, uint32_t component, bool all) {
    HK_ASSERT(sim);
    if (!sim->part)
        return;
    sim->part->failed = hk_moment_of(sim, part, component, (hk_moment_way){0});
    if (all) {
        sim->part->failed.call |= (UINT64_C(1) << CELL_BIT) - 1;
        sim->part->failed.detail = UINT64_MAX;
    }
    sim->part->fails = true;
}

void hk_moment_write(const hk_moment *moment, char ret_text[HK_MOMENT_TEXT]) {
    HK_ASSERT(moment);
    static const char hex[] = "0123456789abcdef";
    enum { DIGITS = 16, LEVEL = 8, BITS = 4, MASK = 15 };
    const uint64_t parts[] = {(uint64_t)moment->tick ^ UINT64_C(1) << 63, moment->level,
                              moment->call, moment->detail};
    const unsigned digits[] = {DIGITS, LEVEL, DIGITS, DIGITS};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (unsigned k = digits[i]; k-- > 0;)
            *ret_text++ = hex[parts[i] >> (BITS * k) & MASK];
}

hk_moment hk_sim_end_moment(const hk_sim *sim) {
    HK_ASSERT(sim && sim->part);
    hk_moment_way step = {0};
    if (!sim->end.ended)
        return HK_MOMENT_AFTER;
    if (sim->end.ender == HK_MAP_NONE)
        return (hk_moment){.tick = sim->time.now};
    step.shape = hk_moment_step_shape(sim, sim->end.ender);
    step.list = sim->changes.shift[sim->end.ender] != 0;
    return hk_moment_of(sim, HK_MOMENT_STEP, sim->end.ender, step);
}

hk_tick hk_part_last(const hk_sim *sim) {
    HK_ASSERT(sim && sim->part);
    const hk_sim_end *e = &sim->end;
    bool by_itself =
        e->ended &&
        (e->alike || e->ender != HK_MAP_NONE ||
         (e->reason && (e->reason == e->asked_reason || e->reason == e->finish_reason)));
    return by_itself ? hk_sim_end_moment(sim).tick : HK_MOMENT_INITIAL;
}

void hk_sim_over(hk_sim *sim, bool in_order) {
    HK_ASSERT(sim && sim->part);
    if (in_order && sim->status == HK_E_NODE_LOST)
        sim->status = HK_OK;
    else if (!in_order && sim->status == HK_OK)
        sim->status = HK_E_NODE_LOST;
}
