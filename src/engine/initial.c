/* SPDX-License-Identifier: MIT
 *
 * Initialisation: settings, initialization mode, the exchange of initial values in the order of the
 * plan, and the values with which the run starts. */
#include "engine/build.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static hk_status apply_presets(hk_sim *sim) {
    for (size_t i = 0; i < sim->options.preset_count; i++)
        for (size_t k = 0; k < sim->options.preset[i].count; k++) {
            const hk_action *a = &sim->options.preset[i].all[k];
            if (a->kind != HK_ACTION_SET)
                continue;
            hk_unit *unit = sim->instances[a->component].unit;
            const op what = {"the setting of a start value", a->component};
            hk_at(&sim->self, &what);
            HK_TRY(unit->unit_class->set_start(sim->ctx, unit, a->variable, &a->value));
            hk_at(&sim->self, NULL);
        }
    return HK_OK;
}

static hk_status apply_settings(hk_sim *sim) {
    for (size_t c = 0; c < sim->model->component_count; c++) {
        const hk_component *component = &sim->model->components[c];
        hk_unit *unit = sim->instances[c].unit;
        for (size_t i = 0; i < component->setting_count; i++) {
            const hk_setting *s = &component->settings[i];
            const op what = {"the setting of a start value", (uint32_t)c};
            hk_at(&sim->self, &what);
            HK_TRY(unit->unit_class->set_start(sim->ctx, unit, s->variable, &s->value));
            hk_at(&sim->self, NULL);
        }
    }
    return HK_OK;
}

/* One end of a connection, with all that is needed to read or write it. */
typedef struct end {
    const port *port;
    instance *inst;
    bool input;
    exchange x;     /* unless by address */
    general_copy g; /* inputs */
    double *before; /* inputs in a loop: the numbers of the last pass */
} end;

static hk_status prepare_end(hk_sim *sim, const hk_init_node *node, end *e) {
    *e = (end){.port = hk_sim_port(sim, node->component, node->variable),
               .inst = &sim->instances[node->component],
               .input = node->connection != HK_MAP_NONE};
    hk_unit *unit = e->inst->unit;
    if (e->input) {
        e->g = hk_wiring_general(sim, node->connection);
        e->g.past = false;
        e->g.slope = NULL;
        if (e->g.initial)
            e->g.from = e->g.initial;
    }
    if (e->port->by_address)
        return HK_OK;
    e->x.what.component = node->component;
    uint32_t variable = node->variable;
    hk_status status = e->input ? unit->unit_class->bind_set(sim->ctx, unit, &variable, 1,
                                                             e->port->address, &e->x.call)
                                : unit->unit_class->bind_get(sim->ctx, unit, &variable, 1,
                                                             e->port->address, &e->x.call);
    e->x.what.name = e->x.call.name;
    return status;
}

static hk_status call_end(hk_sim *sim, end *e) {
    if (e->port->by_address)
        return HK_OK;
    hk_at(&sim->self, &e->x.what);
    int code = hk_exchange_call(&e->x);
    hk_at(&sim->self, NULL);
    if (hk_unit_bad(code)) {
        hk_fail_call(sim, &e->x, code);
        return sim->status;
    }
    return HK_OK;
}

static hk_status refresh(hk_sim *sim, instance *inst) {
    const hk_unit_class *unit_class = inst->unit->unit_class;
    return unit_class->refresh ? unit_class->refresh(sim->ctx, inst->unit, sim->seconds) : HK_OK;
}

static hk_status write_end(hk_sim *sim, end *e) {
    if (!hk_copy_general(sim, &e->g) && !hk_fail_copy(sim, &e->g))
        return sim->status;
    if (sim->trace)
        hk_trace_initial(sim, e->port, false);
    return call_end(sim, e);
}

