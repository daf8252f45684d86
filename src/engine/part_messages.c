/* SPDX-License-Identifier: MIT
 *
 * Messages between the parts of a simulation: packed where a component has published, taken where
 * somebody is to see it. What is taken is never more than a run on one node would have executed by
 * then, and never less than what is to be seen; so slots and histories mean the same on all. */
#include "engine/away.h"
#include "engine/failures.h"
#include "engine/part_values.h"
#include "engine/sim_parts.h"

#include <string.h>

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

static void show_now(const hk_sim *sim) {
    const hk_part_wire *wire = &sim->part->part.wire;
    if (wire->now)
        atomic_store_explicit(wire->now, sim->time.now, memory_order_relaxed);
}

/* Takes what may be taken, or waits until there is something new since SEEN, in FLOW above all. */
static bool make_way(hk_sim *sim, uint64_t seen, uint32_t flow) {
    const hk_part_wire *wire = &sim->part->part.wire;
    bool taken = false;
    if (atomic_load_explicit(&sim->safety.interrupted, memory_order_relaxed) && !sim->end.late) {
        sim->end.ended = true;
        sim->end.reason = "interrupted";
        return false;
    }
    if (!take_waiting(sim, &taken))
        return false;
    show_now(sim);
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

static void pack_all(const hk_sim *sim, hk_part_flow *f) {
    for (size_t i = 0; i < f->about->variable_count; i++)
        hk_pack_value(sim, f->ports[i], &f->packed);
}

static bool send(hk_sim *sim, hk_part_flow *f, hk_message_kind kind, hk_tick at) {
    bool asks = kind == HK_MESSAGE_VALUES && sim->end.asked_end != HK_TICK_NEVER &&
                sim->end.asker == f->about->component;
    f->packed.size = 0;
    if (asks)
        hk_pack_bytes(&f->packed, &sim->end.asked_at, sizeof sim->end.asked_at);
    if (kind != HK_MESSAGE_EMPTY)
        pack_all(sim, f);
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
    show_now(sim);
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
        whole = hk_unpack_value(sim, f->ports[i], &data);
    return (whole && data.size == 0) || does_not_fit(sim, f, "has another size than it should");
}

static bool take_seconds(hk_bytes *from, double *ret_seconds) {
    const char *at = hk_unpack_bytes(from, sizeof *ret_seconds);
    if (at)
        memcpy(ret_seconds, at, sizeof *ret_seconds);
    return at;
}

/* The component asks for an end, if the message says so. */
static bool heed_end(hk_sim *sim, const hk_part_flow *f, hk_tick end, hk_bytes *data) {
    double at = 0;
    if (end == HK_TICK_NEVER)
        return true;
    if (!take_seconds(data, &at))
        return does_not_fit(sim, f, "does not say when the run ends");
    hk_end_ask(sim, f->about->component, end, at);
    return true;
}

/* The component has ended the run in this activation. The recorder waits for each that may, where
 * it is its turn, so it ends there, too; the message stays until the last row (ending.c). All
 * others go no further: what they have done beyond is seen by nobody. */
static bool heed_ended(hk_sim *sim, const hk_part_flow *f, const hk_flow_message *m) {
    double at = 0;
    hk_bytes data = m->data;
    if (!hk_part_records(sim->part))
        return lost(sim);
    if (m->at != sim->time.now || !take_seconds(&data, &at))
        return does_not_fit(sim, f, "ends the run where it cannot");
    hk_end_by(sim, f->about->component, at);
    return false;
}

/* What a component has published, or not, in the activation that comes next. */
static bool take(hk_sim *sim, hk_part_flow *f, const hk_flow_message *m) {
    bool ended = m->kind == HK_MESSAGE_ENDED;
    hk_bytes data = m->data;
    if ((m->kind != HK_MESSAGE_VALUES && m->kind != HK_MESSAGE_EMPTY && !ended) || m->at != f->next)
        return does_not_fit(sim, f, "is not of the activation that was promised");
    if (m->next <= m->at)
        return does_not_fit(sim, f, "promises what is over");
    if (ended)
        return heed_ended(sim, f, m);
    f->next = m->next;
    if (!heed_end(sim, f, m->end, &data))
        return false;
    if (m->kind == HK_MESSAGE_VALUES) {
        hk_sim_instance *inst = &sim->slots.instances[f->about->component];
        if (!take_values(sim, f, data))
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

/* False: there is none any more, since who was to send it has failed in that step. */
static bool await(hk_sim *sim, const hk_part_flow *f, hk_flow_message *ret_message) {
    bool received = receive(sim, f, ret_message);
    if (!received && sim->status == HK_E_NODE_LOST)
        sim->status = HK_OK;
    return received;
}

/* What is waited for does not come. If a component of the same phase has ended the run, that is
 * why, or it is not worth a word: steps come before all that follows from them. */
static bool find_end(hk_sim *sim, const hk_part_flow *missing) {
    const hk_plan_component *all = sim->plan->components;
    const hk_status found = sim->status;
    for (int fmi = HK_FMI_ENDS; fmi <= HK_FMI_LAST; fmi++)
        for (uint32_t c = 0; c < sim->model->component_count; c++) {
            const hk_part_flow *f = sim->part->into[c];
            hk_flow_message m;
            if (sim->model->components[c].info->can.fmi != fmi || f->next != sim->time.now ||
                all[c].level != all[missing->about->component].level)
                continue;
            sim->status = HK_OK;
            if (await(sim, f, &m) && m.kind == HK_MESSAGE_ENDED)
                return heed_ended(sim, f, &m);
        }
    sim->status = found;
    return false;
}

bool hk_gates_open(hk_sim *sim, const hk_gate *gates, const hk_gate *end) {
    for (const hk_gate *g = gates; g < end; g++) {
        hk_tick until = sim->time.now - g->lag;
        if (g->flow->next > until || catch_up(sim, g->flow, until))
            continue;
        bool here = g->lag == 0 && sim->status == HK_E_NODE_LOST && hk_part_records(sim->part);
        return here && find_end(sim, g->flow);
    }
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
        hk_pack_value(sim, port, &f->packed);
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
    if (!hk_unpack_value(sim, port, &m.data) || m.data.size)
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

/* ---- a component has ended the run inside of a step ---- */

void hk_part_tell_ended(hk_sim *sim, bool readable) {
    HK_ASSERT(sim && sim->part && sim->end.ender != HK_MAP_NONE);
    const hk_part_state *p = sim->part;
    uint32_t ender = sim->end.ender;
    for (uint32_t i = p->first_out[ender]; i < p->first_out[ender + 1]; i++) {
        hk_part_flow *f = p->out[i];
        if (!f->about->moves)
            continue;
        f->packed.size = 0;
        hk_pack_bytes(&f->packed, &sim->end.at, sizeof sim->end.at);
        if (readable)
            pack_all(sim, f);
        hk_flow_message m = {.flow = f->index,
                             .kind = HK_MESSAGE_ENDED,
                             .at = sim->time.now,
                             .next = HK_TICK_NEVER,
                             .end = HK_TICK_NEVER,
                             .data = {f->packed.data, f->packed.size}};
        if (!send_message(sim, &m))
            return;
    }
}

/* Of the variables of a message those that were set before the steps of its phase. */
static bool take_inputs(hk_sim *sim, const hk_part_flow *f, hk_bytes data) {
    hk_blob kept = {0};
    bool whole = true;
    for (size_t i = 0; i < f->about->variable_count && whole; i++) {
        const hk_engine_port *p = f->ports[i];
        bool input = p->use & USE_IN;
        kept.size = 0;
        if (!input)
            hk_pack_value(sim, p, &kept);
        whole = hk_unpack_value(sim, p, &data);
        hk_bytes back = {kept.data, kept.size};
        whole = whole && (input || hk_unpack_value(sim, p, &back));
    }
    hk_free(kept.data);
    return whole || does_not_fit(sim, f, "has another size than it should");
}

/* What others did in the instant in which the run ended, as far as it came before that: of lower
 * levels all, of the same one what was set, since a phase sets before it steps. */
static bool reach_end(hk_sim *sim) {
    const hk_plan_component *all = sim->plan->components;
    hk_flow_message m;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        hk_part_flow *f = sim->part->into[c];
        if (!f || c == sim->end.ender || f->next > sim->time.now)
            continue;
        if (all[c].level < all[sim->end.ender].level) {
            if (!catch_up(sim, f, sim->time.now))
                return false;
        } else if (all[c].level == all[sim->end.ender].level && await(sim, f, &m)) {
            double at;
            if (m.kind == HK_MESSAGE_ENDED || m.end != HK_TICK_NEVER)
                (void)take_seconds(&m.data, &at);
            if (m.data.size && !take_inputs(sim, f, m.data))
                return false;
        }
    }
    return true;
}

bool hk_part_take_ended(hk_sim *sim, bool *ret_readable) {
    HK_ASSERT(sim && sim->part && sim->end.ender != HK_MAP_NONE);
    const hk_part_flow *f = sim->part->into[sim->end.ender];
    hk_flow_message m;
    double at;
    if (!hk_part_end(sim, false) || !reach_end(sim) || !receive(sim, f, &m))
        return false;
    *ret_readable = take_seconds(&m.data, &at) && m.data.size > 0;
    return !*ret_readable || take_values(sim, f, m.data);
}
