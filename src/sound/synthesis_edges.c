/* SPDX-License-Identifier: MIT
 *
 * What must come first in a synthesis: the edges of its graph. Where each of many must come before
 * each of many others, a node without an operation is between them, so that all is linear. */
#include "sound/synthesis.h"

#include <string.h>

void hk_needs_of(hk_needs *g, hk_arena *arena, const hk_sound_system *system) {
    *g = (hk_needs){.arena = arena, .system = system};
    hk_needs_begin(g, (uint32_t)(system->port_count + 2 * system->instance_count));
    g->used_output = hk_alloc(system->port_count + 1);
    g->closed = hk_alloc(system->instance_count + 1);
    g->local = hk_alloc(((size_t)g->node_count + 1) * sizeof *g->local);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        if (!port->is_output && port->source != HK_MAP_NONE)
            g->used_output[port->source] = g->present[p] = true;
        else if (port->is_output && port->observed)
            g->used_output[p] = true;
        else
            g->present[p] = port->observed;
    }
    for (uint32_t p = 0; p < system->port_count; p++)
        g->present[p] = g->present[p] || g->used_output[p];
}

/* There are cycles in which both take part. */
static bool meet(const hk_sound_system *system, uint32_t a, uint32_t b) {
    const hk_sound_instance *x = &system->instances[a], *y = &system->instances[b];
    int64_t one = x->rate > 1 ? x->rate : 1, other = y->rate > 1 ? y->rate : 1;
    return (x->first - y->first) % hk_gcd(one, other) == 0;
}

/* EARLY: only where an order within a cycle matters. Of two that never meet the value is one of a
 * cycle before, whichever is first. */
static void add_values(hk_needs *g, bool early) {
    const hk_sound_port *ports = g->system->ports;
    for (uint32_t p = 0; p < g->system->port_count; p++) {
        if (ports[p].is_output || ports[p].source == HK_MAP_NONE)
            continue;
        bool at_once = ports[p].reactive &&
                       meet(g->system, ports[p].instance, ports[ports[p].source].instance);
        if (!early || at_once)
            hk_needs_add(g, ports[p].source, p, HK_NEED_VALUE);
    }
}

/* False: nothing acts on anything else at once. */
bool hk_needs_init(hk_needs *g) {
    add_values(g, false);
    size_t values = g->edge_count;
    for (uint32_t p = 0; p < g->system->port_count; p++)
        for (size_t i = 0; i < g->system->ports[p].depends_init_count; i++)
            hk_needs_add(g, g->system->ports[p].depends_init[i], p, HK_NEED_ORDER);
    return g->edge_count > values;
}

/* An output that is read after a delayed input was set: FMI does not allow that anyhow. */
uint32_t hk_needs_delayed(const hk_needs *g, uint32_t output) {
    const hk_sound_port *port = &g->system->ports[output];
    for (size_t i = 0; i < port->depends_count; i++) {
        const hk_sound_port *input = &g->system->ports[port->depends[i]];
        if (!input->reactive && input->source != HK_MAP_NONE)
            return port->depends[i];
    }
    return HK_MAP_NONE;
}

static void add_port_edges(hk_needs *g, uint32_t p) {
    const hk_sound_port *port = &g->system->ports[p];
    uint32_t step = hk_needs_step(g, port->instance), gate = hk_needs_gate(g, port->instance);
    if (port->is_output) {
        hk_needs_add(g, step, p, HK_NEED_ORDER);
        for (size_t i = 0; i < port->depends_count; i++)
            hk_needs_add(g, port->depends[i], p, HK_NEED_ORDER);
        if (hk_needs_delayed(g, p) == HK_MAP_NONE)
            hk_needs_add(g, p, gate, HK_NEED_FMI);
    } else if (port->reactive) {
        hk_needs_add(g, p, step, HK_NEED_ORDER);
    } else if (g->early) {
        hk_needs_add(g, p, step, HK_NEED_ORDER);
        if (port->source != HK_MAP_NONE)
            hk_needs_add(g, p, hk_needs_step(g, g->system->ports[port->source].instance),
                         HK_NEED_ORDER);
    } else {
        hk_needs_add(g, step, p, HK_NEED_ORDER);
        hk_needs_add(g, gate, p, HK_NEED_FMI);
    }
}