static hk_status read_end(hk_sim *sim, end *e) {
    HK_TRY(refresh(sim, e->inst));
    HK_TRY(call_end(sim, e));
    const hk_variable *v = &e->inst->unit->info->variables[e->port->variable];
    if (!e->port->by_address && v->store == HK_STORE_BYTES)
        for (size_t i = 0; i < v->count; i++) {
            hk_bytes *value = (hk_bytes *)e->port->address + i;
            blob *b = &sim->blobs[e->port->blob + i];
            hk_blob_assign(b, *value);
            *value = (hk_bytes){b->data, b->size};
        }
    if (sim->trace)
        hk_trace_initial(sim, e->port, true);
    return HK_OK;
}

static hk_status pass(hk_sim *sim, end *ends, size_t count) {
    for (size_t i = 0; i < count; i++)
        HK_TRY(ends[i].input ? write_end(sim, &ends[i]) : read_end(sim, &ends[i]));
    return HK_OK;
}

/* The largest change of a number since the last pass, relative to 1 + its size. */
static double change(end *ends, size_t count, const end **ret_worst) {
    double most = 0;
    *ret_worst = &ends[0];
    for (size_t i = 0; i < count; i++) {
        end *e = &ends[i];
        size_t size = hk_store_size(e->g.to_store);
        for (size_t k = 0; e->before && k < e->g.count; k++) {
            double now = 0; /* a store of numbers always fits */
            hk_value_convert(HK_STORE_F64, &now, e->g.to_store,
                             (const char *)e->port->address + k * size, 1);
            double moved = fabs(now - e->before[k]) / (1 + fabs(now));
            moved = isnan(moved) ? (double)INFINITY : moved;
            if (moved > most) {
                most = moved;
                *ret_worst = e;
            }
            e->before[k] = now;
        }
    }
    return most;
}

static hk_status explain_loop(hk_sim *sim, const end *ends, size_t count, const end *worst,
                              double residual) {
    const char *names = "";
    size_t listed = 0;
    for (size_t i = 0; i < count && listed < 6; i++)
        if (ends[i].input)
            names = hk_arena_printf(
                sim->arena, "%s%s%s", names, listed++ ? ", " : "",
                hk_connection_name(sim->model, &sim->model->connections[ends[i].g.connection]));
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(residual, text)] = '\0';
    const hk_component *c = &sim->model->components[worst->port->component];
    return hk_error(
        sim->ctx, HK_E_INIT_LOOP, (hk_where){.file = sim->model->file},
        "give better start values, declare the dependencies of the outputs, or give one "
        "of the connections an initial value of its own",
        "initial values do not settle in the loop %s: '%s.%s' still changes by %s "
        "(relative)",
        names, c->name, c->info->variables[worst->port->variable].name, text);
}

static hk_status iterate(hk_sim *sim, end *ends, size_t count) {
    double tolerance = sim->options.init_tolerance > 0 ? sim->options.init_tolerance : 1e-9;
    int limit = sim->options.init_iterations > 0 ? sim->options.init_iterations : 100;
    const end *worst = NULL;
    double residual = 0;
    for (size_t i = 0; i < count; i++)
        if (ends[i].input && ends[i].g.to_store != HK_STORE_BYTES)
            ends[i].before = HK_NEW_ARRAY(sim->arena, double, ends[i].g.count);
    for (int i = 0; i < limit; i++) {
        HK_TRY(pass(sim, ends, count));
        residual = change(ends, count, &worst);
        if (i > 0 && residual <= tolerance)
            return HK_OK;
    }
    return explain_loop(sim, ends, count, worst, residual);
}

/* Connections with an initial value of their own take part in no order. */
static hk_status write_own_initials(hk_sim *sim) {
    for (size_t i = 0; i < sim->model->connection_count; i++) {
        const hk_connection *k = &sim->model->connections[i];
        if (!k->initial.data)
            continue;
        end e;
        HK_TRY(prepare_end(sim, &(hk_init_node){k->to_component, k->to_variable, (uint32_t)i}, &e));
        HK_TRY(write_end(sim, &e));
    }
    return HK_OK;
}

