/* SPDX-License-Identifier: MIT
 *
 * Initialisation: settings, initialization mode, the exchange of initial values in the order of the
 * plan, and the values with which the run starts. */
#include "engine/initialize.h"
#include "engine/bind_stages.h"
#include "engine/failures.h"
#include "engine/monitor.h"
#include "engine/phase.h"
#include "engine/tokens.h"
#include "engine/trace.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static hk_status apply_presets(hk_sim *sim) {
    uint64_t place = 0;
    for (size_t i = 0; i < sim->options.preset_count; i++)
        for (size_t k = 0; k < sim->options.preset[i].count; k++) {
            const hk_action *a = &sim->options.preset[i].all[k];
            if (a->kind != HK_ACTION_SET)
                continue;
            hk_unit *unit = sim->slots.instances[a->component].unit;
            const hk_op what = {"the setting of a start value", a->component};
            hk_part_stage(sim->part, HK_STAGE_PRESET, place++);
            if (sim->trace)
                hk_trace_start(sim, a->component, a->variable, &a->value);
            hk_call_begin(sim, &what);
            HK_TRY(unit->unit_class->set_start(sim->ctx, unit, a->variable, &a->value));
            hk_call_end(sim);
        }
    return HK_OK;
}

static hk_status apply_settings(hk_sim *sim) {
    for (size_t c = 0; c < sim->model->component_count; c++) {
        const hk_component *component = &sim->model->components[c];
        hk_unit *unit = sim->slots.instances[c].unit;
        for (size_t i = 0; i < component->setting_count; i++) {
            const hk_setting *s = &component->settings[i];
            const hk_op what = {"the setting of a start value", (uint32_t)c};
            hk_part_stage(sim->part, HK_STAGE_START, c);
            if (sim->trace)
                hk_trace_start(sim, (uint32_t)c, s->variable, &s->value);
            hk_call_begin(sim, &what);
            HK_TRY(unit->unit_class->set_start(sim->ctx, unit, s->variable, &s->value));
            hk_call_end(sim);
        }
    }
    return HK_OK;
}

hk_value hk_start_value(const hk_sim *sim, uint32_t component, uint32_t variable) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    HK_ASSERT(variable < sim->model->components[component].info->variable_count);
    const hk_component *c = &sim->model->components[component];
    hk_value value = c->info->variables[variable].start;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable)
            value = c->settings[i].value;
    for (size_t i = 0; i < sim->options.preset_count; i++)
        for (size_t k = 0; k < sim->options.preset[i].count; k++) {
            const hk_action *a = &sim->options.preset[i].all[k];
            if (a->kind == HK_ACTION_SET && a->component == component && a->variable == variable)
                value = a->value;
        }
    return value;
}

/* Takes the texts of a port into memory of ours. */
static void own_texts(hk_sim *sim, const hk_engine_port *p) {
    for (size_t i = 0; i < p->bytes / sizeof(hk_bytes); i++) {
        hk_bytes *value = (hk_bytes *)p->address + i;
        hk_blob *b = &sim->memory.blobs[p->blob + i];
        hk_blob_assign(b, *value);
        *value = (hk_bytes){b->data, b->size};
    }
}

/* Arrays are set as a whole, so the elements that nothing drives must be there beside the others.
 */
static void fill_undriven(hk_sim *sim) {
    bool *filled = hk_alloc(sim->slots.port_count + 1);
    for (size_t i = 0; i < sim->model->connection_count; i++) {
        const hk_connection *k = &sim->model->connections[i];
        const hk_engine_port *p = hk_sim_port(sim, k->to_component, k->to_variable);
        if (!k->to_slice.count || filled[p - sim->slots.ports])
            continue;
        filled[p - sim->slots.ports] = true;
        const hk_variable *v = &sim->model->components[p->component].info->variables[p->variable];
        hk_value start = hk_start_value(sim, p->component, p->variable);
        if (!p->by_address && start.data)
            HK_ASSERT(hk_value_convert(v->store, p->address, hk_store_of(start.type), start.data,
                                       v->count));
        if (v->store == HK_STORE_BYTES)
            own_texts(sim, p);
    }
    hk_free(filled);
}

/* One end of a connection, with all that is needed to read or write it. */
typedef struct end {
    const hk_engine_port *port;
    hk_sim_instance *inst;
    bool input;
    int code;           /* what the last call returned */
    hk_exchange x;      /* unless by address */
    hk_general_copy g;  /* inputs */
    double *before;     /* inputs in a loop: the numbers of the last pass */
    hk_initial_due due; /* what the monitor wants to see of it */
} end;

