/* SPDX-License-Identifier: MIT
 *
 * Makes a correct orchestration algorithm for a scenario. The operations are nodes of a graph whose
 * edges say what must come first; what leads back to itself is a loop and is solved by iteration.
 *
 * Everything is linear: where each of many must come before each of many others, a node without an
 * operation stands between them. */
#include "sound/sound.h"

#include <string.h>

typedef enum edge_kind {
    EDGE_ORDER, /* within an instance, or of the sizes of steps */
    EDGE_VALUE, /* from an output to the input it drives */
    EDGE_FMI,   /* get before set; only wanted */
    EDGE_SIZE   /* those that may reject a step before the others */
} edge_kind;

typedef struct edge {
    uint32_t from, to;
    edge_kind kind;
    bool gone;
} edge;

/* Nodes: ports, then steps, then one per instance for EDGE_FMI. */
typedef struct graph {
    hk_arena *arena;
    const hk_sound_system *system;
    uint32_t node_count;
    bool *present;
    edge *edges;
    size_t edge_count, edge_cap;
    uint32_t *first, *out; /* edges of node n: out[first[n]] ... out[first[n + 1] - 1] */
    /* Components in an order in which edges only lead on, and their nodes one after the other. */
    uint32_t *component, *nodes, *ends;
    size_t component_count;
    bool *used_output; /* connected or observed */
    bool *closed;      /* instances: may reject, or feed one that does without delay */
    size_t closed_count;
    uint32_t *local; /* nodes of the component at hand: their number in it, plus 1 */
    /* Rates differ: what a delayed input must be at its next activation may not be there yet when
     * it has been stepped. So it is set at the beginning of its own cycle, before its source is
     * stepped there. */
    bool early;
} graph;

typedef struct list {
    hk_sound_call *calls;
    size_t count, cap;
} list;

static uint32_t step_node(const graph *g, uint32_t instance) {
    return (uint32_t)g->system->port_count + instance;
}

static uint32_t gate_node(const graph *g, uint32_t instance) {
    return step_node(g, instance) + (uint32_t)g->system->instance_count;
}

static uint32_t owner_of(const graph *g, uint32_t node) {
    uint32_t ports = (uint32_t)g->system->port_count, count = (uint32_t)g->system->instance_count;
    return node < ports ? g->system->ports[node].instance : (node - ports) % count;
}

static bool is_step(const graph *g, uint32_t node) {
    return node >= g->system->port_count &&
           node < g->system->port_count + g->system->instance_count;
}

static bool is_get(const graph *g, uint32_t node) {
    return node < g->system->port_count && g->system->ports[node].is_output;
}

/* ---- the graph ------------------------------------------------------------------------------- */

static void add_edge(graph *g, uint32_t from, uint32_t to, edge_kind kind) {
    edge e = {.from = from, .to = to, .kind = kind};
    if (g->present[from] && g->present[to])
        HK_PUSH(g->edges, g->edge_count, g->edge_cap, e);
}

static void allocate(graph *g, uint32_t node_count) {
    size_t n = (size_t)node_count + 2;
    g->node_count = node_count;
    g->present = hk_alloc(n);
    g->first = hk_alloc(n * sizeof *g->first);
    g->component = hk_alloc(n * sizeof *g->component);
    g->nodes = hk_alloc(n * sizeof *g->nodes);
    g->ends = hk_alloc(n * sizeof *g->ends);
}

static void begin(graph *g, hk_arena *arena, const hk_sound_system *system) {
    *g = (graph){.arena = arena, .system = system};
    allocate(g, (uint32_t)(system->port_count + 2 * system->instance_count));
    g->used_output = hk_alloc(system->port_count + 1);
    g->closed = hk_alloc(system->instance_count + 1);
    g->local = hk_alloc(((size_t)g->node_count + 1) * sizeof *g->local);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        if (!port->is_output && port->source != HK_MAP_NONE)
            g->used_output[port->source] = g->present[p] = true;
        else if (port->is_output && port->observed)
            g->used_output[p] = true;
    }
    for (uint32_t p = 0; p < system->port_count; p++)
        g->present[p] = g->present[p] || g->used_output[p];
}

