/* SPDX-License-Identifier: MIT
 *
 * What the engine does according to its plan, as a master: settings, the exchange of initial values
 * and the first reading; then in every cycle, level by level, sets, steps and gets. Calls of one
 * kind and level are in no order, so that threads and bulk calls are within it. */
#include "sound/sound.h"

typedef struct list {
    hk_sound_call *calls;
    size_t count, cap;
} list;

typedef struct members {
    uint32_t *all;
    size_t count;
} members;

typedef struct work {
    hk_arena *arena;
    const hk_sound_system *system;
    const hk_plan *plan;
    list init, step;
} work;

static void add(list *to, hk_sound_call call) {
    call.as = HK_MAP_NONE;
    HK_PUSH(to->calls, to->count, to->cap, call);
}

static const hk_sound_call *keep(hk_arena *arena, list *from, size_t *ret_count) {
    hk_sound_call *calls = HK_NEW_ARRAY(arena, hk_sound_call, from->count);
    for (size_t i = 0; i < from->count; i++)
        calls[i] = from->calls[i];
    *ret_count = from->count;
    hk_free(from->calls);
    *from = (list){0};
    return calls;
}

/* Connected or looked at: what the engine exchanges. */
static const bool *taking_part(hk_arena *arena, const hk_sound_system *system) {
    bool *part = HK_NEW_ARRAY(arena, bool, system->port_count);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        part[p] = part[p] || port->observed;
        if (!port->is_output && port->source != HK_MAP_NONE)
            part[p] = part[port->source] = true;
    }
    return part;
}

static void add_settings(work *w) {
    for (uint32_t i = 0; i < w->system->instance_count; i++)
        for (uint32_t k = 0; k < w->system->instances[i].parameters; k++)
            add(&w->init, (hk_sound_call){.op = HK_OP_PARAMETER, .instance = i, .port = k});
    for (uint32_t p = 0; p < w->system->port_count; p++)
        if (w->system->ports[p].initial)
            add(&w->init, (hk_sound_call){.op = HK_OP_SET,
                                          .port = p,
                                          .instance = w->system->ports[p].instance});
}

static hk_sound_call exchange_call(const work *w, const hk_init_node *node) {
    return (hk_sound_call){.op = node->connection == HK_MAP_NONE ? HK_OP_GET : HK_OP_SET,
                           .port = w->system->port_of[node->component][node->variable],
                           .instance = node->component,
                           .exchange = true,
                           .as = HK_MAP_NONE};
}

/* A group of more than one is iterated until its ports settle. */
static hk_sound_call iteration(const work *w, const hk_init_node *nodes, size_t count) {
    hk_sound_loop *loop = HK_NEW(w->arena, hk_sound_loop);
    hk_sound_call *body = HK_NEW_ARRAY(w->arena, hk_sound_call, count);
    uint32_t *watched = HK_NEW_ARRAY(w->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        body[i] = exchange_call(w, &nodes[i]);
        watched[i] = body[i].port;
    }
    *loop = (hk_sound_loop){.kind = HK_LOOP_CONVERGED,
                            .watched = watched,
                            .watched_count = count,
                            .body = body,
                            .body_count = count};
    return (hk_sound_call){.op = HK_OP_LOOP, .exchange = true, .loop = loop};
}

static void add_exchange(work *w) {
    const hk_plan *plan = w->plan;
    size_t begin = 0;
    for (size_t g = 0; g < plan->init_group_count; g++) {
        size_t count = plan->init_group_end[g] - begin;
        add(&w->init, count == 1 ? exchange_call(w, &plan->init_nodes[begin])
                                 : iteration(w, &plan->init_nodes[begin], count));
        begin = plan->init_group_end[g];
    }
}

static void add_ports(work *w, list *to, bool outputs, members from, const bool *part) {
    for (size_t i = 0; i < from.count; i++) {
        const hk_sound_port *port = &w->system->ports[from.all[i]];
        if (part[from.all[i]] && port->is_output == outputs)
            add(to, (hk_sound_call){.op = outputs ? HK_OP_GET : HK_OP_SET,
                                    .port = from.all[i],
                                    .instance = port->instance});
    }
}

static uint32_t level_of(const work *w, uint32_t index, bool is_port) {
    return w->plan->components[is_port ? w->system->ports[index].instance : index].level;
}

/* COUNT ports or components, level by level, each level in their own order. */
static members *by_level(const work *w, size_t count, bool are_ports, size_t levels) {
    members *found = HK_NEW_ARRAY(w->arena, members, levels);
    uint32_t *all = HK_NEW_ARRAY(w->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        found[level_of(w, i, are_ports)].count++;
    for (size_t level = 0; level < levels; level++) {
        found[level].all = all;
        all += found[level].count;
        found[level].count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        members *to = &found[level_of(w, i, are_ports)];
        to->all[to->count++] = i;
    }
    return found;
}

static members every_port(hk_arena *arena, const hk_sound_system *system) {
    members all = {HK_NEW_ARRAY(arena, uint32_t, system->port_count), system->port_count};
    for (uint32_t p = 0; p < system->port_count; p++)
        all.all[p] = p;
    return all;
}

/* Calls of one phase share the list of those they come after: the phase before. */
static void order(work *w, const size_t *ends, size_t phases, hk_sound_master *master) {
    size_t count = w->step.count;
    const uint32_t **before = HK_NEW_ARRAY(w->arena, const uint32_t *, count);
    size_t *before_count = HK_NEW_ARRAY(w->arena, size_t, count);
    uint32_t *all = HK_NEW_ARRAY(w->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    size_t last = 0, begin = 0; /* of the newest phase that was not empty */
    for (size_t p = 0; p < phases; p++) {
        for (size_t i = begin; i < ends[p]; i++) {
            before[i] = &all[last];
            before_count[i] = begin - last;
        }
        last = ends[p] > begin ? begin : last;
        begin = ends[p];
    }
    master->before = before;
    master->before_count = before_count;
}

hk_sound_master *hk_sound_master_of_plan(hk_arena *arena, const hk_sound_system *system,
                                         const hk_plan *plan) {
    work w = {.arena = arena, .system = system, .plan = plan};
    hk_sound_master *master = HK_NEW(arena, hk_sound_master);
    const bool *part = taking_part(arena, system);
    add_settings(&w);
    add_exchange(&w);
    add_ports(&w, &w.init, true, every_port(arena, system), part);
    size_t levels = plan->level_count ? plan->level_count : 1;
    size_t *ends = HK_NEW_ARRAY(arena, size_t, 3 * levels);
    const members *ports = by_level(&w, system->port_count, true, levels);
    const members *instances = by_level(&w, system->instance_count, false, levels);
    for (uint32_t level = 0; level < levels; level++) {
        add_ports(&w, &w.step, false, ports[level], part);
        ends[3 * level] = w.step.count;
        for (size_t i = 0; i < instances[level].count; i++)
            add(&w.step, (hk_sound_call){.op = HK_OP_STEP, .instance = instances[level].all[i]});
        ends[3 * level + 1] = w.step.count;
        add_ports(&w, &w.step, true, ports[level], part);
        ends[3 * level + 2] = w.step.count;
    }
    order(&w, ends, 3 * levels, master);
    master->init = keep(arena, &w.init, &master->init_count);
    master->step = keep(arena, &w.step, &master->step_count);
    return master;
}