static hk_status exchange_initial_values(hk_sim *sim) {
    const hk_plan *plan = sim->plan;
    HK_TRY(write_own_initials(sim));
    size_t begin = 0;
    hk_status status = HK_OK;
    end *ends = NULL;
    size_t cap = 0;
    for (size_t g = 0; g < plan->init_group_count && status == HK_OK; g++) {
        size_t count = plan->init_group_end[g] - begin;
        if (count > cap) {
            cap = count;
            ends = hk_realloc(ends, cap * sizeof *ends);
        }
        for (size_t i = 0; i < count && status == HK_OK; i++)
            status = prepare_end(sim, &plan->init_nodes[begin + i], &ends[i]);
        if (status == HK_OK)
            status = count == 1 ? pass(sim, ends, 1) : iterate(sim, ends, count);
        begin = plan->init_group_end[g];
    }
    hk_free(ends);
    return status;
}

static hk_status read_calls(hk_sim *sim, const exchange *begin, const exchange *last) {
    for (const exchange *x = begin; x < last; x++) {
        hk_at(&sim->self, &x->what);
        int code = hk_exchange_call(x);
        if (hk_unit_bad(code) && !hk_fail_call(sim, x, code))
            return sim->status;
        hk_texts_keep(sim, x->texts);
        if (sim->trace)
            hk_trace_exchange(sim, &sim->self, x, true);
    }
    hk_at(&sim->self, NULL);
    return HK_OK;
}

/* Reads everything once, so that slots, histories and the first row hold what the run starts with.
 */
hk_status hk_sim_read_all(hk_sim *sim) {
    for (size_t i = 0; i < sim->cell_count; i++) {
        const cell *c = &sim->cells[i];
        HK_TRY(read_calls(sim, c->gets, c->gets_end));
        HK_TRY(read_calls(sim, c->text_gets, c->text_gets_end));
        HK_TRY(read_calls(sim, c->row_gets, c->row_gets_end));
        if (sim->trace)
            hk_trace_memory(sim, &sim->self, c, true);
        if (!hk_finite_cell(c) && !hk_fail_not_finite(sim, c))
            return sim->status;
    }
    return read_calls(sim, sim->once, sim->once + sim->once_count);
}

static void start_histories(hk_sim *sim) {
    for (size_t c = 0; c < sim->model->component_count; c++) {
        history *past = &sim->instances[c].past;
        if (!past->frames)
            continue;
        for (uint32_t f = 0; f < past->frames; f++)
            hk_history_push(sim, &sim->instances[c], TICK_INITIAL);
    }
}

static void start_clocks(hk_sim *sim) {
    *sim->row_next = sim->options.sink.row_begin ? sim->plan->start : HK_TICK_NEVER;
    *sim->clock = *sim->row_next;
    for (size_t r = 0; r < sim->rate_count; r++) {
        sim->rate_next[r] = sim->plan->start + sim->plan->rates[r].offset;
        if (sim->rate_next[r] < *sim->clock)
            *sim->clock = sim->rate_next[r];
    }
}

hk_status hk_sim_initialize(hk_sim *sim) {
    sim->now = sim->plan->start;
    hk_set_seconds(sim, hk_tick_seconds(sim->plan->start, sim->plan->ticks_per_second));
    HK_TRY(apply_settings(sim));
    HK_TRY(apply_presets(sim));
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_unit *unit = sim->instances[c].unit;
        const op what = {"the entry to initialization mode", (uint32_t)c};
        hk_at(&sim->self, &what);
        HK_TRY(unit->unit_class->enter_init(sim->ctx, unit));
        hk_look_around(sim, &what);
        hk_at(&sim->self, NULL);
    }
    hk_trace_mode(sim, true);
    HK_TRY(exchange_initial_values(sim));
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_unit *unit = sim->instances[c].unit;
        const op what = {"the exit from initialization mode", (uint32_t)c};
        hk_at(&sim->self, &what);
        HK_TRY(refresh(sim, &sim->instances[c]));
        HK_TRY(unit->unit_class->exit_init(sim->ctx, unit));
        hk_look_around(sim, &what);
        hk_at(&sim->self, NULL);
    }
    hk_trace_mode(sim, false);
    HK_TRY(hk_sim_read_all(sim));
    hk_trace_mode(sim, false);
    start_histories(sim);
    start_clocks(sim);
    return HK_OK;
}
