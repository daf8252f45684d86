/* SPDX-License-Identifier: MIT
 *
 * The block: every number of the engine that changes during a run lies in one piece of memory, so
 * that saving and restoring is one copy. Offsets are dealt out first, pointers follow when the size
 * is known. Values of one bulk call lie together, and those of one cell next to each other. */
#include "engine/bind_stages.h"

#include <string.h>

static size_t take(hk_sim *sim, size_t bytes, size_t align) {
    size_t at = (sim->memory.block_size + align - 1) / align * align;
    sim->memory.block_size = at + bytes;
    return at;
}

/* The engine wants all calls of a component in one cell: a program made from a plan is like that.
 */
static void take_members(hk_sim *sim, const hk_program_cell *from, hk_cell *to) {
    uint32_t *members = HK_NEW_ARRAY(sim->arena, uint32_t, from->steps.count);
    for (size_t m = 0; m < from->steps.count; m++)
        if (!hk_is_away(sim->part, from->steps.all[m].component))
            members[to->member_count++] = from->steps.all[m].component;
    to->members = members;
}

hk_cell *hk_layout_cells(hk_sim *sim, const hk_program *program) {
    HK_ASSERT(sim && program);
    hk_cell *cells = HK_NEW_ARRAY(sim->arena, hk_cell, program->cell_count);
    for (size_t i = 0; i < program->cell_count; i++) {
        cells[i] = (hk_cell){.level = program->cells[i].level, .rate = program->cells[i].rate};
        take_members(sim, &program->cells[i], &cells[i]);
    }
    hk_gates_make(sim, program->plan, cells, program->cell_count);
    return cells;
}

/* Rate by rate: each has its cells one after the other. */
void hk_layout_use(hk_sim *sim, hk_cell *cells, size_t count) {
    HK_ASSERT(sim);
    uint32_t next = 0;
    sim->loop.cells = cells;
    sim->loop.cell_count = count;
    for (uint32_t r = 0; r < sim->loop.rate_count; r++) {
        sim->loop.rates[r].cells.begin = next;
        while (next < count && cells[next].rate == r)
            next++;
        sim->loop.rates[r].cells.end = next;
    }
    HK_ASSERT(next == count); /* by rate */
}

static void make_rates(hk_sim *sim) {
    const hk_plan *plan = sim->plan;
    sim->loop.rates = HK_NEW_ARRAY(sim->arena, hk_rate_state, plan->rate_count);
    sim->loop.rate_count = plan->rate_count;
    for (size_t r = 0; r < plan->rate_count; r++) {
        const hk_rate *rate = &plan->rates[r];
        sim->loop.rates[r] = (hk_rate_state){
            .period = rate->period,
            .span = rate->pattern && rate->pattern->bridged ? 2 * HK_TICK_LIMIT : rate->period,
            .h = hk_tick_seconds(rate->period, plan->ticks_per_second)};
        sim->loop.uneven = sim->loop.uneven || rate->pattern;
    }
}

/* The order of the ports of one call: numbers that must be finite come first. */
static bool in_call(const hk_sim *sim, const hk_engine_port *p, unsigned use, hk_store store,
                    bool checked) {
    const hk_variable *v = &sim->model->components[p->component].info->variables[p->variable];
    bool must_be_finite = v->causality == HK_OUTPUT;
    return !p->by_address && (p->use & use) && v->store == store && must_be_finite == checked;
}

size_t hk_layout_call(const hk_sim *sim, uint32_t component, unsigned use, hk_store store,
                      uint32_t *ret_ports) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    const hk_sim_instance *inst = &sim->slots.instances[component];
    size_t n = 0;
    for (int checked = 1; checked >= 0; checked--)
        for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++)
            if (in_call(sim, &sim->slots.ports[i], use, store, checked))
                ret_ports[n++] = i;
    return n;
}

static void place_values(hk_sim *sim, uint32_t component, unsigned use, uint32_t *scratch) {
    for (int store = 0; store < HK_STORE_COUNT; store++) {
        size_t n = hk_layout_call(sim, component, use, (hk_store)store, scratch);
        if (n && hk_store_size((hk_store)store) < 8)
            take(sim, 0, 8);
        for (size_t i = 0; i < n; i++) {
            hk_engine_port *p = &sim->slots.ports[scratch[i]];
            size_t align = hk_store_size((hk_store)store);
            p->offset = take(sim, p->bytes, align > 8 ? 8 : align);
        }
    }
}

