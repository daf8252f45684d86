/* SPDX-License-Identifier: MIT
 *
 * What goes between the parts of a simulation beside activations: what a component has changed when
 * it was stopped or started; and where the run ends, what is passed on there, that a component has
 * ended it inside of a step, and how far others have come when one has failed. */
#include "engine/part_messages.h"
#include "engine/part_values.h"
#include "engine/sim_parts.h"

/* ---- values that are not those of an activation ---- */

/* Values of the component as they are now, to and from all who have a flow of it that WANTS them:
 * these know its last activation by then, and do the same at the same time. */
static bool pass_values(hk_sim *sim, uint32_t component, const hk_flow_message *as,
                        bool (*wants)(const hk_part_flow *f)) {
    const hk_part_state *p = sim->part;
    hk_flow_message m;
    for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++)
        if (wants(p->out[i]) && !hk_message_send_values(sim, p->out[i], as->kind, as->at))
            return false;
    const hk_part_flow *f = p->into[component];
    if (!f || !wants(f))
        return true;
    if (!hk_message_next(sim, f, &m))
        return false;
    if (m.kind != as->kind || m.at != as->at)
        return hk_message_odd(sim, f, "is not what is due beside its activations");
    if (!hk_message_take_values(sim, f, m.data))
        return false;
    hk_message_drop(sim, f);
    return true;
}

static bool moves(const hk_part_flow *f) {
    return f->about->moves;
}

static bool has_values(const hk_part_flow *f) {
    return f->about->variable_count > 0;
}

bool hk_part_look(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    const hk_flow_message look = {.kind = HK_MESSAGE_LOOK, .at = HK_TICK_NEVER - 2};
    return !sim->part || sim->part->alone || pass_values(sim, component, &look, moves);
}

bool hk_part_changed(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    const hk_flow_message changed = {.kind = HK_MESSAGE_CHANGED, .at = sim->time.now};
    return !sim->part || pass_values(sim, component, &changed, has_values);
}

/* ---- a component has ended the run inside of a step ---- */

/* Others of the phase have been set by then, and publish nothing. A row may show what they were set
 * to. */
static bool tell_set(hk_sim *sim, uint32_t component) {
    const hk_part_state *p = sim->part;
    const hk_plan_component *all = sim->plan->components;
    if (hk_is_away(p, component) || component == sim->end.ender ||
        !sim->changes.active[component] || all[component].level != all[sim->end.ender].level ||
        hk_activation_after(sim, component, *sim->slots.instances[component].last) != sim->time.now)
        return true;
    for (uint32_t i = p->first_out[component]; i < p->first_out[component + 1]; i++)
        if (p->out[i]->about->to == p->part.flows->placement.recorder &&
            !hk_message_send_values(sim, p->out[i], HK_MESSAGE_LOOK, sim->time.now))
            return false;
    return true;
}

void hk_part_tell_ended(hk_sim *sim, bool readable) {
    HK_ASSERT(sim && sim->part && sim->end.ender != HK_MAP_NONE);
    const hk_part_state *p = sim->part;
    uint32_t ender = sim->end.ender;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        if (!tell_set(sim, c))
            return;
    for (uint32_t i = p->first_out[ender]; i < p->first_out[ender + 1]; i++) {
        hk_part_flow *f = p->out[i];
        if (!f->about->moves)
            continue;
        f->packed.size = 0;
        hk_pack_bytes(&f->packed, &sim->end.at, sizeof sim->end.at);
        if (readable)
            hk_message_pack(sim, f);
        hk_flow_message m = {.flow = f->index,
                             .kind = HK_MESSAGE_ENDED,
                             .at = sim->time.now,
                             .next = HK_TICK_NEVER,
                             .end = HK_TICK_NEVER,
                             .data = {f->packed.data, f->packed.size}};
        if (!hk_message_send(sim, &m))
            return;
    }
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
            if (!hk_message_catch_up(sim, f, sim->time.now))
                return false;
        } else if (all[c].level == all[sim->end.ender].level && hk_message_await(sim, f, &m)) {
            double at;
            if (m.kind == HK_MESSAGE_ENDED || m.end != HK_TICK_NEVER)
                (void)hk_unpack_seconds(&m.data, &at);
            if (m.data.size && !hk_unpack_inputs(sim, f->ports, f->about->variable_count, &m.data))
                return hk_message_odd(sim, f, "has another size than it should");
        }
    }
    return true;
}

bool hk_part_take_ended(hk_sim *sim, bool *ret_readable) {
    HK_ASSERT(sim && sim->part && sim->end.ender != HK_MAP_NONE);
    const hk_part_flow *f = sim->part->into[sim->end.ender];
    hk_flow_message m;
    double at;
    if (!hk_part_end(sim, false) || !reach_end(sim) || !hk_message_next(sim, f, &m))
        return false;
    *ret_readable = hk_unpack_seconds(&m.data, &at) && m.data.size > 0;
    return !*ret_readable || hk_message_take_values(sim, f, m.data);
}

/* ---- a component has failed ---- */

void hk_sim_settle(hk_sim *sim) {
    HK_ASSERT(sim && sim->part && sim->status == HK_E_NODE_LOST);
    hk_flow_message m;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        hk_part_flow *f = sim->part->into[c];
        sim->status = HK_OK;
        while (f && f->next <= sim->time.now && hk_message_await(sim, f, &m) && m.next > f->next) {
            f->next = m.next;
            hk_message_drop(sim, f);
        }
    }
    sim->status = HK_E_NODE_LOST;
}