/* Those that may reject a step, and all that feed them through reactive inputs. */
static void close_rejecting(hk_needs *g) {
    const hk_sound_system *system = g->system;
    uint32_t *todo = hk_alloc((system->instance_count + 1) * sizeof *todo);
    uint32_t *head = hk_alloc((system->instance_count + 1) * sizeof *head);
    uint32_t *next = hk_alloc((system->port_count + 1) * sizeof *next);
    size_t count = 0;
    memset(head, 0xff, (system->instance_count + 1) * sizeof *head);
    for (uint32_t p = 0; p < system->port_count; p++)
        if (g->present[p] && !system->ports[p].is_output && hk_needs_is_reactive(g, p)) {
            next[p] = head[system->ports[p].instance];
            head[system->ports[p].instance] = p;
        }
    for (uint32_t i = 0; i < system->instance_count; i++)
        if ((g->closed[i] = system->instances[i].can_reject))
            todo[count++] = i;
    for (size_t i = 0; i < count; i++)
        for (uint32_t p = head[todo[i]]; p != HK_MAP_NONE; p = next[p]) {
            uint32_t feeder = system->ports[system->ports[p].source].instance;
            if (!g->closed[feeder]) {
                g->closed[feeder] = true;
                todo[count++] = feeder;
            }
        }
    g->closed_count = count;
    hk_free(todo);
    hk_free(head);
    hk_free(next);
}

/* A ring through the closed set makes it one component; one of it comes before all others. */
static void add_size_edges(hk_needs *g) {
    uint32_t head = HK_MAP_NONE, last = HK_MAP_NONE;
    for (uint32_t i = 0; i < g->system->instance_count; i++) {
        if (!g->closed[i])
            continue;
        if (last != HK_MAP_NONE)
            hk_needs_add(g, hk_needs_step(g, last), hk_needs_step(g, i), HK_NEED_SIZE);
        head = head == HK_MAP_NONE ? i : head;
        last = i;
    }
    if (head == HK_MAP_NONE)
        return;
    if (head != last)
        hk_needs_add(g, hk_needs_step(g, last), hk_needs_step(g, head), HK_NEED_SIZE);
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        if (!g->closed[i])
            hk_needs_add(g, hk_needs_step(g, last), hk_needs_step(g, i), HK_NEED_SIZE);
}

/* Of two callers that see each other's changes, the plan says who is stepped first. */
static void add_caller_edges(hk_needs *g, const hk_plan *plan) {
    for (uint32_t i = 0; i < plan->dependency_count; i++)
        for (uint32_t k = 0; k < plan->dependency_count; k++) {
            uint32_t a = plan->dependencies[i].to, b = plan->dependencies[k].to;
            uint32_t x = plan->components[a].level, y = plan->components[b].level;
            bool first = x < y || (x == y && a < b);
            if (hk_plan_caller_sees(plan, i, k))
                hk_needs_add(g, hk_needs_step(g, first ? a : b), hk_needs_step(g, first ? b : a),
                             HK_NEED_ORDER);
        }
}

/* Of two that meet and of which one calls the other, too. */
static void add_service_edges(hk_needs *g) {
    const hk_plan *plan = g->system->plan;
    for (uint32_t i = 0; plan && i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        if (d->from != d->to && meet(g->system, d->from, d->to))
            hk_needs_add(g, hk_needs_step(g, d->lag ? d->to : d->from),
                         hk_needs_step(g, d->lag ? d->from : d->to), HK_NEED_ORDER);
    }
    if (plan)
        add_caller_edges(g, plan);
}

void hk_needs_steps(hk_needs *g) {
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        g->present[hk_needs_step(g, i)] = g->present[hk_needs_gate(g, i)] = true;
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        g->early = g->early || g->system->instances[i].rate > 1 || g->system->instances[i].first;
    add_values(g, g->early);
    for (uint32_t p = 0; p < g->system->port_count; p++)
        add_port_edges(g, p);
    add_service_edges(g);
    close_rejecting(g);
    add_size_edges(g);
}

/* Where wishes of FMI close a cycle they cannot be granted. */
bool hk_needs_drop_wishes(hk_needs *g) {
    bool dropped = false;
    for (size_t i = 0; i < g->edge_count; i++) {
        hk_need *e = &g->edges[i];
        if (e->kind == HK_NEED_FMI && !e->gone && g->component[e->from] == g->component[e->to])
            e->gone = dropped = true;
    }
    return dropped;
}