static void place_history(hk_sim *sim, uint32_t component) {
    hk_sim_instance *inst = &sim->slots.instances[component];
    hk_history *past = &inst->past;
    int64_t depth = sim->program->depth[component];
    bool looked_at = sim->rows.sink.row_begin || sim->options.observed_count ||
                     (sim->options.stop_when_count && sim->plan->components[component].pattern);
    int64_t rows = looked_at ? hk_rows_depth(sim, component) : 0;
    depth = rows > depth ? rows : depth;
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        hk_engine_port *p = &sim->slots.ports[i];
        if (!(p->use & USE_HISTORY))
            continue;
        past->frames = (uint32_t)depth + 1;
        p->frame_offset = past->frame_size;
        past->frame_size += (p->bytes + 7) / 8 * 8;
        const hk_variable *v = &inst->unit->info->variables[p->variable];
        p->frame_blob = past->blobs_per_frame;
        if (v->store == HK_STORE_BYTES)
            past->blobs_per_frame += (uint32_t)v->count;
    }
    if (!past->frames)
        return;
    past->period = sim->plan->components[component].period;
    past->pattern = sim->plan->components[component].pattern;
    past->blob = hk_blobs_reserve(sim, (size_t)past->blobs_per_frame * past->frames);
    past->head_offset = take(sim, sizeof *past->head, 8);
    past->ticks_offset = take(sim, past->frames * sizeof *past->ticks, 8);
    past->data_offset = take(sim, past->frames * past->frame_size, 8);
}

static void set_pointers(hk_sim *sim) {
    for (size_t i = 0; i < sim->slots.port_count; i++)
        if (!sim->slots.ports[i].by_address)
            sim->slots.ports[i].address = sim->memory.block + sim->slots.ports[i].offset;
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_history *past = &sim->slots.instances[c].past;
        if (!past->frames)
            continue;
        past->head = (uint32_t *)(void *)(sim->memory.block + past->head_offset);
        past->ticks = (hk_tick *)(void *)(sim->memory.block + past->ticks_offset);
        past->data = sim->memory.block + past->data_offset;
    }
}

void hk_layout_make(hk_sim *sim) {
    HK_ASSERT(sim);
    size_t components = sim->model->component_count;
    make_rates(sim);
    hk_layout_use(sim, sim->changes.orders[sim->changes.order].cells,
                  sim->changes.orders[sim->changes.order].cell_count);
    size_t all_cells = 0;
    for (size_t i = 0; i < sim->changes.order_count; i++)
        all_cells += sim->changes.orders[i].cell_count;
    uint32_t *scratch = hk_alloc((sim->slots.port_count + 1) * sizeof *scratch);
    for (size_t i = 0; i < sim->loop.cell_count; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        for (uint32_t m = 0; m < c->member_count; m++)
            place_values(sim, c->members[m], USE_EVERY, scratch);
        for (uint32_t m = 0; m < c->member_count; m++)
            place_values(sim, c->members[m], USE_ROW, scratch);
        for (uint32_t m = 0; m < c->member_count; m++)
            place_values(sim, c->members[m], USE_IN, scratch);
    }
    for (uint32_t c = 0; c < components; c++) {
        if (hk_is_away(sim->part, c))
            place_values(sim, c, USE_EVERY | USE_ROW | USE_IN, scratch);
        place_values(sim, c, USE_STATIC, scratch);
        place_history(sim, c);
    }
    hk_free(scratch);
    size_t slopes = take(sim, sim->model->connection_count * sizeof(hk_slope), 8);
    size_t lasts = take(sim, all_cells * sizeof(hk_tick), 8);
    size_t nexts = take(sim, sim->loop.rate_count * sizeof(hk_tick), 8);
    size_t clocks = take(sim, 2 * sizeof(hk_tick), 8);
    size_t shifts = take(sim, components * sizeof(hk_tick), 8);
    size_t stopped = take(sim, components * sizeof(hk_tick), 8);
    size_t actives = take(sim, components * sizeof(bool), 8);
    sim->memory.block = hk_alloc(sim->memory.block_size);
    set_pointers(sim);
    sim->slots.slopes = (hk_slope *)(void *)(sim->memory.block + slopes);
    sim->loop.rate_next = (hk_tick *)(void *)(sim->memory.block + nexts);
    sim->time.clock = (hk_tick *)(void *)(sim->memory.block + clocks);
    sim->rows.next = sim->time.clock + 1;
    sim->changes.shift = (hk_tick *)(void *)(sim->memory.block + shifts);
    sim->changes.stopped_at = (hk_tick *)(void *)(sim->memory.block + stopped);
    sim->changes.active = (bool *)(void *)(sim->memory.block + actives);
    for (size_t c = 0; c < components; c++)
        sim->changes.active[c] = true;
    for (size_t k = 0; k < sim->model->connection_count; k++)
        sim->slots.slopes[k].newest_tick = sim->slots.slopes[k].before_tick = TICK_INITIAL;
    hk_tick *last = (hk_tick *)(void *)(sim->memory.block + lasts);
    for (size_t o = 0; o < sim->changes.order_count; o++)
        for (size_t i = 0; i < sim->changes.orders[o].cell_count; i++) {
            sim->changes.orders[o].cells[i].last = last;
            *last++ = TICK_INITIAL;
        }
    for (size_t i = 0; i < sim->loop.cell_count; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        for (uint32_t m = 0; m < c->member_count; m++)
            sim->slots.instances[c->members[m]].last =
                sim->slots.instances[c->members[m]].cell_last = c->last;
    }
}
