/* SPDX-License-Identifier: MIT
 *
 * Makes a correct orchestration algorithm for a scenario. The operations are nodes of a hk_needs
 * whose edges say what must come first; what leads back to itself is a loop and is solved by
 * iteration.
 *
 * Everything is linear: where each of many must come before each of many others, a node without an
 * operation stands between them. */
#include "sound/synthesis.h"

#include <string.h>

typedef struct list {
    hk_sound_call *calls;
    size_t count, cap;
} list;

static uint32_t step_node(const hk_needs *g, uint32_t instance) {
    return (uint32_t)g->system->port_count + instance;
}

static uint32_t gate_node(const hk_needs *g, uint32_t instance) {
    return step_node(g, instance) + (uint32_t)g->system->instance_count;
}

static uint32_t owner_of(const hk_needs *g, uint32_t node) {
    uint32_t ports = (uint32_t)g->system->port_count, count = (uint32_t)g->system->instance_count;
    return node < ports ? g->system->ports[node].instance : (node - ports) % count;
}

static bool is_step(const hk_needs *g, uint32_t node) {
    return node >= g->system->port_count &&
           node < g->system->port_count + g->system->instance_count;
}

static bool is_get(const hk_needs *g, uint32_t node) {
    return node < g->system->port_count && g->system->ports[node].is_output;
}

/* One that nothing is connected to is always fresh: it waits for nothing. */
static bool is_reactive_input(const hk_needs *g, uint32_t node) {
    return g->system->ports[node].reactive && g->system->ports[node].source != HK_MAP_NONE;
}

/* ---- the graph ------------------------------------------------------------------------------- */

