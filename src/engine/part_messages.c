/* SPDX-License-Identifier: MIT
 *
 * Messages between the parts of a simulation: packed where a component has published, taken where
 * somebody is to see it. What is taken is never more than a run on one node would have executed by
 * then, and never less than what is to be seen; so slots and histories mean the same on all. */
#include "engine/away.h"
#include "engine/sim_parts.h"

#include <string.h>

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
    if (t == TICK_INITIAL && sim->part->loaded)
        next = sim->loop.rate_next[c->rate];
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
        sim->status = hk_error(
            sim->ctx, HK_E_NODE_LOST, (hk_where){.file = sim->model->file, .element = name},
            "all nodes must run the same hocket with the same files",
            "a message of component '%s' from node %u %s", name, (unsigned)f->about->from, why);
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

hk_status hk_part_again(hk_sim *sim) {
    HK_ASSERT(sim);
    if (!sim->part)
        return HK_OK;
    sim->part->loaded = true;
    sim->part->running = false;
    return hk_part_first(sim);
}

uint64_t hk_part_changes(const hk_sim *sim) {
    HK_ASSERT(sim && sim->part);
    return sim->part->part.wire.changes(sim->part->part.wire.user);
}

/* What has come is looked at, also if nobody may see it yet: else a wire that is full of it would
 * count as something new again and again. */
bool hk_part_make_way(hk_sim *sim, uint64_t seen) {
    HK_ASSERT(sim && sim->part);
    const hk_part_wire *wire = &sim->part->part.wire;
    hk_flow_message m;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        if (sim->part->into[c])
            (void)wire->peek(wire->user, sim->part->into[c]->index, &m);
    sim->time.now = *sim->time.clock; /* all before the next instant may be taken */
    return make_way(sim, seen, HK_MAP_NONE);
}

/* All who have a flow of the component know its last activation by then. */
bool hk_part_look(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    if (!p || p->alone)
        return true;
    for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++)
        if (p->out[i]->about->moves && !send(sim, p->out[i], HK_MESSAGE_LOOK, HK_TICK_NEVER - 2))
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
