/* SPDX-License-Identifier: MIT
 *
 * A simulation of which only some components run here: which flows it has, where their values lie,
 * and who waits for which of them. */
#include "engine/part.h"

#include "engine/away.h"
#include "engine/sim_parts.h"

#include <string.h>

/* ---- making ---- */

static hk_signal *gather(const hk_sim_options *o, size_t *ret_rows, size_t *ret_everywhere) {
    size_t rows = 0, all = o->observed_count + o->stop_when_count;
    for (size_t i = 0; i < o->listener_count; i++)
        all += o->listeners[i].column_count;
    hk_signal *signals = hk_alloc((all + 1) * sizeof *signals);
    for (size_t i = 0; i < o->listener_count; i++)
        for (size_t k = 0; k < o->listeners[i].column_count; k++)
            signals[rows++] = (hk_signal){o->listeners[i].columns[k].component,
                                          o->listeners[i].columns[k].variable, 0, NULL};
    size_t n = rows;
    for (size_t i = 0; i < o->observed_count; i++)
        signals[n++] = o->observed[i];
    for (size_t i = 0; i < o->stop_when_count; i++)
        signals[n++] = (hk_signal){o->stop_when[i].component, o->stop_when[i].variable, 0, NULL};
    *ret_rows = rows;
    *ret_everywhere = n - rows;
    return signals;
}

hk_status hk_part_flows(hk_ctx *ctx, const hk_plan *plan, const hk_placement *placement,
                        const hk_sim_options *options, hk_plan_flows **ret_flows) {
    HK_ASSERT(ctx && plan && placement && options && ret_flows);
    size_t rows = 0, everywhere = 0;
    hk_signal *signals = gather(options, &rows, &everywhere);
    hk_looks looks = {signals, rows, signals + rows, everywhere};
    hk_status status = hk_plan_flows_make(ctx, plan, placement, &looks, ret_flows);
    hk_free(signals);
    return status;
}

void hk_part_make(hk_sim *sim) {
    HK_ASSERT(sim);
    const hk_sim_part *part = sim->options.part;
    if (!part)
        return;
    HK_ASSERT(part->flows->plan == sim->family);
    HK_ASSERT(part->wire.send && part->wire.peek && part->wire.wait);
    size_t n = sim->model->component_count;
    hk_part_state *p = HK_NEW(sim->arena, hk_part_state);
    p->part = *part;
    p->into = HK_NEW_ARRAY(sim->arena, hk_part_flow *, n);
    p->out = HK_NEW_ARRAY(sim->arena, hk_part_flow *, part->flows->count + 1);
    p->first_out = HK_NEW_ARRAY(sim->arena, uint32_t, n + 1);
    p->last = HK_NEW_ARRAY(sim->arena, hk_tick, n);
    p->libraries = HK_NEW_ARRAY(sim->arena, const char *, n);
    p->covered = HK_NEW_ARRAY(sim->arena, const uint64_t *, n);
    p->tables = HK_NEW_ARRAY(sim->arena, hk_unit *, n);
    size_t out = 0;
    for (uint32_t c = 0; c < n; c++) {
        p->first_out[c] = (uint32_t)out;
        p->last[c] = TICK_INITIAL;
        p->here += part->flows->placement.node_of[c] == part->node;
        for (uint32_t i = part->flows->first[c]; i < part->flows->first[c + 1]; i++) {
            const hk_plan_flow *about = &part->flows->all[i];
            if (about->from != part->node && about->to != part->node)
                continue;
            hk_part_flow *f = HK_NEW(sim->arena, hk_part_flow);
            *f = (hk_part_flow){.about = about, .index = i};
            if (about->from == part->node)
                p->out[out++] = f;
            else
                p->into[c] = f;
        }
    }
    p->first_out[n] = (uint32_t)out;
    sim->part = p;
    if (part->made)
        *part->made = sim;
}

static void bind_ports(hk_sim *sim, hk_part_flow *f) {
    const hk_plan_flow *about = f->about;
    f->ports = HK_NEW_ARRAY(sim->arena, const hk_engine_port *, about->variable_count);
    for (size_t i = 0; i < about->variable_count; i++) {
        f->ports[i] = hk_sim_port(sim, about->component, about->variables[i].variable);
        HK_ASSERT(f->ports[i]); /* all nodes look at the same */
    }
}

/* Adds a look at a component that runs elsewhere; one for each, with the smallest lag. */
static void add_gate(hk_sim *sim, hk_gate *gates, size_t *count, uint32_t component, hk_tick lag) {
    hk_part_flow *flow = sim->part->into[component];
    if (!flow || !flow->about->moves)
        return;
    for (size_t i = 0; i < *count; i++)
        if (gates[i].flow == flow) {
            gates[i].lag = lag < gates[i].lag ? lag : gates[i].lag;
            return;
        }
    gates[(*count)++] = (hk_gate){.flow = flow, .lag = lag};
}

/* A look at what a row of this instant would show, before anything happens in it. */
static void add_look(hk_sim *sim, uint32_t component) {
    hk_part_state *p = sim->part;
    hk_tick lag = hk_rows_lag(sim, component);
    add_gate(sim, p->looks, &p->look_count, component, lag > 0 ? lag : 1);
}

/* A row is written when all that was executed before it is known to have gone well; if it shows
 * what the instant itself makes, that too. So a failure leaves the rows that it leaves on one node.
 */
