/* SPDX-License-Identifier: MIT
 *
 * What comes before the first cycle: start values, then the exchange of initial values in
 * initialization mode. There every output that drives an input is read, after the inputs it depends
 * on were set, and every input is set to what was read from its source. Loops are passed several
 * times; what is set in their first pass comes from nowhere. */
#include "plan/graph.h"
#include "sound/sound_trace.h"

struct hk_trace_init {
    hk_arena *arena;
    const hk_sound_system *system;
    hk_trace_values *values;
    bool *done;        /* per port: set, or got */
    bool *in_loop;     /* per port */
    bool *own;         /* per port: an input whose connection has an initial value */
    bool *drives;      /* per port: an output that an input without one waits for */
    bool *several;     /* per port: an input that several connections drive, in parts */
    uint32_t **starts; /* per component and variable: start values so far */
    bool started;      /* a start value has come */
    bool exchanged;    /* something of the exchange has come */
};

/* Ends of connections that the plan iterates. */
static void find_loops(hk_trace_init *t) {
    const hk_plan *plan = t->system->plan;
    bool *driven = HK_NEW_ARRAY(t->arena, bool, t->system->port_count);
    for (size_t g = 0, begin = 0; g < plan->init_group_count; begin = plan->init_group_end[g++])
        for (size_t i = begin; i < plan->init_group_end[g]; i++) {
            const hk_init_node *node = &plan->init_nodes[i];
            uint32_t port = t->system->port_of[node->component][node->variable];
            if (port != HK_MAP_NONE && plan->init_group_end[g] - begin > 1)
                t->in_loop[port] = true;
        }
    for (size_t i = 0; i < plan->model->connection_count; i++) {
        const hk_connection *k = &plan->model->connections[i];
        uint32_t to = t->system->port_of[k->to_component][k->to_variable];
        t->own[to] = t->own[to] || k->initial.data;
        t->several[to] = driven[to];
        driven[to] = true;
    }
}

/* Without a plan: what reaches itself through connections and dependencies, which lead from inputs
 * to outputs and back. */
static void find_circles(hk_trace_init *t) {
    uint32_t n = (uint32_t)t->system->port_count;
    hk_edge *edges = NULL;
    size_t count = 0, cap = 0;
    for (uint32_t p = 0; p < n; p++) {
        const hk_sound_port *port = &t->system->ports[p];
        for (size_t i = 0; port->is_output && i < port->depends_init_count; i++)
            HK_PUSH(edges, count, cap, ((hk_edge){p, port->depends_init[i], 0}));
        if (!port->is_output && port->source != HK_MAP_NONE)
            HK_PUSH(edges, count, cap, ((hk_edge){p, port->source, 0}));
    }
    uint32_t *part_of = hk_alloc((n + 1) * sizeof *part_of);
    uint32_t *sizes = hk_alloc((n + 1) * sizeof *sizes);
    hk_graph graph;
    hk_graph_init(&graph, n, edges, count);
    (void)hk_graph_parts(&graph, part_of);
    hk_graph_finish(&graph);
    for (uint32_t p = 0; p < n; p++)
        sizes[part_of[p]]++;
    for (uint32_t p = 0; p < n; p++)
        t->in_loop[p] = sizes[part_of[p]] > 1;
    hk_free(edges);
    hk_free(part_of);
    hk_free(sizes);
}

hk_trace_init *hk_trace_init_make(hk_arena *arena, const hk_sound_system *system,
                                  hk_trace_values *values) {
    hk_trace_init *t = HK_NEW(arena, hk_trace_init);
    *t = (hk_trace_init){.arena = arena,
                         .system = system,
                         .values = values,
                         .done = HK_NEW_ARRAY(arena, bool, system->port_count),
                         .in_loop = HK_NEW_ARRAY(arena, bool, system->port_count),
                         .own = HK_NEW_ARRAY(arena, bool, system->port_count),
                         .several = HK_NEW_ARRAY(arena, bool, system->port_count),
                         .drives = HK_NEW_ARRAY(arena, bool, system->port_count)};
    if (system->plan) {
        find_loops(t);
        t->starts = HK_NEW_ARRAY(arena, uint32_t *, system->instance_count);
        for (size_t c = 0; c < system->instance_count; c++)
            t->starts[c] = HK_NEW_ARRAY(arena, uint32_t,
                                        system->plan->model->components[c].info->variable_count);
    }
    if (!system->plan)
        find_circles(t);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        if (!port->is_output && port->source != HK_MAP_NONE && !t->own[p])
            t->drives[port->source] = true;
    }
    return t;
}

