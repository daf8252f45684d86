/* SPDX-License-Identifier: MIT
 *
 * What the components of a plan declare, beside what the plan makes of it. An output that depends
 * on an input without delay asks for the value of the input at the same time. A plan may give it
 * the one of the beginning of the step, which is sound but late; that is reported here, and whether
 * calls of FMI could give it the other one: by an order of steps they can, within a step they
 * cannot, since FMI allows no get after a set without a step in between. */
#include "sound/contract.h"

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct graph {
    uint32_t node_count;
    edge *edges;
    size_t count, cap;
} graph;

typedef struct work {
    hk_arena *arena;
    const hk_sound_system *system;
    const hk_plan *plan;
    bool *read;   /* outputs: connected or observed */
    bool *wanted; /* inputs: without a delay that was asked for */
    bool *acts;   /* inputs: an output that is read depends on them */
    graph ports;
    graph needed, all; /* components: who steps first if inputs that act at once are 'current', or
                          all without a delay of their own */
    size_t late, silent;
    uint32_t output, input; /* one that is late, and on what it depends */
} work;

static void link(graph *g, uint32_t from, uint32_t to) {
    edge e = {from, to};
    HK_PUSH(g->edges, g->count, g->cap, e);
}

/* A node of each cycle and what follows from it are left when those without predecessors are taken
 * away again and again. The result says which are left. */
static bool *trim(hk_arena *arena, const graph *g) {
    bool *left = HK_NEW_ARRAY(arena, bool, g->node_count + 1);
    uint32_t *before = hk_alloc((g->node_count + 2) * sizeof *before);
    uint32_t *todo = hk_alloc((g->node_count + 1) * sizeof *todo);
    uint32_t *first = hk_alloc((g->node_count + 3) * sizeof *first);
    uint32_t *out = hk_alloc((g->count + 1) * sizeof *out);
    size_t count = 0;
    for (size_t i = 0; i < g->count; i++) {
        before[g->edges[i].to]++;
        first[g->edges[i].from + 2]++;
    }
    for (uint32_t n = 0; n < g->node_count; n++) {
        first[n + 2] += first[n + 1];
        left[n] = before[n] != 0;
        if (!left[n])
            todo[count++] = n;
    }
    for (size_t i = 0; i < g->count; i++)
        out[first[g->edges[i].from + 1]++] = g->edges[i].to;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = first[todo[i]]; k < first[todo[i] + 1]; k++)
            if (--before[out[k]] == 0) {
                left[out[k]] = false;
                todo[count++] = out[k];
            }
    hk_free(before);
    hk_free(todo);
    hk_free(first);
    hk_free(out);
    return left;
}

/* One cycle of the graph, from its first node on; NULL: there is none. */
static const uint32_t *find_cycle(hk_arena *arena, const graph *g, size_t *ret_count) {
    const bool *left = trim(arena, g);
    uint32_t *from = HK_NEW_ARRAY(arena, uint32_t, g->node_count + 1), at = 0;
    bool *seen = HK_NEW_ARRAY(arena, bool, g->node_count + 1);
    for (size_t i = g->count; i-- > 0;)
        if (left[g->edges[i].from])
            from[g->edges[i].to] = g->edges[i].from;
    while (at < g->node_count && !left[at])
        at++;
    if (at == g->node_count)
        return NULL;
    for (; !seen[at]; at = from[at]) /* backwards, until it meets itself */
        seen[at] = true;
    uint32_t least = at, count = 1;
    for (uint32_t n = from[at]; n != at; n = from[n], count++)
        least = n < least ? n : least;
    uint32_t *cycle = HK_NEW_ARRAY(arena, uint32_t, count);
    cycle[0] = least;
    for (uint32_t i = count, n = from[least]; i-- > 1; n = from[n])
        cycle[i] = n;
    *ret_count = count;
    return cycle;
}

/* ---- what is declared ------------------------------------------------------------------------ */

static bool is_immediate(const hk_connection *k) {
    return (k->lag == HK_LAG_DEFAULT || k->lag == HK_LAG_CURRENT) && k->delay.num == 0;
}

static void add_connections(work *w) {
    const hk_model *model = w->plan->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        uint32_t from = w->system->port_of[k->from_component][k->from_variable];
        uint32_t to = w->system->port_of[k->to_component][k->to_variable];
        w->read[from] = true;
        w->wanted[to] = is_immediate(k);
        if (w->wanted[to])
            link(&w->ports, from, to);
    }
}

static void add_output(work *w, uint32_t component, const hk_variable *variable, uint32_t port) {
    bool late = false;
    w->silent += !variable->depends.known;
    for (size_t i = 0; variable->depends.known && i < variable->depends.count; i++) {
        uint32_t input = w->system->port_of[component][variable->depends.on[i]];
        if (input == HK_MAP_NONE || w->system->ports[input].source == HK_MAP_NONE ||
            !w->wanted[input])
            continue;
        link(&w->ports, input, port);
        w->acts[input] = true;
        if (w->system->ports[input].reactive || late)
            continue;
        late = true;
        if (!w->late++) {
            w->output = port;
            w->input = input;
        }
    }
}

