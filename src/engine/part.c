/* SPDX-License-Identifier: MIT
 *
 * Messages between the parts of a simulation: packed where a component has published, taken where
 * somebody is to see it. What is taken is never more than a run on one node would have executed by
 * then, and never less than what is to be seen; so slots and histories mean the same on all. */
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
    gates[(*count)++] = (hk_gate){flow, lag};
}

/* A look at what a row of this instant would show, before anything happens in it. */
static void add_look(hk_sim *sim, uint32_t component) {
    hk_part_state *p = sim->part;
    hk_tick lag = hk_rows_lag(sim, component);
    add_gate(sim, p->looks, &p->look_count, component, lag > 0 ? lag : 1);
}

static void bind_rows(hk_sim *sim) {
    hk_part_state *p = sim->part;
    size_t n = sim->model->component_count;
    p->rows_before = HK_NEW_ARRAY(sim->arena, hk_gate, n);
    p->rows_after = HK_NEW_ARRAY(sim->arena, hk_gate, n);
    p->looks = HK_NEW_ARRAY(sim->arena, hk_gate, n);
    for (size_t i = 0; i < sim->options.observed_count; i++)
        add_look(sim, sim->options.observed[i].component);
    for (size_t i = 0; i < sim->options.stop_when_count; i++)
        add_look(sim, sim->options.stop_when[i].component);
    if (p->part.node != p->part.flows->placement.recorder)
        return;
    for (uint32_t c = 0; c < n; c++) { /* also what no row shows: the recorder is not left behind */
        hk_tick period = sim->plan->components[c].period;
        add_gate(sim, p->rows_before, &p->rows_before_count, c, period);
    }
    for (size_t i = 0; i < sim->rows.column_count; i++) {
        const hk_column *column = &sim->rows.columns[i];
        const hk_engine_port *port = hk_sim_port(sim, column->component, column->variable);
        const hk_variable *v =
            &sim->model->components[column->component].info->variables[column->variable];
        bool output = port->use & (USE_EVERY | USE_ROW) && v->causality != HK_PARAMETER;
        if (!output || !hk_rows_lag(sim, column->component))
            add_gate(sim, p->rows_after, &p->rows_after_count, column->component, 0);
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
    bind_rows(sim);
    if (p->look_count)
        sim->listening.hook_next = sim->plan->start;
}

void hk_part_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    for (uint32_t i = 0; p && i < p->first_out[sim->model->component_count]; i++)
        hk_free(p->out[i]->packed.data);
}

/* ---- gates of cells ---- */

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
    for (size_t i = 0; i < count; i++) {
        cells[i].gates = gates[i];
        cells[i].gates_end = HK_AT(gates[i], made[i]);
    }
    hk_free(made);
    hk_free(gates);
    hk_free(cell_of);
}

/* ---- packing ---- */

static void add_bytes(hk_blob *to, const void *data, size_t size) {
    if (to->size + size > to->cap) {
        to->cap = 2 * (to->size + size);
        to->data = hk_realloc(to->data, to->cap);
    }
    if (size)
        memcpy(to->data + to->size, data, size);
    to->size += size;
}

static const void *value_of(const hk_engine_port *p) {
    return p->borrowed ? p->borrowed : p->address;
}

static hk_store store_of(const hk_sim *sim, const hk_engine_port *p) {
    return sim->model->components[p->component].info->variables[p->variable].store;
}

static void pack(const hk_sim *sim, const hk_engine_port *p, hk_blob *to) {
    if (store_of(sim, p) != HK_STORE_BYTES) {
        add_bytes(to, value_of(p), p->bytes);
        return;
    }
    const hk_bytes *texts = value_of(p);
    for (size_t i = 0; i < p->bytes / sizeof *texts; i++) {
        uint64_t size = texts[i].size;
        add_bytes(to, &size, sizeof size);
        add_bytes(to, texts[i].data, texts[i].size);
    }
}

/* Takes SIZE bytes off the beginning of FROM; NULL: there are not so many. */
static const char *take_bytes(hk_bytes *from, size_t size) {
    if (from->size < size)
        return NULL;
    const char *at = from->data;
    from->data = at + size;
    from->size -= size;
    return at;
}