static void begin(hk_needs *g, hk_arena *arena, const hk_sound_system *system) {
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
 * cycle before, whichever stands first. */
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
static bool add_init_edges(hk_needs *g) {
    add_values(g, false);
    size_t values = g->edge_count;
    for (uint32_t p = 0; p < g->system->port_count; p++)
        for (size_t i = 0; i < g->system->ports[p].depends_init_count; i++)
            hk_needs_add(g, g->system->ports[p].depends_init[i], p, HK_NEED_ORDER);
    return g->edge_count > values;
}

/* An output that is read after a delayed input was set: FMI does not allow that anyhow. */
static uint32_t delayed_dependency(const hk_needs *g, uint32_t output) {
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
    uint32_t step = step_node(g, port->instance), gate = gate_node(g, port->instance);
    if (port->is_output) {
        hk_needs_add(g, step, p, HK_NEED_ORDER);
        for (size_t i = 0; i < port->depends_count; i++)
            hk_needs_add(g, port->depends[i], p, HK_NEED_ORDER);
        if (delayed_dependency(g, p) == HK_MAP_NONE)
            hk_needs_add(g, p, gate, HK_NEED_FMI);
    } else if (port->reactive) {
        hk_needs_add(g, p, step, HK_NEED_ORDER);
    } else if (g->early) {
        hk_needs_add(g, p, step, HK_NEED_ORDER);
        if (port->source != HK_MAP_NONE)
            hk_needs_add(g, p, step_node(g, g->system->ports[port->source].instance),
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
        if (g->present[p] && !system->ports[p].is_output && is_reactive_input(g, p)) {
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
            hk_needs_add(g, step_node(g, last), step_node(g, i), HK_NEED_SIZE);
        head = head == HK_MAP_NONE ? i : head;
        last = i;
    }
    if (head == HK_MAP_NONE)
        return;
    if (head != last)
        hk_needs_add(g, step_node(g, last), step_node(g, head), HK_NEED_SIZE);
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        if (!g->closed[i])
            hk_needs_add(g, step_node(g, last), step_node(g, i), HK_NEED_SIZE);
}

/* Of two callers that see each other's changes, the plan says who is stepped first. */
static void add_caller_edges(hk_needs *g, const hk_plan *plan) {
    for (uint32_t i = 0; i < plan->dependency_count; i++)
        for (uint32_t k = 0; k < plan->dependency_count; k++) {
            uint32_t a = plan->dependencies[i].to, b = plan->dependencies[k].to;
            uint32_t x = plan->components[a].level, y = plan->components[b].level;
            bool first = x < y || (x == y && a < b);
            if (hk_plan_caller_sees(plan, i, k))
                hk_needs_add(g, step_node(g, first ? a : b), step_node(g, first ? b : a),
                             HK_NEED_ORDER);
        }
}

/* Of two that meet and of which one calls the other, too. */
static void add_service_edges(hk_needs *g) {
    const hk_plan *plan = g->system->plan;
    for (uint32_t i = 0; plan && i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        if (d->from != d->to && meet(g->system, d->from, d->to))
            hk_needs_add(g, step_node(g, d->lag ? d->to : d->from),
                         step_node(g, d->lag ? d->from : d->to), HK_NEED_ORDER);
    }
    if (plan)
        add_caller_edges(g, plan);
}

static void add_step_edges(hk_needs *g) {
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        g->present[step_node(g, i)] = g->present[gate_node(g, i)] = true;
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
static bool drop_wishes(hk_needs *g) {
    bool dropped = false;
    for (size_t i = 0; i < g->edge_count; i++) {
        hk_need *e = &g->edges[i];
        if (e->kind == HK_NEED_FMI && !e->gone && g->component[e->from] == g->component[e->to])
            e->gone = dropped = true;
    }
    return dropped;
}

/* ---- operations ------------------------------------------------------------------------------ */

static void add(list *to, hk_sound_call call) {
    HK_PUSH(to->calls, to->count, to->cap, call);
}

static const hk_sound_call *keep(hk_arena *arena, list *from, size_t *ret_count) {
    hk_sound_call *calls = HK_NEW_ARRAY(arena, hk_sound_call, from->count + 1);
    if (from->count)
        memcpy(calls, from->calls, from->count * sizeof *calls);
    *ret_count = from->count;
    hk_free(from->calls);
    *from = (list){0};
    return calls;
}

static hk_sound_call instance_call(hk_sound_op op, uint32_t instance) {
    return (hk_sound_call){.op = op, .instance = instance, .as = HK_MAP_NONE};
}

static void emit(const hk_needs *g, uint32_t node, bool tentative, uint32_t as, list *to) {
    hk_sound_call call = {.instance = owner_of(g, node), .as = HK_MAP_NONE};
    if (!g->present[node])
        return;
    if (is_step(g, node)) {
        call.op = HK_OP_STEP;
        call.as = call.instance == as ? HK_MAP_NONE : as;
    } else if (node < g->system->port_count) {
        call.op = is_get(g, node) ? HK_OP_GET : HK_OP_SET;
        call.port = node;
        call.tentative = tentative;
    } else {
        return;
    }
    add(to, call);
}

/* The nodes of a component in an order that its edges allow; those for the size of steps are left
 * out. With BROKEN values flow only from earlier to later instances, as in Gauss-Seidel iterations:
 * what is left has no cycle. FED[i]: node i of the result gets a value in the same iteration.
 * False: a cycle was left. */
static bool order_part(hk_needs *g, const uint32_t *nodes, uint32_t count, bool broken,
                       uint32_t *sorted, bool *fed) {
    hk_needs part = {.arena = g->arena, .system = g->system};
    bool *gets_value = hk_alloc(count + 1);
    hk_needs_begin(&part, count);
    for (uint32_t i = 0; i < count; i++) {
        g->local[nodes[i]] = i + 1;
        part.present[i] = true;
    }
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = g->first[nodes[n]]; i < g->first[nodes[n] + 1]; i++) {
            const hk_need *e = &g->edges[g->out[i]];
            bool back = e->kind == HK_NEED_VALUE && owner_of(g, e->from) >= owner_of(g, e->to);
            if (e->kind == HK_NEED_SIZE || (broken && back) || !g->local[e->to])
                continue;
            hk_needs_add(&part, n, g->local[e->to] - 1, e->kind);
            gets_value[g->local[e->to] - 1] |= e->kind == HK_NEED_VALUE;
        }
    hk_needs_sort(&part);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = nodes[part.nodes[i]];
        fed[i] = gets_value[part.nodes[i]];
        g->local[nodes[i]] = 0;
    }
    bool acyclic = part.component_count == count;
    hk_free(gets_value);
    hk_needs_finish(&part);
    return acyclic;
}

/* Instances whose steps are among the nodes. */
static uint32_t *stepped(const hk_needs *g, const uint32_t *nodes, size_t count, bool rejecting,
                         size_t *ret_count) {
    uint32_t *found = HK_NEW_ARRAY(g->arena, uint32_t, count + 1);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t owner = owner_of(g, nodes[i]);
        if (is_step(g, nodes[i]) && (!rejecting || g->system->instances[owner].can_reject))
            found[n++] = owner;
    }
    *ret_count = n;
    return found;
}

static void add_restores(const uint32_t *instances, size_t count, hk_sound_loop *loop,
                         hk_arena *arena) {
    list retry = {0};
    for (size_t i = 0; i < count; i++)
        add(&retry, instance_call(HK_OP_RESTORE, instances[i]));
    loop->retry = keep(arena, &retry, &loop->retry_count);
}

/* Iterates until no output of the component changes. If instances are stepped in it they go back
 * before each iteration, and what is read is tentative. */
static hk_sound_call value_loop(hk_needs *g, const uint32_t *nodes, uint32_t count, uint32_t as) {
    hk_sound_loop *loop = HK_NEW(g->arena, hk_sound_loop);
    uint32_t *watched = HK_NEW_ARRAY(g->arena, uint32_t, count + 1);
    size_t step_count;
    uint32_t *steps = stepped(g, nodes, count, false, &step_count);
    uint32_t *sorted = hk_alloc((count + 1) * sizeof *sorted);
    bool *fed = hk_alloc(count + 1);
    list body = {0};
    order_part(g, nodes, count, true, sorted, fed);
    for (size_t i = 0; i < count; i++) {
        bool get = is_get(g, sorted[i]);
        emit(g, sorted[i], step_count && (get || fed[i]), as, &body);
        if (get)
            watched[loop->watched_count++] = sorted[i];
    }
    hk_free(sorted);
    hk_free(fed);
    loop->kind = HK_LOOP_CONVERGED;
    loop->watched = watched;
    loop->body = keep(g->arena, &body, &loop->body_count);
    add_restores(steps, step_count, loop, g->arena);
    return (hk_sound_call){.op = HK_OP_LOOP, .as = HK_MAP_NONE, .loop = loop};
}

/* Repeats with smaller steps until all accept. */
static hk_sound_call size_loop(hk_needs *g, const uint32_t *nodes, uint32_t count) {
    hk_sound_loop *loop = HK_NEW(g->arena, hk_sound_loop);
    size_t step_count;
    uint32_t *steps = stepped(g, nodes, count, false, &step_count);
    uint32_t *sorted = hk_alloc((count + 1) * sizeof *sorted);
    bool *fed = hk_alloc(count + 1);
    list body = {0};
    if (!order_part(g, nodes, count, false, sorted, fed))
        add(&body, value_loop(g, nodes, count, HK_MAP_NONE));
    else
        for (uint32_t i = 0; i < count; i++)
            emit(g, sorted[i], false, HK_MAP_NONE, &body);
    hk_free(sorted);
    hk_free(fed);
    loop->kind = HK_LOOP_ACCEPTED;
    loop->watched = stepped(g, nodes, count, true, &loop->watched_count);
    loop->body = keep(g->arena, &body, &loop->body_count);
    add_restores(steps, step_count, loop, g->arena);
    return (hk_sound_call){.op = HK_OP_LOOP, .as = HK_MAP_NONE, .loop = loop};
}

/* What is set before anything is read: parameters, and inputs that have values of their own. */
static void emit_settings(const hk_needs *g, list *to) {
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        for (uint32_t k = 0; k < g->system->instances[i].parameters; k++) {
            hk_sound_call call = instance_call(HK_OP_PARAMETER, i);
            call.port = k;
            add(to, call);
        }
    for (uint32_t p = 0; p < g->system->port_count; p++)
        if (!g->system->ports[p].is_output && g->system->ports[p].initial) {
            hk_sound_call call = instance_call(HK_OP_SET, g->system->ports[p].instance);
            call.port = p;
            add(to, call);
        }
}

/* Steps of several that may reject are negotiated. One alone is asked first and the others follow
 * it, unless it is part of a loop. */
static void emit_component(hk_needs *g, uint32_t component, uint32_t as, list *to) {
    uint32_t begin = component ? g->ends[component - 1] : 0, count = g->ends[component] - begin;
    const uint32_t *nodes = &g->nodes[begin];
    size_t step_count;
    bool rejecting = false;
    if (count == 1) {
        emit(g, nodes[0], false, as, to);
        return;
    }
    uint32_t *steps = stepped(g, nodes, count, false, &step_count);
    for (size_t i = 0; i < step_count; i++) {
        add(to, instance_call(HK_OP_SAVE, steps[i]));
        rejecting = rejecting || g->closed[steps[i]];
    }
    add(to, rejecting ? size_loop(g, nodes, count) : value_loop(g, nodes, count, as));
}

/* Steps, gets, sets: the kinds in the order in which they may come when nothing acts at once; or
 * sets first, where they are early. */
static int kind_of(const hk_needs *g, uint32_t component) {
    uint32_t begin = component ? g->ends[component - 1] : 0;
    for (uint32_t i = begin; i < g->ends[component]; i++)
        if (is_step(g, g->nodes[i]))
            return g->early ? 1 : 0;
    if (g->early)
        return is_get(g, g->nodes[begin]) ? 2 : 0;
    return is_get(g, g->nodes[begin]) ? 1 : 2;
}

/* GROUPED: all of one kind, then all of the next, as the phases of the specification are. */
static void emit_all(hk_needs *g, bool grouped, uint32_t as, list *to) {
    for (int kind = 0; kind < (grouped ? 3 : 1); kind++)
        for (uint32_t c = 0; c < g->component_count; c++)
            if (!grouped || kind_of(g, c) == kind)
                emit_component(g, c, as, to);
}

/* The one that the others follow; HK_MAP_NONE: none, or all take the same step anyhow. */
static uint32_t find_leader(const hk_needs *g) {
    for (uint32_t i = 0; i < g->system->instance_count && g->closed_count == 1; i++) {
        uint32_t c = g->component[step_node(g, i)];
        if (g->closed[i] && g->ends[c] - (c ? g->ends[c - 1] : 0) == 1)
            return i;
    }
    return HK_MAP_NONE;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static bool is_reactive(const hk_needs *g, uint32_t instance) {
    for (uint32_t p = 0; p < g->system->port_count; p++)
        if (g->present[p] && g->system->ports[p].instance == instance && is_reactive_input(g, p))
            return true;
    return false;
}

/* Loops go back in time: all that are stepped in them must be able to. */
static const char *find_unsaved(const hk_needs *g, const list *calls) {
    for (size_t i = 0; i < calls->count; i++) {
        uint32_t who = calls->calls[i].instance;
        const hk_sound_instance *instance = &g->system->instances[who];
        if (calls->calls[i].op != HK_OP_SAVE || instance->can_save)
            continue;
        return hk_arena_printf(
            g->arena,
            "%s is stepped in a loop that must be iterated, but it cannot save its state: %s",
            instance->name,
            is_reactive(g, who) ? "make one of its reactive inputs delayed"
                                : "let one instance alone reject steps, which the others follow");
    }
    return NULL;
}

static const char *find_illegal(const hk_needs *g) {
    for (uint32_t p = 0; p < g->system->port_count; p++) {
        const hk_sound_instance *owner = &g->system->instances[g->system->ports[p].instance];
        bool read = g->used_output[p] && owner->is_fmu;
        uint32_t input = read ? delayed_dependency(g, p) : HK_MAP_NONE;
        if (input != HK_MAP_NONE)
            return hk_arena_printf(
                g->arena,
                "%s depends without delay on %s, which is delayed and so is set after the step: it "
                "would be read after a set without a step in between, which FMI forbids. Ways out: "
                "(a) declare %s reactive; (b) read %s one step later, which adds a delay; (c) "
                "declare %s 'native' if it is known to bear that; (d) use FMI 3 with event mode",
                g->system->ports[p].name, g->system->ports[input].name,
                g->system->ports[input].name, g->system->ports[p].name, owner->name);
    }
    return NULL;
}

hk_sound_verdict hk_sound_synthesise(hk_arena *arena, const hk_sound_system *system,
                                     hk_sound_master **ret_master) {
    hk_sound_master *master = HK_NEW(arena, hk_sound_master);
    hk_sound_verdict verdict = {.holds = true};
    list calls = {0};
    hk_needs g;
    begin(&g, arena, system);
    bool grouped = !add_init_edges(&g);
    hk_needs_sort(&g);
    emit_settings(&g, &calls);
    emit_all(&g, grouped, HK_MAP_NONE, &calls);
    hk_needs_finish(&g);
    master->init = keep(arena, &calls, &master->init_count);
    begin(&g, arena, system);
    add_step_edges(&g);
    hk_needs_sort(&g);
    if (drop_wishes(&g))
        hk_needs_sort(&g);
    emit_all(&g, !hk_sound_unphased(arena, system), find_leader(&g), &calls);
    verdict.fmi = find_illegal(&g);
    verdict.why = find_unsaved(&g, &calls);
    hk_needs_finish(&g);
    master->step = keep(arena, &calls, &master->step_count);
    verdict.holds = !verdict.why;
    verdict.outcome = verdict.holds ? HK_SOUND_OK : HK_SOUND_VIOLATION;
    verdict.calls = master->init_count + master->step_count;
    *ret_master = verdict.holds ? master : NULL;
    return verdict;
}