/* Only of those whose outputs are about the end of their steps. */
static void add_outputs(work *w) {
    const hk_model *model = w->plan->model;
    for (uint32_t c = 0; c < model->component_count; c++) {
        const hk_info *info = model->components[c].info;
        for (uint32_t v = 0; v < info->variable_count && info->stamp == HK_STAMP_END; v++) {
            uint32_t port = w->system->port_of[c][v];
            if (port == HK_MAP_NONE || !w->system->ports[port].is_output)
                continue;
            w->read[port] = w->read[port] || w->system->ports[port].observed;
            if (w->read[port])
                add_output(w, c, &info->variables[v], port);
        }
    }
}

static void add_components(work *w) {
    const hk_model *model = w->plan->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        uint32_t to = w->system->port_of[k->to_component][k->to_variable];
        if (w->acts[to] || k->lag == HK_LAG_CURRENT)
            link(&w->needed, k->from_component, k->to_component);
        if (w->wanted[to])
            link(&w->all, k->from_component, k->to_component);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* "a.u -> a.y -> b.u -> b.y -> a.u"; of long ones the beginning. */
static const char *loop_text(const work *w, const hk_sound_modelled *m) {
    enum { SHOWN = 12 };
    const char *text = m->loop[0];
    for (size_t i = 1; i < m->loop_count && i < SHOWN; i++)
        text = hk_arena_printf(w->arena, "%s -> %s", text, m->loop[i]);
    if (m->loop_count > SHOWN)
        text = hk_arena_printf(w->arena, "%s -> %zu more", text, m->loop_count - SHOWN);
    return hk_arena_printf(w->arena, "%s -> %s", text, m->loop[0]);
}

static const char *late_text(const work *w) {
    const char *one = hk_arena_printf(
        w->arena, "%s depends on %s without delay, but gets its value of the beginning of the step",
        w->system->ports[w->output].name, w->system->ports[w->input].name);
    return w->late == 1 ? hk_arena_printf(w->arena, "%s and is one step late", one)
                        : hk_arena_printf(w->arena, "%s; %zu outputs are one step late in this way",
                                          one, w->late);
}

static const char *describe(const work *w, const hk_sound_modelled *m) {
    size_t count;
    if (m->loop)
        return hk_arena_printf(w->arena,
                               "the components declare an algebraic loop, %s, which FMI cannot "
                               "execute: within a step there is no get after a set. The plan cuts "
                               "it: %s",
                               loop_text(w, m), late_text(w));
    if (!w->late)
        return "no output that is read acts at once on an input that comes late";
    const uint32_t *cycle = find_cycle(w->arena, &w->needed, &count);
    if (cycle)
        return hk_arena_printf(w->arena,
                               "%s. No order of steps can execute it as modelled: %s and %s would "
                               "have to wait for each other",
                               late_text(w), w->system->instances[cycle[0]].name,
                               w->system->instances[cycle[count - 1]].name);
    if (find_cycle(w->arena, &w->all, &count))
        return hk_arena_printf(w->arena,
                               "%s. FMI can execute it as modelled if the connections to such "
                               "inputs are 'current' and those that lead back are not",
                               late_text(w));
    return hk_arena_printf(w->arena, "%s. FMI can execute it as modelled: --algorithm gauss-seidel",
                           late_text(w));
}

hk_sound_modelled hk_sound_as_modelled(hk_arena *arena, const hk_sound_system *system,
                                       const hk_plan *plan) {
    work w = {.arena = arena,
              .system = system,
              .plan = plan,
              .read = HK_NEW_ARRAY(arena, bool, system->port_count + 1),
              .wanted = HK_NEW_ARRAY(arena, bool, system->port_count + 1),
              .acts = HK_NEW_ARRAY(arena, bool, system->port_count + 1),
              .ports = {.node_count = (uint32_t)system->port_count},
              .needed = {.node_count = (uint32_t)system->instance_count},
              .all = {.node_count = (uint32_t)system->instance_count}};
    hk_sound_modelled m = {0};
    add_connections(&w);
    add_outputs(&w);
    add_components(&w);
    const uint32_t *cycle = find_cycle(arena, &w.ports, &m.loop_count);
    if (cycle) {
        const char **names = HK_NEW_ARRAY(arena, const char *, m.loop_count);
        for (size_t i = 0; i < m.loop_count; i++)
            names[i] = system->ports[cycle[i]].name;
        m.loop = names;
    }
    m.late = w.late;
    m.text = describe(&w, &m);
    if (w.silent)
        m.text = hk_arena_printf(arena, "%s (%zu output%s not say what %s on)", m.text, w.silent,
                                 w.silent == 1 ? " does" : "s do",
                                 w.silent == 1 ? "it depends" : "they depend");
    hk_free(w.ports.edges);
    hk_free(w.needed.edges);
    hk_free(w.all.edges);
    return m;
}
