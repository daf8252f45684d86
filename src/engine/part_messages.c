/* SPDX-License-Identifier: MIT
 *
 * Messages between the parts of a simulation: packed where a component has published, taken where
 * somebody is to see it. What is taken is never more than a run on one node would have executed by
 * then, and never less than what is to be seen; so slots and histories mean the same on all. */
#include "engine/part_messages.h"
#include "engine/away.h"
#include "engine/failures.h"
#include "engine/monitor.h"
#include "engine/part_values.h"
#include "engine/sim_parts.h"

#include "base/clock.h"

#include <string.h>

/* ---- sending ---- */

hk_tick hk_activation_after(const hk_sim *sim, uint32_t component, hk_tick t) {
    const hk_plan_component *c = &sim->plan->components[component];
    hk_tick next = t == TICK_INITIAL ? sim->plan->start + c->offset : t + c->period;
    if (t == TICK_INITIAL && sim->part->loaded)
        next = sim->loop.rate_next[c->rate];
    if (t != TICK_INITIAL && c->pattern)
        next = hk_pattern_next(c->pattern, next);
    return next < sim->plan->end ? next : HK_TICK_NEVER;
}

static bool take_waiting(hk_sim *sim, bool *ret_taken);

static void cut(hk_sim *sim) {
    hk_part_state *p = sim->part;
    if (!p->cut)
        p->cut_row = sim->rows.current != NULL;
    p->cut = true;
}

void hk_part_fall_back(hk_sim *sim) {
    HK_ASSERT(sim);
    const hk_part_state *p = sim->part;
    if (!p || !p->cut || !p->running)
        return;
    hk_tick end = HK_TICK_NEVER;
    bool settled = false;
    for (size_t i = 0; i < sim->rows.part_count; i++)
        settled = settled || sim->rows.parts[i].settled;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        if (p->into[c] && p->into[c]->next < end)
            end = p->into[c]->next;
    if (sim->rows.sink.row_begin)
        end = *sim->rows.next - sim->rows.interval * (p->cut_row && !settled ? 2 : 1);
    end = end < sim->plan->start ? sim->plan->start : end;
    if (end < *sim->time.clock)
        *sim->time.clock = sim->time.now = end;
    hk_set_seconds(sim, hk_tick_seconds(*sim->time.clock, sim->time.ticks_per_second));
}

/* False: the run ends here, with the status of the wire. */
static bool lost(hk_sim *sim) {
    cut(sim);
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
    if (atomic_load_explicit(&sim->safety.asked, memory_order_relaxed) & HK_ASKED_END &&
        !sim->end.late) {
        cut(sim);
        sim->end.ended = true;
        sim->end.reason = "interrupted";
        return false;
    }
    if (!take_waiting(sim, &taken))
        return false;
    show_now(sim);
    sim->part->waits += !taken;
    return taken || wire->wait(wire->user, seen, flow) || lost(sim);
}

bool hk_message_send(hk_sim *sim, const hk_flow_message *m) {
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

void hk_message_pack(const hk_sim *sim, hk_part_flow *f) {
    for (size_t i = 0; i < f->about->variable_count; i++)
        hk_pack_value(sim, f->ports[i], &f->packed);
}

bool hk_message_send_values(hk_sim *sim, hk_part_flow *f, hk_message_kind kind, hk_tick at) {
    bool asks = kind == HK_MESSAGE_VALUES && sim->end.asked_end != HK_TICK_NEVER &&
                sim->end.asker == f->about->component;
    f->packed.size = 0;
    if (asks)
        hk_pack_bytes(&f->packed, &sim->end.asked_at, sizeof sim->end.asked_at);
    if (kind != HK_MESSAGE_EMPTY)
        hk_message_pack(sim, f);
    hk_flow_message m = {.flow = f->index,
                         .kind = kind,
                         .at = at,
                         .next = hk_activation_after(sim, f->about->component, at),
                         .end = asks ? sim->end.asked_end : HK_TICK_NEVER,
                         .data = {f->packed.data, f->packed.size}};
    return hk_message_send(sim, &m);
}

bool hk_part_publish(hk_sim *sim, const hk_cell *c) {
    HK_ASSERT(sim && sim->part && c);
    const hk_part_state *p = sim->part;
    if (sim->threads.sharing)
        return true; /* it is sent when all threads are done (share.c) */
    show_now(sim);
    for (uint32_t m = 0; m < c->member_count; m++) {
        uint32_t component = c->members[m];
        hk_message_kind kind =
            sim->changes.active[component] ? HK_MESSAGE_VALUES : HK_MESSAGE_EMPTY;
        for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++)
            if (p->out[i]->about->moves &&
                !hk_message_send_values(sim, p->out[i], kind, sim->time.now))
                return false;
    }
    return true;
}

/* ---- taking ---- */