static hk_status prepare_end(hk_sim *sim, const hk_init_node *node, end *e) {
    *e = (end){.port = hk_sim_port(sim, node->component, node->variable),
               .inst = &sim->slots.instances[node->component],
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
        return hk_initial_prove(sim, node, NULL, &e->due);
    e->x.what.component = node->component;
    uint32_t variable = node->variable;
    hk_status status = e->input ? unit->unit_class->bind_set(sim->ctx, unit, &variable, 1,
                                                             e->port->address, &e->x.call)
                                : unit->unit_class->bind_get(sim->ctx, unit, &variable, 1,
                                                             e->port->address, &e->x.call);
    e->x.what.name = e->x.call.name;
    return status == HK_OK ? hk_initial_prove(sim, node, &e->x.call, &e->due) : status;
}

static hk_status call_end(hk_sim *sim, end *e) {
    if (e->port->by_address)
        return HK_OK;
    const hk_call *c = &e->x.call;
    HK_TRY(hk_may(sim, e->x.what.component, e->input ? HK_UNIT_SET : HK_UNIT_GET, false));
    hk_initial_made(sim, hk_token((uintptr_t)c->fn.refs, c->self, c->values));
    hk_call_begin(sim, &e->x.what);
    int code = hk_exchange_call(&e->x);
    hk_call_end(sim);
    e->code = code;
    if (sim->trace && e->input && code != HK_UNIT_OK)
        hk_trace_status(sim, &sim->threads.self, code, hk_unit_bad(code));
    if (hk_unit_bad(code)) {
        if (sim->trace && !e->input)
            hk_trace_initial(sim, e->port, true, code);
        hk_fail_call(sim, &e->x.what, code);
        return sim->status;
    }
    return HK_OK;
}

static hk_status refresh(hk_sim *sim, hk_sim_instance *inst) {
    const hk_unit_class *unit_class = inst->unit->unit_class;
    if (!unit_class->refresh)
        return HK_OK;
    const hk_op what = {"initialization", (uint32_t)(inst - sim->slots.instances)};
    hk_call_begin(sim, &what);
    hk_status status = unit_class->refresh(sim->ctx, inst->unit, sim->time.seconds);
    hk_call_end(sim);
    return status;
}

/* Who is about to be read may call others: these know the inputs that they have by now. */
static hk_status refresh_providers(hk_sim *sim, const hk_sim_instance *inst) {
    for (uint32_t i = 0; i < sim->plan->dependency_count; i++) {
        const hk_plan_dependency *d = &sim->plan->dependencies[i];
        if (d->to == (uint32_t)(inst - sim->slots.instances))
            HK_TRY(refresh(sim, &sim->slots.instances[d->from]));
    }
    return HK_OK;
}

static const void *own_value(const hk_sim *sim, const end *e) {
    return sim->model->connections[e->g.connection].initial.data;
}

static hk_status write_end(hk_sim *sim, end *e) {
    SEAM(initial_write, sim, e);
    bool own = e->g.from == e->g.initial; /* of the connection, which keeps it in another place */
    hk_initial_made(sim, hk_copy_token(own ? own_value(sim, e) : e->g.from, e->g.to));
    if (!hk_copy_general(sim, &e->g) && !hk_fail_copy(sim, &e->g))
        return sim->status;
    if (sim->trace)
        hk_trace_initial(sim, e->port, false, HK_UNIT_OK);
    return call_end(sim, e);
}

static hk_status read_end(hk_sim *sim, end *e) {
    HK_TRY(refresh_providers(sim, e->inst));
    HK_TRY(refresh(sim, e->inst));
    HK_TRY(call_end(sim, e));
    const hk_variable *v = &e->inst->unit->info->variables[e->port->variable];
    bool away = hk_is_away(sim->part, e->port->component); /* its texts are ours by now */
    if (!e->port->by_address && v->store == HK_STORE_BYTES && !away)
        own_texts(sim, e->port);
    if (sim->trace)
        hk_trace_initial(sim, e->port, true, e->code);
    return HK_OK;
}

/* Other nodes see what came of a loop, and none of the ways there. */
static hk_status publish_made(hk_sim *sim, const end *ends, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!ends[i].input)
            HK_TRY(hk_part_initial(sim, ends[i].port->component, ends[i].port->variable));
    return HK_OK;
}

/* The monitor looks at what was made of these ends. */
static hk_status check_made(hk_sim *sim, const end *ends, size_t count) {
    for (size_t i = 0; i < count; i++)
        HK_TRY(hk_initial_seen(sim, &ends[i].due));
    return hk_initial_end(sim, &ends[count - 1].due);
}