static bool unpack(hk_sim *sim, const hk_engine_port *p, hk_bytes *from) {
    if (store_of(sim, p) != HK_STORE_BYTES) {
        const char *at = take_bytes(from, p->bytes);
        if (at)
            memcpy(p->address, at, p->bytes);
        return at;
    }
    hk_bytes *texts = p->address;
    for (size_t i = 0; i < p->bytes / sizeof *texts; i++) {
        uint64_t size = 0;
        const char *head = take_bytes(from, sizeof size);
        if (head)
            memcpy(&size, head, sizeof size);
        const char *text = head ? take_bytes(from, size) : NULL;
        if (!text)
            return false;
        hk_blob *b = &sim->memory.blobs[p->blob + i];
        hk_blob_assign(b, (hk_bytes){text, size});
        texts[i] = (hk_bytes){b->data, b->size};
    }
    return true;
}

/* ---- sending ---- */

static hk_tick activation_after(const hk_sim *sim, uint32_t component, hk_tick t) {
    const hk_plan_component *c = &sim->plan->components[component];
    hk_tick next = t == TICK_INITIAL ? sim->plan->start + c->offset : t + c->period;
    if (t != TICK_INITIAL && c->pattern)
        next = hk_pattern_next(c->pattern, next);
    return next < sim->plan->end ? next : HK_TICK_NEVER;
}

static bool take_waiting(hk_sim *sim, bool *ret_taken);

/* False: the run ends here, with the status of the wire. */
static bool lost(hk_sim *sim) {
    if (sim->status == HK_OK)
        sim->status = HK_E_NODE_LOST;
    return false;
}

/* Takes what may be taken, or waits until there is something new since SEEN, in FLOW above all. */
static bool make_way(hk_sim *sim, uint64_t seen, uint32_t flow) {
    const hk_part_wire *wire = &sim->part->part.wire;
    bool taken = false;
    if (atomic_load_explicit(&sim->safety.interrupted, memory_order_relaxed)) {
        sim->end.ended = true;
        sim->end.reason = "interrupted";
        return false;
    }
    if (!take_waiting(sim, &taken))
        return false;
    return taken || wire->wait(wire->user, seen, flow) || lost(sim);
}

static bool send_message(hk_sim *sim, const hk_flow_message *m) {
    const hk_part_wire *wire = &sim->part->part.wire;
    for (;;) {
        uint64_t seen = wire->changes(wire->user);
        hk_wire_answer answer = wire->send(wire->user, m);
        if (answer == HK_WIRE_DONE)
            return true;
        if (answer == HK_WIRE_LOST)
            return lost(sim);
        if (!make_way(sim, seen, HK_MAP_NONE))
            return false;
    }
}

static bool send(hk_sim *sim, hk_part_flow *f, hk_message_kind kind, hk_tick at) {
    f->packed.size = 0;
    for (size_t i = 0; kind != HK_MESSAGE_EMPTY && i < f->about->variable_count; i++)
        pack(sim, f->ports[i], &f->packed);
    bool asks = sim->end.asked_end != HK_TICK_NEVER && sim->end.asker == f->about->component;
    hk_flow_message m = {.flow = f->index,
                    .kind = kind,
                    .at = at,
                    .next = activation_after(sim, f->about->component, at),
                    .end = asks ? sim->end.asked_end : HK_TICK_NEVER,
                    .data = {f->packed.data, f->packed.size}};
    return send_message(sim, &m);
}

bool hk_part_publish(hk_sim *sim, const hk_cell *c) {
    const hk_part_state *p = sim->part;
    for (uint32_t m = 0; m < c->member_count; m++) {
        uint32_t component = c->members[m];
        hk_message_kind kind =
            sim->changes.active[component] ? HK_MESSAGE_VALUES : HK_MESSAGE_EMPTY;
        for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++)
            if (p->out[i]->about->moves && !send(sim, p->out[i], kind, sim->time.now))
                return false;
    }
    return true;
}

/* ---- taking ---- */

static bool does_not_fit(hk_sim *sim, const hk_part_flow *f, const char *why) {
    const char *name = sim->model->components[f->about->component].name;
    if (sim->status == HK_OK)
        sim->status = hk_error(sim->ctx, HK_E_NODE_LOST,
                               (hk_where){.file = sim->model->file, .element = name},
                               "all nodes must run the same hocket with the same files",
                               "a message of component '%s' from node %u %s", name,
                               (unsigned)f->about->from, why);
    return false;
}