static void end(graph *g) {
    hk_free(g->present);
    hk_free(g->used_output);
    hk_free(g->closed);
    hk_free(g->local);
    hk_free(g->edges);
    hk_free(g->first);
    hk_free(g->out);
    hk_free(g->component);
    hk_free(g->nodes);
    hk_free(g->ends);
}

static void index_edges(graph *g) {
    memset(g->first, 0, (g->node_count + 2) * sizeof *g->first);
    g->out = hk_realloc(g->out, (g->edge_count + 1) * sizeof *g->out);
    for (size_t i = 0; i < g->edge_count; i++)
        if (!g->edges[i].gone)
            g->first[g->edges[i].from + 2]++;
    for (uint32_t n = 0; n < g->node_count; n++)
        g->first[n + 2] += g->first[n + 1];
    for (size_t i = 0; i < g->edge_count; i++)
        if (!g->edges[i].gone)
            g->out[g->first[g->edges[i].from + 1]++] = (uint32_t)i;
}

typedef struct tarjan {
    uint32_t *index, *low, *stack, *path, *next;
    size_t stack_size, depth;
    uint32_t count;
    bool *on_stack;
} tarjan;

static void enter(graph *g, tarjan *t, uint32_t node) {
    t->index[node] = t->low[node] = ++t->count;
    t->stack[t->stack_size++] = node;
    t->on_stack[node] = true;
    t->next[node] = g->first[node];
    t->path[t->depth++] = node;
}

/* All edges of the node on top of the path have been followed. Components are found from the last
 * to the first: they are numbered and stored from the back. */
static void leave(graph *g, tarjan *t, uint32_t *place) {
    uint32_t node = t->path[--t->depth], other;
    if (t->depth && t->low[node] < t->low[t->path[t->depth - 1]])
        t->low[t->path[t->depth - 1]] = t->low[node];
    if (t->low[node] != t->index[node])
        return;
    g->component_count++;
    do {
        other = t->stack[--t->stack_size];
        t->on_stack[other] = false;
        g->component[other] = (uint32_t)(g->node_count - g->component_count);
        g->nodes[--*place] = other;
    } while (other != node);
}

/* Strongly connected components (Tarjan), without recursion. Roots are taken from the last node to
 * the first, so that what is in no order comes in the order of the scenario. */