/* FIRST is the node of the plan that the first end is. */
static hk_status pass(hk_sim *sim, size_t first, end *ends, size_t count) {
    HK_TRY(hk_initial_begin(sim, first, count));
    for (size_t i = 0; i < count; i++) {
        end *e = &ends[i];
        SEAM(initial_end, sim, ends, count, i, e);
        HK_TRY(e->input ? write_end(sim, e) : read_end(sim, e));
    }
    return check_made(sim, ends, count);
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
            hk_value_convert(HK_STORE_F64, &now, e->g.to_store, (const char *)e->g.to + k * size,
                             1);
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

static hk_status iterate(hk_sim *sim, size_t first, end *ends, size_t count) {
    double tolerance =
        sim->options.init_tolerance > 0 ? sim->options.init_tolerance : HK_INIT_TOLERANCE;
    int limit = sim->options.init_iterations > 0 ? sim->options.init_iterations : HK_INIT_LIMIT;
    const end *worst = NULL;
    double residual = 0;
    for (size_t i = 0; i < count; i++)
        if (ends[i].input && ends[i].g.to_store != HK_STORE_BYTES)
            ends[i].before = HK_NEW_ARRAY(sim->arena, double, ends[i].g.count);
    for (int i = 0; i < limit; i++) {
        HK_TRY(pass(sim, first, ends, count));
        residual = change(ends, count, &worst);
        if (i > 0 && residual <= tolerance)
            return HK_OK;
    }
    return explain_loop(sim, ends, count, worst, residual);
}

/* Connections with an initial value of their own take part in no order. */
static hk_status write_own_initials(hk_sim *sim) {
    for (size_t i = 0; i < sim->program->given_count; i++) {
        uint32_t index = sim->program->given[i];
        const hk_connection *k = &sim->model->connections[index];
        end e;
        hk_part_stage(sim->part, HK_STAGE_GIVEN, i);
        HK_TRY(prepare_end(sim, &(hk_init_node){k->to_component, k->to_variable, index}, &e));
        hk_first_gets_begin(sim);
        HK_TRY(write_end(sim, &e));
        HK_TRY(check_made(sim, &e, 1));
    }
    return HK_OK;
}

static hk_status exchange_initial_values(hk_sim *sim) {
    const hk_program *program = sim->program;
    HK_TRY(write_own_initials(sim));
    size_t begin = 0;
    hk_status status = HK_OK;
    end *ends = NULL;
    size_t cap = 0;
    for (size_t g = 0; g < program->init_count && status == HK_OK; g++) {
        size_t count = program->init_end[g] - begin;
        hk_part_stage(sim->part, HK_STAGE_GROUP, g);
        if (count > cap) {
            cap = count;
            ends = hk_realloc(ends, cap * sizeof *ends);
        }
        for (size_t i = 0; i < count && status == HK_OK; i++)
            status = prepare_end(sim, &program->init[begin + i], &ends[i]);
        /* A loop is on one node: the others take what came of it. */
        bool once = count == 1 || hk_is_away(sim->part, program->init[begin].component);
        if (status == HK_OK)
            status = (once ? pass : iterate)(sim, begin, ends, count);
        if (status == HK_OK)
            status = publish_made(sim, ends, count);
        begin = program->init_end[g];
    }
    hk_free(ends);
    return status == HK_OK ? hk_initial_finish(sim) : status;
}

static hk_status read_calls(hk_sim *sim, const hk_exchange *begin, const hk_exchange *last) {
    for (const hk_exchange *x = begin; x < last; x++) {
        SEAM(first_get, sim, x == begin);
        HK_TRY(hk_may(sim, x->what.component, HK_UNIT_GET, false));
        hk_initial_made(sim, hk_token((uintptr_t)x->call.fn.refs, x->call.self, x->call.values));
        hk_call_begin(sim, &x->what);
        int code = hk_exchange_call(x);
        if (sim->trace && hk_unit_bad(code))
            hk_trace_exchange(sim, &sim->threads.self, x, true, code);
        if (hk_unit_bad(code) && !hk_fail_call(sim, &x->what, code))
            return sim->status;
        hk_texts_keep(sim, x->texts);
        if (sim->trace)
            hk_trace_exchange(sim, &sim->threads.self, x, true, code);
    }
    hk_call_end(sim);
    return HK_OK;
}

/* Reads everything once, so that slots, histories and the first row hold what the run starts with.
 */
hk_status hk_sim_read_all(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_first_gets_begin(sim);
    for (size_t i = 0; i < sim->loop.cell_count; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        hk_part_stage(sim->part, HK_STAGE_READ, i);
        HK_TRY(read_calls(sim, c->gets, c->gets_end));
        HK_TRY(read_calls(sim, c->text_gets, c->text_gets_end));
        HK_TRY(read_calls(sim, c->row_gets, c->row_gets_end));
        if (sim->trace)
            hk_trace_memory(sim, &sim->threads.self, c, true);
        if (!hk_finite_cell(c) && !hk_fail_not_finite(sim, c))
            return sim->status;
    }
    hk_part_stage(sim->part, HK_STAGE_ONCE, 0);
    HK_TRY(read_calls(sim, sim->slots.once, HK_AT(sim->slots.once, sim->slots.once_count)));
    return hk_first_gets_end(sim);
}

bool hk_sim_read_component(hk_sim *sim, uint32_t component, bool ends) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    const hk_cell *c = NULL;
    if (hk_is_away(sim->part, component))
        return true;
    for (size_t i = 0; i < sim->loop.cell_count; i++)
        for (uint32_t m = 0; m < sim->loop.cells[i].member_count; m++)
            c = sim->loop.cells[i].members[m] == component ? &sim->loop.cells[i] : c;
    if (!c)
        return true; /* it is never activated */
    const hk_exchange *parts[][2] = {
        {c->gets, c->gets_end}, {c->text_gets, c->text_gets_end}, {c->row_gets, c->row_gets_end}};
    hk_unit *unit = sim->slots.instances[component].unit;
    for (int k = 0; k < 3; k++)
        for (const hk_exchange *x = parts[k][0]; x < parts[k][1]; x++) {
            if (x->what.component != component)
                continue;
            if (hk_may(sim, component, HK_UNIT_GET, false) != HK_OK)
                return false;
            hk_call_begin(sim, &x->what);
            int code = hk_exchange_call(x);
            hk_call_end(sim);
            if (hk_unit_bad(code)) {
                (void)unit->unit_class->call_failed(unit, code);
                return false;
            }
            hk_texts_keep(sim, x->texts);
            if (sim->trace && ends)
                hk_trace_exchange(sim, &sim->threads.self, x, true, code);
        }
    return true;
}