/* The next message of a flow, of initial values or at the end; it is dropped when it was taken. */
static bool receive(hk_sim *sim, const hk_part_flow *f, hk_flow_message *ret_message) {
    const hk_part_wire *wire = &sim->part->part.wire;
    for (;;) {
        uint64_t seen = wire->changes(wire->user);
        hk_wire_answer answer = wire->peek(wire->user, f->index, ret_message);
        if (answer == HK_WIRE_DONE)
            return true;
        if (answer == HK_WIRE_LOST)
            return lost(sim);
        if (!make_way(sim, seen, f->index))
            return false;
    }
}

static void drop(const hk_sim *sim, const hk_part_flow *f) {
    sim->part->part.wire.drop(sim->part->part.wire.user, f->index);
}

static bool take_values(hk_sim *sim, const hk_part_flow *f, hk_bytes data) {
    bool whole = true;
    for (size_t i = 0; i < f->about->variable_count && whole; i++)
        whole = unpack(sim, f->ports[i], &data);
    return (whole && data.size == 0) || does_not_fit(sim, f, "has another size than it should");
}

static void heed_end(hk_sim *sim, const hk_part_flow *f, hk_tick end) {
    if (end >= sim->end.asked_end)
        return;
    sim->end.asked_end = end;
    sim->end.asker = f->about->component;
    sim->end.asked_reason =
        hk_arena_printf(sim->arena, "component '%s' asked to end the simulation",
                        sim->model->components[f->about->component].name);
}

/* What a component has published, or not, in the activation that comes next. */
static bool take(hk_sim *sim, hk_part_flow *f, const hk_flow_message *m) {
    if ((m->kind != HK_MESSAGE_VALUES && m->kind != HK_MESSAGE_EMPTY) || m->at != f->next)
        return does_not_fit(sim, f, "is not of the activation that was promised");
    if (m->next <= m->at)
        return does_not_fit(sim, f, "promises what is over");
    f->next = m->next;
    heed_end(sim, f, m->end);
    if (m->kind == HK_MESSAGE_VALUES) {
        hk_sim_instance *inst = &sim->slots.instances[f->about->component];
        if (!take_values(sim, f, m->data))
            return false;
        sim->part->last[f->about->component] = m->at;
        if (inst->past.frames)
            hk_history_push(sim, inst, m->at);
    }
    drop(sim, f);
    return true;
}

/* Somebody here waits. What has come meanwhile and belongs to instants before this one, as those
 * who look at it count, makes room for more: else all could wait for each other. */
static bool take_waiting(hk_sim *sim, bool *ret_taken) {
    const hk_part_state *p = sim->part;
    const hk_part_wire *wire = &p->part.wire;
    for (uint32_t c = 0; p->running && c < sim->model->component_count; c++) {
        hk_part_flow *f = p->into[c];
        if (!f)
            continue;
        hk_tick lag = f->about->lag > 0 ? f->about->lag : 1;
        hk_flow_message m;
        while (f->next <= sim->time.now - lag) {
            hk_wire_answer answer = wire->peek(wire->user, f->index, &m);
            if (answer == HK_WIRE_LATER)
                break;
            if (answer == HK_WIRE_LOST)
                return lost(sim);
            if (!take(sim, f, &m))
                return false;
            *ret_taken = true;
        }
    }
    return true;
}

/* All activations up to and with UNTIL. */
static bool catch_up(hk_sim *sim, hk_part_flow *f, hk_tick until) {
    const hk_part_wire *wire = &sim->part->part.wire;
    while (f->next <= until) {
        hk_flow_message m;
        uint64_t seen = wire->changes(wire->user);
        hk_wire_answer answer = wire->peek(wire->user, f->index, &m);
        if (answer == HK_WIRE_LOST)
            return lost(sim);
        if (!(answer == HK_WIRE_DONE ? take(sim, f, &m) : make_way(sim, seen, f->index)))
            return false;
    }
    return true;
}

bool hk_gates_open(hk_sim *sim, const hk_gate *gates, const hk_gate *end) {
    for (const hk_gate *g = gates; g < end; g++)
        if (g->flow->next <= sim->time.now - g->lag &&
            !catch_up(sim, g->flow, sim->time.now - g->lag))
            return false;
    return true;
}

bool hk_part_reach(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    hk_part_flow *f = sim->part ? sim->part->into[component] : NULL;
    return !f || !f->about->moves || catch_up(sim, f, sim->time.now - 1);
}