bool hk_message_odd(hk_sim *sim, const hk_part_flow *f, const char *why) {
    const char *name = sim->model->components[f->about->component].name;
    if (sim->status == HK_OK)
        sim->status = hk_error(
            sim->ctx, HK_E_NODE_LOST, (hk_where){.file = sim->model->file, .element = name},
            "all nodes must run the same hocket with the same files",
            "a message of component '%s' from node %u %s", name, (unsigned)f->about->from, why);
    return false;
}

/* The next message of a flow, of initial values or at the end; it is dropped when it was taken. */
bool hk_message_next(hk_sim *sim, const hk_part_flow *f, hk_flow_message *ret_message) {
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

void hk_message_drop(const hk_sim *sim, const hk_part_flow *f) {
    sim->part->part.wire.drop(sim->part->part.wire.user, f->index);
}

bool hk_message_take_values(hk_sim *sim, const hk_part_flow *f, hk_bytes data) {
    bool whole = true;
    for (size_t i = 0; i < f->about->variable_count && whole; i++)
        whole = hk_unpack_value(sim, f->ports[i], &data);
    return (whole && data.size == 0) || hk_message_odd(sim, f, "has another size than it should");
}

/* The component asks for an end, if the message says so. */
static bool heed_end(hk_sim *sim, const hk_part_flow *f, hk_tick end, hk_bytes *data) {
    double at = 0;
    if (end == HK_TICK_NEVER)
        return true;
    if (!hk_unpack_seconds(data, &at))
        return hk_message_odd(sim, f, "does not say when the run ends");
    hk_end_ask(sim, f->about->component, end, at);
    return true;
}

/* The component has ended the run in this activation. The recorder waits for each that may, where
 * it is its turn, so it ends there, too; the message stays until the last row (ending.c). All
 * others go no further: what they have done beyond is seen by nobody. */
static bool heed_ended(hk_sim *sim, const hk_part_flow *f, const hk_flow_message *m) {
    double at = 0;
    hk_bytes data = m->data;
    if (!hk_part_records(sim->part)) {
        sim->end.ended = true;
        return false;
    }
    if (m->at != sim->time.now || !hk_unpack_seconds(&data, &at))
        return hk_message_odd(sim, f, "ends the run where it cannot");
    hk_end_by(sim, f->about->component, at);
    return false;
}

/* What a component has published, or not, in the activation that comes next. */
static bool take(hk_sim *sim, hk_part_flow *f, const hk_flow_message *m) {
    bool ended = m->kind == HK_MESSAGE_ENDED;
    hk_bytes data = m->data;
    if ((m->kind != HK_MESSAGE_VALUES && m->kind != HK_MESSAGE_EMPTY && !ended) || m->at != f->next)
        return hk_message_odd(sim, f, "is not of the activation that was promised");
    if (m->next <= m->at)
        return hk_message_odd(sim, f, "promises what is over");
    if (ended)
        return heed_ended(sim, f, m);
    f->next = m->next;
    if (!heed_end(sim, f, m->end, &data))
        return false;
    if (m->kind == HK_MESSAGE_VALUES) {
        hk_sim_instance *inst = &sim->slots.instances[f->about->component];
        if (!hk_message_take_values(sim, f, data))
            return false;
        sim->part->last[f->about->component] = m->at;
        hk_values_took(sim, f->about->component, m->at);
        if (inst->past.frames)
            hk_history_push(sim, inst, m->at);
    }
    hk_message_drop(sim, f);
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
bool hk_message_catch_up(hk_sim *sim, hk_part_flow *f, hk_tick until) {
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
bool hk_message_await(hk_sim *sim, const hk_part_flow *f, hk_flow_message *ret_message) {
    bool received = hk_message_next(sim, f, ret_message);
    if (!received && sim->status == HK_E_NODE_LOST)
        sim->status = HK_OK;
    return received;
}

/* What is waited for does not come. If a component of the same phase has ended the run, that is
 * why, or it is not worth a word: steps come before all that follows from them. */
static bool find_end(hk_sim *sim, const hk_part_flow *missing) {
    const hk_plan_component *all = sim->plan->components;
    const hk_status found = sim->status;
    for (unsigned shape = 0; shape < HK_STEP_SHAPES; shape++)
        for (uint32_t c = 0; c < sim->model->component_count; c++) {
            const hk_part_flow *f = sim->part->into[c];
            hk_flow_message m;
            if (sim->model->components[c].info->can.fmi < HK_FMI_ENDS ||
                hk_moment_step_shape(sim, c) != shape || f->next != sim->time.now ||
                all[c].level != all[missing->about->component].level)
                continue;
            sim->status = HK_OK;
            if (hk_message_await(sim, f, &m) && m.kind == HK_MESSAGE_ENDED)
                return heed_ended(sim, f, &m);
        }
    sim->status = found;
    return false;
}

/* The recorder looks whether a component ends the run in this activation. Others of the phase may
 * do so before it, and it has published nothing then: what it says is taken later. */
static bool look_for_end(hk_sim *sim, hk_part_flow *f) {
    hk_flow_message m;
    if (f->next < sim->time.now && !hk_message_catch_up(sim, f, sim->time.now - 1))
        return false;
    if (f->next > sim->time.now)
        return true;
    if (!hk_message_next(sim, f, &m))
        return sim->status == HK_E_NODE_LOST && find_end(sim, f);
    return m.kind == HK_MESSAGE_ENDED ? heed_ended(sim, f, &m) : heed_end(sim, f, m.end, &m.data);
}

static bool open_gates(hk_sim *sim, const hk_gate *gates, const hk_gate *end) {
    for (const hk_gate *g = gates; g < end; g++) {
        hk_tick until = sim->time.now - g->lag;
        if (g->flow->next <= until &&
            !(g->ends ? look_for_end(sim, g->flow) : hk_message_catch_up(sim, g->flow, until)))
            return false;
    }
    return true;
}

/* In sampled instants the time is taken: who waits neither copies nor records. */
static bool open_timed(hk_sim *sim, const hk_gate *gates, const hk_gate *end, double *waited_ns) {
    int64_t since = waited_ns ? hk_clock_ns() : 0;
    bool open = open_gates(sim, gates, end);
    if (waited_ns)
        *waited_ns += (double)(hk_clock_ns() - since);
    return open;
}

bool hk_gates_open(hk_sim *sim, const hk_gate *gates, const hk_gate *end) {
    HK_ASSERT(sim && sim->part && gates <= end);
    bool sampled = sim->profile.until_sample == 0;
    return open_timed(sim, gates, end, sampled ? &sim->part->cells_waited_ns : NULL);
}

bool hk_part_reach(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    hk_part_flow *f = sim->part ? sim->part->into[component] : NULL;
    return !f || !f->about->moves || hk_message_catch_up(sim, f, sim->time.now - 1);
}

bool hk_part_rows(hk_sim *sim, bool after) {
    HK_ASSERT(sim && sim->part);
    hk_part_state *p = sim->part;
    const hk_gate *gates = after ? p->rows_after : p->rows_before;
    size_t count = after ? p->rows_after_count : p->rows_before_count;
    p->row_sampled = after ? p->row_sampled : sim->profile.until_sample == 0;
    return open_timed(sim, gates, gates + count, p->row_sampled ? &p->rows_waited_ns : NULL);
}

bool hk_part_instant(hk_sim *sim) {
    HK_ASSERT(sim && sim->part);
    const hk_part_state *p = sim->part;
    return open_gates(sim, p->looks, p->looks + p->look_count);
}

bool hk_part_end(hk_sim *sim, bool final) {
    HK_ASSERT(sim);
    for (uint32_t c = 0; sim->part && c < sim->model->component_count; c++) {
        hk_part_flow *f = sim->part->into[c];
        if (f && f->about->moves &&
            !hk_message_catch_up(sim, f, final ? HK_TICK_NEVER - 1 : sim->time.now - 1))
            return false;
    }
    return true;
}

/* ---- before the first instant ---- */

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
        if (!hk_message_send(sim, &m))
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
    if (!hk_message_next(sim, f, &m))
        return false;
    if (m.kind != HK_MESSAGE_INITIAL || m.at != variable)
        return hk_message_odd(sim, f, "is not the initial value that is due");
    if (!hk_unpack_value(sim, port, &m.data) || m.data.size)
        return hk_message_odd(sim, f, "has another size than it should");
    hk_message_drop(sim, f);
    return true;
}

static bool take_first(hk_sim *sim, hk_part_flow *f) {
    hk_flow_message m;
    if (!hk_message_next(sim, f, &m))
        return false;
    if (m.kind != HK_MESSAGE_FIRST)
        return hk_message_odd(sim, f, "is not the first that is due");
    if (!hk_message_take_values(sim, f, m.data))
        return false;
    f->next = f->about->moves ? m.next : HK_TICK_NEVER;
    hk_message_drop(sim, f);
    return true;
}

hk_status hk_part_first(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_part_state *p = sim->part;
    if (!p)
        return HK_OK;
    for (uint32_t i = 0; i < p->first_out[sim->model->component_count]; i++)
        if (!hk_message_send_values(sim, p->out[i], HK_MESSAGE_FIRST, TICK_INITIAL))
            return sim->status;
    bool missing = false;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        if (!p->into[c] || take_first(sim, p->into[c]))
            continue;
        /* Others may come to an earlier failure: the recorder does not end before they do. */
        if (!hk_part_records(p) || sim->status != HK_E_NODE_LOST)
            return sim->status;
        missing = true;
        sim->status = HK_OK;
    }
    if (missing)
        return sim->status = HK_E_NODE_LOST;
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