static void start_histories(hk_sim *sim) {
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_history *past = &sim->slots.instances[c].past;
        if (!past->frames)
            continue;
        for (uint32_t f = 0; f < past->frames; f++)
            hk_history_push(sim, &sim->slots.instances[c], TICK_INITIAL);
    }
}

static void start_clocks(hk_sim *sim) {
    *sim->rows.next = sim->rows.sink.row_begin ? sim->plan->start : HK_TICK_NEVER;
    *sim->time.clock = *sim->rows.next;
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        sim->loop.rate_next[r] = sim->plan->start + sim->plan->rates[r].offset;
        if (sim->loop.rate_next[r] < *sim->time.clock)
            *sim->time.clock = sim->loop.rate_next[r];
    }
}

static hk_status initialize(hk_sim *sim) {
    sim->time.now = sim->plan->start;
    HK_TRY(apply_settings(sim));
    HK_TRY(apply_presets(sim));
    fill_undriven(sim);
    for (size_t i = 0; i < sim->model->component_count; i++) {
        uint32_t c = sim->plan->init_order[i];
        hk_unit *unit = sim->slots.instances[c].unit;
        const hk_op what = {"the entry to initialization mode", c};
        hk_part_stage(sim->part, HK_STAGE_ENTER, i);
        hk_call_begin(sim, &what);
        HK_TRY(unit->unit_class->enter_init(sim->ctx, unit));
        hk_look_around(sim, &what);
        hk_call_end(sim);
    }
    hk_trace_mode(sim, true);
    if (sim->part)
        sim->part->initializing = true;
    HK_TRY(exchange_initial_values(sim));
    if (sim->part)
        sim->part->initializing = false;
    for (size_t i = 0; i < sim->model->component_count; i++) {
        uint32_t c = sim->plan->init_order[i];
        hk_unit *unit = sim->slots.instances[c].unit;
        const hk_op what = {"the exit from initialization mode", c};
        hk_part_stage(sim->part, HK_STAGE_EXIT, i);
        HK_TRY(refresh(sim, &sim->slots.instances[c]));
        hk_call_begin(sim, &what);
        HK_TRY(hk_unit_exit_init(sim->ctx, unit));
        hk_look_around(sim, &what);
        hk_call_end(sim);
    }
    hk_trace_mode(sim, false);
    HK_TRY(hk_sim_read_all(sim));
    hk_part_stage(sim->part, HK_STAGE_DONE, 0);
    HK_TRY(hk_part_first(sim));
    hk_trace_mode(sim, false);
    start_histories(sim);
    start_clocks(sim);
    return HK_OK;
}

hk_status hk_sim_initialize(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_status status = initialize(sim);
    if (status != HK_OK)
        hk_trace_rest(sim);
    return status;
}