void hk_part_bind_rows(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    if (!p)
        return;
    size_t n = sim->model->component_count;
    p->rows_before = HK_NEW_ARRAY(sim->arena, hk_gate, n);
    p->rows_after = HK_NEW_ARRAY(sim->arena, hk_gate, n);
    p->looks = HK_NEW_ARRAY(sim->arena, hk_gate, n);
    for (size_t i = 0; i < sim->options.observed_count; i++)
        add_look(sim, sim->options.observed[i].component);
    for (size_t i = 0; i < sim->options.stop_when_count; i++)
        add_look(sim, sim->options.stop_when[i].component);
    if (p->look_count)
        sim->listening.hook_next = sim->plan->start;
    if (!hk_part_records(p))
        return;
    bool settled = true;
    for (size_t i = 0; i < sim->rows.part_count; i++)
        settled = settled && sim->rows.parts[i].settled;
    for (uint32_t c = 0; c < n; c++) {
        add_gate(sim, p->rows_before, &p->rows_before_count, c, 1);
        if (!settled)
            add_gate(sim, p->rows_after, &p->rows_after_count, c, 0);
    }
}

void hk_part_bind(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    if (!p)
        return;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        if (p->into[c])
            bind_ports(sim, p->into[c]);
        for (uint32_t i = p->first_out[c]; i < p->first_out[c + 1]; i++)
            bind_ports(sim, p->out[i]);
        if (hk_is_away(p, c))
            sim->slots.instances[c].last = sim->slots.instances[c].cell_last = &p->last[c];
    }
}

void hk_part_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    for (uint32_t i = 0; p && i < p->first_out[sim->model->component_count]; i++)
        hk_free(p->out[i]->packed.data);
    for (uint32_t c = 0; p && c < sim->model->component_count; c++)
        if (p->tables[c])
            p->tables[c]->unit_class->close(p->tables[c]);
    if (p)
        hk_free(p->tallies.data);
}

hk_status hk_part_table(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim && hk_is_away(sim->part, component));
    const hk_info *info = sim->model->components[component].info;
    const hk_unit_class *k = info->unit_class;
    const hk_sim_instance *inst = &sim->slots.instances[component];
    hk_unit **unit = &sim->part->tables[component];
    HK_ASSERT(info->can.only_feeds && k->address && k->refresh);
    const hk_unit_options options = {.name = inst->unit->name, .now = &sim->time.seconds};
    if (!*unit)
        HK_TRY(k->open(sim->ctx, info, &options, unit));
    HK_TRY(k->refresh(sim->ctx, *unit, sim->time.seconds));
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        memcpy(p->address, k->address(*unit, p->variable), p->bytes);
    }
    return HK_OK;
}

/* ---- gates of cells ---- */

typedef struct gate_lists {
    const hk_cell *cells;
    size_t count;
    hk_gate **gates; /* per cell; NULL: none yet */
    size_t *made;
} gate_lists;

/* A step of an FMU may end the run, now or when the step does. The recorder waits for each where it
 * is its turn, in the order of steps, so that it finds that out where a run on one node does. */
static void await_ends(hk_sim *sim, const hk_plan *plan, const gate_lists *to) {
    for (unsigned shape = 0; shape < HK_STEP_SHAPES; shape++)
        for (uint32_t c = 0; c < sim->model->component_count; c++) {
            const hk_plan_component *x = &plan->components[c];
            size_t i = 0;
            if (sim->model->components[c].info->can.fmi < HK_FMI_ENDS ||
                hk_moment_step_shape(sim, c) != shape)
                continue;
            while (i < to->count &&
                   (to->cells[i].rate != x->rate || to->cells[i].level != x->level))
                i++;
            if (i == to->count)
                continue; /* it is never activated */
            if (!to->gates[i])
                to->gates[i] = HK_NEW_ARRAY(sim->arena, hk_gate, sim->model->component_count);
            size_t before = to->made[i];
            add_gate(sim, to->gates[i], &to->made[i], c, 0);
            for (size_t k = before; k < to->made[i]; k++)
                to->gates[i][k].ends = true;
        }
}

void hk_gates_make(hk_sim *sim, const hk_plan *plan, hk_cell *cells, size_t count) {
    HK_ASSERT(sim && plan);
    hk_part_state *p = sim->part;
    if (!p)
        return;
    const hk_model *model = sim->model;
    uint32_t *cell_of = hk_alloc((model->component_count + 1) * sizeof *cell_of);
    hk_gate **gates = hk_alloc((count + 1) * sizeof *gates);
    size_t *made = hk_alloc((count + 1) * sizeof *made);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < cells[i].member_count; m++) {
            uint32_t c = cells[i].members[m];
            cell_of[c] = i;
            cells[i].sends = cells[i].sends || p->first_out[c] < p->first_out[c + 1];
        }
    for (size_t k = 0; k < model->connection_count; k++) {
        const hk_connection *x = &model->connections[k];
        if (!hk_is_away(p, x->from_component) || hk_is_away(p, x->to_component))
            continue;
        uint32_t i = cell_of[x->to_component];
        if (!gates[i])
            gates[i] = HK_NEW_ARRAY(sim->arena, hk_gate, model->component_count);
        add_gate(sim, gates[i], &made[i], x->from_component, plan->connections[k].lag);
    }
    if (hk_part_records(p))
        await_ends(sim, plan, &(gate_lists){cells, count, gates, made});
    for (size_t i = 0; i < count; i++) {
        cells[i].gates = gates[i];
        cells[i].gates_end = HK_AT(gates[i], made[i]);
    }
    hk_free(made);
    hk_free(gates);
    hk_free(cell_of);
}