static void find_components(graph *g) {
    size_t n = (size_t)g->node_count + 1;
    tarjan t = {.index = hk_alloc(n * sizeof *t.index),
                .low = hk_alloc(n * sizeof *t.low),
                .stack = hk_alloc(n * sizeof *t.stack),
                .path = hk_alloc(n * sizeof *t.path),
                .next = hk_alloc(n * sizeof *t.next),
                .on_stack = hk_alloc(n)};
    uint32_t place = g->node_count;
    index_edges(g);
    g->component_count = 0;
    for (uint32_t root = g->node_count; root-- > 0;) {
        if (!t.index[root])
            enter(g, &t, root);
        while (t.depth) {
            uint32_t node = t.path[t.depth - 1];
            if (t.next[node] == g->first[node + 1]) {
                leave(g, &t, &place);
                continue;
            }
            uint32_t to = g->edges[g->out[t.next[node]++]].to;
            if (!t.index[to])
                enter(g, &t, to);
            else if (t.on_stack[to] && t.index[to] < t.low[node])
                t.low[node] = t.index[to];
        }
    }
    uint32_t shift = (uint32_t)(g->node_count - g->component_count);
    for (uint32_t i = 0; i < g->node_count; i++) {
        g->component[i] -= shift;
        g->ends[g->component[i]] = 0;
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        g->ends[g->component[g->nodes[i]]] = i + 1;
    hk_free(t.index);
    hk_free(t.low);
    hk_free(t.stack);
    hk_free(t.path);
    hk_free(t.next);
    hk_free(t.on_stack);
}

/* EARLY: the values of delayed inputs are those of an earlier cycle. */
static void add_values(graph *g, bool early) {
    for (uint32_t p = 0; p < g->system->port_count; p++) {
        const hk_sound_port *port = &g->system->ports[p];
        if (!port->is_output && port->source != HK_MAP_NONE && (!early || port->reactive))
            add_edge(g, port->source, p, EDGE_VALUE);
    }
}

/* False: nothing acts on anything else at once. */
static bool add_init_edges(graph *g) {
    add_values(g, false);
    size_t values = g->edge_count;
    for (uint32_t p = 0; p < g->system->port_count; p++)
        for (size_t i = 0; i < g->system->ports[p].depends_init_count; i++)
            add_edge(g, g->system->ports[p].depends_init[i], p, EDGE_ORDER);
    return g->edge_count > values;
}

/* An output that is read after a delayed input was set: FMI does not allow that anyhow. */
static uint32_t delayed_dependency(const graph *g, uint32_t output) {
    const hk_sound_port *port = &g->system->ports[output];
    for (size_t i = 0; i < port->depends_count; i++) {
        const hk_sound_port *input = &g->system->ports[port->depends[i]];
        if (!input->reactive && input->source != HK_MAP_NONE)
            return port->depends[i];
    }
    return HK_MAP_NONE;
}

static void add_port_edges(graph *g, uint32_t p) {
    const hk_sound_port *port = &g->system->ports[p];
    uint32_t step = step_node(g, port->instance), gate = gate_node(g, port->instance);
    if (port->is_output) {
        add_edge(g, step, p, EDGE_ORDER);
        for (size_t i = 0; i < port->depends_count; i++)
            add_edge(g, port->depends[i], p, EDGE_ORDER);
        if (delayed_dependency(g, p) == HK_MAP_NONE)
            add_edge(g, p, gate, EDGE_FMI);
    } else if (port->reactive) {
        add_edge(g, p, step, EDGE_ORDER);
    } else if (g->early) {
        add_edge(g, p, step, EDGE_ORDER);
        if (port->source != HK_MAP_NONE)
            add_edge(g, p, step_node(g, g->system->ports[port->source].instance), EDGE_ORDER);
    } else {
        add_edge(g, step, p, EDGE_ORDER);
        add_edge(g, gate, p, EDGE_FMI);
    }
}

/* Those that may reject a step, and all that feed them through reactive inputs. */
static void close_rejecting(graph *g) {
    const hk_sound_system *system = g->system;
    uint32_t *todo = hk_alloc((system->instance_count + 1) * sizeof *todo);
    uint32_t *head = hk_alloc((system->instance_count + 1) * sizeof *head);
    uint32_t *next = hk_alloc((system->port_count + 1) * sizeof *next);
    size_t count = 0;
    memset(head, 0xff, (system->instance_count + 1) * sizeof *head);
    for (uint32_t p = 0; p < system->port_count; p++)
        if (g->present[p] && !system->ports[p].is_output && system->ports[p].reactive) {
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
static void add_size_edges(graph *g) {
    uint32_t head = HK_MAP_NONE, last = HK_MAP_NONE;
    for (uint32_t i = 0; i < g->system->instance_count; i++) {
        if (!g->closed[i])
            continue;
        if (last != HK_MAP_NONE)
            add_edge(g, step_node(g, last), step_node(g, i), EDGE_SIZE);
        head = head == HK_MAP_NONE ? i : head;
        last = i;
    }
    if (head == HK_MAP_NONE)
        return;
    if (head != last)
        add_edge(g, step_node(g, last), step_node(g, head), EDGE_SIZE);
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        if (!g->closed[i])
            add_edge(g, step_node(g, last), step_node(g, i), EDGE_SIZE);
}

static void add_step_edges(graph *g) {
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        g->present[step_node(g, i)] = g->present[gate_node(g, i)] = true;
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        g->early = g->early || g->system->instances[i].rate > 1 || g->system->instances[i].first;
    add_values(g, g->early);
    for (uint32_t p = 0; p < g->system->port_count; p++)
        add_port_edges(g, p);
    close_rejecting(g);
    add_size_edges(g);
}

/* Where wishes of FMI close a cycle they cannot be granted. */
static bool drop_wishes(graph *g) {
    bool dropped = false;
    for (size_t i = 0; i < g->edge_count; i++) {
        edge *e = &g->edges[i];
        if (e->kind == EDGE_FMI && !e->gone && g->component[e->from] == g->component[e->to])
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

static void emit(const graph *g, uint32_t node, bool tentative, uint32_t as, list *to) {
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
static bool order_part(graph *g, const uint32_t *nodes, uint32_t count, bool broken,
                       uint32_t *sorted, bool *fed) {
    graph part = {.arena = g->arena, .system = g->system};
    bool *gets_value = hk_alloc(count + 1);
    allocate(&part, count);
    for (uint32_t i = 0; i < count; i++) {
        g->local[nodes[i]] = i + 1;
        part.present[i] = true;
    }
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = g->first[nodes[n]]; i < g->first[nodes[n] + 1]; i++) {
            const edge *e = &g->edges[g->out[i]];
            bool back = e->kind == EDGE_VALUE && owner_of(g, e->from) >= owner_of(g, e->to);
            if (e->kind == EDGE_SIZE || (broken && back) || !g->local[e->to])
                continue;
            add_edge(&part, n, g->local[e->to] - 1, e->kind);
            gets_value[g->local[e->to] - 1] |= e->kind == EDGE_VALUE;
        }
    find_components(&part);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = nodes[part.nodes[i]];
        fed[i] = gets_value[part.nodes[i]];
        g->local[nodes[i]] = 0;
    }
    bool acyclic = part.component_count == count;
    hk_free(gets_value);
    end(&part);
    return acyclic;
}

/* Instances whose steps are among the nodes. */
static uint32_t *stepped(const graph *g, const uint32_t *nodes, size_t count, bool rejecting,
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
static hk_sound_call value_loop(graph *g, const uint32_t *nodes, uint32_t count, uint32_t as) {
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
static hk_sound_call size_loop(graph *g, const uint32_t *nodes, uint32_t count) {
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
static void emit_settings(const graph *g, list *to) {
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
static void emit_component(graph *g, uint32_t component, uint32_t as, list *to) {
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
static int kind_of(const graph *g, uint32_t component) {
    uint32_t begin = component ? g->ends[component - 1] : 0;
    for (uint32_t i = begin; i < g->ends[component]; i++)
        if (is_step(g, g->nodes[i]))
            return g->early ? 1 : 0;
    if (g->early)
        return is_get(g, g->nodes[begin]) ? 2 : 0;
    return is_get(g, g->nodes[begin]) ? 1 : 2;
}

/* GROUPED: all of one kind, then all of the next, as the phases of the specification are. */
static void emit_all(graph *g, bool grouped, uint32_t as, list *to) {
    for (int kind = 0; kind < (grouped ? 3 : 1); kind++)
        for (uint32_t c = 0; c < g->component_count; c++)
            if (!grouped || kind_of(g, c) == kind)
                emit_component(g, c, as, to);
}

/* The one that the others follow; HK_MAP_NONE: none, or all take the same step anyhow. */
static uint32_t find_leader(const graph *g) {
    for (uint32_t i = 0; i < g->system->instance_count && g->closed_count == 1; i++) {
        uint32_t c = g->component[step_node(g, i)];
        if (g->closed[i] && g->ends[c] - (c ? g->ends[c - 1] : 0) == 1)
            return i;
    }
    return HK_MAP_NONE;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static bool is_reactive(const graph *g, uint32_t instance) {
    for (uint32_t p = 0; p < g->system->port_count; p++)
        if (g->present[p] && g->system->ports[p].instance == instance &&
            g->system->ports[p].reactive)
            return true;
    return false;
}

/* Loops go back in time: all that are stepped in them must be able to. */
static const char *find_unsaved(const graph *g, const list *calls) {
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

static const char *find_illegal(const graph *g) {
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
    graph g;
    begin(&g, arena, system);
    bool grouped = !add_init_edges(&g);
    find_components(&g);
    emit_settings(&g, &calls);
    emit_all(&g, grouped, HK_MAP_NONE, &calls);
    end(&g);
    master->init = keep(arena, &calls, &master->init_count);
    begin(&g, arena, system);
    add_step_edges(&g);
    find_components(&g);
    if (drop_wishes(&g))
        find_components(&g);
    emit_all(&g, !hk_sound_unphased(arena, system), find_leader(&g), &calls);
    verdict.fmi = find_illegal(&g);
    verdict.why = find_unsaved(&g, &calls);
    end(&g);
    master->step = keep(arena, &calls, &master->step_count);
    verdict.holds = !verdict.why;
    verdict.outcome = verdict.holds ? HK_SOUND_OK : HK_SOUND_VIOLATION;
    verdict.calls = master->init_count + master->step_count;
    *ret_master = verdict.holds ? master : NULL;
    return verdict;
}