bool hk_part_rows(hk_sim *sim, bool after) {
    const hk_part_state *p = sim->part;
    return after ? hk_gates_open(sim, p->rows_after, p->rows_after + p->rows_after_count)
                 : hk_gates_open(sim, p->rows_before, p->rows_before + p->rows_before_count);
}

bool hk_part_instant(hk_sim *sim) {
    const hk_part_state *p = sim->part;
    return hk_gates_open(sim, p->looks, p->looks + p->look_count);
}

bool hk_part_end(hk_sim *sim, bool final) {
    HK_ASSERT(sim);
    for (uint32_t c = 0; sim->part && c < sim->model->component_count; c++) {
        hk_part_flow *f = sim->part->into[c];
        if (f && f->about->moves &&
            !catch_up(sim, f, final ? HK_TICK_NEVER - 1 : sim->time.now - 1))
            return false;
    }
    return true;
}

/* ---- before the first instant, and at the end ---- */

/* True if the initial value of a variable goes over a flow, since an input there is driven by it.
 */
static const hk_engine_port *initial_port(const hk_part_flow *f, uint32_t variable) {
    for (size_t i = 0; i < f->about->variable_count; i++)
        if (f->about->variables[i].variable == variable && f->about->variables[i].connected)
            return f->ports[i];
    return NULL;
}

hk_status hk_part_initial(hk_sim *sim, uint32_t component, uint32_t variable) {
    HK_ASSERT(sim);
    const hk_part_state *p = sim->part;
    if (!p)
        return HK_OK;
    for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++) {
        hk_part_flow *f = p->out[i];
        const hk_engine_port *port = initial_port(f, variable);
        if (!port)
            continue;
        f->packed.size = 0;
        pack(sim, port, &f->packed);
        hk_flow_message m = {.flow = f->index,
                        .kind = HK_MESSAGE_INITIAL,
                        .at = variable,
                        .next = TICK_INITIAL,
                        .end = HK_TICK_NEVER,
                        .data = {f->packed.data, f->packed.size}};
        if (!send_message(sim, &m))
            return sim->status;
    }
    return HK_OK;
}

bool hk_part_take_initial(hk_sim *sim, uint32_t component, uint32_t variable) {
    HK_ASSERT(sim && sim->part);
    const hk_part_flow *f = sim->part->into[component];
    const hk_engine_port *port = f ? initial_port(f, variable) : NULL;
    hk_flow_message m;
    if (!port)
        return true;
    if (!receive(sim, f, &m))
        return false;
    if (m.kind != HK_MESSAGE_INITIAL || m.at != variable)
        return does_not_fit(sim, f, "is not the initial value that is due");
    if (!unpack(sim, port, &m.data) || m.data.size)
        return does_not_fit(sim, f, "has another size than it should");
    drop(sim, f);
    return true;
}

hk_status hk_part_first(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    if (!p)
        return HK_OK;
    for (uint32_t i = 0; i < p->first_out[sim->model->component_count]; i++)
        if (!send(sim, p->out[i], HK_MESSAGE_FIRST, TICK_INITIAL))
            return sim->status;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        hk_part_flow *f = p->into[c];
        hk_flow_message m;
        if (!f)
            continue;
        if (!receive(sim, f, &m))
            return sim->status;
        if (m.kind != HK_MESSAGE_FIRST && !does_not_fit(sim, f, "is not the first that is due"))
            return sim->status;
        if (!take_values(sim, f, m.data))
            return sim->status;
        f->next = f->about->moves ? m.next : HK_TICK_NEVER;
        drop(sim, f);
    }
    p->running = true;
    return HK_OK;
}

/* All who have a flow of the component know its last activation by then. */
bool hk_part_look(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    if (!p)
        return true;
    for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++)
        if (p->out[i]->about->moves &&
            !send(sim, p->out[i], HK_MESSAGE_LOOK, HK_TICK_NEVER - 2))
            return false;
    hk_part_flow *f = p->into[component];
    hk_flow_message m;
    if (!f || !f->about->moves)
        return true;
    if (!receive(sim, f, &m))
        return false;
    if (m.kind != HK_MESSAGE_LOOK)
        return does_not_fit(sim, f, "is not what the run ends with");
    if (!take_values(sim, f, m.data))
        return false;
    drop(sim, f);
    return true;
}