static const char *take_start(hk_trace_init *t, const hk_sound_call *call) {
    const hk_component *component = &t->system->plan->model->components[call->instance];
    if (t->exchanged)
        return hk_arena_printf(t->arena, "%s.%s is given a start value in initialization mode",
                               component->name, component->info->variables[call->port].name);
    t->started = true;
    return hk_trace_values_start(t->values, call, t->starts[call->instance][call->port]++);
}

static const char *take_get(hk_trace_init *t, const hk_sound_call *call) {
    const hk_sound_port *port = &t->system->ports[call->port];
    for (size_t i = 0; i < port->depends_init_count && !t->in_loop[call->port]; i++) {
        uint32_t on = port->depends_init[i];
        if (t->system->ports[on].source != HK_MAP_NONE && !t->done[on])
            return hk_arena_printf(t->arena, "get %s: %s, which it depends on, was not set yet",
                                   port->name, t->system->ports[on].name);
    }
    hk_trace_values_got(t->values, call, -(double)INFINITY);
    t->done[call->port] = true;
    return NULL;
}

static const char *take_set(hk_trace_init *t, const hk_sound_call *call) {
    const hk_sound_port *port = &t->system->ports[call->port];
    bool waits = port->source != HK_MAP_NONE && !t->own[call->port] && !t->several[call->port];
    if (waits && !t->done[port->source] && !t->in_loop[call->port] && !port->initial)
        return hk_arena_printf(t->arena, "set %s: %s was not read yet", port->name,
                               t->system->ports[port->source].name);
    t->done[call->port] = true;
    hk_sound_call part = *call; /* parts of it may still be to come */
    part.altered = call->altered || t->several[call->port];
    return hk_trace_values_set(t->values, &part, -(double)INFINITY);
}

const char *hk_trace_init_take(hk_trace_init *t, const hk_sound_call *call) {
    if (call->op == HK_OP_PARAMETER && t->system->plan)
        return take_start(t, call);
    t->exchanged = true;
    if (call->op == HK_OP_GET)
        return take_get(t, call);
    if (call->op == HK_OP_SET)
        return take_set(t, call);
    return call->op == HK_OP_STEP ? hk_arena_printf(t->arena, "%s in initialization mode",
                                                    hk_sound_call_text(t->arena, t->system, call))
                                  : NULL;
}

static const char *missing_start(const hk_trace_init *t) {
    for (size_t c = 0; t->system->plan && c < t->system->instance_count; c++) {
        const hk_component *component = &t->system->plan->model->components[c];
        for (size_t i = 0; i < component->setting_count; i++)
            if (!t->starts[c][component->settings[i].variable])
                return hk_arena_printf(
                    t->arena, "initialization is over, and %s.%s was not given its start value",
                    component->name,
                    component->info->variables[component->settings[i].variable].name);
    }
    return NULL;
}

size_t hk_trace_init_unstarted(const hk_trace_init *t) {
    size_t count = 0;
    for (size_t c = 0; t->system->plan && !t->started && c < t->system->instance_count; c++)
        count += t->system->instances[c].parameters;
    return count;
}

const char *hk_trace_init_end(const hk_trace_init *t) {
    for (size_t p = 0; p < t->system->port_count; p++) {
        const hk_sound_port *port = &t->system->ports[p];
        bool due = port->is_output ? t->drives[p] : port->source != HK_MAP_NONE;
        if (due && !t->done[p])
            return hk_arena_printf(t->arena, "initialization is over, and %s was not %s",
                                   port->name, port->is_output ? "read" : "set");
    }
    return t->started ? missing_start(t) : NULL; /* others may not write them down at all */
}
